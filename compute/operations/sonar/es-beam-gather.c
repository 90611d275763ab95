/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What operations of beams gather from the blocks of a recording. */

#include "es-beam-gather-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "beam/es-beam-params-internal.h"
#include "es-beam-layers-private.h"
#include "ranks/es-ranks-internal.h"

/* Of blocks whose spectra are kept until it is known which beam is the strongest. */
#define KEPT_BYTES ((guint64) 256 << 20)

static double
distance_to (const EsBeamSettings *settings, guint angle, double bearing)
{
  return fabs (remainder (settings->angles[angle] - bearing, 360));
}

static guint
find_nearest (const EsBeamSettings *settings, double bearing)
{
  guint nearest = 0;

  for (guint i = 1; i < settings->n_angles; i++)
    if (distance_to (settings, i, bearing) < distance_to (settings, nearest, bearing))
      nearest = i;
  return nearest;
}

/* A millionth of a degree: what a bearing and its mirror image are alike by. */
#define ALIKE 1e-6

guint
es_beam_find_angle (const EsBeamSettings *settings, EsArray *array, double bearing)
{
  /* A line that stands upright has angles, too, if no bearings. */
  const double mirror = es_array_is_line (array) ? 360 - bearing : es_array_get_mirror (array, bearing);
  const guint nearest = find_nearest (settings, bearing);
  const guint other = isnan (mirror) ? nearest : find_nearest (settings, mirror);

  return distance_to (settings, other, mirror) < distance_to (settings, nearest, bearing) - ALIKE ? other : nearest;
}

gboolean
es_beam_gather_has_far (EsBeamGather *self)
{
  return es_beam_settings_find_far (self->settings) < self->settings->n_ranges;
}

guint
es_beam_gather_find_strongest (EsBeamGather *self, EsBeamKind kind)
{
  const EsBeamSettings *settings = self->settings;
  const guint far = es_beam_settings_find_far (settings) % settings->n_ranges;
  const double *row = self->sums[kind].field + (gsize) far * settings->n_angles;
  guint strongest = 0;

  for (guint i = 1; i < settings->n_angles; i++)
    if (row[i] > row[strongest])
      strongest = i;
  return strongest;
}

static gboolean
is_wanted (const EsBeamSettings *settings, EsBeamKind kind)
{
  return kind == ES_BEAM_CBF
         || (settings->adaptive.on && (kind == ES_BEAM_MVDR || settings->adaptive.sources > 0));
}

/* ---- layers over time ---- */

static gboolean
make_layers (EsBeamGather *self, GError **error)
{
  const EsBeamSettings *settings = self->settings;
  const EsLimits *limits = es_job_get_limits (self->job);
  const guint64 memory = es_limits_get_host_memory (limits, ES_BEAM_LAYER_SHARE);
  g_autofree double *frequencies = g_new (double, settings->n_bins);
  const EsAxis time = { _("Time"), (char *) "s", 0, NULL };
  const EsAxis angles = es_beam_layers_get_angles (self);
  const EsAxis bins = { _("Frequency"), (char *) "Hz", settings->n_bins, frequencies };

  for (guint b = 0; b < settings->n_bins; b++)
    frequencies[b] = es_beam_settings_get_frequency (settings, settings->first_bin + b);
  self->detections = es_beam_layers_new_table (self, "detections", _("Peaks over time"));
  es_beam_layers_add_peak_columns (self, self->detections, TRUE);
  if (!es_beam_gather_has_far (self))
    return TRUE;
  if (self->kind == ES_BEAM_MVDR)
    self->lifts = es_beam_layers_new_lifts ();
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    if (is_wanted (self->settings, kind))
      {
        g_autofree char *name = es_beam_layers_name ("btr", kind);
        g_autofree char *plain = es_beam_layers_title (self, _("Bearing over time"), kind);
        g_autofree char *title = es_beam_layers_title_highest (self, plain, kind);

        self->sums[kind].btr = es_field_new (name, title, ES_LAYER_WATERFALL, name, &time, &angles, memory, error);
        if (self->sums[kind].btr == NULL)
          return FALSE;
      }
  self->lofar = es_field_new ("lofar", _("LOFAR"), ES_LAYER_WATERFALL, "lofar", &time, &bins, memory, error);
  return self->lofar != NULL;
}

/* ---- sums ---- */

