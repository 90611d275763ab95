/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "base/es-error.h"
#include "es-render-file-internal.h"

gboolean
es_render_file_fail (GFile *target, const char *reason, GError **error)
{
  g_autofree char *name = es_error_file_name (target);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE, _("“%s” cannot be written: %s."), name, reason);
  return FALSE;
}

/* GLib's own sentence names the temporary file, which means nothing to anybody; only what failed is taken from it. */
static const char *
reason_of (const GError *failure)
{
  static const struct { GFileError code; int number; } known[] = {
    { G_FILE_ERROR_NOSPC, ENOSPC }, { G_FILE_ERROR_ACCES, EACCES }, { G_FILE_ERROR_PERM, EPERM },
    { G_FILE_ERROR_ROFS, EROFS },   { G_FILE_ERROR_NOENT, ENOENT }, { G_FILE_ERROR_NOTDIR, ENOTDIR },
    { G_FILE_ERROR_ISDIR, EISDIR }, { G_FILE_ERROR_IO, EIO },       { G_FILE_ERROR_NAMETOOLONG, ENAMETOOLONG },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_error_matches (failure, G_FILE_ERROR, known[i].code))
      return g_strerror (known[i].number);
  return failure->message;
}

gboolean
es_render_file_replace (GFile *target, GBytes *contents, GError **error)
{
  const char *path = g_file_peek_path (target);
  g_autoptr (GError) failure = NULL;
  gsize size;
  const void *data = g_bytes_get_data (contents, &size);

  if (path != NULL
        ? g_file_set_contents_full (path, data, size, G_FILE_SET_CONTENTS_CONSISTENT, 0666, &failure)
        : g_file_replace_contents (target, data, size, NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, &failure))
    return TRUE;
  return es_render_file_fail (target, reason_of (failure), error);
}
