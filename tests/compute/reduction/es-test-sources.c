/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-sources.h"

#include <math.h>
#include <string.h>

#include "operations/ica/es-ica-operations-internal.h"

/* Box and Muller's. */
static double
normal (GRand *rand)
{
  return sqrt (-2 * log (1 - g_rand_double (rand))) * cos (2 * G_PI * g_rand_double (rand));
}

static double
draw (GRand *rand, EsTestSourceKind kind, guint source)
{
  if (kind == ES_TEST_NORMAL)
    return normal (rand);
  switch (source % 4)
    {
    case 0:
      return (g_rand_double (rand) - 0.5) * sqrt (12);
    case 1:
      return (g_rand_boolean (rand) ? 1 : -1) * -log (1 - g_rand_double (rand)) / G_SQRT2;
    case 2:
      return g_rand_boolean (rand) ? 1 : -1;
    default:
      return -log (1 - g_rand_double (rand)) - 1;
    }
}

void
es_test_scene_mix (EsTestScene *scene, guint n_sources, EsTestSourceKind kind, double noise, guint32 seed,
                   double *sources)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  const gsize pixels = (gsize) scene->width * scene->height;
  const double level = scene->type == ESK_U8 ? 8 : 400;
  g_autofree double *mixing = g_new (double, scene->bands * n_sources);
  g_autofree double *drawn = g_new (double, n_sources);

  for (gsize i = 0; i < scene->bands * n_sources; i++)
    mixing[i] = normal (rand);
  scene->values = g_new (double, pixels * scene->bands);
  for (gsize p = 0; p < pixels; p++)
    {
      const gboolean missing = g_rand_double (rand) < scene->missing;

      for (guint k = 0; k < n_sources; k++)
        {
          drawn[k] = draw (rand, kind, k);
          if (sources != NULL)
            sources[k * pixels + p] = drawn[k];
        }
      for (guint b = 0; b < scene->bands; b++)
        {
          double value = 16 * level + noise * level * normal (rand);

          for (guint k = 0; k < n_sources; k++)
            value += level * mixing[b * n_sources + k] * drawn[k] / sqrt (n_sources);
          if (scene->type == ESK_U8)
            value = CLAMP (value, 0, 254);
          value = scene->type == ESK_F32 ? (float) value : rint (value);
          if (missing)
            value = isnan (scene->no_data) ? (scene->type == ESK_F32 ? NAN : value) : scene->no_data;
          scene->values[b * pixels + p] = value;
        }
    }
}

static double
correlation (const float *plane, const double *source, gsize pixels)
{
  double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;

  for (gsize p = 0; p < pixels; p++)
    if (isfinite (plane[p]))
      {
        n++;
        x += plane[p];
        y += source[p];
        xx += (double) plane[p] * plane[p];
        yy += source[p] * source[p];
        xy += plane[p] * source[p];
      }
  return (xy - x * y / n) / sqrt ((xx - x * x / n) * (yy - y * y / n));
}

double
es_test_worst_match (EsImageStack *stack, guint n_sources, const double *sources)
{
  const guint64 width = es_image_stack_get_width (stack), height = es_image_stack_get_height (stack);
  g_autofree float *plane = g_new (float, width * height);
  g_autofree double *best = g_new0 (double, n_sources);
  double worst = 1;

  for (guint i = 0; i < es_image_stack_get_planes (stack); i++)
    {
      g_assert_true (es_image_stack_read (stack, i, 0, 0, width, height, 1, plane, NULL));
      for (guint k = 0; k < n_sources; k++)
        best[k] = fmax (best[k], fabs (correlation (plane, sources + k * width * height, width * height)));
    }
  for (guint k = 0; k < n_sources; k++)
    worst = fmin (worst, best[k]);
  return worst;
}

EsResult *
es_test_run_fastica (EsDataset *dataset, const char *device, const EsLimits *limits, EsResult *previous,
                     GError **error, ...)
{
  const EsOperation *fastica = &es_operation_fastica;
  g_autoptr (EsParams) params = es_params_new (fastica->params);
  EsDevice *found = es_device_find (device, NULL);
  va_list arguments;
  const char *key;

  g_assert_nonnull (found);
  va_start (arguments, error);
  while ((key = va_arg (arguments, const char *)) != NULL)
    {
      g_autoptr (GError) local = NULL;
      es_params_parse (params, key, va_arg (arguments, const char *), &local);
      g_assert_no_error (local);
    }
  va_end (arguments);

  g_autoptr (EsJob) job = es_job_new (fastica, dataset, params, found, limits, previous);
  EsResult *result = es_job_run (job, error);
  /* What the main loop is still to be told keeps the job, and that the data. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
  return result;
}

JsonArray *
es_test_values (EsResult *result, const char *name)
{
  return json_object_get_array_member (es_result_get_values (result), name);
}

gboolean
es_test_has_warning (EsResult *result, const char *text)
{
  const char *const *warnings = es_result_get_warnings (result);

  for (guint i = 0; warnings != NULL && warnings[i] != NULL; i++)
    if (strstr (warnings[i], text) != NULL)
      return TRUE;
  return FALSE;
}

double
es_test_difference (EsResult *a, EsResult *b)
{
  EsImageStack *x = ES_IMAGE_STACK (es_result_find_layer (a, "components"));
  EsImageStack *y = ES_IMAGE_STACK (es_result_find_layer (b, "components"));
  const guint64 width = es_image_stack_get_width (x), height = es_image_stack_get_height (x);
  g_autofree float *u = g_new (float, width * height), *v = g_new (float, width * height);
  double largest = 0, difference = 0;

  if (es_image_stack_get_planes (x) != es_image_stack_get_planes (y))
    return INFINITY;
  for (guint i = 0; i < es_image_stack_get_planes (x); i++)
    {
      g_assert_true (es_image_stack_read (x, i, 0, 0, width, height, 1, u, NULL));
      g_assert_true (es_image_stack_read (y, i, 0, 0, width, height, 1, v, NULL));
      for (gsize p = 0; p < width * height; p++)
        {
          if (isnan (u[p]) != isnan (v[p]))
            return INFINITY;
          if (isnan (u[p]))
            continue;
          largest = fmax (largest, fabs (u[p]));
          difference = fmax (difference, fabs ((double) u[p] - v[p]));
        }
    }
  return difference / largest;
}

EsImageStack *
es_test_components_of (EsResult *result)
{
  return ES_IMAGE_STACK (es_result_find_layer (result, "components"));
}

gint64
es_test_integer_of (EsResult *result, const char *name)
{
  return json_object_get_int_member (es_result_get_values (result), name);
}

double
es_test_number_of (EsResult *result, const char *name, guint i)
{
  return json_array_get_double_element (es_test_values (result, name), i);
}

gboolean
es_test_all_converged (EsResult *result)
{
  JsonArray *converged = es_test_values (result, "converged");

  for (guint i = 0; i < json_array_get_length (converged); i++)
    if (!json_array_get_boolean_element (converged, i))
      return FALSE;
  return TRUE;
}
