/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The two formats of the study: SC-CSR (sparse.md 1.1) and VAB (1.2), their kernels as published. */

#include "es-cuda-sparse-loads.cuh"
#include "es-cuda-sparse-private.h"

#include "sparse/es-sparse-build.h"

#include <string.h>

#define THREADS 128
#define WARP 32

/* ---- SC-CSR ---- */

/* A warp a merged row, of c rows from first_row + m c on; `merged_from` is that of the segment's first. The order of
 * rows is restored here; the study did that on the processor. */
template <typename T>
static __global__ void __launch_bounds__ (THREADS)
multiply_segment (size_t         first_row,
                  size_t         end_row,
                  size_t         n_merged,
                  unsigned       c,
                  const int64_t *merged_from,
                  const int32_t *row_index,
                  const int32_t *column,
                  const T       *value,
                  const T       *x,
                  T              alpha,
                  T              beta,
                  T             *y)
{
  const size_t m = ((size_t) blockIdx.x * THREADS + threadIdx.x) / WARP;
  const unsigned lane = threadIdx.x % WARP;
  T sum = T (0);

  if (m >= n_merged)
    return;

  const int64_t end = merged_from[m + 1];

#pragma unroll 4
  for (int64_t p = merged_from[m] + lane; p < end; p += WARP)
    {
      const int32_t k = column[p];

      if (k >= 0)
        sum += value[p] * __ldg (x + k);
    }
  for (unsigned step = WARP / 2; step >= c; step /= 2)
    sum += __shfl_down_sync (ESK_SPARSE_FULL, sum, step);

  const size_t q = first_row + m * c + lane;

  if (lane < c && q < end_row)
    esk_sparse_put (y, (size_t) row_index[q], sum, alpha, beta);
}

template <typename T>
static int
multiply_sc_csr_of (const EskSparseCall *call)
{
  const EskSparseProduct *product = call->product;
  int code = ESK_OK;

  for (unsigned s = 0; s < product->n_segments && code == ESK_OK; s++)
    {
      const size_t n_merged = product->segment[s].n_merged, per_block = THREADS / WARP;

      multiply_segment<T><<<(unsigned) ((n_merged + per_block - 1) / per_block), THREADS, 0, call->stream->stream>>> (
        product->segment[s].first_row, product->segment[s].end_row, n_merged, product->segment[s].merged,
        product->chunk_from + product->segment[s].first_merged, product->row, product->column,
        (const T *) product->value, (const T *) call->x, (T) call->alpha, (T) call->beta, (T *) call->y);
      code = esk_cuda_launched (call->stream, "product by SC-CSR");
    }

  return code;
}

int
esk_cuda_sparse_multiply_sc_csr (const EskSparseCall *call)
{
  int code;

  ESK_SPARSE_BY_TYPE (call->product->type, code, multiply_sc_csr_of, call);
  return code;
}

/* N_w of formula 2.1, of this device and the kernel above. */
template <typename T>
static int
find_full_warps (EskStream *stream,
                 int       *warps)
{
  int blocks = 0;
  int code = esk_cuda_check (stream, cudaOccupancyMaxActiveBlocksPerMultiprocessor (&blocks, multiply_segment<T>,
                                                                                    THREADS, 0), "SC-CSR");

  *warps = esk_sc_full_warps ((unsigned) esk_cuda_properties (stream)->multiprocessors, (unsigned) blocks, THREADS,
                              WARP);
  return code;
}

int
esk_cuda_sparse_make_sc_csr (EskSparseMaking *making)
{
  EskSparseProduct *product = making->product;
  EskSparseOptions options = making->options;
  double start;
  EskScCsr sc;
  int code = ESK_OK;

  if (options.full_warps < 0)
    ESK_SPARSE_BY_TYPE (product->type, code, find_full_warps, making->stream, &options.full_warps);
  if (code != ESK_OK)
    return code;
  start = esk_cuda_sparse_now ();
  code = esk_sc_csr_make (making->matrix, &options, making->stored_limit, &sc);
  product->cost.build_ms += esk_cuda_sparse_now () - start;
  if (code != ESK_OK)
    return code;

  product->n_segments = sc.n_segments;
  for (unsigned s = 0; s < sc.n_segments; s++)
    {
      product->segment[s].first_row = sc.segment[s].first_row;
      product->segment[s].end_row = sc.segment[s].end_row;
      product->segment[s].first_merged = sc.segment[s].first_merged;
      product->segment[s].n_merged = sc.segment[s].end_merged - sc.segment[s].first_merged;
      product->segment[s].merged = sc.segment[s].merged;
    }
  product->cost.stored = sc.stored;
  product->cost.launches = sc.n_segments;
  product->chunk_from = (const int64_t *) esk_cuda_sparse_array (making, sc.row_from, sc.merged_rows + 1,
                                                                 sizeof *sc.row_from, &code);
  if (code == ESK_OK)
    product->row = (const int32_t *) esk_cuda_sparse_array (making, sc.row_index, sc.rows, sizeof *sc.row_index, &code);
  if (code == ESK_OK)
    product->column = (const int32_t *) esk_cuda_sparse_array (making, sc.column, (size_t) sc.stored, sizeof *sc.column,
                                                               &code);
  if (code == ESK_OK)
    product->value = esk_cuda_sparse_array (making, sc.value, (size_t) sc.stored, esk_type_size (sc.type), &code);
  esk_sc_csr_clear (&sc);

  return code;
}

/* ---- VAB ---- */

