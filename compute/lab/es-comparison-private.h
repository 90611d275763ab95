/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-comparison.h"

G_BEGIN_DECLS

/* One step of a contestant's median run; interned strings. */
typedef struct
{
  const char *name, *title;
  double      ms;
} EsComparisonStep;

typedef struct
{
  char             *title, *id;
  EsDevice         *device;            /* borrowed: it lives as long as the program */
  guint             threads;           /* of the CPU; 0: a GPU */
  double            predicted;         /* seconds; NAN: not yet */
  EsContestantState state;
  char             *error;
  GArray           *steps;             /* EsComparisonStep; NULL until it has finished */
  double            total, fastest, slowest;
} EsContestant;

struct _EsComparison
{
  GObject            parent_instance;

  const EsOperation *operation;
  EsDataset         *dataset;
  EsParams          *params;
  EsResult          *source;
  EsLimits           limits;
  guint              repeats;
  char              *shown_status;     /* what es_comparison_get_status () gave last */

  /* Written by the thread that runs, read by all; held by whoever puts several numbers together. Errors and steps are
   * only added by that thread: they go where a run begins, in the thread of the getters. */
  GRecMutex          lock;
  GPtrArray         *contestants;      /* EsContestant */
  EsJob             *job;              /* borrowed; the one under way */
  char              *status;
  double             progress, base, weight;   /* of the whole; before the run under way; of it */
  gboolean           running;
  guint              idle;
};

/* NULL, and a critical, where there is none. */
EsContestant *es_comparison_get_contestant (EsComparison *self, guint i);
/* What holds for a run of it. */
EsLimits      es_comparison_get_limits     (EsComparison *self, const EsContestant *contestant);
/* Something is different: "changed", from the main context. Any thread. */
void          es_comparison_tell           (EsComparison *self);

G_END_DECLS
