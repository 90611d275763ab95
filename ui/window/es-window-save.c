/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-window-private.h"

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

/* The layer that is shown, where it is of the kind that is saved. */
static EsLayer *
shown_layer (EsWindow *self, EsSaveKind kind)
{
  if (self->layer == NULL)
    return NULL;
  if (kind >= ES_SAVE_FIELD_HDF5 ? is_map (self->layer) : es_layer_get_kind (self->layer) == ES_LAYER_IMAGE_STACK)
    return self->layer;
  return NULL;
}

static gboolean
save (EsWindow *self, EsSaveKind kind, EsLayer *layer, GFile *target)
{
  Saving *saving;

  if (self->result == NULL)
    return FALSE;
  saving = g_new0 (Saving, 1);
  saving->shell = g_object_ref (self->shell);
  saving->activity = g_object_ref (es_shell_begin_saving (self->shell, target));
  es_save_async (kind, self->result, layer, target, saving->activity, on_saved, saving);
  return TRUE;
}

gboolean
es_window_save (EsWindow *self, EsSaveKind kind, GFile *target)
{
  g_return_val_if_fail (ES_IS_WINDOW (self) && G_IS_FILE (target), FALSE);
  return save (self, kind, shown_layer (self, kind), target);
}

static EsLayer *
layer_of (EsWindow *self, gpointer chooser, EsSaveKind kind)
{
  const char *name = g_object_get_data (chooser, "es-layer");

  return name != NULL ? es_result_find_layer (self->result, name) : shown_layer (self, kind);
}

static void
on_target_chosen (GtkNativeDialog *dialog, int response, EsWindow *self)
{
  EsSaveKind kind = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (dialog), "es-kind"));
  g_autoptr (GFile) chosen = NULL;
  g_autoptr (GFile) target = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    chosen = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  if (chosen != NULL && self->result != NULL)
    {
      /* Many files of fixed names: a folder of their own in the one chosen. */
      if (es_save_is_folder (kind))
        {
          g_autofree char *name = es_save_suggest (kind, self->result, NULL);

          target = g_file_get_child (chosen, name);
        }
      else
        target = g_object_ref (chosen);
      save (self, kind, layer_of (self, dialog, kind), target);
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
es_window_choose_target (EsWindow *self, EsSaveKind kind)
{
  es_window_choose_layer_target (self, kind, NULL);
}

void
es_window_choose_layer_target (EsWindow *self, EsSaveKind kind, const char *layer)
{
  gboolean folder = es_save_is_folder (kind);
  GtkFileChooserNative *chooser;

  if (es_shell_is_choosing (self->shell) || self->result == NULL)
    return;
  if (layer != NULL && es_result_find_layer (self->result, layer) == NULL)
    {
      es_window_say (self, _("This result has no such map."));
      return;
    }
  chooser = gtk_file_chooser_native_new (title_of (kind), GTK_WINDOW (self),
                                         folder ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER
                                                : GTK_FILE_CHOOSER_ACTION_SAVE,
                                         _("_Save"), _("_Cancel"));
  g_object_set_data_full (G_OBJECT (chooser), "es-layer", g_strdup (layer), g_free);
  if (!folder)
    {
      g_autofree char *name = es_save_suggest (kind, self->result, layer_of (self, chooser, kind));

      gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
    }
  g_object_set_data (G_OBJECT (chooser), "es-kind", GUINT_TO_POINTER (kind));
  es_shell_choose (self->shell, chooser, G_CALLBACK (on_target_chosen), self);
}

void
es_window_copy_command (EsWindow *self)
{
  EsAnalysePanel *analyse = es_sidebar_get_analyse (self->sidebar);
  EsDevice *device = es_analyse_panel_peek_device (analyse);
  g_autofree char *command = NULL;

  if (self->result != NULL)
    command = es_result_to_command (self->result);
  else if (self->dataset != NULL && es_analyse_panel_get_operation (analyse) != NULL)
    /* What Run would do. */
    command = es_operation_to_command (es_analyse_panel_get_operation (analyse), self->dataset,
                                       es_analyse_panel_get_params (analyse),
                                       device != NULL ? es_device_get_id (device) : NULL);
  else
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), command);
  es_window_say (self, _("Command copied"));
}

static void
on_folder_shown (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsWindow) self = data;
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GError) error = NULL;

  reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);
  if (reply == NULL && es_shell_is_open (self->shell))
    es_window_say (self, _("No file manager answered."));
}

/* The file manager selects the file; GtkFileLauncher is newer than the oldest GTK that is supported. */
void
es_window_show_in_folder (EsWindow *self, const char *uri)
{
  GDBusConnection *bus = g_application_get_dbus_connection (g_application_get_default ());
  const char *uris[] = { uri, NULL };

  if (bus == NULL)
    {
      es_window_say (self, _("No file manager answered."));
      return;
    }
  g_dbus_connection_call (bus, "org.freedesktop.FileManager1", "/org/freedesktop/FileManager1",
                          "org.freedesktop.FileManager1", "ShowItems", g_variant_new ("(^ass)", uris, ""),
                          NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, on_folder_shown, g_object_ref (self));
}
