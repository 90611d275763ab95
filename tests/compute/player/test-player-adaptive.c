/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Playing adaptive beams: what changes while it plays, closer looks, what cannot be, cards that fail. */

#include <math.h>
#include <string.h>

#include "device/es-device-internal.h"
#include "es-test-beams.h"
#include "es-test-player.h"

#define RATE 2000
#define ELEMENTS 8

/* Two sources and noise of each channel's own; white 0: one source alone, which all channels hear alike. */
static EsRecording *
make_recording (double seconds, double white)
{
  g_autoptr (EsArray) array = es_array_new_line (ELEMENTS, 1.5, 0, NULL);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, RATE, (gsize) (seconds * RATE), 1500);

  es_test_sonar_add_noise (sonar, es_test_place_far (array, white > 0 ? 60 : 90), 300, 500, 0.01, 7);
  if (white > 0)
    {
      es_test_sonar_add_noise (sonar, es_test_place_far (array, 110), 300, 500, 0.001, 8);
      es_test_sonar_add_white (sonar, white, 9);
    }
  else
    for (gsize i = 0; i < sonar->frames; i++)
      for (guint k = 1; k < ELEMENTS; k++)
        sonar->samples[i * ELEMENTS + k] = sonar->samples[i * ELEMENTS];
  return es_test_sonar_record (sonar, ESK_F32, 1);
}

/* 16 snapshots of 8 elements in half a second. */
static EsParams *
make_params (void)
{
  return es_test_beam_params ("mvdr", "block", "500ms", "snapshots", "16", "blocks", "2", "band", "300:480", "angles",
                              "10:170:2", "ranges", "far,100", NULL);
}

static void
set (EsPlayer *player, EsParams *params, const char *key, const char *value, const char *device)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (es_params_parse (params, key, value, &error));
  g_assert_no_error (error);
  es_player_set_params (player, &es_operation_mvdr, params, device != NULL ? es_device_find (device, NULL) : NULL);
}

typedef struct
{
  guint filled, reset;
} Counts;

static void
count_filled (EsBeamHistory *history, guint n, Counts *counts)
{
  counts->filled++;
}

static void
count_reset (EsBeamHistory *history, Counts *counts)
{
  counts->reset++;
}

static EsBeamHistory *
watch (EsPlayer *player, Counts *counts)
{
  EsBeamHistory *history = es_player_get_history (player);

  *counts = (Counts) { 0 };
  g_signal_connect (history, "filled", G_CALLBACK (count_filled), counts);
  g_signal_connect (history, "reset", G_CALLBACK (count_reset), counts);
  return history;
}

static double
loading_of (EsBeamHistory *history)
{
  const EsAdaptiveReport *report = es_beam_history_get_report (history);

  return report != NULL ? report->loading : NAN;
}

/* What the newest row is where nobody has changed anything on the way. */
static void
assert_as_formed_at_once (EsRecording *recording, EsParams *params, EsBeamHistory *history)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (EsBeamSettings) settings = es_beam_settings_new (params, recording, array, &error);
  g_autoptr (EsBeamformer) beamformer = es_beamformer_new (recording, array, settings, es_device_get_cpu (), NULL,
                                                           &error);
  guint now;

  g_assert_no_error (error);
  g_assert_true (es_beam_history_get_now (history, &now));
  g_autoptr (EsBeamBlock) block
    = es_beamformer_process (beamformer, (guint64) (es_beam_history_get_begin (history, now) * RATE + 0.5), &error);
  g_assert_no_error (error);
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      const float *wanted = es_beam_block_get_far_of (block, kind);
      const float *row = es_beam_history_get_row_of (history, kind, now);

      g_assert_cmpint (wanted != NULL, ==, row != NULL);
      if (row != NULL)
        g_assert_cmpmem (row, settings->n_angles * sizeof *row, wanted, settings->n_angles * sizeof *row);
    }
}

