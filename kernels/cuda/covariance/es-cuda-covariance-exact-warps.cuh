/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * What a warp does of the exact covariance in tiles (es-cuda-covariance-exact-tiles.cu): products and sums of a task,
 * which stay in registers until they are added to the totals. A square of 4 x 4 slabs of 8-bit samples, or a strip of
 * 16-bit ones.
 */

#include "es-cuda-covariance-exact.cuh"

template <typename Sample> struct ByteOf;
template <> struct ByteOf<uint8_t> { typedef uint8_t Type; };
template <> struct ByteOf<int8_t> { typedef int8_t Type; };
template <> struct ByteOf<uint16_t> { typedef uint8_t Type; };
template <> struct ByteOf<int16_t> { typedef int8_t Type; };

#if !defined (__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

/* Two 16-bit numbers of x by the two low bytes of v, added up. */
template <typename Byte>
__device__ __forceinline__ int
sum_shorts (uint32_t x, uint32_t v, int total)
{
  if ((Byte) -1 < 0)
    return __dp2a_lo ((int) x, (int) v, total);
  return (int) __dp2a_lo (x, v, (uint32_t) total);
}

/* A warp's square of 8-bit samples. */
template <typename Byte>
struct Square {
  enum { N = 4, LIMIT = ESK_EXACT_PIXELS_8 / ESK_EXACT_ROW };

  int left[N][N][4], right[N][N][4], sum[N][2];
  unsigned row, column, count;
  bool sums;

  __device__ __forceinline__ void
  start (const EskExactTask &task)
  {
    row = task.row[0];
    column = task.column[0];
    sums = task.sums != 0;
    count = 0;
#pragma unroll
    for (int i = 0; i < N; i++)
      {
        sum[i][0] = sum[i][1] = 0;
#pragma unroll
        for (int j = 0; j < N; j++)
#pragma unroll
          for (int e = 0; e < 4; e++)
            left[i][j][e] = right[i][j][e] = 0;
      }
  }

  template <bool SUMS>
  __device__ __forceinline__ void
  multiply_square (uint32_t stage, uint32_t mask, uint32_t slab_lane)
  {
#pragma unroll 2
    for (int k = 0; k < 4; k++)
      {
        const uint32_t v[2] = { exact_mask_word (mask + k * 32), exact_mask_word (mask + k * 32 + 16) };
        const uint32_t keep[2] = { v[0] * 255, v[1] * 255 };
        uint32_t a[2][4], b[N][4];

        if (SUMS)
          count = __dp4a (v[0], ESK_EXACT_ONES, __dp4a (v[1], ESK_EXACT_ONES, count));
        exact_load_matrices (a[0], exact_slab_address (stage, row, slab_lane, k));
#pragma unroll
        for (int j = 0; j < N; j++)
          exact_load_matrices (b[j], exact_slab_address (stage, column + j, slab_lane, k));
#pragma unroll
        for (int i = 0; i < N; i++)
          {
            const uint32_t *x = a[i % 2];

            /* The next row is on its way while this one is multiplied. */
            if (i + 1 < N)
              exact_load_matrices (a[1 - i % 2], exact_slab_address (stage, row + i + 1, slab_lane, k));
            if (SUMS)
              {
                sum[i][0] = exact_sum_bytes<Byte> (x[1], v[1], exact_sum_bytes<Byte> (x[0], v[0], sum[i][0]));
                sum[i][1] = exact_sum_bytes<Byte> (x[3], v[1], exact_sum_bytes<Byte> (x[2], v[0], sum[i][1]));
              }
#pragma unroll
            for (int j = 0; j < N; j++)
              {
                exact_mma<Byte, Byte> (left[i][j], x[0] & keep[0], x[2] & keep[0], x[1] & keep[1], x[3] & keep[1],
                                       b[j][0], b[j][1]);
                exact_mma<Byte, Byte> (right[i][j], x[0] & keep[0], x[2] & keep[0], x[1] & keep[1], x[3] & keep[1],
                                       b[j][2], b[j][3]);
              }
          }
      }
  }

  __device__ __forceinline__ void
  multiply (uint32_t stage, uint32_t mask, uint32_t slab_lane)
  {
    if (sums)
      multiply_square<true> (stage, mask, slab_lane);
    else
      multiply_square<false> (stage, mask, slab_lane);
  }

