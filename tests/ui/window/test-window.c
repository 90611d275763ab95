/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <matio.h>

#include "analyse/es-analyse-panel.h"
#include "window/es-banner.h"
#include "window/es-data-tree.h"
#include "inspector/es-scree-pane.h"
#include "result/es-operation.h"
#include "widgets/es-settings.h"
#include "progress/es-status-bar.h"
#include "es-test-shell.h"
#include "files/es-welcome.h"
#include "widgets/es-wheel.h"

static EsAnalysePanel *
analyse_of (EsWindow *window)
{
  return ES_ANALYSE_PANEL (es_test_find (GTK_WIDGET (window), ES_TYPE_ANALYSE_PANEL, NULL));
}

static EsStatusBar *
status_bar_of (EsWindow *window)
{
  return ES_STATUS_BAR (es_test_find (GTK_WIDGET (window), ES_TYPE_STATUS_BAR, NULL));
}

/* ---- tests ---- */

static void
test_empty (void)
{
  static const char * const disabled[] = {
    "run", "cancel", "remove", "copy-picture", "copy-command", "save", "save-components-envi",
    "save-components-geotiff", "save-picture", "save-plots", "save-tables", "save-all", "show-in-folder",
  };
  EsWindow *window = es_test_window_with (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (disabled); i++)
    g_assert_false (es_test_enabled (window, disabled[i]));
  g_assert_true (es_test_enabled (window, "open"));
  g_assert_true (es_test_enabled (window, "simulate"));
  g_assert_true (gtk_widget_get_mapped (es_test_find (GTK_WIDGET (window), ES_TYPE_WELCOME, NULL)));
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (window)), ==, "Eigenscope");
  es_test_close (window);
}

static void
test_open_and_run (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);
  EsSession *session = es_window_get_session (window);
  EsDataset *dataset = es_viewer_get_dataset (es_test_viewer (window));
  g_autoptr (EsJob) job = NULL;
  EsResult *result;

  g_assert_cmpuint (g_list_model_get_n_items (es_session_get_datasets (session)), ==, 1);
  g_assert_cmpuint (es_data_tree_get_n_rows (es_test_tree (window)), ==, 1);
  g_assert_true (es_data_tree_get_selected (es_test_tree (window)) == G_OBJECT (dataset));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (analyse_of (window))));
  g_assert_true (es_test_enabled (window, "run"));
  g_assert_false (es_test_enabled (window, "cancel"));
  g_assert_false (es_test_enabled (window, "save-all"));
  g_assert_true (g_str_has_prefix (gtk_window_get_title (GTK_WINDOW (window)), es_dataset_get_name (dataset)));

  es_test_activate (window, "run");
  g_assert_false (es_test_enabled (window, "run"));
  g_assert_true (es_test_enabled (window, "cancel"));
  g_assert_nonnull (es_test_find (GTK_WIDGET (analyse_of (window)), GTK_TYPE_LABEL, "Cancel"));
  g_assert_cmpstr (es_status_bar_get_progress_text (status_bar_of (window)), !=, "");
  ES_TEST_WAIT (es_test_is_idle, window);

  g_assert_cmpstr (es_status_bar_get_progress_text (status_bar_of (window)), ==, "");
  job = g_list_model_get_item (es_session_get_jobs (session), 0);
  g_assert_cmpint (es_job_get_state (job), ==, ES_JOB_DONE);
  result = es_viewer_get_result (es_test_viewer (window));
  g_assert_true (result == es_job_get_result (job));
  /* The data set, its result, and the picture of that. */
  g_assert_cmpuint (es_data_tree_get_n_rows (es_test_tree (window)), ==, 3);
  g_assert_true (es_data_tree_get_selected (es_test_tree (window)) == G_OBJECT (result));
  g_assert_true (es_test_enabled (window, "run"));
  g_assert_false (es_test_enabled (window, "cancel"));
  g_assert_true (es_test_enabled (window, "save-components-envi"));
  g_assert_true (es_test_enabled (window, "copy-command"));
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "Keeps "));
  /* A run of its own is added, not put in the place of the first. */
  es_test_run_and_wait (window);
  g_assert_cmpuint (g_list_model_get_n_items (es_session_get_results (session, dataset)), ==, 2);
  es_test_close (window);
}

static gboolean
has_cost (gpointer panel)
{
  return es_analyse_panel_get_cost (panel)[0] != '\0';
}

static void
test_cost (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);
  EsAnalysePanel *analyse = analyse_of (window);

  ES_TEST_WAIT (has_cost, analyse);
  g_assert_nonnull (strchr (es_analyse_panel_get_cost (analyse), ','));
  es_test_close (window);
}

