/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <gdal.h>
#include <math.h>
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
  GDALClose (GDALCreate (GDALGetDriverByName ("GTiff"), one, 8, 8, 1, GDT_Byte, NULL));
  es_test_refused (one, NULL, ES_DATA_ERROR_UNSUPPORTED, "one.tif", "one band", NULL);
  GDALClose (GDALCreate (GDALGetDriverByName ("GTiff"), complex, 8, 8, 3, GDT_CFloat32, NULL));
  es_test_refused (complex, NULL, ES_DATA_ERROR_UNSUPPORTED, "complex.tif", "complex", NULL);

  tiff = create_tiff (cut, &type_pairs[2], NULL);
  GDALClose (tiff);
  g_autoptr (EsCube) cube = es_test_open (cut);
  g_autofree float *values = g_new (float, WIDTH * HEIGHT);
  g_autoptr (GError) error = NULL;
  g_assert_cmpint (truncate (cut, 6000), ==, 0);
  g_assert_false (es_cube_read_band (cube, BANDS - 1, 0, 0, WIDTH, HEIGHT, 1, values, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN);
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
  g_autoptr (EsCube) cube = es_test_open (path);
  g_assert_cmpint (es_cube_get_type_code (cube), ==, ESK_I16);
  g_assert_true (es_test_has_note (cube, "int16"));
  es_test_compare (cube, mixed_value, NULL);
}

static gpointer
read_all_the_time (gpointer data)
{
  for (guint i = 0; i < 3; i++)
    es_test_compare (data, stored_value, GUINT_TO_POINTER (ESK_I16));
  return NULL;
}

static void
read_in_threads (EsCube *cube)
{
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("reader", read_all_the_time, cube);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

static void
test_tiff_threads (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "cube.tif", NULL);
  char *options[] = { "INTERLEAVE=PIXEL", "COMPRESS=DEFLATE", NULL };

  GDALClose (create_tiff (path, &type_pairs[2], options));
  g_autoptr (EsCube) cube = es_test_open (path);
  read_in_threads (cube);
}

/* Axes of a netCDF cube that a test writes, in file order. */
typedef struct
{
  const char *name;
  char        role;             /* 'x', 'y', 'b' or 't' (one entry) */
} TestAxis;

static void
set_unit (GDALMDArrayH array, const char *unit)
{
  g_assert_true (GDALMDArraySetUnit (array, unit));
}

static void
write_vector (GDALGroupH group, const char *name, GDALDimensionH dimension, const char *unit, double first,
              double step)
{
  GDALExtendedDataTypeH type = GDALExtendedDataTypeCreate (GDT_Float64);
  GDALMDArrayH array = GDALGroupCreateMDArray (group, name, 1, &dimension, type, NULL);
  GUInt64 start = 0;
  size_t count = GDALDimensionGetSize (dimension);
  g_autofree double *values = g_new (double, count);

  g_assert_nonnull (array);
  for (size_t i = 0; i < count; i++)
    values[i] = first + step * (double) i;
  g_assert_true (GDALMDArrayWrite (array, &start, &count, NULL, NULL, type, values, NULL, 0));
  if (unit != NULL)
    set_unit (array, unit);
  GDALMDArrayRelease (array);
  GDALExtendedDataTypeRelease (type);
}

