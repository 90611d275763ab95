/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Runs of the operation mvdr: the same on every device and again, odd inputs, what is refused, cancelled and saved. */

#include <math.h>
#include <string.h>

#include "device/es-buffer-internal.h"
#include "base/es-error.h"
#include "layer/es-layer-internal.h"
#include "es-test-beams.h"
#include "readers/es-open.h"
#include "es-test-mvdr.h"
#include "operations/es-operations.h"
#include "session/es-result-load.h"

/* ---- the same ---- */

static void
test_same (void)
{
  g_autoptr (EsRecording) recording = es_test_mvdr_make_pair (5);
  g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "band", "319:476", "sources", "2", NULL);
  static const char *const names[] = { "btr", "btr-mvdr", "btr-music" };
  float *first[3] = { NULL };

  for (guint d = 0; d < G_N_ELEMENTS (es_test_mvdr_devices); d++)
    {
      if (es_device_find (es_test_mvdr_devices[d], NULL) == NULL)
        continue;
      g_autoptr (EsResult) result = es_test_mvdr_run (recording, es_test_mvdr_devices[d], params);
      g_autoptr (EsResult) again = es_test_mvdr_run (recording, es_test_mvdr_devices[d], params);

      for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        {
          EsField *field = es_test_mvdr_field_of (result, names[i]);
          const gsize n = (gsize) es_field_get_rows (field)->n * es_field_get_columns (field)->n;

          g_assert_cmpmem (es_field_peek (field), n * sizeof (float),
                           es_field_peek (es_test_mvdr_field_of (again, names[i])),
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

/* Blocks that are not kept: the second time through gives the same beam, also where tones stand between two bins. */
static void
test_again (gconstpointer data)
{
  g_autoptr (EsArray) array = es_test_mvdr_make_line (32);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, ES_TEST_MVDR_RATE, ES_TEST_MVDR_RATE * 6, 1500);
  g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "band", "319:476", "angles", "0:180:0.1", NULL);
  const EsLimits limits = { .memory = 16 << 20 };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 8; i++)
    es_test_sonar_add_tone (sonar, es_test_place_far (array, 60), 330.3 + 17.3 * i, 0.1, 0);
  es_test_sonar_add_noise (sonar, es_test_place_far (array, 110), 300, 500, 0.01, 4);
  es_test_sonar_add_white (sonar, 0.0005, 6);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
  g_autoptr (EsResult) kept = es_test_mvdr_run (recording, data, params);
  g_autoptr (EsResult) again = es_test_run_beams ("mvdr", recording, data, &limits, params, &error);
  guint n_stages;
  gboolean went_again = FALSE;

  g_assert_no_error (error);
  const EsStageTime *stages = es_result_get_stages (again, &n_stages);
  for (guint i = 0; i < n_stages; i++)
    went_again = went_again || strcmp (stages[i].name, "lofar") == 0;
  g_assert_true (went_again);
  EsField *a = es_test_mvdr_field_of (kept, "lofar"), *b = es_test_mvdr_field_of (again, "lofar");
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
  g_autoptr (EsRecording) recording = es_test_mvdr_make_pair (2);
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
  g_autoptr (EsArray) array = es_test_mvdr_make_line (12);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, ES_TEST_MVDR_RATE, ES_TEST_MVDR_RATE * 6, 1500);
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
    g_autoptr (EsResult) result = es_test_mvdr_run (recording, data, params);

    g_assert_cmpuint (es_field_get_rows (es_test_mvdr_field_of (result, "fraz-mvdr"))->n, ==, 1);
    g_assert_cmpfloat_with_epsilon (es_test_peak (result, 0, "bearing_deg"), 60, 5);
    g_assert_cmpuint (es_test_mvdr_count_peaks (result, "peaks"), <=, 5);
    g_assert_true (es_test_mvdr_has_warning (result, "silent: 4."));
    g_assert_true (es_test_mvdr_has_warning (result, "no numbers"));
    g_assert_false (es_test_mvdr_has_warning (result, "A loading of"));
  }
  {
    g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
    g_autoptr (EsParams) loaded = es_test_beam_params ("mvdr", "loading", "100", NULL);
    g_autoptr (EsResult) result = es_test_mvdr_run (recording, data, loaded);

    /* 10 log10 (100 / 12) */
    g_assert_true (es_test_mvdr_has_warning (result, "A loading of 100 reads as if white noise 9.2 dB"));
  }
  memset (sonar->samples, 0, sonar->frames * 12 * sizeof (double));
  g_autoptr (EsRecording) silence = es_test_sonar_record (sonar, ESK_F32, 1);
  g_autoptr (EsResult) result = es_test_mvdr_run (silence, data, params);
  g_assert_cmpuint (es_test_mvdr_count_peaks (result, "peaks"), ==, 0);
  g_assert_true (es_test_mvdr_has_warning (result, "No direction stands out"));
  g_assert_null (es_result_find_layer (result, "beam-pattern"));
  g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "sources_mdl"), ==, 0);
  g_assert_true (json_object_get_null_member (es_result_get_values (result), "noise_floor_db"));
  for (guint i = 0; i < 5; i++)
    {
      g_assert_cmpfloat (es_field_peek (es_test_mvdr_field_of (result, "btr-mvdr"))[i], ==, 0);
      g_assert_cmpfloat (es_field_peek (es_test_mvdr_field_of (result, "btr-music"))[i], ==, 1);
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
  g_autoptr (EsRecording) recording = es_test_mvdr_make_pair (40);
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
  g_autoptr (EsRecording) recording = es_test_mvdr_make_pair (5);
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
  g_autoptr (EsArray) array = es_test_mvdr_make_line (32);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, ES_TEST_MVDR_RATE, ES_TEST_MVDR_RATE * 8, 1500);
  g_autoptr (GError) error = NULL;

  es_test_sonar_add_noise (sonar, es_test_place_far (array, 60), 320, 480, 0.01, 4);
  es_test_sonar_add_noise (sonar, es_test_place_far (array, 110), 320, 480, 0.01, 5);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "band", "320:480", "ranges", "50,far", "peak-range", "6",
                                                     NULL);
  g_autoptr (EsResult) result = es_test_run_beams ("cbf", recording, data, NULL, params, &error);
  g_assert_no_error (error);
  EsTable *tracks = es_test_mvdr_table_of (result, "tracks");
  g_assert_cmpuint (es_table_get_n_columns (tracks), ==, 7);
  g_assert_cmpuint (es_table_get_n_rows (tracks), ==, 16);
  for (guint r = 0; r < 16; r++)
    {
      g_assert_cmpfloat (es_table_get_value (tracks, r, 0), ==, r < 8 ? 1 : 2);
      g_assert_cmpfloat (es_table_get_value (tracks, r, 1), ==, r % 8 + 0.5);
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
  g_autoptr (EsResult) result = es_test_mvdr_run (ES_RECORDING (dataset), "cpu", params);
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

  /* A row's peaks are those that the operation found with its spectra. */
  g_autoptr (EsBeamHistory) first = es_beam_history_new_from_result (result);
  EsTable *detections = es_test_mvdr_table_of (result, "detections");
  guint n_compared = 0;
  for (guint i = 0; i < es_table_get_n_rows (detections); i++)
    for (guint again = 0; again < 2; again++)
      {
        EsBeamHistory *of = again ? history : first;
        const double time = es_table_get_value (detections, i, 0), bearing = es_table_get_value (detections, i, 1);
        guint row = 0;
        EsBeamPeak peaks[8];

        while (fabs (es_beam_history_get_time_of (of, ES_BEAM_MVDR, row) - time) > 1e-3)
          g_assert_cmpuint (++row, <, es_beam_history_get_n_rows (of));
        if (!isinf (es_table_get_value (detections, i, 3)))
          continue;
        const guint found = es_beam_history_find_peaks (of, ES_BEAM_MVDR, row, 8, 20, 0, peaks);

        for (guint k = 0; k < found; k++)
          if (fabs (peaks[k].bearing - bearing) < 1)
            {
              n_compared++;
              g_assert_cmpfloat_with_epsilon (peaks[k].bearing, bearing, again ? 0.0051 : 1e-9);
              g_assert_cmpfloat_with_epsilon (peaks[k].level, es_table_get_value (detections, i, 4), 0.0051);
            }
      }
  g_assert_cmpuint (n_compared, >, 8);

  g_autofree char *command = g_strdup_printf ("rm -r '%s'", folder);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mvdr/same", test_same);
  es_test_mvdr_add ("again", test_again);
  es_test_mvdr_add ("refused", test_refused);
  es_test_mvdr_add ("odd", test_odd);
  es_test_mvdr_add ("cancel", test_cancel);
  es_test_mvdr_add ("cbf-tracks", test_cbf_tracks);
  g_test_add_func ("/mvdr/plan", test_plan);
  g_test_add_func ("/mvdr/saved", test_saved);
  return g_test_run ();
}
