/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A preconditioner of dense blocks along the diagonal: a thread a row, whose neighbours read the column beside it. */

#include "es-cuda-vectors-steps.cuh"

#define THREADS ESK_SLOTS_THREADS

template <typename T, bool DOT>
static __global__ void __launch_bounds__ (THREADS)
block_scale_kernel (size_t        n,
                    unsigned      block,
                    const T      *blocks,
                    const T      *r,
                    T            *z,
                    EskCudaSlots  room)
{
  double sums[1] = { 0.0 };

  for (size_t row = (size_t) blockIdx.x * THREADS + threadIdx.x; row < n; row += (size_t) gridDim.x * THREADS)
    {
      const size_t first = row / block * block;
      const unsigned columns = n - first < block ? (unsigned) (n - first) : block;
      const T *from = blocks + first * block + (row - first);
      T sum = T (0);

#pragma unroll 4
      for (unsigned c = 0; c < columns; c++)
        sum += from[(size_t) c * block] * r[first + c];
      z[row] = sum;
      if constexpr (DOT)
        sums[0] += (double) r[row] * (double) sum;
    }
  if constexpr (DOT)
    esk_slots_finish<1, false> (sums, room);
}

template <typename T>
static int
block_scale (EskStream  *stream,
             size_t      n,
             size_t      block,
             const void *blocks,
             const void *r,
             void       *z,
             double     *dot)
{
  EskCudaSlots room = { NULL, NULL, NULL };
  size_t n_blocks;
  int code = dot != NULL ? esk_step_blocks (stream, block_scale_kernel<T, true>, n, 1, &n_blocks)
                         : esk_step_blocks (stream, block_scale_kernel<T, false>, n, 1, &n_blocks);

  if (code == ESK_OK && dot != NULL)
    code = esk_cuda_slots (stream, n_blocks, 1, dot, &room);
  if (code != ESK_OK)
    return code;
  if (dot != NULL)
    block_scale_kernel<T, true><<<(unsigned) n_blocks, THREADS, 0, stream->stream>>> (n, (unsigned) block,
                                                                                     (const T *) blocks,
                                                                                     (const T *) r, (T *) z, room);
  else
    block_scale_kernel<T, false><<<(unsigned) n_blocks, THREADS, 0, stream->stream>>> (n, (unsigned) block,
                                                                                      (const T *) blocks,
                                                                                      (const T *) r, (T *) z, room);

  return esk_cuda_launched (stream, "blocks along the diagonal");
}

int
esk_cuda_block_scale (EskStream  *stream,
                      EskType     type,
                      size_t      n,
                      size_t      block,
                      const void *blocks,
                      const void *r,
                      void       *z,
                      double     *dot)
{
  int code;

  if (stream == NULL || !esk_cuda_is_vector (type) || block == 0 || block > ESK_MOST_BLOCK
      || (n > 0 && (blocks == NULL || r == NULL || z == NULL)))
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_enter (stream);
  if (code == ESK_OK && (n > 0 || dot != NULL))
    ESK_VECTORS_BY_TYPE (type, code, block_scale, stream, n, block, blocks, r, z, dot);

  return code;
}
