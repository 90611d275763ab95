/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The inner loops for x86-64 with AVX2 and FMA (such files alone are compiled for them); the products of all pairs of
 * bands are in es-cpu-products-avx2.c.
 */

#include "es-cpu-loops-private.h"
#include "es-cpu-loops-table-private.h"

#if defined (__AVX2__) && defined (__FMA__)

#define LANES_F32 8
/* Rows and samples of one block of the product. */
#define MULTIPLY_ROWS 6
#define MULTIPLY_SAMPLES 16

#define ALWAYS_INLINE static inline __attribute__ ((always_inline))

/* The rows of one block of the product: as even a share of all rows as can be. */
ALWAYS_INLINE size_t
block_rows (size_t rows,
            size_t row)
{
  size_t blocks = (rows - row + MULTIPLY_ROWS - 1) / MULTIPLY_ROWS;

  return (rows - row + blocks - 1) / blocks;
}

void
esk_cpu_pack_avx2 (size_t       rows,
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

ALWAYS_INLINE void
multiply_block (const size_t m,
                size_t       n,
                const float *packed,
                const float *constants,
                const float *panel,
                size_t       stride,
                float       *out,
                size_t       out_stride)
{
  __m256 sum[MULTIPLY_ROWS][2];

  for (size_t r = 0; r < m; r++)
    sum[r][0] = sum[r][1] = _mm256_set1_ps (constants[r]);
  for (size_t b = 0; b < n; b++)
    {
      __m256 x = _mm256_load_ps (panel + b * stride), y = _mm256_load_ps (panel + b * stride + LANES_F32);

#pragma GCC unroll 6
      for (size_t r = 0; r < m; r++)
        {
          __m256 factor = _mm256_broadcast_ss (packed + b * m + r);

          sum[r][0] = _mm256_fmadd_ps (factor, x, sum[r][0]);
          sum[r][1] = _mm256_fmadd_ps (factor, y, sum[r][1]);
        }
    }
  for (size_t r = 0; r < m; r++)
    {
      _mm256_storeu_ps (out + r * out_stride, sum[r][0]);
      _mm256_storeu_ps (out + r * out_stride + LANES_F32, sum[r][1]);
    }
}

void
esk_cpu_multiply_avx2 (size_t       rows,
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
  (void) basis;

  for (size_t k = 0; k < count; k += MULTIPLY_SAMPLES)
    for (size_t row = 0, m; row < rows; row += m)
      {
        const float *factors = packed + row * n;
        float *target = out + row * out_stride + k;

        m = block_rows (rows, row);
        switch (m)
          {
#define CASE(m) \
          case m: multiply_block (m, n, factors, constants + row, panel + k, stride, target, out_stride); break;
          CASE (1) CASE (2) CASE (3) CASE (4) CASE (5) CASE (6)
#undef CASE
          default: break;
          }
      }
}

static const EskCpuLoops loops = {
  .name = "avx2",
  ESK_COMMON_LOOPS,
  .products = &esk_cpu_products_avx2,
  .pack = esk_cpu_pack_avx2,
  .multiply = esk_cpu_multiply_avx2,
};

const EskCpuLoops * const esk_cpu_loops_avx2 = &loops;

#else

const EskCpuLoops * const esk_cpu_loops_avx2 = NULL;

#endif
