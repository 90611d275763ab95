/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-colormap.h"

G_BEGIN_DECLS

/* How the values between two ends are spread over the 256 steps from dark to bright. */
typedef enum
{
  ES_STRETCH_LINEAR,
  ES_STRETCH_SQUARE_ROOT,
  ES_STRETCH_LOGARITHM,        /* ln (1 + 100 u) / ln 101 of the share u of the way */
  ES_STRETCH_GAUSSIAN,         /* the histogram becomes a normal distribution, three deviations to either end */
  ES_STRETCH_EQUALISE,         /* as many values in every step */
  ES_N_STRETCHES,
} EsStretch;

const char *es_stretch_id     (EsStretch stretch);                     /* "equalise" */
const char *es_stretch_title  (EsStretch stretch);                     /* N_(), msgid */
gboolean    es_stretch_find   (const char *id, EsStretch *stretch);
/* Whether it depends on the values there are, not on the ends alone. */
gboolean    es_stretch_counts (EsStretch stretch);

#define ES_STRETCH_STEPS 255

/* The values at which the steps 1 .. 255 begin, ascending from low to high (low < high, finite): a value is of the step
 * of how many of them are at or below it. statistics: of the values there are (es_stretch_counts ()). */
void        es_stretch_fill   (EsStretch stretch, double low, double high, const EsPlaneStatistics *statistics,
                               float thresholds[ES_STRETCH_STEPS]);

/* The two ends: what is left of the values when a fraction (0.02 = 2 %) is cut off at both; symmetric: about zero. Of
 * nearly equal values all of them. */
void        es_stretch_cut        (const EsPlaneStatistics *statistics, double fraction, gboolean symmetric,
                                   double ends[2]);
/* So many standard deviations either way of the mean. */
void        es_stretch_deviations (const EsPlaneStatistics *statistics, double deviations, double ends[2]);

G_END_DECLS
