/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The laboratory in the window: a machine is opened, one experiment or all of them run on it, what was found is shown,
 * saved and there again. Measured by the fake laboratory. */

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "charts/es-plot-view.h"
#include "charts/es-table-view.h"
#include "es-test-shell.h"
#include "files/es-welcome.h"
#include "keeping/es-session-file.h"
#include "keeping/es-session-restore.h"
#include "lab/es-kept-profiles.h"
#include "lab/es-lab-overview.h"
#include "lab/es-lab-page.h"
#include "lab/es-lab-row.h"
#include "lab/parts/es-lab-spans.h"
#include "lab/parts/es-lab-text.h"
#include "lab/es-lab-workspace.h"
#include "lab/es-profile-sheet.h"
#include "lab/es-profile-window.h"
#include "layer/es-layer-internal.h"
#include "operations/es-operations.h"
#include "widgets/es-capture.h"
#include "widgets/es-format.h"
#include "window/es-window-private.h"

#define LATENCY "lab-latency"

static EsResult *last_picture;                  /* borrowed */

static EsLabWorkspace *
lab_of (EsWindow *window)
{
  return ES_LAB_WORKSPACE (es_window_get_workspace (window, ES_TYPE_LAB_WORKSPACE));
}

static EsShown *
shown_of (EsWindow *window)
{
  return es_workspace_get_shown (es_window_get_workspace (window, ES_TYPE_LAB_WORKSPACE));
}

static EsMachine *
machine_of (EsWindow *window)
{
  return ES_MACHINE (es_shown_get_dataset (shown_of (window)));
}

static void
activate (EsWindow *window, const char *name, const char *target)
{
  g_autofree char *full = g_strconcat ("win.", name, NULL);

  g_assert_true (es_test_enabled (window, name));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), full, target != NULL ? "s" : NULL, target));
}

static EsWindow *
open_machine (void)
{
  EsWindow *window = es_test_window_with (NULL);

  activate (window, "open-device", "cpu");
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_true (ES_IS_MACHINE (es_shown_get_dataset (shown_of (window))));
  return window;
}

static EsLabRow *
row_of (EsWindow *window, const char *id)
{
  GtkWidget *overview = es_test_find (GTK_WIDGET (window), ES_TYPE_LAB_OVERVIEW, NULL);
  g_autoptr (GPtrArray) todo = g_ptr_array_new ();

  g_assert_nonnull (overview);
  g_ptr_array_add (todo, overview);
  for (guint i = 0; i < todo->len; i++)
    for (GtkWidget *child = gtk_widget_get_first_child (g_ptr_array_index (todo, i)); child != NULL;
         child = gtk_widget_get_next_sibling (child))
      {
        if (ES_IS_LAB_ROW (child)
            && g_str_equal (es_lab_row_get_experiment (ES_LAB_ROW (child))->operation->id, id))
          return ES_LAB_ROW (child);
        g_ptr_array_add (todo, child);
      }
  return NULL;
}

/* Equal to cubes and recordings: the welcome offers it, and opening it twice is one. */
static void
test_overview (void)
{
  EsWindow *window = es_test_window_with (NULL);
  GtkWidget *welcome = es_test_find (GTK_WIDGET (window), ES_TYPE_WELCOME, NULL);
  EsLabRow *row;

  g_assert_nonnull (es_test_find (welcome, GTK_TYPE_LABEL, "Measure "));
  activate (window, "open-device", "cpu");
  activate (window, "open-device", "cpu");
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_cmpuint (g_list_model_get_n_items (es_session_get_datasets (es_window_get_session (window))), ==, 1);

  row = row_of (window, LATENCY);
  g_assert_nonnull (row);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (row)));
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), ==, "Not run yet");
  /* What makes no sense on a processor is not offered. */
  for (const EsExperiment * const *at = es_experiments_get (); *at != NULL; at++)
    g_assert_true ((row_of (window, (*at)->operation->id) != NULL)
                   == es_experiment_suits (*at, machine_of (window)));
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "Threads at once"));
  g_assert_false (es_test_enabled (window, "lab-save-profile"));
  g_assert_false (es_test_enabled (window, "lab-cancel"));
  es_test_close (window);
}

