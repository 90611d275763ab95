/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Reconstruction of all three reductions against loops in double over the scene's own values: on the CPU and on cards
 * of host memory. */

#include <math.h>

#include "layer/es-layer-internal.h"
#include "result/es-linear-model-internal.h"
#include "../job/es-test-scene.h"
#include "es-test-reconstruct.h"

static char *directory;

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

static void
assert_plane (EsResult *result, const char *name, guint plane, const double *expected, const Reference *reference,
              double tolerance)
{
  const gsize pixels = (gsize) reference->width * reference->height;
  g_autofree float *values = g_new (float, pixels);
  g_autoptr (GError) error = NULL;

  g_assert_true (es_image_stack_read (es_test_stack_of (result, name), plane, 0, 0, reference->width,
                                      reference->height, 1,
                                      values, &error));
  g_assert_no_error (error);
  for (gsize p = 0; p < pixels; p++)
    if (isnan (expected[p]))
      g_assert_true (isnan (values[p]));
    else
      g_assert_cmpfloat_with_epsilon (values[p], expected[p], tolerance);
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
  g_assert_cmpfloat_with_epsilon (es_test_value_of (result, "rmse"), rmse, 1e-6 * scale);
  g_assert_cmpfloat_with_epsilon (es_test_value_of (result, "largest_rmse"), sqrt (reference->largest), 1e-5 * scale);
  g_assert_cmpfloat_with_epsilon (es_test_value_of (result, "angle"), reference->angle_sum / reference->count, 1e-3);
  g_assert_cmpfloat_with_epsilon (es_test_value_of (result, "snr_db"), 10 * log10 (signal / noise), 1e-3);

  g_assert_cmpstr (es_curve_get_role (curve), ==, "band-error");
  g_assert_cmpuint (es_curve_get_n_series (curve), ==, 2);
  g_assert_true (es_curve_get_series (curve, 1)->right_axis);
  g_assert_true (isnan (es_curve_get_series (curve, 0)->y[es_test_bad_bands[0]]));
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
  EsTestScene scene = es_test_small_scene (type, interleave);
  g_autoptr (GError) error = NULL;

  es_test_scene_fill (&scene, 5);
  g_autoptr (EsDataset) dataset = es_test_scene_open (&scene, directory, "scene");
  g_autoptr (EsResult) source = es_test_run (operation, dataset, "cpu", NULL, NULL, &error, "components", "4", key,
                                             value,
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

  g_autoptr (EsResult) first = es_test_run ("reconstruct", dataset, device, source, NULL, &error, "output", "cube",
                                            NULL);
  g_assert_no_error (error);
  assert_matches (first, &whole, scale);
  for (guint i = 0; i < whole.n; i++)
    assert_plane (first, "reconstruction", i, whole.estimate + (gsize) i * scene.width * scene.height, &whole,
                  1e-4 * scale);
  g_assert_cmpint (es_image_stack_get_hint (es_test_stack_of (first, "residual")), ==, ES_IMAGE_HINT_DIVERGING);
  g_assert_cmpint (es_image_stack_get_hint (es_test_stack_of (first, "error")), ==, ES_IMAGE_HINT_SEQUENTIAL);

  /* With the variances of the one before. */
  g_autoptr (EsResult) second = es_test_run ("reconstruct", dataset, device, source, first, &error, "components",
                                             "1, 4",
                                             "residual", "yes", NULL);
  g_assert_no_error (error);
  assert_matches (second, &part, scale);
  g_assert_null (es_result_find_layer (second, "reconstruction"));
  g_assert_cmpint (json_object_get_int_member (es_result_get_values (second), "components"), ==, 2);

  /* The mean spectrum alone: what is lost is all that varies. */
  g_autoptr (EsResult) none = es_test_run ("reconstruct", dataset, device, source, NULL, &error, "components", "0",
                                           "residual", "no", NULL);
  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (es_test_value_of (none, "snr_db"), 0, 1e-6);
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

/* ---- in a session ---- */

/* Numbers as they were; and none that could lead outside of the cube. */
static void
test_model (void)
{
  const guint32 bands[] = { 0, 2, 5 };
  const double mean[] = { 1, 1 / 3.0, -2e-17 }, transform[] = { 0.1, 0.2, 0.3, 1e300, -1, 0 };
  const double mixing[] = { 1, 2, 3, 4, 5, 6 };
  g_autoptr (EsLinearModel) model = es_linear_model_new (2, 3, bands, mean, transform, mixing, NULL, NULL, mean);
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
  g_assert_cmpmem (again->origin, sizeof mean, mean, sizeof mean);
  g_assert_null (again->minimum);
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
  status = g_test_run ();
  es_test_remove (directory);
  return status;
}
