/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops once more, compiled for AVX-512; run where there is such a processor. */

#include "es-lab-cpu-private.h"

#if defined (__AVX512F__) && defined (__AVX512DQ__) && defined (__AVX512VL__) && defined (__AVX512BW__)

#define ESK_WIDTH 64
#define ESK_LOOPS_NAME "AVX-512"
#include "es-lab-cpu-loops-table-private.h"

const EskLabLoops *const esk_lab_loops_avx512 = &loops;

#else

const EskLabLoops *const esk_lab_loops_avx512 = NULL;

#endif
