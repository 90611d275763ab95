/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The operation that measures products: what its table, values and sentences say, on the processor and on a card of
 * host memory; what it refuses; that it ends when it is cancelled. Times are only held against each other. */

#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-hotspots.h"
#include "es-test-clock.h"
#include "job/es-job.h"
#include "layer/es-verdict.h"
#include "matrix/es-sparse-matrix.h"
#include "operations/es-operations.h"
#include "sparse/es-sparse-choice.h"

static EsJob *
job_new (EsDataset *matrix, const char *device, const char *const *settings)
{
  const EsOperation *operation = es_operation_find ("sparse-products", NULL);
  g_autoptr (EsParams) params = es_params_new (operation->params);
  g_autoptr (GError) error = NULL;
  EsDevice *found = es_device_find (device, &error);

  g_assert_no_error (error);
  for (guint i = 0; settings != NULL && settings[i] != NULL; i += 2)
    {
      es_params_parse (params, settings[i], settings[i + 1], &error);
      g_assert_no_error (error);
    }
  return es_job_new (operation, matrix, params, found, NULL, NULL);
}

static EsResult *
run (const char *name, const char *device, const char *const *settings)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) matrix = es_sparse_matrix_make (name, NULL, &error);
  g_autoptr (EsJob) job = NULL;
  EsResult *result;

  g_assert_no_error (error);
  job = job_new (matrix, device, settings);
  result = es_job_run (job, &error);
  g_assert_no_error (error);
  return result;
}

static JsonObject *
product_of (EsResult *result, EskSparseFormat format)
{
  JsonArray *products = json_object_get_array_member (es_result_get_values (result), "products");

  for (guint i = 0; i < json_array_get_length (products); i++)
    {
      JsonObject *product = json_array_get_object_element (products, i);

      if (g_str_equal (json_object_get_string_member (product, "format"), es_sparse_format_get_id (format)))
        return product;
    }
  return NULL;
}

static guint
find_column (EsTable *table, const char *title)
{
  for (guint i = 0; i < es_table_get_n_columns (table); i++)
    if (g_str_equal (es_table_get_column_title (table, i), title))
      return i;
  g_error ("there is no column “%s”", title);
}

/* Times that differ among themselves are told of, and only these. */
static void
check_disturbance (EsResult *result)
{
  JsonArray *products = json_object_get_array_member (es_result_get_values (result), "products");
  EsVerdict *verdict = ES_VERDICT (es_result_find_layer (result, "verdict"));
  gboolean is_disturbed = FALSE, is_told = FALSE;

  for (guint i = 0; i < json_array_get_length (products); i++)
    {
      JsonObject *product = json_array_get_object_element (products, i);

      is_disturbed |= json_object_has_member (product, "spread")
                      && json_object_get_double_member (product, "spread") > 0.25;
    }
  for (guint i = 0; i < es_verdict_get_n (verdict); i++)
    is_told |= strstr (es_verdict_get_sentence (verdict, i), "measure again") != NULL;
  g_assert_cmpint (is_told, ==, is_disturbed);
}

