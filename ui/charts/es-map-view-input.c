/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pointer and keys of a map view. */
#include "config.h"

#include "es-map-view-private.h"

#include <math.h>

#define PICK_DISTANCE 6

/* ---- pointer ---- */

/* The line under a point, where they may be dragged; -1: none. */
static int
line_at (EsMapView *self, double x)
{
  graphene_rect_t area;

  if (!self->draggable || !es_map_view_get_area (self, &area))
    return -1;
  for (guint i = 0; i < self->n_lines; i++)
    if (fabs (_es_map_view_column_to_pixel (self, &area, self->lines[i]) - x) <= PICK_DISTANCE)
      return (int) i;
  return -1;
}

/* GTK tells of motion also where something else has moved. */
void
_es_map_view_set_pointer (EsMapView *self, double x, double y)
{
  if (x == self->pointer_x && y == self->pointer_y && self->pointer_moved != 0)
    return;
  self->pointer_x = x;
  self->pointer_y = y;
  self->pointer_moved = g_get_monotonic_time ();
  self->rested = FALSE;
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, gpointer user_data)
{
  EsMapView *self = ES_MAP_VIEW (user_data);

  self->has_pointer = TRUE;
  _es_map_view_set_pointer (self, x, y);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), line_at (self, x) >= 0 ? "ew-resize" : NULL);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_leave (GtkEventControllerMotion *controller, gpointer user_data)
{
  EsMapView *self = ES_MAP_VIEW (user_data);

  self->has_pointer = FALSE;
  self->pointer_moved = 0;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
pick_at (EsMapView *self, double x, double y, guint n_press)
{
  double column, row;

  if (es_map_view_pick (self, x, y, &column, &row) || self->picking)
    g_signal_emit_by_name (self, "picked", column, row, n_press);
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer user_data)
{
  EsMapView *self = ES_MAP_VIEW (user_data);

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (n_press > 1)
    pick_at (self, x, y, (guint) n_press);
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, gpointer user_data)
{
  EsMapView *self = ES_MAP_VIEW (user_data);
  double column, row;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->picking = FALSE;
  self->dragged = -1;
  /* Shift draws a rectangle. */
  if (gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture)) & GDK_SHIFT_MASK)
    return;
  _es_map_view_drop_selection (self);
  self->dragged = line_at (self, x);
  if (self->dragged >= 0 || !es_map_view_pick (self, x, y, &column, &row))
    return;
  self->picking = TRUE;
  pick_at (self, x, y, 1);
}

static void
drag_to (EsMapView *self, GtkGestureDrag *gesture, double dx, double dy, gboolean final)
{
  double x, y, column, row;

  if (!gtk_gesture_drag_get_start_point (gesture, &x, &y))
    return;
  if (self->dragged >= 0)
    {
      es_map_view_pick (self, x + dx, y + dy, &column, &row);
      g_signal_emit_by_name (self, "dragged", (guint) self->dragged, column, final);
    }
  else if (self->picking && (dx != 0 || dy != 0))
    pick_at (self, x + dx, y + dy, 1);
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, gpointer user_data)
{
  EsMapView *self = ES_MAP_VIEW (user_data);
  double x, y;

  if (gtk_gesture_drag_get_start_point (gesture, &x, &y))
    _es_map_view_set_pointer (self, x + dx, y + dy);
  drag_to (self, gesture, dx, dy, FALSE);
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, gpointer user_data)
{
  EsMapView *self = ES_MAP_VIEW (user_data);

  if (hypot (dx, dy) >= 1)
    drag_to (self, gesture, dx, dy, TRUE);
  self->picking = FALSE;
  self->dragged = -1;
}

static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, gpointer user_data)
{
  EsMapView *self = ES_MAP_VIEW (user_data);
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  const gboolean sideways = (state & GDK_SHIFT_MASK) != 0;
  double column, row;

  if (state & GDK_CONTROL_MASK)
    {
      if (!es_map_view_pick (self, self->pointer_x, self->pointer_y, &column, &row))
        return GDK_EVENT_STOP;
      if (sideways)
        _es_map_view_zoom_columns (self, pow (1.25, dy != 0 ? dy : dx), column);
      else
        _es_map_view_zoom_rows (self, pow (1.25, dy), row);
    }
  else if (sideways || (dx != 0 && dy == 0))
    {
      _es_map_view_pan (self, -40 * (dy != 0 ? dy : dx), 0);
    }
  else if (self->rows != ES_MAP_TIMES)
    {
      return GDK_EVENT_PROPAGATE;
    }
  else
    {
      g_signal_emit_by_name (self, "scrolled", dy / 10);
    }
  return GDK_EVENT_STOP;
}

