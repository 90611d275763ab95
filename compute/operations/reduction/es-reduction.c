/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the first stages of a linear reduction found, shared between its results. */

#include "es-reduction-internal.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"

/* Of the host's memory, for one of them. */
#define MATRIX_SHARE \
  ((EsMemoryShare) { .of_limit = ES_REDUCTION_MATRICES, .of_machine = ES_REDUCTION_MATRICES })

const EsParamChoice es_reduction_quantise_choices[] = {
  { .id = "none", .label = N_("None") },
  { .id = "8bit", .label = N_("8 bit, each band 0 to 255") },
  { .id = NULL }
};
const EsParamChoice es_reduction_eigensolver_choices[] = {
  { .id = "lapack", .label = N_("LAPACK") },
  { .id = "jacobi", .label = N_("Jacobi rotations") },
  { .id = NULL }
};

EsReduction *
es_reduction_ref (EsReduction *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
es_reduction_unref (EsReduction *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_free (self->bands);
  g_free (self->no_data);
  g_free (self->minimum);
  g_free (self->maximum);
  g_free (self->mean);
  g_free (self->covariance);
  g_free (self->zero);
  g_free (self->scale);
  g_free (self->values);
  g_free (self->vectors);
  g_free (self);
}

EsReduction *
es_reduction_new_for_bands (EsCube *cube, const EsLimits *limits, const guint32 *bands, guint n_bands, GError **error)
{
  g_autoptr (EsReduction) self = g_new0 (EsReduction, 1);
  const gsize n = n_bands;
  gsize bytes;

  g_atomic_ref_count_init (&self->references);
  self->n = n_bands;
  self->bands = g_memdup2 (bands, n * sizeof *bands);
  self->no_data = g_new (double, n);
  self->mean = g_new0 (double, n);
  self->scale = g_new0 (double, n);
  self->values = g_new0 (double, n);
  /* Linux promises more than it has, and ends the process that believes it. */
  if (!g_size_checked_mul (&bytes, n * n, sizeof (double))
      || bytes > es_limits_get_host_memory (limits, MATRIX_SHARE)
      || (self->covariance = g_try_malloc0 (bytes)) == NULL || (self->vectors = g_try_malloc0 (bytes)) == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                   _("There is not enough memory for a covariance matrix of %u bands."), n_bands);
      return NULL;
    }
  for (guint i = 0; i < n_bands; i++)
    if (!es_cube_get_no_data (cube, bands[i], &self->no_data[i]))
      self->no_data[i] = NAN;
  for (guint i = 0; i < n_bands; i++)
    if (es_cube_get_offset (cube, bands[i]) != 0)
      {
        if (self->zero == NULL)
          self->zero = g_new0 (double, n);
        self->zero[i] = -es_cube_get_offset (cube, bands[i]) / es_cube_get_scale (cube, bands[i]);
      }
  return g_steal_pointer (&self);
}

EsReduction *
es_reduction_new (EsCube *cube, const EsLimits *limits, const char *what, GError **error)
{
  const gboolean *good = es_cube_get_good_bands (cube);
  const guint all = es_cube_get_bands (cube), n = es_cube_get_n_good_bands (cube);
  g_autofree guint32 *bands = g_new (guint32, MAX (n, 1));

  if (n < 2 && es_cube_get_whole (cube) != cube)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                   g_dngettext (GETTEXT_PACKAGE, "%u band of “%s” takes part and holds data: %s needs at least two.",
                                "%u bands of “%s” take part and hold data: %s needs at least two.", n),
                   n, es_dataset_get_name (ES_DATASET (cube)), what);
      return NULL;
    }
  if (n < 2)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                   g_dngettext (GETTEXT_PACKAGE, "“%s” has %u good band of %u: %s needs at least two.",
                                "“%s” has %u good bands of %u: %s needs at least two.", n),
                   es_dataset_get_name (ES_DATASET (cube)), n, all, what);
      return NULL;
    }
  for (guint band = 0, i = 0; band < all; band++)
    if (good[band])
      bands[i++] = band;
  return es_reduction_new_for_bands (cube, limits, bands, n, error);
}

void
es_reduction_take_sums (EsReduction *self, EsReduction *other)
{
  const gsize n = self->n;

  g_return_if_fail (self->n == other->n && self->minimum == NULL);
  memcpy (self->mean, other->mean, n * sizeof (double));
  memcpy (self->covariance, other->covariance, n * n * sizeof (double));
  if (other->minimum != NULL)
    {
      self->minimum = g_memdup2 (other->minimum, n * sizeof (double));
      self->maximum = g_memdup2 (other->maximum, n * sizeof (double));
    }
  self->count = other->count;
}

EskSelection
es_reduction_selection (EsReduction *self)
{
  return (EskSelection) { self->bands, self->n, self->no_data, self->minimum, self->maximum };
}

const double *
es_reduction_origin (EsReduction *self, gboolean center)
{
  return center ? self->mean : self->minimum == NULL ? self->zero : NULL;
}

gpointer
es_reduction_out_of_memory (const char *what, GError **error)
{
  es_compute_error_no_memory (what, error);
  return NULL;
}