/* K1: a thread a chunk of four. */
template <typename T>
static __global__ void
multiply_chunks (const int32_t *column,
                 const T       *value,
                 const T       *x,
                 T             *partial)
{
  const size_t at = (size_t) blockIdx.x * 4 * blockDim.x + threadIdx.x;
  T v[4], sum = T (0);
  int32_t c[4];

#pragma unroll
  for (unsigned j = 0; j < 4; j++)
    {
      c[j] = esk_sparse_read (column + at + (size_t) j * blockDim.x);
      v[j] = esk_sparse_read (value + at + (size_t) j * blockDim.x);
    }
#pragma unroll
  for (unsigned j = 0; j < 4; j++)
    sum += v[j] * __ldg (x + c[j]);
  partial[(size_t) blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

static __device__ __forceinline__ float
fetch (cudaTextureObject_t texture,
       const float        *partial,
       int                 k)
{
  return texture != 0 ? tex1Dfetch<float> (texture, k) : __ldg (partial + k);
}

static __device__ __forceinline__ double
fetch (cudaTextureObject_t texture,
       const double       *partial,
       int                 k)
{
  if (texture == 0)
    return __ldg (partial + k);

  const int2 halves = tex1Dfetch<int2> (texture, k);

  return __hiloint2double (halves.y, halves.x);
}

/* K2: a thread a row. texture 0: partial sums through the read-only path. */
template <typename T>
static __global__ void __launch_bounds__ (THREADS)
add_chunks (size_t              rows,
            const int32_t      *chunk_from,
            cudaTextureObject_t texture,
            const T            *partial,
            T                   alpha,
            T                   beta,
            T                  *y)
{
  const size_t row = (size_t) blockIdx.x * THREADS + threadIdx.x;
  T sum = T (0);

  if (row >= rows)
    return;

  const int32_t end = chunk_from[row + 1];

  for (int32_t k = chunk_from[row]; k < end; k++)
    sum += fetch (texture, partial, k);
  esk_sparse_put (y, row, sum, alpha, beta);
}

template <typename T>
static int
multiply_vab_of (const EskSparseCall *call)
{
  const EskSparseProduct *product = call->product;
  cudaStream_t stream = call->stream->stream;
  int code;

  multiply_chunks<T><<<(unsigned) product->n_blocks, product->block, 0, stream>>> (product->column,
                                                                                   (const T *) product->value,
                                                                                   (const T *) call->x,
                                                                                   (T *) product->carry);
  code = esk_cuda_launched (call->stream, "product by VAB");
  if (code != ESK_OK)
    return code;
  add_chunks<T><<<(unsigned) ((product->rows + THREADS - 1) / THREADS), THREADS, 0, stream>>> (
    product->rows, product->row_from, product->texture, (const T *) product->carry, (T) call->alpha, (T) call->beta,
    (T *) call->y);

  return esk_cuda_launched (call->stream, "product by VAB");
}

int
esk_cuda_sparse_multiply_vab (const EskSparseCall *call)
{
  int code;

  ESK_SPARSE_BY_TYPE (call->product->type, code, multiply_vab_of, call);
  return code;
}

/* The partial sums as a texture; float64 as pairs of int32. ESK_ERROR_ARGUMENT: more than a texture takes. */
static int
make_texture (EskSparseMaking *making,
              size_t           n)
{
  EskSparseProduct *product = making->product;
  const size_t bytes = esk_type_size (product->type);
  const struct cudaChannelFormatDesc format = product->type == ESK_F64 ? cudaCreateChannelDesc<int2> ()
                                                                       : cudaCreateChannelDesc<float> ();
  struct cudaResourceDesc resource;
  struct cudaTextureDesc texture;
  size_t most = 0;
  int code;

  code = esk_cuda_check (making->stream, cudaDeviceGetTexture1DLinearMaxWidth (&most, &format, product->index),
                         "a texture");
  if (code == ESK_OK && n > most)
    code = ESK_ERROR_ARGUMENT;
  if (code != ESK_OK)
    return code;

  memset (&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = product->carry;
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = n * bytes;
  memset (&texture, 0, sizeof texture);
  texture.readMode = cudaReadModeElementType;

  return esk_cuda_check (making->stream, cudaCreateTextureObject (&product->texture, &resource, &texture, NULL),
                         "a texture");
}

int
esk_cuda_sparse_make_vab (EskSparseMaking *making)
{
  EskSparseProduct *product = making->product;
  const size_t type_bytes = esk_type_size (product->type);
  const double start = esk_cuda_sparse_now ();
  EskVab vab;
  int code = making->options.block <= 1024 ? ESK_OK : ESK_ERROR_ARGUMENT;

  if (code == ESK_OK)
    code = esk_vab_make (making->matrix, &making->options, making->stored_limit, &vab);
  product->cost.build_ms += esk_cuda_sparse_now () - start;
  if (code != ESK_OK)
    return code;

  const size_t n_partial = vab.blocks * vab.block;

  product->block = vab.block;
  product->n_blocks = vab.blocks;
  product->cost.stored = vab.stored;
  product->cost.launches = 2;
  product->cost.vector_bytes += 2 * n_partial * type_bytes;
  product->row_from = (const int32_t *) esk_cuda_sparse_array (making, vab.chunk_from, vab.rows + 1,
                                                               sizeof *vab.chunk_from, &code);
  if (code == ESK_OK)
    product->column = (const int32_t *) esk_cuda_sparse_array (making, vab.column, (size_t) vab.stored,
                                                               sizeof *vab.column, &code);
  if (code == ESK_OK)
    product->value = esk_cuda_sparse_array (making, vab.value, (size_t) vab.stored, type_bytes, &code);
  if (code == ESK_OK)
    product->carry = esk_cuda_sparse_array (making, NULL, n_partial, type_bytes, &code);
  if (code == ESK_OK && making->options.texture && n_partial > 0)
    code = make_texture (making, n_partial);
  esk_vab_clear (&vab);

  return code;
}
