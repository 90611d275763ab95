/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * What the matrix loops of several processors share: the order in which pairs of bands are taken, and how samples that
 * need all of their 16 bits are multiplied exactly.
 */

#include "es-cpu-internal.h"

#include <string.h>

/* ---- the order of bands ---- */

/* Two groups of bands of a panel stay in the second-level cache while all pairs of them are multiplied. */
#define ESK_GROUP_BYTES 400000
/* One that fits as a whole is one group. */
#define ESK_WHOLE_BYTES 600000

/* Bands of a group at most, where there are several: their sums stay in the first-level cache. */
#define ESK_MOST_GROUP 60

/* Bands of a group, a multiple of ESK_BAND_BLOCK; band_bytes: of all that is read of one. */
static inline size_t
esk_group_size (size_t n,
                size_t band_bytes)
{
  size_t group = ESK_GROUP_BYTES / 2 / band_bytes / ESK_BAND_BLOCK * ESK_BAND_BLOCK;

  if (n <= ESK_WHOLE_BYTES / band_bytes)
    return esk_round_up (n, ESK_BAND_BLOCK);
  group = group < ESK_MOST_GROUP ? group : ESK_MOST_GROUP;
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

/*
 * Where the sums of a region go, block by block: to the product itself, or where there are several to a square of their
 * own, which is added to the product at once. There a block is three or five pieces in as many pages.
 */
typedef union
{
  int64_t integers[ESK_MOST_GROUP * ESK_MOST_GROUP];
  double  floats[ESK_MOST_GROUP * ESK_MOST_GROUP];
} EskSquare;

/* The element of bands i and j is at base[(i - row) * stride + j - column], of int64 or float64. */
typedef struct
{
  void  *base;
  size_t stride, row, column;
  bool   apart;
} EskPlace;

static inline EskPlace
esk_region_place (const EskRegion *region,
                  size_t           n,
                  size_t           group,
                  void            *product,
                  EskSquare       *square)
{
  if (group >= n)
    return (EskPlace) { product, n, 0, 0, false };
  memset (square, 0, sizeof *square);
  return (EskPlace) { square, group, region->i, region->j, true };
}

#define ESK_DEFINE_REGION_DONE(name, type)                                                    \
  static void                                                                                 \
  name (const EskRegion *region, size_t n, const EskPlace *place, type *product)              \
  {                                                                                           \
    for (size_t i = region->i; place->apart && i < region->i_end; i++)                        \
      {                                                                                       \
        const type *from = (const type *) place->base + (i - region->i) * place->stride;      \
        size_t end = region->j_end < i + 1 ? region->j_end : i + 1;                           \
        type *to = product + i * n + region->j;                                               \
                                                                                              \
        for (size_t k = 0; k < end - region->j; k++)                                          \
          to[k] += from[k];                                                                   \
      }                                                                                       \
  }

/* ---- samples of 16 bits ---- */

/*
 * Sums of products in int32 lanes are right modulo 2^32 however often they overflow. What they are besides follows from
 * an estimate that is never off by 2^31: that of the samples' upper bits, whose products are less work, as twice as
 * many bytes fit a vector. With h the upper bits of a sample, x = 2^s (h + 1/2) + e and |e| < 2^(s-1),
 *
 *   sum x y = 2^(2s) sum (h + 1/2) (k + 1/2) + rest
 *           = 2^(2s-2) (4 sum h k + 2 sum h + 2 sum k + count) + rest
 *
 * and |rest| < 2^31 where the count of products in a lane is at most that of the processor's loops. One factor is made
 * unsigned for the instructions: sum (h + bias) k. Bytes are in the order that lets a lane hold the same samples as the
 * lane of the int16 products: of lane l, samples 2 l, 2 l + 1 of one vector of int16 and then of the next.
 */
typedef struct
{
  size_t lanes;                /* of int32 */
  int    shift;                /* s */
} EskSplit;

/* Of a band: h + bias and h, and what of a lane's estimate depends on it alone, as the one factor and as the other, in
 * int32 lanes. */
typedef struct
{
  uint8_t *x;
  int8_t  *y;
  int32_t *x_term, *y_term;
} EskHalves;

/* Bytes of h, of `count` samples of a band. */
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

static inline EskHalves
esk_halves_at (void   *scratch,
               size_t  stride,
               size_t  band)
{
  uint8_t *row = (uint8_t *) scratch + band * esk_halves_step (stride);

  return (EskHalves) { row, (int8_t *) row + stride, (int32_t *) (void *) (row + 2 * stride),
                       (int32_t *) (void *) (row + 2 * stride + ESK_PANEL_ALIGNMENT) };
}

/* count: a multiple of four times the lanes. A constant `split`, so that the compiler sees through it. */
static inline __attribute__ ((always_inline)) void
esk_halves_make (const EskSplit   split,
                 const int16_t   *samples,
                 size_t           count,
                 const EskHalves *halves)
{
  const int32_t *pairs = (const int32_t *) (const void *) samples, bias = 1 << (15 - split.shift);
  int32_t *x = (int32_t *) (void *) halves->x, *y = (int32_t *) (void *) halves->y, sum[16] = { 0 };

  for (size_t k = 0; k < count / 4; k += split.lanes)
    for (size_t l = 0; l < split.lanes; l++)
      {
        int32_t first = pairs[2 * k + l], second = pairs[2 * k + split.lanes + l];
        int32_t a = (int16_t) first >> split.shift, b = first >> (16 + split.shift);
        int32_t c = (int16_t) second >> split.shift, d = second >> (16 + split.shift);
        uint32_t bytes = ((uint32_t) a & 0xff) | ((uint32_t) b & 0xff) << 8 | ((uint32_t) c & 0xff) << 16
                         | (uint32_t) d << 24;

        sum[l] += (a + b) + (c + d);
        y[k + l] = (int32_t) bytes;
        /* Byte by byte: none of them reaches the next. */
        x[k + l] = (int32_t) (split.shift == 8 ? bytes ^ 0x80808080 : ((bytes & 0x7f7f7f7f) ^ 0x40404040));
      }
  for (size_t l = 0; l < split.lanes; l++)
    {
      halves->x_term[l] = 2 * sum[l] + (int32_t) (count / split.lanes);
      halves->y_term[l] = 2 * sum[l] - 4 * bias * sum[l];
    }
}
