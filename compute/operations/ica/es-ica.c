/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * FastICA (hyperspectral.md 2.3): components that are as little Gaussian, and so as independent, as a rotation of the
 * whitened principal components can make them.
 *
 * Pass 0, 1  as of a principal component analysis: ranges where quantised, covariance; eigenproblem, selection
 * Pass 2     whitened samples into a store of their own, or their moments up to the fourth
 *            iteration over these alone
 * Pass 3     the components: of the whitened samples, where those are of every pixel and lie where components are to,
 *            otherwise straight from the cube
 */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "ranks/es-ranks-internal.h"
#include "es-ica-private.h"

enum { STAGE_SUMS, STAGE_EIGEN, STAGE_WHITEN, STAGE_ITERATE, STAGE_TRANSFORM };

/* Eigenvalues below this share of the largest are nothing but rounding: of sums that are exact, and of those that are
 * taken in float32 inside a tile, which leave 3e-8 of the largest where there should be nothing. */
#define EXACT_TOLERANCE 1e-10
#define FLOAT_TOLERANCE 2e-7

static const EsParamChoice approach_choices[] = {
  { .id = "deflation", .label = N_("One after the other") },
  { .id = "symmetric", .label = N_("All at once") },
  { .id = NULL }
};
static const EsParamChoice g_choices[] = {
  { .id = "cubic", .label = N_("Cubic") },
  { .id = "tanh", .label = N_("Hyperbolic tangent") },
  { .id = "gauss", .label = N_("Gaussian") },
  { .id = NULL }
};
static const EsParamChoice start_choices[] = {
  { .id = "random", .label = N_("Random") },
  { .id = "identity", .label = N_("Bands") },
  { .id = "pca", .label = N_("Principal components") },
  { .id = NULL }
};
static const EsParamChoice order_choices[] = {
  { .id = "kurtosis", .label = N_("Kurtosis") },
  { .id = "negentropy", .label = N_("Negentropy") },
  { .id = "variance", .label = N_("Explained variance") },
  { .id = NULL }
};
static const EsParamChoice moments_choices[] = {
  { .id = "auto", .label = N_("Where faster") },
  { .id = "always", .label = N_("Always") },
  { .id = "never", .label = N_("Never") },
  { .id = NULL }
};

/* Ten components by default: 99 % of the variance of a scene are three to five principal components, and what is
 * independent and rare (a material of a few pixels) is not among them. */
