/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How many iterations a plan counts on, beside how many there are; and what it says where nobody knows. */

#include <math.h>
#include <string.h>

#include "device/es-device.h"
#include "job/es-device-choose.h"
#include "job/es-job.h"
#include "matrix/es-sparse-matrix.h"
#include "operations/es-operations.h"
#include "result/es-result.h"
#include "solvers/es-solver-internal.h"

/* Between what is taken and what is foreseen, at most. */
#define FACTOR 2.0

static EsDataset *
make (const char *text)
{
  g_autoptr (GError) error = NULL;
  EsDataset *dataset = es_sparse_matrix_make (text, NULL, &error);

  g_assert_no_error (error);
  return dataset;
}

static EsParams *
parse (const char *words)
{
  EsParams *params = es_params_new (es_operation_find ("sparse-solve", NULL)->params);
  g_auto (GStrv) all = g_strsplit (words, " ", -1);

  for (guint i = 0; all[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (all[i], "=", 2);
      g_autoptr (GError) error = NULL;

      if (*all[i] == '\0')
        continue;
      es_params_parse (params, pair[0], pair[1], &error);
      g_assert_no_error (error);
    }
  return params;
}

static EsPlan
plan_of (EsDataset *dataset, const char *words)
{
  g_autoptr (EsParams) params = parse (words);
  const EsLimits limits = { 0 };

  return es_operation_find ("sparse-solve", NULL)->plan (dataset, params, es_device_get_cpu (), &limits);
}

static double
forecast (EsDataset *dataset, EsSolverMethod method, EsPreconditionerKind preconditioner, double tolerance,
          guint iterations, gboolean *is_known)
{
  EsSparseMatrix *matrix = ES_SPARSE_MATRIX (dataset);
  const EskCsr csr = { es_sparse_matrix_get_n_rows (matrix), es_sparse_matrix_get_n_columns (matrix), ESK_F64,
                       es_sparse_matrix_get_row_from (matrix), es_sparse_matrix_get_columns (matrix),
                       es_sparse_matrix_get_values (matrix) };
  const EsSolverSettings settings = { .method = method, .preconditioner = preconditioner, .tolerance = tolerance,
                                      .iterations = iterations, .type = ESK_F64 };

  return es_solver_forecast (&csr, &settings, is_known);
}

/* Poisson's equation, by every solver: as many as are foreseen, within a factor. */
static void
test_taken (void)
{
  const struct { const char *matrix; EsSolverMethod method; EsPreconditionerKind preconditioner; double tolerance; }
  cases[] = {
    { "poisson2d:100x100", ES_SOLVER_CG, ES_PRECONDITIONER_NONE, 1e-8 },
    { "poisson2d:100x100", ES_SOLVER_CG, ES_PRECONDITIONER_NONE, 1e-3 },
    { "poisson2d:300x300", ES_SOLVER_CG, ES_PRECONDITIONER_NONE, 1e-8 },
    { "poisson2d:300x300", ES_SOLVER_CG, ES_PRECONDITIONER_DIAGONAL, 1e-8 },
    { "poisson2d:300x300", ES_SOLVER_CG, ES_PRECONDITIONER_ILU, 1e-8 },
    { "poisson2d:300x300", ES_SOLVER_CG, ES_PRECONDITIONER_BLOCKS, 1e-8 },
    { "poisson2d:300x300", ES_SOLVER_CG, ES_PRECONDITIONER_MULTIGRID, 1e-8 },
    { "poisson2d:300x300", ES_SOLVER_BICGSTAB, ES_PRECONDITIONER_NONE, 1e-8 },
    { "poisson2d:300x300", ES_SOLVER_BICGSTAB, ES_PRECONDITIONER_MULTIGRID, 1e-8 },
    { "poisson2d:100x100", ES_SOLVER_GMRES, ES_PRECONDITIONER_NONE, 1e-8 },
    { "poisson2d:100x100", ES_SOLVER_GMRES, ES_PRECONDITIONER_ILU, 1e-8 },
    { "poisson2d:20x20", ES_SOLVER_GMRES, ES_PRECONDITIONER_NONE, 1e-8 },
    { "poisson2d:30x30", ES_SOLVER_JACOBI, ES_PRECONDITIONER_NONE, 1e-8 },
    { "poisson2d:100x100:9", ES_SOLVER_CG, ES_PRECONDITIONER_NONE, 1e-8 },
    { "poisson2d:1000x10", ES_SOLVER_CG, ES_PRECONDITIONER_NONE, 1e-8 },
    { "poisson2d:10x1000", ES_SOLVER_CG, ES_PRECONDITIONER_NONE, 1e-8 },
    { "poisson3d:30x30x30", ES_SOLVER_CG, ES_PRECONDITIONER_NONE, 1e-8 },
    { "poisson3d:60x60x60", ES_SOLVER_CG, ES_PRECONDITIONER_NONE, 1e-8 },
    { "poisson3d:200x20x20", ES_SOLVER_CG, ES_PRECONDITIONER_NONE, 1e-8 },
    { "poisson3d:30x30x30", ES_SOLVER_GMRES, ES_PRECONDITIONER_NONE, 1e-8 },
    { "poisson3d:30x30x30:27", ES_SOLVER_CG, ES_PRECONDITIONER_NONE, 1e-8 },
  };
  const char *preconditioners[] = { "none", "diagonal", "blocks", "ilu", "multigrid" };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EsDataset) dataset = make (cases[i].matrix);
      g_autofree char *words = g_strdup_printf ("solver=%s preconditioner=%s tolerance=%g iterations=50000",
                                                es_solver_method_name (cases[i].method),
                                                preconditioners[cases[i].preconditioner], cases[i].tolerance);
      g_autoptr (EsParams) params = parse (words);
      g_autoptr (EsJob) job = es_job_new (es_operation_find ("sparse-solve", NULL), dataset, params,
                                          es_device_get_cpu (), NULL, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) result = es_job_run (job, &error);
      gboolean is_known;
      double expected, taken;

      g_assert_no_error (error);
      g_assert_true (json_object_get_boolean_member (es_result_get_values (result), "converged"));
      taken = (double) json_object_get_int_member (es_result_get_values (result), "iterations");
      expected = forecast (dataset, cases[i].method, cases[i].preconditioner, cases[i].tolerance, 50000, &is_known);
      g_test_message ("%s %s: %.0f taken, %.0f foreseen", cases[i].matrix, words, taken, expected);
      g_assert_true (is_known);
      g_assert_cmpfloat (expected, >, taken / FACTOR);
      g_assert_cmpfloat (expected, <, taken * FACTOR);
    }
}

