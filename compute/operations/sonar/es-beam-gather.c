/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What operations of beams gather from the blocks of a recording. */

#include "es-beam-gather-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-beam-layers-private.h"
#include "base/es-error.h"

/* Of blocks whose spectra are kept until it is known which beam is the strongest. */
#define KEPT_BYTES ((guint64) 256 << 20)
/* Of the host's memory, for one layer over time; what is larger goes to a file. */
#define LAYER_SHARE ((EsMemoryShare) { .of_limit = 8, .of_machine = 8 })

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
  const guint64 memory = es_limits_get_host_memory (limits, LAYER_SHARE);
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
    if (self->sums[kind].field != NULL)
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

static gboolean
make_sums (EsBeamGather *self, GError **error)
{
  const gsize n_field = (gsize) self->settings->n_ranges * self->settings->n_angles;
  const gsize n_spectra = (gsize) self->settings->n_angles * self->settings->n_bins;
  gboolean done = TRUE;

  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    if (is_wanted (self->settings, kind))
      {
        self->sums[kind].field = g_try_new0 (double, n_field);
        if (es_beam_gather_has_far (self))
          self->sums[kind].spectra = g_try_new0 (double, n_spectra);
        if (es_beam_gather_has_far (self) && kind == ES_BEAM_MVDR)
          self->sums[kind].between = g_try_new0 (double, (gsize) self->settings->n_angles * ES_BEAM_CURVE_BETWEEN);
        done = done && self->sums[kind].field != NULL
               && (self->sums[kind].spectra != NULL || !es_beam_gather_has_far (self));
      }
  return done || es_compute_error_no_memory (_("the beams"), error);
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
  self->kept = g_ptr_array_new_with_free_func ((GDestroyNotify) es_beam_block_unref);
  self->kept_limit = limits->memory > 0 ? MIN (KEPT_BYTES, limits->memory / 8) : KEPT_BYTES;
  const EsTrackerSettings tracking = { .circular = !es_array_is_line (self->array) };
  self->tracker = es_tracker_new (&tracking);
  return make_sums (self, error) && make_layers (self, error);
}

void
es_beam_gather_clear (EsBeamGather *self)
{
  g_clear_pointer (&self->kept, g_ptr_array_unref);
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      g_free (self->sums[kind].field);
      g_free (self->sums[kind].spectra);
      g_free (self->sums[kind].between);
      g_clear_object (&self->sums[kind].btr);
    }
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

/* ---- blocks ---- */

/* lifts: of MVDR's far row. Returns how many. */
static guint
add_detections (EsBeamGather *self, EsBeamBlock *block, EsBeamLift *lifts)
{
  const EsBeamSettings *settings = self->settings;
  g_autofree EsBeamPeak *peaks = g_new (EsBeamPeak, self->n_peaks);
  const float *far = es_beam_block_get_far_of (block, self->kind);
  const double time = es_beam_block_get_time_of (block, self->kind);
  EsBeamCurve curve = es_beam_settings_get_curve (settings, self->kind, es_beam_block_get_field_of (block, self->kind),
                                                  es_beam_block_get_spectra_of (block, self->kind));
  EsBeamLift *wanted = self->kind == ES_BEAM_MVDR ? lifts : NULL;
  guint n_lifts = 0, n;

  n = settings->n_ranges > 1 ? es_find_peaks_of_field (&curve, settings->n_ranges, self->n_peaks, self->peak_range,
                                                       self->peak_distance, peaks)
                             : es_find_peaks_and_lifts (&curve, self->n_peaks, self->peak_range, self->peak_distance,
                                                        peaks, wanted, &n_lifts);

  for (guint i = 0; i < n; i++)
    es_beam_layers_add_peak (self, self->detections, &time, &peaks[i]);
  if (far == NULL)
    return 0;
  curve.powers = far;
  if (settings->n_ranges > 1)
    n = es_find_peaks_and_lifts (&curve, self->n_peaks, self->peak_range, self->peak_distance, peaks, wanted, &n_lifts);
  if (self->kind == ES_BEAM_MVDR)
    n = es_peaks_above_noise (peaks, n, far, settings->n_angles);
  es_tracker_add (self->tracker, time, peaks, n);
  return n_lifts;
}

static guint64
count_bytes (EsBeamGather *self, EsBeamBlock *block)
{
  const EsBeamSettings *settings = self->settings;
  guint n_eigenvalues, n_kinds = 0;

  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    n_kinds += es_beam_block_has (block, kind) ? 1 : 0;
  es_beam_block_get_eigenvalues (block, &n_eigenvalues);
  return (guint64) settings->n_angles * (settings->n_bins + settings->n_ranges) * n_kinds * sizeof (float)
         + (guint64) settings->n_bins * n_eigenvalues * sizeof (double);
}

