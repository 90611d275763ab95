/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Nearest neighbours, for x86-64 with AVX-512 (this file is compiled for it). */

#include "es-cpu-neighbours-private.h"

#if defined (__AVX512F__) && defined (__AVX512DQ__) && defined (__AVX512VL__)

#include <immintrin.h>

#define LANES 16
#define ROWS 8
#define SPREAD(x) ((Vector) _mm512_set1_ps (x))
#define MULTIPLY_ADD(a, b, c) ((Vector) _mm512_fmadd_ps ((__m512) (a), (__m512) (b), (__m512) (c)))
#define LARGER(a, b) ((Vector) _mm512_max_ps ((__m512) (a), (__m512) (b)))
#define NOT_ABOVE(a, b) ((uint32_t) _mm512_cmp_ps_mask ((__m512) (a), (__m512) (b), _CMP_LE_OQ))

#define QUERIES 4
#define POINTS 4

typedef __m512d Wide;

static inline Wide
wide_load (const float *a,
           size_t       n)
{
  if (n >= 8)
    return _mm512_cvtps_pd (_mm256_loadu_ps (a));

  return _mm512_cvtps_pd (_mm256_maskz_loadu_ps ((__mmask8) ((1u << n) - 1), a));
}

static inline Wide
wide_add_square (Wide a,
                 Wide b,
                 Wide c)
{
  const __m512d x = _mm512_sub_pd (a, b);

  return _mm512_fmadd_pd (x, x, c);
}

static inline double
wide_sum (Wide a)
{
  const __m256d four = _mm256_add_pd (_mm512_castpd512_pd256 (a), _mm512_extractf64x4_pd (a, 1));
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

const EskNearLoops * const esk_near_loops_avx512 = &loops;

#else

const EskNearLoops * const esk_near_loops_avx512 = NULL;

#endif
