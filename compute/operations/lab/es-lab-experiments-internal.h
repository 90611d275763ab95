/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "job/es-job-internal.h"
#include "es-experiment.h"
#include "lab/es-findings-internal.h"
#include "lab/es-probing-internal.h"
#include "layer/es-layer-internal.h"
#include "result/es-result-internal.h"

G_BEGIN_DECLS

/* Every experiment: a line here, and one in es-experiments.c. */
extern const EsExperiment es_experiment_arithmetic;
extern const EsExperiment es_experiment_latency;
extern const EsExperiment es_experiment_sharing;

/* A row of every parameter table: 0 is as many as usual. */
#define ES_LAB_PARAM_REPEATS \
  { .key = "repeats", .label = N_("Repeats"), \
    .help = N_("How often each probe is measured after a first time that does not count; the median is told."), \
    .type = ES_PARAM_INT, .maximum = ESK_LAB_MOST_REPEATS, .zero_label = N_("Automatic"), .advanced = TRUE }

/* What all of them do: begins, lets `measure` fill the findings and the verdict, publishes, ends. Transfer full. */
typedef struct
{
  EsProbing  *probing;
  EsJob      *job;
  EsMachine  *machine;
  EsParams   *params;
  EsFindings *findings;
  EsVerdict  *verdict;
  EsResult   *result;          /* for other layers, which come last */
  gboolean    is_cpu;
} EsExperimentRun;

EsResult *es_experiment_run   (const EsOperation *operation, EsJob *job, EsDataset *dataset, EsParams *params,
                               guint probes, gboolean (*measure) (EsExperimentRun *run, GError **error),
                               GError **error);
/* Of so many probes, each of which takes some 60 ms. */
EsPlan    es_experiment_plan  (guint probes);
/* One figure into the findings' open group. TRUE and *has FALSE: the machine has no such thing. */
gboolean  es_experiment_probe (EsExperimentRun *run, const EskProbe *probe, const char *name, double x, double scale,
                               EsMeasured *measured, gboolean *has, GError **error);

/* Sentences: printf-like, with the rule (nullable) that they follow from. */
void      es_experiment_say   (EsExperimentRun *run, EsVerdictState state, const char *rule, const char *format, ...)
                               G_GNUC_PRINTF (4, 5);
/* What it means for Eigenscope. */
void      es_experiment_mean  (EsExperimentRun *run, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Footprints from `least` to `most` bytes: two in an octave. Of guint64. Transfer full. */
GArray   *es_experiment_footprints (guint64 least, guint64 most);

G_END_DECLS
