/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What conventional beamforming gathers from its blocks. */

#include "es-cbf-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-error.h"

/* Of blocks whose spectra are kept until it is known which beam is the strongest. */
#define KEPT_BYTES ((guint64) 256 << 20)

guint
es_cbf_find_angle (const EsBeamSettings *settings, double bearing)
{
  guint nearest = 0;

  for (guint i = 1; i < settings->n_angles; i++)
    {
      const double distance = fabs (remainder (settings->angles[i] - bearing, 360));
      if (distance < fabs (remainder (settings->angles[nearest] - bearing, 360)))
        nearest = i;
    }
  return nearest;
}

/* ---- layers over time ---- */

static gboolean
make_layers (EsCbf *self, GError **error)
{
  const EsBeamSettings *settings = self->settings;
  const EsLimits *limits = es_job_get_limits (self->job);
  const guint64 memory = (limits->memory > 0 ? limits->memory : es_device_get_memory (es_device_get_cpu ())) / 8;
  const gboolean has_far = es_beam_settings_find_far (settings) < settings->n_ranges;
  g_autofree double *frequencies = g_new (double, settings->n_bins);
  const EsAxis time = { _("Time"), (char *) "s", 0, NULL };
  const EsAxis angles = { es_array_is_line (self->array) ? _("Bearing") : _("Azimuth"), (char *) "°",
                          settings->n_angles, settings->angles };
  const EsAxis bins = { _("Frequency"), (char *) "Hz", settings->n_bins, frequencies };

  for (guint b = 0; b < settings->n_bins; b++)
    frequencies[b] = es_beam_settings_get_frequency (settings, settings->first_bin + b);
  self->detections = es_table_new ("detections", _("Peaks over time"));
  if (!has_far)
    return TRUE;
  self->btr = es_field_new ("btr", _("Bearing over time"), ES_LAYER_WATERFALL, "btr", &time, &angles, memory, error);
  if (self->btr == NULL)
    return FALSE;
  self->lofar = es_field_new ("lofar", _("LOFAR"), ES_LAYER_WATERFALL, "lofar", &time, &bins, memory, error);
  return self->lofar != NULL;
}

static void
add_peak_columns (EsTable *table, gboolean timed)
{
  if (timed)
    es_table_add_column (table, _("Time"), "s", 3);
  es_table_add_column (table, _("Bearing"), "°", 2);
  es_table_add_column (table, _("Range"), "m", 0);
  es_table_add_column (table, _("Level"), "dB", 2);
  es_table_add_column (table, _("Width"), "°", 2);
  es_table_add_column (table, _("Margin"), "dB", 2);
}

EsCbf *
es_cbf_new (EsJob *job, EsRecording *recording, EsParams *params, GError **error)
{
  g_autoptr (EsCbf) self = g_new0 (EsCbf, 1);
  const EsLimits *limits = es_job_get_limits (job);
  const char *bearing = es_params_get_text (params, "lofar-bearing");

  self->job = job;
  self->params = params;
  self->recording = g_object_ref (recording);
  self->array = es_recording_get_array (recording);
  self->settings = es_beam_settings_new (params, recording, self->array, error);
  if (self->settings == NULL
      || !es_cbf_find_blocks (recording, params, self->settings, &self->first, &self->n_blocks, error))
    return NULL;
  self->n_peaks = (guint) es_params_get_int (params, "peaks");
  self->peak_range = es_params_get_float (params, "peak-range");
  self->lofar_angle = *bearing != '\0' ? es_cbf_find_angle (self->settings, g_ascii_strtod (bearing, NULL))
                                       : G_MAXUINT;
  self->kept = g_ptr_array_new_with_free_func ((GDestroyNotify) es_beam_block_unref);
  self->kept_limit = limits->memory > 0 ? MIN (KEPT_BYTES, limits->memory / 8) : KEPT_BYTES;

  const gsize n_field = (gsize) self->settings->n_ranges * self->settings->n_angles;
  const gsize n_spectra = (gsize) self->settings->n_angles * self->settings->n_bins;
  self->field = g_try_new0 (double, n_field);
  if (es_beam_settings_find_far (self->settings) < self->settings->n_ranges)
    self->spectra = g_try_new0 (double, n_spectra);
  if (self->field == NULL
      || (self->spectra == NULL && es_beam_settings_find_far (self->settings) < self->settings->n_ranges))
    {
      es_device_check (es_device_get_cpu (), NULL, ESK_ERROR_MEMORY, _("the beams"), error);
      return NULL;
    }
  if (!make_layers (self, error))
    return NULL;
  add_peak_columns (self->detections, TRUE);
  return g_steal_pointer (&self);
}

void
es_cbf_free (EsCbf *self)
{
  g_clear_pointer (&self->kept, g_ptr_array_unref);
  g_clear_object (&self->btr);
  g_clear_object (&self->lofar);
  g_clear_object (&self->detections);
  g_clear_pointer (&self->settings, es_beam_settings_free);
  g_clear_pointer (&self->array, es_array_unref);
  g_clear_object (&self->recording);
  g_free (self->field);
  g_free (self->spectra);
  g_free (self->health);
  g_free (self);
}

