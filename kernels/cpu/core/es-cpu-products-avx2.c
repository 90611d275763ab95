/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The matrix loops for x86-64 with AVX2 and FMA. They work on blocks of 3 x 3 bands whose nine totals stay in
 * registers: six loads then feed nine multiplications, and on the processors meant here (two 256-bit multipliers) the
 * multipliers are what limits. Blocks of nine rows are kept in the first-level cache while all rows of their group pass
 * by.
 */

#include "es-cpu-loops-table-private.h"
#include "es-cpu-products-internal.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

#if defined (__AVX2__) && defined (__FMA__)

#define LANES_I16 16
#define LANES_F32 8
#define LANES_F64 4
#define BLOCK 3
/* Rows of the panel that stay in the first-level cache, in blocks. */
#define RESIDENT 3
/* Where fewer steps than these fit an int32, halves of the samples are less work. */
#define SHORTEST_RUN 3
/* |rest| <= 2 * 512 * 63.5 * 255.5 + 255.5^2 a product: 128 of them, the most of a lane, stay below 2^31. */
#define LARGEST_SPLIT 1024

static const EskSplit split = { .lanes = 8, .shift = 9 };
/* Of the estimate: 2 * 9 - 2. */
#define SPLIT_SHIFT 16

#define ALWAYS_INLINE static inline __attribute__ ((always_inline))

ALWAYS_INLINE size_t
smaller (size_t a,
         size_t b)
{
  return a < b ? a : b;
}

/* Of three registers, the sums over their lanes, in the lower three lanes of one. */
ALWAYS_INLINE __m256i
add_lanes_i64 (__m256i x,
               __m256i y,
               __m256i z)
{
  __m256i xy = _mm256_add_epi64 (_mm256_unpacklo_epi64 (x, y), _mm256_unpackhi_epi64 (x, y));
  __m256i zz = _mm256_add_epi64 (z, _mm256_unpackhi_epi64 (z, z));

  return _mm256_add_epi64 (_mm256_permute2x128_si256 (xy, zz, 0x20), _mm256_permute2x128_si256 (xy, zz, 0x31));
}

ALWAYS_INLINE __m256d
add_lanes_f64 (__m256d x,
               __m256d y,
               __m256d z)
{
  __m256d xy = _mm256_add_pd (_mm256_unpacklo_pd (x, y), _mm256_unpackhi_pd (x, y));
  __m256d zz = _mm256_add_pd (z, _mm256_unpackhi_pd (z, z));

  return _mm256_add_pd (_mm256_permute2f128_pd (xy, zz, 0x20), _mm256_permute2f128_pd (xy, zz, 0x31));
}

/*
 * Row r of a block is wanted up to the diagonal and to the last row: the elements of it that are, as a mask of
 * 64-bit lanes.
 */
ALWAYS_INLINE __m256i
wanted_lanes (size_t n,
              size_t row,
              size_t column)
{
  static const int64_t masks[7] = { -1, -1, -1, 0, 0, 0, 0 };
  size_t wanted = row >= n || column > row ? 0 : smaller (3, row - column + 1);

  return _mm256_loadu_si256 ((const __m256i *) (masks + 3 - wanted));
}

/*
 * sum[3 r + c] += products of row r of a and row c of b, over n > 0 steps. In assembler, since GCC 12 forms all nine
 * products of a step before it adds the first, runs out of registers and keeps totals in memory. Each
 * sum follows its product two products later, which is what lets three vector units share the work evenly.
 */
