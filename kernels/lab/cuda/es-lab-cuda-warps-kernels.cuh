/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The kernels of es-lab-cuda-warps.cu. */

#include "es-lab-cuda-clock-private.h"

#define TRIP 32
#define TRIPS 32
#define MOST_THREADS 1024
#define CONFLICT_WORDS (32 * 33)

static __constant__ uint32_t lab_first[MOST_THREADS], lab_second[MOST_THREADS];

/* Where words are read: one function each, so that the bodies of the experiments are the same. */
struct FromGlobal
{
  const uint32_t *words;
  __device__ __forceinline__ uint32_t
  operator[] (uint32_t i) const
  {
    uint32_t word;

    asm volatile ("ld.global.u32 %0, [%1];" : "=r"(word) : "l"(words + i) : "memory");
    return word;
  }
};

struct FromReadOnly
{
  const uint32_t *words;
  __device__ __forceinline__ uint32_t
  operator[] (uint32_t i) const
  {
    uint32_t word;

    asm volatile ("ld.global.nc.u32 %0, [%1];" : "=r"(word) : "l"(words + i));
    return word;
  }
};

struct FromTexture
{
  cudaTextureObject_t texture;
  __device__ __forceinline__ uint32_t operator[] (uint32_t i) const { return tex1Dfetch<unsigned> (texture, (int) i); }
};

