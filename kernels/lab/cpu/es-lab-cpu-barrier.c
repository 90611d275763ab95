/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What it costs that threads wait for each other. */

#include "es-lab-cpu-private.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

/* Of one sample. */
#define RUN_SECONDS 0.002
#define RUNS 4

#define NO_ROUND SIZE_MAX

typedef struct
{
  EskLab           *lab;
  unsigned          threads;
  bool              own;
  pthread_barrier_t barrier;
  _Alignas (128) atomic_size_t arrived;
  _Alignas (128) atomic_size_t last;   /* round after which all go */
  double            until;
  size_t            rounds;
} Barrier;

/* lab: barrier */
static void *
do_nothing (void *data)
{
  return data;
}

/* Who arrives is counted for ever: a round is over when `threads` more have come, and nothing has to be set back. */
static void
wait_for_all (Barrier *barrier,
              size_t   round)
{
  const size_t target = (round + 1) * barrier->threads;
  unsigned spins = 0;

  atomic_fetch_add_explicit (&barrier->arrived, 1, memory_order_acq_rel);
  while (atomic_load_explicit (&barrier->arrived, memory_order_acquire) < target)
    esk_lab_pause (&spins);
}

static void
run_barrier (void    *data,
             unsigned thread)
{
  Barrier *barrier = data;
  size_t round = 0;

  for (;; round++)
    {
      /* The first says when it is over, of a round that no other can have left: none waits for one that is gone. */
      if (thread == 0 && round % 16 == 0
          && (esk_lab_poll (barrier->lab) != ESK_LAB_OK || esk_lab_seconds () > barrier->until))
        atomic_store_explicit (&barrier->last, round, memory_order_release);
      if (barrier->own)
        wait_for_all (barrier, round);
      else
        pthread_barrier_wait (&barrier->barrier);
      if (round >= atomic_load_explicit (&barrier->last, memory_order_acquire))
        break;
    }
  if (thread == 0)
    barrier->rounds = round + 1;
}

static bool
start_and_join_all (void *data)
{
  const Barrier *barrier = data;
  pthread_t *threads = malloc (barrier->threads * sizeof *threads);
  unsigned n = 0;

  while (threads != NULL && n < barrier->threads && pthread_create (&threads[n], NULL, do_nothing, NULL) == 0)
    n++;
  for (unsigned i = 0; i < n; i++)
    pthread_join (threads[i], NULL);
  free (threads);
  return n == barrier->threads;
}
/* lab end */

int
esk_lab_measure_barrier (EskLab         *lab,
                         const EskProbe *probe,
                         EskProbeResult *result)
{
  Barrier barrier = { .lab = lab, .threads = esk_lab_threads_of (lab, probe), .own = probe->variant == 2 };
  EskLabTeam *team;
  int code;

  if (probe->variant == 0)
    {
      code = esk_lab_measure_once (lab, probe, start_and_join_all, &barrier, result);
      if (code == ESK_LAB_OK)
        esk_lab_clock_note (lab, result);
      return code;
    }

  if ((code = esk_lab_team_new (lab, barrier.threads, &team)) != ESK_LAB_OK)
    return code;
  pthread_barrier_init (&barrier.barrier, NULL, barrier.threads);
  for (uint32_t i = 0; i <= probe->repeats && code == ESK_LAB_OK; i++)
    {
      double least = INFINITY;

      for (int run = 0; run < RUNS && code == ESK_LAB_OK; run++)
        {
          double seconds;

          atomic_store (&barrier.arrived, 0);
          atomic_store (&barrier.last, NO_ROUND);
          barrier.until = esk_lab_seconds () + RUN_SECONDS;
          seconds = esk_lab_team_run (team, run_barrier, &barrier) / (double) barrier.rounds;
          least = seconds < least ? seconds : least;
          code = esk_lab_poll (lab);
        }
      if (i > 0)
        result->samples[i - 1] = least;
    }
  result->n = probe->repeats;
  pthread_barrier_destroy (&barrier.barrier);
  esk_lab_team_free (team);
  if (code == ESK_LAB_OK)
    esk_lab_clock_note (lab, result);
  return code;
}