/* Paused: the block that is seen is shown anew, with what is asked for, and nothing that was heard is forgotten. */
static void
test_paused (void)
{
  g_autoptr (EsRecording) recording = make_recording (6, 1e-4);
  g_autoptr (EsPlayer) player = es_player_new (recording);
  g_autoptr (EsParams) params = make_params ();
  Counts counts;
  EsBeamHistory *history = watch (player, &counts);
  guint n;

  es_player_set_params (player, &es_operation_mvdr, params, es_device_get_cpu ());
  WAIT_UNTIL (es_test_rows (player) == 1);
  g_assert_cmpstr (es_player_get_failure (player), ==, NULL);
  g_assert_true (es_beam_history_has (history, ES_BEAM_MVDR));
  g_assert_false (es_beam_history_has (history, ES_BEAM_MUSIC));
  g_assert_cmpfloat (loading_of (history), >, 0);
  es_player_seek (player, 3);
  WAIT_UNTIL (es_test_newest (player) == 3);
  g_assert_cmpuint (es_beam_history_get_used (history), ==, 32);
  g_assert_nonnull (es_beam_history_get_eigenvalues (history, &n));
  g_assert_cmpuint (n, ==, ELEMENTS);
  assert_as_formed_at_once (recording, params, history);

  set (player, params, "loading", "0.5", "cpu");
  WAIT_UNTIL (loading_of (history) == 0.5);
  assert_as_formed_at_once (recording, params, history);
  set (player, params, "method", "jacobi", "cpu");
  WAIT_UNTIL (es_beam_history_get_report (history)->method == ES_ADAPTIVE_JACOBI);
  g_assert_cmpuint (es_beam_history_get_report (history)->sweeps, >, 0);
  set (player, params, "sources", "2", "cpu");
  WAIT_UNTIL (es_beam_history_has (history, ES_BEAM_MUSIC));
  assert_as_formed_at_once (recording, params, history);
  g_assert_cmpuint (es_beam_history_get_settings (history)->adaptive.sources, ==, 2);
  set (player, params, "sources", "0", "cpu");
  WAIT_UNTIL (!es_beam_history_has (history, ES_BEAM_MUSIC));
  g_assert_cmpuint (counts.reset, ==, 1);
  g_assert_cmpuint (counts.filled, ==, 6);
  g_assert_cmpuint (es_test_rows (player), ==, 2);

  /* Somebody moves a slider: what is seen in the end is where it was left. */
  for (guint i = 1; i <= 200; i++)
    {
      g_autofree char *loading = g_strdup_printf ("0.%03u", i);
      set (player, params, "loading", loading, "cpu");
    }
  WAIT_UNTIL (loading_of (history) == 0.2);
  es_test_run_for (0.05);
  g_assert_cmpfloat (loading_of (history), ==, 0.2);
  assert_as_formed_at_once (recording, params, history);
  g_assert_cmpuint (es_test_rows (player), ==, 2);
  g_assert_cmpuint (counts.reset, ==, 1);

  /* How many blocks are averaged is more than that; and conventional beams are others again. */
  set (player, params, "blocks", "3", "cpu");
  WAIT_UNTIL (counts.reset == 2 && es_test_rows (player) == 1);
  g_assert_cmpfloat (es_test_newest (player), ==, 3);
  g_assert_cmpuint (es_beam_history_get_used (history), ==, 48);
  g_autoptr (EsParams) cbf = es_test_beam_params ("cbf", "block", "500ms", "band", "300:480", NULL);
  es_player_set_params (player, &es_operation_cbf, cbf, NULL);
  WAIT_UNTIL (counts.reset == 3 && es_test_rows (player) == 1);
  g_assert_false (es_beam_history_has (history, ES_BEAM_MVDR));
  g_assert_nonnull (es_player_get_device (player));
  es_player_set_params (player, &es_operation_mvdr, params, NULL);
  WAIT_UNTIL (counts.reset == 4 && es_test_rows (player) == 1);
  g_assert_true (es_beam_history_has (history, ES_BEAM_MVDR));
  g_assert_cmpstr (es_player_get_failure (player), ==, NULL);
}

