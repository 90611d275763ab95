/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What the rotations of es-cuda-adaptive-jacobi.cu are made of: pairs and their order, and what a thread block does
 * of a step. */

#include "es-cuda-adaptive-eigen-private.h"

#define THREADS 256
/* Rows that are few. */
#define FEW_ROWS 256

/* Words with a bit for each pair, for all threads at once. */
#define MARKS(pairs) (((pairs) + THREADS - 1) / THREADS * (THREADS / 32))

/* lab: jacobi-production */
/* c and s e of sonar.md 7, and what the diagonal gains. */
typedef struct {
  double  c, gain;
  double2 s;
} Rotation;
/* lab end */

/* The pair i of a step; second == n: the dummy of an odd n. */
static __device__ __forceinline__ void
find_pair (unsigned  i,
           unsigned  step,
           unsigned  circle,
           unsigned *first,
           unsigned *second)
{
  const unsigned centre = circle - 1 - step;
  unsigned u = centre + i, v = centre + circle - i;

  u = u >= circle ? u - circle : u;
  v = v >= circle ? v - circle : v;
  if (i == 0)
    {
      *first = 0;
      *second = centre + 1;
    }
  else
    {
      *first = min (u, v) + 1;
      *second = max (u, v) + 1;
    }
}

static __device__ __forceinline__ double2
conjugate (double2 z)
{
  return make_double2 (z.x, -z.y);
}

/* The step that brings two together. */
static __device__ __forceinline__ unsigned
step_of_pair (unsigned first,
              unsigned second,
              unsigned circle)
{
  const unsigned sum = first + second - 2;
  /* Twice the centre is the sum, or more by the circle, which is odd. */
  unsigned centre = sum % 2 == 0 ? sum / 2 : (sum + circle) / 2;

  if (first == 0)
    centre = second - 1;

  return circle - 1 - (centre >= circle ? centre - circle : centre);
}

/* lab: jacobi-production */
/* c x - s y. */
static __device__ __forceinline__ double2
turn_first (double  c,
            double2 s,
            double2 x,
            double2 y)
{
  return make_double2 (fma (s.y, y.y, fma (-s.x, y.x, c * x.x)), fma (-s.x, y.y, fma (-s.y, y.x, c * x.y)));
}

/* conj (s) x + c y. */
static __device__ __forceinline__ double2
turn_second (double  c,
             double2 s,
             double2 x,
             double2 y)
{
  return make_double2 (fma (s.y, x.y, fma (s.x, x.x, c * y.x)), fma (s.x, x.y, fma (-s.y, x.x, c * y.y)));
}

/* Rows by J', columns by K. */
static __device__ __forceinline__ void
turn_block (double2  z[2][2],
            double   c,
            double2  s,
            double   c2,
            double2  s2)
{
#pragma unroll
  for (int j = 0; j < 2; j++)
    {
      const double2 x = z[0][j], y = z[1][j];

      z[0][j] = turn_first (c, s, x, y);
      z[1][j] = turn_second (c, s, x, y);
    }
#pragma unroll
  for (int i = 0; i < 2; i++)
    {
      const double2 x = z[i][0], y = z[i][1];

      z[i][0] = turn_first (c2, conjugate (s2), x, y);
      z[i][1] = turn_second (c2, conjugate (s2), x, y);
    }
}

static __device__ Rotation
make_rotation (double2 pivot,
               double  first,
               double  second)
{
  const double m = hypot (pivot.x, pivot.y), tau = (second - first) / (2.0 * m);
  const double t = copysign (1.0, tau) / (fabs (tau) + sqrt (fma (tau, tau, 1.0)));
  Rotation rotation;

  rotation.c = 1.0 / sqrt (fma (t, t, 1.0));
  rotation.s = make_double2 (t * rotation.c * (pivot.x / m), t * rotation.c * (pivot.y / m));
  rotation.gain = t * m;

  return rotation;
}
/* lab end */

