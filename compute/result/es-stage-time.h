/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "device/es-device.h"

G_BEGIN_DECLS

/* In what a step computed most: by it the units of a device are chosen that bound it. */
typedef enum
{
  ES_WORK_FLOAT32,
  ES_WORK_FLOAT64,
  ES_WORK_INT8,                /* exact sums of products of 8-bit samples */
  ES_WORK_INT16,               /* and of 16-bit ones */
  ES_N_WORK_TYPES
} EsWorkType;

/*
 * What a step did, as far as the code that did it has told: amounts that nobody can do with less of, by the definition
 * of what is computed, whatever the kernels move and compute besides. 0: none, or not told.
 */
typedef struct
{
  double      file_bytes;      /* samples that were read, as they are stored */
  double      disk_bytes;      /* of these, as far as the system tells: that came from a disk; not from its cache */
  double      written_bytes;   /* to where they are kept: new memory, or a file */
  double      link_bytes, link_back_bytes;   /* to cards, and from them */
  double      memory_bytes;    /* through the memory of the device that computes: read, and written */
  double      host_bytes;      /* through the host's, where a card computes */
  double      operations;      /* of arithmetic; a multiplication and an addition are two */
  double      launches;        /* of a card: at least so many kernels one after the other */
  double      busy_ms;         /* what it took by itself, where it ran beside other steps and its ms are its share of
                                * the time that passed; 0: its ms are what it took */
  EsWorkType  type;
  guint       threads;         /* of the processor, that did it; 0: as many as the run had */
  gboolean    on_host;         /* the processor did it, whichever device the run had */
  gboolean    joined;          /* reading, uploading and computing ran beside each other here, and in the step of
                                * reading, and nobody knows what took how long */
  gboolean    pageable;        /* what went over the link came from pageable memory */
  const char *less;            /* N_(), a sentence: what makes it less work. Static; nullable */
} EsStageWork;

/* What binds a step: what of its work would take longest at the best that was measured of the device. */
typedef enum
{
  ES_BOUND_UNKNOWN,            /* its work is not counted, or nothing is known of the device */
  ES_BOUND_ARITHMETIC,
  ES_BOUND_MEMORY,             /* of the device that computes */
  ES_BOUND_LINK,
  ES_BOUND_LATENCY,            /* launches */
  ES_BOUND_HOST_ARITHMETIC,    /* of the processor, where the run was a card's */
  ES_BOUND_HOST_MEMORY,
  ES_BOUND_FILE,               /* disk, unpacking, the system's cache */
  ES_BOUND_OTHER_STEP,         /* it ran beside steps that take longer */
  ES_N_BOUNDS
} EsBound;

/* Of a step that several processes took part in: what it took them, this one among them. */
typedef struct
{
  guint       n;               /* 0: there is one process */
  double      least_ms, mean_ms, greatest_ms;
  double      waiting;         /* what part of all their time they waited for each other, 0..1 */
} EsStageProcesses;

/* One row of the step table: "covariance", its translated title, what it took, what it did, and what follows. */
typedef struct
{
  char       *name;
  char       *title;
  double      ms;
  EsStageWork work;
  EsBound     bound;
  double      bound_ms;        /* what it would take at its bound; 0: not known. Of joined steps: all of them */
  double      times;           /* how many times that it took; 0: not known */
  char       *advice;          /* sentences, translated: how far it is from what binds it, and what would help;
                                * nullable: nobody judged it */
  double      waited_ms;       /* for other processes, in this one */
  EsStageProcesses processes;
} EsStageTime;

void        es_stage_time_clear (gpointer stage);
void        es_stage_work_add   (EsStageWork *self, const EsStageWork *more);
/* Whether anything of it was told. */
gboolean    es_stage_work_is_known (const EsStageWork *self);
/* "memory", in files; and for people, translated: "memory, 1.9 ×", "memory" at the bound, "–". Transfer full. */
const char *es_bound_get_name   (EsBound bound);
EsBound     es_bound_from_name  (const char *name);          /* ES_BOUND_UNKNOWN: nullable, or none of them */
const char *es_bound_get_title  (EsBound bound);
char       *es_stage_time_describe_bound (const EsStageTime *self);

/* Into an object of "stages" in result.json, that is being built, and out of it. What is not known is left out. */
void        es_stage_time_write (const EsStageTime *self, JsonBuilder *builder);
void        es_stage_time_read  (EsStageTime *self, JsonObject *object);

/* Who judges the steps of a run that is done: bound, bound_ms, times and advice of each. device: that computed;
 * threads: of the processor. On the worker's thread. */
typedef void (*EsStageJudge) (EsStageTime *stages, guint n, EsDevice *device, guint threads);
/* For programs, before there are threads (es_stage_advice_use ()). NULL: nobody, and steps have no advice. prepare: as
 * a run begins, for what would take long at its end; nullable. */
void        es_stages_set_judge (EsStageJudge judge, void (*prepare) (EsDevice *device));
void        es_stages_prepare   (EsDevice *device);
void        es_stages_judge     (EsStageTime *stages, guint n, EsDevice *device, guint threads);

G_END_DECLS
