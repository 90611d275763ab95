/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The largest eigenvalues where they crowd, as those of a grid do, against their formula: by a factor, soon. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/es-error.h"
#include "es-test-matrix.h"

/* sign (4 - 2 cos - 2 cos) + shift of a grid with nothing beyond its border, whose values come in pairs. */
static EsTestMatrix *
crowded_grid (gsize side, double sign, double shift)
{
  EsTestMatrix *self = es_test_matrix_new (side * side);

  for (gsize i = 0; i < side * side; i++)
    {
      es_test_matrix_add (self, i, i, 4 * sign + shift);
      if (i % side > 0)
        es_test_matrix_add (self, i, i - 1, -sign);
      if (i % side + 1 < side)
        es_test_matrix_add (self, i, i + 1, -sign);
      if (i >= side)
        es_test_matrix_add (self, i, i - side, -sign);
      if (i + side < side * side)
        es_test_matrix_add (self, i, i + side, -sign);
    }
  es_test_matrix_finish (self);
  return self;
}

static int
compare_descending (gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return x > y ? -1 : x < y;
}

/* All of them, descending. */
static double *
crowded_values (gsize side, double sign, double shift)
{
  double *values = g_new (double, side * side);

  for (gsize i = 0; i < side * side; i++)
    values[i] = sign * (4 - 2 * cos (G_PI * (double) (i % side + 1) / (double) (side + 1))
                        - 2 * cos (G_PI * (double) (i / side + 1) / (double) (side + 1))) + shift;
  qsort (values, side * side, sizeof (double), compare_descending);
  return values;
}

/* By products alone some thousand would be needed; whatever the signs of its values, and by any number of threads. */
static void
test_largest (void)
{
  const gsize side = 110, n = side * side;
  const guint m = 9;
  const struct { double sign, shift; } kinds[] = { { 1, 0 }, { 1, -4 }, { -1, 0 }, { 1, -20 } };
  g_autofree double *values = g_new (double, m), *vectors = g_new (double, m * n);

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      g_autoptr (EsTestMatrix) grid = crowded_grid (side, kinds[k].sign, kinds[k].shift);
      g_autofree double *exact = crowded_values (side, kinds[k].sign, kinds[k].shift), *first = NULL;

      for (guint threads = 1; threads <= 3; threads++)
        {
          const EsEigenOptions options = { .threads = threads };
          const EsEigenFacts facts = es_test_matrix_find (&grid->csr, ES_EIGEN_LARGEST, m, &options, values, vectors);

          g_test_message ("%u products, %u solutions, shift %g, residual %g", facts.products_before, facts.products,
                          facts.shift, facts.residual / facts.norm);
          g_assert_cmpint (facts.method, ==, ES_EIGEN_INVERSE);
          g_assert_cmpuint (facts.products_before, >, 0);
          g_assert_cmpuint (facts.products_before, <=, 300);
          g_assert_cmpuint (facts.products, <=, 200);
          g_assert_cmpfloat (facts.shift, >, exact[0]);
          g_assert_cmpfloat (facts.residual, <=, 1e-10 * facts.norm);
          g_assert_cmpuint (facts.factor_values, >, n);
          for (guint i = 0; i < m; i++)
            g_assert_cmpfloat (fabs (values[i] - exact[i]), <=, 1e-10);
          if (first == NULL)
            first = g_memdup2 (vectors, m * n * sizeof (double));
          g_assert_cmpmem (first, m * n * sizeof (double), vectors, m * n * sizeof (double));
        }
      es_test_matrix_assert_pairs (&grid->csr, m, values, vectors, 1e-9);
    }
}

/* Of any magnitude. */
static void
test_largest_magnitudes (void)
{
  const gsize side = 110, n = side * side;
  const guint m = 4;
  const double units[] = { 1e200, 1e-250, 1e-20, 1e20 };
  g_autofree double *exact = crowded_values (side, 1, 0), *values = g_new (double, m), *vectors = g_new (double, m * n);

  for (guint u = 0; u < G_N_ELEMENTS (units); u++)
    {
      g_autoptr (EsTestMatrix) grid = crowded_grid (side, 1, 0);
      EsEigenFacts facts;

      for (gsize k = 0; k < esk_csr_n_nonzeros (&grid->csr); k++)
        grid->values[k] *= units[u];
      facts = es_test_matrix_find (&grid->csr, ES_EIGEN_LARGEST, m, NULL, values, vectors);
      g_assert_cmpint (facts.method, ==, ES_EIGEN_INVERSE);
      g_assert_cmpfloat (facts.residual / facts.norm, <=, 1e-10);
      g_assert_cmpfloat (facts.shift / units[u], >, exact[0]);
      for (guint i = 0; i < m; i++)
        g_assert_cmpfloat (fabs (values[i] / units[u] - exact[i]), <=, 1e-10);
    }
}

