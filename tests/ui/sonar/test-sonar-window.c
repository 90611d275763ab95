/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Recordings in the window: the player, runs, and sound. */

#include <math.h>
#include <string.h>

#include "analyse/es-analyse-panel.h"
#include "hydrophones/es-array-canvas.h"
#include "readers/es-open.h"
#include "window/es-banner.h"
#include "window/es-data-tree.h"
#include "recording/es-recording.h"
#include "widgets/es-settings.h"
#include "sonar/transport/es-sound.h"
#include "es-test-shell.h"
#include "es-test-sonar-shell.h"
#include "sonar/transport/es-transport-bar.h"
#include "files/es-welcome.h"
#include "window/es-window-private.h"

/* ---- the window ---- */

static gpointer
find (EsWindow *window, GType type)
{
  return es_test_find (GTK_WIDGET (window), type, NULL);
}

static gboolean
has_many_rows (gpointer player)
{
  return es_beam_history_get_n_known (es_player_get_history (player)) >= 3;
}

static gboolean
has_adaptive (gpointer player)
{
  return es_beam_history_has (es_player_get_history (player), ES_BEAM_MVDR);
}

static gboolean
has_no_adaptive (gpointer player)
{
  return !has_adaptive (player);
}

static gboolean
has_failed (gpointer player)
{
  return es_player_get_failure (player) != NULL;
}

static gboolean
has_not_failed (gpointer player)
{
  return es_player_get_failure (player) == NULL;
}

static gboolean
has_stopped (gpointer player)
{
  return !es_player_is_playing (player);
}

/* The bearing at which the newest row is loudest. */
static double
loudest (EsPlayer *player)
{
  EsBeamHistory *history = es_player_get_history (player);
  const EsBeamSettings *settings = es_beam_history_get_settings (history);
  guint best = 0, now = 0;
  const float *row = es_beam_history_get_now (history, &now) ? es_beam_history_get_row (history, now) : NULL;

  g_assert_nonnull (settings);
  g_assert_nonnull (row);
  for (guint i = 1; i < settings->n_angles; i++)
    if (row[i] > row[best])
      best = i;
  return settings->angles[best];
}

/* ---- tests ---- */

static void
test_opens (void)
{
  g_autoptr (GFile) file = es_test_recording ("line.wav", 6);
  EsWindow *window = es_test_window_of (&file, 1);
  EsPlayer *player = es_test_player (window);
  EsAnalysePanel *analyse = find (window, ES_TYPE_ANALYSE_PANEL);

  g_assert_nonnull (player);
  g_assert_true (ES_IS_RECORDING (es_test_first_dataset (window)));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (es_test_sonar_view (window))));
  g_assert_true (gtk_widget_get_mapped (es_sonar_view_get_inspector (es_test_sonar_view (window))));
  g_assert_true (gtk_widget_get_mapped (find (window, ES_TYPE_TRANSPORT_BAR)));
  g_assert_true (gtk_widget_get_mapped (find (window, ES_TYPE_ARRAY_CANVAS)));
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (es_test_viewer (window))));
  g_assert_cmpstr (es_analyse_panel_get_operation (analyse)->id, ==, "cbf");
  /* The first block is there before anybody plays. */
  ES_TEST_WAIT (es_test_has_rows, player);
  g_assert_false (es_player_is_playing (player));
  g_assert_cmpfloat_with_epsilon (loudest (player), 60, 2.01);
  g_assert_true (es_test_enabled (window, "sonar-play"));
  g_assert_true (es_test_enabled (window, "describe-array"));
  g_assert_false (es_test_enabled (window, "save"));
  es_test_close (window);
}

static gboolean
is_complete (gpointer player)
{
  EsBeamHistory *history = es_player_get_history (player);
  guint n = es_beam_history_get_n_rows (history);

  return n > 0 && es_beam_history_get_n_current (history) == n;
}

typedef struct
{
  EsPlayer *player;
  guint     row;
} Heard;

static gboolean
is_heard (gpointer data)
{
  const Heard *heard = data;
  guint now;

  return es_beam_history_get_now (es_player_get_history (heard->player), &now) && now == heard->row;
}

