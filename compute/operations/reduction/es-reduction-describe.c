/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How many components are kept, and the curves that describe a linear reduction. */

#include "es-reduction-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

double
es_reduction_relative_scale (EsCube *cube, guint first, guint band)
{
  double unit = es_cube_get_scale (cube, first), scale = es_cube_get_scale (cube, band);

  return unit != 0 && scale != unit ? scale / unit : 1;
}

/* hyperspectral.md 2.1, step 3. */
guint
es_reduction_select (const double *values, guint n, double total, double threshold, gint64 wanted)
{
  g_autofree double *sums = NULL;
  double sum = 0;

  if (wanted > 0)
    return MIN (wanted, n);
  sums = g_new (double, n);
  for (guint i = 0; i < n; i++)
    sums[i] = sum += values[i];
  return es_curve_count_reaching (sums, n, threshold * total);
}

EsCurve *
es_reduction_make_scree (const double *values, guint n, double total, const char *title, const char *value_title,
                         const char *key, double threshold)
{
  g_autofree double *x = g_new (double, n);
  g_autofree double *value = g_new (double, n);
  g_autofree double *cumulative = g_new (double, n);
  double sum = 0;
  EsCurve *curve;

  for (guint i = 0; i < n; i++)
    {
      sum += values[i];
      x[i] = i + 1;
      value[i] = values[i] > 0 ? values[i] : NAN;
      cumulative[i] = 100 * sum / total;
    }

  curve = es_curve_new ("eigenvalues", title, "scree", n, x, _("Component"), NULL);
  es_curve_add_series (curve, value_title, NULL, ES_CURVE_BARS, FALSE, value);
  es_curve_add_series (curve, _("Cumulative share"), "%", ES_CURVE_LINE, TRUE, cumulative);
  es_curve_set_log_y (curve, TRUE);
  if (key != NULL)
    es_curve_set_threshold (curve, key, threshold);
  return curve;
}

EsCurve *
es_reduction_make_band_curve (EsCube *cube, const char *name, const char *title, const char *role)
{
  guint bands = es_cube_get_bands (cube);
  const double *wavelengths = es_cube_get_wavelengths (cube);
  g_autofree double *x = g_new (double, bands);

  for (guint i = 0; i < bands; i++)
    x[i] = wavelengths != NULL ? wavelengths[i] : i + 1;
  return es_curve_new (name, title, role, bands, x, wavelengths != NULL ? _("Wavelength") : _("Band"),
                       wavelengths != NULL ? "nm" : NULL);
}

void
es_reduction_add_band_series (EsCurve *curve, const guint32 *bands, guint n, const char *title, const char *unit,
                              const double *used)
{
  guint length = es_curve_get_length (curve);
  g_autofree double *y = g_new (double, length);

  for (guint i = 0; i < length; i++)
    y[i] = NAN;
  for (guint i = 0; i < n; i++)
    y[bands[i]] = used[i];
  es_curve_add_series (curve, title, unit, ES_CURVE_LINE, FALSE, y);
}

JsonArray *
es_reduction_number_array (const double *values, gsize n, double factor)
{
  JsonArray *array = json_array_sized_new (n);

  for (gsize i = 0; i < n; i++)
    json_array_add_double_element (array, values[i] * factor);
  return array;
}
