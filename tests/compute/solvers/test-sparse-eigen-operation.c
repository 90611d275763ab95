/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The operation that finds eigenpairs, against the values that are known of the Laplacian of a grid. */

#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "job/es-job.h"
#include "layer/es-curve.h"
#include "layer/es-verdict.h"
#include "matrix/es-sparse-matrix.h"
#include "operations/es-operations.h"
#include "result/es-result.h"

#define WIDTH 23
#define HEIGHT 17

static EsResult *
run (EsDataset *dataset, const char *end, guint number, GError **error)
{
  const EsOperation *operation = es_operation_find ("sparse-eigen", NULL);
  g_autoptr (EsParams) params = es_params_new (operation->params);
  g_autoptr (EsJob) job = NULL;

  g_assert_true (es_params_parse (params, "end", end, NULL));
  es_params_set_value (params, "number", number);
  job = es_job_new (operation, dataset, params, es_device_get_cpu (), NULL, NULL);
  return es_job_run (job, error);
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static void
test_known (void)
{
  g_autofree char *name = g_strdup_printf ("poisson2d:%dx%d", WIDTH, HEIGHT);
  g_autoptr (EsDataset) dataset = es_sparse_matrix_make (name, NULL, NULL);
  double exact[WIDTH * HEIGHT];
  const guint n = WIDTH * HEIGHT;

  for (guint i = 0; i < n; i++)
    exact[i] = 4 - 2 * cos (G_PI * (i % WIDTH + 1) / (WIDTH + 1)) - 2 * cos (G_PI * (i / WIDTH + 1) / (HEIGHT + 1));
  qsort (exact, n, sizeof (double), compare_numbers);
  for (guint largest = 0; largest < 2; largest++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) result = run (dataset, largest ? "largest" : "smallest", 9, &error);
      EsTable *table;
      EsCurve *vectors;

      g_assert_no_error (error);
      table = ES_TABLE (es_result_find_layer (result, "eigenvalues"));
      vectors = ES_CURVE (es_result_find_layer (result, "vectors"));
      g_assert_cmpuint (es_table_get_n_rows (table), ==, 9);
      g_assert_cmpuint (es_curve_get_n_series (vectors), ==, 9);
      g_assert_cmpuint (es_curve_get_length (vectors), ==, n);
      for (guint k = 0; k < 9; k++)
        {
          double length = 0;

          g_assert_cmpfloat (fabs (es_table_get_value (table, k, 1) - exact[largest ? n - 1 - k : k]), <, 1e-8);
          g_assert_cmpfloat (es_table_get_value (table, k, 2), <, 1e-8);
          for (guint i = 0; i < n; i++)
            length += es_curve_get_series (vectors, k)->y[i] * es_curve_get_series (vectors, k)->y[i];
          g_assert_cmpfloat (fabs (length - 1), <, 1e-10);
        }
      g_assert_cmpint (es_verdict_get_state (ES_VERDICT (es_result_find_layer (result, "verdict")), 0), ==,
                       ES_VERDICT_YES);
    }
}

/* Where the largest crowd: soon by a factor, which the result says, unless that is not wanted or does not fit. */
static void
test_factor (void)
{
  const guint width = 97, height = 61;
  const EsOperation *operation = es_operation_find ("sparse-eigen", NULL);
  const EsLimits narrow = { .memory = 2000000 }, wide = { 0 };
  g_autoptr (EsDataset) dataset = es_sparse_matrix_make ("poisson2d:97x61", NULL, NULL);
  const double exact = 4 + 2 * cos (G_PI / (width + 1)) + 2 * cos (G_PI / (height + 1));
  double seconds = INFINITY;

  for (guint way = 0; way < 3; way++)
    {
      g_autoptr (EsParams) params = es_params_new (operation->params);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsJob) job = NULL;
      g_autoptr (EsResult) result = NULL;
      g_autoptr (GString) told = g_string_new (NULL);
      EsVerdict *verdict;
      JsonObject *values;
      EsPlan plan;

      es_params_set_value (params, "factor", way != 1);
      plan = operation->plan (dataset, params, es_device_get_cpu (), way == 2 ? &narrow : &wide);
      g_assert_cmpfloat (plan.seconds, >, 0);
      /* How many products it takes where these have to do alone nobody knows: that is said. */
      g_assert_cmpuint (plan.guessed, ==, way == 0 ? 0 : 60 * es_params_get_int (params, "number"));
      if (way == 1)
        g_assert_cmpfloat (plan.seconds, >, seconds);
      seconds = plan.seconds;
      job = es_job_new (operation, dataset, params, es_device_get_cpu (), way == 2 ? &narrow : NULL, NULL);
      result = es_job_run (job, &error);
      g_assert_no_error (error);
      values = es_result_get_values (result);
      g_assert_cmpstr (json_object_get_string_member (values, "method"), ==, way == 0 ? "inverse" : "lanczos");
      g_assert_true ((json_object_get_int_member (values, "products") <= 200) == (way == 0));
      g_assert_true ((json_object_get_int_member (values, "products-before") > 0) == (way == 0));
      g_assert_cmpfloat (fabs (es_table_get_value (ES_TABLE (es_result_find_layer (result, "eigenvalues")), 0, 1)
                               - exact), <, 1e-8);
      verdict = ES_VERDICT (es_result_find_layer (result, "verdict"));
      g_assert_cmpint (es_verdict_get_state (verdict, 0), ==, ES_VERDICT_YES);
      for (guint k = 0; k < es_verdict_get_n (verdict); k++)
        g_string_append (told, es_verdict_get_sentence (verdict, k));
      g_assert_true ((strstr (told->str, "products came before it") != NULL) == (way == 0));
      g_assert_true ((strstr (told->str, "would not fit") != NULL) == (way == 2));
    }
}