static gboolean
add_lofar (EsBeamGather *self, EsBeamBlock *block, GError **error)
{
  if (self->lofar_angle != G_MAXUINT)
    return es_field_append (self->lofar, es_beam_block_get_time_of (block, self->kind),
                            es_beam_block_get_spectra_of (block, self->kind)
                            + (gsize) self->lofar_angle * self->settings->n_bins, error);
  if (self->kept != NULL)
    {
      if ((self->kept->len + 1) * count_bytes (self, block) <= self->kept_limit)
        g_ptr_array_add (self->kept, es_beam_block_ref (block));
      else
        g_clear_pointer (&self->kept, g_ptr_array_unref);
    }
  return TRUE;
}

static void
add_sums (double *sums, const float *values, gsize n, gboolean reciprocals)
{
  if (sums == NULL || values == NULL)
    return;
  if (reciprocals)
    for (gsize i = 0; i < n; i++)
      sums[i] += 1.0 / values[i];
  else
    for (gsize i = 0; i < n; i++)
      sums[i] += values[i];
}

/* The curve between the angles; once it is not known, it is of no mean. */
static void
add_between (EsBeamGather *self, EsBeamBlock *block, EsBeamKind kind)
{
  EsBeamSums *sums = &self->sums[kind];

  if (sums->between == NULL)
    return;
  const EsBeamCurve curve = es_beam_settings_get_curve (self->settings, kind, es_beam_block_get_far_of (block, kind),
                                                        es_beam_block_get_spectra_of (block, kind));
  if (!es_beam_curve_add_between (&curve, sums->between))
    g_clear_pointer (&sums->between, g_free);
}

/* A row as it is shown: of adaptive beams, through the peaks between them. */
static gboolean
add_row (EsBeamGather *self, EsBeamBlock *block, EsBeamKind kind, const EsBeamLift *lifts, guint n_lifts,
         GError **error)
{
  const float *far = es_beam_block_get_far_of (block, kind);
  const double time = es_beam_block_get_time_of (block, kind);
  g_autofree float *row = NULL;

  if (kind == ES_BEAM_MVDR && n_lifts > 0)
    {
      row = g_memdup2 (far, self->settings->n_angles * sizeof *far);
      es_beam_lift (row, lifts, n_lifts);
      es_beam_layers_add_lifts (self, self->lifts, time, lifts, n_lifts);
    }
  return es_field_append (self->sums[kind].btr, time, row != NULL ? row : far, error);
}

gboolean
es_beam_gather_take (EsBeamGather *self, EsBeamBlock *block, GError **error)
{
  const gsize n_field = (gsize) self->settings->n_ranges * self->settings->n_angles;
  const gsize n_spectra = (gsize) self->settings->n_angles * self->settings->n_bins;
  EsBeamLift lifts[ES_BEAM_MOST_LIFTS];
  const guint n_lifts = add_detections (self, block, lifts);

  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      EsBeamSums *sums = &self->sums[kind];

      add_sums (sums->field, es_beam_block_get_field_of (block, kind), n_field, kind == ES_BEAM_MUSIC);
      add_sums (sums->spectra, es_beam_block_get_spectra_of (block, kind), n_spectra, kind == ES_BEAM_MUSIC);
      add_between (self, block, kind);
      if (sums->btr != NULL && !add_row (self, block, kind, lifts, n_lifts, error))
        return FALSE;
    }
  self->has_loose_tones |= es_beam_block_has_loose_tones (block);
  if (self->lofar != NULL && !add_lofar (self, block, error))
    return FALSE;
  es_job_set_fraction (self->job, (double) ++self->done / self->n_blocks);
  return TRUE;
}

/* ---- after the last one ---- */

static gboolean
take_lofar (EsBeamBlock *block, gpointer data, GError **error)
{
  EsBeamGather *self = data;
  const EsBeamSettings *settings = es_beam_block_get_settings (block);
  const guint angle = settings->n_angles > 1 ? self->lofar_angle : 0;

  es_job_set_fraction (self->job, (double) ++self->done / self->n_blocks);
  return es_field_append (self->lofar, es_beam_block_get_time_of (block, self->kind),
                          es_beam_block_get_spectra_of (block, self->kind) + (gsize) angle * settings->n_bins, error);
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
  if (beamformer == NULL
      || !es_beamformer_run_shared (beamformer, self->first, settings->block, self->n_blocks, take_lofar, self,
                                    es_job_get_cancellable (self->job), error))
    return FALSE;
  es_beam_gather_tell_again (self, settings);
  return TRUE;
}

