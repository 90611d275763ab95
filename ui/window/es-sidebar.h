/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "analyse/es-analyse-panel.h"
#include "hydrophones/es-array-pane.h"
#include "es-data-tree.h"

G_BEGIN_DECLS

/* The left column: what there is (data), where the hydrophones of a recording are (array), and what can be done with it
 * (analyse). */
#define ES_TYPE_SIDEBAR (es_sidebar_get_type ())
G_DECLARE_FINAL_TYPE (EsSidebar, es_sidebar, ES, SIDEBAR, GtkBox)

EsDataTree     *es_sidebar_get_tree    (EsSidebar *self);
EsAnalysePanel *es_sidebar_get_analyse (EsSidebar *self);
EsArrayPane    *es_sidebar_get_array   (EsSidebar *self);
/* The array is shown. */
void            es_sidebar_set_sonar   (EsSidebar *self, gboolean sonar);

G_END_DECLS
