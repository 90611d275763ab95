/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-cube.h"

G_BEGIN_DECLS

/* What takes part of a cube by now, for whoever reads it beside operations (which are given a part of it). Any
 * thread. */

/* Its bands: bands booleans; the good ones where the list cannot be read. Transfer full. */
gboolean *es_cube_dup_taken   (EsCube *self);
/* The pixels of a region that take part. NULL: none does (ES_DATA_ERROR_EMPTY), or ES_COMPUTE_ERROR_PARAMETER,
 * ES_COMPUTE_ERROR_MEMORY. Transfer full. */
EsRegion *es_cube_cut_region  (EsCube *self, EsRegion *region, GError **error);
/* Why what is told beside its file was not taken, one sentence; NULL: it was, there is nothing, or somebody has told
 * something else instead. Transfer full. */
char     *es_cube_dup_refused (EsCube *self);

G_END_DECLS
