/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "es-cluster-choice.h"

G_BEGIN_DECLS

/*
 * What follows of a choice: sentences, time and efficiency by nodes, what it goes to, the steps with the number of
 * nodes that is looked at, tables. Where there is no plan: why.
 */
#define ES_TYPE_CLUSTER_RESULTS (es_cluster_results_get_type ())
G_DECLARE_FINAL_TYPE (EsClusterResults, es_cluster_results, ES, CLUSTER_RESULTS, GtkBox)

GtkWidget *es_cluster_results_new       (EsClusterChoice *choice);
/* How many nodes are looked at, 1..ES_CLUSTER_MOST_NODES: those of the cluster at first. */
guint      es_cluster_results_get_nodes (EsClusterResults *self);
void       es_cluster_results_set_nodes (EsClusterResults *self, guint nodes);

G_END_DECLS
