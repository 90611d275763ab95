/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Steps of FastICA on a card that read a sample once: for each vector, or for all of them. */

#include "es-ladder-cuda-ica-private.h"

#include <math.h>

#define THREADS 256
#define WARPS (THREADS / 32)
/* Floats from plane to plane of a tile: one more than there are, so that planes begin in different banks. */
#define STRIDE (ICA_TILE + 1)
/* Vectors and planes go to a square of so many threads. */
#define SIDE 16

/* lab: ica-fused ica-tiled */
/* The sum over a warp. */
static __device__ float
sum_of_warp (float sum)
{
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_xor_sync (0xffffffffu, sum, distance);
  return sum;
}
/* lab end */

/* lab: ica-fused */
/* One launch for all vectors, and each reads a sample once: a thread keeps all planes of it in registers, makes w'z and
 * g of them, and adds to as many sums, in registers, too. Block y is vector y. */
template <int most>
static __global__ void
__launch_bounds__ (THREADS)
fused (const float *w,
       const float *z,
       size_t       pixels,
       unsigned     rows,
       float       *partial)
{
  __shared__ float shared[most], sums[WARPS][most + 1];
  const size_t step = (size_t) gridDim.x * THREADS;
  float product[most], derivative = 0.0f;

  for (unsigned i = threadIdx.x; i < most; i += THREADS)
    shared[i] = i < rows ? w[blockIdx.y * rows + i] : 0.0f;
  __syncthreads ();
#pragma unroll
  for (int i = 0; i < most; i++)
    product[i] = 0.0f;

  for (size_t p = (size_t) blockIdx.x * THREADS + threadIdx.x; p < pixels; p += step)
    {
      float sample[most], y = 0.0f, g;

#pragma unroll
      for (int i = 0; i < most; i++)
        sample[i] = i < rows ? z[i * pixels + p] : 0.0f;
#pragma unroll
      for (int i = 0; i < most; i++)
        y += shared[i] * sample[i];
      g = tanhf (y);
      derivative += 1.0f - g * g;
#pragma unroll
      for (int i = 0; i < most; i++)
        product[i] += g * sample[i];
    }

#pragma unroll
  for (int i = 0; i < most; i++)
    {
      const float sum = sum_of_warp (product[i]);

      if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32][i] = sum;
    }
  derivative = sum_of_warp (derivative);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32][most] = derivative;
  __syncthreads ();
  for (unsigned i = threadIdx.x; i <= rows; i += THREADS)
    {
      float sum = 0.0f;

      for (int warp = 0; warp < WARPS; warp++)
        sum += sums[warp][i < rows ? i : most];
      partial[((size_t) blockIdx.y * (rows + 1) + i) * gridDim.x + blockIdx.x] = sum;
    }
}
/* lab end */

/* lab: ica-tiled */
/* One launch for all vectors, and a sample is read once for all of them: a block brings all planes of some samples to
 * shared memory, makes w'z and g of them for all vectors there, and every thread adds to `each` by `each` of the
 * products. */
