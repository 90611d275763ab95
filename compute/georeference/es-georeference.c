/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-georeference-internal.h"

#include <math.h>
#include <string.h>

#include "es-known-system-internal.h"
#include "libraries/es-gdal-internal.h"
#include "libraries/es-gdal-library-internal.h"

/* Metres in which the scale of a map is looked for, and how far from 1 it may be and still be told as it is. */
#define LOCAL       1000.0
#define TRUE_WITHIN 0.01

struct _EsGeoreference
{
  GMutex                       mutex;
  char                        *projection;
  EsKnownSystem                known;
  gboolean                     is_known;
  gboolean                     looked_up;
  OGRSpatialReferenceH         system;
  OGRCoordinateTransformationH to_geographic;
};

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

/* Metres of a unit that ENVI writes; 0: of none that is known. */
static double
metres_of (const char *units)
{
  static const struct { const char *name; double metres; } known[] = {
    { "Meters", 1 }, { "Metres", 1 }, { "Meter", 1 }, { "Metre", 1 }, { "m", 1 }, { "Km", 1000 },
    { "Kilometers", 1000 }, { "Yards", 0.9144 }, { "Feet", 0.3048 }, { "Miles", 1609.344 }, { "Nautical Miles", 1852 },
  };

  if (units == NULL)
    return 1;
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_ascii_strcasecmp (units, known[i].name) == 0)
      return known[i].metres;
  return 0;
}

gboolean
es_map_info_parse (char **parts, guint n, double transform[6], char **projection)
{
  const char *rotation, *units;
  EsKnownSystem known = { 0 };
  gboolean has_datum = FALSE;
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

  for (guint i = 7; i < n && !has_datum; i++)
    has_datum = es_known_datum_find (parts[i], &known.datum);
  units = find_keyword (parts, n, "units");
  degrees = units == NULL || g_ascii_strncasecmp (units, "deg", 3) == 0;
  if (g_ascii_strcasecmp (parts[0], "UTM") == 0 && n >= 9 && has_datum)
    {
      int zone = atoi (parts[7]);

      known.zone = zone >= 1 && zone <= 60 ? zone : 0;
      known.south = g_ascii_strncasecmp (parts[8], "south", 5) == 0;
      /* In metres from here on, as all that knows the zone is. */
      if (known.zone != 0 && metres_of (units) > 0)
        for (guint i = 0; i < 6; i++)
          transform[i] *= metres_of (units);
      if (known.zone != 0 && metres_of (units) > 0)
        *projection = es_known_system_to_wkt (&known);
    }
  else if (g_ascii_strncasecmp (parts[0], "Geographic", 10) == 0 && has_datum && degrees)
    *projection = es_known_system_to_wkt (&known);
  return TRUE;
}

EsGeoreference *
es_georeference_new (const char *projection)
{
  EsGeoreference *self = g_new0 (EsGeoreference, 1);

  g_mutex_init (&self->mutex);
  self->projection = g_strdup (projection);
  self->is_known = es_known_system_find (projection, &self->known);
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
  g_autoptr (GMutexLocker) locker = NULL;
  g_autofree char *message = NULL;
  double x = easting, y = northing;
  int ok = FALSE;

  if (self->is_known && es_known_system_to_degrees (&self->known, easting, northing, latitude, longitude))
    return TRUE;
  locker = g_mutex_locker_new (&self->mutex);
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

/* On the ellipsoid (flattening: its inverse), of a step that is small against it; all in degrees. */
static double
measure_degrees (double semi_major, double flattening, double latitude, double east, double north)
{
  const double f = flattening > 1 ? 1 / flattening : 0, squared = f * (2 - f);
  const double sine = sin (latitude * G_PI / 180), bent = 1 - squared * sine * sine;
  const double across = semi_major / sqrt (bent), along = across * (1 - squared) / bent;

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
  ground = measure_degrees (OSRGetSemiMajor (self->system, NULL), OSRGetInvFlattening (self->system, NULL),
                            (y[0] + y[1]) / 2, remainder (x[1] - x[0], 360), y[1] - y[0]);
  scale = length * part / ground;
  return isfinite (scale) && fabs (scale - 1) > TRUE_WITHIN ? scale : 1;
}

/* Of a step of degrees, whose middle is at a latitude. */
static double
measure_step (double semi_major, double flattening, double latitude, double east, double north)
{
  const double parts = CLAMP (ceil (fabs (north)), 1, 360);
  double metres = 0;

  /* A degree of latitude is shorter at the equator, and one of longitude is nothing at the poles. */
  for (double i = 0.5; i < parts; i++)
    metres += measure_degrees (semi_major, flattening, latitude + north * (i / parts - 0.5), east / parts,
                               north / parts);
  return metres;
}

static double
measure_known (const EsKnownSystem *known, double northing, double dx, double dy)
{
  double semi_major, flattening;

  if (known->zone != 0)
    return hypot (dx, dy);
  es_known_system_get_ellipsoid (known, &semi_major, &flattening);
  return measure_step (semi_major, flattening, northing, dx, dy);
}

double
es_georeference_metres (EsGeoreference *self, double easting, double northing, double dx, double dy)
{
  g_autoptr (GMutexLocker) locker = NULL;
  g_autofree char *message = NULL;
  double metres = 0;

  if (self->is_known && es_known_system_covers (&self->known, easting, northing))
    {
      metres = measure_known (&self->known, northing, dx, dy);
      return isfinite (metres) ? metres : 0;
    }
  locker = g_mutex_locker_new (&self->mutex);
  es_gdal_begin ();
  look_up (self);
  if (self->system != NULL && OSRIsGeographic (self->system))
    {
      const double degrees = OSRGetAngularUnits (self->system, NULL) * 180.0 / G_PI;

      metres = measure_step (OSRGetSemiMajor (self->system, NULL), OSRGetInvFlattening (self->system, NULL),
                             northing * degrees, dx * degrees, dy * degrees);
    }
  else if (self->system != NULL)
    metres = hypot (dx, dy) * OSRGetLinearUnits (self->system, NULL) / find_scale (self, easting, northing, dx, dy);
  message = es_gdal_end ();
  return isfinite (metres) ? metres : 0;
}
