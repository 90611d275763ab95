/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Pixels that a file's own mask leaves out: whatever computes, shows or exports knows nothing of their samples. The
 * reference is a cube that consists of the other pixels alone. */

#include <cpl_conv.h>
#include <cpl_string.h>
#include <gdal.h>
#include <math.h>
#include <string.h>

#include "../job/es-test-scene.h"
#include "cube/es-cube-internal.h"
#include "cube/es-region-set-private.h"
#include "resident/es-resident.h"
#include "es-test-pca-device.h"
#include "operations/es-operations.h"

#define WIDTH  70
#define HEIGHT 53
#define BANDS  5
#define WILD   60000
/* Of the no-data values, each band has its own. */
#define NO_DATA(band) (61000 + (band))

typedef enum { INTERNAL, EXTERNAL, BY_BAND, ALPHA, ALPHA_AND_NO_DATA, NO_DATA_BY_BAND, PICTURE } Kind;

typedef struct
{
  const char  *name;
  Kind         kind;
  GDALDataType type;
  const char  *options[6];
  const char  *note;
} Case;

static const Case cases[] = {
  { "internal-pixel", INTERNAL, GDT_UInt16, { "INTERLEAVE=PIXEL", "COMPRESS=DEFLATE" }, "mask" },
  { "internal-band", INTERNAL, GDT_UInt16, { "INTERLEAVE=BAND" }, "mask" },
  { "internal-tiled", INTERNAL, GDT_UInt16,
    { "INTERLEAVE=PIXEL", "TILED=YES", "BLOCKXSIZE=32", "BLOCKYSIZE=16", "COMPRESS=LZW" }, "mask" },
  { "external", EXTERNAL, GDT_UInt16, { "INTERLEAVE=PIXEL" }, "mask" },
  { "by-band", BY_BAND, GDT_UInt16, { "INTERLEAVE=BAND" }, "mask for each band" },
  { "envi-external", EXTERNAL, GDT_UInt16, { "INTERLEAVE=BIL" }, "mask" },
  { "envi-by-band", BY_BAND, GDT_UInt16, { "INTERLEAVE=BSQ" }, "mask for each band" },
  { "alpha-16", ALPHA, GDT_UInt16, { "PHOTOMETRIC=MINISBLACK", "INTERLEAVE=PIXEL" }, "alpha" },
  { "alpha-float", ALPHA, GDT_Float32, { "PHOTOMETRIC=MINISBLACK", "INTERLEAVE=BAND" }, "alpha" },
  { "alpha-and-no-data", ALPHA_AND_NO_DATA, GDT_UInt16, { "PHOTOMETRIC=MINISBLACK" }, "alpha" },
  { "no-data-by-band", NO_DATA_BY_BAND, GDT_UInt16, { NULL }, NULL },
  { "png-8", PICTURE, GDT_Byte, { NULL }, "alpha" },
  { "png-16", PICTURE, GDT_UInt16, { NULL }, "alpha" },
};

static char *directory;
/* Eigenscope reads such files itself and takes the driver from the list. */
static GDALDriverH envi_driver;

static gboolean
is_missing (guint x, guint y)
{
  return x < 30 ? y % 7 != 3 : (x * 5 + y * 3) % 11 == 0;
}

/* Which band misses it, where not all do. */
static guint
missing_band (guint x, guint y, guint bands)
{
  return (x + y) % bands;
}

static double
value_of (guint x, guint y, guint band, gboolean byte)
{
  const double value = (byte ? 100 : 2000) + 40 * sin (0.21 * x + band) + 30 * cos (0.13 * y * (band + 1))
                       + (x * 31 + y * 17 + band * 7) % 13;

  return rint (value);
}

static guint
bands_of (const Case *test)
{
  return test->kind == PICTURE ? 3 : BANDS;
}

static double
stored (const Case *test, guint x, guint y, guint band)
{
  const gboolean byte = test->type == GDT_Byte;

  if (!is_missing (x, y))
    return value_of (x, y, band, byte);
  if (test->kind == NO_DATA_BY_BAND)
    return band == missing_band (x, y, BANDS) ? NO_DATA (band) : WILD;
  if (test->kind == ALPHA_AND_NO_DATA && x % 2 == 0)
    return NO_DATA (0);
  return byte ? 255 : WILD;
}

static void
write_plane (GDALRasterBandH band, const double *values)
{
  g_assert_cmpint (GDALRasterIO (band, GF_Write, 0, 0, WIDTH, HEIGHT, (double *) values, WIDTH, HEIGHT, GDT_Float64, 0,
                                 0), ==, CE_None);
}

