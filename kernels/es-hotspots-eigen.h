/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Dense eigenproblems on a device. */

#include <stddef.h>

#include "es-hotspots-stream.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  /* Eigenvalues (n, descending) and eigenvectors (row k belongs to value k, unit length) of a symmetric matrix in
   * float64; all three in host memory. NULL: esk_eigen_lapack (). */
  int (*eigen_symmetric) (EskStream *stream, size_t n, const double *matrix, double *values, double *vectors);
} EskEigenHotspots;

#ifdef __cplusplus
}
#endif
