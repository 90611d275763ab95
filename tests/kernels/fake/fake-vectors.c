/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Vectors of solvers on the fake cards: the processor's; triangles do not pay here. */

#include "fake-device.h"

/* What the call answers, once it may be made. */
#define ON_CARD(stream, call) \
  do { int code = fake_work (stream); return code != ESK_OK ? code : esk_cpu_hotspots ()->vectors->call; } while (0)

static int
fake_fill (EskStream *stream, EskType type, size_t n, double value, void *x)
{
  ON_CARD (stream, fill (stream->cpu, type, n, value, x));
}

static int
fake_dots (EskStream *stream, EskType type, size_t n, size_t n_dots, const void * const *x, const void * const *y,
           double *slots)
{
  ON_CARD (stream, dots (stream->cpu, type, n, n_dots, x, y, slots));
}

static int
fake_combine (EskStream *stream, EskType type, size_t n, size_t n_terms, const EskTerm *terms, void *out,
              size_t n_dots, const void * const *with, double *slots)
{
  ON_CARD (stream, combine (stream->cpu, type, n, n_terms, terms, out, n_dots, with, slots));
}

static int
fake_descend (EskStream *stream, EskType type, size_t n, const EskScalar *a, const void *q, void *r,
              const void *diagonal, double *slots)
{
  ON_CARD (stream, descend (stream->cpu, type, n, a, q, r, diagonal, slots));
}

static int
fake_direct (EskStream *stream, EskType type, size_t n, const EskScalar *a, const EskScalar *b, const void *r,
             const void *diagonal, void *p, void *x)
{
  ON_CARD (stream, direct (stream->cpu, type, n, a, b, r, diagonal, p, x));
}

static int
fake_basis_dots (EskStream *stream, EskType type, size_t n, size_t k, const void *basis, size_t stride, const void *w,
                 double *slots)
{
  ON_CARD (stream, basis_dots (stream->cpu, type, n, k, basis, stride, w, slots));
}

static int
fake_basis_add (EskStream *stream, EskType type, size_t n, size_t k, const void *basis, size_t stride, double factor,
                const double *coefficients, void *w, double *norm)
{
  ON_CARD (stream, basis_add (stream->cpu, type, n, k, basis, stride, factor, coefficients, w, norm));
}

static int
fake_jacobi_step (EskStream *stream, EskType type, size_t n, const void *x, const void *f, void *y, double *largest)
{
  ON_CARD (stream, jacobi_step (stream->cpu, type, n, x, f, y, largest));
}

static int
fake_scale (EskStream *stream, EskType type, size_t n, const void *diagonal, const void *r, void *z, double *dot)
{
  ON_CARD (stream, scale (stream->cpu, type, n, diagonal, r, z, dot));
}

static int
fake_block_scale (EskStream *stream, EskType type, size_t n, size_t block, const void *blocks, const void *r, void *z,
                  double *dot)
{
  ON_CARD (stream, block_scale (stream->cpu, type, n, block, blocks, r, z, dot));
}

static int
fake_inner_published (EskStream *stream, size_t n, const float *x, const float *y, double *slot)
{
  ON_CARD (stream, inner_published (stream->cpu, n, x, y, slot));
}

const EskVectorsHotspots fake_vectors_hotspots = {
  .fill = fake_fill,
  .dots = fake_dots,
  .combine = fake_combine,
  .descend = fake_descend,
  .direct = fake_direct,
  .basis_dots = fake_basis_dots,
  .basis_add = fake_basis_add,
  .jacobi_step = fake_jacobi_step,
  .scale = fake_scale,
  .block_scale = fake_block_scale,
  .inner_published = fake_inner_published,
};
