/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* From a matrix to its grids: level by level, until what is left is solved. */

#include "es-grids-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-solver-private.h"

/* A level of so many rows is solved, and one that cannot be made coarser where it has no more than so many. */
#define FEW_ROWS 100
#define MOST_DENSE_ROWS 500
/* Levels of which each has at most this part of the rows before it. */
#define LEAST_SHRINKING 0.8
/* Of the step that smooths a prolongation: over the largest eigenvalue. */
#define OMEGA (4.0 / 3.0)
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
  es_grid_matrix_clear (&level->restriction);
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

/* ---- one level to the next ---- */

typedef struct
{
  EsGridMatrix *coarse, *prolongation, *restriction;
  double       *near, *scale;  /* of the coarse grid */
  gint32       *to;            /* where a column goes; -1: it is lost */
  gint          indefinite;
} Scaling;

/* Of columns of P, which are rows of its transpose. */
static void
find_scale (gpointer data, gsize p, guint lane)
{
  Scaling *self = data;
  const EsGridMatrix *coarse = self->coarse, *restriction = self->restriction;

  (void) lane;
  for (gsize j = es_grid_first (p, coarse->rows); j < es_grid_first (p + 1, coarse->rows); j++)
    {
      double diagonal = 0, square = 0;

      for (gint32 k = restriction->row_from[j]; k < restriction->row_from[j + 1]; k++)
        square += restriction->value[k] * restriction->value[k];
      for (gint32 k = coarse->row_from[j]; k < coarse->row_from[j + 1]; k++)
        if ((gsize) coarse->column[k] == j)
          diagonal = coarse->value[k];
      if (!(diagonal >= BELOW_NOTHING * square))
        g_atomic_int_set (&self->indefinite, TRUE);
      self->to[j] = diagonal > NOTHING * square ? 0 : -1;
      self->scale[j] = self->to[j] < 0 ? 0 : 1 / sqrt (diagonal);
    }
}

/* Rows and columns that stay, where they are. */
static void
scale_part (gpointer data, gsize p, guint lane)
{
  const Scaling *self = data;
  const EsGridMatrix *coarse = self->coarse, *prolongation = self->prolongation, *restriction = self->restriction;
  const double *scale = self->scale;

  (void) lane;
  for (gsize j = es_grid_first (p, coarse->rows); j < es_grid_first (p + 1, coarse->rows); j++)
    {
      for (gint32 k = coarse->row_from[j]; k < coarse->row_from[j + 1]; k++)
        coarse->value[k] = (gsize) coarse->column[k] == j ? 1
                           : coarse->value[k] * scale[j] * scale[coarse->column[k]];
      for (gint32 k = restriction->row_from[j]; k < restriction->row_from[j + 1]; k++)
        restriction->value[k] *= scale[j];
    }
  for (gsize i = es_grid_first (p, prolongation->rows); i < es_grid_first (p + 1, prolongation->rows); i++)
    for (gint32 k = prolongation->row_from[i]; k < prolongation->row_from[i + 1]; k++)
      prolongation->value[k] *= scale[prolongation->column[k]];
}

/* Only rows and columns that stay; rows, columns: those of the matrix that may be lost. */
static void
drop (EsGridMatrix *matrix, const gint32 *to, gboolean rows, gboolean columns, gsize kept)
{
  gint32 at = 0, from = 0;
  gsize i2 = 0;

  for (gsize i = 0; i < matrix->rows; i++)
    {
      const gint32 end = matrix->row_from[i + 1];

      if (!rows || to[i] >= 0)
        {
          for (gint32 k = from; k < end; k++)
            if (!columns || to[matrix->column[k]] >= 0)
              {
                matrix->value[at] = matrix->value[k];
                matrix->column[at++] = columns ? to[matrix->column[k]] : matrix->column[k];
              }
          matrix->row_from[++i2] = at;
        }
      from = end;
    }
  matrix->rows = i2;
  matrix->columns = columns ? kept : matrix->columns;
}

/* C, P and its transpose lose the columns that A makes nothing of, which only a singular matrix has, and C gets a
 * diagonal of 1. *definite FALSE: a column says that A is not positive definite. */
