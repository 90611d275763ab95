/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Files of text (result.json, curves, matrices, regions), read whole: looked at first, since they may be anything. */

#include "es-text-file-internal.h"

#include <glib/gi18n-lib.h>

#include "es-error.h"

#define LARGEST_FILE ((goffset) 1 << 30)

/* Of brackets; result.json has five levels, and brackets in its texts may count as some more. */
#define DEEPEST_NESTING 1000

static gboolean
check (GFile *file, const char *name, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFileInfo) info = NULL;
  g_autoptr (GError) local_error = NULL;

  info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE,
                            G_FILE_QUERY_INFO_NONE, cancellable, &local_error);
  if (info == NULL && g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_propagate_error (error, g_steal_pointer (&local_error));
  else if (info == NULL && g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” is not there."), name);
  else if (info == NULL)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” could not be read: %s."), name,
                 local_error->message);
  else if (g_file_info_get_file_type (info) == G_FILE_TYPE_DIRECTORY)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” is a folder; a file was expected."), name);
  else if (g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” is a device or a pipe; a file was expected."),
                 name);
  else if (g_file_info_get_size (info) > LARGEST_FILE)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE, _("“%s” is larger than any file of text that is read here."),
                 name);
  else
    return TRUE;
  return FALSE;
}

char *
es_text_file_load (GFile *file, gsize *length, GCancellable *cancellable, GError **error)
{
  g_autofree char *name = es_error_file_name (file);
  g_autoptr (GError) local_error = NULL;
  char *text = NULL;

  if (!check (file, name, cancellable, error))
    return NULL;
  if (g_file_load_contents (file, cancellable, &text, length, NULL, &local_error))
    return text;
  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_propagate_error (error, g_steal_pointer (&local_error));
  else
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” could not be read: %s."), name,
                 local_error->message);
  return NULL;
}

gboolean
es_json_is_nested_too_deeply (const char *text, gsize length)
{
  guint depth = 0;

  for (gsize i = 0; i < length; i++)
    if (text[i] == '[' || text[i] == '{')
      {
        if (++depth > DEEPEST_NESTING)
          return TRUE;
      }
    else if ((text[i] == ']' || text[i] == '}') && depth > 0)
      depth--;
  return FALSE;
}
