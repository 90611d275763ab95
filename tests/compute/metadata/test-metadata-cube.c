/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The cube that is made of what is told: its values, what is computed of it, and how it is found again. */

#include "../job/es-test-scene.h"
#include "cube/es-cube-line-internal.h"
#include "cube/es-cube-metadata.h"
#include "keeping/es-session-file.h"
#include "keeping/es-session-restore.h"
#include "operations/es-operations.h"
#include "readers/es-open.h"
#include "result/es-result-computed-internal.h"

#include <math.h>
#include <string.h>

#define WIDTH 12u
#define HEIGHT 9u
#define BANDS 5u
#define PIXELS (WIDTH * HEIGHT)

static char *directory;

static EsDataset *
open_scene (EsTestScene *scene, const char *name)
{
  *scene = (EsTestScene) {
    .width = WIDTH, .height = HEIGHT, .bands = BANDS, .type = ESK_I16, .interleave = "bsq", .no_data = -999,
    .missing = 0.1,
  };
  es_test_scene_fill (scene, 5);
  return es_test_scene_open (scene, directory, name);
}

static EsMetadata *
told (const char *line)
{
  g_autoptr (GError) error = NULL;
  EsMetadata *metadata = es_metadata_from_line (line, BANDS, &error);

  g_assert_no_error (error);
  return metadata;
}

static EsCube *
tell (EsDataset *dataset, const char *line)
{
  g_autoptr (EsMetadata) metadata = told (line);
  g_autoptr (GError) error = NULL;
  EsCube *cube = es_cube_with_metadata (ES_CUBE (dataset), metadata, &error);

  g_assert_no_error (error);
  return cube;
}

static void
save_beside (EsDataset *dataset, const char *line)
{
  g_autoptr (EsMetadata) metadata = told (line);
  g_autoptr (GFile) sidecar = es_metadata_sidecar_of (es_dataset_get_file (dataset));
  g_autofree char *shape = es_dataset_shape (dataset);

  g_assert_true (es_metadata_save (metadata, sidecar, shape, NULL));
}

static void
remove_beside (EsDataset *dataset)
{
  g_autoptr (GFile) sidecar = es_metadata_sidecar_of (es_dataset_get_file (dataset));

  g_assert_true (g_file_delete (sidecar, NULL, NULL));
}

static void
test_values (void)
{
  EsTestScene scene;
  g_autoptr (EsDataset) dataset = open_scene (&scene, "values");
  g_autoptr (EsCube) cube = tell (dataset, "{\"no-data\": 0, \"scale\": 0.5, \"offset\": [1, null, 2, 3, 4],"
                                           " \"unit\": \"counts\", \"wavelengths\": [0.4, 0.5, 0.6, 0.7, 0.65],"
                                           " \"wavelength-unit\": \"um\","
                                           " \"good-bands\": [true, true, false, true, true],"
                                           " \"geotransform\": [0, 1, 0, 0, 0, -1],"
                                           " \"coordinate-system\": \"EPSG:4326\","
                                           " \"default-bands\": [5, 2, 1]}");
  const double offsets[BANDS] = { 1, 0, 2, 3, 4 };
  float values[PIXELS];
  double spectrum[BANDS], latitude, longitude;
  guint rgb[3];

  for (guint b = 0; b < BANDS; b++)
    {
      g_assert_true (es_cube_read_band (cube, b, 0, 0, WIDTH, HEIGHT, 1, values, NULL, NULL));
      for (guint p = 0; p < PIXELS; p++)
        {
          const double stored = scene.values[b * PIXELS + p];

          g_assert_cmpint (isnan (values[p]), ==, stored == 0);
          if (stored != 0)
            g_assert_cmpfloat (values[p], ==, (float) (stored * 0.5 + offsets[b]));
        }
    }
  g_assert_true (es_cube_read_spectrum (cube, 3, 2, spectrum, NULL));
  g_assert_cmpfloat (spectrum[3], ==, scene.values[3 * PIXELS + 2 * WIDTH + 3] * 0.5 + 3);
  g_assert_cmpstr (es_cube_get_unit (cube), ==, "counts");
  g_assert_cmpfloat_with_epsilon (es_cube_get_wavelengths (cube)[4], 650, 1e-9);
  g_assert_cmpint (es_cube_find_wavelength (cube, 601), ==, 4);      /* the third is bad */
  g_assert_cmpuint (es_cube_get_n_good_bands (cube), ==, 4);
  g_assert_cmpstr (es_cube_pick_rgb (cube, rgb), ==, "header");
  g_assert_cmpuint (rgb[0], ==, 4);
  g_assert_true (es_cube_get_geographic (cube, 0, 0, &latitude, &longitude));
  g_assert_cmpfloat_with_epsilon (latitude, -0.5, 1e-9);
  /* The cube that it was made of is what it was, and so is the file. */
  g_assert_null (es_cube_get_metadata (ES_CUBE (dataset)));
  g_assert_null (es_cube_get_unit (ES_CUBE (dataset)));
  g_assert_true (es_cube_get_original (cube) == ES_CUBE (dataset));
  /* Told otherwise, nothing of that is left. */
  g_autoptr (EsCube) other = es_cube_with_metadata (cube, NULL, NULL);
  g_assert_null (es_cube_get_unit (other));
  g_assert_null (es_cube_get_wavelengths (other));
  g_assert_true (es_cube_get_original (other) == ES_CUBE (dataset));
  es_test_scene_clear (&scene);
}

