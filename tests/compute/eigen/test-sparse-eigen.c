/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Eigenpairs of sparse matrices, from both ends and by every method, against LAPACK and formulas. */

#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-eigen.h"
#include "es-test-matrix.h"

/* The m values from that end, of whatever repeats as often as it does. */
static void
assert_like_dense (const EskCsr *matrix, EsEigenEnd end, guint m, const double *values, double tolerance)
{
  const gsize n = matrix->rows;
  g_autofree double *dense = es_test_matrix_dense (matrix), *all = g_new (double, n), *rows = g_new (double, n * n);

  g_assert_cmpint (esk_eigen_lapack (n, dense, all, rows), ==, ESK_OK);
  for (guint k = 0; k < m; k++)
    g_assert_cmpfloat (fabs (values[k] - all[end == ES_EIGEN_LARGEST ? k : n - 1 - k]), <=, tolerance);
}

/* Both ends, and the smaller one without a factor too. */
static void
check_against_dense (const EskCsr *matrix, guint m)
{
  const gsize n = matrix->rows;
  g_autofree double *values = g_new (double, m), *vectors = g_new (double, m * n);
  const EsEigenOptions plain = { .without_factor = TRUE }, filter = { .filter = TRUE };
  EsEigenFacts facts;

  facts = es_test_matrix_find (matrix, ES_EIGEN_LARGEST, m, NULL, values, vectors);
  g_assert_cmpint (facts.method, ==, ES_EIGEN_LANCZOS);
  es_test_matrix_assert_pairs (matrix, m, values, vectors, 1e-8 * facts.norm);
  assert_like_dense (matrix, ES_EIGEN_LARGEST, m, values, 1e-8 * facts.norm);

  facts = es_test_matrix_find (matrix, ES_EIGEN_SMALLEST, m, NULL, values, vectors);
  g_assert_cmpint (facts.method, ==, ES_EIGEN_INVERSE);
  g_assert_cmpuint (facts.factor_values, >=, n);
  g_assert_cmpfloat (facts.residual, <=, 1e-8 * facts.norm);
  es_test_matrix_assert_pairs (matrix, m, values, vectors, 1e-8 * facts.norm);
  assert_like_dense (matrix, ES_EIGEN_SMALLEST, m, values, 1e-8 * facts.norm);

  facts = es_test_matrix_find (matrix, ES_EIGEN_SMALLEST, m, &plain, values, vectors);
  g_assert_cmpint (facts.method, ==, ES_EIGEN_LANCZOS);
  es_test_matrix_assert_pairs (matrix, m, values, vectors, 1e-8 * facts.norm);
  assert_like_dense (matrix, ES_EIGEN_SMALLEST, m, values, 1e-8 * facts.norm);

  /* By whichever way it is found. */
  facts = es_test_matrix_find (matrix, ES_EIGEN_SMALLEST, m, &filter, values, vectors);
  es_test_matrix_assert_pairs (matrix, m, values, vectors, 1e-8 * facts.norm);
  assert_like_dense (matrix, ES_EIGEN_SMALLEST, m, values, 1e-8 * facts.norm);
}

static EsTestMatrix *
path_graph (gsize n)
{
  EsTestMatrix *self = es_test_matrix_new (n);

  for (gsize i = 0; i + 1 < n; i++)
    es_test_matrix_join (self, i, i + 1, 1);
  es_test_matrix_finish (self);
  return self;
}

/* Its values are 2 - 2 cos (pi k / n), its vectors cosines. */
static void
test_path (void)
{
  const gsize n = 3000;
  const guint m = 12;
  g_autoptr (EsTestMatrix) path = path_graph (n);
  g_autofree double *values = g_new (double, m), *vectors = g_new (double, m * n);
  const EsEigenFacts facts = es_test_matrix_find (&path->csr, ES_EIGEN_SMALLEST, m, NULL, values, vectors);

  g_assert_cmpint (facts.method, ==, ES_EIGEN_INVERSE);
  g_assert_cmpfloat (facts.norm, ==, 4);
  for (guint k = 0; k < m; k++)
    {
      double along = 0;

      g_assert_cmpfloat (fabs (values[k] - (2 - 2 * cos (G_PI * k / n))), <=, 1e-12);
      for (gsize i = 0; i < n; i++)
        along += vectors[k * n + i] * cos (G_PI * k * (i + 0.5) / n) * sqrt ((k == 0 ? 1.0 : 2.0) / n);
      g_assert_cmpfloat (fabs (fabs (along) - 1), <=, 1e-8);
    }
}

