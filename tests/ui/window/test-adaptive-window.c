/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Adaptive beams in the window: the switch, the bar, the comparison of methods, scenes, and what becomes of a run. */

#include <math.h>
#include <string.h>

#include "sonar/es-adaptive-bar.h"
#include "analyse/es-analyse-panel.h"
#include "window/es-data-tree.h"
#include "sonar/es-methods-dialog.h"
#include "recording/es-recording.h"
#include "widgets/es-settings.h"
#include "files/es-simulate-dialog.h"
#include "files/es-simulate-task.h"
#include "report/es-step-bars.h"
#include "charts/es-table-view.h"
#include "es-test-shell.h"
#include "window/es-window-private.h"

#define ELEMENTS 12

/* ---- a recording ---- */

/* Two sources in one beam of a dozen elements, 20 dB above the noise. */
static GFile *
simulate (void)
{
  g_autofree char *path = g_build_filename (es_test_folder (), "two.wav", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (EsParams) params = es_simulate_scene ("two-sources");
  g_autoptr (GError) error = NULL;

  if (g_file_query_exists (file, NULL))
    return g_steal_pointer (&file);
  es_params_set_text (params, "array", "line:12,1.5");
  es_params_set_text (params, "sources", "noise,86,-10,300:480;noise,94,-10,300:480");
  es_params_set_value (params, "rate", 2000);
  es_params_set_value (params, "seconds", 12);
  es_params_set_value (params, "ambient", -30);
  es_simulate_recording (file, params, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return g_steal_pointer (&file);
}

typedef struct
{
  EsWindow       *window;
  EsPlayer       *player;
  EsBeamHistory  *history;
  EsAnalysePanel *analyse;
  EsParams       *params;      /* of mvdr */
  EsAdaptiveBar  *bar;         /* once it was shown */
} Fixture;

static gboolean
has_rows (gpointer history)
{
  return es_beam_history_get_n_rows (history) > 0;
}

static gboolean
has_adaptive (gpointer history)
{
  return es_beam_history_get_n_rows (history) > 0 && es_beam_history_has (history, ES_BEAM_MVDR);
}

static gboolean
has_no_adaptive (gpointer history)
{
  return es_beam_history_get_n_rows (history) > 0 && !es_beam_history_has (history, ES_BEAM_MVDR);
}

static gboolean
has_music (gpointer history)
{
  return es_beam_history_has (history, ES_BEAM_MUSIC);
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

static void
set_up (Fixture *fixture, gconstpointer adaptive)
{
  g_autoptr (GFile) file = simulate ();

  g_settings_reset (es_settings_get (), "recording-operation");
  g_settings_reset (es_settings_get (), "parameters");
  fixture->window = es_test_window_with (NULL);
  es_window_open (fixture->window, &file, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (es_test_is_idle, fixture->window);
  fixture->player = es_window_get_player (fixture->window);
  g_assert_nonnull (fixture->player);
  fixture->history = es_player_get_history (fixture->player);
  fixture->analyse = ES_ANALYSE_PANEL (es_test_find (GTK_WIDGET (fixture->window), ES_TYPE_ANALYSE_PANEL, NULL));
  fixture->params = es_analyse_panel_get_params_of (fixture->analyse, "mvdr");
  g_assert_nonnull (fixture->params);
  ES_TEST_WAIT (has_rows, fixture->history);
  if (adaptive == NULL)
    return;
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.live", "s", "mvdr"));
  ES_TEST_WAIT (has_adaptive, fixture->history);
  fixture->bar = ES_ADAPTIVE_BAR (es_test_find (GTK_WIDGET (fixture->window), ES_TYPE_ADAPTIVE_BAR, NULL));
  g_assert_nonnull (fixture->bar);
}

static void
tear_down (Fixture *fixture, gconstpointer adaptive)
{
  es_test_close (fixture->window);
  g_settings_reset (es_settings_get (), "recording-operation");
  g_settings_reset (es_settings_get (), "parameters");
}

static const char *
live_of (EsWindow *window)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (window), "live");

  return g_str_equal (g_variant_get_string (state, NULL), "mvdr") ? "mvdr" : "cbf";
}

/* The bearings of local maxima within 6 dB of the largest, between from and to. */
static guint
count_peaks (const float *row, const EsBeamSettings *settings, double from, double to, double *bearings, guint most)
{
  float largest = 0;
  guint n = 0;

  for (guint i = 0; i < settings->n_angles; i++)
    largest = MAX (largest, row[i]);
  for (guint i = 1; i + 1 < settings->n_angles; i++)
    if (settings->angles[i] >= from && settings->angles[i] <= to && row[i] > row[i - 1] && row[i] >= row[i + 1]
        && row[i] > 0.25f * largest && n < most)
      bearings[n++] = settings->angles[i];
  return n;
}

/* ---- the slider ---- */

static void
test_slider (void)
{
  static const double values[] = { 0, 1, 2, 4, 8 };
  EsValueSlider *slider = ES_VALUE_SLIDER (g_object_ref_sink (es_value_slider_new ("_Things", "1024", values, 5)));
  GtkWidget *scale = es_test_find (GTK_WIDGET (slider), GTK_TYPE_SCALE, NULL);
  GtkAdjustment *adjustment = gtk_range_get_adjustment (GTK_RANGE (scale));
  gboolean handled = FALSE;

  g_assert_cmpfloat (es_value_slider_get_value (slider), ==, 0);
  es_value_slider_move (slider, 3);
  g_assert_cmpfloat (es_value_slider_get_value (slider), ==, 4);
  /* What is not in the list stays what it is, stands between, and moves to its neighbours. */
  es_value_slider_set_value (slider, 5);
  g_assert_cmpfloat (es_value_slider_get_value (slider), ==, 5);
  g_assert_cmpfloat_with_epsilon (gtk_adjustment_get_value (adjustment), 3.25, 1e-9);
  g_signal_emit_by_name (scale, "change-value", GTK_SCROLL_STEP_BACKWARD, 2.25, &handled);
  g_assert_true (handled);
  g_assert_cmpfloat (es_value_slider_get_value (slider), ==, 4);
  es_value_slider_set_value (slider, 5);
  g_signal_emit_by_name (scale, "change-value", GTK_SCROLL_STEP_FORWARD, 4.25, &handled);
  g_assert_cmpfloat (es_value_slider_get_value (slider), ==, 8);
  g_signal_emit_by_name (scale, "change-value", GTK_SCROLL_STEP_FORWARD, 5.0, &handled);
  g_assert_cmpfloat (es_value_slider_get_value (slider), ==, 8);
  g_signal_emit_by_name (scale, "change-value", GTK_SCROLL_JUMP, 1.4, &handled);
  g_assert_cmpfloat (es_value_slider_get_value (slider), ==, 1);
  es_value_slider_set_value (slider, 1000);
  g_assert_cmpfloat (es_value_slider_get_value (slider), ==, 1000);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 4);
  es_value_slider_set_value (slider, -3);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 0);
  es_value_slider_set_reading (slider, "auto 3");
  g_assert_cmpstr (es_value_slider_get_reading (slider), ==, "auto 3");
  g_object_unref (slider);
}

