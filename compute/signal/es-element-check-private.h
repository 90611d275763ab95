/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-element-check.h"

G_BEGIN_DECLS

/* What one pair says. */
typedef struct
{
  double coherence;            /* magnitude-squared, mean over the bins that count */
  double sign;                 /* 1, -1; 0: it does not tell */
  double strength;             /* of the sign, in standard deviations */
  double delay, delay_error;   /* s, by which b hears later than a, the sign taken away; NAN */
} EsPairFinding;

/* weights: bins; how much of what neighbours hear is common. Returns how coherent they are at all (0..1). */
double es_element_weigh_bins   (const EsElementSpectra *spectra, double *weights, double *coherence);
/* FALSE: too far apart for this band, and no one source. */
gboolean es_element_judge_pair (const EsElementSpectra *spectra, guint pair, const double *weights,
                                const double *coherence, EsPairFinding *finding);
/* Polarity and its confidence of every element. */
void   es_element_judge_polarity (const EsElementSpectra *spectra, const EsPairFinding *pairs,
                                  EsElementFinding *findings);
/* Delay of every element whose polarity is known. */
void   es_element_judge_delays (const EsElementSpectra *spectra, const EsPairFinding *pairs,
                                EsElementFinding *findings);
/* The `most` nearest of the usable ones to element i, itself first, by distance; returns how many. order: the elements
 * sorted along `axis`, place: where each is in it; es_element_order (). */
typedef struct
{
  const double *positions;
  guint         n, axis;
  guint        *order, *place;
} EsElementOrder;
void   es_element_order_init   (EsElementOrder *self, const double *positions, const guint8 *usable, guint n);
void   es_element_order_clear  (EsElementOrder *self);
guint  es_element_nearest      (const EsElementOrder *self, guint i, guint most, guint *nearest, double *distances);

G_END_DECLS
