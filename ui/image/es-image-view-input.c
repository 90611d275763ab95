/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-image-view-private.h"

#include <math.h>

#define KEY_ZOOM   1.5
#define WHEEL_ZOOM 1.25

/* ---- pointer and touch ---- */

static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, gpointer user_data)
{
  EsImageView *self = ES_IMAGE_VIEW (user_data);
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  gboolean smooth = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_SURFACE;

  if (es_picture_is_empty (self->picture))
    return GDK_EVENT_PROPAGATE;

  if (state & GDK_SHIFT_MASK)
    {
      double pixels = smooth ? 1 : 60;

      /* A wheel turned with Shift moves sideways; some devices already say so. */
      if (dx == 0 && !smooth)
        _es_image_view_pan_by (self, dy * pixels, 0);
      else
        _es_image_view_pan_by (self, dx * pixels, dy * pixels);
    }
  else
    {
      _es_image_view_zoom_at (self, self->zoom * pow (WHEEL_ZOOM, smooth ? -dy / 30 : -dy), self->pointer_x,
                              self->pointer_y);
    }
  _es_image_view_hover_at (self, self->pointer_x, self->pointer_y);
  return GDK_EVENT_STOP;
}

static void
on_pinch_begin (GtkGesture *gesture, GdkEventSequence *sequence, gpointer user_data)
{
  EsImageView *self = ES_IMAGE_VIEW (user_data);

  self->pinch_zoom = self->zoom;
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
on_pinch (GtkGestureZoom *gesture, double factor, gpointer user_data)
{
  EsImageView *self = ES_IMAGE_VIEW (user_data);
  double x, y;

  if (!gtk_gesture_get_bounding_box_center (GTK_GESTURE (gesture), &x, &y))
    {
      x = self->pointer_x;
      y = self->pointer_y;
    }
  _es_image_view_zoom_at (self, self->pinch_zoom * factor, x, y);
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, gpointer user_data)
{
  EsImageView *self = ES_IMAGE_VIEW (user_data);

  if (!self->panning)
    _es_image_view_hover_at (self, x, y);
  _es_image_view_follow_corner (self, x, y);
  if (self->corners->len > 0)
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_leave (GtkEventControllerMotion *controller, gpointer user_data)
{
  EsImageView *self = ES_IMAGE_VIEW (user_data);

  self->has_pointer = FALSE;
  _es_image_view_set_hovered (self, FALSE, 0, 0);
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, gpointer user_data)
{
  EsImageView *self = ES_IMAGE_VIEW (user_data);
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));

  if (button > GDK_BUTTON_MIDDLE)
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->panning = FALSE;
  self->drag_x = self->center_x;
  self->drag_y = self->center_y;
  self->line_dragging = FALSE;
  self->line_corner = button <= GDK_BUTTON_PRIMARY ? _es_image_view_pick_corner (self, x, y) : -1;
  self->drag_tool = button <= GDK_BUTTON_PRIMARY && self->tool != ES_IMAGE_TOOL_PAN;
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, gpointer user_data)
{
  EsImageView *self = ES_IMAGE_VIEW (user_data);
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));

  if (es_picture_is_empty (self->picture))
    return;
  if (!self->panning && !self->drawing && !self->line_dragging
      && !gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) dx, (int) dy))
    return;
  if (self->line_corner >= 0)
    {
      double x, y;

      if (!gtk_gesture_drag_get_start_point (gesture, &x, &y))
        return;
      self->line_dragging = TRUE;
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
      _es_image_view_drag_corner (self, x + dx, y + dy, FALSE);
      return;
    }
  if (self->drag_tool)
    {
      double x, y;

      if (!gtk_gesture_drag_get_start_point (gesture, &x, &y))
        return;
      if (!self->drawing && _es_image_view_tool_begin (self, x, y))
        gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
      _es_image_view_tool_drag (self, x + dx, y + dy);
      return;
    }
  if (!self->panning)
    {
      self->panning = TRUE;
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
      gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "grabbing");
    }
  self->fit = FALSE;
  _es_image_view_move_to (self, self->zoom, self->drag_x - dx * scale / self->zoom,
                          self->drag_y - dy * scale / self->zoom);
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, gpointer user_data)
{
  EsImageView *self = ES_IMAGE_VIEW (user_data);
  double x, y, picture_x, picture_y;
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));

  if (self->line_dragging && gtk_gesture_drag_get_start_point (gesture, &x, &y))
    {
      self->line_dragging = FALSE;
      _es_image_view_drag_corner (self, x + dx, y + dy, TRUE);
    }
  else if (self->panning)
    {
      self->panning = FALSE;
      _es_image_view_set_tool_cursor (self);
    }
  else if (self->drag_tool && self->drawing)
    {
      _es_image_view_tool_end (self);
    }
  else if (self->drag_tool && gtk_gesture_drag_get_start_point (gesture, &x, &y)
           && _es_image_view_tool_click (self, x, y, self->n_press))
    {
      /* A corner has been set. */
    }
  else if (button <= GDK_BUTTON_PRIMARY && gtk_gesture_drag_get_start_point (gesture, &x, &y)
           && es_image_view_pick (self, x, y, &picture_x, &picture_y))
    {
      const GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));

      es_image_view_select (self, (guint) picture_x, (guint) picture_y);
      if (state & GDK_CONTROL_MASK)
        g_signal_emit_by_name (self, "kept", (guint) picture_x, (guint) picture_y, state & GDK_SHIFT_MASK ? 3 : 1);
    }
}

