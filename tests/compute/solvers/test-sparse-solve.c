/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The operation: a system from a data set to layers, its live curve, right-hand sides, refusals, cancelling. */

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "job/es-job.h"
#include "layer/es-curve.h"
#include "layer/es-verdict.h"
#include "matrix/es-sparse-matrix.h"
#include "operations/es-operations.h"
#include "result/es-result.h"

static EsDataset *
make (const char *text)
{
  g_autoptr (GError) error = NULL;
  EsDataset *dataset = es_sparse_matrix_make (text, NULL, &error);

  g_assert_no_error (error);
  return dataset;
}

/* words: "key=value", separated by blanks. */
static EsJob *
job_new (EsDataset *dataset, const char *words, const char *device)
{
  const EsOperation *operation = es_operation_find ("sparse-solve", NULL);
  g_autoptr (EsParams) params = es_params_new (operation->params);
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
  return es_job_new (operation, dataset, params, es_device_find (device, NULL), NULL, NULL);
}

static EsResult *
run (EsDataset *dataset, const char *words, GError **error)
{
  g_autoptr (EsJob) job = job_new (dataset, words, "cpu");

  return es_job_run (job, error);
}

static double
value_of (EsResult *result, const char *name)
{
  return json_object_get_double_member (es_result_get_values (result), name);
}

static void
expect_error (EsDataset *dataset, const char *words, GQuark domain, int code, const char *part)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) result = run (dataset, words, &error);

  g_assert_null (result);
  g_assert_error (error, domain, code);
  if (strstr (error->message, part) == NULL)
    g_test_message ("“%s” is not in “%s”", part, error->message);
  g_assert_nonnull (strstr (error->message, part));
}

static void
test_layers (gconstpointer data)
{
  g_autoptr (EsDataset) dataset = make ("poisson2d:30x20");
  const char *solvers[] = { "auto", "cg", "bicgstab", "gmres", "jacobi" };

  for (guint i = 0; i < G_N_ELEMENTS (solvers); i++)
    {
      g_autofree char *words = g_strdup_printf ("solver=%s side=known tolerance=1e-9", solvers[i]);
      g_autoptr (EsJob) job = job_new (dataset, words, data);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) result = es_job_run (job, &error);
      EsCurve *residual, *solution;
      guint n;

      g_assert_no_error (error);
      g_assert_true (json_object_get_boolean_member (es_result_get_values (result), "converged"));
      g_assert_cmpfloat (value_of (result, "residual"), <=, 1e-9);
      g_assert_cmpfloat (value_of (result, "error"), <, 1e-6);
      residual = ES_CURVE (es_result_find_layer (result, "residual"));
      n = es_curve_get_length (residual);
      g_assert_true (es_curve_get_log_y (residual));
      g_assert_cmpfloat (es_curve_get_series (residual, 0)->y[0], ==, 1);
      g_assert_cmpfloat (es_curve_get_series (residual, 0)->y[n - 1], <=, 1e-9);
      g_assert_cmpfloat (es_curve_get_series (residual, 1)->y[n - 1], >, 0);
      solution = ES_CURVE (es_result_find_layer (result, "solution"));
      g_assert_cmpuint (es_curve_get_length (solution), ==, 600);
      for (guint k = 0; k < 600; k++)
        g_assert_cmpfloat (fabs (es_curve_get_series (solution, 0)->y[k] - 1), <, 1e-6);
      g_assert_nonnull (es_result_find_layer (result, "run"));
      g_assert_cmpint (es_verdict_get_state (ES_VERDICT (es_result_find_layer (result, "verdict")), 0), ==,
                       ES_VERDICT_YES);
      g_assert_true (es_result_get_warnings (result) == NULL || *es_result_get_warnings (result) == NULL);
    }
}

