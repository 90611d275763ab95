/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Cubes in GeoTIFF. */

#include <cpl_conv.h>
#include <cpl_string.h>
#include <gdal.h>
#include <matio.h>
#include <ogr_srs_api.h>
#include <string.h>
#include <unistd.h>

#include "base/es-error.h"
#include "es-test-cubes.h"

typedef char TestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, es_test_folder_free)

#define WIDTH  37
#define HEIGHT 29
#define BANDS  6

static double
stored_value (guint64 x, guint64 y, guint band, gpointer data)
{
  return es_test_value (GPOINTER_TO_UINT (data), x, y, band);
}

typedef struct
{
  GDALDataType gdal;
  EskType      type;
} TypePair;

static const TypePair type_pairs[] = {
  { GDT_Byte, ESK_U8 },   { GDT_UInt16, ESK_U16 }, { GDT_Int16, ESK_I16 },   { GDT_UInt32, ESK_U32 },
  { GDT_Int32, ESK_I32 }, { GDT_UInt64, ESK_U64 }, { GDT_Int64, ESK_I64 },   { GDT_Float32, ESK_F32 },
  { GDT_Float64, ESK_F64 },
};

static GDALDatasetH
create_tiff (const char *path, const TypePair *pair, char **options)
{
  GDALDatasetH tiff;

  GDALAllRegister ();
  tiff = GDALCreate (GDALGetDriverByName ("GTiff"), path, WIDTH, HEIGHT, BANDS, pair->gdal, options);
  g_assert_nonnull (tiff);
  for (int b = 0; b < BANDS; b++)
    {
      guint8 *samples = g_malloc (WIDTH * HEIGHT * 8);
      gsize size = esk_type_size (pair->type);

      for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
          es_test_store (pair->type, es_test_value (pair->type, x, y, b), FALSE,
                         samples + (y * WIDTH + x) * size);
      g_assert_cmpint (GDALRasterIO (GDALGetRasterBand (tiff, b + 1), GF_Write, 0, 0, WIDTH, HEIGHT, samples,
                                     WIDTH, HEIGHT, pair->gdal, 0, 0), ==, CE_None);
      g_free (samples);
    }
  return tiff;
}

