/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <sndfile.h>
#include <string.h>

#include "base/es-error.h"
#include "es-test-recordings.h"

/* Exact but for what a float keeps of it. */
#define CLOSE 1e-7

typedef char TestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, es_test_folder_free)

static void
test_memory (void)
{
  g_autofree gint16 *samples = g_new (gint16, 50 * 3);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsRecording) recording = NULL;

  for (guint i = 0; i < 150; i++)
    samples[i] = (gint16) es_test_sample (i / 3, i % 3);
  recording = es_recording_new_in_memory (samples, ESK_I16, 3, 100, 50, FALSE, NULL, NULL, &error);
  g_assert_no_error (error);
  es_test_compare_recording (recording, CLOSE);
  g_assert_cmpfloat (es_recording_get_seconds (recording), ==, 0.5);
  g_assert_true (isnan (es_recording_get_calibration (recording)));
  g_autoptr (EsNavigation) navigation = es_recording_dup_navigation (recording);
  g_assert_null (navigation);
  g_assert_null (*es_recording_get_files (recording));

  g_autofree char *description = es_dataset_describe (ES_DATASET (recording));
  g_autofree char *shape = es_dataset_shape (ES_DATASET (recording));
  g_assert_cmpstr (description, ==, "3 channels, 100 Hz, 0.5 s");
  g_assert_cmpstr (shape, ==, "50x3");
}

static void
on_array (EsRecording *recording, GParamSpec *spec, gpointer data)
{
  g_assert_true (g_main_context_is_owner (NULL));
  ++*(guint *) data;
}

static gpointer
set_line (gpointer recording)
{
  g_autoptr (EsArray) array = es_array_new_line (3, 1.5, 0, NULL);

  es_recording_set_array (recording, array);
  return NULL;
}

static void
test_array (void)
{
  static const gint16 samples[6];
  g_autoptr (EsRecording) recording = es_recording_new_in_memory (samples, ESK_I16, 3, 100, 2, FALSE, NULL, NULL, NULL);
  g_autoptr (EsArray) array = NULL, again = NULL;
  GMainContext *context = g_main_context_default ();
  guint told = 0;

  g_assert_null (es_recording_get_array (recording));
  g_signal_connect (recording, "notify::array", G_CALLBACK (on_array), &told);
  g_assert_true (g_main_context_acquire (context));
  g_thread_join (g_thread_new ("set", set_line, recording));
  g_assert_cmpuint (told, ==, 0);
  while (g_main_context_iteration (context, FALSE))
    ;
  g_assert_cmpuint (told, ==, 1);
  array = es_recording_get_array (recording);
  g_assert_cmpuint (es_array_get_n_elements (array), ==, 3);

  /* The same again tells nobody; another one at once. */
  es_recording_set_array (recording, array);
  g_assert_cmpuint (told, ==, 1);
  es_recording_set_array (recording, NULL);
  g_assert_cmpuint (told, ==, 2);
  g_object_get (recording, "array", &again, NULL);
  g_assert_null (again);
  g_main_context_release (context);
}

static void
test_wav (void)
{
  static const guint bits[] = { 16, 24, 32 };
  static const EskType types[] = { ESK_I16, ESK_I32, ESK_I32 };
  static const char * const names[] = { "int16", "int24", "int32" };

  for (guint i = 0; i < G_N_ELEMENTS (bits); i++)
    for (guint channels = 1; channels <= 5; channels += 2)
      {
        g_autoptr (TestFolder) folder = es_test_folder_new ();
        g_autofree char *path = es_test_write_wav (folder, "x.wav", 1001, channels, 0, 8000, bits[i], 0);
        g_autoptr (EsRecording) recording = es_test_open_recording (path, NULL);

        g_assert_cmpuint (es_recording_get_n_channels (recording), ==, channels);
        g_assert_cmpuint (es_recording_get_frames (recording), ==, 1001);
        g_assert_cmpfloat (es_recording_get_rate (recording), ==, 8000);
        g_assert_cmpint (es_recording_get_type_code (recording), ==, types[i]);
        g_assert_cmpstr (es_recording_get_type_name (recording), ==, names[i]);
        g_assert_cmpstr (es_recording_get_format_name (recording), ==, "WAV");
        g_assert_null (es_dataset_get_notes (ES_DATASET (recording)));
        es_test_compare_recording (recording, CLOSE);
      }
}

