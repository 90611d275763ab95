/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Graphs of neighbours: exact ones against all distances, approximate ones by their recall, parts against a search
 * through the graph, paths against Floyd and Warshall's, bad input, cancelling, threads. */

#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "graph/es-neighbours-searcher-internal.h"

static double
unit (guint64 *state)
{
  return (double) (es_neighbours_next_random (state) >> 11) * 0x1p-53;
}

/* Mixtures of four spectra with noise, as far apart as `apart` for every `per_part` points. */
static float *
make_points (gsize n, guint d, guint64 seed, gsize per_part, double apart)
{
  float *points = g_new (float, n * d);

  for (gsize i = 0; i < n; i++)
    {
      double share[4], total = 0;

      for (guint e = 0; e < 4; e++)
        total += share[e] = -log (unit (&seed) + 1e-300);
      for (guint b = 0; b < d; b++)
        {
          double value = apart * (double) (i / per_part) + 0.01 * (unit (&seed) - 0.5);

          for (guint e = 0; e < 4; e++)
            value += share[e] / total * (1 + sin (0.07 * b * (e + 1) + e));
          points[i * d + b] = (float) value;
        }
    }
  return points;
}

static EsNeighbours *
find (const float *points, gsize n, guint d, guint k, EsNeighboursSearch search, guint threads)
{
  g_autoptr (GError) error = NULL;
  EsNeighbours *graph = es_neighbours_find (NULL, threads, points, n, d, k, search, 7, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return graph;
}

static void
test_exact (void)
{
  const gsize n = 400;
  const guint d = 11, k = 6;
  g_autofree float *points = make_points (n, d, 1, n, 0);
  g_autoptr (EsNeighbours) graph = find (points, n, d, k, ES_NEIGHBOURS_EXACT, 2);
  double recall = 0;

  g_assert_true (es_neighbours_is_exact (graph));
  g_assert_cmpuint (es_neighbours_get_n_points (graph), ==, n);
  g_assert_cmpuint (es_neighbours_get_k (graph), ==, k);
  for (gsize i = 0; i < n; i++)
    {
      g_autofree double *square = g_new0 (double, n);

      for (gsize j = 0; j < n; j++)
        for (guint b = 0; b < d; b++)
          square[j] += pow ((double) points[i * d + b] - points[j * d + b], 2);
      square[i] = INFINITY;
      for (guint m = 0; m < k; m++)
        {
          gsize nearest = 0;

          for (gsize j = 1; j < n; j++)
            if (square[j] < square[nearest])
              nearest = j;
          g_assert_cmpint (es_neighbours_get_indices (graph)[i * k + m], ==, (gint32) nearest);
          g_assert_cmpfloat_with_epsilon (es_neighbours_get_distances (graph)[i * k + m], sqrt (square[nearest]), 1e-6);
          square[nearest] = INFINITY;
        }
    }
  g_assert_true (es_neighbours_measure_recall (graph, NULL, 0, points, d, 100, 3, &recall, NULL, NULL));
  g_assert_cmpfloat (recall, ==, 1);
}

static void
test_approximate (void)
{
  const gsize n = 6000;
  const guint d = 50, k = 15;
  g_autofree float *points = make_points (n, d, 5, n, 0);
  g_autoptr (EsNeighbours) graph = find (points, n, d, k, ES_NEIGHBOURS_APPROXIMATE, 1);
  g_autoptr (EsNeighbours) again = find (points, n, d, k, ES_NEIGHBOURS_APPROXIMATE, 3);
  double recall = 0;

  g_assert_false (es_neighbours_is_exact (graph));
  g_assert_true (es_neighbours_measure_recall (graph, NULL, 0, points, d, 500, 3, &recall, NULL, NULL));
  g_test_message ("recall %.4f", recall);
  g_assert_cmpfloat (recall, >, 0.95);
  g_assert_cmpmem (es_neighbours_get_indices (graph), n * k * sizeof (gint32), es_neighbours_get_indices (again),
                   n * k * sizeof (gint32));
  g_assert_cmpmem (es_neighbours_get_distances (graph), n * k * sizeof (float), es_neighbours_get_distances (again),
                   n * k * sizeof (float));
  for (gsize i = 0; i < n * k; i++)
    {
      const gint32 *row = es_neighbours_get_indices (graph) + i / k * k;

      g_assert_cmpint (row[i % k], !=, (gint32) (i / k));
      for (gsize m = 0; m < i % k; m++)
        g_assert_cmpint (row[m], !=, row[i % k]);
      if (i % k > 0)
        g_assert_cmpfloat (es_neighbours_get_distances (graph)[i - 1], <=, es_neighbours_get_distances (graph)[i]);
    }
}

/* Twins, and neighbours of some only: a recall that is known. */
static void
test_recall (void)
{
  const gsize n = 1500;
  const guint d = 3, k = 4;
  g_autofree float *points = g_new (float, n * d);
  gint32 *index = g_new (gint32, n * k);
  float *distance = g_new (float, n * k);
  g_autoptr (EsNeighbours) graph = NULL, twins = NULL;
  double recall = 0;

  /* On a line: the nearest of i are i - 1, i + 1, i - 2, i + 2; one of four is replaced by one far away. */
  for (gsize i = 0; i < n * d; i++)
    points[i] = i % d == 0 ? (float) (i / d) : 0;
  for (gsize i = 0; i < n; i++)
    for (guint m = 0; m < k; m++)
      {
        const gboolean inside = m + 1 <= i && i + m + 1 < n;
        const gsize near = inside ? (m % 2 ? i + m / 2 + 1 : i - m / 2 - 1) : i < n / 2 ? i + m + 1 : i - m - 1;
        const gsize other = m == 3 ? (i + n / 2) % n : near;

        index[i * k + m] = (gint32) other;
        distance[i * k + m] = fabsf ((float) other - (float) i);
      }
  graph = es_neighbours_new (n, k, index, distance, FALSE);
  g_assert_true (es_neighbours_measure_recall (graph, NULL, 0, points, d, n, 3, &recall, NULL, NULL));
  g_assert_cmpfloat_with_epsilon (recall, 0.75, 1e-3);

  memset (points, 0, n * d * sizeof *points);
  twins = find (points, n, d, k, ES_NEIGHBOURS_APPROXIMATE, 1);
  g_assert_true (es_neighbours_measure_recall (twins, NULL, 0, points, d, n, 3, &recall, NULL, NULL));
  g_assert_cmpfloat (recall, ==, 1);
}

static void
test_parts (void)
{
  const gsize n = 900;
  const guint d = 5, k = 3;
  g_autofree float *points = make_points (n, d, 3, 400, 100);
  g_autoptr (EsNeighbours) graph = find (points, n, d, k, ES_NEIGHBOURS_EXACT, 1);
  g_autofree guint32 *part = g_new (guint32, n), *truth = g_new (guint32, n), *name = g_new (guint32, n);
  g_autofree gsize *sizes = NULL, *counted = g_new0 (gsize, n);
  const guint n_parts = es_neighbours_find_parts (graph, part, &sizes);
  const gint32 *index = es_neighbours_get_indices (graph);
  gboolean changed = TRUE;
  gsize total = 0;

  /* The smallest point of each part, handed on until nothing changes. */
  for (gsize i = 0; i < n; i++)
    truth[i] = (guint32) i;
  while (changed)
    {
      changed = FALSE;
      for (gsize e = 0; e < n * k; e++)
        {
          guint32 *a = &truth[e / k], *b = &truth[index[e]];

          if (*a != *b)
            {
              *a = *b = MIN (*a, *b);
              changed = TRUE;
            }
        }
    }
  g_assert_cmpuint (n_parts, >=, 3);
  for (guint p = 0; p < n; p++)
    name[p] = G_MAXUINT32;
  for (gsize i = 0; i < n; i++)
    {
      g_assert_cmpuint (part[i], <, n_parts);
      counted[part[i]]++;
      if (name[part[i]] == G_MAXUINT32)
        name[part[i]] = truth[i];
      g_assert_cmpuint (name[part[i]], ==, truth[i]);
    }
  for (guint p = 0; p < n_parts; p++)
    {
      g_assert_cmpuint (counted[p], ==, sizes[p]);
      total += sizes[p];
      for (guint o = 0; o < p; o++)
        g_assert_cmpuint (name[o], !=, name[p]);
      if (p > 0)
        g_assert_true (sizes[p] < sizes[p - 1] || (sizes[p] == sizes[p - 1] && name[p] > name[p - 1]));
    }
  g_assert_cmpuint (total, ==, n);
}

/* The fewest that join all against the parts of every smaller graph. */
static void
test_joining (void)
{
  static const struct { gsize per_part; guint k; } cases[] = { { 90, 60 }, { 25, 60 }, { 1000, 12 }, { 90, 30 } };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      const gsize n = 130;
      const guint k = cases[c].k;
      g_autofree float *points = make_points (n, 3, 7, cases[c].per_part, 100);
      g_autoptr (EsNeighbours) graph = find (points, n, 3, k, ES_NEIGHBOURS_EXACT, 1);
      g_autofree guint32 *part = g_new (guint32, n);
      guint joining = 0;

      for (guint fewer = 1; fewer <= k && joining == 0; fewer++)
        {
          g_autoptr (EsNeighbours) smaller = find (points, n, 3, fewer, ES_NEIGHBOURS_EXACT, 1);

          joining = es_neighbours_find_parts (smaller, part, NULL) == 1 ? fewer : 0;
        }
      g_assert_cmpuint (es_neighbours_find_joining (graph), ==, joining);
      /* 40 points far from 90 others; no 30 of theirs reach these. */
      if (c == 0 || c == 3)
        g_assert_cmpuint (joining, ==, c == 0 ? 40 : 0);
    }
}

