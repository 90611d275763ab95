/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-sonar.h"

#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "job/es-job-internal.h"
#include "layer/es-layer-internal.h"
#include "signal/es-line-spectrum.h"
#include "operations/es-operations.h"
#include "writers/es-write-field-private.h"

/* ---- spectra of samples ---- */

static double
sum_of (const float *powers, guint from, guint to)
{
  double sum = 0;

  for (guint i = from; i < to; i++)
    sum += powers[i];
  return sum;
}

static void
test_power_spectrum (void)
{
  const guint n = 20000, length = 1024;
  g_autofree float *samples = g_new (float, n), *out = g_new (float, length / 2 + 1);
  double mean_square = 0;
  guint64 state = 3;

  for (guint i = 0; i < n; i++)
    {
      samples[i] = (float) (sin (2 * G_PI * 0.125 * i + 1) + 0.01 * es_test_normal (&state));
      mean_square += samples[i] * samples[i] / n;
    }
  for (guint window = 0; window < ES_N_WINDOWS; window++)
    {
      g_assert_true (es_power_spectrum (samples, n, length, window, 0.5, out));
      g_assert_cmpfloat_with_epsilon (sum_of (out, 0, length / 2 + 1), mean_square, 0.002);
      /* Bin 128: nearly all of it within three bins. */
      g_assert_cmpfloat_with_epsilon (sum_of (out, 126, 131), 0.5, 0.002);
    }
  /* Rectangular, and whole turns: one bin. */
  g_assert_true (es_power_spectrum (samples, n, length, ES_WINDOW_RECTANGULAR, 0, out));
  g_assert_cmpfloat_with_epsilon (out[128], 0.5, 1e-3);
  /* A short line, filled up; a constant; numbers that are none. */
  g_assert_true (es_power_spectrum (samples, 300, length, ES_WINDOW_HANN, 0.5, out));
  g_assert_cmpfloat_with_epsilon (sum_of (out, 100, 156), 0.5, 0.02);
  for (guint i = 0; i < n; i++)
    samples[i] = 3;
  g_assert_true (es_power_spectrum (samples, n, length, ES_WINDOW_RECTANGULAR, 0.9, out));
  g_assert_cmpfloat_with_epsilon (out[0], 9, 1e-3);
  samples[77] = NAN;
  samples[78] = INFINITY;
  g_assert_true (es_power_spectrum (samples, n, length, ES_WINDOW_RECTANGULAR, 0, out));
  g_assert_true (isfinite (out[0]) && isfinite (out[100]));
  g_assert_false (es_power_spectrum (samples, 0, length, ES_WINDOW_HANN, 0, out));
  g_assert_false (es_power_spectrum (samples, n, 0, ES_WINDOW_HANN, 0, out));
  g_assert_false (es_power_spectrum (samples, n, 7, ES_WINDOW_HANN, 0, out));
}

