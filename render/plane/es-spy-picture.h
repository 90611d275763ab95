/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-colormap.h"

G_BEGIN_DECLS

/*
 * A spy picture: where the nonzeros of a sparse matrix lie, counted in cells (es_sparse_matrix_count_cells ()). A cell
 * without any is the ground; one with a single nonzero stands out from it whatever others hold, and from there to the
 * fullest the scale is logarithmic. Grey: black on white. Other maps: on black, from their lower third to their end.
 */

/* How far a cell of n nonzeros is from one with a single one to the fullest, with `most`: 0 to 1. Of none 0, too. */
double es_spy_picture_get_share   (guint32 n, guint32 most);
/* A picture in the shape of n_rows x n_columns, `longest` pixels at its longer side and 16 at least at the other. */
void   es_spy_picture_choose_size (gsize n_rows, gsize n_columns, guint longest, guint *width, guint *height);
/* columns x rows cells, enlarged to width x height pixels of 4 bytes (red, green, blue, 255), row by row. */
void   es_spy_picture_paint       (const guint32 *cells, guint columns, guint rows, EsColormap map, guint width,
                                   guint height, guint8 *pixels);

G_END_DECLS
