/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What preconditioners are made of, on the host in float64: the diagonal, blocks along it, L and U. */

#include "es-solver-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"

/* Rows between two looks at whether it is still wanted. */
#define ROWS_AT_ONCE 4096

gssize
es_csr_find_diagonal (const EskCsr *matrix, gsize row)
{
  gint32 low = matrix->row_from[row], high = matrix->row_from[row + 1];

  while (low < high)
    {
      const gint32 middle = low + (high - low) / 2;
      if ((gsize) matrix->column[middle] < row)
        low = middle + 1;
      else
        high = middle;
    }
  return low < matrix->row_from[row + 1] && (gsize) matrix->column[low] == row ? low : -1;
}

gboolean
es_csr_check_diagonal (const EskCsr *matrix, GError **error)
{
  for (gsize i = 0; i < matrix->rows; i++)
    {
      const gssize at = es_csr_find_diagonal (matrix, i);

      if (at >= 0 && ((const double *) matrix->value)[at] != 0)
        continue;
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                   at < 0 ? _("The diagonal of row %zu is not stored, that is, 0: this method divides "
                              "by it.")
                          : _("The diagonal of row %zu is 0: this method divides by it."), i + 1);
      return FALSE;
    }
  return TRUE;
}

/* Everything left of the diagonal of row i is eliminated; where: place of each column in the row, -1: none. */
static void
eliminate_row (const EskCsr *matrix, double *value, const gssize *diagonal, const gint32 *where, gsize i)
{
  for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1] && (gsize) matrix->column[k] < i; k++)
    {
      const gsize row = (gsize) matrix->column[k];
      const double factor = value[k] /= value[diagonal[row]];

      for (gint32 j = (gint32) diagonal[row] + 1; j < matrix->row_from[row + 1]; j++)
        if (where[matrix->column[j]] >= 0)
          value[where[matrix->column[j]]] -= factor * value[j];
    }
}

/* FALSE with an error that names the row: it cannot be divided by, or is beyond what float64 can hold. */
static gboolean
check_row (const EskCsr *matrix, const double *value, gssize diagonal, gsize i, GError **error)
{
  for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
    if (k != diagonal && !isfinite (value[k]))
      {
        g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                     _("ILU(0) ends in row %zu, whose factor in column %d is %g: take another preconditioner, or a "
                       "matrix whose rows are scaled to be of one size."), i + 1, matrix->column[k] + 1, value[k]);
        return FALSE;
      }
  if (value[diagonal] == 0 || !isfinite (value[diagonal]))
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                   _("ILU(0) ends in row %zu, whose pivot is %g: take another preconditioner."), i + 1,
                   value[diagonal]);
      return FALSE;
    }
  return TRUE;
}

/* Saad, Iterative Methods, algorithm 10.4. */
double *
es_csr_factorise (const EskCsr *matrix, GCancellable *cancellable, GError **error)
{
  const gsize n = matrix->rows, n_nonzeros = esk_csr_n_nonzeros (matrix);
  g_autofree double *value = g_memdup2 (matrix->value, n_nonzeros * sizeof (double));
  g_autofree gssize *diagonal = g_new (gssize, n + 1);
  g_autofree gint32 *where = g_new (gint32, n + 1);

  if (!es_csr_check_diagonal (matrix, error))
    return NULL;
  for (gsize i = 0; i < n; i++)
    {
      diagonal[i] = es_csr_find_diagonal (matrix, i);
      where[i] = -1;
    }
  for (gsize i = 0; i < n; i++)
    {
      if (i % ROWS_AT_ONCE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
        where[matrix->column[k]] = k;
      eliminate_row (matrix, value, diagonal, where, i);
      for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
        where[matrix->column[k]] = -1;
      if (!check_row (matrix, value, diagonal[i], i, error))
        return NULL;
    }
  return g_steal_pointer (&value);
}

/* Gauss and Jordan with pivots from the column. */
gboolean
es_dense_invert (gsize m, double *a, double *inverse)
{
  for (gsize i = 0; i < m; i++)
    for (gsize j = 0; j < m; j++)
      inverse[j * m + i] = i == j;
  for (gsize k = 0; k < m; k++)
    {
      gsize pivot = k;
      double factor;

      for (gsize i = k + 1; i < m; i++)
        if (fabs (a[i * m + k]) > fabs (a[pivot * m + k]))
          pivot = i;
      if (a[pivot * m + k] == 0 || !isfinite (a[pivot * m + k]))
        return FALSE;
      for (gsize j = 0; j < m && pivot != k; j++)
        {
          double swap = a[k * m + j];
          a[k * m + j] = a[pivot * m + j];
          a[pivot * m + j] = swap;
          swap = inverse[j * m + k];
          inverse[j * m + k] = inverse[j * m + pivot];
          inverse[j * m + pivot] = swap;
        }
      factor = 1 / a[k * m + k];
      for (gsize j = 0; j < m; j++)
        {
          a[k * m + j] *= factor;
          inverse[j * m + k] *= factor;
        }
      for (gsize i = 0; i < m; i++)
        if (i != k && a[i * m + k] != 0)
          {
            factor = a[i * m + k];
            for (gsize j = 0; j < m; j++)
              {
                a[i * m + j] -= factor * a[k * m + j];
                inverse[j * m + i] -= factor * inverse[j * m + k];
              }
          }
    }
  return TRUE;
}

double *
es_csr_invert_blocks (const EskCsr *matrix, gsize block, GError **error)
{
  const gsize n = matrix->rows, n_blocks = (n + block - 1) / block;
  g_autofree double *inverse = g_new (double, n_blocks * block * block + 1);
  double dense[ESK_MOST_BLOCK * ESK_MOST_BLOCK];

  for (gsize b = 0; b < n_blocks; b++)
    {
      const gsize first = b * block;

      memset (dense, 0, sizeof dense);
      for (gsize i = 0; i < block; i++)
        if (first + i >= n)
          dense[i * block + i] = 1;
        else
          for (gint32 k = matrix->row_from[first + i]; k < matrix->row_from[first + i + 1]; k++)
            if ((gsize) matrix->column[k] >= first && (gsize) matrix->column[k] < first + block)
              dense[i * block + ((gsize) matrix->column[k] - first)] = ((const double *) matrix->value)[k];
      if (es_dense_invert (block, dense, inverse + b * block * block))
        continue;
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                   _("The block of rows %zu to %zu has no inverse: take another block "
                     "size or another preconditioner."), first + 1, MIN (first + block, n));
      return NULL;
    }
  return g_steal_pointer (&inverse);
}
