/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A plan for a cluster in the laboratory: it is there at once, follows every change, says why there is none, and is
 * saved. */

#include <math.h>
#include <string.h>

#include "charts/es-plot-view.h"
#include "charts/es-table-view.h"
#include "es-test-shell.h"
#include "lab/es-lab-overview.h"
#include "lab/es-lab-workspace.h"
#include "lab/plan/es-cluster-form.h"
#include "lab/plan/es-cluster-keep.h"
#include "lab/plan/es-cluster-results.h"
#include "lab/plan/es-cluster-view.h"
#include "params/es-param-row.h"
#include "window/es-window-private.h"

#define SECONDS(view) (es_cluster_choice_get_plan (es_cluster_view_get_choice (view))->times[0].seconds)

static void
activate (EsWindow *window, const char *name, const char *target)
{
  g_autofree char *full = g_strconcat ("win.", name, NULL);

  g_assert_true (es_test_enabled (window, name));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), full, target != NULL ? "s" : NULL, target));
}

static EsClusterView *
open_plan (EsWindow *window)
{
  GtkWidget *view;

  activate (window, "open-device", "cpu");
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_false (es_test_enabled (window, "lab-save-plan"));
  activate (window, "lab-plan", NULL);
  view = es_test_find (GTK_WIDGET (window), ES_TYPE_CLUSTER_VIEW, NULL);
  g_assert_nonnull (view);
  return ES_CLUSTER_VIEW (view);
}

static gboolean changed;

static void
on_changed (void)
{
  changed = TRUE;
}

static gboolean
has_changed (gpointer data)
{
  return changed;
}

/* What has been told is planned once the choice says so. */
static void
wait_for_change (void)
{
  ES_TEST_WAIT (has_changed, NULL);
  changed = FALSE;
}

static EsParamRow *
find_row (GtkWidget *root, const char *key)
{
  g_autoptr (GPtrArray) todo = g_ptr_array_new ();

  g_ptr_array_add (todo, root);
  for (guint i = 0; i < todo->len; i++)
    for (GtkWidget *child = gtk_widget_get_first_child (g_ptr_array_index (todo, i)); child != NULL;
         child = gtk_widget_get_next_sibling (child))
      {
        if (ES_IS_PARAM_ROW (child) && strcmp (es_param_row_get_spec (ES_PARAM_ROW (child))->key, key) == 0)
          return ES_PARAM_ROW (child);
        g_ptr_array_add (todo, child);
      }
  return NULL;
}

/* From the list of experiments to a plan of a terabyte; its figures are changed there; and back. */
static void
test_figures (void)
{
  EsWindow *window = es_test_window_with (NULL);
  EsClusterView *view = open_plan (window);
  EsClusterChoice *choice = es_cluster_view_get_choice (view);
  GtkWidget *results = es_test_find (GTK_WIDGET (view), ES_TYPE_CLUSTER_RESULTS, NULL);
  GtkWidget *overview = es_test_find (GTK_WIDGET (window), ES_TYPE_LAB_OVERVIEW, NULL);
  EsParamRow *row = find_row (GTK_WIDGET (view), "read");
  double before;

  g_signal_connect (choice, "changed", G_CALLBACK (on_changed), NULL);
  g_assert_false (gtk_widget_get_mapped (overview));
  g_assert_nonnull (es_test_find (results, GTK_TYPE_LABEL, "The 64 nodes of this cluster take "));
  g_assert_nonnull (es_test_find (results, ES_TYPE_PLOT_VIEW, NULL));
  g_assert_cmpuint (es_cluster_results_get_nodes (ES_CLUSTER_RESULTS (results)), ==, 64);
  g_assert_nonnull (row);

  /* One node reads 5 GB/s; half as fast a disk of each is what the first pass takes twice as long for. */
  before = SECONDS (view);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (es_param_row_get_control (find_row (GTK_WIDGET (view), "node-read"))),
                             log10 (2.5));
  wait_for_change ();
  g_assert_cmpfloat (SECONDS (view), >, before + 150);
  es_params_reset (es_cluster_choice_get_figures (choice));
  wait_for_change ();
  g_assert_cmpfloat_with_epsilon (SECONDS (view), before, 1e-9 * before);

  /* Without a disk there is nothing to be told of it. */
  es_params_set_value (es_cluster_choice_get_figures (choice), "disk", FALSE);
  wait_for_change ();
  g_assert_cmpfloat (SECONDS (view), <, before);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (row)));

  activate (window, "lab-back", NULL);
  g_assert_true (gtk_widget_get_mapped (overview));
  g_assert_false (es_test_enabled (window, "lab-save-plan"));
  /* What was chosen is still there. */
  activate (window, "lab-plan", NULL);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (view)));
  g_assert_cmpfloat (SECONDS (view), <, before);
  es_test_close (window);
}

