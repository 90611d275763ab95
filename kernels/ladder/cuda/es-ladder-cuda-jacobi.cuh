/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * The kernels of the ladder of Jacobi's rotations, as table 6.12 of sonar.md climbs it: three kernels a step, one after
 * the other, a block a rotation and a thread an element of its rows or columns (section 7).
 */

#include "es-ladder-cuda-private.h"
#include "ladder/es-ladder-jacobi-internal.h"

/* lab: jacobi-v0 jacobi-v1 jacobi-v2 */
/* c and s e of a pair; a pivot that is small enough is not turned. */
typedef struct {
  double   c;
  double2  s;
  unsigned turns;
} Rotation;

/* A thread a pair of the step. */
static __global__ void
jacobi_rotations (const double2      *matrix,
                  unsigned            n,
                  const uint2        *pairs,
                  unsigned            n_pairs,
                  double              least,
                  Rotation           *rotations,
                  unsigned long long *turned)
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n_pairs)
    {
      const uint2 pair = pairs[i];
      const double2 g = matrix[(size_t) pair.x * n + pair.y];
      const double m = hypot (g.x, g.y);
      Rotation r = { 1.0, { 0.0, 0.0 }, m > least };

      if (r.turns)
        {
          const double a_pp = matrix[(size_t) pair.x * n + pair.x].x, a_qq = matrix[(size_t) pair.y * n + pair.y].x;
          const double tau = (a_qq - a_pp) / (2.0 * m);
          const double t = copysign (1.0, tau) / (fabs (tau) + sqrt (1.0 + tau * tau));

          r.c = 1.0 / sqrt (1.0 + t * t);
          r.s = make_double2 (t * r.c * (g.x / m), t * r.c * (g.y / m));
          atomicAdd (turned, 1ull);
        }
      rotations[i] = r;
    }
}

/* c x - s y and s* x + c y. */
static __device__ double2
turn_first (double  c,
            double2 s,
            double2 x,
            double2 y)
{
  return make_double2 (c * x.x - (s.x * y.x - s.y * y.y), c * x.y - (s.x * y.y + s.y * y.x));
}

static __device__ double2
turn_second (double  c,
             double2 s,
             double2 x,
             double2 y)
{
  return make_double2 ((s.x * x.x + s.y * x.y) + c * y.x, (s.x * x.y - s.y * x.x) + c * y.y);
}

static __device__ double2
conjugate (double2 z)
{
  return make_double2 (z.x, -z.y);
}
/* lab end */

/* lab: jacobi-v0 */
/* A block a rotation, which its threads read where it lies, for each of their elements. Eigenvectors are columns,
 * [element][eigen]. */
static __global__ void
jacobi_rows_v0 (double2        *matrix,
                unsigned        n,
                const uint2    *pairs,
                const Rotation *rotations)
{
  const uint2 pair = pairs[blockIdx.x];
  const Rotation *r = rotations + blockIdx.x;
  double2 *row_p = matrix + (size_t) pair.x * n, *row_q = matrix + (size_t) pair.y * n;

  for (unsigned j = threadIdx.x; j < n && r->turns; j += blockDim.x)
    {
      const double2 x = row_p[j], y = row_q[j];

      row_p[j] = turn_first (r->c, r->s, x, y);
      row_q[j] = turn_second (r->c, r->s, x, y);
    }
}

static __global__ void
jacobi_columns_v0 (double2        *matrix,
                   double2        *vectors,
                   unsigned        n,
                   const uint2    *pairs,
                   const Rotation *rotations)
{
  const uint2 pair = pairs[blockIdx.x];
  const Rotation *r = rotations + blockIdx.x;

  for (unsigned k = threadIdx.x; k < n && r->turns; k += blockDim.x)
    {
      double2 *a_p = matrix + (size_t) k * n + pair.x, *a_q = matrix + (size_t) k * n + pair.y;
      double2 *v_p = vectors + (size_t) k * n + pair.x, *v_q = vectors + (size_t) k * n + pair.y;
      const double2 x = *a_p, y = *a_q, v = *v_p, w = *v_q;

      *a_p = turn_first (r->c, conjugate (r->s), x, y);
      *a_q = turn_second (r->c, conjugate (r->s), x, y);
      *v_p = turn_first (r->c, conjugate (r->s), v, w);
      *v_q = turn_second (r->c, conjugate (r->s), v, w);
      /* What is known exactly: the diagonal is real, and the pivot 0. */
      if (k == pair.x)
        {
          a_p->y = 0.0;
          *a_q = make_double2 (0.0, 0.0);
        }
      if (k == pair.y)
        {
          *a_p = make_double2 (0.0, 0.0);
          a_q->y = 0.0;
        }
    }
}
/* lab end */

