/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* UMAP (McInnes, Healy and Melville 2018) as a method of manifolds. */

#include "es-umap-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"
#include "eigen/es-sparse-eigen-internal.h"
#include "es-sparse.h"

/* The layout begins within a square of this side. */
#define SIDE 10.0
#define NOISE 1e-4
/* It begins with eigenvectors; of what is moved afterwards, a few digits do. */
#define EIGEN_TOLERANCE 1e-4
#define EIGEN_PRODUCTS 2000
/* Up to so many samples there are 500 epochs, and 200 of more. */
#define FEW_SAMPLES 10000
/* One pull with its pushes, on one thread; an edge that is looked at. */
#define FORCE_SECONDS 25e-9
#define EDGE_SECONDS 2e-9

typedef struct
{
  EsUmapForces forces;
  double       mean_distance;
  float       *points;         /* n x m */
} UmapState;

static void
state_free (gpointer data)
{
  UmapState *state = data;

  g_free (state->points);
  g_free (state);
}

static guint
count_epochs (EsParams *params, gsize n)
{
  const guint wanted = (guint) es_params_get_int (params, "epochs");

  return wanted > 0 ? wanted : n <= FEW_SAMPLES ? 500 : 200;
}

/* Of each dimension from 0 to SIDE. */
static void
spread (const double *coordinates, gsize n, guint m, guint64 seed, float *points)
{
  double largest = 0;

  for (gsize i = 0; i < n * m; i++)
    largest = fmax (largest, fabs (coordinates[i]));
  for (guint k = 0; k < m; k++)
    {
      double low = INFINITY, high = -INFINITY;

      for (gsize i = 0; i < n; i++)
        {
          const double noise = ((double) (es_manifold_hash (seed, i * m + k) >> 11) / 4503599627370496.0 - 1) * NOISE;
          const double value = coordinates[i * m + k] * SIDE / fmax (largest, 1e-300) + noise;

          points[i * m + k] = (float) value;
          low = fmin (low, value);
          high = fmax (high, value);
        }
      for (gsize i = 0; i < n; i++)
        points[i * m + k] = (float) ((points[i * m + k] - low) * SIDE / fmax (high - low, 1e-12));
    }
}

/* ---- where the layout begins ---- */

/* D^-1/2 W D^-1/2 in place of the weights W: its largest pairs are the smallest of the normalised Laplacian. */
static double *
normalise (const EsUmapGraph *graph)
{
  const gsize n = graph->n;
  double *values = g_new (double, graph->first[n]);
  g_autofree double *degree = g_new0 (double, n);

  for (gsize i = 0; i < n; i++)
    for (gsize e = graph->first[i]; e < graph->first[i + 1]; e++)
      degree[i] += graph->weight[e];
  for (gsize i = 0; i < n; i++)
    for (gsize e = graph->first[i]; e < graph->first[i + 1]; e++)
      values[e] = graph->weight[e] / sqrt (degree[i] * degree[graph->to[e]]);
  return values;
}

static void
tell_progress (double fraction, gpointer data)
{
  es_job_set_fraction (data, 0.3 * fraction);
}

/* Eigenvectors of the graph's Laplacian but for the first (section 4.2). FALSE: it has none that serve: it is in
 * several parts, small, or its pairs do not come. */
static gboolean
begin_by_eigenvectors (const EsManifoldInput *input, const EsUmapGraph *graph, double *coordinates, GError **error)
{
  const gsize n = graph->n;
  const guint m = input->m;
  g_autofree double *values = NULL, *found = g_new (double, m + 1), *vectors = NULL;
  g_autofree gint32 *row_from = g_new (gint32, n + 1);
  g_autofree gsize *sizes = NULL;
  g_autofree guint32 *part = g_new (guint32, n);
  const EsEigenOptions options = { .tolerance = EIGEN_TOLERANCE, .threads = input->threads, .without_factor = TRUE,
                                   .most_products = EIGEN_PRODUCTS, .progress = tell_progress, .user_data = input->job,
                                   .cancellable = es_job_get_cancellable (input->job) };
  g_autoptr (GError) local_error = NULL;

  if (n <= 4 * (m + 1) || es_neighbours_find_parts (input->graph, part, &sizes) > 1)
    return FALSE;
  for (gsize i = 0; i <= n; i++)
    row_from[i] = (gint32) graph->first[i];
  values = normalise (graph);
  vectors = g_new (double, (m + 1) * n);
  const EskCsr matrix = { n, n, ESK_F64, row_from, graph->to, values };
  if (!es_sparse_eigen_find (&matrix, ES_EIGEN_LARGEST, m + 1, &options, found, vectors, NULL, &local_error))
    {
      es_job_is_cancelled (input->job, error);
      return FALSE;
    }
  for (gsize i = 0; i < n; i++)
    for (guint k = 0; k < m; k++)
      coordinates[i * m + k] = vectors[(k + 1) * n + i];
  return TRUE;
}

