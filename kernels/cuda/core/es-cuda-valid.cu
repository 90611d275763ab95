/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which pixels of planes count. */

#include "es-cuda-samples-internal.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#define THREADS 256
#define LARGEST_GRID_Y 65535

/* A band to look at, and the sample that means "missing", as it is stored. */
typedef struct
{
  size_t  offset;              /* of its plane, in samples */
  double  missing_float;       /* NAN: none */
  uint64_t missing;
} Missing;

/* Where a window of planes is looked at: rows, or the whole window as one. */
typedef struct
{
  size_t width, height, row_stride;
} Window;

static Window
window_of (const EskTile *planes)
{
  Window window = { planes->width, planes->height, (size_t) planes->row_stride };

  if (window.height == 1 || window.row_stride == window.width)
    return Window { window.width * window.height, 1, window.width * window.height };
  return window;
}

template <typename Sample>
static __device__ inline bool
is_missing (Sample         sample,
            const Missing &missing)
{
  return sample == (Sample) missing.missing;
}

template <>
__device__ inline bool
is_missing (float          sample,
            const Missing &missing)
{
  return !(fabsf (sample) <= FLT_MAX) || sample == (float) missing.missing_float;
}

template <>
__device__ inline bool
is_missing (double         sample,
            const Missing &missing)
{
  return !(fabs (sample) <= DBL_MAX) || sample == missing.missing_float;
}

/*
 * What has been found in the samples of a pack. Of 8 and 16 bits it is looked for word by word: the highest bit of each
 * sample in `good` stays 1 as long as the sample differs from what is missing (a sum of its other bits and all ones
 * carries into it, or it is set itself).
 */
template <typename Sample>
struct Finder
{
  static constexpr bool by_words = sizeof (Sample) <= 2;
  static constexpr int per_pack = 16 / sizeof (Sample), bits = 8 * sizeof (Sample);
  static constexpr uint32_t low_bits = sizeof (Sample) == 1 ? 0x7f7f7f7fu : 0x7fff7fffu;

  uint32_t good[4];
  uint32_t bad;

  __device__ void
  start ()
  {
    good[0] = good[1] = good[2] = good[3] = 0xffffffffu;
    bad = 0;
  }

  __device__ void
  look (const EskCudaPack<Sample> &pack,
        const Missing             &missing)
  {
    if (by_words)
      {
        const uint32_t words[4] = { pack.vector.x, pack.vector.y, pack.vector.z, pack.vector.w };
        uint32_t value = (uint32_t) missing.missing & (sizeof (Sample) == 1 ? 0xffu : 0xffffu);
        uint32_t repeated = value * (sizeof (Sample) == 1 ? 0x01010101u : 0x00010001u);

#pragma unroll
        for (int w = 0; w < 4; w++)
          {
            uint32_t difference = words[w] ^ repeated;

            good[w] &= ((difference & low_bits) + low_bits) | difference;
          }
      }
    else
      {
#pragma unroll
        for (int k = 0; k < per_pack; k++)
          bad |= (uint32_t) is_missing (pack.sample[k], missing) << k;
      }
  }

  /* One bit a sample. */
  __device__ uint32_t
  found () const
  {
    uint32_t all = bad;

    if (by_words)
#pragma unroll
      for (int k = 0; k < per_pack; k++)
        all |= (~good[k * bits / 32] >> (k * bits % 32 + bits - 1) & 1u) << k;
    return all;
  }
};

