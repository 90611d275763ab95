/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Some of the smallest eigenpairs of sparse matrices against LAPACK: graphs with one part and with several (as many
 * values of zero), values that repeat, parts of very unlike size, a shift that is too small.
 */

#include "test-conformance.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "es-eigen.h"

typedef enum
{
  PATH,                                  /* Laplacian of a path: values near zero, close to each other */
  RING,                                  /* two of each value but the first */
  PARTS,                                 /* five rings of the same size: five zeros, tens of what follows */
  RANDOM,                                /* weights of ten orders of magnitude, and a diagonal that is not stored */
  IDENTITY,                              /* all the same */
  N_KINDS
} Kind;

static const char *const kinds[] = { "path", "ring", "parts", "random", "identity" };

typedef struct
{
  EskCsr   csr;
  int32_t *row_from, *column;
  double  *value, *dense;
} Matrix;

static void
join (double *dense,
      size_t  n,
      size_t  i,
      size_t  j,
      double  weight)
{
  dense[i * n + i] += weight;
  dense[j * n + j] += weight;
  dense[i * n + j] -= weight;
  dense[j * n + i] -= weight;
}

static void
make_matrix (Kind    kind,
             size_t  n,
             Matrix *matrix)
{
  const size_t part = kind == PARTS ? n / 5 : n;
  guint64 state = n * 31 + 7;
  int32_t at = 0;

  matrix->dense = g_new0 (double, n * n);
  for (size_t i = 0; i < n; i++)
    if (kind == IDENTITY)
      matrix->dense[i * n + i] = 2.0;
    else if (kind == RANDOM)
      for (int t = 0; t < 3; t++)
        {
          const size_t j = (size_t) (random_unit (&state) * (double) n);

          if (j != i)
            join (matrix->dense, n, i, j, pow (10.0, -10.0 * random_unit (&state)));
        }
    else if ((i + 1) % part != 0 && i + 1 < n)
      join (matrix->dense, n, i, i + 1, 1.0);
    else if (kind != PATH && i >= part - 1 && (i + 1) % part == 0)
      join (matrix->dense, n, i + 1 - part, i, 1.0);
  matrix->row_from = g_new0 (int32_t, n + 1);
  matrix->column = g_new (int32_t, n * n);
  matrix->value = g_new (double, n * n);
  for (size_t i = 0; i < n; i++)
    {
      for (size_t j = 0; j < n; j++)
        if (matrix->dense[i * n + j] != 0.0)
          {
            matrix->column[at] = (int32_t) j;
            matrix->value[at++] = matrix->dense[i * n + j];
          }
      matrix->row_from[i + 1] = at;
    }
  matrix->csr = (EskCsr) { n, n, ESK_F64, matrix->row_from, matrix->column, matrix->value };
}

static void
clear_matrix (Matrix *matrix)
{
  g_free (matrix->dense);
  g_free (matrix->row_from);
  g_free (matrix->column);
  g_free (matrix->value);
}

static double
find_norm (const Matrix *matrix)
{
  double norm = 0.0;

  for (size_t i = 0; i < matrix->csr.rows; i++)
    {
      double sum = 0.0;

      for (int32_t j = matrix->row_from[i]; j < matrix->row_from[i + 1]; j++)
        sum += fabs (matrix->value[j]);
      norm = fmax (norm, sum);
    }

  return norm;
}

static void
check_smallest (Kind   kind,
                size_t n,
                size_t m,
                double shift)
{
  const EskEigenHotspots *eigen = conformance.table->eigen;
  Matrix matrix = { .dense = NULL };
  g_autofree double *values = g_new0 (double, m), *vectors = g_new0 (double, m * n + 1);
  g_autofree double *again = g_new0 (double, m * n), *all = g_new (double, n), *rows = g_new (double, n * n);
  EskSparseEigenFacts facts;
  double norm, worst = 0.0, residual = 0.0, orthogonal = 0.0;

  make_matrix (kind, n, &matrix);
  norm = find_norm (&matrix);
  conformance_case ("%zu smallest pairs of %zu rows, %s, shift %g", m, n, kinds[kind], shift);
  vectors[m * n] = -7.0;
  if (!conformance_expect ("eigen_sparse_smallest",
                           eigen->eigen_sparse_smallest (conformance.stream, &matrix.csr, shift * norm, m, 1e-9, values,
                                                         vectors, &facts), ESK_OK))
    {
      clear_matrix (&matrix);
      return;
    }
  EXPECT (vectors[m * n] == -7.0, "writes behind the vectors");
  EXPECT (facts.solutions > 0 && facts.bytes >= n * n * sizeof (double), "%u solutions, %" G_GUINT64_FORMAT " bytes",
          facts.solutions, (guint64) facts.bytes);
  g_assert_cmpint (esk_eigen_lapack (n, matrix.dense, all, rows), ==, ESK_OK);
  for (size_t k = 0; k < m; k++)
    {
      const double *v = vectors + k * n;
      double square = 0.0;
      size_t largest = 0;

      worst = fmax (worst, isnan (values[k]) ? INFINITY : fabs (values[k] - all[n - 1 - k]) / norm);
      EXPECT (k == 0 || values[k] >= values[k - 1], "value %zu is below the one before", k);
      for (size_t i = 0; i < n; i++)
        {
          double sum = -values[k] * v[i];

          for (int32_t j = matrix.row_from[i]; j < matrix.row_from[i + 1]; j++)
            sum += matrix.value[j] * v[matrix.column[j]];
          square += sum * sum;
          if (fabs (v[i]) > fabs (v[largest]))
            largest = i;
        }
      EXPECT (v[largest] > 0.0, "vector %zu has the other sign", k);
      residual = fmax (residual, isnan (square) ? INFINITY : sqrt (square) / norm);
      for (size_t l = 0; l <= k; l++)
        {
          double along = -(double) (l == k);

          for (size_t i = 0; i < n; i++)
            along += v[i] * vectors[l * n + i];
          orthogonal = fmax (orthogonal, isnan (along) ? INFINITY : fabs (along));
        }
    }
  EXPECT (worst <= 1e-11, "values are wrong by %g", worst);
  /* What is far from the shift is small in the inverse: rounding of its largest value reaches it as often. */
  EXPECT (residual <= 1e-9 + 4 * DBL_EPSILON * values[m - 1] / (shift * norm), "residual %g of %g", residual,
          1e-9 + 4 * DBL_EPSILON * values[m - 1] / (shift * norm));
  EXPECT (orthogonal <= 1e-12, "vectors are not orthonormal by %g", orthogonal);
  conformance_worst (fmax (worst, orthogonal));
  conformance_expect ("eigen_sparse_smallest",
                      eigen->eigen_sparse_smallest (conformance.stream, &matrix.csr, shift * norm, m, 1e-9, values,
                                                    again, &facts), ESK_OK);
  EXPECT (memcmp (again, vectors, m * n * sizeof (double)) == 0, "other vectors the second time");
  clear_matrix (&matrix);
}

