/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "dataset/es-dataset-internal.h"
#include "es-test-matrix.h"
#include "keeping/es-session-restore.h"
#include "readers/es-open-input-internal.h"
#include "session/es-result-load.h"

static double
at (const double *dense, gsize n, gsize i, gsize j)
{
  return dense[i * n + j];
}

/* Each element by the distance of its two points. */
static void
check_grid (const char *name, guint nx, guint ny, guint nz, gboolean box, double middle)
{
  g_autoptr (EsSparseMatrix) matrix = es_test_matrix_make (name);
  g_autofree double *dense = es_test_matrix_dense (matrix);
  const guint n = nx * ny * nz;

  g_assert_cmpuint (es_sparse_matrix_get_n_rows (matrix), ==, n);
  g_assert_cmpuint (es_sparse_matrix_get_n_columns (matrix), ==, n);
  for (guint a = 0; a < n; a++)
    for (guint b = 0; b < n; b++)
      {
        const int x = abs ((int) (a % nx) - (int) (b % nx)), y = abs ((int) (a / nx % ny) - (int) (b / nx % ny));
        const int z = abs ((int) (a / nx / ny) - (int) (b / nx / ny));
        const gboolean near = box ? MAX (MAX (x, y), z) <= 1 : x + y + z <= 1;

        g_assert_true (at (dense, n, a, b) == (a == b ? middle : near ? -1 : 0));
      }
  g_assert_true (es_sparse_matrix_get_statistics (matrix)->is_symmetric);
  g_assert_cmpint (es_sparse_matrix_get_symmetry (matrix), ==, ES_SYMMETRY_SYMMETRIC);
}

static void
test_grids (void)
{
  check_grid ("poisson2d:7x5", 7, 5, 1, FALSE, 4);
  check_grid ("poisson2d:5x7:5", 5, 7, 1, FALSE, 4);
  check_grid ("poisson2d:6x6:9", 6, 6, 1, TRUE, 8);
  check_grid ("poisson2d:1x1", 1, 1, 1, FALSE, 4);
  check_grid ("poisson2d:1x9:9", 1, 9, 1, TRUE, 8);
  check_grid ("poisson3d:4x3x5", 4, 3, 5, FALSE, 6);
  check_grid ("poisson3d:3x4x2:7", 3, 4, 2, FALSE, 6);
  check_grid ("poisson3d:3x4x5:27", 3, 4, 5, TRUE, 26);
  check_grid ("poisson3d:5x4x1:27", 5, 4, 1, TRUE, 26);
}

static void
check_band (const char *name, guint n, guint lower, guint upper)
{
  g_autoptr (EsSparseMatrix) matrix = es_test_matrix_make (name);
  g_autofree double *dense = es_test_matrix_dense (matrix);

  g_assert_cmpuint (es_sparse_matrix_get_n_rows (matrix), ==, n);
  for (guint i = 0; i < n; i++)
    {
      double others = 0;

      for (guint j = 0; j < n; j++)
        {
          const gboolean inside = j <= i ? i - j <= lower : j - i <= upper;

          g_assert_true ((at (dense, n, i, j) != 0) == inside);
          if (i != j)
            others += fabs (at (dense, n, i, j));
        }
      g_assert_cmpfloat (at (dense, n, i, i), >, others);
    }
}

static void
test_bands (void)
{
  check_band ("banded:n=30,lower=2,upper=5", 30, 2, 5);
  check_band ("banded:n=30", 30, 1, 1);
  check_band ("banded:n=9,lower=100,upper=0", 9, 8, 0);
  check_band ("banded:n=1,lower=3,upper=3", 1, 0, 0);
}

static void
test_example (void)
{
  g_autoptr (EsSparseMatrix) matrix = es_test_matrix_make ("example:4x4");
  g_autofree double *dense = es_test_matrix_dense (matrix);

  g_assert_cmpmem (dense, 16 * sizeof (double),
                   ((double[]) { 1, 7, 0, 0, 0, 2, 8, 0, 5, 0, 3, 9, 0, 6, 0, 4 }), 16 * sizeof (double));
}

