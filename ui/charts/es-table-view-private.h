/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-table-view.h"

G_BEGIN_DECLS

#define ES_TYPE_TABLE_ROW (es_table_row_get_type ())
G_DECLARE_FINAL_TYPE (EsTableRow, es_table_row, ES, TABLE_ROW, GObject)

struct _EsTableRow
{
  GObject   parent_instance;

  char    **texts;
  char    **marks;              /* one a column, nullable; NULL: there are none */
  double   *values;
};

typedef struct
{
  char    *title;
  gboolean numeric;
  gboolean share;
  int      least;                    /* characters of texts that are never cut */
} EsTableColumn;

struct _EsTableView
{
  GtkWidget          parent_instance;

  GtkWidget         *scroller;
  GtkWidget         *view;
  GListStore        *rows;
  GtkMultiSelection *selection;
  GArray            *columns;
  gboolean           compact;
  int                least_text;
  gboolean           wide;             /* wider than its place */
  guint              idle;
};

/* es-table-view-columns.c. Clears what a column holds. */
void _es_table_column_clear    (gpointer column);
/* How much of the longest text of each of n columns is never cut; rows: of EsTableRow. */
void _es_table_view_find_least (EsTableView *self, guint n, EsTableColumn *columns, GPtrArray *rows);
/* Takes the titles. Columns that stay the same are kept, so that widths and scroll place stay. */
void _es_table_view_set_columns (EsTableView *self, guint n, EsTableColumn *columns);

G_END_DECLS
