/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-sparse-matrix.h"

G_BEGIN_DECLS

/* A part of a matrix: rows and columns from those on. */
typedef struct { gsize row, n_rows, column, n_columns; } EsMatrixWindow;

/*
 * How many nonzeros of a window lie in each of width x height cells, row-major: es_sparse_matrix_count_cells () of a
 * part of a matrix. Cell (r, c) has rows from window.row + r * window.n_rows / height on. The window lies within the
 * matrix and is not empty. FALSE with G_IO_ERROR_CANCELLED. Any thread.
 */
gboolean es_matrix_window_count_cells (EsSparseMatrix *matrix, const EsMatrixWindow *window, guint width, guint height,
                                       guint32 *cells, GCancellable *cancellable, GError **error);

G_END_DECLS
