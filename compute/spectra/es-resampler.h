/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube.h"
#include "es-spectral-library.h"

G_BEGIN_DECLS

/* The bands of a cube as an axis; numbered ones where it has no wavelengths. Transfer full. */
EsSpectralAxis *es_spectral_axis_of_cube (EsCube *cube);

/*
 * From the bands of one axis to those of another. Immutable, counted, for any thread.
 *
 * A band of the target is a Gaussian of its width (FWHM; where the target has none, the mean distance of its
 * neighbours), and its value the mean of the spectrum, straight lines between samples, weighted by it: exact, by the
 * integral of each piece. Where the source is coarser than the band (samples farther apart than half its FWHM, or bands
 * as wide as its own), the spectrum is interpolated at the band's centre. A sample at the very centre of such a band is
 * taken as it is. No value: where more than 5 % of the Gaussian lies on what is missing, beyond the ends, or in a gap
 * of the source (es_spectral_axis_has_gap ()); where interpolated, if either neighbour
 * is missing. Of a source whose detectors overlap, the one in which the centre lies deepest.
 */
typedef struct _EsResampler EsResampler;

/* NULL: either has no wavelengths; ES_DATA_ERROR_UNSUPPORTED, one sentence. */
EsResampler    *es_resampler_new          (EsSpectralAxis *from, EsSpectralAxis *to, GError **error);
EsResampler    *es_resampler_ref          (EsResampler *self);
void            es_resampler_unref        (EsResampler *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsResampler, es_resampler_unref)
/* values: of the source's bands; out: of the target's, NAN where there is none. */
void            es_resampler_run          (const EsResampler *self, const double *values, double *out);
/* How many bands of the target are made by the Gaussian, by interpolation, and not at all. */
void            es_resampler_count        (const EsResampler *self, guint *n_integrated, guint *n_interpolated,
                                           guint *n_missing);
/* The target has no widths, and the spacing of its bands stands for them. */
gboolean        es_resampler_takes_spacing (const EsResampler *self);

/* A library on the bands of another axis; its notes say what was integrated, interpolated and not covered. NULL:
 * ES_DATA_ERROR, one sentence; cancelled. Blocking. */
EsSpectralLibrary *es_spectral_library_resample (EsSpectralLibrary *self, EsSpectralAxis *to, GCancellable *cancellable,
                                                 GError **error);

G_END_DECLS
