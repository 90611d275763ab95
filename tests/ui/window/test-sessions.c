/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Nothing of a session is lost: by closing a window, by kill -9 in the middle of it, or where the disk is full. */

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "analyse/es-analyse-panel.h"
#include "es-test-child.h"
#include "es-test-kept.h"
#include "array/es-array.h"
#include "keeping/es-result-cache.h"
#include "keeping/es-session-file.h"
#include "keeping/es-session-keeper.h"
#include "keeping/es-session-store.h"
#include "player/es-player.h"
#include "recording/es-recording.h"
#include "result/es-operation.h"
#include "simulate/es-simulate-recording.h"
#include "viewer/es-viewer-private.h"
#include "widgets/es-export.h"
#include "widgets/es-settings.h"

/* ---- a session ---- */

static EsAnalysePanel *
panel_of (EsWindow *window)
{
  return ES_ANALYSE_PANEL (es_test_find (GTK_WIDGET (window), ES_TYPE_ANALYSE_PANEL, NULL));
}

static EsResult *
run (EsWindow *window, const char *operation, const char *key, const char *value)
{
  g_assert_true (es_analyse_panel_set_operation (panel_of (window), operation));
  if (key != NULL)
    g_assert_true (es_params_parse (es_analyse_panel_get_params (panel_of (window)), key, value, NULL));
  return es_test_run_and_wait (window);
}

static GListModel *
results_of (EsWindow *window)
{
  GListModel *datasets = es_session_get_datasets (es_window_get_session (window));
  g_autoptr (EsDataset) dataset = g_list_model_get_item (datasets, 0);

  g_assert_nonnull (dataset);
  return es_session_get_results (es_window_get_session (window), dataset);
}

static EsResult *
result_at (EsWindow *window, guint i)
{
  g_autoptr (EsResult) result = g_list_model_get_item (results_of (window), i);

  g_assert_nonnull (result);
  return result;
}

/* Two PCA results and an MNF; a class; three components as colours, stretched; a pixel, a place, a second picture. */
static void
work (EsWindow *window)
{
  EsViewer *viewer = es_test_viewer (window);
  const guint planes[] = { 1, 0, 2 };
  g_autoptr (EsRegion) region = es_region_parse ("polygon 3,4 20.5,4 12,19", NULL);

  run (window, "pca", "threshold", "0.9");
  es_result_set_name (run (window, "pca", "threshold", "0.9999"), "All of it");
  run (window, "mnf", NULL, NULL);
  g_autoptr (EsRegion) unnamed = es_region_parse ("rectangle 1 2 5 6", NULL);
  EsRegionControl *control = es_inspector_get_control (viewer->inspector);

  /* As a drag on the picture does; one becomes a class, the other is still selected. */
  g_signal_emit_by_name (viewer->left.view, "region-drawn", region);
  es_named_region_set_colour (es_region_control_keep (control, "Lake"), 0x1c71d8);
  g_signal_emit_by_name (viewer->left.view, "region-drawn", unnamed);
  es_viewer_select_pixel (viewer, 7, 9);
  es_shown_set (es_workspace_get_shown (es_window_get_workspace (window, ES_TYPE_CUBE_WORKSPACE)),
                es_viewer_get_dataset (viewer), result_at (window, 1), NULL);
  ES_TEST_WAIT (es_test_is_idle, window);
  es_display_show_rgb (viewer->left.display, planes);
  es_display_set_stretch (viewer->left.display, 1, -3.5, 4.25);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_true (es_viewer_show_beside (viewer, G_OBJECT (es_viewer_get_dataset (viewer)), G_MAXUINT));
  g_object_set (viewer, "compare-mode", "swipe", NULL);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_true (es_image_view_set_place (viewer->left.view, 20, 11, 13));
  ES_TEST_WAIT (es_test_is_kept, window);
}

