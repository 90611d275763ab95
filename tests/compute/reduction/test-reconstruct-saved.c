/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Reconstruction of windows, from a saved result and in a session; what is saved is loaded again; and refusals. */

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/es-error.h"
#include "layer/es-layer-internal.h"
#include "readers/es-open.h"
#include "../job/es-test-scene.h"
#include "es-test-reconstruct.h"
#include "operations/es-operations.h"
#include "session/es-result-load.h"

static char *directory;

/* ---- windows of the residual ---- */

static void
assert_same_sample (float expected, float found)
{
  g_assert_true (isnan (expected) ? isnan (found) : fabsf (expected - found) <= 1e-4f * (1 + fabsf (expected)));
}

static void
test_windows (void)
{
  EsTestScene scene = es_test_small_scene (ESK_I16, "bip");
  g_autoptr (GError) error = NULL;
  float window[15 * 11], coarse[5 * 4];
  gsize k = 0;

  es_test_scene_fill (&scene, 8);
  g_autoptr (EsDataset) dataset = es_test_scene_open (&scene, directory, "windows");
  g_autoptr (EsResult) source = es_test_run ("pca", dataset, "cpu", NULL, NULL, &error, "components", "2", NULL);
  g_assert_no_error (error);
  g_autoptr (EsResult) result = es_test_run ("reconstruct", dataset, "cpu", source, NULL, &error, NULL);
  g_assert_no_error (error);
  EsImageStack *residual = es_test_stack_of (result, "residual");
  g_autofree float *all = g_new (float, 41 * 37 * 8);

  g_assert_true (es_image_stack_is_complete (residual));
  g_assert_null (es_image_stack_peek (residual, 0));
  g_assert_true (es_image_stack_read_rows (residual, 0, 37, all, &error));
  g_assert_no_error (error);
  g_assert_true (es_image_stack_read (residual, 5, 20, 7, 15, 11, 1, window, &error));
  g_assert_true (es_image_stack_read (residual, 5, 20, 7, 15, 11, 3, coarse, &error));
  g_assert_no_error (error);
  for (guint y = 0; y < 11; y++)
    for (guint x = 0; x < 15; x++)
      {
        const float expected = all[5 * 41 * 37 + (7 + y) * 41 + 20 + x], found = window[y * 15 + x];
        assert_same_sample (expected, found);
        if (x % 3 == 0 && y % 3 == 0)
          assert_same_sample (found, coarse[k++]);
      }
  g_assert_cmpuint (k, ==, 20);
  g_assert_false (es_image_stack_read (residual, 0, 30, 0, 20, 1, 1, window, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE);
  es_test_scene_clear (&scene);
}

/* What a run writes is computed at once, and the same to the bit. */
static void
test_written (void)
{
  EsTestScene scene = es_test_small_scene (ESK_I16, "bil");
  const gsize n = 41 * 37 * 8;
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_build_filename (directory, "written", NULL);
  g_autofree float *lazy = g_new (float, n), *plane = g_new (float, 41 * 37);

  es_test_scene_fill (&scene, 8);
  g_autoptr (EsDataset) dataset = es_test_scene_open (&scene, directory, "to-write");
  g_autoptr (EsResult) source = es_test_run ("pca", dataset, "cpu", NULL, NULL, &error, "components", "2", NULL);
  g_autoptr (EsResult) looked_at = es_test_run ("reconstruct", dataset, "cpu", source, NULL, &error, NULL);
  g_autoptr (EsParams) params = es_params_new (es_operation_find ("reconstruct", NULL)->params);
  const EsLimits limits = { .output_dir = folder };
  g_autoptr (EsJob) job = es_job_new (es_operation_find ("reconstruct", NULL), dataset, params, es_device_get_cpu (),
                                      &limits, NULL);

  g_assert_no_error (error);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  es_job_set_source (job, source);
  g_autoptr (EsResult) written = es_job_run (job, &error);
  g_assert_no_error (error);
  EsImageStack *residual = es_test_stack_of (written, "residual");
  g_assert_true (es_image_stack_read_rows (es_test_stack_of (looked_at, "residual"), 0, 37, lazy, &error));
  g_assert_nonnull (es_image_stack_get_path (residual));
  g_assert_true (es_image_stack_get_signed (residual));
  g_assert_cmpint (es_image_stack_get_hint (residual), ==, ES_IMAGE_HINT_DIVERGING);
  g_assert_cmpuint (es_image_stack_get_planes (residual), ==, 8);
  for (guint k = 0; k < 8; k++)
    {
      g_assert_true (es_image_stack_read (residual, k, 0, 0, 41, 37, 1, plane, &error));
      g_assert_cmpmem (plane, 41 * 37 * sizeof (float), lazy + k * 41 * 37, 41 * 37 * sizeof (float));
    }
  g_assert_cmpfloat (es_test_value_of (written, "rmse"), ==, es_test_value_of (looked_at, "rmse"));
  es_test_scene_clear (&scene);
}

/* ---- saved and loaded ---- */

static void
assert_same_planes (EsImageStack *a, EsImageStack *b)
{
  const guint64 width = es_image_stack_get_width (a), height = es_image_stack_get_height (a);
  g_autofree float *x = g_new (float, width * height), *y = g_new (float, width * height);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (es_image_stack_get_planes (a), ==, es_image_stack_get_planes (b));
  g_assert_cmpint (es_image_stack_get_hint (a), ==, es_image_stack_get_hint (b));
  g_assert_cmpstr (es_image_stack_get_unit (a), ==, es_image_stack_get_unit (b));
  g_assert_true ((es_image_stack_get_wavelengths (a) != NULL) == (es_image_stack_get_wavelengths (b) != NULL));
  for (guint k = 0; k < es_image_stack_get_planes (a); k++)
    {
      g_assert_cmpstr (es_image_stack_get_plane_title (a, k), ==, es_image_stack_get_plane_title (b, k));
      if (es_image_stack_get_wavelengths (a) != NULL)
        g_assert_cmpfloat (es_image_stack_get_wavelengths (a)[k], ==, es_image_stack_get_wavelengths (b)[k]);
      g_assert_true (es_image_stack_read (a, k, 0, 0, width, height, 1, x, &error));
      g_assert_no_error (error);
      g_assert_true (es_image_stack_read (b, k, 0, 0, width, height, 1, y, &error));
      g_assert_no_error (error);
      for (gsize p = 0; p < width * height; p++)
        g_assert_true (isnan (x[p]) ? isnan (y[p]) : fabsf (x[p] - y[p]) <= 1e-4f * (1 + fabsf (x[p])));
    }
}

static GFile *
folder_named (const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);

  return g_file_new_for_path (path);
}

