/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* From a matrix to its grids: level by level, until what is left is solved. */

#include "es-grids-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-solver-private.h"

#define ROWS_AT_ONCE 4096
/* A level of so many rows is solved, and one that cannot be made coarser where it has no more than so many. */
#define FEW_ROWS 100
#define MOST_DENSE_ROWS 500
/* Levels of which each has at most this part of the rows before it. */
#define LEAST_SHRINKING 0.8
/* Of the step that smooths a prolongation: over the largest eigenvalue. */
#define OMEGA (4.0 / 3.0)
/* Steps of Lanczos' process, and how much above what it finds the largest eigenvalue may be. */
#define STEPS 12
#define MARGIN 1.05
/* Length of the skew part beside that of the symmetric one. */
#define MOST_SKEW 0.4
/* Of a matrix whose diagonal is 1: what is no more than rounding. */
#define NOTHING 1e-12
#define BELOW_NOTHING (-1e-10)
/* Products of these are numbers still. */
#define LARGEST_COUPLING 1e30

static void
clear_level (gpointer data)
{
  EsGridLevel *level = data;

  es_grid_matrix_clear (&level->matrix);
  es_grid_matrix_clear (&level->prolongation);
}

void
es_grids_free (EsGrids *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->levels, g_array_unref);
  g_free (self->scale);
  g_free (self->inverse);
  g_free (self);
}

/* ---- eigenvalues ---- */

/* Gershgorin's bound of a matrix scaled by `near`, which is that of D^-1 A where near is D^1/2. */
static double
bound_of (const EsGridMatrix *matrix, const double *near)
{
  double bound = 0;

  for (gsize i = 0; i < matrix->rows; i++)
    {
      double sum = 0;

      for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
        sum += fabs (matrix->value[k]) * near[matrix->column[k]];
      bound = MAX (bound, sum / near[i]);
    }
  return bound;
}

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

