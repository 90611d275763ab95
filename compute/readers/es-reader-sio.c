/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-reader-private.h"

/*
 * The format of the Marine Physical Laboratory at Scripps. The first record begins with eight 32-bit integers, a name
 * of 24 and a comment of 72 characters:
 *
 *   ID, number of data records, bytes a record, channels, bytes a sample, 1 where samples are real, samples a channel,
 *   32677 (which tells the order of bytes)
 *
 * The records that follow hold one channel each: the first of channel 0, of channel 1, ... the second of channel 0 and
 * so on; what the last ones lack is filled up. The rate is not in it.
 */
#define SIO_MARK 32677
#define SIO_HEADER 128

typedef struct
{
  gint32   id, records, record_bytes, channels, sample_bytes, real, frames, mark;
} SioHeader;

static gint32
get_int (EsReaderInput *input, guint i, gboolean big_endian)
{
  guint32 word;

  memcpy (&word, input->head + 4 * i, sizeof word);
  return (gint32) (big_endian ? GUINT32_FROM_BE (word) : GUINT32_FROM_LE (word));
}

static gboolean
sio_recognises (EsReaderInput *input)
{
  return input->head_length >= SIO_HEADER &&
         (get_int (input, 7, FALSE) == SIO_MARK || get_int (input, 7, TRUE) == SIO_MARK);
}

static gboolean
refuse (EsReaderInput *input, const char *what, gint32 found, const char *expected, GError **error)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
               _("The Scripps SIO header of “%s” gives %d %s; %s was expected"), input->name, found, what, expected);
  return FALSE;
}

static gboolean
check_header (EsReaderInput *input, const SioHeader *header, GError **error)
{
  if (header->channels < 1)
    return refuse (input, _("channels"), header->channels, _("a positive number"), error);
  if (header->sample_bytes != 4 && header->sample_bytes != (header->real ? 8 : 2))
    return refuse (input, _("bytes a sample"), header->sample_bytes,
                   header->real ? _("4 or 8 (real)") : _("2 or 4 (integer)"), error);
  if (header->record_bytes < SIO_HEADER || header->record_bytes % header->sample_bytes != 0)
    return refuse (input, _("bytes a record"), header->record_bytes,
                   _("a multiple of a sample's bytes, at least 128,"), error);
  if (header->frames < 1)
    return refuse (input, _("samples a channel"), header->frames, _("a positive number"), error);
  return TRUE;
}

/* How many frames of all channels the file holds, whatever its header says. */
static guint64
frames_present (EsReaderInput *input, const SioHeader *header)
{
  const guint64 record = (guint64) header->record_bytes, channels = (guint64) header->channels;
  const guint64 record_frames = record / (guint64) header->sample_bytes;
  const guint64 data = input->size > record ? input->size - record : 0;
  const guint64 rows = data / (record * channels), rest = data % (record * channels);
  const guint64 before_last = record * (channels - 1);

  return rows * record_frames + (rest > before_last ? (rest - before_last) / (guint64) header->sample_bytes : 0);
}

static EsDataset *
sio_open (EsReaderInput *input, GError **error)
{
  const gboolean big_endian = get_int (input, 7, FALSE) != SIO_MARK;
  const SioHeader header = {
    get_int (input, 0, big_endian), get_int (input, 1, big_endian), get_int (input, 2, big_endian),
    get_int (input, 3, big_endian), get_int (input, 4, big_endian), get_int (input, 5, big_endian),
    get_int (input, 6, big_endian), SIO_MARK,
  };
  g_auto (EsRecordingInfo) info = { .calibration = NAN };
  EsSampleLayout layout = { 0 };
  guint64 present;
  int fd;

  if (!check_header (input, &header, error))
    return NULL;
  present = frames_present (input, &header);
  if (present == 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                   _("“%s” holds %" PRIu64 " bytes, and not one sample of each of the %d channels that its "
                     "header promises"), input->name, input->size, header.channels);
      return NULL;
    }
  if (input->options.samples.rate <= 0 || !isfinite (input->options.samples.rate))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_RATE,
                   _("“%s” is a Scripps SIO recording, which does not say its sampling rate; it has to be given with "
                     "it"), input->name);
      return NULL;
    }

  layout.offset = (guint64) header.record_bytes;
  layout.record_bytes = (guint64) header.record_bytes;
  layout.record_frames = (guint64) (header.record_bytes / header.sample_bytes);
  layout.channels = (guint) header.channels;
  layout.bytes = (guint) header.sample_bytes;
  layout.byte_swapped = big_endian != (G_BYTE_ORDER == G_BIG_ENDIAN);
  layout.type = header.sample_bytes == 2 ? ESK_I16 : header.sample_bytes == 8 ? ESK_F64
                : header.real ? ESK_F32 : ESK_I32;

  info.channels = layout.channels;
  info.rate = input->options.samples.rate;
  info.frames = MIN ((guint64) header.frames, present);
  info.type = layout.type;
  info.scale = layout.type == ESK_I16 ? 0x1p-15 : layout.type == ESK_I32 ? 0x1p-31 : 1;
  info.format_name = g_strdup ("Scripps SIO");
  if (present < (guint64) header.frames)
    es_reader_note (input, _("The header promises %d samples a channel; the file ends after %" PRIu64 "."),
                    header.frames, present);

  fd = open (input->path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” cannot be opened: %s"), input->name,
                   g_strerror (errno));
      return NULL;
    }
  info.source = es_frame_file_source_new (fd, input->name, &layout);
  return (EsDataset *) es_recording_new (input->file, &info, error);
}

const EsReader es_reader_sio = { sio_recognises, sio_open };
