/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Page-locked memory and streams, which take long to make and are kept for the next who needs one. */

#include "es-buffer-internal.h"

#include "es-device-internal.h"
#include "es-limits.h"

/* What is kept though nobody uses it: no more than this, nor more than this share of the machine's memory. */
#define LARGEST_POOL ((guint64) 2 << 30)
#define POOL_SHARE ((EsMemoryShare) { .of_limit = 1, .of_machine = 8 })
#define MOST_STREAMS 16

typedef struct
{
  void              *data;
  gsize              size;
  const EskHotspots *hotspots;
} Staging;

typedef struct
{
  EsDevice  *device;
  EskStream *stream;
} PooledStream;

static GMutex lock;
static GArray *idle_staging;     /* Staging; the one given back last is the last */
static guint64 idle_bytes;
static GHashTable *sizes;        /* of every block: address -> GSIZE */
static GArray *idle_streams;     /* PooledStream */

/* ---- staging ---- */

/* Removes the oldest idle block. */
static gboolean
take_oldest_locked (Staging *staging)
{
  if (idle_staging == NULL || idle_staging->len == 0)
    return FALSE;
  *staging = g_array_index (idle_staging, Staging, 0);
  g_array_remove_index (idle_staging, 0);
  idle_bytes -= staging->size;
  g_hash_table_remove (sizes, staging->data);
  return TRUE;
}

/* A block that is large enough, but not twice too large. */
static void *
take_idle (gsize bytes)
{
  void *data = NULL;
  guint best = G_MAXUINT;

  g_mutex_lock (&lock);
  for (guint i = 0; idle_staging != NULL && i < idle_staging->len; i++)
    {
      gsize size = g_array_index (idle_staging, Staging, i).size;
      if (size >= bytes && size / 2 <= bytes
          && (best == G_MAXUINT || size < g_array_index (idle_staging, Staging, best).size))
        best = i;
    }
  if (best != G_MAXUINT)
    {
      data = g_array_index (idle_staging, Staging, best).data;
      idle_bytes -= g_array_index (idle_staging, Staging, best).size;
      g_array_remove_index (idle_staging, best);
    }
  g_mutex_unlock (&lock);
  return data;
}

static gsize
size_of_block (gsize bytes)
{
  return (MAX (bytes, 1) + 0xffff) / 0x10000 * 0x10000;
}

void *
es_staging_take_idle (EsDevice *device, gsize bytes)
{
  const gsize size = size_of_block (bytes);

  return size >= bytes ? take_idle (size) : NULL;
}

void *
es_staging_take (EsDevice *device, gsize bytes)
{
  const EskHotspots *hotspots = es_device_get_hotspots (device);
  const gsize size = size_of_block (bytes);
  void *data = take_idle (size);
  Staging oldest;

  if (data != NULL || !ESK_HAS (hotspots, device, staging_new) || size < bytes)
    return data;

  for (;;)
    {
      data = hotspots->device->staging_new (size);
      g_mutex_lock (&lock);
      if (sizes == NULL)
        sizes = g_hash_table_new (NULL, NULL);
      if (data != NULL)
        g_hash_table_insert (sizes, data, GSIZE_TO_POINTER (size));
      gboolean again = data == NULL && take_oldest_locked (&oldest);
      g_mutex_unlock (&lock);
      if (!again)
        return data;
      oldest.hotspots->device->staging_free (oldest.data);
    }
}

void
es_staging_give (EsDevice *device, void *data, gsize bytes)
{
  static guint64 limit;
  g_autoptr (GArray) surplus = g_array_new (FALSE, FALSE, sizeof (Staging));
  Staging staging = { .data = data, .hotspots = es_device_get_hotspots (device) };

  if (data == NULL)
    return;
  g_mutex_lock (&lock);
  if (limit == 0)
    limit = MIN (LARGEST_POOL, es_limits_get_host_memory (NULL, POOL_SHARE));
  if (idle_staging == NULL)
    idle_staging = g_array_new (FALSE, FALSE, sizeof (Staging));
  staging.size = GPOINTER_TO_SIZE (g_hash_table_lookup (sizes, data));
  g_array_append_val (idle_staging, staging);
  idle_bytes += staging.size;
  while (idle_bytes > limit && take_oldest_locked (&staging))
    g_array_append_val (surplus, staging);
  g_mutex_unlock (&lock);
  for (guint i = 0; i < surplus->len; i++)
    g_array_index (surplus, Staging, i).hotspots->device->staging_free (g_array_index (surplus, Staging, i).data);
}

/* ---- streams ---- */

EskStream *
es_device_take_stream (EsDevice *device)
{
  const EskHotspots *hotspots = es_device_get_hotspots (device);
  EskStream *stream = NULL;

  g_return_val_if_fail (es_device_get_kind (device) != ES_DEVICE_ALL_GPUS, NULL);
  if (es_device_is_lost (device))
    return NULL;

  g_mutex_lock (&lock);
  for (guint i = idle_streams != NULL ? idle_streams->len : 0; i-- > 0 && stream == NULL;)
    if (g_array_index (idle_streams, PooledStream, i).device == device)
      {
        stream = g_array_index (idle_streams, PooledStream, i).stream;
        g_array_remove_index (idle_streams, i);
      }
  g_mutex_unlock (&lock);
  if (stream != NULL)
    return stream;

  stream = hotspots->stream->stream_new (es_device_get_index (device));
  /* Its scratch memory may be what the idle ones hold. */
  if (stream == NULL)
    {
      es_device_trim_streams (device);
      stream = hotspots->stream->stream_new (es_device_get_index (device));
    }
  return stream;
}

void
es_device_give_stream (EsDevice *device, EskStream *stream)
{
  const EskHotspots *hotspots;
  PooledStream pooled = { device, stream };
  gboolean kept = FALSE;

  /* What was never made ready may lack its device, too. */
  if (stream == NULL)
    return;
  hotspots = es_device_get_hotspots (device);
  /* One on which something has failed is not used again. */
  if (ESK_HAS (hotspots, device, wait) && hotspots->device->wait (stream) == ESK_OK && !es_device_is_lost (device))
    {
      guint n = 0;

      g_mutex_lock (&lock);
      if (idle_streams == NULL)
        idle_streams = g_array_new (FALSE, FALSE, sizeof (PooledStream));
      for (guint i = 0; i < idle_streams->len; i++)
        n += g_array_index (idle_streams, PooledStream, i).device == device;
      kept = n < MOST_STREAMS;
      if (kept)
        g_array_append_val (idle_streams, pooled);
      g_mutex_unlock (&lock);
    }
  if (!kept)
    hotspots->stream->stream_free (stream);
}

void
es_device_trim_streams (EsDevice *device)
{
  const EskHotspots *hotspots = es_device_get_hotspots (device);

  for (;;)
    {
      EskStream *stream = NULL;

      g_mutex_lock (&lock);
      for (guint i = idle_streams != NULL ? idle_streams->len : 0; i-- > 0 && stream == NULL;)
        if (g_array_index (idle_streams, PooledStream, i).device == device)
          {
            stream = g_array_index (idle_streams, PooledStream, i).stream;
            g_array_remove_index (idle_streams, i);
          }
      g_mutex_unlock (&lock);
      if (stream == NULL)
        return;
      hotspots->stream->stream_free (stream);
    }
}
