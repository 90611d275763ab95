/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "solvers/es-solver-internal.h"

/* A system that is too large to be dense: a matrix that is put together row by row, and a right-hand side. */
typedef struct
{
  gsize   n, n_nonzeros;
  EskCsr  csr;
  gint32 *row_from, *column;
  double *value, *b;
} EsTestSparse;

/* most: nonzeros that there is room for. */
EsTestSparse *es_test_sparse_new  (gsize n, gsize most);
void          es_test_sparse_free (EsTestSparse *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsTestSparse, es_test_sparse_free)
/* The next nonzero, by rows and columns. */
void          es_test_sparse_put  (EsTestSparse *self, gsize row, gsize column, double value);

/* What couples two places of a grid. */
typedef double (*EsTestCoupling) (gsize x, gsize y, gsize z, gsize x2, gsize y2, gsize z2);
/* 1, which is the Laplacian; a hundredth as much across as along; a thousand times as much in every other square. */
double        es_test_even        (gsize x, gsize y, gsize z, gsize x2, gsize y2, gsize z2);
double        es_test_stretched   (gsize x, gsize y, gsize z, gsize x2, gsize y2, gsize z2);
double        es_test_jumping     (gsize x, gsize y, gsize z, gsize x2, gsize y2, gsize z2);
/*
 * Neighbours in 2 (nz = 1) or 3 dimensions; all of them around, or those across a side alone. border: also coupled to
 * what is beyond the border, as with values that are given there.
 */
EsTestSparse *es_test_sparse_grid (gsize nx, gsize ny, gsize nz, gboolean all, gboolean border,
                                   EsTestCoupling coupling);
