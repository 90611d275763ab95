/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Files of regions: what is read, what is refused in one sentence, and in the background. */

#include <glib/gstdio.h>
#include <string.h>

#include "base/es-error.h"
#include "cube/es-region-set.h"
#include "es-test-scene.h"

static char *directory;

typedef struct
{
  EsTestScene  scene;
  EsDataset   *dataset;
  EsRegionSet *set;
  GFile       *file;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (directory, "regions.json", NULL);

  fixture->scene = (EsTestScene) { .width = 30, .height = 20, .bands = 6, .type = ESK_I16, .interleave = "bil" };
  es_test_scene_fill (&fixture->scene, 5);
  fixture->dataset = es_test_scene_open (&fixture->scene, directory, "regions");
  fixture->set = es_dataset_get_regions (fixture->dataset);
  fixture->file = g_file_new_for_path (path);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  es_region_set_clear (fixture->set);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_object_unref (fixture->file);
  g_object_unref (fixture->dataset);
  es_test_scene_clear (&fixture->scene);
}

static guint
count (Fixture *fixture)
{
  return g_list_model_get_n_items (G_LIST_MODEL (fixture->set));
}

static void
assert_refused (Fixture *fixture, const char *text, EsDataError code, const char *said)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (g_file_peek_path (fixture->file), text, -1, NULL));
  g_assert_false (es_region_set_load (fixture->set, fixture->file, &error));
  g_assert_error (error, ES_DATA_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, "“regions.json”"));
  if (strstr (error->message, said) == NULL)
    g_error ("“%s” does not say “%s”", error->message, said);
  g_assert_cmpuint (count (fixture), ==, 0);
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  static const char region[] = "{\"region\": \"rectangle 0 0 2 2\"},";
  g_autoptr (GString) many = g_string_new ("{\"regions\": ["), deep = g_string_new ("{\"regions\": ");
  g_autoptr (GString) corners = g_string_new ("{\"regions\": [{\"region\": \"polygon");

  assert_refused (fixture, "", ES_DATA_ERROR_FORMAT, "expected a value");
  assert_refused (fixture, "[]", ES_DATA_ERROR_FORMAT, "expected “regions”");
  assert_refused (fixture, "{\"regions\": 7}", ES_DATA_ERROR_FORMAT, "expected “regions”");
  assert_refused (fixture, "{\"regions\": [7]}", ES_DATA_ERROR_FORMAT, "region 1 has no text");
  assert_refused (fixture, "{\"regions\": [{\"region\": 7}]}", ES_DATA_ERROR_FORMAT, "region 1 has no text");
  assert_refused (fixture, "{\"regions\": [{\"region\": \"rectangle 0 0 1 1\"}, {\"region\": \"circle\"}]}",
                  ES_DATA_ERROR_FORMAT, "region 2");
  assert_refused (fixture, "{\"regions\": [{\"region\": \"runs 3:9-5\"}]}", ES_DATA_ERROR_FORMAT, "region 1");

  for (guint i = 0; i < 1001; i++)
    g_string_append (many, region);
  g_string_truncate (many, many->len - 1);
  g_string_append (many, "]}");
  assert_refused (fixture, many->str, ES_DATA_ERROR_SIZE, "1001 regions");

  for (guint i = 0; i < 200000; i++)
    g_string_append (deep, "[\"]\",");
  assert_refused (fixture, deep->str, ES_DATA_ERROR_FORMAT, "64 deep");

  for (guint i = 0; i < 100001; i++)
    g_string_append_printf (corners, " %u,%u", i % 7, i % 5);
  g_string_append (corners, "\"}]}");
  assert_refused (fixture, corners->str, ES_DATA_ERROR_FORMAT, "100001 corners");
}

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  GError **error = data;

  g_assert_cmpint (es_region_set_load_finish (ES_REGION_SET (object), result, error), ==, *error == NULL);
  if (*error == NULL)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, "none");
}

static void
test_background (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (g_file_peek_path (fixture->file),
                                      "{\"regions\": [{\"region\": \"rectangle 0 0 2 2\", \"colour\": \"#123456\"},"
                                      " {\"region\": \"runs 1:0-3\", \"name\": \"a\\u001b[2J\"}]}", -1, NULL));
  es_region_set_load_async (fixture->set, fixture->file, NULL, on_loaded, &error);
  g_assert_cmpuint (count (fixture), ==, 0);
  while (error == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (error->message, ==, "none");
  g_clear_error (&error);
  g_assert_cmpuint (count (fixture), ==, 2);
  g_autoptr (EsNamedRegion) first = g_list_model_get_item (G_LIST_MODEL (fixture->set), 0);
  g_autoptr (EsNamedRegion) second = g_list_model_get_item (G_LIST_MODEL (fixture->set), 1);
  g_assert_cmpuint (es_named_region_get_count (first), ==, 4);
  g_assert_cmpuint (es_named_region_get_colour (first), ==, 0x123456);
  g_assert_cmpuint (es_named_region_get_count (second), ==, 4);
  g_assert_cmpstr (es_named_region_get_name (second), ==, "a\\x1b[2J");

  es_region_set_load_async (fixture->set, fixture->file, cancellable, on_loaded, &error);
  g_cancellable_cancel (cancellable);
  while (error == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (count (fixture), ==, 2);
}

/* As many as a file may have, none of them named: each gets a name and a colour, in no time. */
static void
test_unnamed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("{\"regions\": [");
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) colours = g_hash_table_new (NULL, NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 1000; i++)
    g_string_append_printf (text, "%s{\"region\": \"rectangle 0 0 2 2\"%s}", i > 0 ? "," : "",
                            i == 5 ? ", \"name\": \"Class 9\"" : "");
  g_string_append (text, "]}");
  g_assert_true (g_file_set_contents (g_file_peek_path (fixture->file), text->str, -1, NULL));
  g_assert_true (es_region_set_load (fixture->set, fixture->file, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (count (fixture), ==, 1000);
  for (guint i = 0; i < 1000; i++)
    {
      g_autoptr (EsNamedRegion) region = g_list_model_get_item (G_LIST_MODEL (fixture->set), i);

      g_assert_true (g_hash_table_add (names, g_strdup (es_named_region_get_name (region))));
      g_hash_table_add (colours, GUINT_TO_POINTER (es_named_region_get_colour (region)));
    }
  g_assert_true (g_hash_table_contains (names, "Class 1") && g_hash_table_contains (names, "Class 1000"));
  g_assert_cmpuint (g_hash_table_size (colours), ==, 8);
  es_region_set_clear (fixture->set);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = g_dir_make_tmp ("es-region-file-XXXXXX", NULL);
  g_test_add ("/region-file/refused", Fixture, NULL, set_up, test_refused, tear_down);
  g_test_add ("/region-file/background", Fixture, NULL, set_up, test_background, tear_down);
  g_test_add ("/region-file/unnamed", Fixture, NULL, set_up, test_unnamed, tear_down);
  status = g_test_run ();

  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);
      g_unlink (path);
    }
  g_rmdir (directory);
  g_free (directory);
  return status;
}
