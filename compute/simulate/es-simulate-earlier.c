/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What is there already where a simulation is to be written. */

#include "es-simulate-private.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/es-error.h"
#include "saving/es-inputs-internal.h"

/* Seconds: the files of a simulation are written one right after the other. */
#define LONGEST_APART 10

gboolean
es_simulate_refuse_earlier (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *name = es_error_file_name (file);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
               _("“%s” is not replaced: it is no simulation that has stayed as it was written; choose another name."),
               name);
  return FALSE;
}

static gboolean
begins_with (const char *path, const char *mark)
{
  const gsize length = strlen (mark);
  g_autofree char *begin = g_malloc0 (length + 1);
  const int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const gboolean same = fd >= 0 && read (fd, begin, length) == (gssize) length && memcmp (begin, mark, length) == 0;

  if (fd >= 0)
    close (fd);
  return same;
}

gboolean
es_simulate_check_earlier (const char * const *paths, const char *truth, const char *mark, GError **error)
{
  struct stat status, of_truth;

  /* What is no file is refused where it is to be written. */
  if (stat (paths[0], &status) != 0 || !S_ISREG (status.st_mode))
    return TRUE;
  if (stat (truth, &of_truth) != 0 || !S_ISREG (of_truth.st_mode) || !begins_with (truth, mark))
    return es_simulate_refuse_earlier (paths[0], error);
  /* What was changed since is somebody's work. */
  for (guint i = 0; paths[i] != NULL; i++)
    if (stat (paths[i], &status) == 0 && labs (status.st_mtim.tv_sec - of_truth.st_mtim.tv_sec) > LONGEST_APART)
      return es_simulate_refuse_earlier (paths[i], error);
  return TRUE;
}

gboolean
es_simulate_check_beside (const char *path, GFile *beside, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *name = es_error_file_name (file), *found = es_error_file_name (beside);

  if (g_file_query_file_type (beside, G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, NULL) == G_FILE_TYPE_UNKNOWN)
    return TRUE;
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
               _("“%s” is not written: “%s”, which is there already, would be taken for a part of it; choose another "
                 "name."), name, found);
  return FALSE;
}

gboolean
es_simulate_check_inputs (const char * const *paths, GError **error)
{
  for (; *paths != NULL; paths++)
    if (!es_inputs_check (*paths, error))
      return FALSE;
  return TRUE;
}
