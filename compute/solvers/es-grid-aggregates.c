/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Rows that are strongly coupled become one unknown of the coarser grid, and how that one acts on the finer: sections
 * 5.1 and 5.2 of Vanek, Mandel and Brezina (1996). What is strong is told by a row's largest coupling instead of its
 * diagonal, for of 26 equal neighbours none is strong beside the sum of them.
 *
 * Which rows come together is decided row by row in their order; what decides it, of every coupling, is found by all
 * threads before.
 */

#include "es-grids-private.h"

#include <math.h>
#include <string.h>

/* Between two looks at whether it is still wanted. */
#define ROWS_AT_ONCE 4096
/* A row whose couplings sum up to no more than this part of its diagonal is solved by smoothing (Notay, An
 * aggregation-based algebraic multigrid method, 2010). */
#define DOMINANT 0.2
/* The diagonal that weak couplings are added to stays above this part of what it was. */
#define LEAST_DIAGONAL 0.25
/* Aggregates that a row of P may know. */
#define MOST_KNOWN 1024
/* Of aggregates: none yet. */
#define FREE (-1)

typedef struct
{
  const EsGridMatrix *matrix;
  const double       *near;
  double              strength;
  double             *largest; /* of each row's couplings; -1: of a row that is left to smoothing */
  guint8             *strong;  /* of each nonzero */
  const gint32       *aggregate;
  gint32             *joined;
} Aggregating;

static void
find_largest (gpointer data, gsize p, guint lane)
{
  const Aggregating *self = data;
  const EsGridMatrix *matrix = self->matrix;

  (void) lane;
  for (gsize i = es_grid_first (p, matrix->rows); i < es_grid_first (p + 1, matrix->rows); i++)
    {
      double most = 0, sum = 0, diagonal = 0;

      for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
        {
          const double size = fabs (matrix->value[k]);

          if ((gsize) matrix->column[k] == i)
            diagonal = size;
          else
            {
              most = MAX (most, size);
              sum += size * self->near[matrix->column[k]];
            }
        }
      self->largest[i] = sum <= DOMINANT * diagonal * self->near[i] ? -1 : most;
    }
}

/* Couplings between rows that can be put together. */
static void
find_strong (gpointer data, gsize p, guint lane)
{
  const Aggregating *self = data;
  const EsGridMatrix *matrix = self->matrix;
  const double square = self->strength * self->strength, *largest = self->largest;

  (void) lane;
  for (gsize i = es_grid_first (p, matrix->rows); i < es_grid_first (p + 1, matrix->rows); i++)
    for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
      {
        const gsize j = (gsize) matrix->column[k];
        const double value = matrix->value[k];

        self->strong[k] = i != j && value != 0 && largest[i] >= 0 && largest[j] >= 0
                          && value * value >= square * largest[i] * largest[j];
      }
}

/* A row whose strong neighbours are all free, with these. */
static void
begin_aggregate (const Aggregating *self, gsize i, gint32 *aggregate, gint32 *n)
{
  const EsGridMatrix *matrix = self->matrix;
  const gint32 from = matrix->row_from[i], end = matrix->row_from[i + 1];
  gboolean has_neighbours = FALSE;

  for (gint32 k = from; k < end; k++)
    if (self->strong[k])
      {
        if (aggregate[matrix->column[k]] != FREE)
          return;
        has_neighbours = TRUE;
      }
  if (!has_neighbours)
    return;
  for (gint32 k = from; k < end; k++)
    if (self->strong[k])
      aggregate[matrix->column[k]] = *n;
  aggregate[i] = (*n)++;
}

/* The aggregate that each free row is coupled to most, of those that were there before. */
static void
find_nearest (gpointer data, gsize p, guint lane)
{
  const Aggregating *self = data;
  const EsGridMatrix *matrix = self->matrix;

  (void) lane;
  for (gsize i = es_grid_first (p, matrix->rows); i < es_grid_first (p + 1, matrix->rows); i++)
    {
      double most = 0;

      self->joined[i] = self->aggregate[i];
      if (self->aggregate[i] != FREE)
        continue;
      for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
        if (self->strong[k] && self->aggregate[matrix->column[k]] >= 0 && fabs (matrix->value[k]) > most)
          {
            most = fabs (matrix->value[k]);
            self->joined[i] = self->aggregate[matrix->column[k]];
          }
    }
}

