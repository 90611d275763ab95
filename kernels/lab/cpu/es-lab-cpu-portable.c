/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops for any processor of this architecture. */

#define ESK_WIDTH 16
#if defined (__x86_64__)
#define ESK_LOOPS_NAME "SSE2"
#elif defined (__aarch64__)
#define ESK_LOOPS_NAME "NEON"
#else
#define ESK_LOOPS_NAME ""
#endif
#include "es-lab-cpu-loops-table-private.h"

const EskLabLoops *const esk_lab_loops_portable = &loops;
