/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <math.h>
#include <stdlib.h>

#include "es-beam-peaks.h"

G_BEGIN_DECLS

/* Powers over angles, as the peaks see them: where the angles go all round, the last has the first for a neighbour. */
typedef struct
{
  const EsBeamCurve *curve;
  const double *angles;
  const float  *powers;
  guint         n;             /* without a first that is there once more at the end */
  double        turn;          /* degrees once round, in the order of the angles; 0: they do not go all round */
} EsBeamScan;

/* A maximum as it stands between the angles, and how far another one has to be away, degrees. */
typedef struct
{
  EsBeamPeak peak;
  double     exclusive;
} EsBeamCandidate;

EsBeamScan  _es_beam_scan               (const EsBeamCurve *curve);
/* One row of a field. */
EsBeamCurve _es_beam_scan_row_of        (const EsBeamCurve *curve, guint row);
gboolean    _es_beam_scan_is_edge       (const EsBeamScan *scan, guint i);
/* Where the parabola through three levels has its top, and how far that is above the middle one, dB; angles need not be
 * equally far apart. FALSE: it has none. */
gboolean    _es_beam_scan_find_parabola (const EsBeamScan *scan, int i, double *angle, double *rise);
/* exclusive: how far another peak has to be away, degrees. */
EsBeamPeak  _es_beam_scan_describe      (const EsBeamScan *scan, guint i, double *exclusive);
/* Of a plateau the middle. Returns how many there are. */
guint       _es_beam_scan_find_maxima   (const EsBeamScan *scan, guint *maxima);

/* Strongest first, for qsort (). */
int         _es_beam_candidate_compare  (const void *a, const void *b);
/* Whether a maximum stands apart from a stronger one: outside of its width, or with a valley between them that is half
 * as high as it is at most. What is wide, as moving ships leave it in a mean, may have a neighbour nearer than that. */
gboolean    _es_beam_candidate_is_apart (const EsBeamScan *scan, const EsBeamCandidate *stronger,
                                         const EsBeamPeak *peak);

/* k from -n to 2 n - 1. */
static inline guint
index_of (const EsBeamScan *scan, int k)
{
  const int n = (int) scan->n;

  return (guint) (k < 0 ? k + n : k >= n ? k - n : k);
}

static inline double
angle_at (const EsBeamScan *scan, int k)
{
  const int n = (int) scan->n;

  return scan->angles[index_of (scan, k)] + (k < 0 ? -scan->turn : k >= n ? scan->turn : 0);
}

static inline double
distance_of (const EsBeamScan *scan, double a, double b)
{
  return scan->turn == 0 ? fabs (a - b) : fabs (remainder (a - b, 360));
}

/* A power that can be compared: what is missing lies below everything. */
static inline double
power_at (const float *powers, guint i)
{
  return powers[i] > 0 && isfinite (powers[i]) ? powers[i] : 0;
}

static inline double
to_level (double power)
{
  return 10 * log10 (power);
}

G_END_DECLS