static void
test_smallest (void)
{
  static const size_t sizes[] = { 40, 65, 200, 500 }, wanted[] = { 1, 2, 7, 40 };

  if (!ESK_HAS (conformance.table, eigen, eigen_sparse_smallest))
    {
      g_test_skip ("left to the CPU's libraries");
      return;
    }
  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (int kind = 0; kind < N_KINDS; kind++)
      for (size_t w = 0; w < G_N_ELEMENTS (wanted); w++)
        if (sizes[s] >= 4 * wanted[w] + 32 && !((conformance.quick || conformance.fake) && sizes[s] > 200))
          check_smallest ((Kind) kind, sizes[s], wanted[w], w == 2 ? 1e-6 : 1e-10);
}

/* A shift that leaves values below zero, sizes and numbers that cannot be, a caller who does not want it any more. */
static void
test_smallest_bad (void)
{
  const EskEigenHotspots *eigen = conformance.table->eigen;
  const int flag = 1;
  Matrix matrix = { .dense = NULL };
  g_autofree double *vectors = g_new0 (double, 64 * 64);
  double values[64];
  EskSparseEigenFacts facts;

  if (!ESK_HAS (conformance.table, eigen, eigen_sparse_smallest))
    return;
  conformance_case ("pairs that there are not");
  make_matrix (RING, 64, &matrix);
  conformance_expect ("a shift below the smallest value",
                      eigen->eigen_sparse_smallest (conformance.stream, &matrix.csr, -0.5, 3, 1e-9, values, vectors,
                                                    &facts), ESK_ERROR_SINGULAR);
  conformance_expect ("no pair", eigen->eigen_sparse_smallest (conformance.stream, &matrix.csr, 1.0, 0, 1e-9, values,
                                                               vectors, &facts), ESK_ERROR_ARGUMENT);
  conformance_expect ("too many", eigen->eigen_sparse_smallest (conformance.stream, &matrix.csr, 1.0, 9, 1e-9, values,
                                                                vectors, &facts), ESK_ERROR_ARGUMENT);
  conformance_expect ("no shift", eigen->eigen_sparse_smallest (conformance.stream, &matrix.csr, NAN, 3, 1e-9, values,
                                                                vectors, &facts), ESK_ERROR_ARGUMENT);
  matrix.csr.columns = 63;
  conformance_expect ("not square", eigen->eigen_sparse_smallest (conformance.stream, &matrix.csr, 1.0, 3, 1e-9, values,
                                                                  vectors, &facts), ESK_ERROR_ARGUMENT);
  matrix.csr.columns = 64;
  if (!conformance.fake && ESK_HAS (conformance.table, stream, set_cancelled))
    {
      esk_hotspots_set_cancelled (conformance.table, conformance.stream, &flag);
      conformance_expect ("cancelled", eigen->eigen_sparse_smallest (conformance.stream, &matrix.csr, 1.0, 3, 1e-9,
                                                                     values, vectors, &facts), ESK_ERROR_CANCELLED);
      esk_hotspots_set_cancelled (conformance.table, conformance.stream, NULL);
    }
  conformance_expect ("the same afterwards",
                      eigen->eigen_sparse_smallest (conformance.stream, &matrix.csr, 1e-6, 3, 1e-9, values, vectors,
                                                    &facts), ESK_OK);
  EXPECT (fabs (values[0]) <= 1e-11, "the first value is %g", values[0]);
  clear_matrix (&matrix);
}

void
conformance_add_eigen_sparse (void)
{
  conformance_add ("eigen-sparse/smallest", test_smallest);
  conformance_add ("eigen-sparse/bad", test_smallest_bad);
}
