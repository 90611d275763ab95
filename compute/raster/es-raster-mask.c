/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-raster-internal.h"

#include <string.h>

/* A mask is looked at in portions of this many pixels. */
#define PORTION ((guint64) 256 * 1024)
/* Of a band that is labelled as opacity: how many blocks are looked at, and the largest, in samples. */
#define PROBED_BLOCKS 16
#define MOST_PROBED ((guint64) 16 << 20)

/* What every band says by a value of its samples is looked at where samples are: only what is kept elsewhere counts. */
static gboolean
is_by_value (GDALRasterBandH band)
{
  const int flags = GDALGetMaskFlags (band);
  int has = FALSE;

  if ((flags & GMF_ALL_VALID) != 0)
    return TRUE;
  if ((flags & GMF_NODATA) == 0 || (flags & GMF_PER_DATASET) != 0)
    return FALSE;
  if (GDALGetRasterDataType (band) == GDT_Int64 || GDALGetRasterDataType (band) == GDT_UInt64)
    return TRUE;
  GDALGetRasterNoDataValue (band, &has);
  return has;
}

/*
 * Writers label the fourth band of bytes as alpha where nobody has told them what it is, a near infrared one too.
 * Opacity is mostly full where it is not 0, and a measurement is rarely at its largest value: at least half of some
 * blocks' samples above 0 are, or it was measured. Where nothing can be looked at, the label counts.
 */
static gboolean
is_opacity (GDALRasterBandH band)
{
  const int width = GDALGetRasterBandXSize (band), height = GDALGetRasterBandYSize (band);
  guint64 above = 0, full = 0;
  int block_width, block_height;
  float largest = 0;

  GDALGetBlockSize (band, &block_width, &block_height);
  const int columns = (width - 1) / block_width + 1, rows = (height - 1) / block_height + 1;
  const int n = MIN (PROBED_BLOCKS, MAX (columns, rows));
  const guint64 samples = (guint64) block_width * block_height;
  if (samples > MOST_PROBED)
    return TRUE;
  g_autofree float *values = g_new (float, samples);

  for (int i = 0; i < n; i++)
    {
      /* Along the diagonal: everywhere a little. */
      const int x = (int) ((gint64) i * (columns - 1) / MAX (n - 1, 1)) * block_width;
      const int y = (int) ((gint64) i * (rows - 1) / MAX (n - 1, 1)) * block_height;
      const int w = MIN (block_width, width - x), h = MIN (block_height, height - y);

      if (GDALRasterIO (band, GF_Read, x, y, w, h, values, w, h, GDT_Float32, 0, 0) != CE_None)
        return TRUE;
      for (gsize k = 0; k < (gsize) w * h; k++)
        if (values[k] > largest)
          {
            largest = values[k];
            above++;
            full = 1;
          }
        else if (values[k] > 0)
          {
            above++;
            full += values[k] == largest;
          }
    }
  return above == 0 || 2 * full >= above;
}

void
es_raster_bands_find (GDALDatasetH handle, EsRasterBands *self)
{
  const int all = GDALGetRasterCount (handle);
  gboolean shared = TRUE;

  *self = (EsRasterBands) { .list = g_new (int, MAX (all, 1)) };
  for (int b = 1; b <= all; b++)
    {
      const gboolean labelled = GDALGetRasterColorInterpretation (GDALGetRasterBand (handle, b)) == GCI_AlphaBand;

      if (labelled && self->alpha == 0 && is_opacity (GDALGetRasterBand (handle, b)))
        self->alpha = b;
      else
        {
          self->list[self->n++] = b;
          if (labelled)
            self->mislabelled = b;
        }
    }

  for (guint i = 0; i < self->n; i++)
    {
      GDALRasterBandH band = GDALGetRasterBand (handle, self->list[i]);
      const int flags = GDALGetMaskFlags (band);

      if (is_by_value (band) || (flags & GMF_ALPHA) != 0)
        continue;
      self->mask = ES_RASTER_MASK_BY_BAND;
      shared = shared && (flags & GMF_PER_DATASET) != 0;
      /* The others have the same one. */
      if (shared)
        break;
    }
  if (self->mask == ES_RASTER_MASK_BY_BAND && shared)
    self->mask = ES_RASTER_MASK_SHARED;
  else if (self->mask == ES_RASTER_MASK_NONE && self->alpha > 0)
    self->mask = ES_RASTER_MASK_ALPHA;
}

void
es_raster_bands_clear (EsRasterBands *self)
{
  g_clear_pointer (&self->list, g_free);
}

/* One plane, of any type and range: 0 is missing, and so is what is no number. */
static CPLErr
apply (GDALRasterBandH plane, const EsCubeWindow *window, guint8 *mask)
{
  const guint64 rows = CLAMP (PORTION / window->width, 1, window->height);
  g_autofree float *values = g_new0 (float, rows * window->width);

  for (guint64 y = 0; y < window->height; y += rows)
    {
      const guint64 n = MIN (rows, window->height - y);
      guint8 *out = mask + y * window->width;
      const CPLErr result = GDALRasterIO (plane, GF_Read, (int) window->x, (int) (window->y + y), (int) window->width,
                                          (int) n, values, (int) window->width, (int) n, GDT_Float32, 0, 0);

      if (result != CE_None)
        return result;
      for (guint64 i = 0; i < n * window->width; i++)
        if (!(values[i] > 0))
          out[i] = 0;
    }
  return CE_None;
}

CPLErr
es_raster_mask_read (GDALDatasetH handle, const EsRasterBands *self, const guint32 *bands, gsize n,
                     const EsCubeWindow *window, guint8 *mask)
{
  CPLErr result = CE_None;

  if (self->alpha > 0)
    result = apply (GDALGetRasterBand (handle, self->alpha), window, mask);
  if (self->mask == ES_RASTER_MASK_SHARED && result == CE_None)
    result = apply (GDALGetMaskBand (GDALGetRasterBand (handle, self->list[0])), window, mask);
  else if (self->mask == ES_RASTER_MASK_BY_BAND)
    for (gsize i = 0; i < n && result == CE_None; i++)
      {
        GDALRasterBandH band = GDALGetRasterBand (handle, self->list[bands[i]]);

        if (!is_by_value (band))
          result = apply (GDALGetMaskBand (band), window, mask);
      }
  return result;
}
