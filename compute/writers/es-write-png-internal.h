/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "libraries/es-gdal-library-internal.h"
#include "saving/es-output-internal.h"

G_BEGIN_DECLS

/* A picture as PNG into an output. Packed in memory: of a full disk GDAL has libpng's words only. options: of the
 * driver; nullable. picture NULL: there is none, which is told. ES_DATA_ERROR_WRITE. */
gboolean es_write_png (GDALDatasetH picture, char **options, const EsOutput *output, GError **error);

G_END_DECLS
