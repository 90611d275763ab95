/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-saved-internal.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"
#include "base/es-text-file-internal.h"

const char *
es_saved_get_string (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
         ? json_node_get_string (node) : NULL;
}

double
es_saved_get_number (JsonObject *object, const char *name, double missing)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_double (node) : missing;
}

gboolean
es_saved_get_flag (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_boolean (node);
}

JsonObject *
es_saved_get_object (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

guint
es_saved_get_array (JsonObject *object, const char *name, JsonArray **array)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  *array = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  return *array != NULL ? json_array_get_length (*array) : 0;
}

JsonObject *
es_saved_get_element (JsonArray *array, guint i)
{
  JsonNode *node = json_array_get_element (array, i);

  return JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

gboolean
es_saved_refuse (const char *name, GError **error, const char *found)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” is not a saved result: %s."), name, found);
  return FALSE;
}

JsonNode *
es_saved_parse (GFile *file, const char *name, GCancellable *cancellable, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *text = NULL;
  g_autoptr (GError) local_error = NULL;
  gsize length;

  text = es_text_file_load (file, &length, cancellable, error);
  if (text == NULL)
    return NULL;
  if (es_json_is_nested_too_deeply (text, length))
    {
      es_saved_refuse (name, error, _("it holds no object"));
      return NULL;
    }
  if (!json_parser_load_from_data (parser, text, length, &local_error))
    {
      es_saved_refuse (name, error, local_error->message);
      return NULL;
    }

  JsonNode *root = json_parser_steal_root (parser);
  if (root != NULL && JSON_NODE_HOLDS_OBJECT (root))
    return root;
  g_clear_pointer (&root, json_node_unref);
  es_saved_refuse (name, error, _("it holds no object"));
  return NULL;
}
