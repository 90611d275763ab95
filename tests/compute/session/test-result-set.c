/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Saved results whose files do not belong together, and a result.json that says anything at all. */

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "../job/es-test-scene.h"
#include "base/es-error.h"
#include "base/es-json.h"
#include "operations/es-operations.h"
#include "session/es-result-load-private.h"

static char *directory;

static char *
path_of (const char *folder, const char *name)
{
  return g_build_filename (directory, folder, name, NULL);
}

/* bands: those that take part; nullable. */
static void
save_of (const char *folder, guint32 seed, const char *bands)
{
  EsTestScene scene = { 21, 17, 6, ESK_I16, "bsq", FALSE, NAN, NULL, 0 };
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  g_autofree char *path = path_of (folder, NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  es_test_scene_fill (&scene, seed);
  g_autofree char *name = g_strconcat ("scene-of-", folder, NULL);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, name);
  es_params_set_value (params, "threshold", 0.9999);
  g_autoptr (EsSelection) selection = bands != NULL ? es_selection_new (bands, NULL, NULL, NULL, 0) : NULL;
  es_cube_set_selection (ES_CUBE (cube), selection);
  g_autoptr (EsJob) job = es_job_new (pca, cube, params, es_device_get_cpu (), NULL, NULL);
  g_autoptr (EsResult) result = es_job_run (job, &error);
  g_assert_no_error (error);
  es_write_result (result, target, ES_STACK_ENVI, NULL, &error);
  g_assert_no_error (error);
  es_test_scene_clear (&scene);
}

static void
save (const char *folder, guint32 seed)
{
  save_of (folder, seed, NULL);
}

static EsResult *
load (const char *folder, GError **error)
{
  g_autofree char *path = path_of (folder, "result.json");
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return es_result_load (file, NULL, error);
}

static char *
read_file (const char *folder, const char *name, gsize *length)
{
  g_autofree char *path = path_of (folder, name);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, length, NULL));
  return text;
}

static void
write_file (const char *folder, const char *name, const char *text, gssize length)
{
  g_autofree char *path = path_of (folder, name);

  /* Thousands of times: not waiting for the disk. It would not cut a longer file. */
  g_unlink (path);
  g_assert_true (g_file_set_contents_full (path, text, length, G_FILE_SET_CONTENTS_NONE, 0666, NULL));
}

static guint
count_warnings (EsResult *result, const char *word)
{
  guint n = 0;

  for (const char *const *warning = es_result_get_warnings (result); warning != NULL && *warning != NULL; warning++)
    n += strstr (*warning, word) != NULL;
  return n;
}

/* One file of the set in the place of another's; then the file as it was. */
static void
check_altered (const char *name, const char *text, gsize length, const char *word, gboolean usable)
{
  gsize old_length;
  g_autofree char *old = read_file ("set", name, &old_length);
  g_autofree char *layer = g_strndup (name, strcspn (name, "."));
  g_autoptr (GError) error = NULL;

  if (text != NULL)
    write_file ("set", name, text, length);
  else
    {
      g_autofree char *path = path_of ("set", name);
      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  g_autoptr (EsResult) loaded = load ("set", &error);
  g_assert_no_error (error);
  if (count_warnings (loaded, word) != 1 || count_warnings (loaded, layer) == 0)
    g_error ("%s: not told", name);
  g_assert_true ((es_result_find_layer (loaded, layer) != NULL) == usable);
  write_file ("set", name, old, old_length);
}

static void
test_mixed (void)
{
  static const char *const names[] = { "components.img", "components.hdr", "eigenvalues.csv", "loadings.csv" };
  g_autoptr (GError) error = NULL;

  save ("set", 1);
  save ("other", 2);
  g_autoptr (EsResult) whole = load ("set", &error);
  g_assert_no_error (error);
  g_assert_null (es_result_get_warnings (whole));

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      gsize length, own_length;
      g_autofree char *text = read_file ("other", names[i], &length);
      g_autofree char *own = read_file ("set", names[i], &own_length);

      if (i != 1)
        check_altered (names[i], text, length,
                       length == own_length ? "is not what was saved" : "has another size", TRUE);
      own[own_length / 2] ^= 1;
      if (i == 0)
        check_altered (names[i], own, own_length, "is not what was saved", TRUE);
    }
  check_altered ("loadings.csv", NULL, 0, "is missing", FALSE);
  check_altered ("components.img", NULL, 0, "is missing", FALSE);
  check_altered ("components.img", "short", 5, "has another size", FALSE);
  g_autoptr (EsResult) again = load ("set", &error);
  g_assert_no_error (error);
  g_assert_null (es_result_get_warnings (again));
}