/* The record is that of the recording, whatever is played; where somebody points, playing begins. */
static void
test_timeline (void)
{
  g_autoptr (GFile) file = es_test_recording ("line.wav", 6);
  EsWindow *window = es_test_window_of (&file, 1);
  EsPlayer *player = es_test_player (window);
  EsBeamHistory *history = es_player_get_history (player);
  EsSonarView *view = es_test_sonar_view (window);
  Heard heard = { player, 4 };
  gboolean follow;
  double time;
  guint n, now;

  ES_TEST_WAIT (is_complete, player);
  n = es_beam_history_get_n_rows (history);
  g_assert_cmpuint (n, ==, 6);
  g_assert_false (es_player_is_playing (player));
  g_assert_true (es_beam_history_get_now (history, &now));
  g_assert_cmpuint (now, ==, 0);
  g_assert_cmpfloat (es_player_get_progress (player), ==, 1);

  g_object_set (view, "time", 4.5, NULL);
  g_object_get (view, "time", &time, NULL);
  g_assert_cmpfloat (time, ==, 4.5);
  g_assert_cmpfloat (es_player_get_position (player), ==, 0);
  es_test_activate (window, "sonar-play");
  g_assert_true (es_player_is_playing (player));
  g_assert_cmpfloat (es_player_get_position (player), >=, 4);
  g_assert_cmpfloat (es_player_get_position (player), <, 5);
  ES_TEST_WAIT (is_heard, &heard);
  /* What is looked at is what is heard again. */
  g_object_get (view, "time", &time, "follow", &follow, NULL);
  g_assert_true (isnan (time));
  g_assert_true (follow);
  ES_TEST_WAIT (has_stopped, player);
  es_player_seek (player, 1);
  heard.row = 1;
  ES_TEST_WAIT (is_heard, &heard);
  g_assert_cmpuint (es_beam_history_get_n_rows (history), ==, n);
  g_assert_cmpuint (es_beam_history_get_n_fills (history), <=, n + 2);
  es_test_close (window);
}

static void
test_transport (void)
{
  g_autoptr (GFile) file = es_test_recording ("line.wav", 6);
  EsWindow *window = es_test_window_of (&file, 1);
  EsPlayer *player = es_test_player (window);
  EsTransportBar *transport = find (window, ES_TYPE_TRANSPORT_BAR);

  g_assert_nonnull (es_test_find (GTK_WIDGET (transport), GTK_TYPE_LABEL, "00:00:06.0"));
  es_player_set_speed (player, ES_PLAYER_FASTEST);
  es_test_activate (window, "sonar-play");
  g_assert_true (es_player_is_playing (player));
  g_assert_nonnull (es_test_find (GTK_WIDGET (transport), GTK_TYPE_LABEL, "00:00:0"));
  ES_TEST_WAIT (has_many_rows, player);
  ES_TEST_WAIT (has_stopped, player);
  g_assert_nonnull (es_test_find (GTK_WIDGET (transport), GTK_TYPE_LABEL, "Real time ×"));
  es_player_seek (player, 0);
  es_player_play (player);
  es_test_activate (window, "sonar-play");
  g_assert_false (es_player_is_playing (player));
  es_test_close (window);
}

static gboolean
has_other_angles (gpointer player)
{
  const EsBeamSettings *settings = es_beam_history_get_settings (es_player_get_history (player));

  return settings != NULL && settings->n_angles == 21;
}

/* The panel's parameters are the player's: a change re-forms the beams, a wrong one is said and nothing pops up. */
static void
test_parameters_live (void)
{
  g_autoptr (GFile) file = es_test_recording ("line.wav", 6);
  EsWindow *window = es_test_window_of (&file, 1);
  EsPlayer *player = es_test_player (window);
  EsAnalysePanel *analyse = find (window, ES_TYPE_ANALYSE_PANEL);
  EsParams *params = es_analyse_panel_get_params (analyse);
  gint64 begin;

  ES_TEST_WAIT (es_test_has_rows, player);
  begin = g_get_monotonic_time ();
  es_params_set_text (params, "angles", "50:70:1");
  ES_TEST_WAIT (has_other_angles, player);
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 5 * G_USEC_PER_SEC);
  g_assert_cmpfloat_with_epsilon (loudest (player), 60, 2.01);

  /* Above half of the rate: only the recording tells. */
  es_params_set_text (params, "band", "5000:6000");
  ES_TEST_WAIT (has_failed, player);
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), ES_TYPE_BANNER, NULL));
  g_assert_null (es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG));
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, es_player_get_failure (player)));
  /* Not a band at all: said at its row. */
  es_params_set_text (params, "band", "loud");
  g_assert_nonnull (es_test_find (GTK_WIDGET (analyse), GTK_TYPE_LABEL, "loud"));
  es_params_set_text (params, "band", "");
  ES_TEST_WAIT (has_not_failed, player);
  /* Other beams and back: what is shown is what the heading says, whatever stands in a row. */
  es_params_set_text (params, "lofar-band", "loud");
  es_test_activate (window, "switch-live");
  ES_TEST_WAIT (has_adaptive, player);
  es_test_activate (window, "switch-live");
  ES_TEST_WAIT (has_no_adaptive, player);
  g_assert_cmpstr (es_params_get_text (params, "lofar-band"), ==, "loud");
  es_params_reset (params);
  es_test_close (window);
}

