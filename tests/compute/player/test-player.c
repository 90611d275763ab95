/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Playing a recording: the clock, what is asked for in between, what goes wrong, the end. */

#include <math.h>
#include <string.h>

#include "beam/es-beam-sound.h"
#include "device/es-device-internal.h"
#include "es-test-beams.h"
#include "es-test-player.h"

#define RATE 2000

static EsRecording *
make_recording (guint elements, double seconds)
{
  g_autoptr (EsArray) array = es_array_new_line (elements, 1.5, 0, NULL);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, RATE, (gsize) (seconds * RATE), 1500);

  es_test_sonar_add_tone (sonar, es_test_place_far (array, 60), 400, 0.25, 0);
  return es_test_sonar_record (sonar, ESK_I16, 1);
}

static EsParams *
make_params (const char *block)
{
  return es_test_beam_params ("cbf", "block", block, "band", "300:500", "angles", "10:169:3", "ranges", "far,100",
                              NULL);
}

static void
count (gpointer data)
{
  ++*(guint *) data;
}

/* In step with the clock, every block once, to the end. */
static void
test_clock (void)
{
  g_autoptr (EsRecording) recording = make_recording (8, 1.5);
  g_autoptr (EsPlayer) player = es_player_new (recording);
  g_autoptr (EsParams) params = make_params ("100ms");
  EsBeamHistory *history = es_player_get_history (player);
  guint positions = 0, playing = 0;

  g_signal_connect_swapped (player, "notify::position", G_CALLBACK (count), &positions);
  g_signal_connect_swapped (player, "notify::playing", G_CALLBACK (count), &playing);
  es_player_set_params (player, &es_operation_cbf, params, es_device_get_cpu ());
  /* At once, what is there at the beginning is shown. */
  WAIT_UNTIL (es_test_rows (player) == 1);
  g_assert_cmpfloat (es_test_newest (player), ==, 0);
  g_assert_cmpfloat (es_player_get_position (player), ==, 0);
  g_assert_cmpstr (es_player_get_failure (player), ==, NULL);
  g_assert_true (es_player_get_device (player) == es_device_get_cpu ());

  const gint64 start = g_get_monotonic_time ();
  es_player_play (player);
  g_assert_true (es_player_is_playing (player));
  WAIT_UNTIL (es_test_rows (player) == 8);
  const double position = es_player_get_position (player);
  const double elapsed = (g_get_monotonic_time () - start) * 1e-6;
  g_assert_cmpfloat (elapsed, >=, 0.69);
  /* The clock goes on while a busy machine computes; it never waits for it. */
  g_assert_cmpfloat (position, <=, elapsed + 0.3);
  g_assert_cmpfloat (es_player_get_position (player), >=, 0.7);
  WAIT_UNTIL (!es_player_is_playing (player));
  const double all = (g_get_monotonic_time () - start) * 1e-6;
  g_assert_cmpfloat (all, >=, 1.49);
  g_assert_cmpfloat (es_player_get_position (player), ==, 1.5);
  g_assert_cmpuint (playing, ==, 2);
  g_assert_cmpuint (positions, >, 10);
  g_assert_cmpfloat (es_player_get_real_time_factor (player), >, 1);
  if (!es_player_get_failure (player) && es_test_rows (player) == 15)
    for (guint i = 0; i < 15; i++)
      g_assert_true (es_beam_history_is_current (history, i));
  guint n;
  g_assert_nonnull (es_player_get_health (player, &n));
  g_assert_cmpuint (n, ==, 8);

  /* From the end it begins again; in between it can be paused. */
  es_player_play (player);
  g_assert_cmpfloat (es_player_get_position (player), <, 0.1);
  es_test_run_for (0.3);
  es_player_pause (player);
  const double paused = es_player_get_position (player);
  es_test_run_for (0.2);
  g_assert_cmpfloat (es_player_get_position (player), ==, paused);
  g_assert_cmpfloat (paused, <, 1);
}

