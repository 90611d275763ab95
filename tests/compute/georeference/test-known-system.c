/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What is told of a coordinate system without GDAL is what GDAL tells of it, for every zone of every datum. */

#include <cpl_conv.h>
#include <gdal.h>
#include <math.h>
#include <ogr_srs_api.h>
#include <string.h>

#include "georeference/es-georeference-internal.h"
#include "georeference/es-known-system-internal.h"

#define N_DATUMS 4

static const char *const datum_names[N_DATUMS] = { "WGS-84", "North America 1983", "North America 1927", "ETRS-89" };
static const char *const prefixes[N_DATUMS] = { "WGS_1984_", "NAD_1983_", "NAD_1927_", "ETRS_1989_" };

static OGRSpatialReferenceH
read_by_gdal (const char *wkt)
{
  OGRSpatialReferenceH system = OSRNewSpatialReference (NULL);
  char *rest = (char *) wkt;

  g_assert_cmpint (OSRImportFromWkt (system, &rest), ==, OGRERR_NONE);
  return system;
}

static char *
written_by_gdal (OGRSpatialReferenceH system)
{
  static const char *const options[] = { "FORMAT=WKT1_ESRI", NULL };
  char *text = NULL, *own;

  g_assert_cmpint (OSRExportToWktEx (system, &text, options), ==, OGRERR_NONE);
  own = g_strdup (text);
  CPLFree (text);
  return own;
}

/* A system in our words, or in ESRI's with one of its names. */
static char *
make_wkt (guint datum, guint zone, gboolean south, const char *name)
{
  EsKnownSystem system = { .datum = datum, .zone = zone, .south = south };

  if (name == NULL)
    return es_known_system_to_wkt (&system);
  g_strlcpy (system.name, name, sizeof system.name);
  return es_known_system_to_esri (&system);
}

static void
check_words (const char *wkt, guint datum, guint zone, gboolean south)
{
  OGRSpatialReferenceH system = read_by_gdal (wkt);
  g_autofree char *theirs = written_by_gdal (system), *ours = NULL;
  EsKnownSystem known;
  double semi_major, inverse;
  int north = 1, their_zone = OSRGetUTMZone (system, &north);

  g_assert_true (es_known_system_find (wkt, &known));
  g_assert_cmpuint (known.datum, ==, datum);
  g_assert_cmpuint (known.zone, ==, zone);
  ours = es_known_system_to_esri (&known);
  g_assert_cmpstr (ours, ==, theirs);
  g_assert_cmpint (ABS (their_zone), ==, (int) zone);
  if (zone != 0)
    g_assert_cmpint (known.south, ==, !north);
  es_known_system_get_ellipsoid (&known, &semi_major, &inverse);
  g_assert_true (semi_major == OSRGetSemiMajor (system, NULL));
  g_assert_true (inverse == OSRGetInvFlattening (system, NULL));
  g_assert_cmpstr (es_known_system_get_datum (&known), ==, datum_names[datum]);
  OSRRelease (system);
}

/* As AVIRIS-NG's headers have it. */
static void
check_mixed (const char *name, guint datum, guint zone, gboolean south)
{
  g_autofree char *own = make_wkt (datum, zone, south, NULL), *start = g_strdup_printf ("PROJCS[\"%s\",", name);
  g_autoptr (GString) wkt = g_string_new (own);
  const char *code;

  g_string_erase (wkt, 0, strstr (wkt->str, "GEOGCS") - wkt->str);
  g_string_prepend (wkt, start);
  g_string_replace (wkt, "UNIT[\"degree\"", "UNIT[\"Degree\"", 1);
  g_string_replace (wkt, "UNIT[\"metre\"", "UNIT[\"Meter\"", 1);
  code = strstr (wkt->str, "0.0174532925199433]") + strlen ("0.0174532925199433]");
  g_string_erase (wkt, code - wkt->str, strchr (code, ']') + 1 - code);
  check_words (wkt->str, datum, zone, south);
}

static void
test_words (void)
{
  for (guint datum = 0; datum < N_DATUMS; datum++)
    for (guint zone = 0; zone <= 60; zone++)
      for (int south = 0; south <= (zone > 0); south++)
        {
          g_autofree char *own = make_wkt (datum, zone, south, NULL);
          const char *const before[] = { prefixes[datum], "", "" };
          const char *const words[] = { "UTM_Zone_", "UTM_Zone_", "UTM_zone_" };
          /* Rarer spellings of a few: GDAL searches its data base for each name. */
          const gboolean all = zone == 1 || zone == 60 || zone % 11 == 0;
          g_autofree char *nameless = make_wkt (datum, zone, south, "unnamed");

          check_words (own, datum, zone, south);
          if (zone == 0)
            {
              g_autofree char *esri = make_wkt (datum, zone, south, "");

              check_words (esri, datum, zone, south);
            }
          for (guint i = 0; i < (all ? G_N_ELEMENTS (words) : 1) && zone > 0; i++)
            {
              g_autofree char *name = g_strdup_printf ("%s%s%u%c", before[i], words[i], zone, south ? 'S' : 'N');
              g_autofree char *esri = make_wkt (datum, zone, south, name);

              check_words (esri, datum, zone, south);
              if (all)
                check_mixed (name, datum, zone, south);
            }
          if (all)
            check_words (nameless, datum, zone, south);
        }
}

