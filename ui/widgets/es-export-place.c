/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-export.h"

/* More are nobody's work. */
#define MOST_PLACES 1000

/* URIs of folders: where data lie -> where something of them was saved last. */
static GHashTable *places;
static char *current;

static GHashTable *
get_places (void)
{
  if (places == NULL)
    places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return places;
}

void
es_export_place_set_data (GFile *file)
{
  g_autoptr (GFile) folder = file != NULL ? g_file_get_parent (file) : NULL;

  g_free (current);
  current = folder != NULL ? g_file_get_uri (folder) : NULL;
}

GFile *
es_export_place_find (void)
{
  const char *last = current != NULL ? g_hash_table_lookup (get_places (), current) : NULL;

  if (last != NULL)
    {
      g_autoptr (GFile) folder = g_file_new_for_uri (last);

      /* It may have been removed since. */
      if (g_file_query_file_type (folder, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_DIRECTORY)
        return g_steal_pointer (&folder);
    }
  return current != NULL ? g_file_new_for_uri (current) : NULL;
}

static void
on_response (GtkNativeDialog *dialog, int response, const char *of)
{
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);
  g_autoptr (GFile) chosen = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (chooser) : NULL;
  g_autoptr (GFile) folder = NULL;

  if (chosen == NULL)
    return;
  if (gtk_file_chooser_get_action (chooser) == GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER)
    g_set_object (&folder, chosen);
  else
    folder = g_file_get_parent (chosen);
  if (folder != NULL)
    g_hash_table_replace (get_places (), g_strdup (of), g_file_get_uri (folder));
}

static void
free_place (gpointer data, GClosure *closure)
{
  g_free (data);
}

void
es_export_place_apply (GtkFileChooserNative *chooser)
{
  g_autoptr (GFile) folder = es_export_place_find ();

  if (folder == NULL)
    return;
  gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (chooser), folder, NULL);
  /* Of these data, whatever is shown when something is chosen. */
  g_signal_connect_data (chooser, "response", G_CALLBACK (on_response), g_strdup (current), free_place, 0);
}

JsonNode *
es_export_place_tell (void)
{
  g_autoptr (JsonObject) object = json_object_new ();
  GHashTableIter iter;
  gpointer of, at;

  g_hash_table_iter_init (&iter, get_places ());
  while (g_hash_table_iter_next (&iter, &of, &at))
    json_object_set_string_member (object, of, at);
  return json_node_init_object (json_node_alloc (), object);
}

void
es_export_place_take (JsonNode *told)
{
  JsonObjectIter iter;
  const char *of;
  JsonNode *at;

  if (!JSON_NODE_HOLDS_OBJECT (told))
    return;
  json_object_iter_init (&iter, json_node_get_object (told));
  while (json_object_iter_next (&iter, &of, &at) && g_hash_table_size (get_places ()) < MOST_PLACES)
    if (JSON_NODE_HOLDS_VALUE (at) && json_node_get_value_type (at) == G_TYPE_STRING
        && g_uri_is_valid (of, G_URI_FLAGS_NONE, NULL)
        && g_uri_is_valid (json_node_get_string (at), G_URI_FLAGS_NONE, NULL))
      g_hash_table_replace (get_places (), g_strdup (of), g_strdup (json_node_get_string (at)));
}
