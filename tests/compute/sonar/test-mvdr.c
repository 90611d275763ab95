/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The operation mvdr: what its result consists of, on the CPU, on a card of host memory and on two of them. What the
 * beams themselves must read is tested beside the beamformer. */

#include <math.h>
#include <string.h>

#include "device/es-buffer-internal.h"
#include "base/es-error.h"
#include "layer/es-layer-internal.h"
#include "es-test-beams.h"
#include "readers/es-open.h"

static const char *const devices[] = { "cpu", "cuda:0", "cuda:all" };

#define RATE 2000

static EsArray *
make_line (guint n)
{
  g_autoptr (GError) error = NULL;
  EsArray *array = es_array_new_line (n, 1.5, 0, &error);

  g_assert_no_error (error);
  return array;
}

/* Two sources of noise, 2.5 degrees apart, 20 dB over the noise of elements. */
static EsRecording *
make_pair (guint seconds)
{
  g_autoptr (EsArray) array = make_line (32);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, RATE, RATE * seconds, 1500);

  es_test_sonar_add_noise (sonar, es_test_place_far (array, 88.75), 300, 500, 0.01, 4);
  es_test_sonar_add_noise (sonar, es_test_place_far (array, 91.25), 300, 500, 0.01, 5);
  /* As dense over the whole of 1 kHz as a hundredth of a source in its 200 Hz. */
  es_test_sonar_add_white (sonar, 0.0005, 6);
  return es_test_sonar_record (sonar, ESK_F32, 1);
}

static EsResult *
run (EsRecording *recording, const char *device, EsParams *params)
{
  g_autoptr (GError) error = NULL;
  EsResult *result = es_test_run_beams ("mvdr", recording, device, NULL, params, &error);

  g_assert_no_error (error);
  return result;
}

static EsField *
field_of (EsResult *result, const char *name)
{
  EsLayer *layer = es_result_find_layer (result, name);

  g_assert_true (ES_IS_FIELD (layer));
  g_assert_cmpstr (es_field_get_role (ES_FIELD (layer)), ==, name);
  return ES_FIELD (layer);
}

static EsTable *
table_of (EsResult *result, const char *name)
{
  EsLayer *layer = es_result_find_layer (result, name);

  g_assert_true (ES_IS_TABLE (layer));
  return ES_TABLE (layer);
}

static guint
count_peaks (EsResult *result, const char *list)
{
  return json_array_get_length (json_object_get_array_member (es_result_get_values (result), list));
}

