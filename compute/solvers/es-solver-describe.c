/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a solver has to say for itself. */

#include "es-solver-private.h"

#include <glib/gi18n-lib.h>

/* A residual computed anew that is so many times the iteration's own: rounding has parted them. */
#define ROUNDED 2.0

const char *
es_solver_method_name (EsSolverMethod method)
{
  static const char *const names[ES_N_SOLVERS] = { "cg", "bicgstab", "gmres", "jacobi" };

  return names[method];
}

const char *
es_solver_method_title (EsSolverMethod method)
{
  switch (method)
    {
    case ES_SOLVER_CG:
      return _("Conjugate gradients");
    case ES_SOLVER_BICGSTAB:
      return _("BiCGStab");
    case ES_SOLVER_GMRES:
      return _("GMRES");
    default:
      return _("Jacobi");
    }
}

/* Of a residual that falls no more: by what is true of x, for its own account may have left that behind. */
static char *
describe_stagnation (EsSolverRun *run)
{
  const double residual = run->solution->residual, times = residual / run->settings->tolerance;
  const GArray *history = run->solution->history;
  const double own = g_array_index (history, EsSolverPoint, history->len - 1).residual;
  const char *type = run->type == ESK_F32 ? "float32" : "float64";

  if (run->waited == 0)
    return g_strdup_printf (_("Stagnated: by its own account the iteration has converged, but the residual "
                              "computed anew stays at %.3g, which is %.3g times the tolerance: rounding in %s "
                              "allows no better."), residual, times, type);
  if (residual > ROUNDED * own)
    return g_strdup_printf (_("Stagnated: in the last %u iterations the residual has not fallen; computed anew it is "
                              "%.3g, which is %.3g times the tolerance: rounding in %s allows no better."), run->waited,
                            residual, times, type);
  return g_strdup_printf (_("Stagnated: in the last %u iterations the residual has not fallen; computed anew it is "
                            "%.3g, which is %.3g times the tolerance."), run->waited, residual, times);
}

void
es_solver_describe (EsSolverRun *run)
{
  EsSolution *solution = run->solution;
  const double tolerance = run->settings->tolerance;

  /* What float32 cannot tell, float64 does. */
  if (solution->end == ES_SOLVER_CONVERGED && !(solution->residual <= tolerance))
    {
      solution->end = ES_SOLVER_STAGNATED;
      g_free (solution->verdict);
      solution->verdict = g_strdup_printf (_("Not converged: the device has a residual of %.3g, but computed anew in "
                                             "float64 it is %.3g, %.3g times the tolerance."), solution->own_residual,
                                           solution->residual, solution->residual / tolerance);
      return;
    }
  /* And where the device's own rounding was all that it lacked. */
  if (solution->end == ES_SOLVER_STAGNATED && solution->verdict == NULL && solution->residual <= tolerance)
    solution->end = ES_SOLVER_CONVERGED;
  if (solution->end == ES_SOLVER_CONVERGED)
    {
      g_free (solution->verdict);
      solution->verdict = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                                        "Converged after %u iteration: the residual is %.3g.",
                                                        "Converged after %u iterations: the residual is %.3g.",
                                                        solution->iterations), solution->iterations,
                                           solution->residual);
      return;
    }
  if (solution->end == ES_SOLVER_STAGNATED && solution->verdict == NULL)
    solution->verdict = describe_stagnation (run);
  if (solution->end == ES_SOLVER_LIMIT && solution->verdict == NULL)
    solution->verdict = g_strdup_printf (_("Not converged: after all of the %u iterations allowed the residual is "
                                           "%.3g, %.3g times the tolerance."), solution->iterations, solution->residual,
                                         solution->residual / tolerance);
}
