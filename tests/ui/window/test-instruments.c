/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the window does with more than one picture, device or page: comparing, devices, the report, the tutorial. */

#include <glib/gstdio.h>
#include <math.h>

#include "analyse/es-comparison-dialog.h"
#include "window/es-data-tree.h"
#include "report/es-step-bars.h"
#include "es-test-shell.h"
#include "window/es-tutorial.h"
#include "window/es-window-private.h"

static EsWindow *
window_with_result (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);

  es_test_activate (window, "run");
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_nonnull (es_viewer_get_result (es_test_viewer (window)));
  return window;
}

static gboolean
is_loaded (gpointer viewer)
{
  return !es_viewer_is_loading (viewer);
}

static void
test_compare (void)
{
  EsWindow *window = window_with_result ();
  EsViewer *viewer = es_test_viewer (window);
  GtkWidget *button = es_test_find (GTK_WIDGET (window), GTK_TYPE_TOGGLE_BUTTON, NULL);

  g_assert_nonnull (button);
  g_action_group_activate_action (G_ACTION_GROUP (window), "compare", NULL);
  ES_TEST_WAIT (is_loaded, viewer);
  g_assert_true (es_viewer_get_beside (viewer) == G_OBJECT (es_viewer_get_dataset (viewer)));
  gtk_widget_activate_action (GTK_WIDGET (viewer), "view.compare-mode", "s", "difference");
  ES_TEST_WAIT (is_loaded, viewer);
  g_action_group_activate_action (G_ACTION_GROUP (window), "compare", NULL);
  g_assert_null (es_viewer_get_beside (viewer));

  /* The second picture's result is removed while it is shown. */
  g_assert_true (es_test_enabled (window, "correlate"));
  g_action_group_activate_action (G_ACTION_GROUP (window), "compare", NULL);
  es_test_activate (window, "remove");
  ES_TEST_WAIT (is_loaded, viewer);
  g_assert_null (es_viewer_get_result (viewer));
  g_assert_false (es_test_enabled (window, "correlate"));
  es_test_close (window);
}

static gboolean
has_stopped (gpointer dialog)
{
  return !es_comparison_dialog_is_running (dialog);
}

static void
test_devices (void)
{
  EsWindow *window = window_with_result ();
  EsComparisonDialog *dialog;
  EsComparison *comparison;
  g_autofree char *path = g_build_filename (es_test_folder (), "devices.png", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  guint finished = 0;

  es_test_activate (window, "compare-devices");
  dialog = ES_COMPARISON_DIALOG (es_test_find_toplevel (ES_TYPE_COMPARISON_DIALOG));
  g_assert_nonnull (dialog);
  comparison = g_object_ref (es_comparison_dialog_get_comparison (dialog));
  g_assert_true (es_comparison_get_dataset (comparison) == es_viewer_get_dataset (es_test_viewer (window)));
  es_comparison_dialog_run (dialog);
  g_assert_true (es_comparison_dialog_is_running (dialog));
  ES_TEST_WAIT (has_stopped, dialog);
  g_assert_cmpuint (es_comparison_get_n_steps (comparison), >, 2);
  for (guint i = 0; i < es_comparison_get_n_contestants (comparison); i++)
    finished += es_comparison_get_total_ms (comparison, i) > 0;
  g_assert_cmpuint (finished, >=, 1);
  /* Again the same one; not a second window. */
  es_test_activate (window, "compare-devices");
  g_assert_true (es_test_find_toplevel (ES_TYPE_COMPARISON_DIALOG) == GTK_WIDGET (dialog));
  for (guint style = ES_STEP_BARS_STACKED; style <= ES_STEP_BARS_GROUPED; style++)
    {
      g_assert_cmpint (es_step_bars_get_height (comparison, style), >, 60);
      g_assert_true (es_step_bars_save (comparison, style, target, ES_PLOT_PNG, 700,
                                        es_step_bars_get_height (comparison, style), &error));
      g_assert_no_error (error);
      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  /* Closed while it runs: it stops. */
  g_object_ref (dialog);
  es_comparison_dialog_run (dialog);
  gtk_window_close (GTK_WINDOW (dialog));
  ES_TEST_WAIT (has_stopped, dialog);
  g_object_unref (dialog);
  g_object_unref (comparison);
  es_test_close (window);
}

static void
test_report (void)
{
  EsWindow *window = window_with_result ();
  g_autofree char *path = g_build_filename (es_test_folder (), "report.html", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autofree char *page = NULL;

  g_assert_true (es_test_enabled (window, "save-report"));
  g_assert_false (es_test_enabled (window, "save-noise"));
  es_window_save_report (window, target);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_true (g_file_get_contents (path, &page, NULL, NULL));
  g_assert_nonnull (strstr (page, "<html"));
  es_test_close (window);
}

static void
test_tutorial (void)
{
  EsWindow *window = es_test_window_with (NULL);

  es_test_activate (window, "tutorial");
  g_assert_nonnull (es_test_find_toplevel (ES_TYPE_TUTORIAL));
  es_test_close (window);
}

static void
test_run_operation (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);

  g_action_group_activate_action (G_ACTION_GROUP (window), "run-operation", g_variant_new_string ("pca"));
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_nonnull (es_viewer_get_result (es_test_viewer (window)));
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/instruments/compare", test_compare);
  g_test_add_func ("/instruments/devices", test_devices);
  g_test_add_func ("/instruments/report", test_report);
  g_test_add_func ("/instruments/tutorial", test_tutorial);
  g_test_add_func ("/instruments/run-operation", test_run_operation);
  return g_test_run ();
}
