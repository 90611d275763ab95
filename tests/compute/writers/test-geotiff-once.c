/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A stack that is made in the file of its GeoTIFF is written once, and reads like one that GDAL has written. */

#include <cpl_conv.h>
#include <gdal.h>
#include <gio/gio.h>
#include <math.h>
#include <ogr_srs_api.h>
#include <string.h>
#include <sys/stat.h>

#include "base/es-error.h"
#include "es-test-folder.h"
#include "job/es-job.h"
#include "layer/es-layer-internal.h"
#include "layer/es-plane-layout-internal.h"
#include "operations/es-operations.h"
#include "readers/es-open.h"
#include "writers/es-writer.h"

#define PLANES 3

/* Bytes that this process has given to the system to be written. */
static guint64
get_written_bytes (void)
{
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/self/io", &text, NULL, NULL) || (line = strstr (text, "wchar: ")) == NULL)
    return 0;
  return g_ascii_strtoull (line + strlen ("wchar: "), NULL, 10);
}

static guint64
get_size (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  struct stat status;

  g_assert_cmpint (stat (path, &status), ==, 0);
  return status.st_size;
}

static EsImageStack *
make_stack (const char *path, guint64 width, guint64 height)
{
  static const double wavelengths[PLANES] = { 450.5, 550, 1650.25 };
  const gsize pixels = width * height;
  g_autofree float *values = g_new (float, pixels * PLANES);
  g_autoptr (GError) error = NULL;
  EsImageStack *stack = es_image_stack_new ("components", "Components", width, height, PLANES, 0, path, &error);

  g_assert_no_error (error);
  for (gsize i = 0; i < pixels * PLANES; i++)
    values[i] = i % 11 == 3 ? NAN : 0.37f * i - 100;
  /* First a window that is no whole rows. */
  es_image_stack_write (stack, 0, 0, (width + 1) / 2, height, values, pixels, &error);
  g_assert_no_error (error);
  es_image_stack_write (stack, 0, 0, width, height, values, pixels, &error);
  g_assert_no_error (error);
  es_image_stack_set_plane (stack, 0, "PC 1", 0.75);
  es_image_stack_set_plane (stack, 1, "PC 2, {second}", 0.2);
  es_image_stack_set_wavelengths (stack, wavelengths);
  es_image_stack_set_unit (stack, "µW");
  return stack;
}

static GDALDatasetH
open_tiff (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  GDALDatasetH dataset = GDALOpen (path, GA_ReadOnly);

  g_assert_nonnull (dataset);
  g_assert_cmpstr (GDALGetDriverShortName (GDALGetDatasetDriver (dataset)), ==, "GTiff");
  return dataset;
}

static void
assert_same_metadata (GDALMajorObjectH a, GDALMajorObjectH b)
{
  char **of_a = GDALGetMetadata (a, NULL), **of_b = GDALGetMetadata (b, NULL);

  g_assert_nonnull (of_a);
  g_assert_nonnull (of_b);
  g_assert_cmpuint (g_strv_length (of_a), ==, g_strv_length (of_b));
  for (guint i = 0; of_a[i] != NULL; i++)
    g_assert_true (g_strv_contains ((const char *const *) of_b, of_a[i]));
}

