/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Small dense algebra in float64 with vectors, once in portable C, once for AVX2 and once for AVX-512: matrices of some
 * tens of rows, which stay in the nearest caches and of which a step of an iteration needs many. Rows are row-major and
 * start at multiples of ESK_ALGEBRA_ALIGNMENT bytes and are filled up with zeros to whole vectors.
 */

#include <stdbool.h>
#include <stddef.h>

/* Numbers of the longest vector. */
#define ESK_ALGEBRA_ROUND 8
#define ESK_ALGEBRA_ALIGNMENT (ESK_ALGEBRA_ROUND * sizeof (double))

/* How long the row of a table of fourth moments is that has a number for each of the pairs (k, l), l <= k <= j, the
 * rest being zeros. */
static inline size_t
esk_fourth_stride (size_t j)
{
  return ((j + 1) * (j + 2) / 2 + ESK_ALGEBRA_ROUND - 1) / ESK_ALGEBRA_ROUND * ESK_ALGEBRA_ROUND;
}

/*
 * Tables of fourth moments: for every j < m and for every i from j to m - 1 a row t_ij of esk_fourth_stride (j) numbers
 * t_ij,p of the pairs p. The pair (i, j), j <= i, is at i (i + 1) / 2 + j of what is told of all pairs.
 */
typedef struct
{
  size_t lanes;                /* numbers of a vector: strides are multiples of it */

  /* out[i * out_stride + c] = sum over k < n of a[i * a_row + k * a_step] b[k * b_stride + c], i < rows, c < columns, a
   * multiple of the lanes. out is none of the others. */
  void (*multiply) (size_t rows, size_t columns, size_t n, const double *a, size_t a_row, size_t a_step,
                    const double *b, size_t b_stride, double *out, size_t out_stride);
  /* out becomes the transpose of the inverse of a (both m x m), by Gauss and Jordan's elimination with row pivots; a
   * is lost. room: m doubles, order: m. false: a pivot is 0, or no number. */
  bool (*invert)   (size_t m, size_t stride, double *a, double *out, double *room, size_t *order);
  /* Of n numbers, a multiple of the lanes. */
  double (*square_sum) (size_t n, const double *x);
  /* x = (scale x + other / scale) / 2; n likewise. Returns the sum of the squares of half the difference of both. */
  double (*average) (size_t n, double scale, const double *other, double *x);
  /* square (m x m) = (3 - square) / 2, of the unit matrix. Returns the sum of the squares of what square - 1 was. */
  double (*reflect) (size_t m, size_t stride, double *square);

  /* Of one vector with the pairs q: lower_ij = sum_p t_ij,p q_p and upper_p = sum_ij q_ij t_ij,p, each as long as q:
   * esk_fourth_stride (m - 1), the rest being zeros. */
  void (*contract_one) (size_t m, const double *table, const double *q, double *lower, double *upper);
  /* Of `columns` vectors w at once, a multiple of the lanes, w_i at w + i * step: with s_ij = sum_p t_ij,p q_p, adds
   * w_j s_ij to product_i and w_i s_ij to product_j (both where i is j), which are at product + i * step. q: room for
   * all pairs, block: for m, of `columns` each; q holds the pairs afterwards. */
  void (*contract_many) (size_t m, size_t columns, const double *table, const double *w, ptrdiff_t step, double *q,
                         double *block, double *product);
} EskCpuAlgebra;

extern const EskCpuAlgebra esk_cpu_algebra_portable;
/* NULL where the program has been built for another processor. */
extern const EskCpuAlgebra * const esk_cpu_algebra_avx2;
extern const EskCpuAlgebra * const esk_cpu_algebra_avx512;

/* The fastest that this machine runs; the portable one where ES_CPU_PORTABLE=1 is in the environment. */
const EskCpuAlgebra *esk_cpu_algebra (void);
