/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What runs tell of their work: bytes and operations as they follow from the data and the settings alone. */

#include <math.h>
#include <string.h>

#include "../job/es-test-scene.h"
#include "../sonar/es-test-cbf.h"
#include "advice/es-stage-advice.h"
#include "operations/es-operations.h"

static char *directory;

static EsResult *
run (const char *operation, EsDataset *dataset, const char *device, const char *key, const char *value)
{
  const EsOperation *found = es_operation_find (operation, NULL);
  g_autoptr (EsParams) params = es_params_new (found->params);
  g_autoptr (GError) error = NULL;

  if (key != NULL)
    es_params_parse (params, key, value, &error);
  g_assert_no_error (error);
  g_autoptr (EsJob) job = es_job_new (found, dataset, params, es_device_find (device, NULL), NULL, NULL);
  EsResult *result = es_job_run (job, &error);
  g_assert_no_error (error);
  return result;
}

static const EsStageTime *
stage_of (EsResult *result, const char *name)
{
  guint n;
  const EsStageTime *stages = es_result_get_stages (result, &n);

  for (guint i = 0; i < n; i++)
    if (strcmp (stages[i].name, name) == 0)
      return &stages[i];
  g_error ("There is no step “%s”.", name);
}

static double
components_of (EsResult *result)
{
  return json_object_get_int_member (es_result_get_values (result), "components");
}

#define WIDTH 61
#define HEIGHT 47
#define BANDS 12

static EsDataset *
open_scene (EskType type, const char *interleave, const char *name)
{
  EsTestScene scene = { WIDTH, HEIGHT, BANDS, type, interleave, FALSE, NAN, NULL, 0 };
  EsDataset *cube;

  es_test_scene_fill (&scene, 4);
  cube = es_test_scene_open (&scene, directory, name);
  es_test_scene_clear (&scene);
  return cube;
}

/* Two passes read the file, the covariance and the projection, each byte of it once. */
static void
test_pca (void)
{
  static const char *const interleaves[] = { "bsq", "bil", "bip" };
  const double pixels = WIDTH * HEIGHT, bytes = pixels * BANDS * 2;

  for (guint i = 0; i < G_N_ELEMENTS (interleaves); i++)
    {
      g_autoptr (EsDataset) cube = open_scene (ESK_I16, interleaves[i], interleaves[i]);
      g_autoptr (EsResult) result = run ("pca", cube, "cpu", NULL, NULL);
      const EsStageWork *input = &stage_of (result, "input")->work;
      const EsStageWork *covariance = &stage_of (result, "covariance")->work;
      const EsStageWork *transform = &stage_of (result, "transform")->work;
      const double m = components_of (result);

      g_assert_cmpfloat (input->file_bytes, ==, 2 * bytes);
      g_assert_cmpfloat (input->disk_bytes, <=, input->file_bytes);
      g_assert_cmpfloat (covariance->memory_bytes, ==, bytes);
      g_assert_cmpfloat (covariance->operations, ==, pixels * BANDS * (BANDS + 1));
      g_assert_cmpint (covariance->type, ==, ES_WORK_INT16);
      g_assert_false (covariance->joined);
      g_assert_cmpfloat (transform->operations, ==, 2 * pixels * BANDS * m);
      g_assert_cmpfloat (transform->memory_bytes, ==, bytes + pixels * m * 4);
      g_assert_cmpfloat (stage_of (result, "output")->work.written_bytes, ==, pixels * m * 4);
      g_assert_cmpint (stage_of (result, "eigenproblem")->work.type, ==, ES_WORK_FLOAT64);
    }

  g_autoptr (EsDataset) floats = open_scene (ESK_F32, "bsq", "floats");
  g_autoptr (EsResult) result = run ("pca", floats, "cpu", NULL, NULL);
  g_assert_cmpfloat (stage_of (result, "input")->work.file_bytes, ==, 4 * bytes);
  g_assert_cmpint (stage_of (result, "covariance")->work.type, ==, ES_WORK_FLOAT32);
}

