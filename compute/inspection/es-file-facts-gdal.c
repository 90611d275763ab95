/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What GDAL knows of a raster and of its bands: metadata of every domain, and what is not in those. */

#include "es-file-facts-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "libraries/es-gdal-internal.h"
#include "libraries/es-gdal-library-internal.h"
#include "libraries/es-hdf-lock-internal.h"
#include "raster/es-raster-internal.h"

/* Domains of which each item is asked for, and would be read from samples or other files. */
static gboolean
is_asked (const char *domain)
{
  return !g_str_has_prefix (domain, "xml:") && g_ascii_strcasecmp (domain, "DERIVED_SUBDATASETS") != 0
         && g_ascii_strcasecmp (domain, "OVERVIEWS") != 0 && g_ascii_strcasecmp (domain, "COLOR_PROFILE") != 0;
}

static gboolean
add_domain (EsFileFacts *self, const char *group, GDALMajorObjectH object, const char *domain)
{
  char **items = GDALGetMetadata (object, domain);
  g_autofree char *title = *domain != '\0' ? g_strdup_printf ("%s · %s", group, domain) : g_strdup (group);

  for (; items != NULL && *items != NULL; items++)
    {
      char *key = NULL;
      const char *value = CPLParseNameValue (*items, &key);
      const gboolean goes_on = es_file_facts_add (self, title, key != NULL ? key : "", value != NULL ? value : *items);

      CPLFree (key);
      if (!goes_on)
        return FALSE;
    }
  return TRUE;
}

static gboolean
add_domains (EsFileFacts *self, const char *group, GDALMajorObjectH object)
{
  char **domains = GDALGetMetadataDomainList (object);
  gboolean goes_on = add_domain (self, group, object, "");

  for (char **domain = domains; goes_on && domain != NULL && *domain != NULL; domain++)
    if (**domain != '\0' && is_asked (*domain))
      goes_on = add_domain (self, group, object, *domain);
  CSLDestroy (domains);
  return goes_on;
}

static void
add_number (EsFileFacts *self, const char *group, const char *key, double value)
{
  g_autofree char *text = g_strdup_printf ("%.17g", value);

  es_file_facts_add (self, group, key, text);
}

static void
add_text (EsFileFacts *self, const char *group, const char *key, const char *text)
{
  if (text != NULL && *text != '\0')
    es_file_facts_add (self, group, key, text);
}

static gboolean
add_band (EsFileFacts *self, GDALRasterBandH band, int number)
{
  /* Translators: one band of a file, as a heading */
  g_autofree char *group = g_strdup_printf (_("Band %d"), number);
  char **classes = GDALGetRasterCategoryNames (band);
  int has;
  double value;

  add_text (self, group, "description", GDALGetDescription (band));
  value = GDALGetRasterNoDataValue (band, &has);
  if (has)
    add_number (self, group, "no-data", value);
  value = GDALGetRasterScale (band, &has);
  if (has && value != 1)
    add_number (self, group, "scale", value);
  value = GDALGetRasterOffset (band, &has);
  if (has && value != 0)
    add_number (self, group, "offset", value);
  add_text (self, group, "unit", GDALGetRasterUnitType (band));
  for (guint i = 0; classes != NULL && classes[i] != NULL; i++)
    {
      g_autofree char *key = g_strdup_printf ("class %u", i);

      if (!es_file_facts_add (self, group, key, classes[i]))
        return FALSE;
    }
  return add_domains (self, group, band);
}

static void
add_raster (EsFileFacts *self, GDALDatasetH handle)
{
  const char *group = GDALGetDriverLongName (GDALGetDatasetDriver (handle));
  double transform[6];

  if (GDALGetGeoTransform (handle, transform) == CE_None)
    {
      g_autofree char *text = g_strdup_printf ("%.17g, %.17g, %.17g, %.17g, %.17g, %.17g", transform[0], transform[1],
                                               transform[2], transform[3], transform[4], transform[5]);

      es_file_facts_add (self, group, "geotransform", text);
    }
  add_text (self, group, "coordinate system", GDALGetProjectionRef (handle));
  if (!add_domains (self, group, handle))
    return;
  for (int i = 1; i <= GDALGetRasterCount (handle); i++)
    if (!add_band (self, GDALGetRasterBand (handle, i), i))
      return;
}

gboolean
es_file_facts_gdal (EsFileFacts *self, const char *connection, const char *driver)
{
  const char * const named[] = { driver, NULL };
  g_autofree char *message = NULL;
  GDALDatasetH handle;

  if (!es_gdal_prepare (NULL, NULL) || (driver != NULL && !es_gdal_allow_driver (driver, NULL)))
    return FALSE;
  es_hdf_lock ();
  es_gdal_begin ();
  handle = es_raster_open (connection, driver != NULL ? named : es_gdal_raster_drivers ());
  if (handle != NULL)
    {
      add_raster (self, handle);
      GDALClose (handle);
    }
  message = es_gdal_end ();
  es_hdf_unlock ();
  return handle != NULL;
}
