/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "es-recording-internal.h"

/* Samples for people are turned into floats in portions of about this size. */
#define PORTION ((guint64) 4 * 1024 * 1024)

struct _EsFrameReader
{
  EsRecording  *recording;
  EsFrameHandle handle;
};

EsFrameReader *
es_frame_reader_new (EsRecording *recording, GError **error)
{
  EsFrameReader *self;
  EsFrameHandle handle;

  if (!es_recording_take_handle (recording, &handle, error))
    return NULL;
  self = g_new0 (EsFrameReader, 1);
  self->recording = g_object_ref (recording);
  self->handle = handle;
  return self;
}

void
es_frame_reader_free (EsFrameReader *self)
{
  if (self->handle.handle != NULL)
    es_recording_give_handle (self->recording, &self->handle);
  g_object_unref (self->recording);
  g_free (self);
}

/* Where frames first .. first + n - 1 meet the recording: *skip zeros, then *count frames from *from on. */
static void
clip_to (guint64 frames, gint64 first, guint64 n, guint64 *skip, guint64 *from, guint64 *count)
{
  guint64 before = first < 0 ? (guint64) 0 - (guint64) first : 0;

  *skip = MIN (before, n);
  *from = first < 0 ? 0 : (guint64) first;
  *count = *from < frames ? MIN (n - *skip, frames - *from) : 0;
}

static void
copy_sample (guint8 *to, const guint8 *from, size_t size)
{
  switch (size)
    {
    case 2:  memcpy (to, from, 2); break;
    case 4:  memcpy (to, from, 4); break;
    case 8:  memcpy (to, from, 8); break;
    default: memcpy (to, from, size); break;
    }
}

/* The frames in `part` to a buffer of n, zeros round them, in the order of axes that they have. */
static void
surround (const EskFrames *part, guint64 skip, guint64 n, guint8 *buffer, EskFrames *frames)
{
  size_t size = esk_type_size (part->type);
  const guint8 *data = part->data;

  *frames = *part;
  frames->data = buffer;
  frames->frames = n;
  if (part->channel_stride == 1)
    frames->frame_stride = (ptrdiff_t) part->channels;
  else
    {
      frames->frame_stride = 1;
      frames->channel_stride = (ptrdiff_t) n;
    }
  memset (buffer, 0, n * part->channels * size);
  for (guint64 frame = 0; frame < part->frames; frame++)
    for (gsize channel = 0; channel < part->channels; channel++)
      copy_sample (buffer + (gsize) ((ptrdiff_t) (skip + frame) * frames->frame_stride +
                                     (ptrdiff_t) channel * frames->channel_stride) * size,
                   data + ((ptrdiff_t) frame * part->frame_stride + (ptrdiff_t) channel * part->channel_stride) *
                            (ptrdiff_t) size, size);
}

/* Where it has grown since, also what was there may be more: channels that ended before others. */
static gboolean
reach (EsFrameReader *self, GError **error)
{
  if (self->handle.handle != NULL && es_recording_get_frames (self->recording) <= self->handle.frames)
    return TRUE;
  if (self->handle.handle != NULL)
    es_recording_give_handle (self->recording, &self->handle);
  self->handle.handle = NULL;
  return es_recording_take_handle (self->recording, &self->handle, error);
}

gboolean
es_frame_reader_read (EsFrameReader *self, gint64 first, guint64 n, void *buffer, EskFrames *frames, GError **error)
{
  guint channels = es_recording_get_n_channels (self->recording);
  EskType type = es_recording_get_type_code (self->recording);
  EsFrameSource *source;
  guint64 skip, from, count;
  g_autofree void *part_buffer = NULL;
  EskFrames part;

  g_return_val_if_fail (n > 0, FALSE);

  if (!reach (self, error))
    return FALSE;
  source = self->handle.source;
  clip_to (self->handle.frames, first, n, &skip, &from, &count);
  if (count == n)
    return source->read (source, self->handle.handle, from, n, buffer, frames, error);
  if (count == 0)
    {
      *frames = (EskFrames) {
        .data = buffer, .type = type, .frames = n, .channels = channels,
        .frame_stride = channels, .channel_stride = 1,
      };
      memset (buffer, 0, n * channels * esk_type_size (type));
      return TRUE;
    }

  part_buffer = g_try_malloc (count * channels * esk_type_size (type));
  if (part_buffer == NULL)
    {
      g_autofree char *wanted = g_format_size_full (count * channels * esk_type_size (type),
                                                    G_FORMAT_SIZE_IEC_UNITS);

      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, _("There is no memory for a block of %s"), wanted);
      return FALSE;
    }
  if (!source->read (source, self->handle.handle, from, count, part_buffer, &part, error))
    return FALSE;
  surround (&part, skip, n, buffer, frames);
  return TRUE;
}

