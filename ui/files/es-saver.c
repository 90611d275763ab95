/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-saver.h"

#include <glib/gi18n-lib.h>

#include "es-made.h"
#include "widgets/es-agree.h"
#include "widgets/es-export.h"

typedef struct
{
  EsShell    *shell;
  EsActivity *activity;
} Saving;

static void
on_saved (GObject *source, GAsyncResult *result, gpointer data)
{
  Saving *saving = data;
  g_autoptr (EsShell) shell = saving->shell;
  g_autoptr (EsActivity) activity = saving->activity;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = es_save_finish (result, &error);
  g_autofree char *note = es_save_tell (result);

  g_free (saving);
  es_shell_end_saving (shell, activity, file, error);
  if (note != NULL && es_shell_is_open (shell))
    es_shell_say (shell, note);
}

static gboolean
is_map (EsLayer *layer)
{
  return es_layer_get_kind (layer) == ES_LAYER_FIELD || es_layer_get_kind (layer) == ES_LAYER_WATERFALL;
}

static EsResult *
result_of (EsShell *shell)
{
  return es_shown_get_result (es_shell_get_shown (shell));
}

/* The layer that is shown, where it is of the kind that is saved. */
static EsLayer *
shown_layer (EsShell *shell, EsSaveKind kind)
{
  EsLayer *layer = es_shown_get_layer (es_shell_get_shown (shell));

  if (layer == NULL)
    return NULL;
  if (kind >= ES_SAVE_FIELD_HDF5 ? is_map (layer) : es_layer_get_kind (layer) == ES_LAYER_IMAGE_STACK)
    return layer;
  return NULL;
}

static Saving *
saving_new (EsShell *shell, GFile *target)
{
  Saving *saving = g_new0 (Saving, 1);

  saving->shell = g_object_ref (shell);
  saving->activity = g_object_ref (es_shell_begin_saving (shell, target));
  return saving;
}

/* What was shown when it was chosen where to save it. */
typedef struct
{
  EsShell   *shell;
  EsSaveKind kind;
  EsResult  *result;
  EsLayer   *layer;            /* nullable */
} Wanted;

static void
wanted_free (gpointer data)
{
  Wanted *wanted = data;

  g_object_unref (wanted->shell);
  g_object_unref (wanted->result);
  g_clear_object (&wanted->layer);
  g_free (wanted);
}

static void
begin (GFile *target, gpointer data)
{
  Wanted *wanted = data;
  Saving *saving = saving_new (wanted->shell, target);

  es_save_async (wanted->kind, wanted->result, wanted->layer, target, saving->activity, on_saved, saving);
}

static gboolean
save (EsShell *shell, EsSaveKind kind, EsLayer *layer, GFile *target)
{
  Wanted *wanted;

  if (result_of (shell) == NULL)
    return FALSE;
  wanted = g_new0 (Wanted, 1);
  wanted->shell = g_object_ref (shell);
  wanted->kind = kind;
  wanted->result = g_object_ref (result_of (shell));
  wanted->layer = layer != NULL ? g_object_ref (layer) : NULL;
  if (kind == ES_SAVE_STACK_ENVI)
    {
      es_agree_on_header (es_shell_get_window (shell), target, begin, wanted, wanted_free);
      return TRUE;
    }
  begin (target, wanted);
  wanted_free (wanted);
  return TRUE;
}

gboolean
es_saver_save_into (EsShell *shell, EsSaveKind kind, GFile *parent)
{
  Saving *saving;

  if (result_of (shell) == NULL)
    return FALSE;
  saving = saving_new (shell, parent);
  es_save_into_async (kind, result_of (shell), parent, saving->activity, on_saved, saving);
  return TRUE;
}

gboolean
es_saver_save (EsShell *shell, EsSaveKind kind, GFile *target)
{
  return save (shell, kind, shown_layer (shell, kind), target);
}

/* ---- several ---- */

typedef struct
{
  GPtrArray  *things;          /* of EsResult, and of what es-made.h has */
  GFile      *parent;
  EsActivity *activity;
  guint       done;
} SavingAll;

static void
saving_all_free (SavingAll *all)
{
  g_ptr_array_unref (all->things);
  g_object_unref (all->parent);
  g_object_unref (all->activity);
  g_free (all);
}