/* A thread looks at 16 bytes of a share of the bands, and writes only where it finds something. */
template <typename Sample>
static __global__ void
mark_missing (const Sample  *planes,
              Window         window,
              const Missing *table,
              unsigned       n_bands,
              unsigned       bands_per_share,
              bool           vectors,
              uint8_t       *valid)
{
  constexpr int per_pack = 16 / sizeof (Sample);
  size_t per_row = (window.width + per_pack - 1) / per_pack;
  size_t index = (size_t) blockIdx.x * THREADS + threadIdx.x;
  size_t row = window.height == 1 ? 0 : index / per_row, column = (index - row * per_row) * per_pack;
  unsigned first = blockIdx.y * bands_per_share;
  unsigned end = min (first + bands_per_share, n_bands);
  const Sample *from = planes + row * window.row_stride + column;
  uint32_t bad = 0;

  if (row >= window.height || column >= window.width)
    return;
  if (vectors && column + per_pack <= window.width)
    {
      Finder<Sample> finder;

      finder.start ();
#pragma unroll 8
      for (unsigned b = first; b < end; b++)
        {
          Missing missing = table[b];
          EskCudaPack<Sample> pack;

          pack.vector = __ldg ((const uint4 *) (from + missing.offset));
          finder.look (pack, missing);
        }
      bad = finder.found ();
    }
  else
    {
      for (unsigned b = first; b < end; b++)
        for (int k = 0; k < per_pack && column + k < window.width; k++)
          bad |= (uint32_t) is_missing (from[table[b].offset + k], table[b]) << k;
    }
  for (int k = 0; bad != 0; k++, bad >>= 1)
    if (bad & 1)
      valid[row * window.row_stride + column + k] = 0;
}

static __global__ void
make_ones (uint8_t *valid,
           Window   window)
{
  size_t index = (size_t) blockIdx.x * THREADS + threadIdx.x;
  size_t row = window.height == 1 ? 0 : index / window.width, column = index - row * window.width;

  if (row < window.height && column < window.width)
    valid[row * window.row_stride + column] = valid[row * window.row_stride + column] != 0;
}

/* The bands that can have missing samples, and how those are stored. Returns how many. */
static size_t
fill_missing (const EskTile *planes,
              const double  *no_data,
              Missing       *table)
{
  size_t n = 0;

  for (size_t b = 0; b < planes->bands; b++)
    {
      double value = no_data != NULL ? no_data[b] : NAN;
      double lowest = 0.0, end = 0.0;
      Missing missing = { b * (size_t) planes->band_stride, value, 0 };

      switch (planes->type)
        {
        case ESK_F32:
        case ESK_F64:
          table[n++] = missing;
          continue;
        case ESK_U8: end = 0x1p8; break;
        case ESK_I8: lowest = -0x1p7, end = 0x1p7; break;
        case ESK_U16: end = 0x1p16; break;
        case ESK_I16: lowest = -0x1p15, end = 0x1p15; break;
        case ESK_U32: end = 0x1p32; break;
        case ESK_I32: lowest = -0x1p31, end = 0x1p31; break;
        case ESK_U64: end = 0x1p64; break;
        case ESK_I64: lowest = -0x1p63, end = 0x1p63; break;
        default: break;
        }
      /* What is no whole number, or outside the type, marks nothing. */
      if (!(value >= lowest && value < end) || value != trunc (value))
        continue;
      missing.missing = lowest < 0.0 ? (uint64_t) (int64_t) value : (uint64_t) value;
      table[n++] = missing;
    }

  return n;
}

