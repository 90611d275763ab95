/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Sparse matrices on the host that grids are made of: transposed, multiplied with each other, compared. */

#include "es-grids-private.h"

#include <math.h>
#include <string.h>

/* Rows between two looks at whether it is still wanted. */
#define ROWS_AT_ONCE 4096
/* Two numbers of a matrix whose diagonal is 1 are the same. */
#define SAME 1e-12

void
es_grid_matrix_clear (EsGridMatrix *self)
{
  g_free (self->row_from);
  g_free (self->column);
  g_free (self->value);
  memset (self, 0, sizeof *self);
}

gboolean
es_grid_matrix_transpose (const EsGridMatrix *self, EsGridMatrix *out, GCancellable *cancellable, GError **error)
{
  const gsize n_nonzeros = es_grid_matrix_n_nonzeros (self);
  gint32 *at;

  *out = (EsGridMatrix) { self->columns, self->rows, g_new0 (gint32, self->columns + 2),
                          g_new (gint32, n_nonzeros + 1), g_new (double, n_nonzeros + 1) };
  /* Counted two places on, so that filling leaves row_from where it belongs. */
  at = out->row_from + 1;
  for (gsize k = 0; k < n_nonzeros; k++)
    at[self->column[k] + 1]++;
  for (gsize i = 1; i <= self->columns; i++)
    at[i] += at[i - 1];
  for (gsize i = 0; i < self->rows; i++)
    {
      if (i % ROWS_AT_ONCE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        {
          es_grid_matrix_clear (out);
          return FALSE;
        }
      for (gint32 k = self->row_from[i]; k < self->row_from[i + 1]; k++)
        {
          const gint32 to = at[self->column[k]]++;

          out->column[to] = (gint32) i;
          out->value[to] = self->value[k];
        }
    }
  return TRUE;
}

static int
compare_columns (gconstpointer a, gconstpointer b)
{
  return *(const gint32 *) a < *(const gint32 *) b ? -1 : *(const gint32 *) a > *(const gint32 *) b;
}

/* By insertion where they are few. */
static void
sort_columns (gint32 *column, gsize n)
{
  if (n > 64)
    {
      qsort (column, n, sizeof *column, compare_columns);
      return;
    }
  for (gsize i = 1; i < n; i++)
    {
      const gint32 here = column[i];
      gsize to = i;

      for (; to > 0 && column[to - 1] > here; to--)
        column[to] = column[to - 1];
      column[to] = here;
    }
}

/* Gustavson, Two fast algorithms for sparse matrices: multiplication and permuted transposition, 1978: a row of the
 * product after the other, in a row that is not sparse. */
gboolean
es_grid_matrix_multiply (const EsGridMatrix *a, const EsGridMatrix *b, gsize most, EsGridMatrix *out,
                         GCancellable *cancellable, GError **error)
{
  g_autofree double *sum = g_new0 (double, b->columns + 1);
  g_autofree gint32 *seen = g_new0 (gint32, b->columns + 1);
  gsize room = es_grid_matrix_n_nonzeros (a) + 64, n = 0, work = 0;

  *out = (EsGridMatrix) { a->rows, b->columns, g_new0 (gint32, a->rows + 1), g_new (gint32, room),
                          g_new (double, room) };
  most = MIN (most, (gsize) G_MAXINT32 - 1);
  for (gsize i = 0; i < a->rows; i++)
    {
      gsize first = n;

      for (gint32 k = a->row_from[i]; k < a->row_from[i + 1]; k++)
        {
          const gint32 row = a->column[k];
          const double factor = a->value[k];

          work += (gsize) (b->row_from[row + 1] - b->row_from[row]);
          if (n + (gsize) (b->row_from[row + 1] - b->row_from[row]) > room)
            {
              room += room / 2 + (gsize) (b->row_from[row + 1] - b->row_from[row]);
              out->column = g_renew (gint32, out->column, room);
              out->value = g_renew (double, out->value, room);
            }
          for (gint32 j = b->row_from[row]; j < b->row_from[row + 1]; j++)
            {
              const gint32 column = b->column[j];

              if (seen[column] != (gint32) i + 1)
                {
                  seen[column] = (gint32) i + 1;
                  sum[column] = 0;
                  out->column[n++] = column;
                }
              sum[column] += factor * b->value[j];
            }
        }
      sort_columns (out->column + first, n - first);
      for (; first < n; first++)
        out->value[first] = sum[out->column[first]];
      out->row_from[i + 1] = (gint32) MIN (n, G_MAXINT32);
      if (n > most)
        {
          es_grid_matrix_clear (out);
          return TRUE;
        }
      /* Rows may be long: what was added up counts. */
      if (work > 16 * ROWS_AT_ONCE && g_cancellable_set_error_if_cancelled (cancellable, error))
        {
          es_grid_matrix_clear (out);
          return FALSE;
        }
      work = work > 16 * ROWS_AT_ONCE ? 0 : work;
    }
  out->column = g_renew (gint32, out->column, n + 1);
  out->value = g_renew (double, out->value, n + 1);
  return TRUE;
}

/* Of row i of both: TRUE and the next column with what each of them has there; FALSE: there is none. */
static inline gboolean
next_of_both (const EsGridMatrix *a, const EsGridMatrix *b, gsize i, gint32 *ka, gint32 *kb, gint32 *column,
              double *one, double *two)
{
  const gint32 in_a = *ka < a->row_from[i + 1] ? a->column[*ka] : G_MAXINT32,
               in_b = *kb < b->row_from[i + 1] ? b->column[*kb] : G_MAXINT32;

  *column = MIN (in_a, in_b);
  if (*column == G_MAXINT32)
    return FALSE;
  *one = in_a == *column ? a->value[(*ka)++] : 0;
  *two = in_b == *column ? b->value[(*kb)++] : 0;
  return TRUE;
}

/* Up to the first entry that has no like. */
static gboolean
compare (const EsGridMatrix *a, const EsGridMatrix *b, gssize *row, gssize *column, GCancellable *cancellable,
         GError **error)
{
  for (gsize i = 0; i < a->rows; i++)
    {
      gint32 ka = a->row_from[i], kb = b->row_from[i], at;
      double one, two;

      if (i % ROWS_AT_ONCE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      while (next_of_both (a, b, i, &ka, &kb, &at, &one, &two))
        if (!(fabs (one - two) <= SAME * MAX (1, fabs (one))))
          {
            *row = (gssize) i;
            *column = at;
            return TRUE;
          }
    }
  return TRUE;
}

static gboolean
add_half (const EsGridMatrix *a, const EsGridMatrix *b, EsGridMatrix *out, GCancellable *cancellable, GError **error)
{
  const gsize n_nonzeros = es_grid_matrix_n_nonzeros (a);
  gint32 n = 0;

  *out = (EsGridMatrix) { a->rows, a->columns, g_new0 (gint32, a->rows + 1), g_new (gint32, 2 * n_nonzeros + 1),
                          g_new (double, 2 * n_nonzeros + 1) };
  for (gsize i = 0; i < a->rows; i++)
    {
      gint32 ka = a->row_from[i], kb = b->row_from[i], at;
      double one, two;

      if (i % ROWS_AT_ONCE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        {
          es_grid_matrix_clear (out);
          return FALSE;
        }
      while (next_of_both (a, b, i, &ka, &kb, &at, &one, &two))
        {
          out->column[n] = at;
          out->value[n++] = one / 2 + two / 2;
        }
      out->row_from[i + 1] = n;
    }
  return TRUE;
}

gboolean
es_grid_matrix_symmetric_part (const EsGridMatrix *self, EsGridMatrix *out, gssize *row, gssize *column,
                               GCancellable *cancellable, GError **error)
{
  EsGridMatrix other;
  gboolean done;

  *row = *column = -1;
  memset (out, 0, sizeof *out);
  if (!es_grid_matrix_transpose (self, &other, cancellable, error))
    return FALSE;
  done = compare (self, &other, row, column, cancellable, error)
         && (*row < 0 || add_half (self, &other, out, cancellable, error));
  es_grid_matrix_clear (&other);
  return done;
}