/* Of a symmetric matrix whose diagonal is 1: Lanczos' process from numbers that are the same every time. */
static gboolean
find_largest (const EsGridMatrix *matrix, double *largest, GCancellable *cancellable, GError **error)
{
  const gsize n = matrix->rows;
  g_autofree double *memory = g_new0 (double, 3 * n + 3);
  double *before = memory, *v = before + n, *w = v + n, diagonal[STEPS], beside[STEPS], length = 0;
  guint32 state = 1;
  guint steps = 0;

  for (gsize i = 0; i < n; i++)
    {
      state = state * 1664525u + 1013904223u;
      v[i] = (double) (state >> 8) / (1 << 24) - 0.5;
      length += v[i] * v[i];
    }
  for (gsize i = 0; i < n; i++)
    v[i] /= sqrt (length);
  while (steps < STEPS)
    {
      double along = 0, *swap;

      for (gsize i = 0; i < n; i++)
        {
          double sum = 0;

          if (i % (16 * ROWS_AT_ONCE) == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
            return FALSE;
          for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
            sum += matrix->value[k] * v[matrix->column[k]];
          w[i] = steps > 0 ? sum - beside[steps - 1] * before[i] : sum;
          along += w[i] * v[i];
        }
      length = 0;
      for (gsize i = 0; i < n; i++)
        {
          w[i] -= along * v[i];
          length += w[i] * w[i];
        }
      diagonal[steps] = along;
      beside[steps++] = sqrt (length);
      if (!(sqrt (length) > NOTHING))
        break;
      for (gsize i = 0; i < n; i++)
        w[i] /= sqrt (length);
      swap = before;
      before = v;
      v = w;
      w = swap;
    }
  *largest = largest_of_tridiagonal (steps, diagonal, beside);
  return TRUE;
}

/* ---- one level to the next ---- */

/* C and P lose the columns that A makes nothing of, which only a singular matrix has, and C gets a diagonal of 1.
 * FALSE: a column says that A is not positive definite. */
static gboolean
scale_coarse (EsGridMatrix *coarse, EsGridMatrix *prolongation, double *near)
{
  const gsize n = coarse->rows;
  g_autofree double *scale = g_new0 (double, n + 1);
  g_autofree gint32 *to = g_new (gint32, n + 1);
  gint32 kept = 0, at = 0;

  for (gint32 k = 0; k < prolongation->row_from[prolongation->rows]; k++)
    scale[prolongation->column[k]] += prolongation->value[k] * prolongation->value[k];
  for (gsize j = 0; j < n; j++)
    {
      double diagonal = 0;

      for (gint32 k = coarse->row_from[j]; k < coarse->row_from[j + 1]; k++)
        if ((gsize) coarse->column[k] == j)
          diagonal = coarse->value[k];
      if (!(diagonal >= BELOW_NOTHING * scale[j]))
        return FALSE;
      to[j] = diagonal > NOTHING * scale[j] ? kept : -1;
      if (to[j] < 0)
        continue;
      scale[j] = 1 / sqrt (diagonal);
      near[kept++] = near[j] / scale[j];
    }
  for (gsize j = 0; j < n; j++)
    {
      const gint32 from = coarse->row_from[j], end = coarse->row_from[j + 1];

      if (to[j] < 0)
        continue;
      coarse->row_from[to[j]] = at;
      for (gint32 k = from; k < end; k++)
        if (to[coarse->column[k]] >= 0)
          {
            const gint32 column = coarse->column[k];

            coarse->value[at] = (gsize) column == j ? 1 : coarse->value[k] * scale[j] * scale[column];
            coarse->column[at++] = to[column];
          }
    }
  coarse->row_from[kept] = at;
  coarse->rows = coarse->columns = (gsize) kept;
  at = 0;
  for (gsize i = 0; i < prolongation->rows; i++)
    {
      const gint32 from = prolongation->row_from[i], end = prolongation->row_from[i + 1], first = at;

      for (gint32 k = from; k < end; k++)
        if (to[prolongation->column[k]] >= 0)
          {
            prolongation->value[at] = prolongation->value[k] * scale[prolongation->column[k]];
            prolongation->column[at++] = to[prolongation->column[k]];
          }
      prolongation->row_from[i] = first;
    }
  prolongation->row_from[prolongation->rows] = at;
  prolongation->columns = (gsize) kept;
  return TRUE;
}

/* P^T A P, nothing where it has more than `most` nonzeros. FALSE: cancelled. */
static gboolean
multiply_galerkin (const EsGridMatrix *matrix, const EsGridMatrix *prolongation, gsize most, EsGridMatrix *out,
                   GCancellable *cancellable, GError **error)
{
  EsGridMatrix half = { 0 }, restriction = { 0 };
  gboolean done;

  memset (out, 0, sizeof *out);
  done = es_grid_matrix_multiply (matrix, prolongation,
                                  (gsize) (ES_GRIDS_MOST_BETWEEN * (double) es_grid_matrix_n_nonzeros (matrix)), &half,
                                  cancellable, error);
  if (done && half.row_from != NULL)
    done = es_grid_matrix_transpose (prolongation, &restriction, cancellable, error)
           && es_grid_matrix_multiply (&restriction, &half, most, out, cancellable, error);
  es_grid_matrix_clear (&half);
  es_grid_matrix_clear (&restriction);
  return done;
}

typedef struct
{
  EsGrids      *grids;
  double        strength;
  double       *near;          /* of the last level */
  gsize         nonzeros, prolonging;    /* that there may still be */
  GCancellable *cancellable;
} Making;

static EsGridLevel *
last_level (const EsGrids *self)
{
  return &g_array_index (self->levels, EsGridLevel, self->levels->len - 1);
}

/* The last level's prolongation and *coarse, or nothing where they are too dense. FALSE: cancelled. */
static gboolean
make_coarse (Making *making, const EsGridMatrix *symmetric, double omega, const gint32 *aggregate, gsize n_aggregates,
             double *lengths, EsGridMatrix *coarse, GError **error)
{
  EsGridLevel *level = last_level (making->grids);

  if (!es_grid_prolong (symmetric, making->near, making->strength, omega, aggregate, n_aggregates, making->prolonging,
                        lengths, &level->prolongation, making->cancellable, error))
    return FALSE;
  if (level->prolongation.row_from == NULL)
    return TRUE;
  if (!multiply_galerkin (&level->matrix, &level->prolongation, making->nonzeros, coarse, making->cancellable, error))
    return FALSE;
  if (coarse->row_from == NULL)
    es_grid_matrix_clear (&level->prolongation);
  return TRUE;
}

static gboolean
refuse_indefinite (GError **error)
{
  g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                       _("Multigrid needs a positive definite matrix, and this one has a vector p for which p·Ap is "
                         "negative: take ILU(0) with GMRES."));
  return FALSE;
}