  __device__ __forceinline__ void
  flush (const EskExactTotals &totals, unsigned n_bands, const uint16_t *slab, bool masked)
  {
    const unsigned lane = threadIdx.x % 32, r = slab[row], c = slab[column];

#pragma unroll
    for (int i = 0; i < N; i++)
#pragma unroll
      for (int j = 0; j < N; j++)
        {
          const unsigned band = (r + i) * 16 + lane / 4, other = (c + j) * 16 + lane % 4 * 2;

#pragma unroll
          for (int h = 0; h < 2; h++)
            exact_add_row<true> (totals, n_bands, band + 8 * h, other, exact_widen<Byte> (left[i][j][2 * h]),
                                 exact_widen<Byte> (left[i][j][2 * h + 1]), exact_widen<Byte> (right[i][j][2 * h]),
                                 exact_widen<Byte> (right[i][j][2 * h + 1]));
#pragma unroll
          for (int e = 0; e < 4; e++)
            left[i][j][e] = right[i][j][e] = 0;
        }
    if (sums)
      {
#pragma unroll
        for (int i = 0; i < N; i++)
          exact_add_sums<Byte> (totals, n_bands, r + i, sum[i]);
        count += __shfl_xor_sync (0xffffffff, count, 1);
        count += __shfl_xor_sync (0xffffffff, count, 2);
        if (masked && r == 0 && lane == 0)
          atomicAdd (totals.count, (unsigned long long) count);
        count = 0;
      }
  }
};

/* 32 pixels of a slab of 16-bit samples: high and low bytes of rows 0-7 and 8-15, pixels 0-15 and 16-31. */
struct Split {
  uint32_t high[2][2], low[2][2];

  __device__ __forceinline__ void
  take (const uint32_t (&x)[2][4])
  {
#pragma unroll
    for (int h = 0; h < 2; h++)
#pragma unroll
      for (int p = 0; p < 2; p++)
        {
          high[h][p] = __byte_perm (x[p][2 * h], x[p][2 * h + 1], 0x7531);
          low[h][p] = __byte_perm (x[p][2 * h], x[p][2 * h + 1], 0x6420);
        }
  }
};

template <typename Left, typename Right>
__device__ __forceinline__ void
multiply_split (int (&d)[4],
                const uint32_t (&a)[2][2],
                const uint32_t (&b)[2])
{
  exact_mma<Left, Right> (d, a[0][0], a[1][0], a[0][1], a[1][1], b[0], b[1]);
}

/* A warp's strip of 16-bit samples. */
template <typename Byte>
struct Strip {
  enum { N = ESK_EXACT_STRIP, LIMIT = ESK_EXACT_PIXELS_16 / (ESK_EXACT_ROW / 2) };

  int high[N][2][4], cross[N][2][4], low[N][2][4], sum[2][2];
  unsigned n_tiles, first, sums, count;
  uint32_t row[2], columns[2];         /* slots, the columns' a byte each */

  __device__ __forceinline__ void
  start (const EskExactTask &task)
  {
    n_tiles = task.n_tiles;
    first = task.first;
    sums = task.sums;
    row[0] = task.row[0];
    row[1] = task.row[1];
    columns[0] = columns[1] = 0;
#pragma unroll
    for (int j = 0; j < N; j++)
      columns[j / 4] |= (uint32_t) task.column[j] << (j % 4 * 8);
    count = 0;
    sum[0][0] = sum[0][1] = sum[1][0] = sum[1][1] = 0;
#pragma unroll
    for (int j = 0; j < N; j++)
#pragma unroll
      for (int h = 0; h < 2; h++)
#pragma unroll
        for (int e = 0; e < 4; e++)
          high[j][h][e] = cross[j][h][e] = low[j][h][e] = 0;
  }

  __device__ __forceinline__ uint32_t
  column (int j) const
  {
    return columns[j / 4] >> (j % 4 * 8) & 255;
  }

  static __device__ __forceinline__ void
  load (uint32_t (&x)[2][4], uint32_t stage, uint32_t slot, uint32_t slab_lane, int k)
  {
    exact_load_matrices (x[0], exact_slab_address (stage, slot, slab_lane, 2 * k));
    exact_load_matrices (x[1], exact_slab_address (stage, slot, slab_lane, 2 * k + 1));
  }

  /* A slab as left operand, and its bands' sums. v: the mask of the pixels that a lane has. */
  __device__ __forceinline__ void
  take_row (Split &a, const uint32_t (&y)[2][4], const uint32_t (&v)[2][2], int (&total)[2])
  {
#pragma unroll
    for (int p = 0; p < 2; p++)
      {
        const uint32_t bits = (v[p][0] | v[p][1] << 16) * 255;

#pragma unroll
        for (int h = 0; h < 2; h++)
          {
            a.high[h][p] = __byte_perm (y[p][2 * h], y[p][2 * h + 1], 0x7531) & bits;
            a.low[h][p] = __byte_perm (y[p][2 * h], y[p][2 * h + 1], 0x6420) & bits;
            total[h] = sum_shorts<Byte> (y[p][2 * h], v[p][0], total[h]);
            total[h] = sum_shorts<Byte> (y[p][2 * h + 1], v[p][1], total[h]);
          }
      }
  }

