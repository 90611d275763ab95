/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What became of a linear system: its residuals, the solution, a table, sentences, and the values of the result. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-sparse-solve-private.h"

/* Of longer solutions every so-and-so-many-th number is shown and written. */
#define MOST_SHOWN 1000000

EsCurve *
es_sparse_solve_make_curve (const GArray *history)
{
  g_autofree double *x = g_new (double, history->len), *residual = g_new (double, history->len),
                    *seconds = g_new (double, history->len);
  EsCurve *curve;

  for (guint k = 0; k < history->len; k++)
    {
      const EsSolverPoint *point = &g_array_index (history, EsSolverPoint, k);

      x[k] = point->iteration;
      residual[k] = point->residual > 0 && isfinite (point->residual) ? point->residual : NAN;
      seconds[k] = point->seconds;
    }
  curve = es_curve_new ("residual", _("Residual by iteration"), "residual", history->len, x, _("Iteration"), NULL);
  es_curve_add_series (curve, _("Residual"), NULL, ES_CURVE_LINE, FALSE, residual);
  es_curve_add_series (curve, _("Time"), "s", ES_CURVE_LINE, TRUE, seconds);
  es_curve_set_log_y (curve, TRUE);
  es_curve_set_y_title (curve, _("|b − A x| / |b|"));
  return curve;
}

static void
add_solution (const EsSparseSolve *self, EsResult *result)
{
  const gsize n = self->solution->n, step = (n + MOST_SHOWN - 1) / MOST_SHOWN, shown = (n + step - 1) / step;
  g_autofree double *row = g_new (double, shown), *value = g_new (double, shown);
  g_autoptr (EsCurve) curve = NULL;

  for (gsize k = 0; k < shown; k++)
    {
      row[k] = (double) (k * step + 1);
      value[k] = isfinite (self->solution->x[k * step]) ? self->solution->x[k * step] : NAN;
    }
  if (step > 1)
    es_result_add_warning (result, _("Of the solution’s %zu numbers one in %zu is "
                                     "shown and written."), n, step);
  curve = es_curve_new ("solution", _("Solution"), "solution", (guint) shown, row, _("Row"), NULL);
  es_curve_add_series (curve, "x", NULL, ES_CURVE_LINE, FALSE, value);
  es_result_add_layer (result, ES_LAYER (curve));
}

/* |x - known| / |known|; NAN: it is not known. */
static double
error_of (const EsSparseSolve *self, const EsSolution *solution)
{
  double difference = 0, length = 0;

  if (self->known == NULL)
    return NAN;
  for (gsize i = 0; i < solution->n; i++)
    {
      difference += (solution->x[i] - self->known[i]) * (solution->x[i] - self->known[i]);
      length += self->known[i] * self->known[i];
    }
  return sqrt (difference / length);
}

static double
iteration_seconds (const EsSolution *solution)
{
  return solution->iterations > 0 ? solution->seconds / solution->iterations : NAN;
}

/* Of the time in which an iteration's bytes can be moved; NAN: nobody knows. */
static double
share_of_limit (const EsSparseSolve *self)
{
  return self->solution->iteration_bytes / self->bandwidth / iteration_seconds (self->solution);
}

static const struct { const char *title, *unit; int digits; } columns[] = {
  { N_("Where"), NULL, -1 }, { N_("Solver"), NULL, -1 }, { N_("Format"), NULL, -1 }, { N_("Iterations"), NULL, 0 },
  { N_("Cycles"), NULL, 0 }, { N_("Residual"), NULL, ES_TABLE_SIGNIFICANT + 3 },
  { N_("Error of x"), NULL, ES_TABLE_SIGNIFICANT + 3 },
  { N_("Preparing"), "ms", 2 }, { N_("Solving"), "ms", 3 }, { N_("An iteration"), "µs", 2 },
  { N_("Bytes of an iteration"), "MB", 3 }, { N_("Bandwidth"), "GB/s", 2 }, { N_("Of the bytes limit"), "%", 1 },
  { N_("Operations"), "G", 3 }, { N_("Operations a second"), "G/s", 2 }, { N_("Gain"), "×", 2 },
};

