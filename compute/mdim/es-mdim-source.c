/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-address.h"
#include "base/es-error.h"
#include "es-mdim-private.h"
#include "libraries/es-address-file-internal.h"
#include "libraries/es-gdal-internal.h"
#include "libraries/es-gdal-library-internal.h"
#include "libraries/es-hdf-lock-internal.h"

#define IDLE_HANDLES 2

/* Samples of one array, with a way into the file a thread. */

/* One thread's own way into the file. */
typedef struct
{
  GDALDatasetH dataset;
  GDALMDArrayH array;
} Handle;

typedef struct
{
  EsSampleSource  parent;

  char           *path, *name, *variable;
  EsHdfSamples   *hdf;           /* read instead of GDAL; nullable */
  EskType         type;
  GDALDataType    gdal_type;     /* as GDAL reads it: the same bits, though it may have a sign */
  EsMdimValid     valid;
  EsMdimShape     shape;
  gboolean        flip;
  GMutex          mutex;
  GPtrArray      *idle;          /* of Handle */
} MdimSource;

GDALDatasetH
es_mdim_open_dataset (const char *path)
{
  /* A store of Zarr is a folder, which a server has none of: GDAL is told that it is one. */
  g_autofree char *store = es_address_of_guarded (path) != NULL ? g_strdup_printf ("ZARR:\"%s\"", path) : NULL;

  return GDALOpenEx (store != NULL ? store : path, GDAL_OF_MULTIDIM_RASTER | GDAL_OF_VERBOSE_ERROR, NULL, NULL, NULL);
}

GDALMDArrayH
es_mdim_open_array (GDALDatasetH dataset, const char *path)
{
  GDALGroupH root = GDALDatasetGetRootGroup (dataset);
  GDALMDArrayH array = root != NULL ? GDALGroupOpenMDArrayFromFullname (root, path, NULL) : NULL;

  if (root != NULL)
    GDALGroupRelease (root);
  return array;
}

/* These two as well with the lock of HDF held and GDAL's messages caught. */
static void
handle_close (Handle *handle)
{
  if (handle->array != NULL)
    GDALMDArrayRelease (handle->array);
  if (handle->dataset != NULL)
    GDALClose (handle->dataset);
  g_free (handle);
}

static Handle *
handle_open (const char *path, const char *variable)
{
  Handle *handle = g_new0 (Handle, 1);

  handle->dataset = es_mdim_open_dataset (path);
  if (handle->dataset != NULL)
    handle->array = es_mdim_open_array (handle->dataset, variable);
  if (handle->array != NULL)
    return handle;
  handle_close (handle);
  return NULL;
}

void
es_mdim_begin (void)
{
  es_hdf_lock ();
  es_gdal_begin ();
}

char *
es_mdim_end (void)
{
  char *message = es_gdal_end ();

  es_hdf_unlock ();
  return message;
}

static void
set_read_error (MdimSource *self, const char *message, GError **error)
{
  g_autofree char *reason = NULL;

  if (self->hdf != NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                   _("The samples “%s” of “%s” cannot be read: they are damaged, cut short or packed in a way that is "
                     "not known here"), self->variable, self->name);
      return;
    }
  reason = es_gdal_reason (message, self->path);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” cannot be read: %s"), self->name, reason);
}

static gpointer
mdim_handle_new (EsSampleSource *source, GError **error)
{
  MdimSource *self = (MdimSource *) source;
  g_autofree char *message = NULL;
  Handle *handle = NULL;

  g_mutex_lock (&self->mutex);
  if (self->idle->len > 0)
    handle = g_ptr_array_steal_index_fast (self->idle, self->idle->len - 1);
  g_mutex_unlock (&self->mutex);
  if (handle != NULL)
    return handle;
  /* One way into the file for all threads, which share its cache. */
  if (self->hdf != NULL)
    return g_new0 (Handle, 1);

  es_mdim_begin ();
  handle = handle_open (self->path, self->variable);
  message = es_mdim_end ();
  if (handle == NULL)
    set_read_error (self, message, error);
  return handle;
}

static void
mdim_handle_free (EsSampleSource *source, gpointer handle)
{
  MdimSource *self = (MdimSource *) source;
  gboolean kept;

  g_mutex_lock (&self->mutex);
  kept = self->idle->len < IDLE_HANDLES;
  if (kept)
    g_ptr_array_add (self->idle, handle);
  g_mutex_unlock (&self->mutex);
  if (!kept)
    {
      es_mdim_begin ();
      handle_close (handle);
      g_free (es_mdim_end ());
    }
}

static gboolean
read_by_gdal (MdimSource *self, Handle *handle, const guint64 *start, const guint64 *count, size_t bytes, void *buffer,
              char **message)
{
  GUInt64 first[16];
  size_t lengths[16];
  GDALExtendedDataTypeH type;
  gboolean ok;

  for (size_t i = 0; i < self->shape.n_axes; i++)
    {
      first[i] = start[i];
      lengths[i] = count[i];
    }
  es_mdim_begin ();
  /* HDF5 leaves as it was what nobody has written and nobody has said a value for. */
  memset (buffer, 0, bytes);
  type = GDALExtendedDataTypeCreate (self->gdal_type);
  ok = GDALMDArrayRead (handle->array, first, lengths, NULL, NULL, type, buffer, buffer, bytes);
  GDALExtendedDataTypeRelease (type);
  *message = es_mdim_end ();
  return ok;
}

/* Reads bands first .. first + bands - 1 in the file's own order of axes; the tile's strides say what that
 * is. */