/* A card that has room for it gets the cube once. */
static void
test_pca_card (void)
{
  const double bytes = WIDTH * HEIGHT * BANDS * 2;
  g_autoptr (EsDataset) cube = open_scene (ESK_I16, "bsq", "card");
  g_autoptr (EsResult) result = run ("pca", cube, "cuda:0", NULL, NULL);
  const EsStageTime *input = stage_of (result, "input"), *covariance = stage_of (result, "covariance");

  g_assert_cmpfloat (input->work.file_bytes, ==, bytes);
  g_assert_cmpfloat (covariance->work.link_bytes, ==, bytes);
  g_assert_true (input->work.joined && covariance->work.joined);
  g_assert_cmpfloat (covariance->work.launches, >=, 1);
  g_assert_cmpfloat (stage_of (result, "transform")->work.link_bytes, ==, 0);
  g_assert_false (stage_of (result, "transform")->work.joined);
}

static void
test_others (void)
{
  const double pixels = WIDTH * HEIGHT, bytes = pixels * BANDS * 2;
  g_autoptr (EsDataset) cube = open_scene (ESK_I16, "bip", "others");
  g_autoptr (EsResult) ica = run ("fastica", cube, "cpu", "components", "3");
  g_autoptr (EsResult) mnf = run ("mnf", cube, "cpu", NULL, NULL);
  const EsStageWork *iteration = &stage_of (ica, "iteration")->work;
  const double steps = iteration->memory_bytes / (pixels * 3 * 4);

  g_assert_cmpfloat (stage_of (ica, "whitening")->work.operations, ==, 2 * pixels * BANDS * 3);
  /* As many steps as there were, each over all samples. */
  g_assert_cmpfloat (steps, >=, 1);
  g_assert_cmpfloat (steps, ==, floor (steps));
  g_assert_cmpfloat (iteration->operations, ==, steps * pixels * 3 * (4 * 3 + 24));
  g_assert_cmpfloat (stage_of (mnf, "covariance")->work.memory_bytes, ==, bytes);
  g_assert_cmpfloat (stage_of (mnf, "noise")->work.operations, ==, pixels * BANDS * (BANDS + 1));
  g_assert_true (es_stage_work_is_known (&stage_of (mnf, "noise-eigenproblem")->work));
}

/* ---- recordings ---- */

#define ELEMENTS 16
#define RATE 8000

static void
test_beams (void)
{
  g_autoptr (EsArray) array = es_test_cbf_make_line (ELEMENTS, 1.5);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, RATE, 2 * RATE, 1500);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "block", "0.5s", "angles", "0:180:10", "ranges", "far",
                                                     "band", "300:400", "lofar-bearing", "90", NULL);
  g_autoptr (GError) error = NULL;

  es_test_sonar_add_white (sonar, 1, 3);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_I16, 1);
  g_autoptr (EsResult) result = es_test_run_beams ("cbf", recording, "cpu", NULL, params, &error);
  g_assert_no_error (error);
  const EsStageWork *input = &stage_of (result, "input")->work, *beams = &stage_of (result, "beams")->work;

  /* Four blocks of half a second; all channels. */
  g_assert_cmpfloat (input->file_bytes, ==, 2.0 * RATE * ELEMENTS * 2);
  g_assert_cmpfloat (input->busy_ms, >, 0);
  g_assert_cmpfloat (input->link_bytes, ==, 0);
  /* 19 angles by the elements at every bin of every transform, of which the spectra tell how many there are. */
  g_assert_cmpfloat (beams->operations, ==, beams->memory_bytes / (2 * sizeof (float)) * 8 * 19);
  g_assert_cmpfloat (beams->busy_ms, >, 0);
  g_assert_cmpfloat (stage_of (result, "transform")->work.operations, >, 0);
}

static void
test_adaptive (void)
{
  g_autoptr (EsArray) array = es_test_cbf_make_line (ELEMENTS, 1.5);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, RATE, RATE, 1500);
  g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "block", "0.5s", "angles", "0:180:10", "ranges", "far",
                                                     "band", "300:400", "method", "cholesky", NULL);
  g_autoptr (GError) error = NULL;

  es_test_sonar_add_white (sonar, 1, 3);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
  g_autoptr (EsResult) result = es_test_run_beams ("mvdr", recording, "cpu", NULL, params, &error);
  g_assert_no_error (error);
  const EsStageWork *factor = &stage_of (result, "factor")->work, *spectrum = &stage_of (result, "spectrum")->work;

  g_assert_cmpint (factor->type, ==, ES_WORK_FLOAT64);
  g_assert_cmpfloat (factor->operations, >, 0);
  /* Of Cholesky: 4 n^2 a focus, beside 4/3 n^3. */
  g_assert_cmpfloat_with_epsilon (spectrum->operations / factor->operations, 3.0 * 19 / ELEMENTS, 1e-9);
  g_assert_cmpfloat (stage_of (result, "matrix")->work.operations, >, 0);
}

