/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * CSR in tiles: a block multiplies the nonzeros of as many whole rows as its shared memory holds, 16 bytes of values a
 * load whatever rows there are, and then adds up each row from there, with as many lanes a row as there are threads
 * for. (CSR-Adaptive; Greathouse and Daga 2014.) A row too long for a tile is cut into pieces of one tile, whose sums a
 * second kernel adds up. Which rows are in which tile is the matrix's alone.
 */

#include "es-cuda-sparse-tail.cuh"

#include "sparse/es-sparse-build.h"

#include <stdlib.h>

#define THREADS 256
#define TILE 2048
#define MOST_ROWS 2048
/* Of a row among others: what its lanes add up one after the other, beyond which a warp does it. */
#define LONG_STEPS 16
#define HAS_LONG (1 << 30)

/* Lanes of a row where n_rows share a block. */
static __host__ __device__ __forceinline__ unsigned
lanes_of (unsigned n_rows)
{
  unsigned lanes = 1;

  while (lanes < 32 && n_rows * lanes * 2 <= THREADS)
    lanes *= 2;
  return lanes;
}

/* All rows of `rows` longer than LONG_STEPS * lanes, a warp each. */
template <typename T, EskSparseTailKind KIND>
static __device__ __forceinline__ void
add_long_rows (const T                      *products,
               const int32_t                *row_from,
               uint32_t                      first,
               size_t                        first_row,
               unsigned                      n_rows,
               unsigned                      lanes,
               const EskSparseTail<T, KIND> &tail,
               double                      (&sums)[EskSparseTail<T, KIND>::N_SUMS])
{
  const unsigned lane = threadIdx.x % 32;

  for (unsigned base = threadIdx.x / 32 * 32; base < n_rows; base += THREADS)
    {
      uint32_t from = 0, to = 0;

      if (base + lane < n_rows)
        {
          from = (uint32_t) row_from[base + lane] - first;
          to = (uint32_t) row_from[base + lane + 1] - first;
        }
      for (unsigned found = __ballot_sync (ESK_SPARSE_FULL, to - from > LONG_STEPS * lanes); found != 0;
           found &= found - 1)
        {
          const int r = __ffs ((int) found) - 1;
          const uint32_t row_begin = __shfl_sync (ESK_SPARSE_FULL, from, r);
          const uint32_t row_end = __shfl_sync (ESK_SPARSE_FULL, to, r);
          T sum = T (0);

          for (uint32_t j = row_begin + lane; j < row_end; j += 32)
            sum += products[j];
          sum = esk_sparse_sum_lanes (sum, 32);
          if (lane == 0)
            tail.put (first_row + base + (unsigned) r, sum, sums);
        }
    }
}

template <typename T, EskSparseTailKind KIND>
static __device__ __forceinline__ void
multiply_tile (const int4                    &tile,
               const int32_t                 *row_from,
               const int32_t                 *column,
               const T                       *value,
               const T                       *x,
               T                             *pieces,
               const EskSparseTail<T, KIND>  &tail,
               double                       (&sums)[EskSparseTail<T, KIND>::N_SUMS])
{
  constexpr int N = 16 / sizeof (T), STEPS = TILE / (THREADS * N);
  __shared__ __align__ (16) T products[TILE];
  const unsigned n_rows = (unsigned) tile.y & (HAS_LONG - 1), lanes = lanes_of (n_rows);
  const unsigned place = threadIdx.x >> (31 - __clz ((int) lanes)), lane = threadIdx.x & (lanes - 1);
  const uint32_t begin = (uint32_t) tile.z, end = (uint32_t) tile.w, first = begin & ~(uint32_t) (N - 1);
  uint32_t row_begin = 0, row_end = 0;
  T v[STEPS][N];
  int32_t c[STEPS][N];

#pragma unroll
  for (int s = 0; s < STEPS; s++)
    {
      const uint32_t k = first + (s * THREADS + threadIdx.x) * N;

#pragma unroll
      for (int i = 0; i < N; i++)
        {
          v[s][i] = T (0);
          c[s][i] = 0;
        }
      if (k < end)
        esk_sparse_read_some (value + k, column + k, v[s], c[s]);
    }

  row_from += n_rows > 0 ? tile.x : 0;
  if (place < n_rows)
    {
      row_begin = (uint32_t) row_from[place] - first;
      row_end = (uint32_t) row_from[place + 1] - first;
    }

#pragma unroll
  for (int s = 0; s < STEPS; s++)
    if (first + (s * THREADS + threadIdx.x) * N < end)
#pragma unroll
      for (int i = 0; i < N; i++)
        v[s][i] *= __ldg (x + c[s][i]);

  if (n_rows == 0)
    {
      T sum = T (0);

#pragma unroll
      for (int s = 0; s < STEPS; s++)
#pragma unroll
        for (int i = 0; i < N; i++)
          {
            const uint32_t k = first + (s * THREADS + threadIdx.x) * N + i;

            sum += k >= begin && k < end ? v[s][i] : T (0);
          }
      sum = esk_sparse_sum_block<T, THREADS> (sum);
      if (threadIdx.x == 0)
        pieces[tile.x] = sum;
      return;
    }

#pragma unroll
  for (int s = 0; s < STEPS; s++)
    esk_sparse_keep_some (products + (s * THREADS + threadIdx.x) * N, v[s]);
  __syncthreads ();

  const unsigned stride = THREADS >> (31 - __clz ((int) lanes));
  const size_t first_row = (size_t) tile.x;

  for (unsigned row = place, base = 0; base < n_rows; row += stride, base += stride)
    {
      bool own = row < n_rows;
      T sum = T (0);

      if (own && base > 0)
        {
          row_begin = (uint32_t) row_from[row] - first;
          row_end = (uint32_t) row_from[row + 1] - first;
        }
      own = own && (lanes == 32 || row_end - row_begin <= LONG_STEPS * lanes);
      if (own)
        for (uint32_t j = row_begin + lane; j < row_end; j += lanes)
          sum += products[j];
      sum = esk_sparse_sum_lanes (sum, lanes);
      if (own && lane == 0)
        tail.put (first_row + row, sum, sums);
    }
  if ((tile.y & HAS_LONG) != 0)
    add_long_rows (products, row_from, first, first_row, n_rows, lanes, tail, sums);
}

