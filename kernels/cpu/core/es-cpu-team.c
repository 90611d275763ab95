/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-cpu-team-internal.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct
{
  EskTeam  *team;
  pthread_t thread;
  unsigned  index;             /* from 1 on: 0 is the thread that calls */
} Worker;

struct _EskTeam
{
  pthread_mutex_t lock;
  pthread_cond_t  begin, done;
  unsigned        n_workers, busy;     /* busy: at work of this turn */
  unsigned        turn;        /* raised with each run */
  bool            open;        /* who wakes may still begin with this turn */
  bool            stop;

  EskTeamWork     work;
  void           *data;
  size_t          n;
  atomic_size_t   next;

  Worker          workers[];
};

static void
work_on (EskTeam *team,
         unsigned worker)
{
  size_t item;

  while ((item = atomic_fetch_add_explicit (&team->next, 1, memory_order_relaxed)) < team->n)
    team->work (team->data, item, worker);
}

/* Each that wakes wakes two more while there is something left: of little work nobody waits for many threads. */
static void
wake (EskTeam *team)
{
  pthread_cond_signal (&team->begin);
  if (team->n_workers > 1)
    pthread_cond_signal (&team->begin);
}

static void *
worker_main (void *data)
{
  Worker *self = data;
  EskTeam *team = self->team;
  unsigned turn = 0;

  pthread_mutex_lock (&team->lock);
  for (;;)
    {
      while (!team->stop && (!team->open || team->turn == turn))
        pthread_cond_wait (&team->begin, &team->lock);
      if (team->stop)
        break;
      turn = team->turn;
      team->busy++;
      pthread_mutex_unlock (&team->lock);
      if (atomic_load_explicit (&team->next, memory_order_relaxed) < team->n)
        {
          wake (team);
          work_on (team, self->index);
        }
      pthread_mutex_lock (&team->lock);
      if (--team->busy == 0 && !team->open)
        pthread_cond_signal (&team->done);
    }
  pthread_mutex_unlock (&team->lock);

  return NULL;
}

/* As many workers as there can be; NULL: none. They leave signals to the program's own threads. */
static EskTeam *
team_new (unsigned workers)
{
  EskTeam *team = calloc (1, sizeof *team + workers * sizeof (Worker));
  sigset_t all, before;

  if (team == NULL)
    return NULL;

  pthread_mutex_init (&team->lock, NULL);
  pthread_cond_init (&team->begin, NULL);
  pthread_cond_init (&team->done, NULL);
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  for (unsigned w = 0; w < workers; w++)
    {
      team->workers[w] = (Worker) { .team = team, .index = w + 1 };
      if (pthread_create (&team->workers[w].thread, NULL, worker_main, &team->workers[w]) != 0)
        break;
      team->n_workers++;
    }
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  if (team->n_workers == 0)
    {
      esk_team_free (team);
      return NULL;
    }

  return team;
}

void
esk_team_free (EskTeam *team)
{
  if (team == NULL)
    return;

  pthread_mutex_lock (&team->lock);
  team->stop = true;
  pthread_cond_broadcast (&team->begin);
  pthread_mutex_unlock (&team->lock);
  for (unsigned w = 0; w < team->n_workers; w++)
    pthread_join (team->workers[w].thread, NULL);
  pthread_cond_destroy (&team->begin);
  pthread_cond_destroy (&team->done);
  pthread_mutex_destroy (&team->lock);
  free (team);
}

int
esk_cpu_set_threads (EskStream *stream,
                     int        threads)
{
  if (stream == NULL || threads < 1)
    return ESK_ERROR_ARGUMENT;

  threads = threads < ESK_MOST_THREADS ? threads : ESK_MOST_THREADS;
  if ((unsigned) threads != esk_team_size (stream))
    {
      esk_team_free (stream->team);
      stream->team = NULL;
      stream->threads = (unsigned) threads;
    }

  return ESK_OK;
}

unsigned
esk_team_size (EskStream *stream)
{
  return stream->threads > 0 ? stream->threads : 1;
}

void
esk_team_run (EskStream  *stream,
              size_t      n,
              EskTeamWork work,
              void       *data)
{
  EskTeam *team;

  /* Threads begin with the first work that there is for them. */
  if (stream->team == NULL && esk_team_size (stream) > 1 && n > 1)
    stream->team = team_new (esk_team_size (stream) - 1);
  team = stream->team;
  if (team == NULL || n <= 1)
    {
      for (size_t item = 0; item < n; item++)
        work (data, item, 0);
      return;
    }

  pthread_mutex_lock (&team->lock);
  team->work = work;
  team->data = data;
  team->n = n;
  atomic_store_explicit (&team->next, 0, memory_order_relaxed);
  team->open = true;
  team->turn++;
  pthread_mutex_unlock (&team->lock);
  wake (team);

  work_on (team, 0);

  /* Those that have not come yet come too late: all items are taken. */
  pthread_mutex_lock (&team->lock);
  team->open = false;
  while (team->busy > 0)
    pthread_cond_wait (&team->done, &team->lock);
  pthread_mutex_unlock (&team->lock);
}

/* ---- what may be cancelled ---- */

typedef struct
{
  EskTeamWork work;
  void       *data;
  const int  *cancelled;
} Trial;

static void
do_unless_cancelled (void    *data,
                     size_t   item,
                     unsigned worker)
{
  const Trial *trial = data;

  if (!esk_is_cancelled (trial->cancelled))
    trial->work (trial->data, item, worker);
}

int
esk_team_try (EskStream  *stream,
              size_t      n,
              EskTeamWork work,
              void       *data)
{
  Trial trial = { work, data, stream->cancelled };

  esk_team_run (stream, n, do_unless_cancelled, &trial);

  return esk_is_cancelled (trial.cancelled) ? ESK_ERROR_CANCELLED : ESK_OK;
}
