/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Minimum noise fraction (hyperspectral.md 2.4, 9.9, 9.10).
 *
 * Pass 0  8-bit quantising: the range of every band; otherwise, for float: a first estimate of the mean
 * Pass 1  covariance of the data and of the noise; of a cube that stays on GPUs the noise first, whose eigenproblem
 *         the host then solves while they sum the data
 *         noise eigenproblem, eigenproblem of what it whitens, selection
 * Pass 2  projection; and where a cube without noise is asked for, another
 *
 * Scaling the bands changes nothing: sums are taken over the values as stored.
 */

#include "es-mnf-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "cube/es-region-param.h"

enum { STAGE_DATA, STAGE_NOISE, STAGE_EIGEN, STAGE_SELECT };

static const EsParamChoice noise_choices[] = {
  { .id = "mean-residual", .label = N_("Pixel less 3×3 mean") },
  { .id = "median-residual", .label = N_("Pixel less 3×3 median") },
  { .id = "shift-difference", .label = N_("Differences of neighbours") },
  { .id = "region", .label = N_("Region") },
  { .id = "file", .label = N_("File") },
  { .id = NULL }
};
static const EsParamChoice direction_choices[] = {
  { .id = "right", .label = N_("Right") },
  { .id = "lower", .label = N_("Lower") },
  { .id = "lower-right", .label = N_("Lower right") },
  { .id = "average", .label = N_("Average of right and lower") },
  { .id = NULL }
};
static const EsParamChoice keep_choices[] = {
  { .id = "eigenvalue", .label = N_("Signal to noise ratio") },
  { .id = "share", .label = N_("Share of the signal") },
  { .id = "coherence", .label = N_("Spatial coherence") },
  { .id = "count", .label = N_("Number") },
  { .id = NULL }
};

static const EsParamSpec mnf_params[] = {
  { .key = "noise", .label = N_("Noise"),
    .help = N_("What is taken for noise: each pixel less the mean (the published fast form) or the median (the "
               "published first form) of its 3 by 3 neighbourhood, differences of neighbouring pixels, the variation "
               "within a homogeneous region, or a file: a dark-current cube, or the statistics in the result.json of "
               "an earlier run."),
    .type = ES_PARAM_CHOICE, .choices = noise_choices, .default_value = ES_MNF_SHIFT, .stage = STAGE_NOISE },
  { .key = "direction", .label = N_("Direction"),
    .help = N_("Which neighbour is subtracted; the covariance of the differences is halved."),
    .type = ES_PARAM_CHOICE, .choices = direction_choices, .default_value = ES_MNF_LOWER_RIGHT,
    .visible_if = "noise=shift-difference", .stage = STAGE_NOISE },
  { .key = "region", .label = N_("Noise region"),
    .help = N_("A homogeneous area, whose variation is taken for noise; it needs more pixels than the cube has "
               "bands."),
    .type = ES_PARAM_REGION, .check = es_region_check, .describe = es_region_describe,
    .visible_if = "noise=region", .stage = STAGE_NOISE },
  { .key = "noise-file", .label = N_("Noise file"),
    .help = N_("A dark-current cube of the same bands, or the result.json of an earlier run on a cube of the same "
               "bands."),
    .type = ES_PARAM_FILE, .visible_if = "noise=file", .stage = STAGE_NOISE },
  { .key = "center", .label = N_("Remove the mean"),
    .help = N_("Subtracts the mean spectrum before the projection; without it every component is shifted by a "
               "constant."),
    .type = ES_PARAM_BOOL, .default_value = TRUE, .stage = STAGE_SELECT },
  { .key = "quantise", .label = N_("Quantise"),
    .help = N_("Stretches each band from its minimum to its maximum over 0 to 255 first, as in the published "
               "programs."),
    .type = ES_PARAM_CHOICE, .choices = es_reduction_quantise_choices, .stage = STAGE_DATA },
  { .key = "eigensolver", .label = N_("Eigensolver"),
    .help = N_("How the band by band eigenproblems are solved: LAPACK, or the published cyclic Jacobi rotations."),
    .type = ES_PARAM_CHOICE, .choices = es_reduction_eigensolver_choices, .stage = STAGE_EIGEN },
  { .key = "denoise", .label = N_("Cube without noise"),
    .help = N_("Brings the components kept back to a cube of all bands, without the noise of those dropped."),
    .type = ES_PARAM_BOOL, .stage = STAGE_SELECT },
  { .key = "keep", .label = N_("Keep by"),
    .help = N_("How the number of components is chosen."),
    .type = ES_PARAM_CHOICE, .group = ES_PARAM_GROUP_THRESHOLDS,
    .choices = keep_choices, .default_value = ES_MNF_BY_EIGENVALUE, .stage = STAGE_SELECT },
  { .key = "snr", .label = N_("Least SNR"),
    .help = N_("Components are kept whose signal to noise ratio, which is the eigenvalue less 1, reaches this."),
    .type = ES_PARAM_FLOAT, .group = ES_PARAM_GROUP_THRESHOLDS,
    .maximum = 10000, .step = 0.1, .digits = 2, .default_value = 1,
    .visible_if = "keep=eigenvalue", .stage = STAGE_SELECT },
  { .key = "threshold", .label = N_("Signal kept"),
    .help = N_("The components kept are the fewest whose share of the sum of all signal to noise ratios reaches "
               "this."),
    .type = ES_PARAM_FLOAT, .unit = "%", .group = ES_PARAM_GROUP_THRESHOLDS,
    .minimum = 0.5, .maximum = 1, .step = 0.001, .digits = 2, .default_value = 0.99,
    .visible_if = "keep=share", .stage = STAGE_SELECT },
  { .key = "coherence", .label = N_("Least coherence"),
    .help = N_("Components are kept up to the first whose neighbouring pixels correlate less than this: noise has no "
               "coherence, pictures have."),
    .type = ES_PARAM_FLOAT, .group = ES_PARAM_GROUP_THRESHOLDS,
    .maximum = 1, .step = 0.01, .digits = 2, .default_value = 0.5,
    .visible_if = "keep=coherence", .stage = STAGE_SELECT },
  { .key = "components", .label = N_("Components"),
    .help = N_("How many components are kept."),
    .type = ES_PARAM_INT, .group = ES_PARAM_GROUP_THRESHOLDS, .minimum = 1, .maximum = 65535, .default_value = 10,
    .visible_if = "keep=count", .stage = STAGE_SELECT },
  { .key = "overlap", .label = N_("Overlap"),
    .help = N_("Of a cube in a GPU's memory the CPU solves the noise eigenproblem while the GPU sums the covariance "
               "of the data, as published; otherwise the GPU solves both eigenproblems at once, in less time."),
    .type = ES_PARAM_BOOL, .group = ES_PARAM_GROUP_DEVICE, .default_value = FALSE,
    .stage = STAGE_DATA, .advanced = TRUE },
  { .type = ES_PARAM_END }
};

