/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Paths of equal length: CSR along the path that merges ends of rows and nonzeros (Merrill and Garland 2016), COO along
 * its nonzeros. A thread walks STEPS steps of it, closes the rows that end there and hands what the last one has so far
 * to the threads behind it, a block to the blocks behind it (es-cuda-sparse-carries.cu). Where a path of CSR begins in
 * the matrix does not change from product to product: it is found when the matrix is brought to the device.
 */

#include "es-cuda-sparse-loads.cuh"
#include "es-cuda-sparse-private.h"

#include "sparse/es-sparse-build.h"

#include <stdlib.h>

#define THREADS 256
#define WARPS (THREADS / 32)
/* Odd: neighbouring threads then read from different banks. */
#define STEPS 7
#define PATH (THREADS * STEPS)

/* Products of PATH nonzeros and what is read beside them to begin at a multiple of 16 bytes. */
#define ROOM (PATH + 4)

/* Nonzeros begin .. end - 1, multiplied, to products[0] and on; that of `begin` is told. */
template <typename T>
static __device__ __forceinline__ unsigned
multiply_some (T             *products,
               const int32_t *column,
               const T       *value,
               const T       *x,
               uint32_t       begin,
               uint32_t       end)
{
  constexpr uint32_t N = 16 / sizeof (T);
  const uint32_t first = begin & ~(N - 1);

#pragma unroll 4
  for (uint32_t k = first + threadIdx.x * N; k < end; k += THREADS * N)
    {
      T v[N];
      int32_t c[N];

      esk_sparse_read_some (value + k, column + k, v, c);
#pragma unroll
      for (uint32_t i = 0; i < N; i++)
        v[i] *= __ldg (x + c[i]);
      esk_sparse_keep_some (products + (k - first), v);
    }

  return begin - first;
}

/*
 * Every thread brings the row that it leaves open and what it has of it; rows ascend. What those before it have of the
 * row that it begins in, which is the one that its neighbour leaves open, is answered; *total: all that there is of the
 * row that the last thread leaves open.
 */
template <typename T>
static __device__ __forceinline__ T
carry_in (int32_t  row,
          T        sum,
          T       *total)
{
  __shared__ int32_t rows[WARPS];
  __shared__ T sums[WARPS];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  T before = T (0), mine = T (0);
  int32_t before_row = -1, my_row = -1;

#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2)
    {
      const int32_t other_row = __shfl_up_sync (ESK_SPARSE_FULL, row, distance);
      const T other = __shfl_up_sync (ESK_SPARSE_FULL, sum, distance);

      if (lane >= distance && other_row == row)
        sum += other;
    }
  if (lane == 31)
    {
      rows[warp] = row;
      sums[warp] = sum;
    }
  __syncthreads ();
  for (int w = 0; w < WARPS; w++)
    {
      if (w == warp)
        {
          mine = before;
          my_row = before_row;
        }
      before = rows[w] == before_row ? before + sums[w] : sums[w];
      before_row = rows[w];
    }
  *total = before;

  row = __shfl_up_sync (ESK_SPARSE_FULL, row, 1);
  sum = __shfl_up_sync (ESK_SPARSE_FULL, sum, 1);
  if (lane == 0)
    return mine;
  return row == my_row ? sum + mine : sum;
}

/* ---- CSR ---- */

/* How many ends of rows lie before step `step` of a path through n_ends ends, of which the k-th comes behind nonzero
 * ends[k], and n nonzeros: esk_merge_split () of a part. */
static __device__ __forceinline__ int
find_step (const int32_t *ends,
           int            n_ends,
           int            n,
           int            step)
{
  int low = step > n ? step - n : 0, high = step < n_ends ? step : n_ends;

  while (low < high)
    {
      const int middle = (low + high) / 2;

      if (ends[middle] <= step - 1 - middle)
        low = middle + 1;
      else
        high = middle;
    }

  return low;
}

