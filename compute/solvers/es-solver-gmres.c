/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Restarted GMRES (Saad and Schultz 1986; sparse.md 1.5, figure 3.3), preconditioned from the right. The basis is made
 * on the device; the host turns the columns of H into a triangle by Givens rotations, which tell the residual of every
 * step, and solves it at the end of a cycle.
 */

#include "es-solver-private.h"

#include <glib/gi18n-lib.h>

/* A column's last entry below so much of the column is 0: A v lies in the basis. */
#define HAPPY 1e-14
/* Cycles that must gain something, and what: |r| at the end of them against the lowest at the end of any. */
#define CYCLES 5
#define LEAST_GAIN 0.999

typedef struct
{
  guint    m, steps;           /* of a cycle; steps taken in this one */
  gsize    column;             /* slots of a column of H: m + 1, the last used one squared; twice for a second pass */
  void    *basis, *r, *w;      /* w: M v, and M V y */
  double  *h;                  /* the triangle, by columns of m + 1 */
  double  *cosine, *sine, *g;
  gboolean happy, passed;      /* passed: below the tolerance by the cycle's own account */
  double   lowest;             /* |r|^2, computed anew */
  guint    idle;               /* cycles since then */
} Gmres;

static void *
vector_of (EsSolverRun *run, const Gmres *self, guint j)
{
  return (char *) self->basis + j * run->stride * esk_type_size (run->type);
}

static double *
slots_of (EsSolverRun *run, const Gmres *self, guint j)
{
  return run->slots + 1 + j * 2 * self->column;
}

/* w, in place of v_(j + 1), less its parts along v_0 ... v_j: h_ij, and w.w behind them. */
static gboolean
orthogonalise_modified (EsSolverRun *run, const Gmres *self, guint j, GError **error)
{
  double *h = slots_of (run, self, j);
  void *w = vector_of (run, self, j + 1);

  for (guint i = 0; i <= j; i++)
    {
      const EskTerm less[2] = { es_term (1, w), es_term_of (-1, h + i, NULL, vector_of (run, self, i)) };
      const void *with[1] = { i < j ? vector_of (run, self, i + 1) : NULL };

      if (!es_solver_combine (run, 2, less, w, 1, with, h + i + 1, error))
        return FALSE;
    }
  return TRUE;
}

/* The same by the published inner product, one after the other. */
static gboolean
orthogonalise_published (EsSolverRun *run, const Gmres *self, guint j, GError **error)
{
  double *h = slots_of (run, self, j);
  float *w = vector_of (run, self, j + 1);

  for (guint i = 0; i <= j; i++)
    {
      const float *v = vector_of (run, self, i);
      const EskTerm less[2] = { es_term (1, w), es_term_of (-1, h + i, NULL, v) };

      if (!es_solver_check_code (run, run->vectors->inner_published (run->stream, run->n, w, v, h + i), error)
          || !es_solver_combine (run, 2, less, w, 0, NULL, NULL, error))
        return FALSE;
    }
  return es_solver_check_code (run, run->vectors->inner_published (run->stream, run->n, w, w, h + j + 1), error);
}

/* Classical, twice: h and what the second pass adds to it behind the column. */
static gboolean
orthogonalise_classical (EsSolverRun *run, const Gmres *self, guint j, GError **error)
{
  const EskVectorsHotspots *vectors = run->vectors;
  double *h = slots_of (run, self, j), *more = h + self->column;
  void *w = vector_of (run, self, j + 1);
  int code;

  code = vectors->basis_dots (run->stream, run->type, run->n, j + 1, self->basis, run->stride, w, h);
  if (code == ESK_OK && vectors->basis_again != NULL)
    code = vectors->basis_again (run->stream, run->type, run->n, j + 1, self->basis, run->stride, -1, h, w, more);
  else if (code == ESK_OK)
    {
      code = vectors->basis_add (run->stream, run->type, run->n, j + 1, self->basis, run->stride, -1, h, w, NULL);
      if (code == ESK_OK)
        code = vectors->basis_dots (run->stream, run->type, run->n, j + 1, self->basis, run->stride, w, more);
    }
  if (code == ESK_OK)
    code = vectors->basis_add (run->stream, run->type, run->n, j + 1, self->basis, run->stride, -1, more, w, h + j + 1);
  return es_solver_check_code (run, code, error);
}

/* Step j of Arnoldi's process. */
static gboolean
expand (EsSolverRun *run, const Gmres *self, guint j, GError **error)
{
  void *v = vector_of (run, self, j), *w = vector_of (run, self, j + 1), *first = self->basis;
  double *h = slots_of (run, self, j);
  const void *with[1] = { first };
  const EsOrthogonal how = run->settings->orthogonal;
  /* v_(j + 1) = w / |w| */
  const EskTerm scaled = { { 1, { NULL, NULL }, { h + j + 1, NULL }, TRUE }, w };

  if (run->precondition != NULL)
    {
      if (!es_precondition_apply (run, v, self->w, NULL, error))
        return FALSE;
      v = self->w;
    }
  if (!es_solver_multiply_dots (run, v, w, how == ES_ORTHOGONAL_MODIFIED, with, h, error))
    return FALSE;
  if (!(how == ES_ORTHOGONAL_MODIFIED ? orthogonalise_modified (run, self, j, error)
        : how == ES_ORTHOGONAL_PUBLISHED ? orthogonalise_published (run, self, j, error)
        : orthogonalise_classical (run, self, j, error)))
    return FALSE;
  return es_solver_combine (run, 1, &scaled, w, 0, NULL, NULL, error);
}

