/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A recording that is still being written, while it is played and its record computed: the same timeline with an end
 * that moves. */

#include <math.h>
#include <string.h>

#include "device/es-device-internal.h"
#include "es-test-beams.h"
#include "es-test-history.h"
#include "es-test-player.h"
#include "operations/es-operations.h"
#include "recording/es-recording-internal.h"

#define RATE 2000
#define ELEMENTS 8

/* The first `seconds` of one scene. */
static EsRecording *
make_recording (EsTestSonar *sonar, double seconds)
{
  const gsize frames = sonar->frames;
  EsRecording *recording;

  sonar->frames = (gsize) (seconds * RATE);
  recording = es_test_sonar_record (sonar, ESK_F32, 1);
  sonar->frames = frames;
  return recording;
}

static void
grow (EsRecording *recording, EsTestSonar *sonar, double seconds)
{
  g_autoptr (EsRecording) longer = make_recording (sonar, seconds);

  g_assert_true (es_recording_grow (recording, longer));
  g_assert_cmpfloat (es_recording_get_seconds (recording), ==, seconds);
}

static gboolean
has_all (EsPlayer *player, guint rows)
{
  EsBeamHistory *history = es_player_get_history (player);

  return es_beam_history_get_n_rows (history) == rows && es_beam_history_get_n_current (history) == rows;
}

static void
count_resets (guint *n)
{
  ++*n;
}

/* Nobody plays: what comes is computed as it comes, nothing of what was there changes, and in the end it is what it
 * would be if all had been there from the beginning. */
static void
test_record (gconstpointer data)
{
  g_autoptr (EsTestSonar) sonar = es_test_history_scene (30.3);
  g_autoptr (EsRecording) recording = make_recording (sonar, 10.2), whole = make_recording (sonar, 30.3);
  g_autoptr (EsPlayer) player = es_player_new (recording), other = es_player_new (whole);
  g_autoptr (EsParams) params = es_test_history_params (data);
  EsBeamHistory *history = es_player_get_history (player);
  const EsOperation *operation = es_operation_find (data, NULL);
  guint n_resets = 0;

  es_player_set_ahead (player, TRUE);
  es_player_set_params (player, operation, params, es_device_get_cpu ());
  WAIT_UNTIL (has_all (player, 20));
  g_signal_connect_swapped (history, "reset", G_CALLBACK (count_resets), &n_resets);
  /* Its last block was not whole. */
  grow (recording, sonar, 10.6);
  WAIT_UNTIL (has_all (player, 21));
  grow (recording, sonar, 10.9);
  g_assert_cmpuint (es_beam_history_get_n_rows (history), ==, 21);
  grow (recording, sonar, 30.3);
  g_assert_cmpuint (es_beam_history_get_n_rows (history), ==, 60);
  WAIT_UNTIL (has_all (player, 60));
  g_assert_cmpuint (n_resets, ==, 0);
  g_assert_cmpfloat (es_player_get_duration (player), ==, 30.3);
  es_test_history_check_rows (whole, params, history);

  es_player_set_ahead (other, TRUE);
  es_player_set_params (other, operation, params, es_device_get_cpu ());
  WAIT_UNTIL (has_all (other, 60));
  es_test_run_for (0.05);
  g_assert_cmpuint (es_beam_history_get_tracks (history)->len, ==,
                    es_beam_history_get_tracks (es_player_get_history (other))->len);

  /* What is shorter, or sampled otherwise, is none of it. */
  g_autoptr (EsRecording) shorter = make_recording (sonar, 12);
  g_assert_false (es_recording_grow (recording, shorter));
  g_assert_cmpfloat (es_recording_get_seconds (recording), ==, 30.3);
}

/* Samples in memory, of channels that end one before the other. */
typedef struct
{
  EsFrameSource parent;
  float        *samples;
} Samples;

static gpointer
new_handle (EsFrameSource *source, GError **error)
{
  return source;
}

static void
free_handle (EsFrameSource *source, gpointer handle)
{
}

static gboolean
read_samples (EsFrameSource *source, gpointer handle, guint64 first, guint64 n, void *buffer, EskFrames *frames,
              GError **error)
{
  memcpy (buffer, ((Samples *) source)->samples + first * ELEMENTS, n * ELEMENTS * sizeof (float));
  *frames = (EskFrames) { .data = buffer, .type = ESK_F32, .frames = n, .channels = ELEMENTS,
                          .frame_stride = ELEMENTS, .channel_stride = 1 };
  return TRUE;
}

static void
free_samples (EsFrameSource *source)
{
  g_free (((Samples *) source)->samples);
  g_free (source);
}

