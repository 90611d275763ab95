/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The same coordinates as by the methods' definitions, written out in dense float64 matrices. */

#include <math.h>
#include <string.h>

#include "es-eigen.h"
#include "es-test-embed.h"

#define N 260
#define K 9
#define M 3
#define BANDS 4

static EsTestPoints *points;
static EsNeighbours *graph;

static double
distance_of (gsize i, gsize j)
{
  double sum = 0;

  for (guint b = 0; b < BANDS; b++)
    sum += pow ((double) points->samples.spectra[i * BANDS + b] - points->samples.spectra[j * BANDS + b], 2);
  return sqrt (sum);
}

static gboolean
is_neighbour (gsize i, gsize j)
{
  const gint32 *index = es_neighbours_get_indices (graph) + i * K;

  for (guint l = 0; l < K; l++)
    if ((gsize) index[l] == j)
      return TRUE;
  return FALSE;
}

static double
reach_of (gsize i)
{
  return distance_of (i, (gsize) es_neighbours_get_indices (graph)[i * K + K - 1]);
}

/* Each column up to its sign. */
static void
assert_coordinates (const EsManifoldMethod *method, const char *params, const double *expected, double tolerance)
{
  EsTestEmbed how = { .params = params, .graph = graph, .m = M };
  g_autoptr (GError) error = NULL;
  g_autoptr (EsEmbedding) self = es_test_embed (method, points, &how, &error);

  g_assert_no_error (error);
  for (guint c = 0; c < M; c++)
    {
      double along = 0, scale = 0, worst = 0;

      for (gsize i = 0; i < N; i++)
        {
          along += self->coordinates[i * M + c] * expected[i * M + c];
          scale = fmax (scale, fabs (expected[i * M + c]));
        }
      for (gsize i = 0; i < N; i++)
        worst = fmax (worst, fabs (self->coordinates[i * M + c] - copysign (1, along) * expected[i * M + c]) / scale);
      g_test_message ("%s, column %u: %g", params, c, worst);
      g_assert_cmpfloat (worst, <, tolerance);
    }
}

static double *
solve (const double *matrix, double *values)
{
  double *vectors = g_new (double, N * N);

  g_assert_cmpint (esk_eigen_lapack (N, matrix, values, vectors), ==, ESK_OK);
  return vectors;
}

/* Of weights W: D^-1/2 u of D^-1/2 W D^-1/2, the M vectors after the first. */
static void
find_walk (const double *w, double *values, double *expected)
{
  g_autofree double *s = g_new (double, N * N), *degree = g_new0 (double, N), *all = g_new (double, N);
  g_autofree double *vectors = NULL;
  double total = 0;

  for (gsize i = 0; i < N * N; i++)
    {
      degree[i / N] += w[i];
      total += w[i];
    }
  for (gsize i = 0; i < N * N; i++)
    s[i] = w[i] / sqrt (degree[i / N] * degree[i % N]);
  vectors = solve (s, all);
  for (guint c = 0; c < M; c++)
    {
      values[c] = all[c + 1];
      for (gsize i = 0; i < N; i++)
        expected[i * M + c] = vectors[(c + 1) * N + i] / sqrt (degree[i] / total);
    }
}

static void
test_laplacian (void)
{
  g_autofree double *w = g_new0 (double, N * N), *expected = g_new (double, N * M);
  double values[M];
  const char *params[] = { "weights=binary", "weights=heat", "weights=heat kernel-width=0.7" };

  for (guint t = 0; t < 3; t++)
    {
      for (gsize i = 0; i < N; i++)
        for (gsize j = 0; j < N; j++)
          if (is_neighbour (i, j) || is_neighbour (j, i))
            {
              const double sigma = t == 2 ? 0.7 : fmax (reach_of (i), reach_of (j)) / 2;

              w[i * N + j] = t == 0 ? 1 : exp (-pow (distance_of (i, j) / sigma, 2) / 2);
            }
      find_walk (w, values, expected);
      assert_coordinates (&es_manifold_laplacian, params[t], expected, 1e-5);
    }
}