/* What did not converge is a warning, and the verdict says no. */
static void
test_not_converged (void)
{
  g_autoptr (EsDataset) dataset = make ("poisson2d:30x30");
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) result = run (dataset, "solver=gmres iterations=5", &error);

  g_assert_no_error (error);
  g_assert_false (json_object_get_boolean_member (es_result_get_values (result), "converged"));
  g_assert_nonnull (es_result_get_warnings (result));
  g_assert_nonnull (strstr (es_result_get_warnings (result)[0], "Not converged: after all of the 5 iterations"));
  g_assert_cmpint (es_verdict_get_state (ES_VERDICT (es_result_find_layer (result, "verdict")), 0), ==, ES_VERDICT_NO);
}

static gboolean
says (EsResult *result, const char *part)
{
  EsVerdict *verdict = ES_VERDICT (es_result_find_layer (result, "verdict"));

  for (guint i = 0; i < es_verdict_get_n (verdict); i++)
    if (strstr (es_verdict_get_sentence (verdict, i), part) != NULL)
      return TRUE;
  return FALSE;
}

/* Why GMRES: what the matrix lacks for conjugate gradients, and in which row. */
static void
test_chosen (void)
{
  static const struct { double above, diagonal; const char *says; } cases[] = {
    { 1, 4, "conjugate gradients, for it is symmetric" },
    { 2, 4, "GMRES, for it is not symmetric." },
    { 1, 0, "GMRES, for its diagonal is not positive: row 2." },
    { 1, -4, "GMRES, for its diagonal is not positive: row 2." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const gint32 row_from[] = { 0, 2, 5, 7 }, columns[] = { 0, 1, 0, 1, 2, 1, 2 };
      const double values[] = { 4, cases[i].above, 1, cases[i].diagonal, 1, 1, 4 };
      g_autoptr (GError) error = NULL;
      g_autoptr (EsDataset) dataset = ES_DATASET (es_sparse_matrix_new ("three", 3, 3,
                                                                        g_memdup2 (row_from, sizeof row_from),
                                                                        g_memdup2 (columns, sizeof columns),
                                                                        g_memdup2 (values, sizeof values),
                                                                        ES_SYMMETRY_GENERAL, &error));
      g_autoptr (EsResult) result = run (dataset, "", &error);

      g_assert_no_error (error);
      g_assert_true (says (result, cases[i].says));
    }
}

/* A diagonal that dominates, one that only balances its row, and one that does not: what each of them promises. */
static void
test_promise (void)
{
  static const struct { const char *name, *says, *title; } cases[] = {
    { "banded:n=50,lower=1,upper=1", "Jacobi’s iteration converges.", "Jacobi, 1 iteration" },
    { "poisson2d:8x8", "No row of D⁻¹A − I sums up to more than 1", "Jacobi, 1 iteration" },
    { "poisson2d:8x8:9", "No row of D⁻¹A − I sums up to more than 1", "Jacobi, 1 iteration" },
    { "random:n=40,mean=9,seed=3,symmetric=1", "which promises nothing", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EsDataset) dataset = make (cases[i].name);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) result = run (dataset, "solver=jacobi iterations=1", &error);

      g_assert_no_error (error);
      g_assert_true (says (result, cases[i].says));
      if (cases[i].title != NULL)
        g_assert_cmpstr (es_result_get_title (result), ==, cases[i].title);
    }
}

static void
test_compare (void)
{
  g_autoptr (EsDataset) dataset = make ("poisson2d:30x30");
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) result = run (dataset, "solver=gmres precision=float32 orthogonal=published tolerance=1e-4 "
                                              "compare=yes", &error);

  g_assert_no_error (error);
  g_assert_true (json_object_get_boolean_member (es_result_get_values (result), "converged"));
  g_assert_cmpfloat (value_of (result, "gain"), >, 0);
  g_assert_cmpuint (es_table_get_n_rows (ES_TABLE (es_result_find_layer (result, "run"))), ==, 2);
}

