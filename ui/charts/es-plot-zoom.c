/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-plot-zoom.h"

#include <math.h>

#include "es-plot-range.h"
#include "widgets/es-section.h"

#define STEP 1.25
#define KEY_STEP 1.5
/* Of the width or height, by a key. */
#define KEY_PAN 0.1
/* Of all, at least. Nearer, places outside of the drawing are further away than cairo can count. */
#define NEAREST 1e-4

typedef struct
{
  GtkWidget            *widget;
  const EsPlotZoomKind *kind;
  EsPlot               *plot;              /* borrowed of the widget; NULL: it draws without */
  double                pointer_x, pointer_y;
  double                moved_x, moved_y;  /* of a drag, by now */
  gboolean              moving;
} Zoom;

static Zoom *
zoom_of (GtkWidget *widget)
{
  return g_object_get_data (G_OBJECT (widget), "es-plot-zoom");
}

const EsPlotZoomKind *
es_plot_zoom_get_kind (GtkWidget *widget)
{
  Zoom *self = zoom_of (widget);

  return self != NULL ? self->kind : NULL;
}

gboolean
es_plot_zoom_get_seen (GtkWidget *widget, double x[2], double y[2])
{
  const EsPlotZoomKind *kind = es_plot_zoom_get_kind (widget);
  cairo_rectangle_t area;

  if (kind == NULL || !kind->get_area (widget, &area))
    return FALSE;
  kind->value_at (widget, area.x, area.y + area.height, &x[0], &y[0]);
  kind->value_at (widget, area.x + area.width, area.y, &x[1], &y[1]);
  return TRUE;
}

static gboolean
is_zoomed (Zoom *self, gboolean vertical)
{
  double from, to;

  return self->kind->get_seen (self->widget, vertical, &from, &to);
}

/* How much of all of an axis is seen. */
static double
find_share (Zoom *self, gboolean vertical)
{
  double x[2], y[2], all_x[2], all_y[2], from, to;
  const double *seen = vertical ? y : x, *all = vertical ? all_y : all_x;

  if (!self->kind->get_seen (self->widget, vertical, &from, &to) || !es_plot_zoom_get_seen (self->widget, x, y))
    return 1;
  self->kind->set_seen (self->widget, vertical, NAN, NAN);
  es_plot_zoom_get_seen (self->widget, all_x, all_y);
  self->kind->set_seen (self->widget, vertical, from, to);
  return fabs ((seen[1] - seen[0]) / (all[1] - all[0]));
}

/* What lies between two places of the drawing is all that is seen of the axis from now on. */
static void
see_between (Zoom *self, gboolean vertical, double first, double last)
{
  const EsPlotZoomKind *kind = self->kind;
  double from, to, other;

  kind->value_at (self->widget, vertical ? 0 : first, vertical ? first : 0, vertical ? &other : &from,
                  vertical ? &from : &other);
  kind->value_at (self->widget, vertical ? 0 : last, vertical ? last : 0, vertical ? &other : &to,
                  vertical ? &to : &other);
  /* So near or far that digits of doubles run out, it stays. */
  if (isfinite (from) && isfinite (to) && fabs (to - from) > 1e-9 * MAX (fabs (from), fabs (to)))
    kind->set_seen (self->widget, vertical, MIN (from, to), MAX (from, to));
}

static void
zoom_axis (Zoom *self, gboolean vertical, double factor, double share)
{
  cairo_rectangle_t area;

  if (!self->kind->get_area (self->widget, &area) || (factor < 1 && find_share (self, vertical) < NEAREST))
    return;
  const double first = vertical ? area.y + area.height : area.x;
  const double length = vertical ? -area.height : area.width, at = first + length * share;
  see_between (self, vertical, at + (first - at) * factor, at + (first + length - at) * factor);
}

/* By shares of what is seen. */
static void
pan (Zoom *self, double right, double up)
{
  cairo_rectangle_t area;

  if (right != 0 && self->kind->get_area (self->widget, &area))
    see_between (self, FALSE, area.x + right * area.width, area.x + (1 + right) * area.width);
  if (up != 0 && self->kind->get_area (self->widget, &area))
    see_between (self, TRUE, area.y + (1 - up) * area.height, area.y - up * area.height);
}

void
es_plot_zoom_reset_of (GtkWidget *widget)
{
  const EsPlotZoomKind *kind = es_plot_zoom_get_kind (widget);

  for (guint i = 0; kind != NULL && i < 2; i++)
    kind->set_seen (widget, i == 1, NAN, NAN);
}

