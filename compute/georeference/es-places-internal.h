/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Where each pixel of a cube lies that is on no map: what a file tells pixel by pixel. Usable from any thread. */
typedef struct _EsPlaces EsPlaces;

/* height * width degrees of the pixels' centres, by row; what is no place (NAN, beyond the poles) is none. NULL where
 * none is one, or there is no memory. */
EsPlaces *es_places_new   (const double *latitudes, const double *longitudes, guint64 width, guint64 height);
EsPlaces *es_places_ref   (EsPlaces *self);
void      es_places_unref (EsPlaces *self);
/* Between the centres of pixels (0, 0 is that of the upper left one); half a pixel beyond the outermost as at them.
 * FALSE: nothing is told there. */
gboolean  es_places_get   (const EsPlaces *self, double x, double y, double *latitude, double *longitude);

G_END_DECLS
