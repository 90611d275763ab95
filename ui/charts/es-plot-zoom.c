/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-plot-zoom.h"

#include <math.h>

#define STEP 1.25
#define KEY_STEP 1.5
/* Of the width or height, by a key. */
#define KEY_PAN 0.1

/* What is seen, in values of the axes; NAN: all. */
typedef struct
{
  EsPlotView *view;
  double      x[2], y[2];
  double      pointer_x, pointer_y;
  double      drag_x[2], drag_y[2];        /* what was seen when the drag began */
  gboolean    in_column;
} Zoom;

static Zoom *
zoom_of (EsPlotView *view)
{
  return g_object_get_data (G_OBJECT (view), "es-plot-zoom");
}

/* What is seen now, whether that was chosen or comes of the data. FALSE: nothing is drawn. */
static gboolean
get_seen (Zoom *self, cairo_rectangle_t *area, double x[2], double y[2])
{
  EsPlot *plot = es_plot_view_get_plot (self->view);
  const int width = gtk_widget_get_width (GTK_WIDGET (self->view));
  const int height = gtk_widget_get_height (GTK_WIDGET (self->view));

  return es_plot_get_area (plot, width, height, area)
         && es_plot_values_at (plot, area->x, area->y + area->height, width, height, &x[0], &y[0])
         && es_plot_values_at (plot, area->x + area->width, area->y, width, height, &x[1], &y[1]);
}

static void
set_seen (Zoom *self, const double x[2], const double y[2])
{
  EsPlot *plot = es_plot_view_get_plot (self->view);

  /* So near that digits of doubles run out, it stays. */
  if (x != NULL && fabs (x[1] - x[0]) > 1e-9 * MAX (fabs (x[0]), fabs (x[1])))
    {
      self->x[0] = x[0], self->x[1] = x[1];
      es_plot_set_x_range (plot, x[0], x[1]);
    }
  if (y != NULL && fabs (y[1] - y[0]) > 1e-9 * MAX (fabs (y[0]), fabs (y[1])))
    {
      self->y[0] = y[0], self->y[1] = y[1];
      es_plot_set_y_range (plot, y[0], y[1]);
    }
}

static void
zoom_axis (Zoom *self, gboolean vertical, double factor, double share)
{
  cairo_rectangle_t area;
  double x[2], y[2];

  if (!get_seen (self, &area, x, y))
    return;
  double *seen = vertical ? y : x;
  const double at = seen[0] + (seen[1] - seen[0]) * share;
  seen[0] = at - (at - seen[0]) * factor;
  seen[1] = at + (seen[1] - at) * factor;
  set_seen (self, vertical ? NULL : x, vertical ? y : NULL);
}

/* By shares of what is seen. */
static void
pan (Zoom *self, double right, double up)
{
  cairo_rectangle_t area;
  double x[2], y[2];

  if (!get_seen (self, &area, x, y))
    return;
  const double dx = (x[1] - x[0]) * right, dy = (y[1] - y[0]) * up;
  x[0] += dx, x[1] += dx;
  y[0] += dy, y[1] += dy;
  set_seen (self, right != 0 ? x : NULL, up != 0 ? y : NULL);
}

void
es_plot_zoom_reset (EsPlotView *view)
{
  Zoom *self = zoom_of (view);

  if (self == NULL)
    return;
  self->x[0] = self->x[1] = self->y[0] = self->y[1] = NAN;
  es_plot_set_x_range (es_plot_view_get_plot (view), NAN, NAN);
  es_plot_set_y_range (es_plot_view_get_plot (view), NAN, NAN);
}

gboolean
es_plot_zoom_is_zoomed (EsPlotView *view)
{
  Zoom *self = zoom_of (view);

  return self != NULL && (!isnan (self->x[0]) || !isnan (self->y[0]));
}

/* ---- pointer ---- */

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, gpointer data)
{
  Zoom *self = data;

  self->pointer_x = x;
  self->pointer_y = y;
}

