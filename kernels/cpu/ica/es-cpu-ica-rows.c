/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Orthonormal rows. (w w')^(-1/2) w is the orthogonal factor of the polar decomposition of w, and what Newton's
 * iteration w <- (w + inverse of w') / 2 comes to, which does not square what lengths of directions differ by (N. J.
 * Higham, Computing the polar decomposition - with applications, SIAM J. Sci. Stat. Comput. 7, 1986; scaled by
 * Frobenius norms): a few small inverses, where eigenvectors take four times as long. The last steps are Newton and
 * Schulz's, which have products alone. Where directions are almost missing, or rows are many, LAPACK does it.
 */

#include "es-ica-host.h"

#include "host/es-blas-internal.h"
#include "es-cpu-algebra-private.h"
#include "es-eigen.h"

#include <cblas.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* LAPACK, from OpenBLAS: singular values and vectors by divide and conquer. */
extern void dgesdd_ (const char *jobz, const blasint *m, const blasint *n, double *a, const blasint *lda, double *s,
                     double *u, const blasint *ldu, double *vt, const blasint *ldvt, double *work,
                     const blasint *lwork, blasint *iwork, blasint *info);

/* Directions of w that are shorter than this, relative to the longest, are not there. */
#define SMALLEST_DIRECTION 1e-13
/* Squares of lengths further apart than this are too inexact for the square of w to tell them. */
#define SMALLEST_SQUARE 1e-9

/* Of more rows LAPACK's blocks are faster. */
#define NEWTON_ROWS 80
/* Frobenius norms of w and its inverse, multiplied: at least what the lengths of directions differ by, and at most m
 * times that. */
#define NEWTON_CONDITION 1e8
/* Far more than it takes: ten where the condition is 1e16. */
#define NEWTON_STEPS 30
/* So near, in Frobenius' norm, what is left is a sixth of it. */
#define NEWTON_NEAR 0.3
/* From a square that is so near to the unit the next one is as near as float64 has it. */
#define POLISHED 1e-8
#define POLISH_STEPS 8

/* ---- by Newton's iteration ---- */

typedef struct
{
  const EskCpuAlgebra *algebra;
  size_t  m, stride;
  double *w, *inverse, *scratch;           /* m x m, zeros up to the stride */
  double *room;                            /* m */
  size_t *order;                           /* m */
  void   *memory;
} Newton;

static bool
newton_init (Newton *self, size_t m)
{
  const EskCpuAlgebra *algebra = esk_cpu_algebra ();
  const size_t stride = (m + algebra->lanes - 1) / algebra->lanes * algebra->lanes;
  /* Whole lines each; an index is no longer than a number. */
  const size_t matrix = (m * stride + ESK_ALGEBRA_ROUND - 1) / ESK_ALGEBRA_ROUND * ESK_ALGEBRA_ROUND;
  const size_t row = (m + ESK_ALGEBRA_ROUND - 1) / ESK_ALGEBRA_ROUND * ESK_ALGEBRA_ROUND;
  const size_t bytes = (3 * matrix + 2 * row) * sizeof (double);
  double *memory = aligned_alloc (ESK_ALGEBRA_ALIGNMENT, bytes);

  if (memory == NULL)
    return false;
  memset (memory, 0, bytes);
  *self = (Newton) { algebra, m, stride, memory, memory + matrix, memory + 2 * matrix, memory + 3 * matrix,
                     (size_t *) (memory + 3 * matrix + row), memory };
  return true;
}

/* false: it is none of those that this is made for. */
static bool
newton_run (Newton *self)
{
  const EskCpuAlgebra *algebra = self->algebra;
  const size_t m = self->m, n = m * self->stride;
  double moved = INFINITY;

  for (int step = 0; step < NEWTON_STEPS && moved > NEWTON_NEAR * NEWTON_NEAR; step++)
    {
      const double norm = sqrt (algebra->square_sum (n, self->w));
      double inverse_norm;

      memcpy (self->scratch, self->w, n * sizeof (double));
      if (!algebra->invert (m, self->stride, self->scratch, self->inverse, self->room, self->order))
        return false;
      inverse_norm = sqrt (algebra->square_sum (n, self->inverse));
      if (!(norm * inverse_norm < NEWTON_CONDITION))
        return false;
      moved = algebra->average (n, sqrt (inverse_norm / norm), self->inverse, self->w);
    }
  return moved <= NEWTON_NEAR * NEWTON_NEAR;
}

/* w = w (3 - w'w) / 2, Newton and Schulz's: by how much w'w is not the unit is squared. false: it does not end. */
static bool
newton_polish (Newton *self)
{
  const EskCpuAlgebra *algebra = self->algebra;
  const size_t m = self->m, stride = self->stride;
  double before = INFINITY;

  for (int step = 0; step < POLISH_STEPS && before > POLISHED * POLISHED; step++)
    {
      double *square = self->inverse, *next = self->scratch;

      algebra->multiply (m, stride, m, self->w, 1, stride, self->w, stride, square, stride);
      before = algebra->reflect (m, stride, square);
      algebra->multiply (m, stride, m, self->w, stride, 1, square, stride, next, stride);
      self->scratch = self->w;
      self->w = next;
    }
  return before <= POLISHED * POLISHED;
}

/* *done: w is orthonormal; otherwise it is as it was. */
static int
orthonormalise_by_newton (size_t m, double *w, bool *done)
{
  Newton newton;

  *done = false;
  if (!newton_init (&newton, m))
    return ESK_ERROR_MEMORY;
  for (size_t i = 0; i < m; i++)
    memcpy (newton.w + i * newton.stride, w + i * m, m * sizeof (double));
  *done = newton_run (&newton) && newton_polish (&newton);
  for (size_t i = 0; *done && i < m; i++)
    memcpy (w + i * m, newton.w + i * newton.stride, m * sizeof (double));
  free (newton.memory);
  return ESK_OK;
}

/* ---- by LAPACK ---- */

/* w = (3 - w w') w / 2, Newton and Schulz's: by how much w w' is not the unit is squared. Returns how much it was. */
static double
polish_rows (size_t m, double *w, double *square, double *copy)
{
  double worst = 0;

  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasTrans, (int) m, (int) m, (int) m, 1.0, w, (int) m, w, (int) m, 0.0,
               square, (int) m);
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++)
      worst = fmax (worst, fabs (square[i * m + j] - (i == j)));
  memcpy (copy, w, m * m * sizeof (double));
  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, (int) m, (int) m, (int) m, -0.5, square, (int) m, copy,
               (int) m, 1.5, w, (int) m);
  return worst;
}

