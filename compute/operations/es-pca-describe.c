/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-pca-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-layer-private.h"
#include "es-result-private.h"

double
es_pca_relative_scale (EsCube *cube, guint first, guint band)
{
  double unit = es_cube_get_scale (cube, first), scale = es_cube_get_scale (cube, band);

  return unit != 0 && scale != unit ? scale / unit : 1;
}

/* ---- layers ---- */

static EsCurve *
make_scree (EsParams *params, const EsPcaSummary *summary)
{
  g_autofree double *x = g_new (double, summary->n);
  g_autofree double *value = g_new (double, summary->n);
  g_autofree double *cumulative = g_new (double, summary->n);
  double sum = 0;
  EsCurve *curve;

  for (guint i = 0; i < summary->n; i++)
    {
      sum += summary->values[i];
      x[i] = i + 1;
      value[i] = summary->values[i] > 0 ? summary->values[i] : NAN;
      cumulative[i] = 100 * sum / summary->total;
    }

  curve = es_curve_new ("eigenvalues", _("Eigenvalues"), "scree", summary->n, x, _("Component"), NULL);
  es_curve_add_series (curve, _("Eigenvalue"), NULL, ES_CURVE_BARS, FALSE, value);
  es_curve_add_series (curve, _("Cumulative share"), "%", ES_CURVE_LINE, TRUE, cumulative);
  es_curve_set_log_y (curve, TRUE);
  es_curve_set_threshold (curve, "threshold", es_params_get_float (params, "threshold"));
  return curve;
}

/* A curve over all bands of the cube, against wavelength where there is one; bands not used are gaps. */
static EsCurve *
make_band_curve (EsCube *cube, const char *name, const char *title, const char *role)
{
  guint bands = es_cube_get_bands (cube);
  const double *wavelengths = es_cube_get_wavelengths (cube);
  g_autofree double *x = g_new (double, bands);

  for (guint i = 0; i < bands; i++)
    x[i] = wavelengths != NULL ? wavelengths[i] : i + 1;
  return es_curve_new (name, title, role, bands, x, wavelengths != NULL ? _("Wavelength") : _("Band"),
                       wavelengths != NULL ? "nm" : NULL);
}

static void
add_band_series (EsCurve *curve, const EsPcaSummary *summary, const char *title, const double *used)
{
  guint bands = es_curve_get_length (curve);
  g_autofree double *y = g_new (double, bands);

  for (guint i = 0; i < bands; i++)
    y[i] = NAN;
  for (guint i = 0; i < summary->n; i++)
    y[summary->bands[i]] = used[i];
  es_curve_add_series (curve, title, NULL, ES_CURVE_LINE, FALSE, y);
}

static void
add_layers (EsResult *result, EsCube *cube, EsParams *params, EsImageStack *stack, const EsPcaSummary *summary)
{
  g_autoptr (EsCurve) scree = make_scree (params, summary);
  g_autoptr (EsCurve) loadings = make_band_curve (cube, "loadings", _("Loadings"), "loadings");
  g_autoptr (EsCurve) mean = make_band_curve (cube, "mean", _("Mean spectrum"), "spectrum");

  for (guint i = 0; i < summary->m; i++)
    add_band_series (loadings, summary, es_image_stack_get_plane_title (stack, i),
                     summary->vectors + (gsize) i * summary->n);
  add_band_series (mean, summary, _("Mean"), summary->mean);

  es_result_add_layer (result, ES_LAYER (stack));
  es_result_add_layer (result, ES_LAYER (scree));
  es_result_add_layer (result, ES_LAYER (loadings));
  es_result_add_layer (result, ES_LAYER (mean));
}

/* ---- values ---- */

static JsonArray *
number_array (const double *values, gsize n, double factor)
{
  JsonArray *array = json_array_sized_new (n);

  for (gsize i = 0; i < n; i++)
    json_array_add_double_element (array, values[i] * factor);
  return array;
}

static void
add_values (EsResult *result, EsParams *params, const EsPcaSummary *summary)
{
  JsonObject *values = json_object_new ();
  JsonArray *bands = json_array_new (), *cumulative = json_array_new (), *loadings = json_array_new ();
  double sum = 0;

  for (guint i = 0; i < summary->n; i++)
    {
      sum += summary->values[i];
      json_array_add_int_element (bands, summary->bands[i] + 1);
      json_array_add_double_element (cumulative, sum / summary->total);
    }
  for (guint i = 0; i < summary->m; i++)
    json_array_add_array_element (loadings, number_array (summary->vectors + (gsize) i * summary->n, summary->n, 1));

  json_object_set_int_member (values, "components", summary->m);
  json_object_set_int_member (values, "valid_pixels", summary->count);
  json_object_set_int_member (values, "bands_used", summary->n);
  json_object_set_array_member (values, "bands", bands);
  json_object_set_double_member (values, "total_variance", summary->total);
  json_object_set_array_member (values, "eigenvalues", number_array (summary->values, summary->n, 1));
  json_object_set_array_member (values, "explained", number_array (summary->values, summary->n, 1 / summary->total));
  json_object_set_array_member (values, "cumulative", cumulative);
  json_object_set_array_member (values, "mean", number_array (summary->mean, summary->n, 1));
  json_object_set_array_member (values, "loadings", loadings);
  if (es_params_get_choice (params, "eigensolver") == 1)
    {
      json_object_set_int_member (values, "jacobi_sweeps", summary->sweeps);
      json_object_set_double_member (values, "jacobi_off_norm", summary->off_norm);
    }
  es_result_set_values (result, values);
}

static void
add_warnings (EsResult *result, EsParams *params, const EsPcaSummary *summary)
{
  gint64 wanted = es_params_get_int (params, "components");

  if (summary->count <= summary->n)
    es_result_add_warning (result,
                           _("%lld valid pixels for %u bands: the covariance has rank %lld at most, "
                             "and components beyond that are not determined by the data."),
                           (long long) summary->count, summary->n, (long long) summary->count - 1);
  if (summary->constant_bands > 0)
    es_result_add_warning (result, g_dngettext (GETTEXT_PACKAGE,
                                                "%u good band is constant and carries no variance.",
                                                "%u good bands are constant and carry no variance.",
                                                summary->constant_bands),
                           summary->constant_bands);
  if (wanted > summary->n)
    es_result_add_warning (result, _("%lld components were asked for; there are %u."),
                           (long long) wanted, summary->n);
}

EsResult *
es_pca_describe (const EsOperation *operation, EsCube *cube, EsParams *params, EsImageStack *stack,
                 const EsPcaSummary *summary)
{
  EsResult *result = es_result_new (operation, ES_DATASET (cube), params);
  g_autofree char *title = g_strdup_printf (_("PCA %u of %u"), summary->m, summary->n);

  es_result_set_title (result, title);
  add_layers (result, cube, params, stack, summary);
  add_values (result, params, summary);
  add_warnings (result, params, summary);
  return result;
}
