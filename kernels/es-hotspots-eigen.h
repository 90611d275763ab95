/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Dense eigenproblems on a device. */

#include <stddef.h>

#include "es-hotspots-stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many eigenvectors are wanted, told all n eigenvalues (descending). */
typedef size_t (*EskEigenChoose) (size_t n, const double *values, void *data);

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
} EskEigenHotspots;

#ifdef __cplusplus
}
#endif