ALWAYS_INLINE void
add_products_i16 (const int16_t *a,
                  const int16_t *b,
                  size_t         stride,
                  size_t         n,
                  __m256i        sum[9])
{
  __m256i x0, x1, x2, y;

#define LOAD(source, target) "vmovdqa " source ", %[" target "]\n\t"
#define MULTIPLY(x, product) "vpmaddwd %[" x "], %[y], %%" product "\n\t"
#define ADD(product, total) "vpaddd %%" product ", %[" total "], %[" total "]\n\t"

  __asm__ volatile (
    ".p2align 6\n"
    "1:\n\t"
    LOAD ("(%[a])", "x0")
    LOAD ("(%[a], %[stride])", "x1")
    LOAD ("(%[a], %[stride], 2)", "x2")
    LOAD ("(%[b])", "y")
    MULTIPLY ("x0", "ymm13")
    MULTIPLY ("x1", "ymm14")
    MULTIPLY ("x2", "ymm15") ADD ("ymm13", "s0")
    LOAD ("(%[b], %[stride])", "y")
    MULTIPLY ("x0", "ymm13") ADD ("ymm14", "s3")
    MULTIPLY ("x1", "ymm14") ADD ("ymm15", "s6")
    MULTIPLY ("x2", "ymm15") ADD ("ymm13", "s1")
    LOAD ("(%[b], %[stride], 2)", "y")
    MULTIPLY ("x0", "ymm13") ADD ("ymm14", "s4")
    MULTIPLY ("x1", "ymm14") ADD ("ymm15", "s7")
    MULTIPLY ("x2", "ymm15") ADD ("ymm13", "s2")
    ADD ("ymm14", "s5")
    ADD ("ymm15", "s8")
    "add $32, %[a]\n\t"
    "add $32, %[b]\n\t"
    "dec %[n]\n\t"
    "jnz 1b"
    : [s0] "+x" (sum[0]), [s1] "+x" (sum[1]), [s2] "+x" (sum[2]), [s3] "+x" (sum[3]), [s4] "+x" (sum[4]),
      [s5] "+x" (sum[5]), [s6] "+x" (sum[6]), [s7] "+x" (sum[7]), [s8] "+x" (sum[8]),
      [x0] "=&x" (x0), [x1] "=&x" (x1), [x2] "=&x" (x2), [y] "=&x" (y), [n] "+r" (n), [a] "+r" (a), [b] "+r" (b)
    : [stride] "r" (stride * sizeof *a)
    : "xmm13", "xmm14", "xmm15", "cc", "memory");

#undef ADD
#undef MULTIPLY
#undef LOAD
}

/* The even and the odd lanes as unsigned numbers, added. */
ALWAYS_INLINE __m256i
widen (__m256i sum)
{
  return _mm256_add_epi64 (_mm256_blend_epi32 (sum, _mm256_setzero_si256 (), 0xaa), _mm256_srli_epi64 (sum, 32));
}

/*
 * Each int32 lane holds a run of sums of two products. It starts at 2^31 - 1, so that it may be taken for an unsigned
 * number whatever its sign: |run| <= 2^31 - 1 by the caller's choice of its length, or a single step, whose extremes
 * are 2 * -32768 * -32768 = 2^31 and 2 * -32768 * 32767. Both fit. So the even and the odd lanes are added to 64-bit
 * totals without being converted. Rows of the result are the lower three lanes.
 */
ALWAYS_INLINE void
block_i16 (const int16_t *a,
           const int16_t *b,
           size_t         stride,
           size_t         steps,
           size_t         run,
           __m256i        out[3])
{
  const __m256i start = _mm256_set1_epi32 (INT32_MAX);
  __m256i sum[9], total[9], excess;
  size_t runs = 1, step = smaller (run, steps);

  for (int e = 0; e < 9; e++)
    sum[e] = start;
  add_products_i16 (a, b, stride, step, sum);
  for (int e = 0; e < 9; e++)
    total[e] = widen (sum[e]);

  for (size_t length; step < steps; step += length, runs++)
    {
      length = smaller (run, steps - step);
      for (int e = 0; e < 9; e++)
        sum[e] = start;
      add_products_i16 (a + step * LANES_I16, b + step * LANES_I16, stride, length, sum);
      for (int e = 0; e < 9; e++)
        total[e] = _mm256_add_epi64 (total[e], widen (sum[e]));
    }

  excess = _mm256_set1_epi64x ((int64_t) ((uint64_t) INT32_MAX * 8 * runs));
  for (int r = 0; r < 3; r++)
    out[r] = _mm256_sub_epi64 (add_lanes_i64 (total[3 * r], total[3 * r + 1], total[3 * r + 2]), excess);
}

/*
 * sum[3 r + c] = the products of row r of a and row c of b over n pairs of vectors, in lanes of four bytes. Of 7 bits
 * each, four products fit an int16.
 */
