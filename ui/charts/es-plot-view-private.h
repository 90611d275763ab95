/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-plot-view.h"

G_BEGIN_DECLS

struct _EsPlotView
{
  GtkWidget      parent_instance;

  EsPlot        *plot;
  GtkWidget     *menu;           /* a popover, made when first asked for */
  int            natural_height;

  double         cursor_x;       /* widget pixels; NAN: no cursor */
  int            dragged;        /* marker; -1: none */
  int            active_marker;

  EsPlotViewName name;           /* of values of the x axis; NULL: no bands */
  gboolean       selecting, unmeasured;
  double         band[2];        /* values of the x axis, the first is where it began; the second NAN: none */
};

/* es-plot-view-band.c: bands of the x axis that are measured */
/* TRUE: a drag that begins here is one of a band. */
gboolean _es_plot_view_begin_band    (EsPlotView *self, GtkGestureDrag *gesture, double x, double y);
void     _es_plot_view_drag_band     (EsPlotView *self, double x, gboolean is_click);
void     _es_plot_view_snapshot_band (EsPlotView *self, GtkSnapshot *snapshot);
void     _es_plot_view_bind_band_keys (GtkWidgetClass *klass);
/* Emits "band-selected". */
void     _es_plot_view_tell_band     (EsPlotView *self);
/* es-plot-view-menu.c */
void     _es_plot_view_install_menu  (GtkWidgetClass *klass);
void     _es_plot_view_add_menu      (EsPlotView *self);
/* es-plot-view.c: the cursor goes by a data point to either side. */
void     _es_plot_view_step_cursor   (EsPlotView *self, int step);

G_END_DECLS
