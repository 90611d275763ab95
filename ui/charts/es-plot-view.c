/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-plot-view-private.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/es-capture.h"
#include "widgets/es-section.h"

#define LARGE_LEAST 90          /* px */

enum { MARKER_MOVED, MARKER_STEPPED, CLICKED, BAND_SELECTED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsPlotView, es_plot_view, GTK_TYPE_WIDGET)

static void
set_cursor (EsPlotView *self, double x)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->cursor_x = x;
  es_plot_set_cursor (self->plot, isnan (x) ? NAN
                      : es_plot_x_at (self->plot, x, gtk_widget_get_width (widget),
                                      gtk_widget_get_height (widget)));
}

/* A vertical marker follows the pointer sideways. */
static gboolean
is_vertical (EsPlotView *self, int marker, double x, double y)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  int height = gtk_widget_get_height (GTK_WIDGET (self));

  return es_plot_marker_value_at (self->plot, marker, x, y, width, height)
         != es_plot_marker_value_at (self->plot, marker, x + 4, y, width, height);
}

/* ---- the legend ---- */

/* All that it names, then nothing but their number, then as many as there is room for. */
static void
fold_legend (EsPlotView *self)
{
  guint n_unnamed = 0;

  es_plot_pick_legend (self->plot, 0, 0, gtk_widget_get_width (GTK_WIDGET (self)),
                       gtk_widget_get_height (GTK_WIDGET (self)), &n_unnamed);
  if (es_plot_get_legend (self->plot) == ES_PLOT_LEGEND_FOLDED)
    es_plot_set_legend (self->plot, ES_PLOT_LEGEND_FITTING);
  else if (es_plot_get_legend (self->plot) == ES_PLOT_LEGEND_FITTING && n_unnamed > 0)
    es_plot_set_legend (self->plot, ES_PLOT_LEGEND_ALL);
  else
    es_plot_set_legend (self->plot, ES_PLOT_LEGEND_FOLDED);
}

/* Those that there is no room for are named here as well. */
static gboolean
es_plot_view_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  EsPlotView *self = ES_PLOT_VIEW (widget);
  g_autoptr (GString) names = g_string_new (NULL);
  guint n_unnamed = 0;

  if (keyboard || !es_plot_pick_legend (self->plot, x, y, gtk_widget_get_width (widget),
                                        gtk_widget_get_height (widget), &n_unnamed) || n_unnamed == 0)
    return FALSE;
  for (guint i = 0; i < es_plot_get_n_series (self->plot); i++)
    {
      const char *title = es_plot_get_series_title (self->plot, i);

      if (title != NULL && *title != '\0')
        g_string_append_printf (names, "%s%s", names->len > 0 ? "\n" : "", title);
    }
  gtk_tooltip_set_text (tooltip, names->str);
  return TRUE;
}

static gboolean
is_legend (EsPlotView *self, double x, double y)
{
  return es_plot_pick_legend (self->plot, x, y, gtk_widget_get_width (GTK_WIDGET (self)),
                              gtk_widget_get_height (GTK_WIDGET (self)), NULL);
}

/* ---- pointer ---- */

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, gpointer user_data)
{
  EsPlotView *self = ES_PLOT_VIEW (user_data);
  GtkWidget *widget = GTK_WIDGET (self);
  int marker;

  if (self->dragged >= 0 || self->selecting)
    return;
  marker = es_plot_pick_marker (self->plot, x, y, gtk_widget_get_width (widget),
                                gtk_widget_get_height (widget));
  gtk_widget_set_cursor_from_name (widget, marker < 0 ? is_legend (self, x, y) ? "pointer" : NULL
                                   : is_vertical (self, marker, x, y) ? "ew-resize" : "ns-resize");
  set_cursor (self, x);
}

