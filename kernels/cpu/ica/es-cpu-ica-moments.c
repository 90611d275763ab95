/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * All moments of whitened samples up to the fourth, as the covariance sums of their monomials of degree one and two.
 *
 * A product of monomials depends on its factors only, not on how they are paired: z_a z_b z_c z_d with a >= b >= c >= d
 * is summed once, as z_a z_b times z_c z_d. For every b these are m - b rows times the first (b + 1) (b + 2) / 2
 * monomials of degree two, a dense block; of 27 planes that is 31,000 products a sample in place of 82,000. The shift
 * is put in afterwards: samples are whitened, and take no harm in float32 without one.
 */

#include "es-cpu-ica-private.h"

#include <limits.h>
#include <string.h>

/* Rows of degree one that are multiplied together. */
#define ROWS 3

typedef struct
{
  size_t  m, n_quadratic, n_fourth;
  double *first;               /* sums of the monomials: m of degree one, n_quadratic of degree two */
  double *third;               /* [m][n_quadratic], z_i times those up to z_i z_i */
  double *fourth;              /* blocks, b after b */
} Sums;

typedef struct
{
  size_t  capacity, stride;
  float  *ones, *z, *quadratic, *rows, *scratch;
} Panels;

static inline size_t
triangle (size_t n)
{
  return n * (n + 1) / 2;
}

static int
sums_init (Sums      *sums,
           EskStream *stream,
           size_t     m)
{
  size_t n_third, n;

  sums->m = m;
  sums->n_quadratic = triangle (m);
  sums->n_fourth = 0;
  for (size_t b = 0; b < m; b++)
    if (__builtin_add_overflow (sums->n_fourth, (m - b) * triangle (b + 1), &sums->n_fourth))
      return ESK_ERROR_MEMORY;
  if (__builtin_mul_overflow (m, sums->n_quadratic, &n_third) || __builtin_add_overflow (n_third, sums->n_fourth, &n)
      || __builtin_add_overflow (n, m + sums->n_quadratic, &n))
    return ESK_ERROR_MEMORY;
  sums->first = esk_scratch_get (&stream->state, n, sizeof (double));
  if (sums->first == NULL)
    return ESK_ERROR_MEMORY;
  memset (sums->first, 0, n * sizeof (double));
  sums->third = sums->first + m + sums->n_quadratic;
  sums->fourth = sums->third + n_third;

  return ESK_OK;
}

static int
panels_init (Panels     *panels,
             EskStream  *stream,
             const Sums *sums)
{
  size_t n_rows = 1 + 2 * sums->m + sums->n_quadratic;

  panels->capacity = esk_cpu_capacity (n_rows, sizeof (float));
  if (panels->capacity > ESK_ICA_RUN)
    panels->capacity = ESK_ICA_RUN;
  panels->stride = esk_cpu_stride (panels->capacity, sizeof (float));
  if (n_rows > SIZE_MAX / panels->stride)
    return ESK_ERROR_MEMORY;
  panels->ones = esk_scratch_get (&stream->panel, n_rows * panels->stride, sizeof (float));
  panels->scratch = esk_scratch_get (&stream->products, (sums->m + 1) * sums->n_quadratic, sizeof (float));
  if (panels->ones == NULL || panels->scratch == NULL)
    return ESK_ERROR_MEMORY;
  panels->z = panels->ones + panels->stride;
  panels->quadratic = panels->z + sums->m * panels->stride;
  panels->rows = panels->quadratic + sums->n_quadratic * panels->stride;

  return ESK_OK;
}

static void
add_panel (const EskCpuIcaLoops *loops,
           const Panels         *panels,
           size_t                n,
           size_t                padded,
           Sums                 *sums)
{
  size_t m = sums->m, stride = panels->stride;
  double *fourth = sums->fourth;

  for (size_t k = 0; k < padded; k++)
    panels->ones[k] = k < n ? 1.0f : 0.0f;
  for (size_t i = 0, row = 0; i < m; i++)
    for (size_t j = 0; j <= i; j++, row++)
      loops->multiply (panels->z + i * stride, panels->z + j * stride, padded, panels->quadratic + row * stride);

  loops->cross (1, panels->ones, m + sums->n_quadratic, panels->z, stride, padded, sums->first, m + sums->n_quadratic,
                panels->scratch);
  for (size_t i = 0; i < m; i += ROWS)
    {
      size_t rows = m - i < ROWS ? m - i : ROWS;

      loops->cross (rows, panels->z + i * stride, triangle (i + rows), panels->quadratic, stride, padded,
                    sums->third + i * sums->n_quadratic, sums->n_quadratic, panels->scratch);
    }
  for (size_t b = 0; b < m; b++)
    {
      for (size_t a = b; a < m; a++)
        memcpy (panels->rows + (a - b) * stride, panels->quadratic + (triangle (a) + b) * stride,
                padded * sizeof (float));
      loops->cross (m - b, panels->rows, triangle (b + 1), panels->quadratic, stride, padded, fourth, triangle (b + 1),
                    panels->scratch);
      fourth += (m - b) * triangle (b + 1);
    }
}

