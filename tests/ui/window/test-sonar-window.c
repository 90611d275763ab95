/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "analyse/es-analyse-panel.h"
#include "hydrophones/es-array-canvas.h"
#include "hydrophones/es-array-dialog.h"
#include "hydrophones/es-array-pane.h"
#include "readers/es-open.h"
#include "window/es-banner.h"
#include "window/es-data-tree.h"
#include "files/es-raw-dialog.h"
#include "files/es-raw-preview.h"
#include "recording/es-recording.h"
#include "widgets/es-settings.h"
#include "files/es-simulate-dialog.h"
#include "files/es-simulate-task.h"
#include "sonar/es-sound.h"
#include "progress/es-status-bar.h"
#include "es-test-shell.h"
#include "sonar/es-transport-bar.h"
#include "files/es-welcome.h"
#include "window/es-window-private.h"

#define RATE 2000

/* ---- files ---- */

static GFile *
file_in (const char *folder, const char *name)
{
  g_autofree char *path = folder != NULL ? g_build_filename (es_test_folder (), folder, name, NULL)
                                         : g_build_filename (es_test_folder (), name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);

  g_mkdir_with_parents (parent, 0700);
  return g_file_new_for_path (path);
}

/* A few elements, a few seconds: a source at 60 degrees and its array beside it. */
static GFile *
simulate (const char *name, double seconds)
{
  g_autoptr (GFile) file = file_in ("simulated", name);
  g_autoptr (EsParams) params = es_params_new (es_simulate_recording_params);
  g_autoptr (GError) error = NULL;

  if (g_file_query_exists (file, NULL))
    return g_steal_pointer (&file);
  es_params_set_text (params, "array", "line:12,1.5");
  es_params_set_value (params, "rate", RATE);
  es_params_set_value (params, "seconds", seconds);
  es_params_set_value (params, "ambient", -30);
  es_params_set_text (params, "sources", "noise,60,-10,300:480");
  es_simulate_recording (file, params, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return g_steal_pointer (&file);
}

/* A 16-bit WAV, its header by hand: n_channels of them, a ramp in each. */
static GFile *
make_wav (const char *folder, const char *name, guint n_channels, guint n_frames)
{
  g_autoptr (GFile) file = file_in (folder, name);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint32 data = n_frames * n_channels * 2;
  g_autoptr (GError) error = NULL;
  /* Nothing in it needs padding. */
  struct { char riff[4]; guint32 size; char wave[8]; guint32 sixteen; guint16 pcm, channels; guint32 rate, per_second;
           guint16 block, bits; char tag[4]; guint32 data; } header = {
    "RIFF", GUINT32_TO_LE (36 + data), "WAVEfmt ", GUINT32_TO_LE (16), GUINT16_TO_LE (1),
    GUINT16_TO_LE (n_channels), GUINT32_TO_LE (RATE), GUINT32_TO_LE (RATE * n_channels * 2),
    GUINT16_TO_LE (n_channels * 2), GUINT16_TO_LE (16), "data", GUINT32_TO_LE (data),
  };

  g_byte_array_append (bytes, (const guint8 *) &header, sizeof header);
  for (guint i = 0; i < n_frames * n_channels; i++)
    {
      gint16 sample = (gint16) GINT16_TO_LE ((int) (3000 * sin (0.05 * (i / n_channels) + i % n_channels)));

      g_byte_array_append (bytes, (const guint8 *) &sample, 2);
    }
  g_file_replace_contents (file, (const char *) bytes->data, bytes->len, NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL,
                           &error);
  g_assert_no_error (error);
  return g_steal_pointer (&file);
}

static GFile *
make_text (const char *folder, const char *name, const char *text)
{
  g_autoptr (GFile) file = file_in (folder, name);
  g_autoptr (GError) error = NULL;

  g_file_replace_contents (file, text, strlen (text), NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, &error);
  g_assert_no_error (error);
  return g_steal_pointer (&file);
}

/* ---- the window ---- */

static void
wait_idle (EsWindow *window)
{
  ES_TEST_WAIT (es_test_is_idle, window);
}

static EsWindow *
window_with (GFile **files, guint n)
{
  EsWindow *window = es_test_window_with (NULL);

  es_window_open (window, files, n, ES_OPEN_GIVEN);
  wait_idle (window);
  return window;
}

static gpointer
find (EsWindow *window, GType type)
{
  return es_test_find (GTK_WIDGET (window), type, NULL);
}

static EsDataset *
first_dataset (EsWindow *window)
{
  g_autoptr (EsDataset) dataset = g_list_model_get_item (es_session_get_datasets (es_window_get_session (window)), 0);

  return dataset;
}

static guint
n_datasets (EsWindow *window)
{
  return g_list_model_get_n_items (es_session_get_datasets (es_window_get_session (window)));
}

static gboolean
has_rows (gpointer player)
{
  return es_beam_history_get_n_rows (es_player_get_history (player)) > 0;
}

static gboolean
has_many_rows (gpointer player)
{
  return es_beam_history_get_n_rows (es_player_get_history (player)) >= 3;
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
  const float *row = es_beam_history_get_row (history, 0);
  guint best = 0;

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
  g_autoptr (GFile) file = simulate ("line.wav", 6);
  EsWindow *window = window_with (&file, 1);
  EsPlayer *player = es_window_get_player (window);
  EsAnalysePanel *analyse = find (window, ES_TYPE_ANALYSE_PANEL);

  g_assert_nonnull (player);
  g_assert_true (ES_IS_RECORDING (first_dataset (window)));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (es_window_get_sonar_view (window))));
  g_assert_true (gtk_widget_get_mapped (es_sonar_view_get_inspector (es_window_get_sonar_view (window))));
  g_assert_true (gtk_widget_get_mapped (find (window, ES_TYPE_TRANSPORT_BAR)));
  g_assert_true (gtk_widget_get_mapped (find (window, ES_TYPE_ARRAY_CANVAS)));
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (es_window_get_viewer (window))));
  g_assert_cmpstr (es_analyse_panel_get_operation (analyse)->id, ==, "cbf");
  /* The first block is there before anybody plays. */
  ES_TEST_WAIT (has_rows, player);
  g_assert_false (es_player_is_playing (player));
  g_assert_cmpfloat_with_epsilon (loudest (player), 60, 2.01);
  g_assert_true (es_test_enabled (window, "sonar-play"));
  g_assert_true (es_test_enabled (window, "describe-array"));
  g_assert_false (es_test_enabled (window, "save"));
  es_test_close (window);
}

