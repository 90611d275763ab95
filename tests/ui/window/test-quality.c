/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Reconstructions that follow, and regions that become parameters, in the real window. */

#include <math.h>
#include <string.h>

#include "analyse/es-analyse-panel.h"
#include "inspector/es-components-pane.h"
#include "window/es-data-tree.h"
#include "inspector/es-inspector.h"
#include "result/es-operation.h"
#include "inspector/es-reconstruction-pane.h"
#include "inspector/es-region-pane.h"
#include "cube/es-region-set.h"
#include "inspector/es-scree-pane.h"
#include "session/es-judgement.h"
#include "es-test-shell.h"

static gpointer
find (EsWindow *window, GType type)
{
  return es_test_find (GTK_WIDGET (window), type, NULL);
}

static EsResult *
run_and_wait (EsWindow *window)
{
  EsAnalysePanel *analyse = find (window, ES_TYPE_ANALYSE_PANEL);

  g_assert_true (es_analyse_panel_set_operation (analyse, "pca"));
  es_params_set_value (es_analyse_panel_get_params (analyse), "threshold", 0.9999);
  es_test_activate (window, "run");
  ES_TEST_WAIT (es_test_is_idle, window);
  return es_viewer_get_result (es_test_viewer (window));
}

static double
number (EsResult *result, const char *name)
{
  return json_node_get_double (json_object_get_member (es_result_get_values (result), name));
}

static guint
count_results (EsWindow *window)
{
  EsDataset *dataset = es_viewer_get_dataset (es_test_viewer (window));

  return g_list_model_get_n_items (es_session_get_results (es_window_get_session (window), dataset));
}

static void
test_follow_switches (void)
{
  g_autoptr (GFile) file = es_test_cube ("quality.img", 11);
  EsWindow *window = es_test_window_with (file);
  EsResult *result = run_and_wait (window), *all, *fewer;
  EsReconstructionPane *pane = find (window, ES_TYPE_RECONSTRUCTION_PANE);
  EsComponentsPane *components = find (window, ES_TYPE_COMPONENTS_PANE);
  guint n = es_components_pane_get_n (components);

  g_assert_cmpuint (n, >=, 3);
  /* Nothing is computed before it is asked for. */
  g_assert_null (es_judgement_get_reconstruction (es_judgement_of (result)));
  g_assert_cmpuint (count_results (window), ==, 1);
  g_signal_emit_by_name (pane, "compute");
  g_assert_true (es_test_enabled (window, "run"));
  ES_TEST_WAIT (es_test_is_idle, window);
  all = es_judgement_get_reconstruction (es_judgement_of (result));
  for (guint i = 0; i < g_list_model_get_n_items (es_session_get_jobs (es_window_get_session (window))); i++)
    {
      g_autoptr (EsJob) job = g_list_model_get_item (es_session_get_jobs (es_window_get_session (window)), i);

      g_assert_no_error (es_job_get_error (job));
    }
  g_assert_nonnull (all);
  g_assert_true (es_reconstruction_pane_get_result (pane) == all);
  g_assert_true (es_judgement_find_source (all) == result);
  g_assert_cmpint ((int) number (all, "components"), ==, (int) n);
  /* It is there, and nobody has been pulled away. */
  g_assert_cmpuint (count_results (window), ==, 2);
  g_assert_true (es_viewer_get_result (es_test_viewer (window)) == result);
  g_assert_cmpuint (es_plot_get_n_series (es_reconstruction_pane_get_plot (pane)), >=, 1);

  /* A component less: the new one takes the place of the old, and is worse. */
  g_object_ref (all);
  es_components_pane_set_kept (components, 0, FALSE);
  ES_TEST_WAIT (es_test_is_idle, window);
  fewer = es_judgement_get_reconstruction (es_judgement_of (result));
  g_assert_true (fewer != all);
  g_assert_cmpint ((int) number (fewer, "components"), ==, (int) n - 1);
  g_assert_cmpfloat (number (fewer, "rmse"), >, number (all, "rmse"));
  g_assert_cmpuint (count_results (window), ==, 2);
  g_object_unref (all);

  /* Newest wins, however fast the switches are turned. */
  for (guint i = 0; i < n; i++)
    es_components_pane_set_kept (components, i, TRUE);
  for (guint i = 0; i + 1 < n; i++)
    es_components_pane_set_kept (components, i, FALSE);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_cmpint ((int) number (es_judgement_get_reconstruction (es_judgement_of (result)), "components"), ==, 1);
  g_assert_cmpuint (count_results (window), ==, 2);
  es_test_close (window);
}

