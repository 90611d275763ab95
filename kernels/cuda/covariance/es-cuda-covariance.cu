/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Sums for a covariance (DESIGN section 4), kept on the device until they are asked for: integers of 8- and 16-bit
 * samples by es-cuda-covariance-exact.cu, float64 totals of all others by es-cuda-covariance-float.cu or,
 * where they are to be precise, es-cuda-covariance-precise.cu.
 */

#include "es-cuda-covariance-internal.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

/* 8-bit planes made of other types for a moment, bytes. */
#define QUANTISED_BYTES ((size_t) 64 << 20)
/* Slices of pixels begin where 16-byte vectors and the mask's do. */
#define QUANTISED_STEP ((size_t) 1024)
/* Totals on their way to the host, bytes. */
#define COLLECT_BYTES ((size_t) 1 << 20)

typedef struct {
  EskCudaSums  base;
  void        *memory;
  void        *totals;         /* count, sums and products: all but the shift */
  size_t       totals_bytes, bytes;
  uint64_t     n_pixels;       /* given since the last collect, whether valid or not */
  bool         stale;          /* collected, and not yet cleared: nothing is in them */
} DeviceSums;

/* What the last sums had, for the next: to make and to free memory takes as long as the sums of a small cube. */
#define SPARE_BYTES ((size_t) 4 << 20)
#define SPARES 4

typedef struct {
  int     device;
  size_t  bytes;
  void   *memory;
} Spare;

static pthread_mutex_t spare_lock = PTHREAD_MUTEX_INITIALIZER;
static Spare spares[SPARES];

/* NULL: there is none. */
static void *
take_spare (int    device,
            size_t bytes)
{
  void *memory = NULL;

  pthread_mutex_lock (&spare_lock);
  for (int s = 0; s < SPARES && memory == NULL; s++)
    if (spares[s].memory != NULL && spares[s].device == device && spares[s].bytes == bytes)
      {
        memory = spares[s].memory;
        spares[s].memory = NULL;
      }
  pthread_mutex_unlock (&spare_lock);

  return memory;
}

/* Nothing works on it any more. False: it is not kept. */
static bool
give_spare (int     device,
            size_t  bytes,
            void   *memory)
{
  bool kept = false;

  if (memory == NULL || bytes > SPARE_BYTES)
    return false;
  pthread_mutex_lock (&spare_lock);
  for (int s = 0; s < SPARES && !kept; s++)
    if (spares[s].memory == NULL)
      {
        spares[s] = { device, bytes, memory };
        kept = true;
      }
  pthread_mutex_unlock (&spare_lock);

  return kept;
}

static void
device_sums_free (void *device_sums)
{
  DeviceSums *self = (DeviceSums *) device_sums;
  int current = -1;

  if (self == NULL)
    return;
  /* Who has collected them has waited for all that worked on them. */
  if (self->stale && give_spare (self->base.device, self->bytes, self->memory))
    {
      free (self);
      return;
    }

  cudaGetDevice (&current);
  if (cudaSetDevice (self->base.device) == cudaSuccess && self->memory != NULL)
    cudaFree (self->memory);
  if (current >= 0 && current != self->base.device)
    cudaSetDevice (current);
  cudaGetLastError ();
  free (self);
}

/* Zeroed sums in the device's memory, in the stream's order. */
static int
device_sums_new (EskStream           *stream,
                 const EskCovariance *covariance,
                 DeviceSums         **out)
{
  size_t n = covariance->n_bands, padded = (n + 31) / 32 * 32, n_values, bytes;
  DeviceSums *self;
  char *memory;
  int code;

  /* [shift] [count] [sum] [product], each from a multiple of 256 bytes on */
  if (__builtin_mul_overflow (n, n, &n_values) || __builtin_add_overflow (n_values, 2 * padded + 32, &n_values)
      || __builtin_mul_overflow (n_values, sizeof (int64_t), &bytes))
    return ESK_ERROR_MEMORY;
  self = (DeviceSums *) calloc (1, sizeof *self);
  if (self == NULL)
    return ESK_ERROR_MEMORY;
  self->base.device = stream->index;
  self->base.n_bands = n;
  self->base.exact = covariance->exact;

  self->bytes = bytes;
  self->memory = take_spare (stream->index, bytes);
  code = self->memory != NULL ? ESK_OK : esk_cuda_check (stream, esk_cuda_malloc (&self->memory, bytes),
                                                         "memory for the sums");
  if (code != ESK_OK)
    {
      device_sums_free (self);
      return code;
    }
  memory = (char *) self->memory;
  self->totals = memory + padded * sizeof (double);
  self->totals_bytes = bytes - padded * sizeof (double);
  self->base.count = (int64_t *) self->totals;
  if (covariance->exact)
    {
      self->base.integer_sum = self->base.count + 32;
      self->base.integer_product = self->base.integer_sum + padded;
    }
  else
    {
      self->base.shift = (double *) memory;
      self->base.sum = (double *) (self->base.count + 32);
      self->base.product = self->base.sum + padded;
    }

  code = esk_cuda_check (stream, cudaMemsetAsync (self->totals, 0, self->totals_bytes, stream->stream),
                         "clearing the sums");
  if (code == ESK_OK && !covariance->exact)
    code = esk_cuda_upload_table (stream, self->base.shift, covariance->shift, n * sizeof (double));
  if (code != ESK_OK)
    {
      device_sums_free (self);
      return code;
    }
  *out = self;

  return ESK_OK;
}

