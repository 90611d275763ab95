/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "../job/es-test-scene.h"
#include "readers/es-open.h"
#include "operations/es-operations.h"

#include <math.h>
#include <string.h>

static char *directory;

static EsResult *
run_pca (EsDataset *dataset, const EsLimits *limits, EsResult *previous, GError **error, ...)
{
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  va_list arguments;
  const char *key;

  va_start (arguments, error);
  while ((key = va_arg (arguments, const char *)) != NULL)
    {
      g_autoptr (GError) local = NULL;
      es_params_parse (params, key, va_arg (arguments, const char *), &local);
      g_assert_no_error (local);
    }
  va_end (arguments);

  g_autoptr (EsJob) job = es_job_new (pca, dataset, params, es_device_get_cpu (), limits, previous);
  return es_job_run (job, error);
}

static JsonArray *
values_of (EsResult *result, const char *name)
{
  return json_object_get_array_member (es_result_get_values (result), name);
}

static guint
components_of (EsResult *result)
{
  return json_object_get_int_member (es_result_get_values (result), "components");
}

/* Everything a PCA promises, against the reference: pairs of the covariance, order, sign, shares, projection. */
static void
check_against_reference (const EsTestScene *scene, EsResult *result, gboolean center, double tolerance)
{
  gsize pixels = (gsize) scene->width * scene->height;
  g_autofree guint *bands = g_new (guint, scene->bands);
  guint n = es_test_scene_good_bands (scene, bands), m = components_of (result);
  g_autofree double *mean = g_new (double, n), *covariance = g_new (double, (gsize) n * n);
  g_autofree gboolean *valid = g_new (gboolean, pixels);
  g_autofree float *plane = g_new (float, pixels);
  gint64 count = es_test_scene_covariance (scene, bands, n, mean, covariance, valid);
  EsImageStack *stack = ES_IMAGE_STACK (es_result_find_layer (result, "components"));
  double trace = 0, cumulative = 0, previous = INFINITY;

  g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "valid_pixels"), ==, count);
  g_assert_cmpuint (json_array_get_length (values_of (result, "eigenvalues")), ==, n);
  for (guint i = 0; i < n; i++)
    {
      trace += covariance[i * n + i];
      g_assert_cmpfloat (fabs (json_array_get_double_element (values_of (result, "mean"), i) - mean[i]), <,
                         1e-6 * (fabs (mean[i]) + 1));
    }

  for (guint k = 0; k < m; k++)
    {
      JsonArray *loading = json_array_get_array_element (values_of (result, "loadings"), k);
      double lambda = json_array_get_double_element (values_of (result, "eigenvalues"), k);
      double norm = 0, largest = 0, residual = 0;
      g_autofree double *v = g_new (double, n);

      for (guint i = 0; i < n; i++)
        {
          v[i] = json_array_get_double_element (loading, i);
          norm += v[i] * v[i];
          if (fabs (v[i]) > fabs (largest) * (1 + 1e-12))
            largest = v[i];
        }
      for (guint i = 0; i < n; i++)
        {
          double row = 0;
          for (guint j = 0; j < n; j++)
            row += covariance[i * n + j] * v[j];
          residual = fmax (residual, fabs (row - lambda * v[i]));
        }
      cumulative += lambda / trace;
      g_assert_cmpfloat (fabs (norm - 1), <, 1e-9);
      g_assert_cmpfloat (largest, >, 0);
      g_assert_cmpfloat (residual, <, tolerance * trace);
      g_assert_cmpfloat (lambda, <=, previous);
      g_assert_cmpfloat (fabs (json_array_get_double_element (values_of (result, "cumulative"), k) - cumulative), <,
                         10 * tolerance + 1e-9);
      previous = lambda;

      g_assert_true (es_image_stack_read (stack, k, 0, 0, scene->width, scene->height, 1, plane, NULL));
      for (gsize p = 0; p < pixels; p++)
        {
          double y = 0, bound = 0;
          for (guint i = 0; valid[p] && i < n; i++)
            {
              y += v[i] * (scene->values[bands[i] * pixels + p] - (center ? mean[i] : 0));
              bound += fabs (v[i]) * fabs (scene->values[bands[i] * pixels + p]);
            }
          if (!valid[p])
            g_assert_true (isnan (plane[p]));
          else
            g_assert_cmpfloat (fabs (plane[p] - y), <=, 2e-6 * bound + 1e-6);
        }
    }
}

