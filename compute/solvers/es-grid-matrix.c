/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Sparse matrices on the host that grids are made of: transposed, multiplied with each other, compared. */

#include "es-grids-private.h"

#include <math.h>
#include <string.h>

/* Between two looks at whether it is still wanted: a few milliseconds of work. */
#define ROWS_AT_ONCE 4096
#define NONZEROS_AT_ONCE ((gint32) 1 << 20)
/* Of rows that lie anywhere in memory. */
#define FETCH_AHEAD 6
/* Two numbers of a matrix whose diagonal is 1 are the same. */
#define SAME 1e-12

void
es_grid_matrix_clear (EsGridMatrix *self)
{
  if (!self->borrowed)
    {
      g_free (self->row_from);
      g_free (self->column);
    }
  g_free (self->value);
  memset (self, 0, sizeof *self);
}

/* ---- transposed ---- */

typedef struct
{
  const EsGridMatrix *matrix;
  EsGridMatrix       *out;
  guint               n_ranges;
  gsize               from[ES_GRID_MOST_LANES + 1];      /* rows */
  gint32             *at;      /* of each range, by columns: how many it has there, then where its next one belongs */
  EsGridTeam         *team;
} Transposing;

static gboolean
looks (const Transposing *self, gsize i, gint32 *last)
{
  const gint32 now = self->matrix->row_from[i];

  if (i % ROWS_AT_ONCE != 0 && now - *last < NONZEROS_AT_ONCE)
    return FALSE;
  *last = now;
  return es_grid_team_stops (self->team);
}

static void
count_range (gpointer data, gsize range, guint lane)
{
  const Transposing *self = data;
  const gint32 first = self->matrix->row_from[self->from[range]], end = self->matrix->row_from[self->from[range + 1]];
  gint32 *at = self->at + range * self->matrix->columns;

  (void) lane;
  memset (at, 0, self->matrix->columns * sizeof *at);
  for (gint32 k = first; k < end; k++)
    {
      if ((k & (NONZEROS_AT_ONCE - 1)) == 0 && es_grid_team_stops (self->team))
        return;
      at[self->matrix->column[k]]++;
    }
}

static void
place_range (gpointer data, gsize range, guint lane)
{
  const Transposing *self = data;
  const EsGridMatrix *matrix = self->matrix;
  gint32 *at = self->at + range * matrix->columns, last = matrix->row_from[self->from[range]];

  (void) lane;
  for (gsize i = self->from[range]; i < self->from[range + 1]; i++)
    {
      if (looks (self, i, &last))
        return;
      for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
        {
          const gint32 to = at[matrix->column[k]]++;

          self->out->column[to] = (gint32) i;
          self->out->value[to] = matrix->value[k];
        }
    }
}

/* Ranges of about as many nonzeros each; what comes of them does not depend on how many they are. */
static void
cut (Transposing *self)
{
  const EsGridMatrix *matrix = self->matrix;
  const double all = (double) es_grid_matrix_n_nonzeros (matrix);
  gsize i = 0;

  self->n_ranges = all > NONZEROS_AT_ONCE / 16 ? es_grid_team_lanes (self->team) : 1;
  for (guint r = 0; r < self->n_ranges; r++)
    {
      gsize low = i, high = matrix->rows;

      while (low < high)
        {
          const gsize middle = low + (high - low) / 2;

          if (matrix->row_from[middle] < (gint32) (all * r / self->n_ranges))
            low = middle + 1;
          else
            high = middle;
        }
      self->from[r] = i = r == 0 ? 0 : low;
    }
  self->from[self->n_ranges] = matrix->rows;
}

gboolean
es_grid_matrix_transpose (const EsGridMatrix *self, EsGridMatrix *out, EsGridTeam *team, GError **error)
{
  const gsize n_nonzeros = es_grid_matrix_n_nonzeros (self), columns = self->columns;
  Transposing work = { .matrix = self, .out = out, .team = team };
  gint32 n = 0;
  gboolean done;

  cut (&work);
  *out = (EsGridMatrix) { columns, self->rows, es_grid_allocate (team, columns + 1, sizeof (gint32)),
                          es_grid_allocate (team, n_nonzeros, sizeof (gint32)),
                          es_grid_allocate (team, n_nonzeros, sizeof (double)), FALSE };
  work.at = es_grid_allocate (team, columns * work.n_ranges, sizeof (gint32));
  done = es_grid_team_run (team, work.n_ranges, count_range, &work, error);
  if (done)
    {
      for (gsize j = 0; j < columns; j++)
        {
          out->row_from[j] = n;
          for (guint r = 0; r < work.n_ranges; r++)
            {
              const gint32 here = work.at[r * columns + j];

              work.at[r * columns + j] = n;
              n += here;
            }
        }
      out->row_from[columns] = n;
      done = es_grid_team_run (team, work.n_ranges, place_range, &work, error);
    }
  g_free (work.at);
  if (!done)
    es_grid_matrix_clear (out);
  return done;
}

/* ---- products ---- */

typedef struct
{
  const EsGridMatrix *a, *b;
  const EsGridRows   *rows;    /* instead of b */
} Factors;

static gboolean
multiply_row (gconstpointer data, gsize i, EsGridLane *lane)
{
  const EsGridMatrix *a = ((const Factors *) data)->a, *b = ((const Factors *) data)->b;

  for (gint32 k = a->row_from[i]; k < a->row_from[i + 1]; k++)
    {
      const gint32 from = b->row_from[a->column[k]], end = b->row_from[a->column[k] + 1];

      es_grid_lane_add (lane, a->value[k], b->column + from, b->value + from, (gsize) (end - from));
    }
  return TRUE;
}