static void
test_words (void)
{
  static const struct { double k; guint b; gboolean warning; const char *says; } cases[] = {
    { 1, 64, TRUE, "exactly as CBF" },
    { 32, 64, TRUE, "K = 32 of B = 64" },
    { 63, 64, TRUE, "too low" },
    /* (64 - 64 + 1) / 64 and (128 - 64 + 1) / 128 */
    { 64, 64, FALSE, "18.1 dB" },
    { 128, 64, FALSE, "2.9 dB" },
    { 1, 1, FALSE, "K = 1, B = 1" },
    { 0, 64, TRUE, "" },
    { 8, 0, FALSE, "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gboolean warning = !cases[i].warning;
      g_autofree char *words = es_adaptive_describe_snapshots (cases[i].k, cases[i].b, &warning);

      g_assert_nonnull (strstr (words, cases[i].says));
      if (*cases[i].says == '\0')
        g_assert_cmpstr (words, ==, "");
      else
        g_assert_cmpint (warning, ==, cases[i].warning);
    }
}

/* ---- the switch ---- */

static void
test_switch (Fixture *fixture, gconstpointer data)
{
  EsWindow *window = fixture->window;
  EsParams *conventional = es_analyse_panel_get_params_of (fixture->analyse, "cbf");

  g_assert_cmpstr (live_of (window), ==, "cbf");
  g_assert_null (es_test_find (GTK_WIDGET (window), ES_TYPE_ADAPTIVE_BAR, NULL));
  g_assert_false (es_beam_history_has (fixture->history, ES_BEAM_MVDR));

  /* The page of the panel follows; where one looks stays. */
  es_params_set_text (conventional, "angles", "60:120:0.5");
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.live", "s", "mvdr"));
  g_assert_cmpstr (live_of (window), ==, "mvdr");
  g_assert_cmpstr (es_analyse_panel_get_operation (fixture->analyse)->id, ==, "mvdr");
  g_assert_cmpstr (es_params_get_text (fixture->params, "angles"), ==, "60:120:0.5");
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), ES_TYPE_ADAPTIVE_BAR, NULL));
  ES_TEST_WAIT (has_adaptive, fixture->history);
  g_assert_cmpuint (es_beam_history_get_settings (fixture->history)->n_angles, ==, 121);

  /* And it leads. Other operations leave alone what is played. */
  g_assert_true (es_analyse_panel_set_operation (fixture->analyse, "lofar"));
  g_assert_cmpstr (live_of (window), ==, "mvdr");
  g_assert_true (es_analyse_panel_set_operation (fixture->analyse, "cbf"));
  g_assert_cmpstr (live_of (window), ==, "cbf");
  ES_TEST_WAIT (has_no_adaptive, fixture->history);
  g_assert_null (es_test_find (GTK_WIDGET (window), ES_TYPE_ADAPTIVE_BAR, NULL));
  es_test_activate (window, "switch-live");
  g_assert_cmpstr (live_of (window), ==, "mvdr");
  ES_TEST_WAIT (has_adaptive, fixture->history);
  es_test_activate (window, "switch-live");
  g_assert_cmpstr (live_of (window), ==, "cbf");
  /* What is no operation of beams changes nothing. */
  gtk_widget_activate_action (GTK_WIDGET (window), "win.live", "s", "pca");
  g_assert_cmpstr (live_of (window), ==, "cbf");
}