/* Every format that was measured is right, and what is told of it agrees with itself. */
static void
check_products (EsResult *result, double largest_error)
{
  JsonObject *values = es_result_get_values (result);
  EsTable *table = ES_TABLE (es_result_find_layer (result, "products"));
  const guint time = find_column (table, "Time"), error = find_column (table, "Error");
  const guint note = find_column (table, "Note");
  const guint share = find_column (table, "Of the bytes limit");
  JsonArray *products = json_object_get_array_member (values, "products");
  const char *fastest = json_object_get_string_member (values, "fastest");
  double least = INFINITY;

  g_assert_cmpuint (es_table_get_n_rows (table), ==, json_array_get_length (products));
  for (guint i = 0; i < json_array_get_length (products); i++)
    {
      JsonObject *product = json_array_get_object_element (products, i);
      double seconds;

      if (json_object_has_member (product, "missing"))
        {
          g_assert_true (isnan (es_table_get_value (table, i, time)));
          g_assert_cmpstr (es_table_get_text (table, i, note), ==, json_object_get_string_member (product, "missing"));
          continue;
        }
      seconds = json_object_get_double_member (product, "seconds");
      g_assert_cmpfloat (seconds, >, 0);
      g_assert_cmpfloat_with_epsilon (es_table_get_value (table, i, time), 1e3 * seconds, 1e-9 * seconds);
      g_assert_cmpfloat (json_object_get_double_member (product, "error"), <=, largest_error);
      g_assert_cmpfloat (es_table_get_value (table, i, error), <=, largest_error);
      if (isfinite (es_table_get_value (table, i, share)))
        g_assert_cmpfloat_with_epsilon (es_table_get_value (table, i, share),
                                        100 * json_object_get_double_member (values, "least_bytes")
                                        / json_object_get_double_member (values, "bandwidth") / seconds, 1e-6);
      least = MIN (least, seconds);
      if (g_str_equal (json_object_get_string_member (product, "format"), fastest))
        g_assert_nonnull (strstr (es_table_get_text (table, i, note), "astest"));
    }
  for (guint f = 0; f < ESK_N_SPARSE_FORMATS; f++)
    if (g_str_equal (es_sparse_format_get_id (f), fastest))
      g_assert_cmpfloat (json_object_get_double_member (product_of (result, f), "seconds"), ==, least);
  g_assert_true (ES_IS_VERDICT (es_result_find_layer (result, "verdict")));
  check_disturbance (result);
}

static void
test_all (void)
{
  g_autoptr (EsResult) result = run ("random:n=3000,mean=9,deviation=4,seed=5", "cpu", NULL);

  check_products (result, 1e-14);
  for (guint f = 0; f < ESK_SPARSE_LIBRARY; f++)
    {
      JsonObject *product = product_of (result, f);

      g_assert_nonnull (product);
      /* Diagonals of chance: hundreds of values a nonzero. */
      if (f == ESK_SPARSE_DIA)
        g_assert_nonnull (strstr (json_object_get_string_member (product, "missing"), "values a nonzero"));
      else
        g_assert_false (json_object_has_member (product, "missing"));
    }
  g_assert_nonnull (product_of (result, ESK_SPARSE_LIBRARY));
  g_assert_true (json_object_has_member (es_result_get_values (result), "choice_holds"));
  g_assert_null (es_result_find_layer (result, "transfers"));
}

/* Of published times there are columns only where a row has one. */
static void
test_published_columns (void)
{
  static const struct { const char *name, *formats; gboolean told; } runs[] = {
    { "like:c-26", "csr-vector, vab", TRUE }, { "like:c-26", "coo", FALSE }, { "poisson2d:20x20:5", "vab", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    {
      const char *const settings[] = { "formats", runs[i].formats, "repeats", "3", NULL };
      g_autoptr (EsResult) result = run (runs[i].name, "cpu", settings);
      EsTable *table = ES_TABLE (es_result_find_layer (result, "products"));
      const guint n = es_table_get_n_columns (table);

      g_assert_cmpuint (n, ==, runs[i].told ? 16 : 14);
      g_assert_cmpuint (find_column (table, "Note"), ==, n - 1);
      g_assert_cmpuint (find_column (table, "Error"), ==, 12);
      g_assert_true (!runs[i].told || es_table_get_value (table, 0, find_column (table, "Published")) > 0);
    }
}

static void
test_float32 (void)
{
  static const char *const settings[] = { "precision", "float32", "repeats", "3", NULL };
  g_autoptr (EsResult) result = run ("poisson2d:60x50:9", "cpu", settings);
  JsonObject *dia = product_of (result, ESK_SPARSE_DIA), *vector = product_of (result, ESK_SPARSE_CSR_VECTOR);

  check_products (result, 1e-6);
  g_assert_cmpstr (json_object_get_string_member (es_result_get_values (result), "chosen"), ==, "dia");
  g_assert_cmpint (json_object_get_int_member (vector, "repeats"), ==, 3);
  /* 9 diagonals of 3040 rows, their stride, and x and y. */
  g_assert_cmpfloat (json_object_get_double_member (dia, "stored"), ==, 9 * 3040);
  g_assert_cmpfloat (json_object_get_double_member (dia, "bytes"), ==, 4 * (9 * 3040 + 2 * 3000) + 9 * 4);
  g_assert_nonnull (strstr (es_layer_get_title (es_result_find_layer (result, "products")), "float32"));
}

static void
test_some (void)
{
  static const char *const settings[] = { "formats", "sc-csr, vab", "full-warps", "0", "block", "256", "cuts",
                                          "4, 8, 12", NULL };
  g_autoptr (EsResult) result = run ("random:rows=700,columns=900,mean=9,deviation=5,seed=6", "cpu", settings);

  check_products (result, 1e-14);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (es_result_get_values (result), "products")),
                    ==, 2);
  g_assert_cmpint (json_object_get_int_member (product_of (result, ESK_SPARSE_SC_CSR), "launches"), ==, 4);
  g_assert_cmpint (json_object_get_int_member (product_of (result, ESK_SPARSE_VAB), "launches"), ==, 2);
  /* The chosen one was not asked for: nothing is said of whether it holds. */
  g_assert_false (json_object_has_member (es_result_get_values (result), "choice_holds"));
}

