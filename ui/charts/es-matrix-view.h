/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "layer/es-matrix.h"

G_BEGIN_DECLS

/*
 * A matrix as a heat map: rows down, columns across, their titles beside them, a colour legend, and the numbers where
 * there is room for them. The pointer's cell says its titles and value; a click, or the arrow keys and Return, chooses
 * a cell. Signals: "cell-activated" (guint row, guint column). Actions: matrix.copy (tab-separated),
 * matrix.copy-picture, matrix.save (CSV), matrix.save-picture (PNG).
 */
#define ES_TYPE_MATRIX_VIEW (es_matrix_view_get_type ())
G_DECLARE_FINAL_TYPE (EsMatrixView, es_matrix_view, ES, MATRIX_VIEW, GtkWidget)

GtkWidget *es_matrix_view_new         (void);
void       es_matrix_view_set_matrix  (EsMatrixView *self, EsMatrix *matrix);           /* nullable */
EsMatrix  *es_matrix_view_get_matrix  (EsMatrixView *self);
/* Outlined: for each row the column it is matched with, or -1; as many as the matrix has rows. NULL: none. */
void       es_matrix_view_set_matches (EsMatrixView *self, const int *columns);
/* The cell that the arrow keys move; FALSE: none. */
void       es_matrix_view_select      (EsMatrixView *self, guint row, guint column);
gboolean   es_matrix_view_get_selected (EsMatrixView *self, guint *row, guint *column);
/* The cell under a point of the widget; FALSE: none. */
gboolean   es_matrix_view_pick        (EsMatrixView *self, double x, double y, guint *row, guint *column);
/* "IC 3 · True abundance 2: r = −0.93": of a cell. Transfer full. */
char      *es_matrix_view_describe    (EsMatrixView *self, guint row, guint column);
/* Header row, one row a row. separator: '\t' or ','. Transfer full. */
char      *es_matrix_view_to_text     (EsMatrixView *self, char separator);

G_END_DECLS
