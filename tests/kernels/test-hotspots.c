/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Hot spots of the CPU that no other test is for, against references that share no code with them: all types, layouts
 * and byte orders, odd sizes, masks, missing samples, extremes; with both sets of inner loops.
 */

#include "test-scene.h"

#include <math.h>
#include <string.h>

/* Every 16-bit sample over ranges where the quotient comes as close to a whole number as it can. */
static void
test_quantise_16 (gconstpointer data)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  EskStream *stream = test_stream_new (GPOINTER_TO_INT (data));
  g_autoptr (Scene) scene = scene_new (ESK_I16, 65536, 1, 1, LAYOUT_BSQ, FALSE, 0.0, 0);
  const double ranges[][2] = { { -32768, 32767 }, { -32768, 32766 }, { 0, 65521 }, { -20000, 20011 }, { 5, 6 },
                               { -255, 0 }, { 0, 256 }, { -32767, 32767 }, { -1e6, 1e6 }, { -100000, -50000 },
                               { 0, 254 }, { -60000, -1 } };
  const uint32_t band = 0;

  for (size_t p = 0; p < 65536; p++)
    scene_set (scene, p, 0, (double) p - 32768.0, (TestWhole) p - 32768);
  for (size_t r = 0; r < G_N_ELEMENTS (ranges); r++)
    {
      EskSelection selection = { &band, 1, NULL, &ranges[r][0], &ranges[r][1] };
      const float one = 1.0f;
      EskMatrix basis = { 1, 1, &one };
      g_autofree float *out = g_new (float, 65536);

      /* The projection on one band shows each sample. */
      g_assert_cmpint (cpu->cube->project (stream, &scene->tile, &selection, NULL, &basis, NULL, out, 65536), ==,
                       ESK_OK);
      for (size_t p = 0; p < 65536; p++)
        g_assert_cmpint ((int) out[p], ==,
                         scene_quantise_reference (ESK_I16, (double) p - 32768.0, (TestWhole) p - 32768,
                                                   ranges[r][0], ranges[r][1]));
    }
  cpu->stream->stream_free (stream);
}

/* Both sets of inner loops see the same numbers in 64-bit samples that a double cannot tell apart. */
static void
test_quantise_64 (gconstpointer data)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  EskStream *stream = test_stream_new (GPOINTER_TO_INT (data));
  const EskType types[] = { ESK_U64, ESK_I64 };

  for (size_t t = 0; t < 2; t++)
    {
      g_autoptr (Scene) scene = scene_new (types[t], 600, 1, 1, LAYOUT_BSQ, FALSE, 0.0, 0);
      TestWhole low = t == 0 ? 0 : INT64_MIN;
      TestWhole distance = (TestWhole) 1 << 63;
      double minimum = (double) low, maximum = (double) (low + distance);
      const uint32_t band = 0;
      const float one = 1.0f;
      EskMatrix basis = { 1, 1, &one };
      EskSelection selection = { &band, 1, NULL, &minimum, &maximum };
      float out[600];

      /* Around each step: the last sample below it, and the first on it. */
      for (size_t p = 0; p < 600; p++)
        {
          TestWhole step = (TestWhole) (p / 2 % 256);
          TestWhole x = low + (step * distance + 254) / 255 - (TestWhole) (p % 2 == 0 && step > 0);

          scene_set (scene, p, 0, (double) x, x);
        }
      g_assert_cmpint (cpu->cube->project (stream, &scene->tile, &selection, NULL, &basis, NULL, out, 600), ==, ESK_OK);
      for (size_t p = 0; p < 600; p++)
        g_assert_cmpint ((int) out[p], ==,
                         scene_quantise_reference (types[t], scene->value[p], scene->whole[p], minimum,
                                                   maximum));
    }
  cpu->stream->stream_free (stream);
}

/* --- the other hot spots -------------------------------------------------------------------------------------- */

