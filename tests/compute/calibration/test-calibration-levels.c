/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A tone of 120 dB re 1 µPa (rms) through hydrophones, amplifiers and a converter that are known reads 120 dB, whoever
 * reads it; and a saved result brings back what it was computed with. */

#include <glib/gstdio.h>
#include <math.h>
#include <sndfile.h>
#include <string.h>

#include "session/es-result-load.h"
#include "es-test-beams.h"

#define ELEMENTS 12
/* Inside of the band that is chosen for such an array, and on a bin: between two adaptive beams read a tone too low. */
#define RATE 8192.0
#define TONE 400.0
#define BEARING 70.0
#define LEVEL 120.0
#define VOLTS 2.5

/* Each element's hydrophone and amplifier; alike: those of the first. */
static double
sensitivity (guint k)
{
  return -182 + 0.7 * ((k * 5) % 7);
}

static double
gain (guint k)
{
  return 20 + 1.5 * (k % 2);
}

static EsRecording *
make_scene (gboolean alike, double bearing)
{
  g_autoptr (EsArray) array = es_array_new_line (ELEMENTS, 1.5, 0, NULL);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, RATE, 40000, 1500);

  es_test_sonar_add_tone (sonar, es_test_place_far (array, bearing), TONE, sqrt (2) * pow (10, LEVEL / 20), 0.7);
  /* µPa to volts, through the amplifier, to fractions of the converter's range. */
  for (gsize i = 0; i < sonar->frames; i++)
    for (guint k = 0; k < ELEMENTS; k++)
      sonar->samples[i * sonar->channels + k] *= pow (10, sensitivity (alike ? 0 : k) / 20)
                                                 * pow (10, gain (alike ? 0 : k) / 20) / VOLTS;
  return es_test_sonar_record (sonar, ESK_F32, 1);
}

/* missing: of which nothing is told; ELEMENTS: none is. */
static EsCalibration *
make_calibration (gboolean alike, guint missing)
{
  EsCalibrationNumbers common = { sensitivity (0), gain (0), VOLTS, NAN }, own[ELEMENTS];
  g_autoptr (GError) error = NULL;
  EsCalibration *made;

  for (guint k = 0; k < ELEMENTS; k++)
    own[k] = (EsCalibrationNumbers) { sensitivity (k), gain (k), VOLTS, NAN };
  if (missing < ELEMENTS)
    own[missing] = common = ES_CALIBRATION_NOTHING;
  made = es_calibration_new (&common, alike ? NULL : own, alike ? 0 : ELEMENTS, &error);
  g_assert_no_error (error);
  return made;
}

static EsResult *
run (const char *operation, EsRecording *recording, const char *key, const char *value)
{
  g_autoptr (EsParams) params = es_test_beam_params (operation, NULL);
  g_autoptr (GError) error = NULL;

  if (key != NULL)
    es_params_parse (params, key, value, &error);
  g_assert_no_error (error);
  EsResult *result = es_test_run_beams (operation, recording, "cpu", NULL, params, &error);
  g_assert_no_error (error);
  return result;
}

/* Of the strongest peak, or line. */
static double
level_of (EsResult *result)
{
  JsonObject *values = es_result_get_values (result);
  JsonArray *list = json_object_get_array_member (values, json_object_has_member (values, "peaks") ? "peaks" : "lines");

  g_assert_cmpuint (json_array_get_length (list), >, 0);
  return json_object_get_double_member (json_array_get_object_element (list, 0), "level_db");
}

static const struct
{
  const char *operation, *key, *value;
  double      bearing;           /* 0: BEARING */
} readings[] = {
  /* Abeam a tone is in step over a whole bin; elsewhere adaptive beams take what is not for another source. */
  { "cbf" }, { "mvdr", NULL, NULL, 90 }, { "lofar", "bearing", "70" }, { "lofar", "element", "1" },
  { "lofar", "element", "6" }, { "localize" },
};

