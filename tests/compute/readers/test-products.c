/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Products of sensors: PRISMA, EMIT, and the folders of EnMAP and DESIS, written as their specifications say. */

#include <cpl_conv.h>
#include <gdal.h>
#include <hdf5.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "cube/es-cube-metadata.h"
#include "dataset/es-file-array.h"
#include "es-test-cubes.h"
#include "readers/es-open.h"

typedef char TestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, es_test_folder_free)

#define WIDTH  17u
#define HEIGHT 12u
#define VNIR   5u
#define SWIR   7u
#define ENDLESS 65540u
#define SWATH  "/HDFEOS/SWATHS/PRS_L2D_HCO"

/* ---- PRISMA ---- */

typedef struct
{
  const char *level;             /* "L2D" */
  gboolean    without_swir, zero_wavelengths, short_list, other_size;
  gboolean    uncounted;                         /* SWIR */
  gboolean    four_axes, endless, unwritten;     /* of VNIR; of VNIR; of SWIR */
} Prisma;

static guint16
dn (guint detector, guint64 x, guint64 y, guint64 band)
{
  return (guint16) (1 + (7919 * x + 104729 * y + 1299709 * band + 31 * detector) % 65535);
}

static void
make_groups (hid_t file, const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path + 1, "/", -1);
  g_autoptr (GString) at = g_string_new (NULL);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_string_append_printf (at, "/%s", parts[i]);
      if (H5Lexists (file, at->str, H5P_DEFAULT) <= 0)
        H5Gclose (H5Gcreate2 (file, at->str, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    }
}

