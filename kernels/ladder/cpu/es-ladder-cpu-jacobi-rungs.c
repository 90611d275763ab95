/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Jacobi's rotations on the processor: what is done with those of n / 2 pairs that share no row. */

#include "es-ladder-cpu-jacobi-private.h"

#include <math.h>
#if defined (__x86_64__)
#include <immintrin.h>
#endif

/* lab: jacobi-loops jacobi-blocked jacobi-vectorised jacobi-threaded */
/* Of rows p and q: what makes their common element 0. */
static int
find_rotation (const JacobiSweep *self,
               size_t             p,
               size_t             q,
               double             least,
               Rotation          *r)
{
  const Complex g = self->a[p * self->n + q];
  const double m = sqrt (g.re * g.re + g.im * g.im), a_pp = self->a[p * self->n + p].re;
  const double a_qq = self->a[q * self->n + q].re, tau = (a_qq - a_pp) / (2.0 * m);
  const double t = copysign (1.0, tau) / (fabs (tau) + sqrt (1.0 + tau * tau));

  if (m <= least)
    return 0;
  r->p = (uint32_t) p;
  r->q = (uint32_t) q;
  r->c = 1.0 / sqrt (1.0 + t * t);
  r->s.re = t * r->c * (g.re / m);
  r->s.im = t * r->c * (g.im / m);
  r->a_pp = a_pp - t * m;
  r->a_qq = a_qq + t * m;

  return 1;
}

/* What the elements of the pair have become is known exactly. */
static void
finish_corner (JacobiSweep    *self,
               const Rotation *r)
{
  Complex *p = self->a + r->p * self->n, *q = self->a + r->q * self->n;

  p[r->p] = (Complex) { r->a_pp, 0.0 };
  q[r->q] = (Complex) { r->a_qq, 0.0 };
  p[r->q] = q[r->p] = (Complex) { 0.0, 0.0 };
}

/* x and y become c x - s y and s* x + c y. */
static inline void
turn (double   c,
      Complex  s,
      Complex *x,
      Complex *y)
{
  const Complex a = *x, b = *y;

  x->re = c * a.re - (s.re * b.re - s.im * b.im);
  x->im = c * a.im - (s.re * b.im + s.im * b.re);
  y->re = (s.re * a.re + s.im * a.im) + c * b.re;
  y->im = (s.re * a.im - s.im * a.re) + c * b.im;
}
/* lab end */

void
jacobi_find (JacobiSweep *self,
             size_t       step,
             double       least)
{
  size_t sum = self->n * (self->n - 1) / 2;

  self->n_pairs = esk_round_robin (self->n, step, self->pairs);
  self->n_rotations = 0;
  for (size_t k = 0; k < self->n_pairs; k++)
    {
      const size_t p = self->pairs[2 * k], q = self->pairs[2 * k + 1];
      const int turns = find_rotation (self, p, q, least, &self->rotations[self->n_rotations]);

      self->turned[k] = turns ? (int32_t) self->n_rotations : -1;
      self->n_rotations += (size_t) turns;
      sum -= p + q;
    }
  self->alone = self->n % 2 == 1 ? sum : self->n;
}

/* lab: jacobi-loops jacobi-blocked */
static void
turn_rows (Complex *matrix,
           size_t   n,
           size_t   p,
           size_t   q,
           double   c,
           Complex  s)
{
  for (size_t j = 0; j < n; j++)
    turn (c, s, matrix + p * n + j, matrix + q * n + j);
}
/* lab end */

/* lab: jacobi-loops */
static void
turn_columns (Complex *matrix,
              size_t   n,
              size_t   p,
              size_t   q,
              double   c,
              Complex  s)
{
  for (size_t k = 0; k < n; k++)
    turn (c, s, matrix + k * n + p, matrix + k * n + q);
}