/* The fewest components whose cumulative share reaches a threshold, from the curve itself. */
static guint
components_at (EsResult *result, double threshold)
{
  EsCurve *curve = ES_CURVE (es_result_find_layer (result, "eigenvalues"));
  const EsCurveSeries *shares = es_curve_get_series (curve, 1);

  g_assert_true (shares->right_axis);
  for (guint m = 0; m < es_curve_get_length (curve); m++)
    if (shares->y[m] >= threshold * 100)
      return m + 1;
  return es_curve_get_length (curve);
}

static void
on_run_enabled (GActionGroup *group, const char *name, gboolean enabled, guint *disabled)
{
  *disabled += !enabled;
}

static void
test_threshold (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);
  EsViewer *viewer = es_test_viewer (window);
  g_autoptr (EsResult) first = g_object_ref (es_test_run_and_wait (window));
  EsDataset *dataset = es_viewer_get_dataset (viewer);
  GListModel *results = es_session_get_results (es_window_get_session (window), dataset);
  g_autoptr (EsResult) moved = NULL;
  EsParams *panel = es_analyse_panel_get_params (analyse_of (window));
  const double last = 0.9995;
  guint disabled = 0;

  /* The button stays: a dragged threshold is not a run of its own. */
  g_signal_connect (window, "action-enabled-changed::run", G_CALLBACK (on_run_enabled), &disabled);
  /* A drag: many steps while jobs run, then the button is let go. */
  for (double value = 0.99; value > 0.6; value -= 0.03)
    {
      g_signal_emit_by_name (viewer, "threshold-moved", es_viewer_get_result (viewer), "threshold", value, FALSE);
      g_main_context_iteration (NULL, FALSE);
    }
  g_signal_emit_by_name (viewer, "threshold-moved", es_viewer_get_result (viewer), "threshold", last, TRUE);
  g_assert_cmpfloat_with_epsilon (es_params_get_float (panel, "threshold"), last, 1e-12);
  ES_TEST_WAIT (es_test_is_idle, window);

  g_assert_cmpuint (disabled, ==, 0);
  moved = g_object_ref (es_viewer_get_result (viewer));
  g_assert_true (moved != first);
  g_assert_cmpuint (g_list_model_get_n_items (results), ==, 1);
  g_assert_cmpfloat (es_params_get_float (es_result_get_params (moved), "threshold"), ==, last);
  g_assert_cmpuint (es_image_stack_get_planes (ES_IMAGE_STACK (es_result_find_layer (moved, "components"))), ==,
                    components_at (first, last));
  g_assert_true (es_data_tree_get_selected (es_test_tree (window)) == G_OBJECT (moved));
  es_test_close (window);
}

static void
test_threshold_frees_components (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);
  EsViewer *viewer = es_test_viewer (window);
  EsParams *panel = es_analyse_panel_get_params (analyse_of (window));
  g_autofree char *label = NULL;
  EsScreePane *scree;
  EsResult *result;
  EsCurve *curve;

  es_params_set_value (panel, "components", 5);
  result = es_test_run_and_wait (window);
  g_assert_cmpuint (es_image_stack_get_planes (ES_IMAGE_STACK (es_result_find_layer (result, "components"))), ==, 5);
  /* By number: the line stands at what the five keep. */
  curve = ES_CURVE (es_result_find_layer (result, "eigenvalues"));
  g_assert_cmpfloat (es_curve_get_threshold (curve), ==, es_curve_get_kept_share (curve, 5));
  g_assert_cmpfloat (es_curve_get_threshold (curve), <, 1);
  g_assert_cmpuint (es_curve_count_kept (curve, TRUE, es_curve_get_threshold (curve)), ==, 5);
  scree = ES_SCREE_PANE (es_test_find (GTK_WIDGET (window), ES_TYPE_SCREE_PANE, NULL));
  label = es_scree_pane_get_label (scree);
  g_assert_true (g_str_has_suffix (label, " · 5"));
  g_assert_false (g_str_has_prefix (label, "100 %"));
  g_signal_emit_by_name (viewer, "threshold-moved", result, "threshold", 0.8, TRUE);
  ES_TEST_WAIT (es_test_is_idle, window);
  result = es_viewer_get_result (viewer);
  g_assert_cmpint (es_params_get_int (es_result_get_params (result), "components"), ==, 0);
  g_assert_cmpint (es_params_get_int (panel, "components"), ==, 0);
  es_params_reset (panel);
  es_test_close (window);
}

