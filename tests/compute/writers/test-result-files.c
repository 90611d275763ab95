/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a saved result says of its files, and what of an earlier one goes with the next; previews among the rest. */

#include <glib/gstdio.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-file-sum-internal.h"
#include "es-test-folder.h"
#include "layer/es-layer-internal.h"
#include "operations/es-operations.h"
#include "readers/es-open.h"
#include "result/es-result-internal.h"
#include "result/es-saved-files-internal.h"
#include "result/es-saved-internal.h"
#include "writers/es-writer.h"

/* A stack and a table, both by names that a forged file may have given. */
static EsResult *
make_result (const char *stack_name, const char *table_name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsCube) cube = es_test_cube_new (20, 10, NULL, NULL);
  const EsOperation *operation = es_operation_find ("pca", &error);
  g_autoptr (EsParams) params = es_params_new (operation->params);
  EsResult *result = es_result_new (operation, ES_DATASET (cube), params);
  g_autoptr (EsImageStack) stack = es_image_stack_new (stack_name, "Components", 20, 10, 2, 0, NULL, &error);
  g_autoptr (EsTable) table = es_table_new (table_name, "A table");
  float values[400];

  g_assert_no_error (error);
  for (guint i = 0; i < 400; i++)
    values[i] = i;
  g_assert_true (es_image_stack_write (stack, 0, 0, 20, 10, values, 200, NULL));
  es_table_add_column (table, "Value", NULL, 1);
  es_result_add_layer (result, ES_LAYER (stack));
  es_result_add_layer (result, ES_LAYER (table));
  return result;
}

static gboolean
save (const char *folder, const char *table_name, EsStackFormat format, gboolean previews, GPtrArray *notes,
      GCancellable *cancellable, GError **error)
{
  g_autoptr (EsResult) result = make_result ("components", table_name);
  g_autoptr (GFile) directory = g_file_new_for_path (folder);

  return es_write_result_with (result, directory, &(EsResultWriting) { format, previews, notes }, cancellable, error);
}

static void
save_well (const char *folder, const char *table_name, EsStackFormat format, gboolean previews, GPtrArray *notes)
{
  g_autoptr (GError) error = NULL;

  g_ptr_array_set_size (notes, 0);
  save (folder, table_name, format, previews, notes, NULL, &error);
  g_assert_no_error (error);
}

static void
check_list (const char *folder, const char *expected)
{
  g_autofree char *files = es_test_folder_list (folder);

  g_assert_cmpstr (files, ==, expected);
}

static JsonNode *
parse (const char *folder)
{
  g_autoptr (GFile) file = es_test_file (folder, "result.json");
  g_autoptr (GError) error = NULL;
  JsonNode *root = es_saved_parse (file, "result.json", NULL, &error);

  g_assert_no_error (error);
  return root;
}

static void
check_note (GPtrArray *notes, const char *word)
{
  g_assert_cmpuint (notes->len, ==, 1);
  if (strstr (g_ptr_array_index (notes, 0), word) == NULL)
    g_error ("“%s” does not name %s", (const char *) g_ptr_array_index (notes, 0), word);
}

static void
test_records (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  static const char *const names[] = { "components.img", "components.hdr", "table.csv", "steps.csv" };
  JsonArray *files;

  save_well (folder, "table", ES_STACK_ENVI, FALSE, notes);
  g_autoptr (JsonNode) root = parse (folder);
  JsonObject *object = json_node_get_object (root);
  g_assert_cmpint (json_object_get_int_member (object, ES_SAVED_FORMAT_MEMBER), ==, ES_SAVED_FORMAT);
  g_assert_cmpuint (es_saved_get_array (object, "files", &files), ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      JsonObject *record = json_array_get_object_element (files, i);
      gsize length;
      g_autofree char *text = es_test_read (folder, names[i], &length);
      g_autofree char *sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (guint8 *) text, length);
      JsonArray *sums = json_object_get_array_member (record, "sha256");

      g_assert_cmpstr (json_object_get_string_member (record, "name"), ==, names[i]);
      g_assert_cmpstr (json_object_get_string_member (record, "layer"), ==,
                       i < 2 ? "components" : i == 2 ? "table" : "steps");
      g_assert_cmpuint (json_object_get_int_member (record, "size"), ==, length);
      g_assert_cmpuint (json_array_get_length (sums), ==, 1);
      g_assert_cmpstr (json_array_get_string_element (sums, 0), ==, sum);
    }
  g_assert_null (es_saved_check_files (object, folder, NULL, NULL, NULL));
}

