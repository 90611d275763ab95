/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-gdal-metadata-private.h"
#include "es-reader-private.h"
#include "libraries/es-gdal-internal.h"
#include "libraries/es-gdal-library-internal.h"
#include "libraries/es-hdf-lock-internal.h"
#include "products/es-vrt-internal.h"
#include "raster/es-raster-internal.h"

/* The type that holds what all bands hold. */
static gboolean
common_type (EsReaderInput *input, GDALDatasetH handle, const EsRasterBands *bands, EskType *type, GError **error)
{
  GDALRasterBandH first = GDALGetRasterBand (handle, bands->list[0]);
  GDALDataType common = GDALGetRasterDataType (first);
  const char *pixel_type = GDALGetMetadataItem (first, "PIXELTYPE", "IMAGE_STRUCTURE");
  gboolean mixed = FALSE;

  for (guint b = 1; b < bands->n; b++)
    {
      GDALDataType other = GDALGetRasterDataType (GDALGetRasterBand (handle, bands->list[b]));

      mixed |= other != common;
      common = GDALDataTypeUnion (common, other);
    }
  if (GDALDataTypeIsComplex (common))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("“%s” holds complex samples (%s); real ones were expected"), input->name,
                   GDALGetDataTypeName (common));
      return FALSE;
    }
  if (!es_gdal_type (common, type))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("“%s” holds samples of the type %s; integers or floating-point numbers were expected"),
                   input->name, GDALGetDataTypeName (common));
      return FALSE;
    }
  if (mixed)
    es_reader_note (input, _("The bands are of different types and are read as %s."), esk_type_name (*type));
  else if (*type == ESK_U8 && pixel_type != NULL && g_ascii_strcasecmp (pixel_type, "SIGNEDBYTE") == 0)
    *type = ESK_I8;
  return TRUE;
}

/* A text that belongs to a recording. */
static gboolean
is_of_recording (EsReaderInput *input)
{
  return es_reader_is_array (input) || es_calibration_is_file (input->file) || es_navigation_is_file (input->file);
}

static gboolean
needs_lock (EsReaderInput *input)
{
  gboolean hdf4 = input->head_length >= 4 && memcmp (input->head, "\016\003\023\001", 4) == 0;

  return hdf4 || es_reader_is_hdf5 (input) || es_reader_is_netcdf3 (input);
}

static void
note_mask (EsReaderInput *input, const EsRasterBands *bands)
{
  if (bands->alpha > 0)
    es_reader_note (input, _("Band %d is an alpha channel and no band of the cube: pixels where it is 0 are missing, "
                             "those that are transparent in part count."), bands->alpha);
  if (bands->mislabelled > 0)
    es_reader_note (input, _("Band %d is labelled as an alpha channel, and its values are not those of one: it counts "
                             "as a band of the cube."), bands->mislabelled);
  if (bands->mask == ES_RASTER_MASK_SHARED || bands->mask == ES_RASTER_MASK_BY_BAND)
    es_reader_note_mask (input, bands->mask == ES_RASTER_MASK_BY_BAND);
}

static EsCube *
cube_of_dataset (EsReaderInput *input, GDALDatasetH handle, const char *connection, GError **error)
{
  g_auto (EsCubeInfo) info = { .default_bands = { -1, -1, -1 } };
  g_auto (EsRasterBands) bands = { 0 };
  GDALDriverH driver = GDALGetDatasetDriver (handle);
  guint64 promised = 0;
  EskType type;

  if (needs_lock (input))
    es_hdf_lock ();
  es_gdal_begin ();
  es_raster_bands_find (handle, &bands);
  g_free (es_gdal_end ());
  if (needs_lock (input))
    es_hdf_unlock ();
  /* A table of numbers looks like a map of one band to some drivers. */
  if (bands.n < 1 || (bands.n == 1 && is_of_recording (input)))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("“%s” holds no band that is measured (%s); at least one was expected"), input->name,
                   GDALGetDriverShortName (driver));
      return NULL;
    }
  if (!common_type (input, handle, &bands, &type, error))
    return NULL;
  note_mask (input, &bands);
  if (!es_raster_check (input->name, input->path, handle, &bands, &promised, error))
    return NULL;

  info.width = (guint64) GDALGetRasterXSize (handle);
  info.height = (guint64) GDALGetRasterYSize (handle);
  info.bands = bands.n;
  info.type = type;
  info.format_name = g_strdup (strcmp (GDALGetDriverShortName (driver), "GTiff") == 0
                               ? "GeoTIFF" : GDALGetDriverShortName (driver));
  if (needs_lock (input))
    es_hdf_lock ();
  es_gdal_read_metadata (input, handle, bands.list, &info);
  if (bands.n == 1)
    info.classes = es_raster_read_classes (handle, bands.list[0]);
  es_reader_take_product (input, handle, bands.list, &info);
  if (needs_lock (input))
    es_hdf_unlock ();
  info.source = es_raster_source_new (input->name, input->path, connection, handle, &bands, type, promised);
  return es_cube_new (input->file, &info, error);
}

/* Of a description among what a description names, GDAL tells no more. */
static void
add_named_files (EsReaderInput *input)
{
  g_auto (GStrv) sources = es_vrt_list_sources (input->path, input->cancellable, NULL);

  for (guint i = 0; sources != NULL && sources[i] != NULL; i++)
    if (g_path_is_absolute (sources[i]) && g_file_test (sources[i], G_FILE_TEST_IS_REGULAR))
      es_reader_add_file (input, sources[i]);
}

