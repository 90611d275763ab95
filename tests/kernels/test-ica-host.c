/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What FastICA does between two looks at the samples, against the samples themselves. */

#include "es-ica-host.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { M = 5, SAMPLES = 3000 };

/* Skewed samples that depend on each other a little, so that every moment is something. */
static double *
make_samples (void)
{
  double *z = g_new (double, M * SAMPLES);

  esk_fill_normal (3, M * SAMPLES, z);
  for (int p = 0; p < SAMPLES; p++)
    for (int i = 0; i < M; i++)
      z[i * SAMPLES + p] = 0.7 * z[i * SAMPLES + p] + 0.3 * (z[i * SAMPLES + p] * z[i * SAMPLES + p] - 1)
                           + (i > 0 ? 0.2 * z[(i - 1) * SAMPLES + p] : 0);
  return z;
}

/* The sums that moment_sums () of a device adds up, in float64. */
static void
sum_monomials (const double *z, const double *shift, EskCovariance *sums)
{
  const size_t n = esk_n_monomials (M);
  double q[M + M * (M + 1) / 2];

  g_assert_cmpint (esk_covariance_init (sums, n, false, shift), ==, ESK_OK);
  for (int p = 0; p < SAMPLES; p++)
    {
      for (int i = 0; i < M; i++)
        {
          q[i] = z[i * SAMPLES + p];
          for (int j = 0; j <= i; j++)
            q[esk_monomial (M, i, j)] = z[i * SAMPLES + p] * z[j * SAMPLES + p];
        }
      for (size_t a = 0; a < n; a++)
        {
          sums->sum[a] += q[a] - shift[a];
          for (size_t b = 0; b <= a; b++)
            sums->product[a * n + b] += (q[a] - shift[a]) * (q[b] - shift[b]);
        }
    }
  sums->count = SAMPLES;
}

/* Of `rows` vectors at once: they are worked on in groups. */
static void
check_moments (const EskMomentTable *table, const double *z, int rows, const double *w)
{
  double product[M * M], derivative[M];
  EskIcaMoments moments[M];

  g_assert_cmpint (esk_moment_table_step (table, rows, w, product, derivative), ==, ESK_OK);
  g_assert_cmpint (esk_moment_table_moments (table, rows, w, moments), ==, ESK_OK);
  for (int r = 0; r < rows; r++)
    {
      double expected[M] = { 0 }, second = 0, third = 0, fourth = 0;

      for (int p = 0; p < SAMPLES; p++)
        {
          double y = 0;
          for (int i = 0; i < M; i++)
            y += w[r * M + i] * z[i * SAMPLES + p];
          for (int i = 0; i < M; i++)
            expected[i] += z[i * SAMPLES + p] * y * y * y / SAMPLES;
          second += y * y / SAMPLES;
          third += y * y * y / SAMPLES;
          fourth += y * y * y * y / SAMPLES;
        }
      for (int i = 0; i < M; i++)
        g_assert_cmpfloat (fabs (product[r * M + i] - expected[i]), <, 1e-10 * fourth);
      g_assert_cmpfloat (fabs (derivative[r] - 3 * second), <, 1e-11 * second);
      g_assert_cmpfloat (fabs (moments[r].second - second), <, 1e-11 * second);
      g_assert_cmpfloat (fabs (moments[r].third - third), <, 1e-11 * fourth);
      g_assert_cmpfloat (fabs (moments[r].fourth - fourth), <, 1e-11 * fourth);
      g_assert_cmpfloat (fabs (moments[r].contrast - fourth / 4), <, 1e-11 * fourth);
    }
}

static void
test_moments (void)
{
  g_autofree double *z = make_samples ();
  g_autofree char *portable = g_strdup (g_getenv ("ES_CPU_PORTABLE"));
  double shift[M + M * (M + 1) / 2] = { 0 }, w[M * M];
  EskCovariance sums;
  EskMomentTable table;

  for (int i = 0; i < M; i++)
    {
      shift[i] = 0.25;
      shift[esk_monomial (M, i, i)] = 1;
    }
  esk_fill_normal (4, M * M, w);
  sum_monomials (z, shift, &sums);
  g_assert_cmpint (esk_moment_table_init (&table, M + 1, &sums), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (esk_moment_table_init (&table, M, &sums), ==, ESK_OK);
  for (int rows = 1; rows <= M; rows++)
    {
      g_unsetenv ("ES_CPU_PORTABLE");
      check_moments (&table, z, rows, w);
      g_setenv ("ES_CPU_PORTABLE", "1", TRUE);
      check_moments (&table, z, rows, w);
    }
  g_unsetenv ("ES_CPU_PORTABLE");
  if (portable != NULL)
    g_setenv ("ES_CPU_PORTABLE", portable, TRUE);
  esk_moment_table_clear (&table);
  esk_covariance_clear (&sums);
}

static double
worst_product (size_t m, const double *w)
{
  double worst = 0;

  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++)
      {
        double sum = 0;
        for (size_t k = 0; k < m; k++)
          sum += w[i * m + k] * w[j * m + k];
        worst = fmax (worst, fabs (sum - (i == j)));
      }
  return worst;
}