static void
test_levels (gconstpointer data)
{
  const gboolean alike = GPOINTER_TO_INT (data);
  g_autoptr (EsCalibration) calibration = make_calibration (alike, ELEMENTS);

  for (guint i = 0; i < G_N_ELEMENTS (readings); i++)
    {
      g_autoptr (EsRecording) recording = make_scene (alike, readings[i].bearing > 0 ? readings[i].bearing : BEARING);
      g_autoptr (EsResult) before = run (readings[i].operation, recording, readings[i].key, readings[i].value);
      JsonObject *values = es_result_get_values (before);
      g_assert_true (g_str_has_prefix (json_object_get_string_member (values, "level_reference"), "full scale"));
      g_assert_true (json_object_get_null_member (values, "calibration"));
      g_assert_cmpfloat (level_of (before), <, 0);

      es_recording_set_calibration (recording, calibration);
      g_autoptr (EsResult) result = run (readings[i].operation, recording, readings[i].key, readings[i].value);
      values = es_result_get_values (result);
      g_test_message ("%s %s: %.4f dB", readings[i].operation, readings[i].value, level_of (result));
      g_assert_cmpfloat_with_epsilon (level_of (result), LEVEL, 0.05);
      g_assert_nonnull (strstr (json_object_get_string_member (values, "level_reference"), "Pa"));
      JsonNode *node = json_object_get_member (values, "calibration");
      g_autoptr (EsCalibration) said = es_calibration_from_node (node, NULL);
      g_assert_true (es_calibration_equal (said, calibration));

      /* By the common numbers alone it would be another level: the channels' own are what makes it right. */
      if (!alike && i < 3)
        {
          g_autoptr (EsCalibration) coarse = make_calibration (TRUE, ELEMENTS);
          es_recording_set_calibration (recording, coarse);
          g_autoptr (EsResult) wrong = run (readings[i].operation, recording, readings[i].key, readings[i].value);
          g_assert_cmpfloat (fabs (level_of (wrong) - LEVEL), >, 1);
        }
    }
}

