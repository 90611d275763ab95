/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Multigrid: a cycle that is symmetric, iterations that do not grow with the size of a problem, and matrices that have
 * no grids. */

#include "es-test-clock.h"
#include "es-test-sparse.h"
#include "es-test-system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/es-error.h"
#include "solvers/es-grids-private.h"
#include "solvers/es-solver-private.h"

static EsSolverSettings
settings_of (EsSolverMethod method)
{
  EsSolverSettings settings = es_test_settings (method, ES_PRECONDITIONER_MULTIGRID);

  settings.strength = ES_SOLVER_STRENGTH;
  settings.tolerance = 1e-8;
  settings.iterations = 1000;
  return settings;
}

static EsSolution *
solve (EsDevice *device, const EsTestSparse *system, const EsSolverSettings *settings)
{
  g_autoptr (GError) error = NULL;
  EsSolution *solution = es_solve (device, &system->csr, system->b, settings, NULL, &error);

  g_assert_no_error (error);
  return solution;
}

static void
expect_converged (const EsTestSparse *system, const EsSolution *solution, guint most)
{
  if (solution->end != ES_SOLVER_CONVERGED)
    g_test_message ("%s", solution->verdict);
  g_test_message ("%zu rows: %u iterations, %u levels, complexity %.3f", system->n, solution->iterations,
                  solution->levels->len, solution->complexity);
  g_assert_cmpint (solution->end, ==, ES_SOLVER_CONVERGED);
  g_assert_cmpfloat (es_solver_true_residual (&system->csr, system->b, solution->x), <=, 1e-8);
  g_assert_cmpuint (solution->iterations, <=, most);
  g_assert_cmpfloat (solution->complexity, >=, 1);
  g_assert_cmpfloat (solution->complexity, <=, ES_GRIDS_MOST_COMPLEXITY);
}

/* ---- the cycle ---- */

/* As es_solve () has it before the first iteration. */
static void
begin_run (EsSolverRun *run, EsDevice *device, const EsTestSparse *system, const EsSolverSettings *settings)
{
  g_autoptr (GError) error = NULL;

  *run = (EsSolverRun) { .device = device, .hotspots = es_device_get_hotspots (device), .matrix = &system->csr,
                         .given_b = system->b, .settings = settings, .n = system->n, .type = settings->type,
                         .solution = g_new0 (EsSolution, 1) };
  run->vectors = run->hotspots->vectors;
  run->solution->notes = g_ptr_array_new_with_free_func (g_free);
  run->stream = es_device_take_stream (device);
  g_assert_true (es_solver_prepare (run, run->matrix, &run->product, &run->cost, &error));
  g_assert_no_error (error);
  es_precondition_new (run, &error);
  g_assert_no_error (error);
  es_solver_allocate (run, 2, 1, &error);
  g_assert_no_error (error);
}

static void
end_run (EsSolverRun *run)
{
  es_precondition_free (run);
  run->hotspots->sparse->product_free (run->stream, run->product);
  es_buffer_unref (run->memory);
  es_buffer_unref (run->slot_memory);
  g_free (run->here);
  es_device_give_stream (run->device, run->stream);
  es_solution_free (run->solution);
}

static double *
apply (EsSolverRun *run, const double *r)
{
  g_autoptr (GError) error = NULL;
  double *z = g_new (double, run->n);

  es_solver_put (run, es_solver_vector (run, 0), r, &error);
  g_assert_true (es_precondition_apply (run, es_solver_vector (run, 0), es_solver_vector (run, 1), NULL, &error));
  g_assert_no_error (error);
  g_assert_true (es_solver_get (run, z, es_solver_vector (run, 1), &error));
  return z;
}

static double
dot (gsize n, const double *x, const double *y)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

