/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-session-store.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "es-kept-id.h"
#include "es-session-file.h"
#include "saving/es-durable.h"
#include "saving/es-part-internal.h"

#define LOCK_ENDING  ".lock"
#define TRIED_ENDING ".tried"
#define CLOSED_KEPT  10

struct _EsSessionStore
{
  GFile *file;
  char  *lock_path;
  char  *tried_path;
  int    lock;
};

static char *
folder_path (void)
{
  return g_build_filename (g_get_user_state_dir (), "eigenscope", "sessions", NULL);
}

static char *
path_beside (GFile *file, const char *ending)
{
  g_autofree char *path = g_file_get_path (file);
  gsize length = strlen (path);

  if (g_str_has_suffix (path, ES_SESSION_ENDING))
    path[length - strlen (ES_SESSION_ENDING)] = '\0';
  return g_strconcat (path, ending, NULL);
}

/* -1: a process that lives has it, or it cannot be made. Where there are no locks nobody else has it. */
static int
take_lock (const char *path, int flags)
{
  int fd = open (path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
  struct stat status;

  if (fd < 0)
    return -1;
  /* Whoever had it may have closed its session in between, and taken the name away. */
  if ((!es_part_lock (fd, FALSE) && (errno == EAGAIN || errno == EACCES))
      || fstat (fd, &status) != 0 || status.st_nlink == 0)
    {
      close (fd);
      return -1;
    }
  return fd;
}

static EsSessionStore *
make_store (GFile *file, int lock)
{
  EsSessionStore *self = g_new0 (EsSessionStore, 1);

  self->file = g_object_ref (file);
  self->lock_path = path_beside (file, LOCK_ENDING);
  self->tried_path = path_beside (file, TRIED_ENDING);
  self->lock = lock;
  return self;
}

static void
store_free (EsSessionStore *self)
{
  if (self->lock >= 0)
    close (self->lock);
  g_object_unref (self->file);
  g_free (self->lock_path);
  g_free (self->tried_path);
  g_free (self);
}

EsSessionStore *
es_session_store_new (GError **error)
{
  g_autofree char *folder = folder_path ();
  g_autofree char *name = g_strdup_printf ("%08x%08x%08x%08x" ES_SESSION_ENDING, g_random_int (), g_random_int (),
                                           g_random_int (), g_random_int ());
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *lock_path = path_beside (file, LOCK_ENDING);
  int lock;

  if (g_mkdir_with_parents (folder, 0700) != 0 && !g_file_test (folder, G_FILE_TEST_IS_DIR))
    {
      es_durable_make_folder (folder, NULL, error);
      return NULL;
    }
  lock = take_lock (lock_path, O_CREAT);
  if (lock < 0)
    {
      /* Says why not. */
      es_durable_write_text (file, "", error);
      return NULL;
    }
  return make_store (file, lock);
}

/* Any other file is a person's, and not ours to write to. */
static gboolean
is_own (GFile *file)
{
  g_autofree char *folder = folder_path ();
  g_autoptr (GFile) parent = g_file_new_for_path (folder);

  return g_file_has_parent (file, parent) && es_session_file_is (file);
}

EsSessionStore *
es_session_store_take (GFile *file)
{
  g_autofree char *path = NULL, *own = NULL;
  int lock;

  if (!is_own (file))
    return NULL;
  path = path_beside (file, LOCK_ENDING);
  own = g_file_get_path (file);
  lock = take_lock (path, O_CREAT);
  if (lock < 0)
    return NULL;
  if (!g_file_test (own, G_FILE_TEST_IS_REGULAR))
    {
      g_unlink (path);
      close (lock);
      return NULL;
    }
  return make_store (file, lock);
}

GFile *
es_session_store_get_file (EsSessionStore *self)
{
  return self->file;
}

void
es_session_store_mark (EsSessionStore *self, gboolean trying)
{
  int fd = trying ? open (self->tried_path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;

  if (fd >= 0)
    close (fd);
  if (!trying)
    g_unlink (self->tried_path);
}

void
es_session_store_end (EsSessionStore *self, gboolean keep)
{
  if (!keep)
    g_file_delete (self->file, NULL, NULL);
  g_unlink (self->tried_path);
  /* Before the lock goes: whoever waits for it sees that the name has gone. */
  g_unlink (self->lock_path);
  store_free (self);
}

void
es_session_store_forget (GFile *file)
{
  EsSessionStore *store = es_session_store_take (file);

  if (store != NULL)
    es_session_store_end (store, FALSE);
}

/* ---- what was left ---- */

void
es_left_session_free (EsLeftSession *self)
{
  g_object_unref (self->file);
  g_free (self->description);
  g_free (self);
}

static int
by_age (gconstpointer a, gconstpointer b)
{
  const EsLeftSession *one = *(EsLeftSession * const *) a, *other = *(EsLeftSession * const *) b;

  return (one->saved < other->saved) - (one->saved > other->saved);
}

/* NULL: it is not to be offered. What a later version wrote, or what cannot be read, stays where it is. */
static EsLeftSession *
look_at (GFile *file, const char *path)
{
  g_autofree char *lock_path = path_beside (file, LOCK_ENDING), *tried_path = path_beside (file, TRIED_ENDING);
  const gboolean locked = g_file_test (lock_path, G_FILE_TEST_EXISTS);
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *description = NULL;
  EsLeftSession *left;
  GStatBuf status;

  if (locked)
    {
      int lock = take_lock (lock_path, 0);

      if (lock < 0)
        return NULL;
      close (lock);
    }
  root = g_stat (path, &status) == 0 ? es_session_file_read (file, NULL, NULL) : NULL;
  description = root != NULL ? es_session_file_describe (root) : NULL;
  /* There was nothing in it. */
  if (description == NULL || *description == '\0')
    return NULL;
  left = g_new0 (EsLeftSession, 1);
  left->file = g_object_ref (file);
  left->description = g_steal_pointer (&description);
  left->saved = status.st_mtime;
  left->crashed = locked;
  left->tried = g_file_test (tried_path, G_FILE_TEST_EXISTS);
  return left;
}

/* A process that was killed before it had anything to be saved leaves its lock alone. */
static void
clear_lock (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *stem = g_strndup (path, strlen (path) - strlen (LOCK_ENDING));
  g_autofree char *session = g_strconcat (stem, ES_SESSION_ENDING, NULL);
  int lock = g_file_test (session, G_FILE_TEST_EXISTS) ? -1 : take_lock (path, 0);

  if (lock < 0)
    return;
  g_unlink (path);
  close (lock);
}

static void
forget_old (GPtrArray *list)
{
  guint closed = 0;

  for (guint i = 0; i < list->len; )
    {
      EsLeftSession *left = g_ptr_array_index (list, i);

      if (!left->crashed && ++closed > CLOSED_KEPT)
        {
          es_session_store_forget (left->file);
          g_ptr_array_remove_index (list, i);
        }
      else
        i++;
    }
}

gboolean
es_session_store_has (GFile *file)
{
  g_autofree char *folder = folder_path ();
  g_autoptr (GFile) store = g_file_new_for_path (folder);

  return g_file_has_parent (file, store);
}

GPtrArray *
es_session_store_list (void)
{
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) es_left_session_free);
  g_autofree char *folder = folder_path ();
  g_autoptr (GDir) names = NULL;
  const char *name;

  es_part_clear (folder);
  names = g_dir_open (folder, 0, NULL);
  while (names != NULL && (name = g_dir_read_name (names)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autoptr (GFile) file = g_file_new_for_path (path);

      if (es_session_file_is (file))
        {
          EsLeftSession *left = look_at (file, path);

          if (left != NULL)
            g_ptr_array_add (list, left);
        }
      else if (g_str_has_suffix (name, LOCK_ENDING))
        clear_lock (folder, name);
    }
  g_ptr_array_sort (list, by_age);
  forget_old (list);
  return list;
}

static void
list_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_task_return_pointer (task, es_session_store_list (), (GDestroyNotify) g_ptr_array_unref);
}

void
es_session_store_list_async (GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, es_session_store_list_async);
  g_task_run_in_thread (task, list_in_thread);
}

GPtrArray *
es_session_store_list_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
