/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * How far a tile is from what few components tell of it: a panel of centred float32 samples, two matrix products, and
 * the differences in float64.
 */

#include "es-cpu-cube-private.h"
#include "es-cpu-error-private.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define DEGREES (180.0 / 3.14159265358979323846)

/* The tables of one call, of the stream's scratch. */
typedef struct
{
  double       *centre;            /* n: what is subtracted from samples, the mean or its float32 */
  double       *rest;              /* n: the mean less that */
  float        *centre_f32;        /* n */
  float        *forward, *backward;    /* packed */
  float        *constants;         /* m: what the rest projects to, less; zeros */
  float        *zeros;             /* n */
} Tables;

static bool
tables_init (Tables          *self,
             EskStream       *stream,
             const EskMatrix *forward,
             const EskMatrix *backward,
             const double    *mean,
             bool             single)
{
  size_t n = forward->columns, m = forward->rows, n_floats, bytes;
  double *doubles;
  float *floats;

  if (__builtin_mul_overflow (2 * n, m, &n_floats) || __builtin_add_overflow (n_floats, 2 * n + m, &n_floats)
      || __builtin_mul_overflow (n_floats, sizeof (float), &bytes)
      || __builtin_add_overflow (bytes, 2 * n * sizeof (double), &bytes))
    return false;
  doubles = esk_scratch_get (&stream->basis, bytes, 1);
  if (doubles == NULL)
    return false;
  floats = (float *) (doubles + 2 * n);

  self->centre = doubles;
  self->rest = doubles + n;
  self->centre_f32 = floats;
  self->zeros = floats + n;
  self->constants = floats + 2 * n;
  self->forward = floats + 2 * n + m;
  self->backward = self->forward + n * m;

  stream->loops->pack (m, n, forward->values, self->forward);
  stream->loops->pack (n, m, backward->values, self->backward);
  for (size_t b = 0; b < n; b++)
    {
      double value = mean != NULL ? mean[b] : 0.0;

      self->centre_f32[b] = (float) value;
      self->centre[b] = single ? (double) self->centre_f32[b] : value;
      self->rest[b] = value - self->centre[b];
      self->zeros[b] = 0.0f;
    }
  for (size_t r = 0; r < m; r++)
    {
      double constant = 0.0;

      for (size_t b = 0; b < n; b++)
        constant -= (double) forward->values[r * n + b] * self->rest[b];
      self->constants[r] = (float) constant;
    }

  return true;
}

static double
angle_of (const EskPixelErrors *pixels,
          size_t           k)
{
  double a = pixels->lengths[k], p = pixels->products[k], q = pixels->squares[k];
  double across = a * q - p * p;

  return atan2 (sqrt (across > 0.0 ? across : 0.0), a - p) * DEGREES;
}

static void
blank (float  *out,
       size_t  first,
       size_t  end)
{
  for (size_t p = first; out != NULL && p < end; p++)
    out[p] = NAN;
}

