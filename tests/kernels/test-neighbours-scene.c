/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "test-neighbours-scene.h"

#include <math.h>
#include <stdlib.h>

/* Queries that are checked, at most; at even distances. */
#define CHECKED 20

const char *const near_kinds[] = { "mixtures", "noise", "lattice", "twins", "constant", "offset", "clusters", "huge",
                                   "tiny", "outlier" };

static guint64
next (guint64 *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state * 0x2545f4914f6cdd1dull;
}

static double
unit (guint64 *state)
{
  return (double) (next (state) >> 11) * 0x1p-53;
}

/* Of variance 1, near enough to normal. */
static double
noise (guint64 *state)
{
  double sum = -6;

  for (int i = 0; i < 12; i++)
    sum += unit (state);
  return sum;
}

float *
near_points_new (NearKind kind, size_t n, size_t dimensions, guint64 seed)
{
  float *points = g_new (float, n * dimensions);
  g_autofree double *spectra = g_new (double, 5 * dimensions);
  guint64 state = seed * 2654435761u + 88172645463325252ull;

  for (size_t i = 0; i < 5 * dimensions; i++)
    spectra[i] = 1 + sin ((double) (i % dimensions) * 0.05 * (double) (1 + i / dimensions)) + 0.2 * unit (&state);
  for (size_t i = 0; i < n; i++)
    {
      double share[5], total = 0;
      const size_t which = next (&state) % 7;

      for (int e = 0; e < 5; e++)
        total += share[e] = -log (unit (&state) + 1e-300);
      for (size_t b = 0; b < dimensions; b++)
        {
          float *value = &points[i * dimensions + b];
          double mixture = 0;

          for (int e = 0; e < 5; e++)
            mixture += share[e] / total * spectra[(size_t) e * dimensions + b];
          switch (kind)
            {
            case NEAR_MIXTURES: *value = (float) (mixture + 0.01 * noise (&state)); break;
            case NEAR_NOISE: *value = (float) noise (&state); break;
            case NEAR_LATTICE: *value = (float) (next (&state) % 3); break;
            case NEAR_TWINS: *value = (float) (spectra[b] * (double) which); break;
            case NEAR_CONSTANT: *value = 0.1f; break;
            case NEAR_OFFSET: *value = (float) (1e6 + noise (&state)); break;
            case NEAR_CLUSTERS: *value = (float) ((which % 2 == 0 ? 1.0 : -1.0) + 1e-6 * noise (&state)); break;
            case NEAR_HUGE: *value = (float) (1e37 * noise (&state)); break;
            case NEAR_TINY: *value = (float) (1e-37 * noise (&state)); break;
            case NEAR_OUTLIER: *value = (float) (i == n / 2 ? 1e20 : noise (&state)); break;
            default: g_assert_not_reached ();
            }
        }
    }
  return points;
}

typedef struct
{
  long double square;
  gint32      index;
} Pair;

static int
compare (const void *a, const void *b)
{
  const Pair *x = a, *y = b;

  if (x->square != y->square)
    return x->square < y->square ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

void
near_check (const char *what, const float *points, size_t n_points, const float *queries, size_t n_queries,
            size_t dimensions, size_t k, gboolean own, size_t own_first, const gint32 *index, const float *distance)
{
  g_autofree Pair *pairs = g_new (Pair, n_points);
  g_autofree long double *square = g_new (long double, n_points);
  g_autofree gboolean *seen = g_new (gboolean, n_points);
  const size_t step = n_queries / CHECKED + 1;

  for (size_t q = 0; q < n_queries; q += step)
    {
      size_t n = 0;

      for (size_t p = 0; p < n_points; p++)
        {
          long double sum = 0;

          for (size_t b = 0; b < dimensions; b++)
            {
              const long double x = (long double) queries[q * dimensions + b] - points[p * dimensions + b];
              sum += x * x;
            }
          square[p] = sum;
          seen[p] = FALSE;
          if (!own || p != own_first + q)
            pairs[n++] = (Pair) { sum, (gint32) p };
        }
      qsort (pairs, n, sizeof *pairs, compare);
      for (size_t m = 0; m < k; m++)
        {
          const gint32 found = index[q * k + m];
          const long double truth = pairs[m].square;
          const double right = (double) sqrtl (square[found]);

          if (found < 0 || (size_t) found >= n_points || seen[found] || (own && (size_t) found == own_first + q))
            g_error ("%s: neighbour %zu of query %zu is %d, which cannot be", what, m, q, found);
          seen[found] = TRUE;
          /* Another one than the truth's is as near, up to the rounding of a sum in float64. */
          if (found != pairs[m].index && fabsl (square[found] - truth) > 1e-13L * (long double) (truth))
            g_error ("%s: neighbour %zu of query %zu is %d at %.17Lg, not %d at %.17Lg", what, m, q, found,
                     sqrtl (square[found]), pairs[m].index, sqrtl (truth));
          /* Equal ones by index, where they are equal in every number of digits. */
          if (found != pairs[m].index && square[found] == truth && m > 0 && index[q * k + m - 1] > found
              && square[index[q * k + m - 1]] == truth)
            g_error ("%s: neighbours of query %zu at the same distance are not by index", what, q);
          if (fabs ((double) distance[q * k + m] - right) > 6e-8 * right + 1e-45)
            g_error ("%s: neighbour %zu of query %zu is at %.9g, not %.9g", what, m, q, distance[q * k + m], right);
        }
    }
}
