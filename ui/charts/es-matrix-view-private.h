/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plane/es-colormap.h"
#include "es-matrix-view.h"
#include "layer/es-matrix.h"

G_BEGIN_DECLS

struct _EsMatrixView
{
  GtkWidget       parent_instance;

  EsMatrix       *matrix;
  int            *matches;       /* column of each row; nullable */
  guint           n_rows, n_columns;
  double          minimum, maximum;
  EsColormap      colormap;

  gboolean        has_selected, has_hovered;
  guint           row, column, hovered_row, hovered_column;
  GtkWidget      *menu;          /* made when first asked for */
};

/* Where things lie, in widget pixels. */
typedef struct
{
  double x, y, cell;             /* of the first cell; cells are squares */
  int    row_title, column_title;
  double legend_x;
  gboolean row_titles, column_titles, legend, numbers;
} EsMatrixLayout;

/* es-matrix-view-draw.c */
EsMatrixLayout _es_matrix_view_get_layout (EsMatrixView *self);
/* More height is of no use. */
int    _es_matrix_view_get_tallest     (EsMatrixView *self);
void   _es_matrix_view_snapshot        (GtkWidget *widget, GtkSnapshot *snapshot);

/* es-matrix-view.c */
double _es_matrix_view_value           (EsMatrixView *self, guint row, guint column);

/* es-matrix-view-export.c: copying, saving, and the menu for both. */
void   _es_matrix_view_install_actions (GtkWidgetClass *klass);
void   _es_matrix_view_popup_menu      (EsMatrixView *self, double x, double y);

G_END_DECLS
