/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Where the eigenvalues of a grid's matrix end: steps that smooth are of the length that this allows. */

#include "es-grids-private.h"

#include <math.h>

/* Steps of Lanczos' process, and how much above what it finds the largest eigenvalue may be. */
#define STEPS 12
#define MARGIN 1.05
/* It ends earlier where a step, but for the first ones, finds so little more. */
#define LEAST_STEPS 5
#define ENOUGH 1.002
/* Of a matrix whose diagonal is 1: what is no more than rounding. */
#define NOTHING 1e-12
/* Parts that begin together. */
#define PARTS_AT_ONCE 32

/* ---- bound ---- */

typedef struct
{
  const EsGridMatrix *matrix;
  const double       *near;
  double             *most;    /* of each part */
} Bounding;

static void
bound_part (gpointer data, gsize p, guint lane)
{
  const Bounding *self = data;
  const EsGridMatrix *matrix = self->matrix;
  double most = 0;

  (void) lane;
  for (gsize i = es_grid_first (p, matrix->rows); i < es_grid_first (p + 1, matrix->rows); i++)
    {
      double sum = 0;

      for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
        sum += fabs (matrix->value[k]) * self->near[matrix->column[k]];
      most = MAX (most, sum / self->near[i]);
    }
  self->most[p] = most;
}

gboolean
es_grid_bound (const EsGridMatrix *matrix, const double *near, double *bound, EsGridTeam *team, GError **error)
{
  const gsize n_parts = es_grid_parts (matrix->rows);
  g_autofree double *most = g_new (double, n_parts + 1);
  Bounding bounding = { matrix, near, most };

  *bound = 0;
  if (!es_grid_team_run (team, n_parts, bound_part, &bounding, error))
    return FALSE;
  for (gsize p = 0; p < n_parts; p++)
    *bound = MAX (*bound, most[p]);
  return TRUE;
}

/* ---- Lanczos' process ---- */

/* The largest eigenvalue of a tridiagonal matrix, by bisection: how many pivots of T - x are positive. */
static double
largest_of_tridiagonal (guint n, const double *diagonal, const double *beside)
{
  double low = 0, high = 0;

  for (guint i = 0; i < n; i++)
    high = MAX (high, fabs (diagonal[i]) + (i > 0 ? beside[i - 1] : 0) + (i + 1 < n ? beside[i] : 0));
  for (guint step = 0; step < 60; step++)
    {
      const double x = (low + high) / 2;
      gboolean above = FALSE;
      double pivot = 1;

      for (guint i = 0; i < n && !above; i++)
        {
          pivot = diagonal[i] - x - (i > 0 ? beside[i - 1] * beside[i - 1] / pivot : 0);
          if (pivot == 0)
            pivot = 1e-300;
          above = pivot > 0;
        }
      if (above)
        low = x;
      else
        high = x;
    }
  return high;
}

typedef struct
{
  const EsGridMatrix *matrix;
  double             *before, *v, *w;
  double              beside;  /* between `before` and v */
  double              along, length;
  double             *sum;     /* of each part */
  EsGridTeam         *team;
} Lanczos;

/* Numbers by chance, the same ones every time, whose signs are such that the row's sum with those before it is large:
 * the largest eigenvalue is that of a vector which changes from neighbour to neighbour. Of several parts at once, so
 * that few neighbours do not know each other. */
static void
begin_part (gpointer data, gsize p, guint lane)
{
  const Lanczos *self = data;
  const EsGridMatrix *matrix = self->matrix;
  const gsize first = es_grid_first (p * PARTS_AT_ONCE, matrix->rows),
              end = es_grid_first ((p + 1) * PARTS_AT_ONCE, matrix->rows);
  double length = 0;

  (void) lane;
  for (gsize i = first; i < end; i++)
    {
      guint32 state = ((guint32) i + 1) * 0x9e3779b1u;
      double sum = 0;

      if (i % ES_GRID_PART == 0 && es_grid_team_stops (self->team))
        return;
      for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1] && (gsize) matrix->column[k] < i; k++)
        if ((gsize) matrix->column[k] >= first)
          sum += matrix->value[k] * self->v[matrix->column[k]];
      state = (state ^ state >> 15) * 0x85ebca77u;
      state = (state ^ state >> 13) * 0xc2b2ae3du;
      state ^= state >> 16;
      self->v[i] = copysign (0.75 + (double) (state >> 8) / (1 << 26), sum);
      length += self->v[i] * self->v[i];
    }
  self->sum[p] = length;
}

