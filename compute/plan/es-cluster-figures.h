/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/es-params.h"
#include "es-cluster.h"

G_BEGIN_DECLS

/*
 * The figures of a cluster as parameters that a person changes: "nodes", "processes", "threads", "speed" (of a thread,
 * 1: as it is), "memory" (GB), "cards" (of clusters that have some), "latency" (µs), "bandwidth" (GB/s), "disk", and
 * where there is one "read", "write", "node-read", "node-write" (GB/s); "start", "start-process" (s). Defaults are
 * those of the cluster. Transfer full.
 */
EsParams  *es_cluster_figures_new   (const EsCluster *cluster);
/* The cluster with what was changed of it. More threads are as many more units and memory channels; with cards a
 * process is one card's. Transfer full. */
EsCluster *es_cluster_figures_apply (EsParams *figures, const EsCluster *cluster);

G_END_DECLS
