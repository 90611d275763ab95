/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "matrix/es-sparse-matrix.h"
#include "plot/es-plot.h"

G_BEGIN_DECLS

/* How many rows have how many nonzeros, by powers of two; empty rows have no place there, and are told among the facts.
 * The matrix has been gone through. Transfer full. */
EsPlot *es_matrix_lengths_plot_new (EsSparseMatrix *matrix);

G_END_DECLS
