/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Dense algebra of samples: covariance, principal components, minimum noise fractions. */

#include "es-manifold-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

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

gboolean
es_manifold_covariance (EsJob *job, const float *rows, gsize n, guint bands, double *mean, double *covariance,
                        GError **error)
{
  g_autofree double *block = g_new (double, BLOCK * (gsize) bands);
  g_autofree double *across = g_new (double, BLOCK * (gsize) bands);
  g_autofree double *product = g_new (double, (gsize) bands * bands);
  const double divisor = n > 1 ? (double) n - 1 : 1;

  memset (mean, 0, bands * sizeof (double));
  memset (covariance, 0, (gsize) bands * bands * sizeof (double));
  for (gsize i = 0; i < n; i++)
    for (guint b = 0; b < bands; b++)
      mean[b] += rows[i * bands + b];
  for (guint b = 0; b < bands; b++)
    mean[b] /= (double) n;
  for (gsize first = 0; first < n; first += BLOCK)
    {
      const gsize count = MIN (BLOCK, n - first);

      if (es_job_is_cancelled (job, error))
        return FALSE;
      for (gsize i = 0; i < count; i++)
        for (guint b = 0; b < bands; b++)
          {
            block[i * bands + b] = rows[(first + i) * bands + b] - mean[b];
            across[b * count + i] = block[i * bands + b];
          }
      esk_multiply (bands, count, bands, across, block, product);
      for (gsize i = 0; i < (gsize) bands * bands; i++)
        covariance[i] += product[i];
    }
  for (gsize i = 0; i < (gsize) bands * bands; i++)
    covariance[i] /= divisor;
  return TRUE;
}

/* out[n x m] = (rows - mean) basis', basis m x bands. */
static void
project (const float *rows, gsize n, guint bands, const double *mean, const double *basis, guint m, double *out)
{
  for (gsize i = 0; i < n; i++)
    for (guint k = 0; k < m; k++)
      {
        double sum = 0;

        for (guint b = 0; b < bands; b++)
          sum += (rows[i * bands + b] - mean[b]) * basis[(gsize) k * bands + b];
        out[i * m + k] = sum;
      }
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
  project (rows, n, bands, mean, vectors, m, out);
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
  project (rows, n, bands, mean, basis, m, out);
  return TRUE;
}
