/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The result of a PCA: layers components, eigenvalues, loadings, mean; values; warnings; the model. */

#include "es-pca-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

struct _EsPcaDescription
{
  GThread      *thread;            /* NULL: it is done */
  EsCube       *cube;
  EsParams     *params;
  EsReduction  *found;
  const double *basis;
  guint         m;

  EsResult     *result;
  EsCurve      *scree, *loadings, *mean;
};

static void
make_layers (EsPcaDescription *self)
{
  EsReduction *found = self->found;
  const gboolean correlation = es_params_get_choice (self->params, "scaling") == 1;
  g_autofree char *unit = es_reduction_name_variance (self->cube, found, correlation);

  self->scree = es_reduction_make_scree (found->values, found->n, found->total, _("Eigenvalues"), _("Eigenvalue"), unit,
                                         "threshold", es_params_get_float (self->params, "threshold"),
                                         (guint) es_params_get_int (self->params, "components"));
  self->loadings = es_reduction_make_band_curve (self->cube, "loadings", _("Loadings"), "loadings");
  self->mean = es_reduction_make_band_curve (self->cube, "mean", _("Mean spectrum"), "spectrum");
  for (guint i = 0; i < self->m; i++)
    {
      g_autofree char *title = es_pca_dup_title (i);
      es_reduction_add_band_series (self->loadings, found->bands, found->n, title, NULL,
                                    found->vectors + (gsize) i * found->n);
    }
  es_reduction_add_spectrum (self->mean, self->cube, found, _("Mean"), found->mean, FALSE);
}

static void
add_values (EsResult *result, EsParams *params, EsReduction *found, guint m)
{
  JsonObject *values = json_object_new ();
  JsonArray *bands = json_array_new (), *cumulative = json_array_new (), *loadings = json_array_new ();
  double sum = 0;

  for (guint i = 0; i < found->n; i++)
    {
      sum += found->values[i];
      json_array_add_int_element (bands, found->bands[i] + 1);
      json_array_add_double_element (cumulative, sum / found->total);
    }
  for (guint i = 0; i < m; i++)
    json_array_add_array_element (loadings,
                                  es_reduction_number_array (found->vectors + (gsize) i * found->n, found->n, 1));

  json_object_set_int_member (values, "components", m);
  json_object_set_int_member (values, "valid_pixels", found->count);
  json_object_set_int_member (values, "bands_used", found->n);
  json_object_set_array_member (values, "bands", bands);
  json_object_set_double_member (values, "total_variance", found->total);
  json_object_set_array_member (values, "eigenvalues", es_reduction_number_array (found->values, found->n, 1));
  json_object_set_array_member (values, "explained",
                                es_reduction_number_array (found->values, found->n, 1 / found->total));
  json_object_set_array_member (values, "cumulative", cumulative);
  json_object_set_array_member (values, "mean", es_reduction_number_array (found->mean, found->n, 1));
  json_object_set_array_member (values, "loadings", loadings);
  if (es_params_get_choice (params, "eigensolver") == 1)
    {
      json_object_set_int_member (values, "jacobi_sweeps", found->sweeps);
      json_object_set_double_member (values, "jacobi_off_norm", found->off_norm);
    }
  es_result_set_values (result, values);
}

static void
add_warnings (EsResult *result, EsParams *params, EsReduction *found)
{
  gint64 wanted = es_params_get_int (params, "components");

  if (found->count <= found->n)
    es_result_add_warning (result,
                           _("%lld valid pixels for %u bands: the covariance has rank %lld at most, "
                             "and components beyond that are not determined by the data."),
                           (long long) found->count, found->n, (long long) found->count - 1);
  if (found->constant_bands > 0)
    es_result_add_warning (result, g_dngettext (GETTEXT_PACKAGE,
                                                "%u good band is constant and carries no variance.",
                                                "%u good bands are constant and carry no variance.",
                                                found->constant_bands),
                           found->constant_bands);
  if (wanted > found->n)
    es_result_add_warning (result, _("%lld components were asked for; there are %u."),
                           (long long) wanted, found->n);
}

/* transform = V^T S and mixing = S^-1 V; a band that does not count (its scale is 0) does not come back. */
static EsLinearModel *
make_model (EsReduction *found, EsParams *params, const double *basis, guint m)
{
  const gsize n = found->n;
  g_autofree double *mixing = g_new (double, n * m);

  for (gsize i = 0; i < n; i++)
    for (gsize k = 0; k < m; k++)
      mixing[i * m + k] = found->scale[i] != 0 ? found->vectors[k * n + i] / found->scale[i] : 0;
  return es_linear_model_new (m, found->n, found->bands, found->mean, basis, mixing, found->minimum, found->maximum,
                              es_reduction_origin (found, es_params_get_bool (params, "center")));
}

char *
es_pca_dup_title (guint i)
{
  return g_strdup_printf (_("PC %u"), i + 1);
}

static gpointer
describe (gpointer data)
{
  EsPcaDescription *self = data;
  g_autofree char *title = g_strdup_printf (_("PCA %u of %u"), self->m, self->found->n);

  self->result = es_result_new (&es_operation_pca, ES_DATASET (self->cube), self->params);
  es_result_set_title (self->result, title);
  make_layers (self);
  add_values (self->result, self->params, self->found, self->m);
  add_warnings (self->result, self->params, self->found);
  es_result_set_model (self->result, make_model (self->found, self->params, self->basis, self->m));
  return NULL;
}

EsPcaDescription *
es_pca_describe_start (EsCube *cube, EsParams *params, EsReduction *found, const double *basis, guint m)
{
  EsPcaDescription *self = g_new0 (EsPcaDescription, 1);

  *self = (EsPcaDescription) { .cube = cube, .params = params, .found = found, .basis = basis, .m = m };
  self->thread = es_reduction_tell_aside (describe, self);
  return self;
}

EsResult *
es_pca_describe_finish (EsPcaDescription *self, EsImageStack *stack)
{
  g_autoptr (EsResult) result = NULL;

  if (self->thread != NULL)
    g_thread_join (self->thread);
  result = self->result;
  if (stack != NULL)
    {
      es_result_add_layer (result, ES_LAYER (stack));
      es_result_add_layer (result, ES_LAYER (self->scree));
      es_result_add_layer (result, ES_LAYER (self->loadings));
      es_result_add_layer (result, ES_LAYER (self->mean));
    }
  g_object_unref (self->scree);
  g_object_unref (self->loadings);
  g_object_unref (self->mean);
  g_free (self);
  return stack != NULL ? g_steal_pointer (&result) : NULL;
}
