/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The algebra of FastICA's steps against what it must come to, with every set of loops that this machine has: matrices
 * whose nearest orthonormal rows are known because they were made of them, and tables whose every moment is known.
 */

#include "es-ica-host.h"

#include <glib.h>
#include <math.h>
#include <string.h>

typedef long double Real;

/* What loops run is asked of the environment in every call. */
static void
with_every_loop (void (*check) (void))
{
  static const char *const names[] = { "ES_CPU_PORTABLE", "ES_CPU_AVX512" };
  static const char *const values[] = { "1", "0" };

  check ();
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *before = g_strdup (g_getenv (names[i]));

      g_setenv (names[i], values[i], TRUE);
      check ();
      if (before != NULL)
        g_setenv (names[i], before, TRUE);
      else
        g_unsetenv (names[i]);
    }
}

/* ---- orthonormal rows ---- */

/* Rows of chance, made orthonormal in more digits than float64 has. */
static Real *
make_orthonormal (uint64_t seed, size_t m)
{
  g_autofree double *start = g_new (double, m * m);
  Real *rows = g_new (Real, m * m);

  esk_fill_normal (seed, m * m, start);
  for (size_t i = 0; i < m; i++)
    {
      Real square = 0;

      for (size_t k = 0; k < m; k++)
        rows[i * m + k] = (Real) start[i * m + k];
      for (int pass = 0; pass < 2; pass++)
        for (size_t j = 0; j < i; j++)
          {
            Real along = 0;

            for (size_t k = 0; k < m; k++)
              along += rows[i * m + k] * rows[j * m + k];
            for (size_t k = 0; k < m; k++)
              rows[i * m + k] -= along * rows[j * m + k];
          }
      for (size_t k = 0; k < m; k++)
        square += rows[i * m + k] * rows[i * m + k];
      for (size_t k = 0; k < m; k++)
        rows[i * m + k] /= sqrtl (square);
    }
  return rows;
}

/* w = (v' lengths v) nearest: of all orthonormal rows `nearest` are nearest to w. */
static void
make_rows (size_t m, const Real *v, const Real *lengths, const Real *nearest, double *w)
{
  g_autofree Real *left = g_new (Real, m * m);

  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++)
      {
        Real sum = 0;

        for (size_t k = 0; k < m; k++)
          sum += v[k * m + i] * lengths[k] * v[k * m + j];
        left[i * m + j] = sum;
      }
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++)
      {
        Real sum = 0;

        for (size_t k = 0; k < m; k++)
          sum += left[i * m + k] * nearest[k * m + j];
        w[i * m + j] = (double) sum;
      }
}

static double
worst_product (size_t m, const double *w)
{
  Real worst = 0;

  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++)
      {
        Real sum = 0;

        for (size_t k = 0; k < m; k++)
          sum += (Real) w[i * m + k] * w[j * m + k];
        worst = fmaxl (worst, fabsl (sum - (i == j)));
      }
  return (double) worst;
}

/* What rounding w alone moves the nearest rows by is so many units in the last place for each of the condition. */
#define UNITS 4.0

static void
check_nearest (size_t m, const Real *v, const Real *nearest, double condition, double size)
{
  g_autofree double *w = g_new (double, m * m), *again = g_new (double, m * m);
  g_autofree Real *lengths = g_new (Real, m);
  double away = 0;

  for (size_t k = 0; k < m; k++)
    lengths[k] = size * powl (condition, m > 1 ? -(Real) k / (m - 1) : 0);
  make_rows (m, v, lengths, nearest, w);
  memcpy (again, w, m * m * sizeof (double));
  g_assert_cmpint (esk_orthonormalise_rows (m, w), ==, ESK_OK);
  g_assert_cmpfloat (worst_product (m, w), <, 1e-13);
  for (size_t i = 0; i < m * m; i++)
    away = fmax (away, fabs (w[i] - (double) nearest[i]));
  g_assert_cmpfloat (away, <, UNITS * 0x1p-52 * (m + condition));

  /* The same bytes for the same rows. */
  g_assert_cmpint (esk_orthonormalise_rows (m, again), ==, ESK_OK);
  g_assert_cmpmem (again, m * m * sizeof (double), w, m * m * sizeof (double));
}

