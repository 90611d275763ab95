/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "device/es-device.h"
#include "graph/es-neighbours.h"

G_BEGIN_DECLS

/*
 * How well coordinates, of any method (components of PCA and MNF as well), keep what lies next to each other.
 *
 * Ranks are of the order of distances from a sample to all others, the nearest 1, equal ones by index. Of n samples and
 * k neighbours:
 *   trustworthiness  1 - 2 / (n k (2 n - 3 k - 1)) * sum of (rank among the samples - k) over the pairs that are among
 *                    the k nearest in the coordinates, but not among the samples: how far intruders come from
 *   continuity       the same, both changed over: how far neighbours are torn apart
 *                    (Venna and Kaski 2001, Neighborhood preservation in nonlinear projection methods)
 *   neighbourhood hit  share of those of the same class among the k nearest in the coordinates, mean of all samples
 *                    that have a class; those without one are left out on both sides
 *                    (Paulovich and others 2008, Least square projection)
 *   residual variance  1 - R^2, R the correlation of distances among the samples with those of the coordinates
 *                    (Tenenbaum and others 2000); of the samples Euclid's, or along a graph, where one is given: then
 *                    of the pairs that it joins
 * Samples with a coordinate that is NAN are in no sum: they were left out of the embedding.
 */
typedef struct
{
  guint          k;            /* 0: the default, ES_EMBEDDING_NEIGHBOURS, or less for few samples */
  const guint32 *classes;      /* n, 0: none; nullable */
  EsNeighbours  *graph;        /* of the samples; nullable */
  /* Samples whose rows of the sums are taken, chosen by `seed`; their ranks are still among all. 0: all of them up to
   * ES_EMBEDDING_ALL samples, else ES_EMBEDDING_ANCHORS. */
  gsize          n_anchors;
  /* Of these, those that paths along the graph begin at; 0: a sixteenth of them. */
  gsize          n_paths;
  guint64        seed;
  guint          graph_k;      /* neighbours of the graph, for a plan that is made before there is one; 0: none */
} EsEmbeddingMeasures;

#define ES_EMBEDDING_NEIGHBOURS 15
#define ES_EMBEDDING_ALL 5000
#define ES_EMBEDDING_ANCHORS 2048

/* What was not asked for, or cannot be (no sample has a class; all distances are equal), is NAN, its error too. */
typedef struct
{
  double   trustworthiness, continuity, neighbourhood_hit, residual_variance;
} EsEmbeddingErrors;

typedef struct
{
  guint    k;
  gsize    n;                  /* samples in the embedding */
  gsize    n_anchors;          /* of these, those that were summed; n: all, the values are exact */
  double   trustworthiness, continuity, neighbourhood_hit, residual_variance;
  gsize    n_paths;            /* anchors whose paths were followed; 0: without a graph */
  /* Standard errors, as of anchors drawn at random without putting back (Cochran 1977, Sampling techniques, section
   * 2.6): of means from their spread, of the residual variance by leaving one out at a time (Tukey's jackknife).
   * 0: all samples were anchors. NAN: one anchor tells none. */
  EsEmbeddingErrors standard;
} EsEmbeddingQuality;

/* Share that is done, 0..1; from the thread that called. */
typedef void (*EsEmbeddingProgress) (double fraction, gpointer user_data);

/*
 * samples: n x bands, row-major float32, finite; coordinates: n x m, row-major. threads: 0: all.
 * ES_COMPUTE_ERROR_PARAMETER: k is not below half of the samples (both are told). G_IO_ERROR_CANCELLED.
 */
gboolean es_embedding_measure (EsDevice *device, guint threads, const float *samples, gsize n, guint bands,
                               const double *coordinates, guint m, const EsEmbeddingMeasures *measures,
                               EsEmbeddingQuality *quality, EsEmbeddingProgress progress, gpointer user_data,
                               GCancellable *cancellable, GError **error);
/* The same of several embeddings, n x m each, to the same numbers: distances among the samples, and along the graph,
 * are found once where the same samples are in all of them. quality: of each. */
gboolean es_embedding_measure_several (EsDevice *device, guint threads, const float *samples, gsize n, guint bands,
                                       const double *const *coordinates, guint n_embeddings, guint m,
                                       const EsEmbeddingMeasures *measures, EsEmbeddingQuality *quality,
                                       EsEmbeddingProgress progress, gpointer user_data, GCancellable *cancellable,
                                       GError **error);
/* Seconds of that on this device, and bytes of the host's memory. Pure arithmetic. */
double   es_embedding_plan    (EsDevice *device, guint threads, gsize n, guint bands, guint n_embeddings, guint m,
                               const EsEmbeddingMeasures *measures, guint64 *memory);

/*
 * Procrustes distance of two embeddings of the same samples, n x m each: both centred and scaled to a sum of squares of
 * 1, b turned, reflected and scaled to come as near to a as it can (Gower 1975); what is left is the sum of squared
 * differences, 0: the same shape, up to 1. Rows that are NAN in either are left out. NAN where one has no extent.
 */
double   es_embedding_get_procrustes (const double *a, const double *b, gsize n, guint m);

G_END_DECLS
