/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What attributes of a PRISMA product say: of its bands, of its numbers, and where it lies. */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-mdim-prisma-private.h"
#include "libraries/es-gdal-internal.h"
#include "libraries/es-gdal-library-internal.h"

#define FULL_SCALE 65535.0

/* n numbers of an attribute of the file; *n 0: as many as there are. NULL: it has none, or another number. */
static double *
read_list (GDALGroupH root, const char *name, guint *n)
{
  GDALAttributeH attribute = GDALGroupGetAttribute (root, name);
  size_t found = 0;
  double *values = attribute != NULL ? GDALAttributeReadAsDoubleArray (attribute, &found) : NULL;
  double *copy = values != NULL && found > 0 && (*n == 0 || found == *n) ? g_memdup2 (values, found * sizeof *values)
                                                                         : NULL;

  if (values != NULL)
    *n = (guint) MIN (found, G_MAXUINT);
  CPLFree (values);
  if (attribute != NULL)
    GDALAttributeRelease (attribute);
  return copy;
}

static gboolean
read_number (GDALGroupH root, const char *before, const char *detector, const char *behind, double *value)
{
  g_autofree char *name = g_strconcat (before, detector, behind, NULL);
  guint n = 1;
  g_autofree double *list = read_list (root, name, &n);

  if (list == NULL || !isfinite (list[0]))
    return FALSE;
  *value = list[0];
  return TRUE;
}

/* One number a band; what has another length is noted. */
static double *
read_of_bands (EsReaderInput *input, GDALGroupH root, const char *before, const EsPrismaDetector *detector,
               const char *behind)
{
  g_autofree char *name = g_strconcat (before, detector->detector, behind, NULL);
  guint n = 0;
  double *values = read_list (root, name, &n);

  return es_reader_take_list (input, values, n, detector->bands, name);
}

gboolean
es_prisma_is_measured (const EsPrismaDetector *detector, guint band)
{
  return (detector->wavelengths == NULL || detector->wavelengths[band] > 0)
         && (detector->flags == NULL || detector->flags[band] != 0);
}

/* Bands of one detector that count: of lists that leave none, all. */
static void
settle_lists (EsReaderInput *input, EsPrismaDetector *detector)
{
  guint n = 0;

  for (guint b = 0; b < detector->bands; b++)
    n += es_prisma_is_measured (detector, b);
  if (n > 0)
    return;
  es_reader_note (input, _("The wavelengths of all bands are 0 and were ignored."));
  g_clear_pointer (&detector->wavelengths, g_free);
  g_clear_pointer (&detector->fwhm, g_free);
  g_clear_pointer (&detector->flags, g_free);
}

void
es_prisma_read_lists (EsReaderInput *input, GDALGroupH root, const EsPrisma *product, EsPrismaDetector *detector)
{
  double low, high, factor, offset = 0;

  detector->wavelengths = read_of_bands (input, root, "List_Cw_", detector, "");
  detector->fwhm = read_of_bands (input, root, "List_Fwhm_", detector, "");
  detector->flags = read_of_bands (input, root, "List_Cw_", detector, "_Flags");
  detector->scale = 1;
  detector->offset = 0;
  detector->counted = TRUE;
  if (read_number (root, "L2Scale", detector->detector, "Min", &low)
      && read_number (root, "L2Scale", detector->detector, "Max", &high) && high > low)
    {
      detector->scale = (high - low) / FULL_SCALE;
      detector->offset = low;
    }
  else if (read_number (root, "ScaleFactor_", detector->detector, "", &factor) && factor != 0)
    {
      read_number (root, "Offset_", detector->detector, "", &offset);
      detector->scale = 1 / factor;
      detector->offset = -offset;
    }
  else
    {
      detector->counted = FALSE;
      es_reader_note (input, _("The file does not say how stored numbers of the detector %s become physical ones; they "
                               "are shown as they are stored."), product->detectors == detector ? "VNIR" : "SWIR");
    }
  settle_lists (input, detector);
}

/* The corners that the attributes tell are the centres of the outermost pixels. */
void
es_prisma_read_map (GDALGroupH root, EsCubeInfo *info)
{
  OGRSpatialReferenceH system;
  g_autofree char *code = NULL;
  double left, right, top, bottom, epsg;
  char *wkt = NULL;

  if (!read_number (root, "Product_ULcorner_easting", "", "", &left)
      || !read_number (root, "Product_LRcorner_easting", "", "", &right)
      || !read_number (root, "Product_ULcorner_northing", "", "", &top)
      || !read_number (root, "Product_LRcorner_northing", "", "", &bottom) || !(right > left) || !(top > bottom)
      || info->width < 2 || info->height < 2)
    return;

  const double width = (right - left) / (double) (info->width - 1);
  const double height = (top - bottom) / (double) (info->height - 1);
  const double transform[6] = { left - width / 2, width, 0, top + height / 2, 0, -height };

  info->geotransform = g_memdup2 (transform, sizeof transform);
  if (!read_number (root, "Epsg_Code", "", "", &epsg) || !(epsg >= 1024 && epsg <= 32767))
    return;
  code = g_strdup_printf ("EPSG:%d", (int) epsg);
  system = OSRNewSpatialReference (NULL);
  if (es_gdal_read_system (system, code) && OSRExportToWkt (system, &wkt) == OGRERR_NONE)
    info->projection = g_strdup (wkt);
  CPLFree (wkt);
  OSRRelease (system);
}

void
es_prisma_read_places (EsReaderInput *input, GDALGroupH root, const EsPrisma *product, EsCubeInfo *info)
{
  static const char * const endings[] = { "", "_VNIR", "_SWIR" };

  for (guint i = 0; i < G_N_ELEMENTS (endings) && info->places == NULL; i++)
    {
      g_autofree char *latitude = g_strdup_printf ("/HDFEOS/SWATHS/%s/Geolocation Fields/Latitude%s", product->swath,
                                                   endings[i]);
      g_autofree char *longitude = g_strdup_printf ("/HDFEOS/SWATHS/%s/Geolocation Fields/Longitude%s",
                                                    product->swath, endings[i]);
      const EsMdimPlaces places = { latitude, longitude };

      es_mdim_read_places (input, root, &places, info);
    }
}
