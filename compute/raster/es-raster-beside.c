/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A mask that lies beside a raster which is read without GDAL, as GDAL keeps it: x.img.msk, a TIFF. */

#include "es-raster-internal.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"
#include "libraries/es-address-file-internal.h"
#include "libraries/es-gdal-internal.h"

/* INTERNAL_MASK_FLAGS_n says whether band n has a mask, and whether that is the first one for all bands. */
#define ONE_FOR_ALL GMF_PER_DATASET
#define ABSENT (-1)

typedef struct
{
  EsSampleSource  parent;

  EsSampleSource *samples;
  EsSampleSource *mask;
  int            *plane;       /* n: of a band's mask in the file, from 0; ABSENT */
} MaskedSource;

typedef struct { gpointer samples, mask; } Handles;

static void
masked_handle_free (EsSampleSource *source, gpointer data)
{
  MaskedSource *self = (MaskedSource *) source;
  Handles *handles = data;

  if (handles->samples != NULL)
    self->samples->handle_free (self->samples, handles->samples);
  if (handles->mask != NULL)
    self->mask->handle_free (self->mask, handles->mask);
  g_free (handles);
}

static gpointer
masked_handle_new (EsSampleSource *source, GError **error)
{
  MaskedSource *self = (MaskedSource *) source;
  Handles *handles = g_new0 (Handles, 1);

  handles->samples = self->samples->handle_new (self->samples, error);
  if (handles->samples != NULL)
    handles->mask = self->mask->handle_new (self->mask, error);
  if (handles->mask != NULL)
    return handles;
  masked_handle_free (source, handles);
  return NULL;
}

static gboolean
masked_read (EsSampleSource *source, gpointer handle, const EsCubeWindow *window, void *buffer, EskTile *tile,
             GError **error)
{
  MaskedSource *self = (MaskedSource *) source;

  return self->samples->read (self->samples, ((Handles *) handle)->samples, window, buffer, tile, error);
}

static gboolean
masked_read_band (EsSampleSource *source, gpointer handle, guint band, const EsCubeWindow *window, void *buffer,
                  EskTile *tile, GError **error)
{
  MaskedSource *self = (MaskedSource *) source;

  return self->samples->read_band (self->samples, ((Handles *) handle)->samples, band, window, buffer, tile, error);
}

static gboolean
apply (MaskedSource *self, gpointer handle, guint plane, const EsCubeWindow *window, guint8 *values, guint8 *mask,
       GError **error)
{
  const gsize n = (gsize) window->width * window->height;
  EskTile tile;

  if (!self->mask->read_band (self->mask, handle, plane, window, values, &tile, error))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (values[i] == 0)
      mask[i] = 0;
  return TRUE;
}

static gboolean
masked_read_mask (EsSampleSource *source, gpointer handle, const guint32 *bands, gsize n, const EsCubeWindow *window,
                  guint8 *mask, GError **error)
{
  MaskedSource *self = (MaskedSource *) source;
  gpointer masks = ((Handles *) handle)->mask;
  g_autofree guint8 *values = g_try_malloc ((gsize) window->width * window->height);

  if (values == NULL)
    return es_compute_error_no_memory (_("a mask"), error);
  if (!self->parent.mask_by_band)
    return apply (self, masks, 0, window, values, mask, error);
  for (gsize i = 0; i < n; i++)
    if (self->plane[bands[i]] != ABSENT
        && !apply (self, masks, (guint) self->plane[bands[i]], window, values, mask, error))
      return FALSE;
  return TRUE;
}

static void
masked_free (EsSampleSource *source)
{
  MaskedSource *self = (MaskedSource *) source;

  self->samples->free (self->samples);
  self->mask->free (self->mask);
  g_free (self->plane);
  g_free (self);
}

