/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What can be done with a stretch of a recording that a rectangle selects. */

#include <math.h>
#include <string.h>

#include "es-test-shell.h"
#include "es-test-sonar-shell.h"
#include "readers/es-open.h"
#include "recording/es-recording.h"
#include "sonar/es-sonar-view-private.h"
#include "sonar/transport/es-sound.h"

static gboolean
is_complete (gpointer player)
{
  EsBeamHistory *history = es_player_get_history (player);
  guint n = es_beam_history_get_n_rows (history);

  return n > 0 && es_beam_history_get_n_current (history) == n;
}

static float *
read_all (GFile *file, guint64 *frames)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) beam = es_dataset_open (file, NULL, NULL, &error);
  float *samples;

  g_assert_no_error (error);
  *frames = es_recording_get_frames (ES_RECORDING (beam));
  samples = g_new (float, *frames);
  g_assert_true (es_recording_read (ES_RECORDING (beam), 0, *frames, 0, 1, samples, &error));
  return samples;
}

/* The beam of what a rectangle selects: the same samples as in the whole beam, from the second row to the fourth. */
static void
test_save_stretch (void)
{
  g_autoptr (GFile) file = es_test_recording ("line.wav", 6);
  EsWindow *window = es_test_window_of (&file, 1);
  EsSonarView *view = es_test_sonar_view (window);
  g_autofree char *path = g_build_filename (es_test_folder (), "stretch.wav", NULL);
  g_autofree char *whole_path = g_build_filename (es_test_folder (), "whole.wav", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path), whole_target = g_file_new_for_path (whole_path);
  g_autofree float *stretch = NULL, *whole = NULL;
  double begin, end;
  guint64 n, n_whole;

  ES_TEST_WAIT (is_complete, es_test_player (window));
  g_assert_true (es_test_enabled (window, "save-beam-stretch"));
  g_assert_false (es_sonar_view_get_stretch (view, &begin, &end));
  es_sonar_cursor_select_rows (view->cursor, view, 1.2, 3.7);
  g_assert_true (es_sonar_view_get_stretch (view, &begin, &end));
  g_assert_cmpfloat (begin, ==, 1);
  g_assert_cmpfloat (end, ==, 4);
  es_sonar_workspace_save_stretch (es_test_sonar (window), es_beam_aim_at (60), begin, end, target);
  es_test_wait_idle (window);
  es_sonar_workspace_save_beam (es_test_sonar (window), es_beam_aim_at (60), whole_target);
  es_test_wait_idle (window);
  stretch = read_all (target, &n);
  whole = read_all (whole_target, &n_whole);
  g_assert_cmpuint (n, ==, 3 * ES_TEST_RATE);
  g_assert_cmpuint (n_whole, ==, 6 * ES_TEST_RATE);
  g_assert_cmpmem (stretch, n * sizeof *stretch, whole + ES_TEST_RATE, n * sizeof *whole);
  es_test_close (window);
}

static GtkWidget *
find_by_action (GtkWidget *widget, const char *action)
{
  GtkWidget *found = NULL;

  if (GTK_IS_BUTTON (widget) && g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)), action) == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_by_action (child, action);
  return found;
}

static gboolean
is_silent (gpointer button)
{
  return g_strcmp0 (gtk_button_get_icon_name (button), "audio-speakers-symbolic") == 0;
}

static gboolean
is_past_middle (gpointer view)
{
  return es_sonar_cursor_get_heard_place (ES_SONAR_VIEW (view)->cursor) >= 1.5;
}

/* A beam is heard while nothing plays: to the end of what is selected, until somebody stops it, until something plays.
 */
static void
test_replay (void)
{
  g_autoptr (GFile) file = es_test_recording ("line.wav", 6);
  EsWindow *window = es_test_window_of (&file, 1);
  EsSonarView *view = es_test_sonar_view (window);
  GtkWidget *button = find_by_action (GTK_WIDGET (window), "win.replay-beam");
  g_autofree char *why = NULL;

  ES_TEST_WAIT (is_complete, es_test_player (window));
  g_assert_nonnull (button);
  g_assert_true (is_silent (button));
  if (!es_sound_is_possible (&why))
    {
      es_test_close (window);
      g_test_skip (why);
      return;
    }
  g_setenv ("ES_SOUND_SINK", "fakesink sync=true", TRUE);
  es_sonar_view_set_bearing (view, 60);
  es_sonar_cursor_select_rows (view->cursor, view, 1, 2);
  const gint64 begin = g_get_monotonic_time ();
  es_test_activate (window, "replay-beam");
  g_assert_false (is_silent (button));
  g_assert_false (es_player_is_playing (es_test_player (window)));
  /* A line goes through the rows that are heard. */
  g_assert_true (isnan (es_sonar_cursor_get_heard_place (view->cursor)));
  ES_TEST_WAIT (is_past_middle, view);
  g_assert_cmpfloat (es_sonar_cursor_get_heard_place (view->cursor), <=, 2.1);
  ES_TEST_WAIT (is_silent, button);
  g_assert_true (isnan (es_sonar_cursor_get_heard_place (view->cursor)));
  g_assert_cmpint (g_get_monotonic_time () - begin, >=, (gint64) (0.95 * G_USEC_PER_SEC));

  es_sonar_cursor_select_rows (view->cursor, view, NAN, NAN);
  es_test_activate (window, "replay-beam");
  es_sonar_view_set_bearing (view, 90);
  g_assert_false (is_silent (button));
  es_test_activate (window, "replay-beam");
  g_assert_true (is_silent (button));
  es_test_activate (window, "replay-beam");
  g_assert_false (is_silent (button));
  es_test_activate (window, "sonar-play");
  ES_TEST_WAIT (is_silent, button);
  es_test_activate (window, "sonar-play");
  es_test_activate (window, "replay-beam");
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/sonar-stretch/save", test_save_stretch);
  g_test_add_func ("/sonar-stretch/replay", test_replay);
  return g_test_run ();
}
