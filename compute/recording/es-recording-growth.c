/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How long a recording is, and the handles that read it: what changes while it is still written. */

#include "es-recording-object-private.h"

/* Handles that are kept for the next reader: opening a file anew for every look costs more than reading. */
#define IDLE_HANDLES 2u

/* ---- extents ---- */

EsRecordingExtent *
_es_recording_extent_new (EsRecordingInfo *info)
{
  EsRecordingExtent *self = g_atomic_rc_box_new0 (EsRecordingExtent);

  self->source = g_steal_pointer (&info->source);
  self->frames = info->frames;
  self->channels = info->channels;
  self->channel_frames = g_steal_pointer (&info->channel_frames);
  return self;
}

EsRecordingExtent *
_es_recording_extent_ref (EsRecordingExtent *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear_extent (gpointer data)
{
  EsRecordingExtent *self = data;

  self->source->free (self->source);
  g_free (self->channel_frames);
}

void
_es_recording_extent_unref (EsRecordingExtent *self)
{
  g_atomic_rc_box_release_full (self, clear_extent);
}

/* ---- what is asked ---- */

guint64
es_recording_get_frames (EsRecording *self)
{
  g_mutex_lock (&self->mutex);
  const guint64 frames = self->extent->frames;
  g_mutex_unlock (&self->mutex);
  return frames;
}

double
es_recording_get_seconds (EsRecording *self)
{
  return (double) es_recording_get_frames (self) / self->info.rate;
}

guint64
es_recording_get_channel_frames (EsRecording *self, guint channel)
{
  g_return_val_if_fail (channel < self->info.channels, 0);

  g_mutex_lock (&self->mutex);
  const EsRecordingExtent *extent = self->extent;
  const guint64 frames = extent->channel_frames != NULL ? extent->channel_frames[channel] : extent->frames;
  g_mutex_unlock (&self->mutex);
  return frames;
}

guint64
es_recording_get_common_frames (EsRecording *self)
{
  guint64 frames;

  g_mutex_lock (&self->mutex);
  frames = self->extent->frames;
  for (guint i = 0; self->extent->channel_frames != NULL && i < self->extent->channels; i++)
    frames = MIN (frames, self->extent->channel_frames[i]);
  g_mutex_unlock (&self->mutex);
  return MAX (frames, 1);
}

gboolean
es_recording_is_growing (EsRecording *self)
{
  g_mutex_lock (&self->mutex);
  const gboolean is_growing = self->is_growing;
  g_mutex_unlock (&self->mutex);
  return is_growing;
}

EsFrameSource *
es_recording_get_source (EsRecording *self)
{
  return self->extent->source;
}

gboolean
es_recording_is_page_locked (EsRecording *self)
{
  return self->page_locked;
}

gboolean
es_recording_is_by_bytes (EsRecording *self)
{
  g_mutex_lock (&self->mutex);
  const gboolean by_bytes = self->extent->source->by_bytes;
  g_mutex_unlock (&self->mutex);
  return by_bytes;
}

/* ---- handles ---- */

static void
close_handle (EsFrameHandle *handle)
{
  handle->source->handle_free (handle->source, handle->handle);
  _es_recording_extent_unref (handle->extent);
  handle->handle = handle->extent = NULL;
}

void
_es_recording_drop_idle (EsRecording *self)
{
  for (guint i = 0; i < self->idle->len; i++)
    close_handle (&g_array_index (self->idle, EsFrameHandle, i));
  g_array_set_size (self->idle, 0);
}

gboolean
es_recording_take_handle (EsRecording *self, EsFrameHandle *handle, GError **error)
{
  EsRecordingExtent *extent;

  g_mutex_lock (&self->mutex);
  if (self->idle->len > 0)
    {
      *handle = g_array_index (self->idle, EsFrameHandle, self->idle->len - 1);
      g_array_set_size (self->idle, self->idle->len - 1);
      g_mutex_unlock (&self->mutex);
      return TRUE;
    }
  extent = _es_recording_extent_ref (self->extent);
  g_mutex_unlock (&self->mutex);

  *handle = (EsFrameHandle) { .source = extent->source, .frames = extent->frames, .extent = extent };
  handle->handle = extent->source->handle_new (extent->source, error);
  if (handle->handle == NULL)
    _es_recording_extent_unref (g_steal_pointer (&handle->extent));
  return handle->handle != NULL;
}

void
es_recording_give_handle (EsRecording *self, EsFrameHandle *handle)
{
  gboolean kept;

  g_mutex_lock (&self->mutex);
  kept = self->idle->len < IDLE_HANDLES && handle->extent == self->extent;
  if (kept)
    g_array_append_val (self->idle, *handle);
  g_mutex_unlock (&self->mutex);
  if (!kept)
    close_handle (handle);
}

/* ---- growing ---- */

/* Of files of a channel each: as far as all those reach that have not ended before. */
static guint64
find_common_end (EsRecording *self, EsRecording *longer)
{
  const guint64 frames = es_recording_get_frames (self);
  guint64 end = es_recording_get_frames (longer);

  for (guint i = 0; i < self->info.channels; i++)
    {
      const guint64 before = es_recording_get_channel_frames (self, i);
      const guint64 now = es_recording_get_channel_frames (longer, i);

      if (now > before || before == frames)
        end = MIN (end, now);
    }
  return end;
}

gboolean
es_recording_grow (EsRecording *self, EsRecording *longer)
{
  const EsRecordingInfo *info = &self->info, *other = &longer->info;
  const guint64 end = find_common_end (self, longer);
  EsRecordingExtent *extent, *old;

  g_return_val_if_fail (self != longer, FALSE);

  if (info->channels != other->channels || info->rate != other->rate || info->type != other->type
      || info->scale != other->scale || self->page_locked || end <= es_recording_get_frames (self))
    return FALSE;

  /* Only `longer` is left without what it is read by; nobody else has it. */
  g_mutex_lock (&longer->mutex);
  _es_recording_drop_idle (longer);
  extent = _es_recording_extent_ref (longer->extent);
  g_mutex_unlock (&longer->mutex);
  extent->frames = end;
  for (guint i = 0; extent->channel_frames != NULL && i < extent->channels; i++)
    extent->channel_frames[i] = MIN (extent->channel_frames[i], end);

  g_mutex_lock (&self->mutex);
  _es_recording_drop_idle (self);
  old = self->extent;
  self->extent = extent;
  g_mutex_unlock (&self->mutex);
  _es_recording_extent_unref (old);
  _es_dataset_take_notes (ES_DATASET (self), ES_DATASET (longer));
  g_object_notify (G_OBJECT (self), "frames");
  return TRUE;
}

void
es_recording_set_growing (EsRecording *self, gboolean growing)
{
  g_mutex_lock (&self->mutex);
  const gboolean changed = self->is_growing != growing;
  self->is_growing = growing;
  g_mutex_unlock (&self->mutex);
  if (changed)
    g_object_notify (G_OBJECT (self), "growing");
}
