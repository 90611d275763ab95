/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a beamformer owns: transforms and beams of each device, memory for the blocks on their way. */

#include "es-beamformer-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-beam-params-internal.h"
#include "device/es-device-internal.h"
#include "device/es-limits.h"
#include "base/es-error.h"
#include "es-beam-settings-private.h"

/* ---- slots ---- */

static void *
new_host_memory (EsBeamMember *member, gsize bytes, gboolean *is_locked, GError **error)
{
  void *memory = NULL;

  if (member->upload_stream != NULL)
    memory = es_staging_take (member->device, bytes);
  *is_locked = memory != NULL;
  /* Slower to copy from, but it serves. */
  if (memory == NULL && (memory = g_try_malloc (bytes)) == NULL)
    {
      g_autofree char *size = g_format_size (bytes);
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, _("There is no memory for a block of %s"), size);
    }
  return memory;
}

static void
free_host_memory (EsBeamMember *member, void *memory, gsize bytes, gboolean is_locked)
{
  if (is_locked)
    es_staging_give (member->device, memory, bytes);
  else
    g_free (memory);
}

static gboolean
set_up_slot (EsBeamformer *self, EsBeamSlot *slot, EsBeamMember *member, GError **error)
{
  slot->member = member;
  if (self->feed == NULL && !es_recording_is_page_locked (self->recording)
      && (slot->samples = new_host_memory (member, self->sample_bytes, &slot->is_locked, error)) == NULL)
    return FALSE;
  /* Frames past the end are made up in memory of the slot's own, whatever the source does. */
  if (self->feed == NULL && slot->samples == NULL && (slot->samples = g_try_malloc (self->sample_bytes)) == NULL)
    return es_compute_error_no_memory (_("a block"), error);
  slot->results = new_host_memory (member, self->results_bytes, &slot->results_locked, error);
  if (slot->results == NULL)
    return FALSE;
  if (!self->on_cpu && (slot->on_card = es_buffer_new (member->device, self->sample_bytes, error)) == NULL)
    return FALSE;
  return TRUE;
}

/* ---- devices ---- */

static EskBeams *
new_beams (EsBeamformer *self, EsBeamMember *member, gboolean far, GError **error)
{
  const EsBeamSettings *settings = self->settings;
  const EsBeamGeometry *geometry = self->geometry;
  const double squared = geometry->sum * geometry->sum;
  const guint n_rows = far ? 1 : self->n_near, n_angles = settings->n_angles;
  g_autofree EskFocus *foci = g_try_new (EskFocus, (gsize) n_rows * n_angles);
  EskBeamPlan plan = {
    .elements = geometry->n, .positions = geometry->positions, .n_foci = (gsize) n_rows * n_angles, .foci = foci,
    .sound_speed = settings->sound_speed,
    .first_frequency = es_beam_settings_get_frequency (settings, far ? settings->first_bin : settings->cbf_first),
    .bin_spacing = settings->rate / settings->length, .bins = far ? settings->n_bins : settings->cbf_bins,
    .normalisation = 1 / (settings->remove_diagonal ? squared - geometry->sum_of_squares : squared),
    .amplitude = 1 / geometry->sum, .remove_diagonal = settings->remove_diagonal,
  };
  int code = ESK_OK;
  EskBeams *beams;

  if (foci == NULL)
    {
      es_compute_error_no_memory (_("the beams"), error);
      return NULL;
    }
  for (guint row = 0, at = 0; row < settings->n_ranges; row++)
    if ((row == self->far_row) == far)
      {
        es_beam_foci_of_row (self->array, settings, row, foci + (gsize) at * n_angles);
        at++;
      }
  beams = member->hotspots->beam->beams_new (member->stream, &plan, &code);
  if (beams == NULL)
    es_device_check (member->device, member->stream, code != ESK_OK ? code : ESK_ERROR_MEMORY, _("the beams"), error);
  return beams;
}

static gboolean
set_up_transform (EsBeamformer *self, EsBeamMember *member, GError **error)
{
  const EsBeamSettings *settings = self->settings;
  g_autofree float *window = NULL;
  int code = ESK_OK;
  EskDftPlan plan = {
    .length = settings->length, .window_length = settings->window_length, .hop = settings->hop,
    .snapshots = settings->snapshots, .first_bin = settings->first_bin, .bins = settings->n_bins,
    .elements = self->geometry->n, .channels = self->geometry->channels, .gains = self->geometry->gains,
    .library = settings->library,
  };

  if (settings->window != ES_WINDOW_RECTANGULAR)
    {
      window = g_new (float, settings->window_length);
      es_window_fill (settings->window, window, settings->window_length);
      plan.window = window;
    }
  member->dft = member->hotspots->beam->dft_new (member->stream, &plan, &code);
  return member->dft != NULL
         || es_device_check (member->device, member->stream, code != ESK_OK ? code : ESK_ERROR_MEMORY,
                             _("the transforms"), error);
}