static void
test_diffusion (void)
{
  g_autofree double *k = g_new0 (double, N * N), *expected = g_new (double, N * M), *q = g_new0 (double, N);
  double values[M];

  for (gsize i = 0; i < N; i++)
    for (gsize j = 0; j < N; j++)
      {
        if (i == j || is_neighbour (i, j) || is_neighbour (j, i))
          k[i * N + j] = exp (-pow (distance_of (i, j) / 0.8, 2) / 2);
        q[i] += k[i * N + j];
      }
  for (gsize i = 0; i < N * N; i++)
    k[i] /= pow (q[i / N] * q[i % N], 0.5);
  find_walk (k, values, expected);
  for (gsize i = 0; i < N * M; i++)
    expected[i] *= pow (values[i % M], 2.5);
  assert_coordinates (&es_manifold_diffusion, "alpha=0.5 time=2.5 kernel-width=0.8", expected, 1e-5);
}

/* x of a x = 1, by elimination with pivots. */
static void
eliminate (const double *a, guint n, double *x)
{
  g_autofree double *m = g_new (double, n * (n + 1));

  for (guint i = 0; i < n; i++)
    {
      memcpy (m + i * (n + 1), a + i * n, n * sizeof (double));
      m[i * (n + 1) + n] = 1;
    }
  for (guint c = 0; c < n; c++)
    {
      guint pivot = c;

      for (guint i = c; i < n; i++)
        if (fabs (m[i * (n + 1) + c]) > fabs (m[pivot * (n + 1) + c]))
          pivot = i;
      for (guint j = 0; j <= n; j++)
        {
          const double swap = m[c * (n + 1) + j];

          m[c * (n + 1) + j] = m[pivot * (n + 1) + j];
          m[pivot * (n + 1) + j] = swap;
        }
      for (guint i = 0; i < n; i++)
        if (i != c)
          for (guint j = n + 1; j-- > c;)
            m[i * (n + 1) + j] -= m[i * (n + 1) + c] / m[c * (n + 1) + c] * m[c * (n + 1) + j];
    }
  for (guint i = 0; i < n; i++)
    x[i] = m[i * (n + 1) + n] / m[i * (n + 1) + i];
}

static void
find_gram (gsize i, double *gram)
{
  const gint32 *index = es_neighbours_get_indices (graph) + i * K;
  const float *x = points->samples.spectra;

  for (guint a = 0; a < K; a++)
    for (guint b = 0; b < K; b++)
      {
        gram[a * K + b] = 0;
        for (guint c = 0; c < BANDS; c++)
          gram[a * K + b] += ((double) x[(gsize) index[a] * BANDS + c] - x[i * BANDS + c])
                             * ((double) x[(gsize) index[b] * BANDS + c] - x[i * BANDS + c]);
      }
}

/* Weights w (K, sum 1) with the share r of the trace on the diagonal. */
static void
find_weights (gsize i, double r, double *w)
{
  double gram[K * K], trace = 0, total = 0;

  find_gram (i, gram);
  for (guint a = 0; a < K; a++)
    trace += gram[a * K + a];
  for (guint a = 0; a < K; a++)
    gram[a * K + a] += r * trace;
  eliminate (gram, K, w);
  for (guint a = 0; a < K; a++)
    total += w[a];
  for (guint a = 0; a < K; a++)
    w[a] /= total;
}

/* matrix += column column', the column of N values. */
static void
add_square (double *matrix, const double *column)
{
  for (gsize i = 0; i < N; i++)
    for (gsize j = 0; j < N && column[i] != 0; j++)
      matrix[i * N + j] += column[i] * column[j];
}

static void
assert_null_space (const double *matrix, const char *params)
{
  g_autofree double *values = g_new (double, N), *expected = g_new (double, N * M), *vectors = solve (matrix, values);

  for (guint c = 0; c < M; c++)
    for (gsize i = 0; i < N; i++)
      expected[i * M + c] = vectors[(N - 2 - c) * N + i] * sqrt (N);
  assert_coordinates (&es_manifold_lle, params, expected, 1e-5);
}