static gboolean
scale_coarse (EsGridMatrix *coarse, EsGridMatrix *prolongation, EsGridMatrix *restriction, double *near,
              gboolean *definite, EsGridTeam *team, GError **error)
{
  const gsize n = coarse->rows, n_parts = es_grid_parts (n);
  g_autofree double *scale = es_grid_allocate (team, n, sizeof (double));
  g_autofree gint32 *to = es_grid_allocate (team, n, sizeof (gint32));
  Scaling self = { coarse, prolongation, restriction, near, scale, to, FALSE };
  gint32 kept = 0;

  if (!es_grid_team_run (team, n_parts, find_scale, &self, error))
    return FALSE;
  *definite = !self.indefinite;
  if (!*definite)
    return TRUE;
  if (!es_grid_team_run (team, es_grid_parts (prolongation->rows), scale_part, &self, error))
    return FALSE;
  for (gsize j = 0; j < n; j++)
    if (to[j] >= 0)
      {
        near[kept] = near[j] / scale[j];
        to[j] = kept++;
      }
  if ((gsize) kept == n)
    return TRUE;
  drop (coarse, to, TRUE, TRUE, (gsize) kept);
  drop (prolongation, to, FALSE, TRUE, (gsize) kept);
  drop (restriction, to, TRUE, FALSE, (gsize) kept);
  return es_grid_team_check (team, error);
}

typedef struct
{
  EsGrids      *grids;
  double        strength;
  double       *near;          /* of the last level */
  gsize         nonzeros, prolonging;    /* that there may still be */
  EsGridTeam   *team;
} Making;

static EsGridLevel *
last_level (const EsGrids *self)
{
  return &g_array_index (self->levels, EsGridLevel, self->levels->len - 1);
}

static void
forget_coarse (EsGridLevel *level)
{
  es_grid_matrix_clear (&level->prolongation);
  es_grid_matrix_clear (&level->restriction);
}

/* The last level's prolongation and *coarse, or nothing where they are too dense. FALSE: cancelled. */
static gboolean
make_coarse (Making *making, const EsGridMatrix *symmetric, double omega, const gint32 *aggregate, gsize n_aggregates,
             double *lengths, EsGridMatrix *coarse, GError **error)
{
  EsGridLevel *level = last_level (making->grids);

  if (!es_grid_prolong (symmetric, making->near, making->strength, omega, aggregate, n_aggregates, making->prolonging,
                        lengths, &level->prolongation, making->team, error))
    return FALSE;
  if (level->prolongation.row_from == NULL)
    return TRUE;
  if (!es_grid_matrix_transpose (&level->prolongation, &level->restriction, making->team, error)
      || !es_grid_matrix_multiply_three (&level->restriction, &level->matrix, &level->prolongation,
                                         (gsize) (ES_GRIDS_MOST_BETWEEN
                                                  * (double) es_grid_matrix_n_nonzeros (&level->matrix)),
                                         making->nonzeros, coarse, making->team, error))
    return FALSE;
  if (coarse->row_from == NULL)
    forget_coarse (level);
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
  g_autofree gint32 *aggregate = es_grid_allocate (making->team, n, sizeof (gint32));
  g_autofree double *lengths = NULL;
  gboolean definite;
  double omega;
  const gssize n_aggregates = es_grid_aggregate (symmetric, making->near, making->strength, aggregate,
                                                 making->team, error);

  if (n_aggregates < 0)
    return FALSE;
  *ended = TRUE;
  self->end = n_aggregates == 0 ? ES_GRIDS_DIAGONAL : ES_GRIDS_STUCK;
  if (n_aggregates == 0 || (double) n_aggregates > LEAST_SHRINKING * (double) n)
    return TRUE;
  lengths = es_grid_allocate (making->team, (gsize) n_aggregates, sizeof (double));
  if (lengths == NULL)
    return es_grid_team_check (making->team, error);
  omega = symmetric != &level->matrix && is_skew (&level->matrix, symmetric) ? 0 : OMEGA / largest;
  if (!make_coarse (making, symmetric, omega, aggregate, (gsize) n_aggregates, lengths, &next.matrix, error))
    return FALSE;
  /* As it is, a prolongation makes no matrix denser. */
  if (next.matrix.row_from == NULL
      && !make_coarse (making, symmetric, 0, aggregate, (gsize) n_aggregates, lengths, &next.matrix, error))
    return FALSE;
  self->end = ES_GRIDS_DENSE;
  if (next.matrix.row_from == NULL)
    return TRUE;
  if (!scale_coarse (&next.matrix, &level->prolongation, &level->restriction, lengths, &definite, making->team, error))
    {
      es_grid_matrix_clear (&next.matrix);
      return FALSE;
    }
  if (!definite)
    {
      es_grid_matrix_clear (&next.matrix);
      forget_coarse (level);
      /* Without symmetry that proves nothing. */
      return self->symmetric ? refuse_indefinite (error) : TRUE;
    }
  if (next.matrix.rows == 0)
    {
      es_grid_matrix_clear (&next.matrix);
      forget_coarse (level);
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
  double bound, largest;
  gboolean done;

  if (!es_grid_bound (symmetric, making->near, &bound, making->team, error)
      || (!self->symmetric && !es_grid_matrix_symmetric_part (symmetric, &half, making->team, error)))
    return FALSE;
  symmetric = self->symmetric ? symmetric : &half;
  done = es_grid_largest (symmetric, bound, &largest, making->team, error);
  if (done)
    {
      level->largest = self->symmetric ? largest : bound;
      self->end = ES_GRIDS_SMALL;
      *ended = level->matrix.rows <= FEW_ROWS || !isfinite (bound);
      done = *ended || coarsen (making, symmetric, largest, ended, error);
    }
  es_grid_matrix_clear (&half);
  return done;
}

/* ---- the coarsest level ---- */

/* L in the place of a, a = L L^T, and its transpose above the diagonal. Where a pivot is 0, which is so of a singular
 * matrix, so is the column. FALSE: a pivot is negative. */
static gboolean
factorise (gsize n, double *a)
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
  for (gsize i = 0; i < n; i++)
    for (gsize j = i + 1; j < n; j++)
      a[i * n + j] = a[j * n + i];
  return TRUE;
}