static void save_next (GTask *task);

static void
on_one_saved (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  SavingAll *all = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = ES_IS_RESULT (g_ptr_array_index (all->things, all->done))
                             ? es_save_finish (result, &error) : es_made_save_finish (result, &error);

  if (file == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  es_activity_report ((double) ++all->done / all->things->len, all->activity);
  save_next (g_steal_pointer (&task));
}

/* Takes the task. */
static void
save_next (GTask *task)
{
  SavingAll *all = g_task_get_task_data (task);

  if (all->done < all->things->len)
    {
      GObject *thing = g_ptr_array_index (all->things, all->done);

      if (ES_IS_RESULT (thing))
        es_save_into_async (ES_SAVE_ALL, ES_RESULT (thing), all->parent, all->activity, on_one_saved, task);
      else
        es_made_save_async (thing, all->parent, es_activity_get_cancellable (all->activity), on_one_saved, task);
      return;
    }
  g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

void
es_saver_save_all_async (GPtrArray *things, GFile *parent, EsActivity *activity, GAsyncReadyCallback callback,
                         gpointer user_data)
{
  GTask *task = g_task_new (NULL, es_activity_get_cancellable (activity), callback, user_data);
  SavingAll *all = g_new0 (SavingAll, 1);

  all->things = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < things->len; i++)
    g_ptr_array_add (all->things, g_object_ref (g_ptr_array_index (things, i)));
  all->parent = g_object_ref (parent);
  all->activity = g_object_ref (activity);
  g_task_set_source_tag (task, es_saver_save_all_async);
  g_task_set_task_data (task, all, (GDestroyNotify) saving_all_free);
  /* What has been written is told even where the cancellation came too late. */
  g_task_set_check_cancellable (task, FALSE);
  save_next (task);
}

gboolean
es_saver_save_all_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* ---- choosing ---- */

static EsLayer *
layer_of (EsShell *shell, gpointer chooser, EsSaveKind kind)
{
  const char *name = g_object_get_data (chooser, "es-layer");

  return name != NULL ? es_result_find_layer (result_of (shell), name) : shown_layer (shell, kind);
}

static void
on_target_chosen (GtkNativeDialog *dialog, int response, EsShell *shell)
{
  EsSaveKind kind = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (dialog), "es-kind"));
  g_autoptr (GFile) chosen = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    chosen = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  if (chosen == NULL || result_of (shell) == NULL)
    return;
  /* Many files of fixed names: a folder of their own in the one chosen. */
  if (es_save_is_folder (kind))
    es_saver_save_into (shell, kind, chosen);
  else
    save (shell, kind, layer_of (shell, dialog, kind), chosen);
}

static const char *
title_of (EsSaveKind kind)
{
  if (es_save_is_folder (kind))
    return _("Save into a Folder");
  return kind >= ES_SAVE_FIELD_HDF5 ? _("Save the Map") : _("Save Components");
}

void
es_saver_choose (EsShell *shell, EsSaveKind kind, const char *layer)
{
  const gboolean into = es_save_is_folder (kind);
  GtkFileChooserNative *chooser;

  if (es_shell_is_choosing (shell) || result_of (shell) == NULL)
    return;
  if (layer != NULL && es_result_find_layer (result_of (shell), layer) == NULL)
    {
      es_shell_say (shell, _("This result has no such map."));
      return;
    }
  chooser = gtk_file_chooser_native_new (title_of (kind), es_shell_get_window (shell),
                                         into ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER
                                              : GTK_FILE_CHOOSER_ACTION_SAVE,
                                         _("_Save"), _("_Cancel"));
  es_export_place_apply (chooser);
  g_object_set_data_full (G_OBJECT (chooser), "es-layer", g_strdup (layer), g_free);
  if (!into)
    {
      g_autofree char *name = es_save_suggest (kind, result_of (shell), layer_of (shell, chooser, kind));

      gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
    }
  g_object_set_data (G_OBJECT (chooser), "es-kind", GUINT_TO_POINTER (kind));
  es_shell_choose (shell, chooser, G_CALLBACK (on_target_chosen), shell);
}