static void
assert_same_band (GDALRasterBandH a, GDALRasterBandH b)
{
  const int width = GDALGetRasterBandXSize (a), height = GDALGetRasterBandYSize (a);
  const gsize n = (gsize) width * height;
  g_autofree float *of_a = g_new (float, n), *of_b = g_new (float, n);
  double sums_a[4], sums_b[4];
  int has_no_data;

  g_assert_cmpint (GDALGetRasterDataType (a), ==, GDT_Float32);
  g_assert_true (isnan (GDALGetRasterNoDataValue (a, &has_no_data)));
  g_assert_true (has_no_data);
  g_assert_cmpint (GDALRasterIO (a, GF_Read, 0, 0, width, height, of_a, width, height, GDT_Float32, 0, 0), ==, CE_None);
  g_assert_cmpint (GDALRasterIO (b, GF_Read, 0, 0, width, height, of_b, width, height, GDT_Float32, 0, 0), ==, CE_None);
  for (gsize i = 0; i < n; i++)
    g_assert_true (of_a[i] == of_b[i] || (isnan (of_a[i]) && isnan (of_b[i])));
  GDALComputeRasterStatistics (a, FALSE, &sums_a[0], &sums_a[1], &sums_a[2], &sums_a[3], NULL, NULL);
  GDALComputeRasterStatistics (b, FALSE, &sums_b[0], &sums_b[1], &sums_b[2], &sums_b[3], NULL, NULL);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat_with_epsilon (sums_a[i], sums_b[i], 1e-9 * (1 + fabs (sums_b[i])));

  g_assert_cmpstr (GDALGetDescription (a), ==, GDALGetDescription (b));
  g_assert_cmpstr (GDALGetRasterUnitType (a), ==, GDALGetRasterUnitType (b));
}

static void
assert_same (const char *folder, const char *name, const char *other, guint n_planes)
{
  GDALDatasetH a, b;
  double of_a[6], of_b[6];

  /* What is in the files alone, and nothing written beside them. */
  CPLSetConfigOption ("GDAL_PAM_ENABLED", "NO");
  a = open_tiff (folder, name);
  b = open_tiff (folder, other);
  g_assert_cmpint (GDALGetRasterXSize (a), ==, GDALGetRasterXSize (b));
  g_assert_cmpint (GDALGetRasterYSize (a), ==, GDALGetRasterYSize (b));
  g_assert_cmpint (GDALGetRasterCount (a), ==, n_planes);
  g_assert_cmpint (GDALGetRasterCount (b), ==, n_planes);
  g_assert_cmpint (GDALGetGeoTransform (a, of_a), ==, GDALGetGeoTransform (b, of_b));
  for (guint i = 0; i < 6; i++)
    g_assert_cmpfloat (of_a[i], ==, of_b[i]);
  g_assert_cmpstr (GDALGetProjectionRef (a), ==, GDALGetProjectionRef (b));
  assert_same_metadata (a, b);
  /* The statistics that were computed become metadata: compared before. */
  for (guint i = 1; i <= n_planes; i++)
    assert_same_metadata (GDALGetRasterBand (a, i), GDALGetRasterBand (b, i));
  for (guint i = 1; i <= n_planes; i++)
    assert_same_band (GDALGetRasterBand (a, i), GDALGetRasterBand (b, i));
  GDALClose (a);
  GDALClose (b);
  CPLSetConfigOption ("GDAL_PAM_ENABLED", NULL);
}

static void
write_geotiff (EsImageStack *stack, EsCube *cube, const char *folder, const char *name)
{
  g_autoptr (GFile) target = es_test_file (folder, name);
  g_autoptr (GError) error = NULL;

  es_write_image_stack (stack, ES_DATASET (cube), "PCA of a scene", ES_STACK_GEOTIFF, target, NULL, NULL, NULL, NULL,
                        &error);
  g_assert_no_error (error);
}

