/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Where pixels of a cube lie that is as the sensor saw it: latitudes and longitudes, arrays of the cube's size. */

#include <glib/gi18n-lib.h>
#include <string.h>

#include "es-mdim-private.h"
#include "libraries/es-gdal-internal.h"

/* More would take too long while the file is opened. */
#define MOST_PIXELS ((guint64) 1 << 26)

static gboolean
is_one_of (const char *name, const char *a, const char *b)
{
  return g_ascii_strcasecmp (name, a) == 0 || g_ascii_strcasecmp (name, b) == 0;
}

void
es_mdim_note_places (GDALMDArrayH array, EsMdimPlaces *places)
{
  const char *name = GDALMDArrayGetName (array);

  if (GDALMDArrayGetDimensionCount (array) != 2)
    return;
  if (places->latitude == NULL && is_one_of (name, "lat", "latitude"))
    places->latitude = g_strdup (GDALMDArrayGetFullName (array));
  else if (places->longitude == NULL && is_one_of (name, "lon", "longitude"))
    places->longitude = g_strdup (GDALMDArrayGetFullName (array));
}

static gboolean
has_size (GDALMDArrayH array, const EsCubeInfo *info)
{
  size_t n = 0;
  GDALDimensionH *axes = GDALMDArrayGetDimensions (array, &n);
  const gboolean has = n == 2 && GDALDimensionGetSize (axes[0]) == info->height
                       && GDALDimensionGetSize (axes[1]) == info->width;

  GDALReleaseDimensions (axes, n);
  return has;
}

/* Numbers of the whole array, by row. */
static double *
read_plane (EsReaderInput *input, GDALGroupH root, const char *path, const EsCubeInfo *info)
{
  GDALMDArrayH array = path != NULL ? GDALGroupOpenMDArrayFromFullname (root, path, NULL) : NULL;
  g_autofree double *values = NULL;
  gboolean ok = array != NULL && has_size (array, info);

  if (ok && es_reader_is_hdf5 (input))
    values = es_mdim_hdf_read_plane (input, path, info->height, info->width);
  else if (ok)
    {
      const GUInt64 start[2] = { 0 };
      const size_t count[2] = { info->height, info->width }, n = info->height * info->width;
      GDALExtendedDataTypeH type = GDALExtendedDataTypeCreate (GDT_Float64);

      values = g_try_new0 (double, n);
      if (values != NULL
          && !GDALMDArrayRead (array, start, count, NULL, NULL, type, values, values, n * sizeof *values))
        g_clear_pointer (&values, g_free);
      GDALExtendedDataTypeRelease (type);
    }
  if (array != NULL)
    GDALMDArrayRelease (array);
  return g_steal_pointer (&values);
}

void
es_mdim_read_places (EsReaderInput *input, GDALGroupH root, const EsMdimPlaces *places, EsCubeInfo *info)
{
  g_autofree double *latitudes = NULL, *longitudes = NULL;

  if (places->latitude == NULL || places->longitude == NULL || info->width > MOST_PIXELS / MAX (info->height, 1))
    return;
  latitudes = read_plane (input, root, places->latitude, info);
  longitudes = latitudes != NULL ? read_plane (input, root, places->longitude, info) : NULL;
  if (longitudes != NULL)
    info->places = es_places_new (latitudes, longitudes, info->width, info->height);
  if (info->places != NULL)
    es_reader_note (input, _("The samples lie as the sensor saw them, not on a map; latitude and longitude are those "
                             "that the file tells pixel by pixel."));
}
