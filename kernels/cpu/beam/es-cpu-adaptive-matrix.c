/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The matrix of one bin, its factor, its eigenvectors. */

#include "es-cpu-adaptive-problem-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MOST_SWEEPS 60

/* Which elements are heard in the bin. */
void
esk_adaptive_find_living (EskAdaptiveProblem *self)
{
  const EskAdaptive *adaptive = self->run->self;
  const size_t elements = adaptive->plan.elements;

  self->living = 0;
  for (size_t k = 0; k < elements; k++)
    {
      bool lives = false;

      if (adaptive->matrices != NULL)
        lives = adaptive->matrices[self->bin * adaptive->matrix_size + esk_adaptive_at (k, k)] != 0.0;
      else
        for (size_t s = 0; s < adaptive->used && !lives; s++)
          {
            const float *x = esk_adaptive_column (adaptive, self->bin, s);

            lives = x[k] != 0.0f || x[adaptive->stride + k] != 0.0f;
          }
      if (lives)
        {
          memcpy (self->room.positions + 3 * self->living, adaptive->plan.positions + 3 * k, 3 * sizeof (double));
          self->room.living[self->living++] = (uint32_t) k;
        }
    }
}

/* Snapshots of a panel, times the roots of their weights; beyond the last: nothing. */
typedef struct
{
  const float *re[ESK_ADAPTIVE_ROWS], *im[ESK_ADAPTIVE_ROWS];
  double       root[ESK_ADAPTIVE_ROWS];
} SnapshotPanel;

static void
snapshot_panel (const EskAdaptiveProblem *self,
                size_t                    panel,
                SnapshotPanel            *snapshots)
{
  const EskAdaptive *adaptive = self->run->self;

  for (size_t row = 0; row < ESK_ADAPTIVE_ROWS; row++)
    {
      const size_t s = panel * ESK_ADAPTIVE_ROWS + row;
      const bool there = s < adaptive->used;

      snapshots->re[row] = esk_adaptive_column (adaptive, self->bin, there ? s : 0);
      snapshots->im[row] = snapshots->re[row] + adaptive->stride;
      snapshots->root[row] = there ? sqrt (self->run->column_weights[s]) : 0.0;
    }
}

/* Snapshots as rows, living elements as columns. */
static void
pack_snapshots (EskAdaptiveProblem *self)
{
  const uint32_t *living = self->room.living;
  SnapshotPanel snapshots;

  for (size_t panel = 0; panel < self->panels; panel++)
    {
      double *out = self->room.packed + panel * self->columns * ESK_ADAPTIVE_COLUMN;

      snapshot_panel (self, panel, &snapshots);
      for (size_t k = 0; k < self->columns; k++, out += ESK_ADAPTIVE_COLUMN)
        for (size_t row = 0; row < ESK_ADAPTIVE_ROWS; row++)
          {
            out[row] = snapshots.root[row] * (double) snapshots.re[row][living[k]];
            out[ESK_ADAPTIVE_ROWS + row] = snapshots.root[row] * (double) snapshots.im[row][living[k]];
          }
    }
}

/* Sums of opposite elements as columns, and after all panels of them their differences. Of one in the middle both are
 * itself: the sine of its delay is 0, and half of the products of both is what the Gram matrix needs. */
static void
pack_folded (EskAdaptiveProblem *self)
{
  const EskAdaptive *adaptive = self->run->self;
  const uint32_t *opposites = adaptive->opposites;
  const size_t n = adaptive->plan.elements;
  SnapshotPanel snapshots;

  for (size_t panel = 0; panel < self->panels; panel++)
    {
      double *sum = self->room.packed + panel * self->columns * ESK_ADAPTIVE_COLUMN;
      double *difference = sum + self->panels * self->columns * ESK_ADAPTIVE_COLUMN;

      snapshot_panel (self, panel, &snapshots);
      for (size_t k = 0; k < self->columns; k++, sum += ESK_ADAPTIVE_COLUMN, difference += ESK_ADAPTIVE_COLUMN)
        {
          const uint32_t a = opposites[k], b = opposites[n - 1 - k];
          const double both = a != b ? 1.0 : 0.0;

          for (size_t row = 0; row < ESK_ADAPTIVE_ROWS; row++)
            {
              const double root = snapshots.root[row], other = both * root;
              const double x = root * (double) snapshots.re[row][a], y = root * (double) snapshots.im[row][a];
              const double u = other * (double) snapshots.re[row][b], v = other * (double) snapshots.im[row][b];

              sum[row] = x + u;
              sum[ESK_ADAPTIVE_ROWS + row] = y + v;
              difference[row] = x - u;
              difference[ESK_ADAPTIVE_ROWS + row] = y - v;
            }
        }
    }
}

