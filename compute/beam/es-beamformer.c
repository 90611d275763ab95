/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Conventional beams of a recording, block by block (sonar.md 3 and 4): samples, their spectra, beams. All near rows
 * take one call over the bins of the band; the far row keeps every bin, and its band energy is the sum over the band's.
 */

#include "es-beamformer-private.h"
#include "es-beam-tones-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "device/es-device-internal.h"
#include "base/es-error.h"

/* ---- the steps of a block ---- */

static double
seconds_since (gint64 start)
{
  return (g_get_monotonic_time () - start) * 1e-6;
}

/* Samples that a source has in memory of its own, packed into the slot's in their own order of axes: the link is three
 * times as fast from there. */
static void
pack (EskFrames *frames, void *to)
{
  const gsize size = esk_type_size (frames->type);
  const guint8 *from = frames->data;
  guint8 *out = to;

  if (frames->channel_stride == 1 || frames->channels == 1)
    {
      for (gsize i = 0; i < frames->frames; i++, out += frames->channels * size)
        memcpy (out, from + (ptrdiff_t) i * frames->frame_stride * (ptrdiff_t) size, frames->channels * size);
      frames->frame_stride = (ptrdiff_t) frames->channels;
      frames->channel_stride = 1;
    }
  else if (frames->frame_stride == 1)
    {
      for (gsize i = 0; i < frames->channels; i++, out += frames->frames * size)
        memcpy (out, from + (ptrdiff_t) i * frames->channel_stride * (ptrdiff_t) size, frames->frames * size);
      frames->channel_stride = (ptrdiff_t) frames->frames;
    }
  else
    {
      for (gsize i = 0; i < frames->frames; i++)
        for (gsize k = 0; k < frames->channels; k++, out += size)
          memcpy (out, from + ((ptrdiff_t) i * frames->frame_stride + (ptrdiff_t) k * frames->channel_stride)
                              * (ptrdiff_t) size, size);
      frames->frame_stride = (ptrdiff_t) frames->channels;
      frames->channel_stride = 1;
    }
  frames->data = to;
}

/* One run of memory in one of the two orders. */
static gboolean
is_packed (const EskFrames *frames)
{
  return ((frames->channel_stride == 1 || frames->channels == 1)
          && (frames->frame_stride == (ptrdiff_t) frames->channels || frames->frames == 1))
         || ((frames->frame_stride == 1 || frames->frames == 1)
             && (frames->channel_stride == (ptrdiff_t) frames->frames || frames->channels == 1));
}

gboolean
_es_beamformer_begin (EsBeamformer *self, EsBeamSlot *slot, guint64 frame, GError **error)
{
  const gint64 start = g_get_monotonic_time ();

  slot->frame = frame;
  if (self->feed != NULL)
    {
      slot->coming = _es_frame_feed_begin (self->feed, frame);
      return TRUE;
    }
  if (!es_frame_reader_read (self->reader, (gint64) frame, self->settings->block, slot->samples, &slot->frames, error))
    return FALSE;
  /* What is page-locked and in one run, or in the slot already, is copied from where it lies. */
  if (!self->on_cpu)
    {
      const guint8 *data = slot->frames.data, *own = slot->samples;
      const gboolean is_own = data >= own && data < own + self->sample_bytes;

      if (!is_packed (&slot->frames)
          || (!is_own && slot->is_locked && !es_recording_is_page_locked (self->recording)))
        pack (&slot->frames, slot->samples);
    }
  slot->input = seconds_since (start);
  return TRUE;
}

gboolean
_es_beamformer_read (EsBeamformer *self, EsBeamSlot *slot, guint64 frame, GError **error)
{
  return _es_beamformer_begin (self, slot, frame, error)
         && (self->feed == NULL || _es_beamformer_upload (self, slot, error));
}

gboolean
_es_beamformer_check (EsBeamMember *member, EskStream *stream, int code, const char *what, GError **error)
{
  if (code == ESK_OK)
    code = esk_hotspots_wait (member->hotspots, stream);
  return es_device_check (member->device, stream, code, what, error);
}

