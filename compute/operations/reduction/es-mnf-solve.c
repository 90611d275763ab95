/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * The two eigenproblems of a minimum noise fraction (hyperspectral.md 2.4), all in float64.
 *
 * With S the bands' own noise deviations (which brings the noise covariance C_N to ones on the diagonal, whatever units
 * the bands have): S^-1 C_N S^-1 = U D U', P = S^-1 U D^-1/2; P' C_D P = V L V'; T = P V. Then T' C_N T = I and
 * T' C_D T = L. What brings components back to spectra is the inverse of T', S U D^1/2 V = C_N T. A GPU does all of
 * that at once (eigen_pair (), es-hotspots-eigen.h), in units of S.
 */

#include "es-mnf-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-eigen.h"
#include "base/es-error.h"
#include "ranks/es-ranks-internal.h"

/* Bands with less noise, as a share of the largest variance, have none. */
#define DEAD 1e-24
/* Directions with less noise than that, as a share of the largest, are taken to have it: what float32 sums leave of a
 * direction without any. Exact sums have n times the rounding of float64. */
#define FLOAT_FLOOR 1e-9

struct _EsMnfNoiseTask
{
  EsEigenTask *task;
  guint        n, *used;
};

EsMnf *
es_mnf_new (void)
{
  EsMnf *self = g_new0 (EsMnf, 1);

  g_atomic_ref_count_init (&self->references);
  return self;
}

EsMnf *
es_mnf_ref (EsMnf *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
es_mnf_unref (EsMnf *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_clear_pointer (&self->found, es_reduction_unref);
  g_clear_pointer (&self->noise, es_noise_statistics_unref);
  g_free (self->delta);
  g_free (self->used);
  g_free (self->values);
  g_free (self->transform);
  g_free (self->mixing);
  g_free (self->coherence);
  g_free (self);
}

gboolean
es_mnf_solves_together (EsJob *job, gboolean jacobi)
{
  return !jacobi && es_eigen_pair_is_on_gpu (job);
}

/* ---- the noise ---- */

static guint
bands_with_noise (EsNoiseStatistics *noise, guint *used)
{
  const gsize n = noise->n;
  double largest = 0;
  guint found = 0;

  for (gsize i = 0; i < n; i++)
    largest = fmax (largest, noise->covariance[i * n + i]);
  for (gsize i = 0; i < n; i++)
    if (noise->covariance[i * n + i] > largest * DEAD && isfinite (noise->covariance[i * n + i]))
      used[found++] = i;
  return found;
}

/* Of the noise's largest eigenvalue: what a direction with noise has more than. */
static double
least_share (EsCube *cube, EsMnf *self, gsize n)
{
  return fmax (n * G_MINDOUBLE, es_reduction_sums_are_exact (cube, self->found) ? n * 0x1p-52 : FLOAT_FLOOR);
}

EsMnfNoiseTask *
es_mnf_noise_task_start (EsJob *job, EsMnf *self, gboolean jacobi, gboolean on_host)
{
  EsMnfNoiseTask *task = g_new0 (EsMnfNoiseTask, 1);
  const double *covariance = self->noise->covariance;
  const gsize all = self->noise->n;
  double *matrix;

  task->used = g_new (guint, all);
  task->n = bands_with_noise (self->noise, task->used);
  const gsize n = task->n;
  matrix = n > 0 ? g_try_new (double, n * n) : NULL;
  if (matrix == NULL)
    return task;
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < n; j++)
      {
        const gsize a = task->used[i], b = task->used[j];
        matrix[i * n + j] = covariance[a * all + b] / sqrt (covariance[a * all + a] * covariance[b * all + b]);
      }
  task->task = es_eigen_task_start (job, jacobi, on_host, n, matrix);
  return task;
}

void
es_mnf_noise_task_drop (EsMnfNoiseTask *task, EsJob *job)
{
  if (task == NULL)
    return;
  if (task->task != NULL)
    {
      g_autofree double *values = g_new (double, task->n), *vectors = g_new (double, (gsize) task->n * task->n);
      es_eigen_task_finish (task->task, job, values, vectors, NULL, NULL, NULL);
    }
  g_free (task->used);
  g_free (task);
}

