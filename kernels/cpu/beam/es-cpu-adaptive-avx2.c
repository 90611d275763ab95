/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Adaptive beams for x86-64 with AVX2 and FMA (compiled for them, as es-cpu-avx2.c is). */

#if defined (__AVX2__) && defined (__FMA__)

#include <immintrin.h>

#define LANES 4
#define VECTORS 1
#define MULTIPLY_ADD(a, b, c) ((Vector) _mm256_fmadd_pd ((__m256d) (a), (__m256d) (b), (__m256d) (c)))
#define SUBTRACT_PRODUCT(a, b, c) ((Vector) _mm256_fnmadd_pd ((__m256d) (a), (__m256d) (b), (__m256d) (c)))

#include "es-cpu-adaptive-loops-private.h"

static const EskCpuAdaptiveLoops loops = ADAPTIVE_LOOPS ("avx2");
const EskCpuAdaptiveLoops * const esk_cpu_adaptive_loops_avx2 = &loops;

#else

#include "es-cpu-adaptive-private.h"

const EskCpuAdaptiveLoops * const esk_cpu_adaptive_loops_avx2 = NULL;

#endif
