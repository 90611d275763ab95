/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sample-store-private.h"

#include "ranks/es-ranks-internal.h"

/* What is larger than this is not kept in the host's memory between uses. */
#define MOST_KEPT ((gsize) 256 << 20)

EsSampleStore *
es_sample_store_new (guint planes, gboolean in_file)
{
  EsSampleStore *self = g_new0 (EsSampleStore, 1);

  g_atomic_ref_count_init (&self->references);
  g_mutex_init (&self->lock);
  self->planes = planes;
  self->in_file = in_file;
  self->file = es_store_new ("samples", 0);
  self->users = 1;
  self->chunks = g_array_new (FALSE, TRUE, sizeof (EsSampleChunk));
  return self;
}

EsSampleStore *
es_sample_store_ref (EsSampleStore *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
es_sample_store_unref (EsSampleStore *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  es_sample_store_empty (self);
  g_array_unref (self->chunks);
  g_mutex_clear (&self->lock);
  es_store_free (self->file);
  g_free (self);
}

static void
empty_locked (EsSampleStore *self)
{
  for (guint i = 0; i < self->chunks->len; i++)
    {
      EsSampleChunk *chunk = &g_array_index (self->chunks, EsSampleChunk, i);
      g_free (chunk->samples);
      g_clear_pointer (&chunk->buffer, es_buffer_unref);
      g_clear_pointer (&chunk->cache, es_buffer_cache_free);
    }
  g_array_set_size (self->chunks, 0);
  self->count = self->all = self->file_size = 0;
  self->largest = 0;
  es_store_empty (self->file);
}

void
es_sample_store_empty (EsSampleStore *self)
{
  g_mutex_lock (&self->lock);
  empty_locked (self);
  g_mutex_unlock (&self->lock);
}

/* ---- filling ---- */

static void
add_chunk_locked (EsSampleStore *self, const EsSampleChunk *chunk)
{
  g_array_append_val (self->chunks, *chunk);
  self->count += chunk->count;
  self->largest = MAX (self->largest, chunk->count);
}

gboolean
es_sample_store_add (EsSampleStore *self, guint64 key, guint group, float *samples, gsize count, GError **error)
{
  EsSampleChunk chunk = { .key = key, .group = group, .samples = samples, .count = count, .stride = count };
  const gsize bytes = count * self->planes * sizeof (float);
  gboolean written = TRUE;

  if (count == 0)
    {
      g_free (samples);
      return TRUE;
    }
  g_mutex_lock (&self->lock);
  if (self->in_file)
    {
      written = es_store_open_file (self->file, error);
      chunk.offset = self->file_size;
      chunk.samples = NULL;
      self->file_size += bytes;
    }
  if (written)
    add_chunk_locked (self, &chunk);
  g_mutex_unlock (&self->lock);

  if (self->in_file)
    {
      written = written && es_store_write (self->file, samples, bytes, chunk.offset, error);
      g_free (samples);
    }
  return written;
}

void
es_sample_store_add_buffer (EsSampleStore *self, guint64 key, guint member, EsBuffer *buffer, gsize count,
                            gsize stride)
{
  const EsSampleChunk chunk = { .key = key, .member = member, .buffer = es_buffer_ref (buffer), .count = count,
                                .stride = stride };

  g_mutex_lock (&self->lock);
  self->on_devices = TRUE;
  add_chunk_locked (self, &chunk);
  g_mutex_unlock (&self->lock);
}

static int
compare_chunks (gconstpointer a, gconstpointer b)
{
  const EsSampleChunk *first = a, *second = b;

  return first->key < second->key ? -1 : first->key > second->key;
}

gboolean
es_sample_store_close (EsSampleStore *self, GError **error)
{
  gint64 all = (gint64) self->count;

  g_array_sort (self->chunks, compare_chunks);
  if (!es_ranks_sum_integers (&all, 1, error))
    return FALSE;
  self->all = (guint64) all;
  return TRUE;
}

guint64
es_sample_store_get_count (EsSampleStore *self)
{
  return self->all;
}

guint64
es_sample_store_get_own_count (EsSampleStore *self)
{
  return self->count;
}

gsize
es_sample_store_get_bytes (EsSampleStore *self)
{
  return self->all * self->planes * sizeof (float);
}

gboolean
es_sample_store_peek (EsSampleStore *self, guint i, guint64 *key, const float **samples, gsize *count)
{
  if (i >= self->chunks->len)
    return FALSE;

  const EsSampleChunk *chunk = &g_array_index (self->chunks, EsSampleChunk, i);
  *key = chunk->key;
  *samples = chunk->samples;
  *count = chunk->count;
  return chunk->samples != NULL && chunk->stride == chunk->count;
}

gboolean
es_sample_store_peek_device (EsSampleStore *self, guint i, guint *member, const float **samples, gsize *count,
                             gsize *stride)
{
  if (i >= self->chunks->len)
    return FALSE;

  const EsSampleChunk *chunk = &g_array_index (self->chunks, EsSampleChunk, i);
  if (chunk->buffer == NULL)
    return FALSE;
  *member = chunk->member;
  *samples = es_buffer_get_data (chunk->buffer);
  *count = chunk->count;
  *stride = chunk->stride;
  return TRUE;
}

gboolean
es_sample_store_is_on_devices (EsSampleStore *self)
{
  return self->on_devices;
}

gboolean
es_sample_store_is_in_file (EsSampleStore *self)
{
  return self->in_file;
}

/* ---- between uses ---- */

void
es_sample_store_relax (EsSampleStore *self)
{
  g_mutex_lock (&self->lock);
  const gboolean last = --self->users == 0;
  for (guint i = 0; last && i < self->chunks->len; i++)
    {
      EsSampleChunk *chunk = &g_array_index (self->chunks, EsSampleChunk, i);
      if (chunk->buffer == NULL)
        continue;
      if (chunk->cache == NULL)
        chunk->cache = es_buffer_cache_new ();
      es_buffer_cache_put (chunk->cache, chunk->buffer);
      g_clear_pointer (&chunk->buffer, es_buffer_unref);
    }
  /* Before anybody can take them again: he would find nothing, and sum that. */
  if (last && !self->on_devices && (self->in_file || es_sample_store_get_bytes (self) > MOST_KEPT))
    empty_locked (self);
  g_mutex_unlock (&self->lock);
}

gboolean
es_sample_store_take (EsSampleStore *self)
{
  gboolean complete;

  g_mutex_lock (&self->lock);
  /* Of several processes one may have none. */
  complete = self->all > 0;
  for (guint i = 0; complete && self->on_devices && i < self->chunks->len; i++)
    {
      EsSampleChunk *chunk = &g_array_index (self->chunks, EsSampleChunk, i);
      if (chunk->buffer == NULL)
        chunk->buffer = es_buffer_cache_get (chunk->cache);
      complete = chunk->buffer != NULL;
    }
  if (complete)
    self->users++;
  else if (self->users == 0)
    for (guint i = 0; i < self->chunks->len; i++)
      g_clear_pointer (&g_array_index (self->chunks, EsSampleChunk, i).buffer, es_buffer_unref);
  g_mutex_unlock (&self->lock);
  return complete;
}