/* Free rows with all that they are coupled to; how many aggregates there are. -1: it is not wanted any more. */
static gssize
begin_all (const Aggregating *self, gint32 *aggregate, EsGridTeam *team)
{
  gint32 n = 0;

  for (gsize i = 0; i < self->matrix->rows; i++)
    {
      if (i % ROWS_AT_ONCE == 0 && es_grid_team_stops (team))
        return -1;
      if (aggregate[i] == FREE)
        begin_aggregate (self, i, aggregate, &n);
    }
  return n;
}

/* What is still free becomes aggregates of its own. -1 as above. */
static gssize
end_all (const Aggregating *self, gint32 *aggregate, gint32 n, EsGridTeam *team)
{
  const EsGridMatrix *matrix = self->matrix;

  for (gsize i = 0; i < matrix->rows; i++)
    {
      if (i % ROWS_AT_ONCE == 0 && es_grid_team_stops (team))
        return -1;
      if (aggregate[i] != FREE)
        continue;
      for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
        if (self->strong[k] && aggregate[matrix->column[k]] == FREE)
          aggregate[matrix->column[k]] = n;
      aggregate[i] = n++;
    }
  return n;
}

static gssize
put_together (Aggregating *self, gint32 *before, EsGridTeam *team, GError **error)
{
  const gsize rows = self->matrix->rows, n_parts = es_grid_parts (rows);
  gssize n;

  if (!es_grid_team_run (team, n_parts, find_largest, self, error)
      || !es_grid_team_run (team, n_parts, find_strong, self, error))
    return -1;
  for (gsize i = 0; i < rows; i++)
    before[i] = self->largest[i] < 0 ? ES_GRID_LEFT : FREE;
  n = begin_all (self, before, team);
  /* Not to each other: an aggregate does not grow along a row of them. */
  if (n >= 0 && !es_grid_team_run (team, n_parts, find_nearest, self, error))
    return -1;
  n = n >= 0 ? end_all (self, self->joined, (gint32) n, team) : n;
  if (n < 0)
    es_grid_team_check (team, error);
  return n;
}

gssize
es_grid_aggregate (const EsGridMatrix *matrix, const double *near, double strength, gint32 *aggregate, EsGridTeam *team,
                   GError **error)
{
  const gsize rows = matrix->rows, n_nonzeros = es_grid_matrix_n_nonzeros (matrix);
  double *largest = es_grid_borrow (team, rows * sizeof (double));
  gint32 *before = es_grid_borrow (team, rows * sizeof (gint32));
  Aggregating self = { matrix, near, strength, largest, es_grid_borrow (team, n_nonzeros), before, aggregate };
  const gssize n = es_grid_team_check (team, error) ? put_together (&self, before, team, error) : -1;

  es_grid_give_back (team, largest, rows * sizeof (double));
  es_grid_give_back (team, before, rows * sizeof (gint32));
  es_grid_give_back (team, self.strong, n_nonzeros);
  return n;
}

/* ---- prolongation ---- */

typedef struct
{
  const EsGridMatrix *matrix;
  const double       *near, *lengths;
  double              strength, omega;
  const gint32       *aggregate;
} Smoothing;

/* What row i has of `near` from its coupling k. */
static inline double
share_of (const Smoothing *self, gint32 k)
{
  return fabs (self->matrix->value[k]) * self->near[self->matrix->column[k]];
}

/* A row of P: few numbers, mostly, in order; those of a longer one are in the lane. */
typedef struct
{
  EsGridLane *lane;
  guint       n;
  gint32      column[16];
  double      value[16];
} Row;

