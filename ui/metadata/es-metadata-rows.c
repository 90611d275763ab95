/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What can be told of a cube, as texts. */

#include "es-metadata-rows.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-metadata-numbers-private.h"
#include "selection/es-band-ranges.h"

/* Whether something is told, and taking it away. field: a pointer of the facts, or whether it is there. */
#define FACT(name, field) \
  static gboolean \
  told_##name (const EsMetadataFacts *facts) \
  { \
    return facts->field != 0; \
  } \
  static void \
  clear_##name (EsMetadataFacts *facts) \
  { \
    facts->field = 0; \
  }

FACT (no_data, no_data)
FACT (scale, scale)
FACT (offset, offset)
FACT (bad, good)
FACT (default_bands, has_default_bands)
FACT (unit, unit)
FACT (geotransform, geotransform)
FACT (system, system)

/* ---- one number for all bands ---- */

static char *
show_all (EsCube *cube, double (*get) (EsCube *, guint), const char *none)
{
  const guint n = es_cube_get_bands (cube);
  const double first = get (cube, 0);

  for (guint b = 1; b < n; b++)
    {
      const double value = get (cube, b);

      if (value != first && !(isnan (value) && isnan (first)))
        return g_strdup (_("by band"));
    }
  return isnan (first) ? g_strdup (none) : _es_metadata_show_number (first);
}

static char *
show_no_data (EsCube *cube)
{
  return show_all (cube, _es_metadata_get_no_data, _("none"));
}

static gboolean
read_no_data (EsCube *cube, const char *text, EsMetadataFacts *facts, gpointer *own, GError **error)
{
  double value = NAN;

  if (!_es_metadata_is_none (text) && !_es_metadata_read_number (text, &value))
    return _es_metadata_refuse (error, _("The no-data value has to be a number as it is stored, or “none”."));
  facts->no_data = *own = _es_metadata_repeat (value, es_cube_get_bands (cube));
  return TRUE;
}

static char *
show_scale (EsCube *cube)
{
  return show_all (cube, es_cube_get_scale, "1");
}

static gboolean
read_scale (EsCube *cube, const char *text, EsMetadataFacts *facts, gpointer *own, GError **error)
{
  double value;

  if (!_es_metadata_read_number (text, &value) || !isfinite (value) || value == 0)
    return _es_metadata_refuse (error, _("The scale has to be a number other than 0: stored numbers are multiplied by "
                                         "it."));
  facts->scale = *own = _es_metadata_repeat (value, es_cube_get_bands (cube));
  return TRUE;
}

static char *
show_offset (EsCube *cube)
{
  return show_all (cube, es_cube_get_offset, "0");
}

static gboolean
read_offset (EsCube *cube, const char *text, EsMetadataFacts *facts, gpointer *own, GError **error)
{
  double value;

  if (!_es_metadata_read_number (text, &value) || !isfinite (value))
    return _es_metadata_refuse (error, _("The offset has to be a number, which is added to what the scale makes."));
  facts->offset = *own = _es_metadata_repeat (value, es_cube_get_bands (cube));
  return TRUE;
}

/* ---- bands ---- */

static char *
show_bad (EsCube *cube)
{
  const guint n = es_cube_get_bands (cube);
  const gboolean *good = es_cube_get_listed_bands (cube);
  g_autofree gboolean *bad = g_new0 (gboolean, n);
  g_autofree char *list = NULL;

  for (guint b = 0; good != NULL && b < n; b++)
    bad[b] = !good[b];
  list = es_band_ranges_format (bad, n);
  return *list != '\0' ? g_steal_pointer (&list) : g_strdup (_("none"));
}

static gboolean
read_bad (EsCube *cube, const char *text, EsMetadataFacts *facts, gpointer *own, GError **error)
{
  const guint n = es_cube_get_bands (cube);
  g_autofree gboolean *all = g_new (gboolean, n), *bad = g_new0 (gboolean, n);

  for (guint b = 0; b < n; b++)
    all[b] = TRUE;
  if (!_es_metadata_is_none (text) && !es_band_ranges_parse (text, es_cube_get_wavelengths (cube), all, n, bad, error))
    return FALSE;
  for (guint b = 0; b < n; b++)
    all[b] = !bad[b];
  facts->good = *own = g_steal_pointer (&all);
  return TRUE;
}

static char *
show_default_bands (EsCube *cube)
{
  int bands[3];

  return es_cube_get_default_bands (cube, bands)
         ? g_strdup_printf ("%d, %d, %d", bands[0] + 1, bands[1] + 1, bands[2] + 1) : g_strdup (_("none"));
}

/* Numbers with commas or blanks between; how many there were. */
static guint
read_list (const char *text, double *values, guint most)
{
  g_auto (GStrv) parts = g_strsplit_set (text, ", ;", -1);
  guint n = 0;

  for (char **part = parts; *part != NULL; part++)
    {
      if (**part == '\0')
        continue;
      if (n == most || !_es_metadata_read_number (*part, &values[n]))
        return 0;
      n++;
    }
  return n;
}

static gboolean
read_default_bands (EsCube *cube, const char *text, EsMetadataFacts *facts, gpointer *own, GError **error)
{
  const guint n = es_cube_get_bands (cube);
  double numbers[3];

  if (read_list (text, numbers, 3) != 3)
    return _es_metadata_refuse (error, _("Three numbers of bands were expected: of red, green and blue."));
  for (guint i = 0; i < 3; i++)
    {
      if (!(numbers[i] >= 1 && numbers[i] <= n) || numbers[i] != floor (numbers[i]))
        {
          g_autofree char *sentence = g_strdup_printf (_("%g is none of the %u bands of the cube."), numbers[i], n);

          return _es_metadata_refuse (error, sentence);
        }
      facts->default_bands[i] = (int) numbers[i] - 1;
    }
  facts->has_default_bands = TRUE;
  return TRUE;
}

