/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Conventional beamforming of a whole recording (sonar.md 3 and 4): energy over range and angle, over frequency and
 * angle, over time and angle, and over time and frequency of one beam. Maps not over time are means of the blocks.
 */

#include <glib/gi18n-lib.h>

#include "es-beam-layers-private.h"
#include "base/es-text-internal.h"
#include "beam/es-beam-params-internal.h"
#include "es-sonar-operations-internal.h"

static const EsParamChoice bands_choices[] = {
  { .id = "full", .label = N_("The whole band") },
  { .id = "third-octave", .label = N_("Third octaves") },
  { .id = NULL }
};

static const EsParamSpec cbf_params[] = {
  ES_BEAM_PARAMS,
  { .key = "bands", .label = N_("Curves"),
    .help = N_("Whether band energy against angle is one curve, or has one for each third octave of the band too."),
    .type = ES_PARAM_CHOICE, .choices = bands_choices, .advanced = TRUE },
  ES_BEAM_GATHER_PARAMS,
  { .type = ES_PARAM_END }
};

static EsResult *
describe (EsBeamGather *cbf, GError **error)
{
  const EsBeamSettings *settings = cbf->settings;
  g_autofree float *field = es_beam_layers_copy_field (cbf, ES_BEAM_CBF);
  g_autofree EsBeamPeak *peaks = g_new (EsBeamPeak, cbf->n_peaks);
  g_autoptr (EsCurve) energy = es_beam_layers_make_energy (cbf, es_params_get_choice (cbf->params, "bands") == 1);
  g_autoptr (EsField) map = es_beam_layers_make_field (cbf, ES_BEAM_CBF, error);
  g_autoptr (EsField) fraz = NULL;
  g_autoptr (EsTable) table = NULL, tracks = NULL;
  g_autoptr (EsResult) result = NULL;
  g_autofree char *title = NULL;
  guint n_peaks;

  if (map == NULL
      || (cbf->sums[ES_BEAM_CBF].spectra != NULL
          && (fraz = es_beam_layers_make_fraz (cbf, ES_BEAM_CBF, error)) == NULL))
    return NULL;
  const EsBeamCurve curve = es_beam_settings_get_curve (settings, ES_BEAM_CBF, field, NULL);
  n_peaks = es_find_peaks_of_field (&curve, settings->n_ranges, cbf->n_peaks, cbf->peak_range, cbf->peak_distance,
                                    peaks);
  table = es_beam_layers_make_peaks (cbf, peaks, n_peaks);
  tracks = es_beam_layers_make_tracks (cbf);
  result = es_result_new (cbf->operation, ES_DATASET (cbf->recording), cbf->params);
  title = n_peaks > 0 ? g_strdup_printf (_("Beams, strongest at %.1f°"), es_text_round_tenth (peaks[0].bearing))
                      : g_strdup (_("Beams"));
  es_result_set_title (result, title);
  es_result_add_layer (result, ES_LAYER (energy));
  es_beam_layers_publish (cbf, result, map, ES_BEAM_CBF);
  if (fraz != NULL)
    {
      es_beam_layers_publish (cbf, result, fraz, ES_BEAM_CBF);
      es_beam_layers_publish (cbf, result, cbf->sums[ES_BEAM_CBF].btr, ES_BEAM_CBF);
      es_beam_layers_publish (cbf, result, cbf->lofar, ES_BEAM_CBF);
    }
  es_result_add_layer (result, ES_LAYER (table));
  es_result_add_layer (result, ES_LAYER (cbf->detections));
  if (fraz != NULL)
    es_result_add_layer (result, ES_LAYER (tracks));
  es_result_set_values (result, es_beam_layers_make_values (cbf, peaks, n_peaks));
  es_beam_layers_warn (cbf, result, peaks, n_peaks);
  return g_steal_pointer (&result);
}

static EsResult *
cbf_run (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  static const EsBeamGatherCalls calls = { NULL };
  g_auto (EsBeamGather) cbf = { 0 };

  es_job_add_stage_ms (job, "input", _("Input"), 0);
  es_job_begin_stage (job, "setup", _("Making ready"), 0);
  if (!es_beam_gather_init (&cbf, &es_operation_cbf, job, ES_RECORDING (dataset), params, error)
      || !es_beam_gather_run (&cbf, &calls, NULL, error))
    return NULL;
  return describe (&cbf, error);
}

const EsOperation es_operation_cbf = {
  .id = "cbf",
  .title = N_("Conventional beamforming"),
  .short_title = N_("Beams"),
  .summary = N_("Finds from which directions, and from how far away, an array of hydrophones hears sound, and at which "
                "frequencies."),
  .version = 1,
  .takes = ES_DATASET_RECORDING,
  .by_ranks = TRUE,
  .params = cbf_params,
  .plan = es_beam_plan,
  .run = cbf_run,
};