static gboolean
has_latency (gpointer window)
{
  return es_test_is_idle (window)
         && es_lab_find_result (es_window_get_session (window), machine_of (window),
                                es_operation_find (LATENCY, NULL)) != NULL;
}

/* Before it runs, what to predict; then its page, with sentences and a curve by powers of two; and back. */
static void
test_experiment (void)
{
  EsWindow *window = open_machine ();
  GtkWidget *page, *view;
  EsPlot *plot;
  EsResult *result;
  EsVerdictState state;

  activate (window, "lab-show", LATENCY);
  page = es_test_find (GTK_WIDGET (window), ES_TYPE_LAB_PAGE, NULL);
  g_assert_nonnull (page);
  g_assert_null (es_lab_page_get_result (ES_LAB_PAGE (page)));
  g_assert_nonnull (es_test_find (page, GTK_TYPE_LABEL, "Predict first"));
  g_assert_null (es_test_find (page, ES_TYPE_PLOT_VIEW, NULL));

  activate (window, "lab-run", LATENCY);
  ES_TEST_WAIT (has_latency, window);
  result = es_shown_get_result (shown_of (window));
  g_assert_nonnull (result);
  g_assert_true (es_lab_page_get_result (ES_LAB_PAGE (page)) == result);
  g_assert_true (gtk_widget_get_mapped (page));
  g_assert_nonnull (es_test_find (page, GTK_TYPE_LABEL, es_lab_find_sentence (result, &state)));
  g_assert_nonnull (es_test_find (page, GTK_TYPE_LABEL, "What it means for Eigenscope"));
  view = es_test_find (page, ES_TYPE_PLOT_VIEW, NULL);
  g_assert_nonnull (view);
  plot = es_plot_view_get_plot (ES_PLOT_VIEW (view));
  g_assert_cmpint (es_plot_get_x_division (plot), ==, ES_PLOT_X_BINARY);
  /* The fake machine's first cache has 32 KiB, and what it holds takes 4 clocks. */
  es_plot_set_cursor (plot, 20000);
  g_autofree char *told = es_plot_read_out (plot);
  g_assert_true (g_str_has_prefix (told, "24 KiB: 4") || g_str_has_prefix (told, "16 KiB: 4"));

  activate (window, "lab-back", NULL);
  g_assert_null (es_shown_get_result (shown_of (window)));
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row_of (window, LATENCY))), ==,
                   es_lab_find_sentence (result, &state));
  g_assert_true (es_test_enabled (window, "lab-save-profile"));
  /* It works on itself, and nobody else does. */
  g_assert_false (es_test_enabled (window, "compare-devices"));
  es_test_close (window);
}

static gboolean
has_another_picture (gpointer window)
{
  EsResult *result = es_test_is_idle (window) ? es_shown_get_result (shown_of (window)) : NULL;

  return result != NULL && result != last_picture;
}

