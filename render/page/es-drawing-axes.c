/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-drawing-axes.h"

#include <math.h>

#include "lab/es-shown-unit.h"

double
es_drawing_place (const EsDrawingScale *scale, double value)
{
  return scale->from + (scale->to - scale->from) * log (value / scale->least) / log (scale->most / scale->least);
}

void
es_drawing_add_grid (EsDrawing *self, const EsDrawingAxes *axes, char *(*show) (double y), const char *title)
{
  for (double at = axes->x.least; at <= axes->x.most * 1.01; at *= 10)
    {
      const double x = es_drawing_place (&axes->x, at);
      g_autofree char *label = es_shown_digits (at);

      es_drawing_add_line (self, x, axes->y.from, x, axes->y.to, 1, ES_DRAWING_PALE, FALSE);
      es_drawing_add_text (self, x, axes->y.from + 16, ES_DRAWING_LETTERS - 1, 0.5, ES_DRAWING_QUIET, FALSE, label);
    }
  for (double at = axes->y.least; at <= axes->y.most * 1.01; at *= 10)
    {
      const double y = es_drawing_place (&axes->y, at);
      g_autofree char *label = show (at);

      es_drawing_add_line (self, axes->x.from, y, axes->x.to, y, 1, ES_DRAWING_PALE, FALSE);
      es_drawing_add_text (self, axes->x.from - 6, y + 4, ES_DRAWING_LETTERS - 1, 1, ES_DRAWING_QUIET, FALSE, label);
    }
  es_drawing_add_text (self, (axes->x.from + axes->x.to) / 2, axes->y.from + 38, ES_DRAWING_LETTERS, 0.5,
                       ES_DRAWING_INK, FALSE, title);
}

void
es_drawing_add_between (EsDrawing *self, const EsDrawingAxes *axes, double x, double y, double x2, double y2,
                        double width, guint32 color, gboolean dashed)
{
  es_drawing_add_line (self, es_drawing_place (&axes->x, x), es_drawing_place (&axes->y, y),
                       es_drawing_place (&axes->x, x2), es_drawing_place (&axes->y, y2), width, color, dashed);
}
