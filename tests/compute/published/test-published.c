/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Published tables as the program asks for them: those there are, figures, marks, ours beside them, ladders. */

#include <math.h>
#include <string.h>

#include "operations/es-operations.h"
#include "published/es-published-private.h"

static guint
find (const char *id)
{
  guint i;

  if (!es_published_find (id, &i))
    g_error ("no table “%s”", id);
  return i;
}

static void
test_tables (void)
{
  static const char *const operations[] = { "pca", "fastica", "mnf", "cbf", "mvdr" };
  guint of[G_N_ELEMENTS (operations)] = { 0 }, i;
  g_autoptr (GError) error = NULL;

  g_assert_true (es_published_load (&error));
  g_assert_no_error (error);
  g_assert_cmpuint (es_published_get_n (), >=, 61);
  for (i = 0; i < es_published_get_n (); i++)
    {
      const EsPublished *published = es_published_get (i);
      g_autoptr (EsTable) table = es_published_make_table (i);
      guint same;

      g_assert_true (es_published_find (published->id, &same));
      g_assert_cmpuint (same, ==, i);
      g_assert_nonnull (strstr (published->source, "thes"));
      g_assert_true (strstr (published->hardware, "Tesla") != NULL || strstr (published->hardware, "GTX 260") != NULL);
      g_assert_false (es_published_is_about (i, "lofar"));
      g_assert_false (es_published_is_about (i, "localize"));
      for (const char *const *id = published->operations; *id != NULL; id++)
        g_assert_nonnull (es_operation_find (*id, NULL));
      for (guint o = 0; o < G_N_ELEMENTS (operations); o++)
        of[o] += es_published_is_about (i, operations[o]);
      g_assert_cmpuint (es_table_get_n_rows (table), >, 0);
      g_assert_cmpuint (es_table_get_n_columns (table), >, 1);
    }
  for (guint o = 0; o < G_N_ELEMENTS (operations); o++)
    g_assert_cmpuint (of[o], >=, 9);
  g_assert_false (es_published_find ("phd-9.9", &i));
}

static void
test_values (void)
{
  g_assert_cmpfloat (es_published_get_value (find ("phd-5.3"), "D2", "V4"), ==, 269.42);
  g_assert_cmpfloat (es_published_get_value (find ("msc-pca-total-speed-ups"), "D4", "MPI and OpenMP, 2 GPUs"), ==,
                     128.8);
  g_assert_true (isnan (es_published_get_value (find ("msc-covariance"), "D6", "CUDA II-3")));
  g_assert_true (isnan (es_published_get_value (find ("phd-5.3"), "D9", "V4")));
  g_assert_cmpfloat (es_published_get_value (find ("matrices-4.1"), "Andrews", "Vertical aligned blocks (VAB)"), ==,
                     78);
  g_assert_cmpfloat (es_published_get_value (find ("matrices-4.3"), "af_0_k101", "Rows"), ==, 503265);
  g_assert_true (es_published_is_about (find ("matrices-claims"), "sparse-solve"));
  /* Less than is printed. */
  g_assert_cmpfloat (es_published_get_value (find ("phd-6.10"), "Diagonal loading", "64"), ==, 0);
}

