/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a person does with a spy picture: looks at a place, selects a part of it, zooms, moves. */

#include "es-spy-view-private.h"

#include <math.h>

#define ZOOM 2.0
#define STEP 0.25                      /* of what is seen */
#define LEAST_DRAG 6                   /* pixels; less is a click */

/* ---- zooming ---- */

/* What is seen, so many times as large, around its middle. */
static void
zoom_by (EsSpyView *self, double factor)
{
  const EsMatrixWindow old = *es_spy_view_get_window (self);
  EsMatrixWindow window = old;
  const double row = old.row + old.n_rows / 2.0, column = old.column + old.n_columns / 2.0;

  window.n_rows = (gsize) fmax (rint (old.n_rows * factor), 1);
  window.n_columns = (gsize) fmax (rint (old.n_columns * factor), 1);
  window.row = (gsize) fmax (rint (row - window.n_rows / 2.0), 0);
  window.column = (gsize) fmax (rint (column - window.n_columns / 2.0), 0);
  es_spy_view_set_window (self, &window);
}

static void
move_by (EsSpyView *self, double rows, double columns)
{
  EsMatrixWindow window = *es_spy_view_get_window (self);

  window.row = (gsize) fmax (rint (window.row + rows * window.n_rows), 0);
  window.column = (gsize) fmax (rint (window.column + columns * window.n_columns), 0);
  es_spy_view_set_window (self, &window);
}

static void
activate (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsSpyView *self = ES_SPY_VIEW (widget);

  if (g_str_equal (name, "spy.whole"))
    es_spy_view_set_window (self, NULL);
  else
    zoom_by (self, g_str_equal (name, "spy.in") ? 1 / ZOOM : ZOOM);
}

void
_es_spy_view_add_actions (GtkWidgetClass *class)
{
  gtk_widget_class_install_action (class, "spy.in", NULL, activate);
  gtk_widget_class_install_action (class, "spy.out", NULL, activate);
  gtk_widget_class_install_action (class, "spy.whole", NULL, activate);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, EsSpyView *self)
{
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return FALSE;
  switch (key)
    {
    case GDK_KEY_plus: case GDK_KEY_equal: case GDK_KEY_KP_Add:
      zoom_by (self, 1 / ZOOM);
      return TRUE;
    case GDK_KEY_minus: case GDK_KEY_KP_Subtract:
      zoom_by (self, ZOOM);
      return TRUE;
    case GDK_KEY_0: case GDK_KEY_KP_0:
      es_spy_view_set_window (self, NULL);
      return TRUE;
    case GDK_KEY_Left:
      move_by (self, 0, -STEP);
      return TRUE;
    case GDK_KEY_Right:
      move_by (self, 0, STEP);
      return TRUE;
    case GDK_KEY_Up:
      move_by (self, -STEP, 0);
      return TRUE;
    case GDK_KEY_Down:
      move_by (self, STEP, 0);
      return TRUE;
    default:
      return FALSE;
    }
}

/* ---- the pointer ---- */

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, EsSpyView *self)
{
  self->pointer_x = x;
  self->pointer_y = y;
  _es_spy_view_update_told (self);
}

static void
on_leave (GtkEventControllerMotion *controller, EsSpyView *self)
{
  self->pointer_x = self->pointer_y = NAN;
  _es_spy_view_update_told (self);
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, EsSpyView *self)
{
  gtk_widget_grab_focus (self->canvas);
  if (n_press == 2)
    es_spy_view_set_window (self, NULL);
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, EsSpyView *self)
{
  graphene_rect_t area, drawn;
  double x, y;

  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  self->selected = GRAPHENE_RECT_INIT (0, 0, 0, 0);
  if (_es_spy_view_get_area (self, &area) && fabs (dx) >= LEAST_DRAG && fabs (dy) >= LEAST_DRAG)
    {
      drawn = GRAPHENE_RECT_INIT ((float) fmin (x, x + dx), (float) fmin (y, y + dy), (float) fabs (dx),
                                  (float) fabs (dy));
      if (!graphene_rect_intersection (&area, &drawn, &self->selected))
        self->selected = GRAPHENE_RECT_INIT (0, 0, 0, 0);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, EsSpyView *self)
{
  const graphene_rect_t selected = self->selected;
  EsMatrixWindow window = self->seen;
  graphene_rect_t area;

  self->selected = GRAPHENE_RECT_INIT (0, 0, 0, 0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (!(selected.size.width > 0) || !_es_spy_view_get_area (self, &area))
    return;
  const double across = window.n_columns / (double) area.size.width, down = window.n_rows / (double) area.size.height;
  const double left = floor ((selected.origin.x - area.origin.x) * across);
  const double top = floor ((selected.origin.y - area.origin.y) * down);
  window.n_columns = (gsize) fmax (ceil (selected.size.width * across), 1);
  window.n_rows = (gsize) fmax (ceil (selected.size.height * down), 1);
  window.column += (gsize) fmax (left, 0);
  window.row += (gsize) fmax (top, 0);
  es_spy_view_set_window (self, &window);
}

void
_es_spy_view_add_input (EsSpyView *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new (), *key = gtk_event_controller_key_new ();
  GtkGesture *drag = gtk_gesture_drag_new (), *click = gtk_gesture_click_new ();

  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key), self);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (self->canvas, motion);
  gtk_widget_add_controller (self->canvas, key);
  gtk_widget_add_controller (self->canvas, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (self->canvas, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_set_cursor_from_name (self->canvas, "crosshair");
}