/* Noise whose power beats as 1 + m cos: a line of m^2 / 2, whatever the level, and nothing from outside the band. */
static void
test_demon_spectrum (void)
{
  const guint n = 64000;
  const double rate = 8000, m = 0.8, beat = 7.25;
  g_autofree float *samples = g_new (float, n);
  g_autofree float *out = NULL, *none = NULL, *silence = NULL;
  g_autoptr (GError) error = NULL;
  guint64 state = 11;
  double step;
  guint count;

  /* A carrier of one frequency has no noise of its own. */
  for (guint i = 0; i < n; i++)
    samples[i] = (float) (300 * sqrt (1 + m * cos (2 * G_PI * beat * i / rate)) * sin (2 * G_PI * 2000 * i / rate)
                          + 2000 * sin (2 * G_PI * 400 * i / rate) * (1 + sin (2 * G_PI * 3 * i / rate)));
  g_assert_true (es_demon_spectrum (samples, n, rate, 1500, 2500, 40, &out, &count, &step, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (step, ==, 0.125);
  g_assert_cmpuint (count, ==, 321);
  g_assert_cmpuint (es_demon_count_bins (n, rate, 40), ==, 321);
  g_assert_cmpuint (es_demon_count_bins (n, rate, rate), ==, n / 2 + 1);
  g_assert_cmpfloat_with_epsilon (sum_of (out, 56, 61), m * m / 2, 0.005);
  g_assert_cmpfloat (out[58], >, out[57]);
  g_assert_cmpfloat (sum_of (out, 0, 55) + sum_of (out, 62, 321), <, 1e-3);

  /* In noise. */
  for (guint i = 0; i < n; i++)
    samples[i] = (float) (sqrt (1 + m * cos (2 * G_PI * beat * i / rate)) * es_test_normal (&state));
  samples[5] = NAN;
  g_assert_true (es_demon_spectrum (samples, n, rate, 1000, 3500, 40, &none, &count, &step, NULL, &error));
  g_assert_cmpfloat_with_epsilon (sum_of (none, 56, 61), m * m / 2, 0.05);
  memset (samples, 0, n * sizeof *samples);
  g_assert_true (es_demon_spectrum (samples, n, rate, 1000, 3500, 40, &silence, &count, &step, NULL, &error));
  g_assert_cmpfloat (sum_of (silence, 0, count), ==, 0);
}

static void
test_demon_refused (void)
{
  static const double bad[][4] = { { 8000, 3000, 4500, 40 }, { 8000, 3000, 2000, 40 }, { 8000, -1, 2000, 40 },
                                   { 8000, 1000, 1020, 40 }, { 8000, 1000, 2000, 0 }, { 8000, NAN, 2000, 40 } };
  float samples[100] = { 0 }, *out = NULL;
  g_autoptr (GError) few = NULL;
  double step;
  guint n;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_false (es_demon_spectrum (samples, 100, bad[i][0], bad[i][1], bad[i][2], bad[i][3], &out, &n, &step,
                                         NULL, &error));
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
    }
  g_assert_false (es_demon_spectrum (samples, 15, 8000, 1000, 2000, 40, &out, &n, &step, NULL, &few));
  g_assert_error (few, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
}

/* ---- operations ---- */

static EsResult *
run (const char *id, EsRecording *recording, const char *const *settings, GError **error)
{
  const EsOperation *operation = es_operation_find (id, NULL);
  g_autoptr (EsParams) params = es_params_new (operation->params);
  g_autoptr (EsJob) job = NULL;

  for (guint i = 0; settings[i] != NULL; i += 2)
    if (!es_params_parse (params, settings[i], settings[i + 1], error))
      return NULL;
  job = es_job_new (operation, ES_DATASET (recording), params, es_device_get_cpu (), NULL, NULL);
  return es_job_run (job, error);
}

static guint
count_lines (EsResult *result)
{
  return json_array_get_length (json_object_get_array_member (es_result_get_values (result), "lines"));
}

static double
get_line (EsResult *result, guint i, const char *member)
{
  JsonArray *lines = json_object_get_array_member (es_result_get_values (result), "lines");

  g_assert_cmpuint (json_array_get_length (lines), >, i);
  return json_object_get_double_member (json_array_get_object_element (lines, i), member);
}

/* How strong the line next to a frequency is over the background; 0: there is none. */
static double
find_line (EsResult *result, double frequency, double tolerance)
{
  for (guint i = 0; i < count_lines (result); i++)
    if (fabs (get_line (result, i, "frequency_hz") - frequency) <= tolerance)
      return get_line (result, i, "excess_db");
  return 0;
}

/* 16 elements; a tone ahead and one abeam, in noise of the elements' own. */
static EsRecording *
make_tones (void)
{
  g_autoptr (EsArray) array = es_array_new_line (16, 3, 0, NULL);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 2000, 20000, 1500);

  es_test_sonar_add_tone (sonar, es_test_place_far (array, 40), 180.3, 1, 0.3);
  es_test_sonar_add_tone (sonar, es_test_place_far (array, 100), 215, 0.5, 1);
  es_test_sonar_add_white (sonar, 4, 8);
  return es_test_sonar_record (sonar, ESK_F32, 0.0625);
}

static void
test_lofar_element (gconstpointer normaliser)
{
  g_autoptr (EsRecording) recording = make_tones ();
  const char *const settings[] = { "element", "5", "band", "100:400", "transform", "2000", "average", "2",
                                   "normaliser", normaliser, "levels", "bin", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) result = run ("lofar", recording, settings, &error);

  g_assert_no_error (error);
  g_assert_cmpfloat (find_line (result, 180.3, 0.3), >, 10);
  g_assert_cmpfloat (find_line (result, 215, 0.3), >, 6);
  g_assert_cmpfloat_with_epsilon (get_line (result, 0, "frequency_hz"), 180.3, 0.2);

  EsField *field = ES_FIELD (es_result_find_layer (result, "lofar"));
  g_assert_cmpint (es_layer_get_kind (ES_LAYER (field)), ==, ES_LAYER_WATERFALL);
  g_assert_cmpstr (es_field_get_role (field), ==, "lofar");
  g_assert_cmpuint (es_field_get_columns (field)->n, ==, 301);
  g_assert_cmpfloat (es_field_get_columns (field)->values[0], ==, 100);
  /* Two transforms of a second, half overlapping, make a row; rows begin where the last one's second half ends. */
  g_assert_cmpuint (es_field_get_rows (field)->n, ==, 9);
  g_assert_cmpfloat (es_field_get_rows (field)->values[0], ==, 0.75);
  g_assert_cmpfloat (es_field_get_rows (field)->values[1], ==, 1.75);
  const float *row = es_field_peek (field) + 3 * 301;
  double background = 0;
  for (guint i = 150; i < 300; i++)
    background += row[i] / 150;
  if (strcmp (normaliser, "none") == 0)
    {
      /* White noise of mean square 4 / 256 in 1000 bins. */
      g_assert_cmpfloat_with_epsilon (background * 256 * 1000 / 4, 1, 0.2);
      g_assert_cmpfloat_with_epsilon (sum_of (row, 77, 84) * 256, 0.5, 0.15);
      g_assert_cmpstr (es_field_get_reference (field), ==, "full scale² a bin");
    }
  else
    g_assert_cmpfloat_with_epsilon (background, 1, 0.5);
  EsCurve *curve = ES_CURVE (es_result_find_layer (result, "spectrum"));
  g_assert_cmpuint (es_curve_get_n_series (curve), ==, 2);
  g_assert_cmpuint (es_curve_get_length (curve), ==, 301);
}

/* A beam hears its own tone 12 dB better, and the other hardly. */
static void
test_lofar_beam (void)
{
  g_autoptr (EsRecording) recording = make_tones ();
  const char *const ahead[] = { "bearing", "40", "band", "100:300", "transform", "2000", NULL };
  const char *const abeam[] = { "bearing", "100", "band", "100:300", "transform", "2000", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) first = run ("lofar", recording, ahead, &error);
  g_autoptr (EsResult) second = run ("lofar", recording, abeam, &error);

  g_assert_no_error (error);
  g_assert_cmpfloat (find_line (first, 180.3, 0.3), >, 20);
  g_assert_cmpfloat (find_line (second, 215, 0.3), >, 15);
  g_assert_cmpfloat (find_line (first, 215, 0.3), <, find_line (second, 215, 0.3) - 8);
  g_assert_cmpfloat (find_line (second, 180.3, 0.3), <, find_line (first, 180.3, 0.3) - 8);
  /* A unit tone, recorded as a sixteenth. */
  g_assert_cmpfloat_with_epsilon (get_line (first, 0, "level_db"), -3.01 - 24.08, 0.1);
}

static void
test_lofar_refused (void)
{
  static const char *const bad[][5] = {
    { "element", "17", NULL }, { "band", "100:1500", NULL }, { "band", "100.2:100.3", NULL }, { "from", "99", NULL },
    { "transform", "40000", NULL }, { "average", "500", NULL }, { "bearing", "north", NULL },
  };
  g_autoptr (EsRecording) recording = make_tones ();
  const char *const bearing[] = { "bearing", "60", NULL }, *const element[] = { "element", "3", NULL };
  g_autoptr (GError) no_array = NULL, none = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (run ("lofar", recording, bad[i], &error));
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
    }
  es_recording_set_array (recording, NULL);
  g_assert_null (run ("lofar", recording, bearing, &no_array));
  g_assert_error (no_array, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_autoptr (EsResult) result = run ("lofar", recording, element, &none);
  g_assert_no_error (none);
}

/* A propeller of two turns a second and five blades under noise: shaft, blades and their harmonics are lines, in the
 * beam that points at it. */
static EsRecording *
make_propeller (void)
{
  g_autoptr (EsArray) array = es_array_new_line (8, 1, 0, NULL);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 4000, 120000, 1500);
  const EsTestPlace place = es_test_place_far (array, 60);
  g_autoptr (EsTestSonar) noise = es_test_sonar_new (array, 4000, 120000, 1500);

  /* The beat is slow against the array's transit time of 5 ms. */
  es_test_sonar_add_noise (noise, place, 500, 1500, 1, 21);
  for (gsize i = 0; i < noise->frames; i++)
    {
      const double turn = 2 * G_PI * 2.1 * i / 4000;
      const double beat = sqrt (1 + 0.25 * cos (turn) + 0.5 * cos (5 * turn) + 0.2 * cos (10 * turn));

      for (guint k = 0; k < noise->channels; k++)
        sonar->samples[i * noise->channels + k] = beat * noise->samples[i * noise->channels + k];
    }
  es_test_sonar_add_white (sonar, 2, 8);
  return es_test_sonar_record (sonar, ESK_I16, 0.0625);
}

