/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube.h"

G_BEGIN_DECLS

/*
 * Sets of pixels of a cube, of files that a person names. Blocking.
 *
 * A raster of one band and the cube's size is a mask: the pixels that are neither 0 nor no-data, or with a name ("3")
 * those of that value. A file of classes (es_region_set_save ()) has them by name, and all of them together without
 * one. What was read is in the set, and the file is not looked at again. ES_DATA_ERROR: one sentence that names the
 * file. Transfer full.
 */
EsPixelSet *es_cube_open_pixels  (EsCube *cube, gboolean outside, GFile *file, const char *name,
                                  GCancellable *cancellable, GError **error);
/* "inside:mask.tif", "outside:classes.json#Water", "inside:rectangle 0 0 20 10"; without a word before it, inside. A
 * file is named from where the program runs. ES_COMPUTE_ERROR_PARAMETER where it is neither a file nor a region. */
EsPixelSet *es_cube_parse_pixels (EsCube *cube, const char *text, GCancellable *cancellable, GError **error);

G_END_DECLS
