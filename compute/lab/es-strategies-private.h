/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Where in a series a figure is: at an x, or ... */
#define ES_AT_FIRST (-1.0)     /* the least x */
#define ES_AT_LAST (-2.0)      /* the greatest x */
#define ES_AT_BEST (-3.0)      /* the best value of all; of times the least */
#define ES_ALONE (-4.0)        /* a number without an x */

/* group NULL: the experiment shows it, and has no such figure. */
typedef struct
{
  const char *experiment;
  const char *group, *name;
  double      x;
} EsStrategyFigure;

typedef enum
{
  ES_GAINS_TIME,               /* latencies and times: the first by the second */
  ES_GAINS_RATE,               /* rates and numbers of elements: the second by the first */
  ES_GAINS_ELEMENTS,           /* the same of elements, where the first is the side of a matrix */
  ES_IGNORES,                  /* the two are within a tenth of each other */
  ES_GAINS_VECTORS,            /* a rate, by what one chain of single values does at the clock, a latency each */
} EsStrategyRule;

#define ES_STRATEGY_ON_CPU 1u
#define ES_STRATEGY_ON_GPU 2u

typedef struct
{
  const char      *code;
  const char      *advice, *note;        /* N_() */
  guint            where;
  EsStrategyRule   rule;
  EsStrategyFigure first, second;        /* without it, and with it */
} EsStrategy;

extern const EsStrategy es_strategies[];
extern const guint es_n_strategies;

G_END_DECLS
