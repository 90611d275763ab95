/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the values of a heat map are like, and the memory that they take. */

#include "es-heatmap-private.h"

#include <math.h>

/* Every finite value of a stretch, in at most some 500 rows of a level. */
typedef void (*Visit) (float value, gpointer data);

static void
visit (EsHeatmap *self, guint64 from, guint64 to, Visit each, gpointer data)
{
  guint level = 0;

  from = MAX (from, self->first);
  to = MIN (to, self->end);
  if (from >= to)
    return;
  while (to - from > 512 && level + 1 < ES_HEAT_MAX_LEVELS)
    {
      level++;
      from /= ES_HEAT_FACTOR;
      to = (to + ES_HEAT_FACTOR - 1) / ES_HEAT_FACTOR;
    }
  for (guint64 row = from; row < to; row++)
    {
      const float *values = es_heatmap_peek_rows (self, level, row, NULL);

      for (guint c = 0; values != NULL && c < self->n_columns; c++)
        if (isfinite (values[c]))
          each (values[c], data);
    }
}

typedef struct { float minimum, maximum; gboolean any; guint bins[256]; guint64 n; } Extent;

static void
extend (float value, gpointer data)
{
  Extent *extent = data;

  extent->minimum = extent->any ? MIN (extent->minimum, value) : value;
  extent->maximum = extent->any ? MAX (extent->maximum, value) : value;
  extent->any = TRUE;
}

gboolean
es_heatmap_find_range (EsHeatmap *self, guint64 from, guint64 to, float *minimum, float *maximum)
{
  Extent extent = { 0 };

  g_return_val_if_fail (ES_IS_HEATMAP (self), FALSE);

  visit (self, from, to, extend, &extent);
  if (extent.any)
    {
      *minimum = extent.minimum;
      *maximum = extent.maximum;
    }
  return extent.any;
}

static void
count (float value, gpointer data)
{
  Extent *extent = data;
  float span = extent->maximum - extent->minimum;
  guint bin = span > 0 ? (guint) MIN ((value - extent->minimum) / span * 256, 255.f) : 0;

  extent->bins[bin]++;
  extent->n++;
}

float
es_heatmap_find_quantile (EsHeatmap *self, guint64 from, guint64 to, double fraction)
{
  Extent extent = { 0 };
  guint64 below = 0;

  g_return_val_if_fail (ES_IS_HEATMAP (self), NAN);

  visit (self, from, to, extend, &extent);
  if (!extent.any)
    return NAN;
  visit (self, from, to, count, &extent);
  for (guint i = 0; i < G_N_ELEMENTS (extent.bins); i++)
    {
      below += extent.bins[i];
      if (below >= fraction * extent.n)
        return extent.minimum + (extent.maximum - extent.minimum) * (i + 0.5f) / 256;
    }
  return extent.maximum;
}

gsize
es_heatmap_get_memory (EsHeatmap *self)
{
  gsize chunks = 0;

  g_return_val_if_fail (ES_IS_HEATMAP (self), 0);

  for (guint k = 0; k < ES_HEAT_MAX_LEVELS; k++)
    for (guint i = 0; i < self->levels[k].chunks->len; i++)
      chunks += g_ptr_array_index (self->levels[k].chunks, i) != NULL;
  return chunks * ES_HEATMAP_CHUNK * self->n_columns * sizeof (float);
}
