/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* When solvers give up what does not come nearer, and that they do not where it has only a long way to go. */

#include "es-test-system.h"

#include <math.h>
#include <string.h>

typedef struct
{
  EskCsr  csr;
  gint32 *row_from, *column;
  double *value, *b;
} Chain;

/* A chain of n rows: `before` and `after` beside a diagonal of `own`. */
static Chain
make_chain (gsize n, double before, double own, double after)
{
  Chain self = { .row_from = g_new (gint32, n + 1), .column = g_new (gint32, 3 * n), .value = g_new (double, 3 * n),
                 .b = g_new0 (double, n) };
  gint32 at = 0;

  for (gsize i = 0; i < n; i++)
    {
      const double row[3] = { i > 0 ? before : 0, own, i + 1 < n ? after : 0 };

      self.row_from[i] = at;
      for (guint j = 0; j < 3; j++)
        if (row[j] != 0)
          {
            self.column[at] = (gint32) (i + j) - 1;
            self.value[at++] = row[j];
          }
    }
  self.row_from[n] = at;
  self.csr = (EskCsr) { n, n, ESK_F64, self.row_from, self.column, self.value };
  return self;
}

static void
clear_chain (Chain *self)
{
  g_free (self->row_from);
  g_free (self->column);
  g_free (self->value);
  g_free (self->b);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Chain, clear_chain)

