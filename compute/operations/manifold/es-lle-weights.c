/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How a sample is put together from its neighbours: by one set of weights, or of modified LLE by several. */

#include "es-spectral-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "device/es-device-internal.h"
#include "es-eigen.h"

/* Samples of one piece of work. */
#define PIECE 64

gsize
es_lle_work_size (guint k, guint bands)
{
  return (gsize) k * (2 * bands + k);
}

/* gram (k x k): scalar products of what leads from the point to the others. work: 2 k bands. */
static gboolean
find_gram (const float *point, const float *spectra, const gint32 *index, guint k, guint bands, double *work,
           double *gram)
{
  double *turned = work + (gsize) k * bands;

  for (guint j = 0; j < k; j++)
    for (guint b = 0; b < bands; b++)
      {
        const double difference = (double) spectra[(gsize) index[j] * bands + b] - point[b];

        work[j * bands + b] = difference;
        turned[b * k + j] = difference;
      }
  if (esk_multiply (k, bands, k, work, turned, gram) != ESK_OK)
    return FALSE;
  for (guint i = 0; i < k; i++)
    for (guint j = 0; j < i; j++)
      gram[j * k + i] = gram[i * k + j];
  return TRUE;
}

/* Solves gram x = 1 by Cholesky's factor, which takes its place (the lower triangle). */
static void
solve_ones (double *gram, guint k, double *x)
{
  for (guint j = 0; j < k; j++)
    {
      for (guint i = j; i < k; i++)
        {
          double sum = gram[i * k + j];

          for (guint l = 0; l < j; l++)
            sum -= gram[i * k + l] * gram[j * k + l];
          gram[i * k + j] = i == j ? sqrt (fmax (sum, 1e-300)) : sum / gram[j * k + j];
        }
    }
  for (guint i = 0; i < k; i++)
    {
      double sum = 1;

      for (guint l = 0; l < i; l++)
        sum -= gram[i * k + l] * x[l];
      x[i] = sum / gram[i * k + i];
    }
  for (guint i = k; i-- > 0;)
    {
      double sum = x[i];

      for (guint l = i + 1; l < k; l++)
        sum -= gram[l * k + i] * x[l];
      x[i] = sum / gram[i * k + i];
    }
}

gboolean
es_lle_weigh (const float *point, const float *spectra, const gint32 *index, guint k, guint bands,
              double regularisation, double *work, double *weights)
{
  double *gram = work + 2 * (gsize) k * bands, trace = 0, total = 0;

  if (!find_gram (point, spectra, index, k, bands, work, gram))
    return FALSE;
  for (guint j = 0; j < k; j++)
    trace += gram[j * k + j];
  for (guint j = 0; j < k; j++)
    gram[j * k + j] += trace > 0 ? regularisation * trace : 1;
  solve_ones (gram, k, weights);
  for (guint j = 0; j < k; j++)
    total += weights[j];
  for (guint j = 0; j < k; j++)
    weights[j] /= total;
  return TRUE;
}

/* ---- the matrix of every sample by itself ---- */

typedef struct
{
  const EsManifoldInput *input;
  const gint32 *index;
  guint         k, bands, most;    /* most: eigenvalues of a Gram matrix that are not 0 for want of bands */
  double        regularisation;
  double       *local;             /* n x (k + 1) (k + 2) / 2 */
  double       *values, *vectors;  /* modified: n x k descending, n x k x k */
  double        ratio;             /* modified: eta */
  int           done;              /* atomic: pieces */
  int           failed;            /* atomic */
} Local;

static gsize
local_size (guint k)
{
  return (gsize) (k + 1) * (k + 2) / 2;
}

static gboolean
begin_piece (Local *self, gsize pieces)
{
  if (g_cancellable_is_cancelled (es_job_get_cancellable (self->input->job)))
    return FALSE;
  es_job_set_fraction (self->input->job, 0.5 * g_atomic_int_add (&self->done, 1) / (double) pieces);
  return TRUE;
}

