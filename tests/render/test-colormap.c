/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "plane/es-colormap.h"
#include "plane/es-plane-internal.h"
#include "plane/es-stretch.h"

/* CIE lightness of an sRGB entry. */
static double
lightness (const guint8 *entry)
{
  static const double shares[3] = { 0.2126, 0.7152, 0.0722 };
  double y = 0;

  for (guint c = 0; c < 3; c++)
    {
      double v = entry[c] / 255.0;
      y += shares[c] * (v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4));
    }
  return y > 216.0 / 24389 ? 116 * cbrt (y) - 16 : y * 24389 / 27;
}

static void
test_tables (void)
{
  /* First, middle and last entries as published. */
  static const guint8 known[ES_N_COLORMAPS][3][3] = {
    [ES_COLORMAP_GRAY] = { { 0, 0, 0 }, { 128, 128, 128 }, { 255, 255, 255 } },
    [ES_COLORMAP_VIRIDIS] = { { 68, 1, 84 }, { 33, 145, 140 }, { 253, 231, 37 } },
    [ES_COLORMAP_MAGMA] = { { 0, 0, 4 }, { 183, 55, 121 }, { 252, 253, 191 } },
    [ES_COLORMAP_CIVIDIS] = { { 0, 34, 78 }, { 125, 124, 120 }, { 254, 232, 56 } },
    [ES_COLORMAP_DIVERGING] = { { 0, 18, 97 }, { 236, 229, 224 }, { 89, 0, 8 } },
  };

  for (guint m = 0; m < ES_N_COLORMAPS; m++)
    {
      const guint8 *entries = es_colormap_entries (m);
      EsColormap found;

      g_assert_true (es_colormap_find (es_colormap_id (m), &found));
      g_assert_cmpint (found, ==, m);
      g_assert_nonnull (es_colormap_title (m));
      for (guint i = 0; i < 3; i++)
        for (guint c = 0; c < 3; c++)
          g_assert_cmpint (entries[4 * (i * 255 / 2 + (i == 1)) + c], ==, known[m][i][c]);
      for (guint i = 0; i < 256; i++)
        g_assert_cmpint (entries[4 * i + 3], ==, 255);
    }
  g_assert_false (es_colormap_find ("jet", NULL));
  g_assert_false (es_colormap_find (NULL, NULL));
}

/* Sequential maps get lighter from end to end; the diverging one up to its middle and then darker. */
static void
test_lightness (void)
{
  for (guint m = 0; m < ES_N_COLORMAPS; m++)
    {
      const guint8 *entries = es_colormap_entries (m);
      double span = lightness (entries + 4 * (m == ES_COLORMAP_DIVERGING ? 128 : 255)) - lightness (entries);

      g_assert_cmpfloat (span, >, 60);
      for (guint i = 1; i < 256; i++)
        {
          double step = lightness (entries + 4 * i) - lightness (entries + 4 * (i - 1));
          gboolean falls = m == ES_COLORMAP_DIVERGING && i > 127;

          /* Rounding to 8 bits may turn a step round by a little, never more. */
          g_assert_cmpfloat (falls ? -step : step, >, -0.35);
          g_assert_cmpfloat (fabs (step), <, 1.5);
        }
    }

  /* The middle is a light grey: blue on one side, red on the other. */
  const guint8 *vik = es_colormap_entries (ES_COLORMAP_DIVERGING);
  g_assert_cmpfloat (lightness (vik + 4 * 128), >, 88);
  g_assert_cmpint (vik[4 * 40 + 2], >, vik[4 * 40]);
  g_assert_cmpint (vik[4 * 215], >, vik[4 * 215 + 2]);
}

