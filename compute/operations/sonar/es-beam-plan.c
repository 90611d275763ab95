/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a run over the blocks of a recording is, and what it costs. */

#include "es-beam-gather-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "recording/es-recording-internal.h"

gboolean
es_beam_check_bearing (const char *text, GError **error)
{
  char *end;
  const double value = g_ascii_strtod (text, &end);

  if (end != text && *end == '\0' && isfinite (value) && fabs (value) <= 360)
    return TRUE;
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
               _("“%s” is no bearing: expected degrees, as in 57.5."), text);
  return FALSE;
}

gboolean
es_beam_find_blocks (EsRecording *recording, EsParams *params, const EsBeamSettings *settings, guint64 *first,
                     guint64 *n_blocks, GError **error)
{
  const guint64 frames = es_recording_get_frames (recording);
  const double from = es_params_get_float (params, "from"), to = es_params_get_float (params, "to");
  /* It may be growing: of one length. */
  const double seconds = (double) frames / es_recording_get_rate (recording);
  const double end = to > 0 ? MIN (to, seconds) : seconds;

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

EsPlan
es_beam_plan (EsDataset *dataset, EsParams *params, EsDevice *device, const EsLimits *limits)
{
  EsRecording *recording = ES_RECORDING (dataset);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (EsBeamSettings) settings = array != NULL ? es_beam_settings_new (params, recording, array, NULL) : NULL;
  const gboolean on_cpu = es_device_is_cpu (device);
  EsPlan plan = { .passes = 1 };
  guint64 first;
  double flops;

  /* What is wrong is said when it runs. */
  if (settings == NULL || !es_beam_find_blocks (recording, params, settings, &first, &plan.tiles, NULL))
    return plan;
  const guint n_kinds = !settings->adaptive.on ? 1 : settings->adaptive.sources == 0 ? 2 : 3;
  es_beamformer_estimate (recording, array, settings, device, &plan.memory, &plan.device_memory, &flops);
  plan.tile_width = settings->block;
  plan.tile_height = es_recording_get_n_channels (recording);
  plan.read_bytes = plan.tiles * plan.tile_width * plan.tile_height
                    * esk_type_size (es_recording_get_type_code (recording));
  plan.flops = plan.tiles * flops;
  plan.written_bytes = plan.tiles * ((guint64) settings->n_angles * n_kinds + settings->n_bins) * sizeof (float)
                       + (guint64) settings->n_angles * (settings->n_ranges + settings->n_bins) * n_kinds
                         * sizeof (float);
  plan.memory += plan.written_bytes;

  const double share = on_cpu && limits != NULL && limits->threads > 0
                       ? MIN ((double) limits->threads / es_device_get_lanes (device), 1) : 1;
  const double computing = plan.flops / (es_device_get_flops (device) * share
                                         * (on_cpu ? CPU_EFFICIENCY : GPU_EFFICIENCY));
  const gboolean is_locked = es_recording_is_page_locked (recording);
  const double link = on_cpu ? G_MAXDOUBLE : es_device_get_bandwidth (device);
  const double reading = plan.read_bytes / (is_locked ? link : MIN (link, READS));
  plan.seconds = MAX (computing, reading) + 0.1 * MIN (computing, reading);
  if (!on_cpu)
    plan.seconds += plan.tiles * BLOCK_SECONDS + SETUP_SECONDS + (is_locked ? 0 : LOCKING * plan.memory);
  return plan;
}
