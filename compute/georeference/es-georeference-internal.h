/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * ENVI's "map info" ({UTM, 1, 1, 364095, 5809965, 30, 30, 33, North, WGS-84, rotation=-2}): the affine
 * transform and, where the projection is a UTM zone or plain degrees on a common datum, its WKT (else NULL;
 * transfer full). FALSE where the list is too short, holds no numbers, or places the image in no map
 * ("Arbitrary").
 */
gboolean es_map_info_parse (char **parts, guint n, double transform[6], char **projection);

/*
 * A coordinate system, looked up (PROJ, some milliseconds) when it is first asked for something. Usable from
 * any thread.
 */
typedef struct _EsGeoreference EsGeoreference;

/* The WKT of “EPSG:32633” or of WKT; NULL: it is neither. Transfer full. */
char           *es_georeference_find_system   (const char *text);

EsGeoreference *es_georeference_new           (const char *projection);
void            es_georeference_free          (EsGeoreference *self);
/* Map coordinate to WGS 84 degrees. FALSE where there is no way. */
gboolean        es_georeference_to_geographic (EsGeoreference *self, double easting, double northing,
                                               double *latitude, double *longitude);
/* The length in metres of the step (dx, dy) in map units at a map coordinate: those of the map, but on the ground
 * where the map is more than 1 % off, as Mercator's is; 0 where the system is not understood. */
double          es_georeference_metres        (EsGeoreference *self, double easting, double northing,
                                               double dx, double dy);

G_END_DECLS
