/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/es-file-name.h"
#include "result/es-saved-files-internal.h"
#include "result/es-saved-internal.h"
#include "es-write-result-private.h"

/* Names in one sentence. */
#define MOST_NAMED 10

static void
file_free (gpointer data)
{
  EsWrittenFile *file = data;

  g_free (file->name);
  g_free (file->layer);
  g_free (file);
}

EsWrittenSet *
es_written_set_new (const char *directory, EsOutputs *outputs, GPtrArray *notes, GCancellable *cancellable)
{
  EsWrittenSet *self = g_new0 (EsWrittenSet, 1);

  self->directory = directory;
  self->outputs = outputs;
  self->cancellable = cancellable;
  self->notes = notes;
  self->taken = es_file_names_new ();
  self->files = g_ptr_array_new_with_free_func (file_free);
  self->kept = g_ptr_array_new_with_free_func (g_free);
  self->strays = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
es_written_set_free (EsWrittenSet *self)
{
  g_hash_table_unref (self->taken);
  g_ptr_array_unref (self->files);
  g_ptr_array_unref (self->kept);
  g_ptr_array_unref (self->strays);
  g_free (self);
}

char *
es_written_set_add (EsWrittenSet *self, const char *name, const char *layer)
{
  EsWrittenFile *file = g_new0 (EsWrittenFile, 1);

  file->name = g_strdup (name);
  file->layer = g_strdup (layer);
  g_ptr_array_add (self->files, file);
  return g_build_filename (self->directory, name, NULL);
}

void
es_written_set_note (EsWrittenSet *self, const char *format, ...)
{
  va_list arguments;

  if (self->notes == NULL)
    return;
  va_start (arguments, format);
  g_ptr_array_add (self->notes, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

JsonArray *
es_written_set_record (EsWrittenSet *self, GError **error)
{
  g_autoptr (JsonArray) records = json_array_new ();

  for (guint i = 0; i < self->files->len; i++)
    {
      const EsWrittenFile *file = g_ptr_array_index (self->files, i);
      g_autofree char *path = g_build_filename (self->directory, file->name, NULL);
      const EsOutput *output = es_outputs_find (self->outputs, path);
      JsonObject *record = es_saved_file_record (output != NULL ? output->part : path, file->name, file->layer,
                                                 self->cancellable, error);

      if (record == NULL)
        return NULL;
      json_array_add_object_element (records, record);
    }
  return g_steal_pointer (&records);
}

/* ---- the result that was here ---- */

typedef struct
{
  EsWrittenSet *set;
  GHashTable   *layers;        /* names of the earlier result's; borrowed */
  GHashTable   *seen;          /* names of files; borrowed */
  GPtrArray    *left;          /* names of those that stay; borrowed */
} Earlier;

static gboolean
is_written (EsWrittenSet *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->directory, name, NULL);

  return strcmp (name, "result.json") == 0 || es_outputs_find (self->outputs, path) != NULL;
}

static gboolean
is_of_a_kind_that_is_written (const char *name)
{
  static const char *const endings[] = { ".img", ".bil", ".bip", ".hdr", ".tif", ".csv", ".h5", ".png" };

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (name, endings[i]))
      return TRUE;
  return FALSE;
}

static gboolean
is_there (EsWrittenSet *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->directory, name, NULL);
  struct stat status;

  return lstat (path, &status) == 0;
}

/* record: NULL where it has none. */
static void
look_at (Earlier *earlier, const char *name, JsonObject *record)
{
  EsWrittenSet *self = earlier->set;
  const char *layer = es_saved_get_string (record, "layer");

  if (name == NULL || !g_hash_table_add (earlier->seen, (gpointer) name))
    return;
  if (!es_file_name_is_plain (name))
    g_ptr_array_add (earlier->left, (gpointer) name);
  else if (is_written (self, name) || !is_there (self, name))
    return;
  else if (layer != NULL && g_hash_table_contains (earlier->layers, layer) && is_of_a_kind_that_is_written (name)
           && es_saved_file_check (record, self->directory, NULL, self->cancellable) == ES_SAVED_FILE_SAME)
    {
      g_autofree char *path = g_build_filename (self->directory, name, NULL);
      es_outputs_remove (self->outputs, path);
    }
  else
    g_ptr_array_add (earlier->left, (gpointer) name);
}

static void
tell_left (Earlier *earlier)
{
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree char *folder = g_filename_display_basename (earlier->set->directory);

  if (earlier->left->len == 0)
    return;
  for (guint i = 0; i < MIN (earlier->left->len, MOST_NAMED); i++)
    g_string_append_printf (names, "%s%s", i == 0 ? "" : ", ", (const char *) g_ptr_array_index (earlier->left, i));
  if (earlier->left->len > MOST_NAMED)
    g_string_append (names, " …");
  es_written_set_note (earlier->set, _("The result that was in “%s” named files that are not certainly its own; they "
                                       "were left: %s."), folder, names->str);
}

void
es_written_set_remove_earlier (EsWrittenSet *self)
{
  static const char *const members[] = { "file", "picture", "table" };
  g_autofree char *path = g_build_filename (self->directory, "result.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (JsonNode) root = es_saved_parse (file, "result.json", self->cancellable, NULL);
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) left = g_ptr_array_new ();
  Earlier earlier = { self, names, seen, left };
  JsonObject *object = root != NULL ? json_node_get_object (root) : NULL;
  JsonArray *files, *layers;

  if (es_saved_get_string (object, "operation") == NULL)
    return;                    /* none of ours */
  const guint n_files = es_saved_get_array (object, "files", &files);
  const guint n_layers = es_saved_get_array (object, "layers", &layers);

  for (guint i = 0; i < n_layers; i++)
    {
      const char *name = es_saved_get_string (es_saved_get_element (layers, i), "name");
      if (name != NULL)
        g_hash_table_add (names, (gpointer) name);
    }
  for (guint i = 0; i < n_files; i++)
    {
      JsonObject *record = es_saved_get_element (files, i);
      look_at (&earlier, es_saved_get_string (record, "name"), record);
    }
  /* Results of format 1 have no records. */
  for (guint i = 0; i < n_layers; i++)
    for (guint k = 0; k < G_N_ELEMENTS (members); k++)
      look_at (&earlier, es_saved_get_string (es_saved_get_element (layers, i), members[k]), NULL);
  tell_left (&earlier);
}