static gboolean
is_stored (gpointer data)
{
  g_autoptr (GVariant) all = g_settings_get_value (es_settings_get (), "parameters");
  g_autofree char *text = g_variant_print (all, FALSE);

  return strstr (text, "1490") != NULL;
}

/* The one chosen last is there again in the next window, with what was set for it. */
static void
test_remembered (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = simulate ();
  EsWindow *window;
  EsBeamHistory *history;

  es_params_set_value (fixture->params, "sound-speed", 1490);
  ES_TEST_WAIT (is_stored, NULL);
  window = es_test_window_with (NULL);
  es_window_open (window, &file, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_cmpstr (live_of (window), ==, "mvdr");
  history = es_player_get_history (es_window_get_player (window));
  ES_TEST_WAIT (has_adaptive, history);
  g_assert_cmpfloat (es_beam_history_get_settings (history)->sound_speed, ==, 1490);
  es_test_close (window);
}

static gboolean
is_complete (gpointer history)
{
  return has_adaptive (history)
         && es_beam_history_get_used (history) * 1.0
            >= es_beam_settings_get_effective_snapshots (es_beam_history_get_settings (history));
}

static gboolean
has_fine_angles (gpointer history)
{
  return is_complete (history) && es_beam_history_get_settings (history)->n_angles == 241;
}

/* What it is for: one hump of CBF, two peaks of MVDR where the sources are. */
static void
test_two_sources (Fixture *fixture, gconstpointer data)
{
  const EsBeamSettings *settings;
  double bearings[8];

  es_params_set_text (fixture->params, "angles", "60:120:0.25");
  es_player_seek (fixture->player, 9);
  ES_TEST_WAIT (has_fine_angles, fixture->history);
  settings = es_beam_history_get_settings (fixture->history);
  g_assert_cmpuint (count_peaks (es_beam_history_get_row_of (fixture->history, ES_BEAM_CBF, 0), settings, 75, 105,
                                 bearings, 8), ==, 1);
  g_assert_cmpfloat_with_epsilon (bearings[0], 90, 1.5);
  g_assert_cmpuint (count_peaks (es_beam_history_get_row_of (fixture->history, ES_BEAM_MVDR, 0), settings, 75, 105,
                                 bearings, 8), ==, 2);
  g_assert_cmpfloat_with_epsilon (bearings[0], 86, 0.6);
  g_assert_cmpfloat_with_epsilon (bearings[1], 94, 0.6);
}

/* ---- the bar ---- */

static gboolean
has_one_snapshot (gpointer history)
{
  return has_adaptive (history) && es_beam_history_get_used (history) == 1;
}

static gboolean
says_cbf (gpointer bar)
{
  return strstr (es_adaptive_bar_get_words (bar), "exactly as CBF") != NULL;
}

static gboolean
says_three (gpointer bar)
{
  return strstr (es_adaptive_bar_get_words (bar), "K = 3 of B = 12") != NULL;
}

static gboolean
has_times (gpointer bar)
{
  return strstr (es_adaptive_bar_get_times (bar), "matrix") != NULL;
}

static void
test_sliders (Fixture *fixture, gconstpointer data)
{
  EsAdaptiveBar *bar = fixture->bar;

  ES_TEST_WAIT (has_times, bar);
  g_assert_cmpstr (es_value_slider_get_reading (es_adaptive_bar_get_slider (bar, ES_ADAPTIVE_SNAPSHOTS)), ==, "8");
  g_assert_nonnull (strstr (es_value_slider_get_reading (es_adaptive_bar_get_slider (bar, ES_ADAPTIVE_BLOCKS)),
                            "auto 3"));
  g_assert_nonnull (strstr (es_value_slider_get_reading (es_adaptive_bar_get_slider (bar, ES_ADAPTIVE_LOADING)),
                            "auto 0.01"));

  /* One snapshot of one block. */
  es_value_slider_move (es_adaptive_bar_get_slider (bar, ES_ADAPTIVE_SNAPSHOTS), 0);
  es_value_slider_move (es_adaptive_bar_get_slider (bar, ES_ADAPTIVE_BLOCKS), 1);
  g_assert_cmpint (es_params_get_int (fixture->params, "snapshots"), ==, 1);
  g_assert_cmpint (es_params_get_int (fixture->params, "blocks"), ==, 1);
  ES_TEST_WAIT (has_one_snapshot, fixture->history);
  ES_TEST_WAIT (says_cbf, bar);
  g_assert_true (es_adaptive_bar_is_warning (bar));
  g_assert_nonnull (strstr (es_value_slider_get_reading (es_adaptive_bar_get_slider (bar, ES_ADAPTIVE_LOADING)),
                            "auto 0.1"));

  /* No loading and few snapshots: told what would do, and nothing pops up. */
  es_value_slider_move (es_adaptive_bar_get_slider (bar, ES_ADAPTIVE_LOADING), 1);
  g_assert_cmpstr (es_params_get_text (fixture->params, "loading"), ==, "0");
  ES_TEST_WAIT (has_failed, fixture->player);
  g_assert_nonnull (strstr (es_player_get_failure (fixture->player), "0.1"));
  g_assert_null (es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG));
  es_value_slider_move (es_adaptive_bar_get_slider (bar, ES_ADAPTIVE_SNAPSHOTS), 2);
  ES_TEST_WAIT (says_three, bar);
  es_value_slider_move (es_adaptive_bar_get_slider (bar, ES_ADAPTIVE_LOADING), 0);
  g_assert_cmpstr (es_params_get_text (fixture->params, "loading"), ==, "");
  ES_TEST_WAIT (has_not_failed, fixture->player);

  /* What is set elsewhere is shown here. */
  es_params_set_value (fixture->params, "snapshots", 10);
  g_assert_cmpfloat (es_value_slider_get_value (es_adaptive_bar_get_slider (bar, ES_ADAPTIVE_SNAPSHOTS)), ==, 10);
  g_assert_cmpstr (es_value_slider_get_reading (es_adaptive_bar_get_slider (bar, ES_ADAPTIVE_SNAPSHOTS)), ==, "10");
  es_params_set_value (fixture->params, "forgetting", 0.1);
  g_assert_false (gtk_widget_get_sensitive (GTK_WIDGET (es_adaptive_bar_get_slider (bar, ES_ADAPTIVE_BLOCKS))));
}

