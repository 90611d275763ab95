/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What can be told of a cube, as texts. */

#include "es-metadata-rows.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "selection/es-band-ranges.h"

void
es_metadata_show_text (GtkWidget *entry, const char *text)
{
  g_object_set_data_full (G_OBJECT (entry), "es-shown", g_strdup (text), g_free);
  if (strcmp (text, gtk_editable_get_text (GTK_EDITABLE (entry))) != 0)
    gtk_editable_set_text (GTK_EDITABLE (entry), text);
}

/* The entry that a widget is, or is part of, in which something has been written; *shown: what it showed. NULL: there
 * is none. */
static GtkWidget *
find_written (GtkWidget *entry, const char **shown)
{
  for (GtkWidget *at = entry; at != NULL; at = gtk_widget_get_parent (at))
    {
      *shown = g_object_get_data (G_OBJECT (at), "es-shown");
      if (*shown != NULL)
        return strcmp (*shown, gtk_editable_get_text (GTK_EDITABLE (at))) != 0 ? at : NULL;
    }
  return NULL;
}

gboolean
es_metadata_is_written (GtkWidget *entry)
{
  const char *shown;

  return find_written (entry, &shown) != NULL;
}

gboolean
es_metadata_drop_written (GtkWidget *entry)
{
  const char *shown;
  GtkWidget *written = find_written (entry, &shown);

  if (written != NULL)
    gtk_editable_set_text (GTK_EDITABLE (written), shown);
  return written != NULL;
}

static gboolean
refuse (GError **error, const char *sentence)
{
  g_set_error_literal (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, sentence);
  return FALSE;
}

/* As short as says it all. */
static char *
show_number (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (isnan (value))
    return g_strdup ("");
  for (int digits = 6; digits < 17; digits++)
    {
      g_snprintf (text, sizeof text, "%.*g", digits, value);
      if (g_ascii_strtod (text, NULL) == value)
        return g_strdup (text);
    }
  return g_strdup (g_ascii_dtostr (text, sizeof text, value));
}

static gboolean
read_number (const char *text, double *value)
{
  g_autofree char *own = g_strdup (text);
  char *end;

  g_strstrip (own);
  *value = g_ascii_strtod (own, &end);
  return end != own && *end == '\0';
}

static gboolean
is_none (const char *text)
{
  g_autofree char *own = g_utf8_casefold (text, -1), *none = g_utf8_casefold (_("none"), -1);

  g_strstrip (own);
  return strcmp (own, "none") == 0 || strcmp (own, none) == 0;
}

/* ---- one number for all bands ---- */

static double
no_data_of (EsCube *cube, guint band)
{
  double value;

  return es_cube_get_no_data (cube, band, &value) ? value : NAN;
}

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
  return isnan (first) ? g_strdup (none) : show_number (first);
}

static double *
repeat (double value, guint n)
{
  double *values = g_new (double, n);

  for (guint b = 0; b < n; b++)
    values[b] = value;
  return values;
}

static char *
show_no_data (EsCube *cube)
{
  return show_all (cube, no_data_of, _("none"));
}

static gboolean
read_no_data (EsCube *cube, const char *text, EsMetadataFacts *facts, gpointer *own, GError **error)
{
  double value = NAN;

  if (!is_none (text) && !read_number (text, &value))
    return refuse (error, _("The no-data value has to be a number as it is stored, or “none”."));
  facts->no_data = *own = repeat (value, es_cube_get_bands (cube));
  return TRUE;
}

static gboolean
told_no_data (const EsMetadataFacts *facts)
{
  return facts->no_data != NULL;
}

static void
clear_no_data (EsMetadataFacts *facts)
{
  facts->no_data = NULL;
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

  if (!read_number (text, &value) || !isfinite (value) || value == 0)
    return refuse (error, _("The scale has to be a number other than 0: stored numbers are multiplied by it."));
  facts->scale = *own = repeat (value, es_cube_get_bands (cube));
  return TRUE;
}

static gboolean
told_scale (const EsMetadataFacts *facts)
{
  return facts->scale != NULL;
}

static void
clear_scale (EsMetadataFacts *facts)
{
  facts->scale = NULL;
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

  if (!read_number (text, &value) || !isfinite (value))
    return refuse (error, _("The offset has to be a number, which is added to what the scale makes."));
  facts->offset = *own = repeat (value, es_cube_get_bands (cube));
  return TRUE;
}

static gboolean
told_offset (const EsMetadataFacts *facts)
{
  return facts->offset != NULL;
}

static void
clear_offset (EsMetadataFacts *facts)
{
  facts->offset = NULL;
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
  if (!is_none (text) && !es_band_ranges_parse (text, es_cube_get_wavelengths (cube), all, n, bad, error))
    return FALSE;
  for (guint b = 0; b < n; b++)
    all[b] = !bad[b];
  facts->good = *own = g_steal_pointer (&all);
  return TRUE;
}