/* Grids as a layer and as values, and what of memory they take in a plan. */
static void
test_multigrid (gconstpointer data)
{
  g_autoptr (EsDataset) dataset = make ("poisson2d:60x50");
  const EsOperation *operation = es_operation_find ("sparse-solve", NULL);
  g_autoptr (EsJob) job = job_new (dataset, "preconditioner=multigrid tolerance=1e-9", data);
  g_autoptr (EsParams) plain = es_params_new (operation->params), with = es_params_new (operation->params);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) result = es_job_run (job, &error);
  JsonObject *values;
  EsTable *levels;
  guint n;

  g_assert_no_error (error);
  values = es_result_get_values (result);
  g_assert_true (json_object_get_boolean_member (values, "converged"));
  g_assert_cmpint (json_object_get_int_member (values, "iterations"), <=, 16);
  g_assert_cmpfloat (value_of (result, "operator_complexity"), >, 1.1);
  g_assert_cmpfloat (value_of (result, "operator_complexity"), <, 1.6);
  g_assert_cmpfloat (value_of (result, "precondition_ms"), >, 0);
  n = json_array_get_length (json_object_get_array_member (values, "level_rows"));
  g_assert_cmpuint (n, >=, 3);
  g_assert_cmpint (json_array_get_int_element (json_object_get_array_member (values, "level_rows"), 0), ==, 3000);
  levels = ES_TABLE (es_result_find_layer (result, "levels"));
  g_assert_nonnull (levels);
  g_assert_cmpuint (es_table_get_n_rows (levels), ==, n);
  g_assert_true (says (result, "with an operator complexity of"));

  es_params_parse (with, "preconditioner", "multigrid", &error);
  g_assert_no_error (error);
  {
    const EsLimits limits = { 0 };
    const EsPlan one = operation->plan (dataset, plain, es_device_get_cpu (), &limits),
                 other = operation->plan (dataset, with, es_device_get_cpu (), &limits);

    g_assert_cmpuint (other.memory, >, one.memory + 3 * 14680 * 12);
  }
}

/* ---- the right-hand side ---- */

static void
write_text (const char *path, const char *text)
{
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
test_side (void)
{
  g_autofree char *folder = g_dir_make_tmp ("es-solve-XXXXXX", NULL), *path = g_build_filename (folder, "b.mtx", NULL);
  g_autofree char *words = g_strdup_printf ("solver=cg side=file side-file=%s", path);
  g_autoptr (EsDataset) dataset = make ("poisson2d:2x2");
  const char *good[] = {
    "%%MatrixMarket matrix array real general\n% b\n4 1\n1\n2\n3\n4\n",
    "# b\n1\n\n2\n 3 \r\n4e0",
    "%%matrixmarket MATRIX Array integer general\n4 1\n1\n2\n3\n4\n",
  };
  const struct { const char *text, *part; int code; } bad[] = {
    { "1\n2\n3\n", "3 numbers, and the matrix has 4 rows", ES_DATA_ERROR_TRUNCATED },
    { "1\n2\n3\n4\n5\n", "line 5: there are more than the 4", ES_DATA_ERROR_FORMAT },
    { "1\n2\nthree\n4\n", "line 3: one finite number", ES_DATA_ERROR_FORMAT },
    { "1\n2\nnan\n4\n", "line 3: one finite number", ES_DATA_ERROR_FORMAT },
    { "1 2\n3\n4\n", "line 1: one finite number", ES_DATA_ERROR_FORMAT },
    { "", "0 numbers", ES_DATA_ERROR_TRUNCATED },
    { "%%MatrixMarket matrix coordinate real general\n4 4 1\n1 1 1\n", "line 1: a right-hand side is a Matrix Market "
      "array", ES_DATA_ERROR_FORMAT },
    { "%%MatrixMarket matrix array complex general\n4 1\n", "line 1: a right-hand side is a Matrix Market array",
      ES_DATA_ERROR_FORMAT },
    { "%%MatrixMarket matrix array real general\n4 2\n1\n2\n3\n4\n", "line 2: a column of 4 numbers is needed, not 4 × "
      "2", ES_DATA_ERROR_FORMAT },
  };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) result = NULL;
      const double *x;

      write_text (path, good[i]);
      result = run (dataset, words, &error);
      g_assert_no_error (error);
      /* (4 -1 -1 0; -1 4 0 -1; -1 0 4 -1; 0 -1 -1 4) x = (1 2 3 4) by hand */
      x = es_curve_get_series (ES_CURVE (es_result_find_layer (result, "solution")), 0)->y;
      g_assert_cmpfloat (fabs (x[0] - 0.875), <, 1e-7);
      g_assert_cmpfloat (fabs (x[1] - 1.125), <, 1e-7);
      g_assert_cmpfloat (fabs (4 * x[0] - x[1] - x[2] - 1), <, 1e-7);
      g_assert_cmpfloat (fabs (4 * x[3] - x[1] - x[2] - 4), <, 1e-7);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      write_text (path, bad[i].text);
      expect_error (dataset, words, ES_DATA_ERROR, bad[i].code, bad[i].part);
    }
  g_unlink (path);
  expect_error (dataset, words, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "b.mtx");
  expect_error (dataset, "side=file", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "side-file");
  g_rmdir (folder);
}

