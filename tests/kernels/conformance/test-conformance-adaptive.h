/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What adaptive beams are held against each other with: a CPU's and a card's that hear the same. */

#include "test-conformance.h"

/* Snapshots that come in one after another. */
typedef struct
{
  size_t snapshots;
  double keep, weight;
} Part;

typedef struct
{
  size_t   elements, n_foci, bins, before;     /* bins of the spectra before the plan's */
  size_t   columns;                            /* 0: the matrix is kept */
  Part     parts[4];                           /* up to one without snapshots */
  double   loading;
  gboolean scattered;                          /* elements anywhere, every third focus near */
  gboolean dead, silent;                       /* every fifth element; the plan's second bin */
} AdaptiveCase;

typedef struct
{
  EskAdaptive *cpu, *card;
} Pair;

EskAdaptive *adaptive_new (const EskHotspots *table, EskStream *stream, const AdaptiveCase *c, int *code);
/* Noise, and three waves; owned by the caller. */
float       *make_values  (const AdaptiveCase *c, guint part, EskSpectra *spectra);

/* Both have heard all parts of the case. FALSE: there is nothing, and that has been told. */
gboolean     pair_new     (const AdaptiveCase *c, Pair *pair);
gboolean     pair_hear    (const AdaptiveCase *c, Pair *pair, guint part);
void         pair_clear   (Pair *pair);