void
es_plot_zoom_reset (EsPlotView *view)
{
  es_plot_zoom_reset_of (GTK_WIDGET (view));
}

gboolean
es_plot_zoom_is_zoomed (EsPlotView *view)
{
  Zoom *self = zoom_of (GTK_WIDGET (view));

  return self != NULL && (is_zoomed (self, FALSE) || is_zoomed (self, TRUE));
}

/* ---- pointer ---- */

/* The wheel belongs to what scrolls. */
static gboolean
stands_in_column (GtkWidget *widget)
{
  return gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW) != NULL && !es_section_is_large_around (widget);
}

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
  const gboolean column = stands_in_column (self->widget);
  gboolean control = (state & GDK_CONTROL_MASK) != 0;
  cairo_rectangle_t area;

  if (!self->kind->get_area (self->widget, &area) || (column && !control))
    return GDK_EVENT_PROPAGATE;
  control = control && !column;
  if (smooth)
    dx /= 30, dy /= 30;
  if ((state & GDK_SHIFT_MASK) || fabs (dx) > fabs (dy))
    pan (self, 0.05 * (dx != 0 ? dx : dy), 0);
  else if (control || self->pointer_x < area.x)
    zoom_axis (self, TRUE, pow (STEP, dy), CLAMP (1 - (self->pointer_y - area.y) / area.height, 0, 1));
  else
    zoom_axis (self, FALSE, pow (STEP, dy), CLAMP ((self->pointer_x - area.x) / area.width, 0, 1));
  return GDK_EVENT_STOP;
}

static void
on_drag_begin (GtkGestureDrag *gesture, double start_x, double start_y, gpointer data)
{
  Zoom *self = data;
  const GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  const gboolean middle = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture)) == GDK_BUTTON_MIDDLE;
  const gboolean taken = self->kind->drags && !middle;

  self->moved_x = self->moved_y = 0;
  self->moving = (is_zoomed (self, FALSE) || is_zoomed (self, TRUE)) && (!taken || (state & GDK_CONTROL_MASK));
  if (self->moving && (taken || middle))
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, gpointer data)
{
  Zoom *self = data;
  cairo_rectangle_t area;

  if (!self->moving || self->kind->is_held (self->widget) || !self->kind->get_area (self->widget, &area))
    return;
  /* An axis that shows all goes on doing so. */
  pan (self, is_zoomed (self, FALSE) ? (self->moved_x - dx) / area.width : 0,
       is_zoomed (self, TRUE) ? (dy - self->moved_y) / area.height : 0);
  self->moved_x = dx;
  self->moved_y = dy;
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  Zoom *self = data;

  if (n_press == 2 && !self->kind->double_clicks)
    es_plot_zoom_reset_of (self->widget);
}

/* ---- keys ---- */

/* Ctrl and Shift move a marker where there is one. */
static gboolean
is_moving_key (Zoom *self, GdkModifierType state)
{
  const GdkModifierType both = GDK_CONTROL_MASK | GDK_SHIFT_MASK;

  if ((state & GDK_ALT_MASK) != 0)
    return (state & both) == 0;
  return (state & both) == both
         && !(self->plot != NULL && es_plot_get_n_markers (self->plot) > 0);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, gpointer data)
{
  Zoom *self = data;
  const gboolean moves = is_moving_key (self, state);
  const gboolean plain = (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) == 0;

  if (plain && (key == GDK_KEY_0 || key == GDK_KEY_KP_0))
    es_plot_zoom_reset_of (self->widget);
  else if (plain && (key == GDK_KEY_bracketright || key == GDK_KEY_bracketleft))
    zoom_axis (self, FALSE, key == GDK_KEY_bracketright ? 1 / KEY_STEP : KEY_STEP, 0.5);
  else if (plain && (key == GDK_KEY_braceright || key == GDK_KEY_braceleft))
    zoom_axis (self, TRUE, key == GDK_KEY_braceright ? 1 / KEY_STEP : KEY_STEP, 0.5);
  else if (plain && (key == GDK_KEY_r || key == GDK_KEY_R))
    es_plot_range_popup (self->widget);
  else if (moves && (key == GDK_KEY_Left || key == GDK_KEY_Right))
    pan (self, key == GDK_KEY_Left ? -KEY_PAN : KEY_PAN, 0);
  else if (moves && (key == GDK_KEY_Up || key == GDK_KEY_Down))
    pan (self, 0, key == GDK_KEY_Up ? KEY_PAN : -KEY_PAN);
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

static void
add_drag (Zoom *self, guint button)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), button);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  gtk_widget_add_controller (self->widget, GTK_EVENT_CONTROLLER (drag));
}

