/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Thresholds act at once on what is shown, and a result shows what it was made with and looks as live displays do. */

#include <math.h>

#include "analyse/es-analyse-panel.h"
#include "charts/es-map-view-private.h"
#include "charts/es-table-view.h"
#include "sonar/es-sonar-view-private.h"
#include "widgets/es-section.h"
#include "widgets/es-settings.h"
#include "window/es-data-tree.h"
#include "es-test-sonar-shell.h"

static EsMapView *
map_of (EsWindow *window, const char *id)
{
  EsPaneFrame *frame = _es_sonar_view_find_frame (es_test_sonar_view (window), id);

  return ES_MAP_VIEW (es_test_find (GTK_WIDGET (es_pane_frame_get_pane (frame)), ES_TYPE_MAP_VIEW, NULL));
}

static EsAnalysePanel *
panel_of (EsWindow *window)
{
  return ES_ANALYSE_PANEL (es_test_find (GTK_WIDGET (window), ES_TYPE_ANALYSE_PANEL, NULL));
}

static void
frames (EsWindow *window, guint n)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  const gint64 last = gdk_frame_clock_get_frame_counter (clock) + n;

  while (gdk_frame_clock_get_frame_counter (clock) < last)
    {
      gtk_widget_queue_draw (GTK_WIDGET (window));
      g_main_context_iteration (NULL, TRUE);
    }
}

static gboolean
is_complete (gpointer player)
{
  EsBeamHistory *history = es_player_get_history (player);
  const guint n = es_beam_history_get_n_rows (history);

  return n > 0 && es_beam_history_get_n_current (history) == n;
}

static EsWindow *
open_complete (void)
{
  g_autoptr (GFile) file = es_test_recording ("line.wav", 12);
  EsWindow *window = es_test_window_of (&file, 1);

  ES_TEST_WAIT (is_complete, es_test_player (window));
  frames (window, 5);
  return window;
}

static gboolean
shows_result (gpointer window)
{
  return es_sonar_view_get_result (es_test_sonar_view (window)) != NULL && es_test_is_idle (window);
}

static void
run (EsWindow *window)
{
  es_test_activate (window, "run");
  ES_TEST_WAIT (shows_result, window);
  frames (window, 5);
}

/* Fewer, then more: triangles of the record, and points of tracks. */
static void
check_thresholds (EsWindow *window)
{
  EsParams *params = es_analyse_panel_get_params (panel_of (window));
  EsMapView *map = map_of (window, "btr");
  EsBeamHistory *history = es_sonar_view_get_history (es_test_sonar_view (window));
  guint serial, n_few, n_many;

  es_params_set_value (params, "peaks", 1);
  frames (window, 3);
  g_assert_cmpuint (map->n_peaks, ==, 1);
  n_few = es_beam_history_get_tracks (history)->len;
  serial = es_beam_history_get_tracks_serial (history);
  es_params_set_value (params, "peaks", 6);
  es_params_set_value (params, "peak-range", 60);
  frames (window, 3);
  g_assert_cmpuint (map->n_peaks, >=, 4);
  g_assert_cmpuint (es_beam_history_get_tracks_serial (history), !=, serial);
  n_many = es_beam_history_get_tracks (history)->len;
  g_assert_cmpuint (n_many, >, n_few);
  es_params_set_value (params, "peak-distance", 180);
  frames (window, 3);
  g_assert_cmpuint (map->n_peaks, ==, 1);
  es_params_reset (params);
  frames (window, 3);
}

static void
test_live (void)
{
  EsWindow *window = open_complete ();
  EsPlayer *player = es_test_player (window);
  const guint fill = es_beam_history_get_n_current (es_player_get_history (player));

  check_thresholds (window);
  /* Nothing was formed again. */
  g_assert_cmpuint (es_beam_history_get_n_current (es_player_get_history (player)), ==, fill);
  es_test_close (window);
}

