/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The contraction of fourth moments; included once for every processor, hence everything is static. Each number of the
 * table is read once for up to three vectors and takes part in two sums; rows of the table are taken two at a time, so
 * that twelve multiplications need eight loads and the multipliers are what limits.
 */

#include "es-cpu-fourth-private.h"

#include <string.h>

/* Registers of other processors hold two. */
#ifdef __AVX2__
#define LANES 4
#else
#define LANES 2
#endif

typedef double Vector __attribute__ ((vector_size (LANES * sizeof (double)), may_alias));

static inline double
add_lanes (Vector x)
{
#if LANES == 4
  return (x[0] + x[1]) + (x[2] + x[3]);
#else
  return x[0] + x[1];
#endif
}

/* Rows i and, where `both`, i + 1 of the table's block of j, each of n vectors, with `rows` vectors w. */
static inline __attribute__ ((always_inline)) void
contract_block (const int rows, const int both, size_t i, size_t j, size_t n, size_t stride, const double *table,
                const double *q, double *lower, double *upper)
{
  const size_t pair = i * (i + 1) / 2 + j, pair_after = (i + 1) * (i + 2) / 2 + j;
  const Vector *t0 = (const Vector *) table, *t1 = t0 + n;
  Vector sum0[ESK_FOURTH_ROWS], sum1[ESK_FOURTH_ROWS];
  Vector along0[ESK_FOURTH_ROWS], along1[ESK_FOURTH_ROWS];

  for (int r = 0; r < rows; r++)
    {
      sum0[r] = sum1[r] = (Vector) { 0 };
      along0[r] = (Vector) { 0 } + q[r * stride + pair];
      along1[r] = (Vector) { 0 } + (both ? q[r * stride + pair_after] : 0);
    }
  for (size_t p = 0; p < n; p++)
    {
      const Vector a = t0[p], b = both ? t1[p] : a;

#pragma GCC unroll 3
      for (int r = 0; r < rows; r++)
        {
          const Vector x = ((const Vector *) (q + r * stride))[p];
          Vector *out = (Vector *) (upper + r * stride) + p;
          Vector total = *out + a * along0[r];

          sum0[r] += a * x;
          if (both)
            {
              sum1[r] += b * x;
              total += b * along1[r];
            }
          *out = total;
        }
    }
  for (int r = 0; r < rows; r++)
    {
      lower[r * stride + pair] = add_lanes (sum0[r]);
      if (both)
        lower[r * stride + pair_after] = add_lanes (sum1[r]);
    }
}

static inline __attribute__ ((always_inline)) void
contract_rows (const int rows, size_t m, size_t stride, const double *table, const double *q, double *lower,
               double *upper)
{
  for (size_t j = 0; j < m; j++)
    {
      const size_t width = esk_fourth_stride (j), n = width / LANES;
      size_t i = j;

      for (; i + 1 < m; i += 2, table += 2 * width)
        contract_block (rows, 1, i, j, n, stride, table, q, lower, upper);
      for (; i < m; i++, table += width)
        contract_block (rows, 0, i, j, n, stride, table, q, lower, upper);
    }
}

static inline void
contract (size_t m, size_t rows, const double *table, const double *q, double *lower, double *upper)
{
  const size_t stride = esk_fourth_stride (m - 1);

  memset (lower, 0, rows * stride * sizeof (double));
  memset (upper, 0, rows * stride * sizeof (double));
  if (rows == 1)
    contract_rows (1, m, stride, table, q, lower, upper);
  else if (rows == 2)
    contract_rows (2, m, stride, table, q, lower, upper);
  else
    contract_rows (3, m, stride, table, q, lower, upper);
}
