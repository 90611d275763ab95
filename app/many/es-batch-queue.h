/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tool/es-batch-tool.h"

G_BEGIN_DECLS

/*
 * Many files, analysed one after the other by the same operation: a list of them, or what lands in a folder. Each has a
 * folder of its own in that of the results, one that fails stops no other, and in the end report.csv and report.json
 * there tell what became of each. Several processes take their files one by one, so that none waits for another as long
 * as there are any.
 */
typedef struct
{
  char *identity;              /* of the data set */
  char *message;               /* what is to be said of what was done; "" */
} EsBatchOutcome;

typedef struct
{
  gpointer           data;
  const char        *what;     /* "pca threshold=0.99" */
  const char        *about;    /* the same with the options that results depend on */
  const char        *options;  /* of the command line: those that all processes share */
  const EsOperation *operation;
  gboolean           quiet;
  EsDataset *(*open)    (gpointer data, GPtrArray *files, GCancellable *cancellable, GError **error);
  /* Computes and writes the result of one data set, and prints what there is to say. opened: nullable, what the files
   * hold; directory: nullable; is_last: nothing is computed after it. */
  gboolean   (*analyse) (gpointer data, GPtrArray *files, EsDataset *opened, GFile *directory, gboolean is_last,
                         EsBatchOutcome *outcome, GError **error);
} EsBatchAnalysis;

typedef struct
{
  const char *folder;
  double      settle;          /* seconds for which a file has kept its size before it is looked at */
  double      until_idle;      /* seconds without anything new after which it ends; negative: never */
} EsBatchWatch;

/* groups: of arrays of files, a data set each; output: nullable. resume: what an earlier run of the same, which did not
 * come to its end, has done into that folder stays as it is. An exit status: ES_EXIT_DATA where any has failed. */
int es_batch_queue (const EsBatchAnalysis *analysis, GPtrArray *groups, const char *output, gboolean resume);
/* The same of what lands in a folder, until a signal or until nothing has landed for long; each file once, also where
 * it is started again (watch.journal in output). */
int es_batch_watch (const EsBatchAnalysis *analysis, const EsBatchWatch *watch, const char *output);

G_END_DECLS
