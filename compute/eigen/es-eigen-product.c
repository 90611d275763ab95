/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sparse-eigen-private.h"

struct _EsEigenProduct
{
  const EskCsr *matrix;
};

EsEigenProduct *
es_eigen_product_new (const EskCsr *matrix, guint threads, GError **error)
{
  EsEigenProduct *self = g_new0 (EsEigenProduct, 1);

  self->matrix = matrix;
  return self;
}

void
es_eigen_product_free (EsEigenProduct *self)
{
  g_free (self);
}

gboolean
es_eigen_product_apply (gpointer data, const double *x, double *y, GError **error)
{
  const EskCsr *matrix = ((EsEigenProduct *) data)->matrix;
  const double *value = matrix->value;

  for (gsize i = 0; i < matrix->rows; i++)
    {
      double sum = 0;

      for (gint32 j = matrix->row_from[i]; j < matrix->row_from[i + 1]; j++)
        sum += value[j] * x[matrix->column[j]];
      y[i] = sum;
    }
  return TRUE;
}
