/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Both eigensolvers: residual, orthogonality, order, signs, degenerate and extreme matrices, refusals. */

#include <glib.h>

#include "es-eigen.h"
#include "es-hotspots.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef enum
{
  MATRIX_RANDOM,
  MATRIX_COVARIANCE,           /* eigenvalues over ten decades, like a scene's */
  MATRIX_IDENTITY,
  MATRIX_ZERO,
  MATRIX_RANK_ONE,
  MATRIX_PAIRS,                /* every eigenvalue twice */
  MATRIX_DIAGONAL,
  MATRIX_NEGATIVE,
  N_MATRICES
} Kind;

static double *
make_matrix (size_t n,
             Kind   kind,
             double scale)
{
  double *a = g_new0 (double, n * n);
  GRand *rand = g_rand_new_with_seed ((guint32) (n + 100 * kind));
  g_autofree double *x = g_new (double, n);

  switch (kind)
    {
    case MATRIX_RANDOM:
    case MATRIX_NEGATIVE:
      for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
          a[i * n + j] = a[j * n + i] = g_rand_double_range (rand, -1, 1) - (kind == MATRIX_NEGATIVE && i == j ? n : 0);
      break;
    case MATRIX_COVARIANCE:
      for (size_t k = 0; k < n; k++)
        {
          double weight = pow (10.0, 6.0 - 10.0 * (double) k / (double) n);

          for (size_t i = 0; i < n; i++)
            x[i] = g_rand_double_range (rand, -1, 1) + (k == 0 ? 2.0 : 0.0);
          for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
              a[i * n + j] += weight * x[i] * x[j];
        }
      break;
    case MATRIX_IDENTITY:
      for (size_t i = 0; i < n; i++)
        a[i * n + i] = 1.0;
      break;
    case MATRIX_RANK_ONE:
      for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
          a[i * n + j] = (double) ((i + 1) * (j + 1));
      break;
    case MATRIX_PAIRS:
      for (size_t i = 0; i + 1 < n; i += 2)
        {
          a[i * n + i] = a[(i + 1) * n + i + 1] = 3.0 + (double) (i / 4);
          a[i * n + i + 1] = a[(i + 1) * n + i] = 0.5;
        }
      break;
    case MATRIX_DIAGONAL:
      for (size_t i = 0; i < n; i++)
        a[i * n + i] = (double) ((i * 7) % n) - 2.0;
      break;
    default:
      break;
    }
  for (size_t k = 0; k < n * n; k++)
    a[k] *= scale;
  g_rand_free (rand);

  return a;
}

static int
solve (gboolean      jacobi,
       size_t        n,
       const double *matrix,
       double       *values,
       double       *vectors)
{
  if (jacobi)
    return esk_eigen_jacobi (n, matrix, NULL, values, vectors, 60, NULL, NULL);
  return esk_eigen_lapack (n, matrix, values, vectors);
}

