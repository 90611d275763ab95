/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What rungs of a step of FastICA by vectors share. */

#include "es-ladder-cpu-ica-private.h"

#ifdef __x86_64__

#include <immintrin.h>

#define VECTORS __attribute__ ((target ("avx2,fma")))

/* lab: ica-vectorised ica-registers ica-threaded ica-library */
/* tanh of eight as a quotient of polynomials, fitted on |x| <= 9.02, from where on it is 1. */
static VECTORS inline __m256
tanh_8 (__m256 x)
{
  static const float p[] = { 1.33193987e-08f, 2.05837617e-05f, 3.49405388e-03f, 1.33797352e-01f, 9.99999979e-01f };
  static const float q[] = { 7.76216588e-07f, 3.28312274e-04f, 2.58711495e-02f, 4.67130505e-01f, 1.0f };
  const __m256 end = _mm256_set1_ps (9.02f), one = _mm256_set1_ps (1.0f), minus = _mm256_set1_ps (-1.0f);
  __m256 bounded = _mm256_max_ps (_mm256_min_ps (x, end), _mm256_sub_ps (_mm256_setzero_ps (), end));
  __m256 u = _mm256_mul_ps (bounded, bounded), above = _mm256_set1_ps (p[0]), below = _mm256_set1_ps (q[0]);

#pragma GCC unroll 4
  for (int k = 1; k < 5; k++)
    {
      above = _mm256_fmadd_ps (u, above, _mm256_set1_ps (p[k]));
      below = _mm256_fmadd_ps (u, below, _mm256_set1_ps (q[k]));
    }
  return _mm256_max_ps (_mm256_min_ps (_mm256_div_ps (_mm256_mul_ps (bounded, above), below), one), minus);
}

/* The sum of all eight. */
static VECTORS inline float
sum_8 (__m256 x)
{
  __m128 sum = _mm_add_ps (_mm256_castps256_ps128 (x), _mm256_extractf128_ps (x, 1));

  sum = _mm_add_ps (sum, _mm_movehl_ps (sum, sum));
  return _mm_cvtss_f32 (sum) + _mm_cvtss_f32 (_mm_movehdup_ps (sum));
}
/* lab end */

#endif