/* ---- at random ---- */

static void
test_lengths_normal (void)
{
  g_autoptr (EsSparseMatrix) matrix = es_test_matrix_make ("random:n=20000,mean=20,deviation=4,seed=9");
  const EsMatrixStatistics *statistics = es_sparse_matrix_get_statistics (matrix);

  g_assert_cmpfloat_with_epsilon (statistics->mean, 20, 0.15);
  g_assert_cmpfloat_with_epsilon (statistics->deviation, 4, 0.2);
  g_assert_cmpfloat_with_epsilon ((double) statistics->n_zero_diagonal / 20000, 1 - 20.0 / 20000, 0.002);
  g_assert_cmpuint (statistics->lower, >, 19000);
}

/* Weights of 10, 60 and 1. */
static void
test_lengths_given (void)
{
  g_autoptr (EsSparseMatrix) matrix = es_test_matrix_make ("random:n=71000,lengths=0x10+3x60+100x1");
  const EsMatrixStatistics *statistics = es_sparse_matrix_get_statistics (matrix);

  g_assert_cmpuint (statistics->lengths[0] + statistics->lengths[2] + statistics->lengths[7], ==, 71000);
  g_assert_cmpfloat_with_epsilon ((double) statistics->n_empty_rows, 10000, 400);
  g_assert_cmpfloat_with_epsilon ((double) statistics->lengths[2], 60000, 500);
  g_assert_cmpfloat_with_epsilon ((double) statistics->lengths[7], 1000, 130);
  g_assert_cmpuint (statistics->longest, ==, 100);
}

/* P (length >= k) is k^(1 - exponent). */
static void
test_lengths_power (void)
{
  g_autoptr (EsSparseMatrix) matrix = es_test_matrix_make ("power:n=100000,exponent=2.5,longest=5000,seed=2");
  const gint32 *row_from = es_sparse_matrix_get_row_from (matrix);

  for (gint32 k = 1; k <= 64; k *= 4)
    {
      gsize n = 0;

      for (gsize i = 0; i < 100000; i++)
        n += row_from[i + 1] - row_from[i] >= k;
      g_assert_cmpfloat_with_epsilon ((double) n / 100000, pow (k, -1.5), 0.01);
    }
  g_assert_cmpuint (es_sparse_matrix_get_statistics (matrix)->longest, <=, 5000);
}

/* Columns are even: of ten equal parts of all columns each has a tenth. */
static void
test_columns_even (void)
{
  g_autoptr (EsSparseMatrix) matrix = es_test_matrix_make ("random:rows=5000,columns=1000,mean=30");
  const gint32 *columns = es_sparse_matrix_get_columns (matrix);
  const gsize n = es_sparse_matrix_get_n_nonzeros (matrix);
  gsize parts[10] = { 0 };

  g_assert_cmpuint (n, ==, 5000 * 30);
  for (gsize k = 0; k < n; k++)
    parts[columns[k] / 100]++;
  for (guint p = 0; p < 10; p++)
    g_assert_cmpfloat_with_epsilon ((double) parts[p], 15000, 600);
}

static void
test_options (void)
{
  static const struct { const char *name; gboolean symmetric; gsize spread; } cases[] = {
    { "random:n=500,mean=9,deviation=3,symmetric=1,dominant=1,spread=40", TRUE, 40 },
    { "random:n=500,mean=9,deviation=3,dominant=1,spread=40", FALSE, 40 },
    { "random:n=500,mean=400,deviation=200,dominant=1", FALSE, 499 },
    { "random:n=500,mean=9,deviation=3,symmetric=1", TRUE, 499 },
    { "power:n=500,dominant=1", FALSE, 499 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EsSparseMatrix) matrix = es_test_matrix_make (cases[i].name);
      const EsMatrixStatistics *statistics = es_sparse_matrix_get_statistics (matrix);

      g_assert_cmpint (statistics->is_symmetric, ==, cases[i].symmetric);
      g_assert_cmpuint (MAX (statistics->lower, statistics->upper), <=, cases[i].spread);
      g_assert_cmpuint (statistics->n_zero_diagonal, ==, 0);
      if (strstr (cases[i].name, "dominant") != NULL)
        g_assert_cmpfloat (statistics->dominant, ==, 1);
    }
}

