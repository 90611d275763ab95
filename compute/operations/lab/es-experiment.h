/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "lab/es-machine.h"
#include "result/es-operation.h"

G_BEGIN_DECLS

struct EskProbe;
struct EsFindingsGroup;

/* In which order, and under which heading, experiments are offered. */
typedef enum
{
  ES_EXPERIMENTS_ARITHMETIC,       /* what the units do */
  ES_EXPERIMENTS_MEMORY,           /* latency, sharing, order, banks, bandwidth */
  ES_EXPERIMENTS_LINK,             /* host memory, link, launches */
  ES_EXPERIMENTS_CHOICE,           /* what a program should choose because of it */
  ES_EXPERIMENTS_LADDERS,          /* its hot spots, step by step: EsLadder */
  ES_N_EXPERIMENT_GROUPS
} EsExperimentGroup;

/* What the laboratory adds to an operation that takes a device. One const object beside its code. */
typedef struct
{
  const EsOperation *operation;
  EsExperimentGroup  group;
  const char        *question;     /* N_(): "How long does an access take, and how large are the caches?" */
  const char        *how;          /* N_(): how it asks, a paragraph for people who see the kernel beside it */
  const char        *predict;      /* N_(): what a class is asked to predict before it runs */
  const char        *cpu_question, *cpu_predict;   /* N_(): those of a processor, where they are others; nullable */
  const struct EskProbe *example;  /* whose source is shown; nullable */
  const struct EsFindingsGroup * const *groups;   /* of what it finds, NULL-terminated; nullable */
  gboolean           in_profile;   /* "Run all" runs it */
  guint              kinds;        /* bit 0: makes sense on the processor, bit 1: on a card */
} EsExperiment;

#define ES_EXPERIMENT_ON_CPU 1u
#define ES_EXPERIMENT_ON_GPU 2u

/* All of them, NULL-terminated, by group and in the order of teaching: operations/lab. */
const EsExperiment * const *es_experiments_get (void);
/* NULL: the operation is no experiment. */
const EsExperiment *es_experiment_of       (const EsOperation *operation);
const char         *es_experiment_group_title (EsExperimentGroup group);              /* translated */
/* Of that machine, translated. */
const char         *es_experiment_get_question (const EsExperiment *self, EsMachine *machine);
const char         *es_experiment_get_predict  (const EsExperiment *self, EsMachine *machine);
/* How a group of figures is called and drawn, wherever they come from; FALSE: no experiment knows it, and nothing is
 * set. */
typedef struct
{
  const char *title;                 /* translated, as all; of the plot or table; nullable */
  const char *x_title, *x_unit;      /* nullable: of a table; that its title says its unit */
  const char *y_title;
  gboolean    log_y;
} EsExperimentAxes;

gboolean            es_experiment_get_axes (const char *operation_id, const char *group, EsExperimentAxes *axes);
/* Whether it makes sense on that machine: no link of a processor to itself. */
gboolean            es_experiment_suits    (const EsExperiment *self, EsMachine *machine);
/* The kernel's source on that machine, NULL where there is none; loads the laboratory's module. Borrowed. */
const char         *es_experiment_get_source (const EsExperiment *self, EsMachine *machine);

G_END_DECLS
