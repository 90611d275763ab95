/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "libraries/es-hdf5-library-internal.h"

G_BEGIN_DECLS

/* The chunks of a dataset that we unpack ourselves: many threads at once, each chunk once while the cache holds it. */
typedef struct _EsHdfChunks EsHdfChunks;

/*
 * With es_hdf_lock () held, both. A dataset of numbers, which stays the caller's and open; they are read as
 * memory_type. NULL where the library has to read: samples that are not in chunks, are not packed, or in another way.
 * cache_bytes: of unpacked chunks; one is held in any case. stretch: bytes of those that are wanted again and again, in
 * turn, should the cache not hold them.
 */
EsHdfChunks *es_hdf_chunks_new  (hid_t dataset, hid_t memory_type, guint64 cache_bytes, guint64 stretch);
void         es_hdf_chunks_free (EsHdfChunks *self);
/* Bytes that are held in any case. */
gsize        es_hdf_chunks_get_bytes (EsHdfChunks *self);

/*
 * Without the lock. Any thread. start, count: as many numbers as there are axes; buffer: the samples of the slab, the
 * last axis fastest. FALSE: outside, damaged or cut short, or there is no memory. Blocking.
 */
gboolean     es_hdf_chunks_read (EsHdfChunks *self, const hsize_t *start, const hsize_t *count, void *buffer);

G_END_DECLS
