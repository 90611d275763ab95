/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Small dense algebra, for x86-64 with AVX-512 (compiled for it). */

#if defined (__AVX512F__) && defined (__AVX512DQ__) && defined (__AVX512VL__)

#include <immintrin.h>

#define LANES 8
#define SPREAD(x) ((Vector) _mm512_set1_pd (x))
#define MULTIPLY_ADD(a, b, c) ((Vector) _mm512_fmadd_pd ((__m512d) (a), (__m512d) (b), (__m512d) (c)))

#include "es-cpu-algebra-loops-private.h"

#include "es-cpu-fourth-loops-private.h"

static const EskCpuAlgebra algebra = {
  LANES, multiply, invert, square_sum, average, reflect, contract_one, contract_many
};

const EskCpuAlgebra * const esk_cpu_algebra_avx512 = &algebra;

#else

#include "es-cpu-algebra-private.h"

const EskCpuAlgebra * const esk_cpu_algebra_avx512 = NULL;

#endif
