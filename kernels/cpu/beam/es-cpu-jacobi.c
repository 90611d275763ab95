/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Two-sided Jacobi rotations of a Hermitian matrix (sonar.md 7), the pairs of a step all at once: what they turn is
 * read from the matrix before any of them is done. Where a step has many, each pair of rows is turned, and then the
 * columns within these rows, while they are in the first-level cache: the matrix is read and written once a step. Where
 * it has few (a matrix of low rank), only their rows and columns are touched.
 *
 * Rows are planes: real parts and imaginary ones. A matrix of odd order has a last row and column of zeros, which no
 * rotation touches: the dummy of the schedule.
 */

#include "es-cpu-adaptive-private.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PIVOT_TOLERANCE 1e-15
/* What may be left off the diagonal where there are no more pivots, or no more sweeps. */
#define OFF_TOLERANCE 1e-12
/* Below this many rows a step is done before threads have heard of it. */
#define ROWS_FOR_THREADS 192
#define PAIRS_AT_A_TIME 16

typedef struct
{
  uint32_t p, q;
  double   c, s_re, s_im;      /* s = sine times e, the pivot over its magnitude */
  double   a_pp, a_qq;         /* afterwards */
} Rotation;

typedef struct
{
  const EskCpuAdaptiveLoops *loops;
  EskStream  *stream;          /* NULL: no other threads */
  size_t      n, even, width, plane;         /* width: of a row's part, in whole vectors */
  double     *a, *v;           /* rows of 2 * plane; row m of v is what becomes eigenvector m */
  Rotation   *rotations;       /* of a step */
  size_t      n_rotations;
  uint32_t   *pairs;           /* of a step */
  size_t      left_out;        /* the row that meets the dummy in a step */
  uint32_t   *active;          /* 1 + where a pair's rotation is; 0: none */
  uint8_t    *quiet;           /* of each row: it has no pivot, and never will */
  double      least;           /* magnitude of a pivot */
  EskColumns  columns;
  double     *scratch;         /* of each thread 2 * columns.scratch */
} Jacobi;

static double *
row_of (const Jacobi *self,
        double       *matrix,
        size_t        row)
{
  return matrix + row * 2 * self->plane;
}

/* ---- a step ---- */

/* lab: jacobi-rotations */
/* false: the pivot is small enough. */
static bool
find_rotation (const Jacobi *self,
               size_t        p,
               size_t        q,
               Rotation     *r)
{
  const double *row = row_of (self, self->a, p);
  const double re = row[q], im = row[self->plane + q], m = sqrt (re * re + im * im);
  double a_pp, a_qq, tau, t, s;

  if (m <= self->least)
    return false;
  a_pp = row[p];
  a_qq = row_of (self, self->a, q)[q];
  tau = (a_qq - a_pp) / (2.0 * m);
  t = copysign (1.0, tau) / (fabs (tau) + sqrt (1.0 + tau * tau));
  r->p = (uint32_t) p;
  r->q = (uint32_t) q;
  r->c = 1.0 / sqrt (1.0 + t * t);
  s = t * r->c / m;
  r->s_re = s * re;
  r->s_im = s * im;
  r->a_pp = a_pp - t * m;
  r->a_qq = a_qq + t * m;

  return true;
}

/* The 2 x 2 block in the corner is known exactly. */
static void
finish_corner (const Jacobi   *self,
               const Rotation *r)
{
  double *p = row_of (self, self->a, r->p), *q = row_of (self, self->a, r->q);

  p[r->p] = r->a_pp;
  q[r->q] = r->a_qq;
  p[self->plane + r->p] = q[self->plane + r->q] = 0.0;
  p[r->q] = p[self->plane + r->q] = q[r->p] = q[self->plane + r->p] = 0.0;
}

static void
turn_rows (const Jacobi   *self,
           const Rotation *r)
{
  self->loops->rotate (row_of (self, self->a, r->p), row_of (self, self->a, r->q), self->width, self->plane, r->c,
                       r->s_re, r->s_im);
  /* Rows of the transposed vectors: columns p and q. */
  self->loops->rotate (row_of (self, self->v, r->p), row_of (self, self->v, r->q), self->width, self->plane, r->c,
                       r->s_re, -r->s_im);
}

/* Others turn a row's columns, which keeps its norm: with so little beside its diagonal, none of it can become a pivot,
 * and what is there need not be turned any more. Of a matrix of rank 1 rows die away one by one. */
