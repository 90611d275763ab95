/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Spectra that had no room: what goes for what is looked at, and that it is formed again. */

#include <math.h>

#include "device/es-device-internal.h"
#include "es-test-beams.h"
#include "es-test-history.h"
#include "es-test-player.h"
#include "operations/es-operations.h"
#include "player/es-player-object-private.h"

#define RATE 2000
#define ELEMENTS 8
#define ROWS 60
/* Of rows: 21 angles by 232 bins as 16 bits, and a field. */
#define RECORD (21 * 232 * 2 + 21 * 4)

/* ---- the archive ---- */

/* 4,000 bytes of levels and 320 of fields. */
static void
test_view (void)
{
  g_autoptr (EsBeamForm) form = es_test_history_form (40, 50);
  g_autoptr (EsBeamArchive) archive = es_beam_archive_new (form->settings, 40 * 4320, 60 * 4320);

  for (guint i = 0; i < 120; i++)
    {
      g_autoptr (EsBeamBlock) block = es_test_history_block (form, i);

      g_assert_cmpint (es_beam_archive_put (archive, i, block, FALSE), ==, i < 100);
    }
  /* What nobody looks at goes, and one of those that are looked at never for another. */
  es_beam_archive_set_view (archive, 200, 320, 1, G_MAXUINT);
  for (guint i = 200; i < 320; i++)
    {
      g_autoptr (EsBeamBlock) block = es_test_history_block (form, i);

      g_assert_cmpint (es_beam_archive_put (archive, i, block, TRUE), ==, i < 300);
    }
  for (guint i = 0; i < 320; i++)
    g_assert_cmpint (es_beam_archive_has (archive, i, ES_BEAM_CBF), ==, i >= 200 && i < 300);
  /* Every other of them: the ones between go before the others. */
  es_beam_archive_set_view (archive, 200, 340, 2, 451);
  for (guint i = 300; i < 340; i += 2)
    {
      g_autoptr (EsBeamBlock) block = es_test_history_block (form, i);

      g_assert_true (es_beam_archive_put (archive, i, block, TRUE));
    }
  for (guint i = 200; i < 340; i += 2)
    g_assert_true (es_beam_archive_has (archive, i, ES_BEAM_CBF));
  /* What is heard has room; and the row that somebody points at stays then. */
  for (guint i = 451; i < 460; i++)
    {
      g_autoptr (EsBeamBlock) block = es_test_history_block (form, i);

      g_assert_true (es_beam_archive_put (archive, i, block, TRUE));
    }
  g_assert_true (es_beam_archive_has (archive, 451, ES_BEAM_CBF));
  g_assert_cmpuint (es_beam_archive_count (archive), ==, 100);
}

/* ---- the player ---- */

static EsRecording *
make_recording (void)
{
  g_autoptr (EsArray) array = es_array_new_line (ELEMENTS, 1.5, 0, NULL);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, RATE, ROWS * RATE / 2, 1500);

  es_test_sonar_add_noise (sonar, es_test_place_far (array, 60), 300, 500, 0.01, 7);
  es_test_sonar_add_white (sonar, 1e-4, 9);
  return es_test_sonar_record (sonar, ESK_F32, 1);
}

static gboolean
is_complete (EsPlayer *player)
{
  EsBeamHistory *history = es_player_get_history (player);

  return es_beam_history_get_n_rows (history) == ROWS && es_beam_history_get_n_current (history) == ROWS;
}

static gboolean
has_all (EsPlayer *player, guint from, guint end, guint stride)
{
  for (guint row = from; row < end; row += stride)
    if (!es_beam_history_has_spectra_of (es_player_get_history (player), ES_BEAM_CBF, row))
      return FALSE;
  return TRUE;
}

