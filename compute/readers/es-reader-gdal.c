/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <cpl_string.h>
#include <gdal.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-gdal-internal.h"
#include "base/es-hdf-lock-internal.h"
#include "es-gdal-metadata-private.h"
#include "es-reader-private.h"

/* Open handles that wait for the next reader; each holds a descriptor and the file's directory. */
#define IDLE_HANDLES 4
/* The most that the block cache may grow to for files with huge blocks. */
#define LARGEST_CACHE ((gint64) 512 * 1024 * 1024)

typedef struct
{
  EsSampleSource  parent;

  char           *name;
  char           *connection;        /* what GDAL opens: a path or a subdataset's name */
  gboolean        locked;            /* the driver sits on a library that is not safe in threads */
  EskType         type;
  EsInterleave    interleave;        /* of the file, so that its blocks are copied straight */
  guint           bands;
  GMutex          mutex;
  GPtrArray      *idle;              /* of GDALDatasetH */
} GdalSource;

static void
lock (GdalSource *self)
{
  if (self->locked)
    es_hdf_lock ();
}

static void
unlock (GdalSource *self)
{
  if (self->locked)
    es_hdf_unlock ();
}

static gboolean
refuse (const char *name, const char *path, const char *message, GError **error)
{
  g_autofree char *reason = es_gdal_reason (message, path);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” cannot be read: %s"), name, reason);
  return FALSE;
}

static GDALDatasetH
open_raster (const char *connection)
{
  return GDALOpenEx (connection, GDAL_OF_RASTER | GDAL_OF_VERBOSE_ERROR, NULL, NULL, NULL);
}

static gpointer
gdal_handle_new (EsSampleSource *source, GError **error)
{
  GdalSource *self = (GdalSource *) source;
  g_autofree char *message = NULL;
  GDALDatasetH handle = NULL;

  g_mutex_lock (&self->mutex);
  if (self->idle->len > 0)
    handle = g_ptr_array_steal_index_fast (self->idle, self->idle->len - 1);
  g_mutex_unlock (&self->mutex);
  if (handle != NULL)
    return handle;

  lock (self);
  es_gdal_begin ();
  handle = open_raster (self->connection);
  message = es_gdal_end ();
  unlock (self);
  if (handle == NULL)
    refuse (self->name, self->connection, message, error);
  return handle;
}

static void
close_handle (GdalSource *self, GDALDatasetH handle)
{
  lock (self);
  es_gdal_begin ();
  GDALClose (handle);
  g_free (es_gdal_end ());
  unlock (self);
}

static void
gdal_handle_free (EsSampleSource *source, gpointer handle)
{
  GdalSource *self = (GdalSource *) source;
  gboolean kept;

  g_mutex_lock (&self->mutex);
  kept = self->idle->len < IDLE_HANDLES;
  if (kept)
    g_ptr_array_add (self->idle, handle);
  g_mutex_unlock (&self->mutex);
  if (!kept)
    close_handle (self, handle);
}

static gboolean
read_window (GdalSource *self, GDALDatasetH handle, const EsCubeWindow *window, int *list, int bands,
             void *buffer, EskTile *tile, GError **error)
{
  GSpacing size = (GSpacing) esk_type_size (self->type);
  int columns = (int) window->width, rows = (int) window->height;
  g_autofree char *message = NULL;
  CPLErr result;

  *tile = (EskTile) {
    .data = buffer, .type = self->type,
    .width = window->width, .height = window->height, .bands = (size_t) bands,
  };
  switch (self->interleave)
    {
    case ES_INTERLEAVE_BIP:
      tile->column_stride = bands;
      tile->row_stride = (ptrdiff_t) bands * columns;
      tile->band_stride = 1;
      break;
    case ES_INTERLEAVE_BIL:
      tile->column_stride = 1;
      tile->row_stride = (ptrdiff_t) bands * columns;
      tile->band_stride = columns;
      break;
    case ES_INTERLEAVE_BSQ:
    default:
      tile->column_stride = 1;
      tile->row_stride = columns;
      tile->band_stride = (ptrdiff_t) rows * columns;
    }

  lock (self);
  es_gdal_begin ();
  result = GDALDatasetRasterIOEx (handle, GF_Read, (int) window->x, (int) window->y, columns, rows, buffer,
                                  columns, rows, es_gdal_type_of (self->type), bands, list,
                                  tile->column_stride * size, tile->row_stride * size,
                                  tile->band_stride * size, NULL);
  message = es_gdal_end ();
  unlock (self);
  return result == CE_None ? TRUE : refuse (self->name, self->connection, message, error);
}

