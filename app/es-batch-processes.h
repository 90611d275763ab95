/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-batch.h"
#include "plan/es-cluster-held.h"

G_BEGIN_DECLS

/* "compare --processes": the same analysis by each number of processes that a text lists ("1,2,4"), which mpirun
 * starts. */
typedef struct
{
  const EsOperation *operation;
  const char        *numbers;
  char             **arguments;  /* of "run", its file or files among them */
  EsDataset         *dataset;
  gboolean           cards;      /* each process has one */
  guint              threads;    /* of each process; 0: its share */
  guint              repeats;
  gboolean           json, published;
  EsParams          *params;     /* borrowed */
  const char        *plan;       /* the cluster that it is held against, "here" or a file; nullable */
  EsClusterHeld     *held;       /* what came of that */
} EsBatchProcesses;

/* FALSE after having said what is wrong with the usage. */
gboolean es_batch_processes_check   (const char *numbers);
/* What of the arguments of "compare" goes on to "run". Transfer full. */
char   **es_batch_processes_forward (char **argv);
/* On a thread (es_batch_work ()); *scaling gets what came of it. */
gboolean es_batch_processes_run     (EsBatchProcesses *self, EsScaling **scaling, GCancellable *cancellable,
                                     GError **error);
void     es_batch_processes_print   (const EsBatchProcesses *self, EsScaling *scaling);

G_END_DECLS
