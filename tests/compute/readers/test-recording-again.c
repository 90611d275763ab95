/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Recordings of several files: groups, opening again, identity, and real ones. */

#include <string.h>

#include "es-test-recordings.h"
#include "readers/es-open-input-internal.h"
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
  g_auto (EsTestFiles) files = { 0 };
  g_autoptr (EsDataset) dataset = NULL;

  es_test_files_add (&files, es_test_write_wav (folder, "1.wav", 500, 1, 0, 8000, 16, 0));
  es_test_files_add (&files, es_test_write_wav (folder, "2.wav", 500, 1, 1, 8000, 16, 0));
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
  g_auto (EsTestFiles) files = { 0 }, texts = { 0 };
  g_autoptr (GPtrArray) groups = NULL, alone = NULL;
  static const guint lengths[] = { 3, 3, 2 };

  es_test_files_add (&files, es_test_write_wav (folder, "1.20200101T120000Z.wav", 50, 1, 0, 8000, 16, 0));
  es_test_files_add (&files, es_test_write_wav (folder, "1.20200101T130000Z.wav", 50, 1, 0, 8000, 16, 0));
  es_test_files_add (&files, es_test_write_text (folder, "a.csv", array_csv));
  es_test_files_add (&files, es_test_write_wav (folder, "2.20200101T120000Z.wav", 50, 1, 1, 8000, 16, 0));
  es_test_files_add (&files, es_test_write_wav (folder, "three.wav", 50, 3, 0, 8000, 16, 0));
  es_test_files_add (&files, es_test_write_wav (folder, "2.20200101T130000Z.wav", 50, 1, 1, 8000, 16, 0));
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

  es_test_files_add (&texts, es_test_write_text (folder, "b.csv", array_csv));
  es_test_files_add (&texts, es_test_write_text (folder, "c.csv", events_csv));
  alone = es_recording_group_files (texts.files, texts.n);
  g_assert_cmpuint (alone->len, ==, 2);
}

/* What result.json keeps of a recording opens it again, with its array, and so does the command line. */
static void
test_opened_again (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_auto (EsTestFiles) files = { 0 };
  g_autoptr (EsRecording) recording = NULL;
  g_autoptr (EsDataset) again = NULL;
  g_autoptr (EsArray) line = es_array_new_line (2, 2.5, 30, NULL), array = NULL;
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GString) command = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  es_test_files_add (&files, es_test_write_wav (folder, "it's 1.wav", 500, 1, 0, 8000, 16, 0));
  es_test_files_add (&files, es_test_write_wav (folder, "it's 2.wav", 500, 1, 1, 8000, 16, 0));
  recording = es_test_files_open (&files);
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
  g_auto (EsTestFiles) files = { 0 };
  g_autoptr (EsRecording) before = NULL, again = NULL, after = NULL;

  es_test_files_add (&files, es_test_write_wav (folder, "1.wav", 500, 1, 0, 8000, 16, 0));
  es_test_files_add (&files, es_test_write_wav (folder, "2.wav", 500, 1, 1, 8000, 16, 0));
  before = es_test_files_open (&files);
  again = es_test_files_open (&files);
  g_assert_cmpstr (es_dataset_get_identity (ES_DATASET (before)), ==, es_dataset_get_identity (ES_DATASET (again)));
  g_free (es_test_write_wav (folder, "2.wav", 501, 1, 1, 8000, 16, 0));
  after = es_test_files_open (&files);
  g_assert_cmpstr (es_dataset_get_identity (ES_DATASET (before)), !=, es_dataset_get_identity (ES_DATASET (after)));
}

/* The six hydrophones with their positions, a list of events and a second description of the array: one gesture. */
static void
test_hydrophones (void)
{
  const char *root = g_getenv ("ES_TEST_DATA");
  g_autofree char *folder = root != NULL ? g_build_filename (root, "hydrophones", NULL) : NULL;
  g_autoptr (GDir) directory = folder != NULL ? g_dir_open (folder, 0, NULL) : NULL;
  g_auto (EsTestFiles) files = { 0 };
  g_autoptr (EsRecording) recording = NULL;
  g_autoptr (EsArray) array = NULL;
  const char *name;

  if (directory == NULL)
    {
      g_test_skip ("ES_TEST_DATA has no such folder");
      return;
    }
  while ((name = g_dir_read_name (directory)) != NULL)
    es_test_files_add (&files, g_build_filename (folder, name, NULL));
  recording = es_test_files_open (&files);
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recording-files/asynchronous", test_asynchronous);
  g_test_add_func ("/recording-files/identity", test_identity);
  g_test_add_func ("/recording-files/groups", test_groups);
  g_test_add_func ("/recording-files/opened-again", test_opened_again);
  g_test_add_func ("/recording-files/raw-opened-again", test_raw_opened_again);
  g_test_add_func ("/recording-files/hydrophones", test_hydrophones);
  return g_test_run ();
}