static void
test_failed_run (void)
{
  g_autofree char *image = g_build_filename (es_test_folder (), "flat.img", NULL);
  g_autofree char *header = g_build_filename (es_test_folder (), "flat.hdr", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (image);
  g_autofree char *samples = g_malloc0 (8 * 8 * 3);
  EsWindow *window;
  g_autoptr (EsJob) job = NULL;

  /* Constant bands: there is no variance to share out. */
  g_assert_true (g_file_set_contents (image, samples, 8 * 8 * 3, NULL));
  g_assert_true (g_file_set_contents (header, "ENVI\nsamples = 8\nlines = 8\nbands = 3\nheader offset = 0\n"
                                              "data type = 1\ninterleave = bsq\nbyte order = 0\n", -1, NULL));
  window = es_test_window_with (file);
  es_test_activate (window, "run");
  ES_TEST_WAIT (es_test_is_idle, window);
  job = g_list_model_get_item (es_session_get_jobs (es_window_get_session (window)), 0);
  g_assert_cmpint (es_job_get_state (job), ==, ES_JOB_FAILED);
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, es_job_get_error (job)->message));
  g_assert_null (es_viewer_get_result (es_test_viewer (window)));
  g_assert_true (es_test_enabled (window, "run"));
  g_assert_true (es_test_enabled (window, "jobs"));
  es_test_close (window);
}

static void
test_banner (void)
{
  g_autofree char *image = g_build_filename (es_test_folder (), "odd.img", NULL);
  g_autofree char *header = g_build_filename (es_test_folder (), "odd.hdr", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (image);
  g_autofree char *samples = g_malloc0 (8 * 8 * 3);
  const char * const *notes;
  EsWindow *window;
  EsBanner *banner;

  /* A list of good bands that is too short is passed over, and that stays true of the data set. */
  g_assert_true (g_file_set_contents (image, samples, 8 * 8 * 3, NULL));
  g_assert_true (g_file_set_contents (header, "ENVI\nsamples = 8\nlines = 8\nbands = 3\nheader offset = 0\n"
                                              "data type = 1\ninterleave = bsq\nbyte order = 0\nbbl = {1, 1}\n",
                                      -1, NULL));
  window = es_test_window_with (file);
  banner = ES_BANNER (es_test_find (GTK_WIDGET (window), ES_TYPE_BANNER, NULL));
  notes = es_dataset_get_notes (es_viewer_get_dataset (es_test_viewer (window)));
  g_assert_nonnull (notes);
  g_assert_nonnull (es_banner_get_text (banner));
  g_assert_nonnull (strstr (es_banner_get_text (banner), notes[0]));
  /* Dismissed, it stays away. */
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (banner), "banner.dismiss", NULL));
  g_assert_null (es_banner_get_text (banner));
  es_test_close (window);
}

static void
test_remove_and_undo (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);
  EsViewer *viewer = es_test_viewer (window);
  g_autoptr (EsResult) result = g_object_ref (es_test_run_and_wait (window));
  EsDataset *dataset = es_viewer_get_dataset (viewer);
  GListModel *results = es_session_get_results (es_window_get_session (window), dataset);
  GtkWidget *undo;

  es_test_activate (window, "remove");
  g_assert_cmpuint (g_list_model_get_n_items (results), ==, 0);
  g_assert_null (es_viewer_get_result (viewer));
  g_assert_true (es_data_tree_get_selected (es_test_tree (window)) == G_OBJECT (dataset));
  g_assert_false (es_test_enabled (window, "save-all"));

  undo = gtk_widget_get_ancestor (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "_Undo"), GTK_TYPE_BUTTON);
  g_assert_nonnull (undo);
  g_signal_emit_by_name (undo, "clicked");
  g_assert_cmpuint (g_list_model_get_n_items (results), ==, 1);
  g_assert_true (es_viewer_get_result (viewer) == result);
  g_assert_true (es_data_tree_get_selected (es_test_tree (window)) == G_OBJECT (result));
  ES_TEST_WAIT (es_test_is_idle, window);
  es_test_close (window);
}

static void
test_cancel (void)
{
  g_autoptr (GFile) file = es_test_slow_cube ();
  EsWindow *window = es_test_window_with (file);
  GListModel *jobs = es_session_get_jobs (es_window_get_session (window));
  g_autoptr (EsJob) job = NULL;

  g_assert_true (es_params_parse (es_analyse_panel_get_params (analyse_of (window)), "eigensolver", "jacobi", NULL));
  /* On a machine that is busy enough the job may be done before this thread gets to cancel it. */
  for (guint attempt = 0; attempt < 5; attempt++)
    {
      guint rows = es_data_tree_get_n_rows (es_test_tree (window));

      es_test_activate (window, "run");
      es_test_activate (window, "cancel");
      ES_TEST_WAIT (es_test_is_idle, window);
      g_clear_object (&job);
      job = g_list_model_get_item (jobs, g_list_model_get_n_items (jobs) - 1);
      if (es_job_get_state (job) == ES_JOB_CANCELLED)
        {
          g_assert_cmpuint (es_data_tree_get_n_rows (es_test_tree (window)), ==, rows);
          break;
        }
    }
  g_assert_cmpint (es_job_get_state (job), ==, ES_JOB_CANCELLED);
  es_test_close (window);
  g_settings_reset (es_settings_get (), "parameters");
}