static gboolean
gdal_read (EsSampleSource *source, gpointer handle, const EsCubeWindow *window, void *buffer, EskTile *tile,
           GError **error)
{
  GdalSource *self = (GdalSource *) source;

  return read_window (self, handle, window, NULL, (int) self->bands, buffer, tile, error);
}

static gboolean
gdal_read_band (EsSampleSource *source, gpointer handle, guint band, const EsCubeWindow *window, void *buffer,
                EskTile *tile, GError **error)
{
  int list = (int) band + 1;

  return read_window ((GdalSource *) source, handle, window, &list, 1, buffer, tile, error);
}

static void
gdal_free (EsSampleSource *source)
{
  GdalSource *self = (GdalSource *) source;

  for (guint i = 0; i < self->idle->len; i++)
    close_handle (self, g_ptr_array_index (self->idle, i));
  g_ptr_array_unref (self->idle);
  g_mutex_clear (&self->mutex);
  g_free (self->name);
  g_free (self->connection);
  g_free (self);
}

/* One block of all bands has to fit, or every band unpacks it again. */
static void
fit_cache (gint64 block_bytes)
{
  static GMutex mutex;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);
  gint64 wanted = MIN (LARGEST_CACHE, 2 * block_bytes);

  if (GDALGetCacheMax64 () < wanted)
    GDALSetCacheMax64 (wanted);
}

static EsSampleSource *
gdal_source_new (const char *name, const char *connection, GDALDatasetH handle, EskType type)
{
  GdalSource *self = g_new0 (GdalSource, 1);
  const char *interleave = GDALGetMetadataItem (handle, "INTERLEAVE", "IMAGE_STRUCTURE");
  const char *driver = GDALGetDriverShortName (GDALGetDatasetDriver (handle));
  int block_width, block_height;

  GDALGetBlockSize (GDALGetRasterBand (handle, 1), &block_width, &block_height);
  self->parent = (EsSampleSource) {
    .handle_new = gdal_handle_new, .handle_free = gdal_handle_free,
    .read = gdal_read, .read_band = gdal_read_band, .free = gdal_free,
    .block_width = (guint64) MAX (block_width, 1), .block_height = (guint64) MAX (block_height, 1),
  };
  self->name = g_strdup (name);
  self->connection = g_strdup (connection);
  self->locked = strstr (driver, "HDF") != NULL || g_ascii_strcasecmp (driver, "netCDF") == 0 ||
                 strstr (driver, "BAG") != NULL || strstr (driver, "KEA") != NULL;
  self->type = type;
  self->bands = (guint) GDALGetRasterCount (handle);
  if (interleave != NULL && g_ascii_strcasecmp (interleave, "PIXEL") == 0)
    self->interleave = ES_INTERLEAVE_BIP;
  else if (interleave != NULL && g_ascii_strcasecmp (interleave, "LINE") == 0)
    self->interleave = ES_INTERLEAVE_BIL;
  else
    self->interleave = ES_INTERLEAVE_BSQ;
  g_mutex_init (&self->mutex);
  self->idle = g_ptr_array_new ();
  fit_cache ((gint64) self->parent.block_width * (gint64) self->parent.block_height * self->bands *
             (gint64) esk_type_size (type));
  return &self->parent;
}

/* The type that holds what all bands hold. */
static gboolean
common_type (EsReaderInput *input, GDALDatasetH handle, EskType *type, GError **error)
{
  GDALRasterBandH first = GDALGetRasterBand (handle, 1);
  GDALDataType common = GDALGetRasterDataType (first);
  const char *pixel_type = GDALGetMetadataItem (first, "PIXELTYPE", "IMAGE_STRUCTURE");
  gboolean mixed = FALSE;

  for (int b = 2; b <= GDALGetRasterCount (handle); b++)
    {
      GDALDataType other = GDALGetRasterDataType (GDALGetRasterBand (handle, b));

      mixed |= other != common;
      common = GDALDataTypeUnion (common, other);
    }
  if (GDALDataTypeIsComplex (common))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("“%s” holds complex samples (%s); real ones were expected"), input->name,
                   GDALGetDataTypeName (common));
      return FALSE;
    }
  if (!es_gdal_type (common, type))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("“%s” holds samples of the type %s; integers or floating-point numbers were expected"),
                   input->name, GDALGetDataTypeName (common));
      return FALSE;
    }
  if (mixed)
    es_reader_note (input, _("The bands are of different types and are read as %s."), esk_type_name (*type));
  else if (*type == ESK_U8 && pixel_type != NULL && g_ascii_strcasecmp (pixel_type, "SIGNEDBYTE") == 0)
    *type = ESK_I8;
  return TRUE;
}

