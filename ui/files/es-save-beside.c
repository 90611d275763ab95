/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-save-beside.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "base/es-task.h"
#include "saving/es-durable.h"
#include "saving/es-kept.h"

/* Larger ones are brought back as what was read of them. */
#define LARGEST_BEFORE (64 << 20)
#define MOST_NAMES 10000

/* Of the thread that saves alone. */
struct _EsFileBefore
{
  gatomicrefcount count;
  gboolean        known;
  GBytes         *bytes;         /* NULL: there was none */
};

typedef struct
{
  EsSaveBeside      what;
  EsShell          *shell;
  EsActivity       *activity;
  GFile            *target;
  gboolean          kept;        /* nothing was to be written */
  gboolean          told;        /* what was there is nowhere else */
  gboolean          in_trash;
  char             *other_name;  /* nullable: what it is called now */
} Saving;

/* ---- what was there ---- */

EsFileBefore *
_es_file_before_new (void)
{
  EsFileBefore *self = g_new0 (EsFileBefore, 1);

  g_atomic_ref_count_init (&self->count);
  return self;
}

EsFileBefore *
_es_file_before_ref (EsFileBefore *self)
{
  g_atomic_ref_count_inc (&self->count);
  return self;
}

void
_es_file_before_unref (EsFileBefore *self)
{
  if (!g_atomic_ref_count_dec (&self->count))
    return;
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self);
}

/* NULL and FALSE: it is there, but cannot be read. NULL and TRUE: it is not there. */
static GBytes *
read_file (GFile *file, gboolean *known)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileInfo) info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_TYPE ","
                                                  G_FILE_ATTRIBUTE_STANDARD_SIZE, G_FILE_QUERY_INFO_NONE, NULL, &error);
  GBytes *bytes;

  *known = info == NULL && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  /* No device or pipe, which might never end. */
  if (info == NULL || g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR
      || g_file_info_get_size (info) > LARGEST_BEFORE)
    return NULL;
  bytes = g_file_load_bytes (file, NULL, NULL, NULL);
  *known = bytes != NULL;
  return bytes;
}

/* ---- the saving ---- */

static void
saving_free (gpointer pointer)
{
  Saving *saving = pointer;
  EsSaveBeside *what = &saving->what;

  g_object_unref (saving->shell);
  g_object_unref (saving->activity);
  g_object_unref (saving->target);
  if (what->what != NULL)
    what->free_what (what->what);
  if (what->free_data != NULL)
    what->free_data (what->data);
  g_clear_pointer (&what->before, _es_file_before_unref);
  g_clear_pointer (&what->back, _es_file_before_unref);
  g_free (saving->other_name);
  g_free (saving);
}

static gboolean
is_there (GFile *file)
{
  return g_file_query_file_type (file, G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, NULL) != G_FILE_TYPE_UNKNOWN;
}

/* Under a name that nobody has. */
static char *
rename_file (GFile *file, GError **error)
{
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_free);
  const char *path = g_file_peek_path (file);
  g_autofree char *uri = g_file_get_uri (file);

  if (path != NULL && g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return es_kept_add (kept, path, NULL, error) && g_unlink (path) == 0 ? es_kept_names (kept) : NULL;
  for (guint k = 1; k <= MOST_NAMES; k++)
    {
      g_autofree char *name = g_strdup_printf ("%s.~%u~", uri, k);
      g_autoptr (GFile) other = g_file_new_for_uri (name);
      g_autoptr (GError) failure = NULL;

      if (g_file_move (file, other, G_FILE_COPY_NOFOLLOW_SYMLINKS, NULL, NULL, NULL, &failure))
        return g_file_get_basename (other);
      if (!g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_EXISTS))
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return NULL;
        }
    }
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_EXISTS, g_strerror (EEXIST));
  return NULL;
}

/* Into the trash, or where there is none under another name: somebody may have written it by hand. A folder is not
 * moved; nothing can be written over it either. */
static gboolean
put_away (Saving *saving, GError **error)
{
  if (!is_there (saving->target)
      || g_file_query_file_type (saving->target, G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, NULL) == G_FILE_TYPE_DIRECTORY)
    return TRUE;
  saving->in_trash = g_file_trash (saving->target, NULL, NULL);
  if (!saving->in_trash)
    saving->other_name = rename_file (saving->target, error);
  if (saving->in_trash || saving->other_name != NULL)
    return TRUE;
  if (error != NULL && *error == NULL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, g_strerror (errno));
  return FALSE;
}

