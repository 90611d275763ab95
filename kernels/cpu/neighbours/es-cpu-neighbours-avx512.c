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
#define FUSED(a, b, c) __builtin_fma (a, b, c)

#include "es-cpu-neighbours-loops-private.h"

static const EskNearLoops loops = {
  .within = within,
  .bounds = bounds,
  .square = square,
};

const EskNearLoops * const esk_near_loops_avx512 = &loops;

#else

const EskNearLoops * const esk_near_loops_avx512 = NULL;

#endif
