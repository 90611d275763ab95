/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-scene.h"
#include "readers/es-open.h"
#include "operations/es-operations.h"
#include "session/es-result-load.h"

#include <glib/gstdio.h>
#include <math.h>
#include <fcntl.h>
#include <unistd.h>

static char *directory;
static EsTestScene scene = { 400, 500, 60, ESK_I16, "bsq", FALSE, NAN, NULL, 0 };

static EsDataset *
open_scene (void)
{
  return es_test_scene_open (&scene, directory, "job");
}

static void
record_progress (EsJob *job, GParamSpec *spec, double *last)
{
  g_assert_true (g_main_context_is_owner (g_main_context_default ()));
  g_assert_cmpfloat (es_job_get_progress (job), >=, *last);
  *last = es_job_get_progress (job);
}

static void
count_results (EsSession *session, EsResult *result, EsJob *job, guint *n)
{
  g_assert_true (es_job_get_result (job) == result);
  g_assert_false (es_session_is_under_way (session, job));
  (*n)++;
}

static void
test_session_run (void)
{
  g_autoptr (EsSession) session = es_session_new ();
  g_autoptr (EsDataset) cube = open_scene ();
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  double last = 0;
  guint n = 0;

  g_assert_true (es_session_add_dataset (session, cube) == cube);
  g_assert_true (es_session_add_dataset (session, cube) == cube);
  g_autoptr (EsDataset) again = es_dataset_open (es_dataset_get_file (cube), NULL, NULL, NULL);
  g_assert_true (es_session_add_dataset (session, again) == cube);
  g_assert_cmpuint (g_list_model_get_n_items (es_session_get_datasets (session)), ==, 1);

  g_signal_connect (session, "result-added", G_CALLBACK (count_results), &n);
  EsJob *job = es_session_run (session, pca, cube, params, es_device_get_cpu (), NULL);
  g_signal_connect (job, "notify::progress", G_CALLBACK (record_progress), &last);
  g_assert_cmpuint (es_session_get_n_active (session), ==, 1);
  es_test_spin_until_ended (job);

  g_assert_cmpint (es_job_get_state (job), ==, ES_JOB_DONE);
  g_assert_cmpfloat (last, ==, 1);
  g_assert_cmpuint (n, ==, 1);
  GListModel *results = es_session_get_results (session, cube);
  g_assert_cmpuint (g_list_model_get_n_items (results), ==, 1);

  /* A moved threshold takes the place of the result; of two moves the newer wins. */
  g_autoptr (EsResult) first = g_list_model_get_item (results, 0);
  es_params_set_value (params, "threshold", 0.6);
  g_autoptr (EsJob) older = g_object_ref (es_session_run (session, pca, cube, params, es_device_get_cpu (), first));
  es_params_set_value (params, "threshold", 0.9999);
  g_autoptr (EsJob) newer = g_object_ref (es_session_run (session, pca, cube, params, es_device_get_cpu (), first));
  es_test_spin_until_ended (older);
  es_test_spin_until_ended (newer);
  g_assert_cmpint (es_job_get_state (newer), ==, ES_JOB_DONE);
  g_autoptr (EsResult) now = g_list_model_get_item (results, g_list_model_get_n_items (results) - 1);
  g_assert_true (now == es_job_get_result (newer));
  g_assert_false (g_list_model_get_n_items (results) > 2);

  es_session_remove_dataset (session, cube);
  g_assert_cmpuint (g_list_model_get_n_items (es_session_get_datasets (session)), ==, 0);
}

/* Without a main loop: until a time, until it ends, until it is cancelled before its turn. */
static void
test_wait (void)
{
  g_autoptr (EsDataset) cube = open_scene ();
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  g_autoptr (EsJob) job = es_job_new (pca, cube, params, es_device_get_cpu (), NULL, NULL);
  g_autoptr (EsJob) other = es_job_new (pca, cube, params, es_device_get_cpu (), NULL, NULL);
  const gint64 begun = g_get_monotonic_time ();

  g_assert_false (es_job_wait (job, begun + 20000));
  g_assert_cmpint (g_get_monotonic_time () - begun, >=, 20000);
  es_job_start (job);
  g_assert_true (es_job_wait (job, begun + 60 * G_USEC_PER_SEC));
  g_assert_cmpint (es_job_get_state (job), ==, ES_JOB_DONE);
  es_job_cancel (other);
  g_assert_true (es_job_wait (other, begun));
  es_test_spin_until_ended (job);
}

