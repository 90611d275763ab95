/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Colours that have been worked out, as a picture: PNG, or GeoTIFF with the place of the cube. */

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-file-internal.h"
#include "base/es-text-show.h"
#include "es-strays-internal.h"
#include "es-write-png-internal.h"
#include "es-write-stack-private.h"
#include "libraries/es-gdal-internal.h"
#include "libraries/es-gdal-library-internal.h"

#define SOFTWARE "Eigenscope " ES_VERSION

gboolean
es_written_image_is_geotiff (GFile *target)
{
  g_autofree char *name = g_file_get_basename (target);
  g_autofree char *lower = name != NULL ? g_ascii_strdown (name, -1) : NULL;

  return lower != NULL && (g_str_has_suffix (lower, ".tif") || g_str_has_suffix (lower, ".tiff"));
}

/* n bands of the picture's four into those of a data set. */
static gboolean
fill (GDALDatasetH dataset, const EsWrittenImage *image, int n)
{
  return GDALDatasetRasterIO (dataset, GF_Write, 0, 0, image->width, image->height, (void *) image->pixels,
                              image->width, image->height, GDT_Byte, n, NULL, 4, 4 * image->width, 1) == CE_None;
}

static gboolean
write_png (const EsWrittenImage *image, const EsOutput *output, GError **error)
{
  char *options[] = { (char *) "WORLDFILE=NO", (char *) "WRITE_METADATA_AS_TEXT=YES", NULL };
  GDALDriverH memory = GDALGetDriverByName ("MEM");
  GDALDatasetH picture = memory != NULL
    ? GDALCreate (memory, "", image->width, image->height, 4, GDT_Byte, NULL) : NULL;
  gboolean done = picture != NULL && fill (picture, image, 4);

  for (int i = 0; done && i < 4; i++)
    GDALSetRasterColorInterpretation (GDALGetRasterBand (picture, i + 1), GCI_RedBand + i);
  if (done)
    GDALSetMetadataItem (picture, "Software", SOFTWARE, NULL);
  if (done && image->description != NULL)
    GDALSetMetadataItem (picture, "Description", image->description, NULL);
  done = es_write_png (done ? picture : NULL, options, output, error);
  if (picture != NULL)
    GDALClose (picture);
  return done;
}

static void
set_place (GDALDatasetH dataset, const EsWrittenImage *image)
{
  const double *transform = image->cube != NULL ? es_cube_get_geotransform (image->cube) : NULL;
  const char *projection;
  double scaled[6];

  if (transform == NULL)
    return;
  memcpy (scaled, transform, sizeof scaled);
  /* Where the picture is made of means its pixels are larger. */
  for (guint i = 0; i < 6; i++)
    if (i != 0 && i != 3)
      scaled[i] *= image->step;
  GDALSetGeoTransform (dataset, scaled);
  projection = es_write_knows_projection (image->cube) ? es_cube_get_projection (image->cube) : NULL;
  if (projection != NULL && *projection != '\0')
    {
      OGRSpatialReferenceH system = OSRNewSpatialReference (NULL);

      if (es_gdal_read_system (system, projection))
        {
          OSRSetAxisMappingStrategy (system, OAMS_TRADITIONAL_GIS_ORDER);
          GDALSetSpatialRef (dataset, system);
        }
      OSRDestroySpatialReference (system);
    }
}

static gboolean
has_holes (const EsWrittenImage *image)
{
  for (gsize i = 0; i < (gsize) image->width * image->height; i++)
    if (image->pixels[4 * i + 3] != 255)
      return TRUE;
  return FALSE;
}

/* Three bands of bytes, all of whose values are colours: what is missing is in a mask of the file. */
static gboolean
fill_geotiff (GDALDatasetH dataset, const EsWrittenImage *image)
{
  GDALRasterBandH mask;

  set_place (dataset, image);
  GDALSetMetadataItem (dataset, "TIFFTAG_SOFTWARE", SOFTWARE, NULL);
  if (image->description != NULL)
    GDALSetMetadataItem (dataset, "TIFFTAG_IMAGEDESCRIPTION", image->description, NULL);
  if (!fill (dataset, image, 3))
    return FALSE;
  if (!has_holes (image))
    return TRUE;
  if (GDALCreateDatasetMaskBand (dataset, GMF_PER_DATASET) != CE_None)
    return FALSE;
  mask = GDALGetMaskBand (GDALGetRasterBand (dataset, 1));
  return GDALRasterIOEx (mask, GF_Write, 0, 0, image->width, image->height, (void *) (image->pixels + 3), image->width,
                         image->height, GDT_Byte, 4, 4 * (GSpacing) image->width, NULL) == CE_None;
}

