/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The first eigenvectors alone: of spectra as covariances have them, of matrices whose values lie close or are equal,
 * of parts that do not touch, of zeros, of very large and very small numbers. Against LAPACK's values and the matrix
 * itself.
 */

#include "test-conformance.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#include "es-eigen.h"

#define TOLERANCE 1e-12

typedef enum
{
  SPECTRUM,                              /* falls over nine orders of magnitude to a floor of noise */
  FLAT,                                  /* values between one and two */
  PAIRS,                                 /* two of each */
  CLOSE,                                 /* three bundles, 1e-13 wide */
  ONE,                                   /* all the same */
  BLOCKS,                                /* two parts that do not touch, with the same values */
  LOW_RANK,                              /* five that are not zero */
  INDEFINITE,
  TRIDIAGONAL,                           /* Wilkinson's: pairs that agree to the last digit */
  DIAGONAL,
  ZERO,
  N_KINDS
} Kind;

static const char *const kinds[] = { "spectrum", "flat", "pairs", "close", "one value", "blocks", "low rank",
                                     "indefinite", "tridiagonal", "diagonal", "zero" };

static double
value_of (Kind   kind,
          size_t n,
          size_t k)
{
  const double t = (double) k / (double) n;

  switch (kind)
    {
    case SPECTRUM: return 1e6 * exp (-40.0 * t) + 1e-3 * (2.0 - t);
    case FLAT: return 2.0 - t;
    case PAIRS: return 1.0 + (double) (k / 2);
    case CLOSE: return (double) (3 - k * 3 / n) + 1e-13 * (double) k;
    case ONE: return 3.0;
    case BLOCKS: return 1.0 + (double) (k % (n / 2 + 1));
    case LOW_RANK: return k < 5 ? 5.0 - (double) k : 0.0;
    case INDEFINITE: return sin (1.0 + 7.0 * (double) k);
    default: return 0.0;
    }
}

/* Householder reflectors by random vectors about the values, so that they are what they were. */
static double *
make_matrix (Kind   kind,
             size_t n,
             double factor)
{
  double *matrix = g_new0 (double, n * n);
  const size_t half = kind == BLOCKS ? n / 2 : n;
  g_autofree double *v = g_new0 (double, n), *p = g_new (double, n);
  guint64 state = n * 17 + (guint64) kind;

  for (size_t k = 0; k < n; k++)
    matrix[k * n + k] = kind == TRIDIAGONAL ? fabs ((double) k - 0.5 * (double) (n - 1))
                        : kind == DIAGONAL ? (double) ((k * 7) % n) : value_of (kind, n, k);
  for (size_t k = 0; kind == TRIDIAGONAL && k + 1 < n; k++)
    matrix[k * n + k + 1] = matrix[(k + 1) * n + k] = 1.0;
  for (int turn = 0; kind < TRIDIAGONAL && turn < 6; turn++)
    {
      const size_t first = kind == BLOCKS && turn % 2 == 1 ? half : 0;
      const size_t end = kind == BLOCKS && turn % 2 == 0 ? half : n;
      double square = 0.0, dot = 0.0;

      memset (v, 0, n * sizeof *v);
      for (size_t i = first; i < end; i++)
        {
          v[i] = random_unit (&state) - 0.5;
          square += v[i] * v[i];
        }
      if (!(square > 0.0))
        continue;
      cblas_dgemv (CblasRowMajor, CblasNoTrans, (int) n, (int) n, 2.0 / square, matrix, (int) n, v, 1, 0.0, p, 1);
      dot = cblas_ddot ((int) n, p, 1, v, 1) / square;
      for (size_t i = 0; i < n; i++)
        p[i] -= dot * v[i];
      for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
          matrix[i * n + j] -= v[i] * p[j] + p[i] * v[j];
    }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++)
      matrix[i * n + j] = matrix[j * n + i] = factor * matrix[i * n + j];

  return matrix;
}

typedef struct
{
  size_t        wanted, n;
  const double *values;
  guint         calls;
} Choice;

static size_t
choose (size_t        n,
        const double *values,
        void         *data)
{
  Choice *choice = data;

  choice->calls++;
  choice->n = n;
  for (size_t k = 1; k < n; k++)
    EXPECT (values[k] <= values[k - 1], "value %zu is above the one before when it is asked", k);

  return choice->wanted;
}