static gboolean
has_warning (EsResult *result, const char *text)
{
  const char *const *warnings = es_result_get_warnings (result);
  gboolean found = FALSE;

  for (guint i = 0; warnings != NULL && warnings[i] != NULL; i++)
    found = found || strstr (warnings[i], text) != NULL;
  return found;
}

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
  g_autoptr (EsRecording) recording = make_pair (12);
  g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "band", "319:476", "angles", "80:100:0.25", "sources", "2",
                                                     NULL);
  g_autoptr (EsResult) result = run (recording, data, params);
  const char *const lists[] = { "peaks", "peaks_music" };

  for (guint l = 0; l < G_N_ELEMENTS (lists); l++)
    {
      g_assert_cmpuint (count_peaks (result, lists[l]), >=, 2);
      const double a = bearing_of (result, lists[l], 0), b = bearing_of (result, lists[l], 1);
      g_assert_cmpfloat_with_epsilon (MIN (a, b), 88.75, 0.2);
      g_assert_cmpfloat_with_epsilon (MAX (a, b), 91.25, 0.2);
    }
  g_assert_cmpuint (count_peaks (result, "peaks"), ==, 2);
  g_assert_cmpuint (count_peaks (result, "peaks_cbf"), ==, 1);
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
  g_assert_cmpfloat_with_epsilon (es_test_value (result, "noise_floor_db"), 10 * log10 (0.0005 * RATE / 512.0 / 1000),
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
  g_autoptr (EsRecording) recording = make_pair (6);
  g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "band", "319:476", "angles", "80:100:0.5", "sources", "2",
                                                     "compare", "yes", "lofar-bearing", "91.2", NULL);
  g_autoptr (EsResult) result = run (recording, data, params);
  const guint n_bins = es_field_get_rows (field_of (result, "fraz"))->n;
  g_autofree float *row = g_new (float, MAX (n_bins, 41));

  g_assert_cmpuint (n_bins, ==, json_object_get_int_member (es_result_get_values (result), "cbf_bins"));
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      EsField *field = field_of (result, fields[i]);
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

  /* Time by frequency at the bearing asked for: what the bearing-time record sums. */
  EsField *lofar = field_of (result, "lofar"), *btr = field_of (result, "btr-mvdr");
  g_assert_cmpfloat (es_test_value (result, "lofar_bearing_deg"), ==, 91);
  for (guint r = 0; r < 6; r++)
    {
      double sum = 0;
      g_assert_true (es_field_read (lofar, r, 1, row, NULL));
      for (guint b = 0; b < n_bins; b++)
        sum += row[b];
      g_assert_true (es_field_read (btr, r, 1, row, NULL));
      g_assert_cmpfloat_with_epsilon (sum / row[22], 1, 1e-4);
    }

  EsCurve *energy = ES_CURVE (es_result_find_layer (result, "band-energy"));
  g_assert_cmpuint (es_curve_get_n_series (energy), ==, 3);
  g_assert_cmpstr (es_curve_get_series (energy, 0)->title, ==, "CBF");
  g_assert_cmpstr (es_curve_get_series (energy, 1)->title, ==, "MVDR");
  g_assert_cmpstr (es_curve_get_series (energy, 2)->title, ==, "MUSIC");
  g_assert_true (es_curve_get_series (energy, 2)->right_axis);
  /* Between the two CBF has its peak and MVDR a valley, and it never reads more. */
  const double *cbf = es_curve_get_series (energy, 0)->y, *mvdr = es_curve_get_series (energy, 1)->y;
  g_assert_cmpfloat (cbf[20], >, cbf[17]);
  g_assert_cmpfloat (mvdr[20], <, MIN (mvdr[17], mvdr[22]) - 1.5);
  for (guint i = 0; i < 41; i++)
    g_assert_cmpfloat (mvdr[i], <, cbf[i] + 0.1);

  EsField *eigenvalues = field_of (result, "eigenvalues");
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
  EsTable *methods = table_of (result, "methods"), *tracks = table_of (result, "tracks");
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
  g_assert_cmpuint (es_table_get_n_rows (table_of (result, "detections")), >=, 2 * 5);
  g_assert_cmpuint (es_table_get_n_columns (table_of (result, "peaks")), ==, 6);
}

/* Near rows: each kind has its map of ranges. Without a far row there is nothing over time. */
static void
test_ranges (gconstpointer data)
{
  g_autoptr (EsArray) array = make_line (24);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, RATE, RATE * 4, 1500);

  es_test_sonar_add_noise (sonar, es_test_place_perpendicular (array, 60, 40), 320, 480, 0.01, 4);
  es_test_sonar_add_white (sonar, 0.0005, 6);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_I16, 1);
  g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "band", "330:470", "ranges", "far,20,40,80", NULL);
  g_autoptr (EsParams) near = es_test_beam_params ("mvdr", "band", "330:470", "ranges", "20,40,80", NULL);
  g_autoptr (EsResult) result = run (recording, data, params);
  g_autoptr (EsResult) second = run (recording, data, near);

  g_assert_cmpuint (es_field_get_rows (field_of (result, "energy-field"))->n, ==, 4);
  g_assert_cmpuint (es_field_get_rows (field_of (result, "energy-field-mvdr"))->n, ==, 4);
  g_assert_null (es_result_find_layer (result, "energy-field-music"));
  g_assert_cmpfloat_with_epsilon (es_test_peak (result, 0, "bearing_deg"), 60, 1);
  g_assert_cmpfloat (es_test_peak (result, 0, "range_m"), ==, 40);

  g_assert_cmpfloat (es_test_peak (second, 0, "range_m"), ==, 40);
  g_assert_cmpuint (es_field_get_rows (field_of (second, "energy-field-mvdr"))->n, ==, 3);
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
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, RATE, RATE * 6, 1500);
  es_test_sonar_add_noise (sonar, es_test_place_far (array, -70), 320, 480, 0.01, 4);
  es_test_sonar_add_white (sonar, 0.0005, 6);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
  g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "band", "330:470", NULL);
  g_autoptr (EsResult) result = run (recording, data, params);

  g_assert_cmpfloat_with_epsilon (remainder (es_test_peak (result, 0, "bearing_deg") + 70, 360), 0, 1);
  g_assert_true (isnan (es_test_peak (result, 0, "mirror_deg")));
  g_assert_cmpuint (es_table_get_n_columns (table_of (result, "peaks")), ==, 5);
}

