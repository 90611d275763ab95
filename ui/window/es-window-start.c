/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How a window begins: it welcomes somebody before there are workspaces, and a file that the program was started with
 * is what its first frame shows. */

#include "es-window-private.h"

#include "device/es-device.h"
#include "workspace/es-start-trace.h"

/* Whatever is opened by then: nobody waits any longer for a window. */
#define LONGEST_US 300000
#define MOMENT_MS  4
#define OPENED_US  100000       /* most files are open by then */

/* ---- workspaces ---- */

void
es_window_complete (EsWindow *self)
{
  g_clear_handle_id (&self->start_source, g_source_remove);
  if (self->workspaces->len > 0)
    return;
  es_window_add_workspaces (self);
  /* Judgements are done before the window shows what they are of. */
  es_window_connect_session (self);
  es_window_update_actions (self);
  es_start_trace ("workspaces");
}

static gboolean
on_idle (gpointer data)
{
  EsWindow *self = data;

  self->start_source = 0;
  es_window_complete (self);
  return G_SOURCE_REMOVE;
}

static void
complete_when_idle (EsWindow *self)
{
  if (self->start_source == 0 && self->workspaces->len == 0)
    self->start_source = g_idle_add (on_idle, self);
}

/* ---- the first frame ---- */

static gboolean
on_rest (gpointer data)
{
  es_devices_go ();
  return G_SOURCE_REMOVE;
}

/* Pages may cross-fade from now on: there is something to fade from. Drivers come last. */
static void
on_first_frame (EsWindow *self)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (self));

  g_signal_handlers_disconnect_by_func (clock, on_first_frame, self);
  gtk_stack_set_transition_type (self->stack, GTK_STACK_TRANSITION_TYPE_CROSSFADE);
  complete_when_idle (self);
  g_idle_add_full (G_PRIORITY_LOW, on_rest, NULL, NULL);
}

static void
on_map (EsWindow *self)
{
  g_signal_handlers_disconnect_by_func (self, on_map, self);
  g_signal_connect_object (gtk_widget_get_frame_clock (GTK_WIDGET (self)), "after-paint",
                           G_CALLBACK (on_first_frame), self, G_CONNECT_SWAPPED);
}

void
es_window_connect_start (EsWindow *self)
{
  g_signal_connect_object (self->shell, "complete", G_CALLBACK (es_window_complete), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "map", G_CALLBACK (on_map), NULL);
}

/* ---- with a file ---- */

/* Something of it can be seen: its picture, or why there is none. */
static gboolean
has_come (EsWindow *self)
{
  if (es_shown_get_dataset (self->shown) != NULL)
    return !es_workspace_is_loading (self->current);
  return es_window_get_n_activities (self) == 0;
}

/* Not by signals: there are many ways for a file to become nothing that is shown. What the display needs of the window
 * takes time, too, in which the picture is being read, or already the file, where that takes long. */
static gboolean
on_moment (gpointer data)
{
  EsWindow *self = data;

  /* Told to end before it was ever seen. */
  if (self->ending)
    {
      self->present_source = 0;
      return G_SOURCE_REMOVE;
    }

  const gint64 left = self->present_until - g_get_monotonic_time ();

  if (left > 0 && !has_come (self))
    {
      if (left < LONGEST_US - OPENED_US || es_shown_get_dataset (self->shown) != NULL)
        gtk_widget_realize (GTK_WIDGET (self));
      return G_SOURCE_CONTINUE;
    }
  self->present_source = 0;
  gtk_window_present (GTK_WINDOW (self));
  return G_SOURCE_REMOVE;
}

void
es_window_begin (EsWindow *self, gboolean files)
{
  g_return_if_fail (ES_IS_WINDOW (self));

  if (!files || gtk_widget_get_visible (GTK_WIDGET (self)))
    {
      gtk_window_present (GTK_WINDOW (self));
      return;
    }
  if (self->present_source != 0)
    return;
  self->present_until = g_get_monotonic_time () + LONGEST_US;
  self->present_source = g_timeout_add (MOMENT_MS, on_moment, self);
  complete_when_idle (self);
}

void
es_window_leave_start (EsWindow *self)
{
  g_clear_handle_id (&self->start_source, g_source_remove);
  g_clear_handle_id (&self->present_source, g_source_remove);
}