/* By singular values, which squares would lose: w = U V' of w = U S V'. Slower by some times. */
static int
orthonormalise_by_singular_values (size_t m, double *w, double *u, double *values, double *vectors, double *copy)
{
  const blasint n = (blasint) m;
  blasint info = 0, work_size = -1, *integers = malloc (8 * m * sizeof *integers);
  double wanted = 0, *work = NULL;

  if (integers == NULL)
    return ESK_ERROR_MEMORY;
  /* Column by column w is w', and what comes out is the transpose, too. */
  memcpy (copy, w, m * m * sizeof (double));
  dgesdd_ ("A", &n, &n, copy, &n, values, u, &n, vectors, &n, &wanted, &work_size, integers, &info);
  work_size = (blasint) wanted;
  if (info == 0 && work_size > 0)
    work = malloc ((size_t) work_size * sizeof (double));
  if (work != NULL)
    dgesdd_ ("A", &n, &n, copy, &n, values, u, &n, vectors, &n, work, &work_size, integers, &info);
  free (integers);
  free (work);
  if (work == NULL)
    return ESK_ERROR_MEMORY;
  if (info != 0 || !(values[m - 1] > SMALLEST_DIRECTION * values[0]))
    return ESK_ERROR_NO_CONVERGENCE;
  cblas_dgemm (CblasColMajor, CblasNoTrans, CblasNoTrans, (int) m, (int) m, (int) m, 1.0, u, (int) m, vectors, (int) m,
               0.0, w, (int) m);
  return ESK_OK;
}

static int
orthonormalise_once (size_t m, double *w, double *square, double *values, double *vectors, double *scaled)
{
  int code;

  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasTrans, (int) m, (int) m, (int) m, 1.0, w, (int) m, w, (int) m, 0.0,
               square, (int) m);
  code = esk_eigen_lapack (m, square, values, vectors);
  if (code != ESK_OK)
    return code == ESK_ERROR_ARGUMENT ? ESK_ERROR_NO_CONVERGENCE : code;
  if (!(values[m - 1] > SMALLEST_SQUARE * values[0]))
    return orthonormalise_by_singular_values (m, w, square, values, vectors, scaled);

  /* Rows of `vectors` are eigenvectors: the inverse root is vectors' diag vectors. */
  for (size_t k = 0; k < m; k++)
    for (size_t j = 0; j < m; j++)
      scaled[k * m + j] = vectors[k * m + j] / sqrt (values[k]);
  cblas_dgemm (CblasRowMajor, CblasTrans, CblasNoTrans, (int) m, (int) m, (int) m, 1.0, vectors, (int) m, scaled,
               (int) m, 0.0, square, (int) m);
  memcpy (scaled, w, m * m * sizeof (double));
  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, (int) m, (int) m, (int) m, 1.0, square, (int) m, scaled,
               (int) m, 0.0, w, (int) m);
  return ESK_OK;
}

static int
orthonormalise_by_lapack (size_t m, double *w)
{
  const size_t n = m * m;
  double *memory = malloc ((3 * n + m) * sizeof (double));
  int code;

  if (memory == NULL || esk_blas_enter () != ESK_OK)
    {
      free (memory);
      return ESK_ERROR_MEMORY;
    }

  code = orthonormalise_once (m, w, memory, memory + 3 * n, memory + n, memory + 2 * n);
  /* Rounding grows with the condition of w; mostly one look is enough. */
  for (int i = 0; code == ESK_OK && i < 5; i++)
    if (polish_rows (m, w, memory, memory + n) < POLISHED)
      break;
  esk_blas_leave ();
  free (memory);
  return code;
}

/* ---- whichever it is ---- */

int
esk_orthonormalise_rows (size_t m, double *w)
{
  bool done = false;
  size_t n;
  int code = ESK_OK;

  if (m == 0 || m > INT_MAX || __builtin_mul_overflow (m, m, &n))
    return ESK_ERROR_ARGUMENT;
  if (m <= NEWTON_ROWS)
    code = orthonormalise_by_newton (m, w, &done);

  return code != ESK_OK || done ? code : orthonormalise_by_lapack (m, w);
}
