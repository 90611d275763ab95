/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What levels LOFAR shows, what it and DEMON say of samples, and the propeller that DEMON finds by itself. */

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "dataset/es-dataset.h"
#include "layer/es-layer-internal.h"
#include "readers/es-open.h"
#include "simulate/es-simulate-recording.h"
#include "es-test-beams.h"

#define RATE 2000.0
#define TONE 60.0
#define ELEMENTS 16
#define SPACING 12.0            /* under half of the tone's 25 m */
#define BEARING 70.0
#define AMPLITUDE 0.4
#define SCALE 0.5

/* A tone of 60 Hz in whole turns a transform, and nothing else. */
static EsRecording *
make_tone (void)
{
  g_autoptr (EsArray) array = es_array_new_line (ELEMENTS, SPACING, 0, NULL);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, RATE, 16000, 1500);

  es_test_sonar_add_tone (sonar, es_test_place_far (array, BEARING), TONE, AMPLITUDE, 0.7);
  return es_test_sonar_record (sonar, ESK_F32, SCALE);
}

/* The part of a tone's power that a beam elsewhere hears. */
static double
pattern (double bearing)
{
  const double turn = 2 * G_PI * TONE * SPACING / 1500 * (cos (bearing * G_PI / 180) - cos (BEARING * G_PI / 180));
  double real = 0, imaginary = 0;

  for (guint k = 0; k < ELEMENTS; k++)
    {
      real += cos (k * turn) / ELEMENTS;
      imaginary += sin (k * turn) / ELEMENTS;
    }
  return real * real + imaginary * imaginary;
}

static EsResult *
run (const char *operation, EsRecording *recording, EsParams *params)
{
  g_autoptr (GError) error = NULL;
  EsResult *result = es_test_run_beams (operation, recording, "cpu", NULL, params, &error);

  g_assert_no_error (error);
  return result;
}

/* In its bin is the mean square, in the beam that points there, and next to nothing is in others. */
static void
assert_level (EsRecording *recording, EsParams *params, double expected)
{
  g_autoptr (EsResult) result = run ("lofar", recording, params);
  EsField *field = ES_FIELD (es_result_find_layer (result, "lofar"));
  const EsAxis *columns = es_field_get_columns (field);
  const guint rows = es_field_get_rows (field)->n;
  const float *powers = es_field_peek (field);

  g_assert_cmpuint (columns->n, ==, 101);
  g_assert_cmpfloat (columns->values[60], ==, TONE);
  g_assert_cmpuint (rows, >, 3);
  /* A beam fades in and out over the ends of a recording, where there is nothing before and behind. */
  for (guint i = 1; i + 1 < rows; i++)
    {
      const float *row = powers + (gsize) i * columns->n;

      g_assert_cmpfloat_with_epsilon (row[60] / expected, 1, 0.02);
      for (guint b = 0; b < columns->n; b++)
        if (b != 60)
          g_assert_cmpfloat (row[b], <, 1e-4 * AMPLITUDE * AMPLITUDE / 2 * SCALE * SCALE);
    }
}

static void
test_lofar_tone (void)
{
  static const double elsewhere[] = { 20, 50, 62, 81, 90, 101, 140 };
  g_autoptr (EsRecording) recording = make_tone ();
  const double mean_square = AMPLITUDE * AMPLITUDE / 2 * SCALE * SCALE;
  g_autoptr (EsParams) element = es_test_beam_params ("lofar", "element", "3", "transform", "2000", "band", "0:100",
                                                      "window", "rectangular", NULL);
  g_autoptr (EsParams) beam = es_test_beam_params ("lofar", "bearing", "70", "transform", "2000", "band", "0:100",
                                                   "window", "rectangular", NULL);

  assert_level (recording, element, mean_square);
  assert_level (recording, beam, mean_square);
  for (guint i = 0; i < G_N_ELEMENTS (elsewhere); i++)
    {
      g_autofree char *bearing = g_strdup_printf ("%g", elsewhere[i]);

      es_params_set_text (beam, "bearing", bearing);
      g_assert_cmpfloat (pattern (elsewhere[i]), <, 0.25);
      g_assert_cmpfloat (pattern (elsewhere[i]), >, 1e-4);
      assert_level (recording, beam, mean_square * pattern (elsewhere[i]));
    }
}

/* ---- calibrated ---- */

typedef struct
{
  EsFrameSource parent;
  EsRecording  *recording;
} Calibrated;

static gpointer
calibrated_handle_new (EsFrameSource *source, GError **error)
{
  return source;
}

static void
calibrated_handle_free (EsFrameSource *source, gpointer handle)
{
}

