/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loops over vectors, for x86-64 with AVX2 and FMA (this file is compiled for them). */

#if defined (__AVX2__) && defined (__FMA__)

#define LANES 4

#include "es-cpu-vectors-both-private.h"

static const EskCpuVectorLoops loops[2] = { LOOPS_OF (f32), LOOPS_OF (f64) };

const EskCpuVectorLoops * const esk_cpu_vector_loops_avx2 = loops;

#else

#include "es-cpu-vectors-private.h"

const EskCpuVectorLoops * const esk_cpu_vector_loops_avx2 = NULL;

#endif