/* int16 "radiance" over the axes, and whatever coordinates their names ask for. */
static char *
write_netcdf (const char *folder, const TestAxis *axes, guint n_axes, gboolean south_up)
{
  char *path = g_build_filename (folder, "cube.nc", NULL);
  GDALDatasetH file;
  GDALGroupH root;
  GDALDimensionH dimensions[4];
  GDALExtendedDataTypeH type = GDALExtendedDataTypeCreate (GDT_Int16);
  GDALMDArrayH array;
  GUInt64 start[4] = { 0 };
  size_t count[4], total = 1;

  GDALAllRegister ();
  file = GDALCreateMultiDimensional (GDALGetDriverByName ("netCDF"), path, NULL, NULL);
  g_assert_nonnull (file);
  root = GDALDatasetGetRootGroup (file);
  for (guint i = 0; i < n_axes; i++)
    {
      count[i] = axes[i].role == 'x' ? WIDTH : axes[i].role == 'y' ? HEIGHT : axes[i].role == 'b' ? BANDS : 1;
      total *= count[i];
      dimensions[i] = GDALGroupCreateDimension (root, axes[i].name, NULL, NULL, count[i], NULL);
      g_assert_nonnull (dimensions[i]);
    }
  for (guint i = 0; i < n_axes; i++)
    {
      if (g_str_equal (axes[i].name, "wavelength"))
        write_vector (root, "wavelength", dimensions[i], "um", 0.4, 0.1);
      else if (g_str_equal (axes[i].name, "lat"))
        write_vector (root, "lat", dimensions[i], "degrees_north", south_up ? 50 : 52,
                      south_up ? 0.01 : -0.01);
      else if (g_str_equal (axes[i].name, "lon"))
        write_vector (root, "lon", dimensions[i], "degrees_east", 10, 0.01);
    }

  array = GDALGroupCreateMDArray (root, "radiance", n_axes, dimensions, type, NULL);
  g_assert_nonnull (array);
  GDALMDArraySetNoDataValueAsDouble (array, -9999);
  GDALMDArraySetScale (array, 0.5);
  GDALMDArraySetOffset (array, 3);
  g_autofree gint16 *samples = g_new (gint16, total);
  for (size_t i = 0; i < total; i++)
    {
      size_t rest = i;
      guint64 x = 0, y = 0, b = 0;

      for (guint k = n_axes; k-- > 0; rest /= count[k])
        switch (axes[k].role)
          {
          case 'x': x = rest % count[k]; break;
          case 'y': y = rest % count[k]; break;
          case 'b': b = rest % count[k]; break;
          default: break;
          }
      /* The cube is asked for with the north on top. */
      samples[i] = (gint16) es_test_value (ESK_I16, x, south_up ? HEIGHT - 1 - y : y, b);
    }
  g_assert_true (GDALMDArrayWrite (array, start, count, NULL, NULL, type, samples, NULL, 0));
  GDALMDArrayRelease (array);
  GDALExtendedDataTypeRelease (type);
  for (guint i = 0; i < n_axes; i++)
    GDALDimensionRelease (dimensions[i]);
  GDALGroupRelease (root);
  GDALClose (file);
  return path;
}

