/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The operation mvdr: what its result consists of, on the CPU, on a card of host memory and on two of them. What the
 * beams themselves must read is tested beside the beamformer. */

#include <math.h>

#include "es-test-beams.h"
#include "es-test-mvdr.h"

/* ---- what it finds ---- */

/* Of a list that is none of es_test_peak ()'s. */
static double
bearing_of (EsResult *result, const char *list, guint i)
{
  JsonArray *peaks = json_object_get_array_member (es_result_get_values (result), list);

  g_assert_cmpuint (i, <, json_array_get_length (peaks));
  return json_object_get_double_member (json_array_get_object_element (peaks, i), "bearing_deg");
}

static void
test_pair (gconstpointer data)
{
  g_autoptr (EsRecording) recording = es_test_mvdr_make_pair (12);
  g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "band", "319:476", "angles", "80:100:0.25", "sources", "2",
                                                     NULL);
  g_autoptr (EsResult) result = es_test_mvdr_run (recording, data, params);
  const char *const lists[] = { "peaks", "peaks_music" };

  for (guint l = 0; l < G_N_ELEMENTS (lists); l++)
    {
      g_assert_cmpuint (es_test_mvdr_count_peaks (result, lists[l]), >=, 2);
      const double a = bearing_of (result, lists[l], 0), b = bearing_of (result, lists[l], 1);
      g_assert_cmpfloat_with_epsilon (MIN (a, b), 88.75, 0.2);
      g_assert_cmpfloat_with_epsilon (MAX (a, b), 91.25, 0.2);
    }
  g_assert_cmpuint (es_test_mvdr_count_peaks (result, "peaks"), ==, 2);
  g_assert_cmpuint (es_test_mvdr_count_peaks (result, "peaks_cbf"), ==, 1);
  g_assert_cmpfloat_with_epsilon (bearing_of (result, "peaks_cbf", 0), 90, 0.5);
  /* Left and right of a line. */
  g_assert_cmpfloat_with_epsilon (es_test_peak (result, 0, "mirror_deg") + es_test_peak (result, 0, "bearing_deg"), 360,
                                  1e-9);
  g_assert_cmpfloat (es_test_peak (result, 0, "width_deg"), <, 1);
  g_assert_true (isnan (es_test_peak (result, 0, "range_m")));

  JsonObject *values = es_result_get_values (result);
  g_assert_cmpint (json_object_get_int_member (values, "elements"), ==, 32);
  g_assert_cmpint (json_object_get_int_member (values, "snapshots_per_block"), ==, 8);
  g_assert_cmpfloat (es_test_value (result, "snapshots_used"), ==, 64);
  g_assert_cmpfloat (es_test_value (result, "loading"), ==, 0.01);
  g_assert_cmpint (json_object_get_int_member (values, "sources_mdl"), ==, 2);
  g_assert_cmpint (json_object_get_int_member (values, "sources_aic"), >=, 2);
  g_assert_cmpint (json_object_get_int_member (values, "tracks"), ==, 2);
  g_assert_cmpint (json_object_get_int_member (values, "blocks"), ==, 12);
  g_assert_cmpfloat (es_test_value (result, "real_time_factor"), >, 0);
  g_assert_cmpfloat (es_test_value (result, "factor_ms"), >=, 0);
  g_assert_cmpfloat (es_test_value (result, "spectrum_ms"), >, 0);
  g_assert_true (g_strv_contains ((const char *const[]) { "cholesky", "woodbury", NULL },
                                  json_object_get_string_member (values, "method")));
  /* White noise of mean square 0.0005 over 1000 Hz: in a bin of 3.9 Hz. */
  g_assert_cmpfloat_with_epsilon (es_test_value (result, "noise_floor_db"),
                                  10 * log10 (0.0005 * ES_TEST_MVDR_RATE / 512.0 / 1000),
                                  0.7);
  /* A plane wave reads its power: MVDR of enough snapshots a little less. */
  const double in_band = 0.01 * (476 - 319) / 200;
  g_assert_cmpfloat (es_test_peak (result, 0, "level_db"), <, 10 * log10 (in_band) + 0.5);
  g_assert_cmpfloat (es_test_peak (result, 0, "level_db"), >, 10 * log10 (in_band) - 6);
}

