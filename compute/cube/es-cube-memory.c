/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-cube-internal.h"

typedef struct
{
  EsSampleSource  parent;

  const guint8   *data;
  EskType         type;
  ptrdiff_t       column_stride, row_stride, band_stride;
  guint           bands;
  gpointer        owner;
  GDestroyNotify  destroy;
  guint8         *mask;            /* NULL: none */
  guint64         mask_width;
} MemorySource;

static gpointer
memory_handle_new (EsSampleSource *source, GError **error)
{
  return source;
}

static void
memory_handle_free (EsSampleSource *source, gpointer handle)
{
}

/* A tile is a view of the one array: nothing is copied. */
static gboolean
memory_read (EsSampleSource *source, gpointer handle, const EsCubeWindow *window, void *buffer, EskTile *tile,
             GError **error)
{
  MemorySource *self = (MemorySource *) source;
  ptrdiff_t first = (ptrdiff_t) window->x * self->column_stride + (ptrdiff_t) window->y * self->row_stride;

  *tile = (EskTile) {
    .data = self->data + first * (ptrdiff_t) esk_type_size (self->type), .type = self->type,
    .width = window->width, .height = window->height, .bands = self->bands,
    .column_stride = self->column_stride, .row_stride = self->row_stride, .band_stride = self->band_stride,
  };
  return TRUE;
}

static gboolean
memory_read_mask (EsSampleSource *source, gpointer handle, const guint32 *bands, gsize n, const EsCubeWindow *window,
                  guint8 *mask, GError **error)
{
  MemorySource *self = (MemorySource *) source;

  for (guint64 y = 0; y < window->height; y++)
    {
      const guint8 *row = self->mask + (window->y + y) * self->mask_width + window->x;

      for (guint64 x = 0; x < window->width; x++, mask++)
        if (row[x] == 0)
          *mask = 0;
    }
  return TRUE;
}

void
es_memory_source_set_mask (EsSampleSource *source, guint8 *mask, guint64 width)
{
  MemorySource *self = (MemorySource *) source;

  g_free (self->mask);
  self->mask = mask;
  self->mask_width = width;
  source->read_mask = memory_read_mask;
}

static void
memory_free (EsSampleSource *source)
{
  MemorySource *self = (MemorySource *) source;

  g_free (self->mask);
  self->destroy (self->owner);
  g_free (self);
}

EsSampleSource *
es_memory_source_new (const void *data, EskType type, ptrdiff_t column_stride, ptrdiff_t row_stride,
                      ptrdiff_t band_stride, guint bands, gpointer owner, GDestroyNotify destroy)
{
  MemorySource *self = g_new0 (MemorySource, 1);

  self->parent = (EsSampleSource) {
    .handle_new = memory_handle_new, .handle_free = memory_handle_free,
    .read = memory_read, .free = memory_free,
    .block_width = 1, .block_height = 1, .by_bytes = TRUE,
  };
  self->data = data;
  self->type = type;
  self->column_stride = column_stride;
  self->row_stride = row_stride;
  self->band_stride = band_stride;
  self->bands = bands;
  self->owner = owner;
  self->destroy = destroy;
  return &self->parent;
}

EsSampleSource *
es_staging_source_new (const void *data, EskType type, ptrdiff_t column_stride, ptrdiff_t row_stride,
                       ptrdiff_t band_stride, guint bands, gpointer owner, GDestroyNotify destroy)
{
  EsSampleSource *self = es_memory_source_new (data, type, column_stride, row_stride, band_stride, bands, owner,
                                               destroy);

  self->page_locked = TRUE;
  return self;
}
