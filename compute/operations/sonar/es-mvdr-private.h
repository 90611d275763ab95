/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beam/es-adaptive-compare.h"
#include "es-beam-layers-private.h"

G_BEGIN_DECLS

/* What a run of adaptive beams gathers beside the beams. */
typedef struct
{
  EsBeamGather gather;         /* the first member */
  guint        n_alive;

  GArray      *aic, *mdl;      /* of each block how many sources there are, by both criteria (guint) */

  /* Of the blocks' reports: sums of rotations; of the last block method and loading; the most otherwise. */
  EsAdaptiveMethod method;
  double       loading, off;
  guint        used, sweeps;
  guint64      rotations;

  /* A closer look at the strongest arrival; NULL: none. */
  EsCurve     *pattern;
  double       pattern_bearing, pattern_frequency;
  EsAdaptiveRoute *routes;     /* every method on one block; NULL: not asked for */
} EsMvdr;

/* How many snapshots the matrices are made of: of the best block. */
double    es_mvdr_get_snapshots (EsMvdr *self);
EsResult *es_mvdr_describe      (EsMvdr *self, GError **error);

G_END_DECLS