/* Rows of P' = D^-1/2 U' S^-1, and of its inverse's transpose D^1/2 U' S. Takes the task. */
static gboolean
whiten (EsJob *job, EsCube *cube, EsMnf *self, EsMnfNoiseTask *task, double **whitening, double **back, GError **error)
{
  const gsize n = task->n, all = self->noise->n;
  g_autofree double *values = g_try_new (double, MAX (n, 1)), *vectors = g_try_new (double, MAX (n * n, 1));
  gboolean done = FALSE;

  if (n < 2)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                 _("“%s” has noise in %u of its %u good bands: a minimum noise fraction needs at least two."),
                 es_dataset_get_name (ES_DATASET (cube)), task->n, self->noise->n);
  else if (task->task == NULL || values == NULL || vectors == NULL)
    es_reduction_out_of_memory (_("the noise eigenproblem"), error);
  else
    {
      done = es_eigen_task_finish (task->task, job, values, vectors, &self->noise_sweeps, NULL, error);
      task->task = NULL;
    }
  self->n = task->n;
  self->used = g_steal_pointer (&task->used);
  es_mnf_noise_task_drop (task, job);
  if (!done)
    return FALSE;

  const double least = values[0] * least_share (cube, self, n);
  self->floored = 0;
  *whitening = g_try_new (double, n * n);
  *back = g_try_new (double, n * n);
  if (*whitening == NULL || *back == NULL)
    return es_reduction_out_of_memory (_("the noise eigenproblem"), error) != NULL;
  for (gsize k = 0; k < n; k++)
    {
      if (!(values[k] > least))
        {
          values[k] = least;
          self->floored++;
        }
      for (gsize i = 0; i < n; i++)
        {
          const double deviation = sqrt (self->noise->covariance[self->used[i] * (all + 1)]);
          (*whitening)[k * n + i] = vectors[k * n + i] / (deviation * sqrt (values[k]));
          (*back)[k * n + i] = vectors[k * n + i] * deviation * sqrt (values[k]);
        }
    }
  return TRUE;
}

/* ---- the data ---- */

/* Those of the bands used, of a matrix over all. */
static double *
used_part (EsMnf *self, const double *matrix)
{
  const gsize n = self->n, all = self->found->n;
  double *part = g_try_new (double, n * n);

  for (gsize i = 0; part != NULL && i < n; i++)
    for (gsize j = 0; j < n; j++)
      part[i * n + j] = matrix[self->used[i] * all + self->used[j]];
  return part;
}

static double *
transposed (const double *matrix, gsize n)
{
  double *out = g_try_new (double, n * n);

  for (gsize i = 0; out != NULL && i < n; i++)
    for (gsize j = 0; j < n; j++)
      out[j * n + i] = matrix[i * n + j];
  return out;
}

/* The largest entry of each component's spectrum is positive. */
static void
fix_signs (EsMnf *self)
{
  const gsize n = self->n;

  for (gsize k = 0; k < n; k++)
    {
      double largest = 0;

      for (gsize i = 0; i < n; i++)
        if (fabs (self->mixing[k * n + i]) > fabs (largest))
          largest = self->mixing[k * n + i];
      for (gsize i = 0; largest < 0 && i < n; i++)
        {
          self->mixing[k * n + i] = -self->mixing[k * n + i];
          self->transform[k * n + i] = -self->transform[k * n + i];
        }
    }
}

/* Lag-1 autocorrelation: the variance of the differences of neighbours is 2 (1 - r) of the component's own. */
static gboolean
find_coherence (EsMnf *self, GError **error)
{
  const gsize n = self->n;
  g_autofree double *delta = used_part (self, self->delta), *product = g_try_new (double, n * n);

  self->coherence = g_new (double, n);
  if (delta == NULL || product == NULL)
    return es_reduction_out_of_memory (_("the eigenproblem"), error) != NULL;
  esk_multiply (n, n, n, self->transform, delta, product);
  for (gsize k = 0; k < n; k++)
    {
      double sum = 0;

      for (gsize i = 0; i < n; i++)
        sum += product[k * n + i] * self->transform[k * n + i];
      self->coherence[k] = self->values[k] > 0 ? 1 - sum / self->values[k] : 0;
    }
  return TRUE;
}

/* ---- both eigenproblems ---- */

