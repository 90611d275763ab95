/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "test-scene.h"

#include <math.h>
#include <string.h>

#define GUARD 64

const TestSize test_sizes[N_TEST_SIZES] = {
  { 1, 1, 1 }, { 1, 1, 7 }, { 1, 19, 2 }, { 40, 1, 7 }, { 31, 33, 1 }, { 31, 33, 2 }, { 31, 33, 7 }, { 9, 5, 224 },
  { 257, 129, 7 },
};

gboolean
test_type_is_float (EskType type)
{
  return type == ESK_F32 || type == ESK_F64;
}

void
test_store (EskType   type,
            void     *target,
            double    value,
            TestWhole whole)
{
  switch (type)
    {
    case ESK_U8: *(uint8_t *) target = (uint8_t) whole; break;
    case ESK_I8: *(int8_t *) target = (int8_t) whole; break;
    case ESK_U16: *(uint16_t *) target = (uint16_t) whole; break;
    case ESK_I16: *(int16_t *) target = (int16_t) whole; break;
    case ESK_U32: *(uint32_t *) target = (uint32_t) whole; break;
    case ESK_I32: *(int32_t *) target = (int32_t) whole; break;
    case ESK_U64: *(uint64_t *) target = (uint64_t) whole; break;
    case ESK_I64: *(int64_t *) target = (int64_t) whole; break;
    case ESK_F32: *(float *) target = (float) value; break;
    case ESK_F64: *(double *) target = value; break;
    default: g_assert_not_reached ();
    }
}

static TestWhole
lowest_of (EskType type)
{
  switch (type)
    {
    case ESK_I8: return INT8_MIN;
    case ESK_I16: return INT16_MIN;
    case ESK_I32: return INT32_MIN;
    case ESK_I64: return INT64_MIN;
    default: return 0;
    }
}

void
scene_set (Scene    *scene,
           size_t    pixel,
           size_t    band,
           double    value,
           TestWhole whole)
{
  size_t size = esk_type_size (scene->tile.type);
  ptrdiff_t column = (ptrdiff_t) (pixel % scene->tile.width), row = (ptrdiff_t) (pixel / scene->tile.width);
  ptrdiff_t at = column * scene->tile.column_stride + row * scene->tile.row_stride
                 + (ptrdiff_t) band * scene->tile.band_stride;
  uint64_t native = 0;
  uint8_t *target = (uint8_t *) scene->tile.data + at * (ptrdiff_t) size, *bytes = (uint8_t *) &native;

  test_store (scene->tile.type, &native, value, whole);
  for (size_t k = 0; k < size; k++)
    target[k] = bytes[scene->tile.byte_swapped ? size - 1 - k : k];

  if (scene->tile.type == ESK_F32)
    value = (double) (float) value;
  else if (scene->tile.type != ESK_F64)
    value = (double) whole;
  scene->value[pixel * scene->tile.bands + band] = value;
  scene->whole[pixel * scene->tile.bands + band] = whole;
}

Scene *
scene_new (EskType  type,
           size_t   width,
           size_t   height,
           size_t   bands,
           Layout   layout,
           gboolean swapped,
           double   amplitude,
           guint32  seed)
{
  Scene *scene = g_new0 (Scene, 1);
  EskTile *tile = &scene->tile;
  GRand *rand = g_rand_new_with_seed (seed);
  g_autofree double *spectra = g_new (double, 2 * bands);
  size_t size = esk_type_size (type), n_samples, first = 0;
  ptrdiff_t w = (ptrdiff_t) width, h = (ptrdiff_t) height, n = (ptrdiff_t) bands;

  tile->type = type;
  tile->byte_swapped = swapped;
  tile->width = width;
  tile->height = height;
  tile->bands = bands;
  scene->n_pixels = width * height;
  n_samples = width * height * bands;
  switch (layout)
    {
    case LAYOUT_BSQ:
      tile->column_stride = 1, tile->row_stride = w, tile->band_stride = w * h;
      break;
    case LAYOUT_BIL:
      tile->column_stride = 1, tile->row_stride = w * n, tile->band_stride = w;
      break;
    case LAYOUT_BIP:
      tile->column_stride = n, tile->row_stride = w * n, tile->band_stride = 1;
      break;
    case LAYOUT_GAPS:
      tile->column_stride = 3, tile->row_stride = 3 * w + 5, tile->band_stride = (3 * w + 5) * h + 7;
      n_samples = (size_t) (tile->band_stride * n);
      break;
    case LAYOUT_FLIPPED:
      tile->column_stride = -1, tile->row_stride = -w, tile->band_stride = w * h;
      first = width * height - 1;
      break;
    default:
      g_assert_not_reached ();
    }

  /* Exactly as large as it has to be: a sanitiser sees every sample read beside it. */
  scene->buffer = g_malloc (n_samples * size);
  memset (scene->buffer, 0x5a, n_samples * size);
  tile->data = (uint8_t *) scene->buffer + first * size;
  scene->value = g_new (double, scene->n_pixels * bands);
  scene->whole = g_new (TestWhole, scene->n_pixels * bands);

  for (size_t b = 0; b < bands; b++)
    {
      spectra[2 * b] = 1.0 + 0.5 * sin (0.05 * (double) b);
      spectra[2 * b + 1] = cos (0.11 * (double) b);
    }
  for (size_t p = 0; p < scene->n_pixels; p++)
    {
      double light = g_rand_double (rand), mixture = g_rand_double (rand);

      for (size_t b = 0; b < bands; b++)
        {
          double x = 0.5 + amplitude * (0.6 * (light - 0.5) * spectra[2 * b]
                                        + 0.3 * (mixture - 0.5) * spectra[2 * b + 1]
                                        + 0.1 * (g_rand_double (rand) - 0.5));
          TestWhole whole = 0;

          if (!test_type_is_float (type))
            {
              TestWhole range = ((TestWhole) 1 << (8 * size)) - 1;

              x = CLAMP (x, 0.0, 1.0);
              whole = lowest_of (type) + (TestWhole) (x * (double) range);
              if (whole > lowest_of (type) + range)
                whole = lowest_of (type) + range;
            }
          scene_set (scene, p, b, 1000.0 * x + 0.001 * (double) b, whole);
        }
    }
  g_rand_free (rand);

  return scene;
}

