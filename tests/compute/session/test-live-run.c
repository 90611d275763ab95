/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Runs that follow a hand: one is under way, the newest waits. With an operation that runs as long as it is told to. */

#include <math.h>

#include "../job/es-test-scene.h"
#include "job/es-job-internal.h"
#include "result/es-result-internal.h"
#include "session/es-live-run.h"

static char *directory;
static EsTestScene scene = { 12, 9, 4, ESK_I16, "bsq", FALSE, NAN, NULL, 0 };
static const EsParamSpec number_params[] = {
  { .key = "number", .label = "Number", .help = "Which.", .type = ES_PARAM_INT, .maximum = 100, .step = 1 },
  { .type = ES_PARAM_END }
};
static int n_begun, may_end;

/* Begins, and ends when it is allowed to or cancelled. */
static EsResult *
run_held (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  g_atomic_int_inc (&n_begun);
  while (!g_atomic_int_get (&may_end))
    {
      if (es_job_is_cancelled (job, error))
        return NULL;
      g_usleep (500);
    }
  return es_result_new (es_job_get_operation (job), dataset, params);
}

static EsPlan
plan_held (EsDataset *dataset, EsParams *params, EsDevice *device, const EsLimits *limits)
{
  return (EsPlan) { .seconds = 1 };
}

static const EsOperation held = { .id = "held", .title = "Held", .short_title = "Held", .summary = "Held", .version = 1,
                                  .takes = ES_DATASET_CUBE, .params = number_params, .plan = plan_held,
                                  .run = run_held };
static const EsOperation on_result = { .id = "on-result", .title = "On", .short_title = "On", .summary = "On",
                                       .version = 1, .takes = ES_DATASET_CUBE, .of_result = TRUE,
                                       .params = number_params, .plan = plan_held, .run = run_held };

typedef struct
{
  EsSession  *session;
  EsDataset  *dataset;
  GListModel *results;
  EsResult   *first;                 /* of "held", number 0 */
  guint       n_changed;
} Fixture;

static EsParams *
number (int which)
{
  EsParams *params = es_params_new (number_params);

  es_params_set_value (params, "number", which);
  return params;
}

static void
ask (EsLiveRun *run, EsResult *of, int which, gboolean hurry)
{
  g_autoptr (EsParams) params = number (which);

  es_live_run_ask (run, of, params, hurry);
}

static int
number_of (EsResult *result)
{
  return es_params_get_int (es_result_get_params (result), "number");
}

static EsResult *
result_at (Fixture *fixture, guint i)
{
  g_autoptr (EsResult) result = g_list_model_get_item (fixture->results, i);

  return result;
}

static void
on_changed (Fixture *fixture)
{
  fixture->n_changed++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EsParams) none = number (0);
  g_autoptr (GError) error = NULL;

  g_atomic_int_set (&n_begun, 0);
  g_atomic_int_set (&may_end, 1);
  fixture->session = es_session_new ();
  fixture->dataset = es_test_scene_open (&scene, directory, "scene");
  es_session_add_dataset (fixture->session, fixture->dataset);
  fixture->results = es_session_get_results (fixture->session, fixture->dataset);
  {
    g_autoptr (EsJob) job = es_job_new (&held, fixture->dataset, none, es_device_get_cpu (), NULL, NULL);

    fixture->first = es_job_run (job, &error);
    g_assert_no_error (error);
  }
  es_session_add_result (fixture->session, fixture->first);
  g_atomic_int_set (&n_begun, 0);
  g_atomic_int_set (&may_end, 0);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->first);
  g_clear_object (&fixture->dataset);
  g_clear_object (&fixture->session);
}

static void
spin_until_begun (int n)
{
  while (g_atomic_int_get (&n_begun) < n)
    g_main_context_iteration (NULL, FALSE);
}

static void
spin_until_idle (EsLiveRun *run)
{
  while (es_live_run_get_job (run) != NULL)
    g_main_context_iteration (NULL, TRUE);
}

/* Of three more values, asked for while one is computed, only the last is, in the place of what came of the first. */
static void
test_newest (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EsLiveRun) run = es_live_run_new (fixture->session);

  g_signal_connect_swapped (run, "changed", G_CALLBACK (on_changed), fixture);
  /* What it is already is not computed again. */
  ask (run, fixture->first, 0, FALSE);
  g_assert_null (es_live_run_get_job (run));
  g_assert_cmpuint (fixture->n_changed, ==, 0);

  ask (run, fixture->first, 1, FALSE);
  g_assert_true (es_live_run_is_under_way (run));
  g_assert_true (es_live_run_get_running (run) == fixture->first);
  g_assert_null (es_live_run_get_waiting (run));
  g_assert_cmpuint (es_session_get_n_active (fixture->session), ==, 1);
  spin_until_begun (1);
  for (int i = 2; i <= 4; i++)
    ask (run, fixture->first, i, FALSE);
  g_assert_true (es_live_run_get_waiting (run) == fixture->first);
  g_assert_cmpuint (es_session_get_n_active (fixture->session), ==, 1);
  g_assert_cmpuint (fixture->n_changed, ==, 4);

  g_atomic_int_set (&may_end, 1);
  spin_until_idle (run);
  g_assert_cmpint (g_atomic_int_get (&n_begun), ==, 2);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->results), ==, 1);
  g_assert_cmpint (number_of (result_at (fixture, 0)), ==, 4);
  g_assert_false (es_live_run_is_under_way (run));
  g_assert_null (es_live_run_get_running (run));
  g_assert_cmpuint (fixture->n_changed, ==, 6);
}

