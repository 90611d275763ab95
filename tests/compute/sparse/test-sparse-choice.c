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
  const guint rows = 1u << ESK_SPARSE_CSR_SCALAR, vector = 1u << ESK_SPARSE_CSR_VECTOR;

  for (guint card = 0; card < 2; card++)
    {
      expect ("poisson2d:300x300:5", card, dia, "5 diagonals");
      expect ("poisson3d:30x30x30:27", card, dia, "27 diagonals");
      expect ("banded:n=20000,lower=10,upper=10", card, dia, "21 diagonals");
      expect ("random:n=50000,mean=12,deviation=2,seed=1", card, card ? sell : rows,
              card ? "beside each other" : "far from each other");
      expect ("random:n=50000,mean=30,deviation=10,seed=1", card, card ? sell | vector : rows,
              card ? "nonzeros" : "far from each other");
      /* Rows so long that others would wait for who has them. */
      expect ("power:n=100000,exponent=2.1,seed=1", card, vector, "padding");
    }
}

/* Milliseconds of a product in float64, as one H100 took them for the ten matrices of tests/gpu/bench-sparse: of every
 * format that is chosen from, in its own way of computing; 0: not made. */
typedef struct
{
  const char        *title;
  gsize              n_rows, n_nonzeros;
  EsMatrixStatistics statistics;       /* lengths: of those that are uneven */
  double             ms[ESK_SPARSE_LIBRARY], library_ms;
} Measured;

#define TIMES(coo, dia, ell, scalar, vector, sc, vab, merge, sell) \
  { [ESK_SPARSE_COO] = coo, [ESK_SPARSE_DIA] = dia, [ESK_SPARSE_ELL] = ell, [ESK_SPARSE_CSR_SCALAR] = scalar, \
    [ESK_SPARSE_CSR_VECTOR] = vector, [ESK_SPARSE_SC_CSR] = sc, [ESK_SPARSE_VAB] = vab, [ESK_SPARSE_MERGE] = merge, \
    [ESK_SPARSE_SELL] = sell }

