/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "es-cluster-choice.h"
#include "session/es-session.h"

G_BEGIN_DECLS

/*
 * Where a person chooses what is planned: operation, data of the session or a shape, parameters; a cluster with its
 * figures. Acts at once. Offers the action "win.lab-open-cluster".
 */
#define ES_TYPE_CLUSTER_FORM (es_cluster_form_get_type ())
G_DECLARE_FINAL_TYPE (EsClusterForm, es_cluster_form, ES, CLUSTER_FORM, GtkBox)

GtkWidget *es_cluster_form_new (EsClusterChoice *choice, EsSession *session);

G_END_DECLS
