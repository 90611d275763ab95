/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What was published of an operation: its tables, what their marks say, and ours beside them. */

#include "es-test-views.h"

#include <math.h>
#include <string.h>

#include "analyse/es-published-page.h"
#include "charts/es-table-view.h"
#include "operations/es-operations.h"
#include "published/es-published.h"

static void
wait (guint ms)
{
  const gint64 end = g_get_monotonic_time () + ms * 1000;

  while (g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
}

/* The first label below a widget whose text or markup has a part. */
static GtkLabel *
find_label (GtkWidget *root, const char *part)
{
  GtkLabel *found = NULL;

  if (GTK_IS_LABEL (root) && strstr (gtk_label_get_label (GTK_LABEL (root)), part) != NULL)
    return GTK_LABEL (root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_label (child, part);
  return found;
}

static void
choose (GtkWidget *page, const char *id)
{
  GtkDropDown *choice = GTK_DROP_DOWN (es_views_find (page, GTK_TYPE_DROP_DOWN));
  GListModel *titles = gtk_drop_down_get_model (choice);
  guint i;

  g_assert_true (es_published_find (id, &i));
  for (guint t = 0; t < g_list_model_get_n_items (titles); t++)
    {
      g_autoptr (GtkStringObject) title = g_list_model_get_item (titles, t);

      if (g_str_equal (gtk_string_object_get_string (title), es_published_get (i)->title))
        {
          gtk_drop_down_set_selected (choice, t);
          wait (300);
          return;
        }
    }
  g_error ("“%s” is not among the tables", id);
}

static void
test_page (Fixture *fixture, gconstpointer data)
{
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  g_autoptr (EsComparison) comparison = NULL;
  g_autoptr (GError) error = NULL;
  GtkWidget *window = gtk_window_new (), *page = es_published_page_new ("pca");
  EsTableView *table;
  GtkAdjustment *across;
  GtkLabel *marked;
  g_autofree char *copied = NULL;

  g_assert_null (es_published_page_new ("lofar"));
  es_views_show_cube (fixture);
  gtk_window_set_default_size (GTK_WINDOW (window), 900, 700);
  gtk_window_set_child (GTK_WINDOW (window), page);
  gtk_window_present (GTK_WINDOW (window));
  table = ES_TABLE_VIEW (es_views_find (page, ES_TYPE_TABLE_VIEW));

  choose (page, "msc-pca-total-speed-ups");
  g_assert_nonnull (find_label (page, "106.6"));
  g_assert_cmpuint (es_table_view_get_n_rows (table), ==, 6);
  /* The mark is small, raised and not part of what is copied. */
  g_assert_nonnull (marked = find_label (page, "107.1"));
  g_assert_true (gtk_label_get_use_markup (marked));
  g_assert_cmpstr (gtk_label_get_text (marked), ==, "c 107.1");
  g_assert_nonnull (copied = es_table_view_to_text (table));
  g_assert_nonnull (strstr (copied, "\t107.1\n"));
  /* Where nothing is marked, nothing is below. */
  choose (page, "phd-two-gpus");
  g_assert_null (find_label (page, "106.6"));
  es_views_screenshot (window, "published");

  /* What is wider than its place has its last row above the bar. */
  choose (page, "msc-covariance");
  across = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (gtk_widget_get_first_child (GTK_WIDGET (table))));
  g_assert_cmpfloat (gtk_adjustment_get_upper (across), >, gtk_adjustment_get_page_size (across));
  across = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (gtk_widget_get_first_child (GTK_WIDGET (table))));
  g_assert_cmpfloat (gtk_adjustment_get_upper (across), <=, gtk_adjustment_get_page_size (across) + 1);

  comparison = es_comparison_new (pca, ES_DATASET (fixture->test->cube), params, NULL);
  es_comparison_set_repeats (comparison, 1);
  es_published_page_set_comparison (ES_PUBLISHED_PAGE (page), comparison);
  g_assert_cmpuint (es_table_view_get_n_rows (table), ==, 6);
  g_assert_true (es_comparison_run (comparison, NULL, &error));
  g_assert_no_error (error);
  wait (500);
  if (es_comparison_get_n_contestants (comparison) > 1)
    {
      g_assert_cmpuint (es_table_view_get_n_rows (table), ==, 7);
      g_assert_nonnull (find_label (page, "* Here: "));
    }
  es_views_screenshot (window, "published-ours");
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  es_views_init (&argc, &argv);
  ADD ("/published-page/tables", test_page);
  return g_test_run ();
}
