/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-reader-private.h"
#include "libraries/es-gdal-library-internal.h"

G_BEGIN_DECLS

/* Fills what a raster says besides its samples: wavelengths, fwhm, bad bands, no-data, scale, names,
 * georeference. The size and type of info are set before; list: the info->bands bands of the raster that are the
 * cube's, from 1. */
void es_gdal_read_metadata (EsReaderInput *input, GDALDatasetH handle, const int *list, EsCubeInfo *info);
/* What the text of a product beside the raster tells of the same bands, if there is one; what is wrong with it becomes
 * a note. */
void es_reader_take_product (EsReaderInput *input, GDALDatasetH handle, const int *list, EsCubeInfo *info);

/* GDAL's name of the subdataset that is to be opened: the one that was named, or the one that tells most of itself; all
 * of several bands become input->arrays. NULL: there is none. Transfer full. */
char *es_gdal_choose_part (EsReaderInput *input, GDALDatasetH handle, const char * const *drivers);
/* A name for people of GDAL's name of a subdataset: without the driver and the path, so that it holds wherever the file
 * lies. Transfer full. */
char *es_gdal_name_part   (const char *connection, const char *path);

G_END_DECLS