/* x . M y = y . M x and x . M x > 0, for any number of smoothing steps. */
static void
test_symmetric (gconstpointer data)
{
  EsDevice *device = es_device_find (data, NULL);
  const EsTestCoupling couplings[] = { es_test_even, es_test_stretched, es_test_jumping };

  for (guint c = 0; c < G_N_ELEMENTS (couplings); c++)
    for (guint steps = 1; steps <= ES_SOLVER_MOST_SMOOTHING; steps++)
      {
        g_autoptr (EsTestSparse) system = es_test_sparse_grid (50, 41, 1, FALSE, TRUE, couplings[c]);
        EsSolverSettings settings = settings_of (ES_SOLVER_CG);
        g_autoptr (GRand) rand = g_rand_new_with_seed (3 + steps);
        g_autofree double *x = g_new (double, system->n), *y = g_new (double, system->n), *mx = NULL, *my = NULL;
        EsSolverRun run;

        settings.smoothing = steps;
        for (gsize i = 0; i < system->n; i++)
          {
            x[i] = g_rand_double_range (rand, -1, 1);
            y[i] = g_rand_double_range (rand, -1, 1);
          }
        begin_run (&run, device, system, &settings);
        g_assert_cmpuint (run.solution->levels->len, >=, 3);
        mx = apply (&run, x);
        my = apply (&run, y);
        g_assert_cmpfloat (fabs (dot (run.n, x, my) - dot (run.n, y, mx)), <=,
                           1e-11 * sqrt (dot (run.n, x, x) * dot (run.n, my, my)));
        g_assert_cmpfloat (dot (run.n, x, mx), >, 0);
        g_assert_cmpfloat (dot (run.n, y, my), >, 0);
        end_run (&run);
      }
}

/* ---- iterations ---- */

/* Hardly more of them for a hundred times as many rows. */
static void
test_plane (void)
{
  const gsize sizes[] = { 100, 300, 1000 };
  guint least = G_MAXUINT, most = 0;

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      g_autoptr (EsTestSparse) system = es_test_sparse_grid (sizes[s], sizes[s], 1, FALSE, TRUE, es_test_even);
      EsSolverSettings settings = settings_of (ES_SOLVER_CG);
      g_autoptr (EsSolution) solution = solve (es_device_get_cpu (), system, &settings);

      expect_converged (system, solution, 14);
      g_assert_cmpfloat (solution->complexity, <, 1.5);
      least = MIN (least, solution->iterations);
      most = MAX (most, solution->iterations);
    }
  g_assert_cmpuint (most - least, <=, 3);
}

static void
test_space (void)
{
  const gsize sizes[] = { 20, 40, 70 };
  guint least = G_MAXUINT, most = 0;

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint all = 0; all < 2; all++)
      {
        g_autoptr (EsTestSparse) system = es_test_sparse_grid (sizes[s], sizes[s], sizes[s] / (all + 1), all, TRUE,
                                                               es_test_even);
        EsSolverSettings settings = settings_of (ES_SOLVER_CG);
        g_autoptr (EsSolution) solution = solve (es_device_get_cpu (), system, &settings);

        expect_converged (system, solution, 14);
        least = MIN (least, solution->iterations);
        most = MAX (most, solution->iterations);
      }
  g_assert_cmpuint (most - least, <=, 6);
}

/* Couplings that are not the same everywhere. */
static void
test_uneven (void)
{
  const EsTestCoupling couplings[] = { es_test_stretched, es_test_jumping };

  for (guint c = 0; c < G_N_ELEMENTS (couplings); c++)
    {
      g_autoptr (EsTestSparse) small = es_test_sparse_grid (100, 100, 1, FALSE, TRUE, couplings[c]),
                         large = es_test_sparse_grid (400, 400, 1, FALSE, TRUE, couplings[c]);
      EsSolverSettings settings = settings_of (ES_SOLVER_CG);
      g_autoptr (EsSolution) one = solve (es_device_get_cpu (), small, &settings),
                             other = solve (es_device_get_cpu (), large, &settings);

      expect_converged (small, one, 14);
      expect_converged (large, other, 14);
    }
}