int
esk_cuda_mark_valid (EskStream     *stream,
                     const EskTile *planes,
                     const double  *no_data,
                     uint8_t       *valid,
                     bool           fresh)
{
  Window window = window_of (planes);
  size_t size = esk_type_size (planes->type), n, threads, blocks, shares, per_share, pitch;
  Missing *table, *device_table;
  bool vectors;
  int code;

  pitch = (size_t) (planes->height > 1 ? planes->row_stride : (ptrdiff_t) planes->width);
  if (fresh)
    {
      code = esk_cuda_check (stream, cudaMemset2DAsync (valid, pitch, 1, planes->width, planes->height, stream->stream),
                             "clearing the mask");
    }
  else
    {
      make_ones<<<(unsigned) esk_cuda_ceil_div (window.width * window.height, THREADS), THREADS, 0, stream->stream>>>
        (valid, window);
      code = esk_cuda_launched (stream, "mask");
    }
  if (code != ESK_OK)
    return code;

  table = (Missing *) malloc (planes->bands * sizeof (Missing));
  if (table == NULL)
    return ESK_ERROR_MEMORY;
  n = fill_missing (planes, no_data, table);
  if (n == 0)
    {
      free (table);
      return ESK_OK;
    }
  device_table = (Missing *) esk_cuda_scratch (stream, ESK_SCRATCH_TABLES, n * sizeof (Missing));
  code = device_table == NULL ? ESK_ERROR_MEMORY
                              : esk_cuda_upload_table (stream, device_table, table, n * sizeof (Missing));
  free (table);
  if (code != ESK_OK)
    return code;

  /* Few pixels: several threads share the bands of each. */
  threads = esk_cuda_ceil_div (window.width, 16 / size) * window.height;
  blocks = esk_cuda_ceil_div (threads, THREADS);
  shares = esk_cuda_ceil_div ((size_t) 1 << 19, threads);
  shares = shares > n ? n : shares;
  shares = shares > LARGEST_GRID_Y ? LARGEST_GRID_Y : shares;
  per_share = esk_cuda_ceil_div (n, shares);
  shares = esk_cuda_ceil_div (n, per_share);
  vectors = (uintptr_t) planes->data % 16 == 0 && (n == 1 || (size_t) planes->band_stride * size % 16 == 0)
            && (planes->bands == 1 || (size_t) planes->band_stride * size % 16 == 0)
            && (window.height == 1 || window.row_stride * size % 16 == 0);
  ESK_CUDA_FOR_TYPE (planes->type, Sample,
                     (mark_missing<Sample><<<dim3 ((unsigned) blocks, (unsigned) shares), THREADS, 0, stream->stream>>>
                      ((const Sample *) planes->data, window, device_table, (unsigned) n, (unsigned) per_share, vectors,
                       valid)))

  return esk_cuda_launched (stream, "missing samples");
}

/* *total += how many of valid are not 0. */
static __global__ void
count_valid (const uint8_t      *valid,
             Window              window,
             unsigned long long *total)
{
  unsigned long long n = 0;

  for (size_t row = blockIdx.y; row < window.height; row += gridDim.y)
    for (size_t column = (size_t) blockIdx.x * THREADS + threadIdx.x; column < window.width;
         column += (size_t) gridDim.x * THREADS)
      n += valid[row * window.row_stride + column] != 0;
  for (int distance = 16; distance > 0; distance /= 2)
    n += __shfl_down_sync (0xffffffffu, n, distance);
  if (threadIdx.x % 32 == 0 && n > 0)
    atomicAdd (total, n);
}

int
esk_cuda_count_valid (EskStream     *stream,
                      const uint8_t *valid,
                      size_t         width,
                      size_t         height,
                      size_t         row_stride,
                      int64_t       *count)
{
  unsigned long long *total = (unsigned long long *) esk_cuda_scratch (stream, ESK_SCRATCH_WORK, sizeof *total), n = 0;
  size_t blocks = esk_cuda_ceil_div (width, THREADS * 16);
  dim3 grid ((unsigned) (blocks < 2048 ? blocks : 2048),
             (unsigned) (height < LARGEST_GRID_Y ? height : LARGEST_GRID_Y));
  int code;

  if (total == NULL)
    return ESK_ERROR_MEMORY;
  code = esk_cuda_check (stream, cudaMemsetAsync (total, 0, sizeof *total, stream->stream), "clearing memory");
  if (code != ESK_OK)
    return code;
  count_valid<<<grid, THREADS, 0, stream->stream>>> (valid, Window { width, height, row_stride }, total);
  code = esk_cuda_launched (stream, "counting pixels");
  if (code == ESK_OK)
    code = esk_cuda_fetch (stream, &n, total, sizeof n);
  *count = (int64_t) n;

  return code;
}
