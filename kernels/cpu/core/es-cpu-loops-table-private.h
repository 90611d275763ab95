/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The tables of inner loops that streams choose from. */

#include "es-cpu-internal.h"

extern const EskCpuLoops esk_cpu_loops_portable;
/* NULL where the program has been built for another processor. */
extern const EskCpuLoops * const esk_cpu_loops_avx2;
/* The fastest that this machine runs; the portable ones where ES_CPU_PORTABLE=1 is in the environment. */
const EskCpuLoops *esk_cpu_loops_choose (void);