static gboolean
is_spatial (EsParams *params)
{
  return es_params_get_choice (params, "noise") <= ES_MNF_SHIFT;
}

static EsPlan
mnf_plan (EsDataset *dataset, EsParams *params, EsDevice *device, const EsLimits *limits)
{
  EsCube *cube = ES_CUBE (dataset);
  const guint n = MAX (es_cube_get_n_good_bands (cube), 1);
  const double pixels = (double) es_cube_get_width (cube) * es_cube_get_height (cube);
  const guint keep = es_params_get_choice (params, "keep");
  const guint m = keep == ES_MNF_BY_COUNT ? MIN (es_params_get_int (params, "components"), n) : MIN (n, 27);
  const gboolean average = es_params_get_choice (params, "noise") == ES_MNF_SHIFT
                           && es_params_get_choice (params, "direction") == ES_MNF_AVERAGE;
  const gboolean jacobi = es_params_get_choice (params, "eigensolver") == 1;
  const gboolean on_cpu = es_device_is_cpu (device);
  const gboolean coherence = keep == ES_MNF_BY_COHERENCE;
  const guint sums = 1 + is_spatial (params) + (average ? 1 : coherence ? 2 : 0);
  const guint planes = es_params_get_bool (params, "denoise") ? n : 0;
  const EsReductionCost cost = {
    .passes = 2 + (es_params_get_choice (params, "quantise") == 1) + (planes > 0), .n = n, .m = m + planes,
    .flops = pixels * n * (n + 1.0) * sums + 2 * pixels * n * (m + planes),
    /* Two eigenproblems; the constants are those of a PCA. */
    .host_seconds = 2 * (jacobi ? 1.3e-8 : 3e-10) * n * n * n,
    /* Residuals: a tile's, or a piece's of a cube that stays on the card. */
    .scratch = on_cpu ? 2 << 20 : es_device_get_room (device, limits) / 32,
  };

  return es_reduction_plan (cube, device, limits, &cost);
}

static char **
mnf_list_planes (EsDataset *dataset, EsParams *params)
{
  const gboolean by_count = es_params_get_choice (params, "keep") == ES_MNF_BY_COUNT;

  return es_reduction_list_planes (ES_CUBE (dataset), by_count ? es_params_get_int (params, "components") : 0,
                                   es_mnf_dup_title);
}

/* Of each of the two. */
static double
eigenproblem_weight (EsJob *job, EsCube *cube, EsParams *params)
{
  return es_reduction_host_weight (job, mnf_plan, cube, params,
                                   ES_MNF_WEIGHT_TRANSFORM + ES_MNF_WEIGHT_NOISE + ES_MNF_WEIGHT_COVARIANCE) / 2;
}