/* Column j, as it was read, becomes one of the triangle; the residual of the step, squared. */
static double
rotate (EsSolverRun *run, Gmres *self, guint j)
{
  const double *from = run->here + (slots_of (run, self, j) - run->slots);
  double *h = self->h + j * (self->m + 1), below = sqrt (from[j + 1]), length = below * below, r;

  for (guint i = 0; i <= j; i++)
    {
      h[i] = from[i];
      if (run->settings->orthogonal == ES_ORTHOGONAL_CLASSICAL)
        h[i] += from[self->column + i];
      length += h[i] * h[i];
    }
  self->happy = below <= HAPPY * sqrt (length);
  if (self->happy)
    below = 0;
  for (guint i = 0; i < j; i++)
    {
      const double upper = h[i];
      h[i] = self->cosine[i] * upper + self->sine[i] * h[i + 1];
      h[i + 1] = self->cosine[i] * h[i + 1] - self->sine[i] * upper;
    }
  r = hypot (h[j], below);
  self->cosine[j] = r > 0 ? h[j] / r : 1;
  self->sine[j] = r > 0 ? below / r : 0;
  h[j] = r;
  self->g[j + 1] = -self->sine[j] * self->g[j];
  self->g[j] *= self->cosine[j];
  return self->g[j + 1] * self->g[j + 1];
}

/* x += M V y of the `steps` columns. A pivot that is 0 (a singular matrix) has a y of 0. */
static gboolean
add_solution (EsSolverRun *run, Gmres *self, GError **error)
{
  g_autofree double *y = g_new0 (double, self->steps + 1);
  const guint steps = self->steps;
  const EskTerm more[2] = { es_term (1, run->x), es_term (1, self->w) };
  double largest = 0;
  int code;

  for (guint j = 0; j < steps; j++)
    largest = MAX (largest, fabs (self->h[j * (self->m + 1) + j]));
  for (guint i = steps; i-- > 0;)
    {
      double sum = self->g[i];

      for (guint j = i + 1; j < steps; j++)
        sum -= self->h[j * (self->m + 1) + i] * y[j];
      y[i] = fabs (self->h[i * (self->m + 1) + i]) > HAPPY * largest ? sum / self->h[i * (self->m + 1) + i] : 0;
    }
  if (steps == 0)
    return TRUE;
  if (!es_solver_upload (run, run->slots + 1, y, steps * sizeof (double), error))
    return FALSE;
  if (run->precondition == NULL)
    return es_solver_check_code (run, run->vectors->basis_add (run->stream, run->type, run->n, steps, self->basis,
                                                               run->stride, 1, run->slots + 1, run->x, NULL), error);
  /* Behind the basis nothing is needed any more but r. */
  code = run->vectors->fill (run->stream, run->type, run->n, 0, self->r);
  if (code == ESK_OK)
    code = run->vectors->basis_add (run->stream, run->type, run->n, steps, self->basis, run->stride, 1, run->slots + 1,
                                    self->r, NULL);
  return es_solver_check_code (run, code, error) && es_precondition_apply (run, self->r, self->w, NULL, error)
         && es_solver_combine (run, 2, more, run->x, 0, NULL, NULL, error);
}

/* One cycle from r and |r|^2 = square on. FALSE: an error. */
static gboolean
run_cycle (EsSolverRun *run, Gmres *self, double square, GError **error)
{
  const EskTerm first = { { 1, { NULL, NULL }, { run->slots, NULL }, TRUE }, self->r };

  self->steps = 0;
  self->happy = self->passed = FALSE;
  self->g[0] = sqrt (square);
  if (!es_solver_combine (run, 1, &first, self->basis, 0, NULL, NULL, error))
    return FALSE;
  while (self->steps < self->m && !self->passed && !run->ended && !self->happy)
    {
      const guint from = self->steps, most = run->settings->iterations, left = most - MIN (most, run->iteration),
                  n = MIN (MIN (run->batch, self->m - from), left);
      const gsize at = (gsize) (slots_of (run, self, from) - run->slots);

      if (es_solver_cancelled (run, error))
        return FALSE;
      for (guint j = from; j < from + n; j++)
        if (!expand (run, self, j, error))
          return FALSE;
      if (!es_solver_read (run, at, n * 2 * self->column, error))
        return FALSE;
      for (guint j = from; j < from + n && !self->passed && !self->happy; j++)
        {
          const double residual = rotate (run, self, j);

          self->steps = j + 1;
          run->iteration++;
          self->passed = es_solver_note (run, residual);
        }
      es_solver_tell (run);
    }
  return add_solution (run, self, error);
}

