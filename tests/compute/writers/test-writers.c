/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Stacks of images, written and read back by GDAL; what fails leaves what was there. */

#include <cpl_conv.h>
#include <gdal.h>
#include <glib/gstdio.h>
#include <math.h>
#include <ogr_srs_api.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/es-error.h"
#include "saving/es-output-internal.h"
#include "es-test-folder.h"
#include "layer/es-layer-internal.h"
#include "writers/es-writer.h"

static const guint64 width = 41, height = 29;
static const guint planes = 3;

static float
value_at (guint plane, gsize p)
{
  return p % 11 == 3 ? NAN : (plane + 1) * 0.37f * p - 100;
}

static EsImageStack *
make_stack (const char *path)
{
  g_autofree float *values = g_new (float, width * height * planes);
  g_autoptr (GError) error = NULL;
  EsImageStack *stack = es_image_stack_new ("components", "Components", width, height, planes, 0, path,
                                            &error);

  g_assert_no_error (error);
  for (guint k = 0; k < planes; k++)
    for (gsize p = 0; p < width * height; p++)
      values[k * width * height + p] = value_at (k, p);
  g_assert_true (es_image_stack_write (stack, 0, 0, width, height, values, width * height, NULL));
  es_image_stack_set_plane (stack, 0, "PC 1", 0.75);
  es_image_stack_set_plane (stack, 1, "PC 2, {second}", 0.2);
  es_image_stack_set_plane (stack, 2, "PC 3", 0.05);
  return stack;
}

static void
check_values (const float *values, guint plane)
{
  for (gsize p = 0; p < width * height; p++)
    if (isnan (value_at (plane, p)))
      g_assert_true (isnan (values[p]));
    else
      g_assert_cmpfloat (values[p], ==, value_at (plane, p));
}

static void
check_raw_bytes (const char *folder, const char *name)
{
  gsize length;
  g_autofree char *bytes = es_test_read (folder, name, &length);

  g_assert_cmpuint (length, ==, width * height * planes * sizeof (float));
  for (guint k = 0; k < planes; k++)
    check_values ((const float *) bytes + k * width * height, k);
}

/* ---- georeferences, as GDAL reads them back ---- */

typedef struct
{
  const char *name;
  double      transform[6];
  const char *projection;      /* anything that OSR understands */
  const char *map_info;        /* how map info of the ENVI header has to begin */
} Place;

static const Place places[] = {
  { "utm", { 364095, 30, 0, 5809965, 0, -30 }, "EPSG:32633",
    "map info = {UTM, 1, 1, 364095, 5809965, 30, 30, 33, North, WGS-84" },
  { "utm-south", { 300000.5, 15, 0, 8000000.25, 0, -10 }, "EPSG:32723",
    "map info = {UTM, 1, 1, 300000.5, 8000000.25, 15, 10, 23, South, WGS-84" },
  { "degrees", { 13.0625, 1.0 / 3600, 0, 52.4, 0, -1.0 / 3600 }, "EPSG:4326",
    "map info = {Geographic Lat/Lon, 1, 1, 13.0625, 52.4" },
  { "national", { 2600000, 2, 0, 1200000, 0, -2 }, "EPSG:2056",
    "map info = {Hotine Oblique Mercator Azimuth Center, 1, 1, 2600000" },
  { "conic", { 4321000, 100, 0, 3210000, 0, -100 }, "EPSG:3035",
    "map info = {Lambert Azimuthal Equal Area, 1, 1, 4321000" },
  { "turned",
    { 395784.173532127, 1.9987816540381915, 0.069798993405001,
      3778085.39987051, 0.069798993405001, -1.9987816540381915 },
    "EPSG:32611", "map info = {UTM, 1, 1, 395784.173532127, 3778085.39987051, 2" },
  { "south-up", { 500000, 30, 0, 4000000, 0, 30 }, "EPSG:32633",
    "map info = {UTM, 1, 1, 500000, 4000000, 30, -30" },
  { "no-system", { 100, 2, 0, 200, 0, -2 }, NULL, "map info = {Unknown, 1, 1, 100, 200, 2, 2}" },
};