static void
test_transport (void)
{
  g_autoptr (GFile) file = simulate ("line.wav", 6);
  EsWindow *window = window_with (&file, 1);
  EsPlayer *player = es_window_get_player (window);
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
  g_autoptr (GFile) file = simulate ("line.wav", 6);
  EsWindow *window = window_with (&file, 1);
  EsPlayer *player = es_window_get_player (window);
  EsAnalysePanel *analyse = find (window, ES_TYPE_ANALYSE_PANEL);
  EsParams *params = es_analyse_panel_get_params (analyse);
  gint64 begin;

  ES_TEST_WAIT (has_rows, player);
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
  es_params_reset (params);
  es_test_close (window);
}

static void
test_run (void)
{
  g_autoptr (GFile) file = simulate ("line.wav", 6);
  EsWindow *window = window_with (&file, 1);
  EsSonarView *view = es_window_get_sonar_view (window);
  EsDataTree *tree = find (window, ES_TYPE_DATA_TREE);
  g_autofree char *path = g_build_filename (es_test_folder (), "btr.h5", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  EsPlayer *player = es_window_get_player (window);
  EsResult *result;
  EsLayer *btr;

  es_test_activate (window, "run");
  wait_idle (window);
  result = es_sonar_view_get_result (view);
  g_assert_nonnull (result);
  btr = es_result_find_layer (result, "btr");
  g_assert_nonnull (btr);
  g_assert_cmpint (es_layer_get_kind (btr), ==, ES_LAYER_WATERFALL);
  g_assert_true (es_data_tree_get_selected (tree) == G_OBJECT (result));
  g_assert_true (es_data_tree_select (tree, G_OBJECT (btr)));
  g_assert_true (es_test_enabled (window, "save"));
  g_assert_true (es_window_save (window, ES_SAVE_FIELD_HDF5, target));
  wait_idle (window);
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));

  /* Playing goes back to the recording. */
  es_test_activate (window, "sonar-play");
  g_assert_null (es_sonar_view_get_result (view));
  g_assert_true (es_data_tree_get_selected (tree) == G_OBJECT (first_dataset (window)));
  es_player_pause (player);
  es_test_activate (window, "remove");
  g_assert_cmpuint (n_datasets (window), ==, 0);
  g_assert_null (es_window_get_player (window));
  es_test_close (window);
}

