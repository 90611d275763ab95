/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Part of es-cuda-project-tensor.cu. What becomes of a warp's sums: where they start, and how they are written. */

#include "es-cuda-project-step.cuh"

/* --- results ------------------------------------------------------------------------------------------------- */

/* The sums start with what the mean leaves of them. */
template <int kind, int n_tiles>
static __device__ __forceinline__ void
start_sums (typename EskProjectShape<kind>::Sum (*sums)[2][n_tiles][4],
            const Ending               *endings)
{
#pragma unroll
  for (int n = 0; n < n_tiles; n++)
#pragma unroll
    for (int i = 0; i < 2; i++)
      {
        int4 start = make_int4 (0, 0, 0, 0);

        if (kind != ESK_PROJECT_FLOAT)
          start = __ldg ((const int4 *) (endings + n * ESK_PROJECT_TILE + threadIdx.x % 4 * 2 + i));
#pragma unroll
        for (int c = 0; c < EskProjectShape<kind>::classes; c++)
#pragma unroll
          for (int m = 0; m < 2; m++)
            sums[c][m][n][i] = sums[c][m][n][2 + i] = c == 0 ? start.x : c == 1 ? start.y : c == 2 ? start.z : start.w;
      }
}

/* A lane's four pixels of component 2 t + i of a tile. */
template <int kind, int n_tiles>
static __device__ __forceinline__ float4
finish (const typename EskProjectShape<kind>::Sum (*sums)[2][n_tiles][4],
        int                               n,
        int                               i,
        const Ending                     *endings)
{
  float2 ending = __ldg ((const float2 *) &endings[n * ESK_PROJECT_TILE + threadIdx.x % 4 * 2 + i].scale);
  float v[4];

#pragma unroll
  for (int p = 0; p < 4; p++)
    {
      float value = (float) sums[EskProjectShape<kind>::classes - 1][p / 2][n][p % 2 * 2 + i];

#pragma unroll
      for (int c = EskProjectShape<kind>::classes - 2; c >= 0; c--)
        value = fmaf (value, 256.0f, (float) sums[c][p / 2][n][p % 2 * 2 + i]);
      v[p] = fmaf (value, ending.x, ending.y);
    }

  return make_float4 (v[0], v[1], v[2], v[3]);
}

/* Which of the pixels that a lane writes count, a bit each: four beside each other, or one. */
static __device__ __forceinline__ unsigned
read_marks (const EskProjection &projection,
            size_t               pixel,
            bool                 by_four)
{
  int lane = threadIdx.x % LANES;
  unsigned marks = 0;

  if (projection.valid == NULL)
    return 15;
  if (by_four)
    {
      uchar4 valid = *(const uchar4 *) (projection.valid + pixel + lane % 8 * 4);

      marks = (valid.x != 0) | (valid.y != 0) << 1 | (valid.z != 0) << 2 | (valid.w != 0) << 3;
    }
  else if (pixel + lane < projection.n_pixels)
    {
      marks = projection.valid[pixel + lane] != 0;
    }

  return marks;
}

/*
 * Writes a group of components, from `row` on, of a warp's pixels: eight lanes fill a line where rows of the result are
 * aligned. Elsewhere a tile goes through shared memory, so that all lanes write beside each other.
 */
template <int kind, int n_tiles>
static __device__ __forceinline__ void
write_group (const EskProjection             &projection,
             const typename EskProjectShape<kind>::Sum (*sums)[2][n_tiles][4],
             const Ending                     *endings,
             float                            *stage,
             size_t                            pixel,
             size_t                            row,
             bool                              aligned)
{
  int lane = threadIdx.x % LANES, t = lane % 4;
  bool by_four = aligned && pixel + WIDTH <= projection.n_pixels;
  unsigned marks = read_marks (projection, pixel, by_four);
  int n_rows = (int) min (projection.n_rows - row, (size_t) n_tiles * ESK_PROJECT_TILE);

  if (by_four)
    {
      /* Each lane has got results of the pixels that another one writes. */
      int plane = 2 * (lane / 8), source = lane % 8 * 4 + lane / 8;
      float *out = projection.out + (row + plane) * projection.plane_stride + pixel + lane % 8 * 4;

#pragma unroll
      for (int n = 0; n < n_tiles; n++, out += ESK_PROJECT_TILE * projection.plane_stride)
#pragma unroll
        for (int i = 0; i < 2; i++)
          {
            float4 v = finish<kind, n_tiles> (sums, n, i, endings);

            v.x = __shfl_sync (~0u, v.x, source);
            v.y = __shfl_sync (~0u, v.y, source);
            v.z = __shfl_sync (~0u, v.z, source);
            v.w = __shfl_sync (~0u, v.w, source);
            if (marks != 15)
              {
                v.x = marks & 1 ? v.x : NAN;
                v.y = marks & 2 ? v.y : NAN;
                v.z = marks & 4 ? v.z : NAN;
                v.w = marks & 8 ? v.w : NAN;
              }
            if (n * ESK_PROJECT_TILE + plane + i < n_rows)
              __stcs ((float4 *) (out + i * projection.plane_stride), v);
          }
      return;
    }

#pragma unroll
  for (int n = 0; n < n_tiles; n++)
    {
      float *out = projection.out + (row + n * ESK_PROJECT_TILE) * projection.plane_stride + pixel + lane;

      __syncwarp ();
#pragma unroll
      for (int i = 0; i < 2; i++)
        *(float4 *) (stage + (2 * t + i) * (WIDTH + PADDING) + lane / 4 * 4)
          = finish<kind, n_tiles> (sums, n, i, endings);
      __syncwarp ();
      if (pixel + lane < projection.n_pixels)
#pragma unroll
        for (int c = 0; c < ESK_PROJECT_TILE; c++, out += projection.plane_stride)
          if (n * ESK_PROJECT_TILE + c < n_rows)
            __stcs (out, marks & 1 ? stage[c * (WIDTH + PADDING) + lane] : NAN);
    }
}