static gsize
take_place (EsBeamGather *self, gboolean wanted, gsize n)
{
  const gsize at = self->n_sums;

  if (!wanted)
    return G_MAXSIZE;
  self->n_sums += n;
  return at;
}

static void
make_places (EsBeamGather *self)
{
  const EsBeamSettings *settings = self->settings;
  const gboolean has_far = es_beam_gather_has_far (self);

  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      const gboolean wanted = is_wanted (settings, kind);

      self->places[kind] = (EsBeamPlaces) {
        take_place (self, wanted, (gsize) settings->n_ranges * settings->n_angles),
        take_place (self, wanted && has_far, (gsize) settings->n_angles * settings->n_bins),
        take_place (self, wanted && has_far && kind == ES_BEAM_MVDR,
                    (gsize) settings->n_angles * ES_BEAM_CURVE_BETWEEN),
      };
    }
  if (settings->adaptive.on && settings->adaptive.eigenvalues)
    self->n_eigenvalues = es_adaptive_settings_get_n_eigenvalues (settings, es_array_get_n_alive (self->array));
  self->eigenvalues_at = take_place (self, self->n_eigenvalues > 0, (gsize) settings->n_bins * self->n_eigenvalues);
}

static void
make_means (double *sums, gsize n, double share, gboolean reciprocals)
{
  for (gsize i = 0; i < n; i++)
    sums[i] = reciprocals ? 1 / (sums[i] * share) : sums[i] * share;
}

static double *
get_means (EsBeamGather *self, gsize at, gsize n, gboolean reciprocals)
{
  double *means = at == G_MAXSIZE ? NULL : self->sums_of_all + at;

  if (means != NULL)
    make_means (means, n, 1.0 / self->n_blocks, reciprocals);
  return means;
}

/* Of the blocks of all processes. */
static gboolean
finish_sums (EsBeamGather *self, GError **error)
{
  const EsBeamSettings *settings = self->settings;

  self->sums_of_all = es_ranks_groups_finish (self->groups, error);
  g_clear_pointer (&self->groups, es_ranks_groups_free);
  if (self->sums_of_all == NULL)
    return FALSE;
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      const EsBeamPlaces *places = &self->places[kind];
      const gboolean reciprocals = kind == ES_BEAM_MUSIC;
      EsBeamSums *sums = &self->sums[kind];

      sums->field = get_means (self, places->field, (gsize) settings->n_ranges * settings->n_angles, reciprocals);
      sums->spectra = get_means (self, places->spectra, (gsize) settings->n_angles * settings->n_bins, reciprocals);
      /* Once it is not known, it is of no mean. */
      if (!self->between_lost)
        sums->between = get_means (self, places->between, (gsize) settings->n_angles * ES_BEAM_CURVE_BETWEEN, FALSE);
    }
  self->eigenvalues = get_means (self, self->eigenvalues_at, (gsize) settings->n_bins * self->n_eigenvalues, FALSE);
  return TRUE;
}

/* Of a block that is kept. */
static guint64
count_bytes (EsBeamGather *self)
{
  const EsBeamSettings *settings = self->settings;
  guint n_kinds = 0;

  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    n_kinds += is_wanted (settings, kind);
  return (guint64) settings->n_angles * (settings->n_bins + settings->n_ranges) * n_kinds * sizeof (float)
         + (guint64) settings->n_bins * self->n_eigenvalues * sizeof (double);
}

/* Whatever it is that several processes do, it is what one would do. */
static gboolean
is_kept (EsBeamGather *self, const EsLimits *limits)
{
  const guint64 limit = limits->memory > 0 ? MIN (KEPT_BYTES, limits->memory / 8) : KEPT_BYTES;

  return self->lofar != NULL && self->lofar_angle == G_MAXUINT && self->n_blocks <= limit / count_bytes (self);
}