static void
test_nothing (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) matrix = ES_DATASET (es_sparse_matrix_new ("nothing", 40, 7, g_new0 (gint32, 41),
                                                                   g_new0 (gint32, 1), g_new0 (double, 1),
                                                                   ES_SYMMETRY_GENERAL, &error));
  g_autoptr (EsJob) job = job_new (matrix, "cpu", NULL);
  g_autoptr (EsResult) result = es_job_run (job, &error);

  g_assert_no_error (error);
  check_products (result, 0);
}

/* On a card of host memory: vectors there and back as well, by the published model beside. */
static void
test_card (void)
{
  g_autoptr (EsResult) result = run ("poisson2d:100x90:5", "cuda:0", NULL);
  EsTable *transfers = ES_TABLE (es_result_find_layer (result, "transfers"));

  check_products (result, 1e-14);
  g_assert_nonnull (transfers);
  g_assert_cmpuint (es_table_get_n_rows (transfers), ==, 4);
  for (guint i = 0; i < 4; i++)
    {
      static const double streams[] = { 1, 1, 2, 4 };
      const double model = es_table_get_value (transfers, i, 5);
      const guint alone = i == 0 ? 0 : 1;

      g_assert_cmpfloat (es_table_get_value (transfers, i, 1), ==, streams[i]);
      g_assert_cmpfloat_with_epsilon (model, es_table_get_value (transfers, alone, 3)
                                             + es_table_get_value (transfers, alone, 2) / streams[i], 1e-9);
      g_assert_cmpfloat (es_table_get_value (transfers, i, 4), >, 0);
    }
}

static void
test_card_without (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) matrix = es_sparse_matrix_make ("poisson2d:1000x1000:5", NULL, &error);
  g_autoptr (EsJob) job = NULL;
  g_autoptr (EsResult) result = NULL;

  /* A card that is full: of four million nonzeros nothing fits 8 MB. */
  g_setenv ("ES_FAKE_FAIL_ALLOCATION", "1+", TRUE);
  job = job_new (matrix, "cuda:1", NULL);
  result = es_job_run (job, &error);
  g_unsetenv ("ES_FAKE_FAIL_ALLOCATION");
  /* The processor does it then, and says so. */
  g_assert_no_error (error);
  g_assert_cmpstr (es_result_get_device_id (result), ==, "cpu");
  g_assert_nonnull (es_result_get_warnings (result));
}