static char *
json_of (const char *name)
{
  return g_build_filename (directory, name, "result.json", NULL);
}

static gboolean
has_file (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (directory, folder, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
check_saved (EsStackFormat format)
{
  EsTestScene scene = es_test_small_scene (ESK_I16, "bsq");
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) pca = folder_named ("pca"), folder = folder_named ("reconstructed");
  g_autofree char *path = json_of ("pca"), *again = json_of ("reconstructed");
  g_autoptr (GFile) file = g_file_new_for_path (again);

  es_test_scene_fill (&scene, 11);
  g_autoptr (EsDataset) dataset = es_test_scene_open (&scene, directory, "saved");
  g_autoptr (EsResult) source = es_test_run ("pca", dataset, "cpu", NULL, NULL, &error, "components", "3", NULL);
  g_assert_no_error (error);
  es_write_result (source, pca, format, NULL, &error);
  g_assert_no_error (error);

  /* The same from what has been saved. */
  g_autoptr (EsResult) at_hand = es_test_run ("reconstruct", dataset, "cpu", source, NULL, &error, "components", "2-3",
                                              "output", "cube", NULL);
  g_assert_no_error (error);
  g_autoptr (EsResult) from_file = es_test_run ("reconstruct", dataset, "cpu", NULL, NULL, &error, "components", "2-3",
                                                "output", "cube", "result", path, NULL);
  g_assert_no_error (error);
  g_assert_cmpfloat (es_test_value_of (at_hand, "rmse"), ==, es_test_value_of (from_file, "rmse"));
  assert_same_planes (es_test_stack_of (at_hand, "residual"), es_test_stack_of (from_file, "residual"));

  es_write_result (from_file, folder, format, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (EsResult) loaded = es_result_load (file, NULL, &error);
  g_assert_no_error (error);
  assert_same_planes (es_test_stack_of (from_file, "error"), es_test_stack_of (loaded, "error"));
  assert_same_planes (es_test_stack_of (from_file, "residual"), es_test_stack_of (loaded, "residual"));
  assert_same_planes (es_test_stack_of (from_file, "reconstruction"), es_test_stack_of (loaded, "reconstruction"));
  g_assert_cmpfloat (es_test_value_of (loaded, "rmse"), ==, es_test_value_of (from_file, "rmse"));
  g_assert_true (g_str_has_suffix (es_params_get_text (es_result_get_params (loaded), "result"), "result.json"));

  /* The reconstruction is a cube like any other. */
  g_autoptr (GFile) cube_file = g_file_get_child (folder, format == ES_STACK_ENVI ? "reconstruction.img"
                                                                                 : "reconstruction.tif");
  g_autoptr (EsDataset) cube = es_dataset_open (cube_file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (es_cube_get_bands (ES_CUBE (cube)), ==, 8);
  if (es_cube_get_wavelengths (ES_CUBE (dataset)) != NULL)
    g_assert_cmpfloat (es_cube_get_wavelengths (ES_CUBE (cube))[4], ==,
                       es_cube_get_wavelengths (ES_CUBE (dataset))[5]);

  /* Another result in the same folder takes the layers of this one away, and nothing else. */
  g_autofree char *note = g_build_filename (directory, "reconstructed", "note.txt", NULL);
  g_assert_true (g_file_set_contents (note, "mine", -1, NULL));
  g_autoptr (EsResult) smaller = es_test_run ("reconstruct", dataset, "cpu", source, NULL, &error, "residual", "no",
                                              NULL);
  g_assert_no_error (error);
  /* But not while somebody reads from it. */
  g_assert_false (es_write_result (smaller, folder, ES_STACK_ENVI, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  g_clear_error (&error);
  g_assert_true (has_file ("reconstructed", format == ES_STACK_ENVI ? "reconstruction.img" : "reconstruction.tif"));
  g_clear_object (&cube);
  g_clear_object (&loaded);
  es_write_result (smaller, folder, ES_STACK_ENVI, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (has_file ("reconstructed", "note.txt"));
  g_assert_true (has_file ("reconstructed", "error.img") && has_file ("reconstructed", "error.hdr"));
  g_assert_false (has_file ("reconstructed", "error.tif"));
  g_assert_false (has_file ("reconstructed", "residual.img") || has_file ("reconstructed", "residual.hdr"));
  g_assert_false (has_file ("reconstructed", "residual.tif"));
  g_assert_false (has_file ("reconstructed", "reconstruction.img") || has_file ("reconstructed", "reconstruction.tif"));
  es_test_scene_clear (&scene);
}

static void
test_saved_envi (void)
{
  check_saved (ES_STACK_ENVI);
}

static void
test_saved_geotiff (void)
{
  check_saved (ES_STACK_GEOTIFF);
}

/* ---- what is refused ---- */

static void
assert_refused (EsDataset *dataset, EsResult *source, const char *key, const char *value, GQuark domain, int code,
                const char *part)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) result = es_test_run ("reconstruct", dataset, "cpu", source, NULL, &error, key, value, NULL);

  g_assert_null (result);
  g_assert_error (error, domain, code);
  g_assert_nonnull (strstr (error->message, part));
}

static void
test_refused (void)
{
  EsTestScene scene = es_test_small_scene (ESK_I16, "bsq"), other_scene = es_test_small_scene (ESK_I16, "bsq");
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) folder = folder_named ("refused");
  g_autofree char *path = json_of ("refused"), *text = NULL;

  es_test_scene_fill (&scene, 1);
  es_test_scene_fill (&other_scene, 2);
  g_autoptr (EsDataset) dataset = es_test_scene_open (&scene, directory, "one");
  g_autoptr (EsDataset) other = es_test_scene_open (&other_scene, directory, "other");
  g_autoptr (EsResult) source = es_test_run ("pca", dataset, "cpu", NULL, NULL, &error, "components", "3", NULL);
  g_assert_no_error (error);
  es_write_result (source, folder, ES_STACK_ENVI, NULL, &error);
  g_assert_no_error (error);

  assert_refused (dataset, NULL, NULL, NULL, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "result=");
  assert_refused (other, source, NULL, NULL, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED, "another cube");
  assert_refused (other, NULL, "result", path, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED, "another cube");
  assert_refused (dataset, source, "components", "2-4", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "component 4");
  assert_refused (dataset, source, "components", "99999999999999999999", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                  "component");
  for (guint i = 0; i < 5; i++)
    {
      const char *wrong[] = { "3-2", "-1", "one", "1-2-3", "0-2" };
      assert_refused (dataset, source, "components", wrong[i], ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "1-5, 8");
    }

  /* As an older version wrote it. */
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_assert_true (json_parser_load_from_file (parser, path, NULL));
  JsonObject *model = json_object_get_object_member (json_node_get_object (json_parser_get_root (parser)), "model");
  const gint64 absurd[] = { 1000000000, 0, -1, 4 };
  for (guint i = 0; i < G_N_ELEMENTS (absurd); i++)
    {
      json_object_set_int_member (model, "components", absurd[i]);
      g_free (text);
      text = json_to_string (json_parser_get_root (parser), FALSE);
      g_assert_true (g_file_set_contents (path, text, -1, NULL));
      assert_refused (dataset, NULL, "result", path, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, "is damaged");
    }
  json_object_remove_member (json_node_get_object (json_parser_get_root (parser)), "model");
  g_free (text);
  text = json_to_string (json_parser_get_root (parser), FALSE);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  assert_refused (dataset, NULL, "result", path, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED, "compute it again");
  g_assert_true (g_file_set_contents (path, "{ \"operation\": ", -1, NULL));
  assert_refused (dataset, NULL, "result", path, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, "not valid JSON");

  /* What never ends, waits for a writer, or is no file. */
  g_autofree char *pipe = g_build_filename (directory, "pipe", NULL);
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  assert_refused (dataset, NULL, "result", "/dev/zero", ES_DATA_ERROR, ES_DATA_ERROR_OPEN, "a device or a pipe");
  assert_refused (dataset, NULL, "result", pipe, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, "a device or a pipe");
  assert_refused (dataset, NULL, "result", directory, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, "is a folder");
  assert_refused (dataset, NULL, "result", "/nowhere/result.json", ES_DATA_ERROR, ES_DATA_ERROR_OPEN, "not there");
  es_test_scene_clear (&scene);
  es_test_scene_clear (&other_scene);
}

/* ---- in a session ---- */

static EsParams *
params_with (const char *components)
{
  EsParams *params = es_params_new (es_operation_find ("reconstruct", NULL)->params);

  es_params_set_text (params, "components", components);
  return params;
}

/* The newest takes the place of the one before; what is overtaken never appears. */
static void
test_session (void)
{
  const EsOperation *reconstruct = es_operation_find ("reconstruct", NULL);
  EsTestScene scene = es_test_small_scene (ESK_I16, "bsq");
  g_autoptr (GError) error = NULL;
  g_autoptr (EsSession) session = es_session_new ();
  g_autoptr (EsParams) one = params_with ("1"), two = params_with ("1-2"), three = params_with ("1-3");

  es_test_scene_fill (&scene, 3);
  g_autoptr (EsDataset) dataset = es_test_scene_open (&scene, directory, "session");
  g_autoptr (EsResult) source = es_test_run ("pca", dataset, "cpu", NULL, NULL, &error, "components", "3", NULL);
  g_assert_no_error (error);
  es_session_add_dataset (session, dataset);
  es_session_add_result (session, source);

  g_autoptr (EsJob) first = g_object_ref (es_session_run_on_result (session, reconstruct, source, one,
                                                                    es_device_get_cpu (), NULL));
  es_test_spin_until_ended (first);
  g_assert_cmpint (es_job_get_state (first), ==, ES_JOB_DONE);
  EsResult *shown = es_job_get_result (first);
  g_autoptr (EsJob) second = g_object_ref (es_session_run_on_result (session, reconstruct, source, two,
                                                                     es_device_get_cpu (), shown));
  g_autoptr (EsJob) third = g_object_ref (es_session_run_on_result (session, reconstruct, source, three,
                                                                    es_device_get_cpu (), shown));
  es_test_spin_until_ended (second);
  es_test_spin_until_ended (third);
  g_assert_cmpint (es_job_get_state (third), ==, ES_JOB_DONE);

  GListModel *results = es_session_get_results (session, dataset);
  g_assert_cmpuint (g_list_model_get_n_items (results), ==, 2);
  g_autoptr (EsResult) last = g_list_model_get_item (results, 1);
  g_assert_true (last == es_job_get_result (third));
  g_assert_cmpint (json_object_get_int_member (es_result_get_values (last), "components"), ==, 3);

  g_autoptr (EsJob) again = g_object_ref (es_session_repeat (session, third, es_device_get_cpu ()));
  es_test_spin_until_ended (again);
  /* A repetition is for jobs that failed on a lost device; this one has given its source away. */
  g_assert_cmpint (es_job_get_state (again), ==, ES_JOB_FAILED);
  es_test_scene_clear (&scene);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  g_test_add_func ("/reconstruct/windows", test_windows);
  g_test_add_func ("/reconstruct/written", test_written);
  g_test_add_func ("/reconstruct/saved/envi", test_saved_envi);
  g_test_add_func ("/reconstruct/saved/geotiff", test_saved_geotiff);
  g_test_add_func ("/reconstruct/refused", test_refused);
  g_test_add_func ("/reconstruct/session", test_session);
  status = g_test_run ();
  es_test_remove (directory);
  return status;
}
