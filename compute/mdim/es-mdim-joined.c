/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Bands of several arrays in an order of their own, as one source. */

#include <glib/gi18n-lib.h>
#include <string.h>

#include "device/es-device-internal.h"
#include "es-mdim-private.h"

typedef struct
{
  EsSampleSource   parent;

  EsSampleSource **sources;
  guint            n, most;      /* bands of the one that has most */
  EsMdimBand      *bands;
  guint            n_bands;
  gsize            size;         /* bytes of a sample */
} JoinedSource;

typedef struct
{
  gpointer *handles;             /* one of each source */
  guint8   *buffer;              /* a window of one source; grows */
  gsize     length;
} Handle;

static void
joined_handle_free (EsSampleSource *source, gpointer data)
{
  JoinedSource *self = (JoinedSource *) source;
  Handle *handle = data;

  for (guint i = 0; i < self->n; i++)
    if (handle->handles[i] != NULL)
      self->sources[i]->handle_free (self->sources[i], handle->handles[i]);
  g_free (handle->handles);
  g_free (handle->buffer);
  g_free (handle);
}

static gpointer
joined_handle_new (EsSampleSource *source, GError **error)
{
  JoinedSource *self = (JoinedSource *) source;
  Handle *handle = g_new0 (Handle, 1);

  handle->handles = g_new0 (gpointer, self->n);
  for (guint i = 0; i < self->n; i++)
    if ((handle->handles[i] = self->sources[i]->handle_new (self->sources[i], error)) == NULL)
      {
        joined_handle_free (source, handle);
        return NULL;
      }
  return handle;
}

static gboolean
grow (Handle *handle, gsize length, GError **error)
{
  if (length <= handle->length)
    return TRUE;
  g_free (handle->buffer);
  handle->buffer = g_try_malloc (length);
  handle->length = handle->buffer != NULL ? length : 0;
  return handle->buffer != NULL || es_compute_error_no_memory (_("a tile"), error);
}

/* One row of one band, each sample of `size` bytes. */
static void
copy_row (const EskTile *from, size_t row, size_t band, gsize size, guint8 *to)
{
  const guint8 *at = (const guint8 *) from->data
                     + ((ptrdiff_t) row * from->row_stride + (ptrdiff_t) band * from->band_stride) * (ptrdiff_t) size;

  if (from->column_stride == 1)
    memcpy (to, at, from->width * size);
  else
    for (size_t x = 0; x < from->width; x++)
      memcpy (to + x * size, at + (ptrdiff_t) x * from->column_stride * (ptrdiff_t) size, size);
}

static gboolean
joined_read (EsSampleSource *source, gpointer data, const EsCubeWindow *window, void *buffer, EskTile *tile,
             GError **error)
{
  JoinedSource *self = (JoinedSource *) source;
  Handle *handle = data;
  EskType type = ESK_U8;
  const gsize row = window->width * self->size;
  gsize length;

  /* Of bands that were left out there may be many more than of those that the window was measured by. */
  if (__builtin_mul_overflow (row, window->height, &length) || __builtin_mul_overflow (length, self->most, &length))
    return es_compute_error_no_memory (_("a tile"), error);
  if (!grow (handle, length, error))
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    {
      EskTile part;

      if (!self->sources[i]->read (self->sources[i], handle->handles[i], window, handle->buffer, &part, error))
        return FALSE;
      type = part.type;
      for (guint64 y = 0; y < window->height; y++)
        for (guint b = 0; b < self->n_bands; b++)
          if (self->bands[b].source == i)
            copy_row (&part, y, self->bands[b].band, self->size,
                      (guint8 *) buffer + (y * self->n_bands + b) * row);
    }
  *tile = (EskTile) {
    .data = buffer, .type = type, .width = window->width, .height = window->height, .bands = self->n_bands,
    .column_stride = 1, .row_stride = (ptrdiff_t) (window->width * self->n_bands),
    .band_stride = (ptrdiff_t) window->width,
  };
  return TRUE;
}

static gboolean
joined_read_band (EsSampleSource *source, gpointer data, guint band, const EsCubeWindow *window, void *buffer,
                  EskTile *tile, GError **error)
{
  JoinedSource *self = (JoinedSource *) source;
  const EsMdimBand *at = &self->bands[band];

  return self->sources[at->source]->read_band (self->sources[at->source], ((Handle *) data)->handles[at->source],
                                               at->band, window, buffer, tile, error);
}

static gboolean
joined_read_mask (EsSampleSource *source, gpointer data, const guint32 *bands, gsize n, const EsCubeWindow *window,
                  guint8 *mask, GError **error)
{
  JoinedSource *self = (JoinedSource *) source;

  for (gsize i = 0; i < n; i++)
    {
      const EsMdimBand *at = &self->bands[bands[i]];
      EsSampleSource *part = self->sources[at->source];
      const guint32 band = at->band;

      if (part->read_mask != NULL
          && !part->read_mask (part, ((Handle *) data)->handles[at->source], &band, 1, window, mask, error))
        return FALSE;
    }
  return TRUE;
}

static void
joined_free (EsSampleSource *source)
{
  JoinedSource *self = (JoinedSource *) source;

  for (guint i = 0; i < self->n; i++)
    self->sources[i]->free (self->sources[i]);
  g_free (self->sources);
  g_free (self->bands);
  g_free (self);
}

EsSampleSource *
es_mdim_joined_new (EsSampleSource **sources, guint n, const EsMdimBand *bands, guint n_bands, guint most, gsize size)
{
  JoinedSource *self = g_new0 (JoinedSource, 1);

  self->parent = (EsSampleSource) {
    .handle_new = joined_handle_new, .handle_free = joined_handle_free,
    .read = joined_read, .read_band = joined_read_band, .free = joined_free,
    .block_width = 1, .block_height = 1,
  };
  for (guint i = 0; i < n; i++)
    {
      self->parent.block_width = MAX (self->parent.block_width, sources[i]->block_width);
      self->parent.block_height = MAX (self->parent.block_height, sources[i]->block_height);
      self->parent.unpacked += sources[i]->unpacked;
      if (sources[i]->read_mask != NULL)
        {
          self->parent.read_mask = joined_read_mask;
          self->parent.mask_by_band = TRUE;
        }
    }
  self->sources = g_memdup2 (sources, n * sizeof *sources);
  self->n = n;
  self->most = most;
  self->bands = g_memdup2 (bands, n_bands * sizeof *bands);
  self->n_bands = n_bands;
  self->size = size;
  return &self->parent;
}
