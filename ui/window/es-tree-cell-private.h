/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A row of the data tree: fold arrow, icon of the kind, name, what tells a result from its neighbours, and an eye where
 * it is what the viewer shows. */
#define ES_TYPE_TREE_CELL (es_tree_cell_get_type ())
G_DECLARE_FINAL_TYPE (EsTreeCell, es_tree_cell, ES, TREE_CELL, GtkWidget)

GtkWidget *es_tree_cell_new          (void);
/* item: of a GtkTreeListRow whose own item is a data set, result or layer. results: of a result, all of its data set,
 * from which it is told apart (nullable). */
void       es_tree_cell_bind         (EsTreeCell *self, GtkListItem *item, GListModel *results);
void       es_tree_cell_unbind       (EsTreeCell *self);
/* GTK_INVALID_LIST_POSITION while not bound. */
guint      es_tree_cell_get_position (EsTreeCell *self);
void       es_tree_cell_set_shown    (EsTreeCell *self, GObject *shown);

G_END_DECLS
