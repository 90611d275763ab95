/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loops over vectors, for any processor. */

/* Registers of most hold two. */
#define LANES 2

#include "es-cpu-vectors-both-private.h"

const EskCpuVectorLoops esk_cpu_vector_loops_portable[2] = { LOOPS_OF (f32), LOOPS_OF (f64) };
