/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Part of es-cuda-error-tensor.cu, which tells the whole: what is done on the device. */

#include "es-cuda-error-private.h"

#include "cuda/core/es-cuda-samples-internal.h"

#include <cuda_fp16.h>

#define WARPS 8
#define THREADS (WARPS * 32)
/* Pixels of a warp; those of a lane. */
#define PIXELS ESK_ERROR_TENSOR_PIXELS
#define LANE_PIXELS 8
/* Bands, and components, of one instruction. */
#define BANDS 16
#define STEP 16
#define MOST_STEPS 4
/* Largest magnitude of scaled components: 2^15 at most. */
#define TOP_EXPONENT 14

/* Of a band, s its scale in units of EskErrorWork: what a sample x is worth is s x + offset, and x less its mean is
 * s x + centre - rest. */
typedef struct {
  float scale, centre, offset, rest;
} Band;

static __device__ __forceinline__ void
multiply (float       sum[4],
          const uint4 a,
          const uint2 b)
{
#if __CUDA_ARCH__ >= 800
  asm ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
       "{%0, %1, %2, %3};"
       : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
       : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y));
#endif
}

/* Two numbers as float16, and what is left of them. */
static __device__ __forceinline__ void
split (float     x,
       float     y,
       uint32_t *high,
       uint32_t *low)
{
  const __half2 first = __floats2half2_rn (x, y);
  const float2 back = __half22float2 (first);
  const __half2 second = __floats2half2_rn (x - back.x, y - back.y);

  *high = *(const uint32_t *) &first;
  *low = *(const uint32_t *) &second;
}

/* A lane's samples of a band. */
template <typename Sample>
struct alignas (LANE_PIXELS * sizeof (Sample) < 16 ? LANE_PIXELS * sizeof (Sample) : 16) Run
{
  Sample x[LANE_PIXELS];
};

template <typename Sample>
static __device__ __forceinline__ void
read_run (Run<Sample>  *run,
          const Sample *band,
          size_t        pixel,
          size_t        n_pixels,
          bool          whole)
{
  constexpr int n_words = (int) (sizeof (Run<Sample>) / sizeof (uint2));
  const uint2 *from = (const uint2 *) (band + pixel);
  uint2 *to = (uint2 *) run;

  if (whole && n_words == 1)
    to[0] = __ldcs (from);
  else if (whole)
#pragma unroll
    for (int i = 0; i + 1 < n_words; i += 2)
      *(uint4 *) (to + i) = __ldcs ((const uint4 *) (from + i));
  else
#pragma unroll
    for (int i = 0; i < LANE_PIXELS; i++)
      run->x[i] = band[min (pixel + i, n_pixels - 1)];
}

/* The components of a tile, scaled and split; `back` is what estimates are multiplied with, 1 / shrink. */
template <int n_steps>
struct Components
{
  uint2 high[n_steps][4], low[n_steps][4];
  float back, shrink;

