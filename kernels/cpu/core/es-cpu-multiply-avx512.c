/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The product of a matrix with a panel for x86-64 with AVX-512: up to ten rows by 32 samples, whose 20 totals stay in
 * registers. Every total adds up in the order of the loops for AVX2, whose results these are to the bit.
 */

#include "es-cpu-loops-table-private.h"

#if defined (__AVX512F__)

#include <immintrin.h>

#define LANES 16
#define MOST_ROWS 10

#define ALWAYS_INLINE static inline __attribute__ ((always_inline))

/* The rows of one block: as even a share of all rows as can be. */
ALWAYS_INLINE size_t
block_rows (size_t rows,
            size_t row)
{
  const size_t blocks = (rows - row + MOST_ROWS - 1) / MOST_ROWS;

  return (rows - row + blocks - 1) / blocks;
}

void
esk_cpu_pack_avx512 (size_t       rows,
                     size_t       n,
                     const float *basis,
                     float       *packed)
{
  for (size_t row = 0, m; row < rows; row += m)
    {
      m = block_rows (rows, row);
      for (size_t b = 0; b < n; b++)
        for (size_t r = 0; r < m; r++)
          *packed++ = basis[(row + r) * n + b];
    }
}

/* m rows by one or two vectors of samples. */
ALWAYS_INLINE void
multiply_block (const size_t m,
                const bool   two,
                size_t       n,
                const float *packed,
                const float *constants,
                const float *panel,
                size_t       stride,
                float       *out,
                size_t       out_stride)
{
  __m512 sum[MOST_ROWS], other[MOST_ROWS];

#pragma GCC unroll 10
  for (size_t r = 0; r < m; r++)
    sum[r] = other[r] = _mm512_set1_ps (constants[r]);
  for (size_t b = 0; b < n; b++)
    {
      const __m512 x = _mm512_load_ps (panel + b * stride);
      const __m512 y = two ? _mm512_load_ps (panel + b * stride + LANES) : x;

#pragma GCC unroll 10
      for (size_t r = 0; r < m; r++)
        {
          const __m512 factor = _mm512_set1_ps (packed[b * m + r]);

          sum[r] = _mm512_fmadd_ps (factor, x, sum[r]);
          if (two)
            other[r] = _mm512_fmadd_ps (factor, y, other[r]);
        }
    }
#pragma GCC unroll 10
  for (size_t r = 0; r < m; r++)
    {
      _mm512_storeu_ps (out + r * out_stride, sum[r]);
      if (two)
        _mm512_storeu_ps (out + r * out_stride + LANES, other[r]);
    }
}

ALWAYS_INLINE void
multiply_samples (const bool   two,
                  size_t       rows,
                  size_t       n,
                  const float *packed,
                  const float *constants,
                  const float *panel,
                  size_t       stride,
                  float       *out,
                  size_t       out_stride)
{
  for (size_t row = 0, m; row < rows; row += m)
    {
      const float *factors = packed + row * n;
      float *target = out + row * out_stride;

      m = block_rows (rows, row);
      switch (m)
        {
#define CASE(m) \
        case m: multiply_block (m, two, n, factors, constants + row, panel, stride, target, out_stride); break;
        CASE (1) CASE (2) CASE (3) CASE (4) CASE (5) CASE (6) CASE (7) CASE (8) CASE (9) CASE (10)
#undef CASE
        default: break;
        }
    }
}

void
esk_cpu_multiply_avx512 (size_t       rows,
                         size_t       n,
                         const float *basis,
                         const float *packed,
                         const float *constants,
                         const float *panel,
                         size_t       stride,
                         size_t       count,
                         float       *out,
                         size_t       out_stride)
{
  size_t k = 0;

  (void) basis;

  for (; k + 2 * LANES <= count; k += 2 * LANES)
    multiply_samples (true, rows, n, packed, constants, panel + k, stride, out + k, out_stride);
  if (k < count)
    multiply_samples (false, rows, n, packed, constants, panel + k, stride, out + k, out_stride);
}

#endif
