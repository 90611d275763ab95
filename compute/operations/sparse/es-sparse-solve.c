/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A linear system with a sparse matrix, solved: sparse.md 1.4 and 1.5. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "advice/es-roofs.h"
#include "base/es-error.h"
#include "es-sparse-operations-internal.h"
#include "es-sparse-solve-private.h"

/* The live curve is another one so often at most. */
#define TELL_US (G_USEC_PER_SEC / 12)

static const EsParamChoice solvers[] = {
  { .id = "auto", .label = N_("By the matrix") }, { .id = "cg", .label = N_("CG") },
  { .id = "bicgstab", .label = N_("BiCGStab") }, { .id = "gmres", .label = N_("GMRES") },
  { .id = "jacobi", .label = N_("Jacobi") }, { .id = NULL }
};
static const EsParamChoice preconditioners[] = {
  { .id = "none", .label = N_("None") }, { .id = "diagonal", .label = N_("Diagonal") },
  { .id = "blocks", .label = N_("Blocks of the diagonal") }, { .id = "ilu", .label = N_("ILU(0)") },
  { .id = "multigrid", .label = N_("Multigrid") }, { .id = NULL }
};
G_STATIC_ASSERT (G_N_ELEMENTS (preconditioners) == ES_N_PRECONDITIONERS + 1);
static const EsParamChoice orthogonals[] = {
  { .id = "modified", .label = N_("Modified Gram-Schmidt, as published") },
  { .id = "classical", .label = N_("Classical Gram-Schmidt, twice") },
  { .id = "published", .label = N_("Modified, with the published inner product") }, { .id = NULL }
};
static const EsParamChoice sides[] = {
  { .id = "ones", .label = N_("All ones") }, { .id = "known", .label = N_("Of the solution 1") },
  { .id = "file", .label = N_("A file") }, { .id = NULL }
};
/* In the order of EskSparseFormat, behind the first. */
static const EsParamChoice formats[] = {
  { .id = "auto", .label = N_("Automatic") }, { .id = "coo", .label = N_("COO") }, { .id = "dia", .label = N_("DIA") },
  { .id = "ell", .label = N_("ELL") }, { .id = "csr-scalar", .label = N_("CSR, scalar") },
  { .id = "csr-vector", .label = N_("CSR, vector") }, { .id = "sc-csr", .label = N_("SC-CSR") },
  { .id = "vab", .label = N_("VAB") }, { .id = "merge", .label = N_("CSR, merge path") },
  { .id = "sell", .label = N_("SELL-C-σ") }, { .id = "library", .label = N_("Library") }, { .id = NULL }
};
G_STATIC_ASSERT (G_N_ELEMENTS (formats) == ESK_N_SPARSE_FORMATS + 2);
static const EsParamChoice precisions[] = {
  { .id = "float64", .label = N_("float64") }, { .id = "float32", .label = N_("float32, as published") }, { .id = NULL }
};

