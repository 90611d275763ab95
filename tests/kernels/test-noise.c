/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The CPU's noise residuals and errors of a reduction against their definitions: all types, layouts and byte orders,
 * masks, margins, quantising, residuals that do not fit; with both sets of inner loops.
 */

#include "test-noise-reference.h"
#include "test-scene.h"

#include <math.h>
#include <string.h>

typedef struct
{
  const Scene        *scene;
  const EskSelection *selection;
} Source;

static double
value_of (gconstpointer data,
          size_t        pixel,
          size_t        band)
{
  const Source *source = data;

  return scene_value_at (source->scene, source->selection, pixel, band);
}

static void
check_residual (EskStream          *stream,
                const Scene        *scene,
                const EskSelection *selection,
                const uint8_t      *valid,
                EskNoiseKind        kind,
                EskNoisePart        part,
                EskMargin           margin,
                size_t              gap)
{
  Source source = { scene, selection };
  Reference reference = { value_of, &source, scene->tile.width, selection->n_bands, valid };
  gboolean exact = esk_type_is_exact (scene->tile.type) || selection->minimum != NULL, clamped = FALSE;
  size_t size = exact ? sizeof (int16_t) : sizeof (float);
  EskTile out = { NULL, exact ? ESK_I16 : ESK_F32, FALSE, scene->tile.width - margin.left - margin.right,
                  scene->tile.height - margin.top - margin.bottom, selection->n_bands, 1, 0, 0 };
  size_t row = out.width + gap, band = row * out.height + 3 * gap;
  size_t n_samples = (out.bands - 1) * band + (out.height - 1) * row + out.width;
  uint8_t *marks = test_guarded_new ((out.height - 1) * row + out.width);
  uint32_t overflow = 0;
  void *data = test_guarded_new (n_samples * size);

  out.data = data;
  out.row_stride = (ptrdiff_t) row;
  out.band_stride = (ptrdiff_t) band;
  g_assert_cmpint (esk_cpu_hotspots ()->cube->noise_residual (stream, &scene->tile, selection, valid, kind, part,
                                                              &margin, &out, marks, &overflow), ==, ESK_OK);
  for (size_t y = 0; y < out.height; y++)
    for (size_t x = 0; x < out.width; x++)
      {
        gboolean counts = reference_counts (&reference, kind, x + margin.left, y + margin.top);

        g_assert_cmpint (marks[y * row + x], ==, counts);
        for (size_t b = 0; counts && b < out.bands; b++)
          {
            double expected = reference_residual (&reference, kind, exact, x + margin.left, y + margin.top, b);
            size_t at = b * band + y * row + x;

            if (exact)
              g_assert_cmpint (((int16_t *) data)[at], ==, reference_part (part, expected, &clamped));
            else
              g_assert_cmpfloat_with_epsilon ((double) ((float *) data)[at], expected,
                                              1e-7 * fabs (expected)
                                              + (scene->tile.type == ESK_F64 ? 1e-12 : 1e-9)
                                                * fabs (value_of (&source, (y + margin.top) * scene->tile.width
                                                                           + x + margin.left, b)));
          }
      }
  g_assert_cmpuint (overflow, ==, clamped);
  /* Between the rows and the planes. */
  for (size_t y = 0; gap > 0 && y + 1 < out.height; y++)
    for (size_t b = 0; b < out.bands; b++)
      for (size_t k = 0; k < gap * size; k++)
        g_assert_cmphex (((uint8_t *) data)[(b * band + y * row + out.width) * size + k], ==, 0xa5);
  test_guarded_free (data);
  test_guarded_free (marks);
}

static EskMargin
more (EskMargin margin,
      guint     k)
{
  margin.left += k % 3;
  margin.top += k % 2;
  margin.right += k / 2 % 2;
  margin.bottom += k / 3 % 2;
  return margin;
}