/* sparse.md 1.5, as printed: m = (1 + delta) (log eps / log tau - 1) - 3 - delta, from what the first cycle gained. NAN
 * where that is no length of a cycle: after a first one that gained much. */
static double
estimate_restart (EsSolverRun *run, double gained)
{
  const double delta = (double) esk_csr_n_nonzeros (run->matrix) / (double) run->n;
  double restart;

  if (!(gained > 0) || gained >= 1 || run->settings->tolerance >= gained)
    return NAN;
  restart = (1 + delta) * (log (run->settings->tolerance) / log (gained) - 1) - 3 - delta;
  return restart >= 1 ? restart : NAN;
}

double
es_solver_gmres_flops (double n, double k, double m)
{
  return 2 * k * n * (m + 1) + 2 * n * (m * (m + 3) / 2 + 1) + 2 * m * n + 6 * n + 4 * m * m;
}

/* After a cycle that brought |r|^2 from `before` to `square`. */
static void
judge_cycle (EsSolverRun *run, Gmres *self, guint cycle, double before, double square)
{
  if (cycle == 1)
    run->solution->estimated_restart = estimate_restart (run, sqrt (square / before));
  run->solution->own_residual = sqrt (square) / (run->b_norm > 0 ? run->b_norm : 1);
  /* Not against the beginning of the cycle: where rounding alone is left the residual goes up and down. */
  self->idle = square > LEAST_GAIN * LEAST_GAIN * self->lowest ? self->idle + 1 : 0;
  self->lowest = MIN (self->lowest, square);
  if (square <= run->target)
    es_solver_end (run, ES_SOLVER_CONVERGED, NULL);
  else if (run->ended)
    return;
  else if (self->happy && self->idle > 0)
    es_solver_end (run, ES_SOLVER_BROKE_DOWN,
                   g_strdup_printf (_("Broke down in iteration %u: the Krylov space is exhausted and the residual is "
                                      "not below the tolerance; the matrix is singular, or nearly so."),
                                    run->iteration));
  else if (self->idle >= CYCLES && self->passed)
    es_solver_end (run, ES_SOLVER_STAGNATED, NULL);
  else if (self->idle >= CYCLES)
    es_solver_end (run, ES_SOLVER_STAGNATED,
                   g_strdup_printf (_("Stagnated: the last %u cycles of %u steps have not lowered the residual; a "
                                      "larger restart or another preconditioner may."), self->idle, self->m));
  /* The last step that is allowed may pass by its own account alone: no cycle begins without steps. */
  else if (run->iteration >= run->settings->iterations)
    es_solver_end (run, ES_SOLVER_LIMIT, NULL);
}

gboolean
es_solver_gmres (EsSolverRun *run, GError **error)
{
  const gsize e = esk_type_size (run->type);
  g_autofree double *h = NULL, *cosine = NULL, *sine = NULL, *g = NULL;
  Gmres self = { .m = run->settings->restart > 0 ? run->settings->restart : ES_SOLVER_RESTART };
  double before = 0, vectors = 0;

  self.m = (guint) MAX (MIN (MIN (self.m, ES_SOLVER_MOST_RESTART), run->n), 1);
  self.column = self.m + 2;
  self.h = h = g_new0 (double, self.m * (self.m + 1));
  self.cosine = cosine = g_new0 (double, self.m + 1);
  self.sine = sine = g_new0 (double, self.m + 1);
  self.g = g = g_new0 (double, self.m + 2);
  if (!es_solver_allocate (run, 4 + self.m + 1, 1 + self.m * 2 * self.column, error))
    return FALSE;
  run->x = es_solver_vector (run, 0);
  run->b = es_solver_vector (run, 1);
  self.r = es_solver_vector (run, 2);
  self.w = es_solver_vector (run, 3);
  self.basis = es_solver_vector (run, 4);
  /* es-hotspots-vectors.h, of the mean step, and scaling it. */
  vectors = (double) (self.m + 1) / 2;
  vectors = run->settings->orthogonal == ES_ORTHOGONAL_CLASSICAL ? 3 * vectors + 5 : 4 * vectors;
  run->solution->iteration_bytes = (double) run->cost.bytes + (double) run->cost.vector_bytes
                                   + (double) (run->n * e) * (vectors + 2) + es_precondition_bytes (run);

  if (!es_solver_start (run, error))
    return FALSE;
  for (guint cycle = 0; ; cycle++)
    {
      if (!es_solver_residual (run, self.r, run->slots, error) || !es_solver_read (run, 0, 1, error))
        return FALSE;
      if (cycle == 0)
        {
          self.lowest = run->here[0];
          es_solver_begin_history (run, run->here[0]);
        }
      else
        judge_cycle (run, &self, cycle, before, run->here[0]);
      if (run->ended)
        break;
      before = run->here[0];
      if (!run_cycle (run, &self, before, error))
        return FALSE;
      run->solution->cycles = cycle + 1;
      run->solution->flops += es_solver_gmres_flops ((double) run->n,
                                                     (double) esk_csr_n_nonzeros (run->matrix) / (double) run->n,
                                                     self.steps);
    }
  return TRUE;
}