/* A block a tile; where there are sums, tiles in turn. */
template <typename T, EskSparseTailKind KIND>
static __global__ void __launch_bounds__ (THREADS, 4)
multiply_tiles (unsigned               n_tiles,
                const EskSparseTile   *tiles,
                const int32_t         *row_from,
                const int32_t         *column,
                const T               *value,
                const T               *x,
                T                     *pieces,
                EskSparseTail<T, KIND> tail)
{
  double sums[tail.N_SUMS] = {};

  for (unsigned t = blockIdx.x; t < n_tiles; t += gridDim.x)
    {
      multiply_tile (__ldg ((const int4 *) tiles + t), row_from, column, value, x, pieces, tail, sums);
      if constexpr (KIND == ESK_TAIL_PLAIN)
        break;
      /* Somebody may still read products. */
      __syncthreads ();
    }
  tail.finish (sums);
}

/* A block a row in pieces. */
template <typename T>
static __global__ void __launch_bounds__ (THREADS)
add_pieces (const EskSparseLongRow *long_rows,
            const T                *pieces,
            T                       alpha,
            T                       beta,
            T                      *y)
{
  const EskSparseLongRow row = long_rows[blockIdx.x];
  T sum = T (0);

  for (int32_t k = (int32_t) threadIdx.x; k < row.n_pieces; k += THREADS)
    sum += pieces[row.first_piece + k];
  sum = esk_sparse_sum_block<T, THREADS> (sum);
  if (threadIdx.x == 0)
    esk_sparse_put (y, (size_t) row.row, sum, alpha, beta);
}

template <typename T, EskSparseTailKind KIND>
static int
multiply (const EskSparseCall *call)
{
  const EskSparseProduct *product = call->product;
  cudaStream_t stream = call->stream->stream;
  EskSparseTail<T, KIND> tail;
  size_t n_blocks = product->n_tiles;
  int code = KIND != ESK_TAIL_PLAIN ? esk_slots_blocks (call->stream, multiply_tiles<T, KIND>, n_blocks, &n_blocks)
                                    : ESK_OK;

  if (code == ESK_OK)
    code = esk_sparse_tail (call, n_blocks, &tail);
  if (code != ESK_OK)
    return code;
  multiply_tiles<T, KIND><<<(unsigned) n_blocks, THREADS, 0, stream>>> (
    (unsigned) product->n_tiles, product->tile, product->row_from, product->column, (const T *) product->value,
    (const T *) call->x, (T *) product->carry, tail);
  code = esk_cuda_launched (call->stream, "product by tiles");
  if (code == ESK_OK && product->n_long > 0)
    {
      add_pieces<T><<<(unsigned) product->n_long, THREADS, 0, stream>>> (product->long_row,
                                                                         (const T *) product->carry, (T) call->alpha,
                                                                         (T) call->beta, (T *) call->y);
      code = esk_cuda_launched (call->stream, "product by tiles");
    }

  return code;
}

