/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Steps of the analyses of recordings. Beams: each process forms those of a few blocks of time, then all of them have
 * all blocks of the round, and each adds them up, in order, as one process would. What forgets without an end, and
 * LOFAR, is not shared out: one piece.
 */

#include "es-cluster-work-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "beam/es-beam-params-internal.h"
#include "recording/es-recording-internal.h"

/* Shares of the best rates, as those of cubes: 64 elements, blocks of a second. */
#define TRANSFORM 0.3
#define BEAMS 0.2
#define MATRIX 0.2
#define FACTOR 0.008
#define SPECTRUM 0.3
#define LINES 0.027
#define CARD 0.45
/* What listening by a beam costs a sample of an element. */
#define BEAM_OF_LINE (2 * (2.5 * 13 + 8))
#define MOST_LENGTH (1u << 24)
/* Blocks of a process at a time: so many, or so many times those that have to be heard before them. */
#define FEWEST_BLOCKS 16
#define TIMES_BEFORE 8
/* Adding up a bin of a direction, counted as operations; of adaptive beams with the curve between the directions. */
#define ADD 40.0
#define ADD_ADAPTIVE 2000.0
#define ADDING 0.25

/* Frames from and to; FALSE where there is none. */
static gboolean
find_frames (EsRecording *recording, EsParams *params, double *frames, GError **error)
{
  const double rate = es_recording_get_rate (recording), all = (double) es_recording_get_frames (recording);
  const double from = es_params_get_float (params, "from"), to = es_params_get_float (params, "to");
  const double end = to > 0 ? MIN (floor (to * rate + 0.5), all) : all;

  *frames = end - floor (from * rate + 0.5);
  if (*frames >= 1)
    return TRUE;
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
               _("There is nothing to listen to from %.6g to %.6g s: the recording has %.6g s."), from, end / rate,
               all / rate);
  return FALSE;
}

/* How blocks are shared out. */
static void
share (const EsBeamSettings *settings, double blocks, EsClusterStep *step)
{
  const guint64 memory = es_adaptive_settings_get_memory (settings);
  const gboolean whole = settings->adaptive.on && settings->adaptive.forgetting > 0;

  step->pieces = whole ? 1 : (guint64) blocks;
  step->turn = whole ? 0 : MAX (FEWEST_BLOCKS, TIMES_BEFORE * memory);
  step->warm = whole ? 0 : memory;
}

static void
add_adaptive (GArray *steps, const EsBeamSettings *settings, guint n_alive, double blocks)
{
  const EsAdaptiveMethod method = es_beam_settings_get_method (settings, n_alive);
  const EsAdaptiveWork work = es_beam_settings_get_adaptive_work (settings, method, n_alive);
  const EsClusterStep made[] = {
    { .name = "matrix", .title = N_("Matrix"), .operations = blocks * work.matrix, .reach_cpu = MATRIX },
    { .name = "factor", .title = N_("Factor"), .operations = blocks * work.factor, .reach_cpu = FACTOR },
    { .name = "spectrum", .title = N_("Spectrum"), .operations = blocks * work.spectrum, .reach_cpu = SPECTRUM },
  };

  for (guint i = 0; i < G_N_ELEMENTS (made); i++)
    {
      EsClusterStep step = made[i];

      step.type = ES_WORK_FLOAT64;
      step.joined = TRUE;
      step.reach_card = CARD;
      share (settings, blocks, &step);
      g_array_append_val (steps, step);
    }
}

