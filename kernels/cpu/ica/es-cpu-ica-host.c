/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What FastICA does between two looks at the samples, but for what has a file of its own: es-cpu-ica-rows.c,
 * es-cpu-ica-table.c. */

#include "es-ica-host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A vector of which less than this is left is not there. */
#define SMALLEST_DIRECTION 1e-13

/* Four sums, which do not wait for each other. */
static double
dot (size_t n, const double *a, const double *b)
{
  double sum[4] = { 0 };
  size_t i = 0;

  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++)
      sum[k] += a[i + k] * b[i + k];
  for (; i < n; i++)
    sum[i % 4] += a[i] * b[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* ---- orthonormal vectors ---- */

int
esk_orthonormalise_vector (size_t m, size_t n, const double *w, double *vector)
{
  const double before = dot (m, vector, vector);
  double *copy;
  double square = before;

  if (!(before > 0) || !isfinite (before))
    return ESK_ERROR_NO_CONVERGENCE;
  copy = malloc (m * sizeof (double));
  if (copy == NULL)
    return ESK_ERROR_MEMORY;
  memcpy (copy, vector, m * sizeof (double));

  /* Twice is enough. */
  for (int pass = 0; pass < 2; pass++)
    {
      for (size_t i = 0; i < n; i++)
        {
          const double along = dot (m, copy, w + i * m);
          for (size_t j = 0; j < m; j++)
            copy[j] -= along * w[i * m + j];
        }
      square = dot (m, copy, copy);
    }
  if (square > SMALLEST_DIRECTION * SMALLEST_DIRECTION * before)
    for (size_t j = 0; j < m; j++)
      vector[j] = copy[j] / sqrt (square);
  free (copy);
  return square > SMALLEST_DIRECTION * SMALLEST_DIRECTION * before ? ESK_OK : ESK_ERROR_NO_CONVERGENCE;
}

/* ---- numbers ---- */

/* Box and Muller's, of two hashes a pair. */
void
esk_fill_normal (uint64_t seed, size_t n, double *out)
{
  for (size_t i = 0; i < n; i += 2)
    {
      const double u = ((double) (esk_sample_hash (seed, i) >> 11) + 1) * 0x1p-53;
      const double v = (double) (esk_sample_hash (seed, i + 1) >> 11) * 0x1p-53;
      const double radius = sqrt (-2 * log (u)), angle = 2 * 3.14159265358979323846 * v;

      out[i] = radius * cos (angle);
      if (i + 1 < n)
        out[i + 1] = radius * sin (angle);
    }
}

/* log cosh x without overflow. */
static double
log_cosh (double x)
{
  return fabs (x) + log1p (exp (-2 * fabs (x))) - 0.69314718055994530942;
}

double
esk_contrast_of_normal (const EskContrast *contrast)
{
  double sum = 0, weight = 0;

  switch (contrast->kind)
    {
    case ESK_CONTRAST_CUBIC:
      return 0.75;
    case ESK_CONTRAST_GAUSS:
      return -0.70710678118654752440;          /* -1 / sqrt 2 */
    case ESK_CONTRAST_TANH:
    case ESK_N_CONTRASTS:
    default:
      break;
    }
  /* Of smooth functions that vanish at the ends the trapezoidal rule is exact to rounding. */
  for (int i = -1200; i <= 1200; i++)
    {
      const double x = i * 0.01, density = exp (-0.5 * x * x);
      sum += density * log_cosh (contrast->slope * x) / contrast->slope;
      weight += density;
    }
  return sum / weight;
}