/* A square grid's values come in pairs. */
static void
test_grid (void)
{
  const gsize side = 20;
  g_autoptr (EsTestMatrix) grid = es_test_matrix_new (side * side);

  for (gsize y = 0; y < side; y++)
    for (gsize x = 0; x < side; x++)
      {
        if (x + 1 < side)
          es_test_matrix_join (grid, y * side + x, y * side + x + 1, 1);
        if (y + 1 < side)
          es_test_matrix_join (grid, y * side + x, (y + 1) * side + x, 1);
      }
  check_against_dense (es_test_matrix_finish (grid), 12);
}

/* Rings that nothing joins: 0 as often as there are rings, everything else twice. */
static void
test_parts (void)
{
  const gsize parts = 9, length = 50;
  g_autoptr (EsTestMatrix) rings = es_test_matrix_new (parts * length);
  const guint m = 14;
  g_autofree double *values = g_new (double, m), *vectors = g_new (double, m * parts * length);

  for (gsize p = 0; p < parts; p++)
    for (gsize i = 0; i < length; i++)
      es_test_matrix_join (rings, p * length + i, p * length + (i + 1) % length, 1);
  check_against_dense (es_test_matrix_finish (rings), m);
  es_test_matrix_find (&rings->csr, ES_EIGEN_SMALLEST, m, NULL, values, vectors);
  for (guint k = 0; k < m; k++)
    g_assert_cmpfloat (fabs (values[k] - (k < parts ? 0 : 2 - 2 * cos (2 * G_PI / length))), <=, 1e-10);
}

/* One value that repeats in all of a space: ARPACK runs out of it at once, and begins again where we say. */
static void
test_multiples (void)
{
  const gsize n = 300;
  g_autoptr (EsTestMatrix) matrix = es_test_matrix_new (n);

  for (gsize i = 0; i < n; i++)
    es_test_matrix_add (matrix, i, i, i < 5 ? 1 + (double) i : i < 295 ? 7 : 8);
  check_against_dense (es_test_matrix_finish (matrix), 8);

  g_autofree double *values = g_new (double, 20), *once = g_new (double, 10 * n), *again = g_new (double, 10 * n);

  es_test_matrix_find (&matrix->csr, ES_EIGEN_LARGEST, 10, NULL, values, once);
  es_test_matrix_find (&matrix->csr, ES_EIGEN_LARGEST, 10, NULL, values, again);
  g_assert_cmpmem (once, 10 * n * sizeof (double), again, 10 * n * sizeof (double));
}

/* With eigenvalues on both sides of 0, of which the factor knows nothing before: what is left is what was allowed. */
static void
test_tolerance (void)
{
  const gsize side = 40, n = side * side;
  const double tolerances[] = { 1e-4, 1e-6, 1e-10, 1e-12 };
  g_autoptr (EsTestMatrix) grid = es_test_matrix_new (n);
  double values[6];
  g_autofree double *vectors = g_new (double, 6 * n);

  for (gsize y = 0; y < side; y++)
    for (gsize x = 0; x < side; x++)
      {
        const gsize i = y * side + x;

        es_test_matrix_add (grid, i, i, -2);
        if (x + 1 < side)
          es_test_matrix_join (grid, i, i + 1, 1);
        if (y + 1 < side)
          es_test_matrix_join (grid, i, i + side, 1);
      }
  es_test_matrix_finish (grid);
  for (guint k = 0; k < G_N_ELEMENTS (tolerances); k++)
    for (guint way = 0; way < 3; way++)
      {
        const EsEigenEnd end = way == 0 ? ES_EIGEN_LARGEST : ES_EIGEN_SMALLEST;
        const EsEigenOptions options = { .tolerance = tolerances[k], .without_factor = way == 2 };
        const EsEigenFacts facts = es_test_matrix_find (&grid->csr, end, 6, &options, values, vectors);

        g_test_message ("%g, %u: %g", tolerances[k], way, facts.residual / facts.norm);
        g_assert_cmpfloat (facts.residual, <=, tolerances[k] * facts.norm);
      }
}

