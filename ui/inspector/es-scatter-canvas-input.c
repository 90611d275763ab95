/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the person does in a scatter plot: the lasso by pointer and keys, the menu. */

#include "es-scatter-canvas-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "charts/es-plot-range.h"
#include "charts/es-plot-zoom.h"
#include "widgets/es-export.h"

#define LASSO_STEP 3            /* pixels between two corners drawn by hand */

/* ---- the lasso ---- */

void
es_scatter_canvas_drop_lasso (EsScatterCanvas *self)
{
  g_return_if_fail (ES_IS_SCATTER_CANVAS (self));

  g_array_set_size (self->lasso, 0);
  self->drawing = self->closed = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
es_scatter_canvas_has_lasso (EsScatterCanvas *self)
{
  g_return_val_if_fail (ES_IS_SCATTER_CANVAS (self), FALSE);
  return self->closed;
}

static void
add_corner (EsScatterCanvas *self, double x, double y)
{
  EsScatterValue value;

  if (self->closed)
    es_scatter_canvas_drop_lasso (self);
  _es_scatter_canvas_value_at (self, x, y, &value);
  g_array_append_val (self->lasso, value);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
close_lasso (EsScatterCanvas *self)
{
  self->drawing = FALSE;
  if (self->lasso->len < 3)
    {
      es_scatter_canvas_drop_lasso (self);
      return;
    }
  self->closed = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  _es_scatter_canvas_signal_lasso (self);
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, gpointer user_data)
{
  EsScatterCanvas *self = ES_SCATTER_CANVAS (user_data);
  EsScatterValue value;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (self->grid.counts == NULL || !_es_scatter_canvas_value_at (self, x, y, &value))
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, gpointer user_data)
{
  EsScatterCanvas *self = ES_SCATTER_CANVAS (user_data);
  double x, y;
  EsScatterValue last;

  if (!gtk_gesture_drag_get_start_point (gesture, &x, &y))
    return;
  if (!self->drawing)
    {
      if (!gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) dx, (int) dy))
        return;
      if (self->closed)
        es_scatter_canvas_drop_lasso (self);
      self->drawing = TRUE;
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
      add_corner (self, x, y);
    }
  last = _es_scatter_canvas_point_of (self, g_array_index (self->lasso, EsScatterValue, self->lasso->len - 1));
  if (hypot (x + dx - last.x, y + dy - last.y) >= LASSO_STEP)
    add_corner (self, x + dx, y + dy);
  _es_scatter_canvas_set_cursor (self, FALSE, 0, 0);
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, gpointer user_data)
{
  EsScatterCanvas *self = ES_SCATTER_CANVAS (user_data);

  if (self->drawing)
    close_lasso (self);
}

static void
on_drag_cancel (GtkGesture *gesture, GdkEventSequence *sequence, gpointer user_data)
{
  EsScatterCanvas *self = ES_SCATTER_CANVAS (user_data);

  if (self->drawing)
    es_scatter_canvas_drop_lasso (self);
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, gpointer user_data)
{
  EsScatterCanvas *self = ES_SCATTER_CANVAS (user_data);

  if (!self->drawing)
    _es_scatter_canvas_set_cursor (self, TRUE, x, y);
}

static void
on_leave (GtkEventControllerMotion *controller, gpointer user_data)
{
  _es_scatter_canvas_set_cursor (ES_SCATTER_CANVAS (user_data), FALSE, 0, 0);
}

/* ---- keys and menu ---- */

static gboolean
on_key_cursor (GtkWidget *widget, GVariant *direction, gpointer user_data)
{
  EsScatterCanvas *self = ES_SCATTER_CANVAS (widget);
  cairo_rectangle_t area;
  double x, y;
  int dx, dy;

  if (!es_plot_get_area (self->plot, gtk_widget_get_width (widget), gtk_widget_get_height (widget), &area))
    return GDK_EVENT_PROPAGATE;
  g_variant_get (direction, "(ii)", &dx, &dy);
  x = self->has_cursor ? self->cursor_x + dx : area.x + area.width / 2;
  y = self->has_cursor ? self->cursor_y + dy : area.y + area.height / 2;
  _es_scatter_canvas_set_cursor (self, TRUE, CLAMP (x, area.x, area.x + area.width),
                                 CLAMP (y, area.y, area.y + area.height));
  {
    g_autofree char *text = es_scatter_canvas_read_out (self);

    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                    text != NULL ? text : "", -1);
  }
  return GDK_EVENT_STOP;
}

static gboolean
on_key_corner (GtkWidget *widget, GVariant *unused, gpointer user_data)
{
  EsScatterCanvas *self = ES_SCATTER_CANVAS (widget);

  if (!self->has_cursor || self->grid.counts == NULL)
    return GDK_EVENT_PROPAGATE;
  add_corner (self, self->cursor_x, self->cursor_y);
  return GDK_EVENT_STOP;
}

static gboolean
on_key_close (GtkWidget *widget, GVariant *unused, gpointer user_data)
{
  EsScatterCanvas *self = ES_SCATTER_CANVAS (widget);

  if (self->closed || self->lasso->len == 0)
    return GDK_EVENT_PROPAGATE;
  close_lasso (self);
  return GDK_EVENT_STOP;
}

static gboolean
on_key_back (GtkWidget *widget, GVariant *unused, gpointer user_data)
{
  EsScatterCanvas *self = ES_SCATTER_CANVAS (widget);

  if (self->closed || self->lasso->len == 0)
    return GDK_EVENT_PROPAGATE;
  g_array_set_size (self->lasso, self->lasso->len - 1);
  gtk_widget_queue_draw (widget);
  return GDK_EVENT_STOP;
}

