/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How long a step needs each resource, and which of them binds it. */

#include "es-stage-judge-private.h"

#include <string.h>

/* Where reading takes so much of joined steps, it is what they wait for; and what other steps of a run hide by so much
 * costs nothing. */
#define MOST_OF_IT 0.7
#define HIDDEN 1.1
/* So much above a bound something else binds. */
#define NEAR 1.25

/* The link goes both ways at once: what comes back is a resource of its own. */
#define LINK_BACK ES_N_BOUNDS
#define N_NEEDS (ES_N_BOUNDS + 1)

typedef struct
{
  double     seconds[N_NEEDS], amounts[N_NEEDS];
  EsRoof     roofs[N_NEEDS];
  EsWorkType type;
  gboolean   blind;            /* there is work of which nobody knows what it could take */
} Needs;

static void
need (Needs *self, guint bound, double amount, EsRoof roof)
{
  if (!(amount > 0))
    return;
  if (!(roof.rate > 0))
    {
      /* Launches are of little account. */
      self->blind |= bound != ES_BOUND_LATENCY;
      return;
    }
  self->seconds[bound] += amount / roof.rate;
  self->amounts[bound] += amount;
  /* Of several kinds of work what they come to. */
  self->roofs[bound] = (EsRoof) { self->amounts[bound] / self->seconds[bound], MAX (self->roofs[bound].source,
                                                                                     roof.source) };
}

/* By some threads of the processor instead of all that the run had. */
static EsRoof
share_of (EsRoof roof, const EsRoofs *roofs, guint threads)
{
  if (threads > 0 && threads < roofs->threads)
    roof.rate *= (double) threads / roofs->threads;
  return roof;
}

static EsRoof
least_of (EsRoof all, EsRoof one, guint threads)
{
  return threads > 0 && one.rate > 0 && one.rate * threads < all.rate ? (EsRoof) { one.rate * threads, one.source }
                                                                      : all;
}

static void
add_needs (Needs *self, const EsStageWork *work, const EsRoofs *roofs)
{
  const gboolean host = work->on_host && !roofs->on_cpu, processor = host || roofs->on_cpu;
  const EsRoof *operations = host ? roofs->host_operations : roofs->operations;
  EsRoof memory = host ? roofs->host_memory : roofs->memory;

  if (processor)
    memory = least_of (memory, roofs->one_thread, work->threads);
  need (self, host ? ES_BOUND_HOST_ARITHMETIC : ES_BOUND_ARITHMETIC, work->operations,
        processor ? share_of (operations[work->type], roofs, work->threads) : operations[work->type]);
  need (self, host ? ES_BOUND_HOST_MEMORY : ES_BOUND_MEMORY, work->memory_bytes, memory);
  need (self, ES_BOUND_HOST_MEMORY, work->host_bytes, roofs->host_memory);
  need (self, ES_BOUND_FILE, work->file_bytes, least_of (roofs->host_copy, roofs->one_copy, work->threads));
  need (self, ES_BOUND_FILE, work->written_bytes, least_of (roofs->host_copy, roofs->one_copy, work->threads));
  need (self, ES_BOUND_LINK, work->link_bytes, work->pageable ? roofs->link_pageable : roofs->link_to);
  need (self, LINK_BACK, work->link_back_bytes, roofs->link_from);
  if (!processor)
    need (self, ES_BOUND_LATENCY, work->launches, roofs->launches);
  if (work->operations > 0)
    self->type = work->type;
}

static void
take (EsStageVerdict *verdict, const Needs *needs, guint bound)
{
  verdict->bound = bound == LINK_BACK ? ES_BOUND_LINK : bound;
  verdict->seconds = needs->seconds[bound];
  verdict->amount = needs->amounts[bound];
  verdict->roof = needs->roofs[bound];
}

/* Whatever takes longest; where that is far from what it took, and something is not known, it may be that instead. */
static void
settle (EsStageVerdict *verdict, const Needs *needs)
{
  for (guint bound = 1; bound < N_NEEDS; bound++)
    if (needs->seconds[bound] > verdict->seconds)
      take (verdict, needs, bound);
  verdict->type = needs->type;
  if (needs->blind && verdict->ms > NEAR * 1e3 * verdict->seconds)
    {
      verdict->bound = ES_BOUND_UNKNOWN;
      verdict->seconds = 0;
    }
}

static double
time_of (const EsStageTime *stage)
{
  return stage->work.busy_ms > 0 ? stage->work.busy_ms : stage->ms;
}

static gboolean
is_of_disk (const EsStageWork *work)
{
  return work->file_bytes > 0 && work->disk_bytes > work->file_bytes / 2;
}

/* ---- steps that nobody can tell apart ---- */

static void
judge_joined (const EsStageTime *stages, guint n, const EsRoofs *roofs, EsStageVerdict *verdicts)
{
  EsStageVerdict all = { .joined = TRUE };
  double reading = 0;
  Needs needs = { 0 };

  for (guint i = 0; i < n; i++)
    {
      if (!stages[i].work.joined)
        continue;
      add_needs (&needs, &stages[i].work, roofs);
      all.ms += stages[i].ms;
      if (stages[i].work.file_bytes > 0)
        reading += stages[i].ms;
      all.of_disk |= is_of_disk (&stages[i].work);
    }
  settle (&all, &needs);
  if (all.seconds > 0 && needs.seconds[ES_BOUND_FILE] > 0 && reading > MOST_OF_IT * all.ms
      && all.ms > NEAR * 1e3 * all.seconds)
    take (&all, &needs, ES_BOUND_FILE);
  for (guint i = 0; i < n; i++)
    if (stages[i].work.joined)
      verdicts[i] = all;
}

/* ---- all of them ---- */

void
es_stages_find_bounds (const EsStageTime *stages, guint n, const EsRoofs *roofs, EsStageVerdict *verdicts)
{
  double reading = 0, computing = 0;

  for (guint i = 0; i < n; i++)
    {
      verdicts[i] = (EsStageVerdict) { .ms = time_of (&stages[i]), .of_disk = is_of_disk (&stages[i].work) };
      if (stages[i].work.file_bytes > 0)
        reading += stages[i].work.busy_ms;
      else
        computing += stages[i].work.busy_ms;
    }
  judge_joined (stages, n, roofs, verdicts);
  for (guint i = 0; i < n; i++)
    {
      const EsStageWork *work = &stages[i].work;
      const gboolean reads = work->file_bytes > 0;
      Needs needs = { 0 };

      if (work->joined)
        continue;
      add_needs (&needs, work, roofs);
      settle (&verdicts[i], &needs);
      verdicts[i].beside = work->busy_ms > 0 && (reads ? computing > HIDDEN * reading : reading > HIDDEN * computing);
    }
}