static void
test_decomposition (gconstpointer data)
{
  const size_t orders[] = { 1, 2, 3, 7, 50, 224 };
  const double scales[] = { 1.0, 1e-150, 1e150 };

  for (size_t o = 0; o < G_N_ELEMENTS (orders); o++)
    for (guint kind = 0; kind < N_MATRICES; kind++)
      for (size_t s = 0; s < G_N_ELEMENTS (scales); s++)
        {
          size_t n = orders[o];
          g_autofree double *matrix = NULL, *copy = NULL;
          g_autofree double *values = g_new (double, n + 1), *vectors = g_new (double, n * n + 1);
          double worst = 0.0, largest = 0.0, trace = 0.0, total = 0.0;

          if (n > 50 && (s > 0 || (kind != MATRIX_COVARIANCE && kind != MATRIX_PAIRS)))
            continue;
          matrix = make_matrix (n, kind, scales[s]);
          copy = g_memdup2 (matrix, n * n * sizeof (double));
          values[n] = vectors[n * n] = 4711.0;

          g_assert_cmpint (solve (GPOINTER_TO_INT (data), n, matrix, values, vectors), ==, ESK_OK);
          g_assert_cmpmem (matrix, n * n * sizeof (double), copy, n * n * sizeof (double));
          g_assert_cmpfloat (values[n], ==, 4711.0);
          g_assert_cmpfloat (vectors[n * n], ==, 4711.0);

          for (size_t k = 0; k < n; k++)
            {
              size_t at = 0;

              if (k > 0)
                g_assert_cmpfloat (values[k], <=, values[k - 1]);
              for (size_t i = 0; i < n; i++)
                if (fabs (vectors[k * n + i]) > fabs (vectors[k * n + at]))
                  at = i;
              g_assert_cmpfloat (vectors[k * n + at], >, 0.0);
              for (size_t l = 0; l <= k; l++)
                {
                  double dot = 0.0;

                  for (size_t i = 0; i < n; i++)
                    dot += vectors[k * n + i] * vectors[l * n + i];
                  g_assert_cmpfloat_with_epsilon (dot, k == l ? 1.0 : 0.0, 1e-12);
                }
              /* The residual by other means than the library's. */
              for (size_t i = 0; i < n; i++)
                {
                  double r = -values[k] * vectors[k * n + i];

                  for (size_t j = 0; j < n; j++)
                    r += matrix[i * n + j] * vectors[k * n + j];
                  worst = fmax (worst, fabs (r));
                }
              largest = fmax (largest, fabs (values[k]));
              trace += matrix[k * n + k];
              total += values[k];
            }
          g_assert_cmpfloat (worst, <=, 1e-11 * largest);
          g_assert_cmpfloat (fabs (trace - total), <=, 1e-11 * largest * (double) n);
          if (largest > 0.0 && s == 0)
            g_assert_cmpfloat (esk_eigen_residual (n, matrix, values, vectors), <=, 1e-11);
        }
}

static void
test_agreement (void)
{
  const size_t orders[] = { 2, 31, 120 };

  for (size_t o = 0; o < G_N_ELEMENTS (orders); o++)
    for (guint kind = 0; kind <= MATRIX_COVARIANCE; kind++)
      {
        size_t n = orders[o];
        g_autofree double *matrix = make_matrix (n, kind, 1.0);
        g_autofree double *values = g_new (double, 2 * n), *vectors = g_new (double, 2 * n * n);
        unsigned sweeps = 0;
        double off = NAN;

        g_assert_cmpint (esk_eigen_lapack (n, matrix, values, vectors), ==, ESK_OK);
        g_assert_cmpint (esk_eigen_jacobi (n, matrix, NULL, values + n, vectors + n * n, 60, &sweeps, &off),
                         ==, ESK_OK);
        g_assert_cmpuint (sweeps, >, 0);
        g_assert_cmpuint (sweeps, <, 20);
        g_assert_cmpfloat (off, <=, 1e-12);
        for (size_t k = 0; k < n; k++)
          g_assert_cmpfloat_with_epsilon (values[k], values[n + k], 1e-11 * fabs (values[0]));
        /* Where the eigenvalue stands alone, and the largest component too, so do vector and sign. */
        for (size_t i = 0; kind == MATRIX_COVARIANCE && i < n; i++)
          g_assert_cmpfloat_with_epsilon (vectors[i], vectors[n * n + i], 1e-9);
      }
}

/* [[2, 1], [1, 2]]: both components are of one size; the first is to be positive. */
static void
test_signs (gconstpointer data)
{
  const double matrix[] = { 2, 1, 1, 2 }, negative[] = { 2, -1, -1, 2 };
  double values[2], vectors[4];
  const double half = sqrt (0.5);

  g_assert_cmpint (solve (GPOINTER_TO_INT (data), 2, matrix, values, vectors), ==, ESK_OK);
  g_assert_cmpfloat_with_epsilon (values[0], 3.0, 1e-15);
  g_assert_cmpfloat_with_epsilon (values[1], 1.0, 1e-15);
  for (size_t k = 0; k < 4; k++)
    g_assert_cmpfloat_with_epsilon (fabs (vectors[k]), half, 1e-15);
  g_assert_cmpfloat (vectors[0] * vectors[1], >, 0.0);
  g_assert_cmpfloat (vectors[0], >, 0.0);
  g_assert_cmpfloat (vectors[2] * vectors[3], <, 0.0);

  g_assert_cmpint (solve (GPOINTER_TO_INT (data), 2, negative, values, vectors), ==, ESK_OK);
  g_assert_cmpfloat (vectors[0] * vectors[1], <, 0.0);
  g_assert_cmpfloat (vectors[2], >, 0.0);
}

