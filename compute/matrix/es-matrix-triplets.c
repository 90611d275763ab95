/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-matrix-triplets-private.h"

#include <math.h>

#define FIRST_ROOM ((gsize) 64 * 1024)
/* Entries between two looks at whether somebody cancels. */
#define STRIDE ((gsize) 1 << 20)
/* In a column on its way: a symmetric matrix's file has the element right of the diagonal. */
#define RIGHT ((guint32) 1 << 31)

/* An element of a row that has to be put in order. */
typedef struct
{
  guint32 column, order;
  double  value;
} Element;

/* The arrays of CSR while they are filled. */
typedef struct
{
  EsTriplets        *from;
  gint32            *row_from;
  guint32           *columns;
  double            *values;
  Element           *elements;
  gsize              n_elements;
  guint64            n_duplicates;
  EsTripletsRefusal *refusal;
} Filling;

static void
filling_clear (Filling *self)
{
  g_free (self->row_from);
  g_free (self->columns);
  g_free (self->values);
  g_free (self->elements);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Filling, filling_clear)

void
_es_triplets_begin (EsTriplets *self, const char *name, guint64 n_rows, guint64 n_columns, EsSymmetry symmetry,
                    guint64 most)
{
  *self = (EsTriplets) {
    .name = name, .n_rows = n_rows, .n_columns = n_columns, .symmetry = symmetry, .most = most,
  };
}

void
_es_triplets_clear (EsTriplets *self)
{
  g_clear_pointer (&self->rows, g_free);
  g_clear_pointer (&self->columns, g_free);
  g_clear_pointer (&self->values, g_free);
  self->n = self->room = self->n_off = 0;
}

gboolean
_es_triplets_grow (EsTriplets *self, GError **error)
{
  const gsize room = (gsize) MIN (MAX (self->most, 1), self->room == 0 ? FIRST_ROOM : self->room * 2);
  const guint64 bytes = (guint64) room * (2 * sizeof (gint32) + sizeof (double));
  gint32 *rows, *columns;
  double *values;

  g_return_val_if_fail (room > self->room, FALSE);
  if (!_es_sparse_matrix_check_memory (self->name, bytes, error))
    return FALSE;
  rows = g_try_renew (gint32, self->rows, room);
  self->rows = rows != NULL ? rows : self->rows;
  columns = g_try_renew (gint32, self->columns, room);
  self->columns = columns != NULL ? columns : self->columns;
  values = g_try_renew (double, self->values, room);
  self->values = values != NULL ? values : self->values;
  if (rows == NULL || columns == NULL || values == NULL)
    return _es_sparse_matrix_set_memory_error (self->name, bytes, error);
  self->room = room;
  return TRUE;
}

static inline gboolean
is_looked_at (gsize i)
{
  return i % STRIDE == 0;
}

static inline gboolean
is_twofold (const EsTriplets *self)
{
  return self->symmetry != ES_SYMMETRY_GENERAL;
}