static int
compare_floats (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

static void
compare_with_naive (const float *values, guint n)
{
  g_autofree EsPlaneStatistics *found = g_new (EsPlaneStatistics, 1);
  g_autofree float *valid = g_new (float, n + 1);
  guint n_valid = 0, histogram[256] = { 0 };
  double sum = 0, squares = 0;

  for (guint i = 0; i < n; i++)
    if (isfinite (values[i]))
      {
        valid[n_valid++] = values[i];
        sum += values[i];
      }
  qsort (valid, n_valid, sizeof *valid, compare_floats);
  es_plane_statistics_compute (found, values, n);
  g_assert_cmpuint (found->n_valid, ==, n_valid);
  if (n_valid == 0)
    {
      g_assert_cmpfloat (found->maximum, ==, 0);
      g_assert_cmpfloat (found->quantiles[1000], ==, 0);
      return;
    }

  double low = valid[0], span = valid[n_valid - 1] - low;
  for (guint i = 0; i < n_valid; i++)
    {
      squares += (valid[i] - sum / n_valid) * (valid[i] - sum / n_valid);
      histogram[span > 0 ? MIN ((int) ((valid[i] - low) / span * 256), 255) : 0]++;
    }
  g_assert_cmpfloat (found->minimum, ==, low);
  g_assert_cmpfloat (found->maximum, ==, valid[n_valid - 1]);
  g_assert_cmpfloat_with_epsilon (found->mean, sum / n_valid, 1e-9 * (fabs (sum / n_valid) + 1));
  g_assert_cmpfloat_with_epsilon (found->deviation, n_valid > 1 ? sqrt (squares / (n_valid - 1)) : 0,
                                  1e-9 * (span + 1));
  g_assert_cmpmem (found->histogram, sizeof found->histogram, histogram, sizeof histogram);
  for (guint q = 0; q <= 1000; q++)
    {
      double place = q / 1000.0 * (n_valid - 1);
      guint below = (guint) place;
      double expected = valid[below] + ((double) valid[MIN (below + 1, n_valid - 1)] - valid[below]) * (place - below);

      g_assert_cmpfloat_with_epsilon (found->quantiles[q], expected, 1e-12 * (span + fabs (expected)));
      g_assert_cmpfloat_with_epsilon (es_plane_statistics_quantile (found, q / 1000.0), expected, 1e-6 * (span + 1));
    }
}

static void
test_statistics (void)
{
  static const guint sizes[] = { 0, 1, 2, 3, 255, 4096, 50001 };
  g_autofree float *values = g_new (float, 50001);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint kind = 0; kind < 4; kind++)
      {
        for (guint i = 0; i < sizes[s]; i++)
          {
            double u = g_rand_double_range (random, -1, 1);

            values[i] = kind == 0   ? (float) u
                        : kind == 1 ? (float) (u * u * u * 1e20)
                        : kind == 2 ? 42
                                    : (float) floor (u * 50);
            if (kind == 3 && i % 7 == 0)
              values[i] = i % 2 ? NAN : INFINITY;
          }
        compare_with_naive (values, sizes[s]);
      }

  for (guint i = 0; i < 100; i++)
    values[i] = NAN;
  compare_with_naive (values, 100);
}

/* Above a million values a sample does; stripes across or along the image do not escape it. */
static void
test_sampling (void)
{
  enum { SIDE = 2048 };
  g_autofree float *values = g_new (float, SIDE * SIDE);
  g_autofree EsPlaneStatistics *found = g_new (EsPlaneStatistics, 1);

  for (guint i = 0; i < SIDE * SIDE; i++)
    values[i] = (i % SIDE) % 4 == 0 ? 1 : 0;
  es_plane_statistics_compute (found, values, SIDE * SIDE);
  g_assert_cmpuint (found->n_valid, <=, 1000000);
  g_assert_cmpuint (found->n_valid, >, 500000);
  g_assert_cmpfloat_with_epsilon (found->mean, 0.25, 0.002);
}

static guint
find_step (const float *thresholds, double value)
{
  guint step = 0;

  for (guint i = 0; i < ES_STRETCH_STEPS; i++)
    step += thresholds[i] <= value;
  return step;
}

