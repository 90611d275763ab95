/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * What FastICA does between two looks at the samples (hyperspectral.md 2.3): small dense algebra in float64, on the
 * host whatever the device is. Matrices are row-major.
 */

#include "es-hotspots-ica.h"

/*
 * Means of all monomials of degrees two to four of m whitened variables. With q_a the n_pairs = m (m + 1) / 2 products
 * z_i z_j, j <= i, in the order of esk_monomial ():
 *   second   n_pairs             E q_a, and twice that where i is not j
 *   third    m x n_pairs         E z_k q_a, likewise
 *   fourth   E z_i z_j z_k z_l, i >= j >= k >= l, times a quarter of the orders in which i, j, k, l can be written:
 *            for every j < m and for every i from j to m - 1 the pairs (k, l), l <= k <= j, padded
 *            (es-cpu-algebra-private.h). All n_pairs^2 products would be five times as many.
 *   reversed the same, as fourth is of the variables in reverse order: what all rows together read it by
 */
typedef struct {
  size_t   m, n_pairs;
  int64_t  count;              /* samples */
  double  *second, *third, *fourth, *reversed;
} EskMomentTable;

/* From the sums of moment_sums (), whose shift is taken into account. ESK_ERROR_ARGUMENT: no samples, or sums that are
 * not of esk_n_monomials (m) values. */
int    esk_moment_table_init    (EskMomentTable *table, size_t m, const EskCovariance *sums);
void   esk_moment_table_clear   (EskMomentTable *table);
/* What ica_step () with the cubic contrast finds in the samples, as means: product (rows x m) = E z (w'z)^3 and
 * derivative (rows) = E 3 (w'z)^2, for `rows` vectors w of m. */
int    esk_moment_table_step    (const EskMomentTable *table, size_t rows, const double *w, double *product,
                                 double *derivative);
/* Means of y^2, y^3, y^4 and of y^4 / 4. */
int    esk_moment_table_moments (const EskMomentTable *table, size_t rows, const double *w, EskIcaMoments *moments);

/* w (m x m) becomes (w w')^(-1/2) w: the orthonormal rows nearest to those it had. Directions that are not there (rows
 * that depend on each other) are ESK_ERROR_NO_CONVERGENCE, and w is left as it was. */
int    esk_orthonormalise_rows  (size_t m, double *w);
/* vector becomes orthogonal to the first n rows of w (each of m, orthonormal) and of unit length. Nothing left of it:
 * ESK_ERROR_NO_CONVERGENCE, and vector is left as it was. */
int    esk_orthonormalise_vector (size_t m, size_t n, const double *w, double *vector);
/* n numbers of the standard normal distribution, the same for the same seed everywhere but for libm's last bit. */
void   esk_fill_normal          (uint64_t seed, size_t n, double *out);
/* E G (v) of a standard normal v: what the contrast of a component is compared with. */
double esk_contrast_of_normal   (const EskContrast *contrast);