  __device__ __forceinline__ void
  read (const EskErrorWork &work,
        const float        *scales,
        size_t              tile,
        unsigned            lane)
  {
    const unsigned t = lane % 4, odd = lane / 4 % 2;
    const size_t first = tile + lane / 8 * LANE_PIXELS;
    float y[n_steps][4][4], largest = 0.0f;
    bool counts[4];
    int exponent;

    /* What does not count is no number, and behind the last pixel is anything. */
#pragma unroll
    for (int j = 0; j < 4; j++)
      {
        const size_t pixel = first + 2 * j + odd;

        counts[j] = pixel < work.n_pixels && (work.valid == NULL || work.valid[pixel] != 0);
      }
#pragma unroll
    for (int s = 0; s < n_steps; s++)
#pragma unroll
      for (int i = 0; i < 4; i++)
        {
          const int component = s * STEP + 4 * (int) t + i;
          float4 two[2] = { };
          float scale = 0.0f;

          if (component < work.n_components)
            {
              const float4 *from = (const float4 *) (work.components + component * work.component_stride + first);

              two[0] = from[0];
              two[1] = from[1];
              scale = __ldg (scales + component);
            }
          y[s][i][0] = odd ? two[0].y : two[0].x;
          y[s][i][1] = odd ? two[0].w : two[0].z;
          y[s][i][2] = odd ? two[1].y : two[1].x;
          y[s][i][3] = odd ? two[1].w : two[1].z;
#pragma unroll
          for (int j = 0; j < 4; j++)
            {
              y[s][i][j] = counts[j] ? y[s][i][j] * scale : 0.0f;
              /* Infinity and NAN are their own pixel's. */
              if (fabsf (y[s][i][j]) <= 3.4028235e38f)
                largest = fmaxf (largest, fabsf (y[s][i][j]));
            }
        }
    for (int distance = 16; distance > 0; distance /= 2)
      largest = fmaxf (largest, __shfl_xor_sync (0xffffffffu, largest, distance));
    exponent = max ((int) (__float_as_uint (largest) >> 23) - 127, -60);
    shrink = __int_as_float ((127 + TOP_EXPONENT - exponent) << 23);
    back = __int_as_float ((127 - TOP_EXPONENT + exponent) << 23);
#pragma unroll
    for (int s = 0; s < n_steps; s++)
#pragma unroll
      for (int j = 0; j < 4; j++)
        {
          split (y[s][0][j] * shrink, y[s][1][j] * shrink, &high[s][j].x, &low[s][j].x);
          split (y[s][2][j] * shrink, y[s][3][j] * shrink, &high[s][j].y, &low[s][j].y);
        }
  }
};

/* A lane's sums over bands, of its pixels: |v|^2, v.e, |e|^2. */
struct Totals
{
  float lengths[LANE_PIXELS], products[LANE_PIXELS], squares[LANE_PIXELS];
};

/* Compares samples of a band with their estimates; sums[0] and [1] are those of e and e^2 over the pixels that count.
 * estimates: of pixel i at [i / 2][i % 2]. */
template <typename Sample, bool all>
static __device__ __forceinline__ void
compare_band (const Band         band,
              const Run<Sample> &run,
              const float      (*estimates)[4],
              int                row,
              float              back,
              unsigned           counts,
              Totals            *totals,
              float             *sums)
{
  sums[0] = sums[1] = 0.0f;
#pragma unroll
  for (int i = 0; i < LANE_PIXELS; i++)
    {
      const float x = (float) run.x[i], v = fmaf (band.scale, x, band.offset);
      float e = fmaf (-back, estimates[i / 2][row * 2 + i % 2], fmaf (band.scale, x, band.centre));

      if (!all)
        e = counts >> i & 1 ? e : 0.0f;
      totals->lengths[i] = fmaf (v, v, totals->lengths[i]);
      totals->products[i] = fmaf (v, e, totals->products[i]);
      totals->squares[i] = fmaf (e, e, totals->squares[i]);
      sums[0] += e;
      sums[1] = fmaf (e, e, sums[1]);
    }
}

