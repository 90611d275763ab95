/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <hdf5.h>

#include "es-reader-private.h"

G_BEGIN_DECLS

/* Datasets that the HDF5 library reads for us. All of these are called with es_hdf_lock () held. */

/* As what samples are read into memory; negative: as nothing that the library knows. */
hid_t          es_hdf_memory_type  (EskType type);

/* A cache for the chunks that stretches of a dataset lie in. */
typedef struct
{
  guint   stretches;           /* so many of them at once */
  guint   share;               /* one part in so many of the memory is taken at most, */
  guint64 most;                /* and so many bytes */
} EsHdfCache;

/* Opens a dataset with a cache, if it is in chunks. across: n_axes numbers; how many samples a stretch has along each
 * axis, 1 where it stays within one chunk. *unpacked (nullable): the bytes of the chunks of one stretch where the cache
 * cannot hold them; else 0. */
hid_t          es_hdf_open_cached  (hid_t file, const char *path, int n_axes, const guint64 *across,
                                    const EsHdfCache *cache, guint64 *unpacked);
/* n_axes numbers each; FALSE where the dataset has another number of axes, too. */
gboolean       es_hdf_read_slab    (hid_t dataset, hid_t memory_type, int n_axes, const hsize_t *start,
                                    const hsize_t *count, void *buffer);

/* A dataset of two axes that holds samples. */
typedef struct
{
  guint64  frames, channels;
  gboolean by_channel;         /* its axes are channels x frames */
  EskType  type;               /* as which it is read */
  double   scale;
  char     type_name[16];
} EsHdfShape;

/* FALSE where the dataset has not two axes, or no numbers that a recording can have. channels_first: nullable; whether
 * the first axis is that of the channels; NULL: the shorter one is. */
gboolean       es_hdf_find_shape   (hid_t dataset, const gboolean *channels_first, EsHdfShape *shape);
/* A number of one of these names (NULL-terminated): an attribute of the object. FALSE: there is none. */
gboolean       es_hdf_read_number  (hid_t object, const char * const *names, double *value);
/* One of a dataset of its own in this group. */
gboolean       es_hdf_read_scalar  (hid_t group, const char * const *names, double *value);
/* The names under which a rate is known. */
extern const char * const es_hdf_rate_names[];

/*
 * Samples by hyperslabs. Opens the file for itself, with a cache that holds the chunks of one stretch of time of every
 * channel, so that reading block after block unpacks each chunk once. NULL with a sentence. *unpacked: bytes that a
 * short read unpacks, where that is more than the cache holds; else 0.
 */
EsFrameSource *es_hdf_source_new   (EsReaderInput *input, const char *path, const EsHdfShape *shape, guint64 *unpacked,
                                    GError **error);

G_END_DECLS
