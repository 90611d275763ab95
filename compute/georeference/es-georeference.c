/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-georeference-internal.h"

#include <math.h>
#include <string.h>

#include "libraries/es-gdal-internal.h"
#include "libraries/es-gdal-library-internal.h"

/* Metres in which the scale of a map is looked for, and how far from 1 it may be and still be told as it is. */
#define LOCAL       1000.0
#define TRUE_WITHIN 0.01

struct _EsGeoreference
{
  GMutex                       mutex;
  char                        *projection;
  gboolean                     looked_up;
  OGRSpatialReferenceH         system;
  OGRCoordinateTransformationH to_geographic;
};

typedef struct
{
  const char *names;           /* as map info spells it, folded, separated by '|' */
  const char *wkt;             /* GEOGCS */
} Datum;

static const Datum datums[] = {
  { "wgs-84|wgs84|wgs 84|wgs_1984|wgs-1984|wgs 1984",
    "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\","
    "SPHEROID[\"WGS 84\",6378137,298.257223563,AUTHORITY[\"EPSG\",\"7030\"]],"
    "AUTHORITY[\"EPSG\",\"6326\"]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433],"
    "AUTHORITY[\"EPSG\",\"4326\"]]" },
  { "north america 1983|nad83|nad-83|nad 83|north american 1983",
    "GEOGCS[\"NAD83\",DATUM[\"North_American_Datum_1983\","
    "SPHEROID[\"GRS 1980\",6378137,298.257222101,AUTHORITY[\"EPSG\",\"7019\"]],"
    "AUTHORITY[\"EPSG\",\"6269\"]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433],"
    "AUTHORITY[\"EPSG\",\"4269\"]]" },
  { "north america 1927|nad27|nad-27|nad 27|north american 1927",
    "GEOGCS[\"NAD27\",DATUM[\"North_American_Datum_1927\","
    "SPHEROID[\"Clarke 1866\",6378206.4,294.978698213898,AUTHORITY[\"EPSG\",\"7008\"]],"
    "AUTHORITY[\"EPSG\",\"6267\"]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433],"
    "AUTHORITY[\"EPSG\",\"4267\"]]" },
  { "european 1989|etrs89|etrs-89|etrs 89|etrs_1989|european terrestrial reference system 1989",
    "GEOGCS[\"ETRS89\",DATUM[\"European_Terrestrial_Reference_System_1989\","
    "SPHEROID[\"GRS 1980\",6378137,298.257222101,AUTHORITY[\"EPSG\",\"7019\"]],"
    "AUTHORITY[\"EPSG\",\"6258\"]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433],"
    "AUTHORITY[\"EPSG\",\"4258\"]]" },
};

static const char *
find_datum (const char *text)
{
  g_autofree char *name = g_utf8_strdown (text, -1);

  for (guint i = 0; i < G_N_ELEMENTS (datums); i++)
    {
      g_auto (GStrv) names = g_strsplit (datums[i].names, "|", -1);

      if (g_strv_contains ((const char * const *) names, name))
        return datums[i].wkt;
    }
  return NULL;
}

static char *
utm_projection (const char *geographic, int zone, gboolean south)
{
  return g_strdup_printf ("PROJCS[\"UTM zone %d%c\",%s,PROJECTION[\"Transverse_Mercator\"],"
                          "PARAMETER[\"latitude_of_origin\",0],PARAMETER[\"central_meridian\",%d],"
                          "PARAMETER[\"scale_factor\",0.9996],PARAMETER[\"false_easting\",500000],"
                          "PARAMETER[\"false_northing\",%d],UNIT[\"metre\",1],AXIS[\"Easting\",EAST],"
                          "AXIS[\"Northing\",NORTH]]",
                          zone, south ? 'S' : 'N', geographic, zone * 6 - 183, south ? 10000000 : 0);
}

/* The value behind "rotation=" or "units=", or NULL. */
static const char *
find_keyword (char **parts, guint n, const char *keyword)
{
  gsize length = strlen (keyword);

  for (guint i = 0; i < n; i++)
    if (g_ascii_strncasecmp (parts[i], keyword, length) == 0)
      {
        const char *p = parts[i] + length;

        while (*p == ' ')
          p++;
        if (*p == '=')
          return p + 1 + strspn (p + 1, " ");
      }
  return NULL;
}

