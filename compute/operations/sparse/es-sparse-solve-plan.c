/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What parameters ask a solver for, and what that will cost. */

#include <glib/gi18n-lib.h>

#include "es-sparse-solve-private.h"
#include "sparse/es-sparse-build.h"

/* Bytes a second: of two processors of a server, and of a card. */
#define USUAL_BANDWIDTH 2.5e10
#define USUAL_BANDWIDTH_CARD 1e12
/* Bytes of vectors that an iteration moves a row, and further ones for each vector that GMRES keeps, of which there are
 * half in the mean. */
#define VECTOR_BYTES 100.0
#define BASIS_BYTES 16.0
/* Solving with ILU's factors takes as long as so many matrices, for rows wait for each other. */
#define FACTORS 2.0
/* Seconds a nonzero that making multigrid takes. */
#define USUAL_SETUP 2e-7

EsSolverSettings
es_sparse_solve_read_settings (EsParams *values)
{
  const guint solver = es_params_get_choice (values, "solver"), format = es_params_get_choice (values, "format");

  return (EsSolverSettings) {
    .method = solver > 0 ? (EsSolverMethod) (solver - 1) : ES_SOLVER_GMRES,
    .preconditioner = (EsPreconditionerKind) es_params_get_choice (values, "preconditioner"),
    .orthogonal = (EsOrthogonal) es_params_get_choice (values, "orthogonal"),
    .tolerance = es_params_get_float (values, "tolerance"),
    .iterations = (guint) es_params_get_int (values, "iterations"),
    .restart = (guint) es_params_get_int (values, "restart"),
    .block = (guint) es_params_get_int (values, "block"),
    .smoothing = (guint) es_params_get_int (values, "smoothing"),
    .strength = es_params_get_float (values, "strength"),
    .type = es_params_get_choice (values, "precision") == 0 ? ESK_F64 : ESK_F32,
    .format = format > 0 ? (EskSparseFormat) (format - 1) : ESK_SPARSE_CSR_VECTOR,
    .options = { .full_warps = -1 },
  };
}

EskCsr
es_sparse_solve_get_csr (EsSparseMatrix *matrix)
{
  return (EskCsr) { es_sparse_matrix_get_n_rows (matrix), es_sparse_matrix_get_n_columns (matrix), ESK_F64,
                    es_sparse_matrix_get_row_from (matrix), es_sparse_matrix_get_columns (matrix),
                    es_sparse_matrix_get_values (matrix) };
}

/* Of the matrix as it lies in memory, which is read once, however often it is multiplied with. */
static guint64
matrix_bytes (const EskCsr *csr)
{
  return (guint64) esk_csr_n_nonzeros (csr) * (sizeof (double) + sizeof (gint32))
         + ((guint64) csr->rows + 1) * sizeof (gint32);
}

/* Bytes that an iteration moves. */
static double
iteration_bytes (const EskCsr *csr, const EsSolverSettings *settings)
{
  const double n = (double) csr->rows, kept = settings->restart > 0 ? settings->restart : ES_SOLVER_RESTART;
  const double matrix = (double) esk_csr_n_nonzeros (csr) * (4.0 + (double) esk_type_size (settings->type));
  const double factors = settings->preconditioner == ES_PRECONDITIONER_ILU ? FACTORS * matrix : 0;
  const double bytes = matrix + factors + VECTOR_BYTES * n;

  if (settings->method == ES_SOLVER_JACOBI)
    return matrix + VECTOR_BYTES * n;
  return (settings->preconditioner == ES_PRECONDITIONER_MULTIGRID ? bytes * (2 + 2.0 * settings->smoothing) : bytes)
         * (settings->method == ES_SOLVER_BICGSTAB ? 2 : 1)
         + (settings->method == ES_SOLVER_GMRES ? BASIS_BYTES * MIN (kept, n) / 2 * n : 0);
}

/* A value has its column beside it, but where it is one of a diagonal. */
static guint64
stored_bytes (double stored, const EsSolverSettings *settings)
{
  return (guint64) (stored * ((double) esk_type_size (settings->type)
                              + (settings->format == ESK_SPARSE_DIA ? 0.0 : sizeof (gint32))));
}

