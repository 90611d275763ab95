/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Beams on vectors of four, for any processor. */

#define LANES 4

#include "es-cpu-beam-loops-private.h"

const EskCpuBeamLoops esk_cpu_beam_loops_portable = { .name = "portable", .form = form, .pack = pack };
