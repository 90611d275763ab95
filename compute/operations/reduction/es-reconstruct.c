/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * How well the components of a linear reduction describe the cube: from some or all of them back to spectra.
 *
 *   estimate = mean + backward (forward (x - mean))      e = x - estimate, in the cube's unit, over valid pixels
 *
 * A pixel: RMSE over the bands, and the spectral angle between x and its estimate. A band: RMSE over the pixels, and
 * SNR = 10 log10 (variance of x / mean of e^2), the variance about the band's mean, so that a bright but flat band
 * does not look well described. Totals are of the sums over all bands.
 *
 * Pass 1  the bands' variances: the same hot spot with no component (not where an earlier result of the same bands has
 *         them)
 * Pass 2  the errors
 * Pass 3  what the components leave out, where it is written
 * Pass 4  output=cube: the estimates
 *
 * Layers and values are listed in es-component-numbers.h.
 */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "result/es-linear-model-internal.h"
#include "es-reduction-operations-internal.h"
#include "es-reconstruct-private.h"

enum { OUTPUT_MEASURES, OUTPUT_CUBE };

static const EsParamChoice output_choices[] = {
  { .id = "measures", .label = N_("Measures") },
  { .id = "cube", .label = N_("Measures and the cube") },
  { .id = NULL }
};

static const EsParamSpec reconstruct_params[] = {
  { .key = "result", .label = N_("Result"),
    .help = N_("The result.json of the reduction whose components are taken; it has to be of this cube."),
    .type = ES_PARAM_FILE },
  { .key = "components", .label = N_("Components"),
    .help = N_("Which components are used, such as “1-5, 8”; all where it is empty, and 0 for the mean spectrum "
               "alone."),
    .type = ES_PARAM_TEXT, .group = ES_PARAM_GROUP_THRESHOLDS },
  { .key = "output", .label = N_("Output"),
    .help = N_("Errors alone, or also the cube that the components make: the same without what they leave out."),
    .type = ES_PARAM_CHOICE, .choices = output_choices },
  { .key = "residual", .label = N_("Residual"),
    .help = N_("Adds what the components leave out as a cube: computed when it is looked at, and written when it is "
               "saved."),
    .type = ES_PARAM_BOOL, .default_value = TRUE },
  { .type = ES_PARAM_END }
};

/* ---- variances ---- */

/* Kept with the result for the next one of the same bands. */
typedef struct
{
  guint    n;
  guint32 *bands;
  double  *variance;           /* of N, in the cube's unit squared */
  gboolean quantised;
} Variances;

static void
variances_free (gpointer data)
{
  Variances *self = data;

  g_free (self->bands);
  g_free (self->variance);
  g_free (self);
}

static Variances *
variances_copy (const Variances *self)
{
  Variances *copy = g_new (Variances, 1);

  *copy = *self;
  copy->bands = g_memdup2 (self->bands, self->n * sizeof *self->bands);
  copy->variance = g_memdup2 (self->variance, self->n * sizeof (double));
  return copy;
}

static Variances *
previous_variances (EsJob *job, const EsLinearModel *model)
{
  EsResult *previous = es_job_get_previous (job);
  const Variances *state;

  if (previous == NULL || es_result_get_operation (previous) != &es_operation_reconstruct)
    return NULL;
  state = es_result_get_state (previous);
  if (state == NULL || state->n != model->n || state->quantised != (model->minimum != NULL)
      || memcmp (state->bands, model->bands, model->n * sizeof *model->bands) != 0)
    return NULL;
  return variances_copy (state);
}

static void
sums_init (EskErrorSums *sums, guint n)
{
  *sums = (EskErrorSums) { .n_bands = n, .error = g_new0 (double, n), .square = g_new0 (double, n) };
}

static void
sums_clear (EskErrorSums *sums)
{
  g_free (sums->error);
  g_free (sums->square);
}

