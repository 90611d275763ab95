/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-durable.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/es-error.h"
#include "base/es-file-internal.h"
#include "es-output-internal.h"
#include "es-part-internal.h"

static guint
count_names (const char *path)
{
  g_autoptr (GDir) names = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (names != NULL && g_dir_read_name (names) != NULL)
    n++;
  return n;
}

gboolean
es_durable_tidy_folder (const char *path)
{
  const guint before = count_names (path);
  g_autofree char *inside = g_build_filename (path, "x", NULL);

  if (before == 0 || !es_outputs_settle (inside, NULL))
    return FALSE;
  es_part_clear (path);
  return count_names (path) == 0;
}

gboolean
es_durable_sync_folder (int folder)
{
  /* Some file systems know no such thing, and those that nobody may write to have nothing to bring. */
  return fsync (folder) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP || errno == EBADF;
}

static void
sync_parent (const char *path)
{
  g_autofree char *parent = g_path_get_dirname (path);
  int folder = open (parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (folder < 0)
    return;
  fsync (folder);
  close (folder);
}

gboolean
es_durable_make_folder (const char *path, GPtrArray *made, GError **error)
{
  g_autofree char *full = g_canonicalize_filename (path, NULL);
  g_autoptr (GPtrArray) missing = g_ptr_array_new_with_free_func (g_free);
  struct stat status;

  for (char *p = g_strdup (full); ; )
    {
      if (stat (p, &status) == 0)
        {
          g_free (p);
          break;
        }
      char *parent = g_path_get_dirname (p);
      g_ptr_array_add (missing, p);
      p = parent;
    }

  for (guint i = missing->len; i > 0; i--)
    {
      const char *directory = g_ptr_array_index (missing, i - 1);
      if (mkdir (directory, 0777) == 0)
        {
          sync_parent (directory);
          if (made != NULL)
            g_ptr_array_add (made, g_strdup (directory));
        }
      else if (errno != EEXIST)
        {
          const int code = errno;      /* of which a name to show leaves nothing */
          g_autofree char *shown = g_filename_display_name (full);

          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE, _("The folder “%s” could not be made: %s."), shown,
                       g_strerror (code));
          return FALSE;
        }
    }

  if (!g_file_test (full, G_FILE_TEST_IS_DIR))
    {
      g_autofree char *shown = g_filename_display_name (full);
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
                   _("“%s” is a file, where a folder was expected."), shown);
      return FALSE;
    }
  return TRUE;
}

static gboolean
write_data (GFile *target, const void *data, gsize size, gboolean permit, GError **error)
{
  const char *path = g_file_peek_path (target);
  g_autoptr (GError) failure = NULL;

  if (path != NULL)
    {
      g_autoptr (EsOutputs) outputs = es_outputs_new ();
      const EsOutput *output;

      if (permit)
        es_outputs_permit_inputs (outputs);
      output = es_outputs_add (outputs, path, !permit, error);
      return output != NULL && es_file_write (output->fd, output->path, data, size, error)
             && es_outputs_commit (outputs, error);
    }
  if (g_file_replace_contents (target, data, size, NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, &failure))
    return TRUE;

  g_autofree char *name = es_error_file_name (target);
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE, _("“%s” could not be written: %s."), name, failure->message);
  return FALSE;
}

gboolean
es_durable_write (GFile *target, const void *data, gsize size, GError **error)
{
  return write_data (target, data, size, FALSE, error);
}

gboolean
es_durable_try (GFile *target, GError **error)
{
  const char *path = g_file_peek_path (target);
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  struct stat status;

  /* Who reads a pipe would take its being opened and closed for all that there is. */
  if (path == NULL || (stat (path, &status) == 0 && !S_ISREG (status.st_mode) && !S_ISDIR (status.st_mode)))
    return TRUE;
  return es_outputs_add (outputs, path, FALSE, error) != NULL;
}

gboolean
es_durable_write_back (GFile *target, const void *data, gsize size, GError **error)
{
  return write_data (target, data, size, TRUE, error);
}

gboolean
es_durable_write_text (GFile *target, const char *text, GError **error)
{
  return es_durable_write (target, text, strlen (text), error);
}
