/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Subdatasets of a container (HDF4, NITF, TIFF of several images, Sentinel-2 ...), and the one that is opened. */

#include <glib/gi18n-lib.h>
#include <string.h>

#include "es-gdal-metadata-private.h"
#include "libraries/es-gdal-internal.h"
#include "libraries/es-gdal-library-internal.h"

#define MOST_PARTS 200u

char *
es_gdal_name_part (const char *connection, const char *path)
{
  const char *colon = strchr (connection, ':');
  g_autoptr (GString) name = g_string_new (colon != NULL ? colon + 1 : connection);
  char *at;

  g_string_replace (name, path, "", 1);
  g_string_replace (name, "\"", "", 0);
  while ((at = strstr (name->str, "::")) != NULL)
    g_string_erase (name, at - name->str, 1);
  while (name->len > 0 && name->str[0] == ':')
    g_string_erase (name, 0, 1);
  while (name->len > 0 && name->str[name->len - 1] == ':')
    g_string_truncate (name, name->len - 1);
  return name->len > 0 ? g_string_free (g_steal_pointer (&name), FALSE) : g_strdup (connection);
}

static gboolean
has_wavelengths (GDALDatasetH part)
{
  const int last = GDALGetRasterCount (part);

  return GDALGetMetadataItem (part, "wavelength", "") != NULL
         || GDALGetMetadataItem (part, "wavelength", "ENVI") != NULL
         || GDALGetMetadataItem (GDALGetRasterBand (part, last), "wavelength", "") != NULL
         || GDALGetMetadataItem (GDALGetRasterBand (part, last), "CENTRAL_WAVELENGTH_UM", "IMAGERY") != NULL;
}

/* One that could be a cube. */
static void
add_part (EsReaderInput *input, const char *connection, const char * const *drivers, GPtrArray *connections)
{
  GDALDatasetH part = GDALOpenEx (connection, GDAL_OF_RASTER, drivers, NULL, NULL);
  const int bands = part != NULL ? GDALGetRasterCount (part) : 0;
  EskType type;

  if (bands > 1 && es_gdal_type (GDALGetRasterDataType (GDALGetRasterBand (part, 1)), &type))
    {
      g_autofree char *name = es_gdal_name_part (connection, input->path);

      es_reader_add_array (input, es_file_array_new (name, (guint64) GDALGetRasterXSize (part),
                                                     (guint64) GDALGetRasterYSize (part), (guint) bands,
                                                     esk_type_name (type), has_wavelengths (part)));
      g_ptr_array_add (connections, g_strdup (connection));
    }
  if (part != NULL)
    GDALClose (part);
}

/* By its name, or, as it could always be said, by what GDAL's name of it ends with. */
static int
find (EsReaderInput *input, GPtrArray *connections)
{
  const int found = es_file_arrays_find (input->arrays, input->options.variable);

  for (guint i = 0; found < 0 && i < connections->len; i++)
    if (g_str_has_suffix (g_ptr_array_index (connections, i), input->options.variable))
      return (int) i;
  return found;
}

char *
es_gdal_choose_part (EsReaderInput *input, GDALDatasetH handle, const char * const *drivers)
{
  char **parts = GDALGetMetadata (handle, "SUBDATASETS");
  const guint n = (guint) CSLCount (parts) / 2;
  g_autoptr (GPtrArray) connections = g_ptr_array_new_with_free_func (g_free);
  int chosen;

  for (guint i = 1; i <= MIN (n, MOST_PARTS); i++)
    {
      g_autofree char *key = g_strdup_printf ("SUBDATASET_%u_NAME", i);
      const char *connection = CSLFetchNameValue (parts, key);

      if (connection != NULL)
        add_part (input, connection, drivers, connections);
    }
  if (connections->len == 0)
    return NULL;
  chosen = (int) es_file_arrays_choose (input->arrays);
  if (input->options.variable != NULL)
    chosen = find (input, connections);
  if (chosen < 0)
    return NULL;
  if (connections->len > 1 && input->options.variable == NULL)
    es_reader_note (input, _("The file holds %u cubes; “%s” was opened."), connections->len,
                    ((EsFileArray *) g_ptr_array_index (input->arrays, chosen))->name);
  ((EsFileArray *) g_ptr_array_index (input->arrays, chosen))->open = TRUE;
  return g_strdup (g_ptr_array_index (connections, chosen));
}