static void
test_refusals (void)
{
  g_autoptr (EsDataset) square = make ("poisson2d:4x4");
  gint32 *row_from = g_new0 (gint32, 3), *columns = g_new0 (gint32, 2);
  double *values = g_new0 (double, 2);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsSparseMatrix) wide = NULL;

  row_from[1] = 1;
  row_from[2] = 2;
  columns[1] = 2;
  values[0] = values[1] = 1;
  wide = es_sparse_matrix_new ("wide", 2, 3, row_from, columns, values, ES_SYMMETRY_GENERAL, &error);
  g_assert_no_error (error);
  expect_error (ES_DATASET (wide), "", ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED, "2 rows and 3 columns");
  expect_error (square, "solver=gmres orthogonal=published", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "float32");
}

/* A diagonal, and a row that is full. */
static EsDataset *
make_long_row (gsize n)
{
  gint32 *row_from = g_new (gint32, n + 1), *columns = g_new (gint32, 2 * n - 1);
  double *values = g_new (double, 2 * n - 1);
  g_autoptr (GError) error = NULL;
  EsSparseMatrix *matrix;

  row_from[0] = 0;
  for (gsize i = 0; i < n; i++)
    {
      if (i + 1 < n)
        {
          columns[i] = (gint32) i;
          values[i] = 1;
        }
      columns[n - 1 + i] = (gint32) i;
      values[n - 1 + i] = i + 1 < n ? 1 : 2 * (double) n;
      row_from[i + 1] = (gint32) (i + 1 < n ? i + 1 : 2 * n - 1);
    }
  matrix = es_sparse_matrix_new ("long row", n, n, row_from, columns, values, ES_SYMMETRY_GENERAL, &error);
  g_assert_no_error (error);
  return ES_DATASET (matrix);
}

/* Formats that would take more than may be used are refused before they take it, and planned with it. */
static void
test_padding (void)
{
  const EsOperation *operation = es_operation_find ("sparse-solve", NULL);
  const EsLimits limits = { .memory = 64 << 20 };
  g_autoptr (EsDataset) grid = make ("poisson2d:70x70"), scattered = make ("random:n=5000,mean=6,dominant=1,seed=3"),
                        long_row = make_long_row (5000);
  const struct { EsDataset *dataset; const char *format, *part; gboolean fits; } cases[] = {
    { grid, "dia", NULL, TRUE }, { grid, "ell", NULL, TRUE },
    { scattered, "dia", "(DIA)”, padded to 1", FALSE }, { scattered, "ell", NULL, TRUE },
    { long_row, "ell", "(ELL)”, padded to 2", FALSE }, { long_row, "csr-vector", NULL, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EsParams) params = es_params_new (operation->params);
      g_autoptr (EsJob) job = NULL;
      g_autoptr (EsResult) result = NULL;
      g_autoptr (GError) error = NULL;

      es_params_parse (params, "format", cases[i].format, &error);
      g_assert_no_error (error);
      if (cases[i].fits)
        g_assert_cmpuint (operation->plan (cases[i].dataset, params, es_device_get_cpu (), &limits).memory, <,
                          limits.memory);
      else
        g_assert_cmpuint (operation->plan (cases[i].dataset, params, es_device_get_cpu (), &limits).memory, >,
                          3 * limits.memory);
      job = es_job_new (operation, cases[i].dataset, params, es_device_get_cpu (), &limits, NULL);
      result = es_job_run (job, &error);
      if (cases[i].fits)
        g_assert_no_error (error);
      else
        {
          g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
          g_test_message ("%s", error->message);
          g_assert_nonnull (strstr (error->message, cases[i].part));
          g_assert_nonnull (strstr (error->message, "of which 64.0"));
        }
    }
}