static const EsParamSpec params[] = {
  { .key = "solver", .label = N_("Solver"),
    .help = N_("By the matrix: conjugate gradients where it is symmetric and its diagonal is positive, GMRES "
               "otherwise."),
    .type = ES_PARAM_CHOICE, .choices = solvers },
  { .key = "preconditioner", .label = N_("Preconditioner"),
    .help = N_("What the system is made easier by; Jacobi’s iteration has none but its own diagonal."),
    .type = ES_PARAM_CHOICE, .choices = preconditioners, .visible_if = "solver=auto|cg|bicgstab|gmres" },
  { .key = "block", .label = N_("Rows of a block"),
    .help = N_("Blocks of so many rows along the diagonal are inverted."),
    .type = ES_PARAM_INT, .minimum = 1, .maximum = ESK_MOST_BLOCK, .default_value = ES_SOLVER_BLOCK,
    .visible_if = "preconditioner=blocks", .advanced = TRUE },
  { .key = "smoothing", .label = N_("Smoothing steps"),
    .help = N_("Of multigrid, before and after each coarser grid: more of them take fewer iterations, and longer."),
    .type = ES_PARAM_INT, .minimum = 1, .maximum = ES_SOLVER_MOST_SMOOTHING, .default_value = ES_SOLVER_SMOOTHING,
    .visible_if = "preconditioner=multigrid", .advanced = TRUE },
  { .key = "strength", .label = N_("Strong couplings"),
    .help = N_("Rows are put together where they are coupled by at least this part of their largest coupling."),
    .type = ES_PARAM_FLOAT, .minimum = 0, .maximum = 1, .step = 0.05, .digits = 2,
    .default_value = ES_SOLVER_STRENGTH, .visible_if = "preconditioner=multigrid", .advanced = TRUE },
  { .key = "tolerance", .label = N_("Tolerance"),
    .help = N_("The length of b − A x as a part of that of b at which the solution is good enough."),
    .type = ES_PARAM_FLOAT, .minimum = 1e-15, .maximum = 1, .step = 1e-9, .digits = 15, .default_value = 1e-8 },
  { .key = "iterations", .label = N_("Iteration limit"),
    .help = N_("After so many it ends, converged or not; one of BiCGStab has two products."),
    .type = ES_PARAM_INT, .minimum = 1, .maximum = 10000000, .default_value = 10000 },
  { .key = "restart", .label = N_("Restart"),
    .help = N_("Steps of GMRES after which it begins anew; so many vectors are kept."),
    .type = ES_PARAM_INT, .minimum = 1, .maximum = ES_SOLVER_MOST_RESTART, .default_value = ES_SOLVER_RESTART,
    .visible_if = "solver=auto|gmres" },
  { .key = "orthogonal", .label = N_("Orthogonal basis"),
    .help = N_("How GMRES makes its vectors orthogonal; the published inner product is one of float32."),
    .type = ES_PARAM_CHOICE, .choices = orthogonals, .visible_if = "solver=auto|gmres", .advanced = TRUE },
  { .key = "side", .label = N_("Right-hand side"),
    .help = N_("All ones; what A makes of a solution of ones, whose error is then known; or a file’s."),
    .type = ES_PARAM_CHOICE, .choices = sides },
  { .key = "side-file", .label = N_("File of it"),
    .help = N_("A Matrix Market array of one column, or a text with one number a line."),
    .type = ES_PARAM_FILE, .visible_if = "side=file" },
  { .key = "precision", .label = N_("Precision"),
    .help = N_("What matrix and vectors are; sums over vectors are float64."),
    .type = ES_PARAM_CHOICE, .choices = precisions },
  { .key = "format", .label = N_("Format"),
    .help = N_("In which the matrix is multiplied; automatic: by its rows."),
    .type = ES_PARAM_CHOICE, .choices = formats, .advanced = TRUE },
  { .key = "compare", .label = N_("Beside one thread"),
    .help = N_("Solves it once more on one thread of the processor with CSR, what the published gains are against."),
    .type = ES_PARAM_BOOL, .advanced = TRUE },
  { .type = ES_PARAM_END }
};

/* ---- what is to be done ---- */

/* The first row whose number on the diagonal is not positive; as many as there are rows: none. */
static gsize
find_odd_diagonal (EsSparseMatrix *matrix)
{
  const gint32 *row_from = es_sparse_matrix_get_row_from (matrix), *columns = es_sparse_matrix_get_columns (matrix);
  const double *values = es_sparse_matrix_get_values (matrix);
  gsize i;

  for (i = 0; i < es_sparse_matrix_get_n_rows (matrix); i++)
    {
      gboolean positive = FALSE;

      for (gint32 k = row_from[i]; k < row_from[i + 1]; k++)
        positive = positive || ((gsize) columns[k] == i && values[k] > 0);
      if (!positive)
        break;
    }
  return i;
}