static void
test_fastest (void)
{
  g_autoptr (EsRecording) recording = make_recording (8, 20);
  g_autoptr (EsPlayer) player = es_player_new (recording);
  g_autoptr (EsParams) params = make_params ("100ms");
  EsBeamHistory *history = es_player_get_history (player);
  const gint64 start = g_get_monotonic_time ();

  es_player_set_speed (player, ES_PLAYER_FASTEST);
  es_player_play (player);
  es_player_set_params (player, &es_operation_cbf, params, es_device_get_cpu ());
  WAIT_UNTIL (!es_player_is_playing (player));
  g_assert_cmpfloat ((g_get_monotonic_time () - start) * 1e-6, <, 15);
  g_assert_cmpfloat (es_player_get_position (player), ==, 20);
  /* Nothing is left out, and nothing is twice. */
  g_assert_cmpuint (es_test_rows (player), ==, 200);
  for (guint i = 0; i < 200; i++)
    {
      g_assert_cmpfloat_with_epsilon (es_beam_history_get_begin (history, i), 0.1 * i, 1e-9);
      g_assert_cmpfloat_with_epsilon (es_beam_history_get_row (history, i)[17], 0.03125, 0.003);
    }
}

static void
be_slow (void)
{
  g_usleep (20000);
}

/* Who hears that it ended has all that was played, however slowly it is taken. */
static void
test_end (void)
{
  g_autoptr (EsRecording) recording = make_recording (8, 2);
  g_autoptr (EsPlayer) player = es_player_new (recording);
  g_autoptr (EsParams) params = make_params ("100ms");

  g_signal_connect (es_player_get_history (player), "reset", G_CALLBACK (be_slow), NULL);
  es_player_set_speed (player, ES_PLAYER_FASTEST);
  es_player_play (player);
  es_player_set_params (player, &es_operation_cbf, params, es_device_get_cpu ());
  /* All of it waits before the first is taken. */
  g_usleep (500000);
  WAIT_UNTIL (!es_player_is_playing (player));
  g_assert_cmpuint (es_test_rows (player), ==, 20);
}

/* Paused, only the block that is asked for last needs to be seen. */
static void
test_seek (void)
{
  g_autoptr (EsRecording) recording = make_recording (8, 20);
  g_autoptr (EsPlayer) player = es_player_new (recording);
  g_autoptr (EsParams) params = make_params ("500ms");

  es_player_set_params (player, &es_operation_cbf, params, es_device_get_cpu ());
  WAIT_UNTIL (es_test_rows (player) == 1);
  es_player_seek (player, 7.25);
  g_assert_cmpfloat (es_player_get_position (player), ==, 7.25);
  /* The block that it is in. */
  WAIT_UNTIL (es_test_newest (player) == 7);
  g_assert_cmpuint (es_test_rows (player), ==, 2);
  for (guint i = 0; i < 500; i++)
    es_player_seek (player, 0.02 * i);
  es_player_seek (player, 11);
  WAIT_UNTIL (es_test_newest (player) == 11);
  g_assert_cmpuint (es_test_rows (player), <, 100);
  g_assert_cmpfloat (es_player_get_position (player), ==, 11);
  /* At the end: the last whole block; not a number and what is outside: an end. */
  es_player_seek (player, 1e9);
  g_assert_cmpfloat (es_player_get_position (player), ==, 20);
  WAIT_UNTIL (es_test_newest (player) == 19.5);
  es_player_seek (player, NAN);
  WAIT_UNTIL (es_test_newest (player) == 0);
  /* Playing goes on from there. */
  es_player_seek (player, 3);
  es_player_play (player);
  es_player_seek (player, 5);
  WAIT_UNTIL (es_test_newest (player) == 5.5);
  g_assert_cmpfloat (es_player_get_position (player), <, 7);
}

