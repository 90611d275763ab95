/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops of both types for one processor, as `loops`; included by its file, which defines LANES. */

#include "es-cpu-vectors-private.h"

typedef double Wide __attribute__ ((vector_size (LANES * sizeof (double)), may_alias));

static inline double
add_lanes (Wide x)
{
  double sum[LANES];

  for (int k = 0; k < LANES; k++)
    sum[k] = x[k];
  for (int half = LANES / 2; half > 0; half /= 2)
    for (int k = 0; k < half; k++)
      sum[k] += sum[k + half];

  return sum[0];
}

#define REAL float
#define NAME(x) x##_f32
#include "es-cpu-vectors-loops-private.h"
#undef REAL
#undef NAME

#define REAL double
#define NAME(x) x##_f64
#include "es-cpu-vectors-loops-private.h"
#undef REAL
#undef NAME

#define LOOPS_OF(type) { \
    fill_##type, dots_##type, combine_##type, descend_##type, direct_##type, basis_dots_##type, basis_add_##type, \
    jacobi_##type, scale_##type, blocks_##type \
  }