/* ---- values ---- */

static char *
show_unit (EsCube *cube)
{
  const char *unit = es_cube_get_unit (cube);

  return g_strdup (unit != NULL ? unit : _("none"));
}

static gboolean
read_unit (EsCube *cube, const char *text, EsMetadataFacts *facts, gpointer *own, GError **error)
{
  char *unit = _es_metadata_is_none (text) ? g_strdup ("") : g_strstrip (g_strdup (text));

  if (g_utf8_strlen (unit, -1) > 100)
    {
      g_free (unit);
      return _es_metadata_refuse (error, _("A unit has at most 100 characters."));
    }
  facts->unit = *own = unit;
  return TRUE;
}

/* ---- coordinates ---- */

static char *
show_geotransform (EsCube *cube)
{
  const double *t = es_cube_get_geotransform (cube);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; t != NULL && i < 6; i++)
    {
      g_autofree char *number = _es_metadata_show_number (t[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", number);
    }
  return t != NULL ? g_string_free (g_steal_pointer (&text), FALSE) : g_strdup (_("none"));
}

static gboolean
read_geotransform (EsCube *cube, const char *text, EsMetadataFacts *facts, gpointer *own, GError **error)
{
  double values[6];

  if (read_list (text, values, 6) != 6)
    return _es_metadata_refuse (error, _("Six numbers were expected: x, width and turn of a pixel, y, turn and height, "
                                         "as GDAL has them."));
  facts->geotransform = *own = g_memdup2 (values, sizeof values);
  return TRUE;
}

/* The code that WKT ends with: AUTHORITY["EPSG","32633"]]. */
static char *
show_system (EsCube *cube)
{
  const char *wkt = es_cube_get_projection (cube);
  const char *code = wkt != NULL ? g_strrstr (wkt, "AUTHORITY[\"EPSG\",\"") : NULL;

  if (wkt == NULL)
    return g_strdup (_("none"));
  if (code != NULL)
    {
      const char *number = code + strlen ("AUTHORITY[\"EPSG\",\"");
      const gsize length = strspn (number, "0123456789");

      if (strcmp (number + length, "\"]]") == 0)
        return g_strdup_printf ("EPSG:%.*s", (int) length, number);
    }
  return g_strdup (wkt);
}

static gboolean
read_system (EsCube *cube, const char *text, EsMetadataFacts *facts, gpointer *own, GError **error)
{
  g_autofree char *system = g_strstrip (g_strdup (text));
  guint64 code;

  /* "32633" alone is a code, too. */
  if (_es_metadata_is_none (system))
    facts->system = *own = g_strdup ("");
  else if (g_ascii_string_to_unsigned (system, 10, 1, G_MAXINT, &code, NULL))
    facts->system = *own = g_strdup_printf ("EPSG:%s", system);
  else if (g_ascii_strncasecmp (system, "EPSG:", 5) == 0)
    facts->system = *own = g_strconcat ("EPSG:", g_strstrip (system + 5), NULL);
  else
    facts->system = *own = g_steal_pointer (&system);
  return TRUE;
}

static const EsMetadataRow rows[] = {
  { "bad", N_("Bad bands"), N_("Numbers as 1-3,131, wavelengths as 1340-1460 nm, or none"), NULL, show_bad, read_bad,
    told_bad, clear_bad },
  { "default-bands", N_("Bands shown as red, green and blue"), N_("Three numbers of bands"), NULL, show_default_bands,
    read_default_bands, told_default_bands, clear_default_bands },
  { "no-data", N_("No-data value"), N_("The stored number that means that there is none, or none"), NULL, show_no_data,
    read_no_data, told_no_data, clear_no_data },
  { "scale", N_("Scale"), N_("Stored numbers are multiplied by it"), "1", show_scale, read_scale, told_scale,
    clear_scale },
  { "offset", N_("Offset of the values"), N_("It is added to that"), "0", show_offset, read_offset, told_offset,
    clear_offset },
  { "unit", N_("Unit of the values"), N_("“reflectance”, “W/m²/sr/µm” …, or none"), NULL, show_unit, read_unit,
    told_unit, clear_unit },
  { "geotransform", N_("Geotransform"), N_("Six numbers: x, width and turn of a pixel, y, turn and height"), NULL,
    show_geotransform, read_geotransform, told_geotransform, clear_geotransform },
  { "system", N_("Coordinate system"), N_("A code such as EPSG:32633, WKT, or none"), NULL, show_system, read_system,
    told_system, clear_system },
};

const EsMetadataRow *
es_metadata_rows (guint *n)
{
  *n = G_N_ELEMENTS (rows);
  return rows;
}

/* ---- what wavelengths are counted in ---- */

const char *const es_metadata_unit_titles[] = { "nm", "µm", "cm⁻¹", NULL };

guint
es_metadata_find_unit (const char *unit)
{
  static const char *const spellings[][5] = {
    { "nm", "nano", NULL }, { "um", "µm", "μm", "micro", NULL }, { "cm-1", "cm^-1", "1/cm", "wavenumber", NULL },
  };

  for (guint i = 0; unit != NULL && i < G_N_ELEMENTS (spellings); i++)
    for (guint k = 0; spellings[i][k] != NULL; k++)
      if (g_ascii_strncasecmp (unit, spellings[i][k], strlen (spellings[i][k])) == 0)
        return i;
  return G_MAXUINT;
}

const char *
es_metadata_show_unit (EsCube *cube)
{
  const char *unit = es_cube_get_wavelength_unit (cube, NULL);
  const guint i = es_metadata_find_unit (unit);

  return i != G_MAXUINT ? es_metadata_unit_titles[i] : unit;
}