/* ---- few snapshots ---- */

static void
test_snapshots (gconstpointer data)
{
  const struct { const char *snapshots, *blocks, *says; double k; } cases[] = {
    { "1", "1", "orders bearings exactly as CBF", 1 }, { "8", "1", "fewer than 32 elements", 8 },
    { "8", "6", "48 snapshots of 32 elements", 48 }, { "8", "8", NULL, 64 },
  };
  g_autoptr (EsRecording) recording = make_pair (8);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "band", "319:476", "snapshots", cases[i].snapshots,
                                                         "blocks", cases[i].blocks, NULL);
      g_autoptr (EsResult) result = run (recording, data, params);

      g_assert_cmpfloat (es_test_value (result, "snapshots_used"), ==, cases[i].k);
      if (cases[i].says != NULL)
        g_assert_true (has_warning (result, cases[i].says));
      else
        g_assert_false (has_warning (result, "snapshots"));
      g_assert_cmpfloat (es_test_value (result, "loading"), ==, cases[i].k >= 32 ? 0.01 : 0.1);
      /* One snapshot: each block's strongest direction is CBF's. */
      if (i == 0)
        {
          EsField *cbf = field_of (result, "btr"), *mvdr = field_of (result, "btr-mvdr");
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
  g_autoptr (EsRecording) recording = make_pair (8);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "band", "319:476", "snapshots", "8", "forgetting",
                                                         cases[i].forgetting, NULL);
      g_autoptr (EsResult) result = run (recording, data, params);

      g_assert_cmpfloat_with_epsilon (es_test_value (result, "snapshots_used"), cases[i].k, 0.02);
      g_assert_true (has_warning (result, "fewer than 32 elements"));
    }
}

/* ---- the same ---- */

static void
test_same (void)
{
  g_autoptr (EsRecording) recording = make_pair (5);
  g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "band", "319:476", "sources", "2", NULL);
  static const char *const names[] = { "btr", "btr-mvdr", "btr-music" };
  float *first[3] = { NULL };

  for (guint d = 0; d < G_N_ELEMENTS (devices); d++)
    {
      if (es_device_find (devices[d], NULL) == NULL)
        continue;
      g_autoptr (EsResult) result = run (recording, devices[d], params);
      g_autoptr (EsResult) again = run (recording, devices[d], params);

      for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        {
          EsField *field = field_of (result, names[i]);
          const gsize n = (gsize) es_field_get_rows (field)->n * es_field_get_columns (field)->n;

          g_assert_cmpmem (es_field_peek (field), n * sizeof (float), es_field_peek (field_of (again, names[i])),
                           n * sizeof (float));
          if (first[i] == NULL)
            first[i] = g_memdup2 (es_field_peek (field), n * sizeof (float));
          for (gsize k = 0; k < n; k++)
            g_assert_cmpfloat_with_epsilon (es_field_peek (field)[k] / first[i][k], 1, 1e-3);
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_free (first[i]);
}

/* Blocks that are not kept: the second time through gives the same beam. */
static void
test_again (gconstpointer data)
{
  g_autoptr (EsRecording) recording = make_pair (6);
  g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "band", "319:476", "angles", "0:180:0.1", NULL);
  const EsLimits limits = { .memory = 16 << 20 };
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) kept = run (recording, data, params);
  g_autoptr (EsResult) again = es_test_run_beams ("mvdr", recording, data, &limits, params, &error);
  guint n_stages;
  gboolean went_again = FALSE;

  g_assert_no_error (error);
  const EsStageTime *stages = es_result_get_stages (again, &n_stages);
  for (guint i = 0; i < n_stages; i++)
    went_again = went_again || strcmp (stages[i].name, "lofar") == 0;
  g_assert_true (went_again);
  EsField *a = field_of (kept, "lofar"), *b = field_of (again, "lofar");
  const guint n = es_field_get_columns (a)->n;
  g_autofree float *row_a = g_new (float, n), *row_b = g_new (float, n);
  g_assert_cmpuint (es_field_get_rows (b)->n, ==, 6);
  for (guint r = 0; r < 6; r++)
    {
      g_assert_true (es_field_read (a, r, 1, row_a, NULL) && es_field_read (b, r, 1, row_b, NULL));
      for (guint i = 0; i < n; i++)
        g_assert_cmpfloat_with_epsilon (row_b[i] / row_a[i], 1, 1e-3);
    }
}

