/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Recordings of several files opened together. */

#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-test-recordings.h"
#include "readers/es-open.h"

#define CLOSE 1e-7

typedef char TestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, es_test_folder_free)

static const char array_csv[] =
  "name,x,y,z,array_channel\n"
  "a,0,0,0,0\nb,1.5,0,0,1\nc,3,0,0,2\n";
static const char events_csv[] =
  "event,t0_s,t1_s,x_m,y_m,z_m\n"
  "0,1.33,1.41,-0.412,-0.258,-1.344\n1,1.72,1.82,-0.443,-0.253,-1.349\n";

static void
refused (EsTestFiles *files, int code, const char *first, const char *second)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (es_recording_open_files (files->files, files->n, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, code);
  g_assert_nonnull (strstr (error->message, first));
  g_assert_nonnull (strstr (error->message, second));
}

/* In the order of numbers, not of letters, whatever the order in which they come; ends that are missing are silent. */
static void
test_channels (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_auto (EsTestFiles) files = { 0 };
  g_autoptr (EsRecording) recording = NULL;

  for (guint i = 0; i < 12; i++)
    {
      guint channel = (i * 5) % 12;
      g_autofree char *name = g_strdup_printf ("pod.%u.20190920T163858Z.wav", channel + 1);

      es_test_files_add (&files, es_test_write_wav (folder, name, 1000 + 7 * channel, 1, channel, 8000, 16, 0));
    }
  recording = es_test_files_open (&files);
  g_assert_cmpuint (es_recording_get_n_channels (recording), ==, 12);
  g_assert_cmpuint (es_recording_get_frames (recording), ==, 1077);
  for (guint i = 0; i < 12; i++)
    {
      g_autofree char *name = g_strdup_printf ("pod.%u", i + 1);
      g_autofree char *base = g_file_get_basename (es_recording_get_files (recording)[i]);

      g_assert_cmpuint (es_recording_get_channel_frames (recording, i), ==, 1000 + 7 * i);
      g_assert_cmpstr (es_recording_get_channel_name (recording, i), ==, name);
      g_assert_true (g_str_has_prefix (base, name));
    }
  g_assert_null (es_recording_get_files (recording)[12]);
  g_assert_cmpstr (es_recording_get_format_name (recording), ==, "12 files (WAV)");
  g_assert_cmpstr (es_recording_get_type_name (recording), ==, "int16");
  g_assert_cmpstr (es_dataset_get_name (ES_DATASET (recording)), ==, "pod.1.20190920T163858Z.wav and 11 more");
  g_autoptr (GDateTime) start = es_recording_dup_start (recording);
  g_assert_cmpint (g_date_time_get_second (start), ==, 58);
  g_assert_true (es_test_recording_notes (recording, "1000 to 1077 frames"));
  es_test_compare_recording (recording, CLOSE);
}

/* More files than are kept open. */
static void
test_many (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_auto (EsTestFiles) files = { 0 };
  g_autoptr (EsRecording) recording = NULL;

  for (guint i = 0; i < 150; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.wav", i);

      es_test_files_add (&files, es_test_write_wav (folder, name, 50, 1, i, 8000, 24, 0));
    }
  recording = es_test_files_open (&files);
  g_assert_cmpuint (es_recording_get_n_channels (recording), ==, 150);
  es_test_compare_recording (recording, CLOSE);
}

static void
test_mixed_types (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_auto (EsTestFiles) files = { 0 };
  g_autoptr (EsRecording) recording = NULL;

  es_test_files_add (&files, es_test_write_wav (folder, "1.wav", 500, 1, 0, 8000, 16, 0));
  es_test_files_add (&files, es_test_write_wav (folder, "2.wav", 400, 1, 1, 8000, 24, 0));
  recording = es_test_files_open (&files);
  g_assert_cmpint (es_recording_get_type_code (recording), ==, ESK_F32);
  es_test_compare_recording (recording, CLOSE);
}

static void
test_orders_of_bytes (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_auto (EsTestFiles) files = { 0 };
  EsOpenOptions options = { .samples = { .rate = 1000 } };
  g_autoptr (EsDataset) dataset = NULL;
  g_autoptr (GError) error = NULL;

  es_test_files_add (&files, es_test_write_sio (folder, "1.sio", 500, 1, "int16", TRUE, 128));
  es_test_files_add (&files, es_test_write_sio (folder, "2.sio", 500, 1, "int16", FALSE, 128));
  refused (&files, ES_DATA_ERROR_RATE, "1.sio", "rate");
  dataset = es_recording_open_files_with (files.files, files.n, &options, NULL, &error);
  g_assert_no_error (error);

  g_autofree float *values = g_new (float, 1000);
  g_assert_true (es_recording_read (ES_RECORDING (dataset), 0, 500, 0, 2, values, &error));
  for (guint i = 0; i < 1000; i++)
    g_assert_cmpfloat (values[i], ==, (float) es_test_fraction (i / 2, 0));
}

