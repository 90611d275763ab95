/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The matrix loops for x86-64 with AVX-512 and its instructions for products of small integers (VNNI), which add as
 * they multiply. Blocks of 5 x 5 bands: 25 totals and six operands stay in the 32 registers, and ten loads feed 25
 * multiplications. All other loops are those for AVX2, compiled once more.
 */

#include "es-cpu-loops-private.h"
#include "es-cpu-loops-table-private.h"
#include "es-cpu-products-internal.h"

#if defined (__AVX512F__) && defined (__AVX512DQ__)

#define BLOCK 5
#define TOTALS (BLOCK * BLOCK)
/* Room for totals, in vectors: a multiple of eight. */
#define ROOM 32
/* Rows of a panel that stay in the first-level cache, in blocks. */
#define RESIDENT 2
#define VECTOR_BYTES 64
/* Where fewer steps than these fit an int32, halves of the samples are less work. */
#define SHORTEST_RUN 6
/* |rest| < 2^23 a product, 128 products a lane. */
#define LARGEST_SPLIT 2048

static const EskSplit split = { .lanes = 16, .shift = 8 };
/* Of the estimate: 2 * 8 - 2. */
#define SPLIT_SHIFT 14

#define ALWAYS_INLINE static inline __attribute__ ((always_inline))

#define ZERO(e) "vpxord %%zmm" #e ", %%zmm" #e ", %%zmm" #e "\n\t"
#define STORE(e) "vmovdqu64 %%zmm" #e ", 64*" #e "(%[out])\n\t"
#define EACH_TOTAL(DO) DO (0) DO (1) DO (2) DO (3) DO (4) DO (5) DO (6) DO (7) DO (8) DO (9) DO (10) DO (11) DO (12) \
                       DO (13) DO (14) DO (15) DO (16) DO (17) DO (18) DO (19) DO (20) DO (21) DO (22) DO (23) DO (24)
#define LOAD(source, target) "vmovdqu64 " source ", %%zmm" #target "\n\t"
/* Column c of the block: e to e + 20 are its totals, of rows 0 to 4. */
#define COLUMN(op, y, e0, e1, e2, e3, e4)                                                                             \
  op " %%zmm" #y ", %%zmm25, %%zmm" #e0 "\n\t" op " %%zmm" #y ", %%zmm26, %%zmm" #e1 "\n\t"                           \
  op " %%zmm" #y ", %%zmm27, %%zmm" #e2 "\n\t" op " %%zmm" #y ", %%zmm28, %%zmm" #e3 "\n\t"                           \
  op " %%zmm" #y ", %%zmm29, %%zmm" #e4 "\n\t"

/*
 * out[5 r + c] = the sums over n > 0 vectors of row r of a times row c of b, lane by lane. In assembler, since GCC 12
 * keeps totals in memory.
 */
#define DEFINE_BLOCK(name, op)                                                                                        \
  static void                                                                                                         \
  block_##name (const void *a, const void *b, size_t stride_bytes, size_t n, __m512i out[ROOM])                       \
  {                                                                                                                   \
    const char *a0 = a, *a3 = a0 + 3 * stride_bytes, *b0 = b, *b3 = b0 + 3 * stride_bytes;                            \
                                                                                                                      \
    __asm__ volatile (                                                                                                \
      EACH_TOTAL (ZERO)                                                                                               \
      ".p2align 6\n"                                                                                                  \
      "1:\n\t"                                                                                                        \
      LOAD ("(%[a0])", 25) LOAD ("(%[a0], %[stride])", 26) LOAD ("(%[a0], %[stride], 2)", 27)                         \
      LOAD ("(%[a3])", 28) LOAD ("(%[a3], %[stride])", 29)                                                            \
      LOAD ("(%[b0])", 30) LOAD ("(%[b0], %[stride])", 31)                                                            \
      COLUMN (op, 30, 0, 5, 10, 15, 20)                                                                               \
      LOAD ("(%[b0], %[stride], 2)", 30)                                                                              \
      COLUMN (op, 31, 1, 6, 11, 16, 21)                                                                               \
      LOAD ("(%[b3])", 31)                                                                                            \
      COLUMN (op, 30, 2, 7, 12, 17, 22)                                                                               \
      LOAD ("(%[b3], %[stride])", 30)                                                                                 \
      COLUMN (op, 31, 3, 8, 13, 18, 23)                                                                               \
      COLUMN (op, 30, 4, 9, 14, 19, 24)                                                                               \
      "add $64, %[a0]\n\t"                                                                                            \
      "add $64, %[a3]\n\t"                                                                                            \
      "add $64, %[b0]\n\t"                                                                                            \
      "add $64, %[b3]\n\t"                                                                                            \
      "dec %[n]\n\t"                                                                                                  \
      "jnz 1b\n\t"                                                                                                    \
      EACH_TOTAL (STORE)                                                                                              \
      : [a0] "+r" (a0), [a3] "+r" (a3), [b0] "+r" (b0), [b3] "+r" (b3), [n] "+r" (n)                                  \
      : [stride] "r" (stride_bytes), [out] "r" (out)                                                                  \
      : "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",      \
        "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22",   \
        "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31");                             \
  }