static void
test_valid_pixels (gconstpointer data)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  EskStream *stream = test_stream_new (GPOINTER_TO_INT (data));

  for (guint type = 0; type < ESK_N_TYPES; type++)
    for (guint layout = 0; layout < N_LAYOUTS; layout++)
      for (guint kind = 0; kind < N_MASKS; kind++)
        {
          g_autoptr (Scene) scene = scene_new (type, 53, 47, 6, layout, kind & 1, 0.5, kind);
          g_autofree uint8_t *mask = test_make_mask (scene->n_pixels, kind);
          uint8_t *valid = test_guarded_new (scene->n_pixels);
          const uint32_t bands[] = { 0, 1, 3, 4, 5 };
          double no_data[5] = { NAN, scene->value[6 * 10 + 1], NAN, 0.25, 1e30 };
          EskSelection selection = { bands, 5, no_data };
          size_t n_valid, expected = 0;

          if (test_type_is_float (type))
            {
              scene_set (scene, 3, 0, NAN, 0);
              scene_set (scene, 77, 3, INFINITY, 0);
              scene_set (scene, 500, 5, -INFINITY, 0);
              scene_set (scene, 600, 2, NAN, 0);             /* not a band that is used */
              scene_set (scene, 700, 5, 1e30, 0);
              scene_set (scene, 800, 4, 0.25, 0);
              /* As written by a program that took float32 for float64, and the other way round. */
              if (type == ESK_F32)
                no_data[1] = (double) (float) no_data[1] * (1.0 + 1e-9);
            }
          for (size_t p = 0; p < scene->n_pixels; p++)
            {
              gboolean ok = mask[p] != 0;

              for (size_t b = 0; b < 5; b++)
                {
                  double x = scene->value[p * 6 + bands[b]];
                  double missing = type == ESK_F32 ? (double) (float) no_data[b] : no_data[b];

                  ok = ok && isfinite (x) && x != missing;
                }
              /* What is valid on entry need not be 1. */
              valid[p] = mask[p] != 0 ? (uint8_t) (1 + p % 255) : 0;
              mask[p] = ok;
              expected += ok;
            }

          g_assert_cmpint (cpu->cube->valid_pixels (stream, &scene->tile, &selection, valid, &n_valid), ==, ESK_OK);
          g_assert_cmpuint (n_valid, ==, expected);
          g_assert_cmpmem (valid, scene->n_pixels, mask, scene->n_pixels);
          if (kind == 0)
            g_assert_cmpuint (expected, <, scene->n_pixels);
          test_guarded_free (valid);
        }
  cpu->stream->stream_free (stream);
}

/* Neighbours of a 64-bit no-data value that are the same double are still data. */
static void
test_valid_64 (void)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  EskStream *stream = test_stream_new (FALSE);
  g_autoptr (Scene) scene = scene_new (ESK_I64, 4, 1, 1, LAYOUT_BSQ, FALSE, 0.5, 1);
  const TestWhole samples[] = { INT64_MIN, INT64_MIN + 1, INT64_MAX, 0 };
  const uint32_t band = 0;
  double no_data = (double) INT64_MIN;
  EskSelection selection = { &band, 1, &no_data };
  uint8_t valid[4] = { 1, 1, 1, 1 };
  size_t n_valid;

  for (size_t p = 0; p < 4; p++)
    scene_set (scene, p, 0, (double) samples[p], samples[p]);
  g_assert_cmpint (cpu->cube->valid_pixels (stream, &scene->tile, &selection, valid, &n_valid), ==, ESK_OK);
  g_assert_cmpuint (n_valid, ==, 3);
  g_assert_cmpuint (valid[0], ==, 0);

  /* 2^63 is none of them, though INT64_MAX rounds to it. */
  no_data = 0x1p63;
  memset (valid, 1, 4);
  g_assert_cmpint (cpu->cube->valid_pixels (stream, &scene->tile, &selection, valid, &n_valid), ==, ESK_OK);
  g_assert_cmpuint (n_valid, ==, 4);
  cpu->stream->stream_free (stream);
}

