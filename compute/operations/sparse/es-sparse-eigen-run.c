/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Eigenpairs from one end of a symmetric sparse matrix, as an operation; they are found in eigen/. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "eigen/es-sparse-eigen-internal.h"
#include "es-sparse-operations-internal.h"
#include "job/es-job-internal.h"
#include "layer/es-layer-internal.h"
#include "matrix/es-sparse-matrix.h"
#include "result/es-result-internal.h"

#define MOST_PAIRS 500
/* Of es_sparse_eigen_plan_work (), in a second. */
#define WORK_RATE 4e9
/* Vectors are shown where they are few and no longer than this together. */
#define MOST_SHOWN 2000000

static const EsParamChoice ends[] = {
  { .id = "largest", .label = N_("Largest") }, { .id = "smallest", .label = N_("Smallest") }, { .id = NULL }
};

static const EsParamSpec params[] = {
  { .key = "end", .label = N_("Eigenvalues"),
    .help = N_("The largest are found by products with the matrix, and by solutions with a factor where these come too "
               "slowly; the smallest by a factor from the beginning. Where it does not fit, by products alone."),
    .type = ES_PARAM_CHOICE, .choices = ends },
  { .key = "number", .label = N_("How many"), .help = N_("So many pairs, from that end on."),
    .type = ES_PARAM_INT, .minimum = 1, .maximum = MOST_PAIRS, .default_value = 6 },
  { .key = "tolerance", .label = N_("Tolerance"),
    .help = N_("Of |A v − λ v|, as a part of the matrix’s norm."),
    .type = ES_PARAM_FLOAT, .minimum = 1e-14, .maximum = 1e-2, .step = 1e-11, .digits = 14, .default_value = 1e-10,
    .advanced = TRUE },
  { .key = "factor", .label = N_("By a factor"),
    .help = N_("Solutions with a Cholesky factor of the shifted matrix: of the smallest at once, of the largest where "
               "products come too slowly. Without it by products alone, which may take many more of them but less "
               "memory."),
    .type = ES_PARAM_BOOL, .default_value = TRUE, .advanced = TRUE },
  { .type = ES_PARAM_END }
};

static EsPlan
plan (EsDataset *dataset, EsParams *values, EsDevice *device, const EsLimits *limits)
{
  EsSparseMatrix *matrix = ES_SPARSE_MATRIX (dataset);
  const gsize n = es_sparse_matrix_get_n_rows (matrix), n_nonzeros = es_sparse_matrix_get_n_nonzeros (matrix);
  const guint m = (guint) es_params_get_int (values, "number");
  /* As the factor's own limit is (es-eigen-inverse.c). */
  const guint64 room = es_params_get_bool (values, "factor")
                       ? es_limits_get_host_memory (limits, (EsMemoryShare) { 2, 2 }) : 0;
  const EsEigenEnd end = es_params_get_choice (values, "end") == 0 ? ES_EIGEN_LARGEST : ES_EIGEN_SMALLEST;
  guint guessed;
  const double flops = es_sparse_eigen_plan_work (n, n_nonzeros, end, m, room, &guessed);

  return (EsPlan) { .passes = 1, .tiles = 1, .tile_width = n, .tile_height = 1,
                    .read_bytes = 12 * (guint64) n_nonzeros + 4 * ((guint64) n + 1),
                    .written_bytes = 8 * (guint64) n * m, .flops = flops,
                    .memory = es_sparse_eigen_plan_memory (n, n_nonzeros, m) + 8 * (guint64) n * m,
                    .seconds = flops / WORK_RATE, .guessed = guessed, .host_seconds = flops / WORK_RATE };
}

/* ---- what is told ---- */

typedef struct
{
  EskCsr       csr;
  guint        m;
  double      *values, *vectors, *residuals;
  EsEigenFacts facts;
  double       tolerance;      /* of the norm */
} Pairs;

/* |A v - value v| of each pair, one row after the other: by nothing that found them. Added up as parts of the norm,
 * whose squares are numbers whatever the matrix is measured in. */
static gboolean
find_residuals (Pairs *self, EsJob *job, GError **error)
{
  const double *value = self->csr.value, unit = self->facts.norm > 0 ? self->facts.norm : 1;

  for (guint k = 0; k < self->m; k++)
    {
      const double *v = self->vectors + k * self->csr.rows;
      double sum = 0;

      if (es_job_is_cancelled (job, error))
        return FALSE;
      for (gsize i = 0; i < self->csr.rows; i++)
        {
          double difference = -self->values[k] * v[i];

          for (gint32 j = self->csr.row_from[i]; j < self->csr.row_from[i + 1]; j++)
            difference += value[j] * v[self->csr.column[j]];
          sum += difference / unit * (difference / unit);
        }
      self->residuals[k] = sqrt (sum) * unit;
    }
  return TRUE;
}

