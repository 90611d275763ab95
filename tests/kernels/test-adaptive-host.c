/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Adaptive beams for the host: weights and eigenvalues of a bin; Hermitian eigenproblems by LAPACK and by two-sided
 * Jacobi rotations, and the order these come in.
 */

#include "test-adaptive-scene.h"

#include <math.h>
#include <string.h>

/* ---- for the host ---- */

static void
test_weights (void)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  EskStream *stream = loops_stream_new (FASTEST);
  const double loadings[] = { 0.0, 0.01, 0.1 };

  for (size_t snapshots = 1; snapshots < 40; snapshots += 19)
    for (size_t l = 0; l < G_N_ELEMENTS (loadings); l++)
      for (int dead = 0; dead < 2; dead++)
        {
          const size_t n = 15;
          g_autoptr (Scenario) scenario = scenario_new (n, 7, 2, snapshots, 28);
          g_autofree float *columns = g_new (float, snapshots * 2 * n);
          g_autofree double *weights = g_new (double, snapshots), *matrix = g_new (double, 2 * n * n);
          int code = 1;
          EskAdaptive *adaptive = cpu->adaptive->adaptive_new (stream, &scenario->plan, &code);
          g_autofree Number *reference = NULL;
          Number expected[15];
          double a[30], w[30], values[20], others[20];
          size_t used;

          scenario_hear (scenario, snapshots, 0.1);
          if (dead > 0)
            scenario_kill (scenario, 4);
          g_assert_cmpint (cpu->adaptive->adaptive_add (stream, adaptive, &scenario->spectra, scenario->first_bin, 1.0,
                                                        1.0), ==,
                           ESK_OK);
          g_assert_cmpint (cpu->adaptive->adaptive_state (stream, adaptive, 1, columns, weights, matrix, &used), ==,
                           ESK_OK);
          reference = matrix_of (scenario, 1, 0, NULL);
          for (size_t f = 0; f < 7; f++)
            {
              const double frequency = scenario->plan.first_frequency + scenario->plan.bin_spacing;
              const double power = power_of (scenario, 1, f, reference, loadings[l], expected);

              esk_adaptive_steering (&scenario->plan, &scenario->foci[f], frequency, a);
              for (size_t k = 0; k < n; k++)
                {
                  g_assert_cmpfloat_with_epsilon (a[2 * k], (double) creall (steering_of (scenario, 1, f, k)), 1e-12);
                  g_assert_cmpfloat_with_epsilon (a[2 * k + 1], (double) cimagl (steering_of (scenario, 1, f, k)),
                                                  1e-12);
                }
              for (int kind = 0; kind < 2; kind++)
                {
                  const int done = esk_adaptive_weights (n, kind == 0 ? used : 0, kind == 0 ? columns : NULL,
                                                         kind == 0 ? weights : NULL, kind == 0 ? NULL : matrix,
                                                         loadings[l], a, w);

                  if (loadings[l] == 0.0 && snapshots < n - (dead > 0))
                    {
                      g_assert_cmpint (done, ==, ESK_ERROR_SINGULAR);
                      continue;
                    }
                  g_assert_cmpint (done, ==, ESK_OK);
                  g_assert_cmpfloat (power, >, 0.0);
                  for (size_t k = 0; k < n; k++)
                    {
                      g_assert_cmpfloat_with_epsilon (w[2 * k], (double) creall (expected[k]), 1e-9);
                      g_assert_cmpfloat_with_epsilon (w[2 * k + 1], (double) cimagl (expected[k]), 1e-9);
                    }
                  if (dead > 0)
                    g_assert_true (w[8] == 0.0 && w[9] == 0.0);
                }
            }
          g_assert_cmpint (esk_adaptive_eigenvalues (n, used, columns, weights, NULL, 20, values), ==, ESK_OK);
          g_assert_cmpint (esk_adaptive_eigenvalues (n, 0, NULL, NULL, matrix, 20, others), ==, ESK_OK);
          for (size_t k = 0; k < 20; k++)
            {
              g_assert_cmpfloat_with_epsilon (values[k], others[k], 1e-12 * values[0]);
              g_assert_true (k < MIN (snapshots, n - (dead > 0)) ? values[k] > 0.0 : values[k] == 0.0);
            }
          cpu->adaptive->adaptive_free (adaptive);
        }
  cpu->stream->stream_free (stream);
}