static void
test_ranges_and_sums (gconstpointer data)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  EskStream *stream = test_stream_new (GPOINTER_TO_INT (data));

  for (guint type = 0; type < ESK_N_TYPES; type++)
    for (guint layout = 0; layout < N_LAYOUTS; layout++)
      for (guint kind = 0; kind < N_MASKS; kind++)
        {
          g_autoptr (Scene) scene = scene_new (type, 59, 41, 5, layout, kind & 1, 0.9, kind + 3);
          g_autofree uint8_t *valid = test_make_mask (scene->n_pixels, kind);
          const uint32_t bands[] = { 0, 2, 3, 4 };
          EskSelection selection = { bands, 4 };
          double *minimum = test_guarded_new (4 * sizeof (double)), *maximum = test_guarded_new (4 * sizeof (double));
          double *sum = test_guarded_new (4 * sizeof (double));
          int64_t count = 1000, expected_count = 1000;

          for (size_t b = 0; b < 4; b++)
            {
              minimum[b] = INFINITY;
              maximum[b] = -INFINITY;
              sum[b] = 3.0;
            }
          for (size_t p = 0; p < scene->n_pixels; p++)
            expected_count += valid[p];
          g_assert_cmpint (cpu->cube->band_ranges (stream, &scene->tile, &selection, valid, minimum, maximum), ==,
                           ESK_OK);
          g_assert_cmpint (cpu->cube->band_sums (stream, &scene->tile, &selection, valid, sum, &count), ==, ESK_OK);
          g_assert_cmpint (count, ==, expected_count);
          for (size_t b = 0; b < 4; b++)
            {
              double low = INFINITY, high = -INFINITY;
              long double total = 3.0, magnitude = 3.0;

              for (size_t p = 0; p < scene->n_pixels; p++)
                if (valid[p])
                  {
                    double x = scene->value[p * 5 + bands[b]];

                    low = fmin (low, x);
                    high = fmax (high, x);
                    total += x;
                    magnitude += fabs (x);
                  }
              g_assert_cmpfloat (minimum[b], ==, low);
              g_assert_cmpfloat (maximum[b], ==, high);
              g_assert_true (fabsl (sum[b] - total) <= 1e-13L * magnitude);
            }
          test_guarded_free (minimum);
          test_guarded_free (maximum);
          test_guarded_free (sum);
        }
  cpu->stream->stream_free (stream);
}

/* --- conversions, sums container ------------------------------------------------------------------------------ */

static void
test_convert (void)
{
  for (guint type = 0; type < ESK_N_TYPES; type++)
    for (guint layout = 0; layout < N_LAYOUTS; layout++)
      for (guint swapped = 0; swapped < 2; swapped++)
        {
          size_t width = layout == LAYOUT_BSQ ? 1500 : 23, bands = layout == LAYOUT_BIP ? 1100 : 4;
          g_autoptr (Scene) scene = scene_new (type, width, 3, bands, layout, swapped, 0.7, 8);
          float *out = test_guarded_new (scene->n_pixels * sizeof (float));
          double *pixel = test_guarded_new (bands * sizeof (double));
          double missing = scene->value[5 * bands + 2];

          if (test_type_is_float (type))
            {
              scene_set (scene, 7, 2, NAN, 0);
              scene_set (scene, 8, 2, -INFINITY, 0);
            }
          g_assert_cmpint (esk_convert_band (&scene->tile, 2, missing, 0.01, -3.0, out), ==, ESK_OK);
          for (size_t p = 0; p < scene->n_pixels; p++)
            {
              double x = scene->value[p * bands + 2];

              if (x == missing && type != ESK_U64 && type != ESK_I64)
                g_assert_true (isnan (out[p]));
              else if (!isfinite (x))
                g_assert_true (isnan (out[p]));
              else if (x != missing)
                g_assert_cmpfloat (out[p], ==, (float) (x * 0.01 - 3.0));
            }
          for (size_t p = 0; p < scene->n_pixels; p += 11)
            {
              g_assert_cmpint (esk_convert_pixel (&scene->tile, p % width, p / width, pixel), ==, ESK_OK);
              g_assert_cmpmem (pixel, bands * sizeof (double), scene->value + p * bands, bands * sizeof (double));
            }
          g_assert_cmpint (esk_convert_band (&scene->tile, bands, NAN, 1.0, 0.0, out), ==, ESK_ERROR_ARGUMENT);
          g_assert_cmpint (esk_convert_pixel (&scene->tile, width, 0, pixel), ==, ESK_ERROR_ARGUMENT);
          test_guarded_free (out);
          test_guarded_free (pixel);
        }
}