static void
check_look (EsViewer *viewer)
{
  guint planes[3], x = 0, y = 0;
  double low = 0, high = 0, center_x = 0, center_y = 0;
  g_autofree char *mode = NULL;

  g_assert_cmpuint (es_display_get_planes (viewer->left.display, planes), ==, 3);
  g_assert_cmpuint (planes[0], ==, 1);
  g_assert_cmpuint (planes[1], ==, 0);
  g_assert_cmpuint (planes[2], ==, 2);
  g_assert_true (es_display_get_stretch (viewer->left.display, 1, &low, &high));
  g_assert_cmpfloat (low, ==, -3.5);
  g_assert_cmpfloat (high, ==, 4.25);
  g_assert_true (es_image_view_get_selected (viewer->left.view, &x, &y));
  g_assert_cmpuint (x, ==, 7);
  g_assert_cmpuint (y, ==, 9);
  g_assert_false (es_image_view_get_fit (viewer->left.view));
  g_assert_true (es_image_view_get_place (viewer->left.view, &center_x, &center_y));
  g_assert_cmpfloat (es_image_view_get_zoom (viewer->left.view), ==, 20);
  g_assert_cmpfloat (center_x, ==, 11);
  g_assert_cmpfloat (center_y, ==, 13);
  EsRegion *selection = es_region_control_get_selection (es_inspector_get_control (viewer->inspector));
  g_assert_nonnull (selection);
  g_autofree char *selected = es_region_format (selection);
  g_assert_cmpstr (selected, ==, "rectangle 1 2 5 6");
  g_object_get (viewer, "compare-mode", &mode, NULL);
  g_assert_cmpstr (mode, ==, "swipe");
  g_assert_true (es_viewer_get_beside (viewer) == (GObject *) es_viewer_get_dataset (viewer));
}

/* absent: how many results were not kept. */
static void
check_work (EsWindow *window, guint absent)
{
  EsViewer *viewer = es_test_viewer (window);
  guint n_absent = 0;

  ES_TEST_WAIT (es_test_is_restored, window);
  g_assert_cmpuint (g_list_model_get_n_items (results_of (window)), ==, 3);
  for (guint i = 0; i < 3; i++)
    n_absent += es_result_is_absent (result_at (window, i));
  g_assert_cmpuint (n_absent, ==, absent);
  g_assert_cmpfloat (es_params_get_float (es_result_get_params (result_at (window, 0)), "threshold"), ==, 0.9);
  g_assert_cmpfloat (es_params_get_float (es_result_get_params (result_at (window, 1)), "threshold"), ==, 0.9999);
  g_assert_cmpstr (es_result_get_title (result_at (window, 1)), ==, "All of it");
  g_assert_true (es_viewer_get_result (viewer) == result_at (window, 1));

  EsRegionSet *set = es_dataset_get_regions (es_viewer_get_dataset (viewer));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (set)), ==, 1);
  g_autoptr (EsNamedRegion) lake = g_list_model_get_item (G_LIST_MODEL (set), 0);
  g_autofree char *text = es_region_format (es_named_region_get_region (lake));
  g_assert_cmpstr (es_named_region_get_name (lake), ==, "Lake");
  g_assert_cmpuint (es_named_region_get_colour (lake), ==, 0x1c71d8);
  g_assert_cmpstr (text, ==, "polygon 3,4 20.5,4 12,19");
  if (absent == 0)
    check_look (viewer);
}

/* Classes are kept of their own, for the content of a cube. */
static void
forget_classes (EsWindow *window)
{
  es_region_set_clear (es_dataset_get_regions (es_viewer_get_dataset (es_test_viewer (window))));
}

/* ---- tests ---- */

static void
test_closed (void)
{
  EsWindow *window = es_test_kept_window (TRUE);
  g_autofree char *uri = NULL;

  es_test_kept_open (window, es_test_cube ("closed.img", 3));
  work (window);
  g_test_message ("told in %" G_GINT64_FORMAT " µs", es_session_keeper_get_told_us (es_window_get_keeper (window)));
  g_assert_cmpint (es_session_keeper_get_told_us (es_window_get_keeper (window)), <, 20000);
  es_test_kept_close (window);
  g_assert_null (es_test_kept_find_left (TRUE));
  uri = es_test_kept_find_left (FALSE);
  g_assert_nonnull (uri);

  /* It is offered, and opens when asked for. */
  window = es_test_kept_window (FALSE);
  ES_TEST_WAIT (es_test_is_kept, window);
  g_assert_null (es_viewer_get_dataset (es_test_viewer (window)));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.continue-session", "s", uri));
  check_work (window, 0);
  /* It is this window's now, and nobody else's. */
  g_assert_null (es_test_kept_find_left (FALSE));
  ES_TEST_WAIT (es_test_is_kept, window);
  forget_classes (window);
  es_test_kept_close (window);
  es_test_kept_forget ();
}

/* The other process: works, says that it is kept, and waits to be killed. */
static int
be_killed (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  EsWindow *window = es_test_kept_window (TRUE);

  es_test_kept_open (window, file);
  work (window);
  return es_test_wait_to_be_killed ();
}