/* Values into steps, against the formulas of the other direction and by counting. */
static void
test_stretches (void)
{
  enum { N = 100000 };
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  g_autofree float *values = g_new (float, N);
  g_autofree EsPlaneStatistics *statistics = g_new (EsPlaneStatistics, 1);
  float thresholds[ES_STRETCH_STEPS];
  guint counts[256] = { 0 };
  double sum = 0, squares = 0;
  EsStretch found;

  for (guint i = 0; i < ES_N_STRETCHES; i++)
    {
      g_assert_true (es_stretch_find (es_stretch_id (i), &found));
      g_assert_cmpint (found, ==, i);
      g_assert_nonnull (es_stretch_title (i));
    }
  g_assert_false (es_stretch_find ("cubic", &found));

  /* As reflectances are: many dark ones, few bright ones. */
  for (guint i = 0; i < N; i++)
    values[i] = (float) (50 * exp (2 * g_rand_double (random) * g_rand_double (random) * g_rand_double (random)));
  es_plane_statistics_compute (statistics, values, N);

  for (guint i = 1; i < 1000; i++)
    {
      const double share = i / 1000., value = 20 + share * 300;

      es_stretch_fill (ES_STRETCH_LINEAR, 20, 320, NULL, thresholds);
      g_assert_cmpint (abs ((int) find_step (thresholds, value) - (int) (256 * share)), <=, 1);
      es_stretch_fill (ES_STRETCH_SQUARE_ROOT, 20, 320, NULL, thresholds);
      g_assert_cmpint (abs ((int) find_step (thresholds, value) - (int) (256 * sqrt (share))), <=, 1);
      es_stretch_fill (ES_STRETCH_LOGARITHM, 20, 320, NULL, thresholds);
      g_assert_cmpint (abs ((int) find_step (thresholds, value) - (int) (256 * log1p (100 * share) / log (101))), <=,
                       1);
    }

  es_stretch_fill (ES_STRETCH_EQUALISE, statistics->minimum, statistics->maximum, statistics, thresholds);
  for (guint i = 0; i < N; i++)
    counts[find_step (thresholds, values[i])]++;
  for (guint i = 0; i < 256; i++)
    g_assert_cmpfloat_with_epsilon (counts[i], N / 256., 0.15 * N / 256.);

  /* Between two quantiles only those in between are spread. */
  es_stretch_fill (ES_STRETCH_EQUALISE, statistics->quantiles[200], statistics->quantiles[700], statistics, thresholds);
  g_assert_cmpuint (find_step (thresholds, statistics->quantiles[200] - 1e-3), ==, 0);
  g_assert_cmpint (abs ((int) find_step (thresholds, statistics->quantiles[450]) - 128), <=, 1);
  g_assert_cmpuint (find_step (thresholds, statistics->quantiles[700]), ==, 255);

  es_stretch_fill (ES_STRETCH_GAUSSIAN, statistics->minimum, statistics->maximum, statistics, thresholds);
  for (guint i = 0; i < N; i++)
    {
      const double step = find_step (thresholds, values[i]) + 0.5;

      sum += step;
      squares += (step - 128) * (step - 128);
    }
  g_assert_cmpfloat_with_epsilon (sum / N, 128, 0.3);
  g_assert_cmpfloat_with_epsilon (sqrt (squares / N), 256 / 6., 0.4);

  /* Whatever the ends, they ascend; between ends with no values they are linear. */
  for (guint stretch = 0; stretch < ES_N_STRETCHES; stretch++)
    {
      es_stretch_fill (stretch, 1e6, 2e6, statistics, thresholds);
      g_assert_cmpfloat (thresholds[0], >=, 1e6);
      for (guint i = 1; i < ES_STRETCH_STEPS; i++)
        g_assert_cmpfloat (thresholds[i], >, thresholds[i - 1]);
    }
}