static gboolean
read_bands (MdimSource *self, Handle *handle, const EsCubeWindow *window, guint64 first, guint64 bands,
            void *buffer, EskTile *tile, GError **error)
{
  const EsMdimShape *shape = &self->shape;
  guint64 y = self->flip ? shape->length[ES_AXIS_ROW] - window->y - window->height : window->y;
  guint64 start[16] = { 0 }, count[16];
  size_t bytes = esk_type_size (self->type), stride = 1;
  ptrdiff_t strides[16];
  g_autofree char *message = NULL;
  gboolean ok;

  for (size_t i = 0; i < shape->n_axes; i++)
    count[i] = 1;
  start[shape->axis[ES_AXIS_COLUMN]] = window->x;
  count[shape->axis[ES_AXIS_COLUMN]] = window->width;
  start[shape->axis[ES_AXIS_ROW]] = y;
  count[shape->axis[ES_AXIS_ROW]] = window->height;
  start[shape->axis[ES_AXIS_BAND]] = first;
  count[shape->axis[ES_AXIS_BAND]] = bands;
  for (size_t i = shape->n_axes; i-- > 0; stride *= count[i])
    strides[i] = (ptrdiff_t) stride;

  /* A chunk that is not there is the fill value; one that a server does not give is not known. */
  es_address_listen ();
  ok = self->hdf != NULL ? es_hdf_samples_read (self->hdf, start, count, buffer)
                         : read_by_gdal (self, handle, start, count, stride * bytes, buffer, &message);
  if (!es_address_heard_all (error))
    return FALSE;
  if (!ok)
    {
      set_read_error (self, message, error);
      return FALSE;
    }

  *tile = (EskTile) {
    .data = buffer, .type = self->type, .width = window->width, .height = window->height, .bands = bands,
    .column_stride = strides[shape->axis[ES_AXIS_COLUMN]],
    .row_stride = strides[shape->axis[ES_AXIS_ROW]],
    .band_stride = strides[shape->axis[ES_AXIS_BAND]],
  };
  if (self->flip)
    {
      tile->data = (const guint8 *) buffer + (window->height - 1) * (gsize) tile->row_stride * bytes;
      tile->row_stride = -tile->row_stride;
    }
  return TRUE;
}

static gboolean
mdim_read (EsSampleSource *source, gpointer handle, const EsCubeWindow *window, void *buffer, EskTile *tile,
           GError **error)
{
  MdimSource *self = (MdimSource *) source;

  return read_bands (self, handle, window, 0, self->shape.length[ES_AXIS_BAND], buffer, tile, error);
}

static gboolean
mdim_read_band (EsSampleSource *source, gpointer handle, guint band, const EsCubeWindow *window, void *buffer,
                EskTile *tile, GError **error)
{
  return read_bands ((MdimSource *) source, handle, window, band, 1, buffer, tile, error);
}

static gboolean
mdim_read_mask (EsSampleSource *source, gpointer handle, const guint32 *bands, gsize n, const EsCubeWindow *window,
                guint8 *mask, GError **error)
{
  MdimSource *self = (MdimSource *) source;
  g_autofree guint8 *buffer = g_malloc_n (window->width * window->height, esk_type_size (self->type));

  for (gsize i = 0; i < n; i++)
    {
      EskTile tile;

      if (!read_bands (self, handle, window, bands[i], 1, buffer, &tile, error))
        return FALSE;
      es_mdim_mask_invalid (&self->valid, &tile, mask);
    }
  return TRUE;
}

static void
mdim_free (EsSampleSource *source)
{
  MdimSource *self = (MdimSource *) source;

  es_mdim_begin ();
  for (guint i = 0; i < self->idle->len; i++)
    handle_close (g_ptr_array_index (self->idle, i));
  es_hdf_samples_free (self->hdf);
  g_free (es_mdim_end ());
  g_ptr_array_unref (self->idle);
  g_mutex_clear (&self->mutex);
  g_free (self->path);
  g_free (self->name);
  g_free (self->variable);
  g_free (self);
}

EsSampleSource *
es_mdim_source_new (EsReaderInput *input, const char *variable, const EsMdimShape *shape, const char *hdf_path,
                    GDALMDArrayH array, GDALDataType gdal_type, EskType type, gboolean flip)
{
  MdimSource *self = g_new0 (MdimSource, 1);
  size_t n = 0;
  GUInt64 *block = GDALMDArrayGetBlockSize (array, &n);

  self->parent = (EsSampleSource) {
    .handle_new = mdim_handle_new, .handle_free = mdim_handle_free,
    .read = mdim_read, .read_band = mdim_read_band, .free = mdim_free,
    .block_width = 1, .block_height = 1,
  };
  if (block != NULL && n == shape->n_axes)
    {
      self->parent.block_width = MAX (1, block[shape->axis[ES_AXIS_COLUMN]]);
      self->parent.block_height = MAX (1, block[shape->axis[ES_AXIS_ROW]]);
    }
  CPLFree (block);
  self->path = g_strdup (input->path);
  self->name = g_strdup (input->name);
  self->variable = g_strdup (variable);
  self->hdf = es_mdim_hdf_new (input, hdf_path, shape, type);
  self->parent.unpacked = self->hdf != NULL ? es_hdf_samples_get_least (self->hdf) : 0;
  self->type = type;
  /* Where it has the size of what is wanted. */
  self->gdal_type = GDALGetDataTypeSizeBytes (gdal_type) == (int) esk_type_size (type) ? gdal_type
                                                                                       : es_gdal_type_of (type);
  es_mdim_read_valid (input, array, type, &self->valid);
  if (es_mdim_valid_is_any (&self->valid))
    {
      self->parent.read_mask = mdim_read_mask;
      self->parent.mask_by_band = TRUE;
    }
  self->shape = *shape;
  self->flip = flip;
  g_mutex_init (&self->mutex);
  self->idle = g_ptr_array_new ();
  return &self->parent;
}