static void
test_run (void)
{
  g_autoptr (GFile) file = es_test_recording ("line.wav", 6);
  EsWindow *window = es_test_window_of (&file, 1);
  EsSonarView *view = es_test_sonar_view (window);
  EsDataTree *tree = find (window, ES_TYPE_DATA_TREE);
  g_autofree char *path = g_build_filename (es_test_folder (), "btr.h5", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  EsPlayer *player = es_test_player (window);
  EsResult *result;
  EsLayer *btr;

  es_test_activate (window, "run");
  es_test_wait_idle (window);
  result = es_sonar_view_get_result (view);
  g_assert_nonnull (result);
  btr = es_result_find_layer (result, "btr");
  g_assert_nonnull (btr);
  g_assert_cmpint (es_layer_get_kind (btr), ==, ES_LAYER_WATERFALL);
  g_assert_true (es_data_tree_get_selected (tree) == G_OBJECT (result));
  g_assert_true (es_data_tree_select (tree, G_OBJECT (btr)));
  g_assert_true (es_test_enabled (window, "save"));
  g_assert_true (es_window_save (window, ES_SAVE_FIELD_HDF5, target));
  es_test_wait_idle (window);
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));

  /* Playing goes back to the recording. */
  es_test_activate (window, "sonar-play");
  g_assert_null (es_sonar_view_get_result (view));
  g_assert_true (es_data_tree_get_selected (tree) == G_OBJECT (es_test_first_dataset (window)));
  es_player_pause (player);
  /* One of its maps has been saved, the result has not. */
  es_test_activate (window, "remove");
  es_test_respond (es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG), "discard");
  es_test_wait_idle (window);
  g_assert_cmpuint (es_test_n_datasets (window), ==, 0);
  g_assert_null (es_test_player (window));
  es_test_close (window);
}

static void
test_cube_beside (void)
{
  g_autoptr (GFile) file = es_test_recording ("line.wav", 6);
  g_autoptr (GFile) cube = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_of (&file, 1);
  EsDataTree *tree = find (window, ES_TYPE_DATA_TREE);
  g_autoptr (EsDataset) recording = g_object_ref (es_test_first_dataset (window));
  EsPlayer *player = es_test_player (window);
  EsTransportBar *transport = find (window, ES_TYPE_TRANSPORT_BAR);

  es_player_play (player);
  es_window_open (window, &cube, 1, ES_OPEN_GIVEN);
  es_test_wait_idle (window);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (es_test_viewer (window))));
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (transport)));
  g_assert_false (es_player_is_playing (player));
  g_assert_false (es_test_enabled (window, "sonar-play"));
  g_assert_nonnull (es_viewer_get_dataset (es_test_viewer (window)));
  g_assert_cmpstr (es_analyse_panel_get_operation (find (window, ES_TYPE_ANALYSE_PANEL))->id, ==, "pca");

  /* What was heard is still there. */
  g_assert_true (es_data_tree_select (tree, G_OBJECT (recording)));
  g_assert_true (es_test_player (window) == player);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (transport)));
  g_assert_null (es_viewer_get_dataset (es_test_viewer (window)));
  es_test_close (window);
}

/* ---- sound ---- */