/* Newest wins, and what is seen is formed again. */
static void
test_params (void)
{
  g_autoptr (EsRecording) recording = make_recording (8, 10);
  g_autoptr (EsPlayer) player = es_player_new (recording);
  g_autoptr (EsParams) params = make_params ("500ms"), wrong = make_params ("500s");
  g_autoptr (GError) error = NULL;
  EsBeamHistory *history = es_player_get_history (player);
  guint resets = 0, filled = 0;

  g_signal_connect_swapped (history, "reset", G_CALLBACK (count), &resets);
  g_signal_connect_swapped (history, "filled", G_CALLBACK (count), &filled);
  es_player_set_params (player, &es_operation_cbf, params, NULL);
  WAIT_UNTIL (es_test_rows (player) == 1);
  g_assert_nonnull (es_player_get_device (player));
  es_player_seek (player, 4);
  WAIT_UNTIL (es_test_newest (player) == 4);
  g_assert_cmpuint (resets, ==, 1);

  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *angles = g_strdup_printf ("10:%u:2", 100 + 2 * i);
      g_assert_true (es_params_parse (params, "angles", angles, &error));
      es_player_set_params (player, &es_operation_cbf, params, es_device_get_cpu ());
    }
  WAIT_UNTIL (es_beam_history_get_settings (history)->n_angles == 65);
  g_assert_cmpfloat (es_test_newest (player), ==, 4);
  g_assert_cmpuint (es_test_rows (player), ==, 1);
  g_assert_cmpuint (resets, <=, 21);

  es_player_set_params (player, &es_operation_cbf, wrong, es_device_get_cpu ());
  WAIT_UNTIL (es_player_get_failure (player) != NULL);
  g_assert_nonnull (strstr (es_player_get_failure (player), "longer than the recording"));
  es_player_play (player);
  es_test_run_for (0.05);
  g_assert_cmpuint (es_test_rows (player), ==, 1);
  /* Nothing is heard, so the clock stands still. */
  g_assert_cmpfloat (es_player_get_position (player), ==, 4);
  es_player_pause (player);
  es_player_set_params (player, &es_operation_cbf, params, es_device_get_cpu ());
  /* The same beams of the same block: seen once. */
  const guint filled_before = filled;
  WAIT_UNTIL (es_player_get_failure (player) == NULL && filled == filled_before + 1);
  g_assert_cmpuint (es_test_rows (player), ==, 1);

  /* Another array: a dead element. */
  g_autoptr (EsArray) array = es_recording_get_array (recording), dead = es_array_with_dead (array, 2, TRUE);
  const guint before = resets;
  es_recording_set_array (recording, dead);
  WAIT_UNTIL (resets == before + 1 && es_test_rows (player) == 1);
}

static void
test_loop (void)
{
  g_autoptr (EsRecording) recording = make_recording (4, 1);
  g_autoptr (EsPlayer) player = es_player_new (recording);
  g_autoptr (EsParams) params = make_params ("100ms");
  guint filled = 0;

  es_player_set_params (player, &es_operation_cbf, params, es_device_get_cpu ());
  es_player_set_loop (player, TRUE);
  es_player_set_speed (player, 20);
  g_signal_connect_swapped (es_player_get_history (player), "filled", G_CALLBACK (count), &filled);
  es_player_play (player);
  WAIT_UNTIL (filled > 15);
  es_player_set_speed (player, ES_PLAYER_FASTEST);
  WAIT_UNTIL (filled > 200);
  g_assert_true (es_player_is_playing (player));
  g_assert_cmpuint (es_test_rows (player), ==, 10);
  g_assert_cmpfloat (es_test_newest (player), <=, 0.9 + 1e-9);
  es_player_set_loop (player, FALSE);
  WAIT_UNTIL (!es_player_is_playing (player));
  g_assert_cmpfloat_with_epsilon (es_test_newest (player), 0.9, 1e-9);
}

