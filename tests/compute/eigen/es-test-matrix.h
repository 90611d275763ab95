/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Sparse matrices of tests: put together value by value. */

#include "eigen/es-sparse-eigen-internal.h"

typedef struct
{
  EskCsr  csr;                 /* what es_test_matrix_finish () made */
  gsize   n;
  GArray *row, *column, *value;
  gint32 *row_from, *columns;
  double *values;
} EsTestMatrix;

EsTestMatrix *es_test_matrix_new    (gsize n);
void          es_test_matrix_free   (EsTestMatrix *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsTestMatrix, es_test_matrix_free)
/* A value that is there already grows by it. */
void          es_test_matrix_add    (EsTestMatrix *self, gsize row, gsize column, double value);
/* Two points of a graph are joined: its Laplacian D - W. */
void          es_test_matrix_join   (EsTestMatrix *self, gsize i, gsize j, double weight);
const EskCsr *es_test_matrix_finish (EsTestMatrix *self);
/* n x n, transfer full. */
double       *es_test_matrix_dense  (const EskCsr *matrix);
/* Every pair by itself, and all of them at right angles, computed here. */
void          es_test_matrix_assert_pairs (const EskCsr *matrix, guint m, const double *values, const double *vectors,
                                           double tolerance);
/* es_sparse_eigen_find () without an error. */
EsEigenFacts  es_test_matrix_find   (const EskCsr *matrix, EsEigenEnd end, guint m, const EsEigenOptions *options,
                                     double *values, double *vectors);
