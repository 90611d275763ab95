/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Reconstruction of all three reductions against loops in double over the scene's own values: on the CPU and on cards
 * of host memory; from a result at hand and from a saved one; what is saved is loaded again; and what is refused. */

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/es-error.h"
#include "layer/es-layer-internal.h"
#include "readers/es-open.h"
#include "result/es-linear-model-internal.h"
#include "result/es-result-internal.h"
#include "../job/es-test-scene.h"

static const int bad_bands[] = { 3, -1 };
static char *directory;

static EsTestScene
small_scene (EskType type, const char *interleave)
{
  return (EsTestScene) { .width = 41, .height = 37, .bands = 9, .type = type, .interleave = interleave,
                         .no_data = type == ESK_F32 ? NAN : 0, .bad_bands = bad_bands, .missing = 0.05 };
}

static EsResult *
run_on (const char *operation_id, EsDataset *dataset, const char *device, EsResult *source, EsResult *previous,
        GError **error, ...)
{
  const EsOperation *operation = es_operation_find (operation_id, NULL);
  g_autoptr (EsParams) params = es_params_new (operation->params);
  EsDevice *found = es_device_find (device, NULL);
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

  g_assert_nonnull (found);
  g_autoptr (EsJob) job = es_job_new (operation, dataset, params, found, NULL, previous);
  if (source != NULL)
    es_job_set_source (job, source);
  EsResult *result = es_job_run (job, error);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  return result;
}

/* ---- the reference ---- */

typedef struct
{
  guint    width, height, n;
  double  *rmse, *angle;               /* a pixel each; NAN: not valid */
  double  *residual, *estimate;        /* n x pixels */
  double  *band_square, *band_variance;
  double   square, angle_sum, largest;
  gint64   count;
} Reference;

static void
reference_clear (Reference *self)
{
  g_free (self->rmse);
  g_free (self->angle);
  g_free (self->residual);
  g_free (self->estimate);
  g_free (self->band_square);
  g_free (self->band_variance);
}

static double
value_used (const EsLinearModel *model, guint i, double stored)
{
  if (model->minimum == NULL)
    return stored;
  if (model->maximum[i] == model->minimum[i])
    return 0;
  return CLAMP (floor ((stored - model->minimum[i]) * 255 / (model->maximum[i] - model->minimum[i])), 0, 255);
}

static double
in_units (EsCube *cube, const EsLinearModel *model, guint i, double used)
{
  const double stored = model->minimum == NULL ? used
                        : model->minimum[i] + used * (model->maximum[i] - model->minimum[i]) / 255;

  return stored * es_cube_get_scale (cube, model->bands[i]) + es_cube_get_offset (cube, model->bands[i]);
}