static gboolean
told_bad (const EsMetadataFacts *facts)
{
  return facts->good != NULL;
}

static void
clear_bad (EsMetadataFacts *facts)
{
  facts->good = NULL;
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
      if (n == most || !read_number (*part, &values[n]))
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
    return refuse (error, _("Three numbers of bands were expected: of red, green and blue."));
  for (guint i = 0; i < 3; i++)
    {
      if (!(numbers[i] >= 1 && numbers[i] <= n) || numbers[i] != floor (numbers[i]))
        {
          g_autofree char *sentence = g_strdup_printf (_("%g is none of the %u bands of the cube."), numbers[i], n);

          return refuse (error, sentence);
        }
      facts->default_bands[i] = (int) numbers[i] - 1;
    }
  facts->has_default_bands = TRUE;
  return TRUE;
}

static gboolean
told_default_bands (const EsMetadataFacts *facts)
{
  return facts->has_default_bands;
}

static void
clear_default_bands (EsMetadataFacts *facts)
{
  facts->has_default_bands = FALSE;
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
  char *unit = is_none (text) ? g_strdup ("") : g_strstrip (g_strdup (text));

  if (g_utf8_strlen (unit, -1) > 100)
    {
      g_free (unit);
      return refuse (error, _("A unit has at most 100 characters."));
    }
  facts->unit = *own = unit;
  return TRUE;
}

static gboolean
told_unit (const EsMetadataFacts *facts)
{
  return facts->unit != NULL;
}

static void
clear_unit (EsMetadataFacts *facts)
{
  facts->unit = NULL;
}

/* ---- coordinates ---- */

static char *
show_geotransform (EsCube *cube)
{
  const double *t = es_cube_get_geotransform (cube);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; t != NULL && i < 6; i++)
    {
      g_autofree char *number = show_number (t[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", number);
    }
  return t != NULL ? g_string_free (g_steal_pointer (&text), FALSE) : g_strdup (_("none"));
}

static gboolean
read_geotransform (EsCube *cube, const char *text, EsMetadataFacts *facts, gpointer *own, GError **error)
{
  double values[6];

  if (read_list (text, values, 6) != 6)
    return refuse (error, _("Six numbers were expected: x, width and turn of a pixel, y, turn and height, as GDAL has "
                            "them."));
  facts->geotransform = *own = g_memdup2 (values, sizeof values);
  return TRUE;
}

static gboolean
told_geotransform (const EsMetadataFacts *facts)
{
  return facts->geotransform != NULL;
}

static void
clear_geotransform (EsMetadataFacts *facts)
{
  facts->geotransform = NULL;
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
  if (is_none (system))
    facts->system = *own = g_strdup ("");
  else if (g_ascii_string_to_unsigned (system, 10, 1, G_MAXINT, &code, NULL))
    facts->system = *own = g_strdup_printf ("EPSG:%s", system);
  else if (g_ascii_strncasecmp (system, "EPSG:", 5) == 0)
    facts->system = *own = g_strconcat ("EPSG:", g_strstrip (system + 5), NULL);
  else
    facts->system = *own = g_steal_pointer (&system);
  return TRUE;
}

static gboolean
told_system (const EsMetadataFacts *facts)
{
  return facts->system != NULL;
}

static void
clear_system (EsMetadataFacts *facts)
{
  facts->system = NULL;
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

/* ---- one band ---- */

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
      return wavelengths != NULL ? show_number (wavelengths[band]) : g_strdup ("");
    case ES_BAND_FWHM:
      return fwhm != NULL ? show_number (fwhm[band]) : g_strdup ("");
    case ES_BAND_GOOD:
      return g_strdup (good[band] ? "1" : "0");
    case ES_BAND_NO_DATA:
      return show_number (no_data_of (cube, band));
    case ES_BAND_SCALE:
      return show_number (es_cube_get_scale (cube, band));
    default:
      return show_number (es_cube_get_offset (cube, band));
    }
}

/* All bands as they are, to be told but for one. */
static double *
take_all (EsCube *cube, EsBandColumn column)
{
  const guint n = es_cube_get_bands (cube);
  const double *list = column == ES_BAND_WAVELENGTH ? es_cube_get_said_wavelengths (cube)
                       : column == ES_BAND_FWHM ? es_cube_get_said_fwhm (cube) : NULL;
  double *values = repeat (NAN, n);

  for (guint b = 0; b < n; b++)
    values[b] = list != NULL ? list[b] : column == ES_BAND_NO_DATA ? no_data_of (cube, b)
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
  if (!read_number (text, &value) && !((column == ES_BAND_NO_DATA || column == ES_BAND_FWHM)
                                       && (*text == '\0' || is_none (text))))
    {
      refuse (error, _("A number was expected."));
      return NULL;
    }
  if (column == ES_BAND_WAVELENGTH && es_cube_get_said_wavelengths (cube) == NULL)
    {
      refuse (error, _("Without wavelengths of the other bands one alone tells nothing: take all of them from a "
                       "file."));
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