typedef struct
{
  gsize         n;
  const double *factor;
  double       *inverse;
} Inverting;

/* A column of the inverse; where a pivot is 0, that unknown is 0. */
static void
invert_column (gpointer data, gsize c, guint lane)
{
  const Inverting *self = data;
  const gsize n = self->n;
  const double *a = self->factor;
  double *x = self->inverse + c * n;

  (void) lane;
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
        sum -= a[i * n + k] * x[k];
      x[i] = a[i * n + i] > 0 ? sum / a[i * n + i] : 0;
    }
}

static gboolean
invert_definite (gsize n, double *a, double *inverse, EsGridTeam *team, GError **error)
{
  Inverting inverting = { n, a, inverse };

  if (!factorise (n, a))
    return refuse_indefinite (error);
  if (!es_grid_team_run (team, n, invert_column, &inverting, error))
    return FALSE;
  /* To the last bit: conjugate gradients want it symmetric. */
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < i; j++)
      inverse[i * n + j] = inverse[j * n + i] = (inverse[i * n + j] + inverse[j * n + i]) / 2;
  return TRUE;
}

static gboolean
solve_coarsest (EsGrids *self, EsGridTeam *team, GError **error)
{
  const EsGridMatrix *matrix = &last_level (self)->matrix;
  const gsize n = matrix->rows;
  g_autofree double *dense = NULL, *inverse = NULL;

  if (self->end == ES_GRIDS_DIAGONAL || n > MOST_DENSE_ROWS)
    return TRUE;
  if (!es_grid_team_check (team, error))
    return FALSE;
  dense = g_new0 (double, n * n + 1);
  inverse = g_new0 (double, n * n + 1);
  for (gsize i = 0; i < n; i++)
    for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
      dense[i * n + (gsize) matrix->column[k]] = matrix->value[k];
  if (self->symmetric && !invert_definite (n, dense, inverse, team, error))
    return FALSE;
  if (self->symmetric || es_dense_invert (n, dense, inverse))
    self->inverse = g_steal_pointer (&inverse);
  return TRUE;
}

/* ---- all of it ---- */

typedef struct
{
  const EskCsr *matrix;
  double       *scale, *near, *value;
  gssize       *refused;       /* of each part: a row or nonzero that cannot be, -1: none */
  gint          uneven;        /* diagonals are not all the same */
} Finest;

static double
diagonal_of (const EskCsr *matrix, gsize i)
{
  const gssize at = es_csr_find_diagonal (matrix, i);

  return at >= 0 ? ((const double *) matrix->value)[at] : 0;
}

