/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-raster-internal.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "libraries/es-gdal-internal.h"
#include "libraries/es-gdal-library-internal.h"
#include "libraries/es-hdf-lock-internal.h"

/* Open handles that wait for the next reader; each holds a descriptor and the file's directory. */
#define IDLE_HANDLES 4
/* The most that the block cache may grow to for files with huge blocks. */
#define LARGEST_CACHE ((gint64) 512 * 1024 * 1024)
/* The most that is unpacked at once for a few rows: with its copy in the block cache, which then holds it. */
#define LARGEST_STREAM (LARGEST_CACHE / 2)

typedef enum { BAND_BY_BAND, LINE_BY_LINE, PIXEL_BY_PIXEL } Order;

typedef struct
{
  EsSampleSource  parent;

  char           *name;
  char           *connection;        /* what GDAL opens: a path or a subdataset's name */
  char           *driver;            /* that opened it first */
  char           *path;
  guint64         promised;          /* how long the file has to be: GDAL does not always notice */
  gboolean        locked;            /* the driver sits on a library that is not safe in threads */
  EskType         type;
  Order           order;             /* of the file, so that its blocks are copied straight */
  EsRasterBands   bands;
  gboolean        overviews;         /* each band has some */
  int             width, height;
  GMutex          mutex;
  GPtrArray      *idle;              /* of GDALDatasetH */
} RasterSource;

static void
lock (RasterSource *self)
{
  if (self->locked)
    es_hdf_lock ();
}

static void
unlock (RasterSource *self)
{
  if (self->locked)
    es_hdf_unlock ();
}

gboolean
es_raster_refuse (const char *name, const char *connection, const char *message, GError **error)
{
  g_autofree char *reason = es_gdal_reason (message, connection);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” cannot be read: %s"), name, reason);
  return FALSE;
}

/* Rows that GDAL gives of one compressed strip, which it unpacks from its beginning up to where they are. */
gboolean
es_raster_is_stream (GDALDatasetH handle)
{
  const char *driver = GDALGetDriverShortName (GDALGetDatasetDriver (handle));
  GDALRasterBandH band = GDALGetRasterCount (handle) > 0 ? GDALGetRasterBand (handle, 1) : NULL;
  g_autofree char *last = g_strdup_printf ("BLOCK_OFFSET_0_%d", GDALGetRasterYSize (handle) - 1);
  int width, height;

  if (band == NULL || strcmp (driver, "GTiff") != 0 || GDALGetRasterYSize (handle) < 2
      || GDALGetMetadataItem (handle, "COMPRESSION", "IMAGE_STRUCTURE") == NULL)
    return FALSE;
  GDALGetBlockSize (band, &width, &height);
  return height == 1 && width == GDALGetRasterXSize (handle)
         && GDALGetMetadataItem (band, "BLOCK_OFFSET_0_0", "TIFF") != NULL
         && GDALGetMetadataItem (band, last, "TIFF") == NULL;
}

/* Of all bands, unpacked. */
static gint64
stream_bytes (GDALDatasetH handle)
{
  return (gint64) GDALGetRasterXSize (handle) * GDALGetRasterYSize (handle) * GDALGetRasterCount (handle)
         * GDALGetDataTypeSizeBytes (GDALGetRasterDataType (GDALGetRasterBand (handle, 1)));
}

gboolean
es_raster_is_locked (GDALDatasetH handle)
{
  const char *driver = GDALGetDriverShortName (GDALGetDatasetDriver (handle));

  return strstr (driver, "HDF") != NULL || g_ascii_strcasecmp (driver, "netCDF") == 0 ||
         strstr (driver, "BAG") != NULL || strstr (driver, "KEA") != NULL;
}

GDALDatasetH
es_raster_open (const char *connection, const char * const *drivers)
{
  GDALDatasetH handle = GDALOpenEx (connection, GDAL_OF_RASTER | GDAL_OF_VERBOSE_ERROR, drivers, NULL, NULL);
  GDALDatasetH whole;

  if (handle == NULL || !es_raster_is_stream (handle) || stream_bytes (handle) > LARGEST_STREAM)
    return handle;
  /* One strip, of which GDAL gives rows: every row further up unpacks it from its beginning. It is kept whole instead,
   * where that is not too much. */
  CPLSetThreadLocalConfigOption ("GDAL_ENABLE_TIFF_SPLIT", "NO");
  whole = GDALOpenEx (connection, GDAL_OF_RASTER | GDAL_OF_VERBOSE_ERROR, drivers, NULL, NULL);
  CPLSetThreadLocalConfigOption ("GDAL_ENABLE_TIFF_SPLIT", NULL);
  if (whole == NULL)
    return handle;
  GDALClose (handle);
  return whole;
}

