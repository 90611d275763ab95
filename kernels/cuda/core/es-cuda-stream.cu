/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Streams: scratch memory, small tables, copies, waiting, and what becomes of CUDA's errors. */

#include "es-cuda-device-private.h"
#include "es-cuda-libraries-private.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Page-locked room for small tables on their way; a 224 x 224 matrix of float64 is 0.4 MB. */
#define TABLES_SIZE ((size_t) 1 << 20)
#define TABLES_ALIGNMENT ((size_t) 256)

/* Scratch memory that a spare stream may keep. */
#define SPARE_SCRATCH ((size_t) 64 << 20)

/* A wait watches the device, for being woken may take half a millisecond: at first without a break, then giving way to
 * other threads between two looks, and only what takes this long it sleeps through. */
#define WATCH_NANOSECONDS 100000
#define YIELD_NANOSECONDS 20000000

typedef struct {
  EskStream    base;
  cudaEvent_t  done;                       /* sleeps until it comes */
  char        *tables;
  size_t       tables_used;                /* since the stream was last idle */
} Stream;

static EskCudaFault fail_wait = { "ES_CUDA_FAIL_WAIT", PTHREAD_MUTEX_INITIALIZER, "", 0 };

/* --- Errors --------------------------------------------------------------------------------------------- */

/* Errors after which nothing works any more in this process. Those that are not told by their code are recognised by
 * coming again from a call that asks for nothing. */
static bool
is_lost (EskStream   *stream,
         cudaError_t  code)
{
  cudaError_t again;

  switch (code)
    {
    case cudaErrorIllegalAddress:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorHardwareStackError:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContextIsDestroyed:
      return true;

    default:
      again = cudaStreamQuery (stream->stream);
      cudaGetLastError ();
      return again != cudaSuccess && again != cudaErrorNotReady;
    }
}

static void
tell_lost (EskStream *stream)
{
  pthread_mutex_lock (&stream->device->lock);
  memcpy (stream->error, stream->device->lost_reason, sizeof stream->error);
  pthread_mutex_unlock (&stream->device->lock);
  if (stream->pending == ESK_OK)
    stream->pending = ESK_ERROR_LOST;
}

int
esk_cuda_check (EskStream   *stream,
                cudaError_t  status,
                const char  *what)
{
  int code;

  if (status == cudaSuccess)
    return ESK_OK;

  cudaGetLastError ();
  snprintf (stream->error, sizeof stream->error, "%s: %s (%s)", what, cudaGetErrorString (status),
            cudaGetErrorName (status));

  /* The caller learns it at once and may try with less: not what the next wait () is about. */
  if (status == cudaErrorMemoryAllocation)
    return ESK_ERROR_MEMORY;

  code = ESK_ERROR_DEVICE;
  if (is_lost (stream, status))
    {
      esk_cuda_device_set_lost (stream->device, stream->error);
      code = ESK_ERROR_LOST;
    }
  if (stream->pending == ESK_OK)
    stream->pending = code;

  return code;
}

int
esk_cuda_check_library (EskStream  *stream,
                        bool        fine,
                        bool        no_memory,
                        int         status,
                        const char *what)
{
  int code;

  if (fine)
    return ESK_OK;
  if (no_memory)
    return esk_cuda_check (stream, cudaErrorMemoryAllocation, what);

  /* A kernel that faulted is told by the runtime, with its reason. */
  code = esk_cuda_check (stream, cudaGetLastError (), what);
  if (code == ESK_OK)
    {
      if (*esk_cuda_libraries_missing () != '\0')
        snprintf (stream->error, sizeof stream->error, "%s", esk_cuda_libraries_missing ());
      else
        snprintf (stream->error, sizeof stream->error, "%s: status %d of the library", what, status);
      code = ESK_ERROR_DEVICE;
    }
  return code;
}

int
esk_cuda_launched (EskStream  *stream,
                   const char *what)
{
  return esk_cuda_check (stream, cudaGetLastError (), what);
}

