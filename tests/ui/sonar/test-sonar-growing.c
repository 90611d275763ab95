/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A recording that is still being written, in the window: its displays grow, and what is looked at stays. */

#include <gio/gio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "es-test-shell.h"
#include "es-test-sonar-shell.h"
#include "recording/es-recording.h"
#include "result/es-result.h"
#include "sonar/es-sonar-view-private.h"

/* The samples of a whole file, as a recorder writes them that fills in its header at the end. */
typedef struct
{
  char  *samples;
  gsize  head, length, written, frame;
  FILE  *file;
  GFile *live;
} Recorder;

static void
write_seconds (Recorder *self, double seconds)
{
  const gsize n = MIN ((gsize) (seconds * ES_TEST_RATE) * self->frame, self->length - self->written);

  g_assert_cmpuint (fwrite (self->samples + self->written, 1, n, self->file), ==, n);
  fflush (self->file);
  self->written += n;
}

static double
recorder_seconds (Recorder *self)
{
  return (double) ((self->written - self->head) / self->frame) / ES_TEST_RATE;
}

static Recorder
begin (void)
{
  g_autoptr (GFile) whole = es_test_recording ("whole.wav", 30);
  g_autoptr (GFile) array = es_test_file_in ("simulated", "whole.wav.array.json");
  g_autoptr (GFile) beside = es_test_file_in ("simulated", "live.wav.array.json");
  Recorder self = { .frame = 12 * 2, .live = es_test_file_in ("simulated", "live.wav") };
  g_autoptr (GError) error = NULL;
  gsize length;
  char *bytes;

  g_assert_true (g_file_load_contents (whole, NULL, &bytes, &length, NULL, &error));
  g_file_copy (array, beside, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  const char *data = memmem (bytes, length, "data", 4);
  const gsize head = (gsize) (data - bytes) + 8;
  memset (bytes + head - 4, 0, 4);
  self.file = fopen (g_file_peek_path (self.live), "wb");
  g_assert_cmpuint (fwrite (bytes, 1, head, self.file), ==, head);
  self.samples = bytes;
  self.written = self.head = head;
  self.length = length;
  write_seconds (&self, 10);
  return self;
}

static void
end (Recorder *self)
{
  fclose (self->file);
  g_free (self->samples);
  g_object_unref (self->live);
}

static guint wanted;

static gboolean
has_wanted (gpointer player)
{
  EsBeamHistory *history = es_player_get_history (player);

  return es_beam_history_get_n_rows (history) == wanted && es_beam_history_get_n_current (history) == wanted;
}

static gboolean
is_growing (gpointer recording)
{
  return es_recording_is_growing (recording);
}

static GtkWidget *
find_by_icon (GtkWidget *widget, const char *icon)
{
  GtkWidget *found = NULL;

  if (GTK_IS_BUTTON (widget) && g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (widget)), icon) == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_by_icon (child, icon);
  return found;
}

static gboolean
is_at_end (gpointer player)
{
  guint row;

  return es_beam_history_get_now (es_player_get_history (player), &row) && row == wanted - 1;
}

static void
count (guint *n)
{
  ++*n;
}

static void
test_growing (void)
{
  Recorder recorder = begin ();
  EsWindow *window = es_test_window_of (&recorder.live, 1);
  EsSonarView *view = es_test_sonar_view (window);
  EsPlayer *player = es_test_player (window);
  EsRecording *recording = es_player_get_recording (player);
  GtkWidget *live = find_by_icon (GTK_WIDGET (window), "media-record-symbolic");
  double top, span;
  guint n_resets = 0;

  wanted = 10;
  ES_TEST_WAIT (has_wanted, player);
  g_signal_connect_swapped (es_player_get_history (player), "reset", G_CALLBACK (count), &n_resets);
  g_assert_nonnull (live);
  g_assert_false (gtk_widget_get_visible (live));

  /* As a whole it stays the whole. */
  write_seconds (&recorder, 2.5);
  wanted = 12;
  ES_TEST_WAIT (has_wanted, player);
  es_sonar_extent_get_rows (view->extent, &top, &span);
  g_assert_cmpfloat (top, ==, 12);
  g_assert_cmpfloat (span, ==, 12);
  g_assert_true (es_recording_is_growing (recording) || (write_seconds (&recorder, 0.5), TRUE));
  ES_TEST_WAIT (is_growing, recording);
  g_assert_true (gtk_widget_get_visible (live));

  /* Who looks at a part of it goes on seeing that part; who looks at the end, the end. */
  es_sonar_extent_set_rows (view->extent, 11, 9);
  write_seconds (&recorder, 2);
  wanted = (guint) floor (recorder_seconds (&recorder));
  ES_TEST_WAIT (has_wanted, player);
  es_sonar_extent_get_rows (view->extent, &top, &span);
  g_assert_cmpfloat (top, ==, 11);
  g_assert_cmpfloat (span, ==, 9);
  es_sonar_extent_set_rows (view->extent, wanted, 9);
  write_seconds (&recorder, 1);
  wanted += 1;
  ES_TEST_WAIT (has_wanted, player);
  es_sonar_extent_get_rows (view->extent, &top, &span);
  g_assert_cmpfloat (top, ==, wanted);
  g_assert_cmpuint (n_resets, ==, 0);

  /* A result says how much of it there was. */
  es_test_activate (window, "run");
  es_test_wait_idle (window);
  EsShown *shown = es_workspace_get_shown (ES_WORKSPACE (es_test_sonar (window)));
  EsResult *result = es_shown_get_result (shown);
  g_assert_nonnull (result);
  g_autofree char *warnings = g_strjoinv ("\n", (char **) es_result_get_warnings (result));
  g_assert_nonnull (strstr (warnings, "still being written"));

  /* To the end, and what comes is played. */
  es_shown_set (shown, ES_DATASET (recording), NULL, NULL);
  g_signal_emit_by_name (live, "clicked");
  g_assert_true (es_player_is_playing (player));
  write_seconds (&recorder, 3);
  wanted += 3;
  ES_TEST_WAIT (is_at_end, player);
  g_assert_true (es_player_is_playing (player));
  es_test_close (window);
  end (&recorder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/sonar-growing/window", test_growing);
  return g_test_run ();
}
