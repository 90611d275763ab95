/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "layer/es-curve.h"
#include "layer/es-matrix.h"
#include "layer/es-table.h"

G_BEGIN_DECLS

/* The whole of a curve, a table or a matrix as CSV. Transfer full. */
GString *es_text_curve  (EsCurve *curve);
GString *es_text_table  (EsTable *table);
GString *es_text_matrix (EsMatrix *matrix);

G_END_DECLS