static EsSolution *
solve_chain (const Chain *chain, EsSolverMethod method, guint iterations)
{
  EsSolverSettings settings = es_test_settings (method, ES_PRECONDITIONER_NONE);
  g_autoptr (GError) error = NULL;
  EsSolution *solution;

  settings.iterations = iterations;
  settings.tolerance = 1e-8;
  solution = es_solve (es_device_get_cpu (), &chain->csr, chain->b, &settings, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (solution);
  return solution;
}

/* -u'' = 1 on 6,000 points: until both ends are known in the middle, after 3,000 iterations, the residual grows. */
static void
test_gradients (void)
{
  const gsize n = 6000;
  g_auto (Chain) chain = make_chain (n, -1, 2, -1);

  for (gsize i = 0; i < n; i++)
    chain.b[i] = 1;
  g_autoptr (EsSolution) solution = solve_chain (&chain, ES_SOLVER_CG, 10000);
  g_assert_cmpint (solution->end, ==, ES_SOLVER_CONVERGED);
  g_assert_cmpuint (solution->iterations, >=, 3000);
  g_assert_cmpuint (solution->iterations, <=, 3010);
  for (gsize i = 0; i < n; i++)
    {
      const double exact = 0.5 * (double) (i + 1) * (double) (n - i);

      g_assert_cmpfloat (fabs (solution->x[i] - exact), <, 1e-6 * exact);
    }
}

/* What is told from row to row is told unchanged, 3,000 rows long: only then nothing is left of the residual. */
static void
test_pulse (void)
{
  for (guint way = 0; way < 2; way++)
    {
      const gsize n = 3000;
      g_auto (Chain) chain = make_chain (n, way == 0 ? -1 : 0, 1, way == 0 ? 0 : -1);

      chain.b[way == 0 ? 0 : n - 1] = 1;
      g_autoptr (EsSolution) solution = solve_chain (&chain, ES_SOLVER_JACOBI, 10000);
      g_assert_cmpint (solution->end, ==, ES_SOLVER_CONVERGED);
      g_assert_cmpuint (solution->iterations, >=, n - 1);
      for (gsize i = 0; i < n; i++)
        g_assert_cmpfloat_with_epsilon (solution->x[i], 1, 1e-12);
    }
}

/* What goes round in circles is given up. */
static void
test_circles (void)
{
  g_auto (Chain) chain = make_chain (2, -1, 1, 1);

  chain.b[0] = 1;
  g_autoptr (EsSolution) solution = solve_chain (&chain, ES_SOLVER_JACOBI, 100000);
  g_assert_cmpint (solution->end, ==, ES_SOLVER_STAGNATED);
  g_assert_cmpuint (solution->iterations, <, 3000);
  /* Nothing is left to rounding there. */
  g_assert_nonnull (strstr (solution->verdict, " iterations the residual has not fallen; computed anew it is "));
  g_assert_null (strstr (solution->verdict, "rounding"));
}

/* Rows of which some are 10^10 times as large as others: while the error falls, the residual grows at first, a
 * billionfold and more. */
static void
test_scales (void)
{
  const gsize n = 100;
  g_auto (Chain) chain = make_chain (n, -1, 2, -1);
  EsSolverSettings settings = es_test_settings (ES_SOLVER_CG, ES_PRECONDITIONER_DIAGONAL);
  g_autoptr (GError) error = NULL;
  double most = 0, rest = 0;

  for (gsize i = 0; i < n; i++)
    {
      for (gint32 k = chain.row_from[i]; k < chain.row_from[i + 1]; k++)
        chain.value[k] *= exp10 ((double) (i * 7 % 11) - 5) * exp10 ((double) (chain.column[k] * 7 % 11) - 5);
      chain.b[i] = 1;
    }
  settings.iterations = 1000;
  settings.tolerance = 1e-2;
  g_autoptr (EsSolution) solution = es_solve (es_device_get_cpu (), &chain.csr, chain.b, &settings, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (solution->end, ==, ES_SOLVER_CONVERGED);
  for (guint i = 0; i < solution->history->len; i++)
    most = fmax (most, g_array_index (solution->history, EsSolverPoint, i).residual);
  g_assert_cmpfloat (most, >, 1e9);
  for (gsize i = 0; i < n; i++)
    {
      double left = chain.b[i];

      for (gint32 k = chain.row_from[i]; k < chain.row_from[i + 1]; k++)
        left -= chain.value[k] * solution->x[chain.column[k]];
      rest += left * left;
    }
  g_assert_cmpfloat (sqrt (rest / (double) n), <=, 1e-2);
}

/* Below what float32 can tell GMRES passes at the end of every cycle by its own account: it is given up after a few,
 * and the verdict has what is left, computed anew. */
static void
test_rounding (void)
{
  const gsize n = 50;
  g_auto (Chain) chain = make_chain (n, -1, 4, -1);
  EsSolverSettings settings = es_test_settings (ES_SOLVER_GMRES, ES_PRECONDITIONER_NONE);
  g_autoptr (GError) error = NULL;

  for (gint32 k = chain.row_from[19]; k < chain.row_from[20]; k++)
    if (chain.column[k] == 19)
      chain.value[k] = 0;
  for (gsize i = 0; i < n; i++)
    chain.b[i] = 1;
  settings.type = ESK_F32;
  settings.tolerance = 1e-8;
  settings.iterations = 10000;
  for (guint format = 0; format < ESK_SPARSE_LIBRARY; format++)
    {
      settings.format = (EskSparseFormat) format;
      g_autoptr (EsSolution) solution = es_solve (es_device_get_cpu (), &chain.csr, chain.b, &settings, NULL, &error);
      g_assert_no_error (error);

      const double residual = es_solver_true_residual (&chain.csr, chain.b, solution->x);
      g_autofree char *told = g_strdup_printf (" %.3g, ", residual),
                      *times = g_strdup_printf (" %.3g times the tolerance", residual / settings.tolerance);

      g_test_message ("%u iterations, %u cycles: %s", solution->iterations, solution->cycles, solution->verdict);
      g_assert_cmpint (solution->end, ==, ES_SOLVER_STAGNATED);
      g_assert_cmpfloat (residual, >, 1e-8);
      g_assert_nonnull (strstr (solution->verdict, told));
      g_assert_nonnull (strstr (solution->verdict, times));
      g_assert_cmpuint (solution->iterations, <, 500);
      /* The formula has -5.2 where a first cycle leaves so little, which is no length of a cycle. */
      g_assert_true (isnan (solution->estimated_restart));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/solvers/patience/gradients", test_gradients);
  g_test_add_func ("/solvers/patience/pulse", test_pulse);
  g_test_add_func ("/solvers/patience/circles", test_circles);
  g_test_add_func ("/solvers/patience/scales", test_scales);
  g_test_add_func ("/solvers/patience/rounding", test_rounding);
  return g_test_run ();
}
