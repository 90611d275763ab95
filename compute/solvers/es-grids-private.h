/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Grids of an algebraic multigrid by smoothed aggregation (Vanek, Mandel and Brezina, Algebraic multigrid by smoothed
 * aggregation for second and fourth order elliptic problems, 1996), made on the host in float64.
 *
 * All of it is of the matrix scaled to a diagonal of 1, D^-1/2 A D^-1/2, and every coarser matrix is scaled so as well:
 * numbers of any size are the same to it, and Jacobi's step needs no diagonal.
 *
 * Threads share the rows. What they are cut into depends on the matrix alone, and so does the order of every sum: the
 * same bytes for any number of threads.
 */

#include <gio/gio.h>

#include "es-sparse.h"
#include "es-team.h"

G_BEGIN_DECLS

/* ---- es-grid-team.c: who makes grids, and of what memory ---- */

typedef struct
{
  EskStream    *stream;        /* a processor's, whose threads take part; NULL: the caller alone */
  GCancellable *cancellable;   /* nullable */
  gint          short_of;      /* atomically: there was no memory for something */
  gint          lock;          /* of idle */
  GArray       *idle;          /* memory that was given back, for the next who needs some; NULL: none */
} EsGridTeam;

/* Rows of a part. */
#define ES_GRID_PART 2048
/* Threads that take part at the most: each has rows of its own in memory. */
#define ES_GRID_MOST_LANES 8

/* Bytes of what is borrowed, so that it is good for the next one: only what is written counts. */
#define ES_GRID_PIECE ((gsize) 16 << 20)

/* Does one part, of a few milliseconds; lane: below es_grid_team_lanes (), not the same one for two at a time. */
typedef void (*EsGridWork) (gpointer data, gsize part, guint lane);

guint    es_grid_team_lanes (const EsGridTeam *self);
/* Parts 0 ... n - 1 in any order. FALSE with G_IO_ERROR_CANCELLED, or as es_grid_team_check (). */
gboolean es_grid_team_run   (EsGridTeam *self, gsize n_parts, EsGridWork work, gpointer data, GError **error);
/* Whether nobody wants it any more, or there was no memory. */
gboolean es_grid_team_stops (EsGridTeam *self);
/* FALSE with ES_COMPUTE_ERROR_MEMORY where something was refused, or with G_IO_ERROR_CANCELLED. */
gboolean es_grid_team_check (EsGridTeam *self, GError **error);
/* count elements of `size` bytes that are not written yet; NULL: no memory, which the team then knows. g_free (). Any
 * thread. */
gpointer es_grid_allocate   (EsGridTeam *self, gsize count, gsize size);
/* The same for a short while: es_grid_give_back () with the same `bytes`. Memory is had from the system once and goes
 * from one user to the next, for to get it costs as much as to fill it. */
gpointer es_grid_borrow     (EsGridTeam *self, gsize bytes);
void     es_grid_give_back  (EsGridTeam *self, gpointer data, gsize bytes);
/* What nobody has goes back to the system. */
void     es_grid_team_trim  (EsGridTeam *self);

/* Parts of n rows, and the first row of each, n behind the last. */
static inline gsize
es_grid_parts (gsize n)
{
  return (n + ES_GRID_PART - 1) / ES_GRID_PART;
}

static inline gsize
es_grid_first (gsize part, gsize n)
{
  return MIN (part * ES_GRID_PART, n);
}

/* ---- es-grid-matrix.c; FALSE: cancelled or no memory, with that error ---- */

/* A sparse matrix of the host's own, as EskCsr is given: columns of a row ascend. All NULL: none. */
typedef struct
{
  gsize    rows, columns;
  gint32  *row_from, *column;
  double  *value;
  gboolean borrowed;           /* row_from and column are somebody else's, and not written */
} EsGridMatrix;

static inline gsize
es_grid_matrix_n_nonzeros (const EsGridMatrix *self)
{
  return self->row_from != NULL ? (gsize) self->row_from[self->rows] : 0;
}

