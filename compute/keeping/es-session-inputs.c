/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-session-inputs-private.h"

#include <string.h>

/* How many folders up from a session's own still belong to the same matter. */
#define NEAR 2

static const char *
get_string (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
         ? json_node_get_string (node) : NULL;
}

static JsonArray *
get_array (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

/* "../data/scene.img"; NULL: it is not near, or no text can say it. Transfer full. */
static char *
find_way (GFile *session, const char *path)
{
  g_autoptr (GFile) file = g_file_parse_name (path);
  g_autoptr (GFile) folder = g_file_get_parent (session);
  g_autoptr (GString) up = g_string_new (NULL);

  for (guint i = 0; i <= NEAR && folder != NULL; i++)
    {
      g_autofree char *way = g_file_get_relative_path (folder, file);
      GFile *above;

      if (way != NULL)
        {
          g_string_append (up, way);
          return g_utf8_validate (up->str, -1, NULL) ? g_string_free (g_steal_pointer (&up), FALSE) : NULL;
        }
      g_string_append (up, "../");
      above = g_file_get_parent (folder);
      g_object_unref (folder);
      folder = above;
      /* Everything is below the root. */
      if (folder != NULL && !g_file_has_parent (folder, NULL))
        break;
    }
  return NULL;
}

void
_es_session_input_relate (JsonObject *input, GFile *session)
{
  const char *path = get_string (json_object_get_member (input, "path"));
  g_autofree char *way = path != NULL ? find_way (session, path) : NULL;
  JsonArray *files = get_array (input, "files");

  json_object_remove_member (input, "relative");
  json_object_remove_member (input, "relative_files");
  if (way != NULL)
    json_object_set_string_member (input, "relative", way);
  if (files == NULL)
    return;
  JsonArray *ways = json_array_new ();
  for (guint i = 0; i < json_array_get_length (files); i++)
    {
      const char *one = get_string (json_array_get_element (files, i));
      g_autofree char *its = one != NULL ? find_way (session, one) : NULL;

      if (its != NULL)
        json_array_add_string_element (ways, its);
      else
        json_array_add_null_element (ways);
    }
  json_object_set_array_member (input, "relative_files", ways);
}

/* Transfer full. */
static char *
find_first (GFile *session, const char *way, const char *path)
{
  g_autoptr (GFile) folder = session != NULL ? g_file_get_parent (session) : NULL;
  g_autoptr (GFile) near = folder != NULL && way != NULL && !g_path_is_absolute (way)
                           ? g_file_resolve_relative_path (folder, way) : NULL;

  if (near != NULL && g_file_query_exists (near, NULL))
    return g_file_get_parse_name (near);
  return g_strdup (path);
}

void
_es_session_input_resolve (JsonObject *input, GFile *session)
{
  const char *path = get_string (json_object_get_member (input, "path"));
  g_autofree char *found = path != NULL
                           ? find_first (session, get_string (json_object_get_member (input, "relative")), path) : NULL;
  JsonArray *files = get_array (input, "files"), *ways = get_array (input, "relative_files");
  JsonArray *all;

  if (found != NULL)
    json_object_set_string_member (input, "path", found);
  if (files == NULL)
    return;
  all = json_array_new ();
  for (guint i = 0; i < json_array_get_length (files); i++)
    {
      const char *one = get_string (json_array_get_element (files, i));
      const char *way = ways != NULL && i < json_array_get_length (ways)
                        ? get_string (json_array_get_element (ways, i)) : NULL;
      g_autofree char *its = one != NULL ? find_first (session, way, one) : NULL;

      if (its != NULL)
        json_array_add_string_element (all, its);
    }
  json_object_set_array_member (input, "files", all);
}

void
_es_session_input_locate (JsonObject *input, GFile *file)
{
  g_autofree char *name = g_file_get_parse_name (file);
  g_autoptr (GFile) folder = g_file_get_parent (file);
  JsonArray *files = get_array (input, "files"), *all;

  json_object_set_string_member (input, "path", name);
  json_object_remove_member (input, "relative");
  json_object_remove_member (input, "relative_files");
  if (files == NULL || folder == NULL)
    return;
  all = json_array_new ();
  for (guint i = 0; i < json_array_get_length (files); i++)
    {
      const char *one = get_string (json_array_get_element (files, i));
      g_autoptr (GFile) before = g_file_parse_name (one != NULL ? one : "");
      g_autofree char *base = g_file_get_basename (before);
      g_autoptr (GFile) now = base != NULL ? g_file_get_child (folder, base) : NULL;
      g_autofree char *its = now != NULL && g_file_query_exists (now, NULL) ? g_file_get_parse_name (now)
                                                                            : g_strdup (one != NULL ? one : name);

      json_array_add_string_element (all, its);
    }
  json_object_set_array_member (input, "files", all);
}