/* Whether what is not symmetric of a matrix weighs enough against what is, without the diagonal, that a prolongation
 * which the latter alone has smoothed makes coarser matrices unstable. As it is, it leaves an M-matrix one. */
static gboolean
is_skew (const EsGridMatrix *matrix, const EsGridMatrix *symmetric)
{
  double all = 0, even = 0;

  for (gint32 k = 0; k < matrix->row_from[matrix->rows]; k++)
    all += matrix->value[k] * matrix->value[k];
  for (gint32 k = 0; k < symmetric->row_from[symmetric->rows]; k++)
    even += symmetric->value[k] * symmetric->value[k];
  return all - even > MOST_SKEW * MOST_SKEW * (even - (double) matrix->rows);
}

/* A further level, or grids->end is told by TRUE with *ended. */
static gboolean
coarsen (Making *making, const EsGridMatrix *symmetric, double largest, gboolean *ended, GError **error)
{
  EsGrids *self = making->grids;
  EsGridLevel *level = last_level (self), next = { 0 };
  const gsize n = level->matrix.rows;
  g_autofree gint32 *aggregate = g_new (gint32, n + 1);
  g_autofree double *lengths = NULL;
  double omega;
  const gssize n_aggregates = es_grid_aggregate (symmetric, making->near, making->strength, aggregate,
                                                 making->cancellable, error);

  if (n_aggregates < 0)
    return FALSE;
  *ended = TRUE;
  self->end = n_aggregates == 0 ? ES_GRIDS_DIAGONAL : ES_GRIDS_STUCK;
  if (n_aggregates == 0 || (double) n_aggregates > LEAST_SHRINKING * (double) n)
    return TRUE;
  lengths = g_new (double, n_aggregates + 1);
  omega = is_skew (&level->matrix, symmetric) ? 0 : OMEGA / largest;
  if (!make_coarse (making, symmetric, omega, aggregate, (gsize) n_aggregates, lengths, &next.matrix, error))
    return FALSE;
  /* As it is, a prolongation makes no matrix denser. */
  if (next.matrix.row_from == NULL
      && !make_coarse (making, symmetric, 0, aggregate, (gsize) n_aggregates, lengths, &next.matrix, error))
    return FALSE;
  self->end = ES_GRIDS_DENSE;
  if (next.matrix.row_from == NULL)
    return TRUE;
  if (!scale_coarse (&next.matrix, &level->prolongation, lengths))
    {
      es_grid_matrix_clear (&next.matrix);
      es_grid_matrix_clear (&level->prolongation);
      /* Without symmetry that proves nothing. */
      return self->symmetric ? refuse_indefinite (error) : TRUE;
    }
  if (next.matrix.rows == 0)
    {
      es_grid_matrix_clear (&next.matrix);
      es_grid_matrix_clear (&level->prolongation);
      self->end = ES_GRIDS_DIAGONAL;
      return TRUE;
    }
  making->nonzeros -= es_grid_matrix_n_nonzeros (&next.matrix);
  making->prolonging -= es_grid_matrix_n_nonzeros (&level->prolongation);
  g_free (making->near);
  making->near = g_steal_pointer (&lengths);
  g_array_append_val (self->levels, next);
  *ended = FALSE;
  return TRUE;
}

