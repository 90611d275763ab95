/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-heatmap.h"

#include <math.h>
#include <string.h>

#include "es-heat-frame-private.h"
#include "gl/es-uploader-internal.h"

#define CHUNK 64              /* rows that lie behind each other; nothing is moved when there are more */

/* Rows of one level: chunks from first_chunk on; NULL: none of its rows was set. */
typedef struct
{
  GPtrArray *chunks;
  guint64 first_chunk;
} Level;

struct _EsHeatmap
{
  GObject parent_instance;

  guint n_columns;
  guint64 first, end, most;    /* most 0: no limit */
  gboolean decibels;
  Level levels[ES_HEAT_MAX_LEVELS];
  float *line;                 /* n_columns: a row on its way */

  double low, high;
  EsColormap map;

  EsHeatGl *gl;
  gboolean gl_failed;
  const char *uploader;
};

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* What failed once is not tried again in this process. */
static gboolean gl_given_up;

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
  const Level *rows = &self->levels[level];
  guint64 chunk = row / CHUNK;
  const float *values = NULL;

  if (run != NULL)
    *run = CHUNK - row % CHUNK;
  if (chunk >= rows->first_chunk && chunk - rows->first_chunk < rows->chunks->len)
    values = g_ptr_array_index (rows->chunks, chunk - rows->first_chunk);
  return values != NULL ? values + (gsize) (row % CHUNK) * self->n_columns : NULL;
}

static float *
make_row (EsHeatmap *self, guint level, guint64 row)
{
  Level *rows = &self->levels[level];
  guint64 chunk = row / CHUNK;

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
      gsize n = (gsize) CHUNK * self->n_columns;
      float *values = g_new (float, n);

      for (gsize i = 0; i < n; i++)
        values[i] = NAN;
      *place = values;
    }
  return (float *) *place + (gsize) (row % CHUNK) * self->n_columns;
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
      Level *level = &self->levels[k];
      guint64 chunk = first / CHUNK;

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
  return chunks * CHUNK * self->n_columns * sizeof (float);
}

/* ---- look ---- */

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

/* ---- drawing ---- */

EsHeatGl *
es_heatmap_get_gl (EsHeatmap *self)
{
  return self->gl;
}

static GdkTexture *
render_with_gl (EsHeatmap *self, GdkGLContext *context, const EsHeatFrame *frame)
{
  g_autoptr (GError) error = NULL;
  GdkTexture *texture = NULL;
  gboolean forced = es_uploader_is_forced (&es_uploader_pbo);

  if (context == NULL || es_uploader_is_forced (&es_uploader_memory) || ((gl_given_up || self->gl_failed) && !forced))
    return NULL;
  if (self->gl == NULL)
    self->gl = es_heat_gl_new (gdk_gl_context_get_display (context), &error);
  if (self->gl != NULL)
    texture = es_heat_gl_draw (self->gl, self, frame, &error);
  if (texture == NULL)
    {
      g_debug ("A heat map is drawn by the CPU: %s", error->message);
      /* Too large is this one's trouble, anything else everybody's. */
      self->gl_failed = TRUE;
      gl_given_up = gl_given_up || !g_error_matches (error, ES_RENDER_ERROR, ES_RENDER_ERROR_SIZE);
      g_clear_pointer (&self->gl, es_heat_gl_free);
    }
  return texture;
}

static GdkTexture *
render (EsHeatmap *self, GdkGLContext *context, const EsHeatFrame *frame)
{
  GdkTexture *texture = render_with_gl (self, context, frame);

  self->uploader = texture != NULL ? es_uploader_pbo.name : es_uploader_memory.name;
  if (texture == NULL)
    {
      gsize stride = 4 * (gsize) frame->width;
      guint8 *pixels = g_malloc_n (frame->height, stride);
      g_autoptr (GBytes) bytes = g_bytes_new_take (pixels, stride * frame->height);

      es_heat_frame_paint (frame, self, pixels, stride);
      texture = gdk_memory_texture_new (frame->width, frame->height, GDK_MEMORY_R8G8B8A8, bytes, stride);
    }
  return texture;
}

GdkTexture *
es_heatmap_render (EsHeatmap *self, GdkGLContext *context, int width, int height, const EsHeatmapView *view)
{
  g_return_val_if_fail (ES_IS_HEATMAP (self), NULL);
  g_return_val_if_fail (width > 0 && height > 0 && view != NULL, NULL);

  g_auto (EsHeatFrame) frame = { 0 };
  es_heat_frame_init (&frame, self, width, height, view);
  return render (self, context, &frame);
}

GdkTexture *
es_heatmap_render_places (EsHeatmap *self, GdkGLContext *context, int width, int height, GBytes *places)
{
  g_return_val_if_fail (ES_IS_HEATMAP (self), NULL);
  g_return_val_if_fail (width > 0 && height > 0, NULL);
  g_return_val_if_fail (g_bytes_get_size (places) == 8 * (gsize) width * height, NULL);

  g_auto (EsHeatFrame) frame = { 0 };
  es_heat_frame_init_places (&frame, self, width, height, places);
  return render (self, context, &frame);
}
