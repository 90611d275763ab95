/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a result did not keep of its beams, formed again: the same as another run gives that asks for it. */

#include <math.h>
#include <string.h>

#include "device/es-device-internal.h"
#include "es-test-beams.h"
#include "es-test-history.h"
#include "es-test-player.h"
#include "layer/es-field.h"
#include "operations/es-operations.h"
#include "player/es-beam-recall.h"
#include "result/es-result-internal.h"

#define RATE 2000
#define ELEMENTS 8
#define SECONDS 12

static EsRecording *
make_recording (guint seed)
{
  g_autoptr (EsArray) array = es_array_new_line (ELEMENTS, 1.5, 0, NULL);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, RATE, SECONDS * RATE, 1500);

  es_test_sonar_add_noise (sonar, es_test_place_far (array, 60), 300, 500, 0.01, seed);
  es_test_sonar_add_noise (sonar, es_test_place_far (array, 110), 100, 500, 0.005, seed + 1);
  es_test_sonar_add_white (sonar, 1e-4, seed + 2);
  return es_test_sonar_record (sonar, ESK_F32, 1);
}

static EsResult *
run (const char *operation, EsRecording *recording, const char *from, const char *to, const char *bearing)
{
  g_autoptr (EsParams) params = es_test_beam_params (operation, "block", "500ms", "band", "300:480", "angles",
                                                     "10:170:8", "ranges", "far,100", "from", from, NULL);
  g_autoptr (GError) error = NULL;
  EsResult *result;

  if (to != NULL)
    g_assert_true (es_params_parse (params, "to", to, &error));
  if (bearing != NULL)
    g_assert_true (es_params_parse (params, "lofar-bearing", bearing, &error));
  if (g_str_equal (operation, "mvdr"))
    g_assert_true (es_params_parse (params, "snapshots", "16", &error)
                   && es_params_parse (params, "blocks", "2", &error));
  g_assert_no_error (error);
  result = es_test_run_beams (operation, recording, g_getenv ("ES_TEST_DEVICE") != NULL ? g_getenv ("ES_TEST_DEVICE")
                                                                                        : "cpu", NULL, params, &error);
  g_assert_no_error (error);
  return result;
}

static gboolean
has_all (EsBeamHistory *history, guint from, guint end)
{
  for (guint row = from; row < end; row++)
    if (!es_beam_history_has_spectra_of (history, ES_BEAM_CBF, row))
      return FALSE;
  return TRUE;
}

static void
assert_levels (const float *found, const float *wanted, gsize n)
{
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (10 * log10 (found[i] / wanted[i]), 0, 0.011);
}

