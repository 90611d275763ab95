/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-matrix-window.h"

#include <string.h>

#define ROWS_BETWEEN 4096              /* looks whether it was cancelled */

/* The cell that has place i of n: the one that begins at or before it, where cell k begins at k * n / cells. */
static gsize
cell_of (guint64 i, guint64 n, guint64 cells)
{
  return (gsize) (((i + 1) * cells - 1) / n);
}

/* The first of columns[from ... to - 1] that is no smaller than column. */
static gint32
find_column (const gint32 *columns, gint32 from, gint32 to, gsize column)
{
  while (from < to)
    {
      const gint32 middle = from + (to - from) / 2;

      if ((gsize) columns[middle] < column)
        from = middle + 1;
      else
        to = middle;
    }
  return from;
}

gboolean
es_matrix_window_count_cells (EsSparseMatrix *matrix, const EsMatrixWindow *window, guint width, guint height,
                              guint32 *cells, GCancellable *cancellable, GError **error)
{
  const gint32 *row_from = es_sparse_matrix_get_row_from (matrix), *columns = es_sparse_matrix_get_columns (matrix);

  g_return_val_if_fail (window->n_rows > 0 && window->n_columns > 0 && width > 0 && height > 0, FALSE);
  g_return_val_if_fail (window->row + window->n_rows <= es_sparse_matrix_get_n_rows (matrix), FALSE);
  g_return_val_if_fail (window->column + window->n_columns <= es_sparse_matrix_get_n_columns (matrix), FALSE);

  memset (cells, 0, sizeof (guint32) * width * height);
  for (gsize i = 0; i < window->n_rows; i++)
    {
      const gsize row = window->row + i, end = window->column + window->n_columns;
      guint32 *line = cells + cell_of (i, window->n_rows, height) * width;
      gint32 k = find_column (columns, row_from[row], row_from[row + 1], window->column);

      for (; k < row_from[row + 1] && (gsize) columns[k] < end; k++)
        line[cell_of ((gsize) columns[k] - window->column, window->n_columns, width)]++;
      if (i % ROWS_BETWEEN == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
    }
  return TRUE;
}
