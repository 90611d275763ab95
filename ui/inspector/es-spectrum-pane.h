/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "image/es-display.h"
#include "plot/es-plot.h"
#include "image/es-region-control.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * The spectra of the selected pixel and of the one under the pointer, against wavelength; bad bands are gaps, and so is
 * what lies between bands that are far apart.
 * Beside them the mean spectra of the classes, each in its colour.
 * While the cube itself is shown, its bands are markers that can be dragged; a click shows that band.
 * Shift and a drag mark bands: signal "band-selected" (double from, double to), in the x of the plot; NAN: none are any
 * more. Bands that do not take part are gaps, too.
 * Property "empty" (no spectrum yet), notified.
 */
#define ES_TYPE_SPECTRUM_PANE (es_spectrum_pane_get_type ())
G_DECLARE_FINAL_TYPE (EsSpectrumPane, es_spectrum_pane, ES, SPECTRUM_PANE, GtkWidget)

GtkWidget *es_spectrum_pane_new          (EsDisplay *display);
void       es_spectrum_pane_set_cube     (EsSpectrumPane *self, EsCube *cube);         /* nullable */
void       es_spectrum_pane_set_selected (EsSpectrumPane *self, gboolean any, guint x, guint y);
void       es_spectrum_pane_set_hovered  (EsSpectrumPane *self, gboolean any, guint x, guint y);
/* Whose classes are shown. */
void       es_spectrum_pane_set_control  (EsSpectrumPane *self, EsRegionControl *control);
EsPlot    *es_spectrum_pane_get_plot     (EsSpectrumPane *self);
/* Nothing is marked. */
void       es_spectrum_pane_unmark       (EsSpectrumPane *self);
gboolean   es_spectrum_pane_is_empty     (EsSpectrumPane *self);
gboolean   es_spectrum_pane_is_loading   (EsSpectrumPane *self);

G_END_DECLS