/* A row that wants more columns than there are has all of them. */
static void
test_full_rows (void)
{
  g_autoptr (EsSparseMatrix) matrix = es_test_matrix_make ("random:rows=3,columns=5,mean=1000");
  g_autoptr (EsSparseMatrix) square = es_test_matrix_make ("random:n=4,mean=1000,dominant=1");
  g_autoptr (EsSparseMatrix) symmetric = es_test_matrix_make ("random:n=4,mean=1000,symmetric=1");

  g_assert_cmpuint (es_sparse_matrix_get_n_nonzeros (matrix), ==, 15);
  g_assert_cmpuint (es_sparse_matrix_get_n_nonzeros (square), ==, 16);
  g_assert_cmpuint (es_sparse_matrix_get_n_nonzeros (symmetric), ==, 16);
}

static gboolean
is_same (EsSparseMatrix *a, EsSparseMatrix *b)
{
  const gsize n = es_sparse_matrix_get_n_nonzeros (a);

  return n == es_sparse_matrix_get_n_nonzeros (b)
         && memcmp (es_sparse_matrix_get_columns (a), es_sparse_matrix_get_columns (b), n * sizeof (gint32)) == 0
         && memcmp (es_sparse_matrix_get_values (a), es_sparse_matrix_get_values (b), n * sizeof (double)) == 0;
}

static void
test_repeats (void)
{
  static const char * const names[] = { "random:n=2000,mean=9,deviation=5,seed=4", "power:n=2000,seed=4",
                                        "random:n=2000,mean=9,symmetric=1,seed=4" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *other = g_strdup (names[i]);
      g_autoptr (EsSparseMatrix) a = es_test_matrix_make (names[i]), b = es_test_matrix_make (names[i]);

      other[strlen (other) - 1] = '5';
      g_autoptr (EsSparseMatrix) c = es_test_matrix_make (other);
      g_assert_true (is_same (a, b));
      g_assert_false (is_same (a, c));
      g_assert_cmpstr (es_dataset_get_identity (ES_DATASET (a)), ==, es_dataset_get_identity (ES_DATASET (b)));
      g_assert_cmpstr (es_dataset_get_identity (ES_DATASET (a)), !=, es_dataset_get_identity (ES_DATASET (c)));
    }
}

