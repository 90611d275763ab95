/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/es-params.h"
#include "dataset/es-dataset.h"
#include "es-cluster.h"

G_BEGIN_DECLS

/* Pieces that are gathered come in rounds of no more bytes, all processes together. */
#define ES_CLUSTER_ROUND_BYTES (64.0 * 1048576)
/* What FastICA is expected to take. */
#define ES_CLUSTER_STEPS 30

/* Of the work of a step what is of one kind. */
typedef struct
{
  EsClusterKind kind;
  double        operations;    /* that the hot spot does: without what it saves by symmetries */
  double        samples, values;
} EsClusterPart;

#define ES_CLUSTER_PARTS 2

/* A step of an analysis, as it is in the step table of its result: what it does, and what its processes tell each
 * other. Amounts are those of all processes together, and of all its repeats. */
typedef struct
{
  const char *name, *title;    /* "covariance", N_("Covariance"): static */
  double      file_bytes;      /* read, as they are stored */
  gboolean    again;           /* and have been before, by the same processes */
  double      written_bytes;   /* into the result's files, in place, by each process its part */
  double      memory_bytes;    /* through the memory of who computes */
  double      operations;      /* a multiplication and an addition are two */
  EsWorkType  type;
  double      link_back;       /* bytes that come back from cards */
  double      launches;        /* of kernels one after the other, whatever the number of processes */
  gboolean    joined;          /* done with the tiles of the step before, between its reading and its messages */
  gboolean    serial;          /* every process does all of it */
  guint       threads;         /* of a process; 0: all it has */
  guint64     pieces;          /* that are shared out, none divided */
  guint64     turn;            /* of them that a process takes at a time, at most; 0: its whole share at once */
  double      warm;            /* of them that it goes through before each turn: those that its first needs */
  double      reach_cpu, reach_card;   /* the share of the best rate of arithmetic that it reaches: measured */
  double      looked;          /* samples of the file that are looked at for missing ones */
  EsClusterPart parts[ES_CLUSTER_PARTS];   /* the same work where speeds were measured; of no kind: none */
  /* Messages. Sums: every process ends with the sum of all; a broadcast: with what one has. */
  double      sums, sum_bytes; /* how many, and of how many bytes each */
  double      broadcasts, broadcast_bytes;
  double      gathers, gather_bytes;   /* of pieces of all processes, which all have then; bytes of all of them */
  double      gathered_bytes;  /* that all processes have in the end, each having made its pieces of them */
  double      merged_bytes;    /* that every process adds up itself behind a sum */
} EsClusterStep;

/* The steps of one analysis of one data set. */
typedef struct
{
  const char    *operation;    /* "pca" */
  char          *data;         /* "50000 × 50000 × 200, int16": for people */
  double         bytes;        /* of the data set */
  EsClusterStep *steps;
  guint          n;
} EsClusterWork;

/* Ids of the operations that can be planned, NULL-terminated; static. */
const char *const *es_cluster_work_list (void);
/* dataset: opened, or es_planned_data_new (); recordings with their array. params: of the operation, checked; steps: of
 * FastICA's iteration, 0: ES_CLUSTER_STEPS; cards: by cards. ES_COMPUTE_ERROR_OPERATION: nobody shares that out, or it
 * does not work on such data; ES_COMPUTE_ERROR_PARAMETER. Transfer full. */
EsClusterWork *es_cluster_work_new  (const char *operation, EsDataset *dataset, EsParams *params,
                                     const EsCluster *cluster, guint steps, GError **error);
void           es_cluster_work_free (EsClusterWork *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsClusterWork, es_cluster_work_free)

/* Shares of the best rates as a result of the same operation had them on a processor like those of the nodes: of steps
 * that both have. FALSE: it has none of them. stages: n of them; threads: of the run. */
gboolean       es_cluster_work_take_measured (EsClusterWork *self, const EsStageTime *stages, guint n, guint threads,
                                              const EsCluster *cluster);

G_END_DECLS