/* ---- while it runs ---- */

typedef struct
{
  GMainLoop *loop;
  guint      curves, longest;
  gboolean   gone;
  gint64     cancelled_at, ended_at;
  gboolean   cancel;
} Live;

static void
curve_changed (EsJob *job, GParamSpec *spec, gpointer data)
{
  Live *live = data;
  EsCurve *curve = es_job_get_live_curve (job);

  live->gone = curve == NULL;
  if (curve == NULL)
    return;
  g_assert_cmpuint (es_curve_get_length (curve), >, live->longest);
  g_assert_cmpstr (es_layer_get_name (ES_LAYER (curve)), ==, "residual");
  live->longest = es_curve_get_length (curve);
  live->curves++;
  if (live->cancel && live->cancelled_at == 0)
    {
      live->cancelled_at = g_get_monotonic_time ();
      es_job_cancel (job);
    }
}

static void
state_changed (EsJob *job, GParamSpec *spec, gpointer data)
{
  Live *live = data;

  if (es_job_is_active (job))
    return;
  live->ended_at = g_get_monotonic_time ();
  g_main_loop_quit (live->loop);
}

static void
test_live (gconstpointer data)
{
  const gboolean cancel = GPOINTER_TO_INT (data);
  g_autoptr (EsDataset) dataset = make ("poisson2d:200x200");
  g_autoptr (EsJob) job = job_new (dataset, "solver=jacobi iterations=10000000 tolerance=1e-15", "cpu");
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Live live = { .loop = loop, .cancel = TRUE };

  if (!cancel)
    {
      g_clear_object (&job);
      job = job_new (dataset, "solver=jacobi iterations=4000 tolerance=1e-15", "cpu");
      live.cancel = FALSE;
    }
  g_signal_connect (job, "notify::live-curve", G_CALLBACK (curve_changed), &live);
  g_signal_connect (job, "notify::state", G_CALLBACK (state_changed), &live);
  es_job_start (job);
  g_main_loop_run (loop);
  g_assert_cmpuint (live.curves, >, 0);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_null (es_job_get_live_curve (job));
  g_assert_true (live.gone);
  if (cancel)
    {
      g_assert_cmpint (es_job_get_state (job), ==, ES_JOB_CANCELLED);
      /* 0.2 s are promised, to a machine that is not busy with something else. */
      g_assert_cmpint (live.ended_at - live.cancelled_at, <, G_USEC_PER_SEC);
    }
  else
    g_assert_cmpint (es_job_get_state (job), ==, ES_JOB_DONE);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/sparse-solve/layers", "cpu", test_layers);
  g_test_add_data_func ("/sparse-solve/layers-on-card", "cuda:0", test_layers);
  g_test_add_func ("/sparse-solve/not-converged", test_not_converged);
  g_test_add_func ("/sparse-solve/chosen", test_chosen);
  g_test_add_func ("/sparse-solve/promise", test_promise);
  g_test_add_func ("/sparse-solve/compare", test_compare);
  g_test_add_data_func ("/sparse-solve/multigrid", "cpu", test_multigrid);
  g_test_add_data_func ("/sparse-solve/multigrid-on-card", "cuda:0", test_multigrid);
  g_test_add_func ("/sparse-solve/side", test_side);
  g_test_add_func ("/sparse-solve/refusals", test_refusals);
  g_test_add_func ("/sparse-solve/padding", test_padding);
  g_test_add_data_func ("/sparse-solve/live", GINT_TO_POINTER (FALSE), test_live);
  g_test_add_data_func ("/sparse-solve/cancel", GINT_TO_POINTER (TRUE), test_live);
  return g_test_run ();
}
