/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-test-matrix.h"
#include "readers/es-open.h"
#include "simulate/es-simulate.h"

static void
check_same (EsSparseMatrix *a, EsSparseMatrix *b)
{
  const gsize rows = es_sparse_matrix_get_n_rows (a), n = es_sparse_matrix_get_n_nonzeros (a);

  g_assert_cmpuint (es_sparse_matrix_get_n_rows (b), ==, rows);
  g_assert_cmpuint (es_sparse_matrix_get_n_columns (b), ==, es_sparse_matrix_get_n_columns (a));
  g_assert_cmpuint (es_sparse_matrix_get_n_nonzeros (b), ==, n);
  g_assert_cmpint (es_sparse_matrix_get_symmetry (b), ==, es_sparse_matrix_get_symmetry (a));
  g_assert_cmpmem (es_sparse_matrix_get_row_from (b), (rows + 1) * sizeof (gint32), es_sparse_matrix_get_row_from (a),
                   (rows + 1) * sizeof (gint32));
  g_assert_cmpmem (es_sparse_matrix_get_columns (b), n * sizeof (gint32), es_sparse_matrix_get_columns (a),
                   n * sizeof (gint32));
  g_assert_cmpmem (es_sparse_matrix_get_values (b), n * sizeof (double), es_sparse_matrix_get_values (a),
                   n * sizeof (double));
}

static EsSparseMatrix *
open_file (GFile *file)
{
  g_autoptr (GError) error = NULL;
  EsDataset *dataset = es_dataset_open (file, NULL, NULL, &error);

  g_assert_no_error (error);
  return ES_SPARSE_MATRIX (dataset);
}

