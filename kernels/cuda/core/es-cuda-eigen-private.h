/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Symmetric eigenproblems of up to 224 rows without a library (es-cuda-eigen-leading.cu): all eigenvalues, and the
 * eigenvectors of the largest ones. Everything in float64, the same bytes every time.
 */

#include "es-cuda-internal.h"

/* Bands that a cluster holds in its registers, and eigenvectors that one thread block makes orthonormal. */
#define ESK_EIGEN_MOST 224
#define ESK_EIGEN_MOST_VECTORS 48
/* Rows of a column that a lane holds: row = lane + 32 i. */
#define ESK_EIGEN_ROWS (ESK_EIGEN_MOST / 32)

/* Reflectors that are turned back together. */
#define ESK_EIGEN_GROUP 4
/* Rows of a block that measures how good vectors are. */
#define ESK_EIGEN_CHECK_ROWS 8
/* Blocks of it, of n rows of the matrix and the vectors themselves. */
#define ESK_EIGEN_CHECKS(n) (((n) + ESK_EIGEN_CHECK_ROWS - 1) / ESK_EIGEN_CHECK_ROWS)

/* What lies in the device's memory. n numbers each where nothing is said. */
typedef struct {
  unsigned n;
  double   scale;              /* a power of two: |scale * matrix| <= 1 */
  double  *matrix;             /* n x n, as it came */
  double  *reflectors;         /* n x n: row k is the Householder vector of column k, zero up to row k */
  double  *factors;            /* of the reflectors: H = 1 - factor v v^T */
  double  *products;           /* 3 n: of reflector k with those 1, 2 and 3 before it */
  double  *diagonal, *off;     /* scale * matrix as a tridiagonal one */
  double  *turned;             /* n x ESK_EIGEN_MOST_VECTORS: the vectors as columns */
  /* These lie side by side, in this order: they come back in one copy. */
  double  *values;             /* descending, of scale * matrix */
  double  *residuals;          /* a row of ESK_EIGEN_MOST_VECTORS for every block of rows: the part of
                                * |matrix v - value v|^2, with matrix and value scaled */
  double  *overlaps;           /* the same for every block of vectors: largest |v_j . v_k - (j == k)|, j <= k */
  double  *vectors;            /* ESK_EIGEN_MOST_VECTORS x n, a row each */
} EskEigenWork;

/* es-cuda-eigen-tridiagonal.cu: matrix to reflectors, factors, diagonal, off, values. */
int esk_cuda_eigen_values  (EskStream *stream, const EskEigenWork *work);
/* es-cuda-eigen-vectors.cu: the eigenvectors of the first n_vectors values, and how good they are. */
int esk_cuda_eigen_vectors (EskStream *stream, const EskEigenWork *work, unsigned n_vectors);

/* es-cuda-eigen.cu: copies, and tells the power of two that brings the largest magnitude below one; false: not all are
 * finite. */
bool esk_cuda_eigen_copy (size_t n, const double *from, double *to, double *scale);
/* The component of largest magnitude positive, as esk_eigen_lapack () has it. */
void esk_cuda_eigen_fix_sign (size_t n, double *vector);

#ifdef __CUDACC__

/* Of values of all lanes of a warp, the same in each; N at a time, for a step waits for the one before. */
template <int N>
static __device__ __forceinline__ void
eigen_warp_sums (double (&x)[N])
{
#pragma unroll
  for (int step = 16; step > 0; step /= 2)
#pragma unroll
    for (int k = 0; k < N; k++)
      x[k] += __shfl_xor_sync (0xffffffff, x[k], step);
}

/* The same of N = 4 or 8 values with as few exchanges as can be: sum k is what the lanes 32 / N * k .. get. */
template <int N>
static __device__ __forceinline__ double
eigen_warp_shares (double (&x)[N])
{
  int step = 16;

#pragma unroll
  for (int half = N / 2; half > 0; half /= 2, step /= 2)
    {
      const bool upper = (threadIdx.x & step) != 0;

#pragma unroll
      for (int k = 0; k < half; k++)
        {
          const double mine = upper ? x[k + half] : x[k], other = upper ? x[k] : x[k + half];

          x[k] = mine + __shfl_xor_sync (0xffffffff, other, step);
        }
    }
#pragma unroll
  for (; step > 0; step /= 2)
    x[0] += __shfl_xor_sync (0xffffffff, x[0], step);

  return x[0];
}

/* To the last digit or two, without a branch; x is neither zero nor beyond 2^+-960. */
static __device__ __forceinline__ double
eigen_reciprocal (double x)
{
  double r, rest;

  asm ("rcp.approx.ftz.f64 %0, %1;" : "=d" (r) : "d" (x));
  rest = fma (-x, r, 1.0);
  return fma (r, fma (rest, rest, rest), r);
}

/* The same, 1 / sqrt (x). */
static __device__ __forceinline__ double
eigen_inverse_root (double x)
{
  double r, rest;

  asm ("rsqrt.approx.ftz.f64 %0, %1;" : "=d" (r) : "d" (x));
  rest = fma (-x * r, r, 1.0);
  return fma (r * rest, fma (0.375, rest, 0.5), r);
}

static __device__ __forceinline__ double
eigen_warp_sum (double x)
{
  double all[1] = { x };

  eigen_warp_sums (all);
  return all[0];
}

#endif
