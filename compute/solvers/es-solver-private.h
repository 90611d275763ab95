/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <math.h>

#include "device/es-buffer-internal.h"
#include "es-hotspots.h"
#include "es-solver-internal.h"

G_BEGIN_DECLS

/* Vectors in the device's memory, all of one length. */
typedef struct _EsPrecondition EsPrecondition;

typedef struct
{
  EsDevice                 *device;
  const EskHotspots        *hotspots;
  const EskVectorsHotspots *vectors;
  EskStream                *stream;
  const EskCsr             *matrix;      /* as given */
  const double             *given_b;     /* times 2^-exponent */
  int                       exponent;
  const EsSolverSettings   *settings;
  const EsSolverCalls      *calls;
  EsSolution               *solution;

  gsize             n, stride;           /* of vectors, in elements */
  EskType           type;
  EskSparseProduct *product;             /* of A; of Jacobi's B */
  EskSparseCost     cost;
  EsPrecondition   *precondition;        /* NULL: none */
  EsBuffer         *memory, *slot_memory;
  double           *slots, *here;        /* on the device, and what was read of them */
  gsize             n_slots;
  guint             batch;               /* iterations between two looks at the slots */

  void             *x, *b;
  double            b_norm;              /* in float64, of what was given */
  double            target;              /* tolerance times b_norm, squared */

  gint64            started;
  gboolean          ended;
  guint             iteration;
  double            best;                /* the lowest residual so far */
  double            gained;              /* conjugate gradients: what the error's energy e.A e has lost so far */
  double            gained_before;       /* ... until the iteration that was the last to come nearer the solution */
  guint             nearer_at;           /* which that was */
  guint             waited;              /* so many without coming nearer, when it was given up for that */
  guint             patience;            /* iterations without coming nearer after which it is given up; 0: not known */
  double            verified;            /* of the last one computed anew; INFINITY: none yet */
} EsSolverRun;

/* ---- es-solver-vectors.c: launchers; FALSE with an error, `what` is in it ---- */

gboolean es_solver_check_code (EsSolverRun *run, int code, GError **error);
/* n_vectors vectors and n_slots slots; vector i is es_solver_vector (run, i). */
gboolean es_solver_allocate   (EsSolverRun *run, guint n_vectors, gsize n_slots, GError **error);
void    *es_solver_vector     (EsSolverRun *run, guint i);
gboolean es_solver_upload     (EsSolverRun *run, void *to, const void *from, gsize bytes, GError **error);
gboolean es_solver_download   (EsSolverRun *run, void *to, const void *from, gsize bytes, GError **error);
/* n numbers into a vector of the run's type; and back. */
gboolean es_solver_put        (EsSolverRun *run, void *to, const double *from, GError **error);
gboolean es_solver_get        (EsSolverRun *run, double *to, const void *from, GError **error);
/* The b that was given, x = 0, and the time from which the iterations count. */
gboolean es_solver_start      (EsSolverRun *run, GError **error);
/* run->here[first ...] is what is there; waits. */
gboolean es_solver_read       (EsSolverRun *run, gsize first, gsize n, GError **error);
/* A matrix in the run's format; *cost is added up in the solution's times. */
gboolean es_solver_prepare    (EsSolverRun *run, const EskCsr *matrix, EskSparseProduct **product,
                               EskSparseCost *cost, GError **error);
/* The same in a format of its own, whose times are nobody's. */
gboolean es_solver_prepare_as (EsSolverRun *run, const EskCsr *matrix, EskSparseFormat format,
                               const EskSparseOptions *options, EskSparseProduct **product, EskSparseCost *cost,
                               GError **error);
/* y = A x, slots[d] = y . with[d]. */
gboolean es_solver_multiply_dots (EsSolverRun *run, const void *x, void *y, guint n_dots, const void * const *with,
                               double *slots, GError **error);
/* r = b - A x, *slot = r . r. */
gboolean es_solver_residual   (EsSolverRun *run, void *r, double *slot, GError **error);
gboolean es_solver_combine    (EsSolverRun *run, guint n_terms, const EskTerm *terms, void *out, guint n_dots,
                               const void * const *with, double *slots, GError **error);

/* A term whose factor the host knows. */
static inline EskTerm
es_term (double factor, const void *vector)
{
  return (EskTerm) { { factor, { NULL, NULL }, { NULL, NULL }, FALSE }, vector };
}

