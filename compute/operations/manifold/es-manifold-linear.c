/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Dense algebra of samples: covariance, principal components, minimum noise fractions. */

#include "es-manifold-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"
#include "es-eigen.h"
#include "operations/reduction/es-reduction-operations-internal.h"

/* What of the largest eigenvalue is rounding: noise without that much has no direction of its own. */
#define LEAST 1e-10

gboolean
es_manifold_eigen (EsJob *job, gsize n, const double *matrix, double *values, double *vectors, GError **error)
{
  double *copy = g_try_new (double, n * n);

  if (copy == NULL)
    return es_compute_error_no_memory (_("the eigenproblem"), error);
  memcpy (copy, matrix, n * n * sizeof (double));
  if (!es_eigen_task_finish (es_eigen_task_start (job, FALSE, FALSE, n, copy), job, values, vectors, NULL, NULL, error))
    return FALSE;
  es_reduction_fix_signs (n, n, vectors);
  return TRUE;
}

/* Rows at a time, so that the products are of blocks. */
#define BLOCK 512
/* Blocks that are multiplied at once, at most. */
#define MOST_BLOCKS 32

typedef struct
{
  const float  *rows;
  gsize         first, n;      /* of the blocks that are multiplied now; of all */
  gsize         bands;
  const double *mean;
  double       *centred, *across, *product;      /* of a block each */
} Covariance;

static void
multiply_block (gsize part, gpointer data)
{
  const Covariance *self = data;
  const gsize bands = self->bands, first = self->first + part * BLOCK, count = MIN (BLOCK, self->n - first);
  const float *rows = self->rows + first * bands;
  double *centred = self->centred + part * BLOCK * bands, *across = self->across + part * BLOCK * bands;

  for (gsize i = 0; i < count; i++)
    for (gsize b = 0; b < bands; b++)
      {
        centred[i * bands + b] = rows[i * bands + b] - self->mean[b];
        across[b * count + i] = centred[i * bands + b];
      }
  esk_multiply (bands, count, bands, across, centred, self->product + part * bands * bands);
}

static guint
get_threads (EsJob *job)
{
  const EsLimits *limits = es_job_get_limits (job);
  const guint lanes = es_device_get_lanes (es_device_get_cpu ());

  return limits->threads > 0 ? MIN (limits->threads, lanes) : lanes;
}

gboolean
es_manifold_covariance (EsJob *job, const float *rows, gsize n, guint bands, double *mean, double *covariance,
                        GError **error)
{
  const guint threads = get_threads (job);
  const gsize square = (gsize) bands * bands, most = CLAMP ((n + BLOCK - 1) / BLOCK, 1, MIN (threads, MOST_BLOCKS));
  g_autofree double *centred = g_try_new (double, most * BLOCK * bands);
  g_autofree double *across = g_try_new (double, most * BLOCK * bands);
  g_autofree double *product = g_try_new (double, most * square);
  Covariance self = { rows, 0, n, bands, mean, centred, across, product };
  const double divisor = n > 1 ? (double) n - 1 : 1;

  if (centred == NULL || across == NULL || product == NULL)
    return es_compute_error_no_memory (_("the covariance"), error);
  memset (mean, 0, bands * sizeof (double));
  memset (covariance, 0, square * sizeof (double));
  for (gsize i = 0; i < n; i++)
    for (guint b = 0; b < bands; b++)
      mean[b] += rows[i * bands + b];
  for (guint b = 0; b < bands; b++)
    mean[b] /= (double) n;
  for (; self.first < n; self.first += most * BLOCK)
    {
      const gsize blocks = MIN (most, (n - self.first + BLOCK - 1) / BLOCK);

      if (es_job_is_cancelled (job, error))
        return FALSE;
      es_manifold_run_parts (threads, blocks, multiply_block, &self);
      /* In the order of the rows, however many there were at once. */
      for (gsize part = 0; part < blocks; part++)
        for (gsize i = 0; i < square; i++)
          covariance[i] += product[part * square + i];
    }
  for (gsize i = 0; i < square; i++)
    covariance[i] /= divisor;
  return TRUE;
}

typedef struct
{
  const float  *rows;
  gsize         n;
  guint         bands, m;
  const double *mean, *basis;
  double       *out;
} Projection;