static void
check_scene (EsTestScene scene, const char *name)
{
  g_autofree char *all = g_strdup_printf ("%u", scene.bands);
  g_autoptr (GError) error = NULL;
  double tolerance = scene.type == ESK_F32 ? 1e-6 : 1e-11;

  es_test_scene_fill (&scene, scene.width * 31 + scene.bands);
  {
    g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, name);
    g_autoptr (EsResult) result = run_pca (cube, NULL, NULL, &error, "components", all, NULL);
    g_assert_no_error (error);
    check_against_reference (&scene, result, TRUE, tolerance);

    g_autoptr (EsResult) uncentred = run_pca (cube, NULL, NULL, &error, "components", "3", "center", "no", NULL);
    g_assert_no_error (error);
    check_against_reference (&scene, uncentred, FALSE, tolerance);

    g_autoptr (EsResult) jacobi = run_pca (cube, NULL, NULL, &error, "eigensolver", "jacobi", "components", all, NULL);
    g_assert_no_error (error);
    check_against_reference (&scene, jacobi, TRUE, tolerance);
    g_assert_cmpint (json_object_get_int_member (es_result_get_values (jacobi), "jacobi_sweeps"), >, 0);
  }
  es_test_scene_clear (&scene);
}

static void
test_reference (void)
{
  static const int bad[] = { 0, 5, 6, -1 };

  check_scene ((EsTestScene) { 31, 33, 9, ESK_I16, "bsq", FALSE, NAN, NULL, 0 }, "i16-bsq");
  check_scene ((EsTestScene) { 31, 33, 9, ESK_I16, "bil", TRUE, -9999, bad, 0.2 }, "i16-bil-be");
  check_scene ((EsTestScene) { 257, 129, 7, ESK_U8, "bip", FALSE, 255, NULL, 0.1 }, "u8-bip");
  check_scene ((EsTestScene) { 1, 129, 5, ESK_U16, "bsq", TRUE, 0, NULL, 0.1 }, "u16-column");
  check_scene ((EsTestScene) { 129, 1, 5, ESK_F32, "bip", FALSE, NAN, NULL, 0.1 }, "f32-row-nan");
  check_scene ((EsTestScene) { 67, 41, 33, ESK_F32, "bsq", TRUE, -32768, bad, 0.3 }, "f32-bsq-be");
  check_scene ((EsTestScene) { 2, 2, 3, ESK_F32, "bil", FALSE, NAN, NULL, 0 }, "f32-tiny");
}

static void
assert_same_values (EsResult *a, EsResult *b, const char *name)
{
  JsonArray *x = values_of (a, name), *y = values_of (b, name);

  g_assert_cmpuint (json_array_get_length (x), ==, json_array_get_length (y));
  for (guint i = 0; i < json_array_get_length (x); i++)
    {
      double u = json_array_get_double_element (x, i), v = json_array_get_double_element (y, i);
      g_assert_cmpmem (&u, sizeof u, &v, sizeof v);
    }
}

