/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Beams for x86-64 with AVX2 and FMA (compiled for them, as es-cpu-avx2.c is). */

#if defined (__AVX2__) && defined (__FMA__)

#include <immintrin.h>

#define LANES 8
#define MULTIPLY_ADD(a, b, c) ((Vector) _mm256_fmadd_ps ((__m256) (a), (__m256) (b), (__m256) (c)))
#define MULTIPLY_SUBTRACT(a, b, c) ((Vector) _mm256_fmsub_ps ((__m256) (a), (__m256) (b), (__m256) (c)))
#define SUBTRACT_PRODUCT(a, b, c) ((Vector) _mm256_fnmadd_ps ((__m256) (a), (__m256) (b), (__m256) (c)))
#define ADD_LANES(a, b, c, d, sums) add_lanes ((__m256) (a), (__m256) (b), (__m256) (c), (__m256) (d), sums)

/* The sums over the lanes of four vectors. */
static inline __attribute__ ((always_inline)) void
add_lanes (__m256 a,
           __m256 b,
           __m256 c,
           __m256 d,
           float  sums[4])
{
  const __m256 x = _mm256_hadd_ps (_mm256_hadd_ps (a, b), _mm256_hadd_ps (c, d));

  _mm_storeu_ps (sums, _mm_add_ps (_mm256_castps256_ps128 (x), _mm256_extractf128_ps (x, 1)));
}

#include "es-cpu-beam-loops-private.h"

static const EskCpuBeamLoops loops = { .name = "avx2", .form = form, .pack = pack };
const EskCpuBeamLoops * const esk_cpu_beam_loops_avx2 = &loops;

#else

#include "es-cpu-beam-private.h"

const EskCpuBeamLoops * const esk_cpu_beam_loops_avx2 = NULL;

#endif