static void
test_tiff_layouts (void)
{
  static const char * const layouts[][4] = {
    { "INTERLEAVE=PIXEL", NULL },
    { "INTERLEAVE=BAND", NULL },
    { "INTERLEAVE=PIXEL", "TILED=YES", "COMPRESS=DEFLATE", NULL },
    { "INTERLEAVE=BAND", "TILED=YES", "COMPRESS=LZW", NULL },
    { "INTERLEAVE=PIXEL", "COMPRESS=DEFLATE", "ENDIANNESS=BIG", NULL },
    { "INTERLEAVE=BAND", "BIGTIFF=YES", "ENDIANNESS=BIG", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++)
    for (guint t = 0; t < G_N_ELEMENTS (type_pairs); t++)
      {
        g_autoptr (TestFolder) folder = es_test_folder_new ();
        g_autofree char *path = g_build_filename (folder, "cube.tif", NULL);
        char **options = NULL;
        guint64 block_width, block_height;

        for (guint k = 0; k < 4 && layouts[i][k] != NULL; k++)
          options = CSLAddString (options, layouts[i][k]);
        if (i == 2 || i == 3)
          options = CSLAddString (CSLAddString (options, "BLOCKXSIZE=16"), "BLOCKYSIZE=16");
        GDALClose (create_tiff (path, &type_pairs[t], options));
        CSLDestroy (options);

        g_autoptr (EsCube) cube = es_test_open (path);
        g_assert_cmpstr (es_cube_get_format_name (cube), ==, "GeoTIFF");
        g_assert_cmpint (es_cube_get_type_code (cube), ==, type_pairs[t].type);
        es_cube_get_block (cube, &block_width, &block_height);
        if (i == 2 || i == 3)
          {
            g_assert_cmpuint (block_width, ==, 16);
            g_assert_cmpuint (block_height, ==, 16);
          }
        es_test_compare (cube, stored_value, GUINT_TO_POINTER (type_pairs[t].type));
      }
}

/* A picture's bands are shown in the colours that they are labelled with; wavelengths know better. */
static void
test_tiff_colours (void)
{
  static const GDALColorInterp orders[][4] = {
    { GCI_RedBand, GCI_GreenBand, GCI_BlueBand, GCI_Undefined },
    { GCI_BlueBand, GCI_GreenBand, GCI_RedBand, GCI_Undefined },
    { GCI_Undefined, GCI_RedBand, GCI_GreenBand, GCI_BlueBand },
    { GCI_RedBand, GCI_RedBand, GCI_GreenBand, GCI_BlueBand },
  };
  static const guint expected[][3] = { { 0, 1, 2 }, { 2, 1, 0 }, { 1, 2, 3 }, { 3, 2, 0 } };
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "picture.tif", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    for (guint known = 0; known < 2; known++)
      {
        GDALDatasetH tiff = GDALCreate (GDALGetDriverByName ("GTiff"), path, 8, 8, 4, GDT_UInt16, NULL);
        guint bands[3];

        for (int b = 0; b < 4; b++)
          {
            GDALRasterBandH band = GDALGetRasterBand (tiff, b + 1);
            g_autofree char *wavelength = g_strdup_printf ("%d", 450 + 100 * b);

            GDALSetRasterColorInterpretation (band, orders[i][b]);
            if (known)
              GDALSetMetadataItem (band, "wavelength", wavelength, NULL);
          }
        GDALClose (tiff);
        g_autoptr (EsCube) cube = es_test_open (path);
        g_assert_cmpstr (es_cube_pick_rgb (cube, bands), ==, known ? "wavelength" : i < 3 ? "header" : "spread");
        for (guint k = 0; k < 3; k++)
          g_assert_cmpuint (bands[k], ==, known ? 2 - k : expected[i][k]);
      }
}

static void
test_tiff_metadata (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "cube.tif", NULL);
  GDALDatasetH tiff = create_tiff (path, &type_pairs[2], NULL);
  double transform[6] = { 300000, 30, 0, 5800000, 0, -30 }, value, latitude, longitude;
  OGRSpatialReferenceH utm = OSRNewSpatialReference (NULL);

  OSRImportFromEPSG (utm, 32633);
  GDALSetSpatialRef (tiff, utm);
  OSRRelease (utm);
  GDALSetGeoTransform (tiff, transform);
  for (int b = 0; b < BANDS; b++)
    {
      GDALRasterBandH band = GDALGetRasterBand (tiff, b + 1);
      g_autofree char *wavelength = g_strdup_printf ("0.%d", 4 + b);

      GDALSetMetadataItem (band, "wavelength", wavelength, NULL);
      GDALSetMetadataItem (band, "wavelength_units", "Micrometers", NULL);
      GDALSetMetadataItem (band, "fwhm", "0.01", NULL);
      GDALSetMetadataItem (band, "bbl", b == 2 ? "0" : "1", NULL);
      GDALSetRasterNoDataValue (band, -9999);
      GDALSetRasterScale (band, 0.0001);
      GDALSetRasterOffset (band, 2);
      GDALSetRasterUnitType (band, "reflectance");
    }
  GDALClose (tiff);

  g_autoptr (EsCube) cube = es_test_open (path);
  g_assert_cmpfloat_with_epsilon (es_cube_get_wavelengths (cube)[5], 900, 1e-9);
  g_assert_cmpfloat_with_epsilon (es_cube_get_fwhm (cube)[1], 10, 1e-9);
  g_assert_false (es_cube_get_good_bands (cube)[2]);
  g_assert_true (es_cube_get_no_data (cube, 3, &value));
  g_assert_cmpfloat (value, ==, -9999);
  g_assert_cmpfloat (es_cube_get_scale (cube, 1), ==, 0.0001);
  g_assert_cmpfloat (es_cube_get_offset (cube, 1), ==, 2);
  g_assert_cmpstr (es_cube_get_unit (cube), ==, "reflectance");
  g_assert_true (es_cube_get_geographic (cube, 0, 0, &latitude, &longitude));
  g_assert_cmpfloat_with_epsilon (latitude, 52.31, 0.01);
  g_assert_cmpfloat_with_epsilon (longitude, 12.07, 0.01);
  g_assert_cmpfloat_with_epsilon (es_cube_get_pixel_metres (cube), 30, 1e-9);
  es_test_compare (cube, stored_value, GUINT_TO_POINTER (ESK_I16));
}

/* The other places where drivers leave wavelengths. */
static void
test_tiff_wavelength_places (void)
{
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *path = g_build_filename (folder, "cube.tif", NULL);
      GDALDatasetH tiff = create_tiff (path, &type_pairs[0], NULL);

      for (int b = 0; b < BANDS; b++)
        {
          GDALRasterBandH band = GDALGetRasterBand (tiff, b + 1);
          g_autofree char *short_text = g_strdup_printf ("0.%d", 4 + b);
          g_autofree char *name = g_strdup_printf ("band %d (%d.0 Nanometers)", b + 1, 400 + b * 100);

          if (i == 0)
            GDALSetMetadataItem (band, "CENTRAL_WAVELENGTH_UM", short_text, "IMAGERY");
          else if (i == 1)
            GDALSetDescription (band, name);
        }
      if (i == 2)
        {
          GDALSetMetadataItem (tiff, "wavelength", "{0.4, 0.5, 0.6, 0.7, 0.8, 0.9}", NULL);
          GDALSetMetadataItem (tiff, "wavelength_units", "um", NULL);
        }
      else if (i == 3)
        GDALSetMetadataItem (tiff, "wavelengths", "400 500 600 700 800 900 1000", NULL);
      GDALClose (tiff);

      g_autoptr (EsCube) cube = es_test_open (path);
      if (i == 3)
        {
          g_assert_null (es_cube_get_wavelengths (cube));
          g_assert_true (es_test_has_note (cube, "7 entries for 6 bands"));
          continue;
        }
      g_assert_nonnull (es_cube_get_wavelengths (cube));
      for (guint b = 0; b < BANDS; b++)
        g_assert_cmpfloat_with_epsilon (es_cube_get_wavelengths (cube)[b], 400 + b * 100, 1e-6);
    }
}

