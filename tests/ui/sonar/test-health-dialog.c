/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Array health in the window: it listens, finds, puts right, and takes it back. */

#include <math.h>
#include <string.h>

#include "es-test-shell.h"
#include "es-test-sonar-shell.h"
#include "hydrophones/es-health-dialog.h"
#include "recording/es-recording.h"

#define CHANNELS 8
#define RATE 4000
#define FRAMES 24000

/* Noise from broadside, heard alike by all, and a little of each one's own; the third is reversed, the sixth dead. */
static GFile *
make_broken (void)
{
  g_autoptr (GFile) file = es_test_file_in ("health", "broken.wav");
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  g_autoptr (EsArray) line = es_array_new_line (CHANNELS, 1.5, 0, NULL);
  g_autoptr (GFile) sidecar = es_array_sidecar_of (file);
  g_autoptr (GError) error = NULL;
  const guint32 data = FRAMES * CHANNELS * 2;
  struct { char riff[4]; guint32 size; char wave[8]; guint32 sixteen; guint16 pcm, channels; guint32 rate, per_second;
           guint16 block, bits; char tag[4]; guint32 data; } header = {
    "RIFF", GUINT32_TO_LE (36 + data), "WAVEfmt ", GUINT32_TO_LE (16), GUINT16_TO_LE (1),
    GUINT16_TO_LE (CHANNELS), GUINT32_TO_LE (RATE), GUINT32_TO_LE (RATE * CHANNELS * 2),
    GUINT16_TO_LE (CHANNELS * 2), GUINT16_TO_LE (16), "data", GUINT32_TO_LE (data),
  };

  g_byte_array_append (bytes, (const guint8 *) &header, sizeof header);
  for (guint t = 0; t < FRAMES; t++)
    {
      const double common = g_rand_double_range (random, -6000, 6000);

      for (guint k = 0; k < CHANNELS; k++)
        {
          const double own = g_rand_double_range (random, -600, 600);
          const gint16 sample = GINT16_TO_LE ((gint16) (k == 2 ? -common + own : k == 5 ? 0 : common + own));

          g_byte_array_append (bytes, (const guint8 *) &sample, 2);
        }
    }
  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, &error));
  g_assert_no_error (error);
  g_assert_true (es_array_save (line, sidecar, &error));
  g_assert_no_error (error);
  return g_steal_pointer (&file);
}

static gboolean
has_ended (gpointer dialog)
{
  return !es_health_dialog_is_running (dialog);
}

static void
assert_array (EsRecording *recording, guint element, double gain, gboolean dead)
{
  g_autoptr (EsArray) array = es_recording_get_array (recording);

  g_assert_cmpfloat (es_array_get_elements (array)[element].gain, ==, gain);
  g_assert_cmpint (es_array_get_elements (array)[element].dead, ==, dead);
}

static void
test_finds_and_mends (void)
{
  g_autoptr (GFile) file = make_broken ();
  EsWindow *window = es_test_window_of (&file, 1);
  EsRecording *recording = ES_RECORDING (es_test_first_dataset (window));
  EsHealthDialog *dialog;

  g_assert_true (es_test_enabled (window, "array-health"));
  es_test_activate (window, "array-health");
  dialog = ES_HEALTH_DIALOG (es_test_find_toplevel (ES_TYPE_HEALTH_DIALOG));
  g_assert_nonnull (dialog);
  g_assert_true (es_health_dialog_is_running (dialog));
  ES_TEST_WAIT (has_ended, dialog);
  g_assert_cmpstr (es_health_dialog_get_summary (dialog), ==, "Element 6 is dead. Element 3 is reversed.");
  g_assert_true (es_recording_is_array_saved (recording));

  /* One alone, which cannot be done twice; back; all; back. */
  es_health_dialog_mend (dialog, 2);
  assert_array (recording, 2, -1, FALSE);
  assert_array (recording, 5, 1, FALSE);
  g_assert_false (es_recording_is_array_saved (recording));
  es_health_dialog_mend (dialog, 2);
  assert_array (recording, 2, -1, FALSE);
  es_health_dialog_undo (dialog);
  assert_array (recording, 2, 1, FALSE);
  es_health_dialog_mend (dialog, 0);
  assert_array (recording, 0, 1, FALSE);
  es_health_dialog_mend (dialog, -1);
  assert_array (recording, 2, -1, FALSE);
  assert_array (recording, 5, 1, TRUE);
  es_health_dialog_undo (dialog);
  assert_array (recording, 5, 1, FALSE);
  es_health_dialog_undo (dialog);
  assert_array (recording, 5, 1, FALSE);

  /* What was mended is fine when it is listened to again. */
  es_health_dialog_mend (dialog, -1);
  es_health_dialog_run (dialog);
  ES_TEST_WAIT (has_ended, dialog);
  g_assert_cmpstr (es_health_dialog_get_summary (dialog), ==, "Nothing is wrong with any of them.");
  es_health_dialog_undo (dialog);

  es_health_dialog_run (dialog);
  es_health_dialog_cancel (dialog);
  ES_TEST_WAIT (has_ended, dialog);
  es_health_dialog_run (dialog);
  gtk_window_close (GTK_WINDOW (dialog));
  es_test_wait_idle (window);
  g_assert_null (es_test_find_toplevel (ES_TYPE_HEALTH_DIALOG));
  g_autoptr (EsArray) as_saved = es_array_new_line (CHANNELS, 1.5, 0, NULL);
  es_recording_set_array (recording, as_saved);
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/health-dialog/finds-and-mends", test_finds_and_mends);
  return g_test_run ();
}
