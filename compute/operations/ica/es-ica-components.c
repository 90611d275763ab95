/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* From the rotation that an iteration found to components: their order and signs, their matrices, their planes. */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-ica-private.h"

/* A skewness that is smaller than this decides no sign. */
#define TINY_SKEWNESS 0.01

/* ---- the rotation ---- */

EsIcaRotation *
es_ica_rotation_new (guint m)
{
  EsIcaRotation *self = g_new0 (EsIcaRotation, 1);

  g_atomic_ref_count_init (&self->references);
  self->m = m;
  self->w = g_new0 (double, (gsize) m * m);
  self->steps = g_new0 (guint, m);
  self->converged = g_new0 (gboolean, m);
  self->history = g_new (GArray *, m);
  for (guint i = 0; i < m; i++)
    self->history[i] = g_array_new (FALSE, FALSE, sizeof (double));
  self->moments = g_new0 (EskIcaMoments, m);
  return self;
}

EsIcaRotation *
es_ica_rotation_ref (EsIcaRotation *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
es_ica_rotation_unref (EsIcaRotation *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  for (guint i = 0; i < self->m; i++)
    g_array_unref (self->history[i]);
  g_free (self->history);
  g_free (self->w);
  g_free (self->steps);
  g_free (self->converged);
  g_free (self->moments);
  g_free (self);
}

/* ---- order, signs, matrices ---- */

typedef struct
{
  double key;
  guint  row;
} Place;

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *first = a, *second = b;

  if (first->key != second->key)
    return first->key > second->key ? -1 : 1;
  return first->row < second->row ? -1 : first->row > second->row;
}

static EsIcaComponent
look_at (EsIcaSamples *samples, EsIcaRotation *rotation, guint row)
{
  const EskIcaMoments *moments = &rotation->moments[row];
  const double variance = moments->second > 0 ? moments->second : 1;
  const double gap = moments->contrast - rotation->contrast_of_normal;
  EsIcaComponent component = { .row = row, .sign = 1 };

  component.kurtosis = moments->fourth / (variance * variance) - 3;
  component.skewness = moments->third / (variance * sqrt (variance));
  component.negentropy = gap * gap;
  for (gsize j = 0; j < samples->m; j++)
    {
      const double part = rotation->w[(gsize) row * samples->m + j] * samples->deviations[j];
      component.variance += part * part;
    }
  return component;
}

EsIcaComponent *
es_ica_sort_components (EsIcaSamples *samples, EsIcaRotation *rotation, guint order)
{
  const guint m = samples->m;
  EsIcaComponent *components = g_new (EsIcaComponent, m);
  g_autofree Place *places = g_new (Place, m);

  for (guint i = 0; i < m; i++)
    {
      const EsIcaComponent component = look_at (samples, rotation, i);
      places[i].row = i;
      places[i].key = order == ES_ICA_BY_KURTOSIS ? fabs (component.kurtosis)
                      : order == ES_ICA_BY_NEGENTROPY ? component.negentropy : component.variance;
    }
  qsort (places, m, sizeof *places, compare_places);
  for (guint i = 0; i < m; i++)
    components[i] = look_at (samples, rotation, places[i].row);
  return components;
}

void
es_ica_make_matrices (EsReduction *reduction, EsIcaSamples *samples, EsIcaRotation *rotation,
                      EsIcaComponent *components, double *basis, double *mixing)
{
  const gsize n = samples->n, m = samples->m;
  g_autofree double *loading = g_new (double, n);

  for (gsize k = 0; k < m; k++)
    {
      const double *w = rotation->w + components[k].row * m;
      double *row = basis + k * n, largest = 0;

      memset (row, 0, n * sizeof (double));
      memset (loading, 0, n * sizeof (double));
      for (gsize j = 0; j < m; j++)
        {
          const double *white = samples->whitening + j * n, *vector = reduction->vectors + j * n;
          const double share = w[j] * samples->deviations[j];

          for (gsize i = 0; i < n; i++)
            {
              row[i] += w[j] * white[i];
              loading[i] += share * vector[i];
            }
        }
      for (gsize i = 0; i < n; i++)
        {
          mixing[i * m + k] = reduction->scale[i] != 0 ? loading[i] / reduction->scale[i] : 0;
          if (fabs (mixing[i * m + k]) > fabs (largest))
            largest = mixing[i * m + k];
        }

      if (fabs (components[k].skewness) < TINY_SKEWNESS ? largest < 0 : components[k].skewness < 0)
        {
          components[k].sign = -1;
          components[k].skewness = -components[k].skewness;
          for (gsize i = 0; i < n; i++)
            {
              row[i] = -row[i];
              mixing[i * m + k] = -mixing[i * m + k];
            }
        }
    }
}

char *
es_ica_dup_title (guint i)
{
  return g_strdup_printf (_("IC %u"), i + 1);
}

EsImageStack *
es_ica_project (EsJob *job, EsCube *cube, EsReduction *reduction, EsParams *params, EsIcaSamples *samples,
                EsIcaRotation *rotation, const EsIcaComponent *components, const double *basis, GError **error)
{
  const guint m = samples->m;
  g_auto (GStrv) titles = g_new0 (char *, m + 1);
  g_autofree double *shares = g_new (double, m);
  gboolean turn;

  for (guint k = 0; k < m; k++)
    {
      titles[k] = es_ica_dup_title (k);
      shares[k] = components[k].variance / reduction->total;
    }

  const EsProjection projection = {
    .name = "components", .title = _("Components"), .m = m, .basis = basis,
    .mean = es_reduction_origin (reduction, es_params_get_bool (params, "center")),
    .plane_titles = (const char *const *) titles, .shares = shares,
    .is_signed = es_params_get_bool (params, "center"), .show = TRUE, .weight = ES_ICA_WEIGHT_TRANSFORM,
  };
  if (!es_ica_may_turn_samples (job, cube, reduction, samples, &projection, &turn, error))
    return NULL;
  if (turn)
    return es_ica_turn_samples (job, cube, reduction, samples, rotation, components, &projection, error);
  return es_reduction_project (job, cube, reduction, &projection, error);
}
