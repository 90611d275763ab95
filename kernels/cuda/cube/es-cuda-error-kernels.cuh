/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Part of es-cuda-error.cu. What is done on the device: estimates, their errors, and the totals of the blocks. */

#include "es-cuda-error-private.h"

#include "cuda/core/es-cuda-samples-internal.h"

template <typename Sample> static __device__ __forceinline__ constexpr bool
is_wide ()
{
  return sizeof (Sample) > 4 || (sizeof (Sample) == 4 && (Sample) 0.5f == (Sample) 0);
}

/* Read before the estimates are made, to be on their way meanwhile: where there are registers for them. */
template <typename Sample> static __device__ __forceinline__ constexpr bool
is_early ()
{
  return sizeof (Sample) <= 2;
}

template <typename Sample>
struct alignas (RUN * sizeof (Sample) < 16 ? RUN * sizeof (Sample) : 16) Run
{
  Sample x[RUN];
};

/* A lane's samples of a band. `whole`: there are 256 pixels. */
template <typename Sample>
static __device__ __forceinline__ void
read_samples (const Sample *band,
              size_t        pixel,
              size_t        n_pixels,
              bool          whole,
              Run<Sample>  *x)
{
#pragma unroll
  for (int h = 0; h < 2; h++)
    {
      size_t first = pixel + h * (PIXELS / 2);

      if (whole)
        {
          x[h] = *(const Run<Sample> *) (band + first);
        }
      else
        {
#pragma unroll
          for (int i = 0; i < RUN; i++)
            x[h].x[i] = band[min (first + i, n_pixels - 1)];
        }
    }
}

/* Of the pixel sums a = |v|^2, p = v.e, q = |e|^2. */
static __device__ double
angle_of (double a,
          double p,
          double q)
{
  return atan2 (sqrt (fmax (a * q - p * p, 0.0)), a - p) * ESK_ERROR_DEGREES;
}

/* Sums each of 16 values over the warp; that of value lane / 2 is returned. */
static __device__ __forceinline__ float
add_lanes (float *values,
           int    lane)
{
  static_assert (2 * BANDS == 16, "as many steps as there are");
  esk_error_share<8, 16> (values, lane);
  esk_error_share<4, 8> (values, lane);
  esk_error_share<2, 4> (values, lane);
  esk_error_share<1, 2> (values, lane);

  return values[0] + __shfl_xor_sync (0xffffffffu, values[0], 1);
}

/* Components first .. first + n of 256 pixels to shared memory. */
static __device__ void
bring_components (const EskErrorWork &work,
                  size_t      tile,
                  int         first,
                  int         n,
                  float      *shared)
{
  for (int k = threadIdx.x; k < n * (PIXELS / 4); k += THREADS)
    {
      int component = k / (PIXELS / 4), pixel = k % (PIXELS / 4) * 4;
      const float *plane = work.components + (first + component) * work.component_stride;
      float4 four = make_float4 (0.0f, 0.0f, 0.0f, 0.0f);

      if (tile + pixel + 4 <= work.n_pixels)
        {
          four = *(const float4 *) (plane + tile + pixel);
        }
      else if (tile + pixel < work.n_pixels)
        {
          four.x = plane[tile + pixel];
          four.y = tile + pixel + 1 < work.n_pixels ? plane[tile + pixel + 1] : 0.0f;
          four.z = tile + pixel + 2 < work.n_pixels ? plane[tile + pixel + 2] : 0.0f;
        }
      *(float4 *) (shared + component * PIXELS + pixel) = four;
    }
}

/* estimates += components of the lane's pixels times n rows of `backward`. */
static __device__ __forceinline__ void
add_products (const float *shared,
              const float *backward,
              size_t       columns,
              int          n,
              float      (*estimates)[LANE_PIXELS])
{
#pragma unroll 2
  for (int k = 0; k < n; k++)
    {
      float4 y[2], f[2];

#pragma unroll
      for (int h = 0; h < 2; h++)
        {
          y[h] = *(const float4 *) (shared + k * PIXELS + h * (PIXELS / 2));
          f[h] = __ldg ((const float4 *) (backward + k * columns) + h);
        }
      const float pixels[LANE_PIXELS] = { y[0].x, y[0].y, y[0].z, y[0].w, y[1].x, y[1].y, y[1].z, y[1].w };
      const float factors[BANDS] = { f[0].x, f[0].y, f[0].z, f[0].w, f[1].x, f[1].y, f[1].z, f[1].w };
#pragma unroll
      for (int j = 0; j < BANDS; j++)
#pragma unroll
        for (int i = 0; i < LANE_PIXELS; i++)
          estimates[j][i] = fmaf (factors[j], pixels[i], estimates[j][i]);
    }
}

