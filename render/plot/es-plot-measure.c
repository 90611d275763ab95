/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What lies in a band of the x axis. */

#include "es-plot-private.h"

#include <math.h>

const char *
es_plot_get_series_title (EsPlot *self, guint series)
{
  g_return_val_if_fail (ES_IS_PLOT (self) && series < self->series->len, NULL);
  return ((EsPlotSeries *) g_ptr_array_index (self->series, series))->title;
}

gboolean
es_plot_measure_levels (EsPlot *self, guint series, double from, double to, EsPlotLevels *levels)
{
  g_return_val_if_fail (ES_IS_PLOT (self) && series < self->series->len, FALSE);

  const EsPlotSeries *data = g_ptr_array_index (self->series, series);
  double sum = 0;

  *levels = (EsPlotLevels) { 0, NAN, -INFINITY, NAN };
  for (guint i = 0; i < data->n; i++)
    {
      /* A power of 0 counts, what is not there does not. */
      if (!(data->x[i] >= from && data->x[i] <= to) || isnan (data->y[i]))
        continue;
      sum += pow (10, data->y[i] / 10);
      levels->n++;
      if (data->y[i] > levels->highest || isnan (levels->where))
        {
          levels->highest = data->y[i];
          levels->where = data->x[i];
        }
    }
  if (levels->n > 0)
    levels->mean = 10 * log10 (sum / levels->n);
  return levels->n > 0;
}
