/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-lab-zoom.h"

#include <glib/gi18n-lib.h>

#define STEP 4.0

/* The picture is as large as fits its widget, no larger than it is, and in the middle. */
static gboolean
find_place (GtkPicture *picture, double x, double y, double *across, double *down)
{
  GdkPaintable *paintable = gtk_picture_get_paintable (picture);
  const double width = gtk_widget_get_width (GTK_WIDGET (picture));
  const double height = gtk_widget_get_height (GTK_WIDGET (picture));
  const double columns = gdk_paintable_get_intrinsic_width (paintable);
  const double rows = gdk_paintable_get_intrinsic_height (paintable);
  const double scale = MIN (MIN (width / columns, height / rows), 1);

  *across = (x - (width - scale * columns) / 2) / (scale * columns);
  *down = (y - (height - scale * rows) / 2) / (scale * rows);
  return *across >= 0 && *across <= 1 && *down >= 0 && *down <= 1;
}

static void
on_released (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  GtkWidget *picture = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
  double across, down;

  if (find_place (GTK_PICTURE (picture), x, y, &across, &down))
    gtk_widget_activate_action (picture, "win.lab-zoom", "(ddd)", across, down, STEP);
}

static GtkWidget *
make_button (const char *label, double factor)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.lab-zoom");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "(ddd)", 0.5, 0.5, factor);
  return button;
}

GtkWidget *
es_lab_zoom_new (GtkWidget *child, GtkWidget *picture)
{
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *hint = gtk_label_new (_("A click on a place zooms in there."));
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect (click, "released", G_CALLBACK (on_released), NULL);
  gtk_widget_add_controller (picture, GTK_EVENT_CONTROLLER (click));
  gtk_widget_set_cursor_from_name (picture, "zoom-in");
  gtk_widget_set_hexpand (hint, TRUE);
  gtk_label_set_xalign (GTK_LABEL (hint), 0);
  gtk_label_set_ellipsize (GTK_LABEL (hint), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (hint, "dim-label");
  gtk_box_append (GTK_BOX (bar), hint);
  gtk_box_append (GTK_BOX (bar), make_button (_("Zoom _In"), STEP));
  gtk_box_append (GTK_BOX (bar), make_button (_("Zoom _Out"), 1 / STEP));
  gtk_box_append (GTK_BOX (bar), make_button (_("_Whole"), 0));
  gtk_box_append (GTK_BOX (column), child);
  gtk_box_append (GTK_BOX (column), bar);
  return column;
}