static Reference
make_reference (const EsTestScene *scene, EsCube *cube, const EsLinearModel *model, const gboolean *kept)
{
  const gsize pixels = (gsize) scene->width * scene->height;
  const guint n = model->n, m = model->m;
  Reference self = { scene->width, scene->height, n, g_new (double, pixels), g_new (double, pixels),
                     g_new (double, pixels * n), g_new (double, pixels * n), g_new0 (double, n), g_new0 (double, n) };
  g_autofree double *sum = g_new0 (double, n), *x = g_new (double, n), *y = g_new (double, m), *e = g_new (double, n);

  for (gsize p = 0; p < pixels; p++)
    {
      gboolean valid = TRUE;
      double square = 0, xx = 0, ee = 0, xe = 0;

      for (guint i = 0; i < n; i++)
        {
          const double stored = scene->values[model->bands[i] * pixels + p];
          valid = valid && isfinite (stored) && !(!isnan (scene->no_data) && stored == scene->no_data);
          x[i] = value_used (model, i, stored);
        }
      if (!valid)
        {
          self.rmse[p] = self.angle[p] = NAN;
          for (guint i = 0; i < n; i++)
            self.residual[i * pixels + p] = self.estimate[i * pixels + p] = NAN;
          continue;
        }
      for (guint k = 0; k < m; k++)
        {
          y[k] = 0;
          for (guint i = 0; i < n; i++)
            y[k] += model->transform[k * n + i] * (x[i] - model->mean[i]);
        }
      for (guint i = 0; i < n; i++)
        {
          double estimate = model->mean[i];

          for (guint k = 0; k < m; k++)
            if (kept[k])
              estimate += model->mixing[i * m + k] * y[k];
          const double value = in_units (cube, model, i, x[i]), guess = in_units (cube, model, i, estimate);
          e[i] = value - guess;
          self.residual[i * pixels + p] = e[i];
          self.estimate[i * pixels + p] = guess;
          self.band_square[i] += e[i] * e[i];
          self.band_variance[i] += value * value;
          sum[i] += value;
          square += e[i] * e[i];
          xx += value * value;
          ee += guess * guess;
          xe += value * guess;
        }
      self.rmse[p] = sqrt (square / n);
      self.angle[p] = acos (CLAMP (xe / sqrt (xx * ee), -1, 1)) * 180 / G_PI;
      self.angle_sum += self.angle[p];
      self.square += square / n;
      self.largest = MAX (self.largest, square / n);
      self.count++;
    }
  for (guint i = 0; i < n; i++)
    {
      self.band_square[i] /= self.count;
      self.band_variance[i] = self.band_variance[i] / self.count - sum[i] / self.count * sum[i] / self.count;
    }
  return self;
}

static EsImageStack *
stack_of (EsResult *result, const char *name)
{
  EsLayer *layer = es_result_find_layer (result, name);

  g_assert_true (ES_IS_IMAGE_STACK (layer));
  return ES_IMAGE_STACK (layer);
}

static void
assert_plane (EsResult *result, const char *name, guint plane, const double *expected, const Reference *reference,
              double tolerance)
{
  const gsize pixels = (gsize) reference->width * reference->height;
  g_autofree float *values = g_new (float, pixels);
  g_autoptr (GError) error = NULL;

  g_assert_true (es_image_stack_read (stack_of (result, name), plane, 0, 0, reference->width, reference->height, 1,
                                      values, &error));
  g_assert_no_error (error);
  for (gsize p = 0; p < pixels; p++)
    if (isnan (expected[p]))
      g_assert_true (isnan (values[p]));
    else
      g_assert_cmpfloat_with_epsilon (values[p], expected[p], tolerance);
}

static double
value_of (EsResult *result, const char *name)
{
  return json_object_get_double_member (es_result_get_values (result), name);
}

static void
assert_matches (EsResult *result, const Reference *reference, double scale)
{
  const gsize pixels = (gsize) reference->width * reference->height;
  const double rmse = sqrt (reference->square / reference->count);
  JsonArray *bands = json_object_get_array_member (es_result_get_values (result), "bands");
  EsCurve *curve = ES_CURVE (es_result_find_layer (result, "band-error"));
  double signal = 0, noise = 0;

  assert_plane (result, "error", 0, reference->rmse, reference, 1e-5 * scale);
  /* Half a thousandth of a degree is what acos () of a cosine near one gives away. */
  assert_plane (result, "error", 1, reference->angle, reference, 2e-3);
  for (guint i = 0; i < reference->n; i++)
    {
      assert_plane (result, "residual", i, reference->residual + i * pixels, reference, 2e-5 * scale);
      signal += reference->band_variance[i];
      noise += reference->band_square[i];
    }
  g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "pixels"), ==, reference->count);
  g_assert_cmpfloat_with_epsilon (value_of (result, "rmse"), rmse, 1e-6 * scale);
  g_assert_cmpfloat_with_epsilon (value_of (result, "largest_rmse"), sqrt (reference->largest), 1e-5 * scale);
  g_assert_cmpfloat_with_epsilon (value_of (result, "angle"), reference->angle_sum / reference->count, 1e-3);
  g_assert_cmpfloat_with_epsilon (value_of (result, "snr_db"), 10 * log10 (signal / noise), 1e-3);

  g_assert_cmpstr (es_curve_get_role (curve), ==, "band-error");
  g_assert_cmpuint (es_curve_get_n_series (curve), ==, 2);
  g_assert_true (es_curve_get_series (curve, 1)->right_axis);
  g_assert_true (isnan (es_curve_get_series (curve, 0)->y[bad_bands[0]]));
  for (guint i = 0; i < reference->n; i++)
    {
      JsonObject *band = json_array_get_object_element (bands, i);
      const guint index = json_object_get_int_member (band, "band") - 1;
      const double snr = 10 * log10 (reference->band_variance[i] / reference->band_square[i]);

      g_assert_cmpfloat_with_epsilon (json_object_get_double_member (band, "rmse"), sqrt (reference->band_square[i]),
                                      1e-5 * scale);
      g_assert_cmpfloat_with_epsilon (json_object_get_double_member (band, "snr_db"), snr, 1e-3);
      g_assert_cmpfloat_with_epsilon (es_curve_get_series (curve, 0)->y[index], sqrt (reference->band_square[i]),
                                      1e-5 * scale);
    }
}