/* All bands of a tile. own: the lane's place in the sums of bands; NULL: they are not wanted. */
template <typename Sample, int n_steps, bool all>
static __device__ __forceinline__ void
pass_bands (const EskErrorWork        &work,
            const uint4               *operands,
            const float4              *bands,
            const Components<n_steps> &components,
            size_t                     tile,
            unsigned                   lane,
            unsigned                   counts,
            Totals                    *totals,
            double                    *own)
{
  const unsigned g = lane / 4, t = lane % 4;
  const size_t pixel = tile + t * LANE_PIXELS;
  const bool whole = tile + PIXELS <= work.n_pixels;
  const Sample *samples = (const Sample *) work.data;
  const int n_groups = (work.n_bands + BANDS - 1) / BANDS;
  /* Samples of one or two bytes are read 16 bands ahead: for wider ones there are no registers. */
  constexpr bool early = sizeof (Sample) <= 2;
  Run<Sample> next[2];

  operands += lane;
  bands += g;
#pragma unroll
  for (int row = 0; early && row < 2; row++)
    read_run (&next[row], samples + (size_t) min ((int) g + 8 * row, work.n_bands - 1) * work.band_stride, pixel,
              work.n_pixels, whole);
#pragma unroll 1
  for (int group = 0; group < n_groups; group++, operands += n_steps * 2 * 32, bands += BANDS)
    {
      const int ahead = early ? group + 1 : group;
      Run<Sample> run[2];
      const float4 table[2] = { bands[0], bands[8] };
      float estimates[4][4], sums[4];

#pragma unroll
      for (int j = 0; j < 4; j++)
#pragma unroll
        for (int i = 0; i < 4; i++)
          estimates[j][i] = table[i / 2].w * components.shrink;

#pragma unroll
      for (int row = 0; early && row < 2; row++)
        run[row] = next[row];
      if (ahead < n_groups)
#pragma unroll
        for (int row = 0; row < 2; row++)
          read_run (early ? &next[row] : &run[row],
                    samples + (size_t) min (ahead * BANDS + (int) g + 8 * row, work.n_bands - 1) * work.band_stride,
                    pixel, work.n_pixels, whole);
#pragma unroll
      for (int s = 0; s < n_steps; s++)
        {
          const uint4 high = operands[2 * s * 32], low = operands[(2 * s + 1) * 32];

#pragma unroll
          for (int j = 0; j < 4; j++)
            multiply (estimates[j], low, components.high[s][j]);
#pragma unroll
          for (int j = 0; j < 4; j++)
            multiply (estimates[j], high, components.low[s][j]);
          if (s + 1 < n_steps)
            continue;
          /* The large ones last. */
#pragma unroll
          for (int r = 0; r < n_steps; r++)
            {
              const uint4 again = r == s ? high : operands[2 * r * 32];

#pragma unroll
              for (int j = 0; j < 4; j++)
                multiply (estimates[j], again, components.high[r][j]);
            }
        }
#pragma unroll
      for (int row = 0; row < 2; row++)
        compare_band<Sample, all> ({ table[row].x, table[row].y, table[row].z, table[row].w }, run[row], estimates, row,
                                   components.back, counts, totals, sums + 2 * row);
      if (own != NULL)
        {
          esk_error_share<2, 2> (sums, (int) lane);
          esk_error_share<1, 1> (sums, (int) lane);
          own[group * 32] += (double) sums[0];
        }
    }
}

/* Of a tile's pixels one a lane: what was asked for. */
static __device__ __forceinline__ void
finish_pixels (const EskErrorWork &work,
               size_t              tile,
               unsigned            lane,
               Totals             *totals,
               EskErrorPixels     *sums)
{
  const size_t pixel = tile + lane % 4 * LANE_PIXELS + (lane / 16 * 4 + lane / 8 % 2 * 2 + lane / 4 % 2);

  esk_error_share<4, 16> (totals->lengths, (int) lane);
  esk_error_share<2, 8> (totals->lengths, (int) lane);
  esk_error_share<1, 4> (totals->lengths, (int) lane);
  esk_error_share<4, 16> (totals->products, (int) lane);
  esk_error_share<2, 8> (totals->products, (int) lane);
  esk_error_share<1, 4> (totals->products, (int) lane);
  esk_error_share<4, 16> (totals->squares, (int) lane);
  esk_error_share<2, 8> (totals->squares, (int) lane);
  esk_error_share<1, 4> (totals->squares, (int) lane);
  if (pixel >= work.n_pixels)
    return;

  /* a = |v|^2, p = v.e, q = |e|^2: what cancels in float64. */
  const bool counts = work.valid == NULL || work.valid[pixel] != 0;
  const float per_band = totals->squares[0] * (1.0f / (float) work.n_bands);
  const double a = totals->lengths[0], p = totals->products[0], q = totals->squares[0];
  const float across = (float) sqrt (fmax (a * q - p * p, 0.0));
  const double degrees = (double) atan2f (across, (float) (a - p)) * ESK_ERROR_DEGREES;

  if (work.rmse != NULL)
    work.rmse[pixel] = counts ? (float) ((double) sqrtf (per_band) * work.unit) : nanf ("");
  if (work.angle != NULL)
    work.angle[pixel] = counts ? (float) degrees : nanf ("");
  if (counts)
    {
      sums->angle += degrees;
      sums->largest = fmax (sums->largest, (double) per_band * work.unit * work.unit);
      sums->count++;
    }
}