gboolean
es_map_info_parse (char **parts, guint n, double transform[6], char **projection)
{
  const char *rotation, *units, *geographic = NULL;
  double values[6], angle = 0;      /* reference column and row, easting, northing, pixel width and height */
  gboolean degrees;

  *projection = NULL;
  if (n < 7 || g_ascii_strncasecmp (parts[0], "arbitrary", 9) == 0)
    return FALSE;
  for (guint i = 0; i < 6; i++)
    {
      char *end;

      values[i] = g_ascii_strtod (parts[i + 1], &end);
      if (end == parts[i + 1] || *end != '\0' || !isfinite (values[i]))
        return FALSE;
    }
  if (values[4] == 0.0 || values[5] == 0.0)
    return FALSE;

  rotation = find_keyword (parts, n, "rotation");
  if (rotation != NULL)
    angle = -g_ascii_strtod (rotation, NULL) * G_PI / 180.0;
  /* Adding zero makes -0 a plain 0, which is what a person expects to read. */
  transform[1] = cos (angle) * values[4] + 0.0;
  transform[2] = -sin (angle) * values[4] + 0.0;
  transform[4] = -sin (angle) * values[5] + 0.0;
  transform[5] = -cos (angle) * values[5] + 0.0;
  /* The tie point counts from 1 at the outer corner of the upper left pixel. */
  transform[0] = values[2] - transform[1] * (values[0] - 1) - transform[2] * (values[1] - 1);
  transform[3] = values[3] - transform[4] * (values[0] - 1) - transform[5] * (values[1] - 1);
  for (guint i = 0; i < 6; i++)
    if (!isfinite (transform[i]))
      return FALSE;

  for (guint i = 7; i < n && geographic == NULL; i++)
    geographic = find_datum (parts[i]);
  units = find_keyword (parts, n, "units");
  degrees = units == NULL || g_ascii_strncasecmp (units, "deg", 3) == 0;
  if (g_ascii_strcasecmp (parts[0], "UTM") == 0 && n >= 9 && geographic != NULL)
    {
      int zone = atoi (parts[7]);

      if (zone >= 1 && zone <= 60)
        *projection = utm_projection (geographic, zone, g_ascii_strncasecmp (parts[8], "south", 5) == 0);
    }
  else if (g_ascii_strncasecmp (parts[0], "Geographic", 10) == 0 && geographic != NULL && degrees)
    *projection = g_strdup (geographic);
  return TRUE;
}

EsGeoreference *
es_georeference_new (const char *projection)
{
  EsGeoreference *self = g_new0 (EsGeoreference, 1);

  g_mutex_init (&self->mutex);
  self->projection = g_strdup (projection);
  return self;
}

void
es_georeference_free (EsGeoreference *self)
{
  if (self->to_geographic != NULL)
    OCTDestroyCoordinateTransformation (self->to_geographic);
  if (self->system != NULL)
    OSRRelease (self->system);
  g_mutex_clear (&self->mutex);
  g_free (self->projection);
  g_free (self);
}

/* Called with the lock held, messages caught. */
static void
look_up (EsGeoreference *self)
{
  OGRSpatialReferenceH wgs84;

  if (self->looked_up)
    return;
  self->looked_up = TRUE;
  if (!es_library_load (&es_library_gdal, NULL, NULL))
    return;

  self->system = OSRNewSpatialReference (NULL);
  if (!es_gdal_read_system (self->system, self->projection))
    {
      OSRRelease (g_steal_pointer (&self->system));
      return;
    }
  OSRSetAxisMappingStrategy (self->system, OAMS_TRADITIONAL_GIS_ORDER);

  wgs84 = OSRNewSpatialReference (NULL);
  OSRSetWellKnownGeogCS (wgs84, "WGS84");
  OSRSetAxisMappingStrategy (wgs84, OAMS_TRADITIONAL_GIS_ORDER);
  self->to_geographic = OCTNewCoordinateTransformation (self->system, wgs84);
  OSRRelease (wgs84);
}

