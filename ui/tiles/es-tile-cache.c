/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-tile-cache.h"

#include <string.h>

#define CACHE_BYTES ((gsize) 256 * 1024 * 1024)

typedef struct
{
  EsTileKey key;
  GBytes   *samples;
  GList     link;              /* of the queue */
} Tile;

static GMutex lock;
static GHashTable *tiles;      /* set of Tile, by their keys */
static GQueue used = G_QUEUE_INIT;       /* the last used first */
static gsize size;

static G_DEFINE_QUARK (es-tile-cache-name, name)

static guint
hash_key (gconstpointer data)
{
  const EsTileKey *key = data;
  const guint64 place = key->data * 31 + key->plane;

  return g_int64_hash (&place) * 31 + ((key->level * 8191 + key->y) * 8191 + key->x);
}

static gboolean
equal_keys (gconstpointer a, gconstpointer b)
{
  const EsTileKey *one = a, *other = b;

  return one->data == other->data && one->plane == other->plane && one->level == other->level && one->x == other->x
         && one->y == other->y;
}

static void
drop (Tile *tile)
{
  g_queue_unlink (&used, &tile->link);
  g_hash_table_remove (tiles, &tile->key);
  size -= g_bytes_get_size (tile->samples);
  g_bytes_unref (tile->samples);
  g_free (tile);
}

/* The cube or stack is gone. */
static void
forget (gpointer data)
{
  g_autofree guint64 *name = data;

  g_mutex_lock (&lock);
  for (GList *link = used.head, *next; link != NULL; link = next)
    {
      Tile *tile = link->data;

      next = link->next;
      if (tile->key.data == *name)
        drop (tile);
    }
  g_mutex_unlock (&lock);
}

guint64
es_tile_cache_name (GObject *data)
{
  static guint64 last;
  guint64 *name = g_object_get_qdata (data, name_quark ());

  if (name == NULL)
    {
      name = g_new (guint64, 1);
      *name = ++last;
      g_object_set_qdata_full (data, name_quark (), name, forget);
    }
  return *name;
}

GBytes *
es_tile_cache_find (const EsTileKey *key)
{
  GBytes *samples = NULL;
  Tile *tile;

  g_mutex_lock (&lock);
  tile = tiles != NULL ? g_hash_table_lookup (tiles, key) : NULL;
  if (tile != NULL)
    {
      g_queue_unlink (&used, &tile->link);
      g_queue_push_head_link (&used, &tile->link);
      samples = g_bytes_ref (tile->samples);
    }
  g_mutex_unlock (&lock);
  return samples;
}

void
es_tile_cache_add (const EsTileKey *key, GBytes *samples)
{
  g_mutex_lock (&lock);
  if (tiles == NULL)
    tiles = g_hash_table_new (hash_key, equal_keys);
  if (!g_hash_table_contains (tiles, key))
    {
      Tile *tile = g_new0 (Tile, 1);

      tile->key = *key;
      tile->samples = g_bytes_ref (samples);
      tile->link.data = tile;
      size += g_bytes_get_size (samples);
      g_hash_table_insert (tiles, &tile->key, tile);
      g_queue_push_head_link (&used, &tile->link);
      while (size > CACHE_BYTES && used.length > 1)
        drop (used.tail->data);
    }
  g_mutex_unlock (&lock);
}

gsize
es_tile_cache_get_size (void)
{
  gsize bytes;

  g_mutex_lock (&lock);
  bytes = size;
  g_mutex_unlock (&lock);
  return bytes;
}