static bool
is_quiet (const Jacobi *self,
          size_t        row)
{
  const double *re = row_of (self, self->a, row), *im = re + self->plane, most = 0.0625 * self->least * self->least;
  double sum = 0.0;

  for (size_t k = 0; k < self->n && sum <= most; k++)
    if (k != row)
      sum += re[k] * re[k] + im[k] * im[k];

  return sum <= most;
}

static void
look_at_rows (const Jacobi   *self,
              const Rotation *r)
{
  self->quiet[r->p] = is_quiet (self, r->p);
  self->quiet[r->q] = is_quiet (self, r->q);
}

/* One rotation alone: its columns are the conjugates of its rows. */
static void
turn_alone (const Jacobi   *self,
            const Rotation *r)
{
  const double *p = row_of (self, self->a, r->p), *q = row_of (self, self->a, r->q);

  turn_rows (self, r);
  finish_corner (self, r);
  look_at_rows (self, r);
  for (size_t k = 0; k < self->n; k++)
    {
      double *row = row_of (self, self->a, k);

      if (k == r->p || k == r->q || self->quiet[k])
        continue;
      row[r->p] = p[k];
      row[r->q] = q[k];
      row[self->plane + r->p] = -p[self->plane + k];
      row[self->plane + r->q] = -q[self->plane + k];
    }
}

/* The columns' view of the rotations of a step. */
static void
set_columns (Jacobi *self,
             size_t  step)
{
  EskColumns *columns = &self->columns;
  const size_t round = columns->n, sum = (2 * round - 2 - 2 * step % round) % round;

  for (size_t k = 0; k < esk_round_up (round, 8); k++)
    {
      columns->c[k] = 1.0;
      columns->w_re[k] = columns->w_im[k] = 0.0;
    }
  columns->shift = (2 * round - 1 - sum) % round;
  columns->lone = (round - 1 - step % round) % round;
  columns->first_c = 1.0;
  columns->first_re = columns->first_im = 0.0;
  for (size_t k = 0; k < self->n_rotations; k++)
    {
      const Rotation *r = &self->rotations[k];

      if (r->p == 0)
        {
          columns->first_c = r->c;
          columns->first_re = r->s_re;
          columns->first_im = r->s_im;
          continue;
        }
      columns->c[r->p - 1] = columns->c[r->q - 1] = r->c;
      columns->w_re[r->p - 1] = -r->s_re;
      columns->w_im[r->p - 1] = r->s_im;
      columns->w_re[r->q - 1] = r->s_re;
      columns->w_im[r->q - 1] = r->s_im;
    }
}

/* The pairs of rows from `item` on, of all pairs: those that are not turned have columns that are. */
static void
turn_pairs (void    *data,
            size_t   item,
            unsigned worker)
{
  const Jacobi *self = data;
  double *scratch = self->scratch + worker * 2 * self->columns.scratch;
  const size_t n_pairs = self->n / 2, first = item * PAIRS_AT_A_TIME;

  for (size_t k = first; k < first + PAIRS_AT_A_TIME && k < n_pairs; k++)
    {
      const uint32_t p = self->pairs[2 * k], q = self->pairs[2 * k + 1];
      const Rotation *r = self->active[k] > 0 ? &self->rotations[self->active[k] - 1] : NULL;

      if (r != NULL)
        turn_rows (self, r);
      self->loops->turn_columns (row_of (self, self->a, p), self->plane, &self->columns, scratch);
      self->loops->turn_columns (row_of (self, self->a, q), self->plane, &self->columns, scratch);
      if (r != NULL)
        {
          finish_corner (self, r);
          look_at_rows (self, r);
        }
    }
  /* The one that the dummy would meet. */
  if (item == 0 && self->n % 2 == 1)
    self->loops->turn_columns (row_of (self, self->a, self->left_out), self->plane, &self->columns, scratch);
}

