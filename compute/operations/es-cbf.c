/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Conventional beamforming of a whole recording (sonar.md 3 and 4): energy over range and angle, over frequency and
 * angle, over time and angle, and over time and frequency of one beam. Maps not over time are means of the blocks.
 */

#include "es-cbf-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-beam-params-private.h"
#include "es-error.h"
#include "es-recording-private.h"

static gboolean
check_bearing (const char *text, GError **error)
{
  char *end;
  const double value = g_ascii_strtod (text, &end);

  if (end != text && *end == '\0' && isfinite (value) && fabs (value) <= 360)
    return TRUE;
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
               _("“%s” is no bearing: expected degrees, as in 57.5."), text);
  return FALSE;
}

static const EsParamChoice bands_choices[] = {
  { "full", N_("The whole band") },
  { "third-octave", N_("Third octaves") },
  { NULL }
};

static const EsParamSpec cbf_params[] = {
  ES_BEAM_PARAMS,
  { .key = "bands", .label = N_("Curves"),
    .help = N_("Whether band energy against angle is one curve, or has one for each third octave of the band too."),
    .type = ES_PARAM_CHOICE, .choices = bands_choices, .advanced = TRUE },
  { .key = "from", .label = N_("From"), .help = N_("Where in the recording it begins."), .unit = N_("s"),
    .type = ES_PARAM_FLOAT, .minimum = 0, .maximum = 1e9, .step = 1, .digits = 3, .zero_label = N_("Beginning"),
    .advanced = TRUE },
  { .key = "to", .label = N_("To"), .help = N_("Where in the recording it ends."), .unit = N_("s"),
    .type = ES_PARAM_FLOAT, .minimum = 0, .maximum = 1e9, .step = 1, .digits = 3, .zero_label = N_("End"),
    .advanced = TRUE },
  { .key = "lofar-bearing", .label = N_("LOFAR bearing"),
    .help = N_("The bearing of the beam whose frequencies are shown over time. Automatic: the strongest."),
    .unit = N_("°"), .type = ES_PARAM_TEXT, .zero_label = N_("Strongest"), .check = check_bearing, .advanced = TRUE },
  { .key = "peaks", .label = N_("Peaks"), .help = N_("How many peaks are listed at most, strongest first."),
    .type = ES_PARAM_INT, .group = ES_PARAM_GROUP_THRESHOLDS, .minimum = 1, .maximum = 1000, .default_value = 5,
    .step = 1 },
  { .key = "peak-range", .label = N_("Peak range"),
    .help = N_("Peaks that are weaker than the strongest by more than this are not listed."), .unit = N_("dB"),
    .type = ES_PARAM_FLOAT, .group = ES_PARAM_GROUP_THRESHOLDS, .minimum = 0, .maximum = 200, .default_value = 10,
    .step = 1, .digits = 1 },
  { .type = ES_PARAM_END }
};

gboolean
es_cbf_find_blocks (EsRecording *recording, EsParams *params, const EsBeamSettings *settings, guint64 *first,
                    guint64 *n_blocks, GError **error)
{
  const guint64 frames = es_recording_get_frames (recording);
  const double from = es_params_get_float (params, "from"), to = es_params_get_float (params, "to");
  const double seconds = es_recording_get_seconds (recording), end = to > 0 ? MIN (to, seconds) : seconds;

  if (from >= end || (end - from) * settings->rate + 0.5 < settings->block)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("From %.6g to %.6g s there is no block of %.6g s: the recording has %.6g s."), from, end,
                   settings->block / settings->rate, seconds);
      return FALSE;
    }
  *first = (guint64) floor (from * settings->rate + 0.5);
  const guint64 last = MIN ((guint64) floor (end * settings->rate + 0.5), frames);
  *n_blocks = MAX ((last - MIN (*first, last)) / settings->block, 1);
  return TRUE;
}

/* ---- what it costs ---- */

/* Of the speed at covariances that beams are formed at; as measured on an H200 and its host. */
#define CPU_EFFICIENCY 0.5
#define GPU_EFFICIENCY 1.0
/* Files come from the system's cache at about this, bytes a second. */
#define READS 5e9
/* A block's launches and copies on a GPU; its plans; page-locked memory, seconds a byte. */
#define BLOCK_SECONDS 1.5e-4
#define SETUP_SECONDS 0.01
#define LOCKING 3e-10

