/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sums over cards of several processes, whose memory is the host's: with the library that it is told, as on a card. */

#include "fake-device.h"

#include <stdio.h>
#include <stdlib.h>

#include "cuda/core/es-cuda-nccl-internal.h"

struct _EskSums {
  EskNcclComm comm;
  char        why[256];
};

static void
sums_free (EskSums *sums)
{
  if (sums == NULL)
    return;
  if (sums->comm != NULL)
    esk_nccl_get ()->give_up (sums->comm);
  free (sums);
}

static EskSums *
sums_join (int device, const EskSumsId *id, int rank, int size, char *why, size_t why_bytes)
{
  EskSums *sums = calloc (1, sizeof *sums);

  snprintf (why, why_bytes, "no memory");
  if (sums != NULL && device >= 0)
    sums->comm = esk_nccl_join (id, rank, size, why, why_bytes);
  if (sums != NULL && sums->comm != NULL)
    return sums;
  sums_free (sums);
  return NULL;
}

static int
add (EskSums *sums, void *values, size_t n, int type, const int *cancelled)
{
  const EskNccl *nccl = esk_nccl_get ();
  int code;

  if (esk_is_cancelled (cancelled))
    return ESK_ERROR_CANCELLED;
  code = nccl->all_reduce (values, values, n, type, ESK_NCCL_SUM, sums->comm, NULL);
  if (code == ESK_NCCL_SUCCESS)
    return ESK_OK;
  snprintf (sums->why, sizeof sums->why, "%s", nccl->get_error_string (code));
  return ESK_ERROR_DEVICE;
}

static int
sums_add (EskSums *sums, double *values, size_t n, const int *cancelled)
{
  return add (sums, values, n, ESK_NCCL_FLOAT64, cancelled);
}

static int
sums_add_integers (EskSums *sums, int64_t *values, size_t n, const int *cancelled)
{
  return add (sums, values, n, ESK_NCCL_INT64, cancelled);
}

static const char *
sums_error (EskSums *sums)
{
  return sums->why;
}

const EskSumsHotspots fake_sums_hotspots = {
  .sums_library = esk_nccl_library,
  .sums_id = esk_nccl_make_id,
  .sums_join = sums_join,
  .sums_add = sums_add,
  .sums_add_integers = sums_add_integers,
  .sums_error = sums_error,
  .sums_free = sums_free,
};