static void
check_missing (size_t m, const Real *v, const Real *nearest, Real smallest)
{
  g_autofree double *w = g_new (double, m * m), *before = g_new (double, m * m);
  g_autofree Real *lengths = g_new (Real, m);

  for (size_t k = 0; k < m; k++)
    lengths[k] = k + 1 < m ? 1 + (Real) k / m : smallest;
  make_rows (m, v, lengths, nearest, w);
  memcpy (before, w, m * m * sizeof (double));
  g_assert_cmpint (esk_orthonormalise_rows (m, w), ==, ESK_ERROR_NO_CONVERGENCE);
  g_assert_cmpmem (w, m * m * sizeof (double), before, m * m * sizeof (double));
}

/* Sizes that fill vectors and that do not, and the last ones of either way. */
static const size_t sizes[] = { 1, 2, 3, 5, 7, 8, 9, 16, 27, 33, 64, 80, 81 };

static void
check_rows (void)
{
  static const double conditions[] = { 1, 3, 1e2, 1e4, 1e6, 3e7, 1e8, 1e10, 1e12 };

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      const size_t m = sizes[s];
      g_autofree Real *v = make_orthonormal (2 * s, m), *nearest = make_orthonormal (2 * s + 1, m);

      for (size_t c = 0; c < G_N_ELEMENTS (conditions) && (m > 1 || c == 0); c++)
        if (m < 64 || c % 2 == 0)
          check_nearest (m, v, nearest, conditions[c], 1);
      check_nearest (m, v, nearest, m > 1 ? 10 : 1, 1e-90);
      check_nearest (m, v, nearest, m > 1 ? 10 : 1, 1e90);
      if (m > 1)
        {
          check_missing (m, v, nearest, 0);
          check_missing (m, v, nearest, 1e-14L);
        }
    }
}

static void
check_refused (void)
{
  enum { M = 9 };
  static const double odd[] = { NAN, INFINITY, -INFINITY };
  double w[M * M], before[M * M];

  /* A row that is nothing, rows that are sums of others, and nothing but zeros: the elimination meets a pivot of 0. */
  for (int kind = 0; kind < 3; kind++)
    {
      esk_fill_normal (5, M * M, w);
      for (int k = 0; k < M; k++)
        if (kind == 0)
          w[4 * M + k] = 0;
        else if (kind == 1)
          w[7 * M + k] = w[2 * M + k] + w[3 * M + k];
        else
          memset (w, 0, sizeof w);
      memcpy (before, w, sizeof w);
      g_assert_cmpint (esk_orthonormalise_rows (M, w), ==, ESK_ERROR_NO_CONVERGENCE);
      g_assert_cmpmem (w, sizeof w, before, sizeof before);
    }
  for (size_t i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      esk_fill_normal (6, M * M, w);
      w[3 * M + 5] = odd[i];
      g_assert_cmpint (esk_orthonormalise_rows (M, w), ==, ESK_ERROR_NO_CONVERGENCE);
    }
  g_assert_cmpint (esk_orthonormalise_rows (0, w), ==, ESK_ERROR_ARGUMENT);
}

static void
test_rows (void)
{
  with_every_loop (check_rows);
}

static void
test_refused (void)
{
  with_every_loop (check_refused);
}

/* ---- moments ---- */

/* A moment of four variables, whatever the order in which they are told. n: how many of them are. */
static double
moment_of (int n, const size_t *indices)
{
  size_t sorted[4];
  uint64_t hash = (uint64_t) n;

  memcpy (sorted, indices, (size_t) n * sizeof *sorted);
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && sorted[k] < sorted[k - 1]; k--)
      {
        const size_t kept = sorted[k];

        sorted[k] = sorted[k - 1];
        sorted[k - 1] = kept;
      }
  for (int i = 0; i < n; i++)
    hash = (hash ^ sorted[i]) * 0x9e3779b97f4a7c15u + (hash >> 29);
  return (double) (hash >> 40) * 0x1p-24 - 0.4;
}

/* Sums whose means are those, with a shift. */
static void
fill_sums (size_t m, EskCovariance *sums)
{
  enum { COUNT = 1000 };
  const size_t n = esk_n_monomials (m);
  g_autofree size_t *of = g_new0 (size_t, 2 * n);
  g_autofree double *shift = g_new (double, n), *mean = g_new (double, n);

  for (size_t i = 0; i < m; i++)
    {
      of[2 * i] = i;
      for (size_t j = 0; j <= i; j++)
        {
          of[2 * esk_monomial (m, i, j)] = i;
          of[2 * esk_monomial (m, i, j) + 1] = j;
        }
    }
  for (size_t a = 0; a < n; a++)
    {
      shift[a] = 0.25 * (double) (a % 3);
      mean[a] = moment_of (a < m ? 1 : 2, of + 2 * a);
    }
  g_assert_cmpint (esk_covariance_init (sums, n, false, shift), ==, ESK_OK);
  for (size_t a = 0; a < n; a++)
    {
      sums->sum[a] = COUNT * (mean[a] - shift[a]);
      for (size_t b = 0; b <= a; b++)
        {
          size_t indices[4] = { of[2 * a], a < m ? of[2 * b] : of[2 * a + 1] };

          if (a >= m)
            indices[2] = of[2 * b];
          if (b >= m)
            indices[3] = of[2 * b + 1];
          sums->product[a * n + b] = COUNT * (moment_of ((a < m ? 1 : 2) + (b < m ? 1 : 2), indices)
                                              - shift[a] * mean[b] - shift[b] * mean[a] + shift[a] * shift[b]);
        }
    }
  sums->count = COUNT;
}

