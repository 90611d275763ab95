/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/es-error.h"
#include "layer/es-layer-internal.h"
#include "readers/es-open.h"
#include "operations/es-operations.h"
#include "result/es-result-internal.h"
#include "es-test-folder.h"
#include "writers/es-writer.h"
#include "session/es-result-load-private.h"

static const double transform[6] = { 364095, 30, 0, 5809965, 0, -30 };
static const char all_files[] =
  "components.hdr components.img curve-2.csv curve.csv result.json steps.csv table.csv";

static EsImageStack *
make_stack (const char *path)
{
  g_autoptr (GError) error = NULL;
  EsImageStack *stack = es_image_stack_new ("components", "Components", 20, 10, 2, 0, path, &error);
  float values[400];

  g_assert_no_error (error);
  for (guint i = 0; i < 400; i++)
    values[i] = i;
  g_assert_true (es_image_stack_write (stack, 0, 0, 20, 10, values, 200, NULL));
  es_image_stack_set_plane (stack, 0, "PC 1", 0.9);
  es_image_stack_set_plane (stack, 1, "PC 2", 0.1);
  es_image_stack_set_unit (stack, "reflectance");
  return stack;
}

static void
stage_clear (gpointer data)
{
  EsStageTime *stage = data;

  g_free (stage->name);
  g_free (stage->title);
}

static EsResult *
make_result (EsImageStack *stack)
{
  g_autoptr (GError) error = NULL;
  const EsOperation *operation = es_operation_find ("pca", &error);
  g_assert_no_error (error);
  g_autoptr (EsCube) cube = es_test_cube_new (20, 10, transform, NULL);
  g_autoptr (EsParams) params = es_params_new (operation->params);
  EsResult *result = es_result_new (operation, ES_DATASET (cube), params);
  const double x[] = { 400, 500 }, y[] = { 1, 2 };
  g_autoptr (EsCurve) first = es_curve_new ("curve", "A curve", "loadings", 2, x, "Wavelength", "nm");
  /* The same name again: it must not overwrite the first. */
  g_autoptr (EsCurve) second = es_curve_new ("curve", "Another", "loadings", 2, x, "Wavelength", "nm");
  g_autoptr (EsTable) table = es_table_new ("table", "A table");
  g_autoptr (GArray) stages = g_array_new (FALSE, FALSE, sizeof (EsStageTime));
  EsStageTime stage = { g_strdup ("input"), g_strdup ("Input"), 12.5 };

  g_array_set_clear_func (stages, stage_clear);
  g_array_append_val (stages, stage);
  es_curve_add_series (first, "PC 1", "%", ES_CURVE_LINE, FALSE, y);
  es_curve_add_series (first, "PC 2", "%", ES_CURVE_LINE, FALSE, y);
  es_table_add_column (table, "Value", NULL, 1);
  es_table_add_row (table, (gconstpointer[]) { &y[1] });
  es_result_add_layer (result, ES_LAYER (stack));
  es_result_add_layer (result, ES_LAYER (first));
  es_result_add_layer (result, ES_LAYER (second));
  es_result_add_layer (result, ES_LAYER (table));
  es_result_set_run (result, es_device_get_cpu (), 2, stages, 50);
  return result;
}

static JsonArray *
get_layers (JsonParser *parser, const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "result.json", NULL);
  g_autoptr (GError) error = NULL;

  json_parser_load_from_file (parser, path, &error);
  g_assert_no_error (error);
  return json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)), "layers");
}

static void
check_layer (JsonArray *layers, guint i, const char *name, const char *kind, const char *file,
             const char *shape, const char *type, const char *unit)
{
  JsonObject *layer = json_array_get_object_element (layers, i);

  g_assert_cmpstr (json_object_get_string_member (layer, "name"), ==, name);
  g_assert_cmpstr (json_object_get_string_member (layer, "kind"), ==, kind);
  g_assert_cmpstr (json_object_get_string_member (layer, "file"), ==, file);
  g_assert_cmpstr (json_object_get_string_member (layer, "shape"), ==, shape);
  g_assert_cmpstr (json_object_get_string_member (layer, "type"), ==, type);
  g_assert_cmpstr (json_object_get_string_member_with_default (layer, "unit", NULL), ==, unit);
}

