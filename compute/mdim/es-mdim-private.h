/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube-internal.h"
#include "hdf/es-hdf-samples-internal.h"
#include "input/es-reader-input-internal.h"
#include "libraries/es-gdal-library-internal.h"

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
  gboolean wavelengths;        /* something tells wavelengths along it */
} EsMdimShape;

/* An array that is a cube, beside the entry of input->arrays with the same index. */
typedef struct
{
  char        *path;
  EsMdimShape  shape;
} EsMdimCandidate;

/* Arrays of two axes that tell where pixels lie; nullable. */
typedef struct
{
  char *latitude, *longitude;
} EsMdimPlaces;

/* One-dimensional variables anywhere in the file: GPtrArray of GDALMDArrayH. Transfer full. */
GPtrArray *es_mdim_list_vectors (EsReaderInput *input, GDALGroupH root);

/* Counts one more group or array that is looked at: FALSE where it was cancelled, or there have been enough. */
gboolean   es_mdim_goes_on      (EsReaderInput *input, guint *looked);

/* FALSE where the array is no cube. vectors: as above. */
gboolean   es_mdim_find_shape   (GDALMDArrayH array, GPtrArray *vectors, EsMdimShape *shape);

/* Wavelengths, widths, bad bands, no-data, scale, unit and georeference. *flip becomes TRUE where the rows
 * are stored from south to north: the cube then has them the other way round. */
void       es_mdim_read_metadata (EsReaderInput *input, GDALGroupH root, GDALMDArrayH array,
                                  GPtrArray *vectors, const EsMdimShape *shape, const EsMdimPlaces *places,
                                  EsCubeInfo *info, gboolean *flip);

/* Takes the array down where it is one of those. */
void       es_mdim_note_places  (GDALMDArrayH array, EsMdimPlaces *places);
/* Where each pixel lies, where the arrays have the cube's size, which is noted. info has that size. */
void       es_mdim_read_places  (EsReaderInput *input, GDALGroupH root, const EsMdimPlaces *places, EsCubeInfo *info);

/* These are called with the lock of HDF held and GDAL's messages caught, which is what the last two begin and end.
 * NULL: there is none, or it cannot be read. */
GDALDatasetH es_mdim_open_dataset (const char *path);
GDALMDArrayH es_mdim_open_array (GDALDatasetH dataset, const char *path);
void         es_mdim_begin      (void);
char        *es_mdim_end        (void);                 /* what GDAL said; transfer full, nullable */

/* Samples of one array. Cannot fail. */
EsSampleSource *es_mdim_source_new   (EsReaderInput *input, const char *variable, const EsMdimShape *shape,
                                      const char *hdf_path, GDALMDArrayH array, GDALDataType gdal_type, EskType type,
                                      gboolean flip);
/* The same from its name. NULL with a sentence, or without one where the array cannot be opened. */
EsSampleSource *es_mdim_open_samples (EsReaderInput *input, GDALDatasetH dataset, const char *path,
                                      const EsMdimShape *shape, EskType *type, GError **error);

/* A band of several sources that have the same size and type. */
typedef struct
{
  guint source, band;
} EsMdimBand;
/* Bands of n sources in any order as one; takes the sources over. size: bytes of a sample. most: of bands that one of
 * them has. */
EsSampleSource *es_mdim_joined_new   (EsSampleSource **sources, guint n, const EsMdimBand *bands, guint n_bands,
                                      guint most, gsize size);

/* PRISMA's products: whether the candidates are those of one, and its cube. FALSE without an error: a person named
 * another array, or it is not what the product's specification says. */
gboolean   es_mdim_prisma_is    (GPtrArray *candidates);
gboolean   es_mdim_prisma_fill  (EsReaderInput *input, GDALDatasetH dataset, GDALGroupH root, GPtrArray *candidates,
                                 EsCubeInfo *info, GError **error);

/* What HDF5 calls a variable, which it need not do as netCDF does. Transfer full. */
char      *es_mdim_find_hdf_path (EsReaderInput *input, const char *path);

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
/* The same of rows * columns numbers. */
double       *es_mdim_hdf_read_plane  (EsReaderInput *input, const char *variable, guint64 rows, guint64 columns);

G_END_DECLS
