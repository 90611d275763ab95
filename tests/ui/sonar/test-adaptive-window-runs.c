/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Adaptive beams in the window: the slider, the comparison of methods, scenes, and what becomes of a run. */

#include <math.h>
#include <string.h>

#include "sonar/adaptive/es-adaptive-bar.h"
#include "window/es-data-tree.h"
#include "sonar/adaptive/es-methods-dialog.h"
#include "files/es-simulate-dialog.h"
#include "files/es-simulate-task.h"
#include "report/es-step-bars.h"
#include "charts/es-table-view.h"
#include "es-test-shell.h"
#include "es-test-adaptive-shell.h"

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

/* ---- methods ---- */

static gboolean
has_measured (gpointer dialog)
{
  return !es_methods_dialog_is_running (dialog);
}

static void
test_compare_methods (EsTestAdaptiveFixture *fixture, gconstpointer data)
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

static gboolean
has_command (gpointer window)
{
  return es_test_find (window, GTK_TYPE_LABEL, "Command copied") != NULL;
}

static void
test_copy_command (EsTestAdaptiveFixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  es_params_set_value (fixture->params, "snapshots", 12);
  es_params_set_text (fixture->params, "loading", "0.03");
  g_assert_true (es_test_enabled (fixture->window, "copy-command"));
  es_test_activate (fixture->window, "copy-command");
  ES_TEST_WAIT (has_command, fixture->window);
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
test_run (EsTestAdaptiveFixture *fixture, gconstpointer data)
{
  EsSonarView *view = es_test_sonar_view (fixture->window);
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

/* The unit of the axis stands apart from its last number, also where that is at the end. */
static void
test_bars_unit (void)
{
  const char *titles[] = { "One" }, *steps[] = { "First" };
  const double ms[] = { 1000 };
  const EsStepBarsRows rows = { 1, 1, titles, steps, ms, ms, NULL };
  const int width = 500, height = es_step_bars_get_rows_height (&rows, ES_STEP_BARS_STACKED);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (surface);
  const int stride = cairo_image_surface_get_stride (surface);
  int gap = 0, widest = 0, last = -1, bottom = 0;

  es_step_bars_draw_rows (&rows, ES_STEP_BARS_STACKED, cr, width, height, &es_plot_colors_print);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      bottom = cairo_image_surface_get_data (surface)[y * stride + 4 * x] < 200 ? y : bottom;
  /* Texts of the axis stand lowest; from the right the unit comes first. */
  for (int x = width - 1; x >= 0 && (last < 0 || x > last - 40); x--)
    {
      gboolean ink = FALSE;

      for (int y = bottom - 6; y <= bottom; y++)
        ink |= cairo_image_surface_get_data (surface)[y * stride + 4 * x] < 200;
      if (ink && last < 0)
        last = x;
      gap = ink ? 0 : gap + 1;
      widest = last >= 0 ? MAX (widest, gap) : 0;
    }
  g_assert_cmpint (last, >, 0);
  g_assert_cmpint (widest, >=, 5);
  cairo_surface_destroy (surface);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/adaptive-window/slider", test_slider);
  g_test_add_func ("/adaptive-window/words", test_words);
  g_test_add_func ("/adaptive-window/scenes", test_scenes);
  g_test_add_func ("/adaptive-window/bars", test_bars);
  g_test_add_func ("/adaptive-window/bars-unit", test_bars_unit);
  ES_TEST_ADD_ADAPTIVE ("compare-methods", "mvdr", test_compare_methods);
  ES_TEST_ADD_ADAPTIVE ("copy-command", "mvdr", test_copy_command);
  ES_TEST_ADD_ADAPTIVE ("run", "mvdr", test_run);
  return g_test_run ();
}
