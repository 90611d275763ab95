/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-wavelength-internal.h"

#include <math.h>
#include <string.h>

/* nm = value * factor, or factor / value for what counts waves. */
typedef struct
{
  const char *name;
  double      factor;
  gboolean    reciprocal;
} Unit;

static const Unit units[] = {
  { "nm", 1.0 },               { "nanometer", 1.0 },      { "nanometers", 1.0 },   { "nanometre", 1.0 },
  { "nanometres", 1.0 },       { "um", 1e3 },             { "µm", 1e3 },           { "μm", 1e3 },
  { "micrometer", 1e3 },       { "micrometers", 1e3 },    { "micrometre", 1e3 },   { "micrometres", 1e3 },
  { "micron", 1e3 },           { "microns", 1e3 },        { "mm", 1e6 },           { "millimeters", 1e6 },
  { "millimetres", 1e6 },      { "cm", 1e7 },             { "centimeters", 1e7 },  { "centimetres", 1e7 },
  { "m", 1e9 },                { "meter", 1e9 },          { "meters", 1e9 },       { "metre", 1e9 },
  { "metres", 1e9 },           { "angstrom", 0.1 },       { "angstroms", 0.1 },    { "å", 0.1 },
  { "wavenumber", 1e7, TRUE }, { "wavenumbers", 1e7, TRUE }, { "cm-1", 1e7, TRUE }, { "cm^-1", 1e7, TRUE },
  { "1/cm", 1e7, TRUE },       { "cm⁻¹", 1e7, TRUE },
  /* c = 299792458 m/s */
  { "hz", 299792458e9, TRUE }, { "mhz", 299792458e3, TRUE }, { "ghz", 299792458.0, TRUE },
  { "thz", 299792.458, TRUE },
};

static const Unit *
find_unit (const char *text)
{
  g_autofree char *folded = g_utf8_strdown (text, -1);
  char *name = g_strstrip (folded);

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (units[i].name, name) == 0)
      return &units[i];
  return NULL;
}

gboolean
es_wavelength_unit_is_known (const char *unit)
{
  return unit != NULL && find_unit (unit) != NULL;
}

static gboolean
counts_bands (const double *values, guint n)
{
  if (values[0] != 0.0 && values[0] != 1.0)
    return FALSE;
  for (guint i = 1; i < n; i++)
    if (values[i] != values[0] + i)
      return FALSE;
  return n > 1;
}

static const Unit *
guess_unit (const double *values, guint n)
{
  double largest = 0;

  if (counts_bands (values, n))
    return NULL;
  for (guint i = 0; i < n; i++)
    largest = MAX (largest, values[i]);
  return find_unit (largest < 100.0 ? "um" : "nm");
}

gboolean
es_wavelengths_to_nanometres (double *wavelengths, double *fwhm, guint n, const char *unit)
{
  const Unit *found;

  for (guint i = 0; i < n; i++)
    if (!isfinite (wavelengths[i]) || wavelengths[i] <= 0.0)
      return FALSE;

  if (unit == NULL || *unit == '\0' || g_ascii_strcasecmp (unit, "unknown") == 0)
    found = guess_unit (wavelengths, n);
  else
    found = find_unit (unit);
  if (found == NULL)
    return FALSE;
  /* A number of the file may be none any more in nanometres. */
  for (guint i = 0; i < n; i++)
    {
      const double nanometres = found->reciprocal ? found->factor / wavelengths[i] : wavelengths[i] * found->factor;

      if (!isfinite (nanometres) || nanometres <= 0.0)
        return FALSE;
    }

  for (guint i = 0; i < n; i++)
    {
      double value = wavelengths[i];

      wavelengths[i] = found->reciprocal ? found->factor / value : value * found->factor;
      /* A width in wave numbers is a width in wavelengths by the slope: |d(k / v)| = k / v^2 dv. */
      if (fwhm != NULL)
        fwhm[i] *= found->reciprocal ? found->factor / (value * value) : found->factor;
    }
  return TRUE;
}

gboolean
es_wavelength_from_name (const char *name, double *nanometres)
{
  for (const char *p = name; *p != '\0'; p++)
    {
      const Unit *unit;
      const char *word, *stop;
      char *end;
      double value;

      if (!g_ascii_isdigit (*p) || (p > name && (g_ascii_isalnum (p[-1]) || p[-1] == '.')))
        continue;
      value = g_ascii_strtod (p, &end);
      word = end;
      while (*word == ' ' || *word == '_' || *word == '\t')
        word++;
      for (stop = word; *stop != '\0' && strchr (" \t()[],;:_", *stop) == NULL; stop++)
        ;
      if (stop > word)
        {
          g_autofree char *text = g_strndup (word, stop - word);

          /* "12 m" is no wavelength; only the units that spectrometers use are taken from a name. */
          unit = g_utf8_validate (text, -1, NULL) ? find_unit (text) : NULL;
          if (unit != NULL && !unit->reciprocal && unit->factor <= 1e3 && isfinite (value) && value > 0.0)
            {
              *nanometres = value * unit->factor;
              return TRUE;
            }
        }
      p = end - 1;
    }
  return FALSE;
}
