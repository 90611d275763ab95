/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Cubes whose file ends before what its header promises: refused, whatever the library beneath makes of it. */

#include <hdf5.h>
#include <matio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/es-error.h"
#include "es-test-cubes.h"
#include "readers/es-open.h"

typedef char TestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, es_test_folder_free)

/* ---- netCDF-3, put together by hand ---- */

#define WIDTH  13u
#define HEIGHT 7u
#define BANDS  5u

typedef struct
{
  GByteArray *bytes;
  guint       version;
} Writer;

static void
put (Writer *writer, guint64 value, guint size)
{
  for (guint i = 0; i < size; i++)
    {
      guint8 byte = (guint8) (value >> (8 * (size - 1 - i)));

      g_byte_array_append (writer->bytes, &byte, 1);
    }
}

static void
put_count (Writer *writer, guint64 value)
{
  put (writer, value, writer->version == 5 ? 8 : 4);
}

static void
put_name (Writer *writer, const char *name)
{
  put_count (writer, strlen (name));
  g_byte_array_append (writer->bytes, (const guint8 *) name, (guint) strlen (name));
  while (writer->bytes->len % 4 != 0)
    put (writer, 0, 1);
}

static void
put_list (Writer *writer, guint tag, guint64 n)
{
  put (writer, tag, 4);
  put_count (writer, n);
}

static void
put_variable (Writer *writer, const char *name, const guint *axes, guint n_axes, guint type, guint64 size,
              guint64 begin)
{
  put_name (writer, name);
  put_count (writer, n_axes);
  for (guint i = 0; i < n_axes; i++)
    put_count (writer, axes[i]);
  put_list (writer, 0, 0);
  put (writer, type, 4);
  put_count (writer, size);
  put (writer, begin, writer->version == 1 ? 4 : 8);
}

/* int16 "radiance" of bands x rows x columns; by_record: its bands are records, of which a second variable has one
 * value each. records: what the header claims. Returns how long the header is. */
static GByteArray *
make_netcdf (guint version, gboolean by_record, guint64 records, guint64 height)
{
  static const guint cube_axes[] = { 0, 1, 2 };
  const guint64 plane = HEIGHT * WIDTH * 2, padded = (plane + 3) / 4 * 4, begin = 512;
  Writer writer = { g_byte_array_new (), version };

  g_byte_array_append (writer.bytes, (const guint8 *) "CDF", 3);
  put (&writer, version, 1);
  put_count (&writer, by_record ? records : 0);
  put_list (&writer, 10, 3);
  put_name (&writer, "wavelength");
  put_count (&writer, by_record ? 0 : BANDS);
  put_name (&writer, "y");
  put_count (&writer, height);
  put_name (&writer, "x");
  put_count (&writer, WIDTH);
  put_list (&writer, 12, 1);
  put_name (&writer, "title");
  put (&writer, 2, 4);
  put_name (&writer, "cube");
  put_list (&writer, 11, by_record ? 2 : 1);
  put_variable (&writer, "radiance", cube_axes, 3, 3, by_record ? padded : plane * BANDS, begin);
  if (by_record)
    put_variable (&writer, "wavelength", cube_axes, 1, 5, 4, begin + padded);
  g_assert_cmpuint (writer.bytes->len, <=, begin);
  while (writer.bytes->len < begin)
    put (&writer, 0, 1);
  for (guint b = 0; b < BANDS; b++)
    {
      for (guint y = 0; y < HEIGHT; y++)
        for (guint x = 0; x < WIDTH; x++)
          put (&writer, (guint16) (gint16) es_test_value (ESK_I16, x, y, b), 2);
      while (by_record && writer.bytes->len % 4 != 0)
        put (&writer, 0, 1);
      if (by_record)
        {
          float wavelength = 400.0f + 10.0f * (float) b;
          guint32 word;

          memcpy (&word, &wavelength, sizeof word);
          put (&writer, word, 4);
        }
    }
  return writer.bytes;
}

static double
expected (guint64 x, guint64 y, guint band, gpointer data)
{
  return es_test_value (ESK_I16, x, y, band);
}

static void
test_netcdf3 (void)
{
  static const guint versions[] = { 1, 2, 5 };

  for (guint i = 0; i < 6; i++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autoptr (GByteArray) bytes = make_netcdf (versions[i % 3], i >= 3, BANDS, HEIGHT);
      g_autofree char *path = es_test_write (folder, "x.nc", bytes->data, bytes->len);
      g_autofree char *all = g_strdup_printf ("%u", bytes->len);

      /* Not every GDAL knows CDF-5. */
      if (versions[i % 3] != 5)
        {
          g_autoptr (EsCube) cube = es_test_open (path);

          g_assert_cmpuint (es_cube_get_bands (cube), ==, BANDS);
          es_test_compare (cube, expected, NULL);
          if (i >= 3)
            g_assert_cmpfloat (es_cube_get_wavelengths (cube)[BANDS - 1], ==, 440);
        }
      /* One byte is as much of a lie as half of it. */
      g_assert_cmpint (truncate (path, bytes->len - 1), ==, 0);
      es_test_refused (path, NULL, ES_DATA_ERROR_TRUNCATED, "x.nc", all, NULL);
      g_assert_cmpint (truncate (path, 512 + (bytes->len - 512) / 2), ==, 0);
      es_test_refused (path, NULL, ES_DATA_ERROR_TRUNCATED, "x.nc", all, NULL);
      g_assert_cmpint (truncate (path, 100), ==, 0);
      es_test_refused (path, NULL, ES_DATA_ERROR_TRUNCATED, "x.nc", "header", NULL);
    }
}