/* While it plays, in step or as fast as it can, no block is lost or seen twice whatever changes. */
static void
test_playing (gconstpointer data)
{
  const double speed = GPOINTER_TO_INT (data);
  g_autoptr (EsRecording) recording = make_recording (60, 1e-4);
  g_autoptr (EsPlayer) player = es_player_new (recording);
  g_autoptr (EsParams) params = make_params ();
  Counts counts;
  EsBeamHistory *history = watch (player, &counts);
  guint last_rows = 0, changes = 0;
  gboolean lagged = FALSE;

  es_player_set_speed (player, speed);
  es_player_set_params (player, &es_operation_mvdr, params, es_device_get_cpu ());
  WAIT_UNTIL (es_test_rows (player) == 1);
  es_player_play (player);
  while (es_player_is_playing (player))
    {
      gboolean lagging;

      g_main_context_iteration (NULL, TRUE);
      g_object_get (player, "lagging", &lagging, NULL);
      lagged = lagged || lagging;
      if (es_test_rows (player) < last_rows + 5)
        continue;
      last_rows = es_test_rows (player);
      changes++;
      if (changes % 2 == 0)
        set (player, params, "loading", changes % 4 == 0 ? "0.25" : "0.01", "cpu");
      else
        set (player, params, "sources", changes % 4 == 1 ? "2" : "0", "cpu");
      es_player_set_probe (player, 50 + changes, 400);
    }
  g_assert_cmpstr (es_player_get_failure (player), ==, NULL);
  g_assert_cmpuint (changes, >, lagged ? 0 : 5);
  g_assert_cmpuint (counts.reset, ==, 1);
  for (guint row = 0; row < es_beam_history_get_n_rows (history); row++)
    if (!lagged || es_beam_history_is_known (history, row))
      g_assert_nonnull (es_beam_history_get_row_of (history, ES_BEAM_MVDR, row));
  if (!lagged)
    g_assert_cmpuint (es_test_rows (player), ==, 120);
}

static gboolean
is_closer_at (EsBeamHistory *history, double bearing, double frequency)
{
  const EsBeamProbe *probe = es_beam_history_get_probe (history);

  return es_beam_history_is_looked_closer_at (history) && probe != NULL && probe->bearing == bearing
         && probe->frequency == frequency;
}

/* A row that is not the one that is heard: all that is told of it is what forming it at once tells. */
static void
assert_closer (EsRecording *recording, EsParams *params, EsBeamHistory *history, guint row, double bearing,
               double frequency)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (EsBeamSettings) settings = es_beam_settings_new (params, recording, array, &error);
  g_autoptr (EsBeamformer) beamformer = es_beamformer_new (recording, array, settings, es_device_get_cpu (), NULL,
                                                           &error);
  const EsBeamProbe *found = es_beam_history_get_probe (history), *wanted;
  guint n = 0, n_wanted = 0;

  g_assert_no_error (error);
  es_beamformer_set_probe (beamformer, bearing, frequency);
  g_autoptr (EsBeamBlock) block = es_beamformer_process (beamformer, (guint64) row * settings->block, &error);
  g_assert_no_error (error);
  wanted = es_beam_block_get_probe (block);
  g_assert_cmpuint (es_beam_history_get_used (history), ==, es_beam_block_get_used (block));
  g_assert_cmpfloat (es_beam_history_get_report (history)->loading, ==, es_beam_block_get_report (block)->loading);
  g_assert_cmpuint (found->n_eigenvalues, ==, wanted->n_eigenvalues);
  g_assert_cmpmem (found->eigenvalues, found->n_eigenvalues * sizeof (double), wanted->eigenvalues,
                   wanted->n_eigenvalues * sizeof (double));
  for (guint kind = 0; kind <= ES_BEAM_MVDR; kind++)
    g_assert_cmpmem (found->patterns[kind], found->n_angles * sizeof (float), wanted->patterns[kind],
                     wanted->n_angles * sizeof (float));
  const double *values = es_beam_history_get_eigenvalues (history, &n);
  const double *expected = es_beam_block_get_eigenvalues (block, &n_wanted);
  g_assert_cmpuint (n, ==, n_wanted);
  g_assert_cmpmem (values, n * settings->n_bins * sizeof (double), expected, n * settings->n_bins * sizeof (double));
}