static void
write_file (EsSparseMatrix *matrix, GFile *file)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (es_sparse_matrix_write (matrix, file, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (es_sparse_matrix_is_written (file));
}

/* To the last bit, each kind, compressed or not. */
static void
test_again (void)
{
  static const char * const names[] = {
    "example:4x4", "poisson2d:40x30", "random:n=3000,mean=30,deviation=9", "power:n=400",
    "random:rows=40,columns=70,lengths=0x1+9x1", "random:n=2000,mean=15,symmetric=1,dominant=1", "banded:n=9,lower=0",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    for (guint packed = 0; packed < 2; packed++)
      {
        g_autoptr (EsSparseMatrix) matrix = es_test_matrix_make (names[i]), again = NULL;
        g_autofree char *name = g_strdup_printf ("w%u.mtx%s", i, packed ? ".gz" : "");
        g_autoptr (GFile) file = es_test_matrix_file (name, "", 0);

        write_file (matrix, file);
        again = open_file (file);
        check_same (matrix, again);
      }
}

/* Values that lose something where they are written with too few digits. */
static void
test_values (void)
{
  static const double values[] = { 0.1, 1.0 / 3, -0.0, 4.9406564584124654e-324, 1.7976931348623157e308, 1e15, 1e15 + 2,
                                   -123456789012345680.0, 2.5, -7, 0, 1e-7 };
  const gsize n = G_N_ELEMENTS (values);
  gint32 *row_from = g_new (gint32, 2), *columns = g_new (gint32, n);
  g_autoptr (GFile) file = es_test_matrix_file ("values.mtx", "", 0);
  g_autoptr (EsSparseMatrix) matrix = NULL, again = NULL;
  g_autoptr (GError) error = NULL;

  row_from[0] = 0;
  row_from[1] = (gint32) n;
  for (gsize i = 0; i < n; i++)
    columns[i] = (gint32) i;
  matrix = es_sparse_matrix_new ("values\nof", 1, n, row_from, columns, g_memdup2 (values, sizeof values),
                                 ES_SYMMETRY_GENERAL, &error);
  g_assert_no_error (error);
  write_file (matrix, file);
  again = open_file (file);
  check_same (matrix, again);
}

static void
test_skew (void)
{
  g_autoptr (EsSparseMatrix) matrix
    = es_test_matrix_open ("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 3\n3 2 -5\n");
  g_autoptr (GFile) file = es_test_matrix_file ("skew.mtx", "", 0);
  g_autoptr (EsSparseMatrix) again = NULL;
  g_autofree char *text = NULL;

  write_file (matrix, file);
  again = open_file (file);
  check_same (matrix, again);
  g_assert_true (g_file_load_contents (file, NULL, &text, NULL, NULL, NULL));
  g_assert_cmpstr (text, ==, "%%MatrixMarket matrix coordinate real skew-symmetric\n% Eigenscope: m.mtx\n3 3 2\n"
                             "2 1 3\n3 2 -5\n");
}

static gboolean
simulate (GFile *file, const char *name, GCancellable *cancellable, GError **error)
{
  g_autoptr (EsParams) params = es_params_new (es_simulate_matrix_params);

  g_assert_true (es_params_parse (params, "name", name, NULL));
  return es_simulate_matrix (file, params, NULL, NULL, cancellable, error);
}

/* What somebody else wrote stays, and what was written so before is written anew. */
static void
test_simulate (void)
{
  static const char other[] = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n";
  g_autoptr (GFile) file = es_test_matrix_file ("s.mtx.gz", "", 0);
  g_autoptr (GFile) foreign = es_test_matrix_file ("foreign.mtx", other, sizeof other - 1);
  g_autoptr (GFile) wrong = g_file_new_for_path ("/tmp/s.csv"), nowhere = g_file_new_for_path ("/nowhere/s.mtx");
  g_autoptr (EsSparseMatrix) matrix = es_test_matrix_make ("banded:n=20"), again = NULL;
  g_autoptr (GError) kept = NULL, ending = NULL, name = NULL, folder = NULL, none = NULL;
  g_autofree char *text = NULL;

  g_assert_true (g_file_delete (file, NULL, NULL));
  g_assert_true (simulate (file, "poisson2d:9x9", NULL, &none));
  g_assert_true (simulate (file, "banded:n=20", NULL, &none));
  g_assert_no_error (none);
  again = open_file (file);
  check_same (matrix, again);
  g_assert_false (simulate (foreign, "banded:n=20", NULL, &kept));
  g_assert_error (kept, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  g_assert_true (g_file_load_contents (foreign, NULL, &text, NULL, NULL, NULL));
  g_assert_cmpstr (text, ==, other);
  g_assert_false (simulate (wrong, "banded:n=20", NULL, &ending));
  g_assert_error (ending, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  g_assert_false (simulate (nowhere, "nothing", NULL, &name));
  g_assert_error (name, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_assert_false (simulate (nowhere, "banded:n=20", NULL, &folder));
  g_assert_error (folder, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
}

static void
cancel (double fraction, gpointer data)
{
  g_cancellable_cancel (data);
}

static void
test_cancelled (void)
{
  g_autoptr (EsSparseMatrix) matrix = es_test_matrix_make ("poisson2d:300x300");
  g_autoptr (GFile) file = es_test_matrix_file ("cancelled.mtx", "before", 6);
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_assert_false (es_sparse_matrix_write (matrix, file, cancel, cancellable, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_true (g_file_load_contents (file, NULL, &text, NULL, NULL, NULL));
  g_assert_cmpstr (text, ==, "before");
}

/* What is open is not replaced. */
static void
test_open (void)
{
  g_autoptr (EsSparseMatrix) matrix = es_test_matrix_make ("poisson2d:9x9"), held = NULL;
  g_autoptr (GFile) file = es_test_matrix_file ("held.mtx", "", 0);
  g_autoptr (GError) error = NULL;

  write_file (matrix, file);
  held = open_file (file);
  g_assert_false (es_sparse_matrix_write (held, file, NULL, NULL, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/matrix/write/again", test_again);
  g_test_add_func ("/matrix/write/values", test_values);
  g_test_add_func ("/matrix/write/skew", test_skew);
  g_test_add_func ("/matrix/write/simulate", test_simulate);
  g_test_add_func ("/matrix/write/cancelled", test_cancelled);
  g_test_add_func ("/matrix/write/open", test_open);
  return g_test_run ();
}
