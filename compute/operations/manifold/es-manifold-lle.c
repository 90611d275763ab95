/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Locally linear embedding (Roweis and Saul, "Nonlinear dimensionality reduction by locally linear embedding", 2000):
 * every sample is put together from its neighbours by weights, and coordinates are what the same weights put together
 * best: the eigenvectors of (I - W)' (I - W) with the smallest values, but for the constant one. The modified variant
 * (Zhang and Wang, "MLLE: modified locally linear embedding using multiple weights", 2006) takes several sets of
 * weights for each sample, as many as its neighbourhood leaves open.
 */

#include "es-spectral-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"

enum { STANDARD, MODIFIED };

typedef struct
{
  double regularisation;
} LleState;

/* Coordinates have mean square 1. */
static gboolean
lle_find (const EsManifoldInput *input, const LleState *state, EsEmbedding *self, GError **error)
{
  const gboolean modified = es_params_get_choice (input->params, "variant") == MODIFIED;
  const gsize n = self->n;
  g_auto (EsSpectralMatrix) matrix = { .n = 0 };
  g_autofree double *trivial = g_try_new (double, n);

  if (trivial == NULL)
    return es_compute_error_no_memory (_("the matrix of the samples' weights"), error);
  if (modified && es_neighbours_get_k (input->graph) <= self->m)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("Modified LLE needs more neighbours than dimensions: there are %u and %u."),
                   es_neighbours_get_k (input->graph), self->m);
      return FALSE;
    }
  if (!es_lle_find_matrix (input, modified, state->regularisation, &matrix, error))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    trivial[i] = 1 / sqrt ((double) n);
  if (!es_spectral_solve (input, &matrix, FALSE, trivial, self->values, self->coordinates, error))
    return FALSE;
  for (gsize i = 0; i < n * self->m; i++)
    self->coordinates[i] *= sqrt ((double) n);
  es_spectral_fix_signs (n, self->m, self->coordinates);
  return TRUE;
}

static EsEmbedding *
lle_embed (const EsManifoldInput *input, GError **error)
{
  LleState *state = g_new0 (LleState, 1);
  g_autoptr (EsEmbedding) self = es_spectral_embedding_new (&es_manifold_lle, input, state, g_free, error);

  if (self == NULL)
    return NULL;
  state->regularisation = es_params_get_float (input->params, "regularisation");
  return lle_find (input, state, self, error) ? g_steal_pointer (&self) : NULL;
}

/* What its own weights put together (Saul and Roweis, "Think globally, fit locally", 2003). */
static gboolean
lle_extend (const EsEmbedding *self, const EsManifoldSamples *samples, const EsManifoldQueries *queries, float *out,
            GError **error)
{
  const LleState *state = self->state;
  const guint m = self->m, k = queries->k;
  g_autofree double *work = g_new (double, es_lle_work_size (k, queries->bands)), *weights = g_new (double, k);

  for (gsize i = 0; i < queries->q; i++)
    {
      const gint32 *index = queries->index + i * k;
      const gssize twin = es_spectral_find_twin (queries, i);

      if (twin < 0
          && !es_lle_weigh (queries->spectra + i * queries->bands, samples->spectra, index, k, queries->bands,
                            state->regularisation, work, weights))
        return es_compute_error_no_memory (_("the weights of the samples"), error);
      for (guint c = 0; c < m; c++)
        {
          double sum = 0;

          for (guint j = 0; j < k && twin < 0; j++)
            sum += weights[j] * self->coordinates[(gsize) index[j] * m + c];
          out[i * m + c] = (float) (twin >= 0 ? self->coordinates[(gsize) twin * m + c] : sum);
        }
    }
  return TRUE;
}

static double
lle_cost (EsParams *params, EsDevice *device, guint threads, gsize n, guint bands, guint k, guint m, guint64 *memory)
{
  const gboolean modified = es_params_get_choice (params, "variant") == MODIFIED;
  /* A neighbourhood's Gram matrix, and modified its eigenvectors. */
  const double flops = (double) n * k * k * (bands + (modified ? 12.0 * k : k / 3.0));
  /* About 0.4 k^2 values of a row were measured of spectra. */
  const double seconds = es_spectral_cost (n, 0.4 * k * k, m, FALSE, memory);

  *memory += (guint64) ((double) n * k * k * (modified ? 12 : 4) + 16.0 * (double) n * k);
  return seconds + flops / 2e9 / MAX (threads, 1);
}

const EsManifoldMethod es_manifold_lle = {
  .needs_graph = TRUE,
  .embed = lle_embed,
  .extend = lle_extend,
  .cost = lle_cost,
};
