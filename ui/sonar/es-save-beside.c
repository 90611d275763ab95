/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-save-beside.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  EsShell          *shell;
  EsActivity       *activity;
  GFile            *target;
  gpointer          what;        /* nullable */
  EsSaveBesideThere there;
  gboolean          changed;     /* it became somebody else's meanwhile */
  gboolean          kept;        /* nothing was to be written */
  GDestroyNotify    free_what;
  EsSaveBesideWrite write;
  EsSaveBesideKnow  know;        /* nullable */
  EsSaveBesideDone  done;        /* nullable */
  gpointer          data;
  GDestroyNotify    free_data;   /* nullable */
} Saving;

static void
saving_free (gpointer pointer)
{
  Saving *saving = pointer;

  g_object_unref (saving->shell);
  g_object_unref (saving->activity);
  g_object_unref (saving->target);
  if (saving->what != NULL)
    saving->free_what (saving->what);
  if (saving->free_data != NULL)
    saving->free_data (saving->data);
  g_free (saving);
}

/* Into the trash, or where there is none under another name: somebody may have written it by hand. */
static gboolean
put_away (GFile *file, GError **error)
{
  g_autofree char *uri = g_file_get_uri (file), *kept = g_strconcat (uri, "~", NULL);
  g_autoptr (GFile) other = g_file_new_for_uri (kept);

  return !g_file_query_exists (file, NULL) || g_file_trash (file, NULL, NULL)
         || g_file_move (file, other, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, error);
}

static void
save_in_thread (GTask *task, gpointer source, gpointer pointer, GCancellable *cancellable)
{
  Saving *saving = pointer;
  GError *error = NULL;

  /* Another window, or another person, may have written it since. */
  if (saving->there != ES_SAVE_BESIDE_FOREIGN && saving->know != NULL && g_file_query_exists (saving->target, NULL))
    {
      saving->changed = !saving->know (saving->target, saving->data);
      saving->kept = saving->there == ES_SAVE_BESIDE_SAME && !saving->changed;
    }
  if (saving->kept)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  if ((saving->what == NULL || saving->there == ES_SAVE_BESIDE_FOREIGN || saving->changed
       ? put_away (saving->target, &error) : TRUE)
      && (saving->what == NULL || saving->write (saving->what, saving->target, &error)))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer pointer)
{
  Saving *saving = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  const gboolean saved = g_task_propagate_boolean (G_TASK (result), &error);

  if (saving->done != NULL)
    saving->done (saving->what, saved, saving->data);
  if (saved && (saving->what == NULL || saving->kept))
    es_shell_end (saving->shell, saving->activity);
  else
    es_shell_end_saving (saving->shell, saving->activity, saved ? saving->target : NULL, error);
  if (saved && saving->changed)
    {
      g_autofree char *name = g_file_get_basename (saving->target);
      g_autofree char *sentence
        = g_strdup_printf (_("“%s” had been changed since it was read: what was in it is in the trash, or beside it "
                             "with “~” behind its name."), name);

      es_shell_say_at_once (saving->shell, sentence);
    }
}

void
_es_save_beside (EsShell *shell, GFile *target, EsSaveBesideThere there, gpointer what, GDestroyNotify free_what,
                 EsSaveBesideWrite write, EsSaveBesideKnow know, EsSaveBesideDone done, gpointer data,
                 GDestroyNotify free_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_saved, NULL);
  Saving *saving = g_new0 (Saving, 1);

  saving->shell = g_object_ref (shell);
  saving->target = g_object_ref (target);
  saving->what = what;
  saving->there = there;
  saving->free_what = free_what;
  saving->write = write;
  saving->know = know;
  saving->done = done;
  saving->data = data;
  saving->free_data = free_data;
  /* Under way like any other saving: closing the window waits for it. */
  saving->activity = g_object_ref (es_shell_begin_saving (shell, target));
  g_task_set_source_tag (task, _es_save_beside);
  g_task_set_task_data (task, saving, saving_free);
  g_task_run_in_thread (task, save_in_thread);
}