struct FromShared
{
  uint32_t base;
  __device__ __forceinline__ uint32_t
  operator[] (uint32_t i) const
  {
    uint32_t word;

    asm volatile ("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(base + 4 * i) : "memory");
    return word;
  }
};

struct FromConstant
{
  const uint32_t *words;
  __device__ __forceinline__ uint32_t operator[] (uint32_t i) const { return words[i]; }
};

/* lab: warps */
/* Lanes in groups of `ways` at one address; both arrays hold their own places, so that a lane goes round in circles. */
template <typename From>
static __device__ __forceinline__ void
share (From first, From second, uint32_t ways, uint32_t *kept, double *clocks)
{
  const uint32_t id = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t q = threadIdx.x / ways * ways, p = 0;
  long long from, to;

  q = second[first[q]];
  LAB_AWAIT (q);
  __syncthreads ();
  from = lab_clock ();
#pragma unroll 1
  for (int t = 0; t < TRIPS; t++)
    {
#pragma unroll
      for (int k = 0; k < TRIP; k++)
        {
          p = first[q];
          q = second[p];
        }
    }
  LAB_AWAIT (q);
  to = lab_clock ();

  kept[id] = p + q;
  if (threadIdx.x % 32 == 0)
    clocks[id / 32] = (double) (to - from) / (2.0 * TRIPS * TRIP);
}

template <typename From>
static __global__ void
lab_sharing (From first, From second, uint32_t ways, uint32_t *kept, double *clocks)
{
  share (first, second, ways, kept, clocks);
}

static __global__ void
lab_sharing_shared (uint32_t ways, uint32_t *kept, double *clocks)
{
  __shared__ uint32_t words[2][MOST_THREADS];
  const uint32_t base = (uint32_t) __cvta_generic_to_shared (words);

  for (uint32_t i = threadIdx.x; i < MOST_THREADS; i += blockDim.x)
    words[0][i] = words[1][i] = i;
  __syncthreads ();
  share (FromShared { base }, FromShared { base + 4 * MOST_THREADS }, ways, kept, clocks);
}

static __global__ void
lab_sharing_constant (uint32_t ways, uint32_t *kept, double *clocks)
{
  share (FromConstant { lab_first }, FromConstant { lab_second }, ways, kept, clocks);
}

/* Rows of 32 words. Warps begin as far from each other on the cycle as they can, and follow what they read; `warm`
 * rows are read before, so that what fits the first cache is there. */
template <typename From>
static __device__ __forceinline__ void
follow (From array, const uint32_t *starts, uint32_t rows, int warm, int trips, uint32_t *kept, double *clocks)
{
  const uint32_t id = blockIdx.x * blockDim.x + threadIdx.x, warps = gridDim.x * blockDim.x / 32;
  const uint32_t apart = rows > warps ? rows / warps : 1;
  uint32_t p = starts[(uint64_t) (id / 32) * apart % rows * 32 + threadIdx.x % 32];
  long long from, to;

#pragma unroll 1
  for (int w = 0; w < warm; w++)
    p = array[p];
  LAB_AWAIT (p);
  __syncthreads ();
  from = lab_clock ();
#pragma unroll 1
  for (int t = 0; t < trips; t++)
    {
#pragma unroll
      for (int k = 0; k < TRIP; k++)
        p = array[p];
    }
  LAB_AWAIT (p);
  to = lab_clock ();

  kept[id] = p;
  if (threadIdx.x % 32 == 0)
    clocks[id / 32] = (double) (to - from) / ((double) trips * TRIP);
}

template <typename From>
static __global__ void
lab_order (From array, const uint32_t *starts, uint32_t rows, int warm, int trips, uint32_t *kept, double *clocks)
{
  follow (array, starts, rows, warm, trips, kept, clocks);
}

static __global__ void
lab_order_shared (const uint32_t *array, const uint32_t *starts, uint32_t rows, int warm, int trips, uint32_t *kept,
                  double *clocks)
{
  extern __shared__ uint32_t words[];

  for (uint32_t i = threadIdx.x; i < rows * 32; i += blockDim.x)
    words[i] = array[i];
  __syncthreads ();
  follow (FromShared { (uint32_t) __cvta_generic_to_shared (words) }, starts, rows, warm, trips, kept, clocks);
}

/*
 * The rows as one cycle in random order: variant 1, 4: each lane in its place; 2: the lanes of a row shuffled, anew in
 * each; 3: a cycle of its own for each lane, which stays in its column. starts: where a lane is in a row.
 */
static __global__ void
lab_build_rows (uint32_t *array, uint32_t *starts, uint32_t rows, uint32_t bits, uint32_t variant)
{
  const uint32_t id = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t i = id / 32, lane = id % 32, key = variant == 3 ? 7 * lane + 1 : 1;
  uint32_t here, there, place, next;

  if (i >= rows)
    return;
  here = lab_shuffled (i, rows, bits, key);
  there = lab_shuffled (i + 1 < rows ? i + 1 : 0, rows, bits, key);
  place = variant == 2 ? lab_shuffled (lane, 32, 5, here * 0x9e3779b1u) : lane;
  next = variant == 2 ? lab_shuffled (lane, 32, 5, there * 0x9e3779b1u) : lane;
  array[(uint64_t) here * 32 + place] = there * 32 + next;
  starts[(uint64_t) i * 32 + lane] = here * 32 + place;
}

/* One warp, `ways` different words of one bank at a time, in rows of 32 words, or of 33 (padded). */
static __global__ void
lab_conflict (uint32_t ways, uint32_t row, uint32_t *kept, double *clocks)
{
  __shared__ uint32_t words[CONFLICT_WORDS];
  const FromShared array = { (uint32_t) __cvta_generic_to_shared (words) };
  uint32_t p = threadIdx.x % ways * row + threadIdx.x / ways;
  long long from, to;

  for (uint32_t i = threadIdx.x; i < CONFLICT_WORDS; i += blockDim.x)
    words[i] = i;
  __syncthreads ();
  p = array[p];
  LAB_AWAIT (p);
  from = lab_clock ();
#pragma unroll 1
  for (int t = 0; t < TRIPS; t++)
    {
#pragma unroll
      for (int k = 0; k < TRIP; k++)
        p = array[p];
    }
  LAB_AWAIT (p);
  to = lab_clock ();

  kept[threadIdx.x] = p;
  if (threadIdx.x == 0)
    *clocks = (double) (to - from) / ((double) TRIPS * TRIP);
}
/* lab end */
