/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "picture/es-picture.h"

G_BEGIN_DECLS

/*
 * The histograms of a picture's planes over the range that matters, counts on a logarithmic scale, with the
 * handles of one plane's stretch and, below, what the stretch makes of the values. Double click: signal
 * "reset". Left and Right move the low handle, with Shift the high one. Signal: "stretch-moved" (double low,
 * double high). It zooms (charts/es-plot-zoom.h), and a right click has its ranges.
 */
#define ES_TYPE_HISTOGRAM_CANVAS (es_histogram_canvas_get_type ())
G_DECLARE_FINAL_TYPE (EsHistogramCanvas, es_histogram_canvas, ES, HISTOGRAM_CANVAS, GtkWidget)

GtkWidget *es_histogram_canvas_new         (EsPicture *picture);
/* The plane whose handles are shown. */
void       es_histogram_canvas_set_plane   (EsHistogramCanvas *self, guint plane);
/* The planes are of different things: that one alone is drawn, over its own range. */
void       es_histogram_canvas_set_apart   (EsHistogramCanvas *self, gboolean apart);
/* The range of values drawn. FALSE: nothing to draw. */
gboolean   es_histogram_canvas_get_range   (EsHistogramCanvas *self, double *minimum, double *maximum);

G_END_DECLS