static void
check_leading (Kind   kind,
               size_t n,
               size_t wanted,
               double factor)
{
  const EskEigenHotspots *eigen = conformance.table->eigen;
  g_autofree double *matrix = make_matrix (kind, n, factor), *copy = g_memdup2 (matrix, n * n * sizeof (double));
  g_autofree double *values = g_new0 (double, n), *vectors = g_new (double, n * n), *again = g_new0 (double, n * n);
  g_autofree double *expected = g_new0 (double, n), *other = g_new0 (double, n * n), *rest = g_new (double, n);
  Choice choice = { .wanted = wanted };
  size_t found = 0, found_again = 0;
  double norm, worst = 0.0, orthogonal = 0.0, residual = 0.0;

  conformance_case ("%zu eigenvectors of %zu x %zu, %s, times %g", wanted, n, n, kinds[kind], factor);
  for (size_t k = 0; k < n * n; k++)
    vectors[k] = -7.0;
  if (!conformance_expect ("eigen_leading",
                           eigen->eigen_leading (conformance.stream, n, matrix, wanted > 0 ? choose : NULL, &choice,
                                                 values, vectors, &found), ESK_OK))
    return;
  EXPECT (memcmp (matrix, copy, n * n * sizeof (double)) == 0, "the matrix has changed");
  EXPECT (choice.calls <= 1 && (found == n || (choice.calls == 1 && choice.n == n)), "asked %u times, of %zu",
          choice.calls, choice.n);
  EXPECT (found >= (wanted > 0 ? wanted : n) && found <= n, "%zu vectors", found);
  for (size_t k = found * n; k < n * n; k++)
    if (vectors[k] != -7.0)
      {
        conformance_fail ("writes behind the vectors");
        break;
      }

  g_assert_cmpint (esk_eigen_lapack (n, matrix, expected, other), ==, ESK_OK);
  norm = fmax (fmax (fabs (expected[0]), fabs (expected[n - 1])), 1e-300);
  for (size_t k = 0; k < n; k++)
    {
      worst = fmax (worst, isnan (values[k]) ? INFINITY : fabs (values[k] - expected[k]) / norm);
      EXPECT (k == 0 || values[k] <= values[k - 1], "value %zu is above the one before", k);
    }
  for (size_t k = 0; k < MIN (found, n); k++)
    {
      const double *vector = vectors + k * n;
      const size_t largest = cblas_idamax ((int) n, vector, 1);

      EXPECT (vector[largest] > 0.0, "vector %zu has the other sign", k);
      cblas_dgemv (CblasRowMajor, CblasNoTrans, (int) n, (int) n, 1.0 / norm, matrix, (int) n, vector, 1, 0.0, rest, 1);
      cblas_daxpy ((int) n, -values[k] / norm, vector, 1, rest, 1);
      residual = fmax (residual, cblas_dnrm2 ((int) n, rest, 1));
      for (size_t j = 0; j <= k; j++)
        {
          const double overlap = fabs (cblas_ddot ((int) n, vector, 1, vectors + j * n, 1) - (k == j));

          orthogonal = fmax (orthogonal, isnan (overlap) ? INFINITY : overlap);
        }
    }
  EXPECT (worst <= 1e-13, "values are wrong by %g", worst);
  EXPECT (residual <= TOLERANCE, "residual %g", residual);
  EXPECT (orthogonal <= TOLERANCE, "vectors are not orthonormal by %g", orthogonal);
  conformance_worst (fmax (residual, orthogonal));

  conformance_expect ("eigen_leading", eigen->eigen_leading (conformance.stream, n, matrix, wanted > 0 ? choose : NULL,
                                                             &choice, values, again, &found_again), ESK_OK);
  EXPECT (found_again == found && memcmp (again, vectors, found * n * sizeof (double)) == 0,
          "other vectors the second time");
}

static void
test_leading (void)
{
  static const size_t sizes[] = { 1, 2, 3, 5, 8, 17, 32, 33, 64, 100, 113, 192, 224, 225, 256, 257, 300 };
  static const size_t wanted[] = { 1, 3, 27, 32, 33, 48, 60, 0 };

  if (!ESK_HAS (conformance.table, eigen, eigen_leading))
    {
      g_test_skip ("left to eigen_symmetric");
      return;
    }
  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (int kind = 0; kind < N_KINDS; kind++)
      for (size_t w = 0; w < G_N_ELEMENTS (wanted); w++)
        if (wanted[w] <= sizes[s] && !(conformance.quick && (sizes[s] > 64 || s % 4 != 3 || w % 3 != 0))
            && (sizes[s] <= 113 || kind == SPECTRUM || w == 2)
            && (!conformance.fake || (s + w + (size_t) kind) % 5 == 0))
          check_leading ((Kind) kind, sizes[s], wanted[w], 1.0);
}

/* Squares of such numbers are none any more. */
static void
test_leading_scales (void)
{
  static const double factors[] = { 1e-300, 1e-200, 1e-30, 1e30, 1e200, 1e295 };

  if (!ESK_HAS (conformance.table, eigen, eigen_leading))
    {
      g_test_skip ("left to eigen_symmetric");
      return;
    }
  for (guint f = 0; f < G_N_ELEMENTS (factors); f++)
    for (int kind = 0; kind < N_KINDS; kind += conformance.quick ? 5 : 1)
      check_leading ((Kind) kind, conformance.quick ? 40 : 90, 7, factors[f]);
}

static void
test_leading_bad (void)
{
  double matrix[4] = { 1.0, INFINITY, INFINITY, 2.0 }, values[2] = { 0.0 }, vectors[4] = { 0.0 };
  size_t found = 0;

  if (!ESK_HAS (conformance.table, eigen, eigen_leading) || conformance.fake)
    return;
  conformance_case ("eigenvectors that there are not");
  conformance_expect ("infinity", conformance.table->eigen->eigen_leading (conformance.stream, 2, matrix, NULL, NULL,
                                                                           values, vectors, &found),
                      ESK_ERROR_ARGUMENT);
  matrix[1] = matrix[2] = NAN;
  conformance_expect ("NAN", conformance.table->eigen->eigen_leading (conformance.stream, 2, matrix, NULL, NULL, values,
                                                                      vectors, &found),
                      ESK_ERROR_ARGUMENT);
  conformance_expect ("no matrix", conformance.table->eigen->eigen_leading (conformance.stream, 0, matrix, NULL, NULL,
                                                                            values, vectors, &found),
                      ESK_ERROR_ARGUMENT);
}

void
conformance_add_leading (void)
{
  conformance_add ("leading/values", test_leading);
  conformance_add ("leading/scales", test_leading_scales);
  conformance_add ("leading/bad", test_leading_bad);
}
