/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What can be told of one band, as texts of a table. */

#include "es-metadata-columns.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-metadata-numbers-private.h"

char *
es_metadata_band_show (EsCube *cube, guint band, EsBandColumn column)
{
  const double *wavelengths = es_cube_get_said_wavelengths (cube), *fwhm = es_cube_get_said_fwhm (cube);
  const gboolean *good = es_cube_get_good_bands (cube);

  switch (column)
    {
    case ES_BAND_NUMBER:
      return g_strdup_printf ("%u", band + 1);
    case ES_BAND_NAME:
      return g_strdup (es_cube_get_band_name (cube, band) != NULL ? es_cube_get_band_name (cube, band) : "");
    case ES_BAND_WAVELENGTH:
      return wavelengths != NULL ? _es_metadata_show_number (wavelengths[band]) : g_strdup ("");
    case ES_BAND_FWHM:
      return fwhm != NULL ? _es_metadata_show_number (fwhm[band]) : g_strdup ("");
    case ES_BAND_GOOD:
      return g_strdup (good[band] ? "1" : "0");
    case ES_BAND_NO_DATA:
      return _es_metadata_show_number (_es_metadata_get_no_data (cube, band));
    case ES_BAND_SCALE:
      return _es_metadata_show_number (es_cube_get_scale (cube, band));
    default:
      return _es_metadata_show_number (es_cube_get_offset (cube, band));
    }
}

/* All bands as they are, to be told but for one. */
static double *
take_all (EsCube *cube, EsBandColumn column)
{
  const guint n = es_cube_get_bands (cube);
  const double *list = column == ES_BAND_WAVELENGTH ? es_cube_get_said_wavelengths (cube)
                       : column == ES_BAND_FWHM ? es_cube_get_said_fwhm (cube) : NULL;
  double *values = _es_metadata_repeat (NAN, n);

  for (guint b = 0; b < n; b++)
    values[b] = list != NULL ? list[b] : column == ES_BAND_NO_DATA ? _es_metadata_get_no_data (cube, b)
                : column == ES_BAND_SCALE ? es_cube_get_scale (cube, b)
                : column == ES_BAND_OFFSET ? es_cube_get_offset (cube, b) : NAN;
  return values;
}

static EsMetadata *
read_name (EsCube *cube, EsMetadata *base, guint band, const char *text)
{
  const guint n = es_cube_get_bands (cube);
  EsMetadataFacts facts = { .bands = n };
  EsMetadata *told;

  facts.band_names = g_new0 (char *, n + 1);
  for (guint b = 0; b < n; b++)
    {
      const char *name = b == band ? text : es_cube_get_band_name (cube, b);

      facts.band_names[b] = g_strdup (name != NULL ? name : "");
    }
  told = es_metadata_merge (base, &facts);
  g_strfreev (facts.band_names);
  return told;
}

static EsMetadata *
read_good (EsCube *cube, EsMetadata *base, guint band, gboolean good)
{
  const guint n = es_cube_get_bands (cube);
  const gboolean *listed = es_cube_get_listed_bands (cube);
  g_autofree gboolean *all = g_new (gboolean, n);
  EsMetadataFacts facts = { .bands = n, .good = all };

  for (guint b = 0; b < n; b++)
    all[b] = b == band ? good : listed == NULL || listed[b];
  return es_metadata_merge (base, &facts);
}

EsMetadata *
es_metadata_band_read (EsCube *cube, EsMetadata *base, guint band, EsBandColumn column, const char *text,
                       GError **error)
{
  const guint n = es_cube_get_bands (cube);
  g_autofree double *values = NULL, *fwhm = NULL;
  EsMetadataFacts facts = { .bands = n };
  double value = NAN;

  if (column == ES_BAND_NAME)
    return read_name (cube, base, band, text);
  if (column == ES_BAND_GOOD)
    return read_good (cube, base, band, g_str_equal (text, "1"));
  if (!_es_metadata_read_number (text, &value) && !((column == ES_BAND_NO_DATA || column == ES_BAND_FWHM)
                                       && (*text == '\0' || _es_metadata_is_none (text))))
    {
      _es_metadata_refuse (error, _("A number was expected."));
      return NULL;
    }
  if (column == ES_BAND_WAVELENGTH && es_cube_get_said_wavelengths (cube) == NULL)
    {
      _es_metadata_refuse (error, _("Without wavelengths of the other bands one alone tells nothing: take all of them "
                                    "from a file."));
      return NULL;
    }
  values = take_all (cube, column);
  values[band] = value;
  if (column == ES_BAND_WAVELENGTH)
    {
      facts.wavelengths = values;
      /* Widths of the file stay those of the other bands. */
      facts.fwhm = fwhm = es_cube_get_said_fwhm (cube) != NULL ? take_all (cube, ES_BAND_FWHM) : NULL;
      facts.wavelength_unit = (char *) es_cube_get_wavelength_unit (cube, NULL);
    }
  else if (column == ES_BAND_FWHM)
    facts.fwhm = values;
  else if (column == ES_BAND_NO_DATA)
    facts.no_data = values;
  else if (column == ES_BAND_SCALE)
    facts.scale = values;
  else
    facts.offset = values;
  if (!es_metadata_check (&facts, n, error))
    return NULL;
  return es_metadata_merge (base, &facts);
}