/* Of orders and nonzeros as sparse.md 2 has them, in full. */
static void
test_stand_ins (void)
{
  static const struct { const char *name; gsize order, nonzeros; } cases[] = {
    { "c-26", 4307, 34537 }, { "crystk02", 13965, 968583 }, { "Andrews", 60000, 760154 },
    { "thermomech_TC", 102158, 711558 }, { "ecology2", 999999, 4995991 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strconcat ("like:", cases[i].name, NULL);
      g_autoptr (EsSparseMatrix) matrix = es_test_matrix_make (name);
      const EsMatrixStatistics *statistics = es_sparse_matrix_get_statistics (matrix);
      const double n = (double) es_sparse_matrix_get_n_nonzeros (matrix);

      g_assert_cmpuint (es_sparse_matrix_get_n_rows (matrix), ==, cases[i].order);
      g_assert_cmpfloat_with_epsilon (n / (double) cases[i].nonzeros, 1, 0.04);
      g_assert_true (statistics->is_symmetric);
      g_assert_cmpfloat (statistics->dominant, ==, 1);
    }
}

/* ---- names ---- */

static void
test_bad_names (void)
{
  static const struct { const char *name, *found; } cases[] = {
    { "poisson2d:", "two sizes" }, { "poisson2d:0x5", "two sizes" }, { "poisson2d:5", "two sizes" },
    { "poisson2d:5x5:7", "5 or 9" }, { "poisson2d:5x5 ", "colon" }, { "poisson3d:5x5", "three sizes" },
    { "poisson3d:5x5x5:9", "7 or 27" }, { "poisson2d:2000000x2000000", "2^31" },
    { "poisson3d:1200x1200x1200:27", "nonzeros" }, { "random:", "either n" }, { "random:mean=2", "either n" },
    { "random:n=5,rows=5,columns=5", "either n" }, { "random:rows=5", "either n" }, { "random:n=5,n=6", "twice" },
    { "random:n=5,mean=x", "mean is" }, { "random:n=5,mean=-1", "mean is" }, { "random:n=5.5", "whole" },
    { "random:n=nan", "whole" }, { "random:n=5,colour=1", "found “colour”, and key=value of n, rows" },
    { "random:n=5,lengths=3", "lengths" },
    { "random:n=5,lengths=3x1+", "lengths" }, { "random:n=5,lengths=3x0", "lengths" },
    { "random:rows=5,columns=4,symmetric=1", "square" }, { "banded:lower=1", "n is missing" },
    { "power:n=5,exponent=1", "exponent" }, { "example:5x5", "example:4x4" }, { "like:nobody", "cage14" },
    { "banded:n=2000000000,lower=2000000000", "nonzeros" }, { "nothing:5", "poisson2d" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (es_sparse_matrix_make (cases[i].name, NULL, &error));
      g_assert_true (error->domain == ES_DATA_ERROR);
      if (strstr (error->message, cases[i].found) == NULL || strstr (error->message, cases[i].name) == NULL)
        g_error ("“%s” does not say “%s”", error->message, cases[i].found);
    }
}

static void
test_is_name (void)
{
  g_assert_true (es_sparse_matrix_is_made_name ("poisson2d:5x5"));
  g_assert_true (es_sparse_matrix_is_made_name ("like:what"));
  g_assert_false (es_sparse_matrix_is_made_name ("poisson2d"));
  g_assert_false (es_sparse_matrix_is_made_name ("randomly:5"));
  g_assert_false (es_sparse_matrix_is_made_name ("cuda:0"));
  g_assert_false (es_sparse_matrix_is_made_name (NULL));
}

/* What a result says of it makes it again. */
static void
test_again (void)
{
  g_autoptr (EsSparseMatrix) matrix = es_test_matrix_make ("random:n=50,mean=3,seed=8");
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GString) line = g_string_new ("run ");
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GError) error = NULL;

  json_builder_begin_object (builder);
  _es_dataset_add_input (ES_DATASET (matrix), builder);
  json_builder_end_object (builder);
  node = json_builder_get_root (builder);
  g_autoptr (EsDataset) again = _es_dataset_open_input (json_node_get_object (node), NULL, &error);
  g_assert_no_error (error);
  g_assert_true (is_same (matrix, ES_SPARSE_MATRIX (again)));
  g_assert_cmpstr (es_dataset_get_identity (again), ==, es_dataset_get_identity (ES_DATASET (matrix)));
  g_assert_cmpstr (es_dataset_get_made_name (again), ==, "random:n=50,mean=3,seed=8");
  g_assert_true (es_dataset_opens_again (again));
  _es_dataset_append_files (again, line);
  _es_dataset_append_input (again, line);
  g_assert_cmpstr (line->str, ==, "run 'random:n=50,mean=3,seed=8'");
}