gboolean
_es_cluster_add_beams (GArray *steps, EsRecording *recording, EsParams *params, GError **error)
{
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (EsBeamSettings) settings = NULL;
  double frames, blocks;

  if (array == NULL)
    {
      es_beam_settings_refuse_missing_array (recording, error);
      return FALSE;
    }
  if ((settings = es_beam_settings_new (params, recording, array, error)) == NULL
      || !find_frames (recording, params, &frames, error))
    return FALSE;
  blocks = MAX (floor (frames / settings->block), 1);

  const gboolean has_far = es_beam_settings_find_far (settings) < settings->n_ranges;
  const guint n_alive = es_array_get_n_alive (array);
  const double n = n_alive, snapshots = settings->snapshots;
  const double size = esk_type_size (es_recording_get_type_code (recording));
  const double near = (double) (settings->n_ranges - has_far) * settings->n_angles * settings->cbf_bins;
  const double far = has_far ? (double) settings->n_angles * settings->n_bins : 0;
  const double spectra = n * settings->n_bins * snapshots * 2 * sizeof (float);
  const double kinds = !settings->adaptive.on ? 1 : settings->adaptive.sources == 0 ? 2 : 3;
  const double maps = (double) settings->n_angles * (settings->n_ranges + settings->n_bins) * kinds;
  const double rows = blocks * (settings->n_angles * kinds + settings->n_bins);
  const double block_bytes = maps * sizeof (float)
                             + (settings->adaptive.on && settings->adaptive.eigenvalues ? settings->n_bins * n * 8 : 0);
  EsClusterStep transform = {
    .name = "transform", .title = N_("Transform"),
    .file_bytes = blocks * settings->block * es_recording_get_n_channels (recording) * size,
    .memory_bytes = blocks * ((double) settings->block * n * size + spectra),
    .operations = blocks * n * snapshots * 2.5 * settings->length * log2 (settings->length), .launches = blocks,
    .reach_cpu = TRANSFORM, .reach_card = CARD, .gathered_bytes = blocks * block_bytes,
    .written_bytes = (maps + rows) * sizeof (float),
  };
  /* A complex multiplication and addition is 8. */
  EsClusterStep beams = {
    .name = "beams", .title = N_("Beams"), .memory_bytes = blocks * spectra,
    .operations = blocks * 8 * n * snapshots * (near + far), .joined = TRUE, .launches = blocks,
    .reach_cpu = BEAMS, .reach_card = CARD,
  };
  const EsClusterStep adding = {
    .name = "adding", .title = N_("Adding up"), .serial = TRUE, .threads = 1, .pieces = 1,
    .operations = blocks * (double) settings->n_angles * settings->n_bins
                  * (settings->adaptive.on ? ADD_ADAPTIVE : ADD),
    .reach_cpu = ADDING,
  };

  share (settings, blocks, &transform);
  share (settings, blocks, &beams);
  if (transform.turn == 0)
    transform.gathered_bytes = 0;
  g_array_append_val (steps, transform);
  g_array_append_val (steps, beams);
  if (settings->adaptive.on)
    add_adaptive (steps, settings, n_alive, blocks);
  g_array_append_val (steps, adding);
  return TRUE;
}

/* One thread of one process does all of it, on the processor. */
gboolean
_es_cluster_add_lofar (GArray *steps, EsRecording *recording, EsParams *params, GError **error)
{
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  const gboolean beam = *es_params_get_text (params, "bearing") != '\0';
  const double rate = es_recording_get_rate (recording);
  const double average = (double) es_params_get_int (params, "average");
  double frames, length = floor ((double) es_params_get_int (params, "transform") / 2) * 2, low = 0, high = rate / 2;

  if (beam && array == NULL)
    {
      es_beam_settings_refuse_missing_array (recording, error);
      return FALSE;
    }
  if (!find_frames (recording, params, &frames, error)
      || (*es_params_get_text (params, "band") != '\0'
          && !es_parse_band (es_params_get_text (params, "band"), &low, &high, error)))
    return FALSE;
  if (length == 0)
    for (length = 2; length < rate && length < MOST_LENGTH;)
      length *= 2;

  const double hop = MAX (floor (length * (1 - es_params_get_float (params, "overlap")) + 0.5), 1);
  const double row = (average - 1) * hop + length, rows = floor ((frames - row) / (hop * average)) + 1;
  const double bins = MAX (floor (MIN (high, rate / 2) * length / rate) - ceil (low * length / rate) + 1, 1);

  if (row > frames)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("A row of %u transforms of %u samples takes %.6g s, but there are %.6g s."), (guint) average,
                   (guint) length, row / rate, frames / rate);
      return FALSE;
    }
  const EsClusterStep spectra = {
    .name = "spectra", .title = N_("Spectra"),
    .file_bytes = frames * es_recording_get_n_channels (recording)
                  * (double) esk_type_size (es_recording_get_type_code (recording)),
    .operations = rows * average * 2.5 * length * log2 (length)
                  + (beam ? frames * es_array_get_n_alive (array) * BEAM_OF_LINE : 0),
    .threads = 1, .pieces = 1, .reach_cpu = LINES, .written_bytes = rows * bins * sizeof (float),
  };

  g_array_append_val (steps, spectra);
  return TRUE;
}
