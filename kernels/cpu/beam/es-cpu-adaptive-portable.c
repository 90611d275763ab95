/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Adaptive beams on vectors of two, for any processor. */

#define LANES 2
#define VECTORS 1

#include "es-cpu-adaptive-loops-private.h"

const EskCpuAdaptiveLoops esk_cpu_adaptive_loops_portable = ADAPTIVE_LOOPS ("portable");
