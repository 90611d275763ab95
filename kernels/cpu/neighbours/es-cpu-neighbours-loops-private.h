/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The loops of es-cpu-neighbours-private.h, once for every length of vectors. Before it is included:
 *   LANES                      floats of a vector
 *   ROWS                       queries whose sums stay in registers beside two vectors of points
 *   SPREAD(x)                  a vector of x
 *   MULTIPLY_ADD(a, b, c)      a b + c, rounded once or twice
 *   LARGER(a, b)               the larger of both in each lane
 *   NOT_ABOVE(a, b)            bits of the lanes in which a <= b
 *   Wide                       eight doubles
 *   wide_load (a, n)           the first n of floats, and zeros
 *   wide_add_square (a, b, c)  (a - b)^2 + c in each lane, the square rounded once with its sum
 *   wide_sum (a)               the lanes in the order of EskNearLoops
 *   QUERIES, POINTS            whose sums stay in registers
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

/* A lane that has no difference left adds a square of 0, which leaves it as it is. */
static double
square (size_t       dimensions,
        const float *a,
        const float *b)
{
  Wide sum = { 0 };
  size_t i = 0;

  for (; i + 8 <= dimensions; i += 8)
    sum = wide_add_square (wide_load (a + i, 8), wide_load (b + i, 8), sum);
  if (i < dimensions)
    sum = wide_add_square (wide_load (a + i, dimensions - i), wide_load (b + i, dimensions - i), sum);
  return wide_sum (sum);
}

ALWAYS_INLINE void
add_squares (const float *const queries[QUERIES],
             const float *const points[POINTS],
             size_t             from,
             size_t             n,
             Wide               sum[QUERIES][POINTS])
{
  Wide query[QUERIES];

#pragma GCC unroll 4
  for (size_t q = 0; q < QUERIES; q++)
    query[q] = wide_load (queries[q] + from, n);
#pragma GCC unroll 4
  for (size_t p = 0; p < POINTS; p++)
    {
      const Wide point = wide_load (points[p] + from, n);

#pragma GCC unroll 4
      for (size_t q = 0; q < QUERIES; q++)
        sum[q][p] = wide_add_square (query[q], point, sum[q][p]);
    }
}

static void
squares (size_t       dimensions,
         const float *queries,
         size_t       n_queries,
         const float *points,
         size_t       n_points,
         double      *square,
         size_t       stride)
{
  for (size_t q = 0; q < n_queries; q += QUERIES)
    for (size_t p = 0; p < n_points; p += POINTS)
      {
        const float *query[QUERIES], *point[POINTS];
        Wide sum[QUERIES][POINTS] = { 0 };
        size_t i = 0;

        /* Behind the last there is the last again. */
        for (size_t r = 0; r < QUERIES; r++)
          query[r] = queries + (q + r < n_queries ? q + r : n_queries - 1) * dimensions;
        for (size_t c = 0; c < POINTS; c++)
          point[c] = points + (p + c < n_points ? p + c : n_points - 1) * dimensions;
        for (; i + 8 <= dimensions; i += 8)
          add_squares (query, point, i, 8, sum);
        if (i < dimensions)
          add_squares (query, point, i, dimensions - i, sum);
        for (size_t r = 0; r < QUERIES && q + r < n_queries; r++)
          for (size_t c = 0; c < POINTS && p + c < n_points; c++)
            square[(q + r) * stride + p + c] = wide_sum (sum[r][c]);
      }
}
