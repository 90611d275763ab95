/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the inspector says of reductions along a manifold: how well they keep neighbours, beside PCA and MNF, and their
 * eigenvalues, which are no shares of anything. */

#include "es-test-views.h"

#include <math.h>
#include <string.h>

#include "inspector/es-embedding-pane.h"
#include "inspector/es-inspector-private.h"
#include "layer/es-layer-internal.h"
#include "operations/es-operations.h"
#include "plot/es-plot-private.h"

static EsInspector *
inspector_of (Fixture *fixture)
{
  return ES_INSPECTOR (fixture->inspector);
}

static EsTable *
make_table_of (const char *first)
{
  static const double numbers[3][3] = { { 0.975, 0.1234, NAN }, { 0.5, 1, NAN }, { NAN, 0.25, NAN } };
  const char *const names[] = { first, "PCA", "MNF" };
  EsTable *table = es_table_new ("quality", "Quality");

  es_table_add_column (table, "Reduction", NULL, -1);
  es_table_add_column (table, "Trustworthiness", NULL, 4);
  es_table_add_column (table, "Residual variance", NULL, 4);
  es_table_add_column (table, "Neighbourhood hit", NULL, 4);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    es_table_add_row (table, (gconstpointer[]) { names[i], &numbers[i][0], &numbers[i][1], &numbers[i][2] });
  return table;
}

static EsTable *
make_table (void)
{
  return make_table_of ("UMAP");
}

/* How many labels below a widget have that text, and whether any of them is cut. */
static guint
count_labels (GtkWidget *widget, const char *text, gboolean *cut)
{
  guint n = 0;

  if (GTK_IS_LABEL (widget) && g_strcmp0 (gtk_label_get_text (GTK_LABEL (widget)), text) == 0)
    {
      n++;
      *cut = *cut || pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (widget)));
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += count_labels (child, text, cut);
  return n;
}

/* In a column as narrow as that of a small screen measures can be read: the name of a reduction leaves them room. */
static void
test_narrow (void)
{
  GtkWidget *window = gtk_window_new (), *pane = es_embedding_pane_new ();
  g_autoptr (EsTable) table = make_table_of ("Laplacian eigenmaps");
  gboolean cut = FALSE;

  es_embedding_pane_set_table (ES_EMBEDDING_PANE (pane), table);
  gtk_window_set_default_size (GTK_WINDOW (window), 326, 300);
  gtk_window_set_child (GTK_WINDOW (window), pane);
  gtk_window_present (GTK_WINDOW (window));
  for (guint i = 0; i < 40; i++)
    {
      g_usleep (4000);
      while (g_main_context_pending (NULL))
        g_main_context_iteration (NULL, FALSE);
    }
  g_assert_cmpuint (count_labels (pane, "Laplacian\neigenmaps", &cut), ==, 1);
  g_assert_cmpuint (count_labels (pane, "Trustworthiness", &cut), ==, 1);
  g_assert_cmpuint (count_labels (pane, "Residual variance", &cut), ==, 1);
  g_assert_false (cut);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A measure a row, a reduction a column; what was not measured of any has no row. */
static void
test_pane (void)
{
  EsEmbeddingPane *pane = ES_EMBEDDING_PANE (g_object_ref_sink (es_embedding_pane_new ()));
  g_autoptr (EsTable) table = make_table (), empty = es_table_new ("quality", "Quality");
  g_autofree char *text = NULL, *detail = NULL;

  es_embedding_pane_set_table (pane, table);
  text = es_embedding_pane_to_text (pane);
  g_assert_cmpstr (text, ==, "Measure\tUMAP\tPCA\tMNF\n"
                             "Trustworthiness\t0.9750\t0.5000\t–\n"
                             "Residual variance\t0.1234\t1.0000\t0.2500\n");
  detail = es_embedding_pane_describe (pane);
  g_assert_cmpstr (detail, ==, "Trustworthiness 0.9750");
  es_embedding_pane_set_table (pane, empty);
  g_assert_null (es_embedding_pane_describe (pane));
  es_embedding_pane_set_table (pane, NULL);
  g_assert_null (es_embedding_pane_describe (pane));
  g_object_unref (pane);
}

static EsResult *
run (Fixture *fixture, const char *id)
{
  const EsOperation *operation = es_operation_find (id, NULL);
  g_autoptr (EsParams) params = es_params_new (operation->params);
  g_autoptr (EsJob) job = NULL;
  g_autoptr (GError) error = NULL;
  EsResult *result;

  g_assert_true (es_params_parse (params, "samples", "300", &error));
  g_assert_true (es_params_parse (params, "dimensions", "3", &error));
  job = es_job_new (operation, ES_DATASET (fixture->test->cube), params, es_device_get_cpu (), NULL, NULL);
  result = es_job_run (job, &error);
  g_assert_no_error (error);
  return result;
}

static void
test_inspector (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EsResult) result = NULL, pca = es_test_cube_pca (fixture->test, 0.99999, NULL);
  EsInspector *inspector = inspector_of (fixture);
  EsSection *section;
  g_autofree char *text = NULL;

  es_views_show_cube (fixture);
  es_views_settle (fixture);
  g_assert_false (es_views_section_visible (fixture, "embedding"));
  result = run (fixture, "kernel-pca");
  es_viewer_show_result (fixture->viewer, result, NULL, NULL);
  es_views_settle (fixture);
  g_assert_true (es_views_section_visible (fixture, "embedding"));
  section = es_views_find_section (fixture->inspector, "embedding");
  g_assert_true (g_str_has_prefix (es_section_get_detail (section), "Trustworthiness 0."));
  text = es_embedding_pane_to_text (inspector->embedding);
  g_assert_true (g_str_has_prefix (text, "Measure\tKernel PCA\tPCA\t"));
  g_assert_nonnull (strstr (text, "Continuity\t"));
  /* Nothing was asked to be kept of more: nothing is told of it. */
  section = es_views_find_section (fixture->inspector, "eigenvalues");
  g_assert_true (es_views_section_visible (fixture, "eigenvalues"));
  g_assert_true (es_section_get_detail (section) == NULL || *es_section_get_detail (section) == '\0');
  g_assert_cmpuint (es_plot_get_n_series (es_scree_pane_get_plot (inspector->scree)), ==, 1);
  g_assert_cmpuint (es_plot_get_n_markers (es_scree_pane_get_plot (inspector->scree)), ==, 0);
  g_assert_false (es_views_section_visible (fixture, "reconstruction"));
  es_views_screenshot (fixture->window, "embedding");

  es_viewer_show_result (fixture->viewer, pca, NULL, NULL);
  es_views_settle (fixture);
  g_assert_false (es_views_section_visible (fixture, "embedding"));
  g_assert_cmpuint (es_plot_get_n_series (es_scree_pane_get_plot (inspector->scree)), ==, 3);
  g_assert_true (es_scree_pane_get_plot (inspector->scree)->has_right_axis);

  /* The axis of PCA's shares does not stay beside eigenvalues that have none. */
  es_viewer_show_result (fixture->viewer, result, NULL, NULL);
  es_views_settle (fixture);
  g_assert_cmpuint (es_plot_get_n_series (es_scree_pane_get_plot (inspector->scree)), ==, 1);
  g_assert_false (es_scree_pane_get_plot (inspector->scree)->has_right_axis);
}

