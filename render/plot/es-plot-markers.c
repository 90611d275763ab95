/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The markers that a plot has, and which of them lies under a pointer. Drawn by es-plot-marks.c. */

#include <math.h>

#include "es-plot-private.h"
#include "base/es-text-show.h"

#define PICK_DISTANCE 6

guint
es_plot_add_marker (EsPlot *self, gboolean horizontal, double value, const char *label, gboolean draggable)
{
  g_return_val_if_fail (ES_IS_PLOT (self), 0);

  EsPlotMarker marker = { horizontal, draggable, value, es_text_show (label) };

  g_array_append_val (self->markers, marker);
  es_plot_changed (self, FALSE);
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
  es_plot_changed (self, FALSE);
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