gboolean
_es_beamformer_upload (EsBeamformer *self, EsBeamSlot *slot, GError **error)
{
  const gint64 start = g_get_monotonic_time ();
  EsBeamMember *member = slot->member;

  if (self->feed != NULL)
    return slot->coming == NULL
           || _es_frame_feed_copy (self->feed, g_steal_pointer (&slot->coming), member->device, member->upload_stream,
                                   es_buffer_get_data (slot->on_card), &slot->card_frames, &slot->input, &slot->upload,
                                   error);
  slot->card_frames = slot->frames;
  slot->upload = 0;
  if (self->on_cpu)
    return TRUE;
  slot->card_frames.data = es_buffer_get_data (slot->on_card);
  if (!_es_beamformer_check (member, member->upload_stream,
                              member->hotspots->device->upload (member->upload_stream,
                                                                es_buffer_get_data (slot->on_card),
                                                                slot->frames.data, self->sample_bytes),
                              _("copying a block"), error))
    return FALSE;
  slot->upload = seconds_since (start);
  return TRUE;
}

gboolean
_es_beamformer_compute (EsBeamformer *self, EsBeamSlot *slot, GError **error)
{
  const EsBeamSettings *settings = self->settings;
  EsBeamMember *member = slot->member;
  const EskHotspots *hotspots = member->hotspots;
  guint8 *results = self->on_cpu ? slot->results : es_buffer_get_data (member->results);
  EskChannelHealth *health = (EskChannelHealth *) (results + self->health_at);
  gint64 start = g_get_monotonic_time ();
  int code;

  g_clear_pointer (&slot->block, es_beam_block_unref);
  /* A card goes on counting: a copy to it would wait for the samples of the next block, which are on their way. */
  if (self->on_cpu)
    memset (health, 0, self->results_bytes - self->health_at);
  code = hotspots->beam->real_dft (member->stream, member->dft, &slot->card_frames, &member->spectra,
                                   slot->is_before ? NULL : health);
  if (!_es_beamformer_check (member, member->stream, code, _("the transforms"), error))
    return FALSE;
  slot->transform = seconds_since (start);
  if (slot->is_before)
    return _es_beamformer_add (self, slot, error);

  start = g_get_monotonic_time ();
  if (member->far != NULL)
    code = hotspots->beam->beam_power (member->stream, member->far, &member->spectra, 0, (float *) results, NULL);
  if (code == ESK_OK && member->near != NULL)
    code = hotspots->beam->beam_power (member->stream, member->near, &member->spectra,
                                       settings->cbf_first - settings->first_bin, NULL,
                                       (float *) (results + self->band_at));
  if (code == ESK_OK && !self->on_cpu)
    code = hotspots->device->download (member->stream, slot->results, self->results_bytes, results, self->results_bytes,
                                       self->results_bytes, 1);
  if (!_es_beamformer_check (member, member->stream, code, _("the beams"), error))
    return FALSE;
  slot->block = es_beam_block_new (self->form, slot->frame);
  if (slot->block == NULL)
    return es_compute_error_no_memory (_("the beams"), error);
  if (!_es_beamformer_add (self, slot, error) || !_es_beamformer_adapt (self, member, slot->block, error)
      || !_es_beamformer_probe (self, member, slot->block, TRUE, error))
    return FALSE;
  slot->beams = seconds_since (start);
  return TRUE;
}

static void
account_health (EsBeamformer *self, EsBeamMember *member, const EskChannelHealth *found)
{
  for (guint k = 0; k < self->geometry->n; k++)
    {
      EsElementHealth *health = &self->health[self->elements[k]];
      EskChannelHealth before = { 0 };

      if (member->counted != NULL)
        {
          before = member->counted[k];
          member->counted[k] = found[k];
        }
      /* Modulo 2^32, as they are counted. */
      health->samples += (guint32) (found[k].samples - before.samples);
      health->not_finite += (guint32) (found[k].not_finite - before.not_finite);
      health->clipped += (guint32) (found[k].clipped - before.clipped);
      health->peak = MAX (health->peak, found[k].peak);
    }
}