static void
test_result (void)
{
  EsWindow *window = open_complete ();
  EsBeamHistory *history;
  guint own, points = 0, again = 0;

  run (window);
  history = es_sonar_view_get_history (es_test_sonar_view (window));
  own = es_beam_history_get_tracks (history)->len;
  for (guint i = 0; i < own; i++)
    points += ((EsTrack *) g_ptr_array_index (es_beam_history_get_tracks (history), i))->points->len;
  g_assert_cmpuint (points, >, 0);
  check_thresholds (window);
  /* With those it was made with, its own tracks are back. */
  g_assert_cmpuint (es_beam_history_get_tracks (history)->len, ==, own);
  for (guint i = 0; i < own; i++)
    again += ((EsTrack *) g_ptr_array_index (es_beam_history_get_tracks (history), i))->points->len;
  g_assert_cmpuint (again, ==, points);
  es_test_close (window);
}

/* ---- the peaks of a moment ---- */

static EsTableView *
list_of (EsWindow *window)
{
  GtkWidget *heading = es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "List");

  return ES_TABLE_VIEW (es_test_find (gtk_widget_get_ancestor (heading, ES_TYPE_SECTION), ES_TYPE_TABLE_VIEW, NULL));
}

/* The list has the arrivals of a row, and says when that was. */
static void
check_listed (EsWindow *window, guint row)
{
  EsSonarView *view = es_test_sonar_view (window);
  EsBeamHistory *history = es_sonar_view_get_history (view);
  g_autofree char *text = es_table_view_to_text (list_of (window)), *words = NULL, *time = NULL;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  EsBeamPeak peaks[64];
  const guint n = es_beam_history_list_arrivals (history, ES_BEAM_CBF, row, G_N_ELEMENTS (peaks), peaks);

  time = es_sonar_display_format_time (view->display, es_beam_history_get_time (history, row), 0.1);
  words = g_strconcat ("At ", time, NULL);
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, words));
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (es_table_view_get_n_rows (list_of (window)), ==, n);
  for (guint i = 0; i < n; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i + 1], "\t", -1);

      g_assert_cmpfloat_with_epsilon (g_ascii_strtod (cells[0], NULL), peaks[i].bearing, 0.0051);
      g_assert_cmpstr (cells[1], ==, "inf");
      g_assert_cmpfloat_with_epsilon (g_ascii_strtod (cells[2], NULL), peaks[i].level, 0.0051);
    }
}

/* Where nobody points at a moment of a result all that is shown of a row is the mean that the result kept. */
static void
check_mean (EsWindow *window)
{
  EsSonarView *view = es_test_sonar_view (window);
  EsResult *result = es_sonar_view_get_result (view);
  EsCurve *energy = ES_CURVE (es_result_find_layer (result, "band-energy"));
  EsTable *table = ES_TABLE (es_result_find_layer (result, "peaks"));
  const double *levels = es_curve_get_series (energy, 0)->y;
  const float *powers = es_sonar_cursor_get_powers (view->cursor, ES_BEAM_CBF);
  EsBeamPeak peaks[8];
  const guint n = es_beam_history_list_arrivals (es_sonar_view_get_history (view), ES_BEAM_CBF, G_MAXUINT,
                                                 G_N_ELEMENTS (peaks), peaks);
  g_autofree char *status = NULL;

  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "Mean over its time"));
  g_assert_nonnull (powers);
  for (guint i = 0; i < es_curve_get_length (energy); i++)
    g_assert_cmpfloat_with_epsilon (10 * log10 (powers[i]), levels[i], 1e-4);
  g_assert_cmpuint (n, ==, es_table_get_n_rows (table));
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpfloat_with_epsilon (peaks[i].bearing, es_table_get_value (table, i, 0), 0.02);
      g_assert_cmpfloat_with_epsilon (peaks[i].level, es_table_get_value (table, i, 2), 0.02);
    }
  g_object_get (view, "status", &status, NULL);
  g_assert_true (g_str_has_prefix (status, "Mean over its time"));
  /* No line across the record. */
  g_assert_true (isnan (map_of (window, "btr")->cursor_row));
}

