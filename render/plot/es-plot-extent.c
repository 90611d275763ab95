/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How far the data of a plot reach, and the scales that show them. */

#include "es-plot-private.h"

#include <math.h>

#include "base/es-order.h"

typedef struct { double minimum, maximum; gboolean baseline; guint n; } Extent;

static void
extend (Extent *self, double value)
{
  self->minimum = self->n > 0 ? MIN (self->minimum, value) : value;
  self->maximum = self->n > 0 ? MAX (self->maximum, value) : value;
  self->n++;
}

/* Between bars, in x; where that is logarithmic, in its decades. */
static double
find_bar_spacing (EsPlot *plot)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (double));
  double spacing = INFINITY;

  for (guint s = 0; s < plot->series->len; s++)
    {
      const EsPlotSeries *series = g_ptr_array_index (plot->series, s);

      for (guint i = 0; series->style == ES_PLOT_BARS && i < series->n; i++)
        {
          const double place = plot->x_division == ES_PLOT_X_LINEAR ? series->x[i] : log10 (series->x[i]);

          if (isfinite (place))
            g_array_append_val (places, place);
        }
    }
  if (places->len == 0)
    return 0;
  g_array_sort (places, es_compare_doubles);
  for (guint i = 1; i < places->len; i++)
    {
      double distance = g_array_index (places, double, i) - g_array_index (places, double, i - 1);
      if (distance > 0)
        spacing = MIN (spacing, distance);
    }
  return isfinite (spacing) ? spacing : 1;
}

static void
pad_linear (Extent *self)
{
  if (self->baseline)
    {
      self->minimum = MIN (self->minimum, 0);
      self->maximum = MAX (self->maximum, 0);
    }
  if (self->minimum == self->maximum)
    {
      double pad = self->minimum != 0 ? fabs (self->minimum) * 0.1 : 1;
      self->minimum -= pad;
      self->maximum += pad;
      return;
    }
  /* An axis that nearly reaches nought goes down to it. */
  if (self->minimum > 0 && self->minimum <= 0.35 * self->maximum)
    self->minimum = 0;

  double pad = 0.05 * (self->maximum - self->minimum);
  if (self->minimum != 0)
    self->minimum -= pad;
  if (self->maximum != 0)
    self->maximum += pad;
}

static void
pad_logarithmic (Extent *self)
{
  double low = log10 (self->minimum), high = log10 (self->maximum);

  if (self->baseline || high - low >= 1)
    low = floor (low - (self->baseline ? 0.05 : 0));
  else
    low -= 0.05;
  high += MAX (0.05 * (high - low), 0.05);
  self->minimum = pow (10, low);
  self->maximum = pow (10, high);
}

static EsPlotScale
make_y_scale (const EsPlotAxis *axis, Extent extent)
{
  if (extent.n == 0)
    extent = (Extent) { axis->logarithmic ? 1 : 0, axis->logarithmic ? 10 : 1, FALSE, 0 };
  else if (axis->logarithmic)
    pad_logarithmic (&extent);
  else
    pad_linear (&extent);

  EsPlotScale scale = { extent.minimum, extent.maximum, 0, 0, axis->logarithmic };
  if (isfinite (axis->minimum) && (!axis->logarithmic || axis->minimum > 0))
    scale.minimum = axis->minimum;
  if (isfinite (axis->maximum) && (!axis->logarithmic || axis->maximum > 0))
    scale.maximum = axis->maximum;
  if (scale.minimum == scale.maximum)
    scale.maximum = axis->logarithmic ? scale.minimum * 10 : scale.minimum + 1;
  return scale;
}

static EsPlotScale
make_x_scale (Extent x, gboolean stems, gboolean whole)
{
  if (x.n == 0)
    x = (Extent) { 0, 1, FALSE, 0 };

  const double pad = stems ? 0.03 * (x.maximum - x.minimum) : 0;      /* for the dots at both ends */

  return (EsPlotScale) { x.minimum - pad, x.maximum + pad, 0, 0, FALSE, whole && x.n > 0 };
}

