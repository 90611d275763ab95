/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dataset/es-dataset.h"
#include "es-region.h"
#include "selection/es-selection.h"

G_BEGIN_DECLS

/*
 * A hyperspectral cube: width x height pixels of `bands` samples. Immutable and usable from any thread.
 * Pixel (0, 0) is the upper left one; map coordinates of a pixel are those of its centre. What of it takes part in
 * operations is told beside it and may be told anew: "selection" (EsSelection, nullable), notified in the main context.
 */
#define ES_TYPE_CUBE (es_cube_get_type ())
G_DECLARE_FINAL_TYPE (EsCube, es_cube, ES, CUBE, EsDataset)

guint64       es_cube_get_width        (EsCube *self);
guint64       es_cube_get_height       (EsCube *self);
guint         es_cube_get_bands        (EsCube *self);
const char   *es_cube_get_type_name    (EsCube *self);                 /* "int16", as stored */
const char   *es_cube_get_format_name  (EsCube *self);                 /* "ENVI BSQ", "GeoTIFF" */
guint64       es_cube_get_bytes        (EsCube *self);                 /* of all samples as stored */

/* In nanometres, `bands` values (the file's unit is converted); NULL where the file does not say. May be
 * non-monotonic: sensors overlap. */
const double *es_cube_get_wavelengths  (EsCube *self);
const double *es_cube_get_fwhm         (EsCube *self);
/* bands booleans; a band is bad where bbl says 0 or where it holds no data at all. Never NULL. */
const gboolean *es_cube_get_good_bands (EsCube *self);
guint         es_cube_get_n_good_bands (EsCube *self);
const char   *es_cube_get_band_name    (EsCube *self, guint band);     /* nullable */
/* "640.2 nm", the band's own name, or "band 12": what a picture says it shows. Counted from 1. Transfer full. */
char         *es_cube_get_band_label   (EsCube *self, guint band);

gboolean      es_cube_get_no_data      (EsCube *self, guint band, double *value);   /* as stored */
double        es_cube_get_scale        (EsCube *self, guint band);     /* value = stored * scale + offset */
double        es_cube_get_offset       (EsCube *self, guint band);
const char   *es_cube_get_unit         (EsCube *self);                 /* of the values; nullable */
/* What a column of such values names: the unit, or "scaled" or "stored" (translated) where none is known. */
const char   *es_cube_name_unit        (EsCube *self);
/* A band's values are not the stored numbers: it has a scale or an offset. */
gboolean      es_cube_is_scaled        (EsCube *self, guint band);

/* GDAL's affine transform (6 numbers) and the coordinate system as WKT; NULL where there is none. */
const double *es_cube_get_geotransform (EsCube *self);
const char   *es_cube_get_projection   (EsCube *self);
gboolean      es_cube_get_map_coordinate (EsCube *self, double x, double y, double *easting, double *northing);
gboolean      es_cube_get_geographic   (EsCube *self, double x, double y, double *latitude, double *longitude);
/* Metres a pixel, horizontally; 0 where not known. */
double        es_cube_get_pixel_metres (EsCube *self);

/* What takes part of it; NULL: everything. Any thread; told in the main context. Transfer full. */
EsSelection  *es_cube_dup_selection    (EsCube *self);
void          es_cube_set_selection    (EsCube *self, EsSelection *selection);
/* Whether something would be left to compute of: bands that are there, a window inside, regions that are some.
 * ES_COMPUTE_ERROR_PARAMETER: one sentence. */
gboolean      es_cube_check_selection  (EsCube *self, EsSelection *selection, GError **error);
/* The pixels that do not take part, to be drawn. Blocking. NULL: there are none, nothing would be left, or the cube has
 * so many pixels (2^28) that nobody sees them. Transfer full. */
EsRegion     *es_cube_find_left_out    (EsCube *self, EsSelection *selection);
/* What takes part by now as a cube, to plan with: nothing is read for it. Any thread. Transfer full. */
EsCube       *es_cube_outline_part     (EsCube *self);
/* The bands that take part: bands booleans, *n of them TRUE (nullable). selection nullable: the good ones. Errors as
 * above, but for there being none. Transfer full. */
gboolean     *es_cube_find_taken       (EsCube *self, EsSelection *selection, guint *n, GError **error);

/* Three bands for a composite: the header's default bands, else the good ones nearest 640, 550 and 460 nm, else
 * spread over the good ones. Returns how: "header", "wavelength", "spread". A cube of fewer bands repeats them. */
const char   *es_cube_pick_rgb         (EsCube *self, guint bands[3]);
/* The good bands nearest three wavelengths in nm. FALSE: one of them has none within 80 nm, or two have the same. */
gboolean      es_cube_pick_near        (EsCube *self, const double nanometres[3], guint bands[3]);
/* The good band nearest a wavelength in nm; -1 without wavelengths. */
int           es_cube_find_wavelength  (EsCube *self, double nanometres);

/*
 * One band of a window as float32, scaled, NAN where missing; out holds width * height. Blocking. step > 1 takes every
 * step-th pixel of every step-th row (out then holds ceil (width / step) * ceil (height / step)).
 */
gboolean      es_cube_read_band        (EsCube *self, guint band, guint64 x, guint64 y, guint64 width, guint64 height,
                                        guint step, float *out, GCancellable *cancellable, GError **error);
/* The whole band smaller, to be looked at: each sample the mean of the valid ones of its step x step pixels (of some of
 * their rows, evenly spread, where all would be too much to read); NAN where there is none. Blocking. */
gboolean      es_cube_read_band_means  (EsCube *self, guint band, guint step, float *out, GCancellable *cancellable,
                                        GError **error);
/* The spectrum of one pixel: bands values, scaled, NAN at no-data. Blocking (microseconds to milliseconds). */
gboolean      es_cube_read_spectrum    (EsCube *self, guint64 x, guint64 y, double *out, GError **error);

G_END_DECLS