/* ---- the last stages ---- */

/* Row k of the transform over all good bands: bands without noise do not take part. */
static double *
make_basis (EsMnf *self, guint m)
{
  const gsize n = self->n, all = self->found->n;
  double *basis = g_new0 (double, m * all);

  for (gsize k = 0; k < m; k++)
    for (gsize i = 0; i < n; i++)
      basis[k * all + self->used[i]] = self->transform[k * n + i];
  return basis;
}

static EsImageStack *
project (EsJob *job, EsCube *cube, EsMnf *self, EsParams *params, guint m, GError **error)
{
  const gboolean center = es_params_get_bool (params, "center");
  const double total = es_mnf_signal (self);
  g_auto (GStrv) titles = g_new0 (char *, m + 1);
  g_autofree double *shares = g_new (double, m), *basis = make_basis (self, m);

  for (guint k = 0; k < m; k++)
    {
      titles[k] = es_mnf_dup_title (k);
      shares[k] = total > 0 ? fmax (self->values[k] - 1, 0) / total : NAN;
    }
  const EsProjection projection = {
    .name = "components", .title = _("Components"), .m = m, .basis = basis,
    .mean = es_reduction_origin (self->found, center),
    .plane_titles = (const char *const *) titles, .shares = shares, .is_signed = center, .show = TRUE,
    .weight = ES_MNF_WEIGHT_TRANSFORM,
  };
  return es_reduction_project (job, cube, self->found, &projection, error);
}

/* mean + mixing transform (x - mean), in the cube's unit; bands without noise stay as they are. */
static EsImageStack *
denoise (EsJob *job, EsCube *cube, EsMnf *self, guint m, GError **error)
{
  EsReduction *found = self->found;
  const gsize n = self->n, all = found->n;
  const gboolean quantised = found->minimum != NULL;
  const double *wavelengths = es_cube_get_wavelengths (cube);
  g_auto (GStrv) titles = g_new0 (char *, all + 1);
  g_autofree double *basis = g_try_new0 (double, all * all), *offset = g_new (double, all);
  g_autofree double *scale = g_new (double, all);

  if (basis == NULL)
    return es_reduction_out_of_memory (_("the cube without noise"), error);
  for (gsize i = 0; i < all; i++)
    {
      titles[i] = es_cube_get_band_label (cube, found->bands[i]);
      scale[i] = quantised ? 1 : es_cube_get_scale (cube, found->bands[i]);
      offset[i] = found->mean[i] * scale[i] + (quantised ? 0 : es_cube_get_offset (cube, found->bands[i]));
      basis[i * all + i] = scale[i];
    }
  for (gsize i = 0; i < n; i++)
    {
      const gsize row = self->used[i];

      basis[row * all + row] = 0;
      for (gsize k = 0; k < m; k++)
        for (gsize j = 0; j < n; j++)
          basis[row * all + self->used[j]] += scale[row] * self->mixing[k * n + i] * self->transform[k * n + j];
    }
  const EsProjection projection = {
    .name = "denoised", .title = _("Without noise"), .m = found->n, .basis = basis, .mean = found->mean,
    .plane_titles = (const char *const *) titles, .offset = offset, .weight = ES_MNF_WEIGHT_TRANSFORM,
  };
  EsImageStack *stack = es_reduction_project (job, cube, found, &projection, error);
  if (stack == NULL)
    return NULL;
  if (!quantised)
    es_image_stack_set_unit (stack, es_cube_get_unit (cube));
  /* Written as the cube it is. */
  if (wavelengths != NULL)
    {
      g_autofree double *used = g_new (double, all);

      for (gsize i = 0; i < all; i++)
        used[i] = wavelengths[found->bands[i]];
      es_image_stack_set_wavelengths (stack, used);
    }
  return stack;
}

/* ---- the operation ---- */

static gboolean
needs_delta (EsParams *params)
{
  return es_params_get_choice (params, "keep") == ES_MNF_BY_COHERENCE;
}

/* The first stage to be repeated, given what the previous result found. */
static guint
first_stage (EsJob *job, EsParams *params)
{
  EsResult *previous = es_job_get_previous (job);
  guint first;

  if (previous == NULL || es_result_get_operation (previous) != &es_operation_mnf
      || es_result_get_state (previous) == NULL)
    return STAGE_DATA;
  first = es_params_first_changed_stage (params, es_result_get_params (previous));
  /* Coherence needs sums that are not taken unless it is asked for. */
  if (first > STAGE_NOISE && needs_delta (params) && ((EsMnf *) es_result_get_state (previous))->delta == NULL)
    first = STAGE_NOISE;
  return first;
}

