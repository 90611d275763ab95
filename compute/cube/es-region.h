/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * A set of pixels that somebody has drawn: a rectangle, a polygon, or any set (from a scatter plot). Immutable,
 * counted.
 * As text, which es_region_parse () takes: "rectangle X Y WIDTH HEIGHT", "polygon X,Y X,Y X,Y ..." (pixel coordinates,
 * in which pixel (0, 0) covers 0..1; a pixel belongs to it when its centre is inside, even-odd), "runs Y:X-X,X-X Y:..."
 * (whole pixels, both ends included; "runs" alone is the empty set).
 */
typedef struct _EsRegion EsRegion;

EsRegion   *es_region_new_rectangle (gint64 x, gint64 y, gint64 width, gint64 height);
EsRegion   *es_region_new_polygon   (const double *points, guint n);            /* n pairs x, y; n >= 3 */
/* mask: height rows of width bytes, not 0 = in it. */
EsRegion   *es_region_new_mask      (const guint8 *mask, guint64 width, guint64 height);
/* ES_COMPUTE_ERROR_PARAMETER: one sentence. */
EsRegion   *es_region_parse         (const char *text, GError **error);
char       *es_region_format        (const EsRegion *self);                       /* transfer full */
EsRegion   *es_region_ref           (EsRegion *self);
void        es_region_unref         (EsRegion *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsRegion, es_region_unref)

/* The same pixels so far to the right and down. Transfer full. */
EsRegion   *es_region_shift         (const EsRegion *self, gint64 right, gint64 down);
/* The smallest window of a width x height image that holds all of it; FALSE: nothing of it is inside. */
gboolean    es_region_get_bounds    (const EsRegion *self, guint64 width, guint64 height, guint64 *x, guint64 *y,
                                     guint64 *bounds_width, guint64 *bounds_height);
/* The same by corners alone, in no time whatever lies between them: of a polygon it may be a little larger. */
gboolean    es_region_get_box       (const EsRegion *self, guint64 width, guint64 height, guint64 *x, guint64 *y,
                                     guint64 *box_width, guint64 *box_height);
/* Pixels inside the image. */
guint64     es_region_count         (const EsRegion *self, guint64 width, guint64 height);
/* mask[window_width * window_height] becomes 1 where the pixel is in the region, else 0. */
void        es_region_fill_mask     (const EsRegion *self, guint64 x, guint64 y, guint64 window_width,
                                     guint64 window_height, guint8 *mask);
/* The corners of a polygon or rectangle (x, y pairs), for drawing; NULL and 0 for a set of pixels. Borrowed. */
const double *es_region_get_outline (const EsRegion *self, guint *n);

G_END_DECLS