/* A part of a plane: a window, a region in it, of a decimated plane too; against counting pixels. */
static void
test_part (void)
{
  enum { WIDTH = 70, HEIGHT = 50 };
  g_autofree float *values = g_new (float, WIDTH * HEIGHT);
  const double corners[] = { 10, 5, 60, 8, 33, 44 };
  g_autoptr (EsRegion) triangle = es_region_new_polygon (corners, 3);
  g_autofree guint8 *mask = g_malloc (WIDTH * HEIGHT);
  double sum = 0;
  guint n = 0;

  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    values[i] = i % 11 == 0 ? NAN : (float) (i % WIDTH + 1000 * (i / WIDTH));
  g_autoptr (GBytes) bytes = g_bytes_new (values, sizeof *values * WIDTH * HEIGHT);
  g_autoptr (EsPlane) plane = es_plane_new (bytes, WIDTH, HEIGHT);
  g_autofree EsPlaneStatistics *window = es_plane_measure_part (plane, 1, &(EsPlanePart) { 20, 10, 5, 2, NULL });
  g_assert_cmpuint (window->n_valid, ==, 9);
  g_assert_cmpfloat (window->minimum, ==, 10020);
  g_assert_cmpfloat (window->maximum, ==, 11024);

  es_region_fill_mask (triangle, 0, 0, WIDTH, HEIGHT, mask);
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    if (mask[i] && !isnan (values[i]))
      {
        sum += values[i];
        n++;
      }
  g_autofree EsPlaneStatistics *region = es_plane_measure_part (plane, 1,
                                                                &(EsPlanePart) { 8, 4, 60, 42, triangle });
  g_assert_cmpuint (region->n_valid, ==, n);
  g_assert_cmpfloat_with_epsilon (region->mean, sum / n, 1e-6);

  /* Each sample stands for 3 x 3 pixels: it counts where its middle does. */
  g_autoptr (EsRegion) square = es_region_new_rectangle (30, 30, 30, 30);
  g_autofree EsPlaneStatistics *coarse = es_plane_measure_part (plane, 3, &(EsPlanePart) { 30, 30, 30, 30, square });
  guint expected = 0;
  for (guint y = 10; y < 20; y++)
    for (guint x = 10; x < 20; x++)
      expected += !isnan (values[y * WIDTH + x]);
  g_assert_cmpuint (coarse->n_valid, ==, expected);

  /* Beside it there is nothing. */
  g_autofree EsPlaneStatistics *none = es_plane_measure_part (plane, 1, &(EsPlanePart) { 500, 500, 10, 10, NULL });
  g_assert_cmpuint (none->n_valid, ==, 0);
}

static void
test_pyramid (void)
{
  static const float values[] = { 1, 2, NAN, 3, 4, NAN, NAN, NAN, 10 };
  g_autoptr (GBytes) bytes = g_bytes_new (values, sizeof values);
  g_autoptr (EsPlane) plane = es_plane_new (bytes, 3, 3);

  g_assert_null (es_plane_new (bytes, 4, 3));
  g_assert_null (es_plane_new (bytes, G_MAXUINT, G_MAXUINT));
  g_assert_cmpuint (es_plane_count_levels (3, 3), ==, 3);
  g_assert_cmpuint (es_plane_count_levels (1, 1), ==, 1);
  g_assert_cmpuint (es_plane_count_levels (G_MAXUINT, 1), <=, ES_PLANE_MAX_LEVELS + 1);

  const EsPlaneLevel *last = es_plane_get_level (plane, 2), *middle = es_plane_get_level (plane, 1);
  g_assert_cmpuint (middle->width, ==, 2);
  g_assert_cmpuint (middle->height, ==, 2);
  g_assert_cmpfloat (middle->values[0], ==, 2.5f);
  g_assert_true (isnan (middle->values[1]));
  g_assert_true (isnan (middle->values[2]));
  g_assert_cmpfloat (middle->values[3], ==, 10);
  g_assert_cmpuint (last->width, ==, 1);
  g_assert_cmpfloat (last->values[0], ==, 6.25f);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/render/colormap/tables", test_tables);
  g_test_add_func ("/render/colormap/lightness", test_lightness);
  g_test_add_func ("/render/statistics/naive", test_statistics);
  g_test_add_func ("/render/statistics/sampling", test_sampling);
  g_test_add_func ("/render/plane/stretches", test_stretches);
  g_test_add_func ("/render/plane/part", test_part);
  g_test_add_func ("/render/plane/pyramid", test_pyramid);
  return g_test_run ();
}
