/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Adaptive beams of loud tones, which are narrower than the beams are apart: rows as they are shown and written pass
 * through the peaks that are listed, as they come, in a result and in one that was saved; the beams stay what they are.
 */

#include <math.h>
#include <string.h>

#include "es-test-beams.h"
#include "es-test-history.h"
#include "layer/es-layer-internal.h"
#include "operations/es-operations.h"
#include "readers/es-open.h"
#include "session/es-result-load.h"

#define ELEMENTS 24
#define RATE 2000
#define SECONDS 12
#define BLOCKS SECONDS

/* Plane waves of known mean squares: the loudest is heard between two beams, the next one in the middle of one. */
static const struct { double bearing, frequency, level; } tones[] = {
  { 113.5, 375.3, 4 }, { 109.98487997, 346.8, 2 }, { 135.1, 431.5, -2 }, { 60.4, 331.2, -6 },
};

static EsRecording *
make_recording (const char *path)
{
  g_autoptr (EsArray) array = es_array_new_line (ELEMENTS, 1.5, 0, NULL);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, RATE, RATE * SECONDS, 1500);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (tones); i++)
    es_test_sonar_add_tone (sonar, es_test_place_far (array, tones[i].bearing), tones[i].frequency,
                            sqrt (2 * pow (10, tones[i].level / 10)), i);
  es_test_sonar_add_noise (sonar, es_test_place_far (array, 80.3), 325, 475, 0.01, 5);
  es_test_sonar_add_white (sonar, 0.004, 6);
  /* Samples alone, as others write them. */
  g_autofree float *samples = g_new (float, sonar->frames * ELEMENTS);
  for (gsize i = 0; i < sonar->frames * ELEMENTS; i++)
    samples[i] = (float) (sonar->samples[i] / 16);
  g_assert_true (g_file_replace_contents (file, (const char *) samples, sonar->frames * ELEMENTS * sizeof *samples,
                                          NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, &error));
  g_assert_no_error (error);
  const EsOpenOptions options = { .samples = { .channels = ELEMENTS, .rate = RATE, .type = "float32" } };
  EsRecording *recording = ES_RECORDING (es_dataset_open (file, &options, NULL, &error));
  g_assert_no_error (error);
  es_recording_set_array (recording, array);
  return recording;
}

/* What full scale is, dB over the tones' own. */
static const double scale = -24.0823997;

static EsBeamHistory *
listen (EsRecording *recording, EsParams *params)
{
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsBeamSettings) settings = es_beam_settings_new (params, recording, array, &error);
  g_autoptr (EsBeamformer) beamformer = es_beamformer_new (recording, array, settings, es_device_get_cpu (), NULL,
                                                           &error);
  EsBeamHistory *history = es_beam_history_new (0);

  g_assert_no_error (error);
  for (guint i = 0; i < BLOCKS; i++)
    {
      g_autoptr (EsBeamBlock) block = es_beamformer_process (beamformer, (guint64) i * settings->block, &error);

      g_assert_no_error (error);
      es_beam_history_append (history, block);
      /* The beams themselves are what peaks are found in. */
      g_assert_cmpmem (es_beam_history_get_row_of (history, ES_BEAM_MVDR, i), settings->n_angles * sizeof (float),
                       es_beam_block_get_far_of (block, ES_BEAM_MVDR), settings->n_angles * sizeof (float));
    }
  return history;
}

static guint
find_nearest (const EsBeamSettings *settings, double bearing)
{
  guint nearest = 0;

  for (guint i = 1; i < settings->n_angles; i++)
    if (fabs (settings->angles[i] - bearing) < fabs (settings->angles[nearest] - bearing))
      nearest = i;
  return nearest;
}

/* Every tone reads its level in the cell nearest to it, the loudest the most, and every arrival that is listed is what
 * its cell holds. */