static void
test_maps_and_threshold (void)
{
  g_autoptr (GFile) file = es_test_cube ("quality.img", 11);
  EsWindow *window = es_test_window_with (file);
  EsViewer *viewer = es_test_viewer (window);
  EsResult *result = run_and_wait (window), *reconstruction, *later;
  EsReconstructionPane *pane = find (window, ES_TYPE_RECONSTRUCTION_PANE);
  EsScreePane *scree = find (window, ES_TYPE_SCREE_PANE);
  g_autoptr (EsLayer) layer = NULL;
  g_autoptr (EsLayer) shown = NULL;
  double rmse;

  g_signal_emit_by_name (pane, "compute");
  ES_TEST_WAIT (es_test_is_idle, window);
  reconstruction = es_judgement_get_reconstruction (es_judgement_of (result));
  rmse = number (reconstruction, "rmse");

  /* The map is in the middle, and what is judged is still the result it was made of. */
  layer = g_object_ref (es_result_find_layer (reconstruction, "error"));
  g_signal_emit_by_name (pane, "show-layer", layer, 1u);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_true (es_viewer_get_result (viewer) == reconstruction);
  g_object_get (viewer, "layer", &shown, NULL);
  g_assert_true (shown == layer);
  {
    guint plane;

    g_object_get (viewer, "plane", &plane, NULL);
    g_assert_cmpuint (plane, ==, 1);
  }
  g_assert_true (es_inspector_get_judged (ES_INSPECTOR (es_viewer_get_inspector (viewer))) == result);
  g_assert_nonnull (es_scree_pane_get_curve (scree));
  g_assert_true (es_data_tree_get_selected (find (window, ES_TYPE_DATA_TREE)) == G_OBJECT (layer));

  /* The threshold dragged there: the reconstruction follows, and stays in view. */
  es_scree_pane_move (scree, 0.9, FALSE);
  es_scree_pane_move (scree, 0.6, TRUE);
  ES_TEST_WAIT (es_test_is_idle, window);
  later = es_viewer_get_result (viewer);
  g_assert_true (later != reconstruction);
  g_assert_cmpstr (es_result_get_operation (later)->id, ==, "reconstruct");
  g_assert_cmpfloat (number (later, "rmse"), >, rmse);
  g_assert_cmpuint (count_results (window), ==, 2);
  {
    EsResult *source = es_judgement_find_source (later);

    g_assert_nonnull (source);
    g_assert_true (source == es_inspector_get_judged (ES_INSPECTOR (es_viewer_get_inspector (viewer))));
    g_assert_cmpfloat (es_params_get_float (es_result_get_params (source), "threshold"), ==, 0.6);
    g_assert_cmpint ((int) number (later, "components"), ==, (int) number (source, "components"));
  }
  /* The residual is browsed band by band. */
  g_signal_emit_by_name (pane, "show-layer", es_result_find_layer (later, "residual"), 3u);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_true (es_viewer_get_result (viewer) == later);
  es_test_close (window);
}