static const EsParamSpec ica_params[] = {
  { .key = "approach", .label = N_("Approach"),
    .help = N_("Whether components are estimated one after the other, each orthogonal to those before (deflation, as "
               "published), or all at once (symmetric), where none inherits the errors of others."),
    .type = ES_PARAM_CHOICE, .choices = approach_choices, .default_value = ES_ICA_SYMMETRIC, .stage = STAGE_ITERATE },
  { .key = "g", .label = N_("Contrast"),
    .help = N_("The function g that tells how far from Gaussian a component is: cubic is kurtosis and fast, the "
               "hyperbolic tangent serves most scenes, the Gaussian is the least disturbed by outliers."),
    .type = ES_PARAM_CHOICE, .choices = g_choices, .default_value = ESK_CONTRAST_TANH, .stage = STAGE_ITERATE },
  { .key = "slope", .label = N_("Slope"),
    .help = N_("The a of tanh (a y): larger values come nearer to the sign of y."),
    .type = ES_PARAM_FLOAT, .minimum = 1, .maximum = 2, .step = 0.05, .digits = 2, .default_value = 1,
    .visible_if = "g=tanh", .stage = STAGE_ITERATE },
  { .key = "order", .label = N_("Order"),
    .help = N_("What components are sorted by, the largest magnitude first. Signs are such that the skewness is "
               "positive; where it is below 0.01, such that the largest loading is."),
    .type = ES_PARAM_CHOICE, .choices = order_choices, .default_value = ES_ICA_BY_KURTOSIS, .stage = STAGE_TRANSFORM },
  { .key = "center", .label = N_("Remove the mean"),
    .help = N_("Subtracts the mean spectrum before the last projection; without it every component is shifted by a "
               "constant. What is estimated does not depend on it."),
    .type = ES_PARAM_BOOL, .default_value = TRUE, .stage = STAGE_TRANSFORM },
  { .key = "start", .label = N_("Start"),
    .help = N_("What the iteration starts from: random directions of the seed; bands, spread evenly over the spectrum "
               "(the identity in the space of bands, made orthogonal after whitening); or the whitened principal "
               "components."),
    .type = ES_PARAM_CHOICE, .choices = start_choices, .default_value = ES_ICA_START_RANDOM,
    .stage = STAGE_ITERATE, .advanced = TRUE },
  { .key = "seed", .label = N_("Seed"),
    .help = N_("Of the random directions and of the choice of pixels; the same seed gives the same components."),
    .type = ES_PARAM_INT, .maximum = G_MAXINT32, .default_value = 1, .stage = STAGE_ITERATE, .advanced = TRUE },
  { .key = "sample", .label = N_("Pixels used"),
    .help = N_("The share of the valid pixels, drawn once by the seed, that the iteration looks at; the components "
               "are of all pixels."),
    .type = ES_PARAM_FLOAT, .unit = "%",
    .minimum = 0.001, .maximum = 1, .step = 0.01, .digits = 1, .default_value = 1,
    .stage = STAGE_WHITEN, .advanced = TRUE },
  { .key = "moments", .label = N_("Moments"),
    .help = N_("With the cubic contrast the fourth-order moments of the samples, summed in one pass, can take the "
               "place of the samples in every step; the components are the same. Of 30 steps this is the faster way "
               "up to some 25 components on a CPU, some 25 on a GPU, and some 50 there where they are estimated one "
               "after the other."),
    .type = ES_PARAM_CHOICE, .choices = moments_choices, .default_value = ES_ICA_MOMENTS_AUTO,
    .stage = STAGE_WHITEN, .advanced = TRUE },
  { .key = "quantise", .label = N_("Quantise"),
    .help = N_("Stretches each band from its minimum to its maximum over 0 to 255 first, as in the published "
               "programs."),
    .type = ES_PARAM_CHOICE, .choices = es_reduction_quantise_choices, .stage = STAGE_SUMS, .advanced = TRUE },
  { .key = "eigensolver", .label = N_("Eigensolver"),
    .help = N_("How the band by band eigenproblem is solved: LAPACK, or the published cyclic Jacobi rotations."),
    .type = ES_PARAM_CHOICE, .choices = es_reduction_eigensolver_choices, .stage = STAGE_EIGEN, .advanced = TRUE },
  { .key = "components", .label = N_("Components"),
    .help = N_("How many principal components are whitened and rotated; 0 leaves it to the variance kept, which on "
               "most scenes are too few to hold what is rare."),
    .type = ES_PARAM_INT, .group = ES_PARAM_GROUP_THRESHOLDS,
    .maximum = 65535, .default_value = 10, .zero_label = N_("By variance"), .stage = STAGE_WHITEN },
  { .key = "threshold", .label = N_("Variance kept"),
    .help = N_("The principal components kept are the fewest whose share of the total variance reaches this."),
    .type = ES_PARAM_FLOAT, .unit = "%", .group = ES_PARAM_GROUP_THRESHOLDS,
    .minimum = 0.5, .maximum = 1, .step = 0.001, .digits = 2, .default_value = 0.999,
    .visible_if = "components=0", .stage = STAGE_WHITEN },
  { .key = "tolerance", .label = N_("Tolerance"),
    .help = N_("A component has converged when a step turns it by so little that 1 less the cosine, whatever its "
               "sign, is below this."),
    .type = ES_PARAM_FLOAT, .group = ES_PARAM_GROUP_THRESHOLDS,
    .minimum = 1e-10, .maximum = 0.1, .step = 1e-6, .digits = 10, .default_value = 1e-6, .stage = STAGE_ITERATE },
  { .key = "iterations", .label = N_("Steps at most"),
    .help = N_("How many steps a component is given; what has not converged by then is told, and shown all the same."),
    .type = ES_PARAM_INT, .group = ES_PARAM_GROUP_THRESHOLDS,
    .minimum = 1, .maximum = 10000, .step = 10, .default_value = 200, .stage = STAGE_ITERATE },
  { .type = ES_PARAM_END }
};

