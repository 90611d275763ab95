/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-scene.h"
#include "lab/es-comparison-published.h"
#include "operations/es-operations.h"
#include "published/es-published.h"

#include <math.h>
#include <string.h>

typedef struct
{
  char         *directory;
  EsTestScene   scene;
  EsDataset    *dataset;
  EsComparison *comparison;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);

  fixture->directory = es_test_directory ();
  fixture->scene = (EsTestScene) { 61, 47, 20, ESK_I16, "bsq", FALSE, NAN };
  es_test_scene_fill (&fixture->scene, 5);
  fixture->dataset = es_test_scene_open (&fixture->scene, fixture->directory, "scene");
  es_params_set_value (params, "components", 3);
  fixture->comparison = es_comparison_new (pca, fixture->dataset, params, NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gint64 end = g_get_monotonic_time () + 10 * G_TIME_SPAN_SECOND;

  /* The thread that ran it lets go of it a moment after it has said so. */
  g_object_add_weak_pointer (G_OBJECT (fixture->comparison), (gpointer *) &fixture->comparison);
  g_object_unref (fixture->comparison);
  while (fixture->comparison != NULL && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, FALSE);
  g_assert_null (fixture->comparison);
  g_object_unref (fixture->dataset);
  es_test_scene_clear (&fixture->scene);
  es_test_remove (fixture->directory);
  g_free (fixture->directory);
}

static guint
find (EsComparison *comparison, const char *id)
{
  for (guint i = 0; i < es_comparison_get_n_contestants (comparison); i++)
    if (strcmp (es_comparison_get_id (comparison, i), id) == 0)
      return i;
  g_assert_not_reached ();
}

/* One thread, all threads, each card, both cards: each with its steps, which make up the total. */
static void
test_run (Fixture *fixture, gconstpointer data)
{
  EsComparison *comparison = fixture->comparison;
  const guint n = es_comparison_get_n_contestants (comparison);
  const gboolean threads = es_device_get_lanes (es_device_get_cpu ()) > 1;
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (n, ==, threads ? 5 : 4);
  g_assert_cmpstr (es_comparison_get_id (comparison, 0), ==, threads ? "cpu-1" : "cpu");
  g_assert_cmpuint (es_comparison_get_threads (comparison, 0), ==, 1);
  g_assert_cmpstr (es_comparison_get_id (comparison, n - 1), ==, "cuda:all");
  g_assert_cmpuint (es_comparison_get_n_steps (comparison), ==, 0);
  g_assert_true (isnan (es_comparison_get_total_ms (comparison, 0)));

  es_comparison_set_repeats (comparison, 2);
  g_assert_true (es_comparison_run (comparison, NULL, &error));
  g_assert_no_error (error);
  g_assert_false (es_comparison_is_running (comparison));
  g_assert_cmpfloat (es_comparison_get_progress (comparison), >, 0.99);
  for (guint i = 0; i < n; i++)
    {
      double sum = 0, total = es_comparison_get_total_ms (comparison, i), fastest, slowest;

      g_assert_cmpint (es_comparison_get_state (comparison, i), ==, ES_CONTESTANT_DONE);
      g_assert_true (es_comparison_get_spread (comparison, i, &fastest, &slowest));
      g_assert_cmpfloat (fastest, <=, total);
      g_assert_cmpfloat (total, <=, slowest);
      for (guint step = 0; step < es_comparison_get_n_steps (comparison); step++)
        sum += es_comparison_get_step_ms (comparison, i, step);
      /* Steps that overlap are counted by their share: the sum is the total but for what lies between them. */
      g_assert_cmpfloat (sum, >, 0);
      g_assert_cmpfloat (sum, <, 1.5 * total + 1);
      g_assert_cmpfloat (es_comparison_get_speed_up (comparison, i), ==,
                         es_comparison_get_total_ms (comparison, 0) / total);
    }
  g_assert_cmpfloat (es_comparison_get_speed_up (comparison, 0), ==, 1);

  g_autoptr (EsTable) table = es_comparison_make_table (comparison);
  g_assert_cmpuint (es_table_get_n_columns (table), ==, n + 1);
  g_assert_cmpuint (es_table_get_n_rows (table), ==, es_comparison_get_n_steps (comparison) + 2);
  g_autofree char *command = es_comparison_to_command (comparison);
  g_assert_nonnull (strstr (command, "eigenscope-batch compare pca "));
  g_assert_true (g_str_has_suffix (command, " --repeats 2 components=3"));
}

