/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Threads of a probe, each on a processor of its own, which begin together. kernels/cpu has a team that shares out
 * items to whoever is free: here each does its part, and when it began and ended counts. */

#include "es-lab-cpu-private.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

typedef struct
{
  EskLabTeam *team;
  pthread_t   thread;
  unsigned    index;
  double      from, to;
} Member;

struct _EskLabTeam
{
  EskLab         *lab;
  pthread_mutex_t lock;
  pthread_cond_t  begin, done;
  unsigned        size, busy, turn;
  bool            stop;
  atomic_uint     arrived;

  EskLabWork      work;
  void           *data;
  bool            stays;
  EskLabCpus      before;
  Member          members[];           /* 0: who calls */
};

/* ---- processors ---- */

static bool
stay_on (unsigned cpu)
{
  EskLabCpus one = { 0 };
  const size_t bits = 8 * sizeof one.bits[0];

  if (cpu >= ESK_LAB_MOST_CPUS)
    return false;
  one.bits[cpu / bits] = 1ul << cpu % bits;
  return sched_setaffinity (0, sizeof one, (const cpu_set_t *) &one) == 0;
}

bool
esk_lab_stay (EskLabCpus *before)
{
  const int cpu = sched_getcpu ();

  memset (before, 0, sizeof *before);
  return cpu >= 0 && sched_getaffinity (0, sizeof *before, (cpu_set_t *) before) == 0 && stay_on ((unsigned) cpu);
}

void
esk_lab_may_go (const EskLabCpus *before)
{
  sched_setaffinity (0, sizeof *before, (const cpu_set_t *) before);
}

void
esk_lab_pause (unsigned *spins)
{
#if defined (__x86_64__)
  __builtin_ia32_pause ();
#elif defined (__aarch64__)
  __asm__ volatile ("yield");
#endif
  if (++*spins % 1024 == 0)
    sched_yield ();
}

unsigned
esk_lab_threads_of (const EskLab   *lab,
                    const EskProbe *probe)
{
  return probe->threads > 0 ? probe->threads : lab->threads;
}

/* ---- the team ---- */

static void
take_part (Member *self)
{
  EskLabTeam *team = self->team;
  unsigned spins = 0;

  atomic_fetch_add (&team->arrived, 1);
  while (atomic_load (&team->arrived) < team->size)
    esk_lab_pause (&spins);
  self->from = esk_lab_seconds ();
  team->work (team->data, self->index);
  self->to = esk_lab_seconds ();
}

static void *
member_main (void *data)
{
  Member *self = data;
  EskLabTeam *team = self->team;
  unsigned turn = 0;

  stay_on (team->lab->order[self->index % team->lab->threads]);
  pthread_mutex_lock (&team->lock);
  for (;;)
    {
      while (!team->stop && team->turn == turn)
        pthread_cond_wait (&team->begin, &team->lock);
      if (team->stop)
        break;
      turn = team->turn;
      pthread_mutex_unlock (&team->lock);
      take_part (self);
      pthread_mutex_lock (&team->lock);
      if (--team->busy == 0)
        pthread_cond_signal (&team->done);
    }
  pthread_mutex_unlock (&team->lock);

  return NULL;
}

int
esk_lab_team_new (EskLab      *lab,
                  unsigned     threads,
                  EskLabTeam **team_)
{
  const unsigned size = threads > 0 ? threads : lab->threads;
  EskLabTeam *team = calloc (1, sizeof *team + size * sizeof (Member));
  sigset_t all, before;

  *team_ = NULL;
  if (team == NULL)
    return ESK_LAB_ERROR_MEMORY;
  team->lab = lab;
  pthread_mutex_init (&team->lock, NULL);
  pthread_cond_init (&team->begin, NULL);
  pthread_cond_init (&team->done, NULL);
  team->members[0] = (Member) { .team = team };
  team->size = 1;

  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  for (unsigned i = 1; i < size; i++)
    {
      int failed;

      team->members[i] = (Member) { .team = team, .index = i };
      failed = pthread_create (&team->members[i].thread, NULL, member_main, &team->members[i]);
      if (failed != 0)
        {
          pthread_sigmask (SIG_SETMASK, &before, NULL);
          esk_lab_team_free (team);
          return esk_lab_fail (lab, ESK_LAB_ERROR_DEVICE, "Thread %u of %u could not be started: %s", i + 1, size,
                               strerror (failed));
        }
      team->size++;
    }
  pthread_sigmask (SIG_SETMASK, &before, NULL);

  /* Who calls takes part, and goes back to where it may be when the team is gone. */
  memset (&team->before, 0, sizeof team->before);
  team->stays = size > 1 && sched_getaffinity (0, sizeof team->before, (cpu_set_t *) &team->before) == 0
                && stay_on (lab->order[0]);
  *team_ = team;
  return ESK_LAB_OK;
}