int
esk_cuda_enter (EskStream *stream)
{
  EskCudaDevice *device = stream->device;

  if (esk_cuda_device_is_lost (device))
    {
      tell_lost (stream);
      return ESK_ERROR_LOST;
    }

  return esk_cuda_check (stream, cudaSetDevice (device->ordinal), "choosing the device");
}

const char *
esk_cuda_last_error (EskStream *stream)
{
  return stream->error;
}

/* --- Waiting -------------------------------------------------------------------------------------------- */

static long
nanoseconds_since (const struct timespec *start)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (long) (now.tv_sec - start->tv_sec) * 1000000000L + (now.tv_nsec - start->tv_nsec);
}

/* Until the stream is idle. */
static cudaError_t
synchronise (EskStream *stream)
{
  Stream *self = (Stream *) stream;
  struct timespec start;
  cudaError_t status;
  long waited = 0;

  clock_gettime (CLOCK_MONOTONIC, &start);
  while ((status = cudaStreamQuery (stream->stream)) == cudaErrorNotReady && waited < YIELD_NANOSECONDS)
    {
      if (waited > WATCH_NANOSECONDS)
        sched_yield ();
      waited = nanoseconds_since (&start);
    }
  /* "Not ready" counts as an error until it is asked for, and would be taken for the next launch's. */
  if (waited > 0)
    cudaGetLastError ();

  if (status == cudaErrorNotReady)
    {
      status = cudaEventRecord (self->done, stream->stream);
      if (status == cudaSuccess)
        status = cudaEventSynchronize (self->done);
    }
  if (status == cudaSuccess)
    self->tables_used = 0;

  return status;
}

int
esk_cuda_wait (EskStream *stream)
{
  int code = esk_cuda_enter (stream);

  if (code == ESK_OK)
    {
      esk_cuda_check (stream, synchronise (stream), "computing");
      if (esk_cuda_fault (&fail_wait))
        {
          esk_cuda_device_set_lost (stream->device, "waiting: the loss of the device is simulated");
          tell_lost (stream);
        }
    }
  else
    /* So that memory the stream works on may be freed even where the loss is a simulated one. */
    cudaStreamSynchronize (stream->stream);

  code = stream->pending;
  stream->pending = ESK_OK;

  return code;
}

/* --- Streams -------------------------------------------------------------------------------------------- */

EskStream *
esk_cuda_stream_new (int index)
{
  EskCudaDevice *device = esk_cuda_device (index);
  EskStream *stream = NULL;
  Stream *self;

  if (device == NULL || esk_cuda_device_enter (device) != ESK_OK)
    return NULL;

  pthread_mutex_lock (&device->lock);
  if (device->n_spare > 0)
    stream = device->spare[--device->n_spare];
  pthread_mutex_unlock (&device->lock);
  if (stream != NULL)
    return stream;

  self = (Stream *) calloc (1, sizeof *self);
  if (self == NULL)
    return NULL;

  stream = &self->base;
  stream->device = device;
  stream->index = device->ordinal;
  if (cudaStreamCreateWithFlags (&stream->stream, cudaStreamNonBlocking) != cudaSuccess
      || cudaEventCreateWithFlags (&self->done, cudaEventBlockingSync | cudaEventDisableTiming) != cudaSuccess
      || cudaHostAlloc ((void **) &self->tables, TABLES_SIZE, cudaHostAllocPortable) != cudaSuccess)
    {
      esk_cuda_stream_destroy (stream);
      return NULL;
    }

  return stream;
}

void
esk_cuda_stream_destroy (EskStream *stream)
{
  Stream *self = (Stream *) stream;

  if (esk_cuda_has_left ())
    {
      free (self);
      return;
    }

  cudaSetDevice (stream->index);
  if (stream->stream != NULL)
    cudaStreamSynchronize (stream->stream);
  for (int s = 0; s < ESK_N_SCRATCHES; s++)
    if (stream->scratch[s].data != NULL)
      cudaFree (stream->scratch[s].data);
  if (stream->pinned != NULL)
    cudaFreeHost (stream->pinned);
  if (self->tables != NULL)
    cudaFreeHost (self->tables);
  if (self->done != NULL)
    cudaEventDestroy (self->done);
  if (stream->stream != NULL)
    cudaStreamDestroy (stream->stream);
  cudaGetLastError ();
  free (self);
}

