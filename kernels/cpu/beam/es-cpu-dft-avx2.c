/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Transforms for x86-64 with AVX2 and FMA (compiled for them, as es-cpu-avx2.c is). */

#if defined (__AVX2__) && defined (__FMA__)

#include <immintrin.h>

#define LANES 8
#define MULTIPLY_ADD(a, b, c) ((Vector) _mm256_fmadd_ps ((__m256) (a), (__m256) (b), (__m256) (c)))
#define MULTIPLY_SUBTRACT(a, b, c) ((Vector) _mm256_fmsub_ps ((__m256) (a), (__m256) (b), (__m256) (c)))
#define LOWER(a, b) ((Vector) _mm256_min_ps ((__m256) (a), (__m256) (b)))
#define HIGHER(a, b) ((Vector) _mm256_max_ps ((__m256) (a), (__m256) (b)))

#include "es-cpu-dft-loops-private.h"

EskTeamWork const esk_cpu_dft_avx2 = transform_group;

#else

#include "es-cpu-dft-private.h"

EskTeamWork const esk_cpu_dft_avx2 = NULL;

#endif
