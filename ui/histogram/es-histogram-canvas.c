/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-histogram-canvas-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-histogram-shares.h"
#include "widgets/es-format.h"

#define HEIGHT       110
#define COLOR_STOPS 64

enum { STRETCH_MOVED, RESET, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsHistogramCanvas, es_histogram_canvas, GTK_TYPE_WIDGET)

static const GdkRGBA channel_colors[3] = {
  { 0.88, 0.11, 0.14, 1 },
  { 0.18, 0.65, 0.30, 1 },
  { 0.21, 0.52, 0.89, 1 },
};

void
es_histogram_canvas_set_apart (EsHistogramCanvas *self, gboolean apart)
{
  g_return_if_fail (ES_IS_HISTOGRAM_CANVAS (self));

  if (self->apart == !!apart)
    return;
  self->apart = !!apart;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* All that matters. */
static gboolean
find_all (EsHistogramCanvas *self, double *minimum, double *maximum)
{
  guint n_planes;
  gboolean any = FALSE;

  /* Outliers do not squeeze the rest: all but a thousandth at both ends, the stretch, and a little room. */
  n_planes = es_picture_is_empty (self->picture) ? 0 : es_picture_get_n_planes (self->picture);
  for (guint i = 0; i < n_planes; i++)
    {
      const EsPlaneStatistics *statistics = es_picture_get_statistics (self->picture, i);
      double low, high, room, from, to;

      if (statistics == NULL || statistics->n_valid == 0 || (self->apart && i != self->plane))
        continue;
      es_picture_get_stretch (self->picture, i, &low, &high);
      room = 0.08 * (statistics->quantiles[999] - statistics->quantiles[1]);
      from = MIN (MIN (low, high), MAX (statistics->minimum, statistics->quantiles[1] - room));
      to = MAX (MAX (low, high), MIN (statistics->maximum, statistics->quantiles[999] + room));
      *minimum = any ? MIN (*minimum, from) : from;
      *maximum = any ? MAX (*maximum, to) : to;
      any = TRUE;
    }
  if (!any)
    return FALSE;
  if (!(*maximum > *minimum))
    {
      double half = fabs (*minimum) > 0 ? fabs (*minimum) * 0.5 : 0.5;

      *minimum -= half;
      *maximum += half;
    }
  return TRUE;
}

gboolean
es_histogram_canvas_get_range (EsHistogramCanvas *self, double *minimum, double *maximum)
{
  g_return_val_if_fail (ES_IS_HISTOGRAM_CANVAS (self), FALSE);

  if (self->grip != GRIP_NONE)
    {
      *minimum = self->range[0];
      *maximum = self->range[1];
      return TRUE;
    }
  if (!isnan (self->seen[0]) && !es_picture_is_empty (self->picture))
    {
      *minimum = self->seen[0];
      *maximum = self->seen[1];
      return TRUE;
    }
  return find_all (self, minimum, maximum);
}

/* ---- places ---- */

double
_es_histogram_width (EsHistogramCanvas *self)
{
  return MAX (gtk_widget_get_width (GTK_WIDGET (self)) - 2 * HANDLE, 1);
}

static double
value_to_x (EsHistogramCanvas *self, double value, double minimum, double maximum)
{
  return HANDLE + (value - minimum) / (maximum - minimum) * _es_histogram_width (self);
}

double
_es_histogram_value_at (EsHistogramCanvas *self, double x, double minimum, double maximum)
{
  return minimum + (x - HANDLE) / _es_histogram_width (self) * (maximum - minimum);
}

static Grip
pick_grip (EsHistogramCanvas *self, double x, double *offset)
{
  double minimum, maximum, low, high, to_low, to_high;

  if (!es_histogram_canvas_get_range (self, &minimum, &maximum))
    return GRIP_NONE;
  es_picture_get_stretch (self->picture, self->plane, &low, &high);
  to_low = value_to_x (self, low, minimum, maximum) - x;
  to_high = value_to_x (self, high, minimum, maximum) - x;
  if (fabs (to_low) > 10 && fabs (to_high) > 10)
    return GRIP_NONE;
  /* One on top of the other: the side the pointer is on. */
  if (fabs (to_low) < fabs (to_high) || (to_low == to_high && to_low > 0))
    {
      *offset = to_low;
      return GRIP_LOW;
    }
  *offset = to_high;
  return GRIP_HIGH;
}

/* ---- drawing ---- */

static void
draw_plane (EsHistogramCanvas *self, cairo_t *cr, guint plane, double minimum, double maximum, double height,
            const GdkRGBA *color)
{
  const EsPlaneStatistics *statistics = es_picture_get_statistics (self->picture, plane);
  const double top = _es_histogram_level_of (self, self->top);
  double shares[1024], all[2], most;
  guint n = CLAMP ((guint) _es_histogram_width (self) / 2, 16, G_N_ELEMENTS (shares));

  if (statistics == NULL || statistics->n_valid == 0)
    return;
  most = es_histogram_get_shares (statistics, minimum, maximum, n, shares);
  /* In a part the fullest is still that of all, and its bins are as much narrower as the part is. */
  if (!isnan (self->seen[0]) && find_all (self, &all[0], &all[1]))
    {
      double of_all[G_N_ELEMENTS (shares)];

      most = es_histogram_get_shares (statistics, all[0], all[1], n, of_all) * (maximum - minimum) / (all[1] - all[0]);
    }
  if (!(most > 0))
    return;

  cairo_new_path (cr);
  cairo_move_to (cr, HANDLE, height);
  for (guint i = 0; i < n; i++)
    {
      double level = MIN (_es_histogram_level_of (self, shares[i] / most) / top, 1.1);
      double x = HANDLE + _es_histogram_width (self) * i / n;

      cairo_line_to (cr, x, height - level * (height - 4));
      cairo_line_to (cr, x + _es_histogram_width (self) / n, height - level * (height - 4));
    }
  cairo_line_to (cr, HANDLE + _es_histogram_width (self), height);
  cairo_close_path (cr);
  cairo_set_source_rgba (cr, color->red, color->green, color->blue, color->alpha);
  cairo_fill (cr);
}

static void
draw_map (EsHistogramCanvas *self, cairo_t *cr, double low, double high, double minimum, double maximum,
          double y)
{
  gboolean composite = es_picture_get_n_planes (self->picture) == 3;
  const guint8 *entries = es_picture_get_entries (self->picture);
  const GdkRGBA *channel = &channel_colors[MIN (self->plane, 2)];
  double from = value_to_x (self, low, minimum, maximum), to = value_to_x (self, high, minimum, maximum);
  cairo_pattern_t *pattern = cairo_pattern_create_linear (from, 0, to, 0);

  if (fabs (to - from) < 0.5)
    {
      cairo_pattern_destroy (pattern);
      pattern = cairo_pattern_create_linear (from, 0, from + 0.5, 0);
    }
  for (guint i = 0; i <= COLOR_STOPS; i++)
    {
      const double t = (double) i / COLOR_STOPS;
      const guint shade = low == high ? i * 255 / COLOR_STOPS
                                      : es_picture_get_shade (self->picture, self->plane, low + t * (high - low));
      const guint8 *entry = entries + 4 * shade;
      const double share = shade / 255.;

      if (composite)
        cairo_pattern_add_color_stop_rgb (pattern, t, share * channel->red, share * channel->green,
                                          share * channel->blue);
      else
        cairo_pattern_add_color_stop_rgb (pattern, t, entry[0] / 255., entry[1] / 255., entry[2] / 255.);
    }
  cairo_rectangle (cr, HANDLE, y, _es_histogram_width (self), MAP_HEIGHT);
  cairo_set_source (cr, pattern);
  cairo_fill (cr);
  cairo_pattern_destroy (pattern);
}

static void
draw_handle (cairo_t *cr, double x, double height, const GdkRGBA *color, const GdkRGBA *base)
{
  cairo_move_to (cr, round (x) + 0.5, 0);
  cairo_line_to (cr, round (x) + 0.5, height);
  cairo_set_line_width (cr, 1);
  gdk_cairo_set_source_rgba (cr, color);
  cairo_stroke (cr);

  cairo_move_to (cr, round (x) + 0.5, height - 3);
  cairo_rel_line_to (cr, HANDLE - 0.5, 7);
  cairo_rel_line_to (cr, 0, 5);
  cairo_rel_line_to (cr, -2 * HANDLE + 1, 0);
  cairo_rel_line_to (cr, 0, -5);
  cairo_close_path (cr);
  gdk_cairo_set_source_rgba (cr, base);
  cairo_fill_preserve (cr);
  gdk_cairo_set_source_rgba (cr, color);
  cairo_stroke (cr);
}

static void
draw_limit (EsHistogramCanvas *self, GtkSnapshot *snapshot, double value, double range, gboolean right,
            double y, const GdkRGBA *color)
{
  g_autofree char *text = es_format_number (value, range);
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  int width;
  double x;

  pango_attr_list_insert (attributes, pango_attr_scale_new (0.82));
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (layout, attributes);
  pango_layout_get_pixel_size (layout, &width, NULL);
  gtk_snapshot_save (snapshot);
  x = right ? HANDLE + _es_histogram_width (self) - width : HANDLE;
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, y));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
}

