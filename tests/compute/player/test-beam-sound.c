/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The waveform of a beam: its amplitude, its seams, its delays, its file. */

#include <glib/gstdio.h>
#include <math.h>
#include <sndfile.h>
#include <string.h>

#include "beam/es-beam-sound.h"
#include "base/es-error.h"
#include "es-test-beams.h"
#include "recording/es-recording-internal.h"

static EsBeamSound *
make_sound (EsRecording *recording, double bearing, guint length)
{
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (GError) error = NULL;
  EsBeamSound *sound = es_beam_sound_new (recording, array, ES_SHADING_NONE, es_beam_aim_at (bearing), length, &error);

  g_assert_no_error (error);
  return sound;
}

/* The tone that the reference element hears, sample for sample: on the array's way to the source nothing is lost. */
static void
test_tone (void)
{
  const guint lengths[] = { 0, 1024, 64 };
  g_autoptr (EsArray) array = es_array_new_line (24, 1.5, 30, NULL);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 8000, 30000, 1500);
  g_autoptr (GError) error = NULL;

  es_test_sonar_add_tone (sonar, es_test_place_far (array, 63), 437.3, 0.8, 0.3);
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, i == 1 ? ESK_I16 : ESK_F32, 1);
      g_autoptr (EsBeamSound) sound = make_sound (recording, 63, lengths[i]);
      g_autofree float *out = g_new (float, 20000);

      g_assert_true (es_beam_sound_read (sound, 3000, 20000, out, &error));
      g_assert_no_error (error);
      for (guint t = 0; t < 20000; t++)
        {
          const double wanted = 0.8 * sin (2 * G_PI * 437.3 * (3000 + t) / 8000 + 0.3);
          g_assert_cmpfloat_with_epsilon (out[t], wanted, lengths[i] == 64 ? 4e-3 : 5e-4);
        }
    }
}

/* However it is asked for: the same samples to the bit, so there is no seam. */
static void
test_portions (void)
{
  const guint portions[] = { 1, 1000, 4096, 777, 5000, 3, 8192 };
  g_autoptr (EsArray) array = es_array_new_line (9, 1.5, 0, NULL);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 4000, 40000, 1500);
  g_autoptr (GError) error = NULL;
  g_autofree float *all = g_new (float, 30000), *part = g_new (float, 8192);
  guint64 frame = 500;

  es_test_sonar_add_noise (sonar, es_test_place_far (array, 110), 100, 1500, 0.02, 3);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_I16, 1);
  g_autoptr (EsBeamSound) sound = make_sound (recording, 110, 0), other = make_sound (recording, 110, 0);
  g_assert_true (es_beam_sound_read (sound, 500, 30000, all, &error));
  for (guint i = 0; frame + 8192 < 30000; i++)
    {
      const guint n = portions[i % G_N_ELEMENTS (portions)];
      g_assert_true (es_beam_sound_read (other, frame, n, part, &error));
      g_assert_cmpmem (part, n * sizeof (float), all + (frame - 500), n * sizeof (float));
      frame += n;
    }
  /* Back to where it was. */
  g_assert_true (es_beam_sound_read (other, 700, 100, part, &error));
  g_assert_cmpmem (part, 100 * sizeof (float), all + 200, 100 * sizeof (float));
  /* Past the end it is silent. */
  g_assert_true (es_beam_sound_read (other, 60000, 100, part, &error));
  for (guint i = 0; i < 100; i++)
    g_assert_cmpfloat (part[i], ==, 0);
}

