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

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-error.h"
#include "es-job-private.h"
#include "es-layer-private.h"
#include "es-operation-private.h"
#include "es-pca-private.h"
#include "es-result-private.h"

enum { STAGE_SUMS, STAGE_EIGEN, STAGE_SELECT };

static const EsParamChoice scaling_choices[] = {
  { "covariance", N_("Covariance") },
  { "correlation", N_("Correlation") },
  { NULL }
};
static const EsParamChoice quantise_choices[] = {
  { "none", N_("None") },
  { "8bit", N_("8 bit, each band 0 to 255") },
  { NULL }
};
static const EsParamChoice eigensolver_choices[] = {
  { "lapack", N_("LAPACK") },
  { "jacobi", N_("Jacobi rotations") },
  { NULL }
};

static const EsParamSpec pca_params[] = {
  { "scaling", N_("Scaling"),
    N_("Whether bands keep their variances (covariance) or count alike (correlation)."), NULL,
    ES_PARAM_CHOICE, ES_PARAM_GROUP_ALGORITHM, 0, 1, 0, 1, 0, scaling_choices, NULL, NULL, STAGE_EIGEN },
  { "center", N_("Remove the mean"),
    N_("Subtracts the mean spectrum before the projection; without it every component is shifted by a constant."), NULL,
    ES_PARAM_BOOL, ES_PARAM_GROUP_ALGORITHM, 0, 1, 1, 1, 0, NULL, NULL, NULL, STAGE_SELECT },
  { "quantise", N_("Quantise"),
    N_("Stretches each band from its minimum to its maximum over 0 to 255 first, as in the published programs."), NULL,
    ES_PARAM_CHOICE, ES_PARAM_GROUP_ALGORITHM, 0, 1, 0, 1, 0, quantise_choices, NULL, NULL, STAGE_SUMS },
  { "eigensolver", N_("Eigensolver"),
    N_("How the band by band eigenproblem is solved: LAPACK, or the published cyclic Jacobi rotations."), NULL,
    ES_PARAM_CHOICE, ES_PARAM_GROUP_ALGORITHM, 0, 1, 0, 1, 0, eigensolver_choices, NULL, NULL, STAGE_EIGEN },
  { "threshold", N_("Variance kept"),
    N_("The components kept are the fewest whose share of the total variance reaches this."), "%",
    ES_PARAM_FLOAT, ES_PARAM_GROUP_THRESHOLDS, 0.5, 1, 0.99, 0.001, 2, NULL, "components=0", NULL, STAGE_SELECT },
  { "components", N_("Components"),
    N_("How many components are kept; 0 leaves it to the variance kept."), NULL,
    ES_PARAM_INT, ES_PARAM_GROUP_THRESHOLDS, 0, 65535, 0, 1, 0, NULL, NULL, N_("By variance"), STAGE_SELECT },
  { .type = ES_PARAM_END }
};

static EsPcaState *
pca_state_ref (EsPcaState *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

static void
pca_state_unref (gpointer data)
{
  EsPcaState *self = data;

  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_free (self->bands);
  g_free (self->no_data);
  g_free (self->minimum);
  g_free (self->maximum);
  g_free (self->mean);
  g_free (self->covariance);
  g_free (self->scale);
  g_free (self->values);
  g_free (self->vectors);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsPcaState, pca_state_unref)

static EsPcaState *
pca_state_new (EsCube *cube, const EsLimits *limits, GError **error)
{
  g_autoptr (EsPcaState) self = g_new0 (EsPcaState, 1);
  const gboolean *good = es_cube_get_good_bands (cube);
  guint all = es_cube_get_bands (cube);
  gsize n = es_cube_get_n_good_bands (cube), bytes;

  g_atomic_ref_count_init (&self->references);
  if (n < 2)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                   g_dngettext (GETTEXT_PACKAGE,
                                "“%s” has %u good band of %u: a principal component analysis needs at least two.",
                                "“%s” has %u good bands of %u: a principal component analysis needs at least two.", n),
                   es_dataset_get_name (ES_DATASET (cube)), (guint) n, all);
      return NULL;
    }

  self->n = n;
  self->bands = g_new (guint32, n);
  self->no_data = g_new (double, n);
  self->mean = g_new0 (double, n);
  self->scale = g_new0 (double, n);
  self->values = g_new0 (double, n);
  /* Linux promises more than it has, and ends the process that believes it. */
  if (!g_size_checked_mul (&bytes, n * n, sizeof (double))
      || bytes > (limits->memory > 0 ? limits->memory : es_device_get_memory (es_device_get_cpu ())) / ES_PCA_MATRICES
      || (self->covariance = g_try_malloc0 (bytes)) == NULL || (self->vectors = g_try_malloc0 (bytes)) == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                   _("There is not enough memory for a covariance matrix of %u bands."), (guint) n);
      return NULL;
    }

  for (guint band = 0, i = 0; band < all; band++)
    if (good[band])
      {
        self->bands[i] = band;
        if (!es_cube_get_no_data (cube, band, &self->no_data[i]))
          self->no_data[i] = NAN;
        i++;
      }
  return g_steal_pointer (&self);
}

