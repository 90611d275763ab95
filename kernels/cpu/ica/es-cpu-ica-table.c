/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Moments in the place of samples: tables of them, and the means that a step wants, contracted from these. */

#include "es-ica-host.h"

#include "es-cpu-algebra-private.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT ESK_ALGEBRA_ALIGNMENT

static inline size_t
triangle (size_t n)
{
  return n * (n + 1) / 2;
}

/* ---- tables ---- */

/* Mean of the product of monomials a and b. */
static inline double
mean_of_product (const EskCovariance *sums, size_t a, size_t b)
{
  const size_t n = sums->n_bands;
  const double product = a >= b ? sums->product[a * n + b] : sums->product[b * n + a];

  return (product + sums->shift[a] * sums->sum[b] + sums->shift[b] * sums->sum[a]) / (double) sums->count
         + sums->shift[a] * sums->shift[b];
}

/* A quarter of the orders in which i, j, k, l can be written, i >= j >= k >= l. */
static inline double
quarter_orders (size_t i, size_t j, size_t k, size_t l)
{
  /* By which of the three pairs of neighbours are alike: of i and j, of j and k, of k and l. */
  static const double quarters[8] = { 6, 3, 3, 1, 3, 1.5, 1, 0.25 };

  return quarters[(i == j) | (j == k) << 1 | (k == l) << 2];
}

static void
fill_fourth (EskMomentTable *table, const EskCovariance *sums)
{
  const size_t m = table->m, n = sums->n_bands;
  const double each = 1 / (double) sums->count;
  double *out = table->fourth;

  for (size_t j = 0; j < m; j++)
    for (size_t i = j; i < m; i++)
      {
        const size_t ij = esk_monomial (m, i, j);
        const double shift = sums->shift[ij], sum = sums->sum[ij];
        double *row = out;

        for (size_t k = 0; k <= j; k++, row += k)
          {
            const size_t first = esk_monomial (m, k, 0);
            const double *product = sums->product + ij * n + first, *shifts = sums->shift + first;
            const double *others = sums->sum + first, orders = quarter_orders (i, j, k, m);

            for (size_t l = 0; l <= k; l++)
              row[l] = orders * ((product[l] + shift * others[l] + shifts[l] * sum) * each + shift * shifts[l]);
            row[k] *= quarter_orders (i, j, k, k) / orders;
          }
        out += esk_fourth_stride (j);
        memset (row, 0, (size_t) (out - row) * sizeof (double));
      }
}

/* The same numbers as of the variables in reverse order. blocks[j]: where the block of j starts, in either. */
static void
fill_reversed (EskMomentTable *table, const size_t *blocks)
{
  const size_t m = table->m, last = m - 1;
  double *out = table->reversed;

  for (size_t j = 0; j < m; j++)
    for (size_t i = j; i < m; i++)
      {
        double *row = out;

        for (size_t k = 0; k <= j; k++)
          {
            const double *from = table->fourth + blocks[last - k] + triangle (last - j) + last - i;

            for (size_t l = 0; l <= k; l++)
              *row++ = from[(k - l) * esk_fourth_stride (last - k)];
          }
        out += esk_fourth_stride (j);
        memset (row, 0, (size_t) (out - row) * sizeof (double));
      }
}

/* Numbers of `fourth`, with the padding, and where its blocks start. false: too many to be counted. */
static bool
count_fourth (size_t m, size_t *blocks, size_t *count)
{
  size_t numbers;

  *count = 0;
  for (size_t j = 0; j < m; j++)
    {
      blocks[j] = *count;
      if (__builtin_mul_overflow (esk_fourth_stride (j), m - j, &numbers)
          || __builtin_add_overflow (*count, numbers, count))
        return false;
    }
  return *count <= (SIZE_MAX - ALIGNMENT) / sizeof (double);
}