EsBeamBlock *
_es_beamformer_finish (EsBeamformer *self, EsBeamSlot *slot)
{
  const EsBeamSettings *settings = self->settings;
  const gsize n = settings->n_angles, cbf = settings->cbf_first - settings->first_bin;
  const float *band = (const float *) (slot->results + self->band_at);
  EsBeamBlock *block = g_steal_pointer (&slot->block);

  for (guint row = 0, near = 0; row < settings->n_ranges; row++)
    if (row != self->far_row)
      memcpy (block->field + row * n, band + near++ * n, n * sizeof (float));
  if (block->spectra != NULL)
    {
      memcpy (block->spectra, slot->results, n * settings->n_bins * sizeof (float));
      for (gsize i = 0; i < n; i++)
        {
          const float *by_bin = block->spectra + i * settings->n_bins + cbf;
          double sum = 0;

          for (guint b = 0; b < settings->cbf_bins; b++)
            sum += by_bin[b];
          block->far[i] = (float) sum;
        }
    }
  _es_beam_tones_place (block);
  account_health (self, slot->member, (const EskChannelHealth *) (slot->results + self->health_at));
  self->times[0] += slot->input + slot->upload;
  self->times[1] += slot->transform;
  self->times[2] += slot->beams;
  block->compute_seconds = slot->upload + slot->transform + slot->beams;
  return block;
}

/* ---- one after the other ---- */

