/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Principal component analysis (hyperspectral.md 2.1 and 2.2).
 *
 * Pass 0  8-bit quantising: the range of every band; otherwise, for float: a first estimate of the mean from a few rows
 * Pass 1  covariance sums
 *         eigenproblem in float64, selection
 * Pass 2  projection
 *
 * Sums are taken over the values as stored; where bands have different scales the covariance is scaled afterwards,
 * in float64, and the scale is folded into the projection.
 */

#include "es-pca-private.h"

#include <glib/gi18n-lib.h>

/* How long the stages take, for the progress. */
#define WEIGHT_RANGES 0.2
#define WEIGHT_COVARIANCE 0.55
#define WEIGHT_TRANSFORM 0.2

enum { STAGE_SUMS, STAGE_EIGEN, STAGE_SELECT };

static const EsParamChoice scaling_choices[] = {
  { .id = "covariance", .label = N_("Covariance") },
  { .id = "correlation", .label = N_("Correlation") },
  { .id = NULL }
};

static const EsParamSpec pca_params[] = {
  { .key = "scaling", .label = N_("Scaling"),
    .help = N_("Whether bands keep their variances (covariance) or count alike (correlation)."),
    .type = ES_PARAM_CHOICE, .choices = scaling_choices, .stage = STAGE_EIGEN },
  { .key = "center", .label = N_("Remove the mean"),
    .help = N_("Subtracts the mean spectrum before the projection; without it every component is shifted by a "
               "constant."),
    .type = ES_PARAM_BOOL, .default_value = TRUE, .stage = STAGE_SELECT },
  { .key = "quantise", .label = N_("Quantise"),
    .help = N_("Stretches each band from its minimum to its maximum over 0 to 255 first, as in the published "
               "programs."),
    .type = ES_PARAM_CHOICE, .choices = es_reduction_quantise_choices, .stage = STAGE_SUMS },
  { .key = "eigensolver", .label = N_("Eigensolver"),
    .help = N_("How the band by band eigenproblem is solved: LAPACK, or the published cyclic Jacobi rotations."),
    .type = ES_PARAM_CHOICE, .choices = es_reduction_eigensolver_choices, .stage = STAGE_EIGEN },
  { .key = "threshold", .label = N_("Variance kept"),
    .help = N_("The components kept are the fewest whose share of the total variance reaches this."),
    .type = ES_PARAM_FLOAT, .unit = "%", .group = ES_PARAM_GROUP_THRESHOLDS,
    .minimum = 0.5, .maximum = 1, .step = 0.001, .digits = 2, .default_value = 0.99,
    .visible_if = "components=0", .stage = STAGE_SELECT },
  { .key = "components", .label = N_("Components"),
    .help = N_("How many components are kept; 0 leaves it to the variance kept."),
    .type = ES_PARAM_INT, .group = ES_PARAM_GROUP_THRESHOLDS, .maximum = 65535, .zero_label = N_("By variance"),
    .stage = STAGE_SELECT },
  { .type = ES_PARAM_END }
};

static EsPlan
pca_plan (EsDataset *dataset, EsParams *params, EsDevice *device, const EsLimits *limits)
{
  EsCube *cube = ES_CUBE (dataset);
  const guint n = MAX (es_cube_get_n_good_bands (cube), 1);
  const double pixels = (double) es_cube_get_width (cube) * es_cube_get_height (cube);
  const gint64 wanted = es_params_get_int (params, "components");
  const guint m = wanted > 0 ? MIN (wanted, n) : MIN (n, 27);        /* an estimate: see hyperspectral.md 1.1 */
  const gboolean jacobi = es_params_get_choice (params, "eigensolver") == 1;
  const gboolean on_cpu = es_device_is_cpu (device);
  const EsReductionCost cost = {
    .passes = es_params_get_choice (params, "quantise") == 1 ? 3 : 2, .n = n, .m = m,
    .flops = pixels * n * (n + 1.0) + 2 * pixels * n * m,
    /* The constant is that of tridiagonal reduction, or of some ten sweeps of rotations; a card is faster at the
     * former. */
    .host_seconds = (jacobi ? 1.3e-8 : on_cpu ? 3e-10 : 3e-11) * n * n * n,
  };

  return es_reduction_plan (cube, device, limits, &cost);
}

static char **
pca_list_planes (EsDataset *dataset, EsParams *params)
{
  return es_reduction_list_planes (ES_CUBE (dataset), es_params_get_int (params, "components"), es_pca_dup_title);
}

