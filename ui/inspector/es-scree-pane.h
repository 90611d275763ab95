/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "image/es-display.h"
#include "layer/es-layer.h"
#include "plot/es-plot.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * A curve of role "scree": the kept values and the dropped ones as bars, the cumulative share against the
 * right axis, the threshold as a line to drag. A click on a bar shows that component.
 * Signals: "threshold-moved" (double value, gboolean final).
 */
#define ES_TYPE_SCREE_PANE (es_scree_pane_get_type ())
G_DECLARE_FINAL_TYPE (EsScreePane, es_scree_pane, ES, SCREE_PANE, GtkWidget)

GtkWidget *es_scree_pane_new           (EsDisplay *display);
/* kept: how many components the result has. minimum, maximum: what the threshold's parameter may be. While
 * the threshold is being dragged it stays where the person holds it. */
void       es_scree_pane_set_curve     (EsScreePane *self, EsCurve *curve, guint kept, double minimum,
                                        double maximum);
EsCurve   *es_scree_pane_get_curve     (EsScreePane *self);
EsPlot    *es_scree_pane_get_plot      (EsScreePane *self);
/* As dragging does. */
void       es_scree_pane_move          (EsScreePane *self, double threshold, gboolean final);
/* How many components a threshold keeps; 0 where the curve has no shares. */
guint      es_scree_pane_count         (EsScreePane *self, double threshold);
/* What stands at the threshold: "99.85 % · 10". Transfer full. */
char      *es_scree_pane_get_label     (EsScreePane *self);
/* "5 of 218 kept". Transfer full. */
char      *es_scree_pane_describe      (EsScreePane *self);

G_END_DECLS
