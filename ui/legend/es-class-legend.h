/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "cube/es-cube.h"

G_BEGIN_DECLS

/* The legend of a classification: colour, number, name and pixels of every class, which are counted in the background;
 * and a button that adds them to a cube (action "win.add-classes"). */
#define ES_TYPE_CLASS_LEGEND (es_class_legend_get_type ())
G_DECLARE_FINAL_TYPE (EsClassLegend, es_class_legend, ES, CLASS_LEGEND, GtkBox)

GtkWidget  *es_class_legend_new        (void);
/* NULL, or a cube that is no classification: nothing is shown. */
void        es_class_legend_set_cube   (EsClassLegend *self, EsCube *cube);
/* Of EsClassRow (es-class-row.h). Borrowed. */
GListModel *es_class_legend_get_rows   (EsClassLegend *self);
gboolean    es_class_legend_is_busy    (EsClassLegend *self);
/* "8 classes", for its heading. Transfer full; NULL where there is nothing. */
char       *es_class_legend_describe   (EsClassLegend *self);

G_END_DECLS
