/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-saved-internal.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"
#include "base/es-json.h"
#include "es-saved-files-internal.h"

const char *
es_saved_get_string (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
         ? json_node_get_string (node) : NULL;
}

static gboolean
is_number (JsonNode *node)
{
  return JSON_NODE_HOLDS_VALUE (node)
         && (json_node_get_value_type (node) == G_TYPE_DOUBLE || json_node_get_value_type (node) == G_TYPE_INT64);
}

double
es_saved_get_number (JsonObject *object, const char *name, double missing)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && is_number (node) ? json_node_get_double (node) : missing;
}

gboolean
es_saved_get_numbers (JsonObject *object, const char *name, guint n, double *numbers)
{
  JsonArray *array;

  if (es_saved_get_array (object, name, &array) != n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      JsonNode *element = json_array_get_element (array, i);

      if (!is_number (element))
        return FALSE;
      numbers[i] = json_node_get_double (element);
    }
  return n > 0;
}

const char *
es_saved_get_text (JsonObject *object, const char *name, const char *otherwise)
{
  const char *text = es_saved_get_string (object, name);

  return text != NULL ? text : otherwise;
}

gboolean
es_saved_get_flag (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_BOOLEAN
         && json_node_get_boolean (node);
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
  JsonNode *root = es_json_load (file, cancellable, error);

  if (root == NULL)
    return NULL;
  if (!JSON_NODE_HOLDS_OBJECT (root))
    es_saved_refuse (name, error, _("it holds no object"));
  else if (es_saved_get_number (json_node_get_object (root), ES_SAVED_FORMAT_MEMBER, 1) > ES_SAVED_FORMAT)
    es_saved_refuse (name, error, _("it is of a format that a newer Eigenscope writes"));
  else
    return root;
  json_node_unref (root);
  return NULL;
}
