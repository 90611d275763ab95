/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Nonzeros counted in the cells of a part of a matrix: against every nonzero put into its cell one by one, and against
 * the count of the whole. */

#include <string.h>

#include "matrix/es-matrix-window.h"

static EsSparseMatrix *
make (const char *name)
{
  g_autoptr (GError) error = NULL;
  EsDataset *matrix = es_sparse_matrix_make (name, NULL, &error);

  g_assert_no_error (error);
  return ES_SPARSE_MATRIX (matrix);
}

/* The last cell that begins at or before a place, where cell k begins at k * n / cells rounded down. */
static gsize
find_cell (gsize place, gsize n, guint cells)
{
  gsize cell = 0;

  for (guint k = 0; k < cells; k++)
    if ((guint64) k * n / cells <= place)
      cell = k;
  return cell;
}

static void
count_slowly (EsSparseMatrix *matrix, const EsMatrixWindow *window, guint width, guint height, guint32 *cells)
{
  const gint32 *row_from = es_sparse_matrix_get_row_from (matrix), *columns = es_sparse_matrix_get_columns (matrix);

  memset (cells, 0, sizeof (guint32) * width * height);
  for (gsize row = window->row; row < window->row + window->n_rows; row++)
    for (gint32 k = row_from[row]; k < row_from[row + 1]; k++)
      if ((gsize) columns[k] >= window->column && (gsize) columns[k] < window->column + window->n_columns)
        cells[find_cell (row - window->row, window->n_rows, height) * width
              + find_cell ((gsize) columns[k] - window->column, window->n_columns, width)]++;
}

static void
check (EsSparseMatrix *matrix, const EsMatrixWindow *window, guint width, guint height)
{
  g_autofree guint32 *cells = g_new (guint32, (gsize) width * height);
  g_autofree guint32 *expected = g_new (guint32, (gsize) width * height);
  g_autoptr (GError) error = NULL;

  g_assert_true (es_matrix_window_count_cells (matrix, window, width, height, cells, NULL, &error));
  g_assert_no_error (error);
  count_slowly (matrix, window, width, height, expected);
  g_assert_cmpmem (cells, sizeof (guint32) * width * height, expected, sizeof (guint32) * width * height);
}

static void
test_parts (void)
{
  static const char *const names[] = { "random:n=97,mean=6,deviation=5,seed=3",
                                       "random:rows=40,columns=151,mean=9,seed=4", "poisson2d:11x8", "example:4x4" };
  g_autoptr (GRand) rand = g_rand_new_with_seed (21);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (EsSparseMatrix) matrix = make (names[i]);
      const gint32 rows = (gint32) es_sparse_matrix_get_n_rows (matrix);
      const gint32 columns = (gint32) es_sparse_matrix_get_n_columns (matrix);

      for (guint turn = 0; turn < 200; turn++)
        {
          EsMatrixWindow window = { .n_rows = (gsize) g_rand_int_range (rand, 1, rows + 1),
                                    .n_columns = (gsize) g_rand_int_range (rand, 1, columns + 1) };

          window.row = (gsize) g_rand_int_range (rand, 0, rows - (gint32) window.n_rows + 1);
          window.column = (gsize) g_rand_int_range (rand, 0, columns - (gint32) window.n_columns + 1);
          check (matrix, &window, (guint) g_rand_int_range (rand, 1, (gint32) window.n_columns + 1),
                 (guint) g_rand_int_range (rand, 1, (gint32) window.n_rows + 1));
        }
    }
}

/* The part that is the whole. */
static void
test_whole (void)
{
  g_autoptr (EsSparseMatrix) matrix = make ("random:rows=300,columns=211,mean=5,deviation=4,seed=9");
  const EsMatrixWindow window = { 0, 300, 0, 211 };
  static const struct { guint width, height; } sizes[] = { { 1, 1 }, { 17, 3 }, { 211, 300 }, { 64, 128 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      const gsize n = (gsize) sizes[i].width * sizes[i].height;
      g_autofree guint32 *cells = g_new (guint32, n), *whole = g_new (guint32, n);

      g_assert_true (es_matrix_window_count_cells (matrix, &window, sizes[i].width, sizes[i].height, cells, NULL,
                                                   NULL));
      g_assert_true (es_sparse_matrix_count_cells (matrix, sizes[i].width, sizes[i].height, whole, NULL, NULL));
      g_assert_cmpmem (cells, n * sizeof (guint32), whole, n * sizeof (guint32));
    }
}

static void
test_cancelled (void)
{
  g_autoptr (EsSparseMatrix) matrix = make ("poisson2d:50x50");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  const EsMatrixWindow window = { 10, 2000, 10, 2000 };
  g_autoptr (GError) error = NULL;
  guint32 cells[16];

  g_cancellable_cancel (cancellable);
  g_assert_false (es_matrix_window_count_cells (matrix, &window, 4, 4, cells, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/matrix-part/parts", test_parts);
  g_test_add_func ("/matrix-part/whole", test_whole);
  g_test_add_func ("/matrix-part/cancelled", test_cancelled);
  return g_test_run ();
}