static void
test_solvers (gconstpointer data)
{
  EsDevice *device = es_device_find (data, NULL);
  const EsSolverMethod methods[] = { ES_SOLVER_CG, ES_SOLVER_BICGSTAB, ES_SOLVER_GMRES };
  g_autoptr (EsTestSparse) system = es_test_sparse_grid (60, 60, 1, FALSE, TRUE, es_test_jumping),
                           plain = es_test_sparse_grid (60, 60, 1, FALSE, TRUE, es_test_even);

  for (guint m = 0; m < G_N_ELEMENTS (methods); m++)
    for (guint single = 0; single < 2; single++)
      {
        EsSolverSettings settings = settings_of (methods[m]);
        g_autoptr (EsSolution) solution = NULL, other = NULL;

        settings.tolerance = single ? 1e-4 : 1e-8;
        settings.type = single ? ESK_F32 : ESK_F64;
        solution = solve (device, single ? plain : system, &settings);
        other = solve (device, plain, &settings);
        g_test_message ("%s, %s: %u iterations, %s; %u iterations, %s", es_solver_method_name (methods[m]),
                        single ? "float32" : "float64", solution->iterations, solution->verdict, other->iterations,
                        other->verdict);
        g_assert_cmpint (solution->end, ==, ES_SOLVER_CONVERGED);
        g_assert_cmpint (other->end, ==, ES_SOLVER_CONVERGED);
        g_assert_cmpuint (solution->iterations, <=, 16);
        g_assert_cmpuint (other->iterations, <=, 16);
        g_assert_cmpfloat (solution->iteration_bytes, >, 0);
        g_assert_cmpfloat (solution->precondition_ms, >, 0);
      }
}

/* A wind along the rows, against which differences are taken. */
static void
test_wind (void)
{
  const double winds[] = { 0.1, 1, 10 };

  for (guint w = 0; w < G_N_ELEMENTS (winds); w++)
    {
      g_autoptr (EsTestSparse) system = es_test_sparse_grid (120, 120, 1, FALSE, TRUE, es_test_even);
      EsSolverSettings settings = settings_of (ES_SOLVER_GMRES);
      g_autoptr (EsSolution) with = NULL, without = NULL;
      gboolean told = FALSE;

      for (gsize i = 0; i < system->n; i++)
        for (gint32 k = system->row_from[i]; k < system->row_from[i + 1]; k++)
          if ((gsize) system->column[k] == i)
            system->value[k] += winds[w];
          else if ((gsize) system->column[k] + 1 == i)
            system->value[k] -= winds[w];
      with = solve (es_device_get_cpu (), system, &settings);
      expect_converged (system, with, 60);
      for (guint i = 0; i < with->notes->len; i++)
        told = told || strstr (g_ptr_array_index (with->notes, i), "not symmetric") != NULL;
      g_assert_true (told);
      settings.preconditioner = ES_PRECONDITIONER_NONE;
      without = solve (es_device_get_cpu (), system, &settings);
      g_test_message ("wind %g: %u iterations, without multigrid %u", winds[w], with->iterations, without->iterations);
      g_assert_cmpuint (with->iterations, <, without->iterations);
    }
}

/* ---- matrices that have no grids, or some of their rows ---- */

static void
test_diagonal (gconstpointer data)
{
  EsDevice *device = es_device_find (data, NULL);
  const gsize sizes[] = { 1, 2, 100, 3000 };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      g_autoptr (EsTestSparse) system = es_test_sparse_new (sizes[s], sizes[s]);
      EsSolverSettings settings = settings_of (ES_SOLVER_CG);
      g_autoptr (EsSolution) solution = NULL;

      for (gsize i = 0; i < system->n; i++)
        es_test_sparse_put (system, i, i, pow (10, (double) (i % 13) - 6));
      solution = solve (device, system, &settings);
      expect_converged (system, solution, 2);
      g_assert_cmpuint (solution->levels->len, ==, 1);
    }
}

