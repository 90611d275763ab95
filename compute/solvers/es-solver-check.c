/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What becomes of an iteration: it goes on, has converged, or is given up for a reason that can be said. */

#include "es-solver-private.h"

#include <float.h>
#include <glib/gi18n-lib.h>

/* So many iterations without a residual lower by a thousandth, or an error that has lost a thousandth more of its
 * energy: nothing is to be expected any more. */
#define PATIENCE 2000
#define LEAST_GAIN 0.999
/* A residual so many times the first one does not come back, and neither does one that leaves more than the tolerance
 * by rounding alone. Of badly scaled rows it first grows, while the error falls: not much less is enough of a sign. */
#define DIVERGED 1e8
/* What a residual that is computed anew has to be better by than the last one was. */
#define LEAST_VERIFIED_GAIN 0.5

gboolean
es_solver_cancelled (EsSolverRun *run, GError **error)
{
  return run->calls != NULL && g_cancellable_set_error_if_cancelled (run->calls->cancellable, error);
}

void
es_solver_tell (EsSolverRun *run)
{
  if (run->calls != NULL && run->calls->tell != NULL)
    run->calls->tell (run->solution->history, run->calls->data);
}

void
es_solver_end (EsSolverRun *run, EsSolverEnd end, char *verdict)
{
  run->ended = TRUE;
  run->solution->end = end;
  g_free (run->solution->verdict);
  run->solution->verdict = verdict;
}

static double
relative (EsSolverRun *run, double square)
{
  return sqrt (square) / (run->b_norm > 0 ? run->b_norm : 1);
}

static void
add_point (EsSolverRun *run, double residual)
{
  const EsSolverPoint point = { run->iteration, residual, (g_get_monotonic_time () - run->started) * 1e-6 };

  g_array_append_val (run->solution->history, point);
  run->solution->own_residual = residual;
}

void
es_solver_begin_history (EsSolverRun *run, double square)
{
  run->best = relative (run, square);
  run->nearer_at = run->iteration;
  add_point (run, run->best);
  /* Of b = 0 the solution is 0. */
  if (square <= run->target)
    es_solver_end (run, ES_SOLVER_CONVERGED, NULL);
  es_solver_tell (run);
}

/* In how many steps from row to row along nonzeros all rows are reached that hang together, from the first of them or
 * from the last; the largest number of all parts. */
static guint
count_layers (const EskCsr *matrix, gboolean from_last, GCancellable *cancellable)
{
  const gsize n = matrix->rows;
  g_autofree gint32 *queue = g_try_new (gint32, n);
  g_autofree gboolean *seen = g_try_new0 (gboolean, n);
  guint most = 0;

  if (queue == NULL || seen == NULL)
    return 0;
  for (gsize i = 0; i < n; i++)
    {
      const gint32 start = (gint32) (from_last ? n - 1 - i : i);
      gsize head = 0, tail = 0;
      guint layers = 0;

      if (seen[start])
        continue;
      seen[start] = TRUE;
      queue[tail++] = start;
      while (head < tail && !g_cancellable_is_cancelled (cancellable))
        {
          const gsize end = tail;

          for (; head < end; head++)
            for (gint32 j = matrix->row_from[queue[head]]; j < matrix->row_from[queue[head] + 1]; j++)
              if (!seen[matrix->column[j]])
                {
                  seen[matrix->column[j]] = TRUE;
                  queue[tail++] = matrix->column[j];
                }
          layers++;
        }
      most = MAX (most, layers);
    }
  return most;
}

/* How many iterations may pass that do not come nearer: a product takes what a row knows to its neighbours alone, so
 * that the residual of a chain of rows does not fall before half of the chain is passed. */
static guint
get_patience (EsSolverRun *run)
{
  GCancellable *cancellable = run->calls != NULL ? run->calls->cancellable : NULL;

  /* Of matrices that are not symmetric one way may be shut. */
  if (run->patience == 0)
    run->patience = MAX (PATIENCE, 2 * MAX (count_layers (run->matrix, FALSE, cancellable),
                                            count_layers (run->matrix, TRUE, cancellable)));
  return run->patience;
}

static gboolean
is_hopeless (const EsSolverRun *run, double residual)
{
  const double first = g_array_index (run->solution->history, EsSolverPoint, 0).residual,
               rounding = run->type == ESK_F32 ? FLT_EPSILON : DBL_EPSILON;

  return residual > MAX (DIVERGED, run->settings->tolerance / rounding) * MAX (first, 1e-300);
}

static gboolean
came_nearer (EsSolverRun *run, double residual)
{
  const gboolean lower = residual < LEAST_GAIN * run->best;

  if (lower)
    run->best = residual;
  return lower || LEAST_GAIN * run->gained > run->gained_before;
}

gboolean
es_solver_note (EsSolverRun *run, double square)
{
  const double residual = relative (run, square), first = g_array_index (run->solution->history, EsSolverPoint,
                                                                         0).residual;

  add_point (run, residual);
  if (run->ended)
    return FALSE;
  if (!isfinite (residual))
    {
      es_solver_end (run, ES_SOLVER_DIVERGED,
                     g_strdup_printf (_("Diverged: the residual is not a number any more after %u iterations."),
                                      run->iteration));
      return FALSE;
    }
  if (square <= run->target)
    return TRUE;
  if (is_hopeless (run, residual))
    {
      es_solver_end (run, ES_SOLVER_DIVERGED,
                     g_strdup_printf (_("Diverged: after %u iterations the residual is %.3g times what it was at "
                                        "first."), run->iteration, residual / first));
      return FALSE;
    }
  if (came_nearer (run, residual))
    {
      run->nearer_at = run->iteration;
      run->gained_before = run->gained;
    }
  else if (run->iteration - run->nearer_at >= PATIENCE && run->iteration - run->nearer_at >= get_patience (run))
    {
      run->waited = run->iteration - run->nearer_at;
      es_solver_end (run, ES_SOLVER_STAGNATED, NULL);
      return FALSE;
    }
  if (run->iteration >= run->settings->iterations)
    es_solver_end (run, ES_SOLVER_LIMIT, NULL);
  return FALSE;
}

void
es_solver_verify (EsSolverRun *run, double square)
{
  const double residual = relative (run, square);

  if (square <= run->target)
    es_solver_end (run, ES_SOLVER_CONVERGED, NULL);
  else if (!isfinite (residual) || residual > LEAST_VERIFIED_GAIN * run->verified)
    es_solver_end (run, ES_SOLVER_STAGNATED, NULL);
  else if (run->iteration >= run->settings->iterations)
    es_solver_end (run, ES_SOLVER_LIMIT, NULL);
  run->verified = residual;
  run->solution->own_residual = residual;
}