/* mask: of one band; all: of every. Partly transparent pixels are as good as opaque ones. */
static void
fill_mask (const Case *test, double *out, guint band, gboolean all)
{
  for (guint y = 0; y < HEIGHT; y++)
    for (guint x = 0; x < WIDTH; x++)
      {
        const gboolean missing = is_missing (x, y) && (all || missing_band (x, y, BANDS) == band);
        const double faint = test->type == GDT_Float32 ? 0.25 : 1, opaque = test->type == GDT_Byte ? 255 : 65535;

        /* Where both are there, one half is said by each. */
        const gboolean by_value = test->kind == ALPHA_AND_NO_DATA && x % 2 == 0;

        out[y * WIDTH + x] = missing && !by_value ? 0 : x % 3 == 0 ? faint : opaque;
      }
}

static char *
write_case (const Case *test)
{
  const guint bands = bands_of (test);
  const gboolean alpha = test->kind == ALPHA || test->kind == ALPHA_AND_NO_DATA || test->kind == PICTURE;
  const gboolean envi = g_str_has_prefix (test->name, "envi");
  const char *driver = test->kind == PICTURE ? "MEM" : test->kind == NO_DATA_BY_BAND ? "HFA" : "GTiff";
  const char *suffix = envi ? "dat" : test->kind == PICTURE ? "png" : test->kind == NO_DATA_BY_BAND ? "img" : "tif";
  char *path = g_strdup_printf ("%s/%s.%s", directory, test->name, suffix);
  g_autofree double *plane = g_new (double, WIDTH * HEIGHT);
  char **options = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (test->options) && test->options[i] != NULL; i++)
    options = CSLAddString (options, test->options[i]);
  GDALDatasetH handle = GDALCreate (envi ? envi_driver : GDALGetDriverByName (driver), path, WIDTH, HEIGHT,
                                    bands + alpha, test->type, options);
  CSLDestroy (options);
  g_assert_nonnull (handle);

  for (guint b = 0; b < bands; b++)
    {
      GDALRasterBandH band = GDALGetRasterBand (handle, b + 1);

      if (test->kind == NO_DATA_BY_BAND || test->kind == ALPHA_AND_NO_DATA)
        GDALSetRasterNoDataValue (band, NO_DATA (test->kind == NO_DATA_BY_BAND ? b : 0));
      for (guint y = 0; y < HEIGHT; y++)
        for (guint x = 0; x < WIDTH; x++)
          plane[y * WIDTH + x] = stored (test, x, y, b);
      write_plane (band, plane);
    }
  CPLSetThreadLocalConfigOption ("GDAL_TIFF_INTERNAL_MASK", test->kind == INTERNAL ? "YES" : "NO");
  if (test->kind == INTERNAL || test->kind == EXTERNAL)
    {
      g_assert_cmpint (GDALCreateDatasetMaskBand (handle, GMF_PER_DATASET), ==, CE_None);
      fill_mask (test, plane, 0, TRUE);
      for (guint i = 0; i < WIDTH * HEIGHT; i++)
        plane[i] = plane[i] > 0 ? 255 : 0;
      write_plane (GDALGetMaskBand (GDALGetRasterBand (handle, 1)), plane);
    }
  for (guint b = 0; test->kind == BY_BAND && b < bands; b++)
    {
      GDALRasterBandH band = GDALGetRasterBand (handle, b + 1);

      g_assert_cmpint (GDALCreateMaskBand (band, 0), ==, CE_None);
      fill_mask (test, plane, b, FALSE);
      write_plane (GDALGetMaskBand (band), plane);
    }
  if (alpha)
    {
      fill_mask (test, plane, 0, TRUE);
      GDALSetRasterColorInterpretation (GDALGetRasterBand (handle, bands + 1), GCI_AlphaBand);
      write_plane (GDALGetRasterBand (handle, bands + 1), plane);
    }
  if (test->kind == PICTURE)
    {
      GDALDatasetH png = GDALCreateCopy (GDALGetDriverByName ("PNG"), path, handle, FALSE, NULL, NULL, NULL);

      g_assert_nonnull (png);
      GDALClose (png);
    }
  GDALClose (handle);
  return path;
}

static EsDataset *
open_path (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  EsDataset *dataset = es_dataset_open (file, NULL, NULL, &error);

  g_assert_no_error (error);
  return dataset;
}

