/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What an HDF5 file says of its samples: where its chunks are, which bits count, which numbers are data, and the lists
 * beside them. */

#include <gio/gio.h>
#include <hdf5.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "cube/es-cube-internal.h"
#include "es-test-cubes.h"
#include "libraries/es-hdf-lock-internal.h"
#include "mdim/es-mdim-private.h"
#include "readers/es-open.h"

typedef char TestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, es_test_folder_free)

#define WIDTH  30u
#define HEIGHT 20u
#define BANDS  5u
#define NUMBERS (BANDS * HEIGHT * WIDTH)

static hid_t
create (const char *folder, const char *name, char **path)
{
  hid_t file;

  *path = g_build_filename (folder, name, NULL);
  file = H5Fcreate (*path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  g_assert_cmpint (file, >=, 0);
  return file;
}

/* bands x rows x columns, in chunks of 2 x 10 x 15 that are packed. */
static hid_t
add_cube (hid_t file, hid_t type)
{
  const hsize_t lengths[3] = { BANDS, HEIGHT, WIDTH }, chunk[3] = { 2, 10, 15 };
  hid_t space = H5Screate_simple (3, lengths, NULL), plist = H5Pcreate (H5P_DATASET_CREATE), dataset;
  double samples[NUMBERS];

  H5Pset_chunk (plist, 3, chunk);
  H5Pset_deflate (plist, 3);
  dataset = H5Dcreate2 (file, "cube", type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  for (guint i = 0; i < NUMBERS; i++)
    samples[i] = (double) i - 100;
  g_assert_cmpint (H5Dwrite (dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, samples), >=, 0);
  H5Pclose (plist);
  H5Sclose (space);
  return dataset;
}

static double
expected (guint64 x, guint64 y, guint band, gpointer data)
{
  return (double) ((band * HEIGHT + y) * WIDTH + x) - 100;
}

/* Puts other bytes in the place of those, which stand in the file once. */
static void
patch (const char *path, const void *those, const void *others, gsize n)
{
  char *content;
  gsize length, at = 0;

  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  while (at + n <= length && memcmp (content + at, those, n) != 0)
    at++;
  g_assert_cmpuint (at + n, <=, length);
  memcpy (content + at, others, n);
  g_assert_true (g_file_set_contents (path, content, (gssize) length, NULL));
  g_free (content);
}

/* A chunk that stands in another's place, or outside. The library divides: within its own it is the same one. */
static void
test_places (void)
{
  static const guint64 places[][4] = { { 2, 10, 15, 0 }, { 2, 11, 15, 0 }, { 2, 10, 14, 0 }, { 2, 10, 30, 0 },
                                       { 2, 1010, 15, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *path = NULL;
      hid_t file = create (folder, "x.h5", &path);

      H5Dclose (add_cube (file, H5T_STD_I16LE));
      H5Fclose (file);
      patch (path, places[0], places[i], sizeof places[0]);
      if (i < 2)
        {
          g_autoptr (EsCube) cube = es_test_open (path);

          es_test_compare (cube, expected, NULL);
        }
      else
        es_test_refused (path, NULL, ES_DATA_ERROR_TRUNCATED, "x.h5", "damaged", NULL);
    }
}

/* Bits that do not lie within a number's bytes. */
static void
test_bits (void)
{
  static const guint8 type[] = { 0x10, 0x08, 0, 0, 2, 0, 0, 0, 0, 0, 16, 0 };
  static const struct { guint8 offset, precision; } cases[] = { { 0, 32 }, { 8, 16 }, { 255, 16 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *path = NULL;
      guint8 other[sizeof type];
      hid_t file = create (folder, "x.h5", &path);

      H5Dclose (add_cube (file, H5T_STD_I16LE));
      H5Fclose (file);
      memcpy (other, type, sizeof type);
      other[8] = cases[i].offset;
      other[10] = cases[i].precision;
      patch (path, type, other, sizeof type);
      g_autoptr (GFile) damaged = g_file_new_for_path (path);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsDataset) dataset = es_dataset_open (damaged, NULL, NULL, &error);
      g_assert_null (dataset);
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED);
    }
}

/* Wavelengths whose chunk unpacks to fewer bytes than they have, or that were never written. */
static void
test_wavelengths (void)
{
  static const struct { gssize bytes; gboolean there; } cases[] = { { 40, TRUE }, { 24, FALSE }, { -1, FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      const hsize_t length = BANDS, zero = 0;
      const double values[BANDS] = { 400, 500, 600, 700, 800 };
      g_autofree char *path = NULL;
      hid_t file = create (folder, "x.h5", &path), space = H5Screate_simple (1, &length, NULL);
      hid_t plist = H5Pcreate (H5P_DATASET_CREATE), dataset;
      const double *found;

      H5Dclose (add_cube (file, H5T_STD_I16LE));
      H5Pset_chunk (plist, 1, &length);
      H5Pset_deflate (plist, 3);
      H5Pset_fill_time (plist, H5D_FILL_TIME_NEVER);
      dataset = H5Dcreate2 (file, "wavelength", H5T_IEEE_F64LE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
      if (cases[i].bytes >= 0)
        {
          g_autoptr (GConverter) zlib = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, 6));
          guint8 packed[256];
          gsize read, written;

          g_assert_cmpint (g_converter_convert (zlib, values, (gsize) cases[i].bytes, packed, sizeof packed,
                                                G_CONVERTER_INPUT_AT_END, &read, &written, NULL), ==,
                           G_CONVERTER_FINISHED);
          g_assert_cmpint (H5Dwrite_chunk (dataset, H5P_DEFAULT, 0, &zero, written, packed), >=, 0);
        }
      H5Dclose (dataset);
      H5Pclose (plist);
      H5Sclose (space);
      H5Fclose (file);

      g_autoptr (EsCube) cube = es_test_open (path);
      found = es_cube_get_wavelengths (cube);
      g_assert_cmpint (found != NULL, ==, cases[i].there);
      for (guint b = 0; b < BANDS && found != NULL; b++)
        g_assert_cmpfloat (found[b], ==, values[b]);
      g_assert_cmpint (es_test_has_note (cube, "/wavelength"), ==, !cases[i].there);
    }
}

static void
add_numbers (hid_t object, const char *name, hid_t type, hsize_t n, const double *numbers)
{
  hid_t space = H5Screate_simple (1, &n, NULL);
  hid_t attribute = H5Acreate2 (object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);

  g_assert_cmpint (H5Awrite (attribute, H5T_NATIVE_DOUBLE, numbers), >=, 0);
  H5Aclose (attribute);
  H5Sclose (space);
}

static void
add_text (hid_t object, const char *name, const char *text)
{
  hid_t type = H5Tcopy (H5T_C_S1), space = H5Screate (H5S_SCALAR), attribute;

  H5Tset_size (type, strlen (text) + 1);
  attribute = H5Acreate2 (object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  g_assert_cmpint (H5Awrite (attribute, type, text), >=, 0);
  H5Aclose (attribute);
  H5Sclose (space);
  H5Tclose (type);
}

static void
assert_valid (EsCube *cube, double least, double low, double high)
{
  const EsCubeWindow window = { .width = WIDTH, .height = HEIGHT };
  g_autoptr (GError) error = NULL;
  EsCubeReader *reader = es_cube_reader_new (cube, &error);

  g_assert_no_error (error);
  for (guint32 b = 0; b < BANDS; b++)
    {
      guint8 valid[WIDTH * HEIGHT];

      memset (valid, 1, sizeof valid);
      g_assert_true (es_cube_reader_mask (reader, &window, &b, 1, valid, &error));
      for (guint p = 0; p < WIDTH * HEIGHT; p++)
        {
          const double value = MAX (expected (p % WIDTH, p / WIDTH, b, NULL), least);

          g_assert_cmpint (valid[p], ==, value >= low && value <= high);
        }
    }
  es_cube_reader_free (reader);
}

/* Samples that the file says are none: missing, whichever attribute says it, as they are stored. Of those without a
 * sign a limit below 0 is no large one. Floats beside integers with a scale are in its unit. A text is no limit. */
static void
test_valid (void)
{
  static const double range[2] = { 0, 2500 }, below[2] = { -1, 150 }, scaled[2] = { 60, 10 };
  const struct { const char *name; hid_t type, limits; hsize_t n; const double *numbers; double scale, low, high; }
    cases[] = {
      { "valid_range", H5T_STD_I16LE, H5T_STD_I32LE, 2, range, 0, 0, 2500 },
      { "valid_min", H5T_STD_I16LE, H5T_STD_I32LE, 1, range, 0, 0, INFINITY },
      { "valid_max", H5T_STD_I16LE, H5T_STD_I32LE, 1, range + 1, 0, -INFINITY, 2500 },
      { "valid_range", H5T_STD_U16LE, H5T_STD_I32LE, 2, below, 0, -1, 150 },
      { "valid_range", H5T_STD_I16LE, H5T_IEEE_F64LE, 2, scaled, -0.5, -20, -120 },
      { "valid_max", H5T_STD_I16LE, H5T_IEEE_F64LE, 1, scaled, 0.5, -INFINITY, 120 },
      { "valid_max", H5T_STD_I16LE, H5T_STD_I16LE, 1, scaled, 0.5, -INFINITY, 60 },
    };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *path = NULL;
      /* GDAL reads scales of netCDF only. */
      hid_t file = create (folder, cases[i].scale != 0 ? "x.nc" : "x.h5", &path);
      hid_t dataset = add_cube (file, cases[i].type);

      add_numbers (dataset, cases[i].name, cases[i].limits, cases[i].n, cases[i].numbers);
      if (cases[i].scale != 0)
        add_numbers (dataset, "scale_factor", H5T_IEEE_F64LE, 1, &cases[i].scale);
      if (strcmp (cases[i].name, "valid_min") != 0)
        add_text (dataset, "valid_min", "auto");
      H5Dclose (dataset);
      H5Fclose (file);

      g_autoptr (EsCube) cube = es_test_open (path);
      g_assert_true (es_test_has_note (cube, "are missing, as the file says"));
      assert_valid (cube, cases[i].type == H5T_STD_U16LE ? 0 : -INFINITY, MIN (cases[i].low, cases[i].high),
                    MAX (cases[i].low, cases[i].high));
    }
}

/* Numbers with a sign that are to have none, limits of them, and their no-data value. */
static double
expected_unsigned (guint64 x, guint64 y, guint band, gpointer data)
{
  const guint bits = GPOINTER_TO_UINT (data);
  const double value = bits == 8 ? CLAMP (expected (x, y, band, NULL), -128, 127) : expected (x, y, band, NULL);

  return value < 0 ? value + ldexp (1, (int) bits) : value;
}

static void
test_unsigned (void)
{
  const hid_t types[] = { H5T_STD_I8LE, H5T_STD_I16BE, H5T_STD_I32LE, H5T_STD_I64LE };
  const double high = -1, fill = -101;

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      const guint bits = 8u << i;
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *path = NULL;
      hid_t file = create (folder, "x.h5", &path), dataset = add_cube (file, types[i]);

      add_text (dataset, "_Unsigned", "true");
      /* Doubles do not tell the largest ones apart. */
      if (bits < 64)
        {
          add_numbers (dataset, "_FillValue", types[i], 1, &fill);
          add_numbers (dataset, "valid_max", types[i], 1, &high);
        }
      H5Dclose (dataset);
      H5Fclose (file);

      g_autoptr (EsCube) cube = es_test_open (path);
      double no_data = NAN;

      es_test_compare (cube, expected_unsigned, GUINT_TO_POINTER (bits));
      if (es_cube_get_no_data (cube, 0, &no_data))
        g_assert_cmpfloat (no_data, ==, ldexp (1, (int) bits) - 101);
      if (bits == 32)
        g_assert_true (es_test_has_note (cube, "stored as more than 4.29497e+09"));
    }
}

/* The name that a list of netCDF-4 has where a dimension that is not its own is called as it is. */
static void
test_hidden_name (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  const hsize_t length = BANDS, other = 3;
  const double values[BANDS] = { 400, 500, 600, 700, 800 };
  g_autofree char *path = NULL;
  hid_t file = create (folder, "x.h5", &path), space = H5Screate_simple (1, &length, NULL), dataset;
  hid_t wrong = H5Screate_simple (1, &other, NULL);
  g_autoptr (GPtrArray) notes = g_ptr_array_new ();
  EsReaderInput input = { .path = path, .name = path, .notes = notes };
  g_autofree double *found = NULL;

  H5Dclose (H5Dcreate2 (file, "wavelength", H5T_IEEE_F32BE, wrong, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  dataset = H5Dcreate2 (file, "_nc4_non_coord_wavelength", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT,
                        H5P_DEFAULT);
  g_assert_cmpint (H5Dwrite (dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), >=, 0);
  H5Dclose (dataset);
  H5Sclose (wrong);
  H5Sclose (space);
  H5Fclose (file);

  es_hdf_lock ();
  found = es_mdim_hdf_read_vector (&input, "/wavelength", BANDS);
  es_hdf_unlock ();
  g_assert_nonnull (found);
  g_assert_cmpmem (found, sizeof values, values, sizeof values);
  g_assert_cmpuint (notes->len, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/readers-hdf5-says/places", test_places);
  g_test_add_func ("/readers-hdf5-says/bits", test_bits);
  g_test_add_func ("/readers-hdf5-says/wavelengths", test_wavelengths);
  g_test_add_func ("/readers-hdf5-says/valid", test_valid);
  g_test_add_func ("/readers-hdf5-says/unsigned", test_unsigned);
  g_test_add_func ("/readers-hdf5-says/hidden-name", test_hidden_name);
  return g_test_run ();
}
