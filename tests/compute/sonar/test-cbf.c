/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Conventional beams of made-up recordings (sonar.md 13, items 1 to 3 and 7, and the traps of 14), on the CPU, on a
 * card of host memory and on two of them. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "beam/es-beamformer.h"
#include "layer/es-layer-internal.h"
#include "es-test-beams.h"
#include "es-test-cbf.h"

/* Scenes take longer to make than their beams: one for all es_test_cbf_devices. */
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
  g_autoptr (EsArray) array = es_test_cbf_make_line (64, 1.5);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "angles", "10:169:1", "band", "320:480", NULL);

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
      g_autoptr (EsResult) result = es_test_cbf_run (recording, device, params);

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
  g_autoptr (EsArray) array = es_test_cbf_make_line (64, 1.5);

  for (guint kind = 0; kind < 2; kind++)
    for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
      {
        g_autoptr (EsParams) params = es_test_beam_params ("cbf", "angles", "10:169:1", "band", "320:480", "range-kind",
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
        g_autoptr (EsResult) result = es_test_cbf_run (recording, device, params);

        g_assert_cmpfloat (fabs (es_test_peak (result, 0, "bearing_deg") - sources[i].theta), <, 0.5);
        g_assert_cmpfloat (es_test_peak (result, 0, "range_m"), ==, sources[i].h);
        g_assert_cmpfloat (es_test_peak (result, 0, "margin_db"), >, 0);
        if (kind == 0 && sources[i].h == 400)
          g_assert_cmpfloat_with_epsilon (es_test_peak (result, 0, "margin_db"), 0.08, 0.06);
      }
}

/* Bearings from the first element move from row to row: at whole degrees another row than that of the source is the
 * strongest. */
static void
test_near_from_end (gconstpointer data)
{
  const char *device = data;
  const EsOrigin end = { .kind = ES_ORIGIN_ELEMENT };
  g_autoptr (EsArray) line = es_test_cbf_make_line (16, 1.5), array = es_array_with_origin (line, &end, NULL);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "band", "200:450", "ranges", "far,50,80,100", NULL);
  double first[3], middle[3];

  es_array_get_origin_place (array, first);
  es_array_get_origin_place (line, middle);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (line, 4000, 8000, 1500);
  es_test_sonar_add_noise (sonar, es_test_place_point (10, 80, 0), 200, 450, 0.01, 3);
  g_autoptr (EsRecording) plain = es_test_sonar_record (sonar, ESK_F32, 1);
  es_recording_set_array (plain, array);
  g_autoptr (EsResult) result = es_test_cbf_run (plain, device, params);
  g_assert_cmpfloat_with_epsilon (es_test_peak (result, 0, "bearing_deg"),
                                  atan2 (80, 10 + middle[0] - first[0]) * 180 / G_PI, 0.05);
  g_assert_cmpfloat (es_test_peak (result, 0, "range_m"), ==, 80);
  g_assert_cmpfloat (es_test_peak (result, 0, "margin_db"), >, 0);
}