static void
test_types (void)
{
  const size_t bytes[ESK_N_TYPES] = { 1, 1, 2, 2, 4, 4, 8, 8, 4, 8 };
  const char *names[ESK_N_TYPES] = { "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64",
                                     "float32", "float64" };

  for (guint type = 0; type < ESK_N_TYPES; type++)
    {
      g_assert_cmpuint (esk_type_size (type), ==, bytes[type]);
      g_assert_cmpstr (esk_type_name (type), ==, names[type]);
      g_assert_true (esk_type_is_exact (type) == (type <= ESK_I16));
    }
  g_assert_cmpuint (esk_type_size (ESK_N_TYPES), ==, 0);
  g_assert_cmpuint (esk_type_size ((EskType) -1), ==, 0);
  g_assert_cmpstr (esk_type_name (ESK_N_TYPES), ==, "unknown");
}

/* --- arguments, threads --------------------------------------------------------------------------------------- */

static void
test_arguments (void)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  EskStream *stream = test_stream_new (FALSE);
  g_autoptr (Scene) scene = scene_new (ESK_F32, 4, 4, 3, LAYOUT_BSQ, FALSE, 0.5, 1);
  const uint32_t bands[] = { 0, 1, 2 }, twice[] = { 0, 1, 1 }, beyond[] = { 0, 1, 3 };
  const double limits[] = { 0, 0, 0 };
  const float factors[6] = { 0 };
  float out[64];
  uint8_t valid[16] = { 0 };
  size_t n_valid;
  EskSelection good = { bands, 3 };
  const EskSelection selections[] = {
    { NULL, 3 }, { bands, 0 }, { twice, 3 }, { beyond, 3 }, { bands, 3, NULL, limits, NULL },
    { bands, 3, NULL, NULL, limits },
  };
  const EskMatrix bases[] = { { 0, 3, factors }, { 2, 2, factors }, { 2, 3, NULL } };
  EskMatrix basis = { 2, 3, factors };
  EskCovariance covariance, exact;
  EskTile tile;

  g_assert_cmpuint (cpu->abi, ==, ESK_HOTSPOTS_ABI);
  g_assert_cmpstr (cpu->name, ==, "cpu");
  g_assert_nonnull (cpu->stream->last_error (stream));
  g_assert_cmpint (esk_covariance_init (&covariance, 3, FALSE, NULL), ==, ESK_OK);
  g_assert_cmpint (esk_covariance_init (&exact, 3, TRUE, NULL), ==, ESK_OK);

  for (size_t s = 0; s < G_N_ELEMENTS (selections); s++)
    {
      g_assert_cmpint (cpu->cube->valid_pixels (stream, &scene->tile, &selections[s], valid, &n_valid), ==,
                       ESK_ERROR_ARGUMENT);
      g_assert_cmpint (cpu->cube->covariance_sums (stream, &scene->tile, &selections[s], valid, &covariance), ==,
                       ESK_ERROR_ARGUMENT);
      g_assert_cmpint (cpu->cube->project (stream, &scene->tile, &selections[s], valid, &basis, NULL, out, 16), ==,
                       ESK_ERROR_ARGUMENT);
    }
  for (guint wrong = 0; wrong < 6; wrong++)
    {
      tile = scene->tile;
      if (wrong == 0)
        tile.data = NULL;
      else if (wrong == 1)
        tile.width = 0;
      else if (wrong == 2)
        tile.height = 0;
      else if (wrong == 3)
        tile.width = SIZE_MAX / 2;
      else if (wrong == 4)
        tile.type = ESK_N_TYPES;
      else
        tile.bands = 0;
      g_assert_cmpint (cpu->cube->valid_pixels (stream, &tile, &good, valid, &n_valid), ==, ESK_ERROR_ARGUMENT);
      g_assert_cmpint (cpu->cube->covariance_sums (stream, &tile, &good, valid, &covariance), ==, ESK_ERROR_ARGUMENT);
      g_assert_cmpint (esk_convert_band (&tile, 0, NAN, 1.0, 0.0, out), ==, ESK_ERROR_ARGUMENT);
    }
  for (size_t b = 0; b < G_N_ELEMENTS (bases); b++)
    g_assert_cmpint (cpu->cube->project (stream, &scene->tile, &good, valid, &bases[b], NULL, out, 16), ==,
                     ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->cube->project (stream, &scene->tile, &good, valid, &basis, NULL, out, 15), ==,
                   ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->cube->project (stream, &scene->tile, &good, valid, &basis, NULL, NULL, 16), ==,
                   ESK_ERROR_ARGUMENT);
  /* Exact sums of floats there are not. */
  g_assert_cmpint (cpu->cube->covariance_sums (stream, &scene->tile, &good, valid, &exact), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->cube->covariance_sums (NULL, &scene->tile, &good, valid, &covariance), ==, ESK_ERROR_ARGUMENT);
  good.n_bands = 2;
  g_assert_cmpint (cpu->cube->covariance_sums (stream, &scene->tile, &good, valid, &covariance), ==,
                   ESK_ERROR_ARGUMENT);
  g_assert_cmpint (covariance.count, ==, 0);

  esk_covariance_clear (&covariance);
  esk_covariance_clear (&exact);
  cpu->stream->stream_free (stream);
  cpu->stream->stream_free (NULL);
}

