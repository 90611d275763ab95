/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/es-params.h"
#include "graph/es-neighbours.h"
#include "job/es-job-internal.h"

G_BEGIN_DECLS

/*
 * Reductions of a cube along a curved manifold: a subset of its pixels is embedded by a method, and every other pixel
 * is placed by those of the subset that it lies next to. What all methods share is in es-manifold-*.c; a method is the
 * table below, in a file of its own.
 */

/* The subset: n spectra of `bands` good bands, prepared as the parameters say (values times scale, each band of unit
 * variance, or whitened), row-major float32. */
typedef struct
{
  gsize          n;
  guint          bands;
  float         *spectra;
  guint64       *pixels;       /* n: row * width + column in the cube, ascending */
} EsManifoldSamples;

/* An embedding of the subset: n x m, row-major, the first column the most important one. A sample in a part of the
 * graph that was left out is NAN in every column. */
typedef struct _EsEmbedding EsEmbedding;
typedef struct _EsManifoldMethod EsManifoldMethod;

struct _EsEmbedding
{
  const EsManifoldMethod *method;
  gsize      n;
  guint      m;
  double    *coordinates;
  double    *values;           /* m: eigenvalues or what stands for them; NULL: the method has none */
  gpointer   state;            /* the method's own, for extend () and describe () */
  GDestroyNotify free_state;
};

void es_embedding_free (EsEmbedding *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsEmbedding, es_embedding_free)

/* What embed () works with. graph: of the samples; NULL where the method needs none (kernel PCA). */
typedef struct
{
  EsJob        *job;           /* progress of the stage under way, cancellation, memory, warnings; device and threads */
  EsDevice     *device;
  guint         threads;
  const EsManifoldSamples *samples;
  EsNeighbours *graph;
  EsParams     *params;
  guint         m;             /* dimensions wanted */
  guint64       seed;
} EsManifoldInput;

/* Queries of one tile that are to be placed: spectra q x bands prepared as the samples are; their k nearest samples
 * (index, distance; q x k), of those in the embedding alone; k 0 where the method needs none. out: q x m. Several
 * threads at once. */
typedef struct
{
  gsize         q;
  guint         bands, k;
  const float  *spectra;
  const gint32 *index;
  const float  *distance;
} EsManifoldQueries;

struct _EsManifoldMethod
{
  gboolean      needs_graph;
  /* Whether parts of a graph that is not connected are each embedded by themselves (UMAP), or the largest alone. */
  gboolean      takes_parts;
  EsEmbedding *(*embed)  (const EsManifoldInput *input, GError **error);
  gboolean     (*extend) (const EsEmbedding *self, const EsManifoldSamples *samples, const EsManifoldQueries *queries,
                          float *out, GError **error);
  /* Seconds on this device and bytes of the host's memory of embed (); pure arithmetic. */
  double       (*cost)   (EsParams *params, EsDevice *device, guint threads, gsize n, guint bands, guint k, guint m,
                          guint64 *memory);
};

extern const EsManifoldMethod es_manifold_laplacian, es_manifold_lle, es_manifold_diffusion, es_manifold_isomap,
                              es_manifold_kernel_pca, es_manifold_umap;

G_END_DECLS
