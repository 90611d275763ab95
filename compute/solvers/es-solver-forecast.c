/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * How many iterations a solver will take, for a plan: what some rows tell, in microseconds. Where they have the same
 * numbers on the same few diagonals they are a stencil on a grid, whose extreme eigenvalues are known: of a stencil of
 * neighbours a_k with a zero boundary, sum a_k cos (k_1 pi/(N_1 + 1)) cos (k_2 pi/(N_2 + 1)) ... and the same with some
 * angles from the other end (LeVeque, Finite Difference Methods, 2007, 3.4). What follows from their ratio is measured:
 * of Poisson's equation in two and three dimensions.
 */

#include "es-solver-private.h"

/* Rows that are looked at, and diagonals of a stencil at most: neighbours of a cube. */
#define ROWS 200u
#define MOST_DIAGONALS 27
#define DIMENSIONS 3
/* How far a diagonal may be from being as full as one of a grid is, for a sample is none of all. */
#define FULL 0.2
/* Of any other matrix; of the same with multigrid. */
#define USUAL_ITERATIONS 300
#define USUAL_CYCLES 15
/* Conjugate gradients, for each square root of the condition: at least, and for each e-fold of the residual. Where the
 * smoothest waves are far from each other it is less than the bound of theory (ln 2 / 2 and 1/2), for they are dealt
 * with one by one; on grids much longer than wide they are too many. */
#define GRADIENTS 1.2
#define GRADIENTS_EFOLD 0.12
/* What BiCGStab takes of that, of two products each. */
#define BICGSTAB 0.7
/* What ILU (0) leaves of the condition's root; eigenvalues that gather serve GMRES more. */
#define ILU 0.42
#define ILU_GMRES 0.3
/* Cycles of multigrid for each e-fold. */
#define CYCLES_EFOLD 0.52

typedef struct
{
  gint64 at;                   /* column - row */
  double value;
  guint  n;                    /* rows that have it */
} Diagonal;

typedef struct
{
  Diagonal diagonals[MOST_DIAGONALS];
  guint    n_diagonals, n_rows;          /* rows: that were looked at */
  gsize    n;
  gint64   stride[DIMENSIONS];           /* between neighbours; 0: there is no such dimension */
  double   points[DIMENSIONS];
  double   condition, radius;            /* radius: of Jacobi's iteration */
  double   apart;                        /* 0: theory's bound; 1: the smoothest waves are far from each other */
} Stencil;

/* The i-th of the rows that are looked at, spread evenly and not in step with anything. */
static gsize
row_of (gsize n, guint i)
{
  return n <= ROWS ? i : (gsize) (fmod ((i + 0.5) * 0.618033988749895, 1) * (double) n);
}

static Diagonal *
find (Stencil *self, gint64 at)
{
  for (guint d = 0; d < self->n_diagonals; d++)
    if (self->diagonals[d].at == at)
      return &self->diagonals[d];
  return NULL;
}

static gboolean
take_row (Stencil *self, const EskCsr *matrix, gsize row)
{
  const double *value = matrix->value;
  gboolean has_diagonal = FALSE;

  for (gint32 k = matrix->row_from[row]; k < matrix->row_from[row + 1]; k++)
    {
      const gint64 at = (gint64) matrix->column[k] - (gint64) row;
      Diagonal *diagonal = find (self, at);

      if (value[k] == 0)
        continue;
      if (diagonal == NULL && self->n_diagonals == MOST_DIAGONALS)
        return FALSE;
      if (diagonal == NULL)
        {
          diagonal = &self->diagonals[self->n_diagonals++];
          *diagonal = (Diagonal) { at, value[k], 0 };
        }
      if (!(fabs (value[k] - diagonal->value) <= 1e-9 * fabs (diagonal->value)))
        return FALSE;
      diagonal->n++;
      has_diagonal = has_diagonal || at == 0;
    }
  /* Neighbours may be missing at the border, the point itself nowhere: without it the matrix is indefinite. */
  return has_diagonal;
}

static int
compare_diagonals (gconstpointer a, gconstpointer b)
{
  const gint64 x = ((const Diagonal *) a)->at, y = ((const Diagonal *) b)->at;

  return x < y ? -1 : x > y;
}

static gboolean
is_symmetric (Stencil *self)
{
  for (guint d = 0; d < self->n_diagonals; d++)
    {
      const Diagonal *other = find (self, -self->diagonals[d].at);

      if (other == NULL || other->value != self->diagonals[d].value)
        return FALSE;
    }
  return find (self, 0) != NULL;
}

/* A row's own neighbours are 1 away and the next ones; those of the next row about its length; those of the next plane
 * about its size. */
