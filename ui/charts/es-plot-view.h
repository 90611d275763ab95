/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "plot/es-plot.h"

G_BEGIN_DECLS

/*
 * Shows a plot: a cursor with its read-out under the pointer, markers that can be dragged, Ctrl+C (picture),
 * a menu (copy picture, copy data, save as). Left and Right move the cursor, Ctrl+Left and Ctrl+Right the
 * marker used last. Where values of the x axis have names (es_plot_view_set_name ()), Shift and a drag, or Shift+Left
 * and Shift+Right from the cursor on, select a band of it, whose levels are told; Esc clears it.
 *
 * A click on the legend, or L, folds it; where it names not all of them, the first click lets it.
 *
 * Signals: "marker-moved" (int marker, double value, gboolean final): the owner sets the marker, which it may
 * snap;
 * "marker-stepped" (int marker, int steps): by key; "clicked" (double x); "band-selected" (double from, double to): a
 * band has been selected, NAN where none is any more.
 * Actions: plot.copy-picture, plot.copy-data, plot.save ("pdf", "svg", "png"), plot.fold-legend; of those that zoom
 * (es-plot-zoom.h) plot.ranges and plot.show-all.
 */
#define ES_TYPE_PLOT_VIEW (es_plot_view_get_type ())
G_DECLARE_FINAL_TYPE (EsPlotView, es_plot_view, ES, PLOT_VIEW, GtkWidget)

GtkWidget *es_plot_view_new           (EsPlot *plot, int natural_height);
EsPlot    *es_plot_view_get_plot      (EsPlotView *self);
/* The marker that is being dragged; -1: none. */
int        es_plot_view_get_dragged   (EsPlotView *self);

/* "48.2°", "120.00 Hz": a value of the x axis, also a width. Transfer full. Of plots whose y axis is in decibels. */
typedef char *(*EsPlotViewName) (double value);
void       es_plot_view_set_name      (EsPlotView *self, EsPlotViewName name);    /* NULL: bands cannot be selected */
/* Of plots whose y axis is in something else: a band is selected, and its levels are not told. */
void       es_plot_view_set_measured  (EsPlotView *self, gboolean measured);      /* TRUE at first */
/* The band that is selected, in values of the x axis. FALSE: none is. */
gboolean   es_plot_view_get_band      (EsPlotView *self, double *from, double *to);
void       es_plot_view_set_band      (EsPlotView *self, double from, double to); /* NAN: none */
/* "48.2° to 60.0°: 11.8°", and a line for each curve: mean of its powers, highest level, where. NULL: none is selected.
 * Transfer full. */
char      *es_plot_view_describe_band (EsPlotView *self);

G_END_DECLS