/* ---- what may go wrong ---- */

static void
test_refused (gconstpointer data)
{
  g_autoptr (EsRecording) recording = make_pair (2);
  const struct { const char *key, *value, *key_2, *value_2, *says; } cases[] = {
    { "loading", "0", "blocks", "1", "0.1 would do" }, { "band", "990:1200", "peaks", "1", "1000 Hz" },
    { "snapshots", "3000", "block", "1s", "snapshots" }, { "sources", "32", "blocks", "1", "32" },
    { "from", "1.5", "to", "2", "there is no block" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EsParams) params = es_test_beam_params ("mvdr", cases[i].key, cases[i].value, cases[i].key_2,
                                                         cases[i].value_2, NULL);
      g_autoptr (GError) error = NULL;

      g_assert_null (es_test_run_beams ("mvdr", recording, data, NULL, params, &error));
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
      g_assert_nonnull (strstr (error->message, cases[i].says));
    }
  const struct { const char *key, *value; } texts[] = {
    { "loading", "-1" }, { "loading", "101" }, { "loading", "nan" }, { "loading", "much" }, { "method", "gauss" },
    { "snapshots", "0" }, { "lofar-bearing", "left" }, { "peak-distance", "-1" }, { "forgetting", "1.5" },
  };
  g_autoptr (EsParams) params = es_test_beam_params ("mvdr", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_false (es_params_parse (params, texts[i].key, texts[i].value, &error));
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
    }
}

/* One bin, more peaks than angles, a channel that is silent, one with no numbers, and silence altogether. */
static void
test_odd (gconstpointer data)
{
  g_autoptr (EsArray) array = make_line (12);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, RATE, RATE * 6, 1500);
  g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "band", "398.4375:398.437500001", "angles", "40:80:10",
                                                     "peaks", "1000", "peak-range", "200", "sources", "1", NULL);

  es_test_sonar_add_noise (sonar, es_test_place_far (array, 60), 320, 480, 0.01, 4);
  es_test_sonar_add_white (sonar, 0.0005, 6);
  for (gsize i = 0; i < sonar->frames; i++)
    {
      sonar->samples[i * 12 + 3] = 0;
      sonar->samples[i * 12 + 7] = i % 500 == 9 ? NAN : sonar->samples[i * 12 + 7];
    }
  {
    g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
    g_autoptr (EsResult) result = run (recording, data, params);

    g_assert_cmpuint (es_field_get_rows (field_of (result, "fraz-mvdr"))->n, ==, 1);
    g_assert_cmpfloat_with_epsilon (es_test_peak (result, 0, "bearing_deg"), 60, 5);
    g_assert_cmpuint (count_peaks (result, "peaks"), <=, 5);
    g_assert_true (has_warning (result, "silent: 4."));
    g_assert_true (has_warning (result, "no numbers"));
  }
  memset (sonar->samples, 0, sonar->frames * 12 * sizeof (double));
  g_autoptr (EsRecording) silence = es_test_sonar_record (sonar, ESK_F32, 1);
  g_autoptr (EsResult) result = run (silence, data, params);
  g_assert_cmpuint (count_peaks (result, "peaks"), ==, 0);
  g_assert_true (has_warning (result, "No direction stands out"));
  g_assert_null (es_result_find_layer (result, "beam-pattern"));
  g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "sources_mdl"), ==, 0);
  g_assert_true (json_object_get_null_member (es_result_get_values (result), "noise_floor_db"));
  for (guint i = 0; i < 5; i++)
    {
      g_assert_cmpfloat (es_field_peek (field_of (result, "btr-mvdr"))[i], ==, 0);
      g_assert_cmpfloat (es_field_peek (field_of (result, "btr-music"))[i], ==, 1);
    }
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
  g_autoptr (EsRecording) recording = make_pair (40);
  g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "block", "100ms", "angles", "1:179:0.25", "method",
                                                     "jacobi", NULL);
  g_autoptr (EsJob) job = es_job_new (es_operation_find ("mvdr", NULL), ES_DATASET (recording), params,
                                      es_device_find (data, NULL), NULL, NULL);

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
  if (strcmp (data, "cpu") != 0)
    g_assert_cmpuint (es_buffers_get_used (es_device_find ("cuda:0", NULL)), ==, 0);
}

