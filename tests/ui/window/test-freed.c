/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What is closed is let go: a cube of a window that stays open, and a window with all that it showed. */

#include "analyse/es-analyse-panel.h"
#include "es-test-shell.h"
#include "viewer/es-viewer-private.h"

static gboolean
is_gone (gpointer weak)
{
  return *(gpointer *) weak == NULL;
}

static EsResult *
run (EsWindow *window, const char *operation)
{
  EsAnalysePanel *panel = ES_ANALYSE_PANEL (es_test_find (GTK_WIDGET (window), ES_TYPE_ANALYSE_PANEL, NULL));

  g_assert_true (es_analyse_panel_set_operation (panel, operation));
  return es_test_run_and_wait (window);
}

/* Looked at in every way that keeps something of it. */
static void
work (EsWindow *window)
{
  EsViewer *viewer = es_test_viewer (window);
  g_autoptr (EsRegion) region = es_region_parse ("rectangle 3 4 9 9", NULL);

  es_viewer_select_pixel (viewer, 7, 9);
  g_object_set (viewer, "spectra", TRUE, NULL);
  es_spectrum_collection_add_pixel (es_viewer_get_collection (viewer), ES_CUBE (es_viewer_get_dataset (viewer)), 4, 9, 1);
  run (window, "pca");
  run (window, "mnf");
  g_signal_emit_by_name (viewer->left.view, "region-drawn", region);
  g_assert_true (es_viewer_show_beside (viewer, G_OBJECT (es_viewer_get_dataset (viewer)), 0));
  ES_TEST_WAIT (es_test_is_idle, window);
  es_spectrum_collection_clear (es_viewer_get_collection (viewer));
  ES_TEST_WAIT (es_test_is_idle, window);
}

static void
test_dataset (void)
{
  g_autoptr (GFile) file = es_test_cube ("freed.img", 3);
  EsWindow *window = es_test_window_with (file);
  gpointer cube = es_viewer_get_dataset (es_test_viewer (window));

  g_object_add_weak_pointer (cube, &cube);
  work (window);
  es_session_remove_dataset (es_window_get_session (window), cube);
  ES_TEST_WAIT (es_test_is_idle, window);
  ES_TEST_WAIT (is_gone, &cube);
  es_test_close (window);
}

static void
test_window (void)
{
  g_autoptr (GFile) file = es_test_cube ("freed.img", 3);
  EsWindow *window = es_test_window_with (file);
  gpointer weak = window, viewer = es_test_viewer (window), cube = es_viewer_get_dataset (viewer);

  g_object_add_weak_pointer (weak, &weak);
  g_object_add_weak_pointer (viewer, &viewer);
  g_object_add_weak_pointer (cube, &cube);
  work (window);
  es_test_close (window);
  ES_TEST_WAIT (is_gone, &weak);
  ES_TEST_WAIT (is_gone, &viewer);
  ES_TEST_WAIT (is_gone, &cube);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/freed/dataset", test_dataset);
  g_test_add_func ("/freed/window", test_window);
  return g_test_run ();
}