static void
test_paths (void)
{
  const gsize n = 150;
  const guint d = 4, k = 3;
  g_autofree float *points = make_points (n, d, 9, 100, 50);
  g_autoptr (EsNeighbours) graph = find (points, n, d, k, ES_NEIGHBOURS_EXACT, 1);
  g_autoptr (EsNeighboursPaths) paths = es_neighbours_paths_new (graph);
  g_autofree double *all = g_new (double, n * n), *length = g_new (double, n);
  gboolean apart = FALSE;

  for (gsize i = 0; i < n * n; i++)
    all[i] = i / n == i % n ? 0 : INFINITY;
  for (gsize e = 0; e < n * k; e++)
    {
      const gsize i = e / k, j = (gsize) es_neighbours_get_indices (graph)[e];

      all[i * n + j] = all[j * n + i] = es_neighbours_get_distances (graph)[e];
    }
  for (gsize m = 0; m < n; m++)
    for (gsize i = 0; i < n; i++)
      for (gsize j = 0; j < n; j++)
        all[i * n + j] = MIN (all[i * n + j], all[i * n + m] + all[m * n + j]);
  for (gsize i = 0; i < n; i++)
    {
      es_neighbours_paths_find (paths, i, length);
      for (gsize j = 0; j < n; j++)
        if (isinf (all[i * n + j]))
          {
            g_assert_true (isinf (length[j]));
            apart = TRUE;
          }
        else
          g_assert_cmpfloat_with_epsilon (length[j], all[i * n + j], 1e-12 + 1e-12 * all[i * n + j]);
    }
  g_assert_true (apart);
}

