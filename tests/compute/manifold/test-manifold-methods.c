/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Kernel PCA against dense algebra of the test's own, UMAP against shapes that are known. */

#include "es-test-manifold.h"

#include "embedding/es-embedding-quality.h"
#include "es-eigen.h"
#include "operations/manifold/es-umap-private.h"

#include <math.h>
#include <string.h>

static char *directory;

static double *
random_rows (gsize n, guint bands, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  double *rows = g_new (double, n * bands);

  for (gsize i = 0; i < n; i++)
    {
      const double a = g_rand_double_range (rand, -1, 1), c = g_rand_double_range (rand, -1, 1);

      for (guint b = 0; b < bands; b++)
        rows[i * bands + b] = (float) (3 + a * sin (0.4 * b) + c * c * cos (0.2 * b) + 0.3 * a * c
                                       + g_rand_double_range (rand, -0.05, 0.05));
    }
  return rows;
}

/* ---- kernel PCA ---- */

static double
kernel_of (const double *x, const double *y, guint bands, double width, guint degree, double scale)
{
  double distance = 0, product = 0;

  for (guint b = 0; b < bands; b++)
    {
      distance += (x[b] - y[b]) * (x[b] - y[b]);
      product += x[b] * y[b];
    }
  return width > 0 ? exp (-distance / (2 * width * width)) : pow (product / scale + 1, degree);
}

/* The first n_samples rows are the samples; coordinates of all n rows, by the published formulae and Jacobi's
 * rotations. */
static double *
reference (const double *rows, gsize n, gsize n_samples, guint bands, guint m, double width, guint degree)
{
  const gsize s = n_samples;
  g_autofree double *kernel = g_new (double, s * s), *centred = g_new (double, s * s), *values = g_new (double, s);
  g_autofree double *vectors = g_new (double, s * s), *row = g_new (double, s), *mean = g_new0 (double, s);
  double *out = g_new0 (double, n * m), total = 0, scale = 0, off;
  unsigned sweeps;

  for (gsize i = 0; i < s; i++)
    for (guint b = 0; b < bands; b++)
      scale += rows[i * bands + b] * rows[i * bands + b] / s;
  for (gsize i = 0; i < s; i++)
    for (gsize j = 0; j < s; j++)
      {
        kernel[i * s + j] = kernel_of (rows + i * bands, rows + j * bands, bands, width, degree, scale);
        mean[i] += kernel[i * s + j] / s;
        total += kernel[i * s + j] / s / s;
      }
  for (gsize i = 0; i < s; i++)
    for (gsize j = 0; j < s; j++)
      centred[i * s + j] = kernel[i * s + j] - mean[i] - mean[j] + total;
  g_assert_cmpint (esk_eigen_jacobi (s, centred, NULL, values, vectors, 100, &sweeps, &off), ==, ESK_OK);
  for (gsize i = 0; i < n; i++)
    {
      double own = 0;

      for (gsize j = 0; j < s; j++)
        {
          row[j] = kernel_of (rows + i * bands, rows + j * bands, bands, width, degree, scale);
          own += row[j] / s;
        }
      for (guint k = 0; k < m; k++)
        for (gsize j = 0; j < s; j++)
          out[i * m + k] += (row[j] - own - mean[j] + total) * vectors[k * s + j] / sqrt (values[k]);
    }
  return out;
}

/* Column by column up to its sign, relative to its length. */
static void
assert_same_columns (const double *wanted, const float *found, gsize n, guint m, double tolerance)
{
  for (guint k = 0; k < m; k++)
    {
      double product = 0, square = 0, difference = 0;

      for (gsize i = 0; i < n; i++)
        {
          product += wanted[i * m + k] * found[i * m + k];
          square += wanted[i * m + k] * wanted[i * m + k];
        }
      for (gsize i = 0; i < n; i++)
        {
          const double d = wanted[i * m + k] - (product < 0 ? -1 : 1) * found[i * m + k];
          difference += d * d;
        }
      g_assert_cmpfloat (sqrt (difference / square), <, tolerance);
    }
}

static void
test_kernel_pca_dense (void)
{
  g_autofree double *rows = random_rows (120, 9, 3);
  g_autoptr (EsDataset) cube = es_test_manifold_cube (directory, "dense", 12, 10, 9, rows);
  static const struct { const char *text; double width; guint degree; } cases[] = {
    { "scaling=stored landmarks=0 samples=0 kernel-width=1.5 compare=no", 1.5, 0 },
    { "scaling=stored landmarks=0 samples=0 kernel=polynomial degree=3 compare=no", 0, 3 },
  };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) result = es_test_manifold_run (cube, "kernel-pca", cases[c].text, NULL, &error);
      g_assert_no_error (error);
      g_autofree float *found = es_test_manifold_read (result, NULL);
      g_autofree double *wanted = reference (rows, 120, 120, 9, 3, cases[c].width, cases[c].degree);

      assert_same_columns (wanted, found, 120, 3, 1e-6);
    }
}

