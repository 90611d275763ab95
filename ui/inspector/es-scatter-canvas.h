/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "plot/es-plot.h"

G_BEGIN_DECLS

/*
 * Draws how many pixels have which pair of values: a grid of counts as a picture on axes, logarithmic in viridis, with
 * the counts of some pixels lit over it. The pointer reads out values and count. Dragging draws a lasso; by keys: the
 * arrow keys move the cursor (Shift: by 10), Space sets a corner, Return closes, Backspace takes the last corner back,
 * Esc gives up, and once more removes the lasso. Ctrl+C copies the picture, a menu saves it.
 *
 * Signals: "lasso" (const double *points, guint n): n pairs of values, the corners of a polygon; n = 0: removed.
 * Actions: plot.copy-picture, plot.copy-data, plot.save ("pdf", "svg", "png").
 */
#define ES_TYPE_SCATTER_CANVAS (es_scatter_canvas_get_type ())
G_DECLARE_FINAL_TYPE (EsScatterCanvas, es_scatter_canvas, ES, SCATTER_CANVAS, GtkWidget)

/* counts[row * columns + column], row 0 at y_from; a bin covers (x_to - x_from) / columns. */
typedef struct
{
  guint    columns, rows;
  guint32 *counts;
  double   x_from, x_to, y_from, y_to;
} EsScatterGrid;

GtkWidget *es_scatter_canvas_new         (int natural_height);
EsPlot    *es_scatter_canvas_get_plot    (EsScatterCanvas *self);
/* Copied. NULL: nothing to show. The lasso goes where the axes are others. */
void       es_scatter_canvas_set_density (EsScatterCanvas *self, const EsScatterGrid *grid);
/* Counts of the same bins, each set of pixels in its colour, the last on top; copied into a picture. */
void       es_scatter_canvas_set_lit     (EsScatterCanvas *self, guint n, const guint32 *const *counts,
                                          const GdkRGBA *colors);
/* Where the lasso came from is not what is lit any more. Does not signal. */
void       es_scatter_canvas_drop_lasso  (EsScatterCanvas *self);
gboolean   es_scatter_canvas_has_lasso   (EsScatterCanvas *self);
/* The cursor's values and count: "PC 1 0.21, PC 2 −1.3: 42 pixels". NULL: none. Transfer full. */
char      *es_scatter_canvas_read_out    (EsScatterCanvas *self);

G_END_DECLS
