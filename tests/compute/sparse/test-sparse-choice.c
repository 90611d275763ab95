/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Formats by name, the model of bytes against what formats really store, and the choice on matrices whose right format
 * is known by what they are. */

#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "sparse/es-sparse-build.h"
#include "sparse/es-sparse-choice.h"

typedef struct
{
  EsSparseMatrix *matrix;
  EsSparseProblem problem;
  EskCsr          csr;
} Case;

static Case
case_of (const char *name, gboolean on_card)
{
  g_autoptr (GError) error = NULL;
  EsSparseMatrix *matrix = ES_SPARSE_MATRIX (es_sparse_matrix_make (name, NULL, &error));
  Case found = { .matrix = matrix };

  g_assert_no_error (error);
  found.problem = (EsSparseProblem) {
    .n_rows = es_sparse_matrix_get_n_rows (matrix), .n_columns = es_sparse_matrix_get_n_columns (matrix),
    .n_nonzeros = es_sparse_matrix_get_n_nonzeros (matrix), .statistics = es_sparse_matrix_get_statistics (matrix),
    .type = ESK_F64, .on_card = on_card, .bandwidth = 1e10
  };
  found.csr = (EskCsr) { found.problem.n_rows, found.problem.n_columns, ESK_F64,
                         es_sparse_matrix_get_row_from (matrix), es_sparse_matrix_get_columns (matrix),
                         es_sparse_matrix_get_values (matrix) };
  return found;
}