/* An array through which sound takes longer than a segment lasts; and a beam that looks elsewhere. */
static void
test_long_array (void)
{
  g_autoptr (EsArray) array = es_array_new_line (16, 150, 0, NULL);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 2000, 20000, 1500);
  g_autoptr (GError) error = NULL;
  float out[4000];
  double elsewhere = 0;

  es_test_sonar_add_tone (sonar, es_test_place_far (array, 20), 211, 0.5, 0);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
  g_autoptr (EsBeamSound) sound = make_sound (recording, 20, 512), aside = make_sound (recording, 100.3, 512);
  g_assert_true (es_beam_sound_read (sound, 8000, 4000, out, &error));
  for (guint t = 0; t < 4000; t++)
    g_assert_cmpfloat_with_epsilon (out[t], 0.5 * sin (2 * G_PI * 211 * (8000 + t) / 2000), 2e-3);
  g_assert_true (es_beam_sound_read (aside, 8000, 4000, out, &error));
  for (guint t = 0; t < 4000; t++)
    elsewhere += out[t] * out[t] / 4000;
  g_assert_cmpfloat (elsewhere, <, 0.02);
}

static void
count_progress (double fraction, gpointer data)
{
  double *last = data;

  g_assert_cmpfloat (fraction, >=, *last);
  *last = fraction;
}