static void
check_list (const char *folder, const char *expected)
{
  g_autofree char *files = es_test_folder_list (folder);

  g_assert_cmpstr (files, ==, expected);
}

static void
test_whole (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autofree char *deep = g_build_filename (folder, "made", "by", "saving", NULL);
  g_autoptr (GFile) directory = g_file_new_for_path (deep);
  g_autoptr (EsImageStack) stack = make_stack (NULL);
  g_autoptr (EsResult) result = make_result (stack);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;

  es_write_result (result, directory, ES_STACK_ENVI, NULL, &error);
  g_assert_no_error (error);
  check_list (deep, all_files);

  JsonArray *layers = get_layers (parser, deep);
  g_assert_cmpuint (json_array_get_length (layers), ==, 5);
  check_layer (layers, 0, "components", "image-stack", "components.img", "20x10x2", "float32", "reflectance");
  check_layer (layers, 1, "curve", "curve", "curve.csv", "2x2", "float64", "%");
  check_layer (layers, 2, "curve", "curve", "curve-2.csv", "2x0", "float64", NULL);
  check_layer (layers, 3, "table", "table", "table.csv", "1x1", "float64", NULL);
  check_layer (layers, 4, "steps", "table", "steps.csv", "2x3", "text", NULL);
  JsonObject *root = json_node_get_object (json_parser_get_root (parser));
  g_assert_cmpstr (json_object_get_string_member (root, "operation"), ==, "pca");
  g_assert_cmpfloat (json_object_get_double_member (root, "total_ms"), ==, 50);

  /* What the list says is there can be opened as what it says it is. */
  g_autoptr (GFile) image = es_test_file (deep, "components.img");
  g_autoptr (EsDataset) dataset = es_dataset_open (image, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (ES_IS_CUBE (dataset));
  g_assert_cmpuint (es_cube_get_width (ES_CUBE (dataset)), ==, 20);
  g_assert_cmpstr (es_cube_get_band_name (ES_CUBE (dataset), 1), ==, "PC 2");
  const double *place = es_cube_get_geotransform (ES_CUBE (dataset));
  g_assert_nonnull (place);
  for (guint i = 0; i < 6; i++)
    g_assert_cmpfloat (place[i], ==, transform[i]);
}

static void
test_again_and_geotiff (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (GFile) directory = g_file_new_for_path (folder);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;

  es_test_write_text (folder, "result.json", "an old result");
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (EsImageStack) stack = make_stack (NULL);
      g_autoptr (EsResult) result = make_result (stack);
      es_write_result (result, directory, ES_STACK_ENVI, NULL, &error);
      g_assert_no_error (error);
      check_list (folder, "components.hdr components.img curve-2.csv curve.csv result.json result.json.~1~ steps.csv "
                          "table.csv");
      es_test_assert_text (folder, "result.json.~1~", "an old result");
    }

  g_autoptr (EsTestFolder) other = es_test_folder_make ();
  g_autoptr (GFile) other_directory = g_file_new_for_path (other);
  g_autoptr (EsImageStack) stack = make_stack (NULL);
  g_autoptr (EsResult) result = make_result (stack);
  es_write_result (result, other_directory, ES_STACK_GEOTIFF, NULL, &error);
  g_assert_no_error (error);
  check_list (other, "components.tif curve-2.csv curve.csv result.json steps.csv table.csv");
  check_layer (get_layers (parser, other), 0, "components", "image-stack", "components.tif", "20x10x2",
               "float32", "reflectance");
}

