/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gdal.h>

#include "es-reader-private.h"

G_BEGIN_DECLS

/* Fills what a raster says besides its samples: wavelengths, fwhm, bad bands, no-data, scale, names,
 * georeference. The size and type of info are set before; list: the info->bands bands of the raster that are the
 * cube's, from 1. */
void es_gdal_read_metadata (EsReaderInput *input, GDALDatasetH handle, const int *list, EsCubeInfo *info);

G_END_DECLS