static void
test_refused (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_auto (EsTestFiles) rates = { 0 }, times = { 0 }, several = { 0 }, texts = { 0 };

  es_test_files_add (&rates, es_test_write_wav (folder, "1.wav", 500, 1, 0, 32000, 16, 0));
  es_test_files_add (&rates, es_test_write_wav (folder, "2.wav", 500, 1, 1, 48000, 16, 0));
  es_test_files_add (&rates, es_test_write_wav (folder, "3.wav", 500, 1, 2, 32000, 16, 0));
  g_assert_true (es_recording_files_belong_together (rates.files, rates.n));
  refused (&rates, ES_DATA_ERROR_UNSUPPORTED, "“2.wav” has 48000 Hz", "32000 Hz");

  /* The first one can be the odd one, too. */
  es_test_files_add (&several, es_test_write_wav (folder, "0.wav", 500, 1, 2, 44100, 16, 0));
  for (guint i = 0; i < 3; i += 2)
    several.files[several.n++] = g_object_ref (rates.files[i]);
  refused (&several, ES_DATA_ERROR_UNSUPPORTED, "“0.wav” has 44100 Hz", "32000 Hz");
  es_test_files_add (&several, es_test_write_wav (folder, "two.wav", 500, 2, 0, 32000, 16, 0));
  g_assert_false (es_recording_files_belong_together (several.files, several.n));
  refused (&several, ES_DATA_ERROR_UNSUPPORTED, "two.wav", "2 channels");

  es_test_files_add (&times, es_test_write_wav (folder, "pod.1.20190920T163858Z.wav", 500, 1, 0, 32000, 16, 0));
  es_test_files_add (&times, es_test_write_wav (folder, "pod.1.20190920T173858Z.wav", 500, 1, 0, 32000, 16, 0));
  g_assert_false (es_recording_files_belong_together (times.files, times.n));
  refused (&times, ES_DATA_ERROR_UNSUPPORTED, "T173858Z", "2019-09-20T16:38:58Z");

  es_test_files_add (&texts, es_test_write_text (folder, "a.csv", array_csv));
  es_test_files_add (&texts, es_test_write_text (folder, "b.csv", array_csv));
  g_assert_false (es_recording_files_belong_together (texts.files, texts.n));
  refused (&texts, ES_DATA_ERROR_FORMAT, "a.csv", "no recording");
  g_assert_false (es_recording_files_belong_together (rates.files, 1));
}

/* One that is damaged stands with the others, and is named. */
static void
test_damaged (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_auto (EsTestFiles) files = { 0 };

  es_test_files_add (&files, es_test_write_wav (folder, "1.wav", 500, 1, 0, 8000, 16, 0));
  es_test_files_add (&files, es_test_write (folder, "2.wav", "RIFF\0\0\0\0WAVEnothing", 19));
  g_assert_true (es_recording_files_belong_together (files.files, files.n));
  refused (&files, ES_DATA_ERROR_TRUNCATED, "2.wav", "no data chunk");
}

static void
test_array (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_auto (EsTestFiles) files = { 0 };
  g_autoptr (EsRecording) recording = NULL;
  g_autoptr (EsArray) array = NULL;

  es_test_files_add (&files, es_test_write_text (folder, "events.csv", events_csv));
  es_test_files_add (&files, es_test_write_text (folder, "README.txt", "Nothing of use.\n"));
  es_test_files_add (&files, es_test_write_wav (folder, "3.wav", 500, 1, 2, 8000, 16, 0));
  es_test_files_add (&files, es_test_write_wav (folder, "1.wav", 500, 1, 0, 8000, 16, 0));
  es_test_files_add (&files, es_test_write_text (folder, "positions.csv", array_csv));
  es_test_files_add (&files, es_test_write_wav (folder, "2.wav", 500, 1, 1, 8000, 16, 0));
  recording = es_test_files_open (&files);
  g_assert_cmpuint (es_recording_get_n_channels (recording), ==, 3);
  array = es_recording_get_array (recording);
  g_assert_nonnull (array);
  g_assert_cmpuint (es_array_get_n_elements (array), ==, 3);
  g_assert_cmpfloat_with_epsilon (es_array_get_spacing (array), 1.5, 1e-9);
  g_assert_true (es_test_recording_notes (recording, "“events.csv” lists events"));
  g_assert_true (es_test_recording_notes (recording, "README.txt"));
  es_test_compare_recording (recording, CLOSE);
}