/* Blocks of a file that is larger than one, whichever are asked for. */
static void
test_blocks (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autofree char *path = g_build_filename (folder, "large", NULL);
  const gsize length = 3 * ES_FILE_SUM_BLOCK + 5;
  g_autofree guint8 *bytes = g_malloc (length);
  const guint64 some[2] = { 1, 3 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL, cancelled = NULL, missing = NULL;

  for (gsize i = 0; i < length; i++)
    bytes[i] = (guint8) (i * 31 >> 7);
  g_assert_true (g_file_set_contents (path, (char *) bytes, length, NULL));
  g_assert_cmpuint (es_file_sum_n_blocks (length), ==, 4);
  g_assert_cmpuint (es_file_sum_n_blocks (0), ==, 1);
  g_assert_cmpuint (es_file_sum_n_blocks (ES_FILE_SUM_BLOCK), ==, 1);
  g_auto (GStrv) all = es_file_sum (path, NULL, 4, NULL, &error);
  g_auto (GStrv) two = es_file_sum (path, some, 2, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 4; i++)
    {
      const gsize from = i * ES_FILE_SUM_BLOCK;
      g_autofree char *sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, bytes + from,
                                                          MIN (ES_FILE_SUM_BLOCK, length - from));
      g_assert_cmpstr (all[i], ==, sum);
    }
  g_assert_cmpstr (two[0], ==, all[1]);
  g_assert_cmpstr (two[1], ==, all[3]);

  /* What time allows: the whole, three blocks, or the size alone. */
  g_autoptr (JsonObject) record = es_saved_file_record (path, "large", "layer", NULL, &error);
  g_assert_no_error (error);
  bytes[ES_FILE_SUM_BLOCK + 7]++;
  g_assert_true (g_file_set_contents (path, (char *) bytes, length, NULL));
  guint64 budget = length, little = length - 1, none = 0;
  g_assert_cmpint (es_saved_file_check (record, folder, NULL, NULL), ==, ES_SAVED_FILE_CONTENT);
  g_assert_cmpint (es_saved_file_check (record, folder, &budget, NULL), ==, ES_SAVED_FILE_CONTENT);
  g_assert_cmpint (es_saved_file_check (record, folder, &little, NULL), ==, ES_SAVED_FILE_SAME);
  g_assert_cmpuint (little, <, 5);
  bytes[3]++;
  g_assert_true (g_file_set_contents (path, (char *) bytes, length, NULL));
  little = length - 1;
  g_assert_cmpint (es_saved_file_check (record, folder, &little, NULL), ==, ES_SAVED_FILE_CONTENT);
  g_assert_cmpint (es_saved_file_check (record, folder, &none, NULL), ==, ES_SAVED_FILE_SAME);
  g_assert_true (g_file_set_contents (path, (char *) bytes, length - 1, NULL));
  g_assert_cmpint (es_saved_file_check (record, folder, &none, NULL), ==, ES_SAVED_FILE_SIZE);

  g_cancellable_cancel (cancellable);
  g_assert_null (es_file_sum (path, NULL, 4, cancellable, &cancelled));
  g_assert_error (cancelled, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (es_file_sum (folder, NULL, 1, NULL, &missing));
  g_assert_error (missing, ES_DATA_ERROR, ES_DATA_ERROR_OPEN);
}

/* Its own files go, also those of another format; altered and foreign ones stay and are named. */
static void
test_earlier (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);

  save_well (folder, "first", ES_STACK_ENVI, TRUE, notes);
  check_list (folder, "components-001.png components-002.png components.hdr components.img first.csv result.json "
                      "steps.csv");
  save_well (folder, "second", ES_STACK_GEOTIFF, FALSE, notes);
  check_list (folder, "components.tif result.json second.csv steps.csv");
  g_assert_cmpuint (notes->len, ==, 0);

  es_test_write_text (folder, "second.csv", "mine\r\n");
  save_well (folder, "third", ES_STACK_GEOTIFF, FALSE, notes);
  check_list (folder, "components.tif result.json second.csv steps.csv third.csv");
  check_note (notes, "second.csv");
}

