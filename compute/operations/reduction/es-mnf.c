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

enum { STAGE_DATA, STAGE_NOISE, STAGE_EIGEN, STAGE_SELECT };

static const EsParamChoice noise_choices[] = {
  { "mean-residual", N_("Pixel less 3×3 mean") },
  { "median-residual", N_("Pixel less 3×3 median") },
  { "shift-difference", N_("Differences of neighbours") },
  { "region", N_("Region") },
  { "file", N_("File") },
  { NULL }
};
static const EsParamChoice direction_choices[] = {
  { "right", N_("Right") },
  { "lower", N_("Lower") },
  { "lower-right", N_("Lower right") },
  { "average", N_("Average of right and lower") },
  { NULL }
};
static const EsParamChoice keep_choices[] = {
  { "eigenvalue", N_("Signal to noise ratio") },
  { "share", N_("Share of the signal") },
  { "coherence", N_("Spatial coherence") },
  { "count", N_("Number") },
  { NULL }
};

static const EsParamSpec mnf_params[] = {
  { "noise", N_("Noise"),
    N_("What is taken for noise: each pixel less the mean (the published fast form) or the median (the published "
       "first form) of its 3 by 3 neighbourhood, differences of neighbouring pixels, the variation within a "
       "homogeneous region, or a file: a dark-current cube, or the statistics in the result.json of an earlier run."),
    NULL, ES_PARAM_CHOICE, ES_PARAM_GROUP_ALGORITHM, 0, 1, ES_MNF_SHIFT, 1, 0, noise_choices, NULL, NULL,
    STAGE_NOISE },
  { "direction", N_("Direction"),
    N_("Which neighbour is subtracted; the covariance of the differences is halved."), NULL,
    ES_PARAM_CHOICE, ES_PARAM_GROUP_ALGORITHM, 0, 1, ES_MNF_LOWER_RIGHT, 1, 0, direction_choices,
    "noise=shift-difference", NULL, STAGE_NOISE },
  { "region", N_("Noise region"),
    N_("A homogeneous area, whose variation is taken for noise; it needs more pixels than the cube has bands."), NULL,
    ES_PARAM_REGION, ES_PARAM_GROUP_ALGORITHM, 0, 0, 0, 0, 0, NULL, "noise=region", NULL, STAGE_NOISE },
  { "noise-file", N_("Noise file"),
    N_("A dark-current cube of the same bands, or the result.json of an earlier run on a cube of the same bands."),
    NULL, ES_PARAM_FILE, ES_PARAM_GROUP_ALGORITHM, 0, 0, 0, 0, 0, NULL, "noise=file", NULL, STAGE_NOISE },
  { "center", N_("Remove the mean"),
    N_("Subtracts the mean spectrum before the projection; without it every component is shifted by a constant."), NULL,
    ES_PARAM_BOOL, ES_PARAM_GROUP_ALGORITHM, 0, 1, 1, 1, 0, NULL, NULL, NULL, STAGE_SELECT },
  { "quantise", N_("Quantise"),
    N_("Stretches each band from its minimum to its maximum over 0 to 255 first, as in the published programs."), NULL,
    ES_PARAM_CHOICE, ES_PARAM_GROUP_ALGORITHM, 0, 1, 0, 1, 0,
    es_reduction_quantise_choices, NULL, NULL, STAGE_DATA },
  { "eigensolver", N_("Eigensolver"),
    N_("How the band by band eigenproblems are solved: LAPACK, or the published cyclic Jacobi rotations."), NULL,
    ES_PARAM_CHOICE, ES_PARAM_GROUP_ALGORITHM, 0, 1, 0, 1, 0,
    es_reduction_eigensolver_choices, NULL, NULL, STAGE_EIGEN },
  { "denoise", N_("Cube without noise"),
    N_("Brings the components kept back to a cube of all bands, without the noise of those dropped."), NULL,
    ES_PARAM_BOOL, ES_PARAM_GROUP_ALGORITHM, 0, 1, 0, 1, 0, NULL, NULL, NULL, STAGE_SELECT },
  { "keep", N_("Keep by"),
    N_("How the number of components is chosen."), NULL,
    ES_PARAM_CHOICE, ES_PARAM_GROUP_THRESHOLDS, 0, 1, ES_MNF_BY_EIGENVALUE, 1, 0, keep_choices, NULL, NULL,
    STAGE_SELECT },
  { "snr", N_("Least signal to noise ratio"),
    N_("Components are kept whose signal to noise ratio, which is the eigenvalue less 1, reaches this."), NULL,
    ES_PARAM_FLOAT, ES_PARAM_GROUP_THRESHOLDS, 0, 10000, 1, 0.1, 2, NULL, "keep=eigenvalue", NULL, STAGE_SELECT },
  { "threshold", N_("Signal kept"),
    N_("The components kept are the fewest whose share of the sum of all signal to noise ratios reaches this."), "%",
    ES_PARAM_FLOAT, ES_PARAM_GROUP_THRESHOLDS, 0.5, 1, 0.99, 0.001, 2, NULL, "keep=share", NULL, STAGE_SELECT },
  { "coherence", N_("Least coherence"),
    N_("Components are kept up to the first whose neighbouring pixels correlate less than this: noise has no "
       "coherence, pictures have."), NULL,
    ES_PARAM_FLOAT, ES_PARAM_GROUP_THRESHOLDS, 0, 1, 0.5, 0.01, 2, NULL, "keep=coherence", NULL, STAGE_SELECT },
  { "components", N_("Components"),
    N_("How many components are kept."), NULL,
    ES_PARAM_INT, ES_PARAM_GROUP_THRESHOLDS, 1, 65535, 10, 1, 0, NULL, "keep=count", NULL, STAGE_SELECT },
  { "overlap", N_("Overlap"),
    N_("Of a cube in a GPU's memory the CPU solves the noise eigenproblem while the GPU sums the covariance of the "
       "data, as published."), NULL,
    ES_PARAM_BOOL, ES_PARAM_GROUP_DEVICE, 0, 1, 1, 1, 0, NULL, NULL, NULL, STAGE_DATA, TRUE },
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
  const gboolean on_cpu = es_device_get_kind (device) == ES_DEVICE_CPU;
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
      titles[k] = g_strdup_printf (_("MNF %u"), k + 1);
      shares[k] = total > 0 ? fmax (self->values[k] - 1, 0) / total : NAN;
    }
  const EsProjection projection = {
    .name = "components", .title = _("Components"), .m = m, .basis = basis, .mean = center ? self->found->mean : NULL,
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
first_stage (EsJob *job, EsDataset *dataset, EsParams *params)
{
  EsResult *previous = es_job_get_previous (job);
  guint first;

  if (previous == NULL || es_result_get_dataset (previous) != dataset
      || es_result_get_operation (previous) != &es_operation_mnf || es_result_get_state (previous) == NULL)
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
      return es_mnf_solve (job, cube, self, jacobi, NULL, error) ? g_steal_pointer (&self) : NULL;
    }

  /* What is wrong with a file or a region is said before anything takes time. */
  done = es_mnf_source_init (&source, cube, params, error);
  if (done && before != NULL)
    self->found = es_reduction_ref (before->found);
  else if (done)
    {
      EsDevice *device = es_job_get_device (job);
      const gsize mask = es_device_get_kind (device) == ES_DEVICE_CPU ? 1 : 0;
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
    done = es_mnf_solve (job, cube, self, jacobi, task, error);
  es_mnf_source_clear (&source);
  return done ? g_steal_pointer (&self) : NULL;
}

static double
total_weight (EsParams *params, guint first)
{
  double weight = ES_MNF_WEIGHT_TRANSFORM;

  if (es_params_get_bool (params, "denoise"))
    weight += ES_MNF_WEIGHT_TRANSFORM;
  if (first <= STAGE_EIGEN)
    weight += 2 * ES_MNF_WEIGHT_EIGENPROBLEM;
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
  const guint first = first_stage (job, dataset, params);
  g_autoptr (EsMnf) self = NULL;
  g_autoptr (EsImageStack) stack = NULL, denoised = NULL;
  EsResult *result;
  gboolean none;

  es_job_add_stage_ms (job, "input", _("Input"), 0);
  es_job_set_total_weight (job, total_weight (params, first));
  self = first >= STAGE_SELECT ? es_mnf_ref (es_result_get_state (es_job_get_previous (job)))
                               : find (job, cube, params, first, error);
  if (self == NULL)
    return NULL;

  es_job_begin_stage (job, "selection", _("Selection"), 0);
  const guint m = es_mnf_select (self, params, &none);
  stack = project (job, cube, self, params, m, error);
  if (stack == NULL)
    return NULL;
  if (es_params_get_bool (params, "denoise"))
    {
      denoised = denoise (job, cube, self, m, error);
      if (denoised == NULL)
        return NULL;
    }

  result = es_mnf_describe (cube, params, stack, denoised, self, m, none);
  es_result_set_state (result, es_mnf_ref (self), (GDestroyNotify) es_mnf_unref);
  return result;
}

const EsOperation es_operation_mnf = {
  .id = "mnf",
  .title = N_("Minimum noise fraction"),
  .short_title = N_("MNF"),
  .summary = N_("Finds the directions in which the spectra have the most signal for their noise, and shows the scene "
                "along each of them."),
  .version = 1,
  .takes = ES_DATASET_CUBE,
  .params = mnf_params,
  .plan = mnf_plan,
  .run = mnf_run,
};
