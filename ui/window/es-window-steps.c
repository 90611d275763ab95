/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The steps of the result that is shown, in a window of their own: for results of every kind. */

#include "es-window-private.h"

#include <glib/gi18n-lib.h>

#include "charts/es-steps-view.h"

#define WIDTH 640
#define HEIGHT 560

static gboolean
on_escape (GtkWidget *window, GVariant *arguments, gpointer data)
{
  gtk_window_close (GTK_WINDOW (window));
  return TRUE;
}

void
es_window_show_steps (EsWindow *self)
{
  EsResult *result = es_shown_get_result (self->shown);
  GtkWidget *window, *box, *bar, *scrolled, *steps;
  GtkEventController *keys;
  g_autofree char *title = NULL;

  if (result == NULL)
    return;
  window = adw_window_new ();
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  bar = adw_header_bar_new ();
  scrolled = gtk_scrolled_window_new ();
  steps = es_steps_view_new (FALSE);
  keys = gtk_shortcut_controller_new ();
  title = g_strdup_printf (_("Steps of %s"), es_result_get_title (result));
  es_steps_view_set_result (ES_STEPS_VIEW (steps), result);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), steps);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), scrolled);
  adw_window_set_content (ADW_WINDOW (window), box);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                          gtk_callback_action_new (on_escape, NULL, NULL)));
  gtk_widget_add_controller (window, keys);
  gtk_window_set_title (GTK_WINDOW (window), title);
  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH, HEIGHT);
  gtk_window_set_transient_for (GTK_WINDOW (window), GTK_WINDOW (self));
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  gtk_window_present (GTK_WINDOW (window));
}