static void
test_tiff_refused (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *one = g_build_filename (folder, "one.tif", NULL);
  g_autofree char *complex = g_build_filename (folder, "complex.tif", NULL);
  g_autofree char *cut = g_build_filename (folder, "cut.tif", NULL);
  GDALDatasetH tiff;

  GDALAllRegister ();
  GDALClose (GDALCreate (GDALGetDriverByName ("GTiff"), one, 8, 8, 1, GDT_CInt16, NULL));
  es_test_refused (one, NULL, ES_DATA_ERROR_UNSUPPORTED, "one.tif", "complex", NULL);
  GDALClose (GDALCreate (GDALGetDriverByName ("GTiff"), complex, 8, 8, 3, GDT_CFloat32, NULL));
  es_test_refused (complex, NULL, ES_DATA_ERROR_UNSUPPORTED, "complex.tif", "complex", NULL);

  tiff = create_tiff (cut, &type_pairs[2], NULL);
  GDALClose (tiff);
  g_autoptr (EsCube) cube = es_test_open (cut);
  g_autofree float *values = g_new (float, WIDTH * HEIGHT);
  g_autoptr (GError) error = NULL;
  g_assert_cmpint (truncate (cut, 6000), ==, 0);
  g_assert_false (es_cube_read_band (cube, BANDS - 1, 0, 0, WIDTH, HEIGHT, 1, values, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED);
  g_assert_nonnull (strstr (error->message, "cut.tif"));
  g_assert_null (strstr (error->message, folder));
}

/* A byte band and a signed 16-bit one have int16 in common; both keep their values. */
static double
mixed_value (guint64 x, guint64 y, guint band, gpointer data)
{
  return es_test_value (band == 0 ? ESK_U8 : ESK_I16, x, y, 0);
}

static void
test_mixed_types (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *bytes = g_build_filename (folder, "bytes.tif", NULL);
  g_autofree char *words = g_build_filename (folder, "words.tif", NULL);
  g_autofree char *text = NULL, *path = NULL;

  GDALClose (create_tiff (bytes, &type_pairs[0], NULL));
  GDALClose (create_tiff (words, &type_pairs[2], NULL));
  text = g_strdup_printf ("<VRTDataset rasterXSize=\"%d\" rasterYSize=\"%d\">"
                          "<VRTRasterBand dataType=\"Byte\" band=\"1\"><SimpleSource>"
                          "<SourceFilename relativeToVRT=\"1\">bytes.tif</SourceFilename>"
                          "<SourceBand>1</SourceBand></SimpleSource></VRTRasterBand>"
                          "<VRTRasterBand dataType=\"Int16\" band=\"2\"><SimpleSource>"
                          "<SourceFilename relativeToVRT=\"1\">words.tif</SourceFilename>"
                          "<SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>", WIDTH, HEIGHT);
  path = es_test_write_text (folder, "mixed.vrt", text);
  g_autoptr (EsCube) cube = es_test_open_with (path, &(EsOpenOptions) { .driver = "VRT" });
  g_assert_cmpint (es_cube_get_type_code (cube), ==, ESK_I16);
  g_assert_true (es_test_has_note (cube, "int16"));
  es_test_compare (cube, mixed_value, NULL);
}

static void
test_tiff_threads (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "cube.tif", NULL);
  char *options[] = { "INTERLEAVE=PIXEL", "COMPRESS=DEFLATE", NULL };

  GDALClose (create_tiff (path, &type_pairs[2], options));
  g_autoptr (EsCube) cube = es_test_open (path);
  es_test_read_in_threads (cube);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/readers/geotiff/layouts", test_tiff_layouts);
  g_test_add_func ("/readers/geotiff/colours", test_tiff_colours);
  g_test_add_func ("/readers/geotiff/metadata", test_tiff_metadata);
  g_test_add_func ("/readers/geotiff/wavelength-places", test_tiff_wavelength_places);
  g_test_add_func ("/readers/geotiff/refused", test_tiff_refused);
  g_test_add_func ("/readers/gdal/mixed-types", test_mixed_types);
  g_test_add_func ("/readers/geotiff/threads", test_tiff_threads);
  return g_test_run ();
}