/* A lane's sums over bands, of its pixels: |v|^2, v.e, |e|^2. */
struct Totals
{
  float lengths[LANE_PIXELS], products[LANE_PIXELS], squares[LANE_PIXELS];
};

/* Compares the samples of eight bands with their estimates. Small samples have been read. */
template <typename Sample>
static __device__ __forceinline__ void
compare_bands (const EskErrorWork        &work,
               Run<Sample>      (*x)[2],
               const Sample      *samples,
               size_t             pixel,
               bool               whole,
               int                first,
               unsigned           counts,
               const float      (*estimates)[LANE_PIXELS],
               Totals            *totals,
               float             *sums)
{
#pragma unroll
  for (int j = 0; j < BANDS; j++)
    {
      float4 table = __ldg (work.bands + first + j);
      double centre = is_wide<Sample> () ? __ldg (work.means + first + j) : 0.0;

      if (!is_early<Sample> ())
        read_samples (samples + (size_t) min (first + j, work.n_bands - 1) * work.band_stride, pixel, work.n_pixels,
                      whole, x[j]);
      sums[2 * j] = sums[2 * j + 1] = 0.0f;
#pragma unroll
      for (int i = 0; i < LANE_PIXELS; i++)
        {
          Sample sample = x[j][i / RUN].x[i % RUN];
          float d = is_wide<Sample> () ? (float) ((double) sample - centre) : (float) sample - table.x;
          float e = counts >> i & 1 ? table.z * (d - table.y - estimates[j][i]) : 0.0f, v = fmaf (table.z, d, table.w);

          totals->lengths[i] = fmaf (v, v, totals->lengths[i]);
          totals->products[i] = fmaf (v, e, totals->products[i]);
          totals->squares[i] = fmaf (e, e, totals->squares[i]);
          sums[2 * j] += e;
          sums[2 * j + 1] = fmaf (e, e, sums[2 * j + 1]);
        }
    }
}

/* Adds up the warps' sums of 256 pixels, and makes of them what was asked for. */
static __device__ void
finish_pixels (const EskErrorWork   &work,
               size_t        tile,
               const Totals &totals,
               float        *shared,
               EskErrorPixels    *sums)
{
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float *mine = shared + warp * 3 * PIXELS;

  __syncthreads ();
#pragma unroll
  for (int i = 0; i < LANE_PIXELS; i++)
    {
      int pixel = i / RUN * (PIXELS / 2) + lane * RUN + i % RUN;

      mine[pixel] = totals.lengths[i];
      mine[PIXELS + pixel] = totals.products[i];
      mine[2 * PIXELS + pixel] = totals.squares[i];
    }
  __syncthreads ();
  for (int k = threadIdx.x; k < PIXELS && tile + k < work.n_pixels; k += THREADS)
    {
      bool counts = work.valid == NULL || work.valid[tile + k] != 0;
      double three[3] = { 0.0, 0.0, 0.0 }, mean_square, degrees;

      for (int w = 0; w < WARPS; w++)
        for (int t = 0; t < 3; t++)
          three[t] += (double) shared[(3 * w + t) * PIXELS + k];
      mean_square = three[2] / (double) work.n_bands * work.unit * work.unit;
      degrees = angle_of (three[0], three[1], three[2]);
      if (work.rmse != NULL)
        work.rmse[tile + k] = counts ? (float) sqrt (mean_square) : nanf ("");
      if (work.angle != NULL)
        work.angle[tile + k] = counts ? (float) degrees : nanf ("");
      if (counts)
        {
          sums->angle += degrees;
          sums->largest = fmax (sums->largest, mean_square);
          sums->count++;
        }
    }
  __syncthreads ();
}

