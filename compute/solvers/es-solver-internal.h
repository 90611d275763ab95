/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "device/es-device-internal.h"
#include "es-sparse.h"

G_BEGIN_DECLS

/*
 * A x = b with a sparse square matrix, on any device: sparse.md 1.4 and 1.5 (Jacobi, restarted GMRES), conjugate
 * gradients (Hestenes and Stiefel 1952), BiCGStab (van der Vorst 1992). x begins at 0. One rule stops all of them:
 * |b - A x| / |b| <= tolerance, which holds in the end for the residual computed anew in float64, or is not claimed.
 */
typedef enum { ES_SOLVER_CG, ES_SOLVER_BICGSTAB, ES_SOLVER_GMRES, ES_SOLVER_JACOBI, ES_N_SOLVERS } EsSolverMethod;

typedef enum
{
  ES_PRECONDITIONER_NONE,
  ES_PRECONDITIONER_DIAGONAL,
  ES_PRECONDITIONER_BLOCKS,    /* inverses of blocks along the diagonal */
  ES_PRECONDITIONER_ILU,       /* L and U with the places of A's nonzeros: ILU (0) */
  ES_PRECONDITIONER_MULTIGRID, /* one V-cycle over grids that are made of the matrix: es-multigrid.c */
  ES_N_PRECONDITIONERS
} EsPreconditionerKind;

/* How GMRES makes its basis orthogonal. */
typedef enum
{
  ES_ORTHOGONAL_MODIFIED,      /* modified Gram-Schmidt, as published */
  ES_ORTHOGONAL_CLASSICAL,     /* classical, twice: fewer bytes and launches */
  ES_ORTHOGONAL_PUBLISHED,     /* modified, with the published inner product; float32 */
} EsOrthogonal;

/* Rows of GMRES's basis that there may be. */
#define ES_SOLVER_MOST_RESTART 500
#define ES_SOLVER_RESTART 30
#define ES_SOLVER_BLOCK 8
/* Multigrid: steps that smooth before and after a coarser grid; and how much of a row's largest coupling is strong. */
#define ES_SOLVER_SMOOTHING 2
#define ES_SOLVER_MOST_SMOOTHING 8
#define ES_SOLVER_STRENGTH 0.25

typedef struct
{
  EsSolverMethod       method;
  EsPreconditionerKind preconditioner;   /* Jacobi has none: it is its own */
  EsOrthogonal         orthogonal;
  double               tolerance;
  guint                iterations;       /* at most: products with A (BiCGStab: pairs of them) */
  guint                restart;          /* 0: ES_SOLVER_RESTART */
  guint                block;            /* of ES_PRECONDITIONER_BLOCKS; 0: ES_SOLVER_BLOCK */
  guint                smoothing;        /* of ES_PRECONDITIONER_MULTIGRID; 0: ES_SOLVER_SMOOTHING */
  double               strength;         /* of it, 0 ... 1 */
  EskType              type;             /* what vectors and matrix are on the device */
  EskSparseFormat      format;
  EskSparseOptions     options;
  guint                threads;          /* of a processor; 0: the device's */
} EsSolverSettings;

/* The residual by the iteration's own recurrence, relative to |b|. Jacobi's: from the update. */
typedef struct
{
  guint  iteration;
  double residual, seconds;
} EsSolverPoint;

/* A grid of multigrid, the finest first. */
typedef struct
{
  gsize rows, n_nonzeros, prolonging;    /* prolonging: nonzeros of what brings the next one here */
} EsSolverLevel;

typedef enum
{
  ES_SOLVER_CONVERGED,
  ES_SOLVER_LIMIT,             /* iterations are used up */
  ES_SOLVER_STAGNATED,         /* the residual does not fall any more */
  ES_SOLVER_DIVERGED,          /* it grows, or is no number */
  ES_SOLVER_NOT_POSITIVE,      /* conjugate gradients met a direction with p.A p <= 0 */
  ES_SOLVER_BROKE_DOWN,        /* a divisor is 0 and the residual is not */
} EsSolverEnd;

