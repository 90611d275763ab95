/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Formats whose neighbouring threads read neighbouring numbers, a thread a row: diagonals, ELL, SELL-C-sigma. */

#include "es-cuda-sparse-tail.cuh"

#include "sparse/es-sparse-build.h"

#include <string.h>

#define THREADS 256
/* Numbers of a row that are on their way at once: a row of the five, seven and nine points. */
#define AT_ONCE 9

/* A thread a row; where there are sums, as many rows a thread as a launch of one wave leaves to it. */
template <typename T, EskSparseTailKind KIND, typename Kernel>
static int
lay_out (const EskSparseCall    *call,
         Kernel                  kernel,
         EskSparseTail<T, KIND> *tail,
         unsigned               *n_blocks)
{
  size_t blocks = (call->product->rows + THREADS - 1) / THREADS;
  int code = KIND != ESK_TAIL_PLAIN ? esk_slots_blocks (call->stream, kernel, blocks, &blocks) : ESK_OK;

  *n_blocks = (unsigned) blocks;
  return code == ESK_OK ? esk_sparse_tail (call, blocks, tail) : code;
}

/* ---- diagonals ---- */

typedef struct {
  int32_t offset[ESK_SPARSE_ALONG];
} Offsets;

template <typename T, bool FEW, bool ONCE>
static __device__ __forceinline__ T
add_diagonals (size_t         row,
               size_t         columns,
               unsigned       diagonals,
               size_t         stride,
               const Offsets &along,
               const int32_t *offset,
               const T       *value,
               const T       *x)
{
  const uint64_t once = ONCE ? esk_sparse_once () : 0;
  T sum = T (0);

  value += row;
  for (unsigned d = 0; d < diagonals; d += AT_ONCE)
    {
      T v[AT_ONCE], w[AT_ONCE];

#pragma unroll
      for (unsigned i = 0; i < AT_ONCE; i++)
        v[i] = d + i < diagonals ? esk_sparse_read_as<ONCE> (value + (d + i) * stride, once) : T (0);
#pragma unroll
      for (unsigned i = 0; i < AT_ONCE; i++)
        {
          w[i] = T (0);
          if (d + i < diagonals)
            {
              const int64_t column = (int64_t) row + (FEW ? along.offset[d + i] : __ldg (offset + d + i));

              if (column >= 0 && column < (int64_t) columns)
                w[i] = __ldg (x + column);
            }
        }
#pragma unroll
      for (unsigned i = 0; i < AT_ONCE; i++)
        sum += v[i] * w[i];
    }

  return sum;
}

template <typename T, EskSparseTailKind KIND, bool FEW>
static __global__ void __launch_bounds__ (THREADS)
multiply_dia (size_t                 rows,
              size_t                 columns,
              unsigned               diagonals,
              size_t                 stride,
              Offsets                along,
              const int32_t         *offset,
              const T               *value,
              const T               *x,
              EskSparseTail<T, KIND> tail)
{
  double sums[tail.N_SUMS] = {};

  for (size_t row = (size_t) blockIdx.x * THREADS + threadIdx.x; row < rows; row += (size_t) gridDim.x * THREADS)
    {
      const T sum = add_diagonals<T, FEW, KIND != ESK_TAIL_PLAIN> (row, columns, diagonals, stride, along, offset,
                                                                   value, x);

      tail.put (row, sum, sums);
      if constexpr (KIND == ESK_TAIL_PLAIN)
        break;
    }
  tail.finish (sums);
}

template <typename T, EskSparseTailKind KIND>
static int
multiply_dia_of (const EskSparseCall *call)
{
  const EskSparseProduct *product = call->product;
  const auto kernel = product->width <= ESK_SPARSE_ALONG ? multiply_dia<T, KIND, true> : multiply_dia<T, KIND, false>;
  EskSparseTail<T, KIND> tail;
  unsigned n_blocks;
  Offsets along;
  int code = lay_out (call, kernel, &tail, &n_blocks);

  if (code != ESK_OK)
    return code;
  memcpy (along.offset, product->along, sizeof along.offset);
  kernel<<<n_blocks, THREADS, 0, call->stream->stream>>> (
    product->rows, product->columns, (unsigned) product->width, product->height, along, product->offset,
    (const T *) product->value, (const T *) call->x, tail);

  return esk_cuda_launched (call->stream, "product by diagonals");
}