void     es_grid_matrix_clear     (EsGridMatrix *self);
gboolean es_grid_matrix_transpose (const EsGridMatrix *self, EsGridMatrix *out, EsGridTeam *team, GError **error);
/* out = a b, nothing where it would have more than `most` nonzeros. */
gboolean es_grid_matrix_multiply  (const EsGridMatrix *a, const EsGridMatrix *b, gsize most, EsGridMatrix *out,
                                   EsGridTeam *team, GError **error);
/* out = a b c, nothing where b c would have more than `most_between` nonzeros or it more than `most`. */
gboolean es_grid_matrix_multiply_three (const EsGridMatrix *a, const EsGridMatrix *b, const EsGridMatrix *c,
                                   gsize most_between, gsize most, EsGridMatrix *out, EsGridTeam *team, GError **error);
/* The first entry by rows that is not what its like across the diagonal is, but for rounding; *row -1: none, the square
 * matrix is symmetric. */
gboolean es_grid_matrix_find_skew (const EsGridMatrix *self, gssize *row, gssize *column, EsGridTeam *team,
                                   GError **error);
/* (A + A^T) / 2 */
gboolean es_grid_matrix_symmetric_part (const EsGridMatrix *self, EsGridMatrix *out, EsGridTeam *team, GError **error);

/* ---- es-grid-rows.c: matrices whose rows are computed in parts ---- */

/* A row that is added up, and those of its part that are done. */
typedef struct
{
  EsGridTeam *team;
  double     *sum;             /* by columns, 0 but for this row */
  guint64    *seen, *words;    /* a bit a column that was added to, and one for each number of these that is not 0 */
  gsize       low, high;       /* columns that the row may have */
  gint32     *column;          /* of the part */
  double     *value;
  gsize       n, room, work;
  char       *memory;          /* where parts are kept, and what is left there */
  gsize       left;
} EsGridLane;

/* Adds factor times a row of n numbers, columns ascending, to the lane's row. */
static inline void
es_grid_lane_add (EsGridLane *lane, double factor, const gint32 *column, const double *value, gsize n)
{
  double *sum = lane->sum;
  guint64 *seen = lane->seen, *words = lane->words;

  if (n == 0)
    return;
  lane->low = MIN (lane->low, (gsize) column[0]);
  lane->high = MAX (lane->high, (gsize) column[n - 1]);
  lane->work += n;
  for (gsize j = 0; j < n; j++)
    {
      const guint32 c = (guint32) column[j];

      const guint64 before = seen[c >> 6];

      sum[c] += factor * value[j];
      seen[c >> 6] = before | G_GUINT64_CONSTANT (1) << (c & 63);
      if (before == 0)
        words[c >> 12] |= G_GUINT64_CONSTANT (1) << (c >> 6 & 63);
    }
}

/* So many numbers as the lane's row, columns ascending, instead of adding to it. FALSE: no memory. */
gboolean es_grid_lane_put (EsGridLane *lane, const gint32 *column, const double *value, gsize n);

/* Row i by es_grid_lane_add () or es_grid_lane_put (). FALSE: there is to be no such matrix. */
typedef gboolean (*EsGridMakeRow) (gconstpointer data, gsize i, EsGridLane *lane);

typedef struct
{
  gint32 *column;
  double *value;
  gsize   n;
} EsGridPart;

typedef struct
{
  gsize       rows, columns, n;          /* n: nonzeros */
  gint32     *end;             /* of each row, in its part */
  EsGridPart *parts;
  GArray     *memory;          /* what they lie in */
  EsGridTeam *team;            /* whose that is */
} EsGridRows;

/* parts is NULL where it would have more than `most` nonzeros or a row is not to be. FALSE: cancelled or no memory. */
gboolean es_grid_rows_make   (gsize rows, gsize columns, gsize most, EsGridMakeRow make, gconstpointer data,
                              EsGridRows *out, EsGridTeam *team, GError **error);
