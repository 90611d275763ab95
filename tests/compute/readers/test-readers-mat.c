/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* MATLAB files of version 5 that lie: what matio would take from memory that nobody filled, or walk for ever. */

#include <matio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/es-error.h"
#include "es-test-cubes.h"
#include "readers/es-open.h"

typedef char TestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, es_test_folder_free)

#define ROWS    20u
#define COLUMNS 15u
#define BANDS   4u
#define NUMBERS (ROWS * COLUMNS * BANDS)

/* A cube of double, rows fastest; the samples are noise enough that packing keeps most of them. */
static char *
write_cube (const char *folder, gboolean packed)
{
  char *path = g_build_filename (folder, "x.mat", NULL);
  mat_t *file = Mat_CreateVer (path, NULL, MAT_FT_MAT5);
  size_t axes[3] = { ROWS, COLUMNS, BANDS };
  g_autofree double *samples = g_new (double, NUMBERS);
  matvar_t *variable;

  g_assert_nonnull (file);
  for (guint i = 0; i < NUMBERS; i++)
    samples[i] = es_test_value (ESK_F64, i / ROWS % COLUMNS, i % ROWS, i / (ROWS * COLUMNS));
  variable = Mat_VarCreate ("cube", MAT_C_DOUBLE, MAT_T_DOUBLE, 3, axes, samples, 0);
  g_assert_cmpint (Mat_VarWrite (file, variable, packed ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE), ==, 0);
  Mat_VarFree (variable);
  Mat_Close (file);
  return path;
}

static double
expected (guint64 x, guint64 y, guint band, gpointer data)
{
  return es_test_value (ESK_F64, x, y, band);
}

static GByteArray *
load (const char *path)
{
  char *content;
  gsize length;

  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  return g_byte_array_new_take ((guint8 *) content, length);
}

static void
store (const char *path, GByteArray *bytes)
{
  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, (gssize) bytes->len, NULL));
}

static void
put_word (GByteArray *bytes, gsize at, guint32 word)
{
  memcpy (bytes->data + at, &word, sizeof word);
}

/* What was written behind the arrays, gigabytes of zeros, costs nothing. */
static void
test_zeros (void)
{
  for (guint packed = 0; packed < 2; packed++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *path = write_cube (folder, packed);
      gint64 begun = g_get_monotonic_time ();

      g_assert_cmpint (truncate (path, (off_t) 20 << 30), ==, 0);
      g_autoptr (EsCube) cube = es_test_open (path);
      es_test_compare (cube, expected, NULL);
      g_assert_true (es_test_has_note (cube, "is no array and was left out"));
      g_assert_cmpint (g_get_monotonic_time () - begun, <, 5 * G_USEC_PER_SEC);
    }
}

/* A chain of arrays of no bytes, and of very many. */
static void
test_chain (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = write_cube (folder, FALSE);
  g_autoptr (GByteArray) bytes = load (path);
  g_autoptr (GByteArray) scalar = NULL;
  const guint32 empty[2] = { 14, 0 };
  g_autofree char *one = g_build_filename (folder, "one.mat", NULL);
  mat_t *file = Mat_CreateVer (one, NULL, MAT_FT_MAT5);
  size_t axes[2] = { 1, 1 };
  double value = 1;
  matvar_t *variable = Mat_VarCreate ("a", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, axes, &value, 0);

  for (guint i = 0; i < 100000; i++)
    g_byte_array_append (bytes, (const guint8 *) empty, sizeof empty);
  store (path, bytes);
  es_test_refused (path, NULL, ES_DATA_ERROR_FORMAT, "x.mat", "damaged", NULL);

  Mat_VarWrite (file, variable, MAT_COMPRESSION_NONE);
  Mat_VarFree (variable);
  Mat_Close (file);
  scalar = load (one);
  g_byte_array_set_size (bytes, 128);
  for (guint i = 0; i < 30000; i++)
    g_byte_array_append (bytes, scalar->data + 128, scalar->len - 128);
  store (path, bytes);
  es_test_refused (path, NULL, ES_DATA_ERROR_SIZE, "x.mat", "more than 20000 arrays", NULL);
}

