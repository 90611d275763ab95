/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-cluster-work.h"
#include "layer/es-table.h"

G_BEGIN_DECLS

/*
 * How long the processes of a cluster take for an analysis.
 *
 * A pass of p nodes takes as long as its slowest process: by the largest of what it needs disk, link, memory and
 * arithmetic for, which overlap; of a single thread of a processor, which reads before it computes, the disk and the
 * rest one after the other. On a processor copying samples out of the system's cache takes a thread's time as
 * arithmetic does. What has been read before and fits into half of a node's memory, or into a card's, is not read
 * again. Then come its messages, and what every process does alone.
 *
 * A sum of B bytes in R processes is the better one of doubling, ceil (log2 R) (L + B / W), and of scattering and
 * gathering, 2 ceil (log2 R) L + 2 B (R - 1) / (R W); a broadcast of doubling and of ceil (log2 R) + R - 1 latencies
 * and 2 B (R - 1) / (R W); gathering all that all have is ceil (log2 R) L + B (R - 1) / (R W): Thakur, Rabenseifner,
 * Gropp, Optimization of Collective Communication Operations in MPICH, Int. J. High Perform. Comput. Appl. 19 (2005).
 * Processes of one node tell each other by its memory, before and behind that.
 */

/* What time goes to. */
typedef enum
{
  ES_CLUSTER_ARITHMETIC,
  ES_CLUSTER_COPY,             /* out of the system's cache, and into files */
  ES_CLUSTER_MEMORY,
  ES_CLUSTER_LINK,
  ES_CLUSTER_LAUNCHES,
  ES_CLUSTER_READ,             /* the disk */
  ES_CLUSTER_WRITE,
  ES_CLUSTER_NETWORK,
  ES_CLUSTER_SERIAL,           /* what every process does all of */
  ES_CLUSTER_PIECES,           /* some have a piece more than others, or there are fewer pieces than processes */
  ES_CLUSTER_START,
  ES_N_CLUSTER_CAUSES
} EsClusterCause;

/* Of a step, or of all of them: seconds, and of each cause. */
typedef struct
{
  double seconds;
  double of[ES_N_CLUSTER_CAUSES];
} EsClusterTime;

typedef struct
{
  EsClusterWork *work;         /* borrowed, as is the cluster */
  const EsCluster *cluster;
  EsClusterTime *times;        /* of 1 .. ES_CLUSTER_MOST_NODES nodes, from [0] on */
  guint          useful;       /* the most nodes that are at least half used */
  guint          fastest;      /* the fewest nodes of those that take least */
  EsClusterCause why;          /* what most of the time is lost to, with one node more than `useful`, or with all */
} EsClusterPlan;

/* Borrows both. Pure. Transfer full. */
EsClusterPlan *es_cluster_plan_new  (EsClusterWork *work, const EsCluster *cluster);
void           es_cluster_plan_free (EsClusterPlan *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsClusterPlan, es_cluster_plan_free)

/* steps: work->n, what each takes; nullable. nodes: 1 and more. Pure. */
EsClusterTime  es_cluster_plan_time       (const EsClusterWork *work, const EsCluster *cluster, guint nodes,
                                           EsClusterTime *steps);
/* Of 1 node against so many, by their number. */
double         es_cluster_plan_efficiency (const EsClusterPlan *self, guint nodes);
/* What it costs, in hours of a node: so many nodes for that time. */
double         es_cluster_plan_node_hours (const EsClusterPlan *self, guint nodes);
/* Bytes of the data set's file that the busiest node goes through; *kept: they stay in its memory, or in its cards'. */
double         es_cluster_plan_node_bytes (const EsClusterPlan *self, guint nodes, gboolean *kept);
/* What most of it goes to. */
EsClusterCause es_cluster_time_get_cause  (const EsClusterTime *time);
/* Seconds of a sum, of a broadcast, and of gathering what comes to so many bytes, in all processes of so many nodes. */
double         es_cluster_sum_seconds     (const EsCluster *cluster, guint nodes, double bytes);
double         es_cluster_broadcast_seconds (const EsCluster *cluster, guint nodes, double bytes);
double         es_cluster_gather_seconds  (const EsCluster *cluster, guint nodes, double bytes);

/* ---- as it is told (es-cluster-plan-tell.c) ---- */

/* "disk-read", in files; and for people, translated: "reading the disk". */
const char    *es_cluster_cause_get_name  (EsClusterCause cause);
const char    *es_cluster_cause_get_title (EsClusterCause cause);
/* The numbers of nodes that are shown: powers of two, those of the cluster, the useful and the fastest; ascending. */
GArray        *es_cluster_plan_list_shown (const EsClusterPlan *self);
/* nodes, processes, seconds, speed-up, efficiency, node-hours, what it goes to; all: of every number. Transfer full. */
EsTable       *es_cluster_plan_make_table (const EsClusterPlan *self, gboolean all);
/* step, work, seconds with 1 node and with so many (of more than one), what it goes to. Transfer full. */
EsTable       *es_cluster_plan_make_steps (const EsClusterPlan *self, guint nodes);
/* Sentences, NULL-terminated: how far it scales, why no farther, what is fastest. Transfer full. */
char         **es_cluster_plan_describe   (const EsClusterPlan *self);
/* The same of so many nodes: how long, what it costs, what most of it is, what of the data a node holds. */
char         **es_cluster_plan_describe_nodes (const EsClusterPlan *self, guint nodes);
/* A sentence about what its times come from: speeds that were measured, or shares of rates. Static. */
const char    *es_cluster_plan_describe_basis (const EsClusterPlan *self);
JsonNode      *es_cluster_plan_to_json    (const EsClusterPlan *self);

G_END_DECLS