static void
test_killed (void)
{
  g_autofree char *uri = NULL;
  EsWindow *window;

  es_test_kept_kill (es_test_cube ("killed.img", 4));
  uri = es_test_kept_find_left (TRUE);
  g_assert_nonnull (uri);
  /* Settings were not written either: what was chosen for runs is in the session. */
  g_settings_reset (es_settings_get (), "parameters");
  g_settings_reset (es_settings_get (), "operation");
  window = es_test_kept_window (FALSE);
  check_work (window, 0);
  g_assert_cmpfloat (es_params_get_float (es_analyse_panel_get_params_of (panel_of (window), "pca"), "threshold"), ==,
                     0.9999);
  g_autofree char *operation = g_settings_get_string (es_settings_get (), "operation");
  g_assert_cmpstr (operation, ==, "mnf");
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL,
                                  "ended unexpectedly. Restored: killed.img · 3 results"));
  ES_TEST_WAIT (es_test_is_kept, window);
  forget_classes (window);
  es_test_kept_close (window);
  g_assert_null (es_test_kept_find_left (TRUE));
  es_test_kept_forget ();
}

/* With files to be opened the session is offered, and joins them. */
static void
test_killed_with_files (void)
{
  g_autofree char *uri = NULL, *again = NULL;
  EsWindow *window;

  es_test_kept_kill (es_test_cube ("killed-too.img", 6));
  window = es_test_kept_window (TRUE);
  es_test_kept_open (window, es_test_cube ("asked-for.img", 7));
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "Not restored yet: killed-too.img"));
  uri = es_test_kept_find_left (TRUE);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.continue-session", "s", uri));
  ES_TEST_WAIT (es_test_is_kept, window);
  g_assert_cmpuint (g_list_model_get_n_items (es_session_get_datasets (es_window_get_session (window))), ==, 2);
  /* It is a part of this one, which is written. */
  again = es_test_kept_find_left (TRUE);
  g_assert_null (again);
  forget_classes (window);
  es_test_kept_close (window);
  uri = (g_free (uri), es_test_kept_find_left (FALSE));
  g_autoptr (GFile) file = g_file_new_for_uri (uri);
  g_autoptr (JsonNode) root = es_session_file_read (file, NULL, NULL);
  g_assert_cmpuint (es_session_file_count_datasets (root), ==, 2);
  es_test_kept_forget ();
}

/* What the cache has no more is run again, and is as it was: name, colours. */
static void
test_not_kept (void)
{
  EsWindow *window = es_test_kept_window (TRUE);
  g_autofree char *uri = NULL;

  es_test_kept_open (window, es_test_cube ("not-kept.img", 8));
  work (window);
  es_test_kept_close (window);
  es_result_cache_limit (0);
  uri = es_test_kept_find_left (FALSE);

  window = es_test_kept_continue (uri);
  check_work (window, 3);
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "99.99 % · not kept: run again"));
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "“All of it” was not kept."));
  /* There is nothing of it that could be saved. */
  g_assert_false (es_test_enabled (window, "save-all"));
  /* Everything took part then; what takes part since is none of its. */
  EsCube *cube = ES_CUBE (es_viewer_get_dataset (es_test_viewer (window)));
  g_autoptr (EsSelection) today = es_selection_new ("1-5", NULL, NULL, NULL, 0);
  es_cube_set_selection (cube, today);
  es_test_activate (window, "run-again");
  ES_TEST_WAIT (es_test_is_kept, window);
  g_autoptr (EsSelection) then = es_result_dup_selection (result_at (window, 1));
  g_assert_true (es_selection_is_everything (then));
  es_cube_set_selection (cube, NULL);
  ES_TEST_WAIT (es_test_is_kept, window);
  g_assert_false (es_result_is_absent (result_at (window, 1)));
  g_assert_true (es_result_is_absent (result_at (window, 0)));
  g_assert_cmpstr (es_result_get_title (result_at (window, 1)), ==, "All of it");
  g_assert_true (es_viewer_get_result (es_test_viewer (window)) == result_at (window, 1));

  guint planes[3];
  g_assert_cmpuint (es_display_get_planes (es_test_viewer (window)->left.display, planes), ==, 3);
  g_assert_cmpuint (planes[0], ==, 1);
  g_assert_null (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "99.99 % · not kept"));
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "90 % · not kept"));
  forget_classes (window);
  es_test_kept_close (window);
  es_test_kept_forget ();
}

