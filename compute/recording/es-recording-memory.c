/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "es-recording-internal.h"

typedef struct
{
  EsFrameSource   parent;

  const guint8   *data;
  EskType         type;
  guint           channels;
  gpointer        owner;
  GDestroyNotify  destroy;
} MemorySource;

static gpointer
memory_handle_new (EsFrameSource *source, GError **error)
{
  return source;
}

static void
memory_handle_free (EsFrameSource *source, gpointer handle)
{
}

/* Frames are a view of the one array: nothing is copied. */
static gboolean
memory_read (EsFrameSource *source, gpointer handle, guint64 first, guint64 n, void *buffer, EskFrames *frames,
             GError **error)
{
  MemorySource *self = (MemorySource *) source;

  *frames = (EskFrames) {
    .data = self->data + first * self->channels * esk_type_size (self->type), .type = self->type,
    .frames = n, .channels = self->channels, .frame_stride = self->channels, .channel_stride = 1,
  };
  return TRUE;
}

static gboolean
memory_read_channels (EsFrameSource *source, gpointer handle, guint64 first, guint64 n, guint first_channel,
                      guint n_channels, void *buffer, EskFrames *frames, GError **error)
{
  MemorySource *self = (MemorySource *) source;

  memory_read (source, handle, first, n, buffer, frames, error);
  frames->data = (const guint8 *) frames->data + first_channel * esk_type_size (self->type);
  frames->channels = n_channels;
  return TRUE;
}

static void
memory_free (EsFrameSource *source)
{
  MemorySource *self = (MemorySource *) source;

  if (self->destroy != NULL)
    self->destroy (self->owner);
  g_free (self);
}

EsRecording *
es_recording_new_in_memory (const void *data, EskType type, guint channels, double rate, guint64 frames,
                            gboolean page_locked, gpointer owner, GDestroyNotify destroy, GError **error)
{
  MemorySource *source = g_new0 (MemorySource, 1);
  EsRecordingInfo info = {
    .channels = channels, .rate = rate, .frames = frames, .type = type,
    .scale = type == ESK_I16 ? 0x1p-15 : type == ESK_I32 ? 0x1p-31 : 1.0,
    .calibration = NAN, .source = &source->parent,
  };

  source->parent = (EsFrameSource) {
    .handle_new = memory_handle_new, .handle_free = memory_handle_free, .read = memory_read,
    .read_channels = memory_read_channels, .free = memory_free, .page_locked = page_locked,
    .by_bytes = TRUE,
  };
  source->data = data;
  source->type = type;
  source->channels = channels;
  source->owner = owner;
  source->destroy = destroy;
  return es_recording_new (NULL, &info, error);
}