static void
test_names (void)
{
  g_autoptr (GError) error = NULL;
  guint set = 0;

  for (guint f = 0; f < ESK_N_SPARSE_FORMATS; f++)
    {
      EskSparseFormat found;

      g_assert_true (es_sparse_format_find (es_sparse_format_get_id (f), &found));
      g_assert_cmpint (found, ==, (int) f);
      g_assert_cmpint (strlen (es_sparse_format_get_title (f)), >, 0);
    }
  g_assert_null (es_sparse_format_get_id (ESK_N_SPARSE_FORMATS));
  g_assert_true (es_sparse_formats_parse ("csr-vector, sell;vab", &set, &error));
  g_assert_cmpuint (set, ==, 1u << ESK_SPARSE_CSR_VECTOR | 1u << ESK_SPARSE_SELL | 1u << ESK_SPARSE_VAB);
  g_assert_true (es_sparse_formats_parse (" ", &set, &error));
  g_assert_cmpuint (set, ==, (1u << ESK_N_SPARSE_FORMATS) - 1);
  g_assert_false (es_sparse_formats_parse ("csr, sell", &set, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  g_assert_nonnull (strstr (error->message, "“csr”"));
  g_assert_nonnull (strstr (error->message, "csr-vector"));
}

static void
test_published (void)
{
  g_assert_cmpuint (es_sparse_find_published ("c-26")->order, ==, 4307);
  g_assert_cmpuint (es_sparse_find_published ("Thermomech_tc.mtx.gz")->nonzeros, ==, 406858);
  g_assert_cmpfloat (es_sparse_find_published ("crystk02.mtx")->vab_seconds, ==, 57e-6);
  g_assert_cmpfloat (es_sparse_find_published ("like:Andrews")->vector_seconds, ==, 434e-6);
  g_assert_null (es_sparse_find_published ("c-260"));
  g_assert_null (es_sparse_find_published ("poisson2d:10x10:5"));
  g_assert_null (es_sparse_find_published (NULL));
}

/* What the statistics let expect, against what the makers of formats really store. */
static void
test_stored (void)
{
  static const struct { const char *name; double least, most; } cases[] = {
    { "poisson2d:100x100:5", 0.99, 1.05 }, { "poisson3d:20x20x20:27", 0.97, 1.05 },
    { "banded:n=5000,lower=3,upper=6", 0.98, 1.05 }, { "random:n=20000,mean=20,deviation=5,seed=3", 0.8, 1.25 },
    { "random:n=20000,mean=30,deviation=20,seed=4", 0.8, 1.35 },
  };
  static const EskSparseFormat formats[] = {
    ESK_SPARSE_DIA, ESK_SPARSE_ELL, ESK_SPARSE_SC_CSR, ESK_SPARSE_VAB, ESK_SPARSE_SELL, ESK_SPARSE_CSR_VECTOR,
  };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      Case found = case_of (cases[c].name, FALSE);
      EsSparsePrediction predictions[ESK_N_SPARSE_FORMATS];

      es_sparse_predict (&found.problem, predictions);
      for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
        {
          const EskSparseOptions options = { .chunk = 32, .sigma = 512 };
          guint64 stored;
          double ratio;

          g_assert_cmpint (esk_sparse_stored (&found.csr, formats[f], &options, &stored), ==, ESK_OK);
          ratio = predictions[formats[f]].stored / (double) stored;
          if (ratio < cases[c].least || ratio > cases[c].most)
            g_error ("%s, %s: %.0f values expected, %" G_GUINT64_FORMAT " stored", cases[c].name,
                     es_sparse_format_get_id (formats[f]), predictions[formats[f]].stored, stored);
          g_assert_cmpfloat (predictions[formats[f]].bytes, >=, es_sparse_least_bytes (&found.problem));
          g_assert_cmpfloat (predictions[formats[f]].seconds, >=, predictions[formats[f]].bytes / 1e10 * 0.999);
        }
      g_assert_true (isnan (predictions[ESK_SPARSE_LIBRARY].seconds));
      g_object_unref (found.matrix);
    }
}

static void
test_least_bytes (void)
{
  Case found = case_of ("poisson2d:10x10:5", FALSE);

  /* 460 nonzeros, 100 of x and of y. */
  g_assert_cmpuint (found.problem.n_nonzeros, ==, 460);
  g_assert_cmpfloat (es_sparse_least_bytes (&found.problem), ==, 8 * 660);
  found.problem.type = ESK_F32;
  g_assert_cmpfloat (es_sparse_least_bytes (&found.problem), ==, 4 * 660);
  g_object_unref (found.matrix);
}

static void
expect (const char *name, gboolean on_card, guint set, const char *word)
{
  Case found = case_of (name, on_card);
  g_autofree char *reason = NULL;
  g_autofree char *again = NULL;
  EskSparseFormat chosen = es_sparse_choose (&found.problem, &reason);

  if ((set & 1u << chosen) == 0)
    g_error ("%s: %s is chosen (%s)", name, es_sparse_format_get_id (chosen), reason);
  g_assert_nonnull (strstr (reason, word));
  g_assert_true (g_str_has_suffix (reason, "."));
  /* The bandwidth decides nothing; nor does asking twice. */
  found.problem.bandwidth = 0;
  g_assert_cmpint (es_sparse_choose (&found.problem, &again), ==, (int) chosen);
  g_assert_cmpstr (reason, ==, again);
  g_assert_cmpint (es_sparse_choose (&found.problem, NULL), ==, (int) chosen);
  g_object_unref (found.matrix);
}

static void
test_choice (void)
{
  const guint dia = 1u << ESK_SPARSE_DIA, sell = 1u << ESK_SPARSE_SELL | 1u << ESK_SPARSE_ELL;
  const guint uneven = 1u << ESK_SPARSE_SC_CSR | 1u << ESK_SPARSE_MERGE;

  for (guint card = 0; card < 2; card++)
    {
      expect ("poisson2d:300x300:5", card, dia, "5 diagonals");
      expect ("poisson3d:30x30x30:27", card, dia, "27 diagonals");
      expect ("banded:n=20000,lower=10,upper=10", card, dia, "21 diagonals");
      expect ("random:n=50000,mean=12,deviation=2,seed=1", card, sell, "beside each other");
      expect ("random:n=50000,mean=30,deviation=10,seed=1", card, sell | 1u << ESK_SPARSE_CSR_VECTOR, "nonzeros");
      expect ("power:n=100000,exponent=2.1,seed=1", card, uneven, "padding");
    }
}

/* Few rows, nothing in them, one column, one row: something is chosen that can be made. */
static void
test_edges (void)
{
  gint32 *row_from = g_new0 (gint32, 6);
  g_autoptr (GError) error = NULL;
  EsSparseMatrix *matrix = es_sparse_matrix_new ("empty", 5, 3, row_from, g_new0 (gint32, 1), g_new0 (double, 1),
                                                 ES_SYMMETRY_GENERAL, &error);
  g_autofree char *reason = NULL;
  EsSparseProblem problem;

  g_assert_no_error (error);
  problem = (EsSparseProblem) { 5, 3, 0, es_sparse_matrix_get_statistics (matrix), ESK_F64, FALSE, 0, 0 };
  g_assert_cmpint (es_sparse_choose (&problem, &reason), ==, ESK_SPARSE_CSR_SCALAR);
  g_assert_nonnull (reason);
  g_object_unref (matrix);
  for (guint card = 0; card < 2; card++)
    {
      Case one = case_of ("random:rows=1,columns=50,mean=50,seed=2", card);
      EskSparseFormat chosen = es_sparse_choose (&one.problem, NULL);

      g_assert_cmpint (chosen, <, ESK_SPARSE_LIBRARY);
      g_object_unref (one.matrix);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/sparse-choice/names", test_names);
  g_test_add_func ("/sparse-choice/published", test_published);
  g_test_add_func ("/sparse-choice/stored", test_stored);
  g_test_add_func ("/sparse-choice/least-bytes", test_least_bytes);
  g_test_add_func ("/sparse-choice/choice", test_choice);
  g_test_add_func ("/sparse-choice/edges", test_edges);

  return g_test_run ();
}