/* FALSE: too many. */
static gboolean
add_to_long (Row *row, gint32 column, double value)
{
  EsGridLane *lane = row->lane;

  if (row->n == G_N_ELEMENTS (row->column))
    for (guint j = 0; j < row->n; j++)
      es_grid_lane_add (lane, 1, &row->column[j], &row->value[j], 1);
  row->n += row->n == G_N_ELEMENTS (row->column) || (lane->seen[column >> 6] >> (column & 63) & 1) == 0;
  es_grid_lane_add (lane, 1, &column, &value, 1);
  return row->n <= MOST_KNOWN;
}

/* FALSE: too many. */
static inline gboolean
add (Row *row, gint32 column, double value)
{
  guint j = row->n;

  if (row->n > G_N_ELEMENTS (row->column))
    return add_to_long (row, column, value);
  while (j > 0 && row->column[j - 1] > column)
    j--;
  if (j > 0 && row->column[j - 1] == column)
    {
      row->value[j - 1] += value;
      return TRUE;
    }
  if (row->n == G_N_ELEMENTS (row->column))
    return add_to_long (row, column, value);
  for (guint k = row->n++; k > j; k--)
    {
      row->column[k] = row->column[k - 1];
      row->value[k] = row->value[k - 1];
    }
  row->column[j] = column;
  row->value[j] = value;
  return TRUE;
}

/* Row i of (1 - omega / d F) T, F the matrix less the couplings that are weak in this row, whatever they are in the
 * other one: where coefficients jump, the lesser side follows the larger one. They are in the diagonal d. FALSE: too
 * long. */
static gboolean
smooth_row (gconstpointer data, gsize i, EsGridLane *lane)
{
  const Smoothing *self = data;
  const EsGridMatrix *matrix = self->matrix;
  const gint32 *aggregate = self->aggregate;
  const double *near = self->near, *lengths = self->lengths, omega = self->omega;
  double diagonal = 1, most = 0;
  Row row;

  if (aggregate[i] == ES_GRID_LEFT)
    return TRUE;
  row.lane = lane;
  row.n = 1;
  row.column[0] = aggregate[i];
  row.value[0] = near[i] / lengths[aggregate[i]] * (1 - omega);
  if (omega == 0)
    return es_grid_lane_put (lane, row.column, row.value, row.n);
  for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
    if ((gsize) matrix->column[k] != i)
      most = MAX (most, share_of (self, k));
  for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
    if ((gsize) matrix->column[k] != i && share_of (self, k) < self->strength * most)
      diagonal += matrix->value[k] * near[matrix->column[k]] / near[i];
  if (!(diagonal >= LEAST_DIAGONAL))
    diagonal = 1;
  for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
    {
      const gsize j = (gsize) matrix->column[k];

      if (j != i && aggregate[j] != ES_GRID_LEFT && share_of (self, k) >= self->strength * most
          && !add (&row, aggregate[j], -omega / diagonal * matrix->value[k] * near[j] / lengths[aggregate[j]]))
        return FALSE;
    }
  return row.n > G_N_ELEMENTS (row.column) || es_grid_lane_put (lane, row.column, row.value, row.n);
}

gboolean
es_grid_prolong (const EsGridMatrix *matrix, const double *near, double strength, double omega,
                 const gint32 *aggregate, gsize n_aggregates, gsize most, double *lengths, EsGridMatrix *out,
                 EsGridTeam *team, GError **error)
{
  const Smoothing smoothing = { matrix, near, lengths, strength, omega, aggregate };
  EsGridRows rows;

  memset (out, 0, sizeof *out);
  for (gsize j = 0; j < n_aggregates; j++)
    lengths[j] = 0;
  for (gsize i = 0; i < matrix->rows; i++)
    if (aggregate[i] >= 0)
      lengths[aggregate[i]] += near[i] * near[i];
  for (gsize j = 0; j < n_aggregates; j++)
    lengths[j] = sqrt (lengths[j]);
  return es_grid_rows_make (matrix->rows, n_aggregates, most, smooth_row, &smoothing, &rows, team, error)
         && es_grid_rows_gather (&rows, out, team, error);
}