/* Two grids that know nothing of each other, and rows that know nobody. */
static void
test_pieces (void)
{
  g_autoptr (EsTestSparse) piece = es_test_sparse_grid (40, 30, 1, FALSE, TRUE, es_test_even),
                           system = es_test_sparse_new (3000, 20000);
  EsSolverSettings settings = settings_of (ES_SOLVER_CG);
  g_autoptr (EsSolution) solution = NULL;

  for (gsize i = 0; i < system->n; i++)
    if (i < 2 * piece->n)
      for (gint32 k = piece->row_from[i % piece->n]; k < piece->row_from[i % piece->n + 1]; k++)
        es_test_sparse_put (system, i, (gsize) piece->column[k] + i / piece->n * piece->n,
             piece->value[k] * (i < piece->n ? 1 : 1e6));
    else
      es_test_sparse_put (system, i, i, 1e-3);
  solution = solve (es_device_get_cpu (), system, &settings);
  expect_converged (system, solution, 14);
}

/* Nothing is given at the border: constants are made nothing of, of each piece its own. What adds up to 0 is solved. */
static void
test_singular (void)
{
  g_autoptr (EsTestSparse) system = es_test_sparse_grid (90, 70, 1, FALSE, FALSE, es_test_even);
  EsSolverSettings settings = settings_of (ES_SOLVER_CG);
  g_autoptr (EsSolution) solution = NULL;
  double mean = 0;

  for (gsize i = 0; i < system->n; i++)
    mean += system->b[i] / (double) system->n;
  for (gsize i = 0; i < system->n; i++)
    system->b[i] -= mean;
  solution = solve (es_device_get_cpu (), system, &settings);
  expect_converged (system, solution, 16);
}

static gboolean
has_note (const EsSolution *solution, const char *part)
{
  for (guint i = 0; i < solution->notes->len; i++)
    if (strstr (g_ptr_array_index (solution->notes, i), part) != NULL)
      return TRUE;
  return FALSE;
}

/* No two rows are coupled most to each other, and less does not count: nothing can be put together. */
static void
test_stuck (void)
{
  g_autoptr (EsTestSparse) system = es_test_sparse_new (2000, 6000);
  EsSolverSettings settings = settings_of (ES_SOLVER_CG);
  g_autoptr (EsSolution) solution = NULL;

  settings.strength = 1;
  for (gsize i = 0; i < system->n; i++)
    {
      const double before = 1 + 1e-3 * (double) i, after = 1 + 1e-3 * (double) (i + 1);

      if (i > 0)
        es_test_sparse_put (system, i, i - 1, -before);
      es_test_sparse_put (system, i, i, 1.1 * (before + after));
      if (i + 1 < system->n)
        es_test_sparse_put (system, i, i + 1, -after);
    }
  solution = solve (es_device_get_cpu (), system, &settings);
  expect_converged (system, solution, 100);
  g_assert_cmpuint (solution->levels->len, ==, 1);
  g_assert_true (has_note (solution, "Coarsening ended at 2000 rows"));
}

/* Everybody knows a few at random: coarser matrices would fill up, and must not. */
static void
test_filling (void)
{
  const gsize n = 4000;
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autofree guint8 *dense = g_new0 (guint8, n * n);
  g_autoptr (EsTestSparse) system = es_test_sparse_new (n, n * 60);
  EsSolverSettings settings = settings_of (ES_SOLVER_CG);
  g_autoptr (EsSolution) solution = NULL;

  for (gsize k = 0; k < 8 * n; k++)
    {
      const gsize i = (gsize) g_rand_int_range (rand, 0, (gint32) n),
                  j = (gsize) g_rand_int_range (rand, 0, (gint32) n);

      if (i != j)
        dense[i * n + j] = dense[j * n + i] = 1;
    }
  for (gsize i = 0; i < n; i++)
    {
      double sum = 0.01;
      gsize at = 0;

      for (gsize j = 0; j < n; j++)
        sum += dense[i * n + j];
      for (gsize j = 0; j < n; j++)
        if (i == j)
          {
            at = system->n_nonzeros;
            es_test_sparse_put (system, i, i, sum);
          }
        else if (dense[i * n + j])
          es_test_sparse_put (system, i, j, -1);
      g_assert_cmpfloat (system->value[at], ==, sum);
    }
  solution = solve (es_device_get_cpu (), system, &settings);
  expect_converged (system, solution, 60);
}

