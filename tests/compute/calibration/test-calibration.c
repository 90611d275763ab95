/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Sensitivity, gain and ADC range: what they come to, their files, and recordings that have such a file beside them. */

#include <glib/gstdio.h>
#include <math.h>
#include <sndfile.h>
#include <string.h>

#include "es-test-sonar.h"

#define NOTHING ES_CALIBRATION_NOTHING

static EsCalibration *
make (double sensitivity, double gain, double volts)
{
  const EsCalibrationNumbers numbers = { sensitivity, gain, volts, NAN };
  g_autoptr (GError) error = NULL;
  EsCalibration *made = es_calibration_new (&numbers, NULL, 0, &error);

  g_assert_no_error (error);
  return made;
}

static void
assert_refused (EsCalibrationNumbers common, EsCalibrationNumbers *channels, guint n, const char *word)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (es_calibration_new (&common, channels, n, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, word));
}

/* 1 V at -180 dB re 1 V/µPa is 10^9 µPa; 20 dB before it make it a tenth, and a converter of 2 V twice that. */
static void
test_numbers (void)
{
  g_autoptr (EsCalibration) plain = make (-180, NAN, 1), other = make (-180, 20, 2), same = make (-180, 20, 2);
  EsCalibrationNumbers own[3] = { NOTHING, { -170, NAN, NAN, NAN }, { NAN, NAN, NAN, 5e6 } };
  const EsCalibrationNumbers common = { -180, 20, 2, NAN }, none = NOTHING;
  g_autoptr (EsCalibration) channels = es_calibration_new (&common, own, 3, NULL);

  g_assert_cmpfloat_with_epsilon (es_calibration_get_upa (plain, 7), 1e9, 1);
  g_assert_cmpfloat_with_epsilon (es_calibration_get_upa (other, 0), 2e8, 1);
  g_assert_cmpfloat_with_epsilon (es_calibration_get_upa (channels, 0), 2e8, 1);
  g_assert_cmpfloat_with_epsilon (es_calibration_get_upa (channels, 1), 2e8 / sqrt (10), 1);
  g_assert_cmpfloat (es_calibration_get_upa (channels, 2), ==, 5e6);
  g_assert_cmpfloat_with_epsilon (es_calibration_get_upa (channels, 3), 2e8, 1);
  g_assert_cmpfloat_with_epsilon (es_calibration_get_reference (channels), 2e8, 1);
  g_assert_true (es_calibration_equal (other, same));
  g_assert_false (es_calibration_equal (other, plain));
  g_assert_false (es_calibration_equal (other, NULL));
  g_assert_true (es_calibration_equal (NULL, NULL));
  g_assert_true (es_calibration_is_alike (other, 9));
  g_assert_false (es_calibration_is_alike (channels, 2));
  g_assert_true (es_calibration_check (channels, 3, NULL));
  g_assert_false (es_calibration_check (channels, 2, NULL));

  /* Some channels alone: the others are not calibrated, and the first that is is the reference. */
  EsCalibrationNumbers some[3] = { NOTHING, { NAN, NAN, NAN, 3e7 }, { NAN, NAN, NAN, 6e7 } };
  g_autoptr (EsCalibration) partial = es_calibration_new (&none, some, 3, NULL);
  g_autofree char *missing = es_calibration_tell_missing (partial, 5);
  g_assert_true (isnan (es_calibration_get_upa (partial, 0)) && isnan (es_calibration_get_upa (partial, 4)));
  g_assert_cmpfloat (es_calibration_get_reference (partial), ==, 3e7);
  g_assert_nonnull (strstr (missing, "3 channels of 5 are not calibrated (1, 4, 5)"));
  g_assert_null (es_calibration_of_channel (partial, 0));
  g_autoptr (EsCalibration) third = es_calibration_of_channel (partial, 2);
  g_assert_cmpfloat (es_calibration_get_upa (third, 0), ==, 6e7);
  g_autoptr (EsCalibration) spread = es_calibration_spread (channels, 4);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat (es_calibration_get_upa (spread, i), ==, es_calibration_get_upa (channels, i));
}