static gboolean
write_bytes (GFile *target, GBytes *bytes, GError **error)
{
  gsize size;
  const void *data = g_bytes_get_data (bytes, &size);

  return es_durable_write_back (target, data, size, error);
}

/* What was there comes back; it is no more than that. */
static gboolean
bring_back (Saving *saving, GBytes *now, gboolean foreign, GError **error)
{
  GBytes *back = saving->what.back->bytes;

  if (back == NULL ? !is_there (saving->target) : now != NULL && g_bytes_equal (now, back))
    {
      saving->kept = TRUE;
      return TRUE;
    }
  saving->told = foreign;
  if ((foreign || back == NULL) && !put_away (saving, error))
    return FALSE;
  return back == NULL || write_bytes (saving->target, back, error);
}

static gboolean
save (Saving *saving, GError **error)
{
  const EsSaveBeside *what = &saving->what;
  gboolean known, foreign = what->there == ES_SAVE_BESIDE_FOREIGN;
  g_autoptr (GBytes) now = read_file (saving->target, &known);

  if (what->before != NULL)
    {
      what->before->known = known;
      what->before->bytes = now != NULL ? g_bytes_ref (now) : NULL;
    }
  /* Another window, or another person, may have written it since. */
  if (!foreign && what->know != NULL && is_there (saving->target))
    {
      foreign = !what->know (saving->target, what->data);
      saving->kept = what->there == ES_SAVE_BESIDE_SAME && !foreign;
    }
  if (what->back != NULL && what->back->known)
    {
      saving->kept = FALSE;
      return bring_back (saving, now, foreign, error);
    }
  if (saving->kept)
    return TRUE;
  saving->told = foreign;
  if ((what->what == NULL || foreign) && !put_away (saving, error))
    return FALSE;
  if (what->what == NULL || what->write (what->what, saving->target, error))
    return TRUE;
  /* It is better there than nowhere. */
  if (foreign && now != NULL && !is_there (saving->target))
    write_bytes (saving->target, now, NULL);
  return FALSE;
}

static void
save_in_thread (gpointer data, gpointer pool_data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;

  if (save (g_task_get_task_data (task), &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* Where what was there is now. */
static void
say_where (Saving *saving)
{
  g_autofree char *name = g_file_get_basename (saving->target), *sentence = NULL;

  if (!saving->told || !(saving->in_trash || saving->other_name != NULL))
    return;
  if (saving->in_trash)
    sentence = g_strdup_printf (_("What was in “%s” before is in the trash."), name);
  else
    sentence = g_strdup_printf (_("What was in “%s” before is kept beside it as “%s”."), name, saving->other_name);
  es_shell_say_at_once (saving->shell, sentence);
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer pointer)
{
  Saving *saving = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  const gboolean saved = g_task_propagate_boolean (G_TASK (result), &error);

  if (saving->what.done != NULL)
    saving->what.done (saving->what.what, saved, saving->what.data);
  if (saved && (saving->what.what == NULL || saving->what.quiet || saving->kept))
    es_shell_end (saving->shell, saving->activity);
  else
    es_shell_end_saving (saving->shell, saving->activity, saved ? saving->target : NULL, error);
  say_where (saving);
}

void
_es_save_beside (EsShell *shell, GFile *target, const EsSaveBeside *what)
{
  /* One thread: what is saved last is what stays. */
  static GThreadPool *pool;
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_saved, NULL);
  Saving *saving = g_new0 (Saving, 1);

  if (pool == NULL)
    pool = g_thread_pool_new (save_in_thread, NULL, 1, FALSE, NULL);
  saving->what = *what;
  saving->shell = g_object_ref (shell);
  saving->target = g_object_ref (target);
  /* Under way like any other saving: closing the window waits for it. */
  saving->activity = g_object_ref (es_shell_begin_saving (shell, target));
  g_task_set_source_tag (task, _es_save_beside);
  g_task_set_task_data (task, saving, saving_free);
  es_task_end_here (task);
  g_thread_pool_push (pool, g_steal_pointer (&task), NULL);
}