static void
test_lines (void)
{
  g_autoptr (EsArray) array = es_test_cbf_make_line (ELEMENTS, 1.5);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, RATE, 4 * RATE, 1500);
  g_autoptr (EsParams) lofar = es_test_beam_params ("lofar", "transform", "1024", "overlap", "0", NULL);
  g_autoptr (EsParams) demon = es_test_beam_params ("demon", "segment", "1", NULL);
  g_autoptr (GError) error = NULL;

  es_test_sonar_add_white (sonar, 1, 3);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_I16, 1);
  g_autoptr (EsResult) spectra = es_test_run_beams ("lofar", recording, "cpu", NULL, lofar, &error);
  g_assert_no_error (error);
  g_autoptr (EsResult) beats = es_test_run_beams ("demon", recording, "cpu", NULL, demon, &error);
  g_assert_no_error (error);

  g_assert_cmpfloat (stage_of (spectra, "spectra")->work.file_bytes, ==, 4.0 * RATE * ELEMENTS * 2);
  /* 31 transforms of 1,024 samples in 32,000. */
  g_assert_cmpfloat (stage_of (spectra, "spectra")->work.operations, ==, 31 * 2.5 * 1024 * 10);
  g_assert_cmpuint (stage_of (spectra, "spectra")->work.threads, ==, 1);
  g_assert_cmpfloat (stage_of (beats, "envelope")->work.operations, >, 0);
}

/* ---- advice ---- */

static void
test_advice (void)
{
  g_autoptr (EsDataset) cube = open_scene (ESK_U8, "bsq", "advice");
  g_autoptr (EsResult) silent = run ("pca", cube, "cpu", NULL, NULL);
  g_assert_null (es_result_list_advice (silent));

  es_stage_advice_use ();
  g_autoptr (EsResult) result = run ("pca", cube, "cpu", NULL, NULL);
  es_stages_set_judge (NULL, NULL);
  g_auto (GStrv) advice = es_result_list_advice (result);
  g_autoptr (JsonNode) root = es_result_to_json (result);
  JsonArray *stages = json_object_get_array_member (json_node_get_object (root), "stages");
  const EsStageTime *covariance = stage_of (result, "covariance");
  gboolean found = FALSE;

  /* Nobody has measured this machine: bounds there are all the same. */
  g_assert_nonnull (advice);
  g_assert_cmpint (covariance->bound, !=, ES_BOUND_UNKNOWN);
  g_assert_cmpfloat (covariance->bound_ms, >, 0);
  for (guint i = 0; i < json_array_get_length (stages); i++)
    {
      JsonObject *stage = json_array_get_object_element (stages, i);

      g_assert_true (json_object_has_member (stage, "title") && json_object_has_member (stage, "share"));
      if (strcmp (json_object_get_string_member (stage, "name"), "covariance") != 0)
        continue;
      found = TRUE;
      g_assert_cmpfloat (json_object_get_double_member (stage, "bound_ms"), ==, covariance->bound_ms);
      g_assert_cmpstr (json_object_get_string_member (stage, "bound"), ==, es_bound_get_name (covariance->bound));
      g_assert_cmpfloat (json_object_get_double_member (json_object_get_object_member (stage, "work"),
                                                        "memory_bytes"), ==, WIDTH * HEIGHT * BANDS);
    }
  g_assert_true (found);

  /* A column for it, in which the total has nothing. */
  g_autoptr (EsTable) with = es_result_make_step_table (result), without = es_result_make_step_table (silent);
  g_assert_cmpuint (es_table_get_n_columns (with), ==, es_table_get_n_columns (without) + 1);
}

int
main (int argc, char **argv)
{
  g_autofree char *data = NULL;
  int status;

  directory = es_test_directory ();
  data = g_build_filename (directory, "data", NULL);
  g_setenv ("XDG_DATA_HOME", data, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compute/advice/work/pca", test_pca);
  g_test_add_func ("/compute/advice/work/pca-card", test_pca_card);
  g_test_add_func ("/compute/advice/work/others", test_others);
  g_test_add_func ("/compute/advice/work/beams", test_beams);
  g_test_add_func ("/compute/advice/work/adaptive", test_adaptive);
  g_test_add_func ("/compute/advice/work/lines", test_lines);
  g_test_add_func ("/compute/advice/work/advice", test_advice);
  status = g_test_run ();
  es_test_remove (directory);
  g_free (directory);
  return status;
}
