/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Numbers of sources from eigenvalues: criteria by their definition in long double, and matrices of made-up snapshots
 * whose eigenvalues are found here by Jacobi's rotations of real symmetric matrices. */

#include <math.h>
#include <string.h>

#include "signal/es-source-count.h"
#include "es-test-sonar.h"

/* Wax and Kailath, equations 13 and 21: the likelihood of k sources by geometric over arithmetic mean. */
static guint
count_by_definition (const double *values, guint n, double snapshots, gboolean mdl)
{
  long double least = INFINITY;
  guint best = 0;

  for (guint k = 0; k < n; k++)
    {
      long double product = 1, sum = 0;
      for (guint i = k; i < n; i++)
        {
          product *= powl (values[i], 1.0L / (n - k));
          sum += values[i];
        }
      const long double likelihood = -logl (product / (sum / (n - k))) * (n - k) * snapshots;
      const long double free_numbers = (long double) k * (2 * n - k);
      const long double criterion = mdl ? likelihood + 0.5L * free_numbers * logl (snapshots)
                                        : 2 * likelihood + 2 * free_numbers;
      if (criterion < least)
        {
          least = criterion;
          best = k;
        }
    }
  return best;
}

static void
test_definition (void)
{
  guint64 state = 2;

  for (guint round = 0; round < 300; round++)
    {
      const guint n = 2 + (guint) (es_test_uniform (&state) * 30);
      const double snapshots = n + 1 + floor (es_test_uniform (&state) * 200);
      double values[32], value = 0.5 + es_test_uniform (&state);

      for (guint i = n; i-- > 0;)
        {
          values[i] = value;
          value *= 1 + (i < n / 3 ? 2 : 0.2) * es_test_uniform (&state);
        }
      g_assert_cmpuint (es_source_count_aic (values, n, snapshots), ==,
                        count_by_definition (values, n, snapshots, FALSE));
      g_assert_cmpuint (es_source_count_mdl (values, n, snapshots), ==,
                        count_by_definition (values, n, snapshots, TRUE));
    }
}

/* Complex snapshots: the 2 n x 2 n real matrix [A -B; B A] has every eigenvalue of A + iB twice. */
static void
find_eigenvalues (guint n, guint snapshots, guint sources, double power, guint64 seed, double *values)
{
  const guint m = 2 * n;
  g_autofree double *r = g_new0 (double, (gsize) m * m), *x = g_new (double, m), *a = g_new (double, m);
  guint64 state = seed;

  for (guint s = 0; s < snapshots; s++)
    {
      for (guint i = 0; i < m; i++)
        x[i] = es_test_normal (&state) * sqrt (0.5);
      for (guint k = 0; k < sources; k++)
        {
          const double re = es_test_normal (&state) * sqrt (power / 2), im = es_test_normal (&state) * sqrt (power / 2);
          for (guint i = 0; i < n; i++)
            {
              const double phase = (0.5 + 0.9 * k) * i;
              x[i] += re * cos (phase) - im * sin (phase);
              x[n + i] += re * sin (phase) + im * cos (phase);
            }
        }
      for (guint i = 0; i < n; i++)
        for (guint k = 0; k < n; k++)
          {
            const double re = (x[i] * x[k] + x[n + i] * x[n + k]) / snapshots;
            const double im = (x[n + i] * x[k] - x[i] * x[n + k]) / snapshots;
            r[i * m + k] += re;
            r[(n + i) * m + n + k] += re;
            r[(n + i) * m + k] += im;
            r[i * m + n + k] -= im;
          }
    }
  for (guint sweep = 0; sweep < 12; sweep++)
    for (guint p = 0; p < m; p++)
      for (guint q = p + 1; q < m; q++)
        {
          const double g = r[p * m + q];
          if (fabs (g) < 1e-300)
            continue;
          const double tau = (r[q * m + q] - r[p * m + p]) / (2 * g);
          const double t = (tau < 0 ? -1 : 1) / (fabs (tau) + sqrt (1 + tau * tau));
          const double c = 1 / sqrt (1 + t * t), d = t * c;
          for (guint i = 0; i < m; i++)
            {
              const double u = r[i * m + p], v = r[i * m + q];
              r[i * m + p] = c * u - d * v;
              r[i * m + q] = d * u + c * v;
            }
          for (guint i = 0; i < m; i++)
            {
              const double u = r[p * m + i], v = r[q * m + i];
              r[p * m + i] = c * u - d * v;
              r[q * m + i] = d * u + c * v;
            }
        }
  for (guint i = 0; i < m; i++)
    a[i] = r[i * m + i];
  for (guint i = 0; i < n; i++)
    {
      /* The two largest left are the same one. */
      for (guint twice = 0; twice < 2; twice++)
        {
          guint largest = 0;
          for (guint k = 1; k < m; k++)
            if (a[k] > a[largest])
              largest = k;
          values[i] = MAX (a[largest], 0);
          a[largest] = -INFINITY;
        }
    }
}

