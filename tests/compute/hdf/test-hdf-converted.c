/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Samples that memory has as another type than the file, that went through unusual filters, or that nobody has written:
 * what the file says, and nothing else. */

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#include "hdf/es-hdf-samples-internal.h"
#include "libraries/es-hdf-lock-internal.h"

#define ROWS    21u
#define COLUMNS 34u
#define NUMBERS (ROWS * COLUMNS)
#define ONE     (8u * 9u)

static const hsize_t lengths[2] = { ROWS, COLUMNS }, chunk[2] = { 8, 9 };

static char *
new_path (void)
{
  g_autofree char *folder = g_dir_make_tmp ("eigenscope-hdf-XXXXXX", NULL);

  g_assert_nonnull (folder);
  return g_build_filename (folder, "x.h5", NULL);
}

static void
remove_path (char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (path);
}

static double
value_of (guint i)
{
  return (double) ((i * 29u) % 127u) - 60;
}

/* rows rows of the numbers above. plist is taken. */
static void
write_file (const char *path, hid_t type, hid_t plist, hsize_t rows)
{
  hid_t file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), space = H5Screate_simple (2, lengths, NULL);
  hid_t dataset = H5Dcreate2 (file, "cube", type, space, H5P_DEFAULT, plist, H5P_DEFAULT), memory;
  hid_t base = H5Tget_class (type) == H5T_ENUM ? H5Tget_super (type) : -1;
  const hsize_t start[2] = { 0 }, count[2] = { rows, COLUMNS };
  double samples[NUMBERS];
  gint8 bytes[NUMBERS];

  g_assert_cmpint (dataset, >=, 0);
  for (guint i = 0; i < NUMBERS; i++)
    {
      samples[i] = value_of (i);
      bytes[i] = (gint8) samples[i];
    }
  memory = H5Screate_simple (2, count, NULL);
  H5Sselect_hyperslab (space, H5S_SELECT_SET, start, NULL, count, NULL);
  if (rows > 0)
    g_assert_cmpint (H5Dwrite (dataset, base >= 0 ? type : H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT,
                               base >= 0 ? (void *) bytes : samples), >=, 0);
  if (base >= 0)
    H5Tclose (base);
  H5Sclose (memory);
  H5Sclose (space);
  H5Dclose (dataset);
  H5Pclose (plist);
  H5Fclose (file);
}

static hid_t
new_plist (guint deflates)
{
  hid_t plist = H5Pcreate (H5P_DATASET_CREATE);

  H5Pset_chunk (plist, 2, chunk);
  for (guint i = 0; i < deflates; i++)
    H5Pset_deflate (plist, 4);
  return plist;
}

static EsHdfSamples *
open_samples (const char *path, EskType type)
{
  static const EsHdfCache cache = { .stretches = 1, .share = 16, .most = 1 << 20 };
  const guint64 across[2] = { 1, COLUMNS };
  EsHdfSamples *samples;

  es_hdf_lock ();
  samples = es_hdf_samples_new (path, "cube", type, TRUE, 2, across, &cache, NULL);
  es_hdf_unlock ();
  return samples;
}

static void
close_samples (EsHdfSamples *samples)
{
  es_hdf_lock ();
  es_hdf_samples_free (samples);
  es_hdf_unlock ();
}

static gboolean
read_all (EsHdfSamples *samples, void *numbers)
{
  return es_hdf_samples_read (samples, (const guint64[]) { 0, 0 }, (const guint64[]) { ROWS, COLUMNS }, numbers);
}

/* The chunk at the 9th row and 10th column becomes the deflate stream of so many bytes of ones. */
static void
replace_chunk (const char *path, gsize n, guint times)
{
  g_autoptr (GByteArray) content = g_byte_array_new ();
  hid_t file = H5Fopen (path, H5F_ACC_RDWR, H5P_DEFAULT), dataset = H5Dopen2 (file, "cube", H5P_DEFAULT);

  g_byte_array_set_size (content, (guint) n);
  memset (content->data, 1, n);
  for (guint i = 0; i < times; i++)
    {
      g_autoptr (GConverter) zlib = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, 6));
      guint8 packed[4096];
      gsize read, written;

      g_assert_cmpint (g_converter_convert (zlib, content->data, content->len, packed, sizeof packed,
                                            G_CONVERTER_INPUT_AT_END, &read, &written, NULL), ==, G_CONVERTER_FINISHED);
      g_byte_array_set_size (content, 0);
      g_byte_array_append (content, packed, (guint) written);
    }
  g_assert_cmpint (H5Dwrite_chunk (dataset, H5P_DEFAULT, 0, (const hsize_t[]) { 8, 9 }, content->len, content->data),
                   >=, 0);
  H5Dclose (dataset);
  H5Fclose (file);
}