/* Where a factor does not fit, or is not wanted, products do; of zeros there is nothing to find. */
static void
test_largest_by_products (void)
{
  const gsize side = 110, n = side * side;
  const guint m = 4;
  const EsLimits limits = { .memory = 4000000 };
  const EsEigenOptions narrow = { .limits = &limits }, without = { .without_factor = TRUE };
  g_autoptr (EsTestMatrix) grid = crowded_grid (side, 1, 0), nothing = es_test_matrix_new (n);
  g_autofree double *exact = crowded_values (side, 1, 0), *values = g_new (double, m), *vectors = g_new (double, m * n);
  EsEigenFacts facts = es_test_matrix_find (&grid->csr, ES_EIGEN_LARGEST, m, NULL, values, vectors);

  g_assert_cmpint (facts.method, ==, ES_EIGEN_INVERSE);
  for (guint way = 0; way < 2; way++)
    {
      facts = es_test_matrix_find (&grid->csr, ES_EIGEN_LARGEST, m, way == 0 ? &narrow : &without, values, vectors);
      g_assert_cmpint (facts.method, ==, ES_EIGEN_LANCZOS);
      g_assert_true (facts.factor_too_large == (way == 0));
      g_assert_cmpuint (facts.products_before, ==, 0);
      g_assert_cmpuint (facts.products, >, 300);
      for (guint i = 0; i < m; i++)
        g_assert_cmpfloat (fabs (values[i] - exact[i]), <=, 1e-8);
    }

  es_test_matrix_find (es_test_matrix_finish (nothing), ES_EIGEN_LARGEST, m, NULL, values, vectors);
  for (guint i = 0; i < m; i++)
    g_assert_cmpfloat (values[i], ==, 0);
}

typedef struct
{
  GCancellable *cancellable;
  GThread      *thread;
  gulong        delay;          /* microseconds */
  double        told;
} Leaving;

static gpointer
leave_later (gpointer data)
{
  const Leaving *self = data;

  g_usleep (self->delay);
  g_cancellable_cancel (self->cancellable);
  return NULL;
}

/* From the product on after which the matrix is ordered. */
static void
leave_there (double fraction, gpointer data)
{
  Leaving *self = data;

  g_assert_cmpfloat (fraction, >=, self->told);
  self->told = fraction;
  if (self->thread == NULL && fraction > 1 - 1 / (1 + 142 / 160.0))
    self->thread = g_thread_new ("leave", leave_later, self);
}

/* While the matrix is ordered, factored and solved with: at once, and what comes after it waits for what was left. */
static void
test_largest_cancel (void)
{
  const gsize side = 180, n = side * side;
  const gulong delays[] = { 0, 3000, 20000, 60000, 200000 };
  g_autoptr (EsTestMatrix) grid = crowded_grid (side, 1, 0);
  g_autofree double *exact = crowded_values (side, 1, 0), *values = g_new (double, 6), *vectors = g_new (double, 6 * n);

  for (guint k = 0; k < G_N_ELEMENTS (delays); k++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GError) error = NULL;
      Leaving leaving = { .cancellable = cancellable, .delay = delays[k] };
      const EsEigenOptions options = { .cancellable = cancellable, .progress = leave_there, .user_data = &leaving };

      if (!es_sparse_eigen_find (&grid->csr, ES_EIGEN_LARGEST, 6, &options, values, vectors, NULL, &error))
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      else
        g_assert_cmpuint (delays[k], >, 0);
      g_assert_nonnull (leaving.thread);
      g_thread_join (leaving.thread);
    }
  g_assert_cmpint (es_test_matrix_find (&grid->csr, ES_EIGEN_LARGEST, 6, NULL, values, vectors).method, ==,
                   ES_EIGEN_INVERSE);
  for (guint i = 0; i < 6; i++)
    g_assert_cmpfloat (fabs (values[i] - exact[i]), <=, 1e-10);
}

/* Two chains of the same values and one value that is far from them: beside its inverse theirs are nearly the same,
 * and none of those that repeat may be passed over. At either end: the smallest are found by a factor. */
static void
test_far (void)
{
  const gsize length = 300, n = 2 * length + 1;
  const guint m = 4;
  const struct { double sign, far; EsEigenEnd end; } kinds[] = {
    { 1, 1e3, ES_EIGEN_LARGEST }, { 1, 3e4, ES_EIGEN_LARGEST }, { -1, -500, ES_EIGEN_SMALLEST },
    { -1, -1e4, ES_EIGEN_SMALLEST },
  };
  g_autofree double *values = g_new (double, m), *vectors = g_new (double, m * n);

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      g_autoptr (EsTestMatrix) chains = es_test_matrix_new (n);
      EsEigenFacts facts;

      for (gsize i = 0; i < 2 * length; i++)
        {
          es_test_matrix_add (chains, i, i, 2 * kinds[k].sign);
          if (i % length > 0)
            es_test_matrix_add (chains, i, i - 1, -kinds[k].sign);
          if (i % length + 1 < length)
            es_test_matrix_add (chains, i, i + 1, -kinds[k].sign);
        }
      es_test_matrix_add (chains, 2 * length, 2 * length, kinds[k].far);
      facts = es_test_matrix_find (es_test_matrix_finish (chains), kinds[k].end, m, NULL, values, vectors);
      g_assert_cmpfloat (facts.residual, <=, 1e-10 * facts.norm);
      g_assert_cmpfloat (fabs (values[0] - kinds[k].far), <=, 1e-9 * fabs (kinds[k].far));
      /* The three that follow: a pair, and the first of the next one. */
      for (guint i = 1; i < m; i++)
        {
          const double exact = 2 - 2 * cos (G_PI * (double) (length - (i - 1) / 2) / (double) (length + 1));

          g_assert_cmpfloat (fabs (values[i] - kinds[k].sign * exact), <=, 1e-5);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sparse-eigen-largest/grid", test_largest);
  g_test_add_func ("/sparse-eigen-largest/magnitudes", test_largest_magnitudes);
  g_test_add_func ("/sparse-eigen-largest/by-products", test_largest_by_products);
  g_test_add_func ("/sparse-eigen-largest/cancel", test_largest_cancel);
  g_test_add_func ("/sparse-eigen-largest/far", test_far);
  return g_test_run ();
}