static void
test_moment (void)
{
  EsWindow *window = open_complete ();
  EsSonarView *view = es_test_sonar_view (window);
  g_autofree char *mean = NULL, *again = NULL;
  EsParams *params;

  run (window);
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "Mean of 00:00:00 to 00:00:12"));
  /* So are the azimuth, its peaks and the read-out. */
  check_mean (window);
  mean = es_table_view_to_text (list_of (window));
  es_sonar_cursor_set_row (view->cursor, 3);
  check_listed (window, 3);
  es_sonar_cursor_step (view->cursor, 0, -2);
  check_listed (window, 5);
  /* By the thresholds of the panel, as the displays. */
  params = es_analyse_panel_get_params (panel_of (window));
  es_params_set_value (params, "peaks", 1);
  frames (window, 3);
  g_assert_cmpuint (es_table_view_get_n_rows (list_of (window)), ==, 1);
  check_listed (window, 5);
  es_params_reset (params);
  frames (window, 3);

  g_signal_emit_by_name (es_test_find (gtk_widget_get_prev_sibling (GTK_WIDGET (list_of (window))), GTK_TYPE_BUTTON,
                                       NULL), "clicked");
  g_assert_true (isnan (es_sonar_cursor_get_time (view->cursor)));
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "Mean of 00:00:00 to 00:00:12"));
  again = es_table_view_to_text (list_of (window));
  g_assert_cmpstr (again, ==, mean);
  es_test_close (window);
}

/* The time of the cursor; the row is the one of it. */
static double
time_of (EsWindow *window)
{
  return es_sonar_cursor_get_time (es_test_sonar_view (window)->cursor);
}

static gboolean
is_at_4 (gpointer data)
{
  guint64 row;

  return es_sonar_cursor_get_row (ES_SONAR_VIEW (data)->cursor, &row) && row == 4;
}

/* What was chosen stays chosen: in a result, in the recording and in another result, however long the rows. */
static void
test_kept (void)
{
  EsWindow *window = open_complete ();
  EsSonarView *view = es_test_sonar_view (window);
  EsParams *own = es_analyse_panel_get_params (panel_of (window));
  g_autoptr (EsResult) first = NULL;
  EsPlayer *player = es_test_player (window);
  guint64 row;

  /* What was moved to, and heard, stays where it was looked at; back at the recording it goes on with what is heard. */
  es_player_seek (player, 4);
  ES_TEST_WAIT (is_at_4, view);
  g_assert_true (isnan (time_of (window)));
  run (window);
  g_assert_cmpfloat (time_of (window), ==, 4.5);
  g_assert_true (es_data_tree_select (es_test_tree (window), G_OBJECT (es_test_first_dataset (window))));
  frames (window, 3);
  g_assert_true (isnan (time_of (window)));

  es_sonar_cursor_set_row (view->cursor, 3);
  g_assert_cmpfloat (time_of (window), ==, 3.5);
  run (window);
  first = g_object_ref (es_sonar_view_get_result (view));
  g_assert_cmpfloat (time_of (window), ==, 3.5);
  check_listed (window, 3);

  /* The way back, with one that was chosen in the result. */
  es_sonar_cursor_set_row (view->cursor, 5);
  g_assert_true (es_data_tree_select (es_test_tree (window), G_OBJECT (es_test_first_dataset (window))));
  frames (window, 3);
  g_assert_null (es_sonar_view_get_result (view));
  g_assert_cmpfloat (time_of (window), ==, 5.5);
  g_assert_true (es_sonar_cursor_get_row (view->cursor, &row));
  g_assert_cmpuint (row, ==, 5);

  /* Other rows have other middles, and lose nothing of it. */
  es_params_set_text (own, "block", "4s");
  es_test_activate (window, "run");
  ES_TEST_WAIT (shows_result, window);
  frames (window, 3);
  g_assert_cmpfloat (time_of (window), ==, 6);
  g_assert_true (es_data_tree_select (es_test_tree (window), G_OBJECT (first)));
  frames (window, 3);
  g_assert_cmpfloat (time_of (window), ==, 5.5);
  check_listed (window, 5);

  /* Lines have no rows of that kind; it is not forgotten for that. */
  es_params_reset (own);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.run-operation", "s", "lofar"));
  es_test_wait_idle (window);
  frames (window, 3);
  g_assert_cmpstr (es_result_get_operation (es_sonar_view_get_result (view))->id, ==, "lofar");
  g_assert_true (isnan (time_of (window)));
  es_data_tree_select (es_test_tree (window), G_OBJECT (first));
  frames (window, 3);
  g_assert_cmpfloat (time_of (window), ==, 5.5);

  /* Played, it is where playing begins, and what is heard is what is looked at. */
  es_test_activate (window, "sonar-play");
  g_assert_true (es_player_is_playing (player));
  /* What is heard begins with its block, which on a busy machine is still one of 4 s. */
  g_assert_cmpfloat (es_player_get_position (player), >=, 4);
  g_assert_null (es_sonar_view_get_result (view));
  g_assert_true (isnan (time_of (window)));
  es_player_pause (player);
  g_settings_reset (es_settings_get (), "recording-operation");
  es_test_close (window);
}

