/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "es-sparse-matrix-private.h"

/* What is counted over the rows as they are passed. */
typedef struct
{
  EsSparseMatrix *matrix;
  guint64        *diagonals;   /* a bit each: of offset column - row + n_rows - 1 */
  gsize           dominant_rows;
} Pass;

static guint
bin_of (gsize length)
{
  return length == 0 ? 0 : g_bit_storage (length);
}

static void
count_length (EsMatrixStatistics *statistics, gsize length)
{
  statistics->n_empty_rows += length == 0;
  statistics->shortest = MIN (statistics->shortest, length);
  statistics->longest = MAX (statistics->longest, length);
  statistics->lengths[bin_of (length)]++;
}

static void
count_row (Pass *pass, EsMatrixStatistics *statistics, gsize row)
{
  EsSparseMatrix *self = pass->matrix;
  double diagonal = 0, others = 0;

  for (gint32 k = self->row_from[row]; k < self->row_from[row + 1]; k++)
    {
      const gsize column = (gsize) self->columns[k], offset = column + self->n_rows - 1 - row;

      pass->diagonals[offset / 64] |= G_GUINT64_CONSTANT (1) << offset % 64;
      if (column < row)
        statistics->lower = MAX (statistics->lower, row - column);
      else
        statistics->upper = MAX (statistics->upper, column - row);
      if (column == row)
        diagonal = fabs (self->values[k]);
      else
        others += fabs (self->values[k]);
    }
  statistics->n_zero_diagonal += row < self->n_columns && diagonal == 0;
  pass->dominant_rows += diagonal >= others;
}

/* Whether the mirrors of this row's nonzeros right of the diagonal are what the rows below have next, and nothing of it
 * left of the diagonal was passed over. Rows are asked in their order, so that every row's nonzeros are looked for in
 * their order, too. next: of each row the first nonzero whose mirror has not been looked for yet. */
static gboolean
is_row_mirrored (EsSparseMatrix *self, gsize row, double sign, gint32 *next)
{
  gint32 k = next[row];

  for (; k < self->row_from[row + 1] && (gsize) self->columns[k] < row; k++)
    if (self->values[k] != 0)
      return FALSE;
  for (; k < self->row_from[row + 1]; k++)
    {
      const gsize other = (gsize) self->columns[k];
      double mirror = other == row ? self->values[k] : 0;

      for (; other != row && next[other] < self->row_from[other + 1]
             && (gsize) self->columns[next[other]] <= row; next[other]++)
        if ((gsize) self->columns[next[other]] == row)
          mirror = self->values[next[other]];
        else if (self->values[next[other]] != 0)
          return FALSE;
      if (sign * mirror != self->values[k])
        return FALSE;
    }
  return TRUE;
}

gboolean
_es_sparse_matrix_is_mirrored (EsSparseMatrix *self, double sign)
{
  gboolean is = self->n_rows == self->n_columns;
  g_autofree gint32 *next = NULL;

  if (!is)
    return FALSE;
  next = g_memdup2 (self->row_from, self->n_rows * sizeof *self->row_from);
  for (gsize row = 0; is && row < self->n_rows; row++)
    is = is_row_mirrored (self, row, sign, next);
  return is;
}

static void
count (EsSparseMatrix *self, EsMatrixStatistics *statistics)
{
  const gsize words = (self->n_rows + self->n_columns - 1 + 63) / 64;
  g_autofree guint64 *diagonals = g_new0 (guint64, words);
  Pass pass = { .matrix = self, .diagonals = diagonals };
  double squares = 0;

  *statistics = (EsMatrixStatistics) { .shortest = G_MAXSIZE, .is_square = self->n_rows == self->n_columns };
  statistics->mean = (double) es_sparse_matrix_get_n_nonzeros (self) / (double) self->n_rows;
  for (gsize row = 0; row < self->n_rows; row++)
    {
      const gsize length = (gsize) (self->row_from[row + 1] - self->row_from[row]);
      const double off = (double) length - statistics->mean;

      squares += off * off;
      count_length (statistics, length);
      count_row (&pass, statistics, row);
    }
  statistics->deviation = sqrt (squares / (double) self->n_rows);
  statistics->dominant = (double) pass.dominant_rows / (double) self->n_rows;
  for (gsize i = 0; i < words; i++)
    statistics->n_diagonals += (gsize) __builtin_popcountll (diagonals[i]);
  statistics->is_symmetric = _es_sparse_matrix_is_mirrored (self, 1);
}

const EsMatrixStatistics *
es_sparse_matrix_get_statistics (EsSparseMatrix *self)
{
  g_return_val_if_fail (ES_IS_SPARSE_MATRIX (self), NULL);
  g_mutex_lock (&self->lock);
  if (!self->is_counted)
    count (self, &self->statistics);
  self->is_counted = TRUE;
  g_mutex_unlock (&self->lock);
  return &self->statistics;
}
