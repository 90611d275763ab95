/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What of the values and counts is seen, and how counts become heights. */

#include "es-histogram-canvas-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "charts/es-plot-range.h"
#include "charts/es-plot-zoom.h"

#define STEEPNESS    300        /* a thousandth of the fullest is still to be seen */
#define LEAST_TOP    0.005

double
_es_histogram_height (EsHistogramCanvas *self)
{
  return gtk_widget_get_height (GTK_WIDGET (self)) - MAP_HEIGHT - TEXT_HEIGHT - 6;
}

/* How high a share of the fullest count stands, and back: 0 and 1 are the same in both. */
double
_es_histogram_level_of (EsHistogramCanvas *self, double share)
{
  return self->linear ? share : log1p (share * STEEPNESS) / log1p (STEEPNESS);
}

double
_es_histogram_share_at (EsHistogramCanvas *self, double level)
{
  return self->linear ? level : expm1 (level * log1p (STEEPNESS)) / STEEPNESS;
}

static gboolean
get_area (GtkWidget *widget, cairo_rectangle_t *area)
{
  EsHistogramCanvas *self = ES_HISTOGRAM_CANVAS (widget);
  double minimum, maximum;

  *area = (cairo_rectangle_t) { HANDLE, 4, _es_histogram_width (self), MAX (_es_histogram_height (self) - 4, 1) };
  return es_histogram_canvas_get_range (self, &minimum, &maximum);
}

static void
value_at (GtkWidget *widget, double px, double py, double *x, double *y)
{
  EsHistogramCanvas *self = ES_HISTOGRAM_CANVAS (widget);
  const double height = MAX (_es_histogram_height (self) - 4, 1);
  double minimum = 0, maximum = 1;

  es_histogram_canvas_get_range (self, &minimum, &maximum);
  *x = _es_histogram_value_at (self, px, minimum, maximum);
  const double level = (_es_histogram_height (self) - py) / height * _es_histogram_level_of (self, self->top);

  *y = 100 * _es_histogram_share_at (self, level);
}

/* Counts begin at nought always. */
static void
set_seen (GtkWidget *widget, gboolean vertical, double from, double to)
{
  EsHistogramCanvas *self = ES_HISTOGRAM_CANVAS (widget);
  const gboolean all = !isfinite (from) || !isfinite (to) || !(from < to);

  if (vertical)
    {
      const double height = all ? 1 : _es_histogram_level_of (self, to / 100)
                                      - _es_histogram_level_of (self, from / 100);

      self->top = all ? 1 : CLAMP (_es_histogram_share_at (self, height), LEAST_TOP, 1);
    }
  else
    {
      self->seen[0] = all ? NAN : from;
      self->seen[1] = all ? NAN : to;
    }
  gtk_widget_queue_draw (widget);
}

static gboolean
get_seen (GtkWidget *widget, gboolean vertical, double *from, double *to)
{
  EsHistogramCanvas *self = ES_HISTOGRAM_CANVAS (widget);

  *from = vertical ? 0 : self->seen[0];
  *to = vertical ? 100 * self->top : self->seen[1];
  return vertical ? self->top < 1 : !isnan (self->seen[0]);
}

static char *
name_axis (GtkWidget *widget, gboolean vertical)
{
  return g_strdup (vertical ? _("Share of the fullest (%)") : _("Value"));
}

static gboolean
is_held (GtkWidget *widget)
{
  return ES_HISTOGRAM_CANVAS (widget)->grip != GRIP_NONE;
}

static gboolean
get_division (GtkWidget *widget, gboolean *possible)
{
  *possible = TRUE;
  return !ES_HISTOGRAM_CANVAS (widget)->linear;
}

static void
set_division (GtkWidget *widget, gboolean logarithmic)
{
  ES_HISTOGRAM_CANVAS (widget)->linear = !logarithmic;
  gtk_widget_queue_draw (widget);
}

static void
on_secondary_press (GtkGestureClick *gesture, int n_press, double x, double y, gpointer user_data)
{
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  es_plot_range_popup (user_data);
}

gboolean
_es_histogram_on_menu (GtkWidget *widget, GVariant *unused, gpointer user_data)
{
  es_plot_range_popup (widget);
  return GDK_EVENT_STOP;
}

void
_es_histogram_add_zoom (EsHistogramCanvas *self)
{
  static const EsPlotZoomKind kind = { get_area, value_at, set_seen, get_seen, name_axis, is_held, get_division,
                                       set_division, FALSE, TRUE };
  GtkGesture *secondary = gtk_gesture_click_new ();

  self->seen[0] = self->seen[1] = NAN;
  self->top = 1;
  es_plot_zoom_add_to (GTK_WIDGET (self), &kind);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (secondary), GDK_BUTTON_SECONDARY);
  g_signal_connect (secondary, "pressed", G_CALLBACK (on_secondary_press), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (secondary));
}
