/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Inner loops of adaptive beams on vectors of LANES doubles. Included once for every processor, hence no include guard,
 * and everything static. MULTIPLY_ADD (a, b, c) is a b + c, SUBTRACT_PRODUCT (a, b, c) c - a b, with one rounding where
 * the processor has it. VECTORS: how many vectors of rows are multiplied at a time, with four columns, in the registers
 * there are.
 */

#include "es-cpu-adaptive-private.h"

#include <math.h>
#include <string.h>

#define ALWAYS_INLINE static inline __attribute__ ((always_inline))

typedef double  Vector __attribute__ ((vector_size (8 * LANES), may_alias));
typedef int64_t Longs __attribute__ ((vector_size (8 * LANES), may_alias));

#ifndef MULTIPLY_ADD
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#define SUBTRACT_PRODUCT(a, b, c) ((c) - (a) * (b))
#endif

#define ROWS ESK_ADAPTIVE_ROWS
#define COLUMN ESK_ADAPTIVE_COLUMN
/* Vectors of LANES in the rows of a panel. */
#define PARTS (ROWS / LANES)

ALWAYS_INLINE Vector
load (const double *at)
{
  return *(const Vector *) at;
}

ALWAYS_INLINE void
store (double *at,
       Vector  x)
{
  *(Vector *) at = x;
}

ALWAYS_INLINE Vector
spread (double x)
{
  return x - (Vector) { 0.0 };
}

/* ---- products ---- */

/* `width` columns of c and `vectors` vectors of their rows, from a row on. */
ALWAYS_INLINE void
product_of (const double *a,
            const double *b,
            size_t        n,
            const size_t  width,
            const size_t  vectors,
            double        sign,
            double       *c)
{
  Vector re[4][4], im[4][4];

  for (size_t w = 0; w < width; w++)
    for (size_t v = 0; v < vectors; v++)
      re[w][v] = im[w][v] = spread (0.0);

  for (size_t k = 0; k < n; k++, a += COLUMN, b += COLUMN)
    {
      Vector a_re[4], a_im[4];

#pragma GCC unroll 4
      for (size_t v = 0; v < vectors; v++)
        {
          a_re[v] = load (a + v * LANES);
          a_im[v] = load (a + ROWS + v * LANES);
        }
#pragma GCC unroll 4
      for (size_t w = 0; w < width; w++)
        {
          const Vector b_re = spread (b[w]), b_im = spread (b[ROWS + w]);

#pragma GCC unroll 4
          for (size_t v = 0; v < vectors; v++)
            {
              re[w][v] = MULTIPLY_ADD (a_re[v], b_re, re[w][v]);
              im[w][v] = MULTIPLY_ADD (a_im[v], b_re, im[w][v]);
              re[w][v] = MULTIPLY_ADD (a_im[v], b_im, re[w][v]);
              im[w][v] = SUBTRACT_PRODUCT (a_re[v], b_im, im[w][v]);
            }
        }
    }

#pragma GCC unroll 4
  for (size_t w = 0; w < width; w++)
#pragma GCC unroll 4
    for (size_t v = 0; v < vectors; v++)
      {
        double *out = c + w * COLUMN + v * LANES;

        store (out, MULTIPLY_ADD (re[w][v], spread (sign), load (out)));
        store (out + ROWS, MULTIPLY_ADD (im[w][v], spread (sign), load (out + ROWS)));
      }
}

static void
product (const double *a,
         const double *b,
         size_t        n,
         size_t        columns,
         double        sign,
         double       *c)
{
  for (; columns >= 4; columns -= 4, b += 4, c += 4 * COLUMN)
    for (size_t v = 0; v < PARTS; v += VECTORS)
      product_of (a + v * LANES, b, n, 4, VECTORS, sign, c + v * LANES);
  for (; columns > 0; columns--, b++, c += COLUMN)
    for (size_t v = 0; v < PARTS; v += VECTORS)
      product_of (a + v * LANES, b, n, 1, VECTORS, sign, c + v * LANES);
}

