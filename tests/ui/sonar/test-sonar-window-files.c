/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Recordings in the window: arrays, sets of files, raw files, and scenes. */

#include <math.h>
#include <string.h>
#include <time.h>

#include "hydrophones/es-array-dialog.h"
#include "hydrophones/es-array-pane.h"
#include "readers/es-open.h"
#include "import/es-raw-dialog.h"
#include "recording/es-recording.h"
#include "files/es-simulate-dialog.h"
#include "es-test-shell.h"
#include "es-test-sonar-shell.h"

/* ---- files ---- */

/* A 16-bit WAV, its header by hand: n_channels of them, a ramp in each. */
static GFile *
make_wav (const char *folder, const char *name, guint n_channels, guint n_frames)
{
  g_autoptr (GFile) file = es_test_file_in (folder, name);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint32 data = n_frames * n_channels * 2;
  g_autoptr (GError) error = NULL;
  /* Nothing in it needs padding. */
  struct { char riff[4]; guint32 size; char wave[8]; guint32 sixteen; guint16 pcm, channels; guint32 rate, per_second;
           guint16 block, bits; char tag[4]; guint32 data; } header = {
    "RIFF", GUINT32_TO_LE (36 + data), "WAVEfmt ", GUINT32_TO_LE (16), GUINT16_TO_LE (1),
    GUINT16_TO_LE (n_channels), GUINT32_TO_LE (ES_TEST_RATE), GUINT32_TO_LE (ES_TEST_RATE * n_channels * 2),
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
  g_autoptr (GFile) file = es_test_file_in (folder, name);
  g_autoptr (GError) error = NULL;

  g_file_replace_contents (file, text, strlen (text), NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, &error);
  g_assert_no_error (error);
  return g_steal_pointer (&file);
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
  EsWindow *window = es_test_window_of (&file, 1);
  EsRecording *recording = ES_RECORDING (es_test_first_dataset (window));
  g_autoptr (EsArray) array = NULL;

  g_assert_null (es_test_player (window));
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "Where Are the Hydrophones?"));
  g_assert_true (es_test_enabled (window, "describe-array"));
  g_assert_false (es_test_enabled (window, "sonar-play"));

  /* Nothing is taken of what does not fit. */
  es_window_open (window, &many, 1, ES_OPEN_GIVEN);
  es_test_wait_idle (window);
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "many.csv"));
  es_window_open (window, &nonsense, 1, ES_OPEN_GIVEN);
  es_test_wait_idle (window);
  g_assert_null (es_test_player (window));
  g_assert_cmpuint (es_test_n_datasets (window), ==, 1);

  es_window_open (window, &positions, 1, ES_OPEN_GIVEN);
  es_test_wait_idle (window);
  array = es_recording_get_array (recording);
  g_assert_nonnull (array);
  g_assert_cmpuint (es_array_get_n_elements (array), ==, 4);
  g_assert_nonnull (es_test_player (window));
  ES_TEST_WAIT (es_test_has_rows, es_test_player (window));
  es_test_close (window);
}

static void
test_array_dialog (void)
{
  g_autoptr (GFile) file = make_wav ("described", "described.wav", 4, 4000);
  EsWindow *window = es_test_window_of (&file, 1);
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
  set = es_recording_get_array (ES_RECORDING (es_test_first_dataset (window)));
  g_assert_nonnull (set);
  g_assert_true (es_array_equal (set, described));
  for (guint i = 0; i < 200 && !g_file_query_exists (sidecar, NULL); i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (10000);
    }
  g_assert_true (g_file_query_exists (sidecar, NULL));
  ES_TEST_WAIT (es_test_has_rows, es_test_player (window));
  es_test_close (window);

  /* The next time it is known. */
  window = es_test_window_of (&file, 1);
  g_assert_nonnull (es_test_player (window));
  es_test_close (window);
}

/* Microseconds of the processor in the main loop's thread: others' work does not count. */
static gint64
thread_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

/* The table bears the largest arrays. */
static void
test_large_table (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsArray) array = es_array_new_line (32768, 0.5, 0, &error);
  EsElementTable *table = g_object_ref_sink (ES_ELEMENT_TABLE (es_element_table_new ()));
  GtkWidget *window = gtk_window_new ();
  gint64 begin = thread_us ();
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
  g_assert_cmpint (thread_us () - begin, <, 10 * G_USEC_PER_SEC);
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (table);
}

