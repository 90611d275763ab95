/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-test-matrix.h"

/* ---- what it is made of ---- */

static EsSparseMatrix *
make (gsize rows, gsize columns, const gint32 *row_from, const gint32 *column, const double *values, gsize n,
      EsSymmetry symmetry, GError **error)
{
  return es_sparse_matrix_new ("m", rows, columns, g_memdup2 (row_from, (rows + 1) * sizeof *row_from),
                               g_memdup2 (column, n * sizeof *column), g_memdup2 (values, n * sizeof *values), symmetry,
                               error);
}

static void
refuses (gsize rows, gsize columns, const gint32 *row_from, const gint32 *column, const double *values, gsize n,
         EsSymmetry symmetry, const char *found)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (make (rows, columns, row_from, column, values, n, symmetry, &error));
  g_assert_true (error->domain == ES_DATA_ERROR);
  if (strstr (error->message, found) == NULL)
    g_error ("“%s” does not say “%s”", error->message, found);
}

static void
test_checks (void)
{
  const double values[] = { 1, 2, 3 }, broken[] = { 1, NAN, 3 };

  refuses (2, 2, (gint32[]) { 0, 1, 3 }, (gint32[]) { 0, 0, 2 }, values, 3, ES_SYMMETRY_GENERAL, "Row 2");
  refuses (2, 2, (gint32[]) { 0, 1, 3 }, (gint32[]) { -1, 0, 1 }, values, 3, ES_SYMMETRY_GENERAL, "column 0 of 2");
  refuses (2, 2, (gint32[]) { 0, 1, 3 }, (gint32[]) { 0, 1, 1 }, values, 3, ES_SYMMETRY_GENERAL, "column 2 twice");
  refuses (2, 2, (gint32[]) { 0, 1, 3 }, (gint32[]) { 0, 1, 0 }, values, 3, ES_SYMMETRY_GENERAL, "ascending");
  refuses (2, 2, (gint32[]) { 0, 2, 1 }, (gint32[]) { 0, 1, 1 }, values, 3, ES_SYMMETRY_GENERAL, "Row 2");
  refuses (2, 2, (gint32[]) { 1, 2, 3 }, (gint32[]) { 0, 1, 1 }, values, 3, ES_SYMMETRY_GENERAL, "Row 1");
  refuses (2, 2, (gint32[]) { 0, 1, 3 }, (gint32[]) { 0, 0, 1 }, broken, 3, ES_SYMMETRY_GENERAL, "finite");
  refuses (2, 3, (gint32[]) { 0, 1, 3 }, (gint32[]) { 0, 0, 1 }, values, 3, ES_SYMMETRY_SYMMETRIC, "2 x 3");
  refuses (2, 2, (gint32[]) { 0, 1, 2 }, (gint32[]) { 1, 0 }, values, 2, ES_SYMMETRY_SYMMETRIC, "differ");
  refuses (2, 2, (gint32[]) { 0, 1, 2 }, (gint32[]) { 1, 0 }, values, 2, ES_SYMMETRY_SKEW, "negatives");
  refuses (2, 2, (gint32[]) { 0, 1, 1 }, (gint32[]) { 0 }, values, 1, ES_SYMMETRY_SKEW, "negatives");
  refuses (0, 3, (gint32[]) { 0 }, (gint32[]) { 0 }, values, 0, ES_SYMMETRY_GENERAL, "0 x 3");
}