gboolean
es_beam_gather_init (EsBeamGather *self, const EsOperation *operation, EsJob *job, EsRecording *recording,
                     EsParams *params, GError **error)
{
  const EsLimits *limits = es_job_get_limits (job);
  const char *bearing = es_params_get_text (params, "lofar-bearing");

  self->operation = operation;
  self->job = job;
  self->params = params;
  self->recording = g_object_ref (recording);
  self->array = es_recording_get_array (recording);
  self->calibration = es_recording_dup_calibration (recording);
  self->navigation = es_recording_dup_navigation (recording);
  self->settings = es_beam_settings_new (params, recording, self->array, error);
  if (self->settings == NULL
      || !es_beam_find_blocks (recording, params, self->settings, &self->first, &self->n_blocks, error))
    return FALSE;
  self->kind = self->settings->adaptive.on ? ES_BEAM_MVDR : ES_BEAM_CBF;
  self->n_peaks = (guint) es_params_get_int (params, "peaks");
  self->peak_range = es_params_get_float (params, "peak-range");
  self->peak_distance = es_params_get_float (params, "peak-distance");
  self->lofar_angle = *bearing != '\0'
                      ? es_beam_find_angle (self->settings, self->array, g_ascii_strtod (bearing, NULL)) : G_MAXUINT;
  const EsTrackerSettings tracking = { .circular = !es_array_is_line (self->array) };
  self->tracker = es_tracker_new (&tracking);
  if (!make_layers (self, error))
    return FALSE;
  make_places (self);
  if (is_kept (self, limits))
    self->kept = g_ptr_array_new_with_free_func ((GDestroyNotify) es_beam_block_unref);
  self->record = g_byte_array_new ();
  return TRUE;
}

void
es_beam_gather_clear (EsBeamGather *self)
{
  g_clear_pointer (&self->kept, g_ptr_array_unref);
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    g_clear_object (&self->sums[kind].btr);
  g_clear_pointer (&self->groups, es_ranks_groups_free);
  g_free (self->sums_of_all);
  g_clear_pointer (&self->record, g_byte_array_unref);
  g_clear_pointer (&self->records, es_store_free);
  g_clear_object (&self->lofar);
  g_clear_object (&self->detections);
  g_clear_object (&self->lifts);
  g_clear_pointer (&self->tracker, es_tracker_free);
  g_clear_pointer (&self->settings, es_beam_settings_free);
  g_clear_pointer (&self->array, es_array_unref);
  g_clear_pointer (&self->calibration, es_calibration_unref);
  g_clear_pointer (&self->navigation, es_navigation_unref);
  g_clear_object (&self->recording);
  g_free (self->health);
}

/* ---- after the last one ---- */

static gboolean
take_lofar (EsBeamBlock *block, gpointer data, GError **error)
{
  EsBeamGather *self = data;

  es_job_set_fraction (self->job, (double) ++self->done / (self->end - self->begin));
  return es_beam_gather_add_lofar (self, block, es_beam_block_get_settings (block)->n_angles > 1
                                                ? self->lofar_angle : 0, error);
}

/* Once more, for one beam. Of adaptive ones with all others: where a tone stands between two bins is told by those
 * beside it. */
static gboolean
go_through_again (EsBeamGather *self, GError **error)
{
  g_autoptr (EsBeamSettings) settings = es_beam_settings_copy (self->settings);
  g_autoptr (EsBeamformer) beamformer = NULL;

  if (self->kind == ES_BEAM_CBF)
    {
      settings->angles[0] = self->settings->angles[self->lofar_angle];
      settings->n_angles = 1;
    }
  settings->ranges[0] = INFINITY;
  settings->n_ranges = 1;
  settings->adaptive.sources = 0;
  settings->adaptive.eigenvalues = FALSE;
  es_job_begin_stage (self->job, "lofar", _("LOFAR"), 0);
  beamformer = es_beamformer_new_calibrated (self->recording, self->array, settings, self->calibration,
                                             es_job_get_device (self->job), es_job_get_limits (self->job), error);
  self->done = 0;
  if (!es_ranks_agree (beamformer != NULL, error)
      || !es_beamformer_run_share (beamformer, self->first, settings->block, self->begin, self->end, take_lofar, self,
                                   es_job_get_cancellable (self->job), error))
    return FALSE;
  es_beam_gather_tell_again (self, settings);
  return TRUE;
}

static gboolean
finish_lofar (EsBeamGather *self, GError **error)
{
  gboolean added = TRUE;

  if (self->lofar == NULL || self->lofar_angle != G_MAXUINT)
    return TRUE;
  self->lofar_angle = es_beam_gather_find_strongest (self, self->kind);
  if (self->kept == NULL)
    return go_through_again (self, error) && es_beam_gather_collect (self, error);
  for (guint i = 0; i < self->kept->len && added; i++)
    added = es_beam_gather_add_lofar (self, g_ptr_array_index (self->kept, i), self->lofar_angle, error);
  g_clear_pointer (&self->kept, g_ptr_array_unref);
  return es_ranks_agree (added, error) && es_beam_gather_collect (self, error);
}