static gboolean
set_up_member (EsBeamformer *self, EsBeamMember *member, GError **error)
{
  const EsBeamSettings *settings = self->settings;
  int code;

  member->hotspots = es_device_get_hotspots (member->device);
  member->stream = es_device_take_stream (member->device);
  if (!self->on_cpu && member->stream != NULL)
    member->upload_stream = es_device_take_stream (member->device);
  if (member->stream == NULL || (!self->on_cpu && member->upload_stream == NULL))
    return es_device_check (member->device, NULL,
                            es_device_is_lost (member->device) ? ESK_ERROR_LOST : ESK_ERROR_MEMORY, _("a stream"),
                            error);
  esk_hotspots_set_cancelled (member->hotspots, member->stream, self->give_up);
  if (self->on_cpu
      && !es_device_check (member->device, member->stream,
                           esk_hotspots_set_threads (member->hotspots, member->stream, (int) self->threads),
                           _("threads"), error))
    return FALSE;
  if (!self->on_cpu && (!ESK_HAS (member->hotspots, beam, dft_new) || !ESK_HAS (member->hotspots, beam, beams_new)))
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE, _("%s cannot form beams; choose the CPU."),
                   es_device_get_name (member->device));
      return FALSE;
    }

  member->spectra = (EskSpectra) { .elements = self->geometry->n, .stride = esk_spectra_stride (self->geometry->n),
                                   .bins = settings->n_bins, .snapshots = settings->snapshots };
  member->spectra_values = es_buffer_new (member->device, esk_spectra_bytes (self->geometry->n, settings->n_bins,
                                                                             settings->snapshots), error);
  if (member->spectra_values == NULL)
    return FALSE;
  member->spectra.values = es_buffer_get_data (member->spectra_values);
  if (!set_up_transform (self, member, error))
    return FALSE;
  if (self->n_near > 0 && (member->near = new_beams (self, member, FALSE, error)) == NULL)
    return FALSE;
  if (self->far_row < settings->n_ranges && (member->far = new_beams (self, member, TRUE, error)) == NULL)
    return FALSE;
  if (!_es_beamformer_set_up_adaptive (self, member, error))
    return FALSE;
  if (self->on_cpu)
    return TRUE;

  /* A card counts on from block to block; ordinary memory does for setting it to nothing. */
  member->results = es_buffer_new (member->device, self->results_bytes, error);
  if (member->results == NULL)
    return FALSE;
  member->counted = g_new0 (EskChannelHealth, self->geometry->n);
  code = member->hotspots->device->upload (member->stream,
                                           (guint8 *) es_buffer_get_data (member->results) + self->health_at,
                                           member->counted, self->geometry->n * sizeof *member->counted);
  if (code == ESK_OK)
    code = member->hotspots->device->wait (member->stream);
  if (!es_device_check (member->device, member->stream, code, _("copying a block"), error))
    return FALSE;
  return TRUE;
}

