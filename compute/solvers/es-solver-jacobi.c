/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Jacobi's iteration as published (sparse.md 1.4): B = I - D^-1 A and f = D^-1 b are made once on the host, two
 * solutions take turns, and the largest change is reduced on the device. The residual is D (x' - x), so that it needs
 * no product of its own: now and then it is summed.
 */

#include "es-solver-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"

/* The residual is looked at after every iteration at first, and then after each eighth part more. */
#define LOOKS 8
/* What an iteration multiplies the update by is seen over so many looks. */
#define SEEN 4

void
es_solver_jacobi_clear (EskCsr *b)
{
  g_free ((gpointer) b->row_from);
  g_free ((gpointer) b->column);
  g_free ((gpointer) b->value);
}

gboolean
es_solver_jacobi_matrix (const EskCsr *matrix, EskCsr *b, double *diagonal, GError **error)
{
  const gsize n = matrix->rows, n_nonzeros = esk_csr_n_nonzeros (matrix);
  const double *given = matrix->value;
  gint32 *row_from, *column, at = 0;
  double *value;

  if (!es_csr_check_diagonal (matrix, error))
    return FALSE;
  row_from = g_new (gint32, n + 1);
  column = g_new (gint32, n_nonzeros + 1);
  value = g_new (double, n_nonzeros + 1);
  for (gsize i = 0; i < n; i++)
    {
      diagonal[i] = given[es_csr_find_diagonal (matrix, i)];
      row_from[i] = at;
      for (gint32 k = matrix->row_from[i]; k < matrix->row_from[i + 1]; k++)
        if ((gsize) matrix->column[k] != i)
          {
            column[at] = matrix->column[k];
            value[at++] = -given[k] / diagonal[i];
          }
    }
  row_from[n] = at;
  *b = (EskCsr) { n, n, ESK_F64, row_from, column, value };
  return TRUE;
}

/* The largest sum of magnitudes of a row of B: below 1, the iteration converges for certain. */
static double
largest_row (const EskCsr *b)
{
  double largest = 0;

  for (gsize i = 0; i < b->rows; i++)
    {
      double sum = 0;

      for (gint32 k = b->row_from[i]; k < b->row_from[i + 1]; k++)
        sum += fabs (((const double *) b->value)[k]);
      largest = MAX (largest, sum);
    }
  return largest;
}

typedef struct
{
  void  *x[2], *f, *difference, *diagonal;
  double norm;                 /* of B, by rows */
  guint  n_looks, looked_at[SEEN];       /* iteration, and the largest change then, in turn */
  double change[SEEN];
} Jacobi;

/* What an iteration multiplied the largest change by, over the last looks; NAN: too few. */
static double
rate_of (const Jacobi *self)
{
  const guint last = (self->n_looks - 1) % SEEN, first = self->n_looks % SEEN;

  if (self->n_looks < SEEN || !(self->change[first] > 0))
    return NAN;
  return pow (self->change[last] / self->change[first], 1.0 / (self->looked_at[last] - self->looked_at[first]));
}

static void
say_diverged (EsSolverRun *run)
{
  const double rate = run->solution->radius;

  if (rate > 1)
    es_solver_end (run, ES_SOLVER_DIVERGED,
                   g_strdup_printf (_("Diverged: after %u iterations each one multiplies the change by %.4g, for the "
                                      "spectral radius of D⁻¹A − I is above 1; take another solver."), run->iteration,
                                    rate));
  else
    es_solver_end (run, ES_SOLVER_DIVERGED,
                   g_strdup_printf (_("Diverged in iteration %u: the spectral radius of D⁻¹A − I is above 1; take "
                                      "another solver."), run->iteration));
}

/* From x[k % 2] to x[(k + 1) % 2]. slot: the largest change. */
static gboolean
step (EsSolverRun *run, const Jacobi *self, guint k, double *slot, GError **error)
{
  const void *from = self->x[k % 2];
  void *to = self->x[(k + 1) % 2];
  int code;

  if (run->vectors->multiply_jacobi != NULL)
    return es_solver_check_code (run, run->vectors->multiply_jacobi (run->stream, run->product, from, self->f, to,
                                                                     slot), error);
  code = run->hotspots->sparse->multiply (run->stream, run->product, 1, from, 0, to);
  if (code == ESK_OK)
    code = run->vectors->jacobi_step (run->stream, run->type, run->n, from, self->f, to, slot);
  return es_solver_check_code (run, code, error);
}

/* |D (x' - x)|^2: the residual of the solution before the last iteration. */
static gboolean
residual_of_step (EsSolverRun *run, const Jacobi *self, double *slot, GError **error)
{
  const EskTerm difference[2] = { es_term (1, self->x[run->iteration % 2]),
                                  es_term (-1, self->x[(run->iteration + 1) % 2]) };
  const void *with[1] = { self->difference };

  /* In place: an element of a product by a diagonal needs no other one. */
  return es_solver_combine (run, 2, difference, self->difference, 0, NULL, NULL, error)
         && es_solver_check_code (run, run->vectors->scale (run->stream, run->type, run->n, self->diagonal,
                                                            self->difference, self->difference, NULL), error)
         && es_solver_check_code (run, run->vectors->dots (run->stream, run->type, run->n, 1, with, with, slot), error);
}

static gboolean
iterate (EsSolverRun *run, Jacobi *self, GError **error)
{
  while (!run->ended)
    {
      const guint left = run->settings->iterations - run->iteration,
                  n = MIN (MAX (run->iteration / LOOKS, 1), MAX (left, 1));
      gboolean passed;

      for (guint k = 0; k < n; k++)
        {
          if (k % run->batch == 0 && es_solver_cancelled (run, error))
            return FALSE;
          if (!step (run, self, run->iteration++, run->slots, error))
            return FALSE;
          /* A card is not asked for more than is to be waited for. */
          if (k % run->batch == run->batch - 1 && !es_solver_check_code (run, esk_hotspots_wait (run->hotspots,
                                                                                                run->stream), error))
            return FALSE;
        }
      if (!residual_of_step (run, self, run->slots + 1, error) || !es_solver_read (run, 0, 2, error))
        return FALSE;
      self->looked_at[self->n_looks % SEEN] = run->iteration;
      self->change[self->n_looks++ % SEEN] = run->here[0];
      run->solution->radius = rate_of (self);
      passed = es_solver_note (run, run->here[1]);
      if (run->ended && run->solution->end == ES_SOLVER_DIVERGED)
        say_diverged (run);
      es_solver_tell (run);
      /* The residual is that of the solution before. */
      run->x = self->x[(run->iteration + (passed ? 1 : 0)) % 2];
      if (passed)
        es_solver_verify (run, run->here[1]);
    }
  return TRUE;
}

static gboolean
fill (EsSolverRun *run, const double *diagonal, const Jacobi *self, GError **error)
{
  g_autofree double *f = g_new (double, run->n + 1);

  for (gsize i = 0; i < run->n; i++)
    f[i] = run->given_b[i] / diagonal[i];
  return es_solver_put (run, self->f, f, error) && es_solver_put (run, self->diagonal, diagonal, error)
         && es_solver_check_code (run, run->vectors->fill (run->stream, run->type, run->n, 0, self->x[0]), error);
}

gboolean
es_solver_jacobi (EsSolverRun *run, GError **error)
{
  g_autofree double *diagonal = g_new (double, run->n + 1);
  const gsize e = esk_type_size (run->type);
  Jacobi self = { .n_looks = 0 };
  EskCsr b;
  gboolean prepared;

  if (!es_solver_jacobi_matrix (run->matrix, &b, diagonal, error))
    return FALSE;
  self.norm = largest_row (&b);
  prepared = es_solver_prepare (run, &b, &run->product, &run->cost, error);
  es_solver_jacobi_clear (&b);
  if (!prepared || !es_solver_allocate (run, 5, 2, error))
    return FALSE;
  self.x[0] = es_solver_vector (run, 0);
  self.x[1] = es_solver_vector (run, 1);
  self.f = es_solver_vector (run, 2);
  self.difference = es_solver_vector (run, 3);
  self.diagonal = es_solver_vector (run, 4);
  run->x = self.x[0];
  run->solution->iteration_bytes = (double) run->cost.bytes + (double) run->cost.vector_bytes + (double) (run->n * e);
  if (self.norm < 1)
    g_ptr_array_add (run->solution->notes,
                     g_strdup_printf (_("Every row of D⁻¹A − I sums up to at most %.4g: Jacobi’s iteration converges."),
                                      self.norm));
  else if (self.norm <= 1 + 1e-12)
    g_ptr_array_add (run->solution->notes,
                     g_strdup (_("No row of D⁻¹A − I sums up to more than 1: Jacobi’s iteration converges, slowly, "
                                 "where the matrix is in one piece and a row of it sums up to less.")));
  else
    g_ptr_array_add (run->solution->notes,
                     g_strdup_printf (_("A row of D⁻¹A − I sums up to %.4g, which promises nothing: Jacobi’s iteration "
                                        "may diverge."), self.norm));

  run->started = g_get_monotonic_time ();
  if (!fill (run, diagonal, &self, error))
    return FALSE;
  es_solver_begin_history (run, run->b_norm * run->b_norm);
  run->solution->cycles = 1;
  if (!run->ended && !iterate (run, &self, error))
    return FALSE;
  run->solution->flops = run->iteration * (2.0 * (double) esk_csr_n_nonzeros (run->matrix) + 3.0 * (double) run->n);
  return TRUE;
}