int
esk_cpu_project_error (EskStream          *stream,
                       const EskTile      *tile,
                       const EskSelection *selection,
                       const uint8_t      *valid,
                       const EskMatrix    *forward,
                       const EskMatrix    *backward,
                       const double       *mean,
                       const double       *scale,
                       const double       *offset,
                       float              *rmse,
                       float              *angle,
                       EskErrorSums       *sums)
{
  const EskCpuLoops *loops;
  EskCpuAddErrors *add_errors;
  EskPanelReader reader;
  EskPanel panel;
  Tables tables;
  EskPixelErrors pixels;
  size_t n, m, capacity, stride, n_values, n_pixels, next = 0;
  float *values, *components, *estimates;
  double *band_sums;
  uint8_t *quantised = NULL;
  EskType type;
  bool single;
  int code;

  code = esk_cpu_check (stream, tile, selection);
  if (code != ESK_OK)
    return code;
  loops = stream->loops;
  add_errors = esk_cpu_add_errors (stream);
  n = selection->n_bands;
  if (forward == NULL || backward == NULL || forward->values == NULL || backward->values == NULL
      || forward->rows == 0 || forward->rows > INT_MAX / 2 || forward->columns != n || backward->rows != n
      || backward->columns != forward->rows || (sums != NULL && sums->n_bands != n))
    return ESK_ERROR_ARGUMENT;

  m = forward->rows;
  n_pixels = tile->width * tile->height;
  type = selection->minimum != NULL ? ESK_U8 : tile->type;
  single = esk_type_is_exact (type) || type == ESK_F32;
  capacity = esk_cpu_capacity (2 * n + m, sizeof (float));
  stride = esk_cpu_stride (capacity, sizeof (float));
  code = esk_panel_start (&reader, stream, tile, selection, valid, capacity);
  if (code != ESK_OK)
    return code;
  if (__builtin_mul_overflow (n + m, stride, &n_values))
    return ESK_ERROR_MEMORY;
  values = esk_scratch_get (&stream->panel, n * stride, sizeof (float));
  components = esk_scratch_get (&stream->output, n_values, sizeof (float));
  band_sums = esk_scratch_get (&stream->state, 2 * n + 3 * capacity, sizeof (double));
  if (values == NULL || components == NULL || band_sums == NULL
      || !tables_init (&tables, stream, forward, backward, mean, single))
    return ESK_ERROR_MEMORY;
  if (selection->minimum != NULL)
    {
      quantised = esk_scratch_get (&stream->quantised, capacity, 1);
      if (quantised == NULL)
        return ESK_ERROR_MEMORY;
    }
  estimates = components + m * stride;
  memset (band_sums, 0, 2 * n * sizeof (double));
  pixels = (EskPixelErrors) { band_sums + 2 * n, band_sums + 2 * n + capacity, band_sums + 2 * n + 2 * capacity };

  while (esk_panel_next (&reader, &panel))
    {
      size_t count = esk_round_up (panel.n_pixels, ESK_PANEL_ROUND), at = 0;

      for (size_t b = 0; b < n; b++)
        {
          const void *samples = panel.rows[b];
          float *row = values + b * stride;

          if (quantised != NULL)
            {
              loops->quantise (panel.type, samples, panel.n_pixels, selection->minimum[b], selection->maximum[b],
                               quantised);
              samples = quantised;
            }
          if (single)
            loops->centre (type, samples, panel.n_pixels, tables.centre_f32[b], row);
          else
            loops->to_float (type, samples, panel.n_pixels, tables.centre[b], row, NULL);
          memset (row + panel.n_pixels, 0, (count - panel.n_pixels) * sizeof (float));
        }
      loops->multiply (m, n, forward->values, tables.forward, tables.constants, values, stride, count, components,
                       stride);
      loops->multiply (n, m, backward->values, tables.backward, tables.zeros, components, stride, count, estimates,
                       stride);

      memset (pixels.squares, 0, 3 * capacity * sizeof (double));
      for (size_t b = 0; b < n; b++)
        {
          double factor = scale != NULL ? scale[b] : 1.0, constant = offset != NULL ? offset[b] : 0.0;

          add_errors (values + b * stride, estimates + b * stride, panel.n_pixels, tables.rest[b], factor,
                      constant + factor * tables.centre[b], &pixels, &band_sums[b], &band_sums[n + b]);
        }

      for (size_t r = 0; r < panel.n_runs; r++)
        {
          const EskRun *run = &panel.runs[r];

          blank (rmse, next, run->pixel);
          blank (angle, next, run->pixel);
          for (size_t k = 0; k < run->length; k++, at++)
            {
              double mean_square = pixels.squares[at] / (double) n;
              double degrees = angle != NULL || sums != NULL ? angle_of (&pixels, at) : 0.0;

              if (rmse != NULL)
                rmse[run->pixel + k] = (float) sqrt (mean_square);
              if (angle != NULL)
                angle[run->pixel + k] = (float) degrees;
              if (sums != NULL)
                {
                  sums->angle += degrees;
                  sums->largest = mean_square > sums->largest ? mean_square : sums->largest;
                }
            }
          next = run->pixel + run->length;
        }
      if (sums != NULL)
        sums->count += (int64_t) panel.n_pixels;
    }
  blank (rmse, next, n_pixels);
  blank (angle, next, n_pixels);
  for (size_t b = 0; sums != NULL && b < n; b++)
    {
      sums->error[b] += band_sums[b];
      sums->square[b] += band_sums[n + b];
    }

  return reader.code;
}
