/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The series that a plot has: their points, spans, colours. Drawn by es-plot-series.c. */

#include "es-plot-private.h"
#include "base/es-text-show.h"

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
  es_plot_changed (self, TRUE);
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
  es_plot_changed (self, TRUE);
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
  es_plot_changed (self, FALSE);
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
  es_plot_changed (self, FALSE);
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
  es_plot_changed (self, FALSE);
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
  es_plot_changed (self, TRUE);
}

guint
es_plot_get_n_series (EsPlot *self)
{
  g_return_val_if_fail (ES_IS_PLOT (self), 0);

  return self->series->len;
}