/* What bounds the eigenvalues of the last level, and then the next one. */
static gboolean
add_level (Making *making, gboolean *ended, GError **error)
{
  EsGrids *self = making->grids;
  EsGridLevel *level = last_level (self);
  EsGridMatrix half = { 0 };
  const EsGridMatrix *symmetric = &level->matrix;
  const double bound = bound_of (symmetric, making->near);
  gssize row, column;
  double largest;
  gboolean done;

  if (!self->symmetric)
    {
      if (!es_grid_matrix_symmetric_part (symmetric, &half, &row, &column, making->cancellable, error))
        return FALSE;
      symmetric = half.row_from != NULL ? &half : symmetric;
    }
  if (!find_largest (symmetric, &largest, making->cancellable, error))
    {
      es_grid_matrix_clear (&half);
      return FALSE;
    }
  largest = MAX (MIN (MARGIN * largest, bound), NOTHING);
  level->largest = self->symmetric ? largest : bound;
  self->end = ES_GRIDS_SMALL;
  *ended = level->matrix.rows <= FEW_ROWS || !isfinite (bound);
  done = *ended || coarsen (making, symmetric, largest, ended, error);
  es_grid_matrix_clear (&half);
  return done;
}

/* ---- the coarsest level ---- */

/* A^-1 by Cholesky's factor, by columns. Where a pivot is 0, which is so of a singular matrix, that unknown is 0.
 * FALSE: a pivot is negative. */
static gboolean
invert_definite (gsize n, double *a, double *inverse)
{
  for (gsize j = 0; j < n; j++)
    {
      double pivot = a[j * n + j];

      for (gsize k = 0; k < j; k++)
        pivot -= a[j * n + k] * a[j * n + k];
      if (!(pivot >= BELOW_NOTHING))
        return FALSE;
      a[j * n + j] = pivot > NOTHING ? sqrt (pivot) : 0;
      for (gsize i = j + 1; i < n; i++)
        {
          double sum = a[i * n + j];

          for (gsize k = 0; k < j; k++)
            sum -= a[i * n + k] * a[j * n + k];
          a[i * n + j] = a[j * n + j] > 0 ? sum / a[j * n + j] : 0;
        }
    }
  for (gsize c = 0; c < n; c++)
    {
      double *x = inverse + c * n;

      for (gsize i = 0; i < n; i++)
        {
          double sum = i == c;

          for (gsize k = c; k < i; k++)
            sum -= a[i * n + k] * x[k];
          x[i] = i >= c && a[i * n + i] > 0 ? sum / a[i * n + i] : 0;
        }
      for (gsize i = n; i-- > 0;)
        {
          double sum = x[i];

          for (gsize k = i + 1; k < n; k++)
            sum -= a[k * n + i] * x[k];
          x[i] = a[i * n + i] > 0 ? sum / a[i * n + i] : 0;
        }
    }
  /* To the last bit: conjugate gradients want it symmetric. */
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < i; j++)
      inverse[i * n + j] = inverse[j * n + i] = (inverse[i * n + j] + inverse[j * n + i]) / 2;
  return TRUE;
}

static gboolean
solve_coarsest (EsGrids *self, GCancellable *cancellable, GError **error)
{
  const EsGridMatrix *matrix = &last_level (self)->matrix;
  const gsize n = matrix->rows;
  g_autofree double *dense = NULL, *inverse = NULL;

  if (self->end == ES_GRIDS_DIAGONAL || n > MOST_DENSE_ROWS)
    return TRUE;
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  dense = g_new0 (double, n * n + 1);
  inverse = g_new0 (double, n * n + 1);
  for (gsize i = 0; i < n; i++)
    for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
      dense[i * n + (gsize) matrix->column[k]] = matrix->value[k];
  if (self->symmetric ? invert_definite (n, dense, inverse) : es_dense_invert (n, dense, inverse))
    self->inverse = g_steal_pointer (&inverse);
  else if (self->symmetric)
    return refuse_indefinite (error);
  return TRUE;
}

/* ---- all of it ---- */

