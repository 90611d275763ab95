/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Conventional beams of made-up recordings (sonar.md 13, items 1 to 3 and 7, and the traps of 14), on the CPU, on a
 * card of host memory and on two of them. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "beam/es-beamformer.h"
#include "device/es-buffer-internal.h"
#include "base/es-error.h"
#include "layer/es-layer-internal.h"
#include "es-test-beams.h"

static const char *const devices[] = { "cpu", "cuda:0", "cuda:all" };

/* Scenes take longer to make than their beams: one for all devices. */
static GHashTable *scenes;

/* NULL: not made yet. */
static EsRecording *
find_scene (const char *name)
{
  EsRecording *recording = g_hash_table_lookup (scenes, name);

  return recording != NULL ? g_object_ref (recording) : NULL;
}

static EsRecording *
keep_scene (const char *name, EsTestSonar *sonar, EskType type)
{
  EsRecording *recording = es_test_sonar_record (sonar, type, 1);

  g_hash_table_insert (scenes, g_strdup (name), g_object_ref (recording));
  return recording;
}

static EsArray *
make_line (guint n, double spacing)
{
  g_autoptr (GError) error = NULL;
  EsArray *array = es_array_new_line (n, spacing, 0, &error);

  g_assert_no_error (error);
  return array;
}

static EsResult *
run (EsRecording *recording, const char *device, EsParams *params)
{
  g_autoptr (GError) error = NULL;
  EsResult *result = es_test_run_beams ("cbf", recording, device, NULL, params, &error);

  g_assert_no_error (error);
  return result;
}

static EsField *
field_of (EsResult *result, const char *name)
{
  EsLayer *layer = es_result_find_layer (result, name);

  g_assert_true (ES_IS_FIELD (layer));
  return ES_FIELD (layer);
}

static void
test_far (gconstpointer data)
{
  const char *device = data;
  const double thetas[] = { 20, 57, 90, 123, 150 };
  g_autoptr (EsArray) array = make_line (64, 1.5);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "band", "320:480", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (thetas); i++)
    {
      g_autofree char *name = g_strdup_printf ("far %u", i);
      g_autoptr (EsRecording) recording = find_scene (name);
      if (recording == NULL)
        {
          g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 8000, 8000, 1500);
          es_test_sonar_add_tones (sonar, es_test_place_far (array, thetas[i]), 322, 478, 20, 0.02, 7 + i);
          es_test_sonar_add_white (sonar, 1e-6, 11);
          recording = keep_scene (name, sonar, i % 2 == 0 ? ESK_I16 : ESK_F32);
        }
      g_autoptr (EsResult) result = run (recording, device, params);

      g_assert_cmpfloat (fabs (es_test_peak (result, 0, "bearing_deg") - thetas[i]), <, 0.3);
      /* A mirror image is what a conjugation too many gives; far is null. */
      g_assert_true (isnan (es_test_peak (result, 0, "range_m")));
      g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "transform_length"), ==, 8192);
      g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "cbf_first_bin"), ==, 327);
      g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "cbf_bins"), ==, 166);
      g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "angles"), ==, 160);
      g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "blocks"), ==, 1);
    }
}