void
es_plot_zoom_add_to (GtkWidget *widget, const EsPlotZoomKind *kind)
{
  Zoom *self = g_new0 (Zoom, 1);
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkEventController *motion = gtk_event_controller_motion_new (), *keys = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  self->widget = widget;
  self->kind = kind;
  g_object_set_data_full (G_OBJECT (widget), "es-plot-zoom", self, g_free);
  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (widget, scroll);
  add_drag (self, GDK_BUTTON_PRIMARY);
  add_drag (self, GDK_BUTTON_MIDDLE);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (widget, keys);
}

/* ---- plots ---- */

static EsPlot *
plot_of (GtkWidget *widget)
{
  return zoom_of (widget)->plot;
}

static gboolean
get_plot_area (GtkWidget *widget, cairo_rectangle_t *area)
{
  return es_plot_get_area (plot_of (widget), gtk_widget_get_width (widget), gtk_widget_get_height (widget), area);
}

/* Outside of the axes as well, where the plot itself goes no further than their ends. */
static void
get_plot_value (GtkWidget *widget, double px, double py, double *x, double *y)
{
  EsPlot *plot = plot_of (widget);
  const int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  cairo_rectangle_t area;
  double low[2], high[2];

  es_plot_get_area (plot, width, height, &area);
  es_plot_values_at (plot, area.x, area.y + area.height, width, height, &low[0], &low[1]);
  es_plot_values_at (plot, area.x + area.width, area.y, width, height, &high[0], &high[1]);
  const double right = (px - area.x) / area.width, up = 1 - (py - area.y) / area.height;
  *x = es_plot_get_x_division (plot) != ES_PLOT_X_LINEAR ? low[0] * pow (high[0] / low[0], right)
                                                         : low[0] + right * (high[0] - low[0]);
  *y = es_plot_is_logarithmic (plot) ? low[1] * pow (high[1] / low[1], up) : low[1] + up * (high[1] - low[1]);
}

static void
set_plot_seen (GtkWidget *widget, gboolean vertical, double from, double to)
{
  if (vertical)
    es_plot_set_y_seen (plot_of (widget), from, to);
  else
    es_plot_set_x_seen (plot_of (widget), from, to);
}

static gboolean
get_plot_seen (GtkWidget *widget, gboolean vertical, double *from, double *to)
{
  return vertical ? es_plot_get_y_seen (plot_of (widget), from, to) : es_plot_get_x_seen (plot_of (widget), from, to);
}

static char *
name_plot_axis (GtkWidget *widget, gboolean vertical)
{
  return es_plot_describe_axis (plot_of (widget), vertical);
}

static gboolean
is_plot_held (GtkWidget *widget)
{
  return ES_IS_PLOT_VIEW (widget) && es_plot_view_get_dragged (ES_PLOT_VIEW (widget)) >= 0;
}

static gboolean
get_plot_division (GtkWidget *widget, gboolean *possible)
{
  *possible = es_plot_can_be_logarithmic (plot_of (widget));
  return es_plot_is_logarithmic (plot_of (widget));
}

static void
set_plot_division (GtkWidget *widget, gboolean logarithmic)
{
  es_plot_set_division (plot_of (widget), logarithmic ? ES_PLOT_LOGARITHMIC : ES_PLOT_LINEAR);
}

void
es_plot_zoom_add_plot (GtkWidget *widget, EsPlot *plot, gboolean drags)
{
  static const EsPlotZoomKind kinds[] = {
    { get_plot_area, get_plot_value, set_plot_seen, get_plot_seen, name_plot_axis, is_plot_held, get_plot_division,
      set_plot_division, FALSE, FALSE },
    { get_plot_area, get_plot_value, set_plot_seen, get_plot_seen, name_plot_axis, is_plot_held, get_plot_division,
      set_plot_division, TRUE, FALSE },
  };

  es_plot_zoom_add_to (widget, &kinds[drags]);
  zoom_of (widget)->plot = plot;
}

void
es_plot_zoom_add (EsPlotView *view)
{
  es_plot_zoom_add_plot (GTK_WIDGET (view), es_plot_view_get_plot (view), FALSE);
}
