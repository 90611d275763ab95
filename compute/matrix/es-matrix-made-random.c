/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "es-matrix-made-private.h"
#include "es-matrix-triplets-private.h"

/* Numbers of one row: the same whatever was asked of others. */
typedef struct
{
  guint64 state;
} Chance;

/* SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014). */
static inline guint64
next_bits (Chance *self)
{
  guint64 z = self->state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  z = (z ^ z >> 30) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* From 0, below 1. */
static inline double
next_share (Chance *self)
{
  return (double) (next_bits (self) >> 11) * 0x1p-53;
}

/* Below n, which is under 2^32; evenly but for one part in 2^32. */
static inline guint64
next_below (Chance *self, guint64 n)
{
  return (next_bits (self) >> 32) * n >> 32;
}

static Chance
chance_of (const EsMadeRandom *what, guint64 row, guint64 purpose)
{
  Chance self = { what->seed * 2 + purpose };

  self.state = next_bits (&self) + row * G_GUINT64_CONSTANT (0xd1342543de82ef95);
  self.state = next_bits (&self);
  return self;
}

/* Nearly normal, the same on every machine: twelve even ones have the deviation 1. */
static double
next_normal (Chance *self)
{
  double sum = -6;

  for (guint i = 0; i < 12; i++)
    sum += next_share (self);
  return sum;
}

/* Up or down, so that the mean of many is x. */
static double
round_by_chance (Chance *self, double x)
{
  return floor (x + next_share (self));
}

/* How long a row would be if there were columns enough. */
static double
draw_length (const EsMadeRandom *what, Chance *chance)
{
  const double share = next_share (chance);
  guint i = 0;

  if (what->lengths != NULL)
    {
      while (i + 1 < what->lengths->len && share >= g_array_index (what->lengths, EsMadeLength, i).until)
        i++;
      return (double) g_array_index (what->lengths, EsMadeLength, i).length;
    }
  /* The inverse of the distribution's function, from 1 on. */
  if (what->exponent > 0)
    return MIN (floor (pow (1 - share, -1 / (what->exponent - 1))), (double) what->longest);
  const double length = what->mean + what->deviation * next_normal (chance);

  return round_by_chance (chance, MAX (length, 0));
}

/* Of one row: how many nonzeros off the diagonal where it has one for certain, else of all; of a symmetric matrix left
 * of the diagonal alone, and in which columns. */
static guint64
settle_row (const EsMadeRandom *what, guint64 row, guint64 *from, guint64 *to)
{
  const guint64 middle = (guint64) ((double) row / (double) what->n_rows * (double) what->n_columns);
  const gboolean diagonal = what->dominant || what->symmetric;
  Chance chance = chance_of (what, row, 0);
  double length = draw_length (what, &chance);

  *from = what->spread == 0 || middle < what->spread ? 0 : middle - what->spread;
  *to = what->spread == 0 ? what->n_columns : MIN (middle + what->spread + 1, what->n_columns);
  if (what->symmetric)
    {
      *from = what->spread == 0 || row < what->spread ? 0 : row - what->spread;
      *to = row;
      length = round_by_chance (&chance, MAX (length - 1, 0) / 2);
    }
  else if (diagonal)
    {
      *from = what->spread == 0 || row < what->spread ? 0 : row - what->spread;
      *to = what->spread == 0 ? what->n_columns : MIN (row + what->spread + 1, what->n_columns);
      length = MAX (length - 1, 0);
    }
  return (guint64) MIN (length, (double) (*to - *from - (diagonal && !what->symmetric)));
}

static int
compare_columns (gconstpointer a, gconstpointer b)
{
  const gint32 x = *(const gint32 *) a, y = *(const gint32 *) b;

  return (x > y) - (x < y);
}

/* n different ones of the numbers below `of`, ascending. */
static void
draw_columns (Chance *chance, guint64 n, guint64 of, gint32 *columns)
{
  guint64 have = 0;

  if (n > of / 2)
    {
      /* Knuth's algorithm S. */
      for (guint64 c = 0; have < n; c++)
        if (next_below (chance, of - c) < n - have)
          columns[have++] = (gint32) c;
      return;
    }
  while (have < n)
    {
      guint64 kept = 0;

      for (; have < n; have++)
        columns[have] = (gint32) next_below (chance, of);
      qsort (columns, n, sizeof *columns, compare_columns);
      for (guint64 k = 0; k < n; k++)
        if (k == 0 || columns[k] != columns[kept - 1])
          columns[kept++] = columns[k];
      have = kept;
    }
}

static inline double
next_value (Chance *chance)
{
  return 2 * next_share (chance) - 1;
}

/* ---- any matrix ---- */

static gint32
fill_row (EsSparseMatrix *self, const EsMadeRandom *what, guint64 row, gint32 at)
{
  Chance chance = chance_of (what, row, 1);
  guint64 from, to;
  const guint64 n = settle_row (what, row, &from, &to);
  gint32 *columns = self->columns + at;
  double *values = self->values + at, sum = 0;
  guint64 diagonal = n;

  draw_columns (&chance, n, to - from - what->dominant, columns);
  for (guint64 k = 0; k < n; k++)
    {
      columns[k] += (gint32) from;
      values[k] = next_value (&chance);
      sum += fabs (values[k]);
    }
  if (!what->dominant)
    return at + (gint32) n;
  /* Those from the diagonal on make room for it. */
  while (diagonal > 0 && (guint64) columns[diagonal - 1] >= row)
    {
      diagonal--;
      columns[diagonal + 1] = columns[diagonal] + 1;
      values[diagonal + 1] = values[diagonal];
    }
  columns[diagonal] = (gint32) row;
  values[diagonal] = 1 + sum;
  return at + (gint32) n + 1;
}

static EsSparseMatrix *
make_general (const char *name, const EsMadeRandom *what, GCancellable *cancellable, GError **error)
{
  guint64 n = what->dominant ? what->n_rows : 0, from, to;
  gint32 looked = 0;
  g_autoptr (EsSparseMatrix) self = NULL;

  for (guint64 row = 0; row < what->n_rows; row++)
    {
      if (row % ES_MADE_STRIDE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      n += settle_row (what, row, &from, &to);
    }
  self = _es_made_begin (name, what->n_rows, what->n_columns, n, error);
  for (guint64 row = 0; self != NULL && row < what->n_rows; row++)
    {
      if (self->row_from[row] - looked >= ES_MADE_STRIDE)
        {
          looked = self->row_from[row];
          if (g_cancellable_set_error_if_cancelled (cancellable, error))
            return NULL;
        }
      self->row_from[row + 1] = fill_row (self, what, row, self->row_from[row]);
    }
  return g_steal_pointer (&self);
}

/* ---- a symmetric one ---- */

static gboolean
add_row (EsTriplets *triplets, const EsMadeRandom *what, guint64 row, gint32 *columns, GError **error)
{
  Chance chance = chance_of (what, row, 1);
  guint64 from, to;
  const guint64 n = settle_row (what, row, &from, &to);

  draw_columns (&chance, n, to - from, columns);
  for (guint64 k = 0; k < n; k++)
    if (!_es_triplets_add (triplets, (gint32) row, columns[k] + (gint32) from, next_value (&chance), error))
      return FALSE;
  return _es_triplets_add (triplets, (gint32) row, (gint32) row, next_value (&chance), error);
}

static void
make_dominant (EsSparseMatrix *self)
{
  for (gsize row = 0; row < self->n_rows; row++)
    {
      double sum = 0, *diagonal = NULL;

      for (gint32 k = self->row_from[row]; k < self->row_from[row + 1]; k++)
        if ((gsize) self->columns[k] == row)
          diagonal = &self->values[k];
        else
          sum += fabs (self->values[k]);
      *diagonal = 1 + sum;
    }
}

static EsSparseMatrix *
make_symmetric (const char *name, const EsMadeRandom *what, GCancellable *cancellable, GError **error)
{
  g_auto (EsTriplets) triplets = { 0 };
  g_autofree gint32 *columns = NULL;
  guint64 n = 0, longest = 1, from, to;
  EsTripletsRefusal refusal;
  EsSparseMatrix *self;
  gsize looked = 0;

  for (guint64 row = 0; row < what->n_rows; row++)
    {
      const guint64 length = settle_row (what, row, &from, &to);

      if (row % ES_MADE_STRIDE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      longest = MAX (longest, length);
      n += length;
    }
  if (!_es_sparse_matrix_check_sizes (name, what->n_rows, what->n_columns, 2 * n + what->n_rows, error))
    return NULL;
  columns = g_new (gint32, longest);
  _es_triplets_begin (&triplets, name, what->n_rows, what->n_columns, ES_SYMMETRY_SYMMETRIC, n + what->n_rows);
  for (guint64 row = 0; row < what->n_rows; row++)
    {
      if (triplets.n - looked >= ES_MADE_STRIDE)
        {
          looked = triplets.n;
          if (g_cancellable_set_error_if_cancelled (cancellable, error))
            return NULL;
        }
      if (!add_row (&triplets, what, row, columns, error))
        return NULL;
    }
  self = _es_triplets_finish (&triplets, &refusal, cancellable, error);
  if (self != NULL && what->dominant)
    make_dominant (self);
  return self;
}

EsSparseMatrix *
_es_made_random (const char *name, const EsMadeRandom *what, GCancellable *cancellable, GError **error)
{
  return what->symmetric ? make_symmetric (name, what, cancellable, error)
                         : make_general (name, what, cancellable, error);
}