/* Adaptive beams cost more than conventional ones, and the plan says so. */
static void
test_plan (void)
{
  const EsOperation *mvdr = es_operation_find ("mvdr", NULL), *cbf = es_operation_find ("cbf", NULL);
  g_autoptr (EsRecording) recording = make_pair (5);
  g_autoptr (EsParams) params = es_test_beam_params ("mvdr", NULL);
  g_autoptr (EsParams) jacobi = es_test_beam_params ("mvdr", "method", "jacobi", NULL);
  g_autoptr (EsParams) plain = es_test_beam_params ("cbf", "ranges", "far", NULL);
  const EsPlan plan = mvdr->plan (ES_DATASET (recording), params, es_device_get_cpu (), NULL);
  const EsPlan slow = mvdr->plan (ES_DATASET (recording), jacobi, es_device_get_cpu (), NULL);
  const EsPlan little = cbf->plan (ES_DATASET (recording), plain, es_device_get_cpu (), NULL);

  g_assert_cmpuint (plan.tiles, ==, 5);
  g_assert_cmpfloat (plan.flops, >, little.flops);
  g_assert_cmpfloat (slow.flops, >, 2 * plan.flops);
  g_assert_cmpfloat (slow.seconds, >, plan.seconds);
  g_assert_cmpuint (mvdr->plan (ES_DATASET (recording), params, es_device_find ("cuda:0", NULL), NULL).device_memory, >,
                    0);
}

/* Conventional beams link their peaks too. */
static void
test_cbf_tracks (gconstpointer data)
{
  g_autoptr (EsArray) array = make_line (32);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, RATE, RATE * 8, 1500);
  g_autoptr (GError) error = NULL;

  es_test_sonar_add_noise (sonar, es_test_place_far (array, 60), 320, 480, 0.01, 4);
  es_test_sonar_add_noise (sonar, es_test_place_far (array, 110), 320, 480, 0.01, 5);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "band", "320:480", "ranges", "50,far", "peak-range", "6",
                                                     NULL);
  g_autoptr (EsResult) result = es_test_run_beams ("cbf", recording, data, NULL, params, &error);
  g_assert_no_error (error);
  EsTable *tracks = table_of (result, "tracks");
  g_assert_cmpuint (es_table_get_n_columns (tracks), ==, 7);
  g_assert_cmpuint (es_table_get_n_rows (tracks), ==, 16);
  for (guint r = 0; r < 16; r++)
    {
      g_assert_cmpfloat (es_table_get_value (tracks, r, 0), ==, r < 8 ? 1 : 2);
      g_assert_cmpfloat (es_table_get_value (tracks, r, 1), ==, r % 8);
      const double bearing = es_table_get_value (tracks, r, 2);
      g_assert_cmpfloat (MIN (fabs (bearing - 60), fabs (bearing - 110)), <, 1);
    }
}