static gsize
count_pieces (const Local *self)
{
  return (self->input->samples->n + PIECE - 1) / PIECE;
}

/* (1, -w) (1, -w)'. */
static void
standard_piece (gsize piece, gpointer data)
{
  Local *self = data;
  const EsManifoldSamples *samples = self->input->samples;
  const guint k = self->k;
  g_autofree double *work = g_new (double, es_lle_work_size (k, self->bands)), *weights = g_new (double, k + 1);

  if (!begin_piece (self, count_pieces (self)))
    return;
  for (gsize i = piece * PIECE; i < MIN ((piece + 1) * PIECE, samples->n); i++)
    {
      double *local = self->local + i * local_size (k);

      if (!es_lle_weigh (samples->spectra + i * self->bands, samples->spectra, self->index + i * k, k, self->bands,
                         self->regularisation, work, weights + 1))
        g_atomic_int_set (&self->failed, 1);
      weights[0] = -1;
      for (guint a = 0; a <= k; a++)
        for (guint b = 0; b <= a; b++)
          *local++ = weights[a] * weights[b];
    }
}

static void
modified_eigen_piece (gsize piece, gpointer data)
{
  Local *self = data;
  const EsManifoldSamples *samples = self->input->samples;
  const guint k = self->k;
  g_autofree double *work = g_new (double, es_lle_work_size (k, self->bands));

  if (!begin_piece (self, 2 * count_pieces (self)))
    return;
  for (gsize i = piece * PIECE; i < MIN ((piece + 1) * PIECE, samples->n); i++)
    {
      double *values = self->values + i * k, *gram = work + 2 * (gsize) k * self->bands;

      if (!find_gram (samples->spectra + i * self->bands, samples->spectra, self->index + i * k, k, self->bands, work,
                      gram)
          || esk_eigen_lapack (k, gram, values, self->vectors + i * k * k) != ESK_OK)
        g_atomic_int_set (&self->failed, 1);
      for (guint j = 0; j < k; j++)
        values[j] = j < self->most ? fmax (values[j], 0) : 0;
    }
}

/* How many of the last eigenvectors are nearly of the null space: of which the share of the trace stays below the
 * ratio of all samples. */
static guint
count_sets (const Local *self, const double *values)
{
  double total = 0, head = 0;
  guint sets = 0;

  for (guint j = 0; j < self->most; j++)
    total += values[j];
  for (guint j = 0; j + 1 < self->most; j++)
    {
      head += values[j];
      sets += total / fmax (head, 1e-300) - 1 < self->ratio;
    }
  return CLAMP (sets + self->k - self->most, 1, self->k - 1);
}

