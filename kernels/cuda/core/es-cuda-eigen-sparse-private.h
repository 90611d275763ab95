/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The smallest eigenvalues of a sparse matrix by a dense factor of it. */

#include <cublas_v2.h>
#include <cusolverDn.h>

#include "es-cuda-internal.h"

/* Numbers of the device's memory but where said; columns of n lie one after another. */
typedef struct {
  EskStream          *stream;
  cublasHandle_t      blas;
  cusolverDnHandle_t  solver;
  cusolverDnParams_t  params;
  size_t              n, m;
  size_t              p;               /* columns of a block: m, and some that guard them */
  size_t              room;            /* columns of the basis, a multiple of p, three blocks at least */
  double              shift, tolerance;
  EskSparseEigenFacts *facts;          /* the host's */
  uint64_t            drawn;           /* columns that may have been drawn at random */

  int32_t            *row_from, *column;
  double             *value;
  double             *dense;           /* n x n: A + shift, then its factor in the lower triangle by columns */
  double             *basis, *images;  /* room columns: V, and (A + shift)^-1 V */
  double             *spare;           /* as many as a restart keeps, and p at least */
  double             *projected;       /* room x room: V' (A + shift)^-1 V by columns; of its blocks the upper ones */
  double             *small;           /* room x room */
  double             *along, *norm;    /* room; 1 */
  int                *info;
  void               *work;
  size_t              work_bytes;
  int                 small_work;      /* numbers of it that the projected matrix's solver gets */

  /* The host's. */
  void               *host_work;
  size_t              host_work_bytes;
  double             *theta;           /* room: values of the projected matrix */
  double             *turn, *reversed; /* room x room */
  double             *rest;            /* p x p */
} SparseEigen;

/* How many columns a restart keeps. */
static inline size_t
esk_cuda_eigen_sparse_kept (const SparseEigen *self)
{
  const size_t blocks = self->room / self->p;

  return blocks > 6 ? (blocks - 1) / 3 * self->p : self->p;
}

/* es-cuda-eigen-sparse.cu: with the factor there. */
int  esk_cuda_eigen_sparse_find (SparseEigen *self, double *values, double *vectors);
/* es-cuda-eigen-sparse-factor.cu: all pairs of a p x p matrix that is nearly diagonal and positive definite, by
 * Jacobi's rotations, which keep small values as exact as large ones; descending, a vector a column. The matrix is
 * lost. */
void esk_cuda_eigen_sparse_turn (size_t p, double *matrix, double *values, double *vectors);
