/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gdk/gdk.h>

G_BEGIN_DECLS

/* What a spy picture is painted with: no nonzero, one nonzero, and as many as a cell has at most. */
typedef struct { GdkRGBA nothing, one, most; } EsSpyColors;

extern const EsSpyColors es_spy_colors_light, es_spy_colors_dark;

/*
 * The picture of width x height counts on columns x rows pixels, R8G8B8, row-major, at least as many as there are
 * counts: each is a rectangle of pixels, and one above 0 never looks like nothing. Between one and the most the
 * colour goes with the logarithm of the count.
 */
void  es_spy_paint (const guint32 *cells, guint width, guint height, guint columns, guint rows,
                    const EsSpyColors *colors, guint8 *pixels);
/* Which of n parts has place i of `places`, where part k begins at k * places / n. */
gsize es_spy_part  (guint64 i, guint64 places, guint64 n);
/* Where such a part begins. */
gsize es_spy_begin (guint64 k, guint64 places, guint64 n);
/* Device pixels for a matrix of rows x columns in a room of so many: its shape, as far as that is no thinner than one
 * to four. At least 1 x 1. */
void  es_spy_fit   (guint64 rows, guint64 columns, guint room_width, guint room_height, guint *width, guint *height);

G_END_DECLS