static void
choose_solver (EsSparseSolve *self)
{
  self->symmetric = es_sparse_matrix_get_statistics (self->matrix)->is_symmetric;
  self->odd_row = self->symmetric ? find_odd_diagonal (self->matrix) : self->csr.rows;
  self->settings.method = self->symmetric && self->odd_row == self->csr.rows ? ES_SOLVER_CG : ES_SOLVER_GMRES;
}

static gboolean
check (EsSparseSolve *self, GError **error)
{
  if (self->csr.rows != self->csr.columns)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("A system of equations needs a square matrix, and “%s” has %zu rows and "
                     "%zu columns."), es_dataset_get_name (ES_DATASET (self->matrix)), self->csr.rows,
                   self->csr.columns);
      return FALSE;
    }
  if (self->settings.method == ES_SOLVER_GMRES && self->settings.orthogonal == ES_ORTHOGONAL_PUBLISHED
      && self->settings.type != ESK_F32)
    {
      g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                           _("The published inner product is one of float32: choose “precision=float32” with it."));
      return FALSE;
    }
  return TRUE;
}

static void
choose_device (EsSparseSolve *self)
{
  EsDevice *told = es_job_get_device (self->job);
  const EsLimits *limits = es_job_get_limits (self->job);
  const guint lanes = es_device_get_lanes (es_device_get_cpu ());

  /* A system is not divided among cards. */
  self->device = es_device_get_member (told, 0);
  if (!es_solver_suits (self->device))
    {
      g_autofree char *warning = g_strdup_printf (_("%s has no solvers of linear systems: the CPU solved this one."),
                                                  es_device_get_name (self->device));
      es_job_add_warning (self->job, warning);
      self->device = es_device_get_cpu ();
    }
  self->threads = limits->threads > 0 ? MIN (limits->threads, lanes) : lanes;
  self->settings.threads = self->threads;
}

static void
choose_format (EsSparseSolve *self)
{
  const EsSparseProblem problem = {
    .n_rows = self->csr.rows, .n_columns = self->csr.columns, .n_nonzeros = esk_csr_n_nonzeros (&self->csr),
    .statistics = es_sparse_matrix_get_statistics (self->matrix), .type = self->settings.type,
    .on_card = !es_device_is_cpu (self->device)
  };

  if (es_params_get_choice (self->params, "format") == 0)
    self->settings.format = es_sparse_choose (&problem, &self->format_reason);
}

/* ---- while it runs ---- */

/* How far the residual has come on its way down to the tolerance, in powers of ten. */
static double
fraction_of (const EsSparseSolve *self, const EsSolverPoint *point)
{
  const double by_residual = point->residual > 0 ? log (point->residual) / log (self->settings.tolerance) : 1;

  return MAX (CLAMP (by_residual, 0, 1), (double) point->iteration / self->settings.iterations);
}

static void
tell (const GArray *history, gpointer data)
{
  EsSparseSolve *self = data;
  const gint64 now = g_get_monotonic_time ();
  g_autoptr (EsCurve) curve = NULL;

  if (now - self->told_at < TELL_US)
    return;
  self->told_at = now;
  curve = es_sparse_solve_make_curve (history);
  es_job_set_live_curve (self->job, curve);
  es_job_set_fraction (self->job, fraction_of (self, &g_array_index (history, EsSolverPoint, history->len - 1)));
}

static void
watch (const EskHotspots *hotspots, EskStream *stream, gpointer data)
{
  EsSparseSolve *self = data;

  es_job_watch_stream (self->job, hotspots, stream);
}