void
scene_free (Scene *scene)
{
  g_free (scene->buffer);
  g_free (scene->value);
  g_free (scene->whole);
  g_free (scene);
}

EskTile
scene_window (const Scene *scene,
              size_t       x,
              size_t       y,
              size_t       width,
              size_t       height)
{
  EskTile tile = scene->tile;
  ptrdiff_t at = (ptrdiff_t) x * tile.column_stride + (ptrdiff_t) y * tile.row_stride;

  tile.data = (const uint8_t *) tile.data + at * (ptrdiff_t) esk_type_size (tile.type);
  tile.width = width;
  tile.height = height;

  return tile;
}

void *
test_guarded_new (size_t size)
{
  uint8_t *block = g_malloc (2 * GUARD + size);

  memset (block, 0xa5, 2 * GUARD + size);
  memcpy (block, &size, sizeof size);

  return block + GUARD;
}

void
test_guarded_free (void *data)
{
  uint8_t *block = (uint8_t *) data - GUARD;
  size_t size;

  memcpy (&size, block, sizeof size);
  for (size_t k = sizeof size; k < GUARD; k++)
    g_assert_cmphex (block[k], ==, 0xa5);
  for (size_t k = 0; k < GUARD; k++)
    g_assert_cmphex (block[GUARD + size + k], ==, 0xa5);
  g_free (block);
}

const char * const test_loops_names[N_TEST_LOOPS] = { "native", "portable", "avx2" };

EskStream *
test_stream_new (int loops)
{
  g_autofree char *wide = g_strdup (g_getenv ("ES_CPU_AVX512"));
  EskStream *stream;

  if (loops == TEST_PORTABLE)
    g_setenv ("ES_CPU_PORTABLE", "1", TRUE);
  if (loops == TEST_AVX2)
    g_setenv ("ES_CPU_AVX512", "0", TRUE);
  stream = esk_cpu_hotspots ()->stream->stream_new (0);
  g_unsetenv ("ES_CPU_PORTABLE");
  if (loops == TEST_AVX2)
    {
      g_unsetenv ("ES_CPU_AVX512");
      if (wide != NULL)
        g_setenv ("ES_CPU_AVX512", wide, TRUE);
    }
  g_assert_nonnull (stream);

  return stream;
}

uint32_t *
test_all_bands (size_t n)
{
  uint32_t *bands = g_new (uint32_t, n);

  for (size_t b = 0; b < n; b++)
    bands[b] = (uint32_t) b;

  return bands;
}

uint8_t *
test_make_mask (size_t n_pixels,
           guint  kind)
{
  uint8_t *mask = g_new (uint8_t, n_pixels);
  guint32 state = 12345;

  for (size_t p = 0; p < n_pixels; p++)
    {
      state = state * 1664525u + 1013904223u;
      mask[p] = kind == 0 ? 1 : kind == 1 ? (state >> 24) % 3 != 0 : kind == 2 ? (p / 50) % 3 != 1
                : kind == 3 ? p == n_pixels / 2 : 0;
    }

  return mask;
}

uint8_t
scene_quantise_reference (EskType   type,
                    double    value,
                    TestWhole whole,
                    double    minimum,
                    double    maximum)
{
  if (!(maximum > minimum))
    return 0;
  if (!test_type_is_float (type))
    {
      TestWhole t = (whole - (TestWhole) minimum) * 255;
      TestWhole range = (TestWhole) maximum - (TestWhole) minimum;

      return t < 0 ? 0 : t / range > 255 ? 255 : (uint8_t) (t / range);
    }
  else
    {
      double q = floor ((value - minimum) * 255 / (maximum - minimum));

      return (uint8_t) CLAMP (q, 0, 255);
    }
}

TestWhole
scene_whole_at (const Scene        *scene,
          const EskSelection *selection,
          size_t              pixel,
          size_t              band)
{
  size_t at = pixel * scene->tile.bands + selection->bands[band];

  if (selection->minimum == NULL)
    return scene->whole[at];
  return scene_quantise_reference (scene->tile.type, scene->value[at], scene->whole[at], selection->minimum[band],
                             selection->maximum[band]);
}

double
scene_value_at (const Scene        *scene,
          const EskSelection *selection,
          size_t              pixel,
          size_t              band)
{
  if (selection->minimum != NULL)
    return (double) scene_whole_at (scene, selection, pixel, band);
  return scene->value[pixel * scene->tile.bands + selection->bands[band]];
}