static void
test_near (gconstpointer data)
{
  const char *device = data;
  const struct { double h, theta; } sources[] = { { 50, 90 }, { 100, 60 }, { 200, 130 }, { 400, 35 }, { 3200, 60 } };
  g_autoptr (EsArray) array = make_line (64, 1.5);

  for (guint kind = 0; kind < 2; kind++)
    for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
      {
        g_autoptr (EsParams) params = es_test_beam_params ("cbf", "band", "320:480", "range-kind",
                                                           kind == 0 ? "perpendicular" : "slant", NULL);
        g_autofree char *name = g_strdup_printf ("near %u %u", kind, i);
        g_autoptr (EsRecording) recording = find_scene (name);
        if (recording == NULL)
          {
            g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 8000, 8000, 1500);
            es_test_sonar_add_tones (sonar, kind == 0
                                              ? es_test_place_perpendicular (array, sources[i].theta, sources[i].h)
                                              : es_test_place_slant (array, sources[i].theta, sources[i].h),
                                     322, 478, 12, 0.02, 3 + i);
            recording = keep_scene (name, sonar, ESK_F32);
          }
        g_autoptr (EsResult) result = run (recording, device, params);

        g_assert_cmpfloat (fabs (es_test_peak (result, 0, "bearing_deg") - sources[i].theta), <, 0.5);
        g_assert_cmpfloat (es_test_peak (result, 0, "range_m"), ==, sources[i].h);
        g_assert_cmpfloat (es_test_peak (result, 0, "margin_db"), >, 0);
        if (kind == 0 && sources[i].h == 400)
          g_assert_cmpfloat_with_epsilon (es_test_peak (result, 0, "margin_db"), 0.08, 0.06);
      }
}

/* 184 elements, 2.5 m, 20 kHz: far at 20 degrees, by a twentieth of a decibel over 3,200 m. */
static void
test_rows (gconstpointer data)
{
  const char *device = data;
  const double wanted[] = { 0, -11.5, -9.1, -6.4, -3.3, -0.8, -0.2, -0.05 };
  g_autoptr (EsArray) array = make_line (184, 2.5);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "band", "199.6:300.3", NULL);
  g_autoptr (EsRecording) recording = find_scene ("rows");

  if (recording == NULL)
    {
      g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 20000, 20000, 1500);
      es_test_sonar_add_tones (sonar, es_test_place_far (array, 20), 201, 299, 16, 0.02, 5);
      es_test_sonar_add_white (sonar, 3.2e-3, 6);
      recording = keep_scene ("rows", sonar, ESK_I16);
    }
  g_autoptr (EsResult) result = run (recording, device, params);
  EsField *field = field_of (result, "energy-field");
  const guint n = es_field_get_columns (field)->n;
  const float *values = es_field_peek (field);
  double best[8] = { 0 };

  g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "transform_length"), ==, 32768);
  g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "cbf_first_bin"), ==, 327);
  g_assert_cmpfloat (fabs (es_test_peak (result, 0, "bearing_deg") - 20), <, 0.3);
  g_assert_true (isnan (es_test_peak (result, 0, "range_m")));
  g_assert_cmpuint (es_field_get_rows (field)->n, ==, 8);
  for (guint row = 0; row < 8; row++)
    for (guint i = 0; i < n; i++)
      best[row] = MAX (best[row], values[row * n + i]);
  for (guint row = 1; row < 8; row++)
    g_assert_cmpfloat_with_epsilon (10 * log10 (best[row] / best[0]), wanted[row], row < 4 ? 1.5 : row < 6 ? 0.5 : 0.1);
}

/* A plane wave of mean square 1 reads 1 within 2 %, whatever window, shading, snapshots, gain and calibration; white
 * noise of elements reads sigma^2 / B elsewhere. */
