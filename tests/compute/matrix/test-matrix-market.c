/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-test-matrix.h"
#include "readers/es-open.h"

#define HEAD "%%MatrixMarket matrix coordinate "

/* The matrix of sparse.md 1.0. */
static const char golden[] =
  HEAD "real general\n% rows of\n%\n\n4 4 9\n1 1 1\n1 2 7\n2 2 2\n2 3 8\n3 1 5\n3 3 3\n3 4 9\n4 2 6\n4 4 4\n";

static void
check_arrays (EsSparseMatrix *matrix, gsize rows, const gint32 *row_from, const gint32 *columns, const double *values)
{
  const gsize n = (gsize) row_from[rows];

  g_assert_cmpuint (es_sparse_matrix_get_n_rows (matrix), ==, rows);
  g_assert_cmpuint (es_sparse_matrix_get_n_nonzeros (matrix), ==, n);
  g_assert_cmpmem (es_sparse_matrix_get_row_from (matrix), (rows + 1) * sizeof (gint32), row_from,
                   (rows + 1) * sizeof (gint32));
  g_assert_cmpmem (es_sparse_matrix_get_columns (matrix), n * sizeof (gint32), columns, n * sizeof (gint32));
  g_assert_cmpmem (es_sparse_matrix_get_values (matrix), n * sizeof (double), values, n * sizeof (double));
}

static void
check_golden (EsSparseMatrix *matrix)
{
  check_arrays (matrix, 4, (gint32[]) { 0, 2, 4, 7, 9 }, (gint32[]) { 0, 1, 1, 2, 0, 2, 3, 1, 3 },
                (double[]) { 1, 7, 2, 8, 5, 3, 9, 6, 4 });
}

static char *
with_line_ends (const char *text, const char *end)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  return g_strjoinv (end, lines);
}

/* One matrix, written in all ways that are allowed. */
static void
test_golden (void)
{
  static const char * const texts[] = {
    golden,
    HEAD "integer general\n4 4 9\n4 4 4\n4 2 6\n3 4 9\n3 3 3\n3 1 5\n2 3 8\n2 2 2\n1 2 7\n1 1 1",
    "%%matrixmarket MATRIX Coordinate REAL General\n 4\t4  9 \n\t1 1 1.\n 1 2 +7e0\n\n2 2 0.2e1\n% between\n2 3 8D0\n"
    "3 1 50e-1\n  3 3 3\n3 4 9 \n4 2 6\n4 4 4\n\n%\n",
    "%%MatrixMarket matrix array real general\n4 4\n1\n0\n5\n0\n7\n2\n0\n6\n0\n8\n3\n0\n0\n0\n9\n4\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *dos = with_line_ends (texts[i], "\r\n");
      g_autoptr (EsSparseMatrix) matrix = es_test_matrix_open (texts[i]);
      g_autoptr (EsSparseMatrix) of_dos = es_test_matrix_open (dos);

      check_golden (matrix);
      check_golden (of_dos);
      g_assert_cmpuint (es_sparse_matrix_get_n_duplicates (matrix), ==, 0);
      g_assert_null (es_dataset_get_notes (ES_DATASET (matrix)));
    }
}

static void
test_symmetric (void)
{
  static const char * const texts[] = {
    HEAD "real symmetric\n3 3 4\n1 1 2\n2 1 -1\n3 2 5\n3 3 4\n",
    /* The other side, or either, says the same. */
    HEAD "real symmetric\n3 3 4\n1 1 2\n1 2 -1\n2 3 5\n3 3 4\n",
    HEAD "real hermitian\n3 3 4\n3 3 4\n1 2 -1\n3 2 5\n1 1 2\n",
    "%%MatrixMarket matrix array real symmetric\n3 3\n2\n-1\n0\n0\n5\n4\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (EsSparseMatrix) matrix = es_test_matrix_open (texts[i]);

      check_arrays (matrix, 3, (gint32[]) { 0, 2, 4, 6 }, (gint32[]) { 0, 1, 0, 2, 1, 2 },
                    (double[]) { 2, -1, -1, 5, 5, 4 });
      g_assert_cmpint (es_sparse_matrix_get_symmetry (matrix), ==, ES_SYMMETRY_SYMMETRIC);
      g_assert_true (es_sparse_matrix_get_statistics (matrix)->is_symmetric);
    }
}

static void
test_skew (void)
{
  static const char * const texts[] = {
    HEAD "real skew-symmetric\n3 3 2\n2 1 3\n3 2 -5\n", HEAD "real skew-symmetric\n3 3 3\n1 2 -3\n2 3 5\n2 2 0\n",
    "%%MatrixMarket matrix array integer skew-symmetric\n3 3\n3\n0\n-5\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (EsSparseMatrix) matrix = es_test_matrix_open (texts[i]);

      check_arrays (matrix, 3, (gint32[]) { 0, 1, 3, 4 }, (gint32[]) { 1, 0, 2, 1 }, (double[]) { -3, 3, 5, -5 });
      g_assert_cmpint (es_sparse_matrix_get_symmetry (matrix), ==, ES_SYMMETRY_SKEW);
    }
}

