/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What solvers refuse, and how they are cancelled. */

#include "es-test-clock.h"
#include "es-test-system.h"

#include <math.h>
#include <string.h>

#include "base/es-error.h"

static void
expect_refused (const EskCsr *matrix, const double *b, const EsSolverSettings *settings, GQuark domain, int code,
                const char *part)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsSolution) solution = es_solve (es_device_get_cpu (), matrix, b, settings, NULL, &error);

  g_assert_null (solution);
  g_assert_error (error, domain, code);
  if (strstr (error->message, part) == NULL)
    g_test_message ("“%s” is not in “%s”", part, error->message);
  g_assert_nonnull (strstr (error->message, part));
}

static void
test_refusals (void)
{
  EsSolverSettings settings = es_test_settings (ES_SOLVER_GMRES, ES_PRECONDITIONER_NONE);
  double value[5] = { 2, 1, 3, 1, 4 }, b[3] = { 1, 1, 1 };
  gint32 column[5] = { 0, 1, 1, 0, 2 }, row_from[4] = { 0, 2, 3, 5 };
  EskCsr matrix = { 3, 3, ESK_F64, row_from, column, value };

  matrix.columns = 4;
  expect_refused (&matrix, b, &settings, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED, "3 rows and 4 columns");
  matrix.columns = 3;

  value[2] = NAN;
  expect_refused (&matrix, b, &settings, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC, "Row 2 has nan in column 2");
  value[2] = 0;
  expect_refused (&matrix, b, &settings, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC, "Row 2 of the matrix");
  value[2] = 3;
  b[2] = INFINITY;
  expect_refused (&matrix, b, &settings, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC, "inf in row 3");
  b[2] = 1;

  /* What float32 makes infinite of, or nothing. */
  for (guint m = 0; m < ES_N_SOLVERS; m++)
    for (guint i = 0; i < 2; i++)
      {
        const double all[2] = { 1e200, 1e-60 };
        g_autoptr (GError) error = NULL;
        g_autoptr (EsSolution) solution = NULL;

        settings = es_test_settings (m, ES_PRECONDITIONER_NONE);
        settings.type = ESK_F32;
        settings.tolerance = 1e-5;
        value[2] = 3 * all[i];
        expect_refused (&matrix, b, &settings, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                        i == 0 ? "Row 2 has 3e+200 in column 2, beyond the range of float32: choose "
                                 "“precision=float64”"
                               : "The diagonal of row 2 is 3e-60, which is 0 in float32: choose “precision=float64”");
        settings.type = ESK_F64;
        solution = es_solve (es_device_get_cpu (), &matrix, b, &settings, NULL, &error);
        g_assert_no_error (error);
        value[2] = 3;
      }

  /* A diagonal that is 0, or not there. */
  value[0] = 0;
  for (guint m = 0; m < ES_N_SOLVERS; m++)
    {
      settings = es_test_settings (m, ES_PRECONDITIONER_DIAGONAL);
      expect_refused (&matrix, b, &settings, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC, "diagonal of row 1 is 0");
    }
  value[0] = 2;
  column[4] = 1;
  settings = es_test_settings (ES_SOLVER_JACOBI, ES_PRECONDITIONER_NONE);
  expect_refused (&matrix, b, &settings, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC, "row 3 is not stored");
  settings = es_test_settings (ES_SOLVER_GMRES, ES_PRECONDITIONER_ILU);
  expect_refused (&matrix, b, &settings, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC, "row 3 is not stored");
}

/* Blocks and factors that end where they should not. */
static void
test_factors (void)
{
  EsSolverSettings settings = es_test_settings (ES_SOLVER_GMRES, ES_PRECONDITIONER_BLOCKS);
  const double value[4] = { 1, 2, 2, 4 }, b[2] = { 1, 1 };
  const gint32 column[4] = { 0, 1, 0, 1 }, row_from[3] = { 0, 2, 4 };
  const EskCsr matrix = { 2, 2, ESK_F64, row_from, column, value };

  settings.block = 2;
  expect_refused (&matrix, b, &settings, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC, "rows 1 to 2 has no inverse");
  settings.preconditioner = ES_PRECONDITIONER_ILU;
  expect_refused (&matrix, b, &settings, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC, "ends in row 2");
}

/* Numbers of preconditioners that float64 holds and float32 does not, and factors that neither does: a sentence with
 * the row, and no code. */
