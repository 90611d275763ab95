/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-device.h"
#include "es-hotspots.h"

G_BEGIN_DECLS

/*
 * Memory where a device computes: of the GPU, or of the host for the CPU. Counted; freed in the device when nobody has
 * it any more. All buffers of a device together stay below its budget (es_device_get_budget); what is only a cache
 * (es-resident-internal.h) makes room for what is needed now.
 */
typedef struct _EsBuffer EsBuffer;

/* ES_COMPUTE_ERROR_MEMORY, which names the device and how much was asked for. */
EsBuffer *es_buffer_new      (EsDevice *device, gsize bytes, GError **error);
EsBuffer *es_buffer_ref      (EsBuffer *self);
void      es_buffer_unref    (EsBuffer *self);
void     *es_buffer_get_data (EsBuffer *self);
gsize     es_buffer_get_size (EsBuffer *self);
EsDevice *es_buffer_get_device (EsBuffer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsBuffer, es_buffer_unref)

/* Bytes of the device's memory that are in use by this process's buffers. */
guint64   es_buffers_get_used (EsDevice *device);
/* Memory that was freed is kept for some seconds, for the next buffer of its size; within the budget. This gives it
 * back at once. */
void      es_buffers_trim     (EsDevice *device);

/*
 * A place for a buffer that is only a cache: it is emptied, the place not used for longest first, when es_buffer_new ()
 * finds no room on the buffer's device, unless somebody holds a reference of his own to the buffer. Any thread.
 */
typedef struct _EsBufferCache EsBufferCache;

EsBufferCache *es_buffer_cache_new  (void);
void           es_buffer_cache_free (EsBufferCache *self);
/* NULL empties it. Takes a reference of its own. */
void           es_buffer_cache_put  (EsBufferCache *self, EsBuffer *buffer);
/* Transfer full; NULL where it is empty. It counts as used now. */
EsBuffer      *es_buffer_cache_get  (EsBufferCache *self);
/* Whether there is something in it; does not count as use. */
gboolean       es_buffer_cache_has  (EsBufferCache *self);
/* Empties every place on the device whose buffer nobody else holds. */
void           es_buffer_caches_clear (EsDevice *device);

/* Page-locked host memory from a pool that lives as long as the process (making it costs 0.3 ms a megabyte).
 * NULL: not that much. device: a GPU. */
void     *es_staging_take    (EsDevice *device, gsize bytes);
/* Only what is in the pool already: NULL, where it would have to be made. */
void     *es_staging_take_idle (EsDevice *device, gsize bytes);
void      es_staging_give    (EsDevice *device, void *staging, gsize bytes);

/* A stream of the device's from a pool (making one costs a millisecond and its scratch memory more). NULL: no memory,
 * or the device is lost. */
EskStream *es_device_take_stream (EsDevice *device);
void       es_device_give_stream (EsDevice *device, EskStream *stream);
/* Frees the streams that nobody uses, and their scratch memory. */
void       es_device_trim_streams (EsDevice *device);

G_END_DECLS