/* A cube of one row: the pixels that count, one after the other. */
static EsDataset *
open_valid_pixels (const Case *test)
{
  EsTestScene scene = { .height = 1, .bands = bands_of (test), .interleave = "bsq", .no_data = NAN,
                        .type = test->type == GDT_Byte ? ESK_U8 : test->type == GDT_UInt16 ? ESK_U16 : ESK_F32 };
  g_autofree char *name = g_strconcat (test->name, "-valid.raw", NULL);

  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    scene.width += !is_missing (i % WIDTH, i / WIDTH);
  scene.values = g_new (double, scene.bands * scene.width);
  for (guint b = 0, n = 0; b < scene.bands; b++)
    for (guint i = 0; i < WIDTH * HEIGHT; i++)
      if (!is_missing (i % WIDTH, i / WIDTH))
        scene.values[n++] = value_of (i % WIDTH, i / WIDTH, b, test->type == GDT_Byte);
  EsDataset *dataset = es_test_scene_open (&scene, directory, name);
  es_test_scene_clear (&scene);
  return dataset;
}

static void
check_numbers (EsResult *a, EsResult *b, const char *name, double tolerance)
{
  JsonArray *first = es_test_pca_values_of (a, name), *second = es_test_pca_values_of (b, name);

  g_assert_cmpuint (json_array_get_length (first), ==, json_array_get_length (second));
  for (guint i = 0; i < json_array_get_length (first); i++)
    {
      const double x = json_array_get_double_element (first, i), y = json_array_get_double_element (second, i);

      g_assert_cmpfloat (fabs (x - y), <=, tolerance * (fabs (x) + 1));
    }
}

static gint64
valid_pixels (EsResult *result)
{
  return json_object_get_int_member (es_result_get_values (result), "valid_pixels");
}

static void
check_planes (EsResult *result)
{
  EsImageStack *stack = es_test_pca_components_of (result);
  g_autofree float *plane = g_new (float, WIDTH * HEIGHT);
  g_autoptr (GError) error = NULL;

  g_assert_true (es_image_stack_read (stack, 0, 0, 0, WIDTH, HEIGHT, 1, plane, &error));
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    g_assert_cmpint (isnan (plane[i]), ==, is_missing (i % WIDTH, i / WIDTH));
}

static gboolean
band_misses (const Case *test, guint x, guint y, guint band)
{
  return is_missing (x, y) && ((test->kind != BY_BAND && test->kind != NO_DATA_BY_BAND)
                               || missing_band (x, y, BANDS) == band);
}

/* What is shown of single bands and pixels. */
static void
check_display (const Case *test, EsCube *cube)
{
  const guint bands = bands_of (test), columns = (WIDTH - 7) / 3 + 1, rows = (HEIGHT - 6) / 3 + 1;
  g_autofree float *plane = g_new (float, WIDTH * HEIGHT);
  g_autofree double *spectrum = g_new (double, bands);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (es_cube_get_bands (cube), ==, bands);
  for (guint b = 0; b < bands; b++)
    {
      g_assert_true (es_cube_read_band (cube, b, 0, 0, WIDTH, HEIGHT, 1, plane, NULL, &error));
      for (guint i = 0; i < WIDTH * HEIGHT; i++)
        if (band_misses (test, i % WIDTH, i / WIDTH, b))
          g_assert_true (isnan (plane[i]));
        else
          g_assert_cmpfloat (plane[i], ==, (float) stored (test, i % WIDTH, i / WIDTH, b));
      g_assert_true (es_cube_read_band (cube, b, 6, 5, WIDTH - 6, HEIGHT - 5, 3, plane, NULL, &error));
      for (guint y = 0; y < rows; y++)
        for (guint x = 0; x < columns; x++)
          g_assert_cmpint (isnan (plane[y * columns + x]), ==, band_misses (test, 6 + 3 * x, 5 + 3 * y, b));
    }
  for (guint y = 0; y < HEIGHT; y += 4)
    for (guint x = 0; x < WIDTH; x += 3)
      {
        g_assert_true (es_cube_read_spectrum (cube, x, y, spectrum, &error));
        for (guint b = 0; b < bands; b++)
          g_assert_cmpint (isnan (spectrum[b]), ==, band_misses (test, x, y, b));
      }
}

