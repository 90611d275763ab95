/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* An x axis that is not divided evenly, and series that are drawn beside others. */

#include "es-plot-private.h"

#include <math.h>

void
es_plot_set_x_division (EsPlot *self, EsPlotXDivision division)
{
  g_return_if_fail (ES_IS_PLOT (self));

  if (self->x_division == division)
    return;
  self->x_division = division;
  self->x_axis.seen[0] = self->x_axis.seen[1] = NAN;
  es_plot_place_again (self);
}

EsPlotXDivision
es_plot_get_x_division (EsPlot *self)
{
  g_return_val_if_fail (ES_IS_PLOT (self), ES_PLOT_X_LINEAR);
  return self->x_division;
}

double
es_plot_x_distance (EsPlot *self, double a, double b)
{
  return self->x_division == ES_PLOT_X_LINEAR ? fabs (a - b) : a > 0 && b > 0 ? fabs (log (a / b)) : INFINITY;
}

static gboolean
labels_have_unit (EsPlot *self)
{
  return self->x_division == ES_PLOT_X_BINARY && g_strcmp0 (self->x_axis.unit, "B") == 0;
}

const char *
es_plot_get_x_title_unit (EsPlot *self)
{
  return labels_have_unit (self) ? NULL : self->x_axis.unit;
}

char *
es_plot_format_x (EsPlot *self, double x)
{
  g_autofree char *number = NULL;

  if (labels_have_unit (self))
    return es_plot_format_bytes (x);
  number = es_plot_format (x, 6);
  return self->x_axis.unit != NULL ? g_strdup_printf ("%s %s", number, self->x_axis.unit)
                                   : g_steal_pointer (&number);
}

void
es_plot_set_beside (EsPlot *self, guint index, guint other)
{
  g_return_if_fail (ES_IS_PLOT (self));
  g_return_if_fail (index < self->series->len && other < self->series->len && index != other);

  ((EsPlotSeries *) g_ptr_array_index (self->series, index))->beside = (int) other;
  es_plot_place_again (self);
}