/* A million rows of it took 1853. */
static void
test_grows (void)
{
  g_autoptr (EsDataset) small = make ("poisson2d:100x100"), large = make ("poisson2d:1000x1000");
  gboolean is_known;
  const double of_small = forecast (small, ES_SOLVER_CG, ES_PRECONDITIONER_NONE, 1e-8, 50000, &is_known),
               of_large = forecast (large, ES_SOLVER_CG, ES_PRECONDITIONER_NONE, 1e-8, 50000, &is_known);
  const EsPlan one = plan_of (small, ""), other = plan_of (large, "");

  g_assert_true (is_known);
  g_assert_cmpfloat (of_large, >, 1853 / FACTOR);
  g_assert_cmpfloat (of_large, <, 1853 * FACTOR);
  g_assert_cmpfloat (fabs (of_large / of_small - 10), <, 1);
  /* By ten times as many iterations of a hundred times as many rows; conjugate gradients, though nobody said so. */
  g_assert_cmpfloat (other.seconds / one.seconds, >, 800);
  g_assert_cmpfloat (other.seconds / one.seconds, <, 1100);
  g_assert_cmpuint (one.guessed, ==, 0);
  g_assert_cmpuint (other.guessed, ==, 0);
  /* Each digit takes as long as every other; Jacobi's iteration takes far more, up to the limit. */
  g_assert_cmpfloat (forecast (small, ES_SOLVER_CG, ES_PRECONDITIONER_NONE, 1e-4, 50000, &is_known), <, of_small * 0.8);
  g_assert_cmpfloat (forecast (small, ES_SOLVER_JACOBI, ES_PRECONDITIONER_NONE, 1e-8, 50000, &is_known), >, 30000);
  g_assert_cmpfloat (forecast (small, ES_SOLVER_JACOBI, ES_PRECONDITIONER_NONE, 1e-8, 777, &is_known), ==, 777);
}

static void
test_nobody_knows (void)
{
  const char *matrices[] = { "random:n=1000,mean=20,deviation=10,seed=1", "random:n=5000,mean=6,symmetric=1,dominant=1",
                             "banded:n=1000,lower=2,upper=3", "power:n=3000,exponent=2.5,seed=1", "example:4x4",
                             "random:rows=30,columns=40,mean=3,deviation=1,seed=2" };

  for (guint i = 0; i < G_N_ELEMENTS (matrices); i++)
    {
      g_autoptr (EsDataset) dataset = make (matrices[i]);
      const EsPlan plan = plan_of (dataset, ""), grids = plan_of (dataset, "preconditioner=multigrid"),
                   limited = plan_of (dataset, "iterations=100");
      const gsize n = es_sparse_matrix_get_n_rows (ES_SPARSE_MATRIX (dataset));
      g_autofree char *text = es_plan_hedge (&plan, "11 s"), *sure = es_plan_hedge (&limited, "4 s");
      g_autofree char *hedged = g_strdup_printf ("11 s if %zu iterations do", MIN (n, 300));

      g_assert_cmpuint (plan.guessed, ==, MIN (n, 300));
      g_assert_cmpuint (grids.guessed, ==, MIN (n, 15));
      g_assert_cmpuint (plan_of (dataset, "solver=jacobi").guessed, ==, 300);
      g_assert_cmpstr (text, ==, hedged);
      /* It takes no more than it may. */
      if (n > 100)
        {
          g_assert_cmpuint (limited.guessed, ==, 0);
          g_assert_cmpstr (sure, ==, "4 s");
          g_assert_cmpfloat (limited.seconds, <, plan.seconds);
        }
    }

  /* Where a device is chosen by it, that is said, too. */
  g_autoptr (EsDataset) dataset = make (matrices[0]), grid = make ("poisson2d:20x20");
  g_autoptr (EsParams) params = parse ("");
  const EsLimits limits = { 0 };
  g_autofree char *reason = NULL, *other = NULL;

  es_device_choose (es_operation_find ("sparse-solve", NULL), dataset, params, &limits, &reason);
  es_device_choose (es_operation_find ("sparse-solve", NULL), grid, params, &limits, &other);
  g_test_message ("%s; %s", reason, other);
  g_assert_nonnull (strstr (reason, "ms if 300 iterations do, "));
  g_assert_null (strstr (other, "iterations"));
}