static void
test_refusals (void)
{
  const EsOperation *operation = es_operation_find ("sparse-products", NULL);
  g_autoptr (EsParams) params = es_params_new (operation->params);
  static const struct { const char *key, *text; } wrong[] = {
    { "formats", "csr" }, { "cuts", "8, 16" }, { "cuts", "16, 8, 32" }, { "cuts", "8, 16, 32, 64" },
    { "cuts", "0, 1, 2" }, { "cuts", "8, 16, x" }, { "precision", "float16" }, { "block", "32" }, { "chunk", "2000" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (es_params_parse (params, wrong[i].key, wrong[i].text, &error));
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
    }
  {
    static const char *const settings[] = { "block", "100", NULL };
    g_autoptr (GError) error = NULL;
    g_autoptr (EsDataset) matrix = es_sparse_matrix_make ("poisson2d:5x5:5", NULL, &error);
    g_autoptr (EsJob) job = job_new (matrix, "cpu", settings);

    g_assert_null (es_job_run (job, &error));
    g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
    g_assert_nonnull (strstr (error->message, "100"));
  }
  /* One nonzero can have a vector that no memory holds. */
  {
    const EsLimits limits = { .memory = 1 << 20 };
    g_autoptr (GError) error = NULL;
    g_autoptr (EsDataset) matrix = es_sparse_matrix_make ("random:rows=1,columns=2000000,mean=1", NULL, &error);
    g_autoptr (EsParams) values = es_params_new (operation->params);
    g_autoptr (EsJob) job = es_job_new (operation, matrix, values, es_device_get_cpu (), &limits, NULL);

    g_assert_null (es_job_run (job, &error));
    g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
    g_assert_nonnull (strstr (error->message, "Room for the vectors"));
  }
}

typedef struct
{
  EsJob      *job;
  EsTestClock cancelled;
} Cancel;

static gpointer
cancel_later (gpointer data)
{
  Cancel *cancel = data;

  g_usleep (300000);
  cancel->cancelled = es_test_clock_read ();
  es_job_cancel (cancel->job);
  return NULL;
}

static void
test_cancel (void)
{
  static const char *const settings[] = { "repeats", "64", "formats", "coo, csr-scalar, csr-vector, merge", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) matrix = es_sparse_matrix_make ("poisson2d:400x400:5", NULL, &error);
  g_autoptr (EsJob) job = job_new (matrix, "cpu", settings);
  Cancel cancel = { .job = job };
  GThread *thread = g_thread_new ("cancel", cancel_later, &cancel);

  g_assert_null (es_job_run (job, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (es_job_get_state (job), ==, ES_JOB_CANCELLED);
  g_thread_join (thread);
  /* 0.2 s are promised; three times as much for a slower machine. */
  g_assert_cmpfloat (es_test_clock_since (cancel.cancelled), <, 0.6);
}

/* By the laboratory that says the same of every machine, of which another takes three quarters but for the third time
 * that it reads, between two formats: that one is the limit. */
static void
test_limit (void)
{
  const char *const settings[] = { "formats", "coo, csr-scalar, csr-vector", "repeats", "3", NULL };
  g_autoptr (EsResult) result = run ("random:n=3000,mean=9,deviation=4,seed=5", "cpu", settings);
  JsonObject *values = es_result_get_values (result);
  EsVerdict *verdict = ES_VERDICT (es_result_find_layer (result, "verdict"));
  gboolean is_told = FALSE;

  g_assert_true (json_object_get_boolean_member (values, "bandwidth_measured"));
  g_assert_cmpint (json_object_get_int_member (values, "bandwidth_readings"), ==, 5 + 3 * 3);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (values, "bandwidth"), 8e10 * 1.002, 1);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (values, "slowest_reading"), 2e10, 1);
  check_products (result, 1e-14);
  g_assert_nonnull (strstr (es_layer_get_title (es_result_find_layer (result, "products")),
                            "at 80.2 GB/s, the best of 14 readings"));
  for (guint i = 0; i < es_verdict_get_n (verdict); i++)
    is_told |= strstr (es_verdict_get_sentence (verdict, i), "at the 80.2 GB/s that reading so much came to at best")
               != NULL;
  g_assert_true (is_told);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (g_getenv ("ES_FAKE_LAB_BEST_READ") != NULL)
    {
      g_test_add_func ("/sparse-products/limit", test_limit);
      return g_test_run ();
    }

  g_test_add_func ("/sparse-products/all", test_all);
  g_test_add_func ("/sparse-products/published", test_published_columns);
  g_test_add_func ("/sparse-products/float32", test_float32);
  g_test_add_func ("/sparse-products/some", test_some);
  g_test_add_func ("/sparse-products/nothing", test_nothing);
  g_test_add_func ("/sparse-products/card", test_card);
  g_test_add_func ("/sparse-products/card-without-memory", test_card_without);
  g_test_add_func ("/sparse-products/refusals", test_refusals);
  g_test_add_func ("/sparse-products/cancel", test_cancel);

  return g_test_run ();
}