/* Fewer numbers than the axes promise. */
static void
test_short (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = write_cube (folder, FALSE);
  g_autoptr (GByteArray) bytes = load (path);
  /* Tag, flags (16), tag of the axes (8). */
  const gsize axes = 128 + 8 + 16 + 8, numbers = bytes->len - NUMBERS * 8 - 4;
  guint32 length;

  memcpy (&length, bytes->data + numbers, sizeof length);
  g_assert_cmpuint (length, ==, NUMBERS * 8);
  put_word (bytes, numbers, length / 2);
  store (path, bytes);
  es_test_refused (path, NULL, ES_DATA_ERROR_TRUNCATED, "x.mat", "cube", NULL);
  put_word (bytes, numbers, length);
  put_word (bytes, axes, 1000);
  store (path, bytes);
  es_test_refused (path, NULL, ES_DATA_ERROR_TRUNCATED, "x.mat", "cube", NULL);
  put_word (bytes, axes, G_MAXINT32);
  put_word (bytes, axes + 4, G_MAXINT32);
  store (path, bytes);
  es_test_refused (path, NULL, ES_DATA_ERROR_FORMAT, "x.mat", NULL);
}

static void
test_packed (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = write_cube (folder, TRUE);
  g_autoptr (GByteArray) bytes = load (path);
  const gsize middle = 136 + (bytes->len - 136) / 2;

  bytes->data[middle] ^= 0x55;
  store (path, bytes);
  es_test_refused (path, NULL, ES_DATA_ERROR_FORMAT, "x.mat", "damaged", NULL);
  bytes->data[middle] ^= 0x55;
  /* The end was never written. */
  memset (bytes->data + middle, 0, bytes->len - middle);
  store (path, bytes);
  es_test_refused (path, NULL, ES_DATA_ERROR_TRUNCATED, "x.mat", "cube", NULL);
}

/* Cells in cells in cells: matio follows them by calling itself. */
static void
test_deep (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = write_cube (folder, FALSE);
  g_autoptr (GByteArray) bytes = load (path);
  const guint depth = 60000, head = 48;

  g_byte_array_set_size (bytes, 128);
  for (guint i = depth; i-- > 0;)
    {
      const guint32 words[14] = { 14, head + i * (head + 8), 6, 8, 1, 0, 5, 8, 1, 1, 1, 0 };

      g_byte_array_append (bytes, (const guint8 *) words, head + 8);
    }
  store (path, bytes);
  es_test_refused (path, NULL, ES_DATA_ERROR_FORMAT, "x.mat", "deep", NULL);
  /* What matio goes by is not the words at the beginning but the number behind them. */
  memcpy (bytes->data, "MATLAB 7.3", 10);
  store (path, bytes);
  es_test_refused (path, NULL, ES_DATA_ERROR_FORMAT, "x.mat", "deep", NULL);
  bytes->data[125] = 3;
  store (path, bytes);
  es_test_refused (path, NULL, ES_DATA_ERROR_FORMAT, "x.mat", "not a MATLAB file", NULL);
}

/* An array whose name is no text: no message may be led astray by it. */
static void
test_name (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = write_cube (folder, FALSE);
  g_autoptr (GByteArray) bytes = load (path);
  guint8 *name = memmem (bytes->data, bytes->len, "cube", 4);

  g_assert_nonnull (name);
  name[1] = 0xfc;
  store (path, bytes);
  es_test_refused (path, NULL, ES_DATA_ERROR_FORMAT, "x.mat", "holds no array", NULL);
}

/* An array of the class (2 a structure of the fields a and b, 1 cells, others without parts): count parts promised,
 * scalars there. length: of the axes, in bytes. */
static void
append_parts (GByteArray *bytes, guint32 class, guint32 length, guint32 count, guint scalars)
{
  const guint32 head[10] = { 6, 8, class, 0, 5, length, 1, count, 1 << 16 | 1, 's' };
  const guint32 fields[6] = { 4 << 16 | 5, 4, 1, 8, 'a', 'b' };
  const guint32 scalar[14] = { 14, 56, 6, 8, 6, 0, 5, 8, 1, 1, 1, 0, 9, 8 };
  const double value = 1;
  const guint32 tag[2] = { 14, sizeof head + (class == 2 ? sizeof fields : 0)
                               + scalars * (guint32) (sizeof scalar + sizeof value) };

  g_byte_array_append (bytes, (const guint8 *) tag, sizeof tag);
  g_byte_array_append (bytes, (const guint8 *) head, sizeof head);
  if (class == 2)
    g_byte_array_append (bytes, (const guint8 *) fields, sizeof fields);
  for (guint i = 0; i < scalars; i++)
    {
      g_byte_array_append (bytes, (const guint8 *) scalar, sizeof scalar);
      g_byte_array_append (bytes, (const guint8 *) &value, sizeof value);
    }
}

