/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-layer.h"

G_BEGIN_DECLS

/* Correlations, covariances: rows x columns of float64. */
#define ES_TYPE_MATRIX (es_matrix_get_type ())
G_DECLARE_FINAL_TYPE (EsMatrix, es_matrix, ES, MATRIX, EsLayer)

guint         es_matrix_get_n_rows     (EsMatrix *self);
guint         es_matrix_get_n_columns  (EsMatrix *self);
const double *es_matrix_get_values     (EsMatrix *self);     /* row-major; NAN where there is none */
const char   *es_matrix_get_row_title  (EsMatrix *self, guint row);          /* "IC 3" */
const char   *es_matrix_get_column_title (EsMatrix *self, guint column);
/* What the rows and the columns are ("FastICA 10", "True abundances"); nullable. */
const char   *es_matrix_get_rows_title (EsMatrix *self);
const char   *es_matrix_get_columns_title (EsMatrix *self);
/* The range of colours, -1..1 for correlations; NAN: the values' own. */
void          es_matrix_get_range      (EsMatrix *self, double *minimum, double *maximum);

G_END_DECLS