/* What a format that somebody has told takes more than the nonzeros: padding, as the statistics let expect. */
static guint64
padding_bytes (EsSparseMatrix *matrix, EsParams *values, const EsSolverSettings *settings)
{
  const gsize n_nonzeros = es_sparse_matrix_get_n_nonzeros (matrix);
  EsSparseProblem problem = { .n_rows = es_sparse_matrix_get_n_rows (matrix),
                              .n_columns = es_sparse_matrix_get_n_columns (matrix), .n_nonzeros = n_nonzeros,
                              .type = settings->type };
  EsSparsePrediction predictions[ESK_N_SPARSE_FORMATS];

  /* Statistics are asked for once, and pass all nonzeros then: of the others there is nothing to be known. */
  if (es_params_get_choice (values, "format") == 0
      || (settings->format != ESK_SPARSE_DIA && settings->format != ESK_SPARSE_ELL))
    return 0;
  problem.statistics = es_sparse_matrix_get_statistics (matrix);
  es_sparse_predict (&problem, predictions);
  return stored_bytes (MAX (predictions[settings->format].stored - (double) n_nonzeros, 0), settings);
}

EsPlan
es_sparse_solve_plan (EsDataset *dataset, EsParams *values, EsDevice *device, const EsLimits *limits)
{
  EsSparseMatrix *matrix = ES_SPARSE_MATRIX (dataset);
  const EskCsr csr = es_sparse_solve_get_csr (matrix);
  const gsize n = csr.rows, n_nonzeros = esk_csr_n_nonzeros (&csr);
  EsSolverSettings settings = es_sparse_solve_read_settings (values);
  gboolean is_known;

  if (es_params_get_choice (values, "solver") == 0 && es_solver_looks_definite (&csr))
    settings.method = ES_SOLVER_CG;

  const guint64 padding = padding_bytes (matrix, values, &settings);
  const guint64 there = es_solver_memory (n, n_nonzeros, &settings) + padding;
  const gboolean multigrid = settings.preconditioner == ES_PRECONDITIONER_MULTIGRID
                             && settings.method != ES_SOLVER_JACOBI;
  const guint iterations = es_solver_forecast (&csr, &settings, &is_known);
  const double bytes = iteration_bytes (&csr, &settings) + (double) padding;
  const double seconds = iterations * bytes / (es_device_is_cpu (device) ? USUAL_BANDWIDTH : USUAL_BANDWIDTH_CARD);

  return (EsPlan) { .passes = 1, .tiles = 1, .tile_width = n, .tile_height = 1,
                    .read_bytes = matrix_bytes (&csr), .written_bytes = 8 * (guint64) n,
                    .flops = iterations * (2.0 * (double) n_nonzeros + 10.0 * (double) n),
                    .memory = (es_device_is_cpu (device) ? there : 0) + 40 * (guint64) n
                              + es_solver_setup_memory (n, n_nonzeros, &settings)
                              + (settings.type == ESK_F32 ? 4 * (guint64) n_nonzeros : 0),
                    .device_memory = es_device_is_cpu (device) ? 0 : there,
                    .seconds = seconds * (es_params_get_bool (values, "compare") ? 3 : 1)
                               + (1e-8 + (multigrid ? USUAL_SETUP : 0)) * (double) n_nonzeros,
                    .guessed = is_known ? 0 : iterations };
}

gboolean
es_sparse_solve_check_padding (EsSparseSolve *self, GError **error)
{
  const double n_nonzeros = MAX ((double) esk_csr_n_nonzeros (&self->csr), 1);
  EskSparseOptions options = self->settings.options;
  g_autofree char *what = NULL;
  guint64 stored;

  /* How many warps are enough the device alone knows. */
  options.full_warps = MAX (options.full_warps, 0);
  if (es_params_get_choice (self->params, "format") == 0
      || esk_sparse_stored (&self->csr, self->settings.format, &options, &stored) != ESK_OK
      || (double) stored <= n_nonzeros)
    return TRUE;
  /* TRANSLATORS: begins a sentence which goes on with "takes 6 GiB of memory": matrix, format ("DIA") */
  what = g_strdup_printf (_("“%s” in the format “%s”, padded to %.0f values a nonzero,"),
                          es_dataset_get_name (ES_DATASET (self->matrix)),
                          es_sparse_format_get_title (self->settings.format), (double) stored / n_nonzeros);
  return es_limits_check_host_memory (es_job_get_limits (self->job), (EsMemoryShare) { 1, 2 },
                                      stored_bytes ((double) stored, &self->settings), what, error);
}