static void
es_histogram_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EsHistogramCanvas *self = ES_HISTOGRAM_CANVAS (widget);
  GtkStyleContext *context = gtk_widget_get_style_context (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  double bottom = _es_histogram_height (self);
  double minimum, maximum, low, high;
  GdkRGBA foreground, base, color;
  guint n_planes;
  cairo_t *cr;

  if (width < 4 * HANDLE || !es_histogram_canvas_get_range (self, &minimum, &maximum))
    return;

  gtk_style_context_get_color (context, &foreground);
  if (!gtk_style_context_lookup_color (context, "view_bg_color", &base))
    base = (GdkRGBA) { 1, 1, 1, 1 };
  n_planes = es_picture_get_n_planes (self->picture);
  es_picture_get_stretch (self->picture, self->plane, &low, &high);

  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  cairo_save (cr);
  cairo_rectangle (cr, HANDLE, 0, _es_histogram_width (self), height);
  cairo_clip (cr);
  for (guint i = 0; i < n_planes; i++)
    {
      color = n_planes == 3 ? channel_colors[i] : foreground;
      color.alpha = n_planes == 3 ? (i == self->plane ? 0.6 : 0.28) : 0.42;
      if (!self->apart || i == self->plane)
        draw_plane (self, cr, i, minimum, maximum, bottom, &color);
    }
  color = foreground;
  color.alpha = 0.35;
  gdk_cairo_set_source_rgba (cr, &color);
  cairo_set_line_width (cr, 1);
  cairo_move_to (cr, HANDLE, floor (bottom) + 0.5);
  cairo_rel_line_to (cr, _es_histogram_width (self), 0);
  cairo_stroke (cr);
  draw_map (self, cr, low, high, minimum, maximum, bottom + 2);
  cairo_restore (cr);
  if (low >= minimum && low <= maximum)
    draw_handle (cr, value_to_x (self, low, minimum, maximum), bottom, &foreground, &base);
  if (high >= minimum && high <= maximum)
    draw_handle (cr, value_to_x (self, high, minimum, maximum), bottom, &foreground, &base);
  cairo_destroy (cr);

  color.alpha = 0.7;
  draw_limit (self, snapshot, minimum, maximum - minimum, FALSE, height - TEXT_HEIGHT, &color);
  draw_limit (self, snapshot, maximum, maximum - minimum, TRUE, height - TEXT_HEIGHT, &color);
}