ALWAYS_INLINE void
multiply_bytes (const uint8_t *a,
                const int8_t  *b,
                size_t         row_bytes,
                size_t         n,
                __m256i        sum[9])
{
  const __m256i ones = _mm256_set1_epi16 (1);

  for (int e = 0; e < 9; e++)
    sum[e] = _mm256_setzero_si256 ();
  for (size_t pair = 0; pair < n; pair++)
    {
      const __m256i *y0 = (const __m256i *) b, *y1 = (const __m256i *) (b + row_bytes);
      const __m256i *y2 = (const __m256i *) (b + 2 * row_bytes);

#pragma GCC unroll 3
      for (size_t r = 0; r < 3; r++)
        {
          const __m256i *x = (const __m256i *) (a + r * row_bytes);
          __m256i first = x[0], second = x[1];
          __m256i c0 = _mm256_add_epi16 (_mm256_maddubs_epi16 (first, y0[0]), _mm256_maddubs_epi16 (second, y0[1]));
          __m256i c1 = _mm256_add_epi16 (_mm256_maddubs_epi16 (first, y1[0]), _mm256_maddubs_epi16 (second, y1[1]));
          __m256i c2 = _mm256_add_epi16 (_mm256_maddubs_epi16 (first, y2[0]), _mm256_maddubs_epi16 (second, y2[1]));

          sum[3 * r] = _mm256_add_epi32 (sum[3 * r], _mm256_madd_epi16 (c0, ones));
          sum[3 * r + 1] = _mm256_add_epi32 (sum[3 * r + 1], _mm256_madd_epi16 (c1, ones));
          sum[3 * r + 2] = _mm256_add_epi32 (sum[3 * r + 2], _mm256_madd_epi16 (c2, ones));
        }
      a += 2 * sizeof (__m256i);
      b += 2 * sizeof (__m256i);
    }
}

/* Of rows from i on and from j on, by their halves; steps: at most LARGEST_SPLIT / LANES_I16. */
ALWAYS_INLINE void
block_halves (const int16_t *a,
              const int16_t *b,
              size_t         stride,
              size_t         steps,
              void          *halves,
              size_t         halves_stride,
              size_t         i,
              size_t         j,
              __m256i        out[3])
{
  const __m256i scale = _mm256_set1_epi64x (1 << SPLIT_SHIFT), excess = _mm256_set1_epi64x ((int64_t) 1 << 34);
  __m256i low[9], high[9], total[9];

  /* From 2^31 on, so that the rest may be taken for an unsigned number. */
  for (int e = 0; e < 9; e++)
    low[e] = _mm256_set1_epi32 (INT32_MIN);
  add_products_i16 (a, b, stride, steps, low);
  multiply_bytes (esk_halves_at (halves, halves_stride, i).x, esk_halves_at (halves, halves_stride, j).y,
                  esk_halves_step (halves_stride), steps / 4, high);
  for (size_t r = 0; r < 3; r++)
    {
      __m256i x_term = _mm256_load_si256 ((const __m256i *) esk_halves_at (halves, halves_stride, i + r).x_term);

      for (size_t c = 0; c < 3; c++)
        {
          size_t e = 3 * r + c;
          __m256i y_term = _mm256_load_si256 ((const __m256i *) esk_halves_at (halves, halves_stride, j + c).y_term);
          __m256i estimate = _mm256_add_epi32 (_mm256_slli_epi32 (high[e], 2), _mm256_add_epi32 (x_term, y_term));
          __m256i rest = _mm256_sub_epi32 (low[e], _mm256_slli_epi32 (estimate, SPLIT_SHIFT));

          /* Of two lanes; the product looks at the even ones alone. */
          estimate = _mm256_add_epi32 (estimate, _mm256_srli_epi64 (estimate, 32));
          total[e] = _mm256_add_epi64 (widen (rest), _mm256_mul_epi32 (estimate, scale));
        }
    }
  for (int r = 0; r < 3; r++)
    out[r] = _mm256_sub_epi64 (add_lanes_i64 (total[3 * r], total[3 * r + 1], total[3 * r + 2]), excess);
}

/* The largest of a block's magnitudes, not below 1. */
static uint32_t
block_magnitude (const int32_t *magnitude,
                 size_t         n,
                 size_t         row)
{
  uint32_t largest = 1;

  for (size_t i = row; i < n && i < row + BLOCK; i++)
    if ((uint32_t) magnitude[i] > largest)
      largest = (uint32_t) magnitude[i];

  return largest;
}

