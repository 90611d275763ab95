/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which links of the samples' graph count by a kernel of a width that was told: what is narrow beside the distances of
 * neighbours leaves weights that no eigenvector can tell from 0. */

#include "es-spectral-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"

/* Points that are joined to the others by a weight of less than this share of the sum of their degrees have an
 * eigenvalue of about that share, which is lost in rounding: the norm is about 1. */
#define LEAST_SHARE 1e-12

/* Sums of weights, of which density^alpha is divided out (alpha 0: none), by row. */
static gboolean
find_degrees (const EsManifoldInput *input, const EsSpectralKernel *kernel, gboolean diagonal, double alpha,
              double *degree, double *density, GError **error)
{
  g_auto (EsSpectralMatrix) matrix = { .n = 0 };

  if (!es_spectral_join (input, diagonal, &matrix, error))
    return FALSE;
  es_spectral_weigh_all (kernel, &matrix, degree);
  for (gsize i = 0; i < matrix.n; i++)
    density[i] = pow (degree[i], alpha);
  for (gsize i = 0; i < matrix.n; i++)
    {
      degree[i] = 0;
      for (gint32 j = matrix.row_from[i]; j < matrix.row_from[i + 1]; j++)
        degree[i] += matrix.value[j] / (density[i] * density[matrix.column[j]]);
    }
  return TRUE;
}

typedef struct
{
  double weight;
  gint32 from, to;
} Link;

/* The heaviest first. */
static int
compare_links (gconstpointer a, gconstpointer b)
{
  const Link *x = a, *y = b;

  if (x->weight != y->weight)
    return x->weight > y->weight ? -1 : 1;
  return x->from != y->from ? (x->from < y->from ? -1 : 1) : (x->to > y->to) - (x->to < y->to);
}

static gint32
find_root (gint32 *parent, gint32 i)
{
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

/* volume: of each root, the sum of degrees of what hangs on it. */
static void
join (gint32 *parent, double *volume, const Link *link)
{
  const gint32 a = find_root (parent, link->from), b = find_root (parent, link->to);

  if (a == b || link->weight < LEAST_SHARE * MIN (volume[a], volume[b]))
    return;
  parent[MAX (a, b)] = MIN (a, b);
  volume[MIN (a, b)] += volume[MAX (a, b)];
}

EsNeighbours *
es_spectral_find_links (const EsManifoldInput *input, gboolean diagonal, double sigma, double alpha, GError **error)
{
  EsNeighbours *graph = input->graph;
  const gsize n = es_neighbours_get_n_points (graph);
  const guint k = es_neighbours_get_k (graph);
  const gint32 *to = es_neighbours_get_indices (graph);
  const float *distance = es_neighbours_get_distances (graph);
  g_autofree double *degree = g_try_new (double, n), *density = g_try_new (double, n);
  g_autofree gint32 *index = g_try_new (gint32, n * k), *parent = g_try_new (gint32, n);
  g_auto (EsSpectralKernel) kernel = { .binary = FALSE };
  g_autoptr (GArray) light = g_array_new (FALSE, FALSE, sizeof (Link));
  double total = 0;

  if (degree == NULL || density == NULL || index == NULL || parent == NULL)
    {
      es_compute_error_no_memory (_("the graph of the samples"), error);
      return NULL;
    }
  es_spectral_kernel_init (&kernel, graph, FALSE, sigma);
  if (!find_degrees (input, &kernel, diagonal, alpha, degree, density, error))
    return NULL;
  for (gsize i = 0; i < n; i++)
    {
      parent[i] = (gint32) i;
      total += degree[i];
    }
  /* From here on degrees are added up. What no volume is too large for joins in any order. */
  for (gsize i = 0; i < n; i++)
    for (gsize j = i * k; j < (i + 1) * k; j++)
      {
        const double weight = es_spectral_weigh (&kernel, distance[j], kernel.reach[i], kernel.reach[to[j]]);
        const Link link = { weight / (density[i] * density[to[j]]), (gint32) i, to[j] };

        /* At the least weight all are alike, whatever their distance. */
        if (weight <= ES_SPECTRAL_LEAST_WEIGHT)
          continue;
        if (link.weight >= LEAST_SHARE * total)
          join (parent, degree, &link);
        else
          g_array_append_val (light, link);
      }
  g_array_sort (light, compare_links);
  for (guint l = 0; l < light->len; l++)
    join (parent, degree, &g_array_index (light, Link, l));
  for (gsize i = 0; i < n; i++)
    for (gsize j = i * k; j < (i + 1) * k; j++)
      index[j] = find_root (parent, (gint32) i) == find_root (parent, to[j]) ? to[j] : (gint32) i;
  return es_neighbours_new (n, k, g_steal_pointer (&index), g_memdup2 (distance, n * k * sizeof (float)),
                            es_neighbours_is_exact (graph));
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* The median over all points of the distance to the farthest neighbour. */
static double
find_reach (EsNeighbours *graph)
{
  const gsize n = es_neighbours_get_n_points (graph);
  g_auto (EsSpectralKernel) kernel = { .binary = FALSE };

  es_spectral_kernel_init (&kernel, graph, FALSE, 0);
  qsort (kernel.reach, n, sizeof (double), compare_numbers);
  return kernel.reach[n / 2];
}

char *
es_spectral_describe_width (EsNeighbours *graph, double sigma)
{
  return g_strdup_printf (_("Links between them weigh nothing, for the kernel width %g is narrow beside the distance "
                            "to the farthest of %u neighbours, %.3g in the median: a larger one joins them, and 0 "
                            "takes one for each pair of samples."), sigma, es_neighbours_get_k (graph),
                          find_reach (graph));
}

gboolean
es_spectral_tell_width (EsNeighbours *graph, double sigma, GError **error)
{
  g_autofree char *message = NULL;

  if (error == NULL || !g_error_matches (*error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC) || !(sigma > 0))
    return FALSE;
  message = g_strdup_printf (_("The kernel width %g is too narrow beside the distance to the farthest of %u "
                               "neighbours, %.3g in the median, for the eigenvectors of the samples' graph to be "
                               "found: take a larger one, or 0, which takes one for each pair of samples."), sigma,
                             es_neighbours_get_k (graph), find_reach (graph));
  g_clear_error (error);
  g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC, message);
  return FALSE;
}