/* How often the first button has been pressed on one place: a double click closes a polygon. */
static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer user_data)
{
  ES_IMAGE_VIEW (user_data)->n_press = (guint) n_press;
}

static void
on_drag_cancel (GtkGesture *gesture, GdkEventSequence *sequence, gpointer user_data)
{
  EsImageView *self = ES_IMAGE_VIEW (user_data);

  self->panning = self->line_dragging = FALSE;
  self->line_corner = -1;
  if (self->drawing)
    _es_image_view_tool_cancel (self);
}

/* ---- keys ---- */

static gboolean
on_key_zoom (GtkWidget *widget, GVariant *factor, gpointer user_data)
{
  es_image_view_zoom_by (ES_IMAGE_VIEW (widget), g_variant_get_double (factor));
  return GDK_EVENT_STOP;
}

static gboolean
on_key_fit (GtkWidget *widget, GVariant *unused, gpointer user_data)
{
  es_image_view_fit (ES_IMAGE_VIEW (widget));
  return GDK_EVENT_STOP;
}

static gboolean
on_key_one (GtkWidget *widget, GVariant *unused, gpointer user_data)
{
  es_image_view_set_zoom (ES_IMAGE_VIEW (widget), 1);
  return GDK_EVENT_STOP;
}

static gboolean
on_key_pan (GtkWidget *widget, GVariant *direction, gpointer user_data)
{
  int dx, dy;

  g_variant_get (direction, "(ii)", &dx, &dy);
  _es_image_view_pan_by (ES_IMAGE_VIEW (widget), dx * 40, dy * 40);
  return GDK_EVENT_STOP;
}

static gboolean
on_key_move (GtkWidget *widget, GVariant *direction, gpointer user_data)
{
  EsImageView *self = ES_IMAGE_VIEW (widget);
  int dx, dy;

  if (self->picture_width == 0)
    return GDK_EVENT_PROPAGATE;

  g_variant_get (direction, "(ii)", &dx, &dy);
  if (self->has_selected)
    {
      gint64 x = (gint64) self->selected_x + dx, y = (gint64) self->selected_y + dy;

      es_image_view_select (self, (guint) CLAMP (x, 0, (gint64) self->picture_width - 1),
                            (guint) CLAMP (y, 0, (gint64) self->picture_height - 1));
    }
  else
    {
      _es_image_view_pan_by (self, CLAMP (dx, -1, 1) * 40, CLAMP (dy, -1, 1) * 40);
    }
  return GDK_EVENT_STOP;
}

static gboolean
on_key_select (GtkWidget *widget, GVariant *unused, gpointer user_data)
{
  EsImageView *self = ES_IMAGE_VIEW (widget);

  if (self->picture_width == 0)
    return GDK_EVENT_PROPAGATE;
  if (_es_image_view_tool_close (self))
    return GDK_EVENT_STOP;
  es_image_view_select (self, (guint) CLAMP (self->center_x, 0, self->picture_width - 1),
                        (guint) CLAMP (self->center_y, 0, self->picture_height - 1));
  return GDK_EVENT_STOP;
}

void
_es_image_view_bind_keys (GtkWidgetClass *klass)
{
  static const struct { guint keys[2]; int dx, dy; } arrows[] = {
    { { GDK_KEY_Left, GDK_KEY_KP_Left }, -1, 0 }, { { GDK_KEY_Right, GDK_KEY_KP_Right }, 1, 0 },
    { { GDK_KEY_Up, GDK_KEY_KP_Up }, 0, -1 },     { { GDK_KEY_Down, GDK_KEY_KP_Down }, 0, 1 },
  };
  static const guint zoom_in[] = { GDK_KEY_plus, GDK_KEY_equal, GDK_KEY_KP_Add };
  static const guint zoom_out[] = { GDK_KEY_minus, GDK_KEY_KP_Subtract };

  for (guint i = 0; i < G_N_ELEMENTS (arrows); i++)
    for (guint k = 0; k < 2; k++)
      {
        guint key = arrows[i].keys[k];
        int dx = arrows[i].dx, dy = arrows[i].dy;

        gtk_widget_class_add_binding (klass, key, 0, on_key_move, "(ii)", dx, dy);
        gtk_widget_class_add_binding (klass, key, GDK_SHIFT_MASK, on_key_move, "(ii)", 10 * dx, 10 * dy);
        gtk_widget_class_add_binding (klass, key, GDK_CONTROL_MASK, on_key_pan, "(ii)", dx, dy);
      }
  for (guint i = 0; i < G_N_ELEMENTS (zoom_in); i++)
    gtk_widget_class_add_binding (klass, zoom_in[i], 0, on_key_zoom, "d", KEY_ZOOM);
  for (guint i = 0; i < G_N_ELEMENTS (zoom_out); i++)
    gtk_widget_class_add_binding (klass, zoom_out[i], 0, on_key_zoom, "d", 1 / KEY_ZOOM);
  gtk_widget_class_add_binding (klass, GDK_KEY_0, 0, on_key_fit, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_KP_0, 0, on_key_fit, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_1, 0, on_key_one, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_KP_1, 0, on_key_one, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_Return, 0, on_key_select, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_KP_Enter, 0, on_key_select, NULL);
}

void
_es_image_view_add_controllers (EsImageView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *pinch = gtk_gesture_zoom_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (widget, scroll);
  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect (pinch, "begin", G_CALLBACK (on_pinch_begin), self);
  g_signal_connect (pinch, "scale-changed", G_CALLBACK (on_pinch), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (on_drag_cancel), self);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_gesture_group (click, drag);
}