static void
form_gram (EskAdaptiveProblem *self)
{
  const size_t panel_size = self->columns * ESK_ADAPTIVE_COLUMN;

  if (self->folded)
    {
      pack_folded (self);
      esk_adaptive_multiply (self->run->loops, self->room.packed, self->order, panel_size, self->columns, 0.5,
                             self->room.lower);
      esk_adaptive_multiply (self->run->loops, self->room.packed + self->panels * panel_size, self->order, panel_size,
                             self->columns, 0.5, self->room.lower);
    }
  else
    {
      pack_snapshots (self);
      esk_adaptive_multiply (self->run->loops, self->room.packed, self->order, panel_size, self->columns, 1.0,
                             self->room.lower);
    }
}

/* Living elements as rows, n snapshots as columns. */
static void
pack_elements (EskAdaptiveProblem *self,
               size_t              first,
               size_t              n)
{
  const EskAdaptive *adaptive = self->run->self;
  const size_t panel_size = ESK_ADAPTIVE_RUN * ESK_ADAPTIVE_COLUMN, rows = self->panels * ESK_ADAPTIVE_ROWS;

  for (size_t s = 0; s < n; s++)
    {
      const float *re = esk_adaptive_column (adaptive, self->bin, first + s), *im = re + adaptive->stride;
      const double root = sqrt (self->run->column_weights[first + s]);

      for (size_t k = 0; k < rows; k++)
        {
          double *out = self->room.packed + k / ESK_ADAPTIVE_ROWS * panel_size + s * ESK_ADAPTIVE_COLUMN
                        + k % ESK_ADAPTIVE_ROWS;
          const bool there = k < self->living;

          out[0] = there ? root * (double) re[self->room.living[k]] : 0.0;
          out[ESK_ADAPTIVE_ROWS] = there ? root * (double) im[self->room.living[k]] : 0.0;
        }
    }
}

/* The sums that are kept, of the living elements alone, normalised. */
static void
copy_matrix (EskAdaptiveProblem *self)
{
  const EskAdaptive *adaptive = self->run->self;
  const double *from = adaptive->matrices + self->bin * adaptive->matrix_size;
  const double by = 1.0 / adaptive->weight;
  double *lower = self->room.lower;

  if (self->living == adaptive->plan.elements)
    {
      for (size_t k = 0; k < adaptive->matrix_size; k++)
        lower[k] = by * from[k];
      return;
    }
  memset (lower, 0, esk_adaptive_panel_at (self->panels) * sizeof (double));
  for (size_t row = 0; row < self->living; row++)
    for (size_t column = 0; column <= row; column++)
      {
        const size_t at = esk_adaptive_at (self->room.living[row], self->room.living[column]);
        const size_t to = esk_adaptive_at (row, column);

        lower[to] = by * from[at];
        lower[to + ESK_ADAPTIVE_ROWS] = by * from[at + ESK_ADAPTIVE_ROWS];
      }
}

void
esk_adaptive_form_matrix (EskAdaptiveProblem *self)
{
  const EskAdaptive *adaptive = self->run->self;
  const size_t used = adaptive->used;

  if (adaptive->matrices != NULL)
    copy_matrix (self);
  else
    {
      memset (self->room.lower, 0, esk_adaptive_panel_at (self->panels) * sizeof (double));
      if (self->run->gram)
        form_gram (self);
      else
        for (size_t s = 0; s < used; s += ESK_ADAPTIVE_RUN)
          {
            const size_t n = used - s < ESK_ADAPTIVE_RUN ? used - s : ESK_ADAPTIVE_RUN;

            pack_elements (self, s, n);
            esk_adaptive_multiply (self->run->loops, self->room.packed, self->order,
                                   ESK_ADAPTIVE_RUN * ESK_ADAPTIVE_COLUMN, n, 1.0, self->room.lower);
          }
    }

  self->trace = 0.0;
  for (size_t k = 0; k < self->order; k++)
    self->trace += self->room.lower[esk_adaptive_at (k, k)];
  self->delta = self->run->run->loading * self->trace / (double) self->living;
}