/* Metres are those of the ground where a map is not true. */
static void
test_metres (void)
{
  EsTestScene scene;
  g_autoptr (EsDataset) dataset = open_scene (&scene, "metres");
  g_autoptr (EsCube) utm = tell (dataset, "{\"geotransform\": [500000, 10, 0, 6650000, 0, -10],"
                                          " \"coordinate-system\": \"EPSG:32633\"}");
  g_autoptr (EsCube) mercator = tell (dataset, "{\"geotransform\": [0, 10, 0, 8399738, 0, -10],"
                                               " \"coordinate-system\": \"EPSG:3857\"}");
  g_autoptr (EsCube) feet = tell (dataset, "{\"geotransform\": [2000000, 10, 0, 500000, 0, -10],"
                                           " \"coordinate-system\": \"EPSG:2227\"}");
  g_autoptr (EsCube) degrees = tell (dataset, "{\"geotransform\": [0, 1, 0, 90, 0, -20],"
                                              " \"coordinate-system\": \"EPSG:4326\"}");

  g_assert_cmpfloat_with_epsilon (es_cube_measure_metres (utm, 0, 0, 4, 3), 50, 1e-9);
  g_assert_cmpfloat_with_epsilon (es_cube_measure_metres (mercator, 0, 0, 4, 3), 25.05, 0.02);
  g_assert_cmpfloat_with_epsilon (es_cube_measure_metres (feet, 0, 0, 4, 3), 50 * 1200.0 / 3937, 1e-9);
  /* From 80 degrees north to 80 south, along a meridian. */
  g_assert_cmpfloat_with_epsilon (es_cube_measure_metres (degrees, 0, 0, 0, 8), 17769841, 2000);
  es_test_scene_clear (&scene);
}

static void
test_refused (void)
{
  EsTestScene scene;
  g_autoptr (EsDataset) dataset = open_scene (&scene, "refused");
  static const struct { const char *line, *part; } cases[] = {
    { "{\"coordinate-system\": \"EPSG:99999999\"}", "EPSG:99999999" },
    { "{\"coordinate-system\": \"/etc/passwd\"}", "/etc/passwd" },
    { "{\"wavelength-unit\": \"parsec\"}", "parsec" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EsMetadata) metadata = told (cases[i].line);
      g_autoptr (GError) error = NULL;

      g_assert_null (es_cube_with_metadata (ES_CUBE (dataset), metadata, &error));
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
      g_assert_nonnull (strstr (error->message, "refused"));
      g_assert_nonnull (strstr (error->message, cases[i].part));
    }
  es_test_scene_clear (&scene);
}

