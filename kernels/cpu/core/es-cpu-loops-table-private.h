/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The tables of inner loops that streams choose from. */

#include "es-cpu-internal.h"

extern const EskCpuLoops esk_cpu_loops_portable;
/* NULL where the program has been built for another processor. */
extern const EskCpuLoops * const esk_cpu_loops_avx2;
/* Of processors that have the instructions for products of small integers (VNNI), too. NULL as above. */
extern const EskCpuLoops * const esk_cpu_loops_avx512;
/* The fastest that this machine runs; the portable ones where ES_CPU_PORTABLE=1 is in the environment. */
const EskCpuLoops *esk_cpu_loops_choose (void);

/* What tables have in common. */
extern const EskCpuProducts esk_cpu_products_avx2;
void esk_cpu_pack_avx2     (size_t rows, size_t n, const float *basis, float *packed);
void esk_cpu_multiply_avx2 (size_t rows, size_t n, const float *basis, const float *packed, const float *constants,
                            const float *panel, size_t stride, size_t count, float *out, size_t out_stride);
void esk_cpu_pack_avx512     (size_t rows, size_t n, const float *basis, float *packed);
void esk_cpu_multiply_avx512 (size_t rows, size_t n, const float *basis, const float *packed, const float *constants,
                              const float *panel, size_t stride, size_t count, float *out, size_t out_stride);
