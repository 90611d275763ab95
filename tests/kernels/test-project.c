/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The CPU's projection against a reference that shares no code with it, with both sets of inner loops. */

#include "test-scene.h"

#include <math.h>

static void
check_projection (EskStream          *stream,
                  const Scene        *scene,
                  const EskSelection *selection,
                  const uint8_t      *valid,
                  size_t              rows,
                  gboolean            centred)
{
  size_t n = selection->n_bands, gap = 11, plane_stride = scene->n_pixels + gap;
  size_t n_values = (rows - 1) * plane_stride + scene->n_pixels;
  g_autofree float *values = g_new (float, rows * n);
  g_autofree double *mean = g_new0 (double, n);
  float *out = test_guarded_new (n_values * sizeof (float));
  EskMatrix basis = { rows, n, values };
  uint32_t pattern = 0xa5a5a5a5;
  double largest = 0.0;

  for (size_t r = 0; r < rows; r++)
    for (size_t b = 0; b < n; b++)
      values[r * n + b] = (float) (sin ((double) (r * 31 + b * 7 + 1)) / sqrt ((double) n));
  for (size_t p = 0; p < scene->n_pixels; p++)
    for (size_t b = 0; b < n; b++)
      {
        double x = scene_value_at (scene, selection, p, b);

        mean[b] += x / (double) scene->n_pixels;
        if (isfinite (x) && (valid == NULL || valid[p]))
          largest = fmax (largest, fabs (x));
      }
  for (size_t b = 0; b < n; b++)
    if (!isfinite (mean[b]))
      mean[b] = 100.0;

  g_assert_cmpint (esk_cpu_hotspots ()->cube->project (stream, &scene->tile, selection, valid, &basis,
                                                       centred ? mean : NULL, out, plane_stride), ==, ESK_OK);
  for (size_t r = 0; r < rows; r++)
    {
      double weight = 0.0;

      for (size_t b = 0; b < n; b++)
        weight += fabs ((double) values[r * n + b]);
      for (size_t p = 0; p < scene->n_pixels; p++)
        {
          long double expected = 0.0;

          if (valid != NULL && !valid[p])
            {
              g_assert_true (isnan (out[r * plane_stride + p]));
              continue;
            }
          for (size_t b = 0; b < n; b++)
            expected += (long double) values[r * n + b]
                        * ((long double) scene_value_at (scene, selection, p, b) - (centred ? mean[b] : 0.0));
          g_assert_true (fabsl (out[r * plane_stride + p] - expected) <= 1e-6L * largest * weight);
        }
      /* Between the planes nothing is written. */
      for (size_t k = 0; r + 1 < rows && k < gap; k++)
        g_assert_cmpmem (out + r * plane_stride + scene->n_pixels + k, sizeof (float), &pattern, sizeof pattern);
    }
  test_guarded_free (out);
}

static void
test_project (gconstpointer data)
{
  EskStream *stream = test_stream_new (GPOINTER_TO_INT (data));
  const size_t rows[] = { 1, 2, 3, 5, 6, 7, 13, 27 };

  for (guint type = 0; type < ESK_N_TYPES; type++)
    for (size_t s = 0; s < N_TEST_SIZES; s++)
      for (guint layout = 0; layout < N_LAYOUTS; layout++)
        {
          TestSize size = test_sizes[s];
          g_autoptr (Scene) scene = NULL;
          g_autofree uint32_t *bands = test_all_bands (size.bands);
          g_autofree uint8_t *valid = test_make_mask (size.width * size.height, (guint) (layout + s) % N_MASKS);
          EskSelection selection = { bands, size.bands };

          if (size.width > 200 && layout != LAYOUT_BSQ)
            continue;
          scene = scene_new (type, size.width, size.height, size.bands, layout, (layout + type) & 1, 0.5, type);
          for (size_t p = 0; test_type_is_float (type) && p < scene->n_pixels; p++)
            if (!valid[p])
              scene_set (scene, p, p % size.bands, p & 1 ? NAN : INFINITY, 0);
          check_projection (stream, scene, &selection, valid, rows[(s + type + layout) % G_N_ELEMENTS (rows)],
                            layout != LAYOUT_GAPS);
        }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

static void
test_project_quantised (gconstpointer data)
{
  EskStream *stream = test_stream_new (GPOINTER_TO_INT (data));

  for (guint type = 0; type < ESK_N_TYPES; type++)
    {
      g_autoptr (Scene) scene = scene_new (type, 45, 32, 8, type % N_LAYOUTS, FALSE, 0.8, type);
      g_autofree uint32_t *bands = test_all_bands (8);
      double minimum[8], maximum[8];
      EskSelection selection = { bands, 8, NULL, minimum, maximum };

      for (size_t b = 0; b < 8; b++)
        {
          minimum[b] = scene->value[b];
          maximum[b] = scene->value[8 + b];
          if (maximum[b] < minimum[b])
            {
              maximum[b] = scene->value[b];
              minimum[b] = scene->value[8 + b];
            }
        }
      check_projection (stream, scene, &selection, NULL, 4, TRUE);
    }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

int
main (int    argc,
      char **argv)
{
  static const struct
  {
    const char    *name;
    GTestDataFunc  run;
  } tests[] = {
    { "project", test_project },
    { "project/quantised", test_project_quantised },
  };

  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("ES_CPU_PORTABLE");

  /* The fastest loops that this machine has, and the portable ones. */
  for (size_t t = 0; t < G_N_ELEMENTS (tests); t++)
    for (int portable = 0; portable < 2; portable++)
      {
        g_autofree char *path = g_strdup_printf ("/kernels/%s/%s", portable ? "portable" : "native", tests[t].name);

        g_test_add_data_func (path, GINT_TO_POINTER (portable), tests[t].run);
      }

  return g_test_run ();
}