/* W_hat W_hat', whose rows are -1 for the sample itself and, for its neighbours, V (1 - 2 h h') + (1 - alpha) w. */
static void
modified_piece (gsize piece, gpointer data)
{
  Local *self = data;
  const EsManifoldSamples *samples = self->input->samples;
  const guint k = self->k;
  g_autofree double *weights = g_new (double, k), *h = g_new (double, k), *rows = g_new (double, (gsize) (k + 1) * k);

  if (!begin_piece (self, 2 * count_pieces (self)))
    return;
  for (gsize i = piece * PIECE; i < MIN ((piece + 1) * PIECE, samples->n); i++)
    {
      const double *values = self->values + i * k, *vectors = self->vectors + i * k * k;
      double *local = self->local + i * local_size (k), trace = 0, total = 0, alpha = 0, norm = 0;
      const guint sets = count_sets (self, values);

      for (guint j = 0; j < k; j++)
        trace += values[j];
      memset (weights, 0, k * sizeof (double));
      for (guint e = 0; e < k; e++)
        {
          double sum = 0;

          for (guint j = 0; j < k; j++)
            sum += vectors[e * k + j];
          sum /= trace > 0 ? values[e] + self->regularisation * trace : 1;
          for (guint j = 0; j < k; j++)
            weights[j] += sum * vectors[e * k + j];
        }
      for (guint j = 0; j < k; j++)
        total += weights[j];
      for (guint j = 0; j < k; j++)
        weights[j] /= total;

      for (guint s = 0; s < sets; s++)
        {
          h[s] = 0;
          for (guint j = 0; j < k; j++)
            h[s] += vectors[(k - sets + s) * k + j];
          alpha += h[s] * h[s];
        }
      alpha = sqrt (alpha / sets);
      for (guint s = 0; s < sets; s++)
        {
          h[s] = alpha - h[s];
          norm += h[s] * h[s];
        }
      for (guint s = 0; s < sets; s++)
        h[s] *= norm < 1e-24 ? 0 : 1 / sqrt (norm);
      for (guint s = 0; s < sets; s++)
        rows[s] = -1;
      for (guint j = 0; j < k; j++)
        {
          double along = 0;

          for (guint s = 0; s < sets; s++)
            along += vectors[(k - sets + s) * k + j] * h[s];
          for (guint s = 0; s < sets; s++)
            rows[(j + 1) * sets + s] = vectors[(k - sets + s) * k + j] - 2 * along * h[s] + (1 - alpha) * weights[j];
        }
      for (guint a = 0; a <= k; a++)
        for (guint b = 0; b <= a; b++)
          {
            double sum = 0;

            for (guint s = 0; s < sets; s++)
              sum += rows[a * sets + s] * rows[b * sets + s];
            *local++ = sum;
          }
    }
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* The median over the samples of what the smaller eigenvalues are beside the m largest. */
static double
find_ratio (const Local *self, gsize n, guint m)
{
  g_autofree double *ratios = g_new (double, n);

  for (gsize i = 0; i < n; i++)
    {
      double large = 0, small = 0;

      for (guint j = 0; j < self->k; j++)
        *(j < m ? &large : &small) += self->values[i * self->k + j];
      ratios[i] = small / fmax (large, 1e-300);
    }
  qsort (ratios, n, sizeof (double), compare_numbers);
  return n % 2 == 1 ? ratios[n / 2] : (ratios[n / 2 - 1] + ratios[n / 2]) / 2;
}

gboolean
es_lle_find_matrix (const EsManifoldInput *input, gboolean modified, double regularisation, EsSpectralMatrix *out,
                    GError **error)
{
  const gsize n = input->samples->n;
  const guint k = es_neighbours_get_k (input->graph);
  g_autofree double *local = g_try_malloc_n (n, local_size (k) * sizeof (double)), *values = NULL, *vectors = NULL;
  Local self = { .input = input, .index = es_neighbours_get_indices (input->graph), .k = k,
                 .bands = input->samples->bands, .most = MIN (k, input->samples->bands),
                 .regularisation = regularisation, .local = local };

  if (modified)
    {
      self.values = values = g_try_malloc_n (n, k * sizeof (double));
      self.vectors = vectors = g_try_malloc_n (n, (gsize) k * k * sizeof (double));
    }
  if (local == NULL || (modified && (values == NULL || vectors == NULL)))
    return es_compute_error_no_memory (_("the weights of the samples"), error);
  if (modified)
    {
      es_manifold_run_parts (input->threads, count_pieces (&self), modified_eigen_piece, &self);
      if (es_job_is_cancelled (input->job, error))
        return FALSE;
      if (!self.failed)
        self.ratio = find_ratio (&self, n, input->m);
      if (!self.failed)
        es_manifold_run_parts (input->threads, count_pieces (&self), modified_piece, &self);
    }
  else
    es_manifold_run_parts (input->threads, count_pieces (&self), standard_piece, &self);
  if (es_job_is_cancelled (input->job, error))
    return FALSE;
  if (self.failed)
    return es_compute_error_no_memory (_("the weights of the samples"), error);
  return es_lle_assemble (input, local, out, error);
}
