/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * What a block of the transforms on tensor cores (es-cuda-dft-tensor.cu) is made of: its measures, products, barriers,
 * and the way of samples into it.
 */

#include "es-cuda-dft-samples.cuh"

#include <cuda_fp16.h>

#define WARP 32
/* Residues of bins, elements of a block, of which a warp has one, and values of t that are worked on at a time. */
#define RESIDUES 32
#define ELEMENTS 16
#define STEP 16
#define THREADS (ELEMENTS * WARP)
/* Columns of the second product: four values of m in each tile. */
#define MOST_TILES 4
/* What z is divided by. */
#define SCALE 32.0f

/* Vectors of 16 bytes of the tables, in this order; the last of them once for m + 1/2 and once for m. */
#define FIRST_VECTORS ((size_t) 2 * 2 * 2 * WARP)
#define TURN_VECTORS(turns) ((size_t) (turns) / 8 * 2 * WARP)
#define SECOND_VECTORS(turns, tiles) ((size_t) (turns) / STEP * (tiles) * WARP)

/* ---- products ---- */

/* sums += a b, 16 x 16 by 16 x 8 */
static __device__ __forceinline__ void
multiply (float          *sums,
          const uint32_t *a,
          uint32_t        b0,
          uint32_t        b1)
{
#if __CUDA_ARCH__ >= 800
  asm ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
       "{%0, %1, %2, %3};"
       : "+f" (sums[0]), "+f" (sums[1]), "+f" (sums[2]), "+f" (sums[3])
       : "r" (a[0]), "r" (a[1]), "r" (a[2]), "r" (a[3]), "r" (b0), "r" (b1));
#endif
}

/* Two numbers as their float16 and what these leave. */
static __device__ __forceinline__ void
split (float     x,
       float     y,
       uint32_t *high,
       uint32_t *low)
{
  const __half2 h = __floats2half2_rn (x, y);
  const float2 back = __half22float2 (h);
  const __half2 l = __floats2half2_rn (x - back.x, y - back.y);

  memcpy (high, &h, sizeof h);
  memcpy (low, &l, sizeof l);
}

/* ---- barriers of warps ---- */

static __device__ __forceinline__ void
barrier_init (uint64_t *barrier)
{
#if __CUDA_ARCH__ >= 800
  asm volatile ("mbarrier.init.shared.b64 [%0], %1;"
                :: "r" ((uint32_t) __cvta_generic_to_shared (barrier)), "n" (ELEMENTS * WARP) : "memory");
#endif
}

/* Every lane, for itself: one for all is as right, but not what compute-sanitizer knows to be right. */
static __device__ __forceinline__ void
barrier_arrive (uint64_t *barrier)
{
#if __CUDA_ARCH__ >= 800
  asm volatile ("{ .reg .b64 a; mbarrier.arrive.shared.b64 a, [%0]; }"
                :: "r" ((uint32_t) __cvta_generic_to_shared (barrier)) : "memory");
#endif
}

