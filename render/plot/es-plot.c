/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "es-plot-private.h"
#include "base/es-text-show.h"

#define PICK_DISTANCE 6

enum { CHANGED, SAVED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsPlot, es_plot, G_TYPE_OBJECT)

/* Cursor and markers move often and change nothing about axes and texts. */
static void
changed (EsPlot *self, gboolean layout)
{
  if (layout)
    g_clear_pointer (&self->layout, es_plot_layout_free);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
es_plot_place_again (EsPlot *self)
{
  changed (self, TRUE);
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
  changed (self, TRUE);
}

void
es_plot_set_title (EsPlot *self, const char *title)
{
  g_return_if_fail (ES_IS_PLOT (self));

  g_free (self->title);
  self->title = es_text_show (title);
  changed (self, TRUE);
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
  changed (self, TRUE);
}

void
es_plot_set_y_axis (EsPlot *self, const char *title, const char *unit, gboolean logarithmic)
{
  g_return_if_fail (ES_IS_PLOT (self));

  set_axis (&self->left_axis, title, unit);
  self->left_axis.made_logarithmic = logarithmic;
  self->left_axis.logarithmic = self->division == ES_PLOT_AS_MADE ? logarithmic
                                                                  : self->division == ES_PLOT_LOGARITHMIC;
  changed (self, TRUE);
}

void
es_plot_set_right_axis (EsPlot *self, const char *title, const char *unit, double minimum, double maximum)
{
  g_return_if_fail (ES_IS_PLOT (self));

  set_axis (&self->right_axis, title, unit);
  self->right_axis.minimum = minimum;
  self->right_axis.maximum = maximum;
  self->has_right_axis = TRUE;
  changed (self, TRUE);
}

void
es_plot_remove_right_axis (EsPlot *self)
{
  g_return_if_fail (ES_IS_PLOT (self));

  if (!self->has_right_axis)
    return;
  self->has_right_axis = FALSE;
  changed (self, TRUE);
}

void
es_plot_set_x_range (EsPlot *self, double minimum, double maximum)
{
  g_return_if_fail (ES_IS_PLOT (self));

  self->x_axis.minimum = minimum;
  self->x_axis.maximum = maximum;
  changed (self, TRUE);
}

void
es_plot_set_y_range (EsPlot *self, double minimum, double maximum)
{
  g_return_if_fail (ES_IS_PLOT (self));

  self->left_axis.minimum = minimum;
  self->left_axis.maximum = maximum;
  changed (self, TRUE);
}

guint
es_plot_add_series (EsPlot *self, const char *title, EsPlotStyle style, gboolean right_axis, guint n, const double *x,
                    const double *y)
{
  g_return_val_if_fail (ES_IS_PLOT (self), 0);
  g_return_val_if_fail (n == 0 || (x != NULL && y != NULL), 0);

  EsPlotSeries *series = g_new0 (EsPlotSeries, 1);

  series->title = es_text_show (title);
  series->style = style;
  series->right_axis = right_axis;
  series->n = n;
  series->x = g_memdup2 (x, sizeof (double) * n);
  series->y = g_memdup2 (y, sizeof (double) * n);
  series->highlight = series->beside = -1;
  g_ptr_array_add (self->series, series);
  changed (self, TRUE);
  return self->series->len - 1;
}

void
es_plot_set_points (EsPlot *self, guint index, const char *title, guint n, const double *x, const double *y)
{
  g_return_if_fail (ES_IS_PLOT (self));
  g_return_if_fail (index < self->series->len);
  g_return_if_fail (n == 0 || (x != NULL && y != NULL));

  EsPlotSeries *series = g_ptr_array_index (self->series, index);
  double *old[] = { series->x, series->y };
  char *name = es_text_show (title);

  es_plot_clear_labels (series);
  g_free (series->title);
  series->title = name;
  series->n = n;
  series->x = g_memdup2 (x, sizeof (double) * n);
  series->y = g_memdup2 (y, sizeof (double) * n);
  series->highlight = -1;
  for (guint i = 0; i < G_N_ELEMENTS (old); i++)
    g_free (old[i]);
  for (guint i = 0; i < ES_PLOT_N_SPANS; i++)
    {
      g_clear_pointer (&series->low[i], g_free);
      g_clear_pointer (&series->high[i], g_free);
    }
  changed (self, TRUE);
}

void
es_plot_set_highlight (EsPlot *self, guint index, int point)
{
  g_return_if_fail (ES_IS_PLOT (self));
  g_return_if_fail (index < self->series->len);

  EsPlotSeries *series = g_ptr_array_index (self->series, index);

  if (series->highlight == point)
    return;
  series->highlight = point;
  changed (self, FALSE);
}

void
es_plot_set_muted (EsPlot *self, guint index, gboolean muted)
{
  g_return_if_fail (ES_IS_PLOT (self));
  g_return_if_fail (index < self->series->len);

  EsPlotSeries *series = g_ptr_array_index (self->series, index);

  if (series->muted == muted)
    return;
  series->muted = muted;
  changed (self, FALSE);
}

void
es_plot_set_series_color (EsPlot *self, guint index, const GdkRGBA *color)
{
  g_return_if_fail (ES_IS_PLOT (self));
  g_return_if_fail (index < self->series->len);

  EsPlotSeries *series = g_ptr_array_index (self->series, index);

  series->has_color = color != NULL;
  if (color != NULL)
    series->color = *color;
  changed (self, FALSE);
}

void
es_plot_set_span (EsPlot *self, guint index, guint slot, const double *low, const double *high)
{
  g_return_if_fail (ES_IS_PLOT (self));
  g_return_if_fail (index < self->series->len && slot < ES_PLOT_N_SPANS);
  g_return_if_fail ((low == NULL) == (high == NULL));

  EsPlotSeries *series = g_ptr_array_index (self->series, index);

  g_free (series->low[slot]);
  g_free (series->high[slot]);
  series->low[slot] = low != NULL ? g_memdup2 (low, sizeof (double) * series->n) : NULL;
  series->high[slot] = low != NULL ? g_memdup2 (high, sizeof (double) * series->n) : NULL;
  changed (self, TRUE);
}

guint
es_plot_get_n_series (EsPlot *self)
{
  g_return_val_if_fail (ES_IS_PLOT (self), 0);

  return self->series->len;
}

guint
es_plot_add_marker (EsPlot *self, gboolean horizontal, double value, const char *label, gboolean draggable)
{
  g_return_val_if_fail (ES_IS_PLOT (self), 0);

  EsPlotMarker marker = { horizontal, draggable, value, es_text_show (label) };

  g_array_append_val (self->markers, marker);
  changed (self, FALSE);
  return self->markers->len - 1;
}

void
es_plot_set_marker (EsPlot *self, guint index, double value, const char *label)
{
  g_return_if_fail (ES_IS_PLOT (self));
  g_return_if_fail (index < self->markers->len);

  EsPlotMarker *marker = &g_array_index (self->markers, EsPlotMarker, index);

  if (marker->value == value && g_strcmp0 (marker->label, label) == 0)
    return;
  char *copy = es_text_show (label);      /* it may be the label itself */
  g_free (marker->label);
  marker->label = copy;
  marker->value = value;
  changed (self, FALSE);
}

double
es_plot_get_marker (EsPlot *self, guint index)
{
  g_return_val_if_fail (ES_IS_PLOT (self), NAN);
  g_return_val_if_fail (index < self->markers->len, NAN);

  return g_array_index (self->markers, EsPlotMarker, index).value;
}

guint
es_plot_get_n_markers (EsPlot *self)
{
  g_return_val_if_fail (ES_IS_PLOT (self), 0);

  return self->markers->len;
}

int
es_plot_pick_marker (EsPlot *self, double px, double py, int width, int height)
{
  g_return_val_if_fail (ES_IS_PLOT (self), -1);

  const EsPlotLayout *layout = es_plot_get_layout (self, width, height);
  const EsPlotRect *plot = &layout->plot;
  double best = PICK_DISTANCE;
  int found = -1;

  /* The whole line can be taken, and its handle, which stands a little outside. */
  if (layout->empty || px < plot->x - PICK_DISTANCE || px > plot->x + plot->width + PICK_DISTANCE
      || py < plot->y - PICK_DISTANCE || py > plot->y + plot->height + PICK_DISTANCE)
    return -1;

  for (guint i = 0; i < self->markers->len; i++)
    {
      const EsPlotMarker *marker = &g_array_index (self->markers, EsPlotMarker, i);
      const EsPlotScale *scale = es_plot_layout_marker_scale (layout, self, marker);
      double distance = fabs (es_plot_scale_to_pixel (scale, marker->value) - (marker->horizontal ? py : px));

      if (marker->draggable && distance <= best)
        {
          best = distance;
          found = i;
        }
    }
  return found;
}

double
es_plot_marker_value_at (EsPlot *self, guint index, double px, double py, int width, int height)
{
  g_return_val_if_fail (ES_IS_PLOT (self), NAN);
  g_return_val_if_fail (index < self->markers->len, NAN);

  const EsPlotLayout *layout = es_plot_get_layout (self, width, height);
  const EsPlotMarker *marker = &g_array_index (self->markers, EsPlotMarker, index);

  if (layout->empty)
    return marker->value;
  return es_plot_scale_to_value (es_plot_layout_marker_scale (layout, self, marker), marker->horizontal ? py : px);
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
  changed (self, FALSE);
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
  changed (self, FALSE);
}

void
es_plot_set_screen_legend (EsPlot *self, gboolean shown)
{
  g_return_if_fail (ES_IS_PLOT (self));

  if (self->legend_elsewhere == !shown)
    return;
  self->legend_elsewhere = !shown;
  changed (self, TRUE);
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