static void
make_means (double *sums, gsize n, double share, gboolean reciprocals)
{
  for (gsize i = 0; sums != NULL && i < n; i++)
    sums[i] = reciprocals ? 1 / (sums[i] * share) : sums[i] * share;
}

static gboolean
finish_lofar (EsBeamGather *self, GError **error)
{
  if (self->lofar == NULL || self->lofar_angle != G_MAXUINT)
    return TRUE;
  self->lofar_angle = es_beam_gather_find_strongest (self, self->kind);
  if (self->kept == NULL)
    return go_through_again (self, error);
  for (guint i = 0; i < self->kept->len; i++)
    if (!add_lofar (self, g_ptr_array_index (self->kept, i), error))
      return FALSE;
  return TRUE;
}

/* ---- the whole run ---- */

/* The time that passed is shared among the steps as they were busy: they overlap. */
static void
account_stages (EsBeamGather *self)
{
  const double busy = self->input_ms + self->transform_ms + self->beams_ms;

  if (busy <= 0)
    return;
  es_job_add_stage_ms (self->job, "input", _("Input"), 1e3 * self->run_seconds * self->input_ms / busy);
  es_job_add_stage_ms (self->job, "transform", _("Transforms"), 1e3 * self->run_seconds * self->transform_ms / busy);
  if (!self->settings->adaptive.on)
    return;
  es_job_add_stage_ms (self->job, "matrix", _("Matrices"), 1e3 * self->run_seconds * self->matrix_ms / busy);
  es_job_add_stage_ms (self->job, "factor", _("Factors"), 1e3 * self->run_seconds * self->factor_ms / busy);
  es_job_add_stage_ms (self->job, "spectrum", _("Azimuth spectra"), 1e3 * self->run_seconds * self->spectrum_ms / busy);
}

gboolean
es_beam_gather_run (EsBeamGather *self, EsBeamTake take,
                    gboolean (*after) (EsBeamformer *beamformer, gpointer data, GError **error), gpointer data,
                    GError **error)
{
  const gsize n_field = (gsize) self->settings->n_ranges * self->settings->n_angles;
  const gsize n_spectra = (gsize) self->settings->n_angles * self->settings->n_bins;
  guint n_elements;

  {
    g_autoptr (EsBeamformer) beamformer = es_beamformer_new_calibrated (self->recording, self->array, self->settings,
                                                                        self->calibration,
                                                                        es_job_get_device (self->job),
                                                                        es_job_get_limits (self->job), error);
    if (beamformer == NULL)
      return FALSE;
    self->setup_seconds = es_beamformer_get_setup_seconds (beamformer);
    es_job_add_stage_ms (self->job, "transform", _("Transforms"), 0);
    es_job_begin_stage (self->job, "beams", _("Beams"), 1);
    const gint64 start = g_get_monotonic_time ();
    if (!es_beamformer_run_shared (beamformer, self->first, self->settings->block, self->n_blocks, take, data,
                                   es_job_get_cancellable (self->job), error))
      return FALSE;
    self->run_seconds = (g_get_monotonic_time () - start) * 1e-6;
    EsUploadChoice upload;
    if (es_beamformer_get_upload (beamformer, &upload))
      es_job_tell_upload (self->job, &upload);
    es_beamformer_get_times (beamformer, &self->input_ms, &self->transform_ms, &self->beams_ms);
    account_stages (self);
    es_beam_gather_tell_work (self, es_beamformer_get_upload (beamformer, &upload) ? &upload : NULL);
    const EsElementHealth *health = es_beamformer_get_health (beamformer, &n_elements);
    self->health = g_memdup2 (health, n_elements * sizeof *health);
    for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
      {
        make_means (self->sums[kind].field, n_field, 1.0 / self->n_blocks, kind == ES_BEAM_MUSIC);
        make_means (self->sums[kind].spectra, n_spectra, 1.0 / self->n_blocks, kind == ES_BEAM_MUSIC);
        make_means (self->sums[kind].between, (gsize) self->settings->n_angles * ES_BEAM_CURVE_BETWEEN,
                    1.0 / self->n_blocks, FALSE);
      }
    es_tracker_finish (self->tracker);
    if (after != NULL && !after (beamformer, data, error))
      return FALSE;
  }
  if (!finish_lofar (self, error))
    return FALSE;
  es_job_begin_stage (self->job, "peaks", _("Peaks"), 0);
  return TRUE;
}