/* ---- its factor, its eigenvectors ---- */

/* What rounding leaves of a pivot or an eigenvalue that is none. */
static double
rounding (size_t order)
{
  return (double) (order < 16 ? 16 : order) * DBL_EPSILON;
}

int
esk_adaptive_factor_matrix (EskAdaptiveProblem *self)
{
  for (size_t k = 0; k < self->panels * ESK_ADAPTIVE_ROWS; k++)
    {
      double *pivot = self->room.lower + esk_adaptive_at (k, k);

      pivot[0] = k < self->order ? pivot[0] + self->delta : 1.0;
      self->room.least[k] = k < self->order ? rounding (self->order) * pivot[0] : 0.0;
    }

  return esk_adaptive_factor (self->run->loops, self->room.lower, self->panels, self->room.least)
         ? ESK_OK : ESK_ERROR_SINGULAR;
}

/* Row-major and full, for eigensolvers. */
static void
unpack_matrix (const EskAdaptiveProblem *self)
{
  const size_t n = self->order;
  double *matrix = self->room.matrix;

  for (size_t row = 0; row < n; row++)
    for (size_t column = 0; column <= row; column++)
      {
        const double *at = self->room.lower + esk_adaptive_at (row, column);
        const double im = row == column ? 0.0 : at[ESK_ADAPTIVE_ROWS];

        matrix[2 * (row * n + column)] = matrix[2 * (column * n + row)] = at[0];
        matrix[2 * (row * n + column) + 1] = im;
        matrix[2 * (column * n + row) + 1] = -im;
      }
}

/* The conjugates of the vectors as rows of panels, over the matrix. */
static void
pack_vectors (const EskAdaptiveProblem *self)
{
  const size_t n = self->order, panel_size = n * ESK_ADAPTIVE_COLUMN;

  memset (self->room.matrix, 0, self->panels * panel_size * sizeof (double));
  for (size_t m = 0; m < n; m++)
    {
      double *out = self->room.matrix + m / ESK_ADAPTIVE_ROWS * panel_size + m % ESK_ADAPTIVE_ROWS;
      const double *vector = self->room.vectors + 2 * m * n;

      for (size_t k = 0; k < n; k++)
        {
          out[k * ESK_ADAPTIVE_COLUMN] = vector[2 * k];
          out[k * ESK_ADAPTIVE_COLUMN + ESK_ADAPTIVE_ROWS] = -vector[2 * k + 1];
        }
    }
}

/* Eigenvalues (and vectors) of R or of G; small ones become 0. */
int
esk_adaptive_solve_eigenproblem (EskAdaptiveProblem *self,
                                 EskAdaptiveAccount *account)
{
  const EskAdaptiveEvaluation *run = self->run;
  const size_t n = self->order;
  double *values = self->room.values, off = 0.0;
  uint64_t rotations = 0;
  unsigned sweeps = 0;
  size_t rank = 0;
  int code;

  unpack_matrix (self);
  if (run->run->method == ESK_ADAPTIVE_JACOBI)
    {
      code = esk_cpu_jacobi (run->loops, run->stream, n, self->room.matrix, run->run->cancelled, values,
                             self->room.vectors, MOST_SWEEPS, &sweeps, &rotations, &off);
      account->sweeps = sweeps > account->sweeps ? sweeps : account->sweeps;
      account->rotations += rotations;
      account->off = fmax (account->off, off);
    }
  else
    code = esk_eigen_hermitian_lapack (n, self->room.matrix, values, run->vectors ? self->room.vectors : NULL);
  if (code != ESK_OK)
    return code;

  while (rank < n && values[rank] > rounding (n) * values[0])
    rank++;
  if (rank < n)
    memset (values + rank, 0, (n - rank) * sizeof (double));
  if (run->run->eigenvalues != NULL)
    for (size_t k = 0; k < run->run->n_eigenvalues && k < rank && k < self->living; k++)
      run->run->eigenvalues[self->bin * run->run->n_eigenvalues + k] = values[k];
  self->sources = run->run->sources < rank ? run->run->sources : rank;
  if (run->vectors)
    pack_vectors (self);

  return ESK_OK;
}