/* Frees the largest scratches until the rest is small enough to keep. */
static void
trim (EskStream *stream)
{
  for (;;)
    {
      EskCudaScratch *largest = &stream->scratch[0];
      size_t total = 0;

      for (int s = 0; s < ESK_N_SCRATCHES; s++)
        {
          total += stream->scratch[s].size;
          if (stream->scratch[s].size > largest->size)
            largest = &stream->scratch[s];
        }
      if (total <= SPARE_SCRATCH)
        return;

      cudaFree (largest->data);
      largest->data = NULL;
      largest->size = 0;
    }
}

void
esk_cuda_stream_free (EskStream *stream)
{
  EskCudaDevice *device;
  bool kept = false;

  if (stream == NULL)
    return;

  device = stream->device;
  if (esk_cuda_enter (stream) == ESK_OK && esk_cuda_check (stream, synchronise (stream), "computing") == ESK_OK)
    {
      trim (stream);
      stream->pending = ESK_OK;
      stream->error[0] = '\0';
      pthread_mutex_lock (&device->lock);
      if (device->n_spare < ESK_CUDA_SPARE_STREAMS)
        {
          device->spare[device->n_spare++] = stream;
          kept = true;
        }
      pthread_mutex_unlock (&device->lock);
    }

  if (!kept)
    esk_cuda_stream_destroy (stream);
}

/* --- Scratch -------------------------------------------------------------------------------------------- */

void *
esk_cuda_scratch (EskStream     *stream,
                  EskScratchUse  use,
                  size_t         bytes)
{
  EskCudaScratch *scratch = &stream->scratch[use];
  /* Tiles differ a little in size; rounded, they share one allocation. */
  size_t step = bytes < (size_t) 1 << 20 ? (size_t) 1 << 16 : (size_t) 1 << 21, rounded;

  if (bytes <= scratch->size && scratch->data != NULL)
    return scratch->data;
  if (__builtin_add_overflow (bytes, step - 1, &rounded))
    {
      esk_cuda_check (stream, cudaErrorMemoryAllocation, "scratch memory");
      return NULL;
    }
  rounded = rounded / step * step;
  if (rounded == 0)
    rounded = step;

  if (scratch->data != NULL)
    {
      if (esk_cuda_check (stream, synchronise (stream), "computing") != ESK_OK)
        return NULL;
      cudaFree (scratch->data);
      scratch->data = NULL;
      scratch->size = 0;
    }
  if (esk_cuda_check (stream, esk_cuda_malloc (&scratch->data, rounded), "scratch memory") != ESK_OK)
    return NULL;
  scratch->size = rounded;

  return scratch->data;
}

void *
esk_cuda_pinned (EskStream *stream,
                 size_t     bytes)
{
  size_t rounded = (bytes + 4095) / 4096 * 4096;

  if (bytes <= stream->pinned_size && stream->pinned != NULL)
    return stream->pinned;

  if (stream->pinned != NULL)
    {
      if (esk_cuda_check (stream, synchronise (stream), "computing") != ESK_OK)
        return NULL;
      cudaFreeHost (stream->pinned);
      stream->pinned = NULL;
      stream->pinned_size = 0;
    }
  if (rounded < bytes
      || esk_cuda_check (stream, cudaHostAlloc (&stream->pinned, rounded, cudaHostAllocPortable),
                         "page-locked memory") != ESK_OK)
    {
      stream->pinned = NULL;
      return NULL;
    }
  stream->pinned_size = rounded;

  return stream->pinned;
}

/* Room of the stream's page-locked tables, at most TABLES_SIZE; what was given out before stays until the stream is
 * idle. */