/* Of both signs, rows of very different lengths, some of them empty. */
static void
test_random (void)
{
  const gsize n = 500;
  g_autoptr (EsTestMatrix) matrix = es_test_matrix_new (n);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (int i = 0; i < 2500; i++)
    {
      const gsize a = (gsize) g_rand_int_range (random, 0, (gint32) n / 2);
      const gsize b = (gsize) g_rand_int_range (random, 0, i % 3 == 0 ? 20 : (gint32) n / 2);
      const double value = g_rand_double_range (random, -1, 1);

      es_test_matrix_add (matrix, a, b, value);
      if (a != b)
        es_test_matrix_add (matrix, b, a, value);
    }
  for (gsize i = n / 2; i < n; i += 3)
    es_test_matrix_add (matrix, i, i, g_rand_double_range (random, -3, 3));
  check_against_dense (es_test_matrix_finish (matrix), 15);
}

/* Groups of points, each joined to some of its group, groups by few: their normalised Laplacian. */
static EsTestMatrix *
grouped_graph (gsize n, guint groups, guint bridges)
{
  EsTestMatrix *self = es_test_matrix_new (n);
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  g_autofree double *degree = g_new0 (double, n);
  g_autoptr (GHashTable) joined = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (gsize j = 0; j < 8 * n + bridges; j++)
    {
      const gsize group = j % groups, size = n / groups;
      gsize a = group * size + (gsize) g_rand_int_range (random, 0, (gint32) size);
      gsize b = group * size + (gsize) g_rand_int_range (random, 0, (gint32) size);
      gint64 key;

      if (j >= 8 * n)
        b = (b + size) % (groups * size);
      key = (gint64) (MIN (a, b) * n + MAX (a, b));
      if (a == b || !g_hash_table_add (joined, g_memdup2 (&key, sizeof key)))
        continue;
      degree[a]++;
      degree[b]++;
    }
  for (gsize i = 0; i < n; i++)
    es_test_matrix_add (self, i, i, 1);

  GHashTableIter each;
  gpointer key;

  g_hash_table_iter_init (&each, joined);
  while (g_hash_table_iter_next (&each, &key, NULL))
    {
      const gsize a = (gsize) (*(gint64 *) key) / n, b = (gsize) (*(gint64 *) key) % n;
      const double value = -1 / sqrt (degree[a] * degree[b]);

      es_test_matrix_add (self, a, b, value);
      es_test_matrix_add (self, b, a, value);
    }
  es_test_matrix_finish (self);
  return self;
}

/* Few of the smallest values lie apart from the rest: a filter finds them, whatever the number of threads, as LAPACK
 * does, where the groups are joined and where they are not. */
static void
test_filter (void)
{
  const gsize n = 1200;
  const guint m = 6;

  for (guint bridges = 0; bridges <= 60; bridges += 30)
    {
      g_autoptr (EsTestMatrix) graph = grouped_graph (n, 6, bridges);
      g_autofree double *values = g_new (double, m), *vectors = g_new (double, m * n), *first = NULL;

      for (guint threads = 1; threads <= 3; threads++)
        {
          const EsEigenOptions options = { .filter = TRUE, .threads = threads };
          const EsEigenFacts facts = es_test_matrix_find (&graph->csr, ES_EIGEN_SMALLEST, m, &options, values, vectors);

          g_assert_cmpint (facts.method, ==, ES_EIGEN_FILTER);
          g_assert_cmpuint (facts.restarts, >, 1);
          g_assert_cmpuint (facts.products, <, 16 * 100);
          g_assert_cmpfloat (facts.residual, <=, 2e-12 * facts.norm);
          if (first == NULL)
            first = g_memdup2 (vectors, m * n * sizeof (double));
          g_assert_cmpmem (first, m * n * sizeof (double), vectors, m * n * sizeof (double));
        }
      es_test_matrix_assert_pairs (&graph->csr, m, values, vectors, 1e-11);
      assert_like_dense (&graph->csr, ES_EIGEN_SMALLEST, m, values, 1e-12);
    }
}

