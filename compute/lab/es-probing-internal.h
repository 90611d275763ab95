/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-lab.h"
#include "es-machine.h"
#include "job/es-job.h"
#include "result/es-result.h"

G_BEGIN_DECLS

/*
 * A machine that is being measured by an experiment: the module of its back end, opened for one job. What an
 * experiment does is a sweep of es_probing_measure ().
 */
typedef struct _EsProbing EsProbing;

/* Some repeats of one probe. */
typedef struct
{
  double median, least, most;
  double spread;               /* half of what lies between the 10th and the 90th per cent, of the median */
  guint  repeats;
  double hertz;                /* clocks a second; 0: unknown */
  int    fused;                /* -1: no matter */
} EsMeasured;

/* The table of a machine's back end, loaded once: NULL, with why. Borrowed, stays. */
const EskLabTable *es_lab_load (const char *id, GError **error);

/* The job's progress is of `probes` calls of es_probing_measure (). ES_COMPUTE_ERROR_DEVICE: the machine is not here,
 * its module cannot be loaded, or it cannot be opened. */
EsProbing *es_probing_begin    (EsMachine *machine, EsJob *job, guint probes, GError **error);
gboolean   es_probing_has      (EsProbing *self, const EskProbe *probe);
/* FALSE: cancelled, or what the machine said (ES_COMPUTE_ERROR_DEVICE, _MEMORY). probe->repeats 0: as many as usual. A
 * latency whose repeats spread by more than 3 % is measured again, twice at most, and the steadiest counts. raw:
 * nullable; what else the probe told. */
gboolean   es_probing_measure  (EsProbing *self, const EskProbe *probe, EsMeasured *measured, EskProbeResult *raw,
                                GError **error);
/* Of the last one: that the machine turned out not to have what it seemed to have. */
gboolean   es_probing_was_unsupported (EsProbing *self);
const EskLabMachine *es_probing_get_facts (EsProbing *self);
/* Closes it; result (nullable: it failed): gets warnings about what disturbed it, and its clocks among its values. */
void       es_probing_end      (EsProbing *self, EsResult *result);

/* A median and what goes with it, of samples, which are sorted. */
void       es_measured_of      (double *samples, guint n, EsMeasured *measured);

G_END_DECLS
