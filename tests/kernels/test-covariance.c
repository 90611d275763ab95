/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The sums for a covariance against references in 128-bit integers and long doubles that share no code with them: all
 * types, layouts and byte orders, odd sizes, masks, extremes; with every set of inner loops.
 */

#include "test-scene.h"

#include <math.h>
#include <string.h>

typedef struct
{
  size_t     n;
  gint64     count;
  TestWhole *sum, *product;
} WholeSums;

static WholeSums
whole_sums (const Scene        *scene,
            const EskSelection *selection,
            const uint8_t      *valid)
{
  size_t n = selection->n_bands;
  WholeSums sums = { n, 0, g_new0 (TestWhole, n), g_new0 (TestWhole, n * n) };
  g_autofree TestWhole *x = g_new (TestWhole, n);

  for (size_t p = 0; p < scene->n_pixels; p++)
    if (valid[p])
      {
        sums.count++;
        for (size_t b = 0; b < n; b++)
          x[b] = scene_whole_at (scene, selection, p, b);
        for (size_t i = 0; i < n; i++)
          {
            sums.sum[i] += x[i];
            for (size_t j = 0; j <= i; j++)
              sums.product[i * n + j] += x[i] * x[j];
          }
      }

  return sums;
}

static void
whole_sums_clear (WholeSums *sums)
{
  g_free (sums->sum);
  g_free (sums->product);
}

/* Replaces the arrays by ones between sentinels. */
static void
guard_covariance (EskCovariance *covariance,
                  size_t         n,
                  gboolean       exact,
                  const double  *shift)
{
  memset (covariance, 0, sizeof *covariance);
  covariance->n_bands = n;
  covariance->exact = exact;
  if (exact)
    {
      covariance->integer_sum = test_guarded_new (n * sizeof (int64_t));
      covariance->integer_product = test_guarded_new (n * n * sizeof (int64_t));
    }
  else
    {
      covariance->shift = test_guarded_new (n * sizeof (double));
      covariance->sum = test_guarded_new (n * sizeof (double));
      covariance->product = test_guarded_new (n * n * sizeof (double));
      for (size_t b = 0; b < n; b++)
        covariance->shift[b] = shift != NULL ? shift[b] : 0.0;
    }
  esk_covariance_reset (covariance);
}

static void
unguard_covariance (EskCovariance *covariance)
{
  if (covariance->exact)
    {
      test_guarded_free (covariance->integer_sum);
      test_guarded_free (covariance->integer_product);
    }
  else
    {
      test_guarded_free (covariance->shift);
      test_guarded_free (covariance->sum);
      test_guarded_free (covariance->product);
    }
}

static void
assert_whole_sums (const EskCovariance *covariance,
                   const WholeSums     *expected)
{
  size_t n = expected->n;

  g_assert_cmpint (covariance->count, ==, expected->count);
  for (size_t i = 0; i < n; i++)
    {
      g_assert_cmpint (covariance->integer_sum[i], ==, (gint64) expected->sum[i]);
      for (size_t j = 0; j <= i; j++)
        g_assert_cmpint (covariance->integer_product[i * n + j], ==, (gint64) expected->product[i * n + j]);
      for (size_t j = i + 1; j < n; j++)
        g_assert_cmpint (covariance->integer_product[i * n + j], ==, 0);
    }
}

/* --- covariance ----------------------------------------------------------------------------------------------- */

static void
check_exact (EskStream          *stream,
             const Scene        *scene,
             const EskSelection *selection,
             const uint8_t      *valid)
{
  WholeSums expected = whole_sums (scene, selection, valid);
  EskCovariance covariance;

  guard_covariance (&covariance, selection->n_bands, TRUE, NULL);
  g_assert_cmpint (esk_cpu_hotspots ()->cube->covariance_sums (stream, &scene->tile, selection, valid, &covariance), ==,
                   ESK_OK);
  assert_whole_sums (&covariance, &expected);
  unguard_covariance (&covariance);
  whole_sums_clear (&expected);
}

