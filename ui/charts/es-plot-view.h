/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "plot/es-plot.h"

G_BEGIN_DECLS

/*
 * Shows a plot: a cursor with its read-out under the pointer, markers that can be dragged, Ctrl+C (picture),
 * a menu (copy picture, copy data, save as). Left and Right move the cursor, Ctrl+Left and Ctrl+Right the
 * marker used last.
 *
 * Signals: "marker-moved" (int marker, double value, gboolean final): the owner sets the marker, which it may
 * snap;
 * "marker-stepped" (int marker, int steps): by key; "clicked" (double x).
 * Actions: plot.copy-picture, plot.copy-data, plot.save ("pdf", "svg", "png").
 */
#define ES_TYPE_PLOT_VIEW (es_plot_view_get_type ())
G_DECLARE_FINAL_TYPE (EsPlotView, es_plot_view, ES, PLOT_VIEW, GtkWidget)

GtkWidget *es_plot_view_new           (EsPlot *plot, int natural_height);
EsPlot    *es_plot_view_get_plot      (EsPlotView *self);
/* The marker that is being dragged; -1: none. */
int        es_plot_view_get_dragged   (EsPlotView *self);

G_END_DECLS
