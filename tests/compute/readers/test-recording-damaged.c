/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Recordings whose headers lie or whose files are cut, and files that shrink. */

#include <math.h>
#include <sndfile.h>
#include <string.h>
#include <unistd.h>

#include "base/es-error.h"
#include "es-test-recordings.h"

/* Exact but for what a float keeps of it. */
#define CLOSE 1e-7

typedef char TestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, es_test_folder_free)

static void
count (gpointer data)
{
  ++*(guint *) data;
}

/* What a reader handed over is freed once, also where the sizes are refused. */
static void
test_bad_sizes (void)
{
  static const struct { guint channels; double rate; guint64 frames; const char *words; } cases[] = {
    { 0, 100, 10, "0 channels" }, { 2, 100, 0, "0 frames" }, { 70000, 100, 10, "70000 channels" },
    { 2, 0, 10, "rate" }, { 2, -8000, 10, "-8000" }, { 2, NAN, 10, "rate" }, { 2, INFINITY, 10, "rate" },
    { 65536, 100, G_MAXUINT64 / 1000, "more than any file" },
  };
  static const gint16 sample = 0;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      guint freed = 0;

      g_assert_null (es_recording_new_in_memory (&sample, ESK_I16, cases[i].channels, cases[i].rate, cases[i].frames,
                                                 FALSE, &freed, count, &error));
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE);
      g_assert_nonnull (strstr (error->message, cases[i].words));
      g_assert_cmpuint (freed, ==, 1);
    }
}

/* The header promises more than there is, as after a recorder's battery has died. */
static void
test_lying_wav (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *longer = es_test_write_wav (folder, "longer.wav", 1000, 2, 0, 1000, 16, 40000);
  g_autofree char *open_end = es_test_write_wav (folder, "open.wav", 1000, 2, 0, 1000, 16, G_MAXUINT32);
  g_autofree char *nothing = es_test_write_wav (folder, "nothing.wav", 0, 2, 0, 1000, 16, 0);
  g_autofree char *many = es_test_write_wav (folder, "many.wav", 2, 4096, 0, 1000, 16, 0);
  g_autofree char *no_rate = es_test_write_wav (folder, "norate.wav", 100, 2, 0, 0, 16, 0);
  g_autoptr (EsRecording) one = es_test_open_recording (longer, NULL);
  g_autoptr (EsRecording) other = es_test_open_recording (open_end, NULL);

  g_assert_cmpuint (es_recording_get_frames (one), ==, 1000);
  g_assert_true (es_test_recording_notes (one, "promises 10 s; the file ends after 1 s"));
  es_test_compare_recording (one, CLOSE);
  g_assert_cmpuint (es_recording_get_frames (other), ==, 1000);
  g_assert_null (es_dataset_get_notes (ES_DATASET (other)));

  es_test_refused (nothing, NULL, ES_DATA_ERROR_SIZE, "nothing.wav", "no samples", NULL);
  es_test_refused (many, NULL, ES_DATA_ERROR_SIZE, "many.wav", "4096 channels", "1024", NULL);
  es_test_refused (no_rate, NULL, ES_DATA_ERROR_SIZE, "norate.wav", "0 Hz", NULL);
  g_assert_cmpint (truncate (longer, 40), ==, 0);
  es_test_refused (longer, NULL, ES_DATA_ERROR_TRUNCATED, "longer.wav", "no data chunk", NULL);
  g_assert_cmpint (truncate (longer, 0), ==, 0);
  es_test_refused (longer, NULL, ES_DATA_ERROR_FORMAT, "empty", NULL);
}

