/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a thread costs: to start one, and to hand work to one that waits. */

#include "es-lab-cpu-private.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

/* Of one sample. */
#define RUN_SECONDS 0.002
#define RUNS 4

/* ---- one at a time ---- */

int
esk_lab_measure_once (EskLab         *lab,
                      const EskProbe *probe,
                      EskLabOnce      once,
                      void           *data,
                      EskProbeResult *result)
{
  for (uint32_t i = 0; i <= probe->repeats; i++)
    {
      double least = INFINITY;

      for (int run = 0; run < RUNS; run++)
        {
          const double begin = esk_lab_seconds ();
          double now = begin;
          unsigned n = 0;

          for (; now < begin + RUN_SECONDS; now = esk_lab_seconds ())
            {
              if (esk_lab_poll (lab) != ESK_LAB_OK)
                return ESK_LAB_ERROR_CANCELLED;
              if (!once (data))
                return esk_lab_fail (lab, ESK_LAB_ERROR_DEVICE, "The system starts no more threads");
              n++;
            }
          least = (now - begin) / n < least ? (now - begin) / n : least;
        }
      if (i > 0)
        result->samples[i - 1] = least;
    }
  result->n = probe->repeats;
  return ESK_LAB_OK;
}

/* ---- launch ---- */

/* lab: launch */
static void *
do_nothing (void *data)
{
  return data;
}

static bool
start_and_join (void *data)
{
  pthread_t thread;

  return pthread_create (&thread, NULL, do_nothing, data) == 0 && pthread_join (thread, NULL) == 0;
}

typedef struct
{
  EskLab         *lab;
  bool            sleeps;
  pthread_mutex_t lock;
  pthread_cond_t  handed, done;
  atomic_uint     turn, answered;
  atomic_bool     stop;
} Servant;

static void *
serve (void *data)
{
  Servant *servant = data;
  unsigned turn = 0, spins = 0;

  if (servant->sleeps)
    {
      pthread_mutex_lock (&servant->lock);
      while (!atomic_load (&servant->stop))
        if (atomic_load (&servant->turn) != turn)
          {
            atomic_store (&servant->answered, turn = atomic_load (&servant->turn));
            pthread_cond_signal (&servant->done);
          }
        else
          pthread_cond_wait (&servant->handed, &servant->lock);
      pthread_mutex_unlock (&servant->lock);
    }
  else
    while (!atomic_load_explicit (&servant->stop, memory_order_acquire))
      if (atomic_load_explicit (&servant->turn, memory_order_acquire) != turn)
        atomic_store_explicit (&servant->answered, ++turn, memory_order_release);
      else
        esk_lab_pause (&spins);
  return NULL;
}

/* Wakes who sleeps, and sleeps until it is done. */
static bool
hand_asleep (void *data)
{
  Servant *servant = data;

  pthread_mutex_lock (&servant->lock);
  atomic_fetch_add (&servant->turn, 1);
  pthread_cond_signal (&servant->handed);
  while (atomic_load (&servant->answered) != atomic_load (&servant->turn))
    pthread_cond_wait (&servant->done, &servant->lock);
  pthread_mutex_unlock (&servant->lock);
  return true;
}

/* Both look at memory all the time. */
static bool
hand_awake (void *data)
{
  Servant *servant = data;
  const unsigned turn = atomic_fetch_add_explicit (&servant->turn, 1, memory_order_release) + 1;
  unsigned spins = 0;

  while (atomic_load_explicit (&servant->answered, memory_order_acquire) != turn)
    esk_lab_pause (&spins);
  return true;
}
/* lab end */

int
esk_lab_measure_launch (EskLab         *lab,
                        const EskProbe *probe,
                        EskProbeResult *result)
{
  Servant servant = { .lab = lab, .sleeps = probe->variant == 1, .lock = PTHREAD_MUTEX_INITIALIZER,
                      .handed = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER };
  sigset_t all, before;
  pthread_t thread;
  int code, failed;

  /* They leave signals to the program's own threads. */
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  if (probe->variant == 0)
    code = esk_lab_measure_once (lab, probe, start_and_join, NULL, result);
  else if ((failed = pthread_create (&thread, NULL, serve, &servant)) != 0)
    code = esk_lab_fail (lab, ESK_LAB_ERROR_DEVICE, "A thread could not be started: %s", strerror (failed));
  else
    {
      code = esk_lab_measure_once (lab, probe, servant.sleeps ? hand_asleep : hand_awake, &servant, result);
      pthread_mutex_lock (&servant.lock);
      atomic_store (&servant.stop, true);
      pthread_cond_signal (&servant.handed);
      pthread_mutex_unlock (&servant.lock);
      pthread_join (thread, NULL);
    }
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  if (code == ESK_LAB_OK)
    esk_lab_clock_note (lab, result);
  return code;
}
