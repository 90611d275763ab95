/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-device-profile.h"

G_BEGIN_DECLS

/*
 * Strategies for programs, those published for registers (R), shared (S), constant (C), global (G) and texture memory
 * (T), of gpu-lab.md, section 11; of the host's side of a card (H), zero copy (Z), overlap (O), launches (L), sums of
 * many threads (A), matrix units (M); and of processors (V). Each rests on two figures of a profile, and gains what the
 * one is to the other.
 */
typedef enum
{
  ES_STRATEGY_HOLDS,
  ES_STRATEGY_FAILS,           /* what it says is not so on this machine, by these figures */
  ES_STRATEGY_UNMEASURED,      /* the figures are not there */
} EsStrategyState;

typedef struct
{
  const char *code;            /* "S_1" */
  const char *advice;          /* translated, a sentence */
  const char *note;            /* translated, a sentence: what has changed since Kepler; nullable */
  EsStrategyState state;
  double      gain;            /* how many times as good with it; of those that say that something does not matter, how
                                * many times the one is the other, 1 or more; NAN: not measured */
  gboolean    ignores;         /* it says that something does not matter */
  const char *experiment;      /* "lab-banks": its figures are this one's, or would be */
  /* The figures, without and with it, their titles as they are shown (translated), and their unit ("clocks", "B/s"). */
  char       *first_title, *second_title;
  double      first, second;
  const char *unit;            /* interned; nullable */
} EsStrategyAdvice;

/* By gain: those that hold first, the greatest gain before the others, then those that do not, and what was not
 * measured last. figures: of const EsFigure, of which the first that suits counts; machine: what it says of itself.
 * Pure. Of EsStrategyAdvice; transfer full. */
struct EskLabMachine;
GPtrArray *es_strategies_judge   (GPtrArray *figures, const struct EskLabMachine *machine, gboolean is_cpu);
/* The same of a profile: of a card, unless it says that it is a processor's. */
GPtrArray *es_strategies_of      (EsDeviceProfile *profile);
/* "Rows of 32 words: 91 clocks, Rows of 33 words: 29 clocks"; NULL: not measured. Transfer full. */
char      *es_strategy_describe_figures (const EsStrategyAdvice *self);

G_END_DECLS