static void
test_cube_beside (void)
{
  g_autoptr (GFile) file = simulate ("line.wav", 6);
  g_autoptr (GFile) cube = es_test_cube ("scene.img", 3);
  EsWindow *window = window_with (&file, 1);
  EsDataTree *tree = find (window, ES_TYPE_DATA_TREE);
  g_autoptr (EsDataset) recording = g_object_ref (first_dataset (window));
  EsPlayer *player = es_window_get_player (window);
  EsTransportBar *transport = find (window, ES_TYPE_TRANSPORT_BAR);

  es_player_play (player);
  es_window_open (window, &cube, 1, ES_OPEN_GIVEN);
  wait_idle (window);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (es_window_get_viewer (window))));
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (transport)));
  g_assert_false (es_player_is_playing (player));
  g_assert_false (es_test_enabled (window, "sonar-play"));
  g_assert_nonnull (es_viewer_get_dataset (es_window_get_viewer (window)));
  g_assert_cmpstr (es_analyse_panel_get_operation (find (window, ES_TYPE_ANALYSE_PANEL))->id, ==, "pca");

  /* What was heard is still there. */
  g_assert_true (es_data_tree_select (tree, G_OBJECT (recording)));
  g_assert_true (es_window_get_player (window) == player);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (transport)));
  g_assert_null (es_viewer_get_dataset (es_window_get_viewer (window)));
  es_test_close (window);
}

/* ---- arrays ---- */

#define POSITIONS "name,x,y,z\nA,0,0,0\nB,1.5,0,0\nC,3,0,0\nD,4.5,0,0\n"

static void
test_no_array (void)
{
  g_autoptr (GFile) file = make_wav ("bare", "bare.wav", 4, 4000);
  g_autoptr (GFile) positions = make_text ("bare-positions", "positions.csv", POSITIONS);
  g_autoptr (GFile) many = make_text ("bare-positions", "many.csv", POSITIONS "E,6,0,0\n");
  g_autoptr (GFile) nonsense = make_text ("bare-positions", "nonsense.csv", "apples,pears\n1,2\n");
  EsWindow *window = window_with (&file, 1);
  EsRecording *recording = ES_RECORDING (first_dataset (window));
  g_autoptr (EsArray) array = NULL;

  g_assert_null (es_window_get_player (window));
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "Where Are the Hydrophones?"));
  g_assert_true (es_test_enabled (window, "describe-array"));
  g_assert_false (es_test_enabled (window, "sonar-play"));

  /* Nothing is taken of what does not fit. */
  es_window_open (window, &many, 1, ES_OPEN_GIVEN);
  wait_idle (window);
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "many.csv"));
  es_window_open (window, &nonsense, 1, ES_OPEN_GIVEN);
  wait_idle (window);
  g_assert_null (es_window_get_player (window));
  g_assert_cmpuint (n_datasets (window), ==, 1);

  es_window_open (window, &positions, 1, ES_OPEN_GIVEN);
  wait_idle (window);
  array = es_recording_get_array (recording);
  g_assert_nonnull (array);
  g_assert_cmpuint (es_array_get_n_elements (array), ==, 4);
  g_assert_nonnull (es_window_get_player (window));
  ES_TEST_WAIT (has_rows, es_window_get_player (window));
  es_test_close (window);
}

