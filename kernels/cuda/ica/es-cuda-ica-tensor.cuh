/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Part of es-cuda-ica-tensor.cu and es-cuda-ica-tensor-moments.cu: Y = W Z by matrix instructions (compute capability
 * 8.0 and later), 16 samples of a warp at a time.
 *
 * Numbers are split into two float16 (22 bits), and three of the four products are formed, in float32. Lane (g, t) =
 * (lane / 4, lane % 4) reads samples 4 t .. 4 t + 3 of plane g of every eight; which of them is which column of a
 * matrix does not matter to sums over the samples. For products over the samples they are as they lie, for W Z they
 * are transposed among the lanes (movmatrix).
 */

#include "es-cuda-ica-private.h"

#include <cuda_fp16.h>

#define THREADS 128
#define WARPS (THREADS / 32)
#define CHUNK 16               /* samples of a warp */

/* Two float32 as float16, and what is left of them as float16. */
struct Split {
  unsigned high, low;
};

static __device__ __forceinline__ Split
split (float x,
       float y)
{
  __half2 high = __floats2half2_rn (x, y);
  float2 back = __half22float2 (high);
  __half2 low = __floats2half2_rn (x - back.x, y - back.y);
  Split result;

  result.high = *(unsigned *) &high;
  result.low = *(unsigned *) &low;

  return result;
}