static void
add_array (hid_t file, const char *path, int n_axes, const hsize_t *lengths, hid_t type, const void *values)
{
  hid_t space = H5Screate_simple (n_axes, lengths, NULL);
  hid_t array = H5Dcreate2 (file, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

  g_assert_cmpint (H5Dwrite (array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), >=, 0);
  H5Dclose (array);
  H5Sclose (space);
}

static void
set_attribute (hid_t file, const char *name, hid_t type, const void *values, hsize_t n)
{
  hid_t space = n == 1 ? H5Screate (H5S_SCALAR) : H5Screate_simple (1, &n, NULL);
  hid_t attribute = H5Acreate2 (file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);

  g_assert_cmpint (H5Awrite (attribute, type, values), >=, 0);
  H5Aclose (attribute);
  H5Sclose (space);
}

/* Axes line, band, sample, as the specification has them. */
static void
add_detector (hid_t file, const char *folder, guint detector, guint bands, guint rows)
{
  g_autofree char *path = g_strdup_printf ("%s/%s_Cube", folder, detector == 0 ? "VNIR" : "SWIR");
  const hsize_t lengths[3] = { rows, bands, WIDTH };
  g_autofree guint16 *samples = g_new (guint16, rows * bands * WIDTH);

  for (guint y = 0; y < rows; y++)
    for (guint b = 0; b < bands; b++)
      for (guint x = 0; x < WIDTH; x++)
        samples[(y * bands + b) * WIDTH + x] = dn (detector, x, y, b);
  add_array (file, path, 3, lengths, H5T_NATIVE_UINT16, samples);
}

static void
add_four_axes (hid_t file, const char *folder)
{
  g_autofree char *path = g_strconcat (folder, "/VNIR_Cube", NULL);
  const hsize_t lengths[4] = { HEIGHT, VNIR, 1, WIDTH };
  guint16 samples[HEIGHT * VNIR * WIDTH] = { 0 };

  add_array (file, path, 4, lengths, H5T_NATIVE_UINT16, samples);
}

static void
add_unwritten (hid_t file, const char *folder)
{
  g_autofree char *path = g_strconcat (folder, "/SWIR_Cube", NULL);
  const hsize_t lengths[3] = { HEIGHT, SWIR, WIDTH };
  hid_t space = H5Screate_simple (3, lengths, NULL), how = H5Pcreate (H5P_DATASET_CREATE);

  H5Pset_chunk (how, 3, lengths);
  H5Dclose (H5Dcreate2 (file, path, H5T_NATIVE_UINT16, space, H5P_DEFAULT, how, H5P_DEFAULT));
  H5Pclose (how);
  H5Sclose (space);
}

/* So many bands as no cube has, of which the list calls all but two unmeasured. */
static void
add_endless (hid_t file)
{
  const hsize_t lengths[3] = { 2, ENDLESS, 3 };
  g_autofree guint16 *samples = g_new0 (guint16, 2 * ENDLESS * 3);
  g_autofree double *wavelengths = g_new0 (double, ENDLESS);

  wavelengths[0] = 400;
  wavelengths[1] = 410;
  add_array (file, SWATH "/Data Fields/VNIR_Cube", 3, lengths, H5T_NATIVE_UINT16, samples);
  set_attribute (file, "List_Cw_Vnir", H5T_NATIVE_DOUBLE, wavelengths, 65536);
}

static void
set_float (hid_t file, const char *name, double value)
{
  const float single = (float) value;

  set_attribute (file, name, H5T_NATIVE_FLOAT, &single, 1);
}

/* Descending, as the sensor numbers its bands, and 0 where one was not measured: VNIR's first, SWIR's last two. */
static float
wavelength (guint detector, guint band)
{
  return detector == 0 ? (band == 0 ? 0.f : 1010.f - 120.f * (float) band)
                       : (band >= SWIR - 2 ? 0.f : 2500.f - 330.f * (float) band);
}

static void
set_lists (hid_t file, guint detector, guint bands, const Prisma *kind)
{
  const char *name = detector == 0 ? "Vnir" : "Swir";
  float wavelengths[SWIR], widths[SWIR];
  int flags[SWIR];
  g_autofree char *cw = g_strdup_printf ("List_Cw_%s", name), *fwhm = g_strdup_printf ("List_Fwhm_%s", name);
  g_autofree char *flagged = g_strdup_printf ("List_Cw_%s_Flags", name);

  for (guint b = 0; b < bands; b++)
    {
      wavelengths[b] = kind->zero_wavelengths ? 0 : wavelength (detector, b);
      widths[b] = wavelengths[b] > 0 ? 10.f + (float) b : 0;
      flags[b] = wavelengths[b] > 0;
    }
  set_attribute (file, cw, H5T_NATIVE_FLOAT, wavelengths, kind->short_list && detector == 0 ? 2 : bands);
  set_attribute (file, fwhm, H5T_NATIVE_FLOAT, widths, bands);
  if (!kind->zero_wavelengths)
    set_attribute (file, flagged, H5T_NATIVE_INT, flags, bands);
}

static char *
write_prisma (const char *folder, const Prisma *kind)
{
  char *path = g_build_filename (folder, "PRS.he5", NULL);
  g_autofree char *swath = g_strdup_printf ("/HDFEOS/SWATHS/PRS_%s_HCO", kind->level);
  g_autofree char *data = g_strconcat (swath, "/Data Fields", NULL);
  g_autofree char *places = g_strconcat (swath, "/Geolocation Fields", NULL);
  hid_t access = H5Pcreate (H5P_FILE_ACCESS), file;
  const double east = 500015, north = 4999985;
  const long long epsg = 32632;

  /* Lists of such lengths are in files of the newer kind only. */
  if (kind->endless)
    H5Pset_libver_bounds (access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose (access);
  make_groups (file, data);
  make_groups (file, places);
  if (kind->endless)
    add_endless (file);
  else if (kind->four_axes)
    add_four_axes (file, data);
  else
    add_detector (file, data, 0, VNIR, HEIGHT);
  if (kind->unwritten)
    add_unwritten (file, data);
  else if (!kind->without_swir)
    add_detector (file, data, 1, SWIR, kind->other_size ? HEIGHT + 1 : HEIGHT);
  if (!kind->endless)
    set_lists (file, 0, VNIR, kind);
  set_lists (file, 1, SWIR, kind);
  if (g_str_equal (kind->level, "L1"))
    {
      set_float (file, "ScaleFactor_Vnir", 100);
      set_float (file, "Offset_Vnir", 0.5);
      set_float (file, "ScaleFactor_Swir", kind->uncounted ? 0 : 50);
      set_float (file, "Offset_Swir", 0);
    }
  else
    {
      set_float (file, "L2ScaleVnirMin", 0);
      set_float (file, "L2ScaleVnirMax", 1.25);
      set_float (file, "L2ScaleSwirMin", 0.125);
      set_float (file, "L2ScaleSwirMax", 0.875);
    }
  set_attribute (file, "Product_ULcorner_easting", H5T_NATIVE_DOUBLE, &east, 1);
  set_attribute (file, "Product_ULcorner_northing", H5T_NATIVE_DOUBLE, &north, 1);
  set_attribute (file, "Product_LRcorner_easting", H5T_NATIVE_DOUBLE, (double[]) { east + 30 * (WIDTH - 1) }, 1);
  set_attribute (file, "Product_LRcorner_northing", H5T_NATIVE_DOUBLE, (double[]) { north - 30 * (HEIGHT - 1) }, 1);
  set_attribute (file, "Epsg_Code", H5T_NATIVE_LLONG, &epsg, 1);
  H5Fclose (file);
  return path;
}

/* What the bands of the whole cube are, by wavelength: VNIR 4, 3, 2, 1, SWIR 4, 3, 2, 1, 0. */
static double
stored_of (guint64 x, guint64 y, guint band, gpointer data)
{
  return band < VNIR - 1 ? dn (0, x, y, VNIR - 1 - band) : dn (1, x, y, SWIR - 3 - (band - (VNIR - 1)));
}

static double
stored_vnir (guint64 x, guint64 y, guint band, gpointer data)
{
  return dn (0, x, y, VNIR - 1 - band);
}

static void
test_prisma (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = write_prisma (folder, &(Prisma) { .level = "L2D" });
  g_autoptr (EsCube) cube = es_test_open (path);
  GPtrArray *arrays = es_dataset_get_arrays (ES_DATASET (cube));
  const double *wavelengths = es_cube_get_wavelengths (cube), *fwhm = es_cube_get_fwhm (cube);
  const double *transform = es_cube_get_geotransform (cube);
  double spectrum[VNIR + SWIR - 3], latitude, longitude;

  g_assert_cmpuint (es_cube_get_bands (cube), ==, VNIR + SWIR - 3);
  g_assert_cmpuint (es_cube_get_width (cube), ==, WIDTH);
  g_assert_cmpuint (es_cube_get_height (cube), ==, HEIGHT);
  es_test_compare (cube, stored_of, NULL);
  for (guint b = 1; b < es_cube_get_bands (cube); b++)
    g_assert_cmpfloat (wavelengths[b], >, wavelengths[b - 1]);
  g_assert_cmpfloat_with_epsilon (wavelengths[0], wavelength (0, VNIR - 1), 1e-3);
  g_assert_cmpfloat_with_epsilon (fwhm[0], 10 + VNIR - 1, 1e-3);
  g_assert_cmpfloat_with_epsilon (wavelengths[VNIR - 1], wavelength (1, SWIR - 3), 1e-3);

  /* Minimum + DN * (maximum - minimum) / 65535, each detector by its own. */
  g_assert_true (es_cube_read_spectrum (cube, 3, 7, spectrum, NULL));
  g_assert_cmpfloat_with_epsilon (spectrum[0], dn (0, 3, 7, VNIR - 1) * 1.25 / 65535, 1e-6);
  g_assert_cmpfloat_with_epsilon (spectrum[VNIR - 1], 0.125 + dn (1, 3, 7, SWIR - 3) * 0.75 / 65535, 1e-6);

  /* The corners are centres. */
  g_assert_nonnull (transform);
  g_assert_cmpfloat_with_epsilon (transform[0], 500000, 1e-6);
  g_assert_cmpfloat_with_epsilon (transform[3], 5000000, 1e-6);
  g_assert_cmpfloat_with_epsilon (transform[1], 30, 1e-9);
  g_assert_cmpfloat_with_epsilon (transform[5], -30, 1e-9);
  g_assert_true (es_cube_get_geographic (cube, 0, 0, &latitude, &longitude));
  g_assert_cmpfloat_with_epsilon (latitude, 45.153, 0.01);
  g_assert_cmpfloat_with_epsilon (longitude, 9.0002, 0.001);

  /* The two detectors are offered beside it, and open as they are. */
  g_assert_cmpuint (arrays->len, ==, 3);
  g_assert_cmpstr (es_dataset_get_array_name (ES_DATASET (cube)), ==, "PRS_L2D_HCO");
  g_assert_cmpint (es_file_arrays_find (arrays, "SWIR_Cube"), >=, 0);
  g_autoptr (EsCube) vnir = es_test_open_with (path, &(EsOpenOptions) { .variable = "VNIR_Cube" });
  g_assert_cmpuint (es_cube_get_bands (vnir), ==, VNIR - 1);
  es_test_compare (vnir, stored_vnir, NULL);
  g_assert_cmpuint (es_dataset_get_arrays (ES_DATASET (vnir))->len, ==, 3);
  g_assert_cmpstr (es_dataset_get_array_name (ES_DATASET (vnir)), ==, SWATH "/Data Fields/VNIR_Cube");
  es_test_refused (path, &(EsOpenOptions) { .variable = "none" }, ES_DATA_ERROR_FORMAT, "PRS.he5", "none",
                   "SWIR_Cube", NULL);
}

static void
test_prisma_radiance (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = write_prisma (folder, &(Prisma) { .level = "L1" });
  g_autoptr (EsCube) cube = es_test_open (path);
  double spectrum[VNIR + SWIR - 3];

  g_assert_true (es_cube_read_spectrum (cube, 5, 2, spectrum, NULL));
  g_assert_cmpfloat_with_epsilon (spectrum[0], dn (0, 5, 2, VNIR - 1) / 100.0 - 0.5, 1e-4);
  g_assert_cmpfloat_with_epsilon (spectrum[VNIR - 1], dn (1, 5, 2, SWIR - 3) / 50.0, 1e-3);
  g_assert_cmpstr (es_cube_get_unit (cube), ==, "W/(m² sr µm)");
  g_assert_null (es_cube_get_geotransform (cube));
  g_clear_object (&cube);

  /* What is as it is stored is in no unit. */
  g_autofree char *stored_path = write_prisma (folder, &(Prisma) { .level = "L1", .uncounted = TRUE });
  cube = es_test_open (stored_path);
  g_assert_null (es_cube_get_unit (cube));
  g_assert_true (es_test_has_note (cube, "of the detector SWIR become physical ones"));
}

static void
test_prisma_odd (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *lone_path = write_prisma (folder, &(Prisma) { .level = "L2D", .without_swir = TRUE });
  g_autoptr (EsCube) lone = es_test_open (lone_path);

  g_assert_cmpuint (es_cube_get_bands (lone), ==, VNIR - 1);
  g_assert_true (es_test_has_note (lone, "no cube of the detector SWIR"));
  es_test_compare (lone, stored_vnir, NULL);
  g_clear_object (&lone);

  g_autofree char *zero_path = write_prisma (folder, &(Prisma) { .level = "L2D", .zero_wavelengths = TRUE });
  g_autoptr (EsCube) zero = es_test_open (zero_path);
  g_assert_cmpuint (es_cube_get_bands (zero), ==, VNIR + SWIR);
  g_assert_null (es_cube_get_wavelengths (zero));
  g_assert_true (es_test_has_note (zero, "are 0 and were ignored"));
  g_clear_object (&zero);

  g_autofree char *short_path = write_prisma (folder, &(Prisma) { .level = "L2D", .short_list = TRUE });
  g_autoptr (EsCube) cut = es_test_open (short_path);
  g_assert_null (es_cube_get_wavelengths (cut));
  g_assert_true (es_test_has_note (cut, "List_Cw_Vnir"));
  g_clear_object (&cut);

  g_autofree char *size_path = write_prisma (folder, &(Prisma) { .level = "L2D", .other_size = TRUE });
  g_autoptr (EsCube) sizes = es_test_open (size_path);
  g_assert_cmpuint (es_cube_get_bands (sizes), ==, VNIR - 1);
  g_assert_true (es_test_has_note (sizes, "different sizes"));
  g_clear_object (&sizes);

  g_autofree char *axes_path = write_prisma (folder, &(Prisma) { .level = "L2D", .four_axes = TRUE });
  g_autoptr (EsCube) axes = es_test_open (axes_path);
  g_assert_cmpuint (es_cube_get_bands (axes), ==, SWIR - 2);
  g_assert_true (es_test_has_note (axes, "no cube of the detector VNIR"));
  g_clear_object (&axes);

  g_autofree char *endless_path = write_prisma (folder, &(Prisma) { .level = "L2D", .endless = TRUE });
  g_autoptr (EsCube) endless = es_test_open (endless_path);
  g_assert_cmpuint (es_cube_get_bands (endless), ==, SWIR - 2);
  g_assert_true (es_test_has_note (endless, "no cube of the detector VNIR"));
  g_clear_object (&endless);

  /* What was never written is no cube; the other detector is there when it is named. */
  g_autofree char *empty_path = write_prisma (folder, &(Prisma) { .level = "L2D", .unwritten = TRUE });
  es_test_refused (empty_path, NULL, ES_DATA_ERROR_TRUNCATED, "PRS.he5", "never written", NULL);
  g_autoptr (EsCube) rest = es_test_open_with (empty_path, &(EsOpenOptions) { .variable = "VNIR_Cube" });
  es_test_compare (rest, stored_vnir, NULL);
}

/* ---- EMIT ---- */

static void
add_variable (GDALGroupH group, const char *name, size_t n, GDALDimensionH *axes, GDALDataType type, const char *unit,
              const double *values)
{
  GDALExtendedDataTypeH stored = GDALExtendedDataTypeCreate (type), given = GDALExtendedDataTypeCreate (GDT_Float64);
  GDALMDArrayH array = GDALGroupCreateMDArray (group, name, n, axes, stored, NULL);
  const GUInt64 start[3] = { 0 };
  size_t count[3];

  g_assert_nonnull (array);
  for (size_t i = 0; i < n; i++)
    count[i] = GDALDimensionGetSize (axes[i]);
  g_assert_true (GDALMDArrayWrite (array, start, count, NULL, NULL, given, values, NULL, 0));
  if (unit != NULL)
    g_assert_true (GDALMDArraySetUnit (array, unit));
  GDALMDArrayRelease (array);
  GDALExtendedDataTypeRelease (given);
  GDALExtendedDataTypeRelease (stored);
}

/* crooked: latitudes and longitudes of another size. */
static char *
write_emit (const char *folder, gboolean crooked)
{
  char *path = g_build_filename (folder, crooked ? "EMIT_crooked.nc" : "EMIT_L2A_RFL.nc", NULL);
  static const double waves[VNIR] = { 381, 900, 1400, 1900, 2493 }, good[VNIR] = { 1, 1, 0, 1, 1 };
  static const double transform[6] = { -115, 5e-4, 0, 32, 0, -5e-4 };
  GDALDatasetH file;
  GDALGroupH root, bands, location;
  GDALDimensionH axes[3], plane[2];
  GDALAttributeH attribute;
  GDALExtendedDataTypeH type;
  double samples[HEIGHT * WIDTH * VNIR], latitudes[HEIGHT * WIDTH], longitudes[HEIGHT * WIDTH];
  double outside[HEIGHT * WIDTH];

  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    samples[i] = i;
  for (guint i = 0; i < G_N_ELEMENTS (latitudes); i++)
    {
      latitudes[i] = 32 - 5e-4 * (i / WIDTH) + 1e-5 * (i % WIDTH);
      longitudes[i] = -115 + 6e-4 * (i % WIDTH);
      outside[i] = 999999;
    }
  latitudes[5 * WIDTH + 5] = -9999;
  GDALAllRegister ();
  file = GDALCreateMultiDimensional (GDALGetDriverByName ("netCDF"), path, NULL, NULL);
  g_assert_nonnull (file);
  root = GDALDatasetGetRootGroup (file);
  bands = GDALGroupCreateGroup (root, "sensor_band_parameters", NULL);
  location = GDALGroupCreateGroup (root, "location", NULL);
  axes[0] = GDALGroupCreateDimension (root, "downtrack", NULL, NULL, HEIGHT, NULL);
  axes[1] = GDALGroupCreateDimension (root, "crosstrack", NULL, NULL, WIDTH, NULL);
  axes[2] = GDALGroupCreateDimension (root, "bands", NULL, NULL, VNIR, NULL);
  plane[0] = crooked ? GDALGroupCreateDimension (root, "ortho_y", NULL, NULL, HEIGHT - 1, NULL) : axes[0];
  plane[1] = axes[1];
  add_variable (root, "reflectance", 3, axes, GDT_Float32, NULL, samples);
  add_variable (bands, "wavelengths", 1, &axes[2], GDT_Float32, "nm", waves);
  add_variable (bands, "good_wavelengths", 1, &axes[2], GDT_Byte, NULL, good);
  add_variable (location, "lat", 2, plane, GDT_Float64, "degrees_north", latitudes);
  add_variable (location, "lon", 2, plane, GDT_Float64, "degrees_east", longitudes);
  /* A lookup table that points outside leads nobody anywhere. */
  add_variable (location, "glt_x", 2, plane, GDT_Int32, NULL, outside);
  type = GDALExtendedDataTypeCreate (GDT_Float64);
  attribute = GDALGroupCreateAttribute (root, "geotransform", 1, (const GUInt64[]) { 6 }, type, NULL);
  GDALExtendedDataTypeRelease (type);
  g_assert_true (GDALAttributeWriteDoubleArray (attribute, transform, 6));
  GDALAttributeRelease (attribute);
  if (crooked)
    GDALDimensionRelease (plane[0]);
  for (guint i = 0; i < 3; i++)
    GDALDimensionRelease (axes[i]);
  GDALGroupRelease (location);
  GDALGroupRelease (bands);
  GDALGroupRelease (root);
  GDALClose (file);
  return path;
}

static void
test_emit (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = write_emit (folder, FALSE);
  g_autoptr (EsCube) cube = es_test_open (path);
  double latitude, longitude;

  g_assert_cmpuint (es_cube_get_bands (cube), ==, VNIR);
  g_assert_cmpuint (es_cube_get_n_good_bands (cube), ==, VNIR - 1);
  g_assert_cmpfloat_with_epsilon (es_cube_get_wavelengths (cube)[0], 381, 1e-3);
  /* On no map, whatever numbers lines and samples. */
  g_assert_null (es_cube_get_geotransform (cube));
  g_assert_true (es_test_has_note (cube, "as the sensor saw them"));
  g_assert_true (es_cube_get_geographic (cube, 3, 4, &latitude, &longitude));
  g_assert_cmpfloat_with_epsilon (latitude, 32 - 4 * 5e-4 + 3e-5, 1e-7);
  g_assert_cmpfloat_with_epsilon (longitude, -115 + 3 * 6e-4, 1e-7);
  g_assert_true (es_cube_get_geographic (cube, 8.5, 9.25, &latitude, &longitude));
  g_assert_cmpfloat_with_epsilon (latitude, 32 - 9.25 * 5e-4 + 8.5e-5, 1e-7);
  g_assert_cmpfloat_with_epsilon (longitude, -115 + 8.5 * 6e-4, 1e-7);
  g_assert_false (es_cube_get_geographic (cube, 5, 5, &latitude, &longitude));
  g_assert_false (es_cube_get_geographic (cube, WIDTH, 4, &latitude, &longitude));

  /* Whatever else is told of it. */
  g_autoptr (EsMetadata) unit = es_metadata_from_line ("{\"unit\": \"counts\"}", es_cube_get_bands (cube), NULL);
  g_autoptr (EsCube) told = es_cube_with_metadata (cube, unit, NULL);
  g_clear_object (&cube);
  g_assert_true (es_cube_get_geographic (told, 3, 4, &latitude, &longitude));
  g_assert_cmpfloat_with_epsilon (latitude, 32 - 4 * 5e-4 + 3e-5, 1e-7);

  g_autofree char *crooked = write_emit (folder, TRUE);
  cube = es_test_open (crooked);
  g_assert_false (es_cube_get_geographic (cube, 3, 4, &latitude, &longitude));
  g_assert_true (es_test_has_note (cube, "belongs to another grid"));
}

/* ---- folders ---- */

#define ENMAP "ENMAP01-____L2A-DT0000001867_20220724T104526Z_008_V010302_20230628T165614Z"
#define DESIS "DESIS-HSI-L1C-DT0458614652_003-20200304T021814-V0210"
#define BANDS 6u

static double
stored (guint64 x, guint64 y, guint band, gpointer data)
{
  return es_test_value (ESK_I16, x, y, band);
}

static void
write_image (const char *folder, const char *name, guint bands)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  GDALDatasetH image;
  gint16 plane[WIDTH * HEIGHT];

  GDALAllRegister ();
  image = GDALCreate (GDALGetDriverByName ("GTiff"), path, WIDTH, HEIGHT, (int) bands, GDT_Int16, NULL);
  for (guint b = 0; b < bands; b++)
    {
      for (guint i = 0; i < WIDTH * HEIGHT; i++)
        plane[i] = (gint16) es_test_value (ESK_I16, i % WIDTH, i / WIDTH, b);
      g_assert_cmpint (GDALRasterIO (GDALGetRasterBand (image, (int) b + 1), GF_Write, 0, 0, WIDTH, HEIGHT, plane,
                                     WIDTH, HEIGHT, GDT_Int16, 0, 0), ==, CE_None);
    }
  GDALClose (image);
}

static char *
write_enmap_text (const char *folder, guint bands, double first)
{
  g_autoptr (GString) text = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<level_X><product><image><vnir>"
                                           "<channels>4</channels></vnir></image></product><specific>"
                                           "<backgroundValue>-32768</backgroundValue><vnirProductQuality>"
                                           "<expectedChannelsList>1,2,4</expectedChannelsList></vnirProductQuality>"
                                           "<swirProductQuality><expectedChannelsList>5,6</expectedChannelsList>"
                                           "</swirProductQuality><bandCharacterisation>");

  for (guint b = 0; b < bands; b++)
    g_string_append_printf (text, "<bandID number=\"%u\"><wavelengthCenterOfBand>%.2f</wavelengthCenterOfBand>"
                            "<FWHMOfBand>%.2f</FWHMOfBand><GainOfBand>%.4f</GainOfBand><OffsetOfBand>%.2f"
                            "</OffsetOfBand></bandID>\n", b + 1, b == 0 ? first : 420.5 + 100.25 * b, 6 + b / 10.0,
                            1e-4 * (b + 1), b / 100.0);
  g_string_append (text, "</bandCharacterisation></specific></level_X>");
  return es_test_write_text (folder, ENMAP "-METADATA.XML", text->str);
}

