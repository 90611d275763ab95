/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Inner loops of independent components, filled in once in portable C and once for AVX2 as EskCpuLoops are. */

#include "es-hotspots-ica.h"

#include "cpu/core/es-cpu-internal.h"

/* Samples of a panel at most: what is added up in float32. */
#define ESK_ICA_RUN 512

/*
 * Panels are padded with zeros to a multiple of ESK_PANEL_ROUND samples, and `count` is that; rows start at multiples
 * of ESK_PANEL_ALIGNMENT.
 */
typedef struct
{
  /* product[r * product_stride + c] += sum of row r of a times row c of b. scratch: rows x columns floats. */
  void (*cross)     (size_t rows, const float *a, size_t columns, const float *b, size_t stride, size_t count,
                     double *product, size_t product_stride, float *scratch);
  /* y becomes g (y). Returns the sum of g' (0) - g' (y), to which zeros add nothing. */
  double (*contrast) (const EskContrast *contrast, float *y, size_t count);
  /* Adds the moments of n samples, rounded up to full vectors that may be read. */
  void (*moments)   (const EskContrast *contrast, const float *y, size_t n, EskIcaMoments *moments);
  /* out = x * y */
  void (*multiply)  (const float *x, const float *y, size_t count, float *out);
} EskCpuIcaLoops;

extern const EskCpuIcaLoops esk_cpu_ica_loops_portable;
/* NULL where the program has been built for another processor. */
extern const EskCpuIcaLoops * const esk_cpu_ica_loops_avx2;

/* Those that go with the stream's other loops. */
static inline const EskCpuIcaLoops *
esk_cpu_ica_loops (const EskStream *stream)
{
  return stream->has_avx2 && esk_cpu_ica_loops_avx2 != NULL ? esk_cpu_ica_loops_avx2 : &esk_cpu_ica_loops_portable;
}

/* What may be asked of ica_step () and ica_moments (): ESK_OK or ESK_ERROR_ARGUMENT. */
int esk_ica_check (const float *whitened, size_t count, size_t plane_stride, const EskContrast *contrast,
                   const EskMatrix *w);

/* Copies n samples of every plane to a row each and pads with zeros; returns the padded count. */
size_t esk_cpu_ica_fill (const float *planes, size_t plane_stride, size_t n_planes, size_t n, float *panel,
                         size_t stride);

/* The hot spots, as in EskIcaHotspots. */
int esk_cpu_compact     (EskStream *stream, const float *planes, size_t n, size_t plane_stride, size_t n_planes,
                         const EskSampling *sampling, float *out, size_t out_stride, size_t *count);
int esk_cpu_ica_step    (EskStream *stream, const float *whitened, size_t count, size_t plane_stride,
                         const EskContrast *contrast, const EskMatrix *w, EskIcaSums *sums);
int esk_cpu_ica_moments (EskStream *stream, const float *whitened, size_t count, size_t plane_stride,
                         const EskContrast *contrast, const EskMatrix *w, EskIcaMoments *moments);
int esk_cpu_moment_sums (EskStream *stream, const float *whitened, size_t count, size_t plane_stride, size_t m,
                         EskCovariance *sums);
