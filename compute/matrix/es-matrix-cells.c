/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "es-sparse-matrix-private.h"

/* Nonzeros between two looks at whether somebody cancels. */
#define STRIDE (1 << 20)

/* Cell c has from c * n / cells on (whole numbers): the first whose next one begins behind i. */
static inline gsize
cell_of (gsize i, gsize n, gsize cells)
{
  return ((guint64) (i + 1) * cells + n - 1) / n - 1;
}

/* A row that is longer than it has cells is cheaper by the cells. */
static void
count_row (EsSparseMatrix *self, gsize row, guint width, guint32 *cells)
{
  const gint32 *column = self->columns + self->row_from[row], *end = self->columns + self->row_from[row + 1];

  while (column < end)
    {
      const gsize cell = cell_of ((gsize) *column, self->n_columns, width);
      const gsize next = (guint64) (cell + 1) * self->n_columns / width;
      const gint32 *from = column;

      while (column < end && (gsize) *column < next)
        column++;
      cells[cell] += (guint32) (column - from);
    }
}

gboolean
es_sparse_matrix_count_cells (EsSparseMatrix *self, guint width, guint height, guint32 *cells,
                              GCancellable *cancellable, GError **error)
{
  gint32 looked = 0;

  g_return_val_if_fail (ES_IS_SPARSE_MATRIX (self) && width > 0 && height > 0 && cells != NULL, FALSE);
  memset (cells, 0, (gsize) width * height * sizeof *cells);
  for (gsize row = 0; row < self->n_rows; row++)
    {
      if ((self->row_from[row] - looked >= STRIDE || row % STRIDE == 0)
          && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (self->row_from[row] - looked >= STRIDE)
        looked = self->row_from[row];
      count_row (self, row, width, cells + cell_of (row, self->n_rows, height) * width);
    }
  return TRUE;
}