/* Snapshots of so many sources in noise: MDL finds them, also where there are fewer snapshots than elements. AIC is
 * known to find too many now and then. */
static void
test_snapshots (void)
{
  const struct { guint n, snapshots; } cases[] = { { 12, 100 }, { 12, 24 }, { 24, 12 }, { 24, 16 }, { 16, 16 } };
  double values[24];

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    for (guint sources = 0; sources <= 3; sources++)
      {
        guint right_mdl = 0, right_aic = 0;
        for (guint trial = 0; trial < 10; trial++)
          {
            find_eigenvalues (cases[c].n, cases[c].snapshots, sources, 100, 100 * c + 10 * sources + trial + 1, values);
            const guint mdl = es_source_count_mdl (values, cases[c].n, cases[c].snapshots);
            const guint aic = es_source_count_aic (values, cases[c].n, cases[c].snapshots);
            right_mdl += mdl == sources;
            right_aic += aic == sources;
            g_assert_cmpuint (aic, <, cases[c].n);
          }
        g_test_message ("%u elements, %u snapshots, %u sources: MDL %u, AIC %u of 10", cases[c].n, cases[c].snapshots,
                        sources, right_mdl, right_aic);
        g_assert_cmpuint (right_mdl, >=, 9);
        g_assert_cmpuint (right_aic, >=, 6);
      }
}

static void
test_edges (void)
{
  const double flat[4] = { 2, 2, 2, 2 }, silence[4] = { 0 }, one[4] = { 5, 0, 0, 0 }, wrong[4] = { NAN, 1, 1, 1 };
  const double bins[3][4] = { { 100, 1, 1, 1 }, { 1, 1, 1, 1 }, { 100, 90, 1, 1 } };

  for (guint mdl = 0; mdl < 2; mdl++)
    {
      guint (*count) (const double *, guint, double) = mdl ? es_source_count_mdl : es_source_count_aic;
      g_assert_cmpuint (count (flat, 4, 100), ==, 0);
      g_assert_cmpuint (count (silence, 4, 100), ==, 0);
      g_assert_cmpuint (count (one, 4, 100), ==, 0);
      g_assert_cmpuint (count (wrong, 4, 100), ==, 0);
      g_assert_cmpuint (count (flat, 1, 100), ==, 0);
      g_assert_cmpuint (count (flat, 0, 100), ==, 0);
      g_assert_cmpuint (count (bins[0], 4, 1), ==, 0);
      g_assert_cmpuint (count (bins[0], 4, 0), ==, 0);
      g_assert_cmpuint (count (bins[0], 4, NAN), ==, 0);
      g_assert_cmpuint (count (bins[2], 4, 100), ==, 2);
      /* The median of 1, 0 and 2, each by its first three or all four. */
      g_assert_cmpuint (es_source_count_over_bins (bins[0], 3, 4, 4, 100, mdl), ==, 1);
      g_assert_cmpuint (es_source_count_over_bins (bins[0], 3, 4, 3, 100, mdl), ==, 1);
      g_assert_cmpuint (es_source_count_over_bins (bins[0], 0, 4, 4, 100, mdl), ==, 0);
    }
  g_assert_cmpfloat (es_noise_floor (bins[2], 4, 2), ==, 1);
  g_assert_cmpfloat (es_noise_floor (bins[2], 4, 0), ==, 48);
  g_assert_cmpfloat (es_noise_floor (bins[2], 4, 4), ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/source-count/definition", test_definition);
  g_test_add_func ("/source-count/snapshots", test_snapshots);
  g_test_add_func ("/source-count/edges", test_edges);
  return g_test_run ();
}
