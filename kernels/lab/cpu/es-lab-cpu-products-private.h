/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Products of small matrices that lie in the nearest cache, the sums in registers: six rows of two vectors. */

#include "es-lab-cpu-hide-private.h"

#include <string.h>
#if defined (__x86_64__)
#include <immintrin.h>
#endif

/* lab: products */
#define ROW(n, MULTIPLY_ADD) \
  c ## n ## 0 = MULTIPLY_ADD (a[n * depth + k], b0, c ## n ## 0); \
  c ## n ## 1 = MULTIPLY_ADD (a[n * depth + k], b1, c ## n ## 1);
/* A is what of a goes with one element of b's vectors; C the sums. */
#define PRODUCT(name, A, C, MULTIPLY_ADD) \
static void \
name (size_t times, size_t depth, const void *a_, const void *b_, void *c_) \
{ \
  typedef C V __attribute__ ((vector_size (ESK_WIDTH))); \
  const A *a = a_; \
  V *c = c_; \
  V c00 = c[0], c01 = c[1], c10 = c[2], c11 = c[3], c20 = c[4], c21 = c[5], c30 = c[6], c31 = c[7], c40 = c[8], \
    c41 = c[9], c50 = c[10], c51 = c[11]; \
\
  for (; times > 0; times--) \
    { \
      const V *b = b_; \
\
      for (size_t k = 0; k < depth; k++) \
        { \
          V b0 = b[2 * k], b1 = b[2 * k + 1]; \
\
          ROW (0, MULTIPLY_ADD) ROW (1, MULTIPLY_ADD) ROW (2, MULTIPLY_ADD) \
          ROW (3, MULTIPLY_ADD) ROW (4, MULTIPLY_ADD) ROW (5, MULTIPLY_ADD) \
        } \
      ESK_HIDE_MEMORY (); \
    } \
  memcpy (c_, (V[]) { c00, c01, c10, c11, c20, c21, c30, c31, c40, c41, c50, c51 }, 12 * sizeof (V)); \
}

#if ESK_WIDTH == 64
#define PRODUCT_32(a, b, c) ((V) _mm512_fmadd_ps (_mm512_set1_ps (a), (__m512) (b), (__m512) (c)))
#define PRODUCT_64(a, b, c) ((V) _mm512_fmadd_pd (_mm512_set1_pd (a), (__m512d) (b), (__m512d) (c)))
/* Without an instruction of its own: products of neighbours are added in 16 bits, these in 32. */
#define PRODUCT_8(a, b, c) ((V) _mm512_add_epi32 ((__m512i) (c), _mm512_madd_epi16 ( \
  _mm512_maddubs_epi16 (_mm512_set1_epi32 (a), (__m512i) (b)), _mm512_set1_epi16 (1))))
#define DOT_8(a, b, c) ((V) _mm512_dpbusd_epi32 ((__m512i) (c), _mm512_set1_epi32 (a), (__m512i) (b)))
#elif ESK_WIDTH == 32
#define PRODUCT_32(a, b, c) ((V) _mm256_fmadd_ps (_mm256_set1_ps (a), (__m256) (b), (__m256) (c)))
#define PRODUCT_64(a, b, c) ((V) _mm256_fmadd_pd (_mm256_set1_pd (a), (__m256d) (b), (__m256d) (c)))
#define PRODUCT_8(a, b, c) ((V) _mm256_add_epi32 ((__m256i) (c), _mm256_madd_epi16 ( \
  _mm256_maddubs_epi16 (_mm256_set1_epi32 (a), (__m256i) (b)), _mm256_set1_epi16 (1))))
#define DOT_8(a, b, c) ((V) _mm256_dpbusd_avx_epi32 ((__m256i) (c), _mm256_set1_epi32 (a), (__m256i) (b)))
#else
#define PRODUCT_32(a, b, c) ((a) * (b) + (c))
#define PRODUCT_64(a, b, c) ((a) * (b) + (c))
#endif

PRODUCT (product_f32, float, float, PRODUCT_32)
PRODUCT (product_f64, double, double, PRODUCT_64)
#if defined (PRODUCT_8)
PRODUCT (product_i8, int32_t, int32_t, PRODUCT_8)
#endif
#if ESK_WIDTH == 64
__attribute__ ((target ("avx512vnni")))
PRODUCT (dot_i8, int32_t, int32_t, DOT_8)
#define ESK_HAS_DOT "avx512vnni"
#elif ESK_WIDTH == 32 && __GNUC__ >= 11
__attribute__ ((target ("avxvnni")))
PRODUCT (dot_i8, int32_t, int32_t, DOT_8)
#define ESK_HAS_DOT "avxvnni"
#endif
/* lab end */
