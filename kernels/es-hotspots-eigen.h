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
