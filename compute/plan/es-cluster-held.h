/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-cluster-plan.h"
#include "scaling/es-scaling.h"

G_BEGIN_DECLS

/*
 * A plan held against what was measured: runs of one operation by several numbers of processes on one machine
 * (es-scaling.h), each of which is planned as one node of so many processes.
 */
typedef struct _EsClusterHeld EsClusterHeld;

/* cluster: of whose node the runs are; NULL: this machine. A node of more threads than a run had is taken in part.
 * steps: of FastICA's iteration; 0: as many as the runs took. Errors as of es_cluster_work_new (). Transfer full. */
EsClusterHeld *es_cluster_held_new        (const char *operation, EsDataset *dataset, EsParams *params,
                                           const EsCluster *cluster, guint steps, EsScaling *measured, GError **error);
void           es_cluster_held_free       (EsClusterHeld *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsClusterHeld, es_cluster_held_free)

/* The cluster that it was planned for. */
const char    *es_cluster_held_get_name   (const EsClusterHeld *self);
/* A row a step and one of all; for each number of processes what was planned and measured (ms), and by how much the
 * plan is off (%, of what was measured). Steps that only one of both has are told where they are. Transfer full. */
EsTable       *es_cluster_held_make_table (const EsClusterHeld *self);
/* [{processes, planned_ms, measured_ms, off, steps: [{name, planned_ms, measured_ms, off}]}]; off: a fraction. */
JsonNode      *es_cluster_held_to_json    (const EsClusterHeld *self);

G_END_DECLS