typedef struct
{
  EsBeamHistory *history;
  double         loading;
  EsAdaptiveMethod method;
} Wanted;

static gboolean
is_as_wanted (gpointer data)
{
  Wanted *wanted = data;
  const EsAdaptiveReport *report = es_beam_history_get_report (wanted->history);

  return report != NULL && fabs (report->loading - wanted->loading) < 1e-9 && report->method == wanted->method;
}

/* Loading and method need no new snapshots: what was heard stays. */
static void
test_cheap_changes (Fixture *fixture, gconstpointer data)
{
  GtkWidget *method = es_test_find (GTK_WIDGET (fixture->bar), GTK_TYPE_DROP_DOWN, NULL);
  Wanted wanted = { fixture->history, 1, ES_ADAPTIVE_JACOBI };
  guint n_rows;

  es_player_seek (fixture->player, 5);
  ES_TEST_WAIT (is_complete, fixture->history);
  n_rows = es_beam_history_get_n_rows (fixture->history);
  es_value_slider_move (es_adaptive_bar_get_slider (fixture->bar, ES_ADAPTIVE_LOADING), 12);
  g_assert_cmpstr (es_params_get_text (fixture->params, "loading"), ==, "1");
  gtk_drop_down_set_selected (GTK_DROP_DOWN (method), ES_ADAPTIVE_JACOBI);
  g_assert_cmpstr (es_params_get_choice_id (fixture->params, "method"), ==, "jacobi");
  ES_TEST_WAIT (is_as_wanted, &wanted);
  g_assert_cmpuint (es_beam_history_get_n_rows (fixture->history), ==, n_rows);
  g_assert_cmpuint (es_beam_history_get_report (fixture->history)->sweeps, >, 0);
}