static int
reserve (EskStream  *stream,
         size_t      bytes,
         void      **room)
{
  Stream *self = (Stream *) stream;
  int code = ESK_OK;

  if (bytes > TABLES_SIZE - self->tables_used)
    code = esk_cuda_check (stream, synchronise (stream), "computing");
  if (code != ESK_OK)
    return code;

  *room = self->tables + self->tables_used;
  self->tables_used += (bytes + TABLES_ALIGNMENT - 1) / TABLES_ALIGNMENT * TABLES_ALIGNMENT;

  return ESK_OK;
}

int
esk_cuda_upload_table (EskStream  *stream,
                       void       *to,
                       const void *from,
                       size_t      bytes)
{
  int code = ESK_OK;

  for (size_t done = 0; done < bytes && code == ESK_OK;)
    {
      size_t part = bytes - done < TABLES_SIZE ? bytes - done : TABLES_SIZE;
      void *room;

      code = reserve (stream, part, &room);
      if (code == ESK_OK)
        {
          memcpy (room, (const char *) from + done, part);
          code = esk_cuda_check (stream, cudaMemcpyAsync ((char *) to + done, room, part, cudaMemcpyHostToDevice,
                                                          stream->stream), "copying to the device");
        }
      done += part;
    }

  return code;
}

int
esk_cuda_fetch (EskStream  *stream,
                void       *to,
                const void *from,
                size_t      bytes)
{
  void *room = to;
  int code = ESK_OK;

  /* Not by way of the tables where it is large: to is then as good. */
  if (bytes <= TABLES_SIZE)
    code = reserve (stream, bytes, &room);
  if (code == ESK_OK)
    code = esk_cuda_check (stream, cudaMemcpyAsync (room, from, bytes, cudaMemcpyDeviceToHost, stream->stream),
                           "copying from the device");
  if (code == ESK_OK)
    code = esk_cuda_check (stream, synchronise (stream), "computing");
  if (code == ESK_OK && room != to)
    memcpy (to, room, bytes);

  return code;
}

/* --- Copies --------------------------------------------------------------------------------------------- */

int
esk_cuda_upload (EskStream  *stream,
                 void       *to,
                 const void *from,
                 size_t      bytes)
{
  int code = esk_cuda_enter (stream);

  if (code != ESK_OK || bytes == 0)
    return code;
  if (to == NULL || from == NULL)
    return ESK_ERROR_ARGUMENT;

  return esk_cuda_check (stream, cudaMemcpyAsync (to, from, bytes, cudaMemcpyHostToDevice, stream->stream),
                         "copying to the device");
}

int
esk_cuda_download (EskStream  *stream,
                   void       *to,
                   size_t      to_stride,
                   const void *from,
                   size_t      from_stride,
                   size_t      row_bytes,
                   size_t      n_rows)
{
  /* What a 2-D copy takes as a stride (cudaDevAttrMaxPitch is 2^31 - 1 everywhere). */
  const size_t maximum_stride = 0x7fffffff;
  int code = esk_cuda_enter (stream);

  if (code != ESK_OK || row_bytes == 0 || n_rows == 0)
    return code;
  if (to == NULL || from == NULL || (n_rows > 1 && (to_stride < row_bytes || from_stride < row_bytes)))
    return ESK_ERROR_ARGUMENT;

  if (n_rows > 1 && (to_stride != row_bytes || from_stride != row_bytes)
      && to_stride <= maximum_stride && from_stride <= maximum_stride)
    return esk_cuda_check (stream, cudaMemcpy2DAsync (to, to_stride, from, from_stride, row_bytes, n_rows,
                                                      cudaMemcpyDeviceToHost, stream->stream),
                           "copying from the device");

  if (to_stride == row_bytes && from_stride == row_bytes && n_rows > 1)
    {
      if (__builtin_mul_overflow (row_bytes, n_rows, &row_bytes))
        return ESK_ERROR_ARGUMENT;
      n_rows = 1;
    }
  for (size_t r = 0; r < n_rows && code == ESK_OK; r++)
    code = esk_cuda_check (stream, cudaMemcpyAsync ((char *) to + r * to_stride, (const char *) from + r * from_stride,
                                                    row_bytes, cudaMemcpyDeviceToHost, stream->stream),
                           "copying from the device");

  return code;
}
