/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Transforms for x86-64 with AVX-512 (compiled for it, as es-cpu-beam-avx512.c is). */

#if defined (__AVX512F__) && defined (__AVX512DQ__) && defined (__AVX512VL__)

#include <immintrin.h>

#define LANES 16
#define MULTIPLY_ADD(a, b, c) ((Vector) _mm512_fmadd_ps ((__m512) (a), (__m512) (b), (__m512) (c)))
#define MULTIPLY_SUBTRACT(a, b, c) ((Vector) _mm512_fmsub_ps ((__m512) (a), (__m512) (b), (__m512) (c)))
#define LOWER(a, b) ((Vector) _mm512_min_ps ((__m512) (a), (__m512) (b)))
#define HIGHER(a, b) ((Vector) _mm512_max_ps ((__m512) (a), (__m512) (b)))

#include "es-cpu-dft-loops-private.h"

EskTeamWork const esk_cpu_dft_avx512 = transform_group;

#else

#include "es-cpu-dft-private.h"

EskTeamWork const esk_cpu_dft_avx512 = NULL;

#endif