static EsMnf *
find (EsJob *job, EsCube *cube, EsParams *params, guint first, GError **error)
{
  EsMnf *before = first > STAGE_DATA ? es_result_get_state (es_job_get_previous (job)) : NULL;
  const gboolean jacobi = es_params_get_choice (params, "eigensolver") == 1;
  const double weight = eigenproblem_weight (job, cube, params);
  g_autoptr (EsMnf) self = es_mnf_new ();
  EsMnfNoiseTask *task = NULL;
  EsMnfSource source;
  gboolean done;

  if (first >= STAGE_EIGEN)
    {
      self->found = es_reduction_ref (before->found);
      self->noise = es_noise_statistics_ref (before->noise);
      if (before->delta != NULL)
        self->delta = g_memdup2 (before->delta, (gsize) self->found->n * self->found->n * sizeof (double));
      return es_mnf_solve (job, cube, self, jacobi, weight, NULL, error) ? g_steal_pointer (&self) : NULL;
    }

  /* What is wrong with a file or a region is said before anything takes time. */
  done = es_mnf_source_init (&source, cube, params, error);
  if (done && before != NULL)
    self->found = es_reduction_ref (before->found);
  else if (done)
    {
      EsDevice *device = es_job_get_device (job);
      const gsize mask = es_device_is_cpu (device) ? 1 : 0;
      const EsTiling tiling = es_tiling_plan (cube, device, es_job_get_limits (job), mask, 0);

      self->found = es_reduction_new (cube, es_job_get_limits (job), _("a minimum noise fraction"), error);
      done = self->found != NULL
             && (es_params_get_choice (params, "quantise") == 0
                 || es_reduction_find_ranges (job, cube, self->found, &tiling, ES_MNF_WEIGHT_RANGES, error));
    }
  done = done && es_mnf_find_sums (job, cube, self, &source, params, before == NULL, needs_delta (params), &task,
                                   error);
  if (!done)
    es_mnf_noise_task_drop (task, job);
  else
    done = es_mnf_solve (job, cube, self, jacobi, weight, task, error);
  es_mnf_source_clear (&source);
  return done ? g_steal_pointer (&self) : NULL;
}

static double
total_weight (EsParams *params, guint first, double eigenproblem)
{
  double weight = ES_MNF_WEIGHT_TRANSFORM;

  if (es_params_get_bool (params, "denoise"))
    weight += ES_MNF_WEIGHT_TRANSFORM;
  if (first <= STAGE_EIGEN)
    weight += 2 * eigenproblem;
  if (first <= STAGE_NOISE)
    weight += ES_MNF_WEIGHT_NOISE;
  if (first <= STAGE_DATA)
    weight += ES_MNF_WEIGHT_COVARIANCE
              + (es_params_get_choice (params, "quantise") == 1 ? ES_MNF_WEIGHT_RANGES : 0);
  return weight;
}

static EsResult *
mnf_run (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  EsCube *cube = ES_CUBE (dataset);
  const guint first = first_stage (job, params);
  g_autoptr (EsMnf) self = NULL;
  g_autoptr (EsImageStack) stack = NULL, denoised = NULL;
  EsResult *result;
  gboolean none;

  es_job_add_stage_ms (job, "input", _("Input"), 0);
  es_job_set_total_weight (job, total_weight (params, first, eigenproblem_weight (job, cube, params)));
  self = first >= STAGE_SELECT ? es_mnf_ref (es_result_get_state (es_job_get_previous (job)))
                               : find (job, cube, params, first, error);
  if (self == NULL)
    return NULL;

  es_job_begin_stage (job, "selection", _("Selection"), 0);
  const guint m = es_mnf_select (self, params, &none);
  EsMnfDescription *description = es_mnf_describe_start (cube, params, self, m, none);
  stack = project (job, cube, self, params, m, error);
  if (stack != NULL && es_params_get_bool (params, "denoise"))
    {
      denoised = denoise (job, cube, self, m, error);
      if (denoised == NULL)
        g_clear_object (&stack);
    }
  result = es_mnf_describe_finish (description, stack, denoised);
  if (stack == NULL)
    return NULL;
  es_result_set_state (result, es_mnf_ref (self), (GDestroyNotify) es_mnf_unref);
  return result;
}

const EsOperation es_operation_mnf = {
  .id = "mnf",
  .title = N_("Minimum noise fraction"),
  .short_title = N_("MNF"),
  .group = N_("Linear"),
  .summary = N_("Finds the directions in which the spectra have the most signal for their noise, and shows the scene "
                "along each of them."),
  .version = 1,
  .takes = ES_DATASET_CUBE,
  .by_ranks = TRUE,
  .resumes = TRUE,
  .params = mnf_params,
  .plan = mnf_plan,
  .list_planes = mnf_list_planes,
  .run = mnf_run,
};