ALWAYS_INLINE void
product_real_of (const double *a,
                 const double *b,
                 size_t        n,
                 const size_t  width,
                 const size_t  vectors,
                 double       *c)
{
  Vector re[4][4], im[4][4];

  for (size_t w = 0; w < width; w++)
    for (size_t v = 0; v < vectors; v++)
      {
        re[w][v] = load (c + w * COLUMN + v * LANES);
        im[w][v] = load (c + w * COLUMN + ROWS + v * LANES);
      }

  for (size_t k = 0; k < n; k++, a += COLUMN, b += COLUMN)
    {
      Vector x[4];

#pragma GCC unroll 4
      for (size_t v = 0; v < vectors; v++)
        x[v] = load (a + v * LANES);
#pragma GCC unroll 4
      for (size_t w = 0; w < width; w++)
        {
          const Vector b_re = spread (b[w]), b_im = spread (b[ROWS + w]);

#pragma GCC unroll 4
          for (size_t v = 0; v < vectors; v++)
            {
              re[w][v] = MULTIPLY_ADD (x[v], b_re, re[w][v]);
              im[w][v] = SUBTRACT_PRODUCT (x[v], b_im, im[w][v]);
            }
        }
    }

#pragma GCC unroll 4
  for (size_t w = 0; w < width; w++)
#pragma GCC unroll 4
    for (size_t v = 0; v < vectors; v++)
      {
        store (c + w * COLUMN + v * LANES, re[w][v]);
        store (c + w * COLUMN + ROWS + v * LANES, im[w][v]);
      }
}

static void
product_real (const double *a,
              const double *b,
              size_t        n,
              size_t        columns,
              double       *c)
{
  for (; columns >= 4; columns -= 4, b += 4, c += 4 * COLUMN)
    for (size_t v = 0; v < PARTS; v += VECTORS)
      product_real_of (a + v * LANES, b, n, 4, VECTORS, c + v * LANES);
  for (; columns > 0; columns--, b++, c += COLUMN)
    for (size_t v = 0; v < PARTS; v += VECTORS)
      product_real_of (a + v * LANES, b, n, 1, VECTORS, c + v * LANES);
}

/* ---- factors ---- */

/* c_k -= c_j conj (l_kj) for k > j: what column j leaves of the others. */
ALWAYS_INLINE void
eliminate (double       *c,
           const double *tile,
           size_t        j)
{
  Vector re[PARTS], im[PARTS];

  for (size_t v = 0; v < PARTS; v++)
    {
      re[v] = load (c + j * COLUMN + v * LANES);
      im[v] = load (c + j * COLUMN + ROWS + v * LANES);
    }
  for (size_t k = j + 1; k < ROWS; k++)
    {
      const Vector l_re = spread (tile[j * COLUMN + k]), l_im = spread (tile[j * COLUMN + ROWS + k]);
      double *out = c + k * COLUMN;

      for (size_t v = 0; v < PARTS; v++, out += LANES)
        {
          store (out, SUBTRACT_PRODUCT (im[v], l_im, SUBTRACT_PRODUCT (re[v], l_re, load (out))));
          store (out + ROWS, MULTIPLY_ADD (re[v], l_im, SUBTRACT_PRODUCT (im[v], l_re, load (out + ROWS))));
        }
    }
}

ALWAYS_INLINE void
scale (double *column,
       double  factor)
{
  for (size_t v = 0; v < 2 * PARTS; v++)
    store (column + v * LANES, load (column + v * LANES) * spread (factor));
}

static bool
factor (double       *tile,
        const double *least)
{
  for (size_t j = 0; j < ROWS; j++)
    {
      double *column = tile + j * COLUMN;
      const double pivot = column[j];

      /* Nor may it be a NaN. */
      if (!(pivot > least[j]))
        return false;
      scale (column, 1.0 / sqrt (pivot));
      column[j] = sqrt (pivot);
      column[ROWS + j] = 0.0;
      eliminate (tile, tile, j);
    }

  return true;
}

static void
solve (double       *c,
       const double *tile)
{
  for (size_t j = 0; j < ROWS; j++)
    {
      scale (c + j * COLUMN, 1.0 / tile[j * COLUMN + j]);
      eliminate (c, tile, j);
    }
}

/* ---- phasors ---- */

