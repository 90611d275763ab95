/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plane/es-frame-internal.h"
#include "es-heatmap.h"

G_BEGIN_DECLS

/*
 * Everything that decides the pixels of one view of a heat map, worked out once on the CPU. heatmap.frag and
 * es_heat_frame_paint () do the same with it, in operations that no compiler may fuse, so that their bytes are equal:
 *
 *   a pixel (i, j) shows the largest valid value of the columns first .. first + n - 1 of column tap i and the rows
 *   of row tap j; n = 0 is canvas, no valid value the checker of 8 x 8 pixels; with places it is the one value there;
 *   its colour is entry (int) clamp ((value - low) * scale, 0, 255), or, for a step (scale = 0), 0, 128 or 255.
 */
typedef struct
{
  gint32 first, n;             /* rows: from the frame's `base` on */
} EsHeatTap;

#define ES_HEAT_FACTOR 4       /* rows of a level in one of the next */
#define ES_HEAT_MAX_LEVELS 16

typedef struct
{
  int width, height;
  guint n_columns;
  guint level;
  guint64 base, n_rows;        /* rows of the level that are looked at */
  EsHeatTap *columns, *rows;   /* width, height; owned; NULL with places */
  GBytes *places;              /* borrowed; nullable */
  float low, scale;
  const guint8 *entries;       /* 256 x 4 */
  gboolean awaiting;           /* no valid value is transparent */
  gboolean holed;              /* no valid value is transparent; painted by the CPU alone */
} EsHeatFrame;

/* Where rows lie: the heat map's, between the files of it. NULL: that row is missing throughout. run: how many rows
 * from it on lie behind each other. */
const float *es_heatmap_peek_rows     (EsHeatmap *self, guint level, guint64 row, guint64 *run);

void         es_heat_frame_init        (EsHeatFrame *self, EsHeatmap *map, int width, int height,
                                        const EsHeatmapView *view);
void         es_heat_frame_init_places (EsHeatFrame *self, EsHeatmap *map, int width, int height, GBytes *places);
void         es_heat_frame_clear       (EsHeatFrame *self);
/* RGBA rows of 4 x width bytes. */
void         es_heat_frame_paint       (const EsHeatFrame *self, EsHeatmap *map, guint8 *pixels, gsize stride);

/* ---- with OpenGL; state of one heat map ---- */

typedef struct _EsHeatGl EsHeatGl;

/* ES_RENDER_ERROR_DEVICE where GL is missing, too old, or drawn in software and not asked for. */
EsHeatGl    *es_heat_gl_new            (GdkDisplay *display, GError **error);
void         es_heat_gl_free           (EsHeatGl *self);
/* Rows from .. to - 1 have changed; reset: everything is new. */
void         es_heat_gl_changed        (EsHeatGl *self, guint64 from, guint64 to);
void         es_heat_gl_reset          (EsHeatGl *self);
GdkTexture  *es_heat_gl_draw           (EsHeatGl *self, EsHeatmap *map, const EsHeatFrame *frame, GError **error);
/* How many rows were copied to the GPU so far: for the test that says so. */
guint64      es_heat_gl_get_uploaded   (EsHeatGl *self);
EsHeatGl    *es_heatmap_get_gl         (EsHeatmap *self);          /* nullable */

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsHeatFrame, es_heat_frame_clear)

G_END_DECLS
