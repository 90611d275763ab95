/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Residuals of a row, for x86-64 with AVX2 (this file is compiled for it). */

#include "es-cpu-noise-private.h"

#if defined (__AVX2__)

#include "es-cpu-noise-loops-private.h"

EskCpuNoiseRow * const esk_cpu_noise_row_avx2 = noise_row;

#else

EskCpuNoiseRow * const esk_cpu_noise_row_avx2 = NULL;

#endif
