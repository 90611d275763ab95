/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/es-error.h"
#include "es-reader-private.h"

/* Rows of short records are read in runs of about this size and taken apart in memory; long records one by one. */
#define RUN          ((guint64) 4 * 1024 * 1024)
#define LONG_RECORD  ((guint64) 64 * 1024)

typedef struct
{
  EsFrameSource  parent;

  int            fd;
  char          *name;
  EsSampleLayout layout;
} FileSource;

typedef struct
{
  guint8 *run;                 /* RUN bytes or one row of records */
  gsize   size;
} Handle;

static gpointer
file_handle_new (EsFrameSource *source, GError **error)
{
  /* pread has no position to share: one descriptor serves every thread. */
  return g_new0 (Handle, 1);
}

static void
file_handle_free (EsFrameSource *source, gpointer data)
{
  Handle *handle = data;

  g_free (handle->run);
  g_free (handle);
}

static gboolean
read_bytes (FileSource *self, guint64 offset, guint64 length, guint8 *buffer, GError **error)
{
  guint64 done = 0;

  while (done < length)
    {
      ssize_t n = pread (self->fd, buffer + done, MIN (length - done, (guint64) 1 << 30), (off_t) (offset + done));

      if (n > 0)
        done += (guint64) n;
      else if (n == 0)
        {
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                       _("“%s” ends before byte %" PRIu64 ", where samples were expected: it was cut short "
                         "after it had been opened"), self->name, offset + length);
          return FALSE;
        }
      else if (errno != EINTR)
        {
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” cannot be read: %s"), self->name,
                       g_strerror (errno));
          return FALSE;
        }
    }
  return TRUE;
}

static gint32
widened (const guint8 *packed, gboolean big_endian)
{
  guint32 bits = big_endian ? (guint32) packed[0] << 24 | (guint32) packed[1] << 16 | (guint32) packed[2] << 8
                            : (guint32) packed[2] << 24 | (guint32) packed[1] << 16 | (guint32) packed[0] << 8;

  return (gint32) bits;
}

/* 24 bits become the upper ones of 32. `packed` lies at the end of the room that the result takes, or elsewhere. */
static void
widen (const guint8 *packed, guint64 n, gboolean big_endian, guint8 *out)
{
  guint64 i = 0;
  gint32 value;

  /* Four bytes at a time are four times as fast; the last sample has none behind it. */
  for (; i + 1 < n; i++, packed += 3, out += 4)
    {
      guint32 bits;

      memcpy (&bits, packed, sizeof bits);
      bits = big_endian ? GUINT32_TO_BE (bits) & 0xffffff00u : GUINT32_TO_LE (bits) << 8;
      memcpy (out, &bits, sizeof bits);
    }
  if (i < n)
    {
      value = widened (packed, big_endian);
      memcpy (out, &value, sizeof value);
    }
}

/* n samples that lie together. */
static gboolean
read_samples (FileSource *self, guint64 offset, guint64 n, guint8 *out, GError **error)
{
  const EsSampleLayout *layout = &self->layout;

  if (layout->bytes != 3)
    return read_bytes (self, offset, n * layout->bytes, out, error);
  if (!read_bytes (self, offset, n * 3, out + n, error))
    return FALSE;
  widen (out + n, n, layout->byte_swapped == (G_BYTE_ORDER == G_LITTLE_ENDIAN), out);
  return TRUE;
}

static gboolean
read_interleaved (FileSource *self, guint64 first, guint64 n, guint8 *out, GError **error)
{
  const EsSampleLayout *layout = &self->layout;

  return read_samples (self, layout->offset + first * layout->channels * layout->bytes, n * layout->channels, out,
                       error);
}

/* Long records: a piece of each channel's, one read each. */
static gboolean
read_pieces (FileSource *self, guint64 first, guint64 n, guint first_channel, guint channels, guint8 *out,
             GError **error)
{
  const EsSampleLayout *layout = &self->layout;
  const gsize size = esk_type_size (layout->type);

  for (guint64 done = 0; done < n;)
    {
      guint64 row = (first + done) / layout->record_frames, at = (first + done) % layout->record_frames;
      guint64 count = MIN (n - done, layout->record_frames - at);

      for (guint channel = 0; channel < channels; channel++)
        {
          guint64 record = row * layout->channels + first_channel + channel;

          if (!read_samples (self, layout->offset + record * layout->record_bytes + at * layout->bytes, count,
                             out + (channel * n + done) * size, error))
            return FALSE;
        }
      done += count;
    }
  return TRUE;
}