/* ---- blocks ---- */

static void
add_detections (EsCbf *self, EsBeamBlock *block)
{
  const EsBeamSettings *settings = self->settings;
  g_autofree EsBeamPeak *peaks = g_new (EsBeamPeak, self->n_peaks);
  const double time = es_beam_block_get_time (block);
  const guint n = es_find_peaks_of_field (settings->angles, es_beam_block_get_field (block), settings->n_ranges,
                                          settings->n_angles, self->n_peaks, self->peak_range, 0, peaks);

  for (guint i = 0; i < n; i++)
    {
      const EsBeamPeak *peak = &peaks[i];
      const gconstpointer cells[] = { &time, &peak->bearing, &settings->ranges[peak->row], &peak->level, &peak->width,
                                      &peak->margin };
      es_table_add_row (self->detections, cells);
    }
}

static gboolean
add_lofar (EsCbf *self, EsBeamBlock *block, GError **error)
{
  const EsBeamSettings *settings = self->settings;

  if (self->lofar_angle != G_MAXUINT)
    return es_field_append (self->lofar, es_beam_block_get_time (block),
                            es_beam_block_get_spectra (block) + (gsize) self->lofar_angle * settings->n_bins, error);
  if (self->kept != NULL)
    {
      const guint64 bytes = (guint64) settings->n_angles * (settings->n_bins + settings->n_ranges) * sizeof (float);

      if ((self->kept->len + 1) * bytes <= self->kept_limit)
        g_ptr_array_add (self->kept, es_beam_block_ref (block));
      else
        g_clear_pointer (&self->kept, g_ptr_array_unref);
    }
  return TRUE;
}

gboolean
es_cbf_take (EsBeamBlock *block, gpointer data, GError **error)
{
  EsCbf *self = data;
  const gsize n_field = (gsize) self->settings->n_ranges * self->settings->n_angles;
  const gsize n_spectra = (gsize) self->settings->n_angles * self->settings->n_bins;
  const float *field = es_beam_block_get_field (block), *spectra = es_beam_block_get_spectra (block);

  for (gsize i = 0; i < n_field; i++)
    self->field[i] += field[i];
  for (gsize i = 0; spectra != NULL && i < n_spectra; i++)
    self->spectra[i] += spectra[i];
  add_detections (self, block);
  if (self->btr != NULL
      && (!es_field_append (self->btr, es_beam_block_get_time (block), es_beam_block_get_far (block), error)
          || !add_lofar (self, block, error)))
    return FALSE;
  es_job_set_fraction (self->job, (double) ++self->done / self->n_blocks);
  return TRUE;
}

/* ---- after the last one ---- */

static gboolean
take_lofar (EsBeamBlock *block, gpointer data, GError **error)
{
  EsCbf *self = data;

  es_job_set_fraction (self->job, (double) ++self->done / self->n_blocks);
  return es_field_append (self->lofar, es_beam_block_get_time (block), es_beam_block_get_spectra (block), error);
}

/* Once more, for one beam. */
static gboolean
go_through_again (EsCbf *self, GError **error)
{
  g_autoptr (EsBeamSettings) settings = es_beam_settings_copy (self->settings);
  g_autoptr (EsBeamformer) beamformer = NULL;

  settings->angles[0] = self->settings->angles[self->lofar_angle];
  settings->n_angles = 1;
  settings->ranges[0] = INFINITY;
  settings->n_ranges = 1;
  es_job_begin_stage (self->job, "lofar", _("LOFAR"), 0);
  beamformer = es_beamformer_new (self->recording, self->array, settings, es_job_get_device (self->job),
                                  es_job_get_limits (self->job), error);
  self->done = 0;
  return beamformer != NULL
         && es_beamformer_run (beamformer, self->first, settings->block, self->n_blocks, take_lofar, self,
                               es_job_get_cancellable (self->job), error);
}

gboolean
es_cbf_finish (EsCbf *self, GError **error)
{
  const EsBeamSettings *settings = self->settings;
  const gsize n_field = (gsize) settings->n_ranges * settings->n_angles;
  const gsize n_spectra = (gsize) settings->n_angles * settings->n_bins;
  const double share = 1.0 / self->n_blocks;

  for (gsize i = 0; i < n_field; i++)
    self->field[i] *= share;
  for (gsize i = 0; self->spectra != NULL && i < n_spectra; i++)
    self->spectra[i] *= share;
  if (self->lofar == NULL || self->lofar_angle != G_MAXUINT)
    return TRUE;

  const double *far = self->field + (gsize) es_beam_settings_find_far (settings) * settings->n_angles;
  self->lofar_angle = 0;
  for (guint i = 1; i < settings->n_angles; i++)
    if (far[i] > far[self->lofar_angle])
      self->lofar_angle = i;
  if (self->kept == NULL)
    return go_through_again (self, error);
  for (guint i = 0; i < self->kept->len; i++)
    if (!add_lofar (self, g_ptr_array_index (self->kept, i), error))
      return FALSE;
  return TRUE;
}
