/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-heatmap-private.h"

#include <math.h>
#include <string.h>

#include "es-heat-frame-private.h"
#include "gl/es-uploader-internal.h"

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsHeatmap, es_heatmap, G_TYPE_OBJECT)

static void
changed (EsHeatmap *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
drop_rows (EsHeatmap *self)
{
  for (guint k = 0; k < ES_HEAT_MAX_LEVELS; k++)
    {
      g_ptr_array_set_size (self->levels[k].chunks, 0);
      self->levels[k].first_chunk = 0;
    }
  if (self->gl != NULL)
    es_heat_gl_reset (self->gl);
}

static void
es_heatmap_finalize (GObject *object)
{
  EsHeatmap *self = ES_HEATMAP (object);

  for (guint k = 0; k < ES_HEAT_MAX_LEVELS; k++)
    g_ptr_array_unref (self->levels[k].chunks);
  g_free (self->line);
  g_clear_pointer (&self->gl, es_heat_gl_free);
  G_OBJECT_CLASS (es_heatmap_parent_class)->finalize (object);
}

static void
es_heatmap_class_init (EsHeatmapClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = es_heatmap_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
es_heatmap_init (EsHeatmap *self)
{
  for (guint k = 0; k < ES_HEAT_MAX_LEVELS; k++)
    self->levels[k].chunks = g_ptr_array_new_with_free_func (g_free);
  self->high = 1;
  self->map = ES_COLORMAP_VIRIDIS;
  self->uploader = es_uploader_memory.name;
}

EsHeatmap *
es_heatmap_new (void)
{
  return g_object_new (ES_TYPE_HEATMAP, NULL);
}

void
es_heatmap_reset (EsHeatmap *self, guint n_columns, guint64 most_rows, gboolean decibels)
{
  g_return_if_fail (ES_IS_HEATMAP (self));

  drop_rows (self);
  self->n_columns = n_columns;
  self->most = most_rows;
  self->decibels = decibels;
  self->first = self->end = 0;
  g_free (self->line);
  self->line = g_new (float, MAX (n_columns, 1));
  changed (self);
}

void
es_heatmap_blank (EsHeatmap *self)
{
  g_return_if_fail (ES_IS_HEATMAP (self));

  drop_rows (self);
  changed (self);
}

/* ---- rows ---- */

const float *
es_heatmap_peek_rows (EsHeatmap *self, guint level, guint64 row, guint64 *run)
{
  const EsHeatmapLevel *rows = &self->levels[level];
  guint64 chunk = row / ES_HEATMAP_CHUNK;
  const float *values = NULL;

  if (run != NULL)
    *run = ES_HEATMAP_CHUNK - row % ES_HEATMAP_CHUNK;
  if (chunk >= rows->first_chunk && chunk - rows->first_chunk < rows->chunks->len)
    values = g_ptr_array_index (rows->chunks, chunk - rows->first_chunk);
  return values != NULL ? values + (gsize) (row % ES_HEATMAP_CHUNK) * self->n_columns : NULL;
}

static float *
make_row (EsHeatmap *self, guint level, guint64 row)
{
  EsHeatmapLevel *rows = &self->levels[level];
  guint64 chunk = row / ES_HEATMAP_CHUNK;

  if (rows->chunks->len == 0)
    rows->first_chunk = chunk;
  while (chunk < rows->first_chunk)
    {
      g_ptr_array_insert (rows->chunks, 0, NULL);
      rows->first_chunk--;
    }
  if (chunk - rows->first_chunk >= rows->chunks->len)
    g_ptr_array_set_size (rows->chunks, (guint) (chunk - rows->first_chunk + 1));

  gpointer *place = &g_ptr_array_index (rows->chunks, chunk - rows->first_chunk);
  if (*place == NULL)
    {
      gsize n = (gsize) ES_HEATMAP_CHUNK * self->n_columns;
      float *values = g_new (float, n);

      for (gsize i = 0; i < n; i++)
        values[i] = NAN;
      *place = values;
    }
  return (float *) *place + (gsize) (row % ES_HEATMAP_CHUNK) * self->n_columns;
}

static inline float
larger (float a, float b)
{
  return isnan (a) || b > a ? b : a;
}

/* A row of every level that the row is part of, from the rows of the level below. A row that was not set before can
 * only raise what is there. */
static void
raise_levels (EsHeatmap *self, guint64 row, const float *values, gboolean fresh)
{
  guint64 n_rows = self->end;

  for (guint k = 1; k < ES_HEAT_MAX_LEVELS && n_rows > 1; k++)
    {
      n_rows = (n_rows + ES_HEAT_FACTOR - 1) / ES_HEAT_FACTOR;
      row /= ES_HEAT_FACTOR;

      float *above = make_row (self, k, row);
      if (fresh)
        {
          for (guint c = 0; c < self->n_columns; c++)
            above[c] = larger (above[c], values[c]);
          continue;
        }
      for (guint c = 0; c < self->n_columns; c++)
        above[c] = NAN;
      for (guint i = 0; i < ES_HEAT_FACTOR; i++)
        {
          const float *below = es_heatmap_peek_rows (self, k - 1, row * ES_HEAT_FACTOR + i, NULL);

          for (guint c = 0; below != NULL && c < self->n_columns; c++)
            above[c] = larger (above[c], below[c]);
        }
    }
}

static gboolean
is_missing (const float *values, guint n)
{
  for (guint i = 0; values != NULL && i < n; i++)
    if (!isnan (values[i]))
      return FALSE;
  return TRUE;
}

static void
put_row (EsHeatmap *self, guint64 row, const float *values)
{
  /* A level that did not reach as high before has to know what came before this row. */
  gboolean fresh = is_missing (es_heatmap_peek_rows (self, 0, row, NULL), self->n_columns);
  float *own = make_row (self, 0, row);

  if (self->decibels)
    for (guint c = 0; c < self->n_columns; c++)
      own[c] = 10 * log10f (values[c]);
  else
    memcpy (own, values, sizeof (float) * self->n_columns);
  memcpy (self->line, own, sizeof (float) * self->n_columns);
  raise_levels (self, row, self->line, fresh);
  if (self->gl != NULL)
    es_heat_gl_changed (self->gl, row, row + 1);
}

/* The first time there is a level, it is made of all that lies below it. */
static void
grow_levels (EsHeatmap *self, guint64 before)
{
  guint64 was = before, is = self->end;

  for (guint k = 1; k < ES_HEAT_MAX_LEVELS; k++)
    {
      gboolean had = was > 1, has = is > 1;

      was = (was + ES_HEAT_FACTOR - 1) / ES_HEAT_FACTOR;
      is = (is + ES_HEAT_FACTOR - 1) / ES_HEAT_FACTOR;
      if (had || !has)
        continue;
      for (guint i = 0; i < ES_HEAT_FACTOR; i++)
        {
          const float *below = es_heatmap_peek_rows (self, k - 1, i, NULL);
          float *above = below != NULL ? make_row (self, k, 0) : NULL;

          for (guint c = 0; below != NULL && c < self->n_columns; c++)
            above[c] = larger (above[c], below[c]);
        }
    }
}

static void
drop_oldest (EsHeatmap *self)
{
  guint64 first = self->end - self->most;

  if (self->most == 0 || self->end <= self->most || first <= self->first)
    return;
  self->first = first;
  for (guint k = 0; k < ES_HEAT_MAX_LEVELS; k++, first /= ES_HEAT_FACTOR)
    {
      EsHeatmapLevel *level = &self->levels[k];
      guint64 chunk = first / ES_HEATMAP_CHUNK;

      if (chunk > level->first_chunk && level->chunks->len > 0)
        {
          guint n = (guint) MIN (chunk - level->first_chunk, level->chunks->len);

          g_ptr_array_remove_range (level->chunks, 0, n);
          level->first_chunk += n;
        }
    }
}

void
es_heatmap_extend (EsHeatmap *self, guint64 n)
{
  g_return_if_fail (ES_IS_HEATMAP (self));

  if (n == 0)
    return;

  guint64 before = self->end;

  self->end += n;
  grow_levels (self, before);
  drop_oldest (self);
  if (self->gl != NULL)
    es_heat_gl_changed (self->gl, before, self->end);
  changed (self);
}

void
es_heatmap_append (EsHeatmap *self, const float *values)
{
  g_return_if_fail (ES_IS_HEATMAP (self));
  g_return_if_fail (self->n_columns > 0);

  self->end++;
  grow_levels (self, self->end - 1);
  if (values != NULL)
    put_row (self, self->end - 1, values);
  else if (self->gl != NULL)
    es_heat_gl_changed (self->gl, self->end - 1, self->end);
  drop_oldest (self);
  changed (self);
}

void
es_heatmap_set_row (EsHeatmap *self, guint64 row, const float *values)
{
  g_return_if_fail (ES_IS_HEATMAP (self));
  g_return_if_fail (row < self->end && values != NULL);

  if (row < self->first)
    return;
  put_row (self, row, values);
  changed (self);
}

guint
es_heatmap_get_n_columns (EsHeatmap *self)
{
  g_return_val_if_fail (ES_IS_HEATMAP (self), 0);

  return self->n_columns;
}

guint64
es_heatmap_get_first (EsHeatmap *self)
{
  g_return_val_if_fail (ES_IS_HEATMAP (self), 0);

  return self->first;
}

guint64
es_heatmap_get_end (EsHeatmap *self)
{
  g_return_val_if_fail (ES_IS_HEATMAP (self), 0);

  return self->end;
}

float
es_heatmap_get_value (EsHeatmap *self, guint column, guint64 row)
{
  g_return_val_if_fail (ES_IS_HEATMAP (self), NAN);

  const float *values = NULL;

  if (column < self->n_columns && row >= self->first && row < self->end)
    values = es_heatmap_peek_rows (self, 0, row, NULL);
  return values != NULL ? values[column] : NAN;
}

void
es_heatmap_take (EsHeatmap *self, EsHeatmap *other)
{
  g_return_if_fail (ES_IS_HEATMAP (self) && ES_IS_HEATMAP (other) && self != other);

  es_heatmap_reset (self, other->n_columns, other->most, other->decibels);
  for (guint k = 0; k < ES_HEAT_MAX_LEVELS; k++)
    {
      const EsHeatmapLevel own = self->levels[k];

      self->levels[k] = other->levels[k];
      other->levels[k] = own;
    }
  self->first = other->first;
  self->end = other->end;
  es_heatmap_reset (other, other->n_columns, other->most, other->decibels);
  changed (self);
}

void
es_heatmap_forget (EsHeatmap *self, guint64 from, guint64 to)
{
  g_return_if_fail (ES_IS_HEATMAP (self));

  EsHeatmapLevel *rows = &self->levels[0];

  for (guint64 chunk = (from + ES_HEATMAP_CHUNK - 1) / ES_HEATMAP_CHUNK; chunk < to / ES_HEATMAP_CHUNK; chunk++)
    if (chunk >= rows->first_chunk && chunk - rows->first_chunk < rows->chunks->len)
      g_clear_pointer (&g_ptr_array_index (rows->chunks, chunk - rows->first_chunk), g_free);
  if (self->gl != NULL && from < to)
    es_heat_gl_changed (self->gl, from, to);
  changed (self);
}

/* ---- look ---- */

void
es_heatmap_set_awaiting (EsHeatmap *self, gboolean awaiting)
{
  g_return_if_fail (ES_IS_HEATMAP (self));

  awaiting = awaiting != FALSE;
  if (self->awaiting == awaiting)
    return;
  self->awaiting = awaiting;
  changed (self);
}

gboolean
es_heatmap_get_awaiting (EsHeatmap *self)
{
  g_return_val_if_fail (ES_IS_HEATMAP (self), FALSE);

  return self->awaiting;
}

void
es_heatmap_set_range (EsHeatmap *self, double low, double high)
{
  g_return_if_fail (ES_IS_HEATMAP (self));
  g_return_if_fail (isfinite (low) && isfinite (high));

  if (self->low == low && self->high == high)
    return;
  self->low = low;
  self->high = high;
  changed (self);
}

void
es_heatmap_get_range (EsHeatmap *self, double *low, double *high)
{
  g_return_if_fail (ES_IS_HEATMAP (self));

  if (low != NULL)
    *low = self->low;
  if (high != NULL)
    *high = self->high;
}

void
es_heatmap_set_colormap (EsHeatmap *self, EsColormap map)
{
  g_return_if_fail (ES_IS_HEATMAP (self));
  g_return_if_fail (map < ES_N_COLORMAPS);

  if (self->map == map)
    return;
  self->map = map;
  changed (self);
}

EsColormap
es_heatmap_get_colormap (EsHeatmap *self)
{
  g_return_val_if_fail (ES_IS_HEATMAP (self), ES_COLORMAP_VIRIDIS);

  return self->map;
}

const char *
es_heatmap_get_uploader (EsHeatmap *self)
{
  g_return_val_if_fail (ES_IS_HEATMAP (self), NULL);

  return self->uploader;
}