/* On the job's GPU, at once. *solved: FALSE where it cannot, or there is nothing to solve. */
static gboolean
solve_together (EsJob *job, EsCube *cube, EsMnf *self, double weight, gboolean *solved, GError **error)
{
  const gsize all = self->noise->n;
  g_autofree guint *used = g_new (guint, all);
  const gsize n = bands_with_noise (self->noise, used);
  gboolean too_large;

  *solved = FALSE;
  if (n < 2)
    return TRUE;
  g_autofree double *deviation = g_new (double, n), *inverse = g_new (double, n);
  g_autofree double *noise = g_try_new (double, n * n), *data = g_try_new (double, n * n);
  g_autofree double *values = g_try_new (double, n), *transform = g_try_new (double, n * n);
  g_autofree double *mixing = g_try_new (double, n * n);
  if (noise == NULL || data == NULL || values == NULL || transform == NULL || mixing == NULL)
    return es_reduction_out_of_memory (_("the eigenproblem"), error) != NULL;

  for (gsize i = 0; i < n; i++)
    {
      deviation[i] = sqrt (self->noise->covariance[used[i] * (all + 1)]);
      inverse[i] = 1 / deviation[i];
    }
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < n; j++)
      {
        const gsize at = used[i] * all + used[j];
        noise[i * n + j] = self->noise->covariance[at] * (inverse[i] * inverse[j]);
        data[i * n + j] = self->found->covariance[at] * (inverse[i] * inverse[j]);
      }

  es_job_begin_stage (job, "eigenproblem", _("Eigenproblem"), weight);
  EsEigenTask *pair = es_eigen_pair_start (job, n, g_steal_pointer (&noise), g_steal_pointer (&data),
                                           least_share (cube, self, n));
  if (!es_eigen_pair_finish (pair, job, values, transform, mixing, &self->floored, &too_large, error))
    return FALSE;
  *solved = !too_large;
  if (too_large)
    return TRUE;
  for (gsize k = 0; k < n; k++)
    for (gsize i = 0; i < n; i++)
      {
        transform[k * n + i] *= inverse[i];
        mixing[k * n + i] *= deviation[i];
      }
  self->n = n;
  self->used = g_steal_pointer (&used);
  self->values = g_steal_pointer (&values);
  self->transform = g_steal_pointer (&transform);
  self->mixing = g_steal_pointer (&mixing);
  return TRUE;
}

/* What is found of solved problems. */
static gboolean
finish (EsJob *job, EsMnf *self, GError **error)
{
  const gsize bytes = (gsize) self->n * self->n * sizeof (double);

  /* Other processors may round otherwise, and all go on with the same. */
  if (!es_ranks_broadcast (self->values, self->n * sizeof (double), error)
      || !es_ranks_broadcast (self->transform, bytes, error) || !es_ranks_broadcast (self->mixing, bytes, error))
    return FALSE;
  for (gsize k = 0; k < self->n; k++)
    self->values[k] = fmax (self->values[k], 0);
  fix_signs (self);
  return (self->delta == NULL || find_coherence (self, error)) && !es_job_is_cancelled (job, error);
}

gboolean
es_mnf_solve (EsJob *job, EsCube *cube, EsMnf *self, gboolean jacobi, double weight, EsMnfNoiseTask *task,
              GError **error)
{
  g_autofree double *whitening = NULL, *back = NULL;
  gboolean solved;

  for (gsize i = 0; i < (gsize) self->found->n; i++)
    {
      const double variance = self->found->covariance[i * (self->found->n + 1)];

      if (isfinite (variance) && isfinite (self->found->mean[i])
          && isfinite (self->noise->covariance[i * (self->found->n + 1)]))
        continue;
      es_mnf_noise_task_drop (task, job);
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("“%s” holds values in band %u that are too large to be squared; a no-data value that is not "
                     "declared may be the reason."),
                   es_dataset_get_name (ES_DATASET (cube)), self->found->bands[i] + 1);
      return FALSE;
    }

  es_job_begin_stage (job, "noise-eigenproblem", _("Noise eigenproblem"), weight);
  if (task == NULL && es_mnf_solves_together (job, jacobi))
    {
      if (!solve_together (job, cube, self, weight, &solved, error))
        return FALSE;
      if (solved)
        return finish (job, self, error);
    }
  if (task == NULL)
    task = es_mnf_noise_task_start (job, self, jacobi, FALSE);
  if (!whiten (job, cube, self, task, &whitening, &back, error))
    return FALSE;

  es_job_begin_stage (job, "eigenproblem", _("Eigenproblem"), weight);
  const gsize n = self->n;
  g_autofree double *covariance = used_part (self, self->found->covariance), *turned = transposed (whitening, n);
  g_autofree double *product = g_try_new (double, n * n), *adjusted = g_try_new (double, n * n);
  self->values = g_new (double, n);
  self->transform = g_try_new (double, n * n);
  self->mixing = g_try_new (double, n * n);
  if (covariance == NULL || turned == NULL || product == NULL || adjusted == NULL || self->transform == NULL
      || self->mixing == NULL)
    return es_reduction_out_of_memory (_("the eigenproblem"), error) != NULL;
  esk_multiply (n, n, n, whitening, covariance, product);
  esk_multiply (n, n, n, product, turned, adjusted);
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < i; j++)
      adjusted[i * n + j] = adjusted[j * n + i] = (adjusted[i * n + j] + adjusted[j * n + i]) / 2;

  EsEigenTask *eigen = es_eigen_task_start (job, jacobi, FALSE, n, g_steal_pointer (&adjusted));
  if (!es_eigen_task_finish (eigen, job, self->values, product, &self->sweeps, NULL, error))
    return FALSE;
  esk_multiply (n, n, n, product, whitening, self->transform);
  esk_multiply (n, n, n, product, back, self->mixing);
  return finish (job, self, error);
}
