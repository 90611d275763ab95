/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-spectra-look.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "spectra/es-spectrum-shape.h"

const char *
es_spectra_shape_title (EsSpectraShape shape)
{
  static const char *const titles[] = { N_("Values"), N_("Continuum removed"), N_("Normalised, 0 to 1"),
                                        N_("First derivative"), N_("Second derivative") };

  return _(titles[shape]);
}

const char *
es_spectra_unit_title (EsSpectraUnit unit)
{
  static const char *const titles[] = { "nm", "µm", "cm⁻¹", N_("Band") };

  return _(titles[unit]);
}

const char *
es_spectra_unit_axis (EsSpectraUnit unit, const char **symbol)
{
  *symbol = unit == ES_SPECTRA_BAND ? NULL : es_spectra_unit_title (unit);
  return unit == ES_SPECTRA_BAND ? _("Band") : unit == ES_SPECTRA_WAVENUMBER ? _("Wavenumber") : _("Wavelength");
}

double
es_spectra_look_place (const EsSpectraLook *look, const EsSpectralAxis *axis, guint band)
{
  const double *wavelengths = es_spectral_axis_get_wavelengths (axis);

  if (look->unit == ES_SPECTRA_BAND)
    return band + 1.;
  if (wavelengths == NULL)
    return NAN;
  return look->unit == ES_SPECTRA_UM ? wavelengths[band] / 1000
         : look->unit == ES_SPECTRA_WAVENUMBER ? 1e7 / wavelengths[band] : wavelengths[band];
}

void
es_spectra_look_make (const EsSpectraLook *look, EsSpectrum *spectrum, double *x, double *y)
{
  const EsSpectralAxis *axis = es_spectrum_get_axis (spectrum);
  const double *values = es_spectrum_get_values (spectrum);
  const guint n = es_spectrum_get_n (spectrum);

  for (guint i = 0; i < n; i++)
    x[i] = es_spectra_look_place (look, axis, i);
  switch (look->shape)
    {
    case ES_SPECTRA_CONTINUUM_REMOVED:
      es_spectrum_remove_continuum (axis, values, y);
      break;
    case ES_SPECTRA_NORMALISED:
      es_spectrum_normalise (axis, values, y);
      break;
    case ES_SPECTRA_FIRST_DERIVATIVE:
      es_spectrum_derive (axis, values, 1, y);
      break;
    case ES_SPECTRA_SECOND_DERIVATIVE:
      es_spectrum_derive (axis, values, 2, y);
      break;
    default:
      memcpy (y, values, n * sizeof (double));
    }
}