/* Every pixel but the samples, which are those of the first rows, is placed by Nystroem's formula. */
static void
test_kernel_pca_extension (void)
{
  g_autofree double *rows = random_rows (200, 7, 4);
  g_autoptr (EsDataset) cube = es_test_manifold_cube (directory, "extension", 10, 20, 7, rows);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) result
    = es_test_manifold_run (cube, "kernel-pca", "landmarks=0 samples=0 subset=region region=rectangle_0_0_10_6 "
                            "kernel-width=2 scaling=stored compare=no", NULL, &error);
  g_assert_no_error (error);
  g_autofree float *found = es_test_manifold_read (result, NULL);
  g_autofree double *wanted = reference (rows, 200, 60, 7, 3, 2, 0);

  g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "samples"), ==, 60);
  assert_same_columns (wanted, found, 200, 3, 1e-6);
}

/* A straight kernel finds principal components: scores divided by the root of its scale. The covariance of PCA is of
 * sums in float32, whose last digits depend on the processor. */
static void
test_kernel_pca_straight (void)
{
  g_autofree double *rows = random_rows (100, 6, 5);
  g_autoptr (EsDataset) cube = es_test_manifold_cube (directory, "straight", 10, 10, 6, rows);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) bent
    = es_test_manifold_run (cube, "kernel-pca", "landmarks=0 samples=0 kernel=polynomial degree=1 scaling=stored "
                            "compare=no", NULL, &error);
  g_assert_no_error (error);
  g_autoptr (EsResult) straight = es_test_manifold_run (cube, "pca", "components=3", NULL, &error);
  g_assert_no_error (error);
  g_autofree float *found = es_test_manifold_read (bent, NULL), *scores = es_test_manifold_read (straight, NULL);
  g_autofree double *wanted = g_new (double, 300);
  double scale = 0;

  for (guint i = 0; i < 600; i++)
    scale += rows[i] * rows[i] / 100;
  for (guint i = 0; i < 300; i++)
    wanted[i] = scores[i] / sqrt (scale);
  assert_same_columns (wanted, found, 100, 3, 1e-4);
}

/* Fewer landmarks than samples: close to all of them, and never the same. */
static void
test_kernel_pca_landmarks (void)
{
  g_autofree double *rows = random_rows (900, 8, 6);
  g_autoptr (EsDataset) cube = es_test_manifold_cube (directory, "landmarks", 30, 30, 8, rows);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) result = es_test_manifold_run (cube, "kernel-pca", "landmarks=300 samples=0 kernel-width=2 "
                                                      "dimensions=2 compare=no", NULL, &error);
  g_assert_no_error (error);
  g_autoptr (EsResult) all = es_test_manifold_run (cube, "kernel-pca", "landmarks=0 samples=0 kernel-width=2 "
                                                   "dimensions=2 compare=no", NULL, &error);
  g_assert_no_error (error);
  g_autofree float *some = es_test_manifold_read (result, NULL), *whole = es_test_manifold_read (all, NULL);
  g_autofree double *one = g_new (double, 1800), *other = g_new (double, 1800);

  for (guint i = 0; i < 1800; i++)
    {
      one[i] = some[i];
      other[i] = whole[i];
    }
  g_test_message ("Procrustes distance %g", es_embedding_get_procrustes (other, one, 900, 2));
  g_assert_cmpfloat (es_embedding_get_procrustes (other, one, 900, 2), <, 0.01);
  g_assert_false (memcmp (some, whole, 1800 * sizeof (float)) == 0);
}

/* ---- UMAP ---- */