int
esk_cuda_sparse_multiply_dia (const EskSparseCall *call)
{
  int code;

  ESK_SPARSE_BY_TAIL (call, code, multiply_dia_of);
  return code;
}

int
esk_cuda_sparse_make_dia (EskSparseMaking *making)
{
  EskSparseProduct *product = making->product;
  const double start = esk_cuda_sparse_now ();
  EskDia dia;
  int code = esk_dia_make (making->matrix, making->stored_limit, &dia);

  static_assert (sizeof (Offsets) == sizeof product->along, "as many go along with a product");
  product->cost.build_ms += esk_cuda_sparse_now () - start;
  if (code != ESK_OK)
    return code;
  product->width = dia.diagonals;
  product->height = dia.stride;
  product->cost.stored = (uint64_t) dia.diagonals * dia.stride;
  product->cost.launches = 1;
  for (size_t d = 0; d < dia.diagonals && d < ESK_SPARSE_ALONG; d++)
    product->along[d] = dia.offset[d];
  product->offset = (const int32_t *) esk_cuda_sparse_array (making, dia.offset, dia.diagonals, sizeof *dia.offset,
                                                             &code);
  if (code == ESK_OK)
    product->value = esk_cuda_sparse_array (making, dia.value, dia.diagonals * dia.stride, esk_type_size (dia.type),
                                            &code);
  esk_dia_clear (&dia);

  return code;
}

/* ---- ELL and SELL ---- */

/* Of n numbers, the first at value[0] and column[0], `step` from one to the next; a negative column is padding. */
template <bool ONCE, typename T>
static __device__ __forceinline__ T
add_up (const T       *value,
        const int32_t *column,
        size_t         step,
        unsigned       n,
        const T       *x)
{
  const uint64_t once = ONCE ? esk_sparse_once () : 0;
  T sum = T (0);

  for (unsigned k = 0; k < n; k += AT_ONCE)
    {
      T v[AT_ONCE], w[AT_ONCE];
      int32_t c[AT_ONCE];

#pragma unroll
      for (unsigned i = 0; i < AT_ONCE; i++)
        c[i] = k + i < n ? esk_sparse_read_as<ONCE> (column + (k + i) * step, once) : ESK_SPARSE_NO_COLUMN;
#pragma unroll
      for (unsigned i = 0; i < AT_ONCE; i++)
        v[i] = k + i < n ? esk_sparse_read_as<ONCE> (value + (k + i) * step, once) : T (0);
#pragma unroll
      for (unsigned i = 0; i < AT_ONCE; i++)
        w[i] = c[i] >= 0 ? __ldg (x + c[i]) : T (0);
#pragma unroll
      for (unsigned i = 0; i < AT_ONCE; i++)
        sum += v[i] * w[i];
    }

  return sum;
}

template <typename T, EskSparseTailKind KIND>
static __global__ void __launch_bounds__ (THREADS)
multiply_ell (size_t                 rows,
              unsigned               width,
              size_t                 stride,
              const int32_t         *column,
              const T               *value,
              const T               *x,
              EskSparseTail<T, KIND> tail)
{
  double sums[tail.N_SUMS] = {};

  for (size_t row = (size_t) blockIdx.x * THREADS + threadIdx.x; row < rows; row += (size_t) gridDim.x * THREADS)
    {
      tail.put (row, add_up<KIND != ESK_TAIL_PLAIN> (value + row, column + row, stride, width, x), sums);
      if constexpr (KIND == ESK_TAIL_PLAIN)
        break;
    }
  tail.finish (sums);
}

template <typename T, EskSparseTailKind KIND>
static int
multiply_ell_of (const EskSparseCall *call)
{
  const EskSparseProduct *product = call->product;
  EskSparseTail<T, KIND> tail;
  unsigned n_blocks;
  int code = lay_out (call, multiply_ell<T, KIND>, &tail, &n_blocks);

  if (code != ESK_OK)
    return code;
  multiply_ell<T, KIND><<<n_blocks, THREADS, 0, call->stream->stream>>> (
    product->rows, (unsigned) product->width, product->height, product->column, (const T *) product->value,
    (const T *) call->x, tail);

  return esk_cuda_launched (call->stream, "product by ELL");
}

int
esk_cuda_sparse_multiply_ell (const EskSparseCall *call)
{
  int code;

  ESK_SPARSE_BY_TAIL (call, code, multiply_ell_of);
  return code;
}

