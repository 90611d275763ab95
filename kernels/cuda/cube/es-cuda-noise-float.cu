/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Noise residuals of samples wider than 16 bits, as es-cuda-noise.cu cuts them: in float64, rounded once. */

#include "es-cuda-noise-private.h"

#define STEP 2

/* What medians are found in: exact, but for 64-bit integers, which are read as float64. */
template <typename Sample> struct Value { typedef double Type; };
template <> struct Value<float> { typedef float Type; };

static __device__ __forceinline__ float smaller (float a, float b) { return fminf (a, b); }
static __device__ __forceinline__ float larger (float a, float b) { return fmaxf (a, b); }
static __device__ __forceinline__ double smaller (double a, double b) { return a < b ? a : b; }
static __device__ __forceinline__ double larger (double a, double b) { return a > b ? a : b; }

template <typename T>
static __device__ __forceinline__ T
middle_of (T a,
           T b,
           T c)
{
  return larger (smaller (a, b), smaller (larger (a, b), c));
}

/* The rows above and at the pixels, as the kind keeps them; step () takes the row below, or that of the pixels where
 * the kind does not look below. */
template <typename T, int n, int kind>
struct Rows
{
  T at[n];

  __device__ __forceinline__ void
  push (const T *row,
        int)
  {
#pragma unroll
    for (int k = 0; k < n; k++)
      at[k] = row[k];
  }

  __device__ __forceinline__ void
  step (const T *below,
        int      lane,
        double  *r)
  {
    T other[n], right[n];

    if (kind == ESK_NOISE_RIGHT)
      push (below, lane);
#pragma unroll
    for (int k = 0; k < n; k++)
      right[k] = other[k] = kind == ESK_NOISE_RIGHT ? at[k] : below[k];
    if (kind != ESK_NOISE_LOWER)
      esk_noise_right<n> (other, lane, right);
#pragma unroll
    for (int k = 0; k < n; k++)
      r[k] = __dsub_rn ((double) at[k], (double) right[k]);
    push (below, lane);
  }
};

/* Sums of three side by side, of each row. */
template <typename T, int n>
struct Rows<T, n, ESK_NOISE_MEAN>
{
  T      at[n];
  double sums[2][n];

  static __device__ __forceinline__ void
  add (const T *row,
       int      lane,
       double  *sum)
  {
    T left[n], right[n];

    esk_noise_left<n> (row, lane, left);
    esk_noise_right<n> (row, lane, right);
#pragma unroll
    for (int k = 0; k < n; k++)
      sum[k] = __dadd_rn (__dadd_rn ((double) left[k], (double) row[k]), (double) right[k]);
  }

  __device__ __forceinline__ void
  push (const T *row,
        int      lane)
  {
#pragma unroll
    for (int k = 0; k < n; k++)
      {
        sums[0][k] = sums[1][k];
        at[k] = row[k];
      }
    add (row, lane, sums[1]);
  }

  __device__ __forceinline__ void
  step (const T *below,
        int      lane,
        double  *r)
  {
    double sum[n];

    add (below, lane, sum);
#pragma unroll
    for (int k = 0; k < n; k++)
      {
        r[k] = __dsub_rn ((double) at[k],
                          __dmul_rn (__dadd_rn (__dadd_rn (sums[0][k], sums[1][k]), sum[k]), 1.0 / 9.0));
        sums[0][k] = sums[1][k];
        sums[1][k] = sum[k];
        at[k] = below[k];
      }
  }
};

template <typename T, int n>
struct Rows<T, n, ESK_NOISE_MEDIAN>
{
  T above[n], at[n];

  __device__ __forceinline__ void
  push (const T *row,
        int)
  {
#pragma unroll
    for (int k = 0; k < n; k++)
      {
        above[k] = at[k];
        at[k] = row[k];
      }
  }