static gboolean
scale_finest (EsGrids *self, const EskCsr *matrix, double *near, GError **error)
{
  const gsize n = matrix->rows, n_nonzeros = esk_csr_n_nonzeros (matrix);
  const double *value = matrix->value;
  EsGridLevel level = { 0 };

  for (gsize i = 0; i < n; i++)
    {
      const gssize at = es_csr_find_diagonal (matrix, i);
      const double diagonal = at >= 0 ? value[at] : 0;

      if (!(diagonal > 0) || !isfinite (1 / diagonal))
        {
          g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                       _("Multigrid needs a positive diagonal, and that of row %zu is %g: take ILU(0), or "
                         "none."), i + 1, diagonal);
          return FALSE;
        }
      self->scale[i] = 1 / sqrt (diagonal);
      near[i] = sqrt (diagonal);
      self->diagonal = i == 0 || diagonal == self->diagonal ? diagonal : NAN;
    }
  level.matrix = (EsGridMatrix) { n, n, g_memdup2 (matrix->row_from, (n + 1) * sizeof (gint32)),
                                  g_memdup2 (matrix->column, n_nonzeros * sizeof (gint32)),
                                  g_new (double, n_nonzeros + 1) };
  g_array_append_val (self->levels, level);
  for (gsize i = 0; i < n; i++)
    for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
      {
        level.matrix.value[k] = (gsize) matrix->column[k] == i ? 1
                                : self->scale[i] * value[k] * self->scale[matrix->column[k]];
        if (fabs (level.matrix.value[k]) <= LARGEST_COUPLING)
          continue;
        g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                     _("Row %zu has %g in column %d, too much beside the diagonal for multigrid: take "
                       "ILU(0), or none."), i + 1, value[k], matrix->column[k] + 1);
        return FALSE;
      }
  return TRUE;
}

/* Whether it is symmetric; FALSE: it has to be, or nobody wants to know any more. */
static gboolean
find_symmetry (EsGrids *self, gboolean must_be_symmetric, GCancellable *cancellable, GError **error)
{
  EsGridMatrix half;
  gssize row, column;

  if (!es_grid_matrix_symmetric_part (&last_level (self)->matrix, &half, &row, &column, cancellable, error))
    return FALSE;
  es_grid_matrix_clear (&half);
  self->symmetric = row < 0;
  if (self->symmetric || !must_be_symmetric)
    return TRUE;
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
               _("Conjugate gradients with multigrid need a symmetric matrix, and row %zd, column %zd "
                 "is not what row %zd, column %zd is: take GMRES or BiCGStab."), row + 1,
               column + 1, column + 1, row + 1);
  return FALSE;
}

EsGrids *
es_grids_new (const EskCsr *matrix, double strength, gboolean must_be_symmetric, GCancellable *cancellable,
              GError **error)
{
  g_autoptr (EsGrids) self = g_new0 (EsGrids, 1);
  const double n_nonzeros = (double) esk_csr_n_nonzeros (matrix);
  Making making = { .grids = self, .strength = strength, .cancellable = cancellable,
                    .nonzeros = (gsize) ((ES_GRIDS_MOST_COMPLEXITY - 1) * n_nonzeros),
                    .prolonging = (gsize) (ES_GRIDS_MOST_PROLONGATION * n_nonzeros) };
  gboolean ended = FALSE, made;

  /* A matrix and its transpose have their nonzeros counted together. */
  if (esk_csr_n_nonzeros (matrix) > G_MAXINT32 / 2)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                   _("Multigrid takes matrices of up to %d nonzeros, and this one has %zu."), G_MAXINT32 / 2,
                   esk_csr_n_nonzeros (matrix));
      return NULL;
    }
  self->levels = g_array_new (FALSE, TRUE, sizeof (EsGridLevel));
  g_array_set_clear_func (self->levels, clear_level);
  self->scale = g_new (double, matrix->rows + 1);
  making.near = g_new (double, matrix->rows + 1);
  made = scale_finest (self, matrix, making.near, error)
         && find_symmetry (self, must_be_symmetric, cancellable, error);
  while (made && !ended)
    made = add_level (&making, &ended, error);
  g_free (making.near);
  return made && solve_coarsest (self, cancellable, error) ? g_steal_pointer (&self) : NULL;
}