/* A monomial's factors, the larger index first; n is 1 or 2. */
typedef struct
{
  size_t n, i, j;
} Factors;

static inline size_t
larger (size_t a,
        size_t b)
{
  return a > b ? a : b;
}

static inline size_t
smaller (size_t a,
         size_t b)
{
  return a < b ? a : b;
}

/* The sum of x times y, where x comes not before y. blocks[b]: where the block of b starts. */
static double
product_of (const Sums   *sums,
            const size_t *blocks,
            Factors       x,
            Factors       y)
{
  size_t highest = larger (x.i, y.i), middle, other;

  if (x.n == 1)
    return sums->first[esk_monomial (sums->m, larger (x.i, y.i), smaller (x.i, y.i))];
  middle = larger (smaller (x.i, y.i), x.j);
  other = smaller (smaller (x.i, y.i), x.j);
  if (y.n == 1)
    return sums->third[highest * sums->n_quadratic + triangle (middle) + other];
  middle = larger (smaller (x.i, y.i), larger (x.j, y.j));
  other = smaller (smaller (x.i, y.i), larger (x.j, y.j));

  return sums->fourth[blocks[middle] + (highest - middle) * triangle (middle + 1) + triangle (other)
                      + smaller (x.j, y.j)];
}

static Factors
factors_next (Factors x,
              size_t  m)
{
  if (x.n == 1)
    return x.i + 1 < m ? (Factors) { 1, x.i + 1, 0 } : (Factors) { 2, 0, 0 };

  return x.j < x.i ? (Factors) { 2, x.i, x.j + 1 } : (Factors) { 2, x.i + 1, 0 };
}

static void
add_sums (const Sums    *sums,
          const size_t  *blocks,
          size_t         count,
          EskCovariance *covariance)
{
  size_t n = covariance->n_bands;
  const double *shift = covariance->shift;
  Factors x = { 1, 0, 0 };

  for (size_t i = 0; i < n; i++, x = factors_next (x, sums->m))
    {
      Factors y = { 1, 0, 0 };

      for (size_t j = 0; j <= i; j++, y = factors_next (y, sums->m))
        covariance->product[i * n + j] += product_of (sums, blocks, x, y) - shift[i] * sums->first[j]
                                          - shift[j] * sums->first[i] + (double) count * shift[i] * shift[j];
      covariance->sum[i] += sums->first[i] - (double) count * shift[i];
    }
  covariance->count += (int64_t) count;
}

int
esk_cpu_moment_sums (EskStream     *stream,
                     const float   *whitened,
                     size_t         count,
                     size_t         plane_stride,
                     size_t         m,
                     EskCovariance *covariance)
{
  const EskCpuIcaLoops *loops;
  Panels panels;
  Sums sums;
  size_t *blocks;
  int code;

  if (stream == NULL || covariance == NULL || m == 0 || m > USHRT_MAX || covariance->exact
      || covariance->n_bands != esk_n_monomials (m))
    return ESK_ERROR_ARGUMENT;
  if (count > 0 && (whitened == NULL || count > PTRDIFF_MAX || (m > 1 && plane_stride < count)))
    return ESK_ERROR_ARGUMENT;
  if (count == 0)
    return ESK_OK;

  code = sums_init (&sums, stream, m);
  if (code == ESK_OK)
    code = panels_init (&panels, stream, &sums);
  if (code != ESK_OK)
    return code;
  blocks = esk_scratch_get (&stream->offsets, m, sizeof (size_t));
  if (blocks == NULL)
    return ESK_ERROR_MEMORY;
  blocks[0] = 0;
  for (size_t b = 1; b < m; b++)
    blocks[b] = blocks[b - 1] + (m - b + 1) * triangle (b);

  loops = esk_cpu_ica_loops (stream);
  for (size_t first = 0, n; first < count; first += n)
    {
      size_t padded;

      n = count - first < panels.capacity ? count - first : panels.capacity;
      padded = esk_cpu_ica_fill (whitened + first, plane_stride, m, n, panels.z, panels.stride);
      add_panel (loops, &panels, n, padded, &sums);
    }
  add_sums (&sums, blocks, count, covariance);

  return ESK_OK;
}
