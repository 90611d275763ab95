/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What products that are cut where no row ends need beside: y to begin with, and what a cut row has in each part. */

#include "es-cuda-sparse-loads.cuh"
#include "es-cuda-sparse-private.h"

#define THREADS 256

template <typename T>
static __global__ void
scale (size_t  n,
       T       beta,
       T      *y)
{
  const size_t i = (size_t) blockIdx.x * THREADS + threadIdx.x;

  if (i < n)
    y[i] = beta != T (0) ? beta * y[i] : T (0);
}

template <typename T>
static int
scale_of (const EskSparseCall *call)
{
  const size_t n = call->product->rows;

  scale<T><<<(unsigned) ((n + THREADS - 1) / THREADS), THREADS, 0, call->stream->stream>>> (n, (T) call->beta,
                                                                                           (T *) call->y);
  return esk_cuda_launched (call->stream, "product");
}

int
esk_cuda_sparse_scale (const EskSparseCall *call)
{
  int code;

  ESK_SPARSE_BY_TYPE (call->product->type, code, scale_of, call);
  return code;
}

/* A warp a part: the first part of a row adds up those of all, which lie side by side. */
template <typename T>
static __global__ void __launch_bounds__ (THREADS)
add_carries (size_t         n,
             size_t         rows,
             const int32_t *part_row,
             const T       *carries,
             T              alpha,
             T             *y)
{
  const size_t part = ((size_t) blockIdx.x * THREADS + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  int32_t row;
  T sum = T (0);
  bool same;

  if (part >= n)
    return;
  row = part_row[part];
  if ((size_t) row >= rows || (part > 0 && part_row[part - 1] == row))
    return;

  size_t k = part + lane;
  do
    {
      same = k < n && part_row[k] == row;
      if (same)
        sum += carries[k];
      k += 32;
    }
  while (__all_sync (ESK_SPARSE_FULL, same));

  sum = esk_sparse_sum_lanes (sum, 32);
  if (lane == 0)
    y[row] += alpha * sum;
}

template <typename T>
static int
add_carries_of (const EskSparseCall *call)
{
  const EskSparseProduct *product = call->product;
  const size_t n = product->n_tiles;

  add_carries<T><<<(unsigned) ((n + THREADS / 32 - 1) / (THREADS / 32)), THREADS, 0, call->stream->stream>>> (
    n, product->rows, product->path_row, (const T *) product->carry, (T) call->alpha, (T *) call->y);

  return esk_cuda_launched (call->stream, "product");
}

int
esk_cuda_sparse_add_carries (const EskSparseCall *call)
{
  int code;

  ESK_SPARSE_BY_TYPE (call->product->type, code, add_carries_of, call);
  return code;
}