static EsResult *
run_pca (EsDataset *dataset)
{
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  g_autoptr (EsJob) job = es_job_new (pca, dataset, params, es_device_get_cpu (), NULL, NULL);
  g_autoptr (GError) error = NULL;
  EsResult *result = es_job_run (job, &error);

  g_assert_no_error (error);
  return result;
}

/* Eigenvalues are those of the pixels that are valid by what is told: the trace is the sum of variances. */
static void
check_pca (EsResult *result, const EsTestScene *scene, double no_data, double scale)
{
  JsonObject *values = es_result_get_values (result);
  JsonArray *eigenvalues = json_object_get_array_member (values, "eigenvalues");
  gboolean valid[PIXELS];
  long double trace = 0, found = 0;
  gint64 n = 0;

  for (guint p = 0; p < PIXELS; p++)
    {
      valid[p] = TRUE;
      for (guint b = 0; b < BANDS; b++)
        valid[p] = valid[p] && scene->values[b * PIXELS + p] != no_data;
      n += valid[p];
    }
  for (guint b = 0; b < BANDS; b++)
    {
      long double mean = 0, square = 0;

      for (guint p = 0; p < PIXELS; p++)
        mean += valid[p] ? scene->values[b * PIXELS + p] / (long double) n : 0;
      for (guint p = 0; p < PIXELS; p++)
        square += valid[p] ? (scene->values[b * PIXELS + p] - mean) * (scene->values[b * PIXELS + p] - mean) : 0;
      trace += square / (n - 1);
    }
  for (guint i = 0; i < json_array_get_length (eigenvalues); i++)
    found += json_array_get_double_element (eigenvalues, i);
  g_assert_cmpint (json_object_get_int_member (values, "valid_pixels"), ==, n);
  g_assert_cmpfloat_with_epsilon ((double) (found / (trace * scale * scale)), 1, 1e-6);
}

static void
test_computed (void)
{
  EsTestScene scene;
  g_autoptr (EsDataset) dataset = open_scene (&scene, "computed");
  g_autoptr (EsCube) none = tell (dataset, "{\"no-data\": \"none\"}");
  g_autoptr (EsCube) other = tell (dataset, "{\"no-data\": 7}");
  g_autoptr (EsResult) said = run_pca (dataset), all = run_pca (ES_DATASET (none)), few = NULL;

  check_pca (said, &scene, -999, 1);
  check_pca (all, &scene, NAN, 1);
  few = run_pca (ES_DATASET (other));
  check_pca (few, &scene, 7, 1);
  g_assert_false (json_object_has_member (es_result_get_values (said), "metadata"));
  g_assert_true (json_object_has_member (es_result_get_values (all), "metadata"));
  es_test_scene_clear (&scene);
}

static EsDataset *
reopen (EsDataset *dataset)
{
  g_autoptr (GError) error = NULL;
  EsDataset *again = es_dataset_open (es_dataset_get_file (dataset), NULL, NULL, &error);

  g_assert_no_error (error);
  return again;
}

static void
test_sidecar (void)
{
  EsTestScene scene;
  g_autoptr (EsDataset) dataset = open_scene (&scene, "sidecar"), again = NULL, refused = NULL, none = NULL;
  g_autoptr (GFile) sidecar = es_metadata_sidecar_of (es_dataset_get_file (dataset));
  g_autoptr (EsMetadata) metadata = told ("{\"unit\": \"counts\"}");

  save_beside (dataset, "{\"unit\": \"counts\"}");
  again = reopen (dataset);
  g_assert_cmpstr (es_cube_get_unit (ES_CUBE (again)), ==, "counts");
  g_assert_cmpint (es_metadata_get_source (es_cube_get_metadata (ES_CUBE (again))), ==, ES_METADATA_BESIDE);
  g_assert_cmpstr (es_dataset_get_identity (again), ==, es_dataset_get_identity (dataset));

  /* One of another cube is not taken, and that is told, by results as well. */
  g_assert_true (es_metadata_save (metadata, sidecar, "1x2x3", NULL));
  refused = reopen (dataset);
  g_assert_null (es_cube_get_metadata (ES_CUBE (refused)));
  g_assert_nonnull (strstr (es_dataset_get_notes (refused)[0], "1x2x3"));
  g_assert_nonnull (strstr (es_cube_get_metadata_refused (ES_CUBE (refused)), "1x2x3"));
  g_autoptr (EsResult) result = run_pca (refused);
  g_assert_true (g_strv_contains (es_result_get_warnings (result),
                                  es_cube_get_metadata_refused (ES_CUBE (refused))));
  /* Told by a person, that is over. */
  g_autoptr (EsCube) mended = es_cube_with_metadata (ES_CUBE (refused), metadata, NULL);
  g_assert_true (es_dataset_get_notes (ES_DATASET (mended)) == NULL
                 || es_dataset_get_notes (ES_DATASET (mended))[0] == NULL);

  none = es_dataset_open (sidecar, NULL, NULL, NULL);
  g_assert_null (none);
  remove_beside (dataset);
  es_test_scene_clear (&scene);
}