/* Written and read again: the same layers, and what displays need. */
static void
test_saved (void)
{
  g_autofree char *folder = g_dir_make_tmp ("eigenscope-test-XXXXXX", NULL);
  g_autofree char *recording_path = g_build_filename (folder, "pair.wav", NULL);
  g_autofree char *output_path = g_build_filename (folder, "out", NULL);
  g_autofree char *result_path = g_build_filename (output_path, "result.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (recording_path), output = g_file_new_for_path (output_path);
  g_autoptr (GFile) saved = g_file_new_for_path (result_path);
  g_autoptr (EsParams) scene = es_params_new (es_simulate_recording_params);
  g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "band", "319:476", "angles", "80:100:0.5", "sources", "2",
                                                     "ranges", "far,500", "compare", "yes", NULL);
  g_autoptr (GError) error = NULL;

  es_params_parse (scene, "array", "line:32,1.5", NULL);
  es_params_parse (scene, "rate", "2000", NULL);
  es_params_parse (scene, "seconds", "8", NULL);
  es_params_parse (scene, "sources", "noise,88.75,0,300:500;noise,91.25,0,300:500", NULL);
  g_assert_true (es_simulate_recording (file, scene, NULL, NULL, NULL, &error));
  g_autoptr (EsDataset) dataset = es_dataset_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (EsResult) result = run (ES_RECORDING (dataset), "cpu", params);
  g_assert_true (es_write_result (result, output, ES_STACK_ENVI, NULL, &error));
  g_assert_no_error (error);
  g_autoptr (EsResult) loaded = es_result_load (saved, NULL, &error);
  g_assert_no_error (error);

  GListModel *layers = es_result_get_layers (result);
  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);
      EsLayer *other = es_result_find_layer (loaded, es_layer_get_name (layer));

      g_assert_nonnull (other);
      g_assert_cmpint (es_layer_get_kind (other), ==, es_layer_get_kind (layer));
      if (ES_IS_FIELD (layer))
        {
          const gsize n = (gsize) es_field_get_rows (ES_FIELD (layer))->n * es_field_get_columns (ES_FIELD (layer))->n;
          g_autofree float *values = g_new (float, n);

          g_assert_cmpuint (n, ==, (gsize) es_field_get_rows (ES_FIELD (other))->n
                                   * es_field_get_columns (ES_FIELD (other))->n);
          g_assert_true (es_field_read (ES_FIELD (other), 0, es_field_get_rows (ES_FIELD (other))->n, values, &error));
          for (gsize k = 0; k < n; k++)
            g_assert_cmpfloat_with_epsilon (values[k] / es_field_peek (ES_FIELD (layer))[k], 1, 1e-5);
        }
      else if (ES_IS_TABLE (layer))
        for (guint r = 0; r < es_table_get_n_rows (ES_TABLE (layer)); r++)
          for (guint c = 0; c < es_table_get_n_columns (ES_TABLE (layer)); c++)
            g_assert_cmpstr (es_table_get_text (ES_TABLE (other), r, c), ==,
                             es_table_get_text (ES_TABLE (layer), r, c));
    }
  g_assert_cmpfloat (es_test_value (loaded, "snapshots_used"), ==, 64);

  /* The displays' model of it. */
  g_autoptr (EsBeamHistory) history = es_beam_history_new_from_result (loaded);
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      g_assert_true (es_beam_history_has (history, kind));
      g_assert_nonnull (es_beam_history_get_row_of (history, kind, 0));
      g_assert_nonnull (es_beam_history_get_field_of (history, kind, 0));
    }
  guint n;
  g_assert_nonnull (es_beam_history_get_eigenvalues (history, &n));
  g_assert_cmpuint (n, ==, 32);
  g_assert_nonnull (es_beam_history_get_probe (history));
  g_assert_cmpuint (es_beam_history_get_tracks (history)->len, ==,
                    json_object_get_int_member (es_result_get_values (result), "tracks"));

  g_autofree char *command = g_strdup_printf ("rm -r '%s'", folder);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
}

static void
add (const char *name, void (*function) (gconstpointer))
{
  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    {
      /* A machine with one real card has no "all". */
      if (es_device_find (devices[i], NULL) == NULL)
        continue;
      g_autofree char *path = g_strdup_printf ("/mvdr/%s/%s", name, devices[i]);
      g_test_add_data_func (path, devices[i], function);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add ("pair", test_pair);
  add ("layers", test_layers);
  add ("ranges", test_ranges);
  add ("circle", test_circle);
  add ("snapshots", test_snapshots);
  add ("forgetting", test_forgetting);
  g_test_add_func ("/mvdr/same", test_same);
  add ("again", test_again);
  add ("refused", test_refused);
  add ("odd", test_odd);
  add ("cancel", test_cancel);
  add ("cbf-tracks", test_cbf_tracks);
  g_test_add_func ("/mvdr/plan", test_plan);
  g_test_add_func ("/mvdr/saved", test_saved);
  return g_test_run ();
}