/* Short records: the rows that hold the frames, in runs of many rows. */
static gboolean
read_rows (FileSource *self, Handle *handle, guint64 first, guint64 n, guint first_channel, guint channels, guint8 *out,
           GError **error)
{
  const EsSampleLayout *layout = &self->layout;
  const gsize size = esk_type_size (layout->type);
  const guint64 row_bytes = layout->channels * layout->record_bytes;
  const guint64 last_row = (first + n - 1) / layout->record_frames;
  const guint64 rows_a_run = MAX (1, RUN / row_bytes);
  guint64 row = first / layout->record_frames;

  if (handle->run == NULL)
    {
      handle->size = rows_a_run * row_bytes;
      handle->run = g_try_malloc (handle->size);
      if (handle->run == NULL)
        {
          g_autofree char *text = g_format_size_full (handle->size, G_FORMAT_SIZE_IEC_UNITS);

          g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, _("There is no memory for a block of %s"),
                       text);
          return FALSE;
        }
    }

  while (row <= last_row)
    {
      guint64 rows = MIN (rows_a_run, last_row - row + 1);
      /* The last record of a file need not be filled up: no byte is read behind the last sample. */
      guint64 tail = MIN (layout->record_frames, first + n - (row + rows - 1) * layout->record_frames);
      guint64 length = (rows - 1) * row_bytes + (channels - 1) * layout->record_bytes + tail * layout->bytes;

      if (!read_bytes (self, layout->offset + row * row_bytes + first_channel * layout->record_bytes, length,
                       handle->run, error))
        return FALSE;
      for (guint64 k = 0; k < rows; k++)
        {
          guint64 begin = (row + k) * layout->record_frames;
          guint64 from = MAX (begin, first), to = MIN (begin + layout->record_frames, first + n);

          for (guint channel = 0; channel < channels; channel++)
            {
              const guint8 *in = handle->run + k * row_bytes + channel * layout->record_bytes +
                                 (from - begin) * layout->bytes;
              guint8 *to_here = out + (channel * n + from - first) * size;

              if (layout->bytes == 3)
                widen (in, to - from, layout->byte_swapped == (G_BYTE_ORDER == G_LITTLE_ENDIAN), to_here);
              else
                memcpy (to_here, in, (to - from) * size);
            }
        }
      row += rows;
    }
  return TRUE;
}

static gboolean
file_read_channels (EsFrameSource *source, gpointer handle, guint64 first, guint64 n, guint first_channel,
                    guint n_channels, void *buffer, EskFrames *frames, GError **error)
{
  FileSource *self = (FileSource *) source;
  const EsSampleLayout *layout = &self->layout;
  guint64 row_bytes = layout->channels * layout->record_bytes;

  *frames = (EskFrames) {
    .data = buffer, .type = layout->type, .byte_swapped = layout->byte_swapped && layout->bytes != 3,
    .frames = n, .channels = n_channels, .frame_stride = 1, .channel_stride = (ptrdiff_t) n,
  };
  /* A few of very many channels are fetched one by one even where records are short. */
  if (layout->record_bytes >= LONG_RECORD || row_bytes > 16 * RUN ||
      (guint64) n_channels * 16 < layout->channels)
    return read_pieces (self, first, n, first_channel, n_channels, buffer, error);
  return read_rows (self, handle, first, n, first_channel, n_channels, buffer, error);
}

static gboolean
file_read (EsFrameSource *source, gpointer handle, guint64 first, guint64 n, void *buffer, EskFrames *frames,
           GError **error)
{
  FileSource *self = (FileSource *) source;
  const EsSampleLayout *layout = &self->layout;

  if (layout->record_frames > 0)
    return file_read_channels (source, handle, first, n, 0, layout->channels, buffer, frames, error);
  *frames = (EskFrames) {
    .data = buffer, .type = layout->type, .byte_swapped = layout->byte_swapped && layout->bytes != 3,
    .frames = n, .channels = layout->channels, .frame_stride = layout->channels, .channel_stride = 1,
  };
  return read_interleaved (self, first, n, buffer, error);
}

static void
file_free (EsFrameSource *source)
{
  FileSource *self = (FileSource *) source;

  close (self->fd);
  g_free (self->name);
  g_free (self);
}

EsFrameSource *
es_frame_file_source_new (int fd, const char *name, const EsSampleLayout *layout)
{
  FileSource *self = g_new0 (FileSource, 1);

  self->parent = (EsFrameSource) {
    .handle_new = file_handle_new, .handle_free = file_handle_free, .read = file_read,
    .read_channels = layout->record_frames > 0 ? file_read_channels : NULL, .free = file_free,
    .by_bytes = layout->record_frames == 0,
  };
  self->fd = fd;
  self->name = g_strdup (name);
  self->layout = *layout;
  return &self->parent;
}