static gboolean
find_strides (Stencil *self)
{
  const gint64 n = (gint64) self->n;
  const Diagonal *end = self->diagonals + self->n_diagonals, *from = find (self, 0) + 1, *rows, *planes;
  gint64 reach = 0;

  for (; from < end && from->at == reach + 1; from++)
    reach++;
  if (reach == 0)
    return self->n_diagonals == 1;
  self->stride[0] = 1;
  for (rows = planes = from; planes < end && planes->at <= rows->at + 2 * reach; planes++)
    ;
  if (planes > rows)
    self->stride[1] = (rows->at + planes[-1].at) / 2;
  if (planes < end)
    self->stride[2] = (planes->at + end[-1].at) / 2;
  self->points[0] = (double) (self->stride[1] > 0 ? self->stride[1] : n);
  self->points[1] = self->stride[1] > 0 ? (double) (self->stride[2] > 0 ? self->stride[2] : n) / self->points[0] : 1;
  self->points[2] = self->stride[2] > 0 ? (double) n / (double) self->stride[2] : 1;
  return (self->stride[1] == 0 || n % self->stride[1] == 0)
         && (self->stride[2] == 0 || (n % self->stride[2] == 0 && self->stride[2] % self->stride[1] == 0));
}

/* How many points further a diagonal's neighbours are. */
static void
split (const Stencil *self, gint64 at, double *steps)
{
  for (guint i = DIMENSIONS; i-- > 0;)
    {
      steps[i] = self->stride[i] > 0 ? round ((double) at / (double) self->stride[i]) : 0;
      at -= (gint64) steps[i] * self->stride[i];
    }
}

/* Whether they are as often there as points have such neighbours. */
static gboolean
is_full (const Stencil *self)
{
  for (guint d = 0; d < self->n_diagonals; d++)
    {
      double steps[DIMENSIONS], share = 1;

      split (self, self->diagonals[d].at, steps);
      for (guint i = 0; i < DIMENSIONS; i++)
        share *= self->stride[i] > 0 ? 1 - fabs (steps[i]) / self->points[i] : 1;
      if (fabs (self->diagonals[d].n - share * self->n_rows) > FULL * self->n_rows)
        return FALSE;
    }
  return TRUE;
}

/* The eigenvalue of the smoothest wave, with so many half waves along the longest dimension, but of the roughest one
 * along dimensions whose bit is set. */
static double
eigenvalue (const Stencil *self, guint rough, guint waves)
{
  double sum = 0;
  guint longest = 0;

  for (guint i = 1; i < DIMENSIONS; i++)
    if (self->stride[i] > 0 && self->points[i] > self->points[longest])
      longest = i;

  for (guint d = 0; d < self->n_diagonals; d++)
    {
      double steps[DIMENSIONS], term = self->diagonals[d].value;

      split (self, self->diagonals[d].at, steps);
      for (guint i = 0; i < DIMENSIONS; i++)
        if (self->stride[i] > 0)
          {
            const double angle = (i == longest ? waves : 1) * G_PI / (self->points[i] + 1);

            term *= cos (steps[i] * ((rough >> i & 1) != 0 ? G_PI - angle : angle));
          }
      sum += term;
    }
  return sum;
}

static gboolean
read_stencil (Stencil *self, const EskCsr *matrix)
{
  double least = INFINITY, most = -INFINITY, diagonal;

  *self = (Stencil) { .n = matrix->rows, .n_rows = (guint) MIN (matrix->rows, ROWS) };
  if (matrix->rows != matrix->columns || matrix->type != ESK_F64)
    return FALSE;
  for (guint i = 0; i < self->n_rows; i++)
    if (!take_row (self, matrix, row_of (matrix->rows, i)))
      return FALSE;
  qsort (self->diagonals, self->n_diagonals, sizeof (Diagonal), compare_diagonals);
  if (!is_symmetric (self) || !find_strides (self) || !is_full (self))
    return FALSE;
  diagonal = find (self, 0)->value;
  for (guint rough = 0; rough < 1u << DIMENSIONS; rough++)
    {
      const double value = eigenvalue (self, rough, 1) / diagonal;

      least = MIN (least, value);
      most = MAX (most, value);
    }
  if (!(least > 0) || !isfinite (most / least))
    return FALSE;
  self->condition = most / least;
  self->radius = MAX (most - 1, 1 - least);
  /* The next wave that is symmetric, as most right-hand sides nearly are. */
  self->apart = CLAMP (eigenvalue (self, 0, 3) / diagonal / least - 1, 0, 1);
  return TRUE;
}

