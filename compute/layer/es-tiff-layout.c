/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-plane-layout-internal.h"

#include <glib/gi18n-lib.h>

#include "base/es-file-internal.h"
#include "libraries/es-gdal-internal.h"
#include "libraries/es-gdal-library-internal.h"

/* A strip of about so many bytes is little to read for a part of it, and does not make the list of strips long. */
#define STRIP_BYTES ((guint64) 64 << 10)

static gboolean
create (const char *part, const EsPlaneLayout *layout, guint64 strip_rows)
{
  GDALDriverH driver = GDALGetDriverByName ("GTiff");
  g_autofree char *rows = g_strdup_printf ("%" G_GUINT64_FORMAT, strip_rows);
  char **options = NULL;
  GDALDatasetH dataset;

  if (driver == NULL)
    {
      CPLError (CE_Failure, CPLE_NotSupported, "GDAL has no GTiff driver");
      return FALSE;
    }
  options = CSLSetNameValue (options, "BIGTIFF", "IF_SAFER");
  options = CSLSetNameValue (options, "INTERLEAVE", "BAND");
  options = CSLSetNameValue (options, "COMPRESS", "NONE");
  options = CSLSetNameValue (options, "ENDIANNESS", "NATIVE");
  options = CSLSetNameValue (options, "BLOCKYSIZE", rows);
  dataset = GDALCreate (driver, part, layout->width, layout->height, layout->planes, GDT_Float32, options);
  CSLDestroy (options);
  /* Without a value for no data GDAL places all strips, and leaves them to the file system. */
  if (dataset != NULL)
    GDALClose (dataset);
  return dataset != NULL;
}

/* 0: nowhere. */
static guint64
get_strip (GDALDatasetH dataset, guint plane, guint64 strip)
{
  g_autofree char *key = g_strdup_printf ("BLOCK_OFFSET_0_%" G_GUINT64_FORMAT, strip);
  const char *offset = GDALGetMetadataItem (GDALGetRasterBand (dataset, plane + 1), key, "TIFF");

  return offset != NULL ? g_ascii_strtoull (offset, NULL, 10) : 0;
}

/* Where they are is GDAL's affair, so it is asked. FALSE: not one behind the other. */
static gboolean
find_strips (const char *part, EsPlaneLayout *layout, guint64 strip_rows)
{
  static const char *const drivers[] = { "GTiff", NULL };
  const guint64 strips = (layout->height + strip_rows - 1) / strip_rows;
  const guint64 strip_bytes = strip_rows * layout->width * sizeof (float);
  GDALDatasetH dataset = GDALOpenEx (part, GDAL_OF_RASTER | GDAL_OF_READONLY, drivers, NULL, NULL);
  gboolean regular = dataset != NULL;

  if (dataset == NULL)
    return FALSE;
  layout->start = get_strip (dataset, 0, 0);
  layout->pitch = strips * strip_bytes;
  for (guint plane = 0; regular && plane < layout->planes; plane++)
    for (guint64 i = 0; regular && i < strips; i++)
      regular = layout->start > 0
                && get_strip (dataset, plane, i) == layout->start + plane * layout->pitch + i * strip_bytes;
  GDALClose (dataset);
  return regular;
}

gboolean
es_tiff_layout_make (const char *part, const char *path, gpointer data, guint64 *length, GError **error)
{
  EsPlaneLayout *layout = data;

  if (layout->width > G_MAXINT || layout->height > G_MAXINT)
    return es_file_set_reason (error, path, _("a GeoTIFF has at most 2,147,483,647 columns and rows"));

  const guint64 strip_rows = CLAMP (STRIP_BYTES / sizeof (float) / layout->width, 1, layout->height);

  if (!es_gdal_prepare (NULL, error))
    return FALSE;
  es_gdal_begin ();
  const gboolean made = create (part, layout, strip_rows) && find_strips (part, layout, strip_rows);
  g_autofree char *message = es_gdal_end ();

  *length = layout->start + layout->planes * layout->pitch;
  if (made && message == NULL)
    return TRUE;
  g_autofree char *reason = message != NULL ? es_gdal_reason (message, part)
                                            : g_strdup (_("GDAL does not place its strips behind one another"));
  return es_file_set_reason (error, path, reason);
}