static void
test_array_dialog (void)
{
  g_autoptr (GFile) file = make_wav ("described", "described.wav", 4, 4000);
  EsWindow *window = window_with (&file, 1);
  g_autoptr (EsArray) set = NULL;
  g_autoptr (EsArray) wrong = NULL;
  g_autoptr (EsArray) described = NULL;
  g_autofree char *path = g_build_filename (es_test_folder (), "described", "described.wav", NULL);
  g_autoptr (GFile) recording = g_file_new_for_path (path);
  g_autoptr (GFile) sidecar = es_array_sidecar_of (recording);
  EsElementTable *table;
  EsArrayDialog *dialog;

  es_test_activate (window, "describe-array");
  dialog = ES_ARRAY_DIALOG (es_test_find_toplevel (ES_TYPE_ARRAY_DIALOG));
  g_assert_nonnull (dialog);
  table = es_array_dialog_get_table (dialog);
  g_assert_cmpuint (es_element_table_get_n (table), ==, 4);

  /* Wrong: two elements with one channel. Then right again. */
  g_assert_true (es_element_table_edit (table, 1, "channel", "1"));
  wrong = es_array_dialog_get_array (dialog);
  g_assert_null (wrong);
  g_assert_cmpstr (es_array_dialog_get_verdict (dialog), !=, "");
  g_assert_true (es_element_table_edit (table, 1, "channel", "2"));
  g_assert_false (es_element_table_edit (table, 1, "x", "far away"));
  g_assert_false (es_element_table_edit (table, 1, "channel", "0"));
  g_assert_true (es_element_table_edit (table, 2, "gain", "0.5"));
  g_assert_true (es_element_table_edit (table, 2, "name", "old one"));
  es_element_table_set_dead (table, 3, TRUE);
  es_array_dialog_set_line (dialog, 4, 0.75, 90);
  described = es_array_dialog_get_array (dialog);
  g_assert_nonnull (described);
  g_assert_cmpfloat_with_epsilon (es_array_get_spacing (described), 0.75, 1e-9);
  /* A new line keeps what is known of the elements. */
  g_assert_cmpfloat (es_array_get_elements (described)[2].gain, ==, 0.5);
  g_assert_cmpstr (es_array_get_elements (described)[2].name, ==, "old one");
  g_assert_cmpuint (es_array_get_n_alive (described), ==, 3);

  es_array_dialog_apply (dialog);
  set = es_recording_get_array (ES_RECORDING (first_dataset (window)));
  g_assert_nonnull (set);
  g_assert_true (es_array_equal (set, described));
  for (guint i = 0; i < 200 && !g_file_query_exists (sidecar, NULL); i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (10000);
    }
  g_assert_true (g_file_query_exists (sidecar, NULL));
  ES_TEST_WAIT (has_rows, es_window_get_player (window));
  es_test_close (window);

  /* The next time it is known. */
  window = window_with (&file, 1);
  g_assert_nonnull (es_window_get_player (window));
  es_test_close (window);
}

/* The table bears the largest arrays. */
static void
test_large_table (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsArray) array = es_array_new_line (32768, 0.5, 0, &error);
  EsElementTable *table = g_object_ref_sink (ES_ELEMENT_TABLE (es_element_table_new ()));
  GtkWidget *window = gtk_window_new ();
  gint64 begin = g_get_monotonic_time ();
  g_autofree EsElement *elements = NULL;

  g_assert_no_error (error);
  es_test_application ();
  gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (table));
  gtk_window_set_default_size (GTK_WINDOW (window), 700, 400);
  gtk_window_present (GTK_WINDOW (window));
  es_element_table_set_elements (table, es_array_get_elements (array), 32768);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_true (es_element_table_edit (table, 32767, "gain", "2"));
  elements = es_element_table_get_elements (table);
  g_assert_cmpfloat (elements[32767].gain, ==, 2);
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 10 * G_USEC_PER_SEC);
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (table);
}

static void
test_array_pane (void)
{
  g_autoptr (GFile) file = simulate ("line.wav", 6);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) dataset = es_dataset_open (file, NULL, NULL, &error);
  EsArrayPane *pane = g_object_ref_sink (ES_ARRAY_PANE (es_array_pane_new ()));
  EsElementHealth health[12] = { { .samples = 100, .peak = 0.5 } };
  g_autofree char *quiet = NULL;
  g_autofree char *said = NULL;
  g_autofree char *coarse = NULL;

  g_assert_no_error (error);
  es_array_pane_set_recording (pane, ES_RECORDING (dataset));
  quiet = es_array_pane_get_sentences (pane);
  g_assert_cmpstr (quiet, ==, "");
  for (guint i = 0; i < G_N_ELEMENTS (health); i++)
    health[i] = (EsElementHealth) { .samples = 100, .peak = 0.5, .clipped = i == 2 ? 7 : 0 };
  health[4].peak = 0;
  health[5].not_finite = 1;
  es_array_pane_set_health (pane, health, G_N_ELEMENTS (health));
  said = es_array_pane_get_sentences (pane);
  g_assert_nonnull (strstr (said, "1 element clips (3)"));
  g_assert_nonnull (strstr (said, "1 element is silent (5)"));
  g_assert_nonnull (strstr (said, "no numbers (6)"));
  /* 1.5 m are over half a wavelength at 900 Hz. */
  es_array_pane_set_health (pane, NULL, 0);
  es_array_pane_set_band (pane, 900, NULL, 0, 1);
  coarse = es_array_pane_get_sentences (pane);
  g_assert_cmpstr (coarse, !=, "");
  es_array_pane_set_recording (pane, NULL);
  g_object_unref (pane);
}

