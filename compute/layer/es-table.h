/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-layer.h"

G_BEGIN_DECLS

/* Columns of texts and of numbers. */
#define ES_TYPE_TABLE (es_table_get_type ())
G_DECLARE_FINAL_TYPE (EsTable, es_table, ES, TABLE, EsLayer)

guint         es_table_get_n_columns  (EsTable *self);
guint         es_table_get_n_rows     (EsTable *self);
const char   *es_table_get_column_title (EsTable *self, guint column);
const char   *es_table_get_column_unit (EsTable *self, guint column);             /* nullable */
/* Text columns answer NAN as value; number columns their text formatted with the column's digits. */
const char   *es_table_get_text       (EsTable *self, guint row, guint column);
double        es_table_get_value      (EsTable *self, guint row, guint column);
/* "a": the sign of a footnote at a cell, beside its text; whoever shows the table tells what it says. NULL: none. */
const char   *es_table_get_mark       (EsTable *self, guint row, guint column);

G_END_DECLS