static void
do_step (Jacobi *self,
         size_t  step)
{
  const size_t n_pairs = esk_round_robin (self->n, step, self->pairs);

  self->n_rotations = 0;
  for (size_t k = 0; k < n_pairs; k++)
    {
      const uint32_t p = self->pairs[2 * k], q = self->pairs[2 * k + 1];
      const bool turns = !self->quiet[p] && !self->quiet[q]
                         && find_rotation (self, p, q, &self->rotations[self->n_rotations]);

      self->n_rotations += turns;
      self->active[k] = turns ? (uint32_t) self->n_rotations : 0;
    }
  if (self->n_rotations <= self->n / 24)
    {
      for (size_t k = 0; k < self->n_rotations; k++)
        turn_alone (self, &self->rotations[k]);
      return;
    }

  set_columns (self, step);
  if (self->n % 2 == 1)
    {
      /* Who is in no pair. */
      size_t sum = self->n * (self->n - 1) / 2;

      for (size_t k = 0; k < 2 * n_pairs; k++)
        sum -= self->pairs[k];
      self->left_out = sum;
    }
  if (self->stream != NULL && self->n >= ROWS_FOR_THREADS)
    esk_team_run (self->stream, (n_pairs + PAIRS_AT_A_TIME - 1) / PAIRS_AT_A_TIME, turn_pairs, self);
  else
    for (size_t item = 0; item * PAIRS_AT_A_TIME < n_pairs; item++)
      turn_pairs (self, item, 0);
}
/* lab end */

/* ---- all of them ---- */

/* Whether two rows are left that may have a pivot. */
static bool
has_pairs (const Jacobi *self)
{
  size_t loud = 0;

  for (size_t k = 0; k < self->n; k++)
    loud += !self->quiet[k];

  return loud > 1;
}

static double
relative_off (const Jacobi *self)
{
  double off = 0.0, all = 0.0;

  for (size_t i = 0; i < self->n; i++)
    {
      const double *row = row_of (self, self->a, i);

      for (size_t j = 0; j < self->n; j++)
        {
          const double square = row[j] * row[j] + row[self->plane + j] * row[self->plane + j];

          all += square;
          off += i != j ? square : 0.0;
        }
    }

  return off > 0.0 ? sqrt (off / all) : 0.0;
}

typedef struct
{
  double value;
  size_t index;
} Place;

