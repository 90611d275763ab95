/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-scaling.h"

G_BEGIN_DECLS

typedef struct
{
  char  *name, *title;
  double ms;                   /* of the process that took longest */
  double least_ms, mean_ms, waiting;   /* NAN: of one process */
} EsScalingStep;

typedef struct
{
  GArray *steps;               /* EsScalingStep */
  double  total, whole, waiting;
  guint   iterations;          /* 0: it does not iterate */
  guint   components;          /* that it found; 0: it has none */
} EsScalingRun;

typedef struct
{
  guint      processes;
  GPtrArray *runs;             /* EsScalingRun, the fastest first */
} EsScalingCount;

struct _EsScaling
{
  const EsOperation *operation;
  char              *name, *input;
  guint              threads;
  GPtrArray         *counts;   /* EsScalingCount */
  GPtrArray         *steps;    /* borrowed names of steps, in the order in which they happen */
};

/* es-scaling.c */
const EsScalingRun   *_es_scaling_get_median   (const EsScalingCount *count);
const EsScalingCount *_es_scaling_get_greatest (EsScaling *self);      /* NULL: there is one process at most */
double                _es_scaling_get_speed_up (EsScaling *self, const EsScalingCount *count, const char *step);
guint                 _es_scaling_get_repeats  (EsScaling *self);
/* Of a published program, step and unit (EsPublishedMeasure). data: EsScaling. */
double                _es_scaling_measure      (const char *program, const char *step, const char *unit, gpointer data);

G_END_DECLS