/* Iterations of conjugate gradients for so many e-folds; root: of the condition. No more than there are rows. */
static double
gradients (const Stencil *stencil, double root, double efolds)
{
  const double bound = root * (efolds + G_LN2) / 2, quick = MIN (root * (GRADIENTS + GRADIENTS_EFOLD * efolds), bound);

  return MIN (stencil->apart * quick + (1 - stencil->apart) * bound, (double) stencil->n);
}

/* GMRES begins anew after `restart`: a cycle comes as far as Chebyshev's polynomial, or as conjugate gradients do. */
static double
gmres (const Stencil *stencil, double root, double efolds, double restart)
{
  const double whole = gradients (stencil, root, efolds), chebyshev = restart * 2 / root;
  /* ln cosh, of which nothing is left by rounding where there is little of it. */
  const double fall = chebyshev < 1e-3 ? chebyshev * chebyshev / 2
                                       : chebyshev + log1p (exp (-2 * chebyshev)) - G_LN2;
  const double cycle = MAX (fall, (restart / root - GRADIENTS) / GRADIENTS_EFOLD);

  return restart >= whole ? whole : MAX (whole, restart * efolds / cycle);
}

static double
expect (const Stencil *stencil, const EsSolverSettings *settings)
{
  const double efolds = -log (settings->tolerance), root = sqrt (stencil->condition);
  const gboolean by_gmres = settings->method == ES_SOLVER_GMRES, pairs = settings->method == ES_SOLVER_BICGSTAB;
  const double left = settings->preconditioner != ES_PRECONDITIONER_ILU ? 1 : by_gmres ? ILU_GMRES : ILU;

  if (settings->method == ES_SOLVER_JACOBI)
    return stencil->radius < 1 ? efolds / -log (stencil->radius) : G_MAXUINT;
  if (settings->preconditioner == ES_PRECONDITIONER_MULTIGRID)
    return CYCLES_EFOLD * efolds * (pairs ? 0.5 : 1);
  if (by_gmres)
    return gmres (stencil, MAX (left * root, 1), efolds, settings->restart > 0 ? settings->restart : ES_SOLVER_RESTART);
  return gradients (stencil, MAX (left * root, 1), efolds) * (pairs ? BICGSTAB : 1);
}

guint
es_solver_forecast (const EskCsr *matrix, const EsSolverSettings *settings, gboolean *is_known)
{
  const gboolean cycles = settings->preconditioner == ES_PRECONDITIONER_MULTIGRID
                          && settings->method != ES_SOLVER_JACOBI;
  /* Of few rows all directions are tried soon. */
  const guint most = settings->method == ES_SOLVER_JACOBI ? G_MAXUINT : (guint) MIN (matrix->rows, G_MAXINT32);
  const guint usual = MIN (cycles ? USUAL_CYCLES : USUAL_ITERATIONS, most);
  Stencil stencil;
  double expected;

  if (!read_stencil (&stencil, matrix))
    {
      /* It cannot be more than the limit. */
      *is_known = settings->iterations <= usual;
      return MIN (settings->iterations, usual);
    }
  expected = ceil (expect (&stencil, settings));
  /* Where it takes more than it may, it may as well be given up before. */
  *is_known = expected <= settings->iterations;
  return (guint) CLAMP (expected, 1, MAX (settings->iterations, 1));
}

/* Whether the number across the diagonal is the same. */
static gboolean
is_mirrored (const EskCsr *matrix, gsize row, gsize column, double number)
{
  gint32 from = matrix->row_from[column], to = matrix->row_from[column + 1];

  while (from < to)
    {
      const gint32 middle = from + (to - from) / 2;

      if ((gsize) matrix->column[middle] == row)
        return ((const double *) matrix->value)[middle] == number;
      if ((gsize) matrix->column[middle] < row)
        from = middle + 1;
      else
        to = middle;
    }
  return number == 0;
}

/* Of a row of any length so many, spread. */
#define MIRRORS 64

gboolean
es_solver_looks_definite (const EskCsr *matrix)
{
  const double *value = matrix->value;

  if (matrix->rows != matrix->columns || matrix->type != ESK_F64)
    return FALSE;
  for (guint i = 0; i < MIN (matrix->rows, ROWS); i++)
    {
      const gsize row = row_of (matrix->rows, i);
      const gint32 from = matrix->row_from[row], to = matrix->row_from[row + 1];
      gboolean positive = FALSE;

      for (gint32 k = from; k < to && !positive; k++)
        positive = (gsize) matrix->column[k] == row && value[k] > 0;
      if (!positive)
        return FALSE;
      for (gint32 k = from; k < to; k += MAX ((to - from) / MIRRORS, 1))
        if (!is_mirrored (matrix, row, (gsize) matrix->column[k], value[k]))
          return FALSE;
    }
  return TRUE;
}