char *
es_georeference_find_system (const char *text)
{
  g_autofree char *message = NULL;
  OGRSpatialReferenceH system;
  char *wkt = NULL, *own = NULL;

  if (!es_gdal_prepare (NULL, NULL))
    return NULL;
  es_gdal_begin ();
  system = OSRNewSpatialReference (NULL);
  if (es_gdal_read_system (system, text) && OSRExportToWkt (system, &wkt) == OGRERR_NONE)
    own = g_strdup (wkt);
  CPLFree (wkt);
  OSRRelease (system);
  message = es_gdal_end ();
  return own != NULL && *own != '\0' ? own : (g_free (own), NULL);
}

gboolean
es_georeference_to_geographic (EsGeoreference *self, double easting, double northing, double *latitude,
                               double *longitude)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  g_autofree char *message = NULL;
  double x = easting, y = northing;
  int ok = FALSE;

  es_gdal_begin ();
  look_up (self);
  if (self->to_geographic != NULL)
    ok = OCTTransform (self->to_geographic, 1, &x, &y, NULL);
  message = es_gdal_end ();

  if (!ok || !isfinite (x) || !isfinite (y))
    return FALSE;
  *latitude = y;
  *longitude = x;
  return TRUE;
}

/* On the ellipsoid, of a step that is small against it; all in degrees. */
static double
measure_degrees (OGRSpatialReferenceH system, double latitude, double east, double north)
{
  const double flattening = OSRGetInvFlattening (system, NULL);
  const double f = flattening > 1 ? 1 / flattening : 0, squared = f * (2 - f);
  const double sine = sin (latitude * G_PI / 180), bent = 1 - squared * sine * sine;
  const double across = OSRGetSemiMajor (system, NULL) / sqrt (bent), along = across * (1 - squared) / bent;

  return hypot (across * cos (latitude * G_PI / 180) * east, along * north) * G_PI / 180;
}

/* By how much a map is larger than the ground at a place, in a direction: twice at 60 degrees of Mercator. 1 where it
 * is about true, as most are that are measured on. */
static double
find_scale (EsGeoreference *self, double easting, double northing, double dx, double dy)
{
  const double unit = OSRGetLinearUnits (self->system, NULL), length = hypot (dx, dy) * unit;
  const double part = length > LOCAL ? LOCAL / length : 1;
  double x[2] = { easting - dx * part / 2, easting + dx * part / 2 };
  double y[2] = { northing - dy * part / 2, northing + dy * part / 2 };
  double scale, ground;

  if (self->to_geographic == NULL || !(length > 0) || !OCTTransform (self->to_geographic, 2, x, y, NULL))
    return 1;
  ground = measure_degrees (self->system, (y[0] + y[1]) / 2, remainder (x[1] - x[0], 360), y[1] - y[0]);
  scale = length * part / ground;
  return isfinite (scale) && fabs (scale - 1) > TRUE_WITHIN ? scale : 1;
}

double
es_georeference_metres (EsGeoreference *self, double easting, double northing, double dx, double dy)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  g_autofree char *message = NULL;
  double metres = 0;

  es_gdal_begin ();
  look_up (self);
  if (self->system != NULL && OSRIsGeographic (self->system))
    {
      const double degrees = OSRGetAngularUnits (self->system, NULL) * 180.0 / G_PI;
      const double parts = CLAMP (ceil (fabs (dy * degrees)), 1, 360);

      /* A degree of latitude is shorter at the equator, and one of longitude is nothing at the poles. */
      for (double i = 0.5; i < parts; i++)
        metres += measure_degrees (self->system, (northing + dy * (i / parts - 0.5)) * degrees, dx * degrees / parts,
                                   dy * degrees / parts);
    }
  else if (self->system != NULL)
    metres = hypot (dx, dy) * OSRGetLinearUnits (self->system, NULL) / find_scale (self, easting, northing, dx, dy);
  message = es_gdal_end ();
  return isfinite (metres) ? metres : 0;
}