/* Kept with the result, so that what changes late repeats little. */
typedef struct
{
  EsReduction   *reduction;
  EsIcaSamples  *samples;
  EsIcaRotation *rotation;
} EsIcaState;

static void
ica_state_free (gpointer data)
{
  EsIcaState *self = data;

  g_clear_pointer (&self->reduction, es_reduction_unref);
  g_clear_pointer (&self->samples, es_ica_samples_unref);
  g_clear_pointer (&self->rotation, es_ica_rotation_unref);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsIcaState, ica_state_free)

EskContrast
es_ica_contrast (EsParams *params)
{
  return (EskContrast) { es_params_get_choice (params, "g"), es_params_get_float (params, "slope") };
}

/* ---- samples ---- */

EsIcaSamples *
es_ica_samples_ref (EsIcaSamples *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
es_ica_samples_unref (EsIcaSamples *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_free (self->whitening);
  g_free (self->deviations);
  g_clear_pointer (&self->store, es_sample_store_unref);
  if (self->moments != NULL)
    esk_moment_table_clear (self->moments);
  g_free (self->moments);
  g_free (self->preview);
  g_free (self);
}

/* How many eigenvalues are more than rounding. */
static guint
find_rank (EsCube *cube, EsReduction *reduction)
{
  const gboolean exact = es_reduction_sums_are_exact (cube, reduction);
  const double least = reduction->values[0] * (exact ? EXACT_TOLERANCE : FLOAT_TOLERANCE);
  guint rank = 0;

  while (rank < reduction->n && reduction->values[rank] > least)
    rank++;
  return MAX (MIN (rank, MAX (reduction->count - 1, 1)), 1);
}

static EsIcaSamples *
ica_samples_new (EsCube *cube, EsReduction *reduction, EsParams *params)
{
  EsIcaSamples *self = g_new0 (EsIcaSamples, 1);
  const guint n = reduction->n;

  g_atomic_ref_count_init (&self->references);
  self->n = n;
  self->rank = find_rank (cube, reduction);
  self->m = MIN (self->rank, es_reduction_select (reduction->values, n, reduction->total,
                                                  es_params_get_float (params, "threshold"),
                                                  es_params_get_int (params, "components")));
  self->fraction = es_params_get_float (params, "sample");
  self->seed = es_params_get_int (params, "seed");
  self->whitening = g_new (double, (gsize) self->m * n);
  self->deviations = g_new (double, self->m);
  for (gsize k = 0; k < self->m; k++)
    {
      self->deviations[k] = sqrt (reduction->values[k]);
      for (gsize i = 0; i < n; i++)
        self->whitening[k * n + i] = reduction->vectors[k * n + i] * reduction->scale[i] / self->deviations[k];
    }
  return self;
}

/* Whether the iteration is to work on moments; FALSE with *error where that was asked for and cannot be. */
static gboolean
choose_moments (EsJob *job, EsCube *cube, EsParams *params, guint m, gboolean *by_moments, GError **error)
{
  const EsLimits *limits = es_job_get_limits (job);
  EsDevice *device = es_job_get_device (job);
  const guint wanted = es_params_get_choice (params, "moments");
  const gboolean cubic = es_ica_contrast (params).kind == ESK_CONTRAST_CUBIC;
  const gboolean fits = es_ica_moments_fit (limits, es_device_get_lanes (device), m);

  *by_moments = FALSE;
  if (wanted == ES_ICA_MOMENTS_ALWAYS && !cubic)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("Moments take the place of the samples with the cubic contrast alone, and the contrast is “%s”."),
                   es_params_get_choice_id (params, "g"));
      return FALSE;
    }
  if (wanted == ES_ICA_MOMENTS_ALWAYS && !fits)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                   _("There is not enough memory for the fourth-order moments of %u components."), m);
      return FALSE;
    }
  if (cubic && fits && wanted != ES_ICA_MOMENTS_NEVER)
    *by_moments = wanted == ES_ICA_MOMENTS_ALWAYS
                  || es_ica_prefers_moments (device, limits,
                                             (double) es_cube_get_width (cube) * es_cube_get_height (cube)
                                             * es_params_get_float (params, "sample"), m,
                                             es_params_get_choice (params, "approach") == ES_ICA_SYMMETRIC);
  return TRUE;
}

