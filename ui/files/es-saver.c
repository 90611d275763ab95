/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-saver.h"

#include <glib/gi18n-lib.h>

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

  g_free (saving);
  es_shell_end_saving (shell, activity, file, error);
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

static gboolean
save (EsShell *shell, EsSaveKind kind, EsLayer *layer, GFile *target)
{
  Saving *saving;

  if (result_of (shell) == NULL)
    return FALSE;
  saving = g_new0 (Saving, 1);
  saving->shell = g_object_ref (shell);
  saving->activity = g_object_ref (es_shell_begin_saving (shell, target));
  es_save_async (kind, result_of (shell), layer, target, saving->activity, on_saved, saving);
  return TRUE;
}

gboolean
es_saver_save (EsShell *shell, EsSaveKind kind, GFile *target)
{
  return save (shell, kind, shown_layer (shell, kind), target);
}

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
  g_autoptr (GFile) target = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    chosen = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  if (chosen != NULL && result_of (shell) != NULL)
    {
      /* Many files of fixed names: a folder of their own in the one chosen. */
      if (es_save_is_folder (kind))
        {
          g_autofree char *name = es_save_suggest (kind, result_of (shell), NULL);

          target = g_file_get_child (chosen, name);
        }
      else
        target = g_object_ref (chosen);
      save (shell, kind, layer_of (shell, dialog, kind), target);
    }
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
  gboolean folder = es_save_is_folder (kind);
  GtkFileChooserNative *chooser;

  if (es_shell_is_choosing (shell) || result_of (shell) == NULL)
    return;
  if (layer != NULL && es_result_find_layer (result_of (shell), layer) == NULL)
    {
      es_shell_say (shell, _("This result has no such map."));
      return;
    }
  chooser = gtk_file_chooser_native_new (title_of (kind), es_shell_get_window (shell),
                                         folder ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER
                                                : GTK_FILE_CHOOSER_ACTION_SAVE,
                                         _("_Save"), _("_Cancel"));
  g_object_set_data_full (G_OBJECT (chooser), "es-layer", g_strdup (layer), g_free);
  if (!folder)
    {
      g_autofree char *name = es_save_suggest (kind, result_of (shell), layer_of (shell, chooser, kind));

      gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
    }
  g_object_set_data (G_OBJECT (chooser), "es-kind", GUINT_TO_POINTER (kind));
  es_shell_choose (shell, chooser, G_CALLBACK (on_target_chosen), shell);
}