/* A row of a grid without its diagonal: no grid any more, and which number it takes nobody knows. */
static void
test_no_diagonal (void)
{
  for (guint missing = 0; missing < 2; missing++)
    {
      g_autoptr (EsDataset) grid = make ("poisson2d:50x1");
      EsSparseMatrix *from = ES_SPARSE_MATRIX (grid);
      const gsize n = es_sparse_matrix_get_n_rows (from), n_nonzeros = es_sparse_matrix_get_n_nonzeros (from);
      gint32 *row_from = g_memdup2 (es_sparse_matrix_get_row_from (from), (n + 1) * sizeof (gint32)),
             *columns = g_memdup2 (es_sparse_matrix_get_columns (from), n_nonzeros * sizeof (gint32));
      double *values = g_memdup2 (es_sparse_matrix_get_values (from), n_nonzeros * sizeof (double));
      g_autoptr (GError) error = NULL;

      for (gint32 k = row_from[19]; k < row_from[20] && missing > 0; k++)
        if (columns[k] == 19)
          values[k] = 0;
      g_autoptr (EsDataset) dataset = ES_DATASET (es_sparse_matrix_new ("chain", n, n, row_from, columns, values,
                                                                        ES_SYMMETRY_GENERAL, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (plan_of (dataset, "").guessed, ==, missing > 0 ? n : 0);
    }
}

/* What takes more than it may counts on the limit, and says so; and reads the matrix once, however often it multiplies
 * with it. */
static void
test_limit (void)
{
  g_autoptr (EsDataset) dataset = make ("poisson2d:100x100");
  const guint64 n_nonzeros = es_sparse_matrix_get_n_nonzeros (ES_SPARSE_MATRIX (dataset));
  const EsPlan enough = plan_of (dataset, "solver=jacobi tolerance=1e-8 iterations=100000"),
               limited = plan_of (dataset, "solver=jacobi tolerance=1e-8 iterations=10000");
  g_autofree char *text = es_plan_hedge (&limited, "6.4 s");

  g_assert_cmpuint (enough.guessed, ==, 0);
  g_assert_cmpuint (limited.guessed, ==, 10000);
  g_assert_cmpstr (text, ==, "6.4 s if 10000 iterations do");
  g_assert_cmpfloat (limited.seconds, <, enough.seconds);
  g_assert_cmpuint (limited.read_bytes, ==, 12 * n_nonzeros + 4 * 10001);
  g_assert_cmpuint (enough.read_bytes, ==, limited.read_bytes);
}

/* Grids of every size, of which small ones could be taken for something else: none is foreseen without an end. */
static void
test_small (void)
{
  for (guint x = 1; x <= 6; x++)
    for (guint y = 1; y <= 6; y++)
      for (guint z = 0; z <= 3; z++)
        for (guint many = 0; many < 2; many++)
          {
            g_autofree char *name = z == 0 ? g_strdup_printf ("poisson2d:%ux%u:%u", x, y, many ? 9 : 5)
                                           : g_strdup_printf ("poisson3d:%ux%ux%u:%u", x, y, z, many ? 27 : 7);
            g_autoptr (EsDataset) dataset = make (name);
            gboolean is_known;
            const double expected = forecast (dataset, ES_SOLVER_CG, ES_PRECONDITIONER_NONE, 1e-8, 50000, &is_known);

            g_assert_cmpfloat (expected, >=, 1);
            g_assert_cmpfloat (expected, <=, is_known ? (double) x * y * MAX (z, 1) : 300);
          }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/forecast/taken", test_taken);
  g_test_add_func ("/forecast/grows", test_grows);
  g_test_add_func ("/forecast/nobody-knows", test_nobody_knows);
  g_test_add_func ("/forecast/no-diagonal", test_no_diagonal);
  g_test_add_func ("/forecast/limit", test_limit);
  g_test_add_func ("/forecast/small", test_small);
  return g_test_run ();
}