/* Which way it is depends on the threads that there are: what goes on goes on in the same way. */
static gboolean
keep_choice (EsJob *job, gboolean *by_moments, GError **error)
{
  EsCheckpoint *checkpoint = es_job_get_checkpoint (job);
  g_autofree char *name = NULL;
  g_autoptr (GBytes) bytes = NULL;
  const guint8 byte = (guint8) *by_moments;

  if (checkpoint == NULL)
    return TRUE;
  name = es_checkpoint_next_name (checkpoint, "by moments");
  bytes = es_checkpoint_get (checkpoint, name);
  if (bytes == NULL)
    es_checkpoint_put (checkpoint, name, g_byte_array_append (g_byte_array_new (), &byte, 1));
  else if (g_bytes_get_size (bytes) != 1 || *(const guint8 *) g_bytes_get_data (bytes, NULL) > 1)
    return es_checkpoint_refuse (checkpoint, error);
  else
    *by_moments = *(const guint8 *) g_bytes_get_data (bytes, NULL);
  return TRUE;
}

/* What an earlier run left serves where it holds the same pixels in the same form, and in reach of the device. */
static gboolean
samples_serve (EsIcaSamples *samples, EsDevice *device, EsParams *params, gboolean by_moments)
{
  if (samples->fraction < 1 && samples->seed != (guint64) es_params_get_int (params, "seed"))
    return FALSE;
  if (by_moments)
    return samples->moments != NULL;
  return samples->store != NULL && (samples->device == NULL || samples->device == device)
         && es_sample_store_take (samples->store);
}

/* ---- the operation ---- */

static EsReduction *
find_reduction (EsJob *job, EsCube *cube, EsParams *params, guint first, EsIcaState *before, GError **error)
{
  const EsReductionChoice kept = { .threshold = es_params_get_float (params, "threshold"),
                                   .wanted = es_params_get_int (params, "components") };
  g_autoptr (EsReduction) reduction = NULL;

  if (first >= STAGE_WHITEN && es_reduction_has_vectors (before->reduction, &kept))
    return es_reduction_ref (before->reduction);
  reduction = es_reduction_new (cube, es_job_get_limits (job), _("an independent component analysis"), error);
  if (reduction == NULL)
    return NULL;
  if (first >= STAGE_EIGEN)
    es_reduction_take_sums (reduction, before->reduction);
  else if (!es_reduction_find_sums (job, cube, reduction, es_params_get_choice (params, "quantise") == 1,
                                    ES_ICA_WEIGHT_RANGES, ES_ICA_WEIGHT_COVARIANCE, error))
    return NULL;
  if (!es_reduction_solve (job, cube, reduction, FALSE, es_params_get_choice (params, "eigensolver") == 1, &kept,
                           ES_ICA_WEIGHT_EIGENPROBLEM, error))
    return NULL;
  return g_steal_pointer (&reduction);
}