static void
test_refused (void)
{
  EsCalibrationNumbers bad[2] = { NOTHING, { -170, NAN, NAN, NAN } };

  assert_refused ((EsCalibrationNumbers) { 180, 0, 1, NAN }, NULL, 0, "sensitivity is 180 dB");
  assert_refused ((EsCalibrationNumbers) { -400, 0, 1, NAN }, NULL, 0, "sensitivity is -400 dB");
  assert_refused ((EsCalibrationNumbers) { -180, 300, 1, NAN }, NULL, 0, "gain is 300 dB");
  assert_refused ((EsCalibrationNumbers) { -180, 0, 0, NAN }, NULL, 0, "ADC range is 0 V");
  assert_refused ((EsCalibrationNumbers) { -180, 0, -1, NAN }, NULL, 0, "ADC range is -1 V");
  assert_refused ((EsCalibrationNumbers) { NAN, NAN, NAN, 0 }, NULL, 0, "full scale is 0 µPa");
  assert_refused ((EsCalibrationNumbers) { -180, NAN, NAN, NAN }, NULL, 0, "ADC range is missing");
  assert_refused ((EsCalibrationNumbers) { NAN, NAN, 1, NAN }, NULL, 0, "sensitivity is missing");
  assert_refused ((EsCalibrationNumbers) { NAN, 20, NAN, NAN }, NULL, 0, "sensitivity is missing");
  assert_refused ((EsCalibrationNumbers) NOTHING, NULL, 0, "sensitivity is missing");
  assert_refused ((EsCalibrationNumbers) { -180, NAN, NAN, 1e9 }, NULL, 0, "told twice");
  assert_refused ((EsCalibrationNumbers) { -300, -200, 1e6, NAN }, NULL, 0, "620.0 dB re 1 µPa");
  assert_refused ((EsCalibrationNumbers) NOTHING, bad, 2, "ADC range of channel 2 is missing");
  bad[1].sensitivity_db = 3;
  assert_refused ((EsCalibrationNumbers) { -180, 0, 1, NAN }, bad, 2, "sensitivity of channel 2 is 3 dB");
}

/* ---- files ---- */

static char *
write_file (const char *folder, const char *name, const char *text)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static EsCalibration *
load (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return es_calibration_load (file, NULL, error);
}

