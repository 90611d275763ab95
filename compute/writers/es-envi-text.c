/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-envi-text-internal.h"

#include <math.h>
#include <string.h>

#include "base/es-text-internal.h"
#include "georeference/es-known-system-internal.h"
#include "libraries/es-gdal-internal.h"
#include "libraries/es-gdal-library-internal.h"

static const char *const header_extensions[] = { ".hdr", NULL };
static const char *const data_extensions[] = { ".img", ".dat", ".raw", ".bin", ".bsq", ".bil", ".bip", ".envi", NULL };

static gboolean
has_extension (const char *path, const char * const *extensions)
{
  for (; *extensions != NULL; extensions++)
    {
      gsize length = strlen (*extensions), whole = strlen (path);
      if (whole > length && path[whole - length - 1] != '/'
          && g_ascii_strcasecmp (path + whole - length, *extensions) == 0)
        return TRUE;
    }
  return FALSE;
}

void
es_envi_paths (const char *target, char **data, char **header, char **stem)
{
  gboolean is_header = has_extension (target, header_extensions);
  g_autofree char *bare = g_strdup (target);

  if (is_header || has_extension (target, data_extensions))
    *strrchr (bare, '.') = '\0';
  *data = is_header ? g_strconcat (bare, ".img", NULL) : g_strdup (target);
  *header = g_strconcat (bare, ".hdr", NULL);
  if (stem != NULL)
    *stem = g_steal_pointer (&bare);
}

/* Written in small letters or in large ones. */
char *
es_envi_other_data (const char *header, const char *data, const char *replaced)
{
  g_autofree char *stem = NULL;

  if (!has_extension (header, header_extensions))
    return NULL;
  stem = g_strndup (header, strlen (header) - strlen (header_extensions[0]));
  if (strcmp (stem, data) != 0 && g_strcmp0 (stem, replaced) != 0 && g_file_test (stem, G_FILE_TEST_IS_REGULAR))
    return g_steal_pointer (&stem);
  for (guint i = 0; data_extensions[i] != NULL; i++)
    {
      g_autofree char *large = g_ascii_strup (data_extensions[i], -1);
      const char *const forms[] = { data_extensions[i], large };

      for (guint k = 0; k < G_N_ELEMENTS (forms); k++)
        {
          g_autofree char *path = g_strconcat (stem, forms[k], NULL);
          if (strcmp (path, data) != 0 && g_strcmp0 (path, replaced) != 0 && g_file_test (path, G_FILE_TEST_IS_REGULAR))
            return g_steal_pointer (&path);
        }
    }
  return NULL;
}

void
es_envi_append_text (GString *header, const char *key, const char *text)
{
  g_autofree char *clean = g_strdelimit (g_strdup (text), "\r\n\t", ' ');

  g_strdelimit (g_strdelimit (clean, "{", '('), "}", ')');
  g_string_append_printf (header, "%s = {%s}\n", key, clean);
}

void
es_envi_append_names (GString *header, const char *key, const char * const *names, guint n)
{
  g_string_append_printf (header, "%s = {\n", key);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *clean = g_strdelimit (g_strdup (names[i] != NULL ? names[i] : ""), "\r\n\t", ' ');
      g_strdelimit (g_strdelimit (g_strdelimit (clean, ",", ';'), "{", '('), "}", ')');
      g_string_append_printf (header, " %s%s\n", clean, i + 1 < n ? "," : "}");
    }
}

/* ENVI's name of a datum that it knows, else the name as it is. */
static const char *
datum_name (OGRSpatialReferenceH system)
{
  static const struct { const char *wkt, *envi; } names[] = {
    { "WGS_1984", "WGS-84" },
    { "North_American_Datum_1983", "North America 1983" },
    { "North_American_Datum_1927", "North America 1927" },
    { "European_Terrestrial_Reference_System_1989", "ETRS-89" },
    { "European_Datum_1950", "European 1950" },
  };
  const char *datum = OSRGetAttrValue (system, "DATUM", 0);

  for (guint i = 0; datum != NULL && i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i].wkt, datum) == 0)
      return names[i].envi;
  return datum;
}