/* The number of nodes that is looked at: typed, and dragged in the plot. */
static void
test_nodes (void)
{
  EsWindow *window = es_test_window_with (NULL);
  EsClusterView *view = open_plan (window);
  GtkWidget *results = es_test_find (GTK_WIDGET (view), ES_TYPE_CLUSTER_RESULTS, NULL);
  GtkWidget *plot = es_test_find (results, ES_TYPE_PLOT_VIEW, NULL);
  GtkWidget *spin = es_test_find (results, GTK_TYPE_SPIN_BUTTON, NULL);

  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), 8);
  g_assert_cmpuint (es_cluster_results_get_nodes (ES_CLUSTER_RESULTS (results)), ==, 8);
  g_assert_nonnull (es_test_find (results, GTK_TYPE_LABEL, "8 nodes take "));
  g_assert_cmpfloat (es_plot_get_marker (es_plot_view_get_plot (ES_PLOT_VIEW (plot)), 0), ==, 8);
  g_signal_emit_by_name (plot, "marker-moved", 0, 99.6, TRUE);
  g_assert_nonnull (es_test_find (results, GTK_TYPE_LABEL, "100 nodes take "));
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (spin)), ==, 100);
  g_signal_emit_by_name (plot, "marker-moved", 0, 1e9, TRUE);
  g_assert_cmpuint (es_cluster_results_get_nodes (ES_CLUSTER_RESULTS (results)), ==, 1000);
  es_test_close (window);
}

/* Other data: a shape that is none says so, and is not saved; an open cube; a recording and its array. */
static void
test_data (void)
{
  g_autoptr (GFile) cube = es_test_cube ("planned.img", 3);
  EsWindow *window = es_test_window_with (cube);
  EsClusterView *view = open_plan (window);
  EsClusterChoice *choice = es_cluster_view_get_choice (view);
  GListModel *datasets = es_session_get_datasets (es_window_get_session (window));
  g_autoptr (EsDataset) first = g_list_model_get_item (datasets, 0);

  g_signal_connect (choice, "changed", G_CALLBACK (on_changed), NULL);
  es_cluster_choice_set_shape (choice, "12x12");
  wait_for_change ();
  g_assert_null (es_cluster_choice_get_plan (choice));
  g_assert_nonnull (es_test_find (GTK_WIDGET (view), GTK_TYPE_LABEL, "“12x12” is no shape"));
  g_assert_null (es_test_find (GTK_WIDGET (view), ES_TYPE_PLOT_VIEW, NULL));
  g_assert_false (es_test_enabled (window, "lab-save-plan"));
  g_assert_true (es_test_enabled (window, "lab-open-cluster"));

  g_assert_true (ES_IS_CUBE (first));
  es_cluster_choice_set_dataset (choice, first);
  g_assert_nonnull (es_cluster_choice_get_plan (choice));
  g_assert_cmpfloat (es_cluster_choice_get_plan (choice)->work->bytes, ==, 40 * 30 * 24 * 2);
  g_assert_true (es_test_enabled (window, "lab-save-plan"));

  /* An operation on recordings has no use for it. */
  es_cluster_choice_set_operation (choice, "mvdr");
  g_assert_null (es_cluster_choice_get_dataset (choice));
  g_assert_nonnull (es_cluster_choice_get_plan (choice));
  g_assert_cmpstr (es_cluster_choice_get_plan (choice)->work->operation, ==, "mvdr");
  changed = FALSE;
  es_cluster_choice_set_array (choice, "");
  wait_for_change ();
  g_assert_null (es_cluster_choice_get_plan (choice));
  es_cluster_choice_set_array (choice, "line:64,0.75");
  wait_for_change ();
  g_assert_nonnull (es_cluster_choice_get_plan (choice));

  /* Data that are closed are not planned any more. */
  es_cluster_choice_set_operation (choice, "pca");
  es_cluster_choice_set_dataset (choice, first);
  es_session_remove_dataset (es_window_get_session (window), first);
  g_assert_null (es_cluster_choice_get_dataset (choice));
  es_test_close (window);
}

