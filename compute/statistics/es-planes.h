/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube.h"
#include "layer/es-layer.h"

G_BEGIN_DECLS

/*
 * Planes of one size, wherever they come from: those of an EsImageStack, or the bands of an EsCube. What compares or
 * counts planes takes either, as GObject.
 */
gboolean es_planes_is         (gpointer object);               /* an image stack or a cube */
guint64  es_planes_get_width  (GObject *self);
guint64  es_planes_get_height (GObject *self);
guint    es_planes_get_n      (GObject *self);
/* "PC 1", "640.2 nm". Transfer full. */
char    *es_planes_get_title  (GObject *self, guint plane);
/* As es_image_stack_read () and es_cube_read_band (): NAN where missing. Blocking. */
gboolean es_planes_read       (GObject *self, guint plane, guint64 x, guint64 y, guint64 width, guint64 height,
                               guint step, float *out, GCancellable *cancellable, GError **error);

G_END_DECLS