static gboolean
find_beginning (const EsManifoldInput *input, const EsUmapGraph *graph, double *coordinates, GError **error)
{
  GError *cancelled = NULL;

  if (begin_by_eigenvectors (input, graph, coordinates, &cancelled))
    return TRUE;
  if (cancelled == NULL)
    return es_manifold_pca (input->job, input->samples->spectra, input->samples->n, input->samples->bands, input->m,
                            coordinates, error);
  g_propagate_error (error, cancelled);
  return FALSE;
}

/* A third of the edges counts in an epoch, about; each pulls and pushes. */
static void
tell_work (EsJob *job, const EsUmapForces *forces, gsize edges)
{
  const double moves = forces->epochs * 0.3 * (double) edges * (1 + forces->negatives);

  es_job_add_work (job, NULL, &(EsStageWork) {
    .operations = moves * (8.0 * forces->m + 12), .on_host = TRUE,
    .less = N_("Fewer epochs help, fewer negative samples and fewer samples."),
  });
}

/* ---- the method ---- */

static EsEmbedding *
umap_embed (const EsManifoldInput *input, GError **error)
{
  const gsize n = input->samples->n;
  const guint m = input->m;
  UmapState *state = g_new0 (UmapState, 1);
  g_autoptr (EsEmbedding) self = g_new0 (EsEmbedding, 1);
  EsUmapGraph graph;

  *self = (EsEmbedding) { .method = &es_manifold_umap, .n = n, .m = m, .coordinates = g_new (double, n * m),
                          .state = state, .free_state = state_free };
  state->forces = (EsUmapForces) { .m = m, .epochs = count_epochs (input->params, n), .seed = input->seed,
                                   .negatives = (guint) es_params_get_int (input->params, "negative-samples") };
  es_umap_fit_curve (es_params_get_float (input->params, "min-distance"), &state->forces.a, &state->forces.b);
  state->points = g_new (float, n * m);
  if (!es_umap_graph_init (&graph, input->graph, input->threads, &state->mean_distance))
    {
      es_umap_graph_clear (&graph);
      es_compute_error_no_memory (_("the graph of the samples"), error);
      return NULL;
    }
  if (!find_beginning (input, &graph, self->coordinates, error))
    {
      es_umap_graph_clear (&graph);
      return NULL;
    }
  spread (self->coordinates, n, m, input->seed, state->points);
  const gboolean done = es_umap_lay_out (&state->forces, &graph, state->points, input->threads, input->job);
  tell_work (input->job, &state->forces, graph.first[n]);
  es_umap_graph_clear (&graph);
  if (!done)
    {
      es_job_is_cancelled (input->job, error);
      return NULL;
    }
  for (gsize i = 0; i < n * m; i++)
    self->coordinates[i] = state->points[i];
  return g_steal_pointer (&self);
}

static gboolean
umap_extend (const EsEmbedding *self, const EsManifoldSamples *samples, const EsManifoldQueries *queries, float *out,
             GError **error)
{
  const UmapState *state = self->state;
  const guint k = queries->k;
  g_autofree float *weight = g_new (float, k);

  for (gsize i = 0; i < queries->q; i++)
    {
      guint32 bits;

      es_umap_memberships (queries->distance + i * k, k, FALSE, state->mean_distance, weight);
      /* By what the spectrum is, not by where it comes: the same wherever tiles begin. */
      memcpy (&bits, queries->distance + i * k, sizeof bits);
      es_umap_place (&state->forces, state->points, self->n, queries->index + i * k, weight, k,
                     (guint64) queries->index[i * k] << 32 | bits, out + i * self->m);
    }
  return TRUE;
}

static double
umap_cost (EsParams *params, EsDevice *device, guint threads, gsize n, guint bands, guint k, guint m, guint64 *memory)
{
  const double edges = 1.6 * (double) n * k, epochs = count_epochs (params, n);
  const double forces = 0.3 * edges * (1 + (double) es_params_get_int (params, "negative-samples"));

  *memory = (guint64) ((double) n * k * 30 + 12.0 * n * m);
  return epochs * (edges * EDGE_SECONDS + forces * FORCE_SECONDS) / MAX (threads, 1);
}

const EsManifoldMethod es_manifold_umap = {
  .needs_graph = TRUE,
  .takes_parts = TRUE,
  .embed = umap_embed,
  .extend = umap_extend,
  .cost = umap_cost,
};
