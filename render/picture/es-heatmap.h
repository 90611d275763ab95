/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gdk/gdk.h>

#include "plane/es-colormap.h"

G_BEGIN_DECLS

/*
 * Rows of float32 in a colour map: what the displays of the sonar show. Rows are appended, or set in any order, and
 * counted from the first one ever (0); the oldest go when there are more than may be kept. One row that is appended is
 * one row that is copied to the GPU; the range of values, the colour map, zoom and scrolling are uniforms and tables of
 * a shader. Where many rows or columns fall on one pixel, it shows the largest of them: a tone an hour ago stays a
 * line. Missing values (NAN) are the checker of all pictures here. Not a widget; UI thread only. Signal "changed": draw
 * again.
 */
#define ES_TYPE_HEATMAP (es_heatmap_get_type ())
G_DECLARE_FINAL_TYPE (EsHeatmap, es_heatmap, ES, HEATMAP, GObject)

EsHeatmap  *es_heatmap_new            (void);
/* Empties it. most_rows 0: as many as there are. decibels: what is given are powers, of which 10 log10 is kept. */
void        es_heatmap_reset          (EsHeatmap *self, guint n_columns, guint64 most_rows, gboolean decibels);
/* n_columns values; NULL: missing for now. */
void        es_heatmap_append         (EsHeatmap *self, const float *values);
/* n rows that are missing for now, at once; costs nothing. */
void        es_heatmap_extend         (EsHeatmap *self, guint64 n);
/* A row that is there: es_heatmap_get_first () .. _get_end () - 1. */
void        es_heatmap_set_row        (EsHeatmap *self, guint64 row, const float *values);
/* Rows from .. to - 1 are missing again, as far as memory comes back for them; where many of them fall on one pixel it
 * shows what it did. */
void        es_heatmap_forget         (EsHeatmap *self, guint64 from, guint64 to);
/* What is missing is still to come, and is transparent until then, not the checker. */
void        es_heatmap_set_awaiting   (EsHeatmap *self, gboolean awaiting);
gboolean    es_heatmap_get_awaiting   (EsHeatmap *self);
/* All rows become those of another one, which is empty then; the look stays. */
void        es_heatmap_take           (EsHeatmap *self, EsHeatmap *other);
/* All rows are missing again. */
void        es_heatmap_blank          (EsHeatmap *self);
guint       es_heatmap_get_n_columns  (EsHeatmap *self);
guint64     es_heatmap_get_first      (EsHeatmap *self);
guint64     es_heatmap_get_end        (EsHeatmap *self);           /* one past the newest */
/* In decibels where it keeps them; NAN outside. */
float       es_heatmap_get_value      (EsHeatmap *self, guint column, guint64 row);
/* Of rows from .. to - 1, as they are kept; long stretches are looked at in their largest values only. FALSE: nothing
 * finite there. */
gboolean    es_heatmap_find_range     (EsHeatmap *self, guint64 from, guint64 to, float *minimum, float *maximum);
/* The value below which a fraction of the same lies. NAN: nothing there. */
float       es_heatmap_find_quantile  (EsHeatmap *self, guint64 from, guint64 to, double fraction);
gsize       es_heatmap_get_memory     (EsHeatmap *self);           /* bytes */

void        es_heatmap_set_range      (EsHeatmap *self, double low, double high);
void        es_heatmap_get_range      (EsHeatmap *self, double *low, double *high);
void        es_heatmap_set_colormap   (EsHeatmap *self, EsColormap map);
EsColormap  es_heatmap_get_colormap   (EsHeatmap *self);

/* What lies at the edges of a view: columns (k covers k .. k + 1) and rows; top > bottom: the newest above. */
typedef struct
{
  double left, right, top, bottom;
} EsHeatmapView;

/*
 * width x height device pixels. context: a GL context of the display; NULL: the CPU does it. The pixels are the same
 * whichever way, also with ES_UPLOADER=pbo or memory. Outside of the rows is the canvas, #2e2e2e. Transfer full.
 */
GdkTexture *es_heatmap_render         (EsHeatmap *self, GdkGLContext *context, int width, int height,
                                       const EsHeatmapView *view);
/*
 * Any other shape: places are width x height pairs of gint32 (column, row); a negative one is canvas. They are uploaded
 * once: give the same GBytes as long as the shape stays.
 */
GdkTexture *es_heatmap_render_places  (EsHeatmap *self, GdkGLContext *context, int width, int height, GBytes *places);
/* Either of them by the CPU, with missing values transparent: a display that is saved. view or places is NULL. Transfer
 * full. */
GdkTexture *es_heatmap_render_holed   (EsHeatmap *self, int width, int height, const EsHeatmapView *view,
                                       GBytes *places);
/*
 * The places of a plan: sectors round (x, y) pixels, column k between edges k and k + 1 of n_columns + 1 angles
 * (degrees from +x, counter-clockwise, ascending), row r between radius r and r + 1 of n_rows + 1 (pixels, ascending).
 * What a `mirror` below the axis through (x, y) shows is the same as above. Transfer full.
 */
GBytes     *es_heatmap_places_of_plan (int width, int height, double x, double y, guint n_columns,
                                       const double *angle_edges, guint n_rows, const double *radii, gboolean mirror);
/* "pbo", "memory": what the last one used. */
const char *es_heatmap_get_uploader   (EsHeatmap *self);

G_END_DECLS
