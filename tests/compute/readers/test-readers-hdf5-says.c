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
#include "readers/es-open.h"

typedef char TestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, es_test_folder_free)

#define WIDTH  30u
#define HEIGHT 20u
#define BANDS  5u
#define NUMBERS (BANDS * HEIGHT * WIDTH)

static hid_t
create (const char *folder, char **path)
{
  hid_t file;

  *path = g_build_filename (folder, "x.h5", NULL);
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
      hid_t file = create (folder, &path);

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
      hid_t file = create (folder, &path);

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
      hid_t file = create (folder, &path), space = H5Screate_simple (1, &length, NULL);
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
add_numbers (hid_t object, const char *name, hsize_t n, const double *numbers)
{
  hid_t space = H5Screate_simple (1, &n, NULL);
  hid_t attribute = H5Acreate2 (object, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT);

  g_assert_cmpint (H5Awrite (attribute, H5T_NATIVE_DOUBLE, numbers), >=, 0);
  H5Aclose (attribute);
  H5Sclose (space);
}

/* Samples that the file says are none: missing, whichever attribute says it. */
static void
test_valid (void)
{
  static const double range[2] = { 0, 2500 };
  static const struct { const char *name; hsize_t n; const double *numbers; double low, high; } cases[] = {
    { "valid_range", 2, range, 0, 2500 }, { "valid_min", 1, range, 0, INFINITY },
    { "valid_max", 1, range + 1, -INFINITY, 2500 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      const EsCubeWindow window = { .width = WIDTH, .height = HEIGHT };
      g_autofree char *path = NULL;
      g_autoptr (GError) error = NULL;
      hid_t file = create (folder, &path), dataset = add_cube (file, H5T_STD_I16LE);
      EsCubeReader *reader;

      add_numbers (dataset, cases[i].name, cases[i].n, cases[i].numbers);
      H5Dclose (dataset);
      H5Fclose (file);

      g_autoptr (EsCube) cube = es_test_open (path);
      g_assert_true (es_test_has_note (cube, "are missing, as the file says"));
      reader = es_cube_reader_new (cube, &error);
      g_assert_no_error (error);
      for (guint32 b = 0; b < BANDS; b++)
        {
          guint8 valid[WIDTH * HEIGHT];

          memset (valid, 1, sizeof valid);
          g_assert_true (es_cube_reader_mask (reader, &window, &b, 1, valid, &error));
          for (guint p = 0; p < WIDTH * HEIGHT; p++)
            {
              const double value = expected (p % WIDTH, p / WIDTH, b, NULL);

              g_assert_cmpint (valid[p], ==, value >= cases[i].low && value <= cases[i].high);
            }
        }
      es_cube_reader_free (reader);
    }
}

static double
expected_unsigned (guint64 x, guint64 y, guint band, gpointer data)
{
  return (double) (guint32) (gint32) expected (x, y, band, NULL);
}

/* Numbers with a sign that are to have none, and limits of them. */
static void
test_unsigned (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  const double high = -1;
  g_autofree char *path = NULL;
  hid_t file = create (folder, &path), dataset = add_cube (file, H5T_STD_I32LE), type = H5Tcopy (H5T_C_S1);
  hid_t space = H5Screate (H5S_SCALAR), attribute;

  H5Tset_size (type, 5);
  attribute = H5Acreate2 (dataset, "_Unsigned", type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite (attribute, type, "true");
  H5Aclose (attribute);
  H5Sclose (space);
  H5Tclose (type);
  add_numbers (dataset, "valid_max", 1, &high);
  H5Dclose (dataset);
  H5Fclose (file);

  g_autoptr (EsCube) cube = es_test_open (path);
  es_test_compare (cube, expected_unsigned, NULL);
  g_assert_true (es_test_has_note (cube, "above 4.29497e+09"));
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
  return g_test_run ();
}
