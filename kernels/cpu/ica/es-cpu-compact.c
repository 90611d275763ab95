/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Packing the samples that count. */

#include "es-cpu-ica-private.h"

#include <string.h>

/* Samples that are looked at together. */
#define BLOCK 4096

/* keep[k] = 1 where sample first + k is one of the sampling. */
static void
apply_sampling (const EskSampling *sampling,
                size_t             first,
                size_t             n,
                uint8_t           *keep)
{
  size_t row = first / sampling->width, column = first % sampling->width;

  for (size_t k = 0; k < n;)
    {
      uint64_t pixel = sampling->first + row * sampling->stride + column;
      size_t length = sampling->width - column < n - k ? sampling->width - column : n - k;

      for (size_t j = 0; j < length; j++)
        keep[k + j] &= (esk_sample_hash (sampling->seed, pixel + j) >> 32) < sampling->keep;
      k += length;
      column = 0;
      row++;
    }
}

/* Places of the samples of a block that are kept, in order; returns how many. */
static size_t
find_kept (const float       *plane,
           const EskSampling *sampling,
           size_t             first,
           size_t             n,
           uint16_t          *kept)
{
  uint8_t keep[BLOCK];
  size_t n_kept = 0;

  for (size_t k = 0; k < n; k++)
    {
      uint32_t bits;

      memcpy (&bits, plane + first + k, sizeof bits);
      keep[k] = (bits & 0x7f800000) != 0x7f800000;
    }
  if (sampling != NULL)
    apply_sampling (sampling, first, n, keep);
  for (size_t k = 0; k < n; k++)
    {
      kept[n_kept] = (uint16_t) k;
      n_kept += keep[k];
    }

  return n_kept;
}

int
esk_cpu_compact (EskStream         *stream,
                 const float       *planes,
                 size_t             n,
                 size_t             plane_stride,
                 size_t             n_planes,
                 const EskSampling *sampling,
                 float             *out,
                 size_t             out_stride,
                 size_t            *count)
{
  uint16_t kept[BLOCK + 1];
  size_t n_out = 0;

  if (stream == NULL || count == NULL || n_planes == 0 || n > PTRDIFF_MAX
      || (n > 0 && (planes == NULL || out == NULL || (n_planes > 1 && plane_stride < n))))
    return ESK_ERROR_ARGUMENT;
  if (sampling != NULL && (sampling->width == 0 || sampling->keep > (uint64_t) 1 << 32))
    return ESK_ERROR_ARGUMENT;
  if (sampling != NULL && sampling->keep == (uint64_t) 1 << 32)
    sampling = NULL;

  for (size_t first = 0; first < n; first += BLOCK)
    {
      size_t length = n - first < BLOCK ? n - first : BLOCK;
      size_t n_kept = find_kept (planes, sampling, first, length, kept);

      /* No plane may run into the next. */
      if (n_planes > 1 && n_kept > out_stride - n_out)
        return ESK_ERROR_ARGUMENT;
      for (size_t i = 0; i < n_planes; i++)
        {
          const float *from = planes + i * plane_stride + first;
          float *to = out + i * out_stride + n_out;

          if (n_kept == length)
            memcpy (to, from, length * sizeof (float));
          else
            for (size_t k = 0; k < n_kept; k++)
              to[k] = from[kept[k]];
        }
      n_out += n_kept;
    }
  *count = n_out;

  return ESK_OK;
}