ALWAYS_INLINE void
add_block_i64 (const EskPlace *place,
               size_t          n,
               size_t          i,
               size_t          j,
               const __m256i   sums[3])
{
  for (size_t r = 0; r < BLOCK; r++)
    {
      __m256i wanted = wanted_lanes (n, i + r, j);
      long long *target = (long long *) place->base + (i + r - place->row) * place->stride + (j - place->column);

      _mm256_maskstore_epi64 (target, wanted, _mm256_add_epi64 (_mm256_maskload_epi64 (target, wanted), sums[r]));
    }
}

ESK_DEFINE_REGION_DONE (region_done_i64, int64_t)

/* All pairs of a region; by their halves where there are any. */
static void
region_i16 (const EskRegion *region,
            size_t           n,
            const int16_t   *panel,
            size_t           stride,
            size_t           steps,
            const int32_t   *magnitude,
            void            *halves,
            size_t           halves_stride,
            const EskPlace  *place)
{
  uint32_t in_j[RESIDENT];

  for (size_t first = region->j; first < region->j_end; first += RESIDENT * BLOCK)
    {
      for (size_t block = 0; block < RESIDENT; block++)
        in_j[block] = block_magnitude (magnitude, n, first + block * BLOCK);

      for (size_t i = first > region->i ? first : region->i; i < region->i_end; i += BLOCK)
        {
          uint32_t in_i = block_magnitude (magnitude, n, i);

          for (size_t block = 0; block < RESIDENT; block++)
            {
              size_t j = first + block * BLOCK, run;
              __m256i sums[3];

              if (j > i || j >= region->j_end)
                break;
              run = (uint32_t) INT32_MAX / 2 / (in_i * in_j[block]);
              if (halves != NULL && run < SHORTEST_RUN)
                block_halves (panel + i * stride, panel + j * stride, stride, steps, halves, halves_stride, i, j, sums);
              else
                block_i16 (panel + i * stride, panel + j * stride, stride, steps, run > 0 ? run : 1, sums);
              add_block_i64 (place, n, i, j, sums);
            }
        }
    }
}

static void
products_i16 (size_t         n,
              const int16_t *panel,
              size_t         stride,
              size_t         count,
              const int32_t *magnitude,
              int64_t       *product,
              void          *scratch)
{
  uint32_t largest = 1;
  bool by_halves;
  size_t part, halves_stride, group;
  EskSquare square;

  for (size_t b = 0; b < n; b++)
    largest = (uint32_t) magnitude[b] > largest ? (uint32_t) magnitude[b] : largest;
  by_halves = (uint32_t) INT32_MAX / 2 / (largest * largest) < SHORTEST_RUN;
  part = by_halves ? smaller (count, LARGEST_SPLIT) : count;
  halves_stride = esk_halves_stride (part);
  group = esk_group_size (n, part * sizeof *panel + (by_halves ? part : 0));

  for (size_t k = 0, length; k < count; k += length)
    {
      EskRegion region = { 0 };

      length = smaller (part, count - k);
      if (by_halves)
        for (size_t b = 0; b < esk_round_up (n, BLOCK); b++)
          {
            EskHalves halves = esk_halves_at (scratch, halves_stride, b);

            esk_halves_make (split, panel + b * stride + k, length, &halves);
          }
      while (esk_region_next (&region, n, group))
        {
          const EskPlace place = esk_region_place (&region, n, group, product, &square);

          region_i16 (&region, n, panel + k, stride, length / LANES_I16, magnitude, by_halves ? scratch : NULL,
                      halves_stride, &place);
          region_done_i64 (&region, n, &place, product);
        }
    }
}

ALWAYS_INLINE void
add_block_f64 (const EskPlace *place,
               size_t          n,
               size_t          i,
               size_t          j,
               const __m256d   sums[3])
{
  for (size_t r = 0; r < BLOCK; r++)
    {
      __m256i wanted = wanted_lanes (n, i + r, j);
      double *target = (double *) place->base + (i + r - place->row) * place->stride + (j - place->column);

      _mm256_maskstore_pd (target, wanted, _mm256_add_pd (_mm256_maskload_pd (target, wanted), sums[r]));
    }
}

