/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Spectra as distances are taken of them. */

#include "es-manifold-private.h"

#include <math.h>
#include <string.h>

/* Of the variance of the samples, what the whitened components keep: noise is not blown up to the size of signal. */
#define WHITENED_SHARE 0.999

static gboolean
find_whitening (EsManifoldPreparation *self, EsJob *job, const double *covariance, GError **error)
{
  const guint bands = self->bands;
  g_autofree double *values = g_new (double, bands), *vectors = g_new (double, (gsize) bands * bands);
  double total = 0, sum = 0;

  if (!es_manifold_eigen (job, bands, covariance, values, vectors, error))
    return FALSE;
  for (guint i = 0; i < bands; i++)
    total += fmax (values[i], 0);
  for (self->n = 0; self->n < bands && values[self->n] > 0 && sum < total * WHITENED_SHARE; self->n++)
    sum += values[self->n];
  self->n = MAX (self->n, 1);
  self->matrix = g_new (float, (gsize) self->n * bands);
  for (guint k = 0; k < self->n; k++)
    for (guint b = 0; b < bands; b++)
      self->matrix[(gsize) k * bands + b] = values[k] > 0 ? (float) (vectors[(gsize) k * bands + b] / sqrt (values[k]))
                                                          : 0;
  return TRUE;
}

/* The length of a physical spectrum, which is left in `physical`. */
static double
find_length (const float *from, const double *reference, guint bands, double *physical)
{
  double sum = 0;

  for (guint b = 0; b < bands; b++)
    {
      physical[b] = from[b] + reference[b];
      sum += physical[b] * physical[b];
    }
  return sqrt (sum);
}

/* Spectra of unit length lie far from 0, too, where all of them have nearly the same shape. */
static void
find_unit (EsManifoldPreparation *self, const float *spectra, gsize n)
{
  const guint bands = self->bands;
  const gsize looked_at = MIN (n, ES_MANIFOLD_LOOKED_AT);
  g_autofree double *length = g_new (double, looked_at), *values = g_new (double, looked_at);
  g_autofree double *physical = g_new (double, bands);

  self->unit = g_new (double, bands);
  for (gsize i = 0; i < looked_at; i++)
    length[i] = find_length (spectra + i * n / looked_at * bands, self->reference, bands, physical);
  for (guint b = 0; b < bands; b++)
    {
      for (gsize i = 0; i < looked_at; i++)
        values[i] = length[i] > 0 ? (spectra[i * n / looked_at * bands + b] + self->reference[b]) / length[i] : 0;
      self->unit[b] = es_manifold_choose_reference (values, looked_at);
    }
}

gboolean
es_manifold_preparation_init (EsManifoldPreparation *self, EsJob *job, guint scaling, const float *spectra,
                              const double *reference, gsize n, guint bands, GError **error)
{
  g_autofree double *mean = NULL, *covariance = NULL;

  *self = (EsManifoldPreparation) { .scaling = scaling, .bands = bands, .n = bands, .reference = reference };
  if (scaling == ES_MANIFOLD_ANGLE)
    find_unit (self, spectra, n);
  if (scaling != ES_MANIFOLD_VARIANCE && scaling != ES_MANIFOLD_WHITENED)
    return TRUE;
  mean = g_new (double, bands);
  covariance = g_new (double, (gsize) bands * bands);
  if (!es_manifold_covariance (job, spectra, n, bands, mean, covariance, error))
    return FALSE;
  self->mean = g_new (float, bands);
  for (guint b = 0; b < bands; b++)
    self->mean[b] = (float) mean[b];
  if (scaling == ES_MANIFOLD_WHITENED)
    return find_whitening (self, job, covariance, error);
  self->factor = g_new (float, bands);
  for (guint b = 0; b < bands; b++)
    {
      const double variance = covariance[(gsize) b * bands + b];

      self->factor[b] = variance > 0 ? (float) (1 / sqrt (variance)) : 0;
    }
  return TRUE;
}

void
es_manifold_preparation_clear (EsManifoldPreparation *self)
{
  g_clear_pointer (&self->mean, g_free);
  g_clear_pointer (&self->matrix, g_free);
  g_clear_pointer (&self->factor, g_free);
  g_clear_pointer (&self->unit, g_free);
}

const double *
es_manifold_preparation_get_origin (const EsManifoldPreparation *self)
{
  const double *origin = self->scaling == ES_MANIFOLD_STORED ? self->reference : self->unit;

  for (guint b = 0; origin != NULL && b < self->n; b++)
    if (origin[b] != 0)
      return origin;
  return NULL;
}

static void
make_unit (const EsManifoldPreparation *self, const float *from, double *physical, float *to)
{
  const double length = find_length (from, self->reference, self->bands, physical);

  for (guint b = 0; b < self->bands; b++)
    to[b] = (float) ((length > 0 ? physical[b] / length : 0) - self->unit[b]);
}

static void
whiten (const EsManifoldPreparation *self, const float *from, float *centred, float *to)
{
  for (guint b = 0; b < self->bands; b++)
    centred[b] = from[b] - self->mean[b];
  for (guint k = 0; k < self->n; k++)
    {
      const float *row = self->matrix + (gsize) k * self->bands;
      float sum = 0;

      for (guint b = 0; b < self->bands; b++)
        sum += row[b] * centred[b];
      to[k] = sum;
    }
}

void
es_manifold_prepare (const EsManifoldPreparation *self, const float *spectra, gsize n, float *out)
{
  g_autofree float *centred = g_new (float, self->bands);
  g_autofree double *physical = g_new (double, self->bands);

  for (gsize i = 0; i < n; i++)
    {
      const float *from = spectra + i * self->bands;
      float *to = out + i * self->n;

      if (self->matrix != NULL)
        whiten (self, from, centred, to);
      else if (self->factor != NULL)
        for (guint b = 0; b < self->bands; b++)
          to[b] = (from[b] - self->mean[b]) * self->factor[b];
      else if (self->unit != NULL)
        make_unit (self, from, physical, to);
      else
        memcpy (to, from, self->bands * sizeof (float));
    }
}

void
es_manifold_prepare_exactly (const EsManifoldPreparation *self, const double *physical, gsize n, double *out)
{
  const guint bands = self->bands;

  for (gsize i = 0; i < n; i++)
    {
      const double *from = physical + i * bands;
      double *to = out + i * self->n, sum = 0;

      for (guint b = 0; self->unit != NULL && b < bands; b++)
        sum += from[b] * from[b];
      for (guint k = 0; k < self->n; k++)
        {
          if (self->unit != NULL)
            to[k] = sum > 0 ? from[k] / sqrt (sum) : 0;
          else if (self->matrix == NULL)
            to[k] = (from[k] - physical[k]) * (self->factor != NULL ? (double) self->factor[k] : 1);
          else
            to[k] = 0;
          /* From the first of them on, which is nearer than 0. */
          for (guint b = 0; self->matrix != NULL && b < bands; b++)
            to[k] += (from[b] - physical[b]) * self->matrix[(gsize) k * bands + b];
        }
    }
}
