/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-json-file-internal.h"

#include <glib/gstdio.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-file-internal.h"
#include "base/es-json.h"
#include "base/es-text-file-internal.h"
#include "es-kept.h"
#include "es-output-internal.h"

#define LARGEST_KEPT (64 << 20)

static gboolean
write_all (JsonNode *root, GFile *file, gboolean permit, GError **error)
{
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *path = es_output_local_path (file, error), *text = NULL;
  const EsOutput *output;

  if (permit)
    es_outputs_permit_inputs (outputs);
  if (path == NULL || (output = es_outputs_add (outputs, path, FALSE, error)) == NULL)
    return FALSE;
  text = es_json_to_text (root);
  return es_file_write (output->fd, output->path, text, strlen (text), error) && es_outputs_commit (outputs, error);
}

/* ---- where somebody says ---- */

static gboolean
says_the_same (GFile *file, const char *text)
{
  g_autofree char *there = es_text_file_load_at_most (file, LARGEST_KEPT, NULL, NULL, NULL);

  return there != NULL && strcmp (there, text) == 0;
}

gboolean
es_json_file_save_as (JsonNode *root, GFile *file, GPtrArray *kept, GError **error)
{
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *path = es_output_local_path (file, error), *text = es_json_to_text (root);
  const EsOutput *output = path != NULL ? es_outputs_add (outputs, path, FALSE, error) : NULL;
  const guint before = kept->len;

  if (output == NULL || !es_file_write (output->fd, output->path, text, strlen (text), error)
      || (g_file_test (output->path, G_FILE_TEST_EXISTS) && !says_the_same (file, text)
          && !es_kept_add (kept, output->path, NULL, error)))
    return FALSE;
  if (es_outputs_commit (outputs, error))
    return TRUE;
  if (kept->len > before)
    {
      g_unlink (g_ptr_array_index (kept, before));
      g_ptr_array_set_size (kept, before);
    }
  return FALSE;
}

/* ---- what others have written into it ---- */

static void
keep_members (JsonObject *old, JsonObject *now, const char *const *known)
{
  g_autoptr (GList) names = json_object_get_members (old);

  for (GList *l = names; l != NULL; l = l->next)
    if (!g_strv_contains (known, l->data) && !json_object_has_member (now, l->data))
      json_object_set_member (now, l->data, json_node_copy (json_object_get_member (old, l->data)));
}

static JsonArray *
find_list (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

/* The entry of a list that says the same of itself; NULL: none does. */
static JsonObject *
find_entry (GHashTable *entries, JsonObject *of, const char *key)
{
  JsonNode *node = json_object_get_member (of, key);

  return node != NULL ? g_hash_table_lookup (entries, node) : NULL;
}

static void
keep_entries (JsonObject *old, JsonObject *now, const EsJsonEntries *entries)
{
  JsonArray *before = find_list (old, entries->list), *list = find_list (now, entries->list);
  g_autoptr (GHashTable) found = g_hash_table_new ((GHashFunc) json_node_hash, (GEqualFunc) json_node_equal);

  for (guint i = 0; before != NULL && i < json_array_get_length (before); i++)
    {
      JsonNode *node = json_array_get_element (before, i);
      JsonNode *key = JSON_NODE_HOLDS_OBJECT (node)
                      ? json_object_get_member (json_node_get_object (node), entries->key) : NULL;

      if (key != NULL && JSON_NODE_HOLDS_VALUE (key))
        g_hash_table_insert (found, key, json_node_get_object (node));
    }
  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      JsonObject *entry = json_array_get_object_element (list, i);
      JsonObject *same = find_entry (found, entry, entries->key);

      if (same != NULL)
        keep_members (same, entry, entries->known);
    }
}

gboolean
es_json_file_save_over (JsonNode *root, GFile *file, const char *mark, const char *const *known,
                        const EsJsonEntries *entries, GError **error)
{
  g_autofree char *name = es_error_file_name (file);
  gsize length = 0;
  g_autofree char *text = es_text_file_load_at_most (file, LARGEST_KEPT, &length, NULL, NULL);
  g_autoptr (JsonNode) there = text != NULL ? es_json_parse (text, length, name, NULL) : NULL;
  JsonObject *old = there != NULL && JSON_NODE_HOLDS_OBJECT (there) ? json_node_get_object (there) : NULL;

  if (old != NULL && json_object_has_member (old, mark))
    {
      keep_members (old, json_node_get_object (root), known);
      if (entries != NULL)
        keep_entries (old, json_node_get_object (root), entries);
    }
  /* Beside a data set that is open: it is for that one, and replaces what told of it, no other file that is read. */
  const gboolean same = old != NULL && json_object_has_member (old, mark);
  return write_all (root, file, same || !g_file_query_exists (file, NULL), error);
}

GFile *
es_json_file_beside (GFile *dataset, const char *ending)
{
  g_autofree char *uri = g_file_get_uri (dataset);
  g_autofree char *path = g_file_get_path (dataset);
  g_autofree char *beside = g_strconcat (path != NULL ? path : uri, ending, NULL);

  return path != NULL ? g_file_new_for_path (beside) : g_file_new_for_uri (beside);
}
