/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Vectors of iterative solvers: the hot spots, as in EskVectorsHotspots. */

#include "es-hotspots-vectors.h"

#include "cuda/core/es-cuda-internal.h"

int esk_cuda_fill        (EskStream *stream, EskType type, size_t n, double value, void *x);
int esk_cuda_dots        (EskStream *stream, EskType type, size_t n, size_t n_dots, const void * const *x,
                          const void * const *y, double *slots);
int esk_cuda_combine     (EskStream *stream, EskType type, size_t n, size_t n_terms, const EskTerm *terms, void *out,
                          size_t n_dots, const void * const *with, double *slots);
int esk_cuda_descend     (EskStream *stream, EskType type, size_t n, const EskScalar *a, const void *q, void *r,
                          const void *diagonal, double *slots);
int esk_cuda_direct      (EskStream *stream, EskType type, size_t n, const EskScalar *a, const EskScalar *b,
                          const void *r, const void *diagonal, void *p, void *x);
int esk_cuda_basis_dots  (EskStream *stream, EskType type, size_t n, size_t k, const void *basis, size_t stride,
                          const void *w, double *slots);
int esk_cuda_basis_add   (EskStream *stream, EskType type, size_t n, size_t k, const void *basis, size_t stride,
                          double factor, const double *coefficients, void *w, double *norm);
int esk_cuda_jacobi_step (EskStream *stream, EskType type, size_t n, const void *x, const void *f, void *y,
                          double *largest);
int esk_cuda_multiply_dots   (EskStream *stream, EskSparseProduct *product, const void *x, void *y, size_t n_dots,
                              const void * const *with, double *slots);
int esk_cuda_multiply_jacobi (EskStream *stream, EskSparseProduct *product, const void *x, const void *f, void *y,
                              double *largest);
int esk_cuda_scale       (EskStream *stream, EskType type, size_t n, const void *diagonal, const void *r, void *z,
                          double *dot);
int esk_cuda_block_scale (EskStream *stream, EskType type, size_t n, size_t block, const void *blocks, const void *r,
                          void *z, double *dot);
int esk_cuda_inner_published (EskStream *stream, size_t n, const float *x, const float *y, double *slot);

static inline bool
esk_cuda_is_vector (EskType type)
{
  return type == ESK_F32 || type == ESK_F64;
}

/* Calls function<T> (...). */
#define ESK_VECTORS_BY_TYPE(type, code, function, ...)                                                        \
  switch (type)                                                                                               \
    {                                                                                                         \
    case ESK_F32: (code) = function<float> (__VA_ARGS__); break;                                              \
    case ESK_F64: (code) = function<double> (__VA_ARGS__); break;                                             \
    default: (code) = ESK_ERROR_ARGUMENT; break;                                                              \
    }