/* The values that the paper's program fits. */
static void
test_umap_curve (void)
{
  static const struct { double distance, a, b; } known[] = {
    { 0.1, 1.5769434, 0.8950609 }, { 0.5, 0.5830300, 1.3341669 }, { 0.001, 1.9290734, 0.7915045 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      double a, b;

      es_umap_fit_curve (known[i].distance, &a, &b);
      g_test_message ("%g: a %.7f b %.7f", known[i].distance, a, b);
      g_assert_cmpfloat (fabs (a - known[i].a), <, 1e-5);
      g_assert_cmpfloat (fabs (b - known[i].b), <, 1e-5);
    }
}

/* Their sum is the logarithm of how many there are, and the nearest belongs wholly. */
static void
test_umap_memberships (void)
{
  static const float distances[] = { 0, 0.5f, 0.7f, 1, 1.5f, 2, 2.5f, 4 };
  float weights[8], sum = 0;

  es_umap_memberships (distances, 8, TRUE, 1, weights);
  g_assert_cmpfloat (weights[0], ==, 1);
  g_assert_cmpfloat (weights[1], ==, 1);
  for (guint i = 0; i < 8; i++)
    {
      g_assert_true (i == 0 || weights[i] <= weights[i - 1]);
      sum += weights[i];
    }
  g_assert_cmpfloat (fabs (sum - log2 (9)), <, 1e-4);
}

/* The union of both ways, symmetric, each pair once. */
static void
test_umap_graph (void)
{
  const gsize n = 50;
  const guint k = 4;
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  gint32 *index = g_new (gint32, n * k);
  float *distance = g_new (float, n * k);

  for (gsize i = 0; i < n; i++)
    for (guint j = 0; j < k; j++)
      {
        index[i * k + j] = (gint32) ((i + 1 + (j == 0 ? 0 : j * 7 + (guint) g_rand_int_range (rand, 0, 6))) % n);
        distance[i * k + j] = (float) (1 + j * g_rand_double (rand));
      }
  g_autoptr (EsNeighbours) graph = es_neighbours_new (n, k, index, distance, TRUE);
  EsUmapGraph united;
  double mean;

  g_assert_true (es_umap_graph_init (&united, graph, 2, &mean));
  for (gsize i = 0; i < n; i++)
    for (gsize e = united.first[i]; e < united.first[i + 1]; e++)
      {
        const gsize other = (gsize) united.to[e];
        float weights[4], there = 0, back = 0, mirrored = -1;

        g_assert_true (e == united.first[i] || united.to[e - 1] < united.to[e]);
        es_umap_memberships (distance + i * k, k, TRUE, mean, weights);
        for (guint j = 0; j < k; j++)
          if ((gsize) index[i * k + j] == other)
            there = weights[j];
        es_umap_memberships (distance + other * k, k, TRUE, mean, weights);
        for (guint j = 0; j < k; j++)
          if ((gsize) index[other * k + j] == i)
            back = weights[j];
        for (gsize f = united.first[other]; f < united.first[other + 1]; f++)
          if ((gsize) united.to[f] == i)
            mirrored = united.weight[f];
        g_assert_cmpfloat (fabsf (united.weight[e] - (there + back - there * back)), <, 1e-6f);
        g_assert_cmpfloat (mirrored, ==, united.weight[e]);
      }
  es_umap_graph_clear (&united);
}

static void
test_umap_clusters (void)
{
  const gsize n = 600;
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  g_autofree double *rows = g_new (double, n * 6);
  double centre[2][2] = { 0 }, within = 0, between;

  for (gsize i = 0; i < n * 6; i++)
    rows[i] = g_rand_double (rand) + (i / 6 % 2 == 0 ? 0 : 3);
  g_autoptr (EsDataset) cube = es_test_manifold_cube (directory, "clusters", 30, 20, 6, rows);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) result = es_test_manifold_run (cube, "umap", "samples=300 dimensions=2 compare=no", NULL,
                                                      &error);
  g_assert_no_error (error);
  g_autofree float *found = es_test_manifold_read (result, NULL);

  for (gsize i = 0; i < n; i++)
    for (guint k = 0; k < 2; k++)
      centre[i % 2][k] += found[2 * i + k] / (n / 2.0);
  for (gsize i = 0; i < n; i++)
    within = fmax (within, hypot (found[2 * i] - centre[i % 2][0], found[2 * i + 1] - centre[i % 2][1]));
  between = hypot (centre[0][0] - centre[1][0], centre[0][1] - centre[1][1]);
  g_test_message ("within %g, between %g", within, between);
  g_assert_cmpfloat (between, >, 2 * within);
}

/* umap-learn 0.5.12 of a roll of as many points, with 15 neighbours: 0.9989 in float32. */
static void
test_umap_roll (void)
{
  g_autofree double *rows = es_test_manifold_roll (2000, 9);
  g_autoptr (EsDataset) cube = es_test_manifold_cube (directory, "roll", 50, 40, 3, rows);
  g_autoptr (GError) error = NULL;
  static const char *const texts[] = { "scaling=stored samples=0 dimensions=2 compare=no",
                                       "scaling=stored samples=1000 dimensions=2 compare=no" };

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (EsResult) result = es_test_manifold_run (cube, "umap", texts[i], NULL, &error);
      g_assert_no_error (error);
      g_autofree float *found = es_test_manifold_read (result, NULL);
      const double trust = es_test_manifold_trust (rows, 2000, 3, found, 2, 15);

      g_test_message ("%s: trustworthiness %.5f", texts[i], trust);
      g_assert_cmpfloat (trust, >, 0.9889);
    }
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  g_test_add_func ("/manifold/kernel-pca/dense", test_kernel_pca_dense);
  g_test_add_func ("/manifold/kernel-pca/extension", test_kernel_pca_extension);
  g_test_add_func ("/manifold/kernel-pca/straight", test_kernel_pca_straight);
  g_test_add_func ("/manifold/kernel-pca/landmarks", test_kernel_pca_landmarks);
  g_test_add_func ("/manifold/umap/curve", test_umap_curve);
  g_test_add_func ("/manifold/umap/memberships", test_umap_memberships);
  g_test_add_func ("/manifold/umap/graph", test_umap_graph);
  g_test_add_func ("/manifold/umap/clusters", test_umap_clusters);
  g_test_add_func ("/manifold/umap/roll", test_umap_roll);
  status = g_test_run ();
  es_test_remove (directory);
  g_free (directory);
  return status;
}