static EsPlan
cbf_plan (EsDataset *dataset, EsParams *params, EsDevice *device, const EsLimits *limits)
{
  EsRecording *recording = ES_RECORDING (dataset);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (EsBeamSettings) settings = array != NULL ? es_beam_settings_new (params, recording, array, NULL) : NULL;
  const gboolean on_cpu = es_device_get_kind (device) == ES_DEVICE_CPU;
  EsPlan plan = { .passes = 1 };
  guint64 first;
  double flops;

  /* What is wrong is said when it runs. */
  if (settings == NULL || !es_cbf_find_blocks (recording, params, settings, &first, &plan.tiles, NULL))
    return plan;
  es_beamformer_estimate (recording, array, settings, device, &plan.memory, &plan.device_memory, &flops);
  plan.tile_width = settings->block;
  plan.tile_height = es_recording_get_n_channels (recording);
  plan.read_bytes = plan.tiles * plan.tile_width * plan.tile_height
                    * esk_type_size (es_recording_get_type_code (recording));
  plan.flops = plan.tiles * flops;
  plan.written_bytes = plan.tiles * ((guint64) settings->n_angles + settings->n_bins) * sizeof (float)
                       + (guint64) settings->n_angles * (settings->n_ranges + settings->n_bins) * sizeof (float);
  plan.memory += plan.written_bytes;

  const double share = on_cpu && limits != NULL && limits->threads > 0
                       ? MIN ((double) limits->threads / es_device_get_lanes (device), 1) : 1;
  const double computing = plan.flops / (es_device_get_flops (device) * share
                                         * (on_cpu ? CPU_EFFICIENCY : GPU_EFFICIENCY));
  const gboolean is_locked = es_recording_get_source (recording)->page_locked;
  const double link = on_cpu ? G_MAXDOUBLE : es_device_get_bandwidth (device);
  const double reading = plan.read_bytes / (is_locked ? link : MIN (link, READS));
  plan.seconds = MAX (computing, reading) + 0.1 * MIN (computing, reading);
  if (!on_cpu)
    plan.seconds += plan.tiles * BLOCK_SECONDS + SETUP_SECONDS + (is_locked ? 0 : LOCKING * plan.memory);
  return plan;
}

/* ---- the operation ---- */

/* The time that passed is shared among the steps as they were busy: they overlap. */
static void
account_stages (EsJob *job, EsCbf *cbf)
{
  const double busy = cbf->input_ms + cbf->transform_ms + cbf->beams_ms;

  if (busy <= 0)
    return;
  es_job_add_stage_ms (job, "input", _("Input"), 1e3 * cbf->run_seconds * cbf->input_ms / busy);
  es_job_add_stage_ms (job, "transform", _("Transforms"), 1e3 * cbf->run_seconds * cbf->transform_ms / busy);
}

static EsResult *
cbf_run (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  EsRecording *recording = ES_RECORDING (dataset);
  g_autoptr (EsCbf) cbf = NULL;
  guint n_elements;

  es_job_add_stage_ms (job, "input", _("Input"), 0);
  es_job_begin_stage (job, "setup", _("Making ready"), 0);
  cbf = es_cbf_new (job, recording, params, error);
  if (cbf == NULL)
    return NULL;
  {
    g_autoptr (EsBeamformer) beamformer = es_beamformer_new (recording, cbf->array, cbf->settings,
                                                             es_job_get_device (job), es_job_get_limits (job), error);
    if (beamformer == NULL)
      return NULL;
    cbf->setup_seconds = es_beamformer_get_setup_seconds (beamformer);
    es_job_add_stage_ms (job, "transform", _("Transforms"), 0);
    es_job_begin_stage (job, "beams", _("Beams"), 1);
    const gint64 start = g_get_monotonic_time ();
    if (!es_beamformer_run (beamformer, cbf->first, cbf->settings->block, cbf->n_blocks, es_cbf_take, cbf,
                            es_job_get_cancellable (job), error))
      return NULL;
    cbf->run_seconds = (g_get_monotonic_time () - start) * 1e-6;
    es_beamformer_get_times (beamformer, &cbf->input_ms, &cbf->transform_ms, &cbf->beams_ms);
    account_stages (job, cbf);
    const EsElementHealth *health = es_beamformer_get_health (beamformer, &n_elements);
    cbf->health = g_memdup2 (health, n_elements * sizeof *health);
  }
  if (!es_cbf_finish (cbf, error))
    return NULL;
  es_job_begin_stage (job, "peaks", _("Peaks"), 0);
  return es_cbf_describe (cbf, error);
}

const EsOperation es_operation_cbf = {
  .id = "cbf",
  .title = N_("Conventional beamforming"),
  .short_title = N_("Beams"),
  .summary = N_("Finds from which directions, and from how far away, an array of hydrophones hears sound, and at which "
                "frequencies."),
  .version = 1,
  .takes = ES_DATASET_RECORDING,
  .params = cbf_params,
  .plan = cbf_plan,
  .run = cbf_run,
};
