/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-buffer-internal.h"

#include <glib/gi18n-lib.h>

#include "es-device-private.h"
#include "base/es-error.h"

/* A card clears memory that is given back before anybody else gets it, in the copy engines, beside the copies of
 * whoever works then: 2 ms a gigabyte. Blocks are kept for so long for the next of their size. */
#define KEEP_US (3 * G_USEC_PER_SEC)
#define MOST_IDLE 8
/* Smaller ones are cheap to make. */
#define SMALLEST_IDLE ((gsize) 256 << 10)

struct _EsBuffer
{
  gatomicrefcount  references;
  EsDevice        *device;
  void            *data;
  gsize            size, capacity;
};

/* A block that nobody uses. */
typedef struct
{
  EsDevice *device;
  void     *data;
  gsize     capacity;
  gint64    until;
} Idle;

struct _EsBufferCache
{
  EsBuffer *buffer;              /* nullable */
  guint64   used;                /* when, in uses of all caches */
};

/* No call into a device is made while it is held: devices ask es_buffers_get_used () under locks of their own. */
static GMutex lock;
static GHashTable *used_bytes;   /* EsDevice -> guint64 */
static GPtrArray *caches;        /* those that hold a buffer */
static guint64 uses;
static GArray *idle;             /* of Idle, the oldest first */
static gboolean sweeping;

static guint64 *
used_locked (EsDevice *device)
{
  guint64 *used;

  if (used_bytes == NULL)
    used_bytes = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  used = g_hash_table_lookup (used_bytes, device);
  if (used == NULL)
    {
      used = g_new0 (guint64, 1);
      g_hash_table_insert (used_bytes, device, used);
    }
  return used;
}

guint64
es_buffers_get_used (EsDevice *device)
{
  guint64 used = 0;

  g_mutex_lock (&lock);
  for (guint i = 0; i < es_device_get_n_members (device); i++)
    used += *used_locked (es_device_get_member (device, i));
  g_mutex_unlock (&lock);
  return used;
}

/* ---- caches ---- */

EsBufferCache *
es_buffer_cache_new (void)
{
  return g_new0 (EsBufferCache, 1);
}

void
es_buffer_cache_free (EsBufferCache *self)
{
  es_buffer_cache_put (self, NULL);
  g_free (self);
}

void
es_buffer_cache_put (EsBufferCache *self, EsBuffer *buffer)
{
  EsBuffer *before;

  g_mutex_lock (&lock);
  if (caches == NULL)
    caches = g_ptr_array_new ();
  before = self->buffer;
  self->buffer = buffer != NULL ? es_buffer_ref (buffer) : NULL;
  self->used = ++uses;
  if (before == NULL && buffer != NULL)
    g_ptr_array_add (caches, self);
  else if (before != NULL && buffer == NULL)
    g_ptr_array_remove_fast (caches, self);
  g_mutex_unlock (&lock);
  g_clear_pointer (&before, es_buffer_unref);
}

EsBuffer *
es_buffer_cache_get (EsBufferCache *self)
{
  EsBuffer *buffer = NULL;

  g_mutex_lock (&lock);
  if (self->buffer != NULL)
    buffer = es_buffer_ref (self->buffer);
  self->used = ++uses;
  g_mutex_unlock (&lock);
  return buffer;
}

gboolean
es_buffer_cache_has (EsBufferCache *self)
{
  g_mutex_lock (&lock);
  gboolean has = self->buffer != NULL;
  g_mutex_unlock (&lock);
  return has;
}

/* Empties the cache of the device that has not been used for longest, of those whose buffer nobody uses now. Transfer
 * full: to be freed without the lock. */
static EsBuffer *
take_oldest_locked (EsDevice *device)
{
  EsBufferCache *oldest = NULL;
  EsBuffer *buffer;

  for (guint i = 0; caches != NULL && i < caches->len; i++)
    {
      EsBufferCache *cache = g_ptr_array_index (caches, i);
      if (cache->buffer->device == device && g_atomic_ref_count_compare (&cache->buffer->references, 1)
          && (oldest == NULL || cache->used < oldest->used))
        oldest = cache;
    }
  if (oldest == NULL)
    return NULL;
  g_ptr_array_remove_fast (caches, oldest);
  buffer = g_steal_pointer (&oldest->buffer);
  return buffer;
}