/* ---- on every device ---- */

static void
check_on (const char *device, const char *operation, EskType type, const char *interleave, const char *key,
          const char *value)
{
  EsTestScene scene = small_scene (type, interleave);
  g_autoptr (GError) error = NULL;

  es_test_scene_fill (&scene, 5);
  g_autoptr (EsDataset) dataset = es_test_scene_open (&scene, directory, "scene");
  g_autoptr (EsResult) source = run_on (operation, dataset, "cpu", NULL, NULL, &error, "components", "4", key, value,
                                        NULL);
  g_assert_no_error (error);
  const EsLinearModel *model = es_result_get_model (source);
  g_assert_nonnull (model);
  g_test_message ("%s on %s: %u", operation, device, model->m);
  g_assert_cmpuint (model->m, ==, 4);

  const gboolean all[] = { TRUE, TRUE, TRUE, TRUE }, some[] = { TRUE, FALSE, FALSE, TRUE };
  Reference whole = make_reference (&scene, ES_CUBE (dataset), model, all);
  Reference part = make_reference (&scene, ES_CUBE (dataset), model, some);
  /* Errors are small differences of large values in float32. */
  const double scale = sqrt (part.square / part.count) + 1e-3 * fabs (model->mean[0]);

  g_autoptr (EsResult) first = run_on ("reconstruct", dataset, device, source, NULL, &error, "output", "cube", NULL);
  g_assert_no_error (error);
  assert_matches (first, &whole, scale);
  for (guint i = 0; i < whole.n; i++)
    assert_plane (first, "reconstruction", i, whole.estimate + (gsize) i * scene.width * scene.height, &whole,
                  1e-4 * scale);
  g_assert_cmpint (es_image_stack_get_hint (stack_of (first, "residual")), ==, ES_IMAGE_HINT_DIVERGING);
  g_assert_cmpint (es_image_stack_get_hint (stack_of (first, "error")), ==, ES_IMAGE_HINT_SEQUENTIAL);

  /* With the variances of the one before. */
  g_autoptr (EsResult) second = run_on ("reconstruct", dataset, device, source, first, &error, "components", "1, 4",
                                        "residual", "yes", NULL);
  g_assert_no_error (error);
  assert_matches (second, &part, scale);
  g_assert_null (es_result_find_layer (second, "reconstruction"));
  g_assert_cmpint (json_object_get_int_member (es_result_get_values (second), "components"), ==, 2);

  /* The mean spectrum alone: what is lost is all that varies. */
  g_autoptr (EsResult) none = run_on ("reconstruct", dataset, device, source, NULL, &error, "components", "0",
                                      "residual", "no", NULL);
  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (value_of (none, "snr_db"), 0, 1e-6);
  g_assert_null (es_result_find_layer (none, "residual"));

  reference_clear (&whole);
  reference_clear (&part);
  es_test_scene_clear (&scene);
}

