/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gdk/gdk.h>

#include "picture/es-picture.h"
#include "cube/es-region.h"

G_BEGIN_DECLS

/*
 * Regions as they are drawn over a picture: the pixels of each under a veil of its colour, with an outline of whole
 * device pixels, so that what is lit is what the region holds, at any zoom. Not a widget. Used on the UI thread.
 */
typedef struct _EsRegionMarks EsRegionMarks;

EsRegionMarks *es_region_marks_new      (void);
void           es_region_marks_free     (EsRegionMarks *self);
/* The regions of a width x height picture, the last one drawn on top. Regions are kept; what was there and is given
 * again costs nothing. */
void           es_region_marks_set      (EsRegionMarks *self, guint n, EsRegion *const *regions,
                                         const GdkRGBA *colors, guint64 width, guint64 height);
gboolean       es_region_marks_is_empty (EsRegionMarks *self);
/* As es_picture_render () sees the picture: width x height device pixels, transparent where no region is; outline:
 * device pixels. Transfer full; NULL where nothing of them is in view. */
GdkTexture    *es_region_marks_render   (EsRegionMarks *self, const EsViewport *viewport, int width, int height,
                                         int outline);
/* Whether any region holds a pixel; *color: of the topmost. */
gboolean       es_region_marks_pick     (EsRegionMarks *self, guint64 x, guint64 y, GdkRGBA *color);

G_END_DECLS