static void
test_columns (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);
  GtkWidget *inspector = es_viewer_get_inspector (es_test_viewer (window));
  GtkWidget *sidebar = GTK_WIDGET (es_test_tree (window));

  g_assert_true (gtk_widget_get_mapped (sidebar));
  g_assert_true (gtk_widget_get_mapped (inspector));
  es_test_activate (window, "sidebar");
  es_test_activate (window, "inspector");
  g_assert_false (gtk_widget_get_mapped (sidebar));
  g_assert_false (gtk_widget_get_mapped (inspector));
  es_test_activate (window, "sidebar");
  es_test_activate (window, "inspector");
  g_assert_true (gtk_widget_get_mapped (sidebar));
  g_assert_true (gtk_widget_get_mapped (inspector));
  es_test_close (window);
}

/* A button that is only an icon has a name, and says more to the pointer that rests on it. */
static guint
check_icon_buttons (GtkWidget *root)
{
  guint n = 0;

  if (GTK_IS_WINDOW_CONTROLS (root) || GTK_IS_SPIN_BUTTON (root))
    return 0;
  if (GTK_IS_BUTTON (root) && gtk_button_get_icon_name (GTK_BUTTON (root)) != NULL)
    {
      if (!gtk_test_accessible_has_property (GTK_ACCESSIBLE (root), GTK_ACCESSIBLE_PROPERTY_LABEL))
        g_error ("the button %s has no name", gtk_button_get_icon_name (GTK_BUTTON (root)));
      g_assert_true (es_get_tooltip (root) != NULL || gtk_widget_get_tooltip_text (root) != NULL);
      n++;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    n += check_icon_buttons (child);
  return n;
}

static void
test_accessible (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);
  GtkWidget *list = es_test_find (GTK_WIDGET (es_test_tree (window)), GTK_TYPE_LIST_VIEW, NULL);
  GtkWidget *header = es_test_find (GTK_WIDGET (window), ADW_TYPE_HEADER_BAR, NULL);
  GtkWidget *bar = es_test_find (GTK_WIDGET (window), ES_TYPE_STATUS_BAR, NULL);
  GtkWidget *run;

  gtk_test_accessible_assert_role (list, GTK_ACCESSIBLE_ROLE_LIST);
  gtk_test_accessible_assert_property (list, GTK_ACCESSIBLE_PROPERTY_LABEL, "Data sets and results");
  gtk_test_accessible_assert_role (gtk_widget_get_first_child (bar), GTK_ACCESSIBLE_ROLE_STATUS);
  /* The two columns' buttons; the cancel button; the reset buttons. */
  g_assert_cmpuint (check_icon_buttons (header), >=, 2);
  g_assert_cmpuint (check_icon_buttons (bar), >=, 1);
  g_assert_cmpuint (check_icon_buttons (GTK_WIDGET (analyse_of (window))), >=, 1);
  run = gtk_widget_get_ancestor (es_test_find (GTK_WIDGET (analyse_of (window)), GTK_TYPE_LABEL, "_Run"),
                                 GTK_TYPE_BUTTON);
  g_assert_true (gtk_widget_get_sensitive (run));
  g_assert_true (gtk_widget_get_focusable (run));
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  es_test_application ();

  g_test_add_func ("/shell/empty", test_empty);
  g_test_add_func ("/shell/open-and-run", test_open_and_run);
  g_test_add_func ("/shell/cost", test_cost);
  g_test_add_func ("/shell/threshold", test_threshold);
  g_test_add_func ("/shell/threshold-frees-components", test_threshold_frees_components);
  g_test_add_func ("/shell/failed-run", test_failed_run);
  g_test_add_func ("/shell/banner", test_banner);
  g_test_add_func ("/shell/remove-and-undo", test_remove_and_undo);
  g_test_add_func ("/shell/cancel", test_cancel);
  g_test_add_func ("/shell/columns", test_columns);
  g_test_add_func ("/shell/accessible", test_accessible);
  return g_test_run ();
}
