/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * The quality of embeddings of a swiss roll: from the side, and unrolled. The numbers are scikit-learn 1.9's
 * (sklearn.manifold.trustworthiness, for continuity with both sides changed over), NumPy's (corrcoef) and SciPy's
 * (spatial.procrustes); anchors, samples that were left out and paths are held against plain sums.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/es-error.h"
#include "embedding/es-embedding-quality.h"

#define N 300

typedef struct
{
  float   samples[N * 3];
  double  side[N * 2], unrolled[N * 2];
  guint32 classes[N];
} Roll;

static double
fraction (double x)
{
  return x - floor (x);
}

static Roll *
roll_new (void)
{
  Roll *roll = g_new0 (Roll, 1);

  for (guint i = 0; i < N; i++)
    {
      const double t = 1.5 * G_PI * (1 + 2 * fraction (i * 0.6180339887498949));
      const double h = 21 * fraction (i * 0.4142135623730951);

      roll->samples[3 * i] = (float) (t * cos (t));
      roll->samples[3 * i + 1] = (float) h;
      roll->samples[3 * i + 2] = (float) (t * sin (t));
      roll->side[2 * i] = roll->samples[3 * i];
      roll->side[2 * i + 1] = roll->samples[3 * i + 1];
      roll->unrolled[2 * i] = t;
      roll->unrolled[2 * i + 1] = h;
      roll->classes[i] = i % 10 == 0 ? 0 : t > 3 * G_PI ? 2 : 1;
    }
  return roll;
}

static EsEmbeddingQuality
measure (const float *samples, gsize n, guint bands, const double *coordinates, guint m, EsEmbeddingMeasures measures,
         guint threads)
{
  g_autoptr (GError) error = NULL;
  EsEmbeddingQuality quality;

  g_assert_true (es_embedding_measure (NULL, threads, samples, n, bands, coordinates, m, &measures, &quality, NULL,
                                       NULL, NULL, &error));
  g_assert_no_error (error);
  return quality;
}

static void
test_known (void)
{
  g_autofree Roll *roll = roll_new ();
  EsEmbeddingQuality quality = measure (roll->samples, N, 3, roll->side, 2,
                                        (EsEmbeddingMeasures) { .k = 5, .classes = roll->classes }, 2);

  g_assert_cmpuint (quality.k, ==, 5);
  g_assert_cmpuint (quality.n, ==, N);
  g_assert_cmpuint (quality.n_anchors, ==, N);
  g_assert_cmpfloat_with_epsilon (quality.trustworthiness, 0.794038812785388, 1e-12);
  g_assert_cmpfloat_with_epsilon (quality.continuity, 0.981828767123288, 1e-12);
  g_assert_cmpfloat_with_epsilon (quality.neighbourhood_hit, 0.591111111111111, 1e-12);
  g_assert_cmpfloat_with_epsilon (quality.residual_variance, 0.458542503976004, 1e-9);

  quality = measure (roll->samples, N, 3, roll->unrolled, 2, (EsEmbeddingMeasures) { 0 }, 1);
  g_assert_cmpuint (quality.k, ==, 15);
  g_assert_cmpfloat_with_epsilon (quality.trustworthiness, 0.889797833935018, 1e-12);
  /* Its distances are of products, which put two that are nearly equal in another order: one rank of these sums. */
  g_assert_cmpfloat_with_epsilon (quality.continuity, 0.914431608503811, 3e-6);
  g_assert_true (isnan (quality.neighbourhood_hit));
  g_assert_cmpfloat_with_epsilon (quality.residual_variance, 0.761231881234244, 1e-9);
}

/* The samples themselves as coordinates: nothing is lost. */
static void
test_perfect (void)
{
  g_autofree Roll *roll = roll_new ();
  g_autofree double *same = g_new (double, N * 3);
  EsEmbeddingQuality quality;

  for (guint i = 0; i < N * 3; i++)
    same[i] = 7 - 3 * (double) roll->samples[i];
  quality = measure (roll->samples, N, 3, same, 3, (EsEmbeddingMeasures) { .k = 10 }, 1);
  g_assert_cmpfloat (quality.trustworthiness, ==, 1);
  g_assert_cmpfloat (quality.continuity, ==, 1);
  g_assert_cmpfloat_with_epsilon (quality.residual_variance, 0, 1e-12);
}

