/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Products of sparse matrices, for x86-64 with AVX2 (compiled for it). */

#include "es-cpu-sparse-private.h"

#if defined (__AVX2__) && defined (__FMA__)

#include <immintrin.h>

/* The first n of 8 from masks + 8 - n on. */
static const int32_t masks[16] = { -1, -1, -1, -1, -1, -1, -1, -1 };

/* What is gathered is told by the highest bit: not of columns below 0. */
static inline __attribute__ ((always_inline)) __m256d
gather_f64 (__m128i at, __m128i wanted, const double *x)
{
  __m256i there = _mm256_cvtepi32_epi64 (_mm_andnot_si128 (at, wanted));

  return _mm256_mask_i32gather_pd (_mm256_setzero_pd (), x, at, _mm256_castsi256_pd (there), 8);
}

/* Loads one after the other, put together: many processors gather more slowly. */
static inline __attribute__ ((always_inline)) __m256d
pick_f64 (const int32_t *column, const double *x)
{
  __m128d a = _mm_loadh_pd (_mm_load_sd (x + column[0]), x + column[1]);
  __m128d b = _mm_loadh_pd (_mm_load_sd (x + column[2]), x + column[3]);

  return _mm256_insertf128_pd (_mm256_castpd128_pd256 (a), b, 1);
}

static inline __attribute__ ((always_inline)) __m128
pick_four (const int32_t *column, const float *x)
{
  __m128 a = _mm_load_ss (x + column[0]);

  a = _mm_insert_ps (a, _mm_load_ss (x + column[1]), 0x10);
  a = _mm_insert_ps (a, _mm_load_ss (x + column[2]), 0x20);
  return _mm_insert_ps (a, _mm_load_ss (x + column[3]), 0x30);
}

static inline __attribute__ ((always_inline)) __m256d
next_f64 (__m256d sum, const int32_t *column, const double *value, const double *x)
{
  __m128i at = _mm_loadu_si128 ((const __m128i *) (const void *) column);

  if (_mm_movemask_ps (_mm_castsi128_ps (at)) == 0)
    return _mm256_fmadd_pd (pick_f64 (column, x), _mm256_loadu_pd (value), sum);
  return _mm256_fmadd_pd (gather_f64 (at, _mm_set1_epi32 (-1), x), _mm256_loadu_pd (value), sum);
}

static inline __attribute__ ((always_inline)) __m256d
some_f64 (__m256d sum, const int32_t *column, const double *value, const double *x, size_t n)
{
  __m128i first = _mm_loadu_si128 ((const __m128i *) (const void *) (masks + 8 - n));
  __m128i at = _mm_maskload_epi32 (column, first);

  return _mm256_fmadd_pd (gather_f64 (at, first, x), _mm256_maskload_pd (value, _mm256_cvtepi32_epi64 (first)), sum);
}

static inline __attribute__ ((always_inline)) __m256
gather_f32 (__m256i at, __m256i wanted, const float *x)
{
  __m256 there = _mm256_castsi256_ps (_mm256_andnot_si256 (at, wanted));

  return _mm256_mask_i32gather_ps (_mm256_setzero_ps (), x, at, there, 4);
}

static inline __attribute__ ((always_inline)) __m256
next_f32 (__m256 sum, const int32_t *column, const float *value, const float *x)
{
  __m256i at = _mm256_loadu_si256 ((const __m256i *) (const void *) column);

  if (_mm256_movemask_ps (_mm256_castsi256_ps (at)) == 0)
    return _mm256_fmadd_ps (_mm256_insertf128_ps (_mm256_castps128_ps256 (pick_four (column, x)),
                                                  pick_four (column + 4, x), 1), _mm256_loadu_ps (value), sum);
  return _mm256_fmadd_ps (gather_f32 (at, _mm256_set1_epi32 (-1), x), _mm256_loadu_ps (value), sum);
}

static inline __attribute__ ((always_inline)) __m256
some_f32 (__m256 sum, const int32_t *column, const float *value, const float *x, size_t n)
{
  __m256i first = _mm256_loadu_si256 ((const __m256i *) (const void *) (masks + 8 - n));
  __m256i at = _mm256_maskload_epi32 (column, first);

  return _mm256_fmadd_ps (gather_f32 (at, first, x), _mm256_maskload_ps (value, first), sum);
}

static inline __attribute__ ((always_inline)) double
sum_f64 (__m256d a)
{
  __m128d two = _mm_add_pd (_mm256_castpd256_pd128 (a), _mm256_extractf128_pd (a, 1));

  return _mm_cvtsd_f64 (_mm_add_sd (two, _mm_unpackhi_pd (two, two)));
}

static inline __attribute__ ((always_inline)) float
sum_f32 (__m256 a)
{
  __m128 four = _mm_add_ps (_mm256_castps256_ps128 (a), _mm256_extractf128_ps (a, 1));
  __m128 two = _mm_add_ps (four, _mm_movehl_ps (four, four));

  return _mm_cvtss_f32 (_mm_add_ss (two, _mm_shuffle_ps (two, two, 1)));
}

#define TYPE float
#define LOOP(name) f32_##name
#define LANES 8
#define Vector __m256
#define ZERO() _mm256_setzero_ps ()
#define ADD(a, b) _mm256_add_ps (a, b)
#define STORE(values, a) _mm256_storeu_ps (values, a)
#define SUM(a) sum_f32 (a)
#define NEXT(sum, column, value, x) next_f32 (sum, column, value, x)
#define SOME(sum, column, value, x, n) some_f32 (sum, column, value, x, n)
#include "es-cpu-sparse-loops-private.h"

#define TYPE double
#define LOOP(name) f64_##name
#define LANES 4
#define Vector __m256d
#define ZERO() _mm256_setzero_pd ()
#define ADD(a, b) _mm256_add_pd (a, b)
#define STORE(values, a) _mm256_storeu_pd (values, a)
#define SUM(a) sum_f64 (a)
#define NEXT(sum, column, value, x) next_f64 (sum, column, value, x)
#define SOME(sum, column, value, x, n) some_f64 (sum, column, value, x, n)
#include "es-cpu-sparse-loops-private.h"

static const EskCpuSparse loops = { .f32 = f32_loops, .f64 = f64_loops };

const EskCpuSparse * const esk_cpu_sparse_avx2 = &loops;

#else

const EskCpuSparse * const esk_cpu_sparse_avx2 = NULL;

#endif
