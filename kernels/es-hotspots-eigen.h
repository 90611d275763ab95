/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Eigenproblems on a device: dense ones, and some pairs of sparse ones. */

#include <stddef.h>
#include <stdint.h>

#include "es-hotspots-stream.h"
#include "es-sparse.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many eigenvectors are wanted, told all n eigenvalues (descending). */
typedef size_t (*EskEigenChoose) (size_t n, const double *values, void *data);

/* What eigen_sparse_smallest () did. */
typedef struct {
  unsigned solutions;          /* with the factor, right-hand sides of all blocks together */
  unsigned restarts;
  uint64_t bytes;              /* of the device's memory */
} EskSparseEigenFacts;

typedef struct {
  /* Eigenvalues (n, descending) and eigenvectors (row k belongs to value k, unit length) of a symmetric matrix in
   * float64; all three in host memory. NULL: esk_eigen_lapack (). */
  int (*eigen_symmetric) (EskStream *stream, size_t n, const double *matrix, double *values, double *vectors);
  /*
   * Two symmetric matrices N (noise) and C (data) made diagonal together (hyperspectral.md 2.4), in float64, all in
   * host memory. Eigenvalues of N at or below the share `least` of its largest are raised to that first, *n_raised of
   * them. Rows t_k of transform and x_k of mixing (n x n each, signs as they come) and values (n, descending):
   * t_j N t_k' = 1 where j = k, else 0; t_j C t_k' = values[k], else 0; x_k = t_k N, so that x_j t_k' = 1 or 0 as well.
   * ESK_ERROR_NO_CONVERGENCE where N has no positive eigenvalue. NULL: made of eigen_symmetric () and products.
   */
  int (*eigen_pair)      (EskStream *stream, size_t n, const double *noise, const double *data, double least,
                          double *values, double *transform, double *mixing, size_t *n_raised);

  /*
   * All eigenvalues, and of the eigenvectors the first ones, at least as many as choose () says (NULL: all), which is
   * asked once at most, and not where all come anyway. *n_vectors of them are there; rows of `vectors` (n x n) behind
   * them are not written. Every pair with |A v - value v| <= 1e-12 of the largest |value|, vectors at right angles to
   * 1e-12: what does not come out like that is solved by eigen_symmetric (), all of it. The first vectors are the same
   * however many are wanted, but for that. NULL: eigen_symmetric ().
   */
  int (*eigen_leading)   (EskStream *stream, size_t n, const double *matrix, EskEigenChoose choose, void *data,
                          double *values, double *vectors, size_t *n_vectors);

  /*
   * The m smallest eigenvalues (ascending) of a symmetric sparse matrix A of ESK_F64 and their vectors (m x n, row k of
   * value k, unit length, at right angles to 1e-12, the component of largest magnitude positive), all in host memory.
   * A + shift is factored on the device as a dense matrix of n x n, and the pairs (v, t) of its inverse are found until
   * |(A + shift)^-1 v - t v| <= tolerance t, or what rounding of the largest t leaves. Values that repeat come as often
   * as they do. The start is always the same. The stream's flag is looked at after the factor and after every block of
   * solutions. ESK_ERROR_SINGULAR: A + shift is not positive definite. ESK_ERROR_MEMORY: the dense matrix does not fit.
   * ESK_ERROR_ARGUMENT: n < 4 m + 32, not square, another type, or of a size that the device is no gain for.
   * ESK_ERROR_NO_CONVERGENCE; ESK_ERROR_CANCELLED. NULL: left to the CPU's libraries.
   */
  int (*eigen_sparse_smallest) (EskStream *stream, const EskCsr *matrix, double shift, size_t m, double tolerance,
                                double *values, double *vectors, EskSparseEigenFacts *facts);
} EskEigenHotspots;

#ifdef __cplusplus
}
#endif