static void
on_leave (GtkEventControllerMotion *controller, gpointer user_data)
{
  EsPlotView *self = ES_PLOT_VIEW (user_data);

  if (self->dragged < 0)
    set_cursor (self, NAN);
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, gpointer user_data)
{
  EsPlotView *self = ES_PLOT_VIEW (user_data);
  GtkWidget *widget = GTK_WIDGET (self);

  gtk_widget_grab_focus (widget);
  if (_es_plot_view_begin_band (self, gesture, x, y))
    {
      set_cursor (self, NAN);
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
      return;
    }
  self->dragged = es_plot_pick_marker (self->plot, x, y, gtk_widget_get_width (widget),
                                       gtk_widget_get_height (widget));
  if (self->dragged < 0)
    return;
  self->active_marker = self->dragged;
  set_cursor (self, NAN);
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
drag_to (EsPlotView *self, GtkGestureDrag *gesture, double dx, double dy, gboolean final)
{
  GtkWidget *widget = GTK_WIDGET (self);
  double x, y, value;
  int marker = self->dragged;

  if (!gtk_gesture_drag_get_start_point (gesture, &x, &y))
    return;
  if (self->selecting)
    {
      _es_plot_view_drag_band (self, x + dx, hypot (dx, dy) < 4);
      if (final)
        _es_plot_view_tell_band (self);
      return;
    }
  if (marker < 0)
    return;
  value = es_plot_marker_value_at (self->plot, marker, x + dx, y + dy, gtk_widget_get_width (widget),
                                   gtk_widget_get_height (widget));
  if (final)
    self->dragged = -1;
  g_signal_emit (self, signals[MARKER_MOVED], 0, marker, value, final);
}

void
_es_plot_view_tell_band (EsPlotView *self)
{
  double from = NAN, to = NAN;

  es_plot_view_get_band (self, &from, &to);
  g_signal_emit (self, signals[BAND_SELECTED], 0, from, to);
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, gpointer user_data)
{
  drag_to (ES_PLOT_VIEW (user_data), gesture, dx, dy, FALSE);
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, gpointer user_data)
{
  EsPlotView *self = ES_PLOT_VIEW (user_data);
  GtkWidget *widget = GTK_WIDGET (self);
  double x, y;

  if (self->dragged >= 0 || self->selecting)
    drag_to (self, gesture, dx, dy, TRUE);
  else if (!gtk_gesture_drag_get_start_point (gesture, &x, &y) || hypot (dx, dy) >= 4)
    ;
  else if (is_legend (self, x, y))
    fold_legend (self);
  else
    g_signal_emit (self, signals[CLICKED], 0,
                   es_plot_x_at (self->plot, x, gtk_widget_get_width (widget),
                                 gtk_widget_get_height (widget)));
  self->selecting = FALSE;
}

static void
on_drag_cancel (GtkGesture *gesture, GdkEventSequence *sequence, gpointer user_data)
{
  ES_PLOT_VIEW (user_data)->dragged = -1;
  ES_PLOT_VIEW (user_data)->selecting = FALSE;
}

/* ---- keys ---- */

void
_es_plot_view_step_cursor (EsPlotView *self, int step)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  double x = isnan (self->cursor_x) ? width / 2. : self->cursor_x;
  g_autofree char *before = es_plot_read_out (self->plot);
  g_autofree char *after = NULL;

  /* Pixel by pixel until another data point is the nearest. */
  do
    {
      x += step;
      if (x < 0 || x > width)
        break;
      set_cursor (self, x);
      g_free (after);
      after = es_plot_read_out (self->plot);
    }
  while (g_strcmp0 (before, after) == 0);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  after != NULL ? after : "", -1);
}

static gboolean
on_key_cursor (GtkWidget *widget, GVariant *direction, gpointer user_data)
{
  _es_plot_view_step_cursor (ES_PLOT_VIEW (widget), g_variant_get_int32 (direction));
  return GDK_EVENT_STOP;
}

static gboolean
on_key_marker (GtkWidget *widget, GVariant *steps, gpointer user_data)
{
  EsPlotView *self = ES_PLOT_VIEW (widget);
  guint n = es_plot_get_n_markers (self->plot);

  if (n == 0)
    return GDK_EVENT_PROPAGATE;
  if (self->active_marker >= (int) n)
    self->active_marker = 0;
  g_signal_emit (self, signals[MARKER_STEPPED], 0, self->active_marker, g_variant_get_int32 (steps));
  return GDK_EVENT_STOP;
}

static gboolean
on_key_next_marker (GtkWidget *widget, GVariant *unused, gpointer user_data)
{
  EsPlotView *self = ES_PLOT_VIEW (widget);
  guint n = es_plot_get_n_markers (self->plot);

  if (n > 0)
    self->active_marker = (self->active_marker + 1) % (int) n;
  return GDK_EVENT_STOP;
}

/* ---- drawing ---- */

static void
es_plot_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EsPlotView *self = ES_PLOT_VIEW (widget);
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  EsPlotColors colors = dark ? es_plot_colors_dark : es_plot_colors_light;
  GdkRGBA color;
  cairo_t *cr;

  if (width <= 0 || height <= 0)
    return;

  /* The plot stands on whatever the column is made of. */
  colors.opaque = FALSE;
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &colors.foreground);
  if (gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), "accent_color", &color))
    colors.accent = color;
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  if (es_capture_hides_pointer ())
    es_plot_draw_still (self->plot, cr, width, height, &colors);
  else
    es_plot_draw (self->plot, cr, width, height, &colors);
  cairo_destroy (cr);
  _es_plot_view_snapshot_band (self, snapshot);
}

