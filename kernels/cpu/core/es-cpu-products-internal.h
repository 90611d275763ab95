/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * What the matrix loops of several processors share: the order in which pairs of bands are taken, and how samples that
 * need all of their 16 bits are multiplied exactly.
 */

#include "es-cpu-internal.h"

/* ---- the order of bands ---- */

/* Two groups of bands of a panel stay in the second-level cache while all pairs of them are multiplied. */
#define ESK_GROUP_BYTES 400000
/* One that fits as a whole is one group. */
#define ESK_WHOLE_BYTES 600000

/* Bands of a group, a multiple of ESK_BAND_BLOCK; band_bytes: of all that is read of one. */
static inline size_t
esk_group_size (size_t n,
                size_t band_bytes)
{
  size_t group = ESK_GROUP_BYTES / 2 / band_bytes / ESK_BAND_BLOCK * ESK_BAND_BLOCK;

  if (n <= ESK_WHOLE_BYTES / band_bytes)
    return esk_round_up (n, ESK_BAND_BLOCK);
  return group > 0 ? group : ESK_BAND_BLOCK;
}

/* Pairs of bands: rows from i to before i_end, columns from j to before j_end, those on and below the diagonal. Begin
 * with { 0 }. */
typedef struct
{
  size_t i, i_end, j, j_end;
} EskRegion;

static inline bool
esk_region_next (EskRegion *region,
                 size_t     n,
                 size_t     group)
{
  if (region->i_end == 0 || region->j >= region->i)
    {
      region->i = region->i_end;
      region->j = 0;
    }
  else
    region->j = region->j_end;
  if (region->i >= n)
    return false;
  region->i_end = region->i + group < n ? region->i + group : n;
  region->j_end = region->j + group < n ? region->j + group : n;

  return true;
}

/* ---- samples of 16 bits ---- */

/*
 * Sums of products in int32 lanes are right modulo 2^32 however often they overflow. What they are besides follows from
 * an estimate that is never off by 2^31: that of the samples' upper bits, whose products are half as much work, as
 * twice as many bytes fit a vector. With h the upper bits, x = 2^s (h + 1/2) + e, |e| < 2^(s-1), of each factor its
 * own,
 *
 *   sum x y = 2^(s+t) sum (h + 1/2) (k + 1/2) + rest
 *           = 2^(s+t-2) (4 sum h k + 2 sum h + 2 sum k + count) + rest
 *
 * and |rest| < 2^31 where the count of products in a lane is at most that of the processor's loops. One factor is made
 * unsigned for the instructions: sum (h + bias) k. Bytes are in the order that lets a lane hold the same samples as the
 * lane of the int16 products: of lane l, samples 2 l, 2 l + 1 of one vector of int16 and then of the next.
 */
typedef struct
{
  int lanes;                   /* of int32 */
  int shift_x, shift_y;        /* of h and of k */
} EskSplit;

/* Bytes of one half of `count` samples of a band. */
static inline size_t
esk_halves_stride (size_t count)
{
  return (count / ESK_PANEL_ALIGNMENT | 1) * ESK_PANEL_ALIGNMENT;
}

/* From band to band: an odd number of cache lines. */
static inline size_t
esk_halves_step (size_t stride)
{
  return 2 * stride + 3 * ESK_PANEL_ALIGNMENT;
}

/* In order: x and y of each band, and what of a lane's estimate depends on one of them alone, in int32 lanes. */
typedef struct
{
  const uint8_t *x;
  const int8_t  *y;
  const int32_t *x_term, *y_term;
} EskHalves;

static inline EskHalves
esk_halves_at (const void *scratch,
               size_t      stride,
               size_t      band)
{
  const uint8_t *row = (const uint8_t *) scratch + band * esk_halves_step (stride);

  return (EskHalves) { row, (const int8_t *) row + stride, (const int32_t *) (row + 2 * stride),
                       (const int32_t *) (row + 2 * stride + ESK_PANEL_ALIGNMENT) };
}

/* Of one band; count: a multiple of four times the lanes. Constants for `split`, so that the compiler sees through it.
 * */
static inline __attribute__ ((always_inline)) void
esk_halves_make (const EskSplit  split,
                 const int16_t  *samples,
                 size_t          count,
                 const EskHalves *halves)
{
  const int32_t *pairs = (const int32_t *) (const void *) samples;
  const size_t lanes = (size_t) split.lanes;
  const int bias = 1 << (15 - split.shift_x);
  int32_t *x_bytes = (int32_t *) (void *) halves->x, *y_bytes = (int32_t *) (void *) halves->y;
  int32_t x_sum[16] = { 0 }, y_sum[16] = { 0 };
  int32_t *x_term = (int32_t *) halves->x_term, *y_term = (int32_t *) halves->y_term;

  for (size_t k = 0; k < count / 4; k += lanes)
    for (size_t l = 0; l < lanes; l++)
      {
        int32_t first = pairs[2 * k + l], second = pairs[2 * k + lanes + l];
        int32_t a = (int16_t) first >> split.shift_x, b = first >> (16 + split.shift_x);
        int32_t c = (int16_t) second >> split.shift_x, d = second >> (16 + split.shift_x);

        x_sum[l] += a + b + c + d;
        x_bytes[k + l] = (a + bias) | (b + bias) << 8 | (c + bias) << 16 | (int32_t) ((uint32_t) (d + bias) << 24);
        a = (int16_t) first >> split.shift_y, b = first >> (16 + split.shift_y);
        c = (int16_t) second >> split.shift_y, d = second >> (16 + split.shift_y);
        y_sum[l] += a + b + c + d;
        y_bytes[k + l] = (a & 0xff) | (b & 0xff) << 8 | (c & 0xff) << 16 | (int32_t) ((uint32_t) d << 24);
      }
  for (size_t l = 0; l < lanes; l++)
    {
      x_term[l] = 2 * x_sum[l] + (int32_t) (count / lanes);
      y_term[l] = 2 * y_sum[l] - 4 * bias * y_sum[l];
    }
}
