/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-history.h"

#include <math.h>

#include "beam/es-beam-block-private.h"

EsBeamForm *
es_test_history_form (guint n_angles, guint n_bins)
{
  g_autofree double *angles = g_new (double, n_angles);
  double ranges[2] = { 100, INFINITY };
  const EsBeamSettings settings = {
    .rate = 1000, .sound_speed = 1500, .block = 1000, .length = 1024, .window_length = 1000, .hop = 1000,
    .snapshots = 1,
    .first_bin = 3, .n_bins = n_bins, .cbf_first = 3, .cbf_bins = n_bins, .lofar_first = 3, .lofar_bins = n_bins,
    .angles = angles, .n_angles = n_angles, .ranges = ranges, .n_ranges = 2,
  };

  for (guint i = 0; i < n_angles; i++)
    angles[i] = i;
  return es_beam_form_new (&settings, NULL, FALSE);
}

EsBeamBlock *
es_test_history_block (EsBeamForm *form, guint64 index)
{
  EsBeamBlock *block = es_beam_block_new (form, index * 1000);
  const EsBeamSettings *settings = form->settings;

  for (guint i = 0; i < 2 * settings->n_angles; i++)
    block->field[i] = (float) (index * 1000 + i);
  for (guint i = 0; i < settings->n_angles * settings->n_bins; i++)
    block->spectra[i] = (float) pow (10, fmod (index + i * 0.0137, 30) - 15);
  return block;
}

void
es_test_history_count_rows (EsBeamHistory *history, guint n, gpointer data)
{
  *(guint *) data += n;
}

void
es_test_history_count (gpointer data)
{
  ++*(guint *) data;
}

void
es_test_history_check_rows (EsRecording *recording, EsParams *params, EsBeamHistory *history)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (EsBeamSettings) settings = es_beam_settings_new (params, recording, array, &error);
  g_autoptr (EsBeamformer) beamformer = es_beamformer_new (recording, array, settings, es_device_get_cpu (), NULL,
                                                           &error);
  g_autofree float *fraz = g_new (float, settings->n_angles * settings->n_bins);

  g_assert_no_error (error);
  for (guint row = es_beam_history_get_n_rows (history); row-- > 0;)
    {
      g_autoptr (EsBeamBlock) block = es_beamformer_process (beamformer, row * settings->block, &error);

      g_assert_no_error (error);
      for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
        {
          const float *wanted = es_beam_block_get_far_of (block, kind);
          const float *spectra = es_beam_block_get_spectra_of (block, kind);
          const float *found = es_beam_history_get_row_of (history, kind, row);

          g_assert_cmpint (wanted != NULL, ==, found != NULL);
          if (found == NULL)
            continue;
          g_assert_cmpmem (found, settings->n_angles * sizeof *found, wanted, settings->n_angles * sizeof *found);
          g_assert_true (es_beam_history_copy_fraz_of (history, kind, row, fraz));
          for (guint a = 0; a < settings->n_angles; a++)
            for (guint b = 0; b < settings->n_bins; b++)
              g_assert_cmpfloat_with_epsilon (10 * log10 (fraz[b * settings->n_angles + a]
                                                          / spectra[a * settings->n_bins + b]), 0, 0.011);
          g_assert_cmpfloat (es_beam_history_get_time_of (history, kind, row), ==,
                             es_beam_block_get_time_of (block, kind));
        }
    }
}

EsTestSonar *
es_test_history_scene (double seconds)
{
  g_autoptr (EsArray) array = es_array_new_line (8, 1.5, 0, NULL);
  EsTestSonar *sonar = es_test_sonar_new (array, 2000, (gsize) (seconds * 2000), 1500);

  es_test_sonar_add_noise (sonar, es_test_place_far (array, 60), 300, 500, 0.01, 7);
  es_test_sonar_add_noise (sonar, es_test_place_far (array, 110), 300, 500, 0.001, 8);
  es_test_sonar_add_white (sonar, 1e-4, 9);
  return sonar;
}

EsParams *
es_test_history_params (const char *operation)
{
  if (g_str_equal (operation, "cbf"))
    return es_test_beam_params ("cbf", "block", "500ms", "band", "300:480", "angles", "10:170:2", "ranges", "far,100",
                                NULL);
  return es_test_beam_params (operation, "block", "500ms", "snapshots", "16", "blocks", "2", "band", "300:480",
                              "angles", "10:170:2", "ranges", "far,100", NULL);
}
