/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* MATLAB files of version 7.3, which are HDF5: what matio would fill up from memory. */

#include <gio/gio.h>
#include <hdf5.h>
#include <string.h>

#include "base/es-error.h"
#include "es-test-cubes.h"
#include "readers/es-open.h"

typedef char TestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, es_test_folder_free)

/* As MATLAB counts; the file has the axes in the other order. */
#define ROWS    20u
#define COLUMNS 15u
#define BANDS   4u
#define NUMBERS (ROWS * COLUMNS * BANDS)

static const hsize_t lengths[3] = { BANDS, COLUMNS, ROWS }, chunk[3] = { 2, COLUMNS, ROWS };

static hid_t
create (const char *path)
{
  hid_t plist = H5Pcreate (H5P_FILE_CREATE), file;

  H5Pset_userblock (plist, 512);
  file = H5Fcreate (path, H5F_ACC_TRUNC, plist, H5P_DEFAULT);
  g_assert_cmpint (file, >=, 0);
  H5Pclose (plist);
  return file;
}

/* Closes the file and writes what MATLAB has before it. */
static void
finish (hid_t file, const char *path)
{
  char *content;
  gsize length;

  H5Fclose (file);
  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  memset (content, ' ', 124);
  memcpy (content, "MATLAB 7.3 MAT-file", strlen ("MATLAB 7.3 MAT-file"));
  memcpy (content + 124, "\000\002IM", 4);
  g_assert_true (g_file_set_contents (path, content, (gssize) length, NULL));
  g_free (content);
}

static void
set_class (hid_t dataset)
{
  hid_t type = H5Tcopy (H5T_C_S1), space = H5Screate (H5S_SCALAR), attribute;

  H5Tset_size (type, 6);
  attribute = H5Acreate2 (dataset, "MATLAB_class", type, space, H5P_DEFAULT, H5P_DEFAULT);
  g_assert_cmpint (H5Awrite (attribute, type, "double"), >=, 0);
  H5Aclose (attribute);
  H5Sclose (space);
  H5Tclose (type);
}

/* The first `bands` of them are written. */
static hid_t
add_cube (hid_t file, hid_t plist, hsize_t bands)
{
  const hsize_t count[3] = { bands, COLUMNS, ROWS }, start[3] = { 0 };
  hid_t space = H5Screate_simple (3, lengths, NULL), memory = H5Screate_simple (3, count, NULL);
  hid_t dataset = H5Dcreate2 (file, "cube", H5T_IEEE_F64LE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  double samples[NUMBERS];

  for (guint i = 0; i < NUMBERS; i++)
    samples[i] = es_test_value (ESK_F64, i / ROWS % COLUMNS, i % ROWS, i / (ROWS * COLUMNS));
  H5Sselect_hyperslab (space, H5S_SELECT_SET, start, NULL, count, NULL);
  g_assert_cmpint (H5Dwrite (dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, samples), >=, 0);
  set_class (dataset);
  H5Sclose (memory);
  H5Sclose (space);
  H5Pclose (plist);
  return dataset;
}

static hid_t
new_plist (void)
{
  hid_t plist = H5Pcreate (H5P_DATASET_CREATE);

  H5Pset_chunk (plist, 3, chunk);
  H5Pset_deflate (plist, 3);
  return plist;
}

static double
expected (guint64 x, guint64 y, guint band, gpointer data)
{
  return data != NULL && band >= 2 ? 0 : es_test_value (ESK_F64, x, y, band);
}

/* A chunk that unpacks to fewer numbers than it has. */
static void
test_short (void)
{
  for (guint whole = 0; whole < 2; whole++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *path = g_build_filename (folder, "x.mat", NULL);
      g_autoptr (GConverter) zlib = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, 6));
      hid_t file = create (path), dataset = add_cube (file, new_plist (), BANDS);
      g_autofree double *samples = g_new0 (double, NUMBERS);
      guint8 packed[8192];
      gsize read, written;

      for (guint i = 0; i < NUMBERS / 2; i++)
        samples[i] = es_test_value (ESK_F64, i / ROWS % COLUMNS, i % ROWS, 2 + i / (ROWS * COLUMNS));
      g_assert_cmpint (g_converter_convert (zlib, samples, whole ? NUMBERS / 2 * 8 : NUMBERS, packed, sizeof packed,
                                            G_CONVERTER_INPUT_AT_END, &read, &written, NULL), ==, G_CONVERTER_FINISHED);
      g_assert_cmpint (H5Dwrite_chunk (dataset, H5P_DEFAULT, 0, (const hsize_t[]) { 2, 0, 0 }, written, packed), >=, 0);
      H5Dclose (dataset);
      finish (file, path);
      if (whole)
        {
          g_autoptr (EsCube) cube = es_test_open (path);

          es_test_compare (cube, expected, NULL);
        }
      else
        es_test_refused (path, NULL, ES_DATA_ERROR_TRUNCATED, "x.mat", "damaged", NULL);
    }
}

/* Chunks that nobody wrote are zeros, and said. */
static void
test_unwritten (void)
{
  for (guint never = 0; never < 2; never++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *path = g_build_filename (folder, "x.mat", NULL);
      hid_t file = create (path), plist = new_plist ();

      if (never)
        H5Pset_fill_time (plist, H5D_FILL_TIME_NEVER);
      H5Dclose (add_cube (file, plist, 2));
      finish (file, path);

      g_autoptr (EsCube) cube = es_test_open (path);
      es_test_compare (cube, expected, path);
      g_assert_true (es_test_has_note (cube, "1 were never written"));
    }
}

/* An attribute says that the array is empty and that its numbers are the lengths of its axes: there are three. */
static void
test_empty (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "x.mat", NULL);
  const guint64 axes[3] = { 400, 300, 200 };
  const hsize_t three = 3;
  const guint8 one = 1;
  hid_t file = create (path), space = H5Screate_simple (1, &three, NULL), scalar = H5Screate (H5S_SCALAR);
  hid_t dataset = H5Dcreate2 (file, "cube", H5T_STD_U64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), attribute;

  g_assert_cmpint (H5Dwrite (dataset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, axes), >=, 0);
  set_class (dataset);
  attribute = H5Acreate2 (dataset, "MATLAB_empty", H5T_STD_U8LE, scalar, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite (attribute, H5T_NATIVE_UINT8, &one);
  H5Aclose (attribute);
  H5Sclose (scalar);
  H5Sclose (space);
  H5Dclose (dataset);
  finish (file, path);
  es_test_refused (path, NULL, ES_DATA_ERROR_TRUNCATED, "x.mat", "cannot be read", NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/readers-mat73/short", test_short);
  g_test_add_func ("/readers-mat73/unwritten", test_unwritten);
  g_test_add_func ("/readers-mat73/empty", test_empty);
  return g_test_run ();
}