/* What is recorded of no file, and what a newer program may say. */
static void
test_formats (void)
{
  g_autofree char *text = read_file ("set", "result.json", NULL);
  g_auto (GStrv) parts = g_strsplit (text, "\"result_format\" : 2", 2);
  g_autofree char *first = g_strjoinv ("\"result_format\" : 1", parts);
  g_autofree char *newer = g_strjoinv ("\"result_format\" : 3", parts);
  g_auto (GStrv) files = g_strsplit (text, "\"files\"", 2);
  g_autofree char *none = g_strjoinv ("\"records\"", files);
  g_autoptr (GError) error = NULL, refused = NULL;

  g_assert_cmpuint (g_strv_length (parts), ==, 2);
  g_assert_cmpuint (g_strv_length (files), ==, 2);
  write_file ("set", "result.json", first, -1);
  g_autoptr (EsResult) old = load ("set", &error);
  g_assert_no_error (error);
  g_assert_null (es_result_get_warnings (old));

  write_file ("set", "result.json", none, -1);
  g_autoptr (EsResult) unrecorded = load ("set", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_warnings (unrecorded, "has no size and checksums"), ==, 5);

  write_file ("set", "result.json", newer, -1);
  g_assert_null (load ("set", &refused));
  g_assert_error (refused, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_assert_nonnull (strstr (refused->message, "newer"));
  write_file ("set", "result.json", text, -1);
}

/* ---- anything in the place of anything ---- */

static void
use (EsResult *result)
{
  GListModel *layers = es_result_get_layers (result);
  g_autoptr (JsonNode) node = es_result_to_json (result);
  g_autoptr (EsTable) steps = es_result_make_step_table (result);
  g_autofree char *command = es_result_to_command (result);

  g_assert_nonnull (node);
  g_assert_nonnull (es_result_get_title (result));
  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      g_assert_nonnull (es_layer_get_name (layer));
      g_assert_nonnull (es_layer_get_title (layer));
      for (guint k = 0; ES_IS_IMAGE_STACK (layer) && k < es_image_stack_get_planes (ES_IMAGE_STACK (layer)); k++)
        g_assert_nonnull (es_image_stack_get_plane_title (ES_IMAGE_STACK (layer), k));
      for (guint k = 0; ES_IS_CURVE (layer) && k < es_curve_get_n_series (ES_CURVE (layer)); k++)
        g_assert_nonnull (es_curve_get_series (ES_CURVE (layer), k)->title);
      for (guint k = 0; ES_IS_TABLE (layer) && k < es_table_get_n_columns (ES_TABLE (layer)); k++)
        g_assert_nonnull (es_table_get_column_title (ES_TABLE (layer), k));
    }
}

static void
try_root (JsonNode *root)
{
  g_autofree char *text = es_json_to_text (root);
  g_autoptr (GError) error = NULL;

  write_file ("set", "result.json", text, -1);
  g_autoptr (EsResult) loaded = load ("set", &error);
  g_assert_true ((loaded == NULL) == (error != NULL));
  if (loaded != NULL)
    use (loaded);
}

static JsonNode *
substitute (guint k)
{
  static const char *const texts[] = {
    "null", "true", "-1", "1e300", "\"../x\"", "\"\"", "[]", "[null]", "{}", "[[\"x\"], 7]",
  };

  return k < G_N_ELEMENTS (texts) ? es_json_parse (texts[k], strlen (texts[k]), "text", NULL) : NULL;
}

/* Every member, and the first two elements of every array. */
static void
replace_each (JsonNode *root, JsonNode *at)
{
  if (JSON_NODE_HOLDS_OBJECT (at))
    {
      JsonObject *object = json_node_get_object (at);
      g_autoptr (GList) members = json_object_get_members (object);

      for (GList *member = members; member != NULL; member = member->next)
        {
          g_autofree char *name = g_strdup (member->data);
          g_autoptr (JsonNode) own = json_node_copy (json_object_get_member (object, name));
          JsonNode *other;

          for (guint k = 0; (other = substitute (k)) != NULL; k++)
            {
              json_object_set_member (object, name, other);
              try_root (root);
            }
          json_object_remove_member (object, name);
          try_root (root);
          json_object_set_member (object, name, json_node_copy (own));
        }
      /* Its members' names have been freed with them. */
      g_autoptr (GList) values = json_object_get_values (object);
      for (GList *value = values; value != NULL; value = value->next)
        replace_each (root, value->data);
    }
  else if (JSON_NODE_HOLDS_ARRAY (at))
    {
      JsonArray *array = json_node_get_array (at);

      for (guint i = 0; i < MIN (json_array_get_length (array), 2); i++)
        replace_each (root, json_array_get_element (array, i));
      if (json_array_get_length (array) > 0)
        {
          g_autoptr (JsonNode) first = json_node_copy (json_array_get_element (array, 0));
          JsonNode *other;

          for (guint k = 0; (other = substitute (k)) != NULL; k++)
            {
              json_array_remove_element (array, 0);
              json_array_add_element (array, other);
              try_root (root);
              json_array_remove_element (array, json_array_get_length (array) - 1);
              json_array_add_element (array, json_node_copy (first));
            }
        }
    }
}

