/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Sound files that were cut short are read as far as they go, and say so; those whose recorder never closed them do not
 * count as cut. */

#include <sndfile.h>
#include <string.h>
#include <unistd.h>

#include "base/es-error.h"
#include "es-test-recordings.h"

#define FRAMES 40000u
#define CLOSE  1e-7

typedef char TestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, es_test_folder_free)

typedef struct
{
  const char *name;
  int         format;
  gboolean    exact;           /* its samples come back as they were */
} Format;

static const Format formats[] = {
  { "x.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, TRUE },   { "x24.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_24, TRUE },
  { "xf.wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT, TRUE },   { "xe.wav", SF_FORMAT_WAVEX | SF_FORMAT_PCM_16, TRUE },
  { "xb.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16 | SF_ENDIAN_BIG, TRUE },
  { "x.rf64", SF_FORMAT_RF64 | SF_FORMAT_PCM_16, TRUE }, { "x.w64", SF_FORMAT_W64 | SF_FORMAT_PCM_16, TRUE },
  { "x24.w64", SF_FORMAT_W64 | SF_FORMAT_PCM_24, TRUE }, { "x.aiff", SF_FORMAT_AIFF | SF_FORMAT_PCM_16, TRUE },
  { "xf.aiff", SF_FORMAT_AIFF | SF_FORMAT_FLOAT, TRUE }, { "x.au", SF_FORMAT_AU | SF_FORMAT_PCM_16, TRUE },
  { "xd.au", SF_FORMAT_AU | SF_FORMAT_DOUBLE, TRUE },
  { "xa.wav", SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM, FALSE },
  { "xa.aiff", SF_FORMAT_AIFF | SF_FORMAT_IMA_ADPCM, FALSE },
};

/* Two channels but for ADPCM, at 8 kHz: 5 s. */
static char *
write_sound (const char *folder, const Format *format)
{
  char *path = g_build_filename (folder, format->name, NULL);
  const guint channels = format->exact ? 2 : 1;
  SF_INFO info = { .samplerate = 8000, .channels = (int) channels, .format = format->format };
  SNDFILE *sound = sf_open (path, SFM_WRITE, &info);
  const int code = format->format & SF_FORMAT_SUBMASK;
  g_autofree double *fractions = g_new (double, FRAMES * channels);
  g_autofree int *integers = g_new (int, FRAMES * channels);

  g_assert_nonnull (sound);
  for (guint i = 0; i < FRAMES * channels; i++)
    {
      fractions[i] = es_test_fraction (i / channels, i % channels);
      integers[i] = es_test_sample (i / channels, i % channels) * 65536;
    }
  if (code == SF_FORMAT_FLOAT || code == SF_FORMAT_DOUBLE || code == SF_FORMAT_VORBIS)
    g_assert_cmpint (sf_writef_double (sound, fractions, FRAMES), ==, FRAMES);
  else
    g_assert_cmpint (sf_writef_int (sound, integers, FRAMES), ==, FRAMES);
  sf_close (sound);
  return path;
}

static gsize
size_of (const char *path)
{
  g_autofree char *content = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  return length;
}

static void
test_cut (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *path = write_sound (folder, &formats[i]);
      g_autoptr (EsRecording) whole = es_test_open_recording (path, NULL);

      g_test_message ("%s", formats[i].name);
      g_assert_null (es_dataset_get_notes (ES_DATASET (whole)));
      g_assert_cmpint (truncate (path, (off_t) size_of (path) / 2), ==, 0);

      g_autoptr (EsRecording) half = es_test_open_recording (path, NULL);
      const char *note = es_dataset_get_notes (ES_DATASET (half)) != NULL
                           ? es_dataset_get_notes (ES_DATASET (half))[0] : "";
      double promised = 0, present = 0, missing = 0;

      g_assert_cmpint (sscanf (note, "The header promises %lf s; the file ends after %lf s, and %lf s are missing.",
                               &promised, &present, &missing), ==, 3);
      g_assert_cmpfloat_with_epsilon (promised, 5, formats[i].exact ? 1e-9 : 0.2);
      g_assert_cmpfloat_with_epsilon (present, 2.5, 0.1);
      g_assert_cmpfloat_with_epsilon (present + missing, promised, 1e-4);
      g_assert_cmpfloat_with_epsilon ((double) es_recording_get_frames (half) / 8000, present, 1e-4);
      if (formats[i].exact)
        es_test_compare_recording (half, CLOSE);
    }
}

/* Sizes that recorders and pipes leave where they cannot go back. */
static void
test_left_open (void)
{
  static const guint32 sizes[] = { G_MAXUINT32, 0x7fffffff, 0x80000000, 0x7ffff000 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *path = es_test_write_wav (folder, "x.wav", 1000, 2, 0, 1000, 16, sizes[i]);
      g_autoptr (EsRecording) recording = es_test_open_recording (path, NULL);

      g_assert_cmpuint (es_recording_get_frames (recording), ==, 1000);
      g_assert_null (es_dataset_get_notes (ES_DATASET (recording)));
    }

  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = write_sound (folder, &formats[10]), *content = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  memset (content + 8, 0xff, 4);
  g_assert_true (g_file_set_contents (path, content, (gssize) length / 2, NULL));
  g_autoptr (EsRecording) recording = es_test_open_recording (path, NULL);
  g_assert_null (es_dataset_get_notes (ES_DATASET (recording)));
}

/* A chain of chunks of no bytes at all ends. */
static void
test_empty_chunks (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree guint8 *bytes = g_malloc0 (4 * 1024 * 1024);
  g_autofree char *path = NULL;

  memcpy (bytes, "RIFF\0\0\100\0WAVE", 12);
  path = es_test_write (folder, "x.wav", bytes, 4 * 1024 * 1024);
  es_test_refused (path, NULL, ES_DATA_ERROR_TRUNCATED, "x.wav", "no data chunk", NULL);
}

/* One that the library refuses when it is cut. */
static void
test_cut_caf (void)
{
  static const Format caf = { "x.caf", SF_FORMAT_CAF | SF_FORMAT_PCM_16, TRUE };
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = write_sound (folder, &caf);
  g_autoptr (EsRecording) whole = es_test_open_recording (path, NULL);

  g_assert_null (es_dataset_get_notes (ES_DATASET (whole)));
  es_test_compare_recording (whole, CLOSE);
  g_assert_cmpint (truncate (path, (off_t) size_of (path) / 2), ==, 0);
  es_test_refused (path, NULL, ES_DATA_ERROR_TRUNCATED, "x.caf", "cut short", "160000", NULL);
}

static void
test_cut_ogg (void)
{
  static const Format ogg = { "x.ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS, FALSE };
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = write_sound (folder, &ogg);
  g_autoptr (EsRecording) whole = es_test_open_recording (path, NULL);

  g_assert_null (es_dataset_get_notes (ES_DATASET (whole)));
  g_assert_cmpint (truncate (path, (off_t) size_of (path) / 2), ==, 0);
  es_test_refused (path, NULL, ES_DATA_ERROR_TRUNCATED, "x.ogg", "cut short", NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recording-cut/sounds", test_cut);
  g_test_add_func ("/recording-cut/left-open", test_left_open);
  g_test_add_func ("/recording-cut/empty-chunks", test_empty_chunks);
  g_test_add_func ("/recording-cut/caf", test_cut_caf);
  g_test_add_func ("/recording-cut/ogg", test_cut_ogg);
  return g_test_run ();
}