/* What a filter would take long for is soon left to a factor; so is what there is no memory or no room for. */
static void
test_filter_refused (void)
{
  const gsize n = 3000;
  const EsEigenOptions options = { .filter = TRUE };
  const EsLimits limits = { .memory = 2 << 20 };
  const EsEigenOptions narrow = { .filter = TRUE, .limits = &limits };
  g_autoptr (EsTestMatrix) path = path_graph (n), same = es_test_matrix_new (n), graph = grouped_graph (n, 3, 40);
  g_autofree double *values = g_new (double, 70), *vectors = g_new (double, 70 * n);
  EsEigenFacts facts = es_test_matrix_find (&path->csr, ES_EIGEN_SMALLEST, 5, &options, values, vectors);

  g_assert_cmpint (facts.method, ==, ES_EIGEN_INVERSE);
  for (guint k = 0; k < 5; k++)
    g_assert_cmpfloat (fabs (values[k] - (2 - 2 * cos (G_PI * k / n))), <=, 1e-12);

  facts = es_test_matrix_find (&graph->csr, ES_EIGEN_SMALLEST, 3, &options, values, vectors);
  g_assert_cmpint (facts.method, ==, ES_EIGEN_FILTER);
  facts = es_test_matrix_find (&graph->csr, ES_EIGEN_SMALLEST, 3, &narrow, values, vectors);
  g_assert_cmpint (facts.method, !=, ES_EIGEN_FILTER);

  /* All values are the same but for rounding: there is nothing to filter. */
  for (gsize i = 0; i < n; i++)
    es_test_matrix_add (same, i, i, 3 + 1e-9 * (double) (i % 7));
  es_test_matrix_find (es_test_matrix_finish (same), ES_EIGEN_SMALLEST, 4, &options, values, vectors);
  for (guint k = 0; k < 4; k++)
    g_assert_cmpfloat (fabs (values[k] - 3), <=, 1e-8);
}

/* Weights of a graph, of any magnitude that there is a number for: the same vectors, and values that go with it. */
static void
test_magnitudes (void)
{
  const gsize n = 600;
  const guint m = 5;
  const int exponents[] = { -900, -600, -60, -30, 30, 60, 600, 1010 };
  g_autofree double *values = g_new (double, m), *vectors = g_new (double, m * n), *expected = g_new (double, m),
                    *like = g_new (double, m * n);

  for (guint way = 0; way < 4; way++)
    {
      const EsEigenOptions options = { .filter = way == 0, .without_factor = way == 1 };
      const EsEigenEnd end = way < 3 ? ES_EIGEN_SMALLEST : ES_EIGEN_LARGEST;
      g_autoptr (EsTestMatrix) graph = grouped_graph (n, 5, 20);
      const gsize n_nonzeros = esk_csr_n_nonzeros (&graph->csr);
      g_autofree double *plain = g_memdup2 (graph->values, n_nonzeros * sizeof (double));
      EsEigenFacts facts = es_test_matrix_find (&graph->csr, end, m, &options, expected, like);
      const EsEigenMethod method = facts.method;

      for (guint e = 0; e < G_N_ELEMENTS (exponents); e++)
        {
          for (gsize k = 0; k < n_nonzeros; k++)
            graph->values[k] = ldexp (plain[k], exponents[e]);
          facts = es_test_matrix_find (&graph->csr, end, m, &options, values, vectors);
          g_assert_cmpint (facts.method, ==, method);
          g_assert_cmpfloat (facts.residual, <=, 1e-8 * facts.norm);
          for (guint k = 0; k < m; k++)
            g_assert_cmpfloat (fabs (ldexp (values[k], -exponents[e]) - expected[k]), <=, 1e-8);
          for (gsize k = 0; k < m * n; k++)
            g_assert_cmpfloat (fabs (vectors[k] - like[k]), <=, 1e-6);
        }
    }
}