/* Every container that libsndfile writes here, in every type that it can hold. */
static void
test_containers (void)
{
  static const struct { int format; const char *name, *type; } cases[] = {
    { SF_FORMAT_WAV | SF_FORMAT_FLOAT, "WAV", "float32" }, { SF_FORMAT_WAV | SF_FORMAT_DOUBLE, "WAV", "float64" },
    { SF_FORMAT_WAVEX | SF_FORMAT_PCM_24, "WAV", "int24" }, { SF_FORMAT_RF64 | SF_FORMAT_PCM_16, "RF64", "int16" },
    { SF_FORMAT_W64 | SF_FORMAT_PCM_24, "W64", "int24" }, { SF_FORMAT_FLAC | SF_FORMAT_PCM_16, "FLAC", "int16" },
    { SF_FORMAT_FLAC | SF_FORMAT_PCM_24, "FLAC", "int24" }, { SF_FORMAT_CAF | SF_FORMAT_FLOAT, "CAF", "float32" },
    { SF_FORMAT_AIFF | SF_FORMAT_PCM_16, "AIFF", "int16" }, { SF_FORMAT_AIFF | SF_FORMAT_PCM_32, "AIFF", "int32" },
    { SF_FORMAT_AU | SF_FORMAT_PCM_16, "AU", "int16" },
  };
  g_autofree double *samples = g_new (double, 20000 * 3);

  for (guint i = 0; i < 60000; i++)
    samples[i] = es_test_fraction (i / 3, i % 3);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *path = g_build_filename (folder, "sound", NULL);
      SF_INFO info = { .samplerate = 48000, .channels = 3, .format = cases[i].format };
      SNDFILE *sound = sf_open (path, SFM_WRITE, &info);

      g_assert_nonnull (sound);
      sf_command (sound, SFC_SET_CLIPPING, NULL, SF_TRUE);
      g_assert_cmpint (sf_writef_double (sound, samples, 20000), ==, 20000);
      sf_close (sound);

      g_autoptr (EsRecording) recording = es_test_open_recording (path, NULL);
      g_assert_cmpstr (es_recording_get_format_name (recording), ==, cases[i].name);
      g_assert_cmpstr (es_recording_get_type_name (recording), ==, cases[i].type);
      /* libsndfile scales by 2^15 - 1: off by one in the last bit. */
      es_test_compare_recording (recording, 1.0 / 16384);
    }
}

