/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The result of a PCA: layers components, eigenvalues, loadings, mean; values; warnings; the model. */

#include "es-pca-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static void
add_layers (EsResult *result, EsCube *cube, EsParams *params, EsImageStack *stack, EsReduction *found, guint m)
{
  const gboolean correlation = es_params_get_choice (params, "scaling") == 1;
  g_autofree char *unit = es_reduction_name_variance (cube, found, correlation);
  g_autoptr (EsCurve) scree = es_reduction_make_scree (found->values, found->n, found->total, _("Eigenvalues"),
                                                       _("Eigenvalue"), unit, "threshold",
                                                       es_params_get_float (params, "threshold"),
                                                       (guint) es_params_get_int (params, "components"));
  g_autoptr (EsCurve) loadings = es_reduction_make_band_curve (cube, "loadings", _("Loadings"), "loadings");
  g_autoptr (EsCurve) mean = es_reduction_make_band_curve (cube, "mean", _("Mean spectrum"), "spectrum");

  for (guint i = 0; i < m; i++)
    es_reduction_add_band_series (loadings, found->bands, found->n, es_image_stack_get_plane_title (stack, i), NULL,
                                  found->vectors + (gsize) i * found->n);
  es_reduction_add_spectrum (mean, cube, found, _("Mean"), found->mean, FALSE);

  es_result_add_layer (result, ES_LAYER (stack));
  es_result_add_layer (result, ES_LAYER (scree));
  es_result_add_layer (result, ES_LAYER (loadings));
  es_result_add_layer (result, ES_LAYER (mean));
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

EsResult *
es_pca_describe (EsCube *cube, EsParams *params, EsImageStack *stack, EsReduction *found, const double *basis, guint m)
{
  EsResult *result = es_result_new (&es_operation_pca, ES_DATASET (cube), params);
  g_autofree char *title = g_strdup_printf (_("PCA %u of %u"), m, found->n);

  es_result_set_title (result, title);
  add_layers (result, cube, params, stack, found, m);
  add_values (result, params, found, m);
  add_warnings (result, params, found);
  es_result_set_model (result, make_model (found, params, basis, m));
  return result;
}
