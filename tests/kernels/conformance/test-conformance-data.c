/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Memory of the card between sentinels, and planes that lie both on the host and on the card. */

#include "test-conformance.h"

#include <math.h>
#include <string.h>

#include "../test-scene.h"

#define GUARD 256

static gsize
whole_size (const CardBuffer *buffer)
{
  return 2 * GUARD + buffer->misaligned + buffer->size;
}

gboolean
card_new (CardBuffer *buffer,
          gsize       size,
          gsize       misaligned)
{
  const EskHotspots *table = conformance.table;
  g_autofree guint8 *poison = NULL;

  *buffer = (CardBuffer) { .size = size, .misaligned = misaligned };
  buffer->memory = table->device->memory_new (conformance.device, whole_size (buffer));
  if (buffer->memory == NULL)
    {
      conformance_fail ("no %" G_GSIZE_FORMAT " bytes on the card", size);
      return FALSE;
    }
  buffer->data = buffer->memory + GUARD + misaligned;
  poison = g_malloc (whole_size (buffer));
  memset (poison, POISON, whole_size (buffer));
  conformance_expect ("upload", table->device->upload (conformance.stream, buffer->memory, poison, whole_size (buffer)),
                      ESK_OK);
  conformance_expect ("wait", table->device->wait (conformance.stream), ESK_OK);

  return TRUE;
}

void
card_put (CardBuffer *buffer,
          const void *bytes)
{
  const EskHotspots *table = conformance.table;

  conformance_expect ("upload", table->device->upload (conformance.stream, buffer->data, bytes, buffer->size), ESK_OK);
  conformance_expect ("wait", table->device->wait (conformance.stream), ESK_OK);
}

static void
check_guard (const guint8 *bytes,
             gsize         n,
             const char   *where)
{
  for (gsize k = 0; k < n; k++)
    if (bytes[k] != POISON)
      {
        conformance_fail ("written %s the memory, at byte %" G_GSIZE_FORMAT, where, k);
        return;
      }
}

void *
card_get (CardBuffer *buffer)
{
  const EskHotspots *table = conformance.table;
  gsize n = whole_size (buffer), front = GUARD + buffer->misaligned;
  g_autofree guint8 *all = g_malloc (n);

  memset (all, 0, n);
  conformance_expect ("wait", table->device->wait (conformance.stream), ESK_OK);
  conformance_expect ("download", table->device->download (conformance.stream, all, n, buffer->memory, n, n, 1),
                      ESK_OK);
  conformance_expect ("wait", table->device->wait (conformance.stream), ESK_OK);
  check_guard (all, front, "before");
  check_guard (all + front + buffer->size, GUARD, "behind");

  return g_memdup2 (all + front, MAX (buffer->size, 1));
}

void
card_free (CardBuffer *buffer)
{
  if (buffer->memory == NULL)
    return;
  g_free (card_get (buffer));
  conformance.table->device->memory_free (conformance.device, buffer->memory);
  memset (buffer, 0, sizeof *buffer);
}

/* --- planes --------------------------------------------------------------------------------------------------- */

static void
store (EskType  type,
       void    *target,
       double   value)
{
  if (test_type_is_float (type))
    test_store (type, target, value, 0);
  else
    test_store (type, target, 0.0, (TestWhole) value);
}

static double
load_sample (EskType     type,
             const void *sample)
{
  switch (type)
    {
    case ESK_U8: return *(const uint8_t *) sample;
    case ESK_I8: return *(const int8_t *) sample;
    case ESK_U16: return *(const uint16_t *) sample;
    case ESK_I16: return *(const int16_t *) sample;
    case ESK_U32: return *(const uint32_t *) sample;
    case ESK_I32: return *(const int32_t *) sample;
    case ESK_U64: return (double) *(const uint64_t *) sample;
    case ESK_I64: return (double) *(const int64_t *) sample;
    case ESK_F32: return (double) *(const float *) sample;
    case ESK_F64: return *(const double *) sample;
    default: return NAN;
    }
}

static void
limits_of (EskType  type,
           double  *lowest,
           double  *highest)
{
  double bits = 8.0 * (double) esk_type_size (type);

  switch (type)
    {
    case ESK_F32:
    case ESK_F64:
      *lowest = -1000.0;
      *highest = 1000.0;
      break;
    case ESK_I8:
    case ESK_I16:
    case ESK_I32:
    case ESK_I64:
      *lowest = -exp2 (bits - 1);
      /* Of 64 bits the largest double below the end. */
      *highest = bits > 53 ? exp2 (bits - 1) - 1024 : exp2 (bits - 1) - 1;
      break;
    default:
      *lowest = 0;
      *highest = bits > 53 ? exp2 (bits) - 2048 : exp2 (bits) - 1;
    }
}