/* All of it in one piece; of no parts no matrix. *self is cleared. */
gboolean es_grid_rows_gather (EsGridRows *self, EsGridMatrix *out, EsGridTeam *team, GError **error);
void     es_grid_rows_clear  (EsGridRows *self);

/* Before row i is wanted. */
static inline void
es_grid_rows_fetch (const EsGridRows *self, gsize i)
{
  const EsGridPart *part = &self->parts[i / ES_GRID_PART];
  const gint32 from = i % ES_GRID_PART == 0 ? 0 : self->end[i - 1];

  __builtin_prefetch (part->column + from);
  __builtin_prefetch (part->value + from);
}

static inline gsize
es_grid_rows_get (const EsGridRows *self, gsize i, const gint32 **column, const double **value)
{
  const EsGridPart *part = &self->parts[i / ES_GRID_PART];
  const gint32 from = i % ES_GRID_PART == 0 ? 0 : self->end[i - 1];

  *column = part->column + from;
  *value = part->value + from;
  return (gsize) (self->end[i] - from);
}

/* ---- es-grid-aggregates.c ---- */

/* What of a row is no row of a coarser grid: its diagonal is all that matters. */
#define ES_GRID_LEFT (-2)

/*
 * aggregate[i] of each row of a symmetric matrix with a diagonal of 1: 0 ... the number returned less 1, or
 * ES_GRID_LEFT. near: what the matrix makes next to nothing of (a vector of positive numbers); strength: of a row's
 * largest coupling, that one has to be to count. -1: cancelled or no memory.
 */
gssize   es_grid_aggregate  (const EsGridMatrix *matrix, const double *near, double strength, gint32 *aggregate,
                             EsGridTeam *team, GError **error);
/*
 * P, of which each column is `near` on an aggregate, of length 1, smoothed by one step of Jacobi's with the factor
 * `omega` (0: as it is); weak couplings are added to the diagonal. lengths: of `near` on each aggregate. Nothing where
 * it would have more than `most` nonzeros.
 */
gboolean es_grid_prolong    (const EsGridMatrix *matrix, const double *near, double strength, double omega,
                             const gint32 *aggregate, gsize n_aggregates, gsize most, double *lengths,
                             EsGridMatrix *out, EsGridTeam *team, GError **error);

/* ---- es-grid-eigenvalues.c ---- */

/* Gershgorin's bound of a matrix scaled by `near`, which is that of D^-1 A where near is D^1/2. */
gboolean es_grid_bound      (const EsGridMatrix *matrix, const double *near, double *bound, EsGridTeam *team,
                             GError **error);
/* What the largest eigenvalue of a symmetric matrix with a diagonal of 1 is below, but for bad luck: Lanczos' process
 * and a margin, or `bound` where that is no better. */
gboolean es_grid_largest    (const EsGridMatrix *matrix, double bound, double *largest, EsGridTeam *team,
                             GError **error);

/* ---- es-grids.c ---- */

typedef struct
{
  EsGridMatrix matrix;         /* diagonal 1 */
  EsGridMatrix prolongation;   /* from the next coarser level; of the coarsest none */
  EsGridMatrix restriction;    /* its transpose */
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
 * matrix: float64, square, finite; it outlives the grids. strength: 0 ... 1. must_be_symmetric: for conjugate
 * gradients. NULL with ES_COMPUTE_ERROR_NUMERIC, where a row's diagonal is not positive, where it must be symmetric and
 * is not, or is and turns out not to be positive definite; with ES_COMPUTE_ERROR_MEMORY; or with G_IO_ERROR_CANCELLED.
 */
EsGrids *es_grids_new  (const EskCsr *matrix, double strength, gboolean must_be_symmetric, EsGridTeam *team,
                        GError **error);
void     es_grids_free (EsGrids *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsGrids, es_grids_free)

G_END_DECLS
