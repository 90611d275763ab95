/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Coordinate systems that need no library: zones of UTM, and degrees of longitude and latitude, on the datums that
 * ENVI's headers name most. All that is told of them here is what GDAL tells, to the letter.
 */
typedef struct
{
  guint    datum;              /* as es_known_datum_find () counts them */
  guint    zone;               /* of UTM, 1 to 60; 0: degrees */
  gboolean south;
  char     name[40];           /* as WKT of ESRI's has it; empty for degrees */
} EsKnownSystem;

/* “WGS-84”, “NAD83”, ... as map info spells it, in any letters. */
gboolean    es_known_datum_find       (const char *name, guint *datum);

/* The system that this WKT is: ours (es_known_system_to_wkt ()), as ESRI writes it, or as headers of AVIRIS-NG
 * have it. FALSE: it is none of these, or written otherwise, which a library may understand. */
gboolean    es_known_system_find      (const char *wkt, EsKnownSystem *system);
/* Transfer full. */
char       *es_known_system_to_wkt    (const EsKnownSystem *self);
/* In ESRI's dialect, which ENVI's headers take. Transfer full. */
char       *es_known_system_to_esri   (const EsKnownSystem *self);
/* What ENVI calls its datum. */
const char *es_known_system_get_datum (const EsKnownSystem *self);
/* Semi-major axis in metres, and inverse flattening. */
void        es_known_system_get_ellipsoid (const EsKnownSystem *self, double *semi_major, double *inverse_flattening);
/* Is a point of it where UTM can be used, up to 800 km from the central meridian, so that lengths on the map are those
 * on the ground to 1 %? True of all degrees. */
gboolean    es_known_system_covers    (const EsKnownSystem *self, double easting, double northing);
/* Degrees of WGS 84. FALSE: the datum is another one, or the point is not covered. */
gboolean    es_known_system_to_degrees (const EsKnownSystem *self, double easting, double northing, double *latitude,
                                        double *longitude);

G_END_DECLS