static void
es_histogram_canvas_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                             int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 120 : HEIGHT;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 280 : HEIGHT;
}

/* ---- pointer and keys ---- */

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, gpointer user_data)
{
  EsHistogramCanvas *self = ES_HISTOGRAM_CANVAS (user_data);
  double offset;

  if (self->grip == GRIP_NONE)
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self),
                                     pick_grip (self, x, &offset) != GRIP_NONE ? "ew-resize" : NULL);
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, gpointer user_data)
{
  EsHistogramCanvas *self = ES_HISTOGRAM_CANVAS (user_data);
  Grip grip;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  grip = pick_grip (self, x, &self->grip_offset);
  if (grip == GRIP_NONE)
    return;
  es_histogram_canvas_get_range (self, &self->range[0], &self->range[1]);
  self->grip = grip;
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, gpointer user_data)
{
  EsHistogramCanvas *self = ES_HISTOGRAM_CANVAS (user_data);
  double x, y, low, high, value;

  if (self->grip == GRIP_NONE || dx == 0 || !gtk_gesture_drag_get_start_point (gesture, &x, &y))
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  es_picture_get_stretch (self->picture, self->plane, &low, &high);
  value = _es_histogram_value_at (self, CLAMP (x + dx + self->grip_offset, HANDLE, HANDLE + _es_histogram_width (self)),
                      self->range[0], self->range[1]);
  /* Handles stop at each other: an inverted picture is never an accident. */
  if (self->grip == GRIP_LOW)
    low = MIN (value, high);
  else
    high = MAX (value, low);
  g_signal_emit (self, signals[STRETCH_MOVED], 0, low, high);
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, gpointer user_data)
{
  ES_HISTOGRAM_CANVAS (user_data)->grip = GRIP_NONE;
  gtk_widget_queue_draw (GTK_WIDGET (user_data));
}