static void
test_closer (void)
{
  g_autoptr (EsRecording) recording = make_recording (6, 1e-4);
  g_autoptr (EsPlayer) player = es_player_new (recording);
  g_autoptr (EsParams) params = make_params ();
  Counts counts;
  EsBeamHistory *history = watch (player, &counts);
  guint now;

  es_player_set_ahead (player, TRUE);
  set (player, params, "eigenvalues", "yes", "cpu");
  WAIT_UNTIL (es_player_get_progress (player) == 1);
  g_assert_false (es_beam_history_is_looked_closer_at (history));
  g_assert_cmpuint (es_beam_history_get_used (history), ==, 16);

  /* The first row remembers one block, the ninth two; what is asked for last counts. */
  es_player_look_closer (player, 3, 70, 350);
  es_player_look_closer (player, 8, 62, 400);
  WAIT_UNTIL (is_closer_at (history, 62, 400));
  assert_closer (recording, params, history, 8, 62, 400);
  g_assert_cmpuint (es_beam_history_get_used (history), ==, 32);
  es_test_run_for (0.1);
  g_assert_true (is_closer_at (history, 62, 400));
  /* It is not for the record, and what is heard stays. */
  g_assert_true (es_beam_history_get_now (history, &now) && now == 0);
  g_assert_cmpuint (counts.reset, ==, 1);

  /* Other loading, and then other beams: it is there anew. */
  set (player, params, "loading", "0.3", "cpu");
  WAIT_UNTIL (is_closer_at (history, 62, 400) && es_beam_history_get_report (history)->loading == 0.3);
  assert_closer (recording, params, history, 8, 62, 400);
  set (player, params, "blocks", "4", "cpu");
  WAIT_UNTIL (is_closer_at (history, 62, 400) && es_beam_history_get_used (history) == 64);
  assert_closer (recording, params, history, 8, 62, 400);

  /* Without a probe, and not any more. */
  es_player_look_closer (player, 2, NAN, NAN);
  WAIT_UNTIL (es_beam_history_is_looked_closer_at (history) && es_beam_history_get_probe (history) == NULL);
  g_assert_cmpuint (es_beam_history_get_used (history), ==, 48);
  es_player_look_closer (player, G_MAXUINT, NAN, NAN);
  g_assert_false (es_beam_history_is_looked_closer_at (history));
  g_assert_cmpuint (es_beam_history_get_used (history), ==, 16);
}

