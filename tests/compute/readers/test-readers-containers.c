/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Cubes in NetCDF and MATLAB files. */

#include <cpl_conv.h>
#include <cpl_string.h>
#include <gdal.h>
#include <matio.h>
#include <ogr_srs_api.h>
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
          es_test_read_in_threads (cube);
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
  g_test_add_func ("/readers/netcdf/axes", test_netcdf_axes);
  g_test_add_func ("/readers/netcdf/variables", test_netcdf_variables);
  g_test_add_func ("/readers/matlab/cubes", test_matlab_cubes);
  g_test_add_func ("/readers/matlab/planes", test_matlab_planes);
  g_test_add_func ("/readers/matlab/refused", test_matlab_refused);
  return g_test_run ();
}
