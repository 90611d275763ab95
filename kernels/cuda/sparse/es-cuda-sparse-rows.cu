/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * CSR as it was first put on cards (Bell and Garland 2009): a thread a row, or as many lanes of a warp a row as rows
 * are long.
 */

#include "es-cuda-sparse-loads.cuh"
#include "es-cuda-sparse-private.h"

#include "sparse/es-sparse-build.h"

#define THREADS 256

template <typename T, unsigned LANES>
static __global__ void __launch_bounds__ (THREADS)
multiply_rows (size_t         rows,
               const int32_t *row_from,
               const int32_t *column,
               const T       *value,
               const T       *x,
               T              alpha,
               T              beta,
               T             *y)
{
  const size_t row = ((size_t) blockIdx.x * THREADS + threadIdx.x) / LANES;
  const unsigned lane = threadIdx.x % LANES;
  T sum = T (0);

  if (row < rows)
    {
      const uint32_t end = (uint32_t) row_from[row + 1];

#pragma unroll 4
      for (uint32_t k = (uint32_t) row_from[row] + lane; k < end; k += LANES)
        sum += value[k] * __ldg (x + column[k]);
    }
  sum = esk_sparse_sum_lanes (sum, LANES);
  if (row < rows && lane == 0)
    esk_sparse_put (y, row, sum, alpha, beta);
}

template <typename T, unsigned LANES>
static int
launch (const EskSparseCall *call)
{
  const EskSparseProduct *product = call->product;
  const size_t per_block = THREADS / LANES;

  multiply_rows<T, LANES><<<(unsigned) ((product->rows + per_block - 1) / per_block), THREADS, 0,
                            call->stream->stream>>> (product->rows, product->row_from, product->column,
                                                     (const T *) product->value, (const T *) call->x, (T) call->alpha,
                                                     (T) call->beta, (T *) call->y);

  return esk_cuda_launched (call->stream, "product by rows");
}

template <typename T>
static int
multiply (const EskSparseCall *call)
{
  switch (call->product->lanes)
    {
    case 1: return launch<T, 1> (call);
    case 2: return launch<T, 2> (call);
    case 4: return launch<T, 4> (call);
    case 8: return launch<T, 8> (call);
    case 16: return launch<T, 16> (call);
    default: return launch<T, 32> (call);
    }
}

int
esk_cuda_sparse_multiply_rows (const EskSparseCall *call)
{
  int code;

  ESK_SPARSE_BY_TYPE (call->product->type, code, multiply, call);
  return code;
}

/* The least power of two that is not below the mean length, from 2 to 32. */
static unsigned
choose_lanes (const EskCsr *matrix)
{
  const size_t n = esk_csr_n_nonzeros (matrix);
  unsigned lanes = 2;

  while (lanes < 32 && (size_t) lanes * matrix->rows < n)
    lanes *= 2;
  return lanes;
}

int
esk_cuda_sparse_make_csr (EskSparseMaking *making)
{
  EskSparseProduct *product = making->product;
  const EskCsr *matrix = making->matrix;
  const size_t n = product->n_nonzeros;
  int code;

  if (n > making->stored_limit)
    return ESK_ERROR_MEMORY;
  product->cost.stored = n;
  product->row_from = (const int32_t *) esk_cuda_sparse_array (making, matrix->row_from, matrix->rows + 1,
                                                               sizeof (int32_t), &code);
  if (code == ESK_OK)
    product->column = (const int32_t *) esk_cuda_sparse_array (making, matrix->column, n, sizeof (int32_t), &code);
  if (code == ESK_OK)
    product->value = esk_cuda_sparse_array (making, matrix->value, n, esk_type_size (matrix->type), &code);

  return code;
}

int
esk_cuda_sparse_make_rows (EskSparseMaking *making)
{
  EskSparseProduct *product = making->product;
  int code = esk_csr_check (making->matrix);

  if (code != ESK_OK)
    return code;
  product->lanes = product->format == ESK_SPARSE_CSR_SCALAR ? 1 : choose_lanes (making->matrix);
  product->cost.launches = 1;

  return esk_cuda_sparse_make_csr (making);
}
