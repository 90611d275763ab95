/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Planes of float32 for pictures: statistics for stretching, halving for the pyramid, decimation. */

#include "es-cuda-picture-private.h"

#include "cuda/core/es-cuda-samples-internal.h"

#include <float.h>
#include <limits.h>
#include <string.h>

#include <cub/device/device_radix_sort.cuh>

#define THREADS 256
#define BLOCKS 512
#define LARGEST_GRID_Y 65535

/* --- statistics ---------------------------------------------------------------------------------------------- */

/* What stands after the sorted keys' memory: partial results and the statistics themselves. */
typedef struct
{
  EskPlaneStatistics statistics;
  unsigned long long n_valid;
  double             sum[BLOCKS], squares[BLOCKS];
} Work;

/* Bits in an order of their own: unsigned integers that sort as the floats do. What is not finite comes last. */
#define KEY_NONE 0xffffffffu

static __device__ inline uint32_t
to_key (float value)
{
  uint32_t bits = __float_as_uint (value);

  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static __device__ inline float
from_key (uint32_t key)
{
  return __uint_as_float (key & 0x80000000u ? key & 0x7fffffffu : ~key);
}

/* The total of a block in thread 0, always added in the same order. */
static __device__ inline double
add_up (double value)
{
  __shared__ double warps[THREADS / 32];

  for (int distance = 16; distance > 0; distance /= 2)
    value = __dadd_rn (value, __shfl_down_sync (0xffffffffu, value, distance));
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = value;
  __syncthreads ();
  if (threadIdx.x == 0)
    for (int w = 1; w < THREADS / 32; w++)
      value = __dadd_rn (value, warps[w]);
  __syncthreads ();

  return value;
}

/* Keys of every step-th sample; work->sum of the finite ones a block, and how many there are. */
static __global__ void __launch_bounds__ (THREADS)
take_samples (const float *plane,
              size_t       step,
              size_t       n_samples,
              uint32_t    *keys,
              Work        *work)
{
  double sum = 0.0;
  unsigned n_valid = 0;

  for (size_t k = (size_t) blockIdx.x * THREADS + threadIdx.x; k < n_samples; k += (size_t) BLOCKS * THREADS)
    {
      float value = plane[k * step];
      bool finite = fabsf (value) <= FLT_MAX;

      keys[k] = finite ? to_key (value) : KEY_NONE;
      sum = __dadd_rn (sum, finite ? (double) value : 0.0);
      n_valid += finite;
    }
  sum = add_up (sum);
  if (threadIdx.x == 0)
    work->sum[blockIdx.x] = sum;
  for (int distance = 16; distance > 0; distance /= 2)
    n_valid += __shfl_down_sync (0xffffffffu, n_valid, distance);
  if (threadIdx.x % 32 == 0 && n_valid > 0)
    atomicAdd (&work->n_valid, (unsigned long long) n_valid);
}

/* Minimum, maximum, mean and quantiles: one block. */
static __global__ void __launch_bounds__ (THREADS)
pick_quantiles (const uint32_t *sorted,
                Work           *work)
{
  EskPlaneStatistics *statistics = &work->statistics;
  unsigned long long n_valid = work->n_valid;
  double sum = 0.0;

  if (n_valid == 0)
    return;
  for (unsigned k = threadIdx.x; k < BLOCKS; k += THREADS)
    sum = __dadd_rn (sum, work->sum[k]);
  sum = add_up (sum);
  if (threadIdx.x == 0)
    {
      statistics->n_valid = n_valid;
      statistics->minimum = (double) from_key (sorted[0]);
      statistics->maximum = (double) from_key (sorted[n_valid - 1]);
      statistics->mean = __ddiv_rn (sum, (double) n_valid);
    }

  /* Operation by operation as render/ does it: nothing is contracted. */
  for (unsigned q = threadIdx.x; q <= 1000; q += THREADS)
    {
      double place = __dmul_rn (__ddiv_rn ((double) q, 1000.0), (double) (n_valid - 1));
      unsigned long long below = (unsigned long long) place, above = below + 1 < n_valid ? below + 1 : n_valid - 1;
      double a = (double) from_key (sorted[below]), b = (double) from_key (sorted[above]);

      statistics->quantiles[q] = __dadd_rn (a, __dmul_rn (__dsub_rn (b, a), __dsub_rn (place, (double) below)));
    }
}

/* The histogram, and the squares of the distances from the mean a block. */
static __global__ void __launch_bounds__ (THREADS)
fill_histogram (const uint32_t *sorted,
                Work           *work)
{
  __shared__ unsigned bins[256];
  EskPlaneStatistics *statistics = &work->statistics;
  unsigned long long n_valid = work->n_valid;
  double minimum = statistics->minimum, span = __dsub_rn (statistics->maximum, minimum), mean = statistics->mean;
  unsigned last = 0, count = 0;
  double squares = 0.0;
  /* A piece of the sorted samples a thread group: neighbours fall into the same bin. */
  unsigned long long per_block = (n_valid + BLOCKS - 1) / BLOCKS, first = blockIdx.x * per_block;
  unsigned long long end = first + per_block < n_valid ? first + per_block : n_valid;

  for (unsigned k = threadIdx.x; k < 256; k += THREADS)
    bins[k] = 0;
  __syncthreads ();
  for (unsigned long long k = first + threadIdx.x; k < end; k += THREADS)
    {
      double value = (double) from_key (sorted[k]), from_mean = __dsub_rn (value, mean);
      double place = span > 0.0 ? __dmul_rn (__ddiv_rn (__dsub_rn (value, minimum), span), 256.0) : 0.0;
      unsigned bin = (unsigned) (place > 255.0 ? 255.0 : place < 0.0 ? 0.0 : place);

      if (bin != last)
        {
          if (count > 0)
            atomicAdd (&bins[last], count);
          last = bin;
          count = 0;
        }
      count++;
      squares = __dadd_rn (squares, __dmul_rn (from_mean, from_mean));
    }
  if (count > 0)
    atomicAdd (&bins[last], count);
  squares = add_up (squares);
  if (threadIdx.x == 0)
    work->squares[blockIdx.x] = squares;
  for (unsigned k = threadIdx.x; k < 256; k += THREADS)
    if (bins[k] > 0)
      atomicAdd (&statistics->histogram[k], bins[k]);
}

static __global__ void __launch_bounds__ (THREADS)
finish (Work *work)
{
  double squares = 0.0;

  for (unsigned k = threadIdx.x; k < BLOCKS; k += THREADS)
    squares = __dadd_rn (squares, work->squares[k]);
  squares = add_up (squares);
  if (threadIdx.x == 0 && work->n_valid > 1)
    work->statistics.deviation = sqrt (squares / (double) (work->n_valid - 1));
}

int
esk_cuda_plane_statistics (EskStream          *stream,
                           const float        *plane,
                           size_t              n,
                           size_t              step,
                           EskPlaneStatistics *out)
{
  size_t n_samples, key_bytes, sort_bytes = 0, bytes;
  uint32_t *keys, *sorted;
  char *scratch;
  Work *work;
  void *sort_scratch;
  int code;

  if (plane == NULL || out == NULL || step == 0)
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;
  if (n == 0)
    {
      memset (out, 0, sizeof *out);
      return ESK_OK;
    }

  n_samples = esk_cuda_ceil_div (n, step);
  key_bytes = esk_cuda_round_up (n_samples * sizeof (uint32_t), 256);
  code = esk_cuda_check (stream, cub::DeviceRadixSort::SortKeys (NULL, sort_bytes, (const uint32_t *) NULL,
                                                                 (uint32_t *) NULL, n_samples, 0, 32,
                                                                 stream->stream), "sorting samples");
  if (code != ESK_OK)
    return code;
  if (__builtin_mul_overflow (key_bytes, (size_t) 2, &bytes)
      || __builtin_add_overflow (bytes, esk_cuda_round_up (sizeof (Work), 256), &bytes)
      || __builtin_add_overflow (bytes, sort_bytes, &bytes))
    return ESK_ERROR_MEMORY;
  scratch = (char *) esk_cuda_scratch (stream, ESK_SCRATCH_WORK, bytes);
  if (scratch == NULL)
    return ESK_ERROR_MEMORY;
  keys = (uint32_t *) scratch;
  sorted = (uint32_t *) (scratch + key_bytes);
  work = (Work *) (scratch + 2 * key_bytes);
  sort_scratch = scratch + 2 * key_bytes + esk_cuda_round_up (sizeof (Work), 256);

  code = esk_cuda_check (stream, cudaMemsetAsync (work, 0, sizeof (Work), stream->stream), "clearing memory");
  if (code != ESK_OK)
    return code;
  take_samples<<<BLOCKS, THREADS, 0, stream->stream>>> (plane, step, n_samples, keys, work);
  code = esk_cuda_launched (stream, "taking samples");
  if (code == ESK_OK)
    code = esk_cuda_check (stream, cub::DeviceRadixSort::SortKeys (sort_scratch, sort_bytes, keys, sorted, n_samples, 0,
                                                                   32, stream->stream), "sorting samples");
  if (code != ESK_OK)
    return code;
  pick_quantiles<<<1, THREADS, 0, stream->stream>>> (sorted, work);
  code = esk_cuda_launched (stream, "quantiles");
  if (code != ESK_OK)
    return code;
  fill_histogram<<<BLOCKS, THREADS, 0, stream->stream>>> (sorted, work);
  code = esk_cuda_launched (stream, "histogram");
  if (code != ESK_OK)
    return code;
  finish<<<1, THREADS, 0, stream->stream>>> (work);
  code = esk_cuda_launched (stream, "deviation");

  return code != ESK_OK ? code : esk_cuda_fetch (stream, out, &work->statistics, sizeof *out);
}

/* --- halving and decimation ---------------------------------------------------------------------------------- */

/* The mean of the valid ones of four; each operation rounded by itself, as the CPU does it. */
static __device__ inline float
mean_of_four (float a,
              float b,
              float c,
              float d)
{
  float four[4] = { a, b, c, d };
  float all = __fadd_rn (__fadd_rn (a, b), __fadd_rn (c, d));
  float sum = 0.0f, mean;
  int n = 0;

  if (!isnan (all))
    return __fmul_rn (all, 0.25f);
#pragma unroll
  for (int k = 0; k < 4; k++)
    if (!isnan (four[k]))
      {
        sum = __fadd_rn (sum, four[k]);
        n++;
      }
  if (n == 0)
    return __uint_as_float (0x7fc00000u);
  mean = __fdiv_rn (sum, (float) n);
  /* Of both infinities; processors answer this NAN. */
  return isnan (mean) ? __uint_as_float (0xffc00000u) : mean;
}

/* A thread makes two samples beside each other. `pairs`: four floats of each row can be read at once. */
static __global__ void
halve (const float *from,
       size_t       width,
       size_t       height,
       bool         pairs,
       float       *to)
{
  size_t to_width = (width + 1) / 2, to_height = (height + 1) / 2;
  size_t x = ((size_t) blockIdx.x * blockDim.x + threadIdx.x) * 2;

  if (x >= to_width)
    return;
  for (size_t y = (size_t) blockIdx.y * blockDim.y + threadIdx.y; y < to_height; y += (size_t) gridDim.y * blockDim.y)
    {
      const float *upper = from + 2 * y * width;
      const float *lower = 2 * y + 1 < height ? upper + width : upper;
      float *target = to + y * to_width + x;

      if (pairs && 2 * x + 4 <= width)
        {
          float4 u = __ldg ((const float4 *) (upper + 2 * x)), l = __ldg ((const float4 *) (lower + 2 * x));

          *(float2 *) target = make_float2 (mean_of_four (u.x, u.y, l.x, l.y), mean_of_four (u.z, u.w, l.z, l.w));
          continue;
        }
      for (size_t k = 0; k < 2 && x + k < to_width; k++)
        {
          size_t left = 2 * (x + k), right = left + 1 < width ? left + 1 : width - 1;

          target[k] = mean_of_four (upper[left], upper[right], lower[left], lower[right]);
        }
    }
}

int
esk_cuda_plane_halve (EskStream   *stream,
                      const float *from,
                      size_t       width,
                      size_t       height,
                      float       *to)
{
  const dim3 block (64, 4);
  size_t rows;
  bool pairs;
  int code;

  if (from == NULL || to == NULL || width == 0 || height == 0)
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;

  rows = esk_cuda_ceil_div ((height + 1) / 2, block.y);
  pairs = width % 4 == 0 && (uintptr_t) from % 16 == 0 && (uintptr_t) to % 8 == 0;
  halve<<<dim3 ((unsigned) esk_cuda_ceil_div ((width + 1) / 2, 2 * block.x),
                (unsigned) (rows < LARGEST_GRID_Y ? rows : LARGEST_GRID_Y)), block, 0, stream->stream>>>
    (from, width, height, pairs, to);

  return esk_cuda_launched (stream, "halving a plane");
}

static __global__ void
decimate (const float *from,
          size_t       stride,
          size_t       step,
          size_t       to_width,
          size_t       to_height,
          float       *to)
{
  size_t x = (size_t) blockIdx.x * blockDim.x + threadIdx.x;

  if (x >= to_width)
    return;
  for (size_t y = (size_t) blockIdx.y * blockDim.y + threadIdx.y; y < to_height; y += (size_t) gridDim.y * blockDim.y)
    to[y * to_width + x] = from[y * step * stride + x * step];
}

int
esk_cuda_plane_decimate (EskStream   *stream,
                         const float *from,
                         size_t       stride,
                         size_t       width,
                         size_t       height,
                         size_t       step,
                         float       *to)
{
  const dim3 block (64, 4);
  size_t to_width, to_height, rows;
  int code;

  if (from == NULL || to == NULL || width == 0 || height == 0 || step == 0 || (height > 1 && stride < width))
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;

  to_width = esk_cuda_ceil_div (width, step);
  to_height = esk_cuda_ceil_div (height, step);
  rows = esk_cuda_ceil_div (to_height, block.y);
  decimate<<<dim3 ((unsigned) esk_cuda_ceil_div (to_width, block.x),
                   (unsigned) (rows < LARGEST_GRID_Y ? rows : LARGEST_GRID_Y)), block, 0, stream->stream>>>
    (from, stride, step, to_width, to_height, to);

  return esk_cuda_launched (stream, "decimating a plane");
}
