/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-spectral-library.h"

G_BEGIN_DECLS

/*
 * Which spectra of a library a spectrum is like: prepared once for the bands of one axis (a cube's), then asked as
 * often as wanted. Immutable, counted, for any thread.
 *
 * "angle": between the spectra as vectors, over the bands that both have and that are good; blind to brightness.
 * "fit": of absorption features. Those of the library's spectrum lie between corners of its upper convex hull, at least
 * 2 % deep and with three bands inside; over each, both spectra are divided by the straight line between its ends, and
 * the one is fitted to the other by least squares (a change of contrast). Its fit is the correlation of the two, 0
 * where the spectrum asked for bulges instead; the fit of all is their mean, weighted by the features' areas, and the
 * depth the same mean of how deep they are in the spectrum asked for. NAN where the library's spectrum has no feature,
 * or less than half of their area lies on bands that both have.
 */
typedef struct _EsSpectralMatcher EsSpectralMatcher;

typedef enum { ES_MATCH_ANGLE, ES_MATCH_FIT } EsMatchKind;

typedef struct
{
  guint  index;                /* in the library */
  guint  n_bands;              /* that both have */
  double angle;                /* radians, 0 .. pi */
  double fit;                  /* 0 .. 1, NAN: no features to compare */
  double depth;                /* of the features, as the spectrum asked for has them: a share of its continuum */
} EsSpectralMatch;

/* The library is resampled to the axis (es-resampler.h). good: a flag a band, or NULL: all are. Keeps the library.
 * Blocking. NULL: ES_DATA_ERROR, one sentence; cancelled. */
EsSpectralMatcher *es_spectral_matcher_new         (EsSpectralLibrary *library, EsSpectralAxis *axis,
                                                    const gboolean *good, GCancellable *cancellable,
                                                    GError **error);
EsSpectralMatcher *es_spectral_matcher_ref         (EsSpectralMatcher *self);
void               es_spectral_matcher_unref       (EsSpectralMatcher *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsSpectralMatcher, es_spectral_matcher_unref)
EsSpectralLibrary *es_spectral_matcher_get_library (EsSpectralMatcher *self);       /* borrowed */
/* What the search sees: on the axis. Borrowed. */
EsSpectralLibrary *es_spectral_matcher_get_resampled (EsSpectralMatcher *self);

/*
 * The best `most` spectra for values of the axis's bands (NAN where there is none), the best first; how many there are.
 * A spectrum of the library takes part where it has at least three of those bands, and a quarter of them. *n_compared
 * (nullable): how many took part.
 */
guint              es_spectral_matcher_search      (EsSpectralMatcher *self, const double *values, EsMatchKind by,
                                                    guint most, EsSpectralMatch *matches, guint *n_compared);

G_END_DECLS