template <int each>
static __global__ void
__launch_bounds__ (THREADS)
tiled (const float *w,
       const float *z,
       size_t       pixels,
       unsigned     rows,
       float       *partial)
{
  constexpr int most = SIDE * each, share = most / (THREADS / ICA_TILE);
  extern __shared__ float memory[];
  float *sample = memory, *g = sample + most * STRIDE, *weight = g + most * STRIDE, *halves = weight + most * most;
  const unsigned column = threadIdx.x % ICA_TILE, first_row = threadIdx.x / ICA_TILE * share;
  const unsigned x = threadIdx.x % SIDE, y = threadIdx.x / SIDE;
  float product[each][each], derivative[share];

  /* W with its vectors as columns; vectors and planes that are not there are zeros. */
  for (unsigned e = threadIdx.x; e < most * most; e += THREADS)
    weight[e] = e / most < rows && e % most < rows ? w[e % most * rows + e / most] : 0.0f;
  for (unsigned e = threadIdx.x; e < most * STRIDE; e += THREADS)
    sample[e] = 0.0f;
#pragma unroll
  for (int k = 0; k < share; k++)
    derivative[k] = 0.0f;
#pragma unroll
  for (int k = 0; k < each * each; k++)
    product[k / each][k % each] = 0.0f;

  for (size_t first = (size_t) blockIdx.x * ICA_TILE; first < pixels; first += (size_t) gridDim.x * ICA_TILE)
    {
      const unsigned count = pixels - first < ICA_TILE ? (unsigned) (pixels - first) : ICA_TILE;
      float sum[share];

      __syncthreads ();
      for (unsigned e = threadIdx.x; e < rows * ICA_TILE; e += THREADS)
        sample[e / ICA_TILE * STRIDE + e % ICA_TILE]
          = e % ICA_TILE < count ? z[e / ICA_TILE * pixels + first + e % ICA_TILE] : 0.0f;
      __syncthreads ();

#pragma unroll
      for (int k = 0; k < share; k++)
        sum[k] = 0.0f;
      for (unsigned i = 0; i < rows; i++)
#pragma unroll
        for (int k = 0; k < share; k++)
          sum[k] += weight[i * most + first_row + k] * sample[i * STRIDE + column];
#pragma unroll
      for (int k = 0; k < share; k++)
        {
          sum[k] = tanhf (sum[k]);
          g[(first_row + k) * STRIDE + column] = sum[k];
          derivative[k] += column < count ? 1.0f - sum[k] * sum[k] : 0.0f;
        }
      __syncthreads ();

      for (unsigned p = 0; p < ICA_TILE; p++)
#pragma unroll
        for (int k = 0; k < each * each; k++)
          product[k / each][k % each] += g[(y + k / each * SIDE) * STRIDE + p]
                                         * sample[(x + k % each * SIDE) * STRIDE + p];
    }

#pragma unroll
  for (int k = 0; k < each * each; k++)
    {
      const unsigned r = y + k / each * SIDE, i = x + k % each * SIDE;

      if (r < rows && i < rows)
        partial[((size_t) r * (rows + 1) + i) * gridDim.x + blockIdx.x] = product[k / each][k % each];
    }
  /* The samples of a tile are two warps' each. */
#pragma unroll
  for (int k = 0; k < share; k++)
    {
      const float half = sum_of_warp (derivative[k]);

      if (threadIdx.x % 32 == 0)
        halves[2 * (first_row + k) + column / 32] = half;
    }
  __syncthreads ();
  for (unsigned r = threadIdx.x; r < rows; r += THREADS)
    partial[((size_t) r * (rows + 1) + rows) * gridDim.x + blockIdx.x] = halves[2 * r] + halves[2 * r + 1];
}
/* lab end */

/* lab: ica-fused */
/* W is read where the host has it, and sums are written to where it wants them. */
int
ica_fused (EskLadder   *ladder,
           IcaCardWork *work)
{
  const dim3 grid (work->blocks, work->rows);

  if (work->rows <= 16)
    fused<16><<<grid, THREADS, 0, work->stream>>> (work->w, work->z, work->pixels, work->rows, work->partial);
  else if (work->rows <= 32)
    fused<32><<<grid, THREADS, 0, work->stream>>> (work->w, work->z, work->pixels, work->rows, work->partial);
  else
    fused<64><<<grid, THREADS, 0, work->stream>>> (work->w, work->z, work->pixels, work->rows, work->partial);
  ESK_LADDER_TRY (ladder_launched (ladder, "a step of all vectors"));

  return ica_add_up (ladder, work, work->rows * (work->rows + 1));
}
/* lab end */

/* lab: ica-tiled */
/* W is read where the host has it, and sums are written to where it wants them. */
int
ica_tiled (EskLadder   *ladder,
           IcaCardWork *work)
{
  const size_t shared = ica_tiled_shared (work->rows);
  const unsigned grid = work->blocks;

  if (work->rows <= 16)
    tiled<1><<<grid, THREADS, shared, work->stream>>> (work->w, work->z, work->pixels, work->rows, work->partial);
  else if (work->rows <= 32)
    tiled<2><<<grid, THREADS, shared, work->stream>>> (work->w, work->z, work->pixels, work->rows, work->partial);
  else
    tiled<4><<<grid, THREADS, shared, work->stream>>> (work->w, work->z, work->pixels, work->rows, work->partial);
  ESK_LADDER_TRY (ladder_launched (ladder, "a step of all vectors"));

  return ica_add_up (ladder, work, work->rows * (work->rows + 1));
}
/* lab end */

const void *
ica_fused_kernel (unsigned rows)
{
  return rows <= 16 ? (const void *) fused<16> : rows <= 32 ? (const void *) fused<32> : (const void *) fused<64>;
}

const void *
ica_tiled_kernel (unsigned rows)
{
  return rows <= 16 ? (const void *) tiled<1> : rows <= 32 ? (const void *) tiled<2> : (const void *) tiled<4>;
}

size_t
ica_tiled_shared (unsigned rows)
{
  const size_t most = rows <= 16 ? 16 : rows <= 32 ? 32 : 64;

  return (2 * most * STRIDE + most * most + 2 * most) * sizeof (float);
}