static void
test_pattern (void)
{
  g_autoptr (EsSparseMatrix) matrix = es_test_matrix_open (HEAD "pattern symmetric\n2 2 2\n1 1\n2 1\n");
  g_autoptr (EsSparseMatrix) wide = es_test_matrix_open (HEAD "pattern general\n2 5 3\n1 5\n1 1\n2 3\n");
  g_autoptr (EsSparseMatrix) empty = es_test_matrix_open (HEAD "real general\n3 2 0\n");

  check_arrays (matrix, 2, (gint32[]) { 0, 2, 3 }, (gint32[]) { 0, 1, 0 }, (double[]) { 1, 1, 1 });
  check_arrays (wide, 2, (gint32[]) { 0, 2, 3 }, (gint32[]) { 0, 4, 2 }, (double[]) { 1, 1, 1 });
  g_assert_cmpuint (es_sparse_matrix_get_n_columns (wide), ==, 5);
  check_arrays (empty, 3, (gint32[]) { 0, 0, 0, 0 }, (gint32[]) { 0 }, (double[]) { 0 });
}

static void
test_duplicates (void)
{
  g_autoptr (EsSparseMatrix) general
    = es_test_matrix_open (HEAD "real general\n2 2 5\n2 1 1\n1 1 2\n2 1 3\n2 1 4\n1 1 8\n");
  g_autoptr (EsSparseMatrix) symmetric
    = es_test_matrix_open (HEAD "real symmetric\n2 2 4\n2 1 1\n2 1 3\n2 2 4\n2 2 5\n");

  check_arrays (general, 2, (gint32[]) { 0, 1, 2 }, (gint32[]) { 0, 0 }, (double[]) { 10, 8 });
  g_assert_cmpuint (es_sparse_matrix_get_n_duplicates (general), ==, 3);
  g_assert_nonnull (strstr (es_dataset_get_notes (ES_DATASET (general))[0], "3 entries"));
  check_arrays (symmetric, 2, (gint32[]) { 0, 1, 3 }, (gint32[]) { 1, 0, 1 }, (double[]) { 4, 4, 9 });
  g_assert_cmpuint (es_sparse_matrix_get_n_duplicates (symmetric), ==, 2);
}

/* Any order of entries, against all elements; and the order of duplicates counts. */
static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);

  for (guint round = 0; round < 30; round++)
    {
      const guint rows = (guint) g_rand_int_range (random, 1, 30), columns = (guint) g_rand_int_range (random, 1, 30);
      const guint n = (guint) g_rand_int_range (random, 0, 400);
      g_autofree double *expected = g_new0 (double, rows * columns);
      g_autoptr (GString) text = g_string_new (HEAD "real general\n");
      g_autoptr (EsSparseMatrix) matrix = NULL;
      g_autofree double *dense = NULL;

      g_string_append_printf (text, "%u %u %u\n", rows, columns, n);
      for (guint k = 0; k < n; k++)
        {
          const guint i = (guint) g_rand_int_range (random, 0, (gint) rows);
          const guint j = (guint) g_rand_int_range (random, 0, (gint) columns);
          const double value = g_rand_double (random) - 0.5;
          char number[G_ASCII_DTOSTR_BUF_SIZE];

          expected[i * columns + j] += value;
          g_string_append_printf (text, "%u %u %s\n", i + 1, j + 1, g_ascii_dtostr (number, sizeof number, value));
        }
      matrix = es_test_matrix_open (text->str);
      dense = es_test_matrix_dense (matrix);
      g_assert_cmpmem (dense, rows * columns * sizeof (double), expected, rows * columns * sizeof (double));
    }
}

/* ---- compressed ---- */

static EsSparseMatrix *
open_file (GFile *file)
{
  g_autoptr (GError) error = NULL;
  EsDataset *dataset = es_dataset_open (file, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (ES_IS_SPARSE_MATRIX (dataset));
  es_test_matrix_check (ES_SPARSE_MATRIX (dataset));
  return ES_SPARSE_MATRIX (dataset);
}

static void
test_gzip (void)
{
  g_autoptr (GFile) file = es_test_matrix_gzip ("m.mtx.gz", golden, 9);
  g_autoptr (EsSparseMatrix) matrix = open_file (file);

  check_golden (matrix);
}

/* Several parts after each other, as programs write that compress in several threads, and zeros behind them. */
static void
test_gzip_parts (void)
{
  g_autoptr (GByteArray) all = g_byte_array_new ();
  g_autoptr (GFile) file = NULL;
  const gsize cuts[] = { 0, 5, 60, sizeof golden - 1 };

  for (guint i = 0; i + 1 < G_N_ELEMENTS (cuts); i++)
    {
      g_autofree char *part = g_strndup (golden + cuts[i], cuts[i + 1] - cuts[i]), *bytes = NULL;
      g_autoptr (GFile) one = es_test_matrix_gzip ("part.gz", part, 1);
      gsize length;

      g_assert_true (g_file_load_contents (one, NULL, &bytes, &length, NULL, NULL));
      g_byte_array_append (all, (guint8 *) bytes, (guint) length);
    }
  g_byte_array_append (all, (guint8[3]) { 0, 0, 0 }, 3);
  file = es_test_matrix_file ("parts.gz", all->data, all->len);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) matrix = es_sparse_matrix_open (file, NULL, &error);
  g_assert_no_error (error);
  check_golden (ES_SPARSE_MATRIX (matrix));
}