static void
test_demon (void)
{
  g_autoptr (EsRecording) recording = make_propeller ();
  const char *const settings[] = { "bearing", "60", "carrier", "500:1500", "max-frequency", "30", NULL };
  const char *const away[] = { "bearing", "150", "carrier", "500:1500", "max-frequency", "30", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) result = run ("demon", recording, settings, &error);
  g_autoptr (EsResult) other = run ("demon", recording, away, &error);

  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (get_line (result, 0, "frequency_hz"), 10.5, 0.05);
  g_assert_cmpfloat (find_line (result, 2.1, 0.06), >, 10);
  g_assert_cmpfloat (find_line (result, 10.5, 0.06), >, 15);
  g_assert_cmpfloat (find_line (result, 21, 0.06), >, 8);
  JsonObject *values = es_result_get_values (result);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (values, "fundamental_hz"), 2.1, 0.01);
  g_assert_cmpint (json_object_get_int_member (values, "strongest_harmonic"), ==, 5);
  g_assert_cmpfloat (find_line (other, 10.5, 0.06), <, find_line (result, 10.5, 0.06) - 6);

  EsField *field = ES_FIELD (es_result_find_layer (result, "demon"));
  g_assert_cmpint (es_layer_get_kind (ES_LAYER (field)), ==, ES_LAYER_WATERFALL);
  g_assert_cmpstr (es_field_get_role (field), ==, "demon");
  g_assert_cmpuint (es_field_get_columns (field)->n, ==, 301);
  /* 10 s of 30 s, a quarter of that on each time. */
  g_assert_cmpuint (es_field_get_rows (field)->n, ==, 9);
  g_assert_cmpfloat (es_field_get_rows (field)->values[0], ==, 5);
  g_assert_cmpfloat (es_field_get_rows (field)->values[1], ==, 7.5);
  /* Its picture says which noise was listened to. */
  g_autofree char *caption = es_field_caption (field, FALSE);
  g_assert_nonnull (strstr (caption, " · carrier band 500–1500 Hz"));
}

