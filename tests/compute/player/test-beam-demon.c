/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What beats in a beam, of any stretch of a recording. */

#include <math.h>

#include "base/es-error.h"
#include "beam/es-beam-demon.h"
#include "beam/es-beam-sound.h"
#include "es-test-beams.h"
#include "signal/es-line-spectrum.h"

#define RATE 4000
#define SECONDS 40
#define DEPTH 0.6
/* Hz, of the first half of the recording and of the second. */
#define FIRST 4
#define SECOND 7

/* Noise from abeam, where nothing is late: power by 1 + m cos, so that a line of m^2 / 2 comes of it. */
static EsRecording *
make_recording (void)
{
  g_autoptr (EsArray) array = es_array_new_line (12, 1.5, 0, NULL);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, RATE, SECONDS * RATE, 1500);

  es_test_sonar_add_noise (sonar, es_test_place_far (array, 90), 100, 500, 0.01, 3);
  for (gsize t = 0; t < SECONDS * RATE; t++)
    for (guint k = 0; k < 12; k++)
      {
        const double frequency = t < SECONDS * RATE / 2 ? FIRST : SECOND;

        sonar->samples[t * 12 + k] *= sqrt (1 + DEPTH * cos (2 * G_PI * frequency * t / RATE));
      }
  es_test_sonar_add_white (sonar, 0.02, 9);
  return es_test_sonar_record (sonar, ESK_F32, 1);
}

static EsBeamDemon
make_request (EsRecording *recording, EsArray *array, double bearing, double begin, double end)
{
  return (EsBeamDemon) { .recording = recording, .array = array, .aim = es_beam_aim_at (bearing),
                         .first = (guint64) (begin * RATE), .n = (guint64) ((end - begin) * RATE),
                         .segment = 4 * RATE, .most_segments = 100, .low = 100, .high = 490, .highest = 20 };
}

static double
level_of (const EsBeamDemon *request, double frequency, guint wanted_segments)
{
  g_autoptr (GError) error = NULL;
  g_autofree float *powers = NULL;
  guint n, n_segments;
  double step, sum = 0;

  g_assert_true (es_beam_demon (request, NULL, NULL, &powers, &n, &step, &n_segments, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n_segments, ==, wanted_segments);
  g_assert_cmpfloat (step, ==, 0.25);
  g_assert_cmpuint (n, ==, 81);
  for (guint k = (guint) (frequency / step) - 1; k <= (guint) (frequency / step) + 1; k++)
    sum += powers[k];
  return sum;
}

/* Only what is in the stretch beats, and only where the beam looks. */
static void
test_stretch (void)
{
  g_autoptr (EsRecording) recording = make_recording ();
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  const EsBeamDemon first = make_request (recording, array, 90, 0, 20);
  const EsBeamDemon second = make_request (recording, array, 90, 21, 39);
  const EsBeamDemon away = make_request (recording, array, 30, 0, 20);
  const double line = DEPTH * DEPTH / 2;

  g_assert_cmpfloat_with_epsilon (level_of (&first, FIRST, 9) / line, 1, 0.15);
  g_assert_cmpfloat (level_of (&first, SECOND, 9), <, 0.1 * line);
  g_assert_cmpfloat_with_epsilon (level_of (&second, SECOND, 8) / line, 1, 0.15);
  g_assert_cmpfloat (level_of (&second, FIRST, 8), <, 0.1 * line);
  g_assert_cmpfloat (level_of (&away, FIRST, 9), <, 0.6 * line);
}

/* The mean of what its segments give one by one. */
static void
test_segments (void)
{
  g_autoptr (EsRecording) recording = make_recording ();
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  EsBeamDemon request = make_request (recording, array, 90, 3.1, 30);
  g_autoptr (EsBeamSound) sound = es_beam_sound_new (recording, array, ES_SHADING_NONE, es_beam_aim_at (90), 0, NULL);
  g_autofree float *samples = g_new (float, 4 * RATE), *found = NULL;
  g_autofree double *sums = g_new0 (double, 81);
  guint n, n_segments;
  double step;

  request.most_segments = 5;
  g_assert_true (es_beam_demon (&request, NULL, NULL, &found, &n, &step, &n_segments, NULL, NULL));
  g_assert_cmpuint (n_segments, ==, 5);
  for (guint i = 0; i < 5; i++)
    {
      /* From the beginning to the end. */
      const guint64 begin = (guint64) (3.1 * RATE) + (guint64) (26.9 * RATE - 4 * RATE) * i / 4;
      g_autofree float *powers = NULL;

      g_assert_cmpuint (es_beam_demon_find_segment (&request, i), ==, begin);
      g_assert_true (es_beam_sound_read (sound, begin, 4 * RATE, samples, NULL));
      g_assert_true (es_demon_spectrum (samples, 4 * RATE, RATE, 100, 490, 20, &powers, &n, &step, NULL, NULL));
      for (guint k = 0; k < n; k++)
        sums[k] += powers[k] / 5;
    }
  for (guint k = 0; k < n; k++)
    g_assert_cmpfloat_with_epsilon (found[k], sums[k], 1e-6 + 1e-4 * sums[k]);
}

static void
cancel (double share, gpointer data)
{
  g_cancellable_cancel (data);
}

/* Given up in the middle; a stretch that is shorter than a segment, and one that is too short for anything. */
static void
test_ends (void)
{
  g_autoptr (EsRecording) recording = make_recording ();
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL, too_short = NULL;
  g_autofree float *powers = NULL;
  EsBeamDemon request = make_request (recording, array, 90, 0, 30);
  guint n, n_segments;
  double step;

  g_assert_false (es_beam_demon (&request, cancel, cancellable, &powers, &n, &step, &n_segments, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (powers);
  request.n = 2 * RATE + 1;
  g_assert_true (es_beam_demon (&request, NULL, NULL, &powers, &n, &step, &n_segments, NULL, NULL));
  g_assert_cmpfloat (step, ==, 0.5);
  g_assert_cmpuint (n_segments, ==, 1);
  g_clear_pointer (&powers, g_free);
  request.n = 1;
  g_assert_false (es_beam_demon (&request, NULL, NULL, &powers, &n, &step, &n_segments, NULL, &too_short));
  g_assert_error (too_short, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/demon/stretch", test_stretch);
  g_test_add_func ("/demon/segments", test_segments);
  g_test_add_func ("/demon/ends", test_ends);
  return g_test_run ();
}
