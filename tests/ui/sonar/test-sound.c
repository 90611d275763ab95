/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "base/es-error.h"
#include "widgets/es-format.h"
#include "sonar/transport/es-sound.h"

/* Runs the main loop for a while: messages of the pipeline come there. */
static gboolean
on_timeout (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
iterate (guint ms)
{
  gboolean late = FALSE;

  g_timeout_add (ms, on_timeout, &late);
  while (!late)
    g_main_context_iteration (NULL, TRUE);
}

static void
push_tone (EsSound *sound, double rate, guint n)
{
  g_autofree float *samples = g_new (float, n);

  for (guint i = 0; i < n; i++)
    samples[i] = (float) (1e-4 * sin (2 * G_PI * 220 * i / rate));
  es_sound_push (sound, samples, n);
}

static gboolean
can_sound (void)
{
  g_autofree char *why = NULL;

  if (es_sound_is_possible (&why))
    return TRUE;
  g_assert_nonnull (why);
  g_test_skip (why);
  return FALSE;
}

/* What is pushed is taken, at its own pace; pushing far more than fits neither blocks nor grows. */
static void
test_plays (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsSound) sound = NULL;
  gint64 begin;
  guint64 played;

  if (!can_sound ())
    return;
  g_setenv ("ES_SOUND_SINK", "fakesink sync=true", TRUE);
  sound = es_sound_new (8000, &error);
  g_assert_no_error (error);
  g_assert_nonnull (sound);
  g_assert_cmpuint (es_sound_get_played (sound), ==, 0);
  push_tone (sound, 8000, 8000);
  begin = g_get_monotonic_time ();
  while (es_sound_get_played (sound) < 4000 && g_get_monotonic_time () < begin + 10 * G_USEC_PER_SEC)
    iterate (20);
  played = es_sound_get_played (sound);
  g_assert_cmpuint (played, >=, 4000);
  /* In step with the clock, less what waits in the pipeline. */
  g_assert_cmpint (g_get_monotonic_time () - begin, >, (gint64) (G_USEC_PER_SEC * 0.2));

  begin = g_get_monotonic_time ();
  for (guint i = 0; i < 200; i++)
    push_tone (sound, 8000, 8000);
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 5 * G_USEC_PER_SEC);
  es_sound_flush (sound);
  played = es_sound_get_played (sound);
  iterate (300);
  /* Nothing is left; at most what was being taken at that moment. */
  g_assert_cmpuint (es_sound_get_played (sound), <=, played + 200);
}

static void
on_failed (EsSound *sound, const char *sentence, char **said)
{
  *said = g_strdup (sentence);
}

static void
test_failures (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsSound) sound = NULL;
  g_autofree char *said = NULL;

  if (!can_sound ())
    return;
  g_setenv ("ES_SOUND_SINK", "no-such-sink", TRUE);
  g_assert_null (es_sound_new (8000, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED);
  g_clear_error (&error);

  g_setenv ("ES_SOUND_SINK", "fakesink", TRUE);
  g_assert_null (es_sound_new (1e9, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED);
  g_clear_error (&error);

  /* A sink that gives up on the way. */
  g_setenv ("ES_SOUND_SINK", "identity error-after=3 ! fakesink", TRUE);
  sound = es_sound_new (8000, &error);
  g_assert_no_error (error);
  g_signal_connect (sound, "failed", G_CALLBACK (on_failed), &said);
  push_tone (sound, 8000, 16000);
  for (guint i = 0; said == NULL && i < 100; i++)
    iterate (50);
  g_assert_nonnull (said);
}

/* Samples that are no numbers do not reach the loudspeaker, and gone sounds do not call back. */
static void
test_short_lives (void)
{
  g_autoptr (GError) error = NULL;
  const float odd[] = { NAN, INFINITY, -INFINITY, 0, 1e30f, -1e30f };

  if (!can_sound ())
    return;
  g_setenv ("ES_SOUND_SINK", "fakesink", TRUE);
  for (guint i = 0; i < 10; i++)
    {
      EsSound *sound = es_sound_new (i % 2 == 0 ? 8000 : 48000, &error);

      g_assert_no_error (error);
      for (guint k = 0; k < 1000; k++)
        es_sound_push (sound, odd, G_N_ELEMENTS (odd));
      iterate (10);
      g_object_unref (sound);
    }
}

static void
test_times (void)
{
  static const struct { double seconds; const char *text; } cases[] = {
    { 0, "00:00:00.0" }, { 751, "00:12:31.0" }, { 59.96, "00:01:00.0" }, { 59.94, "00:00:59.9" },
    { 86399.99, "24:00:00.0" }, { 360000, "100:00:00.0" }, { -3, "00:00:00.0" }, { NAN, "–" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = es_format_time (cases[i].seconds);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sound/plays", test_plays);
  g_test_add_func ("/sound/failures", test_failures);
  g_test_add_func ("/sound/short-lives", test_short_lives);
  g_test_add_func ("/sound/times", test_times);
  return g_test_run ();
}
