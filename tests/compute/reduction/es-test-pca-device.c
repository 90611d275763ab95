/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-pca-device.h"

#include <math.h>
#include <string.h>

#include "device/es-buffer-internal.h"
#include "cube/es-cube-internal.h"
#include "base/es-error.h"
#include "layer/es-layer-internal.h"
#include "operations/es-operations.h"

EsResult *
es_test_pca_run (EsDataset *dataset, const char *device, const EsLimits *limits, EsResult *previous, GError **error,
                 ...)
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

  EsDevice *found = es_device_find (device, NULL);
  g_assert_nonnull (found);
  g_autoptr (EsJob) job = es_job_new (pca, dataset, params, found, limits, previous);
  EsResult *result = es_job_run (job, error);
  /* What the main loop is still to be told keeps the job, and that the data. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
  return result;
}

void
es_test_pca_assert_used (EsDevice *device, guint64 bytes)
{
  for (guint i = 0; i < 100 && es_buffers_get_used (device) != bytes; i++)
    g_usleep (20000);
  g_assert_cmpuint (es_buffers_get_used (device), ==, bytes);
}

JsonArray *
es_test_pca_values_of (EsResult *result, const char *name)
{
  return json_object_get_array_member (es_result_get_values (result), name);
}

EsImageStack *
es_test_pca_components_of (EsResult *result)
{
  return ES_IMAGE_STACK (es_result_find_layer (result, "components"));
}

void
es_test_pca_assert_values (EsResult *a, EsResult *b, const char *name, double tolerance)
{
  JsonArray *x = es_test_pca_values_of (a, name), *y = es_test_pca_values_of (b, name);
  double largest = 0;

  g_assert_cmpuint (json_array_get_length (x), ==, json_array_get_length (y));
  for (guint i = 0; i < json_array_get_length (x); i++)
    largest = fmax (largest, fabs (json_array_get_double_element (x, i)));
  for (guint i = 0; i < json_array_get_length (x); i++)
    {
      double u = json_array_get_double_element (x, i), v = json_array_get_double_element (y, i);
      if (tolerance == 0)
        g_assert_cmpmem (&u, sizeof u, &v, sizeof v);
      else
        g_assert_cmpfloat (fabs (u - v), <=, tolerance * largest);
    }
}

void
es_test_pca_assert_same (EsResult *a, EsResult *b, double tolerance)
{
  EsImageStack *x = es_test_pca_components_of (a), *y = es_test_pca_components_of (b);
  const guint64 width = es_image_stack_get_width (x), height = es_image_stack_get_height (x);
  g_autofree float *u = g_new (float, width * height), *v = g_new (float, width * height);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (json_object_get_int_member (es_result_get_values (a), "valid_pixels"), ==,
                   json_object_get_int_member (es_result_get_values (b), "valid_pixels"));
  es_test_pca_assert_values (a, b, "mean", tolerance);
  es_test_pca_assert_values (a, b, "eigenvalues", tolerance);
  g_assert_cmpuint (es_image_stack_get_planes (x), ==, es_image_stack_get_planes (y));
  for (guint plane = 0; plane < es_image_stack_get_planes (x); plane++)
    {
      float largest = 0;

      g_assert_true (es_image_stack_read (x, plane, 0, 0, width, height, 1, u, &error));
      g_assert_no_error (error);
      g_assert_true (es_image_stack_read (y, plane, 0, 0, width, height, 1, v, &error));
      g_assert_no_error (error);
      for (gsize p = 0; p < width * height; p++)
        largest = fmaxf (largest, isnan (u[p]) ? 0 : fabsf (u[p]));
      for (gsize p = 0; p < width * height; p++)
        if (isnan (u[p]) || isnan (v[p]))
          g_assert_true (isnan (u[p]) && isnan (v[p]));
        else if (tolerance == 0)
          g_assert_cmpmem (&u[p], sizeof u[p], &v[p], sizeof v[p]);
        else
          g_assert_cmpfloat (fabsf (u[p] - v[p]), <=, 1e3 * tolerance * largest);
    }
}

static gpointer
source_handle_new (EsSampleSource *self, GError **error)
{
  return self;
}

static void
source_handle_free (EsSampleSource *self, gpointer handle)
{
}

static gboolean
source_read (EsSampleSource *parent, gpointer handle, const EsCubeWindow *window, void *buffer, EskTile *tile,
             GError **error)
{
  EsTestSource *self = (EsTestSource *) parent;
  gint16 *out = buffer;
  const int reads = g_atomic_int_add (&self->reads, 1) + 1;

  if (self->fail_at > 0 && reads >= self->fail_at)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED, "the file has become shorter");
      return FALSE;
    }
  for (guint b = 0; b < self->bands; b++)
    for (guint64 y = 0; y < window->height; y++)
      {
        memcpy (out, self->samples + (b * self->height + window->y + y) * self->width + window->x,
                window->width * sizeof *out);
        out += window->width;
      }
  *tile = (EskTile) { buffer, ESK_I16, false, window->width, window->height, self->bands, 1,
                      (ptrdiff_t) window->width, (ptrdiff_t) (window->width * window->height) };
  return TRUE;
}

static void
source_free (EsSampleSource *parent)
{
  g_free (((EsTestSource *) parent)->samples);
  g_free (parent);
}

EsDataset *
es_test_pca_make_source (guint width, guint height, guint bands, guint64 block_width, guint64 block_height,
                         EsTestSource **source)
{
  EsTestSource *self = *source = g_new0 (EsTestSource, 1);
  EsCubeInfo info = { .width = width, .height = height, .bands = bands, .type = ESK_I16,
                      .default_bands = { -1, -1, -1 }, .source = &self->parent };
  g_autoptr (GRand) rand = g_rand_new_with_seed (width);
  g_autoptr (GError) error = NULL;

  self->parent = (EsSampleSource) { source_handle_new, source_handle_free, source_read, NULL, source_free,
                                    block_width, block_height, FALSE };
  self->width = width;
  self->height = height;
  self->bands = bands;
  self->samples = g_new (gint16, (gsize) width * height * bands);
  for (gsize i = 0; i < (gsize) width * height * bands; i++)
    self->samples[i] = g_rand_int_range (rand, -500, 500) + (i % (width * height)) % 997;
  EsCube *cube = es_cube_new (NULL, &info, &error);
  g_assert_no_error (error);
  return ES_DATASET (cube);
}
