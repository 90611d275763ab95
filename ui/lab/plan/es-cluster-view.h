/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "es-cluster-choice.h"
#include "session/es-session.h"

G_BEGIN_DECLS

/*
 * A plan for a cluster: the form on the left, what follows beside it. Actions that it offers: "win.lab-back",
 * "win.lab-save-plan" ("html", "csv", "json", "cluster") and those of the form.
 */
#define ES_TYPE_CLUSTER_VIEW (es_cluster_view_get_type ())
G_DECLARE_FINAL_TYPE (EsClusterView, es_cluster_view, ES, CLUSTER_VIEW, GtkWidget)

GtkWidget       *es_cluster_view_new        (EsSession *session);
EsClusterChoice *es_cluster_view_get_choice (EsClusterView *self);     /* borrowed */

G_END_DECLS
