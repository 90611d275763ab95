/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "image/es-display.h"
#include "picture/es-picture.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * Histogram and stretch of what is shown: handles to drag, the same numbers to type, the cut at both ends to
 * choose. For a composite the channel whose handles are shown is chosen by R, G, B. Writes to picture and
 * display.
 */
#define ES_TYPE_HISTOGRAM_VIEW (es_histogram_view_get_type ())
G_DECLARE_FINAL_TYPE (EsHistogramView, es_histogram_view, ES, HISTOGRAM_VIEW, GtkWidget)

GtkWidget *es_histogram_view_new         (EsDisplay *display, EsPicture *picture);
/* As dragging does; plane is that of the picture: 0, or 0..2 for a composite. */
void       es_histogram_view_set_stretch (EsHistogramView *self, guint plane, double low, double high);

G_END_DECLS
