/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Projection of a tile on a basis: a panel of centred float32 samples, then one matrix product. */

#include "es-cpu-cube-private.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Pixels from first to before end become NAN in every plane. */
static void
blank (float  *out,
       size_t  plane_stride,
       size_t  n_planes,
       size_t  first,
       size_t  end)
{
  if (end <= first)
    return;
  for (size_t r = 0; r < n_planes; r++)
    for (size_t p = first; p < end; p++)
      out[r * plane_stride + p] = NAN;
}

typedef struct
{
  size_t  n_rows;
  float  *packed;
  float  *constants;           /* what the rounding of the mean to float32 has left out, projected: n_rows */
  float  *centre;              /* n_bands */
} Basis;

/*
 * Samples of up to 32 bits of mantissa are centred in float32: sum b (x - mean) = sum b (x - centre) - sum b (mean -
 * centre), centre being the mean in float32 and the last sum a constant.
 */
static bool
basis_init (Basis           *self,
            EskStream       *stream,
            const EskMatrix *matrix,
            const double    *mean)
{
  size_t rows = matrix->rows, n = matrix->columns, n_values;
  float *data;

  if (__builtin_mul_overflow (rows, n + 1, &n_values) || __builtin_add_overflow (n_values, n, &n_values))
    return false;
  data = esk_scratch_get (&stream->basis, n_values, sizeof (float));
  if (data == NULL)
    return false;

  self->n_rows = rows;
  self->packed = data;
  self->constants = data + rows * n;
  self->centre = self->constants + rows;
  stream->loops->pack (rows, n, matrix->values, self->packed);
  for (size_t b = 0; b < n; b++)
    self->centre[b] = mean != NULL ? (float) mean[b] : 0.0f;
  for (size_t r = 0; r < rows; r++)
    {
      double constant = 0.0;

      for (size_t b = 0; mean != NULL && b < n; b++)
        constant -= (double) matrix->values[r * n + b] * (mean[b] - (double) self->centre[b]);
      self->constants[r] = (float) constant;
    }

  return true;
}

/* Rows of samples less the mean, padded with zeros. */
static void
fill_panel (EskStream          *stream,
            const EskSelection *selection,
            const EskPanel     *panel,
            const double       *mean,
            const Basis        *basis,
            uint8_t            *quantised,
            float              *values,
            size_t              stride)
{
  const EskCpuLoops *loops = stream->loops;
  size_t count = esk_round_up (panel->n_pixels, ESK_PANEL_ROUND);

  for (size_t b = 0; b < selection->n_bands; b++)
    {
      const void *samples = panel->rows[b];
      float *row = values + b * stride;
      EskType type = panel->type;

      if (quantised != NULL)
        {
          loops->quantise (type, samples, panel->n_pixels, selection->minimum[b], selection->maximum[b], quantised);
          samples = quantised;
          type = ESK_U8;
        }
      if (esk_type_is_exact (type) || type == ESK_F32)
        loops->centre (type, samples, panel->n_pixels, basis->centre[b], row);
      else
        loops->to_float (type, samples, panel->n_pixels, mean != NULL ? mean[b] : 0.0, row, NULL);
      memset (row + panel->n_pixels, 0, (count - panel->n_pixels) * sizeof (float));
    }
}

int
esk_cpu_project (EskStream          *stream,
                 const EskTile      *tile,
                 const EskSelection *selection,
                 const uint8_t      *valid,
                 const EskMatrix    *basis,
                 const double       *mean,
                 float              *out,
                 size_t              plane_stride)
{
  EskPanelReader reader;
  EskPanel panel;
  Basis prepared;
  size_t n, capacity, stride, n_pixels, n_products, next = 0;
  float *values, *products;
  uint8_t *quantised = NULL;
  EskType type;
  int code;

  code = esk_cpu_check (stream, tile, selection);
  if (code != ESK_OK)
    return code;

  n = selection->n_bands;
  n_pixels = tile->width * tile->height;
  if (basis == NULL || basis->values == NULL || basis->rows == 0 || basis->rows > INT_MAX || basis->columns != n
      || out == NULL || (basis->rows > 1 && plane_stride < n_pixels))
    return ESK_ERROR_ARGUMENT;

  capacity = esk_cpu_capacity (n, sizeof (float));
  stride = esk_cpu_stride (capacity, sizeof (float));
  code = esk_panel_start (&reader, stream, tile, selection, valid, capacity);
  if (code != ESK_OK)
    return code;
  if (n > SIZE_MAX / stride || __builtin_mul_overflow (basis->rows, stride, &n_products))
    return ESK_ERROR_MEMORY;
  values = esk_scratch_get (&stream->panel, n * stride, sizeof (float));
  products = esk_scratch_get (&stream->output, n_products, sizeof (float));
  if (values == NULL || products == NULL || !basis_init (&prepared, stream, basis, mean))
    return ESK_ERROR_MEMORY;
  if (selection->minimum != NULL)
    {
      quantised = esk_scratch_get (&stream->quantised, capacity, 1);
      if (quantised == NULL)
        return ESK_ERROR_MEMORY;
    }
  type = selection->minimum != NULL ? ESK_U8 : tile->type;
  if (!esk_type_is_exact (type) && type != ESK_F32)
    memset (prepared.constants, 0, basis->rows * sizeof (float));

  while (esk_panel_next (&reader, &panel))
    {
      const float *product = products;

      fill_panel (stream, selection, &panel, mean, &prepared, quantised, values, stride);
      stream->loops->multiply (basis->rows, n, basis->values, prepared.packed, prepared.constants, values, stride,
                               esk_round_up (panel.n_pixels, ESK_PANEL_ROUND), products, stride);

      for (size_t k = 0; k < panel.n_runs; k++)
        {
          const EskRun *run = &panel.runs[k];

          blank (out, plane_stride, basis->rows, next, run->pixel);
          for (size_t r = 0; r < basis->rows; r++)
            memcpy (out + r * plane_stride + run->pixel, product + r * stride, run->length * sizeof (float));
          product += run->length;
          next = run->pixel + run->length;
        }
    }
  blank (out, plane_stride, basis->rows, next, n_pixels);

  return reader.code;
}
