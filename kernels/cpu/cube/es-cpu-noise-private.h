/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The inner loop of noise residuals, once in portable C and once for AVX2. */

#include "es-noise.h"

#include "cpu/core/es-cpu-internal.h"

/* Residuals of n pixels of a row: `rows` are the samples above, at and below the first of them, those beside them there
 * as the kind needs. out: int16 for 8- and 16-bit types, else float32. Returns whether a WHOLE may have been clamped:
 * one is at an end of its range. */
typedef bool EskCpuNoiseRow (EskType type, EskNoiseKind kind, EskNoisePart part, const void *const rows[3], size_t n,
                             void *out);

extern EskCpuNoiseRow esk_cpu_noise_row_portable;
/* NULL where the program has been built for another processor. */
extern EskCpuNoiseRow * const esk_cpu_noise_row_avx2;

/* That which goes with the stream's other loops. */
static inline EskCpuNoiseRow *
esk_cpu_noise_row (const EskStream *stream)
{
  return stream->has_avx2 && esk_cpu_noise_row_avx2 != NULL ? esk_cpu_noise_row_avx2 : esk_cpu_noise_row_portable;
}