/* ---- several files, folders ---- */

static void
test_sets (void)
{
  g_autoptr (GFile) one = make_wav ("set", "ship.1.wav", 1, 4000);
  g_autoptr (GFile) two = make_wav ("set", "ship.2.wav", 1, 3900);
  g_autoptr (GFile) three = make_wav ("set", "ship.3.wav", 1, 4000);
  g_autoptr (GFile) four = make_wav ("set", "ship.4.wav", 1, 4000);
  g_autoptr (GFile) positions = make_text ("set", "positions.csv", POSITIONS);
  g_autoptr (GFile) stray = make_text ("set", "README.txt", "Nothing to see.");
  g_autoptr (GFile) folder = g_file_get_parent (one);
  g_autoptr (GFile) empty = file_in ("empty-folder", "nothing.txt");
  g_autoptr (GFile) empty_folder = g_file_get_parent (empty);
  GFile *files[] = { four, positions, two, one, three };
  EsWindow *window = window_with (files, G_N_ELEMENTS (files));
  g_autoptr (EsArray) array = NULL;

  g_assert_cmpuint (n_datasets (window), ==, 1);
  g_assert_cmpuint (es_recording_get_n_channels (ES_RECORDING (first_dataset (window))), ==, 4);
  array = es_recording_get_array (ES_RECORDING (first_dataset (window)));
  g_assert_nonnull (array);
  g_assert_nonnull (es_window_get_player (window));
  es_test_close (window);

  /* The folder with all of them, and what is no recording in it. */
  window = window_with (&folder, 1);
  g_assert_cmpuint (n_datasets (window), ==, 1);
  g_assert_cmpuint (es_recording_get_n_channels (ES_RECORDING (first_dataset (window))), ==, 4);
  g_assert_nonnull (es_window_get_player (window));
  es_window_open (window, &empty_folder, 1, ES_OPEN_GIVEN);
  wait_idle (window);
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "holds no recordings"));
  es_test_close (window);

  /* Positions alone have nothing to belong to. */
  window = window_with (&positions, 1);
  g_assert_cmpuint (n_datasets (window), ==, 0);
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "open their recording first"));
  es_test_close (window);
}

static void
test_hydrophones (void)
{
  const char *data = g_getenv ("ES_TEST_DATA");
  g_autofree char *path = data != NULL ? g_build_filename (data, "hydrophones", NULL) : NULL;
  g_autoptr (GFile) folder = path != NULL ? g_file_new_for_path (path) : NULL;
  EsWindow *window;

  if (folder == NULL || !g_file_query_exists (folder, NULL))
    {
      g_test_skip ("ES_TEST_DATA has no hydrophones");
      return;
    }
  window = window_with (&folder, 1);
  g_assert_cmpuint (n_datasets (window), ==, 1);
  g_assert_cmpuint (es_recording_get_n_channels (ES_RECORDING (first_dataset (window))), ==, 6);
  g_assert_nonnull (es_window_get_player (window));
  ES_TEST_WAIT (has_rows, es_window_get_player (window));
  es_test_close (window);
}

/* ---- raw files ---- */

static gboolean
is_settled (gpointer dialog)
{
  return !es_raw_dialog_is_busy (dialog);
}

