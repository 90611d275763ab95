/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Sums of all blocks of a launch that stay on the device: every block leaves its own, and the one that comes last adds
 * them up in the order of the blocks, so that there is no second launch and the order is always the same.
 */

#include "es-cuda-internal.h"

#define ESK_SLOTS_THREADS 256
#define ESK_SLOTS_FULL 0xffffffffu
/* Sums of blocks that a thread of the last one has on their way at once. */
#define ESK_SLOTS_AT_ONCE 8

/* What a launch has for it. */
typedef struct {
  unsigned *counter;           /* blocks that are done; 0 before and after */
  double   *partial;           /* a row of n_blocks for each sum */
  double   *slots;
} EskCudaSlots;

/* Room for `n_sums` sums of n_blocks blocks, which go to `slots`. */
static inline int
esk_cuda_slots (EskStream    *stream,
                size_t        n_blocks,
                size_t        n_sums,
                double       *slots,
                EskCudaSlots *room)
{
  const EskCudaScratch *scratch = &stream->scratch[ESK_SCRATCH_SLOTS];
  const size_t head = 256, bytes = head + n_blocks * n_sums * sizeof (double);
  const bool fresh = scratch->data == NULL || scratch->size < bytes;
  char *memory = (char *) esk_cuda_scratch (stream, ESK_SCRATCH_SLOTS, bytes);

  if (memory == NULL)
    return esk_cuda_device_is_lost (stream->device) ? ESK_ERROR_LOST : ESK_ERROR_MEMORY;
  room->counter = (unsigned *) memory;
  room->partial = (double *) (memory + head);
  room->slots = slots;

  return fresh ? esk_cuda_check (stream, cudaMemsetAsync (memory, 0, head, stream->stream), "sums") : ESK_OK;
}

#ifdef __CUDACC__

/* Blocks of a launch of `kernel` that has work for `wanted` of them: as many as the device holds at once, each of which
 * takes its share, for every block more leaves a sum that somebody has to read, and a second wave that fills the device
 * by half would take as long as a whole one; at least one. */
template <typename Kernel>
static inline int
esk_slots_blocks (EskStream *stream,
                  Kernel     kernel,
                  size_t     wanted,
                  size_t    *n_blocks)
{
  int held = 0;
  int code = esk_cuda_check (stream, cudaOccupancyMaxActiveBlocksPerMultiprocessor (&held, kernel, ESK_SLOTS_THREADS,
                                                                                    0), "sums");
  const size_t most = (size_t) (held > 0 ? held : 1) * (size_t) esk_cuda_properties (stream)->multiprocessors;

  *n_blocks = wanted < 1 ? 1 : wanted < most ? wanted : most;
  return code;
}

template <bool LARGEST>
static __device__ __forceinline__ double
esk_slots_join (double a,
                double b)
{
  if (!LARGEST)
    return a + b;
  /* What is not a number stays so. */
  return a != a ? a : b != b ? b : fmax (a, b);
}

/* Of all threads of a block, told to thread 0. */
template <int N, bool LARGEST>
static __device__ __forceinline__ void
esk_slots_join_block (double (&sums)[N])
{
  __shared__ double shared[N][ESK_SLOTS_THREADS / 32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  /* Somebody may still read what is there. */
  __syncthreads ();
#pragma unroll
  for (int d = 0; d < N; d++)
    {
#pragma unroll
      for (int step = 16; step > 0; step /= 2)
        sums[d] = esk_slots_join<LARGEST> (sums[d], __shfl_down_sync (ESK_SLOTS_FULL, sums[d], step));
      if (lane == 0)
        shared[d][warp] = sums[d];
    }
  __syncthreads ();
  if (threadIdx.x == 0)
    {
#pragma unroll
      for (int d = 0; d < N; d++)
        {
          double all = shared[d][0];

          for (int w = 1; w < ESK_SLOTS_THREADS / 32; w++)
            all = esk_slots_join<LARGEST> (all, shared[d][w]);
          sums[d] = all;
        }
    }
}

/* The last thing that all threads of every block do, ESK_SLOTS_THREADS a block of one dimension. */
template <int N, bool LARGEST>
static __device__ __forceinline__ void
esk_slots_finish (double              (&sums)[N],
                  const EskCudaSlots  &room)
{
  __shared__ bool is_last;
  const unsigned n_blocks = gridDim.x;

  esk_slots_join_block<N, LARGEST> (sums);
  if (threadIdx.x == 0)
    {
#pragma unroll
      for (int d = 0; d < N; d++)
        room.partial[(size_t) d * n_blocks + blockIdx.x] = sums[d];
      __threadfence ();
      is_last = atomicInc (room.counter, n_blocks - 1) == n_blocks - 1;
    }
  __syncthreads ();
  if (!is_last)
    return;

  __threadfence ();
#pragma unroll
  for (int d = 0; d < N; d++)
    {
      const double *partial = room.partial + (size_t) d * n_blocks;

      sums[d] = 0.0;
      for (unsigned base = threadIdx.x; base < n_blocks; base += ESK_SLOTS_AT_ONCE * ESK_SLOTS_THREADS)
        {
          double some[ESK_SLOTS_AT_ONCE];

#pragma unroll
          for (unsigned i = 0; i < ESK_SLOTS_AT_ONCE; i++)
            some[i] = base + i * ESK_SLOTS_THREADS < n_blocks ? __ldcg (partial + base + i * ESK_SLOTS_THREADS) : 0.0;
#pragma unroll
          for (unsigned i = 0; i < ESK_SLOTS_AT_ONCE; i++)
            sums[d] = esk_slots_join<LARGEST> (sums[d], some[i]);
        }
    }
  esk_slots_join_block<N, LARGEST> (sums);
  if (threadIdx.x == 0)
#pragma unroll
    for (int d = 0; d < N; d++)
      room.slots[d] = sums[d];
}

#endif
