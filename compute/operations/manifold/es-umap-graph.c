/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The fuzzy simplicial set of the samples, and the curve that distances in the embedding are read by. */

#include "es-umap-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BISECTIONS 64
#define TOLERANCE 1e-5
/* The least sigma, as a share of the mean distance: umap-learn's. */
#define LEAST_SIGMA 1e-3
/* Binary exponents of the mean distance up to which the search for sigma begins at 1, as umap-learn's does. */
#define NEAR_ONE 30

static double
sum_of (const float *distance, guint k, double rho, double sigma)
{
  double sum = 0;

  for (guint j = 0; j < k; j++)
    sum += distance[j] > rho ? exp (-(distance[j] - rho) / sigma) : 1;
  return sum;
}

void
es_umap_memberships (const float *distance, guint k, gboolean connected, double mean, float *out)
{
  const double target = log2 (k + 1.0);
  double rho = 0, low = 0, high = INFINITY, sigma = 1, own = 0;

  for (guint j = 0; j < k; j++)
    own += distance[j] / k;
  for (guint j = 0; connected && j < k && rho == 0; j++)
    rho = distance[j];
  if (mean > 0 && isfinite (mean) && abs (ilogb (mean)) > NEAR_ONE)
    sigma = ldexp (1, ilogb (mean));
  for (guint i = 0; i < BISECTIONS; i++)
    {
      const double sum = sum_of (distance, k, rho, sigma);

      if (fabs (sum - target) < TOLERANCE)
        break;
      if (sum > target)
        high = sigma;
      else
        low = sigma;
      sigma = isinf (high) ? sigma * 2 : (low + high) / 2;
    }
  sigma = fmax (sigma, LEAST_SIGMA * (rho > 0 ? own : mean));
  for (guint j = 0; j < k; j++)
    out[j] = distance[j] <= rho || !(sigma > 0) ? 1 : (float) exp (-(distance[j] - rho) / sigma);
}

/* ---- the union of both ways ---- */

#define ROWS 512               /* of a part of the work */

typedef struct
{
  gsize         n;
  guint         k;
  const gint32 *index;
  const float  *distance;
  double        mean;
  float        *membership;
} Memberships;

static void
find_rows (gsize part, gpointer data)
{
  Memberships *self = data;

  for (gsize i = part * ROWS; i < MIN ((part + 1) * ROWS, self->n); i++)
    es_umap_memberships (self->distance + i * self->k, self->k, TRUE, self->mean, self->membership + i * self->k);
}

typedef struct
{
  gint32 to;
  float  weight;
} Edge;

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  return ((const Edge *) a)->to - ((const Edge *) b)->to;
}

/* Of one row: edges there, and back from others; a pair that is told twice becomes one. */
static gsize
unite (Edge *edges, gsize count, gint32 *to, float *weight)
{
  gsize n = 0;

  qsort (edges, count, sizeof *edges, compare_edges);
  for (gsize i = 0; i < count; i++, n++)
    {
      to[n] = edges[i].to;
      weight[n] = edges[i].weight;
      if (i + 1 < count && edges[i + 1].to == edges[i].to)
        {
          /* a + b is the same both ways round, and so is all of it. */
          weight[n] = edges[i].weight + edges[i + 1].weight - edges[i].weight * edges[i + 1].weight;
          i++;
        }
    }
  return n;
}

static void
fill_rows (EsUmapGraph *self, Edge *edges, const gsize *begin)
{
  gsize n = 0;

  for (gsize i = 0; i < self->n; i++)
    {
      self->first[i] = n;
      n += unite (edges + begin[i], begin[i + 1] - begin[i], self->to + n, self->weight + n);
    }
  self->first[self->n] = n;
}