static gboolean
drop_oldest (EsDevice *device)
{
  g_mutex_lock (&lock);
  EsBuffer *buffer = take_oldest_locked (device);
  g_mutex_unlock (&lock);
  if (buffer == NULL)
    return FALSE;
  es_buffer_unref (buffer);
  return TRUE;
}

void
es_buffer_caches_clear (EsDevice *device)
{
  for (guint i = 0; i < es_device_get_n_members (device); i++)
    while (drop_oldest (es_device_get_member (device, i)))
      ;
}

/* ---- blocks between two uses ---- */

static void
free_block (EsDevice *device, void *data)
{
  es_device_get_hotspots (device)->device->memory_free (es_device_get_index (device), data);
}

static guint64
idle_locked (EsDevice *device)
{
  guint64 bytes = 0;

  for (guint i = 0; idle != NULL && i < idle->len; i++)
    if (g_array_index (idle, Idle, i).device == device)
      bytes += g_array_index (idle, Idle, i).capacity;
  return bytes;
}

/* Frees the oldest idle block of the device (NULL: of any whose time has come). FALSE: there is none. */
static gboolean
free_oldest_idle (EsDevice *device)
{
  const gint64 now = g_get_monotonic_time ();
  Idle block = { NULL };

  g_mutex_lock (&lock);
  for (guint i = 0; idle != NULL && i < idle->len; i++)
    {
      block = g_array_index (idle, Idle, i);
      if (device != NULL ? block.device == device : block.until <= now)
        {
          g_array_remove_index (idle, i);
          break;
        }
      block.data = NULL;
    }
  g_mutex_unlock (&lock);
  if (block.data == NULL)
    return FALSE;
  free_block (block.device, block.data);
  return TRUE;
}

static gpointer
sweep (gpointer data)
{
  gint64 next = g_get_monotonic_time () + KEEP_US;

  for (gboolean more = TRUE; more;)
    {
      /* No condition to wait for: a block that is taken before its time only makes this one look once in vain. */
      g_usleep (MAX (next - g_get_monotonic_time (), 1000));
      /* What is left goes with the process. */
      if (!es_devices_try_hold ())
        return NULL;
      while (free_oldest_idle (NULL))
        ;
      es_devices_release ();
      g_mutex_lock (&lock);
      more = sweeping = idle->len > 0;
      /* They stand in the order of their times. */
      if (more)
        next = g_array_index (idle, Idle, 0).until;
      g_mutex_unlock (&lock);
    }
  return NULL;
}

/* Keeps a block for the next, or frees it. */
static void
retire (EsDevice *device, void *data, gsize capacity)
{
  const Idle block = { device, data, capacity, g_get_monotonic_time () + KEEP_US };
  gboolean start = FALSE, full = TRUE;

  if (capacity < SMALLEST_IDLE || es_device_is_lost (device))
    {
      free_block (device, data);
      return;
    }
  g_mutex_lock (&lock);
  if (idle == NULL)
    idle = g_array_new (FALSE, FALSE, sizeof (Idle));
  g_array_append_val (idle, block);
  full = idle->len > MOST_IDLE;
  start = !sweeping;
  sweeping = TRUE;
  g_mutex_unlock (&lock);

  if (full)
    free_oldest_idle (device);
  if (start)
    {
      GThread *thread = g_thread_try_new ("es-idle-memory", sweep, NULL, NULL);
      if (thread != NULL)
        g_thread_unref (thread);
      else
        {
          while (free_oldest_idle (device))
            ;
          g_mutex_lock (&lock);
          sweeping = FALSE;
          g_mutex_unlock (&lock);
        }
    }
}

/* A block that is large enough, and not much larger. */
static void *
take_idle (EsDevice *device, gsize bytes, gsize *capacity)
{
  void *data = NULL;

  g_mutex_lock (&lock);
  for (guint i = idle != NULL ? idle->len : 0; i-- > 0 && data == NULL;)
    {
      const Idle *block = &g_array_index (idle, Idle, i);
      if (block->device == device && block->capacity >= bytes && block->capacity - bytes <= bytes / 8)
        {
          data = block->data;
          *capacity = block->capacity;
          g_array_remove_index (idle, i);
        }
    }
  g_mutex_unlock (&lock);
  return data;
}

