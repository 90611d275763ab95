/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-recordings.h"

#include <math.h>
#include <string.h>

#include "readers/es-open.h"

int
es_test_sample (guint64 frame, guint channel)
{
  return (int) ((frame * 37 + channel * 1013 + frame / 251) % 64007) - 32003;
}

double
es_test_fraction (guint64 frame, guint channel)
{
  return es_test_sample (frame, channel) / 32768.0;
}

EsRecording *
es_test_open_recording (const char *path, const EsOpenOptions *options)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  EsDataset *dataset = es_dataset_open (file, options, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (ES_IS_RECORDING (dataset));
  g_assert_cmpint (es_dataset_get_kind (dataset), ==, ES_DATASET_RECORDING);
  return ES_RECORDING (dataset);
}

static double
expected (EsRecording *recording, gint64 frame, guint channel)
{
  if (frame < 0 || (guint64) frame >= es_recording_get_channel_frames (recording, channel))
    return 0;
  return es_test_fraction ((guint64) frame, channel);
}

/* One sample of what a frame reader described, by nothing of the product but the strides. */
static double
value_of (const EskFrames *frames, guint64 frame, guint channel, double scale)
{
  const gsize size = frames->type == ESK_I16 ? 2 : frames->type == ESK_F64 ? 8 : 4;
  const guint8 *at = (const guint8 *) frames->data + ((ptrdiff_t) frame * frames->frame_stride +
                                                      (ptrdiff_t) channel * frames->channel_stride) * (ptrdiff_t) size;
  guint8 bytes[8];

  for (gsize i = 0; i < size; i++)
    bytes[i] = at[frames->byte_swapped ? size - 1 - i : i];
  switch (frames->type)
    {
    case ESK_I16: { gint16 value; memcpy (&value, bytes, 2); return value * scale; }
    case ESK_I32: { gint32 value; memcpy (&value, bytes, 4); return value * scale; }
    case ESK_F32: { float value; memcpy (&value, bytes, 4); return (double) value * scale; }
    case ESK_F64: { double value; memcpy (&value, bytes, 8); return value * scale; }
    default: g_assert_not_reached ();
    }
}

static void
compare_window (EsRecording *recording, EsFrameReader *reader, gint64 first, guint64 n, double tolerance)
{
  const guint channels = es_recording_get_n_channels (recording);
  const gsize size = esk_type_size (es_recording_get_type_code (recording));
  const double scale = es_recording_get_scale (recording);
  g_autofree guint8 *buffer = g_malloc (n * channels * size);
  g_autoptr (GError) error = NULL;
  EskFrames frames;

  memset (buffer, 0xa5, n * channels * size);
  g_assert_true (es_frame_reader_read (reader, first, n, buffer, &frames, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (frames.frames, ==, n);
  g_assert_cmpuint (frames.channels, ==, channels);
  g_assert_cmpint (frames.type, ==, es_recording_get_type_code (recording));
  g_assert_true (frames.frame_stride == 1 || frames.channel_stride == 1);
  for (guint64 i = 0; i < n; i++)
    for (guint c = 0; c < channels; c++)
      g_assert_cmpfloat_with_epsilon (value_of (&frames, i, c, scale), expected (recording, first + (gint64) i, c),
                                      tolerance);
  if (first < 0)
    return;

  /* All of them, and one in the middle. */
  for (guint pass = 0; pass < 2; pass++)
    {
      guint from = pass == 0 ? 0 : channels / 2, count = pass == 0 ? channels : 1;
      g_autofree float *values = g_new (float, n * count);

      g_assert_true (es_recording_read (recording, (guint64) first, n, from, count, values, &error));
      for (guint64 i = 0; i < n; i++)
        for (guint c = 0; c < count; c++)
          g_assert_cmpfloat_with_epsilon (values[i * count + c], expected (recording, first + (gint64) i, from + c),
                                          tolerance);
    }
}

void
es_test_compare_recording (EsRecording *recording, double tolerance)
{
  const gint64 frames = (gint64) es_recording_get_frames (recording);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsFrameReader) reader = es_frame_reader_new (recording, &error);
  const gint64 windows[][2] = {
    { 0, frames }, { 0, 1 }, { frames - 1, 1 }, { frames / 3, frames / 2 + 1 }, { frames / 2, 1 }, { -3, 5 },
    { -7, 7 }, { frames - 2, 6 }, { frames, 4 }, { frames + 1000, 3 }, { -2, frames + 5 }, { frames / 4, 2 },
  };

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (windows); i++)
    compare_window (recording, reader, windows[i][0], (guint64) windows[i][1], tolerance);
}

gboolean
es_test_recording_notes (EsRecording *recording, const char *words)
{
  const char * const *notes = es_dataset_get_notes (ES_DATASET (recording));

  for (; notes != NULL && *notes != NULL; notes++)
    if (strstr (*notes, words) != NULL)
      return TRUE;
  return FALSE;
}