/* A lane adds up count / 8 <= ESK_FLOAT_RUN products in float32, the lanes are added in float64. */
ALWAYS_INLINE void
block_f32 (const float *a,
           const float *b,
           size_t       stride,
           size_t       steps,
           __m256d      out[3])
{
  __m256 sum[9];
  __m256d total[9];

  for (int e = 0; e < 9; e++)
    sum[e] = _mm256_setzero_ps ();
  for (size_t step = 0; step < steps; step++)
    {
      __m256 x[3], y;

      for (int r = 0; r < 3; r++)
        x[r] = _mm256_load_ps (a + r * stride + step * LANES_F32);
#pragma GCC unroll 3
      for (int c = 0; c < 3; c++)
        {
          y = _mm256_load_ps (b + c * stride + step * LANES_F32);
#pragma GCC unroll 3
          for (int r = 0; r < 3; r++)
            sum[3 * r + c] = _mm256_fmadd_ps (x[r], y, sum[3 * r + c]);
        }
    }
  for (int e = 0; e < 9; e++)
    total[e] = _mm256_add_pd (_mm256_cvtps_pd (_mm256_castps256_ps128 (sum[e])),
                              _mm256_cvtps_pd (_mm256_extractf128_ps (sum[e], 1)));
  for (int r = 0; r < 3; r++)
    out[r] = add_lanes_f64 (total[3 * r], total[3 * r + 1], total[3 * r + 2]);
}

ALWAYS_INLINE void
block_f64 (const double *a,
           const double *b,
           size_t        stride,
           size_t        steps,
           __m256d       out[3])
{
  __m256d sum[9];

  for (int e = 0; e < 9; e++)
    sum[e] = _mm256_setzero_pd ();
  for (size_t step = 0; step < steps; step++)
    {
      __m256d x[3], y;

      for (int r = 0; r < 3; r++)
        x[r] = _mm256_load_pd (a + r * stride + step * LANES_F64);
#pragma GCC unroll 3
      for (int c = 0; c < 3; c++)
        {
          y = _mm256_load_pd (b + c * stride + step * LANES_F64);
#pragma GCC unroll 3
          for (int r = 0; r < 3; r++)
            sum[3 * r + c] = _mm256_fmadd_pd (x[r], y, sum[3 * r + c]);
        }
    }
  for (int r = 0; r < 3; r++)
    out[r] = add_lanes_f64 (sum[3 * r], sum[3 * r + 1], sum[3 * r + 2]);
}

ESK_DEFINE_REGION_DONE (region_done_f64, double)

#define DEFINE_PRODUCTS(suffix, type, lanes)                                                  \
  static void                                                                                 \
  products_##suffix (size_t n, const type *panel, size_t stride, size_t count,                \
                     double *product, type *scratch)                                          \
  {                                                                                           \
    const size_t steps = count / lanes, resident = RESIDENT * BLOCK;                          \
    const size_t group = esk_group_size (n, stride * sizeof (type));                          \
    EskRegion region = { 0 };                                                                 \
    EskSquare square;                                                                         \
                                                                                              \
    (void) scratch;                                                                           \
    while (esk_region_next (&region, n, group))                                               \
      {                                                                                       \
        const EskPlace place = esk_region_place (&region, n, group, product, &square);        \
                                                                                              \
        for (size_t first = region.j; first < region.j_end; first += resident)                \
          for (size_t i = first > region.i ? first : region.i; i < region.i_end; i += BLOCK)  \
            for (size_t j = first; j <= i && j < region.j_end && j < first + resident;        \
                 j += BLOCK)                                                                  \
              {                                                                               \
                __m256d sums[3];                                                              \
                                                                                              \
                block_##suffix (panel + i * stride, panel + j * stride, stride, steps, sums); \
                add_block_f64 (&place, n, i, j, sums);                                        \
              }                                                                               \
        region_done_f64 (&region, n, &place, product);                                        \
      }                                                                                       \
  }
DEFINE_PRODUCTS (f32, float, LANES_F32)
DEFINE_PRODUCTS (f64, double, LANES_F64)

const EskCpuProducts esk_cpu_products_avx2 = { products_i16, products_f32, products_f64 };

#else

const EskCpuProducts esk_cpu_products_avx2 = { NULL };

#endif
