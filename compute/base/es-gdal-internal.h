/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "es-type.h"

G_BEGIN_DECLS

/* GDAL, made ready on first use only. */
void     es_gdal_prepare   (void);
/* Between these two GDAL's messages on this thread are caught; the last failure is returned by end. Transfer
 * full. */
void     es_gdal_begin     (void);
char    *es_gdal_end       (void);
/* Such a message (nullable) as the end of a sentence of ours, without the path. Transfer full. */
char    *es_gdal_reason    (const char *message, const char *path);
/* GDALDataType to EskType; FALSE for complex and unknown ones. */
gboolean es_gdal_type      (int gdal_type, EskType *type);
/* The other way round: what a buffer of that type is called. */
int      es_gdal_type_of   (EskType type);

G_END_DECLS
