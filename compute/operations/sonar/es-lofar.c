/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* LOFAR of one beam or element (sonar.md 4.3): power over frequency and time, its mean, the lines that stand out. */

#include "es-line-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "signal/es-line-spectrum.h"

static const EsParamSpec lofar_params[] = {
  ES_LINE_PARAMS,
  { .key = "band", .label = N_("Frequency band"),
    .help = N_("The frequencies that are shown, LOW:HIGH."),
    .type = ES_PARAM_TEXT, .unit = N_("Hz"), .zero_label = N_("All"), .check = es_beam_check_band },
  { .key = "transform", .label = N_("Transform length"),
    .help = N_("Samples of a Fourier transform: longer ones tell frequencies apart better, shorter ones times; 0 "
               "takes the power of two that is a second or more."),
    .type = ES_PARAM_INT, .unit = N_("samples"),
    .maximum = 1 << 24, .step = 1024, .zero_label = N_("Next power of two") },
  { .key = "window", .label = N_("Window function"),
    .help = N_("How samples are weighted before a transform: a rectangle as published, or fading at both ends, which "
               "keeps strong tones out of other frequencies."),
    .type = ES_PARAM_CHOICE, .choices = es_beam_window_choices, .default_value = ES_WINDOW_HANN },
  { .key = "overlap", .label = N_("Overlap"),
    .help = N_("How much of a transform's samples the next one repeats."),
    .type = ES_PARAM_FLOAT, .unit = "%", .maximum = 0.95, .step = 0.05, .default_value = 0.5 },
  { .key = "average", .label = N_("Average"),
    .help = N_("How many transforms are averaged to a row of the waterfall."),
    .type = ES_PARAM_INT, .minimum = 1, .maximum = 100000, .default_value = 1 },
  { .key = "levels", .label = N_("Levels"),
    .help = N_("What a level is: of tones, so that one reads its power whatever the window; of bins, which add up to "
               "the power of all; or the density of noise, per hertz. The list of lines always tells the power of "
               "tones, also between two bins."),
    .type = ES_PARAM_CHOICE, .choices = es_line_levels_choices },
  ES_LINE_NORMALISER_PARAMS (20, 2),
  { .type = ES_PARAM_END }
};

/* Of the host's memory, for a row; the gram has the other half, and goes to a file beyond it. */
#define ROW_SHARE ((EsMemoryShare) { .of_limit = 2, .of_machine = 2 })

typedef struct
{
  guint  length, hop, average, first_bin, bins;
  guint64 rows;
} Shape;

/* Frames that a row takes. */
static guint64
row_frames (const Shape *shape)
{
  return (guint64) (shape->average - 1) * shape->hop + shape->length;
}

/* Two copies of the samples; the transform, and a dozen numbers for each bin of the gram's mean and lines. */
static guint64
row_bytes (const Shape *shape)
{
  return row_frames (shape) * 2 * sizeof (float) + (guint64) shape->length * (8 + 10) * sizeof (float)
         + (guint64) shape->bins * 12 * sizeof (float);
}

static gboolean
find_shape (EsRecording *recording, EsParams *params, double frames, Shape *shape, GError **error)
{
  const double rate = es_recording_get_rate (recording);
  const char *band = es_params_get_text (params, "band");
  double low = 0, high = rate / 2;

  *shape = (Shape) { .length = (guint) es_params_get_int (params, "transform") / 2 * 2,
                     .average = (guint) es_params_get_int (params, "average") };
  if (es_params_get_int (params, "transform") != shape->length)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("A transform cannot be %u long: expected an even number of samples, or 0 for the power of two "
                     "that is a second or more."), (guint) es_params_get_int (params, "transform"));
      return FALSE;
    }
  if (shape->length == 0)
    for (shape->length = 2; shape->length < rate && shape->length < 1 << 24;)
      shape->length *= 2;
  shape->hop = MAX ((guint) floor (shape->length * (1 - es_params_get_float (params, "overlap")) + 0.5), 1);
  if (row_frames (shape) > frames)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("A row of %u transforms of %u samples takes %.6g s, but there are %.6g s."), shape->average,
                   shape->length, row_frames (shape) / rate, frames / rate);
      return FALSE;
    }
  shape->rows = ((guint64) frames - row_frames (shape)) / ((guint64) shape->hop * shape->average) + 1;

  if (*band != '\0' && !es_parse_band (band, &low, &high, error))
    return FALSE;
  if (high > rate / 2 * (1 + 1e-9))
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("The band ends at %.6g Hz, but a recording of %.6g Hz has nothing above %.6g Hz."), high, rate,
                   rate / 2);
      return FALSE;
    }
  const double spacing = rate / shape->length;
  const double first = ceil (low / spacing - 1e-9), last = floor (high / spacing + 1e-9);
  if (last < first)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("No frequency of a transform lies between %.6g and %.6g Hz: they are %.6g Hz apart; choose a "
                     "longer transform or a wider band."), low, high, spacing);
      return FALSE;
    }
  shape->first_bin = (guint) first;
  shape->bins = (guint) (MIN (last, shape->length / 2) - first) + 1;
  return TRUE;
}

