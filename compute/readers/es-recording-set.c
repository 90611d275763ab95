/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "es-recording-set-private.h"

/* So many of a set's files stay open a handle; more are opened for every block. */
#define MOST_OPEN 64u

/* One file a channel. */
typedef struct
{
  EsFrameSource  parent;

  guint          channels;
  EsRecording  **recordings;   /* owned, one channel each */
  gboolean       mixed;        /* types or scales differ: turned into float32 */
} SetSource;

typedef struct
{
  guint     n;
  gpointer *handles;           /* of the first MOST_OPEN channels; NULL until used */
} Handle;

static gpointer
set_handle_new (EsFrameSource *source, GError **error)
{
  SetSource *self = (SetSource *) source;
  Handle *handle = g_new0 (Handle, 1);

  handle->n = MIN (self->channels, MOST_OPEN);
  handle->handles = g_new0 (gpointer, handle->n);
  return handle;
}

static void
set_handle_free (EsFrameSource *source, gpointer data)
{
  SetSource *self = (SetSource *) source;
  Handle *handle = data;

  for (guint i = 0; i < handle->n; i++)
    if (handle->handles[i] != NULL)
      {
        EsFrameSource *child = es_recording_get_source (self->recordings[i]);

        child->handle_free (child, handle->handles[i]);
      }
  g_free (handle->handles);
  g_free (handle);
}

static void
swap_bytes (guint8 *samples, guint64 n, gsize size)
{
  for (guint64 i = 0; i < n; i++, samples += size)
    for (gsize k = 0; k < size / 2; k++)
      {
        guint8 byte = samples[k];

        samples[k] = samples[size - 1 - k];
        samples[size - 1 - k] = byte;
      }
}

/* n frames of one channel, all there, to n samples that lie together, in this machine's order of bytes. */
static gboolean
read_channel (SetSource *self, Handle *handle, guint channel, guint64 first, guint64 n, guint8 *out, GError **error)
{
  EsRecording *recording = self->recordings[channel];
  EsFrameSource *child = es_recording_get_source (recording);
  gpointer own = channel < handle->n ? handle->handles[channel] : NULL;
  gboolean ok;
  EskFrames frames;

  if (self->mixed)
    return es_recording_read (recording, first, n, 0, 1, (float *) (void *) out, error);

  if (own == NULL)
    {
      own = child->handle_new (child, error);
      if (own == NULL)
        return FALSE;
      if (channel < handle->n)
        handle->handles[channel] = own;
    }
  ok = child->read (child, own, first, n, out, &frames, error);
  if (channel >= handle->n)
    child->handle_free (child, own);
  if (!ok)
    return FALSE;
  if (frames.data != out)
    memcpy (out, frames.data, n * esk_type_size (frames.type));
  if (frames.byte_swapped)
    swap_bytes (out, n, esk_type_size (frames.type));
  return TRUE;
}

static gboolean
set_read_channels (EsFrameSource *source, gpointer data, guint64 first, guint64 n, guint first_channel,
                   guint n_channels, void *buffer, EskFrames *frames, GError **error)
{
  SetSource *self = (SetSource *) source;
  EskType type = self->mixed ? ESK_F32 : es_recording_get_type_code (self->recordings[0]);
  const gsize size = esk_type_size (type);

  *frames = (EskFrames) {
    .data = buffer, .type = type, .frames = n, .channels = n_channels,
    .frame_stride = 1, .channel_stride = (ptrdiff_t) n,
  };
  for (guint i = 0; i < n_channels; i++)
    {
      guint64 present = es_recording_get_frames (self->recordings[first_channel + i]);
      guint64 count = first < present ? MIN (n, present - first) : 0;
      guint8 *out = (guint8 *) buffer + i * n * size;

      if (count > 0 && !read_channel (self, data, first_channel + i, first, count, out, error))
        return FALSE;
      memset (out + count * size, 0, (n - count) * size);
    }
  return TRUE;
}

static gboolean
set_read (EsFrameSource *source, gpointer handle, guint64 first, guint64 n, void *buffer, EskFrames *frames,
          GError **error)
{
  return set_read_channels (source, handle, first, n, 0, ((SetSource *) source)->channels, buffer, frames, error);
}

static void
set_free (EsFrameSource *source)
{
  SetSource *self = (SetSource *) source;

  for (guint i = 0; i < self->channels; i++)
    g_object_unref (self->recordings[i]);
  g_free (self->recordings);
  g_free (self);
}

EsFrameSource *
es_recording_set_source_new (EsRecording **recordings, guint n)
{
  SetSource *self = g_new0 (SetSource, 1);

  self->parent = (EsFrameSource) {
    .handle_new = set_handle_new, .handle_free = set_handle_free, .read = set_read,
    .read_channels = set_read_channels, .free = set_free,
  };
  self->channels = n;
  self->recordings = g_new (EsRecording *, n);
  for (guint i = 0; i < n; i++)
    {
      self->recordings[i] = g_object_ref (recordings[i]);
      self->mixed |= es_recording_get_type_code (recordings[i]) != es_recording_get_type_code (recordings[0]) ||
                     es_recording_get_scale (recordings[i]) != es_recording_get_scale (recordings[0]);
    }
  return &self->parent;
}

gboolean
es_recording_set_source_is_mixed (EsFrameSource *source)
{
  return ((SetSource *) source)->mixed;
}
