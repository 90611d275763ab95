/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-plot-view.h"

G_BEGIN_DECLS

/*
 * Lets a drawing with two axes zoom and pan on both: the wheel zooms the x axis at the pointer, with Ctrl (or beside
 * the axis) the y axis, with Shift it moves sideways; a drag, or one of the middle button, moves what is zoomed; [ and
 * ] zoom the x axis, { and } the y axis, Alt (or Ctrl+Shift) and the arrow keys move; 0 and a double click show all
 * again; R opens a form in which ranges are typed.
 *
 * In a column that scrolls the wheel goes on scrolling, and does with Ctrl what it does elsewhere without: beside the y
 * axis it zooms that. A scroller of the class ES_SECTION_LARGE_CLASS is none such.
 */

/* How values lie in a widget; all but get_division and set_division are needed. */
typedef struct
{
  /* What lies inside of the axes, in pixels. FALSE: nothing is drawn. */
  gboolean (*get_area)  (GtkWidget *widget, cairo_rectangle_t *area);
  /* The values at a point, which may lie outside of the axes. */
  void     (*value_at)  (GtkWidget *widget, double px, double py, double *x, double *y);
  /* What is seen of an axis; NAN: all. FALSE: all is. */
  void     (*set_seen)  (GtkWidget *widget, gboolean vertical, double from, double to);
  gboolean (*get_seen)  (GtkWidget *widget, gboolean vertical, double *from, double *to);
  /* "Wavelength (nm)". Transfer full. */
  char    *(*name_axis) (GtkWidget *widget, gboolean vertical);
  /* A drag that has begun is one of something else. */
  gboolean (*is_held)   (GtkWidget *widget);
  /* TRUE: the y axis is logarithmic. possible: whether it can be, and can be chosen. */
  gboolean (*get_division) (GtkWidget *widget, gboolean *possible);
  void     (*set_division) (GtkWidget *widget, gboolean logarithmic);
  /* What a plain drag, and a double click, do there is something else: a drag moves with Ctrl. */
  gboolean drags, double_clicks;
} EsPlotZoomKind;

/* Once a widget; kind is constant. */
void     es_plot_zoom_add_to  (GtkWidget *widget, const EsPlotZoomKind *kind);
void     es_plot_zoom_add     (EsPlotView *view);
/* The plot that a widget draws, all over itself, and keeps. drags: as a kind has it. */
void     es_plot_zoom_add_plot (GtkWidget *widget, EsPlot *plot, gboolean drags);
/* NULL: it does not zoom. */
const EsPlotZoomKind *es_plot_zoom_get_kind (GtkWidget *widget);
/* Shows all again. */
void     es_plot_zoom_reset   (EsPlotView *view);
void     es_plot_zoom_reset_of (GtkWidget *widget);
gboolean es_plot_zoom_is_zoomed (EsPlotView *view);
/* What is seen now, whether that was chosen or comes of the data. FALSE: nothing is drawn. */
gboolean es_plot_zoom_get_seen (GtkWidget *widget, double x[2], double y[2]);

G_END_DECLS
