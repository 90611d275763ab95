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

static EsBeamSound *
make_sound (EsRecording *recording, double bearing, guint length)
{
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (GError) error = NULL;
  EsBeamSound *sound = es_beam_sound_new (recording, array, ES_SHADING_NONE, bearing, 0, length, &error);

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

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/beam-sound/tone", test_tone);
  g_test_add_func ("/beam-sound/portions", test_portions);
  g_test_add_func ("/beam-sound/long-array", test_long_array);
  g_test_add_func ("/beam-sound/save", test_save);
  return g_test_run ();
}