static void
test_probe (void)
{
  g_autoptr (EsRecording) recording = make_recording (6, 1e-4);
  g_autoptr (EsPlayer) player = es_player_new (recording);
  g_autoptr (EsParams) params = make_params ();
  Counts counts;
  EsBeamHistory *history = watch (player, &counts);
  const EsBeamProbe *probe;

  es_player_set_params (player, &es_operation_mvdr, params, es_device_get_cpu ());
  WAIT_UNTIL (es_test_rows (player) == 1);
  g_assert_null (es_beam_history_get_probe (history));
  es_player_set_probe (player, 60, 400);
  WAIT_UNTIL (es_beam_history_get_probe (history) != NULL);
  probe = es_beam_history_get_probe (history);
  g_assert_cmpfloat (probe->bearing, ==, 60);
  g_assert_cmpuint (probe->n_eigenvalues, ==, ELEMENTS);
  for (guint i = 0; i < probe->n_angles; i++)
    if (fabs (probe->angles[i] - 60) < 1e-6)
      for (guint kind = 0; kind <= ES_BEAM_MVDR; kind++)
        g_assert_cmpfloat_with_epsilon (probe->patterns[kind][i], 1, 1e-5);
  g_assert_cmpuint (counts.filled, ==, 2);

  /* It moves; the same again is nothing; not any more. */
  for (guint i = 0; i < 100; i++)
    es_player_set_probe (player, 60 + i, 350);
  WAIT_UNTIL ((probe = es_beam_history_get_probe (history)) != NULL && probe->bearing == 159);
  const guint filled = counts.filled;
  es_player_set_probe (player, 159, 350);
  es_test_run_for (0.1);
  g_assert_cmpuint (counts.filled, ==, filled);
  es_player_set_probe (player, NAN, 350);
  WAIT_UNTIL (es_beam_history_get_probe (history) == NULL);
  g_assert_cmpuint (es_test_rows (player), ==, 1);

  /* It is there after other settings, and with conventional beams alone. */
  es_player_set_probe (player, 90, 420);
  set (player, params, "blocks", "1", "cpu");
  WAIT_UNTIL (counts.reset == 2 && es_beam_history_get_probe (history) != NULL);
  g_autoptr (EsParams) cbf = es_test_beam_params ("cbf", "block", "500ms", "band", "300:480", NULL);
  es_player_set_params (player, &es_operation_cbf, cbf, es_device_get_cpu ());
  WAIT_UNTIL (counts.reset == 3 && es_beam_history_get_probe (history) != NULL);
  g_assert_null (es_beam_history_get_probe (history)->patterns[ES_BEAM_MVDR]);

  /* As fast as possible it arrives soon. */
  es_player_set_params (player, &es_operation_mvdr, params, es_device_get_cpu ());
  es_player_set_loop (player, TRUE);
  es_player_set_speed (player, ES_PLAYER_FASTEST);
  counts.filled = 0;
  es_player_play (player);
  WAIT_UNTIL (counts.filled > 5 && es_test_rows (player) == 12);
  es_player_set_probe (player, 77, 333);
  WAIT_UNTIL ((probe = es_beam_history_get_probe (history)) != NULL && probe->bearing == 77);
}

/* Settings that cannot be, and data of which there is no inverse: said, and mended by other settings. */
static void
test_refused (gconstpointer device)
{
  g_autoptr (EsRecording) recording = make_recording (6, 0);
  g_autoptr (EsPlayer) player = es_player_new (recording);
  g_autoptr (EsParams) params = make_params ();
  Counts counts;
  EsBeamHistory *history = watch (player, &counts);

  es_player_set_params (player, &es_operation_mvdr, params, es_device_find (device, NULL));
  WAIT_UNTIL (es_test_rows (player) == 1);
  set (player, params, "sources", "100", device);
  WAIT_UNTIL (es_player_get_failure (player) != NULL);
  g_assert_nonnull (strstr (es_player_get_failure (player), "100"));
  set (player, params, "sources", "0", device);
  WAIT_UNTIL (es_player_get_failure (player) == NULL && counts.filled == 2);
  es_player_play (player);
  WAIT_UNTIL (es_test_rows (player) == 3);
  g_assert_cmpuint (counts.reset, ==, 1);

  /* One source in eight elements, and a loading that is none. */
  set (player, params, "loading", "0", device);
  WAIT_UNTIL (es_player_get_failure (player) != NULL);
  g_assert_nonnull (strstr (es_player_get_failure (player), "inverse"));
  WAIT_UNTIL (!es_player_is_playing (player));
  /* Another device would do no better. */
  g_assert_null (es_player_get_device (player));
  set (player, params, "loading", "0.1", device);
  WAIT_UNTIL (es_player_get_failure (player) == NULL && loading_of (history) == 0.1);
  g_assert_cmpuint (counts.reset, ==, 1);
  es_player_play (player);
  const guint before = es_test_rows (player);
  WAIT_UNTIL (es_test_rows (player) > before);
  g_assert_cmpstr (es_device_get_id (es_player_get_device (player)), ==, device);
}

