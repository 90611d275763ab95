/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/es-params.h"
#include "plan/es-cluster-plan.h"

G_BEGIN_DECLS

/*
 * What is planned: an operation with its parameters, data that are open or a shape of some, a cluster and its figures;
 * and the plan that follows. Main context.
 *
 * Signals: "changed": something was chosen, and the plan is another one; before it "parameters" where it is another
 * operation, and "figures" where it is another cluster.
 */
#define ES_TYPE_CLUSTER_CHOICE (es_cluster_choice_get_type ())
G_DECLARE_FINAL_TYPE (EsClusterChoice, es_cluster_choice, ES, CLUSTER_CHOICE, GObject)

EsClusterChoice *es_cluster_choice_new             (void);

/* One of es_cluster_work_list (). */
void             es_cluster_choice_set_operation   (EsClusterChoice *self, const char *id);
const char      *es_cluster_choice_get_operation   (EsClusterChoice *self);
EsDatasetKind    es_cluster_choice_get_takes       (EsClusterChoice *self);
/* Of the operation. Borrowed. */
EsParams        *es_cluster_choice_get_params      (EsClusterChoice *self);

/* Data that are open; NULL: there is a shape in their place. */
void             es_cluster_choice_set_dataset     (EsClusterChoice *self, EsDataset *dataset);
EsDataset       *es_cluster_choice_get_dataset     (EsClusterChoice *self);      /* borrowed, nullable */
/* Of the kind that the operation takes; array: of recordings. */
void             es_cluster_choice_set_shape       (EsClusterChoice *self, const char *shape);
const char      *es_cluster_choice_get_shape       (EsClusterChoice *self);
void             es_cluster_choice_set_array       (EsClusterChoice *self, const char *array);
const char      *es_cluster_choice_get_array       (EsClusterChoice *self);

/* An installed cluster, by its name. */
void             es_cluster_choice_set_installed   (EsClusterChoice *self, const char *name);
/* This machine: it and its network are measured on a thread meanwhile. */
void             es_cluster_choice_set_here        (EsClusterChoice *self);
/* It is being: there is no plan yet, and that is no fault. */
gboolean         es_cluster_choice_is_measuring    (EsClusterChoice *self);
/* FALSE: it is none, and what was chosen stays. */
gboolean         es_cluster_choice_load            (EsClusterChoice *self, GFile *file, GError **error);
/* One that is there, which it takes; source: what it is. */
void             es_cluster_choice_set_cluster     (EsClusterChoice *self, EsCluster *cluster, const char *source);
/* "sixty-four", "here", "" of a file. */
const char      *es_cluster_choice_get_source      (EsClusterChoice *self);
/* What the cluster is called; NULL: there is none. */
const char      *es_cluster_choice_get_name        (EsClusterChoice *self);
/* As its file has it; NULL: there is none. Borrowed. */
const EsCluster *es_cluster_choice_get_told        (EsClusterChoice *self);
/* es_cluster_figures_new (); NULL: there is no cluster. Borrowed. */
EsParams        *es_cluster_choice_get_figures     (EsClusterChoice *self);
/* With what was changed of it; NULL: there is none. Borrowed until "changed". */
const EsCluster *es_cluster_choice_get_cluster     (EsClusterChoice *self);

/* Borrowed until "changed"; NULL: there is none, for a reason in a sentence. */
const EsClusterPlan *es_cluster_choice_get_plan    (EsClusterChoice *self);
const char          *es_cluster_choice_get_fault   (EsClusterChoice *self);

G_END_DECLS
