/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Errors of one band, which the compiler vectorises by itself. Included by es-cpu-error-portable.c and, compiled for
 * AVX2, by es-cpu-error-avx2.c: hence no include guard, and everything static. Both give the same bits.
 */

#include "es-cpu-error-private.h"

#include <string.h>

typedef float  Float4 __attribute__ ((vector_size (16)));
typedef double Double4 __attribute__ ((vector_size (32)));

/* Samples at a time: two totals, for the additions not to wait for each other. */
#define LANES 8

static inline Double4
load_floats (const float *from)
{
  Float4 four;

  memcpy (&four, from, sizeof four);
  return __builtin_convertvector (four, Double4);
}

static inline void
raise_by (double  *at,
          Double4  by)
{
  Double4 four;

  memcpy (&four, at, sizeof four);
  four += by;
  memcpy (at, &four, sizeof four);
}

static inline double
sum_of (Double4 x,
        Double4 y)
{
  x += y;
  return (x[0] + x[2]) + (x[1] + x[3]);
}

static inline void
add_errors (const float          *x,
            const float          *estimate,
            size_t                n,
            double                rest,
            double                scale,
            double                offset,
            const EskPixelErrors *pixels,
            double               *error,
            double               *square)
{
  const EskPixelErrors sums = *pixels;
  Double4 errors[2] = { { 0.0 } }, squares[2] = { { 0.0 } };
  double last = 0.0, last_square = 0.0;
  size_t k = 0;

  for (; k + LANES <= n; k += LANES)
    for (size_t half = 0; half < 2; half++)
      {
        size_t at = k + 4 * half;
        Double4 d = load_floats (x + at), e = scale * (d - rest - load_floats (estimate + at)), ee = e * e;
        Double4 v = scale * d + offset;

        raise_by (sums.squares + at, ee);
        raise_by (sums.products + at, v * e);
        raise_by (sums.lengths + at, v * v);
        errors[half] += e;
        squares[half] += ee;
      }
  for (; k < n; k++)
    {
      double d = (double) x[k], e = scale * (d - rest - (double) estimate[k]), v = scale * d + offset;

      sums.squares[k] += e * e;
      sums.products[k] += v * e;
      sums.lengths[k] += v * v;
      last += e;
      last_square += e * e;
    }
  *error += sum_of (errors[0], errors[1]) + last;
  *square += sum_of (squares[0], squares[1]) + last_square;
}
