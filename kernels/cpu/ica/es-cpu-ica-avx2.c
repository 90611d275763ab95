/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The loops of independent components for x86-64 with AVX2 and FMA (compiled for them, as es-cpu-avx2.c is). Products
 * are blocks of up to 3 x 3 rows whose totals stay in registers; nine rows of a stay in the first-level cache while all
 * of b pass by.
 */

#if defined (__AVX2__) && defined (__FMA__)

#include <immintrin.h>

#include "es-cpu-ica-loops-private.h"

#define BLOCK 3
#define RESIDENT 9

/* Of a total of n rows, how many the block from `row` on has: as even a share as can be. */
ALWAYS_INLINE size_t
share (size_t n,
       size_t row)
{
  size_t blocks = (n - row + BLOCK - 1) / BLOCK;

  return (n - row + blocks - 1) / blocks;
}

/* The sums over the lanes of up to three vectors. */
ALWAYS_INLINE __m256d
add_lanes_3 (__m256 x,
             __m256 y,
             __m256 z)
{
  __m128 a = _mm_add_ps (_mm256_castps256_ps128 (x), _mm256_extractf128_ps (x, 1));
  __m128 b = _mm_add_ps (_mm256_castps256_ps128 (y), _mm256_extractf128_ps (y, 1));
  __m128 c = _mm_add_ps (_mm256_castps256_ps128 (z), _mm256_extractf128_ps (z, 1));

  return _mm256_cvtps_pd (_mm_hadd_ps (_mm_hadd_ps (a, b), _mm_hadd_ps (c, c)));
}

ALWAYS_INLINE void
cross_block (const size_t  rows,
             const size_t  columns,
             const float  *a,
             const float  *b,
             size_t        stride,
             size_t        count,
             double       *product,
             size_t        product_stride)
{
  static const int64_t masks[6] = { -1, -1, -1, 0, 0, 0 };
  const __m256i wanted = _mm256_loadu_si256 ((const __m256i *) (masks + 3 - columns));
  __m256 sum[BLOCK * BLOCK];

  for (int e = 0; e < BLOCK * BLOCK; e++)
    sum[e] = _mm256_setzero_ps ();
  for (size_t k = 0; k < count; k += LANES)
    {
      __m256 x[BLOCK];

#pragma GCC unroll 3
      for (size_t r = 0; r < rows; r++)
        x[r] = _mm256_load_ps (a + r * stride + k);
#pragma GCC unroll 3
      for (size_t c = 0; c < columns; c++)
        {
          __m256 y = _mm256_load_ps (b + c * stride + k);

#pragma GCC unroll 3
          for (size_t r = 0; r < rows; r++)
            sum[BLOCK * r + c] = _mm256_fmadd_ps (x[r], y, sum[BLOCK * r + c]);
        }
    }
#pragma GCC unroll 3
  for (size_t r = 0; r < rows; r++)
    {
      double *target = product + r * product_stride;
      __m256d total = add_lanes_3 (sum[BLOCK * r], sum[BLOCK * r + 1], sum[BLOCK * r + 2]);

      _mm256_maskstore_pd (target, wanted, _mm256_add_pd (_mm256_maskload_pd (target, wanted), total));
    }
}

static void
cross (size_t       rows,
       const float *a,
       size_t       columns,
       const float *b,
       size_t       stride,
       size_t       count,
       double      *product,
       size_t       product_stride,
       float       *scratch)
{
  (void) scratch;

  for (size_t first = 0, group; first < rows; first += group)
    {
      group = rows - first < RESIDENT ? rows - first : RESIDENT;
      for (size_t column = 0, n; column < columns; column += n)
        {
          n = share (columns, column);
          for (size_t row = first, m; row < first + group; row += m)
            {
              const float *x = a + row * stride, *y = b + column * stride;
              double *target = product + row * product_stride + column;

              m = share (first + group, row);
              switch (m * BLOCK + n)
                {
#define CASE(m, n) \
                case (m) * BLOCK + (n): cross_block (m, n, x, y, stride, count, target, product_stride); break;
                CASE (1, 1) CASE (1, 2) CASE (1, 3) CASE (2, 1) CASE (2, 2) CASE (2, 3) CASE (3, 1) CASE (3, 2)
                CASE (3, 3)
#undef CASE
                default: break;
                }
            }
        }
    }
}

static const EskCpuIcaLoops loops = {
  .cross = cross,
  .contrast = contrast_in_place,
  .moments = add_moments,
  .multiply = multiply_rows,
};

const EskCpuIcaLoops * const esk_cpu_ica_loops_avx2 = &loops;

#else

#include "es-cpu-ica-private.h"

const EskCpuIcaLoops * const esk_cpu_ica_loops_avx2 = NULL;

#endif