/* 184 elements, 2.5 m, 20 kHz: far at 20 degrees, by a twentieth of a decibel over 3,200 m. */
static void
test_rows (gconstpointer data)
{
  const char *device = data;
  const double wanted[] = { 0, -11.5, -9.1, -6.4, -3.3, -0.8, -0.2, -0.05 };
  g_autoptr (EsArray) array = es_test_cbf_make_line (184, 2.5);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "angles", "10:169:1", "band", "199.6:300.3", NULL);
  g_autoptr (EsRecording) recording = find_scene ("rows");

  if (recording == NULL)
    {
      g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 20000, 20000, 1500);
      es_test_sonar_add_tones (sonar, es_test_place_far (array, 20), 201, 299, 16, 0.02, 5);
      es_test_sonar_add_white (sonar, 3.2e-3, 6);
      recording = keep_scene ("rows", sonar, ESK_I16);
    }
  g_autoptr (EsResult) result = es_test_cbf_run (recording, device, params);
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
  g_autoptr (EsArray) array = es_test_cbf_make_line (32, 1.5);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 8000, 16000, 1500);

  es_test_sonar_add_tone (sonar, es_test_place_far (array, 57), 400, sqrt (2), 0.4);
  es_test_sonar_add_white (sonar, sigma2, 9);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
  for (guint v = 0; v < G_N_ELEMENTS (variants); v++)
    {
      g_autoptr (EsParams) params = es_test_beam_params ("cbf", "angles", "10:169:1", "band", "320:480", "ranges",
                                                         "far", "window",
                                                         variants[v][0], "snapshots", variants[v][1], "shading",
                                                         variants[v][2], "diagonal", variants[v][3], "overlap",
                                                         variants[v][4], NULL);
      g_autoptr (EsResult) result = es_test_cbf_run (recording, device, params);
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
  g_autoptr (EsArray) array = es_test_cbf_make_line (48, 1.5);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 8000, 8192, 1500);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "angles", "10:169:1", "band", "300:350", "ranges",
                                                     "far", "block", "8192", "window", "rectangular",
                                                     "lofar-band", "100:200", NULL);

  es_test_sonar_add_tone (sonar, es_test_place_far (array, 70), 325, 0.3, 0);
  /* One of 150 Hz from elsewhere is in LOFAR, in its bin and its beam, and in no band energy. */
  es_test_sonar_add_tone (sonar, es_test_place_far (array, 130), 150.390625, 0.5, 1);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_I16, 1);
  g_autoptr (EsResult) result = es_test_cbf_run (recording, device, params);
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
  g_autoptr (EsArray) array = es_test_cbf_make_line (16, 1.5);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 4000, 4000 * 6 + 1234, 1500);
  g_autoptr (GError) error = NULL;

  es_test_sonar_add_tone (sonar, es_test_place_far (array, 40), 400, 0.4, 0);
  es_test_sonar_add_tone (sonar, es_test_place_far (array, 120), 350, 0.2, 0);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_I16, 1);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "angles", "10:169:1", "band", "320:480", "ranges",
                                                     "50,far", "from", "1", "to",
                                                     "5.5", "bands", "third-octave", NULL);
  g_autoptr (EsParams) other = es_params_copy (params);
  g_assert_true (es_params_parse (other, "lofar-bearing", "120.2", &error));
  g_autoptr (EsResult) result = es_test_cbf_run (recording, device, params);
  g_autoptr (EsResult) second = es_test_cbf_run (recording, device, other);
  /* A line hears the other side as this one. */
  for (guint i = 0; i < 3; i++)
    {
      static const char *const same[] = { "240", "-120.3", "239.6" };

      g_assert_true (es_params_parse (other, "lofar-bearing", same[i], &error));
      g_autoptr (EsResult) mirrored = es_test_cbf_run (recording, device, other);
      g_assert_cmpfloat (es_test_value (mirrored, "lofar_bearing_deg"), ==, 120);
    }
  EsField *btr = field_of (result, "btr"), *lofar = field_of (result, "lofar"), *lofar_2 = field_of (second, "lofar");
  const guint n_bins = es_field_get_columns (lofar)->n;
  const char *const *told = es_field_get_metadata (lofar);
  guint n_bands = 0;
  g_autofree float *row = g_new (float, MAX (n_bins, 160)), *row_2 = g_new (float, n_bins);

  g_assert_cmpfloat (es_test_value (result, "lofar_bearing_deg"), ==, 40);
  g_assert_cmpfloat (es_test_value (second, "lofar_bearing_deg"), ==, 120);
  g_assert_cmpuint (es_field_get_rows (btr)->n, ==, 4);
  g_assert_cmpuint (es_field_get_rows (lofar)->n, ==, 4);
  /* The band that is named is the one that is there; that of the beams has its own name. */
  for (guint i = 0; told[i] != NULL; i += 2)
    if (strcmp (told[i], "band_hz") == 0 || strcmp (told[i], "beams_band_hz") == 0)
      {
        double low, high;

        g_assert_cmpint (sscanf (told[i + 1], "%lf:%lf", &low, &high), ==, 2);
        if (strcmp (told[i], "band_hz") == 0)
          {
            g_assert_cmpfloat_with_epsilon (low, es_field_get_columns (lofar)->values[0], 1e-3);
            g_assert_cmpfloat_with_epsilon (high, es_field_get_columns (lofar)->values[n_bins - 1], 1e-3);
          }
        else
          g_assert_cmpfloat (low, >, es_field_get_columns (lofar)->values[0]);
        n_bands++;
      }
  g_assert_cmpuint (n_bands, ==, 2);
  for (guint i = 0; i < 4; i++)
    {
      g_assert_cmpfloat (es_field_get_rows (btr)->values[i], ==, 1.5 + i);
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
  g_autoptr (EsResult) kept = es_test_cbf_run (recording, device, many);
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

/* All es_test_cbf_devices agree, and each with itself to the byte. */
static void
test_same (void)
{
  g_autoptr (EsArray) array = es_test_cbf_make_line (33, 1.5);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 4000, 4000 * 7, 1500);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "angles", "10:169:1", "band", "300:480", "block",
                                                     "500ms", NULL);
  float *first = NULL;

  es_test_sonar_add_noise (sonar, es_test_place_far (array, 77), 310, 470, 0.01, 4);
  es_test_sonar_add_white (sonar, 0.001, 5);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_I16, 1);
  for (guint d = 0; d < G_N_ELEMENTS (es_test_cbf_devices); d++)
    {
      if (es_device_find (es_test_cbf_devices[d], NULL) == NULL)
        continue;
      g_autoptr (EsResult) result = es_test_cbf_run (recording, es_test_cbf_devices[d], params);
      g_autoptr (EsResult) again = es_test_cbf_run (recording, es_test_cbf_devices[d], params);
      EsField *btr = field_of (result, "btr"), *same = field_of (again, "btr");
      const gsize n = (gsize) es_field_get_rows (btr)->n * es_field_get_columns (btr)->n;

      g_assert_cmpuint (es_field_get_rows (btr)->n, ==, 14);
      g_assert_cmpmem (es_field_peek (btr), n * sizeof (float), es_field_peek (same), n * sizeof (float));
      if (first == NULL)
        first = g_memdup2 (es_field_peek (btr), n * sizeof (float));
      for (gsize i = 0; i < n; i++)
        g_assert_cmpfloat_with_epsilon (es_field_peek (btr)[i], first[i], 1e-6);
      g_assert_cmpstr (es_result_get_device_id (result), ==, es_test_cbf_devices[d]);
    }
  g_free (first);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  scenes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  es_test_cbf_add ("far", test_far);
  es_test_cbf_add ("near", test_near);
  es_test_cbf_add ("near-from-end", test_near_from_end);
  es_test_cbf_add ("rows", test_rows);
  es_test_cbf_add ("power", test_power);
  es_test_cbf_add ("traps", test_traps);
  es_test_cbf_add ("layers", test_layers);
  g_test_add_func ("/cbf/same", test_same);
  /* Last: its card stays lost. */
  const int status = g_test_run ();
  g_hash_table_unref (scenes);
  return status;
}