static Variances *
find_variances (EsJob *job, EsCube *cube, const EsLinearModel *model, GError **error)
{
  g_autofree gboolean *none = g_new0 (gboolean, model->m);
  Variances *self = NULL;
  EsReconstruction mean_alone;
  EskErrorSums sums;

  es_job_begin_stage (job, "signal", _("Variance of the bands"), 1);
  es_reconstruction_init (&mean_alone, cube, model, none);
  sums_init (&sums, model->n);
  if (es_reconstruction_measure (job, cube, &mean_alone, NULL, &sums, error))
    {
      self = g_new (Variances, 1);
      *self = (Variances) { model->n, g_memdup2 (model->bands, model->n * sizeof *model->bands),
                            g_new (double, model->n), model->minimum != NULL };
      for (guint i = 0; i < model->n; i++)
        {
          const double rest = sums.error[i] / sums.count;
          self->variance[i] = MAX (sums.square[i] / sums.count - rest * rest, 0);
        }
    }
  sums_clear (&sums);
  es_reconstruction_clear (&mean_alone);
  return self;
}

/* ---- what is shown ---- */

static double
decibels (double signal, double noise)
{
  return signal > 0 && noise > 0 ? 10 * log10 (signal / noise) : NAN;
}

/* JSON knows no NAN. */
static void
set_number (JsonObject *object, const char *name, double value)
{
  if (isfinite (value))
    json_object_set_double_member (object, name, value);
  else
    json_object_set_null_member (object, name);
}

static EsCurve *
make_curve (EsCube *cube, const EsLinearModel *model, const double *rmse, const double *snr)
{
  EsCurve *curve = es_reduction_make_band_curve (cube, "band-error", _("Error by band"), "band-error");
  const guint length = es_curve_get_length (curve);
  g_autofree double *y = g_new (double, length);

  es_reduction_add_band_series (curve, model->bands, model->n, _("RMSE"), es_cube_name_unit (cube), rmse);
  for (guint i = 0; i < length; i++)
    y[i] = NAN;
  for (guint i = 0; i < model->n; i++)
    y[model->bands[i]] = snr[i];
  es_curve_add_series (curve, _("SNR"), "dB", ES_CURVE_LINE, TRUE, y);
  return curve;
}

static JsonObject *
make_values (EsCube *cube, const EsReconstructionSource *source, const gboolean *kept, const EskErrorSums *sums,
             const double *variance, const double *rmse, const double *snr)
{
  const EsLinearModel *model = source->model;
  const double *wavelengths = es_cube_get_wavelengths (cube);
  JsonObject *values = json_object_new (), *from = json_object_new ();
  JsonArray *list = json_array_new (), *bands = json_array_new ();
  double square = 0, signal = 0;

  for (guint i = 0; i < model->n; i++)
    {
      JsonObject *band = json_object_new ();

      square += sums->square[i] / sums->count;
      signal += variance[i];
      json_object_set_int_member (band, "band", model->bands[i] + 1);
      if (wavelengths != NULL)
        set_number (band, "wavelength", wavelengths[model->bands[i]]);
      set_number (band, "rmse", rmse[i]);
      set_number (band, "snr_db", snr[i]);
      set_number (band, "bias", sums->error[i] / sums->count);
      json_array_add_object_element (bands, band);
    }
  for (guint i = 0; i < model->m; i++)
    if (kept[i])
      json_array_add_int_element (list, i + 1);

  json_object_set_int_member (values, "components", json_array_get_length (list));
  json_object_set_int_member (values, "of_components", model->m);
  json_object_set_array_member (values, "component_list", list);
  json_object_set_int_member (values, "pixels", sums->count);
  set_number (values, "rmse", sqrt (square / model->n));
  set_number (values, "angle", sums->angle / sums->count);
  set_number (values, "snr_db", decibels (signal, square));
  set_number (values, "largest_rmse", sqrt (sums->largest));
  json_object_set_string_member (from, "operation", source->operation);
  json_object_set_string_member (from, "title", source->title);
  if (source->path != NULL)
    json_object_set_string_member (from, "path", source->path);
  json_object_set_object_member (values, "source", from);
  json_object_set_array_member (values, "bands", bands);
  return values;
}

