/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Files of somebody else that have the names of a result's: they stay beside it, under names of their own. */

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>

#include "es-strays-internal.h"
#include "result/es-saved-files-internal.h"
#include "result/es-saved-internal.h"
#include "es-write-result-private.h"

/* What the result that was here says of this file. */
static JsonObject *
find_record (JsonObject *earlier, const char *name)
{
  JsonArray *files;
  const guint n = earlier != NULL ? es_saved_get_array (earlier, "files", &files) : 0;

  for (guint i = 0; i < n; i++)
    {
      JsonObject *record = es_saved_get_element (files, i);
      if (g_strcmp0 (es_saved_get_string (record, "name"), name) == 0)
        return record;
    }
  return NULL;
}

/* Results of format 1 record nothing: what they name counts as theirs. */
static gboolean
is_named (JsonObject *earlier, const char *name)
{
  static const char *const members[] = { "file", "picture", "table" };
  JsonArray *layers;
  const guint n = earlier != NULL && !json_object_has_member (earlier, "files")
                  ? es_saved_get_array (earlier, "layers", &layers) : 0;
  g_autofree char *data = g_str_has_suffix (name, ".hdr") ? g_strdup_printf ("%.*s.img", (int) strlen (name) - 4, name)
                                                           : g_strdup (name);

  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < G_N_ELEMENTS (members); k++)
      if (g_strcmp0 (es_saved_get_string (es_saved_get_element (layers, i), members[k]), data) == 0)
        return TRUE;
  return FALSE;
}

static gboolean
is_others (EsWrittenSet *self, JsonObject *earlier, const char *name)
{
  g_autofree char *path = g_build_filename (self->directory, name, NULL);
  guint64 budget = ES_SAVED_CHECKED_AT_ONCE;
  JsonObject *record;
  struct stat status;

  /* A link leads to where the file is written; what is no file is refused elsewhere. */
  if (stat (path, &status) != 0 || !S_ISREG (status.st_mode))
    return FALSE;
  if (strcmp (name, "result.json") == 0)
    return es_saved_get_string (earlier, "operation") == NULL;
  record = find_record (earlier, name);
  if (record == NULL)
    return !is_named (earlier, name);
  return es_saved_file_check (record, self->directory, &budget, self->cancellable) != ES_SAVED_FILE_SAME;
}

static void
tell_kept (EsWrittenSet *self)
{
  g_autofree char *names = es_kept_names (self->kept);
  g_autofree char *folder = g_filename_display_basename (self->directory);

  if (names != NULL)
    es_written_set_note (self, _("“%s” held files of the result's names that no result has written, or that were "
                                 "changed since; they are kept as %s."), folder, names);
}

gboolean
es_written_set_keep_others (EsWrittenSet *self, GError **error)
{
  g_autofree char *path = g_build_filename (self->directory, "result.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (JsonNode) root = es_saved_parse (file, "result.json", self->cancellable, NULL);
  JsonObject *earlier = root != NULL ? json_node_get_object (root) : NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < self->files->len; i++)
    g_ptr_array_add (names, ((const EsWrittenFile *) g_ptr_array_index (self->files, i))->name);
  g_ptr_array_add (names, (gpointer) "result.json");
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autofree char *other = g_build_filename (self->directory, name, NULL);
      if (is_others (self, earlier, name) && !es_kept_add (self->kept, other, self->cancellable, error))
        return FALSE;
    }
  tell_kept (self);
  return !g_cancellable_set_error_if_cancelled (self->cancellable, error);
}

static gboolean
is_earlier (EsWrittenSet *self, JsonObject *earlier, const char *name)
{
  JsonObject *record = find_record (earlier, name);

  return record != NULL && es_saved_get_string (earlier, "operation") != NULL
         && es_saved_file_check (record, self->directory, NULL, self->cancellable) == ES_SAVED_FILE_SAME;
}

char *
es_written_set_find_replaced (EsWrittenSet *self, const char *stem)
{
  static const EsStackFormat formats[] = { ES_STACK_ENVI, ES_STACK_BIL, ES_STACK_BIP };
  g_autofree char *path = g_build_filename (self->directory, "result.json", NULL);
  g_autofree char *header = g_strconcat (stem, ".hdr", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (JsonNode) root = es_saved_parse (file, "result.json", self->cancellable, NULL);
  JsonObject *earlier = root != NULL ? json_node_get_object (root) : NULL;

  if (!is_earlier (self, earlier, header))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *name = g_strconcat (stem, es_stack_format_get_ending (formats[i]), NULL);

      if (is_earlier (self, earlier, name))
        return g_build_filename (self->directory, name, NULL);
    }
  return NULL;
}

void
es_written_set_forget_others (EsWrittenSet *self)
{
  es_kept_forget (self->kept);
  es_kept_forget (self->strays);
}