static gboolean
calibrated_read (EsFrameSource *source, gpointer handle, guint64 first, guint64 n, void *buffer, EskFrames *frames,
                 GError **error)
{
  EsFrameSource *from = es_recording_get_source (((Calibrated *) source)->recording);

  return from->read (from, from, first, n, buffer, frames, error);
}

static void
calibrated_free (EsFrameSource *source)
{
  g_object_unref (((Calibrated *) source)->recording);
  g_free (source);
}

static EsRecording *
calibrate (EsRecording *recording, double calibration)
{
  Calibrated *source = g_new0 (Calibrated, 1);
  EsRecordingInfo info = {
    .channels = es_recording_get_n_channels (recording), .rate = es_recording_get_rate (recording),
    .frames = es_recording_get_frames (recording), .type = es_recording_get_type_code (recording),
    .scale = es_recording_get_scale (recording), .calibration = calibration,
    .array = es_recording_get_array (recording), .source = &source->parent,
  };
  g_autoptr (GError) error = NULL;

  source->parent = (EsFrameSource) {
    .handle_new = calibrated_handle_new, .handle_free = calibrated_handle_free, .read = calibrated_read,
    .free = calibrated_free,
  };
  source->recording = g_object_ref (recording);
  EsRecording *calibrated = es_recording_new (NULL, &info, &error);
  g_assert_no_error (error);
  return calibrated;
}

/* Levels are of micropascals where it is known how many full scale is, and say so. */
static void
test_lofar_calibrated (void)
{
  static const char *const beams[] = { "", "70" };
  g_autoptr (EsRecording) plain = make_tone ();
  g_autoptr (EsRecording) recording = calibrate (plain, 2e6);
  const double level = 10 * log10 (AMPLITUDE * AMPLITUDE / 2 * SCALE * SCALE * 2e6 * 2e6);

  for (guint i = 0; i < G_N_ELEMENTS (beams); i++)
    {
      g_autoptr (EsParams) params = es_test_beam_params ("lofar", "transform", "2000", "window", "rectangular", NULL);
      es_params_set_text (params, "bearing", beams[i]);
      g_autoptr (EsResult) result = run ("lofar", recording, params);
      EsField *field = ES_FIELD (es_result_find_layer (result, "lofar"));
      const guint middle = es_field_get_rows (field)->n / 2;
      const float *row = es_field_peek (field) + (gsize) middle * es_field_get_columns (field)->n;

      g_assert_cmpfloat_with_epsilon (10 * log10 (row[60]), level, 0.087);
      g_assert_cmpstr (es_field_get_reference (field), ==, "1 µPa");
      g_assert_cmpstr (json_object_get_string_member (es_result_get_values (result), "level_reference"), ==, "1 µPa");
      g_autoptr (EsResult) uncalibrated = run ("lofar", plain, params);
      g_assert_cmpstr (es_field_get_reference (ES_FIELD (es_result_find_layer (uncalibrated, "lofar"))), ==,
                       "full scale");
    }
}

/* ---- samples ---- */

static gboolean
warns (EsResult *result, const char *what)
{
  const char *const *warnings = es_result_get_warnings (result);

  for (guint i = 0; warnings != NULL && warnings[i] != NULL; i++)
    if (strstr (warnings[i], what) != NULL)
      return TRUE;
  return FALSE;
}

/* What is wrong with an element's samples is said of that element, and of no other. */
static void
test_samples (gconstpointer operation)
{
  const guint channels = 4;
  const gsize frames = 24000;
  float *samples = g_new (float, frames * channels);
  g_autoptr (GError) error = NULL;
  guint64 state = 9;

  for (gsize i = 0; i < frames; i++)
    for (guint k = 0; k < channels; k++)
      {
        const double value = 0.1 * es_test_normal (&state);
        samples[i * channels + k] = (float) (k == 2 ? CLAMP (40 * value, -1, 1) : k == 3 ? 0 : value);
      }
  samples[777 * channels + 1] = NAN;
  samples[1777 * channels + 1] = INFINITY;
  g_autoptr (EsRecording) recording = es_recording_new_in_memory (samples, ESK_F32, channels, RATE, frames, FALSE,
                                                                  samples, g_free, &error);
  g_assert_no_error (error);

  for (guint k = 0; k < channels; k++)
    {
      g_autoptr (EsParams) params = es_test_beam_params (operation, NULL);
      es_params_set_value (params, "element", k + 1);
      g_autoptr (EsResult) result = run (operation, recording, params);
      EsField *field = ES_FIELD (es_result_find_layer (result, operation));
      const gsize n = (gsize) es_field_get_rows (field)->n * es_field_get_columns (field)->n;

      g_assert_cmpint (warns (result, "1 element has samples that are no numbers, which count as 0: 2."), ==, k == 1);
      g_assert_cmpint (warns (result, "1 element is clipped: 3."), ==, k == 2);
      g_assert_cmpint (warns (result, "1 element is silent: 4."), ==, k == 3);
      for (gsize i = 0; i < n; i++)
        g_assert_true (isfinite (es_field_peek (field)[i]));
    }

  /* And of a beam, of those that it is made of. */
  g_autoptr (EsArray) array = es_array_new_line (channels, 1, 0, NULL);
  g_autoptr (EsParams) params = es_test_beam_params (operation, "bearing", "80", NULL);
  es_recording_set_array (recording, array);
  g_autoptr (EsResult) result = run (operation, recording, params);
  g_assert_true (warns (result, "1 element has samples that are no numbers, which count as 0: 2."));
  g_assert_true (warns (result, "1 element is clipped: 3."));
  g_assert_true (warns (result, "1 element is silent: 4."));
  g_assert_false (warns (result, "120 dB"));
  samples[2777 * channels] = 3e38f;
  g_autoptr (EsResult) drowned = run (operation, recording, params);
  g_assert_true (warns (drowned, "1 element has samples over 120 dB above the others', which drown everything: 1."));
}

