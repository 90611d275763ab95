/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What is told, as people read it. */

#include "es-metadata.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static void
add (GString *text, const char *part)
{
  if (text->len > 0)
    g_string_append (text, ", ");
  g_string_append (text, part);
}

/* "no-data 0", or the name alone where it differs from band to band. */
static void
add_numbers (GString *text, const char *name, const char *none, const double *values, guint n)
{
  gboolean same = n > 0;
  g_autofree char *part = NULL;

  if (values == NULL)
    return;
  for (guint i = 1; i < n; i++)
    same = same && (values[i] == values[0] || (isnan (values[i]) && isnan (values[0])));
  if (same && isnan (values[0]) && none == NULL)
    return;
  part = !same ? g_strdup (name) : isnan (values[0]) ? g_strdup (none)
         : g_strdup_printf ("%s %.10g", name, values[0]);
  add (text, part);
}

static void
add_bad (GString *text, const EsMetadataFacts *facts)
{
  guint bad = 0;
  g_autofree char *part = NULL;

  if (facts->good == NULL)
    return;
  for (guint b = 0; b < facts->bands; b++)
    bad += !facts->good[b];
  part = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u bad band", "%u bad bands", bad), bad);
  add (text, part);
}

char *
es_metadata_describe (EsMetadata *self)
{
  const EsMetadataFacts *facts = es_metadata_get_facts (self);
  GString *text = g_string_new (NULL);

  if (facts->wavelengths != NULL)
    add (text, _("wavelengths"));
  else if (facts->wavelength_unit != NULL)
    {
      /* Translators: the unit that wavelengths are counted in, "wavelengths in um" */
      g_autofree char *part = g_strdup_printf (_("wavelengths in %s"), facts->wavelength_unit);

      add (text, part);
    }
  if (facts->fwhm != NULL)
    add (text, _("band widths"));
  if (facts->band_names != NULL)
    add (text, _("band names"));
  add_bad (text, facts);
  add_numbers (text, _("no-data"), _("no no-data value"), facts->no_data, facts->bands);
  add_numbers (text, _("scale"), NULL, facts->scale, facts->bands);
  add_numbers (text, _("offset"), NULL, facts->offset, facts->bands);
  if (facts->unit != NULL)
    {
      /* Translators: the unit of a cube's values, "unit reflectance" */
      g_autofree char *part = *facts->unit != '\0' ? g_strdup_printf (_("unit %s"), facts->unit)
                                                   : g_strdup (_("no unit"));

      add (text, part);
    }
  if (facts->geotransform != NULL)
    add (text, _("map coordinates"));
  if (facts->system != NULL)
    add (text, *facts->system == '\0' ? _("no coordinate system")
               : g_str_has_prefix (facts->system, "EPSG:") ? facts->system : _("coordinate system"));
  if (facts->has_default_bands)
    add (text, _("default bands"));
  return g_string_free (text, FALSE);
}