static void
test_raw_dialog (void)
{
  g_autoptr (GFile) file = file_in ("raw", "ship_3ch_4000Hz.bin");
  g_autofree gint16 *samples = g_new (gint16, 3 * 12000);
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = g_file_get_uri (file);
  EsWindow *window = es_test_window_with (NULL);
  EsRawSamples wrong = { .channels = 3, .rate = 4000, .type = "int16", .big_endian = TRUE };
  EsRawSamples odd = { .channels = 3, .rate = 4000, .type = "float32", .offset = 1 << 20 };
  EsRawSamples right = { .channels = 3, .rate = 4000, .type = "int16" };
  EsRawDialog *dialog;

  for (guint i = 0; i < 3 * 12000; i++)
    samples[i] = GINT16_TO_LE ((int) (9000 * sin (0.02 * (i / 3) + i % 3)));
  g_file_replace_contents (file, (const char *) samples, 3 * 12000 * 2, NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL,
                           &error);
  g_assert_no_error (error);

  /* Dropped it is not asked about, but the way is shown. */
  es_window_open (window, &file, 1, ES_OPEN_GIVEN);
  wait_idle (window);
  g_assert_cmpuint (n_datasets (window), ==, 0);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.import-raw", "s", uri));
  dialog = ES_RAW_DIALOG (es_test_find_toplevel (ES_TYPE_RAW_DIALOG));
  g_assert_nonnull (dialog);
  /* Its name tells. */
  g_assert_cmpuint (es_raw_dialog_get_samples (dialog).channels, ==, 3);
  g_assert_cmpfloat (es_raw_dialog_get_samples (dialog).rate, ==, 4000);
  ES_TEST_WAIT (is_settled, dialog);
  g_assert_true (es_raw_dialog_is_good (dialog));

  es_raw_dialog_set_samples (dialog, &wrong);
  ES_TEST_WAIT (is_settled, dialog);
  g_assert_nonnull (strstr (es_raw_dialog_get_verdict (dialog), "noise at full scale"));
  es_raw_dialog_set_samples (dialog, &odd);
  ES_TEST_WAIT (is_settled, dialog);
  g_assert_false (es_raw_dialog_is_good (dialog));
  g_assert_cmpstr (es_raw_dialog_get_verdict (dialog), !=, "");
  es_raw_dialog_set_samples (dialog, &right);
  ES_TEST_WAIT (is_settled, dialog);
  g_assert_true (es_raw_dialog_is_good (dialog));
  g_assert_null (strstr (es_raw_dialog_get_verdict (dialog), "wrong"));
  es_raw_dialog_import (dialog);
  wait_idle (window);
  g_assert_cmpuint (n_datasets (window), ==, 1);
  g_assert_cmpuint (es_recording_get_n_channels (ES_RECORDING (first_dataset (window))), ==, 3);
  g_assert_cmpuint (es_recording_get_frames (ES_RECORDING (first_dataset (window))), ==, 12000);
  es_test_close (window);
}

/* ---- scenes ---- */

static void
on_simulate (EsSimulateDialog *dialog, EsParams *params, EsParams **taken)
{
  *taken = es_params_copy (params);
}

