/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plan/es-cluster-plan.h"
#include "plot/es-plot.h"

G_BEGIN_DECLS

/* Time by nodes, both by decades: planned, and if it scaled; on the right the efficiency. One marker, which can be
 * dragged: the number of nodes that is looked at. What is in the plot already goes. */
void es_cluster_chart_time   (EsPlot *plot, const EsClusterPlan *plan, guint nodes);
/* What of that time goes to what, of the causes that can be seen. */
void es_cluster_chart_causes (EsPlot *plot, const EsClusterPlan *plan);

/* Steps with one node and with so many, as bars on a logarithmic axis: their height, and themselves. */
int  es_cluster_chart_steps_height (const EsClusterPlan *plan, guint nodes);
void es_cluster_chart_steps  (const EsClusterPlan *plan, guint nodes, cairo_t *cr, int width, int height,
                              const EsPlotColors *colors);

G_END_DECLS
