/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Small dense algebra, for x86-64 with AVX2 and FMA (this file is compiled for them). */

#if defined (__AVX2__) && defined (__FMA__)

#include <immintrin.h>

#define LANES 4
#define SPREAD(x) ((Vector) _mm256_set1_pd (x))
#define MULTIPLY_ADD(a, b, c) ((Vector) _mm256_fmadd_pd ((__m256d) (a), (__m256d) (b), (__m256d) (c)))

#include "es-cpu-algebra-loops-private.h"

#include "es-cpu-fourth-loops-private.h"

static const EskCpuAlgebra algebra = {
  LANES, multiply, invert, square_sum, average, reflect, contract_one, contract_many
};

const EskCpuAlgebra * const esk_cpu_algebra_avx2 = &algebra;

#else

#include "es-cpu-algebra-private.h"

const EskCpuAlgebra * const esk_cpu_algebra_avx2 = NULL;

#endif
