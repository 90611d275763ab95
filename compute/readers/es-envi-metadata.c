/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What an ENVI header says besides the samples: wavelengths, bad bands, values, georeference. */

#include "es-envi-metadata-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "cube/es-georeference-internal.h"
#include "cube/es-wavelength-internal.h"

/* A numeric list of the header, or NULL with a note where it is broken or of the wrong length. */
static double *
take_doubles (EsReaderInput *input, EsEnviHeader *header, const char *field, guint bands)
{
  gboolean broken;
  guint n;
  double *values = es_envi_header_get_doubles (header, field, &n, &broken);

  if (broken)
    es_reader_note (input, _("The list “%s” holds something that is not a number and was ignored."), field);
  return es_reader_take_list (input, values, n, bands, field);
}

static double *
wavelengths_of_names (char **names, guint bands)
{
  g_autofree double *values = NULL;

  if (names == NULL)
    return NULL;
  values = g_new (double, bands);
  for (guint b = 0; b < bands; b++)
    if (!es_wavelength_from_name (names[b], &values[b]))
      return NULL;
  return g_steal_pointer (&values);
}

static void
read_spectral (EsReaderInput *input, EsEnviHeader *header, EsCubeInfo *info)
{
  guint n;
  gboolean broken;
  double *flags;

  info->band_names = es_envi_header_get_strings (header, "band names", &n);
  if (info->band_names != NULL && n != info->bands)
    {
      es_reader_note (input, _("The list “%s” has %u entries for %u bands and was ignored."), "band names", n,
                      info->bands);
      g_clear_pointer (&info->band_names, g_strfreev);
    }

  info->wavelengths = take_doubles (input, header, "wavelength", info->bands);
  info->fwhm = take_doubles (input, header, "fwhm", info->bands);
  info->wavelength_unit = g_strdup (es_envi_header_get (header, "wavelength units"));
  if (info->wavelengths == NULL)
    {
      info->wavelengths = wavelengths_of_names (info->band_names, info->bands);
      if (info->wavelengths != NULL)
        {
          g_free (info->wavelength_unit);
          info->wavelength_unit = g_strdup ("nm");
        }
    }

  flags = es_envi_header_get_doubles (header, "bbl", &n, &broken);
  if (broken)
    es_reader_note (input, _("The list “%s” holds something that is not a number and was ignored."), "bbl");
  info->good_bands = es_reader_take_flags (input, flags, n, info->bands, "bbl");

  g_autofree double *defaults = es_envi_header_get_doubles (header, "default bands", &n, &broken);
  for (guint i = 0; i < 3; i++)
    if (defaults != NULL && i < n && defaults[i] >= 1 && defaults[i] <= info->bands)
      info->default_bands[i] = (int) defaults[i] - 1;
}

/* "reflectance [!7*!3 10000]": without IDL's font commands. */
static char *
plain_title (const char *title)
{
  GString *plain = g_string_new (NULL);

  for (const char *p = title; *p != '\0'; p++)
    if (*p == '!' && p[1] != '\0')
      p++;
    else
      g_string_append_c (plain, *p);
  return g_strstrip (g_string_free (plain, FALSE));
}

static void
read_values (EsReaderInput *input, EsEnviHeader *header, EsCubeInfo *info)
{
  guint n;
  gboolean broken;
  g_autofree double *no_data = es_envi_header_get_doubles (header, "data ignore value", &n, &broken);
  g_autofree double *factor = NULL;
  g_auto (GStrv) titles = NULL;

  if (broken || n > 1)
    es_reader_note (input, _("The field “%s” is not one number and was ignored."), "data ignore value");
  else if (no_data != NULL && isfinite (no_data[0]))
    info->no_data = es_reader_repeat (no_data[0], info->bands);

  info->scale = take_doubles (input, header, "data gain values", info->bands);
  info->offset = take_doubles (input, header, "data offset values", info->bands);
  factor = es_envi_header_get_doubles (header, "reflectance scale factor", &n, &broken);
  /* What the stored values are to be divided by; the gains, where given, already say it. */
  if (info->scale == NULL && factor != NULL && n == 1 && isfinite (factor[0]) && factor[0] > 0.0)
    info->scale = es_reader_repeat (1.0 / factor[0], info->bands);

  titles = es_envi_header_get_strings (header, "z plot titles", &n);
  if (n >= 2 && *titles[1] != '\0' && g_ascii_strcasecmp (titles[1], "value") != 0)
    info->unit = plain_title (titles[1]);
  else
    info->unit = g_strdup (es_envi_header_get (header, "data units"));
}

static void
read_map (EsReaderInput *input, EsEnviHeader *header, EsCubeInfo *info)
{
  const char *system = es_envi_header_get (header, "coordinate system string");
  g_autofree char *projection = NULL;
  double transform[6];
  guint n;
  g_auto (GStrv) parts = es_envi_header_get_strings (header, "map info", &n);

  if (parts == NULL)
    return;
  if (!es_map_info_parse (parts, n, transform, &projection))
    {
      if (g_ascii_strncasecmp (parts[0], "arbitrary", 9) != 0)
        es_reader_note (input, _("The field “%s” cannot be understood and was ignored."), "map info");
      return;
    }
  info->geotransform = g_memdup2 (transform, sizeof transform);
  info->projection = system != NULL ? g_strdup (system) : g_steal_pointer (&projection);
  if (info->projection == NULL)
    es_reader_note (input, _("The map projection “%s” is not known; map coordinates have no longitude and "
                             "latitude."), parts[0]);
}

void
es_envi_read_metadata (EsReaderInput *input, EsEnviHeader *header, EsCubeInfo *info)
{
  read_spectral (input, header, info);
  read_values (input, header, info);
  read_map (input, header, info);
}
