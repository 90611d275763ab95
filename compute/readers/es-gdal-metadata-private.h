/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gdal.h>

#include "es-reader-private.h"

G_BEGIN_DECLS

/* Fills what a raster says besides its samples: wavelengths, fwhm, bad bands, no-data, scale, names,
 * georeference. The size and type of info are set before. */
void es_gdal_read_metadata (EsReaderInput *input, GDALDatasetH handle, EsCubeInfo *info);

G_END_DECLS