static void
add_row (const EsSparseSolve *self, EsTable *table, const EsSolution *solution, const char *where,
         EskSparseFormat format)
{
  const gboolean is_ours = solution == self->solution;
  const double numbers[] = {
    solution->iterations, solution->cycles, solution->residual, error_of (self, solution),
    solution->build_ms + solution->upload_ms + solution->precondition_ms, 1e3 * solution->seconds,
    1e6 * iteration_seconds (solution), 1e-6 * solution->iteration_bytes,
    1e-9 * solution->iteration_bytes / iteration_seconds (solution), is_ours ? 100 * share_of_limit (self) : NAN,
    1e-9 * solution->flops, 1e-9 * solution->flops / solution->seconds,
    is_ours && self->reference != NULL ? self->reference->seconds / solution->seconds : NAN,
  };
  gconstpointer cells[G_N_ELEMENTS (columns)] = { where, es_solver_method_title (self->settings.method),
                                                  es_sparse_format_get_title (format) };

  for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
    cells[3 + k] = &numbers[k];
  es_table_add_row (table, cells);
}

static void
add_table (const EsSparseSolve *self, EsResult *result)
{
  g_autofree char *title = g_strdup_printf (_("Run, %zu × %zu, %zu nonzeros, %s"), self->csr.rows, self->csr.columns,
                                            esk_csr_n_nonzeros (&self->csr), esk_type_name (self->settings.type));
  g_autoptr (EsTable) table = es_table_new ("run", title);

  G_STATIC_ASSERT (G_N_ELEMENTS (columns) == 3 + 13);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    es_table_add_column (table, g_dgettext (GETTEXT_PACKAGE, columns[i].title), columns[i].unit, columns[i].digits);
  add_row (self, table, self->solution, es_device_get_name (self->device), self->settings.format);
  if (self->reference != NULL)
    add_row (self, table, self->reference, _("One thread of the processor"), ESK_SPARSE_CSR_SCALAR);
  es_result_add_layer (result, ES_LAYER (table));
}

/* Of multigrid alone. */
static void
add_levels (const EsSparseSolve *self, EsResult *result)
{
  const GArray *levels = self->solution->levels;
  g_autoptr (EsTable) table = NULL;

  if (levels == NULL)
    return;
  table = es_table_new ("levels", _("Grids of multigrid"));
  es_table_add_column (table, _("Grid"), NULL, 0);
  es_table_add_column (table, _("Rows"), NULL, 0);
  es_table_add_column (table, _("Nonzeros"), NULL, 0);
  es_table_add_column (table, _("Nonzeros a row"), NULL, 1);
  es_table_add_column (table, _("Nonzeros of its prolongation"), NULL, 0);
  for (guint i = 0; i < levels->len; i++)
    {
      const EsSolverLevel *level = &g_array_index (levels, EsSolverLevel, i);
      const double numbers[] = { i + 1, (double) level->rows, (double) level->n_nonzeros,
                                 (double) level->n_nonzeros / (double) level->rows, (double) level->prolonging };
      gconstpointer cells[G_N_ELEMENTS (numbers)];

      for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
        cells[k] = &numbers[k];
      es_table_add_row (table, cells);
    }
  es_result_add_layer (result, ES_LAYER (table));
}

/* ---- sentences ---- */

static void
say (EsVerdict *verdict, EsVerdictState state, const char *rule, char *sentence)
{
  es_verdict_add (verdict, state, FALSE, sentence, rule);
  g_free (sentence);
}

static void
say_choices (const EsSparseSolve *self, EsVerdict *verdict)
{
  if (self->chosen)
    say (verdict, ES_VERDICT_TELLS, NULL,
         self->settings.method == ES_SOLVER_CG
         ? g_strdup (_("Chosen by the matrix: conjugate gradients, for it is symmetric and its diagonal is positive."))
         : !self->symmetric
         ? g_strdup (_("Chosen by the matrix: GMRES, for it is not symmetric."))
         : g_strdup_printf (_("Chosen by the matrix: GMRES, for its diagonal is not positive: row %zu."),
                            self->odd_row + 1));
  if (self->format_reason != NULL)
    say (verdict, ES_VERDICT_TELLS, NULL, g_strdup_printf (_("Format chosen by itself: %s. %s"),
                                                           es_sparse_format_get_title (self->settings.format),
                                                           self->format_reason));
  for (guint i = 0; i < self->solution->notes->len; i++)
    es_verdict_add (verdict, ES_VERDICT_TELLS, FALSE, g_ptr_array_index (self->solution->notes, i), NULL);
}