/* A card that is too slow leaves blocks out, but hears those that it averages: it keeps to the clock all the same. */
static void
test_lagging (void)
{
  g_autoptr (EsRecording) recording = make_recording (4, 1e-4);
  g_autoptr (EsPlayer) player = es_player_new (recording);
  g_autoptr (EsParams) params = make_params ();
  Counts counts;
  EsBeamHistory *history = watch (player, &counts);
  gboolean lagging = FALSE;

  g_setenv ("ES_FAKE_DELAY_US", "3000", TRUE);
  set (player, params, "block", "50ms", "cpu");
  set (player, params, "blocks", "8", "cuda:0");
  WAIT_UNTIL (es_test_rows (player) >= 1 && es_beam_history_has (history, ES_BEAM_MVDR)
              && strcmp (es_device_get_id (es_player_get_device (player)), "cuda:0") == 0);
  es_player_set_speed (player, 4);
  es_player_play (player);
  WAIT_UNTIL (es_player_get_position (player) > 3.5);
  g_object_get (player, "lagging", &lagging, NULL);
  g_unsetenv ("ES_FAKE_DELAY_US");
  g_assert_true (lagging);
  g_assert_cmpfloat (es_test_newest (player), >, 1);
  g_assert_cmpuint (es_test_rows (player), >, 2);
  g_assert_cmpuint (es_test_rows (player), <, 60);
  g_assert_cmpuint (es_beam_history_get_used (history), ==, 128);
  assert_as_formed_at_once (recording, params, history);
}

/* A card that fails: the CPU goes on, also where sliders move; its parameters are not to blame. */
static void
test_lost (void)
{
  g_autoptr (EsRecording) recording = make_recording (10, 1e-4);
  g_autoptr (EsPlayer) player = es_player_new (recording);
  g_autoptr (EsParams) params = make_params ();
  Counts counts;
  EsBeamHistory *history = watch (player, &counts);

  EsDevice *card = es_device_find ("cuda:1", NULL);
  g_autoptr (GError) error = NULL;

  es_player_set_params (player, &es_operation_mvdr, params, card);
  WAIT_UNTIL (es_test_rows (player) == 1);
  g_assert_cmpstr (es_player_get_failure (player), ==, NULL);
  g_assert_true (es_player_get_device (player) == card);
  /* On a card, too, parameters are changed as it goes. */
  set (player, params, "loading", "0.3", "cuda:1");
  WAIT_UNTIL (loading_of (history) == 0.3);
  g_assert_cmpuint (counts.filled, ==, 2);
  assert_as_formed_at_once (recording, params, history);
  es_player_set_speed (player, 4);
  g_setenv ("ES_FAKE_LOSE_AT", "1", TRUE);
  es_player_play (player);
  WAIT_UNTIL (es_player_get_failure (player) != NULL);
  WAIT_UNTIL (es_player_get_device (player) == es_device_get_cpu ());
  g_unsetenv ("ES_FAKE_LOSE_AT");
  g_assert_true (es_player_is_playing (player));
  const guint before = es_test_rows (player);
  /* It is still wanted, but not tried at every change. */
  g_assert_true (es_params_parse (params, "loading", "0.7", &error));
  es_player_set_params (player, &es_operation_mvdr, params, card);
  WAIT_UNTIL (loading_of (history) == 0.7 && es_test_rows (player) > before + 2);
  g_assert_true (es_player_get_device (player) == es_device_get_cpu ());
  g_assert_nonnull (es_player_get_failure (player));
  g_assert_cmpuint (counts.reset, ==, 1);
}

