/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Statistics of a part of a plane: what a view shows, or a region holds. */

#include "es-plane-internal.h"

#include <math.h>

/* As many samples as statistics look at of a whole plane. */
#define MOST_SAMPLES 1000000

EsPlaneStatistics *
es_plane_measure_part (EsPlane *self, guint step, const EsPlanePart *part)
{
  const EsPlaneLevel *level = es_plane_get_level (self, 0);
  const guint left = (guint) MIN (part->x / step, level->width), top = (guint) MIN (part->y / step, level->height);
  const guint right = (guint) MIN ((part->x + part->width + step - 1) / step, level->width);
  const guint bottom = (guint) MIN ((part->y + part->height + step - 1) / step, level->height);
  const guint64 columns = right > left ? right - left : 0, rows = bottom > top ? bottom - top : 0;
  /* Every so many rows and columns, so that no more than that many are looked at. */
  const guint stride = (guint) MAX (ceil (sqrt ((double) columns * rows / MOST_SAMPLES)), 1);
  g_autofree float *values = g_new (float, (columns / stride + 1) * (rows / stride + 1));
  g_autofree guint8 *mask = part->region != NULL ? g_malloc (MAX (columns * step, 1)) : NULL;
  EsPlaneStatistics *statistics = g_new (EsPlaneStatistics, 1);
  gsize n = 0;

  for (guint64 row = top; row < bottom && columns > 0; row += stride)
    {
      const float *samples = level->values + (gsize) level->width * row;

      if (mask != NULL)
        es_region_fill_mask (part->region, (guint64) left * step, row * step + step / 2, columns * step, 1, mask);
      for (guint64 column = left; column < right; column += stride)
        if (mask == NULL || mask[(column - left) * step + step / 2])
          values[n++] = samples[column];
    }
  es_plane_statistics_compute (statistics, values, n);
  return statistics;
}