/* Along the graph of a roll of many samples the unrolled one is right, as it is not in Euclid's distances. */
static void
test_paths (void)
{
  const gsize n = 2000;
  g_autofree float *samples = g_new (float, n * 3);
  g_autofree double *flat = g_new (double, n * 2), *side = g_new (double, n * 2);
  g_autoptr (EsNeighbours) graph = NULL;
  EsEmbeddingQuality unrolled, seen, straight;

  for (gsize i = 0; i < n; i++)
    {
      const double t = 1.5 * G_PI * (1 + 2 * fraction ((double) i * 0.6180339887498949));
      const double h = 21 * fraction ((double) i * 0.4142135623730951);

      side[2 * i] = samples[3 * i] = (float) (t * cos (t));
      side[2 * i + 1] = samples[3 * i + 1] = (float) h;
      samples[3 * i + 2] = (float) (t * sin (t));
      /* By the length of its arc. */
      flat[2 * i] = (t * sqrt (1 + t * t) + asinh (t)) / 2;
      flat[2 * i + 1] = h;
    }
  graph = es_neighbours_find (NULL, 1, samples, n, 3, 8, ES_NEIGHBOURS_EXACT, 0, NULL, NULL, NULL, NULL);
  unrolled = measure (samples, n, 3, flat, 2, (EsEmbeddingMeasures) { .graph = graph, .n_anchors = 320 }, 1);
  seen = measure (samples, n, 3, side, 2, (EsEmbeddingMeasures) { .graph = graph, .n_anchors = 320 }, 1);
  straight = measure (samples, n, 3, flat, 2, (EsEmbeddingMeasures) { .n_anchors = 320 }, 1);
  g_test_message ("residual variance %.4f unrolled, %.4f from the side, %.4f by straight lines",
                  unrolled.residual_variance, seen.residual_variance, straight.residual_variance);
  g_assert_cmpfloat (unrolled.residual_variance, <, 0.02);
  g_assert_cmpfloat (seen.residual_variance, >, 0.5);
  g_assert_cmpfloat (straight.residual_variance, >, 0.5);
}

/* Samples that were left out might as well not be there. */
static void
test_left_out (void)
{
  g_autofree Roll *roll = roll_new ();
  g_autofree float *samples = g_new (float, N * 3);
  g_autofree double *left = g_new (double, N * 2);
  g_autofree guint32 *classes = g_new (guint32, N);
  EsEmbeddingQuality with, without;
  gsize n = 0;

  for (guint i = 0; i < N; i++)
    {
      if (i % 7 == 3)
        {
          roll->side[2 * i + 1] = NAN;
          continue;
        }
      memcpy (samples + 3 * n, roll->samples + 3 * i, 3 * sizeof (float));
      memcpy (left + 2 * n, roll->side + 2 * i, 2 * sizeof (double));
      classes[n++] = roll->classes[i];
    }
  with = measure (roll->samples, N, 3, roll->side, 2, (EsEmbeddingMeasures) { .k = 9, .classes = roll->classes }, 2);
  without = measure (samples, n, 3, left, 2, (EsEmbeddingMeasures) { .k = 9, .classes = classes }, 2);
  g_assert_cmpuint (with.n, ==, n);
  g_assert_cmpmem (&with, sizeof with, &without, sizeof without);
}

/* ---- plain sums ---- */

typedef struct
{
  double square;
  gsize  index;
} Ranked;