static void
test_round_trip (void)
{
  g_autofree char *folder = g_dir_make_tmp ("es-calibration-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "sea.wav.calibration.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  const EsCalibrationNumbers common = { -179.83, 20.1, 2.5, NAN };
  EsCalibrationNumbers own[4] = { NOTHING, { -181.25, NAN, NAN, NAN }, { NAN, 1.0 / 3, 4.096, NAN },
                                  { NAN, NAN, NAN, 5e6 } };
  g_autoptr (EsCalibration) written = es_calibration_new (&common, own, 4, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (es_calibration_save (written, file, &error));
  g_assert_no_error (error);
  g_autoptr (EsCalibration) read = load (path, &error);
  g_assert_no_error (error);
  g_assert_true (es_calibration_equal (written, read));
  g_assert_cmpint (es_calibration_get_source (read), ==, ES_CALIBRATION_NAMED);

  /* As a tree of a result, with who told it. */
  g_autoptr (JsonNode) node = es_calibration_to_node (read);
  g_autoptr (EsCalibration) again = es_calibration_from_node (node, &error);
  g_assert_no_error (error);
  g_assert_true (es_calibration_equal (written, again));
  g_assert_cmpint (es_calibration_get_source (again), ==, ES_CALIBRATION_NAMED);
  g_assert_true (g_file_equal (es_calibration_get_file (again), file));

  /* As a table, in which the common numbers are told beside. */
  g_autofree char *table = es_calibration_to_table (written);
  guint n = 0;
  g_autofree EsCalibrationNumbers *channels = es_calibration_parse_table (table, "table", &n, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 4);
  g_assert_cmpfloat (channels[1].sensitivity_db, ==, -181.25);
  g_assert_true (isnan (channels[0].sensitivity_db) && isnan (channels[2].upa));
  g_assert_cmpfloat (channels[3].upa, ==, 5e6);
  es_test_remove_folder (g_steal_pointer (&folder));
}

static void
test_table (void)
{
  static const char *const texts[] = {
    "channel,sensitivity_db,gain_db\n1,-180,20\n2,-181.5,\n",
    "# of the laboratory\n\nChannel;Sensitivity_dB;serial;Gain_dB\r\n1;-180;A7;20\r\n2;−181,5;A8;\r\n",
    "\"channel\"\tsensitivity\tgain\n2\t\"-181.5\"\n1\t-180\t20",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      guint n = 0;
      g_autofree EsCalibrationNumbers *numbers = es_calibration_parse_table (texts[i], "table", &n, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (n, ==, 2);
      g_assert_cmpfloat (numbers[0].sensitivity_db, ==, -180);
      g_assert_cmpfloat (numbers[0].gain_db, ==, 20);
      g_assert_cmpfloat (numbers[1].sensitivity_db, ==, -181.5);
      g_assert_true (isnan (numbers[1].gain_db));
    }
}

static const struct
{
  const char *text, *word;
} bad_files[] = {
  { "", "no channel in it" },
  { "{", "bad" },
  { "[]", "no calibration" },
  { "{}", "no calibration" },
  { "{\"eigenscope-calibration\":2,\"upa-per-unit\":1e6}", "another version" },
  { "{\"eigenscope-calibration\":\"1\",\"upa-per-unit\":1e6}", "another version" },
  { "{\"eigenscope-calibration\":1}", "sensitivity is missing" },
  { "{\"eigenscope-calibration\":1,\"sensitivity-db\":-180}", "ADC range is missing" },
  { "{\"eigenscope-calibration\":1,\"sensitivity-db\":\"-180\",\"adc-volts\":1}", "“sensitivity-db” cannot be read" },
  { "{\"eigenscope-calibration\":1,\"sensitivity\":-180,\"adc-volts\":1}", "“sensitivity” is not known" },
  { "{\"eigenscope-calibration\":1,\"sensitivity-db\":-180,\"adc-volts\":1,\"channels\":3}", "channels cannot be" },
  { "{\"eigenscope-calibration\":1,\"channels\":[{\"channel\":0,\"upa-per-unit\":1}]}", "entry 1" },
  { "{\"eigenscope-calibration\":1,\"channels\":[{\"channel\":1.5,\"upa-per-unit\":1}]}", "entry 1" },
  { "{\"eigenscope-calibration\":1,\"channels\":[{\"channel\":1e9,\"upa-per-unit\":1}]}", "entry 1" },
  { "{\"eigenscope-calibration\":1,\"channels\":[7]}", "entry 1" },
  { "{\"eigenscope-calibration\":1,\"channels\":[{\"channel\":1,\"upa-per-unit\":1},"
    "{\"channel\":1,\"upa-per-unit\":2}]}",
    "twice" },
  { "{\"eigenscope-calibration\":1,\"channels\":[{\"channel\":3,\"upa-per-unit\":-1}]}", "full scale of channel 3" },
  { "channel,name\n1,a\n", "names no calibration" },
  { "sensitivity_db\n-180\n", "names no calibration" },
  { "channel,sensitivity_db\n", "no channel in it" },
  { "channel,sensitivity_db,sensitivity\n1,2,3\n", "twice" },
  { "channel,upa_per_unit\n0,1e6\n", "row 1" },
  { "channel,upa_per_unit\n1,1e6\n1,1e6\n", "twice" },
  { "channel,upa_per_unit\n1,x\n", "“x”" },
  { "channel,upa_per_unit\n1,1e6,3\n", "3 cells" },
  { "channel,sensitivity_db\n1,-180\n", "ADC range of channel 1" },
  { "\xff\xfe", "no text" },
};

static void
test_bad_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("es-calibration-XXXXXX", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (bad_files); i++)
    {
      g_autofree char *path = write_file (folder, "bad.json", bad_files[i].text);
      g_autoptr (GError) error = NULL;

      g_assert_null (load (path, &error));
      g_assert_nonnull (error);
      g_test_message ("%s", error->message);
      g_assert_cmpint (error->domain, ==, ES_DATA_ERROR);
      g_assert_nonnull (strstr (error->message, "“bad.json”"));
      g_assert_nonnull (strstr (error->message, bad_files[i].word));
      g_assert_null (strchr (error->message, '\n'));
    }
  es_test_remove_folder (g_steal_pointer (&folder));
}

/* ---- beside recordings ---- */

static void
write_wav (const char *folder, const char *name, guint channels)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree float *samples = g_new0 (float, 800 * channels);
  SF_INFO info = { .samplerate = 8000, .channels = (int) channels, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT };
  SNDFILE *file = sf_open (path, SFM_WRITE, &info);

  g_assert_nonnull (file);
  for (guint i = 0; i < 800 * channels; i++)
    samples[i] = (float) sin (0.1 * i);
  g_assert_cmpint (sf_write_float (file, samples, 800 * channels), ==, 800 * channels);
  sf_close (file);
}

/* Names by turns, closed by NULL. */
static EsRecording *
open_all (const char *folder, ...)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;
  va_list names;

  va_start (names, folder);
  for (const char *name; (name = va_arg (names, const char *)) != NULL;)
    g_ptr_array_add (files, g_file_new_build_filename (folder, name, NULL));
  va_end (names);
  EsDataset *dataset = files->len == 1 ? es_dataset_open (g_ptr_array_index (files, 0), NULL, NULL, &error)
                       : es_recording_open_files ((GFile **) files->pdata, files->len, NULL, &error);
  g_assert_no_error (error);
  return ES_RECORDING (dataset);
}