static gboolean
is_planned (gpointer choice)
{
  return es_cluster_choice_get_plan (choice) != NULL;
}

/* The list of clusters. */
static GtkDropDown *
find_clusters (GtkWidget *widget)
{
  GtkDropDown *found = NULL;

  if (GTK_IS_DROP_DOWN (widget))
    {
      GListModel *model = gtk_drop_down_get_model (GTK_DROP_DOWN (widget));
      const char *first = GTK_IS_STRING_LIST (model) ? gtk_string_list_get_string (GTK_STRING_LIST (model), 0) : NULL;

      return g_strcmp0 (first, "sixteen-cards") == 0 ? GTK_DROP_DOWN (widget) : NULL;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_clusters (child);
  return found;
}

/* A list from which something is chosen stays: the drop-down still works with it. What was a file is in it no more. */
static void
test_list (void)
{
  EsWindow *window = es_test_window_with (NULL);
  EsClusterView *view = open_plan (window);
  EsClusterChoice *choice = es_cluster_view_get_choice (view);
  GtkDropDown *clusters = find_clusters (GTK_WIDGET (view));
  GListModel *list;
  g_autofree char *path = g_build_filename (es_test_folder (), "cluster-of-list.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  EsLabWorkspace *lab = ES_LAB_WORKSPACE (es_window_get_workspace (window, ES_TYPE_LAB_WORKSPACE));
  g_autoptr (GError) error = NULL;
  guint n;

  g_assert_nonnull (clusters);
  list = gtk_drop_down_get_model (clusters);
  n = g_list_model_get_n_items (list);
  es_lab_workspace_save_plan (lab, file, TRUE);
  g_assert_true (es_cluster_choice_load (choice, file, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (g_list_model_get_n_items (list), ==, n + 1);
  g_assert_cmpuint (gtk_drop_down_get_selected (clusters), ==, n);
  gtk_drop_down_set_selected (clusters, 0);
  g_assert_cmpstr (es_cluster_choice_get_source (choice), ==, "sixteen-cards");
  g_assert_true (gtk_drop_down_get_model (clusters) == list);
  g_assert_cmpuint (g_list_model_get_n_items (list), ==, n);
  g_assert_cmpuint (gtk_drop_down_get_selected (clusters), ==, 0);
  gtk_drop_down_set_selected (clusters, 1);
  g_assert_cmpstr (es_cluster_choice_get_source (choice), ==, "sixty-four");
  g_assert_true (gtk_drop_down_get_model (clusters) == list);
  es_test_close (window);
}

/* This machine, which is measured; what is saved of it can be opened again. */
static void
test_files (void)
{
  EsWindow *window = es_test_window_with (NULL);
  EsClusterView *view = open_plan (window);
  EsClusterChoice *choice = es_cluster_view_get_choice (view);
  EsLabWorkspace *lab = ES_LAB_WORKSPACE (es_window_get_workspace (window, ES_TYPE_LAB_WORKSPACE));
  static const struct { const char *name, *has; } files[] = {
    { "plan.html", "</html>" }, { "plan.csv", "1000,1000," }, { "plan.json", "\"useful_nodes\"" },
  };
  g_autofree char *path = g_build_filename (es_test_folder (), "cluster.json", NULL);
  g_autoptr (GFile) cluster = g_file_new_for_path (path), html = NULL;
  g_autoptr (GError) error = NULL;
  double seconds;

  es_cluster_choice_set_here (choice);
  g_assert_nonnull (es_test_find (GTK_WIDGET (view), GTK_TYPE_LABEL, "is being measured"));
  ES_TEST_WAIT (is_planned, choice);
  g_assert_cmpstr (es_cluster_choice_get_source (choice), ==, "here");
  g_assert_cmpfloat (es_cluster_choice_get_cluster (choice)->bandwidth, >, 1e6);
  g_assert_nonnull (es_test_find (GTK_WIDGET (view), GTK_TYPE_LABEL, "one thread was measured"));
  seconds = SECONDS (view);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *name = g_build_filename (es_test_folder (), files[i].name, NULL), *text = NULL;
      g_autoptr (GFile) file = g_file_new_for_path (name);

      es_lab_workspace_save_plan (lab, file, FALSE);
      g_assert_true (g_file_get_contents (name, &text, NULL, &error));
      g_assert_nonnull (strstr (text, files[i].has));
      if (i == 0)
        html = g_object_ref (file);
    }
  es_lab_workspace_save_plan (lab, cluster, TRUE);
  es_cluster_choice_set_installed (choice, "sixteen-cards");
  g_assert_nonnull (find_row (GTK_WIDGET (view), "cards"));
  g_assert_null (es_test_find (GTK_WIDGET (view), GTK_TYPE_LABEL, "one thread was measured"));
  g_assert_true (es_cluster_choice_load (choice, cluster, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (SECONDS (view), seconds, 1e-9 * seconds);
  g_assert_null (find_row (GTK_WIDGET (view), "cards"));
  /* What is none is said, and nothing changes. */
  g_assert_false (es_cluster_choice_load (choice, html, &error));
  g_assert_nonnull (es_cluster_choice_get_plan (choice));
  /* Nor is it in the way of another one that comes before it. */
  es_cluster_choice_set_here (choice);
  es_cluster_choice_set_installed (choice, "sixty-four");
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_cmpstr (es_cluster_choice_get_source (choice), ==, "sixty-four");
  es_test_close (window);
}

/* What a session keeps is planned again, before and after the page has been looked at; what is none of it is not. */
static void
test_session (void)
{
  EsWindow *window = es_test_window_with (NULL), *other;
  EsClusterView *view = open_plan (window);
  EsClusterChoice *choice = es_cluster_view_get_choice (view);
  EsWorkspace *lab = es_window_get_workspace (window, ES_TYPE_LAB_WORKSPACE);
  g_autoptr (JsonNode) told = NULL, again = NULL;
  g_autoptr (JsonNode) wrong = json_from_string ("{\"operation\": \"mnf\", \"shape\": 3, \"params\": [], \"source\": "
                                                 "\"\", \"cluster\": {\"format\": \"x\"}, \"figures\": 1}", NULL);
  double seconds;

  es_cluster_choice_set_operation (choice, "fastica");
  es_cluster_choice_set_shape (choice, "3000x2000x100:float32");
  es_params_set_value (es_cluster_choice_get_params (choice), "components", 7);
  es_cluster_choice_set_installed (choice, "sixteen-cards");
  es_params_set_value (es_cluster_choice_get_figures (choice), "cards", 2);
  g_signal_connect (choice, "changed", G_CALLBACK (on_changed), NULL);
  changed = FALSE;
  wait_for_change ();
  seconds = SECONDS (view);
  told = es_shell_tell_sections (es_workspace_get_shell (lab));
  es_test_close (window);

  other = es_test_window_with (NULL);
  lab = es_window_get_workspace (other, ES_TYPE_LAB_WORKSPACE);
  es_shell_take_sections (es_workspace_get_shell (lab), json_node_get_object (told));
  again = es_shell_tell_sections (es_workspace_get_shell (lab));
  g_assert_true (json_node_equal (json_object_get_member (json_node_get_object (told), "lab-plan"),
                                  json_object_get_member (json_node_get_object (again), "lab-plan")));
  view = open_plan (other);
  choice = es_cluster_view_get_choice (view);
  g_signal_connect (choice, "changed", G_CALLBACK (on_changed), NULL);
  changed = FALSE;
  wait_for_change ();
  g_assert_cmpstr (es_cluster_choice_get_operation (choice), ==, "fastica");
  g_assert_cmpstr (es_cluster_choice_get_source (choice), ==, "sixteen-cards");
  g_assert_cmpfloat_with_epsilon (SECONDS (view), seconds, 1e-9 * seconds);
  es_cluster_choice_take (choice, wrong);
  g_assert_cmpstr (es_cluster_choice_get_operation (choice), ==, "mnf");
  g_assert_cmpstr (es_cluster_choice_get_shape (choice), ==, "3000x2000x100:float32");
  g_assert_cmpstr (es_cluster_choice_get_source (choice), ==, "sixteen-cards");
  es_test_close (other);
}

int
main (int argc, char **argv)
{
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/lab-plan/figures", test_figures);
  g_test_add_func ("/ui/lab-plan/nodes", test_nodes);
  g_test_add_func ("/ui/lab-plan/data", test_data);
  g_test_add_func ("/ui/lab-plan/list", test_list);
  g_test_add_func ("/ui/lab-plan/files", test_files);
  g_test_add_func ("/ui/lab-plan/session", test_session);
  return g_test_run ();
}
