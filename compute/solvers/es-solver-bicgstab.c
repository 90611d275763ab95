/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* BiCGStab (van der Vorst 1992), preconditioned from the right: the residual is that of A x = b. */

#include "es-solver-private.h"

#include <glib/gi18n-lib.h>

/* r.r and r.r0 before an iteration; r0.v, s.s, t.s and t.t in it. */
enum { RR, RHO, RV, SS, TS, TT, SLOTS };
/* Divisors below so much of the largest that they could be are 0. */
#define LEAST_DIVISOR 1e-30

typedef struct
{
  void *r, *r0, *p, *v, *t, *p_hat, *s_hat;
  guint records;
} Stabilised;

static double *
slot_of (EsSolverRun *run, const Stabilised *self, guint iteration, guint which)
{
  return run->slots + (iteration % self->records) * SLOTS + which;
}

static gboolean
iterate (EsSolverRun *run, const Stabilised *self, guint iteration, GError **error)
{
  double *rho = slot_of (run, self, iteration, RHO), *rv = slot_of (run, self, iteration, RV),
         *ss = slot_of (run, self, iteration, SS), *ts = slot_of (run, self, iteration, TS),
         *tt = slot_of (run, self, iteration, TT), *next = slot_of (run, self, iteration + 1, RR),
         *next_rho = slot_of (run, self, iteration + 1, RHO);
  const void *with_r0[1] = { self->r0 }, *with_r[2] = { self->r, NULL }, *with_own[2] = { NULL, self->r0 };
  const EskTerm to_s[2] = { es_term (1, self->r), es_term_of (-1, rho, rv, self->v) };
  const EskTerm to_x[3] = { es_term (1, run->x), es_term_of (1, rho, rv, self->p_hat),
                            es_term_of (1, ts, tt, self->s_hat) };
  const EskTerm to_r[2] = { es_term (1, self->r), es_term_of (-1, ts, tt, self->t) };
  /* beta = (rho' / rho) (alpha / omega) with alpha = rho / rv and omega = ts / tt; beta omega = rho' / rv */
  const EskTerm to_p[3] = { es_term (1, self->r),
                            { { 1, { next_rho, tt }, { rv, ts }, FALSE }, self->p },
                            es_term_of (-1, next_rho, rv, self->v) };

  if (run->precondition != NULL && !es_precondition_apply (run, self->p, self->p_hat, NULL, error))
    return FALSE;
  if (!es_solver_multiply_dots (run, self->p_hat, self->v, 1, with_r0, rv, error)
      || !es_solver_combine (run, 2, to_s, self->r, 1, with_own, ss, error))
    return FALSE;
  if (run->precondition != NULL && !es_precondition_apply (run, self->r, self->s_hat, NULL, error))
    return FALSE;
  return es_solver_multiply_dots (run, self->s_hat, self->t, 2, with_r, ts, error)
         && es_solver_combine (run, 3, to_x, run->x, 0, NULL, NULL, error)
         && es_solver_combine (run, 2, to_r, self->r, 2, with_own, next, error)
         && es_solver_combine (run, 3, to_p, self->p, 0, NULL, NULL, error);
}

/* TRUE: a divisor is 0 while there is a residual left. */
static gboolean
broke_down (const double *now, const double *next)
{
  if (next[RR] == 0 || now[SS] == 0)
    return FALSE;
  return fabs (now[RV]) <= LEAST_DIVISOR * MAX (fabs (now[RHO]), 1e-300) || now[RHO] == 0 || now[TS] == 0
         || now[TT] == 0 || fabs (next[RHO]) <= LEAST_DIVISOR * now[RR];
}

/* From r = b - A x on. *broken: where it cannot go on, though there is a residual left. */
static gboolean
run_from_here (EsSolverRun *run, const Stabilised *self, gboolean *broken, GError **error)
{
  const EskTerm copy = es_term (1, self->r);
  const void *own[1] = { NULL };
  gboolean passed = FALSE;

  *broken = FALSE;
  /* r0 = r, whose product with it is r.r. */
  if (!es_solver_combine (run, 1, &copy, self->r0, 1, own, slot_of (run, self, run->iteration, RHO), error)
      || !es_solver_combine (run, 1, &copy, self->p, 0, NULL, NULL, error))
    return FALSE;
  while (!run->ended && !passed && !*broken)
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
        {
          const double *now = run->here + ((first + k) % self->records) * SLOTS,
                       *next = run->here + ((first + k + 1) % self->records) * SLOTS;

          run->iteration = first + k + 1;
          passed = es_solver_note (run, next[RR]) || passed;
          *broken = *broken || broke_down (now, next);
        }
      es_solver_tell (run);
    }
  return TRUE;
}

gboolean
es_solver_bicgstab (EsSolverRun *run, GError **error)
{
  Stabilised self = { .records = run->batch + 1 };
  const gsize e = esk_type_size (run->type);
  double before = INFINITY;
  gboolean broken = FALSE;

  if (!es_solver_allocate (run, run->precondition != NULL ? 9 : 7, self.records * SLOTS, error))
    return FALSE;
  run->x = es_solver_vector (run, 0);
  run->b = es_solver_vector (run, 1);
  self.r = es_solver_vector (run, 2);
  self.r0 = es_solver_vector (run, 3);
  self.p = es_solver_vector (run, 4);
  self.v = es_solver_vector (run, 5);
  self.t = es_solver_vector (run, 6);
  self.p_hat = run->precondition != NULL ? es_solver_vector (run, 7) : self.p;
  self.s_hat = run->precondition != NULL ? es_solver_vector (run, 8) : self.r;
  run->solution->iteration_bytes = 2.0 * (double) run->cost.bytes + 2.0 * (double) run->cost.vector_bytes
                                   + (double) (run->n * e) * (run->precondition != NULL ? 18 : 16)
                                   + 2 * es_precondition_bytes (run);

  if (!es_solver_start (run, error))
    return FALSE;
  for (guint cycle = 0; !run->ended; cycle++)
    {
      const gsize at = (gsize) (slot_of (run, &self, run->iteration, RR) - run->slots);
      double square;

      if (!es_solver_residual (run, self.r, run->slots + at, error) || !es_solver_read (run, at, 1, error))
        return FALSE;
      square = run->here[at];
      if (cycle == 0)
        es_solver_begin_history (run, square);
      else if (!broken)
        es_solver_verify (run, square);
      else if (square <= run->target)
        es_solver_end (run, ES_SOLVER_CONVERGED, NULL);
      else if (!isfinite (square) || square > 0.81 * before)
        /* A new beginning from the same place breaks down again. */
        es_solver_end (run, ES_SOLVER_BROKE_DOWN,
                       g_strdup_printf (_("Broke down in iteration %u: a number that the iteration divides by is 0, "
                                          "and beginning anew does not help; take GMRES."), run->iteration));
      before = square;
      run->solution->cycles += !run->ended;
      if (!run->ended && !run_from_here (run, &self, &broken, error))
        return FALSE;
    }
  run->solution->flops = run->iteration * (4.0 * (double) esk_csr_n_nonzeros (run->matrix) + 22.0 * (double) run->n);
  return TRUE;
}