template <typename Sample, int n_steps>
static __global__ void __launch_bounds__ (THREADS, n_steps > 2 ? 1 : 2)
find_errors (const EskErrorWork  work,
             const uint4        *tables)
{
  extern __shared__ uint4 shared[];
  __shared__ EskErrorPixels pixel_sums[THREADS];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int n_groups = (work.n_bands + BANDS - 1) / BANDS, n_values = n_groups * 32;
  const int n_operands = n_groups * n_steps * 2 * 32, n_vectors = n_operands + n_groups * BANDS;
  const uint4 *operands = shared;
  const float4 *bands = (const float4 *) (shared + n_operands);
  const float *scales = (const float *) (tables + n_vectors);
  double *band_sums = (double *) (shared + n_vectors);
  double *own = work.sums != NULL ? band_sums + (size_t) warp * n_values + lane : NULL;

  for (int k = threadIdx.x; k < n_vectors; k += THREADS)
    shared[k] = __ldg (tables + k);
  __syncthreads ();
  pixel_sums[threadIdx.x] = { 0.0, 0.0, 0 };
  for (int k = 0; own != NULL && k < n_values; k += 32)
    own[k] = 0.0;

  for (size_t tile = ((size_t) blockIdx.x * WARPS + warp) * PIXELS; tile < work.n_pixels;
       tile += (size_t) gridDim.x * WARPS * PIXELS)
    {
      Components<n_steps> components;
      Totals totals = { };
      unsigned counts = 0;

#pragma unroll
      for (int i = 0; i < LANE_PIXELS; i++)
        {
          const size_t pixel = tile + lane % 4 * LANE_PIXELS + i;

          if (pixel < work.n_pixels && (work.valid == NULL || work.valid[pixel] != 0))
            counts |= 1u << i;
        }
      components.read (work, scales, tile, lane);
      if (__all_sync (0xffffffffu, counts == 0xff))
        pass_bands<Sample, n_steps, true> (work, operands, bands, components, tile, lane, counts, &totals, own);
      else
        pass_bands<Sample, n_steps, false> (work, operands, bands, components, tile, lane, counts, &totals, own);
      finish_pixels (work, tile, lane, &totals, &pixel_sums[threadIdx.x]);
    }

  if (work.sums == NULL)
    return;
  __syncthreads ();
  /* Lane 4 g + t has of the bands g (t < 2) and g + 8 the sums of e (t even) and e^2. */
  for (int k = threadIdx.x; k < n_values; k += THREADS)
    {
      const int band = k / 32 * BANDS + k % 32 / 4 + k % 4 / 2 * 8;
      double total = 0.0;

      for (int w = 0; w < WARPS; w++)
        total += band_sums[w * n_values + k];
      work.sums[blockIdx.x * 2 * work.columns + 2 * band + k % 2] += total;
    }
  if (threadIdx.x == 0)
    {
      EskErrorPixels *mine = work.pixel_sums + blockIdx.x;

      for (int k = 0; k < THREADS; k++)
        {
          mine->angle += pixel_sums[k].angle;
          mine->largest = fmax (mine->largest, pixel_sums[k].largest);
          mine->count += pixel_sums[k].count;
        }
    }
}
