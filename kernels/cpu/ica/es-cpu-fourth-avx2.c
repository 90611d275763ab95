/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The contraction of fourth moments, for x86-64 with AVX2 and FMA (this file is compiled for them). */

#include "es-cpu-fourth-private.h"

#if defined (__AVX2__) && defined (__FMA__)

#include "es-cpu-fourth-loops-private.h"

EskFourthContract * const esk_cpu_fourth_avx2 = contract;

#else

EskFourthContract * const esk_cpu_fourth_avx2 = NULL;

#endif
