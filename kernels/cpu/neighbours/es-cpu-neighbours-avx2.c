/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Nearest neighbours, for x86-64 with AVX2 and FMA (this file is compiled for them). */

#include "es-cpu-neighbours-private.h"

#if defined (__AVX2__) && defined (__FMA__)

#include <immintrin.h>

#define LANES 8
#define ROWS 4
#define SPREAD(x) ((Vector) _mm256_set1_ps (x))
#define MULTIPLY_ADD(a, b, c) ((Vector) _mm256_fmadd_ps ((__m256) (a), (__m256) (b), (__m256) (c)))
#define LARGER(a, b) ((Vector) _mm256_max_ps ((__m256) (a), (__m256) (b)))
#define NOT_ABOVE(a, b) \
  ((uint32_t) _mm256_movemask_ps (_mm256_cmp_ps ((__m256) (a), (__m256) (b), _CMP_LE_OQ)))

#define QUERIES 2
#define POINTS 2

typedef struct
{
  __m256d low, high;
} Wide;

static inline Wide
wide_load (const float *a,
           size_t       n)
{
  const __m256i lane = _mm256_setr_epi32 (0, 1, 2, 3, 4, 5, 6, 7);
  const __m256 all = n >= 8 ? _mm256_loadu_ps (a)
                            : _mm256_maskload_ps (a, _mm256_cmpgt_epi32 (_mm256_set1_epi32 ((int) n), lane));

  return (Wide) { _mm256_cvtps_pd (_mm256_castps256_ps128 (all)), _mm256_cvtps_pd (_mm256_extractf128_ps (all, 1)) };
}

static inline Wide
wide_add_square (Wide a,
                 Wide b,
                 Wide c)
{
  const __m256d low = _mm256_sub_pd (a.low, b.low), high = _mm256_sub_pd (a.high, b.high);

  return (Wide) { _mm256_fmadd_pd (low, low, c.low), _mm256_fmadd_pd (high, high, c.high) };
}

static inline double
wide_sum (Wide a)
{
  const __m256d four = _mm256_add_pd (a.low, a.high);
  const __m128d two = _mm_add_pd (_mm256_castpd256_pd128 (four), _mm256_extractf128_pd (four, 1));

  return _mm_cvtsd_f64 (two) + _mm_cvtsd_f64 (_mm_unpackhi_pd (two, two));
}

#include "es-cpu-neighbours-loops-private.h"

static const EskNearLoops loops = {
  .within = within,
  .bounds = bounds,
  .square = square,
  .squares = squares,
};

const EskNearLoops * const esk_near_loops_avx2 = &loops;

#else

const EskNearLoops * const esk_near_loops_avx2 = NULL;

#endif
