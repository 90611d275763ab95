/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-matrix.h"

#include <math.h>

EsTestMatrix *
es_test_matrix_new (gsize n)
{
  EsTestMatrix *self = g_new0 (EsTestMatrix, 1);

  self->n = n;
  self->row = g_array_new (FALSE, FALSE, sizeof (gint32));
  self->column = g_array_new (FALSE, FALSE, sizeof (gint32));
  self->value = g_array_new (FALSE, FALSE, sizeof (double));
  return self;
}

void
es_test_matrix_free (EsTestMatrix *self)
{
  g_array_unref (self->row);
  g_array_unref (self->column);
  g_array_unref (self->value);
  g_free (self->row_from);
  g_free (self->columns);
  g_free (self->values);
  g_free (self);
}

void
es_test_matrix_add (EsTestMatrix *self, gsize row, gsize column, double value)
{
  const gint32 place[2] = { (gint32) row, (gint32) column };

  g_array_append_val (self->row, place[0]);
  g_array_append_val (self->column, place[1]);
  g_array_append_val (self->value, value);
}

void
es_test_matrix_join (EsTestMatrix *self, gsize i, gsize j, double weight)
{
  es_test_matrix_add (self, i, j, -weight);
  es_test_matrix_add (self, j, i, -weight);
  es_test_matrix_add (self, i, i, weight);
  es_test_matrix_add (self, j, j, weight);
}

static int
compare_places (gconstpointer a, gconstpointer b, gpointer data)
{
  const EsTestMatrix *self = data;
  const guint i = *(const guint *) a, j = *(const guint *) b;
  const gint32 rows = g_array_index (self->row, gint32, i) - g_array_index (self->row, gint32, j);
  const gint32 columns = g_array_index (self->column, gint32, i) - g_array_index (self->column, gint32, j);

  return rows != 0 ? rows : columns != 0 ? columns : (i > j) - (i < j);
}

const EskCsr *
es_test_matrix_finish (EsTestMatrix *self)
{
  const guint n_places = self->row->len;
  g_autofree guint *order = g_new (guint, n_places + 1);
  gint32 at = -1, last_row = -1, last_column = -1;

  for (guint i = 0; i < n_places; i++)
    order[i] = i;
  g_qsort_with_data (order, (gint) n_places, sizeof (guint), compare_places, self);
  self->row_from = g_new0 (gint32, self->n + 1);
  self->columns = g_new (gint32, n_places + 1);
  self->values = g_new (double, n_places + 1);
  for (guint i = 0; i < n_places; i++)
    {
      const gint32 row = g_array_index (self->row, gint32, order[i]);
      const gint32 column = g_array_index (self->column, gint32, order[i]);

      if (row != last_row || column != last_column)
        {
          self->columns[++at] = column;
          self->values[at] = 0;
          self->row_from[row + 1]++;
        }
      self->values[at] += g_array_index (self->value, double, order[i]);
      last_row = row;
      last_column = column;
    }
  for (gsize i = 0; i < self->n; i++)
    self->row_from[i + 1] += self->row_from[i];
  self->csr = (EskCsr) { self->n, self->n, ESK_F64, self->row_from, self->columns, self->values };
  return &self->csr;
}

double *
es_test_matrix_dense (const EskCsr *matrix)
{
  double *dense = g_new0 (double, matrix->rows * matrix->columns);

  for (gsize i = 0; i < matrix->rows; i++)
    for (gint32 j = matrix->row_from[i]; j < matrix->row_from[i + 1]; j++)
      dense[i * matrix->columns + matrix->column[j]] = ((const double *) matrix->value)[j];
  return dense;
}

void
es_test_matrix_assert_pairs (const EskCsr *matrix, guint m, const double *values, const double *vectors,
                             double tolerance)
{
  const gsize n = matrix->rows;

  for (guint k = 0; k < m; k++)
    {
      const double *v = vectors + k * n;
      double rest = 0, largest = 0;

      for (gsize i = 0; i < n; i++)
        {
          double sum = -values[k] * v[i];

          for (gint32 j = matrix->row_from[i]; j < matrix->row_from[i + 1]; j++)
            sum += ((const double *) matrix->value)[j] * v[matrix->column[j]];
          rest += sum * sum;
          if (fabs (v[i]) > fabs (largest))
            largest = v[i];
        }
      g_assert_cmpfloat (sqrt (rest), <=, tolerance);
      g_assert_cmpfloat (largest, >, 0);
      for (guint l = 0; l <= k; l++)
        {
          double along = 0;

          for (gsize i = 0; i < n; i++)
            along += v[i] * vectors[l * n + i];
          g_assert_cmpfloat (fabs (along - (l == k)), <=, 1e-9);
        }
    }
}

EsEigenFacts
es_test_matrix_find (const EskCsr *matrix, EsEigenEnd end, guint m, const EsEigenOptions *options, double *values,
                     double *vectors)
{
  g_autoptr (GError) error = NULL;
  EsEigenFacts facts;

  g_assert_true (es_sparse_eigen_find (matrix, end, m, options, values, vectors, &facts, &error) || error != NULL);
  g_assert_no_error (error);
  return facts;
}