static double *
copy_doubles (const double *values, gsize n)
{
  return g_memdup2 (values, n * sizeof (double));
}

/* The sums of another state, for another eigenproblem over them. */
static void
pca_state_take_sums (EsPcaState *self, EsPcaState *other)
{
  memcpy (self->mean, other->mean, self->n * sizeof (double));
  memcpy (self->covariance, other->covariance, (gsize) self->n * self->n * sizeof (double));
  self->minimum = copy_doubles (other->minimum, self->n);
  self->maximum = copy_doubles (other->maximum, self->n);
  self->count = other->count;
}

EskSelection
es_pca_selection (EsPcaState *state)
{
  return (EskSelection) { state->bands, state->n, state->no_data, state->minimum, state->maximum };
}

gpointer
es_pca_out_of_memory (const char *what, GError **error)
{
  es_device_check (es_device_get_cpu (), NULL, ESK_ERROR_MEMORY, what, error);
  return NULL;
}

/* The smallest m whose cumulative share reaches the threshold (hyperspectral.md 2.1, step 3). */
static guint
select_components (EsPcaState *state, EsParams *params)
{
  gint64 wanted = es_params_get_int (params, "components");
  double threshold = es_params_get_float (params, "threshold"), sum = 0;

  if (wanted > 0)
    return MIN (wanted, state->n);
  for (guint i = 0; i < state->n; i++)
    {
      sum += state->values[i];
      if (sum >= threshold * state->total)
        return i + 1;
    }
  return state->n;
}

/* ---- the operation ---- */

static EsResult *
pca_run (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  EsCube *cube = ES_CUBE (dataset);
  EsResult *previous = es_job_get_previous (job);
  guint first = STAGE_SUMS;
  g_autoptr (EsPcaState) state = NULL;
  g_autoptr (EsImageStack) stack = NULL;
  EsResult *result;
  guint m;

  const gboolean quantise = es_params_get_choice (params, "quantise") == 1;
  es_job_add_stage_ms (job, "input", _("Input"), 0);
  if (previous != NULL && es_result_get_dataset (previous) == dataset
      && es_result_get_operation (previous) == &es_operation_pca && es_result_get_state (previous) != NULL)
    first = es_params_first_changed_stage (params, es_result_get_params (previous));

  const double sums = ES_PCA_WEIGHT_COVARIANCE + (quantise ? ES_PCA_WEIGHT_RANGES : 0);
  es_job_set_total_weight (job, ES_PCA_WEIGHT_TRANSFORM + (first <= STAGE_EIGEN ? ES_PCA_WEIGHT_EIGENPROBLEM : 0)
                                + (first <= STAGE_SUMS ? sums : 0));

  if (first >= STAGE_SELECT)
    state = pca_state_ref (es_result_get_state (previous));
  else
    {
      state = pca_state_new (cube, es_job_get_limits (job), error);
      if (state == NULL)
        return NULL;

      if (first == STAGE_EIGEN)
        pca_state_take_sums (state, es_result_get_state (previous));
      else if (!es_pca_find_sums (job, cube, state, params, error))
        return NULL;
      if (!es_pca_solve (job, cube, state, params, error))
        return NULL;
    }

  es_job_begin_stage (job, "selection", _("Selection"), 0);
  m = select_components (state, params);
  stack = es_pca_project (job, cube, state, params, m, error);
  if (stack == NULL)
    return NULL;

  EsPcaSummary summary = {
    .n = state->n, .bands = state->bands, .count = state->count, .mean = state->mean, .values = state->values,
    .vectors = state->vectors, .total = state->total, .constant_bands = state->constant_bands,
    .sweeps = state->sweeps, .off_norm = state->off_norm, .m = m,
  };
  result = es_pca_describe (&es_operation_pca, cube, params, stack, &summary);
  es_result_set_state (result, pca_state_ref (state), pca_state_unref);
  return result;
}

const EsOperation es_operation_pca = {
  .id = "pca",
  .title = N_("Principal components"),
  .short_title = N_("PCA"),
  .summary = N_("Finds the directions in which the spectra vary most, and shows the scene along each of them."),
  .version = 1,
  .takes = ES_DATASET_CUBE,
  .params = pca_params,
  .plan = es_pca_plan,
  .run = pca_run,
};
