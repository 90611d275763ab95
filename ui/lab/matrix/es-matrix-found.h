/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "matrix/es-sparse-matrix.h"
#include "result/es-result.h"

G_BEGIN_DECLS

/* What an operation has found of a matrix, appended to a column: its sentences, and its layers one below the other.
 * Into places goes where each layer is shown (EsLayer -> GtkWidget, borrowed). */
void es_matrix_found_add (GtkBox *column, EsSparseMatrix *matrix, EsResult *result, GHashTable *places);

G_END_DECLS
