/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-reader-private.h"
#include "hdf/es-hdf-samples-internal.h"
#include "libraries/es-hdf5-library-internal.h"

G_BEGIN_DECLS

/* All of these are called with es_hdf_lock () held. */

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
 * short read unpacks, where that is more than the cache holds; else 0. Gives the lock up while it tries a frame.
 */
EsFrameSource *es_hdf_source_new   (EsReaderInput *input, const char *path, const EsHdfShape *shape, guint64 *unpacked,
                                    GError **error);

G_END_DECLS