static void
test_failing (Fixture *fixture, gconstpointer data)
{
  EsComparison *comparison = fixture->comparison;
  g_autoptr (GError) error = NULL;

  /* Who is left out does not run, and nobody at all is an error. */
  for (guint i = 0; i < es_comparison_get_n_contestants (comparison); i++)
    es_comparison_set_takes_part (comparison, i, FALSE);
  g_assert_false (es_comparison_run (comparison, NULL, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE);
  g_clear_error (&error);

  es_comparison_set_repeats (comparison, 1);
  es_comparison_set_takes_part (comparison, find (comparison, "cpu"), TRUE);
  g_assert_true (es_comparison_run (comparison, NULL, &error));
  g_assert_true (isnan (es_comparison_get_total_ms (comparison, find (comparison, "cuda:0"))));
  g_assert_cmpfloat (es_comparison_get_speed_up (comparison, find (comparison, "cpu")), ==, 1);
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer data)
{
  GError **error = data;

  g_assert_false (es_comparison_run_finish (ES_COMPARISON (source), result, error));
}

static void
cancel_when_running (EsComparison *comparison, GCancellable *cancellable)
{
  g_cancellable_cancel (cancellable);
}

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  GError *error = NULL;

  es_comparison_set_repeats (fixture->comparison, 99);
  gulong handler = g_signal_connect (fixture->comparison, "changed", G_CALLBACK (cancel_when_running), cancellable);
  es_comparison_run_async (fixture->comparison, cancellable, on_done, &error);
  while (error == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_signal_handler_disconnect (fixture->comparison, handler);
  g_assert_false (es_comparison_is_running (fixture->comparison));
}

static void
on_again (GObject *source, GAsyncResult *result, gpointer data)
{
  gboolean *ended = data;

  es_comparison_run_finish (ES_COMPARISON (source), result, NULL);
  *ended = TRUE;
}

/* What the run before left goes in the thread that shows it, before the next one has begun: not at some time after,
 * while it is being shown. */
static void
test_again (Fixture *fixture, gconstpointer data)
{
  EsComparison *comparison = fixture->comparison;
  const guint card = find (comparison, "cuda:0");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  gboolean ended = FALSE;

  for (guint i = 0; i < es_comparison_get_n_contestants (comparison); i++)
    es_comparison_set_takes_part (comparison, i, i == card);
  g_setenv ("ES_FAKE_FAIL_ALLOCATION", "1+", TRUE);
  g_assert_false (es_comparison_run (comparison, NULL, NULL));
  g_unsetenv ("ES_FAKE_FAIL_ALLOCATION");
  g_assert_nonnull (es_comparison_get_error (comparison, card));

  /* Seconds, so that it cannot be over before it is looked at. */
  g_setenv ("ES_FAKE_DELAY_US", "200000", TRUE);
  es_comparison_run_async (comparison, cancellable, on_again, &ended);
  g_assert_true (es_comparison_is_running (comparison));
  g_assert_null (es_comparison_get_error (comparison, card));
  g_cancellable_cancel (cancellable);
  while (!ended)
    g_main_context_iteration (NULL, TRUE);
  g_unsetenv ("ES_FAKE_DELAY_US");
  g_assert_false (es_comparison_is_running (comparison));
}

/* Beside published tables: the share of a step, the time of a step of every program, speed-ups of all programs. */
static void
test_published (Fixture *fixture, gconstpointer data)
{
  EsComparison *comparison = fixture->comparison;
  const guint serial = 0, card = find (comparison, "cuda:0");
  g_autoptr (GError) error = NULL;
  g_autofree char *what = NULL;
  guint steps, covariance, totals, i;

  g_assert_true (es_published_load (&error));
  g_assert_no_error (error);
  g_assert_true (es_published_find ("phd-pca-steps", &steps));
  g_assert_true (es_published_find ("msc-covariance", &covariance));
  g_assert_true (es_published_find ("msc-pca-total-speed-ups", &totals));
  g_autoptr (EsTable) before = es_comparison_make_published_table (comparison, steps, &what);
  g_assert_null (what);
  g_assert_cmpuint (es_table_get_n_columns (before), ==, 3);

  if (es_device_get_lanes (es_device_get_cpu ()) < 2)
    {
      g_test_skip ("one thread is all there is");
      return;
    }
  es_comparison_set_repeats (comparison, 1);
  g_assert_true (es_comparison_run (comparison, NULL, &error));
  for (i = 0; strcmp (es_comparison_get_step_name (comparison, i), "covariance") != 0; i++)
    ;
  g_autoptr (EsTable) shares = es_comparison_make_published_table (comparison, steps, &what);
  g_assert_nonnull (strstr (what, "scene"));
  g_assert_cmpuint (es_table_get_n_columns (shares), ==, 5);
  g_assert_cmpfloat (es_table_get_value (shares, 1, 3), ==, es_comparison_get_step_ms (comparison, serial, i));
  g_assert_cmpfloat_with_epsilon (es_table_get_value (shares, 1, 4),
                                  100 * es_comparison_get_step_ms (comparison, serial, i)
                                  / es_comparison_get_total_ms (comparison, serial), 1e-9);
  g_clear_pointer (&what, g_free);
  g_autoptr (EsTable) times = es_comparison_make_published_table (comparison, covariance, &what);
  g_assert_cmpfloat (es_table_get_value (times, 6, 1), ==, es_comparison_get_step_ms (comparison, serial, i));
  g_assert_cmpfloat (es_table_get_value (times, 6, 7), ==, es_comparison_get_step_ms (comparison, card, i));
  g_clear_pointer (&what, g_free);
  g_autoptr (EsTable) speed_ups = es_comparison_make_published_table (comparison, totals, &what);
  g_assert_cmpfloat (es_table_get_value (speed_ups, 6, 3), ==, es_comparison_get_speed_up (comparison, card));
  g_autoptr (JsonNode) json = es_comparison_published_to_json (comparison, totals);
  g_assert_true (json_object_has_member (json_node_get_object (json), "here"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/comparison/run", Fixture, NULL, set_up, test_run, tear_down);
  g_test_add ("/comparison/failing", Fixture, NULL, set_up, test_failing, tear_down);
  g_test_add ("/comparison/cancel", Fixture, NULL, set_up, test_cancel, tear_down);
  g_test_add ("/comparison/again", Fixture, NULL, set_up, test_again, tear_down);
  g_test_add ("/comparison/published", Fixture, NULL, set_up, test_published, tear_down);
  return g_test_run ();
}
