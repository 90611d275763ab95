/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* DEMON of one beam or element: the band's envelope over frequency and time, and whose harmonics its lines are. */

#include "es-line-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "signal/es-line-spectrum.h"

/* A harmonic's line may be so far from its place, in bins. */
#define TOLERANCE 0.75
/* A line counts for so much at most in telling whose harmonic it is, dB. */
#define MOST_EXCESS 20.0
/* As which harmonic a line may be the strongest. */
#define MOST_ORDER 12

static const EsParamSpec demon_params[] = {
  ES_LINE_PARAMS,
  { .key = "carrier", .label = N_("Carrier band"),
    .help = N_("The noise whose beats are listened to, LOW:HIGH. Automatic: from a fortieth to nine tenths of half "
               "the sampling rate; of a beam, no higher than where half a wavelength is as long as elements are "
               "apart, and from a fifth of that at most."),
    .type = ES_PARAM_TEXT, .unit = N_("Hz"), .zero_label = N_("Automatic"), .check = es_beam_check_band },
  { .key = "max-frequency", .label = N_("Highest beat"),
    .help = N_("Up to which frequency beats are shown."),
    .type = ES_PARAM_FLOAT, .unit = N_("Hz"),
    .minimum = 0.1, .maximum = 1e5, .step = 5, .digits = 1, .default_value = 50 },
  { .key = "segment", .label = N_("Segment"),
    .help = N_("How much signal is transformed at once: 10 s tell beats apart that differ by 0.1 Hz; a shorter "
               "recording is one segment."),
    .type = ES_PARAM_FLOAT, .unit = N_("s"),
    .minimum = 0.1, .maximum = 3600, .step = 1, .digits = 2, .default_value = 10 },
  { .key = "overlap", .label = N_("Overlap"),
    .help = N_("How much of a segment the next one repeats."),
    .type = ES_PARAM_FLOAT, .unit = "%", .maximum = 0.95, .step = 0.05, .default_value = 0.75 },
  ES_LINE_NORMALISER_PARAMS (3, 0.3),
  { .type = ES_PARAM_END }
};

/* The automatic carrier band, as shares of half the sampling rate: tones of machines and flow lie below, and above is
 * where filters fade. A beam may begin at the last one, a share of the frequency for which the array is made. */
#define LOWEST_SHARE (1.0 / 40)
#define HIGHEST_SHARE 0.9
#define LOWEST_SHARE_OF_BEAM 0.2

/* Of the host's memory, for a segment; the gram has the other half, and goes to a file beyond it. */
#define SEGMENT_SHARE ((EsMemoryShare) { .of_limit = 2, .of_machine = 2 })

typedef struct
{
  guint   n, hop, bins;
  guint64 rows;
  double  low, high, highest;
} Shape;

/* Wide, for the noise of a propeller is loudest low down, and tells more the wider it is. Above the frequency for which
 * its array is made, a beam hears other bearings as well. */
static void
choose_carrier (EsRecording *recording, EsParams *params, Shape *shape)
{
  const double nyquist = es_recording_get_rate (recording) / 2;
  g_autoptr (EsArray) array = es_recording_get_array (recording);

  shape->low = LOWEST_SHARE * nyquist;
  shape->high = HIGHEST_SHARE * nyquist;
  if (array == NULL || es_array_get_n_elements (array) < 2 || *es_params_get_text (params, "bearing") == '\0')
    return;
  const double made_for = es_array_get_sound_speed (array) / (2 * es_array_get_spacing (array));
  /* A band has to be wider than its beats: an array that is sparser has to do with its side lobes. */
  if (made_for < shape->high && (1 - LOWEST_SHARE_OF_BEAM) * made_for > shape->highest)
    {
      shape->low = MIN (shape->low, LOWEST_SHARE_OF_BEAM * made_for);
      shape->high = made_for;
    }
}