static void
assert_enmap (const char *path)
{
  g_autoptr (EsCube) cube = es_test_open (path);
  g_autoptr (GPtrArray) files = es_dataset_list_files (ES_DATASET (cube));
  g_autofree char *name = g_file_get_basename (es_dataset_get_file (ES_DATASET (cube)));
  double no_data;

  g_assert_cmpstr (name, ==, ENMAP "-SPECTRAL_IMAGE.TIF");
  g_assert_cmpstr (es_cube_get_format_name (cube), ==, "EnMAP L2A");
  g_assert_cmpuint (files->len, ==, 2);
  es_test_compare (cube, stored, NULL);
  for (guint b = 0; b < BANDS; b++)
    {
      g_assert_cmpfloat_with_epsilon (es_cube_get_wavelengths (cube)[b], 420.5 + 100.25 * b, 1e-9);
      g_assert_cmpfloat_with_epsilon (es_cube_get_fwhm (cube)[b], 6 + b / 10.0, 1e-9);
      g_assert_cmpfloat_with_epsilon (es_cube_get_scale (cube, b), 1e-4 * (b + 1), 1e-12);
      g_assert_cmpfloat_with_epsilon (es_cube_get_offset (cube, b), b / 100.0, 1e-12);
      g_assert_true (es_cube_get_good_bands (cube)[b] == (b != 2));
    }
  g_assert_true (es_cube_get_no_data (cube, 0, &no_data));
  g_assert_cmpfloat (no_data, ==, -32768);
}

