/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a solver has to say for itself. */

#include "es-solver-private.h"

#include <glib/gi18n-lib.h>

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
  if (solution->end == ES_SOLVER_LIMIT && solution->verdict == NULL)
    solution->verdict = g_strdup_printf (_("Not converged: after all of the %u iterations allowed the residual is "
                                           "%.3g, %.3g times the tolerance."), solution->iterations, solution->residual,
                                         solution->residual / tolerance);
}