void
es_buffers_trim (EsDevice *device)
{
  for (guint i = 0; i < es_device_get_n_members (device); i++)
    while (free_oldest_idle (es_device_get_member (device, i)))
      ;
}

/* ---- buffers ---- */

/* Counts the bytes as used, after emptying as many caches as that takes. */
static gboolean
reserve (EsDevice *device, gsize bytes)
{
  const guint64 budget = es_device_get_budget (device);

  for (;;)
    {
      g_mutex_lock (&lock);
      guint64 *used = used_locked (device);
      gboolean fits = bytes <= budget && *used <= budget - bytes;
      gboolean with_idle = fits && idle_locked (device) <= budget - bytes - *used;
      if (with_idle)
        *used += bytes;
      g_mutex_unlock (&lock);
      if (with_idle)
        return TRUE;
      if (bytes > budget || (!(fits && free_oldest_idle (device)) && !drop_oldest (device)))
        return FALSE;
    }
}

static void
release (EsDevice *device, gsize bytes)
{
  g_mutex_lock (&lock);
  *used_locked (device) -= bytes;
  g_mutex_unlock (&lock);
}

static void *
allocate (EsDevice *device, gsize bytes)
{
  const EskHotspots *hotspots = es_device_get_hotspots (device);
  const int index = es_device_get_index (device);
  void *data = hotspots->device->memory_new (index, bytes);

  /* Others may have taken what the budget counts on. */
  if (data == NULL && !es_device_is_lost (device))
    {
      es_buffers_trim (device);
      es_device_trim_streams (device);
      data = hotspots->device->memory_new (index, bytes);
      while (data == NULL && drop_oldest (device))
        {
          es_buffers_trim (device);
          data = hotspots->device->memory_new (index, bytes);
        }
    }
  return data;
}

EsBuffer *
es_buffer_new (EsDevice *device, gsize bytes, GError **error)
{
  const gboolean on_gpu = es_device_get_kind (device) == ES_DEVICE_GPU;
  EsBuffer *self;
  void *data = NULL;
  gsize capacity;

  g_return_val_if_fail (es_device_get_kind (device) != ES_DEVICE_ALL_GPUS, NULL);
  if (!es_device_check_not_lost (device, error))
    return NULL;

  bytes = capacity = MAX (bytes, 1);
  if (!on_gpu)
    {
      data = g_try_malloc (bytes);
      if (data != NULL)
        {
          g_mutex_lock (&lock);
          *used_locked (device) += bytes;
          g_mutex_unlock (&lock);
        }
    }
  else
    {
      data = take_idle (device, bytes, &capacity);
      if (!reserve (device, capacity))
        {
          if (data != NULL)
            free_block (device, data);
          data = NULL;
        }
      else if (data == NULL && (data = allocate (device, bytes)) == NULL)
        release (device, bytes);
    }
  if (data == NULL)
    {
      g_autofree char *size = g_format_size (bytes);
      g_autofree char *what = g_strdup_printf (_("a buffer of %s"), size);
      es_device_check (device, NULL, ESK_ERROR_MEMORY, what, error);
      return NULL;
    }

  self = g_new (EsBuffer, 1);
  g_atomic_ref_count_init (&self->references);
  self->device = device;
  self->data = data;
  self->size = bytes;
  self->capacity = capacity;
  return self;
}

EsBuffer *
es_buffer_ref (EsBuffer *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
es_buffer_unref (EsBuffer *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  if (es_device_get_kind (self->device) != ES_DEVICE_GPU)
    g_free (self->data);
  else
    retire (self->device, self->data, self->capacity);
  release (self->device, self->capacity);
  g_free (self);
}

void *
es_buffer_get_data (EsBuffer *self)
{
  return self->data;
}

gsize
es_buffer_get_size (EsBuffer *self)
{
  return self->size;
}

EsDevice *
es_buffer_get_device (EsBuffer *self)
{
  return self->device;
}