static gboolean
notes (EsRecording *recording, const char *word)
{
  return es_test_says (es_dataset_get_notes (ES_DATASET (recording)), word);
}

static const char common_text[] = "{\"eigenscope-calibration\":1,\"sensitivity-db\":-180,\"adc-volts\":1}";

static void
test_beside (void)
{
  g_autofree char *folder = g_dir_make_tmp ("es-calibration-XXXXXX", NULL);

  write_wav (folder, "sea.wav", 2);
  {
    g_autoptr (EsRecording) recording = open_all (folder, "sea.wav", NULL);
    g_autoptr (GError) error = NULL;

    g_assert_true (isnan (es_recording_get_calibration (recording)));
    /* By hand, and none again. */
    g_autoptr (EsCalibration) hand = make (-170, 0, 1);
    g_assert_true (es_recording_name_calibration (recording, hand, &error));
    g_assert_cmpfloat_with_epsilon (es_recording_get_calibration_of (recording, 1), 1e9 / sqrt (10), 1);
    g_assert_true (es_recording_name_calibration (recording, NULL, &error));
    g_assert_true (isnan (es_recording_get_calibration (recording)));
    EsCalibrationNumbers three[3] = { NOTHING, NOTHING, { -170, NAN, 1, NAN } };
    g_autoptr (EsCalibration) wide = es_calibration_new (&three[2], three, 3, NULL);
    g_assert_false (es_recording_name_calibration (recording, wide, &error));
    g_assert_nonnull (strstr (error->message, "3 channels, but the recording has 2"));
  }

  g_autofree char *sidecar = write_file (folder, "sea.wav.calibration.json", common_text);
  {
    g_autoptr (EsRecording) recording = open_all (folder, "sea.wav", NULL);
    g_autoptr (EsCalibration) calibration = es_recording_dup_calibration (recording);
    g_autoptr (GError) error = NULL;

    g_assert_cmpfloat_with_epsilon (es_recording_get_calibration (recording), 1e9, 1);
    g_assert_cmpint (es_calibration_get_source (calibration), ==, ES_CALIBRATION_BESIDE);
    /* Named wins over beside, and both are said. */
    g_autofree char *path = write_file (folder, "other.json", "{\"eigenscope-calibration\":1,\"upa-per-unit\":7e6}");
    g_autoptr (EsCalibration) named = load (path, &error);
    g_assert_true (es_recording_name_calibration (recording, named, &error));
    g_assert_cmpfloat (es_recording_get_calibration (recording), ==, 7e6);
    g_assert_true (notes (recording, "“sea.wav.calibration.json” says of it was left"));
  }
  {
    /* Opened together: its ending tells what it is. */
    g_autofree char *path = write_file (folder, "lab.calibration.json",
                                        "{\"eigenscope-calibration\":1,\"upa-per-unit\":8e6}");
    g_autoptr (EsRecording) recording = open_all (folder, "sea.wav", "lab.calibration.json", NULL);

    g_assert_cmpfloat (es_recording_get_calibration (recording), ==, 8e6);
  }

  for (guint i = 0; i < G_N_ELEMENTS (bad_files); i++)
    {
      g_autofree char *path = write_file (folder, "sea.wav.calibration.json", bad_files[i].text);
      g_autoptr (EsRecording) recording = open_all (folder, "sea.wav", NULL);

      g_assert_true (isnan (es_recording_get_calibration (recording)));
      g_assert_true (notes (recording, "was not taken: “sea.wav.calibration.json”"));
    }
  g_autofree char *wide = write_file (folder, "sea.wav.calibration.json", "channel,upa_per_unit\n1,1e6\n3,1e6\n");
  g_autoptr (EsRecording) wider = open_all (folder, "sea.wav", NULL);
  g_assert_true (isnan (es_recording_get_calibration (wider)));
  g_assert_true (notes (wider, "3 channels, but the recording has 2"));
  es_test_remove_folder (g_steal_pointer (&folder));
}

