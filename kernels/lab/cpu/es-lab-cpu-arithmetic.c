/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Arithmetic: latency by chains, rates by vectors, products of small matrices. What comes out is held against the same
 * operations one by one. */

#include "es-lab-cpu-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHAIN_BLOCKS 256
#define CHECK_BLOCKS 4

static int
count_operations (EskLabOperation operation)
{
  return operation == ESK_OPERATION_MULTIPLY_ADD ? 2 : 1;
}

static int
tell_fused (const EskLab   *lab,
            const EskProbe *probe)
{
  if (probe->operation != ESK_OPERATION_MULTIPLY_ADD && probe->kind != ESK_PROBE_MATRIX)
    return -1;
  return !esk_lab_is_whole (probe->type) && lab->loops->fused;
}

/* ---- latency ---- */

typedef struct
{
  EskLabChain chain;
  EskLabOperands operands;
  EskLabValue end;
  size_t      blocks;
} Chain;

static void
run_chain (void *data)
{
  Chain *chain = data;

  chain->chain (chain->blocks, &chain->operands.start, &chain->operands.a, &chain->operands.b, &chain->end);
}

/* lab: empty */
/* The loop of a chain without a chain in it. */
static void
run_empty (void *data)
{
  Chain *chain = data;

  for (size_t block = 0; block < chain->blocks; block++)
    __asm__ volatile ("" : "+r" (block));
}
/* lab end */

static int
measure_chain (EskLab         *lab,
               const EskProbe *probe,
               EskProbeResult *result)
{
  Chain chain = { lab->loops->chain[probe->type][probe->operation], esk_lab_operands (probe->type, probe->operation),
                  { 0 }, CHAIN_BLOCKS };
  const size_t n = (size_t) CHAIN_BLOCKS * ESK_LAB_BLOCK;
  int code = esk_lab_clock_measure (lab, probe, run_chain, &chain, (double) n, result);

  if (code != ESK_LAB_OK)
    return code;
  if (!esk_lab_is_right (lab->loops, probe, &chain.operands, n, chain.end))
    return esk_lab_fail (lab, ESK_LAB_ERROR_WRONG, "A chain of %zu operations came to another value than they do one"
                         " by one", n);
  result->fused = tell_fused (lab, probe);
  return ESK_LAB_OK;
}

int
esk_lab_measure_arithmetic (EskLab         *lab,
                            const EskProbe *probe,
                            EskProbeResult *result)
{
  EskProbe other = *probe;
  EskProbeResult added;
  double least = INFINITY;
  int code;

  if (probe->kind == ESK_PROBE_EMPTY)
    {
      Chain chain = { .blocks = CHAIN_BLOCKS };

      return esk_lab_clock_measure (lab, probe, run_empty, &chain, (double) CHAIN_BLOCKS * ESK_LAB_BLOCK, result);
    }
  code = measure_chain (lab, probe, result);
  if (code != ESK_LAB_OK || (probe->operation != ESK_OPERATION_SINE && probe->operation != ESK_OPERATION_EXP2
                             && probe->operation != ESK_OPERATION_LOG2))
    return code;

  /* Less the addition that keeps r where it is. */
  other.operation = ESK_OPERATION_ADD;
  other.repeats = 3;
  memset (&added, 0, sizeof added);
  if ((code = measure_chain (lab, &other, &added)) != ESK_LAB_OK)
    return code;
  for (uint32_t i = 0; i < added.n; i++)
    least = added.samples[i] < least ? added.samples[i] : least;
  for (uint32_t i = 0; i < result->n; i++)
    result->samples[i] -= least;
  return ESK_LAB_OK;
}

/* ---- rates ---- */

typedef struct
{
  EskLab    *lab;
  EskLabRate rate;
  EskLabOperands operands;
  size_t     blocks;
} Rate;

#define MOST_VALUES (ESK_LAB_ACCUMULATORS * 64)

static void
run_rate (void    *data,
          unsigned thread)
{
  Rate *rate = data;
  _Alignas (64) unsigned char ends[MOST_VALUES];

  (void) thread;
  for (size_t done = 0; done < rate->blocks && esk_lab_poll (rate->lab) == ESK_LAB_OK;)
    {
      const size_t n = rate->blocks - done < 4096 ? rate->blocks - done : 4096;

      rate->rate (n, &rate->operands.start, &rate->operands.a, &rate->operands.b, ends);
      done += n;
    }
}

static size_t
get_size (EskLabType type)
{
  return type == ESK_TYPE_LAB_INT8 ? 1 : type == ESK_TYPE_LAB_INT64 || type == ESK_TYPE_LAB_FLOAT64 ? 8 : 4;
}

/* Every lane of every chain, after a short run. */
static bool
rate_is_right (EskLab         *lab,
               const EskProbe *probe,
               const Rate     *rate)
{
  _Alignas (64) unsigned char ends[MOST_VALUES];
  const size_t size = get_size (probe->type);

  rate->rate (CHECK_BLOCKS, &rate->operands.start, &rate->operands.a, &rate->operands.b, ends);
  for (size_t i = 0; i < lab->loops->values[probe->type][probe->operation]; i++)
    {
      EskLabValue value = { 0 };

      memcpy (&value, ends + i * size, size);
      if (!esk_lab_is_right (lab->loops, probe, &rate->operands, (size_t) CHECK_BLOCKS * ESK_LAB_BLOCK, value))
        return false;
    }
  return true;
}

int
esk_lab_measure_throughput (EskLab         *lab,
                            const EskProbe *probe,
                            EskProbeResult *result)
{
  Rate rate = { lab, lab->loops->rate[probe->type][probe->operation],
                esk_lab_operands (probe->type, probe->operation), 0 };
  EskLabTeam *team;
  int code;

  if (!rate_is_right (lab, probe, &rate))
    return esk_lab_fail (lab, ESK_LAB_ERROR_WRONG, "A lane of many came to another value than its operations do");
  if ((code = esk_lab_team_new (lab, probe->threads, &team)) != ESK_LAB_OK)
    return code;
  code = esk_lab_team_rate (lab, team, probe, run_rate, &rate, &rate.blocks,
                            (double) esk_lab_team_size (team) * ESK_LAB_BLOCK * count_operations (probe->operation)
                            * lab->loops->values[probe->type][probe->operation], result);
  esk_lab_clock_note (lab, result);
  esk_lab_team_free (team);
  result->fused = tell_fused (lab, probe);

  return code;
}