/* LOFAR of other bearings, from runs that were asked for those; beginning between two blocks of the recording. */
static void
test_lofar (gconstpointer data)
{
  const char *operation = data;
  const EsBeamKind kind = g_str_equal (operation, "mvdr") ? ES_BEAM_MVDR : ES_BEAM_CBF;
  g_autoptr (EsRecording) recording = make_recording (7);
  g_autoptr (EsResult) result = run (operation, recording, "1.3", NULL, NULL);
  g_autoptr (EsBeamHistory) history = es_beam_history_new_from_result (result);
  const EsBeamSettings *settings = es_beam_history_get_settings (history);
  const guint n_rows = es_beam_history_get_n_rows (history), own = es_beam_history_get_own_angle (history);
  g_autofree float *found = g_new (float, settings->n_bins), *wanted = g_new (float, settings->n_bins);
  guint grown = 0;

  g_assert_cmpuint (n_rows, ==, 21);
  g_assert_cmpuint (own, <, settings->n_angles);
  g_assert_cmpuint (es_beam_history_get_only_angle (history), ==, own);
  g_assert_false (es_beam_history_copy_beam_of (history, kind, 3, own + 2, found));
  /* What a person tells later is not what the result was computed with. */
  g_autoptr (EsArray) other = es_array_new_line (ELEMENTS, 0.7, 0, NULL);
  es_recording_set_array (recording, other);
  g_autoptr (EsBeamRecall) recall = es_beam_recall_new (history);
  g_assert_null (es_beam_history_get_refusal (history));
  g_assert_true (es_beam_history_is_recalled (history));
  g_assert_cmpuint (es_beam_history_get_only_angle (history), ==, G_MAXUINT);
  g_signal_connect_swapped (history, "filled", G_CALLBACK (es_test_history_count), &grown);
  /* Nobody looks, nothing is formed. */
  es_test_run_for (0.2);
  g_assert_cmpuint (es_beam_history_get_n_fills (history), ==, 0);
  es_beam_recall_look_at (recall, 17);
  WAIT_UNTIL (has_all (history, 17, 18));
  g_assert_false (has_all (history, 0, n_rows));
  es_beam_recall_set_view (recall, 2, n_rows);
  WAIT_UNTIL (has_all (history, 2, n_rows));
  WAIT_UNTIL (es_beam_history_get_n_fills (history) == n_rows - 2);
  g_assert_cmpuint (grown, >, 0);
  es_test_run_for (0.2);
  g_assert_false (es_beam_history_has_spectra_of (history, ES_BEAM_CBF, 0));

  g_autoptr (EsArray) array = es_array_new_line (ELEMENTS, 1.5, 0, NULL);
  es_recording_set_array (recording, array);
  for (guint angle = 0; angle < settings->n_angles; angle += 3)
    {
      g_autofree char *bearing = g_strdup_printf ("%g", settings->angles[angle]);
      g_autoptr (EsResult) again = run (operation, recording, "1.3", NULL, bearing);
      EsField *lofar = ES_FIELD (es_result_find_layer (again, "lofar"));

      g_assert_cmpuint (es_field_get_columns (lofar)->n, ==, settings->n_bins);
      for (guint row = 2; row < n_rows; row++)
        {
          g_assert_true (es_field_read (lofar, row, 1, wanted, NULL));
          g_assert_true (es_beam_history_copy_beam_of (history, kind, row, angle, found));
          assert_levels (found, wanted, settings->n_bins);
        }
    }
}

/* Of one block: what a run over that block alone says is its mean. */
static void
test_moment (void)
{
  g_autoptr (EsRecording) recording = make_recording (21);
  g_autoptr (EsResult) result = run ("cbf", recording, "1.3", NULL, NULL);
  g_autoptr (EsResult) block = run ("cbf", recording, "4.8", "5.3", NULL);
  g_autoptr (EsBeamHistory) history = es_beam_history_new_from_result (result);
  g_autoptr (EsBeamRecall) recall = es_beam_recall_new (history);
  const EsBeamSettings *settings = es_beam_history_get_settings (history);
  const gsize n = (gsize) settings->n_bins * settings->n_angles, n_field = 2 * settings->n_angles;
  g_autofree float *found = g_new (float, n), *wanted = g_new (float, n), *mean = g_new (float, n);
  EsField *fraz = ES_FIELD (es_result_find_layer (block, "fraz"));
  EsField *field = ES_FIELD (es_result_find_layer (block, "energy-field"));

  g_assert_false (es_beam_history_copy_fraz (history, 7, found));
  es_beam_recall_look_at (recall, 7);
  WAIT_UNTIL (has_all (history, 7, 8));
  g_assert_cmpfloat_with_epsilon (es_beam_history_get_begin (history, 7), 4.8, 1e-9);
  g_assert_true (es_field_read (fraz, 0, settings->n_bins, wanted, NULL));
  g_assert_true (es_beam_history_copy_fraz (history, 7, found));
  assert_levels (found, wanted, n);
  g_assert_true (es_field_read (field, 0, 2, wanted, NULL));
  for (guint i = 0; i < n_field; i++)
    g_assert_cmpfloat_with_epsilon (es_beam_history_get_field (history, 7)[i] / wanted[i], 1, 1e-5);
  /* All of its time is still there, and another. */
  g_assert_true (es_beam_history_copy_fraz (history, G_MAXUINT, mean));
  g_assert_true (es_field_read (ES_FIELD (es_result_find_layer (result, "fraz")), 0, settings->n_bins, wanted, NULL));
  g_assert_cmpmem (mean, n * sizeof *mean, wanted, n * sizeof *wanted);
  g_assert_cmpfloat (fabs (10 * log10 (mean[n / 2] / found[n / 2])), >, 0.02);
}

