/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "es-ladder-walk.h"
#include "plot/es-plot.h"

G_BEGIN_DECLS

/* The roofline of the device: what memory and arithmetic allow, and where each rung stands that may be seen. A click on
 * a point looks at its rung. */
#define ES_TYPE_LADDER_ROOFS (es_ladder_roofs_get_type ())
G_DECLARE_FINAL_TYPE (EsLadderRoofs, es_ladder_roofs, ES, LADDER_ROOFS, GtkWidget)

GtkWidget *es_ladder_roofs_new      (EsLadderWalk *walk, int height);
EsPlot    *es_ladder_roofs_get_plot (EsLadderRoofs *self);
/* The rung of a point of the plot; -1: it is none. */
int        es_ladder_roofs_find     (EsLadderRoofs *self, guint series, guint point);

G_END_DECLS
