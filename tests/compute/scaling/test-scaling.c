/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Numbers of processes beside each other: which run counts, what follows, and what stands beside published tables. */

#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-json.h"
#include "operations/es-operations.h"
#include "published/es-published.h"
#include "scaling/es-scaling.h"

/* A run of n processes: a step took the first one `covariance`, and the slowest a tenth more. */
static gboolean
add (EsScaling *scaling, guint told, guint n, double covariance, double total, GError **error)
{
  g_autoptr (GString) text = g_string_new ("{\"values\": {");
  g_autoptr (JsonNode) root = NULL;

  if (n > 1)
    {
      g_string_append_printf (text, "\"processes\": {\"n\": %u, \"ms\": [", n);
      for (guint i = 0; i < n; i++)
        g_string_append_printf (text, "%s%g", i > 0 ? ", " : "", total);
      g_string_append (text, "], \"waited_ms\": [");
      for (guint i = 0; i < n; i++)
        g_string_append_printf (text, "%s%g", i > 0 ? ", " : "", i == 0 ? total / 2 : 0);
      g_string_append (text, "]}");
    }
  g_string_append_printf (text, "}, \"total_ms\": %g, \"stages\": ["
                          "{\"name\": \"input\", \"title\": \"Input\", \"ms\": 10},"
                          " {\"name\": \"covariance\", \"title\": \"Covariance\", \"ms\": %g", total, covariance);
  if (n > 1)
    g_string_append_printf (text, ", \"processes\": {\"n\": %u, \"least_ms\": %g, \"mean_ms\": %g, \"greatest_ms\": %g,"
                            " \"waiting\": 0.25}", n, covariance, covariance, 1.1 * covariance);
  g_string_append (text, "}]}");
  root = es_json_parse (text->str, text->len, "a result", NULL);
  g_assert_nonnull (root);
  return es_scaling_add (scaling, told, json_node_get_object (root), total + 100, error);
}

static EsScaling *
make (guint threads)
{
  EsScaling *scaling = es_scaling_new (es_operation_find ("pca", NULL), "scene.img", "a cube", threads);

  /* In no order: the median of three is 200. */
  g_assert_true (add (scaling, 1, 1, 150, 500, NULL));
  g_assert_true (add (scaling, 1, 1, 150, 190, NULL));
  g_assert_true (add (scaling, 1, 1, 150, 200, NULL));
  g_assert_true (add (scaling, 4, 4, 40, 80, NULL));
  return scaling;
}

static double
at (EsTable *table, const char *row, guint column)
{
  for (guint r = 0; r < es_table_get_n_rows (table); r++)
    if (strcmp (es_table_get_text (table, r, 0), row) == 0)
      return es_table_get_value (table, r, column);
  g_assert_not_reached ();
}

static void
test_table (void)
{
  g_autoptr (EsScaling) scaling = make (1);
  g_autoptr (EsTable) table = es_scaling_make_table (scaling);

  g_assert_cmpuint (es_table_get_n_columns (table), ==, 3);
  g_assert_cmpstr (es_table_get_column_title (table, 1), ==, "1 process");
  g_assert_cmpstr (es_table_get_column_title (table, 2), ==, "4 processes");
  g_assert_cmpfloat (at (table, "Total", 1), ==, 200);
  g_assert_cmpfloat (at (table, "Program, start to end", 1), ==, 300);
  g_assert_cmpfloat (at (table, "Covariance", 1), ==, 150);
  g_assert_cmpfloat_with_epsilon (at (table, "Covariance", 2), 44, 1e-9);
  g_assert_cmpfloat (at (table, "Speed-up (×)", 1), ==, 1);
  g_assert_cmpfloat (at (table, "Speed-up (×)", 2), ==, 2.5);
  g_assert_cmpfloat (at (table, "Efficiency (%)", 2), ==, 62.5);
  g_assert_cmpfloat (at (table, "Waiting (%)", 1), ==, 0);
  g_assert_cmpfloat (at (table, "Waiting (%)", 2), ==, 12.5);
}

static void
test_published (void)
{
  g_autoptr (EsScaling) one = make (1), two = make (2);
  g_autofree char *what = NULL, *other = NULL;
  g_autoptr (EsTable) table = NULL, without = NULL;
  guint i, column;

  g_assert_true (es_published_find ("phd-pca-speed-ups", &i));
  table = es_scaling_make_published_table (one, i, &what);
  column = es_table_get_n_columns (table) - 1;
  g_assert_nonnull (what);
  g_assert_nonnull (strstr (what, "scene.img"));
  g_assert_cmpfloat (at (table, "Processes, 1 node (M-PCA)", column), ==, 2.5);
  g_assert_true (isnan (at (table, "Threads (O-PCA)", column)));
  g_assert_true (isnan (at (table, "Processes and threads, 4 nodes (MO-PCA)", column)));
  /* Those that were published are speed-ups over one thread. */
  without = es_scaling_make_published_table (two, i, &other);
  g_assert_null (other);
}

static void
test_json (void)
{
  g_autoptr (EsScaling) scaling = make (1);
  g_autoptr (JsonNode) root = es_scaling_to_json (scaling);
  JsonArray *runs = json_object_get_array_member (json_node_get_object (root), "runs");
  JsonObject *one = json_array_get_object_element (runs, 0), *four = json_array_get_object_element (runs, 1);

  g_assert_cmpfloat (json_object_get_double_member (one, "fastest_ms"), ==, 190);
  g_assert_cmpfloat (json_object_get_double_member (one, "slowest_ms"), ==, 500);
  g_assert_cmpfloat (json_object_get_double_member (four, "efficiency"), ==, 0.625);
  g_assert_cmpint (json_object_get_int_member (four, "processes"), ==, 4);
  g_assert_cmpint (json_object_get_int_member (json_node_get_object (root), "repeats"), ==, 3);
}

/* A run by fewer than were asked for is no measurement of them. */
static void
test_refused (void)
{
  g_autoptr (EsScaling) scaling = es_scaling_new (es_operation_find ("pca", NULL), "scene.img", "a cube", 1);
  g_autoptr (JsonNode) empty = es_json_parse ("{}", 2, "nothing", NULL);
  g_autoptr (GError) error = NULL, other = NULL;

  g_assert_false (add (scaling, 4, 1, 10, 20, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_assert_false (es_scaling_add (scaling, 1, json_node_get_object (empty), 1, &other));
  g_assert_error (other, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scaling/table", test_table);
  g_test_add_func ("/scaling/published", test_published);
  g_test_add_func ("/scaling/json", test_json);
  g_test_add_func ("/scaling/refused", test_refused);
  return g_test_run ();
}
