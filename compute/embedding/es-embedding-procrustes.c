/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-embedding-private.h"

#include <float.h>
#include <math.h>

/* Sweeps of rotations after which columns are orthogonal at the latest; ten are many. */
#define MOST_SWEEPS 60

/* Sum of the singular values of m x m numbers, which are lost: rotations make the columns orthogonal (Hestenes 1958);
 * small values come out as exactly as large ones. */
static double
sum_singular_values (double *matrix, guint m)
{
  gboolean turned = TRUE;
  double sum = 0;

  for (guint sweep = 0; turned && sweep < MOST_SWEEPS; sweep++)
    {
      turned = FALSE;
      for (guint i = 0; i < m; i++)
        for (guint j = i + 1; j < m; j++)
          {
            double a = 0, b = 0, c = 0, zeta, t, cosine;

            for (guint r = 0; r < m; r++)
              {
                const double x = matrix[r * m + i], y = matrix[r * m + j];

                a += x * x;
                b += y * y;
                c += x * y;
              }
            if (c == 0 || fabs (c) <= DBL_EPSILON * sqrt (a) * sqrt (b))
              continue;
            turned = TRUE;
            zeta = (b - a) / (2 * c);
            t = copysign (1, zeta) / (fabs (zeta) + hypot (1, zeta));
            cosine = 1 / hypot (1, t);
            for (guint r = 0; r < m; r++)
              {
                const double x = matrix[r * m + i], y = matrix[r * m + j];

                matrix[r * m + i] = cosine * (x - t * y);
                matrix[r * m + j] = cosine * (y + t * x);
              }
          }
    }
  for (guint j = 0; j < m; j++)
    {
      double length = 0;

      for (guint r = 0; r < m; r++)
        length += matrix[r * m + j] * matrix[r * m + j];
      sum += sqrt (length);
    }
  return sum;
}

double
es_embedding_get_procrustes (const double *a, const double *b, gsize n, guint m)
{
  g_autofree double *a_mean = g_new0 (double, m), *b_mean = g_new0 (double, m), *product = g_new0 (double, m * m);
  double a_square = 0, b_square = 0, sum;
  gsize count = 0;

  for (gsize i = 0; i < n; i++)
    if (es_embedding_is_there (a + i * m, m) && es_embedding_is_there (b + i * m, m))
      {
        count++;
        for (guint c = 0; c < m; c++)
          {
            a_mean[c] += (a[i * m + c] - a_mean[c]) / (double) count;
            b_mean[c] += (b[i * m + c] - b_mean[c]) / (double) count;
          }
      }
  for (gsize i = 0; i < n; i++)
    if (es_embedding_is_there (a + i * m, m) && es_embedding_is_there (b + i * m, m))
      for (guint r = 0; r < m; r++)
        {
          const double x = a[i * m + r] - a_mean[r], z = b[i * m + r] - b_mean[r];

          a_square += x * x;
          b_square += z * z;
          for (guint c = 0; c < m; c++)
            product[r * m + c] += x * (b[i * m + c] - b_mean[c]);
        }
  if (!(a_square > 0 && b_square > 0))
    return NAN;
  for (guint i = 0; i < m * m; i++)
    product[i] /= sqrt (a_square) * sqrt (b_square);
  /* What is left of 1 when b is turned by the product of the singular vectors and scaled by the sum of the values. */
  sum = sum_singular_values (product, m);
  return CLAMP ((1 - sum) * (1 + sum), 0, 1);
}