/* A result.json that says whatever it likes. */
static void
test_forged (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  static const char *const texts[] = {
    "{\"operation\":\"pca\",\"layers\":[{\"name\":\"a\",\"file\":\"photo.png\",\"picture\":\"../photo.png\"}]}",
    "{\"operation\":\"pca\",\"result_format\":2,"
    "\"layers\":[{\"name\":\"a\",\"kind\":\"table\",\"file\":\"photo.png\"}],"
    "\"files\":[{\"name\":\"photo.png\",\"layer\":\"a\",\"size\":5,\"sha256\":[\"00\"]}]}",
    "{\"operation\":\"pca\",\"result_format\":2,\"layers\":[{\"name\":\"a\"}],\"files\":"
    "[{\"name\":\"photo.png\",\"layer\":\"a\",\"size\":-1,\"sha256\":[7,null]},{\"name\":7},3,null,"
    "{\"name\":\"../photo.png\",\"layer\":\"a\",\"size\":5,\"sha256\":[\"00\"]}]}",
    "{\"operation\":\"pca\",\"layers\":{\"file\":\"photo.png\"},\"files\":\"photo.png\"}",
    "{\"operation\":7,\"layers\":[{\"file\":\"photo.png\"}]}",
    "[\"photo.png\"]", "", "\"", "{\"operation\":\"pca\",\"layers\":[{\"file\":\"photo.png\"}",
  };

  es_test_write_text (folder, "photo.png", "photo");
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *name = g_strdup_printf ("inside-%u", i);
      g_autofree char *inside = g_build_filename (folder, name, NULL);

      g_assert_cmpint (g_mkdir_with_parents (inside, 0700), ==, 0);
      es_test_write_text (inside, "photo.png", "photo");
      es_test_write_text (inside, "result.json", texts[i]);
      save_well (inside, "table", ES_STACK_ENVI, FALSE, notes);
      es_test_assert_text (inside, "photo.png", "photo");
      es_test_assert_text (folder, "photo.png", "photo");
      if (i < 3)
        check_note (notes, "photo.png");
      /* One that says of no operation that it made it is somebody else's. */
      if (i < 4)
        check_list (inside, "components.hdr components.img photo.png result.json steps.csv table.csv");
      else
        {
          check_list (inside, "components.hdr components.img photo.png result.json result.json.~1~ steps.csv "
                              "table.csv");
          es_test_assert_text (inside, "result.json.~1~", texts[i]);
          check_note (notes, "result.json.~1~");
        }
    }

  /* Brackets without end, and a link in place of a file. */
  g_autofree char *deep = g_strnfill (2 << 20, '[');
  g_autofree char *inside = g_build_filename (folder, "inside", NULL);
  g_assert_cmpint (g_mkdir_with_parents (inside, 0700), ==, 0);
  es_test_write_text (inside, "result.json", deep);
  save_well (inside, "table", ES_STACK_ENVI, FALSE, notes);
  g_autofree char *own = g_build_filename (inside, "table.csv", NULL);
  g_autofree char *kept = g_build_filename (folder, "kept", NULL);
  g_assert_cmpint (g_rename (own, kept), ==, 0);
  g_autoptr (GFile) link = es_test_file (inside, "table.csv");
  g_assert_true (g_file_make_symbolic_link (link, kept, NULL, NULL));
  save_well (inside, "other", ES_STACK_ENVI, FALSE, notes);
  g_assert_true (g_file_test (own, G_FILE_TEST_IS_SYMLINK));
  check_note (notes, "table.csv");
}