/* All rows, then all columns, and those of the eigenvectors, [element][eigen]. */
void
jacobi_loops (JacobiSweep *self)
{
  for (size_t k = 0; k < self->n_rotations; k++)
    {
      const Rotation *r = &self->rotations[k];

      turn_rows (self->a, self->n, r->p, r->q, r->c, r->s);
    }
  for (size_t k = 0; k < self->n_rotations; k++)
    {
      const Rotation *r = &self->rotations[k];
      const Complex conjugate = { r->s.re, -r->s.im };

      turn_columns (self->a, self->n, r->p, r->q, r->c, conjugate);
      turn_columns (self->v, self->n, r->p, r->q, r->c, conjugate);
      finish_corner (self, r);
    }
}
/* lab end */

/* lab: jacobi-blocked */
/* All columns of one row. */
static void
turn_row (const JacobiSweep *self,
          Complex           *row)
{
  for (size_t k = 0; k < self->n_rotations; k++)
    {
      const Rotation *r = &self->rotations[k];
      const Complex conjugate = { r->s.re, -r->s.im };

      turn (r->c, conjugate, row + r->p, row + r->q);
    }
}

/* Two rows at a time, with all that is to be done with them, while they are in the cache. The eigenvectors are
 * transposed, [eigen][element], so that their columns are rows. */
void
jacobi_blocked (JacobiSweep *self)
{
  for (size_t k = 0; k < self->n_pairs; k++)
    {
      const size_t p = self->pairs[2 * k], q = self->pairs[2 * k + 1];

      if (self->turned[k] >= 0)
        {
          const Rotation *r = &self->rotations[self->turned[k]];
          const Complex conjugate = { r->s.re, -r->s.im };

          turn_rows (self->a, self->n, p, q, r->c, r->s);
          turn_rows (self->v, self->n, p, q, r->c, conjugate);
        }
      turn_row (self, self->a + p * self->n);
      turn_row (self, self->a + q * self->n);
      if (self->turned[k] >= 0)
        finish_corner (self, &self->rotations[self->turned[k]]);
    }
  if (self->alone < self->n)
    turn_row (self, self->a + self->alone * self->n);
}
/* lab end */

#if defined (__x86_64__)
/* lab: jacobi-vectorised jacobi-threaded */
#define AVX2 __attribute__ ((target ("avx2,fma")))

/* Two complex numbers a register: x and y become c x - s y and s* x + c y. */
AVX2 static inline void
turn_two (__m256d  c,
          __m256d  s_re,
          __m256d  s_im,
          __m256d *x,
          __m256d *y)
{
  const __m256d a = *x, b = *y, a_turned = _mm256_permute_pd (a, 5), b_turned = _mm256_permute_pd (b, 5);
  const __m256d sb = _mm256_fmaddsub_pd (s_re, b, _mm256_mul_pd (s_im, b_turned));
  const __m256d sa = _mm256_fmsubadd_pd (s_re, a, _mm256_mul_pd (s_im, a_turned));

  *x = _mm256_fmsub_pd (c, a, sb);
  *y = _mm256_fmadd_pd (c, b, sa);
}

AVX2 static void
turn_rows_two (Complex *matrix,
               size_t   n,
               size_t   p,
               size_t   q,
               double   c,
               Complex  s)
{
  const __m256d c_two = _mm256_set1_pd (c), s_re = _mm256_set1_pd (s.re), s_im = _mm256_set1_pd (s.im);
  Complex *row_p = matrix + p * n, *row_q = matrix + q * n;
  size_t j = 0;

  for (; j + 2 <= n; j += 2)
    {
      __m256d x = _mm256_loadu_pd (&row_p[j].re), y = _mm256_loadu_pd (&row_q[j].re);

      turn_two (c_two, s_re, s_im, &x, &y);
      _mm256_storeu_pd (&row_p[j].re, x);
      _mm256_storeu_pd (&row_q[j].re, y);
    }
  for (; j < n; j++)
    turn (c, s, row_p + j, row_q + j);
}

