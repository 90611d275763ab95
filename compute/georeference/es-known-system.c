/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-known-system-internal.h"

#include <math.h>
#include <string.h>

#define SCALE          0.9996
#define FALSE_EASTING  500000.0
#define FALSE_NORTHING 10000000.0
/* Metres from the central meridian and the equator. */
#define WIDEST         800000.0
#define FARTHEST       9500000.0

typedef struct
{
  const char *names;           /* as map info spells it, folded, separated by '|' */
  const char *envi;            /* what ENVI's headers say */
  const char *wkt, *esri;      /* GEOGCS */
  const char *prefix;          /* of ESRI's names of the zones */
  double      semi_major, inverse_flattening;
} Datum;

#define DEGREES "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]"
#define ESRI_DEGREES "PRIMEM[\"Greenwich\",0.0],UNIT[\"Degree\",0.0174532925199433]]"
#define GRS_1980 "SPHEROID[\"GRS 1980\",6378137,298.257222101,AUTHORITY[\"EPSG\",\"7019\"]]"
#define ESRI_GRS_1980 "SPHEROID[\"GRS_1980\",6378137.0,298.257222101]]"

/* The first is WGS 84. */
static const Datum datums[] = {
  { "wgs-84|wgs84|wgs 84|wgs_1984|wgs-1984|wgs 1984", "WGS-84",
    "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\","
    "SPHEROID[\"WGS 84\",6378137,298.257223563,AUTHORITY[\"EPSG\",\"7030\"]],"
    "AUTHORITY[\"EPSG\",\"6326\"]]," DEGREES ",AUTHORITY[\"EPSG\",\"4326\"]]",
    "GEOGCS[\"GCS_WGS_1984\",DATUM[\"D_WGS_1984\",SPHEROID[\"WGS_1984\",6378137.0,298.257223563]]," ESRI_DEGREES,
    "WGS_1984_", 6378137, 298.257223563 },
  { "north america 1983|nad83|nad-83|nad 83|north american 1983", "North America 1983",
    "GEOGCS[\"NAD83\",DATUM[\"North_American_Datum_1983\"," GRS_1980 ",AUTHORITY[\"EPSG\",\"6269\"]]," DEGREES
    ",AUTHORITY[\"EPSG\",\"4269\"]]",
    "GEOGCS[\"GCS_North_American_1983\",DATUM[\"D_North_American_1983\"," ESRI_GRS_1980 "," ESRI_DEGREES,
    "NAD_1983_", 6378137, 298.257222101 },
  { "north america 1927|nad27|nad-27|nad 27|north american 1927", "North America 1927",
    "GEOGCS[\"NAD27\",DATUM[\"North_American_Datum_1927\","
    "SPHEROID[\"Clarke 1866\",6378206.4,294.978698213898,AUTHORITY[\"EPSG\",\"7008\"]],"
    "AUTHORITY[\"EPSG\",\"6267\"]]," DEGREES ",AUTHORITY[\"EPSG\",\"4267\"]]",
    "GEOGCS[\"GCS_North_American_1927\",DATUM[\"D_North_American_1927\","
    "SPHEROID[\"Clarke_1866\",6378206.4,294.978698213898]]," ESRI_DEGREES,
    "NAD_1927_", 6378206.4, 294.978698213898 },
  { "european 1989|etrs89|etrs-89|etrs 89|etrs_1989|european terrestrial reference system 1989", "ETRS-89",
    "GEOGCS[\"ETRS89\",DATUM[\"European_Terrestrial_Reference_System_1989\"," GRS_1980
    ",AUTHORITY[\"EPSG\",\"6258\"]]," DEGREES ",AUTHORITY[\"EPSG\",\"4258\"]]",
    "GEOGCS[\"GCS_ETRS_1989\",DATUM[\"D_ETRS_1989\"," ESRI_GRS_1980 "," ESRI_DEGREES,
    "ETRS_1989_", 6378137, 298.257222101 },
};

gboolean
es_known_datum_find (const char *name, guint *datum)
{
  g_autofree char *folded = g_utf8_strdown (name, -1);

  for (*datum = 0; *datum < G_N_ELEMENTS (datums); (*datum)++)
    {
      g_auto (GStrv) names = g_strsplit (datums[*datum].names, "|", -1);

      if (g_strv_contains ((const char * const *) names, folded))
        return TRUE;
    }
  return FALSE;
}

static int
central_meridian (const EsKnownSystem *self)
{
  return (int) self->zone * 6 - 183;
}