gboolean
es_raster_stays (GDALDatasetH handle, const char *path, char **outside)
{
  g_autofree char *folder = g_path_get_dirname (path), *whole = g_canonicalize_filename (folder, NULL);
  g_autofree char *prefix = g_str_has_suffix (whole, "/") ? g_strdup (whole) : g_strconcat (whole, "/", NULL);
  char **files = GDALGetFileList (handle);

  *outside = NULL;
  for (int i = 0; files != NULL && files[i] != NULL && *outside == NULL; i++)
    {
      g_autofree char *file = g_canonicalize_filename (files[i], whole);

      /* The folder itself is no file: a damaged PCIDSK names it. */
      if (!g_str_has_prefix (file, prefix) && strcmp (file, whole) != 0)
        *outside = g_filename_display_name (files[i]);
    }
  CSLDestroy (files);
  return *outside == NULL;
}

static gpointer
raster_handle_new (EsSampleSource *source, GError **error)
{
  RasterSource *self = (RasterSource *) source;
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
  handle = es_raster_open (self->connection, (const char * const []) { self->driver, NULL });
  message = es_gdal_end ();
  unlock (self);
  if (handle == NULL)
    es_raster_refuse (self->name, self->connection, message, error);
  return handle;
}

static void
close_handle (RasterSource *self, GDALDatasetH handle)
{
  lock (self);
  es_gdal_begin ();
  GDALClose (handle);
  g_free (es_gdal_end ());
  unlock (self);
}

