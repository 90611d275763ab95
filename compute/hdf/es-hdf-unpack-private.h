/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "libraries/es-hdf5-library-internal.h"

G_BEGIN_DECLS

#define ES_HDF_MOST_FILTERS 8
/* So much longer than its samples a packed chunk may be: deflate and checksums add less. */
#define ES_HDF_LONGEST_PACKED(bytes) ((bytes) + (bytes) / 8 + 65536)

/* What a chunk goes through on its way into the file: deflate, shuffle and Fletcher's checksum, in any order. */
typedef struct
{
  guint        n;
  H5Z_filter_t filters[ES_HDF_MOST_FILTERS];
  gsize        size;           /* of a number in the file, in bytes */
} EsHdfPacking;

/* FALSE: with none, or with filters among them that only the library knows. (Without any it does not tell how long a
 * chunk is in the file.) */
gboolean es_hdf_packing_init (EsHdfPacking *self, hid_t plist, hid_t type);

/*
 * One chunk as it stands in the file, n bytes; skipped: a bit for each filter that it did not go through. The samples
 * as the file has them, bytes of them to the last one; NULL where they are not to be had: too few or too many of them,
 * a wrong checksum, a stream that does not end. Transfer full, to be given to g_free (), at least room bytes long.
 * packed is taken.
 *
 * The library itself takes whatever a stream unpacks to and reads on behind it, in what else is in memory.
 */
guint8  *es_hdf_unpack       (const EsHdfPacking *self, guint8 *packed, gsize n, guint32 skipped, gsize bytes,
                              gsize room);

G_END_DECLS