static gboolean
multiply_row_by_rows (gconstpointer data, gsize i, EsGridLane *lane)
{
  const EsGridMatrix *a = ((const Factors *) data)->a;
  const EsGridRows *b = ((const Factors *) data)->rows;
  const gint32 last = a->row_from[a->rows] - 1;

  for (gint32 k = a->row_from[i]; k < a->row_from[i + 1]; k++)
    {
      const gint32 *column;
      const double *value;
      const gsize n = es_grid_rows_get (b, (gsize) a->column[k], &column, &value);

      es_grid_rows_fetch (b, (gsize) a->column[MIN (k + FETCH_AHEAD, last)]);
      es_grid_lane_add (lane, a->value[k], column, value, n);
    }
  return TRUE;
}

gboolean
es_grid_matrix_multiply (const EsGridMatrix *a, const EsGridMatrix *b, gsize most, EsGridMatrix *out, EsGridTeam *team,
                         GError **error)
{
  const Factors factors = { a, b, NULL };
  EsGridRows rows;

  memset (out, 0, sizeof *out);
  return es_grid_rows_make (a->rows, b->columns, most, multiply_row, &factors, &rows, team, error)
         && es_grid_rows_gather (&rows, out, team, error);
}

gboolean
es_grid_matrix_multiply_three (const EsGridMatrix *a, const EsGridMatrix *b, const EsGridMatrix *c, gsize most_between,
                               gsize most, EsGridMatrix *out, EsGridTeam *team, GError **error)
{
  const Factors right = { b, c, NULL };
  EsGridRows half, rows;
  const Factors left = { a, NULL, &half };
  gboolean done;

  memset (out, 0, sizeof *out);
  if (!es_grid_rows_make (b->rows, c->columns, most_between, multiply_row, &right, &half, team, error))
    return FALSE;
  if (half.parts == NULL)
    return TRUE;
  done = es_grid_rows_make (a->rows, c->columns, most, multiply_row_by_rows, &left, &rows, team, error);
  es_grid_rows_clear (&half);
  es_grid_team_trim (team);
  return done && es_grid_rows_gather (&rows, out, team, error);
}

/* ---- symmetry ---- */

typedef struct
{
  const EsGridMatrix *matrix;
  gssize             *row, *column;      /* of each part: the first one that has no like; -1: none */
} Comparing;

/* What row i has at a column; 0: nothing. */
static double
get (const EsGridMatrix *self, gsize i, gint32 column)
{
  gint32 low = self->row_from[i], high = self->row_from[i + 1];

  /* The last ones by looking at them. */
  while (high - low > 8)
    {
      const gint32 middle = low + (high - low) / 2;

      if (self->column[middle] <= column)
        low = middle;
      else
        high = middle;
    }
  for (; low < high; low++)
    if (self->column[low] == column)
      return self->value[low];
  return 0;
}

static void
compare_part (gpointer data, gsize p, guint lane)
{
  const Comparing *self = data;
  const EsGridMatrix *matrix = self->matrix;

  (void) lane;
  self->row[p] = -1;
  for (gsize i = es_grid_first (p, matrix->rows); i < es_grid_first (p + 1, matrix->rows); i++)
    for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
      {
        const gsize j = (gsize) matrix->column[k];
        const double here = matrix->value[k], there = j == i ? here : get (matrix, j, (gint32) i);
        const gssize row = (gssize) MIN (i, j), column = (gssize) MAX (i, j);

        /* An entry that is not stored is found by its like, further down. */
        if (!(fabs (here - there) <= SAME * MAX (1, MAX (fabs (here), fabs (there))))
            && (self->row[p] < 0 || row < self->row[p] || (row == self->row[p] && column < self->column[p])))
          {
            self->row[p] = row;
            self->column[p] = column;
          }
      }
}

gboolean
es_grid_matrix_find_skew (const EsGridMatrix *self, gssize *row, gssize *column, EsGridTeam *team, GError **error)
{
  const gsize n_parts = es_grid_parts (self->rows);
  g_autofree gssize *found = g_new (gssize, 2 * n_parts + 2);
  Comparing comparing = { self, found, found + n_parts };

  *row = *column = -1;
  if (!es_grid_team_run (team, n_parts, compare_part, &comparing, error))
    return FALSE;
  for (gsize p = 0; p < n_parts; p++)
    if (comparing.row[p] >= 0
        && (*row < 0 || comparing.row[p] < *row || (comparing.row[p] == *row && comparing.column[p] < *column)))
      {
        *row = comparing.row[p];
        *column = comparing.column[p];
      }
  return TRUE;
}

static gboolean
add_halves (gconstpointer data, gsize i, EsGridLane *lane)
{
  const EsGridMatrix *const both[2] = { ((const Factors *) data)->a, ((const Factors *) data)->b };

  for (guint s = 0; s < 2; s++)
    {
      const gint32 from = both[s]->row_from[i], end = both[s]->row_from[i + 1];

      es_grid_lane_add (lane, 0.5, both[s]->column + from, both[s]->value + from, (gsize) (end - from));
    }
  return TRUE;
}

gboolean
es_grid_matrix_symmetric_part (const EsGridMatrix *self, EsGridMatrix *out, EsGridTeam *team, GError **error)
{
  EsGridMatrix other;
  const Factors halves = { self, &other, NULL };
  EsGridRows rows;
  gboolean done;

  memset (out, 0, sizeof *out);
  if (!es_grid_matrix_transpose (self, &other, team, error))
    return FALSE;
  done = es_grid_rows_make (self->rows, self->columns, G_MAXSIZE, add_halves, &halves, &rows, team, error);
  es_grid_matrix_clear (&other);
  return done && es_grid_rows_gather (&rows, out, team, error);
}