static void
cancel_at_once (double fraction, gpointer cancellable)
{
  g_assert_cmpfloat (fraction, >, 0);
  g_assert_cmpfloat (fraction, <, 1);
  g_cancellable_cancel (cancellable);
}

/* Of a matrix whose products take long, as soon as it is told how far it is. */
static void
test_filter_cancel (void)
{
  const gsize n = 60000;
  g_autoptr (EsTestMatrix) graph = grouped_graph (n, 5, 1000);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree double *values = g_new (double, 8), *vectors = g_new (double, 8 * n);
  g_autoptr (GError) error = NULL;
  const EsEigenOptions options = { .filter = TRUE, .cancellable = cancellable, .progress = cancel_at_once,
                                   .user_data = cancellable };

  g_assert_false (es_sparse_eigen_find (&graph->csr, ES_EIGEN_SMALLEST, 8, &options, values, vectors, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_small (void)
{
  const gsize sizes[] = { 1, 2, 3, 10, 161, 200 };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint m = 1; m <= sizes[s]; m = 2 * m + 1)
      {
        const gsize n = sizes[s];
        g_autoptr (EsTestMatrix) path = path_graph (n);
        g_autofree double *values = g_new (double, m), *vectors = g_new (double, m * n);

        for (int end = ES_EIGEN_LARGEST; end <= ES_EIGEN_SMALLEST; end++)
          {
            es_test_matrix_find (&path->csr, (EsEigenEnd) end, m, NULL, values, vectors);
            es_test_matrix_assert_pairs (&path->csr, m, values, vectors, 1e-8);
            assert_like_dense (&path->csr, (EsEigenEnd) end, m, values, 1e-8);
          }
      }

  g_autoptr (EsTestMatrix) nothing = es_test_matrix_new (400);
  double values[3], *vectors = g_new (double, 3 * 400);

  es_test_matrix_find (es_test_matrix_finish (nothing), ES_EIGEN_SMALLEST, 3, NULL, values, vectors);
  es_test_matrix_assert_pairs (&nothing->csr, 3, values, vectors, 0);
  g_free (vectors);
}

static void
test_threads (void)
{
  const gsize n = 5000;
  g_autoptr (EsTestMatrix) path = path_graph (n);
  g_autofree double *values = g_new (double, 6), *vectors = g_new (double, 6 * n), *first = NULL;

  for (guint threads = 1; threads <= 5; threads += 2)
    {
      const EsEigenOptions options = { .threads = threads, .tolerance = 1e-5 };

      es_test_matrix_find (&path->csr, ES_EIGEN_LARGEST, 6, &options, values, vectors);
      if (first == NULL)
        first = g_memdup2 (vectors, 6 * n * sizeof (double));
      g_assert_cmpmem (first, 6 * n * sizeof (double), vectors, 6 * n * sizeof (double));
    }
}

static gboolean
multiply (gpointer data, const double *x, double *y, GError **error)
{
  const EskCsr *matrix = data;

  for (gsize i = 0; i < matrix->rows; i++)
    {
      y[i] = 0;
      for (gint32 j = matrix->row_from[i]; j < matrix->row_from[i + 1]; j++)
        y[i] += ((const double *) matrix->value)[j] * x[matrix->column[j]];
    }
  return TRUE;
}

/* What is at hand as its product alone, small and large, with values of both signs. */
static void
test_operator (void)
{
  for (gsize n = 120; n <= 480; n *= 2)
    {
      g_autoptr (EsTestMatrix) path = path_graph (n);
      g_autoptr (GError) error = NULL;
      g_autofree double *vectors = g_new (double, 5 * n);
      double values[5];

      for (gsize i = 0; i < n; i++)
        path->values[path->row_from[i]] -= i % 2;
      for (gsize i = 0; i + 1 < n; i++)
        path->values[path->row_from[i + 1]] = path->values[path->row_from[i] + (i > 0) + 1];
      g_assert_true (es_operator_eigen_find (n, 6, multiply, &path->csr, 5, NULL, values, vectors, NULL, &error));
      g_assert_no_error (error);
      es_test_matrix_assert_pairs (&path->csr, 5, values, vectors, 1e-7);
      assert_like_dense (&path->csr, ES_EIGEN_LARGEST, 5, values, 1e-7);
    }
}

static void
assert_refused (const EskCsr *matrix, guint m, const EsEigenOptions *options, GQuark domain, int code,
                const char *word)
{
  g_autofree double *values = g_new (double, 1000), *vectors = g_new (double, 1000 * 10);
  g_autoptr (GError) error = NULL;

  g_assert_false (es_sparse_eigen_find (matrix, ES_EIGEN_SMALLEST, m, options, values, vectors, NULL, &error));
  g_assert_error (error, domain, code);
  g_assert_nonnull (strstr (error->message, word));
  g_assert_true (g_str_has_suffix (error->message, "."));
}

static void
test_refusals (void)
{
  g_autoptr (EsTestMatrix) path = path_graph (1000), skew = path_graph (300), broken = path_graph (300),
                          one = path_graph (1);
  EskCsr wide = path->csr, single = path->csr;
  const EsEigenOptions short_of = { .without_factor = TRUE, .most_products = 200 };

  wide.columns++;
  assert_refused (&wide, 1, NULL, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED, "1001 columns");
  single.type = ESK_F32;
  assert_refused (&single, 1, NULL, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED, "64-bit");
  assert_refused (&path->csr, 0, NULL, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "0 eigenpairs");
  assert_refused (&path->csr, 1001, NULL, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "1000 rows");
  assert_refused (&one->csr, 6, NULL, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "of 1 row.");
  skew->values[1] = 3;
  assert_refused (&skew->csr, 1, NULL, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED, "row 1, column 2 is 3");
  broken->values[4] = NAN;
  assert_refused (&broken->csr, 1, NULL, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED, "not a finite number");
  broken->values[3] = 1e308;
  broken->values[1] = broken->values[2] = 1e308;
  broken->values[4] = broken->values[5] = 1e308;
  assert_refused (&broken->csr, 1, NULL, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED, "too large");
  assert_refused (&path->csr, 9, &short_of, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC, "of 9 pairs");
}

/* A factor that is not allowed: products do, and it is said. */
static void
test_memory (void)
{
  const EsLimits limits = { .memory = 20000 };
  const EsEigenOptions options = { .limits = &limits };
  g_autoptr (EsTestMatrix) path = path_graph (400);
  double values[4];
  g_autofree double *vectors = g_new (double, 4 * 400);
  const EsEigenFacts facts = es_test_matrix_find (&path->csr, ES_EIGEN_SMALLEST, 4, &options, values, vectors);

  g_assert_cmpint (facts.method, ==, ES_EIGEN_LANCZOS);
  g_assert_true (facts.factor_too_large);
  g_assert_cmpuint (facts.factor_bytes, >, 10000);
  assert_like_dense (&path->csr, ES_EIGEN_SMALLEST, 4, values, 1e-8);
}

static gpointer
cancel_soon (gpointer cancellable)
{
  g_usleep (100000);
  g_cancellable_cancel (cancellable);
  return GINT_TO_POINTER ((int) (g_get_monotonic_time () & 0x3fffffff));
}

typedef struct
{
  GCancellable *cancellable;
  GThread      *self, *thread;
} Cancelling;

static void
take_progress (double fraction, gpointer user_data)
{
  Cancelling *cancelling = user_data;

  g_assert_cmpfloat (fraction, >=, 0);
  g_assert_cmpfloat (fraction, <=, 1);
  g_assert_true (g_thread_self () == cancelling->self);
  if (cancelling->thread == NULL)
    cancelling->thread = g_thread_new ("cancel", cancel_soon, cancelling->cancellable);
}

/* Once while CHOLMOD is at work, once between products, which wait for what was left behind. */
static void
test_cancel (void)
{
  const gsize side = 34, n = side * side * side;
  g_autoptr (EsTestMatrix) block = es_test_matrix_new (n);
  g_autofree double *values = g_new (double, 40), *vectors = g_new (double, 40 * n);

  for (gsize i = 0; i < n; i++)
    {
      if (i % side + 1 < side)
        es_test_matrix_join (block, i, i + 1, 1);
      if (i / side % side + 1 < side)
        es_test_matrix_join (block, i, i + side, 1);
      if (i + side * side < n)
        es_test_matrix_join (block, i, i + side * side, 1);
    }
  es_test_matrix_finish (block);
  for (int plain = 0; plain < 2; plain++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GError) error = NULL;
      Cancelling cancelling = { cancellable, g_thread_self (), NULL };
      const EsEigenOptions options = { .without_factor = plain, .cancellable = cancellable, .tolerance = 1e-15,
                                       .progress = take_progress, .user_data = &cancelling };
      int cancelled, returned;

      if (!plain)
        cancelling.thread = g_thread_new ("cancel", cancel_soon, cancellable);
      g_assert_false (es_sparse_eigen_find (&block->csr, ES_EIGEN_SMALLEST, 40, &options, values, vectors, NULL,
                                            &error));
      returned = (int) (g_get_monotonic_time () & 0x3fffffff);
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      cancelled = GPOINTER_TO_INT (g_thread_join (cancelling.thread));
      g_test_message ("back after %.1f ms", (returned - cancelled) / 1e3);
      /* 0.2 s are promised, to a machine that is not busy with something else. */
      g_assert_cmpint (returned - cancelled, <, 1000000);
    }
}

static void
test_missing (void)
{
  if (g_test_subprocess ())
    {
      g_autoptr (EsTestMatrix) path = path_graph (400);
      double values[4];
      g_autofree double *vectors = g_new (double, 4 * 400);
      g_autoptr (GError) error = NULL;

      g_setenv ("ES_LIBRARY_DIR", "/nowhere", TRUE);
      g_assert_false (es_sparse_eigen_find (&path->csr, ES_EIGEN_SMALLEST, 4, NULL, values, vectors, NULL, &error));
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED);
      g_assert_nonnull (strstr (error->message, "ARPACK with CHOLMOD"));
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sparse-eigen/path", test_path);
  g_test_add_func ("/sparse-eigen/grid", test_grid);
  g_test_add_func ("/sparse-eigen/parts", test_parts);
  g_test_add_func ("/sparse-eigen/multiples", test_multiples);
  g_test_add_func ("/sparse-eigen/tolerance", test_tolerance);
  g_test_add_func ("/sparse-eigen/random", test_random);
  g_test_add_func ("/sparse-eigen/filter", test_filter);
  g_test_add_func ("/sparse-eigen/filter-refused", test_filter_refused);
  g_test_add_func ("/sparse-eigen/magnitudes", test_magnitudes);
  g_test_add_func ("/sparse-eigen/filter-cancel", test_filter_cancel);
  g_test_add_func ("/sparse-eigen/small", test_small);
  g_test_add_func ("/sparse-eigen/threads", test_threads);
  g_test_add_func ("/sparse-eigen/operator", test_operator);
  g_test_add_func ("/sparse-eigen/refusals", test_refusals);
  g_test_add_func ("/sparse-eigen/memory", test_memory);
  g_test_add_func ("/sparse-eigen/cancel", test_cancel);
  g_test_add_func ("/sparse-eigen/missing", test_missing);
  return g_test_run ();
}