static gboolean
find_shape (EsRecording *recording, EsParams *params, double frames, Shape *shape, GError **error)
{
  const double rate = es_recording_get_rate (recording);
  const char *carrier = es_params_get_text (params, "carrier");
  const double wanted = floor (es_params_get_float (params, "segment") * rate + 0.5);

  *shape = (Shape) { .highest = es_params_get_float (params, "max-frequency") };
  choose_carrier (recording, params, shape);
  if (*carrier != '\0' && !es_parse_band (carrier, &shape->low, &shape->high, error))
    return FALSE;
  if (MIN (wanted, frames) > G_MAXINT)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("A segment of %.6g s has too many samples at %.6g Hz."), wanted / rate, rate);
      return FALSE;
    }
  shape->n = (guint) MAX (MIN (wanted, frames), 1);
  shape->hop = MAX ((guint) floor (shape->n * (1 - es_params_get_float (params, "overlap")) + 0.5), 1);
  shape->rows = ((guint64) frames - shape->n) / shape->hop + 1;
  shape->bins = (guint) es_demon_count_bins (shape->n, rate, shape->highest);
  return TRUE;
}

/* Two copies of the samples, what the envelope is made with, and FFTW's tables, which lengths of large prime factors
 * make several times as long. */
static guint64
segment_bytes (const Shape *shape)
{
  return (guint64) shape->n * (2 + 8 + 10) * sizeof (float);
}

static EsPlan
demon_plan (EsDataset *dataset, EsParams *params, EsDevice *device, const EsLimits *limits)
{
  EsRecording *recording = ES_RECORDING (dataset);
  EsPlan plan = { .passes = 1 };
  double frames, flops;
  Shape shape;

  if (!es_line_source_estimate (recording, params, &frames, &plan.read_bytes, &flops)
      || !find_shape (recording, params, frames, &shape, NULL))
    return plan;
  plan.tiles = shape.rows;
  plan.tile_width = shape.n;
  plan.tile_height = 1;
  plan.flops = flops + (double) shape.rows * 4 * 2.5 * shape.n * log2 (MAX (shape.n, 2));
  plan.written_bytes = shape.rows * shape.bins * sizeof (float);
  plan.memory = segment_bytes (&shape) + plan.written_bytes;
  plan.seconds = es_line_plan_seconds (plan.flops, device);
  return plan;
}

/* What makes a row. */
typedef struct
{
  const Shape *shape;
  double       rate;
  EsJob       *job;
} Maker;

static gboolean
make_row (const float *samples, float *powers, gpointer data, GError **error)
{
  const Maker *self = data;
  const Shape *shape = self->shape;
  g_autofree float *made = NULL;
  double step;
  guint n;

  if (!es_demon_spectrum (samples, shape->n, self->rate, shape->low, shape->high, shape->highest, &made, &n, &step,
                          es_job_get_cancellable (self->job), error))
    return FALSE;
  memcpy (powers, made, shape->bins * sizeof *powers);
  return TRUE;
}

static gboolean
gather_rows (EsJob *job, EsRecording *recording, EsParams *params, EsLineSource *source, const Shape *shape,
             EsLineGather **gather, double *share, GError **error)
{
  const double rate = es_recording_get_rate (recording);
  g_autofree char *what = g_strdup_printf (_("A segment of %.6g s"), shape->n / rate);

  if (!es_limits_check_host_memory (es_job_get_limits (job), SEGMENT_SHARE, segment_bytes (shape), what, error))
    return FALSE;
  *gather = es_line_gather_new (recording, params, source, "demon", _("DEMON"), shape->bins, 0, rate / shape->n,
                                ES_WINDOW_HANN, ES_LEVELS_TONE, _("mean envelope²"), es_job_get_limits (job), error);
  if (*gather == NULL)
    return FALSE;
  Maker maker = { shape, rate, job };
  const EsLineRows rows = { .n = shape->rows, .step = shape->hop, .frames = shape->n, .rate = rate, .make = make_row,
                            .data = &maker };
  return es_line_gather_rows (*gather, job, &rows, share, error);
}

/* ---- harmonics ---- */

/* The lines at multiples of `fundamental`: the sum of how clear they are, less what would fall there by chance, for a
 * low fundamental has a harmonic near every line. */
static double
rate_harmonics (const EsSpectralLine *lines, guint n, double fundamental, double tolerance, guint *strongest,
                guint *found)
{
  double score = 0, best = -INFINITY;

  *strongest = *found = 0;
  for (guint i = 0; i < n; i++)
    {
      const double order = floor (lines[i].frequency / fundamental + 0.5);

      if (order < 1 || fabs (lines[i].frequency - order * fundamental) > tolerance)
        continue;
      score += MIN (lines[i].excess, MOST_EXCESS);
      *found += 1;
      if (lines[i].level > best)
        {
          best = lines[i].level;
          *strongest = (guint) order;
        }
    }
  return score * (1 - 2 * tolerance / fundamental);
}

