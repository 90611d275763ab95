/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Eigenvectors of the samples' graph. */

#include "es-spectral-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"
#include "eigen/es-sparse-eigen-internal.h"

static void
tell_progress (double fraction, gpointer data)
{
  es_job_set_fraction (data, fraction);
}

/* Takes `trivial` out of m + 1 vectors (rows of n): the one of which least remains, which is m of them then, at m. */
static void
drop_trivial (gsize n, guint m, const double *trivial, double *values, double *vectors)
{
  guint least = 0;
  double least_rest = INFINITY;

  for (guint k = 0; k <= m; k++)
    {
      double *v = vectors + k * n, along = 0, rest = 0;

      for (gsize i = 0; i < n; i++)
        along += trivial[i] * v[i];
      for (gsize i = 0; i < n; i++)
        {
          v[i] -= along * trivial[i];
          rest += v[i] * v[i];
        }
      if (rest < least_rest)
        {
          least = k;
          least_rest = rest;
        }
      for (gsize i = 0; i < n; i++)
        v[i] /= sqrt (fmax (rest, 1e-300));
    }
  memmove (values + least, values + least + 1, (m - least) * sizeof (double));
  memmove (vectors + least * n, vectors + (least + 1) * n, (m - least) * n * sizeof (double));
}

static void
tell_method (EsJob *job, EsDevice *device, const EsEigenFacts *facts)
{
  g_autofree char *size = NULL, *warning = NULL, *refused = NULL;

  if (facts->card_refused)
    {
      refused = g_strdup_printf (_("The CPU found the eigenvectors of the samples' graph: %s could not, for want of "
                                   "memory or of convergence."), es_device_get_name (device));
      es_job_add_warning (job, refused);
    }
  if (!facts->factor_too_large)
    return;
  size = g_format_size (facts->factor_bytes);
  warning = g_strdup_printf (_("The factor of the samples' graph would take %s, more than is allowed; its eigenvectors "
                               "were found without it, by %u products."), size, facts->products);
  es_job_add_warning (job, warning);
}

gboolean
es_spectral_solve (const EsManifoldInput *input, const EsSpectralMatrix *matrix, gboolean filter, const double *trivial,
                   double *values, double *vectors, GError **error)
{
  const gsize n = matrix->n;
  const guint m = input->m;
  const EskCsr csr = es_spectral_matrix_csr (matrix);
  const EsEigenOptions options = {
    .tolerance = 1e-9, .threads = input->threads, .limits = es_job_get_limits (input->job), .device = input->device,
    .filter = filter,
    .progress = tell_progress, .user_data = input->job, .cancellable = es_job_get_cancellable (input->job),
  };
  g_autofree double *all = g_new (double, m + 1);
  g_autofree double *rows = g_try_malloc_n (n, (m + 1) * sizeof (double));
  EsEigenFacts facts;

  if (rows == NULL)
    return es_compute_error_no_memory (_("the eigenvectors of the samples' graph"), error);
  if (!es_sparse_eigen_find (&csr, ES_EIGEN_SMALLEST, m + 1, &options, all, rows, &facts, error))
    return FALSE;
  tell_method (input->job, input->device, &facts);
  drop_trivial (n, m, trivial, all, rows);
  for (guint k = 0; k < m; k++)
    {
      values[k] = fmax (all[k], 0);
      for (gsize i = 0; i < n; i++)
        vectors[i * m + k] = rows[k * n + i];
    }
  return TRUE;
}

void
es_spectral_fix_signs (gsize n, guint m, double *coordinates)
{
  for (guint k = 0; k < m; k++)
    {
      double largest = 0;

      for (gsize i = 0; i < n; i++)
        if (fabs (coordinates[i * m + k]) > fabs (largest))
          largest = coordinates[i * m + k];
      for (gsize i = 0; i < n && largest < 0; i++)
        coordinates[i * m + k] = -coordinates[i * m + k];
    }
}

EsEmbedding *
es_spectral_embedding_new (const EsManifoldMethod *method, const EsManifoldInput *input, gpointer state,
                           GDestroyNotify free_state, GError **error)
{
  const gsize n = input->samples->n;
  EsEmbedding *self = g_new0 (EsEmbedding, 1);

  *self = (EsEmbedding) { .method = method, .n = n, .m = input->m, .state = state, .free_state = free_state };
  if (n <= (gsize) input->m + 1)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("%u dimensions need more than %u samples; there are %zu."), input->m, input->m + 1, n);
      es_embedding_free (self);
      return NULL;
    }
  self->coordinates = g_try_malloc_n (n, input->m * sizeof (double));
  self->values = g_new0 (double, input->m);
  if (self->coordinates != NULL)
    return self;
  es_embedding_free (self);
  es_compute_error_no_memory (_("the embedding of the samples"), error);
  return NULL;
}

/* A factor of the graph of n points, each joined to 15 others, grows like this with n (measured of spectra). */
#define FACTOR_POWER  1.3
#define FACTOR_VALUES 1.0      /* of each value of the matrix, at one point */
#define FACTOR_FLOPS  130.0    /* for each value in the factor and each of a row */
#define FLOPS         10e9     /* a second, of one thread */
#define BANDWIDTH     4e9      /* bytes a second, of solving with the factor */
/* Of a filter: degrees of its polynomials, measured of spectra; seconds of a value times a vector, of one thread. */
#define FILTER_DEGREES 150
#define FILTER_SECONDS 0.25e-9

double
es_spectral_cost (gsize n, double row, guint m, gboolean filter, guint64 *memory)
{
  const double most = 0.5 * (double) n * (double) n;
  const double values = fmin (FACTOR_VALUES * pow (n, FACTOR_POWER) * row, most);
  const double solves = 40 + 4 * (double) m;

  *memory = (guint64) (12 * values + 60 * (double) n * row) + es_sparse_eigen_plan_memory (n, (gsize) (n * row), m + 1)
            + 16 * (guint64) n * (m + 1);
  if (filter)
    {
      *memory = MAX (*memory, es_eigen_plan_filter (n, m + 1) + (guint64) (60 * (double) n * row));
      return FILTER_DEGREES * (double) n * row * (m + 9) * FILTER_SECONDS;
    }
  return values * fmin (FACTOR_FLOPS * row, (double) n) / FLOPS + solves * 16 * values / BANDWIDTH;
}