static void
check_all_on (const char *device)
{
  check_on (device, "pca", ESK_I16, "bil", "scaling", "covariance");
  check_on (device, "pca", ESK_I16, "bsq", "scaling", "correlation");
  check_on (device, "pca", ESK_F32, "bip", "quantise", "8bit");
  check_on (device, "mnf", ESK_I16, "bsq", "keep", "count");
  check_on (device, "fastica", ESK_F32, "bil", "g", "cubic");
}

static void
test_cpu (void)
{
  check_all_on ("cpu");
}

static void
test_cards (void)
{
  static const char *const ids[] = { "cuda:0", "cuda:all" };
  gboolean any = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    if (es_device_find (ids[i], NULL) != NULL)
      {
        check_all_on (ids[i]);
        any = TRUE;
      }
  if (!any)
    g_test_skip ("no cards");
}

/* ---- windows of the residual ---- */

static void
assert_same_sample (float expected, float found)
{
  g_assert_true (isnan (expected) ? isnan (found) : fabsf (expected - found) <= 1e-4f * (1 + fabsf (expected)));
}

static void
test_windows (void)
{
  EsTestScene scene = small_scene (ESK_I16, "bip");
  g_autoptr (GError) error = NULL;
  float window[15 * 11], coarse[5 * 4];
  gsize k = 0;

  es_test_scene_fill (&scene, 8);
  g_autoptr (EsDataset) dataset = es_test_scene_open (&scene, directory, "windows");
  g_autoptr (EsResult) source = run_on ("pca", dataset, "cpu", NULL, NULL, &error, "components", "2", NULL);
  g_assert_no_error (error);
  g_autoptr (EsResult) result = run_on ("reconstruct", dataset, "cpu", source, NULL, &error, NULL);
  g_assert_no_error (error);
  EsImageStack *residual = stack_of (result, "residual");
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
  EsTestScene scene = small_scene (ESK_I16, "bsq");
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) pca = folder_named ("pca"), folder = folder_named ("reconstructed");
  g_autofree char *path = json_of ("pca"), *again = json_of ("reconstructed");
  g_autoptr (GFile) file = g_file_new_for_path (again);

  es_test_scene_fill (&scene, 11);
  g_autoptr (EsDataset) dataset = es_test_scene_open (&scene, directory, "saved");
  g_autoptr (EsResult) source = run_on ("pca", dataset, "cpu", NULL, NULL, &error, "components", "3", NULL);
  g_assert_no_error (error);
  es_write_result (source, pca, format, NULL, &error);
  g_assert_no_error (error);

  /* The same from what has been saved. */
  g_autoptr (EsResult) at_hand = run_on ("reconstruct", dataset, "cpu", source, NULL, &error, "components", "2-3",
                                         "output", "cube", NULL);
  g_assert_no_error (error);
  g_autoptr (EsResult) from_file = run_on ("reconstruct", dataset, "cpu", NULL, NULL, &error, "components", "2-3",
                                           "output", "cube", "result", path, NULL);
  g_assert_no_error (error);
  g_assert_cmpfloat (value_of (at_hand, "rmse"), ==, value_of (from_file, "rmse"));
  assert_same_planes (stack_of (at_hand, "residual"), stack_of (from_file, "residual"));

  es_write_result (from_file, folder, format, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (EsResult) loaded = es_result_load (file, NULL, &error);
  g_assert_no_error (error);
  assert_same_planes (stack_of (from_file, "error"), stack_of (loaded, "error"));
  assert_same_planes (stack_of (from_file, "residual"), stack_of (loaded, "residual"));
  assert_same_planes (stack_of (from_file, "reconstruction"), stack_of (loaded, "reconstruction"));
  g_assert_cmpfloat (value_of (loaded, "rmse"), ==, value_of (from_file, "rmse"));
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
  g_autoptr (EsResult) smaller = run_on ("reconstruct", dataset, "cpu", source, NULL, &error, "residual", "no", NULL);
  g_assert_no_error (error);
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
  g_autoptr (EsResult) result = run_on ("reconstruct", dataset, "cpu", source, NULL, &error, key, value, NULL);

  g_assert_null (result);
  g_assert_error (error, domain, code);
  g_assert_nonnull (strstr (error->message, part));
}