static void
test_covariance_exact (gconstpointer data)
{
  const EskType types[] = { ESK_U8, ESK_I8, ESK_U16, ESK_I16 };
  EskStream *stream = test_stream_new (GPOINTER_TO_INT (data));

  for (size_t t = 0; t < G_N_ELEMENTS (types); t++)
    for (size_t s = 0; s < N_TEST_SIZES; s++)
      for (guint layout = 0; layout < N_LAYOUTS; layout++)
        for (guint variant = 0; variant < 4; variant++)
          {
            TestSize size = test_sizes[s];
            g_autoptr (Scene) scene = NULL;
            g_autofree uint32_t *bands = test_all_bands (size.bands);
            g_autofree uint8_t *valid = test_make_mask (size.width * size.height, (layout + variant) % N_MASKS);
            EskSelection selection = { bands, size.bands };

            /* The large one takes its turn through the combinations. */
            if (size.width > 200 && (layout + variant + t) % 4 != 0)
              continue;
            scene = scene_new (types[t], size.width, size.height, size.bands, layout, variant & 1,
                               variant & 2 ? 1.0 : 0.1, (guint32) (s + 7 * t));
            check_exact (stream, scene, &selection, valid);
          }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

static void
test_covariance_masks (gconstpointer data)
{
  EskStream *stream = test_stream_new (GPOINTER_TO_INT (data));

  for (guint layout = 0; layout < N_LAYOUTS; layout++)
    for (guint kind = 0; kind < N_MASKS; kind++)
      {
        g_autoptr (Scene) scene = scene_new (ESK_I16, 71, 67, 12, layout, layout & 1, 0.2, kind);
        g_autofree uint8_t *valid = test_make_mask (scene->n_pixels, kind);
        /* Some bands are bad: the ones that remain are beside each other, and alone. */
        const uint32_t bands[] = { 0, 2, 3, 4, 5, 6, 7, 8, 11 };
        EskSelection selection = { bands, G_N_ELEMENTS (bands) };

        check_exact (stream, scene, &selection, valid);
      }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* Every corner of 16 bits: the products of a panel are as large as they can be, of either sign. */
static void
test_covariance_extremes (gconstpointer data)
{
  EskStream *stream = test_stream_new (GPOINTER_TO_INT (data));
  const EskType types[] = { ESK_U8, ESK_I8, ESK_U16, ESK_I16 };
  const size_t n = 5;

  for (size_t t = 0; t < G_N_ELEMENTS (types); t++)
    for (guint pattern = 0; pattern < 9; pattern++)
      {
        g_autoptr (Scene) scene = scene_new (types[t], 64, 67, n, LAYOUT_BSQ, FALSE, 1.0, pattern);
        g_autofree uint32_t *bands = test_all_bands (n);
        g_autofree uint8_t *valid = test_make_mask (scene->n_pixels, 0);
        EskSelection selection = { bands, n };
        size_t bits = 8 * esk_type_size (types[t]);
        gboolean is_signed = types[t] == ESK_I8 || types[t] == ESK_I16;
        TestWhole low = is_signed ? -((TestWhole) 1 << (bits - 1)) : 0;
        TestWhole high = low + ((TestWhole) 1 << bits) - 1;

        for (size_t p = 0; p < scene->n_pixels; p++)
          for (size_t b = 0; b < n; b++)
            {
              TestWhole x;

              switch (pattern)
                {
                case 0: x = high; break;
                case 1: x = low; break;
                case 2: x = p & 1 ? high : low; break;
                case 3: x = (p + b) & 1 ? high : low; break;
                /* Constant for most of the panels, then everything at once. */
                case 4: x = p < 4000 ? high : p == 4001 ? low : high - 1; break;
                case 5: x = p < 2000 ? low + (TestWhole) (p % 3) : high - (TestWhole) (p % 3); break;
                case 6: x = p == 17 ? low : high; break;
                /* Neighbours both at the lower end: the one sum of two products that reaches 2^31. */
                case 7: x = p == 17 ? high : low; break;
                default: x = p % 4 < 2 ? low : high; break;
                }
              scene_set (scene, p, b, (double) x, x);
            }
        check_exact (stream, scene, &selection, valid);
      }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* The magnitudes at which the number of products that fit an int32 changes. */
static void
test_covariance_magnitudes (gconstpointer data)
{
  EskStream *stream = test_stream_new (GPOINTER_TO_INT (data));
  g_autofree uint32_t *bands = test_all_bands (4);
  EskSelection selection = { bands, 4 };

  for (guint half = 1; half <= 32768; half = half < 8 ? half + 1 : half * 5 / 4)
    for (guint around = 0; around < 3; around++)
      {
        g_autoptr (Scene) scene = scene_new (ESK_U16, 1100, 1, 4, LAYOUT_BSQ, FALSE, 1.0, 1);
        g_autofree uint8_t *valid = test_make_mask (scene->n_pixels, 0);
        TestWhole range = 2 * (TestWhole) half - 1 + (TestWhole) around;

        range = MIN (range, 65535);
        for (size_t p = 0; p < scene->n_pixels; p++)
          for (size_t b = 0; b < 4; b++)
            {
              TestWhole x = (65535 - range) / 2 + (b == 3 ? (p % 5 == 0 ? range : 0) : p % 2 == b % 2 ? range : 0);

              scene_set (scene, p, b, (double) x, x);
            }
        check_exact (stream, scene, &selection, valid);
      }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/*
 * Samples that need all of their 16 bits, long enough for every vector of a panel: constant pairs at either end of what
 * the halves of a sample leave out, with both ends of the range once, so that nothing is subtracted; and noise.
 */
static void
test_covariance_halves (gconstpointer data)
{
  static const int ends[] = { 32767, 32766, 32512, 32511, 32256, 32255, 0, -1, -32257, -32256, -32512, -32513, -32768 };
  EskStream *stream = test_stream_new (GPOINTER_TO_INT (data));
  const size_t n = G_N_ELEMENTS (ends) + 5;
  g_autoptr (Scene) scene = scene_new (ESK_I16, 4231, 1, n, LAYOUT_BSQ, FALSE, 1.0, 8);
  g_autofree uint32_t *bands = test_all_bands (n);
  g_autofree uint8_t *valid = test_make_mask (scene->n_pixels, 0);
  EskSelection selection = { bands, n };

  for (guint pattern = 0; pattern < 3; pattern++)
    {
      for (size_t p = 0; p < scene->n_pixels; p++)
        for (size_t b = 0; b < G_N_ELEMENTS (ends); b++)
          {
            TestWhole x = ends[b];

            if (pattern == 1 && p % 2 == 1)
              x = ends[G_N_ELEMENTS (ends) - 1 - b];
            if (pattern == 2)
              x = ends[(b + p / 3) % G_N_ELEMENTS (ends)];
            if (p % 512 == b)
              x = INT16_MIN;
            if (p % 512 == b + 100)
              x = INT16_MAX;
            scene_set (scene, p, b, (double) x, x);
          }
      check_exact (stream, scene, &selection, valid);
    }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* More bands than stay in a cache together: groups of them, of which the last one is not full. */
static void
test_covariance_many_bands (gconstpointer data)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  EskStream *streams[2] = { test_stream_new (GPOINTER_TO_INT (data)), test_stream_new (TEST_PORTABLE) };
  const EskType types[] = { ESK_I16, ESK_U16, ESK_F32, ESK_F64 };
  const size_t n = 613;
  g_autofree uint32_t *bands = test_all_bands (n);
  g_autofree double *shift = g_new0 (double, n);
  EskSelection selection = { bands, n };

  for (size_t t = 0; t < G_N_ELEMENTS (types); t++)
    {
      g_autoptr (Scene) scene = scene_new (types[t], 151, 3, n, LAYOUT_BIL, FALSE, t == 0 ? 0.1 : 1.0, 17);
      gboolean exact = esk_type_is_exact (types[t]);
      EskCovariance sums[2];

      for (size_t k = 0; k < 2; k++)
        {
          guard_covariance (&sums[k], n, exact, exact ? NULL : shift);
          g_assert_cmpint (cpu->cube->covariance_sums (streams[k], &scene->tile, &selection, NULL, &sums[k]), ==,
                           ESK_OK);
        }
      if (exact)
        g_assert_cmpmem (sums[0].integer_product, n * n * 8, sums[1].integer_product, n * n * 8);
      else
        for (size_t i = 0; i < n; i++)
          for (size_t j = 0; j <= i; j++)
            g_assert_true (fabs (sums[0].product[i * n + j] - sums[1].product[i * n + j])
                           <= (types[t] == ESK_F32 ? 1e-5 : 1e-13)
                              * sqrt (sums[1].product[i * n + i] * sums[1].product[j * n + j]));
      for (size_t k = 0; k < 2; k++)
        unguard_covariance (&sums[k]);
    }
  for (size_t k = 0; k < 2; k++)
    cpu->stream->stream_free (streams[k]);
}

/* The size of real scenes' spectra, once: 64-bit totals of the test's own. */
static void
test_covariance_224_bands (gconstpointer data)
{
  EskStream *stream = test_stream_new (GPOINTER_TO_INT (data));
  const size_t n = 224;
  g_autoptr (Scene) scene = scene_new (ESK_I16, 257, 31, n, LAYOUT_BIP, TRUE, 0.3, 99);
  g_autofree uint32_t *bands = test_all_bands (n);
  g_autofree uint8_t *valid = test_make_mask (scene->n_pixels, 1);
  EskSelection selection = { bands, n };
  g_autofree gint64 *product = g_new0 (gint64, n * n);
  EskCovariance covariance;

  for (size_t p = 0; p < scene->n_pixels; p++)
    if (valid[p])
      for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
          product[i * n + j] += (gint64) scene->whole[p * n + i] * (gint64) scene->whole[p * n + j];

  guard_covariance (&covariance, n, TRUE, NULL);
  g_assert_cmpint (esk_cpu_hotspots ()->cube->covariance_sums (stream, &scene->tile, &selection, valid, &covariance),
                   ==, ESK_OK);
  g_assert_cmpmem (covariance.integer_product, n * n * sizeof (int64_t), product, n * n * sizeof (int64_t));
  unguard_covariance (&covariance);
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* Whatever the tiles and the order in which their sums are merged: the same bits. */
static void
test_covariance_tiles (void)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  const size_t n = 20;
  const size_t tile_sizes[][2] = { { 130, 90 }, { 130, 1 }, { 7, 90 }, { 33, 29 }, { 1, 13 } };
  EskStream *streams[N_TEST_LOOPS] = { test_stream_new (TEST_NATIVE), test_stream_new (TEST_PORTABLE),
                                       test_stream_new (TEST_AVX2) };
  g_autoptr (Scene) scene = scene_new (ESK_U16, 130, 90, n, LAYOUT_BIL, FALSE, 1.0, 5);
  g_autofree uint32_t *bands = test_all_bands (n);
  g_autofree uint8_t *valid = test_make_mask (scene->n_pixels, 1);
  EskSelection selection = { bands, n };
  EskCovariance first;

  for (size_t t = 0; t < G_N_ELEMENTS (tile_sizes); t++)
    {
      size_t width = tile_sizes[t][0], height = tile_sizes[t][1];
      EskCovariance total, parts[3];

      g_assert_cmpint (esk_covariance_init (&total, n, TRUE, NULL), ==, ESK_OK);
      for (size_t k = 0; k < 3; k++)
        g_assert_cmpint (esk_covariance_init (&parts[k], n, TRUE, NULL), ==, ESK_OK);
      for (size_t y = 0, k = t; y < 90; y += height)
        for (size_t x = 0; x < 130; x += width, k += 2)
          {
            EskTile tile = scene_window (scene, x, y, MIN (width, 130 - x), MIN (height, 90 - y));
            g_autofree uint8_t *part = g_new (uint8_t, tile.width * tile.height);

            for (size_t row = 0; row < tile.height; row++)
              memcpy (part + row * tile.width, valid + (y + row) * 130 + x, tile.width);
            g_assert_cmpint (cpu->cube->covariance_sums (streams[k % N_TEST_LOOPS], &tile, &selection, part,
                                                         &parts[k % 3]), ==, ESK_OK);
          }
      for (size_t k = 0; k < 3; k++)
        g_assert_cmpint (esk_covariance_merge (&total, &parts[(k + t) % 3]), ==, ESK_OK);
      for (size_t k = 0; k < 3; k++)
        esk_covariance_clear (&parts[k]);

      if (t == 0)
        {
          first = total;
          continue;
        }
      g_assert_cmpint (total.count, ==, first.count);
      g_assert_cmpmem (total.integer_sum, n * 8, first.integer_sum, n * 8);
      g_assert_cmpmem (total.integer_product, n * n * 8, first.integer_product, n * n * 8);
      esk_covariance_clear (&total);
    }
  esk_covariance_clear (&first);
  for (size_t k = 0; k < N_TEST_LOOPS; k++)
    cpu->stream->stream_free (streams[k]);
}

static void
check_float (EskStream          *stream,
             const Scene        *scene,
             const EskSelection *selection,
             const uint8_t      *valid,
             double              tolerance)
{
  size_t n = selection->n_bands;
  g_autofree double *shift = g_new0 (double, n);
  g_autofree long double *sum = g_new0 (long double, n);
  g_autofree long double *product = g_new0 (long double, n * n);
  EskCovariance covariance;
  gint64 count = 0;

  for (size_t p = 0; p < scene->n_pixels; p++)
    if (valid[p])
      {
        count++;
        for (size_t b = 0; b < n; b++)
          shift[b] += scene_value_at (scene, selection, p, b);
      }
  for (size_t b = 0; b < n; b++)
    shift[b] = count > 0 ? shift[b] / (double) count * 1.01 : 3.0;
  for (size_t p = 0; p < scene->n_pixels; p++)
    if (valid[p])
      for (size_t i = 0; i < n; i++)
        {
          long double x = (long double) scene_value_at (scene, selection, p, i) - shift[i];

          sum[i] += x;
          for (size_t j = 0; j <= i; j++)
            product[i * n + j] += x * ((long double) scene_value_at (scene, selection, p, j) - shift[j]);
        }

  guard_covariance (&covariance, n, FALSE, shift);
  g_assert_cmpint (esk_cpu_hotspots ()->cube->covariance_sums (stream, &scene->tile, selection, valid, &covariance), ==,
                   ESK_OK);
  g_assert_cmpint (covariance.count, ==, count);
  for (size_t i = 0; i < n; i++)
    {
      long double scale_i = product[i * n + i];

      g_assert_true (fabsl (covariance.sum[i] - sum[i])
                     <= tolerance * sqrtl (scale_i * (long double) MAX (count, 1)));
      for (size_t j = 0; j <= i; j++)
        g_assert_true (fabsl (covariance.product[i * n + j] - product[i * n + j])
                       <= tolerance * sqrtl (scale_i * product[j * n + j]));
      for (size_t j = i + 1; j < n; j++)
        g_assert_cmpfloat (covariance.product[i * n + j], ==, 0.0);
    }
  unguard_covariance (&covariance);
}

static void
test_covariance_float (gconstpointer data)
{
  /* The portable loops leave the adding to the BLAS: up to 256 products one after the other in float32. */
  const double single_tolerance = GPOINTER_TO_INT (data) == TEST_PORTABLE ? 1e-5 : 1e-6;
  EskStream *stream = test_stream_new (GPOINTER_TO_INT (data));

  for (guint type = 0; type < ESK_N_TYPES; type++)
    for (size_t s = 0; s < N_TEST_SIZES; s++)
      for (guint layout = 0; layout < N_LAYOUTS; layout++)
        {
          TestSize size = test_sizes[s];
          guint swapped = (layout + (guint) s) & 1;
          g_autoptr (Scene) scene = NULL;
          g_autofree uint32_t *bands = test_all_bands (size.bands);
          g_autofree uint8_t *valid = test_make_mask (size.width * size.height, (layout + swapped) % N_MASKS);
          EskSelection selection = { bands, size.bands };
          gboolean single = type == ESK_F32 || esk_type_is_exact (type);

          if (size.width > 200 && (layout + type) % 3 != 0)
            continue;
          scene = scene_new (type, size.width, size.height, size.bands, layout, swapped, 0.5,
                             (guint32) (3 * s + type));
          check_float (stream, scene, &selection, valid, single ? single_tolerance : 1e-13);
        }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* Samples of pixels that do not count never reach a sum, whatever they are. */
static void
test_covariance_leak (gconstpointer data)
{
  EskStream *stream = test_stream_new (GPOINTER_TO_INT (data));
  const double bad[] = { NAN, INFINITY, -INFINITY, 3e38 };

  for (guint layout = 0; layout < N_LAYOUTS; layout++)
    for (guint type = ESK_F32; type <= ESK_F64; type++)
      {
        g_autoptr (Scene) scene = scene_new (type, 37, 29, 7, layout, FALSE, 0.5, layout);
        g_autofree uint32_t *bands = test_all_bands (7);
        g_autofree uint8_t *valid = test_make_mask (scene->n_pixels, 1);
        EskSelection selection = { bands, 7 };

        for (size_t p = 0; p < scene->n_pixels; p++)
          if (!valid[p])
            scene_set (scene, p, p % 7, bad[p % 4], 0);
        check_float (stream, scene, &selection, valid, 1e-5);
      }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* A cloud far from zero: the shift is what keeps float32 from losing its variance. Covariances do not depend on it. */
static void
test_covariance_shift (gconstpointer data)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  EskStream *stream = test_stream_new (GPOINTER_TO_INT (data));
  g_autoptr (Scene) scene = scene_new (ESK_F32, 200, 100, 3, LAYOUT_BSQ, FALSE, 0.5, 4);
  g_autofree uint32_t *bands = test_all_bands (3);
  g_autofree uint8_t *valid = test_make_mask (scene->n_pixels, 0);
  EskSelection selection = { bands, 3 };
  const double shifts[][3] = { { 20000.0, 20000.0, 20000.0 }, { 20001.5, 19999.0, 20000.25 } };
  double matrices[2][9], mean[2][3], reference[9] = { 0 }, centre[3] = { 0 };

  for (size_t p = 0; p < scene->n_pixels; p++)
    for (size_t b = 0; b < 3; b++)
      {
        scene_set (scene, p, b, 20000.0 + sin ((double) (p * (b + 1))) * 6.0, 0);
        centre[b] += scene->value[p * 3 + b] / (double) scene->n_pixels;
      }
  for (size_t p = 0; p < scene->n_pixels; p++)
    for (size_t k = 0; k < 9; k++)
      reference[k] += (scene->value[p * 3 + k / 3] - centre[k / 3]) * (scene->value[p * 3 + k % 3] - centre[k % 3])
                      / (double) (scene->n_pixels - 1);

  for (size_t s = 0; s < 2; s++)
    {
      EskCovariance covariance;

      g_assert_cmpint (esk_covariance_init (&covariance, 3, FALSE, shifts[s]), ==, ESK_OK);
      g_assert_cmpint (cpu->cube->covariance_sums (stream, &scene->tile, &selection, valid, &covariance), ==, ESK_OK);
      g_assert_cmpint (esk_covariance_finish (&covariance, mean[s], matrices[s]), ==, ESK_OK);
      esk_covariance_clear (&covariance);
      for (size_t k = 0; k < 9; k++)
        g_assert_cmpfloat_with_epsilon (matrices[s][k], reference[k], 1e-5);
      for (size_t b = 0; b < 3; b++)
        g_assert_cmpfloat_with_epsilon (mean[s][b], centre[b], 1e-6);
    }
  cpu->stream->stream_free (stream);
}

static void
test_covariance_quantised (gconstpointer data)
{
  EskStream *stream = test_stream_new (GPOINTER_TO_INT (data));
  const size_t n = 9;

  for (guint type = 0; type < ESK_N_TYPES; type++)
    for (guint layout = 0; layout < N_LAYOUTS; layout++)
      for (guint variant = 0; variant < 3; variant++)
        {
          g_autoptr (Scene) scene = scene_new (type, 61, 43, n, layout, variant & 1, 1.0, type + 10 * variant);
          g_autofree uint32_t *bands = test_all_bands (n);
          g_autofree uint8_t *valid = test_make_mask (scene->n_pixels, variant);
          double minimum[9], maximum[9];
          EskSelection selection = { bands, n, NULL, minimum, maximum };

          for (size_t b = 0; b < n; b++)
            {
              minimum[b] = INFINITY;
              maximum[b] = -INFINITY;
              for (size_t p = 0; p < scene->n_pixels; p++)
                {
                  minimum[b] = fmin (minimum[b], scene->value[p * n + b]);
                  maximum[b] = fmax (maximum[b], scene->value[p * n + b]);
                }
            }
          /* A range that some samples are outside of, one of a single value, one upside down. */
          if (variant == 2)
            {
              double width = maximum[0] - minimum[0];

              minimum[0] = trunc (minimum[0] + width / 7.0);
              maximum[0] = trunc (maximum[0] - width / 5.0);
              maximum[1] = minimum[1];
              maximum[2] = minimum[2] - 10.0;
              minimum[3] = maximum[3] - (test_type_is_float (type) ? 0.125 : 1.0);
            }
          check_exact (stream, scene, &selection, valid);
          if (variant == 0)
            check_float (stream, scene, &selection, valid, 1e-5);
        }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

static void
test_sums_container (void)
{
  const double shift[2] = { 10.0, 20.0 }, other[2] = { 10.0, 20.5 };
  EskCovariance a, b;
  double mean[2], matrix[4];

  /* Large and close to each other: two billion pixels, one apart. In float64 sums the variance would be lost. */
  g_assert_cmpint (esk_covariance_init (&a, 2, TRUE, NULL), ==, ESK_OK);
  g_assert_cmpint (esk_covariance_finish (&a, mean, matrix), ==, ESK_ERROR_ARGUMENT);
  a.count = 2000000000;
  a.integer_sum[0] = 65535 * (a.count / 2) + 65534 * (a.count / 2);
  a.integer_product[0] = (int64_t) 65535 * 65535 * (a.count / 2) + (int64_t) 65534 * 65534 * (a.count / 2);
  g_assert_cmpint (esk_covariance_finish (&a, mean, matrix), ==, ESK_OK);
  g_assert_cmpfloat_with_epsilon (mean[0], 65534.5, 1e-11);
  g_assert_cmpfloat_with_epsilon (matrix[0], 0.25 * 2e9 / (2e9 - 1), 1e-16);
  g_assert_cmpfloat (matrix[1], ==, matrix[2]);

  /* Twice that would not fit 64 bits, and says so instead. */
  g_assert_cmpint (esk_covariance_init (&b, 2, TRUE, NULL), ==, ESK_OK);
  g_assert_cmpint (esk_covariance_merge (&b, &a), ==, ESK_OK);
  g_assert_cmpint (b.count, ==, a.count);
  g_assert_cmpint (esk_covariance_merge (&b, &a), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (b.count, ==, a.count);
  g_assert_cmpint (b.integer_sum[0], ==, a.integer_sum[0]);
  esk_covariance_reset (&b);
  g_assert_cmpint (b.count, ==, 0);
  g_assert_cmpint (b.integer_product[0], ==, 0);
  esk_covariance_clear (&b);
  g_assert_null (b.integer_sum);

  /* Not the same kind, size or shift. */
  g_assert_cmpint (esk_covariance_init (&b, 2, FALSE, shift), ==, ESK_OK);
  g_assert_cmpint (esk_covariance_merge (&a, &b), ==, ESK_ERROR_ARGUMENT);
  esk_covariance_clear (&a);
  g_assert_cmpint (esk_covariance_init (&a, 2, FALSE, other), ==, ESK_OK);
  g_assert_cmpint (esk_covariance_merge (&a, &b), ==, ESK_ERROR_ARGUMENT);
  esk_covariance_clear (&a);
  g_assert_cmpint (esk_covariance_init (&a, 3, FALSE, NULL), ==, ESK_OK);
  g_assert_cmpint (esk_covariance_merge (&a, &b), ==, ESK_ERROR_ARGUMENT);
  esk_covariance_clear (&a);

  /* Three pixels (11, 22), (12, 18), (16, 20) by hand. */
  g_assert_cmpint (esk_covariance_init (&a, 2, FALSE, shift), ==, ESK_OK);
  a.count = 2;
  a.sum[0] = 3, a.sum[1] = 0;
  a.product[0] = 5, a.product[2] = -2, a.product[3] = 8;
  b.count = 1;
  b.sum[0] = 6, b.sum[1] = 0;
  b.product[0] = 36, b.product[2] = 0, b.product[3] = 0;
  g_assert_cmpint (esk_covariance_merge (&a, &b), ==, ESK_OK);
  g_assert_cmpint (esk_covariance_finish (&a, mean, matrix), ==, ESK_OK);
  g_assert_cmpfloat (mean[0], ==, 13.0);
  g_assert_cmpfloat (mean[1], ==, 20.0);
  g_assert_cmpfloat (matrix[0], ==, 7.0);
  g_assert_cmpfloat (matrix[1], ==, -1.0);
  g_assert_cmpfloat (matrix[2], ==, -1.0);
  g_assert_cmpfloat (matrix[3], ==, 4.0);
  esk_covariance_clear (&a);
  esk_covariance_clear (&b);

  g_assert_cmpint (esk_covariance_init (&a, 0, TRUE, NULL), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (esk_covariance_init (&a, SIZE_MAX / 2, TRUE, NULL), ==, ESK_ERROR_MEMORY);
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
    { "covariance/exact", test_covariance_exact },
    { "covariance/masks", test_covariance_masks },
    { "covariance/extremes", test_covariance_extremes },
    { "covariance/magnitudes", test_covariance_magnitudes },
    { "covariance/halves", test_covariance_halves },
    { "covariance/many-bands", test_covariance_many_bands },
    { "covariance/224-bands", test_covariance_224_bands },
    { "covariance/float", test_covariance_float },
    { "covariance/leak", test_covariance_leak },
    { "covariance/shift", test_covariance_shift },
    { "covariance/quantised", test_covariance_quantised },
  };

  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("ES_CPU_PORTABLE");

  for (size_t t = 0; t < G_N_ELEMENTS (tests); t++)
    for (int loops = 0; loops < N_TEST_LOOPS; loops++)
      {
        g_autofree char *path = g_strdup_printf ("/kernels/%s/%s", test_loops_names[loops], tests[t].name);

        g_test_add_data_func (path, GINT_TO_POINTER (loops), tests[t].run);
      }
  g_test_add_func ("/kernels/covariance/tiles", test_covariance_tiles);
  g_test_add_func ("/kernels/sums", test_sums_container);

  return g_test_run ();
}
