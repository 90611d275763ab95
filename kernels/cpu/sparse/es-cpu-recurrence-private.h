/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Steps of recurrences on panels, for each processor. */

#include "es-recurrence.h"

typedef void (*EskRecurrenceStep) (const EskCsr *matrix, const EskRecurrence *how, const double *x, double *y);

extern const EskRecurrenceStep esk_cpu_recurrence_portable;
/* NULL where the program has been built for another processor. */
extern const EskRecurrenceStep esk_cpu_recurrence_avx2;
extern const EskRecurrenceStep esk_cpu_recurrence_avx512;