/* exp (j 2 pi turns), reduced to an eighth of a turn; the polynomials are those of fdlibm. */
ALWAYS_INLINE void
phasor_of (Vector  turns,
           Vector *re,
           Vector *im)
{
  const Vector rounder = spread (0x1.8p52);
  const Vector quarters = turns * 4.0 + rounder;
  /* The lowest bits of such a sum are those of the whole number of quarters. */
  const Longs quarter = (Longs) quarters;
  const Vector x = (turns - (quarters - rounder) * 0.25) * (2.0 * M_PI), z = x * x;
  const Longs swap = (quarter & 1) != 0;
  Vector s = MULTIPLY_ADD (z, spread (1.58969099521155010221e-10), spread (-2.50507602534068634195e-08));
  Vector c = MULTIPLY_ADD (z, spread (-1.13596475577881948265e-11), spread (2.08757232129817482790e-09));

  s = MULTIPLY_ADD (z, s, spread (2.75573137070700676789e-06));
  c = MULTIPLY_ADD (z, c, spread (-2.75573143513906633035e-07));
  s = MULTIPLY_ADD (z, s, spread (-1.98412698298579493134e-04));
  c = MULTIPLY_ADD (z, c, spread (2.48015872894767294178e-05));
  s = MULTIPLY_ADD (z, s, spread (8.33333333332248946124e-03));
  c = MULTIPLY_ADD (z, c, spread (-1.38888888888741095749e-03));
  s = MULTIPLY_ADD (z, s, spread (-1.66666666666666324348e-01));
  c = MULTIPLY_ADD (z, c, spread (4.16666666666666019037e-02));
  s = MULTIPLY_ADD (x * z, s, x);
  c = MULTIPLY_ADD (z * z, c, MULTIPLY_ADD (z, spread (-0.5), spread (1.0)));

  *re = (Vector) ((((Longs) c & ~swap) | ((Longs) s & swap)) ^ ((quarter + 1) & 2) << 62);
  *im = (Vector) ((((Longs) s & ~swap) | ((Longs) c & swap)) ^ (quarter & 2) << 62);
}

ALWAYS_INLINE Vector
square_root (Vector x)
{
  for (size_t lane = 0; lane < LANES; lane++)
    x[lane] = sqrt (x[lane]);

  return x;
}

static void
steer (const EskFocusPanel *foci,
       const double        *positions,
       size_t               n,
       double               sound_speed,
       double               frequency,
       double              *out)
{
  const double turns = frequency / sound_speed;

  for (size_t k = 0; k < n; k++, out += COLUMN)
    {
      const Vector x = spread (positions[3 * k]), y = spread (positions[3 * k + 1]), z = spread (positions[3 * k + 2]);

#pragma GCC unroll 4
      for (size_t v = 0; v < PARTS; v++)
        {
          const Vector px = load (foci->x + v * LANES), py = load (foci->y + v * LANES);
          const Vector pz = load (foci->z + v * LANES);
          Vector difference = MULTIPLY_ADD (pz, z, MULTIPLY_ADD (py, y, px * x)), re, im;

          if (foci->any_near)
            {
              const Longs near = *(const Longs *) (foci->near + v * LANES);
              const Vector dx = px - x, dy = py - y, dz = pz - z;
              const Vector both = load (foci->range + v * LANES) + square_root (dx * dx + dy * dy + dz * dz);
              const Vector close = (2.0 * difference - (x * x + y * y + z * z)) / both;
              const Longs apart = both > 0.0;

              difference = (Vector) (((Longs) difference & ~near) | ((Longs) close & near & apart));
            }
          phasor_of (difference * turns, &re, &im);
          store (out + v * LANES, re);
          store (out + ROWS + v * LANES, im);
        }
    }
}

static void
squares (const double *a,
         size_t        n,
         const double *weights,
         double       *sums)
{
  Vector total[PARTS];

  for (size_t v = 0; v < PARTS; v++)
    total[v] = load (sums + v * LANES);
  for (size_t k = 0; k < n; k++, a += COLUMN)
    {
      const Vector weight = spread (weights != NULL ? weights[k] : 1.0);

      for (size_t v = 0; v < PARTS; v++)
        {
          const Vector re = load (a + v * LANES), im = load (a + ROWS + v * LANES);

          total[v] = MULTIPLY_ADD (MULTIPLY_ADD (re, re, im * im), weight, total[v]);
        }
    }
  for (size_t v = 0; v < PARTS; v++)
    store (sums + v * LANES, total[v]);
}