/* More than one piece of text and of what is compressed. */
static void
test_large (void)
{
  g_autoptr (EsSparseMatrix) made = es_test_matrix_make ("random:n=3000,mean=40,deviation=10,seed=5");
  const gint32 *row_from = es_sparse_matrix_get_row_from (made), *columns = es_sparse_matrix_get_columns (made);
  const double *values = es_sparse_matrix_get_values (made);
  g_autoptr (GString) text = g_string_new (HEAD "real general\n");
  g_autoptr (GFile) packed = NULL;

  g_string_append_printf (text, "3000 3000 %zu\n", es_sparse_matrix_get_n_nonzeros (made));
  for (gint32 i = 0; i < 3000; i++)
    for (gint32 k = row_from[i]; k < row_from[i + 1]; k++)
      {
        char number[G_ASCII_DTOSTR_BUF_SIZE];

        g_string_append_printf (text, "%d %d %s\n", i + 1, columns[k] + 1,
                                g_ascii_dtostr (number, sizeof number, values[k]));
      }
  g_assert_cmpuint (text->len, >, 3 << 20);
  packed = es_test_matrix_gzip ("large.mtx.gz", text->str, 1);
  g_autoptr (EsSparseMatrix) plain = es_test_matrix_open (text->str), again = open_file (packed);
  check_arrays (plain, 3000, row_from, columns, values);
  check_arrays (again, 3000, row_from, columns, values);
}

/* ---- as a data set ---- */

static void
test_dataset (void)
{
  g_autoptr (GFile) file = es_test_matrix_file ("named anyhow", golden, sizeof golden - 1);
  g_autoptr (EsSparseMatrix) matrix = open_file (file);
  EsDataset *dataset = ES_DATASET (matrix);
  g_autofree char *shape = es_dataset_shape (dataset), *description = es_dataset_describe (dataset);
  g_autoptr (GPtrArray) files = es_dataset_list_files (dataset);

  check_golden (matrix);
  g_assert_true (g_file_equal (es_dataset_get_file (dataset), file));
  g_assert_true (es_dataset_opens_again (dataset));
  g_assert_null (es_dataset_get_made_name (dataset));
  g_assert_cmpstr (shape, ==, "4x4:9");
  g_assert_cmpstr (description, ==, "4 × 4, 9 nonzeros");
  g_assert_cmpuint (files->len, ==, 1);
}

static void
test_cancelled (void)
{
  g_autoptr (GFile) file = es_test_matrix_file ("m.mtx", golden, sizeof golden - 1);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (es_sparse_matrix_open (file, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static gpointer
cancel_soon (gpointer data)
{
  g_usleep (15000);
  g_cancellable_cancel (data);
  return NULL;
}

/* In the middle of a file of ten million entries, compressed or not. */
static void
test_cancelled_amid (void)
{
  static const char line[] = "7 7 1\n";
  const gsize n = 10000000, bytes = sizeof line - 1;
  g_autoptr (GString) text = g_string_sized_new (n * bytes + 100);

  g_string_append (text, HEAD "real general\n");
  g_string_append_printf (text, "9 9 %zu\n", n);
  for (gsize i = 0; i < n; i++)
    g_string_append_len (text, line, (gssize) bytes);
  for (guint packed = 0; packed < 2; packed++)
    {
      g_autoptr (GFile) file = packed ? es_test_matrix_gzip ("long.mtx", text->str, 1)
                                      : es_test_matrix_file ("long.mtx", text->str, text->len);
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GError) error = NULL;
      GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);
      const gint64 start = g_get_monotonic_time ();

      g_assert_null (es_sparse_matrix_open (file, cancellable, &error));
      g_test_message ("%.0f ms", (double) (g_get_monotonic_time () - start) * 1e-3);
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_thread_join (thread);
      g_assert_true (g_file_delete (file, NULL, NULL));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/matrix/market/golden", test_golden);
  g_test_add_func ("/matrix/market/symmetric", test_symmetric);
  g_test_add_func ("/matrix/market/skew", test_skew);
  g_test_add_func ("/matrix/market/pattern", test_pattern);
  g_test_add_func ("/matrix/market/duplicates", test_duplicates);
  g_test_add_func ("/matrix/market/random", test_random);
  g_test_add_func ("/matrix/market/gzip", test_gzip);
  g_test_add_func ("/matrix/market/gzip-parts", test_gzip_parts);
  g_test_add_func ("/matrix/market/large", test_large);
  g_test_add_func ("/matrix/market/dataset", test_dataset);
  g_test_add_func ("/matrix/market/cancelled", test_cancelled);
  g_test_add_func ("/matrix/market/cancelled-amid", test_cancelled_amid);
  return g_test_run ();
}
