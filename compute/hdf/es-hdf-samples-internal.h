/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "es-hotspots.h"
#include "libraries/es-hdf5-library-internal.h"

G_BEGIN_DECLS

/* The samples of one dataset of an HDF5 file, by slabs. */
typedef struct _EsHdfSamples EsHdfSamples;

/* What is kept of chunks that were unpacked: those that stretches of the dataset lie in. */
typedef struct
{
  guint   stretches;           /* so many of them at once */
  guint   share;               /* one part in so many of the memory is taken at most, */
  guint64 most;                /* and so many bytes */
} EsHdfCache;

/*
 * With es_hdf_lock () held. NULL where there is no such dataset of n_axes axes, or its type is unknown; exact: or where
 * memory would not get every number as it is. across: n_axes numbers; how many samples a stretch has along each axis, 1
 * where it stays within one chunk. *unpacked (nullable): the bytes of the chunks of one stretch where the cache cannot
 * hold them; else 0.
 */
EsHdfSamples *es_hdf_samples_new  (const char *path, const char *dataset, EskType type, gboolean exact, int n_axes,
                                   const guint64 *across, const EsHdfCache *cache, guint64 *unpacked);
void          es_hdf_samples_free (EsHdfSamples *self);
/* Bytes that have to be unpacked for a single sample; 0: none that are known. */
guint64       es_hdf_samples_get_least (EsHdfSamples *self);

/* Without the lock, in any thread, several at once. start, count: n_axes numbers each; buffer: the samples of the slab,
 * the last axis fastest. FALSE: outside, damaged, cut short, or packed in a way that is not known here. Blocking. */
gboolean      es_hdf_samples_read (EsHdfSamples *self, const guint64 *start, const guint64 *count, void *buffer);

/* Of numbers in memory; -1: there is none. */
hid_t         es_hdf_memory_type  (EskType type);

/* With es_hdf_lock () held, which is given up for a while. All samples of an open dataset of these lengths (n_axes of
 * them, maybe none) as memory_type. FALSE: it has others, is damaged or cut short. Blocking. */
gboolean      es_hdf_read_whole   (hid_t dataset, hid_t memory_type, int n_axes, const guint64 *lengths, void *buffer);

G_END_DECLS
