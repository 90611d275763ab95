/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "layer/es-table.h"

G_BEGIN_DECLS

/*
 * How well a reduction keeps what lies beside what, a measure a row, and beside it the same of other reductions of the
 * same samples. The table has a reduction a row: its name, and numbers.
 */
#define ES_TYPE_EMBEDDING_PANE (es_embedding_pane_get_type ())
G_DECLARE_FINAL_TYPE (EsEmbeddingPane, es_embedding_pane, ES, EMBEDDING_PANE, GtkWidget)

GtkWidget *es_embedding_pane_new       (void);
void       es_embedding_pane_set_table (EsEmbeddingPane *self, EsTable *table);       /* nullable */
/* "Trustworthiness 0.98": the first measure of the first reduction; NULL: there is no table. Transfer full. */
char      *es_embedding_pane_describe  (EsEmbeddingPane *self);
/* As it is shown, tab-separated. Transfer full. */
char      *es_embedding_pane_to_text   (EsEmbeddingPane *self);

G_END_DECLS