static void
say_multigrid (const EsSparseSolve *self, EsVerdict *verdict)
{
  const EsSolution *solution = self->solution;
  const guint n = solution->levels != NULL ? solution->levels->len : 0;

  if (n == 0)
    return;
  say (verdict, ES_VERDICT_TELLS, _("Operator complexity: nonzeros of the matrices of all grids, a nonzero of the "
                                    "finest one."),
       g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                     "Multigrid of %u grid, with an operator complexity of %.3f, took %.3g s to set "
                                     "up; an iteration takes %.4g ms.",
                                     "Multigrid of %u grids, with an operator complexity of %.3f, took %.3g s to set "
                                     "up; an iteration takes %.4g ms.", n), n, solution->complexity,
                        1e-3 * solution->precondition_ms,
                        solution->iterations > 0 ? 1e3 * iteration_seconds (solution) : 0.0));
}

static void
say_cost (const EsSparseSolve *self, EsVerdict *verdict)
{
  const double share = share_of_limit (self);

  if (isfinite (share) && self->solution->iterations > 0)
    say (verdict, ES_VERDICT_TELLS, _("Bytes of an iteration: the matrix once, and each vector as often as its steps "
                                      "need it."),
         g_strdup_printf (_("An iteration moves at least %.3f MB, which takes %.4f ms at the %.1f GB/s of the memory; "
                            "it takes %.2f times as long."), 1e-6 * self->solution->iteration_bytes,
                          1e3 * self->solution->iteration_bytes / self->bandwidth, 1e-9 * self->bandwidth, 1 / share));
  if (isfinite (self->solution->estimated_restart))
    say (verdict, ES_VERDICT_TELLS, _("m = (1 + δ)(log ε / log τ − 1) − 3 − δ, as published: δ nonzeros a row, τ what "
                                      "the first cycle left of the residual, ε the tolerance."),
         g_strdup_printf (_("The published estimate of the restart is m = %.1f; this run had %u."),
                          self->solution->estimated_restart, self->settings.restart));
}

/* sparse.md 3: figures 4.3 and 4.4. */
static void
say_published (const EsSparseSolve *self, EsVerdict *verdict)
{
  double gain;

  if (self->reference == NULL)
    return;
  gain = self->reference->seconds / self->solution->seconds;
  if (self->settings.method == ES_SOLVER_JACOBI)
    say (verdict, ES_VERDICT_TELLS, NULL,
         g_strdup_printf (_("%.1f times as fast as one thread of this processor; published of Jacobi’s iteration on a "
                            "GTX 260+: above 20 times."), gain));
  else if (self->settings.method == ES_SOLVER_GMRES)
    say (verdict, ES_VERDICT_TELLS, NULL,
         g_strdup_printf (_("%.1f times as fast as one thread of this processor; published of GMRES on a GTX 260+: 10 "
                            "to 20 times."), gain));
  else
    say (verdict, ES_VERDICT_TELLS, NULL, g_strdup_printf (_("%.1f times as fast as one thread of this processor."),
                                                           gain));
}

static EsVerdict *
make_verdict (const EsSparseSolve *self)
{
  EsVerdict *verdict = es_verdict_new ("verdict", _("Verdict"));
  const double error = error_of (self, self->solution);

  es_verdict_add (verdict, self->solution->end == ES_SOLVER_CONVERGED ? ES_VERDICT_YES : ES_VERDICT_NO, FALSE,
                  self->solution->verdict,
                  _("Converged: |b − A x| / |b|, computed anew in float64, is not above the tolerance."));
  es_verdict_add_number (verdict, _("Residual"), self->solution->residual, NULL);
  es_verdict_add_number (verdict, _("Tolerance"), self->settings.tolerance, NULL);
  if (isfinite (error))
    say (verdict, ES_VERDICT_TELLS, NULL, g_strdup_printf (_("The solution is known: x is off by %.3g of its length."),
                                                           error));
  say_choices (self, verdict);
  say_multigrid (self, verdict);
  say_cost (self, verdict);
  say_published (self, verdict);
  return verdict;
}

