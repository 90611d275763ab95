/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-sonar.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/es-error.h"
#include "job/es-job-internal.h"
#include "layer/es-layer-internal.h"
#include "readers/es-open.h"
#include "operations/es-operations.h"

/* Six elements in a volume, as real ones are arranged. */
static const EsElement six[] = {
  { -0.858, -0.86, -0.671, 0, 1, FALSE, NULL }, { -0.858, -0.86, 0.479, 1, 1, FALSE, NULL },
  { 0.858, -0.86, -0.671, 2, 1, FALSE, NULL }, { 0.028, 0, -0.002, 3, 1, FALSE, NULL },
  { -0.858, 0.86, -0.671, 4, 1, FALSE, NULL }, { 0.858, 0.86, 0.671, 5, 1, FALSE, NULL },
};

static EsArray *
make_array (double offset)
{
  EsElement elements[G_N_ELEMENTS (six)];
  g_autoptr (GError) error = NULL;
  EsArray *array;

  memcpy (elements, six, sizeof six);
  for (guint i = 0; i < G_N_ELEMENTS (six); i++)
    elements[i].x += offset;
  array = es_array_new (elements, G_N_ELEMENTS (six), &error);
  g_assert_no_error (error);
  return array;
}

static EsResult *
run (EsRecording *recording, EsDevice *device, const char *const *settings, GError **error)
{
  const EsOperation *operation = es_operation_find ("localize", NULL);
  g_autoptr (EsParams) params = es_params_new (operation->params);
  g_autoptr (EsJob) job = NULL;

  for (guint i = 0; settings[i] != NULL; i += 2)
    if (!es_params_parse (params, settings[i], settings[i + 1], error))
      return NULL;
  job = es_job_new (operation, ES_DATASET (recording), params, device, NULL, NULL);
  return es_job_run (job, error);
}

static JsonObject *
get_peak (EsResult *result, guint i)
{
  JsonArray *peaks = json_object_get_array_member (es_result_get_values (result), "peaks");

  g_assert_cmpuint (json_array_get_length (peaks), >, i);
  return json_array_get_object_element (peaks, i);
}

/* Noise at a point close by, under noise of the elements' own; the frame of the array need not be about an element. */
static EsRecording *
make_point (double offset, double x, double y, double z)
{
  g_autoptr (EsArray) array = make_array (offset);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 16000, 4096, 1484);
  double origin[3];

  es_array_get_origin_place (array, origin);
  es_test_sonar_add_noise (sonar, es_test_place_point (x - origin[0], y - origin[1], z - origin[2]), 100, 900, 1, 5);
  es_test_sonar_add_white (sonar, 0.1, 6);
  return es_test_sonar_record (sonar, ESK_F32, 1);
}

static void
test_point (gconstpointer data)
{
  static const double offsets[] = { 0, 17.25 };
  static const char *const whitenings[] = { "none", "elements", "phase" };
  EsDevice *device = data != NULL ? es_device_find (data, NULL) : es_device_get_cpu ();

  g_assert_nonnull (device);
  for (guint i = 0; i < G_N_ELEMENTS (offsets); i++)
    for (guint k = 0; k < G_N_ELEMENTS (whitenings); k++)
      {
        g_autoptr (EsRecording) recording = make_point (offsets[i], offsets[i] - 0.83, 0.41, -1.07);
        g_autofree char *x = g_strdup_printf ("%g:%g:0.1", offsets[i] - 2, offsets[i] + 2);
        const char *const settings[] = { "x", x, "y", "-2:2:0.1", "z", "-2:2:0.1", "band", "100:900",
                                         "sound-speed", "1484", "whitening", whitenings[k], NULL };
        g_autoptr (GError) error = NULL;
        g_autoptr (EsResult) result = run (recording, device, settings, &error);

        g_assert_no_error (error);
        JsonObject *peak = get_peak (result, 0);
        g_assert_cmpfloat_with_epsilon (json_object_get_double_member (peak, "x_m"), offsets[i] - 0.83, 0.03);
        g_assert_cmpfloat_with_epsilon (json_object_get_double_member (peak, "y_m"), 0.41, 0.03);
        g_assert_cmpfloat_with_epsilon (json_object_get_double_member (peak, "z_m"), -1.07, 0.03);
        g_assert_false (json_object_get_boolean_member (peak, "at_edge"));
        /* Unit power heard by all of them; a quarter of a second of noise has it within a decibel. */
        if (k == 0)
          g_assert_cmpfloat_with_epsilon (json_object_get_double_member (peak, "level_db"), 0, 1);

        /* The projections have their largest where the peak is. */
        EsField *field = ES_FIELD (es_result_find_layer (result, "volume-xz"));
        const EsAxis *rows = es_field_get_rows (field), *columns = es_field_get_columns (field);
        const float *powers = es_field_peek (field);
        guint best = 0;
        g_assert_cmpuint (rows->n, ==, 41);
        g_assert_cmpuint (columns->n, ==, 41);
        for (guint p = 0; p < rows->n * columns->n; p++)
          best = powers[p] > powers[best] ? p : best;
        g_assert_cmpfloat_with_epsilon (columns->values[best % columns->n], offsets[i] - 0.83, 0.101);
        g_assert_cmpfloat_with_epsilon (rows->values[best / columns->n], -1.07, 0.101);
        g_assert_nonnull (es_result_find_layer (result, "volume-xy"));
        g_assert_nonnull (es_result_find_layer (result, "volume-yz"));
        g_assert_cmpstr (es_field_get_role (field), ==, "volume");
      }
}