/* Rotations of a thousand matrices take minutes: nobody waits for them who asks for something else, or closes. */
static void
test_impatient (void)
{
  g_autoptr (EsArray) array = es_array_new_line (256, 0.75, 0, NULL);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, RATE, 3 * RATE, 1500);

  es_test_sonar_add_white (sonar, 0.01, 3);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
  g_autoptr (EsPlayer) player = es_player_new (recording);
  g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "snapshots", "2", "blocks", "1", "band", "10:990",
                                                     "angles", "10:170:40", "method", "jacobi", NULL);
  EsBeamHistory *history = es_player_get_history (player);

  es_player_set_params (player, &es_operation_mvdr, params, es_device_get_cpu ());
  es_test_run_for (0.8);
  g_assert_cmpuint (es_test_rows (player), ==, 0);
  set (player, params, "method", "woodbury", "cpu");
  WAIT_UNTIL (es_test_rows (player) == 1);
  g_assert_cmpint (es_beam_history_get_report (history)->method, ==, ES_ADAPTIVE_WOODBURY);
  g_assert_cmpstr (es_player_get_failure (player), ==, NULL);
  /* Playing, and while it seeks. */
  es_player_set_speed (player, ES_PLAYER_FASTEST);
  es_player_set_loop (player, TRUE);
  es_player_play (player);
  set (player, params, "method", "jacobi", "cpu");
  es_test_run_for (0.6);
  es_player_pause (player);
  es_player_seek (player, 1);
  es_test_run_for (0.6);
  set (player, params, "method", "cholesky", "cpu");
  WAIT_UNTIL (es_beam_history_get_report (history)->method == ES_ADAPTIVE_CHOLESKY && es_test_newest (player) == 1);
  g_assert_cmpstr (es_player_get_failure (player), ==, NULL);
  /* The end of the program waits for what is under way now, but not for minutes. */
  set (player, params, "method", "jacobi", "cpu");
  es_test_run_for (0.3);
}

/* A tone between two bins is put right on fine angles; on coarse ones the history knows that it is not. */
static void
test_loose (void)
{
  g_autoptr (EsArray) array = es_array_new_line (ELEMENTS, 1.5, 0, NULL);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, RATE, 4 * RATE, 1500);
  g_autoptr (EsParams) params = make_params ();

  es_test_sonar_add_tone (sonar, es_test_place_far (array, 70), 398.4, 0.3, 0);
  es_test_sonar_add_white (sonar, 1e-6, 9);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
  g_autoptr (EsPlayer) player = es_player_new (recording);
  EsBeamHistory *history = es_player_get_history (player);

  g_assert_false (es_beam_history_has_loose_tones (history));
  set (player, params, "ranges", "far", "cpu");
  set (player, params, "angles", "10:170:16", "cpu");
  es_player_seek (player, 1);
  WAIT_UNTIL (es_beam_history_get_n_rows (history) > 0 && es_beam_history_get_report (history) != NULL
              && es_beam_history_has_loose_tones (history));
  set (player, params, "angles", "", "cpu");
  WAIT_UNTIL (es_beam_history_get_report (history) != NULL
              && es_beam_history_get_settings (history)->angles_fine && es_beam_history_get_n_current (history) > 0);
  g_assert_false (es_beam_history_has_loose_tones (history));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/player-adaptive/paused", test_paused);
  g_test_add_data_func ("/player-adaptive/in-step", GINT_TO_POINTER (30), test_playing);
  g_test_add_data_func ("/player-adaptive/fastest", GINT_TO_POINTER (0), test_playing);
  g_test_add_func ("/player-adaptive/probe", test_probe);
  g_test_add_func ("/player-adaptive/closer", test_closer);
  g_test_add_data_func ("/player-adaptive/refused", "cpu", test_refused);
  g_test_add_data_func ("/player-adaptive/refused-on-card", "cuda:0", test_refused);
  g_test_add_func ("/player-adaptive/lagging", test_lagging);
  g_test_add_func ("/player-adaptive/lost", test_lost);
  g_test_add_func ("/player-adaptive/impatient", test_impatient);
  g_test_add_func ("/player-adaptive/loose", test_loose);
  const int status = g_test_run ();
  /* Workers that are still on their way. */
  es_devices_stop ();
  return status;
}
