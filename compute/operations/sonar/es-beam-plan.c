/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a run over the blocks of a recording is, and what it costs. */

#include "es-beam-gather-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "beam/es-beam-params-internal.h"
#include "recording/es-recording-internal.h"

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

/* Of the speed at covariances that a GPU forms beams at; as measured on an H200. */
#define GPU_EFFICIENCY 1.0

/* A CPU spends little of its time on multiplications where blocks are small. Counted as flops, at the speed at
 * covariances: how many times slower transforms, beams, and matrices by a small or a large inverse are; what a beam at
 * a bin costs beside its elements (sums over lanes), and in a block a direction, of it an element (delays), and a
 * matrix. Measured with 12 to 256 elements and blocks of 10 ms to 60 s, on one and two threads with AVX-512: within a
 * factor of two nearly always. */
#define CPU_TRANSFORM 3.0
#define CPU_BEAM 0.85
#define CPU_SMALL_INVERSE 0.25
#define CPU_INVERSE 3.0
#define CPU_BEAM_FLOPS 460.0
#define CPU_DIRECTION_FLOPS 6000.0
#define CPU_DIRECTION_ELEMENT_FLOPS 100.0
#define CPU_MATRIX_FLOPS 5.6e4
/* Seconds whatever the threads: a block, its share of adaptive beams, and for waking threads; adding up a beam's bin,
 * of adaptive beams with the curve between the directions. */
#define CPU_BLOCK_SECONDS 2.5e-5
#define CPU_ADAPTIVE_BLOCK_SECONDS 5e-5
#define CPU_WAKE_SECONDS 6e-5
#define CPU_ADD_SECONDS 2.5e-9
#define CPU_ADD_ADAPTIVE_SECONDS 1.4e-7

/* Files come from the system's cache at about this, bytes a second; to each of the threads that read for cards. */
#define READS 5e9
/* A block's launches and copies on a GPU; its plans; page-locked memory, seconds a byte. */
#define BLOCK_SECONDS 1.5e-4
#define SETUP_SECONDS 0.01
#define LOCKING 3e-10

/* A block, all of whose flops are `flops`. */
static double
cpu_seconds_a_block (const EsBeamSettings *settings, guint n_alive, double flops, double speed, guint threads)
{
  const gboolean has_far = es_beam_settings_find_far (settings) < settings->n_ranges;
  const double n = n_alive, directions = (double) settings->n_ranges * settings->n_angles;
  const double far = has_far ? (double) settings->n_angles * settings->n_bins : 0;
  const double near = (double) (settings->n_ranges - has_far) * settings->n_angles * settings->cbf_bins;
  const double sums = (near + far) * settings->snapshots;
  const double transforms = n * settings->snapshots * 2.5 * settings->length * log2 (settings->length);
  const double beams = 8 * n * sums;
  const double wakes = threads > 1 ? CPU_WAKE_SECONDS : 0;
  double work = CPU_TRANSFORM * transforms + CPU_BEAM * beams + CPU_BEAM_FLOPS * sums
                + directions * (CPU_DIRECTION_FLOPS + n * CPU_DIRECTION_ELEMENT_FLOPS);
  double seconds = CPU_BLOCK_SECONDS + wakes + CPU_ADD_SECONDS * far;

  if (settings->adaptive.on)
    {
      const gboolean small = es_beam_settings_get_method (settings, n_alive) == ES_ADAPTIVE_WOODBURY;

      work += MAX (flops - transforms - beams, 0) * (small ? CPU_SMALL_INVERSE : CPU_INVERSE)
              + CPU_MATRIX_FLOPS * settings->n_bins * settings->n_ranges;
      seconds += CPU_ADAPTIVE_BLOCK_SECONDS + wakes + CPU_ADD_ADAPTIVE_SECONDS * far;
    }
  return seconds + work / speed;
}

/* What a block takes with so many snapshots in its matrices, at a speed at which seconds of nothing but themselves are
 * none; and of that hearing it. */
static double
count_block (const EsBeamSettings *settings, guint n_alive, guint columns, double *hearing)
{
  const EsAdaptiveMethod method = es_beam_settings_get_method (settings, n_alive);
  const EsAdaptiveWork work = es_beam_settings_get_adaptive_work_of (settings, method, n_alive, columns);
  const gboolean has_far = es_beam_settings_find_far (settings) < settings->n_ranges;
  const double near = (double) (settings->n_ranges - has_far) * settings->n_angles * settings->cbf_bins;
  const double far = has_far ? (double) settings->n_angles * settings->n_bins : 0;
  const double transforms = n_alive * (double) settings->snapshots * 2.5 * settings->length * log2 (settings->length);
  const double flops = transforms + 8.0 * n_alive * settings->snapshots * (near + far)
                       + work.matrix + work.factor + work.spectrum;

  /* A matrix that is kept is formed by hearing. */
  *hearing = CPU_TRANSFORM * transforms + CPU_INVERSE * (columns == 0 ? work.matrix : 0);
  return cpu_seconds_a_block (settings, n_alive, flops, 1, 1);
}

double
es_beam_get_cost_of_hearing (const EsBeamSettings *settings, guint n_alive)
{
  double hearing;
  const double all = count_block (settings, n_alive, es_adaptive_settings_get_columns (settings, n_alive), &hearing);

  return CLAMP (hearing / all, 0, 1);
}

double
es_beam_get_cost_of_early (const EsBeamSettings *settings, guint n_alive, guint before)
{
  const guint columns = es_adaptive_settings_get_columns (settings, n_alive);
  const guint64 early = settings->snapshots * ((guint64) before + 1);
  double hearing;

  if (early >= columns)
    return 1;
  return count_block (settings, n_alive, (guint) early, &hearing) / count_block (settings, n_alive, columns, &hearing);
}

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

  const guint lanes = es_device_get_lanes (device);
  const guint threads = limits != NULL && limits->threads > 0 ? MIN (limits->threads, lanes) : lanes;
  const double speed = es_device_get_flops (device);
  const double computing = on_cpu ? plan.tiles * cpu_seconds_a_block (settings, es_array_get_n_alive (array), flops,
                                                                      speed * threads / lanes, threads)
                           : plan.flops / (speed * GPU_EFFICIENCY);
  const gboolean is_locked = es_recording_is_page_locked (recording);
  const double link = on_cpu ? G_MAXDOUBLE : es_device_get_bandwidth (device);
  const guint readers = !on_cpu && es_recording_is_by_bytes (recording)
                        ? es_upload_choose (device, es_device_get_n_members (device), plan.read_bytes,
                                            limits).threads : 1;
  const double reading = plan.read_bytes / (is_locked ? link : MIN (link, READS * readers));
  plan.seconds = MAX (computing, reading) + 0.1 * MIN (computing, reading);
  if (!on_cpu)
    plan.seconds += plan.tiles * BLOCK_SECONDS + SETUP_SECONDS + (is_locked ? 0 : LOCKING * plan.memory);
  return plan;
}
