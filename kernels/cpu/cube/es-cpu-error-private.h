/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The inner loop of a reduction's errors, once in portable C and once for AVX2. */

#include "cpu/core/es-cpu-internal.h"

/* Of pixels, sums over the bands of v = scale x + offset and e = scale (x - estimate). */
typedef struct
{
  double *squares;             /* e^2 */
  double *products;            /* v e */
  double *lengths;             /* v^2 */
} EskPixelErrors;

/* Adds n pixels of a band, x and estimate of float32: e = scale (x - rest - estimate), v = scale x + offset. *error and
 * *square are raised by the sums of e and e^2. */
typedef void EskCpuAddErrors (const float *x, const float *estimate, size_t n, double rest, double scale, double offset,
                              const EskPixelErrors *pixels, double *error, double *square);

extern EskCpuAddErrors esk_cpu_add_errors_portable;
/* NULL where the program has been built for another processor. */
extern EskCpuAddErrors * const esk_cpu_add_errors_avx2;

/* That which goes with the stream's other loops. */
static inline EskCpuAddErrors *
esk_cpu_add_errors (const EskStream *stream)
{
  return stream->has_avx2 && esk_cpu_add_errors_avx2 != NULL ? esk_cpu_add_errors_avx2 : esk_cpu_add_errors_portable;
}