/* The disk is full in the middle of it: said once, nothing is lost of what was there, and it goes on when there is room
 * again. */
static void
test_full (void)
{
  EsWindow *window = es_test_kept_window (TRUE);
  struct rlimit before, none = { 0 };
  GtkWidget *said;

  es_test_kept_open (window, es_test_cube ("full.img", 17));
  ES_TEST_WAIT (es_test_is_kept, window);
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  none.rlim_cur = 16;
  none.rlim_max = before.rlim_max;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &none), ==, 0);
  run (window, "pca", NULL, NULL);
  ES_TEST_WAIT (es_test_is_kept, window);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  said = es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "This session is not kept");
  g_assert_nonnull (said);

  es_viewer_select_pixel (es_test_viewer (window), 3, 3);
  ES_TEST_WAIT (es_test_is_kept, window);
  es_test_kept_close (window);
  g_autofree char *uri = es_test_kept_find_left (FALSE);
  g_autoptr (GFile) left = g_file_new_for_uri (uri);
  g_autoptr (JsonNode) root = es_session_file_read (left, NULL, NULL);
  g_autofree char *described = es_session_file_describe (root);
  g_assert_true (g_str_has_prefix (described, "full.img · PCA "));
  es_test_kept_forget ();
}

/* Two at once write files of their own; what one has open is not the other's to go on with. */
static void
test_two (void)
{
  EsWindow *one = es_test_kept_window (TRUE), *other;
  g_autoptr (GPtrArray) list = NULL;

  es_test_kept_open (one, es_test_cube ("two-a.img", 12));
  ES_TEST_WAIT (es_test_is_kept, one);
  other = es_test_kept_window (FALSE);
  ES_TEST_WAIT (es_test_is_kept, other);
  g_assert_null (es_viewer_get_dataset (es_test_viewer (other)));
  es_test_kept_open (other, es_test_cube ("two-b.img", 13));
  ES_TEST_WAIT (es_test_is_kept, other);
  gtk_window_close (GTK_WINDOW (one));
  gtk_window_close (GTK_WINDOW (other));
  es_session_keeper_wait ();
  list = es_session_store_list ();
  g_assert_cmpuint (list->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    g_assert_true (g_str_has_prefix (((EsLeftSession *) g_ptr_array_index (list, i))->description, "two-"));
  es_test_kept_forget ();
}

/* A recording with positions that a person has told, its result, and where it is looked at. */
static gboolean
has_recording (gpointer window)
{
  GListModel *datasets = es_session_get_datasets (es_window_get_session (window));

  return es_test_is_idle (window) && g_list_model_get_n_items (datasets) > 0 && es_test_player (window) != NULL;
}

static void
test_recording (void)
{
  EsWindow *window = es_test_kept_window (TRUE);
  g_autofree char *path = g_build_filename (es_test_folder (), "heard.wav", NULL), *uri = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (EsParams) params = es_params_new (es_simulate_recording_params);
  g_autoptr (EsArray) array = es_array_parse ("line:8,2.5", NULL);
  g_autoptr (GError) error = NULL;
  EsResult *result;

  es_params_parse (params, "array", "line:8,1.5", &error);
  g_assert_no_error (error);
  es_params_parse (params, "seconds", "6", &error);
  g_assert_no_error (error);
  es_simulate_recording (file, params, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  es_window_open (window, &file, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (has_recording, window);
  g_autoptr (EsDataset) recording = g_list_model_get_item (es_session_get_datasets (es_window_get_session (window)), 0);
  es_recording_set_array (ES_RECORDING (recording), array);
  ES_TEST_WAIT (has_recording, window);
  es_player_seek (es_test_player (window), 3);
  g_object_set (es_test_sonar_view (window), "bearing", 60., NULL);
  g_assert_true (es_analyse_panel_set_operation (panel_of (window), "cbf"));
  es_test_activate (window, "run");
  ES_TEST_WAIT (es_test_is_kept, window);
  result = result_at (window, 0);
  g_assert_cmpstr (es_result_get_operation (result)->id, ==, "cbf");
  g_autofree char *title = g_strdup (es_result_get_title (result));
  es_test_kept_close (window);
  g_clear_object (&recording);

  uri = es_test_kept_find_left (FALSE);
  g_assert_nonnull (uri);
  window = es_test_kept_continue (uri);
  ES_TEST_WAIT (has_recording, window);
  g_autoptr (EsDataset) again = g_list_model_get_item (es_session_get_datasets (es_window_get_session (window)), 0);
  g_autoptr (EsArray) same = es_recording_get_array (ES_RECORDING (again));
  g_assert_cmpuint (es_array_get_n_elements (same), ==, 8);
  g_assert_cmpfloat_with_epsilon (es_array_get_spacing (same), 2.5, 1e-12);
  g_assert_false (es_result_is_absent (result_at (window, 0)));
  g_assert_cmpstr (es_result_get_title (result_at (window, 0)), ==, title);
  g_assert_cmpfloat_with_epsilon (es_player_get_position (es_test_player (window)), 3, 0.2);
  double bearing = 0;
  g_object_get (es_test_sonar_view (window), "bearing", &bearing, NULL);
  /* The beam nearest to it: eight elements have beams that are some 6 degrees apart. */
  g_assert_cmpfloat_with_epsilon (bearing, 60, 3.5);
  ES_TEST_WAIT (es_test_is_kept, window);
  es_test_kept_close (window);
  es_test_kept_forget ();
}

/* Dialogs that save begin beside the data, then where something of these was saved last, also in the next session. */
static void
test_places (void)
{
  EsWindow *window = es_test_kept_window (TRUE);
  g_autofree char *other = g_build_filename (es_test_folder (), "saved-here", NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (es_test_folder ()), saved = g_file_new_for_path (other);
  g_autoptr (GFile) first = NULL, second = NULL, third = NULL;

  g_assert_cmpint (g_mkdir (other, 0700), ==, 0);
  es_test_kept_open (window, es_test_cube ("places.img", 15));
  first = es_export_place_find ();
  g_assert_true (g_file_equal (first, folder));

  /* As a session tells it, and what is none of it is left out. */
  {
    g_autoptr (JsonNode) told = json_node_init_object (json_node_alloc (), NULL);
    g_autoptr (JsonObject) object = json_object_new ();
    g_autofree char *of = g_file_get_uri (folder), *at = g_file_get_uri (saved);

    json_object_set_string_member (object, of, at);
    json_object_set_string_member (object, "no URI", at);
    json_object_set_int_member (object, at, 7);
    json_node_set_object (told, object);
    es_export_place_take (told);
  }
  second = es_export_place_find ();
  g_assert_true (g_file_equal (second, saved));
  g_autoptr (JsonNode) told = es_export_place_tell ();
  g_assert_cmpuint (json_object_get_size (json_node_get_object (told)), ==, 1);
  /* It has gone: beside the data again. */
  g_assert_cmpint (g_rmdir (other), ==, 0);
  third = es_export_place_find ();
  g_assert_true (g_file_equal (third, folder));
  es_test_kept_close (window);
  es_test_kept_forget ();
}

/* Where nothing can be kept it is said, and closing asks as it always did. */
static void
test_no_folder (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "eigenscope", "sessions", NULL);
  g_autofree char *aside = g_strconcat (folder, "-aside", NULL);
  EsWindow *window;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_cmpint (g_rename (folder, aside), ==, 0);
  g_assert_true (g_file_set_contents (folder, "in the way", -1, NULL));
  window = es_test_kept_window (FALSE);
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "This session is not kept"));
  es_test_kept_open (window, es_test_cube ("no-folder.img", 14));
  run (window, "pca", NULL, NULL);
  gtk_window_close (GTK_WINDOW (window));
  g_assert_nonnull (es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG));
  es_test_respond (es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG), "cancel");
  es_test_close (window);
  g_unlink (folder);
  g_assert_cmpint (g_rename (aside, folder), ==, 0);
}

int
main (int argc, char **argv)
{
  if (argc == 3 && strcmp (argv[1], ES_TEST_KEPT_CHILD) == 0)
    {
      gtk_init ();
      return be_killed (argv[2]);
    }
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sessions/closed", test_closed);
  g_test_add_func ("/sessions/killed", test_killed);
  g_test_add_func ("/sessions/killed-with-files", test_killed_with_files);
  g_test_add_func ("/sessions/not-kept", test_not_kept);
  g_test_add_func ("/sessions/full", test_full);
  g_test_add_func ("/sessions/two", test_two);
  g_test_add_func ("/sessions/recording", test_recording);
  g_test_add_func ("/sessions/places", test_places);
  g_test_add_func ("/sessions/no-folder", test_no_folder);
  return g_test_run ();
}
