/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Two matrices made diagonal together: by what has to come of them, and by values that are known. */

#include "test-conformance.h"

#include "es-eigen.h"

#include <math.h>
#include <string.h>

typedef struct
{
  size_t  n, raised;
  double *noise, *data, *values, *transform, *mixing;
} Pair;

static void
pair_init (Pair  *pair,
           size_t n)
{
  *pair = (Pair) { n, 77, g_new0 (double, n * n), g_new0 (double, n * n), g_new0 (double, n + 1),
                   g_new0 (double, n * n + 1), g_new0 (double, n * n + 1) };
  pair->values[n] = pair->transform[n * n] = pair->mixing[n * n] = -7.0;
}

static void
pair_clear (Pair *pair)
{
  g_free (pair->noise);
  g_free (pair->data);
  g_free (pair->values);
  g_free (pair->transform);
  g_free (pair->mixing);
}

/* Correlations of neighbours that fall, of which the smallest eigenvalue is about (1 - r) / (1 + r), and a few spectra
 * on top of them. rank: of the noise, where that is less than n. */
static void
fill (Pair   *pair,
      double  r,
      size_t  rank,
      guint64 seed)
{
  const size_t n = pair->n;
  guint64 state = seed * 77 + 5;

  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      pair->noise[i * n + j] = pow (r, fabs ((double) i - (double) j));
  if (rank < n)
    {
      g_autofree double *rows = g_new (double, rank * n), *diagonal = g_new0 (double, n);

      for (size_t k = 0; k < rank * n; k++)
        rows[k] = random_unit (&state) - 0.5;
      for (size_t k = 0; k < rank; k++)
        for (size_t i = 0; i < n; i++)
          diagonal[i] += rows[k * n + i] * rows[k * n + i];
      memset (pair->noise, 0, n * n * sizeof (double));
      for (size_t k = 0; k < rank; k++)
        for (size_t i = 0; i < n; i++)
          for (size_t j = 0; j < n; j++)
            pair->noise[i * n + j] += rows[k * n + i] * rows[k * n + j] / sqrt (diagonal[i] * diagonal[j]);
    }
  memcpy (pair->data, pair->noise, n * n * sizeof (double));
  for (size_t k = 0; k < 4 && k < n; k++)
    {
      const double strength = pow (20.0, (double) k) * (0.5 + random_unit (&state)), turn = random_unit (&state);

      for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
          pair->data[i * n + j] += strength * cos (turn + 0.05 * (double) (i * (k + 1)))
                                   * cos (turn + 0.05 * (double) (j * (k + 1)));
    }
}

static int
solve (Pair   *pair,
       double  least)
{
  return conformance.table->eigen->eigen_pair (conformance.stream, pair->n, pair->noise, pair->data, least,
                                               pair->values, pair->transform, pair->mixing, &pair->raised);
}

/* The largest departure of left matrix right' from diag (values) or, where those are NULL, from ones. */
static double
departure (size_t        n,
           const double *left,
           const double *matrix,
           const double *right,
           const double *values)
{
  g_autofree double *product = g_new (double, n * n), *turned = g_new (double, n * n), *out = g_new (double, n * n);
  double worst = 0.0;

  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      turned[j * n + i] = right[i * n + j];
  if (matrix != NULL)
    esk_multiply (n, n, n, left, matrix, product);
  esk_multiply (n, n, n, matrix != NULL ? product : left, turned, out);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      {
        const double expected = i != j ? 0.0 : values != NULL ? values[i] : 1.0;
        /* Of values of very different sizes the rounding is that of both. */
        const double size = values != NULL ? sqrt (fmax (values[i], 1.0) * fmax (values[j], 1.0)) : 1.0;
        const double wrong = fabs (out[i * n + j] - expected) / size;

        worst = isnan (wrong) ? INFINITY : fmax (worst, wrong);
      }
  return worst;
}

/* condition: of the noise, as far as it is counted. Products of the transform with the data are sums of numbers as
 * large as the largest value, and are as wrong as those. */
static void
check (Pair   *pair,
       double  condition,
       size_t  raised)
{
  const size_t n = pair->n;
  const double tolerance = 4e-15 * sqrt ((double) n) * condition;
  double worst = departure (n, pair->mixing, NULL, pair->transform, NULL) / tolerance;

  for (size_t k = 1; k < n; k++)
    EXPECT (pair->values[k] <= pair->values[k - 1], "values rise at %zu", k);
  EXPECT (pair->values[n] == -7.0 && pair->transform[n * n] == -7.0 && pair->mixing[n * n] == -7.0,
          "writes behind the end");
  EXPECT (pair->raised == raised, "%zu eigenvalues raised, not %zu", pair->raised, raised);
  if (raised == 0)
    worst = fmax (worst, departure (n, pair->transform, pair->noise, pair->transform, NULL) / tolerance);
  worst = fmax (worst, departure (n, pair->transform, pair->data, pair->transform, pair->values)
                       / (4e-15 * fmax (pair->values[0], 1.0)));
  EXPECT (worst <= 1.0, "wrong by %g of the tolerance", worst);
  conformance_worst (worst);
}

