/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "es-batch-folder.h"

char *
es_batch_folder_above (const char *directory)
{
  char *path = g_strdup (directory);

  while (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      char *above = g_path_get_dirname (path);
      g_free (path);
      path = above;
    }
  return path;
}

void
es_batch_folder_remove (const char *directory, const char *existing)
{
  g_autofree char *path = g_strdup (directory);

  while (strlen (path) > strlen (existing) && (g_rmdir (path) == 0 || errno == ENOENT))
    {
      char *above = g_path_get_dirname (path);
      g_free (path);
      path = above;
    }
}