static void
describe_known (const EsKnownSystem *system, GString *name, GString *rest)
{
  g_string_assign (name, system->zone != 0 ? "UTM" : "Geographic Lat/Lon");
  if (system->zone != 0)
    g_string_append_printf (rest, ", %u, %s", system->zone, system->south ? "South" : "North");
  g_string_append_printf (rest, ", %s, units=%s", es_known_system_get_datum (system),
                          system->zone != 0 ? "Meters" : "Degrees");
}

/* The fields of map info that name the projection: one goes before the numbers, the rest behind them. */
static void
describe_system (OGRSpatialReferenceH system, GString *name, GString *rest)
{
  const char *datum = datum_name (system);
  const char *projection = OSRGetAttrValue (system, "PROJECTION", 0);
  int north = 1, zone = OSRGetUTMZone (system, &north);
  gboolean degrees = OSRIsGeographic (system);

  if (zone != 0)
    {
      g_string_assign (name, "UTM");
      g_string_append_printf (rest, ", %d, %s", ABS (zone), north ? "North" : "South");
    }
  else if (degrees)
    g_string_assign (name, "Geographic Lat/Lon");
  else if (projection != NULL)
    g_string_assign (name, projection);
  g_strdelimit (name->str, ",{}_", ' ');

  if (datum != NULL && strpbrk (datum, ",{}") == NULL)
    g_string_append_printf (rest, ", %s", datum);
  if (degrees)
    g_string_append (rest, ", units=Degrees");
  else
    {
      char *unit = NULL;
      double metres = OSRGetLinearUnits (system, &unit);
      if (fabs (metres - 1) < 1e-9)
        g_string_append (rest, ", units=Meters");
      else if (fabs (metres - 0.3048) < 1e-5)
        g_string_append (rest, ", units=Feet");
    }
}

/* The WKT that ENVI's headers take, and the fields of map info; NULL: nothing understands it. Transfer full. */
static char *
describe_projection (const char *projection, GString *name, GString *rest)
{
  /* ENVI takes the dialect of ESRI. */
  static const char *const options[] = { "FORMAT=WKT1_ESRI", NULL };
  OGRSpatialReferenceH system;
  EsKnownSystem known;
  char *wkt = NULL, *own;

  if (es_known_system_find (projection, &known))
    {
      describe_known (&known, name, rest);
      return es_known_system_to_esri (&known);
    }
  if (!es_library_load (&es_library_gdal, NULL, NULL))
    return NULL;
  es_gdal_begin ();
  system = OSRNewSpatialReference (NULL);
  if (es_gdal_read_system (system, projection))
    {
      describe_system (system, name, rest);
      OSRExportToWktEx (system, &wkt, options);
    }
  own = g_strdup (wkt);
  CPLFree (wkt);
  OSRDestroySpatialReference (system);
  g_free (es_gdal_end ());
  return own;
}

gboolean
es_envi_append_georeference (GString *header, const double *transform, const char *projection)
{
  double width = hypot (transform[1], transform[2]);
  double cosine = transform[1] / width, sine = -transform[2] / width;
  /* (gt4, gt5) = -height (sine, cosine); a negative height is an image with its first row in the south. */
  double height = -(transform[4] * sine + transform[5] * cosine);
  double shear = hypot (transform[4] + height * sine, transform[5] + height * cosine);

  if (!(width > 0) || !isfinite (width) || !isfinite (height) || height == 0 || shear > 1e-9 * fabs (height))
    return FALSE;

  g_autoptr (GString) name = g_string_new ("Unknown");
  g_autoptr (GString) rest = g_string_new (NULL);
  g_autofree char *wkt = NULL;

  if (projection != NULL && *projection != '\0')
    wkt = describe_projection (projection, name, rest);

  double rotation = -atan2 (sine, cosine) * 180 / G_PI;
  double numbers[4] = { transform[0], transform[3], width, height };
  g_string_append_printf (header, "map info = {%s, 1, 1", name->str);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_string_append (header, ", ");
      es_text_append_number (header, numbers[i]);
    }
  g_string_append (header, rest->str);
  if (rotation != 0)
    {
      g_string_append (header, ", rotation=");
      es_text_append_number (header, rotation);
    }
  g_string_append (header, "}\n");
  if (wkt != NULL && *wkt != '\0')
    g_string_append_printf (header, "coordinate system string = {%s}\n", wkt);
  return TRUE;
}