  /* TILES of the strip, FIRST of the first row. No branches: tensor cores would have to come to rest at each. Tiles
   * that the strip does not have are multiplied in vain. */
  template <int TILES, int FIRST>
  __device__ __forceinline__ void
  multiply_tiles (uint32_t stage, uint32_t mask, uint32_t slab_lane)
  {
    uint32_t x[2][4], y[2][4];

    load (y, stage, row[0], slab_lane, 0);
    load (x, stage, column (0), slab_lane, 0);
#pragma unroll
    for (int k = 0; k < 2; k++)
      {
        const uint32_t at = mask + k * 32;
        const uint32_t v[2][2] = {
          { exact_mask_half (at), exact_mask_half (at + 8) }, { exact_mask_half (at + 16), exact_mask_half (at + 24) }
        };
        Split a;

        count = __dp4a (v[0][0] | v[0][1] << 16, ESK_EXACT_ONES, count);
        count = __dp4a (v[1][0] | v[1][1] << 16, ESK_EXACT_ONES, count);
#pragma unroll
        for (int j = 0; j < TILES; j++)
          {
            const int next = j + 1 < TILES ? j + 1 : 0, next_k = j + 1 < TILES ? k : k + 1;
            Split b;

            if (j == 0 || j == FIRST)
              take_row (a, y, v, sum[j == 0 ? 0 : 1]);
            b.take (x);
            /* The next tile's are on their way while this one is multiplied. */
            if (next_k < 2)
              {
                if (next == 0 || next == FIRST)
                  load (y, stage, row[next == 0 ? 0 : 1], slab_lane, next_k);
                load (x, stage, column (next), slab_lane, next_k);
              }
#pragma unroll
            for (int h = 0; h < 2; h++)
              {
                multiply_split<Byte, Byte> (high[j][h], a.high, b.high[h]);
                multiply_split<uint8_t, uint8_t> (low[j][h], a.low, b.low[h]);
                multiply_split<Byte, uint8_t> (cross[j][h], a.high, b.low[h]);
              }
#pragma unroll
            for (int h = 0; h < 2; h++)
              multiply_split<uint8_t, Byte> (cross[j][h], a.low, b.high[h]);
          }
      }
  }

  /* Two rows in a strip have 7 tiles together, the first row the longer part. */
  __device__ __forceinline__ void
  multiply (uint32_t stage, uint32_t mask, uint32_t slab_lane)
  {
    if (n_tiles <= 2)
      multiply_tiles<2, 2> (stage, mask, slab_lane);
    else if (first == n_tiles)
      multiply_tiles<N, N> (stage, mask, slab_lane);
    else if (first == 6)
      multiply_tiles<N, 6> (stage, mask, slab_lane);
    else if (first == 5)
      multiply_tiles<N, 5> (stage, mask, slab_lane);
    else
      multiply_tiles<N, 4> (stage, mask, slab_lane);
  }

  __device__ __forceinline__ int64_t
  value (int j, int h, int e) const
  {
    return exact_widen<Byte> (high[j][h][e]) * 65536 + exact_widen<Byte> (cross[j][h][e]) * 256
           + exact_widen<uint8_t> (low[j][h][e]);
  }

  __device__ __forceinline__ void
  flush (const EskExactTotals &totals, unsigned n_bands, const uint16_t *slab, bool masked)
  {
    const unsigned lane = threadIdx.x % 32;

#pragma unroll
    for (int j = 0; j < N; j++)
      if (j < n_tiles)
        {
          const unsigned band = slab[j < first ? row[0] : row[1]] * 16 + lane / 4;
          const unsigned other = slab[column (j)] * 16 + lane % 4 * 2;

#pragma unroll
          for (int h = 0; h < 2; h++)
            exact_add_row<true> (totals, n_bands, band + 8 * h, other, value (j, 0, 2 * h), value (j, 0, 2 * h + 1),
                                 value (j, 1, 2 * h), value (j, 1, 2 * h + 1));
#pragma unroll
          for (int h = 0; h < 2; h++)
#pragma unroll
            for (int e = 0; e < 4; e++)
              high[j][h][e] = cross[j][h][e] = low[j][h][e] = 0;
        }
    if (sums != 0)
      {
        exact_add_sums<Byte> (totals, n_bands, slab[row[0]], sum[0]);
        if ((sums & 2) != 0)
          exact_add_sums<Byte> (totals, n_bands, slab[row[1]], sum[1]);
        count += __shfl_xor_sync (0xffffffff, count, 1);
        count += __shfl_xor_sync (0xffffffff, count, 2);
        if (masked && lane == 0 && (slab[row[0]] == 0 || ((sums & 2) != 0 && slab[row[1]] == 0)))
          atomicAdd (totals.count, (unsigned long long) count);
      }
    count = 0;
    sum[0][0] = sum[0][1] = sum[1][0] = sum[1][1] = 0;
  }
};

template <typename Byte, int BYTES> struct WorkOf;
template <typename Byte> struct WorkOf<Byte, 1> { typedef Square<Byte> Type; };
template <typename Byte> struct WorkOf<Byte, 2> { typedef Strip<Byte> Type; };

#endif
