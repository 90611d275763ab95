/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * What each hydrophone of an array is like beside its neighbours, by the spectra of many snapshots. It leans on what
 * holds for any sound whatever its directions are, plane waves and sources nearby together: two elements closer than a
 * quarter of a wavelength hear it with a cross-spectrum whose real part is positive; and what a group of neighbours
 * hears arrives by delays that change smoothly from place to place. Where sound does not tell, nothing is said.
 */

/* What was found of one element; several at once. The order is that of how much harm they do. */
typedef enum
{
  ES_FINDING_DEAD      = 1 << 0,       /* silent, stuck, no numbers, or 30 dB below the others */
  ES_FINDING_REVERSED  = 1 << 1,
  ES_FINDING_LATE      = 1 << 2,
  ES_FINDING_EARLY     = 1 << 3,
  ES_FINDING_NOISY     = 1 << 4,       /* what it hears is not what its neighbours hear */
  ES_FINDING_HOT       = 1 << 5,
  ES_FINDING_QUIET     = 1 << 6,
  ES_FINDING_CLIPPED   = 1 << 7,
  ES_FINDING_LEFT_OUT  = 1 << 8,       /* the array has it as dead: it was heard, but judges nobody and is not judged */
} EsFindingFlags;

#define ES_N_FINDINGS 9

typedef struct
{
  guint  flags;                /* EsFindingFlags */
  double level;                /* dB, power in the band against the median of the array; -INFINITY: silence */
  double deviation;            /* dB, against its own neighbours; NAN: it has none */
  double coherence;            /* magnitude-squared, mean over the band, of its best pair; NAN: no pair */
  double polarity;             /* 1 or -1; NAN: cannot be judged */
  double delay;                /* s, positive: late; NAN: cannot be judged */
  double delay_error;          /* s, standard error */
  double confidence;           /* 0..1, of what is found or of there being nothing; NAN: not judged */
  guint  n_pairs;              /* neighbours that it was compared with */
} EsElementFinding;

typedef struct
{
  guint a, b;                  /* a < b */
  double distance;             /* m */
} EsElementPair;

/* What was heard: of n elements at positions (n x 3, m), over bins first_frequency + b * bin_spacing. */
typedef struct
{
  guint         n;
  const double *positions;
  const guint8 *usable;        /* n: neither left out nor dead beyond doubt */
  double        sound_speed;   /* m/s */
  guint         bins;
  double        first_frequency, bin_spacing;  /* Hz */
  double        snapshots;     /* as many independent ones */
  double        longest;       /* s: the largest delay that is looked for, far below a snapshot's length */
  const double *powers;        /* n x bins: mean |X|^2 */
  guint         n_pairs;
  const EsElementPair *pairs;
  const double *cross;         /* n_pairs x bins x (real, imaginary): mean conj (X_a) X_b, transforms with e^(-j) */
} EsElementSpectra;

/* Why polarity and delay of nobody could be judged. */
typedef enum
{
  ES_CHECK_JUDGED,
  ES_CHECK_FEW,                /* under three elements that are usable */
  ES_CHECK_INCOHERENT,         /* neighbours hear next to nothing in common in this band */
  ES_CHECK_FAR,                /* too far apart for this band, and no single source that would tell all the same */
} EsCheckOutcome;

/* Each usable element's two to four nearest neighbours; transfer full, g_free (). In the order of a, then b. */
EsElementPair *es_element_pairs_find (const double *positions, const guint8 *usable, guint n, guint *n_pairs);

/* findings: n of them, whose flags CLIPPED, DEAD and LEFT_OUT may be set already; everything else is filled in. */
EsCheckOutcome es_element_check      (const EsElementSpectra *spectra, EsElementFinding *findings);

G_END_DECLS