/* DEMON listens to envelopes: what is calibrated alike leaves it as it is, and a channel's own sensitivity is heard. */
static void
test_beam_sound (void)
{
  g_autoptr (EsRecording) recording = make_scene (FALSE, BEARING);
  g_autoptr (EsCalibration) calibration = make_calibration (FALSE, ELEMENTS);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autofree char *folder = g_dir_make_tmp ("es-calibration-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "beam.wav", NULL);
  g_autofree float *samples = g_new (float, 8000);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  SF_INFO info = { 0 };
  double sum = 0;

  es_recording_set_calibration (recording, calibration);
  g_autoptr (EsBeamSound) sound = es_beam_sound_new (recording, array, ES_SHADING_NONE,
                                                     es_beam_aim_at (BEARING), 0, &error);
  g_assert_no_error (error);
  g_assert_true (es_beam_sound_save (sound, 0, 40000, file, NULL, NULL, NULL, &error));
  g_assert_no_error (error);

  /* Its comment says what 1 is in it; that many micropascals its samples are. */
  SNDFILE *saved = sf_open (path, SFM_READ, &info);
  const char *comment = sf_get_string (saved, SF_STR_COMMENT), *at = strstr (comment, "full scale, ");
  g_test_message ("%s", comment);
  g_assert_nonnull (at);
  const double upa = pow (10, g_ascii_strtod (at + strlen ("full scale, "), NULL) / 20);
  g_assert_nonnull (strstr (comment, "dB re 1 uPa"));
  g_assert_nonnull (strstr (comment, "; gain before it by channel"));
  g_assert_nonnull (strstr (comment, "brought to one sensitivity"));
  g_assert_cmpint (sf_seek (saved, 16000, SEEK_SET), ==, 16000);
  g_assert_cmpint (sf_read_float (saved, samples, 8000), ==, 8000);
  sf_close (saved);
  for (guint i = 0; i < 8000; i++)
    sum += samples[i] * upa * samples[i] * upa;
  g_assert_cmpfloat_with_epsilon (10 * log10 (sum / 8000), LEVEL, 0.05);
  es_test_remove_folder (g_steal_pointer (&folder));
}

/* What hears a channel that is not calibrated is refused; what does not, is not. */
static void
test_partial (void)
{
  static const char *const operations[] = { "cbf", "mvdr", "localize", "lofar" };
  g_autoptr (EsRecording) recording = make_scene (FALSE, BEARING);
  g_autoptr (EsCalibration) calibration = make_calibration (FALSE, 4);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autofree EsElement *elements = g_memdup2 (es_array_get_elements (array), ELEMENTS * sizeof (EsElement));

  es_recording_set_calibration (recording, calibration);
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    {
      g_autoptr (EsParams) params = es_test_beam_params (operations[i], NULL);
      g_autoptr (GError) error = NULL;

      if (i == 3)
        es_params_set_text (params, "bearing", "70");
      g_autoptr (EsResult) result = es_test_run_beams (operations[i], recording, "cpu", NULL, params, &error);
      g_assert_null (result);
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
      g_assert_nonnull (strstr (error->message, "Channel 5 is not calibrated"));
    }
  g_autoptr (EsParams) params = es_test_beam_params ("lofar", "element", "5", NULL);
  g_autoptr (GError) error = NULL;
  g_assert_null (es_test_run_beams ("lofar", recording, "cpu", NULL, params, &error));
  g_assert_nonnull (strstr (error->message, "Channel 5 is not calibrated"));
  g_autoptr (EsResult) other = run ("lofar", recording, "element", "4");
  g_assert_cmpfloat_with_epsilon (level_of (other), LEVEL, 0.05);

  elements[4].dead = TRUE;
  g_autoptr (EsArray) holed = es_array_new (elements, ELEMENTS, NULL);
  es_recording_set_array (recording, holed);
  g_autoptr (EsResult) result = run ("cbf", recording, NULL, NULL);
  g_assert_cmpfloat_with_epsilon (level_of (result), LEVEL, 0.05);
}

/* ---- saved and opened again ---- */

static void
write_wav (EsRecording *recording, const char *path)
{
  const guint n = (guint) es_recording_get_frames (recording);
  g_autofree float *samples = g_new (float, (gsize) n * ELEMENTS);
  SF_INFO info = { .samplerate = (int) RATE, .channels = ELEMENTS, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT };
  SNDFILE *file = sf_open (path, SFM_WRITE, &info);

  g_assert_true (es_recording_read (recording, 0, n, 0, ELEMENTS, samples, NULL));
  g_assert_cmpint (sf_writef_float (file, samples, n), ==, n);
  sf_close (file);
}

static EsRecording *
open_wav (GFile *file)
{
  g_autoptr (GError) error = NULL;
  EsDataset *dataset = es_dataset_open (file, NULL, NULL, &error);
  g_autoptr (EsArray) array = es_array_new_line (ELEMENTS, 1.5, 0, NULL);

  g_assert_no_error (error);
  es_recording_set_array (ES_RECORDING (dataset), array);
  return ES_RECORDING (dataset);
}

static EsResult *
save_and_load (EsResult *result, const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "result", NULL);
  g_autoptr (GFile) directory = g_file_new_for_path (path), file = g_file_get_child (directory, "result.json");
  g_autoptr (GError) error = NULL;

  g_assert_true (es_write_result (result, directory, ES_STACK_ENVI, NULL, &error));
  g_assert_no_error (error);
  EsResult *loaded = es_result_load (file, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (GError) ignored = NULL;
  g_autoptr (GFileEnumerator) list = g_file_enumerate_children (directory, "standard::name", 0, NULL, NULL);
  for (GFileInfo *info; (info = g_file_enumerator_next_file (list, NULL, NULL)) != NULL; g_object_unref (info))
    {
      g_autoptr (GFile) child = g_file_get_child (directory, g_file_info_get_name (info));
      g_file_delete (child, NULL, NULL);
    }
  g_file_delete (directory, NULL, NULL);
  return loaded;
}

static void
assert_headings (EsResult *result, const char *layer, EsNavigation *navigation)
{
  EsField *field = ES_FIELD (es_result_find_layer (result, layer));
  const EsAxis *rows = es_field_get_rows (field);
  const double *headings = es_field_get_headings (field);

  g_assert_nonnull (headings);
  g_assert_cmpuint (rows->n, >, 0);
  for (guint i = 0; i < rows->n; i++)
    {
      const double expected = es_navigation_get_heading (navigation, rows->values[i]);

      g_assert_true (isnan (expected) ? isnan (headings[i]) : headings[i] == expected);
      g_assert_cmpint (isnan (headings[i]), ==, rows->values[i] > 2);
    }
}

static void
test_reopened (void)
{
  g_autofree char *folder = g_dir_make_tmp ("es-calibration-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "sea.wav", NULL);
  g_autofree char *beside = g_strconcat (path, ".calibration.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path), sidecar = g_file_new_for_path (beside);
  g_autoptr (EsRecording) scene = make_scene (FALSE, BEARING);
  g_autoptr (EsCalibration) calibration = make_calibration (FALSE, ELEMENTS), flat = make_calibration (TRUE, ELEMENTS);
  g_autoptr (GError) error = NULL;

  write_wav (scene, path);
  g_autoptr (EsRecording) recording = open_wav (file);
  es_recording_set_calibration (recording, calibration);
  g_autoptr (EsResult) result = run ("cbf", recording, NULL, NULL);
  g_autofree char *command = es_result_to_command (result);
  g_assert_nonnull (strstr (command, " --sensitivity -182,"));
  g_assert_nonnull (strstr (command, " --gain 20,21.5,20,"));
  g_assert_nonnull (strstr (command, " --adc-range 2.5,2.5,"));

  /* What lies beside the recording by then is not what the result is of. */
  g_assert_true (es_calibration_save (flat, sidecar, &error));
  g_autoptr (EsResult) loaded = save_and_load (result, folder);
  g_autoptr (EsCalibration) again = es_recording_dup_calibration (ES_RECORDING (es_result_get_dataset (loaded)));
  g_assert_true (es_calibration_equal (again, calibration));

  /* Nor what a result that was not calibrated is of; the command says so. */
  es_recording_set_calibration (recording, NULL);
  g_autoptr (EsResult) plain = run ("cbf", recording, NULL, NULL);
  g_autofree char *plain_command = es_result_to_command (plain);
  g_assert_nonnull (strstr (plain_command, " --calibration none"));
  g_autoptr (EsResult) loaded_plain = save_and_load (plain, folder);
  g_assert_true (isnan (es_recording_get_calibration (ES_RECORDING (es_result_get_dataset (loaded_plain)))));

  /* What the recording is told after that changes neither. */
  es_recording_set_calibration (recording, flat);
  g_autofree char *later = es_result_to_command (plain), *earlier = es_result_to_command (result);
  g_assert_cmpstr (later, ==, plain_command);
  g_assert_cmpstr (earlier, ==, command);
  g_autoptr (EsResult) kept = save_and_load (result, folder);
  g_autoptr (EsCalibration) with = es_recording_dup_calibration (ES_RECORDING (es_result_get_dataset (kept)));
  g_assert_true (es_calibration_equal (with, calibration));

  /* When it began and where its array points come back as well, and the command says them. */
  g_autoptr (GDateTime) noon = es_navigation_parse_start ("2026-05-01T12:00:00.25Z", NULL);
  g_autoptr (EsNavigation) navigation = es_navigation_new (noon, NULL, (double[]) { 213.5 }, 1, NULL);
  es_recording_set_navigation (recording, navigation);
  g_autoptr (EsResult) pointed = run ("cbf", recording, NULL, NULL);
  g_autofree char *pointed_command = es_result_to_command (pointed);
  g_assert_nonnull (strstr (pointed_command, " --start 2026-05-01T12:00:00.250Z --heading 213.5"));
  g_autoptr (EsResult) loaded_pointed = save_and_load (pointed, folder);
  g_autoptr (EsNavigation) back = es_recording_dup_navigation (ES_RECORDING (es_result_get_dataset (loaded_pointed)));
  g_assert_true (es_navigation_equal (back, navigation));

  /* Fields over time say where it points at every row, and so do those that are opened again. */
  g_autoptr (EsNavigation) turning = es_navigation_new (noon, (double[]) { 0, 1 }, (double[]) { 350, 20 }, 2, NULL);
  es_recording_set_navigation (recording, turning);
  g_autoptr (EsResult) beams = run ("cbf", recording, NULL, NULL), lines = run ("lofar", recording, "element", "1");
  g_autoptr (EsResult) reopened = save_and_load (beams, folder);
  assert_headings (beams, "btr", turning);
  assert_headings (beams, "lofar", turning);
  assert_headings (lines, "lofar", turning);
  assert_headings (reopened, "btr", turning);
  es_recording_set_navigation (recording, NULL);

  /* What lies beside it needs no word. */
  g_autoptr (EsRecording) opened = open_wav (file);
  g_autoptr (EsCalibration) taken = es_recording_dup_calibration (opened);
  g_assert_true (es_calibration_equal (taken, flat));
  g_autoptr (EsResult) silent = run ("lofar", opened, "element", "1");
  g_autofree char *silent_command = es_result_to_command (silent);
  g_assert_null (strstr (silent_command, " --sensitivity"));
  g_assert_null (strstr (silent_command, " --calibration"));
  es_test_remove_folder (g_steal_pointer (&folder));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/calibration/levels/alike", GINT_TO_POINTER (TRUE), test_levels);
  g_test_add_data_func ("/calibration/levels/by-channel", GINT_TO_POINTER (FALSE), test_levels);
  g_test_add_func ("/calibration/beam-sound", test_beam_sound);
  g_test_add_func ("/calibration/partial", test_partial);
  g_test_add_func ("/calibration/reopened", test_reopened);
  return g_test_run ();
}