static void
test_demon_silent_and_cancelled (void)
{
  const gsize frames = 40000;
  gint16 *samples = g_new0 (gint16, frames);
  const EsOperation *operation = es_operation_find ("demon", NULL);
  g_autoptr (EsParams) params = es_params_new (operation->params);
  const char *const nothing[] = { NULL }, *const narrow[] = { "carrier", "500:520", NULL };
  g_autoptr (GError) error = NULL, cancelled = NULL, wrong = NULL;
  g_autoptr (EsRecording) recording = es_recording_new_in_memory (samples, ESK_I16, 1, 4000, frames, FALSE, samples,
                                                                  g_free, &error);
  g_autoptr (EsResult) silent = run ("demon", recording, nothing, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (count_lines (silent), ==, 0);
  g_assert_true (json_object_get_null_member (es_result_get_values (silent), "fundamental_hz"));
  g_assert_null (run ("demon", recording, narrow, &wrong));
  g_assert_error (wrong, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);

  g_autoptr (EsJob) job = es_job_new (operation, ES_DATASET (recording), params, es_device_get_cpu (), NULL, NULL);
  es_job_cancel (job);
  g_assert_null (es_job_run (job, &cancelled));
  g_assert_error (cancelled, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lines/power-spectrum", test_power_spectrum);
  g_test_add_func ("/lines/demon-spectrum", test_demon_spectrum);
  g_test_add_func ("/lines/demon-refused", test_demon_refused);
  g_test_add_data_func ("/lines/lofar/element/none", "none", test_lofar_element);
  g_test_add_data_func ("/lines/lofar/element/split-window", "split-window", test_lofar_element);
  g_test_add_data_func ("/lines/lofar/element/order-truncate", "order-truncate", test_lofar_element);
  g_test_add_func ("/lines/lofar/beam", test_lofar_beam);
  g_test_add_func ("/lines/lofar/refused", test_lofar_refused);
  g_test_add_func ("/lines/demon/propeller", test_demon);
  g_test_add_func ("/lines/demon/silent-and-cancelled", test_demon_silent_and_cancelled);
  return g_test_run ();
}
