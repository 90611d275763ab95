/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <math.h>

#include "es-embedding-quality.h"

G_BEGIN_DECLS

/* How a measurement goes about. */
typedef struct
{
  gsize   n_anchors, n_paths;  /* n_paths: of these, 0 without a graph */
  gsize   batch;               /* anchors whose distances are in memory at once */
  double  share_of_paths;      /* of the time */
  double  seconds;
  guint64 memory;
} EsEmbeddingPlan;

/* Whether a sample is in an embedding: one that is not has coordinates that are not finite. */
static inline gboolean
es_embedding_is_there (const double *row, guint m)
{
  for (guint c = 0; c < m; c++)
    if (!isfinite (row[c]))
      return FALSE;
  return TRUE;
}

/* 0: there are too few samples. */
guint           es_embedding_choose_k (gsize n, guint k);
EsEmbeddingPlan es_embedding_make_plan (EsDevice *device, guint threads, gsize n, guint bands, guint n_embeddings,
                                        guint m, const EsEmbeddingMeasures *measures);

G_END_DECLS