DEFINE_BLOCK (i16, "vpdpwssd")
DEFINE_BLOCK (u8_i8, "vpdpbusd")
DEFINE_BLOCK (f32, "vfmadd231ps")
DEFINE_BLOCK (f64, "vfmadd231pd")

/* ---- the lanes of totals, added ---- */

/* Of eight vectors, the sums over their lanes. */
#define DEFINE_ADD_LANES(name, vector, add, unpack_low, unpack_high, shuffle)                                         \
  ALWAYS_INLINE vector                                                                                                \
  add_lanes_##name (const vector v[8])                                                                                \
  {                                                                                                                   \
    vector p[4], q[2];                                                                                                \
                                                                                                                      \
    for (int k = 0; k < 4; k++)                                                                                       \
      p[k] = add (unpack_low (v[2 * k], v[2 * k + 1]), unpack_high (v[2 * k], v[2 * k + 1]));                         \
    for (int k = 0; k < 2; k++)                                                                                       \
      q[k] = add (shuffle (p[2 * k], p[2 * k + 1], 0x88), shuffle (p[2 * k], p[2 * k + 1], 0xdd));                    \
    return add (shuffle (q[0], q[1], 0x88), shuffle (q[0], q[1], 0xdd));                                              \
  }
DEFINE_ADD_LANES (i64, __m512i, _mm512_add_epi64, _mm512_unpacklo_epi64, _mm512_unpackhi_epi64, _mm512_shuffle_i64x2)
DEFINE_ADD_LANES (f64, __m512d, _mm512_add_pd, _mm512_unpacklo_pd, _mm512_unpackhi_pd, _mm512_shuffle_f64x2)

/* The even and the odd lanes of int32, added. */
ALWAYS_INLINE __m512i
widen_i32 (__m512i x)
{
  return _mm512_add_epi64 (_mm512_srai_epi64 (_mm512_slli_epi64 (x, 32), 32), _mm512_srai_epi64 (x, 32));
}

ALWAYS_INLINE __m512d
widen_f32 (__m512i x)
{
  return _mm512_add_pd (_mm512_cvtps_pd (_mm256_castsi256_ps (_mm512_castsi512_si256 (x))),
                        _mm512_cvtps_pd (_mm256_castsi256_ps (_mm512_extracti64x4_epi64 (x, 1))));
}

/* Of row r of a block, the elements up to the diagonal and to the last row. */
ALWAYS_INLINE __mmask8
wanted (size_t n,
        size_t row,
        size_t column)
{
  size_t columns = row >= n || column > row ? 0 : row - column + 1;

  return (__mmask8) ((1u << (columns < BLOCK ? columns : BLOCK)) - 1);
}

ALWAYS_INLINE void
add_block_i64 (const EskPlace *place,
               size_t          n,
               size_t          i,
               size_t          j,
               const int64_t   sums[ROOM])
{
  for (size_t r = 0; r < BLOCK; r++)
    {
      __mmask8 mask = wanted (n, i + r, j);
      int64_t *target = (int64_t *) place->base + (i + r - place->row) * place->stride + (j - place->column);

      _mm512_mask_storeu_epi64 (target, mask,
                                _mm512_add_epi64 (_mm512_maskz_loadu_epi64 (mask, target),
                                                  _mm512_maskz_loadu_epi64 (mask, sums + BLOCK * r)));
    }
}

ALWAYS_INLINE void
add_block_f64 (const EskPlace *place,
               size_t          n,
               size_t          i,
               size_t          j,
               const double    sums[ROOM])
{
  for (size_t r = 0; r < BLOCK; r++)
    {
      __mmask8 mask = wanted (n, i + r, j);
      double *target = (double *) place->base + (i + r - place->row) * place->stride + (j - place->column);

      _mm512_mask_storeu_pd (target, mask, _mm512_add_pd (_mm512_maskz_loadu_pd (mask, target),
                                                          _mm512_maskz_loadu_pd (mask, sums + BLOCK * r)));
    }
}

ESK_DEFINE_REGION_DONE (region_done_i64, int64_t)
ESK_DEFINE_REGION_DONE (region_done_f64, double)

/* ---- integers ---- */