/* Headers, world files, .aux.xml, overviews: all that the driver knows of. */
static void
add_files (EsReaderInput *input, GDALDatasetH handle)
{
  char **files = GDALGetFileList (handle);

  if (input->options.driver != NULL)
    add_named_files (input);

  for (char **file = files; file != NULL && *file != NULL; file++)
    if (g_file_test (*file, G_FILE_TEST_IS_REGULAR))
      es_reader_add_file (input, *file);
  CSLDestroy (files);
}

static gboolean
gdal_recognises (EsReaderInput *input)
{
  return TRUE;
}

/* What is known to lead elsewhere, before anything opens it. */
static gboolean
check_driver (EsReaderInput *input, GError **error)
{
  const char *guess;

  if (input->options.driver != NULL)
    return es_gdal_allow_driver (input->options.driver, error);
  guess = es_gdal_guess_driver (input->head, input->head_length);
  if (guess == NULL)
    return TRUE;
  if (es_gdal_driver_is_remote (guess))
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                 _("“%s” describes a server on the network (%s); only files of this machine are opened"), input->name,
                 guess);
  else
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                 _("“%s” describes other files (%s), whatever and wherever they are, and is not opened by itself; "
                   "“eigenscope-batch ... --driver %s” allows it"), input->name, guess, guess);
  return FALSE;
}

/* A file of any format and place, which GDAL opens when it is first asked about masks or overviews: before that. */
static gboolean
check_overviews (EsReaderInput *input, GDALDatasetH handle, GError **error)
{
  const char *named = GDALGetMetadataItem (handle, "OVERVIEW_FILE", "OVERVIEWS");
  g_autofree char *shown = NULL;

  if (named == NULL)
    return TRUE;
  shown = g_filename_display_name (named);
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
               _("“%s” names “%s” as the file of its overviews, and is not opened by itself; "
                 "“eigenscope-batch ... --driver %s” allows it"), input->name, shown,
               GDALGetDriverShortName (GDALGetDatasetDriver (handle)));
  return FALSE;
}

/* A raster, and others beside it in the file. */
static gboolean
has_several (GDALDatasetH handle)
{
  return CSLCount (GDALGetMetadata (handle, "SUBDATASETS")) / 2 > 1;
}

static void
refuse_name (EsReaderInput *input, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < input->arrays->len && i < 12; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "",
                            ((EsFileArray *) g_ptr_array_index (input->arrays, i))->name);
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” has no cube “%s”; it holds %s"), input->name,
               input->options.variable, names->str);
}

/* The raster itself, or the part of a container. *part: that part's name; transfer full. */
static GDALDatasetH
open_handle (EsReaderInput *input, const char * const *drivers, char **part, GError **error)
{
  GDALDatasetH handle = es_raster_open (input->path, drivers);
  g_autofree char *outside = NULL;

  if (handle != NULL && (GDALGetRasterCount (handle) == 0 || has_several (handle)))
    {
      *part = es_gdal_choose_part (input, handle, drivers);
      if (*part == NULL && input->options.variable != NULL && input->arrays->len > 0)
        {
          refuse_name (input, error);
          GDALClose (handle);
          return NULL;
        }
      if (*part != NULL || GDALGetRasterCount (handle) == 0)
        {
          GDALClose (handle);
          handle = *part != NULL ? es_raster_open (*part, drivers) : NULL;
        }
      if (handle == NULL)
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                     _("“%s” holds no array of three dimensions and no raster of several bands"), input->name);
    }
  if (handle != NULL && input->options.driver == NULL && !check_overviews (input, handle, error))
    {
      GDALClose (handle);
      handle = NULL;
    }
  if (handle != NULL && input->options.driver == NULL && !es_raster_stays (handle, input->path, &outside))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("“%s” names “%s”, which lies in another folder, and is not opened by itself; "
                     "“eigenscope-batch ... --driver %s” allows it"), input->name, outside,
                   GDALGetDriverShortName (GDALGetDatasetDriver (handle)));
      GDALClose (handle);
      handle = NULL;
    }
  return handle;
}

static EsCube *
gdal_open_cube (EsReaderInput *input, GError **error)
{
  const gboolean hdf = needs_lock (input);
  const char * const named[] = { input->options.driver, NULL };
  g_autofree char *message = NULL, *part = NULL;
  GDALDatasetH handle;
  EsCube *cube = NULL;
  GError *failure = NULL;

  if (!es_gdal_prepare (input->name, error) || !check_driver (input, error)
      || !es_raster_check_head (input->name, input->path, error))
    return NULL;
  if (hdf)
    es_hdf_lock ();
  es_gdal_begin ();
  handle = open_handle (input, input->options.driver != NULL ? named : es_gdal_raster_drivers (), &part, &failure);
  message = es_gdal_end ();
  if (hdf)
    es_hdf_unlock ();

  if (handle != NULL)
    {
      cube = cube_of_dataset (input, handle, part != NULL ? part : input->path, &failure);
      if (hdf)
        es_hdf_lock ();
      if (cube != NULL)
        add_files (input, handle);
      GDALClose (handle);
      if (hdf)
        es_hdf_unlock ();
    }
  else if (failure == NULL && message != NULL && strstr (message, "not recognized as") == NULL)
    es_raster_refuse (input->name, input->path, message, &failure);
  if (failure != NULL)
    g_propagate_error (error, failure);
  return cube;
}

static EsDataset *
gdal_open (EsReaderInput *input, GError **error)
{
  return (EsDataset *) gdal_open_cube (input, error);
}

const EsReader es_reader_gdal = { gdal_recognises, gdal_open, &es_library_gdal };
