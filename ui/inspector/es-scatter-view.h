/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "image/es-display.h"
#include "plot/es-plot.h"
#include "image/es-region-control.h"

G_BEGIN_DECLS

/*
 * Two planes of what is shown against each other: components, bands, maps of error. A lasso in the plot selects the
 * pixels in the image; what is selected there, and the classes, are lit in the plot. Nothing is read while it cannot be
 * seen.
 *
 * Property "detail" (string: "7,680 pixels", nullable).
 */
#define ES_TYPE_SCATTER_VIEW (es_scatter_view_get_type ())
G_DECLARE_FINAL_TYPE (EsScatterView, es_scatter_view, ES, SCATTER_VIEW, GtkWidget)

GtkWidget  *es_scatter_view_new          (EsDisplay *display, EsRegionControl *control);
/* There are two planes to be plotted. */
gboolean    es_scatter_view_can_show     (EsScatterView *self);
void        es_scatter_view_set_planes   (EsScatterView *self, guint x, guint y);
void        es_scatter_view_get_planes   (EsScatterView *self, guint *x, guint *y);
gboolean    es_scatter_view_is_loading   (EsScatterView *self);
EsPlot     *es_scatter_view_get_plot     (EsScatterView *self);
/* As drawing one by hand does: n pairs of values. */
void        es_scatter_view_lasso        (EsScatterView *self, const double *points, guint n);
const char *es_scatter_view_get_detail   (EsScatterView *self);
/* In a window of its own: fills it. */
void        es_scatter_view_set_detached (EsScatterView *self, gboolean detached);

G_END_DECLS