static void
project_block (gsize part, gpointer data)
{
  const Projection *self = data;
  const guint bands = self->bands, m = self->m;

  for (gsize i = part * BLOCK; i < MIN ((part + 1) * BLOCK, self->n); i++)
    for (guint k = 0; k < m; k++)
      {
        double sum = 0;

        for (guint b = 0; b < bands; b++)
          sum += (self->rows[i * bands + b] - self->mean[b]) * self->basis[(gsize) k * bands + b];
        self->out[i * m + k] = sum;
      }
}

/* out[n x m] = (rows - mean) basis', basis m x bands. */
static void
project (EsJob *job, const float *rows, gsize n, guint bands, const double *mean, const double *basis, guint m,
         double *out)
{
  Projection self = { rows, n, bands, m, mean, basis, out };

  es_manifold_run_parts (get_threads (job), (n + BLOCK - 1) / BLOCK, project_block, &self);
}

gboolean
es_manifold_pca (EsJob *job, const float *rows, gsize n, guint bands, guint m, double *out, GError **error)
{
  g_autofree double *mean = g_new (double, bands), *values = g_new (double, bands);
  g_autofree double *covariance = g_new (double, (gsize) bands * bands);
  g_autofree double *vectors = g_new0 (double, (gsize) MAX (bands, m) * bands);

  if (!es_manifold_covariance (job, rows, n, bands, mean, covariance, error)
      || !es_manifold_eigen (job, bands, covariance, values, vectors, error))
    return FALSE;
  project (job, rows, n, bands, mean, vectors, m, out);
  return TRUE;
}

/* Directions t = V_N L_N^-1/2 u of the noise's eigenpairs and those u of what it whitens (hyperspectral.md 2.4). */
gboolean
es_manifold_mnf (EsJob *job, const float *rows, const float *beside, gsize n, guint bands, guint m, double *out,
                 gboolean *possible, GError **error)
{
  const gsize square = (gsize) bands * bands;
  g_autofree float *differences = g_new (float, n * bands);
  g_autofree double *mean = g_new (double, bands), *zero = g_new (double, bands), *values = g_new (double, bands);
  g_autofree double *noise = g_new (double, square), *data = g_new (double, square), *whiten = g_new (double, square);
  g_autofree double *across = g_new (double, square), *product = g_new (double, square);
  g_autofree double *vectors = g_new0 (double, (gsize) MAX (bands, m) * bands);
  g_autofree double *basis = g_new0 (double, (gsize) MAX (bands, m) * bands);
  gsize pairs = 0;

  for (gsize i = 0; i < n; i++)
    if (!isnan (beside[i * bands]))
      {
        for (guint b = 0; b < bands; b++)
          differences[pairs * bands + b] = rows[i * bands + b] - beside[i * bands + b];
        pairs++;
      }
  *possible = FALSE;
  if (pairs <= bands)
    return TRUE;
  if (!es_manifold_covariance (job, differences, pairs, bands, zero, noise, error)
      || !es_manifold_covariance (job, rows, n, bands, mean, data, error)
      || !es_manifold_eigen (job, bands, noise, values, whiten, error))
    return FALSE;
  if (!(values[0] > 0))
    return TRUE;
  *possible = TRUE;
  for (guint k = 0; k < bands; k++)
    for (guint b = 0; b < bands; b++)
      {
        /* The difference of two pixels has twice the variance of one. */
        whiten[(gsize) k * bands + b] /= sqrt (fmax (values[k], values[0] * LEAST) / 2);
        across[(gsize) b * bands + k] = whiten[(gsize) k * bands + b];
      }
  esk_multiply (bands, bands, bands, whiten, data, product);
  esk_multiply (bands, bands, bands, product, across, data);
  for (guint i = 0; i < bands; i++)
    for (guint j = 0; j < i; j++)
      data[(gsize) i * bands + j] = data[(gsize) j * bands + i] = (data[(gsize) i * bands + j]
                                                                   + data[(gsize) j * bands + i]) / 2;
  if (!es_manifold_eigen (job, bands, data, values, vectors, error))
    return FALSE;
  esk_multiply (bands, bands, bands, vectors, whiten, basis);
  project (job, rows, n, bands, mean, basis, m, out);
  return TRUE;
}
