/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The line for eigenscope-batch that does the same as what is shown, or as Run would, on the clipboard. */

#include "es-window-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-task.h"
#include "result/es-operation.h"

/* What a line of commands is made of. */
typedef struct
{
  EsResult          *result;     /* nullable: the rest is what Run would do */
  const EsOperation *operation;
  EsDataset         *dataset;
  EsParams          *params;
  char              *device_id;  /* nullable */
} Command;

static void
command_free (gpointer data)
{
  Command *command = data;

  g_clear_object (&command->result);
  g_clear_object (&command->dataset);
  g_clear_object (&command->params);
  g_free (command->device_id);
  g_free (command);
}

static void
make_command (GTask *task, gpointer window, gpointer data, GCancellable *cancellable)
{
  Command *command = data;

  g_task_return_pointer (task, command->result != NULL ? es_result_to_command (command->result)
                                                       : es_operation_to_command (command->operation, command->dataset,
                                                                                  command->params, command->device_id),
                         g_free);
}

static void
on_command (GObject *source, GAsyncResult *result, gpointer data)
{
  EsWindow *self = ES_WINDOW (source);
  g_autofree char *text = g_task_propagate_pointer (G_TASK (result), NULL);

  if (text == NULL || !es_shell_is_open (self->shell))
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  es_window_say (self, _("Command copied"));
}

/* A recording's line tells the array where no file beside it does: files are looked at by a worker. */
void
es_window_copy_command (EsWindow *self)
{
  EsAnalysePanel *analyse = es_sidebar_get_analyse (self->sidebar);
  EsDataset *dataset = es_shown_get_dataset (self->shown);
  EsResult *result = es_shown_get_result (self->shown);
  EsDevice *device = es_device_choice_get_device (es_session_get_device_choice (self->session));
  g_autoptr (GTask) task = NULL;
  Command *command;

  if (result == NULL && (dataset == NULL || es_analyse_panel_get_operation (analyse) == NULL))
    return;
  command = g_new0 (Command, 1);
  g_set_object (&command->result, result);
  if (result == NULL)
    {
      command->operation = es_analyse_panel_get_operation (analyse);
      command->dataset = g_object_ref (dataset);
      command->params = es_params_copy (es_analyse_panel_get_params (analyse));
      command->device_id = g_strdup (device != NULL ? es_device_get_id (device) : NULL);
    }
  task = g_task_new (self, NULL, on_command, NULL);
  g_task_set_source_tag (task, es_window_copy_command);
  g_task_set_task_data (task, command, command_free);
  es_task_run_in_thread (task, make_command);
}