/* Integer sums: the same bits for any tile size and any number of threads. Float sums: for any number of threads. */
static void
test_bit_identical (void)
{
  EsTestScene scenes[] = {
    { 83, 211, 24, ESK_I16, "bsq", FALSE, -9999, NULL, 0.1 },
    { 83, 211, 24, ESK_U8, "bip", FALSE, NAN, NULL, 0 },
    { 83, 211, 24, ESK_F32, "bil", FALSE, NAN, NULL, 0.1 },
  };

  for (guint s = 0; s < G_N_ELEMENTS (scenes); s++)
    {
      g_autofree char *name = g_strdup_printf ("identical-%u", s);
      es_test_scene_fill (&scenes[s], 5);
      g_autoptr (EsDataset) cube = es_test_scene_open (&scenes[s], directory, name);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) whole = run_pca (cube, NULL, NULL, &error, NULL);
      g_assert_no_error (error);

      for (guint threads = 1; threads <= 3; threads++)
        for (guint64 memory = scenes[s].type == ESK_F32 ? 0 : 1 << 20; memory < 40 << 20; memory += 13 << 20)
          {
            EsLimits limits = { .memory = memory, .threads = threads };
            g_autoptr (EsResult) part = run_pca (cube, &limits, NULL, &error, NULL);
            g_assert_no_error (error);
            assert_same_values (whole, part, "mean");
            assert_same_values (whole, part, "eigenvalues");
            if (scenes[s].type == ESK_F32)
              break;
          }
      es_test_scene_clear (&scenes[s]);
    }
}

/* The published pre-processing: covariance of floor ((I - min) * 255 / (max - min)). */
static void
test_quantise (void)
{
  EsTestScene scene = { 61, 47, 8, ESK_I16, "bsq", FALSE, -9999, NULL, 0.05 };
  gsize pixels = 61 * 47;
  g_autofree gboolean *valid = g_new (gboolean, pixels);
  double mean[8], covariance[64];
  guint bands[8];
  g_autoptr (GError) error = NULL;

  es_test_scene_fill (&scene, 9);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "quantise");
  g_autoptr (EsResult) result = run_pca (cube, NULL, NULL, &error, "quantise", "8bit", "components", "8", NULL);
  g_assert_no_error (error);

  es_test_scene_good_bands (&scene, bands);
  es_test_scene_covariance (&scene, bands, 8, mean, covariance, valid);
  for (guint b = 0; b < 8; b++)
    {
      double low = INFINITY, high = -INFINITY;
      for (gsize p = 0; p < pixels; p++)
        if (valid[p])
          {
            low = fmin (low, scene.values[b * pixels + p]);
            high = fmax (high, scene.values[b * pixels + p]);
          }
      for (gsize p = 0; p < pixels; p++)
        if (valid[p])
          scene.values[b * pixels + p] = floor ((scene.values[b * pixels + p] - low) * 255 / (high - low));
    }
  check_against_reference (&scene, result, TRUE, 1e-11);
  es_test_scene_clear (&scene);
}

static void
test_correlation (void)
{
  EsTestScene scene = { 61, 47, 6, ESK_I16, "bsq", FALSE, NAN, NULL, 0 };
  gsize pixels = 61 * 47;
  g_autoptr (GError) error = NULL;
  double sum = 0;

  es_test_scene_fill (&scene, 3);
  for (gsize p = 0; p < pixels; p++)
    scene.values[2 * pixels + p] = 77;         /* a constant band carries nothing */
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "correlation");
  g_autoptr (EsResult) result = run_pca (cube, NULL, NULL, &error, "scaling", "correlation", "components", "6", NULL);
  g_assert_no_error (error);

  for (guint i = 0; i < 6; i++)
    sum += json_array_get_double_element (values_of (result, "eigenvalues"), i);
  g_assert_cmpfloat (fabs (sum - 5), <, 1e-9);
  g_assert_cmpfloat (json_array_get_double_element (values_of (result, "eigenvalues"), 5), <, 1e-9);
  g_assert_nonnull (es_result_get_warnings (result));
  es_test_scene_clear (&scene);
}

