/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Threads that count, each at a place of its own or all at one. */

#include "es-lab-cpu-private.h"

#include <stdlib.h>
#include <string.h>

typedef struct
{
  _Alignas (128) union
  {
    _Atomic uint32_t u32;
    _Atomic uint64_t u64;
  };
} Counter;

typedef struct
{
  EskLab     *lab;
  EskLabType  type;
  bool        one;                     /* all at one address */
  Counter    *counters;
  size_t      rounds;
} Atomic;

/* lab: atomic */
#define ADDITIONS 256

static void
add_32 (_Atomic uint32_t *at)
{
  for (int i = 0; i < ADDITIONS; i++)
    atomic_fetch_add_explicit (at, 1, memory_order_relaxed);
}

static void
add_64 (_Atomic uint64_t *at)
{
  for (int i = 0; i < ADDITIONS; i++)
    atomic_fetch_add_explicit (at, 1, memory_order_relaxed);
}

/* There is no such instruction: it is tried until nobody came between. Of a number that stays exact. */
static void
add_float (_Atomic uint32_t *at)
{
  for (int i = 0; i < ADDITIONS; i++)
    {
      uint32_t before = atomic_load_explicit (at, memory_order_relaxed), after;
      float value;

      do
        {
          memcpy (&value, &before, sizeof value);
          value = value < 8388608.0f ? value + 1.0f : 0.0f;
          memcpy (&after, &value, sizeof value);
        }
      while (!atomic_compare_exchange_weak_explicit (at, &before, after, memory_order_relaxed, memory_order_relaxed));
    }
}

static void
add_double (_Atomic uint64_t *at)
{
  for (int i = 0; i < ADDITIONS; i++)
    {
      uint64_t before = atomic_load_explicit (at, memory_order_relaxed), after;
      double value;

      do
        {
          memcpy (&value, &before, sizeof value);
          value += 1.0;
          memcpy (&after, &value, sizeof value);
        }
      while (!atomic_compare_exchange_weak_explicit (at, &before, after, memory_order_relaxed, memory_order_relaxed));
    }
}
/* lab end */

static void
run_atomic (void    *data,
            unsigned thread)
{
  Atomic *self = data;
  Counter *counter = &self->counters[self->one ? 0 : thread];

  for (size_t round = 0; round < self->rounds && esk_lab_poll (self->lab) == ESK_LAB_OK; round++)
    switch (self->type)
      {
      case ESK_TYPE_LAB_INT32:
        add_32 (&counter->u32);
        break;
      case ESK_TYPE_LAB_INT64:
        add_64 (&counter->u64);
        break;
      case ESK_TYPE_LAB_FLOAT32:
        add_float (&counter->u32);
        break;
      default:
        add_double (&counter->u64);
        break;
      }
}

/* Whether a counter stands where n additions bring it. */
static bool
counts (const Counter *counter,
        EskLabType     type,
        uint64_t       n)
{
  const uint32_t small = atomic_load (&counter->u32);
  const uint64_t large = atomic_load (&counter->u64);
  float single;
  double wide;

  memcpy (&single, &small, sizeof single);
  memcpy (&wide, &large, sizeof wide);
  return type == ESK_TYPE_LAB_INT32 ? small == (uint32_t) n : type == ESK_TYPE_LAB_INT64 ? large == n
         : type == ESK_TYPE_LAB_FLOAT32 ? single == (float) (n % 8388609) : wide == (double) n;
}

int
esk_lab_measure_atomic (EskLab         *lab,
                        const EskProbe *probe,
                        EskProbeResult *result)
{
  Atomic self = { lab, probe->type, probe->variant == 2, NULL, 0 };
  const size_t threads = esk_lab_threads_of (lab, probe), bytes = threads * sizeof (Counter);
  EskLabTeam *team;
  int code;

  if ((code = esk_lab_team_new (lab, (unsigned) threads, &team)) != ESK_LAB_OK)
    return code;
  self.counters = aligned_alloc (128, bytes);
  if (self.counters == NULL)
    code = ESK_LAB_ERROR_MEMORY;
  else
    {
      memset (self.counters, 0, bytes);
      code = esk_lab_team_rate (lab, team, probe, run_atomic, &self, &self.rounds, (double) threads * ADDITIONS,
                                result);
    }
  if (code == ESK_LAB_OK)
    {
      /* One run whose end is known. */
      memset (self.counters, 0, bytes);
      self.rounds = 8;
      esk_lab_team_run (team, run_atomic, &self);
      code = esk_lab_poll (lab);
      for (size_t i = 0; i < (self.one ? 1 : threads) && code == ESK_LAB_OK; i++)
        if (!counts (&self.counters[i], self.type, self.rounds * ADDITIONS * (self.one ? threads : 1)))
          code = esk_lab_fail (lab, ESK_LAB_ERROR_WRONG, "Additions to one number by %zu threads were lost", threads);
    }
  if (code == ESK_LAB_OK)
    esk_lab_clock_note (lab, result);
  free (self.counters);
  esk_lab_team_free (team);
  return code;
}