/* One sample as a fraction of full scale. */
static float
sample_of (const EskFrames *frames, const guint8 *at, double scale)
{
  guint64 bits = 0;

  switch (frames->type)
    {
    case ESK_I16:
      {
        guint16 half;

        memcpy (&half, at, sizeof half);
        return (float) ((gint16) (frames->byte_swapped ? GUINT16_SWAP_LE_BE (half) : half) * scale);
      }
    case ESK_I32:
    case ESK_F32:
      {
        guint32 word;
        float value;

        memcpy (&word, at, sizeof word);
        if (frames->byte_swapped)
          word = GUINT32_SWAP_LE_BE (word);
        if (frames->type == ESK_I32)
          return (float) ((gint32) word * scale);
        memcpy (&value, &word, sizeof value);
        return (float) (value * scale);
      }
    case ESK_F64:
      {
        double value;

        memcpy (&bits, at, sizeof bits);
        if (frames->byte_swapped)
          bits = GUINT64_SWAP_LE_BE (bits);
        memcpy (&value, &bits, sizeof value);
        return (float) (value * scale);
      }
    default:
      return 0;
    }
}

gboolean
es_recording_read (EsRecording *self, guint64 first, guint64 n, guint first_channel, guint n_channels, float *out,
                   GError **error)
{
  g_autoptr (EsFrameReader) reader = NULL;
  g_autofree guint8 *buffer = NULL;
  EsFrameSource *source;
  gpointer handle;
  guint64 total, portion;
  gsize frame_bytes;
  double scale;
  guint read_from = 0, read_channels;

  g_return_val_if_fail (ES_IS_RECORDING (self), FALSE);
  g_return_val_if_fail (first_channel < es_recording_get_n_channels (self) && n_channels > 0 &&
                        n_channels <= es_recording_get_n_channels (self) - first_channel, FALSE);

  reader = es_frame_reader_new (self, error);
  if (reader == NULL)
    return FALSE;
  source = reader->handle.source;
  handle = reader->handle.handle;
  scale = es_recording_get_scale (self);
  total = reader->handle.frames;
  read_channels = es_recording_get_n_channels (self);
  if (source->read_channels != NULL && n_channels < read_channels)
    {
      read_from = first_channel;
      read_channels = n_channels;
    }
  frame_bytes = (gsize) read_channels * esk_type_size (es_recording_get_type_code (self));
  portion = CLAMP (PORTION / frame_bytes, 1, MAX (n, 1));
  buffer = g_malloc (portion * frame_bytes);

  for (guint64 done = 0; done < n;)
    {
      guint64 at = first <= G_MAXUINT64 - done ? first + done : G_MAXUINT64;
      guint64 count = at < total ? MIN (MIN (portion, n - done), total - at) : 0;
      EskFrames frames;
      ptrdiff_t size;

      if (count == 0)
        {
          memset (out + done * n_channels, 0, (n - done) * n_channels * sizeof (float));
          break;
        }
      if (read_channels < es_recording_get_n_channels (self)
            ? !source->read_channels (source, handle, at, count, read_from, read_channels, buffer, &frames,
                                      error)
            : !source->read (source, handle, at, count, buffer, &frames, error))
        return FALSE;
      size = (ptrdiff_t) esk_type_size (frames.type);
      for (guint64 frame = 0; frame < count; frame++)
        for (guint channel = 0; channel < n_channels; channel++)
          out[(done + frame) * n_channels + channel] =
            sample_of (&frames, (const guint8 *) frames.data +
                                  ((ptrdiff_t) frame * frames.frame_stride +
                                   (ptrdiff_t) (first_channel - read_from + channel) * frames.channel_stride) * size,
                       scale);
      done += count;
    }
  return TRUE;
}
