/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "perf-sparse-matrices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char * const names[N_PERF_MATRICES] = {
  "poisson-2d-5", "poisson-2d-9", "poisson-3d-7", "poisson-3d-27", "banded", "random-narrow", "random-wide",
  "power-law", "dense-rows", "blocks",
};

const char *
perf_matrix_name (guint number)
{
  return names[number];
}

typedef struct
{
  GArray  *column, *value, *row_from;
  GArray  *row;                /* columns of the row that is being made */
  guint64  state;
} Making;

static guint64
next (Making *making)
{
  making->state ^= making->state << 13;
  making->state ^= making->state >> 7;
  making->state ^= making->state << 17;
  return making->state * 0x2545f4914f6cdd1dull;
}

static double
unit (Making *making)
{
  return (double) (next (making) >> 11) * 0x1p-53;
}

static void
add (Making *making, gint64 column, gsize n)
{
  gint32 narrow = (gint32) column;

  if (column >= 0 && (gsize) column < n)
    g_array_append_val (making->row, narrow);
}

static int
compare (const void *a, const void *b)
{
  gint32 x = *(const gint32 *) a, y = *(const gint32 *) b;

  return x < y ? -1 : x > y;
}

static void
end_row (Making *making)
{
  const gint32 *row = (const gint32 *) (gpointer) making->row->data;
  gint32 from;

  qsort (making->row->data, making->row->len, sizeof (gint32), compare);
  for (guint k = 0; k < making->row->len; k++)
    if (k == 0 || row[k] != row[k - 1])
      {
        double value = unit (making) - 0.5;

        g_array_append_val (making->column, row[k]);
        g_array_append_val (making->value, value);
      }
  from = (gint32) making->column->len;
  g_array_append_val (making->row_from, from);
  g_array_set_size (making->row, 0);
}

/* Neighbours on a grid of side^dimensions: all within one step (wide), or along axes. */
static void
grid_row (Making *making, gsize i, gsize side, guint dimensions, gboolean wide)
{
  const gsize n = dimensions == 2 ? side * side : side * side * side;
  const gint64 x = (gint64) (i % side), y = (gint64) (i / side % side), z = (gint64) (i / side / side);

  for (gint64 dz = dimensions == 3 ? -1 : 0; dz <= (dimensions == 3 ? 1 : 0); dz++)
    for (gint64 dy = -1; dy <= 1; dy++)
      for (gint64 dx = -1; dx <= 1; dx++)
        {
          const gint64 limit = (gint64) side;

          if ((!wide && ABS (dx) + ABS (dy) + ABS (dz) > 1) || x + dx < 0 || x + dx >= limit || y + dy < 0
              || y + dy >= limit || z + dz < 0 || (dimensions == 3 && z + dz >= limit))
            continue;
          add (making, (gint64) i + dx + dy * limit + dz * limit * limit, n);
        }
}

static void
scattered_row (Making *making, gsize length, gsize n)
{
  for (gsize k = 0; k < length; k++)
    add (making, (gint64) (next (making) % n), n);
}

static void
row (Making *making, guint number, gsize i, gsize n, gsize side)
{
  switch (number)
    {
    case 0: grid_row (making, i, side, 2, FALSE); break;
    case 1: grid_row (making, i, side, 2, TRUE); break;
    case 2: grid_row (making, i, side, 3, FALSE); break;
    case 3: grid_row (making, i, side, 3, TRUE); break;
    case 4:
      for (gint64 d = -10; d <= 10; d++)
        add (making, (gint64) i + d, n);
      break;
    case 5: scattered_row (making, 8 + next (making) % 9, n); break;
    case 6: scattered_row (making, 1 + next (making) % 63, n); break;
    case 7:
      {
        /* Lengths of a Pareto distribution, and columns that some meet often. */
        gsize length = (gsize) MIN (4 / pow (1 - unit (making), 1 / 1.4), (double) n / 8);

        for (gsize k = 0; k < length; k++)
          add (making, (gint64) ((double) n * pow (unit (making), 3)), n);
        break;
      }
    case 8: scattered_row (making, i % (n / 4) == 17 ? n / 2 : 10, n); break;
    default:
      /* Three unknowns a node, some 20 nodes each, most of them near. */
      making->state = 88172645463325252u + 977 * (i / 3);
      for (guint k = 0; k < 22; k++)
        {
          gint64 node = (gint64) (i / 3) + (gint64) (next (making) % 400) - 200;

          node = k == 0 ? (gint64) (i / 3) : node;
          for (gint64 c = 0; c < 3; c++)
            add (making, 3 * node + c, n);
        }
    }
}

PerfMatrix *
perf_matrix_new (guint number, gsize nonzeros)
{
  static const gsize lengths[N_PERF_MATRICES] = { 5, 9, 7, 27, 21, 12, 32, 13, 12, 63 };
  Making making = {
    .column = g_array_new (FALSE, FALSE, sizeof (gint32)), .value = g_array_new (FALSE, FALSE, sizeof (double)),
    .row_from = g_array_new (FALSE, TRUE, sizeof (gint32)), .row = g_array_new (FALSE, FALSE, sizeof (gint32)),
    .state = 88172645463325252u + number
  };
  PerfMatrix *matrix = g_new0 (PerfMatrix, 1);
  gsize n = nonzeros / lengths[number], side = 0;

  if (number < 2)
    {
      side = (gsize) sqrt ((double) n);
      n = side * side;
    }
  else if (number < 4)
    {
      side = (gsize) cbrt ((double) n);
      n = side * side * side;
    }
  else if (number == 9)
    n = n / 3 * 3;
  g_array_set_size (making.row_from, 1);
  for (gsize i = 0; i < n; i++)
    {
      row (&making, number, i, n, side);
      end_row (&making);
    }
  matrix->n = n;
  matrix->column = (gint32 *) (gpointer) g_array_free (making.column, FALSE);
  matrix->value = (double *) (gpointer) g_array_free (making.value, FALSE);
  matrix->row_from = (gint32 *) (gpointer) g_array_free (making.row_from, FALSE);
  g_array_unref (making.row);

  return matrix;
}

void
perf_matrix_free (PerfMatrix *matrix)
{
  g_free (matrix->row_from);
  g_free (matrix->column);
  g_free (matrix->value);
  g_free (matrix);
}