/* A result of one recording, put together for another: what is formed again is not what it has, and it says so. */
static void
test_other (void)
{
  g_autoptr (EsRecording) recording = make_recording (7), other = make_recording (70);
  g_autoptr (EsResult) result = run ("cbf", recording, "0", NULL, NULL);
  g_autoptr (EsResult) false_one = es_result_new (&es_operation_cbf, ES_DATASET (other),
                                                  es_result_get_params (result));
  GListModel *layers = es_result_get_layers (result);
  guint resets = 0;

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);
      es_result_add_layer (false_one, layer);
    }
  es_result_set_values (false_one, json_object_ref (es_result_get_values (result)));
  g_autoptr (EsBeamHistory) history = es_beam_history_new_from_result (false_one);
  g_autoptr (EsBeamRecall) recall = es_beam_recall_new (history);
  g_signal_connect_swapped (history, "reset", G_CALLBACK (es_test_history_count), &resets);
  g_assert_true (es_beam_history_is_recalled (history));
  es_beam_recall_set_view (recall, 0, 100);
  WAIT_UNTIL (!es_beam_history_is_recalled (history));
  g_assert_cmpuint (resets, ==, 1);
  g_assert_nonnull (strstr (es_beam_history_get_refusal (history), "is not what it was"));
  /* What it kept is there. */
  g_assert_cmpuint (es_beam_history_get_only_angle (history), ==, es_beam_history_get_own_angle (history));
  es_beam_recall_set_view (recall, 3, 10);
  es_beam_recall_look_at (recall, 3);
  es_test_run_for (0.1);
  g_assert_false (es_beam_history_is_recalled (history));
}

/* One beam alone has no others. */
static void
test_one_beam (void)
{
  g_autoptr (EsRecording) recording = make_recording (7);
  g_autoptr (EsParams) params = es_test_beam_params ("lofar", "bearing", "60", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) result = es_test_run_beams ("lofar", recording, "cpu", NULL, params, &error);

  g_assert_no_error (error);
  g_autoptr (EsBeamHistory) history = es_beam_history_new_from_result (result);
  g_autoptr (EsBeamRecall) recall = es_beam_recall_new (history);
  g_assert_false (es_beam_history_is_recalled (history));
  g_assert_nonnull (strstr (es_beam_history_get_refusal (history), "one beam alone"));
}

static gboolean
has_probe (EsBeamHistory *history, double bearing, double frequency)
{
  const EsBeamProbe *probe = es_beam_history_get_probe (history);

  return probe != NULL && probe->bearing == bearing && (isnan (frequency) || probe->frequency == frequency);
}

static void
assert_patterns (const EsBeamProbe *found, const EsBeamProbe *wanted)
{
  g_assert_cmpuint (found->n_angles, ==, wanted->n_angles);
  g_assert_cmpuint (found->bin, ==, wanted->bin);
  for (guint kind = 0; kind <= ES_BEAM_MVDR; kind++)
    for (guint i = 0; i < found->n_angles; i++)
      if (wanted->patterns[kind][i] > 1e-6f)
        g_assert_cmpfloat_with_epsilon (found->patterns[kind][i] / wanted->patterns[kind][i], 1, 1e-3);
}

