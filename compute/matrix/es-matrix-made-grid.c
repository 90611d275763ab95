/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "es-matrix-made-private.h"

/* ---- Poisson's equation on a grid ---- */

/* Steps along one axis that stay in the grid. */
typedef struct
{
  int from, to;
} Steps;

static Steps
steps_at (guint64 place, guint64 size)
{
  return (Steps) { place > 0 ? -1 : 0, place + 1 < size ? 1 : 0 };
}

/* Neighbours in pairs along each axis, or in the whole box. */
static guint64
count_grid (const guint64 sizes[3], gboolean box)
{
  guint64 product = 1, sum;

  for (guint a = 0; a < 3; a++)
    product *= box ? 3 * sizes[a] - 2 : sizes[a];
  if (box)
    return product;
  sum = product;
  for (guint a = 0; a < 3; a++)
    sum += 2 * (sizes[a] - 1) * (product / sizes[a]);
  return sum;
}

static gint32
fill_point (EsSparseMatrix *self, gint32 at, const guint64 sizes[3], const guint64 place[3], gboolean box,
            double middle)
{
  const Steps x = steps_at (place[0], sizes[0]), y = steps_at (place[1], sizes[1]), z = steps_at (place[2], sizes[2]);
  const gint64 row = (gint64) (place[0] + sizes[0] * (place[1] + sizes[1] * place[2]));

  for (int k = z.from; k <= z.to; k++)
    for (int j = y.from; j <= y.to; j++)
      for (int i = x.from; i <= x.to; i++)
        {
          if (!box && ABS (i) + ABS (j) + ABS (k) > 1)
            continue;
          self->columns[at] = (gint32) (row + i + (gint64) sizes[0] * (j + (gint64) sizes[1] * k));
          self->values[at++] = i == 0 && j == 0 && k == 0 ? middle : -1;
        }
  return at;
}

/* Values of the middle are those of a grid in which no neighbour is missing (Dirichlet's conditions). */
EsSparseMatrix *
_es_made_grid (const char *name, guint dimensions, const guint64 sizes[3], gboolean box, GCancellable *cancellable,
               GError **error)
{
  const double middle = box ? (dimensions == 2 ? 8 : 26) : 2 * dimensions;
  const guint64 plane = sizes[0] * sizes[1];
  g_autoptr (EsSparseMatrix) self = NULL;
  guint64 row = 0;
  gint32 at = 0;

  /* No product of these overflows afterwards. */
  if (plane > ES_MATRIX_MOST || plane * sizes[2] > ES_MATRIX_MOST)
    {
      _es_made_refuse (name, error, _("its grid has 2^31 points or more"));
      return NULL;
    }
  self = _es_made_begin (name, plane * sizes[2], plane * sizes[2], count_grid (sizes, box), error);
  if (self == NULL)
    return NULL;
  for (guint64 z = 0; z < sizes[2]; z++)
    for (guint64 y = 0; y < sizes[1]; y++)
      for (guint64 x = 0; x < sizes[0]; x++)
        {
          if (row % ES_MADE_STRIDE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
            return NULL;
          at = fill_point (self, at, sizes, (guint64[]) { x, y, z }, box, middle);
          self->row_from[++row] = at;
        }
  self->symmetry = ES_SYMMETRY_SYMMETRIC;
  return g_steal_pointer (&self);
}

/* ---- bands ---- */

/* Of places k = 1 ... n with at most `width` before each of them. */
static guint64
count_side (guint64 n, guint64 width)
{
  return width * n - width * (width + 1) / 2;
}

EsSparseMatrix *
_es_made_banded (const char *name, guint64 n, guint64 lower, guint64 upper, GCancellable *cancellable, GError **error)
{
  const guint64 under = MIN (lower, n - 1), over = MIN (upper, n - 1);
  const guint64 nonzeros = n + count_side (n, under) + count_side (n, over);
  g_autoptr (EsSparseMatrix) self = _es_made_begin (name, n, n, nonzeros, error);
  double middle = 1;
  gint32 at = 0, looked = 0;

  if (self == NULL)
    return NULL;
  for (guint64 d = 1; d <= MAX (under, over); d++)
    middle += ((d <= under) + (d <= over)) / (double) (1 + d);
  for (guint64 row = 0; row < n; row++)
    {
      if (at - looked >= ES_MADE_STRIDE)
        {
          looked = at;
          if (g_cancellable_set_error_if_cancelled (cancellable, error))
            return NULL;
        }
      for (guint64 column = row - MIN (row, under); column <= MIN (row + over, n - 1); column++)
        {
          self->columns[at] = (gint32) column;
          self->values[at++] = column == row ? middle : -1 / (double) (1 + MAX (row, column) - MIN (row, column));
        }
      self->row_from[row + 1] = at;
    }
  self->symmetry = under == over ? ES_SYMMETRY_SYMMETRIC : ES_SYMMETRY_GENERAL;
  return g_steal_pointer (&self);
}