unsigned
esk_lab_team_size (const EskLabTeam *team)
{
  return team->size;
}

double
esk_lab_team_run (EskLabTeam *team,
                  EskLabWork  work,
                  void       *data)
{
  double from, to;

  pthread_mutex_lock (&team->lock);
  team->work = work;
  team->data = data;
  team->busy = team->size - 1;
  atomic_store (&team->arrived, 0);
  team->turn++;
  pthread_cond_broadcast (&team->begin);
  pthread_mutex_unlock (&team->lock);

  take_part (&team->members[0]);

  pthread_mutex_lock (&team->lock);
  while (team->busy > 0)
    pthread_cond_wait (&team->done, &team->lock);
  pthread_mutex_unlock (&team->lock);

  from = team->members[0].from;
  to = team->members[0].to;
  for (unsigned i = 1; i < team->size; i++)
    {
      from = team->members[i].from < from ? team->members[i].from : from;
      to = team->members[i].to > to ? team->members[i].to : to;
    }
  return to - from;
}

void
esk_lab_team_free (EskLabTeam *team)
{
  if (team == NULL)
    return;

  pthread_mutex_lock (&team->lock);
  team->stop = true;
  pthread_cond_broadcast (&team->begin);
  pthread_mutex_unlock (&team->lock);
  for (unsigned i = 1; i < team->size; i++)
    pthread_join (team->members[i].thread, NULL);
  if (team->stays)
    esk_lab_may_go (&team->before);
  pthread_cond_destroy (&team->begin);
  pthread_cond_destroy (&team->done);
  pthread_mutex_destroy (&team->lock);
  free (team);
}

/* ---- rates ---- */

#define RUN_SECONDS 0.0015
#define RUNS 6

int
esk_lab_team_rate (EskLab         *lab,
                   EskLabTeam     *team,
                   const EskProbe *probe,
                   EskLabWork      work,
                   void           *data,
                   size_t         *rounds,
                   double          amount,
                   EskProbeResult *result)
{
  /* So many that a run can be told from the clock's own steps, and from when its threads begin; that warms up, too. */
  for (*rounds = 1;;)
    {
      double seconds = esk_lab_team_run (team, work, data);

      /* Not because one of its threads had to wait. */
      for (int again = 0; again < 2 && seconds >= RUN_SECONDS && seconds < 0.1; again++)
        {
          const double another = esk_lab_team_run (team, work, data);

          seconds = another < seconds ? another : seconds;
        }
      if (esk_lab_poll (lab) != ESK_LAB_OK)
        return ESK_LAB_ERROR_CANCELLED;
      if (seconds >= RUN_SECONDS || *rounds > SIZE_MAX / 64)
        break;
      *rounds = seconds < RUN_SECONDS / 16 ? *rounds * 16
                : (size_t) ((double) *rounds * RUN_SECONDS / seconds * 1.2) + 1;
    }

  for (uint32_t i = 0; i < probe->repeats; i++)
    {
      double best = 0.0, spent = 0.0;

      /* The best of some short runs, as others' work only ever takes away; of long ones fewer. */
      for (int run = 0; run < RUNS && (run == 0 || spent < 0.03); run++)
        {
          const double seconds = esk_lab_team_run (team, work, data);
          const double rate = amount * (double) *rounds / (seconds > 1e-9 ? seconds : 1e-9);

          if (esk_lab_poll (lab) != ESK_LAB_OK)
            return ESK_LAB_ERROR_CANCELLED;
          best = rate > best ? rate : best;
          spent += seconds;
        }
      result->samples[i] = best;
    }
  result->n = probe->repeats;
  return ESK_LAB_OK;
}