static int
compare_places (const void *a,
                const void *b)
{
  const Place *x = a, *y = b;

  if (x->value != y->value)
    return x->value > y->value ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* Eigenvalues in descending order, and their vectors. */
static int
write_pairs (const Jacobi *self,
             int           exponent,
             double       *values,
             double       *vectors)
{
  Place *places = malloc (self->n * sizeof *places);

  if (places == NULL)
    return ESK_ERROR_MEMORY;
  for (size_t k = 0; k < self->n; k++)
    places[k] = (Place) { row_of (self, self->a, k)[k], k };
  qsort (places, self->n, sizeof *places, compare_places);
  for (size_t k = 0; k < self->n; k++)
    {
      const double *from = row_of (self, self->v, places[k].index);
      double *to = vectors + 2 * k * self->n;

      values[k] = ldexp (places[k].value, exponent);
      for (size_t i = 0; i < self->n; i++)
        {
          to[2 * i] = from[i];
          to[2 * i + 1] = from[self->plane + i];
        }
    }
  free (places);

  return ESK_OK;
}

/* Rooms; zeroed. */
static bool
jacobi_init (Jacobi *self,
             size_t  n)
{
  const unsigned threads = self->stream != NULL ? esk_team_size (self->stream) : 1;
  size_t bytes, more;

  self->n = n;
  self->even = n + n % 2;
  self->width = esk_round_up (self->even, 8);
  /* Columns from 1 on are taken in whole vectors, too; and rows are not to fall on the same lines of a cache. */
  self->plane = self->width + 16;
  self->columns.n = self->even - 1;
  self->columns.scratch = esk_round_up (2 * self->columns.n + 16, 8);
  if (__builtin_mul_overflow (self->even, self->plane * 2 * sizeof (double), &bytes) || bytes > SIZE_MAX / 4
      || __builtin_mul_overflow (self->columns.scratch * 2 * sizeof (double), (size_t) threads, &more))
    return false;
  self->a = aligned_alloc (64, bytes);
  self->v = aligned_alloc (64, bytes);
  self->columns.c = aligned_alloc (64, self->width * 3 * sizeof (double));
  self->scratch = aligned_alloc (64, more);
  self->rotations = malloc ((n / 2 + 1) * sizeof *self->rotations);
  self->pairs = malloc ((n + 1) * sizeof *self->pairs);
  self->active = malloc ((n / 2 + 1) * sizeof *self->active);
  self->quiet = malloc (n);
  if (self->a == NULL || self->v == NULL || self->columns.c == NULL || self->scratch == NULL || self->rotations == NULL
      || self->pairs == NULL || self->active == NULL || self->quiet == NULL)
    return false;
  memset (self->a, 0, bytes);
  memset (self->v, 0, bytes);
  memset (self->scratch, 0, more);
  self->columns.w_re = self->columns.c + self->width;
  self->columns.w_im = self->columns.w_re + self->width;

  return true;
}

static void
jacobi_clear (Jacobi *self)
{
  free (self->a);
  free (self->v);
  free (self->columns.c);
  free (self->scratch);
  free (self->rotations);
  free (self->pairs);
  free (self->active);
  free (self->quiet);
}

int
esk_cpu_jacobi (const EskCpuAdaptiveLoops *loops,
                EskStream                 *stream,
                size_t                     n,
                const double              *matrix,
                const int                 *cancelled,
                double                    *values,
                double                    *vectors,
                unsigned                   max_sweeps,
                unsigned                  *sweeps,
                uint64_t                  *rotations,
                double                    *off_norm)
{
  Jacobi self = { .loops = loops, .stream = stream };
  double largest = 0.0, norm = 0.0, off, half, other_half;
  uint64_t turned = 0, before;
  unsigned done = 0;
  int exponent = 0, code = ESK_ERROR_MEMORY;
  size_t numbers;

  if (n == 0 || n > INT_MAX || matrix == NULL || values == NULL || vectors == NULL
      || __builtin_mul_overflow (n, 2 * n, &numbers) || numbers > SIZE_MAX / (4 * sizeof (double)))
    return ESK_ERROR_ARGUMENT;
  for (size_t k = 0; k < numbers; k++)
    if (!isfinite (matrix[k]))
      return ESK_ERROR_ARGUMENT;
  if (!jacobi_init (&self, n))
    goto out;

  /* A power of two near the largest element is taken out, so that no square overflows or vanishes. */
  for (size_t k = 0; k < numbers; k++)
    largest = fmax (largest, fabs (matrix[k]));
  if (largest > 0.0)
    (void) frexp (largest, &exponent);
  half = ldexp (1.0, -exponent / 2);
  other_half = ldexp (1.0, -(exponent - exponent / 2));
  for (size_t i = 0; i < n; i++)
    {
      double *row = row_of (&self, self.a, i);

      for (size_t j = 0; j < n; j++)
        {
          row[j] = matrix[2 * (i * n + j)] * half * other_half;
          row[self.plane + j] = i != j ? matrix[2 * (i * n + j) + 1] * half * other_half : 0.0;
          norm += row[j] * row[j] + row[self.plane + j] * row[self.plane + j];
        }
      row_of (&self, self.v, i)[i] = 1.0;
    }
  self.least = PIVOT_TOLERANCE * sqrt (norm);
  for (size_t k = 0; k < n; k++)
    self.quiet[k] = is_quiet (&self, k);

  do
    {
      before = turned;
      if (done == max_sweeps)
        break;
      for (size_t step = 0; step + 1 < self.even; step++)
        {
          if (esk_is_cancelled (cancelled))
            {
              code = ESK_ERROR_CANCELLED;
              goto out;
            }
          do_step (&self, step);
          turned += self.n_rotations;
        }
      done += turned > before;
    }
  while (turned > before && has_pairs (&self));
  off = relative_off (&self);
  code = write_pairs (&self, exponent, values, vectors);
  if (code == ESK_OK && off > OFF_TOLERANCE)
    code = ESK_ERROR_NO_CONVERGENCE;
  if (sweeps != NULL)
    *sweeps = done;
  if (rotations != NULL)
    *rotations = turned;
  if (off_norm != NULL)
    *off_norm = off;

out:
  jacobi_clear (&self);
  return code;
}

int
esk_eigen_hermitian_jacobi (size_t        n,
                            const double *matrix,
                            double       *values,
                            double       *vectors,
                            unsigned      max_sweeps,
                            unsigned     *sweeps,
                            uint64_t     *rotations,
                            double       *off_norm)
{
  EskStream stream;

  esk_cpu_stream_init (&stream);
  return esk_cpu_jacobi (esk_cpu_adaptive_loops (&stream), NULL, n, matrix, NULL, values, vectors, max_sweeps, sweeps,
                         rotations, off_norm);
}