/* Silence has no weights, and eigenvalues of 0. */
static void
test_weights_bad (void)
{
  float columns[2 * 2 * 3] = { 0.0f };
  double weights[2] = { 0.5, 0.5 }, a[6] = { 1, 0, 1, 0, 1, 0 }, w[6], matrix[18] = { 0.0 };

  g_assert_cmpint (esk_adaptive_weights (3, 2, columns, weights, NULL, 0.1, a, w), ==, ESK_ERROR_SINGULAR);
  g_assert_cmpint (esk_adaptive_weights (3, 0, NULL, NULL, matrix, 0.1, a, w), ==, ESK_ERROR_SINGULAR);
  g_assert_cmpint (esk_adaptive_eigenvalues (3, 2, columns, weights, NULL, 3, w), ==, ESK_OK);
  g_assert_true (w[0] == 0.0 && w[1] == 0.0 && w[2] == 0.0);
  g_assert_cmpint (esk_adaptive_weights (0, 2, columns, weights, NULL, 0.1, a, w), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (esk_adaptive_weights (3, 0, columns, weights, NULL, 0.1, a, w), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (esk_adaptive_weights (3, 2, NULL, NULL, NULL, 0.1, a, w), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (esk_adaptive_weights (3, 2, columns, weights, NULL, -0.1, a, w), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (esk_adaptive_weights (3, 2, columns, weights, NULL, NAN, a, w), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (esk_adaptive_weights (SIZE_MAX / 3, 2, columns, weights, NULL, 1.0, a, w), ==, ESK_ERROR_ARGUMENT);
  columns[1] = NAN;
  g_assert_cmpint (esk_adaptive_weights (3, 2, columns, weights, NULL, 0.1, a, w), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (esk_adaptive_eigenvalues (3, 2, columns, weights, NULL, 0, w), ==, ESK_ERROR_ARGUMENT);
}

/* ---- eigenproblems ---- */

typedef enum
{
  MATRIX_FULL,                 /* of 2 n snapshots */
  MATRIX_FEW,                  /* of n / 3 */
  MATRIX_ONE,                  /* of one, loaded */
  MATRIX_IDENTITY,
  MATRIX_ZERO,
  MATRIX_DIAGONAL,
  MATRIX_NEGATIVE,
  N_MATRICES
} Kind;

static double *
make_matrix (size_t n,
             Kind   kind,
             double scale)
{
  GRand *random = g_rand_new_with_seed ((guint32) (n + 1000 * kind));
  g_autofree double *x = g_new (double, 2 * n);
  const size_t snapshots = kind == MATRIX_FULL || kind == MATRIX_NEGATIVE ? 2 * n
                           : kind == MATRIX_FEW ? n / 3 + 1 : kind == MATRIX_ONE ? 1 : 0;
  double *a = g_new0 (double, 2 * n * n);

  for (size_t s = 0; s < snapshots; s++)
    {
      for (size_t k = 0; k < 2 * n; k++)
        x[k] = g_rand_double_range (random, -1, 1);
      for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
          {
            a[2 * (i * n + j)] += x[2 * i] * x[2 * j] + x[2 * i + 1] * x[2 * j + 1];
            a[2 * (i * n + j) + 1] += x[2 * i + 1] * x[2 * j] - x[2 * i] * x[2 * j + 1];
          }
    }
  for (size_t i = 0; i < n; i++)
    a[2 * (i * n + i)] += kind == MATRIX_ONE ? 0.01 * (double) n : kind == MATRIX_IDENTITY ? 1.0
                          : kind == MATRIX_DIAGONAL ? (double) (i * 7 % n) - 2.0
                          : kind == MATRIX_NEGATIVE ? -3.0 * (double) n : 0.0;
  for (size_t k = 0; k < 2 * n * n; k++)
    a[k] *= scale;
  g_rand_free (random);

  return a;
}

static int
solve (gboolean      jacobi,
       size_t        n,
       const double *matrix,
       double       *values,
       double       *vectors)
{
  return jacobi ? esk_eigen_hermitian_jacobi (n, matrix, values, vectors, 60, NULL, NULL, NULL)
                : esk_eigen_hermitian_lapack (n, matrix, values, vectors);
}

/* Residual, order, unitarity. */
static void
test_decomposition (gconstpointer data)
{
  const size_t orders[] = { 1, 2, 3, 4, 5, 8, 15, 16, 17, 18, 33, 50, 96 };
  const double scales[] = { 1.0, 1e-150, 1e150 };

  for (size_t o = 0; o < G_N_ELEMENTS (orders); o++)
    for (guint kind = 0; kind < N_MATRICES; kind++)
      for (size_t s = 0; s < G_N_ELEMENTS (scales); s++)
        {
          const size_t n = orders[o];
          g_autofree double *matrix = NULL, *copy = NULL;
          double *values = test_guarded_new (n * sizeof (double)), largest = 0.0, worst = 0.0;
          double *vectors = test_guarded_new (2 * n * n * sizeof (double));

          if (n > 20 && s > 0)
            {
              test_guarded_free (values);
              test_guarded_free (vectors);
              continue;
            }
          matrix = make_matrix (n, kind, scales[s]);
          copy = g_memdup2 (matrix, 2 * n * n * sizeof (double));
          g_assert_cmpint (solve (GPOINTER_TO_INT (data), n, matrix, values, vectors), ==, ESK_OK);
          g_assert_cmpmem (matrix, 2 * n * n * sizeof (double), copy, 2 * n * n * sizeof (double));
          for (size_t k = 0; k < n; k++)
            {
              const double *v = vectors + 2 * k * n;

              if (k > 0)
                g_assert_cmpfloat (values[k], <=, values[k - 1]);
              for (size_t l = 0; l <= k; l++)
                {
                  const double *u = vectors + 2 * l * n;
                  double re = 0.0, im = 0.0;

                  for (size_t i = 0; i < n; i++)
                    {
                      re += u[2 * i] * v[2 * i] + u[2 * i + 1] * v[2 * i + 1];
                      im += u[2 * i] * v[2 * i + 1] - u[2 * i + 1] * v[2 * i];
                    }
                  g_assert_cmpfloat_with_epsilon (re, k == l ? 1.0 : 0.0, 1e-13);
                  g_assert_cmpfloat_with_epsilon (im, 0.0, 1e-13);
                }
              for (size_t i = 0; i < n; i++)
                {
                  double re = -values[k] * v[2 * i], im = -values[k] * v[2 * i + 1];

                  for (size_t j = 0; j < n; j++)
                    {
                      const double *a = matrix + 2 * (i * n + j);

                      re += a[0] * v[2 * j] - a[1] * v[2 * j + 1];
                      im += a[0] * v[2 * j + 1] + a[1] * v[2 * j];
                    }
                  worst = fmax (worst, hypot (re, im));
                }
              largest = fmax (largest, fabs (values[k]));
            }
          g_assert_cmpfloat (worst, <=, 1e-12 * largest);
          test_guarded_free (values);
          test_guarded_free (vectors);
        }
}

static void
test_agreement (void)
{
  const size_t orders[] = { 2, 31, 64, 120 };

  for (size_t o = 0; o < G_N_ELEMENTS (orders); o++)
    for (guint kind = 0; kind < N_MATRICES; kind++)
      {
        const size_t n = orders[o];
        g_autofree double *matrix = make_matrix (n, kind, 1.0);
        g_autofree double *values = g_new (double, n), *others = g_new (double, n), *alone = g_new (double, n);
        g_autofree double *vectors = g_new (double, 2 * n * n);
        unsigned sweeps = 99;
        uint64_t rotations = 0;
        double off = NAN;

        g_assert_cmpint (esk_eigen_hermitian_lapack (n, matrix, values, vectors), ==, ESK_OK);
        g_assert_cmpint (esk_eigen_hermitian_lapack (n, matrix, alone, NULL), ==, ESK_OK);
        g_assert_cmpint (esk_eigen_hermitian_jacobi (n, matrix, others, vectors, 60, &sweeps, &rotations, &off), ==,
                         ESK_OK);
        for (size_t k = 0; k < n; k++)
          {
            g_assert_cmpfloat_with_epsilon (values[k], others[k], 1e-12 * fabs (values[0]) + 1e-13);
            g_assert_cmpfloat_with_epsilon (values[k], alone[k], 1e-12 * fabs (values[0]) + 1e-13);
          }
        g_assert_cmpfloat (off, <=, 1e-13);
        if (kind == MATRIX_ONE)
          {
            /* Each rotation gathers one more element into the one eigenvector: n - 1, in one sweep. */
            g_assert_cmpuint (rotations, ==, n - 1);
            g_assert_cmpuint (sweeps, ==, 1);
          }
        else if (kind >= MATRIX_IDENTITY && kind <= MATRIX_DIAGONAL)
          {
            g_assert_cmpuint (rotations, ==, 0);
            g_assert_cmpuint (sweeps, ==, 0);
          }
        else if (n > 2)
          g_assert_true (sweeps >= 4 && sweeps <= 14);
      }
}

/* Every pair once in n - 1 steps, and no index twice in one. */
static void
test_round_robin (void)
{
  for (size_t n = 1; n < 40; n++)
    {
      g_autofree guint *met = g_new0 (guint, n * n);
      uint32_t *pairs = test_guarded_new ((n / 2 * 2) * sizeof *pairs);

      for (size_t step = 0; step + 1 < n + n % 2; step++)
        {
          g_autofree guint *seen = g_new0 (guint, n);

          g_assert_cmpuint (esk_round_robin (n, step, pairs), ==, n / 2);
          for (size_t k = 0; k < n / 2; k++)
            {
              g_assert_cmpuint (pairs[2 * k], <, pairs[2 * k + 1]);
              g_assert_cmpuint (pairs[2 * k + 1], <, n);
              g_assert_cmpuint (seen[pairs[2 * k]]++, ==, 0);
              g_assert_cmpuint (seen[pairs[2 * k + 1]]++, ==, 0);
              met[pairs[2 * k] * n + pairs[2 * k + 1]]++;
            }
        }
      for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
          g_assert_cmpuint (met[i * n + j], ==, 1);
      test_guarded_free (pairs);
    }

  /* The published example (sonar.md 7). */
  {
    static const uint32_t expected[5][6] = {
      { 0, 5, 1, 4, 2, 3 }, { 0, 4, 3, 5, 1, 2 }, { 0, 3, 2, 4, 1, 5 }, { 0, 2, 1, 3, 4, 5 }, { 0, 1, 2, 5, 3, 4 },
    };
    uint32_t pairs[6];

    for (size_t step = 0; step < 5; step++)
      {
        g_assert_cmpuint (esk_round_robin (6, step, pairs), ==, 3);
        g_assert_cmpmem (pairs, sizeof pairs, expected[step], sizeof pairs);
      }
  }
}

/* Half of the steps never get there. */
static void
test_no_convergence (void)
{
  const size_t n = 40;
  g_autofree double *matrix = make_matrix (n, MATRIX_FULL, 1.0);
  g_autofree double *values = g_new (double, n), *vectors = g_new (double, 2 * n * n);
  unsigned sweeps = 0;
  uint64_t rotations = 0;
  double off = 0.0, off_2 = 0.0;

  g_assert_cmpint (esk_eigen_hermitian_jacobi (n, matrix, values, vectors, 1, &sweeps, &rotations, &off), ==,
                   ESK_ERROR_NO_CONVERGENCE);
  g_assert_cmpuint (sweeps, ==, 1);
  g_assert_cmpuint (rotations, ==, n * (n - 1) / 2);
  g_assert_cmpfloat (off, >, 1e-3);
  g_assert_cmpint (esk_eigen_hermitian_jacobi (n, matrix, values, vectors, 3, &sweeps, NULL, &off_2), ==,
                   ESK_ERROR_NO_CONVERGENCE);
  g_assert_cmpfloat (off_2, <, off);
  g_assert_cmpfloat (off_2, >, 0.0);
  g_assert_cmpint (esk_eigen_hermitian_jacobi (n, matrix, values, vectors, 0, &sweeps, NULL, &off), ==,
                   ESK_ERROR_NO_CONVERGENCE);
}

static void
test_refusals (gconstpointer data)
{
  const gboolean jacobi = GPOINTER_TO_INT (data);
  const double bad[] = { NAN, INFINITY, -INFINITY };
  double values[3], vectors[18];

  for (size_t k = 0; k < G_N_ELEMENTS (bad); k++)
    for (size_t at = 0; at < 18; at++)
      {
        double matrix[18] = { 0.0 };

        matrix[at] = bad[k];
        g_assert_cmpint (solve (jacobi, 3, matrix, values, vectors), ==, ESK_ERROR_ARGUMENT);
      }
  g_assert_cmpint (solve (jacobi, 0, values, values, vectors), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (solve (jacobi, 3, NULL, values, vectors), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (solve (jacobi, 3, vectors, NULL, vectors), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (solve (jacobi, SIZE_MAX / 2, vectors, values, vectors), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (esk_eigen_hermitian_jacobi (3, vectors, values, NULL, 60, NULL, NULL, NULL), ==,
                   ESK_ERROR_ARGUMENT);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/adaptive-host/weights", test_weights);
  g_test_add_func ("/adaptive-host/weights-bad", test_weights_bad);
  g_test_add_data_func ("/adaptive-host/decomposition/lapack", GINT_TO_POINTER (FALSE), test_decomposition);
  g_test_add_data_func ("/adaptive-host/decomposition/jacobi", GINT_TO_POINTER (TRUE), test_decomposition);
  g_test_add_func ("/adaptive-host/agreement", test_agreement);
  g_test_add_func ("/adaptive-host/round-robin", test_round_robin);
  g_test_add_func ("/adaptive-host/no-convergence", test_no_convergence);
  g_test_add_data_func ("/adaptive-host/refusals/lapack", GINT_TO_POINTER (FALSE), test_refusals);
  g_test_add_data_func ("/adaptive-host/refusals/jacobi", GINT_TO_POINTER (TRUE), test_refusals);

  return g_test_run ();
}