/* Until all have arrived for a time of this parity; before the first one those of parity 1 are over. */
static __device__ __forceinline__ void
barrier_wait (uint64_t *barrier,
              uint32_t  parity)
{
#if __CUDA_ARCH__ >= 900
  uint32_t done;

  do
    asm volatile ("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                  : "=r" (done) : "r" ((uint32_t) __cvta_generic_to_shared (barrier)), "r" (parity) : "memory");
  while (done == 0);
#endif
}

/* ---- samples ---- */

/* Neighbouring blocks have the rest of these 128 bytes. */
static __device__ __forceinline__ uint32_t
load_two (const char *from)
{
  uint32_t two = 0;

#if __CUDA_ARCH__ >= 800
  asm volatile ("ld.global.nc.L1::no_allocate.L2::128B.b32 %0, [%1];" : "=r" (two) : "l" (from));
#endif

  return two;
}

/* Samples t + T j of two neighbouring elements, a thread's: one t of a step and eight values of j. */
struct Loader
{
  const char *from;
  unsigned    group, step;
  int         left;            /* frames of the window from the first of them on */
  uint32_t    two[8];

  __device__ __forceinline__ void
  start (const EskCudaTensorRows &call,
         unsigned                 at_group)
  {
    const unsigned of_snapshot = (unsigned) (call.stride / ELEMENTS), snapshot = at_group / of_snapshot;
    const unsigned element = at_group % of_snapshot * ELEMENTS + 2 * (threadIdx.x % 8);
    const unsigned turns = (unsigned) (call.length / RESIDUES);
    const unsigned first = threadIdx.x / 8 % STEP + turns * 8 * (threadIdx.x / (8 * STEP));

    group = at_group;
    step = 0;
    left = snapshot < call.snapshots && element < call.elements ? (int) call.window_length - (int) first : 0;
    from = (const char *) call.frames.data
           + ((snapshot * call.hop + first) * (size_t) call.frames.frame_stride + element) * sizeof (int16_t);
  }

  /* turns: T = 2^shift; apart: bytes from j to j + 1. */
  __device__ __forceinline__ void
  ask (const EskCudaTensorRows &call,
       unsigned                 turns,
       int                      shift,
       size_t                   apart)
  {
    const int last = (left - 1) >> shift;
    const char *at = from;

    if (__all_sync (0xffffffffu, last >= 7))
#pragma unroll
      for (int k = 0; k < 8; k++, at += apart)
        two[k] = load_two (at);
    else
#pragma unroll
      for (int k = 0; k < 8; k++, at += apart)
        {
          two[k] = 0;
          if (last >= k)
            two[k] = load_two (at);
        }
    left -= STEP;
    from += STEP * sizeof (int16_t) * (size_t) call.frames.frame_stride;
    if (++step == turns / STEP)
      start (call, group + gridDim.x);
  }

  /* To where the elements' warps read them: [element][t][j], 16 bytes at a time, without conflicts of banks. */
  __device__ __forceinline__ void
  keep (const EskCudaTensorRows &call,
        uint4                   *samples)
  {
    const unsigned pair = threadIdx.x % 8, t = threadIdx.x / 8 % STEP, q = threadIdx.x / (8 * STEP);

    uint4 *to = samples + 2 * pair * STEP * 4 + ((t * 4 + q) ^ pair);

    if (call.frames.byte_swapped)
#pragma unroll
      for (unsigned k = 0; k < 8; k++)
        two[k] = __byte_perm (two[k], 0, 0x2301);
    to[0] = make_uint4 (__byte_perm (two[0], two[1], 0x5410), __byte_perm (two[2], two[3], 0x5410),
                        __byte_perm (two[4], two[5], 0x5410), __byte_perm (two[6], two[7], 0x5410));
    to[STEP * 4] = make_uint4 (__byte_perm (two[0], two[1], 0x7632), __byte_perm (two[2], two[3], 0x7632),
                               __byte_perm (two[4], two[5], 0x7632), __byte_perm (two[6], two[7], 0x7632));
  }
};

/* Where a lane finds its samples of element e of a block: j = 8 q .. 8 q + 7 of t = lane / 4, or of the second half. */
static __device__ __forceinline__ uint4
kept_samples (const uint4 *samples,
              unsigned     e,
              unsigned     half)
{
  return samples[e * STEP * 4 + ((half * WARP + threadIdx.x % WARP) ^ (e / 2))];
}

/* Peaks and clipped samples of the two elements of a thread. */
struct Findings
{
  uint32_t highest, lowest, clipped[2];

  __device__ __forceinline__ void
  clear (void)
  {
    highest = lowest = clipped[0] = clipped[1] = 0;
  }

  __device__ __forceinline__ void
  look_at (const uint32_t *two)
  {
    uint32_t high = two[0], low = two[0];

#pragma unroll
    for (unsigned k = 1; k < 8; k++)
      {
        high = __vmaxs2 (high, two[k]);
        low = __vmins2 (low, two[k]);
      }
    highest = __vmaxs2 (highest, high);
    lowest = __vmins2 (lowest, low);
    /* Rare. */
    if ((__vcmpeq2 (high, 0x7fff7fffu) | __vcmpeq2 (low, 0x80008000u)) != 0)
#pragma unroll
      for (unsigned k = 0; k < 8; k++)
#pragma unroll
        for (unsigned h = 0; h < 2; h++)
          {
            const int16_t sample = (int16_t) (two[k] >> (16 * h));

            clipped[h] += sample == SHRT_MIN || sample == SHRT_MAX;
          }
  }

  /* found: peaks of the elements, then how many are clipped. */
  __device__ __forceinline__ void
  tell (uint32_t *found)
  {
#pragma unroll
    for (unsigned h = 0; h < 2; h++)
      {
        const unsigned element = 2 * (threadIdx.x % 8) + h;
        const int up = (int16_t) (highest >> (16 * h)), down = -(int) (int16_t) (lowest >> (16 * h));

        atomicMax (&found[element], (uint32_t) (up > down ? up : down));
        if (clipped[h] > 0)
          atomicAdd (&found[ELEMENTS + element], clipped[h]);
      }
    clear ();
  }
};

/* Eight samples, weighted, as pairs of float16. */
template <bool weighted>
static __device__ __forceinline__ void
split_samples (uint4         samples,
               const float4 *weights,
               uint32_t     *high,
               uint32_t     *low)
{
  const uint32_t words[4] = { samples.x, samples.y, samples.z, samples.w };
  float x[8];

#pragma unroll
  for (int k = 0; k < 4; k++)
    {
      x[2 * k] = (float) (int16_t) words[k];
      x[2 * k + 1] = (float) (int16_t) (words[k] >> 16);
    }
  if (weighted)
    {
      const float4 a = weights[0], b = weights[WARP];

      x[0] *= a.x;
      x[1] *= a.y;
      x[2] *= a.z;
      x[3] *= a.w;
      x[4] *= b.x;
      x[5] *= b.y;
      x[6] *= b.z;
      x[7] *= b.w;
    }
#pragma unroll
  for (int k = 0; k < 4; k++)
    split (x[2 * k], x[2 * k + 1], &high[k], &low[k]);
}