/* A card that is too slow: blocks are left out, the clock is kept to; and nobody waits for it to go. */
static void
test_lagging (void)
{
  g_autoptr (EsRecording) recording = make_recording (4, 3);
  g_autoptr (EsPlayer) player = es_player_new (recording);
  g_autoptr (EsParams) params = make_params ("50ms");
  EsBeamHistory *history = es_player_get_history (player);
  gboolean lagging = FALSE;

  g_setenv ("ES_FAKE_DELAY_US", "20000", TRUE);
  es_player_set_params (player, &es_operation_cbf, params, es_device_find ("cuda:0", NULL));
  WAIT_UNTIL (es_test_rows (player) == 1);
  const gint64 start = g_get_monotonic_time ();
  es_player_play (player);
  WAIT_UNTIL (es_player_get_position (player) > 1.5);
  g_object_get (player, "lagging", &lagging, NULL);
  g_assert_true (lagging);
  g_assert_cmpfloat ((g_get_monotonic_time () - start) * 1e-6, >=, 1.45);
  g_assert_cmpfloat (es_test_newest (player), >, 0.8);
  g_assert_cmpuint (es_test_rows (player), <, 28);
  g_assert_cmpuint (es_test_rows (player), >, 2);
  /* Whatever was left out has its place. */
  g_assert_cmpuint (es_beam_history_get_n_rows (history), ==, 60);
  for (guint i = 0; i < 60; i++)
    g_assert_cmpint (es_beam_history_is_known (history, i), ==, es_beam_history_get_row (history, i) != NULL);
  g_assert_cmpfloat (es_player_get_real_time_factor (player), <, 1);

  /* One that keeps up again. */
  g_unsetenv ("ES_FAKE_DELAY_US");
  WAIT_UNTIL ((g_object_get (player, "lagging", &lagging, NULL), !lagging) || !es_player_is_playing (player));
  g_setenv ("ES_FAKE_DELAY_US", "3000000", TRUE);
  es_player_seek (player, 0);
  es_player_play (player);
  es_test_run_for (0.05);
  const gint64 gone = g_get_monotonic_time ();
  g_clear_object (&player);
  /* Less than the one call that is under way: nobody waited for it, however busy the machine is. */
  g_assert_cmpfloat ((g_get_monotonic_time () - gone) * 1e-6, <, 2.5);
  g_unsetenv ("ES_FAKE_DELAY_US");
}

/* ---- sound ---- */

typedef struct
{
  GMutex  lock;
  GArray *samples;
  double  rate;
  guint   freed;
} Heard;

static void
hear (const float *samples, guint n, double rate, gpointer data)
{
  Heard *heard = data;

  g_mutex_lock (&heard->lock);
  g_array_append_vals (heard->samples, samples, n);
  heard->rate = rate;
  g_mutex_unlock (&heard->lock);
}

static void
free_heard (gpointer data)
{
  g_atomic_int_inc (&((Heard *) data)->freed);
}