static void
add_values (const Pairs *self, EsResult *result)
{
  g_autofree double *number = g_new (double, self->m);
  g_autoptr (EsTable) table = es_table_new ("eigenvalues", _("Eigenvalues"));
  g_autoptr (EsCurve) curve = NULL;

  es_table_add_column (table, _("Pair"), NULL, 0);
  es_table_add_column (table, _("Eigenvalue"), NULL, ES_TABLE_SIGNIFICANT + 12);
  es_table_add_column (table, _("|A v − λ v|"), NULL, ES_TABLE_SIGNIFICANT + 3);
  es_table_add_column (table, _("Of the matrix’s norm"), NULL, ES_TABLE_SIGNIFICANT + 3);
  for (guint k = 0; k < self->m; k++)
    {
      const double share = self->facts.norm > 0 ? self->residuals[k] / self->facts.norm : NAN;

      number[k] = k + 1;
      es_table_add_row (table, (gconstpointer[]) { &number[k], &self->values[k], &self->residuals[k], &share });
    }
  curve = es_curve_new ("values", _("Eigenvalues"), "eigenvalues", self->m, number, _("Pair"), NULL);
  es_curve_add_series (curve, _("Eigenvalue"), NULL, ES_CURVE_STEM, FALSE, self->values);
  es_result_add_layer (result, ES_LAYER (curve));
  es_result_add_layer (result, ES_LAYER (table));
}

static void
add_vectors (const Pairs *self, EsResult *result)
{
  const gsize n = self->csr.rows;
  g_autofree double *row = NULL;
  g_autoptr (EsCurve) curve = NULL;

  if (n * self->m > MOST_SHOWN)
    {
      es_result_add_warning (result, _("The %u vectors of %zu numbers are neither shown nor written: "
                                       "they are too many."), self->m, n);
      return;
    }
  row = g_new (double, n);
  for (gsize i = 0; i < n; i++)
    row[i] = (double) (i + 1);
  curve = es_curve_new ("vectors", _("Eigenvectors"), "eigenvectors", (guint) n, row, _("Row"), NULL);
  for (guint k = 0; k < self->m; k++)
    {
      /* TRANSLATORS: an eigenvector and its number */
      g_autofree char *title = g_strdup_printf (_("Vector %u"), k + 1);

      es_curve_add_series (curve, title, NULL, ES_CURVE_LINE, FALSE, self->vectors + k * n);
    }
  es_result_add_layer (result, ES_LAYER (curve));
}

static double
find_largest (const Pairs *self)
{
  double largest = 0;

  for (guint k = 0; k < self->m; k++)
    largest = MAX (largest, self->residuals[k]);
  return largest;
}

/* What is not as exact as was wanted; NULL: all is. Transfer full. */
static char *
describe_excess (const Pairs *self)
{
  const double largest = find_largest (self), allowed = self->tolerance * self->facts.norm;

  if (largest <= allowed)
    return NULL;
  return g_strdup_printf (_("Not as exact as wanted: |A v − λ v| is up to %.3g, %.3g times what the tolerance allows."),
                          largest, largest / allowed);
}

static EsVerdict *
make_verdict (const Pairs *self)
{
  const EsEigenFacts *facts = &self->facts;
  EsVerdict *verdict = es_verdict_new ("verdict", _("Verdict"));
  g_autofree char *sentence = NULL, *how = NULL, *excess = describe_excess (self);

  sentence = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u eigenpair was found; |A v − λ v| is at most %.3g.",
                                           "%u eigenpairs were found; |A v − λ v| is at most %.3g.", self->m), self->m,
                              find_largest (self));
  es_verdict_add (verdict, excess == NULL ? ES_VERDICT_YES : ES_VERDICT_NO, FALSE,
                  excess == NULL ? sentence : excess,
                  _("|A v − λ v| is computed anew of every pair, in float64."));
  es_verdict_add_number (verdict, _("Norm of the matrix"), facts->norm, NULL);
  how = facts->method == ES_EIGEN_DENSE
        ? g_strdup_printf (_("Found by: %s."), es_eigen_method_get_name (facts->method))
        : g_strdup_printf (_("Found by: %s, %u products or solutions, %u restarts."),
                           es_eigen_method_get_name (facts->method), facts->products, facts->restarts);
  es_verdict_add (verdict, ES_VERDICT_TELLS, FALSE, how, NULL);
  if (facts->method == ES_EIGEN_INVERSE && facts->products_before > 0)
    {
      g_autofree char *before = g_strdup_printf (_("%u products came before it; going on with them would have "
                                                   "taken longer."), facts->products_before);
      es_verdict_add (verdict, ES_VERDICT_TELLS, FALSE, before, NULL);
    }
  if (facts->found_later > 0)
    {
      g_autofree char *later = g_strdup_printf (_("Of values that repeat, %u further vectors were found by searching "
                                                  "again."), facts->found_later);
      es_verdict_add (verdict, ES_VERDICT_TELLS, FALSE, later, NULL);
    }
  if (facts->factor_too_large)
    es_verdict_add (verdict, ES_VERDICT_TELLS, FALSE,
                    _("A factor of the matrix would not fit into the memory: products were used instead."), NULL);
  return verdict;
}