template <typename T>
static __global__ void __launch_bounds__ (THREADS)
multiply_merge (size_t         rows,
                uint64_t       n_steps,
                const int32_t *path_row,
                const int32_t *row_from,
                const int32_t *column,
                const T       *value,
                const T       *x,
                T              alpha,
                T              beta,
                T             *y,
                T             *carries)
{
  __shared__ __align__ (16) T room[ROOM];
  __shared__ int32_t ends[PATH + 1];
  const uint64_t from = (uint64_t) blockIdx.x * PATH, to = from + PATH < n_steps ? from + PATH : n_steps;
  const int32_t first_row = path_row[blockIdx.x], last_row = path_row[blockIdx.x + 1];
  const uint32_t begin = (uint32_t) (from - (uint64_t) first_row), end = (uint32_t) (to - (uint64_t) last_row);
  const int n_ends = last_row - first_row, n = (int) (end - begin), n_here = n_ends + n;
  const int step = (int) threadIdx.x * STEPS < n_here ? (int) threadIdx.x * STEPS : n_here;
  int32_t closed = -1;
  T sum = T (0), first_sum = T (0), before, total;

  /* One more than there are: the row that stays open ends behind all nonzeros here. */
  for (int k = (int) threadIdx.x; k <= n_ends; k += THREADS)
    ends[k] = (size_t) first_row + k < rows ? (int32_t) ((uint32_t) row_from[first_row + k + 1] - begin) : 0x7fffffff;
  const T *products = room + multiply_some (room, column, value, x, begin, end);
  __syncthreads ();

  int row = find_step (ends, n_ends, n, step), k = step - row;

  y += first_row;
#pragma unroll
  for (int s = 0; s < STEPS; s++)
    if (step + s < n_here)
      {
        if (k < ends[row])
          sum += products[k++];
        else
          {
            if (closed < 0)
              {
                closed = row;
                first_sum = sum;
              }
            else
              esk_sparse_put (y, (size_t) row, sum, alpha, beta);
            sum = T (0);
            row++;
          }
      }

  before = carry_in<T> (row, sum, &total);
  if (closed >= 0)
    esk_sparse_put (y, (size_t) closed, threadIdx.x > 0 ? before + first_sum : first_sum, alpha, beta);
  if (threadIdx.x == 0)
    carries[blockIdx.x] = total;
}

template <typename T>
static int
multiply_merge_of (const EskSparseCall *call)
{
  const EskSparseProduct *product = call->product;

  multiply_merge<T><<<(unsigned) product->n_tiles, THREADS, 0, call->stream->stream>>> (
    product->rows, (uint64_t) product->rows + product->n_nonzeros, product->path_row, product->row_from,
    product->column, (const T *) product->value, (const T *) call->x, (T) call->alpha, (T) call->beta, (T *) call->y,
    (T *) product->carry);

  return esk_cuda_launched (call->stream, "product by paths");
}

int
esk_cuda_sparse_multiply_merge (const EskSparseCall *call)
{
  EskSparseProduct behind = *call->product;
  EskSparseCall carries = *call;
  int code;

  ESK_SPARSE_BY_TYPE (call->product->type, code, multiply_merge_of, call);
  /* A path leaves open the row that the next one begins in. */
  behind.path_row++;
  carries.product = &behind;
  return code == ESK_OK ? esk_cuda_sparse_add_carries (&carries) : code;
}

int
esk_cuda_sparse_make_merge (EskSparseMaking *making)
{
  EskSparseProduct *product = making->product;
  const size_t type_bytes = esk_type_size (product->type);
  const double start = esk_cuda_sparse_now ();
  EskMergePath path;
  int code = esk_merge_path_make (making->matrix, PATH, &path);

  product->cost.build_ms += esk_cuda_sparse_now () - start;
  if (code != ESK_OK)
    return code;
  product->n_tiles = path.parts;
  product->path_row = (const int32_t *) esk_cuda_sparse_array (making, path.row, path.parts + 1, sizeof *path.row,
                                                               &code);
  if (code == ESK_OK)
    product->carry = esk_cuda_sparse_array (making, NULL, path.parts, type_bytes, &code);
  product->cost.vector_bytes += 2 * path.parts * type_bytes;
  product->cost.launches = 2;
  esk_merge_path_clear (&path);

  return code == ESK_OK ? esk_cuda_sparse_make_csr (making) : code;
}

/* ---- COO ---- */