static void
test_lle (void)
{
  g_autofree double *matrix = g_new0 (double, N * N), *column = g_new (double, N);
  double w[K];

  for (gsize i = 0; i < N; i++)
    {
      memset (column, 0, N * sizeof (double));
      column[i] = 1;
      find_weights (i, 0.02, w);
      for (guint a = 0; a < K; a++)
        column[es_neighbours_get_indices (graph)[i * K + a]] -= w[a];
      add_square (matrix, column);
    }
  assert_null_space (matrix, "regularisation=0.02");
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* Zhang and Wang, sections 3 and 4. */
static void
test_modified (void)
{
  g_autofree double *matrix = g_new0 (double, N * N), *column = g_new (double, N), *values = g_new (double, N * K);
  g_autofree double *vectors = g_new (double, N * K * K), *ratios = g_new (double, N);
  double gram[K * K], w[K];

  for (gsize i = 0; i < N; i++)
    {
      double large = 0, small = 0;

      find_gram (i, gram);
      g_assert_cmpint (esk_eigen_lapack (K, gram, values + i * K, vectors + i * K * K), ==, ESK_OK);
      for (guint e = 0; e < K; e++)
        *(e < M ? &large : &small) += values[i * K + e];
      ratios[i] = small / large;
    }
  qsort (ratios, N, sizeof (double), compare_numbers);

  const double eta = (ratios[N / 2 - 1] + ratios[N / 2]) / 2;

  for (gsize i = 0; i < N; i++)
    {
      const double *v = vectors + i * K * K;
      guint sets = K - BANDS;
      double alpha = 0, h[K], norm = 0;

      /* The most vectors whose values are less than eta of the others'. */
      for (guint s = K - 1; s > K - BANDS; s--)
        {
          double tail = 0, head = 0;

          for (guint e = 0; e < BANDS; e++)
            *(e >= K - s ? &tail : &head) += values[i * K + e];
          if (tail / head < eta)
            {
              sets = s;
              break;
            }
        }
      find_weights (i, 1e-3, w);
      for (guint s = 0; s < sets; s++)
        {
          h[s] = 0;
          for (guint a = 0; a < K; a++)
            h[s] += v[(K - sets + s) * K + a];
          alpha += h[s] * h[s] / sets;
        }
      alpha = sqrt (alpha);
      for (guint s = 0; s < sets; s++)
        {
          h[s] = alpha - h[s];
          norm += h[s] * h[s];
        }
      for (guint s = 0; s < sets; s++)
        {
          memset (column, 0, N * sizeof (double));
          column[i] = -1;
          for (guint a = 0; a < K; a++)
            {
              double value = (1 - alpha) * w[a];

              /* V (I - 2 h h' / |h|^2) */
              for (guint l = 0; l < sets; l++)
                value += v[(K - sets + l) * K + a] * ((l == s) - (norm > 0 ? 2 * h[l] * h[s] / norm : 0));
              column[es_neighbours_get_indices (graph)[i * K + a]] = value;
            }
          add_square (matrix, column);
        }
    }
  assert_null_space (matrix, "variant=modified");
}

/* All pairs (Floyd and Warshall), and -1/2 of their squares, centred. */
static void
test_isomap (void)
{
  g_autofree double *d = g_new (double, N * N), *mean = g_new0 (double, N), *values = g_new (double, N);
  g_autofree double *expected = g_new (double, N * M), *vectors = NULL;
  double total = 0;

  for (gsize i = 0; i < N; i++)
    for (gsize j = 0; j < N; j++)
      d[i * N + j] = i == j ? 0 : is_neighbour (i, j) || is_neighbour (j, i) ? distance_of (i, j) : INFINITY;
  for (gsize k = 0; k < N; k++)
    for (gsize i = 0; i < N; i++)
      for (gsize j = 0; j < N; j++)
        d[i * N + j] = fmin (d[i * N + j], d[i * N + k] + d[k * N + j]);
  for (gsize i = 0; i < N * N; i++)
    {
      d[i] *= d[i];
      mean[i / N] += d[i] / N;
      total += d[i] / (N * N);
    }
  for (gsize i = 0; i < N * N; i++)
    d[i] = -0.5 * (d[i] - mean[i / N] - mean[i % N] + total);
  vectors = solve (d, values);
  for (gsize i = 0; i < N; i++)
    for (guint c = 0; c < M; c++)
      expected[i * M + c] = vectors[c * N + i] * sqrt (values[c]);
  assert_coordinates (&es_manifold_isomap, "", expected, 1e-4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  points = es_test_clouds (N, 3, 17);
  graph = es_test_find_graph (points, K);
  g_test_add_func ("/spectral-dense/laplacian", test_laplacian);
  g_test_add_func ("/spectral-dense/diffusion", test_diffusion);
  g_test_add_func ("/spectral-dense/lle", test_lle);
  g_test_add_func ("/spectral-dense/modified", test_modified);
  g_test_add_func ("/spectral-dense/isomap", test_isomap);

  const int status = g_test_run ();

  es_neighbours_unref (graph);
  es_test_points_free (points);
  return status;
}