/* The frequency of which the lines are harmonics, by all of them together; 0: there is none. */
static double
find_fundamental (const EsSpectralLine *lines, guint n, double step, guint *strongest)
{
  double best = 0, fundamental = 0;

  *strongest = 0;
  for (guint i = 0; i < n; i++)
    for (guint order = 1; order <= MOST_ORDER; order++)
      {
        const double candidate = lines[i].frequency / order;
        guint top, found;

        if (candidate < 2 * TOLERANCE * step)
          break;
        const double score = rate_harmonics (lines, n, candidate, TOLERANCE * step, &top, &found);
        if (found >= 2 && score > best)
          {
            best = score;
            fundamental = candidate;
            *strongest = top;
          }
      }
  if (fundamental > 0)
    {
      double weighted = 0, weights = 0;

      for (guint i = 0; i < n; i++)
        {
          const double order = floor (lines[i].frequency / fundamental + 0.5);

          if (order < 1 || fabs (lines[i].frequency - order * fundamental) > TOLERANCE * step)
            continue;
          weighted += order * lines[i].frequency;
          weights += order * order;
        }
      fundamental = weighted / weights;
    }
  return fundamental;
}

static EsResult *
demon_run (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  EsRecording *recording = ES_RECORDING (dataset);
  g_autoptr (EsLineSource) source = es_line_source_new (recording, params, error);
  g_autoptr (EsLineGather) gather = NULL;
  g_autofree EsSpectralLine *lines = NULL;
  g_autofree char *title = NULL, *carrier = NULL;
  JsonObject *values;
  EsResult *result;
  guint n_lines, strongest;
  double fundamental, share;
  Shape shape;

  if (source == NULL || !find_shape (recording, params, (double) es_line_source_get_frames (source), &shape, error))
    return NULL;
  es_job_begin_stage (job, "envelope", _("Envelopes"), 1);
  if (!gather_rows (job, recording, params, source, &shape, &gather, &share, error))
    return NULL;
  es_line_source_tell_work (source, job, params, (double) shape.rows * 4 * 2.5 * shape.n * log2 (MAX (shape.n, 2)),
                            share, N_("Less overlap of the segments helps."));
  carrier = g_strdup_printf ("%.9g:%.9g", shape.low, shape.high);
  es_field_add_metadata (gather->waterfall, "carrier_hz", carrier);
  es_job_begin_stage (job, "lines", _("Lines"), 0);
  lines = es_line_gather_find_lines (gather, &n_lines);
  fundamental = find_fundamental (lines, n_lines, gather->step, &strongest);

  result = es_result_new (&es_operation_demon, dataset, params);
  title = fundamental > 0 ? g_strdup_printf (_("DEMON, %s: %.2f Hz"), es_line_source_get_title (source), fundamental)
                          : g_strdup_printf (_("DEMON, %s"), es_line_source_get_title (source));
  es_result_set_title (result, title);
  values = json_object_new ();
  json_object_set_double_member (values, "carrier_low_hz", shape.low);
  json_object_set_double_member (values, "carrier_high_hz", shape.high);
  json_object_set_double_member (values, "segment_seconds", shape.n / es_recording_get_rate (recording));
  if (fundamental > 0)
    {
      json_object_set_double_member (values, "fundamental_hz", fundamental);
      json_object_set_int_member (values, "strongest_harmonic", strongest);
    }
  else
    json_object_set_null_member (values, "fundamental_hz");
  es_line_gather_publish (gather, result, _("mean envelope²"), _("mean envelope²"), lines, n_lines, values);
  return result;
}

const EsOperation es_operation_demon = {
  .id = "demon",
  .title = N_("DEMON"),
  .short_title = N_("DEMON"),
  .summary = N_("Finds the beats in the noise that a beam or an element hears: the turns and blades of a propeller."),
  .version = 1,
  .takes = ES_DATASET_RECORDING,
  .by_ranks = TRUE,
  .on_host = TRUE,
  .params = demon_params,
  .plan = demon_plan,
  .run = demon_run,
};
