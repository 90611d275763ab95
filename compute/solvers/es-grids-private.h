/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Grids of an algebraic multigrid by smoothed aggregation (Vanek, Mandel and Brezina, Algebraic multigrid by smoothed
 * aggregation for second and fourth order elliptic problems, 1996), made on the host in float64.
 *
 * All of it is of the matrix scaled to a diagonal of 1, D^-1/2 A D^-1/2, and every coarser matrix is scaled so as well:
 * numbers of any size are the same to it, and Jacobi's step needs no diagonal.
 */

#include <gio/gio.h>

#include "es-sparse.h"

G_BEGIN_DECLS

/* A sparse matrix of the host's own, as EskCsr is given: columns of a row ascend. All NULL: none. */
typedef struct
{
  gsize   rows, columns;
  gint32 *row_from, *column;
  double *value;
} EsGridMatrix;

static inline gsize
es_grid_matrix_n_nonzeros (const EsGridMatrix *self)
{
  return self->row_from != NULL ? (gsize) self->row_from[self->rows] : 0;
}

/* ---- es-grid-matrix.c; FALSE: cancelled, with that error ---- */

void     es_grid_matrix_clear     (EsGridMatrix *self);
gboolean es_grid_matrix_transpose (const EsGridMatrix *self, EsGridMatrix *out, GCancellable *cancellable,
                                   GError **error);
/* out = a b, nothing where it would have more than `most` nonzeros. */
gboolean es_grid_matrix_multiply  (const EsGridMatrix *a, const EsGridMatrix *b, gsize most, EsGridMatrix *out,
                                   GCancellable *cancellable, GError **error);
/* (A + A^T) / 2; nothing, and *row is -1, where A is symmetric but for rounding; *row, *column: the first entry that
 * has no like. */
gboolean es_grid_matrix_symmetric_part (const EsGridMatrix *self, EsGridMatrix *out, gssize *row, gssize *column,
                                   GCancellable *cancellable, GError **error);

/* ---- es-grid-aggregates.c ---- */

/* What of a row is no row of a coarser grid: its diagonal is all that matters. */
#define ES_GRID_LEFT (-2)

/*
 * aggregate[i] of each row of a symmetric matrix with a diagonal of 1: 0 ... the number returned less 1, or
 * ES_GRID_LEFT. near: what the matrix makes next to nothing of (a vector of positive numbers); strength: of a row's
 * largest coupling, that one has to be to count. -1: cancelled.
 */
gssize   es_grid_aggregate  (const EsGridMatrix *matrix, const double *near, double strength, gint32 *aggregate,
                             GCancellable *cancellable, GError **error);
/*
 * P, of which each column is `near` on an aggregate, of length 1, smoothed by one step of Jacobi's with the factor
 * `omega` (0: as it is); weak couplings are added to the diagonal. lengths: of `near` on each aggregate. Nothing where
 * it would have more than `most` nonzeros.
 */
gboolean es_grid_prolong    (const EsGridMatrix *matrix, const double *near, double strength, double omega,
                             const gint32 *aggregate, gsize n_aggregates, gsize most, double *lengths,
                             EsGridMatrix *out, GCancellable *cancellable, GError **error);

/* ---- es-grids.c ---- */

typedef struct
{
  EsGridMatrix matrix;         /* diagonal 1 */
  EsGridMatrix prolongation;   /* from the next coarser level; of the coarsest none */
  double       largest;        /* no eigenvalue of a symmetric matrix is above it; else what a row of it sums up to */
} EsGridLevel;

/* Why there is no coarser level. */
typedef enum
{
  ES_GRIDS_SMALL,              /* few rows are left, and the last level is solved */
  ES_GRIDS_DIAGONAL,           /* nothing is left that smoothing does not do */
  ES_GRIDS_STUCK,              /* aggregates are nearly as many as rows */
  ES_GRIDS_DENSE,              /* coarser matrices would have too many nonzeros */
} EsGridsEnd;

typedef struct
{
  GArray    *levels;           /* of EsGridLevel */
  double    *scale;            /* D^-1/2 of the matrix given */
  double     diagonal;         /* of it, where all of it is the same; else NAN */
  gboolean   symmetric;
  double    *inverse;          /* of the coarsest level's matrix, dense and by columns; NULL: it is smoothed alone */
  EsGridsEnd end;
} EsGrids;

/* Of all levels' matrices together, and of all prolongations: nonzeros a nonzero of the matrix. */
#define ES_GRIDS_MOST_COMPLEXITY 2.0
#define ES_GRIDS_MOST_PROLONGATION 1.25
/* Of A P, a nonzero of that level's A. */
#define ES_GRIDS_MOST_BETWEEN 2.0

/*
 * matrix: float64, square, finite. strength: 0 ... 1. must_be_symmetric: for conjugate gradients. NULL with
 * ES_COMPUTE_ERROR_NUMERIC, where a row's diagonal is not positive, where it must be symmetric and is not, or is and
 * turns out not to be positive definite; or with G_IO_ERROR_CANCELLED.
 */
EsGrids *es_grids_new  (const EskCsr *matrix, double strength, gboolean must_be_symmetric, GCancellable *cancellable,
                        GError **error);
void     es_grids_free (EsGrids *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsGrids, es_grids_free)

G_END_DECLS
