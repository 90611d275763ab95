/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Powers over angles, as peaks are looked for in them. Angles ascend or descend; where they go all round (360 degrees,
 * with or without the first once more at the end), the last and the first are neighbours.
 *
 * Between its angles the power of conventional beams is a sum of cosines of the distances between elements, in the
 * cosine of a line's angle or in the azimuth, and so is the reciprocal of the power of adaptive beams at one frequency
 * (a' R^-1 a): where angles are close enough (es-beam-grid-internal.h) the true curve goes through all of them, and
 * its tops are found between them.
 */
typedef struct
{
  const double *angles;        /* degrees */
  const float  *powers;        /* n */
  guint         n;
  gboolean      line;          /* from a line's axis, 0 to 180 degrees: 0 and 180 are no edges of a search */
  gboolean      fine;          /* close enough for the curve between them to be known; FALSE: a parabola in dB */
  gboolean      reciprocal;    /* it is the reciprocal that is such a sum */
  /* Of the reciprocal ones, whose curve is not known without them: `n_bins` powers at each angle, `stride` apart, that
   * add up to the power (MUSIC's do not). Nullable. */
  const float  *spectra;
  /* Of means over blocks, whose curve is no such sum either: the means of es_beam_curve_add_between (). Nullable. */
  const double *between;
  guint         n_bins, stride;
  guint         row;           /* of a field: whose spectra and means these are */
} EsBeamCurve;

/* degrees once round, in the order of the angles; 0: they do not go all round. *n: angles without a repeated first. */
double es_beam_curve_get_turn (const EsBeamCurve *self, guint *n);
/* How many values there are from one angle to the next one. */
#define ES_BEAM_CURVE_BETWEEN 8
/* Adds what a reciprocal curve with spectra is at each angle and between it and the next (all round, or up to the last)
 * to n x ES_BEAM_CURVE_BETWEEN sums. FALSE: it is not known there. */
gboolean es_beam_curve_add_between (const EsBeamCurve *self, double *sums);
/* Where the top near angle i is, which is not below its neighbours (before, after: -1 where there is none); *power is
 * what stands there. FALSE: the curve between the angles is not known. Of a curve that goes all round the angle may lie
 * beyond the first or the last. */
gboolean es_beam_curve_find_top (const EsBeamCurve *self, guint i, double *angle, double *power);
/* Where between two angles near angle i the curve falls to a power: it is above at the one, not above at the other.
 * FALSE: it is not known. */
gboolean es_beam_curve_find_crossing (const EsBeamCurve *self, guint i, double above, double below, double power,
                                      double *angle);

/* Of a reciprocal curve of a line, its powers alone: out[i] is what it is where the cosine is `factor` times that of
 * angle i; beyond the axis, what it is there. FALSE: the curve between the angles is not known. */
gboolean es_beam_curve_stretch (const EsBeamCurve *self, double factor, float *out);

G_END_DECLS
