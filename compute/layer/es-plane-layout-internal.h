/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Where a file has planes of float32 samples, each in one piece, in the machine's byte order. */
typedef struct
{
  guint64 width, height;
  guint   planes;
  guint64 start;               /* bytes before the first plane */
  guint64 pitch;               /* bytes from plane to plane */
} EsPlaneLayout;

/*
 * Makes an uncompressed GeoTIFF of zeros at part, which takes no room on the disk yet; width, height and planes of
 * data, an EsPlaneLayout, are given, the others are told. Samples may then be written to it past GDAL, and tags be set
 * with it. path: what messages name. ES_DATA_ERROR_WRITE. It is an EsStorePrepare.
 */
gboolean es_tiff_layout_make (const char *part, const char *path, gpointer data, guint64 *length, GError **error);
/* The same of an HDF5 file whose dataset "values" (planes x height x width) is not in chunks. */
gboolean es_hdf5_layout_make (const char *part, const char *path, gpointer data, guint64 *length, GError **error);

G_END_DECLS
