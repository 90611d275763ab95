/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Products of sparse matrices, for x86-64 with AVX-512 (compiled for it). */

#include "es-cpu-sparse-private.h"

#if defined (__AVX512F__) && defined (__AVX512DQ__) && defined (__AVX512VL__)

#include <immintrin.h>

/*
 * Loads one after the other, put together: several processors gather at two clocks an element and more, while they load
 * two or three numbers a clock.
 */
static inline __attribute__ ((always_inline)) __m512d
pick_f64 (const int32_t *column, const double *x)
{
  __m128d a = _mm_loadh_pd (_mm_load_sd (x + column[0]), x + column[1]);
  __m128d b = _mm_loadh_pd (_mm_load_sd (x + column[2]), x + column[3]);
  __m128d c = _mm_loadh_pd (_mm_load_sd (x + column[4]), x + column[5]);
  __m128d d = _mm_loadh_pd (_mm_load_sd (x + column[6]), x + column[7]);

  return _mm512_insertf64x4 (_mm512_castpd256_pd512 (_mm256_insertf128_pd (_mm256_castpd128_pd256 (a), b, 1)),
                             _mm256_insertf128_pd (_mm256_castpd128_pd256 (c), d, 1), 1);
}

static inline __attribute__ ((always_inline)) __m128
pick_four (const int32_t *column, const float *x)
{
  __m128 a = _mm_load_ss (x + column[0]);

  a = _mm_insert_ps (a, _mm_load_ss (x + column[1]), 0x10);
  a = _mm_insert_ps (a, _mm_load_ss (x + column[2]), 0x20);
  return _mm_insert_ps (a, _mm_load_ss (x + column[3]), 0x30);
}

static inline __attribute__ ((always_inline)) __m512
pick_f32 (const int32_t *column, const float *x)
{
  __m256 low = _mm256_insertf128_ps (_mm256_castps128_ps256 (pick_four (column, x)), pick_four (column + 4, x), 1);
  __m256 high = _mm256_insertf128_ps (_mm256_castps128_ps256 (pick_four (column + 8, x)), pick_four (column + 12, x),
                                      1);

  return _mm512_insertf32x8 (_mm512_castps256_ps512 (low), high, 1);
}

static inline __attribute__ ((always_inline)) __m512d
next_f64 (__m512d sum, const int32_t *column, const double *value, const double *x)
{
  __m256i at = _mm256_loadu_si256 ((const __m256i *) (const void *) column);
  __mmask8 there = _mm256_cmpge_epi32_mask (at, _mm256_setzero_si256 ());

  if (there == 0xff)
    return _mm512_fmadd_pd (pick_f64 (column, x), _mm512_loadu_pd (value), sum);
  return _mm512_fmadd_pd (_mm512_mask_i32gather_pd (_mm512_setzero_pd (), there, at, x, 8),
                          _mm512_loadu_pd (value), sum);
}

static inline __attribute__ ((always_inline)) __m512d
some_f64 (__m512d sum, const int32_t *column, const double *value, const double *x, size_t n)
{
  __mmask8 first = (__mmask8) ((1u << n) - 1);
  __m256i at = _mm256_mask_loadu_epi32 (_mm256_set1_epi32 (-1), first, column);
  __mmask8 there = _mm256_cmpge_epi32_mask (at, _mm256_setzero_si256 ());

  return _mm512_fmadd_pd (_mm512_mask_i32gather_pd (_mm512_setzero_pd (), there, at, x, 8),
                          _mm512_maskz_loadu_pd (first, value), sum);
}

static inline __attribute__ ((always_inline)) __m512
next_f32 (__m512 sum, const int32_t *column, const float *value, const float *x)
{
  __m512i at = _mm512_loadu_si512 (column);
  __mmask16 there = _mm512_cmpge_epi32_mask (at, _mm512_setzero_si512 ());

  if (there == 0xffff)
    return _mm512_fmadd_ps (pick_f32 (column, x), _mm512_loadu_ps (value), sum);
  return _mm512_fmadd_ps (_mm512_mask_i32gather_ps (_mm512_setzero_ps (), there, at, x, 4),
                          _mm512_loadu_ps (value), sum);
}

static inline __attribute__ ((always_inline)) __m512
some_f32 (__m512 sum, const int32_t *column, const float *value, const float *x, size_t n)
{
  __mmask16 first = (__mmask16) ((1u << n) - 1);
  __m512i at = _mm512_mask_loadu_epi32 (_mm512_set1_epi32 (-1), first, column);
  __mmask16 there = _mm512_cmpge_epi32_mask (at, _mm512_setzero_si512 ());

  return _mm512_fmadd_ps (_mm512_mask_i32gather_ps (_mm512_setzero_ps (), there, at, x, 4),
                          _mm512_maskz_loadu_ps (first, value), sum);
}

#define TYPE float
#define LOOP(name) f32_##name
#define LANES 16
#define Vector __m512
#define ZERO() _mm512_setzero_ps ()
#define ADD(a, b) _mm512_add_ps (a, b)
#define STORE(values, a) _mm512_storeu_ps (values, a)
#define SUM(a) _mm512_reduce_add_ps (a)
#define NEXT(sum, column, value, x) next_f32 (sum, column, value, x)
#define SOME(sum, column, value, x, n) some_f32 (sum, column, value, x, n)
#include "es-cpu-sparse-loops-private.h"

#define TYPE double
#define LOOP(name) f64_##name
#define LANES 8
#define Vector __m512d
#define ZERO() _mm512_setzero_pd ()
#define ADD(a, b) _mm512_add_pd (a, b)
#define STORE(values, a) _mm512_storeu_pd (values, a)
#define SUM(a) _mm512_reduce_add_pd (a)
#define NEXT(sum, column, value, x) next_f64 (sum, column, value, x)
#define SOME(sum, column, value, x, n) some_f64 (sum, column, value, x, n)
#include "es-cpu-sparse-loops-private.h"

static const EskCpuSparse loops = { .f32 = f32_loops, .f64 = f64_loops };

const EskCpuSparse * const esk_cpu_sparse_avx512 = &loops;

#else

const EskCpuSparse * const esk_cpu_sparse_avx512 = NULL;

#endif
