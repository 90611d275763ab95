/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Beams for x86-64 with AVX-512 (this file alone is compiled for it). */

#if defined (__AVX512F__) && defined (__AVX512DQ__) && defined (__AVX512VL__)

#include <immintrin.h>

#define LANES 16
#define MULTIPLY_ADD(a, b, c) ((Vector) _mm512_fmadd_ps ((__m512) (a), (__m512) (b), (__m512) (c)))
#define MULTIPLY_SUBTRACT(a, b, c) ((Vector) _mm512_fmsub_ps ((__m512) (a), (__m512) (b), (__m512) (c)))
#define SUBTRACT_PRODUCT(a, b, c) ((Vector) _mm512_fnmadd_ps ((__m512) (a), (__m512) (b), (__m512) (c)))
#define ADD_LANES(a, b, c, d, sums) \
  add_lanes (fold ((__m512) (a)), fold ((__m512) (b)), fold ((__m512) (c)), fold ((__m512) (d)), sums)

static inline __attribute__ ((always_inline)) __m256
fold (__m512 x)
{
  return _mm256_add_ps (_mm512_castps512_ps256 (x), _mm512_extractf32x8_ps (x, 1));
}

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

static const EskCpuBeamLoops loops = { .name = "avx512", .form = form, .pack = pack };
const EskCpuBeamLoops * const esk_cpu_beam_loops_avx512 = &loops;

#else

#include "es-cpu-beam-private.h"

const EskCpuBeamLoops * const esk_cpu_beam_loops_avx512 = NULL;

#endif