static guint8 *
sample_at (const Planes *planes,
           size_t        pixel,
           size_t        band)
{
  const EskTile *tile = &planes->host;
  size_t row = pixel / tile->width, column = pixel % tile->width;

  return (guint8 *) tile->data
         + (band * (size_t) tile->band_stride + row * (size_t) tile->row_stride + column) * esk_type_size (tile->type);
}

static void
fill_samples (Planes *planes,
              Fill    fill,
              guint64 seed)
{
  const EskTile *tile = &planes->host;
  EskType type = tile->type;
  guint64 state = seed * 2 + 0x9e3779b97f4a7c15ull;
  double lowest, highest;
  g_autofree float *light = g_new (float, planes->n_pixels);
  gboolean fractions = test_type_is_float (type);

  limits_of (type, &lowest, &highest);
  for (size_t p = 0; p < planes->n_pixels; p++)
    light[p] = (float) (random_unit (&state) - 0.5);

  for (size_t b = 0; b < tile->bands; b++)
    {
      double spectrum = 1.0 + 0.5 * sin (0.05 * (double) b), middle = 0.5 + 0.2 * cos (0.11 * (double) b);

      for (size_t p = 0; p < planes->n_pixels; p++)
        {
          double x, noise = (double) (random_next (&state) >> 40) * 0x1p-24;

          switch (fill)
            {
            case FILL_SPECTRA:
              x = lowest + (middle + 0.3 * spectrum * (double) light[p] + 0.05 * (noise - 0.5)) * (highest - lowest);
              break;
            case FILL_NOISE:
              x = lowest + noise * (highest - lowest);
              break;
            case FILL_LOWEST:
              x = lowest;
              break;
            case FILL_HIGHEST:
              x = highest;
              break;
            default:
              /* Uniform of variance 36 (a width of sqrt (12 * 36)), a third of it shared by all bands. */
              x = (esk_type_size (type) > 2 ? 10000.0 : type == ESK_I8 ? 100.0 : 200.0)
                  + 20.784610 * (0.81649658 * (noise - 0.5) + 0.57735027 * (double) light[p]);
            }
          if (!fractions)
            x = CLAMP (floor (x), lowest, highest);
          store (type, sample_at (planes, p, b), x);
        }
    }
  /* What does not count must not matter. */
  for (size_t p = 0; fractions && planes->valid != NULL && p < planes->n_pixels; p++)
    if (!planes->valid[p])
      store (type, sample_at (planes, p, p % tile->bands), p & 1 ? NAN : INFINITY);
}

Planes *
planes_new (EskType type,
            size_t  width,
            size_t  height,
            size_t  bands,
            Shape   shape,
            Fill    fill,
            guint   mask,
            guint64 seed)
{
  Planes *planes = g_new0 (Planes, 1);
  size_t size = esk_type_size (type), row = width, misaligned = 0, band;

  planes->n_pixels = width * height;
  band = width * height;
  if (shape == SHAPE_ALIGNED)
    {
      band = (band + 127) / 128 * 128;
    }
  else if (shape == SHAPE_PADDED)
    {
      row = width + 5;
      band = row * height;
      misaligned = 3 * size;
    }

  /* Nothing behind the last sample: not even its row's gap. */
  planes->bytes = ((bands - 1) * band + (height - 1) * row + width) * size;
  planes->buffer = g_malloc (planes->bytes);
  memset (planes->buffer, 0xff, planes->bytes);
  planes->host = (EskTile) { planes->buffer, type, false, width, height, bands, 1, (ptrdiff_t) row, (ptrdiff_t) band };
  planes->bands = test_all_bands (bands);
  planes->selection = (EskSelection) { planes->bands, bands };
  if (mask != MASK_NONE)
    planes->valid = test_make_mask (planes->n_pixels, mask);
  for (size_t p = 0; p < planes->n_pixels; p++)
    planes->n_valid += planes->valid == NULL || planes->valid[p];
  fill_samples (planes, fill, seed);

  if (card_new (&planes->samples, planes->bytes, misaligned))
    card_put (&planes->samples, planes->buffer);
  planes->card = planes->host;
  planes->card.data = planes->samples.data;
  if (planes->valid != NULL)
    {
      gsize n = (height - 1) * row + width;
      g_autofree guint8 *rows = g_malloc (n);

      memset (rows, 1, n);
      for (size_t y = 0; y < height; y++)
        memcpy (rows + y * row, planes->valid + y * width, width);
      if (card_new (&planes->mask, n, misaligned % 16))
        card_put (&planes->mask, rows);
      planes->card_valid = planes->mask.data;
    }

  return planes;
}

