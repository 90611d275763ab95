/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube.h"
#include "layer/es-image-stack.h"

G_BEGIN_DECLS

/*
 * Parts of a plane at the level of its pyramid that a view needs. A sample of level n is the mean of the valid ones of
 * 2^n x 2^n pixels (fewer at the right and lower edge), all of them, NAN where there is none: what
 * es_cube_read_band_means () gives where it reads every row.
 */
typedef struct
{
  guint   level;               /* 0: the samples themselves; at most ES_LEVEL_LAST */
  guint64 x, y;                /* in samples of the level */
  guint64 width, height;
} EsLevelWindow;

#define ES_LEVEL_LAST 20

/* How many samples of a level a side of so many pixels has. */
guint64  es_level_length     (guint64 pixels, guint level);

/* width x height floats. Blocking; any thread. Of a cube whose levels are kept (es-kept-levels.h) they are read from
 * there. */
gboolean es_level_read_cube  (EsCube *cube, guint band, const EsLevelWindow *window, float *out,
                              GCancellable *cancellable, GError **error);
gboolean es_level_read_stack (EsImageStack *stack, guint plane, const EsLevelWindow *window, float *out,
                              GCancellable *cancellable, GError **error);

/* The whole band at a level in a hurry, to be looked at until it is there: the file's own overviews, by whatever method
 * they were made, or means of one row of pixels a cell. */
gboolean es_level_glance_cube (EsCube *cube, guint band, guint level, float *out, GCancellable *cancellable,
                               GError **error);

G_END_DECLS
