/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A plan as a page: its curve lies inside its axes whatever the numbers, and what people wrote is escaped. */

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "page/es-cluster-page.h"

static const EsClusterStep step = {
  .name = "covariance", .title = "Covariance", .file_bytes = 1e9, .operations = 64e9, .pieces = 64, .reach_cpu = 1,
  .sums = 1, .sum_bytes = 1000,
};

static EsClusterPlan *
make_plan (EsClusterWork *work, EsCluster *cluster, double rate)
{
  *work = (EsClusterWork) { .operation = "pca", .data = (char *) "10 × 10", .bytes = 1e9,
                            .steps = (EsClusterStep *) &step, .n = 1 };
  *cluster = (EsCluster) {
    .name = (char *) "A <script>\"&", .nodes = 8, .processes = 1, .threads = 2, .memory = 40e9,
    .host = { .operations = { rate, rate, rate, rate }, .memory = 1e20, .copy = 1e20 },
    .latency = 1e-3, .bandwidth = 1e6,
  };
  return es_cluster_plan_new (work, cluster);
}

static gboolean
is_inside (const EsDrawing *drawing, double x, double y)
{
  return x >= -1 && x <= drawing->width + 1 && y >= -1 && y <= drawing->height + 1;
}

static void
test_curve (void)
{
  static const double rates[] = { 1e-3, 1e3, 1e9, 1e15, 1e21 };

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    {
      EsClusterWork work;
      EsCluster cluster;
      g_autoptr (EsClusterPlan) plan = make_plan (&work, &cluster, rates[i]);
      g_autoptr (EsDrawing) drawing = es_cluster_draw_curve (plan);
      guint lines = 0;

      for (guint k = 0; k < drawing->items->len; k++)
        {
          const EsDrawn *drawn = &g_array_index (drawing->items, EsDrawn, k);

          g_assert_true (isfinite (drawn->x) && isfinite (drawn->y));
          if (drawn->kind != ES_DRAWN_LINE)
            continue;
          g_assert_true (is_inside (drawing, drawn->x, drawn->y) && is_inside (drawing, drawn->x2, drawn->y2));
          lines += drawn->size == 3;
        }
      /* The thick one, from 1 to 1000 nodes. */
      g_assert_cmpuint (lines, >, 50);
    }
}

/* What times come from is told as it is. */
static void
test_basis (void)
{
  EsClusterWork work;
  EsCluster cluster;
  g_autoptr (EsClusterPlan) plan = make_plan (&work, &cluster, 1e9);
  g_autofree char *page = NULL;

  cluster.host.speeds[ES_CLUSTER_READING].values = 1e9;
  page = es_cluster_page_make (plan);
  g_assert_nonnull (strstr (page, "one thread was measured to reach"));
  g_assert_null (strstr (page, "times the share"));
  /* Cards go by shares. */
  cluster.cards = 1;
  g_assert_nonnull (strstr (es_cluster_plan_describe_basis (plan), "times the share"));
}

static void
test_page (void)
{
  EsClusterWork work;
  EsCluster cluster;
  g_autoptr (EsClusterPlan) plan = make_plan (&work, &cluster, 1e9);
  g_autofree char *page = es_cluster_page_make (plan);

  g_assert_null (strstr (page, "<script"));
  g_assert_nonnull (strstr (page, "A &lt;script&gt;"));
  g_assert_nonnull (strstr (page, "<svg"));
  g_assert_nonnull (strstr (page, "scales to 125 nodes"));
  g_assert_nonnull (strstr (page, ">Covariance<"));
  g_assert_nonnull (strstr (page, "times the share"));
  g_assert_true (g_str_has_suffix (page, "</html>\n"));
}

/* By the ending of its name; what cannot be written says so. */
static void
test_write (void)
{
  static const struct { const char *name, *begins, *has; } files[] = {
    { "plan.html", "<!DOCTYPE html>", "<svg" }, { "plan.CSV", "Nodes,", "\n1000,1000," },
    { "plan.json", "{", "\"node_hours\"" }, { "plan", "<!DOCTYPE html>", "</html>" },
  };
  EsClusterWork work;
  EsCluster cluster;
  g_autoptr (EsClusterPlan) plan = make_plan (&work, &cluster, 1e9);
  g_autofree char *folder = g_dir_make_tmp ("eigenscope-page-XXXXXX", NULL);
  g_autofree char *nowhere = g_build_filename (folder, "none", "plan.html", NULL);
  g_autoptr (GFile) none = g_file_new_for_path (nowhere);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (folder, files[i].name, NULL), *text = NULL;
      g_autoptr (GFile) file = g_file_new_for_path (path);

      es_cluster_page_write (plan, file, &error);
      g_assert_no_error (error);
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_assert_true (g_str_has_prefix (text, files[i].begins));
      g_assert_nonnull (strstr (text, files[i].has));
      g_unlink (path);
    }
  g_assert_false (es_cluster_page_write (plan, none, &error));
  g_assert_nonnull (strstr (error->message, "plan.html"));
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cluster-page/curve", test_curve);
  g_test_add_func ("/cluster-page/page", test_page);
  g_test_add_func ("/cluster-page/basis", test_basis);
  g_test_add_func ("/cluster-page/write", test_write);
  return g_test_run ();
}
