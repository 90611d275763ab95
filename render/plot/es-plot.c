/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "es-plot-private.h"
#include "base/es-text-show.h"

enum { CHANGED, SAVED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsPlot, es_plot, G_TYPE_OBJECT)

void
es_plot_changed (EsPlot *self, gboolean layout)
{
  if (layout)
    g_clear_pointer (&self->layout, es_plot_layout_free);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
es_plot_place_again (EsPlot *self)
{
  es_plot_changed (self, TRUE);
}

static void
free_series (gpointer data)
{
  EsPlotSeries *series = data;

  es_plot_clear_labels (series);
  g_free (series->title);
  g_free (series->x);
  g_free (series->y);
  for (guint i = 0; i < ES_PLOT_N_SPANS; i++)
    {
      g_free (series->low[i]);
      g_free (series->high[i]);
    }
  g_free (series);
}

static void
clear_marker (gpointer data)
{
  g_free (((EsPlotMarker *) data)->label);
}

static void
clear_axis (EsPlotAxis *axis)
{
  g_free (axis->title);
  g_free (axis->unit);
}

static void
es_plot_finalize (GObject *object)
{
  EsPlot *self = ES_PLOT (object);

  g_free (self->title);
  g_free (self->heading);
  g_free (self->words);
  clear_axis (&self->x_axis);
  clear_axis (&self->left_axis);
  clear_axis (&self->right_axis);
  g_ptr_array_unref (self->series);
  g_array_unref (self->markers);
  for (guint i = 0; i < ES_PLOT_N_IMAGES; i++)
    g_clear_pointer (&self->images[i].surface, cairo_surface_destroy);
  g_clear_pointer (&self->layout, es_plot_layout_free);
  G_OBJECT_CLASS (es_plot_parent_class)->finalize (object);
}

/* At the first time that there is a display. */
void
es_plot_use_desktop_font (void)
{
  GdkDisplay *display = gdk_display_get_default ();
  g_auto (GValue) value = G_VALUE_INIT;
  PangoFontDescription *font;
  static gboolean used;

  g_value_init (&value, G_TYPE_STRING);
  if (used || display == NULL || !gdk_display_get_setting (display, "gtk-font-name", &value)
      || g_value_get_string (&value) == NULL)
    return;
  used = TRUE;
  font = pango_font_description_from_string (g_value_get_string (&value));
  if (pango_font_description_get_family (font) != NULL)
    es_plot_text_set_family (pango_font_description_get_family (font));
  pango_font_description_free (font);
}

static void
es_plot_class_init (EsPlotClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = es_plot_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  signals[SAVED] = g_signal_new ("saved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
}

static void
es_plot_init (EsPlot *self)
{
  es_plot_use_desktop_font ();
  self->series = g_ptr_array_new_with_free_func (free_series);
  self->markers = g_array_new (FALSE, TRUE, sizeof (EsPlotMarker));
  g_array_set_clear_func (self->markers, clear_marker);
  self->x_axis.minimum = self->x_axis.maximum = NAN;
  self->left_axis.minimum = self->left_axis.maximum = NAN;
  self->right_axis.minimum = self->right_axis.maximum = NAN;
  for (guint i = 0; i < 2; i++)
    self->x_axis.seen[i] = self->left_axis.seen[i] = self->right_axis.seen[i] = NAN;
  self->cursor = NAN;
}

EsPlot *
es_plot_new (void)
{
  return g_object_new (ES_TYPE_PLOT, NULL);
}

void
es_plot_clear (EsPlot *self)
{
  g_return_if_fail (ES_IS_PLOT (self));

  g_ptr_array_set_size (self->series, 0);
  g_array_set_size (self->markers, 0);
  self->cursor = NAN;
  es_plot_changed (self, TRUE);
}

void
es_plot_set_title (EsPlot *self, const char *title)
{
  g_return_if_fail (ES_IS_PLOT (self));

  g_free (self->title);
  self->title = es_text_show (title);
  es_plot_changed (self, TRUE);
}

void
es_plot_set_caption (EsPlot *self, const char *heading, const char *words)
{
  g_return_if_fail (ES_IS_PLOT (self));

  /* Nothing of it is on the screen. */
  g_free (self->heading);
  g_free (self->words);
  self->heading = es_text_show (heading);
  self->words = es_text_show (words);
}

const char *
es_plot_get_title (EsPlot *self)
{
  g_return_val_if_fail (ES_IS_PLOT (self), NULL);

  return self->title;
}

static void
set_axis (EsPlotAxis *axis, const char *title, const char *unit)
{
  clear_axis (axis);
  axis->title = es_text_show (title);
  axis->unit = unit != NULL && *unit != 0 ? es_text_show (unit) : NULL;
}

void
es_plot_set_x_axis (EsPlot *self, const char *title, const char *unit)
{
  g_return_if_fail (ES_IS_PLOT (self));

  set_axis (&self->x_axis, title, unit);
  es_plot_changed (self, TRUE);
}

void
es_plot_set_y_axis (EsPlot *self, const char *title, const char *unit, gboolean logarithmic)
{
  g_return_if_fail (ES_IS_PLOT (self));

  set_axis (&self->left_axis, title, unit);
  self->left_axis.made_logarithmic = logarithmic;
  self->left_axis.logarithmic = self->division == ES_PLOT_AS_MADE ? logarithmic
                                                                  : self->division == ES_PLOT_LOGARITHMIC;
  es_plot_changed (self, TRUE);
}

void
es_plot_set_right_axis (EsPlot *self, const char *title, const char *unit, double minimum, double maximum)
{
  g_return_if_fail (ES_IS_PLOT (self));

  set_axis (&self->right_axis, title, unit);
  self->right_axis.minimum = minimum;
  self->right_axis.maximum = maximum;
  self->has_right_axis = TRUE;
  es_plot_changed (self, TRUE);
}

void
es_plot_remove_right_axis (EsPlot *self)
{
  g_return_if_fail (ES_IS_PLOT (self));

  if (!self->has_right_axis)
    return;
  self->has_right_axis = FALSE;
  es_plot_changed (self, TRUE);
}

void
es_plot_set_x_range (EsPlot *self, double minimum, double maximum)
{
  g_return_if_fail (ES_IS_PLOT (self));

  self->x_axis.minimum = minimum;
  self->x_axis.maximum = maximum;
  es_plot_changed (self, TRUE);
}

void
es_plot_set_y_range (EsPlot *self, double minimum, double maximum)
{
  g_return_if_fail (ES_IS_PLOT (self));

  self->left_axis.minimum = minimum;
  self->left_axis.maximum = maximum;
  es_plot_changed (self, TRUE);
}

/* The data point of any series nearest to x. */
void
es_plot_set_cursor (EsPlot *self, double x)
{
  g_return_if_fail (ES_IS_PLOT (self));

  double nearest = NAN;

  for (guint s = 0; s < self->series->len && isfinite (x); s++)
    {
      const EsPlotSeries *series = g_ptr_array_index (self->series, s);

      for (guint i = 0; i < series->n; i++)
        if (isfinite (series->x[i]) && isfinite (series->y[i])
            && (isnan (nearest) || es_plot_x_distance (self, series->x[i], x) < es_plot_x_distance (self, nearest, x)))
          nearest = series->x[i];
    }
  if (nearest == self->cursor || (isnan (nearest) && isnan (self->cursor)))
    return;
  self->cursor = nearest;
  es_plot_changed (self, FALSE);
}

double
es_plot_get_cursor (EsPlot *self)
{
  g_return_val_if_fail (ES_IS_PLOT (self), NAN);

  return self->cursor;
}

void
es_plot_set_read_out (EsPlot *self, gboolean shown)
{
  g_return_if_fail (ES_IS_PLOT (self));

  if (self->no_read_out == !shown)
    return;
  self->no_read_out = !shown;
  es_plot_changed (self, FALSE);
}

void
es_plot_set_screen_legend (EsPlot *self, gboolean shown)
{
  g_return_if_fail (ES_IS_PLOT (self));

  if (self->legend_elsewhere == !shown)
    return;
  self->legend_elsewhere = !shown;
  es_plot_changed (self, TRUE);
}

double
es_plot_x_at (EsPlot *self, double px, int width, int height)
{
  g_return_val_if_fail (ES_IS_PLOT (self), NAN);

  const EsPlotLayout *layout = es_plot_get_layout (self, width, height);

  return layout->empty ? NAN : es_plot_scale_to_value (&layout->x, px);
}

char *
es_plot_read_out (EsPlot *self)
{
  g_return_val_if_fail (ES_IS_PLOT (self), NULL);

  if (isnan (self->cursor))
    return NULL;

  g_autofree char *x = es_plot_format_x (self, self->cursor);
  GString *text = g_string_new (x);
  const char *separator = ": ";

  for (guint s = 0; s < self->series->len; s++)
    {
      const EsPlotSeries *series = g_ptr_array_index (self->series, s);
      int i = es_plot_find_point (self, series, self->cursor);
      g_autofree char *y = es_plot_format (i >= 0 ? series->y[i] : NAN, 4);
      const char *unit = series->right_axis ? self->right_axis.unit : self->left_axis.unit;

      g_string_append_printf (text, "%s%s", separator, y);
      if (unit != NULL && i >= 0)
        g_string_append_printf (text, " %s", unit);
      separator = ", ";
    }
  return g_string_free (text, FALSE);
}