/* Two sources far away, at the seam of the azimuths and high above; more snapshots than one. */
static void
test_directions (gconstpointer data)
{
  g_autoptr (EsArray) array = make_array (0);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 8000, 24000, 1500);
  const char *const settings[] = { "band", "400:3000", "sound-speed", "1500", "azimuth", "-180:177:3", "elevation",
                                   "-90:90:3", "block", "250ms", NULL };
  EsDevice *device = data != NULL ? es_device_find (data, NULL) : es_device_get_cpu ();
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (device);
  es_test_sonar_add_noise (sonar, es_test_place_direction (179.4, -20), 400, 3000, 1, 5);
  es_test_sonar_add_noise (sonar, es_test_place_direction (50, 60), 400, 3000, 0.5, 9);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 0.125);
  g_autoptr (EsResult) result = run (recording, device, settings, &error);
  g_assert_no_error (error);
  JsonObject *first = get_peak (result, 0), *second = get_peak (result, 1);
  g_assert_cmpfloat (cos ((json_object_get_double_member (first, "azimuth_deg") - 179.4) * G_PI / 180), >,
                     cos (1 * G_PI / 180));
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (first, "elevation_deg"), -20, 1);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (second, "azimuth_deg"), 50, 2);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (second, "elevation_deg"), 60, 1);
  g_assert_cmpfloat (json_object_get_double_member (first, "margin_db"), >, 0.5);
  g_assert_true (json_object_get_null_member (first, "range_m"));
  g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "snapshots"), ==, 23);

  EsField *field = ES_FIELD (es_result_find_layer (result, "volume"));
  g_assert_cmpuint (es_field_get_rows (field)->n, ==, 61);
  g_assert_cmpuint (es_field_get_columns (field)->n, ==, 120);
}

/* An offset of the hydrophones, missing samples, a dead element: the place is the same. */
static void
test_dirty (void)
{
  g_autoptr (EsRecording) clean = make_point (0, 0.6, -0.35, 0.9);
  g_autoptr (EsArray) array = es_recording_get_array (clean), lame = es_array_with_dead (array, 4, TRUE);
  const gsize frames = es_recording_get_frames (clean);
  const char *const settings[] = { "x", "-2:2:0.1", "y", "-2:2:0.1", "z", "-2:2:0.1", "band", "100:900", "sound-speed",
                                   "1484", NULL };
  g_autoptr (GError) error = NULL;
  float *samples = g_new (float, frames * 6);

  g_assert_true (es_recording_read (clean, 0, frames, 0, 6, samples, &error));
  for (gsize i = 0; i < frames; i++)
    {
      for (guint k = 0; k < 6; k++)
        samples[i * 6 + k] += 50.0f * (k + 1);
      samples[i * 6 + 4] = 1000 * sinf (0.1f * i);
    }
  g_autoptr (EsRecording) dirty = es_recording_new_in_memory (samples, ESK_F32, 6, 16000, frames, FALSE, samples,
                                                              g_free, &error);
  g_assert_no_error (error);
  es_recording_set_array (dirty, lame);
  g_autoptr (EsResult) result = run (dirty, es_device_get_cpu (), settings, &error);
  g_assert_no_error (error);
  JsonObject *peak = get_peak (result, 0);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (peak, "x_m"), 0.6, 0.06);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (peak, "y_m"), -0.35, 0.06);
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (peak, "z_m"), 0.9, 0.06);
  g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "elements"), ==, 5);
}