template <typename T>
static __global__ void __launch_bounds__ (THREADS)
multiply_coo (size_t         n_nonzeros,
              const int32_t *row,
              const int32_t *column,
              const T       *value,
              const T       *x,
              T              alpha,
              T             *y,
              T             *carries)
{
  __shared__ __align__ (16) T room[ROOM];
  __shared__ int32_t rows[PATH];
  const size_t from = (size_t) blockIdx.x * PATH;
  const int n = n_nonzeros - from < PATH ? (int) (n_nonzeros - from) : PATH;
  const int first = (int) threadIdx.x * STEPS;
  int32_t closed = -1, open;
  T sum = T (0), first_sum = T (0), before, total;

  for (int k = (int) threadIdx.x; k < n; k += THREADS)
    rows[k] = esk_sparse_read (row + from + k);
  const T *products = room + multiply_some (room, column, value, x, (uint32_t) from, (uint32_t) from + n);
  __syncthreads ();

  open = rows[first < n ? first : n - 1];
#pragma unroll
  for (int s = 0; s < STEPS; s++)
    if (first + s < n)
      {
        sum += products[first + s];
        /* The last row here stays open, also where it ends here. */
        if (first + s + 1 < n && rows[first + s + 1] != open)
          {
            if (closed < 0)
              {
                closed = open;
                first_sum = sum;
              }
            else
              y[open] += alpha * sum;
            sum = T (0);
            open = rows[first + s + 1];
          }
      }

  before = carry_in<T> (open, sum, &total);
  if (closed >= 0)
    y[closed] += alpha * (threadIdx.x > 0 ? before + first_sum : first_sum);
  if (threadIdx.x == 0)
    carries[blockIdx.x] = total;
}

template <typename T>
static int
multiply_coo_of (const EskSparseCall *call)
{
  const EskSparseProduct *product = call->product;

  multiply_coo<T><<<(unsigned) product->n_tiles, THREADS, 0, call->stream->stream>>> (
    product->n_nonzeros, product->row, product->column, (const T *) product->value, (const T *) call->x,
    (T) call->alpha, (T *) call->y, (T *) product->carry);

  return esk_cuda_launched (call->stream, "product by triplets");
}

int
esk_cuda_sparse_multiply_coo (const EskSparseCall *call)
{
  int code = esk_cuda_sparse_scale (call);

  if (code == ESK_OK && call->product->n_tiles > 0)
    {
      ESK_SPARSE_BY_TYPE (call->product->type, code, multiply_coo_of, call);
      if (code == ESK_OK)
        code = esk_cuda_sparse_add_carries (call);
    }

  return code;
}

int
esk_cuda_sparse_make_coo (EskSparseMaking *making)
{
  EskSparseProduct *product = making->product;
  const double start = esk_cuda_sparse_now ();
  const size_t n = product->n_nonzeros, n_paths = (n + PATH - 1) / PATH, type_bytes = esk_type_size (product->type);
  int32_t *last_rows = (int32_t *) malloc ((n_paths + 1) * sizeof *last_rows);
  EskCoo coo;
  int code = esk_coo_make (making->matrix, making->stored_limit, &coo);

  if (code == ESK_OK && last_rows == NULL)
    {
      esk_coo_clear (&coo);
      code = ESK_ERROR_MEMORY;
    }
  if (code != ESK_OK)
    {
      free (last_rows);
      return code;
    }
  for (size_t p = 0; p < n_paths; p++)
    last_rows[p] = coo.row[((p + 1) * PATH < n ? (p + 1) * PATH : n) - 1];
  product->cost.build_ms += esk_cuda_sparse_now () - start;

  product->n_tiles = n_paths;
  product->cost.stored = n;
  product->row = (const int32_t *) esk_cuda_sparse_array (making, coo.row, n, sizeof *coo.row, &code);
  if (code == ESK_OK)
    product->path_row = (const int32_t *) esk_cuda_sparse_array (making, last_rows, n_paths, sizeof *last_rows, &code);
  if (code == ESK_OK)
    product->column = (const int32_t *) esk_cuda_sparse_array (making, coo.column, n, sizeof *coo.column, &code);
  if (code == ESK_OK)
    product->value = esk_cuda_sparse_array (making, coo.value, n, type_bytes, &code);
  if (code == ESK_OK)
    product->carry = esk_cuda_sparse_array (making, NULL, n_paths, type_bytes, &code);
  /* y twice: once to begin with, once added to. */
  product->cost.vector_bytes += 2 * n_paths * type_bytes + 2 * product->rows * type_bytes;
  product->cost.launches = n > 0 ? 3 : 1;
  esk_coo_clear (&coo);
  free (last_rows);

  return code;
}
