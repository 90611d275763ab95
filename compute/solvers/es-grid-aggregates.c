/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Rows that are strongly coupled become one unknown of the coarser grid, and how that one acts on the finer: sections
 * 5.1 and 5.2 of Vanek, Mandel and Brezina (1996). What is strong is told by a row's largest coupling instead of its
 * diagonal, for of 26 equal neighbours none is strong beside the sum of them.
 */

#include "es-grids-private.h"

#include <math.h>

#define ROWS_AT_ONCE 4096
/* A row whose couplings sum up to no more than this part of its diagonal is solved by smoothing (Notay, An
 * aggregation-based algebraic multigrid method, 2010). */
#define DOMINANT 0.2
/* The diagonal that weak couplings are added to stays above this part of what it was. */
#define LEAST_DIAGONAL 0.25
/* Of aggregates: none yet. */
#define FREE (-1)

/* The largest coupling of each row; -1: of a row that is left to smoothing. NULL: cancelled. */
static double *
find_largest (const EsGridMatrix *matrix, const double *near, GCancellable *cancellable, GError **error)
{
  g_autofree double *largest = g_new (double, matrix->rows + 1);

  for (gsize i = 0; i < matrix->rows; i++)
    {
      double most = 0, sum = 0, diagonal = 0;

      if (i % ROWS_AT_ONCE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
        {
          const double size = fabs (matrix->value[k]);

          if ((gsize) matrix->column[k] == i)
            diagonal = size;
          else
            {
              most = MAX (most, size);
              sum += size * near[matrix->column[k]];
            }
        }
      largest[i] = sum <= DOMINANT * diagonal * near[i] ? -1 : most;
    }
  return g_steal_pointer (&largest);
}

static inline gboolean
is_strong (const EsGridMatrix *matrix, const double *largest, double strength, gsize i, gint32 k)
{
  const gsize j = (gsize) matrix->column[k];
  const double value = matrix->value[k];

  return i != j && value != 0
         && value * value >= strength * strength * fabs (largest[i]) * fabs (largest[j]);
}

/* Rows whose strong neighbours are all free, with these. */
static void
begin_aggregate (const EsGridMatrix *matrix, const double *largest, double strength, gsize i, gint32 *aggregate,
                 gint32 *n)
{
  gboolean has_neighbours = FALSE;

  for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
    if (is_strong (matrix, largest, strength, i, k) && aggregate[matrix->column[k]] != ES_GRID_LEFT)
      {
        if (aggregate[matrix->column[k]] != FREE)
          return;
        has_neighbours = TRUE;
      }
  if (!has_neighbours)
    return;
  for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
    if (is_strong (matrix, largest, strength, i, k) && aggregate[matrix->column[k]] == FREE)
      aggregate[matrix->column[k]] = *n;
  aggregate[i] = (*n)++;
}

/* The aggregate that row i is coupled to most, of those that were there before. */
static gint32
find_nearest (const EsGridMatrix *matrix, const double *largest, double strength, gsize i, const gint32 *aggregate)
{
  double most = 0;
  gint32 nearest = FREE;

  for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
    if (aggregate[matrix->column[k]] >= 0 && fabs (matrix->value[k]) > most
        && is_strong (matrix, largest, strength, i, k))
      {
        most = fabs (matrix->value[k]);
        nearest = aggregate[matrix->column[k]];
      }
  return nearest;
}

gssize
es_grid_aggregate (const EsGridMatrix *matrix, const double *near, double strength, gint32 *aggregate,
                   GCancellable *cancellable, GError **error)
{
  g_autofree double *largest = find_largest (matrix, near, cancellable, error);
  g_autofree gint32 *joined = NULL;
  gint32 n = 0;

  if (largest == NULL)
    return -1;
  for (gsize i = 0; i < matrix->rows; i++)
    aggregate[i] = largest[i] < 0 ? ES_GRID_LEFT : FREE;
  for (gsize i = 0; i < matrix->rows; i++)
    {
      if (i % ROWS_AT_ONCE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return -1;
      if (aggregate[i] == FREE)
        begin_aggregate (matrix, largest, strength, i, aggregate, &n);
    }
  /* Not to each other: an aggregate does not grow along a row of them. */
  joined = g_new (gint32, matrix->rows + 1);
  for (gsize i = 0; i < matrix->rows; i++)
    {
      if (i % ROWS_AT_ONCE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return -1;
      joined[i] = aggregate[i] == FREE ? find_nearest (matrix, largest, strength, i, aggregate) : FREE;
    }
  for (gsize i = 0; i < matrix->rows; i++)
    aggregate[i] = joined[i] != FREE ? joined[i] : aggregate[i];
  for (gsize i = 0; i < matrix->rows; i++)
    {
      if (aggregate[i] != FREE)
        continue;
      for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
        if (aggregate[matrix->column[k]] == FREE && is_strong (matrix, largest, strength, i, k))
          aggregate[matrix->column[k]] = n;
      aggregate[i] = n++;
    }
  return n;
}

/* What a row of P is made of: one number an aggregate that the row's neighbours are in. */
typedef struct
{
  gint32 column[1024];
  double value[1024];
  gsize  n;
} Row;

/* FALSE: there is no more room in it. */
static gboolean
add_to_row (Row *row, gint32 column, double value)
{
  for (gsize j = 0; j < row->n; j++)
    if (row->column[j] == column)
      {
        row->value[j] += value;
        return TRUE;
      }
  if (row->n == G_N_ELEMENTS (row->column))
    return FALSE;
  row->column[row->n] = column;
  row->value[row->n++] = value;
  return TRUE;
}

static void
sort_row (Row *row)
{
  for (gsize i = 1; i < row->n; i++)
    {
      const gint32 column = row->column[i];
      const double value = row->value[i];
      gsize to = i;

      for (; to > 0 && row->column[to - 1] > column; to--)
        {
          row->column[to] = row->column[to - 1];
          row->value[to] = row->value[to - 1];
        }
      row->column[to] = column;
      row->value[to] = value;
    }
}

/* What row i has of `near` from its coupling k. */
static inline double
share_of (const EsGridMatrix *matrix, const double *near, gint32 k)
{
  return fabs (matrix->value[k]) * near[matrix->column[k]];
}

/* Row i of (1 - omega / d F) T, F the matrix less the couplings that are weak in this row, whatever they are in the
 * other one: where coefficients jump, the lesser side follows the larger one. They are in the diagonal d. FALSE: too
 * long. */
static gboolean
smooth_row (const EsGridMatrix *matrix, const double *near, double strength, double omega, const gint32 *aggregate,
            const double *lengths, gsize i, Row *row)
{
  double diagonal = 1, most = 0;

  row->n = 0;
  if (aggregate[i] == ES_GRID_LEFT)
    return TRUE;
  if (!add_to_row (row, aggregate[i], near[i] / lengths[aggregate[i]] * (1 - omega)) || omega == 0)
    return TRUE;
  for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
    if ((gsize) matrix->column[k] != i)
      most = MAX (most, share_of (matrix, near, k));
  for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
    if ((gsize) matrix->column[k] != i && share_of (matrix, near, k) < strength * most)
      diagonal += matrix->value[k] * near[matrix->column[k]] / near[i];
  if (!(diagonal >= LEAST_DIAGONAL))
    diagonal = 1;
  for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
    {
      const gsize j = (gsize) matrix->column[k];

      if (j != i && aggregate[j] != ES_GRID_LEFT && share_of (matrix, near, k) >= strength * most
          && !add_to_row (row, aggregate[j], -omega / diagonal * matrix->value[k] * near[j] / lengths[aggregate[j]]))
        return FALSE;
    }
  sort_row (row);
  return TRUE;
}

gboolean
es_grid_prolong (const EsGridMatrix *matrix, const double *near, double strength, double omega,
                 const gint32 *aggregate, gsize n_aggregates, gsize most, double *lengths, EsGridMatrix *out,
                 GCancellable *cancellable, GError **error)
{
  g_autofree Row *row = g_new (Row, 1);
  gsize room = 2 * matrix->rows + 64, n = 0;

  for (gsize j = 0; j < n_aggregates; j++)
    lengths[j] = 0;
  for (gsize i = 0; i < matrix->rows; i++)
    if (aggregate[i] >= 0)
      lengths[aggregate[i]] += near[i] * near[i];
  for (gsize j = 0; j < n_aggregates; j++)
    lengths[j] = sqrt (lengths[j]);

  most = MIN (most, (gsize) G_MAXINT32 - 1);
  *out = (EsGridMatrix) { matrix->rows, n_aggregates, g_new0 (gint32, matrix->rows + 1), g_new (gint32, room),
                          g_new (double, room) };
  for (gsize i = 0; i < matrix->rows; i++)
    {
      if (i % ROWS_AT_ONCE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        {
          es_grid_matrix_clear (out);
          return FALSE;
        }
      if (!smooth_row (matrix, near, strength, omega, aggregate, lengths, i, row) || n + row->n > most)
        {
          es_grid_matrix_clear (out);
          return TRUE;
        }
      if (n + row->n > room)
        {
          room += room / 2 + row->n;
          out->column = g_renew (gint32, out->column, room);
          out->value = g_renew (double, out->value, room);
        }
      for (gsize j = 0; j < row->n; j++)
        {
          out->column[n] = row->column[j];
          out->value[n++] = row->value[j];
        }
      out->row_from[i + 1] = (gint32) n;
    }
  out->column = g_renew (gint32, out->column, n + 1);
  out->value = g_renew (double, out->value, n + 1);
  return TRUE;
}
