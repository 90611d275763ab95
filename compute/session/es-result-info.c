/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-result-info.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "result/es-saved-files-internal.h"
#include "result/es-saved-internal.h"

static gboolean
is_folder (GFile *file)
{
  return g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_DIRECTORY;
}

gboolean
es_result_info_is_for (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autoptr (GFile) inside = g_file_get_child (file, "result.json");

  if (is_folder (file))
    return g_file_query_exists (inside, NULL);
  return name != NULL && g_str_has_suffix (name, ".json") && !g_str_has_suffix (name, ".array.json")
         && !g_str_has_suffix (name, ".calibration.json");
}

/* ---- members, typed ---- */

static void
add_text (JsonBuilder *builder, JsonObject *object, const char *name)
{
  const char *text = es_saved_get_string (object, name);

  json_builder_set_member_name (builder, name);
  if (text != NULL)
    json_builder_add_string_value (builder, text);
  else
    json_builder_add_null_value (builder);
}

static void
add_number (JsonBuilder *builder, JsonObject *object, const char *name)
{
  const double number = es_saved_get_number (object, name, NAN);

  json_builder_set_member_name (builder, name);
  if (isnan (number))
    json_builder_add_null_value (builder);
  else if (number == rint (number) && fabs (number) < 1e15)
    json_builder_add_int_value (builder, (gint64) number);
  else
    json_builder_add_double_value (builder, number);
}

static void
add_texts (JsonBuilder *builder, JsonObject *object, const char * const *names)
{
  for (; *names != NULL; names++)
    add_text (builder, object, *names);
}

/* Plain values only. */
static void
add_parameters (JsonBuilder *builder, JsonObject *root)
{
  JsonObject *parameters = es_saved_get_object (root, "parameters");
  JsonObjectIter iterator;
  const char *key;
  JsonNode *value;

  json_builder_set_member_name (builder, "parameters");
  json_builder_begin_object (builder);
  if (parameters != NULL)
    {
      json_object_iter_init_ordered (&iterator, parameters);
      while (json_object_iter_next_ordered (&iterator, &key, &value))
        if (JSON_NODE_HOLDS_VALUE (value))
          {
            json_builder_set_member_name (builder, key);
            json_builder_add_value (builder, json_node_copy (value));
          }
    }
  json_builder_end_object (builder);
}

static void
add_list (JsonBuilder *builder, JsonObject *root, const char *list, const char * const *texts, const char *number)
{
  JsonArray *array;
  const guint n = es_saved_get_array (root, list, &array);

  json_builder_set_member_name (builder, list);
  json_builder_begin_array (builder);
  for (guint i = 0; i < n; i++)
    {
      JsonObject *object = es_saved_get_element (array, i);

      json_builder_begin_object (builder);
      add_texts (builder, object, texts);
      if (number != NULL)
        add_number (builder, object, number);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_warnings (JsonBuilder *builder, JsonObject *root)
{
  JsonArray *array;
  const guint n = es_saved_get_array (root, "warnings", &array);

  json_builder_set_member_name (builder, "warnings");
  json_builder_begin_array (builder);
  for (guint i = 0; i < n; i++)
    {
      JsonNode *warning = json_array_get_element (array, i);

      if (JSON_NODE_HOLDS_VALUE (warning) && json_node_get_value_type (warning) == G_TYPE_STRING)
        json_builder_add_string_value (builder, json_node_get_string (warning));
    }
  json_builder_end_array (builder);
}

/* ---- the files ---- */

static void
add_files (JsonBuilder *builder, JsonObject *root, const char *folder, GCancellable *cancellable)
{
  JsonArray *files;
  const guint n = es_saved_get_array (root, "files", &files);
  gboolean checked;
  g_auto (GStrv) wrong = es_saved_check_files (root, folder, NULL, &checked, cancellable);
  double bytes = 0;

  for (guint i = 0; i < n; i++)
    bytes += MAX (es_saved_get_number (es_saved_get_element (files, i), "size", 0), 0);
  json_builder_set_member_name (builder, "files");
  json_builder_add_int_value (builder, n);
  json_builder_set_member_name (builder, "bytes");
  json_builder_add_int_value (builder, bytes < 9e15 ? (gint64) bytes : 0);
  json_builder_set_member_name (builder, "checked");
  json_builder_add_boolean_value (builder, checked);
  json_builder_set_member_name (builder, "whole");
  json_builder_add_boolean_value (builder, checked && wrong == NULL);
  json_builder_set_member_name (builder, "wrong");
  json_builder_begin_array (builder);
  for (char **sentence = wrong; sentence != NULL && *sentence != NULL; sentence++)
    json_builder_add_string_value (builder, *sentence);
  json_builder_end_array (builder);
}

static JsonNode *
describe (JsonObject *root, const char *folder, GCancellable *cancellable)
{
  static const char *const own[] = { "operation", "title", "software", NULL };
  static const char *const of_input[] = { "path", "identity", "shape", NULL };
  static const char *const of_device[] = { "id", "name", "chosen", NULL };
  static const char *const of_stage[] = { "title", NULL };
  static const char *const of_layer[] = { "name", "title", "kind", "file", "shape", "type", "unit", NULL };
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  add_texts (builder, root, own);
  add_number (builder, root, "version");
  json_builder_set_member_name (builder, ES_SAVED_FORMAT_MEMBER);
  json_builder_add_int_value (builder, (gint64) es_saved_get_number (root, ES_SAVED_FORMAT_MEMBER, 1));
  add_parameters (builder, root);
  json_builder_set_member_name (builder, "input");
  json_builder_begin_object (builder);
  add_texts (builder, es_saved_get_object (root, "input"), of_input);
  if (es_saved_get_string (es_saved_get_object (root, "input"), "made") != NULL)
    add_text (builder, es_saved_get_object (root, "input"), "made");
  json_builder_end_object (builder);
  json_builder_set_member_name (builder, "device");
  json_builder_begin_object (builder);
  add_texts (builder, es_saved_get_object (root, "device"), of_device);
  add_number (builder, es_saved_get_object (root, "device"), "threads");
  json_builder_end_object (builder);
  add_list (builder, root, "stages", of_stage, "ms");
  add_number (builder, root, "total_ms");
  add_warnings (builder, root);
  add_list (builder, root, "layers", of_layer, NULL);
  add_files (builder, root, folder, cancellable);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

JsonNode *
es_result_info (GFile *file, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFile) folder = is_folder (file) ? g_object_ref (file) : g_file_get_parent (file);
  g_autoptr (GFile) json = is_folder (file) ? g_file_get_child (file, "result.json") : g_object_ref (file);
  g_autofree char *name = es_error_file_name (json);
  g_autofree char *path = folder != NULL ? g_file_get_path (folder) : NULL;
  g_autoptr (JsonNode) root = es_saved_parse (json, name, cancellable, error);
  g_autoptr (JsonNode) described = NULL;

  if (root == NULL)
    return NULL;
  if (es_saved_get_string (json_node_get_object (root), "operation") == NULL)
    {
      es_saved_refuse (name, error, _("it does not say which operation made it"));
      return NULL;
    }
  described = describe (json_node_get_object (root), path != NULL ? path : "", cancellable);
  return g_cancellable_set_error_if_cancelled (cancellable, error) ? NULL : g_steal_pointer (&described);
}