/* Where each row begins; row_from[i + 1] afterwards, from which it is filled. */
static gboolean
count_rows (Filling *self, GCancellable *cancellable, GError **error)
{
  EsTriplets *from = self->from;
  gint32 *counts = self->row_from + 2, sum = 0;

  for (gsize k = 0; k < from->n; k++)
    {
      if (is_looked_at (k) && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      /* The last row needs no start behind it. */
      if ((guint64) from->rows[k] + 1 < from->n_rows)
        counts[from->rows[k]]++;
      if (is_twofold (from) && from->rows[k] != from->columns[k] && (guint64) from->columns[k] + 1 < from->n_rows)
        counts[from->columns[k]]++;
    }
  for (guint64 i = 2; i <= from->n_rows; i++)
    self->row_from[i] = sum += self->row_from[i];
  return TRUE;
}

static inline void
put (Filling *self, gint32 row, guint32 column, double value)
{
  const gint32 at = self->row_from[row + 1]++;

  self->columns[at] = column;
  self->values[at] = value;
}

static gboolean
scatter (Filling *self, GCancellable *cancellable, GError **error)
{
  const EsTriplets *from = self->from;
  const double across = from->symmetry == ES_SYMMETRY_SKEW ? -1 : 1;

  for (gsize k = 0; k < from->n; k++)
    {
      const gint32 row = from->rows[k], column = from->columns[k];
      const guint32 mark = is_twofold (from) && column > row ? RIGHT : 0;

      if (is_looked_at (k) && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      put (self, row, (guint32) column | mark, from->values[k]);
      if (is_twofold (from) && row != column)
        put (self, column, (guint32) row | mark, across * from->values[k]);
    }
  return TRUE;
}

static int
compare_elements (gconstpointer a, gconstpointer b)
{
  const Element *x = a, *y = b;
  const guint32 column_x = x->column & ~RIGHT, column_y = y->column & ~RIGHT;

  return column_x != column_y ? (column_x > column_y) - (column_x < column_y)
                              : (x->order > y->order) - (x->order < y->order);
}

/* Those of one column in the order in which they came. */
static gboolean
sort_row (Filling *self, gint32 from, gint32 to, GError **error)
{
  const gsize n = (gsize) (to - from);
  gint32 k = from + 1;

  while (k < to && (self->columns[k - 1] & ~RIGHT) < (self->columns[k] & ~RIGHT))
    k++;
  if (k >= to)
    return TRUE;
  if (n > self->n_elements)
    {
      g_free (self->elements);
      self->elements = g_try_new (Element, n);
      self->n_elements = self->elements != NULL ? n : 0;
      if (self->elements == NULL)
        return _es_sparse_matrix_set_memory_error (self->from->name, n * sizeof (Element), error);
    }
  for (gsize i = 0; i < n; i++)
    self->elements[i] = (Element) { self->columns[from + (gint32) i], (guint32) i, self->values[from + (gint32) i] };
  qsort (self->elements, n, sizeof (Element), compare_elements);
  for (gsize i = 0; i < n; i++)
    {
      self->columns[from + (gint32) i] = self->elements[i].column;
      self->values[from + (gint32) i] = self->elements[i].value;
    }
  return TRUE;
}

/* The last entry of the file that is of that place. */
static gboolean
refuse (Filling *self, EsTripletsFault fault, gsize row, gsize column)
{
  const EsTriplets *from = self->from;
  gsize k = from->n;

  do
    k--;
  while (k > 0 && !((gsize) from->rows[k] == row && (gsize) from->columns[k] == column)
         && !(is_twofold (from) && (gsize) from->rows[k] == column && (gsize) from->columns[k] == row));
  *self->refusal = (EsTripletsRefusal) { fault, k, row, column };
  return FALSE;
}

/* One row, in order, to where the row before ends. */
static gboolean
join_row (Filling *self, gsize row, gint32 from, gint32 to, gint32 *end)
{
  const gboolean twofold = is_twofold (self->from);
  gint32 last = -1;
  guint32 mark = 0;

  for (gint32 k = from; k < to; k++)
    {
      const guint32 column = self->columns[k] & ~RIGHT;

      if (last >= 0 && self->columns[last] == column)
        {
          if ((self->columns[k] & RIGHT) != mark)
            return refuse (self, ES_TRIPLETS_CONFLICT, row, column);
          self->values[last] += self->values[k];
          if (!isfinite (self->values[last]))
            return refuse (self, ES_TRIPLETS_OVERFLOW, row, column);
          self->n_duplicates += !twofold || column <= row;
          continue;
        }
      mark = self->columns[k] & RIGHT;
      last = (*end)++;
      self->values[last] = self->values[k];
      self->columns[last] = column;
    }
  return TRUE;
}

static gboolean
join (Filling *self, GCancellable *cancellable, GError **error)
{
  gint32 end = 0, from = 0, looked = 0;

  for (guint64 i = 0; i < self->from->n_rows; i++)
    {
      const gint32 to = self->row_from[i + 1];

      if (is_looked_at (i) || (gsize) (to - looked) >= STRIDE)
        {
          looked = to;
          if (g_cancellable_set_error_if_cancelled (cancellable, error))
            return FALSE;
        }
      if (!sort_row (self, from, to, error) || !join_row (self, i, from, to, &end))
        return FALSE;
      self->row_from[i + 1] = end;
      from = to;
    }
  return TRUE;
}

static gboolean
allocate (Filling *self, guint64 n, GError **error)
{
  const guint64 rows = self->from->n_rows + 2;
  const guint64 bytes = rows * sizeof (gint32) + n * (sizeof (guint32) + sizeof (double));
  const guint64 held = self->from->room * (2 * sizeof (gint32) + sizeof (double));

  if (!_es_sparse_matrix_check_memory (self->from->name, bytes + held, error))
    return FALSE;
  self->row_from = g_try_new0 (gint32, rows);
  self->columns = g_try_new (guint32, MAX (n, 1));
  self->values = g_try_new (double, MAX (n, 1));
  return (self->row_from != NULL && self->columns != NULL && self->values != NULL)
         || _es_sparse_matrix_set_memory_error (self->from->name, bytes, error);
}

EsSparseMatrix *
_es_triplets_finish (EsTriplets *self, EsTripletsRefusal *refusal, GCancellable *cancellable, GError **error)
{
  g_auto (Filling) filling = { .from = self, .refusal = refusal };
  const guint64 n = (guint64) self->n + (is_twofold (self) ? self->n_off : 0);
  EsSparseMatrix *matrix;
  gsize stored;

  if (!_es_sparse_matrix_check_sizes (self->name, self->n_rows, self->n_columns, n, error)
      || !allocate (&filling, n, error)
      || !count_rows (&filling, cancellable, error) || !scatter (&filling, cancellable, error)
      || !join (&filling, cancellable, error))
    return NULL;
  _es_triplets_clear (self);
  stored = (gsize) filling.row_from[self->n_rows];
  if (stored < n)
    {
      filling.columns = g_renew (guint32, filling.columns, MAX (stored, 1));
      filling.values = g_renew (double, filling.values, MAX (stored, 1));
    }
  matrix = _es_sparse_matrix_new_checked ((gsize) self->n_rows, (gsize) self->n_columns,
                                          g_steal_pointer (&filling.row_from), (gint32 *) filling.columns,
                                          g_steal_pointer (&filling.values), self->symmetry);
  filling.columns = NULL;
  matrix->n_duplicates = filling.n_duplicates;
  return matrix;
}
