/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Small dense algebra; included once for every processor, hence everything is static. Defined are LANES (numbers of a
 * vector), SPREAD (x) and MULTIPLY_ADD (a, b, c) = a b + c, rounded once where the processor can. */

#include "es-cpu-algebra-private.h"

#include <math.h>

typedef double Vector __attribute__ ((vector_size (LANES * sizeof (double)), may_alias));

/* Rows of a tile of products: with two vectors each, as many sums as keep both multipliers busy. */
#define TILE_ROWS 6

static inline double
add_lanes (Vector x)
{
  double sum[LANES];

  for (int k = 0; k < LANES; k++)
    sum[k] = x[k];
  for (int half = LANES / 2; half > 0; half /= 2)
    for (int k = 0; k < half; k++)
      sum[k] += sum[k + half];

  return sum[0];
}

/* ---- products ---- */

static inline __attribute__ ((always_inline)) void
multiply_tile (const int rows, const int vectors, size_t n, const double *a, size_t a_row, size_t a_step,
               const double *b, size_t b_stride, double *out, size_t out_stride)
{
  Vector sum[TILE_ROWS][4];

#pragma GCC unroll 6
  for (int r = 0; r < rows; r++)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++)
      sum[r][v] = (Vector) { 0 };
  for (size_t k = 0; k < n; k++, a += a_step, b += b_stride)
    {
      const Vector *x = (const Vector *) b;

#pragma GCC unroll 6
      for (int r = 0; r < rows; r++)
#pragma GCC unroll 4
        for (int v = 0; v < vectors; v++)
          sum[r][v] = MULTIPLY_ADD (x[v], SPREAD (a[(size_t) r * a_row]), sum[r][v]);
    }
#pragma GCC unroll 6
  for (int r = 0; r < rows; r++)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++)
      ((Vector *) (out + (size_t) r * out_stride))[v] = sum[r][v];
}

static inline __attribute__ ((always_inline)) void
multiply_rows (const int rows, size_t columns, size_t n, const double *a, size_t a_row, size_t a_step,
               const double *b, size_t b_stride, double *out, size_t out_stride)
{
  size_t c = 0;

  /* Of few rows, more columns at once. */
  if (rows <= 3)
    for (; c + 4 * LANES <= columns; c += 4 * LANES)
      multiply_tile (rows, 4, n, a, a_row, a_step, b + c, b_stride, out + c, out_stride);
  for (; c + 2 * LANES <= columns; c += 2 * LANES)
    multiply_tile (rows, 2, n, a, a_row, a_step, b + c, b_stride, out + c, out_stride);
  for (; c < columns; c += LANES)
    multiply_tile (rows, 1, n, a, a_row, a_step, b + c, b_stride, out + c, out_stride);
}

static void
multiply (size_t rows, size_t columns, size_t n, const double *a, size_t a_row, size_t a_step, const double *b,
          size_t b_stride, double *out, size_t out_stride)
{
  size_t tiles = (rows + TILE_ROWS - 1) / TILE_ROWS;

  /* Tiles of about the same height. */
  for (size_t r = 0, now; r < rows; r += now, tiles--)
    {
      const double *from = a + r * a_row;
      double *to = out + r * out_stride;

      now = (rows - r + tiles - 1) / tiles;
      switch (now)
        {
        case 1: multiply_rows (1, columns, n, from, a_row, a_step, b, b_stride, to, out_stride); break;
        case 2: multiply_rows (2, columns, n, from, a_row, a_step, b, b_stride, to, out_stride); break;
        case 3: multiply_rows (3, columns, n, from, a_row, a_step, b, b_stride, to, out_stride); break;
        case 4: multiply_rows (4, columns, n, from, a_row, a_step, b, b_stride, to, out_stride); break;
        case 5: multiply_rows (5, columns, n, from, a_row, a_step, b, b_stride, to, out_stride); break;
        default: multiply_rows (TILE_ROWS, columns, n, from, a_row, a_step, b, b_stride, to, out_stride); break;
        }
    }
}

/* ---- inverses ---- */