static void
take_diagonal (gpointer data, gsize p, guint lane)
{
  Finest *self = data;
  const double first = diagonal_of (self->matrix, 0);
  gboolean even = TRUE;

  (void) lane;
  self->refused[p] = -1;
  for (gsize i = es_grid_first (p, self->matrix->rows); i < es_grid_first (p + 1, self->matrix->rows); i++)
    {
      const double diagonal = diagonal_of (self->matrix, i);

      if ((!(diagonal > 0) || !isfinite (1 / diagonal)) && self->refused[p] < 0)
        self->refused[p] = (gssize) i;
      even = even && diagonal == first;
      self->near[i] = sqrt (diagonal);
      self->scale[i] = 1 / self->near[i];
    }
  if (!even)
    g_atomic_int_set (&self->uneven, TRUE);
}

static void
scale_finest_part (gpointer data, gsize p, guint lane)
{
  const Finest *self = data;
  const EskCsr *matrix = self->matrix;
  const double *value = matrix->value;

  (void) lane;
  for (gsize i = es_grid_first (p, matrix->rows); i < es_grid_first (p + 1, matrix->rows); i++)
    for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
      {
        self->value[k] = (gsize) matrix->column[k] == i ? 1
                         : self->scale[i] * value[k] * self->scale[matrix->column[k]];
        if (!(fabs (self->value[k]) <= LARGEST_COUPLING) && self->refused[p] < 0)
          self->refused[p] = k;
      }
}

static gboolean
scale_finest (EsGrids *self, const EskCsr *matrix, double *near, EsGridTeam *team, GError **error)
{
  const gsize n = matrix->rows, n_parts = es_grid_parts (n);
  g_autofree gssize *refused = g_new (gssize, n_parts + 1);
  /* Its places are the matrix's own, which outlives the grids. */
  const EsGridLevel level = { { n, n, (gint32 *) matrix->row_from, (gint32 *) matrix->column,
                                es_grid_allocate (team, esk_csr_n_nonzeros (matrix), sizeof (double)), TRUE } };
  Finest finest = { matrix, self->scale, near, level.matrix.value, refused, FALSE };

  g_array_append_val (self->levels, level);
  if (!es_grid_team_run (team, n_parts, take_diagonal, &finest, error))
    return FALSE;
  for (gsize p = 0; p < n_parts; p++)
    if (refused[p] >= 0)
      {
        const double value = diagonal_of (matrix, (gsize) refused[p]);

        /* ILU(0) divides by it, too. */
        if (value == 0)
          g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                       _("Multigrid needs a positive diagonal, and that of row %zu is 0: take no preconditioner."),
                       (gsize) refused[p] + 1);
        else
          g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                       _("Multigrid needs a positive diagonal, and that of row %zu is %g: take ILU(0), or none."),
                       (gsize) refused[p] + 1, value);
        return FALSE;
      }
  self->diagonal = finest.uneven ? NAN : diagonal_of (matrix, 0);
  if (!es_grid_team_run (team, n_parts, scale_finest_part, &finest, error))
    return FALSE;
  for (gsize p = 0; p < n_parts; p++)
    if (refused[p] >= 0)
      {
        gsize row = es_grid_first (p, n);

        while (matrix->row_from[row + 1] <= refused[p])
          row++;
        g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                     _("Row %zu has %g in column %d, too much beside the diagonal for multigrid: take "
                       "ILU(0), or none."), row + 1, ((const double *) matrix->value)[refused[p]],
                     matrix->column[refused[p]] + 1);
        return FALSE;
      }
  return TRUE;
}

/* Whether it is symmetric; FALSE: it has to be, or nobody wants to know any more. */
static gboolean
find_symmetry (EsGrids *self, gboolean must_be_symmetric, EsGridTeam *team, GError **error)
{
  gssize row, column;

  if (!es_grid_matrix_find_skew (&last_level (self)->matrix, &row, &column, team, error))
    return FALSE;
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
es_grids_new (const EskCsr *matrix, double strength, gboolean must_be_symmetric, EsGridTeam *team, GError **error)
{
  g_autoptr (EsGrids) self = g_new0 (EsGrids, 1);
  const double n_nonzeros = (double) esk_csr_n_nonzeros (matrix);
  Making making = { .grids = self, .strength = strength, .team = team,
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
  self->scale = es_grid_allocate (team, matrix->rows, sizeof (double));
  making.near = es_grid_allocate (team, matrix->rows, sizeof (double));
  made = es_grid_team_check (team, error) && scale_finest (self, matrix, making.near, team, error)
         && find_symmetry (self, must_be_symmetric, team, error);
  while (made && !ended)
    made = add_level (&making, &ended, error);
  g_free (making.near);
  made = made && solve_coarsest (self, team, error);
  es_grid_team_trim (team);
  return made ? g_steal_pointer (&self) : NULL;
}