static gboolean
is_suggested (gpointer bar)
{
  return es_adaptive_bar_get_suggested (bar) > 0;
}

static void
test_suggested (Fixture *fixture, gconstpointer data)
{
  es_player_seek (fixture->player, 9);
  ES_TEST_WAIT (is_complete, fixture->history);
  ES_TEST_WAIT (is_suggested, fixture->bar);
  g_assert_cmpint (es_adaptive_bar_get_suggested (fixture->bar), ==, 2);
  es_adaptive_bar_take_suggested (fixture->bar);
  g_assert_cmpint (es_params_get_int (fixture->params, "sources"), ==, 2);
  ES_TEST_WAIT (has_music, fixture->history);
}

static gboolean
has_said (gpointer window)
{
  return es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "colour") != NULL;
}

/* By words, as the tutorial does. */
static void
test_set_live (Fixture *fixture, gconstpointer data)
{
  EsWindow *window = fixture->window;

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.set-live", "s",
                                             "snapshots=16 loading=0.3 sources=1"));
  g_assert_cmpint (es_params_get_int (fixture->params, "snapshots"), ==, 16);
  g_assert_cmpstr (es_params_get_text (fixture->params, "loading"), ==, "0.3");
  g_assert_cmpint (es_params_get_int (fixture->params, "sources"), ==, 1);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.set-live", "s", "loading= sources="));
  g_assert_cmpstr (es_params_get_text (fixture->params, "loading"), ==, "");
  g_assert_cmpint (es_params_get_int (fixture->params, "sources"), ==, 0);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.set-live", "s", "colour=red"));
  ES_TEST_WAIT (has_said, window);
}

/* ---- methods ---- */

static gboolean
has_measured (gpointer dialog)
{
  return !es_methods_dialog_is_running (dialog);
}

