/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-spectrum.h"

G_BEGIN_DECLS

/* What a spectrum is turned into to be compared or looked at. values and out: one a band of the axis, NAN where there
 * is none; out may be values. Positions are wavelengths, or numbers of bands where there are none. */

/* The upper convex hull of its values, by rising wavelength, at each band that has a value. */
void es_spectrum_find_continuum   (const EsSpectralAxis *axis, const double *values, double *out);
/* Values divided by their continuum; NAN where that is not above 0. */
void es_spectrum_remove_continuum (const EsSpectralAxis *axis, const double *values, double *out);
/* From 0, its least value, to 1, its greatest; NAN where all are the same. */
void es_spectrum_normalise        (const EsSpectralAxis *axis, const double *values, double *out);
/* The first or second derivative by nanometre (by band), of the parabola through a band and its neighbours; within one
 * run (a detector); NAN at its ends, at gaps, and where a neighbour has no value. */
void es_spectrum_derive           (const EsSpectralAxis *axis, const double *values, guint order, double *out);

G_END_DECLS