static void
test_refusals (void)
{
  g_autofree float *points = make_points (20, 3, 2, 20, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_assert_null (es_neighbours_find (NULL, 0, points, 20, 3, 20, ES_NEIGHBOURS_AUTOMATIC, 0, NULL, NULL, NULL, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  g_assert_nonnull (strstr (error->message, "20 neighbours"));
  g_assert_nonnull (strstr (error->message, "among 20 spectra"));
  g_clear_error (&error);
  g_assert_null (es_neighbours_find (NULL, 0, points, 20, 3, 0, ES_NEIGHBOURS_AUTOMATIC, 0, NULL, NULL, NULL, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  g_clear_error (&error);
  g_assert_null (es_neighbours_find (NULL, 0, points, 1, 3, 1, ES_NEIGHBOURS_AUTOMATIC, 0, NULL, NULL, NULL, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  g_clear_error (&error);
  points[3 * 7 + 2] = NAN;
  g_assert_null (es_neighbours_find (NULL, 0, points, 20, 3, 4, ES_NEIGHBOURS_AUTOMATIC, 0, NULL, NULL, NULL, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC);
  g_assert_nonnull (strstr (error->message, "Value 3 of spectrum 8"));
  g_clear_error (&error);
  points[3 * 7 + 2] = 1;
  g_cancellable_cancel (cancellable);
  g_assert_null (es_neighbours_find (NULL, 0, points, 20, 3, 4, ES_NEIGHBOURS_AUTOMATIC, 0, NULL, NULL, cancellable,
                                     &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
cancel_from_within (double fraction, gpointer data)
{
  g_assert_cmpfloat (fraction, >=, 0);
  g_assert_cmpfloat (fraction, <=, 1);
  if (fraction > 0)
    g_cancellable_cancel (data);
}

/* Begun, and then cancelled by its own progress. */
static void
test_cancelled (void)
{
  const gsize n = 5000;
  g_autofree float *points = make_points (n, 20, 2, n, 0);

  for (EsNeighboursSearch search = ES_NEIGHBOURS_EXACT; search <= ES_NEIGHBOURS_APPROXIMATE; search++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();

      g_assert_null (es_neighbours_find (NULL, 1, points, n, 20, 10, search, 0, cancel_from_within, cancellable,
                                         cancellable, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
}

static void
test_plan (void)
{
  guint64 memory = 0, more = 0;
  const double few = es_neighbours_plan (NULL, 1, 10000, 200, 15, ES_NEIGHBOURS_EXACT, &memory);
  const double many = es_neighbours_plan (NULL, 1, 100000, 200, 15, ES_NEIGHBOURS_EXACT, &more);

  g_assert_cmpfloat (few, >, 0);
  g_assert_cmpfloat (many, >, 20 * few);
  g_assert_cmpuint (memory, >, 10000 * 200 * sizeof (float));
  g_assert_cmpuint (more, >, 9 * memory);
  /* Ten million are never looked at all in some seconds. */
  g_assert_cmpfloat (es_neighbours_plan (NULL, 1, 10000000, 200, 15, ES_NEIGHBOURS_AUTOMATIC, NULL), <,
                     es_neighbours_plan (NULL, 1, 10000000, 200, 15, ES_NEIGHBOURS_EXACT, NULL) / 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graph/neighbours/exact", test_exact);
  g_test_add_func ("/graph/neighbours/approximate", test_approximate);
  g_test_add_func ("/graph/neighbours/recall", test_recall);
  g_test_add_func ("/graph/neighbours/parts", test_parts);
  g_test_add_func ("/graph/neighbours/joining", test_joining);
  g_test_add_func ("/graph/neighbours/paths", test_paths);
  g_test_add_func ("/graph/neighbours/refusals", test_refusals);
  g_test_add_func ("/graph/neighbours/cancelled", test_cancelled);
  g_test_add_func ("/graph/neighbours/plan", test_plan);
  return g_test_run ();
}