static void
put (GByteArray *bytes, guint64 value, guint size, gboolean big_endian)
{
  for (guint i = 0; i < size; i++)
    {
      guint8 byte = (guint8) (value >> (8 * (big_endian ? size - 1 - i : i)));

      g_byte_array_append (bytes, &byte, 1);
    }
}

static guint
size_of (const char *type)
{
  return strcmp (type, "int16") == 0 ? 2 : strcmp (type, "int24") == 0 ? 3 : strcmp (type, "float64") == 0 ? 8 : 4;
}

static void
put_sample (GByteArray *bytes, guint64 frame, guint channel, const char *type, gboolean big_endian)
{
  int sample = es_test_sample (frame, channel);
  guint64 bits;

  if (strcmp (type, "float32") == 0)
    {
      float value = (float) es_test_fraction (frame, channel);
      guint32 word;

      memcpy (&word, &value, sizeof word);
      bits = word;
    }
  else if (strcmp (type, "float64") == 0)
    {
      double value = es_test_fraction (frame, channel);

      memcpy (&bits, &value, sizeof bits);
    }
  else
    bits = (guint64) (gint64) sample << (8 * (size_of (type) - 2));
  put (bytes, bits, size_of (type), big_endian);
}

char *
es_test_write_wav (const char *folder, const char *name, guint64 frames, guint channels, guint first_channel,
                   guint rate, guint bits, guint32 data_bytes)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  const guint block = channels * bits / 8;
  const char *type = bits == 16 ? "int16" : bits == 24 ? "int24" : "int32";

  if (data_bytes == 0)
    data_bytes = (guint32) (frames * block);
  g_byte_array_append (bytes, (const guint8 *) "RIFF", 4);
  put (bytes, data_bytes + 36, 4, FALSE);
  g_byte_array_append (bytes, (const guint8 *) "WAVEfmt ", 8);
  put (bytes, 16, 4, FALSE);
  put (bytes, 1, 2, FALSE);
  put (bytes, channels, 2, FALSE);
  put (bytes, rate, 4, FALSE);
  put (bytes, (guint64) rate * block, 4, FALSE);
  put (bytes, block, 2, FALSE);
  put (bytes, bits, 2, FALSE);
  g_byte_array_append (bytes, (const guint8 *) "data", 4);
  put (bytes, data_bytes, 4, FALSE);
  for (guint64 frame = 0; frame < frames; frame++)
    for (guint channel = 0; channel < channels; channel++)
      put_sample (bytes, frame, first_channel + channel, type, FALSE);
  return es_test_write (folder, name, bytes->data, bytes->len);
}

guint8 *
es_test_raw_samples (guint64 frames, guint channels, const char *type, gboolean big_endian, gboolean by_channel,
                     gsize *length)
{
  GByteArray *bytes = g_byte_array_new ();

  for (guint64 i = 0; i < frames * channels; i++)
    if (by_channel)
      put_sample (bytes, i % frames, (guint) (i / frames), type, big_endian);
    else
      put_sample (bytes, i / channels, (guint) (i % channels), type, big_endian);
  *length = bytes->len;
  return g_byte_array_free (bytes, FALSE);
}

char *
es_test_write_sio (const char *folder, const char *name, guint64 frames, guint channels, const char *type,
                   gboolean big_endian, guint record_bytes)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  const guint size = size_of (type), in_record = record_bytes / size;
  const guint64 rows = (frames + in_record - 1) / in_record;

  put (bytes, 1, 4, big_endian);
  put (bytes, rows * channels, 4, big_endian);
  put (bytes, record_bytes, 4, big_endian);
  put (bytes, channels, 4, big_endian);
  put (bytes, size, 4, big_endian);
  put (bytes, g_str_has_prefix (type, "float"), 4, big_endian);
  put (bytes, frames, 4, big_endian);
  put (bytes, 32677, 4, big_endian);
  g_byte_array_set_size (bytes, record_bytes);
  memset (bytes->data + 32, 0, record_bytes - 32);
  for (guint64 row = 0; row < rows; row++)
    for (guint channel = 0; channel < channels; channel++)
      for (guint i = 0; i < in_record; i++)
        if (row * in_record + i < frames)
          put_sample (bytes, row * in_record + i, channel, type, big_endian);
        else
          put (bytes, 0x55, size, big_endian);
  return es_test_write (folder, name, bytes->data, bytes->len);
}

void
es_test_files_add (EsTestFiles *self, char *path)
{
  self->files[self->n++] = g_file_new_for_path (path);
  g_free (path);
}

void
es_test_files_clear (EsTestFiles *self)
{
  for (guint i = 0; i < self->n; i++)
    g_object_unref (self->files[i]);
}

EsRecording *
es_test_files_open (EsTestFiles *files)
{
  g_autoptr (GError) error = NULL;
  EsDataset *dataset;

  g_assert_true (es_recording_files_belong_together (files->files, files->n));
  dataset = es_recording_open_files (files->files, files->n, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (ES_IS_RECORDING (dataset));
  return ES_RECORDING (dataset);
}