/* Sizes that strips divide, and that they do not; tiles, where GDAL writes it; one row, one column. */
static void
test_taken_over (void)
{
  static const guint64 sizes[][2] = { { 41, 29 }, { 1001, 777 }, { 128, 256 }, { 16400, 3 }, { 1, 70000 }, { 1, 1 } };
  const double transform[6] = { 364095, 30, 0, 5809965, 0, -30 };
  OGRSpatialReferenceH system = OSRNewSpatialReference (NULL);
  char *wkt = NULL;

  g_assert_cmpint (OSRImportFromEPSG (system, 32633), ==, OGRERR_NONE);
  OSRExportToWkt (system, &wkt);
  OSRDestroySpatialReference (system);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      const guint64 width = sizes[i][0], height = sizes[i][1];
      g_autoptr (EsTestFolder) folder = es_test_folder_make ();
      g_autoptr (EsCube) cube = es_test_cube_new (width, height, transform, wkt);
      g_autofree char *path = g_build_filename (folder, "components.tif", NULL);
      g_autofree float *before = g_new (float, width * height), *after = g_new (float, width * height);
      g_autoptr (EsImageStack) stack = make_stack (path, width, height);
      g_autoptr (EsImageStack) memory = make_stack (NULL, width, height);
      struct stat part, target;

      es_test_write_text (folder, "components.tif", "old");
      g_assert_cmpint (stat (es_image_stack_get_path (stack), &part), ==, 0);
      g_assert_true (es_image_stack_read (stack, 2, 0, 0, width, height, 1, before, NULL));
      write_geotiff (stack, cube, folder, "components.tif");
      g_assert_cmpint (stat (path, &target), ==, 0);
      g_assert_cmpuint (part.st_ino, ==, target.st_ino);
      g_assert_null (es_image_stack_get_path (stack));
      write_geotiff (memory, cube, folder, "memory.tif");
      assert_same (folder, "components.tif", "memory.tif", PLANES);

      /* The stack goes on reading there, and is copied from then on. */
      g_assert_true (es_image_stack_read (stack, 2, 0, 0, width, height, 1, after, NULL));
      g_assert_cmpmem (before, width * height * sizeof (float), after, width * height * sizeof (float));
      write_geotiff (stack, cube, folder, "again.tif");
      g_clear_object (&stack);
      assert_same (folder, "again.tif", "components.tif", PLANES);
      g_autofree char *files = es_test_folder_list (folder);
      g_assert_cmpstr (files, ==, "again.tif components.tif memory.tif");
    }
  CPLFree (wkt);
}

