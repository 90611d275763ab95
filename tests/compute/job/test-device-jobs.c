/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Jobs on devices that run out of memory, are lost, or are wanted by several at once; with cards of host memory, for
 * ES_CUDA_MODULE names the module of tests/kernels/fake. */

#include <math.h>
#include <string.h>

#include "device/es-device-internal.h"
#include "job/es-job-internal.h"
#include "layer/es-layer-internal.h"
#include "result/es-result-internal.h"
#include "es-test-devices.h"
#include "es-test-scene.h"
#include "es-test-device-jobs.h"

static const EsParamSpec no_params[] = { { .type = ES_PARAM_END } };

/* ---- an operation that does what it is told ---- */

static EsResult *(*script) (EsJob *job, EsDataset *dataset, EsParams *params, GError **error);
static double gpu_seconds = 1;

static EsResult *
run_script (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  return script (job, dataset, params, error);
}

static EsPlan
plan_script (EsDataset *dataset, EsParams *params, EsDevice *device, const EsLimits *limits)
{
  EsPlan plan = { .seconds = es_device_is_cpu (device) ? 100 : gpu_seconds };

  return plan;
}

static const EsOperation scripted = { .id = "scripted", .title = "Scripted", .short_title = "Scripted",
                                      .summary = "Scripted", .version = 1, .takes = ES_DATASET_CUBE,
                                      .params = no_params, .plan = plan_script, .run = run_script };

static EsResult *
succeed (EsJob *job, EsDataset *dataset, EsParams *params)
{
  es_job_begin_stage (job, "work", "Work", 1);
  return es_result_new (es_job_get_operation (job), dataset, params);
}

static EsResult *
run_job (const char *device, const EsLimits *limits, GError **error)
{
  g_autoptr (EsDataset) cube = es_test_jobs_open_scene ();
  g_autoptr (EsParams) none = es_params_new (no_params);
  g_autoptr (EsJob) job = es_job_new (&scripted, cube, none, device != NULL ? es_device_find (device, NULL) : NULL,
                                      limits, NULL);

  return es_job_run (job, error);
}

/* ---- memory ---- */

/* Until it may use no more than a quarter. */
static EsResult *
full_at_first (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  EsDevice *device = es_job_get_device (job);
  const guint64 allowed = es_job_get_limits (job)->device_memory;

  if (allowed == 0)
    {
      es_device_check (es_device_get_member (device, 0), NULL, ESK_ERROR_MEMORY, "a trial", error);
      return NULL;
    }
  g_assert_cmpuint (allowed, ==, es_device_get_budget (es_device_get_member (device, 0)) / 4);
  return succeed (job, dataset, params);
}

static EsResult *
always_full (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  EsDevice *device = es_job_get_device (job);

  if (es_device_is_cpu (device))
    return succeed (job, dataset, params);
  es_device_check (es_device_get_member (device, 0), NULL, ESK_ERROR_MEMORY, "a trial", error);
  return NULL;
}

static EsResult *
full_everywhere (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  es_device_check (es_device_get_member (es_job_get_device (job), 0), NULL, ESK_ERROR_MEMORY, "a trial", error);
  return NULL;
}