static void
test_edge_and_plane (void)
{
  g_autoptr (EsRecording) recording = make_point (0, -0.83, 0.41, -1.07);
  const char *const outside[] = { "x", "0:1:0.1", "y", "-1:1:0.1", "z", "-1.07", "band", "100:900", NULL };
  const char *const point[] = { "x", "-0.83", "y", "0.41", "z", "-1.07", "band", "100:900", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) edge = run (recording, es_device_get_cpu (), outside, &error);
  g_autoptr (EsResult) single = run (recording, es_device_get_cpu (), point, &error);

  g_assert_no_error (error);
  g_assert_true (json_object_get_boolean_member (get_peak (edge, 0), "at_edge"));
  g_assert_nonnull (es_result_get_warnings (edge));
  g_assert_nonnull (es_result_find_layer (edge, "volume-xy"));
  g_assert_null (es_result_find_layer (edge, "volume-xz"));
  g_assert_null (es_result_find_layer (edge, "volume-yz"));
  g_assert_nonnull (es_result_find_layer (single, "volume-xy"));
  g_assert_cmpfloat (json_object_get_double_member (get_peak (single, 0), "x_m"), ==, -0.83);
}

static void
test_refused (void)
{
  static const char *const bad[][5] = {
    { "x", "0:1:0.1", NULL }, { "x", "0:1", NULL }, { "x", "1:0:0.1", "y", "0", NULL }, { "azimuth", "0:400:1", NULL },
    { "elevation", "-100:0:1", NULL }, { "band", "100:9000", NULL }, { "band", "100:100.2", NULL },
    { "from", "5", NULL }, { "from", "0.1", "to", "0.1", NULL }, { "azimuth", "nonsense", NULL },
    { "azimuth", "0:359:0.0001", NULL },
  };
  g_autoptr (EsRecording) recording = make_point (0, 1, 1, 1);
  g_autoptr (GError) no_array = NULL;
  const char *const nothing[] = { NULL };
  const char *const huge[] = { "x", "0:9999:1", "y", "0:9999:1", "z", "0:9999:1", NULL };
  g_autoptr (GError) too_large = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (run (recording, es_device_get_cpu (), bad[i], &error));
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
    }
  g_assert_null (run (recording, es_device_get_cpu (), huge, &too_large));
  g_assert_error (too_large, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  es_recording_set_array (recording, NULL);
  g_assert_null (run (recording, es_device_get_cpu (), nothing, &no_array));
  g_assert_error (no_array, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
}

/* The same bytes whatever the number of threads; silence is no source. */
static void
test_same_and_silent (void)
{
  g_autoptr (EsRecording) recording = make_point (0, 0.6, -0.35, 0.9);
  const EsOperation *operation = es_operation_find ("localize", NULL);
  const char *const settings[] = { "x", "-2:2:0.2", "y", "-2:2:0.2", "z", "-2:2:0.2", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) first = run (recording, es_device_get_cpu (), settings, &error);
  g_autoptr (EsParams) params = es_params_copy (es_result_get_params (first));
  const EsLimits limits = { .threads = 1 };
  g_autoptr (EsJob) job = es_job_new (operation, ES_DATASET (recording), params, es_device_get_cpu (), &limits, NULL);
  g_autoptr (EsResult) second = es_job_run (job, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (es_field_peek (ES_FIELD (es_result_find_layer (first, "volume-xy"))), 21 * 21 * sizeof (float),
                   es_field_peek (ES_FIELD (es_result_find_layer (second, "volume-xy"))), 21 * 21 * sizeof (float));

  g_autoptr (EsArray) array = make_array (0);
  float *silence = g_new0 (float, 4000 * 6);
  g_autoptr (EsRecording) silent = es_recording_new_in_memory (silence, ESK_F32, 6, 4000, 4000, FALSE, silence, g_free,
                                                               &error);
  es_recording_set_array (silent, array);
  g_autoptr (EsResult) nothing = run (silent, es_device_get_cpu (), settings, &error);
  g_assert_no_error (error);
  JsonArray *peaks = json_object_get_array_member (es_result_get_values (nothing), "peaks");
  g_assert_cmpuint (json_array_get_length (peaks), ==, 0);
  g_assert_nonnull (es_result_get_warnings (nothing));
}

/* ---- long searches ---- */

/* Seconds of a clock. */
static double
seconds_of (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}

/* When it was told: seconds by the wall, seconds of processors. */
static gpointer
cancel_soon (gpointer data)
{
  double *now = g_new (double, 2);

  g_usleep (300000);
  now[0] = seconds_of (CLOCK_MONOTONIC);
  now[1] = seconds_of (CLOCK_PROCESS_CPUTIME_ID);
  es_job_cancel (data);
  return now;
}

/* A search of a minute or so ends when another thread says so: work between two looks is bounded, whether many points
 * are searched or many peaks are refined. */
static void
test_cancelled (void)
{
  static const char *const searches[][9] = {
    { "x", "-10:10:0.08", "y", "-10:10:0.08", "z", "-10:10:0.08", NULL },
    { "refine", "12", "peaks", "1000", "azimuth", "-180:179.9:0.1", "elevation", "-90:90:0.1", NULL },
  };
  g_autoptr (EsRecording) recording = make_point (0, 0.6, -0.35, 0.9);
  const EsOperation *operation = es_operation_find ("localize", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (searches); i++)
    {
      g_autoptr (EsParams) params = es_params_new (operation->params);
      g_autoptr (GError) error = NULL;

      for (guint k = 0; searches[i][k] != NULL; k += 2)
        g_assert_true (es_params_parse (params, searches[i][k], searches[i][k + 1], NULL));
      g_autoptr (EsJob) job = es_job_new (operation, ES_DATASET (recording), params, es_device_get_cpu (), NULL, NULL);
      GThread *thread = g_thread_new ("cancel", cancel_soon, job);
      const double begun = seconds_of (CLOCK_MONOTONIC);
      g_assert_null (es_job_run (job, &error));
      const double ended = seconds_of (CLOCK_MONOTONIC), used = seconds_of (CLOCK_PROCESS_CPUTIME_ID);
      g_autofree double *told = g_thread_join (thread);

      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_assert_cmpfloat (ended - begun, >=, 0.29);
      g_test_message ("ended %.3f s after it was told, %.3f s of processors", ended - told[0], used - told[1]);
      /* By the wall; on a machine that is busy with other things, by what was worked. */
      g_assert_cmpfloat (MIN (ended - told[0], used - told[1]), <, 4);
    }
}

static gboolean
warns (EsResult *result, const char *what)
{
  const char *const *warnings = es_result_get_warnings (result);

  for (guint i = 0; warnings != NULL && warnings[i] != NULL; i++)
    if (strstr (warnings[i], what) != NULL)
      return TRUE;
  return FALSE;
}

/* Samples that are no numbers, clipped or missing are told of by their elements. */
static void
test_samples (void)
{
  g_autoptr (EsRecording) good = make_point (0, 0.6, -0.35, 0.9);
  g_autoptr (EsArray) array = es_recording_get_array (good);
  const guint64 frames = es_recording_get_frames (good);
  float *samples = g_new (float, frames * 6);
  const char *const settings[] = { "x", "-2:2:0.2", "y", "-2:2:0.2", "z", "-2:2:0.2", NULL };
  g_autoptr (GError) error = NULL;

  g_assert_true (es_recording_read (good, 0, frames, 0, 6, samples, &error));
  for (gsize i = 0; i < frames; i++)
    for (guint k = 0; k < 6; k++)
      {
        float *sample = &samples[i * 6 + k];
        *sample = k == 4 ? CLAMP (*sample, -1, 1) : k == 5 ? 0 : 0.1f * *sample;
      }
  samples[100 * 6 + 1] = NAN;
  g_autoptr (EsRecording) recording = es_recording_new_in_memory (samples, ESK_F32, 6, 16000, frames, FALSE, samples,
                                                                  g_free, &error);
  g_assert_no_error (error);
  es_recording_set_array (recording, array);
  g_autoptr (EsResult) result = run (recording, es_device_get_cpu (), settings, &error);
  g_assert_no_error (error);
  g_assert_true (warns (result, "1 element has samples that are no numbers, which count as 0: 2."));
  g_assert_true (warns (result, "1 element is clipped: 5."));
  g_assert_true (warns (result, "1 element is silent: 6."));
  g_assert_false (warns (result, "120 dB"));
  samples[200 * 6 + 2] = 3e38f;
  g_autoptr (EsResult) drowned = run (recording, es_device_get_cpu (), settings, &error);
  g_clear_error (&error);
  if (drowned != NULL)
    g_assert_true (warns (drowned, "1 element has samples over 120 dB above the others', which drown everything: 3."));
  g_autoptr (EsResult) clean = run (good, es_device_get_cpu (), settings, &error);
  g_assert_no_error (error);
  g_assert_false (warns (clean, "numbers") || warns (clean, "clipped") || warns (clean, "silent"));
}

/* ---- real hydrophones ---- */

/* Fish calls, 60 to 900 Hz, with the published places: sonar.md 13 and the data's own list. */
static void
test_gold (void)
{
  const char *root = g_getenv ("ES_TEST_DATA");
  g_autofree char *folder = root != NULL ? g_build_filename (root, "hydrophones", NULL) : NULL;
  g_autofree char *list = folder != NULL ? g_build_filename (folder, "gold_localisations.csv", NULL) : NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  GFile *files[7];
  guint near = 0, events = 0;

  if (list == NULL || !g_file_get_contents (list, &text, NULL, NULL))
    {
      g_test_skip ("ES_TEST_DATA has no hydrophones");
      return;
    }
  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *name = g_strdup_printf ("AMAR173.%u.20190920T163858Z.wav", i + 1);
      files[i] = g_file_new_build_filename (folder, name, NULL);
    }
  files[6] = g_file_new_build_filename (folder, "hydrophones_config_07-HI.csv", NULL);
  g_autoptr (EsDataset) recording = es_recording_open_files (files, 7, NULL, &error);
  g_assert_no_error (error);

  g_auto (GStrv) lines = g_strsplit_set (text, "\r\n", -1);
  for (guint i = 1; lines[i] != NULL; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i], ",", -1);
      double distance = 0;

      if (g_strv_length (cells) < 6)
        continue;
      const char *const settings[] = { "x", "-2.5:2.5:0.1", "y", "-2.5:2.5:0.1", "z", "-2.5:2.5:0.1", "band", "60:900",
                                       "sound-speed", "1484", "from", cells[1], "to", cells[2], NULL };
      g_autoptr (EsResult) result = run (ES_RECORDING (recording), es_device_get_cpu (), settings, &error);
      g_assert_no_error (error);
      static const char *const keys[] = { "x_m", "y_m", "z_m" };
      for (guint k = 0; k < 3; k++)
        {
          const double difference = json_object_get_double_member (get_peak (result, 0), keys[k])
                                    - g_ascii_strtod (cells[3 + k], NULL);
          distance += difference * difference;
        }
      g_test_message ("event %s: %.3f m", cells[0], sqrt (distance));
      events++;
      near += sqrt (distance) <= 0.3;
    }
  g_assert_cmpuint (events, ==, 11);
  g_assert_cmpuint (near, >=, 9);
  for (guint i = 0; i < 7; i++)
    g_object_unref (files[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/localize/point/cpu", NULL, test_point);
  g_test_add_data_func ("/localize/point/card", "cuda:0", test_point);
  g_test_add_data_func ("/localize/directions/cpu", NULL, test_directions);
  g_test_add_data_func ("/localize/directions/card", "cuda:0", test_directions);
  g_test_add_func ("/localize/dirty", test_dirty);
  g_test_add_func ("/localize/edge-and-plane", test_edge_and_plane);
  g_test_add_func ("/localize/refused", test_refused);
  g_test_add_func ("/localize/same-and-silent", test_same_and_silent);
  g_test_add_func ("/localize/cancelled", test_cancelled);
  g_test_add_func ("/localize/samples", test_samples);
  g_test_add_func ("/localize/gold", test_gold);
  return g_test_run ();
}
