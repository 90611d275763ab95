/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-saved-files-internal.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/es-file-internal.h"
#include "base/es-file-name.h"
#include "base/es-file-sum-internal.h"
#include "es-saved-internal.h"

/* One who reads these knows enough. */
#define MOST_SENTENCES 20
/* Above, numbers of JSON are not exact any more. */
#define LARGEST_SIZE ((double) ((guint64) 1 << 53))

JsonObject *
es_saved_file_record (const char *path, const char *name, const char *layer, GCancellable *cancellable,
                      GError **error)
{
  struct stat status;
  g_auto (GStrv) sums = NULL;
  JsonObject *record;
  JsonArray *array;

  if (stat (path, &status) != 0)
    {
      es_file_set_error (error, path, errno);
      return NULL;
    }
  sums = es_file_sum (path, NULL, (guint) es_file_sum_n_blocks ((guint64) status.st_size), cancellable, error);
  if (sums == NULL)
    return NULL;
  record = json_object_new ();
  array = json_array_new ();
  for (char **sum = sums; *sum != NULL; sum++)
    json_array_add_string_element (array, *sum);
  json_object_set_string_member (record, "name", name);
  json_object_set_string_member (record, "layer", layer);
  json_object_set_int_member (record, "size", status.st_size);
  json_object_set_array_member (record, "sha256", array);
  return record;
}

const char *
es_saved_file_name (JsonObject *record)
{
  const char *name = es_saved_get_string (record, "name");

  return es_file_name_is_plain (name) ? name : NULL;
}

/* FALSE: the record has no such block. */
static gboolean
is_sum (JsonArray *sums, guint64 block, const char *found)
{
  JsonNode *node = json_array_get_element (sums, (guint) block);

  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
         && strcmp (json_node_get_string (node), found) == 0;
}

static EsSavedFileState
check_content (const char *path, JsonArray *sums, guint64 size, guint64 *budget, GCancellable *cancellable)
{
  const guint64 n_blocks = es_file_sum_n_blocks (size);
  const guint64 some[3] = { 0, n_blocks / 2, n_blocks - 1 };
  const gboolean whole = budget == NULL || size <= *budget || n_blocks <= G_N_ELEMENTS (some);
  const guint n = whole ? (guint) n_blocks : G_N_ELEMENTS (some);
  g_auto (GStrv) found = es_file_sum (path, whole ? NULL : some, n, cancellable, NULL);

  if (budget != NULL)
    *budget -= MIN (*budget, n * ES_FILE_SUM_BLOCK);
  if (found == NULL)
    return g_cancellable_is_cancelled (cancellable) ? ES_SAVED_FILE_SAME : ES_SAVED_FILE_UNREADABLE;
  for (guint i = 0; i < n; i++)
    if (!is_sum (sums, whole ? i : some[i], found[i]))
      return ES_SAVED_FILE_CONTENT;
  return ES_SAVED_FILE_SAME;
}

EsSavedFileState
es_saved_file_check (JsonObject *record, const char *folder, guint64 *budget, GCancellable *cancellable)
{
  const char *name = es_saved_file_name (record);
  const double size = es_saved_get_number (record, "size", -1);
  JsonArray *sums;
  const guint n = es_saved_get_array (record, "sha256", &sums);
  struct stat status;

  if (name == NULL || !(size >= 0) || size > LARGEST_SIZE || size != floor (size)
      || n != es_file_sum_n_blocks ((guint64) size))
    return ES_SAVED_FILE_UNRECORDED;
  g_autofree char *path = g_build_filename (folder, name, NULL);
  if (lstat (path, &status) != 0 || !S_ISREG (status.st_mode))
    return ES_SAVED_FILE_UNREADABLE;
  if ((guint64) status.st_size != (guint64) size)
    return ES_SAVED_FILE_SIZE;
  if (budget != NULL && *budget == 0)
    return ES_SAVED_FILE_SAME;
  return check_content (path, sums, (guint64) size, budget, cancellable);
}

char *
es_saved_file_tell (JsonObject *record, EsSavedFileState state)
{
  const char *name = es_saved_get_string (record, "name"), *layer = es_saved_get_string (record, "layer");

  if (name == NULL || layer == NULL)
    return state == ES_SAVED_FILE_SAME ? NULL : g_strdup (_("One of its files is recorded without a name."));
  switch (state)
    {
    case ES_SAVED_FILE_SAME:
      return NULL;
    case ES_SAVED_FILE_UNREADABLE:
      return g_strdup_printf (_("“%s” of the layer “%s” is missing or cannot be read."), name, layer);
    case ES_SAVED_FILE_SIZE:
      return g_strdup_printf (_("“%s” of the layer “%s” has another size than when the result was saved."), name,
                              layer);
    case ES_SAVED_FILE_CONTENT:
      return g_strdup_printf (_("“%s” of the layer “%s” is not what was saved with this result: it was altered, or is "
                                "of another one."), name, layer);
    case ES_SAVED_FILE_UNRECORDED:
    default:
      return g_strdup_printf (_("“%s” of the layer “%s” has no size and checksums in result.json."), name, layer);
    }
}

/* A name twice would have one file read any number of times. */
static char *
check_record (JsonObject *record, const char *folder, GHashTable *names, guint64 *budget, GCancellable *cancellable)
{
  const char *name = es_saved_get_string (record, "name");
  const gboolean first = name != NULL && g_hash_table_add (names, (gpointer) name);

  return es_saved_file_tell (record, first ? es_saved_file_check (record, folder, budget, cancellable)
                                           : ES_SAVED_FILE_UNRECORDED);
}

char **
es_saved_check_files (JsonObject *root, const char *folder, guint64 *budget, gboolean *recorded,
                      GCancellable *cancellable)
{
  const gboolean has_records = es_saved_get_number (root, ES_SAVED_FORMAT_MEMBER, 1) >= 2;
  g_autoptr (GPtrArray) wrong = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  JsonArray *files, *layers;
  const guint n = es_saved_get_array (root, "files", &files), n_layers = es_saved_get_array (root, "layers", &layers);

  if (recorded != NULL)
    *recorded = has_records;
  for (guint i = 0; has_records && i < n && wrong->len < MOST_SENTENCES; i++)
    {
      char *sentence = check_record (es_saved_get_element (files, i), folder, names, budget, cancellable);

      if (sentence != NULL)
        g_ptr_array_add (wrong, sentence);
    }
  for (guint i = 0; has_records && i < n_layers && wrong->len < MOST_SENTENCES; i++)
    {
      JsonObject *layer = es_saved_get_element (layers, i);
      const char *name = es_saved_get_string (layer, "file");

      if (name != NULL && !g_hash_table_contains (names, name))
        g_ptr_array_add (wrong, g_strdup_printf (_("“%s” of the layer “%s” has no size and checksums in result.json."),
                                                 name, es_saved_get_string (layer, "name") ?: ""));
    }
  if (wrong->len == 0)
    return NULL;
  g_ptr_array_add (wrong, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&wrong), FALSE);
}
