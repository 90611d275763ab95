/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Vectors on the CPU. They are cut into pieces whose size is fixed; threads take pieces, each piece leaves the sums of
 * its own, and these are added in their order: the same bytes for any number of threads.
 */

#include "cpu/core/es-cpu-team-internal.h"
#include "es-hotspots-vectors.h"

#include <math.h>

/* Elements of a piece, and of a strip of it that stays in the first-level cache between two loops. */
#define ESK_PIECE 8192
#define ESK_STRIP 1024

/* Loops over one piece, of one type. Sums are set. */
typedef struct
{
  void (*fill)       (size_t n, double value, void *x);
  void (*dots)       (size_t n, size_t n_dots, const void * const *x, const void * const *y, double *sums);
  void (*combine)    (size_t n, size_t n_terms, const double *scales, const void * const *vectors, void *out,
                      size_t n_dots, const void * const *with, double *sums);
  void (*descend)    (size_t n, double a, const void *q, void *r, const void *diagonal, double *sums);
  void (*direct)     (size_t n, double a, double b, const void *r, const void *diagonal, void *p, void *x);
  void (*basis_dots) (size_t n, size_t k, const void *basis, size_t stride, const void *w, double *sums);
  /* dots: room for k sums; NULL: none are wanted. norm likewise. */
  void (*basis_add)  (size_t n, size_t k, const void *basis, size_t stride, const double *coefficients, void *w,
                      double *norm, double *dots);
  void (*jacobi)     (size_t n, const void *x, const void *f, void *y, double *largest);
  void (*scale)      (size_t n, const void *diagonal, const void *r, void *z, double *dot);
  void (*blocks)     (size_t n, size_t block, const void *blocks, const void *r, void *z, double *dot);
} EskCpuVectorLoops;

/* Of float32 and of float64. */
extern const EskCpuVectorLoops         esk_cpu_vector_loops_portable[2];
extern const EskCpuVectorLoops * const esk_cpu_vector_loops_avx2, * const esk_cpu_vector_loops_avx512;

/* Those of the stream's processor. */
const EskCpuVectorLoops *esk_cpu_vector_loops (const EskStream *stream, EskType type);

static inline bool
esk_is_vector_type (EskType type)
{
  return type == ESK_F32 || type == ESK_F64;
}

/* x from element `first` on; NULL stays NULL. */
static inline const void *
esk_vector_at (const void *x,
               EskType     type,
               size_t      first)
{
  return x == NULL ? NULL : (const char *) x + first * esk_type_size (type);
}

static inline void *
esk_vector_part (void   *x,
                 EskType type,
                 size_t  first)
{
  return x == NULL ? NULL : (char *) x + first * esk_type_size (type);
}

double esk_scalar_value (const EskScalar *scalar);

/*
 * Calls work (data, first element, elements, sums) for each piece of n elements, on the stream's threads, with room for
 * n_sums sums a piece; then slots[i] = the sum of the pieces' sums (maximum: the largest, or a NAN). piece: elements,
 * ESK_PIECE or what divides the work otherwise.
 */
typedef void (*EskPieceWork) (void *data, size_t first, size_t n, double *sums);
int esk_run_pieces (EskStream *stream, size_t n, size_t piece, size_t n_sums, bool maximum, EskPieceWork work,
                    void *data, double *slots);

/* The entries, by file. */
int esk_cpu_fill        (EskStream *stream, EskType type, size_t n, double value, void *x);
int esk_cpu_dots        (EskStream *stream, EskType type, size_t n, size_t n_dots, const void * const *x,
                         const void * const *y, double *slots);
int esk_cpu_combine     (EskStream *stream, EskType type, size_t n, size_t n_terms, const EskTerm *terms, void *out,
                         size_t n_dots, const void * const *with, double *slots);
int esk_cpu_descend     (EskStream *stream, EskType type, size_t n, const EskScalar *a, const void *q, void *r,
                         const void *diagonal, double *slots);
int esk_cpu_direct      (EskStream *stream, EskType type, size_t n, const EskScalar *a, const EskScalar *b,
                         const void *r, const void *diagonal, void *p, void *x);
int esk_cpu_jacobi_step (EskStream *stream, EskType type, size_t n, const void *x, const void *f, void *y,
                         double *largest);
int esk_cpu_scale       (EskStream *stream, EskType type, size_t n, const void *diagonal, const void *r, void *z,
                         double *dot);
int esk_cpu_block_scale (EskStream *stream, EskType type, size_t n, size_t block, const void *blocks, const void *r,
                         void *z, double *dot);
int esk_cpu_basis_dots  (EskStream *stream, EskType type, size_t n, size_t k, const void *basis, size_t stride,
                         const void *w, double *slots);
int esk_cpu_basis_add   (EskStream *stream, EskType type, size_t n, size_t k, const void *basis, size_t stride,
                         double factor, const double *coefficients, void *w, double *norm);
int esk_cpu_basis_again (EskStream *stream, EskType type, size_t n, size_t k, const void *basis, size_t stride,
                         double factor, const double *coefficients, void *w, double *slots);
int esk_cpu_triangles_new   (EskStream *stream, const EskCsr *factors, EskTriangles **triangles);
void esk_cpu_triangles_free (EskStream *stream, EskTriangles *triangles);
int esk_cpu_triangles_solve (EskStream *stream, EskTriangles *triangles, const void *r, void *z);
int esk_cpu_inner_published (EskStream *stream, size_t n, const float *x, const float *y, double *slot);
