/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops once more, compiled for AVX2; run where there is such a processor. */

#include "es-lab-cpu-private.h"

#if defined (__AVX2__) && defined (__FMA__)

#define ESK_WIDTH 32
#define ESK_LOOPS_NAME "AVX2"
#include "es-lab-cpu-loops-table-private.h"

const EskLabLoops *const esk_lab_loops_avx2 = &loops;

#else

const EskLabLoops *const esk_lab_loops_avx2 = NULL;

#endif
