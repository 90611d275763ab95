/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The contrasts of FastICA on vectors of eight floats. Included by es-cpu-ica-portable.c and, compiled for AVX2, by
 * es-cpu-ica-avx2.c: hence no include guard, and everything static. MULTIPLY_ADD (a, b, c) is a * b + c, with one
 * rounding where the processor has it.
 */

#include "es-cpu-ica-private.h"

#include <math.h>
#include <string.h>

#define LANES 8
#define ALWAYS_INLINE static inline __attribute__ ((always_inline))

typedef float   Float8 __attribute__ ((vector_size (4 * LANES), may_alias));
typedef int32_t Int8 __attribute__ ((vector_size (4 * LANES), may_alias));

#ifdef __FMA__
#define MULTIPLY_ADD(a, b, c) ((Float8) _mm256_fmadd_ps ((__m256) (a), (__m256) (b), (__m256) (c)))
#else
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#endif

ALWAYS_INLINE Float8
all_of (float x)
{
  return (Float8) { x, x, x, x, x, x, x, x };
}

ALWAYS_INLINE Float8
magnitude (Float8 x)
{
  return (Float8) ((Int8) x & 0x7fffffff);
}

ALWAYS_INLINE Float8
choose (Int8   mask,
        Float8 x,
        Float8 y)
{
  return (Float8) (((Int8) x & mask) | ((Int8) y & ~mask));
}

/* x from -limit to limit, limit where it is not a number. */
ALWAYS_INLINE Float8
within (Float8 x,
        float  limit)
{
#ifdef __AVX__
  return (Float8) _mm256_max_ps (_mm256_min_ps ((__m256) x, _mm256_set1_ps (limit)), _mm256_set1_ps (-limit));
#else
  return choose (magnitude (x) < limit, x, choose (x < 0.0f, all_of (-limit), all_of (limit)));
#endif
}

ALWAYS_INLINE double
add_lanes (Float8 x)
{
  return (((double) x[0] + (double) x[1]) + ((double) x[2] + (double) x[3]))
         + (((double) x[4] + (double) x[5]) + ((double) x[6] + (double) x[7]));
}

/*
 * tanh (x) = x P (x^2) / Q (x^2), fitted to the relative error on |x| <= 9.02, from where on tanh is 1 in float32.
 * Measured over 160 million floats: wrong by 7 units in the last place at most (5.5 with FMA); never above 1.
 */
ALWAYS_INLINE Float8
tanh_8 (Float8 x)
{
  Float8 bounded = within (x, 9.02f);
  Float8 u = bounded * bounded;
  Float8 p = MULTIPLY_ADD (u, all_of (1.33193987e-08f), all_of (2.05837617e-05f));
  Float8 q = MULTIPLY_ADD (u, all_of (7.76216588e-07f), all_of (3.28312274e-04f));

  p = MULTIPLY_ADD (u, p, all_of (3.49405388e-03f));
  q = MULTIPLY_ADD (u, q, all_of (2.58711495e-02f));
  p = MULTIPLY_ADD (u, p, all_of (1.33797352e-01f));
  q = MULTIPLY_ADD (u, q, all_of (4.67130505e-01f));
  p = MULTIPLY_ADD (u, p, all_of (9.99999979e-01f));
  q = MULTIPLY_ADD (u, q, all_of (1.0f));

  return within (bounded * p / q, 1.0f);
}

/*
 * exp (x) for x <= 0, of n = round (x / ln 2) and a polynomial for x - n ln 2, whose error is 3e-9.
 * Measured: wrong by 1.1 units in the last place at most; below -87 it stays at 1.6e-38.
 */
ALWAYS_INLINE Float8
exp_8 (Float8 x)
{
  const Float8 rounder = all_of (0x1.8p23f);
  Float8 bounded = choose (x > -87.0f, x, all_of (-87.0f));
  Float8 shifted = MULTIPLY_ADD (bounded, all_of (1.44269504f), rounder), n = shifted - rounder;
  /* ln 2 in two parts, of which the first has few digits, so that its products are exact. */
  Float8 r = MULTIPLY_ADD (n, all_of (2.12194440e-4f), MULTIPLY_ADD (n, all_of (-0.693359375f), bounded));
  Float8 p = MULTIPLY_ADD (r, all_of (1.39505542e-03f), all_of (8.36892932e-03f));
  Int8 exponent = (Int8) shifted - (Int8) rounder + 127;

  p = MULTIPLY_ADD (r, p, all_of (4.16662049e-02f));
  p = MULTIPLY_ADD (r, p, all_of (1.66665185e-01f));
  p = MULTIPLY_ADD (r, p, all_of (5.00000010e-01f));
  p = MULTIPLY_ADD (r * r, p, r) + 1.0f;

  return p * (Float8) (exponent << 23);
}