/* A method that has no eigenvalues shows none: what stands beside its components is called what it is. */
static void
test_without_values (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EsResult) result = NULL;
  EsComponentsPane *components = ES_COMPONENTS_PANE (inspector_of (fixture)->components);
  g_autofree char *text = NULL;

  es_views_show_cube (fixture);
  es_views_settle (fixture);
  result = run (fixture, "umap");
  es_viewer_show_result (fixture->viewer, result, NULL, NULL);
  es_views_settle (fixture);
  g_assert_true (es_views_section_visible (fixture, "embedding"));
  g_assert_true (es_views_section_visible (fixture, "components"));
  g_assert_false (es_views_section_visible (fixture, "eigenvalues"));
  g_assert_false (es_views_section_visible (fixture, "reconstruction"));
  g_assert_false (es_views_section_visible (fixture, "loadings"));
  text = es_components_pane_to_text (components);
  g_assert_nonnull (strstr (text, "\tKurtosis\t"));
  g_assert_null (strstr (text, "Eigenvalue"));
  g_assert_nonnull (strstr (text, "\nUMAP 1\t"));
}

/* Above the first of each group there is a heading, and above no other. */
static void
test_groups (void)
{
  const EsOperation *last = NULL;
  guint n = 0;

  for (const EsOperation * const *at = es_operations_get (); *at != NULL; at++)
    {
      if (((*at)->takes & ES_DATASET_CUBE) == 0 || (*at)->of_result)
        continue;
      g_assert_nonnull ((*at)->group);
      n += last == NULL || g_strcmp0 (last->group, (*at)->group) != 0;
      last = *at;
    }
  /* What is linear, and what goes along a manifold: each of them in one piece. */
  g_assert_cmpuint (n, ==, 2);
}

int
main (int argc, char **argv)
{
  es_views_init (&argc, &argv);

  g_test_add_func ("/embedding/pane", test_pane);
  g_test_add_func ("/embedding/narrow", test_narrow);
  g_test_add_func ("/embedding/groups", test_groups);
  ADD ("/embedding/inspector", test_inspector);
  ADD ("/embedding/without-values", test_without_values);
  return g_test_run ();
}