/* lab: jacobi-v1 */
/* Each thread keeps its rotation in registers. */
static __global__ void
jacobi_rows_v1 (double2        *matrix,
                unsigned        n,
                const uint2    *pairs,
                const Rotation *rotations)
{
  const uint2 pair = pairs[blockIdx.x];
  const Rotation own = rotations[blockIdx.x], *r = &own;
  double2 *row_p = matrix + (size_t) pair.x * n, *row_q = matrix + (size_t) pair.y * n;

  for (unsigned j = threadIdx.x; j < n && r->turns; j += blockDim.x)
    {
      const double2 x = row_p[j], y = row_q[j];

      row_p[j] = turn_first (r->c, r->s, x, y);
      row_q[j] = turn_second (r->c, r->s, x, y);
    }
}

static __global__ void
jacobi_columns_v1 (double2        *matrix,
                   double2        *vectors,
                   unsigned        n,
                   const uint2    *pairs,
                   const Rotation *rotations)
{
  const uint2 pair = pairs[blockIdx.x];
  const Rotation own = rotations[blockIdx.x], *r = &own;

  for (unsigned k = threadIdx.x; k < n && r->turns; k += blockDim.x)
    {
      double2 *a_p = matrix + (size_t) k * n + pair.x, *a_q = matrix + (size_t) k * n + pair.y;
      double2 *v_p = vectors + (size_t) k * n + pair.x, *v_q = vectors + (size_t) k * n + pair.y;
      const double2 x = *a_p, y = *a_q, v = *v_p, w = *v_q;

      *a_p = turn_first (r->c, conjugate (r->s), x, y);
      *a_q = turn_second (r->c, conjugate (r->s), x, y);
      *v_p = turn_first (r->c, conjugate (r->s), v, w);
      *v_q = turn_second (r->c, conjugate (r->s), v, w);
      /* What is known exactly: the diagonal is real, and the pivot 0. */
      if (k == pair.x)
        {
          a_p->y = 0.0;
          *a_q = make_double2 (0.0, 0.0);
        }
      if (k == pair.y)
        {
          *a_p = make_double2 (0.0, 0.0);
          a_q->y = 0.0;
        }
    }
}
/* lab end */

/* lab: jacobi-v2 */
/* Eigenvectors are rows, [eigen][element]: what neighbouring threads turn of them lies side by side. Of the matrix one
 * of the two passes goes along columns in any case. */
static __global__ void
jacobi_rows_v2 (double2        *matrix,
                unsigned        n,
                const uint2    *pairs,
                const Rotation *rotations)
{
  const uint2 pair = pairs[blockIdx.x];
  const Rotation own = rotations[blockIdx.x], *r = &own;
  double2 *row_p = matrix + (size_t) pair.x * n, *row_q = matrix + (size_t) pair.y * n;

  for (unsigned j = threadIdx.x; j < n && r->turns; j += blockDim.x)
    {
      const double2 x = row_p[j], y = row_q[j];

      row_p[j] = turn_first (r->c, r->s, x, y);
      row_q[j] = turn_second (r->c, r->s, x, y);
    }
}

static __global__ void
jacobi_columns_v2 (double2        *matrix,
                   double2        *vectors,
                   unsigned        n,
                   const uint2    *pairs,
                   const Rotation *rotations)
{
  const uint2 pair = pairs[blockIdx.x];
  const Rotation own = rotations[blockIdx.x], *r = &own;

  for (unsigned k = threadIdx.x; k < n && r->turns; k += blockDim.x)
    {
      double2 *a_p = matrix + (size_t) k * n + pair.x, *a_q = matrix + (size_t) k * n + pair.y;
      double2 *v_p = vectors + (size_t) pair.x * n + k, *v_q = vectors + (size_t) pair.y * n + k;
      const double2 x = *a_p, y = *a_q, v = *v_p, w = *v_q;

      *a_p = turn_first (r->c, conjugate (r->s), x, y);
      *a_q = turn_second (r->c, conjugate (r->s), x, y);
      *v_p = turn_first (r->c, conjugate (r->s), v, w);
      *v_q = turn_second (r->c, conjugate (r->s), v, w);
      /* What is known exactly: the diagonal is real, and the pivot 0. */
      if (k == pair.x)
        {
          a_p->y = 0.0;
          *a_q = make_double2 (0.0, 0.0);
        }
      if (k == pair.y)
        {
          *a_p = make_double2 (0.0, 0.0);
          a_q->y = 0.0;
        }
    }
}
/* lab end */
