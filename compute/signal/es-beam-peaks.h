/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-beam-curve.h"

G_BEGIN_DECLS

/* A direction of arrival (sonar.md 11): a maximum of the curve between the angles where it is known, otherwise refined
 * by a parabola through three values in dB. */
typedef struct
{
  double   bearing;            /* degrees */
  guint    index;              /* of the angle */
  guint    row;                /* of the field */
  double   power;
  double   level;              /* dB: 10 log10 power */
  double   width;              /* degrees between the points 3 dB below; NAN where it does not fall so far */
  double   margin;             /* dB over the best row but this (field) or over the next peak (one row); NAN: none */
  gboolean at_edge;            /* at an end of the search: flagged, not refined */
} EsBeamPeak;

/*
 * Local maxima of a curve, strongest first: at most `count`, not more than `range_db` under the strongest, at least
 * `distance` degrees apart, and one -3 dB width or a valley 3 dB below the weaker one. Returns how many; 0 where all
 * powers are NAN or 0.
 */
guint es_find_peaks       (const EsBeamCurve *curve, guint count, double range_db, double distance,
                           EsBeamPeak *peaks);
/* The maximum of a field of n_rows curves, whose powers lie one after the other (spectra are not looked at), with the
 * margin over the best other row at any angle. FALSE: there is none. */
gboolean es_find_field_peak (const EsBeamCurve *curve, guint n_rows, EsBeamPeak *peak);
/* Peaks over all rows of a field, each in the row in which it is strongest; margins over the best other row within the
 * peak's width (one row: over the next peak, with the curve's spectra). Otherwise as es_find_peaks (). */
guint es_find_peaks_of_field (const EsBeamCurve *curve, guint n_rows, guint count, double range_db, double distance,
                              EsBeamPeak *peaks);

/* How many of n peaks, the strongest first, are no mere noise of adaptive beams, of these powers over the bearings: 3
 * dB or more over their median. */
guint es_peaks_above_noise  (const EsBeamPeak *peaks, guint n, const float *powers, guint n_powers);

G_END_DECLS