static void
test_netcdf_axes (void)
{
  static const TestAxis orders[][4] = {
    { { "wavelength", 'b' }, { "lat", 'y' }, { "lon", 'x' } },
    { { "lat", 'y' }, { "lon", 'x' }, { "wavelength", 'b' } },
    { { "lon", 'x' }, { "lat", 'y' }, { "wavelength", 'b' } },
    { { "y", 'y' }, { "bands", 'b' }, { "x", 'x' } },
    { { "downtrack", 'y' }, { "crosstrack", 'x' }, { "bands", 'b' } },
    { { "alpha", 'b' }, { "y", 'y' }, { "x", 'x' } },
    { { "alpha", 'y' }, { "beta", 'x' }, { "gamma", 'b' } },
    { { "time", 't' }, { "wavelength", 'b' }, { "lat", 'y' }, { "lon", 'x' } },
  };

  if (GDALGetDriverCount () == 0)
    GDALAllRegister ();
  if (GDALGetDriverByName ("netCDF") == NULL)
    {
      g_test_skip ("GDAL has no netCDF here");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    for (guint south_up = 0; south_up <= (i < 3 ? 1u : 0u); south_up++)
      {
        g_autoptr (TestFolder) folder = es_test_folder_new ();
        g_autofree char *path = write_netcdf (folder, orders[i], i == 7 ? 4 : 3, south_up);
        g_autoptr (EsCube) cube = es_test_open (path);
        double value, latitude, longitude;

        g_assert_cmpuint (es_cube_get_width (cube), ==, WIDTH);
        g_assert_cmpuint (es_cube_get_height (cube), ==, HEIGHT);
        g_assert_cmpuint (es_cube_get_bands (cube), ==, BANDS);
        g_assert_cmpint (es_cube_get_type_code (cube), ==, ESK_I16);
        g_assert_true (es_cube_get_no_data (cube, 0, &value));
        g_assert_cmpfloat (value, ==, -9999);
        g_assert_cmpfloat (es_cube_get_scale (cube, 0), ==, 0.5);
        g_assert_cmpfloat (es_cube_get_offset (cube, 0), ==, 3);
        es_test_compare (cube, stored_value, GUINT_TO_POINTER (ESK_I16));
        g_assert_cmpint (es_test_has_note (cube, "spectral"), ==, i == 6);

        if (i < 3 || i == 7)
          {
            g_assert_cmpfloat_with_epsilon (es_cube_get_wavelengths (cube)[5], 900, 1e-6);
            g_assert_true (es_cube_get_geographic (cube, 0, 0, &latitude, &longitude));
            g_assert_cmpfloat_with_epsilon (longitude, 10, 1e-6);
            g_assert_cmpfloat_with_epsilon (latitude, south_up ? 50 + 0.01 * (HEIGHT - 1) : 52, 1e-6);
          }
        if (i == 0)
          read_in_threads (cube);
      }
}

static void
test_netcdf_variables (void)
{
  static const TestAxis axes[] = { { "bands", 'b' }, { "y", 'y' }, { "x", 'x' } };
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = NULL;
  EsOpenOptions named = { .variable = "radiance" }, full = { .variable = "/radiance" };
  EsOpenOptions wrong = { .variable = "x" };

  GDALAllRegister ();
  if (GDALGetDriverByName ("netCDF") == NULL)
    {
      g_test_skip ("GDAL has no netCDF here");
      return;
    }
  path = write_netcdf (folder, axes, 3, FALSE);
  g_autoptr (EsCube) by_name = es_test_open_with (path, &named);
  g_autoptr (EsCube) by_path = es_test_open_with (path, &full);
  g_assert_cmpuint (es_cube_get_bands (by_name), ==, BANDS);
  g_assert_cmpuint (es_cube_get_bands (by_path), ==, BANDS);
  es_test_refused (path, &wrong, ES_DATA_ERROR_FORMAT, "cube.nc", "radiance", NULL);
}

static void
add_array (mat_t *file, const char *name, enum matio_classes class, enum matio_types type, int rank,
           size_t *dims, void *data)
{
  matvar_t *variable = Mat_VarCreate (name, class, type, rank, dims, data, 0);

  g_assert_nonnull (variable);
  g_assert_cmpint (Mat_VarWrite (file, variable, MAT_COMPRESSION_ZLIB), ==, 0);
  Mat_VarFree (variable);
}

typedef struct
{
  enum matio_classes class;
  enum matio_types   type;
  EskType            code;
} MatType;

static const MatType mat_types[] = {
  { MAT_C_DOUBLE, MAT_T_DOUBLE, ESK_F64 }, { MAT_C_SINGLE, MAT_T_SINGLE, ESK_F32 },
  { MAT_C_INT8, MAT_T_INT8, ESK_I8 },      { MAT_C_UINT8, MAT_T_UINT8, ESK_U8 },
  { MAT_C_INT16, MAT_T_INT16, ESK_I16 },   { MAT_C_UINT16, MAT_T_UINT16, ESK_U16 },
  { MAT_C_INT32, MAT_T_INT32, ESK_I32 },   { MAT_C_UINT32, MAT_T_UINT32, ESK_U32 },
  { MAT_C_INT64, MAT_T_INT64, ESK_I64 },   { MAT_C_UINT64, MAT_T_UINT64, ESK_U64 },
};

/* First axis fastest, as MATLAB has it: rows, columns, bands. */
static guint8 *
matlab_samples (EskType type, gboolean bands_first)
{
  gsize size = esk_type_size (type);
  guint8 *samples = g_malloc (WIDTH * HEIGHT * BANDS * size);

  for (guint b = 0; b < BANDS; b++)
    for (guint x = 0; x < WIDTH; x++)
      for (guint y = 0; y < HEIGHT; y++)
        {
          gsize pixel = x * HEIGHT + y;
          gsize index = bands_first ? pixel * BANDS + b : b * WIDTH * HEIGHT + pixel;

          es_test_store (type, es_test_value (type, x, y, b), FALSE, samples + index * size);
        }
  return samples;
}

static void
test_matlab_cubes (void)
{
  static const enum mat_ft versions[] = { MAT_FT_MAT5, MAT_FT_MAT73 };

  for (guint v = 0; v < G_N_ELEMENTS (versions); v++)
    for (guint t = 0; t < G_N_ELEMENTS (mat_types); t++)
      {
        g_autoptr (TestFolder) folder = es_test_folder_new ();
        g_autofree char *path = g_build_filename (folder, "cube.mat", NULL);
        mat_t *file = Mat_CreateVer (path, NULL, versions[v]);
        size_t dims[3] = { HEIGHT, WIDTH, BANDS }, small[3] = { 3, 3, 2 }, vector[2] = { 1, BANDS };
        double wavelengths[BANDS] = { 400, 500, 600, 700, 800, 900 }, zeros[18] = { 0 };
        g_autofree guint8 *samples = matlab_samples (mat_types[t].code, FALSE);
        EsOpenOptions other = { .variable = "small" };

        if (file == NULL && versions[v] == MAT_FT_MAT73)
          {
            g_test_skip ("matio has no HDF5 here");
            return;
          }
        g_assert_nonnull (file);
        add_array (file, "small", MAT_C_DOUBLE, MAT_T_DOUBLE, 3, small, zeros);
        add_array (file, "scene", mat_types[t].class, mat_types[t].type, 3, dims, samples);
        add_array (file, "Wavelength", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, vector, wavelengths);
        Mat_Close (file);

        g_autoptr (EsCube) cube = es_test_open (path);
        g_assert_cmpuint (es_cube_get_width (cube), ==, WIDTH);
        g_assert_cmpuint (es_cube_get_height (cube), ==, HEIGHT);
        g_assert_cmpint (es_cube_get_type_code (cube), ==, mat_types[t].code);
        g_assert_cmpstr (es_cube_get_format_name (cube), ==, "MATLAB");
        g_assert_nonnull (es_cube_get_wavelengths (cube));
        g_assert_cmpfloat (es_cube_get_wavelengths (cube)[5], ==, 900);
        g_assert_true (es_test_has_note (cube, "scene"));
        es_test_compare (cube, stored_value, GUINT_TO_POINTER (mat_types[t].code));

        g_autoptr (EsCube) chosen = es_test_open_with (path, &other);
        g_assert_cmpuint (es_cube_get_bands (chosen), ==, 2);
      }
}

static void
test_matlab_planes (void)
{
  for (guint bands_first = 0; bands_first <= 1; bands_first++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *path = g_build_filename (folder, "plane.mat", NULL);
      g_autofree char *sized = g_build_filename (folder, "sized.mat", NULL);
      g_autofree guint8 *samples = matlab_samples (ESK_F32, bands_first);
      size_t dims[2] = { bands_first ? BANDS : WIDTH * HEIGHT, bands_first ? WIDTH * HEIGHT : BANDS };
      size_t one[2] = { 1, 1 };
      double rows = HEIGHT, columns = WIDTH;
      EsOpenOptions right = { WIDTH, HEIGHT, NULL }, wrong = { WIDTH, HEIGHT + 1, NULL };
      mat_t *file = Mat_CreateVer (path, NULL, MAT_FT_MAT5);

      add_array (file, "Y", MAT_C_SINGLE, MAT_T_SINGLE, 2, dims, samples);
      Mat_Close (file);
      es_test_refused (path, NULL, ES_DATA_ERROR_FORMAT, "plane.mat", "1073", "width", NULL);
      es_test_refused (path, &wrong, ES_DATA_ERROR_FORMAT, "plane.mat", "37 × 30", NULL);
      g_autoptr (EsCube) cube = es_test_open_with (path, &right);
      es_test_compare (cube, stored_value, GUINT_TO_POINTER (ESK_F32));

      /* A file that says it itself. */
      file = Mat_CreateVer (sized, NULL, MAT_FT_MAT5);
      add_array (file, "nRow", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, one, &rows);
      add_array (file, "Y", MAT_C_SINGLE, MAT_T_SINGLE, 2, dims, samples);
      add_array (file, "nCol", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, one, &columns);
      Mat_Close (file);
      g_autoptr (EsCube) told = es_test_open (sized);
      es_test_compare (told, stored_value, GUINT_TO_POINTER (ESK_F32));
    }
}

static void
test_matlab_refused (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "text.mat", NULL);
  g_autofree char *cut = g_build_filename (folder, "cut.mat", NULL);
  mat_t *file = Mat_CreateVer (path, NULL, MAT_FT_MAT5);
  size_t dims[2] = { 1, 5 }, cube[3] = { HEIGHT, WIDTH, BANDS };
  g_autofree guint8 *samples = matlab_samples (ESK_F64, FALSE);
  matvar_t *variable;

  add_array (file, "text", MAT_C_CHAR, MAT_T_UINT8, 2, dims, "hello");
  Mat_Close (file);
  es_test_refused (path, NULL, ES_DATA_ERROR_FORMAT, "text.mat", NULL);

  file = Mat_CreateVer (cut, NULL, MAT_FT_MAT5);
  variable = Mat_VarCreate ("scene", MAT_C_DOUBLE, MAT_T_DOUBLE, 3, cube, samples, 0);
  Mat_VarWrite (file, variable, MAT_COMPRESSION_NONE);
  Mat_VarFree (variable);
  Mat_Close (file);
  g_assert_cmpint (truncate (cut, 20000), ==, 0);
  es_test_refused (cut, NULL, ES_DATA_ERROR_TRUNCATED, "cut.mat", NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/readers/geotiff/layouts", test_tiff_layouts);
  g_test_add_func ("/readers/geotiff/metadata", test_tiff_metadata);
  g_test_add_func ("/readers/geotiff/wavelength-places", test_tiff_wavelength_places);
  g_test_add_func ("/readers/geotiff/refused", test_tiff_refused);
  g_test_add_func ("/readers/gdal/mixed-types", test_mixed_types);
  g_test_add_func ("/readers/geotiff/threads", test_tiff_threads);
  g_test_add_func ("/readers/netcdf/axes", test_netcdf_axes);
  g_test_add_func ("/readers/netcdf/variables", test_netcdf_variables);
  g_test_add_func ("/readers/matlab/cubes", test_matlab_cubes);
  g_test_add_func ("/readers/matlab/planes", test_matlab_planes);
  g_test_add_func ("/readers/matlab/refused", test_matlab_refused);
  return g_test_run ();
}