/* What iterating asks for at least; making the format is not counted. */
static void
tell_work (EsSparseSolve *self, const EsSolution *solution, gboolean on_host)
{
  const EsStageWork work = {
    .memory_bytes = solution->iteration_bytes * solution->iterations, .operations = solution->flops,
    .type = self->settings.type == ESK_F64 ? ES_WORK_FLOAT64 : ES_WORK_FLOAT32, .on_host = on_host,
    .threads = on_host ? 1 : 0,
    /* Nothing here takes fewer than multigrid. */
    .less = self->settings.preconditioner == ES_PRECONDITIONER_MULTIGRID
            ? NULL : N_("A preconditioner that takes fewer iterations helps."),
  };

  es_job_add_work (self->job, NULL, &work);
}

/* What the published gains are against: one thread, CSR, one row after the other. */
static gboolean
solve_beside (EsSparseSolve *self, GError **error)
{
  EsSolverSettings serial = self->settings;
  const EsSolverCalls calls = { es_job_get_cancellable (self->job), self, NULL, watch };

  if (!es_params_get_bool (self->params, "compare"))
    return TRUE;
  es_job_begin_stage (self->job, "reference", _("One thread"), 0.5);
  serial.threads = 1;
  serial.format = ESK_SPARSE_CSR_SCALAR;
  self->reference = es_solve (es_device_get_cpu (), &self->csr, self->b, &serial, &calls, error);
  if (self->reference == NULL)
    return FALSE;
  tell_work (self, self->reference, TRUE);
  return TRUE;
}

static gboolean
solve (EsSparseSolve *self, GError **error)
{
  const EsSolverCalls calls = { es_job_get_cancellable (self->job), self, tell, watch };
  EsRoofs roofs;

  es_job_set_total_weight (self->job, es_params_get_bool (self->params, "compare") ? 1.5 : 1);
  es_job_begin_stage (self->job, "solve", _("Solving"), 1);
  self->solution = es_solve (self->device, &self->csr, self->b, &self->settings, &calls, error);
  if (self->solution == NULL)
    return FALSE;
  tell_work (self, self->solution, FALSE);
  es_roofs_find (self->device, self->threads, &roofs);
  self->bandwidth = roofs.memory.rate > 0 ? roofs.memory.rate : NAN;
  return solve_beside (self, error);
}

static void
clear (EsSparseSolve *self)
{
  g_free (self->b);
  g_free (self->known);
  g_free (self->format_reason);
  g_clear_pointer (&self->solution, es_solution_free);
  g_clear_pointer (&self->reference, es_solution_free);
}

static EsResult *
run (EsJob *job, EsDataset *dataset, EsParams *values, GError **error)
{
  EsSparseMatrix *matrix = ES_SPARSE_MATRIX (dataset);
  g_autoptr (EsResult) result = es_result_new (&es_operation_sparse_solve, dataset, values);
  EsSparseSolve self = { .job = job, .params = values, .matrix = matrix,
                         .settings = es_sparse_solve_read_settings (values) };
  gboolean done;

  self.csr = es_sparse_solve_get_csr (matrix);
  es_job_begin_stage (job, "prepare", _("Preparing"), 0);
  self.chosen = es_params_get_choice (values, "solver") == 0;
  if (self.chosen)
    choose_solver (&self);
  choose_device (&self);
  choose_format (&self);
  done = check (&self, error) && es_sparse_solve_check_padding (&self, error)
         && es_sparse_solve_make_side (&self, error) && solve (&self, error);
  if (done)
    es_sparse_solve_publish (&self, result);
  clear (&self);
  return done ? g_steal_pointer (&result) : NULL;
}

const EsOperation es_operation_sparse_solve = {
  .id = "sparse-solve",
  .title = N_("Sparse linear system"),
  .short_title = N_("Solver"),
  .summary = N_("Solves A x = b by conjugate gradients, BiCGStab, restarted GMRES or Jacobi’s iteration, with a "
                "preconditioner where one is wanted; shows how the residual falls, and says plainly where it does "
                "not."),
  .version = 1,
  .takes = ES_DATASET_MATRIX,
  .params = params,
  .plan = es_sparse_solve_plan,
  .run = run,
};