/* Nobody but a library knows what is written otherwise. */
static void
test_others (void)
{
  g_autofree char *wkt = make_wkt (0, 33, FALSE, "WGS_1984_UTM_Zone_33N");
  g_autofree char *wrong = make_wkt (0, 33, FALSE, "NAD_1983_UTM_Zone_33N");
  g_autofree char *other = make_wkt (0, 33, FALSE, "WGS_1984_UTM_Zone_34N");
  g_autofree char *longer = g_strconcat (wkt, " ", NULL);
  g_autofree char *shorter = g_strndup (wkt, strlen (wkt) - 1);
  const char *const texts[] = {
    "", "PROJCS[", "PROJCS[\"", "PROJCS[\"UTM zone 33N", "PROJCS[\"UTM zone 33N\"", "EPSG:32633", "GEOGCS[",
    "PROJCS[\"UTM zone 99999999999N\",", "PROJCS[\"a\",\"central_meridian\",3",
    "PROJCS[\"a\",\"central_meridian\",-400", "LOCAL_CS[\"a\"]", wrong, other, longer, shorter,
  };
  EsKnownSystem known;

  g_assert_true (es_known_system_find (wkt, &known));
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_false (es_known_system_find (texts[i], &known));
}

/* Against PROJ, of one zone in each hemisphere and those at the ends of the world. */
static void
test_places (void)
{
  const guint zones[] = { 1, 33, 60 };
  double worst = 0;

  for (guint i = 0; i < G_N_ELEMENTS (zones); i++)
    for (int south = 0; south < 2; south++)
      {
        g_autofree char *wkt = make_wkt (0, zones[i], south, NULL);
        OGRSpatialReferenceH system = read_by_gdal (wkt), wgs84 = OSRNewSpatialReference (NULL);
        OGRCoordinateTransformationH transformation;
        EsKnownSystem known;

        g_assert_true (es_known_system_find (wkt, &known));
        OSRSetAxisMappingStrategy (system, OAMS_TRADITIONAL_GIS_ORDER);
        OSRSetWellKnownGeogCS (wgs84, "WGS84");
        OSRSetAxisMappingStrategy (wgs84, OAMS_TRADITIONAL_GIS_ORDER);
        transformation = OCTNewCoordinateTransformation (system, wgs84);
        for (double easting = -250000; easting <= 1250000; easting += 12500)
          for (double northing = 0; northing <= 9300000; northing += 77500)
            {
              double x = easting, y = south ? 10000000 - northing : northing, latitude, longitude, off;

              g_assert_true (es_known_system_to_degrees (&known, x, y, &latitude, &longitude));
              g_assert_true (OCTTransform (transformation, 1, &x, &y, NULL));
              /* Near the poles a degree of longitude is short. */
              off = hypot (latitude - y, remainder (longitude - x, 360) * cos (y * G_PI / 180));
              worst = MAX (worst, off);
            }
        OCTDestroyCoordinateTransformation (transformation);
        OSRRelease (system);
        OSRRelease (wgs84);
      }
  g_test_message ("at most %.3g degrees from PROJ", worst);
  /* A ten-thousandth of a millimetre. */
  g_assert_cmpfloat (worst, <, 1e-12);
}

static double
metres_by_gdal (const char *wkt, double easting, double northing, double dx, double dy)
{
  /* Another text of the same system, which is not known. */
  g_autofree char *other = g_strconcat (wkt, " ", NULL);
  EsGeoreference *reference = es_georeference_new (other);
  const double metres = es_georeference_metres (reference, easting, northing, dx, dy);

  es_georeference_free (reference);
  return metres;
}

static void
test_metres (void)
{
  for (guint datum = 0; datum < N_DATUMS; datum++)
    for (guint zone = 0; zone <= 60; zone += 30)
      {
        g_autofree char *wkt = make_wkt (datum, zone, TRUE, NULL);
        EsGeoreference *reference = es_georeference_new (wkt);

        for (guint i = 0; i < 20; i++)
          {
            const double x = zone > 0 ? i * 50000.0 : i * 15 - 150;
            const double y = zone > 0 ? i * 450000.0 + 9000 : i * 8 - 80;
            const double dx = zone > 0 ? 37.5 : 0.01 * i, dy = zone > 0 ? -15 : 1.5;

            g_assert_true (es_georeference_metres (reference, x, y, dx, dy) == metres_by_gdal (wkt, x, y, dx, dy));
          }
        es_georeference_free (reference);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/georeference/known/words", test_words);
  g_test_add_func ("/georeference/known/others", test_others);
  g_test_add_func ("/georeference/known/places", test_places);
  g_test_add_func ("/georeference/known/metres", test_metres);
  return g_test_run ();
}
