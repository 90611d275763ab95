/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Sums over the cards of several processes. Numbers go to the card, are added by NCCL in a stream of their own, and
 * come back. Who waits for them looks whether somebody is gone, for NCCL itself would wait for ever.
 */

#include "es-cuda-device-private.h"
#include "es-cuda-hotspots-private.h"
#include "es-cuda-nccl-internal.h"
#include "es-cuda-sums-internal.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* All have said just before that they are about to add: who does not is gone. */
#define PATIENCE_SECONDS 60

struct _EskSums {
  EskStream   *stream;
  EskNcclComm  comm;
  void        *on_card, *locked;
  size_t       bytes;
  bool         broken;
  char         why[256];
};

static void
free_memory (EskSums *sums)
{
  if (sums->on_card != NULL)
    cudaFree (sums->on_card);
  if (sums->locked != NULL)
    cudaFreeHost (sums->locked);
  sums->on_card = sums->locked = NULL;
  sums->bytes = 0;
}

static void
sums_free (EskSums *sums)
{
  const EskNccl *nccl = esk_nccl_get ();

  if (sums == NULL)
    return;
  if (!esk_cuda_has_left () && esk_cuda_enter (sums->stream) == ESK_OK)
    {
      /* What is done is done; to take leave of the others would be to wait for them. */
      if (sums->comm != NULL)
        nccl->give_up (sums->comm);
      free_memory (sums);
    }
  esk_cuda_stream_free (sums->stream);
  free (sums);
}

static EskSums *
sums_join (int              device,
           const EskSumsId *id,
           int              rank,
           int              size,
           char            *why,
           size_t           why_bytes)
{
  EskSums *sums = (EskSums *) calloc (1, sizeof *sums);

  snprintf (why, why_bytes, "no memory");
  if (sums == NULL)
    return NULL;
  sums->stream = esk_cuda_stream_new (device);
  if (sums->stream == NULL)
    {
      free (sums);
      return NULL;
    }
  if (esk_cuda_enter (sums->stream) == ESK_OK)
    sums->comm = esk_nccl_join (id, rank, size, why, why_bytes);
  if (sums->comm == NULL)
    {
      sums_free (sums);
      return NULL;
    }

  return sums;
}

static int
fail (EskSums    *sums,
      int         code,
      const char *why)
{
  sums->broken = true;
  snprintf (sums->why, sizeof sums->why, "%s", why);

  return code;
}

static int
check (EskSums     *sums,
       cudaError_t  error,
       const char  *what)
{
  const int code = esk_cuda_check (sums->stream, error, what);

  return code == ESK_OK ? ESK_OK : fail (sums, code, esk_cuda_last_error (sums->stream));
}

static int
make_room (EskSums *sums,
           size_t   bytes)
{
  int code;

  if (bytes <= sums->bytes)
    return ESK_OK;
  free_memory (sums);
  code = check (sums, esk_cuda_malloc (&sums->on_card, bytes), "memory for sums");
  if (code == ESK_OK)
    code = check (sums, cudaHostAlloc (&sums->locked, bytes, cudaHostAllocDefault), "memory for sums");
  if (code == ESK_OK)
    sums->bytes = bytes;

  return code;
}

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);

  return (double) time.tv_sec + 1e-9 * (double) time.tv_nsec;
}

/* Until the stream is through, or somebody is gone. */
static int
wait_for_all (EskSums   *sums,
              const int *cancelled)
{
  const EskNccl *nccl = esk_nccl_get ();
  const cudaStream_t stream = sums->stream->stream;
  const double end = now () + PATIENCE_SECONDS;

  for (unsigned turn = 1;; turn++)
    {
      const cudaError_t error = cudaStreamQuery (stream);
      int later = ESK_NCCL_SUCCESS;

      if (error != cudaErrorNotReady)
        return check (sums, error, "sums over cards");
      if (esk_is_cancelled (cancelled))
        return fail (sums, ESK_ERROR_CANCELLED, "somebody is gone");
      if (turn % 1024 == 0 && nccl->get_async_error (sums->comm, &later) == ESK_NCCL_SUCCESS
          && later != ESK_NCCL_SUCCESS && later != ESK_NCCL_IN_PROGRESS)
        return fail (sums, ESK_ERROR_DEVICE, nccl->get_error_string (later));
      if (turn % 1024 == 0 && now () > end)
        return fail (sums, ESK_ERROR_DEVICE, "somebody is not heard of");
      if (turn > 4096)
        sched_yield ();
    }
}

static int
add (EskSums   *sums,
     void      *values,
     size_t     n,
     int        type,
     const int *cancelled)
{
  const EskNccl *nccl = esk_nccl_get ();
  const size_t bytes = n * sizeof (double);
  int code;

  if (sums->broken)
    return ESK_ERROR_DEVICE;
  if (n == 0)
    return ESK_OK;
  code = esk_cuda_enter (sums->stream);
  if (code == ESK_OK)
    code = make_room (sums, bytes);
  if (code != ESK_OK)
    return code;

  const cudaStream_t stream = sums->stream->stream;
  memcpy (sums->locked, values, bytes);
  code = check (sums, cudaMemcpyAsync (sums->on_card, sums->locked, bytes, cudaMemcpyHostToDevice, stream),
                "a copy of sums");
  if (code != ESK_OK)
    return code;
  const int added = nccl->all_reduce (sums->on_card, sums->on_card, n, type, ESK_NCCL_SUM, sums->comm, stream);
  if (added != ESK_NCCL_SUCCESS)
    return fail (sums, ESK_ERROR_DEVICE, nccl->get_error_string (added));
  code = check (sums, cudaMemcpyAsync (sums->locked, sums->on_card, bytes, cudaMemcpyDeviceToHost, stream),
                "a copy of sums");
  if (code == ESK_OK)
    code = wait_for_all (sums, cancelled);
  if (code == ESK_OK)
    memcpy (values, sums->locked, bytes);

  return code;
}

static int
sums_add (EskSums   *sums,
          double    *values,
          size_t     n,
          const int *cancelled)
{
  return add (sums, values, n, ESK_NCCL_FLOAT64, cancelled);
}

static int
sums_add_integers (EskSums   *sums,
                   int64_t   *values,
                   size_t     n,
                   const int *cancelled)
{
  return add (sums, values, n, ESK_NCCL_INT64, cancelled);
}

static const char *
sums_error (EskSums *sums)
{
  return sums->why;
}

const EskSumsHotspots esk_cuda_sums_hotspots = {
  .sums_library = esk_nccl_library,
  .sums_id = esk_nccl_make_id,
  .sums_join = sums_join,
  .sums_add = sums_add,
  .sums_add_integers = sums_add_integers,
  .sums_error = sums_error,
  .sums_free = sums_free,
};