/* From the samples on: those of the earlier run, or new ones. */
static gboolean
find_rotation (EsJob *job, EsCube *cube, EsParams *params, guint first, EsIcaState *before, EsIcaState *state,
               GError **error)
{
  gboolean by_moments, held;

  state->samples = ica_samples_new (cube, state->reduction, params);
  /* What is faster is measured: the first process says so for all. */
  if (!choose_moments (job, cube, params, state->samples->m, &by_moments, error)
      || !keep_choice (job, &by_moments, error)
      || !es_ranks_broadcast (&by_moments, sizeof by_moments, error))
    return FALSE;
  if (first >= STAGE_ITERATE && samples_serve (before->samples, es_job_get_device (job), params, by_moments))
    {
      es_ica_samples_unref (state->samples);
      state->samples = es_ica_samples_ref (before->samples);
      held = !by_moments;
    }
  else
    {
      if (!es_ica_whiten (job, cube, state->reduction, state->samples, by_moments, error))
        return FALSE;
      held = state->samples->store != NULL;
    }
  state->rotation = es_ica_iterate (job, state->reduction, state->samples, by_moments, params, error);
  if (held)
    es_sample_store_relax (state->samples->store);
  return state->rotation != NULL;
}

static EsResult *
ica_run (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  EsCube *cube = ES_CUBE (dataset);
  EsResult *previous = es_job_get_previous (job), *result;
  g_autoptr (EsIcaState) state = g_new0 (EsIcaState, 1);
  g_autoptr (EsImageStack) stack = NULL;
  EsIcaState *before = NULL;
  guint first = STAGE_SUMS;

  es_job_add_stage_ms (job, "input", _("Input"), 0);
  if (previous != NULL && es_result_get_operation (previous) == &es_operation_fastica
      && es_result_get_state (previous) != NULL)
    {
      first = es_params_first_changed_stage (params, es_result_get_params (previous));
      before = es_result_get_state (previous);
    }
  const double sums = ES_ICA_WEIGHT_COVARIANCE
                      + (es_params_get_choice (params, "quantise") == 1 ? ES_ICA_WEIGHT_RANGES : 0);
  es_job_set_total_weight (job, ES_ICA_WEIGHT_TRANSFORM + (first <= STAGE_ITERATE ? ES_ICA_WEIGHT_ITERATION : 0)
                                + (first <= STAGE_WHITEN ? ES_ICA_WEIGHT_WHITENING : 0)
                                + (first <= STAGE_EIGEN ? ES_ICA_WEIGHT_EIGENPROBLEM : 0)
                                + (first <= STAGE_SUMS ? sums : 0));

  state->reduction = find_reduction (job, cube, params, first, before, error);
  if (state->reduction == NULL)
    return NULL;
  if (first >= STAGE_TRANSFORM)
    {
      state->samples = es_ica_samples_ref (before->samples);
      state->rotation = es_ica_rotation_ref (before->rotation);
    }
  else if (!find_rotation (job, cube, params, first, before, state, error))
    return NULL;

  const guint m = state->samples->m;
  g_autofree EsIcaComponent *components = es_ica_sort_components (state->samples, state->rotation,
                                                                  es_params_get_choice (params, "order"));
  g_autofree double *basis = g_new (double, (gsize) m * state->samples->n);
  g_autofree double *mixing = g_new (double, (gsize) m * state->samples->n);
  es_ica_make_matrices (state->reduction, state->samples, state->rotation, components, basis, mixing);

  EsIcaDescription *description = es_ica_describe_start (cube, params, state->reduction, state->samples,
                                                         state->rotation, components, basis, mixing);
  stack = es_ica_project (job, cube, state->reduction, params, state->samples, state->rotation, components, basis,
                          error);
  result = es_ica_describe_finish (description, stack);
  if (stack == NULL)
    return NULL;
  es_result_set_state (result, g_steal_pointer (&state), ica_state_free);
  return result;
}

const EsOperation es_operation_fastica = {
  .id = "fastica",
  .title = N_("Independent components"),
  .short_title = N_("FastICA"),
  .group = N_("Linear"),
  .summary = N_("Finds the directions along which the scene is least Gaussian: materials that occur independently of "
                "each other, and what is rare."),
  .version = 1,
  .takes = ES_DATASET_CUBE,
  .by_ranks = TRUE,
  .resumes = TRUE,
  .params = ica_params,
  .plan = es_ica_plan,
  .list_planes = es_ica_list_planes,
  .run = ica_run,
};