static void
test_power (gconstpointer data)
{
  const char *device = data;
  const char *const variants[][5] = {
    { "rectangular", "1", "none", "keep", "0" }, { "hann", "1", "none", "keep", "0" },
    { "rectangular", "1", "hamming", "keep", "0" }, { "hann", "4", "none", "keep", "50%" },
    { "rectangular", "1", "none", "remove", "0" }, { "blackman", "3", "chebyshev", "remove", "0" },
    { "hann", "1", "chebyshev", "keep", "0" },
  };
  const double sigma2 = 0.01, low = 320, high = 480;
  g_autoptr (EsArray) array = make_line (32, 1.5);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 8000, 16000, 1500);

  es_test_sonar_add_tone (sonar, es_test_place_far (array, 57), 400, sqrt (2), 0.4);
  es_test_sonar_add_white (sonar, sigma2, 9);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
  for (guint v = 0; v < G_N_ELEMENTS (variants); v++)
    {
      g_autoptr (EsParams) params = es_test_beam_params ("cbf", "band", "320:480", "ranges", "far", "window",
                                                         variants[v][0], "snapshots", variants[v][1], "shading",
                                                         variants[v][2], "diagonal", variants[v][3], "overlap",
                                                         variants[v][4], NULL);
      g_autoptr (EsResult) result = run (recording, device, params);
      EsField *field = field_of (result, "energy-field");
      const float *values = es_field_peek (field);

      g_assert_cmpfloat_with_epsilon (values[57 - 10], 1, 0.02);
      g_assert_cmpfloat_with_epsilon (es_test_peak (result, 0, "level_db"), 0, 0.09);
      g_assert_cmpfloat_with_epsilon (es_test_peak (result, 0, "bearing_deg"), 57, 0.2);
      /* Chebyshev: no side lobe above -40 dB, so the floor is those and the noise in the band; without the diagonal it
       * is that less the elements' own power. */
      if (strcmp (variants[v][2], "chebyshev") == 0)
        {
          float weights[32];
          double sum = 0, squares = 0;

          es_shading_fill (ES_SHADING_CHEBYSHEV, weights, 32);
          for (guint k = 0; k < 32; k++)
            {
              sum += weights[k];
              squares += weights[k] * weights[k];
            }
          const double own = strcmp (variants[v][3], "remove") == 0 ? -squares / (sum * sum - squares) : 0;
          g_assert_cmpfloat (fabs (values[140 - 10] - own), <, 2e-4 + 2 * sigma2 * (high - low) / 4000 * 2 / 32);
        }
    }
}

/* Half the frequencies (the printed formula read wrongly) shows 70 degrees at 47; one conjugation too many at 110. */
static void
test_traps (gconstpointer data)
{
  const char *device = data;
  g_autoptr (EsArray) array = make_line (48, 1.5);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 8000, 8192, 1500);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "band", "300:350", "ranges", "far", "block", "8192",
                                                     "lofar-band", "100:200", NULL);

  es_test_sonar_add_tone (sonar, es_test_place_far (array, 70), 325, 0.3, 0);
  /* One of 150 Hz from elsewhere is in LOFAR, in its bin and its beam, and in no band energy. */
  es_test_sonar_add_tone (sonar, es_test_place_far (array, 130), 150.390625, 0.5, 1);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_I16, 1);
  g_autoptr (EsResult) result = run (recording, device, params);
  EsField *fraz = field_of (result, "fraz");
  const float *values = es_field_peek (fraz);
  const guint n = es_field_get_columns (fraz)->n;
  gsize at = 0;

  g_assert_cmpfloat (fabs (es_test_peak (result, 0, "bearing_deg") - 70), <, 0.3);
  g_assert_cmpfloat_with_epsilon (es_test_peak (result, 0, "level_db"), 10 * log10 (0.045), 0.1);
  for (gsize i = 0; i < (gsize) es_field_get_rows (fraz)->n * n; i++)
    if (values[i] > values[at])
      at = i;
  g_assert_cmpfloat_with_epsilon (es_field_get_rows (fraz)->values[at / n], 150.390625, 1e-9);
  g_assert_cmpfloat_with_epsilon (es_field_get_columns (fraz)->values[at % n], 130, 1);
  g_assert_cmpfloat_with_epsilon (values[at], 0.125, 0.0025);

  /* At 0 the tone from 130 is weaker by more than the array's first side lobe. */
  g_assert_cmpfloat (values[(at / n) * n + 30], <, 0.1 * values[at]);
}

/* Layers over time: rows are the blocks' times, LOFAR is the strongest beam's or the one asked for, kept or read
 * again. */
