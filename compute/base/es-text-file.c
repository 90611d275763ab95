/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Files of text (result.json, curves, matrices, regions), read whole: looked at first, since they may be anything. */

#include "es-text-file-internal.h"

#include <glib/gi18n-lib.h>

#include "es-error.h"

#define LARGEST_FILE ((gsize) 1 << 30)

#define BLOCK_BYTES ((gsize) 1 << 20)

static void
refuse_size (const char *name, GError **error)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE, _("“%s” is larger than any file of text that is read here."),
               name);
}

static gboolean
check (GFile *file, const char *name, gsize most, gsize *size, GCancellable *cancellable, GError **error)
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
  else if (g_file_info_get_size (info) > (goffset) most)
    refuse_size (name, error);
  else
    {
      *size = (gsize) g_file_info_get_size (info);
      return TRUE;
    }
  return FALSE;
}

/* Block by block until its end, which may have moved since it was looked at. */
static char *
read_all (GInputStream *stream, const char *name, gsize most, gsize expected, gsize *length,
          GCancellable *cancellable, GError **error)
{
  gsize room = expected + BLOCK_BYTES + 1, used = 0;
  g_autofree char *text = g_try_malloc (room);

  while (text != NULL)
    {
      const gssize got = g_input_stream_read (stream, text + used, BLOCK_BYTES, cancellable, error);

      if (got < 0)
        return NULL;
      if (got == 0)
        {
          text[used] = '\0';
          *length = used;
          return g_steal_pointer (&text);
        }
      used += (gsize) got;
      if (used > most)
        {
          refuse_size (name, error);
          return NULL;
        }
      if (room - used <= BLOCK_BYTES)
        {
          char *grown = g_try_realloc (text, 2 * room);
          if (grown == NULL)
            g_free (text);
          text = grown;
          room *= 2;
        }
    }
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, _("There is no memory to read “%s” in."), name);
  return NULL;
}

char *
es_text_file_load_at_most (GFile *file, gsize most, gsize *length, GCancellable *cancellable, GError **error)
{
  g_autofree char *name = es_error_file_name (file);
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GFileInputStream) stream = NULL;
  char *text = NULL;
  gsize size = 0, used = 0;

  if (!check (file, name, most, &size, cancellable, error))
    return NULL;
  stream = g_file_read (file, cancellable, &local_error);
  if (stream != NULL)
    text = read_all (G_INPUT_STREAM (stream), name, most, size, &used, cancellable, &local_error);
  if (text != NULL && length != NULL)
    *length = used;
  if (text != NULL)
    return text;
  if (local_error->domain == ES_DATA_ERROR || local_error->domain == ES_COMPUTE_ERROR
      || g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_propagate_error (error, g_steal_pointer (&local_error));
  else
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” could not be read: %s."), name,
                 local_error->message);
  return NULL;
}

char *
es_text_file_load (GFile *file, gsize *length, GCancellable *cancellable, GError **error)
{
  return es_text_file_load_at_most (file, LARGEST_FILE, length, cancellable, error);
}
