/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Steps of recurrences, for x86-64 with AVX2 (compiled for it). */

#include "es-cpu-recurrence-private.h"

#if defined (__AVX2__) && defined (__FMA__)

#define LANES 4
#include "es-cpu-recurrence-loops-private.h"

const EskRecurrenceStep esk_cpu_recurrence_avx2 = step;

#else

const EskRecurrenceStep esk_cpu_recurrence_avx2 = NULL;

#endif