char *
es_known_system_to_wkt (const EsKnownSystem *self)
{
  const char *geographic = datums[self->datum].wkt;

  if (self->zone == 0)
    return g_strdup (geographic);
  return g_strdup_printf ("PROJCS[\"UTM zone %u%c\",%s,PROJECTION[\"Transverse_Mercator\"],"
                          "PARAMETER[\"latitude_of_origin\",0],PARAMETER[\"central_meridian\",%d],"
                          "PARAMETER[\"scale_factor\",0.9996],PARAMETER[\"false_easting\",500000],"
                          "PARAMETER[\"false_northing\",%d],UNIT[\"metre\",1],AXIS[\"Easting\",EAST],"
                          "AXIS[\"Northing\",NORTH]]",
                          self->zone, self->south ? 'S' : 'N', geographic, central_meridian (self),
                          self->south ? 10000000 : 0);
}

char *
es_known_system_to_esri (const EsKnownSystem *self)
{
  const char *geographic = datums[self->datum].esri;

  if (self->zone == 0)
    return g_strdup (geographic);
  return g_strdup_printf ("PROJCS[\"%s\",%s,PROJECTION[\"Transverse_Mercator\"],"
                          "PARAMETER[\"False_Easting\",500000.0],PARAMETER[\"False_Northing\",%s],"
                          "PARAMETER[\"Central_Meridian\",%d.0],PARAMETER[\"Scale_Factor\",0.9996],"
                          "PARAMETER[\"Latitude_Of_Origin\",0.0],UNIT[\"Meter\",1.0]]",
                          self->name, geographic, self->south ? "10000000.0" : "0.0", central_meridian (self));
}

/* As other programs write it that let GDAL make it, with a name and without the codes of EPSG. Transfer full. */
static char *
to_mixed (const EsKnownSystem *self)
{
  const Datum *datum = &datums[self->datum];

  return g_strdup_printf ("PROJCS[\"%s\",%.*s,PRIMEM[\"Greenwich\",0],UNIT[\"Degree\",0.0174532925199433]],"
                          "PROJECTION[\"Transverse_Mercator\"],PARAMETER[\"latitude_of_origin\",0],"
                          "PARAMETER[\"central_meridian\",%d],PARAMETER[\"scale_factor\",0.9996],"
                          "PARAMETER[\"false_easting\",500000],PARAMETER[\"false_northing\",%d],UNIT[\"Meter\",1],"
                          "AXIS[\"Easting\",EAST],AXIS[\"Northing\",NORTH]]",
                          self->name, (int) (strstr (datum->wkt, ",PRIMEM") - datum->wkt), datum->wkt,
                          central_meridian (self), self->south ? 10000000 : 0);
}

/* Zone and hemisphere as the parameters tell them, and the name. */
static gboolean
read_zone (const char *wkt, EsKnownSystem *system)
{
  static const char *const keys[] = { "\"Central_Meridian\",", "\"central_meridian\"," };
  const char *name = wkt + strlen ("PROJCS[\""), *end, *meridian = NULL;
  gint64 degrees;

  if (!g_str_has_prefix (wkt, "PROJCS[\"") || (end = strchr (name, '"')) == NULL
      || (gsize) (end - name) >= sizeof system->name)
    return FALSE;
  memcpy (system->name, name, end - name);
  system->name[end - name] = '\0';
  for (guint i = 0; i < G_N_ELEMENTS (keys) && meridian == NULL; i++)
    if ((meridian = strstr (end, keys[i])) != NULL)
      meridian += strlen (keys[i]);
  if (meridian == NULL)
    return FALSE;
  degrees = g_ascii_strtoll (meridian, NULL, 10);
  if (degrees < -177 || degrees > 177 || (degrees + 183) % 6 != 0)
    return FALSE;
  system->zone = (guint) (degrees + 183) / 6;
  system->south = strstr (end, ",10000000") != NULL;
  return TRUE;
}

/* A name that speaks of another zone or datum is for a library to wonder about. */
static gboolean
is_named (const EsKnownSystem *self)
{
  const char *prefix = datums[self->datum].prefix, *name = self->name;
  g_autofree char *zone = g_strdup_printf ("one_%u%c", self->zone, self->south ? 'S' : 'N');

  if (strcmp (name, "unnamed") == 0)
    return TRUE;
  if (g_str_has_prefix (name, prefix))
    name += strlen (prefix);
  return (g_str_has_prefix (name, "UTM_Z") || g_str_has_prefix (name, "UTM_z")) && strcmp (name + 5, zone) == 0;
}

static gboolean
is_written (const char *wkt, char *text)
{
  g_autofree char *own = text;

  return strcmp (wkt, own) == 0;
}