static void
raster_handle_free (EsSampleSource *source, gpointer handle)
{
  RasterSource *self = (RasterSource *) source;
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
read_window (RasterSource *self, GDALDatasetH handle, const EsCubeWindow *window, int *list, int bands,
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
  switch (self->order)
    {
    case PIXEL_BY_PIXEL:
      tile->column_stride = bands;
      tile->row_stride = (ptrdiff_t) bands * columns;
      tile->band_stride = 1;
      break;
    case LINE_BY_LINE:
      tile->column_stride = 1;
      tile->row_stride = (ptrdiff_t) bands * columns;
      tile->band_stride = columns;
      break;
    case BAND_BY_BAND:
    default:
      tile->column_stride = 1;
      tile->row_stride = columns;
      tile->band_stride = (ptrdiff_t) rows * columns;
    }

  /* Whatever a driver leaves out is nothing that was in memory before. */
  memset (buffer, 0, (gsize) columns * rows * bands * size);
  lock (self);
  es_gdal_begin ();
  result = GDALDatasetRasterIOEx (handle, GF_Read, (int) window->x, (int) window->y, columns, rows, buffer,
                                  columns, rows, es_gdal_type_of (self->type), bands, list,
                                  tile->column_stride * size, tile->row_stride * size,
                                  tile->band_stride * size, NULL);
  message = es_gdal_end ();
  unlock (self);
  return es_raster_is_whole (self->name, self->path, self->promised, error)
         && (result == CE_None || es_raster_refuse (self->name, self->connection, message, error));
}

static gboolean
raster_read (EsSampleSource *source, gpointer handle, const EsCubeWindow *window, void *buffer, EskTile *tile,
           GError **error)
{
  RasterSource *self = (RasterSource *) source;

  return read_window (self, handle, window, self->bands.list, (int) self->bands.n, buffer, tile, error);
}

static gboolean
raster_read_band (EsSampleSource *source, gpointer handle, guint band, const EsCubeWindow *window, void *buffer,
                EskTile *tile, GError **error)
{
  RasterSource *self = (RasterSource *) source;

  return read_window (self, handle, window, &self->bands.list[band], 1, buffer, tile, error);
}

static gboolean
raster_read_mask (EsSampleSource *source, gpointer handle, const guint32 *bands, gsize n, const EsCubeWindow *window,
                  guint8 *mask, GError **error)
{
  RasterSource *self = (RasterSource *) source;
  g_autofree char *message = NULL;
  CPLErr result;

  lock (self);
  es_gdal_begin ();
  result = es_raster_mask_read (handle, &self->bands, bands, n, window, mask);
  message = es_gdal_end ();
  unlock (self);
  return result == CE_None ? TRUE : es_raster_refuse (self->name, self->connection, message, error);
}

static void
raster_free (EsSampleSource *source)
{
  RasterSource *self = (RasterSource *) source;

  for (guint i = 0; i < self->idle->len; i++)
    close_handle (self, g_ptr_array_index (self->idle, i));
  g_ptr_array_unref (self->idle);
  g_mutex_clear (&self->mutex);
  es_raster_bands_clear (&self->bands);
  g_free (self->name);
  g_free (self->connection);
  g_free (self->driver);
  g_free (self->path);
  g_free (self);
}

void *
es_raster_source_glance (EsSampleSource *source, guint band, guint64 width, guint64 height, EskType *type,
                         GError **error)
{
  RasterSource *self = (RasterSource *) source;
  g_autofree char *message = NULL;
  g_autofree void *samples = NULL;
  GDALDatasetH handle;
  CPLErr result;

  if (source->free != raster_free || !self->overviews || self->bands.mask != ES_RASTER_MASK_NONE)
    return NULL;
  g_return_val_if_fail (band < self->bands.n && width > 0 && height > 0 && width <= (guint64) self->width
                        && height <= (guint64) self->height, NULL);
  samples = g_try_malloc0_n (width * height, esk_type_size (self->type));
  if (samples == NULL || (handle = raster_handle_new (source, error)) == NULL)
    return NULL;
  lock (self);
  es_gdal_begin ();
  result = GDALRasterIOEx (GDALGetRasterBand (handle, self->bands.list[band]), GF_Read, 0, 0, self->width,
                           self->height, samples, (int) width, (int) height, es_gdal_type_of (self->type), 0, 0, NULL);
  message = es_gdal_end ();
  unlock (self);
  raster_handle_free (source, handle);
  if (!es_raster_is_whole (self->name, self->path, self->promised, error)
      || (result != CE_None && !es_raster_refuse (self->name, self->connection, message, error)))
    return NULL;
  *type = self->type;
  return g_steal_pointer (&samples);
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

EsSampleSource *
es_raster_source_new (const char *name, const char *path, const char *connection, GDALDatasetH handle,
                      const EsRasterBands *bands, EskType type, guint64 promised)
{
  RasterSource *self = g_new0 (RasterSource, 1);
  const char *interleave = GDALGetMetadataItem (handle, "INTERLEAVE", "IMAGE_STRUCTURE");
  const char *driver = GDALGetDriverShortName (GDALGetDatasetDriver (handle));
  int block_width, block_height;

  GDALGetBlockSize (GDALGetRasterBand (handle, bands->list[0]), &block_width, &block_height);
  self->parent = (EsSampleSource) {
    .handle_new = raster_handle_new, .handle_free = raster_handle_free,
    .read = raster_read, .read_band = raster_read_band, .free = raster_free,
    .block_width = (guint64) MAX (block_width, 1), .block_height = (guint64) MAX (block_height, 1),
  };
  self->name = g_strdup (name);
  self->connection = g_strdup (connection);
  self->driver = g_strdup (driver);
  self->path = g_strdup (path);
  self->promised = promised;
  self->width = GDALGetRasterXSize (handle);
  self->height = GDALGetRasterYSize (handle);
  self->overviews = TRUE;
  for (guint i = 0; i < bands->n && self->overviews; i++)
    self->overviews = GDALGetOverviewCount (GDALGetRasterBand (handle, bands->list[i])) > 0;
  self->locked = es_raster_is_locked (handle);
  self->type = type;
  self->bands = *bands;
  self->bands.list = g_memdup2 (bands->list, bands->n * sizeof (int));
  if (bands->mask != ES_RASTER_MASK_NONE)
    self->parent.read_mask = raster_read_mask;
  self->parent.unpacked = self->parent.block_width * self->parent.block_height
                          * (guint64) GDALGetRasterCount (handle) * esk_type_size (type);
  self->parent.in_order = es_raster_is_stream (handle);
  self->parent.mask_by_band = bands->mask == ES_RASTER_MASK_BY_BAND;
  if (interleave != NULL && g_ascii_strcasecmp (interleave, "PIXEL") == 0)
    self->order = PIXEL_BY_PIXEL;
  else if (interleave != NULL && g_ascii_strcasecmp (interleave, "LINE") == 0)
    self->order = LINE_BY_LINE;
  else
    self->order = BAND_BY_BAND;
  self->parent.bands_apart = self->order == BAND_BY_BAND;
  g_mutex_init (&self->mutex);
  self->idle = g_ptr_array_new ();
  fit_cache ((gint64) self->parent.block_width * (gint64) self->parent.block_height * GDALGetRasterCount (handle) *
             (gint64) esk_type_size (type));
  return &self->parent;
}