static void
test_identity (void)
{
  const double values[] = { 1, 2, 3 }, others[] = { 1, 2, 4 };
  const gint32 row_from[] = { 0, 1, 3 }, column[] = { 0, 0, 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (EsSparseMatrix) a = make (2, 2, row_from, column, values, 3, ES_SYMMETRY_GENERAL, &error);
  g_autoptr (EsSparseMatrix) b = make (2, 2, row_from, column, values, 3, ES_SYMMETRY_GENERAL, &error);
  g_autoptr (EsSparseMatrix) c = make (2, 2, row_from, column, others, 3, ES_SYMMETRY_GENERAL, &error);
  g_autoptr (EsSparseMatrix) d = make (2, 3, row_from, column, values, 3, ES_SYMMETRY_GENERAL, &error);
  g_autofree char *shape = es_dataset_shape (ES_DATASET (d));

  g_assert_no_error (error);
  g_assert_cmpstr (es_dataset_get_identity (ES_DATASET (a)), ==, es_dataset_get_identity (ES_DATASET (b)));
  g_assert_cmpstr (es_dataset_get_identity (ES_DATASET (a)), !=, es_dataset_get_identity (ES_DATASET (c)));
  g_assert_cmpstr (es_dataset_get_identity (ES_DATASET (a)), !=, es_dataset_get_identity (ES_DATASET (d)));
  g_assert_cmpstr (shape, ==, "2x3:3");
  g_assert_cmpint (es_dataset_get_kind (ES_DATASET (a)), ==, ES_DATASET_MATRIX);
  g_assert_false (es_dataset_opens_again (ES_DATASET (a)));
}

/* ---- statistics, by looking at all elements ---- */

static gsize
count_bin (const gsize *lengths, gsize rows, guint bin)
{
  const gsize from = bin == 0 ? 0 : (gsize) 1 << (bin - 1), to = bin == 0 ? 0 : ((gsize) 1 << bin) - 1;
  gsize n = 0;

  for (gsize i = 0; i < rows; i++)
    n += lengths[i] >= from && lengths[i] <= to;
  return n;
}

static void
check_lengths (EsSparseMatrix *matrix, const EsMatrixStatistics *statistics)
{
  const gsize rows = es_sparse_matrix_get_n_rows (matrix);
  const gint32 *row_from = es_sparse_matrix_get_row_from (matrix);
  g_autofree gsize *lengths = g_new (gsize, rows);
  gsize shortest = G_MAXSIZE, longest = 0, empty = 0;
  double sum = 0, squares = 0;

  for (gsize i = 0; i < rows; i++)
    {
      lengths[i] = (gsize) (row_from[i + 1] - row_from[i]);
      shortest = MIN (shortest, lengths[i]);
      longest = MAX (longest, lengths[i]);
      empty += lengths[i] == 0;
      sum += (double) lengths[i];
    }
  for (gsize i = 0; i < rows; i++)
    squares += pow ((double) lengths[i] - sum / (double) rows, 2);
  g_assert_cmpuint (statistics->shortest, ==, shortest);
  g_assert_cmpuint (statistics->longest, ==, longest);
  g_assert_cmpuint (statistics->n_empty_rows, ==, empty);
  g_assert_cmpfloat_with_epsilon (statistics->mean, sum / (double) rows, 1e-12);
  g_assert_cmpfloat_with_epsilon (statistics->deviation, sqrt (squares / (double) rows), 1e-12);
  for (guint bin = 0; bin < G_N_ELEMENTS (statistics->lengths); bin++)
    g_assert_cmpuint (statistics->lengths[bin], ==, count_bin (lengths, rows, bin));
}

/* stored: the same shape, with 1 where something is stored. */
static void
check_statistics (EsSparseMatrix *matrix, const double *dense, const guint8 *stored)
{
  const EsMatrixStatistics *statistics = es_sparse_matrix_get_statistics (matrix);
  const gsize rows = es_sparse_matrix_get_n_rows (matrix), columns = es_sparse_matrix_get_n_columns (matrix);
  gsize lower = 0, upper = 0, diagonals = 0, zero = 0, dominant = 0;
  gboolean symmetric = rows == columns;

  for (gsize i = 0; i < rows; i++)
    {
      double others = 0;

      for (gsize j = 0; j < columns; j++)
        {
          if (stored[i * columns + j] && j < i)
            lower = MAX (lower, i - j);
          if (stored[i * columns + j] && j > i)
            upper = MAX (upper, j - i);
          if (i != j)
            others += fabs (dense[i * columns + j]);
          if (rows == columns)
            symmetric = symmetric && dense[i * columns + j] == dense[j * columns + i];
        }
      zero += i < columns && dense[i * columns + i] == 0;
      dominant += (i < columns ? fabs (dense[i * columns + i]) : 0) >= others;
    }
  for (gssize offset = 1 - (gssize) rows; offset < (gssize) columns; offset++)
    {
      gboolean any = FALSE;

      for (gsize i = 0; i < rows; i++)
        any |= (gssize) i + offset >= 0 && (gssize) i + offset < (gssize) columns
               && stored[i * columns + (gsize) ((gssize) i + offset)];
      diagonals += any;
    }
  g_assert_cmpuint (statistics->lower, ==, lower);
  g_assert_cmpuint (statistics->upper, ==, upper);
  g_assert_cmpuint (statistics->n_diagonals, ==, diagonals);
  g_assert_cmpuint (statistics->n_zero_diagonal, ==, zero);
  g_assert_cmpfloat (statistics->dominant, ==, (double) dominant / (double) rows);
  g_assert_cmpint (statistics->is_square, ==, rows == columns);
  g_assert_cmpint (statistics->is_symmetric, ==, symmetric);
  check_lengths (matrix, statistics);
}

static void
check_cells (EsSparseMatrix *matrix, const guint8 *stored, guint width, guint height)
{
  const gsize rows = es_sparse_matrix_get_n_rows (matrix), columns = es_sparse_matrix_get_n_columns (matrix);
  g_autofree guint32 *cells = g_new (guint32, (gsize) width * height);
  g_autoptr (GError) error = NULL;

  g_assert_true (es_sparse_matrix_count_cells (matrix, width, height, cells, NULL, &error));
  g_assert_no_error (error);
  for (guint r = 0; r < height; r++)
    for (guint c = 0; c < width; c++)
      {
        guint32 n = 0;

        for (gsize i = r * rows / height; i < (r + 1) * rows / height; i++)
          for (gsize j = c * columns / width; j < (c + 1) * columns / width; j++)
            n += stored[i * columns + j];
        g_assert_cmpuint (cells[r * width + c], ==, n);
      }
}

/* Elements at random, some stored as 0; kind 0: symmetric, 1: symmetric but for one value, 2: anything. */
static void
check_random (GRand *random, gsize rows, gsize columns, double density, guint kind)
{
  g_autofree double *dense = g_new0 (double, rows * columns), *values = g_new (double, rows * columns);
  g_autofree guint8 *stored = g_new0 (guint8, rows * columns);
  g_autofree gint32 *row_from = g_new0 (gint32, rows + 1), *column = g_new (gint32, rows * columns);
  g_autoptr (EsSparseMatrix) matrix = NULL;
  g_autoptr (GError) error = NULL;
  gint32 n = 0;

  for (gsize i = 0; i < rows; i++)
    for (gsize j = 0; j < columns; j++)
      if (g_rand_double (random) < density)
        {
          const double value = g_rand_int_range (random, -3, 4);

          stored[i * columns + j] = 1;
          dense[i * columns + j] = value;
          if (kind < 2 && j < rows && i < columns)
            {
              /* A stored 0 needs nothing on the other side. */
              stored[j * columns + i] = stored[j * columns + i] || value != 0 || g_rand_boolean (random);
              dense[j * columns + i] = value;
            }
        }
  for (gsize k = 0; kind == 1 && k < rows * columns; k++)
    if (dense[k] != 0 && k / columns != k % columns)
      {
        dense[k] += 1;
        break;
      }
  for (gsize i = 0; i < rows; i++)
    {
      for (gsize j = 0; j < columns; j++)
        if (stored[i * columns + j])
          {
            column[n] = (gint32) j;
            values[n++] = dense[i * columns + j];
          }
      row_from[i + 1] = n;
    }
  matrix = make (rows, columns, row_from, column, values, (gsize) n, ES_SYMMETRY_GENERAL, &error);
  g_assert_no_error (error);
  check_statistics (matrix, dense, stored);
  check_cells (matrix, stored, 1, 1);
  check_cells (matrix, stored, 7, 5);
  check_cells (matrix, stored, (guint) columns, (guint) rows);
  check_cells (matrix, stored, (guint) columns + 13, (guint) rows * 3 + 1);
}

static void
test_statistics (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (guint i = 0; i < 60; i++)
    {
      const gsize n = (gsize) g_rand_int_range (random, 1, 40);
      const double density = g_rand_double (random) * (i % 3 == 0 ? 0.05 : 0.6);

      check_random (random, n, n, density, i % 3);
      check_random (random, n, (gsize) g_rand_int_range (random, 1, 90), density, 2);
    }
}

static void
test_many_threads (gconstpointer data)
{
  g_autoptr (EsSparseMatrix) matrix = es_test_matrix_make ("poisson2d:300x300");
  GThread *threads[4];
  gconstpointer found[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("statistics", (GThreadFunc) (void *) es_sparse_matrix_get_statistics, matrix);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    found[i] = g_thread_join (threads[i]);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_assert_true (found[i] == found[0]);
  g_assert_cmpuint (((const EsMatrixStatistics *) found[0])->longest, ==, 5);
}

static void
test_cells_cancelled (void)
{
  g_autoptr (EsSparseMatrix) matrix = es_test_matrix_make ("poisson2d:30x30");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  guint32 cells[16];

  g_cancellable_cancel (cancellable);
  g_assert_false (es_sparse_matrix_count_cells (matrix, 4, 4, cells, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/matrix/checks", test_checks);
  g_test_add_func ("/matrix/identity", test_identity);
  g_test_add_func ("/matrix/statistics", test_statistics);
  g_test_add_data_func ("/matrix/threads", NULL, test_many_threads);
  g_test_add_func ("/matrix/cells-cancelled", test_cells_cancelled);
  return g_test_run ();
}
