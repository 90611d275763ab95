/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The sound of a beam over a stretch, while nothing plays: which samples, when, and to whom. */

#include <math.h>

#include "beam/es-beam-sound.h"
#include "es-test-beams.h"
#include "es-test-player.h"
#include "player/es-beam-replay.h"

#define RATE 4000

typedef struct
{
  GMutex  lock;
  GArray *samples;             /* of float */
  guint   n_destroyed;
} Ears;

static void
take (const float *samples, guint n, double rate, gpointer data)
{
  Ears *self = data;

  g_assert_cmpfloat (rate, ==, RATE);
  g_mutex_lock (&self->lock);
  g_array_append_vals (self->samples, samples, n);
  g_mutex_unlock (&self->lock);
}

static void
forget (gpointer data)
{
  Ears *self = data;

  g_mutex_lock (&self->lock);
  self->n_destroyed++;
  g_mutex_unlock (&self->lock);
}

static guint
count (Ears *self)
{
  g_mutex_lock (&self->lock);
  const guint n = self->samples->len;
  g_mutex_unlock (&self->lock);
  return n;
}

static guint
count_destroyed (Ears *self)
{
  g_mutex_lock (&self->lock);
  const guint n = self->n_destroyed;
  g_mutex_unlock (&self->lock);
  return n;
}

static EsRecording *
make_recording (void)
{
  g_autoptr (EsArray) array = es_array_new_line (8, 1.5, 0, NULL);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, RATE, 10 * RATE, 1500);

  es_test_sonar_add_noise (sonar, es_test_place_far (array, 60), 100, 500, 0.01, 3);
  es_test_sonar_add_noise (sonar, es_test_place_far (array, 110), 100, 500, 0.01, 4);
  return es_test_sonar_record (sonar, ESK_F32, 1);
}

static float *
read_beam (EsRecording *recording, EsArray *array, double bearing, guint64 first, guint n)
{
  g_autoptr (EsBeamSound) sound = es_beam_sound_new (recording, array, ES_SHADING_NONE,
                                                     es_beam_aim_at (bearing), 0, NULL);
  float *samples = g_new (float, n);

  g_assert_true (es_beam_sound_read (sound, first, n, samples, NULL));
  return samples;
}

static void
on_ended (EsBeamReplay *replay, const char *failure, guint *n)
{
  g_assert_null (failure);
  ++*n;
}

/* All of the stretch and nothing else, at its own pace. */
static void
test_stretch (void)
{
  g_autoptr (EsRecording) recording = make_recording ();
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autofree float *wanted = read_beam (recording, array, 60, 3 * RATE, 2 * RATE);
  Ears ears = { .samples = g_array_new (FALSE, FALSE, sizeof (float)) };
  const gint64 begin = g_get_monotonic_time ();
  guint ended = 0;
  g_autoptr (EsBeamReplay) replay = es_beam_replay_new (recording, array, ES_SHADING_NONE,
                                                        es_beam_aim_at (60), 3, 5, take, &ears,
                                                        forget);

  g_signal_connect (replay, "ended", G_CALLBACK (on_ended), &ended);
  g_assert_cmpfloat (es_beam_replay_get_position (replay), >=, 3);
  WAIT_UNTIL (count (&ears) > 0);
  /* Only a little ahead. */
  g_assert_cmpuint (count (&ears), <, RATE + (guint) ((g_get_monotonic_time () - begin) * 1e-6 * RATE));
  WAIT_UNTIL (ended > 0);
  g_assert_cmpfloat ((g_get_monotonic_time () - begin) * 1e-6, >=, 1.95);
  g_assert_cmpfloat (es_beam_replay_get_position (replay), ==, 5);
  g_assert_cmpmem (ears.samples->data, ears.samples->len * sizeof (float), wanted, 2 * RATE * sizeof (float));
  g_clear_object (&replay);
  WAIT_UNTIL (count_destroyed (&ears) == 1);
  g_assert_cmpuint (ended, ==, 1);
  g_array_unref (ears.samples);
}

/* Another bearing in the middle, where the first one was. */
static void
test_bearing (void)
{
  g_autoptr (EsRecording) recording = make_recording ();
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autofree float *one = read_beam (recording, array, 60, RATE, 2 * RATE);
  g_autofree float *other = read_beam (recording, array, 110, RATE, 2 * RATE);
  Ears ears = { .samples = g_array_new (FALSE, FALSE, sizeof (float)) };
  guint ended = 0, at = 0;
  g_autoptr (EsBeamReplay) replay = es_beam_replay_new (recording, array, ES_SHADING_NONE,
                                                        es_beam_aim_at (60), 1, 3, take, &ears,
                                                        forget);

  g_signal_connect (replay, "ended", G_CALLBACK (on_ended), &ended);
  WAIT_UNTIL (count (&ears) > 0);
  es_beam_replay_set_aim (replay, es_beam_aim_at (110));
  WAIT_UNTIL (ended > 0);
  g_assert_cmpuint (ears.samples->len, ==, 2 * RATE);
  while (at < 2 * RATE && g_array_index (ears.samples, float, at) == one[at])
    at++;
  g_assert_cmpuint (at, >, RATE / 10);
  g_assert_cmpuint (at, <, RATE);
  for (; at < 2 * RATE; at++)
    g_assert_cmpfloat (g_array_index (ears.samples, float, at), ==, other[at]);
  g_clear_object (&replay);
  WAIT_UNTIL (count_destroyed (&ears) == 1);
  g_array_unref (ears.samples);
}

/* Let go while it sounds, and of nothing at all. */
static void
test_gone (void)
{
  g_autoptr (EsRecording) recording = make_recording ();
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  Ears ears = { .samples = g_array_new (FALSE, FALSE, sizeof (float)) };
  guint ended = 0;

  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (EsBeamReplay) replay = es_beam_replay_new (recording, array, ES_SHADING_NONE,
                                                            es_beam_aim_at (60), 0, 10, take, &ears,
                                                            forget);

      g_signal_connect (replay, "ended", G_CALLBACK (on_ended), &ended);
      es_test_run_for (0.002 * i);
    }
  WAIT_UNTIL (count_destroyed (&ears) == 20);
  g_assert_cmpuint (ended, ==, 0);
  g_autoptr (EsBeamReplay) nothing = es_beam_replay_new (recording, array, ES_SHADING_NONE,
                                                         es_beam_aim_at (60), 20, 30, take, &ears,
                                                         forget);
  g_signal_connect (nothing, "ended", G_CALLBACK (on_ended), &ended);
  WAIT_UNTIL (ended == 1);
  g_clear_object (&nothing);
  WAIT_UNTIL (count_destroyed (&ears) == 21);
  g_array_unref (ears.samples);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/replay/stretch", test_stretch);
  g_test_add_func ("/replay/bearing", test_bearing);
  g_test_add_func ("/replay/gone", test_gone);
  return g_test_run ();
}
