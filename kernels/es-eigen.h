/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-hotspots-stream.h"

#include <stddef.h>

/*
 * Symmetric eigenproblems in float64 (DESIGN section 4): matrix n x n row-major, symmetric, left as it was.
 * values[n] descend; vectors n x n, row k = the unit eigenvector of values[k], the component of largest magnitude
 * positive (the first of equals). ESK_ERROR_NO_CONVERGENCE, ESK_ERROR_MEMORY, ESK_ERROR_ARGUMENT (n = 0, NaN).
 */
int esk_eigen_lapack (size_t n, const double *matrix, double *values, double *vectors);

/* Cyclic Jacobi rotations, the published solver (hyperspectral.md 2.1): stops where the off-diagonal norm is below
 * 1e-12 of the total, at most max_sweeps; *sweeps and *off_norm (relative) tell what it took. cancelled: as in
 * esk_is_cancelled (), ESK_ERROR_CANCELLED. */
int esk_eigen_jacobi (size_t n, const double *matrix, const int *cancelled, double *values, double *vectors,
                      unsigned max_sweeps, unsigned *sweeps, double *off_norm);

/* out[rows x columns] = a[rows x inner] b[inner x columns], all row-major float64; out is neither a nor b. */
int esk_multiply (size_t rows, size_t inner, size_t columns, const double *a, const double *b, double *out);
/* out (rows x columns) = a' b, a inner x rows, b inner x columns, all row-major; errors as esk_multiply (). */
int esk_multiply_across (size_t rows, size_t inner, size_t columns, const double *a, const double *b, double *out);

/* Largest |A v - lambda v| / max |lambda| of the n pairs, float64: how good a decomposition is. */
double esk_eigen_residual (size_t n, const double *matrix, const double *values, const double *vectors);