static EsImageStack *
project (EsJob *job, EsCube *cube, EsReduction *found, EsParams *params, const double *basis, guint m, GError **error)
{
  const gboolean center = es_params_get_bool (params, "center");
  g_auto (GStrv) titles = g_new0 (char *, m + 1);
  g_autofree double *shares = g_new (double, m);

  for (guint i = 0; i < m; i++)
    {
      titles[i] = es_pca_dup_title (i);
      shares[i] = found->values[i] / found->total;
    }
  const EsProjection projection = {
    .name = "components", .title = _("Components"), .m = m, .basis = basis, .mean = es_reduction_origin (found, center),
    .plane_titles = (const char *const *) titles, .shares = shares, .is_signed = center, .show = TRUE,
    .weight = WEIGHT_TRANSFORM,
  };
  return es_reduction_project (job, cube, found, &projection, error);
}

/* ---- the operation ---- */

static EsResult *
pca_run (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  EsCube *cube = ES_CUBE (dataset);
  EsResult *previous = es_job_get_previous (job);
  const gboolean quantise = es_params_get_choice (params, "quantise") == 1;
  const EsReductionChoice kept = { .threshold = es_params_get_float (params, "threshold"),
                                   .wanted = es_params_get_int (params, "components") };
  guint first = STAGE_SUMS;
  g_autoptr (EsReduction) found = NULL;
  g_autoptr (EsImageStack) stack = NULL;
  EsResult *result;

  es_job_add_stage_ms (job, "input", _("Input"), 0);
  if (previous != NULL && es_result_get_operation (previous) == &es_operation_pca
      && es_result_get_state (previous) != NULL)
    first = es_params_first_changed_stage (params, es_result_get_params (previous));
  if (first >= STAGE_SELECT && !es_reduction_has_vectors (es_result_get_state (previous), &kept))
    first = STAGE_EIGEN;

  const double eigenproblem = es_reduction_host_weight (job, pca_plan, cube, params,
                                                        WEIGHT_TRANSFORM + WEIGHT_COVARIANCE
                                                        + (quantise ? WEIGHT_RANGES : 0));
  es_job_set_total_weight (job, WEIGHT_TRANSFORM + (first <= STAGE_EIGEN ? eigenproblem : 0)
                                + (first <= STAGE_SUMS ? WEIGHT_COVARIANCE + (quantise ? WEIGHT_RANGES : 0) : 0));

  if (first >= STAGE_SELECT)
    found = es_reduction_ref (es_result_get_state (previous));
  else
    {
      found = es_reduction_new (cube, es_job_get_limits (job), _("a principal component analysis"), error);
      if (found == NULL)
        return NULL;

      if (first == STAGE_EIGEN)
        es_reduction_take_sums (found, es_result_get_state (previous));
      else if (!es_reduction_find_sums (job, cube, found, quantise, WEIGHT_RANGES, WEIGHT_COVARIANCE, error))
        return NULL;
      if (!es_reduction_solve (job, cube, found, es_params_get_choice (params, "scaling") == 1,
                               es_params_get_choice (params, "eigensolver") == 1, &kept, eigenproblem, error))
        return NULL;
    }

  es_job_begin_stage (job, "selection", _("Selection"), 0);
  const guint n = found->n;
  const guint m = es_reduction_select (found->values, n, found->total, kept.threshold, kept.wanted);
  g_autofree double *basis = g_new (double, (gsize) m * n);
  for (gsize i = 0; i < (gsize) m * n; i++)
    basis[i] = found->vectors[i] * found->scale[i % n];
  EsPcaDescription *description = es_pca_describe_start (cube, params, found, basis, m);
  stack = project (job, cube, found, params, basis, m, error);
  result = es_pca_describe_finish (description, stack);
  if (stack == NULL)
    return NULL;
  es_result_set_state (result, es_reduction_ref (found), (GDestroyNotify) es_reduction_unref);
  return result;
}

const EsOperation es_operation_pca = {
  .id = "pca",
  .title = N_("Principal components"),
  .short_title = N_("PCA"),
  .group = N_("Linear"),
  .summary = N_("Finds the directions in which the spectra vary most, and shows the scene along each of them."),
  .version = 1,
  .takes = ES_DATASET_CUBE,
  .by_ranks = TRUE,
  .resumes = TRUE,
  .params = pca_params,
  .plan = pca_plan,
  .list_planes = pca_list_planes,
  .run = pca_run,
};
