/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-sparse.h"

#include <math.h>

void
es_test_sparse_free (EsTestSparse *self)
{
  g_free (self->row_from);
  g_free (self->column);
  g_free (self->value);
  g_free (self->b);
  g_free (self);
}

EsTestSparse *
es_test_sparse_new (gsize n, gsize most)
{
  EsTestSparse *self = g_new0 (EsTestSparse, 1);

  self->n = n;
  self->row_from = g_new0 (gint32, n + 1);
  self->column = g_new0 (gint32, most + 1);
  self->value = g_new0 (double, most + 1);
  self->b = g_new (double, n);
  for (gsize i = 0; i < n; i++)
    self->b[i] = 1 + sin (1.0 + 1.7 * (double) i);
  self->csr = (EskCsr) { n, n, ESK_F64, self->row_from, self->column, self->value };
  return self;
}

void
es_test_sparse_put (EsTestSparse *self, gsize row, gsize column, double value)
{
  self->column[self->n_nonzeros] = (gint32) column;
  self->value[self->n_nonzeros++] = value;
  self->row_from[row + 1] = (gint32) self->n_nonzeros;
}

double
es_test_even (gsize x, gsize y, gsize z, gsize x2, gsize y2, gsize z2)
{
  return 1;
}

/* A hundredth as much across as along. */
double
es_test_stretched (gsize x, gsize y, gsize z, gsize x2, gsize y2, gsize z2)
{
  return y == y2 ? 1 : 0.01;
}

/* A thousand times as much in every other square of 16 x 16; between them the harmonic mean. */
double
es_test_jumping (gsize x, gsize y, gsize z, gsize x2, gsize y2, gsize z2)
{
  const double one = (x / 16 + y / 16) % 2 == 0 ? 1 : 1000, two = (x2 / 16 + y2 / 16) % 2 == 0 ? 1 : 1000;

  return 2 * one * two / (one + two);
}

/* Neighbours in 2 or 3 dimensions; all of them around, or those across a side alone. border: also coupled to what is
 * beyond the border, as with values that are given there. */
EsTestSparse *
es_test_sparse_grid (gsize nx, gsize ny, gsize nz, gboolean all, gboolean border, EsTestCoupling coupling)
{
  EsTestSparse *self = es_test_sparse_new (nx * ny * nz, nx * ny * nz * (all ? 27 : 7));

  for (gsize z = 0; z < nz; z++)
    for (gsize y = 0; y < ny; y++)
      for (gsize x = 0; x < nx; x++)
        {
          const gsize row = (z * ny + y) * nx + x;
          gsize at = 0;
          double sum = 0;

          for (int k = -1; k <= 1; k++)
            for (int j = -1; j <= 1; j++)
              for (int i = -1; i <= 1; i++)
                {
                  const gsize x2 = x + (gsize) i, y2 = y + (gsize) j, z2 = z + (gsize) k;
                  const int away = ABS (i) + ABS (j) + ABS (k);
                  const gboolean inside = x2 < nx && y2 < ny && z2 < nz;

                  if (away == 0)
                    {
                      at = self->n_nonzeros;
                      es_test_sparse_put (self, row, row, 0);
                    }
                  else if ((all || away == 1) && (nz > 1 || k == 0))
                    {
                      const double value = inside ? coupling (x, y, z, x2, y2, z2) : border ? 1 : 0;

                      sum += value;
                      if (inside)
                        es_test_sparse_put (self, row, (z2 * ny + y2) * nx + x2, -value);
                    }
                }
          self->value[at] = sum;
        }
  return self;
}