typedef struct
{
  const Scene        *scene;
  const EskSelection *selection;
  const uint8_t      *valid;
  gboolean            portable;
  EskCovariance       covariance;
  float              *out;
} Lane;

static gpointer
run_lane (gpointer data)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  Lane *lane = data;
  EskStream *stream = cpu->stream->stream_new (0);
  size_t n = lane->selection->n_bands;
  g_autofree float *factors = g_new (float, 6 * n);
  EskMatrix basis = { 6, n, factors };

  for (size_t k = 0; k < 6 * n; k++)
    factors[k] = (float) (k % 11) * 0.1f;
  for (guint repeat = 0; repeat < 8; repeat++)
    {
      esk_covariance_reset (&lane->covariance);
      g_assert_cmpint (cpu->cube->covariance_sums (stream, &lane->scene->tile, lane->selection, lane->valid,
                                                   &lane->covariance), ==, ESK_OK);
      g_assert_cmpint (cpu->cube->project (stream, &lane->scene->tile, lane->selection, lane->valid, &basis, NULL,
                                           lane->out, lane->scene->n_pixels), ==, ESK_OK);
    }
  cpu->stream->stream_free (stream);

  return NULL;
}

/* One stream a thread: what one computes is what all compute, to the last bit. */
static void
test_threads (gconstpointer data)
{
  const size_t n = 40, n_lanes = 4;
  const EskType types[] = { ESK_I16, ESK_F32, ESK_F64 };

  if (GPOINTER_TO_INT (data))
    g_setenv ("ES_CPU_PORTABLE", "1", TRUE);
  for (size_t t = 0; t < G_N_ELEMENTS (types); t++)
    {
      g_autoptr (Scene) scene = scene_new (types[t], 150, 40, n, LAYOUT_BIP, FALSE, 0.5, 3);
      g_autofree uint32_t *bands = test_all_bands (n);
      g_autofree uint8_t *valid = test_make_mask (scene->n_pixels, 2);
      EskSelection selection = { bands, n };
      GThread *threads[4];
      Lane lanes[4];

      for (size_t k = 0; k < n_lanes; k++)
        {
          lanes[k] = (Lane) { scene, &selection, valid };
          g_assert_cmpint (esk_covariance_init (&lanes[k].covariance, n, esk_type_is_exact (types[t]), NULL), ==,
                           ESK_OK);
          lanes[k].out = g_new0 (float, 6 * scene->n_pixels);
        }
      for (size_t k = 0; k < n_lanes; k++)
        threads[k] = g_thread_new ("lane", run_lane, &lanes[k]);
      for (size_t k = 0; k < n_lanes; k++)
        g_thread_join (threads[k]);
      for (size_t k = 1; k < n_lanes; k++)
        {
          size_t size = n * n * 8;

          if (esk_type_is_exact (types[t]))
            g_assert_cmpmem (lanes[k].covariance.integer_product, size, lanes[0].covariance.integer_product, size);
          else
            g_assert_cmpmem (lanes[k].covariance.product, size, lanes[0].covariance.product, size);
          g_assert_cmpmem (lanes[k].out, 6 * scene->n_pixels * sizeof (float), lanes[0].out,
                           6 * scene->n_pixels * sizeof (float));
        }
      for (size_t k = 0; k < n_lanes; k++)
        {
          esk_covariance_clear (&lanes[k].covariance);
          g_free (lanes[k].out);
        }
    }
  g_unsetenv ("ES_CPU_PORTABLE");
}