static gboolean
on_key_cancel (GtkWidget *widget, GVariant *unused, gpointer user_data)
{
  EsScatterCanvas *self = ES_SCATTER_CANVAS (widget);
  gboolean closed = self->closed;

  if (self->lasso->len == 0)
    return GDK_EVENT_PROPAGATE;
  es_scatter_canvas_drop_lasso (self);
  if (closed)
    _es_scatter_canvas_signal_lasso (self);
  return GDK_EVENT_STOP;
}

static void
popup_menu (EsScatterCanvas *self, double x, double y)
{
  if (self->menu == NULL)
    {
      g_autoptr (GMenu) menu = g_menu_new ();

      g_menu_append (menu, _("_Copy Picture"), "plot.copy-picture");
      g_menu_append (menu, _("Copy _Data"), "plot.copy-data");
      g_menu_append (menu, _("Save as _PDF…"), "plot.save::pdf");
      g_menu_append (menu, _("Save as _SVG…"), "plot.save::svg");
      g_menu_append (menu, _("Save as P_NG…"), "plot.save::png");
      g_menu_append (menu, _("_Ranges…"), "plot.ranges");
      g_menu_append (menu, _("Show _All"), "plot.show-all");
      self->menu = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
      gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
      gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
      gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
    }
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &(GdkRectangle) { (int) x, (int) y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
on_secondary_press (GtkGestureClick *gesture, int n_press, double x, double y, gpointer user_data)
{
  popup_menu (ES_SCATTER_CANVAS (user_data), x, y);
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

static gboolean
on_key_menu (GtkWidget *widget, GVariant *unused, gpointer user_data)
{
  popup_menu (ES_SCATTER_CANVAS (widget), gtk_widget_get_width (widget) / 2., gtk_widget_get_height (widget) / 2.);
  return GDK_EVENT_STOP;
}

static void
copy_picture (GtkWidget *widget, const char *name, GVariant *parameter)
{
  es_export_copy_plot (widget, ES_SCATTER_CANVAS (widget)->plot, gtk_widget_get_width (widget),
                       gtk_widget_get_height (widget));
}

/* The counts as a table: the middle of each bin, and how many pixels lie in it; empty bins are left out. */
static void
copy_data (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsScatterCanvas *self = ES_SCATTER_CANVAS (widget);
  const EsScatterGrid *grid = &self->grid;
  g_autoptr (GString) text = g_string_new ("x\ty\tn\n");
  char x[G_ASCII_DTOSTR_BUF_SIZE], y[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint row = 0; grid->counts != NULL && row < grid->rows; row++)
    for (guint column = 0; column < grid->columns; column++)
      {
        guint32 count = grid->counts[(gsize) row * grid->columns + column];

        if (count == 0)
          continue;
        g_ascii_formatd (x, sizeof x, "%.8g", grid->x_from + (column + 0.5) / grid->columns
                                              * (grid->x_to - grid->x_from));
        g_ascii_formatd (y, sizeof y, "%.8g", grid->y_from + (row + 0.5) / grid->rows * (grid->y_to - grid->y_from));
        g_string_append_printf (text, "%s\t%s\t%u\n", x, y, count);
      }
  es_export_copy_text (widget, text->str);
}

static void
save (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsPlotFormat format;

  if (es_export_find_format (g_variant_get_string (parameter, NULL), &format))
    es_export_save_plot (widget, ES_SCATTER_CANVAS (widget)->plot, format);
}

static void
show_ranges (GtkWidget *widget, const char *name, GVariant *parameter)
{
  es_plot_range_popup (widget);
}

static void
show_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  es_plot_zoom_reset_of (widget);
}

/* ---- beginning ---- */

static void
bind_keys (GtkWidgetClass *klass)
{
  static const struct { guint keys[2]; int dx, dy; } arrows[] = {
    { { GDK_KEY_Left, GDK_KEY_KP_Left }, -1, 0 }, { { GDK_KEY_Right, GDK_KEY_KP_Right }, 1, 0 },
    { { GDK_KEY_Up, GDK_KEY_KP_Up }, 0, -1 },     { { GDK_KEY_Down, GDK_KEY_KP_Down }, 0, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (arrows); i++)
    for (guint k = 0; k < 2; k++)
      {
        gtk_widget_class_add_binding (klass, arrows[i].keys[k], 0, on_key_cursor, "(ii)", arrows[i].dx, arrows[i].dy);
        gtk_widget_class_add_binding (klass, arrows[i].keys[k], GDK_SHIFT_MASK, on_key_cursor, "(ii)",
                                      10 * arrows[i].dx, 10 * arrows[i].dy);
      }
  gtk_widget_class_add_binding (klass, GDK_KEY_space, 0, on_key_corner, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_Return, 0, on_key_close, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_BackSpace, 0, on_key_back, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_Escape, 0, on_key_cancel, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_Menu, 0, on_key_menu, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_F10, GDK_SHIFT_MASK, on_key_menu, NULL);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_c, GDK_CONTROL_MASK, "plot.copy-picture", NULL);
}

void
_es_scatter_canvas_install_input (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "plot.copy-picture", NULL, copy_picture);
  gtk_widget_class_install_action (widget_class, "plot.copy-data", NULL, copy_data);
  gtk_widget_class_install_action (widget_class, "plot.save", "s", save);
  gtk_widget_class_install_action (widget_class, "plot.ranges", NULL, show_ranges);
  gtk_widget_class_install_action (widget_class, "plot.show-all", NULL, show_all);
  bind_keys (widget_class);
}

void
_es_scatter_canvas_add_input (EsScatterCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *drag = gtk_gesture_drag_new (), *secondary = gtk_gesture_click_new ();

  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (on_drag_cancel), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (secondary), GDK_BUTTON_SECONDARY);
  g_signal_connect (secondary, "pressed", G_CALLBACK (on_secondary_press), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (secondary));
}