static void
test_layers (gconstpointer data)
{
  static const char *const fields[] = { "fraz", "fraz-mvdr", "fraz-music", "btr", "btr-mvdr", "btr-music" };
  g_autoptr (EsRecording) recording = es_test_mvdr_make_pair (6);
  g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "band", "319:476", "angles", "80:100:0.5", "sources", "2",
                                                     "compare", "yes", "lofar-bearing", "91.2", NULL);
  g_autoptr (EsResult) result = es_test_mvdr_run (recording, data, params);
  const guint n_bins = es_field_get_rows (es_test_mvdr_field_of (result, "fraz"))->n;
  g_autofree float *row = g_new (float, MAX (n_bins, 41));

  g_assert_cmpuint (n_bins, ==, json_object_get_int_member (es_result_get_values (result), "cbf_bins"));
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      EsField *field = es_test_mvdr_field_of (result, fields[i]);
      g_assert_cmpuint (es_field_get_columns (field)->n, ==, 41);
      g_assert_cmpuint (es_field_get_rows (field)->n, ==, i < 3 ? n_bins : 6);
      g_assert_cmpstr (es_field_get_reference (field), ==, i % 3 == 2 ? "1" : "full scale²");
      for (guint r = 0; r < es_field_get_rows (field)->n; r++)
        {
          g_assert_true (es_field_read (field, r, 1, row, NULL));
          for (guint k = 0; k < 41; k++)
            g_assert_cmpfloat (row[k], >=, i % 3 == 2 ? 1 : 0);
        }
    }
  /* One row alone needs no map of ranges. */
  g_assert_null (es_result_find_layer (result, "energy-field"));
  g_assert_null (es_result_find_layer (result, "energy-field-mvdr"));

  /* Time by frequency at the bearing asked for: what that beam sums. */
  EsField *lofar = es_test_mvdr_field_of (result, "lofar");
  g_autoptr (EsBeamHistory) history = es_beam_history_new_from_result (result);
  g_assert_cmpfloat (es_test_value (result, "lofar_bearing_deg"), ==, 91);
  for (guint r = 0; r < 6; r++)
    {
      double sum = 0;
      g_assert_true (es_field_read (lofar, r, 1, row, NULL));
      for (guint b = 0; b < n_bins; b++)
        sum += row[b];
      g_assert_cmpfloat_with_epsilon (sum / es_beam_history_get_row_of (history, ES_BEAM_MVDR, r)[22], 1, 1e-4);
    }

  EsCurve *energy = ES_CURVE (es_result_find_layer (result, "band-energy"));
  g_assert_cmpuint (es_curve_get_n_series (energy), ==, 3);
  g_assert_cmpstr (es_curve_get_series (energy, 0)->title, ==, "CBF");
  g_assert_cmpstr (es_curve_get_series (energy, 1)->title, ==, "MVDR (highest near each beam)");
  g_assert_cmpstr (es_curve_get_series (energy, 2)->title, ==, "MUSIC");
  g_assert_true (es_curve_get_series (energy, 2)->right_axis);
  /* Between the two CBF has its peak and MVDR a valley, and it never reads more. */
  const double *cbf = es_curve_get_series (energy, 0)->y, *mvdr = es_curve_get_series (energy, 1)->y;
  g_assert_cmpfloat (cbf[20], >, cbf[17]);
  g_assert_cmpfloat (mvdr[20], <, MIN (mvdr[17], mvdr[22]) - 1.5);
  for (guint i = 0; i < 41; i++)
    g_assert_cmpfloat (mvdr[i], <, cbf[i] + 0.1);

  EsField *eigenvalues = es_test_mvdr_field_of (result, "eigenvalues");
  const guint n = es_field_get_columns (eigenvalues)->n;
  g_assert_cmpuint (n, ==, 32);
  g_assert_cmpuint (es_field_get_rows (eigenvalues)->n, ==, n_bins);
  for (guint b = 0; b < n_bins; b++)
    for (guint i = 0; i + 1 < n; i++)
      g_assert_cmpfloat (es_field_peek (eigenvalues)[b * n + i], >=, es_field_peek (eigenvalues)[b * n + i + 1]);

  /* Patterns hear their own direction as it is, and MVDR's has a deep notch at the other source. */
  EsCurve *pattern = ES_CURVE (es_result_find_layer (result, "beam-pattern"));
  const double bearing = es_test_value (result, "pattern_bearing_deg");
  const double other = bearing < 90 ? 91.25 : 88.75, *x = es_curve_get_x (pattern);
  g_assert_cmpuint (es_curve_get_n_series (pattern), ==, 2);
  double deepest[2] = { INFINITY, INFINITY };
  for (guint i = 0; i < es_curve_get_length (pattern); i++)
    for (guint s = 0; s < 2; s++)
      {
        if (fabs (x[i] - bearing) < 1e-9)
          g_assert_cmpfloat_with_epsilon (es_curve_get_series (pattern, s)->y[i], 0, 1e-3);
        if (fabs (x[i] - other) < 0.6)
          deepest[s] = MIN (deepest[s], es_curve_get_series (pattern, s)->y[i]);
      }
  g_assert_cmpfloat (deepest[0], >, -6);
  g_assert_cmpfloat (deepest[1], <, -12);
  g_assert_cmpfloat (es_test_value (result, "pattern_frequency_hz"), >=, 316);
  g_assert_cmpfloat (es_test_value (result, "pattern_frequency_hz"), <=, 480);

  /* Tables. */
  EsTable *methods = es_test_mvdr_table_of (result, "methods"), *tracks = es_test_mvdr_table_of (result, "tracks");
  g_assert_cmpuint (es_table_get_n_rows (methods), ==, 4);
  for (guint m = 0; m < 4; m++)
    {
      g_assert_cmpstr (es_table_get_text (methods, m, 9), ==, "");
      g_assert_cmpfloat (es_table_get_value (methods, m, 1), >, 0);
      g_assert_cmpfloat (es_table_get_value (methods, m, 5), <, 1e3);      /* 1e-6, in units of 1e-9 */
    }
  g_assert_cmpfloat (es_table_get_value (methods, 2, 7), >=, 1);
  g_assert_true (isnan (es_table_get_value (methods, 0, 7)));
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (es_result_get_values (result), "methods")), ==,
                    4);
  g_assert_cmpuint (es_table_get_n_rows (tracks), >=, 2 * 5);
  g_assert_cmpfloat (es_table_get_value (tracks, 0, 0), ==, 1);
  g_assert_cmpfloat_with_epsilon (fabs (es_table_get_value (tracks, 0, 2) - 90), 1.25, 0.5);
  g_assert_cmpuint (es_table_get_n_rows (es_test_mvdr_table_of (result, "detections")), >=, 2 * 5);
  g_assert_cmpuint (es_table_get_n_columns (es_test_mvdr_table_of (result, "peaks")), ==, 6);
}