static void
test_layers (gconstpointer data)
{
  const char *device = data;
  g_autoptr (EsArray) array = make_line (16, 1.5);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 4000, 4000 * 6 + 1234, 1500);
  g_autoptr (GError) error = NULL;

  es_test_sonar_add_tone (sonar, es_test_place_far (array, 40), 400, 0.4, 0);
  es_test_sonar_add_tone (sonar, es_test_place_far (array, 120), 350, 0.2, 0);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_I16, 1);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "band", "320:480", "ranges", "50,far", "from", "1", "to",
                                                     "5.5", "bands", "third-octave", NULL);
  g_autoptr (EsParams) other = es_params_copy (params);
  g_assert_true (es_params_parse (other, "lofar-bearing", "120.2", &error));
  g_autoptr (EsResult) result = run (recording, device, params);
  g_autoptr (EsResult) second = run (recording, device, other);
  EsField *btr = field_of (result, "btr"), *lofar = field_of (result, "lofar"), *lofar_2 = field_of (second, "lofar");
  const guint n_bins = es_field_get_columns (lofar)->n;
  g_autofree float *row = g_new (float, MAX (n_bins, 160)), *row_2 = g_new (float, n_bins);

  g_assert_cmpfloat (es_test_value (result, "lofar_bearing_deg"), ==, 40);
  g_assert_cmpfloat (es_test_value (second, "lofar_bearing_deg"), ==, 120);
  g_assert_cmpuint (es_field_get_rows (btr)->n, ==, 4);
  g_assert_cmpuint (es_field_get_rows (lofar)->n, ==, 4);
  for (guint i = 0; i < 4; i++)
    {
      g_assert_cmpfloat (es_field_get_rows (btr)->values[i], ==, 1 + i);
      g_assert_true (es_field_read (btr, i, 1, row, &error));
      g_assert_cmpfloat_with_epsilon (row[30], 0.08, 0.005);
      g_assert_true (es_field_read (lofar, i, 1, row, &error));
      g_assert_true (es_field_read (lofar_2, i, 1, row_2, &error));
      double sum = 0, sum_2 = 0;
      for (guint b = 0; b < n_bins; b++)
        {
          const double f = es_field_get_columns (lofar)->values[b];
          sum += fabs (f - 400) < 10 ? row[b] : 0;
          sum_2 += fabs (f - 350) < 10 ? row_2[b] : 0;
        }
      g_assert_cmpfloat_with_epsilon (sum, 0.08, 0.008);
      g_assert_cmpfloat_with_epsilon (sum_2, 0.02, 0.003);
    }
  g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "blocks"), ==, 4);
  g_assert_cmpfloat (es_test_value (result, "real_time_factor"), >, 0);
  /* 320 to 480 Hz: parts of the third octaves of 316, 398 and 501 Hz, and the far row. */
  EsCurve *curve = ES_CURVE (es_result_find_layer (result, "band-energy"));
  g_assert_cmpuint (es_curve_get_n_series (curve), ==, 4);
  const double band = es_curve_get_series (curve, 2)->y[30], all = es_curve_get_series (curve, 0)->y[30];
  g_assert_cmpfloat_with_epsilon (band, all, 0.2);

  /* Blocks that are not kept: the second time through gives the same beam. */
  const EsLimits limits = { .memory = 16 << 20 };
  g_autoptr (EsParams) many = es_test_beam_params ("cbf", "band", "320:480", "ranges", "far", "angles", "0:180:0.25",
                                                   NULL);
  g_autoptr (EsResult) kept = run (recording, device, many);
  g_autoptr (EsResult) again = es_test_run_beams ("cbf", recording, device, &limits, many, &error);
  g_assert_no_error (error);
  lofar = field_of (kept, "lofar");
  lofar_2 = field_of (again, "lofar");
  guint n_stages;
  const EsStageTime *stages = es_result_get_stages (again, &n_stages);
  gboolean went_again = FALSE;
  for (guint i = 0; i < n_stages; i++)
    went_again = went_again || strcmp (stages[i].name, "lofar") == 0;
  g_assert_true (went_again);
  g_assert_cmpuint (es_field_get_rows (lofar)->n, ==, es_field_get_rows (lofar_2)->n);
  g_assert_cmpuint (es_field_get_columns (lofar_2)->n, ==, n_bins);
  for (guint i = 0; i < es_field_get_rows (lofar)->n; i++)
    {
      es_field_read (lofar, i, 1, row, NULL);
      es_field_read (lofar_2, i, 1, row_2, NULL);
      for (guint b = 0; b < n_bins; b++)
        g_assert_cmpfloat_with_epsilon (row[b], row_2[b], 1e-5);
    }
}