static EsPlan
lofar_plan (EsDataset *dataset, EsParams *params, EsDevice *device, const EsLimits *limits)
{
  EsRecording *recording = ES_RECORDING (dataset);
  EsPlan plan = { .passes = 1 };
  double frames, flops;
  Shape shape;

  if (!es_line_source_estimate (recording, params, &frames, &plan.read_bytes, &flops)
      || !find_shape (recording, params, frames, &shape, NULL))
    return plan;
  plan.tiles = shape.rows;
  plan.tile_width = shape.bins;
  plan.tile_height = 1;
  plan.flops = flops + (double) shape.rows * shape.average * 2.5 * shape.length * log2 (shape.length);
  plan.written_bytes = shape.rows * shape.bins * sizeof (float);
  plan.memory = row_bytes (&shape) + plan.written_bytes;
  plan.seconds = es_line_plan_seconds (plan.flops, device);
  return plan;
}

/* What makes a row. */
typedef struct
{
  const Shape     *shape;
  EsPowerSpectrum *spectrum;
  float           *powers;     /* of all bins */
  EsJob           *job;
} Maker;

static gboolean
make_row (const float *samples, float *powers, gpointer data, GError **error)
{
  Maker *self = data;

  if (!es_power_spectrum_run (self->spectrum, samples, self->powers, es_job_get_cancellable (self->job)))
    {
      es_job_is_cancelled (self->job, error);
      return FALSE;
    }
  memcpy (powers, self->powers + self->shape->first_bin, self->shape->bins * sizeof *powers);
  return TRUE;
}

static gboolean
gather_rows (EsJob *job, EsLineGather *gather, const Shape *shape, EsParams *params, double rate, double *share,
             GError **error)
{
  const guint64 frames = row_frames (shape);
  g_autofree float *powers = g_try_new (float, shape->length / 2 + 1);
  g_autoptr (EsPowerSpectrum) spectrum = NULL;

  if (frames > G_MAXINT || powers == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                   _("There is not enough memory for rows of %.6g s."), frames / rate);
      return FALSE;
    }
  spectrum = es_power_spectrum_new (frames, shape->length, es_params_get_choice (params, "window"),
                                    1 - (double) shape->hop / shape->length);
  if (spectrum == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                   _("There is not enough memory for transforms of %u samples."), shape->length);
      return FALSE;
    }
  Maker maker = { shape, spectrum, powers, job };
  const EsLineRows rows = { .n = shape->rows, .step = (guint64) shape->hop * shape->average, .frames = (guint) frames,
                            .rate = rate, .make = make_row, .data = &maker };
  return es_line_gather_rows (gather, job, &rows, share, error);
}

static EsResult *
lofar_run (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  EsRecording *recording = ES_RECORDING (dataset);
  const double rate = es_recording_get_rate (recording);
  g_autoptr (EsLineSource) source = es_line_source_new (recording, params, error);
  g_autoptr (EsLineGather) gather = NULL;
  g_autofree EsSpectralLine *lines = NULL;
  g_autofree char *title = NULL, *reference = NULL;
  JsonObject *values;
  EsResult *result;
  guint n_lines;
  double share;
  Shape shape;

  if (source == NULL || !find_shape (recording, params, (double) es_line_source_get_frames (source), &shape, error))
    return NULL;
  g_autofree char *what = g_strdup_printf (_("A row of %u transforms of %u samples"), shape.average, shape.length);
  if (!es_limits_check_host_memory (es_job_get_limits (job), ROW_SHARE, row_bytes (&shape), what, error))
    return NULL;
  const EsLineLevels levels = es_params_get_choice (params, "levels");
  const double spacing = rate / shape.length;
  reference = es_line_levels_name (levels, es_line_source_get_reference (source), es_line_source_get_unit (source));
  gather = es_line_gather_new (recording, params, source, "lofar", _("LOFAR"), shape.bins, shape.first_bin * spacing,
                               spacing, es_params_get_choice (params, "window"), levels, reference,
                               es_job_get_limits (job), error);
  if (gather == NULL)
    return NULL;
  es_job_begin_stage (job, "spectra", _("Spectra"), 1);
  if (!gather_rows (job, gather, &shape, params, rate, &share, error))
    return NULL;
  es_line_source_tell_work (source, job, params,
                            (double) shape.rows * shape.average * 2.5 * shape.length * log2 (shape.length),
                            share, N_("Less overlap of the transforms helps."));
  es_job_begin_stage (job, "lines", _("Lines"), 0);
  lines = es_line_gather_find_lines (gather, &n_lines);

  result = es_result_new (&es_operation_lofar, dataset, params);
  title = g_strdup_printf (_("LOFAR, %s"), es_line_source_get_title (source));
  es_result_set_title (result, title);
  values = json_object_new ();
  json_object_set_int_member (values, "transform_length", shape.length);
  json_object_set_int_member (values, "hop", shape.hop);
  json_object_set_int_member (values, "average", shape.average);
  es_line_gather_publish (gather, result, reference, es_line_source_get_unit (source), lines, n_lines, values);
  return result;
}

const EsOperation es_operation_lofar = {
  .id = "lofar",
  .title = N_("LOFAR"),
  .short_title = N_("LOFAR"),
  .summary = N_("Shows which frequencies a beam or an element hears over time, and lists the lines that stand out."),
  .version = 1,
  .takes = ES_DATASET_RECORDING,
  .by_ranks = TRUE,
  .on_host = TRUE,
  .params = lofar_params,
  .plan = lofar_plan,
  .run = lofar_run,
};