static void
test_anything (void)
{
  g_autofree char *path = path_of ("set", "result.json");
  g_autofree char *text = read_file ("set", "result.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = es_json_load (file, NULL, &error);

  g_assert_no_error (error);
  replace_each (root, root);
  write_file ("set", "result.json", text, -1);
}

static void
test_matrix (void)
{
  static const char *const ranges[] = { "[1, 2]", "[2, 1]", "[1, 1]", "[\"a\", {}]", "[null, 1]", "7", "[1]" };
  g_autofree char *path = path_of ("set", NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);

  write_file ("set", "m.csv", "x,a,b\r\nr,1,-4\r\n", -1);
  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      g_autofree char *text = g_strdup_printf ("{\"name\":\"m\",\"file\":\"m.csv\",\"rows\":[\"r\"],"
                                               "\"columns\":[\"a\",\"b\"],\"range\":%s}", ranges[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (JsonNode) node = es_json_parse (text, strlen (text), "text", &error);
      double minimum, maximum;

      g_assert_no_error (error);
      g_autoptr (EsMatrix) matrix = ES_MATRIX (es_result_load_matrix (json_node_get_object (node), folder, &error));
      g_assert_no_error (error);
      es_matrix_get_range (matrix, &minimum, &maximum);
      g_assert_true ((minimum == 1 && maximum == 2) == (i == 0));
    }
}

static void
test_cancelled (void)
{
  g_autofree char *path = path_of ("set", "result.json");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (es_result_load (file, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* What is told beside a cube counts for the cube, what took part then for the result; a note says so. */
static void
test_beside (void)
{
  g_autoptr (EsSelection) now = es_selection_new ("2-5", NULL, NULL, NULL, 0);
  g_autoptr (GError) error = NULL;

  save_of ("beside", 77, "1-4");
  g_autoptr (EsResult) first = load ("beside", &error);
  g_assert_no_error (error);
  EsCube *cube = ES_CUBE (es_result_get_dataset (first));
  g_autoptr (EsSelection) taken = es_cube_dup_selection (cube);
  g_assert_cmpstr (es_selection_get_bands (taken), ==, "1-4");
  g_autoptr (GFile) sidecar = es_selection_sidecar_of (es_dataset_get_file (ES_DATASET (cube)));
  g_autofree char *shape = es_dataset_shape (ES_DATASET (cube));
  g_assert_true (es_selection_save (now, sidecar, shape, &error));
  g_assert_no_error (error);

  g_autoptr (EsResult) second = load ("beside", &error);
  g_assert_no_error (error);
  cube = ES_CUBE (es_result_get_dataset (second));
  g_autoptr (EsSelection) told = es_cube_dup_selection (cube), then = es_result_dup_selection (second);
  g_assert_true (es_selection_equal (told, now));
  g_assert_cmpint (es_selection_get_source (told), ==, ES_SELECTION_BESIDE);
  g_assert_cmpstr (es_selection_get_bands (then), ==, "1-4");
  const char * const *notes = es_dataset_get_notes (ES_DATASET (cube));
  g_assert_true (notes != NULL && strstr (notes[g_strv_length ((char **) notes) - 1], "saved result") != NULL);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  g_test_add_func ("/result-set/mixed", test_mixed);
  g_test_add_func ("/result-set/formats", test_formats);
  g_test_add_func ("/result-set/anything", test_anything);
  g_test_add_func ("/result-set/matrix", test_matrix);
  g_test_add_func ("/result-set/cancelled", test_cancelled);
  g_test_add_func ("/result-set/beside", test_beside);
  status = g_test_run ();
  es_test_remove (directory);
  g_free (directory);
  return status;
}