  __device__ __forceinline__ void
  step (const T *below,
        int      lane,
        double  *r)
  {
    T low[n], middle[n], high[n], left[n], right[n], largest[n], smallest[n];

#pragma unroll
    for (int k = 0; k < n; k++)
      {
        T x = smaller (above[k], at[k]), y = larger (above[k], at[k]);

        low[k] = smaller (x, below[k]);
        middle[k] = larger (x, smaller (y, below[k]));
        high[k] = larger (y, below[k]);
      }
    esk_noise_left<n> (low, lane, left);
    esk_noise_right<n> (low, lane, right);
#pragma unroll
    for (int k = 0; k < n; k++)
      largest[k] = larger (larger (left[k], low[k]), right[k]);
    esk_noise_left<n> (high, lane, left);
    esk_noise_right<n> (high, lane, right);
#pragma unroll
    for (int k = 0; k < n; k++)
      smallest[k] = smaller (smaller (left[k], high[k]), right[k]);
    esk_noise_left<n> (middle, lane, left);
    esk_noise_right<n> (middle, lane, right);
#pragma unroll
    for (int k = 0; k < n; k++)
      r[k] = __dsub_rn ((double) at[k], (double) middle_of (largest[k], smallest[k],
                                                            middle_of (left[k], middle[k], right[k])));
    push (below, lane);
  }
};

/* A warp a strip and a run of rows of one band. */
template <typename Sample, int kind>
static __global__ void __launch_bounds__ (ESK_NOISE_WARPS * 32)
noise_float (const EskNoiseWork work)
{
  typedef typename Value<Sample>::Type T;
  constexpr int n = esk_noise_columns (sizeof (Sample)), strip = 32 * n - 2;
  constexpr bool looks_below = kind != ESK_NOISE_RIGHT, looks_above = kind <= ESK_NOISE_MEDIAN;
  const EskNoisePlace place = esk_noise_place (work, strip);
  const int column = place.column + place.lane - 1;
  bool read[n], stored[n];

  if (place.row >= place.end)
    return;
  esk_noise_columns_of<n> (work, place, read, stored);

  for (size_t band = blockIdx.y; band < work.n_bands; band += gridDim.y)
    {
      const Sample *from = (const Sample *) work.from + band * work.from_band + column
                           + (ptrdiff_t) (place.row * work.from_row);
      float *to = (float *) work.to + band * work.to_band + place.row * work.to_row + column;
      Rows<T, n, kind> rows = { };
      T next[STEP][n];
      /* Rows that are left to read. */
      int n_rows = (int) (place.end - place.row) + (looks_below ? 1 : 0);

      if (looks_above)
        {
          esk_noise_read<n> (from - (ptrdiff_t) work.from_row, read, next[0]);
          rows.push (next[0], place.lane);
        }
      if (looks_below)
        {
          esk_noise_read<n> (from, read, next[0]);
          rows.push (next[0], place.lane);
          from += work.from_row;
          n_rows--;
        }

      for (; n_rows > 0; n_rows -= STEP)
        {
#pragma unroll
          for (int s = 0; s < STEP; s++, from += work.from_row)
            if (s < n_rows)
              esk_noise_read<n> (from, read, next[s]);
#pragma unroll
          for (int s = 0; s < STEP; s++, to += work.to_row)
            {
              double r[n];

              if (s >= n_rows)
                break;
              rows.step (next[s], place.lane, r);
#pragma unroll
              for (int k = 0; k < n; k++)
                if (stored[k])
                  to[32 * k] = __double2float_rn (r[k]);
            }
        }
    }
}

template <typename Sample>
static void
launch (cudaStream_t        stream,
        dim3                grid,
        EskNoiseKind        kind,
        const EskNoiseWork *work)
{
  switch (kind)
    {
#define CASE(kind) \
    case kind: noise_float<Sample, kind><<<grid, ESK_NOISE_WARPS * 32, 0, stream>>> (*work); break;
    CASE (ESK_NOISE_MEAN)
    CASE (ESK_NOISE_MEDIAN)
    CASE (ESK_NOISE_RIGHT)
    CASE (ESK_NOISE_LOWER)
    CASE (ESK_NOISE_LOWER_RIGHT)
#undef CASE
    default: break;
    }
}

void
esk_cuda_noise_float (cudaStream_t        stream,
                      dim3                grid,
                      EskType             type,
                      EskNoiseKind        kind,
                      const EskNoiseWork *work)
{
  switch (type)
    {
    case ESK_U32: launch<uint32_t> (stream, grid, kind, work); break;
    case ESK_I32: launch<int32_t> (stream, grid, kind, work); break;
    case ESK_U64: launch<uint64_t> (stream, grid, kind, work); break;
    case ESK_I64: launch<int64_t> (stream, grid, kind, work); break;
    case ESK_F32: launch<float> (stream, grid, kind, work); break;
    case ESK_F64: launch<double> (stream, grid, kind, work); break;
    default: break;
    }
}