static void
test_refused (void)
{
  EsTestScene scene = small_scene (ESK_I16, "bsq"), other_scene = small_scene (ESK_I16, "bsq");
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) folder = folder_named ("refused");
  g_autofree char *path = json_of ("refused"), *text = NULL;

  es_test_scene_fill (&scene, 1);
  es_test_scene_fill (&other_scene, 2);
  g_autoptr (EsDataset) dataset = es_test_scene_open (&scene, directory, "one");
  g_autoptr (EsDataset) other = es_test_scene_open (&other_scene, directory, "other");
  g_autoptr (EsResult) source = run_on ("pca", dataset, "cpu", NULL, NULL, &error, "components", "3", NULL);
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
  assert_refused (dataset, NULL, "result", path, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, "not a saved result");

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
  EsTestScene scene = small_scene (ESK_I16, "bsq");
  g_autoptr (GError) error = NULL;
  g_autoptr (EsSession) session = es_session_new ();
  g_autoptr (EsParams) one = params_with ("1"), two = params_with ("1-2"), three = params_with ("1-3");

  es_test_scene_fill (&scene, 3);
  g_autoptr (EsDataset) dataset = es_test_scene_open (&scene, directory, "session");
  g_autoptr (EsResult) source = run_on ("pca", dataset, "cpu", NULL, NULL, &error, "components", "3", NULL);
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

/* Numbers as they were; and none that could lead outside of the cube. */
static void
test_model (void)
{
  const guint32 bands[] = { 0, 2, 5 };
  const double mean[] = { 1, 1 / 3.0, -2e-17 }, transform[] = { 0.1, 0.2, 0.3, 1e300, -1, 0 };
  const double mixing[] = { 1, 2, 3, 4, 5, 6 };
  g_autoptr (EsLinearModel) model = es_linear_model_new (2, 3, bands, mean, transform, mixing, NULL, NULL, TRUE);
  g_autoptr (JsonNode) node = es_linear_model_to_json (model);
  g_autofree char *text = json_to_string (node, FALSE);
  g_autoptr (JsonNode) read = json_from_string (text, NULL);
  g_autoptr (EsLinearModel) again = es_linear_model_from_json (json_node_get_object (read), 6);
  const gboolean kept[] = { FALSE, TRUE };
  g_autofree float *forward = NULL, *backward = NULL;

  g_assert_nonnull (again);
  g_assert_cmpmem (again->bands, sizeof bands, bands, sizeof bands);
  g_assert_cmpmem (again->mean, sizeof mean, mean, sizeof mean);
  g_assert_cmpmem (again->transform, sizeof transform, transform, sizeof transform);
  g_assert_cmpmem (again->mixing, sizeof mixing, mixing, sizeof mixing);
  g_assert_true (again->centred && again->minimum == NULL);
  g_assert_cmpuint (es_linear_model_select (again, kept, &forward, &backward), ==, 1);
  g_assert_cmpfloat (forward[1], ==, -1);
  g_assert_cmpfloat (backward[0], ==, 2);
  g_assert_cmpfloat (backward[2], ==, 6);

  g_assert_null (es_linear_model_from_json (json_node_get_object (read), 5));
  json_object_set_int_member (json_node_get_object (read), "components", 3);
  g_assert_null (es_linear_model_from_json (json_node_get_object (read), 6));
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  g_test_add_func ("/reconstruct/model", test_model);
  g_test_add_func ("/reconstruct/cpu", test_cpu);
  g_test_add_func ("/reconstruct/cards", test_cards);
  g_test_add_func ("/reconstruct/windows", test_windows);
  g_test_add_func ("/reconstruct/saved/envi", test_saved_envi);
  g_test_add_func ("/reconstruct/saved/geotiff", test_saved_geotiff);
  g_test_add_func ("/reconstruct/refused", test_refused);
  g_test_add_func ("/reconstruct/session", test_session);
  status = g_test_run ();
  es_test_remove (directory);
  return status;
}