/* ---- rotations ---- */

/* Rows of planes: real parts, and imaginary ones `plane` doubles on. p' = c p - s q, q' = conj (s) p + c q. */
static void
rotate (double *p,
        double *q,
        size_t  n,
        size_t  plane,
        double  cosine,
        double  sine_re,
        double  sine_im)
{
  const Vector c = spread (cosine), x = spread (sine_re), y = spread (sine_im);

  for (size_t k = 0; k < n; k += LANES)
    {
      const Vector p_re = load (p + k), p_im = load (p + plane + k), q_re = load (q + k), q_im = load (q + plane + k);

      store (p + k, MULTIPLY_ADD (y, q_im, SUBTRACT_PRODUCT (x, q_re, c * p_re)));
      store (p + plane + k, SUBTRACT_PRODUCT (y, q_re, SUBTRACT_PRODUCT (x, q_im, c * p_im)));
      store (q + k, MULTIPLY_ADD (y, p_im, MULTIPLY_ADD (x, p_re, c * q_re)));
      store (q + plane + k, SUBTRACT_PRODUCT (y, p_re, MULTIPLY_ADD (x, p_im, c * q_im)));
    }
}

typedef double Loose __attribute__ ((vector_size (8 * LANES), aligned (8), may_alias));

/* Twice in turn, from the last to the first. */
ALWAYS_INLINE void
reverse (const double *from,
         size_t        n,
         double       *to)
{
  size_t k = 0;

#ifndef __clang__
  Longs backwards;

  for (size_t lane = 0; lane < LANES; lane++)
    backwards[lane] = (int64_t) (LANES - 1 - lane);
#endif
  for (; k + LANES <= n; k += LANES)
    {
#ifdef __clang__
      /* It knows no shuffle by a vector, and makes one of this. */
      Vector x;

      for (size_t lane = 0; lane < LANES; lane++)
        x[lane] = from[k + LANES - 1 - lane];
#else
      const Vector x = __builtin_shuffle ((Vector) *(const Loose *) (from + k), backwards);
#endif

      *(Loose *) (to + n - k - LANES) = x;
      *(Loose *) (to + 2 * n - k - LANES) = x;
    }
  for (; k < n; k++)
    to[n - 1 - k] = to[2 * n - 1 - k] = from[k];
}

static void
turn_columns (double           *row,
              size_t            plane,
              const EskColumns *columns,
              double           *scratch)
{
  const size_t n = columns->n;
  double *re = row + 1, *im = row + plane + 1, *back_re = scratch, *back_im = scratch + columns->scratch;
  const double x_re = row[0], x_im = row[plane], y_re = re[columns->lone], y_im = im[columns->lone];

  reverse (re, n, back_re);
  reverse (im, n, back_im);
  back_re += columns->shift;
  back_im += columns->shift;
  for (size_t k = 0; k < n; k += LANES)
    {
      const Vector c = load (columns->c + k), w_re = load (columns->w_re + k), w_im = load (columns->w_im + k);
      const Vector a = (Vector) *(const Loose *) (re + k), b = (Vector) *(const Loose *) (im + k);
      const Vector u = (Vector) *(const Loose *) (back_re + k), v = (Vector) *(const Loose *) (back_im + k);

      *(Loose *) (re + k) = SUBTRACT_PRODUCT (w_im, v, MULTIPLY_ADD (w_re, u, c * a));
      *(Loose *) (im + k) = MULTIPLY_ADD (w_im, u, MULTIPLY_ADD (w_re, v, c * b));
    }

  /* p' = c p - conj (s) q, q' = s p + c q. */
  row[0] = columns->first_c * x_re - (columns->first_re * y_re + columns->first_im * y_im);
  row[plane] = columns->first_c * x_im - (columns->first_re * y_im - columns->first_im * y_re);
  re[columns->lone] = columns->first_c * y_re + (columns->first_re * x_re - columns->first_im * x_im);
  im[columns->lone] = columns->first_c * y_im + (columns->first_re * x_im + columns->first_im * x_re);
}

#define ADAPTIVE_LOOPS(processor) \
  { .name = processor, .product = product, .product_real = product_real, .factor = factor, .solve = solve, \
    .steer = steer, .squares = squares, .rotate = rotate, .turn_columns = turn_columns }