static void
test_refusals (gconstpointer data)
{
  gboolean jacobi = GPOINTER_TO_INT (data);
  const double bad[] = { NAN, INFINITY, -INFINITY };
  double values[3], vectors[9];

  for (size_t k = 0; k < G_N_ELEMENTS (bad); k++)
    for (size_t at = 0; at < 9; at++)
      {
        double matrix[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };

        matrix[at] = bad[k];
        g_assert_cmpint (solve (jacobi, 3, matrix, values, vectors), ==, ESK_ERROR_ARGUMENT);
      }
  g_assert_cmpint (solve (jacobi, 0, values, values, vectors), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (solve (jacobi, 3, NULL, values, vectors), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (solve (jacobi, 3, vectors, NULL, vectors), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (solve (jacobi, SIZE_MAX / 2, vectors, values, vectors), ==, ESK_ERROR_ARGUMENT);
}

static void
test_no_convergence (void)
{
  const size_t n = 40;
  g_autofree double *matrix = make_matrix (n, MATRIX_RANDOM, 1.0);
  g_autofree double *values = g_new (double, n), *vectors = g_new (double, n * n);
  unsigned sweeps = 0;
  double off = 0.0, off_2 = 0.0;

  g_assert_cmpint (esk_eigen_jacobi (n, matrix, NULL, values, vectors, 1, &sweeps, &off), ==, ESK_ERROR_NO_CONVERGENCE);
  g_assert_cmpuint (sweeps, ==, 1);
  g_assert_cmpfloat (off, >, 1e-12);
  g_assert_cmpfloat (off, <, 1.0);
  g_assert_cmpint (esk_eigen_jacobi (n, matrix, NULL, values, vectors, 3, &sweeps, &off_2),
                   ==, ESK_ERROR_NO_CONVERGENCE);
  g_assert_cmpuint (sweeps, ==, 3);
  g_assert_cmpfloat (off_2, <, off);
  g_assert_cmpint (esk_eigen_jacobi (n, matrix, NULL, values, vectors, 0, &sweeps, &off), ==, ESK_ERROR_NO_CONVERGENCE);

  /* A wrong decomposition has a residual that says so. */
  values[0] *= 1.5;
  g_assert_cmpfloat (esk_eigen_residual (n, matrix, values, vectors), >, 1e-3);
}

static gpointer
solve_again (gpointer data)
{
  const size_t n = 90;
  g_autofree double *matrix = make_matrix (n, MATRIX_COVARIANCE, 1.0);
  g_autofree double *vectors = g_new (double, n * n);

  for (guint repeat = 0; repeat < 10; repeat++)
    g_assert_cmpint (esk_eigen_lapack (n, matrix, data, vectors), ==, ESK_OK);

  return NULL;
}

static void
test_threads (void)
{
  double values[4][90];
  GThread *threads[4];

  for (size_t k = 0; k < 4; k++)
    threads[k] = g_thread_new ("eigen", solve_again, values[k]);
  for (size_t k = 0; k < 4; k++)
    g_thread_join (threads[k]);
  for (size_t k = 1; k < 4; k++)
    g_assert_cmpmem (values[k], sizeof values[k], values[0], sizeof values[0]);
}

int
main (int    argc,
      char **argv)
{
  static const struct
  {
    const char    *name;
    GTestDataFunc  run;
  } tests[] = {
    { "decomposition", test_decomposition },
    { "signs", test_signs },
    { "refusals", test_refusals },
  };

  g_test_init (&argc, &argv, NULL);
  for (size_t t = 0; t < G_N_ELEMENTS (tests); t++)
    for (int jacobi = 0; jacobi < 2; jacobi++)
      {
        g_autofree char *path = g_strdup_printf ("/eigen/%s/%s", jacobi ? "jacobi" : "lapack", tests[t].name);

        g_test_add_data_func (path, GINT_TO_POINTER (jacobi), tests[t].run);
      }
  g_test_add_func ("/eigen/agreement", test_agreement);
  g_test_add_func ("/eigen/no-convergence", test_no_convergence);
  g_test_add_func ("/eigen/threads", test_threads);

  return g_test_run ();
}