/* A compressed file that was cut short is read as far as it goes. */
static void
test_cut_flac (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "x.flac", NULL);
  SF_INFO info = { .samplerate = 8000, .channels = 2, .format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16 };
  SNDFILE *sound = sf_open (path, SFM_WRITE, &info);
  g_autofree gint16 *samples = g_new (gint16, 80000 * 2);
  g_autofree char *content = NULL;
  gsize length;

  for (guint i = 0; i < 160000; i++)
    samples[i] = (gint16) es_test_sample (i / 2, i % 2);
  g_assert_cmpint (sf_writef_short (sound, samples, 80000), ==, 80000);
  sf_close (sound);
  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  g_assert_cmpint (truncate (path, (off_t) length / 2), ==, 0);

  g_autoptr (EsRecording) recording = es_test_open_recording (path, NULL);
  g_assert_cmpuint (es_recording_get_frames (recording), <, 45000);
  g_assert_cmpuint (es_recording_get_frames (recording), >, 30000);
  g_assert_true (es_test_recording_notes (recording, "promises 10 s"));
  es_test_compare_recording (recording, CLOSE);
}

static void
test_bad_raw (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  guint8 bytes[100] = { 0 };
  g_autofree char *path = es_test_write (folder, "raw.bin", bytes, sizeof bytes);
  EsOpenOptions options = { .samples = { .channels = 2, .rate = 1000, .type = "int16" } };

  options.samples.channels = 70000;
  es_test_refused (path, &options, ES_DATA_ERROR_SIZE, "raw.bin", "70000 channels", "65536", NULL);
  options.samples.channels = G_MAXUINT;
  es_test_refused (path, &options, ES_DATA_ERROR_SIZE, "raw.bin", "4294967295 channels", NULL);
  options.samples.channels = 51;
  es_test_refused (path, &options, ES_DATA_ERROR_SIZE, "100 bytes", "51 channels", "102", NULL);
  options.samples.channels = 2;
  options.samples.offset = 97;
  es_test_refused (path, &options, ES_DATA_ERROR_SIZE, "3 bytes from byte 97", NULL);
  options.samples.offset = G_MAXUINT64;
  es_test_refused (path, &options, ES_DATA_ERROR_SIZE, "0 bytes", NULL);
  options.samples.offset = 0;
  options.samples.type = "int12";
  es_test_refused (path, &options, ES_DATA_ERROR_UNSUPPORTED, "int12", "float32", NULL);
  options.samples.type = NULL;
  es_test_refused (path, &options, ES_DATA_ERROR_UNSUPPORTED, "int16", NULL);
  options.samples.type = "int16";
  options.samples.rate = 0;
  es_test_refused (path, &options, ES_DATA_ERROR_RATE, "raw.bin", "rate", NULL);
  options.samples.rate = NAN;
  es_test_refused (path, &options, ES_DATA_ERROR_RATE, "raw.bin", "rate", NULL);
}

