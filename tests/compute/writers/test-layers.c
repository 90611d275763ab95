/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/es-error.h"
#include "layer/es-layer-internal.h"
#include "es-test-folder.h"

enum { IN_MEMORY, UNNAMED, NAMED, N_PLACES };

static const guint64 width = 37, height = 23;
static const guint planes = 3;

static EsImageStack *
make_stack (int place, const char *folder)
{
  g_autofree char *path = place == NAMED ? g_build_filename (folder, "layer.img", NULL) : NULL;
  g_autoptr (GError) error = NULL;
  const guint64 limit = place == UNNAMED ? 1 : 0;
  EsImageStack *stack = es_image_stack_new ("layer", "Layer", width, height, planes, limit, path, &error);
  g_assert_no_error (error);
  return stack;
}

static float
value_at (guint plane, guint64 x, guint64 y)
{
  return plane * 10000 + y * 100 + x;
}

/* Windows of every shape that together cover the stack once. */
static void
fill (EsImageStack *stack)
{
  const guint64 windows[][4] = {
    { 0, 0, 37, 5 }, { 0, 5, 11, 18 }, { 11, 5, 26, 1 }, { 11, 6, 1, 17 }, { 12, 6, 25, 16 },
    { 12, 22, 25, 1 },
  };

  for (guint w = 0; w < G_N_ELEMENTS (windows); w++)
    {
      const guint64 *window = windows[w];
      /* Wider than needed: nothing between the planes may be written. */
      gsize stride = window[2] * window[3] + 7;
      g_autofree float *values = g_new (float, stride * planes);
      g_autoptr (GError) error = NULL;

      for (gsize i = 0; i < stride * planes; i++)
        values[i] = -1;
      for (guint p = 0; p < planes; p++)
        for (guint64 j = 0; j < window[3]; j++)
          for (guint64 i = 0; i < window[2]; i++)
            values[p * stride + j * window[2] + i] = value_at (p, window[0] + i, window[1] + j);
      g_assert_true (es_image_stack_write (stack, window[0], window[1], window[2], window[3], values, stride,
                                           &error));
      g_assert_no_error (error);
    }
}

static void
check_window (EsImageStack *stack, guint plane, guint64 x, guint64 y, guint64 w, guint64 h, guint step)
{
  gsize n = (w + step - 1) / step * ((h + step - 1) / step), k = 0;
  g_autofree float *out = g_new (float, n + 1);
  g_autoptr (GError) error = NULL;

  out[n] = -7;
  g_assert_true (es_image_stack_read (stack, plane, x, y, w, h, step, out, &error));
  g_assert_no_error (error);
  for (guint64 j = 0; j < h; j += step)
    for (guint64 i = 0; i < w; i += step)
      g_assert_cmpfloat (out[k++], ==, value_at (plane, x + i, y + j));
  g_assert_cmpfloat (out[n], ==, -7);
}

static void
test_stack (gconstpointer data)
{
  const int place = GPOINTER_TO_INT (data);
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (EsImageStack) stack = make_stack (place, folder);

  fill (stack);
  for (guint plane = 0; plane < planes; plane++)
    for (guint step = 1; step < 50; step += 6)
      {
        check_window (stack, plane, 0, 0, width, height, step);
        check_window (stack, plane, 3, 2, 20, 19, step);
        check_window (stack, plane, 36, 22, 1, 1, step);
        check_window (stack, plane, 0, 7, width, 4, step);
      }
  if (place == UNNAMED)
    {
      g_autofree char *files = g_build_filename (g_get_user_cache_dir (), "eigenscope", NULL);
      g_autofree char *left = es_test_folder_list (files);
      g_assert_cmpstr (left, ==, "");
    }
  if (place == IN_MEMORY)
    g_assert_cmpfloat (es_image_stack_peek (stack, 2)[5 * width + 4], ==, value_at (2, 4, 5));
  else
    g_assert_null (es_image_stack_peek (stack, 2));

  g_assert_cmpuint (es_image_stack_get_width (stack), ==, width);
  g_assert_cmpuint (es_image_stack_get_height (stack), ==, height);
  g_assert_cmpuint (es_image_stack_get_planes (stack), ==, planes);
  g_assert_true (isnan (es_image_stack_get_plane_share (stack, 1)));
  es_image_stack_set_plane (stack, 1, "PC 2", 0.25);
  g_assert_cmpstr (es_image_stack_get_plane_title (stack, 1), ==, "PC 2");
  g_assert_cmpfloat (es_image_stack_get_plane_share (stack, 1), ==, 0.25);
  g_assert_cmpstr (es_layer_get_name (ES_LAYER (stack)), ==, "layer");
  g_assert_cmpstr (es_layer_kind_name (es_layer_get_kind (ES_LAYER (stack))), ==, "image-stack");
}

