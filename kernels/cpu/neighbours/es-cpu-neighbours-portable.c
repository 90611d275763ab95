/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Nearest neighbours, for any processor. */

#include <math.h>
#include <stdint.h>

#define LANES 4
#define ROWS 4
#define SPREAD(x) ((Vector) { (x), (x), (x), (x) })
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#define LARGER(a, b) larger (a, b)
#define NOT_ABOVE(a, b) not_above ((a) <= (b))
#define FUSED(a, b, c) fma (a, b, c)

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

#include "es-cpu-neighbours-loops-private.h"

const EskNearLoops esk_near_loops_portable = {
  .within = within,
  .bounds = bounds,
  .square = square,
};