/* A stack that was made in the directory is renamed, not copied. */
static void
test_taken_over (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autofree char *path = g_build_filename (folder, ".components.img.part", NULL);
  g_autofree char *final = g_build_filename (folder, "components.img", NULL);
  g_autoptr (GFile) directory = g_file_new_for_path (folder);
  g_autoptr (EsImageStack) stack = make_stack (path);
  g_autoptr (EsResult) result = make_result (stack);
  g_autoptr (GError) error = NULL;
  struct stat before, after;
  float value;

  g_assert_cmpint (stat (es_image_stack_get_path (stack), &before), ==, 0);
  es_write_result (result, directory, ES_STACK_ENVI, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (stat (final, &after), ==, 0);
  g_assert_cmpuint (before.st_ino, ==, after.st_ino);
  g_assert_true (es_image_stack_read (stack, 1, 3, 2, 1, 1, 1, &value, &error));
  g_assert_cmpfloat (value, ==, 243);
  g_clear_object (&result);
  g_clear_object (&stack);
  check_list (folder, all_files);
}

static void
test_failures (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (GFile) directory = g_file_new_for_path (folder);
  g_autoptr (GFile) new_directory = es_test_file (folder, "new/deep");
  g_autoptr (GFile) on_file = es_test_file (folder, "result.json");
  g_autofree char *in_the_way = g_build_filename (folder, "table.csv", NULL);
  g_autoptr (EsImageStack) stack = make_stack (NULL);
  g_autoptr (EsResult) result = make_result (stack);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) blocked = NULL, cancelled = NULL, full = NULL, not_a_directory = NULL;
  g_autoptr (GError) below_a_file = NULL;
  g_autoptr (GFile) below = es_test_file (folder, "result.json/deep");

  es_test_write_text (folder, "result.json", "old result");
  es_test_write_text (folder, "components.img", "old components");
  g_assert_cmpint (g_mkdir (in_the_way, 0777), ==, 0);
  g_assert_false (es_write_result (result, directory, ES_STACK_ENVI, NULL, &blocked));
  g_assert_error (blocked, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  g_assert_nonnull (strstr (blocked->message, "table.csv"));

  g_cancellable_cancel (cancellable);
  g_assert_false (es_write_result (result, new_directory, ES_STACK_ENVI, cancellable, &cancelled));
  g_assert_error (cancelled, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  es_test_limit_files (1000);
  g_assert_false (es_write_result (result, new_directory, ES_STACK_ENVI, NULL, &full));
  es_test_limit_files (G_MAXUINT64);
  g_assert_error (full, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);

  g_assert_false (es_write_result (result, on_file, ES_STACK_ENVI, NULL, &not_a_directory));
  g_assert_error (not_a_directory, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  g_assert_false (es_write_result (result, below, ES_STACK_ENVI, NULL, &below_a_file));
  g_assert_error (below_a_file, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);

  check_list (folder, "components.img result.json table.csv");
  es_test_assert_text (folder, "result.json", "old result");
  es_test_assert_text (folder, "components.img", "old components");
}

/* A name is never a way out of the directory. */
static void
test_names (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (GFile) directory = es_test_file (folder, "in");
  g_autoptr (EsImageStack) stack = make_stack (NULL);
  g_autoptr (EsResult) result = make_result (stack);
  g_autoptr (EsTable) table = es_table_new ("../escape", "Escape");
  g_autoptr (GError) error = NULL;

  es_table_add_column (table, "A", NULL, 1);
  es_result_add_layer (result, ES_LAYER (table));
  es_write_result (result, directory, ES_STACK_ENVI, NULL, &error);
  g_assert_no_error (error);
  check_list (folder, "in");
}

/* Matrices come back as they were, whatever their titles hold; and a cut or forged one is refused. */
static void
test_matrix (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (GError) error = NULL;
  const double values[] = { 1, -0.25, NAN, 1 / 3.0, 0, 1e-300 };
  const char *rows[] = { "IC 1, \"quoted\"", "a\nline" }, *columns[] = { "x,y", "", "z" };
  g_autoptr (EsMatrix) matrix = es_matrix_new ("correlations", "Correlations", 2, 3, values, rows, columns);
  g_autoptr (EsImageStack) stack = make_stack (NULL);
  g_autoptr (EsResult) result = make_result (stack);
  g_autoptr (GFile) directory = es_test_file (folder, "saved"), csv = es_test_file (folder, "alone.csv");
  g_autofree char *text = NULL, *name = g_build_filename (folder, "saved", "correlations.csv", NULL);
  JsonObject *object;

  es_matrix_set_titles (matrix, "FastICA, 2", NULL);
  es_matrix_set_range (matrix, -1, 1);
  es_result_add_layer (result, ES_LAYER (matrix));
  g_assert_true (es_write_result (result, directory, ES_STACK_ENVI, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (es_write_matrix_csv (matrix, csv, &error));
  text = es_test_read (folder, "alone.csv", NULL);
  g_assert_cmpstr (text, ==, "\"FastICA, 2\",\"x,y\",,z\r\n\"IC 1, \"\"quoted\"\"\",1,-0.25,\r\n"
                             "a\\x0aline,0.3333333333333333,0,1e-300\r\n");
  es_test_assert_text (g_file_peek_path (directory), "correlations.csv", text);

  /* The result's own cube is one in memory: only the layer is opened again, through a result of a cube on disk. */
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonArray *layers = get_layers (parser, g_file_peek_path (directory));
  object = json_array_get_object_element (layers, json_array_get_length (layers) - 2);
  g_assert_cmpstr (json_object_get_string_member (object, "kind"), ==, "matrix");
  g_assert_cmpstr (json_object_get_string_member (object, "shape"), ==, "2x3");
  g_autoptr (EsMatrix) again = ES_MATRIX (es_result_load_matrix (object, directory, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < 6; i++)
    g_assert_true (isnan (values[i]) ? isnan (es_matrix_get_values (again)[i])
                                     : es_matrix_get_values (again)[i] == values[i]);
  g_assert_cmpstr (es_matrix_get_row_title (again, 1), ==, "a\\x0aline");
  g_assert_cmpstr (es_matrix_get_rows_title (again), ==, "FastICA, 2");
  g_assert_null (es_matrix_get_columns_title (again));

  *strrchr (text, 'a') = '\0';
  g_assert_true (g_file_set_contents (name, text, -1, NULL));
  g_assert_null (es_result_load_matrix (object, directory, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
}

/* json-glib's own text of numbers that are a power of ten is none that others read. */
static void
test_numbers (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (GFile) directory = es_test_file (folder, "saved");
  g_autoptr (GError) error = NULL;
  g_autoptr (EsImageStack) stack = make_stack (NULL);
  g_autoptr (EsResult) result = make_result (stack);
  JsonObject *values = json_object_new ();
  g_autofree char *text = NULL;

  json_object_set_double_member (values, "small", 1e-10);
  json_object_set_double_member (values, "large", -1e20);
  json_object_set_double_member (values, "whole", 3);
  json_object_set_double_member (values, "none", NAN);
  json_object_set_double_member (values, "endless", -INFINITY);
  json_object_set_string_member (values, "text", "1e-10.0 \\ \"nan 1e-10.0");
  es_result_set_values (result, values);
  g_assert_true (es_write_result (result, directory, ES_STACK_ENVI, NULL, &error));
  g_assert_no_error (error);
  text = es_test_read (g_file_peek_path (directory), "result.json", NULL);
  g_assert_nonnull (strstr (text, "\"small\" : 1e-10,"));
  g_assert_nonnull (strstr (text, "\"large\" : -1e+20,"));
  g_assert_nonnull (strstr (text, "\"whole\" : 3.0,"));
  g_assert_nonnull (strstr (text, "\"none\" : null,"));
  g_assert_nonnull (strstr (text, "\"endless\" : null,"));
  g_assert_nonnull (strstr (text, "1e-10.0 \\\\ \\\"nan 1e-10.0"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/save-result/whole", test_whole);
  g_test_add_func ("/save-result/again-and-geotiff", test_again_and_geotiff);
  g_test_add_func ("/save-result/taken-over", test_taken_over);
  g_test_add_func ("/save-result/failures", test_failures);
  g_test_add_func ("/save-result/names", test_names);
  g_test_add_func ("/save-result/matrix", test_matrix);
  g_test_add_func ("/save-result/numbers", test_numbers);
  return g_test_run ();
}