static void
check_rows (EsBeamHistory *history)
{
  const EsBeamSettings *settings = es_beam_history_get_settings (history);
  double most_gained = 0;

  for (guint row = BLOCKS / 2; row < BLOCKS; row++)
    {
      const float *beams = es_beam_history_get_row_of (history, ES_BEAM_MVDR, row);
      const float *shown = es_beam_history_get_shown_row (history, ES_BEAM_MVDR, row);
      EsBeamPeak peaks[8];
      guint loudest = 0, n_lifts;
      const EsBeamLift *lifts = es_beam_history_get_lifts (history, ES_BEAM_MVDR, row, &n_lifts);

      for (guint i = 0; i < settings->n_angles; i++)
        {
          gboolean lifted = FALSE;

          for (guint k = 0; k < n_lifts; k++)
            lifted = lifted || lifts[k].index == i;
          g_assert_cmpint (shown[i] > beams[i], ==, lifted);
          g_assert_true (lifted || shown[i] == beams[i]);
          loudest = shown[i] > shown[loudest] ? i : loudest;
        }
      g_assert_cmpuint (loudest, ==, find_nearest (settings, tones[0].bearing));
      for (guint i = 0; i < G_N_ELEMENTS (tones); i++)
        {
          const guint at = find_nearest (settings, tones[i].bearing);

          g_assert_cmpfloat_with_epsilon (10 * log10 (shown[at]), tones[i].level + scale, 0.5);
          most_gained = MAX (most_gained, 10 * log10 (shown[at] / beams[at]));
        }
      const guint n = es_beam_history_list_arrivals (history, ES_BEAM_MVDR, row, 8, peaks);
      g_assert_cmpuint (n, >=, G_N_ELEMENTS (tones));
      for (guint k = 0; k < n; k++)
        g_assert_cmpfloat_with_epsilon (10 * log10 (shown[find_nearest (settings, peaks[k].bearing)]), peaks[k].level,
                                        0.011);
      /* No other kind is touched. */
      g_assert_true (es_beam_history_get_shown_row (history, ES_BEAM_CBF, row)
                     == es_beam_history_get_row (history, row));
    }
  g_test_message ("at most %.1f dB higher than at the beam", most_gained);
  g_assert_cmpfloat (most_gained, >, 6);
}

/* within: of a row's powers. */
static void
assert_alike (EsBeamHistory *a, EsBeamHistory *b, double within)
{
  const guint n_angles = es_beam_history_get_settings (a)->n_angles;

  g_assert_cmpuint (es_beam_history_get_settings (b)->n_angles, ==, n_angles);
  g_assert_cmpuint (es_beam_history_get_n_rows (b), ==, BLOCKS);
  for (guint row = 0; row < BLOCKS; row++)
    {
      EsBeamPeak of_a[8], of_b[8];
      const guint n = es_beam_history_list_arrivals (a, ES_BEAM_MVDR, row, 8, of_a);

      for (guint i = 0; i < n_angles; i++)
        {
          g_assert_cmpfloat_with_epsilon (es_beam_history_get_shown_row (b, ES_BEAM_MVDR, row)[i]
                                          / es_beam_history_get_shown_row (a, ES_BEAM_MVDR, row)[i], 1, within);
          g_assert_cmpfloat_with_epsilon (es_beam_history_get_row_of (b, ES_BEAM_MVDR, row)[i]
                                          / es_beam_history_get_row_of (a, ES_BEAM_MVDR, row)[i], 1, within);
        }
      g_assert_cmpuint (es_beam_history_list_arrivals (b, ES_BEAM_MVDR, row, 8, of_b), ==, n);
      for (guint k = 0; k < n; k++)
        {
          g_assert_cmpfloat_with_epsilon (of_a[k].bearing, of_b[k].bearing, 0.011);
          g_assert_cmpfloat_with_epsilon (of_a[k].level, of_b[k].level, 0.011);
        }
    }
}

static void
test_shown (void)
{
  g_autofree char *folder = g_dir_make_tmp ("eigenscope-lifts-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "bay.raw", NULL);
  g_autofree char *saved = g_build_filename (folder, "saved", NULL);
  g_autofree char *name = g_build_filename (saved, "result.json", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (saved), file = g_file_new_for_path (name);
  g_autoptr (EsRecording) recording = make_recording (path);
  g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "band", "320:480", "ranges", "far", "block", "1s",
                                                     "snapshots", "8", NULL);
  g_autoptr (EsBeamHistory) live = listen (recording, params);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) result = es_test_run_beams ("mvdr", recording, "cpu", NULL, params, &error);
  g_assert_no_error (error);

  check_rows (live);
  g_autoptr (EsBeamHistory) fresh = es_beam_history_new_from_result (result);
  check_rows (fresh);
  assert_alike (live, fresh, 1e-6);

  g_assert_true (es_write_result (result, target, ES_STACK_ENVI, NULL, &error));
  g_assert_no_error (error);
  g_autoptr (EsResult) loaded = es_result_load (file, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (EsBeamHistory) again = es_beam_history_new_from_result (loaded);
  check_rows (again);
  assert_alike (live, again, 1e-5);

  /* The mean and its curve. */
  EsCurve *energy = ES_CURVE (es_result_find_layer (result, "band-energy"));
  const EsCurveSeries *mean = es_curve_get_series (energy, ES_BEAM_MVDR);
  const EsBeamSettings *settings = es_beam_history_get_settings (live);
  const guint n = json_array_get_length (json_object_get_array_member (es_result_get_values (result), "peaks"));
  g_assert_cmpuint (n, >=, 3);
  for (guint i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (mean->y[find_nearest (settings, es_test_peak (result, i, "bearing_deg"))],
                                    es_test_peak (result, i, "level_db"), 1e-4);
  es_test_remove_folder (g_steal_pointer (&folder));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/beam-lifts/shown", test_shown);
  return g_test_run ();
}
