/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Nearest neighbours, for any processor. */

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define LANES 4
#define ROWS 4
#define SPREAD(x) ((Vector) { (x), (x), (x), (x) })
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#define LARGER(a, b) larger (a, b)
#define NOT_ABOVE(a, b) not_above ((a) <= (b))

typedef float Floats __attribute__ ((vector_size (4 * sizeof (float)), may_alias));
typedef int32_t Truth __attribute__ ((vector_size (4 * sizeof (float))));

static inline Floats
larger (Floats a,
        Floats b)
{
  const Truth truth = a > b;

  return (Floats) (((Truth) a & truth) | ((Truth) b & ~truth));
}

static inline uint32_t
not_above (Truth truth)
{
  return (uint32_t) ((truth[0] & 1) | (truth[1] & 2) | (truth[2] & 4) | (truth[3] & 8));
}

#define QUERIES 1
#define POINTS 1

typedef struct
{
  double lane[8];
} Wide;

static inline Wide
wide_load (const float *a,
           size_t       n)
{
  Wide wide = { 0 };

  for (size_t i = 0; i < n; i++)
    wide.lane[i] = a[i];
  return wide;
}

static inline Wide
wide_add_square (Wide a,
                 Wide b,
                 Wide c)
{
  for (size_t i = 0; i < 8; i++)
    {
      const double x = a.lane[i] - b.lane[i];

      c.lane[i] = fma (x, x, c.lane[i]);
    }
  return c;
}

static inline double
wide_sum (Wide a)
{
  const double *l = a.lane;

  return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]));
}

#include "es-cpu-neighbours-loops-private.h"

const EskNearLoops esk_near_loops_portable = {
  .within = within,
  .bounds = bounds,
  .square = square,
  .squares = squares,
};