void
_es_map_view_add_controllers (EsMapView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *click = gtk_gesture_click_new (), *drag = gtk_gesture_drag_new ();

  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (widget, scroll);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
}

/* ---- keys ---- */

static gboolean
on_key_step (GtkWidget *widget, GVariant *steps, gpointer user_data)
{
  int columns, rows;

  g_variant_get (steps, "(ii)", &columns, &rows);
  /* A rectangle that is drawn after this begins where the cursor is then. */
  ES_MAP_VIEW (widget)->extended_from[0] = NAN;
  g_signal_emit_by_name (widget, "stepped", columns, rows);
  return GDK_EVENT_STOP;
}

static gboolean
on_key_jump (GtkWidget *widget, GVariant *direction, gpointer user_data)
{
  g_signal_emit_by_name (widget, "jumped", g_variant_get_int32 (direction));
  return GDK_EVENT_STOP;
}

static gboolean
on_key_page (GtkWidget *widget, GVariant *fraction, gpointer user_data)
{
  if (ES_MAP_VIEW (widget)->rows != ES_MAP_TIMES)
    return GDK_EVENT_PROPAGATE;
  g_signal_emit_by_name (widget, "scrolled", g_variant_get_double (fraction));
  return GDK_EVENT_STOP;
}

static gboolean
on_key_zoom (GtkWidget *widget, GVariant *factor, gpointer user_data)
{
  EsMapView *self = ES_MAP_VIEW (widget);
  double top, bottom, row;

  if (self->rows == ES_MAP_NAMES)
    return GDK_EVENT_PROPAGATE;
  _es_map_view_get_rows (self, &top, &bottom);
  /* About the cursor, where that is in view. */
  row = self->cursor_row <= top && self->cursor_row >= bottom ? self->cursor_row : (top + bottom) / 2;
  _es_map_view_zoom_rows (self, g_variant_get_double (factor), row);
  return GDK_EVENT_STOP;
}

void
_es_map_view_bind_keys (GtkWidgetClass *klass)
{
  static const struct { guint key, keypad; int columns, rows; } arrows[] = {
    { GDK_KEY_Left, GDK_KEY_KP_Left, -1, 0 },
    { GDK_KEY_Right, GDK_KEY_KP_Right, 1, 0 },
    { GDK_KEY_Up, GDK_KEY_KP_Up, 0, -1 },
    { GDK_KEY_Down, GDK_KEY_KP_Down, 0, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (arrows); i++)
    for (guint k = 0; k < 2; k++)
      {
        guint key = k == 0 ? arrows[i].key : arrows[i].keypad;

        gtk_widget_class_add_binding (klass, key, 0, on_key_step, "(ii)", arrows[i].columns, arrows[i].rows);
        gtk_widget_class_add_binding (klass, key, GDK_SHIFT_MASK, on_key_step, "(ii)", 10 * arrows[i].columns,
                                      10 * arrows[i].rows);
      }
  gtk_widget_class_add_binding (klass, GDK_KEY_Home, 0, on_key_jump, "i", -1);
  gtk_widget_class_add_binding (klass, GDK_KEY_End, 0, on_key_jump, "i", 1);
  gtk_widget_class_add_binding (klass, GDK_KEY_Page_Up, 0, on_key_page, "d", -0.9);
  gtk_widget_class_add_binding (klass, GDK_KEY_Page_Down, 0, on_key_page, "d", 0.9);
  gtk_widget_class_add_binding (klass, GDK_KEY_plus, 0, on_key_zoom, "d", 1 / 1.5);
  gtk_widget_class_add_binding (klass, GDK_KEY_equal, 0, on_key_zoom, "d", 1 / 1.5);
  gtk_widget_class_add_binding (klass, GDK_KEY_KP_Add, 0, on_key_zoom, "d", 1 / 1.5);
  gtk_widget_class_add_binding (klass, GDK_KEY_minus, 0, on_key_zoom, "d", 1.5);
  gtk_widget_class_add_binding (klass, GDK_KEY_KP_Subtract, 0, on_key_zoom, "d", 1.5);
}
