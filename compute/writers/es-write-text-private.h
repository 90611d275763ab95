/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "layer/es-curve.h"
#include "layer/es-matrix.h"
#include "layer/es-table.h"
#include "layer/es-verdict.h"

G_BEGIN_DECLS

/* The whole of a curve, a table or a matrix as CSV. Transfer full. */
GString *es_text_curve  (EsCurve *curve);
GString *es_text_table  (EsTable *table);
GString *es_text_matrix (EsMatrix *matrix);
/* A verdict's sentences with their rules and numbers, for people; and all of it as members of its layer in
 * result.json. */
GString *es_text_verdict (EsVerdict *verdict);
void     es_write_describe_verdict (JsonObject *object, EsVerdict *verdict);

G_END_DECLS
