/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-array-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"

/*
 * SigMF's extension “spatial”: "spatial:element_geometry", in a collection, a capture or (by some writers) the
 * globals, is a list of points in metres: [x, y, z] up to version 0.0.1, { "point": [x, y, z] } or { "unknown": true }
 * since.
 */
#define GEOMETRY "spatial:element_geometry"

static JsonArray *
geometry_in (JsonNode *node)
{
  JsonObject *object = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  JsonNode *geometry = object != NULL ? json_object_get_member (object, GEOMETRY) : NULL;

  return geometry != NULL && JSON_NODE_HOLDS_ARRAY (geometry) ? json_node_get_array (geometry) : NULL;
}

static JsonArray *
find_geometry (JsonObject *root)
{
  JsonArray *found = geometry_in (json_object_get_member (root, "collection"));
  JsonNode *captures = json_object_get_member (root, "captures");

  if (found == NULL)
    found = geometry_in (json_object_get_member (root, "global"));
  if (captures == NULL || !JSON_NODE_HOLDS_ARRAY (captures))
    return found;
  JsonArray *list = json_node_get_array (captures);
  for (guint i = 0; found == NULL && i < json_array_get_length (list); i++)
    found = geometry_in (json_array_get_element (list, i));
  return found;
}

static gboolean
read_point (JsonNode *node, double *point, gboolean *unknown)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;

  *unknown = FALSE;
  if (object != NULL)
    {
      JsonNode *flag = json_object_get_member (object, "unknown");
      *unknown = flag != NULL && JSON_NODE_HOLDS_VALUE (flag) && json_node_get_boolean (flag);
      node = json_object_get_member (object, "point");
      if (*unknown)
        return TRUE;
    }
  if (node == NULL || !JSON_NODE_HOLDS_ARRAY (node) || json_array_get_length (json_node_get_array (node)) != 3)
    return FALSE;
  for (guint j = 0; j < 3; j++)
    {
      JsonNode *number = json_array_get_element (json_node_get_array (node), j);
      if (!JSON_NODE_HOLDS_VALUE (number) || (json_node_get_value_type (number) != G_TYPE_INT64
                                              && json_node_get_value_type (number) != G_TYPE_DOUBLE))
        return FALSE;
      point[j] = json_node_get_double (number);
    }
  return TRUE;
}

EsArray *
es_array_read_sigmf (JsonObject *root, const char *name, GError **error)
{
  g_autoptr (GArray) elements = es_array_elements_new ();
  g_autoptr (GError) local_error = NULL;
  JsonArray *geometry = find_geometry (root);
  guint unknown_points = 0;

  if (geometry == NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("“%s” is JSON without an array: expected Eigenscope's own, or SigMF with “%s”."), name, GEOMETRY);
      return NULL;
    }
  for (guint k = 0; k < json_array_get_length (geometry) && k <= ES_ARRAY_MOST_ELEMENTS; k++)
    {
      double point[3] = { 0 };
      gboolean unknown;
      if (!read_point (json_array_get_element (geometry, k), point, &unknown))
        {
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                       _("“%s”: point %u of “%s” cannot be read, expected [x, y, z] in metres."), name, k + 1,
                       GEOMETRY);
          return NULL;
        }
      es_array_elements_add (elements, point[0], point[1], point[2], k, NULL);
      g_array_index (elements, EsElement, k).dead = unknown;
      unknown_points += unknown;
    }

  EsArray *self = es_array_new ((EsElement *) elements->data, elements->len, &local_error);
  if (self == NULL)
    {
      g_set_error (error, local_error->domain, local_error->code, _("“%s” cannot be used: %s"), name,
                   local_error->message);
      return NULL;
    }
  if (unknown_points > 0)
    es_array_add_note (self, g_strdup_printf (ngettext ("%u element has no known place and is left out.",
                                                        "%u elements have no known place and are left out.",
                                                        unknown_points), unknown_points));
  return self;
}
