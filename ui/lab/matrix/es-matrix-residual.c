/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-matrix-residual.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "charts/es-curve-plot.h"

#define ROOM 5

/* As far as the curve goes; one point would be no line. */
static guint
make_line (EsCurve *curve, double tolerance, double x[2], double y[2])
{
  const guint n = es_curve_get_length (curve);

  if (n == 0 || !(tolerance > 0))
    return 0;
  x[0] = es_curve_get_x (curve)[0];
  x[1] = n > 1 ? es_curve_get_x (curve)[n - 1] : x[0] + 1;
  y[0] = y[1] = tolerance;
  return 2;
}

/* The tolerance does not lie on the axis. */
static void
make_room (EsPlot *plot, EsCurve *curve, double tolerance)
{
  double least = tolerance;

  if (!(tolerance > 0))
    return;
  for (guint i = 0; i < es_curve_get_n_series (curve); i++)
    {
      const EsCurveSeries *series = es_curve_get_series (curve, i);

      for (guint k = 0; k < es_curve_get_length (curve) && !series->right_axis; k++)
        if (series->y[k] > 0)
          least = fmin (least, series->y[k]);
    }
  es_plot_set_y_range (plot, least / ROOM, NAN);
}

EsPlot *
es_matrix_residual_plot_new (EsCurve *curve, double tolerance)
{
  EsPlot *plot = es_curve_plot_new (curve);
  double x[2], y[2];

  make_room (plot, curve, tolerance);
  if (tolerance > 0)
    es_plot_set_muted (plot, es_plot_add_series (plot, _("Tolerance"), ES_PLOT_LINE, FALSE,
                                                 make_line (curve, tolerance, x, y), x, y), TRUE);
  return plot;
}

/* What is read against the right axis has grown, too. */
static void
follow_right (EsPlot *plot, const EsCurveSeries *series, guint n)
{
  double most = 0;

  for (guint i = 0; i < n; i++)
    if (isfinite (series->y[i]))
      most = fmax (most, series->y[i]);
  if (series->unit != NULL && g_strcmp0 (series->unit, "%") != 0 && most > 0)
    es_plot_set_right_axis (plot, series->title, series->unit, 0, most);
}

void
es_matrix_residual_plot_follow (EsPlot *plot, EsCurve *curve, double tolerance)
{
  const guint n = es_curve_get_length (curve);
  double x[2], y[2];
  guint at = 0;

  for (guint i = 0; i < es_curve_get_n_series (curve); i++)
    {
      const EsCurveSeries *series = es_curve_get_series (curve, i);

      if (series->style == ES_CURVE_LISTED)
        continue;
      es_plot_set_points (plot, at++, series->title, n, es_curve_get_x (curve), series->y);
      if (series->right_axis)
        follow_right (plot, series, n);
    }
  make_room (plot, curve, tolerance);
  if (at < es_plot_get_n_series (plot))
    es_plot_set_points (plot, at, _("Tolerance"), make_line (curve, tolerance, x, y), x, y);
}