static hid_t
new_half (void)
{
  hid_t type = H5Tcopy (H5T_IEEE_F32BE);

  g_assert_cmpint (H5Tset_fields (type, 15, 10, 5, 0, 10), >=, 0);
  g_assert_cmpint (H5Tset_size (type, 2), >=, 0);
  g_assert_cmpint (H5Tset_ebias (type, 15), >=, 0);
  return type;
}

static hid_t
new_enum (void)
{
  hid_t type = H5Tenum_create (H5T_STD_I8LE);

  for (gint8 i = -128; i < 127; i++)
    {
      g_autofree char *name = g_strdup_printf ("value%d", i);

      g_assert_cmpint (H5Tenum_insert (type, name, &i), >=, 0);
    }
  return type;
}

static hid_t
new_odd (void)
{
  hid_t type = H5Tcopy (H5T_STD_I32LE);

  H5Tset_precision (type, 24);
  H5Tset_offset (type, 3);
  return type;
}

static double
number_at (const void *numbers, EskType type, guint i)
{
  switch (type)
    {
    case ESK_U8:  return ((const guint8 *) numbers)[i];
    case ESK_I16: return ((const gint16 *) numbers)[i];
    case ESK_I32: return ((const gint32 *) numbers)[i];
    default:      return (double) ((const float *) numbers)[i];
    }
}

/* Whatever the type: the numbers; and none where a chunk has fewer of them than it should. */
static void
test_types (void)
{
  static const struct { const char *what; EskType type; } cases[] = {
    { "int8", ESK_I16 }, { "float16", ESK_F32 }, { "enum", ESK_I16 }, { "24 bits", ESK_I32 },
  };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    for (guint short_of = 0; short_of < 2; short_of++)
      {
        char *path = new_path ();
        hid_t type = c == 0 ? H5Tcopy (H5T_STD_I8LE) : c == 1 ? new_half () : c == 2 ? new_enum () : new_odd ();
        g_autofree guint8 *numbers = g_malloc (NUMBERS * 8);
        EsHdfSamples *samples;

        g_test_message ("%s", cases[c].what);
        write_file (path, type, new_plist (1), ROWS);
        if (short_of)
          replace_chunk (path, ONE * H5Tget_size (type) - 1, 1);
        samples = open_samples (path, cases[c].type);
        g_assert_nonnull (samples);
        g_assert_cmpint (read_all (samples, numbers), ==, !short_of);
        for (guint i = 0; i < NUMBERS && !short_of; i++)
          g_assert_cmpfloat (number_at (numbers, cases[c].type, i), ==, value_of (i));
        close_samples (samples);
        H5Tclose (type);
        remove_path (path);
      }
}

/* What GDAL takes for unsigned has the same bits; what would lose numbers is not taken. */
static void
test_signs (void)
{
  char *path = new_path ();
  guint8 numbers[NUMBERS];
  EsHdfSamples *samples;

  write_file (path, H5T_STD_I8LE, new_plist (1), ROWS);
  samples = open_samples (path, ESK_U8);
  g_assert_nonnull (samples);
  g_assert_true (read_all (samples, numbers));
  for (guint i = 0; i < NUMBERS; i++)
    g_assert_cmpint (numbers[i], ==, (guint8) (gint8) value_of (i));
  close_samples (samples);
  g_assert_null (open_samples (path, ESK_U16));
  write_file (path, H5T_IEEE_F64LE, new_plist (1), ROWS);
  g_assert_null (open_samples (path, ESK_F32));
  write_file (path, H5T_STD_I32LE, new_plist (1), ROWS);
  g_assert_null (open_samples (path, ESK_F32));
  remove_path (path);
}

/* Packed twice: nobody says how long what lies between is. */
static void
test_twice (void)
{
  static const struct { gsize length; gboolean reads; } cases[] = {
    { ONE * 2, TRUE }, { ONE * 2 - 1, FALSE }, { ONE * 2 + 1, FALSE }, { ONE / 2, FALSE },
  };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      char *path = new_path ();
      gint16 numbers[NUMBERS];
      EsHdfSamples *samples;

      write_file (path, H5T_STD_I16LE, new_plist (2), ROWS);
      replace_chunk (path, cases[c].length, 2);
      samples = open_samples (path, ESK_I16);
      g_assert_nonnull (samples);
      g_assert_cmpint (read_all (samples, numbers), ==, cases[c].reads);
      if (cases[c].reads)
        {
          g_assert_cmpint (numbers[8 * COLUMNS + 9], ==, 0x0101);
          g_assert_cmpint (numbers[8 * COLUMNS + 8], ==, (gint16) value_of (8 * COLUMNS + 8));
        }
      close_samples (samples);
      remove_path (path);
    }
}