static void
test_array_pane (void)
{
  g_autoptr (GFile) file = es_test_recording ("line.wav", 6);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) dataset = es_dataset_open (file, NULL, NULL, &error);
  EsArrayPane *pane = g_object_ref_sink (ES_ARRAY_PANE (es_array_pane_new ()));
  EsElementHealth health[12] = { { .samples = 100, .peak = 0.5 } };
  g_autofree char *quiet = NULL;
  g_autofree char *said = NULL;
  g_autofree char *coarse = NULL;
  g_autofree char *ordered = NULL;
  static const double ranges[] = { INFINITY, 50, 1e6 };

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
  /* Warnings come before what describes the array, which is what has to be scrolled to. */
  GtkWidget *words = es_test_find (GTK_WIDGET (pane), GTK_TYPE_SCROLLED_WINDOW, NULL);
  const char *first = gtk_label_get_text (GTK_LABEL (es_test_find (words, GTK_TYPE_LABEL, NULL)));
  g_assert_true (g_str_has_prefix (said, first));
  g_assert_false (gtk_scrolled_window_get_overlay_scrolling (GTK_SCROLLED_WINDOW (words)));
  /* 1.5 m are over half a wavelength at 900 Hz. */
  es_array_pane_set_health (pane, NULL, 0);
  es_array_pane_set_band (pane, 900, NULL, 0, 1, 0);
  coarse = es_array_pane_get_sentences (pane);
  g_assert_cmpstr (coarse, !=, "");
  /* What misses sources is read before what is about ranges, and what is silent as well. */
  health[2].clipped = 0;
  health[5].not_finite = 0;
  es_array_pane_set_remark (pane, "Sources may be missed.");
  es_array_pane_set_health (pane, health, G_N_ELEMENTS (health));
  es_array_pane_set_band (pane, 900, ranges, G_N_ELEMENTS (ranges), 1, 0);
  ordered = es_array_pane_get_sentences (pane);
  g_assert_true (g_str_has_prefix (ordered, "Sources may be missed."));
  g_assert_nonnull (strstr (ordered, "range is beyond"));
  g_assert_null (strstr (strstr (ordered, "range is beyond"), "silent"));
  g_assert_null (strstr (strstr (ordered, "range is beyond"), "lobes"));
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
  g_autoptr (GFile) empty = es_test_file_in ("empty-folder", "nothing.txt");
  g_autoptr (GFile) empty_folder = g_file_get_parent (empty);
  GFile *files[] = { four, positions, two, one, three };
  EsWindow *window = es_test_window_of (files, G_N_ELEMENTS (files));
  g_autoptr (EsArray) array = NULL;

  g_assert_cmpuint (es_test_n_datasets (window), ==, 1);
  g_assert_cmpuint (es_recording_get_n_channels (ES_RECORDING (es_test_first_dataset (window))), ==, 4);
  array = es_recording_get_array (ES_RECORDING (es_test_first_dataset (window)));
  g_assert_nonnull (array);
  g_assert_nonnull (es_test_player (window));
  es_test_close (window);

  /* The folder with all of them, and what is no recording in it. */
  window = es_test_window_of (&folder, 1);
  g_assert_cmpuint (es_test_n_datasets (window), ==, 1);
  g_assert_cmpuint (es_recording_get_n_channels (ES_RECORDING (es_test_first_dataset (window))), ==, 4);
  g_assert_nonnull (es_test_player (window));
  es_window_open (window, &empty_folder, 1, ES_OPEN_GIVEN);
  es_test_wait_idle (window);
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "holds no recordings"));
  es_test_close (window);

  /* Positions alone have nothing to belong to. */
  window = es_test_window_of (&positions, 1);
  g_assert_cmpuint (es_test_n_datasets (window), ==, 0);
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
  window = es_test_window_of (&folder, 1);
  g_assert_cmpuint (es_test_n_datasets (window), ==, 1);
  g_assert_cmpuint (es_recording_get_n_channels (ES_RECORDING (es_test_first_dataset (window))), ==, 6);
  g_assert_nonnull (es_test_player (window));
  ES_TEST_WAIT (es_test_has_rows, es_test_player (window));
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
  g_autoptr (GFile) file = es_test_file_in ("raw", "ship_3ch_4000Hz.bin");
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
  es_test_wait_idle (window);
  g_assert_cmpuint (es_test_n_datasets (window), ==, 0);
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
  es_test_wait_idle (window);
  g_assert_cmpuint (es_test_n_datasets (window), ==, 1);
  g_assert_cmpuint (es_recording_get_n_channels (ES_RECORDING (es_test_first_dataset (window))), ==, 3);
  g_assert_cmpuint (es_recording_get_frames (ES_RECORDING (es_test_first_dataset (window))), ==, 12000);
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/sonar-window/no-array", test_no_array);
  g_test_add_func ("/sonar-window/array-dialog", test_array_dialog);
  g_test_add_func ("/sonar-window/large-table", test_large_table);
  g_test_add_func ("/sonar-window/array-pane", test_array_pane);
  g_test_add_func ("/sonar-window/sets", test_sets);
  g_test_add_func ("/sonar-window/hydrophones", test_hydrophones);
  g_test_add_func ("/sonar-window/raw-dialog", test_raw_dialog);
  g_test_add_func ("/sonar-window/simulate-dialog", test_simulate_dialog);
  return g_test_run ();
}