/* A file of samples is not taken for a format that it does not have. */
static void
test_other_format (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autofree char *tiff_path = g_build_filename (folder, "a.tif", NULL);
  g_autofree char *envi_path = g_build_filename (folder, "b.img", NULL);
  g_autoptr (EsImageStack) tiff = make_stack (tiff_path, 41, 29), envi = make_stack (envi_path, 41, 29);
  g_autoptr (GFile) envi_target = es_test_file (folder, "a.img"), tiff_target = es_test_file (folder, "b.tif");
  g_autoptr (GError) error = NULL;

  es_write_image_stack (tiff, NULL, NULL, ES_STACK_ENVI, envi_target, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  es_write_image_stack (envi, NULL, NULL, ES_STACK_GEOTIFF, tiff_target, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_clear_object (&tiff);
  g_clear_object (&envi);
  g_assert_cmpuint (get_size (folder, "a.img"), ==, 41 * 29 * PLANES * sizeof (float));
  GDALClose (open_tiff (folder, "b.tif"));
  g_autofree char *files = es_test_folder_list (folder);
  g_assert_cmpstr (files, ==, "a.hdr a.img b.tif");
}

/* What fails leaves what was there, and of the part nothing. */
static void
test_failures (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autofree char *path = g_build_filename (folder, "a.tif", NULL);
  g_autoptr (GFile) target = es_test_file (folder, "a.tif");
  g_autoptr (EsImageStack) stack = make_stack (path, 41, 29);
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (GError) full = NULL, stopped = NULL, none = NULL;

  es_test_write_text (folder, "a.tif", "old");
  es_test_limit_files (4096);
  g_assert_false (es_write_image_stack (stack, NULL, NULL, ES_STACK_GEOTIFF, target, NULL, NULL, NULL, NULL, &full));
  g_assert_null (es_image_stack_new ("a", "A", 41, 29, PLANES, 0, path, &none));
  es_test_limit_files (G_MAXUINT64);
  g_assert_error (full, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  g_assert_nonnull (strstr (full->message, "a.tif"));
  g_assert_error (none, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  es_test_assert_text (folder, "a.tif", "old");

  g_cancellable_cancel (cancelled);
  g_assert_false (es_write_image_stack (stack, NULL, NULL, ES_STACK_GEOTIFF, target, NULL, NULL, NULL, cancelled,
                                        &stopped));
  g_assert_error (stopped, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_object (&stack);
  es_test_assert_text (folder, "a.tif", "old");
  es_test_assert_unchanged (folder, "a.tif");
}

/* Above what offsets of 32 bits reach; no sample of it is written. */
static void
test_large (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autofree char *path = g_build_filename (folder, "a.tif", NULL);
  EsPlaneLayout layout = { .width = 40000, .height = 15000, .planes = 2 };
  g_autoptr (GError) error = NULL;
  guint64 length;
  char head[4];

  es_tiff_layout_make (path, path, &layout, &length, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (layout.pitch, ==, (guint64) 40000 * 15000 * sizeof (float));
  g_assert_cmpuint (length, ==, layout.start + 2 * layout.pitch);
  g_assert_cmpuint (get_size (folder, "a.tif"), ==, length);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_input_stream_read (G_INPUT_STREAM (stream), head, 4, NULL, NULL), ==, 4);
  g_assert_cmpint (head[G_BYTE_ORDER == G_BIG_ENDIAN ? 3 : 2], ==, 43);   /* BigTIFF */
  GDALClose (open_tiff (folder, "a.tif"));
}

/* ---- a result ---- */

static guint64
run (const char *folder, const char *name, const EsLimits *limits, EsStackFormat format)
{
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  g_autoptr (GFile) file = es_test_file (folder, "scene.img"), directory = es_test_file (folder, name);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) cube = es_dataset_open (file, NULL, NULL, &error);
  const guint64 before = get_written_bytes ();

  g_assert_no_error (error);
  es_params_parse (params, "components", "6", &error);
  g_assert_no_error (error);
  g_autoptr (EsJob) job = es_job_new (pca, cube, params, es_device_get_cpu (), limits, NULL);
  g_autoptr (EsResult) result = es_job_run (job, &error);
  g_assert_no_error (error);
  es_write_result (result, directory, format, NULL, &error);
  g_assert_no_error (error);
  return get_written_bytes () - before;
}

static void
test_result (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autofree char *made = g_build_filename (folder, "made", NULL);
  const EsLimits at_once = { .threads = 1, .output_dir = made, .output_ending = ".tif" };
  g_autoptr (GFile) directory = g_file_new_for_path (made);

  es_test_simulate_cube (folder, "scene.img", "width=600", "height=520", "bands=8", NULL);
  g_assert_true (g_file_make_directory (directory, NULL, NULL));
  const guint64 made_bytes = run (folder, "made", &at_once, ES_STACK_GEOTIFF);
  const guint64 saved_bytes = run (folder, "saved", &(EsLimits) { .threads = 1 }, ES_STACK_GEOTIFF);

  g_autofree char *files = es_test_folder_list (made);
  g_assert_null (strstr (files, ".img"));
  g_assert_null (strstr (files, ".aux.xml"));
  assert_same (folder, "made/components.tif", "saved/components.tif", 6);
  if (get_written_bytes () == 0)
    {
      g_test_skip ("the system does not count what is written");
      return;
    }
  g_test_message ("bytes written: %" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT, made_bytes, saved_bytes);
  g_assert_cmpuint (5 * made_bytes, <, 6 * get_size (folder, "made/components.tif"));
  g_assert_cmpuint (5 * saved_bytes, <, 6 * get_size (folder, "saved/components.tif"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  GDALAllRegister ();

  g_test_add_func ("/geotiff/once/taken-over", test_taken_over);
  g_test_add_func ("/geotiff/once/other-format", test_other_format);
  g_test_add_func ("/geotiff/once/failures", test_failures);
  g_test_add_func ("/geotiff/once/large", test_large);
  g_test_add_func ("/geotiff/once/result", test_result);
  return g_test_run ();
}