static void
test_enmap (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *text = write_enmap_text (folder, BANDS, 420.5);
  g_autofree char *image = g_build_filename (folder, ENMAP "-SPECTRAL_IMAGE.TIF", NULL);
  g_autoptr (GFile) place = g_file_new_for_path (folder), xml = g_file_new_for_path (text);

  write_image (folder, ENMAP "-SPECTRAL_IMAGE.TIF", BANDS);
  write_image (folder, ENMAP "-QL_QUALITY_CLOUD.TIF", 1);
  assert_enmap (folder);
  assert_enmap (text);
  assert_enmap (image);
  g_assert_true (es_dataset_is_product (place));
  g_assert_true (es_dataset_is_product (xml));
}

static void
test_folders_odd (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *few = write_enmap_text (folder, BANDS - 1, 420.5), *zero = NULL, *broken = NULL;
  g_autoptr (EsCube) cube = NULL;

  /* No image; a list of fewer bands; a wavelength of 0; no XML; two images. */
  es_test_refused (folder, NULL, ES_DATA_ERROR_OPEN, "no image", NULL);
  es_test_refused (few, NULL, ES_DATA_ERROR_OPEN, "METADATA.XML", "no image", NULL);
  write_image (folder, ENMAP "-SPECTRAL_IMAGE.TIF", BANDS);
  cube = es_test_open (folder);
  g_assert_null (es_cube_get_wavelengths (cube));
  g_assert_cmpfloat (es_cube_get_scale (cube, 1), ==, 1);
  g_assert_true (es_test_has_note (cube, "describes 5 bands, and the image beside it has 6"));
  g_clear_object (&cube);
  zero = write_enmap_text (folder, BANDS, 0);
  cube = es_test_open (folder);
  g_assert_null (es_cube_get_wavelengths (cube));
  g_assert_true (es_test_has_note (cube, "are 0, missing or no numbers"));
  g_clear_object (&cube);

  /* A gain that is none: the other bands are not counted by theirs either. */
  g_autofree char *whole = write_enmap_text (folder, BANDS, 420.5), *contents = NULL;
  g_assert_true (g_file_get_contents (whole, &contents, NULL, NULL));
  g_autoptr (GString) gains = g_string_new (contents);
  g_string_replace (gains, "<GainOfBand>0.0003", "<GainOfBand>0,0003", 1);
  g_free (es_test_write_text (folder, ENMAP "-METADATA.XML", gains->str));
  cube = es_test_open (folder);
  for (guint b = 0; b < BANDS; b++)
    g_assert_true (es_cube_get_scale (cube, b) == 1 && es_cube_get_offset (cube, b) == 0);
  g_assert_true (es_test_has_note (cube, "samples are shown as they are stored"));
  g_assert_cmpfloat_with_epsilon (es_cube_get_wavelengths (cube)[0], 420.5, 1e-9);
  g_clear_object (&cube);
  broken = es_test_write_text (folder, ENMAP "-METADATA.XML", "<level_X><specific></level_X>");
  cube = es_test_open (folder);
  g_assert_true (es_test_has_note (cube, "no XML"));
  g_clear_object (&cube);
  write_image (folder, ENMAP "-X-SPECTRAL_IMAGE.TIF", BANDS);
  es_test_refused (folder, NULL, ES_DATA_ERROR_OPEN, "2 images", "open the one that is wanted", NULL);

  /* A folder of anything else is none. */
  g_autoptr (TestFolder) other = es_test_folder_new ();
  g_autoptr (GFile) place = g_file_new_for_path (other);
  g_assert_false (es_dataset_is_product (place));
  es_test_refused (other, NULL, ES_DATA_ERROR_OPEN, "is a folder", NULL);
}