/* All thread blocks of the group; what they wrote before is seen by all of them after. */
static __device__ void
meet (unsigned *barrier,
      unsigned  group,
      unsigned *met)
{
  __syncthreads ();
  if (group > 1)
    {
      *met += group;
      if (threadIdx.x == 0)
        {
          __threadfence ();
          atomicAdd (barrier, 1u);
          while ((int) (*(volatile unsigned *) barrier - *met) < 0)
            ;
          __threadfence ();
        }
      __syncthreads ();
    }
}

static __device__ __forceinline__ double
largest_of_warp (double x)
{
  for (int distance = 16; distance > 0; distance /= 2)
    x = fmax (x, __shfl_xor_sync (0xffffffffu, x, distance));
  return x;
}

/* lab: jacobi-production */
typedef struct {
  double2        *matrix;
  size_t          stride;      /* of its rows */
  double2        *carried;
  unsigned        n, columns, circle, pairs, step, width;
  const Rotation *rotations;
  const uint32_t *active;      /* a bit a pair */
  unsigned       *stamps;
  unsigned        stamp;
  double          alive;       /* squared: what is not 0 */
} Step;

/* Pair a with the pairs of a tile. */
static __device__ __forceinline__ void
turn_tile (const Step *self,
           unsigned    a,
           unsigned    tile)
{
  const unsigned b = tile * self->width + threadIdx.x % self->width, n = self->n;
  const Rotation left = self->rotations[a];
  double most_p = 0.0, most_q = 0.0;
  unsigned p, q;

  find_pair (a, self->step, self->circle, &p, &q);
  if (b == a)
    {
      double2 *at_p = self->matrix + p * self->stride, *at_q = self->matrix + q * self->stride;

      at_p[p] = make_double2 (at_p[p].x - left.gain, 0.0);
      at_q[q] = make_double2 (at_q[q].x + left.gain, 0.0);
      at_p[q] = at_q[p] = make_double2 (0.0, 0.0);
    }
  else if (b < self->pairs)
    {
      const bool active = (self->active[b / 32] >> b % 32 & 1) != 0, mirrored = active && b < a;
      double2 *at_p = self->matrix + p * self->stride, *at_q = self->matrix + q * self->stride;
      double2 pr, ps = { 0.0, 0.0 }, qr, qs = { 0.0, 0.0 }, z[2][2];
      Rotation right = { 1.0, 0.0, { 0.0, 0.0 } };
      unsigned r, s;

      find_pair (b, self->step, self->circle, &r, &s);
      if (active)
        right = self->rotations[b];
      pr = at_p[r];
      qr = at_q[r];
      if (s < n)
        {
          ps = at_p[s];
          qs = at_q[s];
        }
      z[0][0] = mirrored ? conjugate (pr) : pr;
      z[0][1] = mirrored ? conjugate (qr) : ps;
      z[1][0] = mirrored ? conjugate (ps) : qr;
      z[1][1] = mirrored ? conjugate (qs) : qs;
      turn_block (z, mirrored ? right.c : left.c, mirrored ? right.s : left.s, mirrored ? left.c : right.c,
                  mirrored ? left.s : right.s);
      pr = mirrored ? conjugate (z[0][0]) : z[0][0];
      ps = mirrored ? conjugate (z[1][0]) : z[0][1];
      qr = mirrored ? conjugate (z[0][1]) : z[1][0];
      qs = mirrored ? conjugate (z[1][1]) : z[1][1];
      at_p[r] = pr;
      at_q[r] = qr;
      if (s < n)
        {
          at_p[s] = ps;
          at_q[s] = qs;
        }
      /* Nobody else turns the columns of a pair that rests. */
      if (!active)
        {
          self->matrix[r * self->stride + p] = conjugate (pr);
          self->matrix[r * self->stride + q] = conjugate (qr);
          if (s < n)
            {
              self->matrix[s * self->stride + p] = conjugate (ps);
              self->matrix[s * self->stride + q] = conjugate (qs);
            }
        }
      most_p = fmax (fma (pr.x, pr.x, pr.y * pr.y), fma (ps.x, ps.x, ps.y * ps.y));
      most_q = fmax (fma (qr.x, qr.x, qr.y * qr.y), fma (qs.x, qs.x, qs.y * qs.y));
    }
  most_p = largest_of_warp (most_p);
  most_q = largest_of_warp (most_q);
  if (threadIdx.x % 32 == 0)
    {
      if (most_p > self->alive)
        self->stamps[p] = self->stamp;
      if (most_q > self->alive)
        self->stamps[q] = self->stamp;
    }
}

