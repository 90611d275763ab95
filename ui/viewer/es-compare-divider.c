/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-compare-divider.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define THICKNESS 20            /* what can be taken hold of */
#define HANDLE    14            /* half the handle's height */
#define STEP      0.01

struct _EsCompareDivider
{
  GtkWidget parent_instance;

  double    position;
  double    drag_position;
};

enum { PROP_0, PROP_POSITION, N_PROPS };
static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (EsCompareDivider, es_compare_divider, GTK_TYPE_WIDGET)

void
es_compare_divider_set_position (EsCompareDivider *self, double position)
{
  g_return_if_fail (ES_IS_COMPARE_DIVIDER (self));

  position = CLAMP (position, 0, 1);
  if (position == self->position)
    return;
  self->position = position;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, position * 100, -1);
  if (gtk_widget_get_parent (GTK_WIDGET (self)) != NULL)
    gtk_widget_queue_allocate (gtk_widget_get_parent (GTK_WIDGET (self)));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_POSITION]);
}

double
es_compare_divider_get_position (EsCompareDivider *self)
{
  g_return_val_if_fail (ES_IS_COMPARE_DIVIDER (self), 0.5);
  return self->position;
}

void
es_compare_divider_get_place (EsCompareDivider *self, int width, int *x, int *thickness)
{
  g_return_if_fail (ES_IS_COMPARE_DIVIDER (self));

  *x = (int) round (self->position * width) - THICKNESS / 2;
  *thickness = THICKNESS;
}

/* ---- pointer and keys ---- */

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, EsCompareDivider *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  self->drag_position = self->position;
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, EsCompareDivider *self)
{
  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (self));
  double start_x, start_y, x, y;
  int width = gtk_widget_get_width (parent);

  /* The divider moves under the pointer: offsets are the parent's. */
  gtk_gesture_drag_get_start_point (gesture, &start_x, &start_y);
  if (width > 0
      && gtk_widget_translate_coordinates (GTK_WIDGET (self), parent, start_x + dx, start_y + dy, &x, &y))
    es_compare_divider_set_position (self, (x - start_x + THICKNESS / 2.) / width);
}

static gboolean
on_key_move (GtkWidget *widget, GVariant *steps, gpointer user_data)
{
  EsCompareDivider *self = ES_COMPARE_DIVIDER (widget);

  es_compare_divider_set_position (self, self->position + g_variant_get_int32 (steps) * STEP);
  return GDK_EVENT_STOP;
}

/* ---- drawing ---- */

static void
es_compare_divider_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  static const GdkRGBA ink = { 1, 1, 1, 0.95 }, shade = { 0, 0, 0, 0.62 };
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (width / 2 - 7, height / 2 - HANDLE, 14, 2 * HANDLE);
  GskRoundedRect handle;

  gtk_snapshot_append_color (snapshot, &shade, &GRAPHENE_RECT_INIT (width / 2 - 2, 0, 4, height));
  gtk_snapshot_append_color (snapshot, &ink, &GRAPHENE_RECT_INIT (width / 2 - 1, 0, 2, height));
  gsk_rounded_rect_init_from_rect (&handle, &bounds, 7);
  gtk_snapshot_push_rounded_clip (snapshot, &handle);
  gtk_snapshot_append_color (snapshot, &ink, &bounds);
  gtk_snapshot_pop (snapshot);
  for (int i = -1; i <= 1; i += 2)
    gtk_snapshot_append_color (snapshot, &shade,
                               &GRAPHENE_RECT_INIT (width / 2 + 2 * i - 0.5f, height / 2 - 6, 1, 12));
  if (gtk_widget_has_visible_focus (widget))
    gtk_snapshot_append_border (snapshot, &handle, (float[4]) { 2, 2, 2, 2 },
                                (GdkRGBA[4]) { shade, shade, shade, shade });
}

static void
es_compare_divider_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                            int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? THICKNESS : 2 * HANDLE;
}

static void
es_compare_divider_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_POSITION)
    g_value_set_double (value, ES_COMPARE_DIVIDER (object)->position);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_compare_divider_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_POSITION)
    es_compare_divider_set_position (ES_COMPARE_DIVIDER (object), g_value_get_double (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_compare_divider_class_init (EsCompareDividerClass *klass)
{
  static const struct { guint key; int steps; } keys[] = {
    { GDK_KEY_Left, -1 }, { GDK_KEY_KP_Left, -1 }, { GDK_KEY_Right, 1 }, { GDK_KEY_KP_Right, 1 },
  };
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = es_compare_divider_get_property;
  object_class->set_property = es_compare_divider_set_property;
  widget_class->snapshot = es_compare_divider_snapshot;
  widget_class->measure = es_compare_divider_measure;
  properties[PROP_POSITION] = g_param_spec_double ("position", NULL, NULL, 0, 1, 0.5,
                                                   G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY
                                                   | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      gtk_widget_class_add_binding (widget_class, keys[i].key, 0, on_key_move, "i", keys[i].steps);
      gtk_widget_class_add_binding (widget_class, keys[i].key, GDK_SHIFT_MASK, on_key_move, "i",
                                    10 * keys[i].steps);
    }
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Home, 0, on_key_move, "i", -100);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_End, 0, on_key_move, "i", 100);
  gtk_widget_class_set_css_name (widget_class, "comparedivider");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_SLIDER);
}

static void
es_compare_divider_init (EsCompareDivider *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->position = 0.5;
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_cursor_from_name (widget, "ew-resize");
  gtk_widget_set_tooltip_text (widget, _("Drag to show more of one picture"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Line between the pictures"), GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, 0.,
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, 100., GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, 50.,
                                  -1);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
}

GtkWidget *
es_compare_divider_new (void)
{
  return g_object_new (ES_TYPE_COMPARE_DIVIDER, NULL);
}