static char *
to_wkt (const char *definition)
{
  OGRSpatialReferenceH system;
  char *wkt = NULL, *copy;

  if (definition == NULL)
    return NULL;
  system = OSRNewSpatialReference (NULL);
  g_assert_cmpint (OSRSetFromUserInput (system, definition), ==, OGRERR_NONE);
  OSRExportToWkt (system, &wkt);
  copy = g_strdup (wkt);
  CPLFree (wkt);
  OSRDestroySpatialReference (system);
  return copy;
}

/* A point of the map in degrees, which does not depend on how a system is spelled. */
static void
to_degrees (OGRSpatialReferenceH from, double x, double y, double *longitude, double *latitude)
{
  OGRSpatialReferenceH degrees = OSRNewSpatialReference (NULL);
  OGRCoordinateTransformationH way;

  g_assert_cmpint (OSRImportFromEPSG (degrees, 4326), ==, OGRERR_NONE);
  OSRSetAxisMappingStrategy (degrees, OAMS_TRADITIONAL_GIS_ORDER);
  way = OCTNewCoordinateTransformation (from, degrees);
  g_assert_nonnull (way);
  *longitude = x;
  *latitude = y;
  g_assert_true (OCTTransform (way, 1, longitude, latitude, NULL));
  OCTDestroyCoordinateTransformation (way);
  OSRDestroySpatialReference (degrees);
}

static void
check_with_gdal (const char *folder, const char *name, const char *driver, const Place *place,
                 const char *title)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree float *values = g_new (float, width * height);
  GDALDatasetH dataset;
  double transform[6];
  int has_no_data;

  /* With all that GDAL has, also what the program puts away. */
  GDALAllRegister ();
  dataset = GDALOpen (path, GA_ReadOnly);
  g_assert_nonnull (dataset);
  g_assert_cmpstr (GDALGetDriverShortName (GDALGetDatasetDriver (dataset)), ==, driver);
  g_assert_cmpint (GDALGetRasterXSize (dataset), ==, width);
  g_assert_cmpint (GDALGetRasterYSize (dataset), ==, height);
  g_assert_cmpint (GDALGetRasterCount (dataset), ==, planes);
  for (guint k = 0; k < planes; k++)
    {
      GDALRasterBandH band = GDALGetRasterBand (dataset, k + 1);
      g_assert_cmpint (GDALGetRasterDataType (band), ==, GDT_Float32);
      g_assert_true (isnan (GDALGetRasterNoDataValue (band, &has_no_data)));
      g_assert_true (has_no_data);
      g_assert_cmpint (GDALRasterIO (band, GF_Read, 0, 0, width, height, values, width, height,
                                     GDT_Float32, 0, 0),
                       ==, CE_None);
      check_values (values, k);
    }
  g_assert_cmpstr (GDALGetDescription (GDALGetRasterBand (dataset, 1)), ==, "PC 1");
  g_assert_cmpstr (GDALGetDescription (GDALGetRasterBand (dataset, 2)), ==, title);

  if (place != NULL)
    {
      OGRSpatialReferenceH system = GDALGetSpatialRef (dataset);

      g_assert_cmpint (GDALGetGeoTransform (dataset, transform), ==, CE_None);
      for (guint i = 0; i < 6; i++)
        g_assert_cmpfloat_with_epsilon (transform[i], place->transform[i],
                                        1e-9 * (1 + fabs (place->transform[i])));
      if (place->projection != NULL)
        {
          OGRSpatialReferenceH expected = OSRNewSpatialReference (NULL);
          double east, north, true_east, true_north;
          double x = transform[0] + 20 * transform[1] + 9 * transform[2];
          double y = transform[3] + 20 * transform[4] + 9 * transform[5];

          g_assert_nonnull (system);
          g_assert_cmpint (OSRSetFromUserInput (expected, place->projection), ==, OGRERR_NONE);
          OSRSetAxisMappingStrategy (expected, OAMS_TRADITIONAL_GIS_ORDER);
          to_degrees (system, x, y, &east, &north);
          to_degrees (expected, x, y, &true_east, &true_north);
          g_assert_cmpfloat_with_epsilon (east, true_east, 1e-7);
          g_assert_cmpfloat_with_epsilon (north, true_north, 1e-7);
          OSRDestroySpatialReference (expected);
        }
    }
  GDALClose (dataset);
}