/* Cut short while it is open: a sentence, not a signal. */
static void
test_shrinking (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  gsize length;
  g_autofree guint8 *samples = es_test_raw_samples (4000, 2, "int16", FALSE, FALSE, &length);
  g_autofree char *path = es_test_write (folder, "raw.bin", samples, length);
  g_autofree char *wav = es_test_write_wav (folder, "x.wav", 4000, 2, 0, 8000, 16, 0);
  EsOpenOptions options = { .samples = { .channels = 2, .rate = 1000, .type = "int16" } };
  g_autoptr (EsRecording) recording = es_test_open_recording (path, &options);
  g_autoptr (EsRecording) sound = es_test_open_recording (wav, NULL);
  g_autoptr (EsFrameReader) reader = es_frame_reader_new (sound, NULL);
  g_autoptr (GError) error = NULL, second = NULL;
  float values[20];
  gint16 frames[20];
  EskFrames described;

  g_assert_cmpint (truncate (path, 8000), ==, 0);
  g_assert_true (es_recording_read (recording, 0, 10, 0, 2, values, &error));
  g_assert_false (es_recording_read (recording, 3000, 10, 0, 2, values, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED);
  g_assert_nonnull (strstr (error->message, "raw.bin"));

  g_assert_cmpint (truncate (wav, 4044), ==, 0);
  g_assert_false (es_frame_reader_read (reader, 3990, 10, frames, &described, &second));
  g_assert_error (second, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED);
}

static void
set_field (const char *path, guint field, gint32 value)
{
  g_autofree char *bytes = NULL;
  guint32 word = GUINT32_TO_LE ((guint32) value);
  gsize length;

  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  memcpy (bytes + 4 * field, &word, sizeof word);
  g_assert_true (g_file_set_contents (path, bytes, (gssize) length, NULL));
}

static void
test_lying_sio (void)
{
  static const struct { guint field; gint32 value; int code; const char *words; } cases[] = {
    { 2, 0, ES_DATA_ERROR_FORMAT, "0 bytes a record" }, { 2, -8, ES_DATA_ERROR_FORMAT, "-8 bytes a record" },
    { 2, 1001, ES_DATA_ERROR_FORMAT, "1001 bytes a record" }, { 2, G_MAXINT32 - 1, ES_DATA_ERROR_TRUNCATED, "header" },
    { 3, 0, ES_DATA_ERROR_FORMAT, "0 channels" }, { 3, -1, ES_DATA_ERROR_FORMAT, "-1 channels" },
    { 3, 70000, ES_DATA_ERROR_TRUNCATED, "70000 channels" }, { 4, 3, ES_DATA_ERROR_FORMAT, "3 bytes a sample" },
    { 4, 0, ES_DATA_ERROR_FORMAT, "0 bytes a sample" }, { 6, 0, ES_DATA_ERROR_FORMAT, "0 samples a channel" },
    { 6, -5, ES_DATA_ERROR_FORMAT, "-5 samples a channel" },
  };
  EsOpenOptions options = { .samples = { .rate = 1000 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *path = es_test_write_sio (folder, "x.sio", 700, 3, "int16", FALSE, 512);

      set_field (path, cases[i].field, cases[i].value);
      es_test_refused (path, &options, cases[i].code, "x.sio", cases[i].words, NULL);
    }

  /* More frames than there are; fewer, and records that say nothing of it. */
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = es_test_write_sio (folder, "x.sio", 700, 3, "int16", FALSE, 512);
  set_field (path, 6, 5000);
  g_autoptr (EsRecording) more = es_test_open_recording (path, &options);
  g_assert_cmpuint (es_recording_get_frames (more), ==, 768);
  g_assert_true (es_test_recording_notes (more, "promises 5000 samples a channel; the file ends after 768"));
  set_field (path, 6, 100);
  g_autoptr (EsRecording) fewer = es_test_open_recording (path, &options);
  g_assert_cmpuint (es_recording_get_frames (fewer), ==, 100);
  es_test_compare_recording (fewer, CLOSE);

  /* Cut in the last row of records: what all channels have is read. */
  set_field (path, 6, 700);
  g_assert_cmpint (truncate (path, 512 + 512 * 3 * 2 + 512 * 2 + 2 * 188), ==, 0);
  g_autoptr (EsRecording) unfilled = es_test_open_recording (path, &options);
  g_assert_cmpuint (es_recording_get_frames (unfilled), ==, 700);
  es_test_compare_recording (unfilled, CLOSE);
  g_assert_cmpint (truncate (path, 512 + 512 * 3 * 2 + 512 * 2), ==, 0);
  g_autoptr (EsRecording) cut = es_test_open_recording (path, &options);
  g_assert_cmpuint (es_recording_get_frames (cut), ==, 512);
  es_test_compare_recording (cut, CLOSE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recording/bad-sizes", test_bad_sizes);
  g_test_add_func ("/recording/lying-wav", test_lying_wav);
  g_test_add_func ("/recording/cut-flac", test_cut_flac);
  g_test_add_func ("/recording/bad-raw", test_bad_raw);
  g_test_add_func ("/recording/shrinking", test_shrinking);
  g_test_add_func ("/recording/lying-sio", test_lying_sio);
  return g_test_run ();
}