/* Which plane of the mask file is whose. FALSE: there is none for any band. */
static gboolean
read_planes (GDALDatasetH handle, guint n, int *plane, gboolean *by_band)
{
  const int planes = GDALGetRasterCount (handle);
  gboolean any = FALSE, shared = TRUE;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *key = g_strdup_printf ("INTERNAL_MASK_FLAGS_%u", i + 1);
      const char *value = GDALGetMetadataItem (handle, key, NULL);
      const int flags = value != NULL ? atoi (value) : 0;

      plane[i] = ABSENT;
      if (value == NULL || (flags & GMF_ALL_VALID) != 0)
        shared = FALSE;
      else if ((flags & ONE_FOR_ALL) != 0)
        plane[i] = 0;
      else if ((int) i < planes)
        {
          plane[i] = (int) i;
          shared = FALSE;
        }
      any = any || plane[i] != ABSENT;
    }
  *by_band = !shared;
  return any;
}

static EsSampleSource *
masked_source_new (EsSampleSource *samples, EsSampleSource *mask, int *plane, gboolean by_band)
{
  MaskedSource *self = g_new0 (MaskedSource, 1);

  self->parent = *samples;
  self->parent.handle_new = masked_handle_new;
  self->parent.handle_free = masked_handle_free;
  self->parent.read = masked_read;
  self->parent.read_band = samples->read_band != NULL ? masked_read_band : NULL;
  self->parent.free = masked_free;
  self->parent.read_mask = masked_read_mask;
  self->parent.mask_by_band = by_band;
  self->samples = samples;
  self->mask = mask;
  self->plane = plane;
  return &self->parent;
}

/* The open file as a source of its planes' samples, where it is of the cube's size; *kind and *plane are filled. */
static EsSampleSource *
mask_source (const char *name, const char *path, GDALDatasetH handle, guint64 width, guint64 height, guint n,
             int *plane, EsRasterMaskKind *kind, GError **error)
{
  g_auto (EsRasterBands) all = { .list = g_new (int, MAX (GDALGetRasterCount (handle), 1)) };
  gboolean by_band;
  guint64 promised;

  if ((guint64) GDALGetRasterXSize (handle) != width || (guint64) GDALGetRasterYSize (handle) != height
      || !read_planes (handle, n, plane, &by_band))
    {
      *kind = ES_RASTER_MASK_NONE;
      return NULL;
    }
  for (int i = 0; i < GDALGetRasterCount (handle); i++)
    all.list[all.n++] = i + 1;
  if (!es_raster_check (name, path, handle, &all, &promised, error))
    return NULL;
  *kind = by_band ? ES_RASTER_MASK_BY_BAND : ES_RASTER_MASK_SHARED;
  return es_raster_source_new (name, path, path, handle, &all, ESK_U8, promised);
}

gboolean
es_raster_has_file (const char *path)
{
  EsAddressStatus status;

  return es_address_of_guarded (path) != NULL ? es_address_look (path, &status) && !status.is_folder
                                              : g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

char *
es_raster_find_mask (const char *path)
{
  g_autofree char *mask = g_strconcat (path, ".msk", NULL);

  return es_raster_has_file (mask) ? g_steal_pointer (&mask) : NULL;
}

EsSampleSource *
es_raster_add_mask (EsSampleSource *samples, const char *path, guint64 width, guint64 height, guint n,
                    EsRasterMaskKind *kind, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *name = es_error_file_name (file), *message = NULL;
  g_autofree int *plane = g_new (int, n);
  EsSampleSource *mask = NULL;
  GError *failure = NULL;
  GDALDatasetH handle;

  *kind = ES_RASTER_MASK_NONE;
  if (!es_gdal_prepare (name, error) || !es_raster_check_head (name, path, error))
    return NULL;
  es_gdal_begin ();
  handle = es_raster_open (path, (const char * const []) { "GTiff", NULL });
  if (handle != NULL)
    {
      mask = mask_source (name, path, handle, width, height, n, plane, kind, &failure);
      GDALClose (handle);
    }
  message = es_gdal_end ();
  if (handle == NULL)
    es_raster_refuse (name, path, message, &failure);
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return NULL;
    }
  return mask != NULL ? masked_source_new (samples, mask, g_steal_pointer (&plane), *kind == ES_RASTER_MASK_BY_BAND)
                      : samples;
}
