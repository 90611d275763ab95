/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The composite that is shown as a line of commands. */

#include "es-viewer-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-task.h"
#include "result/es-picture-command.h"
#include "widgets/es-export.h"

typedef struct
{
  GPtrArray *things;
  char      *arguments;
} Command;

static void
command_free (gpointer data)
{
  Command *command = data;

  g_ptr_array_unref (command->things);
  g_free (command->arguments);
  g_free (command);
}

/* The number of a cube or result among those that the line names, put there where it was not. */
static guint
find_thing (GPtrArray *things, gpointer thing)
{
  guint at;

  if (!g_ptr_array_find (things, thing, &at))
    {
      at = things->len;
      g_ptr_array_add (things, g_object_ref (thing));
    }
  return at + 1;
}

static void
append_plane (EsViewer *self, GString *rgb, GPtrArray *things, EsPlaneSource *source, guint plane)
{
  guint its;
  EsPlaneSource *of = es_plane_source_resolve (source, plane, &its);
  int at = es_compare_sources_find (self->sources, es_plane_source_get_data (of));
  g_autoptr (EsCompareItem) item = at >= 0 ? g_list_model_get_item (G_LIST_MODEL (self->sources), (guint) at) : NULL;
  EsResult *result = item != NULL ? es_compare_item_get_result (item) : NULL;

  if (rgb->len > 0)
    g_string_append_c (rgb, ',');
  if (result != NULL)
    g_string_append_printf (rgb, "%u/%s:%u", find_thing (things, result),
                            es_layer_get_name (ES_LAYER (es_plane_source_get_stack (of))), its + 1);
  else
    g_string_append_printf (rgb, "%u:%u", find_thing (things, es_plane_source_get_data (of)), its + 1);
}

static void
append_number (GString *text, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, g_ascii_formatd (buffer, sizeof buffer, "%.9g", value));
}

/* Of values in view, or of a selection, the ends that came of it. */
static void
append_stretch (EsViewer *self, GString *text, const guint planes[3])
{
  EsDisplay *display = self->left.display;
  const gboolean elsewhere = es_display_get_basis (display) != ES_STRETCH_OF_IMAGE;

  if (es_display_get_deviations (display) > 0)
    {
      g_string_append (text, " deviations=");
      append_number (text, es_display_get_deviations (display));
    }
  else
    {
      g_string_append (text, " cut=");
      append_number (text, es_display_get_cut (display));
    }
  if (es_display_get_curve (display) != ES_STRETCH_LINEAR)
    g_string_append_printf (text, " curve=%s", es_stretch_id (es_display_get_curve (display)));
  if (es_display_get_linked (display))
    g_string_append (text, " linked=yes");
  if (!elsewhere && !es_display_is_stretched_by_hand (display))
    return;
  g_string_append (text, " limits=");
  for (guint i = 0; i < 3; i++)
    {
      double low, high;

      if (i > 0)
        g_string_append_c (text, ',');
      if (!elsewhere && !es_display_get_stretch (display, planes[i], &low, &high))
        continue;
      es_picture_get_stretch (self->left.picture, i, &low, &high);
      append_number (text, low);
      g_string_append_c (text, ':');
      append_number (text, high);
    }
}

static void
make_command (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Command *command = data;

  g_task_return_pointer (task, es_picture_make_command (command->things, command->arguments), g_free);
}

static void
on_command (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree char *text = g_task_propagate_pointer (G_TASK (result), NULL);

  if (text == NULL)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (source)), text);
  es_export_report (GTK_WIDGET (source), _("Command copied"));
}

void
_es_viewer_copy_picture_command (EsViewer *self)
{
  EsPlaneSource *source = es_display_get_source (self->left.display);
  g_autoptr (GString) arguments = g_string_new (NULL);
  g_autoptr (GTask) task = NULL;
  Command *command;
  guint planes[3];

  if (self->sources == NULL || self->dataset == NULL || es_display_get_planes (self->left.display, planes) != 3)
    return;
  command = g_new0 (Command, 1);
  command->things = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (command->things, g_object_ref (self->dataset));
  for (guint i = 0; i < 3; i++)
    append_plane (self, arguments, command->things, source, planes[i]);
  g_string_prepend (arguments, "rgb=");
  append_stretch (self, arguments, planes);
  command->arguments = g_strdup (arguments->str);
  task = g_task_new (self, self->cancellable, on_command, NULL);
  g_task_set_task_data (task, command, command_free);
  es_task_run_in_thread (task, make_command);
}