static void
count_progress (double fraction, gpointer data)
{
  double *last = data;

  g_assert_cmpfloat (fraction, >=, *last);
  g_assert_cmpfloat (fraction, <=, 1);
  *last = fraction;
}

static void
test_stack_place (gconstpointer data)
{
  const Place *place = data;
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autofree char *wkt = to_wkt (place->projection);
  g_autoptr (EsCube) cube = es_test_cube_new (width, height, place->transform, wkt);
  g_autoptr (EsImageStack) stack = make_stack (NULL);
  g_autoptr (GFile) envi = es_test_file (folder, "components.img");
  g_autoptr (GFile) tiff = es_test_file (folder, "components.tif");
  g_autoptr (GError) error = NULL;
  double envi_progress = 0, tiff_progress = 0;

  es_write_image_stack (stack, ES_DATASET (cube), "PCA of {a\nscene}", ES_STACK_ENVI, envi, count_progress,
                        &envi_progress, NULL, NULL, &error);
  g_assert_no_error (error);
  es_write_image_stack (stack, ES_DATASET (cube), "PCA of a scene", ES_STACK_GEOTIFF, tiff, count_progress,
                        &tiff_progress, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (envi_progress, ==, 1);
  g_assert_cmpfloat (tiff_progress, ==, 1);

  g_autofree char *header = es_test_read (folder, "components.hdr", NULL);
  g_assert_true (g_str_has_prefix (header, "ENVI\n"));
  g_assert_nonnull (strstr (header, "description = {PCA of (a scene)}\n"));
  if (strstr (header, place->map_info) == NULL)
    g_error ("%s\nexpected: %s", header, place->map_info);
  check_raw_bytes (folder, "components.img");
  check_with_gdal (folder, "components.img", "ENVI", place, "PC 2; (second)");
  check_with_gdal (folder, "components.tif", "GTiff", place, "PC 2, {second}");

  g_autofree char *left = es_test_folder_list (folder);
  g_assert_cmpstr (left, ==, "components.hdr components.img components.tif");
}

/* ENVI headers know no shear: no georeference then, rather than a wrong one. */
static void
test_stack_shear (void)
{
  const double transform[6] = { 0, 10, 4, 0, 0, -10 };
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (EsCube) cube = es_test_cube_new (width, height, transform, NULL);
  g_autoptr (EsImageStack) stack = make_stack (NULL);
  g_autoptr (GFile) target = es_test_file (folder, "a.img");
  g_autoptr (GError) error = NULL;

  es_write_image_stack (stack, ES_DATASET (cube), NULL, ES_STACK_ENVI, target, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autofree char *header = es_test_read (folder, "a.hdr", NULL);
  g_assert_null (strstr (header, "map info"));
  check_with_gdal (folder, "a.img", "ENVI", NULL, "PC 2; (second)");
}

/* A stack of another size than its cube (an overview) has another place. */
static void
test_stack_other_size (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (EsCube) cube = es_test_cube_new (width + 1, height, places[0].transform, NULL);
  g_autoptr (EsImageStack) stack = make_stack (NULL);
  g_autoptr (GFile) target = es_test_file (folder, "a.img");
  g_autoptr (GError) error = NULL;

  es_write_image_stack (stack, ES_DATASET (cube), NULL, ES_STACK_ENVI, target, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autofree char *header = es_test_read (folder, "a.hdr", NULL);
  g_assert_null (strstr (header, "map info"));
}

/* The header may be what was asked for, and any name gets one. */
static void
test_stack_names (void)
{
  const struct { const char *target, *files; } names[] = {
    { "a.hdr", "a.hdr a.img" }, { "b", "b b.hdr" }, { "c.dat", "c.dat c.hdr" }, { "d.v2", "d.v2 d.v2.hdr" },
    { ".img", ".img .img.hdr" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (EsTestFolder) folder = es_test_folder_make ();
      g_autoptr (EsImageStack) stack = make_stack (NULL);
      g_autoptr (GFile) target = es_test_file (folder, names[i].target);
      g_autoptr (GError) error = NULL;

      es_write_image_stack (stack, NULL, NULL, ES_STACK_ENVI, target, NULL, NULL, NULL, NULL, &error);
      g_assert_no_error (error);
      g_autofree char *files = es_test_folder_list (folder);
      g_assert_cmpstr (files, ==, names[i].files);
    }
}

/* The file behind a stack becomes the result without a copy; what it replaces stays until then. */
static void
test_stack_taken_over (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autofree char *path = g_build_filename (folder, "anything", NULL);
  g_autofree char *target_path = g_build_filename (folder, "a.img", NULL);
  g_autoptr (GFile) target = es_test_file (folder, "a.img"), copy = es_test_file (folder, "b.img");
  g_autoptr (GError) error = NULL;
  struct stat before, after;

  es_test_write_text (folder, "a.img", "old");
  g_autoptr (EsImageStack) stack = make_stack (path);
  g_assert_cmpint (stat (es_image_stack_get_path (stack), &before), ==, 0);
  es_write_image_stack (stack, NULL, NULL, ES_STACK_ENVI, target, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (stat (target_path, &after), ==, 0);
  g_assert_cmpuint (before.st_ino, ==, after.st_ino);
  g_assert_null (es_image_stack_get_path (stack));

  /* Not a second time: the file belongs to the first target now. */
  es_write_image_stack (stack, NULL, NULL, ES_STACK_ENVI, copy, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  es_write_image_stack (stack, NULL, NULL, ES_STACK_ENVI, target, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_clear_object (&stack);
  check_raw_bytes (folder, "a.img");
  check_raw_bytes (folder, "b.img");
  g_autofree char *files = es_test_folder_list (folder);
  g_assert_cmpstr (files, ==, "a.hdr a.img b.hdr b.img");
}

/* ---- failures ---- */

static void
cancel_at_once (double fraction, gpointer data)
{
  g_cancellable_cancel (data);
}

static void
test_stack_failures (gconstpointer data)
{
  const EsStackFormat format = GPOINTER_TO_INT (data);
  const char *name = format == ES_STACK_ENVI ? "a.img" : "a.tif";
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (EsImageStack) stack = make_stack (NULL);
  g_autoptr (GFile) target = es_test_file (folder, name);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *before = NULL;

  es_test_write_text (folder, name, "old");
  es_test_write_text (folder, "a.hdr", "old header");
  before = es_test_folder_list (folder);

  {
    g_autoptr (GError) error = NULL;
    es_test_limit_files (4096);
    g_assert_false (es_write_image_stack (stack, NULL, NULL, format, target, NULL, NULL, NULL, NULL, &error));
    es_test_limit_files (G_MAXUINT64);
    g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
    g_assert_nonnull (strstr (error->message, name));
    es_test_assert_unchanged (folder, before);
  }
  {
    g_autoptr (GError) error = NULL;
    g_assert_false (es_write_image_stack (stack, NULL, NULL, format, target, cancel_at_once, cancellable, NULL,
                                          cancellable, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    es_test_assert_unchanged (folder, before);
  }
  {
    g_autoptr (GError) error = NULL;
    g_autoptr (GFile) nowhere = es_test_file (folder, "missing/a.img");
    g_assert_false (es_write_image_stack (stack, NULL, NULL, format, nowhere, NULL, NULL, NULL, NULL, &error));
    g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
    es_test_assert_unchanged (folder, before);
  }
  {
    g_autoptr (GError) error = NULL;
    g_autofree char *path = g_build_filename (folder, "d.img", NULL);
    g_autoptr (GFile) directory = g_file_new_for_path (path);
    g_assert_cmpint (g_mkdir (path, 0777), ==, 0);
    g_assert_false (es_write_image_stack (stack, NULL, NULL, format, directory, NULL, NULL, NULL, NULL, &error));
    g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
    g_assert_cmpint (g_rmdir (path), ==, 0);
    es_test_assert_unchanged (folder, before);
  }
  {
    g_autoptr (GError) error = NULL;
    g_autoptr (GFile) remote = g_file_new_for_uri ("nosuchscheme://host/a.img");
    g_assert_false (es_write_image_stack (stack, NULL, NULL, format, remote, NULL, NULL, NULL, NULL, &error));
    g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  }
  es_test_assert_text (folder, name, "old");
  es_test_assert_text (folder, "a.hdr", "old header");
}

static void
test_read_only_folder (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (EsImageStack) stack = make_stack (NULL);
  g_autoptr (GFile) target = es_test_file (folder, "a.img");
  g_autoptr (GError) error = NULL;

  if (geteuid () == 0)
    {
      g_test_skip ("nothing is read-only for root");
      return;
    }
  g_assert_cmpint (g_chmod (folder, 0500), ==, 0);
  g_assert_false (es_write_image_stack (stack, NULL, NULL, ES_STACK_ENVI, target, NULL, NULL, NULL, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  g_assert_cmpint (g_chmod (folder, 0700), ==, 0);
}

/* What GDAL takes from beside an image: of the one that was there before. */
static void
test_strays (void)
{
  static const char *const ends[] = { ".msk", ".aux.xml", ".ovr" };
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (EsImageStack) stack = make_stack (NULL);

  for (guint format = 0; format < 2; format++)
    {
      const char *name = format == ES_STACK_ENVI ? "a.img" : "a.tif";
      g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (GFile) target = es_test_file (folder, name);
      g_autoptr (GError) error = NULL;

      for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
        {
          g_autofree char *stray = g_strconcat (name, ends[i], NULL);
          es_test_write_text (folder, stray, ends[i]);
        }
      g_assert_true (es_write_image_stack (stack, NULL, NULL, format, target, NULL, NULL, notes, NULL, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (notes->len, ==, 1);
      for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
        {
          g_autofree char *stray = g_strconcat (name, ends[i], NULL), *kept = g_strconcat (stray, ".~1~", NULL);
          g_autofree char *gone = g_build_filename (folder, stray, NULL);

          g_assert_false (g_file_test (gone, G_FILE_TEST_EXISTS));
          es_test_assert_text (folder, kept, ends[i]);
          g_assert_nonnull (strstr (g_ptr_array_index (notes, 0), kept));
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  GDALAllRegister ();

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *path = g_strdup_printf ("/writers/stack/place/%s", places[i].name);
      g_test_add_data_func (path, &places[i], test_stack_place);
    }
  g_test_add_func ("/writers/stack/shear", test_stack_shear);
  g_test_add_func ("/writers/stack/other-size", test_stack_other_size);
  g_test_add_func ("/writers/stack/names", test_stack_names);
  g_test_add_func ("/writers/stack/taken-over", test_stack_taken_over);
  g_test_add_data_func ("/writers/stack/failures/envi", GINT_TO_POINTER (ES_STACK_ENVI), test_stack_failures);
  g_test_add_data_func ("/writers/stack/failures/geotiff", GINT_TO_POINTER (ES_STACK_GEOTIFF),
                        test_stack_failures);
  g_test_add_func ("/writers/stack/strays", test_strays);
  g_test_add_func ("/writers/read-only-folder", test_read_only_folder);
  return g_test_run ();
}
