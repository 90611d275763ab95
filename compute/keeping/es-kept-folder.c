/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-kept-folder-private.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "result/es-saved-files-internal.h"
#include "result/es-saved-internal.h"
#include "saving/es-output-internal.h"
#include "saving/es-part-internal.h"

#define FIRST "result.json"

/* -1: it is no folder itself, or another user's. */
static int
open_folder (const char *path)
{
  int folder = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat status;

  if (folder >= 0 && (fstat (folder, &status) != 0 || status.st_uid != geteuid ()))
    {
      close (folder);
      return -1;
    }
  return folder;
}

/* The names of the files of the result that is there, result.json the last one. NULL: there is none. */
static GPtrArray *
list_own (int folder, const char *path)
{
  g_autofree char *first = g_build_filename (path, FIRST, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (first);
  g_autoptr (JsonNode) root = NULL;
  JsonObject *object;
  JsonArray *records;
  struct stat status;

  if (fstatat (folder, FIRST, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG (status.st_mode))
    return NULL;
  root = es_saved_parse (file, FIRST, NULL, NULL);
  object = root != NULL ? json_node_get_object (root) : NULL;
  /* Anybody may call a file so. */
  if (es_saved_get_string (object, "operation") == NULL || !json_object_has_member (object, ES_SAVED_FORMAT_MEMBER))
    return NULL;

  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const guint n = es_saved_get_array (object, "files", &records);
  for (guint i = 0; i < n; i++)
    {
      const char *name = es_saved_file_name (es_saved_get_element (records, i));

      if (name != NULL)
        g_ptr_array_add (names, g_strdup (name));
    }
  g_ptr_array_add (names, g_strdup (FIRST));
  return names;
}

gboolean
_es_kept_folder_is_written (const char *path)
{
  const int folder = open_folder (path);
  g_autoptr (GPtrArray) names = folder >= 0 ? list_own (folder, path) : NULL;

  if (folder >= 0)
    close (folder);
  return names != NULL;
}

static guint64
size_of (int folder, const char *name)
{
  struct stat status;

  return fstatat (folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG (status.st_mode)
         ? (guint64) status.st_size : 0;
}

guint64
_es_kept_folder_measure (const char *path, gint64 *used)
{
  const int folder = open_folder (path);
  g_autoptr (GPtrArray) own = folder >= 0 ? list_own (folder, path) : NULL;
  g_autoptr (GDir) names = folder >= 0 ? g_dir_open (path, 0, NULL) : NULL;
  struct stat status;
  guint64 size = 0;
  const char *name;

  /* The folder's own time is that of its last use. */
  *used = lstat (path, &status) == 0 ? status.st_mtime : 0;
  for (guint i = 0; own != NULL && i < own->len; i++)
    size += size_of (folder, g_ptr_array_index (own, i));
  while (names != NULL && (name = g_dir_read_name (names)) != NULL)
    if (es_part_is_name (name))
      size += size_of (folder, name);
  if (folder >= 0)
    close (folder);
  return size;
}

void
_es_kept_folder_use (const char *path)
{
  utimensat (AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW);
}

/* result.json is the last to go: as long as it is there the rest is known to be its own, and what is read without the
 * rest is refused. */
static void
remove_own (int folder, const char *path)
{
  g_autofree char *first = g_build_filename (path, FIRST, NULL);
  g_autoptr (GPtrArray) own = NULL;

  /* Somebody is writing it. */
  if (!es_outputs_settle (first, NULL))
    return;
  own = list_own (folder, path);
  for (guint i = 0; own != NULL && i < own->len; i++)
    unlinkat (folder, g_ptr_array_index (own, i), 0);
  es_part_clear (path);
  rmdir (path);
}

void
_es_kept_folder_remove (const char *path)
{
  const int folder = open_folder (path);
  struct stat status;

  if (folder >= 0)
    {
      remove_own (folder, path);
      close (folder);
    }
  else if (lstat (path, &status) == 0 && S_ISLNK (status.st_mode))
    unlink (path);
}