static void
on_drag_cancel (GtkGesture *gesture, GdkEventSequence *sequence, gpointer user_data)
{
  ES_HISTOGRAM_CANVAS (user_data)->grip = GRIP_NONE;
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer user_data)
{
  if (n_press == 2)
    g_signal_emit (user_data, signals[RESET], 0);
}

static gboolean
on_key (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  EsHistogramCanvas *self = ES_HISTOGRAM_CANVAS (widget);
  double minimum, maximum, low, high, step;
  gboolean of_high;
  int direction;

  if (!es_histogram_canvas_get_range (self, &minimum, &maximum))
    return GDK_EVENT_PROPAGATE;
  g_variant_get (arguments, "(ib)", &direction, &of_high);
  es_picture_get_stretch (self->picture, self->plane, &low, &high);
  step = direction * (maximum - minimum) / 100;
  if (of_high)
    high = MAX (high + step, low);
  else
    low = MIN (low + step, high);
  g_signal_emit (self, signals[STRETCH_MOVED], 0, low, high);
  return GDK_EVENT_STOP;
}

GtkWidget *
es_histogram_canvas_new (EsPicture *picture)
{
  EsHistogramCanvas *self;

  g_return_val_if_fail (ES_IS_PICTURE (picture), NULL);

  self = g_object_new (ES_TYPE_HISTOGRAM_CANVAS, NULL);
  self->picture = g_object_ref (picture);
  g_signal_connect_object (picture, "changed", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

void
es_histogram_canvas_set_plane (EsHistogramCanvas *self, guint plane)
{
  g_return_if_fail (ES_IS_HISTOGRAM_CANVAS (self));

  self->plane = plane;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
es_histogram_canvas_dispose (GObject *object)
{
  g_clear_object (&ES_HISTOGRAM_CANVAS (object)->picture);
  G_OBJECT_CLASS (es_histogram_canvas_parent_class)->dispose (object);
}

static void
es_histogram_canvas_class_init (EsHistogramCanvasClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = es_histogram_canvas_dispose;
  widget_class->snapshot = es_histogram_canvas_snapshot;
  widget_class->measure = es_histogram_canvas_measure;

  signals[STRETCH_MOVED] = g_signal_new ("stretch-moved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  signals[RESET] = g_signal_new ("reset", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                 NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_add_binding (widget_class, GDK_KEY_Left, 0, on_key, "(ib)", -1, FALSE);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Right, 0, on_key, "(ib)", 1, FALSE);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Left, GDK_SHIFT_MASK, on_key, "(ib)", -1, TRUE);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Right, GDK_SHIFT_MASK, on_key, "(ib)", 1, TRUE);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Menu, 0, _es_histogram_on_menu, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, _es_histogram_on_menu, NULL);
  gtk_widget_class_set_css_name (widget_class, "histogram");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
es_histogram_canvas_init (EsHistogramCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_widget_set_tooltip_text (widget,
                               /* xgettext:no-c-format */
                               _("Drag the handles to stretch; double-click to cut 2 % at both ends"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Histogram"), -1);

  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (on_drag_cancel), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  _es_histogram_add_zoom (self);
}