/* ---- refusals ---- */

static void
expect_refused (const EsTestSparse *system, EsSolverMethod method, const char *part)
{
  const EsSolverSettings settings = settings_of (method);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsSolution) solution = es_solve (es_device_get_cpu (), &system->csr, system->b, &settings, NULL, &error);

  g_assert_null (solution);
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC);
  if (strstr (error->message, part) == NULL)
    g_test_message ("“%s” is not in “%s”", part, error->message);
  g_assert_nonnull (strstr (error->message, part));
}

static gint32
diagonal_of (const EsTestSparse *system, gsize row)
{
  return (gint32) es_csr_find_diagonal (&system->csr, row);
}

static void
test_refusals (void)
{
  g_autoptr (EsTestSparse) system = es_test_sparse_grid (30, 30, 1, FALSE, TRUE, es_test_even);
  const gint32 at = diagonal_of (system, 17);

  system->value[at] = -4;
  expect_refused (system, ES_SOLVER_GMRES, "row 18 is -4");
  system->value[at] = 0;
  expect_refused (system, ES_SOLVER_BICGSTAB, "row 18 is 0: take no");
  system->value[at] = 1e-320;
  expect_refused (system, ES_SOLVER_CG, "row 18 is");
  system->value[at] = 4;
  system->value[at + 1] = 1e40;
  expect_refused (system, ES_SOLVER_GMRES, "too much beside the diagonal");
  system->value[at + 1] = -0.5;
  expect_refused (system, ES_SOLVER_CG, "row 18, column 19 is not what row 19, column 18 is");
  system->value[at + 1] = NAN;
  expect_refused (system, ES_SOLVER_CG, "Row 18 has nan");
  system->value[at + 1] = -1;

  /* Symmetric, with a positive diagonal and eigenvalues on both sides of 0: seen on a coarser grid. */
  for (gsize i = 0; i < system->n; i++)
    system->value[diagonal_of (system, i)] -= 1;
  expect_refused (system, ES_SOLVER_CG, "positive definite");
  expect_refused (system, ES_SOLVER_GMRES, "positive definite");
}

/* ---- cancelling ---- */

typedef struct
{
  GCancellable *cancellable;
  gint64        after;         /* us */
  EsTestClock   at;
} Soon;

static gpointer
cancel_soon (gpointer data)
{
  Soon *soon = data;

  g_usleep ((gulong) soon->after);
  soon->at = es_test_clock_read ();
  g_cancellable_cancel (soon->cancellable);
  return NULL;
}

