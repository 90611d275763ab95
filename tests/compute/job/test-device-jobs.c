/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Jobs on devices that run out of memory, are lost, or are wanted by several at once; with cards of host memory, for
 * ES_CUDA_MODULE names the module of tests/kernels/fake-device.c. */

#include <math.h>
#include <string.h>

#include "device/es-device-internal.h"
#include "job/es-job-internal.h"
#include "layer/es-layer-internal.h"
#include "result/es-result-internal.h"
#include "es-test-devices.h"
#include "es-test-scene.h"

static char *directory;
static EsTestScene scene = { 120, 90, 24, ESK_I16, "bsq", FALSE, NAN, NULL, 0 };
static const EsParamSpec no_params[] = { { .type = ES_PARAM_END } };

static EsDataset *
open_scene (void)
{
  return es_test_scene_open (&scene, directory, "scene");
}

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
  EsPlan plan = { .seconds = es_device_get_kind (device) == ES_DEVICE_CPU ? 100 : gpu_seconds };

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
  g_autoptr (EsDataset) cube = open_scene ();
  g_autoptr (EsParams) none = es_params_new (no_params);
  g_autoptr (EsJob) job = es_job_new (&scripted, cube, none, device != NULL ? es_device_find (device, NULL) : NULL,
                                      limits, NULL);

  return es_job_run (job, error);
}

static void
assert_warnings (EsResult *result, guint n, const char *last_has)
{
  const char * const *warnings = es_result_get_warnings (result);

  g_assert_cmpuint (warnings != NULL ? g_strv_length ((char **) warnings) : 0, ==, n);
  for (guint i = 0; i < n; i++)
    g_test_message ("%s", warnings[i]);
  if (n > 0)
    g_assert_nonnull (strstr (warnings[n - 1], last_has));
}

static gboolean
has_stage (EsResult *result, const char *name)
{
  guint n;
  const EsStageTime *stages = es_result_get_stages (result, &n);

  for (guint i = 0; i < n; i++)
    if (g_str_equal (stages[i].name, name))
      return TRUE;
  return FALSE;
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

  if (es_device_get_kind (device) == ES_DEVICE_CPU)
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
      assert_warnings (quarter, 1, "a quarter");
      g_assert_true (has_stage (quarter, "retry"));
      g_assert_true (has_stage (quarter, "work"));

      script = always_full;
      g_autoptr (EsResult) on_cpu = run_job (ids[i], NULL, &error);
      g_assert_no_error (error);
      g_assert_true (es_result_get_device (on_cpu) == es_device_get_cpu ());
      assert_warnings (on_cpu, 2, "The CPU computed this");
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
  assert_warnings (by_hand, 1, "too little to compute");
  g_assert_true (has_stage (by_hand, "retry"));
  g_autoptr (EsResult) automatic = run_job (NULL, NULL, &error);
  g_assert_no_error (error);
  assert_warnings (automatic, 0, NULL);
  g_assert_nonnull (strstr (es_result_get_device_reason (automatic), "too little memory free"));
}

/* ---- lost ---- */