int
esk_cuda_sparse_make_ell (EskSparseMaking *making)
{
  EskSparseProduct *product = making->product;
  const double start = esk_cuda_sparse_now ();
  EskEll ell;
  int code = esk_ell_make (making->matrix, making->stored_limit, &ell);

  product->cost.build_ms += esk_cuda_sparse_now () - start;
  if (code != ESK_OK)
    return code;
  product->width = ell.width;
  product->height = ell.stride;
  product->cost.stored = (uint64_t) ell.width * ell.stride;
  product->cost.launches = 1;
  product->column = (const int32_t *) esk_cuda_sparse_array (making, ell.column, ell.width * ell.stride,
                                                             sizeof *ell.column, &code);
  if (code == ESK_OK)
    product->value = esk_cuda_sparse_array (making, ell.value, ell.width * ell.stride, esk_type_size (ell.type), &code);
  esk_ell_clear (&ell);

  return code;
}

/* row: which row a sorted one is; NULL: the same. */
template <typename T, EskSparseTailKind KIND>
static __global__ void __launch_bounds__ (THREADS)
multiply_sell (size_t                 rows,
               unsigned               chunk,
               const int64_t         *chunk_from,
               const int32_t         *row,
               const int32_t         *column,
               const T               *value,
               const T               *x,
               EskSparseTail<T, KIND> tail)
{
  double sums[tail.N_SUMS] = {};

  for (size_t sorted = (size_t) blockIdx.x * THREADS + threadIdx.x; sorted < rows;
       sorted += (size_t) gridDim.x * THREADS)
    {
      const unsigned c = (unsigned) sorted / chunk, lane = (unsigned) sorted % chunk;
      const int64_t from = chunk_from[c];
      const uint64_t stored = (uint64_t) (chunk_from[c + 1] - from);
      /* 64 bits take many times longer to divide. */
      const unsigned width = stored <= UINT32_MAX ? (uint32_t) stored / chunk : (unsigned) (stored / chunk);
      const T sum = add_up<KIND != ESK_TAIL_PLAIN> (value + from + lane, column + from + lane, chunk, width, x);

      tail.put (row != NULL ? (size_t) row[sorted] : sorted, sum, sums);
      if constexpr (KIND == ESK_TAIL_PLAIN)
        break;
    }
  tail.finish (sums);
}

template <typename T, EskSparseTailKind KIND>
static int
multiply_sell_of (const EskSparseCall *call)
{
  const EskSparseProduct *product = call->product;
  EskSparseTail<T, KIND> tail;
  unsigned n_blocks;
  int code = lay_out (call, multiply_sell<T, KIND>, &tail, &n_blocks);

  if (code != ESK_OK)
    return code;
  multiply_sell<T, KIND><<<n_blocks, THREADS, 0, call->stream->stream>>> (
    product->rows, product->chunk, product->chunk_from, product->row, product->column, (const T *) product->value,
    (const T *) call->x, tail);

  return esk_cuda_launched (call->stream, "product by SELL");
}

int
esk_cuda_sparse_multiply_sell (const EskSparseCall *call)
{
  int code;

  ESK_SPARSE_BY_TAIL (call, code, multiply_sell_of);
  return code;
}

int
esk_cuda_sparse_make_sell (EskSparseMaking *making)
{
  EskSparseProduct *product = making->product;
  const double start = esk_cuda_sparse_now ();
  EskSell sell;
  int code = esk_sell_make (making->matrix, &making->options, making->stored_limit, &sell);

  product->cost.build_ms += esk_cuda_sparse_now () - start;
  if (code != ESK_OK)
    return code;
  product->chunk = sell.chunk;
  product->cost.stored = sell.stored;
  product->cost.launches = 1;
  product->chunk_from = (const int64_t *) esk_cuda_sparse_array (making, sell.chunk_from, sell.chunks + 1,
                                                                 sizeof *sell.chunk_from, &code);
  if (code == ESK_OK && sell.row_index != NULL)
    product->row = (const int32_t *) esk_cuda_sparse_array (making, sell.row_index, sell.rows, sizeof *sell.row_index,
                                                            &code);
  if (code == ESK_OK)
    product->column = (const int32_t *) esk_cuda_sparse_array (making, sell.column, (size_t) sell.stored,
                                                               sizeof *sell.column, &code);
  if (code == ESK_OK)
    product->value = esk_cuda_sparse_array (making, sell.value, (size_t) sell.stored, esk_type_size (sell.type), &code);
  esk_sell_clear (&sell);

  return code;
}