static void
test_listener (void)
{
  g_autoptr (EsRecording) recording = make_recording (8, 2);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (EsPlayer) player = es_player_new (recording);
  g_autoptr (EsParams) params = make_params ("100ms");
  g_autoptr (GError) error = NULL;
  Heard heard = { .samples = g_array_new (FALSE, FALSE, sizeof (float)) };
  float wanted[2 * RATE];

  g_mutex_init (&heard.lock);
  es_player_set_listener (player, es_beam_aim_at (60), hear, &heard, free_heard);
  es_player_set_params (player, &es_operation_cbf, params, es_device_get_cpu ());
  WAIT_UNTIL (es_test_rows (player) == 1);
  g_assert_cmpuint (heard.samples->len, ==, 0);
  es_player_play (player);
  WAIT_UNTIL (!es_player_is_playing (player));
  es_player_set_listener (player, es_beam_aim_at (NAN), NULL, NULL, NULL);
  WAIT_UNTIL (g_atomic_int_get (&heard.freed) == 1);

  /* From the second block on (the first one was shown while nothing played): what the beam sounds like, without a seam.
   * A busy machine may leave blocks out. */
  g_autoptr (EsBeamSound) sound = es_beam_sound_new (recording, array, ES_SHADING_NONE, es_beam_aim_at (60), 0, &error);
  g_assert_no_error (error);
  g_assert_true (es_beam_sound_read (sound, 0, 2 * RATE, wanted, &error));
  g_mutex_lock (&heard.lock);
  g_assert_cmpfloat (heard.rate, ==, RATE);
  g_assert_cmpuint (heard.samples->len, >=, RATE / 10);
  g_assert_cmpuint (heard.samples->len % (RATE / 10), ==, 0);
  if (es_test_rows (player) == 20)
    {
      g_assert_cmpuint (heard.samples->len, ==, 19 * RATE / 10);
      g_assert_cmpmem (heard.samples->data, heard.samples->len * sizeof (float), wanted + RATE / 10,
                       heard.samples->len * sizeof (float));
    }
  g_mutex_unlock (&heard.lock);

  /* Of a player that goes. */
  es_player_set_listener (player, es_beam_aim_at (30), hear, &heard, free_heard);
  g_clear_object (&player);
  WAIT_UNTIL (g_atomic_int_get (&heard.freed) == 2);
  g_array_unref (heard.samples);
  g_mutex_clear (&heard.lock);
}

/* Gone while it plays, prepares, waits for the main context. */
static void
test_gone (void)
{
  for (guint i = 0; i < 30; i++)
    {
      g_autoptr (EsRecording) recording = make_recording (4, 2);
      g_autoptr (EsPlayer) player = es_player_new (recording);
      g_autoptr (EsParams) params = make_params ("50ms");

      es_player_set_speed (player, i % 3 == 0 ? ES_PLAYER_FASTEST : i);
      es_player_set_loop (player, TRUE);
      es_player_play (player);
      if (i % 4 != 3)
        es_player_set_params (player, &es_operation_cbf, params, es_device_get_cpu ());
      if (i % 2 == 0)
        es_test_run_for (0.002 * i);
    }
}

/* A card that is lost while it plays: the CPU goes on, and says why. */
static void
test_lost (void)
{
  g_autoptr (EsRecording) recording = make_recording (4, 4);
  g_autoptr (EsPlayer) player = es_player_new (recording);
  g_autoptr (EsParams) params = make_params ("50ms");

  es_player_set_params (player, &es_operation_cbf, params, es_device_find ("cuda:1", NULL));
  WAIT_UNTIL (es_test_rows (player) == 1);
  g_assert_cmpstr (es_device_get_id (es_player_get_device (player)), ==, "cuda:1");
  g_setenv ("ES_FAKE_LOSE_AT", "40", TRUE);
  es_player_play (player);
  WAIT_UNTIL (es_player_get_failure (player) != NULL);
  WAIT_UNTIL (es_player_get_device (player) == es_device_get_cpu ());
  g_assert_true (es_player_is_playing (player));
  const guint before = es_test_rows (player);
  WAIT_UNTIL (es_test_rows (player) > before + 5);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/player/clock", test_clock);
  g_test_add_func ("/player/fastest", test_fastest);
  g_test_add_func ("/player/end", test_end);
  g_test_add_func ("/player/seek", test_seek);
  g_test_add_func ("/player/params", test_params);
  g_test_add_func ("/player/loop", test_loop);
  g_test_add_func ("/player/lagging", test_lagging);
  g_test_add_func ("/player/listener", test_listener);
  g_test_add_func ("/player/gone", test_gone);
  g_test_add_func ("/player/lost", test_lost);
  const int status = g_test_run ();
  /* Workers that are still on their way. */
  es_devices_stop ();
  return status;
}