static void
test_pair_sizes (void)
{
  static const size_t sizes[] = { 1, 2, 3, 17, 31, 64, 97, 224, 300 };

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      Pair pair, again;

      if (conformance.quick && sizes[s] > 97)
        continue;
      conformance_case ("%zu", sizes[s]);
      pair_init (&pair, sizes[s]);
      pair_init (&again, sizes[s]);
      fill (&pair, 0.8, sizes[s], s);
      fill (&again, 0.8, sizes[s], s);
      if (conformance_expect ("eigen_pair", solve (&pair, 1e-13), ESK_OK)
          && conformance_expect ("eigen_pair", solve (&again, 1e-13), ESK_OK))
        {
          check (&pair, 81.0, 0);
          EXPECT (memcmp (pair.transform, again.transform, sizes[s] * sizes[s] * sizeof (double)) == 0
                  && memcmp (pair.values, again.values, sizes[s] * sizeof (double)) == 0,
                  "other bytes the second time");
        }
      pair_clear (&pair);
      pair_clear (&again);
    }
}

/* With eigenvalues that nearly reach the least, or with a least that reaches eigenvalues. */
static void
test_pair_raised (void)
{
  const size_t n = conformance.quick ? 40 : 224;
  g_autofree double *noise_values = g_new (double, n), *vectors = g_new (double, n * n);
  Pair pair;

  conformance_case ("noise of half the rank");
  pair_init (&pair, n);
  fill (&pair, 0.0, n / 2, 3);
  if (conformance_expect ("eigen_pair", solve (&pair, 1e-9), ESK_OK))
    check (&pair, 1e9, n - n / 2);
  pair_clear (&pair);

  pair_init (&pair, n);
  fill (&pair, 0.9, n, 4);
  g_assert_cmpint (esk_eigen_lapack (n, pair.noise, noise_values, vectors), ==, ESK_OK);
  conformance_case ("a third of the eigenvalues raised");
  if (conformance_expect ("eigen_pair", solve (&pair, noise_values[n - n / 3] / noise_values[0] * (1 + 1e-9)), ESK_OK))
    check (&pair, 400.0, n / 3);
  conformance_case ("none, with a least just below");
  if (conformance_expect ("eigen_pair", solve (&pair, noise_values[n - 1] / noise_values[0] * (1 - 1e-9)), ESK_OK))
    check (&pair, 400.0, 0);
  conformance_case ("the smallest one");
  if (conformance_expect ("eigen_pair", solve (&pair, noise_values[n - 1] / noise_values[0] * (1 + 1e-9)), ESK_OK))
    check (&pair, 400.0, 1);
  pair_clear (&pair);
}

/* Both ways of a card, and LAPACK's, give the same values. */
static void
test_pair_values (void)
{
  const size_t n = 60;
  g_autofree double *one = NULL;
  Pair pair;

  for (int way = 0; way < 2; way++)
    {
      conformance_case ("way %d", way);
      pair_init (&pair, n);
      fill (&pair, 0.8, n, 9);
      /* Far below every eigenvalue, and nearer than a bound can tell. */
      if (conformance_expect ("eigen_pair", solve (&pair, way == 0 ? 1e-15 : 1e-3), ESK_OK))
        {
          if (one == NULL)
            one = g_memdup2 (pair.values, n * sizeof (double));
          EXPECT (pair.raised == 0, "%zu raised", pair.raised);
          for (size_t k = 0; k < n; k++)
            EXPECT (fabs (pair.values[k] - one[k]) <= 1e-11 * one[k], "value %zu is %.15g, not %.15g", k,
                    pair.values[k], one[k]);
        }
      pair_clear (&pair);
    }
}

static void
test_pair_refusals (void)
{
  Pair pair;

  conformance_case ("refusals");
  pair_init (&pair, 3);
  fill (&pair, 0.5, 3, 1);
  pair.n = 0;
  conformance_expect ("no matrix", solve (&pair, 1e-9), ESK_ERROR_ARGUMENT);
  pair.n = 3;
  pair.data[4] = NAN;
  conformance_expect ("NAN", solve (&pair, 1e-9), ESK_ERROR_ARGUMENT);
  pair.data[4] = 1.0;
  memset (pair.noise, 0, 9 * sizeof (double));
  conformance_expect ("no noise", solve (&pair, 1e-9), ESK_ERROR_NO_CONVERGENCE);
  pair_clear (&pair);
}

void
conformance_add_pair (void)
{
  if (!ESK_HAS (conformance.table, eigen, eigen_pair))
    return;
  conformance_add ("pair/sizes", test_pair_sizes);
  conformance_add ("pair/raised", test_pair_raised);
  conformance_add ("pair/values", test_pair_values);
  if (!conformance.fake)
    conformance_add ("pair/refusals", test_pair_refusals);
}