/* What the specification marks is marked, at its place, with a sentence. */
static void
test_marks (void)
{
  static const struct { const char *table, *row, *column; EsPublishedMarkKind kind; const char *says; } each[] = {
    { "phd-6.8", "512", "Speed-up", ES_PUBLISHED_RECOMPUTED, "29.9" },
    { "phd-6.8", "32768", "1 GPU", ES_PUBLISHED_DOUBT, "16384" },
    { "msc-pca-total-speed-ups", "D3", "MPI and OpenMP, 2 GPUs", ES_PUBLISHED_RECOMPUTED, "106.6" },
    { "msc-output", "D5", "MPI + OpenMP", ES_PUBLISHED_DOUBT, "5.89" },
    { "phd-ladder-gains", "Noise", "Gain over the first parallel version", ES_PUBLISHED_RECOMPUTED, "6.0" },
    { "phd-6.2", "mkl_many", "1024", ES_PUBLISHED_DOUBT, "246" },
    { "fastica-iterations", "D4", "Master's thesis 2013", ES_PUBLISHED_NOTE, "468" },
    { "msc-covariance", "D6", "CUDA II-3", ES_PUBLISHED_GAP, "memory" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (each); i++)
    {
      const guint t = find (each[i].table);
      const EsPublishedTable *table = _es_published_table (t);
      g_autoptr (EsTable) shown = es_published_make_table (t);
      gboolean found = FALSE;
      guint r, c;

      g_assert_nonnull (_es_published_find_head (table->rows, each[i].row, &r));
      g_assert_nonnull (_es_published_find_head (table->columns, each[i].column, &c));
      for (guint m = 0; m < es_published_get_n_marks (t); m++)
        {
          const EsPublishedMark mark = es_published_get_mark (t, m);

          found |= mark.kind == each[i].kind && strstr (mark.text, each[i].says) != NULL
                   && g_strcmp0 (mark.symbol, es_table_get_mark (shown, r, c + 1)) == 0;
        }
      g_assert_true (found);
    }

  /* Of a row, of a column, of the whole table. */
  g_autoptr (EsTable) angles = es_published_make_table (find ("phd-6.5"));
  g_assert_cmpstr (es_table_get_mark (angles, 7, 0), ==, "a");
  g_assert_null (es_table_get_mark (angles, 3, 0));
  g_assert_null (es_table_get_mark (angles, 7, 1));
  g_autoptr (EsTable) kernels = es_published_make_table (find ("phd-5.3"));
  g_assert_cmpstr (es_table_get_column_title (kernels, 1), ==, "V0 [a]");
  g_assert_cmpstr (es_table_get_column_title (kernels, 6), ==, "V4_1 [b c]");
  g_assert_cmpstr (es_published_get_mark (find ("msc-fastica-totals"), 0).symbol, ==, "");
  g_assert_nonnull (strstr (es_published_get_mark (find ("msc-fastica-totals"), 0).text, "4.10"));

  /* As many digits as were printed. */
  g_autoptr (EsTable) gains = es_published_make_table (find ("phd-ladder-gains"));
  g_assert_cmpstr (es_table_get_text (gains, 0, 1), ==, "69");
  g_assert_cmpstr (es_table_get_text (gains, 5, 1), ==, "1.18");
}

static double
ours (const char *program, const char *step, const char *unit, gpointer data)
{
  if (strcmp (program, "cpu-1") == 0 && strcmp (step, "covariance") == 0)
    return strcmp (unit, "%") == 0 ? 80 : strcmp (unit, "ms") == 0 ? 1234.5 : NAN;
  if (strcmp (program, "cuda") == 0 && strcmp (step, "total") == 0 && strcmp (unit, "×") == 0)
    return 40;
  return NAN;
}

/* A row where columns are programs or steps, a column a unit where rows are, nothing where neither are. */
static void
test_ours (void)
{
  const guint covariance = find ("msc-covariance"), steps = find ("phd-pca-steps");
  const guint programs = find ("phd-pca-speed-ups");
  gboolean any;
  g_autoptr (EsTable) row = es_published_make_table_with (covariance, "Here", ours, NULL, &any);
  g_autoptr (JsonNode) json = es_published_to_json_with (steps, ours, NULL);
  const guint n = es_table_get_n_rows (row);
  JsonArray *told;

  g_assert_true (any);
  g_assert_cmpuint (n, ==, 7);
  g_assert_cmpstr (es_table_get_text (row, 6, 0), ==, "Here");
  g_assert_cmpstr (es_table_get_mark (row, 6, 0), ==, "*");
  g_assert_cmpfloat (es_table_get_value (row, 6, 1), ==, 1234.5);
  g_assert_true (isnan (es_table_get_value (row, 6, 2)));

  g_autoptr (EsTable) columns = es_published_make_table_with (steps, "Here", ours, NULL, &any);
  g_assert_true (any);
  g_assert_cmpuint (es_table_get_n_columns (columns), ==, 5);
  g_assert_cmpstr (es_table_get_column_title (columns, 3), ==, "Here *");
  g_assert_cmpstr (es_table_get_column_unit (columns, 3), ==, "ms");
  g_assert_cmpfloat (es_table_get_value (columns, 1, 3), ==, 1234.5);
  g_assert_cmpstr (es_table_get_column_unit (columns, 4), ==, "%");
  g_assert_cmpfloat (es_table_get_value (columns, 1, 4), ==, 80);
  told = json_object_get_array_member (json_object_get_object_member (json_node_get_object (json), "here"), "columns");
  g_assert_cmpuint (json_array_get_length (told), ==, 2);

  g_autoptr (EsTable) speed_ups = es_published_make_table_with (programs, "Here", ours, NULL, &any);
  g_assert_true (any);
  g_assert_cmpfloat (es_table_get_value (speed_ups, 4, 4), ==, 40);
  g_assert_true (isnan (es_table_get_value (speed_ups, 0, 4)));

  g_autoptr (EsTable) none = es_published_make_table_with (find ("phd-5.5"), "Here", ours, NULL, &any);
  g_assert_false (any);
  g_assert_cmpuint (es_table_get_n_rows (none), ==, 3);
}

static void
check_rung (const char *ladder, const char *row, const char *rung, double expected, const char *table)
{
  const EsPublished *published = NULL;
  double ms;

  if (!es_published_find_ladder (ladder, row, rung, &ms, &published))
    g_error ("nothing of %s, %s, %s", ladder, row, rung);
  g_assert_cmpfloat (ms, ==, expected);
  g_assert_cmpstr (published->id, ==, table);
  g_assert_cmpstr (published->ladder, ==, ladder);
}

static void
test_ladders (void)
{
  static const struct { const char *ladder, *rows; } each[] = {
    { "covariance", "D1 D2 D3 D4 D5 D6" }, { "transform", "D2 D3 D4" }, { "ica", "D2 D3 D4" }, { "noise", "D2 D3 D4" },
    { "fourier", "128 256 512 1024 2048" }, { "beams", "1024" }, { "jacobi", "1024 2048" }, { "azimuth", "1024 2048" },
  };
  double ms;

  check_rung ("covariance", "D2", "v0", 8262.08, "phd-5.3");
  check_rung ("covariance", "D4", "v4-4", 3384.11, "phd-5.3");
  check_rung ("covariance", "D2", "i", 6547.24, "msc-covariance");
  check_rung ("covariance", "D1", "ii-3", 232.8, "msc-covariance");
  check_rung ("covariance", "D3", "iii", 1795.95, "msc-covariance");
  check_rung ("transform", "D3", "v1", 200.20, "phd-5.4");
  check_rung ("ica", "D2", "v5", 2.47, "phd-5.5");
  check_rung ("noise", "D4", "v0", 1011.15, "phd-5.6");
  check_rung ("fourier", "512", "cufft-many", 6.36, "phd-6.1");
  check_rung ("beams", "1024", "v3", 61.88, "phd-6.3");
  check_rung ("jacobi", "2048", "v2", 77.83, "phd-6.12");
  check_rung ("azimuth", "1024", "v3", 5.35, "phd-6.13");
  check_rung ("azimuth", "2048", "v3", 31.67, "phd-6.14");
  check_rung ("azimuth", "2048", "v6", 24.19, "phd-6.14");
  for (guint i = 0; i < G_N_ELEMENTS (each); i++)
    {
      g_auto (GStrv) rows = es_published_list_ladder_rows (each[i].ladder);
      g_auto (GStrv) expected = g_strsplit (each[i].rows, " ", -1);

      g_assert_cmpuint (g_strv_length (rows), ==, g_strv_length (expected));
      for (char **row = expected; *row != NULL; row++)
        g_assert_true (g_strv_contains ((const char *const *) rows, *row));
    }
  /* A gap, another scene, another rung, another ladder. */
  g_assert_false (es_published_find_ladder ("covariance", "D6", "ii-3", &ms, NULL));
  g_assert_true (isnan (ms));
  g_assert_false (es_published_find_ladder ("transform", "D1", "v0", &ms, NULL));
  g_assert_false (es_published_find_ladder ("covariance", "D2", "v5", &ms, NULL));
  g_assert_false (es_published_find_ladder ("stairs", "D2", "v0", &ms, NULL));
}

static void
test_json (void)
{
  g_autoptr (JsonNode) node = es_published_to_json (find ("phd-6.8"));
  JsonObject *root = json_node_get_object (node), *row, *mark;

  g_assert_cmpstr (json_object_get_string_member (root, "source"), ==, "PhD thesis 2017, table 6.8");
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (root, "columns")), ==, 3);
  row = json_array_get_object_element (json_object_get_array_member (root, "rows"), 2);
  g_assert_cmpstr (json_object_get_string_member (row, "label"), ==, "512");
  g_assert_cmpfloat (json_array_get_double_element (json_object_get_array_member (row, "values"), 2), ==, 30.0);
  mark = json_array_get_object_element (json_object_get_array_member (root, "marks"), 0);
  g_assert_cmpstr (json_object_get_string_member (mark, "kind"), ==, "recomputed");
  g_assert_cmpfloat (json_object_get_double_member (mark, "value"), ==, 29.9);
  g_assert_false (json_object_has_member (root, "here"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/published/tables", test_tables);
  g_test_add_func ("/published/values", test_values);
  g_test_add_func ("/published/marks", test_marks);
  g_test_add_func ("/published/ours", test_ours);
  g_test_add_func ("/published/ladders", test_ladders);
  g_test_add_func ("/published/json", test_json);
  return g_test_run ();
}