static void
es_plot_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                      int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  EsPlotView *self = ES_PLOT_VIEW (widget);

  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 160 : MIN (self->natural_height, 120);
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 280 : self->natural_height;
  /* In a column it is as high as it wants; where it is large it takes what there is. */
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = es_section_is_large_around (widget) ? MIN (self->natural_height, LARGE_LEAST) : *natural;
}

static void
es_plot_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  EsPlotView *self = ES_PLOT_VIEW (widget);

  if (self->menu != NULL)
    gtk_popover_present (GTK_POPOVER (self->menu));
}

static void
on_plot_changed (EsPlotView *self)
{
  const char *title = es_plot_get_title (self->plot);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  title != NULL && *title != '\0' ? title : _("Plot"), -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

GtkWidget *
es_plot_view_new (EsPlot *plot, int natural_height)
{
  EsPlotView *self;

  g_return_val_if_fail (ES_IS_PLOT (plot), NULL);

  self = g_object_new (ES_TYPE_PLOT_VIEW, NULL);
  self->plot = g_object_ref (plot);
  self->natural_height = natural_height;
  g_signal_connect_object (plot, "changed", G_CALLBACK (on_plot_changed), self, G_CONNECT_SWAPPED);
  on_plot_changed (self);
  return GTK_WIDGET (self);
}

EsPlot *
es_plot_view_get_plot (EsPlotView *self)
{
  g_return_val_if_fail (ES_IS_PLOT_VIEW (self), NULL);
  return self->plot;
}

int
es_plot_view_get_dragged (EsPlotView *self)
{
  g_return_val_if_fail (ES_IS_PLOT_VIEW (self), -1);
  return self->dragged;
}

static void
es_plot_view_dispose (GObject *object)
{
  EsPlotView *self = ES_PLOT_VIEW (object);

  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_object (&self->plot);
  G_OBJECT_CLASS (es_plot_view_parent_class)->dispose (object);
}

static void
bind_keys (GtkWidgetClass *klass)
{
  static const struct { guint key, keypad; int step; } arrows[] = {
    { GDK_KEY_Left, GDK_KEY_KP_Left, -1 },
    { GDK_KEY_Right, GDK_KEY_KP_Right, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (arrows); i++)
    {
      guint keys[] = { arrows[i].key, arrows[i].keypad };

      for (guint k = 0; k < G_N_ELEMENTS (keys); k++)
        {
          gtk_widget_class_add_binding (klass, keys[k], 0, on_key_cursor, "i", arrows[i].step);
          gtk_widget_class_add_binding (klass, keys[k], GDK_CONTROL_MASK, on_key_marker, "i", arrows[i].step);
          gtk_widget_class_add_binding (klass, keys[k], GDK_CONTROL_MASK | GDK_SHIFT_MASK, on_key_marker, "i",
                                        10 * arrows[i].step);
        }
    }
  gtk_widget_class_add_binding (klass, GDK_KEY_Up, GDK_CONTROL_MASK, on_key_marker, "i", 1);
  gtk_widget_class_add_binding (klass, GDK_KEY_Down, GDK_CONTROL_MASK, on_key_marker, "i", -1);
  gtk_widget_class_add_binding (klass, GDK_KEY_m, 0, on_key_next_marker, NULL);
}

static void
es_plot_view_class_init (EsPlotViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = es_plot_view_dispose;
  widget_class->snapshot = es_plot_view_snapshot;
  widget_class->measure = es_plot_view_measure;
  widget_class->size_allocate = es_plot_view_size_allocate;
  widget_class->query_tooltip = es_plot_view_query_tooltip;

  signals[MARKER_MOVED] = g_signal_new ("marker-moved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                        NULL, NULL, NULL,
                                        G_TYPE_NONE, 3, G_TYPE_INT, G_TYPE_DOUBLE, G_TYPE_BOOLEAN);
  signals[MARKER_STEPPED] = g_signal_new ("marker-stepped", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                          NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_INT);
  signals[BAND_SELECTED] = g_signal_new ("band-selected", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  signals[CLICKED] = g_signal_new ("clicked", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                   NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_DOUBLE);

  _es_plot_view_install_menu (widget_class);
  bind_keys (widget_class);
  _es_plot_view_bind_band_keys (widget_class);
  gtk_widget_class_set_css_name (widget_class, "plotview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
es_plot_view_init (EsPlotView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->cursor_x = NAN;
  self->dragged = -1;
  self->band[0] = self->band[1] = NAN;
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_has_tooltip (widget, TRUE);
  gtk_widget_set_hexpand (widget, TRUE);

  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, motion);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (on_drag_cancel), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  _es_plot_view_add_menu (self);

  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}