/* A saved result of one opens with it. */
static void
test_of_result (void)
{
  g_autoptr (EsSparseMatrix) matrix = es_test_matrix_make ("example:4x4");
  g_autofree char *text
    = g_strdup_printf ("{ 'operation': 'sparse-products', 'version': 1, "
                       "'input': { 'path': null, 'made': 'example:4x4', 'shape': '4x4:9', 'identity': '%s' }, "
                       "'layers': [ { 'name': 'steps', 'title': 'Steps', 'kind': 'table', 'file': 'steps.csv', "
                       "'shape': '1x1', 'type': 'text', 'unit': null, "
                       "'columns': [ { 'title': 'Time', 'unit': 'ms', 'digits': 1 } ] } ] }",
                       es_dataset_get_identity (ES_DATASET (matrix)));
  g_autoptr (GFile) table = es_test_matrix_file ("steps.csv", "Time (ms)\n2.5\n", 14);
  g_autoptr (GFile) file = es_test_matrix_file ("result.json", g_strdelimit (text, "'", '"'), strlen (text));
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) result = es_result_load (file, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (is_same (matrix, ES_SPARSE_MATRIX (es_result_get_dataset (result))));
  /* It has not changed since. */
  g_assert_null (es_result_get_warnings (result));
}

/* A session tells it once, and makes it again. */
static void
test_of_session (void)
{
  g_autoptr (EsSparseMatrix) matrix = es_test_matrix_make ("example:4x4"), same = es_test_matrix_make ("example:4x4");
  g_autoptr (EsSession) session = es_session_new ();
  g_autoptr (GFile) file = es_test_matrix_file ("made.eigenscope.json", "", 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsRestoredSession) restored = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonObject *told;

  g_assert_true (es_session_add_dataset (session, ES_DATASET (matrix)) == ES_DATASET (matrix));
  g_assert_true (es_session_add_dataset (session, ES_DATASET (same)) == ES_DATASET (matrix));
  root = es_session_file_tell (session, NULL, NULL);
  told = json_array_get_object_element (json_object_get_array_member (json_node_get_object (root), "datasets"), 0);
  g_assert_cmpstr (json_object_get_string_member (told, "kind"), ==, "matrix");
  g_assert_true (es_session_file_write (root, file, &error));
  restored = es_session_restore (file, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (restored->datasets->len, ==, 1);
  const EsRestored *one = g_ptr_array_index (restored->datasets, 0);
  g_assert_no_error (one->error);
  g_assert_false (one->other);
  g_assert_true (is_same (matrix, ES_SPARSE_MATRIX (one->dataset)));
}

static gpointer
cancel_soon (gpointer data)
{
  g_usleep (30000);
  g_cancellable_cancel (data);
  return NULL;
}

static void
test_cancelled (void)
{
  static const char * const names[] = { "poisson3d:200x200x200:27", "random:n=5000000,mean=9",
                                        "random:n=5000000,mean=9,symmetric=1", "banded:n=100000,lower=500,upper=500" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GError) error = NULL;
      GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);

      g_assert_null (es_sparse_matrix_make (names[i], cancellable, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_thread_join (thread);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/matrix/made/grids", test_grids);
  g_test_add_func ("/matrix/made/bands", test_bands);
  g_test_add_func ("/matrix/made/example", test_example);
  g_test_add_func ("/matrix/made/lengths-normal", test_lengths_normal);
  g_test_add_func ("/matrix/made/lengths-given", test_lengths_given);
  g_test_add_func ("/matrix/made/lengths-power", test_lengths_power);
  g_test_add_func ("/matrix/made/columns-even", test_columns_even);
  g_test_add_func ("/matrix/made/options", test_options);
  g_test_add_func ("/matrix/made/full-rows", test_full_rows);
  g_test_add_func ("/matrix/made/repeats", test_repeats);
  g_test_add_func ("/matrix/made/stand-ins", test_stand_ins);
  g_test_add_func ("/matrix/made/bad-names", test_bad_names);
  g_test_add_func ("/matrix/made/is-name", test_is_name);
  g_test_add_func ("/matrix/made/again", test_again);
  g_test_add_func ("/matrix/made/of-result", test_of_result);
  g_test_add_func ("/matrix/made/of-session", test_of_session);
  g_test_add_func ("/matrix/made/cancelled", test_cancelled);
  return g_test_run ();
}