/* For something to be added. */
static int
clear_stale (EskStream  *stream,
             DeviceSums *sums)
{
  int code;

  if (!sums->stale)
    return ESK_OK;
  code = esk_cuda_check (stream, cudaMemsetAsync (sums->totals, 0, sums->totals_bytes, stream->stream),
                         "clearing the sums");
  sums->stale = code != ESK_OK;

  return code;
}

/* False where the integer totals could no longer be told to fit 64 bits. */
static bool
totals_fit (const EskCovariance *covariance,
            const DeviceSums    *sums,
            size_t               n_pixels,
            bool                 eight_bits)
{
  const uint64_t square = eight_bits ? 255 * 255 : (uint64_t) 65535 * 65535;
  uint64_t given = sums != NULL ? sums->n_pixels : 0, total;

  return covariance->count >= 0 && !__builtin_add_overflow ((uint64_t) covariance->count, given, &total)
         && !__builtin_add_overflow (total, (uint64_t) n_pixels, &total) && total <= (uint64_t) INT64_MAX / square;
}

static int
add_run (EskStream        *stream,
         const EskCudaRun *run,
         bool              precise,
         EskCudaSums      *sums)
{
  if (sums->exact)
    return esk_cuda_covariance_exact (stream, run, sums);

  return precise ? esk_cuda_covariance_precise (stream, run, sums) : esk_cuda_covariance_float (stream, run, sums);
}

/* The run as 8-bit numbers, a slice of its pixels after the other through one scratch. */
static int
add_quantised (EskStream          *stream,
               const EskCudaRun   *run,
               const EskSelection *selection,
               bool                precise,
               EskCudaSums        *sums)
{
  size_t step = QUANTISED_BYTES / run->n_bands / QUANTISED_STEP * QUANTISED_STEP;
  int code = ESK_OK;

  if (step == 0)
    step = QUANTISED_STEP;
  for (size_t first = 0; first < run->n_pixels && code == ESK_OK; first += step)
    {
      size_t n = run->n_pixels - first < step ? run->n_pixels - first : step;
      EskCudaRun quantised;

      code = esk_cuda_quantise (stream, run, selection, first, n, &quantised);
      if (code == ESK_OK)
        code = add_run (stream, &quantised, precise, sums);
    }

  return code;
}

int
esk_cuda_covariance_sums (EskStream          *stream,
                          const EskTile      *tile,
                          const EskSelection *selection,
                          const uint8_t      *valid,
                          EskCovariance      *covariance)
{
  DeviceSums *sums;
  EskCudaRun run;
  bool quantising;
  EskType type;
  int code;

  if (stream == NULL || tile == NULL || selection == NULL || covariance == NULL || tile->data == NULL)
    return ESK_ERROR_ARGUMENT;
  quantising = selection->minimum != NULL;
  type = quantising ? ESK_U8 : tile->type;
  if (covariance->n_bands == 0 || covariance->n_bands != selection->n_bands || tile->bands != covariance->n_bands
      || (quantising && selection->maximum == NULL) || (covariance->exact && !esk_type_is_exact (type)))
    return ESK_ERROR_ARGUMENT;

  code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;
  sums = (DeviceSums *) covariance->device_sums;
  if (sums != NULL && (covariance->device_sums_free != device_sums_free || sums->base.device != stream->index
                       || sums->base.n_bands != covariance->n_bands || sums->base.exact != covariance->exact))
    return ESK_ERROR_ARGUMENT;

  code = esk_cuda_run (stream, tile, valid, true, &run);
  if (code != ESK_OK)
    return code;
  if (covariance->exact && !totals_fit (covariance, sums, run.n_pixels, type == ESK_U8 || type == ESK_I8))
    return ESK_ERROR_ARGUMENT;
  if (sums == NULL)
    {
      code = device_sums_new (stream, covariance, &sums);
      if (code != ESK_OK)
        return code;
      covariance->device_sums = sums;
      covariance->device_sums_free = device_sums_free;
    }
  code = clear_stale (stream, sums);
  if (code != ESK_OK)
    return code;
  sums->n_pixels += run.n_pixels;

  return quantising ? add_quantised (stream, &run, selection, covariance->precise, &sums->base)
                    : add_run (stream, &run, covariance->precise, &sums->base);
}