gboolean
es_umap_graph_init (EsUmapGraph *self, EsNeighbours *neighbours, guint threads, double *mean)
{
  const gsize n = es_neighbours_get_n_points (neighbours);
  const guint k = es_neighbours_get_k (neighbours);
  g_autofree float *membership = g_try_new (float, n * k);
  g_autofree Edge *edges = g_try_new (Edge, 2 * n * k);
  g_autofree gsize *begin = g_new0 (gsize, n + 2);
  Memberships data = { n, k, es_neighbours_get_indices (neighbours), es_neighbours_get_distances (neighbours), 0,
                       membership };

  *self = (EsUmapGraph) { .n = n, .first = g_new (gsize, n + 1), .to = g_try_new (gint32, 2 * n * k),
                          .weight = g_try_new (float, 2 * n * k) };
  if (membership == NULL || edges == NULL || self->to == NULL || self->weight == NULL)
    return FALSE;
  for (gsize i = 0; i < n * k; i++)
    data.mean += data.distance[i];
  data.mean /= (double) n * k;
  *mean = data.mean;
  es_manifold_run_parts (threads, (n + ROWS - 1) / ROWS, find_rows, &data);
  /* begin[i + 2] counts, then begin[i + 1] is where the next edge of i goes, and in the end where its last was. */
  for (gsize i = 0; i < n; i++)
    {
      begin[i + 2] += k;
      for (guint j = 0; j < k; j++)
        begin[data.index[i * k + j] + 2]++;
    }
  for (gsize i = 1; i < n + 2; i++)
    begin[i] += begin[i - 1];
  for (gsize i = 0; i < n; i++)
    for (guint j = 0; j < k; j++)
      {
        const gint32 other = data.index[i * k + j];

        edges[begin[i + 1]++] = (Edge) { other, membership[i * k + j] };
        edges[begin[other + 1]++] = (Edge) { (gint32) i, membership[i * k + j] };
      }
  fill_rows (self, edges, begin);
  return TRUE;
}

void
es_umap_graph_clear (EsUmapGraph *self)
{
  g_clear_pointer (&self->first, g_free);
  g_clear_pointer (&self->to, g_free);
  g_clear_pointer (&self->weight, g_free);
}

/* ---- the curve ---- */

#define CURVE_POINTS 300
#define CURVE_END 3.0          /* spreads */

static double
curve_error (double min_distance, double a, double b, double gradient[2], double normal[3])
{
  double sum = 0;

  gradient[0] = gradient[1] = normal[0] = normal[1] = normal[2] = 0;
  for (guint i = 0; i < CURVE_POINTS; i++)
    {
      const double x = CURVE_END * i / (CURVE_POINTS - 1), power = x > 0 ? pow (x, 2 * b) : 0;
      const double wanted = x < min_distance ? 1 : exp (min_distance - x), found = 1 / (1 + a * power);
      const double by_a = -power * found * found, by_b = x > 0 ? -2 * a * log (x) * power * found * found : 0;

      sum += (found - wanted) * (found - wanted);
      gradient[0] += by_a * (found - wanted);
      gradient[1] += by_b * (found - wanted);
      normal[0] += by_a * by_a;
      normal[1] += by_a * by_b;
      normal[2] += by_b * by_b;
    }
  return sum;
}

/* Levenberg and Marquardt's steps. */
void
es_umap_fit_curve (double min_distance, double *a, double *b)
{
  double damping = 1e-3, gradient[2], normal[3], unused_gradient[2], unused_normal[3];

  *a = *b = 1;
  for (guint i = 0; i < 200; i++)
    {
      const double error = curve_error (min_distance, *a, *b, gradient, normal);
      const double p = normal[0] * (1 + damping), q = normal[2] * (1 + damping);
      const double determinant = p * q - normal[1] * normal[1];
      const double step_a = (q * gradient[0] - normal[1] * gradient[1]) / determinant;
      const double step_b = (p * gradient[1] - normal[1] * gradient[0]) / determinant;
      const double new_a = *a - step_a, new_b = *b - step_b;

      if (new_a > 0 && new_b > 0
          && curve_error (min_distance, new_a, new_b, unused_gradient, unused_normal) <= error)
        {
          *a = new_a;
          *b = new_b;
          damping /= 10;
          if (fabs (step_a) + fabs (step_b) < 1e-12)
            return;
        }
      else
        damping *= 10;
    }
}
