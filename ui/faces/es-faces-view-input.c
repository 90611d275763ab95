/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Pointer and keys: the cube is turned, zoomed, and its sides are moved in and out. */

#include "es-faces-view-private.h"

#include <math.h>

#define KEY_TURN   5            /* degrees */
#define WHEEL_ZOOM 1.15
#define DRAG_TURN  0.4          /* degrees a pixel */

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, gpointer data)
{
  EsFacesView *self = data;
  const GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));

  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->pushed = ES_N_FACES;
  self->turn_before = self->turn;
  self->above_before = self->above;
  self->cut_before = self->cut;
  if (self->cube != NULL && ((state & GDK_CONTROL_MASK)
      || gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture)) == GDK_BUTTON_SECONDARY))
    {
      const EsFacesLook look = _es_faces_view_look (self);
      const EsFacesBox box = _es_faces_view_box (self, &self->cut);

      self->pushed = es_faces_pick (&look, &box, x, y);
    }
}

/* A side goes by whole pixels, or bands. */
static void
push (EsFacesView *self, double dx, double dy)
{
  const EsFacesLook look = _es_faces_view_look (self);
  const double by = es_faces_push (&look, self->pushed, dx, dy);
  const gboolean high = self->pushed % 2 == 1;
  EsFacesCut cut = self->cut_before;

  if (self->pushed >= ES_FACE_TOP)
    {
      const double n = self->order->n, to = cut.band[high] + round (by / _es_faces_view_extent (self).z * n);

      cut.band[high] = (guint) CLAMP (to, high ? cut.band[0] + 1. : 0, high ? n : cut.band[1] - 1.);
    }
  else
    {
      guint64 *range = self->pushed <= ES_FACE_RIGHT ? cut.x : cut.y;
      const double length = (double) (self->pushed <= ES_FACE_RIGHT ? es_cube_get_width (self->cube)
                                                                    : es_cube_get_height (self->cube));
      const double to = (double) range[high] + round (by);

      range[high] = (guint64) CLAMP (to, high ? (double) range[0] + 1 : 0, high ? length : (double) range[1] - 1);
    }
  es_faces_view_set_cut (self, &cut);
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, gpointer data)
{
  EsFacesView *self = data;

  if (self->cube == NULL)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  if (self->pushed < ES_N_FACES)
    push (self, dx, dy);
  else
    es_faces_view_set_look (self, self->turn_before - dx * DRAG_TURN, self->above_before + dy * DRAG_TURN, self->zoom);
}

static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, gpointer data)
{
  EsFacesView *self = data;

  if (gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_SURFACE)
    dy /= 30;
  es_faces_view_set_look (self, self->turn, self->above, self->zoom * pow (WHEEL_ZOOM, -dy));
  return GDK_EVENT_STOP;
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  if (n_press == 2)
    es_faces_view_turn_back (data);
}

static gboolean
on_key_turn (GtkWidget *widget, GVariant *by, gpointer data)
{
  EsFacesView *self = ES_FACES_VIEW (widget);
  int turn, above;

  g_variant_get (by, "(ii)", &turn, &above);
  es_faces_view_set_look (self, self->turn + turn * KEY_TURN, self->above + above * KEY_TURN, self->zoom);
  return GDK_EVENT_STOP;
}

static gboolean
on_key_zoom (GtkWidget *widget, GVariant *by, gpointer data)
{
  EsFacesView *self = ES_FACES_VIEW (widget);
  const double factor = g_variant_get_double (by);

  if (factor > 0)
    es_faces_view_set_look (self, self->turn, self->above, self->zoom * factor);
  else
    es_faces_view_turn_back (self);
  return GDK_EVENT_STOP;
}

void
_es_faces_view_bind_keys (GtkWidgetClass *klass)
{
  static const struct { guint keys[2]; int turn, above; } arrows[] = {
    { { GDK_KEY_Left, GDK_KEY_KP_Left }, 1, 0 }, { { GDK_KEY_Right, GDK_KEY_KP_Right }, -1, 0 },
    { { GDK_KEY_Up, GDK_KEY_KP_Up }, 0, 1 },     { { GDK_KEY_Down, GDK_KEY_KP_Down }, 0, -1 },
  };
  static const struct { guint key; double factor; } zooms[] = {
    { GDK_KEY_plus, WHEEL_ZOOM },      { GDK_KEY_equal, WHEEL_ZOOM }, { GDK_KEY_KP_Add, WHEEL_ZOOM },
    { GDK_KEY_minus, 1 / WHEEL_ZOOM }, { GDK_KEY_KP_Subtract, 1 / WHEEL_ZOOM },
    { GDK_KEY_0, 0 },                  { GDK_KEY_KP_0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (arrows); i++)
    for (guint k = 0; k < 2; k++)
      gtk_widget_class_add_binding (klass, arrows[i].keys[k], 0, on_key_turn, "(ii)", arrows[i].turn, arrows[i].above);
  for (guint i = 0; i < G_N_ELEMENTS (zooms); i++)
    gtk_widget_class_add_binding (klass, zooms[i].key, 0, on_key_zoom, "d", zooms[i].factor);
}

void
_es_faces_view_add_input (EsFacesView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  GtkGesture *drag = gtk_gesture_drag_new (), *click = gtk_gesture_click_new ();

  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (widget, scroll);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_gesture_group (click, drag);
}