/* Where one clicks is the middle of the next picture, four times as large; and the whole again. */
static void
test_zoom (void)
{
  static const struct { double across, down, factor, x, y, width; } steps[] = {
    { 0.75, 0.25, 4, 0.25, -0.75, 0.75 }, { 0.5, 0.5, 0.25, 0.25, -0.75, 3 }, { 0, 0, 0, -0.5, 0, 3 },
  };
  EsWindow *window = open_machine ();
  GtkWidget *page;

  last_picture = NULL;
  activate (window, "lab-run", "lab-mandelbrot");
  ES_TEST_WAIT (has_another_picture, window);
  page = es_test_find (GTK_WIDGET (window), ES_TYPE_LAB_PAGE, NULL);
  g_assert_nonnull (es_test_find (page, GTK_TYPE_PICTURE, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      EsParams *params;

      last_picture = es_shown_get_result (shown_of (window));
      g_assert_true (gtk_widget_activate_action (page, "win.lab-zoom", "(ddd)", steps[i].across, steps[i].down,
                                                 steps[i].factor));
      ES_TEST_WAIT (has_another_picture, window);
      params = es_result_get_params (es_shown_get_result (shown_of (window)));
      g_assert_cmpfloat_with_epsilon (es_params_get_float (params, "x"), steps[i].x, 1e-9);
      g_assert_cmpfloat_with_epsilon (es_params_get_float (params, "y"), steps[i].y, 1e-9);
      g_assert_cmpfloat_with_epsilon (es_params_get_float (params, "width"), steps[i].width, 1e-9);
    }
  es_test_close (window);
}

static gboolean
has_report (gpointer file)
{
  return g_file_query_exists (file, NULL);
}

/* Curves, tables, sentences and the page itself are saved as those of other data are. */
static void
test_saving (void)
{
  EsWindow *window = open_machine ();
  g_autofree char *path = g_build_filename (es_test_folder (), "tables", NULL);
  g_autofree char *report = g_build_filename (es_test_folder (), "report.html", NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path), page = g_file_new_for_path (report);
  g_autoptr (GDir) dir = NULL;
  const char *name;
  guint n = 0;

  activate (window, "lab-run", LATENCY);
  ES_TEST_WAIT (has_latency, window);
  g_assert_true (es_test_enabled (window, "save"));
  g_assert_true (es_window_save (window, ES_SAVE_ALL, folder));
  ES_TEST_WAIT (es_test_is_idle, window);
  dir = g_dir_open (path, 0, NULL);
  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    n += g_str_equal (name, "result.json") || g_str_has_suffix (name, ".csv");
  g_assert_cmpuint (n, >=, 2);
  es_window_save_report (window, page);
  ES_TEST_WAIT (has_report, page);
  ES_TEST_WAIT (es_test_is_idle, window);
  es_test_activate (window, "copy-picture");
  es_test_close (window);
  g_unlink (report);
}

static gboolean
has_some (gpointer window)
{
  return es_lab_series_get_n_done (es_lab_workspace_get_series (lab_of (window))) >= 1;
}

static gboolean
series_is_over (gpointer window)
{
  return es_test_is_idle (window) && !es_lab_series_is_running (es_lab_workspace_get_series (lab_of (window)));
}

static guint
count_results (EsWindow *window)
{
  return g_list_model_get_n_items (es_session_get_results (es_window_get_session (window),
                                                           ES_DATASET (machine_of (window))));
}

/* Of how many devices the program keeps a profile for itself. */
static guint
count_kept (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "eigenscope", "profiles", NULL);
  g_autoptr (GDir) directory = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (directory != NULL && g_dir_read_name (directory) != NULL)
    n++;
  return n;
}

/* All of them, the list staying in view; cancelled in the middle, what is done stays and no other begins. */
static void
test_series (void)
{
  EsWindow *window = open_machine ();
  const guint n = es_lab_series_count (machine_of (window));

  g_assert_cmpuint (n, >=, 2);
  g_assert_cmpuint (count_kept (), ==, 0);
  activate (window, "lab-run-all", NULL);
  g_assert_false (es_test_enabled (window, "lab-run-all"));
  ES_TEST_WAIT (series_is_over, window);
  g_assert_cmpuint (count_results (window), ==, n);
  g_assert_null (es_shown_get_result (shown_of (window)));
  g_autoptr (EsDeviceProfile) kept = es_kept_profile_find (es_device_get_cpu (), NULL);
  g_assert_cmpuint (count_kept (), ==, 1);
  g_assert_nonnull (kept);
  g_assert_cmpuint (es_device_profile_get_n (kept), >, 10);
  es_test_close (window);

  g_setenv ("ES_FAKE_LAB_MS", "20", TRUE);
  window = open_machine ();
  activate (window, "lab-run-all", NULL);
  ES_TEST_WAIT (has_some, window);
  activate (window, "lab-cancel", NULL);
  ES_TEST_WAIT (series_is_over, window);
  g_assert_cmpuint (count_results (window), >=, 1);
  g_assert_cmpuint (count_results (window), <, n);
  g_assert_true (es_test_enabled (window, "lab-run-all"));
  /* Esc does the same. */
  activate (window, "lab-run-all", NULL);
  es_test_activate (window, "cancel");
  ES_TEST_WAIT (series_is_over, window);
  g_assert_cmpuint (count_results (window), <, n);
  g_unsetenv ("ES_FAKE_LAB_MS");
  es_test_close (window);
}