static void
test_start (void)
{
  static const struct { const char *name, *start; } cases[] = {
    { "AMAR173.1.20190920T163858Z.wav", "2019-09-20T16:38:58Z" }, { "20210101_000001.wav", "2021-01-01T00:00:01Z" },
    { "x-2019-09-20T16-38-58.250Z.wav", "2019-09-20T16:38:58.250000Z" },
    { "20190920163858.wav", "2019-09-20T16:38:58Z" },
    { "20191320T163858Z.wav", NULL }, { "201909201638581.wav", NULL }, { "1234.wav", NULL }, { "", NULL },
    { "2019-09-20.wav", NULL }, { "18000101T000000.wav", NULL },
    /* Of a zone. */
    { "20260501T120000+1000_REC.wav", "2026-05-01T02:00:00Z" }, { "20260501T120000-0500.wav", "2026-05-01T17:00:00Z" },
    { "20260501_120000-0500.wav", "2026-05-01T17:00:00Z" }, { "20260501T120000+02.wav", "2026-05-01T10:00:00Z" },
    { "2026-05-01T12-00-00+02-00.wav", "2026-05-01T10:00:00Z" }, { "20260501T120000-05.wav", "2026-05-01T17:00:00Z" },
    { "2026-05-01T12:00:00+05:30", "2026-05-01T06:30:00Z" }, { "20260101_013000_+0330.wav", "2025-12-31T22:00:00Z" },
    { "20260501_120000_UTC+2.wav", NULL }, { "20260501_120000_UTC+02.wav", "2026-05-01T10:00:00Z" },
    { "20260501_120000_UTC-05.wav", "2026-05-01T17:00:00Z" },
    { "20260501_120000UTC_x.wav", "2026-05-01T12:00:00Z" }, { "20260501_120000_GMT.wav", "2026-05-01T12:00:00Z" },
    { "20260501_120000_EST.wav", NULL }, { "20260501T120000EST.wav", NULL }, { "20260501T120000 CEST.wav", NULL },
    { "20260501T120000_local.wav", NULL }, { "20260501T120000+9900.wav", NULL }, { "20260501T120000+5.wav", NULL },
    { "20260501T120000EST_20260501T170000Z.wav", NULL },
    /* Not of one: parts, ends and words. */
    { "20260501_120000-05.wav", "2026-05-01T12:00:00Z" }, { "20260501_120000-0123.wav", "2026-05-01T12:00:00Z" },
    { "20260501_120000-121500.wav", "2026-05-01T12:00:00Z" }, { "20260501_120000-ch2.wav", "2026-05-01T12:00:00Z" },
    { "20260501T120000-20260501T121000.wav", "2026-05-01T12:00:00Z" },
    { "20260501_120000_est.wav", "2026-05-01T12:00:00Z" }, { "20260501_120000_ESTUARY.wav", "2026-05-01T12:00:00Z" },
    { "20260501_120000.wav", "2026-05-01T12:00:00Z" },
    /* Fractions. */
    { "20260501T120000.5.wav", "2026-05-01T12:00:00.500000Z" },
    { "20260501T120000.250123Z.wav", "2026-05-01T12:00:00.250123Z" },
    { "20260501T120000.25+0100.wav", "2026-05-01T11:00:00.250000Z" }, { "20260501T120000.1234567890.wav", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *rest = NULL;
      g_autoptr (GDateTime) time = es_recording_time_of_name (cases[i].name, &rest);
      g_autofree char *text = time != NULL ? g_date_time_format_iso8601 (time) : NULL;

      g_assert_cmpstr (text, ==, cases[i].start);
      if (time == NULL)
        g_assert_cmpstr (rest, ==, cases[i].name);
      else
        {
          g_assert_null (strstr (rest, "2019"));
          g_assert_null (strstr (rest, "+"));
        }
    }
}

static void
test_order_of_names (void)
{
  static const char * const sorted[] = { "a.wav", "a1.wav", "a2.wav", "A10.wav", "a010b.wav", "b.wav", "ch9", "ch10" };

  for (guint i = 0; i < G_N_ELEMENTS (sorted); i++)
    for (guint k = 0; k < G_N_ELEMENTS (sorted); k++)
      {
        int order = es_recording_compare_names (sorted[i], sorted[k]);

        g_assert_cmpint ((order > 0) - (order < 0), ==, (i > k) - (i < k));
      }
}

static void
test_raw (void)
{
  static const char * const types[] = { "int16", "int24", "int32", "float32", "float64" };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    for (guint variant = 0; variant < 4; variant++)
      {
        g_autoptr (TestFolder) folder = es_test_folder_new ();
        EsOpenOptions options = {
          .samples = { .channels = 5, .rate = 1000, .type = types[i], .big_endian = variant & 1,
                       .by_channel = (variant & 2) != 0, .offset = 77 },
        };
        g_autofree guint8 *samples = NULL, *bytes = NULL;
        g_autofree char *path = NULL;
        gsize length;

        samples = es_test_raw_samples (333, 5, types[i], options.samples.big_endian, options.samples.by_channel,
                                       &length);
        /* Something before, and some bytes behind that fill no frame. */
        bytes = g_malloc0 (length + 77 + 3);
        memcpy (bytes + 77, samples, length);
        path = es_test_write (folder, "raw.bin", bytes, length + 77 + 3);

        g_autoptr (EsRecording) recording = es_test_open_recording (path, &options);
        g_assert_cmpuint (es_recording_get_frames (recording), ==, 333);
        g_assert_cmpuint (es_recording_get_n_channels (recording), ==, 5);
        g_assert_cmpstr (es_recording_get_type_name (recording), ==, types[i]);
        g_assert_true (es_test_recording_notes (recording, "The last 3 bytes"));
        g_assert_cmpuint (es_dataset_get_options (ES_DATASET (recording))->samples.channels, ==, 5);
        g_assert_cmpstr (es_dataset_get_options (ES_DATASET (recording))->samples.type, ==, types[i]);
        es_test_compare_recording (recording, CLOSE);
      }
}

static void
test_sio (void)
{
  static const char * const types[] = { "int16", "int32", "float32", "float64" };
  EsOpenOptions options = { .samples = { .rate = 1000 } };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    for (guint variant = 0; variant < 4; variant++)
      {
        g_autoptr (TestFolder) folder = es_test_folder_new ();
        guint record = variant & 2 ? 128 : 70000 - 70000 % 8;
        g_autofree char *path = es_test_write_sio (folder, "x.sio", 1234, 3, types[i], variant & 1, record);
        g_autoptr (EsRecording) recording = NULL;

        es_test_refused (path, NULL, ES_DATA_ERROR_RATE, "x.sio", "sampling rate", NULL);
        recording = es_test_open_recording (path, &options);
        g_assert_cmpuint (es_recording_get_frames (recording), ==, 1234);
        g_assert_cmpstr (es_recording_get_format_name (recording), ==, "Scripps SIO");
        g_assert_cmpstr (es_recording_get_type_name (recording), ==, types[i]);
        g_assert_null (es_dataset_get_notes (ES_DATASET (recording)));
        es_test_compare_recording (recording, CLOSE);
      }
}

/* A rate that is told does not change one that the file gives. */
static void
test_told_rate (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = es_test_write_wav (folder, "x.wav", 100, 2, 0, 8000, 16, 0);
  EsOpenOptions options = { .samples = { .rate = 1000 } };
  g_autoptr (EsRecording) recording = es_test_open_recording (path, &options);

  g_assert_cmpfloat (es_recording_get_rate (recording), ==, 8000);
  g_assert_true (es_test_recording_notes (recording, "1000 Hz told were ignored"));
}

static void
test_sidecar (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = es_test_write_wav (folder, "x.wav", 100, 2, 0, 8000, 16, 0);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) sidecar = es_array_sidecar_of (file);
  g_autoptr (EsArray) array = es_array_new_line (2, 1.5, 0, NULL), read = NULL, none = NULL;
  g_autoptr (EsRecording) recording = NULL, second = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (es_array_save (array, sidecar, &error));
  recording = es_test_open_recording (path, NULL);
  read = es_recording_get_array (recording);
  g_assert_nonnull (read);
  g_assert_true (es_array_equal (array, read));

  g_assert_true (g_file_set_contents (g_file_peek_path (sidecar), "{ nonsense", -1, NULL));
  second = es_test_open_recording (path, NULL);
  none = es_recording_get_array (second);
  g_assert_null (none);
  g_assert_true (es_test_recording_notes (second, "x.wav.array.json"));
}

