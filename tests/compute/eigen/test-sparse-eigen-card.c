/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The smallest eigenpairs by a card, here one of host memory, and by the CPU where the card cannot; the same values. */

#include <math.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"
#include "es-test-matrix.h"

#define SIDE 20
#define N    (SIDE * SIDE)

/* A grid whose rows are joined by half as much. */
static EsTestMatrix *
make_grid (void)
{
  EsTestMatrix *matrix = es_test_matrix_new (N);

  for (gsize i = 0; i < SIDE; i++)
    for (gsize j = 0; j < SIDE; j++)
      {
        if (j + 1 < SIDE)
          es_test_matrix_join (matrix, i * SIDE + j, i * SIDE + j + 1, 1);
        if (i + 1 < SIDE)
          es_test_matrix_join (matrix, i * SIDE + j, (i + 1) * SIDE + j, 0.5);
      }
  es_test_matrix_finish (matrix);
  return matrix;
}

static EsDevice *
find_card (void)
{
  g_autoptr (GPtrArray) devices = es_devices_list ();

  for (guint i = 0; i < devices->len; i++)
    if (es_device_get_kind (g_ptr_array_index (devices, i)) == ES_DEVICE_GPU)
      return g_ptr_array_index (devices, i);
  g_assert_not_reached ();
}

static double *
find (const EsEigenOptions *options, guint m, double *values, EsEigenFacts *facts)
{
  g_autoptr (EsTestMatrix) matrix = make_grid ();
  g_autoptr (GError) error = NULL;
  double *vectors = g_new0 (double, m * N);

  es_sparse_eigen_find (&matrix->csr, ES_EIGEN_SMALLEST, m, options, values, vectors, facts, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (facts->residual, <=, 1e-10 * facts->norm);
  return vectors;
}

static void
test_card (void)
{
  const EsEigenOptions options = { .device = find_card () };
  double values[6], expected[6];
  EsEigenFacts facts, by_cpu;
  g_autofree double *vectors = find (&options, 6, values, &facts), *others = find (NULL, 6, expected, &by_cpu);

  g_assert_cmpint (facts.method, ==, ES_EIGEN_CARD);
  g_assert_false (facts.card_refused);
  g_assert_cmpint (by_cpu.method, ==, ES_EIGEN_INVERSE);
  g_assert_cmpfloat (facts.shift, >, 0);
  g_assert_cmpuint (facts.products, >, 0);
  for (guint k = 0; k < 6; k++)
    g_assert_cmpfloat (fabs (values[k] - expected[k]), <=, 1e-9);
}

/* -1: a card without the memory. 1: it does not take problems of that size. */
static void
test_refused (void)
{
  const EsEigenOptions options = { .device = find_card () };
  static const char *const largest[] = { "-100", "100" };

  for (guint i = 0; i < G_N_ELEMENTS (largest); i++)
    {
      g_autofree double *vectors = NULL;
      double values[6];
      EsEigenFacts facts;

      g_setenv ("ES_FAKE_EIGEN_LARGEST", largest[i], TRUE);
      vectors = find (&options, 6, values, &facts);
      g_unsetenv ("ES_FAKE_EIGEN_LARGEST");
      g_assert_cmpint (facts.method, ==, ES_EIGEN_INVERSE);
      g_assert_cmpint (facts.card_refused, ==, i == 0);
      g_assert_cmpfloat (fabs (values[0]), <=, 1e-12);
    }
}

/* No room for 400 x 400 numbers, and products asked for: the card is not tried. */
static void
test_not_tried (void)
{
  const EsLimits limits = { .device_memory = 1 << 20 };
  const EsEigenOptions small = { .device = find_card (), .limits = &limits };
  const EsEigenOptions products = { .device = find_card (), .without_factor = TRUE };
  double values[3];
  EsEigenFacts facts;

  g_free (find (&small, 3, values, &facts));
  g_assert_cmpint (facts.method, ==, ES_EIGEN_INVERSE);
  g_assert_false (facts.card_refused);
  g_free (find (&products, 3, values, &facts));
  g_assert_cmpint (facts.method, ==, ES_EIGEN_LANCZOS);
}

static void
test_cancelled (void)
{
  g_autoptr (EsTestMatrix) matrix = make_grid ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  const EsEigenOptions options = { .device = find_card (), .cancellable = cancellable };
  g_autofree double *vectors = g_new0 (double, 3 * N);
  double values[3];

  g_cancellable_cancel (cancellable);
  g_assert_false (es_sparse_eigen_find (&matrix->csr, ES_EIGEN_SMALLEST, 3, &options, values, vectors, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sparse-eigen-card/card", test_card);
  g_test_add_func ("/sparse-eigen-card/refused", test_refused);
  g_test_add_func ("/sparse-eigen-card/not-tried", test_not_tried);
  g_test_add_func ("/sparse-eigen-card/cancelled", test_cancelled);
  return g_test_run ();
}