gboolean
_es_beamformer_set_up (EsBeamformer *self, const EsLimits *limits, GError **error)
{
  const EsBeamSettings *settings = self->settings;
  const EsElement *elements = es_array_get_elements (self->array);
  const guint n = es_array_get_n_elements (self->array);
  EsUploadChoice choice;
  guint per_member = 0;

  self->memory = es_adaptive_settings_get_memory (settings);
  self->n_members = _es_beamformer_count_members (self->device, settings);
  self->far_row = es_beam_settings_find_far (settings);
  self->n_near = settings->n_ranges - (self->far_row < settings->n_ranges);
  choice = es_upload_choose (self->device, self->n_members, _es_beamformer_measure_recording (self->recording), limits);
  if (!es_adaptive_settings_check (settings, es_array_get_n_alive (self->array), error)
      || !_es_beamformer_choose_slots (self, limits, &choice, &per_member, error))
    return FALSE;
  self->sample_bytes = (gsize) settings->block * es_recording_get_n_channels (self->recording)
                       * esk_type_size (es_recording_get_type_code (self->recording));
  self->results_bytes = _es_beamformer_measure_results (settings, es_array_get_n_alive (self->array), &self->band_at,
                                                        &self->health_at);

  self->geometry = es_beam_geometry_new_calibrated (self->array, settings->shading,
                                                    es_recording_get_scale (self->recording), self->form->calibration,
                                                    error);
  if (self->geometry == NULL)
    return FALSE;
  if (settings->remove_diagonal
      && self->geometry->sum * self->geometry->sum <= self->geometry->sum_of_squares * (1 + 1e-9))
    {
      g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                           _("The diagonal can be removed where two elements or more are alive."));
      return FALSE;
    }
  self->health = g_new0 (EsElementHealth, n);
  self->elements = g_new (guint, n);
  for (guint i = 0, alive = 0; i < n; i++)
    if (!elements[i].dead)
      self->elements[alive++] = i;

  self->reader = es_frame_reader_new (self->recording, error);
  if (self->reader == NULL)
    return FALSE;
  self->members = g_new0 (EsBeamMember, self->n_members);
  for (guint i = 0; i < self->n_members; i++)
    {
      self->members[i].device = es_device_get_member (self->device, i);
      if (!set_up_member (self, &self->members[i], error))
        return FALSE;
    }
  self->n_slots = per_member * self->n_members;
  if (!self->on_cpu && _es_frame_feed_suits (self->recording))
    {
      self->feed = _es_frame_feed_new (self->recording, settings->block, self->n_slots,
                                       es_device_get_member (self->device, 0), &choice, error);
      if (self->feed == NULL)
        return FALSE;
    }
  self->slots = g_new0 (EsBeamSlot, self->n_slots);
  for (guint i = 0; i < self->n_slots; i++)
    if (!set_up_slot (self, &self->slots[i], &self->members[i % self->n_members], error))
      return FALSE;
  return TRUE;
}

void
_es_beamformer_tear_down (EsBeamformer *self)
{
  for (guint i = 0; i < self->n_members && self->members != NULL; i++)
    {
      EsBeamMember *member = &self->members[i];

      /* Nothing is freed that a card may still work on. */
      if (member->hotspots != NULL)
        {
          if (member->upload_stream != NULL)
            esk_hotspots_wait (member->hotspots, member->upload_stream);
          if (member->stream != NULL)
            esk_hotspots_wait (member->hotspots, member->stream);
        }
      if (member->near != NULL)
        member->hotspots->beam->beams_free (member->near);
      if (member->far != NULL)
        member->hotspots->beam->beams_free (member->far);
      if (member->adaptive != NULL)
        member->hotspots->adaptive->adaptive_free (member->adaptive);
      if (member->dft != NULL)
        member->hotspots->beam->dft_free (member->dft);
    }
  g_clear_pointer (&self->feed, _es_frame_feed_free);
  for (guint i = 0; i < self->n_slots && self->slots != NULL; i++)
    {
      EsBeamSlot *slot = &self->slots[i];

      if (slot->member == NULL)
        continue;
      free_host_memory (slot->member, slot->samples, self->sample_bytes, slot->is_locked);
      free_host_memory (slot->member, slot->results, self->results_bytes, slot->results_locked);
      g_clear_pointer (&slot->on_card, es_buffer_unref);
      g_clear_pointer (&slot->block, es_beam_block_unref);
    }
  for (guint i = 0; i < self->n_members && self->members != NULL; i++)
    {
      EsBeamMember *member = &self->members[i];

      g_clear_pointer (&member->spectra_values, es_buffer_unref);
      g_clear_pointer (&member->results, es_buffer_unref);
      g_clear_pointer (&member->adaptive_values, es_buffer_unref);
      g_clear_pointer (&member->counted, g_free);
      /* Pooled streams have one thread, and nobody cancels what they do. */
      if (member->stream != NULL)
        esk_hotspots_set_cancelled (member->hotspots, member->stream, NULL);
      if (self->on_cpu && member->stream != NULL)
        esk_hotspots_set_threads (member->hotspots, member->stream, 1);
      es_device_give_stream (member->device, member->stream);
      es_device_give_stream (member->device, member->upload_stream);
    }
  g_clear_pointer (&self->members, g_free);
  g_clear_pointer (&self->slots, g_free);
  g_clear_pointer (&self->reader, es_frame_reader_free);
  g_clear_pointer (&self->geometry, es_beam_geometry_free);
  g_clear_pointer (&self->health, g_free);
  g_clear_pointer (&self->elements, g_free);
}