static void
test_stack_outside (void)
{
  g_autoptr (EsImageStack) stack = make_stack (IN_MEMORY, NULL);
  const guint64 windows[][4] = {
    { 37, 0, 1, 1 }, { 0, 23, 1, 1 }, { 36, 0, 2, 1 }, { 0, 22, 1, 2 }, { 0, 0, 0, 1 }, { 0, 0, 1, 0 },
    { 1, 0, G_MAXUINT64, 1 }, { 0, 1, 1, G_MAXUINT64 },
  };
  float value = 0;

  for (guint i = 0; i < G_N_ELEMENTS (windows); i++)
    {
      g_autoptr (GError) read_error = NULL, write_error = NULL;
      const guint64 *w = windows[i];

      g_assert_false (es_image_stack_read (stack, 0, w[0], w[1], w[2], w[3], 1, &value, &read_error));
      g_assert_error (read_error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE);
      g_assert_false (es_image_stack_write (stack, w[0], w[1], w[2], w[3], &value, 1, &write_error));
      g_assert_error (write_error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE);
    }
}

static void
test_stack_sizes (void)
{
  const guint64 sizes[][3] = {
    { 0, 5, 5 }, { 5, 0, 5 }, { 5, 5, 0 }, { G_MAXUINT64, 2, 1 }, { G_MAXUINT32, G_MAXUINT32, 4 },
    { (guint64) 1 << 31, (guint64) 1 << 30, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (es_image_stack_new ("a", "A", sizes[i][0], sizes[i][1], sizes[i][2], 0, NULL, &error));
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE);
    }

  g_autoptr (GError) error = NULL;
  g_assert_null (es_image_stack_new ("a", "A", (guint64) 1 << 28, (guint64) 1 << 28, 8, 0, NULL, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
}

/* The file of a stack leaves what is at the path alone, and goes with the stack unless it is kept. */
static void
test_stack_file (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  struct stat status;

  es_test_write_text (folder, "layer.img", "old");
  EsImageStack *stack = make_stack (NAMED, folder);
  g_autofree char *path = g_strdup (es_image_stack_get_path (stack));
  g_assert_cmpint (stat (path, &status), ==, 0);
  g_assert_cmpint (status.st_size, ==, width * height * planes * sizeof (float));
  es_test_assert_text (folder, "layer.img", "old");
  g_object_unref (stack);
  g_autofree char *left = es_test_folder_list (folder);
  g_assert_cmpstr (left, ==, "layer.img");

  g_autoptr (EsImageStack) kept = make_stack (NAMED, folder);
  g_autofree char *part = g_strdup (es_image_stack_get_path (kept));
  g_autofree char *target = g_build_filename (folder, "kept.img", NULL);
  fill (kept);
  g_assert_cmpint (rename (part, target), ==, 0);
  es_image_stack_keep_file (kept, target);
  g_assert_null (es_image_stack_get_path (kept));
  check_window (kept, 1, 0, 0, width, height, 1);
  g_clear_object (&kept);
  g_assert_cmpint (stat (target, &status), ==, 0);
}

/* No space: found when the stack is made, and nothing is left. */
static void
test_stack_full (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autofree char *path = g_build_filename (folder, "layer.img", NULL);
  g_autoptr (GError) named = NULL, unnamed = NULL, nowhere = NULL;

  es_test_limit_files (4096);
  g_assert_null (es_image_stack_new ("layer", "Layer", 100, 100, 3, 0, path, &named));
  g_assert_null (es_image_stack_new ("layer", "Layer", 100, 100, 3, 1, NULL, &unnamed));
  es_test_limit_files (G_MAXUINT64);
  g_assert_error (named, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  g_assert_nonnull (strstr (named->message, "layer.img"));
  g_assert_error (unnamed, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  g_autofree char *left = es_test_folder_list (folder);
  g_assert_cmpstr (left, ==, "");

  g_autofree char *missing = g_build_filename (folder, "missing", "layer.img", NULL);
  g_assert_null (es_image_stack_new ("layer", "Layer", 10, 10, 3, 0, missing, &nowhere));
  g_assert_error (nowhere, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
}

/* A file that is cut while the stack is used is an error, not a signal. */
static void
test_stack_cut (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (EsImageStack) stack = make_stack (NAMED, folder);
  g_autofree float *out = g_new (float, width * height);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (truncate (es_image_stack_get_path (stack), 100), ==, 0);
  g_assert_false (es_image_stack_read (stack, 0, 0, 0, width, height, 1, out, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED);
}

typedef struct { EsImageStack *stack; guint64 first; gint failures; } Lane;

static gpointer
write_rows (gpointer data)
{
  Lane *lane = data;

  for (guint64 y = lane->first; y < 400; y += 4)
    for (guint64 x = 0; x < 300; x += 100)
      {
        float values[200];
        for (guint i = 0; i < 200; i++)
          values[i] = value_at (i / 100, x + i % 100, y);
        if (!es_image_stack_write (lane->stack, x, y, 100, 1, values, 100, NULL))
          lane->failures++;
      }
  return NULL;
}

static void
test_stack_threads (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsImageStack) stack = es_image_stack_new ("a", "A", 300, 400, 2, GPOINTER_TO_INT (data), NULL,
                                                       &error);
  GThread *threads[4];
  Lane lanes[4];

  g_assert_no_error (error);
  for (guint i = 0; i < 4; i++)
    {
      lanes[i] = (Lane) { stack, i, 0 };
      threads[i] = g_thread_new ("lane", write_rows, &lanes[i]);
    }
  for (guint i = 0; i < 4; i++)
    {
      g_thread_join (threads[i]);
      g_assert_cmpint (lanes[i].failures, ==, 0);
    }
  check_window (stack, 0, 0, 0, 300, 400, 1);
  check_window (stack, 1, 0, 0, 300, 400, 3);
}

static void
test_curve (void)
{
  double x[] = { 400, 500, 600 }, y[] = { 3, NAN, 1 };
  g_autoptr (EsCurve) curve = es_curve_new ("loadings", "Loadings", "loadings", 3, x, "Wavelength", "nm");

  g_assert_cmpuint (es_curve_get_n_series (curve), ==, 0);
  es_curve_add_series (curve, "PC 1", NULL, ES_CURVE_BARS, TRUE, y);
  x[0] = y[0] = -1;            /* copied */
  es_curve_set_log_y (curve, TRUE);
  es_curve_set_threshold (curve, "threshold", 0.99);

  const EsCurveSeries *series = es_curve_get_series (curve, 0);
  g_assert_cmpfloat (es_curve_get_x (curve)[0], ==, 400);
  g_assert_cmpfloat (series->y[0], ==, 3);
  g_assert_true (isnan (series->y[1]));
  g_assert_cmpstr (series->title, ==, "PC 1");
  g_assert_null (series->unit);
  g_assert_cmpint (series->style, ==, ES_CURVE_BARS);
  g_assert_true (series->right_axis);
  g_assert_true (es_curve_get_log_y (curve));
  g_assert_cmpstr (es_curve_get_role (curve), ==, "loadings");
  g_assert_cmpstr (es_curve_get_threshold_key (curve), ==, "threshold");
  g_assert_cmpfloat (es_curve_get_threshold (curve), ==, 0.99);
  g_assert_cmpstr (es_curve_get_x_unit (curve), ==, "nm");
  g_assert_cmpstr (es_layer_kind_name (es_layer_get_kind (ES_LAYER (curve))), ==, "curve");
}

static void
test_table (void)
{
  g_autoptr (EsTable) table = es_table_new ("steps", "Steps");
  double ms = 12.345, missing = NAN, residual = 9.69923e-9, none = 0;

  es_table_add_column (table, "Step", NULL, -1);
  es_table_add_column (table, "Time", "ms", 1);
  es_table_add_column (table, "Residual", NULL, ES_TABLE_SIGNIFICANT + 3);
  g_assert_cmpuint (es_table_get_n_rows (table), ==, 0);
  es_table_add_row (table, (gconstpointer[]) { "covariance", &ms, &residual });
  es_table_add_row (table, (gconstpointer[]) { NULL, &missing, &none });

  g_assert_cmpuint (es_table_get_n_rows (table), ==, 2);
  g_assert_cmpuint (es_table_get_n_columns (table), ==, 3);
  g_assert_cmpstr (es_table_get_column_unit (table, 1), ==, "ms");
  g_assert_null (es_table_get_column_unit (table, 0));
  g_assert_cmpstr (es_table_get_text (table, 0, 0), ==, "covariance");
  g_assert_true (isnan (es_table_get_value (table, 0, 0)));
  g_assert_cmpstr (es_table_get_text (table, 0, 1), ==, "12.3");
  g_assert_cmpfloat (es_table_get_value (table, 0, 1), ==, ms);
  g_assert_cmpstr (es_table_get_text (table, 1, 0), ==, "");
  g_assert_true (isnan (es_table_get_value (table, 1, 1)));
  g_assert_true (es_table_column_is_text (table, 0));
  g_assert_false (es_table_column_is_text (table, 1));
  g_assert_cmpstr (es_table_get_text (table, 0, 2), ==, "9.7e-09");
  g_assert_cmpstr (es_table_get_text (table, 1, 2), ==, "0");
}

/* Text of a file that a layer shows: one line, no control, no turn of the direction. */
static void
test_names (void)
{
  static const char hostile[] = "<b>&amp;\n\033[31m\342\200\256", shown[] = "<b>&amp;\\x0a\\x1b[31m\\u202e";
  const char *titles[] = { hostile, hostile };
  const double values[] = { 1, 2, 3, 4 }, number = 1;
  g_autoptr (EsMatrix) matrix = es_matrix_new ("m", hostile, 2, 2, values, titles, titles);
  g_autoptr (EsTable) table = es_table_new ("t", hostile);

  es_matrix_set_titles (matrix, hostile, hostile);
  g_assert_cmpstr (es_layer_get_title (ES_LAYER (matrix)), ==, shown);
  g_assert_cmpstr (es_matrix_get_row_title (matrix, 1), ==, shown);
  g_assert_cmpstr (es_matrix_get_column_title (matrix, 0), ==, shown);
  g_assert_cmpstr (es_matrix_get_rows_title (matrix), ==, shown);
  g_assert_cmpstr (es_matrix_get_columns_title (matrix), ==, shown);
  es_table_add_column (table, hostile, hostile, -1);
  es_table_add_column (table, "n", "m", 1);
  es_table_add_row (table, (gconstpointer[]) { hostile, &number });
  g_assert_cmpstr (es_table_get_column_title (table, 0), ==, shown);
  g_assert_cmpstr (es_table_get_column_unit (table, 0), ==, shown);
  /* A cell is data. */
  g_assert_cmpstr (es_table_get_text (table, 0, 0), ==, hostile);
}

int
main (int argc, char **argv)
{
  g_autoptr (EsTestFolder) cache = es_test_folder_make ();

  /* Where files without a name live; read once. */
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/layers/stack/memory", GINT_TO_POINTER (IN_MEMORY), test_stack);
  g_test_add_data_func ("/layers/stack/unnamed-file", GINT_TO_POINTER (UNNAMED), test_stack);
  g_test_add_data_func ("/layers/stack/named-file", GINT_TO_POINTER (NAMED), test_stack);
  g_test_add_func ("/layers/stack/outside", test_stack_outside);
  g_test_add_func ("/layers/stack/sizes", test_stack_sizes);
  g_test_add_func ("/layers/stack/file", test_stack_file);
  g_test_add_func ("/layers/stack/full", test_stack_full);
  g_test_add_func ("/layers/stack/cut", test_stack_cut);
  g_test_add_data_func ("/layers/stack/threads/memory", GINT_TO_POINTER (0), test_stack_threads);
  g_test_add_data_func ("/layers/stack/threads/file", GINT_TO_POINTER (1), test_stack_threads);
  g_test_add_func ("/layers/curve", test_curve);
  g_test_add_func ("/layers/names", test_names);
  g_test_add_func ("/layers/table", test_table);
  return g_test_run ();
}
