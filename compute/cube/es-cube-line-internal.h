/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-cube-internal.h"

G_BEGIN_DECLS

/* What lines through a cube are asked for: some bands of a small window, and how long they are. */

/* n bands of a window as float32, n x height x width, scaled, NAN where missing. Blocking. Where bands are interleaved
 * and many are wanted, the window is read once for all of them. */
gboolean es_cube_reader_read_bands (EsCubeReader *self, const EsCubeWindow *window, guint n, const guint *bands,
                                    float *out, GCancellable *cancellable, GError **error);
/* Metres from one pixel's centre to another's along a straight line of the map; 0 where not known. */
double   es_cube_measure_metres    (EsCube *self, double x0, double y0, double x1, double y1);

G_END_DECLS
