/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-cube.h"
#include "es-job-private.h"
#include "es-layer.h"
#include "es-operation.h"

G_BEGIN_DECLS

/* Bands x bands matrices in float64 that are there at once: covariance, eigenvectors, and what LAPACK works on. */
#define ES_PCA_MATRICES 7

/* How long the stages take, for the progress. */
#define ES_PCA_WEIGHT_RANGES 0.2
#define ES_PCA_WEIGHT_COVARIANCE 0.55
#define ES_PCA_WEIGHT_EIGENPROBLEM 0.05
#define ES_PCA_WEIGHT_TRANSFORM 0.2

/* What the first stages found: kept with the result, so that a moved threshold repeats only the projection. */
typedef struct
{
  gatomicrefcount  references;
  guint            n;                       /* bands used */
  guint32         *bands;
  double          *no_data, *minimum, *maximum;
  gint64           count;                   /* valid pixels */
  double          *mean, *covariance;       /* of the values summed */
  double          *scale;                   /* a band: what the values were multiplied by in the eigenproblem */
  double          *values, *vectors;        /* row k = eigenvector k */
  double           total;                   /* variance */
  guint            constant_bands;
  guint            sweeps;
  double           off_norm;
} EsPcaState;

EskSelection  es_pca_selection      (EsPcaState *state);
/* Sets ES_COMPUTE_ERROR_MEMORY: the host has no room for `what`. Returns NULL. */
gpointer      es_pca_out_of_memory  (const char *what, GError **error);

/* The steps, each a stage of the job or several: es-pca-sums.c, es-pca-solve.c, es-pca-project.c. */
gboolean      es_pca_find_sums      (EsJob *job, EsCube *cube, EsPcaState *state, EsParams *params, GError **error);
gboolean      es_pca_solve          (EsJob *job, EsCube *cube, EsPcaState *state, EsParams *params, GError **error);
EsImageStack *es_pca_project        (EsJob *job, EsCube *cube, EsPcaState *state, EsParams *params, guint m,
                                     GError **error);

/* What a PCA found, for its description; everything borrowed. */
typedef struct
{
  guint          n;              /* bands used */
  const guint32 *bands;
  gint64         count;          /* valid pixels */
  const double  *mean;           /* n, of the values summed */
  const double  *values;         /* n eigenvalues, descending, >= 0 */
  const double  *vectors;        /* n x n, row k = eigenvector k */
  double         total;          /* sum of the eigenvalues */
  guint          constant_bands;
  guint          sweeps;         /* Jacobi; 0: LAPACK */
  double         off_norm;
  guint          m;              /* components kept */
} EsPcaSummary;

/* Whether m components stay on the GPUs, where they are made: all planes fit beside the cube or what passes by of it,
 * nobody wants a file, and the tiles are whole rows. */
gboolean  es_pca_keeps_on_device (EsCube *cube, EsDevice *device, const EsLimits *limits, guint n, guint m);
EsPlan    es_pca_plan           (EsDataset *dataset, EsParams *params, EsDevice *device, const EsLimits *limits);
/* Components that take more bytes are kept in a file. */
guint64   es_pca_largest_stack  (const EsLimits *limits);
/* The result: layers components, eigenvalues, loadings, mean; values; warnings. Transfer full. */
EsResult *es_pca_describe       (const EsOperation *operation, EsCube *cube, EsParams *params, EsImageStack *stack,
                                 const EsPcaSummary *summary);
/* What a band's stored values must be multiplied by so that they are in the unit of band `first`'s stored values. */
double    es_pca_relative_scale (EsCube *cube, guint first, guint band);

G_END_DECLS