static void
test_memory (void)
{
  static const char *const ids[] = { "cuda:0", "cuda:all", NULL };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      script = full_at_first;
      g_autoptr (EsResult) quarter = run_job (ids[i], NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpint (es_device_get_kind (es_result_get_device (quarter)), !=, ES_DEVICE_CPU);
      es_test_jobs_assert_warnings (quarter, 1, "a quarter");
      g_assert_true (es_test_jobs_has_stage (quarter, "retry"));
      g_assert_true (es_test_jobs_has_stage (quarter, "work"));

      script = always_full;
      g_autoptr (EsResult) on_cpu = run_job (ids[i], NULL, &error);
      g_assert_no_error (error);
      g_assert_true (es_result_get_device (on_cpu) == es_device_get_cpu ());
      es_test_jobs_assert_warnings (on_cpu, 2, "The CPU computed this");
    }

  script = full_everywhere;
  g_assert_null (run_job ("cuda:0", NULL, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
  g_clear_error (&error);
  g_assert_null (run_job ("cpu", NULL, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
}

/* Full before it began: the CPU, with a warning where the card was chosen by hand. */
static void
test_full_card (void)
{
  g_autoptr (GError) error = NULL;

  if (!es_test_in_own_process ("ES_FAKE_MEMORY", "1000000", NULL))
    return;
  script = always_full;
  g_autoptr (EsResult) by_hand = run_job ("cuda:0", NULL, &error);
  g_assert_no_error (error);
  g_assert_true (es_result_get_device (by_hand) == es_device_get_cpu ());
  es_test_jobs_assert_warnings (by_hand, 1, "too little to compute");
  g_assert_true (es_test_jobs_has_stage (by_hand, "retry"));
  g_autoptr (EsResult) automatic = run_job (NULL, NULL, &error);
  g_assert_no_error (error);
  es_test_jobs_assert_warnings (automatic, 0, NULL);
  g_assert_nonnull (strstr (es_result_get_device_reason (automatic), "too little memory free"));
}

/* ---- lost ---- */

static EsResult *
lose (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  EsDevice *device = es_job_get_device (job);

  es_job_begin_stage (job, "work", "Work", 1);
  if (es_device_is_cpu (device))
    return succeed (job, dataset, params);
  es_device_check (es_device_get_member (device, es_device_get_n_members (device) - 1), NULL, ESK_ERROR_LOST,
                   "a trial", error);
  return NULL;
}

static void
catch_failure (EsSession *session, EsJob *job, EsJob **failed)
{
  g_set_object (failed, job);
}

/* By hand, never: it fails, and can be repeated in the same place on the CPU. */
static void
test_lost_never (void)
{
  g_autoptr (EsSession) session = es_session_new ();
  g_autoptr (EsParams) none = es_params_new (no_params);
  g_autoptr (EsJob) failed = NULL;

  if (!es_test_in_own_process ("ES_FAKE_DEVICES", NULL, NULL))
    return;
  g_autoptr (EsDataset) cube = es_test_jobs_open_scene ();
  EsDevice *card = es_device_find ("cuda:1", NULL), *all = es_device_find ("cuda:all", NULL);
  script = lose;
  es_session_add_dataset (session, cube);
  GListModel *results = es_session_get_results (session, cube);
  g_signal_connect (session, "failed", G_CALLBACK (catch_failure), &failed);

  EsJob *first = es_session_run (session, &scripted, cube, none, es_device_get_cpu (), NULL);
  es_test_spin_until_ended (first);
  g_autoptr (EsResult) replaced = g_list_model_get_item (results, 0);

  g_autoptr (EsJob) job = g_object_ref (es_session_run (session, &scripted, cube, none, all, replaced));
  es_test_spin_until_ended (job);
  g_assert_cmpint (es_job_get_state (job), ==, ES_JOB_FAILED);
  g_assert_true (failed == job);
  g_assert_true (es_job_failed_on_lost_device (job));
  g_assert_error (es_job_get_error (job), ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE);
  g_assert_true (es_device_is_lost (card));
  g_assert_true (es_device_is_lost (all));
  g_assert_false (es_device_is_lost (es_device_find ("cuda:0", NULL)));
  g_assert_cmpuint (g_list_model_get_n_items (results), ==, 1);

  /* What took part when it was made does so in the repetition, whatever has been told since. */
  g_autoptr (EsSelection) since = es_selection_new ("1-3", NULL, NULL, NULL, 0);
  es_cube_set_selection (ES_CUBE (cube), since);
  g_autoptr (EsJob) repeated = g_object_ref (es_session_repeat (session, job, es_device_get_cpu ()));
  es_test_spin_until_ended (repeated);
  g_assert_cmpint (es_job_get_state (repeated), ==, ES_JOB_DONE);
  g_assert_null (es_result_dup_selection (es_job_get_result (repeated)));
  es_cube_set_selection (ES_CUBE (cube), NULL);
  g_assert_cmpuint (g_list_model_get_n_items (results), ==, 1);
  g_autoptr (EsResult) now = g_list_model_get_item (results, 0);
  g_assert_true (now == es_job_get_result (repeated));

  /* Another one on it fails at once. */
  g_autoptr (EsJob) late = g_object_ref (es_session_run (session, &scripted, cube, none, card, NULL));
  es_test_spin_until_ended (late);
  g_assert_cmpint (es_job_get_state (late), ==, ES_JOB_FAILED);
  g_assert_true (es_job_failed_on_lost_device (late));
  g_assert_nonnull (strstr (es_job_get_error (late)->message, "has been lost"));
}

static void
test_lost_always (void)
{
  const EsLimits limits = { .cpu_fallback = TRUE };
  g_autoptr (GError) error = NULL;

  if (!es_test_in_own_process ("ES_FAKE_DEVICES", NULL, NULL))
    return;
  script = lose;
  g_autoptr (EsResult) result = run_job ("cuda:0", &limits, &error);
  g_assert_no_error (error);
  g_assert_true (es_result_get_device (result) == es_device_get_cpu ());
  es_test_jobs_assert_warnings (result, 1, "was lost at a trial");
  g_assert_true (es_test_jobs_has_stage (result, "retry"));

  /* Chosen automatically, the user is asked all the same. */
  g_assert_null (run_job (NULL, NULL, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE);
  g_assert_null (es_device_find ("cuda:1", NULL));
}

/* ---- several at once ---- */

static int running[2], running_cpu, together;

static EsResult *
one_at_a_time (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  EsDevice *device = es_job_get_device (job);

  for (guint i = 0; i < es_device_get_n_members (device); i++)
    {
      EsDevice *member = es_device_get_member (device, i);
      int *count = member == es_device_get_cpu () ? &running_cpu : &running[es_device_get_index (member)];
      g_assert_cmpint (g_atomic_int_add (count, 1), ==, 0);
    }
  if (g_atomic_int_get (&running[0]) + g_atomic_int_get (&running[1]) + g_atomic_int_get (&running_cpu)
      > (int) es_device_get_n_members (device))
    g_atomic_int_set (&together, TRUE);
  g_usleep (10000);
  for (guint i = 0; i < es_device_get_n_members (device); i++)
    {
      EsDevice *member = es_device_get_member (device, i);
      int *count = member == es_device_get_cpu () ? &running_cpu : &running[es_device_get_index (member)];
      g_atomic_int_add (count, -1);
    }
  return succeed (job, dataset, params);
}

static gpointer
run_on_cuda_0 (gpointer cube)
{
  g_autoptr (EsParams) none = es_params_new (no_params);

  for (int i = 0; i < 5; i++)
    {
      g_autoptr (EsJob) job = es_job_new (&scripted, cube, none, es_device_find ("cuda:0", NULL), NULL, NULL);
      g_autoptr (EsResult) result = es_job_run (job, NULL);
      g_assert_nonnull (result);
    }
  return NULL;
}

static void
test_at_once (void)
{
  static const char *const ids[] = { "cuda:0", "cuda:1", "cuda:all", "cpu", "cuda:0", "cuda:all", "cuda:1", NULL };
  g_autoptr (EsDataset) cube = es_test_jobs_open_scene ();
  g_autoptr (EsParams) none = es_params_new (no_params);
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (g_object_unref);

  script = one_at_a_time;
  GThread *thread = g_thread_new ("run", run_on_cuda_0, cube);
  for (int round = 0; round < 4; round++)
    for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
      {
        EsJob *job = es_job_new (&scripted, cube, none, ids[i] != NULL ? es_device_find (ids[i], NULL) : NULL, NULL,
                                 NULL);
        es_job_start (job);
        g_ptr_array_add (jobs, job);
      }
  for (guint i = 0; i < jobs->len; i++)
    {
      EsJob *job = g_ptr_array_index (jobs, i);
      es_test_spin_until_ended (job);
      g_assert_cmpint (es_job_get_state (job), ==, ES_JOB_DONE);
      g_assert_nonnull (es_job_get_device (job));
      g_assert_true (es_job_is_automatic (job) == (i % G_N_ELEMENTS (ids) == G_N_ELEMENTS (ids) - 1));
    }
  g_thread_join (thread);
  g_assert_true (together);
}

static gboolean stop_waiting;

static EsResult *
wait_to_stop (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  while (!g_atomic_int_get (&stop_waiting))
    g_usleep (1000);
  return succeed (job, dataset, params);
}

/* What waits for a member of its device ends at once when it is cancelled, and stands in nobody's way. */
static void
test_cancel_waiting (void)
{
  g_autoptr (EsDataset) cube = es_test_jobs_open_scene ();
  g_autoptr (EsParams) none = es_params_new (no_params);

  script = wait_to_stop;
  stop_waiting = FALSE;
  g_autoptr (EsJob) running_job = es_job_new (&scripted, cube, none, es_device_find ("cuda:0", NULL), NULL, NULL);
  g_autoptr (EsJob) waiting = es_job_new (&scripted, cube, none, es_device_find ("cuda:all", NULL), NULL, NULL);
  g_autoptr (EsJob) other = es_job_new (&scripted, cube, none, es_device_find ("cuda:1", NULL), NULL, NULL);
  es_job_start (running_job);
  while (es_job_get_state (running_job) != ES_JOB_RUNNING)
    g_usleep (1000);
  es_job_start (waiting);
  g_usleep (20000);
  es_job_start (other);
  es_job_cancel (waiting);
  g_assert_cmpint (es_job_get_state (waiting), ==, ES_JOB_CANCELLED);

  gint64 end = g_get_monotonic_time () + 90 * G_USEC_PER_SEC;
  while (es_job_get_state (other) != ES_JOB_RUNNING && g_get_monotonic_time () < end)
    g_usleep (1000);
  g_assert_cmpint (es_job_get_state (other), ==, ES_JOB_RUNNING);
  g_atomic_int_set (&stop_waiting, TRUE);
  es_test_spin_until_ended (running_job);
  es_test_spin_until_ended (other);
  g_assert_cmpint (es_job_get_state (other), ==, ES_JOB_DONE);
}

/* ---- what is there already ---- */

static EsResult *
show_preview (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  EsResult *result = succeed (job, dataset, params);
  g_autoptr (EsImageStack) stack = es_image_stack_new ("components", "Components", 4, 4, 1, 0, NULL, error);

  es_job_set_preview (job, stack);
  while (!g_atomic_int_get (&stop_waiting))
    g_usleep (1000);
  es_result_add_layer (result, ES_LAYER (stack));
  return result;
}

static void
on_preview (EsJob *job, GParamSpec *spec, guint *n)
{
  g_assert_true (g_main_context_is_owner (g_main_context_default ()));
  if (*n == 0)
    g_assert_true (ES_IS_IMAGE_STACK (es_job_get_preview (job)));
  else
    g_assert_null (es_job_get_preview (job));
  *n += 1;
  g_atomic_int_set (&stop_waiting, TRUE);
}

static void
test_preview (void)
{
  g_autoptr (EsDataset) cube = es_test_jobs_open_scene ();
  g_autoptr (EsParams) none = es_params_new (no_params);
  guint n = 0;

  script = show_preview;
  stop_waiting = FALSE;
  g_autoptr (EsJob) job = es_job_new (&scripted, cube, none, es_device_find ("cuda:0", NULL), NULL, NULL);
  g_signal_connect (job, "notify::preview", G_CALLBACK (on_preview), &n);
  g_assert_null (es_job_get_preview (job));
  es_job_start (job);
  es_test_spin_until_ended (job);
  g_assert_cmpint (es_job_get_state (job), ==, ES_JOB_DONE);
  g_assert_cmpuint (n, ==, 2);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  es_test_jobs_directory = es_test_directory ();
  es_test_scene_fill (&es_test_jobs_scene, 5);
  g_test_add_func ("/device-jobs/memory", test_memory);
  g_test_add_func ("/device-jobs/full-card", test_full_card);
  g_test_add_func ("/device-jobs/lost-never", test_lost_never);
  g_test_add_func ("/device-jobs/lost-always", test_lost_always);
  g_test_add_func ("/device-jobs/at-once", test_at_once);
  g_test_add_func ("/device-jobs/cancel-waiting", test_cancel_waiting);
  g_test_add_func ("/device-jobs/preview", test_preview);
  status = g_test_run ();
  es_test_scene_clear (&es_test_jobs_scene);
  es_test_remove (es_test_jobs_directory);
  g_free (es_test_jobs_directory);
  return status;
}
