/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-drawing.h"
#include "plan/es-cluster-plan.h"

G_BEGIN_DECLS

/* Times over the number of nodes, both logarithmic: as it is planned, as it would be if it scaled, and what of it each
 * cause is; marks where the cluster ends and where nodes are no longer half used. */
EsDrawing *es_cluster_draw_curve (const EsClusterPlan *plan);
/* A file that needs nothing beside it: sentences, curve, tables. Transfer full. */
char      *es_cluster_page_make  (const EsClusterPlan *plan);
/* Whether the name of a file ends as one of those below (.html, .htm, .csv or .json). */
gboolean   es_cluster_page_knows (const char *name);
/* By the ending of its name: a table of every number of nodes (.csv), everything (.json), else that page. Writes beside
 * the file and renames. ES_DATA_ERROR_WRITE. */
gboolean   es_cluster_page_write (const EsClusterPlan *plan, GFile *file, GError **error);

G_END_DECLS
