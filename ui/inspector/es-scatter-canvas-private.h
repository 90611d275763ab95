/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-scatter-canvas.h"

G_BEGIN_DECLS

typedef struct { double x, y; } EsScatterValue;

struct _EsScatterCanvas
{
  GtkWidget      parent_instance;

  EsPlot        *plot;
  GtkWidget     *menu;           /* a popover, made when first asked for */
  int            natural_height;
  EsScatterGrid  grid;           /* counts NULL: none */

  gboolean       has_cursor;
  double         cursor_x, cursor_y;   /* widget pixels */
  GArray        *lasso;          /* of EsScatterValue */
  gboolean       drawing, closed;
};

/* es-scatter-canvas.c: between widget pixels and values. FALSE: beside the plot; the value is there all the same. */
gboolean       _es_scatter_canvas_value_at     (EsScatterCanvas *self, double x, double y, EsScatterValue *value);
EsScatterValue _es_scatter_canvas_point_of     (EsScatterCanvas *self, EsScatterValue value);
void           _es_scatter_canvas_set_cursor   (EsScatterCanvas *self, gboolean any, double x, double y);
void           _es_scatter_canvas_signal_lasso (EsScatterCanvas *self);

/* es-scatter-canvas-input.c: the lasso, keys, menu */
void           _es_scatter_canvas_install_input (GtkWidgetClass *klass);
void           _es_scatter_canvas_add_input    (EsScatterCanvas *self);

G_END_DECLS
