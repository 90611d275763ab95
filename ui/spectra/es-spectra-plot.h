/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "charts/es-plot-view.h"
#include "es-spectra-look.h"
#include "spectra/es-spectrum-collection.h"

G_BEGIN_DECLS

/*
 * The plot of a collection, with one spectrum more that only passes: what is under the pointer, or is looked at in a
 * list. Not a widget. Signal "changed": other spectra, or another cursor.
 */
#define ES_TYPE_SPECTRA_PLOT (es_spectra_plot_get_type ())
G_DECLARE_FINAL_TYPE (EsSpectraPlot, es_spectra_plot, ES, SPECTRA_PLOT, GObject)

EsSpectraPlot       *es_spectra_plot_new         (EsSpectrumCollection *collection);
EsPlot              *es_spectra_plot_get_plot    (EsSpectraPlot *self);
const EsSpectraLook *es_spectra_plot_get_look    (EsSpectraPlot *self);
void                 es_spectra_plot_set_look    (EsSpectraPlot *self, const EsSpectraLook *look);
/* What lies between two spectra that are stacked, chosen or found. */
double               es_spectra_plot_get_offset  (EsSpectraPlot *self);
/* Drawn greyly: slot 0 what is under the pointer, 1 an entry of a list. NULL: none. */
void                 es_spectra_plot_set_passing (EsSpectraPlot *self, guint slot, EsSpectrum *spectrum);
/* Where the cursor is, "2203.7 nm"; NULL: nowhere. Transfer full. */
char                *es_spectra_plot_tell_cursor (EsSpectraPlot *self);
/* The value of one at the cursor, as it is drawn but for the offset, and its band. FALSE: it has none there. */
gboolean             es_spectra_plot_get_value   (EsSpectraPlot *self, EsKeptSpectrum *kept, double *value,
                                                  guint *band);

G_END_DECLS