/* A moved threshold repeats only the projection, and gives what a whole run gives. */
static void
test_previous (void)
{
  EsTestScene scene = { 61, 47, 12, ESK_I16, "bsq", FALSE, NAN, NULL, 0 };
  g_autoptr (GError) error = NULL;
  guint n;

  es_test_scene_fill (&scene, 4);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "previous");
  g_autoptr (EsResult) first = run_pca (cube, NULL, NULL, &error, "threshold", "0.7", NULL);
  g_autoptr (EsResult) moved = run_pca (cube, NULL, first, &error, "threshold", "0.999", NULL);
  g_autoptr (EsResult) whole = run_pca (cube, NULL, NULL, &error, "threshold", "0.999", NULL);
  g_assert_no_error (error);
  g_assert_cmpuint (components_of (moved), >, components_of (first));
  g_assert_cmpuint (components_of (moved), ==, components_of (whole));
  assert_same_values (moved, whole, "eigenvalues");
  check_against_reference (&scene, moved, TRUE, 1e-11);

  const EsStageTime *stages = es_result_get_stages (moved, &n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpstr (stages[i].name, !=, "covariance");

  /* Another scaling needs the sums of the first run, but not its eigenvectors. */
  g_autoptr (EsResult) scaled = run_pca (cube, NULL, first, &error, "scaling", "correlation", NULL);
  g_autoptr (EsResult) scaled_whole = run_pca (cube, NULL, NULL, &error, "scaling", "correlation", NULL);
  g_assert_no_error (error);
  assert_same_values (scaled, scaled_whole, "eigenvalues");
  es_test_scene_clear (&scene);
}

static void
assert_refused (EsTestScene *scene, const char *name, const char *expected)
{
  g_autoptr (EsDataset) cube = es_test_scene_open (scene, directory, name);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) result = run_pca (cube, NULL, NULL, &error, NULL);

  g_assert_null (result);
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY);
  g_assert_nonnull (strstr (error->message, expected));
  g_assert_null (strchr (error->message, '\n'));
}

static void
test_nothing_to_compute (void)
{
  static const int all_but_one[] = { 1, 2, 3, -1 };
  EsTestScene scene = { 9, 7, 4, ESK_I16, "bsq", FALSE, -9999, NULL, 0 };

  es_test_scene_fill (&scene, 1);
  for (gsize i = 0; i < 9 * 7 * 4; i++)
    scene.values[i] = -9999;
  assert_refused (&scene, "all-missing", "no valid pixel");
  es_test_scene_clear (&scene);

  scene = (EsTestScene) { 9, 7, 4, ESK_I16, "bsq", FALSE, NAN, all_but_one, 0 };
  es_test_scene_fill (&scene, 1);
  assert_refused (&scene, "one-good-band", "at least two");
  es_test_scene_clear (&scene);

  scene = (EsTestScene) { 9, 7, 4, ESK_F32, "bip", FALSE, NAN, NULL, 0 };
  es_test_scene_fill (&scene, 1);
  for (gsize i = 0; i < 9 * 7 * 4; i++)
    scene.values[i] = 1.5;
  assert_refused (&scene, "constant", "constant");
  for (gsize i = 0; i < 9 * 7 * 4; i++)
    scene.values[i] = NAN;
  assert_refused (&scene, "all-nan", "no valid pixel");
  es_test_scene_clear (&scene);

  scene = (EsTestScene) { 1, 1, 4, ESK_F32, "bip", FALSE, NAN, NULL, 0 };
  es_test_scene_fill (&scene, 1);
  assert_refused (&scene, "one-pixel", "one valid pixel");
  es_test_scene_clear (&scene);
}

/* Fewer pixels than bands: an answer of the rank that there is, and a sentence about it. */
static void
test_few_pixels (void)
{
  EsTestScene scene = { 5, 4, 40, ESK_F32, "bsq", FALSE, NAN, NULL, 0 };
  g_autoptr (GError) error = NULL;
  double total = 0, rest = 0;

  es_test_scene_fill (&scene, 6);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "few");
  g_autoptr (EsResult) result = run_pca (cube, NULL, NULL, &error, NULL);
  g_assert_no_error (error);
  g_assert_nonnull (es_result_get_warnings (result));
  g_assert_nonnull (strstr (es_result_get_warnings (result)[0], "20 valid pixels for 40 bands"));
  for (guint i = 0; i < 40; i++)
    {
      double value = json_array_get_double_element (values_of (result, "eigenvalues"), i);
      total += value;
      rest += i >= 19 ? value : 0;
    }
  g_assert_cmpfloat (rest / total, <, 1e-6);
  es_test_scene_clear (&scene);
}