static void
test_noise_region (void)
{
  g_autoptr (GFile) file = es_test_cube ("quality.img", 11);
  EsWindow *window = es_test_window_with (file);
  EsAnalysePanel *analyse = find (window, ES_TYPE_ANALYSE_PANEL);
  EsInspector *inspector = ES_INSPECTOR (es_viewer_get_inspector (es_test_viewer (window)));

  g_signal_emit_by_name (inspector, "noise-region", "rectangle 3 4 10 12");
  g_assert_cmpstr (es_analyse_panel_get_operation (analyse)->id, ==, "mnf");
  g_assert_cmpstr (es_params_get_choice_id (es_analyse_panel_get_params (analyse), "noise"), ==, "region");
  g_assert_cmpstr (es_params_get_text (es_analyse_panel_get_params (analyse), "region"), ==, "rectangle 3 4 10 12");
  es_test_close (window);
}

/* The button of a parameter; NULL: it is not offered. */
static GtkWidget *
find_use (EsRegionPane *pane, const char *key)
{
  GtkWidget *found = NULL;

  for (GtkWidget *at = GTK_WIDGET (pane); at != NULL && found == NULL;)
    {
      GVariant *target = GTK_IS_BUTTON (at) ? gtk_actionable_get_action_target_value (GTK_ACTIONABLE (at)) : NULL;

      if (target != NULL && g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (at)), "region.use") == 0
          && g_str_equal (g_variant_get_string (target, NULL), key))
        found = at;
      /* The next one in depth, within the pane. */
      GtkWidget *next = gtk_widget_get_first_child (at);
      while (next == NULL && at != GTK_WIDGET (pane))
        {
          next = gtk_widget_get_next_sibling (at);
          at = gtk_widget_get_parent (at);
        }
      at = next;
    }
  return found;
}

/* What a method asks for is offered under what is selected, and for each class; the method stays. */
static void
test_use_region (void)
{
  g_autoptr (GFile) file = es_test_cube ("use.img", 11);
  EsWindow *window = es_test_window_with (file);
  EsAnalysePanel *analyse = find (window, ES_TYPE_ANALYSE_PANEL);
  EsRegionPane *pane = find (window, ES_TYPE_REGION_PANE);
  EsRegionSet *classes = es_dataset_get_regions (es_viewer_get_dataset (es_test_viewer (window)));
  g_autoptr (EsRegion) lake = es_region_new_rectangle (2, 3, 5, 6), shore = es_region_new_rectangle (1, 2, 6, 7);
  EsParams *params;

  es_region_set_clear (classes);
  es_region_set_add (classes, "Lake", lake, 0x3584e4);
  es_region_set_add (classes, "Shore", shore, 0x33d17a);
  g_assert_true (es_analyse_panel_set_operation (analyse, "umap"));
  params = es_analyse_panel_get_params (analyse);
  es_params_reset (params);
  g_assert_null (find_use (pane, "region"));
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_null (strstr (es_analyse_panel_get_cost (analyse), "Region"));

  g_assert_true (es_params_parse (params, "subset", "region", NULL));
  g_assert_nonnull (find_use (pane, "region"));
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (find_use (pane, "region"))), ==, "Use as “Region” of UMAP");
  g_assert_cmpstr (es_analyse_panel_get_cost (analyse), ==, "“Region” is needed");
  /* Nothing is selected yet. */
  g_assert_false (gtk_widget_is_sensitive (find_use (pane, "region")));

  gtk_widget_activate_action (GTK_WIDGET (pane), "region.class-select", "u", 1u);
  g_assert_true (gtk_widget_is_sensitive (find_use (pane, "region")));
  g_signal_emit_by_name (find_use (pane, "region"), "clicked");
  g_assert_cmpstr (es_analyse_panel_get_operation (analyse)->id, ==, "umap");
  g_assert_cmpstr (es_params_get_text (params, "region"), ==, "rectangle 1 2 6 7");
  g_assert_null (strstr (es_analyse_panel_get_cost (analyse), "Region"));

  gtk_widget_activate_action (GTK_WIDGET (pane), "region.class-use", "(us)", 0u, "region");
  g_assert_cmpstr (es_params_get_text (params, "region"), ==, "rectangle 2 3 5 6");

  /* Noise has its own button; and another method asks for nothing. */
  g_assert_true (es_analyse_panel_set_operation (analyse, "mnf"));
  g_assert_true (es_params_parse (es_analyse_panel_get_params (analyse), "noise", "region", NULL));
  g_assert_null (find_use (pane, "region"));
  g_assert_true (es_analyse_panel_set_operation (analyse, "pca"));
  g_assert_null (find_use (pane, "region"));
  es_region_set_clear (classes);
  es_test_close (window);
}

