/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The contraction of fourth moments with vectors, once in portable C and once for AVX2. */

#include <stddef.h>

/* Rows of tables and of pairs are padded with zeros to a multiple of this, and start at multiples of its bytes. */
#define ESK_FOURTH_ROUND 4
/* Vectors at a time, at most: what the registers have room for. */
#define ESK_FOURTH_ROWS 3

/* How long the row of a table is that has a number for each of the pairs (k, l), l <= k <= j. */
static inline size_t
esk_fourth_stride (size_t j)
{
  return ((j + 1) * (j + 2) / 2 + ESK_FOURTH_ROUND - 1) / ESK_FOURTH_ROUND * ESK_FOURTH_ROUND;
}

/*
 * table: for every j < m and for every i from j to m - 1 a row t_ij of esk_fourth_stride (j) numbers. q: a row of
 * esk_fourth_stride (m - 1) for each of `rows` vectors w, ESK_FOURTH_ROWS at most; pairs (i, j), j <= i, are at
 * i (i + 1) / 2 + j. Writes lower_ij = sum_p t_ij,p q_p and upper_p = sum_ij q_ij t_ij,p, as many for every vector as
 * q has.
 */
typedef void EskFourthContract (size_t m, size_t rows, const double *table, const double *q, double *lower,
                                double *upper);

extern EskFourthContract esk_cpu_fourth_portable;
/* NULL where the program has been built for another processor. */
extern EskFourthContract * const esk_cpu_fourth_avx2;