/* A cancelled or full save leaves the earlier result, previews and all. */
static void
test_previews (void)
{
  static const char before[] = "components-001.png components-002.png components.hdr components.img first.csv "
                               "result.json steps.csv";
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *in_the_way = g_build_filename (folder, "components-002.png", NULL);
  g_autoptr (GError) blocked = NULL, full = NULL, cancelled = NULL;

  save_well (folder, "first", ES_STACK_ENVI, TRUE, notes);
  check_list (folder, before);
  g_autofree char *json = es_test_read (folder, "result.json", NULL);
  g_assert_nonnull (strstr (json, "components-002.png"));

  g_assert_cmpint (g_unlink (in_the_way), ==, 0);
  g_assert_cmpint (g_mkdir (in_the_way, 0777), ==, 0);
  g_assert_false (save (folder, "second", ES_STACK_ENVI, TRUE, notes, NULL, &blocked));
  g_assert_error (blocked, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  g_assert_nonnull (strstr (blocked->message, "components-002.png"));
  check_list (folder, before);
  es_test_assert_text (folder, "result.json", json);

  es_test_limit_files (1610);
  g_assert_false (save (folder, "second", ES_STACK_ENVI, TRUE, notes, NULL, &full));
  es_test_limit_files (G_MAXUINT64);
  g_assert_error (full, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  g_cancellable_cancel (cancellable);
  g_assert_false (save (folder, "second", ES_STACK_ENVI, TRUE, notes, cancellable, &cancelled));
  g_assert_error (cancelled, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  check_list (folder, before);
  es_test_assert_text (folder, "result.json", json);
}

/* What no file can hold is left out, and told; known ones are not. */
static void
test_projection (void)
{
  static const double transform[6] = { 380000, 30, 0, 5810000, 0, -30 };
  static const char *const projections[] = {
    "PROJCS[\"broken\",GEOGCS[\"x\"", "/etc/passwd", "\x01\xff", "EPSG:32633", "",
  };
  const EsOperation *operation = es_operation_find ("pca", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (projections); i++)
    for (int format = ES_STACK_ENVI; format <= ES_STACK_GEOTIFF; format++)
      {
        g_autoptr (EsTestFolder) folder = es_test_folder_make ();
        g_autoptr (GFile) directory = g_file_new_for_path (folder);
        g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
        g_autoptr (EsCube) cube = es_test_cube_new (20, 10, transform, projections[i]);
        g_autoptr (EsParams) params = es_params_new (operation->params);
        g_autoptr (EsResult) result = es_result_new (operation, ES_DATASET (cube), params);
        g_autoptr (GError) error = NULL;
        g_autoptr (EsImageStack) stack = es_image_stack_new ("components", "C", 20, 10, 2, 0, NULL, &error);

        g_assert_no_error (error);
        es_result_add_layer (result, ES_LAYER (stack));
        es_write_result_with (result, directory, &(EsResultWriting) { format, FALSE, notes }, NULL, &error);
        g_assert_no_error (error);
        if (i < 3)
          check_note (notes, "scene.img");
        else
          g_assert_cmpuint (notes->len, ==, 0);
        g_autoptr (GFile) file = es_test_file (folder, format == ES_STACK_ENVI ? "components.img" : "components.tif");
        g_autoptr (EsDataset) again = es_dataset_open (file, NULL, NULL, &error);
        g_assert_no_error (error);
        g_assert_nonnull (es_cube_get_geotransform (ES_CUBE (again)));
        g_assert_true ((es_cube_get_projection (ES_CUBE (again)) != NULL) == (i == 3));
      }
}

/* Layers of one name, of one that leads elsewhere and of one that a preview takes. */
static void
test_names (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autofree char *inside = g_build_filename (folder, "in", NULL);
  g_autoptr (GFile) directory = g_file_new_for_path (inside);
  g_autoptr (EsResult) result = make_result ("../a", "../A");
  g_autoptr (EsTable) other = es_table_new ("_._a-001", "Other");
  g_autoptr (EsTable) odd = es_table_new ("\n\x01", "Odd");
  g_autoptr (GError) error = NULL;

  es_table_add_column (other, "Value", NULL, 1);
  es_table_add_column (odd, "Value", NULL, 1);
  es_result_add_layer (result, ES_LAYER (other));
  es_result_add_layer (result, ES_LAYER (odd));
  es_write_result_with (result, directory, &(EsResultWriting) { .previews = TRUE }, NULL, &error);
  g_assert_no_error (error);
  check_list (folder, "in");
  check_list (inside,
              "_._A-2.csv _._a-001-2.csv _._a-001.png _._a-002.png _._a.hdr _._a.img _.csv result.json steps.csv");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/result-files/records", test_records);
  g_test_add_func ("/result-files/blocks", test_blocks);
  g_test_add_func ("/result-files/earlier", test_earlier);
  g_test_add_func ("/result-files/forged", test_forged);
  g_test_add_func ("/result-files/previews", test_previews);
  g_test_add_func ("/result-files/names", test_names);
  g_test_add_func ("/result-files/projection", test_projection);
  return g_test_run ();
}