static void
multiply_part (gpointer data, gsize p, guint lane)
{
  const Lanczos *self = data;
  const EsGridMatrix *matrix = self->matrix;
  double along = 0;

  (void) lane;
  for (gsize i = es_grid_first (p, matrix->rows); i < es_grid_first (p + 1, matrix->rows); i++)
    {
      double sum = 0;

      for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
        sum += matrix->value[k] * self->v[matrix->column[k]];
      self->w[i] = self->beside != 0 ? sum - self->beside * self->before[i] : sum;
      along += self->w[i] * self->v[i];
    }
  self->sum[p] = along;
}

static void
subtract_part (gpointer data, gsize p, guint lane)
{
  const Lanczos *self = data;
  double length = 0;

  (void) lane;
  for (gsize i = es_grid_first (p, self->matrix->rows); i < es_grid_first (p + 1, self->matrix->rows); i++)
    {
      self->w[i] -= self->along * self->v[i];
      length += self->w[i] * self->w[i];
    }
  self->sum[p] = length;
}

static void
scale_part (gpointer data, gsize p, guint lane)
{
  const Lanczos *self = data;

  (void) lane;
  for (gsize i = es_grid_first (p, self->matrix->rows); i < es_grid_first (p + 1, self->matrix->rows); i++)
    self->w[i] /= self->length;
}

/* In their order. */
static double
add_up (const Lanczos *self, gsize n_parts)
{
  double sum = 0;

  for (gsize p = 0; p < n_parts; p++)
    sum += self->sum[p];
  return sum;
}

/* Whether v is there, of length 1. */
static gboolean
begin (Lanczos *self, GError **error)
{
  const gsize n_parts = es_grid_parts (self->matrix->rows), n_begun = (n_parts + PARTS_AT_ONCE - 1) / PARTS_AT_ONCE;
  double *v = self->v, *w = self->w;

  if (!es_grid_team_run (self->team, n_begun, begin_part, self, error))
    return FALSE;
  self->length = sqrt (add_up (self, n_begun));
  self->w = v;
  if (!es_grid_team_run (self->team, n_parts, scale_part, self, error))
    return FALSE;
  self->w = w;
  return TRUE;
}

static gboolean
find_largest (Lanczos *self, double bound, double *largest, GError **error)
{
  EsGridTeam *team = self->team;
  const gsize n_parts = es_grid_parts (self->matrix->rows);
  double diagonal[STEPS], beside[STEPS], before = 0;

  if (!begin (self, error))
    return FALSE;
  for (guint step = 0; step < STEPS; step++)
    {
      double *swap = self->before;

      if (!es_grid_team_run (team, n_parts, multiply_part, self, error))
        return FALSE;
      self->along = diagonal[step] = add_up (self, n_parts);
      *largest = MARGIN * largest_of_tridiagonal (step + 1, diagonal, beside);
      /* Further steps only find more, and at last hardly any. */
      if (*largest >= bound || step + 1 == STEPS || (step >= LEAST_STEPS && *largest < ENOUGH * before))
        break;
      before = *largest;
      if (!es_grid_team_run (team, n_parts, subtract_part, self, error))
        return FALSE;
      self->beside = self->length = beside[step] = sqrt (add_up (self, n_parts));
      if (!(self->length > NOTHING))
        break;
      if (!es_grid_team_run (team, n_parts, scale_part, self, error))
        return FALSE;
      self->before = self->v;
      self->v = self->w;
      self->w = swap;
    }
  *largest = MAX (MIN (*largest, bound), NOTHING);
  return TRUE;
}

gboolean
es_grid_largest (const EsGridMatrix *matrix, double bound, double *largest, EsGridTeam *team, GError **error)
{
  const gsize n = matrix->rows, bytes = n * sizeof (double);
  double *const vectors[3] = { es_grid_borrow (team, bytes), es_grid_borrow (team, bytes),
                               es_grid_borrow (team, bytes) };
  g_autofree double *sum = g_new (double, es_grid_parts (n) + 1);
  Lanczos lanczos = { .matrix = matrix, .before = vectors[0], .v = vectors[1], .w = vectors[2], .sum = sum,
                      .team = team };
  const gboolean found = es_grid_team_check (team, error) && find_largest (&lanczos, bound, largest, error);

  for (guint k = 0; k < G_N_ELEMENTS (vectors); k++)
    es_grid_give_back (team, vectors[k], bytes);
  return found;
}
