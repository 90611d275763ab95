/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Steps of recurrences, for x86-64 with AVX-512 (compiled for it). */

#include "es-cpu-recurrence-private.h"

#if defined (__AVX512F__)

#define LANES 8
#include "es-cpu-recurrence-loops-private.h"

const EskRecurrenceStep esk_cpu_recurrence_avx512 = step;

#else

const EskRecurrenceStep esk_cpu_recurrence_avx512 = NULL;

#endif
