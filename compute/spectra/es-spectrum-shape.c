/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-spectrum-shape.h"

#include <math.h>

static double
place (const double *wavelengths, guint band)
{
  return wavelengths != NULL ? wavelengths[band] : band;
}

/* Monotone chain: the corners of the hull, of the bands that have values. */
static guint
find_corners (const EsSpectralAxis *axis, const double *values, guint *corners)
{
  const double *x = es_spectral_axis_get_wavelengths (axis);
  const guint *order = es_spectral_axis_get_order (axis), n = es_spectral_axis_get_n (axis);
  guint n_corners = 0;

  for (guint k = 0; k < n; k++)
    {
      const guint band = order[k];

      if (isnan (values[band]))
        continue;
      /* Of two at one place the higher one. */
      if (n_corners > 0 && place (x, corners[n_corners - 1]) == place (x, band))
        {
          if (values[corners[n_corners - 1]] >= values[band])
            continue;
          n_corners--;
        }
      while (n_corners >= 2)
        {
          const guint a = corners[n_corners - 2], b = corners[n_corners - 1];
          const double turn = (place (x, b) - place (x, a)) * (values[band] - values[a])
                              - (values[b] - values[a]) * (place (x, band) - place (x, a));

          if (turn < 0)
            break;
          n_corners--;
        }
      corners[n_corners++] = band;
    }
  return n_corners;
}

void
es_spectrum_find_continuum (const EsSpectralAxis *axis, const double *values, double *out)
{
  const double *x = es_spectral_axis_get_wavelengths (axis);
  const guint *order = es_spectral_axis_get_order (axis), n = es_spectral_axis_get_n (axis);
  g_autofree guint *corners = g_new (guint, n + 1);
  g_autofree double *heights = g_new (double, n + 1);
  const guint n_corners = find_corners (axis, values, corners);

  for (guint c = 0; c < n_corners; c++)
    heights[c] = values[corners[c]];
  for (guint k = 0, c = 0; k < n; k++)
    {
      const guint band = order[k];
      const double at = place (x, band);

      if (isnan (values[band]))
        {
          out[band] = NAN;
          continue;
        }
      while (c + 2 < n_corners && place (x, corners[c + 1]) <= at)
        c++;
      if (n_corners < 2)
        {
          out[band] = heights[0];
          continue;
        }
      const double from = place (x, corners[c]), to = place (x, corners[c + 1]);
      out[band] = at == from ? heights[c] : at == to ? heights[c + 1]
                  : heights[c] + (heights[c + 1] - heights[c]) * (at - from) / (to - from);
    }
}

void
es_spectrum_remove_continuum (const EsSpectralAxis *axis, const double *values, double *out)
{
  const guint n = es_spectral_axis_get_n (axis);
  g_autofree double *continuum = g_new (double, n + 1);

  es_spectrum_find_continuum (axis, values, continuum);
  for (guint i = 0; i < n; i++)
    out[i] = continuum[i] > 0 ? values[i] / continuum[i] : NAN;
}

void
es_spectrum_normalise (const EsSpectralAxis *axis, const double *values, double *out)
{
  const guint n = es_spectral_axis_get_n (axis);
  double low = INFINITY, high = -INFINITY;

  for (guint i = 0; i < n; i++)
    if (!isnan (values[i]))
      {
        low = MIN (low, values[i]);
        high = MAX (high, values[i]);
      }
  for (guint i = 0; i < n; i++)
    out[i] = high > low ? (values[i] - low) / (high - low) : NAN;
}

void
es_spectrum_derive (const EsSpectralAxis *axis, const double *values, guint order, double *out)
{
  const double *x = es_spectral_axis_get_wavelengths (axis);
  const guint n = es_spectral_axis_get_n (axis);
  guint n_runs;
  const guint *runs = es_spectral_axis_get_runs (axis, &n_runs);
  g_autofree double *result = g_new (double, n + 1);

  for (guint r = 0; r < n_runs; r++)
    for (guint i = runs[r]; i < runs[r + 1]; i++)
      {
        result[i] = NAN;
        if (i == runs[r] || i + 1 == runs[r + 1] || es_spectral_axis_has_gap (axis, i - 1)
            || es_spectral_axis_has_gap (axis, i))
          continue;
        const double before = place (x, i) - place (x, i - 1), behind = place (x, i + 1) - place (x, i);
        const double rise = (values[i + 1] - values[i]) / behind, fall = (values[i] - values[i - 1]) / before;

        result[i] = order == 2 ? 2 * (rise - fall) / (before + behind)
                               : (fall * behind + rise * before) / (before + behind);
      }
  for (guint i = 0; i < n; i++)
    out[i] = result[i];
}