static void
test_residual (gconstpointer data)
{
  EskStream *stream = test_stream_new (GPOINTER_TO_INT (data));
  const size_t sizes[][2] = { { 1, 1 }, { 1, 14 }, { 19, 1 }, { 31, 33 }, { 700, 3 } };
  const uint32_t bands[] = { 0, 2, 3, 4, 6 };
  guint k = 0;

  for (guint type = 0; type < ESK_N_TYPES; type++)
    for (guint layout = 0; layout < N_LAYOUTS; layout++)
      for (guint kind = 0; kind < ESK_N_NOISE_KINDS; kind++)
        for (guint s = 0; s < G_N_ELEMENTS (sizes); s++, k++)
          {
            EskMargin margin = more (esk_noise_margin (kind), k);
            gboolean exact = esk_type_is_exact (type);
            g_autoptr (Scene) scene = scene_new (type, sizes[s][0] + margin.left + margin.right,
                                                 sizes[s][1] + margin.top + margin.bottom, 7, layout, k % 2,
                                                 k % 4 == 0 ? 0.05 : 0.9, k);
            g_autofree uint8_t *mask = k % 3 != 0 ? test_make_mask (scene->n_pixels, k % N_MASKS) : NULL;
            EskSelection selection = { bands, G_N_ELEMENTS (bands) };

            for (guint part = 0; part < (exact ? 4 : 1); part++)
              check_residual (stream, scene, &selection, mask, kind, part, margin, k % 4);
          }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

static void
test_residual_quantised (gconstpointer data)
{
  EskStream *stream = test_stream_new (GPOINTER_TO_INT (data));
  const uint32_t bands[] = { 1, 2, 4 };

  for (guint type = 0; type < ESK_N_TYPES; type++)
    for (guint kind = 0; kind < ESK_N_NOISE_KINDS; kind++)
      {
        g_autoptr (Scene) scene = scene_new (type, 41, 17, 5, (type + kind) % N_LAYOUTS, kind % 2, 0.9, type);
        double minimum[3], maximum[3];
        EskSelection selection = { bands, 3, NULL, minimum, maximum };

        for (guint b = 0; b < 3; b++)
          {
            minimum[b] = floor (scene->value[bands[b]]) - 10;
            maximum[b] = b == 1 ? minimum[b] : floor (scene->value[5 * 100 + bands[b]]) + 200;
            if (maximum[b] < minimum[b])
              maximum[b] = minimum[b] + 300;
          }
        for (guint part = 0; part < 4; part++)
          check_residual (stream, scene, &selection, NULL, kind, part, esk_noise_margin (kind), 1);
      }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* Residuals exactly at the ends of 16 bits do not overflow, and what does not count does not. */
static void
test_overflow (gconstpointer data)
{
  EskStream *stream = test_stream_new (GPOINTER_TO_INT (data));
  const uint32_t bands[] = { 0 };
  EskSelection selection = { bands, 1 };
  const struct
  {
    int      p, q;
    gboolean masked;
  } cases[] = { { 32767, 0, FALSE }, { -32768, 0, FALSE }, { 32767, -1, FALSE }, { -32768, 1, FALSE },
                { 32767, -32768, TRUE } };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    for (guint at = 0; at < 40; at++)
      {
        g_autoptr (Scene) scene = scene_new (ESK_I16, 41, 2, 1, at % 2 ? LAYOUT_BSQ : LAYOUT_BIP, at % 3 == 0, 0, 1);
        g_autofree uint8_t *mask = test_make_mask (scene->n_pixels, 0);
        EskNoiseKind kinds[] = { ESK_NOISE_RIGHT, ESK_NOISE_LOWER, ESK_NOISE_LOWER_RIGHT };

        for (guint p = 0; p < scene->n_pixels; p++)
          scene_set (scene, p, 0, 0, 0);
        scene_set (scene, at, 0, cases[c].p, cases[c].p);
        for (guint k = 0; k < 3; k++)
          {
            size_t other = at + (k != 1) + (k != 0) * 41;

            scene_set (scene, other, 0, cases[c].q, cases[c].q);
            mask[other] = !cases[c].masked;
            check_residual (stream, scene, &selection, mask, kinds[k], ESK_NOISE_WHOLE, esk_noise_margin (kinds[k]),
                            0);
            scene_set (scene, other, 0, 0, 0);
            mask[other] = 1;
          }
      }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

static void
test_bad (void)
{
  EskStream *stream = test_stream_new (FALSE);
  g_autoptr (Scene) scene = scene_new (ESK_F32, 5, 5, 2, LAYOUT_BSQ, FALSE, 0.5, 1);
  const EskHotspots *cpu = esk_cpu_hotspots ();
  const uint32_t bands[] = { 0, 1 };
  EskSelection selection = { bands, 2 };
  float data[18];
  uint8_t valid[25] = { 1 }, marks[9];
  EskTile out = { data, ESK_F32, FALSE, 3, 3, 2, 1, 3, 9 }, other;
  EskMargin margin = { 1, 1, 1, 1 }, small = { 1, 1, 1, 0 }, large = { 3, 1, 2, 1 };

#define RESIDUAL(valid, kind, part, margin, out, marks) \
  cpu->cube->noise_residual (stream, &scene->tile, &selection, valid, kind, part, margin, out, marks, NULL)
  g_assert_cmpint (RESIDUAL (NULL, ESK_NOISE_MEAN, ESK_NOISE_WHOLE, &margin, &out, NULL), ==, ESK_OK);
  g_assert_cmpint (RESIDUAL (NULL, ESK_NOISE_MEAN, ESK_NOISE_HIGH, &margin, &out, NULL), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (RESIDUAL (valid, ESK_NOISE_MEAN, ESK_NOISE_WHOLE, &margin, &out, NULL), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (RESIDUAL (valid, ESK_N_NOISE_KINDS, ESK_NOISE_WHOLE, &margin, &out, marks), ==,
                   ESK_ERROR_ARGUMENT);
  g_assert_cmpint (RESIDUAL (NULL, ESK_NOISE_MEAN, ESK_NOISE_WHOLE, &small, &out, NULL), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (RESIDUAL (NULL, ESK_NOISE_MEAN, ESK_NOISE_WHOLE, &large, &out, NULL), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (RESIDUAL (NULL, ESK_NOISE_MEAN, ESK_NOISE_WHOLE, NULL, &out, NULL), ==, ESK_ERROR_ARGUMENT);
  other = out;
  other.type = ESK_I16;
  g_assert_cmpint (RESIDUAL (NULL, ESK_NOISE_MEAN, ESK_NOISE_WHOLE, &margin, &other, NULL), ==, ESK_ERROR_ARGUMENT);
  other = out;
  other.width = 4;
  g_assert_cmpint (RESIDUAL (NULL, ESK_NOISE_MEAN, ESK_NOISE_WHOLE, &margin, &other, NULL), ==, ESK_ERROR_ARGUMENT);
#undef RESIDUAL
  cpu->stream->stream_free (stream);
}

static void
test_margins (void)
{
  EskMargin mean = esk_noise_margin (ESK_NOISE_MEAN), lower_right = esk_noise_margin (ESK_NOISE_LOWER_RIGHT);

  g_assert_cmpuint (mean.left + 2 * mean.top + 4 * mean.right + 8 * mean.bottom, ==, 15);
  g_assert_cmpuint (lower_right.left + 2 * lower_right.top + 4 * lower_right.right + 8 * lower_right.bottom, ==, 12);
  g_assert_cmpfloat (esk_noise_divisor (ESK_NOISE_MEAN, TRUE), ==, 81);
  g_assert_cmpfloat (esk_noise_divisor (ESK_NOISE_MEAN, FALSE), ==, 1);
  g_assert_cmpfloat (esk_noise_divisor (ESK_NOISE_MEDIAN, TRUE), ==, 1);
  g_assert_cmpfloat (esk_noise_divisor (ESK_NOISE_RIGHT, TRUE), ==, 2);
}

/* --- errors of a reduction ------------------------------------------------------------------------------------ */

static void
check_error (EskStream          *stream,
             const Scene        *scene,
             const EskSelection *selection,
             const uint8_t      *valid,
             size_t              m,
             gboolean            scaled)
{
  Source source = { scene, selection };
  Reference reference = { value_of, &source, scene->tile.width, selection->n_bands, valid };
  size_t n = selection->n_bands, n_pixels = scene->n_pixels;
  g_autofree float *f = g_new (float, m * n), *g = g_new (float, m * n);
  g_autofree double *mean = g_new0 (double, n), *scale = g_new (double, n), *offset = g_new (double, n);
  g_autofree double *error = g_new (double, n), *errors = g_new0 (double, n), *squares = g_new0 (double, n);
  g_autofree double *expected = g_new0 (double, 2 * n);
  EskMatrix forward = { m, n, f }, backward = { n, m, g };
  EskErrorSums sums = { n, 7, errors, squares, 0.5, 0.0 };
  float *rmse = test_guarded_new (n_pixels * sizeof (float)), *angle = test_guarded_new (n_pixels * sizeof (float));
  double largest = 0.0, angles = 0.5, magnitude = 0.0, unit, longest = 0.0;
  int64_t count = 7;

  for (size_t k = 0; k < m * n; k++)
    {
      f[k] = (float) sin ((double) (k * k % 1013 + 1));
      g[k % n * m + k / n] = f[k] / (float) n;
    }
  for (size_t b = 0; b < n; b++)
    {
      mean[b] = value_of (&source, 0, b) * 0.9 + 0.01;
      scale[b] = 0.01 + 0.001 * (double) b;
      offset[b] = scaled ? -0.3 : 0.0;
      errors[b] = squares[b] = 1.0;
    }
  g_assert_cmpint (esk_cpu_hotspots ()->cube->project_error (stream, &scene->tile, selection, valid, &forward,
                                                             &backward,
                                                             mean, scaled ? scale : NULL, scaled ? offset : NULL, rmse,
                                                             angle, &sums), ==, ESK_OK);
  /* The unit of errors: float32 of the longest centred pixel. */
  for (size_t p = 0; p < n_pixels; p++)
    {
      double square = 0.0;

      for (size_t b = 0; b < n; b++)
        {
          double x = value_of (&source, p, b) - mean[b];

          square += x * x;
          magnitude = fmax (magnitude, fabs (value_of (&source, p, b)));
        }
      longest = fmax (longest, sqrt (square));
    }
  unit = 2e-6 * (longest + 0.01 * magnitude) * (double) MAX (m, 2) * (scaled ? scale[n - 1] : 1.0);
  for (size_t p = 0; p < n_pixels; p++)
    {
      double mean_square, degrees, length = 0.0, estimated = 0.0;

      if (valid != NULL && !valid[p])
        {
          g_assert_true (isnan (rmse[p]) && isnan (angle[p]));
          continue;
        }
      reference_error (&reference, p, &forward, &backward, mean, scaled ? scale : NULL, scaled ? offset : NULL, error,
                       &mean_square, &degrees);
      for (size_t b = 0; b < n; b++)
        {
          double v = (scaled ? scale[b] : 1.0) * value_of (&source, p, b) + (scaled ? offset[b] : 0.0);

          expected[b] += error[b];
          expected[n + b] += error[b] * error[b];
          length += v * v;
          estimated += (v - error[b]) * (v - error[b]);
        }
      g_assert_cmpfloat_with_epsilon ((double) rmse[p], sqrt (mean_square), unit + 1e-6 * sqrt (mean_square));
      g_assert_cmpfloat_with_epsilon ((double) angle[p], degrees,
                                      1e-4 + 100.0 * unit * sqrt ((double) n)
                                             / (sqrt (MIN (length, estimated)) + 0.01 * unit));
      largest = fmax (largest, mean_square);
      angles += (double) angle[p];
      count++;
    }
  g_assert_cmpint (sums.count, ==, count);
  g_assert_cmpfloat_with_epsilon (sums.angle, angles, 1e-5 * (double) (count + 1));
  g_assert_cmpfloat_with_epsilon (sqrt (sums.largest), sqrt (largest), unit + 1e-6 * sqrt (largest));
  for (size_t b = 0; b < n; b++)
    {
      g_assert_cmpfloat_with_epsilon (errors[b] - 1.0, expected[b], unit * (double) count);
      g_assert_cmpfloat_with_epsilon (squares[b] - 1.0, expected[n + b],
                                      unit * (double) count * (unit + 2.0 * sqrt (expected[n + b])) + 1e-9);
    }
  test_guarded_free (rmse);
  test_guarded_free (angle);
}

static void
test_error (gconstpointer data)
{
  EskStream *stream = test_stream_new (GPOINTER_TO_INT (data));
  const size_t components[] = { 1, 3, 5, 8 };
  guint k = 0;

  for (guint type = 0; type < ESK_N_TYPES; type++)
    for (guint layout = 0; layout < N_LAYOUTS; layout++)
      for (guint s = 0; s < N_TEST_SIZES; s++, k++)
        {
          g_autoptr (Scene) scene = scene_new (type, test_sizes[s].width, test_sizes[s].height, test_sizes[s].bands,
                                               layout, k % 2, 0.9, k);
          g_autofree uint8_t *mask = k % 3 != 0 ? test_make_mask (scene->n_pixels, k % N_MASKS) : NULL;
          g_autofree uint32_t *bands = test_all_bands (test_sizes[s].bands);
          EskSelection selection = { bands, test_sizes[s].bands };

          if (scene->n_pixels * scene->tile.bands > 100000 && layout % 2 == 0)
            continue;
          check_error (stream, scene, &selection, mask, components[k % 4], k % 2);
        }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* A basis that keeps everything leaves nothing; a pixel of zeros has no angle. */
static void
test_error_nothing (gconstpointer data)
{
  EskStream *stream = test_stream_new (GPOINTER_TO_INT (data));
  g_autoptr (Scene) scene = scene_new (ESK_U8, 10, 10, 3, LAYOUT_BIP, FALSE, 0.9, 3);
  const float identity[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  const uint32_t bands[] = { 0, 1, 2 };
  EskSelection selection = { bands, 3 };
  EskMatrix matrix = { 3, 3, identity };
  double errors[3] = { 0 }, squares[3] = { 0 };
  EskErrorSums sums = { 3, 0, errors, squares };
  float rmse[100], angle[100];

  for (guint b = 0; b < 3; b++)
    scene_set (scene, 5, b, 0, 0);
  g_assert_cmpint (esk_cpu_hotspots ()->cube->project_error (stream, &scene->tile, &selection, NULL, &matrix, &matrix,
                                                             NULL, NULL, NULL, rmse, angle, &sums), ==, ESK_OK);
  for (guint p = 0; p < 100; p++)
    {
      g_assert_cmpfloat (rmse[p], ==, 0);
      g_assert_cmpfloat (angle[p], ==, 0);
    }
  g_assert_cmpint (sums.count, ==, 100);
  g_assert_cmpfloat (sums.angle + sums.largest, ==, 0);
  /* Neither planes nor sums. */
  g_assert_cmpint (esk_cpu_hotspots ()->cube->project_error (stream, &scene->tile, &selection, NULL, &matrix, &matrix,
                                                             NULL, NULL, NULL, NULL, NULL, NULL), ==, ESK_OK);
  matrix.columns = 2;
  g_assert_cmpint (esk_cpu_hotspots ()->cube->project_error (stream, &scene->tile, &selection, NULL, &matrix, &matrix,
                                                             NULL,
                                                             NULL, NULL, NULL, NULL, NULL), ==, ESK_ERROR_ARGUMENT);
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

static void
add (const char   *path,
     GTestDataFunc function)
{
  g_autofree char *fast = g_strconcat (path, "/avx2", NULL), *portable = g_strconcat (path, "/portable", NULL);

  g_test_add_data_func (fast, GINT_TO_POINTER (FALSE), function);
  g_test_add_data_func (portable, GINT_TO_POINTER (TRUE), function);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/noise/margins", test_margins);
  add ("/noise/residual", test_residual);
  add ("/noise/residual-quantised", test_residual_quantised);
  add ("/noise/overflow", test_overflow);
  g_test_add_func ("/noise/bad", test_bad);
  add ("/error/planes", test_error);
  add ("/error/nothing", test_error_nothing);

  return g_test_run ();
}
