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
#define FUSED(a, b, c) __builtin_fma (a, b, c)

#include "es-cpu-neighbours-loops-private.h"

static const EskNearLoops loops = {
  .within = within,
  .bounds = bounds,
  .square = square,
};

const EskNearLoops * const esk_near_loops_avx2 = &loops;

#else

const EskNearLoops * const esk_near_loops_avx2 = NULL;

#endif