static void
read_ahead (gpointer data, gpointer user_data)
{
  EsBeamformer *self = user_data;
  EsBeamSlot *slot = data;
  gboolean done = _es_beamformer_read (self, slot, self->ahead_frame, NULL);

  g_mutex_lock (&self->lock);
  self->ahead_running = FALSE;
  /* What failed is read again when it is asked for, and says then what is wrong. */
  if (!done)
    self->ahead_slot = NULL;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

/* The slot in which the frame has been read ahead; NULL: none. Nobody reads after this. */
static EsBeamSlot *
take_ahead (EsBeamformer *self, guint64 frame)
{
  EsBeamSlot *slot;

  g_mutex_lock (&self->lock);
  while (self->ahead_running)
    g_cond_wait (&self->changed, &self->lock);
  slot = self->ahead_slot != NULL && self->ahead_frame == frame ? self->ahead_slot : NULL;
  self->ahead_slot = NULL;
  g_mutex_unlock (&self->lock);
  return slot;
}

/* Another slot than that (nullable). */
static EsBeamSlot *
find_other (EsBeamformer *self, EsBeamSlot *slot)
{
  return slot == &self->slots[0] ? &self->slots[self->n_members] : &self->slots[0];
}

/* Whoever asks for blocks one after the other finds the next one read. */
static void
begin_ahead (EsBeamformer *self, EsBeamSlot *used, guint64 frame)
{
  const guint64 step = frame - self->last_frame;
  EsBeamSlot *other = find_other (self, used);

  if (self->n_slots < 2 * self->n_members || !self->has_last || frame <= self->last_frame
      || step > 4 * (guint64) self->settings->block
      /* Of a block that is not whole yet there may be more when it is asked for. */
      || frame + step + self->settings->block > es_recording_get_common_frames (self->recording))
    return;
  /* One a beamformer: the next block of one that plays must not wait for another that computes. */
  if (self->ahead == NULL)
    self->ahead = g_thread_pool_new (read_ahead, self, 1, FALSE, NULL);
  g_mutex_lock (&self->lock);
  self->ahead_slot = other;
  self->ahead_frame = frame + step;
  self->ahead_running = TRUE;
  g_mutex_unlock (&self->lock);
  g_thread_pool_push (self->ahead, other, NULL);
}

EsBeamBlock *
es_beamformer_process (EsBeamformer *self, guint64 frame, GError **error)
{
  EsBeamSlot *slot = take_ahead (self, frame);
  EsBeamBlock *block;
  gboolean begins;

  g_clear_pointer (&self->last, es_beam_block_unref);
  if (!_es_beamformer_hear_before (self, find_other (self, slot), frame, &begins, error))
    return NULL;
  if (slot == NULL)
    {
      slot = &self->slots[0];
      if (!_es_beamformer_read (self, slot, frame, error))
        return NULL;
    }
  slot->is_before = FALSE;
  slot->begins = begins;
  begin_ahead (self, slot, frame);
  self->last_frame = frame;
  self->has_last = TRUE;
  if (!_es_beamformer_upload (self, slot, error) || !_es_beamformer_compute (self, slot, error))
    return NULL;
  block = _es_beamformer_finish (self, slot);
  self->next_frame = frame + self->settings->block;
  self->has_next = TRUE;
  self->last = es_beam_block_ref (block);
  self->last_member = slot->member;
  return block;
}

EsBeamBlock *
es_beamformer_look (EsBeamformer *self, guint64 frame, GError **error)
{
  EsBeamSlot *slot = &self->slots[0];
  g_autoptr (EsBeamBlock) block = NULL;
  gboolean begins;

  take_ahead (self, frame);
  g_clear_pointer (&self->last, es_beam_block_unref);
  if (!_es_beamformer_hear_before (self, slot, frame, &begins, error))
    return NULL;
  slot->is_before = TRUE;
  slot->begins = begins;
  self->has_last = FALSE;
  if (!_es_beamformer_read (self, slot, frame, error) || !_es_beamformer_upload (self, slot, error)
      || !_es_beamformer_compute (self, slot, error))
    return NULL;
  block = es_beam_block_new (self->form, frame);
  if (block == NULL)
    {
      es_compute_error_no_memory (_("the beams"), error);
      return NULL;
    }
  block->report.loading = _es_beamformer_get_loading (self, slot->member);
  if (!_es_beamformer_probe (self, slot->member, block, FALSE, error))
    return NULL;
  self->next_frame = frame + self->settings->block;
  self->has_next = TRUE;
  return g_steal_pointer (&block);
}

/* ---- the object ---- */

EsBeamformer *
es_beamformer_new_calibrated (EsRecording *recording, EsArray *array, const EsBeamSettings *settings,
                              EsCalibration *calibration, EsDevice *device, const EsLimits *limits, GError **error)
{
  const gint64 start = g_get_monotonic_time ();
  EsBeamformer *self;
  guint lanes;

  if (!es_device_prepare (device, error))
    return NULL;
  lanes = es_device_get_lanes (es_device_get_cpu ());
  self = g_new0 (EsBeamformer, 1);
  es_beamformer_set_give_up (self, NULL);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->recording = g_object_ref (recording);
  self->array = es_array_ref (array);
  self->device = device;
  self->on_cpu = es_device_is_cpu (device);
  self->threads = limits != NULL && limits->threads > 0 ? MIN (limits->threads, lanes) : lanes;
  self->form = es_beam_form_new_calibrated (settings, array, calibration);
  self->settings = self->form->settings;
  self->probe_bearing = self->probe_frequency = NAN;
  if (!_es_beamformer_set_up (self, limits, error))
    {
      es_beamformer_free (self);
      return NULL;
    }
  self->setup_seconds = seconds_since (start);
  return self;
}

EsBeamformer *
es_beamformer_new (EsRecording *recording, EsArray *array, const EsBeamSettings *settings, EsDevice *device,
                   const EsLimits *limits, GError **error)
{
  g_autoptr (EsCalibration) calibration = es_recording_dup_calibration (recording);

  return es_beamformer_new_calibrated (recording, array, settings, calibration, device, limits, error);
}

void
es_beamformer_free (EsBeamformer *self)
{
  take_ahead (self, 0);
  if (self->ahead != NULL)
    g_thread_pool_free (self->ahead, FALSE, TRUE);
  _es_beamformer_tear_down (self);
  g_clear_pointer (&self->last, es_beam_block_unref);
  es_beam_form_unref (self->form);
  es_array_unref (self->array);
  g_object_unref (self->recording);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}

double
es_beamformer_get_setup_seconds (EsBeamformer *self)
{
  return self->setup_seconds;
}

void
es_beamformer_get_times (EsBeamformer *self, double *input, double *transform, double *beams)
{
  *input = 1e3 * self->times[0];
  *transform = 1e3 * self->times[1];
  *beams = 1e3 * self->times[2];
}

gboolean
es_beamformer_get_upload (EsBeamformer *self, EsUploadChoice *choice)
{
  if (self->feed != NULL)
    *choice = _es_frame_feed_get_choice (self->feed);
  return self->feed != NULL;
}

const EsElementHealth *
es_beamformer_get_health (EsBeamformer *self, guint *n_elements)
{
  *n_elements = es_array_get_n_elements (self->array);
  return self->health;
}