/* The hand is lifted: what is under way is out of date, and what it was to replace is what the next one replaces. */
static void
test_hurry (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EsLiveRun) run = es_live_run_new (fixture->session);
  g_autoptr (EsJob) older = NULL;

  ask (run, fixture->first, 1, FALSE);
  older = g_object_ref (es_live_run_get_job (run));
  spin_until_begun (1);
  ask (run, fixture->first, 2, TRUE);
  spin_until_begun (2);
  g_assert_cmpint (es_job_get_state (older), ==, ES_JOB_CANCELLED);
  g_assert_true (es_live_run_get_running (run) == fixture->first);
  g_atomic_int_set (&may_end, 1);
  spin_until_idle (run);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->results), ==, 1);
  g_assert_cmpint (number_of (result_at (fixture, 0)), ==, 2);
}

static gboolean
is_wanted (EsResult *of, gpointer data)
{
  EsResult **asked = data;

  *asked = of;
  return FALSE;
}

/* Nothing is begun that is forgotten, cancelled, or not wanted any more when its turn comes. */
static void
test_dropped (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EsLiveRun) run = es_live_run_new (fixture->session);
  EsResult *asked = NULL;

  ask (run, fixture->first, 1, FALSE);
  spin_until_begun (1);
  ask (run, fixture->first, 2, FALSE);
  es_live_run_forget (run);
  g_assert_null (es_live_run_get_waiting (run));
  g_atomic_int_set (&may_end, 1);
  spin_until_idle (run);
  g_assert_cmpint (g_atomic_int_get (&n_begun), ==, 1);
  g_assert_cmpint (number_of (result_at (fixture, 0)), ==, 1);

  g_atomic_int_set (&may_end, 0);
  ask (run, result_at (fixture, 0), 3, FALSE);
  spin_until_begun (2);
  ask (run, result_at (fixture, 0), 4, FALSE);
  es_live_run_cancel (run);
  spin_until_idle (run);
  g_assert_cmpint (number_of (result_at (fixture, 0)), ==, 1);

  es_live_run_set_wanted (run, is_wanted, &asked);
  ask (run, result_at (fixture, 0), 5, FALSE);
  spin_until_begun (3);
  ask (run, result_at (fixture, 0), 6, FALSE);
  g_atomic_int_set (&may_end, 1);
  spin_until_idle (run);
  g_assert_cmpint (g_atomic_int_get (&n_begun), ==, 3);
  g_assert_cmpint (number_of (result_at (fixture, 0)), ==, 5);
  /* It was asked about the result that has come, for that is what the next run would have been of. */
  g_assert_true (asked == result_at (fixture, 0));

  /* Gone amid a run: that ends, and nobody is told. */
  g_atomic_int_set (&may_end, 0);
  ask (run, result_at (fixture, 0), 7, FALSE);
  spin_until_begun (4);
  g_clear_object (&run);
  g_atomic_int_set (&may_end, 1);
  while (es_session_get_n_active (fixture->session) > 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (number_of (result_at (fixture, 0)), ==, 7);
}

static EsResult *
find_replaced (EsResult *of, gpointer data)
{
  Fixture *fixture = data;

  return g_list_model_get_n_items (fixture->results) > 1 ? result_at (fixture, 1) : NULL;
}

/* An operation on a result: beside it at first, then in the place of the one before. */
static void
test_on_results (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EsLiveRun) run = es_live_run_new_on_results (fixture->session, &on_result, find_replaced, fixture);

  ask (run, fixture->first, 0, FALSE);
  spin_until_begun (1);
  ask (run, fixture->first, 1, FALSE);
  g_atomic_int_set (&may_end, 1);
  spin_until_idle (run);
  g_assert_cmpint (g_atomic_int_get (&n_begun), ==, 2);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->results), ==, 2);
  g_assert_true (result_at (fixture, 0) == fixture->first);
  g_assert_true (es_result_get_operation (result_at (fixture, 1)) == &on_result);
  g_assert_cmpint (number_of (result_at (fixture, 1)), ==, 1);
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  es_test_scene_fill (&scene, 5);

#define TEST(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
  TEST ("/live-run/newest", test_newest);
  TEST ("/live-run/hurry", test_hurry);
  TEST ("/live-run/dropped", test_dropped);
  TEST ("/live-run/on-results", test_on_results);
#undef TEST

  status = g_test_run ();
  es_test_scene_clear (&scene);
  es_test_remove (directory);
  g_free (directory);
  return status;
}