/* Numbers that no file holds. */
static void
test_netcdf3_lies (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autoptr (GByteArray) many = make_netcdf (2, TRUE, G_MAXUINT32, HEIGHT);
  g_autoptr (GByteArray) wide = make_netcdf (5, FALSE, 0, G_MAXUINT64 / 100);
  g_autoptr (GByteArray) tall = make_netcdf (5, FALSE, 0, G_MAXINT32);
  g_autoptr (GByteArray) list = make_netcdf (1, FALSE, 0, HEIGHT);
  g_autofree char *path = es_test_write (folder, "x.nc", many->data, many->len);

  es_test_refused (path, NULL, ES_DATA_ERROR_TRUNCATED, "x.nc", NULL);
  g_free (path);
  path = es_test_write (folder, "x.nc", wide->data, wide->len);
  es_test_refused (path, NULL, ES_DATA_ERROR_FORMAT, "x.nc", "damaged", NULL);
  g_free (path);
  path = es_test_write (folder, "x.nc", tall->data, tall->len);
  es_test_refused (path, NULL, ES_DATA_ERROR_TRUNCATED, "x.nc", NULL);
  g_free (path);
  /* As many dimensions as there are numbers. */
  memset (list->data + 12, 0x7f, 4);
  path = es_test_write (folder, "x.nc", list->data, list->len);
  es_test_refused (path, NULL, ES_DATA_ERROR_FORMAT, "x.nc", "damaged", NULL);
}

/* ---- what the libraries look after themselves, as long as they do ---- */

static void
cut_each (const char *path, int code, const char *words)
{
  g_autofree char *content = NULL, *base = g_path_get_basename (path);
  gsize length;

  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  for (guint i = 1; i <= 4; i++)
    {
      g_assert_true (g_file_set_contents (path, content, (gssize) (i == 4 ? length - 1 : length * i / 4), NULL));
      es_test_refused (path, NULL, code, base, words, NULL);
    }
}

static void
test_hdf5 (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  const hsize_t lengths[3] = { BANDS, HEIGHT, WIDTH };
  g_autofree char *path = g_build_filename (folder, "x.h5", NULL);
  hid_t file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), space, dataset;
  gint16 samples[BANDS * HEIGHT * WIDTH] = { 1, 2, 3 };

  space = H5Screate_simple (3, lengths, NULL);
  dataset = H5Dcreate2 (file, "cube", H5T_STD_I16LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  g_assert_cmpint (H5Dwrite (dataset, H5T_NATIVE_INT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, samples), >=, 0);
  H5Dclose (dataset);
  H5Sclose (space);
  H5Fclose (file);
  cut_each (path, ES_DATA_ERROR_FORMAT, "cut short");
}

static void
test_mat73 (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "x.mat", NULL);
  mat_t *file = Mat_CreateVer (path, NULL, MAT_FT_MAT73);
  size_t axes[3] = { HEIGHT, WIDTH, BANDS };
  double samples[BANDS * HEIGHT * WIDTH] = { 1, 2, 3 };
  matvar_t *variable = Mat_VarCreate ("cube", MAT_C_DOUBLE, MAT_T_DOUBLE, 3, axes, samples, 0);

  g_assert_cmpint (Mat_VarWrite (file, variable, MAT_COMPRESSION_NONE), ==, 0);
  Mat_VarFree (variable);
  Mat_Close (file);
  cut_each (path, ES_DATA_ERROR_FORMAT, "cut short");
}

/* A header of megabytes of nothing. */
static void
test_envi_list (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autoptr (GString) header = g_string_new (NULL);
  g_autofree char *start = es_test_header (WIDTH, HEIGHT, BANDS, 2, "bsq", 0, NULL);
  guint8 samples[BANDS * HEIGHT * WIDTH * 2] = { 1 };
  g_autofree char *path = es_test_write (folder, "x.img", samples, sizeof samples);
  struct rusage before, after;

  g_string_append (header, start);
  g_string_append (header, "band names = {");
  for (guint i = 0; i < 6000000; i++)
    g_string_append_c (header, ',');
  g_string_append (header, "}\n");
  g_free (es_test_write_text (folder, "x.hdr", header->str));
  getrusage (RUSAGE_SELF, &before);
  g_autoptr (EsCube) cube = es_test_open (path);
  getrusage (RUSAGE_SELF, &after);
  g_assert_true (es_test_has_note (cube, "band names"));
  /* The text itself, three times; ThreadSanitizer keeps more of each byte than the byte. */
#ifndef __SANITIZE_THREAD__
  g_assert_cmpint (after.ru_maxrss - before.ru_maxrss, <, 80 * 1024);
#endif
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/readers-cut/netcdf3", test_netcdf3);
  g_test_add_func ("/readers-cut/netcdf3-lies", test_netcdf3_lies);
  g_test_add_func ("/readers-cut/hdf5", test_hdf5);
  g_test_add_func ("/readers-cut/mat73", test_mat73);
  g_test_add_func ("/readers-cut/envi-list", test_envi_list);
  return g_test_run ();
}