static void
test_desis (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autoptr (GString) text = g_string_new ("<?xml version=\"1.0\"?><d:hsi_doc xmlns:d=\"http://x\"><specific>"
                                           "<bandCharacterisation>");
  g_autoptr (EsCube) cube = NULL;

  /* Backwards: each says its number. */
  for (guint b = BANDS; b > 0; b--)
    g_string_append_printf (text, "<band><bandNumber> %u </bandNumber><wavelengthCenterOfBand>%.2f"
                            "</wavelengthCenterOfBand><wavelengthWidthOfBand>3.5</wavelengthWidthOfBand><response>1, 2"
                            "</response><gainOfBand>0.0004</gainOfBand><offsetOfBand>-0.5</offsetOfBand></band>", b,
                            401.5 + 2.5 * b);
  g_string_append (text, "</bandCharacterisation><interiorOrientation><band><bandNumber>1</bandNumber></band>"
                   "</interiorOrientation></specific></d:hsi_doc>");
  g_free (es_test_write_text (folder, DESIS "-METADATA.xml", text->str));
  write_image (folder, DESIS "-SPECTRAL_IMAGE.tif", BANDS);
  cube = es_test_open (folder);
  es_test_compare (cube, stored, NULL);
  g_assert_cmpstr (es_cube_get_format_name (cube), ==, "DESIS L1C");
  g_assert_cmpstr (es_cube_get_unit (cube), ==, "mW/(cm² sr µm)");
  g_assert_cmpfloat_with_epsilon (es_cube_get_wavelengths (cube)[0], 404, 1e-9);
  g_assert_cmpfloat_with_epsilon (es_cube_get_wavelengths (cube)[BANDS - 1], 401.5 + 2.5 * BANDS, 1e-9);
  g_assert_cmpfloat_with_epsilon (es_cube_get_fwhm (cube)[3], 3.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (es_cube_get_scale (cube, 3), 0.0004, 1e-12);
  g_assert_cmpfloat_with_epsilon (es_cube_get_offset (cube, 3), -0.5, 1e-12);
}

/* The first four bands of the text are those of the one image, the last two those of the other. */
static void
test_two_detectors (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *text = write_enmap_text (folder, BANDS, 420.5);
  g_autofree char *vnir_path = g_build_filename (folder, ENMAP "-SPECTRAL_IMAGE_VNIR.TIF", NULL);
  g_autofree char *swir_path = g_build_filename (folder, ENMAP "-SPECTRAL_IMAGE_SWIR.TIF", NULL);

  write_image (folder, ENMAP "-SPECTRAL_IMAGE_VNIR.TIF", 4);
  write_image (folder, ENMAP "-SPECTRAL_IMAGE_SWIR.TIF", 2);
  g_autoptr (EsCube) vnir = es_test_open (vnir_path);
  g_autoptr (EsCube) swir = es_test_open (swir_path);
  g_assert_cmpfloat_with_epsilon (es_cube_get_wavelengths (vnir)[3], 420.5 + 3 * 100.25, 1e-9);
  g_assert_cmpfloat_with_epsilon (es_cube_get_wavelengths (swir)[0], 420.5 + 4 * 100.25, 1e-9);
  g_assert_cmpfloat_with_epsilon (es_cube_get_scale (swir, 1), 6e-4, 1e-12);
  g_assert_cmpuint (es_cube_get_n_good_bands (vnir), ==, 3);
  es_test_refused (folder, NULL, ES_DATA_ERROR_OPEN, "2 images", NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  H5Eset_auto2 (H5E_DEFAULT, NULL, NULL);
  g_test_add_func ("/products/prisma", test_prisma);
  g_test_add_func ("/products/prisma/radiance", test_prisma_radiance);
  g_test_add_func ("/products/prisma/odd", test_prisma_odd);
  g_test_add_func ("/products/emit", test_emit);
  g_test_add_func ("/products/enmap", test_enmap);
  g_test_add_func ("/products/enmap/detectors", test_two_detectors);
  g_test_add_func ("/products/desis", test_desis);
  g_test_add_func ("/products/odd", test_folders_odd);
  return g_test_run ();
}