static void
assert_fails (EsDataset *cube, const EsLimits *limits, GQuark domain, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (run_pca (cube, limits, NULL, &error, NULL));
  g_assert_error (error, domain, code);
}

/* What is not declared as no-data, and matrices that no memory holds: a sentence of what is wrong. */
static void
test_too_large (void)
{
  EsTestScene scene = { 9, 7, 4, ESK_F32, "bsq", FALSE, NAN, NULL, 0 };
  EsLimits limits = { .memory = 1 << 20 };

  es_test_scene_fill (&scene, 1);
  scene.values[9 * 7 + 5] = -3.4e38;
  {
    g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "huge");
    assert_fails (cube, NULL, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED);
  }
  es_test_scene_clear (&scene);

  scene = (EsTestScene) { 5, 4, 400, ESK_I16, "bip", FALSE, NAN, NULL, 0 };
  es_test_scene_fill (&scene, 1);
  {
    g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "bands");
    assert_fails (cube, &limits, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
  }
  es_test_scene_clear (&scene);
}

static void
check_truth (const char *file, gint64 valid, guint bands, guint n_values, const double *eigenvalues, double relative,
             guint n_counts, const char *const *thresholds, const guint *counts)
{
  const char *data = g_getenv ("ES_TEST_DATA");
  g_autofree char *path = data != NULL ? g_build_filename (data, file, NULL) : NULL;
  g_autoptr (GError) error = NULL;

  if (path == NULL || !g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("the real data are not here");
      return;
    }

  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autoptr (EsDataset) cube = es_dataset_open (target, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (EsResult) result = NULL;
  for (guint i = 0; i < n_counts; i++)
    {
      g_autoptr (EsResult) next = run_pca (cube, NULL, result, &error, "threshold", thresholds[i], NULL);
      g_assert_no_error (error);
      g_assert_cmpuint (components_of (next), ==, counts[i]);
      g_set_object (&result, next);
    }
  g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "valid_pixels"), ==, valid);
  g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "bands_used"), ==, bands);
  for (guint i = 0; i < n_values; i++)
    {
      double value = json_array_get_double_element (values_of (result, "eigenvalues"), i);
      g_assert_cmpfloat (fabs (value / eigenvalues[i] - 1), <, relative);
    }
}

static void
test_enmap (void)
{
  static const double eigenvalues[] = { 7.0296608e7, 2.4862849e7, 3.667980e6, 1.202765e6, 4.92484e5 };
  static const char *const thresholds[] = { "0.99", "0.999", "0.9999" };
  static const guint counts[] = { 5, 14, 63 };

  check_truth ("enmap/enmap_potsdam_mosaic.img", 18432, 218, 5, eigenvalues, 2e-6, 3, thresholds, counts);
}

static void
test_aviris (void)
{
  static const char *const thresholds[] = { "0.99" };
  static const guint counts[] = { 2 };

  check_truth ("aviris-ng/ang20160910t185702_2rdn_img", 750, 425, 0, NULL, 0, 1, thresholds, counts);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  g_test_add_func ("/pca/reference", test_reference);
  g_test_add_func ("/pca/bit-identical", test_bit_identical);
  g_test_add_func ("/pca/quantise", test_quantise);
  g_test_add_func ("/pca/correlation", test_correlation);
  g_test_add_func ("/pca/previous", test_previous);
  g_test_add_func ("/pca/nothing-to-compute", test_nothing_to_compute);
  g_test_add_func ("/pca/few-pixels", test_few_pixels);
  g_test_add_func ("/pca/too-large", test_too_large);
  g_test_add_func ("/pca/truth/enmap", test_enmap);
  g_test_add_func ("/pca/truth/aviris-ng", test_aviris);
  status = g_test_run ();
  es_test_remove (directory);
  g_free (directory);
  return status;
}