/* ---- cancelling ---- */

typedef struct
{
  int      cancelled;          /* atomic */
  int      begun;              /* atomic */
  gint64   asked;
} Cancelling;

static gpointer
cancel_soon (gpointer data)
{
  Cancelling *self = data;

  while (!g_atomic_int_get (&self->begun))
    g_thread_yield ();
  g_usleep (20000);
  self->asked = g_get_monotonic_time ();
  g_atomic_int_set (&self->cancelled, 1);

  return NULL;
}

/* Every hot spot of cubes says so where nobody wants its work any more, and works again once that is over. */
static void
test_cancelled (gconstpointer data)
{
  g_autoptr (Scene) scene = scene_new (ESK_U16, 40, 30, 12, LAYOUT_BSQ, FALSE, 0.3, 5);
  g_autofree uint32_t *bands = test_all_bands (12);
  EskStream *stream = test_stream_new (GPOINTER_TO_INT (data));
  const EskHotspots *cpu = esk_cpu_hotspots ();
  const double no_data[12] = { 0 };
  EskSelection selection = { .bands = bands, .n_bands = 12, .no_data = no_data };
  g_autofree uint8_t *valid = g_malloc (1200);
  g_autofree float *out = g_new (float, 1200 * 2), *basis = g_new0 (float, 24), *back = g_new0 (float, 24);
  g_autofree int16_t *noise = g_new (int16_t, 1200 * 12);
  const EskMatrix forward = { .rows = 2, .columns = 12, .values = basis };
  const EskMatrix backward = { .rows = 12, .columns = 2, .values = back };
  const EskMargin margin = esk_noise_margin (ESK_NOISE_MEAN);
  const EskTile residual = { .data = noise, .type = ESK_I16, .width = 38, .height = 28, .bands = 12,
                             .column_stride = 1, .row_stride = 38, .band_stride = 38 * 28 };
  double minimum[12], maximum[12], sum[12] = { 0 };
  int64_t count = 0;
  size_t n_valid;

  for (int cancelled = 1; cancelled >= 0; cancelled--)
    {
      const int expected = cancelled ? ESK_ERROR_CANCELLED : ESK_OK;
      EskCovariance covariance;

      g_assert_cmpint (esk_covariance_init (&covariance, 12, TRUE, NULL), ==, ESK_OK);
      memset (valid, 1, 1200);
      cpu->stream->set_cancelled (stream, &cancelled);
      g_assert_cmpint (cpu->cube->band_ranges (stream, &scene->tile, &selection, valid, minimum, maximum), ==,
                       expected);
      g_assert_cmpint (cpu->cube->band_sums (stream, &scene->tile, &selection, valid, sum, &count), ==, expected);
      g_assert_cmpint (cpu->cube->covariance_sums (stream, &scene->tile, &selection, valid, &covariance), ==,
                       expected);
      g_assert_cmpint (cpu->cube->project (stream, &scene->tile, &selection, valid, &forward, NULL, out, 1200), ==,
                       expected);
      g_assert_cmpint (cpu->cube->noise_residual (stream, &scene->tile, &selection, NULL, ESK_NOISE_MEAN,
                                                  ESK_NOISE_SUM, &margin, &residual, NULL, NULL), ==, expected);
      g_assert_cmpint (cpu->cube->project_error (stream, &scene->tile, &selection, valid, &forward, &backward, NULL,
                                                 NULL, NULL, out, NULL, NULL), ==, expected);
      g_assert_cmpint (cpu->cube->valid_pixels (stream, &scene->tile, &selection, valid, &n_valid), ==, expected);
      esk_covariance_clear (&covariance);
    }
  cpu->stream->set_cancelled (stream, NULL);
  g_assert_cmpint (cpu->cube->band_sums (stream, &scene->tile, &selection, valid, sum, &count), ==, ESK_OK);
  cpu->stream->stream_free (stream);
}