static int
compare (const void *a, const void *b)
{
  const Ranked *x = a, *y = b;

  if (x->square != y->square)
    return x->square < y->square ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* rank[j]: 1 for the nearest; 0: itself. */
static void
rank_all (const double *values, gsize n, guint m, gsize self, guint *rank)
{
  g_autofree Ranked *ranked = g_new (Ranked, n);
  gsize count = 0;

  for (gsize j = 0; j < n; j++)
    {
      double square = 0;

      for (guint c = 0; c < m; c++)
        square += (values[j * m + c] - values[self * m + c]) * (values[j * m + c] - values[self * m + c]);
      if (j != self)
        ranked[count++] = (Ranked) { square, j };
    }
  qsort (ranked, count, sizeof *ranked, compare);
  rank[self] = 0;
  for (gsize r = 0; r < count; r++)
    rank[ranked[r].index] = (guint) r + 1;
}

/* Coordinates that are whole numbers, so that many are at the same distance and ties count. */
static void
test_plain (void)
{
  const gsize n = 157;
  const guint k = 8;
  g_autofree float *samples = g_new (float, n * 4);
  g_autofree double *wide = g_new (double, n * 4), *coordinates = g_new (double, n);
  g_autofree guint *high = g_new (guint, n), *low = g_new (guint, n);
  const double pairs = (double) n * k * (2.0 * n - 3.0 * k - 1) / 2;
  double intruders = 0, torn = 0;
  guint64 state = 5;
  EsEmbeddingQuality quality, again;

  for (gsize i = 0; i < n * 4; i++)
    {
      state = state * G_GUINT64_CONSTANT (6364136223846793005) + 1442695040888963407u;
      samples[i] = (float) ((state >> 40) % 4);
      wide[i] = samples[i];
    }
  for (gsize i = 0; i < n; i++)
    coordinates[i] = wide[4 * i] + wide[4 * i + 1];
  for (gsize i = 0; i < n; i++)
    {
      rank_all (wide, n, 4, i, high);
      rank_all (coordinates, n, 1, i, low);
      for (gsize j = 0; j < n; j++)
        {
          if (j != i && low[j] <= k && high[j] > k)
            intruders += high[j] - k;
          if (j != i && high[j] <= k && low[j] > k)
            torn += low[j] - k;
        }
    }
  quality = measure (samples, n, 4, coordinates, 1, (EsEmbeddingMeasures) { .k = k }, 3);
  g_assert_cmpfloat_with_epsilon (quality.trustworthiness, 1 - intruders / pairs, 1e-12);
  g_assert_cmpfloat_with_epsilon (quality.continuity, 1 - torn / pairs, 1e-12);

  again = measure (samples, n, 4, coordinates, 1, (EsEmbeddingMeasures) { .k = k }, 1);
  g_assert_cmpmem (&again, sizeof again, &quality, sizeof quality);
}

/* Some anchors tell nearly what all do. */
static void
test_anchors (void)
{
  g_autofree Roll *roll = roll_new ();
  const EsEmbeddingQuality all = measure (roll->samples, N, 3, roll->side, 2, (EsEmbeddingMeasures) { .k = 5 }, 1);
  const EsEmbeddingQuality some = measure (roll->samples, N, 3, roll->side, 2,
                                           (EsEmbeddingMeasures) { .k = 5, .n_anchors = 100, .seed = 4 }, 1);

  g_assert_cmpuint (some.n_anchors, ==, 100);
  g_assert_cmpuint (some.n, ==, N);
  g_assert_cmpfloat (some.trustworthiness, !=, all.trustworthiness);
  g_assert_cmpfloat_with_epsilon (some.trustworthiness, all.trustworthiness, 0.05);
  g_assert_cmpfloat_with_epsilon (some.continuity, all.continuity, 0.02);
  g_assert_cmpfloat_with_epsilon (some.residual_variance, all.residual_variance, 0.1);
}

/* Standard errors against the spread of the values themselves over many choices of anchors; exact ones have none. */
static void
test_errors (void)
{
  g_autofree Roll *roll = roll_new ();
  g_autoptr (EsNeighbours) graph = es_neighbours_find (NULL, 1, roll->samples, N, 3, 8, ES_NEIGHBOURS_EXACT, 0, NULL,
                                                       NULL, NULL, NULL);
  const guint runs = 200;

  for (guint with_graph = 0; with_graph < 2; with_graph++)
    {
      EsEmbeddingMeasures measures = { .k = 5, .classes = roll->classes, .graph = with_graph ? graph : NULL };
      const EsEmbeddingQuality all = measure (roll->samples, N, 3, roll->side, 2, measures, 2);
      double sum[4] = { 0 }, squares[4] = { 0 }, told[4] = { 0 };

      g_assert_cmpfloat (all.standard.trustworthiness, ==, 0);
      g_assert_cmpfloat (all.standard.continuity, ==, 0);
      g_assert_cmpfloat (all.standard.neighbourhood_hit, ==, 0);
      g_assert_true (with_graph ? all.standard.residual_variance > 0 : all.standard.residual_variance == 0);
      g_assert_cmpuint (all.n_paths, ==, with_graph ? N / 16 : 0);
      measures.n_anchors = 60;
      measures.n_paths = 40;
      for (guint i = 0; i < runs; i++)
        {
          measures.seed = 1000 + i;
          const EsEmbeddingQuality some = measure (roll->samples, N, 3, roll->side, 2, measures, 1);
          const double values[] = { some.trustworthiness, some.continuity, some.neighbourhood_hit,
                                    some.residual_variance };
          const double errors[] = { some.standard.trustworthiness, some.standard.continuity,
                                    some.standard.neighbourhood_hit, some.standard.residual_variance };

          g_assert_cmpuint (some.n_paths, ==, with_graph ? 40 : 0);
          for (guint v = 0; v < 4; v++)
            {
              sum[v] += values[v];
              squares[v] += values[v] * values[v];
              told[v] += errors[v] / runs;
            }
        }
      for (guint v = 0; v < 4; v++)
        {
          const double spread = sqrt ((squares[v] - sum[v] * sum[v] / runs) / (runs - 1));

          g_test_message ("graph %u, measure %u: spread %.5f, told %.5f", with_graph, v, spread, told[v]);
          g_assert_cmpfloat (told[v], >, 0.7 * spread);
          g_assert_cmpfloat (told[v], <, 1.5 * spread);
        }
    }
}

/* One anchor has no spread, and tells of no error. */
static void
test_one_anchor (void)
{
  g_autofree Roll *roll = roll_new ();
  const EsEmbeddingQuality one = measure (roll->samples, N, 3, roll->side, 2,
                                          (EsEmbeddingMeasures) { .k = 5, .n_anchors = 1 }, 1);

  g_assert_true (isfinite (one.trustworthiness));
  g_assert_true (isnan (one.standard.trustworthiness) && isnan (one.standard.continuity));
  g_assert_true (isnan (one.standard.residual_variance));
}

/* Several at once are what each is alone, along the graph or not, for any number of threads; also where one of them
 * lacks samples that the others have. */
static void
test_several (void)
{
  g_autofree Roll *roll = roll_new ();
  g_autofree double *holes = g_memdup2 (roll->side, sizeof roll->side);
  g_autoptr (EsNeighbours) graph = es_neighbours_find (NULL, 1, roll->samples, N, 3, 8, ES_NEIGHBOURS_EXACT, 0, NULL,
                                                       NULL, NULL, NULL);
  const double *coordinates[] = { roll->side, roll->unrolled, roll->side };

  for (guint with_holes = 0; with_holes < 2; with_holes++)
    for (guint with_graph = 0; with_graph < 2; with_graph++)
      for (guint threads = 1; threads <= 5; threads += 2)
        {
          const EsEmbeddingMeasures measures = { .k = 5, .classes = roll->classes, .n_anchors = 100, .seed = 3,
                                                 .graph = with_graph ? graph : NULL };
          EsEmbeddingQuality quality[3];
          g_autoptr (GError) error = NULL;

          g_assert_true (es_embedding_measure_several (NULL, threads, roll->samples, N, 3, coordinates, 3, 2,
                                                       &measures, quality, NULL, NULL, NULL, &error));
          g_assert_no_error (error);
          for (guint e = 0; e < 3; e++)
            {
              const EsEmbeddingQuality alone = measure (roll->samples, N, 3, coordinates[e], 2, measures, 1);

              g_assert_cmpuint (quality[e].k, ==, alone.k);
              g_assert_cmpuint (quality[e].n, ==, alone.n);
              g_assert_cmpuint (quality[e].n_anchors, ==, alone.n_anchors);
              /* Four numbers, to the byte. */
              g_assert_cmpmem (&quality[e].trustworthiness, 4 * sizeof (double), &alone.trustworthiness,
                               4 * sizeof (double));
              g_assert_cmpmem (&quality[e].standard, sizeof alone.standard, &alone.standard, sizeof alone.standard);
            }
          g_assert_cmpfloat (quality[0].residual_variance, !=, quality[1].residual_variance);
          if (with_graph == 1 && threads == 5)
            {
              holes[2 * 17] = holes[2 * 200 + 1] = NAN;
              coordinates[2] = holes;
            }
          else if (with_holes == 1)
            g_assert_cmpuint (quality[2].n, ==, N - 2);
        }
}

static void
test_refusals (void)
{
  g_autofree Roll *roll = roll_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  EsEmbeddingMeasures measures = { .k = N / 2 };
  EsEmbeddingQuality quality;

  g_assert_false (es_embedding_measure (NULL, 1, roll->samples, N, 3, roll->side, 2, &measures, &quality, NULL, NULL,
                                        NULL, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  g_assert_nonnull (strstr (error->message, "300 samples"));
  g_assert_nonnull (strstr (error->message, "150 neighbours"));
  g_clear_error (&error);
  for (guint i = 0; i < N * 2; i++)
    roll->side[i] = NAN;
  measures.k = 0;
  g_assert_false (es_embedding_measure (NULL, 1, roll->samples, N, 3, roll->side, 2, &measures, &quality, NULL, NULL,
                                        NULL, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  g_clear_error (&error);
  g_cancellable_cancel (cancellable);
  g_assert_false (es_embedding_measure (NULL, 1, roll->samples, N, 3, roll->unrolled, 2, &measures, &quality, NULL,
                                        NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* All in one place: there is no order but the indices', and no distance to correlate. */
static void
test_constant (void)
{
  g_autofree Roll *roll = roll_new ();
  g_autofree double *constant = g_new0 (double, N);
  const EsEmbeddingQuality quality = measure (roll->samples, N, 3, constant, 1, (EsEmbeddingMeasures) { .k = 5 }, 1);

  g_assert_true (isnan (quality.residual_variance));
  g_assert_cmpfloat (quality.trustworthiness, <, 0.8);
}

static void
test_procrustes (void)
{
  g_autofree Roll *roll = roll_new ();
  g_autofree double *turned = g_new (double, N * 2);

  g_assert_cmpfloat_with_epsilon (es_embedding_get_procrustes (roll->side, roll->unrolled, N, 2), 0.525845434355664,
                                  1e-12);
  /* Turned, reflected, scaled and moved: the same shape. */
  for (guint i = 0; i < N; i++)
    {
      const double x = roll->unrolled[2 * i], y = roll->unrolled[2 * i + 1];

      turned[2 * i] = 1e3 - 0.01 * (0.6 * x - 0.8 * y);
      turned[2 * i + 1] = 5 + 0.01 * (0.8 * x + 0.6 * y);
    }
  g_assert_cmpfloat_with_epsilon (es_embedding_get_procrustes (roll->unrolled, turned, N, 2), 0, 1e-12);
  /* A row that is missing in either is in neither. */
  turned[2 * 17] = NAN;
  roll->unrolled[2 * 40 + 1] = NAN;
  g_assert_cmpfloat_with_epsilon (es_embedding_get_procrustes (roll->unrolled, turned, N, 2), 0, 1e-12);
  memset (turned, 0, N * 2 * sizeof *turned);
  g_assert_true (isnan (es_embedding_get_procrustes (roll->unrolled, turned, N, 2)));
}

static void
test_plan (void)
{
  guint64 memory = 0;
  const EsEmbeddingMeasures measures = { 0 };

  g_assert_cmpfloat (es_embedding_plan (NULL, 1, 100000, 200, 1, 2, &measures, &memory), >,
                     5 * es_embedding_plan (NULL, 1, 10000, 200, 1, 2, &measures, NULL));
  g_assert_cmpuint (memory, >=, 100000 * sizeof (double));
  g_assert_cmpuint (memory, <, 256 << 20);
  /* Paths cost, also where the graph is not there yet. */
  g_assert_cmpfloat (es_embedding_plan (NULL, 1, 5000, 200, 1, 2, &(EsEmbeddingMeasures) { .graph_k = 15,
                                                                                          .n_paths = 256 }, NULL), >,
                     es_embedding_plan (NULL, 1, 5000, 200, 1, 2, &measures, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/embedding/quality/known", test_known);
  g_test_add_func ("/embedding/quality/perfect", test_perfect);
  g_test_add_func ("/embedding/quality/paths", test_paths);
  g_test_add_func ("/embedding/quality/left-out", test_left_out);
  g_test_add_func ("/embedding/quality/plain", test_plain);
  g_test_add_func ("/embedding/quality/anchors", test_anchors);
  g_test_add_func ("/embedding/quality/errors", test_errors);
  g_test_add_func ("/embedding/quality/one-anchor", test_one_anchor);
  g_test_add_func ("/embedding/quality/several", test_several);
  g_test_add_func ("/embedding/quality/refusals", test_refusals);
  g_test_add_func ("/embedding/quality/constant", test_constant);
  g_test_add_func ("/embedding/quality/procrustes", test_procrustes);
  g_test_add_func ("/embedding/quality/plan", test_plan);
  return g_test_run ();
}