/* Packed in memory, as of a full disk GDAL has libtiff's words only. */
static gboolean
write_geotiff (const EsWrittenImage *image, const EsOutput *output, GError **error)
{
  g_autofree char *packed = g_strdup_printf ("/vsimem/eigenscope-picture-%p.tif", (void *) output);
  g_autofree char *side = g_strconcat (packed, ".aux.xml", NULL);
  GDALDriverH driver = GDALGetDriverByName ("GTiff");
  char **options = CSLSetNameValue (NULL, "PHOTOMETRIC", "RGB");
  vsi_l_offset bytes = 0;
  const GByte *contents;
  GDALDatasetH dataset;
  gboolean done = FALSE;

  options = CSLSetNameValue (options, "INTERLEAVE", "PIXEL");
  options = CSLSetNameValue (options, "COMPRESS", "DEFLATE");
  es_gdal_begin ();
  CPLSetThreadLocalConfigOption ("GDAL_TIFF_INTERNAL_MASK", "YES");
  dataset = driver != NULL ? GDALCreate (driver, packed, image->width, image->height, 3, GDT_Byte, options) : NULL;
  if (dataset != NULL)
    {
      done = fill_geotiff (dataset, image);
      GDALClose (dataset);
    }
  CPLSetThreadLocalConfigOption ("GDAL_TIFF_INTERNAL_MASK", NULL);
  CSLDestroy (options);
  g_autofree char *message = es_gdal_end ();

  contents = done && message == NULL ? VSIGetMemFileBuffer (packed, &bytes, FALSE) : NULL;
  if (contents != NULL)
    done = es_file_write (output->fd, output->path, contents, bytes, error);
  else
    {
      g_autofree char *reason = es_gdal_reason (message, packed);

      es_file_set_reason (error, output->path, reason);
      done = FALSE;
    }
  VSIUnlink (packed);
  VSIUnlink (side);
  return done;
}

/* Colours, as pictures are; numbers of results bear the same name, and are not worked out again so easily. */
static gboolean
is_picture (GDALDatasetH dataset)
{
  const int n = GDALGetRasterCount (dataset);

  for (int i = 1; i <= n; i++)
    if (GDALGetRasterDataType (GDALGetRasterBand (dataset, i)) != GDT_Byte)
      return FALSE;
  return n == 3 || n == 4;
}

/* A picture that this has written may be written again. */
static gboolean
is_of_others (const char *path)
{
  static const char *const drivers[] = { "PNG", "GTiff", NULL };
  gboolean others = TRUE;
  GDALDatasetH dataset;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return FALSE;
  es_gdal_begin ();
  dataset = GDALOpenEx (path, GDAL_OF_RASTER, drivers, NULL, NULL);
  if (dataset != NULL)
    {
      const char *software = GDALGetMetadataItem (dataset, "TIFFTAG_SOFTWARE", NULL);

      if (software == NULL)
        software = GDALGetMetadataItem (dataset, "Software", NULL);
      others = software == NULL || !g_str_has_prefix (software, "Eigenscope ") || !is_picture (dataset);
      GDALClose (dataset);
    }
  g_free (es_gdal_end ());
  return others;
}

gboolean
es_write_image (const EsWrittenImage *image, GFile *target, GPtrArray *notes, GCancellable *cancellable, GError **error)
{
  const gboolean geotiff = es_written_image_is_geotiff (target);
  g_autoptr (GPtrArray) strays = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *path = es_output_local_path (target, error), *names = NULL;
  const EsOutput *output = NULL;

  g_return_val_if_fail (image->width > 0 && image->height > 0 && image->step > 0, FALSE);

  if (path == NULL || g_cancellable_set_error_if_cancelled (cancellable, error) || !es_gdal_prepare (NULL, error))
    return FALSE;
  if (es_strays_keep (outputs, path, strays, cancellable, error)
      && (!image->keeps || !is_of_others (path) || es_kept_add (kept, path, cancellable, error)))
    output = es_outputs_add (outputs, path, TRUE, error);
  if (output == NULL || !(geotiff ? write_geotiff (image, output, error) : write_png (image, output, error))
      || !es_outputs_commit (outputs, error))
    {
      es_kept_forget (strays);
      es_kept_forget (kept);
      return FALSE;
    }
  if (notes != NULL && strays->len > 0)
    g_ptr_array_add (notes, es_strays_tell (strays));
  if (notes != NULL && (names = es_kept_names (kept)) != NULL)
    {
      g_autofree char *name = g_file_get_basename (target), *shown = es_text_show (name);

      g_ptr_array_add (notes, g_strdup_printf (_("“%s” was there already; what was in it is kept as %s."), shown,
                                               names));
    }
  return TRUE;
}