/* A tile that takes seconds is left soon. */
static void
test_cancelled_amid (gconstpointer data)
{
  enum { BANDS = 800, PIXELS = 20000 };
  const EskHotspots *cpu = esk_cpu_hotspots ();
  EskStream *stream = test_stream_new (GPOINTER_TO_INT (data));
  g_autofree uint16_t *samples = g_new0 (uint16_t, (gsize) BANDS * 1000);
  g_autofree uint32_t *bands = test_all_bands (BANDS);
  const EskTile tile = { .data = samples, .type = ESK_U16, .width = 1000, .height = PIXELS / 1000, .bands = BANDS,
                         .column_stride = 1, .row_stride = 0, .band_stride = 1000 };
  const EskSelection selection = { .bands = bands, .n_bands = BANDS };
  Cancelling run = { 0 };
  GThread *thread = g_thread_new ("cancels", cancel_soon, &run);
  EskCovariance covariance;

  g_assert_cmpint (esk_covariance_init (&covariance, BANDS, TRUE, NULL), ==, ESK_OK);
  cpu->stream->set_cancelled (stream, &run.cancelled);
  g_atomic_int_set (&run.begun, 1);
  g_assert_cmpint (cpu->cube->covariance_sums (stream, &tile, &selection, NULL, &covariance), ==, ESK_ERROR_CANCELLED);
  g_thread_join (thread);
  g_test_message ("%.0f ms", 1e-3 * (g_get_monotonic_time () - run.asked));
  /* A few panels at most of some eighty. */
  g_assert_cmpint (covariance.count, <, PIXELS / 2);
  esk_covariance_clear (&covariance);
  cpu->stream->stream_free (stream);
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
    { "quantise/16-bits", test_quantise_16 },
    { "quantise/64-bits", test_quantise_64 },
    { "valid-pixels", test_valid_pixels },
    { "ranges-and-sums", test_ranges_and_sums },
    { "threads", test_threads },
    { "cancelled", test_cancelled },
    { "cancelled-amid", test_cancelled_amid },
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
  g_test_add_func ("/kernels/valid-pixels/64-bits", test_valid_64);
  g_test_add_func ("/kernels/convert", test_convert);
  g_test_add_func ("/kernels/types", test_types);
  g_test_add_func ("/kernels/arguments", test_arguments);

  return g_test_run ();
}
