/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-vrt-internal.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/es-error.h"
#include "base/es-gdal-internal.h"
#include "base/es-text-file-internal.h"
#include "base/es-text-show.h"

#define MOST_BYTES   ((gsize) 64 << 20)
#define MOST_SOURCES 1000u
#define DEEPEST      8u
#define HEAD         2048

typedef struct
{
  GPtrArray    *found;           /* of char *, each once */
  GHashTable   *known;           /* of the same */
  GCancellable *cancellable;
  const char   *folder;          /* of the description that is read */
  GPtrArray    *nested;          /* of char *: files among the sources of this one */
  GString      *text;
  gboolean      in_source, is_relative;
} Search;

static gboolean
is_description (const char *path)
{
  guint8 head[HEAD];
  struct stat status;
  const int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const ssize_t n = fd >= 0 && fstat (fd, &status) == 0 && S_ISREG (status.st_mode) ? pread (fd, head, sizeof head, 0)
                                                                                    : -1;

  if (fd >= 0)
    close (fd);
  return n > 0 && g_strcmp0 (es_gdal_guess_driver (head, (gsize) n), "VRT") == 0;
}

static void
on_start (GMarkupParseContext *context, const char *element, const char **keys, const char **values, gpointer data,
          GError **error)
{
  Search *self = data;

  if (!g_str_equal (element, "SourceFilename") && !g_str_equal (element, "SourceDataset"))
    return;
  self->in_source = TRUE;
  self->is_relative = FALSE;
  g_string_truncate (self->text, 0);
  for (guint i = 0; keys[i] != NULL; i++)
    if (g_ascii_strcasecmp (keys[i], "relativeToVRT") == 0)
      self->is_relative = g_str_equal (values[i], "1");
}

static void
on_text (GMarkupParseContext *context, const char *text, gsize length, gpointer data, GError **error)
{
  Search *self = data;

  if (self->in_source)
    g_string_append_len (self->text, text, (gssize) length);
}

static void
on_end (GMarkupParseContext *context, const char *element, gpointer data, GError **error)
{
  Search *self = data;
  g_autofree char *source = NULL;

  if (!self->in_source)
    return;
  self->in_source = FALSE;
  /* What is no file (HDF5:"x.h5"://y) is shown as it is written. */
  source = self->is_relative ? g_canonicalize_filename (self->text->str, self->folder) : g_strdup (self->text->str);
  if (*source == '\0' || self->found->len >= MOST_SOURCES || g_hash_table_contains (self->known, source))
    return;
  if (g_path_is_absolute (source) && !g_str_has_prefix (source, "/vsi"))
    g_ptr_array_add (self->nested, g_strdup (source));
  g_hash_table_add (self->known, source);
  g_ptr_array_add (self->found, g_steal_pointer (&source));
}

static gboolean
search (Search *self, const char *path, guint depth, GError **error)
{
  static const GMarkupParser parser = { on_start, on_end, on_text, NULL, NULL };
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, self, NULL);
  g_autoptr (GPtrArray) nested = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) failure = NULL;
  g_autofree char *folder = g_path_get_dirname (path);
  gsize length;
  g_autofree char *text = es_text_file_load_at_most (file, MOST_BYTES, &length, self->cancellable, error);

  if (text == NULL)
    return FALSE;
  self->folder = folder;
  self->nested = nested;
  self->in_source = FALSE;
  if (!g_markup_parse_context_parse (context, text, (gssize) length, &failure)
      || !g_markup_parse_context_end_parse (context, &failure))
    {
      g_autofree char *name = es_error_file_name (file), *reason = es_text_show (failure->message);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” is no XML that can be read: %s"), name, reason);
      return FALSE;
    }
  /* What one among them is wrong with is said when it is opened. */
  for (guint i = 0; i < nested->len && depth < DEEPEST; i++)
    if (is_description (g_ptr_array_index (nested, i)))
      search (self, g_ptr_array_index (nested, i), depth + 1, NULL);
  return TRUE;
}

char **
es_vrt_list_sources (const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GString) text = g_string_new (NULL);
  Search self = { .found = found, .known = known, .cancellable = cancellable, .text = text };

  if (!is_description (path))
    return NULL;
  if (!search (&self, path, 0, error))
    {
      g_ptr_array_set_free_func (found, g_free);
      return NULL;
    }
  g_ptr_array_add (found, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&found), FALSE);
}