void
planes_free (Planes *planes)
{
  card_free (&planes->samples);
  card_free (&planes->mask);
  g_free (planes->buffer);
  g_free (planes->valid);
  g_free (planes->bands);
  g_free (planes->minimum);
  g_free (planes->maximum);
  g_free (planes);
}

void
planes_quantise (Planes *planes,
                 guint64 seed)
{
  size_t n = planes->host.bands;
  guint64 state = seed * 2 + 1;

  planes->minimum = g_new (double, n);
  planes->maximum = g_new (double, n);
  for (size_t b = 0; b < n; b++)
    {
      double low = INFINITY, high = -INFINITY;

      for (size_t p = 0; p < planes->n_pixels; p += 1 + planes->n_pixels / 1000)
        {
          double x = load_sample (planes->host.type, sample_at (planes, p, b));

          if (isfinite (x))
            {
              low = fmin (low, x);
              high = fmax (high, x);
            }
        }
      if (!(high >= low))
        low = high = 0;
      /* The range of the samples, a part of it, one with fractions, one far wider, an empty one. */
      switch (random_next (&state) % 8)
        {
        case 0: high = low + floor ((high - low) * 0.6); break;
        case 1: low = low + 0.25 * (high - low) + 0.125; break;
        case 2: low = floor (low * 1.5) - 100001, high = floor (high * 2) + 3; break;
        case 3: high = low; break;
        default: break;
        }
      planes->minimum[b] = low;
      planes->maximum[b] = high;
    }
  planes->selection.minimum = planes->minimum;
  planes->selection.maximum = planes->maximum;
}

void
planes_set (Planes *planes,
            size_t  pixel,
            size_t  band,
            double  value)
{
  store (planes->host.type, sample_at (planes, pixel, band), value);
}

void
planes_upload (Planes *planes)
{
  card_put (&planes->samples, planes->buffer);
}

double
planes_value (const Planes *planes,
              size_t        pixel,
              size_t        band)
{
  const guint8 *sample = sample_at (planes, pixel, band);
  EskType type = planes->host.type;
  double value = load_sample (type, sample);
  TestWhole whole;

  if (planes->minimum == NULL)
    return value;
  whole = type == ESK_U64 ? (TestWhole) *(const uint64_t *) sample
          : type == ESK_I64 ? (TestWhole) *(const int64_t *) sample
          : test_type_is_float (type) ? 0 : (TestWhole) value;
  if (test_type_is_float (type) || (planes->minimum[band] == trunc (planes->minimum[band])
                                    && planes->maximum[band] == trunc (planes->maximum[band])))
    return scene_quantise_reference (type, value, whole, planes->minimum[band], planes->maximum[band]);
  return scene_quantise_reference (ESK_F64, value, 0, planes->minimum[band], planes->maximum[band]);
}

const ConformanceSize *
conformance_sizes (size_t *n)
{
  static const ConformanceSize quick[] = {
    { 1, 1, 1 }, { 1, 17, 7 }, { 31, 33, 5 }, { 67, 9, 113 }, { 3, 5, 225 },
  };
  static const size_t planes[][2] = { { 1, 1 }, { 1, 17 }, { 31, 33 }, { 257, 129 }, { 1024, 37 }, { 60000, 1 } };
  static const size_t bands[] = { 1, 2, 7, 64, 112, 113, 224, 225, 384 };
  static ConformanceSize all[G_N_ELEMENTS (planes) * G_N_ELEMENTS (bands) + 2];
  size_t k = 0;

  if (conformance.quick)
    {
      *n = G_N_ELEMENTS (quick);
      return quick;
    }
  for (size_t s = 0; s < G_N_ELEMENTS (planes); s++)
    for (size_t b = 0; b < G_N_ELEMENTS (bands); b++)
      all[k++] = (ConformanceSize) { planes[s][0], planes[s][1], bands[b] };
  all[k++] = (ConformanceSize) { 1, 17, 2000 };
  all[k++] = (ConformanceSize) { 29, 7, 2000 };
  *n = k;
  return all;
}