/* LOFAR's transforms have an even number of samples, and one is not taken for another. */
static void
test_transform_refused (void)
{
  g_autoptr (EsRecording) recording = make_tone ();

  for (guint length = 1; length <= 5; length += 2)
    {
      g_autoptr (EsParams) params = es_test_beam_params ("lofar", NULL);
      g_autoptr (GError) error = NULL;
      g_autofree char *said = g_strdup_printf ("A transform cannot be %u long", length);

      es_params_set_value (params, "transform", length);
      g_assert_null (es_test_run_beams ("lofar", recording, "cpu", NULL, params, &error));
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
      g_assert_nonnull (strstr (error->message, said));
    }
}

/* ---- the carrier band that is chosen ---- */

/* The scene of the documentation: a propeller with its noise low down, crossing; other noise and a machine. */
static void
test_demon_chooses (void)
{
  g_autofree char *folder = g_dir_make_tmp ("es-levels-XXXXXX", NULL);
  g_autoptr (EsParams) scene = es_params_new (es_simulate_recording_params);
  static const char *const settings[][2] = {
    { "array", "line:64,1.5" }, { "rate", "8000" }, { "seconds", "15" }, { "ambient", "-18" },
    { "sources", "propeller,48,0,100:480,shaft=2.5,blades=4,rate=24;noise,123,-4,300:480,range=200;"
                 "tone,97,-12,50,harmonics=8" },
  };
  static const char *const bearings[] = { "51", "" };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      es_params_parse (scene, settings[i][0], settings[i][1], &error);
      g_assert_no_error (error);
    }
  g_autoptr (GFile) file = g_file_new_build_filename (folder, "sea.wav", NULL);
  g_assert_true (es_simulate_recording (file, scene, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  g_autoptr (EsDataset) recording = es_dataset_open (file, NULL, NULL, &error);
  g_assert_no_error (error);

  for (guint i = 0; i < G_N_ELEMENTS (bearings); i++)
    {
      g_autoptr (EsParams) params = es_test_beam_params ("demon", NULL);
      es_params_set_text (params, "bearing", bearings[i]);
      g_autoptr (EsResult) result = run ("demon", ES_RECORDING (recording), params);

      g_assert_cmpfloat_with_epsilon (es_test_value (result, "fundamental_hz"), 2.5, 0.02);
      g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "strongest_harmonic"), ==, 4);
      g_assert_cmpfloat_with_epsilon (es_test_value (result, "carrier_low_hz"), 100, 1e-9);
      /* Elements 1.5 m apart are half a wavelength apart at 500 Hz. */
      g_assert_cmpfloat_with_epsilon (es_test_value (result, "carrier_high_hz"), *bearings[i] != '\0' ? 500 : 3600,
                                      1e-9);
    }
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_unlink (path);
    }
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/line-levels/lofar/tone", test_lofar_tone);
  g_test_add_func ("/line-levels/lofar/calibrated", test_lofar_calibrated);
  g_test_add_data_func ("/line-levels/lofar/samples", "lofar", test_samples);
  g_test_add_data_func ("/line-levels/demon/samples", "demon", test_samples);
  g_test_add_func ("/line-levels/lofar/transform-refused", test_transform_refused);
  g_test_add_func ("/line-levels/demon/chooses", test_demon_chooses);
  return g_test_run ();
}
