/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Sparse matrices that products and formats are tried with, and their product by dense algebra. */

#include <glib.h>

#include "es-sparse.h"

typedef struct
{
  EskCsr   csr;
  gint32  *row_from, *column;
  void    *value;
} TestMatrix;

typedef enum
{
  TEST_GOLDEN,                 /* the 4 x 4 example of sparse.md 1.0 */
  TEST_NO_ROWS, TEST_NO_COLUMNS, TEST_NO_NONZEROS, TEST_ONE,
  TEST_NARROW,                 /* 257 x 129, lengths 0 to 5 */
  TEST_WIDE,                   /* 31 x 4001, lengths 0 to 90 */
  TEST_TALL,                   /* 4001 x 33 */
  TEST_DENSE_ROW,              /* 1000 x 9000, short rows, one empty in three, and one full row */
  TEST_BANDED,                 /* 1111 x 1111, five diagonals */
  TEST_MIXED,                  /* 3000 x 3000, lengths of every segment of SC-CSR */
  TEST_EXTREME,                /* 65 x 70, magnitudes from 1e-30 to 1e30 */
  TEST_LARGE,                  /* 40000 x 2000, some 600000 nonzeros: more than one piece for every thread */
  TEST_N_MATRICES
} TestKind;

const char *test_matrix_name  (TestKind kind);
TestMatrix *test_matrix_new   (TestKind kind, EskType type);
void        test_matrix_free  (TestMatrix *matrix);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestMatrix, test_matrix_free)
/* Of columns (or rows, for y) values of the type. */
void       *test_vector_new   (gsize n, EskType type, guint64 seed);
double      test_vector_get   (const void *vector, EskType type, gsize i);
/*
 * A x in float64 over a dense row at a time, and of each row the sum of the magnitudes of what was added up, which is
 * what its error is measured by. Free with g_free ().
 */
double     *test_dense_product (const TestMatrix *matrix, const void *x, double **magnitude);
