/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Conjugate gradients (Hestenes and Stiefel 1952; preconditioned: Saad, Iterative Methods, algorithm 9.1). What an
 * iteration divides by stays on the device; the host looks at a batch of iterations together.
 */

#include "es-solver-private.h"

#include <glib/gi18n-lib.h>

/* What an iteration leaves: r.r and r.z before it, p.A p in it. */
enum { RR, RZ, PQ, SLOTS };

typedef struct
{
  void       *r, *p, *q, *z;
  const void *diagonal;
  guint       records;         /* slots of so many iterations, in turn */
  gboolean    apart;           /* z is a vector of its own */
} Gradients;

static double *
slot_of (EsSolverRun *run, const Gradients *self, guint iteration, guint which)
{
  return run->slots + (iteration % self->records) * SLOTS + which;
}

/* r.z is r.r where there is no preconditioner. */
static double *
rz_of (EsSolverRun *run, const Gradients *self, guint iteration)
{
  return slot_of (run, self, iteration, run->precondition != NULL ? RZ : RR);
}

/* z = M r, p = z; r.r has been computed. */
static gboolean
begin (EsSolverRun *run, Gradients *self, GError **error)
{
  const EskTerm copy = es_term (1, self->apart ? self->z : self->r);

  if (run->precondition == NULL)
    return es_solver_combine (run, 1, &copy, self->p, 0, NULL, NULL, error);
  if (!self->apart)
    return es_precondition_apply (run, self->r, self->p, slot_of (run, self, run->iteration, RZ), error);
  return es_precondition_apply (run, self->r, self->z, slot_of (run, self, run->iteration, RZ), error)
         && es_solver_combine (run, 1, &copy, self->p, 0, NULL, NULL, error);
}

static gboolean
iterate (EsSolverRun *run, Gradients *self, guint iteration, GError **error)
{
  const void *with[1] = { self->p };
  double *pq = slot_of (run, self, iteration, PQ), *rz = rz_of (run, self, iteration),
         *next = rz_of (run, self, iteration + 1), *squares = slot_of (run, self, iteration + 1, RR);
  const EskScalar down = { -1, { rz, NULL }, { pq, NULL }, FALSE }, step = { 1, { rz, NULL }, { pq, NULL }, FALSE },
                  turn = { 1, { next, NULL }, { rz, NULL }, FALSE };

  if (!es_solver_multiply_dots (run, self->p, self->q, 1, with, pq, error)
      || !es_solver_check_code (run, run->vectors->descend (run->stream, run->type, run->n, &down, self->q, self->r,
                                                            self->diagonal, squares), error))
    return FALSE;
  if (self->apart && !es_precondition_apply (run, self->r, self->z, next, error))
    return FALSE;
  return es_solver_check_code (run, run->vectors->direct (run->stream, run->type, run->n, &step, &turn,
                                                          self->apart ? self->z : self->r, self->diagonal, self->p,
                                                          run->x), error);
}

/* FALSE: nothing more is to be expected of this iteration. */
static gboolean
look_at (EsSolverRun *run, const Gradients *self, guint iteration)
{
  const double *now = run->here + (iteration % self->records) * SLOTS,
               *next = run->here + ((iteration + 1) % self->records) * SLOTS;
  const double rz = run->precondition != NULL ? now[RZ] : now[RR];

  if (isfinite (now[PQ]) && now[RR] > 0 && rz <= 0)
    es_solver_end (run, ES_SOLVER_NOT_POSITIVE,
                   g_strdup_printf (_("Gave up in iteration %u: the preconditioner is not positive definite "
                                      "(r·z = %.3g); take another one, or GMRES or BiCGStab."), iteration + 1, rz));
  else if (isfinite (now[PQ]) && now[PQ] <= 0 && now[RR] > 0)
    es_solver_end (run, ES_SOLVER_NOT_POSITIVE,
                   g_strdup_printf (_("Gave up in iteration %u: the matrix is not positive definite, for a direction p "
                                      "has p·Ap = %.3g; take GMRES or BiCGStab."), iteration + 1, now[PQ]));
  /* The energy of the error falls by this much (Hestenes and Stiefel 1952, theorem 6:1), also where |r| grows. */
  if (now[PQ] > 0)
    run->gained += rz * rz / now[PQ];
  run->iteration = iteration + 1;
  return es_solver_note (run, next[RR]);
}

/* From r = b - A x on. FALSE: an error. */
static gboolean
run_from_here (EsSolverRun *run, Gradients *self, GError **error)
{
  gboolean passed = FALSE;

  if (!begin (run, self, error))
    return FALSE;
  while (!run->ended && !passed)
    {
      const guint first = run->iteration,
                  n = MIN (run->batch, run->settings->iterations - MIN (run->settings->iterations, first));

      if (es_solver_cancelled (run, error))
        return FALSE;
      for (guint k = 0; k < n; k++)
        if (!iterate (run, self, first + k, error))
          return FALSE;
      if (!es_solver_read (run, 0, run->n_slots, error))
        return FALSE;
      for (guint k = 0; k < n; k++)
        passed = look_at (run, self, first + k) || passed;
      es_solver_tell (run);
    }
  return TRUE;
}

gboolean
es_solver_gradients (EsSolverRun *run, GError **error)
{
  Gradients self = { .records = run->batch + 1 };
  const gsize e = esk_type_size (run->type);

  if (!es_solver_allocate (run, 6, self.records * SLOTS, error))
    return FALSE;
  run->x = es_solver_vector (run, 0);
  run->b = es_solver_vector (run, 1);
  self.r = es_solver_vector (run, 2);
  self.p = es_solver_vector (run, 3);
  self.q = es_solver_vector (run, 4);
  self.z = es_solver_vector (run, 5);
  self.diagonal = es_precondition_diagonal (run);
  self.apart = run->precondition != NULL && self.diagonal == NULL;
  run->solution->iteration_bytes = (double) run->cost.bytes + (double) run->cost.vector_bytes
                                   + (double) (run->n * e) * (self.diagonal != NULL ? 10 : 8)
                                   + es_precondition_bytes (run);
  run->solution->flops = 0;

  if (!es_solver_start (run, error))
    return FALSE;
  for (guint cycle = 0; !run->ended; cycle++)
    {
      if (!es_solver_residual (run, self.r, slot_of (run, &self, run->iteration, RR), error)
          || !es_solver_read (run, 0, run->n_slots, error))
        return FALSE;
      if (cycle == 0)
        es_solver_begin_history (run, *(run->here + (slot_of (run, &self, 0, RR) - run->slots)));
      else
        es_solver_verify (run, run->here[slot_of (run, &self, run->iteration, RR) - run->slots]);
      run->solution->cycles += !run->ended;
      if (!run->ended && !run_from_here (run, &self, error))
        return FALSE;
      /* What has passed by its own account is computed anew: the end is told by that. */
    }
  run->solution->flops = run->iteration * (2.0 * (double) esk_csr_n_nonzeros (run->matrix) + 10.0 * (double) run->n);
  return TRUE;
}