/* ---- the whole run ---- */

/* The time that passed is shared among the steps as they were busy: they overlap. waited_ms: for other processes. Who
 * has no blocks has the same steps as the others. */
static void
account_stages (EsBeamGather *self, double waited_ms)
{
  const double busy = self->input_ms + self->transform_ms + self->beams_ms;
  const double ms = busy > 0 ? MAX (1e3 * self->run_seconds - waited_ms, 0) / busy : 0;

  es_job_add_stage_ms (self->job, "input", _("Input"), ms * self->input_ms);
  es_job_add_stage_ms (self->job, "transform", _("Transforms"), ms * self->transform_ms);
  if (!self->settings->adaptive.on)
    return;
  es_job_add_stage_ms (self->job, "matrix", _("Matrices"), ms * self->matrix_ms);
  es_job_add_stage_ms (self->job, "factor", _("Factors"), ms * self->factor_ms);
  es_job_add_stage_ms (self->job, "spectrum", _("Azimuth spectra"), ms * self->spectrum_ms);
}

static gboolean
take_block (EsBeamBlock *block, gpointer data, GError **error)
{
  EsBeamGather *self = data;

  if (!es_beam_gather_add_block (self, block, error))
    return FALSE;
  es_job_set_fraction (self->job, (double) ++self->done / (self->end - self->begin));
  return TRUE;
}

static gboolean
run_blocks (EsBeamGather *self, EsBeamformer *beamformer, GError **error)
{
  const double waited = es_ranks_get_waited_ms ();
  const gint64 start = g_get_monotonic_time ();
  EsUploadChoice upload;
  guint n_elements;

  if (!es_beamformer_run_share (beamformer, self->first, self->settings->block, self->begin, self->end, take_block,
                                self, es_job_get_cancellable (self->job), error)
      || !es_beam_gather_collect (self, error))
    return FALSE;
  self->run_seconds = (g_get_monotonic_time () - start) * 1e-6;
  if (es_beamformer_get_upload (beamformer, &upload))
    es_job_tell_upload (self->job, &upload);
  es_beamformer_get_times (beamformer, &self->input_ms, &self->transform_ms, &self->beams_ms);
  account_stages (self, es_ranks_get_waited_ms () - waited);
  es_beam_gather_tell_work (self, es_beamformer_get_upload (beamformer, &upload) ? &upload : NULL);

  const EsElementHealth *health = es_beamformer_get_health (beamformer, &n_elements);
  self->health = g_memdup2 (health, n_elements * sizeof *health);
  return TRUE;
}

gboolean
es_beam_gather_run (EsBeamGather *self, const EsBeamGatherCalls *calls, gpointer data, GError **error)
{
  g_autofree guint *begins = g_new (guint, es_ranks_get_size () + 1);
  gboolean keep = self->kept != NULL;

  /* Hosts may have been given different memory. */
  if (!es_ranks_have_all (&keep, error))
    return FALSE;
  if (!keep)
    g_clear_pointer (&self->kept, g_ptr_array_unref);
  self->calls = calls;
  self->calls_data = data;
  es_beam_gather_share (self, begins);
  self->groups = es_ranks_groups_new (self->n_blocks, self->n_sums, begins);
  {
    g_autoptr (EsBeamformer) beamformer = es_beamformer_new_calibrated (self->recording, self->array, self->settings,
                                                                        self->calibration,
                                                                        es_job_get_device (self->job),
                                                                        es_job_get_limits (self->job), error);
    if (!es_ranks_agree (beamformer != NULL, error))
      return FALSE;
    self->setup_seconds = es_beamformer_get_setup_seconds (beamformer);
    es_job_add_stage_ms (self->job, "transform", _("Transforms"), 0);
    es_job_begin_stage (self->job, "beams", _("Beams"), 1);
    if (!run_blocks (self, beamformer, error) || !finish_sums (self, error))
      return FALSE;
    es_tracker_finish (self->tracker);
    if (calls->after != NULL && !es_ranks_agree (calls->after (beamformer, data, error), error))
      return FALSE;
  }
  if (!finish_lofar (self, error))
    return FALSE;
  es_job_begin_stage (self->job, "peaks", _("Peaks"), 0);
  return TRUE;
}
