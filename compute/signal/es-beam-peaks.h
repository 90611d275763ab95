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
 * What a display of a curve by its angles would miss: the top of a peak between them, which is higher than the power at
 * the angle nearest to it. Adaptive beams of a loud source rise by 10 dB between two angles.
 */
#define ES_BEAM_MOST_LIFTS 16
typedef struct
{
  guint index;                 /* the angle nearest to the top */
  float bearing;               /* of the top, degrees */
  float power;                 /* of the top */
  float sample;                /* the curve's power at that angle */
} EsBeamLift;

/*
 * Local maxima of a curve, strongest first: at most `count`, not more than `range_db` under the strongest, at least
 * `distance` degrees apart, and one -3 dB width or a valley 3 dB below the weaker one. Returns how many; 0 where all
 * powers are NAN or 0.
 */
guint es_find_peaks       (const EsBeamCurve *curve, guint count, double range_db, double distance,
                           EsBeamPeak *peaks);
/* The same, and lifts (ES_BEAM_MOST_LIFTS of them, the strongest) of all tops that are known and no mere noise, listed
 * or not, one at an angle. *n_lifts: how many. */
guint es_find_peaks_and_lifts (const EsBeamCurve *curve, guint count, double range_db, double distance,
                               EsBeamPeak *peaks, EsBeamLift *lifts, guint *n_lifts);
/* Powers at the angles, in place, as displays and files have them: at each the highest of the curve nearest to it. */
void  es_beam_lift              (float *powers, const EsBeamLift *lifts, guint n_lifts);
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