/* Near rows: each kind has its map of ranges. Without a far row there is nothing over time. */
static void
test_ranges (gconstpointer data)
{
  g_autoptr (EsArray) array = es_test_mvdr_make_line (24);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, ES_TEST_MVDR_RATE, ES_TEST_MVDR_RATE * 4, 1500);

  es_test_sonar_add_noise (sonar, es_test_place_perpendicular (array, 60, 40), 320, 480, 0.01, 4);
  es_test_sonar_add_white (sonar, 0.0005, 6);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_I16, 1);
  g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "angles", "10:169:1", "band", "330:470", "ranges",
                                                     "far,20,40,80", NULL);
  g_autoptr (EsParams) near = es_test_beam_params ("mvdr", "angles", "10:169:1", "band", "330:470", "ranges",
                                                   "20,40,80", NULL);
  g_autoptr (EsResult) result = es_test_mvdr_run (recording, data, params);
  g_autoptr (EsResult) second = es_test_mvdr_run (recording, data, near);

  g_assert_cmpuint (es_field_get_rows (es_test_mvdr_field_of (result, "energy-field"))->n, ==, 4);
  g_assert_cmpuint (es_field_get_rows (es_test_mvdr_field_of (result, "energy-field-mvdr"))->n, ==, 4);
  g_assert_null (es_result_find_layer (result, "energy-field-music"));
  g_assert_cmpfloat_with_epsilon (es_test_peak (result, 0, "bearing_deg"), 60, 1);
  g_assert_cmpfloat (es_test_peak (result, 0, "range_m"), ==, 40);

  g_assert_cmpfloat (es_test_peak (second, 0, "range_m"), ==, 40);
  g_assert_cmpuint (es_field_get_rows (es_test_mvdr_field_of (second, "energy-field-mvdr"))->n, ==, 3);
  g_assert_null (es_result_find_layer (second, "btr-mvdr"));
  g_assert_null (es_result_find_layer (second, "tracks"));
  g_assert_null (es_result_find_layer (second, "beam-pattern"));
  g_assert_cmpuint (es_curve_get_n_series (ES_CURVE (es_result_find_layer (second, "band-energy"))), ==, 6);
}