/* ---- values ---- */

static void
set_number (JsonObject *object, const char *name, double value)
{
  if (isfinite (value))
    json_object_set_double_member (object, name, value);
  else
    json_object_set_null_member (object, name);
}

static const char *
end_name (EsSolverEnd end)
{
  static const char *const names[] = { "converged", "limit", "stagnated", "diverged", "not-positive-definite",
                                       "broke-down" };
  return names[end];
}

static void
set_levels (JsonObject *values, const EsSolution *solution)
{
  JsonArray *rows, *nonzeros;

  if (solution->levels == NULL)
    return;
  rows = json_array_new ();
  nonzeros = json_array_new ();
  for (guint i = 0; i < solution->levels->len; i++)
    {
      json_array_add_int_element (rows, (gint64) g_array_index (solution->levels, EsSolverLevel, i).rows);
      json_array_add_int_element (nonzeros, (gint64) g_array_index (solution->levels, EsSolverLevel, i).n_nonzeros);
    }
  json_object_set_array_member (values, "level_rows", rows);
  json_object_set_array_member (values, "level_nonzeros", nonzeros);
  set_number (values, "operator_complexity", solution->complexity);
}

static JsonObject *
make_values (const EsSparseSolve *self)
{
  const EsSolution *solution = self->solution;
  JsonObject *values = json_object_new ();

  json_object_set_boolean_member (values, "converged", solution->end == ES_SOLVER_CONVERGED);
  json_object_set_string_member (values, "end", end_name (solution->end));
  json_object_set_string_member (values, "solver", es_solver_method_name (self->settings.method));
  json_object_set_string_member (values, "format", es_sparse_format_get_id (self->settings.format));
  json_object_set_int_member (values, "iterations", solution->iterations);
  json_object_set_int_member (values, "cycles", solution->cycles);
  set_number (values, "residual", solution->residual);
  set_number (values, "own_residual", solution->own_residual);
  set_number (values, "error", error_of (self, solution));
  set_number (values, "seconds", solution->seconds);
  set_number (values, "iteration_seconds", iteration_seconds (solution));
  set_number (values, "iteration_bytes", solution->iteration_bytes);
  set_number (values, "share", share_of_limit (self));
  set_number (values, "flops", solution->flops);
  set_number (values, "build_ms", solution->build_ms);
  set_number (values, "upload_ms", solution->upload_ms);
  set_number (values, "precondition_ms", solution->precondition_ms);
  set_number (values, "estimated_restart", solution->estimated_restart);
  set_number (values, "change_factor", solution->radius);
  set_levels (values, solution);
  if (solution->ilu_sweeps > 0)
    json_object_set_int_member (values, "ilu_sweeps", solution->ilu_sweeps);
  if (self->reference != NULL)
    {
      set_number (values, "reference_seconds", self->reference->seconds);
      set_number (values, "gain", self->reference->seconds / solution->seconds);
    }
  return values;
}

void
es_sparse_solve_publish (EsSparseSolve *self, EsResult *result)
{
  g_autoptr (EsCurve) residual = es_sparse_solve_make_curve (self->solution->history);
  g_autoptr (EsVerdict) verdict = make_verdict (self);
  g_autofree char *title = g_strdup_printf (ngettext ("%s, %u iteration", "%s, %u iterations",
                                                      self->solution->iterations),
                                            es_solver_method_title (self->settings.method),
                                            self->solution->iterations);

  es_result_add_layer (result, ES_LAYER (residual));
  add_solution (self, result);
  add_table (self, result);
  add_levels (self, result);
  es_result_add_layer (result, ES_LAYER (verdict));
  es_result_set_values (result, make_values (self));
  es_result_set_title (result, title);
  /* Nobody is to take such a solution for one. */
  if (self->solution->end != ES_SOLVER_CONVERGED)
    es_result_add_warning (result, "%s", self->solution->verdict);
}
