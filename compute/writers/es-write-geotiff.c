/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/es-error.h"
#include "base/es-file-internal.h"
#include "base/es-text-internal.h"
#include "es-strays-internal.h"
#include "es-write-stack-private.h"
#include "layer/es-layer-internal.h"
#include "libraries/es-gdal-internal.h"
#include "libraries/es-gdal-library-internal.h"

/* From this size on, tiles make looking at parts of the picture cheap. */
#define TILED_SIDE 512

static GDALDatasetH
create (const EsStackJob *job, const char *part)
{
  EsImageStack *stack = job->stack;
  const guint64 width = es_image_stack_get_width (stack), height = es_image_stack_get_height (stack);
  GDALDriverH driver = GDALGetDriverByName ("GTiff");
  char **options = NULL;
  GDALDatasetH dataset;

  if (driver == NULL)
    {
      CPLError (CE_Failure, CPLE_NotSupported, "GDAL has no GTiff driver");
      return NULL;
    }
  options = CSLSetNameValue (options, "BIGTIFF", "IF_SAFER");
  options = CSLSetNameValue (options, "INTERLEAVE", "BAND");
  if (width >= TILED_SIDE && height >= TILED_SIDE)
    options = CSLSetNameValue (options, "TILED", "YES");
  dataset = GDALCreate (driver, part, width, height, es_image_stack_get_planes (stack), GDT_Float32, options);
  CSLDestroy (options);
  return dataset;
}

static void
set_tags (const EsStackJob *job, GDALDatasetH dataset)
{
  EsImageStack *stack = job->stack;
  const double *transform, *wavelengths = es_image_stack_get_wavelengths (stack);
  const char *projection;

  if (es_stack_job_get_georeference (job, &transform, &projection))
    {
      GDALSetGeoTransform (dataset, (double *) transform);
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
  GDALSetMetadataItem (dataset, "TIFFTAG_SOFTWARE", "Eigenscope " ES_VERSION, NULL);
  if (job->description != NULL)
    GDALSetMetadataItem (dataset, "TIFFTAG_IMAGEDESCRIPTION", job->description, NULL);

  for (guint i = 0; i < es_image_stack_get_planes (stack); i++)
    {
      GDALRasterBandH band = GDALGetRasterBand (dataset, i + 1);
      double share = es_image_stack_get_plane_share (stack, i);

      GDALSetRasterNoDataValue (band, NAN);
      if (es_image_stack_get_plane_title (stack, i) != NULL)
        GDALSetDescription (band, es_image_stack_get_plane_title (stack, i));
      if (es_image_stack_get_unit (stack) != NULL)
        GDALSetRasterUnitType (band, es_image_stack_get_unit (stack));
      if (wavelengths != NULL)
        {
          g_autoptr (GString) text = g_string_new (NULL);
          es_text_append_number (text, wavelengths[i]);
          GDALSetMetadataItem (band, "wavelength", text->str, NULL);
          GDALSetMetadataItem (band, "wavelength_units", "nm", NULL);
        }
      if (isfinite (share))
        {
          g_autoptr (GString) text = g_string_new (NULL);
          es_text_append_number (text, share);
          GDALSetMetadataItem (band, "VARIANCE_SHARE", text->str, NULL);
        }
    }
}

static gboolean
write_rows (gpointer data, guint plane, guint64 y, guint64 rows, const float *values, GError **error)
{
  GDALRasterBandH band = GDALGetRasterBand (data, plane + 1);
  const int width = GDALGetRasterBandXSize (band);

  /* The reason is in GDAL's message. */
  return GDALRasterIO (band, GF_Write, 0, y, width, rows, (float *) values, width, rows, GDT_Float32, 0, 0) == CE_None;
}

static gboolean
write_planes (const EsStackJob *job, GDALDatasetH dataset, GError **error)
{
  int block_width, block_height;

  /* Whole rows of blocks, so that each is written once. */
  GDALGetBlockSize (GDALGetRasterBand (dataset, 1), &block_width, &block_height);
  return es_stack_job_for_rows (job, block_height, write_rows, dataset, error);
}

/* libtiff buffers, and tells of a full disk late or not at all: looked at before and after. */
static gboolean
check_space (const char *part, const char *path, guint64 bytes, GError **error)
{
  struct statvfs space;

  if (statvfs (part, &space) == 0 && (guint64) space.f_bavail * space.f_frsize < bytes)
    return es_file_set_error (error, path, ENOSPC);
  return TRUE;
}

static gboolean
write_all (const EsStackJob *job, const EsOutput *output, GError **error)
{
  GDALDatasetH dataset = create (job, output->part);
  gboolean written;

  if (dataset == NULL)
    return FALSE;
  set_tags (job, dataset);
  written = write_planes (job, dataset, error);
  GDALClose (dataset);
  return written;
}

/* The samples are in the file: the directory is what GDAL writes anew, behind them. */
static gboolean
write_tags (const EsStackJob *job, const EsOutput *output, GError **error)
{
  static const char *const drivers[] = { "GTiff", NULL };
  GDALDatasetH dataset = GDALOpenEx (output->part, GDAL_OF_RASTER | GDAL_OF_UPDATE, drivers, NULL, NULL);

  if (dataset == NULL)
    return FALSE;
  set_tags (job, dataset);
  GDALClose (dataset);
  return !es_stack_job_step (job, es_image_stack_get_planes (job->stack), 0, error);
}

/* bytes: of all samples; needed: of those that are not in the file yet. */
static gboolean
write_with (gboolean (*write) (const EsStackJob *job, const EsOutput *output, GError **error), const EsStackJob *job,
            const EsOutput *output, guint64 bytes, guint64 needed, GError **error)
{
  g_autofree char *message = NULL;
  GError *failure = NULL;
  struct stat status;
  gboolean written;

  if (!es_gdal_prepare (NULL, error))
    return FALSE;
  es_gdal_begin ();
  written = write (job, output, &failure);
  message = es_gdal_end ();

  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  if (written && message == NULL && stat (output->part, &status) == 0 && (guint64) status.st_size >= bytes)
    return TRUE;
  if (check_space (output->part, output->path, needed, error))
    es_file_set_reason (error, output->path,
                        message != NULL ? message : _("the file system did not take all of it"));
  return FALSE;
}

gboolean
es_write_stack_geotiff (const EsStackJob *job, const char *path, EsOutputs *outputs, GError **error)
{
  EsImageStack *stack = job->stack;
  const guint64 width = es_image_stack_get_width (stack), height = es_image_stack_get_height (stack);
  const guint64 bytes = width * height * es_image_stack_get_planes (stack) * sizeof (float);
  const EsOutput *output;

  if (!es_strays_keep (outputs, path, job->strays, job->cancellable, error))
    return FALSE;
  /* The file behind the stack, where it has one beside the target. */
  if (es_stack_job_adopt (job, path, outputs))
    return write_with (write_tags, job, es_outputs_find (outputs, path), bytes, 0, error);

  output = es_outputs_add (outputs, path, FALSE, error);
  if (output == NULL || !check_space (output->part, output->path, bytes, error))
    return FALSE;
  if (width > G_MAXINT || height > G_MAXINT)
    return es_file_set_reason (error, path, _("a GeoTIFF has at most 2,147,483,647 columns and rows"));

  es_outputs_hand_over (outputs, output);
  return write_with (write_all, job, output, bytes, bytes, error);
}