static void
block_by_runs (const int16_t *a,
               const int16_t *b,
               size_t         stride,
               size_t         steps,
               size_t         run,
               int64_t        sums[ROOM])
{
  __m512i out[ROOM] __attribute__ ((aligned (64))), total[ROOM];

  memset (out + TOTALS, 0, (ROOM - TOTALS) * sizeof *out);
  for (size_t step = 0, length; step < steps; step += length)
    {
      length = steps - step < run ? steps - step : run;
      block_i16 ((const char *) a + step * VECTOR_BYTES, (const char *) b + step * VECTOR_BYTES, stride * sizeof *a,
                 length, out);
      for (size_t e = 0; e < ROOM; e++)
        total[e] = step == 0 ? widen_i32 (out[e]) : _mm512_add_epi64 (total[e], widen_i32 (out[e]));
    }
  for (size_t e = 0; e < ROOM; e += 8)
    _mm512_storeu_si512 (sums + e, add_lanes_i64 (total + e));
}

static void
block_by_halves (const int16_t *a,
                 const int16_t *b,
                 size_t         stride,
                 size_t         steps,
                 void          *halves,
                 size_t         halves_stride,
                 size_t         i,
                 size_t         j,
                 int64_t        sums[ROOM])
{
  __m512i low[ROOM] __attribute__ ((aligned (64))), high[ROOM] __attribute__ ((aligned (64)));
  __m512i x_term[BLOCK], y_term[BLOCK];

  block_i16 (a, b, stride * sizeof *a, steps, low);
  block_u8_i8 (esk_halves_at (halves, halves_stride, i).x, esk_halves_at (halves, halves_stride, j).y,
               esk_halves_step (halves_stride), steps / 2, high);
  memset (low + TOTALS, 0, (ROOM - TOTALS) * sizeof *low);
  for (size_t r = 0; r < BLOCK; r++)
    {
      x_term[r] = _mm512_loadu_si512 (esk_halves_at (halves, halves_stride, i + r).x_term);
      y_term[r] = _mm512_loadu_si512 (esk_halves_at (halves, halves_stride, j + r).y_term);
    }
  for (size_t r = 0; r < BLOCK; r++)
    for (size_t c = 0; c < BLOCK; c++)
      {
        size_t e = BLOCK * r + c;
        __m512i estimate = _mm512_add_epi32 (_mm512_slli_epi32 (high[e], 2), _mm512_add_epi32 (x_term[r], y_term[c]));
        __m512i rest = _mm512_sub_epi32 (low[e], _mm512_slli_epi32 (estimate, SPLIT_SHIFT));

        low[e] = _mm512_add_epi64 (widen_i32 (rest), _mm512_slli_epi64 (widen_i32 (estimate), SPLIT_SHIFT));
      }
  for (size_t e = 0; e < ROOM; e += 8)
    _mm512_storeu_si512 (sums + e, add_lanes_i64 (low + e));
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
  const size_t halves_stride = esk_halves_stride (count), steps = count / 32;
  uint32_t largest = 1;
  bool by_halves;
  size_t run, group;
  EskRegion region = { 0 };
  EskSquare square;

  if (steps == 0)
    return;
  for (size_t b = 0; b < n; b++)
    largest = (uint32_t) magnitude[b] > largest ? (uint32_t) magnitude[b] : largest;
  run = (uint32_t) INT32_MAX / 2 / (largest * largest);
  by_halves = run < SHORTEST_RUN && run < steps && count <= LARGEST_SPLIT;
  if (by_halves)
    for (size_t b = 0; b < esk_round_up (n, BLOCK); b++)
      {
        EskHalves halves = esk_halves_at (scratch, halves_stride, b);

        esk_halves_make (split, panel + b * stride, count, &halves);
      }
  group = esk_group_size (n, by_halves ? stride * sizeof *panel + halves_stride : stride * sizeof *panel);

  while (esk_region_next (&region, n, group))
    {
      const EskPlace place = esk_region_place (&region, n, group, product, &square);

      for (size_t first = region.j; first < region.j_end; first += RESIDENT * BLOCK)
        for (size_t i = first > region.i ? first : region.i; i < region.i_end; i += BLOCK)
          for (size_t j = first; j <= i && j < region.j_end && j < first + RESIDENT * BLOCK; j += BLOCK)
            {
              int64_t sums[ROOM] __attribute__ ((aligned (64)));

              if (by_halves)
                block_by_halves (panel + i * stride, panel + j * stride, stride, steps, scratch, halves_stride, i, j,
                                 sums);
              else
                block_by_runs (panel + i * stride, panel + j * stride, stride, steps, run, sums);
              add_block_i64 (&place, n, i, j, sums);
            }
      region_done_i64 (&region, n, &place, product);
    }
}

