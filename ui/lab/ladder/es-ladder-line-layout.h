/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Columns of all rows, and of the heading above them, in the order of their children. */
typedef enum
{
  ES_LADDER_COLUMN_TITLE,
  ES_LADDER_COLUMN_BAR,
  ES_LADDER_COLUMN_TIME,
  ES_LADDER_COLUMN_BELOW,
  ES_LADDER_COLUMN_FIRST,
  ES_LADDER_COLUMN_PUBLISHED,
  ES_LADDER_COLUMN_GUESS,
  ES_LADDER_N_COLUMNS
} EsLadderColumn;

/* A child a column, those that are hidden take no room. How wide a column is follows from the whole width and the size
 * of digits alone, so that lines of any content and height stand below each other. */
#define ES_TYPE_LADDER_LINE_LAYOUT (es_ladder_line_layout_get_type ())
G_DECLARE_FINAL_TYPE (EsLadderLineLayout, es_ladder_line_layout, ES, LADDER_LINE_LAYOUT, GtkLayoutManager)

GtkLayoutManager *es_ladder_line_layout_new (void);

G_END_DECLS
