/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Every solver with every preconditioner against dense algebra. */

#include "es-test-system.h"

#include <math.h>
#include <string.h>

static EsDevice *
find_device (gconstpointer data)
{
  EsDevice *device = es_device_find (data, NULL);

  g_assert_nonnull (device);
  return device;
}

static EsSolution *
solve (EsDevice *device, const EsTestSystem *system, const EsSolverSettings *settings)
{
  g_autoptr (GError) error = NULL;
  EsSolution *solution = es_solve (device, &system->csr, system->b, settings, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (solution);
  g_assert_nonnull (solution->verdict);
  g_assert_cmpuint (solution->history->len, >, 0);
  return solution;
}

/* What it claims is true, and x is the solution to within that and the condition. */
static void
expect_solved (const EsTestSystem *system, const EsSolverSettings *settings, const EsSolution *solution,
               double condition)
{
  const EsSolverPoint *last = &g_array_index (solution->history, EsSolverPoint, solution->history->len - 1);
  const double residual = es_solver_true_residual (&system->csr, system->b, solution->x);

  if (solution->end != ES_SOLVER_CONVERGED)
    g_test_message ("%s: %s", es_solver_method_name (settings->method), solution->verdict);
  g_assert_cmpint (solution->end, ==, ES_SOLVER_CONVERGED);
  g_assert_cmpfloat (residual, <=, settings->tolerance);
  g_assert_cmpfloat (solution->residual, ==, residual);
  g_assert_cmpfloat (es_test_system_error (system, solution->x), <=, condition * settings->tolerance);
  /* Every step has a point; of cards a batch may go on. */
  g_assert_cmpuint (last->iteration, ==, solution->iterations);
  for (guint k = 1; k < solution->history->len; k++)
    g_assert_cmpuint (g_array_index (solution->history, EsSolverPoint, k).iteration, >,
                      g_array_index (solution->history, EsSolverPoint, k - 1).iteration);
}

/* ---- what converges ---- */

static void
test_definite (gconstpointer data)
{
  EsDevice *device = find_device (data);
  g_autoptr (EsTestSystem) system = es_test_system_laplacian (14, 11, 0);

  for (guint m = 0; m < ES_N_SOLVERS; m++)
    for (guint p = 0; p < ES_N_PRECONDITIONERS; p++)
      {
        EsSolverSettings settings = es_test_settings (m, p);
        g_autoptr (EsSolution) solution = solve (device, system, &settings);

        g_test_message ("%s, preconditioner %u: %u iterations", es_solver_method_name (m), p, solution->iterations);
        expect_solved (system, &settings, solution, 100);
        g_assert_cmpuint (solution->ilu_sweeps > 0, ==,
                          !es_device_is_cpu (device) && p == ES_PRECONDITIONER_ILU && m != ES_SOLVER_JACOBI);
      }
}

static void
test_unsymmetric (gconstpointer data)
{
  EsDevice *device = find_device (data);
  g_autoptr (EsTestSystem) system = es_test_system_wind (13, 12, 0.8);
  const EsSolverMethod methods[] = { ES_SOLVER_BICGSTAB, ES_SOLVER_GMRES, ES_SOLVER_JACOBI };

  for (guint m = 0; m < G_N_ELEMENTS (methods); m++)
    for (guint p = 0; p < ES_N_PRECONDITIONERS; p++)
      {
        EsSolverSettings settings = es_test_settings (methods[m], p);
        g_autoptr (EsSolution) solution = solve (device, system, &settings);

        expect_solved (system, &settings, solution, 100);
      }
}

/* Symmetric, with eigenvalues on both sides of 0. */
static void
test_indefinite (gconstpointer data)
{
  EsDevice *device = find_device (data);
  g_autoptr (EsTestSystem) system = es_test_system_laplacian (9, 7, 1.3);
  EsSolverSettings settings = es_test_settings (ES_SOLVER_GMRES, ES_PRECONDITIONER_NONE);
  g_autoptr (EsSolution) gmres = NULL, gradients = NULL, jacobi = NULL;

  settings.restart = 60;
  gmres = solve (device, system, &settings);
  expect_solved (system, &settings, gmres, 1000);

  settings = es_test_settings (ES_SOLVER_CG, ES_PRECONDITIONER_NONE);
  gradients = solve (device, system, &settings);
  g_assert_cmpint (gradients->end, ==, ES_SOLVER_NOT_POSITIVE);
  g_assert_nonnull (strstr (gradients->verdict, "not positive definite"));

  settings = es_test_settings (ES_SOLVER_JACOBI, ES_PRECONDITIONER_NONE);
  jacobi = solve (device, system, &settings);
  g_assert_cmpint (jacobi->end, ==, ES_SOLVER_DIVERGED);
  g_assert_nonnull (strstr (jacobi->verdict, "spectral radius"));
}

/* Restarted GMRES as published, by each way of making the basis orthogonal: as many steps, the same residuals. */
static void
test_gmres (gconstpointer data)
{
  EsDevice *device = find_device (data);
  g_autoptr (EsTestSystem) system = es_test_system_wind (11, 10, 0.3);
  const guint restarts[] = { 1, 5, 30, 110, 400 };

  for (guint r = 0; r < G_N_ELEMENTS (restarts); r++)
    {
      EsSolverSettings settings = es_test_settings (ES_SOLVER_GMRES, ES_PRECONDITIONER_NONE);
      g_autoptr (EsSolution) modified = NULL, classical = NULL;

      settings.restart = restarts[r];
      settings.iterations = 20000;
      modified = solve (device, system, &settings);
      expect_solved (system, &settings, modified, 100);
      g_assert_cmpuint (modified->cycles, ==, (modified->iterations + MIN (restarts[r], system->n) - 1)
                                              / MIN (restarts[r], system->n));
      settings.orthogonal = ES_ORTHOGONAL_CLASSICAL;
      classical = solve (device, system, &settings);
      expect_solved (system, &settings, classical, 100);
      g_assert_cmpuint (ABS ((int) classical->iterations - (int) modified->iterations), <=, 1);
      for (guint k = 0; k < MIN (classical->history->len, modified->history->len); k++)
        {
          const double a = g_array_index (classical->history, EsSolverPoint, k).residual,
                       b = g_array_index (modified->history, EsSolverPoint, k).residual;
          g_assert_cmpfloat (fabs (a - b), <=, 1e-6 * b + 1e-13);
        }
    }
}

/* In float32, with the published inner product as well: to what float32 allows. */
static void
test_single (gconstpointer data)
{
  EsDevice *device = find_device (data);
  g_autoptr (EsTestSystem) system = es_test_system_laplacian (12, 10, -0.5);

  for (guint m = 0; m < ES_N_SOLVERS; m++)
    for (guint p = 0; p < ES_N_PRECONDITIONERS; p++)
      {
        EsSolverSettings settings = es_test_settings (m, p);
        g_autoptr (EsSolution) solution = NULL, exact = NULL;

        settings.type = ESK_F32;
        settings.tolerance = 1e-5;
        if (m == ES_SOLVER_GMRES && p % 2 == 0)
          settings.orthogonal = ES_ORTHOGONAL_PUBLISHED;
        solution = solve (device, system, &settings);
        expect_solved (system, &settings, solution, 100);

        /* More than float32 can: no solver claims it. */
        settings.tolerance = 1e-12;
        exact = solve (device, system, &settings);
        g_assert_cmpint (exact->end, !=, ES_SOLVER_CONVERGED);
        g_assert_cmpfloat (exact->residual, >, 1e-12);
        g_assert_cmpfloat (exact->residual, <, 1e-5);
      }
}

/* Sizes at which nothing is usual. */
static void
test_small (gconstpointer data)
{
  EsDevice *device = find_device (data);

  for (gsize n = 1; n <= 3; n++)
    for (guint m = 0; m < ES_N_SOLVERS; m++)
      for (guint p = 0; p < ES_N_PRECONDITIONERS; p++)
        {
          double *dense = g_new0 (double, n * n);
          g_autoptr (EsTestSystem) system = NULL;
          g_autoptr (EsSolution) solution = NULL;
          EsSolverSettings settings = es_test_settings (m, p);

          for (gsize i = 0; i < n; i++)
            dense[i * n + i] = 2.5 + 3 * (double) i;
          system = es_test_system_new (n, dense, NULL);
          solution = solve (device, system, &settings);
          expect_solved (system, &settings, solution, 10);
          /* A card is asked for a batch at once. */
          g_assert_cmpuint (solution->iterations, <=, es_device_is_cpu (device) ? n + 1 : 16);
        }
}

/* b = 0 is solved by 0 at once. */
static void
test_nothing (gconstpointer data)
{
  EsDevice *device = find_device (data);
  g_autoptr (EsTestSystem) system = es_test_system_laplacian (4, 4, 0);

  memset (system->b, 0, system->n * sizeof (double));
  for (guint m = 0; m < ES_N_SOLVERS; m++)
    {
      EsSolverSettings settings = es_test_settings (m, ES_PRECONDITIONER_NONE);
      g_autoptr (EsSolution) solution = solve (device, system, &settings);

      g_assert_cmpint (solution->end, ==, ES_SOLVER_CONVERGED);
      g_assert_cmpuint (solution->iterations, ==, 0);
      for (gsize i = 0; i < system->n; i++)
        g_assert_cmpfloat (solution->x[i], ==, 0);
    }
}

/* ---- what does not ---- */

/* A Laplacian without a border has the constants in its kernel, and ones are no right-hand side for it. */
static void
test_singular (gconstpointer data)
{
  EsDevice *device = find_device (data);
  const gsize n = 40;
  double *dense = g_new0 (double, n * n);
  g_autoptr (EsTestSystem) system = NULL;

  for (gsize i = 0; i + 1 < n; i++)
    {
      dense[i * n + i] += 1;
      dense[(i + 1) * n + i + 1] += 1;
      dense[i * n + i + 1] -= 1;
      dense[(i + 1) * n + i] -= 1;
    }
  system = es_test_system_new (n, dense, NULL);
  for (guint m = 0; m < ES_N_SOLVERS; m++)
    {
      EsSolverSettings settings = es_test_settings (m, ES_PRECONDITIONER_NONE);
      g_autoptr (EsSolution) solution = solve (device, system, &settings);

      g_test_message ("%s: %s", es_solver_method_name (m), solution->verdict);
      g_assert_cmpint (solution->end, !=, ES_SOLVER_CONVERGED);
      g_assert_cmpfloat (es_solver_true_residual (&system->csr, system->b, solution->x), >, 0.1);
    }
}

static void
test_limit (gconstpointer data)
{
  EsDevice *device = find_device (data);
  g_autoptr (EsTestSystem) system = es_test_system_laplacian (15, 15, 0);

  for (guint m = 0; m < ES_N_SOLVERS; m++)
    {
      EsSolverSettings settings = es_test_settings (m, ES_PRECONDITIONER_NONE);
      g_autoptr (EsSolution) solution = NULL;

      settings.iterations = 7;
      solution = solve (device, system, &settings);
      g_assert_cmpint (solution->end, ==, ES_SOLVER_LIMIT);
      g_assert_cmpuint (solution->iterations, ==, 7);
      g_assert_nonnull (strstr (solution->verdict, "Not converged"));
      g_assert_nonnull (strstr (solution->verdict, "times the tolerance"));
    }
}

/* ---- how ---- */

/* Right-hand sides of any magnitude are solved alike, to the bit in float64; what the solution has no numbers for is
 * not said to have converged. */
static void
test_magnitudes (void)
{
  static const int exponents[] = { -900, -500, 500, 1015 };
  g_autoptr (EsTestSystem) system = es_test_system_laplacian (12, 11, 0);
  g_autofree double *b = g_new (double, system->n);

  for (guint method = 0; method < ES_N_SOLVERS; method++)
    for (guint single = 0; single < 2; single++)
      {
        EsSolverSettings settings = es_test_settings (method, ES_PRECONDITIONER_NONE);
        g_autoptr (EsSolution) plain = NULL;

        settings.type = single ? ESK_F32 : ESK_F64;
        settings.tolerance = single ? 1e-4 : 1e-10;
        plain = es_solve (es_device_get_cpu (), &system->csr, system->b, &settings, NULL, NULL);
        g_assert_cmpint (plain->end, ==, ES_SOLVER_CONVERGED);
        for (guint e = 0; e < G_N_ELEMENTS (exponents); e++)
          {
            g_autoptr (EsSolution) solution = NULL;

            for (gsize i = 0; i < system->n; i++)
              b[i] = ldexp (system->b[i], exponents[e]);
            solution = es_solve (es_device_get_cpu (), &system->csr, b, &settings, NULL, NULL);
            g_assert_cmpint (solution->end, ==, ES_SOLVER_CONVERGED);
            g_assert_cmpfloat (solution->residual, <=, settings.tolerance);
            g_assert_cmpuint (solution->iterations, ==, plain->iterations);
            for (gsize i = 0; i < system->n; i++)
              g_assert_cmpfloat (solution->x[i], ==, ldexp (plain->x[i], exponents[e]));
          }
      }

  const gint32 row_from[] = { 0, 1, 2 }, column[] = { 0, 1 };
  const double little[] = { 1e-200, 1e-200 }, much[] = { 1e200, 1e200 };
  const EskCsr matrix = { 2, 2, ESK_F64, row_from, column, little };
  const EsSolverSettings settings = es_test_settings (ES_SOLVER_GMRES, ES_PRECONDITIONER_NONE);
  g_autoptr (EsSolution) beyond = es_solve (es_device_get_cpu (), &matrix, much, &settings, NULL, NULL);

  g_assert_cmpint (beyond->end, !=, ES_SOLVER_CONVERGED);
}

/* The same bytes for any number of threads, and in every format the same solution. */
static void
test_threads (void)
{
  g_autoptr (EsTestSystem) system = es_test_system_wind (40, 30, 0.4);

  for (guint m = ES_SOLVER_BICGSTAB; m < ES_N_SOLVERS; m++)
    for (guint p = 0; p < ES_N_PRECONDITIONERS; p++)
      {
        EsSolverSettings settings = es_test_settings (m, p);
        g_autoptr (EsSolution) one = NULL;

        for (guint threads = 1; threads <= 4; threads++)
          {
            g_autoptr (EsSolution) solution = NULL;

            settings.threads = threads;
            solution = solve (es_device_get_cpu (), system, &settings);
            if (one == NULL)
              one = g_steal_pointer (&solution);
            else
              g_assert_cmpmem (one->x, one->n * sizeof (double), solution->x, solution->n * sizeof (double));
          }
      }
}

static void
test_formats (void)
{
  g_autoptr (EsTestSystem) system = es_test_system_laplacian (20, 17, 0);

  for (guint format = 0; format < ESK_SPARSE_LIBRARY; format++)
    for (guint m = 0; m < ES_N_SOLVERS; m++)
      {
        EsSolverSettings settings = es_test_settings (m, ES_PRECONDITIONER_NONE);
        g_autoptr (EsSolution) solution = NULL;

        settings.format = format;
        solution = solve (es_device_get_cpu (), system, &settings);
        expect_solved (system, &settings, solution, 300);
        g_assert_cmpfloat (solution->iteration_bytes, >, 0);
        g_assert_cmpfloat (solution->flops, >, 0);
      }
}

/* sparse.md, table 3.1, by hand: n = 10, k = 3, m = 2. */
static void
test_flops (void)
{
  g_assert_cmpfloat (es_solver_gmres_flops (10, 3, 2), ==, 2 * 30 * 3 + 2 * 10 * 6 + 2 * 2 * 10 + 60 + 16);
}

static void
add (const char *name, GTestDataFunc function)
{
  g_autofree char *here = g_strconcat ("/solvers/", name, NULL), *there = g_strconcat ("/solvers/card/", name, NULL);

  g_test_add_data_func (here, "cpu", function);
  g_test_add_data_func (there, "cuda:0", function);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add ("definite", test_definite);
  add ("unsymmetric", test_unsymmetric);
  add ("indefinite", test_indefinite);
  add ("gmres", test_gmres);
  add ("single", test_single);
  add ("small", test_small);
  add ("nothing", test_nothing);
  add ("singular", test_singular);
  add ("limit", test_limit);
  g_test_add_func ("/solvers/threads", test_threads);
  g_test_add_func ("/solvers/magnitudes", test_magnitudes);
  g_test_add_func ("/solvers/formats", test_formats);
  g_test_add_func ("/solvers/flops", test_flops);
  return g_test_run ();
}