static void
check_region (const Case *test, EsCube *cube)
{
  const guint bands = bands_of (test);
  g_autoptr (EsRegion) region = es_region_parse ("rectangle 10 8 40 30", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (region);
  EsRegionSpectra *spectra = es_region_spectra_compute (cube, region, NULL, &error);
  g_assert_no_error (error);
  for (guint b = 0; b < bands; b++)
    {
      double sum = 0;
      guint n = 0;

      for (guint y = 8; y < 38; y++)
        for (guint x = 10; x < 50; x++)
          if (!band_misses (test, x, y, b))
            {
              sum += stored (test, x, y, b);
              n++;
            }
      g_assert_cmpfloat_with_epsilon (spectra->mean[b], sum / n, 1e-6 * sum / n);
    }
  es_region_spectra_free (spectra);
}

static void
test_mask (gconstpointer data)
{
  static const char *const devices[] = { "cpu", "cuda:0", "cuda:all" };
  static const guint64 allowed[] = { 0, 100 << 10 };
  const Case *test = data;
  g_autofree char *path = write_case (test);
  g_autoptr (EsDataset) cube = open_path (path);
  g_autoptr (EsDataset) only = open_valid_pixels (test);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) reference = es_test_pca_run (only, "cpu", NULL, NULL, &error, "components", "2", NULL);
  const char *const *notes = es_dataset_get_notes (cube);
  /* Sums of integers are exact, whatever the tiles. */
  const double tolerance = test->type == GDT_Float32 ? 1e-6 : 1e-9;

  g_assert_no_error (error);
  if (test->note != NULL)
    {
      g_assert_nonnull (notes);
      g_assert_nonnull (strstr (notes[0], test->note));
    }
  check_display (test, ES_CUBE (cube));
  check_region (test, ES_CUBE (cube));
  for (guint d = 0; d < G_N_ELEMENTS (devices); d++)
    for (guint a = 0; a < (d == 0 ? 1 : G_N_ELEMENTS (allowed)); a++)
      for (guint again = 0; again < 2; again++)
        {
          const EsLimits limits = { .device_memory = allowed[a] };
          g_autoptr (EsResult) result = es_test_pca_run (cube, devices[d], &limits, NULL, &error, "components", "2",
                                                         NULL);

          g_assert_no_error (error);
          g_assert_cmpint (valid_pixels (result), ==, valid_pixels (reference));
          check_numbers (result, reference, "mean", tolerance);
          check_numbers (result, reference, "eigenvalues", tolerance);
          check_planes (result);
        }
}

/* A mask file that is none of the cube: left out where it is of another size, refused where it is cut short. */
static void
test_beside (void)
{
  static const Case test = { "envi-again", EXTERNAL, GDT_UInt16, { "INTERLEAVE=BIP" }, "mask" };
  g_autofree char *path = write_case (&test), *mask = g_strconcat (path, ".msk", NULL), *whole = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (EsDataset) cube = open_path (path);
  g_autofree char *identity = g_strdup (es_dataset_get_identity (cube));
  g_autoptr (GError) error = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (mask, &whole, &length, NULL));
  g_assert_true (g_file_set_contents (mask, whole, (gssize) length / 2, NULL));
  g_assert_null (es_dataset_open (file, NULL, NULL, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "envi-again.dat.msk"));

  GDALDatasetH other = GDALCreate (GDALGetDriverByName ("GTiff"), mask, WIDTH, HEIGHT + 1, 1, GDT_Byte, NULL);
  g_assert_nonnull (other);
  GDALSetMetadataItem (other, "INTERNAL_MASK_FLAGS_1", "2", NULL);
  GDALClose (other);
  g_autoptr (EsDataset) without = open_path (path);
  g_assert_nonnull (strstr (es_dataset_get_notes (without)[0], "envi-again.dat.msk"));
  g_assert_false (es_cube_has_mask (ES_CUBE (without)));
  /* Other pixels count: another cube. */
  g_assert_cmpstr (es_dataset_get_identity (without), !=, identity);
}