/* All devices agree, and each with itself to the byte. */
static void
test_same (void)
{
  g_autoptr (EsArray) array = make_line (33, 1.5);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 4000, 4000 * 7, 1500);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "band", "300:480", "block", "500ms", NULL);
  float *first = NULL;

  es_test_sonar_add_noise (sonar, es_test_place_far (array, 77), 310, 470, 0.01, 4);
  es_test_sonar_add_white (sonar, 0.001, 5);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_I16, 1);
  for (guint d = 0; d < G_N_ELEMENTS (devices); d++)
    {
      if (es_device_find (devices[d], NULL) == NULL)
        continue;
      g_autoptr (EsResult) result = run (recording, devices[d], params);
      g_autoptr (EsResult) again = run (recording, devices[d], params);
      EsField *btr = field_of (result, "btr"), *same = field_of (again, "btr");
      const gsize n = (gsize) es_field_get_rows (btr)->n * es_field_get_columns (btr)->n;

      g_assert_cmpuint (es_field_get_rows (btr)->n, ==, 14);
      g_assert_cmpmem (es_field_peek (btr), n * sizeof (float), es_field_peek (same), n * sizeof (float));
      if (first == NULL)
        first = g_memdup2 (es_field_peek (btr), n * sizeof (float));
      for (gsize i = 0; i < n; i++)
        g_assert_cmpfloat_with_epsilon (es_field_peek (btr)[i], first[i], 1e-6);
      g_assert_cmpstr (es_result_get_device_id (result), ==, devices[d]);
    }
  g_free (first);
}

/* ---- what may go wrong ---- */

static EsRecording *
make_plain (guint elements, gsize frames)
{
  g_autoptr (EsArray) array = make_line (elements, 1.5);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 2000, frames, 1500);

  es_test_sonar_add_tone (sonar, es_test_place_far (array, 60), 400, 0.25, 0);
  return es_test_sonar_record (sonar, ESK_F32, 1);
}