/* While grids are made, early and late, alone and by threads: whatever it is that is done then. */
static void
test_cancel (void)
{
  g_autoptr (EsTestSparse) system = es_test_sparse_grid (110, 110, 110, FALSE, TRUE, es_test_even);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  const EsSolverSettings settings = settings_of (ES_SOLVER_CG);
  const EsSolverCalls calls = { .cancellable = cancellable };
  guint n_cancelled = 0;

  for (guint round = 0; round < 16; round++)
    {
      Soon soon = { cancellable, 10000 + 30000 * (round / 2), { 0, 0 } };
      g_autoptr (GError) error = NULL;
      g_autoptr (EsGrids) grids = NULL;
      g_autoptr (EsSolution) solution = NULL;
      EsGridTeam team = { NULL, cancellable, FALSE };
      g_autoptr (GThread) thread = NULL;
      double late;

      g_cancellable_reset (cancellable);
      thread = g_thread_new ("cancel", cancel_soon, &soon);
      if (round % 2 == 0)
        grids = es_grids_new (&system->csr, 0.1, TRUE, &team, &error);
      else
        solution = es_solve (es_device_get_cpu (), &system->csr, system->b, &settings, &calls, &error);
      g_thread_join (g_steal_pointer (&thread));
      late = es_test_clock_since (soon.at);
      g_test_message ("after %.2f s: %.3f s later", 1e-6 * (double) soon.after, late);
      /* It may have been done before. */
      if (grids != NULL || solution != NULL)
        continue;
      n_cancelled++;
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      /* 0.3 s are promised; four times as much for a slower machine. */
      g_assert_cmpfloat (late, <, 1.3);
    }
  g_assert_cmpuint (n_cancelled, >=, 4);
}

/* ---- memory ---- */

#if !defined (__SANITIZE_ADDRESS__) && !defined (__SANITIZE_THREAD__)
/* Of less and less address space: an error that says so, or grids; in a process of its own. */
static void
test_memory (void)
{
  g_autoptr (EsTestSparse) system = NULL;
  guint n_refused = 0, n_made = 0;

  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
      g_test_trap_assert_passed ();
      return;
    }
  system = es_test_sparse_grid (60, 60, 60, FALSE, TRUE, es_test_even);
  for (gsize more = 0; more < 130; more += 2)
    {
      EsGridTeam team = { 0 };
      g_autoptr (GError) error = NULL;
      g_autoptr (EsGrids) grids = NULL;
      g_autofree char *status = NULL;
      unsigned long pages;
      struct rlimit limit;

      g_assert_true (g_file_get_contents ("/proc/self/statm", &status, NULL, NULL));
      pages = strtoul (status, NULL, 10);
      getrlimit (RLIMIT_AS, &limit);
      limit.rlim_cur = pages * (rlim_t) sysconf (_SC_PAGESIZE) + (more << 20);
      g_assert_cmpint (setrlimit (RLIMIT_AS, &limit), ==, 0);
      grids = es_grids_new (&system->csr, 0.25, TRUE, &team, &error);
      limit.rlim_cur = limit.rlim_max;
      g_assert_cmpint (setrlimit (RLIMIT_AS, &limit), ==, 0);
      if (grids == NULL)
        g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
      n_refused += grids == NULL;
      n_made += grids != NULL;
    }
  g_assert_cmpuint (n_refused, >=, 5);
  g_assert_cmpuint (n_made, >=, 5);
}
#endif

static void
add (const char *name, GTestDataFunc function)
{
  g_autofree char *here = g_strconcat ("/multigrid/", name, NULL), *there = g_strconcat ("/multigrid/card/", name,
                                                                                        NULL);

  g_test_add_data_func (here, "cpu", function);
  g_test_add_data_func (there, "cuda:0", function);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add ("symmetric", test_symmetric);
  g_test_add_func ("/multigrid/plane", test_plane);
  g_test_add_func ("/multigrid/space", test_space);
  g_test_add_func ("/multigrid/uneven", test_uneven);
  add ("solvers", test_solvers);
  g_test_add_func ("/multigrid/wind", test_wind);
  add ("diagonal", test_diagonal);
  g_test_add_func ("/multigrid/pieces", test_pieces);
  g_test_add_func ("/multigrid/singular", test_singular);
  g_test_add_func ("/multigrid/stuck", test_stuck);
  g_test_add_func ("/multigrid/filling", test_filling);
  g_test_add_func ("/multigrid/refusals", test_refusals);
  g_test_add_func ("/multigrid/cancel", test_cancel);
#if !defined (__SANITIZE_ADDRESS__) && !defined (__SANITIZE_THREAD__)
  g_test_add_func ("/multigrid/memory", test_memory);
#endif
  return g_test_run ();
}
