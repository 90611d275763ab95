/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Adaptive beams for x86-64 with AVX-512 (compiled for it). */

#if defined (__AVX512F__) && defined (__AVX512DQ__) && defined (__AVX512VL__)

#include <immintrin.h>

#define LANES 8
#define VECTORS 2
#define MULTIPLY_ADD(a, b, c) ((Vector) _mm512_fmadd_pd ((__m512d) (a), (__m512d) (b), (__m512d) (c)))
#define SUBTRACT_PRODUCT(a, b, c) ((Vector) _mm512_fnmadd_pd ((__m512d) (a), (__m512d) (b), (__m512d) (c)))

#include "es-cpu-adaptive-loops-private.h"

static const EskCpuAdaptiveLoops loops = ADAPTIVE_LOOPS ("avx512");
const EskCpuAdaptiveLoops * const esk_cpu_adaptive_loops_avx512 = &loops;

#else

#include "es-cpu-adaptive-private.h"

const EskCpuAdaptiveLoops * const esk_cpu_adaptive_loops_avx512 = NULL;

#endif