/* Of the error maps. */
static char **
list_planes (EsDataset *dataset, EsParams *params)
{
  const char *unit = es_cube_get_unit (ES_CUBE (dataset));
  char **titles = g_new0 (char *, 3);

  titles[0] = unit != NULL && *unit != '\0' ? g_strdup_printf (_("RMSE (%s)"), unit) : g_strdup (_("RMSE"));
  titles[1] = g_strdup (_("Spectral angle (°)"));
  return titles;
}

static EsImageStack *
make_error_map (EsCube *cube, EsParams *params, const EsLimits *limits, GError **error)
{
  g_autofree char *path = es_reduction_stack_path (cube, limits, "error");
  g_auto (GStrv) titles = list_planes (ES_DATASET (cube), params);
  EsImageStack *stack = es_image_stack_new ("error", _("Error maps"), es_cube_get_width (cube),
                                            es_cube_get_height (cube), 2, es_reduction_largest_stack (limits), path,
                                            error);

  if (stack == NULL)
    return NULL;
  es_reduction_frame_stack (stack, cube);
  es_image_stack_set_plane (stack, 0, titles[0], NAN);
  es_image_stack_set_plane (stack, 1, titles[1], NAN);
  es_image_stack_set_hint (stack, ES_IMAGE_HINT_SEQUENTIAL);
  return stack;
}

/* ---- the operation ---- */

/* It is going to be all there anyway. */
static gboolean
writes_residual (EsParams *params, const EsLimits *limits)
{
  return es_params_get_bool (params, "residual") && limits != NULL && limits->output_dir != NULL;
}

static EsPlan
reconstruct_plan (EsDataset *dataset, EsParams *params, EsDevice *device, const EsLimits *limits)
{
  EsCube *cube = ES_CUBE (dataset);
  const guint n = MAX (es_cube_get_n_good_bands (cube), 1);
  /* How many components there are is the result's to say; as many as a reduction mostly keeps. */
  const guint m = MIN (n, 27);
  const gboolean makes_cube = es_params_get_choice (params, "output") == OUTPUT_CUBE;
  const guint cubes = makes_cube + writes_residual (params, limits);
  const double pixels = (double) es_cube_get_width (cube) * es_cube_get_height (cube);
  const EsReductionCost cost = {
    .passes = 2 + cubes, .n = n, .m = cubes > 0 ? cubes * n : 2,
    .flops = pixels * (4.0 * n * m + 8.0 * n + 2.0 * n * n * cubes),
  };

  return es_reduction_plan (cube, device, limits, &cost);
}

static EsResult *
make_result (EsCube *cube, EsParams *params, const EsReconstructionSource *source, const gboolean *kept,
             EsImageStack *map, const EskErrorSums *sums, Variances *variances)
{
  const EsLinearModel *model = source->model;
  g_autofree double *rmse = g_new (double, model->n), *snr = g_new (double, model->n);
  g_autofree char *title = NULL;
  EsResult *result = es_result_new (&es_operation_reconstruct, ES_DATASET (cube), params);
  guint n_kept = 0;

  for (guint i = 0; i < model->n; i++)
    {
      rmse[i] = sqrt (sums->square[i] / sums->count);
      snr[i] = decibels (variances->variance[i], sums->square[i] / sums->count);
    }
  for (guint i = 0; i < model->m; i++)
    n_kept += kept[i];
  title = g_strdup_printf (_("Reconstruction from %u of %s"), n_kept, source->title);
  es_result_set_title (result, title);
  es_result_add_layer (result, ES_LAYER (map));
  g_autoptr (EsCurve) curve = make_curve (cube, model, rmse, snr);
  es_result_add_layer (result, ES_LAYER (curve));
  es_result_set_values (result, make_values (cube, source, kept, sums, variances->variance, rmse, snr));
  es_result_set_state (result, variances_copy (variances), variances_free);
  return result;
}