/* A chain of 300 rows, -unit beside twice that. */
static EsDataset *
make_chain (double unit)
{
  const guint n = 300;
  gint32 *row_from = g_new0 (gint32, n + 1), *columns = g_new0 (gint32, 3 * n), at = 0;
  double *values = g_new0 (double, 3 * n);
  g_autoptr (GError) error = NULL;
  EsSparseMatrix *matrix;

  for (guint i = 0; i < n; i++)
    {
      for (guint j = i > 0 ? i - 1 : 0; j < MIN (i + 2, n); j++)
        {
          columns[at] = (gint32) j;
          values[at++] = j == i ? 2 * unit : -unit;
        }
      row_from[i + 1] = at;
    }
  matrix = es_sparse_matrix_new ("chain", n, n, row_from, columns, values, ES_SYMMETRY_GENERAL, &error);
  g_assert_no_error (error);
  return ES_DATASET (matrix);
}

/* What is left of a pair is the same part of the norm, whatever the matrix is measured in. */
static void
test_units (void)
{
  const double units[3] = { 1, 0x1p600, 0x1p-600 };

  for (guint u = 0; u < 3; u++)
    {
      g_autoptr (EsDataset) dataset = make_chain (units[u]);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) result = run (dataset, "largest", 3, &error);
      EsTable *table;

      g_assert_no_error (error);
      table = ES_TABLE (es_result_find_layer (result, "eigenvalues"));
      for (guint k = 0; k < 3; k++)
        {
          const double exact = 2 + 2 * cos (G_PI * (k + 1) / 301);

          g_assert_cmpfloat (fabs (es_table_get_value (table, k, 1) / units[u] - exact), <, 1e-8);
          g_assert_cmpfloat (es_table_get_value (table, k, 2), >, 0);
          g_assert_cmpfloat (es_table_get_value (table, k, 3), >, 0);
          g_assert_cmpfloat (es_table_get_value (table, k, 3), <, 1e-8);
        }
    }
}

static void
test_refusals (void)
{
  g_autoptr (EsDataset) small = es_sparse_matrix_make ("poisson2d:2x2", NULL, NULL);
  gint32 *row_from = g_new0 (gint32, 3), *columns = g_new0 (gint32, 3);
  double *values = g_new0 (double, 3);
  g_autoptr (EsSparseMatrix) matrix = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (run (small, "largest", 5, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  g_clear_error (&error);

  row_from[1] = 2;
  row_from[2] = 3;
  columns[1] = columns[2] = 1;
  values[0] = values[1] = values[2] = 1;
  matrix = es_sparse_matrix_new ("skewed", 2, 2, row_from, columns, values, ES_SYMMETRY_GENERAL, &error);
  g_assert_no_error (error);
  g_assert_null (run (ES_DATASET (matrix), "smallest", 1, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "symmetric"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sparse-eigen-operation/known", test_known);
  g_test_add_func ("/sparse-eigen-operation/factor", test_factor);
  g_test_add_func ("/sparse-eigen-operation/units", test_units);
  g_test_add_func ("/sparse-eigen-operation/refusals", test_refusals);
  return g_test_run ();
}
