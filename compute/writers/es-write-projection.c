/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Projections that come from files and may be anything: whether they can be written, before hours of samples are. */

#include <glib/gi18n-lib.h>

#include "es-write-stack-private.h"
#include "georeference/es-known-system-internal.h"
#include "libraries/es-gdal-internal.h"
#include "libraries/es-gdal-library-internal.h"

/* GDAL says what it makes of a projection when a file is closed: one of a pixel, in memory. */
static void
try_projection (const double *transform, OGRSpatialReferenceH system)
{
  g_autofree char *path = g_strdup_printf ("/vsimem/eigenscope-projection-%p.tif", (void *) system);
  GDALDriverH driver = GDALGetDriverByName ("GTiff");
  GDALDatasetH dataset = driver != NULL ? GDALCreate (driver, path, 1, 1, 1, GDT_Byte, NULL) : NULL;

  if (dataset == NULL)
    return;
  OSRSetAxisMappingStrategy (system, OAMS_TRADITIONAL_GIS_ORDER);
  GDALSetGeoTransform (dataset, (double *) transform);
  GDALSetSpatialRef (dataset, system);
  GDALClose (dataset);
  VSIUnlink (path);
}

gboolean
es_write_knows_projection (EsCube *cube)
{
  const double *transform = es_cube_get_geotransform (cube);
  const char *projection = es_cube_get_projection (cube);
  OGRSpatialReferenceH system;
  EsKnownSystem plain;
  gboolean known;

  if (transform == NULL || projection == NULL || *projection == '\0' || es_known_system_find (projection, &plain))
    return TRUE;
  if (!es_gdal_prepare (NULL, NULL))
    return FALSE;
  es_gdal_begin ();
  system = OSRNewSpatialReference (NULL);
  known = es_gdal_read_system (system, projection);
  if (known)
    try_projection (transform, system);
  OSRRelease (system);
  g_autofree char *message = es_gdal_end ();
  return known && message == NULL;
}

char *
es_write_tell_projection (EsDataset *dataset)
{
  g_autoptr (GError) error = NULL;

  if (!ES_IS_CUBE (dataset) || es_write_knows_projection (ES_CUBE (dataset)))
    return NULL;
  if (!es_library_load (&es_library_gdal, es_dataset_get_name (dataset), &error))
    return g_strdup_printf (_("Its projection was left out, and its coordinates are there: %s."), error->message);
  return g_strdup_printf (_("The projection of “%s” is malformed: it was saved without it, at the same coordinates."),
                          es_dataset_get_name (dataset));
}