static void
test_compare_methods (Fixture *fixture, gconstpointer data)
{
  EsMethodsDialog *dialog;
  const EsAdaptiveRoute *routes;
  g_autofree char *text = NULL;
  gpointer weak;

  es_player_play (fixture->player);
  es_test_activate (fixture->window, "compare-methods");
  /* What plays would be measured along. */
  g_assert_false (es_player_is_playing (fixture->player));
  dialog = ES_METHODS_DIALOG (es_test_find_toplevel (ES_TYPE_METHODS_DIALOG));
  g_assert_nonnull (dialog);
  ES_TEST_WAIT (has_measured, dialog);
  routes = es_methods_dialog_get_routes (dialog);
  g_assert_nonnull (routes);
  for (guint i = 0; i + 1 < ES_N_ADAPTIVE_METHODS; i++)
    {
      g_assert_cmpint (routes[i].method, ==, ES_ADAPTIVE_CHOLESKY + (int) i);
      if (routes[i].refusal != NULL)
        continue;
      g_assert_cmpfloat (routes[i].total_ms, >, 0);
      g_assert_cmpfloat (routes[i].difference, <, 1e-5);
    }
  g_assert_null (routes[0].refusal);
  text = es_methods_dialog_to_text (dialog);
  g_assert_nonnull (strstr (text, "two.wav"));
  g_assert_nonnull (strstr (text, es_adaptive_method_get_name (ES_ADAPTIVE_CHOLESKY)));
  g_assert_nonnull (strstr (text, es_adaptive_method_get_name (ES_ADAPTIVE_EIGEN)));
  g_assert_nonnull (es_test_find (GTK_WIDGET (dialog), ES_TYPE_TABLE_VIEW, NULL));

  /* Closed in the middle of it. */
  es_methods_dialog_run (dialog);
  g_assert_true (es_methods_dialog_is_running (dialog));
  weak = dialog;
  g_object_add_weak_pointer (G_OBJECT (dialog), &weak);
  gtk_window_close (GTK_WINDOW (dialog));
  while (weak != NULL)
    g_main_context_iteration (NULL, TRUE);
}

/* ---- what is copied ---- */

static void
on_text (GObject *source, GAsyncResult *result, gpointer data)
{
  *(char **) data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

static void
test_copy_command (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  es_params_set_value (fixture->params, "snapshots", 12);
  es_params_set_text (fixture->params, "loading", "0.03");
  g_assert_true (es_test_enabled (fixture->window, "copy-command"));
  es_test_activate (fixture->window, "copy-command");
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (fixture->window)), NULL, on_text, &text);
  while (text == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (g_str_has_prefix (text, "eigenscope-batch run mvdr "));
  g_assert_nonnull (strstr (text, "two.wav"));
  g_assert_nonnull (strstr (text, "snapshots=12"));
  g_assert_nonnull (strstr (text, "loading='0.03'"));
}

/* ---- a run ---- */

static void
test_run (Fixture *fixture, gconstpointer data)
{
  EsSonarView *view = es_window_get_sonar_view (fixture->window);
  EsDataTree *tree = ES_DATA_TREE (es_test_find (GTK_WIDGET (fixture->window), ES_TYPE_DATA_TREE, NULL));
  EsResult *result;
  EsLayer *peaks, *detections;

  es_test_activate (fixture->window, "run");
  ES_TEST_WAIT (es_test_is_idle, fixture->window);
  result = es_sonar_view_get_result (view);
  g_assert_nonnull (result);
  g_assert_cmpstr (es_result_get_operation (result)->id, ==, "mvdr");
  /* Nothing of it is live. */
  g_assert_false (es_test_enabled (fixture->window, "live"));
  g_assert_null (es_test_find (GTK_WIDGET (fixture->window), ES_TYPE_ADAPTIVE_BAR, NULL));
  g_assert_nonnull (es_result_find_layer (result, "btr-mvdr"));
  g_assert_true (es_data_tree_select (tree, G_OBJECT (es_result_find_layer (result, "btr-mvdr"))));

  /* Tables are rows of the tree, too, and the one that is chosen is listed. */
  peaks = es_result_find_layer (result, "peaks");
  detections = es_result_find_layer (result, "detections");
  g_assert_nonnull (peaks);
  g_assert_nonnull (detections);
  g_assert_true (es_data_tree_select (tree, G_OBJECT (detections)));
  g_assert_nonnull (es_test_find (GTK_WIDGET (fixture->window), GTK_TYPE_LABEL, es_layer_get_title (detections)));
  g_assert_true (es_data_tree_select (tree, G_OBJECT (peaks)));

  /* Playing goes back to what is live. */
  es_test_activate (fixture->window, "sonar-play");
  g_assert_null (es_sonar_view_get_result (view));
  g_assert_true (es_test_enabled (fixture->window, "live"));
  g_assert_nonnull (es_test_find (GTK_WIDGET (fixture->window), ES_TYPE_ADAPTIVE_BAR, NULL));
  es_player_pause (fixture->player);
}

/* ---- scenes ---- */