/* ---- what a result was made with ---- */

static gboolean
panel_shows_result (gpointer panel)
{
  return es_analyse_panel_shows_result (panel);
}

static void
test_made (void)
{
  EsWindow *window = open_complete ();
  EsAnalysePanel *panel = panel_of (window);
  EsParams *own = es_analyse_panel_get_params (panel);
  g_autoptr (EsResult) result = NULL;
  GtkWidget *heading;

  /* What is changed while it runs stays under the hands of who changes it. */
  es_params_set_text (own, "block", "250ms");
  es_test_activate (window, "run");
  es_params_set_text (own, "block", "500ms");
  ES_TEST_WAIT (shows_result, window);
  g_assert_false (es_analyse_panel_shows_result (panel));
  g_assert_cmpstr (es_params_get_text (es_analyse_panel_get_params (panel), "block"), ==, "500ms");
  run (window);
  result = g_object_ref (es_sonar_view_get_result (es_test_sonar_view (window)));
  /* They are one's own: nothing to be told. */
  g_assert_false (es_analyse_panel_shows_result (panel));
  g_assert_null (es_test_find (GTK_WIDGET (panel), GTK_TYPE_LABEL, "Result Parameters"));
  /* From now on they are others. */
  es_params_set_text (own, "block", "1s");
  g_assert_false (es_analyse_panel_shows_result (panel));
  g_assert_true (es_data_tree_select (es_test_tree (window), G_OBJECT (es_test_first_dataset (window))));
  frames (window, 3);
  g_assert_null (es_sonar_view_get_result (es_test_sonar_view (window)));
  g_assert_true (es_data_tree_select (es_test_tree (window), G_OBJECT (result)));
  ES_TEST_WAIT (panel_shows_result, panel);
  /* Whoever comes back to it stays with it, though what was changed before reaches the player only now. */
  for (const gint64 end = g_get_monotonic_time () + 400000; g_get_monotonic_time () < end; g_usleep (1000))
    g_main_context_iteration (NULL, FALSE);
  g_assert_true (es_analyse_panel_shows_result (panel));
  heading = es_test_find (GTK_WIDGET (panel), GTK_TYPE_LABEL, "Result Parameters");
  g_assert_nonnull (heading);
  g_assert_cmpstr (es_params_get_text (es_analyse_panel_get_params (panel), "block"), ==, "500ms");
  g_assert_cmpstr (es_params_get_text (own, "block"), ==, "1s");
  check_thresholds (window);
  /* The way back, by its button. */
  g_signal_emit_by_name (gtk_widget_get_ancestor (es_test_find (GTK_WIDGET (panel), GTK_TYPE_LABEL, "My Own"),
                                                  GTK_TYPE_BUTTON), "clicked");
  frames (window, 3);
  g_assert_false (es_analyse_panel_shows_result (panel));
  g_assert_true (es_analyse_panel_get_params (panel) == own);
  g_assert_cmpstr (es_params_get_text (own, "block"), ==, "1s");
  /* What is run from a result becomes one's own. */
  es_data_tree_select (es_test_tree (window), G_OBJECT (es_test_first_dataset (window)));
  es_data_tree_select (es_test_tree (window), G_OBJECT (result));
  g_assert_true (es_analyse_panel_shows_result (panel));
  es_params_set_value (es_analyse_panel_get_params (panel), "peaks", 3);
  run (window);
  g_assert_false (es_analyse_panel_shows_result (panel));
  g_assert_cmpstr (es_params_get_text (own, "block"), ==, "500ms");
  g_assert_cmpint (es_params_get_int (own, "peaks"), ==, 3);
  es_params_reset (own);
  es_test_close (window);
}

