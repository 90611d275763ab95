/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Independent components: what the launchers and their engines share.
 *
 * Every engine leaves float64 partial sums in slots, which are added in the order of the slots: the same bytes for the
 * same samples. Samples beyond the last count as zeros; what is summed is nothing there, hence g' (0) - g' (y) and not
 * g' (y) itself.
 */

#include "es-hotspots-ica.h"

#include "cuda/core/es-cuda-internal.h"

/* Numbers of w that go along with a launch: all that a kernel is given is no more than 4 KiB. */
#define ESK_ICA_ALONG 960

/* A call. Pointers are the device's, but for `matrix`, which is w as the caller gave it. */
typedef struct {
  const float *z;
  size_t       n, stride;
  unsigned     rows, columns;
  const float *w;              /* rows x columns; NULL: they are in `along` */
  const EskMatrix *matrix;
  float        slope;
  float        along[ESK_ICA_ALONG];
} EskIcaCall;

/* What a step sums: product of rows x columns, then the rows' g' (0) - g' (y), as y^2 (cubic; it is - 3 y^2) or g^2
 * (tanh; it is slope g^2). */
static inline size_t
esk_ica_step_values (const EskIcaCall *call)
{
  return (size_t) call->rows * (call->columns + 1);
}

/* y^2, y^3, y^4 and the contrast: y^4, log cosh (slope y), or 1 - exp (-y^2 / 2). */
#define ESK_ICA_MOMENTS 4

/* Engines: each writes `totals` (float64), which may lie in page-locked memory, the plain one adds to them. ESK_OK or a
 * code. */
/* es-cuda-ica-plain.cu: any card, any number of components. */
int esk_cuda_ica_plain         (EskStream *stream, const EskIcaCall *call, EskContrastKind kind, double *totals);
int esk_cuda_ica_plain_moments (EskStream *stream, const EskIcaCall *call, EskContrastKind kind, double *totals);
/* es-cuda-ica-single.cu: one row, at most 64 columns. */
#define ESK_ICA_SINGLE_COLUMNS 64
int esk_cuda_ica_single        (EskStream *stream, const EskIcaCall *call, EskContrastKind kind, double *totals);
/* es-cuda-ica-tensor.cu: compute capability 8.0 and later, at most 64 columns. */
#define ESK_ICA_TENSOR_COLUMNS 64
int esk_cuda_ica_tensor        (EskStream *stream, const EskIcaCall *call, EskContrastKind kind, double *totals);
/* es-cuda-ica-tensor-moments.cu: likewise. */
int esk_cuda_ica_tensor_moments (EskStream *stream, const EskIcaCall *call, EskContrastKind kind, double *totals);

/* totals[i] += partial[0][i] + partial[1][i] + ...; or = that. */
int esk_cuda_ica_add_slots     (EskStream *stream, const double *partial, size_t n_slots, size_t n_values,
                                double *totals);
int esk_cuda_ica_sum_slots     (EskStream *stream, const double *partial, size_t n_slots, size_t n_values,
                                double *totals);

/* es-cuda-moments-tensor.cu: compute capability 8.0 and later, as many planes as its shared memory holds the
 * monomials of. ESK_ERROR_ARGUMENT where that is too little; nothing is done then. */
int esk_cuda_moments_tensor    (EskStream *stream, const float *z, size_t n, size_t stride, unsigned m,
                                EskCovariance *sums);

/* The hot spots, as in EskHotspots. */
int esk_cuda_compact     (EskStream *stream, const float *planes, size_t n, size_t plane_stride, size_t n_planes,
                          const EskSampling *sampling, float *out, size_t out_stride, size_t *count);
int esk_cuda_ica_step    (EskStream *stream, const float *whitened, size_t count, size_t plane_stride,
                          const EskContrast *contrast, const EskMatrix *w, EskIcaSums *sums);
int esk_cuda_ica_moments (EskStream *stream, const float *whitened, size_t count, size_t plane_stride,
                          const EskContrast *contrast, const EskMatrix *w, EskIcaMoments *moments);
int esk_cuda_moment_sums (EskStream *stream, const float *whitened, size_t count, size_t plane_stride, size_t m,
                          EskCovariance *sums);

#ifdef __CUDACC__

/* Number i of w. call: what a kernel was given. */
static __device__ __forceinline__ float
esk_ica_weight (const EskIcaCall &call,
                size_t            i)
{
  return call.w != NULL ? call.w[i] : call.along[i];
}

/* What y is multiplied with before the exponential of tanh. */
#define ESK_ICA_TANH_FACTOR 2.88539008f

/* The contrasts; that of tanh of y times slope and ESK_ICA_TANH_FACTOR. Exponentials are the processor's own, whose
 * error (2 units in the last place) is far below that of a mean of samples; g is wrong by 1.2e-7 of its largest
 * value. */
template <EskContrastKind kind>
static __device__ __forceinline__ float
esk_ica_contrast (float  y,
                  float *missing)
{
  if (kind == ESK_CONTRAST_CUBIC)
    {
      float square = y * y;

      *missing += square;
      return square * y;
    }
  if (kind == ESK_CONTRAST_TANH)
    {
      /* 1 - 2 / (1 + exp (2 slope y)), of 2 slope y / log 2. */
      float e, r, g;

      asm ("ex2.approx.ftz.f32 %0, %1;" : "=f"(e) : "f"(y));
      asm ("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(e + 1.0f));
      g = fmaf (-2.0f, r, 1.0f);
      *missing = fmaf (g, g, *missing);
      return g;
    }

  float square = y * y, e;

  asm ("ex2.approx.ftz.f32 %0, %1;" : "=f"(e) : "f"(square * -0.721347520f));
  *missing += 1.0f - (1.0f - square) * e;

  return y * e;
}

/* Adds to the four of ESK_ICA_MOMENTS. */
template <EskContrastKind kind>
static __device__ __forceinline__ void
esk_ica_add_moments (float y,
                     float slope,
                     float moments[ESK_ICA_MOMENTS])
{
  float square = y * y, value = 0.0f;

  moments[0] += square;
  moments[1] = fmaf (square, y, moments[1]);
  moments[2] = fmaf (square, square, moments[2]);
  if (kind == ESK_CONTRAST_TANH)
    {
      float a = fabsf (y * slope), e, l;

      asm ("ex2.approx.ftz.f32 %0, %1;" : "=f"(e) : "f"(a * -2.88539008f));
      asm ("lg2.approx.ftz.f32 %0, %1;" : "=f"(l) : "f"(e + 1.0f));
      value = fmaf (l - 1.0f, 0.693147181f, a);
    }
  else if (kind == ESK_CONTRAST_GAUSS)
    {
      float e;

      asm ("ex2.approx.ftz.f32 %0, %1;" : "=f"(e) : "f"(square * -0.721347520f));
      value = 1.0f - e;
    }
  else
    value = square * square;
  moments[3] += value;
}

/* Calls function<kind> (...). */
#define ESK_ICA_BY_KIND(kind, code, function, ...)                                                            \
  switch (kind)                                                                                               \
    {                                                                                                         \
    case ESK_CONTRAST_CUBIC: (code) = function<ESK_CONTRAST_CUBIC> (__VA_ARGS__); break;                      \
    case ESK_CONTRAST_TANH: (code) = function<ESK_CONTRAST_TANH> (__VA_ARGS__); break;                        \
    case ESK_CONTRAST_GAUSS: (code) = function<ESK_CONTRAST_GAUSS> (__VA_ARGS__); break;                      \
    default: (code) = ESK_ERROR_ARGUMENT; break;                                                              \
    }

#endif
