/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loops over vectors, for x86-64 with AVX-512 (compiled for it). */

#if defined (__AVX512F__) && defined (__AVX512DQ__) && defined (__AVX512VL__)

#define LANES 8

#include "es-cpu-vectors-both-private.h"

static const EskCpuVectorLoops loops[2] = { LOOPS_OF (f32), LOOPS_OF (f64) };

const EskCpuVectorLoops * const esk_cpu_vector_loops_avx512 = loops;

#else

#include "es-cpu-vectors-private.h"

const EskCpuVectorLoops * const esk_cpu_vector_loops_avx512 = NULL;

#endif