static void
test_command (void)
{
  EsTestScene scene;
  g_autoptr (EsDataset) dataset = open_scene (&scene, "command");
  g_autoptr (EsCube) cube = tell (dataset, "{\"no-data\": 7}");
  g_autoptr (EsResult) before = run_pca (dataset), result = run_pca (ES_DATASET (cube));
  g_autofree char *plain = es_result_to_command (before), *with = es_result_to_command (result), *beside = NULL;
  g_autofree char *none = NULL;

  g_assert_null (strstr (plain, "--metadata"));
  g_assert_nonnull (strstr (with, " --metadata '{\"eigenscope-metadata\" : 1,\"no-data\" : 7"));
  save_beside (dataset, "{\"no-data\": 7}");
  beside = es_result_to_command (result);
  g_assert_null (strstr (beside, "--metadata"));
  none = es_result_to_command (before);
  g_assert_nonnull (strstr (none, " --metadata none"));
  remove_beside (dataset);
  es_test_scene_clear (&scene);
}

/* What takes part of a cube, and its classes, stay with what takes its place; results keep what they were made of. */
static void
test_session (void)
{
  EsTestScene scene;
  g_autoptr (EsDataset) dataset = open_scene (&scene, "session");
  g_autoptr (EsSelection) selection = es_selection_new ("1-4", NULL, NULL, NULL, 0), taken = NULL;
  g_autoptr (EsCube) cube = NULL;
  g_autoptr (EsSession) session = es_session_new ();
  g_autoptr (EsResult) before = run_pca (dataset);
  g_autoptr (EsRegion) region = es_region_parse ("rectangle 1 1 3 3", NULL);
  EsRegionSet *classes = es_dataset_get_regions (dataset);

  es_session_add_dataset (session, dataset);
  es_session_add_result (session, before);
  g_assert_nonnull (es_region_set_add (classes, "Water", region, 0));
  es_cube_set_selection (ES_CUBE (dataset), selection);
  cube = tell (dataset, "{\"scale\": 3}");
  taken = es_cube_dup_selection (cube);
  g_assert_true (es_selection_equal (selection, taken));

  es_dataset_pass_regions (dataset, ES_DATASET (cube));
  es_session_replace_dataset (session, dataset, ES_DATASET (cube));
  g_assert_true (es_dataset_get_regions (ES_DATASET (cube)) == classes);
  g_assert_true (es_region_set_get_cube (classes) == cube);
  g_assert_cmpuint (g_list_model_get_n_items (es_session_get_datasets (session)), ==, 1);
  g_assert_true (es_session_get_current (session, dataset) == ES_DATASET (cube));
  g_assert_true (es_result_get_dataset (before) == ES_DATASET (cube));
  g_assert_true (es_result_get_computed (before) == dataset);
  g_assert_cmpuint (g_list_model_get_n_items (es_session_get_results (session, ES_DATASET (cube))), ==, 1);
  /* A job that was begun of the old one ends there as well. */
  g_autoptr (EsResult) late = run_pca (dataset);
  es_session_add_result (session, late);
  g_assert_true (es_result_get_dataset (late) == ES_DATASET (cube));
  g_assert_cmpuint (g_list_model_get_n_items (es_session_get_results (session, ES_DATASET (cube))), ==, 2);
  /* Told again what it was told then, it is of what it hangs at. */
  g_autoptr (EsCube) back = es_cube_with_metadata (cube, NULL, NULL);
  es_session_replace_dataset (session, ES_DATASET (cube), ES_DATASET (back));
  g_assert_true (es_session_get_current (session, dataset) == ES_DATASET (back));
  g_assert_true (es_result_get_computed (before) == ES_DATASET (back));
  es_session_remove_dataset (session, ES_DATASET (back));
  g_assert_cmpuint (g_list_model_get_n_items (es_session_get_datasets (session)), ==, 0);
  es_test_scene_clear (&scene);
}