/* Files of a channel each grow one after the other: where some had not come yet the record is formed again. */
static void
test_uneven (void)
{
  g_autoptr (EsTestSonar) sonar = es_test_history_scene (30.3);
  g_autoptr (EsRecording) whole = make_recording (sonar, 14.2);
  g_autoptr (EsArray) array = es_recording_get_array (whole);
  const guint64 frames = (guint64) (10.2 * RATE);
  float *samples = g_new (float, frames * ELEMENTS);
  guint64 *channel_frames = g_new (guint64, ELEMENTS);
  g_autoptr (GError) error = NULL;

  /* The last channels end at 8.7 s. */
  g_assert_true (es_recording_read (whole, 0, frames, 0, ELEMENTS, samples, NULL));
  for (guint k = 0; k < ELEMENTS; k++)
    {
      channel_frames[k] = k < 4 ? frames : (guint64) (8.7 * RATE);
      for (guint64 t = channel_frames[k]; t < frames; t++)
        samples[t * ELEMENTS + k] = 0;
    }
  Samples *source = g_new0 (Samples, 1);
  source->parent = (EsFrameSource) { .handle_new = new_handle, .handle_free = free_handle, .read = read_samples,
                                     .free = free_samples };
  source->samples = samples;
  EsRecordingInfo info = {
    .channels = ELEMENTS, .rate = RATE, .frames = frames, .channel_frames = channel_frames, .type = ESK_F32,
    .scale = 1, .calibration = NAN, .source = &source->parent,
  };
  g_autoptr (EsRecording) recording = es_recording_new (NULL, &info, &error);
  g_assert_no_error (error);
  es_recording_set_array (recording, array);
  g_assert_cmpuint (es_recording_get_common_frames (recording), ==, (guint64) (8.7 * RATE));

  g_autoptr (EsPlayer) player = es_player_new (recording);
  g_autoptr (EsParams) params = es_test_history_params ("cbf");
  es_player_set_ahead (player, TRUE);
  es_player_set_params (player, es_operation_find ("cbf", NULL), params, es_device_get_cpu ());
  WAIT_UNTIL (has_all (player, 20));
  grow (recording, sonar, 14.2);
  WAIT_UNTIL (has_all (player, 28));
  es_test_history_check_rows (whole, params, es_player_get_history (player));
}

/* Played at its end: it waits there for what comes and goes on with it, block by block, until no more does. */
static void
test_plays (void)
{
  g_autoptr (EsTestSonar) sonar = es_test_history_scene (30.3);
  g_autoptr (EsRecording) recording = make_recording (sonar, 10.2);
  g_autoptr (EsPlayer) player = es_player_new (recording);
  g_autoptr (EsParams) params = es_test_history_params ("cbf");
  gboolean lagging;

  es_player_set_params (player, es_operation_find ("cbf", NULL), params, es_device_get_cpu ());
  es_player_seek (player, 9);
  WAIT_UNTIL (es_test_newest (player) == 9);
  es_recording_set_growing (recording, TRUE);
  es_player_set_speed (player, 4);
  es_player_play (player);
  WAIT_UNTIL (es_test_newest (player) == 9.5 && es_player_get_position (player) == 10.2);
  es_test_run_for (0.3);
  g_assert_true (es_player_is_playing (player));
  g_assert_cmpfloat (es_player_get_position (player), ==, 10.2);
  grow (recording, sonar, 12.2);
  /* From there on, and not from where the clock would be by now. */
  g_assert_cmpfloat (es_player_get_position (player), <, 10.8);
  WAIT_UNTIL (es_player_get_position (player) == 12.2);
  g_assert_cmpuint (es_test_rows (player), ==, 2 + 4);
  g_assert_cmpfloat (es_test_newest (player), ==, 11.5);
  g_object_get (player, "lagging", &lagging, NULL);
  g_assert_false (lagging);
  /* Whoever presses Play there does not begin from the start. */
  es_player_pause (player);
  es_player_play (player);
  grow (recording, sonar, 13.1);
  WAIT_UNTIL (es_player_get_position (player) == 13.1);
  g_assert_cmpfloat (es_test_newest (player), ==, 12.5);
  es_recording_set_growing (recording, FALSE);
  WAIT_UNTIL (!es_player_is_playing (player));
  g_assert_cmpfloat (es_player_get_position (player), ==, 13.1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/growing/record-cbf", "cbf", test_record);
  g_test_add_data_func ("/growing/record-mvdr", "mvdr", test_record);
  g_test_add_func ("/growing/plays", test_plays);
  g_test_add_func ("/growing/uneven", test_uneven);
  const int status = g_test_run ();
  /* Workers that are still on their way. */
  es_devices_stop ();
  return status;
}
