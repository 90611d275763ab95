/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-rehearsal-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "base/es-error.h"
#include "es-rehearsal.h"

/* A file that somebody goes on writing to is not tried for ever. */
#define MOST_TRIES 3u

static int is_helper;

void
es_rehearsal_be_helper (void)
{
  g_atomic_int_set (&is_helper, 1);
}

gboolean
es_rehearsal_finds_hdf5 (const char *path)
{
  static const char signature[8] = "\211HDF\r\n\032\n";
  const int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  gboolean found = FALSE;
  off_t at = 0;
  char bytes[8];

  if (fd < 0)
    return FALSE;
  while (!found && at >= 0 && pread (fd, bytes, sizeof bytes, at) == sizeof bytes)
    {
      found = memcmp (bytes, signature, sizeof bytes) == 0;
      at = at == 0 ? 512 : at < G_MAXINT64 / 2 ? 2 * at : -1;
    }
  close (fd);
  return found;
}

static gboolean
look (const char *path, const char *name, struct stat *status, GError **error)
{
  if (stat (path, status) == 0)
    return TRUE;
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” cannot be opened: %s"), name, g_strerror (errno));
  return FALSE;
}

static gboolean
refuse_change (const char *name, GError **error)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN,
               _("“%s” was changed while it was opened; it can be opened when nobody writes to it any more"), name);
  return FALSE;
}

/* The error that the helper met, as if it had been met here. */
static gboolean
pass_on (const char *answer, const char *name, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (answer, "\n", 3);
  gint64 code;

  if (g_strv_length (parts) == 3 && *parts[0] != '\0' && g_str_has_suffix (parts[2], "\n") &&
      g_ascii_string_to_signed (parts[1], 10, 0, G_MAXINT, &code, NULL) && g_utf8_validate (parts[2], -1, NULL))
    {
      parts[2][strlen (parts[2]) - 1] = '\0';
      g_set_error_literal (error, g_quark_from_string (parts[0]), (int) code, parts[2]);
    }
  else
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                 _("“%s” is damaged: a library that reads it crashed when it was tried in a process of its own"), name);
  return FALSE;
}

static gboolean
tell (EsRehearsalEnd end, const char *answer, const char *name, char **note, GError **error)
{
  switch (end)
    {
    case ES_REHEARSAL_PASSED:
      return TRUE;
    case ES_REHEARSAL_UNUSABLE:
      *note = g_strdup_printf (_("The file was not tried in a process of its own before it was opened, as the program "
                                 "“%s” does not start: the installation is incomplete, and a damaged file could end "
                                 "the program."), "eigenscope-rehearse");
      return TRUE;
    case ES_REHEARSAL_REFUSED:
      return pass_on (answer, name, error);
    case ES_REHEARSAL_ENDLESS:
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("“%s” is damaged: a library that reads it did not come to an end when it was tried in a process "
                     "of its own"), name);
      return FALSE;
    case ES_REHEARSAL_GREEDY:
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("“%s” is damaged or too large: a library that reads it asked for more memory than such a file "
                     "may take when it was tried in a process of its own"), name);
      return FALSE;
    case ES_REHEARSAL_CANCELLED:
    case ES_REHEARSAL_CRASHED:
    default:
      return pass_on ("", name, error);
    }
}

gboolean
es_rehearsal_run (EsRehearsalKind kind, const char *path, const char *name, const char * const *told,
                  GCancellable *cancellable, char **note, struct stat *tried, GError **error)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  g_autofree char *answer = NULL;
  struct stat after;
  EsRehearsalEnd end = ES_REHEARSAL_PASSED;
  gboolean same = FALSE;

  *note = NULL;
  if (!look (path, name, tried, error))
    return FALSE;
  if (g_atomic_int_get (&is_helper))
    return TRUE;
  g_ptr_array_add (arguments, (gpointer) (kind == ES_REHEARSAL_FIELD ? "field" : "dataset"));
  g_ptr_array_add (arguments, (gpointer) path);
  for (guint i = 0; told != NULL && told[i] != NULL; i++)
    g_ptr_array_add (arguments, (gpointer) told[i]);
  g_ptr_array_add (arguments, NULL);

  for (guint i = 0; i < MOST_TRIES && !same; i++)
    {
      const char * const *words = (const char * const *) arguments->pdata;

      g_clear_pointer (&answer, g_free);
      if (es_rehearsal_known (tried, words, &end))
        return tell (end, "", name, note, error);
      end = es_rehearsal_process (words, (guint64) MAX (tried->st_size, 0), cancellable, &answer);
      if (end == ES_REHEARSAL_CANCELLED && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (!look (path, name, &after, error))
        return FALSE;
      same = es_rehearsal_equal (tried, &after);
      /* An ordinary error may be due to what lies beside the file. */
      if (same && end != ES_REHEARSAL_UNUSABLE && end != ES_REHEARSAL_REFUSED)
        es_rehearsal_remember (tried, words, end);
      *tried = after;
    }
  return same ? tell (end, answer, name, note, error) : refuse_change (name, error);
}

gboolean
es_rehearsal_is_same (const char *path, const char *name, const struct stat *tried, GError **error)
{
  struct stat now;

  return look (path, name, &now, error) && (es_rehearsal_equal (tried, &now) || refuse_change (name, error));
}
