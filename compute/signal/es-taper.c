/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-taper.h"

#include <math.h>

/* Side lobes of Chebyshev's weights, below the main one. */
#define CHEBYSHEV_DECIBELS 40.0
/* Longer arrays take the shape of one of so many: Dolph's first and last weights grow with the number of elements until
 * they outweigh all others. */
#define CHEBYSHEV_MOST 256

void
es_window_fill (EsWindowKind kind, float *weights, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const double turn = 2 * G_PI * i / n;
      switch (kind)
        {
        case ES_WINDOW_HANN:
          weights[i] = 0.5 - 0.5 * cos (turn);
          break;
        case ES_WINDOW_HAMMING:
          weights[i] = 0.54 - 0.46 * cos (turn);
          break;
        case ES_WINDOW_BLACKMAN:
          weights[i] = 0.42 - 0.5 * cos (turn) + 0.08 * cos (2 * turn);
          break;
        case ES_WINDOW_RECTANGULAR:
        case ES_N_WINDOWS:
        default:
          weights[i] = 1;
        }
    }
  /* A single sample would be lost. */
  if (n == 1)
    weights[0] = 1;
}

/* T_m (x) also outside -1..1. */
static double
chebyshev (guint m, double x)
{
  if (fabs (x) <= 1)
    return cos (m * acos (x));
  return (x < 0 && m % 2 == 1 ? -1 : 1) * cosh (m * acosh (fabs (x)));
}

/* Dolph's weights: the inverse transform of a Chebyshev polynomial over the directions (Harris 1978, 5.L); the largest
 * is 1. */
static void
fill_chebyshev (double *weights, guint n)
{
  const guint m = n - 1;
  const double beta = cosh (acosh (pow (10, CHEBYSHEV_DECIBELS / 20)) / m);
  g_autofree double *pattern = g_new (double, n);
  double largest = 0;

  for (guint i = 0; i < n; i++)
    pattern[i] = chebyshev (m, beta * cos (G_PI * i / n));
  for (guint k = 0; k < n; k++)
    {
      /* cos (2 pi i (k - m / 2) / n) from the angle 2 k - m, reduced exactly. */
      const gint64 twice = 2 * (gint64) k - m;
      double sum = 0;
      for (guint i = 0; i < n; i++)
        sum += pattern[i] * cos (G_PI * (double) ((gint64) i * twice % (2 * (gint64) n)) / n);
      weights[k] = sum;
      largest = MAX (largest, sum);
    }
  for (guint k = 0; k < n; k++)
    weights[k] /= largest;
}

static void
shade_chebyshev (float *weights, guint n)
{
  const guint length = MIN (n, CHEBYSHEV_MOST);
  g_autofree double *curve = g_new (double, length);

  fill_chebyshev (curve, length);
  for (guint k = 0; k < n; k++)
    {
      const double place = n == length ? k : (double) k * (length - 1) / (n - 1);
      const guint before = MIN ((guint) place, length - 2);
      weights[k] = curve[before] + (place - before) * (curve[before + 1] - curve[before]);
    }
  /* Rounding must not turn a symmetric array into another. */
  for (guint k = 0; k < n / 2; k++)
    weights[n - 1 - k] = weights[k];
}

void
es_shading_fill (EsShading kind, float *weights, guint n)
{
  if (kind == ES_SHADING_CHEBYSHEV && n > 2)
    {
      shade_chebyshev (weights, n);
      return;
    }
  for (guint k = 0; k < n; k++)
    {
      /* Hann's zeros are one spacing outside, so that no element is wasted. */
      const guint mirror = MIN (k, n - 1 - k);
      weights[k] = kind == ES_SHADING_HANN && n > 1 ? 0.5 - 0.5 * cos (2 * G_PI * (mirror + 1) / (n + 1))
                   : kind == ES_SHADING_HAMMING && n > 1 ? 0.54 - 0.46 * cos (2 * G_PI * mirror / (n - 1)) : 1;
    }
}