static void
test_refused (gconstpointer data)
{
  const char *device = data;
  const struct { const char *key, *value, *key_2, *value_2; GQuark domain; int code; const char *says; } cases[] = {
    { "block", "3s", "peaks", "1", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "longer than the recording" },
    { "band", "800:1200", "peaks", "1", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "1000 Hz" },
    { "from", "1.5", "to", "1.9", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "there is no block" },
    { "from", "20", "to", "0", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "there is no block" },
  };
  g_autoptr (EsRecording) recording = make_plain (8, 4000);
  const guint64 used = es_buffers_get_used (es_device_find (device, NULL));

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EsParams) params = es_test_beam_params ("cbf", cases[i].key, cases[i].value, cases[i].key_2,
                                                         cases[i].value_2, NULL);
      g_autoptr (GError) error = NULL;

      g_assert_null (es_test_run_beams ("cbf", recording, device, NULL, params, &error));
      g_assert_error (error, cases[i].domain, cases[i].code);
      g_assert_nonnull (strstr (error->message, cases[i].says));
    }

  /* One element, or one channel, has no direction, but it is no failure. */
  g_autoptr (EsRecording) single = make_plain (1, 4000);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "band", "300:500", "ranges", "far", NULL);
  g_autoptr (EsResult) result = run (single, device, params);
  JsonArray *peaks = json_object_get_array_member (es_result_get_values (result), "peaks");
  g_assert_cmpuint (json_array_get_length (peaks), ==, 0);
  g_assert_nonnull (es_result_get_warnings (result));
  g_autoptr (EsParams) removed = es_test_beam_params ("cbf", "band", "300:500", "diagonal", "remove", NULL);
  g_autoptr (GError) error = NULL;
  g_assert_null (es_test_run_beams ("cbf", single, device, NULL, removed, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  g_clear_error (&error);

  /* Without an array; with too little memory. */
  es_recording_set_array (single, NULL);
  g_assert_null (es_test_run_beams ("cbf", single, device, NULL, params, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_clear_error (&error);
  const EsLimits limits = { .memory = 10000 };
  g_assert_null (es_test_run_beams ("cbf", recording, device, &limits, params, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
  if (used == 0)
    g_assert_cmpuint (es_buffers_get_used (es_device_find (device, NULL)), ==, 0);
}

static gboolean
cancel_soon (gpointer data)
{
  es_job_cancel (data);
  return G_SOURCE_REMOVE;
}

static void
test_cancel (gconstpointer data)
{
  const char *device = data;
  g_autoptr (EsRecording) recording = make_plain (64, 2000 * 40);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "block", "100ms", "angles", "1:179:0.25", NULL);
  g_autoptr (EsJob) job = es_job_new (es_operation_find ("cbf", NULL), ES_DATASET (recording), params,
                                      es_device_find (device, NULL), NULL, NULL);

  es_job_start (job);
  while (es_job_get_progress (job) <= 0 && es_job_is_active (job))
    g_main_context_iteration (NULL, FALSE);
  g_idle_add (cancel_soon, job);
  while (es_job_is_active (job))
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpint (es_job_get_state (job), ==, ES_JOB_CANCELLED);
  g_assert_null (es_job_get_result (job));
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/* Elements that are broken are told by name, and do not spoil the rest. */
static void
test_health (gconstpointer data)
{
  const char *device = data;
  g_autoptr (EsArray) array = make_line (12, 1.5);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 4000, 8000, 1500);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "band", "320:480", "ranges", "far", NULL);
  gboolean has_nan = FALSE, has_clipped = FALSE, has_silent = FALSE;

  es_test_sonar_add_tone (sonar, es_test_place_far (array, 60), 400, 0.25, 0);
  for (gsize i = 0; i < sonar->frames; i++)
    {
      sonar->samples[i * 12 + 4] = i % 100 == 7 ? NAN : sonar->samples[i * 12 + 4];
      sonar->samples[i * 12 + 6] = CLAMP (20 * sonar->samples[i * 12 + 6], -1, 1);
      sonar->samples[i * 12 + 9] = 0;
    }
  /* Floats beyond full scale are not clipped there. */
  sonar->samples[100 * 12 + 2] = 1.5;
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
  g_autoptr (EsResult) result = run (recording, device, params);
  const char *const *warnings = es_result_get_warnings (result);

  g_assert_nonnull (warnings);
  for (guint i = 0; warnings[i] != NULL; i++)
    {
      has_nan = has_nan || (strstr (warnings[i], "no numbers") != NULL && strstr (warnings[i], ": 5.") != NULL);
      has_clipped = has_clipped || (strstr (warnings[i], "clipped") != NULL && strstr (warnings[i], ": 7.") != NULL);
      has_silent = has_silent || (strstr (warnings[i], "silent") != NULL && strstr (warnings[i], ": 10.") != NULL);
    }
  g_assert_true (has_nan);
  g_assert_true (has_clipped);
  g_assert_true (has_silent);
  g_assert_cmpfloat (fabs (es_test_peak (result, 0, "bearing_deg") - 60), <, 1);
}

/* The plan knows what a run costs, and which device is chosen follows from it. */
static void
test_plan (void)
{
  const EsOperation *cbf = es_operation_find ("cbf", NULL);
  g_autoptr (EsRecording) recording = make_plain (16, 2000 * 10);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", NULL);
  g_autoptr (EsParams) wrong = es_test_beam_params ("cbf", "block", "1000s", NULL);
  EsPlan plan = cbf->plan (ES_DATASET (recording), params, es_device_get_cpu (), NULL);
  g_autofree char *reason = NULL, *reason_2 = NULL;

  g_assert_cmpuint (plan.tiles, ==, 10);
  g_assert_cmpuint (plan.read_bytes, ==, 2000 * 10 * 16 * 4);
  g_assert_cmpfloat (plan.flops, >, 1e6);
  g_assert_cmpfloat (plan.seconds, >, 0);
  g_assert_cmpuint (plan.memory, >, 0);
  g_assert_cmpuint (plan.device_memory, ==, 0);
  plan = cbf->plan (ES_DATASET (recording), params, es_device_find ("cuda:0", NULL), NULL);
  g_assert_cmpuint (plan.device_memory, >, 0);
  plan = cbf->plan (ES_DATASET (recording), wrong, es_device_get_cpu (), NULL);
  g_assert_cmpuint (plan.tiles, ==, 0);
  g_assert_nonnull (es_device_choose (cbf, ES_DATASET (recording), params, NULL, &reason));
  g_assert_nonnull (reason);
  g_assert_nonnull (es_device_choose (cbf, ES_DATASET (recording), wrong, NULL, &reason_2));
}

/* ---- a beamformer by itself ---- */

static gboolean
count_blocks (EsBeamBlock *block, gpointer data, GError **error)
{
  guint *n = data;

  g_assert_cmpuint (es_beam_block_get_frame (block), ==, *n * 1000);
  return ++*n < 7;
}

G_GNUC_UNUSED static gboolean
take_any (EsBeamBlock *block, gpointer data, GError **error)
{
  ++*(guint *) data;
  return TRUE;
}

static void
test_beamformer (gconstpointer data)
{
  const char *device = data;
  g_autoptr (EsRecording) recording = make_plain (8, 20000);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "band", "300:500", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsBeamSettings) settings = es_beam_settings_new (params, recording, array, &error);
  g_autoptr (EsBeamformer) beamformer = es_beamformer_new (recording, array, settings, es_device_find (device, NULL),
                                                           NULL, &error);
  double input, transform, beams;
  guint n = 0;

  g_assert_no_error (error);
  /* One after the other, out of order and past the end: the same as they come. */
  const guint64 frames[] = { 0, 2000, 4000, 6000, 2000, 19000, 19999, 20000, 40000, 0, 500 };
  for (guint i = 0; i < G_N_ELEMENTS (frames); i++)
    {
      g_autoptr (EsBeamBlock) block = es_beamformer_process (beamformer, frames[i], &error);
      g_autoptr (EsBeamBlock) again = es_beamformer_process (beamformer, frames[i], &error);
      g_assert_no_error (error);
      g_assert_cmpuint (es_beam_block_get_frame (block), ==, frames[i]);
      g_assert_cmpfloat (es_beam_block_get_time (block), ==, frames[i] / 2000.0);
      g_assert_cmpmem (es_beam_block_get_field (block), 8 * 160 * sizeof (float), es_beam_block_get_field (again),
                       8 * 160 * sizeof (float));
      for (guint k = 0; frames[i] >= 20000 && k < 8 * 160; k++)
        g_assert_cmpfloat (es_beam_block_get_field (block)[k], ==, 0);
    }
  /* Overlapping blocks, and a taker that has enough. */
  g_assert_true (es_beamformer_run (beamformer, 0, 1000, 15, count_blocks, &n, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 7);
  es_beamformer_get_times (beamformer, &input, &transform, &beams);
  g_assert_cmpfloat (transform, >, 0);
  g_assert_cmpfloat (beams, >, 0);
  g_assert_cmpfloat (es_beamformer_get_setup_seconds (beamformer), >, 0);
  guint n_elements;
  const EsElementHealth *health = es_beamformer_get_health (beamformer, &n_elements);
  g_assert_cmpuint (n_elements, ==, 8);
  g_assert_cmpfloat (health[3].peak, >, 0.2);
  g_assert_cmpfloat (health[3].peak, <=, 0.25);
  g_assert_cmpuint (health[3].not_finite, ==, 0);
}

/* What a run takes does not grow with its length. (Freed memory is kept by the sanitizers.) */
static void
test_flat (void)
{
#ifndef __SANITIZE_ADDRESS__
  g_autoptr (EsRecording) recording = make_plain (8, 40000);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "band", "300:500", "block", "100ms", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsBeamSettings) settings = es_beam_settings_new (params, recording, array, &error);
  g_autoptr (EsBeamformer) beamformer = es_beamformer_new (recording, array, settings, es_device_get_cpu (), NULL,
                                                           &error);
  long pages[2] = { 0 };

  g_assert_no_error (error);
  for (guint round = 0; round < 2; round++)
    {
      g_autofree char *text = NULL;
      guint n = 0;

      /* Every block at the recording's beginning; each has 40 kB. */
      g_assert_true (es_beamformer_run (beamformer, 0, 0, round == 0 ? 100 : 3000, take_any, &n, NULL, &error));
      g_assert_cmpuint (n, ==, round == 0 ? 100 : 3000);
      g_assert_true (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
      g_assert_cmpint (sscanf (text, "%*d %ld", &pages[round]), ==, 1);
    }
  g_assert_cmpint ((pages[1] - pages[0]) * 4096, <, 30 << 20);
#else
  g_test_skip ("with sanitizers memory grows");
#endif
}

/* Cards that are full or fall off the bus: the CPU goes on where that is allowed, and nothing stays behind. */
static void
test_failing_card (void)
{
  g_autoptr (EsRecording) recording = make_plain (8, 40000);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "band", "300:500", NULL);
  g_autoptr (GError) error = NULL;
  EsLimits limits = { .device_memory = 100000 };

  /* Nothing fits: the CPU does it. */
  {
    g_autoptr (EsResult) result = es_test_run_beams ("cbf", recording, "cuda:0", &limits, params, &error);
    g_assert_no_error (error);
    g_assert_cmpstr (es_result_get_device_id (result), ==, "cpu");
    g_assert_nonnull (es_result_get_warnings (result));
    g_assert_cmpfloat (fabs (es_test_peak (result, 0, "bearing_deg") - 60), <, 1);
  }
  for (guint n = 1; n <= 8; n++)
    {
      g_autofree char *text = g_strdup_printf ("%u", n);
      g_setenv ("ES_FAKE_FAIL_ALLOCATION", text, TRUE);
      g_autoptr (EsResult) result = es_test_run_beams ("cbf", recording, "cuda:1", NULL, params, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (fabs (es_test_peak (result, 0, "bearing_deg") - 60), <, 1);
      g_unsetenv ("ES_FAKE_FAIL_ALLOCATION");
    }
  g_assert_cmpuint (es_buffers_get_used (es_device_find ("cuda:1", NULL)), ==, 0);

  limits = (EsLimits) { .cpu_fallback = TRUE };
  g_setenv ("ES_FAKE_LOSE_AT", "37", TRUE);
  g_autoptr (EsResult) result = es_test_run_beams ("cbf", recording, "cuda:1", &limits, params, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (es_result_get_device_id (result), ==, "cpu");
  g_assert_cmpuint (json_object_get_int_member (es_result_get_values (result), "blocks"), ==, 20);
}

static void
add (const char *name, void (*function) (gconstpointer))
{
  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    {
      /* A machine with one real card has no "all". */
      if (es_device_find (devices[i], NULL) == NULL)
        continue;
      g_autofree char *path = g_strdup_printf ("/cbf/%s/%s", name, devices[i]);
      g_test_add_data_func (path, devices[i], function);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  scenes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  add ("far", test_far);
  add ("near", test_near);
  add ("rows", test_rows);
  add ("power", test_power);
  add ("traps", test_traps);
  add ("layers", test_layers);
  g_test_add_func ("/cbf/same", test_same);
  add ("refused", test_refused);
  add ("cancel", test_cancel);
  add ("health", test_health);
  g_test_add_func ("/cbf/plan", test_plan);
  add ("beamformer", test_beamformer);
  g_test_add_func ("/cbf/memory/flat", test_flat);
  /* Last: its card stays lost. */
  g_test_add_func ("/cbf/failing/card", test_failing_card);
  const int status = g_test_run ();
  g_hash_table_unref (scenes);
  return status;
}
