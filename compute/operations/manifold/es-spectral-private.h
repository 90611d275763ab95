/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-manifold-private.h"
#include "es-sparse.h"

G_BEGIN_DECLS

/* What the methods that take eigenvectors of a sparse matrix of the graph have in common. */

/* Most dimensions. */
#define ES_SPECTRAL_MOST 64

/* ---- the graph: es-spectral-graph.c ---- */

/* Symmetric, n x n. */
typedef struct
{
  gsize   n;
  gint32 *row_from;            /* n + 1 */
  gint32 *column;              /* ascending in a row */
  double *value;
} EsSpectralMatrix;

void     es_spectral_matrix_clear (EsSpectralMatrix *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsSpectralMatrix, es_spectral_matrix_clear)
EskCsr   es_spectral_matrix_csr   (const EsSpectralMatrix *self);

/*
 * i and j are joined where one of them is a neighbour of the other; the values are their distances. diagonal: every
 * point is also joined to itself, at 0. ES_COMPUTE_ERROR_MEMORY, also of 2^31 values; cancelled with the job.
 */
gboolean es_spectral_join (const EsManifoldInput *input, gboolean diagonal, EsSpectralMatrix *matrix, GError **error);

/* None that is joined weighs less, so that it stays joined whatever the width. */
#define ES_SPECTRAL_LEAST_WEIGHT 1e-30

/* How alike two points at a distance are: 1, or exp (-d^2 / 2 sigma^2). */
typedef struct
{
  gboolean  binary;
  double    sigma;             /* 0: half the larger of the two reaches */
  double   *reach;             /* n: the distance to the farthest neighbour that was kept */
} EsSpectralKernel;

void     es_spectral_kernel_init  (EsSpectralKernel *self, EsNeighbours *graph, gboolean binary, double sigma);
void     es_spectral_kernel_clear (EsSpectralKernel *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsSpectralKernel, es_spectral_kernel_clear)

static inline double
es_spectral_kernel_sigma (const EsSpectralKernel *self, double reach, double other)
{
  return self->sigma > 0 ? self->sigma : MAX (reach, other) / 2;
}

double   es_spectral_weigh        (const EsSpectralKernel *self, double distance, double reach, double other);
/* Distances become weights; degree (n): their sums by row. */
void     es_spectral_weigh_all    (const EsSpectralKernel *self, EsSpectralMatrix *matrix, double *degree);
/* value_ij becomes (i = j) - value_ij / sqrt (degree_i degree_j); every row gets its diagonal. */
gboolean es_spectral_normalise    (EsSpectralMatrix *matrix, const double *degree, GError **error);
/* The sample that a query coincides with, at distance 0; -1: none. */
gssize   es_spectral_find_twin    (const EsManifoldQueries *queries, gsize query);

/* ---- links that count: es-spectral-links.c ---- */

/*
 * The same neighbours, with the point itself in the place of each one whose link does not count by a Gaussian kernel of
 * width sigma (> 0): whose share of the normalised matrix is lost in rounding beside the others. diagonal:
 * es_spectral_join ()'s; alpha: of the density that is divided out. NULL with *error: no memory, cancelled.
 */
EsNeighbours *es_spectral_find_links (const EsManifoldInput *input, gboolean diagonal, double sigma, double alpha,
                                      GError **error);
/* A sentence on what that width does, and what to do. Transfer full. */
char    *es_spectral_describe_width (EsNeighbours *graph, double sigma);
/* Where *error is ES_COMPUTE_ERROR_NUMERIC and a width was told (sigma > 0) it becomes a sentence that names it as the
 * cause. FALSE. */
gboolean es_spectral_tell_width   (EsNeighbours *graph, double sigma, GError **error);

/* ---- its eigenvectors: es-spectral-solve.c ---- */

/*
 * The m smallest eigenvalues of a positive semidefinite matrix (ascending) but for the one whose vector, `trivial` (n,
 * unit length), is known and means nothing; vectors n x m, columns of unit length. filter: some values are expected
 * to lie well apart from the rest, as a normalised Laplacian's.
 */
gboolean es_spectral_solve        (const EsManifoldInput *input, const EsSpectralMatrix *matrix, gboolean filter,
                                   const double *trivial, double *values, double *vectors, GError **error);
/* Each column's entry of largest magnitude becomes positive. */
void     es_spectral_fix_signs    (gsize n, guint m, double *coordinates);
/* An embedding of n x m with room for values. NULL with *error: no memory, or not more samples than dimensions. */
EsEmbedding *es_spectral_embedding_new (const EsManifoldMethod *method, const EsManifoldInput *input, gpointer state,
                                        GDestroyNotify free_state, GError **error);
/* Seconds and bytes of solving for m vectors of n rows, each of about `row` values. filter: es_spectral_solve ()'s. */
double   es_spectral_cost         (gsize n, double row, guint m, gboolean filter, guint64 *memory);

/* ---- the weights of locally linear embedding: es-lle-weights.c, es-lle-matrix.c ---- */

/*
 * The weights (k, their sum 1) by which a point is put together best from k others (n x bands, which index names):
 * their local Gram matrix with the share `regularisation` of its trace on the diagonal. work: es_lle_work_size ().
 * FALSE: no memory.
 */
gboolean es_lle_weigh             (const float *point, const float *spectra, const gint32 *index, guint k,
                                   guint bands, double regularisation, double *work, double *weights);
gsize    es_lle_work_size         (guint k, guint bands);

/*
 * (I - W)' (I - W) of the samples; of modified LLE (Zhang and Wang 2006) the sum over all samples of what several sets
 * of weights give. Cancelled with the job.
 */
gboolean es_lle_find_matrix       (const EsManifoldInput *input, gboolean modified, double regularisation,
                                   EsSpectralMatrix *out, GError **error);
/* The sum of matrices of k + 1 points each: local (n x (k + 1) (k + 2) / 2, lower triangles by rows) of point i belongs
 * to i itself, first, and to its neighbours. */
gboolean es_lle_assemble          (const EsManifoldInput *input, const double *local, EsSpectralMatrix *out,
                                   GError **error);

/* ---- paths: es-isomap-paths.c ---- */

/* Lengths of the shortest paths along joined points from each of n_sources points (ascending): n x n_sources, INFINITY
 * where there is none. Cancelled with the job. Transfer full; NULL with *error. */
float   *es_isomap_find_paths     (const EsManifoldInput *input, const EsSpectralMatrix *joined, const gsize *sources,
                                   gsize n_sources, GError **error);
/* Bytes of its memory while it runs. */
guint64  es_isomap_count_bytes    (gsize n, gsize n_sources);

G_END_DECLS
