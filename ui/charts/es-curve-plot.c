/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-curve-plot.h"

#include <math.h>

static EsPlotStyle
plot_style (EsCurveStyle style)
{
  switch (style)
    {
    case ES_CURVE_BARS:
      return ES_PLOT_BARS;
    case ES_CURVE_STEM:
      return ES_PLOT_STEM;
    case ES_CURVE_LINE:
    case ES_CURVE_LISTED:
    default:
      return ES_PLOT_LINE;
    }
}

/* What is asked at powers of two, as sizes are, lies evenly there. */
static EsPlotXDivision
find_division (EsCurve *curve)
{
  const guint n = es_curve_get_length (curve);
  const double *x = es_curve_get_x (curve);
  gboolean powers = TRUE;
  int exponent;

  if (n < 3)
    return ES_PLOT_X_LINEAR;
  for (guint i = 0; i < n; i++)
    {
      if (!isfinite (x[i]) || x[i] <= 0 || (i > 0 && x[i] < x[i - 1]))
        return ES_PLOT_X_LINEAR;
      powers = powers && frexp (x[i], &exponent) == 0.5;
    }
  if (x[n - 1] < 8 * x[0] || (!powers && g_strcmp0 (es_curve_get_x_unit (curve), "B") != 0))
    return ES_PLOT_X_LINEAR;
  return ES_PLOT_X_BINARY;
}

/* What an experiment did not ask of one series at the size of another is no gap of its line. */
static void
add_measured (EsPlot *plot, EsCurve *curve, const EsCurveSeries *series)
{
  const guint n = es_curve_get_length (curve);
  g_autofree double *x = g_new (double, n + 1), *y = g_new (double, n + 1);
  guint there = 0;

  for (guint i = 0; i < n; i++)
    if (!isnan (series->y[i]))
      {
        x[there] = es_curve_get_x (curve)[i];
        y[there++] = series->y[i];
      }
  es_plot_add_series (plot, series->title, plot_style (series->style), series->right_axis, there, x, y);
}

/* Where the right axis ends: shares at all of it, anything else at the largest. */
static double
find_full (EsCurve *curve, const EsCurveSeries *series)
{
  double most = 0;

  if (series->unit == NULL || g_str_equal (series->unit, "%"))
    return series->unit != NULL ? 100 : 1;
  for (guint i = 0; i < es_curve_get_length (curve); i++)
    if (isfinite (series->y[i]))
      most = fmax (most, series->y[i]);
  return most > 0 ? most : 1;
}

EsPlot *
es_curve_plot_new (EsCurve *curve)
{
  const gboolean measured = g_strcmp0 (es_curve_get_role (curve), "experiment") == 0;
  g_autoptr (EsPlot) plot = es_plot_new ();
  const EsCurveSeries *left = NULL, *right = NULL;
  guint n_left = 0;

  es_plot_set_title (plot, es_layer_get_title (ES_LAYER (curve)));
  es_plot_set_x_axis (plot, es_curve_get_x_title (curve), es_curve_get_x_unit (curve));
  es_plot_set_x_division (plot, find_division (curve));
  for (guint i = 0; i < es_curve_get_n_series (curve); i++)
    {
      const EsCurveSeries *series = es_curve_get_series (curve, i);

      if (series->style == ES_CURVE_LISTED)
        continue;
      if (measured)
        add_measured (plot, curve, series);
      else
        es_plot_add_series (plot, series->title, plot_style (series->style), series->right_axis,
                            es_curve_get_length (curve), es_curve_get_x (curve), series->y);
      if (series->right_axis)
        right = series;
      else
        {
          left = series;
          n_left++;
        }
    }
  /* The title of an axis that several series share would be that of one of them. */
  if (left != NULL)
    es_plot_set_y_axis (plot, es_curve_get_y_title (curve) != NULL ? es_curve_get_y_title (curve)
                              : n_left == 1 ? left->title : es_layer_get_title (ES_LAYER (curve)),
                        left->unit, es_curve_get_log_y (curve));
  if (right != NULL)
    {
      double full = find_full (curve, right);

      es_plot_set_right_axis (plot, right->title, right->unit, 0, full);
      if (es_curve_get_threshold_key (curve) != NULL && isfinite (es_curve_get_threshold (curve)))
        es_plot_add_marker (plot, TRUE, es_curve_get_threshold (curve) * full, NULL, FALSE);
    }
  return g_steal_pointer (&plot);
}
