/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube-internal.h"
#include "libraries/es-gdal-library-internal.h"

G_BEGIN_DECLS

/* Where a data set says which pixels are missing, beside values that mean it. */
typedef enum
{
  ES_RASTER_MASK_NONE,
  ES_RASTER_MASK_SHARED,     /* one mask for all bands: inside the file, or in a .msk beside it */
  ES_RASTER_MASK_BY_BAND,    /* one for each band */
  ES_RASTER_MASK_ALPHA,      /* a band of opacity: 0 is missing, everything above counts */
} EsRasterMaskKind;

/* The bands of a data set that are measured, and what masks them. Numbers count from 1. */
typedef struct
{
  int              *list;          /* n of them, ascending */
  guint             n;
  int               alpha;         /* the band of opacity; 0: none */
  int               mislabelled;   /* one that says it is, and was measured; 0: none */
  EsRasterMaskKind  mask;
} EsRasterBands;

/* Messages of GDAL are caught by the caller (es_gdal_begin ()) in these three. */
void es_raster_bands_find  (GDALDatasetH handle, EsRasterBands *bands);
void es_raster_bands_clear (EsRasterBands *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsRasterBands, es_raster_bands_clear)
/* mask[height * width of the window] becomes 0 where a pixel is missing in any of the n bands (indices into the list).
 * CE_Failure: GDAL has said why. */
CPLErr es_raster_mask_read (GDALDatasetH handle, const EsRasterBands *self, const guint32 *bands, gsize n,
                            const EsCubeWindow *window, guint8 *mask);

/* What the values of a band mean as classes, by its colours, names of categories and attributes. NULL: nothing is said
 * of that, or they are no whole numbers. Transfer full. */
EsClassTable *es_raster_read_classes (GDALDatasetH handle, int band_number);

/* Opens a raster with one of the drivers (NULL-terminated short names); NULL: GDAL has said why. */
GDALDatasetH es_raster_open (const char *connection, const char * const *drivers);
/* The driver sits on a library that is not safe in threads: es_hdf_lock () is held round what is asked of it. */
gboolean     es_raster_is_locked (GDALDatasetH handle);
gboolean     es_raster_is_stream (GDALDatasetH handle);
/* Whether all files that it consists of lie in the folder of the file at path, or below. FALSE: *outside is one that
 * does not; transfer full. */
gboolean     es_raster_stays (GDALDatasetH handle, const char *path, char **outside);

/* What a header promises, held against the file at path, as messages call it: ES_DATA_ERROR_TRUNCATED. The first looks
 * at what even opening it would read past; the last is for while it is read. *promised: how long the file has to be
 * for as long as it is read. */
gboolean es_raster_check_head (const char *name, const char *path, GError **error);
gboolean es_raster_check      (const char *name, const char *path, GDALDatasetH handle, const EsRasterBands *bands,
                               guint64 *promised, GError **error);
gboolean es_raster_is_whole   (const char *name, const char *path, guint64 promised, GError **error);

/* Samples and mask of those bands, with a handle a thread. name: as messages call it; connection: what GDAL opens, a
 * path or a subdataset's name; handle: open, only looked at; path and promised: es_raster_is_whole (). Cannot fail. */
EsSampleSource *es_raster_source_new (const char *name, const char *path, const char *connection, GDALDatasetH handle,
                                      const EsRasterBands *bands, EskType type, guint64 promised);
/*
 * A band of such a source as a picture of width x height in a hurry, by the overviews that the file has: as stored, row
 * after row, *type each. NULL without an error: it is another source, or has none, or a mask. GDAL does not tell by
 * which method overviews were made, so that this is good for a first look and no more. Transfer full (g_free ()).
 */
void           *es_raster_source_glance (EsSampleSource *source, guint band, guint64 width, guint64 height,
                                         EskType *type, GError **error);
/* Whether a file lies there, also at a guarded address. */
gboolean        es_raster_has_file   (const char *path);
/* The mask that lies beside a raster which is read without GDAL ("x.img.msk"), or NULL. Transfer full. */
char           *es_raster_find_mask  (const char *path);
/* Samples of n bands with the mask in the file at path, which takes them over. They come back as they were, with *kind
 * ES_RASTER_MASK_NONE, where that file is a mask of something else: of another size, or for none of the bands. NULL and
 * an error, and they stay the caller's, where it cannot be read. */
EsSampleSource *es_raster_add_mask   (EsSampleSource *samples, const char *path, guint64 width, guint64 height, guint n,
                                      EsRasterMaskKind *kind, GError **error);
/* ES_DATA_ERROR_OPEN: “name” cannot be read, and what GDAL said. Returns FALSE. */
gboolean        es_raster_refuse     (const char *name, const char *connection, const char *message, GError **error);

G_END_DECLS
