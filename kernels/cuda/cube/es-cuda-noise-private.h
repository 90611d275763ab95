/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Between the launcher of the noise residuals and their kernels. */

#include "es-cuda-cube-internal.h"

#include "cuda/core/es-cuda-samples-internal.h"

#define ESK_NOISE_WARPS 4              /* of a block */

/* One launch. Pointers are at the first pixel that has a residual, strides in samples. */
typedef struct {
  EskNoisePart   part;
  const void    *from;
  size_t         from_row, from_band;
  void          *to;
  size_t         to_row, to_band;
  const uint8_t *valid;                /* nullable; looked at where a residual does not fit */
  size_t         valid_row;
  size_t         width, height, n_bands;   /* of the residuals */
  int            left, top, right, bottom; /* what the kind needs */
  unsigned       rows, n_strips;       /* rows a warp works down, strips side by side */
  size_t         n_warps;              /* a band */
  uint32_t      *overflow;             /* nullable */
} EskNoiseWork;

/* Columns that a lane holds. */
static inline __host__ __device__ constexpr int
esk_noise_columns (size_t size)
{
  return size > 4 ? 2 : 4;
}

/* Residuals side by side that a warp makes: one column at either side is there for its neighbour's sake. */
static inline size_t
esk_noise_strip (EskType type)
{
  return (size_t) esk_noise_columns (esk_type_size (type)) * 32 - 2;
}

/* Whether all that takes part is valid; `valid` points to the pixel's own mark. */
static __device__ inline bool
esk_noise_counts (const uint8_t *valid,
                  size_t         row,
                  EskNoiseKind   kind)
{
  if (valid[0] == 0)
    return false;
  switch (kind)
    {
    case ESK_NOISE_RIGHT: return valid[1] != 0;
    case ESK_NOISE_LOWER: return valid[row] != 0;
    case ESK_NOISE_LOWER_RIGHT: return valid[row + 1] != 0;
    default:
      return valid[1] != 0 && *(valid - 1) != 0 && *(valid - row - 1) != 0 && *(valid - row) != 0
             && *(valid - row + 1) != 0 && valid[row - 1] != 0 && valid[row] != 0 && valid[row + 1] != 0;
    }
}

/* A warp's place. */
struct EskNoisePlace
{
  int    lane;
  int    column;                       /* of the strip's first residual */
  size_t row, end;                     /* of the residuals; row >= end: nothing to do */
};

static __device__ inline EskNoisePlace
esk_noise_place (const EskNoiseWork &work,
                 int                 strip)
{
  size_t warp = (size_t) blockIdx.x * ESK_NOISE_WARPS + threadIdx.x / 32;
  EskNoisePlace place;

  place.lane = threadIdx.x % 32;
  place.column = (int) (warp % work.n_strips) * strip;
  place.row = warp < work.n_warps ? warp / work.n_strips * work.rows : work.height;
  place.end = place.row + work.rows < work.height ? place.row + work.rows : work.height;
  return place;
}

/* Which of a lane's columns, 32 apart, are there to be read, and which have residuals. */
template <int n>
static __device__ __forceinline__ void
esk_noise_columns_of (const EskNoiseWork  &work,
                      const EskNoisePlace &place,
                      bool                *read,
                      bool                *stored)
{
#pragma unroll
  for (int k = 0; k < n; k++)
    {
      int in_strip = place.lane + 32 * k - 1, column = place.column + in_strip;

      read[k] = column >= -work.left && column < (int) work.width + work.right;
      stored[k] = in_strip >= 0 && in_strip < 32 * n - 2 && column < (int) work.width;
    }
}

/* Columns 32 apart. */
template <int n, typename Sample, typename T>
static __device__ __forceinline__ void
esk_noise_read (const Sample *from,
                const bool   *read,
                T            *out)
{
#pragma unroll
  for (int k = 0; k < n; k++)
    out[k] = read[k] ? (T) __ldg (from + 32 * k) : (T) 0;
}

/* Of a column each, the values at the columns to the right; the last one of lane 31 is not known. */
template <int n, typename T>
static __device__ __forceinline__ void
esk_noise_right (const T *v,
                 int      lane,
                 T       *out)
{
#pragma unroll
  for (int k = 0; k < n; k++)
    out[k] = __shfl_sync (0xffffffffu, lane == 0 && k + 1 < n ? v[k + 1 < n ? k + 1 : k] : v[k], lane + 1);
}

/* To the left; the first one of lane 0 is not known. */
template <int n, typename T>
static __device__ __forceinline__ void
esk_noise_left (const T *v,
                int      lane,
                T       *out)
{
#pragma unroll
  for (int k = 0; k < n; k++)
    out[k] = __shfl_sync (0xffffffffu, lane == 31 && k > 0 ? v[k > 0 ? k - 1 : k] : v[k], lane + 31);
}

/* es-cuda-noise-exact.cu, es-cuda-noise-float.cu */
void esk_cuda_noise_exact (cudaStream_t stream, dim3 grid, EskType type, EskNoiseKind kind, const EskNoiseWork *work);
void esk_cuda_noise_float (cudaStream_t stream, dim3 grid, EskType type, EskNoiseKind kind, const EskNoiseWork *work);