/* Classes are there again when the cube is opened again. */
static void
test_classes_stay (void)
{
  g_autoptr (GFile) file = es_test_cube ("classes.img", 12);

  for (guint round = 0; round < 2; round++)
    {
      EsWindow *window = es_test_window_with (file);
      EsRegionSet *classes = es_dataset_get_regions (es_viewer_get_dataset (es_test_viewer (window)));
      g_autoptr (EsRegion) region = es_region_new_rectangle (2, 3, 5, 6);

      g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (classes)), ==, round);
      if (round == 0)
        {
          es_region_set_add (classes, "Lake", region, 0x3584e4);
        }
      else
        {
          g_autoptr (EsNamedRegion) lake = g_list_model_get_item (G_LIST_MODEL (classes), 0);

          g_assert_cmpstr (es_named_region_get_name (lake), ==, "Lake");
          g_assert_cmphex (es_named_region_get_colour (lake), ==, 0x3584e4);
          g_assert_cmpuint (es_named_region_get_count (lake), ==, 30);
          es_region_set_clear (classes);
        }
      es_test_close (window);
    }
}

/* Names of headers and files of regions: nothing in them is a control, a direction or markup. */
static void
test_names (void)
{
  static const char name[] = "<b>a</b>\033[2J\342\200\256", shown[] = "<b>a</b>\\x1b[2J\\u202e";
  g_autoptr (GFile) file = es_test_cube ("names.img", 13);
  g_autofree char *path = g_file_get_path (file), *lines = NULL, *whole = NULL;
  g_autoptr (GString) names = g_string_new ("band names = {");
  g_autoptr (EsRegion) rectangle = es_region_new_rectangle (2, 3, 5, 6);

  memcpy (path + strlen (path) - 3, "hdr", 3);
  g_assert_true (g_file_get_contents (path, &lines, NULL, NULL));
  g_string_append (names, name);
  for (guint i = 1; i < 24; i++)
    g_string_append_printf (names, ", %s", name);
  /* Wavelengths would be shown instead. */
  g_auto (GStrv) parts = g_strsplit (lines, "\nwavelength", -1);
  g_autofree char *without = g_strjoinv ("\nlength", parts);
  whole = g_strdup_printf ("%s\n%s}\n", without, names->str);
  g_assert_true (g_file_set_contents (path, whole, -1, NULL));

  EsWindow *window = es_test_window_with (file);
  EsDataset *dataset = es_viewer_get_dataset (es_test_viewer (window));
  g_assert_cmpstr (es_cube_get_band_name (ES_CUBE (dataset), 0), ==, shown);
  GtkWidget *label = es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, shown);
  g_assert_nonnull (label);
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (label)), shown));

  es_region_set_add (es_dataset_get_regions (dataset), "Lake\n<i>b</i>\033\342\200\256", rectangle, 0x3584e4);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_autoptr (EsNamedRegion) region = g_list_model_get_item (G_LIST_MODEL (es_dataset_get_regions (dataset)), 0);
  g_assert_cmpstr (es_named_region_get_name (region), ==, "Lake\\x0a<i>b</i>\\x1b\\u202e");
  es_region_set_clear (es_dataset_get_regions (dataset));
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/quality/follow-switches", test_follow_switches);
  g_test_add_func ("/quality/maps-and-threshold", test_maps_and_threshold);
  g_test_add_func ("/quality/noise-region", test_noise_region);
  g_test_add_func ("/quality/use-region", test_use_region);
  g_test_add_func ("/quality/classes-stay", test_classes_stay);
  g_test_add_func ("/quality/names", test_names);
  return g_test_run ();
}