static __device__ __forceinline__ void
turn_carried (const Step *self,
              unsigned    a,
              unsigned    tile)
{
  const unsigned column = tile * self->width + threadIdx.x % self->width;
  const Rotation rotation = self->rotations[a];
  unsigned p, q;

  find_pair (a, self->step, self->circle, &p, &q);
  if (column < self->columns)
    {
      double2 *at_p = self->carried + (size_t) p * self->columns + column;
      double2 *at_q = self->carried + (size_t) q * self->columns + column;
      const double2 x = *at_p, y = *at_q;

      *at_p = turn_first (rotation.c, rotation.s, x, y);
      *at_q = turn_second (rotation.c, rotation.s, x, y);
    }
}
/* lab end */

/* How many steps after `from` the first comes that has a pivot, where few rows are alive; circle: none does. */
static __device__ __forceinline__ unsigned
find_next (const Step    *self,
           const uint8_t *alive,
           unsigned       from,
           double         least)
{
  __shared__ uint16_t rows[FEW_ROWS];
  __shared__ unsigned n_rows, next;
  unsigned nearest = self->circle;

  if (threadIdx.x == 0)
    {
      n_rows = 0;
      next = self->circle;
    }
  __syncthreads ();
  for (unsigned k = threadIdx.x; k < self->n; k += THREADS)
    if (alive[k])
      rows[atomicAdd (&n_rows, 1u)] = (uint16_t) k;
  __syncthreads ();
  for (unsigned k = threadIdx.x; k < n_rows * n_rows; k += THREADS)
    {
      const unsigned i = rows[k / n_rows], j = rows[k % n_rows];

      if (i < j)
        {
          const double2 pivot = self->matrix[i * self->stride + j];
          const unsigned step = step_of_pair (i, j, self->circle);

          if (fma (pivot.x, pivot.x, pivot.y * pivot.y) > least)
            nearest = min (nearest, step >= from ? step - from : step + self->circle - from);
        }
    }
  if (nearest < self->circle)
    atomicMin (&next, nearest);
  __syncthreads ();
  nearest = next;
  __syncthreads ();

  return nearest;
}

/* The pairs that are marked, in their order, which is the same for all who make the list; how many in *found. */
static __device__ __forceinline__ void
list_pairs (const uint32_t *marks,
            uint32_t       *before,
            unsigned        pairs,
            uint16_t       *list,
            unsigned       *found)
{
  const unsigned lane = threadIdx.x % 32;

  if (threadIdx.x < 32)
    {
      unsigned total = 0;

      for (unsigned first = 0; first < (pairs + 31) / 32; first += 32)
        {
          const unsigned own = first + lane < (pairs + 31) / 32 ? __popc (marks[first + lane]) : 0;
          unsigned sum = own;

          for (unsigned distance = 1; distance < 32; distance *= 2)
            {
              const unsigned left = __shfl_up_sync (0xffffffffu, sum, distance);

              sum += lane >= distance ? left : 0;
            }
          if (first + lane < (pairs + 31) / 32)
            before[first + lane] = total + sum - own;
          total += __shfl_sync (0xffffffffu, sum, 31);
        }
      if (lane == 0)
        *found = total;
    }
  __syncthreads ();
  for (unsigned i = threadIdx.x; i < pairs; i += THREADS)
    if (marks[i / 32] >> i % 32 & 1)
      list[before[i / 32] + __popc (marks[i / 32] & ((1u << i % 32) - 1))] = (uint16_t) i;
}

static __device__ void
copy_rows (double2       *to,
           size_t         to_stride,
           const double2 *from,
           size_t         from_stride,
           unsigned       rows,
           unsigned       columns)
{
  for (unsigned k = threadIdx.x; k < rows * columns; k += THREADS)
    to[k / columns * to_stride + k % columns] = from[k / columns * from_stride + k % columns];
  __syncthreads ();
}