/* A closer look at other beams, bins and rows than the one that the operation kept. */
static void
test_probe (void)
{
  g_autoptr (EsRecording) recording = make_recording (7);
  g_autoptr (EsResult) result = run ("mvdr", recording, "1.3", NULL, NULL);
  g_autoptr (EsBeamHistory) history = es_beam_history_new_from_result (result);
  g_autoptr (EsBeamRecall) recall = es_beam_recall_new (history);
  const EsBeamSettings *settings = es_beam_history_get_settings (history);
  g_autoptr (EsArray) array = es_array_new_line (ELEMENTS, 1.5, 0, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsBeamformer) beamformer = es_beamformer_new (recording, array, settings, es_device_get_cpu (), NULL,
                                                           &error);
  const EsBeamProbe *kept = es_beam_history_get_probe (history);
  const double own = kept->bearing, frequency = kept->frequency;
  double loudest = -1;
  guint filled = 0, row = 0, own_angle = 0;

  g_assert_no_error (error);
  g_signal_connect_swapped (history, "filled", G_CALLBACK (es_test_history_count), &filled);
  while (settings->angles[own_angle] != own)
    own_angle++;

  /* The operation's, of the row in which it is loudest, once both blocks are remembered. */
  for (guint i = 1; i < es_beam_history_get_n_rows (history); i++)
    if (es_beam_history_get_shown_row (history, ES_BEAM_MVDR, i)[own_angle] > loudest)
      {
        loudest = es_beam_history_get_shown_row (history, ES_BEAM_MVDR, i)[own_angle];
        row = i;
      }
  es_beam_recall_look_closer (recall, own, frequency, row);
  WAIT_UNTIL (es_beam_history_get_probe (history) != kept);
  g_assert_true (has_probe (history, own, frequency));
  assert_patterns (es_beam_history_get_probe (history), kept);
  g_assert_cmpuint (filled, >, 0);

  /* Others; what is asked for last counts. */
  es_beam_recall_look_closer (recall, settings->angles[3], 400, 2);
  es_beam_recall_look_closer (recall, settings->angles[12], 350, 17);
  WAIT_UNTIL (has_probe (history, settings->angles[12], 350));
  es_beamformer_set_probe (beamformer, settings->angles[12], 350);
  g_autoptr (EsBeamBlock) block = es_beamformer_process (beamformer, 2600 + 17 * settings->block, &error);
  g_assert_no_error (error);
  assert_patterns (es_beam_history_get_probe (history), es_beam_block_get_probe (block));
  es_test_run_for (0.1);
  g_assert_true (has_probe (history, settings->angles[12], 350));

  /* Of no moment and no frequency: those by which the operation chooses. */
  es_beam_recall_look_closer (recall, settings->angles[12], NAN, G_MAXUINT);
  WAIT_UNTIL (has_probe (history, settings->angles[12], frequency));
  es_beam_recall_look_closer (recall, own, NAN, G_MAXUINT);
  g_assert_true (es_beam_history_get_probe (history) == kept);
  es_beam_recall_look_closer (recall, settings->angles[3], NAN, 5);
  WAIT_UNTIL (has_probe (history, settings->angles[3], frequency));
  es_beam_recall_look_closer (recall, NAN, NAN, G_MAXUINT);
  g_assert_true (es_beam_history_get_probe (history) == kept);
}

/* Gone in the middle of it. */
static void
test_gone (void)
{
  g_autoptr (EsRecording) recording = make_recording (7);
  g_autoptr (EsResult) result = run ("cbf", recording, "0", NULL, NULL);

  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (EsBeamHistory) history = es_beam_history_new_from_result (result);
      g_autoptr (EsBeamRecall) recall = es_beam_recall_new (history);

      es_beam_recall_set_view (recall, 0, 100);
      es_test_run_for (0.003 * i);
      if (i % 2 == 0)
        g_clear_object (&history);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/recall/lofar-cbf", "cbf", test_lofar);
  g_test_add_data_func ("/recall/lofar-mvdr", "mvdr", test_lofar);
  g_test_add_func ("/recall/moment", test_moment);
  g_test_add_func ("/recall/other", test_other);
  g_test_add_func ("/recall/one-beam", test_one_beam);
  g_test_add_func ("/recall/probe", test_probe);
  g_test_add_func ("/recall/gone", test_gone);
  const int status = g_test_run ();
  es_devices_stop ();
  return status;
}