typedef struct
{
  gsize       n;
  double     *x;
  GArray     *history;         /* of EsSolverPoint; the first is iteration 0 */
  EsSolverEnd end;
  char       *verdict;         /* translated: how it ended, a sentence or two */
  GPtrArray  *notes;           /* of char *, translated: what was done otherwise than asked */
  guint       iterations, cycles;        /* cycles: GMRES's, and new beginnings of others */
  double      residual;        /* |b - A x| / |b| in float64 of the matrix given; NAN where x is no number */
  double      own_residual;    /* the same as the iteration had it */
  double      build_ms, upload_ms, precondition_ms;      /* of the matrix; of the preconditioner */
  double      seconds;         /* of the iteration alone */
  double      iteration_bytes; /* that one iteration must move, in the mean; es-hotspots-vectors.h */
  double      flops;           /* of all of it; GMRES: table 3.1 */
  double      estimated_restart;         /* GMRES: m as the published formula has it; NAN: it has none above 0 */
  double      radius;          /* Jacobi: what the last iterations multiplied the update by; NAN: not known */
  GArray     *levels;          /* of EsSolverLevel; NULL: no multigrid */
  double      complexity;      /* nonzeros of all its levels a nonzero of the matrix; NAN: none */
  guint       ilu_sweeps;      /* how often a triangle is swept instead of being solved; 0: it is solved */
} EsSolution;

void es_solution_free (EsSolution *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsSolution, es_solution_free)

/* Who asks for it. All nullable; on the thread that solves. */
typedef struct
{
  GCancellable *cancellable;
  gpointer      data;
  /* The history so far, after every batch of iterations. */
  void        (*tell)  (const GArray *history, gpointer data);
  /* The stream that all is done on, before it is used. */
  void        (*watch) (const EskHotspots *hotspots, EskStream *stream, gpointer data);
} EsSolverCalls;

/* Whether that device has what solvers need. */
gboolean    es_solver_suits  (EsDevice *device);
/* "cg", "bicgstab", "gmres", "jacobi"; translated, for people. */
const char *es_solver_method_name  (EsSolverMethod method);
const char *es_solver_method_title (EsSolverMethod method);

/*
 * matrix: float64, square, in host memory; b: n float64. NULL with an error where nothing can be begun (not square: the
 * sizes, ES_DATA_ERROR_UNSUPPORTED; a zero diagonal, an empty row, a number that is not finite, or is not so in float32
 * where that is the type, or 0 on the diagonal then: the row, ES_COMPUTE_ERROR_NUMERIC; memory; the device) or with
 * G_IO_ERROR_CANCELLED. A solver that does not converge is no error: EsSolution.end and ->verdict say it.
 */
EsSolution *es_solve (EsDevice *device, const EskCsr *matrix, const double *b, const EsSolverSettings *settings,
                      const EsSolverCalls *calls, GError **error);

/* |b - A x| / |b| in float64; |b| = 0: |A x|. */
double      es_solver_true_residual (const EskCsr *matrix, const double *b, const double *x);
/* y = A x in float64, one row after the other. */
void        es_solver_multiply      (const EskCsr *matrix, const double *x, double *y);
/* Bytes of device memory that it would take, without padding of the format. */
guint64     es_solver_memory        (gsize n, gsize n_nonzeros, const EsSolverSettings *settings);
/* Bytes of host memory that making the preconditioner takes at the most, which are free again before the first
 * iteration. */
guint64     es_solver_setup_memory  (gsize n, gsize n_nonzeros, const EsSolverSettings *settings);
/*
 * Iterations that it is expected to take, at most settings->iterations, by what some rows tell: pure, in microseconds.
 * matrix: float64. Of a symmetric stencil on a grid it is an estimate (within a factor of 3 of what Poisson's equation
 * takes), and that of more than settings->iterations no promise; of all others nobody knows, and it is a usual number:
 * *is_known FALSE of both.
 */
guint       es_solver_forecast  (const EskCsr *matrix, const EsSolverSettings *settings, gboolean *is_known);
/* Whether conjugate gradients suit the matrix, as far as some rows tell: they are symmetric, and their diagonal is
 * positive. */
gboolean    es_solver_looks_definite (const EskCsr *matrix);
/* Flops of one cycle of GMRES (m): table 3.1, of n rows with k nonzeros each. */
double      es_solver_gmres_flops   (double n, double k, double m);

G_END_DECLS