static EsPlotScale
make_x_scale_by_powers (EsPlot *plot, Extent x, gboolean stems)
{
  const gboolean binary = plot->x_division == ES_PLOT_X_BINARY;

  if (x.n == 0)
    x = (Extent) { 1, 10, FALSE, 0 };

  const double pad = stems ? pow (x.maximum / x.minimum, 0.03) : 1;

  return (EsPlotScale) { x.minimum / pad, x.maximum * pad, 0, 0, TRUE, FALSE, binary,
                         binary && g_strcmp0 (plot->x_axis.unit, "B") == 0 };
}

void
es_plot_layout_find_scales (EsPlotLayout *self, EsPlot *plot)
{
  Extent x = { 0 }, left = { 0 }, right = { 0 };
  gboolean whole = TRUE, stems = FALSE;
  const gboolean by_powers = plot->x_division != ES_PLOT_X_LINEAR;

  self->bar_spacing = find_bar_spacing (plot);
  for (guint s = 0; s < plot->series->len; s++)
    {
      const EsPlotSeries *series = g_ptr_array_index (plot->series, s);
      gboolean to_right = series->right_axis && plot->has_right_axis;
      Extent *extent = to_right ? &right : &left;
      gboolean logarithmic = !to_right && plot->left_axis.logarithmic;

      extent->baseline |= series->style != ES_PLOT_LINE;
      stems |= series->style == ES_PLOT_STEM;
      for (guint i = 0; i < series->n; i++)
        {
          double half = series->style == ES_PLOT_BARS ? 0.6 * self->bar_spacing : 0;

          if (!isfinite (series->x[i]) || (by_powers && series->x[i] <= 0))
            continue;
          whole = whole && series->x[i] == floor (series->x[i]);
          extend (&x, by_powers ? series->x[i] * pow (10, -half) : series->x[i] - half);
          extend (&x, by_powers ? series->x[i] * pow (10, half) : series->x[i] + half);
          if (isfinite (series->y[i]) && (!logarithmic || series->y[i] > 0))
            extend (extent, series->y[i]);
          for (guint k = 0; k < ES_PLOT_N_SPANS; k++)
            if (series->low[k] != NULL && isfinite (series->low[k][i]) && isfinite (series->high[k][i])
                && (!logarithmic || series->low[k][i] > 0))
              {
                extend (extent, series->low[k][i]);
                extend (extent, series->high[k][i]);
              }
        }
    }

  for (guint i = 0; i < ES_PLOT_N_IMAGES; i++)
    {
      const EsPlotImage *image = &plot->images[i];

      if (image->surface == NULL)
        continue;
      extend (&x, image->x_from);
      extend (&x, image->x_to);
      extend (&left, image->y_from);
      extend (&left, image->y_to);
      whole = FALSE;
    }

  self->empty = left.n + right.n == 0;
  self->x = by_powers ? make_x_scale_by_powers (plot, x, stems) : make_x_scale (x, stems, whole);
  if (isfinite (plot->x_axis.minimum) && (!by_powers || plot->x_axis.minimum > 0))
    self->x.minimum = plot->x_axis.minimum;
  if (isfinite (plot->x_axis.maximum) && (!by_powers || plot->x_axis.maximum > 0))
    self->x.maximum = plot->x_axis.maximum;
  if (self->x.minimum == self->x.maximum && by_powers)
    {
      self->x.minimum /= 2;
      self->x.maximum *= 2;
    }
  else if (self->x.minimum == self->x.maximum)
    {
      self->x.minimum -= 0.5;
      self->x.maximum += 0.5;
    }
  self->left = make_y_scale (&plot->left_axis, left);
  self->right = make_y_scale (&plot->right_axis, right);
  es_plot_layout_see (self, plot);
}