int
esk_cuda_float_sums (EskStream      *stream,
                     EskCovariance  *covariance,
                     size_t          n_pixels,
                     EskCudaSums   **out)
{
  DeviceSums *sums = (DeviceSums *) covariance->device_sums;
  int code;

  if (covariance->exact
      || (sums != NULL && (covariance->device_sums_free != device_sums_free || sums->base.device != stream->index
                           || sums->base.n_bands != covariance->n_bands || sums->base.exact)))
    return ESK_ERROR_ARGUMENT;
  if (sums == NULL)
    {
      code = device_sums_new (stream, covariance, &sums);
      if (code != ESK_OK)
        return code;
      covariance->device_sums = sums;
      covariance->device_sums_free = device_sums_free;
    }
  code = clear_stale (stream, sums);
  if (code != ESK_OK)
    return code;
  sums->n_pixels += n_pixels;
  *out = &sums->base;

  return ESK_OK;
}

/* Starts to copy rows `first` .. of the products, each as far as its diagonal and some more, and tells how many rows
 * and in what width they come. */
static int
copy_rows (EskStream        *stream,
           const DeviceSums *sums,
           size_t            first,
           void             *to,
           size_t           *n_rows,
           size_t           *width)
{
  const EskCudaSums *base = &sums->base;
  const int64_t *products = base->exact ? base->integer_product : (const int64_t *) base->product;
  size_t n = base->n_bands, rows = n - first;

  while (rows > 1 && rows * (first + rows) > COLLECT_BYTES / sizeof (int64_t))
    rows = (rows + 1) / 2;
  *n_rows = rows;
  *width = first + rows;

  return esk_cuda_check (stream,
                         cudaMemcpy2DAsync (to, *width * sizeof (int64_t), products + first * n, n * sizeof (int64_t),
                                            *width * sizeof (int64_t), rows, cudaMemcpyDeviceToHost,
                                            stream->stream),
                         "bringing the sums");
}

/* Everything that came: rows first .. first + n_rows of the products. */
static void
add_rows (EskCovariance *covariance,
          size_t         first,
          size_t         n_rows,
          size_t         width,
          const void    *rows)
{
  for (size_t r = 0; r < n_rows; r++)
    {
      size_t i = first + r;

      if (covariance->exact)
        {
          const int64_t *from = (const int64_t *) rows + r * width;
          int64_t *to = covariance->integer_product + i * covariance->n_bands;

          for (size_t j = 0; j <= i; j++)
            to[j] += from[j];
        }
      else
        {
          const double *from = (const double *) rows + r * width;
          double *to = covariance->product + i * covariance->n_bands;

          for (size_t j = 0; j <= i; j++)
            to[j] += from[j];
        }
    }
}

int
esk_cuda_covariance_collect (EskStream     *stream,
                             EskCovariance *covariance)
{
  DeviceSums *sums;
  size_t n, n_rows, width, largest;
  int64_t count;
  char *pinned;
  int code;

  if (stream == NULL || covariance == NULL)
    return ESK_ERROR_ARGUMENT;
  sums = (DeviceSums *) covariance->device_sums;
  if (sums == NULL || sums->stale)
    return ESK_OK;
  n = covariance->n_bands;
  if (covariance->device_sums_free != device_sums_free || sums->base.device != stream->index
      || sums->base.n_bands != n || sums->base.exact != covariance->exact)
    return ESK_ERROR_ARGUMENT;

  code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;
  largest = n * sizeof (int64_t) > COLLECT_BYTES ? n * sizeof (int64_t) : COLLECT_BYTES;
  pinned = (char *) esk_cuda_pinned (stream, largest + n * sizeof (int64_t));
  if (pinned == NULL)
    return ESK_ERROR_MEMORY;

  code = esk_cuda_check (stream,
                         cudaMemcpyAsync (pinned + largest,
                                          sums->base.exact ? (void *) sums->base.integer_sum : sums->base.sum,
                                          n * sizeof (int64_t), cudaMemcpyDeviceToHost, stream->stream),
                         "bringing the sums");
  if (code == ESK_OK)
    code = copy_rows (stream, sums, 0, pinned, &n_rows, &width);
  /* The count comes last, and with it all that was copied before. */
  if (code == ESK_OK)
    code = esk_cuda_fetch (stream, &count, sums->base.count, sizeof count);
  if (code == ESK_OK && stream->pending != ESK_OK)
    code = stream->pending;
  if (code != ESK_OK)
    return code;

  for (size_t b = 0; b < n; b++)
    if (covariance->exact)
      covariance->integer_sum[b] += ((const int64_t *) (pinned + largest))[b];
    else
      covariance->sum[b] += ((const double *) (pinned + largest))[b];
  covariance->count += count;
  add_rows (covariance, 0, n_rows, width, pinned);

  for (size_t first = n_rows; first < n && code == ESK_OK; first += n_rows)
    {
      code = copy_rows (stream, sums, first, pinned, &n_rows, &width);
      if (code == ESK_OK)
        code = esk_cuda_fetch (stream, &count, sums->base.count, sizeof count);
      if (code == ESK_OK)
        add_rows (covariance, first, n_rows, width, pinned);
    }

  sums->n_pixels = 0;
  sums->stale = code == ESK_OK;

  return code;
}