static gboolean
is_live (gpointer window)
{
  return es_sonar_view_get_result (es_test_sonar_view (window)) == NULL;
}

static gboolean
shows_newer_result (gpointer data)
{
  EsWindow *window = data;

  return shows_result (window)
         && es_sonar_view_get_result (es_test_sonar_view (window)) != g_object_get_data (data, "es-older");
}

/* Who asks for a result right after a change stays with it: what was changed is in it. */
static void
test_asked (void)
{
  EsWindow *window = open_complete ();
  EsParams *own = es_analyse_panel_get_params (panel_of (window));

  run (window);
  g_object_set_data_full (G_OBJECT (window), "es-older", g_object_ref (es_sonar_view_get_result (
                            es_test_sonar_view (window))), g_object_unref);
  es_params_set_text (own, "block", "500ms");
  es_test_activate (window, "run");
  ES_TEST_WAIT (shows_newer_result, window);
  frames (window, 60);
  g_assert_true (shows_newer_result (window));
  es_params_reset (own);
  es_test_close (window);
}

/* What is asked for while a result is shown is seen in the recording, at once; thresholds stay with the result. */
static void
test_leaves (void)
{
  EsWindow *window = open_complete ();
  EsParams *own = es_analyse_panel_get_params (panel_of (window));

  run (window);
  g_assert_true (shows_result (window));
  es_params_set_value (own, "peaks", 3);
  frames (window, 60);
  g_assert_true (shows_result (window));
  es_params_set_text (own, "block", "500ms");
  ES_TEST_WAIT (is_live, window);
  es_params_reset (own);
  es_test_close (window);
}

/* ---- a result looks as live displays do ---- */

static void
check_look (EsWindow *window)
{
  EsSonarView *view = es_test_sonar_view (window);
  EsMapView *btr = map_of (window, "btr"), *lofar = map_of (window, "lofar");
  const guint row = es_heatmap_get_end (es_map_view_get_map (btr)) - 1;
  const float before = es_heatmap_get_value (es_map_view_get_map (btr), 5, row);
  double low, high, low_now, high_now;

  es_sonar_look_set_normaliser (view->look, ES_NORMALISER_SPLIT_WINDOW);
  frames (window, 10);
  g_assert_cmpfloat (ABS (es_heatmap_get_value (es_map_view_get_map (btr), 5, row) - before), >, 1);
  es_sonar_look_set_normaliser (view->look, ES_NORMALISER_NONE);
  frames (window, 10);
  g_assert_cmpfloat_with_epsilon (es_heatmap_get_value (es_map_view_get_map (btr), 5, row), before, 1e-3);

  es_sonar_cursor_set_frequency (view->cursor, 40);
  es_sonar_look_set_harmonics (view->look, TRUE);
  frames (window, 5);
  g_assert_cmpuint (lofar->n_lines, >=, 2);
  es_sonar_look_set_harmonics (view->look, FALSE);
  frames (window, 5);
  g_assert_cmpuint (lofar->n_lines, ==, 0);

  /* Held levels stay, whatever else of the look changes; the levels of others are found anew. */
  es_heatmap_get_range (es_map_view_get_map (btr), &low, &high);
  es_sonar_look_set_auto_top (view->look, FALSE);
  es_sonar_look_set_colormap (view->look, ES_COLORMAP_MAGMA);
  frames (window, 10);
  es_heatmap_get_range (es_map_view_get_map (btr), &low_now, &high_now);
  g_assert_cmpfloat (low_now, ==, low);
  g_assert_cmpfloat (high_now, ==, high);
  g_assert_cmpint (es_heatmap_get_colormap (es_map_view_get_map (btr)), ==, ES_COLORMAP_MAGMA);
  es_sonar_look_set_colormap (view->look, ES_COLORMAP_VIRIDIS);
  es_sonar_look_set_auto_top (view->look, TRUE);
  es_sonar_look_set_range (view->look, 12);
  frames (window, 10);
  es_heatmap_get_range (es_map_view_get_map (btr), &low_now, &high_now);
  g_assert_cmpfloat_with_epsilon (high_now - low_now, 12, 1e-6);
  es_sonar_look_set_range (view->look, 30);
  frames (window, 10);
}

