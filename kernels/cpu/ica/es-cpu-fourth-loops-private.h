/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The contraction of fourth moments; included once for every processor after es-cpu-algebra-loops-private.h, hence
 * everything is static.
 *
 * Of one vector each number of the table is read once and takes part in two sums; rows of the table are taken two at a
 * time. Of many vectors, which are what vectors of the processor lie across, a table's block of j is a matrix that the
 * pairs are multiplied by, and what the multipliers can do is what limits: the second sums are the first ones of the
 * table in the reverse order of its variables.
 */

#include <string.h>

/* Rows i and, where `both`, i + 1 of the table's block of j, each of n vectors. */
static inline __attribute__ ((always_inline)) void
contract_rows (const int both, size_t i, size_t j, size_t n, const double *table, const double *q, double *lower,
               double *upper)
{
  const size_t pair = i * (i + 1) / 2 + j, pair_after = (i + 1) * (i + 2) / 2 + j;
  const Vector *t0 = (const Vector *) table, *t1 = t0 + n, *x = (const Vector *) q;
  const Vector along0 = SPREAD (q[pair]), along1 = SPREAD (both ? q[pair_after] : 0);
  Vector sum0 = { 0 }, sum1 = { 0 }, *out = (Vector *) upper;

  for (size_t p = 0; p < n; p++)
    {
      Vector total = MULTIPLY_ADD (t0[p], along0, out[p]);

      sum0 = MULTIPLY_ADD (t0[p], x[p], sum0);
      if (both)
        {
          sum1 = MULTIPLY_ADD (t1[p], x[p], sum1);
          total = MULTIPLY_ADD (t1[p], along1, total);
        }
      out[p] = total;
    }
  lower[pair] = add_lanes (sum0);
  if (both)
    lower[pair_after] = add_lanes (sum1);
}

static void
contract_one (size_t m, const double *table, const double *q, double *lower, double *upper)
{
  memset (lower, 0, esk_fourth_stride (m - 1) * sizeof (double));
  memset (upper, 0, esk_fourth_stride (m - 1) * sizeof (double));
  for (size_t j = 0; j < m; j++)
    {
      const size_t width = esk_fourth_stride (j), n = width / LANES;
      size_t i = j;

      for (; i + 1 < m; i += 2, table += 2 * width)
        contract_rows (1, i, j, n, table, q, lower, upper);
      for (; i < m; i++, table += width)
        contract_rows (0, i, j, n, table, q, lower, upper);
    }
}

/* out += x y */
static inline void
add_products (size_t columns, const double *x, const double *y, double *out)
{
  const Vector *a = (const Vector *) x, *b = (const Vector *) y;
  Vector *to = (Vector *) out;

  for (size_t v = 0; v < columns / LANES; v++)
    to[v] = MULTIPLY_ADD (a[v], b[v], to[v]);
}

static void
contract_many (size_t m, size_t columns, const double *table, const double *w, ptrdiff_t step, double *q,
               double *block, double *product)
{
  double *out = q;

  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j <= i; j++, out += columns)
      {
        const Vector *x = (const Vector *) (w + (ptrdiff_t) i * step), *y = (const Vector *) (w + (ptrdiff_t) j * step);

        for (size_t v = 0; v < columns / LANES; v++)
          ((Vector *) out)[v] = x[v] * y[v];
      }
  for (size_t j = 0; j < m; j++)
    {
      const size_t width = esk_fourth_stride (j);

      multiply (m - j, columns, (j + 1) * (j + 2) / 2, table, width, 1, q, columns, block, columns);
      table += (m - j) * width;
      for (size_t i = j; i < m; i++)
        {
          const double *s = block + (i - j) * columns;

          add_products (columns, w + (ptrdiff_t) j * step, s, product + (ptrdiff_t) i * step);
          add_products (columns, w + (ptrdiff_t) i * step, s, product + (ptrdiff_t) j * step);
        }
    }
}
