/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-cube.h"
#include "es-layer.h"
#include "es-operation.h"

G_BEGIN_DECLS

/* Bands x bands matrices in float64 that are there at once: covariance, eigenvectors, and what LAPACK works on. */
#define ES_PCA_MATRICES 6

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

EsPlan    es_pca_plan           (EsDataset *dataset, EsParams *params, EsDevice *device, const EsLimits *limits);
/* Components that take more bytes are kept in a file. */
guint64   es_pca_largest_stack  (const EsLimits *limits);
/* The result: layers components, eigenvalues, loadings, mean; values; warnings. Transfer full. */
EsResult *es_pca_describe       (const EsOperation *operation, EsCube *cube, EsParams *params, EsImageStack *stack,
                                 const EsPcaSummary *summary);
/* What a band's stored values must be multiplied by so that they are in the unit of band `first`'s stored values. */
double    es_pca_relative_scale (EsCube *cube, guint first, guint band);

G_END_DECLS
