/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Whether a matrix is symmetric and finite, and its norm. */

#include "es-sparse-eigen-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"

/* Rows of a piece, after which a job that is cancelled ends. */
#define PIECE 512

typedef struct
{
  const EskCsr *matrix;
  GCancellable *cancellable;
  gsize         pieces, next;  /* next: atomic */
  double       *norms;         /* of each piece */
  gsize        *bad;           /* of each piece, the first value that cannot be; -1: none */
} Check;

static gint32
find_value (const EskCsr *matrix, gsize row, gint32 column)
{
  gint32 from = matrix->row_from[row], end = matrix->row_from[row + 1];

  while (from < end)
    {
      const gint32 middle = from + (end - from) / 2;

      if (matrix->column[middle] == column)
        return middle;
      if (matrix->column[middle] < column)
        from = middle + 1;
      else
        end = middle;
    }
  return -1;
}

/* Products of the same factors may have been added in another order. */
static gboolean
is_fine (const EskCsr *matrix, gsize i, gint32 j, double *mirrored)
{
  const double *value = matrix->value;
  const gint32 other = find_value (matrix, (gsize) matrix->column[j], (gint32) i);

  *mirrored = other < 0 ? 0 : value[other];
  return isfinite (value[j]) && fabs (value[j] - *mirrored) <= 1e-12 * (fabs (value[j]) + fabs (*mirrored));
}

static void
check_piece (Check *self, gsize piece)
{
  const EskCsr *matrix = self->matrix;
  const double *value = matrix->value;

  self->norms[piece] = 0;
  self->bad[piece] = G_MAXSIZE;
  for (gsize i = piece * PIECE; i < MIN ((piece + 1) * PIECE, matrix->rows); i++)
    {
      double sum = 0, mirrored;

      for (gint32 j = matrix->row_from[i]; j < matrix->row_from[i + 1]; j++)
        {
          if (!is_fine (matrix, i, j, &mirrored))
            {
              self->bad[piece] = (gsize) j;
              return;
            }
          sum += fabs (value[j]);
        }
      self->norms[piece] = fmax (self->norms[piece], sum);
    }
}

static gpointer
check_main (gpointer data)
{
  Check *self = data;
  gsize piece;

  while (!g_cancellable_is_cancelled (self->cancellable)
         && (piece = __atomic_fetch_add (&self->next, 1, __ATOMIC_RELAXED)) < self->pieces)
    check_piece (self, piece);
  return NULL;
}

static void
tell_bad (const EskCsr *matrix, gsize piece, gint32 j, GError **error)
{
  const double *value = matrix->value;
  gsize i = piece * PIECE;
  double mirrored;

  while (matrix->row_from[i + 1] <= j)
    i++;
  is_fine (matrix, i, j, &mirrored);
  if (!isfinite (value[j]))
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                 _("The value in row %zu, column %d of the matrix is not a finite number."), i + 1,
                 matrix->column[j] + 1);
  else
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                 _("The matrix is not symmetric: row %zu, column %d is %g, and row %d, column %zu is %g."), i + 1,
                 matrix->column[j] + 1, value[j], matrix->column[j] + 1, i + 1, mirrored);
}

gboolean
es_eigen_check_shape (const EskCsr *matrix, GError **error)
{
  if (matrix->rows == matrix->columns && matrix->type == ESK_F64)
    return TRUE;
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
               _("Eigenpairs need a square matrix of 64-bit values; this one has %zu rows and %zu columns."),
               matrix->rows, matrix->columns);
  return FALSE;
}

gboolean
es_eigen_check_values (const EskCsr *matrix, guint threads, GCancellable *cancellable, double *norm, GError **error)
{
  const gsize pieces = (matrix->rows + PIECE - 1) / PIECE;
  g_autofree double *norms = g_new (double, pieces);
  g_autofree gsize *bad = g_new (gsize, pieces);
  g_autoptr (GPtrArray) others = g_ptr_array_new ();
  Check self = { .matrix = matrix, .cancellable = cancellable, .pieces = pieces, .norms = norms, .bad = bad };

  if (threads == 0)
    threads = es_device_get_lanes (es_device_get_cpu ());
  for (gsize k = 1; k < MIN (threads, pieces); k++)
    {
      GThread *thread = g_thread_try_new ("es-eigen-check", check_main, &self, NULL);

      if (thread != NULL)
        g_ptr_array_add (others, thread);
    }
  check_main (&self);
  for (guint k = 0; k < others->len; k++)
    g_thread_join (g_ptr_array_index (others, k));
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  *norm = 0;
  for (gsize piece = 0; piece < pieces; piece++)
    {
      if (bad[piece] != G_MAXSIZE)
        {
          tell_bad (matrix, piece, (gint32) bad[piece], error);
          return FALSE;
        }
      *norm = fmax (*norm, norms[piece]);
    }
  if (isfinite (*norm))
    return TRUE;
  g_set_error_literal (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                       _("The values of the matrix are too large for its eigenpairs."));
  return FALSE;
}