static void
test_look (void)
{
  EsWindow *window = open_complete ();

  check_look (window);
  run (window);
  check_look (window);
  es_test_close (window);
}

static gboolean
has_19_angles (gpointer player)
{
  const EsBeamSettings *settings = es_beam_history_get_settings (es_player_get_history (player));

  return settings != NULL && settings->n_angles == 19 && is_complete (player);
}

static gboolean
has_many_angles (gpointer player)
{
  const EsBeamSettings *settings = es_beam_history_get_settings (es_player_get_history (player));

  return settings != NULL && settings->n_angles > 19 && is_complete (player);
}

/* A level is of the bearing beside it, whatever beams there are; what was pointed at is not forgotten by that. */
static void
test_other_angles (void)
{
  EsWindow *window = open_complete ();
  EsSonarView *view = es_test_sonar_view (window);
  EsParams *params = es_analyse_panel_get_params (panel_of (window));
  g_autofree char *status = NULL, *expected = NULL;

  es_sonar_cursor_point_now (view->cursor, 84);
  const double before = es_sonar_cursor_get_bearing (view->cursor);
  g_assert_cmpfloat_with_epsilon (before, 84, 3.5);
  es_params_set_text (params, "angles", "0:180:10");
  ES_TEST_WAIT (has_19_angles, es_test_player (window));
  frames (window, 5);
  g_assert_cmpfloat (es_sonar_cursor_get_bearing (view->cursor), ==, 80);
  g_object_get (view, "status", &status, NULL);
  const float *powers = es_sonar_cursor_get_powers (view->cursor, ES_BEAM_CBF);
  g_autofree char *level = es_sonar_format_level (10 * log10 (powers[8]));
  expected = g_strdup_printf ("80.0° (mirror 280.0°)   %s", level);
  g_assert_nonnull (strstr (status, expected));
  es_params_reset (params);
  ES_TEST_WAIT (has_many_angles, es_test_player (window));
  frames (window, 5);
  g_assert_cmpfloat (es_sonar_cursor_get_bearing (view->cursor), ==, before);
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/sonar-thresholds/live", test_live);
  g_test_add_func ("/sonar-thresholds/result", test_result);
  g_test_add_func ("/sonar-thresholds/moment", test_moment);
  g_test_add_func ("/sonar-thresholds/kept", test_kept);
  g_test_add_func ("/sonar-thresholds/made", test_made);
  g_test_add_func ("/sonar-thresholds/leaves", test_leaves);
  g_test_add_func ("/sonar-thresholds/asked", test_asked);
  g_test_add_func ("/sonar-thresholds/look", test_look);
  g_test_add_func ("/sonar-thresholds/other-angles", test_other_angles);
  return g_test_run ();
}