static void
publish (const Pairs *self, EsResult *result)
{
  g_autoptr (EsVerdict) verdict = make_verdict (self);
  g_autofree char *title = g_strdup_printf (_("Eigenvalues %.6g to %.6g"), self->values[0], self->values[self->m - 1]);
  JsonObject *values = json_object_new ();
  JsonArray *pairs = json_array_new ();
  g_autofree char *excess = describe_excess (self);

  if (excess != NULL)
    es_result_add_warning (result, "%s", excess);
  add_values (self, result);
  add_vectors (self, result);
  es_result_add_layer (result, ES_LAYER (verdict));
  for (guint k = 0; k < self->m; k++)
    {
      JsonObject *pair = json_object_new ();

      json_object_set_double_member (pair, "value", self->values[k]);
      json_object_set_double_member (pair, "residual", self->residuals[k]);
      json_array_add_object_element (pairs, pair);
    }
  json_object_set_array_member (values, "eigenvalues", pairs);
  json_object_set_string_member (values, "method", self->facts.method == ES_EIGEN_DENSE ? "dense"
                                 : self->facts.method == ES_EIGEN_LANCZOS ? "lanczos"
                                 : self->facts.method == ES_EIGEN_FILTER ? "filter"
                                 : self->facts.method == ES_EIGEN_CARD ? "card" : "inverse");
  json_object_set_double_member (values, "norm", self->facts.norm);
  json_object_set_int_member (values, "products", self->facts.products);
  json_object_set_int_member (values, "products-before", self->facts.products_before);
  es_result_set_values (result, values);
  es_result_set_title (result, title);
}

/* ---- running ---- */

static void
tell_progress (double fraction, gpointer data)
{
  es_job_set_fraction (data, fraction);
}

static EsResult *
run (EsJob *job, EsDataset *dataset, EsParams *values, GError **error)
{
  EsSparseMatrix *matrix = ES_SPARSE_MATRIX (dataset);
  const gsize n = es_sparse_matrix_get_n_rows (matrix);
  const EsLimits *limits = es_job_get_limits (job);
  const guint m = (guint) es_params_get_int (values, "number");
  const EsEigenOptions options = {
    .tolerance = es_params_get_float (values, "tolerance"), .threads = limits->threads,
    .without_factor = !es_params_get_bool (values, "factor"), .limits = limits, .progress = tell_progress,
    .user_data = job, .cancellable = es_job_get_cancellable (job),
  };
  g_autoptr (EsResult) result = es_result_new (&es_operation_sparse_eigen, dataset, values);
  g_autofree double *lambda = NULL, *vectors = NULL, *residuals = NULL;
  Pairs self = { .m = m, .tolerance = options.tolerance };

  self.csr = (EskCsr) { n, es_sparse_matrix_get_n_columns (matrix), ESK_F64, es_sparse_matrix_get_row_from (matrix),
                        es_sparse_matrix_get_columns (matrix), es_sparse_matrix_get_values (matrix) };
  lambda = g_try_new0 (double, m);
  vectors = g_try_new0 (double, m * MAX (n, 1));
  residuals = g_try_new0 (double, m);
  if (lambda == NULL || vectors == NULL || residuals == NULL)
    {
      es_compute_error_no_memory (_("the eigenvectors"), error);
      return NULL;
    }
  self.values = lambda;
  self.vectors = vectors;
  self.residuals = residuals;
  es_job_begin_stage (job, "eigen", _("Eigenpairs"), 1);
  if (!es_sparse_eigen_find (&self.csr, es_params_get_choice (values, "end") == 0 ? ES_EIGEN_LARGEST
                                                                                : ES_EIGEN_SMALLEST,
                             m, &options, lambda, vectors, &self.facts, error))
    return NULL;
  es_job_begin_stage (job, "check", _("Checking"), 0);
  if (!find_residuals (&self, job, error))
    return NULL;
  publish (&self, result);
  return g_steal_pointer (&result);
}

const EsOperation es_operation_sparse_eigen = {
  .id = "sparse-eigen",
  .title = N_("Eigenpairs of a sparse matrix"),
  .short_title = N_("Eigenpairs"),
  .summary = N_("Finds some of the largest or smallest eigenvalues of a symmetric matrix with their vectors, and holds "
                "every pair against its residual."),
  .version = 1,
  .takes = ES_DATASET_MATRIX,
  .on_host = TRUE,
  .params = params,
  .plan = plan,
  .run = run,
};
