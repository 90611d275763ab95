/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

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

typedef struct
{
  GFile *files[200];
  guint  n;
} Files;

static void
add (Files *self, char *path)
{
  self->files[self->n++] = g_file_new_for_path (path);
  g_free (path);
}

static void
files_clear (Files *self)
{
  for (guint i = 0; i < self->n; i++)
    g_object_unref (self->files[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Files, files_clear)

static EsRecording *
open_together (Files *files)
{
  g_autoptr (GError) error = NULL;
  EsDataset *dataset;

  g_assert_true (es_recording_files_belong_together (files->files, files->n));
  dataset = es_recording_open_files (files->files, files->n, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (ES_IS_RECORDING (dataset));
  return ES_RECORDING (dataset);
}

static void
refused (Files *files, int code, const char *first, const char *second)
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
  g_auto (Files) files = { 0 };
  g_autoptr (EsRecording) recording = NULL;

  for (guint i = 0; i < 12; i++)
    {
      guint channel = (i * 5) % 12;
      g_autofree char *name = g_strdup_printf ("pod.%u.20190920T163858Z.wav", channel + 1);

      add (&files, es_test_write_wav (folder, name, 1000 + 7 * channel, 1, channel, 8000, 16, 0));
    }
  recording = open_together (&files);
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
  g_assert_cmpint (g_date_time_get_second (es_recording_get_start (recording)), ==, 58);
  g_assert_true (es_test_recording_notes (recording, "1000 to 1077 frames"));
  es_test_compare_recording (recording, CLOSE);
}

/* More files than are kept open. */
static void
test_many (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_auto (Files) files = { 0 };
  g_autoptr (EsRecording) recording = NULL;

  for (guint i = 0; i < 150; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.wav", i);

      add (&files, es_test_write_wav (folder, name, 50, 1, i, 8000, 24, 0));
    }
  recording = open_together (&files);
  g_assert_cmpuint (es_recording_get_n_channels (recording), ==, 150);
  es_test_compare_recording (recording, CLOSE);
}

static void
test_mixed_types (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_auto (Files) files = { 0 };
  g_autoptr (EsRecording) recording = NULL;

  add (&files, es_test_write_wav (folder, "1.wav", 500, 1, 0, 8000, 16, 0));
  add (&files, es_test_write_wav (folder, "2.wav", 400, 1, 1, 8000, 24, 0));
  recording = open_together (&files);
  g_assert_cmpint (es_recording_get_type_code (recording), ==, ESK_F32);
  es_test_compare_recording (recording, CLOSE);
}

static void
test_orders_of_bytes (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_auto (Files) files = { 0 };
  EsOpenOptions options = { .samples = { .rate = 1000 } };
  g_autoptr (EsDataset) dataset = NULL;
  g_autoptr (GError) error = NULL;

  add (&files, es_test_write_sio (folder, "1.sio", 500, 1, "int16", TRUE, 128));
  add (&files, es_test_write_sio (folder, "2.sio", 500, 1, "int16", FALSE, 128));
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
  g_auto (Files) rates = { 0 }, times = { 0 }, several = { 0 }, texts = { 0 };

  add (&rates, es_test_write_wav (folder, "1.wav", 500, 1, 0, 32000, 16, 0));
  add (&rates, es_test_write_wav (folder, "2.wav", 500, 1, 1, 48000, 16, 0));
  add (&rates, es_test_write_wav (folder, "3.wav", 500, 1, 2, 32000, 16, 0));
  g_assert_true (es_recording_files_belong_together (rates.files, rates.n));
  refused (&rates, ES_DATA_ERROR_UNSUPPORTED, "“2.wav” has 48000 Hz", "32000 Hz");

  /* The first one can be the odd one, too. */
  add (&several, es_test_write_wav (folder, "0.wav", 500, 1, 2, 44100, 16, 0));
  for (guint i = 0; i < 3; i += 2)
    several.files[several.n++] = g_object_ref (rates.files[i]);
  refused (&several, ES_DATA_ERROR_UNSUPPORTED, "“0.wav” has 44100 Hz", "32000 Hz");
  add (&several, es_test_write_wav (folder, "two.wav", 500, 2, 0, 32000, 16, 0));
  g_assert_false (es_recording_files_belong_together (several.files, several.n));
  refused (&several, ES_DATA_ERROR_UNSUPPORTED, "two.wav", "2 channels");

  add (&times, es_test_write_wav (folder, "pod.1.20190920T163858Z.wav", 500, 1, 0, 32000, 16, 0));
  add (&times, es_test_write_wav (folder, "pod.1.20190920T173858Z.wav", 500, 1, 0, 32000, 16, 0));
  g_assert_false (es_recording_files_belong_together (times.files, times.n));
  refused (&times, ES_DATA_ERROR_UNSUPPORTED, "T173858Z", "2019-09-20T16:38:58Z");

  add (&texts, es_test_write_text (folder, "a.csv", array_csv));
  add (&texts, es_test_write_text (folder, "b.csv", array_csv));
  g_assert_false (es_recording_files_belong_together (texts.files, texts.n));
  refused (&texts, ES_DATA_ERROR_FORMAT, "a.csv", "no recording");
  g_assert_false (es_recording_files_belong_together (rates.files, 1));
}

/* One that is damaged stands with the others, and is named. */
static void
test_damaged (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_auto (Files) files = { 0 };

  add (&files, es_test_write_wav (folder, "1.wav", 500, 1, 0, 8000, 16, 0));
  add (&files, es_test_write (folder, "2.wav", "RIFF\0\0\0\0WAVEnothing", 19));
  g_assert_true (es_recording_files_belong_together (files.files, files.n));
  refused (&files, ES_DATA_ERROR_TRUNCATED, "2.wav", "no data chunk");
}

static void
test_array (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_auto (Files) files = { 0 };
  g_autoptr (EsRecording) recording = NULL;
  g_autoptr (EsArray) array = NULL;

  add (&files, es_test_write_text (folder, "events.csv", events_csv));
  add (&files, es_test_write_text (folder, "README.txt", "Nothing of use.\n"));
  add (&files, es_test_write_wav (folder, "3.wav", 500, 1, 2, 8000, 16, 0));
  add (&files, es_test_write_wav (folder, "1.wav", 500, 1, 0, 8000, 16, 0));
  add (&files, es_test_write_text (folder, "positions.csv", array_csv));
  add (&files, es_test_write_wav (folder, "2.wav", 500, 1, 1, 8000, 16, 0));
  recording = open_together (&files);
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
  g_auto (Files) fitting = { 0 }, larger = { 0 }, events = { 0 };
  g_autoptr (EsRecording) one = NULL, other = NULL;
  g_autoptr (EsArray) array = NULL, none = NULL;

  add (&fitting, es_test_write_wav (folder, "x.wav", 500, 3, 0, 8000, 16, 0));
  add (&fitting, es_test_write_text (folder, "a.csv", array_csv));
  one = open_together (&fitting);
  array = es_recording_get_array (one);
  g_assert_nonnull (array);
  g_assert_cmpstr (es_recording_get_format_name (one), ==, "WAV");

  add (&larger, es_test_write_wav (folder, "y.wav", 500, 2, 0, 8000, 16, 0));
  add (&larger, es_test_write_text (folder, "a.csv", array_csv));
  other = open_together (&larger);
  none = es_recording_get_array (other);
  g_assert_null (none);
  g_assert_true (es_test_recording_notes (other, "3 elements up to channel 3, the recording 2 channels"));

  add (&events, es_test_write_wav (folder, "z.wav", 500, 2, 0, 8000, 16, 0));
  add (&events, es_test_write_text (folder, "events.csv", events_csv));
  g_assert_false (es_recording_files_belong_together (events.files, events.n));
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  EsDataset **dataset = data;

  *dataset = es_recording_open_files_finish (result, &error);
  g_assert_no_error (error);
}

static void
test_asynchronous (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_auto (Files) files = { 0 };
  g_autoptr (EsDataset) dataset = NULL;

  add (&files, es_test_write_wav (folder, "1.wav", 500, 1, 0, 8000, 16, 0));
  add (&files, es_test_write_wav (folder, "2.wav", 500, 1, 1, 8000, 16, 0));
  es_recording_open_files_async (files.files, files.n, NULL, on_opened, &dataset);
  while (dataset == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (es_recording_get_n_channels (ES_RECORDING (dataset)), ==, 2);
}

/* Two moments of two channels, a file of many channels and the array, which goes with all of them. */
static void
test_groups (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_auto (Files) files = { 0 }, texts = { 0 };
  g_autoptr (GPtrArray) groups = NULL, alone = NULL;
  static const guint lengths[] = { 3, 3, 2 };

  add (&files, es_test_write_wav (folder, "1.20200101T120000Z.wav", 50, 1, 0, 8000, 16, 0));
  add (&files, es_test_write_wav (folder, "1.20200101T130000Z.wav", 50, 1, 0, 8000, 16, 0));
  add (&files, es_test_write_text (folder, "a.csv", array_csv));
  add (&files, es_test_write_wav (folder, "2.20200101T120000Z.wav", 50, 1, 1, 8000, 16, 0));
  add (&files, es_test_write_wav (folder, "three.wav", 50, 3, 0, 8000, 16, 0));
  add (&files, es_test_write_wav (folder, "2.20200101T130000Z.wav", 50, 1, 1, 8000, 16, 0));
  groups = es_recording_group_files (files.files, files.n);
  g_assert_cmpuint (groups->len, ==, 3);
  for (guint i = 0; i < groups->len; i++)
    {
      GPtrArray *group = g_ptr_array_index (groups, i);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsDataset) dataset = NULL;

      g_assert_cmpuint (group->len, ==, lengths[i]);
      dataset = es_recording_open_files ((GFile **) group->pdata, group->len, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (es_recording_get_n_channels (ES_RECORDING (dataset)), ==, i < 2 ? 2 : 3);
    }

  add (&texts, es_test_write_text (folder, "b.csv", array_csv));
  add (&texts, es_test_write_text (folder, "c.csv", events_csv));
  alone = es_recording_group_files (texts.files, texts.n);
  g_assert_cmpuint (alone->len, ==, 2);
}

/* What result.json keeps of a recording opens it again, with its array, and so does the command line. */
static void
test_opened_again (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_auto (Files) files = { 0 };
  g_autoptr (EsRecording) recording = NULL;
  g_autoptr (EsDataset) again = NULL;
  g_autoptr (EsArray) line = es_array_new_line (2, 2.5, 30, NULL), array = NULL;
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GString) command = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  add (&files, es_test_write_wav (folder, "it's 1.wav", 500, 1, 0, 8000, 16, 0));
  add (&files, es_test_write_wav (folder, "it's 2.wav", 500, 1, 1, 8000, 16, 0));
  recording = open_together (&files);
  es_recording_set_array (recording, line);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "path");
  json_builder_add_string_value (builder, "ignored where there are several");
  _es_dataset_add_input (ES_DATASET (recording), builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  again = _es_dataset_open_input (json_node_get_object (root), NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (es_dataset_get_identity (again), ==, es_dataset_get_identity (ES_DATASET (recording)));
  array = es_recording_get_array (ES_RECORDING (again));
  g_assert_nonnull (array);
  g_assert_true (es_array_equal (line, array));

  _es_dataset_append_files (again, command);
  _es_dataset_append_input (again, command);
  g_assert_nonnull (strstr (command->str, "it'\\''s 2.wav'"));
  g_assert_true (g_str_has_suffix (command->str, " --array line:2,2.5,30"));
}

static void
test_raw_opened_again (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  gsize length;
  g_autofree guint8 *samples = es_test_raw_samples (100, 3, "int24", TRUE, TRUE, &length);
  g_autofree char *path = es_test_write (folder, "x.raw", samples, length);
  EsOpenOptions options = {
    .samples = { .channels = 3, .rate = 1000.5, .type = "int24", .big_endian = TRUE, .by_channel = TRUE },
  };
  g_autoptr (EsRecording) recording = es_test_open_recording (path, &options);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GString) command = g_string_new (NULL);
  g_autoptr (EsDataset) again = NULL;
  g_autoptr (GError) error = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "path");
  json_builder_add_string_value (builder, path);
  _es_dataset_add_input (ES_DATASET (recording), builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  again = _es_dataset_open_input (json_node_get_object (root), NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (es_recording_get_rate (ES_RECORDING (again)), ==, 1000.5);
  es_test_compare_recording (ES_RECORDING (again), CLOSE);

  _es_dataset_append_input (again, command);
  g_assert_cmpstr (command->str, ==,
                   " --rate 1000.5 --channels 3 --type int24 --byte-order big --layout by-channel");
}

/* Every file counts, and so does their order. */
static void
test_identity (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_auto (Files) files = { 0 };
  g_autoptr (EsRecording) before = NULL, again = NULL, after = NULL;

  add (&files, es_test_write_wav (folder, "1.wav", 500, 1, 0, 8000, 16, 0));
  add (&files, es_test_write_wav (folder, "2.wav", 500, 1, 1, 8000, 16, 0));
  before = open_together (&files);
  again = open_together (&files);
  g_assert_cmpstr (es_dataset_get_identity (ES_DATASET (before)), ==, es_dataset_get_identity (ES_DATASET (again)));
  g_free (es_test_write_wav (folder, "2.wav", 501, 1, 1, 8000, 16, 0));
  after = open_together (&files);
  g_assert_cmpstr (es_dataset_get_identity (ES_DATASET (before)), !=, es_dataset_get_identity (ES_DATASET (after)));
}

/* The six hydrophones with their positions, a list of events and a second description of the array: one gesture. */
static void
test_hydrophones (void)
{
  const char *root = g_getenv ("ES_TEST_DATA");
  g_autofree char *folder = root != NULL ? g_build_filename (root, "hydrophones", NULL) : NULL;
  g_autoptr (GDir) directory = folder != NULL ? g_dir_open (folder, 0, NULL) : NULL;
  g_auto (Files) files = { 0 };
  g_autoptr (EsRecording) recording = NULL;
  g_autoptr (EsArray) array = NULL;
  const char *name;

  if (directory == NULL)
    {
      g_test_skip ("ES_TEST_DATA has no such folder");
      return;
    }
  while ((name = g_dir_read_name (directory)) != NULL)
    add (&files, g_build_filename (folder, name, NULL));
  recording = open_together (&files);
  g_assert_cmpuint (es_recording_get_n_channels (recording), ==, 6);
  g_assert_cmpfloat (es_recording_get_rate (recording), ==, 32000);
  g_assert_cmpuint (es_recording_get_frames (recording), ==, 544230);
  g_assert_cmpuint (es_recording_get_channel_frames (recording, 5), ==, 544000);
  g_assert_cmpstr (es_recording_get_type_name (recording), ==, "int24");
  g_assert_true (es_test_recording_notes (recording, "gold_localisations.csv"));

  array = es_recording_get_array (recording);
  g_assert_nonnull (array);
  g_assert_cmpuint (es_array_get_n_elements (array), ==, 6);
  g_assert_cmpfloat (es_array_get_elements (array)[3].x, ==, 0.028);
  g_assert_cmpuint (es_array_get_elements (array)[3].channel, ==, 3);
  g_assert_cmpfloat (es_array_get_elements (array)[5].z, ==, 0.671);

  /* The first frame, from the bytes of the files. */
  float values[12];
  g_assert_true (es_recording_read (recording, 0, 2, 0, 6, values, NULL));
  g_assert_cmpfloat_with_epsilon (values[0], (0x68e << 8) / 2147483648.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (values[1], -0x715 * 256 / 2147483648.0, 1e-9);
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
  g_auto (Files) files = { 0 };
  g_autoptr (EsRecording) wav = NULL;
  g_autofree float *expected = g_new (float, 64000 * 6), *values = g_new (float, 64000 * 6);

  for (guint i = 1; root != NULL && i <= 6; i++)
    {
      g_autofree char *name = g_strdup_printf ("AMAR173.%u.20190920T163858Z.wav", i);

      add (&files, g_build_filename (root, "hydrophones", name, NULL));
    }
  if (files.n == 0 || !g_file_query_exists (files.files[0], NULL))
    {
      g_test_skip ("ES_TEST_DATA has no such files");
      return;
    }
  wav = open_together (&files);
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
  g_test_add_func ("/recording-files/asynchronous", test_asynchronous);
  g_test_add_func ("/recording-files/identity", test_identity);
  g_test_add_func ("/recording-files/groups", test_groups);
  g_test_add_func ("/recording-files/opened-again", test_opened_again);
  g_test_add_func ("/recording-files/raw-opened-again", test_raw_opened_again);
  g_test_add_func ("/recording-files/hydrophones", test_hydrophones);
  g_test_add_func ("/recording-files/sio-files", test_sio_files);
  return g_test_run ();
}
