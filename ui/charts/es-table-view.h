/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "layer/es-table.h"

G_BEGIN_DECLS

/*
 * A table: numbers right-aligned in tabular figures, shares (unit "%") with a bar behind them. Ctrl+C copies
 * the selected rows, or all where none is selected, tab-separated. Action: table.copy.
 */
#define ES_TYPE_TABLE_VIEW (es_table_view_get_type ())
G_DECLARE_FINAL_TYPE (EsTableView, es_table_view, ES, TABLE_VIEW, GtkWidget)

/* most_height: what it grows to before it scrolls; -1: it fills the space it gets. */
GtkWidget *es_table_view_new       (int most_height);
void       es_table_view_set_table (EsTableView *self, EsTable *table);           /* nullable */

/* How much of texts is never cut, where they are that long: the table is then as wide as it must be and scrolls. 0:
 * they are cut to the room there is. Before there are columns. */
void       es_table_view_set_least_text (EsTableView *self, int characters);
/* For a narrow place: small, and the units below the titles. Before there are columns. */
void       es_table_view_set_compact (EsTableView *self, gboolean compact);

/* The same for rows that are no layer: n_rows x n_columns texts, row by row. */
void       es_table_view_set_cells (EsTableView *self, guint n_columns, const char * const *titles,
                                    const gboolean *numeric, guint n_rows, const char * const *cells);
guint      es_table_view_get_n_rows (EsTableView *self);
/* Tab-separated, header row. Transfer full. */
char      *es_table_view_to_text   (EsTableView *self);

G_END_DECLS