/* Once for (i, j) and once for (j, i), as sums over all i and j have them. */
static void
fill_lower (EskMomentTable *table, const EskCovariance *sums)
{
  const size_t m = table->m;

  for (size_t i = 0, a = 0; i < m; i++)
    for (size_t j = 0; j <= i; j++, a++)
      table->second[a] = (i == j ? 1 : 2) * (sums->sum[m + a] / (double) sums->count + sums->shift[m + a]);
  for (size_t k = 0; k < m; k++)
    for (size_t i = 0, a = 0; i < m; i++)
      for (size_t j = 0; j <= i; j++, a++)
        table->third[k * table->n_pairs + a] = (i == j ? 1 : 2) * mean_of_product (sums, m + a, k);
}

int
esk_moment_table_init (EskMomentTable *table, size_t m, const EskCovariance *sums)
{
  size_t n_fourth, *blocks;

  memset (table, 0, sizeof *table);
  if (m == 0 || m > INT_MAX || sums == NULL || sums->exact || sums->count < 1 || sums->n_bands != esk_n_monomials (m))
    return ESK_ERROR_ARGUMENT;

  table->m = m;
  table->n_pairs = triangle (m);
  table->count = sums->count;
  blocks = malloc (m * sizeof *blocks);
  if (blocks == NULL || !count_fourth (m, blocks, &n_fourth))
    {
      free (blocks);
      return ESK_ERROR_MEMORY;
    }
  table->second = malloc (table->n_pairs * sizeof (double));
  table->third = calloc (table->n_pairs, m * sizeof (double));
  /* Rows of vectors: a multiple of their size, as aligned_alloc () asks for. */
  table->fourth = aligned_alloc (ALIGNMENT, n_fourth * sizeof (double));
  table->reversed = aligned_alloc (ALIGNMENT, n_fourth * sizeof (double));
  if (table->second == NULL || table->third == NULL || table->fourth == NULL || table->reversed == NULL)
    {
      free (blocks);
      esk_moment_table_clear (table);
      return ESK_ERROR_MEMORY;
    }

  fill_lower (table, sums);
  fill_fourth (table, sums);
  fill_reversed (table, blocks);
  free (blocks);
  return ESK_OK;
}

void
esk_moment_table_clear (EskMomentTable *table)
{
  free (table->second);
  free (table->third);
  free (table->fourth);
  free (table->reversed);
  memset (table, 0, sizeof *table);
}

/* ---- one vector ---- */

/* product = E z (w'z)^3 is the derivative of E (w'z)^4 / 4, in which q_ij = w_i w_j is on either side of the table. */
static int
step_of_one (const EskMomentTable *table, const double *w, double *product, double *derivative)
{
  const size_t m = table->m, stride = esk_fourth_stride (m - 1);
  double *q = aligned_alloc (ALIGNMENT, 3 * stride * sizeof (double)), *lower, *upper, *out;
  double sum = 0;

  if (q == NULL)
    return ESK_ERROR_MEMORY;
  lower = q + stride;
  upper = lower + stride;
  out = q;
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j <= i; j++)
      *out++ = w[i] * w[j];
  while (out < lower)
    *out++ = 0;
  esk_cpu_algebra ()->contract_one (m, table->fourth, q, lower, upper);

  for (size_t a = 0; a < table->n_pairs; a++)
    sum += q[a] * table->second[a];
  *derivative = 3 * sum;
  for (size_t i = 0; i < m; i++)
    {
      /* Once as the larger index, and once as the smaller. */
      sum = w[i] * (lower[i] + upper[i]);
      for (size_t j = 0; j <= i; j++)
        sum += w[j] * (lower[j] + upper[j]);
      product[i] = sum;
      for (size_t j = 0; j < i; j++)
        product[j] += w[i] * (lower[j] + upper[j]);
      lower += i + 1;
      upper += i + 1;
    }
  free (q);
  return ESK_OK;
}

/* ---- many vectors ---- */

/* Numbers of each vector beside each other, and zeros up to whole vectors of the processor. */
typedef struct
{
  const EskCpuAlgebra *algebra;
  size_t  columns;
  double *w, *product, *block;             /* m x columns */
  double *q;                               /* n_pairs x columns, w_i w_j */
} Many;

static void
many_clear (Many *self)
{
  free (self->w);
}