static void
test_save (void)
{
  g_autoptr (EsArray) array = es_array_new_line (8, 1.5, 0, NULL);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 8000, 100000, 1500);
  g_autofree char *folder = g_dir_make_tmp ("es-sound-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "beam.wav", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path), missing = g_file_new_for_path ("/nowhere/at/all/beam.wav");
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree float *samples = g_new (float, 70000);
  double progress = 0, largest = 0;
  SF_INFO info = { 0 };

  es_test_sonar_add_tone (sonar, es_test_place_far (array, 70), 300, 0.01, 0);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
  g_autoptr (EsBeamSound) sound = make_sound (recording, 70, 0);

  g_assert_true (es_beam_sound_save (sound, 5000, 70000, file, count_progress, &progress, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (progress, ==, 1);
  SNDFILE *wav = sf_open (path, SFM_READ, &info);
  g_assert_nonnull (wav);
  g_assert_cmpint (info.samplerate, ==, 8000);
  g_assert_cmpint (info.channels, ==, 1);
  g_assert_cmpint (info.frames, ==, 70000);
  g_assert_cmpint (info.format & SF_FORMAT_SUBMASK, ==, SF_FORMAT_FLOAT);
  g_assert_cmpint (sf_read_float (wav, samples, 70000), ==, 70000);
  g_assert_nonnull (strstr (sf_get_string (wav, SF_STR_COMMENT), "Beam at 70° from the axis of the array (1500 m/s)"));
  sf_close (wav);
  /* The tone as loud as it was written, and not a bit of it cut. */
  for (guint i = 0; i < 70000; i++)
    largest = MAX (largest, fabs (samples[i]));
  g_assert_cmpfloat_with_epsilon (largest, 0.01, 2e-5);

  /* Cancelled, or where nothing can be written: what was there stays, and nothing else. */
  g_cancellable_cancel (cancellable);
  g_assert_false (es_beam_sound_save (sound, 0, 50000, file, NULL, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_false (es_beam_sound_save (sound, 0, 50000, missing, NULL, NULL, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_assert_cmpstr (g_dir_read_name (dir), ==, "beam.wav");
  g_assert_null (g_dir_read_name (dir));
  g_unlink (path);
  g_rmdir (folder);
}

/* ---- a true bearing while the array turns ---- */

#define TURN_RATE 2000
#define TURN_SECONDS 12
#define TURN_ELEMENTS 16
#define TURN_SOURCE 200.0

/* From 150 to 180 degrees in ten seconds; nobody tells it later. */
static double
heading_at (double time)
{
  return 150 + 3 * time;
}

/* What a line along its heading hears of a tone far away at a true bearing, element by element. */
static EsRecording *
record_turn (void)
{
  const guint64 frames = TURN_RATE * TURN_SECONDS;
  float *samples = g_new (float, frames * TURN_ELEMENTS);
  g_autoptr (EsArray) array = es_array_new_line (TURN_ELEMENTS, 1.5, 0, NULL);
  double times[11], headings[11];
  g_autoptr (GError) error = NULL;

  for (guint64 t = 0; t < frames; t++)
    for (guint k = 0; k < TURN_ELEMENTS; k++)
      {
        const double time = (double) t / TURN_RATE;
        const double angle = (TURN_SOURCE - heading_at (time)) * G_PI / 180;
        const double sooner = (k - (TURN_ELEMENTS - 1) / 2.0) * 1.5 * cos (angle) / 1500;

        samples[t * TURN_ELEMENTS + k] = (float) (0.5 * sin (2 * G_PI * 437.3 * (time + sooner)));
      }
  EsRecording *recording = es_recording_new_in_memory (samples, ESK_F32, TURN_ELEMENTS, TURN_RATE, frames, FALSE,
                                                       samples, g_free, &error);
  g_assert_no_error (error);
  es_recording_set_array (recording, array);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      times[i] = i;
      headings[i] = heading_at (i);
    }
  g_autoptr (EsNavigation) navigation = es_navigation_new (NULL, times, headings, G_N_ELEMENTS (times), &error);
  g_assert_no_error (error);
  es_recording_set_navigation (recording, navigation);
  return recording;
}

static double
power_of (const float *samples, double from, double to)
{
  double sum = 0;

  for (guint t = (guint) (from * TURN_RATE); t < (guint) (to * TURN_RATE); t++)
    sum += (double) samples[t] * samples[t];
  return sum / ((to - from) * TURN_RATE);
}

/* Followed it is the tone to the sample from end to end, and silent where no heading is told; at a bearing from the
 * array it is lost as that turns away. */
static void
test_follows (void)
{
  g_autoptr (EsRecording) recording = record_turn ();
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (GError) error = NULL;
  const EsBeamAim followed = { .bearing = 50, .true_bearing = TURN_SOURCE };
  g_autoptr (EsBeamSound) sound = es_beam_sound_new (recording, array, ES_SHADING_NONE, followed, 0, &error);
  g_autoptr (EsBeamSound) fixed = make_sound (recording, TURN_SOURCE - heading_at (0), 0);
  g_autofree float *out = g_new (float, TURN_RATE * TURN_SECONDS);
  g_autofree char *described = NULL;

  g_assert_no_error (error);
  g_assert_true (es_beam_sound_read (sound, 0, 9 * TURN_RATE, out, &error));
  g_assert_false (es_beam_sound_has_gaps (sound));
  for (guint t = TURN_RATE / 2; t < 9 * TURN_RATE; t++)
    g_assert_cmpfloat_with_epsilon (out[t], 0.5 * sin (2 * G_PI * 437.3 * t / TURN_RATE), 5e-3);
  g_assert_true (es_beam_sound_read (sound, 9 * TURN_RATE, 3 * TURN_RATE, out, &error));
  g_assert_true (es_beam_sound_has_gaps (sound));
  g_assert_cmpfloat (power_of (out, 2.5, 3), ==, 0);
  described = es_beam_sound_describe (sound);
  g_assert_cmpstr (described, ==, "true bearing 200°, followed as the array turns (1500 m/s)");

  g_assert_true (es_beam_sound_read (fixed, 0, TURN_RATE * TURN_SECONDS, out, &error));
  g_assert_cmpfloat (power_of (out, 0, 0.5), >, 0.1);
  g_assert_cmpfloat (power_of (out, 8, 10), <, 0.02);
  g_assert_false (es_beam_sound_has_gaps (fixed));

  /* Nobody tells any more where it points. */
  es_recording_set_navigation (recording, NULL);
  g_autoptr (EsBeamSound) untold = es_beam_sound_new (recording, array, ES_SHADING_NONE, followed, 0, &error);
  g_free (described);
  described = es_beam_sound_describe (untold);
  g_assert_cmpstr (described, ==, "50° from the axis of the array (1500 m/s)");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/beam-sound/tone", test_tone);
  g_test_add_func ("/beam-sound/portions", test_portions);
  g_test_add_func ("/beam-sound/long-array", test_long_array);
  g_test_add_func ("/beam-sound/save", test_save);
  g_test_add_func ("/beam-sound/follows", test_follows);
  return g_test_run ();
}
