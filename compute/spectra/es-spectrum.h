/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Where the values of spectra lie: n bands with their wavelengths and widths (full width at half maximum), both in
 * nanometres, in the order in which values come. Need not rise all the way: detectors overlap. Immutable, counted, for
 * any thread; spectra that share one share it by pointer.
 */
typedef struct _EsSpectralAxis EsSpectralAxis;

/* wavelengths NULL: bands that are only numbered. fwhm NULL: not known. Both are copied. */
EsSpectralAxis *es_spectral_axis_new             (guint n, const double *wavelengths, const double *fwhm);
EsSpectralAxis *es_spectral_axis_ref             (EsSpectralAxis *self);
void            es_spectral_axis_unref           (EsSpectralAxis *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsSpectralAxis, es_spectral_axis_unref)

guint           es_spectral_axis_get_n           (const EsSpectralAxis *self);
const double   *es_spectral_axis_get_wavelengths (const EsSpectralAxis *self);     /* nullable */
const double   *es_spectral_axis_get_fwhm        (const EsSpectralAxis *self);     /* nullable */
/* The runs in which wavelengths rise, a detector each: *n of them, and where each begins; [*n] is the number of bands.
 * Borrowed. Numbered bands are one run. */
const guint    *es_spectral_axis_get_runs        (const EsSpectralAxis *self, guint *n);
/* The bands by rising wavelength. Borrowed, n of them. */
const guint    *es_spectral_axis_get_order       (const EsSpectralAxis *self);
/* Whether bands have been left out between i and i + 1 of a run: the step is more than five times as wide as those
 * beside it. Nothing is known of the spectrum there. FALSE where a run ends. */
gboolean        es_spectral_axis_has_gap         (const EsSpectralAxis *self, guint i);
/* The same bands: number, wavelengths and widths. */
gboolean        es_spectral_axis_equal           (const EsSpectralAxis *a, const EsSpectralAxis *b);

/*
 * A spectrum: a name and a value a band of its axis, NAN where there is none. Immutable, for any thread.
 */
#define ES_TYPE_SPECTRUM (es_spectrum_get_type ())
G_DECLARE_FINAL_TYPE (EsSpectrum, es_spectrum, ES, SPECTRUM, GObject)

/* Values are copied; what is not finite becomes NAN. details: lines "Key: text" of the file, nullable. The name and
 * the details are made fit to be shown. */
EsSpectrum     *es_spectrum_new         (const char *name, EsSpectralAxis *axis, const double *values,
                                         const char *details);
const char     *es_spectrum_get_name    (EsSpectrum *self);
EsSpectralAxis *es_spectrum_get_axis    (EsSpectrum *self);                         /* borrowed */
const double   *es_spectrum_get_values  (EsSpectrum *self);
guint           es_spectrum_get_n       (EsSpectrum *self);
guint           es_spectrum_count_valid (EsSpectrum *self);
const char     *es_spectrum_get_details (EsSpectrum *self);                         /* nullable */

G_END_DECLS