gboolean
es_known_system_find (const char *wkt, EsKnownSystem *system)
{
  *system = (EsKnownSystem) { 0 };
  if (!g_str_has_prefix (wkt, "GEOGCS[") && !read_zone (wkt, system))
    return FALSE;
  for (system->datum = 0; system->datum < G_N_ELEMENTS (datums); system->datum++)
    {
      if (is_written (wkt, es_known_system_to_wkt (system)))
        {
          g_strdelimit (system->name, " ", '_');
          return TRUE;
        }
      if ((system->zone == 0 || is_named (system))
          && (is_written (wkt, es_known_system_to_esri (system))
              || (system->zone != 0 && is_written (wkt, to_mixed (system)))))
        return TRUE;
    }
  return FALSE;
}

const char *
es_known_system_get_datum (const EsKnownSystem *self)
{
  return datums[self->datum].envi;
}

void
es_known_system_get_ellipsoid (const EsKnownSystem *self, double *semi_major, double *inverse_flattening)
{
  *semi_major = datums[self->datum].semi_major;
  *inverse_flattening = datums[self->datum].inverse_flattening;
}

static double
to_equator (const EsKnownSystem *self, double northing)
{
  return self->south ? northing - FALSE_NORTHING : northing;
}

gboolean
es_known_system_covers (const EsKnownSystem *self, double easting, double northing)
{
  return self->zone == 0
         || (fabs (easting - FALSE_EASTING) <= WIDEST && fabs (to_equator (self, northing)) <= FARTHEST);
}

/*
 * The inverse of the transverse Mercator projection, to some nanometres, by Krüger's series in n = f / (2 - f) to its
 * sixth power (Karney, “Transverse Mercator with an accuracy of a few nanometers”, J. Geodesy 85, 2011, eq. 36).
 */
static void
invert (double a, double f, double x, double y, double *latitude, double *longitude)
{
  const double n = f / (2 - f), n2 = n * n, n3 = n2 * n, n4 = n3 * n, n5 = n4 * n, n6 = n5 * n;
  const double e = sqrt (f * (2 - f)), squared = 1 - e * e;
  const double rectifying = a / (1 + n) * (1 + n2 / 4 + n4 / 64 + n6 / 256);
  const double beta[6] = {
    n / 2 - 2 * n2 / 3 + 37 * n3 / 96 - n4 / 360 - 81 * n5 / 512 + 96199 * n6 / 604800,
    n2 / 48 + n3 / 15 - 437 * n4 / 1440 + 46 * n5 / 105 - 1118711 * n6 / 3870720,
    17 * n3 / 480 - 37 * n4 / 840 - 209 * n5 / 4480 + 5569 * n6 / 90720,
    4397 * n4 / 161280 - 11 * n5 / 504 - 830251 * n6 / 7257600,
    4583 * n5 / 161280 - 108847 * n6 / 3991680,
    20648693 * n6 / 638668800,
  };
  const double xi = y / (SCALE * rectifying), eta = x / (SCALE * rectifying);
  double xi0 = xi, eta0 = eta, tau0, tau;

  for (int j = 1; j <= 6; j++)
    {
      xi0 -= beta[j - 1] * sin (2 * j * xi) * cosh (2 * j * eta);
      eta0 -= beta[j - 1] * cos (2 * j * xi) * sinh (2 * j * eta);
    }
  /* The tangent of the conformal latitude, and by Newton's steps that of the geographic one. */
  tau0 = sin (xi0) / hypot (sinh (eta0), cos (xi0));
  tau = tau0 / squared;
  for (int i = 0; i < 5; i++)
    {
      const double secant = hypot (1, tau), sigma = sinh (e * atanh (e * tau / secant));
      const double conformal = tau * hypot (1, sigma) - sigma * secant;

      tau += (tau0 - conformal) / hypot (1, conformal) * (1 + squared * tau * tau) / (squared * secant);
    }
  *latitude = atan (tau) * 180 / G_PI;
  *longitude = atan2 (sinh (eta0), cos (xi0)) * 180 / G_PI;
}

gboolean
es_known_system_to_degrees (const EsKnownSystem *self, double easting, double northing, double *latitude,
                            double *longitude)
{
  const Datum *datum = &datums[self->datum];

  /* Other datums move by what only tables of shifts tell. */
  if (self->datum != 0 || !es_known_system_covers (self, easting, northing))
    return FALSE;
  if (self->zone == 0)
    {
      *latitude = northing;
      *longitude = easting;
      return isfinite (easting) && isfinite (northing);
    }
  invert (datum->semi_major, 1 / datum->inverse_flattening, easting - FALSE_EASTING, to_equator (self, northing),
          latitude, longitude);
  *longitude += central_meridian (self);
  /* As longitudes are counted beyond the antimeridian. */
  if (*longitude > 180)
    *longitude -= 360;
  else if (*longitude < -180)
    *longitude += 360;
  return isfinite (*latitude) && isfinite (*longitude);
}