static void
test_simulate_dialog (void)
{
  EsWindow *window = es_test_window_with (NULL);
  const EsSource tone = { .kind = ES_SOURCE_TONE, .bearing = 75, .range = INFINITY, .level = -3, .low = 100,
                          .harmonics = 2 };
  const EsSource upside_down = { .kind = ES_SOURCE_NOISE, .bearing = 75, .range = INFINITY, .low = 400, .high = 100 };
  g_autoptr (EsParams) taken = NULL;
  g_autoptr (GArray) sources = NULL;
  g_autoptr (GError) error = NULL;
  EsSimulateDialog *dialog;
  guint n;

  es_test_activate (window, "simulate-recording");
  dialog = ES_SIMULATE_DIALOG (es_test_find_toplevel (ES_TYPE_SIMULATE_DIALOG));
  g_assert_nonnull (dialog);
  g_assert_true (es_simulate_dialog_is_good (dialog));
  n = es_simulate_dialog_get_n_sources (dialog);
  g_assert_cmpuint (n, >=, 2);
  es_simulate_dialog_add_source (dialog, &upside_down);
  g_assert_false (es_simulate_dialog_is_good (dialog));
  g_assert_cmpstr (es_simulate_dialog_get_verdict (dialog), !=, "");
  while (es_simulate_dialog_get_n_sources (dialog) > 0)
    es_simulate_dialog_remove_source (dialog, 0);
  g_assert_true (es_simulate_dialog_is_good (dialog));
  es_simulate_dialog_add_source (dialog, &tone);
  g_assert_true (es_simulate_dialog_is_good (dialog));

  g_signal_handlers_disconnect_by_data (dialog, window);
  g_signal_connect (dialog, "simulate", G_CALLBACK (on_simulate), &taken);
  es_simulate_dialog_simulate (dialog);
  g_assert_nonnull (taken);
  g_assert_true (es_sources_parse (es_params_get_text (taken, "sources"), &sources, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (sources->len, ==, 1);
  g_assert_cmpfloat (g_array_index (sources, EsSource, 0).bearing, ==, 75);
  g_assert_cmpuint (g_array_index (sources, EsSource, 0).harmonics, ==, 2);
  g_assert_true (isinf (g_array_index (sources, EsSource, 0).range));
  es_test_close (window);
}

/* ---- sound ---- */

static void
test_listen (void)
{
  g_autoptr (GFile) file = simulate ("line.wav", 6);
  EsWindow *window = window_with (&file, 1);
  EsPlayer *player = es_window_get_player (window);
  EsTransportBar *transport = find (window, ES_TYPE_TRANSPORT_BAR);
  gboolean listening = FALSE;

  if (!es_sound_is_possible (NULL))
    {
      g_test_skip ("no sound in this build");
      es_test_close (window);
      return;
    }
  g_setenv ("ES_SOUND_SINK", "fakesink sync=true", TRUE);
  ES_TEST_WAIT (has_rows, player);
  es_sonar_view_set_bearing (es_window_get_sonar_view (window), NAN);
  g_object_set (transport, "listening", TRUE, NULL);
  /* Nobody has chosen: the loudest beam is heard, and the cursor tells which. */
  g_assert_cmpfloat_with_epsilon (es_sonar_view_get_bearing (es_window_get_sonar_view (window)), 60, 2.01);
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
  g_autoptr (GFile) file = simulate ("line.wav", 6);
  EsWindow *window = window_with (&file, 1);
  g_autofree char *path = g_build_filename (es_test_folder (), "beam.wav", NULL);
  g_autofree char *nowhere = g_build_filename (es_test_folder (), "no such folder", "beam.wav", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autoptr (GFile) wrong = g_file_new_for_path (nowhere);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) beam = NULL;

  g_assert_true (es_test_enabled (window, "save-beam"));
  es_window_save_beam (window, 60, wrong);
  wait_idle (window);
  g_assert_false (g_file_test (nowhere, G_FILE_TEST_EXISTS));
  es_window_save_beam (window, 60, target);
  wait_idle (window);
  beam = es_dataset_open (target, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (es_recording_get_n_channels (ES_RECORDING (beam)), ==, 1);
  g_assert_cmpuint (es_recording_get_frames (ES_RECORDING (beam)), ==, 6 * RATE);
  es_test_close (window);
}

/* The other operations run as any, and what they found is shown. */
static void
test_other_operations (void)
{
  static const char * const ids[] = { "lofar", "demon" };
  g_autoptr (GFile) file = simulate ("line.wav", 6);
  EsWindow *window = window_with (&file, 1);

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      EsResult *result;

      g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.run-operation", "s", ids[i]));
      wait_idle (window);
      result = es_sonar_view_get_result (es_window_get_sonar_view (window));
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
  g_test_add_func ("/sonar-window/parameters-live", test_parameters_live);
  g_test_add_func ("/sonar-window/run", test_run);
  g_test_add_func ("/sonar-window/cube-beside", test_cube_beside);
  g_test_add_func ("/sonar-window/no-array", test_no_array);
  g_test_add_func ("/sonar-window/array-dialog", test_array_dialog);
  g_test_add_func ("/sonar-window/large-table", test_large_table);
  g_test_add_func ("/sonar-window/array-pane", test_array_pane);
  g_test_add_func ("/sonar-window/sets", test_sets);
  g_test_add_func ("/sonar-window/hydrophones", test_hydrophones);
  g_test_add_func ("/sonar-window/raw-dialog", test_raw_dialog);
  g_test_add_func ("/sonar-window/simulate-dialog", test_simulate_dialog);
  g_test_add_func ("/sonar-window/listen", test_listen);
  g_test_add_func ("/sonar-window/save-beam", test_save_beam);
  g_test_add_func ("/sonar-window/other-operations", test_other_operations);
  return g_test_run ();
}