static gpointer
read_all_the_time (gpointer recording)
{
  for (guint i = 0; i < 10; i++)
    es_test_compare_recording (recording, CLOSE);
  return NULL;
}

static void
test_threads (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *wav = es_test_write_wav (folder, "x.wav", 1001, 3, 0, 8000, 24, 0);
  g_autofree char *sio = es_test_write_sio (folder, "x.sio", 1234, 3, "int16", TRUE, 512);
  EsOpenOptions options = { .samples = { .rate = 1000 } };
  g_autoptr (EsRecording) one = es_test_open_recording (wav, NULL);
  g_autoptr (EsRecording) other = es_test_open_recording (sio, &options);
  GThread *threads[6];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("reader", read_all_the_time, i % 2 == 0 ? one : other);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recording/memory", test_memory);
  g_test_add_func ("/recording/array", test_array);
  g_test_add_func ("/recording/start", test_start);
  g_test_add_func ("/recording/order-of-names", test_order_of_names);
  g_test_add_func ("/recording/wav", test_wav);
  g_test_add_func ("/recording/containers", test_containers);
  g_test_add_func ("/recording/raw", test_raw);
  g_test_add_func ("/recording/sio", test_sio);
  g_test_add_func ("/recording/told-rate", test_told_rate);
  g_test_add_func ("/recording/sidecar", test_sidecar);
  g_test_add_func ("/recording/threads", test_threads);
  return g_test_run ();
}