/* A term of which a slot, or a quotient of slots, is the factor: sign over / under. */
static inline EskTerm
es_term_of (double sign, const double *over, const double *under, const void *vector)
{
  return (EskTerm) { { sign, { over, NULL }, { under, NULL }, FALSE }, vector };
}

/* ---- es-solver-check.c: what becomes of an iteration ---- */

/* Of iteration run->iteration: r . r. Ends the run where it diverges, stagnates or has no iterations left; TRUE where
 * it says that it has converged, which has to be verified. */
gboolean es_solver_note       (EsSolverRun *run, double square);
/* The same of a residual that was computed anew at the beginning (iteration 0), and tells. */
void     es_solver_begin_history (EsSolverRun *run, double square);
void     es_solver_tell       (EsSolverRun *run);
/* Takes the verdict; NULL: es_solver_describe () finds the words. */
void     es_solver_end        (EsSolverRun *run, EsSolverEnd end, char *verdict);
/* r . r of r = b - A x, after the iteration's own residual has passed: ends the run where it is below the target, or
 * no better than the last time. */
void     es_solver_verify     (EsSolverRun *run, double square);
gboolean es_solver_cancelled  (EsSolverRun *run, GError **error);

/* ---- es-precondition*.c ---- */

gboolean es_precondition_new   (EsSolverRun *run, GError **error);
void     es_precondition_free  (EsSolverRun *run);
/* z = M r; dot (nullable): r . z. z is not r. Not of none. */
gboolean es_precondition_apply (EsSolverRun *run, const void *r, void *z, double *dot, GError **error);
/* The diagonal as a vector on the device, where that is all that there is; NULL otherwise. */
const void *es_precondition_diagonal (EsSolverRun *run);
/* Bytes that one application moves at least. */
double   es_precondition_bytes (EsSolverRun *run);
/* Place of the diagonal entry of a row; -1: it is not stored. */
gssize   es_csr_find_diagonal  (const EskCsr *matrix, gsize row);
/* FALSE with an error that names the first row without one. */
gboolean es_csr_check_diagonal (const EskCsr *matrix, GError **error);
/* L and U in the places of the matrix: values, in float64. NULL with an error that names the row, or cancelled. */
double  *es_csr_factorise      (const EskCsr *matrix, GCancellable *cancellable, GError **error);
/* The inverse by columns of a, m x m by rows, which is lost. FALSE: it is singular. */
gboolean es_dense_invert       (gsize m, double *a, double *inverse);
/* Inverses of the blocks along the diagonal, column by column, rows beyond the matrix as of the unit matrix. */
double  *es_csr_invert_blocks  (const EskCsr *matrix, gsize block, GError **error);

/* ---- es-multigrid.c ---- */

typedef struct _EsMultigrid EsMultigrid;

/* Grids of the run's matrix on its device; levels and notes are told in the solution. Errors: es_grids_new (). */
EsMultigrid *es_multigrid_new   (EsSolverRun *run, GError **error);
void         es_multigrid_free  (EsSolverRun *run, EsMultigrid *self);
/* z = M r by one V-cycle, which is symmetric where the matrix is. */
gboolean     es_multigrid_apply (EsSolverRun *run, EsMultigrid *self, const void *r, void *z, GError **error);
/* Bytes that one cycle moves at least. */
double       es_multigrid_bytes (const EsMultigrid *self);

/* ---- the methods ---- */

gboolean es_solver_gradients (EsSolverRun *run, GError **error);
gboolean es_solver_bicgstab  (EsSolverRun *run, GError **error);
gboolean es_solver_gmres     (EsSolverRun *run, GError **error);
gboolean es_solver_jacobi    (EsSolverRun *run, GError **error);
/* B = I - D^-1 A, of which only what is off the diagonal is stored; arrays of the caller's to be freed. */
gboolean es_solver_jacobi_matrix (const EskCsr *matrix, EskCsr *b, double *diagonal, GError **error);
void     es_solver_jacobi_clear  (EskCsr *b);

/* ---- es-solver-describe.c ---- */

/* What remains to be said of an end that says nothing itself; of the true residual. */
void     es_solver_describe  (EsSolverRun *run);

G_END_DECLS
