/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Adaptive beams in the window: the switch and the bar. */

#include <math.h>
#include <string.h>

#include "sonar/adaptive/es-adaptive-bar.h"
#include "analyse/es-analyse-panel.h"
#include "widgets/es-settings.h"
#include "es-test-shell.h"
#include "es-test-adaptive-shell.h"

/* ---- a recording ---- */

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

/* ---- the switch ---- */

static void
test_switch (EsTestAdaptiveFixture *fixture, gconstpointer data)
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
  ES_TEST_WAIT (es_test_adaptive_has_adaptive, fixture->history);
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
  ES_TEST_WAIT (es_test_adaptive_has_adaptive, fixture->history);
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
test_remembered (EsTestAdaptiveFixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = es_test_adaptive_recording ();
  EsWindow *window;
  EsBeamHistory *history;

  es_params_set_value (fixture->params, "sound-speed", 1490);
  ES_TEST_WAIT (is_stored, NULL);
  window = es_test_window_with (NULL);
  es_window_open (window, &file, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_cmpstr (live_of (window), ==, "mvdr");
  history = es_player_get_history (es_test_player (window));
  ES_TEST_WAIT (es_test_adaptive_has_adaptive, history);
  g_assert_cmpfloat (es_beam_history_get_settings (history)->sound_speed, ==, 1490);
  es_test_close (window);
}

static gboolean
is_complete (gpointer history)
{
  return es_test_adaptive_has_adaptive (history)
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
test_two_sources (EsTestAdaptiveFixture *fixture, gconstpointer data)
{
  const EsBeamSettings *settings;
  double bearings[8];
  guint now;

  es_params_set_text (fixture->params, "angles", "60:120:0.25");
  es_player_seek (fixture->player, 9);
  ES_TEST_WAIT (has_fine_angles, fixture->history);
  settings = es_beam_history_get_settings (fixture->history);
  g_assert_true (es_beam_history_get_now (fixture->history, &now));
  g_assert_cmpuint (count_peaks (es_beam_history_get_row_of (fixture->history, ES_BEAM_CBF, now), settings, 75, 105,
                                 bearings, 8), ==, 1);
  g_assert_cmpfloat_with_epsilon (bearings[0], 90, 1.5);
  g_assert_cmpuint (count_peaks (es_beam_history_get_row_of (fixture->history, ES_BEAM_MVDR, now), settings, 75, 105,
                                 bearings, 8), ==, 2);
  g_assert_cmpfloat_with_epsilon (bearings[0], 86, 0.6);
  g_assert_cmpfloat_with_epsilon (bearings[1], 94, 0.6);
}

/* ---- the bar ---- */

static gboolean
has_one_snapshot (gpointer history)
{
  return es_test_adaptive_has_adaptive (history) && es_beam_history_get_used (history) == 1;
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
test_sliders (EsTestAdaptiveFixture *fixture, gconstpointer data)
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
test_cheap_changes (EsTestAdaptiveFixture *fixture, gconstpointer data)
{
  GtkWidget *more = es_test_find (GTK_WIDGET (fixture->bar), GTK_TYPE_MENU_BUTTON, NULL);
  GtkWidget *popover = GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (more)));
  GtkWidget *method = es_test_find (gtk_popover_get_child (GTK_POPOVER (popover)), GTK_TYPE_DROP_DOWN, NULL);
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
test_suggested (EsTestAdaptiveFixture *fixture, gconstpointer data)
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
test_set_live (EsTestAdaptiveFixture *fixture, gconstpointer data)
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  es_test_application ();
  ES_TEST_ADD_ADAPTIVE ("switch", NULL, test_switch);
  ES_TEST_ADD_ADAPTIVE ("remembered", "mvdr", test_remembered);
  ES_TEST_ADD_ADAPTIVE ("two-sources", "mvdr", test_two_sources);
  ES_TEST_ADD_ADAPTIVE ("sliders", "mvdr", test_sliders);
  ES_TEST_ADD_ADAPTIVE ("cheap-changes", "mvdr", test_cheap_changes);
  ES_TEST_ADD_ADAPTIVE ("suggested", "mvdr", test_suggested);
  ES_TEST_ADD_ADAPTIVE ("set-live", "mvdr", test_set_live);
  return g_test_run ();
}