/* Saved results and sessions bring what was told with them. */
static void
test_found_again (void)
{
  EsTestScene scene;
  g_autoptr (EsDataset) dataset = open_scene (&scene, "again");
  g_autoptr (EsCube) cube = tell (dataset, "{\"scale\": 3}");
  g_autoptr (EsSession) session = es_session_new ();
  g_autofree char *path = g_build_filename (directory, "again" ES_SESSION_ENDING, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  es_session_add_dataset (session, ES_DATASET (cube));
  g_autoptr (JsonNode) root = es_session_file_tell (session, NULL, NULL);
  g_assert_true (es_session_file_write (root, file, &error));
  g_autoptr (EsRestoredSession) restored = es_session_restore (file, NULL, &error);
  g_assert_no_error (error);
  EsRestored *one = g_ptr_array_index (restored->datasets, 0);
  g_assert_cmpfloat (es_cube_get_scale (ES_CUBE (one->dataset), 0), ==, 3);

  /* A result of what was told before is of that, also where it has to be computed again. */
  g_autoptr (EsDataset) plain = reopen (dataset);
  g_autoptr (EsResult) before = run_pca (plain);
  g_autoptr (EsSession) mixed = es_session_new ();
  es_session_add_dataset (mixed, plain);
  es_session_add_result (mixed, before);
  g_autoptr (EsCube) later = tell (plain, "{\"scale\": 3}");
  es_session_replace_dataset (mixed, plain, ES_DATASET (later));
  g_autoptr (JsonNode) mixed_root = es_session_file_tell (mixed, NULL, NULL);
  g_assert_true (es_session_file_write (mixed_root, file, &error));
  g_autoptr (EsRestoredSession) absent = es_session_restore (file, NULL, &error);
  g_assert_no_error (error);
  one = g_ptr_array_index (absent->datasets, 0);
  EsResult *result = ((EsRestoredResult *) g_ptr_array_index (one->results, 0))->result;
  g_assert_true (es_result_get_dataset (result) == one->dataset);
  g_assert_cmpfloat (es_cube_get_scale (ES_CUBE (one->dataset), 0), ==, 3);
  g_assert_cmpfloat (es_cube_get_scale (ES_CUBE (es_result_get_computed (result)), 0), ==, 1);

  /* What lies beside the cube counts, and the session says that it tells otherwise. */
  save_beside (dataset, "{\"scale\": 5}");
  g_autoptr (EsRestoredSession) beside = es_session_restore (file, NULL, &error);
  g_assert_no_error (error);
  one = g_ptr_array_index (beside->datasets, 0);
  g_assert_cmpfloat (es_cube_get_scale (ES_CUBE (one->dataset), 0), ==, 5);
  g_assert_nonnull (strstr (es_dataset_get_notes (one->dataset)[0], "scale 3"));
  remove_beside (dataset);
  es_test_scene_clear (&scene);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  g_test_add_func ("/metadata-cube/values", test_values);
  g_test_add_func ("/metadata-cube/metres", test_metres);
  g_test_add_func ("/metadata-cube/refused", test_refused);
  g_test_add_func ("/metadata-cube/computed", test_computed);
  g_test_add_func ("/metadata-cube/sidecar", test_sidecar);
  g_test_add_func ("/metadata-cube/command", test_command);
  g_test_add_func ("/metadata-cube/session", test_session);
  g_test_add_func ("/metadata-cube/found-again", test_found_again);
  status = g_test_run ();
  es_test_remove (directory);
  g_free (directory);
  return status;
}