/* The operations that go their own ways: the same as where the missing pixels are no numbers. */
static void
test_operations (void)
{
  static const char *const names[] = { "mnf", "fastica" };
  static const Case test = { "operations", INTERNAL, GDT_Float32, { "TILED=YES", "BLOCKXSIZE=16", "BLOCKYSIZE=16" } };
  EsTestScene scene = { WIDTH, HEIGHT, BANDS, ESK_F32, "bil", .no_data = NAN };
  g_autofree char *path = write_case (&test);
  g_autoptr (EsDataset) masked = open_path (path);

  scene.values = g_new (double, WIDTH * HEIGHT * BANDS);
  for (guint i = 0; i < WIDTH * HEIGHT * BANDS; i++)
    {
      const guint pixel = i % (WIDTH * HEIGHT), x = pixel % WIDTH, y = pixel / WIDTH;

      scene.values[i] = is_missing (x, y) ? NAN : value_of (x, y, i / (WIDTH * HEIGHT), FALSE);
    }
  g_autoptr (EsDataset) plain = es_test_scene_open (&scene, directory, "operations.raw");
  es_test_scene_clear (&scene);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const EsOperation *operation = es_operation_find (names[i], NULL);
      EsResult *results[2] = { NULL };
      g_autofree float *first = g_new (float, WIDTH * HEIGHT), *second = g_new (float, WIDTH * HEIGHT);

      for (guint k = 0; k < 2; k++)
        {
          g_autoptr (EsParams) params = es_params_new (operation->params);
          g_autoptr (GError) error = NULL;

          es_params_parse (params, "components", "3", &error);
          g_assert_no_error (error);
          g_autoptr (EsJob) job = es_job_new (operation, k == 0 ? masked : plain, params, es_device_get_cpu (), NULL,
                                              NULL);
          results[k] = es_job_run (job, &error);
          g_assert_no_error (error);
        }
      g_assert_cmpint (valid_pixels (results[0]), ==, valid_pixels (results[1]));
      for (guint k = 0; k < 3; k++)
        {
          g_assert_true (es_image_stack_read (es_test_pca_components_of (results[0]), k, 0, 0, WIDTH, HEIGHT, 1, first,
                                              NULL));
          g_assert_true (es_image_stack_read (es_test_pca_components_of (results[1]), k, 0, 0, WIDTH, HEIGHT, 1, second,
                                              NULL));
          for (guint p = 0; p < WIDTH * HEIGHT; p++)
            {
              g_assert_cmpint (isnan (first[p]), ==, isnan (second[p]));
              if (!isnan (first[p]))
                g_assert_cmpfloat (fabsf (first[p] - second[p]), <, 1e-2);
            }
        }
      g_object_unref (results[0]);
      g_object_unref (results[1]);
    }
}

/* A copy in page-locked memory has the mask, too. */
static void
test_copy (void)
{
  static const Case test = { "copied", INTERNAL, GDT_UInt16, { "INTERLEAVE=PIXEL" } };
  EsDevice *device = es_device_find ("cuda:0", NULL);
  g_autofree char *path = write_case (&test);
  g_autoptr (EsDataset) cube = open_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsCube) copy = es_cube_copy_to_staging (ES_CUBE (cube), device, "bsq", NULL, &error);

  g_assert_no_error (error);
  check_display (&test, copy);
  for (guint d = 0; d < 2; d++)
    {
      g_autoptr (EsResult) result = es_test_pca_run (ES_DATASET (copy), d == 0 ? "cpu" : "cuda:0", NULL, NULL, &error,
                                                     "components", "2", NULL);

      g_assert_no_error (error);
      check_planes (result);
    }
}

/* What GDAL labels as alpha by default, and is near infrared; half of it has no signal. */
static void
test_mislabelled (void)
{
  g_autofree char *path = g_strdup_printf ("%s/near-infrared.tif", directory);
  g_autofree double *plane = g_new (double, WIDTH * HEIGHT);
  GDALDatasetH handle = GDALCreate (GDALGetDriverByName ("GTiff"), path, WIDTH, HEIGHT, 4, GDT_Byte, NULL);

  g_assert_cmpint (GDALGetRasterColorInterpretation (GDALGetRasterBand (handle, 4)), ==, GCI_AlphaBand);
  for (guint b = 0; b < 4; b++)
    {
      for (guint i = 0; i < WIDTH * HEIGHT; i++)
        plane[i] = b == 3 && i % 2 == 0 ? 0 : value_of (i % WIDTH, i / WIDTH, b, TRUE);
      write_plane (GDALGetRasterBand (handle, b + 1), plane);
    }
  GDALClose (handle);

  g_autoptr (EsDataset) cube = open_path (path);
  const char *const *notes = es_dataset_get_notes (cube);
  g_assert_cmpuint (es_cube_get_bands (ES_CUBE (cube)), ==, 4);
  g_assert_false (es_cube_has_mask (ES_CUBE (cube)));
  g_assert_nonnull (notes[0]);
  g_assert_nonnull (strstr (notes[0], "Band 4"));
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  GDALAllRegister ();
  envi_driver = GDALGetDriverByName ("ENVI");
  directory = es_test_directory ();
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strconcat ("/masks/", cases[i].name, NULL);

      g_test_add_data_func (name, &cases[i], test_mask);
    }
  g_test_add_func ("/masks/beside", test_beside);
  g_test_add_func ("/masks/operations", test_operations);
  g_test_add_func ("/masks/copy", test_copy);
  g_test_add_func ("/masks/mislabelled", test_mislabelled);
  status = g_test_run ();
  es_test_remove (directory);
  return status;
}