/* Beside the first of several files lies one for all, unless others have their own. */
static void
test_several_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("es-calibration-XXXXXX", NULL);
  g_autofree char *first = NULL, *second = NULL, *list = NULL;

  for (guint i = 1; i <= 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.wav", i);
      write_wav (folder, name, 1);
    }
  first = write_file (folder, "1.wav.calibration.json", common_text);
  {
    g_autoptr (EsRecording) recording = open_all (folder, "1.wav", "2.wav", "3.wav", NULL);

    for (guint i = 0; i < 3; i++)
      g_assert_cmpfloat_with_epsilon (es_recording_get_calibration_of (recording, i), 1e9, 1);
  }
  second = write_file (folder, "2.wav.calibration.json", "{\"eigenscope-calibration\":1,\"upa-per-unit\":7e6}");
  {
    g_autoptr (EsRecording) recording = open_all (folder, "1.wav", "2.wav", "3.wav", NULL);

    g_assert_cmpfloat_with_epsilon (es_recording_get_calibration_of (recording, 0), 1e9, 1);
    g_assert_cmpfloat (es_recording_get_calibration_of (recording, 1), ==, 7e6);
    g_assert_true (isnan (es_recording_get_calibration_of (recording, 2)));
    g_assert_true (notes (recording, "1 channel of 3 is not calibrated (3)"));
  }
  /* One that lists them is of all. */
  g_free (first);
  first = write_file (folder, "1.wav.calibration.json", "channel,upa_per_unit\n1,1e6\n2,2e6\n3,3e6\n");
  {
    g_autoptr (EsRecording) recording = open_all (folder, "1.wav", "2.wav", "3.wav", NULL);
    g_autoptr (EsRecording) alone = open_all (folder, "1.wav", NULL);

    for (guint i = 0; i < 3; i++)
      g_assert_cmpfloat (es_recording_get_calibration_of (recording, i), ==, 1e6 * (i + 1));
    g_assert_cmpfloat (es_recording_get_calibration (alone), ==, 1e6);
  }
  es_test_remove_folder (g_steal_pointer (&folder));
}

/* Comments, and names of channels that stay, are still there when the file is written again. */
static void
test_comments (void)
{
  g_autofree char *folder = g_dir_make_tmp ("es-calibration-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.wav.calibration.json", NULL), *text = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, "{ \"eigenscope-calibration\": 1, \"comment\": \"certificate 17\",\n"
                                      "  \"sensitivity-db\": -180, \"adc-volts\": 2.5, \"channels\": [\n"
                                      "  { \"channel\": 1, \"name\": \"upper\", \"gain-db\": 3 },\n"
                                      "  { \"channel\": 2, \"name\": \"lower\", \"gain-db\": 4 } ] }", -1, NULL));
  const EsCalibrationNumbers common = { -180, NAN, 4, NAN };
  const EsCalibrationNumbers own[2] = { NOTHING, { -181, NAN, NAN, NAN } };
  g_autoptr (EsCalibration) told = es_calibration_new (&common, own, 2, &error);
  g_assert_no_error (error);
  g_autoptr (EsCalibration) read = load (path, &error);
  g_assert_no_error (error);
  g_assert_true (es_calibration_save (told, file, &error));
  g_assert_no_error (error);
  g_autoptr (EsCalibration) again = load (path, &error);
  g_assert_no_error (error);
  g_assert_true (es_calibration_equal (told, again));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "certificate 17"));
  g_assert_nonnull (strstr (text, "lower"));
  g_assert_null (strstr (text, "gain-db"));
  g_assert_null (strstr (text, "2.5"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/calibration/numbers", test_numbers);
  g_test_add_func ("/calibration/refused", test_refused);
  g_test_add_func ("/calibration/round-trip", test_round_trip);
  g_test_add_func ("/calibration/table", test_table);
  g_test_add_func ("/calibration/bad-files", test_bad_files);
  g_test_add_func ("/calibration/beside", test_beside);
  g_test_add_func ("/calibration/several-files", test_several_files);
  g_test_add_func ("/calibration/comments", test_comments);
  return g_test_run ();
}