static void
test_listen (void)
{
  g_autoptr (GFile) file = es_test_recording ("line.wav", 6);
  EsWindow *window = es_test_window_of (&file, 1);
  EsPlayer *player = es_test_player (window);
  EsTransportBar *transport = find (window, ES_TYPE_TRANSPORT_BAR);
  gboolean listening = FALSE;

  if (!es_sound_is_possible (NULL))
    {
      g_test_skip ("no sound in this build");
      es_test_close (window);
      return;
    }
  g_setenv ("ES_SOUND_SINK", "fakesink sync=true", TRUE);
  ES_TEST_WAIT (es_test_has_rows, player);
  es_sonar_view_set_bearing (es_test_sonar_view (window), NAN);
  g_object_set (transport, "listening", TRUE, NULL);
  /* Nobody has chosen: the loudest beam is heard, and the cursor tells which. */
  g_assert_cmpfloat_with_epsilon (es_sonar_view_get_bearing (es_test_sonar_view (window)), 60, 2.01);
  es_player_play (player);
  ES_TEST_WAIT (has_many_rows, player);
  g_object_get (transport, "listening", &listening, NULL);
  g_assert_true (listening);
  g_object_set (transport, "listening", FALSE, NULL);
  es_player_pause (player);
  es_test_close (window);
}

/* The beam at the cursor as a file of sound, which opens again. */
static void
test_save_beam (void)
{
  g_autoptr (GFile) file = es_test_recording ("line.wav", 6);
  EsWindow *window = es_test_window_of (&file, 1);
  g_autofree char *path = g_build_filename (es_test_folder (), "beam.wav", NULL);
  g_autofree char *nowhere = g_build_filename (es_test_folder (), "no such folder", "beam.wav", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autoptr (GFile) wrong = g_file_new_for_path (nowhere);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) beam = NULL;
  g_autofree char *content = NULL;
  EsParams *params;
  gsize length;

  g_assert_true (es_test_enabled (window, "save-beam"));
  /* The speed of sound that is told counts here as well. */
  params = es_analyse_panel_get_params_of (find (window, ES_TYPE_ANALYSE_PANEL), "cbf");
  es_params_set_value (params, "sound-speed", 1480);
  es_sonar_workspace_save_beam (es_test_sonar (window), es_beam_aim_at (60), wrong);
  es_test_wait_idle (window);
  g_assert_false (g_file_test (nowhere, G_FILE_TEST_EXISTS));
  es_sonar_workspace_save_beam (es_test_sonar (window), es_beam_aim_at (60), target);
  es_test_wait_idle (window);
  beam = es_dataset_open (target, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (es_recording_get_n_channels (ES_RECORDING (beam)), ==, 1);
  g_assert_cmpuint (es_recording_get_frames (ES_RECORDING (beam)), ==, 6 * ES_TEST_RATE);
  g_assert_true (g_file_load_contents (target, NULL, &content, &length, NULL, &error));
  g_assert_nonnull (memmem (content, length, "(1480 m/s)", strlen ("(1480 m/s)")));
  es_test_close (window);
}

/* The other operations run as any, and what they found is shown. */
static void
test_other_operations (void)
{
  static const char * const ids[] = { "lofar", "demon" };
  g_autoptr (GFile) file = es_test_recording ("line.wav", 6);
  EsWindow *window = es_test_window_of (&file, 1);

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      EsResult *result;

      g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.run-operation", "s", ids[i]));
      es_test_wait_idle (window);
      result = es_sonar_view_get_result (es_test_sonar_view (window));
      g_assert_nonnull (result);
      g_assert_cmpstr (es_result_get_operation (result)->id, ==, ids[i]);
    }
  g_settings_reset (es_settings_get (), "recording-operation");
  es_test_close (window);
}

/* The welcome page offers both. */
static void
test_welcome (void)
{
  EsWindow *window = es_test_window_with (NULL);
  GtkWidget *welcome = find (window, ES_TYPE_WELCOME);

  g_assert_nonnull (es_test_find (welcome, GTK_TYPE_LABEL, "Simulated _Recording"));
  g_assert_true (es_test_enabled (window, "simulate-recording"));
  g_assert_false (es_test_enabled (window, "save-beam"));
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/sonar-window/welcome", test_welcome);
  g_test_add_func ("/sonar-window/opens", test_opens);
  g_test_add_func ("/sonar-window/transport", test_transport);
  g_test_add_func ("/sonar-window/timeline", test_timeline);
  g_test_add_func ("/sonar-window/parameters-live", test_parameters_live);
  g_test_add_func ("/sonar-window/run", test_run);
  g_test_add_func ("/sonar-window/cube-beside", test_cube_beside);
  g_test_add_func ("/sonar-window/listen", test_listen);
  g_test_add_func ("/sonar-window/save-beam", test_save_beam);
  g_test_add_func ("/sonar-window/other-operations", test_other_operations);
  return g_test_run ();
}