static gboolean
draw_another_frame (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static gboolean
give_up (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

/* A spinner that is always behind with its frames, as GDK draws them, does not keep a job from being told as ended. */
static void
test_end_amid_frames (void)
{
  g_autoptr (EsSession) session = es_session_new ();
  g_autoptr (EsDataset) cube = open_scene ();
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  gboolean late = FALSE;
  guint n = 0;

  es_session_add_dataset (session, cube);
  g_signal_connect (session, "result-added", G_CALLBACK (count_results), &n);
  es_session_run (session, pca, cube, params, es_device_get_cpu (), NULL);
  guint frames = g_idle_add_full (G_PRIORITY_HIGH_IDLE + 20, draw_another_frame, NULL, NULL);
  guint limit = g_timeout_add_seconds (60, give_up, &late);
  while (n == 0 && !late)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (late);
  g_source_remove (limit);
  g_source_remove (frames);
}

static void
cancel_half_way (EsJob *job, GParamSpec *spec, gpointer data)
{
  if (es_job_get_progress (job) > 0.2)
    es_job_cancel (job);
}

/* Cancelled half-way: nothing is published, and no file stays behind. */
static void
test_cancel (void)
{
  g_autoptr (EsDataset) cube = open_scene ();
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  g_autofree char *output = g_build_filename (directory, "cancelled", NULL);
  EsLimits limits = { .memory = 8 << 20, .threads = 1, .output_dir = output };

  g_assert_cmpint (g_mkdir (output, 0777), ==, 0);
  g_autoptr (EsJob) job = es_job_new (pca, cube, params, es_device_get_cpu (), &limits, NULL);
  g_signal_connect (job, "notify::progress", G_CALLBACK (cancel_half_way), NULL);
  es_job_start (job);
  es_test_spin_until_ended (job);
  g_assert_cmpint (es_job_get_state (job), ==, ES_JOB_CANCELLED);
  g_assert_null (es_job_get_result (job));
  g_assert_null (es_job_get_error (job));

  g_autoptr (GDir) dir = g_dir_open (output, 0, NULL);
  g_assert_null (g_dir_read_name (dir));

  /* Before it began. */
  g_autoptr (EsJob) early = es_job_new (pca, cube, params, es_device_get_cpu (), NULL, NULL);
  g_autoptr (GError) error = NULL;
  es_job_cancel (early);
  g_assert_null (es_job_run (early, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
record_replaced (EsSession *session, EsResult *result, EsJob *job, EsResult **replaced)
{
  *replaced = es_job_get_replaces (job);
}

static gboolean
has_job (EsSession *session, EsJob *job)
{
  return g_list_store_find (G_LIST_STORE (es_session_get_jobs (session)), job, NULL);
}

/* The older of two runs that replace a result is done, but the main context has not heard of it: the newer one wins. */
static void
test_overtaken (void)
{
  g_autoptr (EsSession) session = es_session_new ();
  g_autoptr (EsDataset) cube = open_scene ();
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  guint n = 0;

  es_session_add_dataset (session, cube);
  GListModel *results = es_session_get_results (session, cube);
  g_autoptr (EsJob) whole = g_object_ref (es_session_run (session, pca, cube, params, es_device_get_cpu (), NULL));
  es_test_spin_until_ended (whole);
  g_autoptr (EsResult) first = g_list_model_get_item (results, 0);
  EsResult *replaced = NULL;
  g_signal_connect (session, "result-added", G_CALLBACK (count_results), &n);
  g_signal_connect (session, "result-added", G_CALLBACK (record_replaced), &replaced);

  es_params_set_value (params, "threshold", 0.6);
  g_autoptr (EsJob) older = g_object_ref (es_session_run (session, pca, cube, params, es_device_get_cpu (), first));
  while (es_job_is_active (older))
    g_usleep (1000);
  g_assert_cmpint (es_job_get_state (older), ==, ES_JOB_DONE);
  es_params_set_value (params, "threshold", 0.9999);
  g_autoptr (EsJob) newer = g_object_ref (es_session_run (session, pca, cube, params, es_device_get_cpu (), first));
  es_test_spin_until_ended (newer);

  g_autoptr (EsResult) last = g_list_model_get_item (results, 0);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (g_list_model_get_n_items (results), ==, 1);
  g_assert_true (last == es_job_get_result (newer));
  /* Whose place it took was known while that was told, and is not kept alive by it afterwards. */
  g_assert_true (replaced == first);
  g_assert_null (es_job_get_replaces (newer));

  /* Pictures that nobody shows any more are not kept by the list of jobs. */
  g_assert_false (has_job (session, whole));
  g_assert_false (has_job (session, older));
  g_assert_true (has_job (session, newer));
  es_session_remove_result (session, last);
  g_assert_false (has_job (session, newer));
}

/* What waits behind another job ends at once when it is cancelled; a closed data set leaves no job behind. */
static void
test_cancel_waiting (void)
{
  g_autoptr (EsSession) session = es_session_new ();
  g_autoptr (EsDataset) cube = open_scene ();
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  EsDevice *cpu = es_device_get_cpu ();

  es_session_add_dataset (session, cube);
  g_autoptr (EsJob) running = g_object_ref (es_session_run (session, pca, cube, params, cpu, NULL));
  g_autoptr (EsJob) waiting = g_object_ref (es_session_run (session, pca, cube, params, cpu, NULL));
  es_job_cancel (waiting);
  g_assert_cmpint (es_job_get_state (waiting), ==, ES_JOB_CANCELLED);
  g_assert_cmpint (es_job_get_state (running), <=, ES_JOB_RUNNING);

  es_session_remove_dataset (session, cube);
  es_test_spin_until_ended (running);
  g_assert_cmpint (es_job_get_state (running), ==, ES_JOB_CANCELLED);
  g_assert_cmpuint (g_list_model_get_n_items (es_session_get_jobs (session)), ==, 0);
}

static void
catch_failure (EsSession *session, EsJob *job, char **message)
{
  *message = g_strdup (es_job_get_error (job)->message);
}

/* The file shrinks under the cube: a failed job with a sentence, not a dead process. */
static void
test_truncated_while_open (void)
{
  g_autoptr (EsSession) session = es_session_new ();
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "shrinks");
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  g_autofree char *path = g_build_filename (directory, "shrinks", NULL);
  g_autofree char *message = NULL;

  g_assert_cmpint (truncate (path, 12345), ==, 0);
  es_session_add_dataset (session, cube);
  g_signal_connect (session, "failed", G_CALLBACK (catch_failure), &message);
  g_autoptr (EsJob) job = g_object_ref (es_session_run (session, pca, cube, params, es_device_get_cpu (), NULL));
  es_test_spin_until_ended (job);
  g_assert_cmpint (es_job_get_state (job), ==, ES_JOB_FAILED);
  g_assert_error (es_job_get_error (job), ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED);
  g_assert_nonnull (message);
  g_assert_cmpuint (g_list_model_get_n_items (es_session_get_results (session, cube)), ==, 0);
}

/* Somebody writes other samples into the file while it is open: the result says that it may be of either. */
static void
test_rewritten_while_open (void)
{
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "rewritten");
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  g_autofree char *path = g_build_filename (directory, "rewritten", NULL);
  g_autoptr (GError) error = NULL;

  for (guint rewritten = 0; rewritten < 2; rewritten++)
    {
      g_autoptr (EsJob) job = es_job_new (pca, cube, params, es_device_get_cpu (), NULL, NULL);
      g_autoptr (EsResult) result = es_job_run (job, &error);
      const char * const *warnings;

      g_assert_no_error (error);
      warnings = es_result_get_warnings (result);
      gboolean told = FALSE;
      for (guint i = 0; warnings != NULL && warnings[i] != NULL; i++)
        told = told || strstr (warnings[i], "rewritten") != NULL;
      g_assert_cmpint (told, ==, rewritten);
      const int fd = open (path, O_WRONLY);
      g_assert_cmpint (fd, >=, 0);
      g_assert_cmpint (pwrite (fd, "abcd", 4, 0), ==, 4);
      close (fd);
    }
}

static void
test_provenance (void)
{
  g_autoptr (EsDataset) cube = open_scene ();
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  g_autoptr (GError) error = NULL;
  guint n;
  double sum = 0;

  es_params_set_value (params, "threshold", 0.95);
  es_params_set_value (params, "eigensolver", 1);
  g_autoptr (EsJob) job = es_job_new (pca, cube, params, es_device_get_cpu (), NULL, NULL);
  g_autoptr (EsResult) result = es_job_run (job, &error);
  g_assert_no_error (error);

  g_autofree char *command = es_result_to_command (result);
  g_assert_nonnull (strstr (command, "eigenscope-batch run pca "));
  g_assert_nonnull (strstr (command, " threshold=0.95"));
  g_assert_nonnull (strstr (command, " eigensolver=jacobi"));
  g_assert_null (strstr (command, "quantise"));

  const EsStageTime *stages = es_result_get_stages (result, &n);
  static const char *const expected[] = { "input", "covariance", "eigenproblem", "selection", "transform", "output" };
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      gboolean found = FALSE;
      for (guint j = 0; j < n; j++)
        found |= g_str_equal (stages[j].name, expected[i]);
      g_assert_true (found);
    }
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpfloat (stages[i].ms, >=, 0);
      sum += stages[i].ms;
    }
  g_assert_cmpfloat (sum, <=, es_result_get_total_ms (result) * 1.05 + 1);

  g_autoptr (JsonNode) json = es_result_to_json (result);
  JsonObject *root = json_node_get_object (json);
  g_assert_cmpstr (json_object_get_string_member (root, "operation"), ==, "pca");
  JsonObject *parameters = json_object_get_object_member (root, "parameters");
  g_assert_cmpstr (json_object_get_string_member (parameters, "eigensolver"), ==, "jacobi");
  g_assert_cmpstr (json_object_get_string_member (json_object_get_object_member (root, "input"), "shape"), ==,
                   "400x500x60");
}

static void
assert_same_layers (EsResult *a, EsResult *b)
{
  EsImageStack *x = ES_IMAGE_STACK (es_result_find_layer (a, "components"));
  EsImageStack *y = ES_IMAGE_STACK (es_result_find_layer (b, "components"));
  gsize pixels = (gsize) scene.width * scene.height;
  g_autofree float *u = g_new (float, pixels), *v = g_new (float, pixels);

  g_assert_cmpuint (es_image_stack_get_planes (x), ==, es_image_stack_get_planes (y));
  g_assert_cmpint (es_image_stack_get_signed (x), ==, es_image_stack_get_signed (y));
  for (guint i = 0; i < es_image_stack_get_planes (x); i++)
    {
      g_assert_true (es_image_stack_read (x, i, 0, 0, scene.width, scene.height, 1, u, NULL));
      g_assert_true (es_image_stack_read (y, i, 0, 0, scene.width, scene.height, 1, v, NULL));
      g_assert_cmpmem (u, pixels * sizeof (float), v, pixels * sizeof (float));
      g_assert_cmpstr (es_image_stack_get_plane_title (x, i), ==, es_image_stack_get_plane_title (y, i));
      g_assert_cmpfloat (es_image_stack_get_plane_share (x, i), ==, es_image_stack_get_plane_share (y, i));
    }

  EsCurve *c = ES_CURVE (es_result_find_layer (a, "eigenvalues"));
  EsCurve *d = ES_CURVE (es_result_find_layer (b, "eigenvalues"));
  g_assert_cmpstr (es_curve_get_role (c), ==, es_curve_get_role (d));
  g_assert_cmpuint (es_curve_get_length (c), ==, es_curve_get_length (d));
  g_assert_cmpuint (es_curve_get_n_series (c), ==, es_curve_get_n_series (d));
  g_assert_cmpfloat (es_curve_get_threshold (c), ==, es_curve_get_threshold (d));
  g_assert_cmpint (es_curve_get_log_y (c), ==, es_curve_get_log_y (d));
  g_assert_cmpmem (es_curve_get_series (c, 1)->y, es_curve_get_length (c) * sizeof (double),
                   es_curve_get_series (d, 1)->y, es_curve_get_length (c) * sizeof (double));
}

/* Saved, opened again and run again: the same layers, the same values. */
static void
test_load (void)
{
  g_autoptr (EsDataset) cube = open_scene ();
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  g_autofree char *folder = g_build_filename (directory, "saved", NULL);
  g_autofree char *file_name = g_build_filename (folder, "result.json", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (folder);
  g_autoptr (GFile) file = g_file_new_for_path (file_name);
  g_autoptr (GError) error = NULL;

  es_params_set_value (params, "threshold", 0.97);
  es_params_set_value (params, "center", 0);
  for (int format = ES_STACK_ENVI; format <= ES_STACK_GEOTIFF; format++)
    {
      g_autoptr (EsJob) job = es_job_new (pca, cube, params, es_device_get_cpu (), NULL, NULL);
      g_autoptr (EsResult) result = es_job_run (job, &error);
      g_assert_no_error (error);
      g_assert_true (es_write_result (result, target, format, NULL, &error));
      g_assert_no_error (error);

      g_autoptr (EsResult) loaded = es_result_load (file, NULL, &error);
      g_assert_no_error (error);
      assert_same_layers (result, loaded);
      g_assert_cmpstr (es_result_get_title (result), ==, es_result_get_title (loaded));
      g_assert_true (es_params_equal (es_result_get_params (result), es_result_get_params (loaded)));
      g_assert_null (es_result_get_warnings (loaded));

      g_autoptr (EsJob) again = es_job_new (pca, es_result_get_dataset (loaded), es_result_get_params (loaded),
                                            es_device_get_cpu (), NULL, loaded);
      g_autoptr (EsResult) repeated = es_job_run (again, &error);
      g_assert_no_error (error);
      assert_same_layers (result, repeated);
    }

  /* Damaged in every way that a hand or a disk may: a sentence, never a crash. */
  static const char *const damaged[] = {
    "", "{", "[]", "{}", "{\"operation\": 3}", "{\"operation\": \"frobnicate\"}", "{\"operation\": \"pca\"}",
    "{\"operation\": \"pca\", \"input\": {\"path\": \"/nowhere/at/all\"}}",
  };
  g_autofree char *deep = g_strnfill (500000, '[');
  for (guint i = 0; i < G_N_ELEMENTS (damaged); i++)
    {
      g_autoptr (GError) local = NULL;
      g_assert_true (g_file_set_contents (file_name, damaged[i], -1, NULL));
      g_assert_null (es_result_load (file, NULL, &local));
      g_assert_nonnull (local);
    }
  g_autoptr (GError) local = NULL;
  g_assert_true (g_file_set_contents (file_name, deep, -1, NULL));
  g_assert_null (es_result_load (file, NULL, &local));
  g_assert_error (local, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
}

/* What was told when a file was opened goes into the command and the saved result, and makes it another data set. */
static void
test_options (void)
{
  g_autoptr (EsDataset) plain = open_scene ();
  EsOpenOptions options = { .width = 25, .height = 8, .variable = "a scene" };
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) told = es_dataset_open (es_dataset_get_file (plain), &options, NULL, &error);
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  g_autoptr (EsSession) session = es_session_new ();
  g_autofree char *folder = g_build_filename (directory, "told", NULL);
  g_autofree char *file_name = g_build_filename (folder, "result.json", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (folder);
  g_autoptr (GFile) file = g_file_new_for_path (file_name);

  g_assert_no_error (error);
  g_assert_true (es_session_add_dataset (session, plain) == plain);
  g_assert_true (es_session_add_dataset (session, told) == told);

  g_autoptr (EsJob) job = es_job_new (pca, told, params, es_device_get_cpu (), NULL, NULL);
  g_autoptr (EsResult) result = es_job_run (job, &error);
  g_assert_no_error (error);
  g_autofree char *command = es_result_to_command (result);
  g_assert_nonnull (strstr (command, " --variable 'a scene' --width 25 --height 8"));

  g_assert_true (es_write_result (result, target, ES_STACK_ENVI, NULL, &error));
  g_autoptr (EsResult) loaded = es_result_load (file, NULL, &error);
  g_assert_no_error (error);
  const EsOpenOptions *again = es_dataset_get_options (es_result_get_dataset (loaded));
  g_assert_cmpint (again->width, ==, 25);
  g_assert_cmpint (again->height, ==, 8);
  g_assert_cmpstr (again->variable, ==, "a scene");
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  es_test_scene_fill (&scene, 2);
  g_test_add_func ("/job/wait", test_wait);
  g_test_add_func ("/job/session", test_session_run);
  g_test_add_func ("/job/end-amid-frames", test_end_amid_frames);
  g_test_add_func ("/job/cancel", test_cancel);
  g_test_add_func ("/job/overtaken", test_overtaken);
  g_test_add_func ("/job/cancel-waiting", test_cancel_waiting);
  g_test_add_func ("/job/truncated-while-open", test_truncated_while_open);
  g_test_add_func ("/job/rewritten-while-open", test_rewritten_while_open);
  g_test_add_func ("/job/provenance", test_provenance);
  g_test_add_func ("/job/load", test_load);
  g_test_add_func ("/job/options", test_options);
  status = g_test_run ();
  es_test_scene_clear (&scene);
  es_test_remove (directory);
  g_free (directory);
  return status;
}
