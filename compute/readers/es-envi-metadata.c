/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What an ENVI header says besides the samples: wavelengths, bad bands, values, georeference. */

#include "es-envi-metadata-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "georeference/es-georeference-internal.h"
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

/* ---- classes ---- */

/* A colour of three numbers from 0 to 255; TRUE where one of them was not, and was brought there. */
static gboolean
read_colour (const double *numbers, guint32 *colour)
{
  gboolean odd = FALSE;

  *colour = 0;
  for (guint c = 0; c < 3; c++)
    {
      const double part = isfinite (numbers[c]) ? CLAMP (numbers[c], 0, 255) : 0;

      odd = odd || part != numbers[c];
      *colour = *colour << 8 | (guint32) part;
    }
  return odd;
}

/* How many classes there are: what the header says, or else what it lists. */
static guint
count_classes (EsReaderInput *input, EsEnviHeader *header, guint n_names, guint n_colours)
{
  g_autoptr (GError) error = NULL;
  guint64 told = 0;

  if (!es_envi_header_get_count (header, "classes", 0, &told, &error))
    es_reader_note (input, "%s.", error->message);
  if (told > ES_CLASS_TABLE_MOST)
    {
      es_reader_note (input, _("The header gives %" PRIu64 " classes; %u at most are listed."), told,
                      ES_CLASS_TABLE_MOST);
      told = 0;
    }
  return MIN (told > 0 ? (guint) told : MAX (n_names, n_colours), ES_CLASS_TABLE_MOST);
}

void
es_envi_read_classes (EsReaderInput *input, EsEnviHeader *header, EsCubeInfo *info)
{
  guint n_names = 0, n_numbers = 0, n, odd = 0;
  gboolean broken = FALSE;
  g_auto (GStrv) names = es_envi_header_get_strings (header, "class names", &n_names);
  g_autofree double *numbers = es_envi_header_get_doubles (header, "class lookup", &n_numbers, &broken);

  if (info->bands != 1)
    {
      es_reader_note (input, _("A classification has one band; of %u its numbers are read as values."), info->bands);
      return;
    }
  if (broken)
    es_reader_note (input, _("The list “%s” holds something that is not a number and was ignored."), "class lookup");
  n = count_classes (input, header, n_names, numbers != NULL ? n_numbers / 3 : 0);
  info->classes = es_class_table_new ();
  for (guint i = 0; i < n; i++)
    {
      const gboolean has_colour = numbers != NULL && 3 * i + 2 < n_numbers;
      guint32 colour = 0;

      if (has_colour && read_colour (numbers + 3 * i, &colour))
        odd++;
      es_class_table_set (info->classes, i, names != NULL && i < n_names ? names[i] : NULL,
                          has_colour ? &colour : NULL);
    }
  if (n_names < n)
    es_reader_note (input, _("%u of %u classes have a name; the others are shown by their numbers."), n_names, n);
  else if (n_names > n)
    es_reader_note (input, _("The list “%s” has %u entries for %u classes; those beyond were left out."),
                    "class names", n_names, n);
  if (numbers != NULL && n_numbers < 3 * n)
    es_reader_note (input, _("%u of %u classes have a colour; the others were given one."), n_numbers / 3, n);
  if (odd > 0)
    es_reader_note (input, g_dngettext (GETTEXT_PACKAGE, "The colour of %u class is not within 0 to 255 and was cut.",
                                        "The colours of %u classes are not within 0 to 255 and were cut.", odd), odd);
}
