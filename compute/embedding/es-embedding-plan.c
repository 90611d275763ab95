/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-embedding-private.h"

#include <math.h>

#include "graph/es-neighbours-searcher-internal.h"

/* Bytes of the distances that are in memory at once, and the anchors that they are of at most. */
#define BATCH_BYTES (32 << 20)
#define MOST_BATCH 256
/* One anchor out of so many begins paths. */
#define PATHS 16
/* Operations of one sample as another's neighbour, beside its bands and coordinates; of one edge of a path. */
#define SAMPLE_WORK 100
#define EDGE_WORK 2000

guint
es_embedding_choose_k (gsize n, guint k)
{
  if (k > 0 || n < 3)
    return k;
  return MIN (ES_EMBEDDING_NEIGHBOURS, (n - 1) / 2);
}

EsEmbeddingPlan
es_embedding_make_plan (EsDevice *device, guint threads, gsize n, guint bands, guint n_embeddings, guint m,
                        const EsEmbeddingMeasures *measures)
{
  EsDevice *cpu = es_device_get_cpu ();
  const guint lanes = es_device_get_lanes (cpu), used = threads > 0 ? MIN (threads, lanes) : lanes;
  const double flops = es_device_get_flops (cpu) * used / lanes;
  const double on_device = es_device_is_cpu (device) ? flops / 16 : es_device_get_flops (device) / 16;
  EsEmbeddingPlan plan = { 0 };
  double ranks, paths = 0;

  plan.n_anchors = measures->n_anchors > 0 ? measures->n_anchors : n <= ES_EMBEDDING_ALL ? n : ES_EMBEDDING_ANCHORS;
  plan.n_anchors = CLAMP (plan.n_anchors, 1, MAX (n, 1));
  plan.batch = CLAMP (BATCH_BYTES / sizeof (double) / MAX (n, 1), 1, MOST_BATCH);
  ranks = (double) plan.n_anchors * n * (2.0 * bands / on_device
                                              + n_embeddings * (SAMPLE_WORK + 8.0 * m) / flops);
  plan.memory = plan.batch * (n * sizeof (double) + bands * sizeof (float)) + n * used * sizeof (double)
                + plan.n_anchors * n_embeddings * 80;
  if (measures->graph != NULL || measures->graph_k > 0)
    {
      const guint k = measures->graph != NULL ? es_neighbours_get_k (measures->graph) : measures->graph_k;

      plan.n_paths = measures->n_paths > 0 ? MIN (measures->n_paths, plan.n_anchors) : MAX (plan.n_anchors / PATHS, 1);
      paths = (double) plan.n_paths * n * 2 * k * EDGE_WORK / flops;
      plan.memory += n * (k * 16 + 8) + n * used * 24;
    }
  plan.seconds = ranks + paths;
  plan.share_of_paths = plan.seconds > 0 ? paths / plan.seconds : 0;
  return plan;
}

double
es_embedding_plan (EsDevice *device, guint threads, gsize n, guint bands, guint n_embeddings, guint m,
                   const EsEmbeddingMeasures *measures, guint64 *memory)
{
  const EsEmbeddingPlan plan = es_embedding_make_plan (es_neighbours_choose_device (device), threads, n, bands,
                                                       n_embeddings, m, measures);

  if (memory != NULL)
    *memory = plan.memory;
  return plan.seconds;
}
