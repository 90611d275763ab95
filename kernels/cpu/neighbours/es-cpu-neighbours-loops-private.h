/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The loops of es-cpu-neighbours-private.h, once for every length of vectors. Before it is included:
 *   LANES                      floats of a vector
 *   ROWS                       queries whose sums stay in registers beside two vectors of points
 *   SPREAD(x)                  a vector of x
 *   MULTIPLY_ADD(a, b, c)      a b + c, rounded once or twice
 *   LARGER(a, b)               the larger of both in each lane
 *   NOT_ABOVE(a, b)            bits of the lanes in which a <= b
 *   FUSED(a, b, c)             a b + c of doubles, rounded once
 */

#include "es-cpu-neighbours-private.h"

typedef float Vector __attribute__ ((vector_size (LANES * sizeof (float)), may_alias));

#define ALWAYS_INLINE static inline __attribute__ ((always_inline))
#define COLUMNS (2 * LANES)
/* Coordinates after which sums are looked at for the first time; then after twice as many, and so on. */
#define FIRST_LOOK 16

/* found[r] has a bit for each point of a sum that is not above the reach. Returns whether there is any. */
ALWAYS_INLINE bool
compare (Vector       sum[ROWS][2],
         const float *reach,
         uint32_t     found[ROWS])
{
  uint32_t any = 0;

#pragma GCC unroll 8
  for (size_t r = 0; r < ROWS; r++)
    {
      const Vector most = SPREAD (reach[r]);

      found[r] = NOT_ABOVE (sum[r][0], most) | (uint32_t) NOT_ABOVE (sum[r][1], most) << LANES;
      any |= found[r];
    }
  return any != 0;
}

ALWAYS_INLINE bool
within_part (size_t       dimensions,
             const float *queries,
             const float *points,
             const float *reach,
             uint32_t     found[ROWS])
{
  Vector sum[ROWS][2];
  size_t from = 0, until = FIRST_LOOK;

#pragma GCC unroll 8
  for (size_t r = 0; r < ROWS; r++)
    sum[r][0] = sum[r][1] = SPREAD (0.0f);
  for (;;)
    {
      const size_t end = until < dimensions ? until : dimensions;

      for (; from < end; from++)
        {
          const Vector first = *(const Vector *) (points + from * ESK_NEAR_BLOCK);
          const Vector second = *(const Vector *) (points + from * ESK_NEAR_BLOCK + LANES);

#pragma GCC unroll 8
          for (size_t r = 0; r < ROWS; r++)
            {
              const Vector query = SPREAD (queries[from * ESK_NEAR_BLOCK + r]);
              const Vector x = first - query, y = second - query;

              sum[r][0] = MULTIPLY_ADD (x, x, sum[r][0]);
              sum[r][1] = MULTIPLY_ADD (y, y, sum[r][1]);
            }
        }
      /* Sums of squares only grow: what has passed the reach now will have at the end. */
      if (!compare (sum, reach, found))
        return false;
      if (end == dimensions)
        return true;
      until *= 2;
    }
}

static void
within (size_t       dimensions,
        const float *queries,
        const float *points,
        const float *reach,
        uint32_t    *mask)
{
  for (size_t q = 0; q < ESK_NEAR_BLOCK; q++)
    mask[q] = 0;
  for (size_t p = 0; p < ESK_NEAR_BLOCK; p += COLUMNS)
    for (size_t q = 0; q < ESK_NEAR_BLOCK; q += ROWS)
      {
        uint32_t found[ROWS];

        if (within_part (dimensions, queries + q, points + p, reach + q, found))
          for (size_t r = 0; r < ROWS; r++)
            mask[q + r] |= found[r] << p;
      }
}

static void
bounds (size_t       keys,
        size_t       n,
        const float *low,
        const float *high,
        size_t       stride,
        const float *query_low,
        const float *query_high,
        float       *bound)
{
  for (size_t l = 0; l < n; l += LANES)
    {
      Vector sum = SPREAD (0.0f);

      for (size_t b = 0; b < keys; b++)
        {
          const Vector above = *(const Vector *) (low + b * stride + l) - SPREAD (query_high[b]);
          const Vector below = SPREAD (query_low[b]) - *(const Vector *) (high + b * stride + l);
          const Vector gap = LARGER (LARGER (above, below), SPREAD (0.0f));

          sum = MULTIPLY_ADD (gap, gap, sum);
        }
      *(Vector *) (bound + l) = sum;
    }
}

static double
square (size_t       dimensions,
        const float *a,
        const float *b)
{
  double sum[8] = { 0 };
  size_t i = 0;

  for (; i + 8 <= dimensions; i += 8)
    for (size_t lane = 0; lane < 8; lane++)
      {
        const double x = (double) a[i + lane] - (double) b[i + lane];

        sum[lane] = FUSED (x, x, sum[lane]);
      }
  for (; i < dimensions; i++)
    {
      const double x = (double) a[i] - (double) b[i];

      sum[i % 8] = FUSED (x, x, sum[i % 8]);
    }
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