static __device__ __forceinline__ unsigned
transpose (unsigned x)
{
  unsigned y;

#if __CUDA_ARCH__ >= 800
  asm ("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(y) : "r"(x));
#else
  y = x;
#endif

  return y;
}

static __device__ __forceinline__ void
multiply (float    sum[4],
          const unsigned a[4],
          unsigned b0,
          unsigned b1)
{
#if __CUDA_ARCH__ >= 800
  asm ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
       "{%0, %1, %2, %3};"
       : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
       : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

/* Volatile: in registers for good, they would take the place of a block. */
static __device__ __forceinline__ void
load_factors (unsigned     a[4],
              const uint4 *from)
{
  asm volatile ("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                : "r"((unsigned) __cvta_generic_to_shared (from)));
}

/*
 * The chunks of a warp, one after the other. Planes that there are none of are read as the last one, and have no part
 * in what comes of it; samples that there are none of are zeros.
 */
template <int octets>
struct Chunks {
  const float *at[octets];     /* of the lane, in the next chunk */
  unsigned     left, some;     /* chunks not loaded yet; how many of all, the last ones, are not whole or not aligned */

  __device__ __forceinline__
  Chunks (const EskIcaCall &call,
          bool              aligned)
  {
    const size_t first = (size_t) blockIdx.x * WARPS + threadIdx.x / 32, whole = aligned ? call.n / CHUNK : 0;

    left = count (first, (call.n + CHUNK - 1) / CHUNK);
    some = left - count (first, whole);
#pragma unroll
    for (int i = 0; i < octets; i++)
      {
        unsigned plane = i * 8 + threadIdx.x % 32 / 4;

        at[i] = call.z + (plane < call.columns ? plane : call.columns - 1) * call.stride + first * CHUNK
                + threadIdx.x % 4 * 4;
      }
  }

  /* From `first` on, in steps of all warps. */
  static __device__ __forceinline__ unsigned
  count (size_t first,
         size_t end)
  {
    const size_t step = (size_t) gridDim.x * WARPS;

    return first < end ? (unsigned) ((end - first + step - 1) / step) : 0;
  }

  /* The next one: four samples of each plane that is the lane's. */
  __device__ __forceinline__ void
  load (const EskIcaCall &call,
        float4            z[octets])
  {
    const size_t step = (size_t) gridDim.x * WARPS;

    if (left > some)
#pragma unroll
      for (int i = 0; i < octets; i++)
        z[i] = __ldcs ((const float4 *) at[i]);
    else
      {
        /* The last chunk is the only one that may end early. */
        const size_t last = (call.n - 1) / CHUNK * CHUNK, first = (size_t) blockIdx.x * WARPS + threadIdx.x / 32;
        const size_t own = first + (count (first, (call.n + CHUNK - 1) / CHUNK) - left) * step;
        const int there = (own * CHUNK < last ? CHUNK : (int) (call.n - last)) - (int) (threadIdx.x % 4 * 4);

#pragma unroll
        for (int i = 0; i < octets; i++)
          {
            z[i].x = there > 0 ? at[i][0] : 0.0f;
            z[i].y = there > 1 ? at[i][1] : 0.0f;
            z[i].z = there > 2 ? at[i][2] : 0.0f;
            z[i].w = there > 3 ? at[i][3] : 0.0f;
          }
      }
    left--;
#pragma unroll
    for (int i = 0; i < octets; i++)
      at[i] += step * CHUNK;
  }
};

/* Rows of W from first_row on, times factor, as operands: high halves, then low ones, of each tile. */
template <int row_tiles, int column_tiles>
static __device__ __forceinline__ void
fill_factors (const EskIcaCall &call,
              unsigned          first_row,
              float             factor,
              uint4             factors[][32])
{
  const unsigned lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;

  for (unsigned e = threadIdx.x / 32; e < row_tiles * column_tiles; e += WARPS)
    {
      unsigned high[4], low[4];

      for (int i = 0; i < 4; i++)
        {
          unsigned row = first_row + e / column_tiles * 16 + i % 2 * 8 + g;
          unsigned column = e % column_tiles * 16 + i / 2 * 8 + t * 2;
          const size_t at = (size_t) row * call.columns + column;
          const bool first = row < call.rows && column < call.columns;
          const bool second = row < call.rows && column + 1 < call.columns;
          Split s = split (first ? esk_ica_weight (call, at) * factor : 0.0f,
                           second ? esk_ica_weight (call, at + 1) * factor : 0.0f);

          high[i] = s.high;
          low[i] = s.low;
        }
      factors[2 * e][lane] = *(const uint4 *) high;
      factors[2 * e + 1][lane] = *(const uint4 *) low;
    }
}

template <int octets>
static __device__ __forceinline__ void
split_chunk (const float4 from[octets],
             Split        z[octets][2])
{
#pragma unroll
  for (int i = 0; i < octets; i++)
    {
      z[i][0] = split (from[i].x, from[i].y);
      z[i][1] = split (from[i].z, from[i].w);
    }
}

/* y[r][half][k]: of rows g and g + 8 of the tile r (k / 2) two columns each, as matrix instructions leave it. */
template <int row_tiles, int column_tiles>
static __device__ __forceinline__ void
project_chunk (const Split z[2 * column_tiles][2],
               const uint4 factors[][32],
               float       y[row_tiles][2][4])
{
  constexpr int octets = 2 * column_tiles;
  const unsigned lane = threadIdx.x % 32;

#pragma unroll
  for (int half = 0; half < 2; half++)
    {
      unsigned high[octets], low[octets];

#pragma unroll
      for (int i = 0; i < octets; i++)
        {
          high[i] = transpose (z[i][half].high);
          low[i] = transpose (z[i][half].low);
        }
#pragma unroll
      for (int r = 0; r < row_tiles; r++)
        {
#pragma unroll
          for (int i = 0; i < 4; i++)
            y[r][half][i] = 0.0f;
#pragma unroll
          for (int c = 0; c < column_tiles; c++)
            {
              unsigned w_high[4], w_low[4];

              load_factors (w_high, factors[2 * (r * column_tiles + c)] + lane);
              load_factors (w_low, factors[2 * (r * column_tiles + c) + 1] + lane);
              multiply (y[r][half], w_low, high[2 * c], high[2 * c + 1]);
              multiply (y[r][half], w_high, low[2 * c], low[2 * c + 1]);
              multiply (y[r][half], w_high, high[2 * c], high[2 * c + 1]);
            }
        }
    }
}