/* 64 products of bytes a step: a lane is below 2^23 at the end of the longest rows. */
static void
products_bytes (size_t         n,
                const void    *panel,
                size_t         step,
                size_t         flipped,
                size_t         count,
                const int64_t *sum,
                int64_t        row_factor,
                int64_t        column_factor,
                int64_t       *product)
{
  const size_t group = esk_group_size (n, step);
  const char *rows = panel;
  EskRegion region = { 0 };
  EskSquare square;
  __m512i out[ROOM] __attribute__ ((aligned (64))), total[ROOM];

  if (count == 0)
    return;
  memset (out + TOTALS, 0, (ROOM - TOTALS) * sizeof *out);
  while (esk_region_next (&region, n, group))
    {
      const EskPlace place = esk_region_place (&region, n, group, product, &square);

      for (size_t first = region.j; first < region.j_end; first += RESIDENT * BLOCK)
        for (size_t i = first > region.i ? first : region.i; i < region.i_end; i += BLOCK)
          for (size_t j = first; j <= i && j < region.j_end && j < first + RESIDENT * BLOCK; j += BLOCK)
            {
              int64_t sums[ROOM] __attribute__ ((aligned (64)));

              block_u8_i8 (rows + i * step, rows + j * step + flipped, step, count / VECTOR_BYTES, out);
              for (size_t e = 0; e < ROOM; e++)
                total[e] = widen_i32 (out[e]);
              for (size_t e = 0; e < ROOM; e += 8)
                _mm512_storeu_si512 (sums + e, add_lanes_i64 (total + e));
              add_block_i64 (&place, n, i, j, sums);
            }
      region_done_i64 (&region, n, &place, product);
    }
  for (size_t i = 0; i < n; i++)
    {
      const int64_t term = row_factor * sum[i];

      for (size_t j = 0; j <= i; j++)
        product[i * n + j] += term + column_factor * sum[j];
    }
}

/* ---- floats ---- */

/* A lane adds up count / 16 <= ESK_FLOAT_RUN products in float32, the lanes are added in float64. */
ALWAYS_INLINE void
sums_f32 (const __m512i out[ROOM],
          double        sums[ROOM])
{
  __m512d total[ROOM];

  for (size_t e = 0; e < ROOM; e++)
    total[e] = widen_f32 (out[e]);
  for (size_t e = 0; e < ROOM; e += 8)
    _mm512_storeu_pd (sums + e, add_lanes_f64 (total + e));
}

ALWAYS_INLINE void
sums_f64 (const __m512i out[ROOM],
          double        sums[ROOM])
{
  for (size_t e = 0; e < ROOM; e += 8)
    _mm512_storeu_pd (sums + e, add_lanes_f64 ((const __m512d *) (out + e)));
}

#define DEFINE_PRODUCTS(suffix, type)                                                                                 \
  static void                                                                                                         \
  products_##suffix (size_t n, const type *panel, size_t stride, size_t count, double *product, type *scratch)        \
  {                                                                                                                   \
    const size_t steps = count * sizeof (type) / VECTOR_BYTES, group = esk_group_size (n, stride * sizeof (type));    \
    EskRegion region = { 0 };                                                                                         \
    EskSquare square;                                                                                                 \
    __m512i out[ROOM] __attribute__ ((aligned (64)));                                                                 \
                                                                                                                      \
    (void) scratch;                                                                                                   \
    if (steps == 0)                                                                                                   \
      return;                                                                                                         \
    memset (out + TOTALS, 0, (ROOM - TOTALS) * sizeof *out);                                                          \
    while (esk_region_next (&region, n, group))                                                                       \
      {                                                                                                               \
        const EskPlace place = esk_region_place (&region, n, group, product, &square);                                \
                                                                                                                      \
        for (size_t first = region.j; first < region.j_end; first += RESIDENT * BLOCK)                                \
          for (size_t i = first > region.i ? first : region.i; i < region.i_end; i += BLOCK)                          \
            for (size_t j = first; j <= i && j < region.j_end && j < first + RESIDENT * BLOCK; j += BLOCK)            \
              {                                                                                                       \
                double sums[ROOM] __attribute__ ((aligned (64)));                                                     \
                                                                                                                      \
                block_##suffix (panel + i * stride, panel + j * stride, stride * sizeof (type), steps, out);          \
                sums_##suffix (out, sums);                                                                            \
                add_block_f64 (&place, n, i, j, sums);                                                                \
              }                                                                                                       \
        region_done_f64 (&region, n, &place, product);                                                                \
      }                                                                                                               \
  }
DEFINE_PRODUCTS (f32, float)
DEFINE_PRODUCTS (f64, double)

static const EskCpuProducts products = {
  products_i16, products_f32, products_f64, .bytes = products_bytes, .long_rows = true,
};

static const EskCpuLoops loops = {
  .name = "avx512",
  ESK_COMMON_LOOPS,
  .products = &products,
  .pack = esk_cpu_pack_avx512,
  .multiply = esk_cpu_multiply_avx512,
};

const EskCpuLoops * const esk_cpu_loops_avx512 = &loops;

#else

const EskCpuLoops * const esk_cpu_loops_avx512 = NULL;

#endif