/* log (1 + x) for 0 <= x <= 1, of s = x / (2 + x): 2 atanh (s) by a polynomial in s^2. Measured: wrong by 3
 * units in the last place at most. */
ALWAYS_INLINE Float8
log1p_8 (Float8 x)
{
  Float8 s = x / (x + 2.0f), u = s * s;
  Float8 p = MULTIPLY_ADD (u, all_of (2.81772753e-01f), all_of (2.79608663e-01f));

  p = MULTIPLY_ADD (u, p, all_of (4.00248885e-01f));
  p = MULTIPLY_ADD (u, p, all_of (6.66663153e-01f));
  p = MULTIPLY_ADD (u, p, all_of (2.0f));

  return s * p;
}

/* log cosh (x); near 0 it is wrong by the rounding of log 2, which is nothing beside a mean over samples. */
ALWAYS_INLINE Float8
log_cosh_8 (Float8 x)
{
  Float8 a = magnitude (x);

  return (a - 0.693147181f) + log1p_8 (exp_8 (a * -2.0f));
}

static double
contrast_in_place (const EskContrast *contrast,
                   float             *y,
                   size_t             count)
{
  const Float8 slope = all_of ((float) contrast->slope);
  Float8 total = all_of (0.0f);

  switch (contrast->kind)
    {
    case ESK_CONTRAST_CUBIC:
      for (size_t k = 0; k < count; k += LANES)
        {
          Float8 x = *(Float8 *) (y + k), square = x * x;

          total += square;
          *(Float8 *) (y + k) = x * square;
        }
      return -3.0 * add_lanes (total);
    case ESK_CONTRAST_TANH:
      for (size_t k = 0; k < count; k += LANES)
        {
          Float8 g = tanh_8 (*(Float8 *) (y + k) * slope);

          total = MULTIPLY_ADD (g, g, total);
          *(Float8 *) (y + k) = g;
        }
      return contrast->slope * add_lanes (total);
    case ESK_CONTRAST_GAUSS:
      for (size_t k = 0; k < count; k += LANES)
        {
          Float8 x = *(Float8 *) (y + k), square = x * x, e = exp_8 (square * -0.5f);

          total += 1.0f - (1.0f - square) * e;
          *(Float8 *) (y + k) = x * e;
        }
      return add_lanes (total);
    default:
      return 0.0;
    }
}

static void
add_moments (const EskContrast *contrast,
             const float       *y,
             size_t             n,
             EskIcaMoments     *moments)
{
  const Int8 lane = { 0, 1, 2, 3, 4, 5, 6, 7 };
  const Float8 slope = all_of ((float) contrast->slope);
  Float8 second = all_of (0.0f), third = second, fourth = second, other = second;

  for (size_t k = 0; k < n; k += LANES)
    {
      Int8 used = lane < (int32_t) (n - k < LANES ? n - k : LANES);
      Float8 x = (Float8) ((Int8) *(const Float8 *) (y + k) & used), square = x * x, value = square;

      second += square;
      third = MULTIPLY_ADD (square, x, third);
      fourth = MULTIPLY_ADD (square, square, fourth);
      if (contrast->kind == ESK_CONTRAST_TANH)
        value = log_cosh_8 (x * slope);
      else if (contrast->kind == ESK_CONTRAST_GAUSS)
        value = exp_8 (square * -0.5f);
      other += (Float8) ((Int8) value & used);
    }

  moments->second += add_lanes (second);
  moments->third += add_lanes (third);
  moments->fourth += add_lanes (fourth);
  if (contrast->kind == ESK_CONTRAST_CUBIC)
    moments->contrast += 0.25 * add_lanes (fourth);
  else if (contrast->kind == ESK_CONTRAST_TANH)
    moments->contrast += add_lanes (other) / contrast->slope;
  else
    moments->contrast -= add_lanes (other);
}

static void
multiply_rows (const float *x,
               const float *y,
               size_t       count,
               float       *out)
{
  for (size_t k = 0; k < count; k += LANES)
    *(Float8 *) (out + k) = *(const Float8 *) (x + k) * *(const Float8 *) (y + k);
}
