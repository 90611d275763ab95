/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The whole of it: PCA on cards that fail, and what its provenance says of them. */

#include <math.h>
#include <string.h>

#include "job/es-job-internal.h"
#include "es-test-devices.h"
#include "es-test-scene.h"
#include "es-test-device-jobs.h"
#include "operations/es-operations.h"
#include "session/es-result-load.h"

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
  g_autofree char *folder = g_build_filename (es_test_jobs_directory, "saved", NULL);
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
  g_autoptr (EsDataset) cube = es_test_jobs_open_scene ();

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
  gsize pixels = (gsize) es_test_jobs_scene.width * es_test_jobs_scene.height;
  g_autofree float *u = g_new (float, pixels), *v = g_new (float, pixels);

  g_assert_cmpuint (es_image_stack_get_planes (x), ==, es_image_stack_get_planes (y));
  for (guint i = 0; i < es_image_stack_get_planes (x); i++)
    {
      g_assert_true (es_image_stack_read (x, i, 0, 0, es_test_jobs_scene.width, es_test_jobs_scene.height, 1, u, NULL));
      g_assert_true (es_image_stack_read (y, i, 0, 0, es_test_jobs_scene.width, es_test_jobs_scene.height, 1, v, NULL));
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
  g_autoptr (EsDataset) cube = es_test_jobs_open_scene ();
  g_autoptr (EsResult) reference = run_pca ("cpu", cube);
  g_autoptr (EsJob) job = es_job_new (pca, cube, params, es_device_find ("cuda:0", NULL), &limits, NULL);
  g_autoptr (EsResult) result = es_job_run (job, &error);
  g_assert_no_error (error);
  es_test_jobs_assert_warnings (result, 1, "Fake card 0 (cuda:0)");
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
  g_autoptr (EsDataset) cube = es_test_jobs_open_scene ();
  g_autoptr (EsResult) reference = run_pca ("cpu", cube);
  g_autoptr (EsResult) result = run_pca ("cuda:0", cube);
  es_test_jobs_assert_warnings (result, 2, "The CPU computed this");
  assert_same_components (reference, result);
}

/* A card whose solver cannot take the matrix, or has no room for it: the sums are not thrown away. */
static void
test_pca_eigen (void)
{
  g_autoptr (EsDataset) cube = es_test_jobs_open_scene ();
  g_autoptr (EsResult) reference = run_pca ("cpu", cube);
  static const char *const largest[] = { "8", "-8", "24" };

  for (guint i = 0; i < G_N_ELEMENTS (largest); i++)
    {
      g_setenv ("ES_FAKE_EIGEN_LARGEST", largest[i], TRUE);
      g_autoptr (EsResult) result = run_pca ("cuda:0", cube);
      g_unsetenv ("ES_FAKE_EIGEN_LARGEST");
      es_test_jobs_assert_warnings (result, i < 2, "too large for Fake card 0");
      g_assert_cmpstr (es_result_get_device_id (result), ==, "cuda:0");
      g_assert_false (es_test_jobs_has_stage (result, "retry"));
      assert_same_components (reference, result);
    }
}

static EsResult *
run_again (EsDataset *cube, const char *const *settings, EsResult *previous)
{
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; settings[i] != NULL; i += 2)
    es_params_parse (params, settings[i], settings[i + 1], &error);
  g_assert_no_error (error);
  g_autoptr (EsJob) job = es_job_new (pca, cube, params, es_device_find ("cuda:0", NULL), NULL, previous);
  EsResult *result = es_job_run (job, &error);
  g_assert_no_error (error);
  return result;
}

/* A card finds the eigenvectors of what is kept: who keeps more afterwards has it find those, too. */
static void
test_pca_vectors (void)
{
  static const char *const two[] = { "components", "2", NULL }, *const five[] = { "components", "5", NULL };
  static const char *const share[] = { "threshold", "0.9999999", NULL };
  const char *const *const then[] = { five, share };
  g_autoptr (EsDataset) cube = es_test_jobs_open_scene ();

  for (guint i = 0; i < G_N_ELEMENTS (then); i++)
    {
      g_autoptr (EsResult) few = run_again (cube, two, NULL);
      g_autoptr (EsResult) more = run_again (cube, then[i], few);
      g_autoptr (EsResult) fresh = run_again (cube, then[i], NULL);
      g_autoptr (EsResult) fewer = run_again (cube, two, more);

      g_assert_true (es_test_jobs_has_stage (more, "eigenproblem"));
      g_assert_false (es_test_jobs_has_stage (more, "covariance"));
      g_assert_false (es_test_jobs_has_stage (fewer, "eigenproblem"));
      assert_same_components (fresh, more);
      assert_same_components (few, fewer);
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
  g_autoptr (EsDataset) cube = es_test_scene_open (&wide, es_test_jobs_directory, "wide");
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
  g_autoptr (EsDataset) cube = es_test_jobs_open_scene ();
  g_autoptr (EsResult) reference = run_pca ("cpu", cube);

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autoptr (EsResult) result = run_pca (ids[i], cube);
      es_test_jobs_assert_warnings (result, 0, NULL);
      g_assert_cmpstr (es_result_get_device_id (result), ==, ids[i]);
      assert_same_components (reference, result);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  es_test_jobs_directory = es_test_directory ();
  es_test_scene_fill (&es_test_jobs_scene, 5);
  g_test_add_func ("/device-jobs/provenance", test_provenance);
  g_test_add_func ("/device-jobs/pca-same", test_pca_same);
  g_test_add_func ("/device-jobs/pca-lost", test_pca_lost);
  g_test_add_func ("/device-jobs/pca-memory", test_pca_memory);
  g_test_add_func ("/device-jobs/pca-eigen", test_pca_eigen);
  g_test_add_func ("/device-jobs/pca-vectors", test_pca_vectors);
  g_test_add_func ("/device-jobs/pca-left-behind", test_pca_left_behind);
  status = g_test_run ();
  es_test_scene_clear (&es_test_jobs_scene);
  es_test_remove (es_test_jobs_directory);
  g_free (es_test_jobs_directory);
  return status;
}