static void
test_range (void)
{
  static const EsPreconditionerKind kinds[] = { ES_PRECONDITIONER_ILU, ES_PRECONDITIONER_DIAGONAL,
                                                ES_PRECONDITIONER_BLOCKS };
  static const char *const words[] = { "pivots have", "diagonal have", "blocks have" };
  double value[7] = { 1e-30, 1, 1e15, 1, 1, 1, 1 };
  const double b[3] = { 1, 1, 1 };
  const gint32 column[7] = { 0, 1, 0, 1, 2, 1, 2 }, row_from[4] = { 0, 2, 5, 7 };
  const EskCsr matrix = { 3, 3, ESK_F64, row_from, column, value };
  EsSolverSettings settings = es_test_settings (ES_SOLVER_GMRES, ES_PRECONDITIONER_ILU);

  settings.type = ESK_F32;
  expect_refused (&matrix, b, &settings, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                  "The factors of ILU(0) have 1e+45 in row 2, beyond the range of float32: take float64");
  /* A pivot that float32 has as 0, and one that it has, but not its inverse. */
  value[0] = 1;
  value[1] = value[2] = value[4] = value[5] = 0;
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      settings.preconditioner = kinds[k];
      settings.block = 2;
      value[3] = 1e-60;
      expect_refused (&matrix, b, &settings, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                      "The diagonal of row 2 is 1e-60, which is 0 in float32");
      value[3] = 1e-42;
      expect_refused (&matrix, b, &settings, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC, words[k]);
      expect_refused (&matrix, b, &settings, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                      "in row 2, beyond the range");
    }
  /* Row 3 alone has column 2, so that no pivot is touched. */
  settings.type = ESK_F64;
  settings.preconditioner = ES_PRECONDITIONER_ILU;
  value[3] = 1e-200;
  value[5] = 1e200;
  expect_refused (&matrix, b, &settings, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                  "ends in row 3, whose factor in column 2 is inf");
}

/* A system of float32 that reaches its tolerance by the iteration's own account alone: whatever the limit, it ends. */
static void
test_last_step (void)
{
  static const double dense[25] = {
    0, 0, 5.2725055037272674e-9, 6.8524727818070931e-9, 0,
    0, 8.8777775587256532e-9, 3.3554053339185988e-9, 3.2248437224591253e-12, 0,
    0, 5.0588894655524831e-9, 8.2916923241478477e-10, 9.8867277977302532e-9, 8.2878732357920228e-9,
    0, 7.8437457196098295e-10, 0, 6.6327499128421654e-9, 0,
    1.9912303574407097e-9, 3.6195518951363151e-9, 9.4783775032132395e-9, 2.5333397236210008e-9, 0,
  };
  g_autoptr (EsTestSystem) system = es_test_system_new (5, g_memdup2 (dense, sizeof dense), NULL);

  /* Formats add in an order of their own, so that they pass in other steps. */
  for (guint most = 1; most <= 24 * ESK_SPARSE_LIBRARY; most++)
    {
      EsSolverSettings settings = es_test_settings (ES_SOLVER_GMRES, ES_PRECONDITIONER_BLOCKS);
      g_autoptr (GError) error = NULL;

      settings.format = (EskSparseFormat) (most % ESK_SPARSE_LIBRARY);
      settings.block = 8;
      settings.type = ESK_F32;
      settings.tolerance = 1e-14;
      settings.iterations = 1 + most / ESK_SPARSE_LIBRARY;
      g_autoptr (EsSolution) solution = es_solve (es_device_get_cpu (), &system->csr, system->b, &settings, NULL,
                                                  &error);
      g_assert_no_error (error);
      g_assert_cmpuint (solution->iterations, <=, settings.iterations);
      g_assert_cmpint (solution->end, !=, ES_SOLVER_CONVERGED);
    }
}

typedef struct
{
  GCancellable *cancellable;
  guint         calls;
  EsTestClock   cancelled;
} Watch;

static void
cancel_after_some (const GArray *history, gpointer data)
{
  Watch *watch = data;

  if (++watch->calls == 5)
    {
      g_cancellable_cancel (watch->cancellable);
      watch->cancelled = es_test_clock_read ();
    }
}

static void
test_cancel (void)
{
  g_autoptr (EsTestSystem) system = es_test_system_laplacian (30, 30, 0);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  for (guint m = 0; m < ES_N_SOLVERS; m++)
    {
      EsSolverSettings settings = es_test_settings (m, ES_PRECONDITIONER_NONE);
      Watch watch = { .cancellable = cancellable };
      const EsSolverCalls calls = { cancellable, &watch, cancel_after_some, NULL };
      g_autoptr (GError) error = NULL;
      g_autoptr (EsSolution) solution = NULL;

      settings.tolerance = 0;
      settings.iterations = 1000000;
      g_cancellable_reset (cancellable);
      solution = es_solve (es_device_get_cpu (), &system->csr, system->b, &settings, &calls, &error);
      g_assert_null (solution);
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_assert_cmpuint (watch.calls, ==, 5);
      /* 0.2 s are promised; five times as much for a slower machine. */
      g_assert_cmpfloat (es_test_clock_since (watch.cancelled), <, 1);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/solvers/refusals/matrix", test_refusals);
  g_test_add_func ("/solvers/refusals/factors", test_factors);
  g_test_add_func ("/solvers/refusals/range", test_range);
  g_test_add_func ("/solvers/refusals/last-step", test_last_step);
  g_test_add_func ("/solvers/refusals/cancel", test_cancel);
  return g_test_run ();
}
