/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gdal.h>

#include "es-reader-private.h"
#include "hdf/es-hdf-samples-internal.h"

G_BEGIN_DECLS

/* Roles of an array's axes. */
enum { ES_AXIS_COLUMN, ES_AXIS_ROW, ES_AXIS_BAND };

/* How an array of three (or more, the others of length 1) axes is a cube. */
typedef struct
{
  size_t   n_axes;
  size_t   axis[3];            /* which axis of the array plays each role */
  guint64  length[3];
  gboolean guessed;            /* nothing said which axis is spectral */
} EsMdimShape;

/* One-dimensional variables anywhere in the file: GPtrArray of GDALMDArrayH. Transfer full. */
GPtrArray *es_mdim_list_vectors (EsReaderInput *input, GDALGroupH root);

/* Counts one more group or array that is looked at: FALSE where it was cancelled, or there have been enough. */
gboolean   es_mdim_goes_on      (EsReaderInput *input, guint *looked);

/* FALSE where the array is no cube. vectors: as above. */
gboolean   es_mdim_find_shape   (GDALMDArrayH array, GPtrArray *vectors, EsMdimShape *shape);

/* Wavelengths, widths, bad bands, no-data, scale, unit and georeference. *flip becomes TRUE where the rows
 * are stored from south to north: the cube then has them the other way round. */
void       es_mdim_read_metadata (EsReaderInput *input, GDALGroupH root, GDALMDArrayH array,
                                  GPtrArray *vectors, const EsMdimShape *shape, EsCubeInfo *info,
                                  gboolean *flip);

/* Between which numbers samples, as they are stored, are data; infinite where the file does not say. */
typedef struct
{
  double   low, high;
} EsMdimValid;

/* "_Unsigned": integers with a sign are to be taken for some without, bit by bit. */
gboolean   es_mdim_is_unsigned  (GDALMDArrayH array);
/* What integers with a sign, as GDAL reads them as that type, are without it: GDAL knows of some that they have none,
 * and has no int8. With es_hdf_lock () held; hdf_path: of the dataset, where it is one of HDF5. */
EskType    es_mdim_without_sign (EsReaderInput *input, const char *hdf_path, EskType type);
/* What a negative number that the file keeps beside such integers is without a sign; others stay. */
double     es_mdim_turn         (GDALMDArrayH array, EskType type, double value);
/* "valid_range", or "valid_min" and "valid_max"; noted. */
void       es_mdim_read_valid   (EsReaderInput *input, GDALMDArrayH array, EskType type, EsMdimValid *valid);
gboolean   es_mdim_valid_is_any (const EsMdimValid *valid);
/* mask[height * width of a tile of one band] becomes 0 where a sample is not. */
void       es_mdim_mask_invalid (const EsMdimValid *valid, const EskTile *tile, guint8 *mask);

/* The samples of an HDF5 file, also one of netCDF-4. With es_hdf_lock () held. NULL: GDAL has to read them (no HDF5, or
 * a type that it makes something else of). */
EsHdfSamples *es_mdim_hdf_new    (EsReaderInput *input, const char *variable, const EsMdimShape *shape, EskType type);
/* The name under which an HDF5 file, under the same lock, has a variable of netCDF: another one where a dimension that
 * it does not belong to is called as it is. Transfer full. */
char         *es_mdim_hdf_find_path   (EsReaderInput *input, const char *variable);
/* The size of a dataset of integers with a sign; 0: it is none. Under the same lock. */
gsize         es_mdim_hdf_get_signed_size (EsReaderInput *input, const char *variable);
/* All n numbers of a vector of an HDF5 file, under the same lock, which is given up for a while. Transfer full. NULL:
 * they are no numbers, damaged, or were never written, which is noted. */
double       *es_mdim_hdf_read_vector (EsReaderInput *input, const char *variable, gsize n);

G_END_DECLS
