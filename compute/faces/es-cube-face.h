/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube.h"

G_BEGIN_DECLS

/* Bands of a cube by wavelength, ascending, or by number where it has none. Counted; immutable, any thread. */
typedef struct
{
  guint     n;
  guint    *bands;               /* n, from 0 */
  gboolean *taken;               /* n: it takes part; else there is a gap */
  guint     step;                /* every so manieth one of them, where they are too many to be drawn */
} EsBandOrder;

/* all FALSE: those alone that take part, where any does. */
EsBandOrder *es_band_order_new   (EsCube *cube, gboolean all);
EsBandOrder *es_band_order_ref   (EsBandOrder *self);
void         es_band_order_unref (EsBandOrder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsBandOrder, es_band_order_unref)
/* No more are drawn. */
#define ES_BAND_ORDER_MOST 2048

/* What lies across the bands along one row or column of pixels. Counted; immutable, any thread. */
typedef struct
{
  gboolean  row;                 /* along x at a y; else along y at an x */
  guint64   at;
  guint64   length;              /* of the cube that way */
  guint     step;                /* every so manieth pixel of it */
  guint     columns;             /* ceil (length / step) */
  guint     rows;                /* as many as the order has bands */
  float    *values;              /* rows x columns, scaled; NAN where missing, and in gaps */
} EsCubeFace;

/* The whole of it, in steps of so many pixels that it has no more than `most` columns. Blocking; reads one pixel after
 * another where it steps. Errors as of es_cube_read_band (). Transfer full. */
EsCubeFace  *es_cube_read_face   (EsCube *cube, const EsBandOrder *order, gboolean row, guint64 at, guint most,
                                  GCancellable *cancellable, GError **error);
EsCubeFace  *es_cube_face_ref    (EsCubeFace *self);
void         es_cube_face_unref  (EsCubeFace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsCubeFace, es_cube_face_unref)

G_END_DECLS