static gboolean
needs_lock (EsReaderInput *input)
{
  gboolean hdf4 = input->head_length >= 4 && memcmp (input->head, "\016\003\023\001", 4) == 0;

  return hdf4 || es_reader_is_hdf5 (input) || es_reader_is_netcdf3 (input);
}

static EsCube *
cube_of_dataset (EsReaderInput *input, GDALDatasetH handle, const char *connection, GError **error)
{
  g_auto (EsCubeInfo) info = { .default_bands = { -1, -1, -1 } };
  GDALDriverH driver = GDALGetDatasetDriver (handle);
  EskType type;

  if (GDALGetRasterCount (handle) == 1)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("“%s” holds one band (%s); a cube of at least two was expected"), input->name,
                   GDALGetDriverShortName (driver));
      return NULL;
    }
  if (!common_type (input, handle, &type, error))
    return NULL;

  info.width = (guint64) GDALGetRasterXSize (handle);
  info.height = (guint64) GDALGetRasterYSize (handle);
  info.bands = (guint) GDALGetRasterCount (handle);
  info.type = type;
  info.format_name = g_strdup (strcmp (GDALGetDriverShortName (driver), "GTiff") == 0
                               ? "GeoTIFF" : GDALGetDriverShortName (driver));
  if (needs_lock (input))
    es_hdf_lock ();
  es_gdal_read_metadata (input, handle, &info);
  if (needs_lock (input))
    es_hdf_unlock ();
  info.source = gdal_source_new (input->name, connection, handle, type);
  return es_cube_new (input->file, &info, error);
}

/* A container (HDF4, Sentinel-2 ...): the part that the person named, else the one with the most samples. */
static char *
choose_part (EsReaderInput *input, GDALDatasetH handle)
{
  char **parts = GDALGetMetadata (handle, "SUBDATASETS");
  g_autofree char *best = NULL;
  double most = 0;
  guint cubes = 0;

  for (guint i = 1; parts != NULL && i <= (guint) CSLCount (parts) / 2 && i <= 200; i++)
    {
      g_autofree char *key = g_strdup_printf ("SUBDATASET_%u_NAME", i);
      const char *name = CSLFetchNameValue (parts, key);
      const char *wanted = input->options.variable;
      GDALDatasetH part;
      double samples = 0;

      if (name == NULL || (wanted != NULL && !g_str_has_suffix (name, wanted)))
        continue;
      part = GDALOpenEx (name, GDAL_OF_RASTER, NULL, NULL, NULL);
      if (part == NULL)
        continue;
      if (GDALGetRasterCount (part) > 1)
        {
          samples = (double) GDALGetRasterXSize (part) * GDALGetRasterYSize (part) *
                    GDALGetRasterCount (part);
          cubes++;
        }
      GDALClose (part);
      if (samples > most)
        {
          most = samples;
          g_free (best);
          best = g_strdup (name);
        }
    }
  if (cubes > 1)
    es_reader_note (input, _("The file holds %u cubes; the largest was opened."), cubes);
  return g_steal_pointer (&best);
}

static gboolean
gdal_recognises (EsReaderInput *input)
{
  return TRUE;
}

static EsCube *
gdal_open_cube (EsReaderInput *input, GError **error)
{
  gboolean hdf = needs_lock (input);
  g_autofree char *message = NULL, *part = NULL;
  GDALDatasetH handle;
  EsCube *cube = NULL;
  GError *failure = NULL;

  es_gdal_prepare ();
  if (hdf)
    es_hdf_lock ();
  es_gdal_begin ();
  handle = open_raster (input->path);
  if (handle != NULL && GDALGetRasterCount (handle) == 0)
    {
      part = choose_part (input, handle);
      GDALClose (handle);
      handle = part != NULL ? open_raster (part) : NULL;
      if (handle == NULL)
        g_set_error (&failure, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                     _("“%s” holds no array of three dimensions and no raster of several bands"),
                     input->name);
    }
  message = es_gdal_end ();
  if (hdf)
    es_hdf_unlock ();

  if (handle != NULL)
    {
      cube = cube_of_dataset (input, handle, part != NULL ? part : input->path, &failure);
      if (hdf)
        es_hdf_lock ();
      GDALClose (handle);
      if (hdf)
        es_hdf_unlock ();
    }
  else if (failure == NULL && message != NULL && strstr (message, "not recognized as") == NULL)
    refuse (input->name, input->path, message, &failure);
  if (failure != NULL)
    g_propagate_error (error, failure);
  return cube;
}

static EsDataset *
gdal_open (EsReaderInput *input, GError **error)
{
  return (EsDataset *) gdal_open_cube (input, error);
}

const EsReader es_reader_gdal = { gdal_recognises, gdal_open };