static void
test_rows (void)
{
  static const size_t sizes[] = { 1, 2, 5, 27, 64 };

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      const size_t m = sizes[s];
      g_autofree double *w = g_new (double, m * m), *before = g_new (double, m * m);

      esk_fill_normal (s, m * m, w);
      /* Rows of very different lengths. */
      for (size_t k = 0; k < m; k++)
        for (size_t j = 0; j < m; j++)
          w[k * m + j] *= pow (10, -10.0 * k / m);
      memcpy (before, w, m * m * sizeof (double));
      g_assert_cmpint (esk_orthonormalise_rows (m, w), ==, ESK_OK);
      g_assert_cmpfloat (worst_product (m, w), <, 1e-12);

      /* Twice the same row: nothing to choose between. */
      if (m > 1)
        {
          memcpy (before + m, before, m * sizeof (double));
          memcpy (w, before, m * m * sizeof (double));
          g_assert_cmpint (esk_orthonormalise_rows (m, w), ==, ESK_ERROR_NO_CONVERGENCE);
          g_assert_cmpmem (w, m * m * sizeof (double), before, m * m * sizeof (double));
        }
    }
  double bad[4] = { NAN, 1, 0, 1 };
  g_assert_cmpint (esk_orthonormalise_rows (2, bad), !=, ESK_OK);
}

static void
test_vector (void)
{
  enum { N = 6 };
  double w[N * N];

  esk_fill_normal (8, N * N, w);
  for (size_t k = 0; k < N; k++)
    g_assert_cmpint (esk_orthonormalise_vector (N, k, w, w + k * N), ==, ESK_OK);
  g_assert_cmpfloat (worst_product (N, w), <, 1e-13);

  double inside[N], zero[N] = { 0 };
  memcpy (inside, w, sizeof inside);
  g_assert_cmpint (esk_orthonormalise_vector (N, 3, w, inside), ==, ESK_ERROR_NO_CONVERGENCE);
  g_assert_cmpmem (inside, sizeof inside, w, sizeof inside);
  g_assert_cmpint (esk_orthonormalise_vector (N, 3, w, zero), ==, ESK_ERROR_NO_CONVERGENCE);
}

static void
test_normal (void)
{
  enum { N = 200000 };
  g_autofree double *x = g_new (double, N);
  double mean = 0, square = 0, fourth = 0, tanh_sum = 0, gauss_sum = 0;
  const EskContrast slope = { ESK_CONTRAST_TANH, 1.5 }, gauss = { ESK_CONTRAST_GAUSS, 1 };
  const EskContrast cubic = { ESK_CONTRAST_CUBIC, 1 };

  esk_fill_normal (1, N, x);
  for (int i = 0; i < N; i++)
    {
      mean += x[i] / N;
      square += x[i] * x[i] / N;
      fourth += x[i] * x[i] * x[i] * x[i] / N;
      tanh_sum += log (cosh (1.5 * x[i])) / 1.5 / N;
      gauss_sum -= exp (-0.5 * x[i] * x[i]) / N;
    }
  g_assert_cmpfloat (fabs (mean), <, 0.01);
  g_assert_cmpfloat (fabs (square - 1), <, 0.01);
  g_assert_cmpfloat (fabs (fourth - 3), <, 0.1);
  g_assert_cmpfloat (fabs (esk_contrast_of_normal (&cubic) - fourth / 4), <, 0.02);
  g_assert_cmpfloat (fabs (esk_contrast_of_normal (&slope) - tanh_sum), <, 0.005);
  g_assert_cmpfloat (fabs (esk_contrast_of_normal (&gauss) - gauss_sum), <, 0.005);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ica-host/moments", test_moments);
  g_test_add_func ("/ica-host/rows", test_rows);
  g_test_add_func ("/ica-host/vector", test_vector);
  g_test_add_func ("/ica-host/normal", test_normal);
  return g_test_run ();
}