/* As formed alone, by a beamformer of its own. */
static void
assert_spectra (EsRecording *recording, EsParams *params, EsBeamHistory *history, guint from, guint end)
{
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (EsBeamSettings) settings = es_beam_settings_new (params, recording, array, NULL);
  g_autoptr (EsBeamformer) beamformer = es_beamformer_new (recording, array, settings, es_device_get_cpu (), NULL,
                                                           NULL);
  g_autofree float *beam = g_new (float, settings->n_bins);

  for (guint row = from; row < end; row++)
    {
      g_autoptr (EsBeamBlock) block = es_beamformer_process (beamformer, (guint64) row * settings->block, NULL);
      const float *spectra = es_beam_block_get_spectra (block);

      for (guint a = 0; a < settings->n_angles; a++)
        {
          g_assert_true (es_beam_history_copy_beam (history, row, a, beam));
          for (guint b = 0; b < settings->n_bins; b++)
            g_assert_cmpfloat_with_epsilon (10 * log10 (beam[b] / spectra[a * settings->n_bins + b]), 0, 0.011);
        }
    }
}

/* Nothing is formed any more. */
static void
assert_at_rest (EsPlayer *player)
{
  EsBeamHistory *history = es_player_get_history (player);

  es_test_run_for (0.3);
  const guint fills = es_beam_history_get_n_fills (history);
  es_test_run_for (2.5);
  g_assert_cmpuint (es_beam_history_get_n_fills (history), ==, fills);
}

static void
test_again (void)
{
  g_autoptr (EsRecording) recording = make_recording ();
  g_autoptr (EsPlayer) player = es_player_new (recording);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "block", "500ms", "band", "300:480", "angles", "10:170:8",
                                                     "ranges", "far", NULL);
  EsBeamHistory *history = es_player_get_history (player);
  guint64 rows, most;
  guint n_kept = 0;

  player->link->memory_limit = 20 * RECORD + 100;
  player->link->file_limit = 0;
  es_player_set_ahead (player, TRUE);
  es_player_set_params (player, &es_operation_cbf, params, es_device_get_cpu ());
  WAIT_UNTIL (is_complete (player));
  g_assert_cmpuint (es_beam_history_get_settings (history)->n_bins, ==, 232);
  es_beam_history_count_spectra (history, &rows, &most);
  g_assert_cmpuint (rows, ==, 20);
  g_assert_cmpuint (most, ==, 20);
  g_assert_false (has_all (player, 0, ROWS, 1));

  es_player_set_view (player, 40, 52);
  WAIT_UNTIL (has_all (player, 40, 52, 1));
  assert_spectra (recording, params, history, 40, 52);
  es_player_set_view (player, 0, 12);
  WAIT_UNTIL (has_all (player, 0, 12, 1));
  assert_spectra (recording, params, history, 0, 12);
  es_player_look_at (player, 33);
  WAIT_UNTIL (has_all (player, 33, 34, 1));
  assert_spectra (recording, params, history, 33, 34);
  g_assert_true (has_all (player, 0, 12, 1));
  assert_at_rest (player);

  /* More than there is room for: as many lines of it as there is, and no end of computing otherwise. */
  es_player_look_at (player, NAN);
  es_player_set_view (player, 0, ROWS);
  WAIT_UNTIL (has_all (player, 0, ROWS, 8));
  assert_at_rest (player);
  g_assert_true (has_all (player, 0, ROWS, 8));
  for (guint row = 0; row < ROWS; row++)
    n_kept += has_all (player, row, row + 1, 1);
  g_assert_cmpuint (n_kept, ==, 20);
  /* What plays is kept, too, and does not take the lines away for long. */
  es_player_set_speed (player, ES_PLAYER_FASTEST);
  es_player_play (player);
  WAIT_UNTIL (!es_player_is_playing (player));
  WAIT_UNTIL (has_all (player, 0, ROWS, 8));
  g_assert_true (is_complete (player));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/spectra/view", test_view);
  g_test_add_func ("/spectra/again", test_again);
  const int status = g_test_run ();
  es_devices_stop ();
  return status;
}
