/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Laplacian eigenmaps (Belkin and Niyogi, "Laplacian eigenmaps for dimensionality reduction and data representation",
 * 2003): samples that are neighbours are joined by weights W; of the generalised problem (D - W) y = value D y, D the
 * sums of W's rows, the vectors of the smallest values are the coordinates, but for the constant one.
 */

#include "es-spectral-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "device/es-device-internal.h"

enum { HEAT, BINARY };

typedef struct
{
  EsSpectralKernel kernel;
} LaplacianState;

static void
state_free (gpointer data)
{
  LaplacianState *state = data;

  es_spectral_kernel_clear (&state->kernel);
  g_free (state);
}

/* y = D^-1/2 u of u from the normalised Laplacian, scaled so that the mean of y^2, weighted with D, is 1. */
static gboolean
laplacian_find (const EsManifoldInput *input, const EsSpectralKernel *kernel, EsEmbedding *self, GError **error)
{
  const gsize n = self->n;
  g_auto (EsSpectralMatrix) matrix = { .n = 0 };
  g_autofree double *degree = g_try_new (double, n), *trivial = g_try_new (double, n);
  double total = 0;

  if (degree == NULL || trivial == NULL)
    return es_compute_error_no_memory (_("the graph of the samples"), error);
  if (!es_spectral_join (input, FALSE, &matrix, error))
    return FALSE;
  es_spectral_weigh_all (kernel, &matrix, degree);
  if (!es_spectral_normalise (&matrix, degree, error))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    total += degree[i];
  for (gsize i = 0; i < n; i++)
    trivial[i] = sqrt (degree[i] / total);
  if (!es_spectral_solve (input, &matrix, TRUE, trivial, self->values, self->coordinates, error))
    return es_spectral_tell_width (input->graph, kernel->binary ? 0 : kernel->sigma, error);
  for (gsize i = 0; i < n; i++)
    for (guint k = 0; k < self->m; k++)
      self->coordinates[i * self->m + k] /= trivial[i];
  es_spectral_fix_signs (n, self->m, self->coordinates);
  return TRUE;
}

static double
told_width (EsParams *params)
{
  return es_params_get_choice (params, "weights") == BINARY ? 0 : es_params_get_float (params, "kernel-width");
}

static EsNeighbours *
laplacian_find_links (const EsManifoldInput *input, GError **error)
{
  return es_spectral_find_links (input, FALSE, told_width (input->params), 0, error);
}

static EsEmbedding *
laplacian_embed (const EsManifoldInput *input, GError **error)
{
  LaplacianState *state = g_new0 (LaplacianState, 1);
  g_autoptr (EsEmbedding) self = es_spectral_embedding_new (&es_manifold_laplacian, input, state, state_free, error);

  if (self == NULL)
    return NULL;
  es_spectral_kernel_init (&state->kernel, input->graph, es_params_get_choice (input->params, "weights") == BINARY,
                           es_params_get_float (input->params, "kernel-width"));
  return laplacian_find (input, &state->kernel, self, error) ? g_steal_pointer (&self) : NULL;
}

/* Nystroem's extension (Bengio and others, "Out-of-sample extensions for LLE, Isomap, MDS, eigenmaps, and spectral
 * clustering", 2004): D^-1 W y = (1 - value) y, read as what y is elsewhere. */
static gboolean
laplacian_extend (const EsEmbedding *self, const EsManifoldSamples *samples, const EsManifoldQueries *queries,
                  float *out, GError **error)
{
  const LaplacianState *state = self->state;
  const guint m = self->m, k = queries->k;

  for (gsize i = 0; i < queries->q; i++)
    {
      const float *distance = queries->distance + i * k;
      const gint32 *index = queries->index + i * k;
      const gssize twin = es_spectral_find_twin (queries, i);
      double sum[ES_SPECTRAL_MOST], total = 0;

      for (guint c = 0; c < m; c++)
        sum[c] = twin >= 0 ? self->coordinates[(gsize) twin * m + c] : 0;
      for (guint j = 0; j < k && twin < 0; j++)
        {
          const double weight = fmax (es_spectral_weigh (&state->kernel, distance[j], distance[k - 1],
                                                         state->kernel.reach[index[j]]), ES_SPECTRAL_LEAST_WEIGHT);

          total += weight;
          for (guint c = 0; c < m; c++)
            sum[c] += weight * self->coordinates[(gsize) index[j] * m + c];
        }
      /* Beyond 0.9 a vector is no function of the place any more. */
      for (guint c = 0; c < m; c++)
        out[i * m + c] = (float) (twin >= 0 ? sum[c] : sum[c] / total / fmax (1 - self->values[c], 0.1));
    }
  return TRUE;
}

static double
laplacian_cost (EsParams *params, EsDevice *device, guint threads, gsize n, guint bands, guint k, guint m,
                guint64 *memory)
{
  return es_spectral_cost (n, 1.35 * k, m, TRUE, memory);
}

const EsManifoldMethod es_manifold_laplacian = {
  .needs_graph = TRUE,
  .told_width = told_width,
  .find_links = laplacian_find_links,
  .embed = laplacian_embed,
  .extend = laplacian_extend,
  .cost = laplacian_cost,
};