/* All columns of one row, those of two rotations at once. */
AVX2 static void
turn_row_two (const JacobiSweep *self,
              Complex           *row)
{
  size_t k = 0;

  for (; k + 2 <= self->n_rotations; k += 2)
    {
      const TwoRotations *r = &self->columns[k / 2];
      __m256d x = _mm256_set_m128d (_mm_loadu_pd (&row[r->p[1]].re), _mm_loadu_pd (&row[r->p[0]].re));
      __m256d y = _mm256_set_m128d (_mm_loadu_pd (&row[r->q[1]].re), _mm_loadu_pd (&row[r->q[0]].re));

      turn_two (_mm256_loadu_pd (r->c), _mm256_loadu_pd (r->s_re), _mm256_loadu_pd (r->s_im), &x, &y);
      _mm_storeu_pd (&row[r->p[0]].re, _mm256_castpd256_pd128 (x));
      _mm_storeu_pd (&row[r->p[1]].re, _mm256_extractf128_pd (x, 1));
      _mm_storeu_pd (&row[r->q[0]].re, _mm256_castpd256_pd128 (y));
      _mm_storeu_pd (&row[r->q[1]].re, _mm256_extractf128_pd (y, 1));
    }
  for (; k < self->n_rotations; k++)
    {
      const Rotation *r = &self->rotations[k];
      const Complex conjugate = { r->s.re, -r->s.im };

      turn (r->c, conjugate, row + r->p, row + r->q);
    }
}

/* The columns' view of the rotations: two side by side, s conjugated. */
static void
put_side_by_side (JacobiSweep *self)
{
  for (size_t k = 0; k + 2 <= self->n_rotations; k += 2)
    for (size_t h = 0; h < 2; h++)
      {
        const Rotation *r = &self->rotations[k + h];
        TwoRotations *two = &self->columns[k / 2];

        two->p[h] = r->p;
        two->q[h] = r->q;
        two->c[2 * h] = two->c[2 * h + 1] = r->c;
        two->s_re[2 * h] = two->s_re[2 * h + 1] = r->s.re;
        two->s_im[2 * h] = two->s_im[2 * h + 1] = -r->s.im;
      }
}

/* Two rows, with all that is to be done with them, while they are in the cache. */
static void
do_pair (JacobiSweep *self,
         size_t       k)
{
  const size_t p = self->pairs[2 * k], q = self->pairs[2 * k + 1];

  if (self->turned[k] >= 0)
    {
      const Rotation *r = &self->rotations[self->turned[k]];
      const Complex conjugate = { r->s.re, -r->s.im };

      turn_rows_two (self->a, self->n, p, q, r->c, r->s);
      turn_rows_two (self->v, self->n, p, q, r->c, conjugate);
    }
  turn_row_two (self, self->a + p * self->n);
  turn_row_two (self, self->a + q * self->n);
  if (self->turned[k] >= 0)
    finish_corner (self, &self->rotations[self->turned[k]]);
}
/* lab end */

/* lab: jacobi-vectorised */
void
jacobi_vectorised (JacobiSweep *self)
{
  put_side_by_side (self);
  for (size_t k = 0; k < self->n_pairs; k++)
    do_pair (self, k);
  if (self->alone < self->n)
    turn_row_two (self, self->a + self->alone * self->n);
}
/* lab end */

/* lab: jacobi-threaded */
#define PAIRS_AT_A_TIME 8

/* Pairs share no row: threads need not know of each other before the step is done. */
static void
do_pairs (void    *data,
          size_t   item,
          unsigned worker)
{
  JacobiSweep *self = data;
  const size_t first = item * PAIRS_AT_A_TIME;

  for (size_t k = first; k < first + PAIRS_AT_A_TIME && k < self->n_pairs; k++)
    do_pair (self, k);
}

int
jacobi_threaded (EskLadder   *ladder,
                 JacobiSweep *self)
{
  put_side_by_side (self);
  ESK_LADDER_TRY (ladder_share (ladder, (self->n_pairs + PAIRS_AT_A_TIME - 1) / PAIRS_AT_A_TIME, do_pairs, self));
  if (self->alone < self->n)
    turn_row_two (self, self->a + self->alone * self->n);
  return ESK_LADDER_OK;
}
/* lab end */
#else
void
jacobi_vectorised (JacobiSweep *self)
{
}

int
jacobi_threaded (EskLadder   *ladder,
                 JacobiSweep *self)
{
  return ESK_LADDER_OK;
}
#endif