/* One file of many channels and its array; an array that does not fit is left out with a word about it. */
static void
test_array_of_one_file (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_auto (EsTestFiles) fitting = { 0 }, larger = { 0 }, events = { 0 };
  g_autoptr (EsRecording) one = NULL, other = NULL;
  g_autoptr (EsArray) array = NULL, none = NULL;

  es_test_files_add (&fitting, es_test_write_wav (folder, "x.wav", 500, 3, 0, 8000, 16, 0));
  es_test_files_add (&fitting, es_test_write_text (folder, "a.csv", array_csv));
  one = es_test_files_open (&fitting);
  array = es_recording_get_array (one);
  g_assert_nonnull (array);
  g_assert_cmpstr (es_recording_get_format_name (one), ==, "WAV");

  es_test_files_add (&larger, es_test_write_wav (folder, "y.wav", 500, 2, 0, 8000, 16, 0));
  es_test_files_add (&larger, es_test_write_text (folder, "a.csv", array_csv));
  other = es_test_files_open (&larger);
  none = es_recording_get_array (other);
  g_assert_null (none);
  g_assert_true (es_test_recording_notes (other, "3 elements up to channel 3, the recording 2 channels"));

  es_test_files_add (&events, es_test_write_wav (folder, "z.wav", 500, 2, 0, 8000, 16, 0));
  es_test_files_add (&events, es_test_write_text (folder, "events.csv", events_csv));
  g_assert_false (es_recording_files_belong_together (events.files, events.n));
}

/* Positions that were opened with the recording go before those that were saved beside it. */
static void
test_array_beside (void)
{
  for (guint c = 0; c < 3; c++)
    {
      const gboolean is_named = c > 0, is_saved_named = c > 1;
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_auto (EsTestFiles) files = { 0 };
      g_autoptr (EsArray) saved = es_array_new_line (3, 7, 0, NULL), taken = NULL;
      g_autofree char *path = es_test_write_wav (folder, "x.wav", 500, 3, 0, 8000, 16, 0);
      g_autoptr (GFile) file = g_file_new_for_path (path), sidecar = es_array_sidecar_of (file);
      g_autoptr (EsRecording) recording = NULL;

      g_assert_true (es_array_save (saved, sidecar, NULL));
      es_test_files_add (&files, g_strdup (path));
      if (is_named)
        es_test_files_add (&files, es_test_write_text (folder, "a.csv", array_csv));
      if (is_saved_named)
        es_test_files_add (&files, g_file_get_path (sidecar));
      recording = is_named ? es_test_files_open (&files) : es_test_open_recording (path, NULL);
      taken = es_recording_get_array (recording);
      g_assert_cmpfloat_with_epsilon (es_array_get_spacing (taken), c == 1 ? 1.5 : 7, 1e-9);
      g_assert_cmpint (es_test_recording_notes (recording, "what “x.wav.array.json” says of it was left"), ==, c == 1);
    }
}

/* The same samples as Scripps SIO files: float32 as they are, int16 as 64 times that. */
static void
test_sio_files (void)
{
  static const struct { const char *name; double times, tolerance; } cases[] = {
    { "xav6_be_f4.sio", 1, 1e-7 }, { "xav6_le_i2.sio", 64 * 32767 / 32768.0, 1.0 / 32768 },
  };
  const char *root = g_getenv ("ES_TEST_DATA");
  EsOpenOptions options = { .samples = { .rate = 32000 } };
  g_auto (EsTestFiles) files = { 0 };
  g_autoptr (EsRecording) wav = NULL;
  g_autofree float *expected = g_new (float, 64000 * 6), *values = g_new (float, 64000 * 6);

  for (guint i = 1; root != NULL && i <= 6; i++)
    {
      g_autofree char *name = g_strdup_printf ("AMAR173.%u.20190920T163858Z.wav", i);

      es_test_files_add (&files, g_build_filename (root, "hydrophones", name, NULL));
    }
  if (files.n == 0 || !g_file_query_exists (files.files[0], NULL))
    {
      g_test_skip ("ES_TEST_DATA has no such files");
      return;
    }
  wav = es_test_files_open (&files);
  g_assert_true (es_recording_read (wav, 0, 64000, 0, 6, expected, NULL));
  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      g_autofree char *path = g_build_filename (root, "sonar-formats", cases[k].name, NULL);
      g_autoptr (EsRecording) sio = es_test_open_recording (path, &options);

      g_assert_cmpuint (es_recording_get_n_channels (sio), ==, 6);
      g_assert_cmpuint (es_recording_get_frames (sio), ==, 64000);
      g_assert_null (es_dataset_get_notes (ES_DATASET (sio)));
      g_assert_true (es_recording_read (sio, 0, 64000, 0, 6, values, NULL));
      for (guint i = 0; i < 64000 * 6; i++)
        if (fabs (expected[i] * cases[k].times) < 0.999)
          g_assert_cmpfloat_with_epsilon (values[i], expected[i] * cases[k].times, cases[k].tolerance);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recording-files/channels", test_channels);
  g_test_add_func ("/recording-files/many", test_many);
  g_test_add_func ("/recording-files/mixed-types", test_mixed_types);
  g_test_add_func ("/recording-files/orders-of-bytes", test_orders_of_bytes);
  g_test_add_func ("/recording-files/refused", test_refused);
  g_test_add_func ("/recording-files/damaged", test_damaged);
  g_test_add_func ("/recording-files/array", test_array);
  g_test_add_func ("/recording-files/array-of-one-file", test_array_of_one_file);
  g_test_add_func ("/recording-files/array-beside", test_array_beside);
  g_test_add_func ("/recording-files/sio-files", test_sio_files);
  return g_test_run ();
}
