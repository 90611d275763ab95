/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a person wants to see of a plot: part of its axes, another division of them, more or less of its legend. */

#include "es-plot-private.h"

#include <math.h>

/* ---- part of the axes ---- */

static void
set_seen (EsPlot *self, EsPlotAxis *axis, double from, double to)
{
  const gboolean some = isfinite (from) && isfinite (to) && from < to;

  from = some ? from : NAN;
  to = some ? to : NAN;
  if (axis->seen[0] == from && axis->seen[1] == to)
    return;
  axis->seen[0] = from;
  axis->seen[1] = to;
  es_plot_place_again (self);
}

void
es_plot_set_x_seen (EsPlot *self, double from, double to)
{
  g_return_if_fail (ES_IS_PLOT (self));
  set_seen (self, &self->x_axis, from, to);
}

void
es_plot_set_y_seen (EsPlot *self, double from, double to)
{
  g_return_if_fail (ES_IS_PLOT (self));
  set_seen (self, &self->left_axis, from, to);
}

static gboolean
get_seen (const EsPlotAxis *axis, double *from, double *to)
{
  if (isnan (axis->seen[0]))
    return FALSE;
  *from = axis->seen[0];
  *to = axis->seen[1];
  return TRUE;
}

gboolean
es_plot_get_x_seen (EsPlot *self, double *from, double *to)
{
  g_return_val_if_fail (ES_IS_PLOT (self), FALSE);
  return get_seen (&self->x_axis, from, to);
}

gboolean
es_plot_get_y_seen (EsPlot *self, double *from, double *to)
{
  g_return_val_if_fail (ES_IS_PLOT (self), FALSE);
  return get_seen (&self->left_axis, from, to);
}

/* Where a value lies between the ends of a scale: 0 and 1 there. */
static double
share_of (const EsPlotScale *scale, double value)
{
  if (scale->logarithmic)
    return log (value / scale->minimum) / log (scale->maximum / scale->minimum);
  return (value - scale->minimum) / (scale->maximum - scale->minimum);
}

static double
value_of (const EsPlotScale *scale, double share)
{
  if (scale->logarithmic)
    return scale->minimum * pow (scale->maximum / scale->minimum, share);
  return scale->minimum + share * (scale->maximum - scale->minimum);
}

void
es_plot_layout_see (EsPlotLayout *self, EsPlot *plot)
{
  const double *x = plot->x_axis.seen, *y = plot->left_axis.seen;

  if (!isnan (x[0]) && (!self->x.logarithmic || x[0] > 0))
    {
      self->x.minimum = x[0];
      self->x.maximum = x[1];
    }
  if (isnan (y[0]) || (self->left.logarithmic && y[0] <= 0))
    return;

  /* What stands at one height goes on doing so. */
  const double low = value_of (&self->right, share_of (&self->left, y[0]));
  const double high = value_of (&self->right, share_of (&self->left, y[1]));

  if (plot->has_right_axis && isfinite (low) && isfinite (high) && low != high)
    {
      self->right.minimum = low;
      self->right.maximum = high;
    }
  self->left.minimum = y[0];
  self->left.maximum = y[1];
}

char *
es_plot_describe_axis (EsPlot *self, gboolean vertical)
{
  const EsPlotAxis *axis;
  const char *title;

  g_return_val_if_fail (ES_IS_PLOT (self), NULL);

  axis = vertical ? &self->left_axis : &self->x_axis;
  title = axis->title != NULL ? axis->title : "";
  return axis->unit != NULL ? g_strdup_printf ("%s%s(%s)", title, *title != '\0' ? " " : "", axis->unit)
                            : g_strdup (title);
}

/* ---- division ---- */

void
es_plot_set_division (EsPlot *self, EsPlotDivision division)
{
  EsPlotAxis *axis;

  g_return_if_fail (ES_IS_PLOT (self));

  axis = &self->left_axis;
  self->division = division;
  axis->seen[0] = axis->seen[1] = NAN;
  axis->logarithmic = division == ES_PLOT_AS_MADE ? axis->made_logarithmic : division == ES_PLOT_LOGARITHMIC;
  es_plot_place_again (self);
}

gboolean
es_plot_is_logarithmic (EsPlot *self)
{
  g_return_val_if_fail (ES_IS_PLOT (self), FALSE);
  return self->left_axis.logarithmic;
}

gboolean
es_plot_can_be_logarithmic (EsPlot *self)
{
  gboolean positive = FALSE;

  g_return_val_if_fail (ES_IS_PLOT (self), FALSE);

  for (guint i = 0; i < ES_PLOT_N_IMAGES; i++)
    if (self->images[i].surface != NULL)
      return FALSE;
  for (guint s = 0; s < self->series->len; s++)
    {
      const EsPlotSeries *series = g_ptr_array_index (self->series, s);

      for (guint i = 0; i < series->n && !(series->right_axis && self->has_right_axis); i++)
        {
          if (series->y[i] < 0)
            return FALSE;
          positive |= series->y[i] > 0;
        }
    }
  return positive;
}

/* ---- the legend ---- */

void
es_plot_set_legend (EsPlot *self, EsPlotLegend legend)
{
  g_return_if_fail (ES_IS_PLOT (self));

  if (self->legend == legend)
    return;
  self->legend = legend;
  es_plot_place_again (self);
}

EsPlotLegend
es_plot_get_legend (EsPlot *self)
{
  g_return_val_if_fail (ES_IS_PLOT (self), ES_PLOT_LEGEND_FITTING);
  return self->legend;
}

gboolean
es_plot_pick_legend (EsPlot *self, double px, double py, int width, int height, guint *n_unnamed)
{
  const EsPlotLayout *layout;

  g_return_val_if_fail (ES_IS_PLOT (self), FALSE);

  layout = es_plot_get_layout (self, width, height);
  if (n_unnamed != NULL)
    *n_unnamed = layout->n_legend_hidden;
  return !layout->empty && px >= 0 && px <= layout->width && py >= layout->legend_top && py < layout->legend_bottom;
}