/* E z_i y^3 of all i, E y^2, E y^3 of y = w'z, term by term. */
static void
contract_plainly (size_t m, const double *w, Real *product, Real *second, Real *third)
{
  *second = *third = 0;
  for (size_t i = 0; i < m; i++)
    {
      product[i] = 0;
      for (size_t j = 0; j < m; j++)
        {
          *second += (Real) w[i] * w[j] * moment_of (2, (size_t[]) { i, j });
          for (size_t k = 0; k < m; k++)
            {
              *third += (Real) w[i] * w[j] * w[k] * moment_of (3, (size_t[]) { i, j, k });
              for (size_t l = 0; l < m; l++)
                product[i] += (Real) w[j] * w[k] * w[l] * moment_of (4, (size_t[]) { i, j, k, l });
            }
        }
    }
}

static void
check_table (void)
{
  static const size_t orders[] = { 1, 2, 3, 4, 9, 18, 27 };

  for (size_t s = 0; s < G_N_ELEMENTS (orders); s++)
    {
      /* All rows, and fewer; of which two are looked at. */
      const size_t m = orders[s], some[] = { 1, m > 1 ? 2 : 1, m > 2 ? m - 1 : 1, m };
      g_autofree double *w = g_new (double, m * m), *product = g_new (double, m * m), *derivative = g_new (double, m);
      g_autofree EskIcaMoments *moments = g_new (EskIcaMoments, m);
      g_autofree Real *expected = g_new (Real, 2 * m);
      Real second[2], third[2];
      const size_t looked[2] = { 0, m - 1 };
      EskCovariance sums;
      EskMomentTable table;

      esk_fill_normal (s, m * m, w);
      fill_sums (m, &sums);
      g_assert_cmpint (esk_moment_table_init (&table, m, &sums), ==, ESK_OK);
      for (int i = 0; i < 2; i++)
        contract_plainly (m, w + looked[i] * m, expected + (size_t) i * m, &second[i], &third[i]);
      for (size_t r = 0; r < G_N_ELEMENTS (some); r++)
        {
          g_assert_cmpint (esk_moment_table_step (&table, some[r], w, product, derivative), ==, ESK_OK);
          g_assert_cmpint (esk_moment_table_moments (&table, some[r], w, moments), ==, ESK_OK);
          for (int i = 0; i < 2 && looked[i] < some[r]; i++)
            {
              const size_t row = looked[i];
              Real fourth = 0, largest = 0;

              for (size_t k = 0; k < m; k++)
                {
                  fourth += w[row * m + k] * expected[(size_t) i * m + k];
                  largest = fmaxl (largest, fabsl (expected[(size_t) i * m + k]));
                }
              for (size_t k = 0; k < m; k++)
                g_assert_cmpfloat (fabs (product[row * m + k] - (double) expected[(size_t) i * m + k]), <,
                                   1e-12 * (double) (largest + m));
              g_assert_cmpfloat (fabs (derivative[row] - 3 * (double) second[i]), <, 1e-12 * m * m);
              g_assert_cmpfloat (fabs (moments[row].second - (double) second[i]), <, 1e-12 * m * m);
              g_assert_cmpfloat (fabs (moments[row].third - (double) third[i]), <, 1e-12 * m * m * m);
              g_assert_cmpfloat (fabs (moments[row].fourth - (double) fourth), <, 1e-12 * (double) (largest + m) * m);
              g_assert_cmpfloat (moments[row].contrast, ==, moments[row].fourth / 4);
            }
        }
      esk_moment_table_clear (&table);
      esk_covariance_clear (&sums);
    }
}

static void
test_table (void)
{
  with_every_loop (check_table);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ica-algebra/rows", test_rows);
  g_test_add_func ("/ica-algebra/refused", test_refused);
  g_test_add_func ("/ica-algebra/table", test_table);
  return g_test_run ();
}