static EsResult *
lose (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  EsDevice *device = es_job_get_device (job);

  es_job_begin_stage (job, "work", "Work", 1);
  if (es_device_get_kind (device) == ES_DEVICE_CPU)
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
  g_autoptr (EsDataset) cube = open_scene ();
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

  g_autoptr (EsJob) repeated = g_object_ref (es_session_repeat (session, job, es_device_get_cpu ()));
  es_test_spin_until_ended (repeated);
  g_assert_cmpint (es_job_get_state (repeated), ==, ES_JOB_DONE);
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
  assert_warnings (result, 1, "was lost at a trial");
  g_assert_true (has_stage (result, "retry"));

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
  g_autoptr (EsDataset) cube = open_scene ();
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
  g_autoptr (EsDataset) cube = open_scene ();
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

  gint64 end = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;
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
  g_autoptr (EsDataset) cube = open_scene ();
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

/* ---- provenance ---- */

static JsonObject *
device_of (JsonNode *json)
{
  return json_object_get_object_member (json_node_get_object (json), "device");
}

static EsResult *
run_pca (const char *device, EsDataset *cube)
{
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  g_autoptr (EsJob) job = es_job_new (pca, cube, params, device != NULL ? es_device_find (device, NULL) : NULL, NULL,
                                      NULL);
  g_autoptr (GError) error = NULL;
  EsResult *result = es_job_run (job, &error);

  g_assert_no_error (error);
  return result;
}

static EsResult *
save_and_load (EsResult *result, const char *from, const char *to)
{
  g_autofree char *folder = g_build_filename (directory, "saved", NULL);
  g_autofree char *file_name = g_build_filename (folder, "result.json", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (folder);
  g_autoptr (GFile) file = g_file_new_for_path (file_name);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (es_write_result (result, target, ES_STACK_ENVI, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (file_name, &text, NULL, NULL));
  if (from != NULL)
    {
      g_auto (GStrv) parts = g_strsplit (text, from, -1);
      g_autofree char *changed = g_strjoinv (to, parts);
      g_assert_cmpuint (g_strv_length (parts), >, 1);
      g_assert_true (g_file_set_contents (file_name, changed, -1, NULL));
    }
  EsResult *loaded = es_result_load (file, NULL, &error);
  g_assert_no_error (error);
  return loaded;
}

static void
test_provenance (void)
{
  g_autoptr (EsDataset) cube = open_scene ();

  g_autoptr (EsResult) by_hand = run_pca ("cuda:1", cube);
  g_autoptr (JsonNode) json = es_result_to_json (by_hand);
  g_assert_cmpstr (json_object_get_string_member (device_of (json), "id"), ==, "cuda:1");
  g_assert_cmpstr (json_object_get_string_member (device_of (json), "chosen"), ==, "by hand");
  g_assert_false (json_object_has_member (device_of (json), "reason"));
  g_assert_null (es_result_get_device_reason (by_hand));
  g_autofree char *command = es_result_to_command (by_hand);
  g_assert_nonnull (strstr (command, " --device cuda:1"));

  g_autoptr (EsResult) automatic = run_pca (NULL, cube);
  g_assert_true (es_result_is_device_automatic (automatic));
  g_assert_nonnull (es_result_get_device_reason (automatic));
  g_autoptr (JsonNode) json_automatic = es_result_to_json (automatic);
  g_assert_cmpstr (json_object_get_string_member (device_of (json_automatic), "chosen"), ==, "automatic");
  g_assert_cmpstr (json_object_get_string_member (device_of (json_automatic), "reason"), ==,
                   es_result_get_device_reason (automatic));

  g_autoptr (EsResult) loaded = save_and_load (automatic, NULL, NULL);
  g_assert_true (es_result_get_device (loaded) == es_result_get_device (automatic));
  g_assert_true (es_result_is_device_automatic (loaded));
  g_assert_cmpstr (es_result_get_device_reason (loaded), ==, es_result_get_device_reason (automatic));

  g_autoptr (EsResult) loaded_by_hand = save_and_load (by_hand, NULL, NULL);
  g_assert_true (es_result_get_device (loaded_by_hand) == es_device_find ("cuda:1", NULL));
  g_assert_false (es_result_is_device_automatic (loaded_by_hand));

  /* Of another machine: no device, but its id and name. */
  g_autoptr (EsResult) elsewhere = save_and_load (by_hand, "cuda:1", "cuda:77");
  g_assert_null (es_result_get_device (elsewhere));
  g_assert_cmpstr (es_result_get_device_id (elsewhere), ==, "cuda:77");
  g_assert_cmpstr (es_result_get_device_name (elsewhere), ==, "Fake card 1");
  g_autoptr (JsonNode) json_elsewhere = es_result_to_json (elsewhere);
  g_assert_cmpstr (json_object_get_string_member (device_of (json_elsewhere), "id"), ==, "cuda:77");

  /* Saved before devices were chosen. */
  g_autoptr (EsResult) old = save_and_load (by_hand, "\"chosen\"", "\"was-not-there\"");
  g_assert_false (es_result_is_device_automatic (old));
  g_assert_null (es_result_get_device_reason (old));
}

/* ---- the whole of it: PCA on cards that fail ---- */

static void
assert_same_components (EsResult *a, EsResult *b)
{
  EsImageStack *x = ES_IMAGE_STACK (es_result_find_layer (a, "components"));
  EsImageStack *y = ES_IMAGE_STACK (es_result_find_layer (b, "components"));
  gsize pixels = (gsize) scene.width * scene.height;
  g_autofree float *u = g_new (float, pixels), *v = g_new (float, pixels);

  g_assert_cmpuint (es_image_stack_get_planes (x), ==, es_image_stack_get_planes (y));
  for (guint i = 0; i < es_image_stack_get_planes (x); i++)
    {
      g_assert_true (es_image_stack_read (x, i, 0, 0, scene.width, scene.height, 1, u, NULL));
      g_assert_true (es_image_stack_read (y, i, 0, 0, scene.width, scene.height, 1, v, NULL));
      g_assert_cmpmem (u, pixels * sizeof (float), v, pixels * sizeof (float));
    }
}

static void
test_pca_lost (void)
{
  g_autoptr (GError) error = NULL;
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  const EsLimits limits = { .cpu_fallback = TRUE };

  if (!es_test_in_own_process ("ES_FAKE_LOSE_AT", "4", NULL))
    return;
  g_autoptr (EsDataset) cube = open_scene ();
  g_autoptr (EsResult) reference = run_pca ("cpu", cube);
  g_autoptr (EsJob) job = es_job_new (pca, cube, params, es_device_find ("cuda:0", NULL), &limits, NULL);
  g_autoptr (EsResult) result = es_job_run (job, &error);
  g_assert_no_error (error);
  assert_warnings (result, 1, "Fake card 0 (cuda:0)");
  g_assert_true (es_result_get_device (result) == es_device_get_cpu ());
  assert_same_components (reference, result);

  g_autoptr (EsJob) late = es_job_new (pca, cube, params, es_device_get_cpu (), NULL, NULL);
  g_autoptr (EsResult) later = es_job_run (late, &error);
  g_assert_no_error (error);
  assert_same_components (reference, later);
}

static void
test_pca_memory (void)
{
  if (!es_test_in_own_process ("ES_FAKE_FAIL_ALLOCATION", "1+", NULL))
    return;
  g_autoptr (EsDataset) cube = open_scene ();
  g_autoptr (EsResult) reference = run_pca ("cpu", cube);
  g_autoptr (EsResult) result = run_pca ("cuda:0", cube);
  assert_warnings (result, 2, "The CPU computed this");
  assert_same_components (reference, result);
}

/* A card whose solver cannot take the matrix, or has no room for it: the sums are not thrown away. */
static void
test_pca_eigen (void)
{
  g_autoptr (EsDataset) cube = open_scene ();
  g_autoptr (EsResult) reference = run_pca ("cpu", cube);
  static const char *const largest[] = { "8", "-8", "24" };

  for (guint i = 0; i < G_N_ELEMENTS (largest); i++)
    {
      g_setenv ("ES_FAKE_EIGEN_LARGEST", largest[i], TRUE);
      g_autoptr (EsResult) result = run_pca ("cuda:0", cube);
      g_unsetenv ("ES_FAKE_EIGEN_LARGEST");
      assert_warnings (result, i < 2, "too large for Fake card 0");
      g_assert_cmpstr (es_result_get_device_id (result), ==, "cuda:0");
      g_assert_false (has_stage (result, "retry"));
      assert_same_components (reference, result);
    }
}

/* A cancelled job leaves a thread in the card's solver: the end of the program waits for it. */
static void
test_pca_left_behind (void)
{
  EsTestScene wide = { 20, 20, 400, ESK_I16, "bsq", FALSE, NAN, NULL, 0 };
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  gint64 begun;

  if (!es_test_in_own_process ("ES_FAKE_DELAY_US", "400000", NULL))
    return;
  es_test_scene_fill (&wide, 7);
  g_autoptr (EsDataset) cube = es_test_scene_open (&wide, directory, "wide");
  g_autoptr (EsJob) job = es_job_new (pca, cube, params, es_device_find ("cuda:0", NULL), NULL, NULL);
  es_job_start (job);
  while (es_job_is_active (job) && g_strcmp0 (es_job_get_stage (job), "Eigenproblem") != 0)
    g_main_context_iteration (NULL, TRUE);
  begun = g_get_monotonic_time ();
  g_assert_true (es_job_is_active (job));
  es_job_cancel (job);
  es_test_spin_until_ended (job);
  g_assert_cmpint (es_job_get_state (job), ==, ES_JOB_CANCELLED);
  es_devices_stop ();
  g_assert_cmpint (g_get_monotonic_time () - begun, >, 200000);
  es_test_scene_clear (&wide);
}

static void
test_pca_same (void)
{
  static const char *const ids[] = { "cuda:0", "cuda:1", "cuda:all" };
  g_autoptr (EsDataset) cube = open_scene ();
  g_autoptr (EsResult) reference = run_pca ("cpu", cube);

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autoptr (EsResult) result = run_pca (ids[i], cube);
      assert_warnings (result, 0, NULL);
      g_assert_cmpstr (es_result_get_device_id (result), ==, ids[i]);
      assert_same_components (reference, result);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  es_test_scene_fill (&scene, 5);
  g_test_add_func ("/device-jobs/memory", test_memory);
  g_test_add_func ("/device-jobs/full-card", test_full_card);
  g_test_add_func ("/device-jobs/lost-never", test_lost_never);
  g_test_add_func ("/device-jobs/lost-always", test_lost_always);
  g_test_add_func ("/device-jobs/at-once", test_at_once);
  g_test_add_func ("/device-jobs/cancel-waiting", test_cancel_waiting);
  g_test_add_func ("/device-jobs/preview", test_preview);
  g_test_add_func ("/device-jobs/provenance", test_provenance);
  g_test_add_func ("/device-jobs/pca-same", test_pca_same);
  g_test_add_func ("/device-jobs/pca-lost", test_pca_lost);
  g_test_add_func ("/device-jobs/pca-memory", test_pca_memory);
  g_test_add_func ("/device-jobs/pca-eigen", test_pca_eigen);
  g_test_add_func ("/device-jobs/pca-left-behind", test_pca_left_behind);
  status = g_test_run ();
  es_test_scene_clear (&scene);
  es_test_remove (directory);
  g_free (directory);
  return status;
}
