/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "test-noise-reference.h"

#include <math.h>
#include <stdlib.h>

/* The (column, row) steps from a pixel to those that take part, itself among them. */
static guint
steps_of (EskNoiseKind kind,
          int          steps[9][2])
{
  guint n = 0;

  if (kind == ESK_NOISE_MEAN || kind == ESK_NOISE_MEDIAN)
    {
      for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++, n++)
          steps[n][0] = x, steps[n][1] = y;
      return n;
    }
  steps[0][0] = steps[0][1] = 0;
  steps[1][0] = kind != ESK_NOISE_LOWER;
  steps[1][1] = kind != ESK_NOISE_RIGHT;
  return 2;
}

static size_t
pixel_at (const Reference *reference,
          size_t           column,
          size_t           row,
          const int        step[2])
{
  return (size_t) ((gssize) row + step[1]) * reference->width + (size_t) ((gssize) column + step[0]);
}

gboolean
reference_counts (const Reference *reference,
                  EskNoiseKind     kind,
                  size_t           column,
                  size_t           row)
{
  int steps[9][2];
  guint n = steps_of (kind, steps);

  for (guint k = 0; k < n && reference->valid != NULL; k++)
    if (!reference->valid[pixel_at (reference, column, row, steps[k])])
      return FALSE;

  return TRUE;
}

static int
compare (const void *a,
         const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

double
reference_residual (const Reference *reference,
                    EskNoiseKind     kind,
                    gboolean         integer,
                    size_t           column,
                    size_t           row,
                    size_t           band)
{
  const int here[2] = { 0, 0 };
  int steps[9][2];
  guint n = steps_of (kind, steps);
  double p = reference->value (reference->data, pixel_at (reference, column, row, here), band);
  double x[9], sum = 0.0;

  for (guint k = 0; k < n; k++)
    {
      x[k] = reference->value (reference->data, pixel_at (reference, column, row, steps[k]), band);
      sum += x[k];
    }
  if (n == 2)
    return x[0] - x[1];
  if (kind == ESK_NOISE_MEAN)
    return integer ? 9.0 * p - sum : p - sum * (1.0 / 9.0);
  qsort (x, 9, sizeof *x, compare);
  return p - x[4];
}

int16_t
reference_part (EskNoisePart part,
                double       residual,
                gboolean    *clamped)
{
  int r = (int) residual, low = r & 255, high;

  low = low > 127 ? low - 256 : low;
  high = (r - low) / 256;
  if (part == ESK_NOISE_HIGH)
    return (int16_t) high;
  if (part == ESK_NOISE_LOW)
    return (int16_t) low;
  if (part == ESK_NOISE_SUM)
    return (int16_t) (high + low);
  if (r < INT16_MIN || r > INT16_MAX)
    *clamped = TRUE;
  return (int16_t) CLAMP (r, INT16_MIN, INT16_MAX);
}

void
reference_error (const Reference *reference,
                 size_t           pixel,
                 const EskMatrix *forward,
                 const EskMatrix *backward,
                 const double    *mean,
                 const double    *scale,
                 const double    *offset,
                 double          *error,
                 double          *mean_square,
                 double          *angle)
{
  size_t n = reference->bands, m = forward->rows;
  g_autofree double *y = g_new0 (double, m);
  double a = 0.0, p = 0.0, q = 0.0;

  for (size_t r = 0; r < m; r++)
    for (size_t b = 0; b < n; b++)
      y[r] += (double) forward->values[r * n + b]
              * (reference->value (reference->data, pixel, b) - (mean != NULL ? mean[b] : 0.0));
  for (size_t b = 0; b < n; b++)
    {
      double x = reference->value (reference->data, pixel, b), estimate = mean != NULL ? mean[b] : 0.0;
      double s = scale != NULL ? scale[b] : 1.0, v = s * x + (offset != NULL ? offset[b] : 0.0);

      for (size_t r = 0; r < m; r++)
        estimate += (double) backward->values[b * m + r] * y[r];
      error[b] = s * (x - estimate);
      a += v * v;
      p += v * error[b];
      q += error[b] * error[b];
    }
  *mean_square = q / (double) n;
  *angle = atan2 (sqrt (MAX (a * q - p * p, 0.0)), a - p) * 180.0 / G_PI;
}
