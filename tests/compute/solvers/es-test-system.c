/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-system.h"

#include <math.h>
#include <string.h>

extern void dgesv_ (const int *n, const int *nrhs, double *a, const int *lda, int *pivots, double *b, const int *ldb,
                    int *info);

EsTestSystem *
es_test_system_new (gsize n, double *dense, const double *b)
{
  EsTestSystem *self = g_new0 (EsTestSystem, 1);
  gint32 *row_from = g_new (gint32, n + 1), *column = g_new (gint32, n * n + 1), at = 0;
  g_autofree double *columns = g_new (double, n * n);
  double *value = g_new (double, n * n + 1);
  g_autofree int *pivots = g_new (int, n);
  const int order = (int) n, one = 1;
  int info;

  self->n = n;
  self->dense = dense;
  self->b = g_new (double, n);
  for (gsize i = 0; i < n; i++)
    {
      self->b[i] = b != NULL ? b[i] : 1;
      row_from[i] = at;
      for (gsize j = 0; j < n; j++)
        {
          columns[j * n + i] = dense[i * n + j];
          if (dense[i * n + j] == 0)
            continue;
          column[at] = (gint32) j;
          value[at++] = dense[i * n + j];
        }
    }
  row_from[n] = at;
  self->csr = (EskCsr) { n, n, ESK_F64, row_from, column, value };
  self->x = g_memdup2 (self->b, n * sizeof (double));
  dgesv_ (&order, &one, columns, &order, pivots, self->x, &order, &info);
  if (info != 0)
    g_clear_pointer (&self->x, g_free);
  return self;
}

void
es_test_system_free (EsTestSystem *self)
{
  g_free (self->dense);
  g_free (self->b);
  g_free (self->x);
  g_free ((gpointer) self->csr.row_from);
  g_free ((gpointer) self->csr.column);
  g_free ((gpointer) self->csr.value);
  g_free (self);
}

EsTestSystem *
es_test_system_wind (gsize width, gsize height, double wind)
{
  const gsize n = width * height;
  double *dense = g_new0 (double, n * n);
  g_autofree double *b = g_new (double, n);

  for (gsize y = 0; y < height; y++)
    for (gsize x = 0; x < width; x++)
      {
        const gsize i = y * width + x;

        b[i] = sin (1.0 + (double) i);
        dense[i * n + i] = 4;
        if (x > 0)
          dense[i * n + i - 1] = -1 - wind;
        if (x + 1 < width)
          dense[i * n + i + 1] = -1 + wind;
        if (y > 0)
          dense[i * n + i - width] = -1;
        if (y + 1 < height)
          dense[i * n + i + width] = -1;
      }
  return es_test_system_new (n, dense, b);
}

EsTestSystem *
es_test_system_laplacian (gsize width, gsize height, double shift)
{
  g_autoptr (EsTestSystem) plain = es_test_system_wind (width, height, 0);
  double *dense = g_steal_pointer (&plain->dense);

  for (gsize i = 0; i < plain->n; i++)
    dense[i * plain->n + i] -= shift;
  return es_test_system_new (plain->n, dense, plain->b);
}

double
es_test_system_error (const EsTestSystem *self, const double *x)
{
  double difference = 0, length = 0;

  for (gsize i = 0; i < self->n; i++)
    {
      difference += (x[i] - self->x[i]) * (x[i] - self->x[i]);
      length += self->x[i] * self->x[i];
    }
  return sqrt (difference / length);
}

EsSolverSettings
es_test_settings (EsSolverMethod method, EsPreconditionerKind preconditioner)
{
  return (EsSolverSettings) { .method = method, .preconditioner = preconditioner, .tolerance = 1e-10,
                              .iterations = 5000, .type = ESK_F64, .format = ESK_SPARSE_CSR_VECTOR, .threads = 2,
                              .strength = ES_SOLVER_STRENGTH };
}
