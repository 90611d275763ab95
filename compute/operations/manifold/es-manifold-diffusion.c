/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Diffusion maps (Coifman and Lafon, "Diffusion maps", 2006): a random walk over the samples, from each to its
 * neighbours by a Gaussian kernel K whose share q^alpha of the samples' density q is divided out. Coordinates are its
 * eigenvectors psi times their eigenvalues to the power of the time; psi has mean square 1 by the walk's stationary
 * distribution, and the first one, constant, is left out.
 */

#include "es-spectral-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "device/es-device-internal.h"

typedef struct
{
  EsSpectralKernel kernel;
  double          *density;    /* n: q^alpha */
  double           time;
} DiffusionState;

static void
state_free (gpointer data)
{
  DiffusionState *state = data;

  es_spectral_kernel_clear (&state->kernel);
  g_free (state->density);
  g_free (state);
}

/* What a step of the walk leaves of a vector, to the power of the time. */
static double
fade (const DiffusionState *state, double value)
{
  return state->time > 0 ? pow (fmax (value, 0), state->time) : 1;
}

static gboolean
diffusion_find (const EsManifoldInput *input, DiffusionState *state, double alpha, EsEmbedding *self, GError **error)
{
  const gsize n = self->n;
  const guint m = self->m;
  g_auto (EsSpectralMatrix) matrix = { .n = 0 };
  g_autofree double *degree = g_try_new (double, n), *trivial = g_try_new (double, n);
  double total = 0;

  state->density = g_try_new (double, n);
  if (degree == NULL || trivial == NULL || state->density == NULL)
    return es_compute_error_no_memory (_("the graph of the samples"), error);
  if (!es_spectral_join (input, TRUE, &matrix, error))
    return FALSE;
  es_spectral_weigh_all (&state->kernel, &matrix, degree);
  for (gsize i = 0; i < n; i++)
    state->density[i] = pow (degree[i], alpha);
  for (gsize i = 0; i < n; i++)
    {
      degree[i] = 0;
      for (gint32 j = matrix.row_from[i]; j < matrix.row_from[i + 1]; j++)
        {
          matrix.value[j] /= state->density[i] * state->density[matrix.column[j]];
          degree[i] += matrix.value[j];
        }
      total += degree[i];
    }
  if (!es_spectral_normalise (&matrix, degree, error))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    trivial[i] = sqrt (degree[i] / total);
  if (!es_spectral_solve (input, &matrix, TRUE, trivial, self->values, self->coordinates, error))
    return es_spectral_tell_width (input->graph, state->kernel.sigma, error);
  for (guint k = 0; k < m; k++)
    {
      self->values[k] = 1 - self->values[k];
      for (gsize i = 0; i < n; i++)
        self->coordinates[i * m + k] *= fade (state, self->values[k]) / trivial[i];
    }
  es_spectral_fix_signs (n, m, self->coordinates);
  return TRUE;
}

static double
told_width (EsParams *params)
{
  return es_params_get_float (params, "kernel-width");
}

static EsNeighbours *
diffusion_find_links (const EsManifoldInput *input, GError **error)
{
  return es_spectral_find_links (input, TRUE, told_width (input->params), es_params_get_float (input->params, "alpha"),
                                 error);
}

static EsEmbedding *
diffusion_embed (const EsManifoldInput *input, GError **error)
{
  DiffusionState *state = g_new0 (DiffusionState, 1);
  g_autoptr (EsEmbedding) self = es_spectral_embedding_new (&es_manifold_diffusion, input, state, state_free, error);

  if (self == NULL)
    return NULL;
  es_spectral_kernel_init (&state->kernel, input->graph, FALSE, es_params_get_float (input->params, "kernel-width"));
  state->time = es_params_get_float (input->params, "time");
  return diffusion_find (input, state, es_params_get_float (input->params, "alpha"), self, error)
         ? g_steal_pointer (&self) : NULL;
}

/* psi = P psi / value, P the walk's step from the new point; its own density cancels. */
static gboolean
diffusion_extend (const EsEmbedding *self, const EsManifoldSamples *samples, const EsManifoldQueries *queries,
                  float *out, GError **error)
{
  const DiffusionState *state = self->state;
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
                                                         state->kernel.reach[index[j]]), ES_SPECTRAL_LEAST_WEIGHT)
                                / state->density[index[j]];

          total += weight;
          for (guint c = 0; c < m; c++)
            sum[c] += weight * self->coordinates[(gsize) index[j] * m + c];
        }
      for (guint c = 0; c < m; c++)
        out[i * m + c] = (float) (twin >= 0 ? sum[c] : sum[c] / total / fmax (self->values[c], 0.1));
    }
  return TRUE;
}

static double
diffusion_cost (EsParams *params, EsDevice *device, guint threads, gsize n, guint bands, guint k, guint m,
                guint64 *memory)
{
  return es_spectral_cost (n, 1.35 * k, m, TRUE, memory);
}

const EsManifoldMethod es_manifold_diffusion = {
  .needs_graph = TRUE,
  .told_width = told_width,
  .find_links = diffusion_find_links,
  .embed = diffusion_embed,
  .extend = diffusion_extend,
  .cost = diffusion_cost,
};