/* One that fails is told of, and the others are run. */
static void
test_failure (void)
{
  EsWindow *window = open_machine ();
  const guint n = es_lab_series_count (machine_of (window));
  gboolean failed = FALSE;
  guint n_behind = 0;

  /* ESK_PROBE_CHASE */
  g_setenv ("ES_FAKE_LAB_FAILS", "2", TRUE);
  activate (window, "lab-run-all", NULL);
  ES_TEST_WAIT (series_is_over, window);
  g_unsetenv ("ES_FAKE_LAB_FAILS");
  g_assert_cmpuint (count_results (window), <, n);
  for (const EsExperiment * const *at = es_experiments_get (); *at != NULL; at++)
    {
      const gboolean done = es_lab_find_result (es_window_get_session (window), machine_of (window),
                                                (*at)->operation) != NULL;

      if (g_str_equal ((*at)->operation->id, LATENCY))
        failed = !done;
      n_behind += failed && done;
    }
  g_assert_true (failed);
  g_assert_cmpuint (n_behind, >=, 1);
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "was told to fail"));
  es_test_close (window);
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (es_lab_profiles_open_finish (ES_LAB_PROFILES (source), result, &error));
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

static gboolean
is_true (gpointer data)
{
  return *(gboolean *) data;
}

/* A profile is saved, and compared with: its curve lies dashed beside one's own. */
static void
test_profile (void)
{
  EsWindow *window = open_machine ();
  g_autofree char *path = g_build_filename (es_test_folder (), "profile.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GPtrArray) results = NULL;
  g_autoptr (EsDeviceProfile) profile = NULL;
  EsLabProfiles *profiles = es_lab_workspace_get_profiles (lab_of (window));
  const guint n = es_lab_profiles_get_n (profiles);
  g_autoptr (GError) error = NULL;
  GtkWidget *page, *view, *other;

  activate (window, "lab-run", LATENCY);
  ES_TEST_WAIT (has_latency, window);
  results = es_lab_list_results (es_window_get_session (window), machine_of (window));
  profile = es_device_profile_new (results);
  g_assert_nonnull (profile);
  g_assert_true (es_device_profile_save (profile, file, &error));
  g_assert_no_error (error);

  page = es_test_find (GTK_WIDGET (window), ES_TYPE_LAB_PAGE, NULL);
  view = es_test_find (page, ES_TYPE_PLOT_VIEW, NULL);
  const guint alone = es_plot_get_n_series (es_plot_view_get_plot (ES_PLOT_VIEW (view)));
  g_autoptr (EsDeviceProfile) read = es_device_profile_load (file, &error);
  g_assert_no_error (error);
  gboolean opened = FALSE;
  es_lab_profiles_open_async (profiles, file, NULL, on_opened, &opened);
  ES_TEST_WAIT (is_true, &opened);
  g_assert_cmpuint (es_lab_profiles_get_n (profiles), ==, n + 1);
  g_assert_true (es_lab_profiles_is_chosen (profiles, n));
  view = es_test_find (page, ES_TYPE_PLOT_VIEW, NULL);
  g_assert_cmpuint (es_plot_get_n_series (es_plot_view_get_plot (ES_PLOT_VIEW (view))), ==, 2 * alone);

  /* Beside itself each figure is once its own. */
  g_autoptr (GPtrArray) others = es_lab_profiles_list (profiles);
  g_autoptr (EsProfileSheet) sheet = es_profile_sheet_new (profile, others, TRUE);
  g_assert_cmpuint (sheet->n_rows, ==, es_device_profile_get_n (profile));
  for (guint i = 0; i < sheet->n_rows; i++)
    g_assert_cmpstr (g_ptr_array_index (sheet->cells, (i + 1) * sheet->n_columns - 1), ==, "1");
  g_autofree char *csv = es_profile_sheet_to_csv (sheet);
  g_auto (GStrv) lines = g_strsplit (csv, "\r\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, sheet->n_rows + 2);

  activate (window, "lab-profile", NULL);
  other = es_test_find_toplevel (ES_TYPE_PROFILE_WINDOW);
  g_assert_nonnull (other);
  g_assert_nonnull (es_test_find (other, ES_TYPE_PLOT_VIEW, NULL));
  g_assert_cmpuint (es_table_view_get_n_rows (ES_TABLE_VIEW (es_test_find (other, ES_TYPE_TABLE_VIEW, NULL))), >, 0);
  es_lab_profiles_set_chosen (profiles, n, FALSE);
  g_assert_nonnull (es_test_find (other, ES_TYPE_PLOT_VIEW, NULL));
  gtk_window_destroy (GTK_WINDOW (other));
  es_test_close (window);
  g_unlink (path);
}

static gboolean
has_profile_window (gpointer window)
{
  return es_test_find_toplevel (ES_TYPE_PROFILE_WINDOW) != NULL;
}

static gboolean
tells_of_schema (gpointer window)
{
  return es_test_find (window, GTK_TYPE_LABEL, "is no device profile that can be read") != NULL;
}

/* A profile that is opened like any file is drawn as its page, before anything is measured and whatever it is called;
 * one that cannot be read is told as what it is. */
static void
test_profile_file (void)
{
  EsWindow *window = es_test_window_with (NULL);
  g_autofree char *shipped = g_build_filename (g_getenv ("ES_DATA_DIR"), "profiles", "h100.json", NULL);
  g_autofree char *newer = g_build_filename (es_test_folder (), "newer.json", NULL);
  g_autoptr (GFile) good = g_file_new_for_path (shipped), bad = g_file_new_for_path (newer);
  g_autofree char *text = NULL;
  GtkWidget *page, *plot;

  es_window_open (window, &good, 1, ES_OPEN_CHOSEN);
  ES_TEST_WAIT (has_profile_window, window);
  page = es_test_find_toplevel (ES_TYPE_PROFILE_WINDOW);
  g_assert_nonnull (es_test_find (page, GTK_TYPE_LABEL, "NVIDIA H100"));
  plot = es_test_find (page, ES_TYPE_PLOT_VIEW, NULL);
  g_assert_nonnull (plot);
  /* What is counted along the first of them is an axis's title. */
  text = es_plot_to_text (es_plot_view_get_plot (ES_PLOT_VIEW (plot)));
  g_assert_true (g_str_has_prefix (text, "Lanes"));
  g_assert_cmpuint (es_table_view_get_n_rows (ES_TABLE_VIEW (es_test_find (page, ES_TYPE_TABLE_VIEW, NULL))), >, 100);
  g_assert_cmpuint (g_list_model_get_n_items (es_session_get_datasets (es_window_get_session (window))), ==, 0);
  gtk_window_destroy (GTK_WINDOW (page));

  g_assert_true (g_file_set_contents (newer, "{\"format\":\"eigenscope-device-profile\",\"version\":99}", -1, NULL));
  es_window_open (window, &bad, 1, ES_OPEN_CHOSEN);
  ES_TEST_WAIT (tells_of_schema, window);
  g_assert_null (es_test_find_toplevel (ES_TYPE_PROFILE_WINDOW));
  es_test_close (window);
  g_unlink (newer);
}

static gboolean
has_arithmetic (gpointer window)
{
  return es_test_is_idle (window)
         && es_lab_find_result (es_window_get_session (window), machine_of (window),
                                es_operation_find ("lab-arithmetic", NULL)) != NULL;
}

/* What no curve shows stands in a table beside the same of this machine, as long as it is compared with. */
static void
test_tables (void)
{
  EsWindow *window = open_machine ();
  g_autofree char *path = g_build_filename (es_test_folder (), "tables.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  EsLabProfiles *profiles = es_lab_workspace_get_profiles (lab_of (window));
  const guint n = es_lab_profiles_get_n (profiles);
  g_autoptr (GPtrArray) results = NULL;
  g_autoptr (GError) error = NULL;
  gboolean opened = FALSE;
  GtkWidget *page;

  activate (window, "lab-run", "lab-arithmetic");
  ES_TEST_WAIT (has_arithmetic, window);
  page = es_test_find (GTK_WIDGET (window), ES_TYPE_LAB_PAGE, NULL);
  g_assert_null (es_test_find (page, GTK_TYPE_LABEL, "beside other machines"));
  results = es_lab_list_results (es_window_get_session (window), machine_of (window));
  g_autoptr (EsDeviceProfile) profile = es_device_profile_new (results);
  g_assert_true (es_device_profile_save (profile, file, &error));
  es_lab_profiles_open_async (profiles, file, NULL, on_opened, &opened);
  ES_TEST_WAIT (is_true, &opened);
  g_assert_nonnull (es_test_find (page, GTK_TYPE_LABEL, "beside other machines"));
  es_lab_profiles_set_chosen (profiles, n, FALSE);
  g_assert_null (es_test_find (page, GTK_TYPE_LABEL, "beside other machines"));
  es_test_close (window);
  g_unlink (path);
}

static gboolean
shows_something (gpointer window)
{
  return es_test_is_idle (window) && es_shown_get_dataset (shown_of (window)) != NULL;
}

/* A session has no file for it, and opens it by its name; what it found comes back, were it to be run again. */
static void
test_session (void)
{
  EsWindow *window = open_machine ();
  g_autofree char *path = g_build_filename (es_test_folder (), "lab" ES_SESSION_ENDING, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (JsonNode) told = NULL;
  g_autoptr (GError) error = NULL;

  activate (window, "lab-run", LATENCY);
  ES_TEST_WAIT (has_latency, window);
  told = es_session_file_tell (es_window_get_session (window), NULL, NULL);
  g_assert_true (es_session_file_write (told, file, &error));
  g_assert_no_error (error);
  es_test_close (window);

  EsRestoredSession *restored = es_session_restore (file, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (restored->datasets->len, ==, 1);
  EsRestored *one = g_ptr_array_index (restored->datasets, 0);
  g_assert_no_error (one->error);
  g_assert_true (ES_IS_MACHINE (one->dataset));
  g_assert_true (es_machine_is_here (ES_MACHINE (one->dataset)));
  g_assert_false (one->other);
  g_assert_cmpuint (one->results->len, ==, 1);
  es_restored_session_free (restored);

  window = es_test_window_with (NULL);
  es_window_open (window, &file, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (shows_something, window);
  g_assert_true (ES_IS_MACHINE (es_shown_get_dataset (shown_of (window))));
  g_assert_cmpuint (count_results (window), ==, 1);
  es_test_close (window);
  g_unlink (path);
}

static gboolean
is_drawn (gpointer widget)
{
  return gtk_widget_get_mapped (widget) && gtk_widget_get_width (widget) > 0;
}

/* Bars of what happened when: a lane a row, a colour a kind; any other table is a table. */
static void
test_spans (void)
{
  g_autoptr (EsTable) table = es_table_new ("timeline", "What happened when"), other = es_table_new ("fit", "Fit");
  static const struct { const char *what; double row, from, to; } spans[] = {
    { "upload", 0, 0, 2 }, { "work", 0, 2, 5 }, { "upload", 1, 2, 4 }, { "work", 1, 5, 8 }, { "download", 0, 5, 6 },
  };
  EsTable *tables[] = { table, other };
  int height;

  for (guint k = 0; k < G_N_ELEMENTS (tables); k++)
    {
      es_table_add_column (tables[k], "What", NULL, -1);
      es_table_add_column (tables[k], "Row", NULL, 0);
      es_table_add_column (tables[k], "From", "ms", 4);
      es_table_add_column (tables[k], "To", "ms", 4);
    }
  g_assert_false (es_lab_spans_is (table));
  for (guint k = 0; k < G_N_ELEMENTS (tables); k++)
    for (guint i = 0; i < G_N_ELEMENTS (spans); i++)
      es_table_add_row (tables[k], (gconstpointer[]) { spans[i].what, &spans[i].row, &spans[i].from, &spans[i].to });
  g_assert_true (es_lab_spans_is (table));
  g_assert_false (es_lab_spans_is (other));

  GtkWidget *window = gtk_window_new (), *view = es_lab_spans_new (table);
  gtk_window_set_child (GTK_WINDOW (window), view);
  gtk_window_set_default_size (GTK_WINDOW (window), 500, 200);
  gtk_window_present (GTK_WINDOW (window));
  gtk_widget_measure (view, GTK_ORIENTATION_VERTICAL, 500, &height, NULL, NULL, NULL);
  g_assert_cmpint (height, >, 2 * 20);
  ES_TEST_WAIT (is_drawn, view);
  g_autoptr (GdkTexture) texture = es_capture_render (view, 1);
  g_assert_nonnull (texture);
  g_autofree guint32 *pixels = g_new (guint32, (gsize) gdk_texture_get_width (texture)
                                               * (gsize) gdk_texture_get_height (texture));
  g_autoptr (GHashTable) colours = g_hash_table_new (NULL, NULL);
  gdk_texture_download (texture, (guchar *) pixels, 4 * (gsize) gdk_texture_get_width (texture));
  for (int x = 0; x < gdk_texture_get_width (texture); x++)
    g_hash_table_add (colours, GUINT_TO_POINTER (pixels[37 * gdk_texture_get_width (texture) + x]));
  /* In the first lane are three kinds, and between them nothing. */
  g_assert_cmpuint (g_hash_table_size (colours), >=, 4);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_values (void)
{
  static const struct { double value; const char *unit, *text; } cases[] = {
    { 29.412, "clocks", "29.41 clocks" }, { 1.94e12, "B/s", "1.94 TB/s" }, { 4.2e-6, "s", "4.2 µs" },
    { 9.99999e-7, "s", "1 µs" },        { 9.9999e8, "B/s", "1 GB/s" },
    { 49152, "B", "48 KiB" },             { 3, NULL, "3" },               { 0.25, "1", "0.25" },
    { 1.2e13, "1/s", "12 T/s" },          { NAN, "s", "–" },              { 180, "ns", "180 ns" },
    { 0, "s", "0 s" },                    { 100, "B", "100 B" },          { 2000, "clocks", "2000 clocks" },
    /* Residuals and tolerances: no decimals are enough for them. */
    { 9.9799e-9, NULL, "9.98e-09" },      { 3.3812e-13, NULL, "3.381e-13" }, { 1e-12, "1", "1e-12" },
    { -2.5e-5, NULL, "−2.5e-05" },        { 0.0001, NULL, "0.0001" },     { 0, NULL, "0" },
    { 3.21543e12, NULL, "3215430000000" }, { 16777216, NULL, "16777216" }, { 81234567.8, NULL, "8.123e+07" },
    { 1.7e300, NULL, "1.7e+300" },        { 2e-10, "s", "0.2 ns" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = es_format_value (cases[i].value, cases[i].unit);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

int
main (int argc, char **argv)
{
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/lab/values", test_values);
  g_test_add_func ("/ui/lab/spans", test_spans);
  g_test_add_func ("/ui/lab/overview", test_overview);
  g_test_add_func ("/ui/lab/experiment", test_experiment);
  g_test_add_func ("/ui/lab/zoom", test_zoom);
  g_test_add_func ("/ui/lab/saving", test_saving);
  g_test_add_func ("/ui/lab/series", test_series);
  g_test_add_func ("/ui/lab/tables", test_tables);
  g_test_add_func ("/ui/lab/failure", test_failure);
  g_test_add_func ("/ui/lab/profile", test_profile);
  g_test_add_func ("/ui/lab/profile-file", test_profile_file);
  g_test_add_func ("/ui/lab/session", test_session);
  return g_test_run ();
}
