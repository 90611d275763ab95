/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Samples for display: one band as float32, one pixel as float64. */

#include "es-cpu-loops-table-private.h"

#include <math.h>
#include <string.h>

#define CHUNK 1024

/* n samples from data + offset on, `stride` samples apart, in native byte order. */
static void
read_samples (const EskCpuLoops *loops,
              const EskTile     *tile,
              ptrdiff_t          offset,
              ptrdiff_t          stride,
              size_t             n,
              void              *out)
{
  size_t size = esk_type_size (tile->type);
  const char *data = (const char *) tile->data + offset * (ptrdiff_t) size;

  if (stride == 1)
    {
      memcpy (out, data, n * size);
    }
  else
    {
      ptrdiff_t offsets[CHUNK];

      for (size_t k = 0; k < n; k++)
        offsets[k] = (ptrdiff_t) k * stride;
      loops->gather (size, data, offsets, n, out);
    }
  if (tile->byte_swapped)
    loops->swap (size, out, n);
}

static bool
is_readable (const EskTile *tile)
{
  return tile != NULL && tile->data != NULL && esk_type_size (tile->type) > 0;
}

int
esk_convert_band (const EskTile *tile,
                  size_t         band,
                  double         no_data,
                  double         scale,
                  double         offset,
                  float         *out)
{
  const EskCpuLoops *loops = esk_cpu_loops_choose ();
  uint64_t samples[CHUNK];
  double values[CHUNK];
  uint8_t missing[CHUNK];
  size_t n_pixels;

  if (!is_readable (tile) || band >= tile->bands || tile->width == 0 || tile->height == 0 || out == NULL
      || __builtin_mul_overflow (tile->width, tile->height, &n_pixels))
    return ESK_ERROR_ARGUMENT;

  for (size_t row = 0; row < tile->height; row++)
    for (size_t column = 0; column < tile->width; column += CHUNK)
      {
        size_t n = tile->width - column < CHUNK ? tile->width - column : CHUNK;
        float *target = out + row * tile->width + column;

        read_samples (loops, tile,
                      (ptrdiff_t) column * tile->column_stride + (ptrdiff_t) row * tile->row_stride
                      + (ptrdiff_t) band * tile->band_stride,
                      tile->column_stride, n, samples);
        memset (missing, 0, n);
        loops->find_missing (tile->type, samples, n, no_data, missing);
        loops->to_double (tile->type, samples, n, 0.0, values, NULL);
        for (size_t k = 0; k < n; k++)
          {
            float value = (float) (values[k] * scale + offset);

            target[k] = missing[k] || !isfinite (value) ? NAN : value;
          }
      }

  return ESK_OK;
}

int
esk_convert_pixel (const EskTile *tile,
                   size_t         column,
                   size_t         row,
                   double        *out)
{
  const EskCpuLoops *loops = esk_cpu_loops_choose ();
  uint64_t samples[CHUNK];

  if (!is_readable (tile) || column >= tile->width || row >= tile->height || out == NULL)
    return ESK_ERROR_ARGUMENT;

  for (size_t band = 0; band < tile->bands; band += CHUNK)
    {
      size_t n = tile->bands - band < CHUNK ? tile->bands - band : CHUNK;

      read_samples (loops, tile,
                    (ptrdiff_t) column * tile->column_stride + (ptrdiff_t) row * tile->row_stride
                    + (ptrdiff_t) band * tile->band_stride,
                    tile->band_stride, n, samples);
      loops->to_double (tile->type, samples, n, 0.0, out + band, NULL);
    }

  return ESK_OK;
}
