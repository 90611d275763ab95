/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Errors of one band, for x86-64 with AVX2 (this file is compiled for it). */

#include "es-cpu-error-private.h"

#if defined (__AVX2__)

#include "es-cpu-error-loops-private.h"

EskCpuAddErrors * const esk_cpu_add_errors_avx2 = add_errors;

#else

EskCpuAddErrors * const esk_cpu_add_errors_avx2 = NULL;

#endif