int
esk_cuda_sparse_multiply_tiles (const EskSparseCall *call)
{
  int code;

  ESK_SPARSE_BY_TAIL (call, code, multiply);
  return code;
}

/* ---- cutting ---- */

/* What there is; with tiles and long_rows NULL it is only counted. */
typedef struct {
  EskSparseTile    *tiles;
  EskSparseLongRow *long_rows;
  size_t            n_tiles, n_long, n_pieces;
} Cut;

static void
add_tile (Cut    *cut,
          size_t  row,
          size_t  n_rows,
          size_t  from,
          size_t  to)
{
  if (cut->tiles != NULL)
    {
      EskSparseTile tile;

      tile.row = (int32_t) row;
      tile.n_rows = (int32_t) n_rows;
      tile.from = (uint32_t) from;
      tile.to = (uint32_t) to;
      cut->tiles[cut->n_tiles] = tile;
    }
  cut->n_tiles++;
}

static void
cut_row (Cut    *cut,
         size_t  row,
         size_t  from,
         size_t  to,
         size_t  align)
{
  const size_t first_piece = cut->n_pieces;

  while (from < to)
    {
      size_t end = from / align * align + TILE;

      end = end < to ? end : to;
      add_tile (cut, cut->n_pieces++, 0, from, end);
      from = end;
    }
  if (cut->long_rows != NULL)
    {
      EskSparseLongRow long_row;

      long_row.row = (int32_t) row;
      long_row.first_piece = (int32_t) first_piece;
      long_row.n_pieces = (int32_t) (cut->n_pieces - first_piece);
      long_row.unused = 0;
      cut->long_rows[cut->n_long] = long_row;
    }
  cut->n_long++;
}

static void
cut_tiles (const EskCsr *matrix,
           Cut          *cut)
{
  const size_t align = 16 / esk_type_size (matrix->type);

  cut->n_tiles = cut->n_long = cut->n_pieces = 0;
  for (size_t row = 0; row < matrix->rows;)
    {
      const size_t from = (size_t) matrix->row_from[row], limit = from / align * align + TILE;
      size_t n = 0, longest = 0, to = from;

      while (row + n < matrix->rows && n < MOST_ROWS && (size_t) matrix->row_from[row + n + 1] <= limit)
        {
          const size_t end = (size_t) matrix->row_from[row + n + 1];

          longest = end - to > longest ? end - to : longest;
          to = end;
          n++;
        }
      if (n == 0)
        {
          cut_row (cut, row, from, (size_t) matrix->row_from[row + 1], align);
          row++;
          continue;
        }

      const unsigned lanes = lanes_of ((unsigned) n);

      add_tile (cut, row, lanes < 32 && longest > LONG_STEPS * lanes ? n | HAS_LONG : n, from, to);
      row += n;
    }
}

int
esk_cuda_sparse_make_tiles (EskSparseMaking *making)
{
  EskSparseProduct *product = making->product;
  const size_t type_bytes = esk_type_size (product->type);
  const double start = esk_cuda_sparse_now ();
  Cut cut = { NULL, NULL, 0, 0, 0 };
  int code = esk_csr_check (making->matrix);

  if (code != ESK_OK)
    return code;
  cut_tiles (making->matrix, &cut);
  cut.tiles = (EskSparseTile *) malloc ((cut.n_tiles + 1) * sizeof *cut.tiles);
  cut.long_rows = (EskSparseLongRow *) malloc ((cut.n_long + 1) * sizeof *cut.long_rows);
  if (cut.tiles == NULL || cut.long_rows == NULL)
    code = ESK_ERROR_MEMORY;
  else
    cut_tiles (making->matrix, &cut);
  product->cost.build_ms += esk_cuda_sparse_now () - start;

  product->n_tiles = cut.n_tiles;
  product->n_long = cut.n_long;
  if (code == ESK_OK)
    product->tile = (const EskSparseTile *) esk_cuda_sparse_array (making, cut.tiles, cut.n_tiles, sizeof *cut.tiles,
                                                                   &code);
  if (code == ESK_OK)
    product->long_row = (const EskSparseLongRow *) esk_cuda_sparse_array (making, cut.long_rows, cut.n_long,
                                                                          sizeof *cut.long_rows, &code);
  if (code == ESK_OK)
    product->carry = esk_cuda_sparse_array (making, NULL, cut.n_pieces, type_bytes, &code);
  product->cost.vector_bytes += 2 * cut.n_pieces * type_bytes;
  product->cost.launches = cut.n_long > 0 ? 2 : 1;
  free (cut.tiles);
  free (cut.long_rows);

  return code == ESK_OK ? esk_cuda_sparse_make_csr (making) : code;
}