/* More parts than there are, and axes longer than the array: matio makes room for them before it looks. */
static void
test_promises (void)
{
  static const struct { guint32 class, length, count; guint scalars; gboolean opens; } cases[] = {
    { 2, 8, 1, 2, TRUE }, { 2, 8, 1, 1, FALSE }, { 2, 8, 2, 3, FALSE }, { 2, 8, 0x40000001, 2, FALSE },
    { 1, 8, 2, 2, TRUE }, { 1, 8, 3, 2, FALSE }, { 1, 8, 0x7fffffff, 2, FALSE },
    /* Of a function that keeps its promise matio itself loses some bytes. */
    { 16, 8, 0x7fffffff, 1, FALSE }, { 16, 0x7ffffff8, 1, 1, FALSE },
    { 17, 0x7ffffff8, 1, 1, FALSE },
    { 252, 8, 1, 0, TRUE }, { 252, 0xfffffff8, 1, 0, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *path = write_cube (folder, FALSE);
      g_autoptr (GByteArray) bytes = load (path);

      append_parts (bytes, cases[i].class, cases[i].length, cases[i].count, cases[i].scalars);
      store (path, bytes);
      if (cases[i].opens)
        {
          g_autoptr (EsCube) cube = es_test_open (path);

          es_test_compare (cube, expected, NULL);
        }
      else
        es_test_refused (path, NULL, ES_DATA_ERROR_FORMAT, "x.mat", "damaged", NULL);
    }
}

/* What only MATLAB understands, with axes that stand in their own tag: behind them follows the name's. */
static void
test_small_axes (void)
{
  for (guint reads = 0; reads < 2; reads++)
    {
      const guint32 words[10] = { 14, 32, 6, 8, 168, 0, 1 << 16 | 5, 8, 1, reads ? 0 : 0x41000001 };
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *path = write_cube (folder, FALSE);
      g_autoptr (GByteArray) bytes = load (path);

      g_byte_array_append (bytes, (const guint8 *) words, sizeof words);
      store (path, bytes);
      if (reads)
        {
          g_autoptr (EsCube) cube = es_test_open (path);

          es_test_compare (cube, expected, NULL);
        }
      else
        es_test_refused (path, NULL, ES_DATA_ERROR_FORMAT, "x.mat", "damaged", NULL);
    }
}

/* Names of fields so short that they stand in their tag, as scipy writes them: matio takes them for a number of fields.
 * The array is passed over, before and behind the cube, in a cell too. */
static void
test_short_names (void)
{
  for (guint c = 0; c < 4; c++)
    {
      const gboolean before = c % 2 != 0, in_cell = c / 2 != 0;
      const guint32 cell[12] = { 14, 40 + 192, 6, 8, 1, 0, 5, 8, 1, 1, 1 << 16 | 1, 'c' };
      const guint32 head[16] = { 14, 184, 6, 8, 2, 0, 5, 8, 1, 1, 1 << 16 | 1, 's', 4 << 16 | 5, 2, 4 << 16 | 1,
                                 'a' | 'b' << 16 };
      const guint32 scalar[16] = { 14, 56, 6, 8, 6, 0, 5, 8, 1, 1, 1, 0, 9, 8, 0, 0 };
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *path = write_cube (folder, FALSE);
      g_autoptr (GByteArray) bytes = load (path), whole = g_byte_array_new ();

      g_byte_array_append (whole, bytes->data, 128);
      if (!before)
        g_byte_array_append (whole, bytes->data + 128, bytes->len - 128);
      if (in_cell)
        g_byte_array_append (whole, (const guint8 *) cell, sizeof cell);
      g_byte_array_append (whole, (const guint8 *) head, sizeof head);
      for (guint i = 0; i < 2; i++)
        g_byte_array_append (whole, (const guint8 *) scalar, sizeof scalar);
      if (before)
        g_byte_array_append (whole, bytes->data + 128, bytes->len - 128);
      store (path, whole);

      g_autoptr (EsCube) cube = es_test_open (path);
      es_test_compare (cube, expected, NULL);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/readers-mat/zeros", test_zeros);
  g_test_add_func ("/readers-mat/chain", test_chain);
  g_test_add_func ("/readers-mat/short", test_short);
  g_test_add_func ("/readers-mat/packed", test_packed);
  g_test_add_func ("/readers-mat/deep", test_deep);
  g_test_add_func ("/readers-mat/name", test_name);
  g_test_add_func ("/readers-mat/promises", test_promises);
  g_test_add_func ("/readers-mat/small-axes", test_small_axes);
  g_test_add_func ("/readers-mat/short-names", test_short_names);
  return g_test_run ();
}