/* Chunks over an end that are not packed. */
static void
test_edges (void)
{
  char *path = new_path ();
  hid_t plist = new_plist (1);
  gint16 numbers[NUMBERS];
  EsHdfSamples *samples;

  H5Pset_chunk_opts (plist, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
  write_file (path, H5T_STD_I16BE, plist, ROWS);
  samples = open_samples (path, ESK_I16);
  g_assert_nonnull (samples);
  g_assert_true (read_all (samples, numbers));
  for (guint i = 0; i < NUMBERS; i++)
    g_assert_cmpint (numbers[i], ==, (gint16) value_of (i));
  close_samples (samples);
  remove_path (path);
}

/* What was never written is the fill value, or 0, also where the library is told to leave memory as it was. */
static void
test_unwritten (void)
{
  for (guint c = 0; c < 8; c++)
    {
      const gboolean packed = c % 2 != 0, with_value = c / 2 % 2 != 0, never = c / 4 != 0;
      const double value = 5;
      char *path = new_path ();
      hid_t plist = new_plist (packed);
      gint16 numbers[NUMBERS];
      EsHdfSamples *samples;

      if (with_value)
        H5Pset_fill_value (plist, H5T_NATIVE_DOUBLE, &value);
      if (never)
        H5Pset_fill_time (plist, H5D_FILL_TIME_NEVER);
      write_file (path, H5T_STD_I16LE, plist, 8);
      samples = open_samples (path, ESK_I16);
      g_assert_nonnull (samples);
      memset (numbers, 0xaa, sizeof numbers);
      g_assert_true (read_all (samples, numbers));
      for (guint i = 0; i < NUMBERS; i++)
        g_assert_cmpint (numbers[i], ==, i < 8 * COLUMNS ? (gint16) value_of (i) : with_value ? 5 : 0);
      close_samples (samples);
      remove_path (path);
    }
}

static void
test_whole (void)
{
  for (guint packed = 0; packed < 2; packed++)
    {
      char *path = new_path ();
      double numbers[NUMBERS];
      hid_t file, dataset;

      write_file (path, H5T_STD_I16LE, new_plist (packed), ROWS);
      es_hdf_lock ();
      file = H5Fopen (path, H5F_ACC_RDONLY, H5P_DEFAULT);
      dataset = H5Dopen2 (file, "cube", H5P_DEFAULT);
      g_assert_true (es_hdf_read_whole (dataset, H5T_NATIVE_DOUBLE, 2, (const guint64[]) { ROWS, COLUMNS }, numbers));
      for (guint i = 0; i < NUMBERS; i++)
        g_assert_cmpfloat (numbers[i], ==, value_of (i));
      g_assert_false (es_hdf_read_whole (dataset, H5T_NATIVE_DOUBLE, 2, (const guint64[]) { ROWS, 3 }, numbers));
      g_assert_false (es_hdf_read_whole (dataset, H5T_NATIVE_DOUBLE, 1, (const guint64[]) { NUMBERS }, numbers));
      H5Dclose (dataset);
      H5Fclose (file);
      es_hdf_unlock ();
      remove_path (path);
    }
}

/* A number without any axis. */
static void
test_scalar (void)
{
  char *path = new_path ();
  const double written = 48000;
  double number = 0;
  hid_t file, space, dataset;

  es_hdf_lock ();
  file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  space = H5Screate (H5S_SCALAR);
  dataset = H5Dcreate2 (file, "rate", H5T_STD_I32BE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  g_assert_cmpint (H5Dwrite (dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &written), >=, 0);
  g_assert_true (es_hdf_read_whole (dataset, H5T_NATIVE_DOUBLE, 0, NULL, &number));
  g_assert_cmpfloat (number, ==, written);
  H5Dclose (dataset);
  H5Sclose (space);
  H5Fclose (file);
  es_hdf_unlock ();
  remove_path (path);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hdf-converted/types", test_types);
  g_test_add_func ("/hdf-converted/signs", test_signs);
  g_test_add_func ("/hdf-converted/twice", test_twice);
  g_test_add_func ("/hdf-converted/edges", test_edges);
  g_test_add_func ("/hdf-converted/unwritten", test_unwritten);
  g_test_add_func ("/hdf-converted/whole", test_whole);
  g_test_add_func ("/hdf-converted/scalar", test_scalar);
  return g_test_run ();
}