/* product = E z (w'z)^3 of each. */
static int
many_init (Many *self, const EskMomentTable *table, size_t rows, const double *w)
{
  const EskCpuAlgebra *algebra = esk_cpu_algebra ();
  const size_t m = table->m;
  const size_t columns = (rows + algebra->lanes - 1) / algebra->lanes * algebra->lanes;
  size_t numbers;

  *self = (Many) { .algebra = algebra };
  if (__builtin_mul_overflow (table->n_pairs + 3 * m, columns, &numbers)
      || numbers > (SIZE_MAX - ALIGNMENT) / sizeof (double))
    return ESK_ERROR_MEMORY;
  numbers = (numbers + ESK_ALGEBRA_ROUND - 1) / ESK_ALGEBRA_ROUND * ESK_ALGEBRA_ROUND;
  self->w = aligned_alloc (ALIGNMENT, numbers * sizeof (double));
  if (self->w == NULL)
    return ESK_ERROR_MEMORY;
  self->columns = columns;
  self->product = self->w + m * columns;
  self->block = self->product + m * columns;
  self->q = self->block + m * columns;

  memset (self->w, 0, 2 * m * columns * sizeof (double));
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < m; i++)
      self->w[i * columns + r] = w[r * m + i];
  algebra->contract_many (m, columns, table->reversed, self->w + (m - 1) * columns, -(ptrdiff_t) columns, self->q,
                          self->block, self->product + (m - 1) * columns);
  algebra->contract_many (m, columns, table->fourth, self->w, (ptrdiff_t) columns, self->q, self->block,
                          self->product);
  return ESK_OK;
}

/* block: E (w'z)^2 of each. */
static void
find_second (Many *self, const EskMomentTable *table)
{
  self->algebra->multiply (1, self->columns, table->n_pairs, table->second, 0, 1, self->q, self->columns, self->block,
                           self->columns);
}

/* block: E z (w'z)^2 of each. */
static void
find_third (Many *self, const EskMomentTable *table)
{
  self->algebra->multiply (table->m, self->columns, table->n_pairs, table->third, table->n_pairs, 1, self->q,
                           self->columns, self->block, self->columns);
}

static int
step_of_many (const EskMomentTable *table, size_t rows, const double *w, double *product, double *derivative)
{
  const size_t m = table->m;
  Many many;
  int code = many_init (&many, table, rows, w);

  if (code != ESK_OK)
    return code;
  for (size_t r = 0; r < rows; r++)
    for (size_t i = 0; i < m; i++)
      product[r * m + i] = many.product[i * many.columns + r];
  find_second (&many, table);
  for (size_t r = 0; r < rows; r++)
    derivative[r] = 3 * many.block[r];
  many_clear (&many);
  return ESK_OK;
}

/* ---- means ---- */

int
esk_moment_table_step (const EskMomentTable *table, size_t rows, const double *w, double *product, double *derivative)
{
  if (rows == 0 || rows > INT_MAX)
    return ESK_ERROR_ARGUMENT;
  return rows == 1 ? step_of_one (table, w, product, derivative)
                   : step_of_many (table, rows, w, product, derivative);
}

int
esk_moment_table_moments (const EskMomentTable *table, size_t rows, const double *w, EskIcaMoments *moments)
{
  const size_t m = table->m;
  Many many;
  int code;

  if (rows == 0 || rows > INT_MAX)
    return ESK_ERROR_ARGUMENT;
  code = many_init (&many, table, rows, w);
  if (code != ESK_OK)
    return code;

  find_second (&many, table);
  for (size_t r = 0; r < rows; r++)
    moments[r] = (EskIcaMoments) { .second = many.block[r] };
  find_third (&many, table);
  for (size_t r = 0; r < rows; r++)
    {
      for (size_t i = 0; i < m; i++)
        {
          moments[r].third += w[r * m + i] * many.block[i * many.columns + r];
          moments[r].fourth += w[r * m + i] * many.product[i * many.columns + r];
        }
      moments[r].contrast = moments[r].fourth / 4;
    }
  many_clear (&many);
  return ESK_OK;
}
