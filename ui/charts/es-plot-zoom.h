/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-plot-view.h"

G_BEGIN_DECLS

/*
 * Lets a plot view zoom and pan on both axes: the wheel zooms the x axis at the pointer, with Ctrl (or beside the axis)
 * the y axis, with Shift it moves sideways; a drag moves what is zoomed; [ and ] zoom the x axis, { and } the y axis,
 * Ctrl+Shift and the arrow keys move; 0 and a double click show all again. Once a view.
 */
void     es_plot_zoom_add     (EsPlotView *view);
/* It stands in a column that scrolls: the wheel alone scrolls that, with Ctrl it zooms the x axis, with Ctrl and Shift,
 * or beside the axis with Ctrl, the y axis. */
void     es_plot_zoom_set_in_column (EsPlotView *view);
/* Shows all again. */
void     es_plot_zoom_reset   (EsPlotView *view);
gboolean es_plot_zoom_is_zoomed (EsPlotView *view);

G_END_DECLS