static void
test_scenes (void)
{
  guint n;
  const EsSimulateScene *scenes = es_simulate_get_scenes (&n);
  EsSimulateDialog *dialog = ES_SIMULATE_DIALOG (es_simulate_dialog_new (NULL, NULL));
  GtkWidget *choice;
  g_autoptr (EsParams) none = es_simulate_scene ("nowhere");
  const EsSource tone = { .kind = ES_SOURCE_TONE, .bearing = 75, .range = INFINITY, .level = -3, .low = 100,
                          .harmonics = 1 };

  g_assert_cmpuint (n, >=, 2);
  g_assert_null (none);
  gtk_window_present (GTK_WINDOW (dialog));
  choice = es_test_find (GTK_WIDGET (dialog), GTK_TYPE_DROP_DOWN, NULL);
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (choice)), ==, 0);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (EsParams) params = es_simulate_scene (scenes[i].id);
      g_autoptr (EsParams) taken = NULL;

      gtk_drop_down_set_selected (GTK_DROP_DOWN (choice), i);
      taken = es_simulate_dialog_get_params (dialog);
      g_assert_true (es_params_equal (taken, params));
      g_assert_true (es_simulate_dialog_is_good (dialog));
    }
  g_assert_true (es_simulate_dialog_choose_scene (dialog, "two-sources"));
  g_assert_false (es_simulate_dialog_choose_scene (dialog, "nowhere"));
  g_assert_cmpuint (es_simulate_dialog_get_n_sources (dialog), ==, 2);
  /* A scene of one's own is none of these. */
  es_simulate_dialog_add_source (dialog, &tone);
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (choice)), ==, GTK_INVALID_LIST_POSITION);
  es_simulate_dialog_remove_source (dialog, 2);
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (choice)), ==, 1);
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* ---- bars of rows ---- */

static guint
count_dark (const EsStepBarsRows *rows, EsStepBarsStyle style)
{
  const int width = 500, height = es_step_bars_get_rows_height (rows, style);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (surface);
  const int stride = cairo_image_surface_get_stride (surface);
  const unsigned char *pixels;
  guint dark = 0;

  es_step_bars_draw_rows (rows, style, cr, width, height, &es_plot_colors_print);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  pixels = cairo_image_surface_get_data (surface);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      dark += pixels[y * stride + 4 * x] < 200;
  cairo_surface_destroy (surface);
  return dark;
}

static void
test_bars (void)
{
  const char *titles[] = { "One", "Two" }, *steps[] = { "First", "Second" }, *notes[] = { NULL, "not used here" };
  const double ms[] = { 10, 20, NAN, NAN }, totals[] = { 30, NAN }, both[] = { 10, 20, 10, 20 };
  const double full[] = { 30, 30 };
  const EsStepBarsRows half = { 2, 2, titles, steps, ms, totals, notes };
  const EsStepBarsRows all = { 2, 2, titles, steps, both, full, NULL };

  for (EsStepBarsStyle style = ES_STEP_BARS_STACKED; style <= ES_STEP_BARS_GROUPED; style++)
    {
      g_assert_cmpuint (count_dark (&half, style), >, 500);
      g_assert_cmpuint (count_dark (&all, style), >, count_dark (&half, style));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  es_test_application ();
#define ADD(path, adaptive, function) \
  g_test_add ("/adaptive-window/" path, Fixture, adaptive, set_up, function, tear_down)
  g_test_add_func ("/adaptive-window/slider", test_slider);
  g_test_add_func ("/adaptive-window/words", test_words);
  g_test_add_func ("/adaptive-window/scenes", test_scenes);
  g_test_add_func ("/adaptive-window/bars", test_bars);
  ADD ("switch", NULL, test_switch);
  ADD ("remembered", "mvdr", test_remembered);
  ADD ("two-sources", "mvdr", test_two_sources);
  ADD ("sliders", "mvdr", test_sliders);
  ADD ("cheap-changes", "mvdr", test_cheap_changes);
  ADD ("suggested", "mvdr", test_suggested);
  ADD ("set-live", "mvdr", test_set_live);
  ADD ("compare-methods", "mvdr", test_compare_methods);
  ADD ("copy-command", "mvdr", test_copy_command);
  ADD ("run", "mvdr", test_run);
  return g_test_run ();
}