static const Measured measured[] = {
  { "poisson2d 5", 1960000, 9794400,
    { .n_empty_rows = 0, .shortest = 3, .longest = 5, .mean = 4.99714, .deviation = 0.05341, .n_diagonals = 5 },
    TIMES (0.0934, 0.0388, 0.0514, 0.0590, 0.0602, 0.0588, 0.1027, 0.0739, 0.0689), 0.0580 },
  { "poisson2d 9", 1000000, 8988004,
    { .n_empty_rows = 0, .shortest = 4, .longest = 9, .mean = 8.988, .deviation = 0.189431, .n_diagonals = 9 },
    TIMES (0.0703, 0.0280, 0.0403, 0.0559, 0.0404, 0.0516, 0.0719, 0.0608, 0.0412), 0.0477 },
  { "poisson3d 7", 1331000, 9244400,
    { .n_empty_rows = 0, .shortest = 4, .longest = 7, .mean = 6.94545, .deviation = 0.231417, .n_diagonals = 7 },
    TIMES (0.0742, 0.0306, 0.0439, 0.0588, 0.0474, 0.0541, 0.0678, 0.0667, 0.0505), 0.0463 },
  { "poisson3d 27", 343000, 8998912,
    { .n_empty_rows = 0, .shortest = 8, .longest = 27, .mean = 26.2359, .deviation = 2.5518,
      .n_diagonals = 27 },
    TIMES (0.0671, 0.0277, 0.0413, 0.1470, 0.0481, 0.0485, 0.0513, 0.0543, 0.0398), 0.0415 },
  { "banded", 500000, 10499890,
    { .n_empty_rows = 0, .shortest = 11, .longest = 21, .mean = 20.9998, .deviation = 0.0392422, .n_diagonals = 21 },
    TIMES (0.0717, 0.0308, 0.0446, 0.1422, 0.0450, 0.0556, 0.0677, 0.0606, 0.0469), 0.0460 },
  { "random narrow", 1500000, 9002771,
    { .n_empty_rows = 4025, .shortest = 0, .longest = 15, .mean = 6.00185, .deviation = 2.03895, .n_diagonals = 2501735,
      .lengths = { 4025, 14292, 145305, 989089, 347289 } },
    TIMES (0.1175, 0, 0.1143, 0.1186, 0.0921, 0.1140, 0.1125, 0.1011, 0.0953), 0.0964 },
  { "random wide", 100000, 9997049,
    { .n_empty_rows = 0, .shortest = 20, .longest = 181, .mean = 99.9705, .deviation = 19.9659, .n_diagonals = 198000,
      .lengths = { 0, 0, 0, 0, 0, 24, 3370, 88152, 8454 } },
    TIMES (0.1115, 0, 0.0950, 0.1532, 0.0974, 0.0961, 0.1012, 0.1043, 0.0632), 0.0895 },
  { "power", 1000000, 5235316,
    { .n_empty_rows = 0, .shortest = 1, .longest = 112921, .mean = 5.23532, .deviation = 203.417,
      .n_diagonals = 1636726,
      .lengths = { 0, 564300, 246444, 106892, 46432, 20230, 8892, 3790, 1735, 733, 332, 122, 55, 21, 13, 2, 4, 3 } },
    TIMES (0.0749, 0, 0, 12.7796, 0.0605, 4.0474, 1.2722, 0.0636, 0), 0.0580 },
  { "dense rows", 1000000, 5999950,
    { .n_empty_rows = 0, .shortest = 5, .longest = 100000, .mean = 5.99995, .deviation = 316.21, .n_diagonals = 1674845,
      .lengths = { 0, 0, 0, 999990, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10 } },
    TIMES (0.0790, 0, 0, 11.6174, 0.0620, 3.6546, 1.6388, 0.0670, 0), 0.0634 },
  { "blocks", 144000, 10368000,
    { .n_empty_rows = 0, .shortest = 72, .longest = 72, .mean = 72, .deviation = 0, .n_diagonals = 267591 },
    TIMES (0.0726, 0, 0.0442, 0.0977, 0.0452, 0.0490, 0.0575, 0.0593, 0.0518), 0.0539 },
};

static void
test_measured (void)
{
  guint right = 0;

  for (guint m = 0; m < G_N_ELEMENTS (measured); m++)
    {
      EsSparseProblem problem = { measured[m].n_rows, measured[m].n_rows, measured[m].n_nonzeros,
                                  &measured[m].statistics, ESK_F64, TRUE, 3046e9, 4e-6 };
      g_autofree char *reason = NULL;
      const EskSparseFormat chosen = es_sparse_choose (&problem, &reason);
      double best = measured[m].library_ms;
      gboolean is_right;

      for (guint f = 0; f < ESK_SPARSE_LIBRARY; f++)
        best = measured[m].ms[f] > 0 ? MIN (best, measured[m].ms[f]) : best;
      is_right = measured[m].ms[chosen] > 0 && measured[m].ms[chosen] <= 1.1 * best;
      if (!is_right)
        g_test_message ("%s: %s takes %.4f ms, the best %.4f ms (%s)", measured[m].title,
                        es_sparse_format_get_id (chosen), measured[m].ms[chosen], best, reason);
      right += is_right;
      /* Half of the bytes of values: nothing that was slow by itself becomes fast. */
      problem.type = ESK_F32;
      g_assert_cmpfloat (measured[m].ms[es_sparse_choose (&problem, NULL)], >, 0);
      g_assert_cmpfloat (measured[m].ms[es_sparse_choose (&problem, NULL)], <, 2 * best);
    }
  g_assert_cmpuint (G_N_ELEMENTS (measured), ==, 10);
  g_assert_cmpuint (right, ==, 10);
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
  g_test_add_func ("/sparse-choice/measured", test_measured);
  g_test_add_func ("/sparse-choice/edges", test_edges);

  return g_test_run ();
}
