/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gdal.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-test-cubes.h"

/* A file of the real data, or NULL (and the test is skipped) where they are not there. */
static char *
find_data (const char *name)
{
  const char *folder = g_getenv ("ES_TEST_DATA");
  g_autofree char *path = folder != NULL ? g_build_filename (folder, name, NULL) : NULL;

  if (path != NULL && g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return g_steal_pointer (&path);
  g_test_skip ("ES_TEST_DATA has no such file");
  return NULL;
}

static gboolean
all_finite (const double *values, guint n)
{
  for (guint i = 0; i < n; i++)
    if (!isfinite (values[i]))
      return FALSE;
  return TRUE;
}

static void
check_enmap_bands (EsCube *cube)
{
  double value;

  g_assert_cmpuint (es_cube_get_bands (cube), ==, 224);
  g_assert_cmpint (es_cube_get_type_code (cube), ==, ESK_F32);
  g_assert_true (es_cube_get_no_data (cube, 0, &value));
  g_assert_cmpfloat (value, ==, -32768);
  g_assert_cmpuint (es_cube_get_n_good_bands (cube), ==, 218);
  for (guint b = 0; b < 224; b++)
    g_assert_cmpint (es_cube_get_good_bands (cube)[b], ==, b < 129 || b > 134);
  g_assert_cmpfloat_with_epsilon (es_cube_get_wavelengths (cube)[90], 993.08, 0.01);
  g_assert_cmpfloat_with_epsilon (es_cube_get_wavelengths (cube)[91], 902.26, 0.01);
  g_assert_cmpfloat_with_epsilon (es_cube_get_fwhm (cube)[0], 6.99561, 1e-5);
  g_assert_true (es_test_has_note (cube, "monotonic"));
  g_assert_cmpfloat_with_epsilon (es_cube_get_pixel_metres (cube), 30, 1e-6);
}

static void
test_enmap (void)
{
  g_autofree char *path = find_data ("enmap/enmap_potsdam_mosaic.img");
  g_autofree float *values = g_new (float, 160 * 192);
  g_autofree double *spectrum = g_new (double, 224);
  g_autoptr (GError) error = NULL;
  double latitude, longitude;
  guint missing = 0;

  if (path == NULL)
    return;
  g_autoptr (EsCube) cube = es_test_open (path);
  g_autofree char *shape = es_dataset_shape (ES_DATASET (cube));
  g_assert_cmpstr (shape, ==, "160x192x224");
  check_enmap_bands (cube);
  g_assert_true (es_cube_get_geographic (cube, 80, 96, &latitude, &longitude));
  g_assert_cmpfloat_with_epsilon (latitude, 52.39, 0.03);
  g_assert_cmpfloat_with_epsilon (longitude, 13.06, 0.03);

  g_assert_true (es_cube_read_band (cube, 50, 0, 0, 160, 192, 1, values, NULL, &error));
  for (guint i = 0; i < 160 * 192; i++)
    missing += isnan (values[i]);
  g_assert_cmpuint (missing, ==, 12288);

  /* The picture and the spectrum agree. */
  for (guint i = 0; i < 160 * 192; i += 997)
    {
      g_assert_true (es_cube_read_spectrum (cube, i % 160, i / 160, spectrum, &error));
      if (isnan (values[i]))
        g_assert_true (isnan (spectrum[50]));
      else
        g_assert_cmpfloat ((float) spectrum[50], ==, values[i]);
    }
}

/* The tiles are parts of the mosaic: 32 x 32 pixels where their map coordinates say. */
static void
test_enmap_tiles (void)
{
  static const char * const tiles[] = {
    "enmap/enmap_potsdam_tile_128_0.tif", "enmap/enmap_potsdam_tile_96_96.tif",
  };
  g_autofree char *whole_path = find_data ("enmap/enmap_potsdam_mosaic.img");

  if (whole_path == NULL)
    return;
  g_autoptr (EsCube) whole = es_test_open (whole_path);
  for (guint i = 0; i < G_N_ELEMENTS (tiles); i++)
    {
      g_autofree char *path = find_data (tiles[i]);
      g_autoptr (GError) error = NULL;
      double easting, northing;
      const double *t = es_cube_get_geotransform (whole);

      if (path == NULL)
        return;
      g_autoptr (EsCube) tile = es_test_open (path);
      check_enmap_bands (tile);
      g_assert_cmpstr (es_cube_get_format_name (tile), ==, "GeoTIFF");
      g_assert_true (es_cube_get_map_coordinate (tile, 0, 0, &easting, &northing));

      EsCubeWindow here = { 0, 0, 32, 32 };
      EsCubeWindow there = { (guint64) ((easting - t[0]) / 30), (guint64) ((t[3] - northing) / 30), 32, 32 };
      g_autoptr (EsCubeReader) one = es_cube_reader_new (tile, &error);
      g_autoptr (EsCubeReader) other = es_cube_reader_new (whole, &error);
      EskTile a, b;

      g_assert_true (es_cube_reader_read (one, &here, &a, &error));
      g_assert_true (es_cube_reader_read (other, &there, &b, &error));
      for (guint y = 0; y < 32; y += 3)
        for (guint x = 0; x < 32; x += 5)
          for (guint band = 0; band < 224; band++)
            g_assert_cmpfloat (es_test_tile_value (&a, x, y, band), ==, es_test_tile_value (&b, x, y, band));
    }
}

static void
test_aviris (void)
{
  g_autofree char *first = find_data ("aviris-ng/ang20160910t185702_2rdn_img");
  g_autofree char *second = find_data ("aviris-ng/ang20170323t202244_rdn_7000-7010");
  double value;

  if (first == NULL || second == NULL)
    return;
  g_autoptr (EsCube) cube = es_test_open (first);
  g_assert_cmpuint (es_cube_get_width (cube), ==, 30);
  g_assert_cmpuint (es_cube_get_height (cube), ==, 25);
  g_assert_cmpuint (es_cube_get_bands (cube), ==, 425);
  g_assert_nonnull (es_cube_get_wavelengths (cube));
  g_assert_cmpfloat (es_cube_get_wavelengths (cube)[0], ==, 376.44);
  g_assert_cmpfloat_with_epsilon (es_cube_get_wavelengths (cube)[7], 411.5, 1e-9);
  g_assert_true (es_cube_get_no_data (cube, 0, &value));
  g_assert_cmpfloat (value, ==, -9999);
  g_assert_cmpfloat_with_epsilon (es_cube_get_pixel_metres (cube), 15, 1e-6);

  g_autoptr (EsCube) small = es_test_open (second);
  g_autofree double *spectrum = g_new (double, 425);
  g_assert_cmpstr (es_cube_get_format_name (small), ==, "ENVI BIL");
  g_assert_cmpfloat_with_epsilon (es_cube_get_wavelengths (small)[0], 376.86, 1e-9);
  g_assert_nonnull (es_cube_get_fwhm (small));
  g_assert_true (es_cube_read_spectrum (small, 9, 9, spectrum, NULL));
  g_assert_true (all_finite (spectrum, 425));
}

static void
test_library (void)
{
  g_autofree char *data = find_data ("edge/library_berlin.sli");
  g_autofree char *header = find_data ("edge/library_berlin.hdr");

  if (data == NULL || header == NULL)
    return;
  es_test_refused (data, NULL, ES_DATA_ERROR_UNSUPPORTED, "library_berlin", "spectral library", NULL);
  es_test_refused (header, NULL, ES_DATA_ERROR_UNSUPPORTED, "library_berlin", "spectral library", NULL);
}

/* The rotated map: GDAL is another reader of the same header. */
static void
test_rotated (void)
{
  g_autofree char *path = find_data ("edge/caltech_425_7_7_nm");
  GDALDatasetH other;
  double transform[6];

  if (path == NULL)
    return;
  g_autoptr (EsCube) cube = es_test_open (path);
  g_assert_cmpuint (es_cube_get_n_good_bands (cube), ==, 372);
  GDALAllRegister ();
  other = GDALOpen (path, GA_ReadOnly);
  g_assert_nonnull (other);
  g_assert_cmpint (GDALGetGeoTransform (other, transform), ==, CE_None);
  GDALClose (other);
  g_assert_cmpfloat (fabs (transform[2]), >, 0.05);
  for (guint i = 0; i < 6; i++)
    g_assert_cmpfloat_with_epsilon (es_cube_get_geotransform (cube)[i], transform[i], 1e-6);
}

/* The same cube as ENVI and as netCDF, whose axes are bands, y, x. */
static void
test_netcdf (void)
{
  g_autofree char *path = find_data ("edge/netcdf.nc");
  g_autofree char *same = find_data ("edge/envi");
  g_autofree float *one = g_new (float, 12 * 11), *other = g_new (float, 12 * 11);
  g_autoptr (GError) error = NULL;
  EsOpenOptions dummy = { .variable = "dummy" };

  if (path == NULL || same == NULL)
    return;
  g_autoptr (EsCube) netcdf = es_test_open (path);
  g_autoptr (EsCube) envi = es_test_open (same);
  g_autoptr (EsCube) second = es_test_open_with (path, &dummy);
  g_assert_cmpuint (es_cube_get_width (netcdf), ==, 12);
  g_assert_cmpuint (es_cube_get_height (netcdf), ==, 11);
  g_assert_cmpuint (es_cube_get_bands (netcdf), ==, 10);
  g_assert_true (es_test_has_note (netcdf, "/dummy"));
  g_assert_cmpuint (es_cube_get_bands (second), ==, 10);
  for (guint b = 0; b < 10; b++)
    {
      g_assert_true (es_cube_read_band (netcdf, b, 0, 0, 12, 11, 1, one, NULL, &error));
      g_assert_true (es_cube_read_band (envi, b, 0, 0, 12, 11, 1, other, NULL, &error));
      g_assert_cmpmem (one, 12 * 11 * sizeof *one, other, 12 * 11 * sizeof *other);
    }
}

static void
test_emit (void)
{
  g_autofree char *path = find_data ("edge/EMIT_L2A_RFL_001_20241006T165148_2428011_003_crop.nc");
  double value, spectrum[3];

  if (path == NULL)
    return;
  g_autoptr (EsCube) cube = es_test_open (path);
  /* Down track, cross track, bands: GDAL's raster view takes the last two for rows and columns. */
  g_assert_cmpuint (es_cube_get_width (cube), ==, 32);
  g_assert_cmpuint (es_cube_get_height (cube), ==, 32);
  g_assert_cmpuint (es_cube_get_bands (cube), ==, 3);
  g_assert_true (es_cube_get_no_data (cube, 2, &value));
  g_assert_cmpfloat (value, ==, -9999);
  g_assert_true (es_cube_read_spectrum (cube, 16, 16, spectrum, NULL));
  for (guint b = 0; b < 3; b++)
    g_assert_true (spectrum[b] > 0 && spectrum[b] < 1);
  /* Swath geometry: the map transform in the file is the lookup table's. */
  g_assert_null (es_cube_get_geotransform (cube));
  g_assert_true (es_test_has_note (cube, "sensor"));
}

static void
test_no_cube (void)
{
  g_autofree char *xml = find_data ("hydrophones/xav6.xml");

  if (xml == NULL)
    return;
  es_test_refused (xml, NULL, ES_DATA_ERROR_FORMAT, "xav6.xml", "describes an array", NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/readers/data/enmap", test_enmap);
  g_test_add_func ("/readers/data/enmap-tiles", test_enmap_tiles);
  g_test_add_func ("/readers/data/aviris-ng", test_aviris);
  g_test_add_func ("/readers/data/spectral-library", test_library);
  g_test_add_func ("/readers/data/rotated-map", test_rotated);
  g_test_add_func ("/readers/data/netcdf", test_netcdf);
  g_test_add_func ("/readers/data/emit", test_emit);
  g_test_add_func ("/readers/data/no-cube", test_no_cube);
  return g_test_run ();
}