template <typename Sample>
static __global__ void __launch_bounds__ (THREADS, RESIDENT)
find_errors (const EskErrorWork work)
{
  extern __shared__ float4 memory[];
  __shared__ EskErrorPixels warps[WARPS];
  float *shared = (float *) memory;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const Sample *samples = (const Sample *) work.data;
  double *sums = work.sums != NULL ? work.sums + blockIdx.x * 2 * work.columns : NULL;
  EskErrorPixels pixel_sums = { 0.0, 0.0, 0 };

  for (size_t tile = (size_t) blockIdx.x * PIXELS; tile < work.n_pixels; tile += (size_t) gridDim.x * PIXELS)
    {
      const bool whole = tile + PIXELS <= work.n_pixels;
      const size_t pixel = tile + lane * RUN;
      Totals totals = { };
      unsigned counts = 0;

#pragma unroll
      for (int i = 0; i < LANE_PIXELS; i++)
        {
          size_t at = pixel + i / RUN * (PIXELS / 2) + i % RUN;

          if (at < work.n_pixels && (work.valid == NULL || work.valid[at] != 0))
            counts |= 1u << i;
        }
      if (work.n_components <= work.n_held)
        {
          bring_components (work, tile, 0, work.n_components, shared);
          __syncthreads ();
        }

      for (size_t group = 0; group < work.columns; group += WARPS * BANDS)
        {
          const int first = (int) group + warp * BANDS;
          Run<Sample> x[BANDS][2];
          float estimates[BANDS][LANE_PIXELS] = { }, of_bands[2 * BANDS], total;

          if (is_early<Sample> ())
#pragma unroll
            for (int j = 0; j < BANDS; j++)
              read_samples (samples + (size_t) min (first + j, work.n_bands - 1) * work.band_stride, pixel,
                            work.n_pixels, whole, x[j]);
          for (int k = 0; k < work.n_components; k += work.n_held)
            {
              int n = min (work.n_components - k, work.n_held);

              if (work.n_components > work.n_held)
                {
                  __syncthreads ();
                  bring_components (work, tile, k, n, shared);
                  __syncthreads ();
                }
              add_products (shared + lane * RUN, work.backward + (size_t) k * work.columns + first, work.columns, n,
                            estimates);
            }
          compare_bands (work, x, samples, pixel, whole, first, counts, estimates, &totals, of_bands);
          if (sums != NULL)
            {
              total = add_lanes (of_bands, lane);
              if (lane % 2 == 0)
                sums[2 * first + lane / 2] += (double) total;
            }
        }
      finish_pixels (work, tile, totals, shared, &pixel_sums);
    }

  if (sums == NULL)
    return;
  for (int distance = 16; distance > 0; distance /= 2)
    {
      pixel_sums.angle += __shfl_down_sync (0xffffffffu, pixel_sums.angle, distance);
      pixel_sums.largest = fmax (pixel_sums.largest, __shfl_down_sync (0xffffffffu, pixel_sums.largest, distance));
      pixel_sums.count += __shfl_down_sync (0xffffffffu, pixel_sums.count, distance);
    }
  if (lane == 0)
    warps[warp] = pixel_sums;
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      EskErrorPixels *mine = work.pixel_sums + blockIdx.x;

      for (int w = 0; w < WARPS; w++)
        {
          mine->angle += warps[w].angle;
          mine->largest = fmax (mine->largest, warps[w].largest);
          mine->count += warps[w].count;
        }
    }
}

/* --- totals --------------------------------------------------------------------------------------------------- */

#define PARTS 8

/* A column of the blocks' rows by PARTS threads; the first block adds up the pixels' sums too. */
static __global__ void __launch_bounds__ (32 * PARTS)
add_up (const double    *sums,
        size_t           n_columns,
        const EskErrorPixels *pixel_sums,
        size_t           n_blocks,
        double          *totals,
        EskErrorPixels       *pixel_total)
{
  __shared__ double parts[PARTS][32];
  size_t column = (size_t) blockIdx.x * 32 + threadIdx.x;
  double total = 0.0;

  if (column < n_columns)
    for (size_t k = threadIdx.y; k < n_blocks; k += PARTS)
      total += sums[k * n_columns + column];
  parts[threadIdx.y][threadIdx.x] = total;
  __syncthreads ();
  if (threadIdx.y == 0 && column < n_columns)
    {
      for (int part = 1; part < PARTS; part++)
        total += parts[part][threadIdx.x];
      totals[column] = total;
    }

  if (blockIdx.x == 0 && threadIdx.y == 0)
    {
      EskErrorPixels mine = { };

      for (size_t k = threadIdx.x; k < n_blocks; k += 32)
        {
          mine.angle += pixel_sums[k].angle;
          mine.largest = fmax (mine.largest, pixel_sums[k].largest);
          mine.count += pixel_sums[k].count;
        }
      for (int distance = 16; distance > 0; distance /= 2)
        {
          mine.angle += __shfl_down_sync (0xffffffffu, mine.angle, distance);
          mine.largest = fmax (mine.largest, __shfl_down_sync (0xffffffffu, mine.largest, distance));
          mine.count += __shfl_down_sync (0xffffffffu, mine.count, distance);
        }
      if (threadIdx.x == 0)
        *pixel_total = mine;
    }
}