/* An array that is no line hears all round, and has no mirror. */
static void
test_circle (gconstpointer data)
{
  EsElement elements[20] = { { 0 } };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 20; i++)
    elements[i] = (EsElement) { .x = 3 * cos (G_PI / 10 * i), .y = 3 * sin (G_PI / 10 * i), .channel = i, .gain = 1 };
  g_autoptr (EsArray) array = es_array_new (elements, 20, &error);
  g_assert_no_error (error);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, ES_TEST_MVDR_RATE, ES_TEST_MVDR_RATE * 6, 1500);
  es_test_sonar_add_noise (sonar, es_test_place_far (array, -70), 320, 480, 0.01, 4);
  es_test_sonar_add_white (sonar, 0.0005, 6);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
  g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "band", "330:470", NULL);
  g_autoptr (EsResult) result = es_test_mvdr_run (recording, data, params);

  g_assert_cmpfloat_with_epsilon (remainder (es_test_peak (result, 0, "bearing_deg") + 70, 360), 0, 1);
  g_assert_true (isnan (es_test_peak (result, 0, "mirror_deg")));
  g_assert_cmpuint (es_table_get_n_columns (es_test_mvdr_table_of (result, "peaks")), ==, 5);
}

/* ---- few snapshots ---- */

static void
test_snapshots (gconstpointer data)
{
  const struct { const char *snapshots, *blocks, *says; double k; } cases[] = {
    { "1", "1", "orders bearings exactly as CBF", 1 }, { "8", "1", "fewer than 32 elements", 8 },
    { "8", "6", "48 snapshots of 32 elements", 48 }, { "8", "8", NULL, 64 },
  };
  g_autoptr (EsRecording) recording = es_test_mvdr_make_pair (8);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "angles", "10:169:1", "band", "319:476",
                                                         "snapshots", cases[i].snapshots,
                                                         "blocks", cases[i].blocks, NULL);
      g_autoptr (EsResult) result = es_test_mvdr_run (recording, data, params);

      g_assert_cmpfloat (es_test_value (result, "snapshots_used"), ==, cases[i].k);
      if (cases[i].says != NULL)
        g_assert_true (es_test_mvdr_has_warning (result, cases[i].says));
      else
        g_assert_false (es_test_mvdr_has_warning (result, "snapshots"));
      g_assert_cmpfloat (es_test_value (result, "loading"), ==, cases[i].k >= 32 ? 0.01 : 0.1);
      /* One snapshot: each block's strongest direction is CBF's. */
      if (i == 0)
        {
          EsField *cbf = es_test_mvdr_field_of (result, "btr"), *mvdr = es_test_mvdr_field_of (result, "btr-mvdr");
          float row[2][160];
          for (guint r = 0; r < 8; r++)
            {
              guint best[2] = { 0 };
              g_assert_true (es_field_read (cbf, r, 1, row[0], NULL));
              g_assert_true (es_field_read (mvdr, r, 1, row[1], NULL));
              for (guint k = 0; k < 2; k++)
                for (guint a = 1; a < 160; a++)
                  if (row[k][a] > row[k][best[k]])
                    best[k] = a;
              g_assert_cmpfloat (fabs ((double) best[0] - best[1]), <=, 2);
            }
        }
    }
}

/* Faded snapshots count less, and there are never more than were heard: 8 blocks. */
static void
test_forgetting (gconstpointer data)
{
  const struct { const char *forgetting; double k; } cases[] = {
    { "0.001", 8.12 }, { "0.5", 24 }, { "0.9", 8 * 1.1 / 0.9 }, { "1", 8 },
  };
  g_autoptr (EsRecording) recording = es_test_mvdr_make_pair (8);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "angles", "10:169:1", "band", "319:476",
                                                         "snapshots", "8", "forgetting",
                                                         cases[i].forgetting, NULL);
      g_autoptr (EsResult) result = es_test_mvdr_run (recording, data, params);

      g_assert_cmpfloat_with_epsilon (es_test_value (result, "snapshots_used"), cases[i].k, 0.02);
      g_assert_true (es_test_mvdr_has_warning (result, "fewer than 32 elements"));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  es_test_mvdr_add ("pair", test_pair);
  es_test_mvdr_add ("layers", test_layers);
  es_test_mvdr_add ("ranges", test_ranges);
  es_test_mvdr_add ("circle", test_circle);
  es_test_mvdr_add ("snapshots", test_snapshots);
  es_test_mvdr_add ("forgetting", test_forgetting);
  return g_test_run ();
}
