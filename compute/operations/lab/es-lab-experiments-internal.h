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
extern const EsExperiment es_experiment_branches;
extern const EsExperiment es_experiment_latency;
extern const EsExperiment es_experiment_stride;
extern const EsExperiment es_experiment_sharing;
extern const EsExperiment es_experiment_order;
extern const EsExperiment es_experiment_private_arrays;
extern const EsExperiment es_experiment_banks;
extern const EsExperiment es_experiment_bandwidth;
extern const EsExperiment es_experiment_atomics;
extern const EsExperiment es_experiment_launch;
extern const EsExperiment es_experiment_host_memory;
extern const EsExperiment es_experiment_host_access;
extern const EsExperiment es_experiment_link;
extern const EsExperiment es_experiment_registration;
extern const EsExperiment es_experiment_peer;
extern const EsExperiment es_experiment_choose;
extern const EsExperiment es_experiment_zero_copy;
extern const EsExperiment es_experiment_mandelbrot;
extern const EsExperiment es_experiment_overlap;
extern const EsExperiment es_experiment_advice;
extern const EsExperiment es_experiment_ladder_covariance;
extern const EsExperiment es_experiment_ladder_transform;
extern const EsExperiment es_experiment_ladder_ica;
extern const EsExperiment es_experiment_ladder_noise;
extern const EsExperiment es_experiment_ladder_fourier;
extern const EsExperiment es_experiment_ladder_beams;
extern const EsExperiment es_experiment_ladder_jacobi;
extern const EsExperiment es_experiment_ladder_azimuth;

/* A row of every parameter table: 0 is as many as usual. */
#define ES_LAB_GROUPS(...) ((const EsFindingsGroup * const []) { __VA_ARGS__, NULL })
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
  gboolean    told_memory;     /* that there was not enough */
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

/* The plan () and run () of an operation. guint probes_of (gboolean is_cpu, EsParams *values): about how many. */
#define ES_LAB_DEFINE_OPERATION(operation, measure, probes_of) \
  static EsPlan \
  plan (EsDataset *dataset, EsParams *values, EsDevice *device, const EsLimits *limits) \
  { \
    return es_experiment_plan (probes_of (es_experiment_is_cpu (dataset), values)); \
  } \
  static EsResult * \
  run (EsJob *job, EsDataset *dataset, EsParams *values, GError **error) \
  { \
    return es_experiment_run (&operation, job, dataset, values, probes_of (es_experiment_is_cpu (dataset), values), \
                              measure, error); \
  }
gboolean  es_experiment_is_cpu  (EsDataset *machine);

/* What of a probe a sweep changes; the x of its figures is the value. */
typedef enum { ES_SWEEP_BYTES, ES_SWEEP_STRIDE, ES_SWEEP_WAYS, ES_SWEEP_THREADS, ES_SWEEP_BLOCKS } EsSweep;
/* Figures of one name into the open group, one for each of `n` values; those that the machine does not have are left
 * out. */
gboolean  es_experiment_sweep   (EsExperimentRun *run, const EskProbe *probe, const char *name, EsSweep what,
                                 const guint64 *values, guint n, GError **error);
/* As es_experiment_sweep () of bytes, but of seconds a copy, which become bytes a second; `times` counts each byte so
 * often. Where the curve falls it is measured twice. */
gboolean  es_experiment_sweep_rate (EsExperimentRun *run, const EskProbe *probe, const char *name, double times,
                                    const guint64 *values, guint n, GError **error);
/* One figure, its samples and all else that the probe told. raw->picture is passed on. */
gboolean  es_experiment_probe_raw (EsExperimentRun *run, const EskProbe *probe, const char *name, double x,
                                   EsMeasured *measured, EskProbeResult *raw, gboolean *has, GError **error);
/* A figure of seconds as one of `amount` a second. */
void      es_experiment_invert  (EsMeasured *measured, double amount);
/* Of the largest data, which need no repeating to be steady, fewer repeats. */
guint32   es_experiment_repeats (EsExperimentRun *run, guint64 bytes);

/* Footprints from `least` to `most` bytes: two in an octave. Of guint64. Transfer full. */
GArray   *es_experiment_footprints (guint64 least, guint64 most);

G_END_DECLS