/* Vectors from `first` on: row k times factor, then every row less its share of that. */
static inline __attribute__ ((always_inline)) void
eliminate_part (const int vectors, size_t m, size_t stride, double *a, size_t k, const double *shares, double factor)
{
  Vector *own = (Vector *) (a + k * stride), row[4];

#pragma GCC unroll 4
  for (int v = 0; v < vectors; v++)
    row[v] = own[v] * factor;
  for (size_t i = 0; i < m; i++)
    {
      Vector *other = (Vector *) (a + i * stride);
      const Vector share = SPREAD (-shares[i]);

#pragma GCC unroll 4
      for (int v = 0; v < vectors; v++)
        other[v] = MULTIPLY_ADD (row[v], share, other[v]);
    }
#pragma GCC unroll 4
  for (int v = 0; v < vectors; v++)
    own[v] = row[v];
}

static void
eliminate (size_t m, size_t stride, double *a, size_t k, const double *shares, double factor)
{
  const size_t columns = (m + LANES - 1) / LANES * LANES;
  size_t c = 0;

  for (; c + 4 * LANES <= columns; c += 4 * LANES)
    eliminate_part (4, m, stride, a + c, k, shares, factor);
  switch ((columns - c) / LANES)
    {
    case 3: eliminate_part (3, m, stride, a + c, k, shares, factor); break;
    case 2: eliminate_part (2, m, stride, a + c, k, shares, factor); break;
    case 1: eliminate_part (1, m, stride, a + c, k, shares, factor); break;
    default: break;
    }
}

static void
swap_rows (size_t stride, double *a, size_t i, size_t k)
{
  Vector *x = (Vector *) (a + i * stride), *y = (Vector *) (a + k * stride);

  for (size_t v = 0; v < stride / LANES; v++)
    {
      const Vector kept = x[v];

      x[v] = y[v];
      y[v] = kept;
    }
}

static bool
invert (size_t m, size_t stride, double *a, double *out, double *room, size_t *order)
{
  for (size_t k = 0; k < m; k++)
    order[k] = k;
  for (size_t k = 0; k < m; k++)
    {
      size_t pivot = k, kept;
      double largest = 0, factor;

      for (size_t i = 0; i < m; i++)
        room[i] = a[i * stride + k];
      for (size_t i = k; i < m; i++)
        if (fabs (room[i]) > largest)
          {
            largest = fabs (room[i]);
            pivot = i;
          }
      if (!(largest > 0) || !isfinite (largest))
        return false;
      factor = 1 / room[pivot];
      if (pivot != k)
        {
          swap_rows (stride, a, pivot, k);
          room[pivot] = room[k];
          kept = order[k];
          order[k] = order[pivot];
          order[pivot] = kept;
        }
      room[k] = 0;
      for (size_t i = 0; i < m; i++)
        a[i * stride + k] = i == k;
      eliminate (m, stride, a, k, room, factor);
    }
  /* Rows that were exchanged are columns of the inverse, and rows of its transpose. */
  for (size_t k = 0; k < m; k++)
    {
      double *row = out + order[k] * stride;

      for (size_t i = 0; i < m; i++)
        row[i] = a[i * stride + k];
    }

  return true;
}

/* ---- sums of squares ---- */

static double
square_sum (size_t n, const double *x)
{
  const Vector *values = (const Vector *) x;
  Vector sum[4] = { { 0 } };
  size_t v = 0;

  for (; v + 4 <= n / LANES; v += 4)
    for (int k = 0; k < 4; k++)
      sum[k] = MULTIPLY_ADD (values[v + k], values[v + k], sum[k]);
  for (; v < n / LANES; v++)
    sum[v % 4] = MULTIPLY_ADD (values[v], values[v], sum[v % 4]);

  return add_lanes ((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

static double
average (size_t n, double scale, const double *other, double *x)
{
  const Vector *a = (const Vector *) other;
  const double half = scale / 2, rest = 0.5 / scale;
  Vector *to = (Vector *) x, sum[2] = { { 0 } };

  for (size_t v = 0; v < n / LANES; v++)
    {
      const Vector old = to[v] * half, added = a[v] * rest, moved = added - old;

      to[v] = old + added;
      sum[v % 2] = MULTIPLY_ADD (moved, moved, sum[v % 2]);
    }

  return add_lanes (sum[0] + sum[1]);
}

static double
reflect (size_t m, size_t stride, double *square)
{
  double sum;

  for (size_t i = 0; i < m; i++)
    square[i * stride + i] -= 1;
  sum = square_sum (m * stride, square);
  for (size_t v = 0; v < m * stride / LANES; v++)
    ((Vector *) square)[v] *= -0.5;
  for (size_t i = 0; i < m; i++)
    square[i * stride + i] += 1;

  return sum;
}
