/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "session/es-session.h"
#include "session/es-shown.h"

G_BEGIN_DECLS

/*
 * What is open: data sets, their results, and the pictures of these. The row that the person chooses is shown; what is
 * shown is the row that is selected, and has the eye. The context menu and Delete activate actions of the window
 * ("win.remove" ...), which act on what is shown.
 */
#define ES_TYPE_DATA_TREE (es_data_tree_get_type ())
G_DECLARE_FINAL_TYPE (EsDataTree, es_data_tree, ES, DATA_TREE, GtkWidget)

/* Once. */
void      es_data_tree_set_session  (EsDataTree *self, EsSession *session, EsShown *shown);
/* Selects the row of a data set, result or layer (unfolding what it lies in), as a click would. FALSE: not there. */
gboolean  es_data_tree_select       (EsDataTree *self, GObject *item);
/* What is selected; borrowed, nullable. */
GObject  *es_data_tree_get_selected (EsDataTree *self);
/* Rows there are, folded ones not counted. */
guint     es_data_tree_get_n_rows   (EsDataTree *self);

G_END_DECLS