static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, gpointer data)
{
  Zoom *self = data;
  const GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  const gboolean smooth = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_SURFACE;
  cairo_rectangle_t area;
  double x[2], y[2];

  if (!get_seen (self, &area, x, y) || (self->in_column && !(state & GDK_CONTROL_MASK)))
    return GDK_EVENT_PROPAGATE;
  if (smooth)
    dx /= 30, dy /= 30;
  if (self->in_column)
    {
      const double turned = fabs (dx) > fabs (dy) ? dx : dy;
      const gboolean vertical = (state & GDK_SHIFT_MASK) || self->pointer_x < area.x;

      const double share = vertical ? 1 - (self->pointer_y - area.y) / area.height
                                    : (self->pointer_x - area.x) / area.width;

      zoom_axis (self, vertical, pow (STEP, turned), CLAMP (share, 0, 1));
    }
  else if ((state & GDK_SHIFT_MASK) || fabs (dx) > fabs (dy))
    pan (self, 0.05 * (dx != 0 ? dx : dy), 0);
  else if ((state & GDK_CONTROL_MASK) || self->pointer_x < area.x)
    zoom_axis (self, TRUE, pow (STEP, dy), CLAMP (1 - (self->pointer_y - area.y) / area.height, 0, 1));
  else
    zoom_axis (self, FALSE, pow (STEP, dy), CLAMP ((self->pointer_x - area.x) / area.width, 0, 1));
  return GDK_EVENT_STOP;
}

static void
on_drag_begin (GtkGestureDrag *gesture, double start_x, double start_y, gpointer data)
{
  Zoom *self = data;
  cairo_rectangle_t area;

  self->drag_x[0] = NAN;
  if (es_plot_zoom_is_zoomed (self->view))
    get_seen (self, &area, self->drag_x, self->drag_y);
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, gpointer data)
{
  Zoom *self = data;
  cairo_rectangle_t area;
  double x[2], y[2];

  if (isnan (self->drag_x[0]) || es_plot_view_get_dragged (self->view) >= 0 || !get_seen (self, &area, x, y))
    return;
  for (guint i = 0; i < 2; i++)
    {
      x[i] = self->drag_x[i] - dx / area.width * (self->drag_x[1] - self->drag_x[0]);
      y[i] = self->drag_y[i] + dy / area.height * (self->drag_y[1] - self->drag_y[0]);
    }
  /* An axis that shows all goes on doing so. */
  set_seen (self, isnan (self->x[0]) ? NULL : x, isnan (self->y[0]) ? NULL : y);
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  if (n_press == 2)
    es_plot_zoom_reset (((Zoom *) data)->view);
}

/* ---- keys ---- */

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, gpointer data)
{
  Zoom *self = data;
  const gboolean moves = (state & (GDK_CONTROL_MASK | GDK_SHIFT_MASK)) == (GDK_CONTROL_MASK | GDK_SHIFT_MASK);

  if (key == GDK_KEY_0 || key == GDK_KEY_KP_0)
    es_plot_zoom_reset (self->view);
  else if (key == GDK_KEY_bracketright || key == GDK_KEY_bracketleft)
    zoom_axis (self, FALSE, key == GDK_KEY_bracketright ? 1 / KEY_STEP : KEY_STEP, 0.5);
  else if (key == GDK_KEY_braceright || key == GDK_KEY_braceleft)
    zoom_axis (self, TRUE, key == GDK_KEY_braceright ? 1 / KEY_STEP : KEY_STEP, 0.5);
  else if (moves && (key == GDK_KEY_Left || key == GDK_KEY_Right))
    pan (self, key == GDK_KEY_Left ? -KEY_PAN : KEY_PAN, 0);
  else if (moves && (key == GDK_KEY_Up || key == GDK_KEY_Down))
    pan (self, 0, key == GDK_KEY_Up ? KEY_PAN : -KEY_PAN);
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

void
es_plot_zoom_set_in_column (EsPlotView *view)
{
  Zoom *self = zoom_of (view);

  g_return_if_fail (self != NULL);
  self->in_column = TRUE;
}

void
es_plot_zoom_add (EsPlotView *view)
{
  Zoom *self = g_new0 (Zoom, 1);
  GtkWidget *widget = GTK_WIDGET (view);
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkEventController *motion = gtk_event_controller_motion_new (), *keys = gtk_event_controller_key_new ();
  GtkGesture *drag = gtk_gesture_drag_new (), *click = gtk_gesture_click_new ();

  self->view = view;
  self->x[0] = self->x[1] = self->y[0] = self->y[1] = self->drag_x[0] = NAN;
  g_object_set_data_full (G_OBJECT (view), "es-plot-zoom", self, g_free);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (widget, scroll);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (widget, keys);
}
