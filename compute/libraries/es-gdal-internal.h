/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "es-type.h"

G_BEGIN_DECLS

/* GDAL, loaded and made ready on first use only, for the file of that name (nullable). FALSE: it is missing. */
gboolean es_gdal_prepare   (const char *name, GError **error);
/* The drivers that open a file by themselves; NULL-terminated short names. All others that GDAL has are put away by
 * es_gdal_prepare (), and no address of a network is opened, so that nothing that a file names is either. */
const char * const *es_gdal_raster_drivers (void);
/* For es_gdal_prepare (), once: what GDAL reads paths with, before anything else; and the drivers. */
void     es_gdal_make_handlers    (void);
void     es_gdal_put_drivers_away (void);
/* A driver that was put away is there from now on, for a person named it. ES_DATA_ERROR_UNSUPPORTED: GDAL has none of
 * that name, or it asks servers. */
gboolean es_gdal_allow_driver (const char *name, GError **error);
/* Which driver that was put away a file that begins like this is for, as far as that is plain; NULL: nobody knows. */
const char *es_gdal_guess_driver (const guint8 *head, gsize length);
gboolean es_gdal_driver_is_remote (const char *name);
/* Lowers what GDAL keeps of unpacked blocks, all files together, to so many bytes, but for the least that serves. */
void     es_gdal_limit_cache (guint64 bytes);
/* Between these two GDAL's messages on this thread are caught; the last failure is returned by end. Transfer
 * full. */
void     es_gdal_begin     (void);
char    *es_gdal_end       (void);
/* Such a message (nullable) as the end of a sentence of ours, without the path. Transfer full. */
char    *es_gdal_reason    (const char *message, const char *path);
/* Fills an OGRSpatialReferenceH from WKT, or “EPSG:4326”. GDAL's own way to do so takes any text, also the name of a
 * file or an address on the network, which no file may lead to by what it says. FALSE: it is neither. */
gboolean es_gdal_read_system (gpointer system, const char *text);
/* GDALDataType to EskType; FALSE for complex and unknown ones. */
gboolean es_gdal_type      (int gdal_type, EskType *type);
/* The other way round: what a buffer of that type is called. */
int      es_gdal_type_of   (EskType type);

G_END_DECLS