static EsResult *
measure (EsJob *job, EsCube *cube, EsParams *params, const EsReconstructionSource *source, const gboolean *kept,
         const EsReconstruction *reconstruction, Variances *variances, GError **error)
{
  const EsLinearModel *model = source->model;
  g_autoptr (EsImageStack) map = make_error_map (cube, params, es_job_get_limits (job), error);
  g_autoptr (EsResult) result = NULL;
  EskErrorSums sums;

  if (map == NULL)
    return NULL;
  es_job_begin_stage (job, "errors", _("Errors"), 1);
  sums_init (&sums, model->n);
  if (es_reconstruction_measure (job, cube, reconstruction, map, &sums, error))
    {
      if (sums.count > 0)
        result = make_result (cube, params, source, kept, map, &sums, variances);
      else
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY, _("“%s” has no pixel that is valid in all bands used."),
                     es_dataset_get_name (ES_DATASET (cube)));
    }
  sums_clear (&sums);
  if (result != NULL && es_params_get_bool (params, "residual"))
    {
      g_autoptr (EsImageStack) residual = writes_residual (params, es_job_get_limits (job))
        ? es_reconstruction_compute_residual (job, cube, reconstruction, 2, error)
        : es_reconstruction_make_residual (cube, model, kept, error);
      if (residual == NULL)
        return NULL;
      es_result_add_layer (result, ES_LAYER (residual));
    }
  if (result != NULL && es_params_get_choice (params, "output") == OUTPUT_CUBE)
    {
      g_autoptr (EsImageStack) stack = es_reconstruction_make_cube (job, cube, reconstruction, 2, error);
      if (stack == NULL)
        return NULL;
      es_result_add_layer (result, ES_LAYER (stack));
    }
  return g_steal_pointer (&result);
}

static EsResult *
reconstruct_run (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  const gboolean makes_cube = es_params_get_choice (params, "output") == OUTPUT_CUBE;
  EsReconstructionSource source = { NULL };
  Variances *variances = NULL;
  EsResult *result = NULL;

  es_job_add_stage_ms (job, "input", _("Input"), 0);
  if (es_reconstruction_source_init (job, dataset, params, &source, error))
    {
      g_autofree gboolean *kept = g_new0 (gboolean, source.model->m);
      /* The pixels that the result was computed from. */
      EsCube *cube = ES_CUBE (es_job_get_part (job));

      if (es_reconstruction_parse_components (es_params_get_text (params, "components"), source.model->m, kept, error))
        {
          variances = previous_variances (job, source.model);
          es_job_set_total_weight (job, 1 + (variances == NULL ? 1 : 0) + (makes_cube ? 2 : 0)
                                        + (writes_residual (params, es_job_get_limits (job)) ? 2 : 0));
          if (variances == NULL)
            variances = find_variances (job, cube, source.model, error);
        }
      if (variances != NULL)
        {
          EsReconstruction reconstruction;

          es_reconstruction_init (&reconstruction, cube, source.model, kept);
          result = measure (job, cube, params, &source, kept, &reconstruction, variances, error);
          es_reconstruction_clear (&reconstruction);
          variances_free (variances);
        }
    }
  es_reconstruction_source_clear (&source);
  return result;
}

const EsOperation es_operation_reconstruct = {
  .id = "reconstruct",
  .title = N_("Reconstruction"),
  .short_title = N_("Reconstruction"),
  .summary = N_("Goes from components back to spectra, and shows what is lost where and in which band."),
  .version = 1,
  .takes = ES_DATASET_CUBE,
  .of_result = TRUE,
  .by_ranks = TRUE,
  .params = reconstruct_params,
  .plan = reconstruct_plan,
  .list_planes = list_planes,
  .run = reconstruct_run,
};
