/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "analyse/es-analyse-panel.h"
#include "es-data-tree.h"

G_BEGIN_DECLS

/* The left column: what there is (data), what the workspace adds to it, and what can be done with it (analyse). */
#define ES_TYPE_SIDEBAR (es_sidebar_get_type ())
G_DECLARE_FINAL_TYPE (EsSidebar, es_sidebar, ES, SIDEBAR, GtkBox)

EsDataTree     *es_sidebar_get_tree    (EsSidebar *self);
EsAnalysePanel *es_sidebar_get_analyse (EsSidebar *self);
/* What stands below the data, at least data_height pixels of them; the one before is hidden. Nullable. */
void            es_sidebar_set_section (EsSidebar *self, GtkWidget *section, int data_height);

G_END_DECLS
